// The whole machine: lanes of tokens flow through all its stages to the next word, which is fed back. Wide it flows to the right, on a phone downwards.
(() => {
const { sum, softmax, fixed, clip, round, textTint, GREY, FAINT, createElement, setAttributes, setText, handle, announce, choices, animate, goal, rule, instrument } = courseKit;

const WHOLE = 12, ATTENTION = [4, 6], FEED_FORWARD = [5, 7], UNITS = 64, called = token => token == "." ? "full stop" : token;
const looks = (tokens, weights, n) => [...tokens.keys()].filter(j => weights[j] > 0.005)
  .sort((i, j) => +weights[j].toFixed(6) - +weights[i].toFixed(6) || i - j).slice(0, n).map(j => `${called(tokens[j])} ${fixed(weights[j], 2)}`).join(", ");
const attends = stage => ATTENTION.includes(stage), feeds = stage => FEED_FORWARD.includes(stage);
const blockOf = stage => stage >= 4 && stage <= 7 ? 1 + (stage > 5) : 0, titleOf = (name, block) => block ? `${name}, block ${block}` : name;

// A lane's colour tells where it stands in the sentence, from the sky's blue to purple.
const colour = i => textTint(`color-mix(in oklch,#56B4E9,#AA4499 ${Math.round(100 * i / 7)}%)`, 86);
const HERE = textTint("#B86200"), PALE = share => `color-mix(in srgb,currentColor ${share}%,transparent)`, PAPER = "var(--page,#fff)";

// Three plans of the same machine: for a notebook, for a column of text, for a phone. A place is told as (along the flow, across it).
// along: where each stage begins and ends; lane(i): where a lane lies; low, high: between which all lanes lie; head, foot: what is left
// free within a stage; birth, place: where lanes begin and where places are added; reach(k): where the likeliest words stand; edges: the shapes.
const FLAT = { left: -14, most: 53, at: (a, c) => `${a} ${c}`, point: (x, y) => [x, y], low: 88, head: 10, foot: 10, birth: 8, place: 0, word: [28, 46], edge: 79, panel: 70, long: 0 };
const WIDE = {
  ...FLAT, width: 946, height: 490, lane: i => 112 + 38 * i, high: 400, begin: 816, end: 914, reach: k => 112 + 42 * k, block: 34,
  along: [[4, 72], [76, 102], [108, 166], [168, 222], [236, 360], [364, 452], [472, 596], [600, 688], [704, 746], [746, 796], [800, 862], [876, 916]],
  edges: [38, 104, 167, 229, 362, 462, 598, 690, 749, 809, 873],
};
const MIDDLE = {
  ...FLAT, most: 46, width: 742, height: 462, lane: i => 110 + 35 * i, high: 374, begin: 622, end: 712, reach: k => 110 + 39 * k, block: 27, raised: [2, 9, 11],
  along: [[4, 54], [56, 78], [82, 136], [140, 186], [198, 288], [290, 350], [366, 456], [458, 518], [528, 568], [574, 610], [616, 676], [680, 716]],
  edges: [36, 80, 138, 190, 289, 358, 457, 522, 571, 620, 668],
};
const TALL = {
  left: 0, width: 352, height: 714, most: 26, at: (a, c) => `${c} ${a}`, point: (x, y) => [y, x], tall: true, low: 8, high: 338, head: 24, foot: 6, birth: 20, place: 6,
  along: [[0, 50], [50, 86], [86, 120], [120, 158], [164, 248], [248, 308], [314, 398], [398, 458], [462, 496], [496, 544], [544, 634], [634, 680]],
  lane: i => 34 + 40 * i, word: [42, 42], begin: 586, end: 630, reach: k => 36 + 56 * k, edge: 4, panel: 4,
};
const middle = (plan, stage) => (plan.along[stage][0] + plan.along[stage][1]) / 2;
const inside = (plan, stage) => [plan.along[stage][0] + plan.head, plan.along[stage][1] - plan.foot];
const additions = plan => [middle(plan, 3) + plan.place, ...[4, 5, 6, 7].map(stage => inside(plan, stage)[1])];

// From (a, c) to (b, d), from half a width h to half a width w: points of a curve, moved to either side.
const ribbon = (plan, a, c, h, b, d, w) => {
  const points = [...Array(17).keys()].map(k => k / 16).map(t => [a + (b - a) * t * (1.5 - 1.5 * t + t * t), c + (d - c) * t * t * (3 - 2 * t), h + (w - h) * t]);
  const side = sign => points.map(([x, y, wide], k) => {
    const [u, v] = points[Math.max(0, k - 1)], [p, q] = points[Math.min(16, k + 1)], far = Math.hypot(p - u, q - v) || 1;
    return plan.at(round(x - sign * wide * (q - v) / far), round(y + sign * wide * (p - u) / far));
  });
  return `M${[...side(-1), ...side(1).reverse()].join("L")}Z`;
};
// A lane: half as wide as the root of its vector's length tells, wider (or not) after each addition; only the last one goes on to the head.
const half = length => 2.1 * Math.sqrt(length);
const lane = (plan, i, lengths, last) => {
  const h = lengths.map(half), c = plan.lane(i), begin = plan.along[2][0] + plan.birth + 3, norm = middle(plan, 8) + plan.place, end = plan.along[8][1] + (last ? 8 : 4);
  const edge = [[begin, h[0]], ...additions(plan).flatMap((a, k) => [[a - 7, h[k]], [a + 7, h[k + 1]]]), [norm - 4, h[5]], [norm + 6, 4], [end, last ? 4 : 1.5]];
  const side = sign => edge.map(([a, w]) => plan.at(a, c + sign * w));
  return `M${[...side(-1), ...side(1).reverse()].join("L")}Z`;
};
// A lens on a lane: one token by itself.
const lens = (plan, stage, i, h) => {
  const [a, b] = inside(plan, stage), c = plan.lane(i), u = a + 7, v = b - 9, m = (u + v) / 2, d = (v - u) / 4, at = plan.at;
  const bend = (from, to, up, down) => `C${at(from[0] + from[1], up)} ${at(to[0] - to[1], down)} ${at(to[0], down)}`;
  return `M${at(u, c)}${bend([u, d], [m, d], c, c - h)}${bend([m, d], [v, d], c - h, c)}${bend([v, -d], [m, -d], c, c + h)}${bend([m, -d], [u, -d], c + h, c)}Z`;
};
// The way of the likeliest word back to a lane.
const loop = (plan, i, word) => {
  const c = plan.lane(i), { end, reach } = plan, top = reach(0) - 4, foot = plan.height - 32;
  return plan.tall ? `M${reach(0) + 9 + 4 * word.length} ${foot - 8}H339Q349 ${foot - 8} 349 ${foot - 18}V22Q349 12 339 12H${c + 8}Q${c} 12 ${c} 15`
    : `M${end + 6} ${top}Q${end + 16} ${top} ${end + 16} ${top + 10}V${foot - 12}Q${end + 16} ${foot} ${end + 4} ${foot}H3Q-9 ${foot} -9 ${foot - 12}V${c + 10}Q-9 ${c} 0 ${c}`;
};

const STYLE = `.words{flex:1 1 20em}.map text{font-size:15px}.larger text{font-size:16px}.map .stop{font-size:22px}.numeral{font-variant-numeric:tabular-nums}
[role=button]{cursor:pointer;outline:0}.ring{fill:transparent}.token .ring{stroke:var(--ring,${FAINT});stroke-width:1.6}
[role=button]:focus-visible .ring{stroke:currentColor;stroke-width:2.5;stroke-dasharray:4 2}[role=button]:hover .ring{fill:${PALE(8)}}
.spark{stroke:${PAPER};stroke-width:2.5;stroke-dasharray:5 17;stroke-linecap:round;fill:none;opacity:0}
.playing .spark{opacity:.75;animation:run 1.1s linear infinite}@keyframes run{from{stroke-dashoffset:22}to{stroke-dashoffset:0}}
@media (prefers-reduced-motion:reduce){.playing .spark{animation:none}}
.heads{display:flex;flex-wrap:wrap;gap:.4em .5em;align-items:center}.links{flex-basis:100%;display:flex;flex-wrap:wrap;gap:.1em 1em;margin:.2em 0 0}
.links a{color:inherit;text-underline-offset:.2em}
@container (max-width:36em){.many a span{display:none}}`;

// Enter and Space do what a click does.
const press = (g, act) => {
  g.addEventListener("click", act);
  g.addEventListener("keydown", event => {
    if (event.key != "Enter" && event.key != " ") return;
    event.preventDefault();
    act();
  });
};
// Buttons that are one stop of the Tab key: arrow keys walk between them.
const walk = buttons => buttons.forEach((button, i) => {
  button.tabIndex = i ? -1 : 0;
  button.addEventListener("keydown", event => {
    const way = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key], next = buttons[i + way];
    if (!way) return;
    event.preventDefault();
    if (!next || next.style.display == "none") return;
    button.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
});
// A token in its box, centred in a place. Returns its group and label(token, colour).
const chip = (parent, attributes = {}) => {
  const g = createElement(parent, "g", { "pointer-events": "none" }), box = createElement(g, "rect", { height: 24, y: -17, rx: 12, fill: PAPER, "stroke-width": 2, ...attributes });
  const text = createElement(g, "text", { class: "title middle" });
  return [g, (token, colour) => {
    const width = 18 + 8 * token.length;
    setAttributes(box, { x: -width / 2, width, stroke: colour });
    setText(text, token);
    text.classList.toggle("stop", token == ".");
  }];
};
const put = (g, [x, y]) => setAttributes(g, { transform: `translate(${x} ${y})` });
const see = (part, seen) => { part.style.display = seen ? "" : "none"; };

instrument("TheMap", {
  wordy: true,
  hint: "Click a part or a lane, drag the knob along the machine, or press play.",

  compute({ here, stage, text, lane, head }, { words, passes, stages, lectures }) {
    const { ids, lengths, weights: all, awake, logits } = passes[text], { name, shape, says } = stages[stage] ?? { name: "the whole machine", shape: "", says: "" };
    const T = ids.length, mean = heads => heads[0].map((row, i) => row.map((_, j) => sum(heads.map(A => A[i][j])) / heads.length));
    const weights = all.map(heads => head ? heads[head - 1] : mean(heads));
    const shares = softmax(logits), order = [...words.keys()].sort((i, j) => shares[j] - shares[i]).slice(0, 5), block = blockOf(stage);
    return { here, about: lectures[here]?.about ?? "", stage, title: titleOf(name, block), block, says, shape: shape.replaceAll("T", T), tokens: ids.map(id => words[id]),
      ids, lane: lane ?? T - 1, head, weights, lengths, awake, best: order.map(i => words[i]), scores: order.map(i => logits[i]), shares: order.map(i => shares[i]),
      rest: 1 - sum(order.map(i => shares[i])), others: words.length - 5 };
  },

  describe({ here, about, stage, title, block, says, shape, tokens, ids, lane, head, weights, lengths, awake, best, scores, shares, rest, others }) {
    const text = tokens.slice(1).join(" "), who = called(tokens[lane]), next = best.map(called), heads = head ? `head ${head}` : "mean of four heads";
    const length = lengths.map(row => fixed(row[lane], 1)), listed = values => next.map((word, k) => `${word} ${fixed(values[k], 2)}`).join(", "), share = fixed(shares[0], 2);
    if (stage == 12) return (here ? `You are here: lecture ${here}, ${about}. ` : "") + `"${text}" goes in, and ${next[0].replace("full", "the full")} comes out, with ${share} of all shares, and is fed back. `
      + `On the way, in block 2, ${who} looks most at ${looks(tokens, weights[1][lane], 1)} (${heads}).`;
    const now = stage == 0 ? `Here: "${text}".`
      : stage == 1 ? `Here ${who} is ${ids[lane]}.`
      : stage <= 3 ? `Here the vector of ${who} has length ${length[stage - 2]}.`
      : attends(stage) ? `Here ${who} looks at ${looks(tokens, weights[block - 1][lane], 3)} (${heads}).`
      : feeds(stage) ? `Here ${awake[block - 1][lane]} of the 64 of ${who} stay above 0, and its vector goes from length ${length[stage - 3]} to ${length[stage - 2]}.`
      : stage == 8 ? `Here ${who} arrives with length ${length[5]}.`
      : stage == 9 ? `Here: ${listed(scores)}.`
      : stage == 10 ? `Here: ${listed(shares)}, the ${others} others ${fixed(rest, 2)}.`
      : next[0] == "full stop" ? `Here the full stop comes, with ${share}, and the sentence is finished: "${text}."`
      : `Here ${next[0]}, with ${share}: "${text} ${next[0]}".`;
    return `${title[0].toUpperCase()}${title.slice(1)}: ${shape}. ${says} ${now}`;
  },

  conditions({ here, stage, title, tokens, lane, head, weights }) {
    if (here == "00") return [goal(`the part for scores and weights: open is ${title}`, stage == 10)];
    const last = tokens.length - 1, weight = weights[1][last][2];
    return [rule(`the last token’s lane: now ${called(tokens[lane])}`, lane == last),
      goal(`dogs above 0.98 in block 2: by ${head ? `head ${head}` : "the mean of four heads"} ${fixed(weight, 2)}`, weight > 0.98)];
  },

  lesson({ here, tokens, head, weights, best, shares }) {
    if (here == "00") return `Softmax: scores become weights, and ${called(best[0])} has the largest, ${fixed(shares[0], 2)}. `
      + "This lecture moves three such scores, and lecture 01 builds the function.";
    return `Head ${head} of block 2 looks past the nearer noun at the subject: ${tokens.at(-1)} gives ${fixed(weights[1].at(-1)[2], 2)} to dogs, and next comes `
      + `${called(best[0])}. Notebook 11 takes heads away and counts what breaks.`;
  },

  build({ controls, stage: place, update, hover }, { passes, stages, lectures }, state) {
    const { lights, about } = lectures[state.here] ?? { lights: [] }, all = [...stages.keys()], slots = [...passes.at(-1).ids.keys()];
    createElement(place, "style", {}, STYLE);

    // A stage further, and at the end of the flow a word more.
    const go = (stage, text = state.text) => {
      if (text != state.text) state.lane = null;
      Object.assign(state, { stage, text });
      update();
    };
    const forth = () => {
      const { stage, text } = state;
      if (stage == WHOLE) go(0, 0);
      else if (stage < WHOLE - 1) go(stage + 1);
      else if (text + 1 < passes.length) go(0, text + 1);
      else go(WHOLE);
    };
    const back = () => {
      if (state.stage) go(state.stage - 1);
      else if (state.text) go(WHOLE - 1, state.text - 1);
    };

    // Play: forth again and again, until the sentence is finished or the hand does something else.
    const moment = () => `${state.text} ${state.stage}`;
    let playing = 0, expected, svg, paint, plan, now, over = null;
    const pause = () => {
      clearTimeout(playing);
      playing = 0;
      setText(play, "▶ play");
      svg.classList.remove("playing");
    };
    const beat = () => {
      if (!place.isConnected) return;
      forth();
      expected = moment();
      if (state.stage == WHOLE) return pause();
      svg.classList.add("playing");
      setText(play, "❚❚ pause");
      playing = setTimeout(beat, 2800);
    };
    const button = (title, act) => {
      const one = createElement(controls, "button", { type: "button" }, title);
      one.addEventListener("click", act);
      return one;
    };
    button("‹ back", back);
    const play = button("▶ play", () => playing ? pause() : beat());
    play.style.minWidth = "6em";
    button("step ›", forth);
    const heads = createElement(controls, "div", { class: "heads" }, "ribbons of");
    const pick = choices(heads, "whose ribbons", ["all heads", "1", "2", "3", "4"], head => { state.head = head; update(); });
    heads.querySelectorAll("button").forEach((one, k) => k && setAttributes(one, { "aria-label": `head ${k}` }));
    const frame = createElement(place, "div", { style: "flex:1 1 100%;min-width:0" }), links = createElement(place, "div", { class: "links" });

    // A lane that is pointed at is lit as if it were picked.
    const point = i => { over = i; paint(now); };
    const seen = ({ tokens, weights }, i) => i < tokens.length
      && `${called(tokens[i])} looks at, in block 1: ${looks(tokens, weights[0][i], 3)}; in block 2: ${looks(tokens, weights[1][i], 3)}.`;

    // A rectangle between two places.
    const rect = (parent, a, c, b, d, attributes) => {
      const [x, y] = plan.point(a, c), [width, height] = plan.point(b - a, d - c);
      return createElement(parent, "rect", { x, y, width, height, ...attributes });
    };

    // Behind all: the two blocks, what is lit, and the part that is open.
    function ground() {
      const { low, high, panel, along, tall } = plan, pinned = lights.every((s, k) => s == lights[0] + k) ? lights.at(-1) : lights[0];
      ATTENTION.forEach((s, k) => {
        const [[a], [, b]] = along.slice(s, s + 2);
        rect(svg, a - 6, low - panel, b + 6, high + 4, { rx: 12, fill: PALE(5) });
        if (!tall) createElement(svg, "text", { x: (a + b) / 2, y: plan.block + 5, class: "middle soft" }, `block ${k + 1}`);
      });
      const open = all.map(s => rect(svg, along[s][0], low, along[s][1], high, { rx: 8, fill: PALE(9) }));
      lights.forEach(s => rect(svg, along[s][0] + 1, low, along[s][1] - 1, high,
        { rx: 8, fill: HERE, "fill-opacity": .07, stroke: HERE, "stroke-width": 1.5, "stroke-opacity": .5, "stroke-dasharray": "5 4" }));
      if (lights.length) {
        const first = along[lights[0]][0], words = tall ? "◂ you are here" : `▾ you are here: ${about}`, wide = 4.8 * words.length;
        const x = tall ? high : clip((first + along[pinned][1]) / 2, wide, plan.width - 20 - wide), y = tall ? first + 16 : 12;
        createElement(svg, "text", { x, y, class: `title ${tall ? "end halo" : "middle"}` }, words).style.fill = HERE;
      }
      return ({ stage }) => all.forEach(s => see(open[s], s == stage));
    }

    // What flows is seen as far as it has come. Returns its group and front(a).
    function curtain() {
      const id = `map${Math.random().toString(36).slice(2)}`, defs = createElement(svg, "defs"), { width, height, along, tall } = plan;
      const fade = createElement(defs, "linearGradient", { id, gradientUnits: "userSpaceOnUse" }), room = { x: -20, y: -20, width: width + 40, height: height + 40 };
      createElement(fade, "stop", { offset: 0, "stop-color": "#fff" });
      createElement(fade, "stop", { offset: 1, "stop-color": "#fff", "stop-opacity": .16 });
      const mask = createElement(defs, "mask", { id: `${id}m`, maskUnits: "userSpaceOnUse", ...room });
      createElement(mask, "rect", { ...room, fill: `url(#${id})` });
      if (tall) all.slice(2).forEach(s => createElement(mask, "rect", { x: 0, y: along[s][0], width, height: 22, fill: "#000", "fill-opacity": .8 }));      // under the names
      return [createElement(svg, "g", { mask: `url(#${id}m)` }), a => {
        const [x1, y1] = plan.point(a - 24, 0), [x2, y2] = plan.point(a + 4, 0);
        setAttributes(fade, { x1, y1, x2, y2 });
      }];
    }

    // The lanes: ids, vectors, norms, ribbons, lenses, and a plus wherever something is added.
    function lanes(flow) {
      const { along, tall } = plan, norms = [...[4, 5, 6, 7].map(s => inside(plan, s)[0]), middle(plan, 8) + plan.place], lit = state.here == "06";
      const parts = slots.map(i => {
        const c = plan.lane(i), g = createElement(flow, "g"), hue = { fill: colour(i) };
        const [x, y] = plan.point(tall ? along[1][0] + 33 : middle(plan, 1), c);
        const band = createElement(g, "path", hue), id = createElement(g, "text", { x, y: y + (tall ? 0 : 5), class: "middle numeral" });
        createElement(g, "path", { class: "spark", d: `M${plan.at(along[2][0] + 20, c)}L${plan.at(along[8][1], c)}` });
        rect(g, along[2][0] + plan.birth, c - 8, along[2][0] + plan.birth + 7, c + 8, { rx: 2, ...hue });
        return { g, band, id };
      });
      const ribbons = ATTENTION.map(() => slots.map(i => {
        const g = createElement(flow, "g");
        return [g, slots.slice(0, i + 1).map(j => createElement(g, "path", { fill: colour(j) }))];
      }));
      const above = slots.map(i => {
        const c = plan.lane(i), g = createElement(flow, "g"), hue = { fill: colour(i) };
        norms.forEach(a => rect(g, a - 3, c - 9, a + 3, c + 9, { rx: 3, fill: PAPER, stroke: lit ? HERE : colour(i), "stroke-width": lit ? 3 : 1.8 }));
        const lenses = FEED_FORWARD.map(s => [s, createElement(g, "path", { ...hue, stroke: colour(i), "stroke-width": 1.5, d: lens(plan, s, i, 15) }), createElement(g, "path", hue)]);
        additions(plan).forEach(a => {
          const plus = createElement(g, "g");
          put(plus, plan.point(a, c));
          createElement(plus, "circle", { r: 6, fill: PAPER, stroke: colour(i), "stroke-width": 1.8 });
          createElement(plus, "path", { d: "M-3 0H3M0-3V3", stroke: "currentColor", "stroke-width": 1.5 });
        });
        return { g, lenses };
      });
      return ({ tokens, ids, lengths, weights, awake, lane: chosen }) => slots.forEach(i => {
        const here = i < tokens.length, picked = i == (over ?? chosen), { g, band, id } = parts[i], { g: top, lenses } = above[i];
        for (const part of [g, top, ...ribbons.map(block => block[i][0])]) see(part, here);
        if (!here) return;
        setAttributes(band, { d: lane(plan, i, lengths.map(row => row[i]), i == tokens.length - 1), "fill-opacity": picked ? .6 : .3 });
        setText(id, `${ids[i]}`);
        ribbons.forEach((block, k) => {
          const [group, paths] = block[i], [a, b] = inside(plan, ATTENTION[k]), joined = half(lengths[2 + 2 * k][i]) + 2;
          let low = plan.lane(i) - joined;
          setAttributes(group, { opacity: picked ? .9 : .2 });
          if (picked) group.parentNode.insertBefore(group, above[0].g);          // what is lit lies on top
          paths.forEach((path, j) => {
            const w = weights[k][i][j];
            see(path, w > .01);
            setAttributes(path, { d: ribbon(plan, a + 3, plan.lane(j), 12 * w, b, low + joined * w, joined * w) });
            low += 2 * joined * w;
          });
        });
        lenses.forEach(([s, outer, inner], k) => {
          setAttributes(outer, { "fill-opacity": picked ? .3 : .14 });
          setAttributes(inner, { d: lens(plan, s, i, 15 * awake[k][i] / UNITS), "fill-opacity": picked ? .8 : .45 });
        });
      });
    }

    // From the last lane to the likeliest words, as wide as their shares.
    function ends(flow) {
      const { begin, end, reach, tall, along } = plan, rows = [0, 1, 2, 3, 4, 5].map(k => {
        const fan = createElement(flow, "path"), [x, y] = plan.point(begin, reach(k)), word = createElement(flow, "text", { x, y: y + (tall ? -6 : 1), class: tall ? "middle" : "" });
        const turned = createElement(flow, "g", { transform: tall ? `translate(${x - 12} ${y})` : `translate(${x} ${y + 10})rotate(-90)scale(-1 1)` });
        const bar = createElement(turned, "rect", { class: "level", width: tall ? 24 : 8, rx: 2 }), share = createElement(flow, "text", { class: `numeral ${tall ? "middle" : "end"}` });
        return { fan, word, bar, share, x, y };
      });
      return ({ stage, tokens, best, shares, rest }) => rows.forEach(({ fan, word, bar, share, x, y }, k) => {
        const p = shares[k] ?? rest, T = tokens.length, length = (end - begin) * p;
        setText(word, best[k] ?? "others");
        word.classList.toggle("stop", best[k] == ".");
        word.classList.toggle("title", !k && (stage >= WHOLE - 1 || tall));
        setAttributes(bar, { height: length, fill: k < 5 ? colour(T) : GREY, "fill-opacity": k ? .55 : 1 });
        setText(share, fixed(p, 2), tall ? { x, y: y + length + 17 } : { x: end, y: y + 1 });
        setAttributes(fan, { d: ribbon(plan, along[8][1] + 8, plan.lane(T - 1), 4 * Math.min(1, 5 * p), begin - (tall ? 22 : 9), reach(k), Math.max(.4, 18 * p)),
          fill: k < 5 ? colour(T - 1) : GREY, "fill-opacity": k ? .3 : .7 });
      });
    }

    // The likeliest word is chosen and goes back to the end of the text. Returns what draws it, and fly(i, token, landed).
    function again() {
      const { tall, reach, begin, word, width, height } = plan, way = createElement(svg, "path", { fill: "none", "stroke-width": 3, "stroke-dasharray": "2 7", "stroke-linecap": "round" });
      const tip = createElement(svg, "path", { d: "M0 0L-11 -6V6Z" }), [chosen, name] = chip(svg, tall ? {} : { fill: "none" }), [ghost, whisper] = chip(svg, { "stroke-dasharray": "4 3" });
      const [flying, call] = chip(svg), told = createElement(svg, "text", { x: tall ? 190 : width / 2 - 14, y: height - (tall ? 10 : 11), class: "middle soft" }, "the chosen word is fed back");
      see(flying, false);
      const draw = ({ stage, tokens, best: [next] }) => {
        const T = tokens.length, c = plan.lane(T), hue = colour(T), half = 12 + 4 * next.length;
        setAttributes(way, { d: loop(plan, T, next), stroke: hue });
        setAttributes(tip, { transform: tall ? `translate(${c} 25)rotate(90)` : `translate(${word[0] - half} ${c})`, fill: hue });
        name(next, hue);
        whisper(next, hue);
        put(chosen, tall ? [reach(0), height - 35] : [begin + 4 * next.length, reach(0) + 1]);
        see(chosen.querySelector("text"), tall);          // elsewhere it stands in its row
        put(ghost, tall ? [c, word[0]] : [word[0], c + 5]);
        for (const part of [way, tip, chosen, ghost, told]) part.style.opacity = stage >= WHOLE - 1 ? 1 : part == told ? .45 : .16;
      };
      const fly = (i, token, landed) => {
        const path = document.createElementNS(svg.namespaceURI, "path");
        setAttributes(path, { d: loop(plan, i, token) });
        call(token, colour(i));
        const far = path.getTotalLength(), stop = animate(1300, t => {
          const { x, y } = path.getPointAtLength(far * (1 - Math.cos(Math.PI * t)) / 2);
          put(flying, [x, y + 5]);
          see(flying, t < 1);
          if (t == 1) landed();
        });
        return () => { stop(); see(flying, false); };
      };
      return [draw, fly];
    }

    // The parts: a name and a region, each a button; in a region the lane below the hand is lit.
    function parts() {
      const { tall, along, low, high } = plan, group = createElement(svg, "g", { role: "toolbar", "aria-label": "the parts of the machine" });
      const at = event => {
        const box = svg.getBoundingClientRect(), c = (tall ? event.clientX - box.left : event.clientY - box.top) * plan.width / box.width;
        return clip(Math.round((c - plan.lane(0)) / (plan.lane(1) - plan.lane(0))), 0, now.tokens.length - 1);
      };
      const buttons = stages.map(({ name, shape }, s) => {
        const title = titleOf(name, blockOf(s)), g = createElement(group, "g", { role: "button", "aria-label": lights.includes(s) ? `${title}, you are here` : title });
        const ring = createElement(g, "rect", { class: "ring", rx: 6 }), area = rect(g, along[s][0], low, along[s][1], high, { fill: "transparent" });
        const lines = tall ? [title] : plan == MIDDLE && feeds(s) ? ["feed-", "forward"] : [name], y = tall ? along[s][0] + 16 : plan.raised?.includes(s) ? 49 : 66;
        const x = tall ? 14 : middle(plan, s), width = 10 + 8 * lines.at(-1).length, text = createElement(g, "text", { class: tall ? "halo" : "middle" });
        lines.forEach((line, k) => createElement(text, "tspan", { x, y: y - 15 * (lines.length - 1 - k) }, line));
        setAttributes(ring, { x: tall ? 8 : x - width / 2, y: y - 2 - 15 * lines.length, width, height: 8 + 15 * lines.length });
        if (lights.includes(s)) text.style.fill = HERE;
        hover(g, numbers => over == null ? `${title}: ${shape.replaceAll("T", numbers.tokens.length)}. Click to open.` : seen(numbers, over));
        area.addEventListener("pointermove", event => {
          if (at(event) == over) return;
          point(at(event));
          g.dispatchEvent(new Event("pointerenter"));
        });
        area.addEventListener("pointerleave", () => point(null));
        area.addEventListener("click", event => { state.lane = at(event); });
        press(g, () => go(s));
        return [g, text];
      });
      walk(buttons.map(([g]) => g));
      return ({ stage }) => buttons.forEach(([g, text], s) => {
        setAttributes(g, { "aria-pressed": s == stage });
        text.style.textDecoration = s == stage ? "underline" : "";
        text.style.opacity = s <= stage ? 1 : .6;
      });
    }

    // The shapes on the edges between the parts, and inside of them.
    function shapes() {
      const { tall, edges, high, along } = plan, row = (x, y, name, shape) => [createElement(svg, "text", { x, y, class: `soft ${name}` }), shape];
      const between = ["T tokens", "(T,)", ...Array(7).fill("(T, 32)"), "(T, 33)", "(33,)"];
      const all = tall ? stages.map(({ shape }, s) => [s, shape.split(" → ").at(-1)]).filter(([s]) => s && s != lights[0]).map(([s, shape]) => row(high, along[s][0] + 16, "end halo", shape))
        : [...between.map((shape, k) => [edges[k], shape, 20]), ...[4, 5, 6, 7].map(s => [middle(plan, s), feeds(s) ? "(T, 64)" : "(4, T, T)", 40])]
          .sort((p, q) => p[0] - q[0]).map(([x, shape, down], k) => row(x, high + (plan == MIDDLE ? 20 + 20 * (k % 2) : down), "middle", shape));
      return ({ tokens }) => all.forEach(([text, shape]) => setText(text, shape.replaceAll("T", tokens.length)));
    }

    // The tokens: each a button that picks its lane.
    function tokens() {
      const { tall, word } = plan, chips = slots.map(i => {
        const [x, y] = plan.point(word[1], plan.lane(i)), g = createElement(svg, "g", { role: "button", class: "token" }), box = createElement(g, "rect", { class: "ring", rx: 12, height: 24, y: y - (tall ? 17 : 12) });
        const text = createElement(g, "text", { x, y: y + (tall ? 0 : 5), class: tall ? "middle" : "end" });
        for (const come of ["pointerenter", "focus"]) g.addEventListener(come, () => point(i));
        for (const leave of ["pointerleave", "blur"]) g.addEventListener(leave, () => point(null));
        hover(g, numbers => seen(numbers, i));
        press(g, () => { state.lane = i; update(); });
        return { g, box, text, x };
      });
      walk(chips.map(({ g }) => g));
      return ({ tokens, lane }) => chips.forEach(({ g, box, text, x }, i) => {
        see(g, i < tokens.length);
        if (i >= tokens.length) return;
        const picked = i == (over ?? lane), width = tall ? 6 + 8.2 * tokens[i].length : 12 + 8.8 * tokens[i].length;
        setText(text, tokens[i]);
        text.classList.toggle("stop", tokens[i] == ".");
        text.classList.toggle("title", picked);
        text.style.fill = picked ? colour(i) : "";
        setAttributes(box, { x: tall ? x - width / 2 : x - width + 6, width, style: picked ? `--ring:${colour(i)}` : "" });
        setAttributes(g, { "aria-label": `${called(tokens[i])}, lane ${i + 1}`, "aria-pressed": i == lane });
      });
    }

    // The track along the machine, and the knob on it.
    function track() {
      const { tall, along, edge } = plan, stops = [...all.map(s => tall ? along[s][0] + 11 : middle(plan, s)), along[11][1]];
      const line = (to, stroke) => ({ d: `M${plan.at(stops[0], edge)}L${plan.at(to, edge)}`, stroke, "stroke-width": 2.5 });
      createElement(svg, "path", line(stops[WHOLE], FAINT));
      const gone = createElement(svg, "path"), knob = createElement(svg, "g");
      createElement(knob, "circle", { class: "grip", r: 20 });
      createElement(knob, "circle", { r: 9, fill: "currentColor" });
      createElement(knob, "path", { d: tall ? "M-4 -2L0 3L4 -2" : "M-2 -4L3 0L-2 4", fill: "none", stroke: PAPER, "stroke-width": 2.2 });
      const to = stage => stage != state.stage && go(clip(stage, 0, WHOLE));
      handle(knob, svg, {
        label: "where the sentence is", at: () => plan.point(stops[state.stage], edge), home: () => to(0), end: () => to(WHOLE),
        step: (dx, dy) => to(state.stage + dx + (tall ? -dy : dy)),
        move: (x, y) => { const far = stops.map(stop => Math.abs(stop - plan.point(x, y)[0])); to(far.indexOf(Math.min(...far))); },
      });
      return ({ stage, title }) => {
        put(knob, plan.point(stops[stage], edge));
        setAttributes(gone, line(stops[stage], GREY));
        announce(knob, title, stage, 0, WHOLE);
      };
    }

    // The front of the flow glides to the stage that is reached; when a word has been written, it first flies back to the text.
    function flowing(front, fly) {
      let was, reached, stop = () => {};
      const to = (from, target) => stop = animate(700, t => front(reached = from + (target - from) * (1 - (1 - t) ** 3)));
      return ({ stage, tokens }) => {
        if (was == moment()) return;
        const target = stage == WHOLE ? plan.along[11][1] + 40 : plan.along[stage][1], [before] = was?.split(" ") ?? [];
        was = moment();
        stop();
        if (before == null) front(reached = target);
        else if (state.text == +before + 1 && !stage) {
          front(reached = 0);
          stop = fly(tokens.length - 1, tokens.at(-1), () => to(0, target));
        } else to(state.text == before ? reached : 0, target);
      };
    }

    function arrange() {
      const room = frame.clientWidth, fits = room < 600 ? TALL : room < 820 ? MIDDLE : WIDE;        // no letter below 13 pixels
      if (fits == plan) return;
      plan = fits;
      frame.replaceChildren();
      svg = createElement(frame, "svg", { viewBox: `${plan.left} 0 ${plan.width} ${plan.height}`, class: plan == MIDDLE ? "map larger" : "map", role: "group", "aria-label": "the whole machine",
        style: `width:100%;max-width:${plan.most}em;margin:auto` });
      const open = ground(), [flow, front] = curtain(), drawn = [open, lanes(flow), ends(flow)], [loops, fly] = again();
      drawn.push(loops, parts(), shapes(), tokens(), track(), flowing(front, fly));
      paint = numbers => drawn.forEach(part => part(numbers));
      if (now) paint(now);
    }

    // The lectures of the part that is open; they can be gone to where the page tells that it lies among them.
    const address = file => {
      const path = location.pathname, last = path.slice(path.lastIndexOf("/") + 1);
      return last.endsWith(".ipynb") ? `${path.slice(0, -last.length)}${file}.ipynb` : /^\d\d_\w+\.html$/.test(last) ? `${file}.html` : null;
    };
    const link = ({ stage, here }) => {
      const numbers = stages[stage]?.lectures ?? (here ? [here] : []);
      if (links.dataset.of == numbers.join()) return;
      links.dataset.of = numbers.join();
      links.replaceChildren();
      links.classList.toggle("many", numbers.length > 3);
      createElement(links, "span", {}, ["", "Lecture:"][numbers.length] ?? "Lectures:");
      numbers.forEach(number => {
        const { file, about } = lectures[number], href = address(file), one = createElement(links, "a", { title: about, ...href && { href, target: "_blank", rel: "noopener" } }, number);
        createElement(one, "span", {}, ` ${about}`);
      });
    };

    new ResizeObserver(arrange).observe(frame);
    arrange();
    return numbers => {
      now = numbers;
      if (playing && moment() != expected) pause();
      pick(numbers.head);
      link(numbers);
      paint(numbers);
    };
  },
});
})();
