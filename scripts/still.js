// Turns the picture of an instrument into plain SVG: styles become attributes, colours are written out, what only the hand needs goes.
([paper, words]) => {
  const svg = document.querySelector(".course-instrument").shadowRoot.querySelector("svg"), pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const hex = colour => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return ["#" + [r, g, b].map(x => x.toString(16).padStart(2, "0")).join(""), a / 255];
  };
  const own = ["viewBox", "d", "x", "y", "cx", "cy", "r", "rx", "width", "height", "transform", "id", "mask", "maskUnits", "gradientUnits", "x1", "y1", "x2", "y2", "offset"];
  const looks = { "stroke-width": "1px", "stroke-dasharray": "none", "stroke-linecap": "butt", "stroke-linejoin": "miter", opacity: "1", "paint-order": "normal",
    "font-size": "16px", "font-weight": "400", "text-anchor": "start", "text-decoration-line": "none" };
  const id = svg.querySelector("linearGradient").id;
  const plain = element => {
    const style = getComputedStyle(element), tag = element.tagName, drawn = !["svg", "g", "defs", "mask", "linearGradient", "stop"].includes(tag);
    if (style.display == "none" || style.opacity == "0" || element.getAttribute("role") == "slider" || element.matches("rect[fill=transparent],[role=button]:not(.token) .ring")) return "";
    let text = `<${tag}`;
    const write = (name, value) => { text += ` ${name}="${`${value}`.replaceAll(id, "map").replaceAll("&", "&amp;").replaceAll('"', "'")}"`; };
    const paint = name => {
      const value = style[name], share = +style[`${name}-opacity`];
      if (value.startsWith("url")) return write(name, `url(#${id})`);
      const [colour, alpha] = value == "none" ? ["none", 1] : hex(value);
      if (colour != (name == "fill" ? "#000000" : "none")) write(name, colour);
      if (colour != "none" && alpha * share < 0.999) write(`${name}-opacity`, +(alpha * share).toFixed(3));
    };
    if (tag == "svg") write("xmlns", svg.namespaceURI), write("font-family", "system-ui, -apple-system, 'Segoe UI', sans-serif");
    for (const name of own) if (element.hasAttribute(name)) write(name, element.getAttribute(name));
    if (tag == "stop") write("stop-color", "#ffffff"), write("stop-opacity", element.getAttribute("stop-opacity") ?? 1);
    if (drawn) {
      paint("fill");
      if (style.stroke != "none") paint("stroke");
    }
    for (const name in looks) {
      const mine = style.getPropertyValue(name), needed = name == "opacity" || (name.startsWith("stroke") ? drawn && style.stroke != "none" : ["text", "tspan"].includes(tag));
      if (needed && mine != looks[name]) write(name, mine.replace(/px/g, ""));
    }
    const inside = element.children.length ? [...element.children].map(plain).join("") : element.textContent.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    const { x, y, width, height } = svg.viewBox.baseVal;
    const behind = tag == "svg" ? `<title>The whole machine</title><desc>${words.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</desc>\n<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="10" fill="${paper}"/>` : "";
    return !drawn && !inside && tag != "stop" ? "" : `${text}>${behind}${inside}</${tag}>\n`;
  };
  return plain(svg);
}
