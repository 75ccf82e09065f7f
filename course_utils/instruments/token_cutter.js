// A text is cut by the first n of the learned pairs: its tokens as tiles, and the bytes a token at
// each number of pairs.
(() => {
  const {
    sum,
    fixed,
    clip,
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
    slider,
    goal,
    instrument
  } = courseKit;

  const WHITE =
    '\\t\\n\\v\\f\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'; // Unicode's, which is not JavaScript's \s
  const WORD = new RegExp(
    `'(?:s|t|re|ve|m|ll|d)|\\p{N}| ?\\p{L}+| ?[^${WHITE}\\p{L}\\p{N}]+|[${WHITE}]+(?=\\p{N}|$)|[${WHITE}]+(?=[${WHITE}])|[${WHITE}]`,
    'gu'
  );
  const bytes = text =>
    encodeURIComponent(text)
      .match(/%..|./g)
      ?.map(c => (c.length > 1 ? parseInt(c.slice(1), 16) : c.charCodeAt(0))) ?? [];
  const hex = byte => byte.toString(16).toUpperCase().padStart(2, '0');
  function label(piece) {
    // a space as ␣, what is no whole character as its bytes
    try {
      return decodeURIComponent(piece.map(byte => `%${hex(byte)}`).join('')).replaceAll(' ', '␣');
    } catch {
      return piece.map(hex).join(' ');
    }
  }

  // The pieces and the numbers of the pairs, made once.
  const made = new WeakMap();
  function learned(data) {
    if (made.has(data)) return made.get(data);
    const joined = new Map(),
      pieces = Array.from({ length: 256 }, (_, byte) => [byte]);
    data.pairs.forEach(([left, right]) => {
      joined.set(`${left} ${right}`, pieces.length);
      pieces.push([...pieces[left], ...pieces[right]]);
    });
    made.set(data, { joined, pieces });
    return made.get(data);
  }

  instrument('TokenCutter', {
    hint: 'Write a text of your own. Drag the purple mark: how many pairs are joined? Point at a tile: it tells its number.',

    compute({ text, n }, data) {
      const { pairs, marks } = data,
        { joined, pieces } = learned(data),
        whole = text.match(WORD) ?? [];
      const ways = whole.map(word => {
        // [how many pairs it takes, the tokens then]
        const stages = [[0, bytes(word)]];
        while (stages.at(-1)[1].length > 1) {
          const ids = stages.at(-1)[1],
            found = ids.slice(1).flatMap((right, i) => joined.get(`${ids[i]} ${right}`) ?? []),
            next = Math.min(...found);
          if (!found.length) break;
          const [left, right] = pairs[next - 256],
            merged = [];
          for (let i = 0; i < ids.length; i++)
            merged.push(ids[i] == left && ids[i + 1] == right ? (i++, next) : ids[i]);
          stages.push([next - 255, merged]);
        }
        return stages;
      });
      const after = m => ways.map(stages => stages.filter(([k]) => k <= m).at(-1)[1]),
        ids = after(n).flat(),
        long = bytes(text).length;
      const curve = Array.from(
        { length: marks + 1 },
        (_, m) =>
          long /
          Math.max(1, sum(after(Math.floor((m * pairs.length) / marks)).map(word => word.length)))
      );
      const latest = n ? pieces[255 + n] : [];
      return {
        text,
        n,
        ids,
        labels: ids.map(i => label(pieces[i])),
        n_bytes: long,
        n_tokens: ids.length,
        mean: long / Math.max(1, ids.length),
        curve,
        latest: label(latest),
        found: n ? ids.filter(i => i == 255 + n).length : 0,
        whole: whole.some(word => `${bytes(word)}` == `${latest}`),
        size: latest.length,
        parts: n ? pairs[n - 1].map(i => label(pieces[i])) : []
      };
    },

    describe({ n, found, latest, n_bytes, n_tokens, mean, labels }) {
      const times = ['not in the text', 'once in the text'][found] ?? `${found} times in the text`,
        by = n ? `By ${n} pairs` : 'By no pair';
      const last = n ? ` The last pair makes ${latest}, ${times}.` : '';
      if (!n_tokens) return `${by}: nothing is written.${last}`;
      return `${by}: ${n_bytes} bytes are ${n_tokens} tokens, ${fixed(mean, 2)} bytes each. ${labels.join(' | ')}.${last}`;
    },

    conditions({ latest, whole, size }) {
      return [
        goal(`the last pair makes a whole word of your text: now ${latest || 'no pair'}`, whole),
        goal(`eight bytes or more: it has ${size}`, size > 7)
      ];
    },

    lesson({ n, parts: [left, right], latest }, { pairs: { length } }) {
      const early =
        2 * n < length
          ? 'early: the learned text says it often'
          : 'late: many pairs are more frequent in the learned text';
      return `Pair ${n} of ${length} joins ${left} and ${right} into ${latest}. It came ${early}. A rare word may never be whole.`;
    },

    build({ controls, stage, update, hover }, data, state) {
      const { pairs, marks, longest } = data,
        N = pairs.length,
        go = n => {
          state.n = clip(Math.round(n), 0, N);
          update();
        };
      const named = createElement(controls, 'label', {}, 'text'),
        input = createElement(named, 'input', {
          type: 'text',
          size: 30,
          maxlength: 2 * longest,
          autocomplete: 'off',
          spellcheck: false,
          style:
            'font:inherit;color:inherit;background:transparent;border:1.5px solid;border-radius:6px;padding:.2em .4em;flex:1 1 0;width:0;min-width:0'
        });
      input.addEventListener('input', () => {
        state.text = [...input.value.replace(/\p{Cs}/gu, '')].slice(0, longest).join('');
        update();
      });
      const place = slider(controls, 'pairs', { min: 0, max: N, step: 1 }, n => `${n}`, go);

      const tiles = picture(stage, 430, 300, 'the tokens, and their numbers'),
        sheet = createElement(tiles, 'g');
      const T = 20,
        B = 262,
        L = 40,
        W = 360,
        at = n => L + (W * n) / N,
        bars = picture(stage, 430, 300, 'bytes a token, by the number of pairs');
      for (const y of [0, 2, 4, 6, 8, 10]) {
        createElement(bars, 'path', {
          d: `M${L - 4} ${B - T * y}H${L + W + 4}`,
          stroke: y ? FAINT : GREY
        });
        createElement(bars, 'text', { x: L - 10, y: B - T * y + 5, class: 'small soft end' }, y);
      }
      const levels = Array.from({ length: marks + 1 }, (_, m) => {
        const level = createElement(bars, 'rect', {
          class: 'level',
          x: at((m * N) / marks) - 5,
          width: 10,
          fill: SKY
        });
        hover(
          level,
          ({ curve }) =>
            `With ${Math.floor((m * N) / marks)} pairs: ${fixed(curve[m], 2)} bytes a token.`
        );
        return level;
      });
      const g = createElement(bars, 'g'),
        line = createElement(g, 'path', { stroke: PURPLE, 'stroke-width': 2.5 }),
        knob = createElement(g, 'circle', { r: 8, cy: B, fill: PURPLE });
      const number = createElement(g, 'text', { y: 296, class: 'title middle halo' }),
        grip = createElement(g, 'rect', {
          class: 'grip',
          y: 24,
          width: 32,
          height: B + 14 - 24,
          rx: 8
        });
      handle(g, bars, {
        label: 'number of pairs',
        at: () => [at(state.n), 0],
        move: x => go(((x - L) / W) * N),
        step: (dx, dy) => go(state.n + dx + dy),
        home: () => go(0),
        end: () => go(N)
      });

      return ({ text, n, ids, labels, curve }) => {
        if (input.value != text && controls.getRootNode().activeElement != input)
          input.value = text;
        place(n);
        let x = 0,
          y = 0;
        sheet.replaceChildren();
        const boxes = labels.map((word, i) => {
          const width = Math.max(16 + 10 * [...word].length, 14 + 9 * `${ids[i]}`.length);
          if (x + width > 424) ((x = 0), (y += 56));
          return [(x += width + 6) - width - 6, y, width];
        });
        const scale = Math.min(1, 270 / (y + 50));
        setAttributes(sheet, { transform: `translate(3 28) scale(${scale})` });
        labels.forEach((word, i) => {
          const [left, top, width] = boxes[i],
            tile = createElement(sheet, 'g', { transform: `translate(${left} ${top})` });
          createElement(tile, 'rect', {
            width,
            height: 30,
            rx: 6,
            fill: ids[i] == 255 + n ? PURPLE : SKY,
            'fill-opacity': ids[i] < 256 ? 0.2 : 0.5,
            stroke: ids[i] == 255 + n ? PURPLE : GREY
          });
          createElement(tile, 'text', { x: width / 2, y: 21, class: 'middle' }, word);
          createElement(tile, 'text', { x: width / 2, y: 46, class: 'small soft middle' }, ids[i]);
          hover(tile, () =>
            ids[i] < 256
              ? `${word} is a byte, ${ids[i]}.`
              : `${word} is token ${ids[i]}: ${pairs[ids[i] - 256].map(part => label(learned(data).pieces[part])).join(' and ')}, joined.`
          );
        });
        levels.forEach((level, m) => {
          const tall = T * curve[m];
          setAttributes(level, { y: B - tall, height: tall });
        });
        setAttributes(line, { d: `M${at(n)} 30V${B}` });
        setAttributes(knob, { cx: at(n) });
        setAttributes(grip, { x: at(n) - 16 });
        setText(number, `${n} pairs`, { x: clip(at(n), 60, 380) });
        announce(g, `${n} pairs`, n, 0, N);
      };
    },

    table({ labels, ids }) {
      return {
        title: 'Tokens',
        corner: 'position',
        rows: labels.map((_, i) => i),
        columns: ['token', 'id'],
        values: labels.map((label, i) => [label, `${ids[i]}`])
      };
    }
  });
})();
