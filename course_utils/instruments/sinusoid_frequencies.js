// Two positions are dragged along the waves, or a clock's hand is turned; below, the product of the first with all positions.
(() => {
const { sum, dot, fixed, general, clip, round, PURPLE, ORANGE, GREY, FAINT, createElement, setAttributes, setText, picture, handle, announce, slider, choices, instrument } = courseKit;
const FIRST = 12, SECOND = 21, FAR = 9.95, NEAR = .005, ZERO = 1e-9;

instrument("SinusoidFrequencies", {
  hint: "Drag a position (◆, ●), both at once (↔), or turn the first hand of a clock. Point at a clock: it tells its numbers.",

  compute({ i, j, D, base, threshold }, { T }) {
    const speeds = Array.from({ length: D / 2 }, (_, m) => base ** (-2 * m / D)), pairs = p => speeds.map(w => [Math.sin(p * w), Math.cos(p * w)]);
    const R = Array.from({ length: T }, (_, p) => pairs(p).flat()), rows = [i, j].map(pairs), cosines = rows[0].map((pair, m) => dot(pair, rows[1][m]));
    const bit = x => +(x > ZERO), bits = rows.map(row => row.map(pair => pair.map(bit))), codes = R.map(row => row.map(bit));
    const agree = codes.map(code => sum(code.map((b, f) => +(b == bits[0].flat()[f]))));
    return { i, j, D, base, threshold, R, rows, speeds, cosines, product: sum(cosines), products: R.map(row => dot(row, rows[0].flat())),
      began: dot(R[FIRST], R[SECOND]), bits, agree, equal: bits[0].map((pair, m) => sum(pair.map((b, k) => +(b == bits[1][m][k])))),
      alike: agree.filter(n => n == D).length, codes: new Set(codes.map(code => code.join(""))).size };
  },

  describe({ i, j, D, base, threshold, speeds, cosines, product, bits, equal, alike, codes }) {
    const [one, two] = [i, j].map(p => general(p, 3));
    if (threshold) {
      const [read, other] = bits.map(row => row.map(pair => pair.join("")).join(" "));
      return `As bits, position ${one} reads ${read} and position ${two} reads ${other}: ${sum(equal)} of ${D} agree. `
        + `Of the 64 positions ${alike} read as ${one} does; there are ${codes} different codes.`;
    }
    const turns = speeds.map(w => 2 * Math.PI / w), parts = cosines.map(c => fixed(c, 2)).join(" + ").replaceAll("+ -", "- ");
    return `Positions ${one} and ${two}, ${general(Math.abs(i - j), 3)} apart. ${D / 2} clocks, base ${base}: the fastest needs `
      + `${fixed(turns[0], 1)} positions for a turn, the slowest ${fixed(turns.at(-1), 1)}. Their agreement, clock by clock: `
      + `${parts} = ${fixed(product, 2)}, of ${D / 2} at most.`;
  },

  met({ i, j, threshold, product, began }) {
    return !threshold && Math.min(Math.abs(i - FIRST), Math.abs(j - SECOND)) > FAR && Math.abs(product - began) < NEAR;
  },

  build({ controls, stage, update, hover }, { T, widths, bases }, state) {
    const most = widths.at(-1) / 2, lanes = [...Array(most).keys()], places = [...Array(T).keys()], TOP = 62, TALL = 256, U = 7;
    const X = p => 19 + U * p, inside = p => clip(p, 0, T - 1), mark = p => state.threshold ? Math.round(p) : p;
    const near = p => Math.abs(p - Math.round(p)) < .25 ? Math.round(p) : round(p, 1);           // whole positions draw the hand
    const pick = choices(controls, "width D", widths.map(D => `${D / 2} clocks (D = ${D})`), k => { state.D = widths[k]; update(); });
    const bits = choices(controls, "what is shown", ["as bits"], () => { state.threshold = !state.threshold; state.i = mark(state.i); state.j = mark(state.j); update(); });
    const basis = slider(controls, "base", { min: 0, max: bases.length - 1, step: 1 }, k => `${bases[k]}`, k => { state.base = bases[k]; update(); });
    const go = (which, p) => { state[which] = inside(mark(near(p))); update(); };
    const both = d => {                     // as far as both can go
      const i = inside(mark(near(state.i + clip(d, -Math.min(state.i, state.j), T - 1 - Math.max(state.i, state.j)))));
      Object.assign(state, { j: round(inside(state.j + i - state.i), 1), i });
      update();
    };
    let now, height, drawn;

    // The waves, and what lies under all of them: the two positions.
    const waves = picture(stage, 480, 460, "each pair: a sine (—) and a cosine (- -)");
    const curves = lanes.map(() => ({ axis: createElement(waves, "path", { stroke: FAINT }), sine: createElement(waves, "path", { stroke: GREY, "stroke-width": 2, fill: "none" }), cosine: createElement(waves, "path", { stroke: GREY, "stroke-width": 1.7, "stroke-dasharray": "5 4", fill: "none" }) }));
    const ZEROLINE = 398, HALF = 34, title = createElement(waves, "text", { x: X(0), y: 358, class: "small halo", "pointer-events": "none" });
    const bars = places.map(p => {
      const g = createElement(waves, "g"), bar = createElement(g, "rect", { x: X(p) - 2.5, width: 5, fill: GREY, class: "level" });
      createElement(g, "rect", { x: X(p) - U / 2, y: ZEROLINE - HALF, width: U, height: 2 * HALF, fill: "transparent" });
      hover(g, ({ i, D, products, agree, threshold }) => threshold ? `Position ${general(i, 3)} and position ${p}: ${agree[p]} of ${D} bits agree.`
        : `Position ${general(i, 3)} · position ${p}, ${general(Math.abs(i - p), 3)} apart: ${fixed(products[p], 2)}.`);
      return bar;
    });
    const floor = createElement(waves, "path", { stroke: GREY }), level = createElement(waves, "path", { stroke: ORANGE, "stroke-width": 2, "stroke-dasharray": "2 4" });
    const tens = places.filter(p => p % 10 == 0).map(p => ({ p, text: createElement(waves, "text", { x: X(p), y: 453, class: "small soft middle" }, p) }));
    const bridge = createElement(waves, "g"), beam = createElement(bridge, "path", { stroke: GREY, "stroke-width": 3 });
    const lines = [["i", "first position", PURPLE, 44], ["j", "second position", ORANGE, 448]].map(([which, label, colour, y], k) => {
      const g = createElement(waves, "g"), line = createElement(g, "path", { stroke: colour, "stroke-width": 2.5, d: k ? "M0 62V436" : "M0 54V436", "stroke-dasharray": k ? "7 3" : "" });
      createElement(g, "path", { d: "M0 56V436", stroke: "transparent", "stroke-width": 12 });
      const dots = lanes.map(() => [0, 1].map(() => createElement(g, "circle", { r: 4.5, fill: colour, stroke: "var(--page)" })));
      createElement(g, "path", { d: k ? "M-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0" : "M-11 0L0-11L11 0L0 11Z", fill: colour, transform: `translate(0 ${y})` });
      const text = createElement(g, "text", { y: y + 5.5, class: "title halo" });
      createElement(g, "circle", { class: "grip", r: 17, cy: y });
      handle(g, waves, { label, at: () => [X(state[which]), y], move: x => go(which, (x - X(0)) / U), step: (dx, dy) => go(which, Math.round(state[which]) + dx + dy), home: () => go(which, 0), end: () => go(which, T - 1) });
      return { g, dots, text, which };
    });
    createElement(bridge, "rect", { x: -17, y: 325, width: 34, height: 22, rx: 11, fill: "var(--page)", stroke: GREY, "stroke-width": 1.5 });
    createElement(bridge, "path", { d: "M-8 336H8M-4 332L-9 336L-4 340M4 332L9 336L4 340", stroke: "currentColor", "stroke-width": 2, fill: "none" });
    createElement(bridge, "rect", { class: "grip", x: -20, y: 322, width: 40, height: 28, rx: 14 });
    waves.append(title, bridge);
    handle(bridge, waves, { label: "both positions", at: () => [X(state.i), 336], move: x => both((x - X(state.i)) / U), step: (dx, dy) => both(dx + dy), home: () => both(-T), end: () => both(T) });

    // The clocks: (sine, cosine) is the tip of a hand that starts at the top.
    const sheet = picture(stage, 380, 460, "each pair is a clock with two hands"), C = 36;
    createElement(sheet, "text", { x: 158, y: 46, class: "small soft end" }, "positions a turn");
    const head = createElement(sheet, "text", { x: 376, y: 46, class: "small soft end" });
    const clocks = lanes.map(m => {
      const g = createElement(sheet, "g"), catcher = createElement(g, "rect", { width: 380, fill: "transparent" }), wedge = createElement(g, "path", { fill: FAINT }), face = createElement(g, "circle", { cx: C, fill: "none", stroke: GREY, "stroke-width": 1.5 });
      const cross = createElement(g, "path", { stroke: FAINT }), [first, second] = [PURPLE, ORANGE].map((colour, k) => ({ line: createElement(g, "path", { stroke: colour, "stroke-width": 2.5, "stroke-dasharray": k ? "5 2" : "" }), tip: createElement(g, "g") }));
      [second, first].forEach(({ tip }, k) => { g.append(tip); createElement(tip, "circle", { r: 4.5, fill: [ORANGE, PURPLE][k] }); });
      const grip = createElement(first.tip, "circle", { class: "grip" });
      const turn = createElement(g, "text", { x: 158, class: "small end" }), middle = createElement(g, "path", { stroke: FAINT }), bar = createElement(g, "rect", { rx: 2, fill: GREY }), value = createElement(g, "text", { x: 376, class: "end" });
      const read = [PURPLE, ORANGE].map((colour, k) => { const text = createElement(g, "text", { x: 214 + 56 * k, class: "middle title" }); text.style.fill = colour; return text; });
      hover(g, ({ i, j, speeds: { [m]: w }, rows, cosines, bits, equal, threshold }) => threshold
        ? `Clock ${m}: position ${general(i, 3)} reads ${bits[0][m].join("")}, position ${general(j, 3)} reads ${bits[1][m].join("")}: ${equal[m]} of 2 agree. The first bit says right of the middle, the second above it.`
        : `Clock ${m} turns by ${general(w, 3)} radians a position. Hands at (${rows[0][m].map(x => fixed(x, 2)).join(", ")}) and (${rows[1][m].map(x => fixed(x, 2)).join(", ")}): product ${fixed(cosines[m], 2)}, the cosine of ${general(Math.abs(i - j), 3)} × ${general(w, 3)}.`);
      // A hand that is turned takes its position along, and with it all other clocks.
      let p;
      handle(first.tip, sheet, {
        label: `first hand of clock ${m}`, at: () => { p = state.i; return tip(m, now.rows[0][m]); },
        move: (x, y) => {
          const w = now.speeds[m], angle = Math.atan2(x - C, centre(m) - y) - p * w, way = angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
          p = inside(p + way / w);
          go("i", p);
        }, step: dx => go("i", Math.round(state.i) + dx), home: () => go("i", 0), end: () => go("i", T - 1),
      });
      setAttributes(first.tip, { tabindex: -1 });              // its position is reached by keys already
      return { g, catcher, wedge, face, cross, first, second, turn, middle, bar, value, read, grip };
    });
    const centre = m => TOP + height * (m + .5), radius = () => Math.min(.44 * height, 34), tip = (m, [x, y], r = radius()) => [C + r * x, centre(m) - r * y];
    const result = createElement(sheet, "text", { x: 376, y: 390, class: "title end" }), before = createElement(sheet, "text", { x: 376, y: 418, class: "small soft end" }), last = createElement(sheet, "text", { x: 376, y: 440, class: "small soft end" });
    createElement(sheet, "path", { d: "M4 360H376", stroke: GREY });

    // A wave goes through its 64 numbers with the slopes that sine and cosine have there; as bits it is a square wave.
    const smooth = (m, v, s, y) => `M${X(0)} ${y(v(0))}` + places.slice(1).map(p => `C${X(p - 1) + U / 3} ${y(v(p - 1) + s(p - 1) / 3)} ${X(p) - U / 3} ${y(v(p) - s(p) / 3)} ${X(p)} ${y(v(p))}`).join("");
    const square = (from, gap, y) => {
      let path = `M${X(0)} ${y(1)}`, up = 1;
      for (let p = from; p < T - 1; p += gap) path += `H${X(p)}V${y(up = -up)}`;
      return path + `H${X(T - 1)}`;
    };
    const trace = ({ D, base, threshold, R, speeds }) => {
      if (drawn == `${D} ${base} ${threshold}`) return;
      drawn = `${D} ${base} ${threshold}`;
      curves.forEach(({ axis, sine, cosine }, m) => {
        for (const part of [axis, sine, cosine]) part.style.display = m < D / 2 ? "" : "none";
        if (m >= D / 2) return;
        const w = speeds[m], y = x => round(centre(m) - .4 * height * x), low = x => y(.82 * x);
        setAttributes(axis, { d: `M${X(0)} ${centre(m)}H${X(T - 1)}` });
        setAttributes(sine, { d: threshold ? square(Math.PI / w, Math.PI / w, y) : smooth(m, p => R[p][2 * m], p => w * R[p][2 * m + 1], y) });
        setAttributes(cosine, { d: threshold ? square(Math.PI / w / 2, Math.PI / w, low) : smooth(m, p => R[p][2 * m + 1], p => -w * R[p][2 * m], y) });
      });
    };

    return numbers => {
      now = numbers;
      const { i, j, D, base, threshold, rows, speeds, cosines, product, products, began, bits: signs, agree, equal, alike, codes } = numbers, n = D / 2;
      height = TALL / n;
      pick(widths.indexOf(D));
      bits(threshold ? 0 : -1);
      basis(bases.reduce((best, b, k) => Math.abs(Math.log(b / base)) < Math.abs(Math.log(bases[best] / base)) ? k : best, 0));
      trace(numbers);
      lines.forEach(({ g, dots, text, which }, k) => {
        const p = numbers[which], left = p > 56;
        setAttributes(g, { transform: `translate(${X(p)})` });
        dots.forEach((pair, m) => pair.forEach((dot, f) => {
          dot.style.display = m < n ? "" : "none";
          if (m < n) setAttributes(dot, { cy: centre(m) - .4 * height * (threshold ? (2 * signs[k][m][f] - 1) * (f ? .82 : 1) : rows[k][m][f]) });
        }));
        setText(text, general(p, 3), { x: left ? -16 : 16, "text-anchor": left ? "end" : "start" });
        announce(g, `position ${general(p, 3)}`, p, 0, T - 1);
      });
      for (const { p, text } of tens) text.style.display = Math.abs(p - j) < 3 || p > j && p < j + 7 && j <= 56 || p < j && p > j - 7 && j > 56 ? "none" : "";
      const middle = (X(i) + X(j)) / 2;
      setAttributes(bridge, { transform: `translate(${middle})` });
      setAttributes(beam, { d: `M${X(i) - middle} 336H${X(j) - middle}` });
      announce(bridge, `positions ${general(i, 3)} and ${general(j, 3)}`, i, 0, T - 1);
      const base0 = threshold ? ZEROLINE + HALF : ZEROLINE, unit = threshold ? 2 * HALF / D : HALF / n;
      bars.forEach((bar, p) => {
        const y = threshold ? agree[p] : products[p];
        setAttributes(bar, { y: base0 - unit * Math.max(0, y), height: unit * Math.abs(y), "fill-opacity": threshold && agree[p] < D ? .4 : 1 });
      });
      setAttributes(floor, { d: `M${X(0) - 4} ${base0}H${X(T - 1) + 4}` });
      setAttributes(level, { d: threshold ? "" : `M${X(0) - 4} ${base0 - unit * product}H${X(T - 1) + 4}` });
      setText(title, threshold ? `bits that agree with position ${general(i, 3)}` : `product of position ${general(i, 3)} with each`);
      clocks.forEach(({ g, catcher, wedge, face, cross, first, second, turn, middle, bar, value, read, grip }, m) => {
        g.style.display = m < n ? "" : "none";
        if (m >= n) return;
        const y = centre(m), r = radius(), [a, b] = rows.map(row => tip(m, row[m])), w = 60;
        setAttributes(catcher, { y: y - height / 2, height });
        setAttributes(face, { cy: y, r });
        setAttributes(cross, { d: threshold ? `M${C - r} ${y}H${C + r}M${C} ${y - r}V${y + r}` : "" });
        const side = rows[0][m][0] * rows[1][m][1] - rows[0][m][1] * rows[1][m][0];                     // which way round the two hands are nearer
        setAttributes(wedge, { d: threshold ? "" : `M${C} ${y}L${a}A${r} ${r} 0 0 ${side > 0 ? 0 : 1} ${b}Z` });
        for (const [{ line, tip: end }, at] of [[second, b], [first, a]]) setAttributes(line, { d: `M${C} ${y}L${at}` }), setAttributes(end, { transform: `translate(${at})` });
        setAttributes(grip, { r: Math.min(13, .28 * height) });
        announce(first.tip, `position ${general(i, 3)}`, i, 0, T - 1);
        setAttributes(middle, { d: threshold ? "" : `M250 ${y - .3 * height}V${y + .3 * height}` });
        const length = threshold ? 0 : w * cosines[m];
        setAttributes(bar, { x: 250 + Math.min(0, length), width: Math.abs(length), y: y - Math.min(8, .3 * height), height: Math.min(16, .6 * height) });
        setText(turn, fixed(2 * Math.PI / speeds[m], 1), { y: y + 5 });
        setText(value, threshold ? `${equal[m]} of 2` : fixed(cosines[m], 2), { y: y + 5.5 });
        read.forEach((text, k) => setText(text, threshold ? signs[k][m].join(" ") : "", { y: y + 5.5 }));
      });
      setText(head, threshold ? "bits, and how many agree" : "cosine of the angle");
      setText(result, threshold ? `${sum(equal)} of ${D} bits agree` : `all together, their product: ${fixed(product, 2)}`);
      setText(before, threshold ? `${alike} of 64 positions read as ${general(i, 3)} does` : `${general(Math.abs(i - j), 3)} apart; at 12 and 21 it was ${fixed(began, 2)}`);
      setText(last, threshold ? `${codes} different codes` : `at most ${n}`);
    };
  },
});
})();
