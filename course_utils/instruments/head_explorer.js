// One token asks: two heads answer, each in a row of its own; beside them one head that is asked
// both questions.
(() => {
  const {
    times,
    transpose,
    softmax,
    fixed,
    clip,
    round,
    PURPLE,
    SKY,
    GREY,
    FAINT,
    createElement,
    setAttributes,
    setText,
    picture,
    handle,
    announce,
    choices,
    goal,
    instrument
  } = courseKit;
  const LITTLE = 0.045,
    WANTED = 0.405;

  instrument('HeadExplorer', {
    hint: 'Drag the purple word: who asks? Drag the knob on the right: one head is asked both questions. Point at a word: it tells its score.',

    compute({ heads, query, mix }, { X, W_V, matrices, width, heads: called }) {
      const [first, second] = heads.map(head => matrices[head]),
        one = first.map((row, i) => row.map((a, j) => (1 - mix) * a + mix * second[i][j]));
      const Q = [first, second, one].map(W => times([X[query]], W)[0]),
        scores = times(Q, transpose(X)).map(row => row.map(s => s / Math.sqrt(width)));
      const weights = scores.map(softmax),
        outputs = times(weights, times(X, W_V));
      const order = outputs.map(row =>
        [...row.keys()].sort((a, b) => +row[b].toFixed(9) - +row[a].toFixed(9) || a - b)
      );
      return {
        called: heads.map(head => called[head]),
        query,
        mix,
        scores,
        weights,
        outputs,
        order
      };
    },

    describe({ called: [one, other], query, mix, weights }, { names }) {
      const rows = weights.map(row =>
        names
          .flatMap((name, j) => (row[j] > LITTLE ? [`${name} ${fixed(row[j], 2)}`] : []))
          .join(', ')
      );
      return (
        `${names[query]} asks. Head “${one}” looks at ${rows[0]}. Head “${other}” looks at ${rows[1]}. ` +
        `One head with ${fixed(mix, 2)} of the second question looks at ${rows[2]}.`
      );
    },

    conditions(
      {
        outputs: { 2: row },
        order: {
          2: [a, b]
        }
      },
      { vocabulary }
    ) {
      return [
        goal(
          `by the one head, two words above 0.40: now ${[a, b].map(k => `${vocabulary[k]} ${fixed(row[k], 2)}`).join(', ')}`,
          row[b] > WANTED
        )
      ];
    },

    lesson({ outputs, order, called: [one, other] }, { vocabulary }) {
      const brings = (h, k) => `${vocabulary[k]} with ${fixed(outputs[h][k], 2)}`,
        [a, b] = order[2];
      return (
        `Your one head brings ${brings(2, a)} and ${brings(2, b)}: its row sums to 1, so one answer takes ` +
        `from the other. “${one}” brings ${brings(0, order[0][0])}, “${other}” ${brings(1, order[1][0])}: two heads have a row each.`
      );
    },

    build(
      { controls, stage, update, hover },
      { names, tokens, vocabulary, heads, asks, width },
      state
    ) {
      const places = [0, 1].map(k => {
        const group = createElement(controls, 'div', {
          class: 'row',
          style: 'flex-basis:100%;column-gap:.6em'
        });
        createElement(
          group,
          'span',
          { style: 'min-width:6.6em;white-space:nowrap' },
          ['first head:', 'second head:'][k]
        );
        return choices(group, `${['first', 'second'][k]} head`, heads, head => {
          state.heads = state.heads.map((old, i) => (i == k ? head : old));
          update();
        });
      });
      const W = 284,
        x = i => 30 + 56 * i,
        KEYS = 124,
        ASKS = 236,
        ask = i => {
          state.query = clip(i, 0, tokens.length - 1);
          update();
        };
      const fans = [0, 1, 2].map(h => {
        const svg = picture(stage, W, 356, h < 2 ? 'head' : 'one head, both questions');
        if (h < 2) svg.classList.add('half');
        const question = createElement(
          svg,
          'text',
          { x: W / 2, y: 38, class: 'small soft middle' },
          h < 2 ? '' : 'one query, mixed of both'
        );
        const ribbons = tokens.map(() =>
          createElement(svg, 'path', { stroke: SKY, 'stroke-opacity': 0.7, fill: 'none' })
        );
        const keys = tokens.map((token, i) => {
          const g = createElement(svg, 'g'),
            part = {
              level: createElement(g, 'rect', {
                x: x(i) - 20,
                width: 40,
                rx: 3,
                fill: SKY,
                class: 'level'
              }),
              value: createElement(g, 'text', { x: x(i), class: 'small middle' })
            };
          createElement(g, 'rect', {
            x: x(i) - 27,
            y: 46,
            width: 54,
            height: 100,
            fill: 'transparent'
          });
          createElement(g, 'text', { x: x(i), y: KEYS + 15, class: 'middle' }, token);
          hover(
            g,
            ({ query, scores, weights }) =>
              `${names[query]} asks ${names[i]}: score ${fixed(scores[h][i], 2)} (divided by √${width}), weight ${fixed(weights[h][i], 2)}.`
          );
          return part;
        });
        createElement(svg, 'path', { d: `M6 ${KEYS - 2}H${W - 6}`, stroke: GREY });
        const askers = tokens.map((token, i) => {
          const text = createElement(
            svg,
            'text',
            { x: x(i), y: ASKS + 20, class: 'middle soft', style: 'cursor:pointer' },
            token
          );
          text.addEventListener('click', () => ask(i));
          return text;
        });
        const g = createElement(svg, 'g');
        createElement(g, 'rect', {
          x: -26,
          y: ASKS + 1,
          width: 52,
          height: 28,
          rx: 8,
          fill: 'none',
          stroke: PURPLE,
          'stroke-width': 3
        });
        createElement(g, 'rect', {
          class: 'grip',
          x: -28,
          y: ASKS - 2,
          width: 56,
          height: 34,
          rx: 9
        });
        handle(g, svg, {
          label: h ? `who asks, ${['', 'second head', 'both questions'][h]}` : 'who asks',
          at: () => [x(state.query), 0],
          move: u => ask(Math.round((u - 30) / 56)),
          step: (dx, dy) => ask(state.query + dx + dy),
          numbers: h ? [] : [['position', () => state.query, x => ask(Math.round(x)), 0, 4]],
          home: () => ask(0),
          end: () => ask(4)
        });
        if (h) setAttributes(g, { tabindex: -1 }); // by keys the first is enough
        const brings = createElement(svg, 'text', { x: W / 2, y: ASKS + 56, class: 'middle' });
        return { svg, question, ribbons, keys, askers, g, brings };
      });

      // The knob between the two questions.
      const last = fans[2].svg,
        [A, B] = [20, W - 20],
        y = 322,
        go = mix => {
          state.mix = round(clip(mix, 0, 1));
          update();
        };
      createElement(last, 'path', {
        d: `M${A} ${y}H${B}`,
        stroke: FAINT,
        'stroke-width': 6,
        'stroke-linecap': 'round'
      });
      const ends = [A - 16, B + 16].map((x, k) =>
        createElement(last, 'text', { x, y: y + 28, class: k ? 'small soft end' : 'small soft' })
      );
      const knob = createElement(last, 'g'),
        dot = createElement(knob, 'circle', { cy: y, r: 9, fill: PURPLE }),
        grip = createElement(knob, 'circle', { class: 'grip', cy: y, r: 18 });
      handle(knob, last, {
        label: 'mix of both questions',
        at: () => [A + (B - A) * state.mix, y],
        move: x => go((x - A) / (B - A)),
        step: (dx, dy) => go(state.mix + (dx + dy) / 20),
        numbers: [['', () => state.mix, go, 0, 1]],
        home: () => go(0),
        end: () => go(1)
      });

      return ({ called, query, mix, weights, outputs, order }) => {
        places.forEach((place, k) => place(state.heads[k]));
        fans.forEach(({ svg, question, ribbons, keys, askers, g, brings }, h) => {
          if (h < 2)
            (setText(svg.querySelector('.title'), called[h]),
              setText(question, asks[state.heads[h]]));
          keys.forEach(({ level, value }, i) => {
            const w = weights[h][i],
              tall = 52 * w,
              [a, b] = [x(query), x(i)];
            setAttributes(level, { y: KEYS - 2 - tall, height: tall });
            setText(value, fixed(w, 2), { y: KEYS - 7 - tall });
            value.classList.toggle('title', w > 0.2);
            setAttributes(ribbons[i], {
              d: `M${a} ${ASKS}C${a} ${ASKS - 45} ${b} ${KEYS + 65} ${b} ${KEYS + 20}`,
              'stroke-width': w < 0.005 ? 0 : 0.5 + 18 * w
            });
          });
          askers.forEach((text, i) => {
            text.classList.toggle('soft', i != query);
            text.classList.toggle('title', i == query);
          });
          setAttributes(g, { transform: `translate(${x(query)})` });
          announce(g, names[query], query, 0, 4);
          setText(
            brings,
            'brings ' +
              order[h]
                .filter(k => outputs[h][k] > 0.045)
                .slice(0, 3)
                .map(k => `${vocabulary[k]} ${fixed(outputs[h][k], 2)}`)
                .join(', ')
          );
        });
        for (const part of [dot, grip]) setAttributes(part, { cx: A + (B - A) * mix });
        ends.forEach((text, k) => setText(text, `${called[k]} ${fixed(k ? mix : 1 - mix, 2)}`));
        announce(
          knob,
          `${fixed(1 - mix, 2)} of ${called[0]}, ${fixed(mix, 2)} of ${called[1]}`,
          mix,
          0,
          1
        );
      };
    },

    table({ called, weights }, { tokens }) {
      return {
        title: 'Weights of the query',
        corner: 'head by key',
        rows: [...called, 'mixed'],
        columns: tokens,
        values: weights
      };
    }
  });
})();
