// The bars of one token are dragged, its ruler is moved, its batch comes and goes: what batch norm,
// layer norm and RMS norm give.
(() => {
  const {
    sum,
    transpose,
    fixed,
    clip,
    round,
    textTint,
    MEANINGS,
    PURPLE,
    SKY,
    GREY,
    FAINT,
    createElement,
    setAttributes,
    setText,
    picture,
    handle,
    announce,
    choices,
    table,
    goal,
    rule,
    instrument
  } = courseKit;
  const mean = x => sum(x) / x.length,
    size = x => Math.sqrt(mean(x.map(a => a * a))),
    spread = x => size(x.map(a => a - mean(x)));
  const EPS = 1e-5,
    divisor = s => Math.sqrt(s * s + EPS);
  const threeNorms = (x, rows) => {
    const columns = transpose([x, ...rows]);
    return [
      x.map((a, j) => (a - mean(columns[j])) / divisor(spread(columns[j]))),
      x.map(a => (a - mean(x)) / divisor(spread(x))),
      x.map(a => a / divisor(size(x)))
    ];
  };

  instrument('NormExplorer', {
    hint: "Drag a bar, or the ruler's 0 and 1. Press a word: it leaves the batch or comes back. Point at a norm: what it reads lights up.",

    compute({ x, shift, stretch, batch }, { rows: all, x: given }) {
      const y = x.map(a => stretch * a + shift),
        here = all.filter((_, i) => batch[i]),
        columns = transpose([y, ...here]);
      const normed = threeNorms(y, here),
        before = threeNorms(x, all);
      return {
        x: y,
        shift,
        stretch,
        batch,
        mean: mean(y),
        spread: spread(y),
        size: size(y),
        means: columns.map(mean),
        spreads: columns.map(spread),
        normed,
        before,
        moved: normed.map((a, n) => Math.max(...a.map((b, j) => Math.abs(b - before[n][j])))),
        as_written: x.every((a, j) => a == given[j]) && shift == 0 && stretch == 1
      };
    },

    describe({ shift, stretch, batch, normed, moved }) {
      const sport = ['batch norm', 'layer norm', 'RMS norm']
          .map((name, n) => `${fixed(normed[n][2], 2)} by ${name}`)
          .join(', '),
        [batch_norm, layer_norm, rms_norm] = moved.map(x => fixed(x, 2));
      return (
        `"won", stretched by ${fixed(stretch, 2)} and shifted by ${fixed(shift, 2)}, in a batch of ${1 + sum(batch.map(Number))}. ` +
        `Its sport becomes ${sport}. Compared with no stretch, no shift and a batch of all 7 words, its normed features have moved by at most ${batch_norm} in batch norm, ${layer_norm} in layer norm and ${rms_norm} in RMS norm.`
      );
    },

    conditions({ as_written, normed: [[, , sport]] }) {
      return [
        rule('bars and ruler as they opened', as_written),
        goal(`sport of won by batch norm below 0: now ${fixed(sport, 2)}`, sport < -0.0001)
      ];
    },

    lesson({ x, batch: here, means, normed }, { others }) {
      const company = others.filter((_, i) => here[i]).join(', '),
        [batch, layer, rms] = normed.map(y => fixed(y[2], 2));
      return (
        `Beside ${company} the mean sport is ${fixed(means[2], 2)}, and won has ${fixed(x[2], 2)}: batch norm calls that ${batch}. ` +
        `It judges a token by its company. Layer norm says ${layer} and RMS norm ${rms} whoever is there: they read its own row alone.`
      );
    },

    build(
      { controls, stage, update, hover },
      { token, features, others, rows, norms, x: given },
      state
    ) {
      const marks = features.map(feature => MEANINGS[feature] ?? [textTint('#777'), '◇']),
        all = [...features.keys()];
      const toggle = i => {
        state.batch[i] = !state.batch[i];
        update();
      };
      createElement(controls, 'span', {}, 'batch:');
      const there = choices(controls, 'who is in the batch', others, toggle);

      // The token as four bars, and below each bar its column of the batch. A ruler whose 0 and 1
      // are dragged shifts and stretches the bars;
      // all stays between two ends, whatever is moved.
      const U = 25,
        zero = 136,
        low = -2,
        high = 4,
        W = 66,
        L = 66,
        RULER = 352,
        left = j => L + W * j,
        up = v => zero - U * v;
      const hand = picture(stage, 390, 420, `“${token}”, and its batch below`),
        TOP = 234,
        H = 24;
      const lights = all.map(j =>
        createElement(hand, 'rect', {
          x: left(j) + 1,
          y: 26,
          width: W - 2,
          height: 390,
          rx: 5,
          fill: SKY,
          opacity: 0
        })
      );
      const row = createElement(hand, 'rect', {
        x: 2,
        y: 26,
        width: left(4) - 2,
        height: 202,
        rx: 5,
        fill: SKY,
        opacity: 0
      });
      createElement(hand, 'text', { x: L - 10, y: zero + 5, class: 'title end' }, token);
      createElement(hand, 'path', { d: `M${L} ${zero}H${left(4)}`, stroke: GREY });
      const bars = all.map(j => {
        const g = createElement(hand, 'g'),
          bar = createElement(g, 'rect', { x: left(j) + 12, width: W - 24, rx: 3, fill: PURPLE }),
          value = createElement(g, 'text', { x: left(j) + W / 2, class: 'middle halo' });
        const grip = createElement(g, 'rect', {
            class: 'grip',
            x: left(j) + 6,
            width: W - 12,
            rx: 5
          }),
          now = () => state.stretch * state.x[j] + state.shift;
        const go = y => {
          state.x[j] = round(clip((clip(y, low, high) - state.shift) / state.stretch, -3, 4));
          update();
        };
        handle(g, hand, {
          label: `${features[j]} of ${token}`,
          at: () => [0, up(now())],
          move: (_, y) => go((zero - y) / U),
          step: (dx, dy) => go(now() + 0.1 * (dx + dy)),
          numbers: [['', now, go, low, high]],
          home: () => {
            state.x[j] = given[j];
            fit();
            update();
          },
          end: () => go(high)
        });
        createElement(
          hand,
          'text',
          { x: left(j) + W / 2, y: 225, class: 'small middle' },
          features[j]
        ).style.fill = marks[j][0];
        createElement(
          hand,
          'text',
          { x: left(j) + W / 2, y: 209, class: 'small middle', 'aria-hidden': true },
          marks[j][1]
        ).style.fill = marks[j][0];
        return { g, bar, value, grip };
      });
      const room = stretch => [
        low - stretch * Math.min(0, ...state.x),
        high - stretch * Math.max(1, ...state.x)
      ];
      const fit = () => {
        const [x, y] = [Math.min(0, ...state.x), Math.max(1, ...state.x)];
        state.stretch = round(clip(state.stretch, 0.3, (high - low) / (y - x)));
        state.shift = round(clip(state.shift, ...room(state.stretch)));
      };
      const scale = createElement(hand, 'path', {
        stroke: 'currentColor',
        'stroke-width': 1.5,
        fill: 'none'
      });
      const signs = [-1, 0, 1, 2, 3].map(k =>
        createElement(
          hand,
          'text',
          { x: RULER + 20, class: k == 0 || k == 1 ? 'title' : 'small soft' },
          `${k}`.replace('-', '−')
        )
      );
      const shiftBy = shift => {
        state.shift = round(clip(shift, ...room(state.stretch)));
        update();
      };
      const stretchTo = stretch => {
        const [x, y] = [Math.min(0, ...state.x), Math.max(1, ...state.x)],
          most = Math.min((high - state.shift) / y, x < 0 ? (low - state.shift) / x : 9);
        state.stretch = round(clip(stretch, 0.3, Math.max(0.3, Math.floor(100 * most) / 100)));
        update();
      };
      const knobs = [
        [
          '0 of the ruler: shift',
          RULER - 7,
          () => state.shift,
          shiftBy,
          () => shiftBy(0),
          () => shiftBy(high)
        ],
        [
          '1 of the ruler: stretch',
          RULER + 7,
          () => state.shift + state.stretch,
          y => stretchTo(y - state.shift),
          () => stretchTo(1),
          () => stretchTo(9)
        ]
      ].map(([label, x, now, go, home, end]) => {
        const g = createElement(hand, 'g'),
          grip = createElement(g, 'circle', { class: 'grip', cx: x, r: 13 }),
          knob = createElement(g, 'path', {
            d: x < RULER ? 'M7 0L-7 -8V8Z' : 'M-7 0L7 -8V8Z',
            fill: PURPLE
          });
        handle(g, hand, {
          label,
          at: () => [x, up(now())],
          move: (_, y) => go((zero - y) / U),
          step: (dx, dy) => go(now() + 0.1 * (dx + dy)),
          numbers: [['', now, go, low, high]],
          home,
          end
        });
        return y => {
          setAttributes(grip, { cy: y });
          setAttributes(knob, { transform: `translate(${x} ${y})` });
          return g;
        };
      });
      const names = others.map((word, i) =>
        createElement(hand, 'text', { x: L - 10, y: TOP + H * i + 17, class: 'end' }, word)
      );
      const cells = table(
        hand,
        'the batch',
        others.length,
        4,
        { x: L, y: TOP, width: W, height: H },
        hover,
        (i, j, { batch, means, spreads }) =>
          `${others[i]}, ${features[j]}: ${batch[i] ? fixed(rows[i][j], 2) : 'not in the batch'}. The column's mean is ${fixed(means[j], 2)}, its deviation ${fixed(spreads[j], 2)}.`
      );
      const texts = cells.map((line, i) =>
        line.map(cell => {
          cell.addEventListener('click', () => toggle(i));
          cell.style.cursor = 'pointer';
          return createElement(cell, 'text', {
            x: W / 2,
            y: 17,
            class: 'middle',
            'pointer-events': 'none'
          });
        })
      );
      createElement(hand, 'path', { d: `M4 ${TOP + 6 * H + 3}H${left(4)}`, stroke: FAINT });
      createElement(hand, 'text', { x: L - 10, y: TOP + 6 * H + 24, class: 'end soft' }, 'mean');
      const totals = all.map(j =>
        createElement(hand, 'text', { x: left(j) + W / 2, y: TOP + 6 * H + 24, class: 'middle' })
      );

      // Three norms of the token, each with a sign of what it reads. Dashed: neither stretched nor
      // shifted, and with everybody there.
      const R = 17,
        sheet = picture(stage, 440, 420, 'what three norms make of it'),
        READS = ['down each column', 'along its row', 'along its row, no mean'];
      const panels = norms.map((norm, n) => {
        const g = createElement(sheet, 'g', { transform: `translate(0 ${30 + 132 * n})` }),
          base = 66;
        createElement(g, 'text', { x: 0, y: 24, class: 'title' }, norm);
        READS[n]
          .split(', ')
          .forEach((line, k) =>
            createElement(g, 'text', { x: 0, y: 44 + 17 * k, class: 'small soft' }, line)
          );
        for (let i = 0; i < 4; i++)
          for (let j = 0; j < 4; j++)
            createElement(g, 'rect', {
              x: 12 * j,
              y: 74 + 9 * i,
              width: 11,
              height: 8,
              rx: 1.5,
              fill: (n ? i == 0 : j == 2) ? SKY : FAINT
            });
        createElement(g, 'path', { d: `M134 ${base}H366`, stroke: GREY });
        const columns = all.map(j => {
          const g2 = createElement(g, 'g'),
            x = 138 + 58 * j;
          createElement(g2, 'rect', {
            x: x - 4,
            y: 4,
            width: 56,
            height: 122,
            fill: 'transparent'
          });
          const bar = createElement(g2, 'rect', {
            x,
            width: 48,
            rx: 3,
            fill: marks[j][0],
            'fill-opacity': 0.55,
            class: 'level'
          });
          const was = createElement(g2, 'rect', {
            x,
            width: 48,
            rx: 3,
            fill: 'none',
            stroke: 'currentColor',
            'stroke-width': 1.5,
            'stroke-dasharray': '4 3'
          });
          hover(
            g2,
            ({ x, mean, spread, size, means, spreads, normed }) =>
              `${norm}, ${features[j]}: ${
                [
                  `(${fixed(x[j], 2)} − ${fixed(means[j], 2)}) / ${fixed(divisor(spreads[j]), 2)}, mean and deviation of the column`,
                  `(${fixed(x[j], 2)} − ${fixed(mean, 2)}) / ${fixed(divisor(spread), 2)}, mean and deviation of the row`,
                  `${fixed(x[j], 2)} / ${fixed(divisor(size), 2)}, the row's root mean square`
                ][n]
              }: ${fixed(normed[n][j], 2)}.`
          );
          g2.addEventListener('pointerenter', () =>
            n ? setAttributes(row, { opacity: 0.3 }) : setAttributes(lights[j], { opacity: 0.3 })
          );
          g2.addEventListener('pointerleave', () =>
            [row, ...lights].forEach(one => setAttributes(one, { opacity: 0 }))
          );
          return {
            bar,
            was,
            value: createElement(g2, 'text', {
              x: x + 24,
              class: 'small middle halo',
              'pointer-events': 'none'
            })
          };
        });
        createElement(g, 'text', { x: 440, y: 44, class: 'small soft end' }, 'differs by');
        const far = createElement(g, 'text', { x: 440, y: 66, class: 'end' });
        return { base, bars: columns, far };
      });

      const stand = (bar, y, height) =>
        setAttributes(bar, { y: height < 0 ? y : y - height, height: Math.abs(height) });
      return ({ x, shift, stretch, batch, means, normed, before, moved }) => {
        there(batch);
        bars.forEach(({ g, bar, value, grip }, j) => {
          stand(bar, zero, Math.abs(x[j]) < 0.04 ? 0.04 * U : U * x[j]);
          setAttributes(grip, { y: Math.min(zero, up(x[j])) - 8, height: Math.abs(U * x[j]) + 16 });
          setText(value, fixed(x[j], 2), { y: x[j] < 0 ? up(x[j]) + 17 : up(x[j]) - 6 });
          announce(g, fixed(x[j], 2), x[j], low, high);
        });
        const marks = [-1, 0, 1, 2, 3]
          .map(k => shift + stretch * k)
          .filter(v => v > low - 0.01 && v < high + 0.01);
        setAttributes(scale, {
          d: `M${RULER} ${up(low)}V${up(high)}` + marks.map(v => `M${RULER} ${up(v)}h14`).join('')
        });
        signs.forEach((text, i) => {
          const v = shift + stretch * (i - 1);
          setAttributes(text, { y: up(v) + 5.5 });
          text.style.display =
            v < low - 0.01 || v > high + 0.01 || ((i < 1 || i > 2) && stretch < 0.7) ? 'none' : '';
        });
        announce(knobs[0](up(shift)), `shift ${fixed(shift, 2)}`, shift, low, high);
        announce(
          knobs[1](up(shift + stretch)),
          `stretch ${fixed(stretch, 2)}`,
          stretch,
          0.3,
          high - low
        );
        texts.forEach((line, i) => {
          names[i].classList.toggle('soft', !batch[i]);
          line.forEach((text, j) => setText(text, batch[i] ? fixed(rows[i][j], 2) : '·'));
        });
        totals.forEach((text, j) => setText(text, fixed(means[j], 2)));
        panels.forEach(({ base, bars, far }, n) => {
          setText(far, fixed(moved[n], 2));
          far.classList.toggle('title', moved[n] > 0.01);
          bars.forEach(({ bar, was, value }, j) => {
            const v = normed[n][j];
            stand(bar, base, R * v);
            stand(was, base, R * before[n][j]);
            setText(value, fixed(v, 2), {
              y:
                v < 0
                  ? base + 14 + R * Math.max(-v, -before[n][j], 0)
                  : base - 5 - R * Math.max(v, before[n][j], 0)
            });
          });
        });
      };
    },

    table({ normed }, { norms, features, token }) {
      return {
        title: `"${token}", normed`,
        corner: 'norm by feature',
        rows: norms,
        columns: features,
        values: normed
      };
    }
  });
})();
