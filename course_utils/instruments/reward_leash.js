// A leash is loosened by the hand: the proxy's favourites become likelier, and the truth rises, then
// falls.
(() => {
  const {
    sum,
    dot,
    softmax,
    fixed,
    clip,
    round,
    PURPLE,
    ORANGE,
    SKY,
    RED,
    GREY,
    FAINT,
    createElement,
    setAttributes,
    setText,
    picture,
    arrow,
    handle,
    announce,
    table,
    goal,
    instrument
  } = courseKit;
  const TIGHT = 4,
    LOOSE = 0.2,
    STEPS = 60,
    MOST = 5,
    LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const leashAt = u => TIGHT * (LOOSE / TIGHT) ** u,
    signed = x => (fixed(x, 2).startsWith('-') ? '' : '+') + fixed(x, 2),
    percent = (p, digits = 0) => `${fixed(100 * p, digits)} %`;

  // The texts and what does not change with the leash, made once.
  const read = new WeakMap();
  function pool(data) {
    if (read.has(data)) return read.get(data);
    const texts = data.texts.split(' ').map(text => [...text].map(x => LETTERS.indexOf(x))),
      all = sum(data.times),
      reference = data.times.map(n => n / all),
      proxy = texts.map(text => sum(text.map(word => data.points[word]))),
      nouns = texts.map(text => sum(text.map(word => data.is_noun[word]))),
      right = [...data.right].map(one => one == '1'),
      truth = nouns.map((n, i) => (right[i] ? n : 0));
    const policy = leash => softmax(data.times.map((n, i) => Math.log(n) + proxy[i] / leash));
    const means = p => [
      dot(p, proxy),
      dot(p, truth),
      sum(p.map((q, i) => q * Math.log(q / reference[i])))
    ];
    const shares = p =>
      [true, false].map(kind => {
        const columns = Array(MOST + 1).fill(0);
        p.forEach((q, i) => {
          if (right[i] == kind) columns[Math.min(nouns[i], MOST)] += q;
        });
        return columns;
      });
    const curves = Array.from({ length: STEPS + 1 }, (_, k) => {
      const leash = leashAt(k / STEPS);
      return [leash, ...means(policy(leash))];
    });
    const top = Math.max(...curves.map(row => row[2]));
    const made = {
      texts,
      proxy,
      nouns,
      right,
      policy,
      means,
      shares,
      curves,
      start: means(reference),
      first: shares(reference),
      best: curves.find(row => row[2] > top - 1e-9)
    };
    read.set(data, made);
    return made;
  }

  instrument('RewardLeash', {
    hint: 'Drag the line, or press in the chart. Dashed: the model before any reward. ◇, further on: a model trained under that leash.',

    compute({ leash, loosest }, data) {
      const { texts, proxy, nouns, right, policy, means, shares, curves, start, first, best } =
        pool(data);
      const p = policy(leash),
        now = means(p),
        looser = means(policy(leash / 1.1)),
        size = p.map(q => Math.round(Math.log(q) * 1e9)),
        order = [...p.keys()].sort((a, b) => size[b] - size[a]).slice(0, 3);
      const part = shares(p);
      return {
        leash,
        loosest,
        start,
        now,
        more: [looser[0] - now[0], looser[1] - now[1]],
        curves,
        best,
        shares: part,
        first,
        broken: sum(part[1]),
        likely: order.map(i => ({
          text: texts[i].map(word => data.words[word]).join(' '),
          share: p[i],
          right: right[i],
          nouns: nouns[i],
          proxy: proxy[i]
        }))
      };
    },

    describe({ leash, start, now: [proxy, truth, kl], broken, likely: [one] }) {
      return (
        `Leash ${fixed(leash, 2)}: proxy ${fixed(proxy, 2)}, truth ${fixed(truth, 2)}, KL divergence ${fixed(kl, 2)} nats. ` +
        `At the start: proxy ${fixed(start[0], 2)}, truth ${fixed(start[1], 2)}. Of what is written ${percent(broken)} break a rule. ` +
        `Likeliest: "${one.text}", ${percent(one.share, 1)}.`
      );
    },

    conditions({ more: [proxy, truth], start, now }) {
      return [
        goal(
          `10 % looser: proxy ${signed(proxy)}, truth ${signed(truth)} (wanted: -0.05)`,
          truth < -0.045
        ),
        goal(
          `truth above its start, ${fixed(start[1], 2)}: now ${fixed(now[1], 2)}`,
          now[1] > start[1] + 0.005
        )
      ];
    },

    lesson({ leash, now: [proxy, truth, kl], best, curves }) {
      const end = curves.at(-1);
      return (
        `At λ = ${fixed(leash, 2)} the most truth lies behind you: ${fixed(best[2], 2)} at λ = ${fixed(best[0], 2)}, ` +
        `${fixed(best[3], 2)} nats from the start. You are ${fixed(kl, 2)} nats away: the proxy gained ${fixed(proxy - best[1], 2)}, ` +
        `the truth lost ${fixed(best[2] - truth, 2)}, and the proxy alone does not tell. The leash costs proxy: ` +
        `at λ = ${fixed(end[0], 1)} you would have ${fixed(end[1], 2)}, with truth ${fixed(end[2], 2)}.`
      );
    },

    build({ stage, update, hover }, { trained }, state) {
      // The chart: three means over the leash, drawn as far as the hand has been. It opens with their
      // marks, and with what they are.
      const L = 40,
        W = 366,
        TOP = 56,
        BASE = 252,
        UNIT = 34,
        chart = picture(stage, 424, 434, 'what a looser leash does to proxy and truth');
      const where = leash => (Math.log(leash / TIGHT) / Math.log(LOOSE / TIGHT)) * W + L,
        set = u => {
          state.leash = round(leashAt(clip(u, 0, 1)), 3);
          state.loosest = Math.min(state.loosest, state.leash);
          update();
        },
        now = () => (where(state.leash) - L) / W;
      for (const y of [0, 2, 4]) {
        createElement(chart, 'path', {
          d: `M${L} ${BASE - UNIT * y}H${L + W}`,
          stroke: y ? FAINT : GREY
        });
        createElement(
          chart,
          'text',
          { x: L - 13, y: BASE + 5 - UNIT * y, class: 'small soft end' },
          y
        );
      }
      for (const leash of [4, 2, 1, 0.5, 0.2])
        createElement(
          chart,
          'text',
          { x: where(leash), y: BASE + 24.5, class: 'small soft middle' },
          leash
        );
      createElement(chart, 'text', { x: L - 8, y: BASE + 42, class: 'small soft' }, 'tight');
      createElement(
        chart,
        'text',
        { x: L + W / 2, y: BASE + 42, class: 'small middle' },
        'leash λ'
      );
      createElement(
        chart,
        'text',
        { class: 'small middle', transform: `translate(13 ${(TOP + BASE) / 2})rotate(-90)` },
        'mean of its texts'
      );
      createElement(chart, 'text', { x: L + W, y: BASE + 42, class: 'small soft end' }, 'loose');
      const field = createElement(chart, 'rect', {
        x: L - 12,
        y: TOP,
        width: W + 24,
        height: BASE - TOP + 24,
        fill: 'transparent',
        style: 'cursor:pointer'
      });
      field.addEventListener('click', ({ clientX, clientY }) => {
        const { x } = new DOMPoint(clientX, clientY).matrixTransform(
          chart.getScreenCTM().inverse()
        );
        set((x - L) / W);
      });
      // Told by shape as well as by colour.
      const ROUND = 'M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0',
        SQUARE = 'M-5-5H5V5H-5Z',
        SMALL = 'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0';
      const mark = (parent, d, fill, attributes) =>
        createElement(parent, 'path', {
          d,
          fill,
          stroke: 'var(--page)',
          'stroke-width': 1.5,
          ...attributes
        });
      const rows = [
        ['proxy', ORANGE, 3.5, 22, ROUND],
        ['truth', 'currentColor', 3.5, 162, SQUARE],
        ['KL', GREY, 1.5, 302, SMALL]
      ].map(([name, stroke, width, x, shape]) => {
        const look = { fill: 'none', stroke, 'stroke-width': width };
        createElement(chart, 'path', { d: `M${x} 38H${x + 28}`, ...look });
        mark(chart, shape, stroke, { transform: `translate(${x + 14} 38)` });
        return {
          name,
          stroke,
          shape,
          key: createElement(chart, 'text', { x: x + 34, y: 43.5, class: 'title' }),
          path: createElement(chart, 'path', { ...look, 'pointer-events': 'none' }),
          marks: trained.map(() =>
            createElement(chart, 'path', {
              fill: 'var(--page)',
              stroke,
              'stroke-width': 2,
              'pointer-events': 'none'
            })
          )
        };
      });
      const hand = createElement(chart, 'g'),
        line = createElement(hand, 'path', { stroke: PURPLE, 'stroke-width': 2.5 }),
        knob = createElement(hand, 'circle', { r: 9, cy: BASE, fill: PURPLE }),
        value = createElement(hand, 'text', { y: TOP + 14, class: 'title halo' }),
        dots = rows.map(({ shape, stroke }) => mark(hand, shape, stroke)),
        grip = createElement(hand, 'rect', {
          class: 'grip',
          y: TOP,
          width: 40,
          height: BASE - TOP + 14,
          rx: 8
        });
      // Until the hand has been here: what the marks are, and what can be done. No curve: where
      // they go is predicted first.
      const guide = createElement(chart, 'g', { 'pointer-events': 'none' });
      [
        [100, 'title', 'A looser leash: where will they go?'],
        [146, '', 'proxy: the reward that was learned'],
        [169, '', 'truth: nouns of texts that keep every rule'],
        [224, '', 'Drag the purple line to the right.']
      ].forEach(([y, kind, text], i) =>
        createElement(guide, 'text', { x: L + (i < 3 ? 28 : 94), y, class: `halo ${kind}` }, text)
      );
      arrow(guide, PURPLE, 3)([L + 28, 219], [L + 84, 219]);
      handle(hand, chart, {
        label: 'leash',
        at: () => [where(state.leash), 0],
        move: x => set((x - L) / W),
        step: (dx, dy) => set(now() + (dx + dy) / STEPS),
        numbers: [['', () => state.leash, leash => set((where(leash) - L) / W), LOOSE, TIGHT]],
        home: () => set(0),
        end: () => set(1)
      });
      hover(
        hand,
        ({ more: [proxy, truth] }) =>
          `A leash that is 10 % looser: proxy ${signed(proxy)}, truth ${signed(truth)}.`
      );

      // The texts that are likeliest now, each in two lines at most.
      createElement(
        chart,
        'text',
        { x: 212, y: 317, class: 'title middle' },
        'the likeliest texts'
      );
      const texts = [0, 1, 2].map(i => ({
        share: createElement(chart, 'text', { x: 56, y: 338 + 37 * i, class: 'small end' }),
        mark: createElement(chart, 'text', { x: 70, y: 338 + 37 * i, class: 'title middle' }),
        parts: [0, 1].map(k =>
          createElement(chart, 'text', { x: 84, y: 338 + 37 * i + 17 * k, class: 'small' })
        )
      }));
      const inTwo = text => {
        if (text.length <= 44) return [text, ''];
        const at = text.lastIndexOf(' ', Math.max(44, text.length / 2));
        return [text.slice(0, at), text.slice(at + 1)];
      };

      // What is written, by the number of nouns: right texts stand, those that break a rule hang.
      const H = 250,
        ZERO = 212,
        BELOW = ZERO + 54,
        C = 62,
        M = 14,
        tall = picture(stage, 400, 434, 'what it writes, by number of nouns');
      const kinds = [true, false].map(right => ({
        right,
        total: createElement(tall, 'text', { x: M, y: right ? 46 : BELOW - 9, class: 'title' }),
        columns: Array.from({ length: MOST + 1 }, (_, n) => {
          const x = M + C * n + 9,
            place = { x, width: C - 18 };
          return {
            level: createElement(tall, 'rect', {
              ...place,
              rx: 3,
              fill: right ? SKY : RED,
              class: 'level'
            }),
            before: createElement(tall, 'rect', {
              ...place,
              fill: 'none',
              stroke: GREY,
              'stroke-width': 1.5,
              'stroke-dasharray': '3 3'
            }),
            share: createElement(tall, 'text', { x: x + C / 2 - 9, class: 'small middle halo' })
          };
        })
      }));
      for (const y of [ZERO, BELOW])
        createElement(tall, 'path', { d: `M${M} ${y}H${M + C * (MOST + 1)}`, stroke: GREY });
      for (let n = 0; n <= MOST; n++)
        createElement(
          tall,
          'text',
          { x: M + C * (n + 0.5), y: ZERO + 19.5, class: 'middle' },
          n < MOST ? n : `${MOST}+`
        );
      table(
        tall,
        'shares of texts by number of nouns',
        1,
        MOST + 1,
        { x: 0, y: 0, width: C, height: 350 },
        hover,
        (_, n, { shares: [right, broken], first }) =>
          `${n < MOST ? n : `${MOST} or more`} nouns: ${percent(right[n], 1)} keep every rule (start: ${percent(first[0][n], 1)}), ` +
          `${percent(broken[n], 1)} break one (start: ${percent(first[1][n], 1)}).`
      )[0].forEach((cell, n) => setAttributes(cell, { transform: `translate(${M + C * n} 56)` }));

      return ({ leash, loosest, now: means, curves, shares, first, broken, likely }) => {
        const x = where(leash);
        rows.forEach(({ name, key, path, marks }, i) => {
          setText(key, `${name} ${fixed(means[i], 2)}`);
          const seen = curves.filter(row => row[0] >= loosest - 1e-9);
          if (leash < loosest + 1e-9) seen.push([leash, ...means]);
          setAttributes(path, {
            d: `M${seen.map(row => `${round(where(row[0]))} ${round(BASE - UNIT * row[i + 1])}`).join('L')}`
          });
          marks.forEach((diamond, k) => {
            const one = trained[k];
            diamond.style.display = one[0] >= loosest - 1e-9 ? '' : 'none';
            setAttributes(diamond, {
              d: `M${where(one[0])} ${BASE - UNIT * one[i + 1]}m0 -6l6 6l-6 6l-6 -6z`
            });
          });
          setAttributes(dots[i], { transform: `translate(${x} ${BASE - UNIT * means[i]})` });
        });
        setAttributes(line, { d: `M${x} ${TOP}V${BASE}` });
        setAttributes(knob, { cx: x });
        guide.style.display = loosest < TIGHT ? 'none' : '';
        setAttributes(grip, { x: x - 20 });
        const left = x > L + W / 2;
        setText(value, `λ = ${fixed(leash, 2)}`, {
          x: x + (left ? -24 : 24),
          'text-anchor': left ? 'end' : 'start'
        });
        announce(hand, `leash ${fixed(leash, 2)}`, now() * 100, 0, 100);
        likely.forEach(({ text, share, right }, i) => {
          setText(texts[i].share, percent(share, share < 0.0995 ? 1 : 0));
          setText(texts[i].mark, right ? '✓' : '✗', { style: right ? '' : `fill:${RED}` });
          inTwo(text).forEach((part, k) => setText(texts[i].parts[k], part));
        });
        kinds.forEach(({ right, total, columns }, k) => {
          setText(
            total,
            right ? `✓ ${percent(1 - broken)} keep every rule` : `✗ ${percent(broken)} break a rule`
          );
          columns.forEach(({ level, before, share }, n) => {
            const [height, was] = [H * shares[k][n], H * first[k][n]],
              y = right ? ZERO - height : BELOW,
              far = was > height && was < height + 26 ? was : height; // no dash through the number
            setAttributes(level, { y, height });
            before.style.display = was < 1 ? 'none' : '';
            setAttributes(before, { y: right ? ZERO - was : BELOW, height: was });
            setText(share, shares[k][n] > 0.005 ? percent(shares[k][n]) : '', {
              y: right ? ZERO - far - 5 : BELOW + far + 15
            });
          });
        });
      };
    },

    table({ shares: [right, broken], first }) {
      return {
        title: 'Shares of texts in %',
        corner: 'nouns',
        rows: right.map((_, n) => (n < MOST ? n : `${MOST} or more`)),
        columns: [
          'keep every rule',
          'break one',
          'keep every rule, at the start',
          'break one, at the start'
        ],
        values: right.map((share, n) =>
          [share, broken[n], first[0][n], first[1][n]].map(x => 100 * x)
        )
      };
    }
  });
})();
