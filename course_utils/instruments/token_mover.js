// Any word is dragged in the plane of meanings; arrows show where self-attention moves each, the
// table shows by which weights.
(() => {
  const {
    axes,
    sum,
    dot,
    norm,
    times,
    softmax,
    transpose,
    fixed,
    terms,
    clip,
    round,
    MEANINGS,
    PURPLE,
    SKY,
    GREY,
    FAINT,
    createElement,
    setAttributes,
    setText,
    see,
    picture,
    arrow,
    name,
    handle,
    announce,
    choices,
    table,
    goal,
    rule,
    instrument
  } = courseKit;

  // The hull of some points is all their triangles together, each drawn in the same sense; of two
  // points it is a line.
  const triples = points =>
    points.flatMap((a, i) =>
      points
        .slice(i + 1)
        .flatMap((b, k, rest) =>
          rest.length < 2 && points.length < 3 ? [[a, b, b]] : rest.slice(k + 1).map(c => [a, b, c])
        )
    );
  const wound = ([a, b, c]) =>
    (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])
      ? `M${a}L${b}L${c}Z`
      : `M${a}L${c}L${b}Z`;

  instrument('TokenMover', {
    hint: 'Drag a word, or use the arrow keys: up is more animal, left more hardship, right more sport. Point at a cell of the table: it tells its product, term by term.',

    compute({ sentence, word, moved, drags }, { sentences, corners }) {
      const { tokens, X: before } = sentences[sentence];
      const X = before.map((x, i) => {
        if (!moved[i]) return x;
        const mean = (x[0] + x[1] + x[2]) / 3;
        return [...corners.map(corner => mean + (2 / 3) * dot(corner, moved[i])), x[3]];
      });
      const scores = times(X, transpose(X)),
        weights = scores.map(softmax),
        outputs = times(weights, X),
        flat = A =>
          times(
            A.map(x => x.slice(0, 3)),
            corners
          );
      return {
        tokens,
        word,
        drags,
        X,
        moved: moved.map(place => place !== null),
        scores,
        weights,
        outputs,
        places: flat(X),
        landings: flat(outputs)
      };
    },

    describe({ tokens, word, weights, outputs }) {
      const shares = tokens.map((token, j) => `${token} ${fixed(weights[word][j], 2)}`).join(', ');
      const [animal, hardship, sport] = outputs[word].map(x => fixed(x, 2));
      return `"${tokens[word]}" in "${tokens.join(' ')}". Its weights: ${shares}. It moves to animal ${animal}, hardship ${hardship}, sport ${sport}.`;
    },

    conditions({ tokens, drags, weights }) {
      const here = tokens[1] == 'pain',
        now = here ? `: now ${fixed(weights[0][1], 3)}` : '';
      return [
        goal('the sentence “bears pain”', here),
        rule(`at most one drag: ${drags} so far`, drags < 2),
        goal(`pain above 0.50 in the row of bears${now}`, here && weights[0][1] > 0.501)
      ];
    },

    lesson({ X, scores: [[own, other]], moved }) {
      const length = norm(X[0]),
        who = moved[0] ? 'bears' : 'pain';
      return (
        `You moved ${who}. Now pain’s shadow on bears is ${fixed(other / length, 2)} long, and bears itself ${fixed(length, 2)}: so the product of bears ` +
        `with pain, ${fixed(other, 2)}, is larger than that with itself, ${fixed(own, 2)}. A long bears would choose itself.`
      );
    },

    build({ controls, stage, update, hover }, { sentences, corners }, state) {
      const at = ([x, y]) => [230 + 84 * x, 246 - 84 * y],
        from = (x, y) => [
          round(clip((x - 230) / 84, -2.6, 2.6)),
          round(clip((246 - y) / 84, -1.6, 2.4))
        ];
      const pick = choices(
        controls,
        'sentence',
        sentences.map(({ tokens }) => tokens.join(' ')),
        i => {
          Object.assign(state, {
            sentence: i,
            word: sentences[i].tokens.indexOf('bears'),
            moved: sentences[i].tokens.map(() => null),
            drags: 0
          });
          update();
        }
      );
      let now;

      const plane = picture(stage, 460, 400, '○ where a word stands  → where it moves');
      Object.entries(MEANINGS).forEach(([meaning, [colour, mark]], k) => {
        const [x, y] = at(corners[k].map(c => 2.15 * c)),
          [u, v] = at(corners[k].map(c => 2.3 * c));
        createElement(plane, 'path', {
          d: `M${at([0, 0])}L${x} ${y}`,
          stroke: colour,
          'stroke-width': 1.5,
          'stroke-dasharray': '2 5',
          fill: 'none'
        });
        createElement(
          plane,
          'text',
          { x: u, y: v + (k ? 14 : -2), class: 'title middle' },
          `${mark} ${meaning}`
        ).style.fill = colour;
      });
      const hull = createElement(createElement(plane, 'g', { opacity: 0.16 }), 'path', {
        fill: SKY,
        stroke: SKY,
        'stroke-width': 10,
        'stroke-linejoin': 'round'
      });
      const most = Math.max(...sentences.map(({ tokens }) => tokens.length)),
        all = [...Array(most).keys()];
      const strings = all.map(() =>
        createElement(plane, 'path', {
          stroke: PURPLE,
          'stroke-opacity': 0.4,
          'stroke-linecap': 'round',
          fill: 'none'
        })
      );
      const arrows = all.map(() => arrow(plane, GREY, 2)),
        strong = arrow(plane, PURPLE, 3.5);
      const words = all.map(i => {
        const g = createElement(plane, 'g'),
          dot = createElement(g, 'circle', { r: 7.5, stroke: 'currentColor', 'stroke-width': 2 }),
          text = createElement(g, 'text', { class: 'halo' });
        const grip = createElement(g, 'circle', { class: 'grip', r: 20 }),
          go = place => {
            state.word = i;
            state.moved[i] = place;
            update();
          };
        handle(g, plane, {
          at: () => at(now.places[i]),
          move: (x, y) => go(from(x, y)),
          numbers: axes(
            ['across', 'up'],
            () => now.places[i],
            v => go(from(...at(v))),
            [
              [-2.6, 2.6],
              [-2.6, 2.6]
            ]
          ),
          home: () => go(null),
          step: (dx, dy) => {
            const [x, y] = at(now.places[i]);
            go(from(x + 8.4 * dx, y - 8.4 * dy));
          },
          end: () => {
            const [x, y] = now.places[i];
            go(from(...at([1.25 * x, 1.25 * y])));
          }
        });
        g.addEventListener('focus', () => {
          if (state.word != i) ((state.word = i), update());
        });
        return { g, dot, text, grip };
      });

      const sheet = picture(stage, 406, 400, 'weights: who looks at whom'),
        W = 80,
        H = 74;
      createElement(sheet, 'text', { x: 84, y: 42, class: 'small soft' }, 'looks at →');
      const heads = all.map(j =>
          createElement(sheet, 'text', { x: 84 + W * j + W / 2, y: 64, class: 'middle' })
        ),
        names = all.map(i =>
          createElement(sheet, 'text', { x: 74, y: 72 + H * i + H / 2 + 5, class: 'end' })
        );
      const cells = table(
        sheet,
        'weights, row by row',
        most,
        most,
        { x: 84, y: 72, width: W, height: H },
        hover,
        (i, j, { tokens, X, scores, weights }) =>
          tokens[j] && tokens[i]
            ? `${tokens[i]} · ${tokens[j]} = ${terms(X[i], X[j])}. e^${fixed(scores[i][j], 2)} = ${fixed(Math.exp(scores[i][j]), 2)}, of ${fixed(sum(scores[i].map(Math.exp)), 2)} in the row: ${fixed(weights[i][j], 2)}.`
            : null
      );
      const levels = cells.map((row, i) =>
        row.map(cell => {
          createElement(cell, 'rect', {
            x: 3,
            y: 3,
            width: W - 6,
            height: H - 6,
            rx: 3,
            fill: 'none',
            stroke: FAINT
          });
          cell.addEventListener('click', () => {
            state.word = i;
            update();
          });
          return {
            level: createElement(cell, 'rect', {
              x: 3,
              width: W - 6,
              rx: 3,
              fill: SKY,
              class: 'level'
            }),
            text: createElement(cell, 'text', { x: W / 2, y: H / 2 + 6, class: 'middle' })
          };
        })
      );
      const frame = createElement(sheet, 'rect', {
        x: 82,
        height: H + 2,
        rx: 5,
        fill: 'none',
        stroke: PURPLE,
        'stroke-width': 3,
        'pointer-events': 'none'
      });

      return numbers => {
        now = numbers;
        const { tokens, word, X, weights, places, landings } = numbers,
          dots = places.map(at),
          ends = landings.map(at);
        pick(state.sentence);
        setAttributes(hull, { d: triples(dots).map(wound).join('') });
        all.forEach(i => {
          const here = i < tokens.length,
            picked = i == word,
            { g, dot, text, grip } = words[i];
          for (const part of [
            g,
            strings[i],
            heads[i],
            names[i],
            cells[i][0].parentNode,
            ...cells.map(row => row[i])
          ])
            see(part, here);
          arrows[i](
            ...(here && !picked
              ? [dots[i], ends[i]]
              : [
                  [0, 0],
                  [0, 0]
                ])
          );
          if (!here) return;
          setAttributes(strings[i], {
            d: `M${ends[word]}L${dots[i]}`,
            'stroke-width': 1 + 11 * weights[word][i]
          });
          setAttributes(dot, {
            cx: dots[i][0],
            cy: dots[i][1],
            fill: picked ? PURPLE : 'var(--page)'
          });
          setAttributes(grip, { cx: dots[i][0], cy: dots[i][1] });
          name(text, tokens[i], i, dots, [ends[i], at([0, 0])]);
          const under =
            // the picked one lies on top
            !picked && Math.hypot(dots[i][0] - dots[word][0], dots[i][1] - dots[word][1]) < 2;
          dot.style.display = under ? 'none' : '';
          g.style.pointerEvents = under ? 'none' : '';
          text.classList.toggle('title', picked);
          setAttributes(g, { 'aria-label': `${tokens[i]}, in the plane of meanings` });
          announce(
            g,
            X[i]
              .slice(0, 3)
              .map((x, k) => `${Object.keys(MEANINGS)[k]} ${fixed(x, 2)}`)
              .join(', '),
            places[i][0],
            -2.6,
            2.6
          );
          setText(heads[i], tokens[i]);
          setText(names[i], tokens[i]);
          names[i].classList.toggle('title', picked);
          levels[i].slice(0, tokens.length).forEach(({ level, text }, j) => {
            setAttributes(level, {
              y: 3 + (H - 6) * (1 - weights[i][j]),
              height: (H - 6) * weights[i][j],
              'fill-opacity': picked ? 0.55 : 0.3
            });
            setText(text, fixed(weights[i][j], 2));
          });
        });
        strong(dots[word], ends[word]);
        setAttributes(frame, { y: 71 + H * word, width: W * tokens.length + 4 });
      };
    },

    table({ tokens, weights }) {
      return {
        title: 'Weights',
        corner: 'query by key',
        rows: tokens,
        columns: tokens,
        values: weights
      };
    }
  });
})();
