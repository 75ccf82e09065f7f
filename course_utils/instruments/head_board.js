// All heads of a model as a board of thirty by nine: where each looks, and what is lost without one of them.
(() => {
const { fixed, clip, PURPLE, SKY, RED, FAINT, createElement, setAttributes, setText, picture, handle, announce, choices, table, instrument } = courseKit;

instrument("HeadBoard", {
  hint: "Drag the ✗ onto a head, or press one: it is silenced. Point at one: it tells where it looks.",

  compute({ colour, silent }, { H, where, looks, copy, plain }) {
    const cut = silent >= 0;
    return { colour, by: where[colour], values: looks[colour], silent, block: cut ? Math.floor(silent / H) + 1 : 0, head: cut ? silent % H + 1 : 0,
      gives: looks.map(row => cut ? row[silent] : 0), copy: cut ? copy[silent] : 0, plain: cut ? plain[silent] : 0 };
  },

  describe({ by, silent, block, head, gives, copy, plain }) {
    const shown = `Height: weight on ${by}.`;
    if (silent < 0) return `${shown} No head is silenced; all 270 are at work.`;
    const gave = gives.map(weight => fixed(weight, 2)).join(" / ");
    return `${shown} Without head (${block}, ${head}), which gave ${gave} to the three places, surprise changes by ${fixed(copy, 2)} in the second copy, by ${fixed(plain, 2)} in plain text.`;
  },

  met({ gives, copy }) {
    return copy > 0.995 && gives[0] < 0.105;
  },

  build({ controls, stage, update, hover }, { H, L, where, looks, copy, plain }, state) {
    const pick = choices(controls, "height", where, k => { state.colour = k; update(); }), W = 26, SIZE = 24, X = 62, Y = 44;
    const sheet = picture(stage, 862, 372, "the heads of the model, block by block");
    for (let l = 0; l < L; l++) if (l % 3 == 0) createElement(sheet, "text", { x: X + l * W + W / 2, y: 38, class: "small soft middle" }, l + 1);
    for (let h = 0; h < H; h++) createElement(sheet, "text", { x: X - 8, y: Y + h * SIZE + 17, class: "small soft end" }, h + 1);
    createElement(sheet, "text", { x: X - 8, y: 38, class: "small soft end" }, "block");
    const squares = table(sheet, "heads: a row for each place in a block, a column for each block", H, L, { x: X, y: Y, width: W, height: SIZE }, hover, (h, l) => {
      const k = l * H + h;
      return `Head (${l + 1}, ${h + 1}): ${where.map((place, c) => `${fixed(looks[c][k], 2)} to ${place}`).join(", ")}. Silenced, it changes the second copy by ${fixed(copy[k], 2)}, plain text by ${fixed(plain[k], 2)}.`;
    }).map((row, h) => row.map((cell, l) => {
      cell.style.cursor = "pointer";
      const frame = createElement(cell, "rect", { x: 1, y: 1, width: W - 2, height: SIZE - 2, rx: 3, stroke: FAINT, fill: "transparent" });
      const level = createElement(cell, "rect", { x: 2, width: W - 4, rx: 2, fill: SKY, class: "level" });
      const press = () => { state.silent = state.silent == l * H + h ? -1 : l * H + h; update(); };
      cell.addEventListener("click", press);
      cell.addEventListener("keydown", event => {
        if (event.key != "Enter" && event.key != " ") return;
        event.preventDefault();
        press();
      });
      return { cell, frame, level };
    }));
    // The cut: a cross that lies on the silenced head, or waits below the board.
    const lies = () => state.silent < 0 ? [X - 34, 300] : [X + Math.floor(state.silent / H) * W + W / 2, Y + state.silent % H * SIZE + SIZE / 2];
    const put = (l, h) => { state.silent = h < 0 || h >= H ? -1 : clip(l, 0, L - 1) * H + h; update(); };
    const cross = createElement(sheet, "g");
    createElement(cross, "circle", { r: 13, fill: "none", stroke: PURPLE, "stroke-width": 3 });
    createElement(cross, "path", { d: "M-6-6L6 6M6-6L-6 6", stroke: RED, "stroke-width": 3, "stroke-linecap": "round" });
    createElement(cross, "circle", { class: "grip", r: 16 });
    handle(cross, sheet, { label: "the cut", at: lies, move: (x, y) => put(Math.floor((x - X) / W), Math.floor((y - Y) / SIZE)),
      step: (dx, dy) => state.silent < 0 ? put(0, 0) : put(Math.floor(state.silent / H) + dx, clip(state.silent % H - dy, 0, H - 1)),
      home: () => put(0, -1), end: () => put(L - 1, H - 1) });
    const rows = ["second copy", "plain text"].map((name, k) => {
      const y = 292 + 36 * k;
      createElement(sheet, "text", { x: 176, y: y + 16, class: "end" }, name);
      return { bar: createElement(sheet, "rect", { y, height: 22, rx: 3 }), value: createElement(sheet, "text", { y: y + 16 }) };
    });
    createElement(sheet, "path", { d: "M196 286V356", stroke: FAINT });
    const note = createElement(sheet, "text", { x: 196, y: 280, class: "small soft" });

    return ({ colour, values, silent, copy, plain }) => {
      pick(colour);
      squares.forEach((row, h) => row.forEach(({ cell, frame, level }, l) => {
        const k = l * H + h, value = values[k];
        setAttributes(cell, { "aria-selected": k == silent });
        setAttributes(frame, { stroke: k == silent ? PURPLE : FAINT, "stroke-width": k == silent ? 3 : 1 });
        setAttributes(level, { y: 2 + (SIZE - 4) * (1 - value), height: (SIZE - 4) * value, "fill-opacity": k == silent ? .3 : .85 });
      }));
      const l = Math.floor(silent / H), h = silent % H, [x, y] = lies();
      setAttributes(cross, { transform: `translate(${x} ${y})` });
      announce(cross, silent < 0 ? "no head is silenced" : `on head (${l + 1}, ${h + 1})`, silent, -1, L * H - 1);
      setText(note, silent < 0 ? "No head is silenced." : `Surprise a word changes by, without head (${l + 1}, ${h + 1}):`);
      [copy, plain].forEach((change, k) => {
        const far = 70 * Math.abs(change);
        setAttributes(rows[k].bar, { x: change < 0 ? 196 - Math.min(far, 20) : 196, width: Math.min(far, 560), fill: change > 0 ? RED : PURPLE });
        setText(rows[k].value, silent < 0 ? "" : fixed(change, 2), { x: 204 + Math.max(0, Math.min(70 * change, 560)) });
      });
    };
  },
});
})();
