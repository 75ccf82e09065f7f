// A knob stands between four heads; every number of its W_Q can be dragged: whom each token looks at, and what it receives.
(() => {
const { sum, times, transpose, softmax, fixed, general, clip, round, PURPLE, SKY, GREY, FAINT, createElement, setAttributes, setText, picture, handle, announce, table, instrument } = courseKit;
const NOISE = 1e-9, LITTLE = 0.045, MOST = 20;

instrument("HeadExplorer", {
  hint: "Press a head. Drag the knob between the heads, or a number of the matrix up or down. Point at a weight: it tells its product, term by term.",

  compute({ at: [x, y], moved, query }, { names, vocabulary, heads: called, X, W_V, matrices, width, asker, wanted }) {
    const shares = [(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y], V = times(X, W_V), keys = transpose(X);
    const W_Q = keys.map((_, i) => keys.map((_, j) => sum(shares.map((c, h) => c * matrices[h][i][j]))));
    let changed = 0;
    for (const [i, j, value] of moved) {
      if (Math.abs(value - W_Q[i][j]) > NOISE) changed++;
      W_Q[i][j] = value;
    }
    const score = Q => times(Q, keys).map(row => row.map(s => s / Math.sqrt(width))), Q = times(X, W_Q), scores = score(Q), weights = scores.map(softmax), outputs = times(weights, V);
    return { words: { called, names, vocabulary }, shares, W_Q, changed, query, Q, scores, weights, outputs, heads: matrices.map(W => score(times(X, W)).map(softmax)), got: outputs[asker][wanted] };
  },

  describe({ words: { called, names, vocabulary }, shares, changed, query, weights, outputs }) {
    const mix = called.flatMap((name, h) => shares[h] > NOISE ? [[name, shares[h]]] : []);
    const head = (mix.length == 1 ? `Head: ${mix[0][0]}` : `A mix of heads: ${mix.map(([name, share]) => `${name} ${fixed(share, 2)}`).join(", ")}`)
      + (changed ? `; ${changed} number${changed > 1 ? "s" : ""} changed` : "");
    const list = (all, x) => all.flatMap((name, k) => x[k] > LITTLE ? [`${name} ${fixed(x[k], 2)}`] : []).join(", ");
    return `${head}. ${names[query]} looks at ${list(names, weights[query])}. It receives ${list(vocabulary, outputs[query])}.`;
  },

  met({ shares, changed, got }) {
    return shares[0] == 1 && changed == 1 && got > 0.7;
  },

  build({ stage, update, hover }, { names, tokens, vocabulary, features, heads, matrices, width }, state) {
    const all = [...tokens.keys()], several = [...features.keys()], base = (i, j) => {
      const [x, y] = state.at;
      return sum([(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y].map((c, h) => c * matrices[h][i][j]));
    };

    // The four heads at the corners, the knob between them.
    const map = picture(stage, 228, 400, "four heads"), S = 15, [A, B, C, D] = [49, 179, 150, 276];
    createElement(map, "rect", { x: A, y: C, width: B - A, height: D - C, rx: 4, fill: FAINT, "fill-opacity": .35, stroke: FAINT });
    const small = heads.map((name, h) => {
      const g = createElement(map, "g", { role: "button", tabindex: 0, "aria-label": `head ${name}`, transform: `translate(${h % 2 ? 141.5 : 11.5} ${h < 2 ? 48 : 298})`, style: "cursor:pointer;outline:0" });
      createElement(map, "path", { d: `M${h % 2 ? B : A} ${h < 2 ? C : D}V${h < 2 ? 125 : 297}`, stroke: FAINT, "stroke-width": 2 });
      createElement(g, "text", { x: 37.5, y: h < 2 ? -8 : 94, class: "small middle", "aria-hidden": true }, name);
      const squares = all.map(i => all.map(j => createElement(g, "rect", { x: S * j + .5, y: S * i + .5, width: S - 1, height: S - 1, rx: 1.5, fill: SKY })));
      const frame = createElement(g, "rect", { x: -3, y: -3, width: 5 * S + 6, height: 5 * S + 6, rx: 5, fill: "transparent", stroke: PURPLE });
      createElement(g, "rect", { class: "grip", x: -7, y: -7, width: 5 * S + 14, height: 5 * S + 14, rx: 7 });
      const press = () => { Object.assign(state, { at: [h % 2, h < 2 ? 0 : 1], moved: [] }); update(); };
      g.addEventListener("click", press);
      g.addEventListener("keydown", event => { if (event.key == "Enter" || event.key == " ") event.preventDefault(), press(); });
      hover(g, ({ heads, query }) => `In “${name}” ${names[query]} looks at ${names.flatMap((other, j) => heads[h][query][j] > LITTLE ? [`${other} ${fixed(heads[h][query][j], 2)}`] : []).join(", ")}.`);
      return { g, squares, frame };
    });
    const place = ([x, y]) => [A + (B - A) * x, C + (D - C) * y], go = (x, y) => { state.at = [round(clip(x, 0, 1)), round(clip(y, 0, 1))]; update(); };
    const strings = heads.map(() => createElement(map, "path", { stroke: PURPLE, "stroke-opacity": .5, "stroke-linecap": "round" }));
    const knob = createElement(map, "g"), dot = createElement(knob, "circle", { r: 9, fill: PURPLE }), grip = createElement(knob, "circle", { class: "grip", r: 19 });
    handle(knob, map, { label: "mix of heads", at: () => place(state.at), move: (x, y) => go((x - A) / (B - A), (y - C) / (D - C)),
      step: (dx, dy) => go(state.at[0] + dx / 20, state.at[1] - dy / 20), home: () => go(0, 0), end: () => go(.5, .5) });

    // W_Q: a row for what a token is, a column for what it looks for.
    const N = features.length, W = 26, L = 60, TOP = 96, matrix = picture(stage, 326, 400, "W_Q of the head at the knob"), title = matrix.querySelector(".title");
    title.textContent = "W";
    createElement(title, "tspan", { dy: 4, style: "font-size:75%" }, "Q");
    createElement(title, "tspan", { dy: -4 }, " of the head at the knob");
    several.forEach(i => {
      createElement(matrix, "text", { x: L - 5, y: TOP + W * i + 18, class: "small end" }, features[i]);
      createElement(matrix, "text", { transform: `translate(${L + W * i + 10} ${TOP - 5})rotate(-52)`, class: "small" }, features[i]);
    });
    createElement(matrix, "text", { x: 0, y: TOP - 10, class: "small soft" }, "who is ↓");
    createElement(matrix, "text", { x: 0, y: 44, class: "small soft" }, "looks for →");
    const entries = several.map(i => several.map(j => {
      const g = createElement(matrix, "g", { "aria-label": `${features[i]} looks for ${features[j]}` }), x = L + W * j, y = TOP + W * i;
      const square = createElement(g, "rect", { x: x + 1, y: y + 1, width: W - 2, height: W - 2, rx: 3, stroke: FAINT }), text = createElement(g, "text", { x: x + W / 2, y: y + 18, class: "small middle" });
      createElement(g, "rect", { class: "grip", x, y, width: W, height: W, rx: 4 });
      const now = () => state.moved.find(([r, c]) => r == i && c == j)?.[2] ?? base(i, j), keep = value => {
        state.moved = state.moved.filter(([r, c]) => r != i || c != j);
        if (value !== null && Math.abs(value - base(i, j)) > NOISE) state.moved.push([i, j, value]);
        update();
      };
      const next = way => {                                            // a row further with Shift
        const k = clip(N * i + j + (Math.abs(way) > 1 ? Math.sign(way) * N : way), 0, N * N - 1), to = entries[Math.floor(k / N)][k % N].g;
        g.tabIndex = -1;
        to.tabIndex = 0;
        to.focus();
      };
      handle(g, matrix, { at: () => [0, -3 * now()], move: (_, y) => keep(clip(Math.round(-y / 3), -MOST, MOST)), step: (dx, dy) => dx ? next(dx) : keep(clip(Math.round(now() + dy), -MOST, MOST)),
        home: () => keep(null), end: () => keep(MOST) });
      g.tabIndex = i || j ? -1 : 0;
      hover(g, ({ W_Q }) => `${features[i]} → ${features[j]}: ${general(W_Q[i][j], 3)}. A token that is ${features[i]} adds ${general(W_Q[i][j], 3)} / √${width} = ${fixed(W_Q[i][j] / Math.sqrt(width), 2)} to its score with every token that is ${features[j]}.`);
      return { g, square, text };
    }));
    createElement(matrix, "path", { d: `M${L} ${TOP + 4 * W}h${N * W}M${L + 4 * W} ${TOP}v${N * W}`, stroke: GREY, "pointer-events": "none" });
    createElement(matrix, "text", { x: L, y: 352, class: "small soft" }, "Drag a number up or down.");
    createElement(matrix, "text", { x: L, y: 372, class: "small soft" }, "Keys are the tokens as they are.");

    const sheet = picture(stage, 292, 400, "weights"), U = 46, H = 40, X = 58, Y = 58;
    all.forEach(j => createElement(sheet, "text", { x: X + U * j + U / 2, y: 48, class: "middle" }, tokens[j]));
    const asks = all.map(i => createElement(sheet, "text", { x: X - 7, y: Y + H * i + H / 2 + 5.5, class: "end" }, tokens[i]));
    const cells = table(sheet, "weights, row by row", all.length, all.length, { x: X, y: Y, width: U, height: H }, hover, (i, j, { Q, scores, weights }) => {
      const word = vocabulary.indexOf(tokens[j]), there = vocabulary.length + j, [a, b] = [word, there].map(f => Q[i][f]);
      return `${names[i]} · ${names[j]}: ${general(a, 3)}·1 (${features[word]}) + ${general(b, 3)}·1 (${features[there]}) = ${general(a + b, 3)}, by √${width}: ${fixed(scores[i][j], 2)}. `
        + `e^${fixed(scores[i][j], 2)} = ${fixed(Math.exp(scores[i][j]), 2)}, of ${fixed(sum(scores[i].map(Math.exp)), 2)} in the row: ${fixed(weights[i][j], 2)}.`;
    });
    const levels = cells.map((row, i) => row.map(cell => {
      const pick = () => { if (state.query != i) state.query = i, update(); };
      cell.style.cursor = "pointer";
      cell.addEventListener("click", pick);
      cell.addEventListener("focus", pick);
      createElement(cell, "rect", { x: 2, y: 2, width: U - 4, height: H - 4, rx: 3, fill: "none", stroke: FAINT });
      return { level: createElement(cell, "rect", { x: 2, width: U - 4, rx: 3, fill: SKY, class: "level" }), text: createElement(cell, "text", { x: U / 2, y: H / 2 + 5.5, class: "middle" }) };
    }));
    const frame = createElement(sheet, "rect", { x: X - 1, width: U * all.length + 2, height: H, rx: 5, fill: "none", stroke: PURPLE, "stroke-width": 3, "pointer-events": "none" });
    const receives = createElement(sheet, "text", { x: 146, y: 290, class: "title middle" });
    const gets = vocabulary.map((word, k) => {
      createElement(sheet, "text", { x: X - 7, y: 318 + 25 * k, class: "end" }, word);
      createElement(sheet, "rect", { x: X, y: 303 + 25 * k, width: 180, height: 20, rx: 3, fill: "none", stroke: FAINT });
      return { bar: createElement(sheet, "rect", { x: X, y: 303 + 25 * k, height: 20, rx: 3, fill: SKY, "fill-opacity": .7 }), value: createElement(sheet, "text", { x: 290, y: 318 + 25 * k, class: "end" }) };
    });

    return ({ shares, W_Q, query, weights, outputs, heads: tables }) => {
      const at = place(state.at);
      small.forEach(({ g, squares, frame }, h) => {
        squares.forEach((row, i) => row.forEach((square, j) => setAttributes(square, { "fill-opacity": (.08 + .92 * tables[h][i][j]).toFixed(2) })));
        setAttributes(g, { "aria-pressed": shares[h] == 1 });
        setAttributes(frame, { "stroke-width": shares[h] == 1 ? 3.5 : 0 });
        setAttributes(strings[h], { d: `M${at}L${h % 2 ? B : A} ${h < 2 ? C : D}`, "stroke-width": 12 * shares[h] });
      });
      setAttributes(dot, { cx: at[0], cy: at[1] });
      setAttributes(grip, { cx: at[0], cy: at[1] });
      announce(knob, heads.flatMap((name, h) => shares[h] > NOISE ? [`${name} ${fixed(shares[h], 2)}`] : []).join(", "), state.at[0], 0, 1);
      entries.forEach((row, i) => row.forEach(({ g, square, text }, j) => {
        const value = W_Q[i][j], mine = state.moved.some(([r, c]) => r == i && c == j);
        setAttributes(square, { fill: PURPLE, "fill-opacity": (.55 * Math.abs(value) / MOST).toFixed(2), stroke: mine ? "currentColor" : FAINT, "stroke-width": mine ? 2 : 1, "stroke-dasharray": value < 0 ? "3 2" : "" });
        setText(text, Math.abs(value) > .005 ? general(value, 2) : "");
        announce(g, general(value, 3), value, -MOST, MOST);
      }));
      levels.forEach((row, i) => {
        asks[i].classList.toggle("title", i == query);
        row.forEach(({ level, text }, j) => {
          setAttributes(level, { y: 2 + (H - 4) * (1 - weights[i][j]), height: (H - 4) * weights[i][j], "fill-opacity": i == query ? .7 : .4 });
          setText(text, fixed(weights[i][j], 2));
        });
      });
      setAttributes(frame, { y: Y + H * query });
      setText(receives, `what ${names[query]} receives`);
      gets.forEach(({ bar, value }, k) => {
        setAttributes(bar, { width: 180 * outputs[query][k] });
        setText(value, fixed(outputs[query][k], 2));
      });
    };
  },
});
})();
