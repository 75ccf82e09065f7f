// Two positions are dragged along the waves, or a clock's hand is turned: how far the hands of
// every clock agree, and what that adds up to.
(() => {
  const {
    sum,
    dot,
    fixed,
    general,
    clip,
    round,
    PURPLE,
    ORANGE,
    SKY,
    GREY,
    createElement,
    setAttributes,
    setText,
    see,
    picture,
    handle,
    announce,
    slider,
    choices,
    goal,
    instrument
  } = courseKit;
  const FIRST = 12,
    SECOND = 21,
    FAR = 9.95,
    NEAR = 0.005,
    SAME = 0.06;

  instrument('SinusoidFrequencies', {
    hint: 'Drag a position (◆, ●), both at once (↔), or turn the first hand of a clock. Point at a clock: it tells its numbers.',

    compute({ i, j, D, base }, { T }) {
      const speeds = Array.from({ length: D / 2 }, (_, m) => base ** ((-2 * m) / D)),
        pairs = p => speeds.map(w => [Math.sin(p * w), Math.cos(p * w)]);
      const R = Array.from({ length: T }, (_, p) => pairs(p).flat()),
        rows = [i, j].map(pairs),
        cosines = rows[0].map((pair, m) => dot(pair, rows[1][m]));
      return {
        i,
        j,
        D,
        base,
        R,
        rows,
        speeds,
        cosines,
        product: sum(cosines),
        products: R.map(row => dot(row, rows[0].flat())),
        began: dot(R[FIRST], R[SECOND])
      };
    },

    describe({ i, j, D, base, speeds, cosines, product }) {
      const [one, two] = [i, j].map(p => general(p, 3)),
        turns = speeds.map(w => (2 * Math.PI) / w),
        parts = cosines
          .map(c => fixed(c, 2))
          .join(' + ')
          .replaceAll('+ -', '- ');
      return (
        `Positions ${one} and ${two}, ${general(Math.abs(i - j), 3)} apart. ${D / 2} clocks, base ${base}: the fastest needs ` +
        `${fixed(turns[0], 1)} positions for a turn, the slowest ${fixed(turns.at(-1), 1)}. Their agreement, clock by clock: ` +
        `${parts} = ${fixed(product, 2)}, of ${D / 2} at most.`
      );
    },

    conditions({ i, j, product, began }) {
      const first = Math.abs(i - FIRST),
        second = Math.abs(j - SECOND);
      return [
        goal(
          `both moved by 10 or more: ${fixed(first, 1)} and ${fixed(second, 1)}`,
          Math.min(first, second) > FAR
        ),
        goal(
          `product ${fixed(began, 2)}, as at ${FIRST} and ${SECOND}: now ${fixed(product, 2)}`,
          Math.abs(product - began) < NEAR
        )
      ];
    },

    lesson({ i, j }) {
      const apart = Math.abs(i - j),
        [one, two, far] = [i, j, apart].map(x => general(x, 3)),
        order = i > j ? ' They changed places, which a cosine does not see.' : '';
      if (Math.abs(apart - (SECOND - FIRST)) < SAME)
        return (
          `Your ${one} and ${two} are ${far} apart, as ${FIRST} and ${SECOND} are.${order} ` +
          'Each clock adds the cosine of offset × speed: only the offset counts.'
        );
      return (
        `Your ${one} and ${two} are ${far} apart, not ${SECOND - FIRST}: other cosines, which happen to have the same sum. ` +
        'Each clock adds the cosine of offset × speed, so any two positions as far apart as yours give it, too: only the offset counts.'
      );
    },

    build({ controls, stage, update, hover }, { T, widths, bases }, state) {
      const most = widths.at(-1) / 2,
        lanes = [...Array(most).keys()],
        places = [...Array(T).keys()],
        TOP = 58,
        TALL = 236,
        U = 7,
        C = 40,
        BRIDGE = 312;
      const X = p => 104 + U * p,
        inside = p => clip(p, 0, T - 1),
        // whole positions draw the hand
        near = p => (Math.abs(p - Math.round(p)) < 0.25 ? Math.round(p) : round(p, 1));
      const pick = choices(
        controls,
        'width D',
        widths.map(D => `${D / 2} clocks`),
        k => {
          state.D = widths[k];
          update();
        }
      );
      const basis = slider(
        controls,
        'base',
        { min: 0, max: bases.length - 1, step: 1 },
        k => `${bases[k]}`,
        k => {
          state.base = bases[k];
          update();
        }
      );
      const go = (which, p) => {
        state[which] = inside(near(p));
        update();
      };
      const both = d => {
        // as far as both can go
        const i = inside(
          near(state.i + clip(d, -Math.min(state.i, state.j), T - 1 - Math.max(state.i, state.j)))
        );
        Object.assign(state, { j: round(inside(state.j + i - state.i), 1), i });
        update();
      };
      let now, height, drawn;
      const centre = m => TOP + height * (m + 0.5),
        radius = () => Math.min(0.44 * height, 34),
        tip = (m, [x, y], r = radius()) => [C + r * x, centre(m) - r * y];

      // Each clock with its wave: a place on the wave is as high as the tip of the hand, and the
      // two positions go through all waves.
      const waves = picture(
        stage,
        560,
        440,
        'a clock turns with the position: its height is a wave'
      );
      const curves = lanes.map(() =>
        createElement(waves, 'path', { stroke: GREY, 'stroke-width': 2, fill: 'none' })
      );
      const ZEROLINE = 378,
        HALF = 34,
        title = createElement(waves, 'text', {
          x: 90,
          y: 366,
          class: 'small end',
          'pointer-events': 'none'
        });
      for (const [y, text] of [
        [348, 'product'],
        [384, 'with each']
      ])
        createElement(
          waves,
          'text',
          { x: 90, y, class: 'small end', 'pointer-events': 'none' },
          text
        );
      const bars = places.map(p => {
        const g = createElement(waves, 'g'),
          bar = createElement(g, 'rect', { x: X(p) - 2.5, width: 5, fill: SKY, class: 'level' });
        createElement(g, 'rect', {
          x: X(p) - U / 2,
          y: ZEROLINE - HALF,
          width: U,
          height: 2 * HALF,
          fill: 'transparent'
        });
        hover(
          g,
          ({ i, products }) =>
            `Position ${general(i, 3)} · position ${p}, ${general(Math.abs(i - p), 3)} apart: ${fixed(products[p], 2)}.`
        );
        return bar;
      });
      createElement(waves, 'path', { d: `M${X(0) - 4} ${ZEROLINE}H${X(T - 1) + 4}`, stroke: GREY });
      const level = createElement(waves, 'path', {
        stroke: ORANGE,
        'stroke-width': 2,
        'stroke-dasharray': '2 4'
      });
      const tens = places
        .filter(p => p % 10 == 0)
        .map(p => ({
          p,
          text: createElement(waves, 'text', { x: X(p), y: 434, class: 'small soft middle' }, p)
        }));
      const clocks = lanes.map(m => {
        const g = createElement(waves, 'g'),
          wedge = createElement(g, 'path', { fill: SKY, 'fill-opacity': 0.45 }),
          face = createElement(g, 'circle', {
            cx: C,
            fill: 'transparent',
            stroke: GREY,
            'stroke-width': 1.5
          });
        const [first, second] = [PURPLE, ORANGE].map((colour, k) => ({
          line: createElement(g, 'path', {
            stroke: colour,
            'stroke-width': 2.5,
            'stroke-dasharray': k ? '5 2' : ''
          }),
          tip: createElement(g, 'g')
        }));
        [second, first].forEach(({ tip }, k) => {
          g.append(tip);
          createElement(tip, 'circle', { r: 4.5, fill: [ORANGE, PURPLE][k] });
        });
        const grip = createElement(first.tip, 'circle', { class: 'grip' });
        hover(
          g,
          ({ i, j, speeds: { [m]: w }, rows, cosines }) =>
            `Clock ${m} turns by ${general(w, 3)} radians a position, once in ${fixed((2 * Math.PI) / w, 1)} positions. ` +
            `Hands at (${rows[0][m].map(x => fixed(x, 2)).join(', ')}) and (${rows[1][m].map(x => fixed(x, 2)).join(', ')}): product ${fixed(cosines[m], 2)}, the cosine of ${general(Math.abs(i - j), 3)} × ${general(w, 3)}.`
        );
        // A hand that is turned takes its position along, and with it all other clocks.
        let p;
        handle(first.tip, waves, {
          label: `first hand of clock ${m}`,
          at: () => {
            p = state.i;
            return tip(m, now.rows[0][m]);
          },
          move: (x, y) => {
            const w = now.speeds[m],
              angle = Math.atan2(x - C, centre(m) - y) - p * w,
              way = angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
            p = inside(p + way / w);
            go('i', p);
          },
          step: dx => go('i', Math.round(state.i) + dx),
          home: () => go('i', 0),
          end: () => go('i', T - 1)
        });
        setAttributes(first.tip, { tabindex: -1 }); // its position is reached by keys already
        return { g, wedge, face, first, second, grip };
      });
      const bridge = createElement(waves, 'g'),
        beam = createElement(bridge, 'path', { stroke: GREY, 'stroke-width': 3 });
      const lines = [
        ['i', 'first position', PURPLE, 42],
        ['j', 'second position', ORANGE, 430]
      ].map(([which, label, colour, y], k) => {
        const g = createElement(waves, 'g');
        createElement(g, 'path', {
          stroke: colour,
          'stroke-width': 2.5,
          d: k ? 'M0 58V418' : 'M0 52V412',
          'stroke-dasharray': k ? '7 3' : ''
        });
        createElement(g, 'path', { d: 'M0 56V412', stroke: 'transparent', 'stroke-width': 12 });
        const dots = lanes.map(() =>
          createElement(g, 'circle', { r: 4.5, fill: colour, stroke: 'var(--page)' })
        );
        createElement(g, 'path', {
          d: k ? 'M-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0' : 'M-11 0L0-11L11 0L0 11Z',
          fill: colour,
          transform: `translate(0 ${y})`
        });
        const text = createElement(g, 'text', { y: y + 5.5, class: 'title halo' });
        createElement(g, 'circle', { class: 'grip', r: 17, cy: y });
        handle(g, waves, {
          label,
          at: () => [X(state[which]), y],
          move: x => go(which, (x - X(0)) / U),
          step: (dx, dy) => go(which, Math.round(state[which]) + dx + dy),
          numbers: [['', () => state[which], p => go(which, p), 0, T - 1]],
          home: () => go(which, 0),
          end: () => go(which, T - 1)
        });
        return { g, dots, text, which };
      });
      createElement(bridge, 'rect', {
        x: -17,
        y: BRIDGE - 11,
        width: 34,
        height: 22,
        rx: 11,
        fill: 'var(--page)',
        stroke: PURPLE,
        'stroke-width': 1.5
      });
      createElement(bridge, 'path', {
        d: `M-8 ${BRIDGE}H8M-4 ${BRIDGE - 4}L-9 ${BRIDGE}L-4 ${BRIDGE + 4}M4 ${BRIDGE - 4}L9 ${BRIDGE}L4 ${BRIDGE + 4}`,
        stroke: PURPLE,
        'stroke-width': 2,
        fill: 'none'
      });
      const apart = createElement(bridge, 'text', {
        y: BRIDGE + 28,
        class: 'title middle halo',
        'pointer-events': 'none'
      });
      createElement(bridge, 'rect', {
        class: 'grip',
        x: -20,
        y: BRIDGE - 14,
        width: 40,
        height: 28,
        rx: 14
      });
      waves.append(bridge);
      handle(bridge, waves, {
        label: 'both positions',
        at: () => [X(state.i), BRIDGE],
        move: x => both((x - X(state.i)) / U),
        step: (dx, dy) => both(dx + dy),
        home: () => both(-T),
        end: () => both(T)
      });

      // What each clock adds: the cosine of the angle between its hands.
      const sheet = picture(stage, 300, 440, 'how far the two hands agree'),
        ZERO = 150,
        WIDE = 92;
      createElement(
        sheet,
        'text',
        { x: ZERO, y: 46, class: 'small soft middle' },
        'cosine of the angle between'
      );
      const agree = lanes.map(() => {
        const g = createElement(sheet, 'g');
        return {
          g,
          axis: createElement(g, 'path', { stroke: GREY }),
          bar: createElement(g, 'rect', { rx: 2, fill: SKY }),
          value: createElement(g, 'text', { x: 298, class: 'end' })
        };
      });
      createElement(sheet, 'path', { d: 'M4 306H298', stroke: GREY });
      createElement(sheet, 'text', { x: 4, y: 334, class: 'title' }, 'the sum: Rᵢ · Rⱼ');
      const result = createElement(sheet, 'text', { x: 298, y: 334, class: 'title end' }),
        gauge = createElement(sheet, 'rect', { y: 346, height: 16, rx: 3, fill: SKY });
      createElement(sheet, 'path', { d: `M${ZERO} 342V368`, stroke: GREY });
      const before = createElement(sheet, 'path', { stroke: 'currentColor', 'stroke-width': 2.5 }),
        was = createElement(sheet, 'text', { y: 390, class: 'small middle' });
      const far = createElement(sheet, 'text', { x: 4, y: 424, class: 'small soft' });

      const trace = ({ D, base, R, speeds }) => {
        // through 64 numbers, with the slopes that a cosine has there
        if (drawn == `${D} ${base}`) return;
        drawn = `${D} ${base}`;
        curves.forEach((curve, m) => {
          curve.style.display = m < D / 2 ? '' : 'none';
          if (m >= D / 2) return;
          const y = x => round(centre(m) - radius() * x),
            v = p => R[p][2 * m + 1],
            s = p => -speeds[m] * R[p][2 * m];
          setAttributes(curve, {
            d:
              `M${X(0)} ${y(v(0))}` +
              places
                .slice(1)
                .map(
                  p =>
                    `C${X(p - 1) + U / 3} ${y(v(p - 1) + s(p - 1) / 3)} ${X(p) - U / 3} ${y(v(p) - s(p) / 3)} ${X(p)} ${y(v(p))}`
                )
                .join('')
          });
        });
      };

      return numbers => {
        now = numbers;
        const { i, j, D, base, rows, cosines, product, products, began } = numbers,
          n = D / 2;
        height = TALL / n;
        pick(widths.indexOf(D));
        basis(
          bases.reduce(
            (best, b, k) =>
              Math.abs(Math.log(b / base)) < Math.abs(Math.log(bases[best] / base)) ? k : best,
            0
          )
        );
        trace(numbers);
        lines.forEach(({ g, dots, text, which }, k) => {
          const p = numbers[which],
            left = p > 56;
          setAttributes(g, { transform: `translate(${X(p)})` });
          dots.forEach((dot, m) => {
            dot.style.display = m < n ? '' : 'none';
            if (m < n) setAttributes(dot, { cy: centre(m) - radius() * rows[k][m][1] });
          });
          setText(text, general(p, 3), {
            x: left ? -16 : 16,
            'text-anchor': left ? 'end' : 'start'
          });
          announce(g, `position ${general(p, 3)}`, p, 0, T - 1);
        });
        for (const { p, text } of tens)
          text.style.display =
            Math.abs(p - j) < 3 || (p > j && p < j + 7 && j <= 56) || (p < j && p > j - 7 && j > 56)
              ? 'none'
              : '';
        const middle = (X(i) + X(j)) / 2;
        setAttributes(bridge, { transform: `translate(${middle})` });
        setAttributes(beam, { d: `M${X(i) - middle} ${BRIDGE}H${X(j) - middle}` });
        setText(apart, `${general(Math.abs(i - j), 3)} apart`);
        announce(bridge, `positions ${general(i, 3)} and ${general(j, 3)}`, i, 0, T - 1);
        const unit = HALF / n;
        bars.forEach((bar, p) =>
          setAttributes(bar, {
            y: ZEROLINE - unit * Math.max(0, products[p]),
            height: unit * Math.abs(products[p])
          })
        );
        setAttributes(level, { d: `M${X(0) - 4} ${ZEROLINE - unit * product}H${X(T - 1) + 4}` });
        setText(title, `of ${general(i, 3)}`);
        clocks.forEach(({ g, wedge, face, first, second, grip }, m) => {
          see(g, m < n);
          see(agree[m].g, m < n);
          if (m >= n) return;
          const y = centre(m),
            r = radius(),
            [a, b] = rows.map(row => tip(m, row[m]));
          setAttributes(face, { cy: y, r });
          // which way round the two hands are nearer
          const side = rows[0][m][0] * rows[1][m][1] - rows[0][m][1] * rows[1][m][0];
          setAttributes(wedge, { d: `M${C} ${y}L${a}A${r} ${r} 0 0 ${side > 0 ? 0 : 1} ${b}Z` });
          for (const [{ line, tip: end }, at] of [
            [second, b],
            [first, a]
          ])
            (setAttributes(line, { d: `M${C} ${y}L${at}` }),
              setAttributes(end, { transform: `translate(${at})` }));
          setAttributes(grip, { r: Math.min(13, 0.28 * height) });
          announce(first.tip, `position ${general(i, 3)}`, i, 0, T - 1);
          const { axis, bar, value } = agree[m],
            length = WIDE * cosines[m];
          setAttributes(axis, { d: `M${ZERO} ${y - 0.36 * height}V${y + 0.36 * height}` });
          setAttributes(bar, {
            x: ZERO + Math.min(0, length),
            width: Math.abs(length),
            y: y - Math.min(11, 0.3 * height),
            height: Math.min(22, 0.6 * height)
          });
          setText(value, fixed(cosines[m], 2), { y: y + 5.5 });
        });
        const long = (WIDE * product) / n,
          mark = ZERO + (WIDE * began) / n;
        setText(result, `${fixed(product, 2)} of ${n}`);
        setAttributes(gauge, { x: ZERO + Math.min(0, long), width: Math.abs(long) });
        setAttributes(before, { d: `M${mark} 342V366` });
        setText(was, `at ${FIRST} and ${SECOND}: ${fixed(began, 2)}`, { x: clip(mark, 75, 225) });
        setText(far, `each clock: cosine of ${general(Math.abs(i - j), 3)} × its speed`);
      };
    },

    table({ i, j, rows: [one, other], cosines }) {
      return {
        title: `Positions ${i} and ${j}, clock by clock`,
        corner: 'clock',
        rows: cosines.map((_, c) => c),
        columns: [`sine at ${i}`, `cosine at ${i}`, `sine at ${j}`, `cosine at ${j}`, 'product'],
        values: cosines.map((product, c) => [...one[c], ...other[c], product])
      };
    }
  });
})();
