// A trained model runs in the page. Words are changed by the hand; lines show where the last word
// looks, cells what may come next.
(() => {
  const {
    sum,
    dot,
    softmax,
    fixed,
    clip,
    PURPLE,
    SKY,
    GREY,
    FAINT,
    createElement,
    setAttributes,
    setText,
    see,
    picture,
    handle,
    announce,
    choices,
    table,
    goal,
    instrument
  } = courseKit;
  const largest = x => x.findIndex(a => a > Math.max(...x) - 1e-9),
    same = (a, b) => a[0] == b[0] && a[1] == b[1];
  const percent = p => fixed(100 * p, 0),
    spoken = word => (word == '.' ? 'a full stop' : word),
    several = (n, make) => Array.from({ length: n }, (_, i) => make(i));
  const write = (svg, place, text) => createElement(svg, 'text', place, text),
    rect = (svg, place) => createElement(svg, 'rect', place);

  // The parameters, read once: each is a whole number of steps, a byte; a letter of base64 holds
  // six bits.
  const read = new WeakMap(),
    LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  function model(data) {
    if (read.has(data)) return read.get(data);
    const six = i => LETTERS.indexOf(data.bytes[i]),
      params = {};
    let bits = 0;
    const next = step => {
      const i = Math.floor(bits / 6),
        byte = (((six(i) << 6) | six(i + 1)) >> (4 - (bits % 6))) & 255;
      bits += 8;
      return (byte > 127 ? byte - 256 : byte) * step;
    };
    for (const [name, [step, rows, columns]] of Object.entries(data.shapes))
      params[name] = several(rows, () =>
        columns ? several(columns, () => next(step)) : next(step)
      );
    read.set(data, params);
    return params;
  }

  // The model: for tokens, the probabilities of the next one, and the weights of all heads for the
  // last one.
  function forward(params, { L, H }, tokens, away) {
    const through = (X, W, b) =>
      X.map(x => {
        // by loops: a frame of the picture waits for it
        const y = [...b];
        x.forEach((a, i) => {
          for (let j = 0; j < y.length; j++) y[j] += a * W[i][j];
        });
        return y;
      });
    const plus = (X, Y) => X.map((x, t) => x.map((a, i) => a + Y[t][i]));
    const norm = (X, gamma, beta) =>
      X.map(x => {
        const mean = sum(x) / x.length,
          c = x.map(a => a - mean),
          sigma = Math.sqrt(dot(c, c) / x.length + 1e-5);
        return c.map((a, i) => (a / sigma) * gamma[i] + beta[i]);
      });
    const looks = [];
    let X = tokens.map((token, t) => params.W_E[token].map((a, i) => a + params.R[t][i]));
    for (let l = 1; l <= L; l++) {
      const p = name => params[`${l}.${name}`],
        I = norm(X, p('gamma_1'), p('beta_1')),
        [Q, K, V] = ['Q', 'K', 'V'].map(z => through(I, p(`W_${z}`), p(`b_${z}`)));
      const d = X[0].length / H,
        M = X.map(() => []);
      looks.push(
        several(H, h => {
          const part = x => x.slice(d * h, d * h + d),
            gone = away.some(one => same(one, [l, h + 1]));
          const A = Q.map((q, t) =>
            softmax(K.slice(0, t + 1).map(k => dot(part(q), part(k)) / Math.sqrt(d)))
          ); // causal: nothing after t
          A.forEach((a, t) =>
            M[t].push(...several(d, i => (gone ? 0 : sum(a.map((w, s) => w * V[s][d * h + i])))))
          );
          return A.at(-1);
        })
      );
      X = plus(X, through(M, p('W_O'), p('b_O')));
      X = plus(
        X,
        through(
          through(norm(X, p('gamma_2'), p('beta_2')), p('W_1'), p('b_1')).map(x =>
            x.map(a => Math.max(0, a))
          ),
          p('W_2'),
          p('b_2')
        )
      );
    }
    return {
      p: softmax(
        through(norm(X.slice(-1), params.gamma, params.beta), params.W_out, params.b_out)[0]
      ),
      looks
    };
  }

  instrument('NextWord', {
    hint: 'Drag a word sideways, or press an arrow beside it. Press a word of the table: it is written.',

    compute({ words, was, lit, away }, data) {
      const {
          vocabulary,
          nouns: [first, last]
        } = data,
        params = model(data),
        kind = vocabulary.map((_, i) => i >= first && i < last);
      const ask = some => {
        const { p, looks } = forward(
          params,
          data,
          [0, ...some.map(word => vocabulary.indexOf(word))],
          away
        );
        return {
          p,
          looks,
          verbs: [0, 1].map(n => sum(p.filter((_, i) => i >= last && (i - last) % 2 == n)))
        };
      };
      const { p, looks, verbs } = ask(words),
        before = was ? ask(was).verbs : verbs;
      const changed =
        was?.length == words.length ? words.flatMap((word, i) => (word == was[i] ? [] : [i])) : [];
      const nouns = words.flatMap((word, i) => (kind[vocabulary.indexOf(word)] ? [i] : []));
      const far = changed.length == 1 && nouns.slice(0, -1).includes(changed[0]),
        [d, e] = [verbs, before].map(([one, many]) => many - one);
      const place = changed.length == 1 ? changed[0] + 1 : 0,
        seen = looks.flatMap((heads, l) =>
          heads.map((row, h) => (away.some(one => same(one, [l + 1, h + 1])) ? 0 : row[place]))
        );
      const k = largest(seen),
        looker = [Math.floor(k / data.H) + 1, (k % data.H) + 1, seen[k]];
      return {
        words,
        away,
        lit,
        p,
        verbs,
        before,
        looks,
        best: vocabulary[largest(p)],
        most: largest(looks[lit[0] - 1][lit[1] - 1]),
        changed: changed.map(i => [was[i], words[i]]),
        back: words.length + 1 - place,
        far,
        flipped: d * e < -0.05,
        looker
      };
    },

    describe({ words, away, lit: [block, head], p, verbs: [one, many], looks, best, most }) {
      const where = words.length ? `After "${words.join(' ')}"` : 'At the start',
        seen = ['the full stop before', ...words][most];
      const gone = away.length
        ? ` Taken away: ${away.map(([b, h]) => `head ${h} of block ${b}`).join(', ')}.`
        : '';
      return (
        `${where}: ${spoken(best)} ${percent(Math.max(...p))} %. Verbs: singular ${percent(one)} %, plural ${percent(many)} %. ` +
        `Head ${head} of block ${block} looks most at ${seen} (${fixed(looks[block - 1][head - 1][most], 2)}).${gone}`
      );
    },

    conditions({ changed, before, verbs, far, flipped }) {
      const [[one, old], [many, now]] = [before, verbs].map(([a, b]) => [
        b > a ? 'plural' : 'singular',
        percent(Math.max(a, b))
      ]);
      return [
        goal(
          `a noun changed, not the nearest to the verb: ${changed.map(pair => pair.join(' → ')).join(', ') || 'nothing yet'}`,
          far
        ),
        goal(`the verb flips: was ${one} ${old} %, is ${many} ${now} %`, flipped)
      ];
    },

    lesson({ changed: [[old, now]], back, looker: [block, head, weight] }) {
      return (
        `You made ${old} ${now}, ${back} words before the end, and the verb followed. ` +
        `To attention a far word costs no more than a near one: head ${head} of block ${block} gives ${fixed(weight, 2)} to ${now}.`
      );
    },

    build(
      { controls, stage, update, hover },
      { vocabulary, nouns: [first, last], L, H, T },
      state
    ) {
      const cutOff = createElement(controls, 'button', { type: 'button' }, 'undo a word'),
        take = choices(controls, 'the lit head', ['take the lit head away'], () => {
          const others = state.away.filter(one => !same(one, state.lit));
          state.away = others.length < state.away.length ? others : [...others, [...state.lit]];
          update();
        });
      const go = words => {
        Object.assign(state, { words, was: null });
        update();
      };
      const append = word => {
        if (word != '.' && state.words.length < T - 1) go([...state.words, word]);
      };
      const press = (element, act) => {
        element.addEventListener('click', act);
        element.addEventListener('keydown', event => {
          if (/^( |Enter)$/.test(event.key)) (event.preventDefault(), act());
        });
      };
      cutOff.addEventListener('click', () => go(state.words.slice(0, -1)));

      // The sentence, read downwards: lines of block 1 on the left, of block 2 on the right.
      const X = 165,
        EDGE = 54,
        text = picture(stage, 330, 400, 'where the last word looks'),
        place = several(T + 1, () => 0);
      const ranges = [
        [1, first],
        [first, last],
        [last, vocabulary.length]
      ];
      const roll = (i, to) => {
        const at = vocabulary.indexOf(state.words[i]),
          [low, high] = ranges.find(([, end]) => at < end),
          word = vocabulary[clip(to(at, low, high), low, high - 1)];
        if (word != state.words[i])
          (Object.assign(state, {
            was: state.words,
            words: state.words.map((old, k) => (k == i ? word : old))
          }),
            update());
      };
      const chips = several(L, l => {
        const middle = L > 1 ? 50 + (230 * l) / (L - 1) : X;
        write(text, { x: middle, y: 42, class: 'middle' }, `block ${l + 1}`);
        return several(H, h => {
          const mine = [l + 1, h + 1],
            g = createElement(text, 'g', {
              role: 'button',
              tabindex: 0,
              'aria-label': `head ${h + 1} of block ${l + 1}`,
              transform: `translate(${middle + 25 * (h - (H - 1) / 2)} 62)`,
              style: 'cursor:pointer'
            });
          const box = rect(g, {
              x: -11,
              y: -12,
              width: 22,
              height: 24,
              rx: 5,
              stroke: 'currentColor'
            }),
            number = write(g, { y: 6, class: 'middle', 'aria-hidden': true }, h + 1);
          rect(g, { class: 'grip', x: -12.5, y: -13, width: 25, height: 26, rx: 6 });
          press(g, () => {
            state.lit = mine;
            update();
          });
          hover(
            g,
            ({ words, looks, away }) =>
              `Head ${h + 1} of block ${l + 1}${away.some(one => same(one, mine)) ? ', taken away, looked' : ''}: ` +
              ['the full stop before', ...words]
                .flatMap((word, t) =>
                  looks[l][h][t] > 0.005 ? [`${word} ${fixed(looks[l][h][t], 2)}`] : []
                )
                .join(', ') +
              '.'
          );
          return { mine, g, box, number };
        });
      });
      const lines = several(L, () =>
          several(H, () =>
            several(T, () =>
              createElement(text, 'path', { fill: 'none', 'stroke-linecap': 'round' })
            )
          )
        ),
        top = createElement(text, 'g');
      const shares = several(T, () => write(text, { class: 'halo middle' }));
      const full = write(text, { x: X, y: 92, class: 'middle soft' }, '(full stop)');
      let hot = 1,
        now;
      const words = several(T - 1, i => {
        const g = createElement(text, 'g', { 'aria-label': `word ${i + 1}` }),
          label = write(g, { x: X, class: 'middle halo' }),
          grip = rect(g, { class: 'grip', x: X - EDGE + 2, width: 2 * EDGE - 4, rx: 6 });
        const heat = () => {
          hot = i;
          point();
        };
        handle(g, text, {
          at: () => [28 * vocabulary.indexOf(state.words[i]), 0],
          move: x => roll(i, () => Math.round(x / 28)),
          tap: false, // 28 units are a word: two buttons beside it take a tap
          step: (dx, dy) =>
            dx ? roll(i, at => at + dx) : words[clip(i - dy, 0, state.words.length - 1)].g.focus(),
          home: () => roll(i, (_, low) => low),
          end: () => roll(i, (_, low, high) => high)
        });
        g.addEventListener('pointerenter', heat);
        g.addEventListener('focus', heat);
        return { g, label, grip };
      });
      const turns = [-1, 1].map(way => {
        const g = createElement(text, 'g', { 'aria-hidden': true, style: 'cursor:pointer' });
        rect(g, { x: -14, y: -12, width: 28, height: 24, fill: 'transparent' });
        createElement(g, 'path', { d: `M${5 * way} 0L${-3 * way} 6V-6Z`, fill: PURPLE });
        g.addEventListener('click', () => roll(hot, at => at + way));
        return g;
      });
      function point() {
        turns.forEach((g, k) => {
          g.style.display = state.words[hot] ? '' : 'none';
          setAttributes(g, { transform: `translate(${X + (k ? 44 : -44)} ${place[hot + 1]})` });
        });
      }
      const next = createElement(text, 'g', {
        role: 'button',
        tabindex: 0,
        style: 'cursor:pointer'
      });
      rect(next, { class: 'grip', x: X - 50, y: -13, width: 100, height: 26, rx: 6 });
      rect(next, {
        x: X - 48,
        y: -12,
        width: 96,
        height: 24,
        rx: 5,
        fill: 'none',
        stroke: PURPLE,
        'stroke-dasharray': '3 4',
        'stroke-width': 1.5
      });
      const likely = write(next, { x: X, y: 6, class: 'middle' });
      press(next, () => append(now.best));

      // The words of the language, singular beside plural: how likely each is.
      const book = picture(stage, 340, 400, 'what may come next, in %'),
        W = 82,
        left = j => 84 * j + (j > 1 ? 6 : 0),
        pairs = (last - first) / 2;
      const word = (i, j) =>
        j < 2
          ? i < pairs
            ? first + 2 * i + j
            : [[1, 2], [3, 4], [0]][i - pairs]?.[j]
          : last + 2 * i + j - 2;
      [
        ['nouns', 83],
        ['verbs', 257]
      ].forEach(([title, x]) => write(book, { x, y: 42, class: 'middle' }, title));
      const columns = several(4, j =>
        write(
          book,
          { x: left(j) + W / 2, y: 64, class: 'middle soft' },
          j % 2 ? 'plural' : 'singular'
        )
      );
      const cells = table(
        book,
        'words that may come next',
        9,
        4,
        { x: 0, y: 0, width: W, height: 29 },
        hover,
        (i, j, { p }) =>
          vocabulary[word(i, j)] &&
          `${spoken(vocabulary[word(i, j)])} comes next with ${fixed(100 * p[word(i, j)], 1)} %. ${word(i, j) ? 'Press it: it is written.' : 'It would end the sentence.'}`
      );
      const levels = vocabulary.map(() => 0);
      cells.forEach((row, i) =>
        row.forEach((cell, j) => {
          const mine = word(i, j);
          if (!vocabulary[mine]) return see(cell, false);
          setAttributes(cell, {
            transform: `translate(${left(j)} ${72 + 31 * i + (j < 2 && i >= pairs ? 38 : j > 1 && i > 3 ? 14 : 0)})`
          });
          cell.style.cursor = mine ? 'pointer' : '';
          const level = rect(cell, {
            height: 29,
            rx: 3,
            fill: SKY,
            'fill-opacity': 0.55,
            class: 'level'
          });
          rect(cell, { width: W, height: 29, rx: 4, fill: 'none', stroke: FAINT });
          write(cell, { x: 6, y: 20 }, vocabulary[mine]);
          levels[mine] = { level, share: write(cell, { x: W - 5, y: 20, class: 'end' }) };
          press(cell, () => append(vocabulary[mine]));
        })
      );
      write(book, { x: 83, y: 287, class: 'middle' }, 'others');
      const sums = [0, 1].map(n => {
        const g = createElement(book, 'g', { transform: `translate(${left(2 + n)} 352)` }),
          level = rect(g, { height: 38, rx: 3, fill: PURPLE, 'fill-opacity': 0.35 });
        rect(g, { width: W, height: 38, rx: 4, fill: 'none', stroke: GREY, 'stroke-width': 1.5 });
        return { level, share: write(g, { x: W / 2, y: 25, class: 'middle' }) };
      });

      return numbers => {
        now = numbers;
        const {
            words: text,
            lit: [block, head],
            away,
            p,
            looks,
            verbs,
            best
          } = numbers,
          n = text.length,
          step = Math.min(40, 296 / (n + 1)),
          pressed = away.some(one => same(one, state.lit));
        take(pressed ? 0 : -1);
        cutOff.disabled = !n;
        for (let t = 0; t <= n + 1; t++) place[t] = 92 + step * t;
        setAttributes(full, { y: place[0] + 5 });
        words.forEach(({ g, label, grip }, i) => {
          see(g, i < n);
          if (i >= n) return;
          setText(label, text[i], { y: place[i + 1] + 5.5 });
          label.classList.toggle('title', i == n - 1);
          setAttributes(grip, {
            y: place[i + 1] - Math.min(14, step / 2),
            height: Math.min(28, step)
          });
          const at = vocabulary.indexOf(text[i]),
            [low, high] = ranges.find(([, end]) => at < end);
          announce(g, text[i], at, low, high - 1);
        });
        if (!text[hot]) hot = Math.max(0, n - 1);
        point();
        setAttributes(next, {
          transform: `translate(0 ${place[n + 1]})`,
          'aria-label': `write ${spoken(best)}`
        });
        setText(likely, n < T - 1 ? `${spoken(best)} ?` : 'no more places');
        chips.flat().forEach(({ mine, g, box, number }) => {
          const on = same(mine, [block, head]),
            gone = away.some(one => same(one, mine));
          setAttributes(g, { 'aria-pressed': on });
          setAttributes(box, {
            fill: on ? PURPLE : 'none',
            'fill-opacity': 0.35,
            'stroke-width': on ? 2.5 : 1,
            'stroke-dasharray': gone ? '2 3' : ''
          });
          setAttributes(number, {
            'text-decoration': gone ? 'line-through' : 'none',
            opacity: gone ? 0.6 : 1
          });
        });
        lines.forEach((heads, l) =>
          heads.forEach((paths, h) =>
            paths.forEach((path, t) => {
              const w = looks[l][h][t] ?? 0,
                on = l == block - 1 && h == head - 1,
                gone = away.some(one => same(one, [l + 1, h + 1])),
                side = l < L / 2 ? -1 : 1;
              path.style.display = w < 0.03 || (gone && !on) ? 'none' : '';
              if (w < 0.03) return on && setText(shares[t], '');
              const x = X + side * EDGE,
                y = place[n] + (h - (H - 1) / 2) * 3,
                v = place[t] + (h - (H - 1) / 2) * 3,
                far = side * (t < n ? 26 + (96 * (n - t)) / n + 3 * h : 30),
                loop = t < n ? 0 : 9;
              setAttributes(path, {
                d: `M${x} ${y + loop}C${x + far} ${y + loop} ${x + far} ${v - loop} ${x} ${v - loop}`,
                stroke: on ? PURPLE : GREY,
                'stroke-opacity': on ? 1 : 0.3,
                'stroke-width': 0.5 + 8 * w,
                'stroke-dasharray': gone ? '2 6' : ''
              });
              on ? top.append(path) : top.before(path);
              if (on)
                setText(shares[t], w > 0.095 ? fixed(w, 2) : '', {
                  x: x + 0.48 * far,
                  y: 0.1 * y + 0.9 * v + (t < n ? 5 : 22)
                });
            })
          )
        );
        shares.forEach((share, t) => {
          if (t > n) setText(share, '');
        });
        vocabulary.forEach((_, k) => {
          setAttributes(levels[k].level, { width: W * p[k] });
          setText(levels[k].share, p[k] > 0.005 ? percent(p[k]) : '');
        });
        sums.forEach(({ level, share }, k) => {
          setAttributes(level, { width: W * verbs[k] });
          setText(share, `all ${percent(verbs[k])}`);
          share.classList.toggle('title', verbs[k] > verbs[1 - k] + 0.01);
          columns[2 + k].classList.toggle('title', verbs[k] > verbs[1 - k] + 0.01);
        });
      };
    },

    table({ p }, { vocabulary }) {
      const order = [...p.keys()].sort((i, j) => p[j] - p[i]);
      return {
        title: 'What may come next',
        corner: 'word',
        rows: order.map(i => spoken(vocabulary[i])),
        columns: ['probability in %'],
        values: order.map(i => [100 * p[i]])
      };
    }
  });
})();
