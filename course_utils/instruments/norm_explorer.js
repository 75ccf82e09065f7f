// The bars of one token are dragged, its ruler is moved, its batch comes and goes: what batch norm, layer norm and RMS norm give.
(() => {
const { sum, transpose, fixed, clip, round, textTint, MEANINGS, PURPLE, SKY, GREY, createElement, setAttributes, setText, picture, handle, announce, choices, table, instrument } = courseKit;
const mean = x => sum(x) / x.length, size = x => Math.sqrt(mean(x.map(a => a * a))), spread = x => size(x.map(a => a - mean(x)));
const EPS = 1e-5, divisor = s => Math.sqrt(s * s + EPS);
const threeNorms = (x, rows) => {
  const columns = transpose([x, ...rows]);
  return [x.map((a, j) => (a - mean(columns[j])) / divisor(spread(columns[j]))), x.map(a => (a - mean(x)) / divisor(spread(x))), x.map(a => a / divisor(size(x)))];
};

instrument("NormExplorer", {
  hint: "Drag a bar, or the ruler's 0 and 1. Press a word: it leaves the batch or comes back. Point at a norm: what it reads lights up.",

  compute({ x, shift, stretch, batch }, { rows: all, x: given }) {
    const y = x.map(a => stretch * a + shift), here = all.filter((_, i) => batch[i]), columns = transpose([y, ...here]);
    const normed = threeNorms(y, here), before = threeNorms(x, all);
    return { x: y, shift, stretch, batch, mean: mean(y), spread: spread(y), size: size(y), means: columns.map(mean), spreads: columns.map(spread),
      normed, before, moved: normed.map((a, n) => Math.max(...a.map((b, j) => Math.abs(b - before[n][j])))),
      as_written: x.every((a, j) => a == given[j]) && shift == 0 && stretch == 1 };
  },

  describe({ shift, stretch, batch, normed, moved }) {
    const sport = ["batch norm", "layer norm", "RMS norm"].map((name, n) => `${fixed(normed[n][2], 2)} by ${name}`).join(", "), [batch_norm, layer_norm, rms_norm] = moved.map(x => fixed(x, 2));
    return `"won", stretched by ${fixed(stretch, 2)} and shifted by ${fixed(shift, 2)}, in a batch of ${1 + sum(batch.map(Number))}. `
      + `Its sport becomes ${sport}. Compared with the token unmoved in the whole batch of 7, the three differ by at most ${batch_norm}, ${layer_norm} and ${rms_norm}.`;
  },

  met({ as_written, normed }) {
    return as_written && normed[0][2] < 0;
  },

  build({ controls, stage, update, hover }, { token, features, others, rows, norms, x: given }, state) {
    const marks = features.map(feature => MEANINGS[feature] ?? [textTint("#777"), "◇"]), all = [...features.keys()];
    const toggle = i => { state.batch[i] = !state.batch[i]; update(); };
    createElement(controls, "span", {}, "batch:");
    const there = choices(controls, "who is in the batch", others, toggle);

    // The token: four bars, and a ruler whose 0 and 1 are dragged. All stays between two ends, whatever is moved.
    const U = 51, zero = 252, low = -2, high = 4, left = j => 4 + 60 * j, up = v => zero - U * v;
    const hand = picture(stage, 300, 400, `“${token}”: drag a bar or the ruler`);
    const band = createElement(hand, "rect", { x: 2, width: 240, rx: 3, fill: SKY, opacity: .22 }), middle = createElement(hand, "path", { stroke: GREY, "stroke-dasharray": "2 4", fill: "none" });
    createElement(hand, "path", { d: `M2 ${zero}H242`, stroke: GREY });
    const bars = all.map(j => {
      const g = createElement(hand, "g"), bar = createElement(g, "rect", { x: left(j) + 8, width: 44, rx: 3, fill: PURPLE }), value = createElement(g, "text", { x: left(j) + 30, class: "middle halo" });
      const grip = createElement(g, "rect", { class: "grip", x: left(j) + 3, width: 54, rx: 5 }), now = () => state.stretch * state.x[j] + state.shift;
      const go = y => { state.x[j] = round(clip((clip(y, low, high) - state.shift) / state.stretch, -3, 4)); update(); };
      handle(g, hand, {
        label: `${features[j]} of ${token}`, at: () => [0, up(now())], move: (_, y) => go((zero - y) / U), step: (dx, dy) => go(now() + .1 * (dx + dy)),
        home: () => { state.x[j] = given[j]; fit(); update(); }, end: () => go(high),
      });
      createElement(hand, "text", { x: left(j) + 30, y: 378, class: "small middle" }, features[j]);
      createElement(hand, "text", { x: left(j) + 30, y: 396, class: "middle" }, marks[j][1]).style.fill = marks[j][0];
      return { g, bar, value, grip };
    });
    const room = stretch => [low - stretch * Math.min(0, ...state.x), high - stretch * Math.max(1, ...state.x)];
    const fit = () => {
      const [x, y] = [Math.min(0, ...state.x), Math.max(1, ...state.x)];
      state.stretch = round(clip(state.stretch, .3, (high - low) / (y - x)));
      state.shift = round(clip(state.shift, ...room(state.stretch)));
    };
    const rule = createElement(hand, "path", { stroke: "currentColor", "stroke-width": 1.5, fill: "none" }), signs = [-1, 0, 1, 2, 3].map(k => createElement(hand, "text", { x: 285, class: k == 0 || k == 1 ? "title" : "small soft" }, `${k}`.replace("-", "−")));
    const shiftBy = shift => { state.shift = round(clip(shift, ...room(state.stretch))); update(); };
    const stretchTo = stretch => {
      const [x, y] = [Math.min(0, ...state.x), Math.max(1, ...state.x)], most = Math.min((high - state.shift) / y, x < 0 ? (low - state.shift) / x : 9);
      state.stretch = round(clip(stretch, .3, Math.max(.3, Math.floor(100 * most) / 100)));
      update();
    };
    const knobs = [
      ["0 of the ruler: shift", 258, () => state.shift, shiftBy, () => shiftBy(0), () => shiftBy(high)],
      ["1 of the ruler: stretch", 272, () => state.shift + state.stretch, y => stretchTo(y - state.shift), () => stretchTo(1), () => stretchTo(9)],
    ].map(([label, x, now, go, home, end]) => {
      const g = createElement(hand, "g"), grip = createElement(g, "circle", { class: "grip", cx: x, r: 13 }), knob = createElement(g, "path", { d: x < 265 ? "M7 0L-7 -8V8Z" : "M-7 0L7 -8V8Z", fill: PURPLE });
      handle(g, hand, { label, at: () => [x, up(now())], move: (_, y) => go((zero - y) / U), step: (dx, dy) => go(now() + .1 * (dx + dy)), home, end });
      return y => { setAttributes(grip, { cy: y }); setAttributes(knob, { transform: `translate(${x} ${y})` }); return g; };
    });

    // The batch as a table: a token is a row, a feature is a column.
    const W = 44, H = 37, top = 50, sheet = picture(stage, 250, 400, "its batch: rows are tokens");
    marks.forEach(([colour, mark], j) => createElement(sheet, "text", { x: 66 + W * j + W / 2, y: 42, class: "middle", "aria-hidden": true }, mark).style.fill = colour);
    const people = [token, ...others], names = people.map((word, i) => createElement(sheet, "text", { x: 56, y: top + H * i + 24, class: `end ${i ? "" : "title"}` }, word));
    const column = all.map(j => createElement(sheet, "rect", { x: 66 + W * j + 2, y: top - 1, width: W - 4, height: H * 7 + 2, rx: 5, fill: SKY, opacity: 0 }));
    const row = createElement(sheet, "rect", { x: 64, y: top + 1, width: W * 4 + 4, height: H - 2, rx: 5, fill: SKY, opacity: 0 });
    const cells = table(sheet, "the batch", 7, 4, { x: 66, y: top, width: W, height: H }, hover, (i, j, { x, batch, means, spreads }) =>
      `${people[i]}, ${features[j]}: ${i && !batch[i - 1] ? "not in the batch" : fixed(i ? rows[i - 1][j] : x[j], 2)}. The column's mean is ${fixed(means[j], 2)}, its deviation ${fixed(spreads[j], 2)}.`);
    const texts = cells.map((line, i) => line.map(cell => {
      if (i) cell.addEventListener("click", () => toggle(i - 1)), cell.style.cursor = "pointer";
      return createElement(cell, "text", { x: W / 2, y: 24, class: "middle", "pointer-events": "none" });
    }));
    createElement(sheet, "path", { d: `M4 ${top + 7 * H + 5}H246`, stroke: GREY });
    const totals = ["mean", "±"].map((text, k) => {
      const y = top + 7 * H + 29 + 27 * k;
      createElement(sheet, "text", { x: 56, y, class: "end soft" }, text);
      return all.map(j => createElement(sheet, "text", { x: 66 + W * j + W / 2, y, class: "middle soft" }));
    });

    // Three norms of the token. Dashed: neither stretched nor shifted, and with everybody there.
    const R = 17, base = 68, shelf = createElement(stage, "div", { style: "display:grid;gap:2px" });
    const titles = ["batch norm: down each column", "layer norm: along the row", "RMS norm: along the row, no mean"];
    const panels = norms.map((norm, n) => {
      const svg = picture(shelf, 310, 132, titles[n]);
      createElement(svg, "path", { d: `M2 ${base}H236`, stroke: GREY });
      createElement(svg, "text", { x: 308, y: base - 12, class: "small soft end" }, "differs by");
      const far = createElement(svg, "text", { x: 308, y: base + 10, class: "end" });
      const columns = all.map(j => {
        const g = createElement(svg, "g"), x = 6 + 58 * j;
        createElement(g, "rect", { x: x - 4, y: 24, width: 56, height: 106, fill: "transparent" });
        const bar = createElement(g, "rect", { x, width: 48, rx: 3, fill: marks[j][0], "fill-opacity": .55, class: "level" });
        const was = createElement(g, "rect", { x, width: 48, rx: 3, fill: "none", stroke: "currentColor", "stroke-width": 1.5, "stroke-dasharray": "4 3" });
        hover(g, ({ x, mean, spread, size, means, spreads, normed }) => `${norm}, ${features[j]}: ${[`(${fixed(x[j], 2)} − ${fixed(means[j], 2)}) / ${fixed(divisor(spreads[j]), 2)}, mean and deviation of the column`,
          `(${fixed(x[j], 2)} − ${fixed(mean, 2)}) / ${fixed(divisor(spread), 2)}, mean and deviation of the row`, `${fixed(x[j], 2)} / ${fixed(divisor(size), 2)}, the row's root mean square`][n]}: ${fixed(normed[n][j], 2)}.`);
        g.addEventListener("pointerenter", () => n ? setAttributes(row, { opacity: .4 }) : setAttributes(column[j], { opacity: .4 }));
        g.addEventListener("pointerleave", () => [row, ...column].forEach(one => setAttributes(one, { opacity: 0 })));
        return { bar, was, value: createElement(g, "text", { x: x + 24, y: 125, class: "small middle" }) };
      });
      return { columns, far };
    });

    const stand = (bar, y, height) => setAttributes(bar, { y: height < 0 ? y : y - height, height: Math.abs(height) });
    return ({ x, shift, stretch, batch, mean, spread, means, spreads, normed, before, moved }) => {
      there(batch);
      bars.forEach(({ g, bar, value, grip }, j) => {
        stand(bar, zero, Math.abs(x[j]) < .02 ? .02 * U : U * x[j]);
        setAttributes(grip, { y: Math.min(zero, up(x[j])) - 12, height: Math.abs(U * x[j]) + 24 });
        setText(value, fixed(x[j], 2), { y: x[j] < 0 ? up(x[j]) + 19 : up(x[j]) - 7 });
        announce(g, fixed(x[j], 2), x[j], low, high);
      });
      setAttributes(band, { y: up(mean + spread), height: 2 * U * spread });
      setAttributes(middle, { d: `M2 ${up(mean)}H242` });
      const marks = [-1, 0, 1, 2, 3].map(k => shift + stretch * k).filter(v => v > low - .01 && v < high + .01);
      setAttributes(rule, { d: `M265 ${up(low)}V${up(high)}` + marks.map(v => `M265 ${up(v)}H279`).join("") });
      signs.forEach((text, i) => { const v = shift + stretch * (i - 1); setAttributes(text, { y: up(v) + 5.5 }); text.style.display = v < low - .01 || v > high + .01 || (i < 1 || i > 2) && stretch < .35 ? "none" : ""; });
      announce(knobs[0](up(shift)), `shift ${fixed(shift, 2)}`, shift, low, high);
      announce(knobs[1](up(shift + stretch)), `stretch ${fixed(stretch, 2)}`, stretch, .3, high - low);
      texts.forEach((line, i) => {
        const gone = i && !batch[i - 1];
        names[i].classList.toggle("soft", gone);
        line.forEach((text, j) => setText(text, gone ? "·" : fixed(i ? rows[i - 1][j] : x[j], 2)));
      });
      [means, spreads].forEach((numbers, k) => totals[k].forEach((text, j) => setText(text, fixed(numbers[j], 2))));
      panels.forEach(({ columns, far }, n) => {
        setText(far, fixed(moved[n], 2));
        far.classList.toggle("title", moved[n] > .01);
        columns.forEach(({ bar, was, value }, j) => {
          const v = normed[n][j];
          stand(bar, base, R * v);
          stand(was, base, R * before[n][j]);
          setText(value, fixed(v, 2));
        });
      });
    };
  },
});
})();
