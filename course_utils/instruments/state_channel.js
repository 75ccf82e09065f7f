// The browser's end of the channel between an instrument and its kernel: it shows nothing, and lies
// where the instrument finds it by name.
const tell = () => dispatchEvent(new Event('course-channel'));
export default {
  initialize({ model }) {
    const channels = (globalThis.courseChannels ??= {}),
      name = model.get('name');
    channels[name] = model;
    tell();
    return () => {
      if (channels[name] == model) delete channels[name];
      tell();
    };
  }
};
