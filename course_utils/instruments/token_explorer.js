// One turn of a chat as boxes, one a token, each with a bar: how surprised the model was by it. A
// press opens a token: what was expected. Who looks inside sees how the lens ranks it through the
// blocks, and what the silence of each head or block adds to it.
(() => {
  const {
    sum,
    fixed,
    clip,
    ORANGE,
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
    rove,
    enlarge,
    goal,
    instrument
  } = courseKit;
  const SURE = 10,
    MORE = 50,
    BLOCKS = 30,
    COLUMNS = 10, // the whole block, then its nine heads
    LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const percent = p => `${fixed(100 * p, p > 0.00045 && p < 0.0095 ? 1 : 0)} %`,
    // three signs, for which a box has room
    brief = x => fixed(x, x < 1 ? 2 : 1).replace(/^0/, ''),
    mean = x => sum(x) / x.length,
    partOf = ({ block, head }) => (head ? `head (${block}, ${head})` : `block ${block}`),
    same = (a, b) => a.every((x, i) => x == b[i]);

  // What each silence adds to each token, in hundredths, read once: a small change is one letter,
  // any other is the last letter and two more.
  const known = new WeakMap();
  function changesOf(data) {
    if (known.has(data)) return known.get(data);
    const codes = [...data.changes].map(letter => LETTERS.indexOf(letter)),
      changes = [];
    for (let i = 0; i < codes.length; i++)
      changes.push(codes[i] < 63 ? codes[i] - 31 : 64 * codes[++i] + codes[++i] - 1024);
    known.set(data, changes);
    return changes;
  }
  const added = (data, token, block, head) =>
    changesOf(data)[((block - 1) * COLUMNS + head) * data.tokens.length + token];

  instrument('TokenExplorer', {
    hint: 'Press a token, or drag the frame. Inside, put the ◆ on a head or a block: it is silenced.',

    compute({ token, block, head, numbered, inside, tried: before }, data) {
      const { tokens, losses, answer, ranks: all, likely: candidates, wrong } = data,
        change = losses.map((_, t) => (block ? added(data, t, block, head) : 0)),
        here = [token, block, head],
        tried = before.some(one => same(one, here)) ? before : [...before, here];
      const sure = tried.filter(([t]) => t >= answer && losses[t] < SURE),
        needed = sure
          .filter(([t, b, h]) => h && added(data, t, b, h) >= MORE)
          .map(one => [...one, added(data, ...one) / 100]);
      const ranks = all[token],
        likely = candidates[token],
        after = losses.map((loss, t) => Math.max(0, loss + change[t]) / 100);
      return {
        token,
        block,
        head,
        numbered,
        inside: inside || block > 0,
        tokens,
        answer,
        losses: losses.map(loss => loss / 100),
        silenced: after,
        words: likely.map(([word]) => word),
        p: likely.map(([, p]) => p / 1000),
        own: Math.exp(-losses[token] / 100),
        own_silenced: Math.exp(-after[token]),
        place: Math.min(ranks.at(-1) - 1, likely.length),
        ranks,
        leads: ranks.findLastIndex(rank => rank > 1) + 1,
        map: Array.from({ length: BLOCKS }, (_, b) =>
          Array.from({ length: COLUMNS }, (_, h) => added(data, token, b + 1, h) / 100)
        ),
        most: tried.find(([t]) => losses[t] == Math.max(...losses))?.[0] ?? null,
        sure: sure[0]?.[0] ?? null,
        needed: needed[0] ?? null,
        wrong: wrong.includes(needed[0]?.[0])
      };
    },

    describe(numbers) {
      const { token, block, inside, tokens, losses, silenced, words, p, own, ranks, leads } =
        numbers;
      const likely = words.map((word, i) => `“${word}” ${percent(p[i])}`).join(', '),
        lens = leads == ranks.length ? 'never has it first' : `has it first from block ${leads} on`;
      return (
        `“${tokens[token]}” has the cross-entropy ${fixed(losses[token], 2)}, a probability of ${percent(own)}. ` +
        `Likeliest were ${likely}.` +
        (inside ? ` The logit lens ${lens}.` : '') +
        (block
          ? ` Without ${partOf(numbers)} it is ${fixed(silenced[token], 2)}; the mean of all tokens is ` +
            `${fixed(mean(silenced), 2)} instead of ${fixed(mean(losses), 2)}.`
          : '')
      );
    },

    conditions(numbers) {
      const { token, block, head, answer, tokens, losses, map, most, sure, needed } = numbers,
        told = t => `“${tokens[t]}” ${fixed(losses[t], 2)}`,
        now = `now ${told(token)}`,
        reply = token < answer ? 'now none of the reply' : now,
        silent = block
          ? `now ${partOf(numbers)} adds ${fixed(map[block - 1][head], 2)}`
          : 'now none',
        [t, b, h, more] = needed ?? [];
      return [
        goal(`the largest cross-entropy: ${most == null ? now : told(most)}`, most != null),
        goal(`a token of the reply under 0.10: ${sure == null ? reply : told(sure)}`, sure != null),
        goal(
          `a silenced head adds 0.50 to such a token: ${
            needed ? `(${b}, ${h}) adds ${fixed(more, 2)} to “${tokens[t]}”` : silent
          }`,
          !!needed
        )
      ];
    },

    lesson({ tokens, losses, most, needed: [token, block, head, more], wrong }) {
      return (
        `“${tokens[most]}” surprised it most: ${fixed(losses[most], 2)}. ` +
        `Of “${tokens[token]}” it was nearly sure: ${fixed(losses[token], 2)}` +
        (wrong ? ', and it is wrong. ' : '. ') +
        'Cross-entropy says how sure the model is, not whether it is right. ' +
        `Without head (${block}, ${head}) “${tokens[token]}” has ${fixed(losses[token] + more, 2)}: here the model needs this head. ` +
        'What the head does, its silence does not say.'
      );
    },

    build({ controls, stage, update, hover }, { tokens, answer, losses, wrong, right }, state) {
      const go = changes => {
        Object.assign(state, changes);
        const here = [state.token, state.block, state.head];
        if (!state.tried.some(one => same(one, here))) state.tried.push(here);
        update();
      };
      const shown = choices(
        controls,
        'what is shown',
        ['all as numbers', 'look inside the model'],
        k => {
          if (!k) go({ numbered: !state.numbered });
          else if (state.inside || state.block) go({ inside: false, block: 0, head: 0 });
          else go({ inside: true });
        }
      );

      // The chat: a line for the question, one for the form, one for the reply, as far as they fit.
      const WIDTH = 462,
        boxes = [];
      const form = tokens.indexOf('<|im_end|>');
      let x = 0,
        line = 0;
      tokens.forEach((token, t) => {
        const width = Math.max(30, 9.7 * [...token].length + 10);
        if (t && (x + width > WIDTH || t == answer || t == form)) ((x = 0), line++);
        boxes.push([x, line, width]);
        x += width + 2;
      });
      // A line is as high as its bars; where something can be silenced, with room for more.
      const UNIT = line < 3 ? 9 : 4.5, // of a bar, for a nat
        HIGHEST = 6 * UNIT,
        BELOW = 152,
        chat = picture(stage, WIDTH, BELOW, 'how surprised was the model by each token?'),
        parts = [
          [0, 'the question'],
          [form, 'signs of the form'],
          [answer, wrong.length ? `its reply (wrong: it is ${right})` : 'its reply']
        ]
          .filter(([t]) => boxes[t])
          .map(([t, text]) => [boxes[t][1], createElement(chat, 'text', { class: 'small' }, text)]),
        colour = createElement(chat, 'text', { x: WIDTH, class: 'small soft end' });
      createElement(colour, 'tspan', { fill: ORANGE }, '■');
      createElement(colour, 'tspan', {}, ' cross-entropy, in nats');
      let tops = [];
      const top = row => tops[row];
      // where the lines stand; what is below all of them
      const layOut = inside => {
        let y = 24;
        tops = Array.from({ length: line + 1 }, (_, row) => {
          const highest = Math.max(...losses.filter((_, t) => boxes[t][1] == row)) / 100,
            [, label] = parts.find(([at]) => at == row) ?? [];
          y += label ? 16 : 0;
          if (label) setAttributes(label, { y });
          if (!row) setAttributes(colour, { y });
          // its numbers stand on the bars
          const begin = y + clip(UNIT * highest, inside ? HIGHEST / 2 : 5, HIGHEST) + 14;
          y = begin + 46;
          return begin;
        });
        return y;
      };
      const tiles = tokens.map((token, t) => {
        const [left, , width] = boxes[t],
          g = createElement(chat, 'g', { role: 'button', style: 'cursor:pointer' });
        const box = createElement(g, 'rect', { width, height: 28, rx: 5 }),
          level = createElement(g, 'rect', {
            class: 'level',
            x: width / 2 - 6,
            width: 12,
            fill: ORANGE
          }),
          before = createElement(g, 'path', { stroke: 'currentColor', 'stroke-width': 2 });
        createElement(
          g,
          'text',
          { x: width / 2, y: 19.5, class: 'middle', style: 'font-family:ui-monospace,monospace' },
          token
        );
        // beside the button, whose name has two digits
        const number = createElement(chat, 'text', {
          x: left + width / 2,
          class: 'middle',
          'aria-hidden': true,
          'pointer-events': 'none',
          style: 'font-size:max(13px,var(--floor,0px))'
        });
        createElement(g, 'rect', {
          class: 'grip',
          x: -1,
          y: -HIGHEST,
          width: width + 2,
          height: HIGHEST + 29,
          rx: 5
        });
        g.addEventListener('click', () => go({ token: t }));
        g.addEventListener('keydown', event => {
          if (event.key != 'Enter' && event.key != ' ') return;
          event.preventDefault();
          go({ token: t });
        });
        hover(
          g,
          ({ losses, silenced, block }) =>
            `“${token}”: ${fixed(losses[t], 2)}${block ? `, now ${fixed(silenced[t], 2)}` : ''}`
        );
        return { g, box, level, before, number };
      });
      rove(tiles.map(({ g }) => g));
      // The frame lies on the token that is open, and is dragged from one to another.
      const middle = t => boxes[t][0] + boxes[t][2] / 2;
      const openAt = (x, row) => {
        const there = [...tokens.keys()].filter(t => boxes[t][1] == clip(row, 0, line));
        go({ token: there.sort((s, t) => Math.abs(middle(s) - x) - Math.abs(middle(t) - x))[0] });
      };
      const frame = createElement(chat, 'g'),
        edges = ['', 'grip'].map(kind =>
          createElement(frame, 'rect', {
            class: kind,
            y: -2,
            height: 32,
            rx: 6,
            ...(kind || { fill: 'none', stroke: PURPLE, 'stroke-width': 3 })
          })
        );
      handle(frame, chat, {
        label: 'the token',
        at: () => [middle(state.token), top(boxes[state.token][1]) + 14],
        move: (x, y) =>
          openAt(
            x,
            Math.max(
              0,
              tops.findLastIndex(begin => y > begin - 36)
            )
          ),
        step: (dx, dy) =>
          dy
            ? openAt(middle(state.token), boxes[state.token][1] - dy)
            : go({ token: clip(state.token + dx, 0, tokens.length - 1) }),
        home: () => go({ token: 0 }),
        end: () => go({ token: tokens.length - 1 }),
        numbers: [
          ['', () => state.token + 1, t => go({ token: Math.round(t) - 1 }), 1, tokens.length]
        ]
      });
      hover(
        frame,
        ({ token, own, losses }) =>
          `“${tokens[token]}” had ${percent(own)}: ${fixed(losses[token], 2)} nats`
      );

      // What was expected. The bars lie: their length is the height of a rectangle that is turned.
      const LEFT = 130,
        FULL = 270,
        below = createElement(chat, 'g'),
        title = createElement(below, 'text', { x: 0, y: 14, class: 'title' }),
        joined = createElement(below, 'text', { x: LEFT });
      const rows = Array.from({ length: 6 }, (_, i) => {
        const y = 23 + 18 * i,
          g = createElement(below, 'g');
        return {
          g,
          word: createElement(g, 'text', {
            x: LEFT - 8,
            y: y + 13,
            class: 'end',
            style: 'font-family:ui-monospace,monospace'
          }),
          level: createElement(g, 'rect', {
            class: 'level',
            width: 15,
            rx: 2,
            fill: SKY,
            transform: `translate(${LEFT} ${y + 15})rotate(-90)`
          }),
          share: createElement(g, 'text', { y: y + 13 }),
          after: createElement(g, 'path', { stroke: PURPLE, 'stroke-width': 3 }),
          y
        };
      });

      // Through the blocks: ranks by the lens above, what each silence adds below, on one axis.
      const L = 54,
        W = 11,
        R = 13,
        TOP = 56,
        END = 158,
        GRID = 208;
      const sheet = picture(stage, 400, 376, 'through the blocks'),
        head = sheet.querySelector('.title'),
        write = (x, y, kind, text) => createElement(sheet, 'text', { x, y, class: kind }, text);
      const across = block => L + W * (block + 0.5),
        far = rank => TOP + ((END - TOP) * Math.log10(rank)) / Math.log10(49152),
        // the whole block below its heads
        down = h => GRID + (h ? R * (h - 0.5) : R * 9.5 + 6);
      write(L, 40, 'small soft', 'rank by the logit lens');
      for (const rank of [1, 10, 100, 1000, 10000]) {
        createElement(sheet, 'path', {
          d: `M${L} ${far(rank)}H${across(BLOCKS) + W / 2}`,
          stroke: FAINT
        });
        write(L - 6, far(rank) + 5, 'small soft end', rank.toLocaleString('en'));
      }
      const curve = createElement(sheet, 'path', {
          fill: 'none',
          stroke: 'currentColor',
          'stroke-width': 2,
          'stroke-linejoin': 'round'
        }),
        dots = createElement(sheet, 'path', {
          stroke: 'currentColor',
          'stroke-width': 6,
          'stroke-linecap': 'round'
        });
      write(L - 6, 178, 'small soft end', 'block');
      for (let block = 0; block <= BLOCKS; block += 5)
        write(across(block), 178, 'small soft middle', block);
      const legend = write(L, 198, 'small soft', 'what a silence adds ');
      createElement(legend, 'tspan', { fill: ORANGE }, '■');
      createElement(legend, 'tspan', {}, ' or takes away □');
      for (const h of [1, 3, 5, 7, 9])
        write(L - 6, down(h) + 5, 'small soft end', h == 1 ? 'head 1' : h);
      write(L - 11, down(0) + 5, 'small soft end', 'whole');
      const places = Array.from({ length: BLOCKS * COLUMNS }, (_, i) => [
          1 + Math.floor(i / COLUMNS),
          i % COLUMNS
        ]),
        square = (b, h, half) =>
          `M${across(b) - half} ${down(h) - half}h${2 * half}v${2 * half}h${-2 * half}z`;
      createElement(sheet, 'path', {
        d: places.map(([b, h]) => square(b, h, 5)).join(''),
        fill: FAINT,
        'fill-opacity': 0.45
      });
      const more = createElement(sheet, 'path', { fill: ORANGE }),
        less = createElement(sheet, 'path', { fill: 'none', stroke: 'currentColor' });
      const ground = createElement(sheet, 'rect', {
        x: L + W,
        y: GRID,
        width: W * BLOCKS,
        height: R * 10 + 6,
        fill: 'transparent',
        style: 'cursor:pointer'
      });
      const sign = write(L + W, 368, 'title', '');
      const token = createElement(sheet, 'g');
      createElement(token, 'path', {
        d: 'M0-9L9 0L0 9L-9 0Z',
        fill: PURPLE,
        'fill-opacity': 0.35,
        stroke: PURPLE,
        'stroke-width': 2.5
      });
      createElement(token, 'circle', { class: 'grip', r: 15 });
      const put = (block, h) => go(block ? { block, head: h } : { block: 0, head: 0 });
      const putAt = (x, y) => {
        if (x < L + W - 4) return put(0, 0);
        const h = clip(Math.floor((y - GRID) / R) + 1, 1, 10);
        put(clip(Math.floor((x - L) / W), 1, BLOCKS), h % 10);
      };
      // For a finger: five blocks, each as a whole and by its heads, with what their silence adds.
      let adds = [];
      const near = enlarge(
        stage,
        ['all', ...Array.from({ length: COLUMNS - 1 }, (_, h) => h + 1)],
        (b, h) => {
          const x = adds[b - 1][h],
            // four signs, for which a button has room
            text = fixed(x, Math.abs(x) < 1 ? 2 : 1).replace(/^(-?)0\./, '$1.');
          return [
            Math.abs(x) < 0.005 ? '' : text,
            `${partOf({ block: b, head: h })}: adds ${text}`,
            state.block == b && state.head == h
          ];
        },
        put
      );
      ground.addEventListener('click', event => {
        const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(
          sheet.getScreenCTM().inverse()
        );
        const block = clip(Math.floor((x - L) / W), 1, BLOCKS),
          low = clip(block - 2, 1, BLOCKS - 4),
          rows = [0, 1, 2, 3, 4].map(i => [low + i, low + i]),
          h = (clip(Math.floor((y - GRID) / R), 0, COLUMNS - 1) + 1) % COLUMNS;
        if (!near(event, 'block by head: tap one', rows, block, h)) putAt(x, y);
      });
      const lies = () =>
        state.block ? [across(state.block), down(state.head)] : [L + 1.5, down(0)];
      handle(token, sheet, {
        label: 'what is silenced',
        at: lies,
        move: putAt,
        step: (dx, dy) => {
          const row = clip((state.head || 10) - dy, 1, 10);
          put(clip(state.block + dx, 0, BLOCKS), row % 10);
        },
        home: () => put(0, 0),
        end: () => put(BLOCKS, state.head),
        numbers: [
          ['block', () => state.block, b => put(Math.round(b), state.head), 0, BLOCKS],
          ['head', () => state.head, h => put(state.block || 1, Math.round(h)), 0, 9]
        ]
      });
      hover(token, numbers =>
        numbers.block
          ? `without ${partOf(numbers)}: ${fixed(numbers.silenced[numbers.token], 2)}`
          : 'put me on a head or a block: it is silenced'
      );

      return numbers => {
        const { block, inside, losses, silenced, words, p, own, place, ranks, map } = numbers,
          name = tokens[numbers.token],
          floor = layOut(inside);
        setAttributes(chat, { viewBox: `0 0 ${WIDTH} ${floor + BELOW}` });
        setAttributes(below, { transform: `translate(0 ${floor})` });
        shown([numbers.numbered, inside]);
        see(sheet, inside);
        adds = map;
        tiles.forEach(({ g, box, level, before, number }, t) => {
          const on = t == numbers.token,
            tall = Math.min(HIGHEST, UNIT * silenced[t]),
            was = -Math.min(HIGHEST, UNIT * losses[t]);
          setAttributes(g, {
            transform: `translate(${boxes[t][0]} ${top(boxes[t][1])})`,
            'aria-pressed': on,
            'aria-label': `${tokens[t]}, cross-entropy ${fixed(silenced[t], 2)}`
          });
          setAttributes(box, {
            fill: ORANGE,
            'fill-opacity': 0.06 + 0.04 * Math.min(8, silenced[t]),
            stroke: GREY
          });
          setAttributes(level, { y: -tall, height: tall });
          setAttributes(before, {
            d: Math.abs(silenced[t] - losses[t]) > 0.045 ? `M${boxes[t][2] / 2 - 9} ${was}h18` : ''
          });
          setText(number, on || numbers.numbered ? brief(silenced[t]) : '', {
            y: top(boxes[t][1]) - tall - (on ? 5 : 3)
          });
          number.classList.toggle('title', on);
        });
        const [left, row, width] = boxes[numbers.token];
        setAttributes(frame, { transform: `translate(${left} ${top(row)})` });
        for (const edge of edges) setAttributes(edge, { x: -1, width: width + 2 });
        announce(
          frame,
          `“${name}”, cross-entropy ${fixed(silenced[numbers.token], 2)}`,
          numbers.token + 1,
          1,
          tokens.length
        );
        setText(title, `what it expected before “${name}”`);
        rows.forEach(({ g, word, level, share, after, y }, i) => {
          const mine = i == place,
            q = mine ? own : (p[i] ?? 0);
          see(g, i < 5 || mine);
          setText(word, i < 5 ? words[i] : name);
          word.classList.toggle('title', mine);
          setAttributes(level, { height: FULL * q });
          setText(share, percent(q), { x: LEFT + FULL * q + 6 });
          const at = LEFT + FULL * numbers.own_silenced;
          setAttributes(after, { d: mine && block ? `M${at} ${y - 2}v19` : '' });
        });
        const q = numbers.own_silenced,
          nats = silenced[numbers.token];
        setText(
          joined,
          `${block ? 'now ' : ''}${percent(q)}: surprise −ln ${q.toPrecision(3)} = ${fixed(nats, nats < 1 ? 2 : 1)} nats`,
          { y: rows[place > 4 ? 5 : 4].y + 36 }
        );
        setText(head, `“${name}” through the blocks`);
        const points = ranks.map((rank, b) => `${across(b)} ${far(rank)}`);
        setAttributes(curve, { d: `M${points.join('L')}` });
        setAttributes(dots, { d: points.map(point => `M${point}h0`).join('') });
        const draw = up =>
          places
            .filter(([b, k]) => up * map[b - 1][k] >= 0.02)
            .map(([b, k]) =>
              square(b, k, 1.5 + 3.5 * Math.min(1, Math.sqrt(Math.abs(map[b - 1][k]) / 2)))
            )
            .join('');
        setAttributes(more, { d: draw(1) });
        setAttributes(less, { d: draw(-1) });
        const [u, v] = lies();
        setAttributes(token, { transform: `translate(${u} ${v})` });
        announce(
          token,
          block
            ? `${partOf(numbers)}: “${name}” ${fixed(silenced[numbers.token], 2)}`
            : 'nothing is silenced',
          block,
          0,
          BLOCKS
        );
        setText(
          sign,
          block
            ? `without ${partOf(numbers)}: ${fixed(losses[numbers.token], 2)} → ${fixed(silenced[numbers.token], 2)}`
            : 'nothing is silenced'
        );
      };
    },

    table({ tokens, losses, silenced }) {
      return {
        title: 'Cross-entropy of each token, in nats',
        corner: 'token',
        rows: tokens,
        columns: ['as it is', 'with the part silenced'],
        values: losses.map((loss, t) => [loss, silenced[t]])
      };
    }
  });
})();
