// Sixteen scores are dragged, the width grows, the temperature rises: weights without and with the
// division by √d, and how awake each is.
(() => {
  const {
    norm,
    softmax,
    entropy,
    fixed,
    clip,
    round,
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
    goal,
    rule,
    instrument
  } = courseKit;
  const NAMES = ['Not scaled', 'Divided by √d'],
    COLOURS = [ORANGE, SKY];

  instrument('SoftmaxSharpening', {
    hint: 'Move the width or the temperature. Drag a score; point at a bar: it tells its number.',

    compute({ d, temperature, moved }, { widths, scores: drawn }) {
      const scores = drawn[d].map((s, i) => moved[i] ?? s);
      const panels = [1, Math.sqrt(widths[d])].map(scale => {
        const weights = softmax(scores.map(s => s / scale / temperature)),
          slopes = weights.map((x, i) => weights.map((y, j) => (i == j ? x : 0) - x * y));
        return {
          weights,
          entropy: entropy(weights),
          largest: Math.max(...weights),
          slope: norm(slopes.flat())
        };
      });
      return {
        d: widths[d],
        temperature,
        scores,
        as_drawn: moved.every(s => s === null),
        panels,
        by_root: entropy(softmax(scores.map(s => s / Math.sqrt(widths[d]))))
      };
    },

    describe({ d, temperature, panels }) {
      const parts = panels.map(
        ({ entropy, largest, slope }, p) =>
          `${NAMES[p]}: entropy ${fixed(entropy, 2)}, largest weight ${fixed(largest, 2)}, Jacobian norm ${fixed(slope, 3)}`
      );
      return `16 keys, width ${d}, temperature ${fixed(temperature, 2)}. ${parts.join('. ')}.`;
    },

    conditions({ d, as_drawn, panels: [{ entropy }] }) {
      return [
        goal(`width 1024: now ${d}`, d == 1024),
        rule('the scores as drawn', as_drawn),
        goal(`entropy, not scaled, above 2: now ${fixed(entropy, 2)}`, entropy > 2.005)
      ];
    },

    lesson({ d, temperature, panels: [{ entropy }], by_root }) {
      return (
        `You took temperature ${fixed(temperature, 1)}, and the entropy is ${fixed(entropy, 2)}. √1024 is ${fixed(Math.sqrt(d), 0)}, with which it ` +
        `would be ${fixed(by_root, 2)}: to divide by √d is to choose the temperature by the width, before any score is seen.`
      );
    },

    build({ controls, stage, update, hover }, { widths, scores: drawn }, state) {
      const N = drawn[0].length,
        all = [...Array(N).keys()],
        W = 280,
        left = i => 13 + 16 * i;
      const wide = slider(
        controls,
        'width d',
        { min: 0, max: widths.length - 1, step: 1 },
        i => `${widths[i]}`,
        i => {
          Object.assign(state, { d: i, moved: all.map(() => null) });
          update();
        }
      );
      const heat = slider(
        controls,
        'temperature',
        { min: -2, max: 5, step: 0.05 },
        x => fixed(2 ** x, 2),
        x => {
          state.temperature = round(2 ** x, 4);
          update();
        }
      );
      let reach = 1;

      // The scores: what the hand takes. The dashes show how far they would reach after the
      // division.
      const hand = picture(stage, W, 300, '16 scores of one query'),
        top = 158,
        high = 122,
        ends = [1, -1].map(sign =>
          createElement(hand, 'text', { x: W, y: sign > 0 ? 31 : 296, class: 'small soft end' })
        );
      const band = createElement(hand, 'rect', {
          x: 4,
          width: W - 8,
          rx: 3,
          fill: SKY,
          'fill-opacity': 0.3,
          'pointer-events': 'none'
        }),
        told = createElement(hand, 'text', { x: 6, y: 298, class: 'small soft' });
      createElement(hand, 'path', {
        d: `M4 ${top}H${W - 4}m-6 ${-high}h6v${2 * high}h-6`,
        stroke: GREY,
        fill: 'none'
      }); // below what is taken: a line would catch the hand
      const bars = all.map(i => {
        const g = createElement(hand, 'g'),
          bar = createElement(g, 'rect', { x: left(i), width: 13, rx: 2, fill: PURPLE }),
          go = s => {
            state.moved[i] = s;
            update();
          };
        createElement(g, 'rect', {
          class: 'grip',
          x: left(i) - 1.5,
          y: top - high - 4,
          width: 16,
          height: 2 * high + 8,
          rx: 4
        });
        const now = () => state.moved[i] ?? drawn[state.d][i],
          next = way => {
            const to = bars[clip(i + way, 0, N - 1)].g;
            g.tabIndex = -1;
            to.tabIndex = 0;
            to.focus();
          };
        handle(g, hand, {
          label: `score of key ${i}`,
          at: () => [0, top - high * clip(now() / reach, -1, 1)],
          move: (_, y) => go(round(reach * clip((top - y) / high, -1, 1))),
          step: (dx, dy) =>
            dx ? next(dx) : go(round(clip(now() + (dy * reach) / 20, -reach, reach))),
          numbers: [['', now, go, -reach, reach]],
          home: () => go(null),
          end: () => go(reach)
        });
        g.tabIndex = i ? -1 : 0;
        hover(
          g,
          ({ scores, d, temperature }) =>
            `key ${i}: score ${fixed(scores[i], 2)}. Divided by √${d} = ${fixed(Math.sqrt(d), 2)}: ${fixed(scores[i] / Math.sqrt(d), 2)}. Both are divided by the temperature ${fixed(temperature, 2)}.`
        );
        return { g, bar };
      });

      // The weights; below them two scales: how spread out they are, and how much a small step of a
      // score can still move.
      createElement(stage, 'style', {}, '@container (max-width:34em){.most{display:none}}');
      const base = 194,
        tall = 164,
        panels = NAMES.map((title, p) => {
          const svg = picture(stage, W, 300, `${title.toLowerCase()}: weights`);
          svg.classList.add('half');
          createElement(svg, 'path', {
            d: `M4 ${base - tall / N}H${W - 4}`,
            stroke: GREY,
            'stroke-dasharray': '2 4'
          });
          createElement(
            svg,
            'text',
            { x: 4, y: 212, class: 'small soft' },
            `dotted: alike, ${fixed(1 / N, 2)}`
          );
          const columns = all.map(i => {
              const g = createElement(svg, 'g');
              createElement(g, 'rect', {
                x: left(i) - 1,
                y: base - tall,
                width: 15,
                height: tall,
                fill: 'transparent'
              });
              hover(
                g,
                ({ panels }) =>
                  `key ${i}, ${title.toLowerCase()}: weight ${fixed(panels[p].weights[i], 3)}.`
              );
              return createElement(g, 'rect', {
                x: left(i),
                width: 13,
                rx: 2,
                fill: COLOURS[p],
                class: 'level'
              });
            }),
            peak = createElement(svg, 'text', {
              class: 'small middle halo',
              'pointer-events': 'none'
            });
          createElement(svg, 'path', { d: `M4 ${base + 0.5}H${W - 4}`, stroke: GREY });
          const gauges = [
            ['entropy', Math.log(N)],
            ['Jacobian norm', 1 / Math.SQRT2]
          ].map(([name, most], k) => {
            const y = 239 + 42 * k;
            createElement(svg, 'text', { x: 4, y: y - 5, class: 'small' }, name);
            createElement(svg, 'rect', {
              x: 4,
              y,
              width: W - 8,
              height: 14,
              rx: 4,
              fill: 'none',
              stroke: FAINT
            });
            const value = createElement(svg, 'text', { y: y - 5, x: W - 4, class: 'title end' }),
              number = createElement(value, 'tspan');
            createElement(value, 'tspan', { class: 'most' }, ` of ${fixed(most, 2)}`);
            return {
              most,
              fill: createElement(svg, 'rect', { x: 4, y, height: 14, rx: 4, fill: COLOURS[p] }),
              number
            };
          });
          return { columns, peak, gauges };
        });

      return ({ d, scores, temperature, panels: numbers }) => {
        wide(state.d);
        heat(round(Math.log2(temperature)));
        reach = 2 ** Math.ceil(Math.log2(Math.max(4, ...drawn[state.d].map(Math.abs))));
        ends.forEach((text, k) => setText(text, k ? `−${reach}` : `${reach}`));
        const far = (high * Math.max(...scores.map(Math.abs))) / Math.sqrt(d) / reach;
        setAttributes(band, { y: top - far, height: 2 * far });
        setText(told, `pale: divided by √${d} = ${fixed(Math.sqrt(d), 1)}`);
        bars.forEach(({ g, bar }, i) => {
          const y = high * clip(scores[i] / reach, -1, 1);
          setAttributes(bar, { y: top - Math.max(0, y), height: Math.max(1, Math.abs(y)) });
          announce(g, fixed(scores[i], 2), scores[i], -reach, reach);
        });
        panels.forEach(({ columns, peak, gauges }, p) => {
          const { weights, entropy, slope, largest } = numbers[p],
            i = weights.indexOf(largest);
          columns.forEach((bar, i) =>
            setAttributes(bar, { y: base - tall * weights[i], height: tall * weights[i] })
          );
          setText(peak, fixed(largest, 2), {
            x: clip(left(i) + 6, 20, W - 20),
            y: Math.max(36, base - tall * largest - 5)
          });
          [entropy, slope].forEach((value, k) => {
            setAttributes(gauges[k].fill, { width: clip(value / gauges[k].most, 0, 1) * (W - 8) });
            setText(gauges[k].number, fixed(value, k ? 3 : 2));
          });
        });
      };
    },

    table({ scores, panels }) {
      return {
        title: 'Scores and weights',
        corner: 'key',
        rows: scores.map((_, i) => i + 1),
        columns: ['score', ...NAMES.map(name => `weight, ${name}`)],
        values: scores.map((s, i) => [s, ...panels.map(({ weights }) => weights[i])])
      };
    }
  });
})();
