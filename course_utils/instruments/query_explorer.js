// The query or any key is dragged: each key's shadow on the query, times the query's length, is its
// score.
(() => {
  const {
    axes,
    dot,
    norm,
    times,
    softmax,
    fixed,
    terms,
    clip,
    round,
    MEANINGS,
    PURPLE,
    ORANGE,
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
    slider,
    choices,
    goal,
    rule,
    instrument
  } = courseKit;

  instrument('QueryExplorer', {
    hint: 'Drag the query (◆) or a key. Point at a key or a bar to see its product, term by term.',

    compute({ sentence, q, keys, values }, { sentences, query }) {
      const { tokens, K: made, V } = sentences[sentence],
        K = keys ?? made,
        scores = K.map(k => dot(k, q)),
        weights = softmax(scores),
        length = norm(q);
      const degrees = 180 / Math.PI,
        aside = query[0] * q[1] - query[1] * q[0];
      return {
        tokens,
        q,
        K,
        V,
        scores,
        weights,
        output: times([weights], V)[0],
        length,
        shadows: length ? scores.map(s => s / length) : scores,
        angle: Math.atan2(q[1], q[0]) * degrees,
        turned: Math.abs(Math.atan2(aside, dot(query, q)) * degrees),
        as_made: keys === null || made.flat().every((x, i) => x == keys.flat()[i]),
        values
      };
    },

    describe({ tokens, weights, length, angle, output, values }) {
      const shares = tokens.map((token, i) => `${token} ${fixed(weights[i], 2)}`).join(', '),
        [animal, hardship, sport] = output.map(x => fixed(x, 2));
      return (
        `A query of length ${fixed(length, 2)} at ${fixed(angle, 0)}° (0° asks for an action, 90° for a thing) in "${tokens.join(' ')}". Its weights: ${shares}.` +
        (values ? ` Its output: animal ${animal}, hardship ${hardship}, sport ${sport}.` : '')
      );
    },

    conditions({ turned, as_made, weights }) {
      const largest = Math.max(...weights);
      return [
        rule(`query turned by less than 5°: now ${fixed(turned, 1)}°`, turned < 5),
        rule('leave the keys in their places', as_made),
        goal(`one weight above 0.90: the largest is ${fixed(largest, 2)}`, largest > 0.9001)
      ];
    },

    lesson({ tokens, weights, length }, { query }) {
      const times = length / norm(query),
        largest = Math.max(...weights);
      return (
        `Your query is ${fixed(length, 2)} long, ${fixed(times, 1)} times as long as at the start. Only its length could do this. All scores grow with the length, and so do their differences, ` +
        `as if divided by ${fixed(1 / times, 2)}. (Notebook 03 calls this number the temperature.) So ${tokens[weights.findIndex(w => w > largest - 1e-9)]} gets ${fixed(largest, 2)}.`
      );
    },

    build({ controls, stage, update, hover }, { sentences, query: first }, state) {
      const pick = choices(
        controls,
        'sentence',
        sentences.map(({ tokens }) => tokens.join(' ')),
        i => {
          Object.assign(state, { sentence: i, keys: null });
          update();
        }
      );
      const open = choices(controls, 'what is shown', ['values'], () => {
        state.values = !state.values;
        update();
      });
      const stretch = slider(
        controls,
        "query's length",
        { min: 0.1, max: 3.8, step: 0.01 },
        x => fixed(x, 2),
        x => {
          const was = norm(state.q),
            q = was > 0.05 ? state.q : first;
          state.q = q.map(c => round((c * x) / norm(q), 4));
          update();
        }
      );

      const [X, Y, U] = [170, 258, 84],
        at = ([x, y]) => [X + U * x, Y - U * y],
        from = (x, y) => [round(clip((x - X) / U, -1.9, 3.4)), round(clip((Y - y) / U, -1.6, 2.6))];
      const plane = picture(stage, 460, 400, 'the query (◆, dashed) and the keys');
      createElement(plane, 'path', {
        d: `M4 ${Y}H456M${X} 30V396`,
        stroke: FAINT,
        'stroke-width': 1.5,
        fill: 'none'
      });
      createElement(plane, 'text', { x: 456, y: Y + 20, class: 'soft end' }, 'an action →');
      createElement(plane, 'text', { x: X - 8, y: 42, class: 'soft end' }, 'a thing ↑');
      const line = createElement(plane, 'path', {
          stroke: PURPLE,
          'stroke-opacity': 0.45,
          'stroke-width': 1.5,
          fill: 'none'
        }),
        falls = createElement(plane, 'path', {
          stroke: GREY,
          'stroke-width': 1.5,
          'stroke-dasharray': '2 4',
          fill: 'none'
        });
      const most = Math.max(...sentences.map(({ tokens }) => tokens.length)),
        all = [...Array(most).keys()],
        product =
          i =>
          ({ tokens, q, K, length, shadows, weights }) =>
            tokens[i]
              ? `query · key of ${tokens[i]} = ${terms(q, K[i])}: the query's length ${fixed(length, 2)} times the key's shadow ${fixed(shadows[i], 2)}. Weight ${fixed(weights[i], 2)}.`
              : null;
      const feet = all.map(() => createElement(plane, 'circle', { r: 4.5, fill: ORANGE }));
      const keys = all.map(i => taken(ORANGE, i)),
        query = taken(PURPLE, -1);
      createElement(query.g, 'path', { class: 'tip', d: 'M-10 0L0-10L10 0L0 10Z', fill: PURPLE });

      function taken(colour, i) {
        const g = createElement(plane, 'g'),
          draw = arrow(g, colour, i < 0 ? 3 : 3.5, i < 0 ? '8 5' : ''),
          text = createElement(g, 'text', { class: 'halo' }),
          grip = createElement(g, 'circle', { class: 'grip', r: 19 });
        const mine = () =>
          i < 0 ? state.q : (state.keys ??= sentences[state.sentence].K.map(k => [...k]))[i];
        const now = () => (i < 0 ? state.q : (state.keys ?? sentences[state.sentence].K)[i]),
          go = place => {
            const v = mine();
            [v[0], v[1]] = place;
            update();
          };
        handle(g, plane, {
          at: () => at(now()),
          move: (x, y) => go(from(x, y)),
          step: (dx, dy) => {
            const [x, y] = at(now());
            go(from(x + 8.4 * dx, y - 8.4 * dy));
          },
          numbers: axes(['action', 'thing'], now, go, [
            [-1.9, 3.4],
            [-1.6, 2.6]
          ]),
          home: () => go(i < 0 ? first : sentences[state.sentence].K[i]),
          end: () => go(from(...at(now().map(c => 1.1 * c))))
        });
        if (i >= 0) hover(g, product(i));
        return {
          g,
          text,
          draw(v, word) {
            const place = at(v);
            draw([X, Y], place);
            setAttributes(grip, { cx: place[0], cy: place[1] });
            setAttributes(g, { 'aria-label': i < 0 ? 'query' : `key of ${word}` });
            announce(g, `action ${fixed(v[0], 2)}, thing ${fixed(v[1], 2)}`, v[0], -1.9, 3.4);
            return place;
          }
        };
      }

      const sheet = picture(stage, 406, 400, 'weights'),
        H = 230,
        B = 278,
        W = 80;
      createElement(sheet, 'path', { d: `M84 ${B + 0.5}H404`, stroke: GREY });
      for (const [y, text] of [
        [332, 'shadow'],
        [356, '× length'],
        [380, '= score']
      ])
        createElement(sheet, 'text', { x: 76, y, class: 'soft end' }, text);
      const columns = all.map(i => {
        const g = createElement(sheet, 'g', { transform: `translate(${84 + W * i})` }),
          middle = (y, css = '') =>
            createElement(g, 'text', { x: W / 2, y, class: `middle ${css}` });
        createElement(g, 'rect', { x: 2, y: 26, width: W - 4, height: 366, fill: 'transparent' });
        hover(g, product(i));
        return {
          g,
          bar: createElement(g, 'rect', { x: 12, width: W - 24, rx: 3, fill: SKY, class: 'level' }),
          value: middle(0),
          word: middle(B + 22, 'title'),
          shadow: middle(332),
          length: middle(356),
          score: middle(380)
        };
      });

      const back = picture(stage, 460, 170, 'weights × values: what comes back'),
        meanings = Object.entries(MEANINGS).map(([meaning, [colour, mark]], m) => {
          createElement(
            back,
            'text',
            { x: 108, y: 58 + 44 * m, class: 'end' },
            `${mark} ${meaning}`
          ).style.fill = colour;
          return {
            parts: all.map(() =>
              createElement(back, 'rect', { y: 36 + 44 * m, height: 32, rx: 3, fill: colour })
            ),
            words: all.map(() =>
              createElement(back, 'text', { y: 57 + 44 * m, class: 'small middle' })
            ),
            value: createElement(back, 'text', { y: 58 + 44 * m, class: 'title' })
          };
        });

      return ({ tokens, q, K, V, scores, weights, output, length, shadows, values }) => {
        pick(state.sentence);
        open(values ? 0 : -1);
        stretch(round(length));
        back.style.display = values ? '' : 'none';
        const [qx, qy] = query.draw(q);
        setAttributes(query.g.querySelector('.tip'), { transform: `translate(${qx} ${qy})` });
        const [ux, uy] = q.map(c => c / (length || 1)),
          tips = K.map(at),
          foot = shadows.map(s => at([s * ux, s * uy]));
        const out = (x, y) =>
          Math.min(
            x > 0 ? 286 / x : x < 0 ? -166 / x : 1e3,
            y > 0 ? 228 / y : y < 0 ? -138 / y : 1e3
          ); // how far to the picture's border
        const on = out(ux, uy),
          off = out(-ux, -uy);
        setAttributes(line, {
          d: length ? `M${X - off * ux} ${Y + off * uy}L${X + on * ux} ${Y - on * uy}` : ''
        });
        setAttributes(falls, {
          d: length ? K.map((_, i) => `M${tips[i]}L${foot[i]}`).join('') : ''
        });
        all.forEach(i => {
          const here = i < K.length,
            { g, bar, value, word, shadow, length: long, score } = columns[i];
          for (const part of [keys[i].g, feet[i], g]) see(part, here);
          if (!here) return;
          keys[i].draw(K[i], tokens[i]);
          name(keys[i].text, tokens[i], i, tips, [[X, Y], [qx, qy], foot[i]]);
          setAttributes(feet[i], { cx: foot[i][0], cy: foot[i][1] });
          setAttributes(bar, { y: B - H * weights[i], height: H * weights[i] });
          setText(value, fixed(weights[i], 2), { y: B - 7 - H * weights[i] });
          setText(word, tokens[i]);
          setText(shadow, fixed(shadows[i], 2));
          setText(long, fixed(length, 2));
          setText(score, fixed(scores[i], 2));
        });
        meanings.forEach(({ parts, words, value }, m) => {
          let x = 116;
          all.forEach(i => {
            const width = i < K.length ? 140 * weights[i] * V[i][m] : 0;
            setAttributes(parts[i], {
              x,
              width: Math.max(0, width - 1),
              'fill-opacity': i % 2 ? 0.3 : 0.5
            });
            setText(words[i], width > 9 * (tokens[i]?.length ?? 99) ? tokens[i] : '', {
              x: x + width / 2
            });
            x += width;
          });
          setText(value, fixed(output[m], 2), { x: x + 8 });
        });
      };
    },

    table({ tokens, K, scores, weights }) {
      return {
        title: 'Keys, scores and weights',
        corner: 'key',
        rows: tokens,
        columns: ['key, across', 'key, up', 'score', 'weight'],
        values: tokens.map((_, i) => [...K[i], scores[i], weights[i]])
      };
    }
  });
})();
