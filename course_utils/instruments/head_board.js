// All heads of a model as a board of thirty by nine: one is silenced; where it looked, and what is
// lost without it.
(() => {
  const {
    fixed,
    clip,
    PURPLE,
    SKY,
    textTint,
    RED,
    GREY,
    FAINT,
    createElement,
    setAttributes,
    setText,
    picture,
    handle,
    announce,
    choices,
    table,
    enlarge,
    goal,
    instrument
  } = courseKit;
  const CHOSEN = textTint('#0072B2', 50); // nearer to the text's colour than the other arcs

  instrument('HeadBoard', {
    hint: 'Drag the ✗ onto a head, or press one: it is silenced. The other picture tells what it did.',

    compute({ colour, silent }, { H, where, looks, copy, plain }) {
      const cut = silent >= 0;
      return {
        colour,
        by: where[colour],
        values: looks[colour],
        silent,
        block: cut ? Math.floor(silent / H) + 1 : 0,
        head: cut ? (silent % H) + 1 : 0,
        gives: looks.map(row => (cut ? row[silent] : 0)),
        copy: cut ? copy[silent] : 0,
        plain: cut ? plain[silent] : 0
      };
    },

    describe({ by, silent, block, head, gives, copy, plain }) {
      const shown = `Height: weight on ${by}.`;
      if (silent < 0) return `${shown} No head is silenced; all 270 are at work.`;
      const gave = gives.map(weight => fixed(weight, 2)).join(' / ');
      return `${shown} Without head (${block}, ${head}), which gave ${gave} to the three places, surprise changes by ${fixed(copy, 2)} in the second copy, by ${fixed(plain, 2)} in plain text.`;
    },

    conditions({ silent, block, head, gives, copy }) {
      const cut = silent >= 0,
        now = text => (cut ? `: now ${text}` : '');
      return [
        goal(cut ? `a head silenced: (${block}, ${head})` : 'a head silenced', cut),
        goal(`the second copy worse by 1.00 or more${now(fixed(copy, 2))}`, copy > 0.995),
        goal(
          `0.10 or less to what came after the same word${now(fixed(gives[0], 2))}`,
          cut && gives[0] < 0.105
        )
      ];
    },

    lesson({ block, head, gives: [same, previous, first], copy }) {
      const why =
        previous > 0.3
          ? 'It looks one word back and so leaves a note in each word: “I come after …”. Heads further up look for that note'
          : 'It looks at none of the three places for long; what it does, the silence does not tell';
      return (
        `Without (${block}, ${head}) the second copy loses ${fixed(copy, 2)} nats a word, though this head gave ${fixed(same, 2)} to what came after the same word, ` +
        `${fixed(previous, 2)} to the word before, ${fixed(first, 2)} to the first token. ${why}. What is copied is found by one kind of head and prepared by others.`
      );
    },

    build({ controls, stage, update, hover }, { H, L, where, looks, copy, plain }, state) {
      createElement(controls, 'span', {}, 'bars show the weight on:');
      const pick = choices(controls, 'height', where, k => {
          state.colour = k;
          update();
        }),
        W = 17,
        SIZE = 30,
        X = 44,
        Y = 52;
      const toggle = (l, h) => {
        state.silent = state.silent == l * H + h ? -1 : l * H + h;
        update();
      };
      const sheet = picture(stage, 564, 366, 'the 270 heads: a column for each block');
      for (let l = 0; l < L; l++)
        if ((l + 1) % 5 == 0 || !l)
          createElement(
            sheet,
            'text',
            { x: X + l * W + W / 2, y: 45, class: 'small soft middle' },
            l + 1
          );
      for (let h = 0; h < H; h++)
        createElement(
          sheet,
          'text',
          { x: X - 8, y: Y + h * SIZE + 20, class: 'small soft end' },
          h + 1
        );
      const squares = table(
        sheet,
        'heads: a row for each place in a block, a column for each block',
        H,
        L,
        { x: X, y: Y, width: W, height: SIZE },
        hover,
        (h, l) => {
          const k = l * H + h;
          return `Head (${l + 1}, ${h + 1}): ${where.map((place, c) => `${fixed(looks[c][k], 2)} to ${place}`).join(', ')}. Silenced, it changes the second copy by ${fixed(copy[k], 2)}, plain text by ${fixed(plain[k], 2)}.`;
        }
      ).map((row, h) =>
        row.map((cell, l) => {
          cell.style.cursor = 'pointer';
          createElement(cell, 'rect', {
            x: 0.5,
            y: 1,
            width: W - 1,
            height: SIZE - 2,
            rx: 2,
            fill: FAINT,
            'fill-opacity': 0.3
          });
          const level = createElement(cell, 'rect', {
            x: 1.5,
            width: W - 3,
            rx: 1.5,
            fill: SKY,
            class: 'level'
          });
          const press = () => toggle(l, h);
          cell.addEventListener('click', event => near(event, l, h) || press());
          cell.addEventListener('keydown', event => {
            if (event.key != 'Enter' && event.key != ' ') return;
            event.preventDefault();
            press();
          });
          return { cell, level };
        })
      );
      // For a finger: the heads of five blocks, each with its weight.
      const open = enlarge(
        stage,
        Array.from({ length: H }, (_, h) => h + 1),
        (l, h) => {
          const weight = looks[state.colour][l * H + h],
            share = `${100 * weight}%`;
          return [
            fixed(weight, 2).replace(/^0/, ''),
            `head (${l + 1}, ${h + 1}): ${fixed(weight, 2)}`,
            state.silent == l * H + h,
            `background:linear-gradient(to top,color-mix(in srgb,${SKY} 45%,transparent) ${share},transparent ${share})`
          ];
        },
        toggle
      );
      const near = (event, l, h) => {
        const low = clip(l - 2, 0, L - 5),
          rows = [0, 1, 2, 3, 4].map(i => [low + i, low + i + 1]);
        return open(event, 'block by head: tap one', rows, l, h);
      };

      // The cut: a cross that lies on the silenced head, or waits below the board.
      const lies = () =>
        state.silent < 0
          ? [X + 14, Y + H * SIZE + 26]
          : [
              X + Math.floor(state.silent / H) * W + W / 2,
              Y + (state.silent % H) * SIZE + SIZE / 2
            ];
      const put = (l, h) => {
        state.silent = h < 0 || h >= H ? -1 : clip(l, 0, L - 1) * H + h;
        update();
      };
      const waits = createElement(
        sheet,
        'text',
        { x: X + 36, y: Y + H * SIZE + 31, class: 'small soft' },
        'drag it onto a head'
      );
      const cross = createElement(sheet, 'g');
      createElement(cross, 'circle', {
        r: 13,
        fill: 'var(--page)',
        'fill-opacity': 0.7,
        stroke: PURPLE,
        'stroke-width': 3
      });
      createElement(cross, 'path', {
        d: 'M-6-6L6 6M6-6L-6 6',
        stroke: PURPLE,
        'stroke-width': 3,
        'stroke-linecap': 'round'
      });
      // where the board is small a finger must still hit it
      createElement(
        stage,
        'style',
        {},
        '@container (max-width:34em){.cut{r:20px}}@container (max-width:20em){.cut{r:24px}}'
      );
      createElement(cross, 'circle', { class: 'grip cut', r: 16 });
      handle(cross, sheet, {
        label: 'the cut',
        at: lies,
        move: (x, y) => put(Math.floor((x - X) / W), Math.floor((y - Y) / SIZE)),
        step: (dx, dy) =>
          state.silent < 0
            ? put(0, 0)
            : put(Math.floor(state.silent / H) + dx, clip((state.silent % H) - dy, 0, H - 1)),
        numbers: [
          [
            'block',
            () => Math.floor(state.silent / H) + 1,
            l => put(Math.round(l) - 1, Math.max(0, state.silent % H)),
            1,
            L
          ],
          [
            'head',
            () => (state.silent % H) + 1,
            h => put(Math.max(0, Math.floor(state.silent / H)), Math.round(h) - 1),
            1,
            H
          ]
        ],
        home: () => put(0, -1),
        end: () => put(L - 1, H - 1)
      });

      // Where the silenced head looked: a text that says something twice, and what is lost without
      // it.
      const tale = picture(stage, 290, 366, 'where this head looks'),
        title = tale.querySelector('.title'),
        FLOOR = 132;
      const words = ['The', '…', 'cat', 'sat', '…', 'the', 'cat'],
        x = i => 20 + 41 * i,
        spots = [3, 5, 0];
      words.forEach((word, i) =>
        createElement(
          tale,
          'text',
          { x: x(i), y: FLOOR + 20, class: i == 6 ? 'title middle' : 'middle' },
          word
        )
      );
      const arcs = spots.map(i => ({
        arc: createElement(tale, 'path', {
          d: `M${x(6)} ${FLOOR}C${x(6)} ${FLOOR - 30 - 13 * (6 - i)} ${x(i)} ${FLOOR - 30 - 13 * (6 - i)} ${x(i)} ${FLOOR}`,
          fill: 'none',
          stroke: SKY,
          'stroke-linecap': 'round'
        }),
        value: createElement(tale, 'text', { x: x(i), y: FLOOR + 42, class: 'title middle' })
      }));
      const names = [
        ['after the same', 'word'],
        ['the word', 'before'],
        ['the first', 'token']
      ].map((lines, k) =>
        lines.map((line, n) =>
          createElement(
            tale,
            'text',
            { x: x(spots[k]) + [0, 14, 12][k], y: FLOOR + 62 + 17 * n, class: 'small soft middle' },
            line
          )
        )
      );
      createElement(tale, 'path', { d: `M0 ${FLOOR + 92}H290`, stroke: FAINT });
      const note = createElement(tale, 'text', { x: 0, y: FLOOR + 116, class: 'title' });
      const rows = ['second copy', 'plain text'].map((name, k) => {
        const y = FLOOR + 130 + 48 * k;
        createElement(tale, 'text', { x: 0, y: y + 14 }, name);
        createElement(tale, 'path', { d: `M20 ${y + 20}V${y + 38}`, stroke: GREY });
        return {
          bar: createElement(tale, 'rect', { y: y + 20, height: 18, rx: 3 }),
          value: createElement(tale, 'text', { x: 290, y: y + 14, class: 'title end' })
        };
      });

      return ({ colour, values, silent, gives, copy, plain }) => {
        pick(colour);
        squares.forEach((row, h) =>
          row.forEach(({ cell, level }, l) => {
            const k = l * H + h,
              value = values[k];
            setAttributes(cell, { 'aria-selected': k == silent });
            setAttributes(level, { y: 2 + (SIZE - 4) * (1 - value), height: (SIZE - 4) * value });
          })
        );
        const l = Math.floor(silent / H),
          h = silent % H,
          [left, top] = lies(),
          cut = silent >= 0;
        setAttributes(cross, { transform: `translate(${left} ${top})` });
        waits.style.display = cut ? 'none' : '';
        announce(
          cross,
          cut ? `on head (${l + 1}, ${h + 1})` : 'no head is silenced',
          silent,
          -1,
          L * H - 1
        );
        setText(title, cut ? `where head (${l + 1}, ${h + 1}) looked` : 'where a head looks');
        arcs.forEach(({ arc, value }, k) => {
          setAttributes(arc, {
            'stroke-width': cut ? 0.5 + 12 * gives[k] : k == colour ? 2 : 1,
            stroke: k == colour ? CHOSEN : SKY,
            'stroke-opacity': cut ? 1 : k == colour ? 0.9 : 0.5,
            'stroke-dasharray': cut ? '' : '3 4'
          });
          setText(value, cut ? fixed(gives[k], 2) : '');
        });
        names.forEach((lines, k) =>
          lines.forEach(line => line.classList.toggle('soft', k != colour))
        );
        setText(note, cut ? 'a word then surprises more by' : 'all heads are at work');
        [copy, plain].forEach((change, k) => {
          const far = 40 * Math.abs(change);
          setAttributes(rows[k].bar, {
            x: change < 0 ? 20 - Math.min(far, 20) : 20,
            width: Math.min(far, 270),
            fill: change > 0 ? RED : GREY
          });
          setText(rows[k].value, cut ? `${fixed(change, 2)} nats` : '');
        });
      };
    },

    table({ by, values }, { H, L }) {
      const count = n => Array.from({ length: n }, (_, i) => i);
      return {
        title: `Heads by ${by}`,
        corner: 'block by head',
        rows: count(L).map(l => l + 1),
        columns: count(H).map(h => h + 1),
        values: count(L).map(l => count(H).map(h => values[l * H + h]))
      };
    }
  });
})();
