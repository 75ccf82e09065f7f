// The browser's end of the wire between an instrument and its kernel: it shows nothing, and lies where the instrument finds it by name.
const tell = () => dispatchEvent(new Event("course-wire"));
export default {
  initialize({ model }) {
    const wires = globalThis.courseWires ??= {}, name = model.get("name");
    wires[name] = model;
    tell();
    return () => {
      if (wires[name] == model) delete wires[name];
      tell();
    };
  },
};
