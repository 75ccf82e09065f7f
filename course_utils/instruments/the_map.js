// The whole machine: lanes of tokens flow through all its stages to the next word, which is fed
// back. Wide it flows to the right, on a phone downwards. One walks in: machine, block, head, score.
(() => {
  const {
    sum,
    dot,
    norm,
    transpose,
    times,
    softmax,
    fixed,
    clip,
    round,
    terms,
    textTint,
    SKY,
    ORANGE,
    GREY,
    FAINT,
    createElement,
    setAttributes,
    setText,
    see,
    handle,
    announce,
    choices,
    rove,
    table,
    animate,
    goal,
    rule,
    instrument
  } = courseKit;

  const WHOLE = 12,
    ATTENTION = [4, 6],
    FEED_FORWARD = [5, 7],
    UNITS = 32,
    LANES = 7, // six words and the full stop before them
    [BLOCK, HEAD, SCORE] = [1, 2, 3], // the levels
    called = token => (token == '.' ? 'full stop' : token);
  const looks = (tokens, weights, n) =>
    [...tokens.keys()]
      .filter(j => weights[j] > 0.005)
      .sort((i, j) => +weights[j].toFixed(6) - +weights[i].toFixed(6) || i - j)
      .slice(0, n)
      .map(j => `${tokens[j] == '.' ? called('.') : `“${tokens[j]}”`} ${fixed(weights[j], 2)}`)
      .join(', ');
  const attends = stage => ATTENTION.includes(stage),
    feeds = stage => FEED_FORWARD.includes(stage);
  const blockOf = stage => (stage >= 4 && stage <= 7 ? 1 + (stage > 5) : 0),
    titleOf = (name, block) => (block ? `${name}, block ${block}` : name);

  // Both blocks have the same two stages.
  const all12 = stages => [...stages.slice(0, 6), ...stages.slice(4)];
  const several = (n, make) => Array.from({ length: n }, (_, i) => make(i));

  // The parameters, read once: each is a whole number of steps, a letter.
  const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
    read = new WeakMap();
  function model(data) {
    if (read.has(data)) return read.get(data);
    const params = {};
    let at = 0;
    for (const [name, [step, rows, columns]] of Object.entries(data.arrays)) {
      const next = () => (LETTERS.indexOf(data.letters[at++]) - 32) * step;
      params[name] = several(rows, () => (columns ? several(columns, next) : next()));
    }
    read.set(data, params);
    return params;
  }

  // The model: for each block its heads, for each addition the lengths of all vectors, the hidden
  // units above 0, and the scores of the next word.
  function forward(params, tokens) {
    const through = (X, W, b) => {
      const columns = transpose(W);
      return X.map(x => columns.map((w, j) => dot(x, w) + b[j]));
    };
    const normed = (X, gamma, beta) =>
      X.map(x => {
        const mean = sum(x) / x.length,
          c = x.map(a => a - mean),
          sigma = Math.sqrt(dot(c, c) / x.length + 1e-5);
        return c.map((a, i) => (a / sigma) * gamma[i] + beta[i]);
      });
    let X = tokens.map(token => params.W_E[token]);
    const lengths = [X.map(norm)],
      awake = [],
      blocks = [];
    const add = Y => {
      X = X.map((x, t) => x.map((a, i) => a + Y[t][i]));
      lengths.push(X.map(norm));
    };
    add(params.R);
    for (const number of [1, 2]) {
      const p = name => params[`${number}.${name}`],
        I = normed(X, p('gamma_1'), p('beta_1')),
        all = [...'QKV'].map(z => through(I, p(`W_${z}`), p(`b_${z}`)));
      const heads = several(4, h => {
        const [Q, K, V] = all.map(Y => Y.map(y => y.slice(4 * h, 4 * h + 4)));
        const A = Q.map((q, t) => {
          const weights = softmax(K.slice(0, t + 1).map(k => dot(q, k) / 2)); // causal
          return K.map((_, j) => weights[j] ?? 0);
        });
        return { Q, K, V, A, output: times(A, V) };
      });
      add(
        through(
          X.map((_, t) => heads.flatMap(one => one.output[t])),
          p('W_O'),
          p('b_O')
        )
      );
      const hidden = through(normed(X, p('gamma_2'), p('beta_2')), p('W_1'), p('b_1')).map(x =>
        x.map(a => Math.max(0, a))
      );
      awake.push(hidden.map(x => x.filter(a => a > 0).length));
      add(through(hidden, p('W_2'), p('b_2')));
      blocks.push(heads);
    }
    const last = normed(X.slice(-1), params.gamma, params.beta),
      [logits] = through(last, params.W_out, params.b_out);
    return { lengths, awake, blocks, logits };
  }

  // A lane's colour tells where it stands in the sentence, from the sky's blue to purple.
  const colour = i =>
    textTint(`color-mix(in oklch,#56B4E9,#AA4499 ${Math.round((100 * i) / 7)}%)`, 86);
  const HERE = textTint('#B86200'),
    PALE = share => `color-mix(in srgb,currentColor ${share}%,transparent)`,
    PAPER = 'var(--page,#fff)';

  // Three plans of the same machine: for a notebook, for a column of text, for a phone. A place is
  // told as (along the flow, across it).
  // along: where each stage begins and ends; lane(i): where a lane lies; low, high: between which
  // all lanes lie; head, foot: what is left
  // free within a stage; birth, place: where lanes begin and where places are added; reach(k):
  // where the likeliest words stand; edges: the shapes.
  const FLAT = {
    left: -14,
    most: 50,
    at: (a, c) => `${a} ${c}`,
    point: (x, y) => [x, y],
    low: 88,
    head: 10,
    foot: 10,
    birth: 8,
    place: 0,
    word: [28, 46],
    edge: 79,
    panel: 70,
    long: 0
  };
  const WIDE = {
    ...FLAT,
    width: 946,
    height: 490,
    lane: i => 112 + 38 * i,
    high: 400,
    begin: 816,
    end: 914,
    reach: k => 112 + 42 * k,
    block: 34,
    along: [
      [4, 72],
      [76, 102],
      [108, 166],
      [168, 222],
      [236, 360],
      [364, 452],
      [472, 596],
      [600, 688],
      [704, 746],
      [746, 796],
      [800, 862],
      [876, 916]
    ],
    edges: [38, 104, 167, 229, 362, 462, 598, 690, 749, 809, 873]
  };
  const MIDDLE = {
    ...FLAT,
    most: 46,
    width: 742,
    height: 462,
    lane: i => 110 + 35 * i,
    high: 374,
    begin: 622,
    end: 712,
    reach: k => 110 + 39 * k,
    block: 27,
    raised: [2, 9, 11],
    along: [
      [4, 54],
      [56, 78],
      [82, 136],
      [140, 186],
      [198, 288],
      [290, 350],
      [366, 456],
      [458, 518],
      [528, 568],
      [574, 610],
      [616, 676],
      [680, 716]
    ],
    edges: [36, 80, 138, 190, 289, 358, 457, 522, 571, 620, 668]
  };
  const TALL = {
    left: 0,
    width: 352,
    height: 714,
    most: 26,
    at: (a, c) => `${c} ${a}`,
    point: (x, y) => [y, x],
    tall: true,
    low: 8,
    high: 338,
    head: 24,
    foot: 6,
    birth: 20,
    place: 6,
    along: [
      [0, 50],
      [50, 86],
      [86, 120],
      [120, 158],
      [164, 248],
      [248, 308],
      [314, 398],
      [398, 458],
      [462, 496],
      [496, 544],
      [544, 634],
      [634, 680]
    ],
    lane: i => 34 + 40 * i,
    word: [42, 42],
    begin: 586,
    end: 630,
    reach: k => 36 + 56 * k,
    edge: 4,
    panel: 4
  };
  const middle = (plan, stage) => (plan.along[stage][0] + plan.along[stage][1]) / 2;
  const inside = (plan, stage) => [
    plan.along[stage][0] + plan.head,
    plan.along[stage][1] - plan.foot
  ];
  const additions = plan => [
    middle(plan, 3) + plan.place,
    ...[4, 5, 6, 7].map(stage => inside(plan, stage)[1])
  ];

  // From (a, c) to (b, d), from half a width h to half a width w: points of a curve, moved to
  // either side.
  const ribbon = (plan, a, c, h, b, d, w) => {
    const points = [...Array(17).keys()]
      .map(k => k / 16)
      .map(t => [
        a + (b - a) * t * (1.5 - 1.5 * t + t * t),
        c + (d - c) * t * t * (3 - 2 * t),
        h + (w - h) * t
      ]);
    const side = sign =>
      points.map(([x, y, wide], k) => {
        const [u, v] = points[Math.max(0, k - 1)],
          [p, q] = points[Math.min(16, k + 1)],
          far = Math.hypot(p - u, q - v) || 1;
        return plan.at(
          round(x - (sign * wide * (q - v)) / far),
          round(y + (sign * wide * (p - u)) / far)
        );
      });
    return `M${[...side(-1), ...side(1).reverse()].join('L')}Z`;
  };
  // A lane: half as wide as the root of its vector's length tells, wider (or not) after each
  // addition; only the last one goes on to the head.
  const half = length => 2.1 * Math.sqrt(length);
  const lane = (plan, i, lengths, last) => {
    const h = lengths.map(half),
      c = plan.lane(i),
      begin = plan.along[2][0] + plan.birth + 3,
      norm = middle(plan, 8) + plan.place,
      end = plan.along[8][1] + (last ? 8 : 4);
    const edge = [
      [begin, h[0]],
      ...additions(plan).flatMap((a, k) => [
        [a - 7, h[k]],
        [a + 7, h[k + 1]]
      ]),
      [norm - 4, h[5]],
      [norm + 6, 4],
      [end, last ? 4 : 1.5]
    ];
    const side = sign => edge.map(([a, w]) => plan.at(a, c + sign * w));
    return `M${[...side(-1), ...side(1).reverse()].join('L')}Z`;
  };
  // A lens on a lane: one token by itself.
  const lens = (plan, stage, i, h) => {
    const [a, b] = inside(plan, stage),
      c = plan.lane(i),
      u = a + 7,
      v = b - 9,
      m = (u + v) / 2,
      d = (v - u) / 4,
      at = plan.at;
    const bend = (from, to, up, down) =>
      `C${at(from[0] + from[1], up)} ${at(to[0] - to[1], down)} ${at(to[0], down)}`;
    return `M${at(u, c)}${bend([u, d], [m, d], c, c - h)}${bend([m, d], [v, d], c - h, c)}${bend([v, -d], [m, -d], c, c + h)}${bend([m, -d], [u, -d], c + h, c)}Z`;
  };
  // The way of the likeliest word back to a lane.
  const loop = (plan, i, word) => {
    const c = plan.lane(i),
      { end, reach } = plan,
      top = reach(0) - 4,
      foot = plan.height - 32;
    return plan.tall
      ? `M${reach(0) + 9 + 4 * word.length} ${foot - 8}H339Q349 ${foot - 8} 349 ${foot - 18}V22Q349 12 339 12H${c + 8}Q${c} 12 ${c} 15`
      : `M${end + 6} ${top}Q${end + 16} ${top} ${end + 16} ${top + 10}V${foot - 12}Q${end + 16} ${foot} ${end + 4} ${foot}H3Q-9 ${foot} -9 ${foot - 12}V${c + 10}Q-9 ${c} 0 ${c}`;
  };

  const STYLE = `.words{flex:1 1 20em}.map text{font-size:15px}.larger text{font-size:16px}svg .stop{font-size:22px}.numeral{font-variant-numeric:tabular-nums}
.frame{display:grid;flex:1 1 100%;min-width:0}.frame>svg{grid-area:1/1;width:100%;margin:auto;outline:0}
.inner text{font-size:max(15px,var(--floor,0px))}.tight text{font-size:max(12px,var(--floor,0px))}.tight .numeral{letter-spacing:-.4px}
.crumbs button+button::before{content:"› "/"";font-weight:400}.crumbs .station{color:${HERE}}.crumbs .station::after{content:", you are here"}.inner .ring{stroke:${FAINT}}
.word{flex:0 1 auto}.word select{font:inherit;color:inherit;background:var(--page);padding:.2em;border:1.5px solid ${GREY};border-radius:6px}
[role=button],.inner [role=gridcell]{cursor:pointer;outline:0}.ring{fill:transparent}.token .ring{stroke:var(--ring,${FAINT});stroke-width:1.6}
[role=button]:focus-visible .ring{stroke:currentColor;stroke-width:2.5;stroke-dasharray:4 2}[role=button]:hover .ring{fill:${PALE(8)}}
.spark{stroke:${PAPER};stroke-width:2.5;stroke-dasharray:5 17;stroke-linecap:round;fill:none;opacity:0}
.playing .spark{opacity:.75;animation:run 1.1s linear infinite}@keyframes run{from{stroke-dashoffset:22}to{stroke-dashoffset:0}}
@media (prefers-reduced-motion:reduce){.playing .spark{animation:none}}
.heads{display:flex;flex-wrap:wrap;gap:.4em .5em;align-items:center}.links{flex-basis:100%;display:flex;flex-wrap:wrap;gap:.1em 1em;margin:.2em 0 0}
.links a{color:inherit;text-underline-offset:.2em}
.many a span{display:none}
@container (max-width:36em){.row{gap:.25em .5em}button{padding:.1em .45em}.crumbs .station::after,.says{display:none}.crumbs{font-size:.88em}}`;

  // Enter and Space do what a click does; act(event).
  const press = (g, act) => {
    g.addEventListener('click', act);
    g.addEventListener('keydown', event => {
      if (event.key != 'Enter' && event.key != ' ') return;
      event.preventDefault();
      act(event);
    });
  };
  // A token in its box, centred in a place. Returns its group and label(token, colour).
  const chip = (parent, attributes = {}) => {
    const g = createElement(parent, 'g', { 'pointer-events': 'none' }),
      box = createElement(g, 'rect', {
        height: 24,
        y: -17,
        rx: 12,
        fill: PAPER,
        'stroke-width': 2,
        ...attributes
      });
    const text = createElement(g, 'text', { class: 'title middle' });
    return [
      g,
      (token, colour) => {
        const width = 18 + 8 * token.length;
        setAttributes(box, { x: -width / 2, width, stroke: colour });
        setText(text, token);
        text.classList.toggle('stop', token == '.');
      }
    ];
  };
  const put = (g, [x, y]) => setAttributes(g, { transform: `translate(${x} ${y})` });

  instrument('TheMap', {
    wordy: true,
    hint: 'Click a part or a lane, drag the knob along the machine, or press play.',

    compute(state, data) {
      const { words: own, text, stage, level, head } = state,
        { words } = data,
        params = model(data),
        { name, shape, says } = all12(data.stages)[stage] ?? {
          name: 'the whole machine',
          shape: '',
          says: ''
        };
      const ids = [0, ...own.map(word => words.indexOf(word))];
      let order, shares, pass;
      for (let k = 0; ; k++) {
        pass = forward(params, ids);
        shares = softmax(pass.logits);
        order = [...words.keys()].sort((i, j) => shares[j] - shares[i]).slice(0, 5);
        if (k == text || order[0] == 0 || ids.length == LANES) break;
        ids.push(order[0]);
      }
      const { lengths, awake, blocks, logits } = pass,
        T = ids.length,
        block = blockOf(stage),
        lane = Math.min(state.lane ?? T - 1, T - 1);
      const mean = heads =>
        heads[0].A.map((row, i) => row.map((_, j) => sum(heads.map(({ A }) => A[i][j])) / 4));
      const at = [block || 2, head || 1],
        heads = blocks[at[0] - 1],
        { Q, K, V, A, output } = heads[at[1] - 1],
        products = times(Q, transpose(K)),
        row = A[lane].map(a => +a.toFixed(9));
      const key = Math.min(state.key ?? row.indexOf(Math.max(...row)), T - 1);
      return {
        stage,
        level,
        title: titleOf(name, block),
        name,
        block,
        says,
        shape: shape.replaceAll('T', T),
        words: own,
        tokens: ids.map(id => words[id]),
        ids,
        lane,
        head,
        weights: blocks.map(all => (head ? all[head - 1].A : mean(all))),
        lengths,
        awake,
        best: order.map(i => words[i]),
        scores: order.map(i => logits[i]),
        shares: order.map(i => shares[i]),
        rest: 1 - sum(order.map(i => shares[i])),
        others: words.length - 5,
        at,
        heads: heads.map(one => one.A),
        Q,
        K,
        V,
        A,
        products,
        scaled: products.map(scores => scores.map(x => x / 2)),
        output,
        key,
        masked: key > lane
      };
    },

    describe(numbers, { here: { number: here, about } }) {
      const {
        stage,
        level,
        title,
        block,
        says,
        shape,
        tokens,
        ids,
        lane,
        head,
        weights,
        lengths,
        awake,
        best,
        scores,
        shares,
        rest,
        others,
        at: [b, h],
        heads: maps,
        A,
        products,
        scaled,
        output,
        key,
        masked
      } = numbers;
      const text = tokens.slice(1).join(' '),
        who = called(tokens[lane]),
        next = best.map(called),
        heads = head ? `head ${head}` : 'mean of four heads';
      const length = lengths.map(row => fixed(row[lane], 1)),
        listed = values => next.map((word, k) => `${word} ${fixed(values[k], 2)}`).join(', '),
        share = fixed(shares[0], 2);
      if (level == BLOCK) {
        const [before, between, after] = length.slice(2 * b - 1);
        return (
          `Block ${b}: by heads 1 to 4 ${who} looks most at ${maps.map(one => looks(tokens, one[lane], 1)).join(', ')}. ` +
          `Its vector goes from length ${before} to ${between} by attention, and to ${after} by feed-forward (${awake[b - 1][lane]} of 32 units above 0).`
        );
      }
      if (level == HEAD)
        return (
          `Head ${h} of block ${b}: the query of ${who} meets the keys up to its own. Its largest weights are ${looks(tokens, A[lane], 3)}; ` +
          `the output, an average of the values, is ${output[lane].map(x => fixed(x, 1)).join(', ')}.`
        );
      if (level == SCORE) {
        const pair = `${who} asks ${called(tokens[key])} by head ${h} of block ${b}: `;
        return masked
          ? `${pair}it comes later, so the mask makes the score -∞, and the weight 0.`
          : `${pair}query times key is ${fixed(products[lane][key], 2)}, divided by √4 ${fixed(scaled[lane][key], 2)}, ` +
              `and the softmax of the row makes that the weight ${fixed(A[lane][key], 2)}.`;
      }
      if (stage == 12)
        return (
          (here ? `You are here: lecture ${here}, ${about}. ` : '') +
          `"${text}" goes in, and ${next[0].replace('full', 'the full')} comes out, with ${share} of all shares, and is fed back. ` +
          `In block 2 ${who} looks most at ${looks(tokens, weights[1][lane], 1)} (${heads}).`
        );
      const now =
        stage == 0
          ? `Here: "${text}".`
          : stage == 1
            ? `Here ${who} is ${ids[lane]}.`
            : stage <= 3
              ? `Here the vector of ${who} has length ${length[stage - 2]}.`
              : attends(stage)
                ? `Here ${who} looks at ${looks(tokens, weights[block - 1][lane], 3)} (${heads}).`
                : feeds(stage)
                  ? `Here ${awake[block - 1][lane]} of the 32 of ${who} stay above 0, and its vector goes from length ${length[stage - 3]} to ${length[stage - 2]}.`
                  : stage == 8
                    ? `Here ${who} arrives with length ${length[5]}.`
                    : stage == 9
                      ? `Here: ${listed(scores)}.`
                      : stage == 10
                        ? `Here: ${listed(shares)}, the ${others} others ${fixed(rest, 2)}.`
                        : next[0] == 'full stop'
                          ? `Here the full stop comes, with ${share}, and the sentence is finished: "${text}."`
                          : `Here ${next[0]}, with ${share}: "${text} ${next[0]}".`;
      return `${title[0].toUpperCase()}${title.slice(1)}: ${shape}. ${says} ${now}`;
    },

    conditions(numbers, { words: all, here: { kind, limit, asks, words: opens } }) {
      const {
          level,
          name,
          title,
          words,
          tokens,
          lane,
          head,
          weights,
          best,
          A,
          products,
          key,
          masked
        } = numbers,
        verb = all.indexOf(best[0]) - all.indexOf('sees');
      if (kind == 'part') return [goal(`${asks}: open is ${title}`, name == limit)];
      if (kind == 'next') {
        const holds = limit == '.' ? verb < -16 : verb >= 0 && verb % 2 == 0;
        return [goal(`${asks}: now ${called(best[0])}`, holds)];
      }
      if (kind == 'subject') {
        const weight = weights[1].at(-1)[2],
          by = head ? `head ${head}` : 'the mean of four heads';
        return [
          rule('the sentence as it opened', words.join() == opens.join()),
          goal(`${asks}: by ${by} ${fixed(weight, 2)}`, weight > limit)
        ];
      }
      const value = {
        weight: lane == key ? 0 : A[lane][key],
        product: masked ? 0 : products[lane][key],
        masked: +masked
      }[kind];
      const pair = `${called(tokens[lane])} → ${called(tokens[key])}`;
      return [
        goal(
          `${asks}: ${pair}${kind == 'masked' ? '' : ` ${fixed(value, 2)}`}`,
          level == SCORE && value > limit
        )
      ];
    },

    lesson(numbers, { here: { kind, why } }) {
      const { title, shape, tokens, lane, weights, head, best, at, Q, K, A, key } = numbers,
        who = called(tokens[lane]),
        whom = called(tokens[key]),
        by = `ead ${at[1]} of block ${at[0]}`;
      const done = {
        part: () => `${title[0].toUpperCase()}${title.slice(1)}: ${shape}`,
        next: () => `After “${tokens.slice(1).join(' ')}” comes ${called(best[0])}`,
        subject: () =>
          `Head ${head} of block 2 looks past the nearer noun at the subject: ${called(tokens.at(-1))} gives ${fixed(weights[1].at(-1)[2], 2)} to dogs, and next comes ${called(best[0])}`,
        masked: () => `${whom} comes after ${who}, so ${who} gives it the weight 0`,
        product: () => `H${by}, ${who} times ${whom}: ${terms(Q[lane], K[key])}`
      };
      const seen = done[kind]?.() ?? `By h${by} ${who} gives ${whom} ${fixed(A[lane][key], 2)}`;
      return `${seen}. ${why}`;
    },

    build({ controls, stage: place, update, hover }, data, state) {
      const {
          lectures,
          here: { number: here, lights, about }
        } = data,
        stages = all12(data.stages),
        station = state.level,
        all = [...stages.keys()],
        slots = [...Array(LANES).keys()];
      createElement(place, 'style', {}, STYLE);

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
        else if (now.best[0] != '.' && now.tokens.length < LANES) go(0, text + 1);
        else go(WHOLE);
      };
      const back = () => {
        if (state.stage) go(state.stage - 1);
        else if (state.text) go(WHOLE - 1, state.text - 1);
      };

      // Play: forth again and again, until the sentence is finished or the hand does something
      // else.
      const moment = () => `${state.text} ${state.stage} ${state.level}`;
      let playing = 0,
        expected,
        svg,
        paint,
        plan,
        now,
        over = null,
        level = null, // that is seen
        byKey = null, // did a key of the picture walk? null: nothing of the picture did
        stop = () => {},
        levels = [];
      const doors = [];
      const pause = () => {
        clearTimeout(playing);
        playing = 0;
        setText(play, '▶ play');
        svg.classList.remove('playing');
      };
      const beat = () => {
        if (!place.isConnected) return;
        forth();
        expected = moment();
        if (state.stage == WHOLE) return pause();
        svg.classList.add('playing');
        setText(play, '❚❚ pause');
        playing = setTimeout(beat, 2800);
      };
      const button = (title, act) => {
        const one = createElement(controls, 'button', { type: 'button' }, title);
        one.addEventListener('click', act);
        return one;
      };
      // The way in, as crumbs: machine › block › head › one score.

      const trail = createElement(controls, 'div', { class: 'crumbs' }),
        crumb = choices(trail, 'how deep', ['machine', 'block', 'head', 'one score'], level => {
          if (level && !blockOf(state.stage)) state.stage = 6;
          if (level > BLOCK) state.head ||= 1;
          state.level = level;
          update();
        });
      const flowButtons = [button('‹ back', back)],
        play = button('▶ play', () => (playing ? pause() : beat()));
      play.style.minWidth = '6em';
      flowButtons.push(play, button('step ›', forth));
      // The sentence is the reader's own: the picked word is changed, left out, or one is added.
      const label = createElement(controls, 'label', { class: 'word' });
      createElement(label, 'span', { class: 'says' }, 'your sentence:');
      const change = createElement(label, 'select', { 'aria-label': 'the picked word' }),
        more = button('+ word', () => say([...now.tokens.slice(1), now.best.find(w => w != '.')]));
      for (const word of [...data.words.slice(1), '(leave out)'])
        createElement(change, 'option', {}, word);
      const say = (words, lane = null) => {
        Object.assign(state, { words, lane, text: 0, key: null });
        update();
      };
      change.addEventListener('change', () => {
        const own = now.tokens.slice(1),
          out = change.selectedIndex == data.words.length - 1;
        own.splice(now.lane - 1, 1, ...(out ? [] : [change.value]));
        say(own, out ? null : now.lane);
      });
      const heads = createElement(controls, 'div', { class: 'heads' }, 'ribbons of');
      const pick = choices(heads, 'whose ribbons', ['all heads', '1', '2', '3', '4'], head => {
        state.head = head;
        if (!head) state.level = Math.min(state.level, BLOCK);
        update();
      });
      heads
        .querySelectorAll('button')
        .forEach((one, k) => k && setAttributes(one, { 'aria-label': `ribbons of head ${k}` }));
      const frame = createElement(place, 'div', { class: 'frame' }),
        links = createElement(place, 'div', { class: 'links' });
      place.after(links);

      // A lane that is pointed at is lit as if it were picked.
      const point = i => {
        over = i;
        paint(now);
      };
      const seen = ({ tokens, weights }, i) =>
        i < tokens.length &&
        `${called(tokens[i])} looks at, in block 1: ${looks(tokens, weights[0][i], 3)}; in block 2: ${looks(tokens, weights[1][i], 3)}.`;

      // A rectangle between two places.
      const rect = (parent, a, c, b, d, attributes) => {
        const [x, y] = plan.point(a, c),
          [width, height] = plan.point(b - a, d - c);
        return createElement(parent, 'rect', { x, y, width, height, ...attributes });
      };

      // Behind all: the two blocks, what is lit, and the part that is open.
      function ground() {
        const { low, high, panel, along, tall } = plan,
          pinned = lights.every((s, k) => s == lights[0] + k) ? lights.at(-1) : lights[0];
        doors[0] = ATTENTION.map((s, k) => {
          const [[a], [, b]] = along.slice(s, s + 2),
            ground = rect(svg, a - 6, low - panel, b + 6, high + 4, { rx: 12, fill: PALE(5) });
          if (!tall)
            createElement(
              svg,
              'text',
              { x: (a + b) / 2, y: plan.block + 5, class: 'middle soft' },
              `block ${k + 1}`
            );
          return ground;
        });
        const open = all.map(s =>
          rect(svg, along[s][0], low, along[s][1], high, { rx: 8, fill: PALE(9) })
        );
        lights.forEach(s =>
          rect(svg, along[s][0] + 1, low, along[s][1] - 1, high, {
            rx: 8,
            fill: HERE,
            'fill-opacity': 0.07,
            stroke: HERE,
            'stroke-width': 1.5,
            'stroke-opacity': 0.5,
            'stroke-dasharray': '5 4'
          })
        );
        if (lights.length) {
          const first = along[lights[0]][0],
            words = tall ? '◂ you are here' : `▾ you are here: ${about}`,
            wide = 4.8 * words.length;
          const x = tall
              ? high
              : clip((first + along[pinned][1]) / 2, wide, plan.width - 20 - wide),
            y = tall ? first + 16 : 12;
          createElement(
            svg,
            'text',
            { x, y, class: `title ${tall ? 'end halo' : 'middle'}` },
            words
          ).style.fill = HERE;
        }
        return ({ stage }) => all.forEach(s => see(open[s], s == stage));
      }

      // What flows is seen as far as it has come. Returns its group and front(a).
      function curtain() {
        const id = `map${Math.random().toString(36).slice(2)}`,
          defs = createElement(svg, 'defs'),
          { width, height, along, tall } = plan;
        const fade = createElement(defs, 'linearGradient', { id, gradientUnits: 'userSpaceOnUse' }),
          room = { x: -20, y: -20, width: width + 40, height: height + 40 };
        createElement(fade, 'stop', { offset: 0, 'stop-color': '#fff' });
        createElement(fade, 'stop', { offset: 1, 'stop-color': '#fff', 'stop-opacity': 0.16 });
        const mask = createElement(defs, 'mask', {
          id: `${id}m`,
          maskUnits: 'userSpaceOnUse',
          ...room
        });
        createElement(mask, 'rect', { ...room, fill: `url(#${id})` });
        if (tall)
          all
            .slice(2)
            .forEach(s =>
              createElement(mask, 'rect', {
                x: 0,
                y: along[s][0],
                width,
                height: 22,
                fill: '#000',
                'fill-opacity': 0.8
              })
            ); // under the names
        return [
          createElement(svg, 'g', { mask: `url(#${id}m)` }),
          a => {
            const [x1, y1] = plan.point(a - 24, 0),
              [x2, y2] = plan.point(a + 4, 0);
            setAttributes(fade, { x1, y1, x2, y2 });
          }
        ];
      }

      // The lanes: ids, vectors, norms, ribbons, lenses, and a plus wherever something is added.
      function lanes(flow) {
        const { along, tall } = plan,
          norms = [...[4, 5, 6, 7].map(s => inside(plan, s)[0]), middle(plan, 8) + plan.place],
          lit = here == '06';
        const parts = slots.map(i => {
          const c = plan.lane(i),
            g = createElement(flow, 'g'),
            hue = { fill: colour(i) };
          const [x, y] = plan.point(tall ? along[1][0] + 33 : middle(plan, 1), c);
          const band = createElement(g, 'path', hue),
            id = createElement(g, 'text', { x, y: y + (tall ? 0 : 5), class: 'middle numeral' });
          createElement(g, 'path', {
            class: 'spark',
            d: `M${plan.at(along[2][0] + 20, c)}L${plan.at(along[8][1], c)}`
          });
          rect(g, along[2][0] + plan.birth, c - 8, along[2][0] + plan.birth + 7, c + 8, {
            rx: 2,
            ...hue
          });
          return { g, band, id };
        });
        const ribbons = ATTENTION.map(() =>
          slots.map(i => {
            const g = createElement(flow, 'g');
            return [
              g,
              slots.slice(0, i + 1).map(j => createElement(g, 'path', { fill: colour(j) }))
            ];
          })
        );
        const above = slots.map(i => {
          const c = plan.lane(i),
            g = createElement(flow, 'g'),
            hue = { fill: colour(i) };
          norms.forEach(a =>
            rect(g, a - 3, c - 9, a + 3, c + 9, {
              rx: 3,
              fill: PAPER,
              stroke: lit ? HERE : colour(i),
              'stroke-width': lit ? 3 : 1.8
            })
          );
          const lenses = FEED_FORWARD.map(s => [
            s,
            createElement(g, 'path', {
              ...hue,
              stroke: colour(i),
              'stroke-width': 1.5,
              d: lens(plan, s, i, 15)
            }),
            createElement(g, 'path', hue)
          ]);
          additions(plan).forEach(a => {
            const plus = createElement(g, 'g');
            put(plus, plan.point(a, c));
            createElement(plus, 'circle', {
              r: 6,
              fill: PAPER,
              stroke: colour(i),
              'stroke-width': 1.8
            });
            createElement(plus, 'path', {
              d: 'M-3 0H3M0-3V3',
              stroke: 'currentColor',
              'stroke-width': 1.5
            });
          });
          return { g, lenses };
        });
        return ({ tokens, ids, lengths, weights, awake, lane: chosen }) =>
          slots.forEach(i => {
            const here = i < tokens.length,
              picked = i == (over ?? chosen),
              { g, band, id } = parts[i],
              { g: top, lenses } = above[i];
            for (const part of [g, top, ...ribbons.map(block => block[i][0])]) see(part, here);
            if (!here) return;
            setAttributes(band, {
              d: lane(
                plan,
                i,
                lengths.map(row => row[i]),
                i == tokens.length - 1
              ),
              'fill-opacity': picked ? 0.6 : 0.3
            });
            setText(id, `${ids[i]}`);
            ribbons.forEach((block, k) => {
              const [group, paths] = block[i],
                [a, b] = inside(plan, ATTENTION[k]),
                joined = half(lengths[2 + 2 * k][i]) + 2;
              let low = plan.lane(i) - joined;
              setAttributes(group, { opacity: picked ? 0.9 : 0.2 });
              // what is lit lies on top
              if (picked) group.parentNode.insertBefore(group, above[0].g);
              paths.forEach((path, j) => {
                const w = weights[k][i][j];
                see(path, w > 0.01);
                setAttributes(path, {
                  d: ribbon(plan, a + 3, plan.lane(j), 12 * w, b, low + joined * w, joined * w)
                });
                low += 2 * joined * w;
              });
            });
            lenses.forEach(([s, outer, inner], k) => {
              setAttributes(outer, { 'fill-opacity': picked ? 0.3 : 0.14 });
              setAttributes(inner, {
                d: lens(plan, s, i, (15 * awake[k][i]) / UNITS),
                'fill-opacity': picked ? 0.8 : 0.45
              });
            });
          });
      }

      // From the last lane to the likeliest words, as wide as their shares.
      function ends(flow) {
        const { begin, end, reach, tall, along } = plan,
          rows = [0, 1, 2, 3, 4, 5].map(k => {
            const fan = createElement(flow, 'path'),
              [x, y] = plan.point(begin, reach(k)),
              word = createElement(flow, 'text', {
                x,
                y: y + (tall ? -6 : 1),
                class: tall ? 'middle' : ''
              });
            const turned = createElement(flow, 'g', {
              transform: tall
                ? `translate(${x - 12} ${y})`
                : `translate(${x} ${y + 10})rotate(-90)scale(-1 1)`
            });
            const bar = createElement(turned, 'rect', {
                class: 'level',
                width: tall ? 24 : 8,
                rx: 2
              }),
              share = createElement(flow, 'text', { class: `numeral ${tall ? 'middle' : 'end'}` });
            return { fan, word, bar, share, x, y };
          });
        return ({ stage, tokens, best, shares, rest }) =>
          rows.forEach(({ fan, word, bar, share, x, y }, k) => {
            const p = shares[k] ?? rest,
              T = tokens.length,
              length = (end - begin) * p;
            setText(word, best[k] ?? 'others');
            word.classList.toggle('stop', best[k] == '.');
            word.classList.toggle('title', !k && (stage >= WHOLE - 1 || tall));
            setAttributes(bar, {
              height: length,
              fill: k < 5 ? colour(T) : GREY,
              'fill-opacity': k ? 0.55 : 1
            });
            setText(share, fixed(p, 2), tall ? { x, y: y + length + 17 } : { x: end, y: y + 1 });
            setAttributes(fan, {
              d: ribbon(
                plan,
                along[8][1] + 8,
                plan.lane(T - 1),
                4 * Math.min(1, 5 * p),
                begin - (tall ? 22 : 9),
                reach(k),
                Math.max(0.4, 18 * p)
              ),
              fill: k < 5 ? colour(T - 1) : GREY,
              'fill-opacity': k ? 0.3 : 0.7
            });
          });
      }

      // The likeliest word is chosen and goes back to the end of the text. Returns what draws it,
      // and fly(i, token, landed).
      function again() {
        const { tall, reach, begin, word, width, height } = plan,
          way = createElement(svg, 'path', {
            fill: 'none',
            'stroke-width': 3,
            'stroke-dasharray': '2 7',
            'stroke-linecap': 'round'
          });
        const tip = createElement(svg, 'path', { d: 'M0 0L-11 -6V6Z' }),
          [chosen, name] = chip(svg, tall ? {} : { fill: 'none' }),
          [ghost, whisper] = chip(svg, { 'stroke-dasharray': '4 3' });
        const [flying, call] = chip(svg),
          told = createElement(
            svg,
            'text',
            { x: tall ? 190 : width / 2 - 14, y: height - (tall ? 10 : 11), class: 'middle soft' },
            'the chosen word is fed back'
          );
        see(flying, false);
        const draw = ({ stage, tokens, best: [next] }) => {
          const T = tokens.length,
            c = plan.lane(T),
            hue = colour(T),
            half = 12 + 4 * next.length;
          setAttributes(way, { d: loop(plan, T, next), stroke: hue });
          setAttributes(tip, {
            transform: tall ? `translate(${c} 25)rotate(90)` : `translate(${word[0] - half} ${c})`,
            fill: hue
          });
          name(next, hue);
          whisper(next, hue);
          put(chosen, tall ? [reach(0), height - 35] : [begin + 4 * next.length, reach(0) + 1]);
          see(chosen.querySelector('text'), tall); // elsewhere it stands in its row
          put(ghost, tall ? [c, word[0]] : [word[0], c + 5]);
          for (const part of [way, tip, chosen, ghost, told])
            part.style.opacity = stage >= WHOLE - 1 ? 1 : part == told ? 0.45 : 0.16;
        };
        const fly = (i, token, landed) => {
          const path = document.createElementNS(svg.namespaceURI, 'path');
          setAttributes(path, { d: loop(plan, i, token) });
          call(token, colour(i));
          const far = path.getTotalLength(),
            stop = animate(1300, t => {
              const { x, y } = path.getPointAtLength((far * (1 - Math.cos(Math.PI * t))) / 2);
              put(flying, [x, y + 5]);
              see(flying, t < 1);
              if (t == 1) landed();
            });
          return () => {
            stop();
            see(flying, false);
          };
        };
        return [draw, fly];
      }

      // The parts: a name and a region, each a button; in a region the lane below the hand is lit.
      function parts() {
        const { tall, along, low, high } = plan,
          group = createElement(svg, 'g', {
            role: 'toolbar',
            'aria-label': 'the parts of the machine'
          });
        const at = event => {
          const box = svg.getBoundingClientRect(),
            c =
              ((tall ? event.clientX - box.left : event.clientY - box.top) * plan.width) /
              box.width;
          return clip(
            Math.round((c - plan.lane(0)) / (plan.lane(1) - plan.lane(0))),
            0,
            now.tokens.length - 1
          );
        };
        const buttons = stages.map(({ name, shape }, s) => {
          const title = titleOf(name, blockOf(s)),
            g = createElement(group, 'g', {
              role: 'button',
              'aria-label': lights.includes(s) ? `${title}, you are here` : title
            });
          const ring = createElement(g, 'rect', { class: 'ring', rx: 6 }),
            area = rect(g, along[s][0], low, along[s][1], high, { fill: 'transparent' });
          const lines = tall ? [title] : plan == MIDDLE && feeds(s) ? ['feed-', 'forward'] : [name],
            y = tall ? along[s][0] + 16 : plan.raised?.includes(s) ? 49 : 66;
          const x = tall ? 14 : middle(plan, s),
            width = 10 + 8 * lines.at(-1).length,
            text = createElement(g, 'text', { class: tall ? 'halo' : 'middle' });
          lines.forEach((line, k) =>
            createElement(text, 'tspan', { x, y: y - 15 * (lines.length - 1 - k) }, line)
          );
          setAttributes(ring, {
            x: tall ? 8 : x - width / 2,
            y: y - 2 - 15 * lines.length,
            width,
            height: 8 + 15 * lines.length
          });
          if (lights.includes(s)) text.style.fill = HERE;
          hover(g, numbers =>
            over == null
              ? `${title}: ${shape.replaceAll('T', numbers.tokens.length)}. Click to open.`
              : seen(numbers, over)
          );
          area.addEventListener('pointermove', event => {
            if (at(event) == over) return;
            point(at(event));
            g.dispatchEvent(new Event('pointerenter'));
          });
          area.addEventListener('pointerleave', () => point(null));
          area.addEventListener('click', event => {
            state.lane = at(event);
          });
          press(g, event => {
            state.stage = s;
            if (blockOf(s)) enter({ level: BLOCK }, event);
            else update();
          });
          return [g, text];
        });
        rove(buttons.map(([g]) => g));
        return ({ stage }) =>
          buttons.forEach(([g, text], s) => {
            setAttributes(g, { 'aria-pressed': s == stage });
            text.style.textDecoration = s == stage ? 'underline' : '';
            text.style.opacity = s <= stage ? 1 : 0.6;
          });
      }

      // The shapes on the edges between the parts, and inside of them.
      function shapes() {
        const { tall, edges, high, along } = plan,
          row = (x, y, name, shape) => [
            createElement(svg, 'text', { x, y, class: `soft ${name}` }),
            shape
          ];
        const between = ['T tokens', '(T,)', ...Array(7).fill('(T, 16)'), '(T, 33)', '(33,)'];
        const all = tall
          ? stages
              .map(({ shape }, s) => [s, shape.split(' → ').at(-1)])
              .filter(([s]) => s && s != lights[0])
              .map(([s, shape]) => row(high, along[s][0] + 16, 'end halo', shape))
          : [
              ...between.map((shape, k) => [edges[k], shape, 20]),
              ...[4, 5, 6, 7].map(s => [middle(plan, s), feeds(s) ? '(T, 32)' : '(4, T, T)', 40])
            ]
              .sort((p, q) => p[0] - q[0])
              .map(([x, shape, down], k) =>
                row(x, high + (plan == MIDDLE ? 20 + 20 * (k % 2) : down), 'middle', shape)
              );
        return ({ tokens }) =>
          all.forEach(([text, shape]) => setText(text, shape.replaceAll('T', tokens.length)));
      }

      // The tokens: each a button that picks its lane.
      function tokens() {
        const { tall, word } = plan,
          chips = slots.map(i => {
            const [x, y] = plan.point(word[1], plan.lane(i)),
              g = createElement(svg, 'g', { role: 'button', class: 'token' }),
              box = createElement(g, 'rect', {
                class: 'ring',
                rx: 12,
                height: 24,
                y: y - (tall ? 17 : 12)
              });
            const text = createElement(g, 'text', {
              x,
              y: y + (tall ? 0 : 5),
              class: tall ? 'middle' : 'end'
            });
            for (const come of ['pointerenter', 'focus']) g.addEventListener(come, () => point(i));
            for (const leave of ['pointerleave', 'blur'])
              g.addEventListener(leave, () => point(null));
            hover(g, numbers => seen(numbers, i));
            press(g, () => {
              state.lane = i;
              update();
            });
            return { g, box, text, x };
          });
        rove(chips.map(({ g }) => g));
        return ({ tokens, lane }) =>
          chips.forEach(({ g, box, text, x }, i) => {
            see(g, i < tokens.length);
            if (i >= tokens.length) return;
            const picked = i == (over ?? lane),
              width = tall ? 6 + 8.2 * tokens[i].length : 12 + 8.8 * tokens[i].length;
            setText(text, tokens[i]);
            text.classList.toggle('stop', tokens[i] == '.');
            text.classList.toggle('title', picked);
            text.style.fill = picked ? colour(i) : '';
            setAttributes(box, {
              x: tall ? x - width / 2 : x - width + 6,
              width,
              style: picked ? `--ring:${colour(i)}` : ''
            });
            setAttributes(g, {
              'aria-label': `${called(tokens[i])}, lane ${i + 1}`,
              'aria-pressed': i == lane
            });
          });
      }

      // The track along the machine, and the knob on it.
      function track() {
        const { tall, along, edge } = plan,
          stops = [...all.map(s => (tall ? along[s][0] + 11 : middle(plan, s))), along[11][1]];
        const line = (to, stroke) => ({
          d: `M${plan.at(stops[0], edge)}L${plan.at(to, edge)}`,
          stroke,
          'stroke-width': 2.5
        });
        createElement(svg, 'path', line(stops[WHOLE], FAINT));
        const gone = createElement(svg, 'path'),
          knob = createElement(svg, 'g');
        createElement(knob, 'circle', { class: 'grip', r: 20 });
        createElement(knob, 'circle', { r: 9, fill: 'currentColor' });
        createElement(knob, 'path', {
          d: tall ? 'M-4 -2L0 3L4 -2' : 'M-2 -4L3 0L-2 4',
          fill: 'none',
          stroke: PAPER,
          'stroke-width': 2.2
        });
        const to = stage => stage != state.stage && go(clip(stage, 0, WHOLE));
        handle(knob, svg, {
          label: 'where the sentence is',
          at: () => plan.point(stops[state.stage], edge),
          home: () => to(0),
          end: () => to(WHOLE),
          step: (dx, dy) => to(state.stage + dx + (tall ? -dy : dy)),
          move: (x, y) => {
            const far = stops.map(stop => Math.abs(stop - plan.point(x, y)[0]));
            to(far.indexOf(Math.min(...far)));
          }
        });
        return ({ stage, title }) => {
          put(knob, plan.point(stops[stage], edge));
          setAttributes(gone, line(stops[stage], GREY));
          announce(knob, title, stage, 0, WHOLE);
        };
      }

      // The front of the flow glides to the stage that is reached; when a word has been written, it
      // first flies back to the text.
      function flowing(front, fly) {
        let was,
          reached,
          stop = () => {};
        const to = (from, target) =>
          (stop = animate(700, t =>
            front((reached = from + (target - from) * (1 - (1 - t) ** 3)))
          ));
        return ({ stage, tokens }) => {
          if (was == moment()) return;
          const target = stage == WHOLE ? plan.along[11][1] + 40 : plan.along[stage][1],
            [before] = was?.split(' ') ?? [];
          was = moment();
          stop();
          if (before == null) front((reached = target));
          else if (state.text == +before + 1 && !stage) {
            front((reached = 0));
            stop = fly(tokens.length - 1, tokens.at(-1), () => to(0, target));
          } else to(state.text == before ? reached : 0, target);
        };
      }

      // A table of numbers, the stronger coloured the larger: blue above 0, orange below. Returns
      // show(i, j, number or null, digits, the largest).
      const grid = (svg, x, y, w, h, rows, columns) => {
        const cells = several(rows, i =>
          several(columns, j => [
            createElement(svg, 'rect', {
              x: x + j * w + 1,
              y: y + i * h + 1,
              width: w - 2,
              height: h - 2,
              rx: 3
            }),
            createElement(svg, 'text', {
              x: x + (j + 0.5) * w,
              y: y + (i + 0.5) * h + 5,
              class: 'middle numeral'
            })
          ])
        );
        return (i, j, value, digits = 1, most = 3, blank = '') => {
          const [box, text] = cells[i][j];
          fill(box, value, most);
          setText(text, value == null ? blank : fixed(value, digits));
        };
      };
      const fill = (box, value, most) =>
        setAttributes(box, {
          fill: value < 0 ? ORANGE : SKY,
          'fill-opacity': value == null ? 0 : round(0.05 + 0.5 * clip(Math.abs(value) / most, 0, 1))
        });
      const write = (svg, x, y, text, kind = '') =>
        createElement(svg, 'text', { x, y, class: kind }, text);
      // A token's name, in the colour of its lane.
      const nameOf = (text, tokens, i, marked) => {
        setText(text, tokens[i] ?? '');
        text.style.fill = colour(i);
        text.classList.toggle('title', !!marked);
        text.classList.toggle('stop', tokens[i] == '.');
      };
      const hasEnough = (parts, tokens) => parts.forEach((part, i) => see(part, i < tokens.length));
      // A button of a level: its ring, its words, what a press does.
      const knobs = (svg, title, n, box, tell, act) => {
        const bar = createElement(svg, 'g', { role: 'toolbar', 'aria-label': title }),
          all = several(n, i => {
            const g = createElement(bar, 'g', { role: 'button' }),
              [x, y, width, height] = box(i);
            createElement(g, 'rect', { class: 'ring', x, y, width, height, rx: 6 });
            hover(g, numbers => tell(numbers, i) || '');
            press(g, event => act(i, event));
            return g;
          });
        rove(all);
        const name = numbers =>
          all.forEach((g, i) => setAttributes(g, { 'aria-label': tell(numbers, i) || '' }));
        return [all, name];
      };
      const enter = (changes, event) => {
        Object.assign(state, changes);
        byKey = event.type == 'keydown';
        update();
      };
      const choose = lane => {
        Object.assign(state, { lane, key: null });
        update();
      };

      // Level 1, a block: its four heads, and the stream of each token.
      function blockLevel(svg, tall) {
        const [size, x0, y0, dx, dy] = tall ? [19, 56, 48, 156, 166] : [22, 62, 50, 186, 184],
          [end, first, gap, top, height] = tall ? [62, 104, 76, 420, 36] : [486, 530, 80, 76, 46],
          at = h => [x0 + dx * (h % 2), y0 + dy * (h >> 1)];
        write(
          svg,
          x0 + (dx + 7 * size) / 2,
          16,
          'attention: press one of four heads',
          'title middle'
        );
        write(svg, first + 1.5 * gap, tall ? 378 : 16, 'the stream of each token', 'title middle');
        ['in', '+ attention', 'above 0', 'out'].forEach((text, k) =>
          write(svg, first + k * gap, top - (tall ? 22 : 34), text, 'middle soft')
        );
        const [maps, nameMaps] = knobs(
          svg,
          'the heads of the block',
          4,
          h => [at(h)[0] - 5, at(h)[1] - 22, 7 * size + 10, 7 * size + 28],
          ({ tokens, heads, lane, at: [b] }, h) =>
            `head ${h + 1} of block ${b}: ${called(tokens[lane])} looks at ${looks(tokens, heads[h][lane], 3)}. Press to walk in.`,
          (h, event) => enter({ head: h + 1, level: HEAD }, event)
        );
        doors[1] = maps;
        const cells = maps.map((g, h) => {
          const [x, y] = at(h);
          write(g, x + 3.5 * size, y - 6, `head ${h + 1}`, 'middle');
          return several(LANES, i =>
            several(i + 1, j =>
              createElement(g, 'rect', {
                x: x + j * size + 1,
                y: y + i * size + 1,
                width: size - 2,
                height: size - 2,
                rx: 2
              })
            )
          );
        });
        const frames = maps.map(g =>
          createElement(g, 'rect', { fill: 'none', 'stroke-width': 2, rx: 3 })
        );
        const names = [0, 2].map(h =>
          slots.map(i => write(svg, x0 - 8, at(h)[1] + (i + 0.7) * size, '', 'end'))
        );
        const [rows, nameRows] = knobs(
          svg,
          'the tokens',
          LANES,
          i => [
            end - 60,
            top + i * height - height / 2 + 1,
            first + 3.5 * gap - end + 54,
            height - 2
          ],
          ({ tokens, heads }, i) =>
            i < tokens.length &&
            `${called(tokens[i])} looks most at ${heads.map(A => looks(tokens, A[i], 1)).join(', ')}, by heads 1 to 4.`,
          choose
        );
        const lines = rows.map((g, i) => {
          const y = top + i * height;
          return {
            y,
            band: createElement(g, 'path', { fill: colour(i) }),
            name: write(g, end, y + 5, '', 'end'),
            told: several(4, k => write(g, first + k * gap, y + 5, '', 'middle numeral halo'))
          };
        });
        return numbers => {
          const {
            tokens,
            heads,
            lengths,
            awake,
            lane,
            at: [b]
          } = numbers;
          hasEnough(rows, tokens);
          nameMaps(numbers);
          nameRows(numbers);
          names.forEach(all => all.forEach((text, i) => nameOf(text, tokens, i, i == lane)));
          cells.forEach((map, h) =>
            map.forEach((row, i) =>
              row.forEach((box, j) => {
                see(box, i < tokens.length);
                fill(box, heads[h][i]?.[j] ?? 0, 0.6);
              })
            )
          );
          frames.forEach((frame, h) =>
            setAttributes(frame, {
              x: at(h)[0],
              y: at(h)[1] + lane * size,
              width: (lane + 1) * size,
              height: size,
              stroke: colour(lane)
            })
          );
          const steps = [2 * b - 1, 2 * b, 2 * b + 1].map(k => lengths[k]);
          lines.forEach(({ y, band, name, told }, i) => {
            if (i >= tokens.length) return;
            const [p, q, r] = steps.map(row => half(row[i])),
              a = first - 0.45 * gap,
              edge = [
                [a, p],
                [first + 0.35 * gap, p],
                [first + 0.6 * gap, q],
                [first + 2.35 * gap, q],
                [first + 2.6 * gap, r],
                [first + 3.4 * gap, r]
              ];
            setAttributes(band, {
              d: `M${[...edge.map(([x, w]) => `${x} ${y - w}`), ...edge.reverse().map(([x, w]) => `${x} ${y + w}`)].join('L')}Z`,
              'fill-opacity': i == lane ? 0.55 : 0.25
            });
            nameOf(name, tokens, i, i == lane);
            const [u, v, w] = steps.map(row => fixed(row[i], 1));
            [u, v, `${awake[b - 1][i]}/32`, w].forEach((text, k) => setText(told[k], text));
            setAttributes(rows[i], { 'aria-pressed': i == lane });
          });
        };
      }

      // Level 2, a head: all weights, and for the picked token its query, the keys, the values.
      function headLevel(svg, tall) {
        const [w, h, x, y] = tall ? [42, 28, 58, 66] : [38, 36, 62, 84],
          [v, wide, left, top, high, gap] = tall
            ? [29, 34, 43, 344, 28, 3]
            : [35, 52, 398, 84, 36, 6],
          score = left + 4 * v + gap,
          weight = score + wide + gap,
          value = weight + wide + gap;
        write(svg, x + 3.5 * w, 16, 'weights: rows ask, columns answer', 'title middle');
        const title = write(
          svg,
          (left + value + 4 * v) / 2,
          top - (tall ? 68 : 68),
          '',
          'title middle'
        );
        for (const [at, text] of [
          [left + 2 * v, 'keys'],
          [score + wide / 2 - (tall ? 2 : 0), 'score'],
          [weight + wide / 2 + (tall ? 2 : 0), 'weight'],
          [value + 2 * v, 'values']
        ])
          write(svg, at, top - 7, text, 'middle soft');
        write(svg, left - 6, top - 51 + high / 2, 'query', 'end soft');
        write(svg, value - 6, top + 7.5 * high + 9, 'output', 'end soft');
        const across = slots.map(j =>
          createElement(svg, 'text', {
            transform: `translate(${x + (j + 0.4) * w} ${y - 5})rotate(-32)`
          })
        );
        const right = slots.map(j => write(svg, left - 6, top + (j + 0.5) * high + 5, '', 'end')),
          mark = createElement(svg, 'rect', { fill: 'none', 'stroke-width': 2, rx: 4 });
        const cells = table(
          svg,
          'weights',
          LANES,
          LANES,
          { x, y, width: w, height: h },
          hover,
          (i, j, { tokens, A }) =>
            i < tokens.length && j < tokens.length
              ? `${called(tokens[i])} → ${called(tokens[j])}: ${j > i ? 'masked, weight 0' : `weight ${fixed(A[i][j], 2)}`}. Press for the score.`
              : ''
        );
        doors[2] = cells;
        const [rows, nameRows] = knobs(
          svg,
          'whose query',
          LANES,
          i => [0, y + i * h + 2, x - 4, h - 4],
          ({ tokens, A }, i) =>
            i < tokens.length && `${called(tokens[i])} looks at ${looks(tokens, A[i], 3)}.`,
          choose
        );
        const down = rows.map((g, i) => write(g, x - 8, y + (i + 0.5) * h + 5, '', 'end'));
        const shown = cells.map((row, i) =>
          row.map((cell, j) => {
            press(cell, event => enter({ lane: i, key: j, level: SCORE }, event));
            return grid(cell, 0, 0, w, h, 1, 1);
          })
        );
        const query = grid(svg, left, top - 56, v, high, 1, 4),
          keys = grid(svg, left, top, v, high, LANES, 4),
          scores = grid(svg, score, top, wide, high, LANES, 1),
          shares = grid(svg, weight, top, wide, high, LANES, 1),
          values = grid(svg, value, top, v, high, LANES, 4),
          output = grid(svg, value, top + 7 * high + 4, v, high, 1, 4);
        return numbers => {
          const { tokens, Q, K, V, A, scaled, output: out, lane } = numbers;
          hasEnough(rows, tokens);
          hasEnough(
            cells.map(row => row[0].parentNode),
            tokens
          );
          nameRows(numbers);
          setText(title, `the row of ${called(tokens[lane])}`);
          slots.forEach(i => {
            nameOf(across[i], tokens, i);
            nameOf(down[i], tokens, i, i == lane);
            nameOf(right[i], tokens, i);
            setAttributes(rows[i], { 'aria-pressed': i == lane });
            shown[i].forEach((show, j) => {
              see(cells[i][j], j < tokens.length);
              show(0, 0, j > i ? null : A[i]?.[j], 2, 1, '–');
            });
            const asked = i <= lane;
            right[i].style.opacity = asked ? 1 : 0.35;
            several(4, k => {
              keys(i, k, asked ? K[i]?.[k] : null);
              values(i, k, asked ? V[i]?.[k] : null);
            });
            scores(i, 0, asked ? scaled[lane][i] : null, 1, 8);
            shares(i, 0, asked ? A[lane][i] : null, 2, 1);
          });
          several(4, k => {
            query(0, k, Q[lane][k]);
            output(0, k, out[lane][k]);
          });
          setAttributes(mark, {
            x: x - 1,
            y: y + lane * h - 1,
            width: tokens.length * w + 2,
            height: h + 2,
            stroke: colour(lane)
          });
        };
      }

      // Level 3, one score: a dot product, and the softmax of its row.
      function scoreLevel(svg, tall) {
        const [x, w, y, h] = tall ? [96, 46, 40, 34] : [190, 92, 46, 40],
          spot = j => (tall ? [90, 262 + 32 * j] : [190 + 84 * j, 276]),
          [cw, ch] = tall ? [124, 32] : [80, 40],
          centre = tall ? 176 : 400;
        const titles = [14, tall ? 226 : 226].map(at => write(svg, centre, at, '', 'title middle')),
          names = several(3, i => write(svg, x - 8, y + (i + 0.5) * h + 5, '', 'end')),
          numbersOf = grid(svg, x, y, w, h, 3, 4),
          total = write(svg, x + 4 * w + 8, y + 2.5 * h + 5, '', 'title numeral'),
          over = write(
            svg,
            tall ? 344 : x + 4 * w + 8,
            y + (tall ? 4 : 3.4) * h,
            '',
            tall ? 'end numeral' : 'numeral'
          );
        ['score', 'weight'].forEach((text, k) =>
          tall
            ? write(svg, 90 + (k + 0.5) * cw, 252, text, 'middle soft')
            : write(svg, 182, 276 + (k + 0.6) * ch, text, 'end soft')
        );
        const [keys, nameKeys] = knobs(
          svg,
          'whose key',
          LANES,
          j => (tall ? [10, spot(j)[1], 332, ch] : [spot(j)[0] - 1, 244, cw + 2, 114]),
          ({ tokens, A, lane, scaled }, j) =>
            j < tokens.length &&
            (j > lane
              ? `${called(tokens[j])}: masked, weight 0.`
              : `${called(tokens[j])}: score ${fixed(scaled[lane][j], 2)}, weight ${fixed(A[lane][j], 2)}.`),
          key => {
            state.key = key;
            update();
          }
        );
        const parts = keys.map((g, j) => {
          const [a, b] = spot(j);
          return [
            write(g, tall ? 82 : a + cw / 2, tall ? b + 21 : b - 10, '', tall ? 'end' : 'middle'),
            tall ? grid(g, a, b, cw, ch, 1, 2) : grid(g, a, b, cw, ch, 2, 1)
          ];
        });
        return numbers => {
          const { tokens, Q, K, A, products, scaled, lane, key, masked } = numbers;
          nameKeys(numbers);
          const who = called(tokens[lane]),
            whom = called(tokens[key]),
            short = text => (tall ? text.slice(0, 11) : text);
          hasEnough(keys, tokens);
          setText(titles[0], `${who} asks, ${whom} answers`);
          setText(titles[1], `all scores of ${who}, and their softmax`);
          [
            `query ${tall ? '' : `of ${who}`}`,
            `key ${tall ? '' : `of ${whom}`}`,
            'product'
          ].forEach((text, i) => {
            setText(names[i], short(text));
            names[i].style.fill = i < 2 ? colour([lane, key][i]) : '';
          });
          several(4, k => {
            const [q, a] = [Q[lane][k], K[key][k]];
            numbersOf(0, k, q, 2);
            numbersOf(1, k, a, 2);
            numbersOf(2, k, q * a, 2, 8);
          });
          setText(total, `= ${fixed(products[lane][key], 2)}`);
          setText(over, masked ? 'masked: -∞' : `÷ √4 = ${fixed(scaled[lane][key], 2)}`);
          parts.forEach(([text, show], j) => {
            if (j >= tokens.length) return;
            nameOf(text, tokens, j, j == key);
            const [a, b] = j > lane ? [null, 0] : [scaled[lane][j], A[lane][j]];
            show(0, 0, a, 2, 8);
            if (tall) show(0, 1, b, 2, 1);
            else show(1, 0, b, 2, 1);
            setAttributes(keys[j], { 'aria-pressed': j == key });
          });
        };
      }

      function arrange() {
        const room = frame.clientWidth,
          fits = room < 600 ? TALL : room < 820 ? MIDDLE : WIDE; // no letter below 13 pixels
        if (fits == plan) return;
        plan = fits;
        frame.replaceChildren();
        const sheet = (box, kind, title) =>
          createElement(frame, 'svg', {
            viewBox: box,
            class: kind,
            role: 'group',
            tabindex: -1,
            'aria-label': title,
            style: `max-width:${plan.most}em`
          });
        svg = sheet(
          `${plan.left} 0 ${plan.width} ${plan.height}`,
          plan == MIDDLE ? 'map larger' : 'map',
          'the whole machine'
        );
        const open = ground(),
          [flow, front] = curtain(),
          drawn = [open, lanes(flow), ends(flow)],
          [loops, fly] = again();
        const buttons = parts();
        drawn.push(loops, buttons, shapes(), tokens(), track(), flowing(front, fly));
        const inner = [blockLevel, headLevel, scoreLevel].map((make, k) => {
          const one = sheet(
            plan.tall ? '0 0 352 700' : '0 0 800 414',
            plan.tall ? 'inner tight' : 'inner',
            ['a block', 'a head', 'one score'][k]
          );
          return { svg: one, draw: make(one, plan.tall) };
        });
        levels = [{ svg, draw: numbers => drawn.forEach(part => part(numbers)) }, ...inner];
        level = null;
        paint = numbers =>
          levels.forEach(({ draw }, k) => (k == numbers.level || k == level) && draw(numbers));
        if (!now) return;
        paint(now);
        turn(now);
      }

      // From one level to another: what was pressed grows until it is the picture, or shrinks back.
      function turn({ level: to, at: [b, h], lane, key, stage }) {
        if (to == level) return;
        const from = level,
          rest = () => {
            frame.style.overflow = '';
            levels.forEach(({ svg }, k) => {
              for (const name of ['transform', 'transform-origin', 'opacity'])
                svg.style.removeProperty(name);
              svg.style.visibility = k == to ? '' : 'hidden';
            });
          };
        level = to;
        stop();
        rest();
        if (from == null) return;
        const outer = Math.min(from, to),
          inward = to > from,
          door = [doors[0][b - 1], doors[1][h - 1], doors[2][lane][key]][outer],
          room = frame.getBoundingClientRect(),
          { x, y, width, height } = door.getBoundingClientRect(),
          scale = Math.min(room.width / width, room.height / height);
        // the point that stays where it is, of the whole frame
        const still = (edge, size, at, long) =>
          (edge + size / 2 - scale * (at + long / 2)) / (1 - scale);
        const fixedPoint = [
          still(room.x, room.width, x, width),
          still(room.y, room.height, y, height)
        ];
        const pair = [levels[outer].svg, levels[Math.max(from, to)].svg];
        frame.style.overflow = 'hidden';
        pair.forEach(svg => {
          const box = svg.getBoundingClientRect();
          svg.style.visibility = '';
          svg.style.transformOrigin = `${fixedPoint[0] - box.x}px ${fixedPoint[1] - box.y}px`;
        });
        if (byKey != null) {
          const first = levels[to].svg.querySelector('[tabindex="0"]'),
            back = outer ? door : svg.querySelectorAll('[role=toolbar] > [role=button]')[stage];
          ((byKey && (inward ? first : back)) || levels[to].svg).focus({ preventScroll: true });
        }
        byKey = null;
        stop = animate(700, t => {
          const s = (1 - Math.cos(Math.PI * t)) / 2,
            e = inward ? s : 1 - s;
          pair.forEach((svg, k) => {
            svg.style.transform = `scale(${scale ** (e - k)})`;
            svg.style.opacity = k ? e : 1 - e;
          });
          if (t == 1) rest();
        });
      }
      place.getRootNode().addEventListener('keydown', event => {
        if (event.key != 'Escape' || !state.level || event.target == change) return;
        enter({ level: state.level - 1 }, event);
      });

      // The controls say where one is, and which word is picked.
      const guide = ({ level, lane, tokens, at: [b, h] }) => {
        ['machine', `block ${b}`, `head ${h}`, 'one score'].forEach((text, k) => {
          const one = trail.querySelectorAll('button')[k];
          setText(one, text);
          one.classList.toggle('station', station > 0 && station == k);
        });
        crumb(level);
        flowButtons.forEach(one => (one.hidden = level > 0));
        heads.firstChild.data = level > BLOCK ? 'head ' : 'ribbons of ';
        change.value = tokens[lane];
        change.disabled = !lane;
        change.lastChild.disabled = tokens.length < 5;
        more.disabled = tokens.length == LANES;
      };

      // The lectures of the part that is open; they can be gone to where the page tells that it
      // lies among them.
      const address = file => {
        const path = location.pathname,
          last = path.slice(path.lastIndexOf('/') + 1);
        return last.endsWith('.ipynb')
          ? `${path.slice(0, -last.length)}${file}.ipynb`
          : /^\d\d_\w+\.html$/.test(last)
            ? `${file}.html`
            : null;
      };
      const link = ({ stage }) => {
        const numbers = stages[stage]?.lectures ?? (here ? [here] : []);
        if (links.dataset.of == numbers.join()) return;
        links.dataset.of = numbers.join();
        links.replaceChildren();
        links.classList.toggle('many', numbers.length > 3);
        createElement(links, 'span', {}, ['', 'Lecture:'][numbers.length] ?? 'Lectures:');
        numbers.forEach(number => {
          const file = lectures[number],
            href = address(file),
            one = createElement(
              links,
              'a',
              { title: file, ...(href && { href, target: '_blank', rel: 'noopener' }) },
              number
            );
          createElement(one, 'span', {}, file.slice(2).replaceAll('_', ' '));
        });
      };

      new ResizeObserver(arrange).observe(frame);
      arrange();
      return numbers => {
        now = numbers;
        if (playing && moment() != expected) pause();
        pick(numbers.head);
        link(numbers);
        guide(numbers);
        paint(numbers);
        turn(numbers);
      };
    },

    table({ tokens, weights, block }) {
      const shown = block || weights.length;
      return {
        title: `Weights in block ${shown}`,
        corner: 'query by key',
        rows: tokens,
        columns: tokens,
        values: weights[shown - 1].map((row, i) => row.map((w, j) => (j > i ? 'hidden' : w)))
      };
    }
  });
})();
