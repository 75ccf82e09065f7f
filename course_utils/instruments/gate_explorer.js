// Experts' lines are dragged by two places each, the gates by their borders: who speaks where, and
// what the blend is worth.
(() => {
  const {
    axes,
    sum,
    softmax,
    fixed,
    clip,
    round,
    textTint,
    PURPLE,
    ORANGE,
    SKY,
    GREY,
    FAINT,
    createElement,
    setAttributes,
    setText,
    picture,
    handle,
    announce,
    slider,
    choices,
    table,
    goal,
    instrument
  } = courseKit;
  const N = 120,
    STEEP = 12,
    four = [0, 1, 2, 3],
    mean = x => sum(x) / x.length;
  const listed = experts => four.filter(e => experts[e]).join(', ');
  const COLOURS = [SKY, ORANGE, textTint('#CC79A7'), GREY],
    DASHES = ['', '14 4', '3 3', '10 3 2 3'];

  instrument('GateExplorer', {
    hint: 'Drag a line by one of its two numbers, or a border between two gates (◆). Point at a place in the gates to read the blend there, term by term.',

    compute({ lines, borders, temperature, k }) {
      const x = [...Array(N).keys()].map(i => (i + 3 / 7) / 30),
        y = x.map(a => 1 - 2 * Math.abs((a % 2) - 1));
      const offsets = four.map(e => sum(borders.slice(0, e).map(b => 2 - b)));
      const said = x.map(a =>
        lines.map(([[x1, y1], [x2, y2]]) => y1 + ((y2 - y1) / (x2 - x1)) * (a - x1))
      );
      const logits = x.map(a => four.map(e => (STEEP * (offsets[e] + e * (a - 2))) / temperature)),
        soft = logits.map(softmax);
      const gates = logits.map(row => {
        const kept = [...four].sort((a, b) => row[b] - row[a]).slice(0, k);
        return softmax(row.map((s, e) => (kept.includes(e) ? s : -Infinity)));
      });
      const blend = gates.map((row, i) => sum(row.map((g, e) => g * said[i][e]))),
        each = f =>
          four.map(e =>
            f(
              x.map((_, i) => i),
              e
            )
          );
      return {
        lines,
        borders,
        temperature,
        k,
        x,
        y,
        soft,
        gates,
        said,
        blend,
        load: each((all, e) => mean(all.map(i => gates[i][e]))),
        asked: each((all, e) => mean(all.map(i => +(gates[i][e] > 0)))),
        alone: each((all, e) => mean(all.map(i => (said[i][e] - y[i]) ** 2))),
        astray: each((all, e) => Math.min(...all.map(i => Math.abs(said[i][e] - y[i]))) > 1.001),
        error: mean(blend.map((b, i) => (b - y[i]) ** 2)),
        pieces: four.map(p =>
          mean(
            blend.slice((p * N) / 4, ((p + 1) * N) / 4).map((b, i) => (b - y[(p * N) / 4 + i]) ** 2)
          )
        )
      };
    },

    describe({ temperature, k, load, asked, alone, error, astray }) {
      const [loads, shares, errors] = [load, asked, alone].map(x =>
          x.map(a => fixed(a, 2)).join(', ')
        ),
        lost = listed(astray);
      return (
        `Temperature ${fixed(temperature, 2)}. Each input uses k = ${k} of the four experts. Their loads are ${loads}; the shares of inputs that choose them are ${shares}. ` +
        `The blend has the squared error ${fixed(error, 3)}, each expert alone ${errors}.${lost ? ` Far off: ${lost}.` : ''}`
      );
    },

    conditions({ astray, error }) {
      return [
        goal(
          `a line more than 1 from the zigzag everywhere: ${listed(astray) || 'none yet'}`,
          astray.includes(true)
        ),
        goal(`squared error below 0.25: now ${fixed(error, 3)}`, error < 0.2499)
      ];
    },

    lesson({ astray, load, pieces, error }) {
      const carries = sum(load.filter((_, e) => astray[e])),
        most = Math.max(...pieces),
        worst = pieces.findIndex(x => x > most - 1e-9);
      const why =
        carries < 0.06
          ? 'A wrong expert does little harm where its gate is nearly 0'
          : 'In a blend the other experts correct it';
      return (
        `Far off: ${listed(astray)}, with the load ${fixed(carries, 2)}. ${why}. The blend is worst in piece ${worst} of the zigzag, ` +
        `with a squared error of ${fixed(pieces[worst], 2)}. In all pieces together it is ${fixed(error, 2)}.`
      );
    },

    build({ controls, stage, update, hover }, { lines: first, borders: even }, state) {
      const heat = slider(
        controls,
        'temperature',
        { min: -2, max: 6, step: 0.05 },
        x => fixed(2 ** x, 2),
        x => {
          state.temperature = round(2 ** x, 4);
          update();
        }
      );
      const keep = choices(
        controls,
        'how many experts are kept',
        four.map(e => `k = ${e + 1}`),
        e => {
          state.k = e + 1;
          update();
        }
      );

      const L = 12,
        W = 132,
        zero = 152,
        U = 52,
        top = 296,
        tall = 72,
        px = a => L + W * a,
        py = v => zero - U * v,
        way = (xs, f) => xs.map((a, i) => `${px(a).toFixed(1)} ${f(i).toFixed(1)}`).join('L');
      const plane = picture(stage, 556, 400, 'the zigzag (thick), the experts, the blend (thin)'),
        defs = createElement(plane, 'defs');
      createElement(createElement(defs, 'clipPath', { id: 'window' }), 'rect', {
        x: L,
        y: 26,
        width: 4 * W,
        height: 252
      });
      const fades = four.map(e => {
        const fade = createElement(defs, 'linearGradient', {
          id: `fade${e}`,
          gradientUnits: 'userSpaceOnUse',
          x1: L,
          x2: L + 4 * W,
          y1: 0,
          y2: 0
        });
        return [...Array(N / 2).keys()].map(i => {
          const stop = createElement(fade, 'stop', { offset: (2 * i + 3 / 7) / N });
          stop.style.stopColor = COLOURS[e];
          return stop;
        });
      });
      const inside = createElement(plane, 'g', { 'clip-path': 'url(#window)' });
      const zigzag = createElement(inside, 'path', {
          stroke: 'color-mix(in srgb,currentColor 12%,transparent)', // paler than the grey expert
          'stroke-width': 14,
          'stroke-linejoin': 'round',
          fill: 'none'
        }),
        gap = createElement(inside, 'path', { fill: 'currentColor', opacity: 0.18 });
      const rays = four.map(e => [
        createElement(inside, 'path', {
          stroke: COLOURS[e],
          'stroke-opacity': 0.4,
          'stroke-width': 1.2,
          fill: 'none'
        }),
        createElement(inside, 'path', {
          stroke: `url(#fade${e})`,
          'stroke-width': 6,
          'stroke-dasharray': DASHES[e],
          fill: 'none'
        })
      ]);
      const blend = createElement(inside, 'path', {
        stroke: 'currentColor',
        'stroke-width': 2.5,
        'stroke-linejoin': 'round',
        fill: 'none'
      });

      // The gates, one above the other: together they are 1 everywhere.
      const areas = four.map(e =>
          createElement(plane, 'path', {
            fill: COLOURS[e],
            'fill-opacity': 0.6,
            stroke: 'var(--page)',
            'stroke-width': 1.5
          })
        ),
        names = four.map(e =>
          createElement(
            plane,
            'text',
            { class: 'title middle halo', y: top + tall / 2 + 6 },
            `${e}`
          )
        );
      createElement(plane, 'rect', {
        x: L,
        y: top,
        width: 4 * W,
        height: tall,
        fill: 'none',
        stroke: FAINT
      });
      const at = c => 6 * c + 3;
      table(
        plane,
        'gates along the input',
        1,
        N / 6,
        { x: L, y: top, width: W / 5, height: tall },
        hover,
        (_, c, { x, y, gates, said, blend }) => {
          const i = at(c),
            asked = four.filter(e => gates[i][e] > 0.005);
          return `At ${fixed(x[i], 2)}: ${asked.map(e => `${fixed(gates[i][e], 2)} of expert ${e}, which says ${fixed(said[i][e], 2)}`).join('; ')}. Blend ${fixed(blend[i], 2)}, wanted ${fixed(y[i], 2)}.`;
        }
      );

      const borders = even.map((place, b) => {
        const g = createElement(plane, 'g'),
          line = createElement(g, 'path', {
            stroke: PURPLE,
            'stroke-width': 1.5,
            'stroke-dasharray': '3 4',
            'stroke-opacity': 0.7
          }),
          knob = createElement(g, 'path', { d: 'M-9 0L0-9L9 0L0 9Z', fill: PURPLE }),
          grip = createElement(g, 'circle', { class: 'grip', r: 15 });
        const go = a => {
          state.borders[b] = round(
            clip(a, b ? state.borders[b - 1] : 0, b < 2 ? state.borders[b + 1] : 4)
          );
          update();
        };
        line.style.pointerEvents = 'none';
        handle(g, plane, {
          label: `border between the gates ${b} and ${b + 1}`,
          at: () => [px(state.borders[b]), 0],
          move: u => go((u - L) / W),
          step: (dx, dy) => go(state.borders[b] + 0.05 * (dx + dy)),
          numbers: [['', () => state.borders[b], go, 0, 4]],
          home: () => go(place),
          end: () => go(4)
        });
        return a => {
          setAttributes(line, { d: `M${px(a)} 26V${top + tall}` });
          for (const part of [knob, grip])
            setAttributes(part, { transform: `translate(${px(a)} ${top + tall + 14})` });
          announce(g, fixed(a, 2), a, 0, 4);
        };
      });
      const ends = four.map(e =>
        [0, 1].map(side => {
          const g = createElement(plane, 'g');
          createElement(g, 'circle', { r: 11, fill: PURPLE });
          const text = createElement(g, 'text', { class: 'title middle', y: 5.5 }, `${e}`);
          createElement(g, 'circle', { class: 'grip', r: 16 });
          text.style.fill = 'var(--page)';
          const go = (a, v) => {
            const other = state.lines[e][1 - side][0];
            state.lines[e][side] = [
              round(side ? clip(a, other + 0.3, 4) : clip(a, 0, other - 0.3)),
              round(clip(v, -2.3, 2.3))
            ];
            update();
          };
          const now = () => state.lines[e][side];
          handle(g, plane, {
            label: `${side ? 'right' : 'left'} end of expert ${e}`,
            at: () => [px(now()[0]), py(now()[1])],
            move: (u, v) => go((u - L) / W, (zero - v) / U),
            step: (dx, dy) => go(now()[0] + 0.05 * dx, now()[1] + 0.1 * dy),
            numbers: axes(['input', 'says'], now, v => go(...v), [
              [0, 4],
              [-2.3, 2.3]
            ]),
            home: () => go(...first[e][side]),
            end: () => go(now()[0], 2.3)
          });
          return ([a, v]) => {
            setAttributes(g, { transform: `translate(${px(a)} ${py(v)})` });
            announce(g, `input ${fixed(a, 2)}, says ${fixed(v, 2)}`, v, -2.3, 2.3);
          };
        })
      );

      const H = 170,
        base = 214,
        sheet = picture(stage, 304, 400, 'load (bar), chosen (◆)'),
        row = (y, text) =>
          createElement(sheet, 'text', { x: 58, y, class: 'small soft end' }, text);
      createElement(sheet, 'path', { d: `M66 ${base + 0.5}H302`, stroke: GREY });
      createElement(sheet, 'path', {
        d: `M66 ${base - H}H302`,
        stroke: FAINT,
        'stroke-dasharray': '3 4'
      });
      row(base - H + 5, 'all');
      row(base + 5, '0');
      [
        [240, 'expert'],
        [268, 'load'],
        [290, 'chosen'],
        [318, 'alone']
      ].forEach(([y, text]) => row(y, text));
      const columns = four.map(e => {
        const x = 98 + 58 * e,
          middle = (y, css = '') => createElement(sheet, 'text', { x, y, class: `middle ${css}` });
        const g = createElement(sheet, 'g');
        createElement(g, 'rect', { x: x - 27, y: 30, width: 54, height: 300, fill: 'transparent' });
        hover(
          g,
          ({ load, asked, alone, astray }) =>
            `Expert ${e} has the load ${fixed(load[e], 2)}, its mean gate, and is chosen by ${fixed(asked[e], 2)} of the inputs. Alone, its squared error would be ${fixed(alone[e], 2)}${astray[e] ? ': it is far off' : ''}.`
        );
        return {
          bar: createElement(g, 'rect', {
            x: x - 19,
            width: 38,
            rx: 3,
            fill: COLOURS[e],
            class: 'level'
          }),
          mark: createElement(g, 'path', {
            d: 'M-8 0L0-8L8 0L0 8Z',
            fill: 'var(--page)',
            stroke: 'currentColor',
            'stroke-width': 2
          }),
          x,
          name: middle(240, 'title'),
          load: middle(268, 'small'),
          asked: middle(290, 'small'),
          alone: middle(318, 'small')
        };
      });
      createElement(sheet, 'text', { x: 12, y: 356, class: 'title' }, 'blend’s squared error');
      const error = createElement(sheet, 'text', { x: 302, y: 356, class: 'title end' });
      createElement(sheet, 'rect', {
        x: 12,
        y: 366,
        width: 290,
        height: 16,
        rx: 4,
        fill: 'none',
        stroke: FAINT
      });
      const gauge = createElement(sheet, 'rect', {
        x: 12,
        y: 366,
        height: 16,
        rx: 4,
        fill: 'currentColor',
        'fill-opacity': 0.5
      });

      return ({
        lines,
        borders: places,
        temperature,
        k,
        x,
        y,
        gates,
        said,
        blend: mixed,
        load,
        asked,
        alone,
        astray,
        error: wrong
      }) => {
        heat(round(Math.log2(temperature)));
        keep(k - 1);
        const there = way(x, i => py(y[i]));
        setAttributes(zigzag, {
          d: `M${px(0)} ${py(-1)}L${px(1)} ${py(1)}L${px(2)} ${py(-1)}L${px(3)} ${py(1)}L${px(4)} ${py(-1)}`
        });
        setAttributes(gap, { d: `M${there}L${way([...x].reverse(), i => py(mixed[N - 1 - i]))}Z` });
        setAttributes(blend, { d: `M${way(x, i => py(mixed[i]))}` });
        rays.forEach((pair, e) =>
          pair.forEach(ray =>
            setAttributes(ray, {
              d: `M${px(x[0])} ${py(said[0][e])}L${px(x[N - 1])} ${py(said[N - 1][e])}`
            })
          )
        );
        fades.forEach((stops, e) =>
          stops.forEach((stop, i) => {
            stop.style.stopOpacity = gates[2 * i][e].toFixed(3);
          })
        );
        const below = x.map(() => 0);
        areas.forEach((area, e) => {
          const low = [...below];
          gates.forEach((row, i) => (below[i] += row[e]));
          setAttributes(area, {
            d: `M${way(x, i => top + tall * (1 - below[i]))}L${way([...x].reverse(), i => top + tall * (1 - low[N - 1 - i]))}Z`
          });
          const middle = sum(gates.map((row, i) => row[e] * x[i])) / N / load[e];
          names[e].style.display = load[e] > 0.06 ? '' : 'none';
          setAttributes(names[e], { x: px(middle || 0) });
        });
        borders.forEach((place, b) => place(places[b]));
        ends.forEach((pair, e) => pair.forEach((place, side) => place(lines[e][side])));
        columns.forEach(({ bar, mark, x, name, load: l, asked: a, alone: o }, e) => {
          setAttributes(bar, { y: base - H * load[e], height: H * load[e] });
          setAttributes(mark, { transform: `translate(${x} ${base - H * asked[e]})` });
          setText(name, astray[e] ? `${e} ✗` : `${e}`);
          setText(l, fixed(load[e], 2));
          setText(a, fixed(asked[e], 2));
          setText(o, fixed(alone[e], 2));
        });
        setText(error, fixed(wrong, 3));
        setAttributes(gauge, { width: 290 * clip(wrong, 0, 1) });
      };
    },

    table({ x, y, blend, gates }) {
      return {
        title: 'Gates and their blend',
        corner: 'input',
        rows: x.map(at => fixed(at, 2)),
        columns: ['wanted', 'blend', ...gates[0].map((_, e) => `gate of expert ${e}`)],
        values: x.map((_, i) => [y[i], blend[i], ...gates[i]])
      };
    }
  });
})();
