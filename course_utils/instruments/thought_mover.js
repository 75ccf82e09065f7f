// Two runs as two towers of blocks. The hand puts a state, or what one head gives out, from one run
// into the other, and the next word changes.
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
    arrow,
    handle,
    announce,
    choices,
    enlarge,
    goal,
    instrument
  } = courseKit;
  const [OWN, QUESTION, COUNTRY, BOTH, OTHER] = [0, 1, 2, 3, 4],
    LATE = 10;
  const percent = p => fixed(100 * p, 0),
    LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

  // What of the other run is in the word of this number.
  const brought = (into, said) =>
    said > 3 ? OTHER : (said % 2 != into) + 2 * (Math.floor(said / 2) != into);
  const partOf = ({ block, head }) =>
    head ? `what head (${block}, ${head}) gives out` : `the state after block ${block}`;
  const foundAt = place =>
    place &&
    `${place.head ? `(${place.block}, ${place.head})` : `after block ${place.block}`}, “${place.word}”`;

  // One move, from its twelve letters of six bits: a byte for each word, two for the rank.
  function read({ moves, blocks, H, steps }, pair, into, block, head) {
    const at = 12 * (((2 * pair + into) * (blocks + 1) + block) * (H + 1) + head);
    const bytes = [0, 4, 8].flatMap(i => {
      const n = [...moves.slice(at + i, at + i + 4)].reduce(
        (all, letter) => 64 * all + LETTERS.indexOf(letter),
        0
      );
      return [n >> 16, (n >> 8) & 255, n & 255];
    });
    const p = bytes.slice(0, 7).map(n => n / steps);
    return {
      p: [...p, Math.max(0, 1 - sum(p))],
      said: p.indexOf(Math.max(...p)),
      rank: 256 * bytes[7] + bytes[8]
    };
  }

  instrument('ThoughtMover', {
    hint: 'Drag the ◆ onto a place of a run, or press a place. The run gets what the other has there: a state (wide) or what one head gives out (narrow).',

    compute({ pair, into, block, head, tried }, data) {
      const moved = block >= 0,
        { texts, countries, words: all } = data.scenes[pair],
        words = all.map(word => word.trim());
      const says = (run, b = 0, h = 1) => read(data, pair, run, b, h);
      const { p: before, said: was } = says(into),
        now = moved ? says(into, block, head) : { p: before, said: was, rank: 0 };
      const known = tried.some(([run, b, h]) => run == into && b == block && h == head),
        places = moved && !known ? [...tried, [into, block, head]] : tried;
      const marks = places.map(([run, b, h]) => [run, b, h, brought(run, says(run, b, h).said)]);
      const first = (ofHead, kind, late) => {
        for (const [run, b, h, what] of marks) {
          const { said, rank } = says(run, b, h);
          if (h > 0 == ofHead && what == kind && rank > late)
            return { run, block: b, head: h, word: words[said], rank };
        }
        return null;
      };
      return {
        pair,
        into,
        block,
        head,
        moved,
        texts,
        countries,
        words,
        p: now.p,
        before,
        said: now.said,
        was,
        runs: [0, 1].map(run => {
          const { p, said } = run == into ? now : says(run);
          return [words[said], p[said]];
        }),
        rank: now.rank,
        marks,
        question: first(false, QUESTION, 0),
        country: first(true, COUNTRY, 0),
        both: first(false, BOTH, LATE)
      };
    },

    describe(numbers) {
      const { runs, moved, words, into, block, p, said, before, was, rank } = numbers,
        [[one, a], [other, b]] = runs;
      if (!moved)
        return `Nothing is moved. The first run says “${one}” (${percent(a)} %), the second “${other}” (${percent(b)} %).`;
      return (
        `The ${['first', 'second'][into]} run gets ${partOf(numbers)} of the other. It says “${words[said]}” (${percent(p[said])} %), ` +
        `without that “${words[was]}” (${percent(before[was])} %). In its state after block ${block} the lens has “${words[said]}” at rank ${rank}.`
      );
    },

    conditions({ question, country, both, words, said, moved, rank }) {
      const now = `now “${words[said]}”`,
        far = both ? `${foundAt(both)}, rank ${both.rank}` : now + (moved ? `, rank ${rank}` : '');
      return [
        goal(`a state brings the question alone: ${foundAt(question) ?? now}`, !!question),
        goal(`one head brings the country alone: ${foundAt(country) ?? now}`, !!country),
        goal(`a state brings both, rank by the lens over 10: ${far}`, !!both)
      ];
    },

    lesson({ question, country, both }) {
      return (
        `After block ${question.block} the state of “is” held what is asked: the run said “${question.word}”, of its own country. ` +
        `Head (${country.block}, ${country.head}) brought the country alone: “${country.word}”. ` +
        `After block ${both.block} the state held both: “${both.word}”, which the lens ranked ${both.rank} there. ` +
        'So question and country come to “is” separately. And a word can be decided before the lens reads it.'
      );
    },

    build({ controls, stage, update, hover }, { scenes, blocks, H }, state) {
      const pick = choices(
        controls,
        'countries',
        scenes.map(({ countries }) => countries.join(', ')),
        k => {
          Object.assign(state, { pair: k, block: -1, head: 0, tried: [] });
          update();
        }
      );

      // The towers: block 30 above, the word vectors below; the states of both stand side by side.
      const ROW = 10,
        CELL = 12,
        WIDE = 30,
        FLOOR = 66 + (blocks + 1) * ROW,
        MIDDLE = 190;
      const towers = picture(stage, 380, 416, 'the two runs, block by block');
      const stateX = run => (run ? MIDDLE + 42 : MIDDLE - 42 - WIDE),
        headX = (run, head) =>
          (run ? stateX(1) + WIDE + 5 : stateX(0) - 5 - CELL * H) + CELL * (head - 1),
        rowY = block => FLOOR - (block + 1) * ROW;
      const centre = (run, block, head) => [
        head ? headX(run, head) + CELL / 2 : stateX(run) + WIDE / 2,
        rowY(block) + ROW / 2
      ];
      const put = (into, block, head) => {
        Object.assign(state, { into, block, head });
        const known = state.tried.some(([r, b, h]) => r == into && b == block && h == head);
        if (block >= 0 && !known) state.tried.push([into, block, head]);
        update();
      };
      // The place [run, block, head] at a point; none between the towers and below them.
      const placeAt = (x, y) => {
        const run = +(x > MIDDLE),
          block = clip(Math.floor((FLOOR - y) / ROW), 0, blocks),
          near = run ? x - stateX(1) : stateX(0) + WIDE - x;
        if (near < -12 || y > FLOOR + 14) return [state.into, -1, 0];
        const head = near < WIDE + 2 ? 0 : clip(Math.floor((x - headX(run, 1)) / CELL) + 1, 1, H);
        return [run, head ? Math.max(1, block) : block, head];
      };
      const putAt = (x, y) => put(...placeAt(x, y));
      // For a finger: five blocks of the run that is tapped, its state on the side where it stands.
      let brought = [];
      const NAMES = ['first', 'second'],
        counted = Array.from({ length: H }, (_, i) => i + 1),
        headIn = [column => (column + 1) % (H + 1), column => column];
      const near = headIn.map((headAt, run) =>
        enlarge(
          stage,
          run ? ['state', ...counted] : [...counted, 'state'],
          (block, column) => {
            const head = headAt(column),
              isHere = ([r, b, h]) => r == run && b == block && h == head;
            if (head && !block) return null;
            return [
              '·—|+○'[brought.find(isHere)?.[3]] ?? '',
              `${NAMES[run]} run: ${partOf({ block, head })}`,
              isHere([state.into, state.block, state.head]),
              head ? '' : `background:${FAINT}`
            ];
          },
          (block, column) => put(run, block, headAt(column))
        )
      );
      const press = (event, [run, block, head]) => {
        const low = clip(block - 2, 0, blocks - 4),
          rows = [4, 3, 2, 1, 0].map(i => [low + i, low + i]),
          column = run ? head : (head || H + 1) - 1,
          title = `${NAMES[run]} run: tap a head or a state`;
        if (!near[run](event, title, rows, block, column)) put(run, block, head);
      };
      const cell = (x, y, width) => `M${x + 1} ${y + 0.75}h${width - 2}v${ROW - 1.5}h${2 - width}z`;
      const tops = [0, 1].map(run => {
        const left = run ? stateX(1) : headX(0, 1),
          middle = stateX(run) + WIDE / 2;
        const rows = Array.from({ length: blocks + 1 }, (_, block) => block),
          heads = Array.from({ length: H }, (_, i) => i + 1);
        createElement(towers, 'path', {
          d: rows.map(block => cell(stateX(run), rowY(block), WIDE)).join(''),
          fill: GREY,
          'fill-opacity': 0.45
        });
        createElement(towers, 'path', {
          d: rows
            .slice(1)
            .flatMap(block => heads.map(head => cell(headX(run, head), rowY(block), CELL)))
            .join(''),
          fill: FAINT,
          'fill-opacity': 0.75
        });
        const ground = createElement(towers, 'rect', {
          x: left,
          y: rowY(blocks),
          width: WIDE + 5 + CELL * H,
          height: FLOOR - rowY(blocks),
          fill: 'transparent',
          style: 'cursor:pointer'
        });
        ground.addEventListener('click', event => {
          const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(
            towers.getScreenCTM().inverse()
          );
          press(event, placeAt(x, y));
        });
        const write = (x, y, kind, text) =>
          createElement(towers, 'text', { x, y, class: kind }, text);
        write(headX(run, 5) + CELL / 2, 60, 'small soft middle', 'heads 1 … 9');
        write(middle, 60, 'small soft middle', 'state');
        const text = [18, 36].map(y => write(run ? 380 : 0, FLOOR + y, run ? 'end' : '', ''));
        return {
          word: write(middle + (run ? -14 : 14), 42, run ? 'title' : 'title end', ''),
          text,
          middle
        };
      });
      createElement(towers, 'text', { x: MIDDLE, y: 60, class: 'small soft middle' }, 'block');
      for (let block = 0; block <= blocks; block += 5)
        createElement(
          towers,
          'text',
          { x: MIDDLE, y: rowY(block) + ROW / 2 + 5, class: 'small soft middle' },
          block
        );
      const marks = createElement(towers, 'path', {
        fill: 'none',
        stroke: 'currentColor',
        'stroke-width': 2,
        'stroke-linecap': 'round'
      });
      const source = createElement(towers, 'rect', {
          height: ROW + 1,
          rx: 3,
          fill: 'none',
          stroke: PURPLE,
          'stroke-width': 2.5
        }),
        way = arrow(towers, PURPLE, 2, '4 4'),
        flow = arrow(towers, PURPLE, 4),
        side = createElement(towers, 'path', { stroke: PURPLE, 'stroke-width': 4 });
      const token = createElement(towers, 'g');
      createElement(token, 'path', {
        d: 'M0-10L10 0L0 10L-10 0Z',
        fill: PURPLE,
        stroke: 'var(--page)',
        'stroke-width': 2
      });
      createElement(token, 'circle', { class: 'grip', r: 16 });
      const lies = () =>
        state.block < 0 ? [MIDDLE, FLOOR + 12] : centre(state.into, state.block, state.head);
      // The keys walk from the heads of one run over the states to the heads of the other.
      const column = () => (state.into ? H + 1 + state.head : state.head ? state.head - 1 : H);
      const walk = (dx, dy) => {
        if (state.block < 0) return put(dx < 0 ? 0 : 1, 1, 0);
        const at = clip(column() + dx, 0, 2 * H + 1),
          run = +(at > H),
          head = run ? at - H - 1 : (at + 1) % (H + 1);
        put(run, clip(state.block + dy, head ? 1 : 0, blocks), head);
      };
      handle(token, towers, {
        label: 'the part that is moved',
        at: lies,
        move: putAt,
        step: walk,
        home: () => put(state.into, -1, 0),
        end: () => put(state.into, blocks, 0)
      });
      hover(token, numbers =>
        numbers.moved ? `${partOf(numbers)} of the other run` : 'put me on a place of a run'
      );

      // The next word: the four answers by country and question, then others, and what the lens
      // reads.
      const sheet = picture(stage, 350, 366, 'the next word'),
        title = sheet.querySelector('.title'),
        FULL = 122,
        LEFT = 86;
      const write = (x, y, kind, text) => createElement(sheet, 'text', { x, y, class: kind }, text);
      const bar = (x, y, height) => ({
        level: createElement(sheet, 'rect', { x, y, height, rx: 2, fill: SKY, class: 'level' }),
        before: createElement(sheet, 'path', { stroke: 'currentColor', 'stroke-width': 2 }),
        x,
        y,
        height
      });
      ['capital', 'language'].forEach((name, k) =>
        write(LEFT + k * 134 + FULL / 2, 40, 'soft middle', name)
      );
      const rows = [0, 1].map(k => write(0, 78 + 55 * k, 'soft', ''));
      const answers = [0, 1, 2, 3].map(i => {
        const x = LEFT + (i % 2) * 134,
          y = 50 + 55 * Math.floor(i / 2);
        return {
          box: createElement(sheet, 'rect', {
            x: x - 5,
            y: y - 2,
            width: FULL + 10,
            height: 50,
            rx: 5,
            fill: 'none',
            stroke: 'currentColor'
          }),
          word: write(x, y + 18, '', ''),
          share: write(x + FULL, y + 18, 'end', ''),
          ...bar(x, y + 26, 16)
        };
      });
      const others = [0, 1, 2, 3].map(i => {
        const y = 168 + 20 * i;
        return {
          word: write(LEFT - 8, y + 13, 'end', ''),
          share: write(LEFT + FULL + 60, y + 13, 'end', ''),
          ...bar(LEFT, y, 14)
        };
      });
      const cells = [...answers, ...others];
      const SCALE = 16,
        END = 316,
        far = rank => END - ((END - SCALE) * Math.log10(rank)) / Math.log10(49152);
      const lens = write(0, 270, '', ''),
        pin = createElement(sheet, 'path', { d: 'M0 0L-7-11H7Z', fill: 'currentColor' });
      createElement(sheet, 'path', { d: `M${SCALE} 296H${END}`, stroke: GREY, 'stroke-width': 2 });
      for (const rank of [1, 10, 100, 1000, 10000]) {
        createElement(sheet, 'path', { d: `M${far(rank)} 292V300`, stroke: GREY });
        write(far(rank), 314, 'small soft middle', rank == 10000 ? '10,000' : rank);
      }
      [
        ['what a place brought:', 0, 342, 'small soft'],
        ['— question', 166, 342],
        ['| country', 266, 342],
        ['+ both', 0, 362],
        ['○ another word', 86, 362],
        ['· nothing', 248, 362]
      ].forEach(([text, x, y, kind]) => write(x, y, kind ?? 'small', text));

      const glyph = ([run, block, head, what]) => {
        const [x, y] = centre(run, block, head);
        if (what == OWN) return `M${x} ${y}h.01`;
        if (what == OTHER) return `M${x - 3} ${y}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0`;
        return (
          (what != COUNTRY ? `M${x - 4} ${y}h8` : '') + (what != QUESTION ? `M${x} ${y - 4}v8` : '')
        );
      };

      return numbers => {
        const { pair, into, block, head, moved, texts, countries, words, p, before } = numbers;
        pick(pair);
        tops.forEach(({ word, text }, run) => {
          const [said, share] = numbers.runs[run],
            parts = texts[run].split(' '),
            cut = parts.length - 2;
          setText(word, `${said} ${percent(share)} %`);
          setText(text[0], run ? parts.slice(0, cut).join(' ') : parts.slice(0, 3).join(' '));
          setText(text[1], run ? parts.slice(cut).join(' ') : parts.slice(3).join(' '));
        });
        brought = numbers.marks;
        setAttributes(marks, { d: brought.map(glyph).join('') });
        const [x, y] = lies(),
          { middle } = tops[into],
          [u] = moved ? centre(1 - into, block, head) : [0];
        setAttributes(token, { transform: `translate(${x} ${y})` });
        announce(
          token,
          moved ? `into the ${NAMES[into]} run: ${partOf(numbers)}` : 'nothing is moved',
          block,
          -1,
          blocks
        );
        source.style.display = moved ? '' : 'none';
        if (moved) {
          const width = (head ? CELL : WIDE) + 2;
          setAttributes(source, { x: u - width / 2, y: y - ROW / 2 - 0.5, width });
        }
        const away = Math.sign(u - x) * ((head ? CELL : WIDE) / 2 + 1);
        way([u - away, y], moved ? [x + Math.sign(u - x) * 10, y] : [u - away, y]);
        flow([middle, y], [middle, moved ? 46 : y]);
        setAttributes(side, { d: moved && head ? `M${x} ${y}H${middle}` : '' });

        setText(title, `the ${NAMES[into]} run's next word`);
        rows.forEach((row, k) => setText(row, countries[k]));
        cells.forEach(({ word, share, level, before: tick, x: left, y: top, height }, i) => {
          setText(word, words[i] ?? 'all others');
          setText(share, `${percent(p[i])} %`);
          word.classList.toggle('title', i == numbers.said);
          setAttributes(level, { width: FULL * p[i] });
          setAttributes(tick, {
            d: moved ? `M${left + FULL * before[i]} ${top - 2}v${height + 4}` : ''
          });
        });
        answers.forEach(({ box }, i) =>
          setAttributes(box, {
            'stroke-width': i == numbers.said ? 2.5 : 1,
            'stroke-opacity': i == numbers.said ? 1 : 0.3
          })
        );
        setText(
          lens,
          moved
            ? `lens, after block ${block}: “${words[numbers.said]}” has rank ${numbers.rank.toLocaleString('en')}`
            : 'what the lens reads where you move'
        );
        pin.style.display = moved ? '' : 'none';
        if (moved) setAttributes(pin, { transform: `translate(${far(numbers.rank)} 293)` });
      };
    },

    table({ words, p, before }) {
      return {
        title: 'Next word, probability in %',
        corner: 'word',
        rows: [...words, 'all others'],
        columns: ['before', 'now'],
        values: p.map((share, i) => [100 * before[i], 100 * share])
      };
    }
  });
})();
