// Sixteen scores are dragged, the width grows, the temperature rises: weights without and with the division by √d, and their slopes as maps.
(() => {
const { norm, softmax, entropy, fixed, clip, round, PURPLE, ORANGE, SKY, GREY, FAINT, createElement, setAttributes, setText, picture, handle, announce, slider, table, instrument } = courseKit;
const NAMES = ["Not scaled", "Divided by √d"], COLOURS = [ORANGE, SKY];

instrument("SoftmaxSharpening", {
  hint: "Drag a score. Point at a bar or at a square of a map: it tells its number.",

  compute({ d, temperature, moved }, { widths, scores: drawn }) {
    const scores = drawn[d].map((s, i) => moved[i] ?? s);
    const panels = [1, Math.sqrt(widths[d])].map(scale => {
      const weights = softmax(scores.map(s => s / scale / temperature)), slopes = weights.map((x, i) => weights.map((y, j) => (i == j ? x : 0) - x * y));
      return { weights, entropy: entropy(weights), largest: Math.max(...weights), slopes, slope: norm(slopes.flat()) };
    });
    return { d: widths[d], temperature, scores, as_drawn: moved.every(s => s === null), panels };
  },

  describe({ d, temperature, panels }) {
    const parts = panels.map(({ entropy, largest, slope }, p) => `${NAMES[p]}: entropy ${fixed(entropy, 2)}, largest weight ${fixed(largest, 2)}, size of all slopes ${fixed(slope, 3)}`);
    return `16 keys, width ${d}, temperature ${fixed(temperature, 2)}. ${parts.join(". ")}.`;
  },

  met({ d, as_drawn, panels }) {
    return d == 1024 && as_drawn && panels[0].entropy > 2;
  },

  build({ controls, stage, update, hover }, { widths, scores: drawn }, state) {
    const N = drawn[0].length, all = [...Array(N).keys()], W = 272, left = i => 9 + 16 * i;
    const wide = slider(controls, "width d", { min: 0, max: widths.length - 1, step: 1 }, i => `${widths[i]}`, i => { Object.assign(state, { d: i, moved: all.map(() => null) }); update(); });
    const heat = slider(controls, "temperature", { min: -2, max: 5, step: 0.05 }, x => fixed(2 ** x, 2), x => { state.temperature = round(2 ** x, 4); update(); });
    const axis = (svg, y) => createElement(svg, "path", { d: `M4 ${y}H${W - 4}`, stroke: GREY });
    let reach = 1;

    const hand = picture(stage, W, 432, "scores: drag a bar"), top = 118, high = 84, scale = [1, -1].map(sign => createElement(hand, "text", { x: W, y: top - 5 - sign * (high - 4) + 6, class: "small soft end" }));
    axis(hand, top);                   // below what is taken: a line would catch the hand
    const bars = all.map(i => {
      const g = createElement(hand, "g"), bar = createElement(g, "rect", { x: left(i), width: 13, rx: 2, fill: PURPLE }), go = s => { state.moved[i] = s; update(); };
      createElement(g, "rect", { class: "grip", x: left(i) - 1.5, y: top - high - 8, width: 16, height: 2 * high + 16, rx: 4 });
      const now = () => state.moved[i] ?? drawn[state.d][i], next = way => { const to = bars[clip(i + way, 0, N - 1)].g; g.tabIndex = -1; to.tabIndex = 0; to.focus(); };
      handle(g, hand, {
        label: `score of key ${i}`, at: () => [0, top - high * clip(now() / reach, -1, 1)], move: (_, y) => go(round(reach * clip((top - y) / high, -1, 1))),
        step: (dx, dy) => dx ? next(dx) : go(round(clip(now() + dy * reach / 20, -reach, reach))), home: () => go(null), end: () => go(reach),
      });
      g.tabIndex = i ? -1 : 0;
      hover(g, ({ scores, d, temperature }) => `key ${i}: score ${fixed(scores[i], 2)}. Divided by √${d} = ${fixed(Math.sqrt(d), 2)}: ${fixed(scores[i] / Math.sqrt(d), 2)}. Both are divided by the temperature ${fixed(temperature, 2)}.`);
      return { g, bar };
    });

    // Two scales from 0 to log 16: how spread out the weights are.
    createElement(hand, "text", { x: W / 2, y: 262, class: "title middle" }, "entropy");
    const gauges = NAMES.map((title, p) => {
      const y = 300 + 62 * p;
      createElement(hand, "text", { x: 4, y: y - 8, class: "small" }, p ? `${title}` : title);
      createElement(hand, "rect", { x: 4, y, width: W - 8, height: 18, rx: 4, fill: "none", stroke: FAINT });
      return { fill: createElement(hand, "rect", { x: 4, y, height: 18, rx: 4, fill: COLOURS[p] }), value: createElement(hand, "text", { x: W - 4, y: y - 8, class: "small end" }) };
    });
    createElement(hand, "text", { x: 4, y: 404, class: "small soft" }, "0: one key alone");
    createElement(hand, "text", { x: W - 4, y: 404, class: "small soft end" }, "2.77: all alike");

    const base = 196, tall = 160, panels = NAMES.map((title, p) => {
      const svg = picture(stage, W, 432, `${title.toLowerCase()}: weights`);
      createElement(svg, "path", { d: `M4 ${base - tall / N}H${W - 4}`, stroke: GREY, "stroke-dasharray": "2 4" });
      const columns = all.map(i => {
        const g = createElement(svg, "g");
        createElement(g, "rect", { x: left(i) - 1, y: base - tall, width: 15, height: tall, fill: "transparent" });
        hover(g, ({ panels }) => `key ${i}, ${title.toLowerCase()}: weight ${fixed(panels[p].weights[i], 3)}.`);
        return createElement(g, "rect", { x: left(i), width: 13, rx: 2, fill: COLOURS[p], class: "level" });
      });
      axis(svg, base + .5);
      createElement(svg, "text", { x: W / 2, y: 218, class: "middle" }, "slopes: weight (row) by score");
      createElement(svg, "rect", { x: 38, y: 229, width: 196, height: 196, fill: "none", stroke: FAINT, "stroke-width": 1.5 });
      const cells = table(svg, `slopes, ${title.toLowerCase()}`, N, N, { x: 40, y: 231, width: 12, height: 12 }, hover, (i, j, { panels }) => {
        const { weights: a, slopes } = panels[p], how = i == j ? `${fixed(a[i], 3)}·(1 − ${fixed(a[i], 3)})` : `−${fixed(a[i], 3)}·${fixed(a[j], 3)}`;
        return `${title}: a small step of score ${j} moves weight ${i} by ${how} = ${fixed(slopes[i][j], 4)} of it.`;
      });
      return { columns, squares: cells.map(row => row.map(cell => createElement(cell, "rect", { x: .5, y: .5, width: 11, height: 11, fill: COLOURS[p], "pointer-events": "none" }))) };
    });

    return ({ scores, temperature, panels: numbers }) => {
      wide(state.d);
      heat(round(Math.log2(temperature)));
      reach = 2 ** Math.ceil(Math.log2(Math.max(4, ...drawn[state.d].map(Math.abs))));
      scale.forEach((text, k) => setText(text, k ? `−${reach}` : `${reach}`));
      bars.forEach(({ g, bar }, i) => {
        const y = high * clip(scores[i] / reach, -1, 1);
        setAttributes(bar, { y: top - Math.max(0, y), height: Math.max(1, Math.abs(y)) });
        announce(g, fixed(scores[i], 2), scores[i], -reach, reach);
      });
      panels.forEach(({ columns, squares }, p) => {
        const { weights, entropy, slopes } = numbers[p];
        columns.forEach((bar, i) => setAttributes(bar, { y: base - tall * weights[i], height: tall * weights[i] }));
        squares.forEach((row, i) => row.forEach((square, j) => setAttributes(square, { "fill-opacity": Math.min(1, Math.sqrt(4 * Math.abs(slopes[i][j]))).toFixed(2) })));
        setAttributes(gauges[p].fill, { width: clip(entropy / Math.log(N), 0, 1) * (W - 8) });
        setText(gauges[p].value, fixed(entropy, 2));
      });
    };
  },
});
})();
