// Turns the picture of the map into plain SVG: styles become attributes, colours are written out,
// what only the hand needs goes.
// What pictures.py lets move keeps a class; where it goes is told beside the picture.
([paper, words]) => {
  const svg = document.querySelector('.course-instrument').shadowRoot.querySelector('svg'),
    one = selector => svg.querySelector(selector),
    pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const hex = colour => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return ['#' + [r, g, b].map(x => x.toString(16).padStart(2, '0')).join(''), a / 255];
  };
  const own = [
    'viewBox',
    'd',
    'x',
    'y',
    'cx',
    'cy',
    'r',
    'rx',
    'width',
    'height',
    'transform',
    'id',
    'mask',
    'maskUnits',
    'gradientUnits',
    'x1',
    'y1',
    'x2',
    'y2',
    'offset',
    'pathLength'
  ];
  const looks = {
    'stroke-width': '1px',
    'stroke-dasharray': 'none',
    'stroke-linecap': 'butt',
    'stroke-linejoin': 'miter',
    opacity: '1',
    'paint-order': 'normal',
    'font-size': '16px',
    'font-weight': '400',
    'text-anchor': 'start',
    'text-decoration-line': 'none'
  };
  const id = one('linearGradient').id;

  // The parts that move. The knob, the sparks and the word that flies are not seen in a still.
  const way = one(':scope > path[stroke-dasharray]'),
    knob = one('[role=slider]'),
    buttons = [...svg.querySelectorAll('[role=toolbar] > [role=button]')];
  const [chosen, ghost, flying] = svg.querySelectorAll(':scope > [pointer-events=none]'),
    curtain = one('mask rect'),
    gone = knob.previousElementSibling;
  flying.replaceChildren(...ghost.cloneNode(true).children);
  flying.firstChild.removeAttribute('stroke-dasharray');
  flying.style.display = '';
  // it goes to the left and still covers all
  curtain.setAttribute('width', 2 * curtain.getAttribute('width'));
  gone.setAttribute('pathLength', 1);
  const unseen = new Map([...svg.querySelectorAll('.spark')].map(spark => [spark, 'spark']))
    .set(knob, 'knob')
    .set(flying, 'fly');
  const moving = new Map([
    ...unseen,
    [curtain, 'front'],
    [gone, 'gone'],
    [way, 'back'],
    [way.nextElementSibling, 'back'],
    [chosen, 'back'],
    [ghost, 'landed'],
    ...buttons.map((button, k) => [button.querySelector('text'), `s${k}`])
  ]);
  const area = button => button.querySelector('[fill=transparent]'),
    at = (element, name) => +element.getAttribute(name),
    far = way.getTotalLength();
  const ends = buttons.map(button => at(area(button), 'x') + at(area(button), 'width')),
    stops = buttons.map(button => at(button.querySelector('tspan'), 'x'));
  const { x: left, width: wide } = svg.viewBox.baseVal,
    room = 2 + at(flying.firstChild, 'width') / 2; // the word flies within the picture
  const points = [...Array(25).keys()]
    .map(k => way.getPointAtLength((far * (1 - Math.cos((Math.PI * k) / 24))) / 2))
    .map(({ x, y }) => [Math.max(left + room, Math.min(left + wide - room, x)), y + 5]);
  const [, from, level, to] = gone
    .getAttribute('d')
    .match(/M(\S+) (\S+)L(\S+) /)
    .map(Number);

  const plain = element => {
    const style = getComputedStyle(element),
      tag = element.tagName,
      drawn = !['svg', 'g', 'defs', 'mask', 'linearGradient', 'stop'].includes(tag);
    if (
      style.display == 'none' ||
      (style.opacity == '0' && !unseen.has(element)) ||
      element.matches('.grip,rect[fill=transparent],[role=button]:not(.token) .ring')
    )
      return '';
    let text = `<${tag}`;
    const write = (name, value) => {
      text += ` ${name}="${`${value}`.replaceAll(id, 'map').replaceAll('&', '&amp;').replaceAll('"', "'")}"`;
    };
    const paint = name => {
      const value = style[name],
        share = +style[`${name}-opacity`];
      if (value.startsWith('url')) return write(name, `url(#${id})`);
      const [colour, alpha] = value == 'none' ? ['none', 1] : hex(value);
      if (colour != (name == 'fill' ? '#000000' : 'none')) write(name, colour);
      if (colour != 'none' && alpha * share < 0.999)
        write(`${name}-opacity`, +(alpha * share).toFixed(3));
    };
    if (tag == 'svg')
      (write('xmlns', svg.namespaceURI),
        write('font-family', "system-ui, -apple-system, 'Segoe UI', sans-serif"));
    if (moving.has(element)) write('class', moving.get(element));
    for (const name of own) if (element.hasAttribute(name)) write(name, element.getAttribute(name));
    if (tag == 'stop')
      (write('stop-color', '#ffffff'),
        write('stop-opacity', element.getAttribute('stop-opacity') ?? 1));
    if (drawn) {
      paint('fill');
      if (style.stroke != 'none') paint('stroke');
    }
    for (const name in looks) {
      const mine = name == 'opacity' && unseen.has(element) ? '0' : style.getPropertyValue(name),
        needed =
          name == 'opacity' ||
          (name.startsWith('stroke')
            ? drawn && style.stroke != 'none'
            : ['text', 'tspan'].includes(tag));
      if (needed && mine != looks[name]) write(name, mine.replace(/px/g, ''));
    }
    const inside = element.children.length
      ? [...element.children].map(plain).join('')
      : element.textContent.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const { x, y, width, height } = svg.viewBox.baseVal;
    const behind =
      tag == 'svg'
        ? `<title>The whole machine</title><desc>${words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</desc>\n<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="10" fill="${paper}"/>`
        : '';
    return !drawn && !inside && tag != 'stop' ? '' : `${text}>${behind}${inside}</${tag}>\n`;
  };
  return {
    picture: plain(svg),
    ends,
    stops,
    points,
    level,
    track: [from, to],
    front: at(one('linearGradient'), 'x2')
  };
};
