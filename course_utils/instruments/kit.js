// What all instruments share: a little mathematics, numbers in words, drawing, what the hand can
// take, and the life of an instrument.
// How an instrument is written stands in instrument.py.
(() => {
  // Mathematics, as in course_utils. tests/test_instruments.py holds every instrument against
  // Python.
  const sum = x => x.reduce((a, b) => a + b, 0);
  const dot = (a, b) => a.reduce((all, x, i) => all + x * b[i], 0);
  const norm = x => Math.sqrt(dot(x, x));
  const transpose = A => A[0].map((_, j) => A.map(row => row[j]));
  const times = (A, B) => A.map(row => transpose(B).map(column => dot(row, column)));
  const softmax = scores => {
    const top = Math.max(...scores),
      e = scores.map(s => Math.exp(s - top)),
      all = sum(e);
    return e.map(x => x / all);
  };
  const entropy = a => -sum(a.map(p => (p > 0 ? p * Math.log(p) : 0)));

  // Numbers as rounding.py writes them. Twelve digits are kept first, so that noise in the last
  // ones decides nothing; of two that are
  // equally near, the even one.
  const calm = x => (Math.abs(x) < 1e-12 ? 0 : +x.toPrecision(12));
  function fixed(x, digits) {
    x = calm(x);
    const text = Math.abs(x).toFixed(digits),
      exact = Math.abs(x).toFixed(digits + 30);
    const tie = /^50*$/.test(exact.slice(exact.indexOf('.') + 1 + digits)) && text.at(-1) % 2;
    const size = tie ? (text - 10 ** -digits).toFixed(digits) : text;
    return (x < 0 && +size ? '-' : '') + size;
  }
  function general(x, digits) {
    x = calm(x);
    const long = Math.abs(x).toExponential(40),
      kept = long.slice(0, digits + 1),
      tie = /^50*e/.test(long.slice(digits + 1)) && /[02468]\.?$/.test(kept);
    const [near, power] = Math.abs(x)
        .toExponential(digits - 1)
        .split('e'),
      size = tie ? kept : near;
    const text =
      power < -4 || power >= digits
        ? `${+size}e${power[0]}${power.slice(1).padStart(2, '0')}`
        : `${+`${size}e${power}`}`;
    return (x < 0 ? '-' : '') + text;
  }
  const clip = (x, low, high) => Math.min(high, Math.max(low, x));
  const round = (x, digits = 2) => +x.toFixed(digits);
  // Two vectors' product, term by term: "0.70·0.00 + 0.50·2.00 = 1.00".
  const terms = (a, b) =>
    `${a.map((x, i) => `${fixed(x, 2)}·${fixed(b[i], 2)}`).join(' + ')} = ${fixed(dot(a, b), 2)}`;

  // Colours that a colour-blind reader tells apart (Okabe & Ito). They lean towards the text's:
  // darker on a light page, lighter on a dark one.
  const textTint = (colour, share = 84) => `color-mix(in oklab,${colour} ${share}%,currentColor)`;
  const BLUE = textTint('#0072B2'),
    ORANGE = textTint('#E69F00', 90),
    VERMILION = textTint('#D55E00'),
    GREEN = textTint('#009E73'),
    PURPLE = textTint('#AA4499'),
    SKY = textTint('#56B4E9', 92),
    RED = textTint('#C8102E', 76);
  const GREY = 'color-mix(in srgb,currentColor 68%,transparent)',
    FAINT = 'color-mix(in srgb,currentColor 22%,transparent)';
  const MEANINGS = { animal: [BLUE, '●'], hardship: [VERMILION, '■'], sport: [GREEN, '▲'] };

  // 16 units of a picture are 1em of the page: words in a picture are as large as those around it,
  // on a projector, too. Where there is room
  // all pictures stand in one row, each as wide as its share of the units (--units); no text
  // becomes smaller than --floor (11.5 pixels).
  // A handle is a block: a finger's drag would end as scrolling on what is inline, as a <g> is.
  const STYLE = `:host{display:block;container-type:inline-size;color:inherit;font:1.05em/1.45 system-ui,sans-serif;text-align:start;margin:.3em 0;
--page:var(--jp-layout-color0,var(--pst-color-background,var(--r-background-color,Canvas)))}
*{box-sizing:border-box}.row{display:flex;flex-wrap:wrap;gap:.4em 1.6em;align-items:center}.row:empty{display:none}
.stage{align-items:start;justify-content:center;gap:.4em 1.2em;margin:.4em 0 0}
svg{display:block;max-width:100%;height:auto;overflow:visible;user-select:none;-webkit-user-select:none;width:calc(var(--units)/16*1em)}
@container (min-width:42em){.stage>svg{flex:var(--units) 1 0;min-width:0;max-width:calc(var(--units)/16*1em)}.stage>.below{flex-basis:100%}}
text{fill:currentColor;font-size:max(16px,var(--floor,0px))}.small{font-size:max(14px,var(--floor,0px))}.title{font-weight:600}
.soft{fill:${GREY}}.middle{text-anchor:middle}.end{text-anchor:end}
.halo{paint-order:stroke;stroke:var(--page);stroke-width:5px;stroke-linejoin:round}
label{display:flex;flex:1 1 12em;max-width:30em;gap:.6em;align-items:center}
@media (max-width:340px){label{flex-wrap:wrap;max-width:100%}}
input[type=range]{appearance:none;flex:1;min-width:5em;height:.4em;margin:.4em 0;border-radius:1em;cursor:pointer;
background:linear-gradient(${PURPLE},${PURPLE}) 0/var(--at) 100% no-repeat ${FAINT}}
input::-webkit-slider-thumb{appearance:none;width:1.1em;height:1.1em;border-radius:50%;background:${PURPLE}}
input::-moz-range-thumb{width:1.1em;height:1.1em;border:0;border-radius:50%;background:${PURPLE}}
@media (forced-colors:active){input[type=range]{appearance:auto}}
output{min-width:3.4em;font-variant-numeric:tabular-nums}
button,summary{font:inherit;color:inherit;background:0;border:1.5px solid ${GREY};border-radius:6px;padding:.2em .7em;cursor:pointer}
button:hover,summary:hover{background:color-mix(in srgb,currentColor 9%,transparent)}
button[aria-pressed=true]{border-color:currentColor;box-shadow:inset 0 0 0 1.5px currentColor;font-weight:600}
.choices{display:flex;flex-wrap:wrap;gap:.35em}.choices button{max-width:100%}
[role=slider]{display:block;cursor:grab;outline:0;touch-action:none}[role=slider]:active{cursor:grabbing}
.grip{fill:transparent;stroke-width:2.5}.held .grip{stroke:${PURPLE};stroke-width:4}[role=slider]:hover .grip{stroke:${FAINT}}
:is([role=slider],[role=gridcell],[role=button]):focus-visible .grip{stroke:currentColor;stroke-dasharray:4 2}
[role=gridcell]{outline:0;cursor:default}svg :is([role=img],[role=group]):focus-visible{outline:2px dashed currentColor;outline-offset:1px}
.numbers{gap:.3em 1.2em;margin:.4em 0 0}.numbers label{flex:0 0 auto}.numbers input{width:6em;font:inherit;color:inherit;background:0;
border:1.5px solid ${GREY};border-radius:6px;padding:.15em .4em}:is(button,input,summary):focus-visible{outline:3px solid currentColor;outline-offset:2px}
p{margin:0}.foot{position:relative;display:flex;flex-wrap:wrap;gap:.3em .5em;align-items:start;margin:.3em 0 0}
.hint{flex:1 1 20em;padding:.1em 0;color:${GREY}}.told{position:absolute;inset:0 0 auto;z-index:1;padding:.1em .7em .3em;
background:var(--page);border-inline-start:3px solid ${PURPLE};box-shadow:0 3px 4px -2px ${FAINT};font-variant-numeric:tabular-nums;pointer-events:none}
.words{margin:.4em 0 0}.heard{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}[hidden]{display:none}
@container (max-width:34em){.long{flex-direction:column;width:100%}.long button{text-align:start}.hint{flex-basis:100%}svg{width:calc(var(--units)/17.5*1em)}
.row{column-gap:.8em}.row:first-of-type,.foot{font-size:.92em}}
.half{width:calc(50% - .6em)}
.data{order:1}.data[open]{flex-basis:100%}summary{list-style:none;width:max-content}.data>div{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}caption{text-align:start}
:is(th,td){padding:.1em .6em;text-align:end;border-bottom:1px solid ${FAINT}}
@media print{button,input,.hint,.numbers{display:none}}`;

  function createElement(parent, tag, attributes = {}, text) {
    const inSvg = tag == 'svg' || parent.namespaceURI?.endsWith('svg');
    const element = document.createElementNS(
      inSvg ? 'http://www.w3.org/2000/svg' : 'http://www.w3.org/1999/xhtml',
      tag
    );
    setAttributes(element, attributes);
    if (text != null) element.textContent = text;
    return parent.appendChild(element);
  }
  function setAttributes(element, attributes) {
    for (const name in attributes) element.setAttribute(name, attributes[name]);
  }
  // What is not displayed is not read: of a drawing's named parts Chromium reads them all the same.
  const see = (part, seen) => {
    part.style.display = seen ? '' : 'none';
    part.ariaHidden = seen ? null : 'true';
  };
  const setText = (element, text, attributes) => {
    setAttributes(element, attributes);
    if (element.textContent != text) element.textContent = text;
  };

  // A picture of some size in its own units, with its title above.
  const picture = (parent, width, height, title) => {
    const svg = createElement(parent, 'svg', {
      viewBox: `0 0 ${width} ${height}`,
      role: 'group',
      'aria-label': title,
      style: `--units:${width}`
    });
    createElement(
      svg,
      'text',
      { x: width / 2, y: 16, class: 'title middle', 'aria-hidden': true },
      title
    );
    return svg;
  };

  // An arrow from one place to another, in a picture's units; its head ends in the place. Returns
  // draw(from, to).
  const arrow = (parent, colour, width = 3.5, dashes = '') => {
    const g = createElement(parent, 'g'),
      shaft = createElement(g, 'path', {
        stroke: colour,
        'stroke-width': width,
        'stroke-dasharray': dashes,
        fill: 'none'
      });
    const head = createElement(g, 'path', {
      d: `M0 0L${-3 - 3 * width} ${-1 - 1.4 * width}V${1 + 1.4 * width}Z`,
      fill: colour
    });
    return ([x, y], [u, v]) => {
      const far = Math.hypot(u - x, v - y),
        neck = far && Math.max(0, far - 2 - 2 * width) / far;
      g.style.display = far < 2 ? 'none' : '';
      setAttributes(shaft, { d: `M${x} ${y}L${x + neck * (u - x)} ${y + neck * (v - y)}` });
      setAttributes(head, {
        transform: `translate(${u} ${v})rotate(${(Math.atan2(v - y, u - x) * 180) / Math.PI})`
      });
    };
  };

  // Where the name of point i stands: away from all other points and from whatever else is there;
  // of two in one place the first's is above.
  const name = (text, word, i, points, more = [], far = 16) => {
    const [x, y] = points[i];
    let dx = 0,
      dy = -1e-3;
    [...points, ...more].forEach(([u, v], k) => {
      const d = Math.hypot(x - u, y - v);
      if (d > 1) ((dx += (x - u) / d ** 3), (dy += (y - v) / d ** 3));
      else if (k != i && k < points.length) dy += i < k ? -0.1 : 0.1;
    });
    const d = Math.hypot(dx, dy),
      [ux, uy] = [dx / d, dy / d];
    setText(text, word, {
      x: x + far * ux,
      y: y + far * uy + 5.5,
      'text-anchor': ux < -0.4 ? 'end' : ux > 0.4 ? 'start' : 'middle'
    });
  };

  // A part that mouse, finger and keys can take. at(): where it is, in the picture's units; move(x,
  // y): it is dragged there;
  // step(dx, dy): arrow keys, 1 to the right and upwards, 5 with Shift or by Page Up and Down;
  // home(), end(): what these keys do. Who cannot drag taps: one tap takes the part, the next puts
  // it there; tap: false where move's units are not the picture's, so that nothing can be put.
  // numbers: what may be typed, [name of the axis or '', value(), put(value), low, high] each.
  const typed = new WeakMap(); // a handle -> its numbers
  const held = new WeakMap(); // a picture -> lets go of the part that a tap took
  function handle(element, svg, { label, at, move, step, home, end, tap = true, numbers = [] }) {
    setAttributes(element, { role: 'slider', tabindex: 0, ...(label && { 'aria-label': label }) });
    typed.set(element, numbers);
    let offset,
      from,
      begun = false,
      dragged = false;
    const place = ({ clientX, clientY }) =>
      new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
    const hand = () => {
      // one drag, or one visit by keys, is one move of the hand
      if (!begun) element.dispatchEvent(new CustomEvent('course-hand', { bubbles: true }));
      begun = true;
    };
    element.addEventListener('pointerdown', event => {
      if (event.button) return;
      event.preventDefault();
      element.focus({ preventScroll: true });
      element.setPointerCapture(event.pointerId);
      const { x, y } = place(event),
        [u, v] = at();
      offset = [u - x, v - y];
      if (held.get(svg) != letGo) from = [event.clientX, event.clientY];
      begun = dragged = false;
    });
    element.addEventListener('pointermove', event => {
      if (!element.hasPointerCapture(event.pointerId)) return;
      const { x, y } = place(event);
      // a tap trembles
      if (!begun && Math.hypot(event.clientX - from[0], event.clientY - from[1]) < 3) return;
      dragged = true;
      hand();
      move(x + offset[0], y + offset[1]);
    });
    const hold = on => {
      element.classList.toggle('held', on);
      const name = on ? element.ariaLabel : null;
      element.dispatchEvent(new CustomEvent('course-held', { bubbles: true, detail: name }));
    };
    const put = event => {
      // another part is tapped, or this one again; a large one may be put elsewhere on itself
      const onto = event.target.closest('[role=slider]'),
        far = Math.hypot(event.clientX - from[0], event.clientY - from[1]);
      if (onto && (onto != element || far < 8)) return;
      event.stopPropagation();
      at();
      begun = false;
      hand();
      begun = false;
      const { x, y } = place(event);
      move(x, y);
      letGo();
    };
    const letGo = () => {
      svg.removeEventListener('click', put, true);
      held.delete(svg);
      hold(false);
    };
    element.addEventListener('click', () => {
      if (dragged || !tap) return;
      const mine = held.get(svg) == letGo;
      held.get(svg)?.();
      if (mine) return;
      held.set(svg, letGo);
      svg.addEventListener('click', put, true);
      hold(true);
    });
    element.addEventListener('lostpointercapture', () => (begun = false));
    element.addEventListener('blur', () => (begun = false));
    element.addEventListener('keydown', event => {
      const { key, shiftKey } = event,
        far = shiftKey ? 5 : 1;
      const way = {
        ArrowLeft: [-far, 0],
        ArrowRight: [far, 0],
        ArrowUp: [0, far],
        ArrowDown: [0, -far],
        PageUp: [0, 5],
        PageDown: [0, -5]
      }[key];
      const act = way ? () => step(...way) : { Home: home, End: end }[key];
      if (key == 'Escape' && held.get(svg) == letGo) letGo();
      if (!act) return;
      event.preventDefault();
      hand();
      act();
    });
  }
  // What a handle says of itself: where it is in words, and as a number between two others. Orca
  // says new words only with a new number, so one that stays (the other axis moved) is off by 0.001.
  const announce = (element, words, now, low, high) => {
    const same = element.ariaValueText != words && +element.ariaValueNow == round(now);
    setAttributes(element, {
      'aria-valuetext': words,
      'aria-valuenow': round(now) + (same ? (now < high ? 0.001 : -0.001) : 0),
      'aria-valuemin': round(low),
      'aria-valuemax': round(high)
    });
  };

  // A slider with its name and its value in words. Returns place(value).
  function slider(parent, title, range, show, change) {
    const label = createElement(parent, 'label', {}, title),
      input = createElement(label, 'input', { type: 'range', ...range }),
      // for the eye: a screen reader hears the value from the slider itself
      output = createElement(label, 'output', { 'aria-hidden': true });
    const tell = () => {
      output.textContent = show(+input.value);
      setAttributes(input, {
        'aria-valuetext': show(+input.value),
        style: `--at:${(100 * (input.value - input.min)) / (input.max - input.min)}%`
      });
    };
    input.addEventListener('input', () => {
      tell();
      change(+input.value);
    });
    return value => {
      if (+input.value != value || !output.textContent) {
        input.value = value;
        tell();
      }
    };
  }

  // A row of buttons of which one is down, or some. Returns place(i), or place(truths).
  function choices(parent, title, words, change) {
    const group = createElement(parent, 'div', {
      class: `choices ${words.some(word => word.length > 24) ? 'long' : ''}`,
      role: 'group',
      'aria-label': title
    });
    const buttons = words.map(word => createElement(group, 'button', { type: 'button' }, word));
    buttons.forEach((button, i) => button.addEventListener('click', () => change(i)));
    rove(buttons);
    return down =>
      buttons.forEach((button, k) =>
        setAttributes(button, { 'aria-pressed': down[k] ?? k == down })
      );
  }

  // checkVisibility() is true of a part of a drawing that is not displayed.
  const isSeen = element => element.getClientRects().length > 0;

  // A group is one stop of the Tab key; arrows, Home and End walk in it. The list may grow.
  function rove(list) {
    const seen = () => list.filter(isSeen);
    const stop = one => list.forEach(other => (other.tabIndex = other == one ? 0 : -1));
    const walk = event => {
      const there = seen(),
        k = there.indexOf(event.currentTarget),
        last = there.length - 1;
      const next = {
        ArrowLeft: k - 1,
        ArrowUp: k - 1,
        ArrowRight: k + 1,
        ArrowDown: k + 1,
        Home: 0,
        End: last
      }[event.key];
      if (next == null || k < 0) return;
      event.preventDefault();
      stop(there[clip(next, 0, last)]);
      there[clip(next, 0, last)].focus();
    };
    const join = one => {
      one.tabIndex = list[0] == one ? 0 : -1;
      one.addEventListener('keydown', walk);
    };
    list.forEach(join);
    return {
      join: one => (list.push(one), join(one)),
      // the stop is a part that is seen
      settle() {
        for (let i = list.length; i--;) if (!list[i].isConnected) list.splice(i, 1);
        if (!list.some(one => one.tabIndex == 0 && isSeen(one))) stop(seen()[0]);
      }
    };
  }

  // A table of cells, one stop of the Tab key: arrow keys walk in it. Returns the cells' groups,
  // [row][column]; tell(i, j, numbers): a cell's words.
  function table(svg, title, rows, columns, { x, y, width, height }, hover, tell) {
    const grid = createElement(svg, 'g', { role: 'grid', 'aria-label': title });
    const cells = Array.from({ length: rows }, (_, i) => {
      const row = createElement(grid, 'g', { role: 'row' });
      return Array.from({ length: columns }, (_, j) => {
        const cell = createElement(row, 'g', {
          role: 'gridcell',
          tabindex: i || j ? -1 : 0,
          transform: `translate(${x + j * width} ${y + i * height})`
        });
        createElement(cell, 'rect', { class: 'grip', width, height });
        hover(cell, numbers => tell(i, j, numbers));
        cell.addEventListener('keydown', event => {
          const way = {
            ArrowLeft: [0, -1],
            ArrowRight: [0, 1],
            ArrowUp: [-1, 0],
            ArrowDown: [1, 0],
            Home: [0, -j],
            End: [0, columns]
          }[event.key];
          if (!way) return;
          event.preventDefault();
          const there = cells[i + way[0]]?.filter(one => one.style.display != 'none'),
            next = there?.[Math.min(j + way[1], there.length - 1)];
          if (!next || next.parentNode.style.display == 'none') return;
          cell.tabIndex = -1;
          next.tabIndex = 0;
          next.focus();
        });
        return cell;
      });
    });
    return cells;
  }

  // Moves something for a while: show(t) with t from 0 to 1. Where motion is not wanted it is there
  // at once. Returns stop().
  function animate(milliseconds, show) {
    if (matchMedia('(prefers-reduced-motion:reduce)').matches) return (show(1), () => {});
    let start,
      frame = requestAnimationFrame(function next(now) {
        const t = Math.min(1, (now - (start ??= now)) / milliseconds);
        show(t);
        if (t < 1) frame = requestAnimationFrame(next);
      });
    return () => cancelAnimationFrame(frame);
  }

  // A condition of a challenge: a goal to be reached, or a rule that the hand may have broken and a
  // reset restores.
  const goal = (text, holds) => ({ text, holds, rule: false }),
    rule = (text, holds) => ({ text, holds, rule: true });

  // The challenge below an instrument: its conditions as live ticks, and, once all hold, the lesson
  // of what this reader did. Returns
  // show(conditions), and teach(lesson).
  function challenge(card, reset) {
    const list = createElement(card, 'ul', {
      style:
        'display:flex;flex-wrap:wrap;gap:.15em 1.4em;margin:.2em 0;padding:0;list-style:none;font-variant-numeric:tabular-nums'
    });
    const lesson = createElement(card, 'p', { class: 'course-lesson', style: 'margin:.3em 0 0' });
    const mark = (parent, state) =>
      setText(parent.firstChild ?? createElement(parent, 'span', { role: 'img' }), '✓✗○'[state], {
        'aria-label': ['met', 'broken', 'not yet'][state],
        style: `font-weight:bold;color:color-mix(in srgb,${['#00757F', '#C2410C', '#5F6B76'][state]} 58%,currentColor)`
      });
    const ticks = [];
    return {
      show: conditions =>
        conditions.forEach(({ text, holds, rule }, i) => {
          const line = (ticks[i] ??= createElement(list, 'li'));
          mark(line, holds ? 0 : rule ? 1 : 2);
          setText(line.childNodes[1] ?? createElement(line, 'span'), ` ${text} `);
          if (!rule) return;
          if (!line.lastChild.type)
            createElement(
              line,
              'button',
              {
                type: 'button',
                style: 'font:inherit;color:inherit;background:0;border:1px solid;border-radius:5px'
              },
              '↺ reset'
            ).addEventListener('click', reset);
          line.lastChild.hidden = holds;
        }),
      teach: text => {
        mark(lesson, 0);
        setText(lesson.childNodes[1] ?? createElement(lesson, 'span'), ` ${text}`);
      }
    };
  }

  // The numbers of a handle that moves in a plane: now() and go([x, y]) on two axes with their
  // names and their [low, high].
  const axes = (names, now, go, ranges) =>
    names.map((name, k) => [
      name,
      () => now()[k],
      x => go(now().map((c, m) => (m == k ? x : c))),
      ...ranges[k]
    ]);
  // What can be typed: [its element, name of an axis or '', value(), put(value), low, high] of each
  // slider and of each handle that names its numbers.
  function adjustable(root) {
    const sliders = [...root.querySelectorAll('input[type=range]')].map(input => [
      input,
      '',
      () => +input.value,
      value => {
        input.value = value;
        input.dispatchEvent(new Event('input'));
      },
      +input.min,
      +input.max
    ]);
    const handles = [...root.querySelectorAll('[role=slider]')].flatMap(element =>
      (typed.get(element) ?? []).map(one => [element, ...one])
    );
    return [...sliders, ...handles];
  }
  // One of them as a field. Returns refresh(): its name and its value as they are now.
  function field(panel, [element, axis, value, put, low, high]) {
    const label = createElement(panel, 'label'),
      text = createElement(label, 'span'),
      input = createElement(label, 'input', { type: 'number', min: low, max: high, step: 'any' });
    input.addEventListener('change', () => {
      if (input.value != '') {
        element.dispatchEvent(new CustomEvent('course-hand', { bubbles: true }));
        put(clip(+input.value, low, high));
      }
      input.value = round(value());
    });
    function refresh() {
      const name = element.ariaLabel ?? element.labels?.[0].firstChild.textContent ?? '';
      label.hidden = !isSeen(element);
      if (label.hidden) return; // a handle of another sentence has no value now
      setText(text, axis ? `${name}, ${axis}` : name);
      if (input.getRootNode().activeElement != input) input.value = round(value());
    }
    return refresh;
  }

  // What an instrument shows as a table that can be walked, behind a fold. Returns show(), which
  // writes it anew where the fold is open; ask(): {title, corner, rows, columns, values}. Of many
  // rows some are shown, the first and the last among them.
  const MOST_ROWS = 30;
  function tableFold(root, ask) {
    const fold = createElement(root, 'details', { class: 'data' });
    createElement(fold, 'summary', {}, 'as a table');
    const place = createElement(fold, 'div', {
      role: 'group',
      tabindex: 0,
      'aria-label': 'Data as a table'
    });
    function show() {
      if (!fold.open) return;
      const { title, corner, rows, columns, values } = ask(),
        n = Math.min(rows.length, MOST_ROWS),
        down = [...Array(n).keys()].map(k => Math.round((k * (rows.length - 1)) / (n - 1 || 1)));
      place.replaceChildren();
      const sheet = createElement(place, 'table'),
        few = n < rows.length ? ` (${n} of ${rows.length} rows)` : '';
      createElement(sheet, 'caption', {}, title + few);
      const top = createElement(createElement(sheet, 'thead'), 'tr'),
        body = createElement(sheet, 'tbody');
      for (const name of [corner, ...columns]) createElement(top, 'th', { scope: 'col' }, name);
      for (const i of down) {
        const row = createElement(body, 'tr');
        createElement(row, 'th', { scope: 'row' }, rows[i]);
        for (const value of values[i])
          createElement(row, 'td', {}, typeof value == 'number' ? fixed(value, 2) : value);
      }
    }
    fold.addEventListener('toggle', show);
    return show;
  }

  // An instrument comes alive in the place of its picture and words.
  function instrument(what, it) {
    courseKit.all[what] = it;
    it.met = (numbers, data) => it.conditions(numbers, data).every(one => one.holds);
    globalThis.courseCards?.part(what, (card, { data, state: start, channel: id }) => {
      const old = card.querySelector('.course-words'),
        host = document.createElement('div'),
        state = structuredClone(start);
      setAttributes(host, {
        class: 'course-instrument',
        'data-lm-suppress-shortcuts': true,
        'data-prevent-swipe': true
      });
      old.replaceWith(host);
      const root = host.attachShadow({ mode: 'open' }); // the page's styles stay out, ours stay in
      createElement(root, 'style', {}, STYLE);
      // an arrow key turns no slide and moves no cell
      host.addEventListener('keydown', event => event.stopPropagation());
      const controls = createElement(root, 'div', { class: 'row' }),
        stage = createElement(root, 'div', { class: 'row stage' });
      const foot = createElement(root, 'div', { class: 'foot' });
      if (!it.wordy) createElement(foot, 'p', { class: 'hint' }, it.hint);
      const told = createElement(foot, 'p', { class: 'told', 'aria-hidden': true, hidden: true });
      const words = createElement(it.wordy ? foot : root, 'p', { class: 'words' });
      const ask = (text, act) => {
        const button = createElement(foot, 'button', { type: 'button' }, text);
        button.addEventListener('click', act);
        return button;
      };
      let asked = false,
        touched = false,
        numbers,
        pointed,
        taken,
        channel,
        later,
        lesson = courseCards.recall(`challenge:${what}`).lesson,
        said = [];

      const update = () => {
        touched = true;
        if (!asked) ((asked = true), requestAnimationFrame(show));
      };
      // What an element tells. Focus is watched from above: Chromium makes each part of a drawing
      // that listens for focus a stop of Tab, without a name.
      const tells = new Map(), // an element -> its words
        details = new Map(); // a picture -> its parts that only tell, one stop of Tab
      const point = words => {
        pointed = words;
        tell();
      };
      const leave = words => pointed == words && point(null);
      const hover = (element, words) => {
        tells.set(element, words);
        element.addEventListener('pointerenter', () => point(words));
        element.addEventListener(
          'pointerleave',
          event => event.pointerType == 'touch' || leave(words)
        );
        if (numbers) adopt(element);
      };
      const among = (event, act) => {
        const found = event.composedPath().find(one => tells.has(one));
        if (found) act(tells.get(found));
      };
      root.addEventListener('focusin', event => among(event, point));
      root.addEventListener('focusout', event => among(event, leave));
      // A part of a drawing that only tells: it has no role by which it could be reached.
      const adopt = element => {
        const svg = element.ownerSVGElement;
        if (!svg || element.role || element.tabIndex >= 0 || element.closest('[aria-hidden=true]'))
          return;
        // an image may hold nothing that can be taken
        element.setAttribute('role', element.querySelector('[tabindex]') ? 'group' : 'img');
        if (!details.has(svg)) details.set(svg, rove([]));
        details.get(svg).join(element);
      };
      // Once the hand rests: each part has the name that fits the picture, and those that are gone
      // are forgotten.
      const settle = () => {
        // who cannot see has the picture in words: its labels alone say nothing
        for (const text of root.querySelectorAll('svg text'))
          if (text.closest('[role]') == text.ownerSVGElement) text.ariaHidden = 'true';
        for (const [element, words] of tells)
          if (!element.isConnected) tells.delete(element);
          else if (['img', 'group', 'gridcell'].includes(element.role) && isSeen(element)) {
            // what stands there to be seen is part of the name (WCAG 2.5.3)
            const seen = element.textContent.trim(),
              told = words(numbers);
            element.ariaLabel = told.includes(seen) ? told : `${seen}: ${told}`;
          }
        details.forEach(group => group.settle());
      };
      const take = other => {
        for (const key in state) delete state[key];
        Object.assign(state, structuredClone(other));
      };
      const reset = () => {
          take(start);
          update();
        },
        dare = challenge(card.querySelector('.course-met'), reset),
        fill = tableFold(foot, () => it.table(numbers, data));
      const draw = it.build({ controls, stage, update, hover }, data, state);
      tells.forEach((_, element) => adopt(element));
      if (!it.wordy) {
        // the words are read to who cannot see, and shown to who asks
        const button = ask('in words', () => {
          setAttributes(button, { 'aria-pressed': !words.classList.toggle('heard') });
        });
        words.classList.add('heard');
      }
      // Each value as a number that can be typed: built when it is first asked for.
      const panel = createElement(root, 'div', {
          class: 'row numbers',
          role: 'group',
          'aria-label': 'values as numbers'
        }),
        fields = [];
      const askNumbers = ask('by number', () => {
        panel.hidden = !panel.hidden;
        setAttributes(askNumbers, { 'aria-expanded': !panel.hidden });
        if (!fields.length) for (const one of adjustable(root)) fields.push(field(panel, one));
        fields.forEach(refresh => refresh());
      });
      setAttributes(askNumbers, { 'aria-expanded': false });
      panel.hidden = true;
      askNumbers.hidden = !adjustable(root).length;
      ask('↺ reset', reset);
      root.addEventListener('course-held', ({ detail }) => {
        taken = detail;
        tell();
        if (taken) courseCards.say(`${taken} is taken: tap where it goes.`);
      });
      root.addEventListener('course-hand', () => {
        if ('drags' in state) state.drags++;
      });
      new ResizeObserver(() =>
        stage.querySelectorAll('svg').forEach(svg => {
          svg.style.setProperty(
            '--floor',
            `${(11.5 * svg.viewBox.baseVal.width) / (svg.clientWidth || 1e9)}px`
          );
        })
      ).observe(stage);

      const tell = () => {
        const now = taken ? `${taken}: tap where it goes.` : pointed?.(numbers);
        setText(told, now ?? '');
        told.hidden = !now;
      };
      function show() {
        asked = false;
        numbers = it.compute(state, data);
        draw(numbers);
        tell();
        setText(words, it.describe(numbers, data));
        dare.show(it.conditions(numbers, data));
        const met = touched && it.met(numbers, data),
          teach = () => {
            if (!met) return;
            dare.teach((lesson = it.lesson(numbers, data)));
            courseCards.keep(`challenge:${what}`, { met: true, lesson });
          };
        if (!lesson) teach();
        clearTimeout(later);
        if (!panel.hidden) fields.forEach(refresh => refresh());
        if (!touched) {
          said = sentences();
          settle();
        } else
          later = setTimeout(() => {
            settle();
            fill();
            teach();
            speak();
            send();
          }, 400);
      }
      // What is said once the hand rests, of all that changed since it was last said: the picture
      // in words, the conditions that turned, the lesson, which is said once. Nothing is said that
      // nobody brought about.
      function sentences() {
        const turned = it
          .conditions(numbers, data)
          .map(({ text, holds }) => ({
            key: holds,
            text: `${holds ? 'Reached' : 'Not reached'}: ${text.split(': now ')[0]}.`
          }));
        const [first, last] = [words.textContent, lesson ?? ''];
        return [
          { key: first, text: first },
          ...turned,
          { key: Boolean(last), text: `Challenge met. ${last}` }
        ];
      }
      function speak() {
        const now = sentences(),
          fresh = now.filter(({ key }, i) => key != said[i].key);
        said = now;
        courseCards.say(fresh.map(({ text }) => text).join(' '));
      }
      show();
      if (lesson) dare.teach(lesson);

      // Where a kernel lives it holds the other end of a channel, by which the state goes to Python
      // and may come from there.
      const send = () => {
        if (!channel || !touched) return;
        channel.set('state', structuredClone(state));
        channel.save_changes();
      };
      const come = () => {
        if (JSON.stringify(channel.get('state')) == JSON.stringify(state)) return;
        take(channel.get('state'));
        if (!asked) ((asked = true), requestAnimationFrame(show));
      };
      const join = () => {
        const found = globalThis.courseChannels?.[id];
        if (!host.isConnected && channel) return removeEventListener('course-channel', join);
        if (found == channel) return;
        channel = found;
        channel?.on('change:state', come);
        if (channel) touched ? send() : come();
      };
      addEventListener('course-channel', join);
      join();
    });
  }

  globalThis.courseKit = {
    all: {},
    sum,
    dot,
    norm,
    transpose,
    times,
    softmax,
    entropy,
    fixed,
    general,
    clip,
    round,
    terms,
    textTint,
    BLUE,
    ORANGE,
    VERMILION,
    GREEN,
    PURPLE,
    SKY,
    RED,
    GREY,
    FAINT,
    MEANINGS,
    createElement,
    setAttributes,
    setText,
    see,
    picture,
    arrow,
    name,
    handle,
    announce,
    slider,
    choices,
    rove,
    axes,
    table,
    animate,
    goal,
    rule,
    instrument
  };
})();
