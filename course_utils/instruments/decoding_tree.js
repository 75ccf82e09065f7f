// The probabilities on a tree's branches are dragged: what greedy takes, what a beam keeps, and
// where draws pile up.
(() => {
  const {
    sum,
    softmax,
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
    choices,
    animate,
    goal,
    rule,
    instrument
  } = courseKit;
  // of two equal texts both languages take the same
  const round12 = x => Math.round(x * 1e12) / 1e12;
  const largest = x => x.indexOf(Math.max(...x));
  const best = (n, of, key) => [...of].sort((a, b) => key(b) - key(a)).slice(0, n);
  const texts = rows => rows.slice(1).flatMap((row, f) => row.map(p => rows[0][f] * p));
  const MOST = 200;

  instrument('DecodingTree', {
    hint: 'Drag a probability: the others of its branch share the rest. Point at a text: it shows its product, and how often it should be drawn.',

    compute({ p: given, touched, beam_width, temperature, draws }, { words }) {
      const p = given.map(row => row.map(x => x / sum(row))),
        logs = p.map(row => row.map(x => round12(Math.log(x))));
      const all = words
        .slice(1)
        .flatMap((row, f) =>
          row.map((word, i) => ({ f, i, word, total: logs[0][f] + logs[f + 1][i] }))
        );
      const place = (f, i) => all.findIndex(text => text.f == f && text.i == i),
        likeliest = largest(all.map(text => text.total));
      const first = best(beam_width, [0, 1, 2], f => logs[0][f]);
      const second = best(
        beam_width,
        first.flatMap(f =>
          best(
            beam_width,
            all.filter(text => text.f == f),
            text => text.total
          )
        ),
        text => text.total
      );
      const f = largest(logs[0]),
        greedy = place(f, largest(logs[f + 1]));
      const warm = logs.map(row => softmax(row.map(x => x / temperature))),
        counts = all.map(() => 0);
      let dice = 9;
      const draw = row => {
        dice = (1664525 * dice + 1013904223) % 2 ** 32;
        let below = 0;
        return row.findIndex(x => dice / 2 ** 32 < (below += x));
      };
      for (let n = 0; n < draws; n++) {
        const f = draw(warm[0]);
        counts[place(f, draw(warm[f + 1]))]++;
      }
      const chances = texts(p);
      return {
        p,
        chances,
        warm,
        shares: texts(warm),
        greedy,
        kept: [first.map(f => words[0][f]), second.map(text => text.word)],
        best: all.indexOf(second[0]),
        likeliest,
        beam_width,
        temperature,
        draws,
        counts,
        touched,
        ratio: chances[likeliest] / chances[greedy]
      };
    },

    describe({ chances, greedy, kept, best, likeliest, beam_width, temperature, draws, counts }) {
      const all = [
        'won games',
        'won again',
        'won twice',
        'won medals',
        'love honey',
        'love berries',
        'hear bees',
        'hear dogs'
      ].map(text => `"bears ${text}"`);
      const [found, beam, top] = [greedy, best, likeliest].map(
          i => `${all[i]}, ${fixed(chances[i], 2)}`
        ),
        [first, second] = kept.map(words => words.join(', '));
      const words = `Greedy finds ${found}. A beam of ${beam_width} keeps ${first}, then ${second}; its best is ${beam}. The likeliest text: ${top}.`,
        most = largest(counts);
      return draws
        ? `${words} Of ${draws} draws at temperature ${fixed(temperature, 2)}, ${counts[most]} are ${all[most]}, the most.`
        : `${words} Nothing is drawn.`;
    },

    conditions({ touched, ratio }) {
      return [
        rule(`one branch moved: ${touched.join(', ') || 'none yet'}`, touched.length < 2),
        goal(
          `the likeliest text more than twice as likely as greedy’s: now ${fixed(ratio, 2)} times`,
          touched.length > 0 && ratio > 2.005
        )
      ];
    },

    lesson({ p: [p], chances, greedy, likeliest, touched, ratio }, { root, words }) {
      const [a, b] = [greedy, likeliest].map(i => {
        const all = words.slice(1).flatMap((row, f) => row.map(word => [f, word])),
          [f, word] = all[i];
        return {
          first: words[0][f],
          p: p[f],
          text: `${root} ${words[0][f]} ${word}`,
          chance: chances[i]
        };
      });
      return (
        `You moved ${touched.join(', ')}. Greedy takes ${a.first}, ${fixed(a.p, 2)}, the largest first step, and ends at “${a.text}”, ` +
        `${fixed(a.chance, 2)}. The likeliest, “${b.text}”, begins with ${b.first}, ${fixed(b.p, 2)}, and comes to ${fixed(b.chance, 2)}, ` +
        `${fixed(ratio, 2)} times as much: the best first step need not begin the best text.`
      );
    },

    build({ controls, stage, update, hover }, { root, words, p: first }, state) {
      createElement(controls, 'span', {}, 'beam:');
      const wide = choices(controls, 'beam width', ['1', '2', '3'], i => {
        state.beam_width = i + 1;
        update();
      });
      const heat = slider(
        controls,
        'temperature',
        { min: -3, max: 2, step: 0.05 },
        x => fixed(2 ** x, 2),
        x => {
          state.temperature = round(2 ** x, 4);
          update();
        }
      );
      const draw = n => {
        const from = state.draws,
          to = Math.min(MOST, from + n);
        let now = from;
        animate(40 * (to - from), t => {
          if (state.draws == now)
            ((state.draws = now = Math.round(from + t * (to - from))), update());
        });
      };
      const cup = createElement(controls, 'div', {
        class: 'choices',
        role: 'group',
        'aria-label': 'draws'
      });
      for (const [title, act] of [
        ['draw 1', () => draw(1)],
        ['draw 20', () => draw(20)],
        [
          'sweep',
          () => {
            state.draws = 0;
            update();
          }
        ]
      ])
        createElement(cup, 'button', { type: 'button' }, title).addEventListener('click', act);

      // Every word has a place, a branch that leads to it, and a track from 0 to 1 on which its
      // probability is dragged.
      const L = 112,
        row = i => 64 + 42 * i,
        tree = picture(stage, 480, 400, 'how probable is the next word?'),
        names = words.slice(1).flat(),
        from = [];
      words.slice(1).forEach((row, f) => row.forEach(() => from.push(f)));
      const middle = f => (row(from.indexOf(f)) + row(from.lastIndexOf(f))) / 2,
        start = [16, row(3.5)];
      const nodes = [
        ...words[0].map((word, f) => [word, 0, f, 92, middle(f), start]),
        ...names.map((word, i) => [
          word,
          from[i] + 1,
          i - from.indexOf(from[i]),
          348,
          row(i),
          [92 + 14 + L + 10, middle(from[i])]
        ])
      ].map(([word, family, i, x, y, [u, v]]) => {
        const way = `M${u} ${v}C${u + 0.6 * (x - u)} ${v} ${x - 0.6 * (x - u)} ${y} ${x} ${y}`;
        return {
          word,
          family,
          i,
          x,
          y,
          branch: createElement(tree, 'path', {
            d: way,
            stroke: GREY,
            'stroke-opacity': 0.45,
            fill: 'none'
          }),
          greedy: createElement(tree, 'path', {
            d: way,
            stroke: ORANGE,
            'stroke-width': 3,
            fill: 'none'
          })
        };
      });
      createElement(tree, 'circle', { cx: start[0], cy: start[1], r: 5, fill: 'currentColor' });
      createElement(tree, 'text', { x: 4, y: start[1] - 14, class: 'title halo' }, root);
      nodes.forEach(node => {
        const { word, family, i, x, y } = node,
          left = x + 14,
          g = createElement(tree, 'g');
        node.mark = createElement(tree, 'path', {
          transform: `translate(${x} ${y})`,
          stroke: 'currentColor',
          'stroke-width': 1.5
        });
        createElement(tree, 'text', { x: left, y: y - 1, class: 'halo' }, word);
        node.value = createElement(tree, 'text', { x: left + L, y: y - 1, class: 'small end' });
        createElement(tree, 'rect', { x: left, y: y + 7, width: L, height: 6, rx: 3, fill: FAINT });
        tree.append(g);
        node.fill = createElement(g, 'rect', { x: left, y: y + 7, height: 6, rx: 3, fill: PURPLE });
        node.knob = createElement(g, 'circle', { cy: y + 10, r: 7, fill: PURPLE });
        node.grip = createElement(g, 'circle', { class: 'grip', cy: y + 10, r: 14 });
        const now = () => state.p[family][i] / sum(state.p[family]),
          go = p => {
            const others = sum(state.p[family]) - state.p[family][i],
              mine = round(clip(p, 0.01, 0.99), 4);
            state.p[family] = state.p[family].map((x, k) =>
              k == i ? mine : Math.max(1e-4, round((x / others) * (1 - mine), 6))
            );
            if (!state.touched.includes(word)) state.touched.push(word);
            update();
          };
        handle(g, tree, {
          label: `${word} after ${family ? words[0][family - 1] : root}`,
          at: () => [left + L * now(), y],
          move: x => go((x - left) / L),
          step: (dx, dy) => go(now() + 0.01 * (dx + dy)),
          end: () => go(0.99),
          numbers: [['', now, go, 0.01, 0.99]],
          home: () => {
            state.p[family] = [...first[family]];
            state.touched = state.touched.filter(one => !words[family].includes(one));
            update();
          }
        });
        node.g = g;
      });
      [
        ['━ greedy', 4, ORANGE],
        ['■ kept by the beam', 100, SKY],
        ['◆ its best', 286, SKY]
      ].forEach(([text, x, colour]) => {
        const line = createElement(tree, 'text', { x, y: 396, class: 'small' });
        createElement(line, 'tspan', { style: `fill:${colour}` }, text[0]);
        createElement(line, 'tspan', {}, text.slice(1));
      });

      const W = 150,
        X = 72,
        sheet = picture(stage, 380, 400, 'whole texts: likely above, drawn below'),
        lines = names.map((word, i) => {
          const g = createElement(sheet, 'g', { transform: `translate(0 ${row(i)})` });
          createElement(g, 'rect', { y: -18, width: 380, height: 40, fill: 'transparent' });
          hover(
            g,
            ({ p, chances, shares, draws, counts, temperature }) =>
              `${root} ${words[0][from[i]]} ${word}: ${fixed(p[0][from[i]], 2)} · ${fixed(p[from[i] + 1][i - from.indexOf(from[i])], 2)} = ${fixed(chances[i], 3)}. ` +
              `At temperature ${fixed(temperature, 2)} it should be ${fixed(100 * shares[i], 1)} of 100 draws${draws ? `; it was ${counts[i]} of ${draws}` : ''}.`
          );
          createElement(g, 'text', { x: X - 8, y: 5, class: 'end' }, word);
          return {
            likely: createElement(g, 'rect', {
              x: X,
              y: -15,
              height: 13,
              rx: 2,
              fill: SKY,
              class: 'level'
            }),
            drawn: createElement(g, 'rect', {
              x: X,
              y: 2,
              height: 13,
              rx: 2,
              fill: GREY,
              'fill-opacity': 0.55
            }),
            tick: createElement(g, 'path', { stroke: 'currentColor', 'stroke-width': 2.5 }),
            value: createElement(g, 'text', { y: -3, class: 'small' }),
            count: createElement(g, 'text', { y: 14, class: 'small soft' })
          };
        });
      createElement(sheet, 'path', { d: `M${X - 0.5} 44V378`, stroke: GREY });
      createElement(
        sheet,
        'text',
        { x: X, y: 396, class: 'small soft' },
        '┃ expected at this temperature'
      );
      const far = createElement(sheet, 'text', { x: 380, y: 36, class: 'small end' });

      const SHAPES = [
        'M0-4.5A4.5 4.5 0 0 1 0 4.5A4.5 4.5 0 0 1 0-4.5Z',
        'M-7-7H7V7H-7Z',
        'M0-10L10 0L0 10L-10 0Z'
      ];
      return ({
        p,
        chances,
        warm,
        shares,
        greedy,
        kept,
        best,
        likeliest,
        beam_width,
        temperature,
        draws,
        counts,
        ratio
      }) => {
        setText(far, `the likeliest: ${fixed(ratio, 2)} × greedy’s`);
        wide(beam_width - 1);
        heat(round(Math.log2(temperature)));
        nodes.forEach(
          ({ word, family, i, x, branch, greedy: path, mark, value, fill, knob, grip, g }, n) => {
            const one = p[family][i],
              leaf = n - words[0].length,
              end = x + 14 + L * one,
              shape = leaf == best ? 2 : kept[family ? 1 : 0].includes(word) ? 1 : 0;
            setAttributes(branch, {
              'stroke-width': 0.75 + 16 * (family ? shares[leaf] : warm[0][i])
            });
            path.style.display = (family ? leaf == greedy : i == from[greedy]) ? '' : 'none';
            setAttributes(mark, { d: SHAPES[shape], fill: shape ? SKY : 'var(--page)' });
            setText(value, fixed(one, 2));
            setAttributes(fill, { width: L * one });
            for (const part of [knob, grip]) setAttributes(part, { cx: end });
            announce(g, fixed(one, 2), one, 0, 1);
          }
        );
        lines.forEach(({ likely, drawn, tick, value, count }, i) => {
          const share = draws ? counts[i] / draws : 0,
            found = [
              i == greedy && 'greedy',
              i == best && 'beam',
              i == likeliest && 'likeliest'
            ].filter(Boolean),
            tags = found.length > 2 ? 'all three' : found.join(' · ');
          setAttributes(likely, { width: W * chances[i] });
          setAttributes(drawn, { width: W * share });
          setAttributes(tick, { d: `M${X + W * shares[i]} 0V17` });
          setText(value, fixed(chances[i], 2) + (tags && `  ${tags}`), {
            x: X + 6 + W * chances[i]
          });
          value.classList.toggle('title', !!tags);
          setText(count, draws ? `${counts[i]}` : '', {
            x: X + 8 + W * Math.max(share, shares[i])
          });
        });
      };
    },

    table({ chances, shares, counts }, { words }) {
      return {
        title: 'Texts',
        corner: 'text',
        rows: words.slice(1).flatMap((row, f) => row.map(word => `${words[0][f]} ${word}`)),
        columns: ['probability', 'at this temperature', 'times drawn'],
        values: chances.map((p, i) => [p, shares[i], `${counts[i]}`])
      };
    }
  });
})();
