// The whole machine: lanes of tokens flow through all its stages to the next word, which is fed back. Wide it flows to the right, on a phone downwards.
(() => {
const { sum, softmax, fixed, clip, cut, lean, BLUE, GREEN, PURPLE, VERMILION, GREY, FAINT, add, set, write, handle, say, choices, glide, instrument } = courseKit;

const WHOLE = 12, SLOTS = 8, called = token => token == "." ? "full stop" : token;
const looks = (tokens, weights, n) => [...tokens.keys()].filter(j => weights[j] > 0.005).sort((i, j) => +weights[j].toFixed(6) - +weights[i].toFixed(6) || i - j).slice(0, n)
  .map(j => `${called(tokens[j])} ${fixed(weights[j], 2)}`).join(", ");
const attends = stage => stage == 4 || stage == 6, feeds = stage => stage == 5 || stage == 7;

// A lane's colour tells where it begins: from green over blue to purple, down the sentence.
const colour = i => lean(i < 4 ? `color-mix(in oklch,#009E73,#0072B2 ${i * 25}%)` : `color-mix(in oklch,#0072B2,#AA4499 ${(i - 4) * 33}%)`, 92);
const HERE = VERMILION;

// Three plans of the same machine: for a notebook, for a column of text, for a phone. along: where each stage begins and ends in the
// direction of the flow; lane(i): where a lane lies across it; begin, reach(k): where the likeliest words begin; edges: where shapes stand.
const flat = { left: -14, most: 70, at: (a, c) => `${a} ${c}`, point: (x, y) => [x, y], low: 88, word: 28 };
const WIDE = {
  ...flat, width: 946, height: 490, lane: i => 112 + 38 * i, high: 400, begin: 816, right: 914, reach: k => 112 + 42 * k,
  along: [[4, 72], [76, 102], [108, 166], [168, 222], [236, 360], [364, 452], [472, 596], [600, 688], [704, 746], [746, 796], [800, 862], [876, 916]],
  edges: [38, 104, 167, 229, 362, 462, 598, 694, 748, 808, 873],
};
const MIDDLE = {
  ...flat, width: 742, height: 462, lane: i => 110 + 35 * i, high: 374, begin: 622, right: 712, reach: k => 110 + 39 * k,
  along: [[4, 54], [56, 78], [82, 136], [140, 186], [198, 288], [290, 350], [366, 456], [458, 518], [528, 568], [574, 610], [616, 676], [680, 716]],
  edges: [36, 80, 138, 190, 289, 358, 457, 522, 571, 620, 668],
};
const TALL = {
  left: 0, width: 352, height: 1056, most: 26, at: (a, c) => `${c} ${a}`, point: (x, y) => [y, x], tall: true,
  along: [[0, 68], [68, 116], [116, 176], [176, 232], [244, 384], [384, 474], [490, 630], [630, 720], [732, 784], [784, 854], [854, 982], [982, 1030]],
  lane: i => 34 + 40 * i, low: 8, high: 338, word: 54, begin: 898, reach: k => 36 + 56 * k,
};

instrument("TheMap", {
  hint: "Click a part or a lane, drag the knob along the machine, or press play.",

  compute({ here, stage, text, lane, head }, { words, passes, stages, lectures }) {
    const { ids, lengths, weights: all, awake, logits } = passes[text], { name, shape, says } = stages[stage] ?? { name: "the whole machine", shape: "", says: "" };
    const T = ids.length, mean = heads => heads[0].map((row, i) => row.map((_, j) => sum(heads.map(A => A[i][j])) / heads.length));
    const weights = all.map(heads => head ? heads[head - 1] : mean(heads));
    const shares = softmax(logits), order = [...words.keys()].sort((i, j) => shares[j] - shares[i]).slice(0, 5), block = stage >= 4 && stage <= 7 ? 1 + (stage > 5) : 0;
    return { here, about: lectures[here].about, stage, title: block ? `${name}, block ${block}` : name, block, says, shape: shape.replaceAll("T", T), tokens: ids.map(id => words[id]),
      ids, lane: lane ?? T - 1, head, weights, lengths, awake, best: order.map(i => words[i]), scores: order.map(i => logits[i]), shares: order.map(i => shares[i]),
      rest: 1 - sum(order.map(i => shares[i])), others: words.length - 5 };
  },

  describe({ here, about, stage, title, block, says, shape, tokens, ids, lane, head, weights, lengths, awake, best, scores, shares, rest, others }) {
    const text = tokens.slice(1).join(" "), who = called(tokens[lane]), next = best.map(called), heads = head ? `head ${head}` : "mean of four heads";
    const length = lengths.map(row => fixed(row[lane], 1)), listed = values => next.map((word, k) => `${word} ${fixed(values[k], 2)}`).join(", "), share = fixed(shares[0], 2);
    if (stage == 12) return `You are here: lecture ${here}, ${about}. "${text}" goes in, and ${next[0].replace("full", "the full")} comes out, with ${share} of all shares, and is fed back. `
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

  met({ tokens, lane, weights }) {
    const last = tokens.length - 1;
    return lane == last && weights[1][last][2] > 0.98;
  },

  build({ controls, stage: place, update, hover }, { words, passes, stages, lectures }, state) {
    const lights = lectures[state.here].lights, calm = matchMedia("(prefers-reduced-motion:reduce)");
    add(place, "style", {}, `:host{display:flex;flex-direction:column}.told{order:1}.words{min-height:4.4em}.told{min-height:1.5em}
.map text{font-size:15px}.larger text{font-size:16px}[role=button]{cursor:pointer;outline:0}
[role=button]:focus-visible .ring{stroke:currentColor;stroke-width:2.5;stroke-dasharray:4 2}[role=button]:hover .ring{fill:color-mix(in srgb,currentColor 8%,transparent)}
.heads{display:flex;gap:.5em;align-items:center}.ring{fill:transparent}.token .ring{stroke:var(--ring,${FAINT});stroke-width:1.6}.quick{stroke:var(--page,#fff);stroke-width:2.5;stroke-dasharray:5 17;stroke-linecap:round;opacity:0;fill:none;pointer-events:none}
.playing .quick{opacity:.75;animation:run 1.1s linear infinite}@keyframes run{from{stroke-dashoffset:22}to{stroke-dashoffset:0}}
@media (prefers-reduced-motion:reduce){.playing .quick{animation:none}}
.links{flex-basis:100%;display:flex;flex-wrap:wrap;gap:.1em 1em;min-height:1.6em;margin:.2em 0 0}.links b{font-weight:400}.links a{color:inherit;text-underline-offset:.2em}
@container (max-width:64em){.links{min-height:3.1em}}@container (max-width:57em){.words{min-height:5.9em}}@container (max-width:46em){.words{min-height:7.4em}.told{min-height:2.9em}}
@container (max-width:36em){.words{min-height:10.4em}.many>* span{display:none}}@container (max-width:24em){.words{min-height:13.2em}}`);

    // Which word comes when: a stage further, and at the end of the flow a word more.
    const go = (stage, text = state.text) => {
      if (text != state.text) state.lane = null;
      Object.assign(state, { stage, text });
      update();
    };
    const forth = () => {
      const { stage, text } = state;
      if (stage == WHOLE) go(0, 0);
      else if (stage < 11) go(stage + 1);
      else if (text + 1 < passes.length) go(0, text + 1);
      else go(WHOLE);
    };
    const back = () => state.stage ? go(state.stage - 1) : state.text && go(11, state.text - 1);

    // Play: forth, again and again, until the sentence is finished or the hand does something else.
    let playing = 0, expected = "";
    const moment = () => JSON.stringify([state.stage, state.text]);
    const pause = () => {
      clearTimeout(playing);
      playing = 0;
      write(play, "▶ play");
      svg?.classList.remove("playing");
    };
    const beat = () => {
      if (!place.isConnected) return pause();
      forth();
      expected = moment();
      if (state.stage == WHOLE) return pause();
      svg.classList.add("playing");
      write(play, "❚❚ pause");
      playing = setTimeout(beat, 2800);
    };
    add(controls, "button", { type: "button" }, "‹ back").addEventListener("click", back);
    const play = add(controls, "button", { type: "button", style: "min-width:6em" }, "▶ play");
    play.addEventListener("click", () => playing ? pause() : beat());
    add(controls, "button", { type: "button" }, "step ›").addEventListener("click", forth);
    const pick = choices(add(controls, "div", { class: "heads" }, "ribbons of"), "whose ribbons", ["all heads", "1", "2", "3", "4"], head => { state.head = head; update(); });
    [...controls.querySelectorAll(".choices button")].forEach((button, k) => k && set(button, { "aria-label": `head ${k}` }));

    const frame = add(place, "div", { style: "flex:1 1 100%;min-width:0" }), links = add(place, "div", { class: "links" });
    let svg, paint, now, over = null;

    // Enter and Space do what a click does; arrow keys walk between parts that are one stop of the Tab key.
    const press = (g, act) => {
      g.addEventListener("click", act);
      g.addEventListener("keydown", event => {
        if (event.key != "Enter" && event.key != " ") return;
        event.preventDefault();
        act();
      });
    };
    const walk = parts => parts.forEach((part, i) => {
      part.tabIndex = i ? -1 : 0;
      part.addEventListener("keydown", event => {
        const way = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key], next = way && parts[i + way];
        if (!way) return;
        event.preventDefault();
        if (!next || next.style.display == "none") return;
        part.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
      });
    });
    const lookAt = i => { over = i; paint?.(now); };
    const lane = ({ tokens, ids, weights }, i) => i < tokens.length && `${called(tokens[i])} looks at, in block 1: ${looks(tokens, weights[0][i], 3)}; in block 2: ${looks(tokens, weights[1][i], 3)}.`;

    function draw(plan) {
      const { along, at, point, tall, reach, begin } = plan, mid = s => (along[s][0] + along[s][1]) / 2;
      const rect = (parent, a, c, length, across, attributes) => {
        const [x, y] = point(a, c), [width, height] = point(length, across);
        return add(parent, "rect", { x, y, width, height, ...attributes });
      };
      const write_at = (parent, a, c, words, attributes = {}) => {
        const [x, y] = point(a, c);
        return add(parent, "text", { x, y: y + (tall ? 0 : 5), ...attributes }, words);
      };
      svg = add(frame, "svg", { viewBox: `${plan.left} 0 ${plan.width} ${plan.height}`, class: plan == MIDDLE ? "map larger" : "map", role: "group", "aria-label": "the whole machine", style: `width:100%;max-width:${plan.most}em;margin:auto` });

      // Behind: the two blocks, what is lit, and a place to point at for every part.
      const ground = add(svg, "g");
      [[4, 5], [6, 7]].forEach(([first, last]) => rect(ground, along[first][0] - 6, plan.low - (tall ? 4 : 70), along[last][1] - along[first][0] + 12, plan.high - plan.low + (tall ? 8 : 70),
        { rx: 12, fill: "color-mix(in srgb,currentColor 5%,transparent)" }));
      const open = rect(ground, 0, plan.low, 1, plan.high - plan.low, { rx: 8, fill: "color-mix(in srgb,currentColor 9%,transparent)" });
      lights.forEach(s => rect(ground, along[s][0] + 1, plan.low, along[s][1] - along[s][0] - 2, plan.high - plan.low,
        { rx: 8, fill: HERE, "fill-opacity": .07, stroke: HERE, "stroke-width": 1.5, "stroke-opacity": .45, "stroke-dasharray": "5 4" }));

      // What flows, seen as far as it has come.
      const id = `m${Math.random().toString(36).slice(2)}`, defs = add(svg, "defs");
      const fade = add(defs, "linearGradient", { id, gradientUnits: "userSpaceOnUse" });
      add(fade, "stop", { offset: 0, "stop-color": "#fff" });
      add(fade, "stop", { offset: 1, "stop-color": "#fff", "stop-opacity": .16 });
      const mask = add(defs, "mask", { id: `${id}m`, maskUnits: "userSpaceOnUse", x: -20, y: -20, width: plan.width + 40, height: plan.height + 40 });
      add(mask, "rect", { x: -20, y: -20, width: plan.width + 40, height: plan.height + 40, fill: `url(#${id})` });
      const flow = add(svg, "g", { mask: `url(#${id}m)` });
      if (tall) stages.forEach((_, s) => s > 1 && add(mask, "rect", { x: 0, y: along[s][0], width: plan.width, height: 22, fill: "#000", "fill-opacity": .8 }));
      const front = a => { const [x1, y1] = point(a - 24, 0), [x2, y2] = point(a + 4, 0); set(fade, { x1, y1, x2, y2 }); };

      const slots = [...Array(SLOTS - 1).keys()];
      const bands = slots.map(i => add(flow, "path", { fill: colour(i), "fill-opacity": .34 }));
      const sparks = slots.map(() => add(flow, "path", { class: "quick" }));
      const inside = s => { const top = along[s][0] + (tall ? 26 : 10); return [top, along[s][1] - (tall ? 8 : 10)]; };
      const ribbons = [4, 6].map(() => slots.map(i => slots.slice(0, i + 1).map(j => add(flow, "path", { fill: colour(j) }))));
      const lenses = [5, 7].map(() => slots.map(i => [add(flow, "path", { fill: colour(i), "fill-opacity": .16, stroke: colour(i), "stroke-width": 1.5 }), add(flow, "path", { fill: colour(i), "fill-opacity": .6 })]));
      const norms = [4, 5, 6, 7, 8].map(s => slots.map(i => rect(flow, (s == 8 ? mid(s) + (tall ? 8 : 0) : inside(s)[0]) - 3, plan.lane(i) - 9, 6, 18,
        { rx: 3, fill: "var(--page,#fff)", stroke: lights.includes(8) && state.here == "06" ? HERE : colour(i), "stroke-width": lights.includes(8) && state.here == "06" ? 3 : 1.8 })));
      const pluses = [3, 4, 5, 6, 7].map(s => slots.map(i => {
        const [x, y] = point(s == 3 ? mid(s) + (tall ? 10 : 0) : inside(s)[1], plan.lane(i)), g = add(flow, "g", { transform: `translate(${x} ${y})` });
        add(g, "circle", { r: 6, fill: "var(--page,#fff)", stroke: colour(i), "stroke-width": 1.8 });
        add(g, "path", { d: "M-3 0H3M0-3V3", stroke: "currentColor", "stroke-width": 1.5 });
        return g;
      }));
      const births = slots.map(i => rect(flow, along[2][0] + (tall ? 28 : 8), plan.lane(i) - 8, 7, 16, { rx: 2, fill: colour(i) }));
      const ids_at = slots.map(i => write_at(flow, tall ? along[1][0] + 40 : mid(1), plan.lane(i), "", { class: "middle", style: "font-variant-numeric:tabular-nums" }));

      // The end: from the last lane to the likeliest words, as wide as their shares.
      const rows = [...Array(6).keys()];
      const fan = rows.map(() => add(flow, "path"));
      const ends = rows.map(k => {
        const g = add(flow, "g"), [x, y] = point(begin, reach(k));
        const word = add(g, "text", { x, y: y + (tall ? -6 : 1), class: tall ? "middle" : "" });
        const turned = add(g, "g", { transform: tall ? `translate(${x - 12} ${y})` : `translate(${x} ${y + 10})rotate(-90)scale(-1 1)` });
        const bar = add(turned, "rect", { class: "level", x: 0, y: 0, width: tall ? 24 : 8, rx: 2 });
        return { word, bar, share: add(g, "text", { class: tall ? "middle" : "end", style: "font-variant-numeric:tabular-nums" }), x, y };
      });

      // The chosen word, and its way back to the end of the text.
      const back_again = add(svg, "path", { fill: "none", "stroke-width": 3, "stroke-dasharray": "2 7", "stroke-linecap": "round" });
      const head = add(svg, "path", { d: "M0 0L-11 -6V6Z" });
      const chip = () => {
        const g = add(svg, "g", { "pointer-events": "none" });
        return { g, box: add(g, "rect", { height: 24, y: -17, rx: 12, fill: "var(--page,#fff)", "stroke-width": 2 }), word: add(g, "text", { class: "middle title" }) };
      };
      const chosen = chip(), ghost = chip(), flying = chip();
      const big = token => ({ style: token == "." ? "font-size:22px" : "" });         // a full stop alone is hardly seen
      const label = ({ box, word }, text, i) => {
        const width = 18 + 8 * text.length;
        write(word, text, big(text));
        set(box, { x: -width / 2, width, stroke: colour(i) });
      };
      const tell_back = write_at(svg, tall ? 1046 : plan.width / 2 - 14, tall ? 190 : plan.height - 16, "the chosen word is fed back", { class: "middle soft halo" });

      // The parts: their names, a place to click, and above them the track with its knob.
      const spot = s => tall ? along[s][0] + 11 : mid(s), edge = tall ? 4 : 79;
      const track = add(svg, "path", { d: `M${at(spot(0), edge)}L${at(along[11][1], edge)}`, stroke: FAINT, "stroke-width": 2.5, fill: "none" });
      const gone = add(svg, "path", { stroke: GREY, "stroke-width": 2.5, fill: "none" });
      const buttons = add(svg, "g", { role: "toolbar", "aria-label": "the parts of the machine" });
      const parts = stages.map(({ name, shape }, s) => {
        const block = s >= 4 && s <= 7 ? 1 + (s > 5) : 0, title = block ? `${name}, block ${block}` : name;
        const g = add(buttons, "g", { role: "button", "aria-label": lights.includes(s) ? `${title}, you are here` : title });
        const area = rect(g, along[s][0], plan.low, along[s][1] - along[s][0], plan.high - plan.low, { fill: "transparent" });
        const split = plan == MIDDLE && feeds(s), raised = plan == MIDDLE && [2, 9, 11].includes(s), text = tall ? add(g, "text", { x: 14, y: along[s][0] + 16, class: "halo" }, title) : add(g, "text", { x: mid(s), y: raised ? 49 : 66, class: "middle" }, split ? "" : name);
        if (split) name.split("-").forEach((half, k) => add(text, "tspan", { x: mid(s), y: 52 + 15 * k }, k ? half : `${half}-`));
        const width = 10 + 8 * (tall ? title : split ? "forward" : name).length, [x, y] = tall ? [8, along[s][0]] : [mid(s) - width / 2, split ? 37 : raised ? 32 : 49];
        g.insertBefore(add(g, "rect", { class: "ring", x, y, width, height: split ? 36 : 24, rx: 6 }), area);
        if (lights.includes(s)) text.style.fill = HERE;
        const under = event => {
          const box = svg.getBoundingClientRect(), c = ((tall ? event.clientX - box.left : event.clientY - box.top) / box.width) * plan.width;
          return clip(Math.round((c - plan.lane(0)) / (plan.lane(1) - plan.lane(0))), 0, now.tokens.length - 1);
        };
        hover(g, numbers => over == null ? `${title}: ${shape.replaceAll("T", numbers.tokens.length)}. Click to open.` : lane(numbers, over));
        area.addEventListener("pointermove", event => {
          const i = under(event);
          if (i == over) return;
          lookAt(i);
          g.dispatchEvent(new Event("pointerenter"));
        });
        area.addEventListener("pointerleave", () => lookAt(null));
        area.addEventListener("click", event => { state.lane = under(event); });
        press(g, () => go(s));
        return { g, text };
      });
      walk(parts.map(({ g }) => g));
      if (!tall) ["block 1", "block 2"].forEach((name, k) => write_at(svg, (along[4 + 2 * k][0] + along[5 + 2 * k][1]) / 2, plan == MIDDLE ? 27 : 34, name, { class: "middle soft" }));

      // You are here.
      const near = lights.every((s, k) => !k || s == lights[k - 1] + 1), pinned = near ? (along[lights[0]][0] + along[lights.at(-1)][1]) / 2 : mid(lights[0]);
      const pin = tall ? add(svg, "text", { x: plan.high, y: along[lights[0]][0] + 16, class: "title end halo" }, "◂ you are here")
        : add(svg, "text", { x: clip(pinned, 110, plan.width - 150), y: 12, class: "title middle" }, `▾ you are here: ${lectures[state.here].about}`);
      pin.style.fill = HERE;

      // Shapes on the edges between the parts.
      const shapes = tall ? [] : ["T tokens", "(T,)", ...Array(7).fill("(T, 32)"), "(T, 33)", "(33,)"].map((shape, k) => [plan.edges[k], shape, 20])
        .concat([4, 5, 6, 7].map(s => [mid(s), feeds(s) ? "(T, 64)" : "(4, T, T)", 40])).sort((p, q) => p[0] - q[0]).map(([x, shape, dy], k) => [add(svg, "text", { x, y: plan.high + (plan == MIDDLE ? 20 + 20 * (k % 2) : dy), class: "middle soft" }), shape]);
      if (tall) stages.forEach(({ shape }, s) => lights[0] != s && shapes.push([add(svg, "text", { x: plan.high, y: along[s][0] + 16, class: "end soft halo" }), shape.split(" → ").at(-1)]));

      const names = slots.map(i => {
        const g = add(svg, "g", { role: "button", class: "token" }), [x, y] = point(tall ? plan.word : 46, plan.lane(i)), box = add(g, "rect", { class: "ring", rx: 12, height: 24 });
        const text = add(g, "text", { x, y: y + (tall ? 0 : 5), class: tall ? "middle" : "end" });
        g.addEventListener("pointerenter", () => lookAt(i));
        g.addEventListener("pointerleave", () => lookAt(null));
        g.addEventListener("focus", () => lookAt(i));
        g.addEventListener("blur", () => lookAt(null));
        hover(g, numbers => lane(numbers, i));
        press(g, () => { state.lane = i; update(); });
        return { g, text, box, x, y };
      });
      walk(names.map(({ g }) => g));

      const stops = [...stages.map((_, s) => spot(s)), along[11][1]], knob = add(svg, "g");
      add(knob, "circle", { class: "grip", r: 20 });
      add(knob, "circle", { r: 9, fill: "currentColor" });
      add(knob, "path", { d: tall ? "M-4 -2L0 3L4 -2" : "M-2 -4L3 0L-2 4", fill: "none", stroke: "var(--page,#fff)", "stroke-width": 2.2 });
      const nearest = a => stops.map((stop, s) => [Math.abs(stop - a), s]).sort((p, q) => p[0] - q[0])[0][1];
      handle(knob, svg, {
        label: "where the sentence is", at: () => point(stops[state.stage], edge), move: (x, y) => { const s = nearest(point(x, y)[0]); if (s != state.stage) go(s); },
        step: (dx, dy) => { const s = clip(state.stage + Math.round(dx + (dx ? 0 : tall ? -dy : dy)), 0, WHOLE); go(s); }, home: () => go(0), end: () => go(WHOLE),
      });

      // The lanes: as wide as the root of their vectors' lengths.
      const half = length => 2.1 * Math.sqrt(length);
      const band = (i, lengths, last) => {
        const h = lengths.map(half), c = plan.lane(i), begins = along[2][0] + (tall ? 31 : 11), joins = [mid(3) + (tall ? 10 : 0), inside(4)[1], inside(5)[1], inside(6)[1], inside(7)[1]];
        const rest = mid(8) + (tall ? 8 : 0), stop = last ? along[8][1] + 8 : along[8][1] + 4;
        const upper = [[begins, h[0]]];
        joins.forEach((a, k) => upper.push([a - 7, h[k]], [a + 7, h[k + 1]]));
        upper.push([rest - 4, h[5]], [rest + 6, 4], [stop, last ? 4 : 1.5]);
        const line = (points, sign) => points.map(([a, w]) => `L${at(a, c + sign * w)}`).join("");
        return `M${at(begins, c)}${line(upper, -1)}${line(upper.reverse(), 1)}Z`;
      };
      // From (a, c) to (b, d), from half a width to half another: points of a curve, moved to either side.
      const ribbon = (a, c, h, b, d, w) => {
        const points = [...Array(17).keys()].map(k => k / 16).map(t => [a + (b - a) * (1.5 * t - 1.5 * t * t + t ** 3), c + (d - c) * t * t * (3 - 2 * t), h + (w - h) * t]);
        const side = sign => points.map(([x, y, thick], k) => {
          const [u, v] = points[Math.max(0, k - 1)], [p, q] = points[Math.min(16, k + 1)], far = Math.hypot(p - u, q - v) || 1;
          return at(cut(x - sign * thick * (q - v) / far), cut(y + sign * thick * (p - u) / far));
        });
        return `M${[...side(-1), ...side(1).reverse()].join("L")}Z`;
      };
      const lens = (s, i, half) => {
        const [a, b] = inside(s), c = plan.lane(i), u = a + 7, v = b - 9, m = (u + v) / 2, d = (v - u) / 4;
        return [-half, half].map((h, k) => k ? `C${at(v - d, c)} ${at(m + d, c + h)} ${at(m, c + h)}C${at(m - d, c + h)} ${at(u + d, c)} ${at(u, c)}Z`
          : `M${at(u, c)}C${at(u + d, c)} ${at(m - d, c + h)} ${at(m, c + h)}C${at(m + d, c + h)} ${at(v - d, c)} ${at(v, c)}`).join("");
      };

      const flight = add(svg, "path", { fill: "none" });
      flying.g.style.display = "none";
      const loop = (slot, word) => {
        const c = plan.lane(slot), half = 9 + 4 * word.length, bottom = plan.height - 32;
        return tall ? `M${reach(0) + half} 1016H339Q349 1016 349 1006V32Q349 22 339 22H${c + 8}Q${c} 22 ${c} 27`
          : `M${plan.right + 6} ${reach(0) - 4}Q${plan.right + 16} ${reach(0) - 4} ${plan.right + 16} ${reach(0) + 6}V${bottom - 12}Q${plan.right + 16} ${bottom} ${plan.right + 4} ${bottom}H3Q-9 ${bottom} -9 ${bottom - 12}V${c + 10}Q-9 ${c} 0 ${c}`;
      };
      let reached, stop = () => {}, was;
      paint = numbers => {
        if (!numbers) return;
        now = numbers;
        const { stage, tokens, ids, weights, lengths, awake, best, shares, rest } = numbers, T = tokens.length, picked = over ?? numbers.lane;
        pick(state.head);
        if (playing && moment() != expected) pause();
        slots.forEach(i => {
          const show = i < T ? "" : "none";
          for (const part of [bands[i], sparks[i], births[i], ids_at[i], names[i].g, ...norms.map(row => row[i]), ...pluses.map(row => row[i]), ...lenses.flatMap(row => row[i]), ...ribbons.flatMap(block => block[i])])
            part.style.display = show;
          if (i >= T) return;
          const c = plan.lane(i);
          set(bands[i], { d: band(i, lengths.map(row => row[i]), i == T - 1), "fill-opacity": i == picked ? .6 : .3 });
          set(sparks[i], { d: `M${at(along[2][0] + 20, c)}L${at(along[8][1], c)}` });
          write(ids_at[i], `${ids[i]}`);
          const { g, text, box, x, y } = names[i];
          write(text, tokens[i], big(tokens[i]));
          text.style.fill = i == picked ? colour(i) : "";
          text.classList.toggle("title", i == picked);
          const width = tall ? 6 + 8.2 * tokens[i].length : 12 + 8.8 * tokens[i].length;
          set(box, { x: tall ? x - width / 2 : x - width + 6, y: tall ? y - 17 : y - 12, width, style: i == picked ? `--ring:${colour(i)}` : "" });
          set(g, { "aria-label": `${called(tokens[i])}, lane ${i + 1}`, "aria-pressed": i == numbers.lane });
          [4, 6].forEach((s, k) => {
            const [a, b] = inside(s);
            const joined = half(lengths[2 + 2 * k][i]) + 2;
            let low = c - joined;
            ribbons[k][i].forEach((path, j) => {
              const w = weights[k][i][j];
              path.style.display = w < .01 ? "none" : "";
              set(path, { d: ribbon(a + 3, plan.lane(j), 12 * w, b, low + joined * w, joined * w), "fill-opacity": i == picked ? .9 : .2 });
              low += 2 * joined * w;
            });
          });
          [5, 7].forEach((s, k) => {
            const [outer, inner] = lenses[k][i];
            set(outer, { d: lens(s, i, 15), "fill-opacity": i == picked ? .3 : .14 });
            set(inner, { d: lens(s, i, 15 * awake[k][i] / 64), "fill-opacity": i == picked ? .8 : .45 });
          });
        });
        ribbons.forEach(block => block[picked]?.forEach(path => flow.insertBefore(path, lenses[0][0][0])));       // what is lit lies on top

        const source = [along[8][1] + 8, plan.lane(T - 1)], all = [...shares, rest];
        all.forEach((share, k) => {
          const { word, bar, share: text, x, y } = ends[k], length = (tall ? 96 : plan.right - begin) * share;
          write(word, k < 5 ? best[k] : tall ? `+${numbers.others}` : "others");
          if (k < 5) set(word, big(best[k]));
          word.classList.toggle("title", !k && (stage > 10 || tall));
          set(bar, { height: length, fill: k == 5 ? GREY : colour(T), "fill-opacity": k ? .55 : 1 });
          write(text, fixed(share, 2), tall ? { x, y: y + length + 17 } : { x: plan.right, y: y + 1 });
          const [a, c] = tall ? [begin - 22, reach(k)] : [begin - 9, reach(k)];
          set(fan[k], { d: ribbon(...source, 4 * Math.min(1, 5 * share), a, c, Math.max(.4, 18 * share)), fill: k == 5 ? GREY : colour(T - 1), "fill-opacity": k ? .3 : .7 });
        });

        // The loop, from the likeliest word to the lane after the last.
        const c = plan.lane(T);
        set(back_again, { d: loop(T, best[0]), stroke: colour(T) });
        set(head, { transform: tall ? `translate(${c} 36)rotate(90)` : `translate(${plan.word - 12 - 4 * best[0].length} ${c})`, fill: colour(T) });
        const [wx, wy] = tall ? [reach(0), 1021] : [begin + 4 * best[0].length, reach(0) + 1];
        label(chosen, best[0], T);
        if (!tall) write(chosen.word, ""), set(chosen.box, { fill: "none" });
        label(ghost, best[0], T);
        set(chosen.g, { transform: `translate(${wx} ${wy})` });
        set(ghost.g, { transform: tall ? `translate(${c} ${plan.word})` : `translate(${plan.word} ${c + 5})` });
        set(ghost.box, { "stroke-dasharray": "4 3" });
        const done = stage >= 11 ? 1 : .16;
        for (const part of [chosen.g, ghost.g, back_again, head, tell_back]) part.style.opacity = part == tell_back ? Math.max(done, .4) : done;

        shapes.forEach(([text, shape]) => write(text, shape.replaceAll("T", T)));
        parts.forEach(({ g, text }, s) => {
          set(g, { "aria-pressed": s == stage });
          text.style.textDecoration = s == stage ? "underline" : "";
          text.style.opacity = stage == WHOLE || s <= stage ? 1 : .6;
        });
        const target = stage == WHOLE ? along[11][1] + 40 : along[stage][1];
        set(knob, { transform: `translate(${point(stops[stage], edge).join(" ")})` });
        say(knob, stage == WHOLE ? "through the whole machine" : numbers.title, stage, 0, WHOLE);
        set(gone, { d: `M${at(spot(0), edge)}L${at(stops[stage], edge)}` });
        if (stage < WHOLE) set(open, Object.fromEntries([["x", "y"], ["width", "height"]].flatMap(([u, v], k) => {
          const [p, q] = k ? point(along[stage][1] - along[stage][0], plan.high - plan.low) : point(along[stage][0], plan.low);
          return [[u, p], [v, q]];
        })));
        open.style.display = stage == WHOLE ? "none" : "";

        const now_at = [state.text, stage].join();
        if (now_at != was?.now_at) {
          stop();
          flying.g.style.display = "none";
          const from = was && was.text == state.text ? reached : 0, flow_on = () => stop = glide(700, t => front(reached = from + (target - from) * (1 - (1 - t) ** 3)));
          if (!was) front(reached = target);
          else if (state.text == was.text + 1 && !stage) {                // the chosen word goes back to the text
            set(flight, { d: loop(T - 1, tokens[T - 1]) });
            label(flying, tokens[T - 1], T - 1);
            front(reached = 0);
            flying.g.style.display = names[T - 1].g.style.display = "";
            const far = flight.getTotalLength();
            stop = glide(1300, t => {
              const { x, y } = flight.getPointAtLength(far * (1 - Math.cos(Math.PI * t)) / 2);
              set(flying.g, { transform: `translate(${x} ${y + 5})` });
              names[T - 1].g.style.opacity = t < 1 ? 0 : 1;
              if (t == 1) flying.g.style.display = "none", flow_on();
            });
          } else flow_on();
          was = { now_at, text: state.text };
        }
      };
    }

    // The lectures of the part that is open.
    const address = file => {
      const path = location.pathname, last = path.slice(path.lastIndexOf("/") + 1);
      return last.endsWith(".ipynb") ? path.slice(0, -last.length) + `${file}.ipynb` : /^\d\d_\w+\.html$/.test(last) ? `${file}.html` : null;
    };
    const link = numbers => {
      const about = stages[numbers.stage]?.lectures ?? [numbers.here], key = about.join();
      if (links.dataset.key == key) return;
      links.dataset.key = key;
      links.replaceChildren();
      links.classList.toggle("many", about.length > 3);
      add(links, "b", {}, about.length > 1 ? "Lectures:" : "Lecture:");
      about.forEach(number => {
        const { file, about: what } = lectures[number], href = address(file), entry = add(links, href ? "a" : "span", href ? { href, target: "_blank", rel: "noopener", title: what } : {}, number);
        add(entry, "span", {}, ` ${what}`);
      });
    };

    let plan = null;
    const arrange = () => {
      const room = frame.clientWidth, fits = room < 600 ? TALL : room < 820 ? MIDDLE : WIDE;        // no letter below 13 pixels
      if (fits == plan) return;
      plan = fits;
      frame.replaceChildren();
      draw(plan);
      paint(now);
    };
    new ResizeObserver(arrange).observe(frame);
    arrange();
    return numbers => {
      now = numbers;
      link(numbers);
      paint(numbers);
    };
  },
});
})();
