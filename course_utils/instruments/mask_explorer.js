// Cells of a mask are painted; ribbons show what flows through it from the word that changes to
// every output that moves.
(() => {
  const {
    sum,
    times,
    transpose,
    softmax,
    fixed,
    general,
    terms,
    clip,
    round,
    PURPLE,
    SKY,
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
    goal,
    rule,
    instrument
  } = courseKit;

  const NOISE = 1e-6; // what moves by less has not moved

  // Attention under a mask in one of three ways.
  function attend(X, mask, way) {
    const scores = times(X, transpose(X)).map(row => row.map(s => s / Math.sqrt(X[0].length))),
      free = scores.map(softmax);
    const kept = scores.map((row, i) => {
      if (way) return free[i].map((w, j) => (mask[i][j] ? w : 0));
      return mask[i].some(Boolean)
        ? softmax(row.map((s, j) => (mask[i][j] ? s : -Infinity)))
        : row.map(() => 0);
    });
    const sums = kept.map(sum),
      weights = way == 2 ? kept.map((row, i) => row.map(w => w / (sums[i] || 1))) : kept;
    return { scores, free, weights, sums, outputs: times(weights, X) };
  }
  const distance = (x, y) => Math.max(...x.map((a, f) => Math.abs(a - y[f])));
  const size = x => (x > 0.005 ? fixed(x, 2) : general(x, 1));
  const count = (A, B) => sum(A.flatMap((row, i) => row.map((a, j) => (a && !B[i][j] ? 1 : 0))));

  instrument('MaskExplorer', {
    hint: 'Press an entry, or paint over several entries: you make them True, or hide (×) them. Drag “pain” back to “game”. Point at an entry: it tells its numbers.',

    compute({ mask, query, way, pain }, { tokens, place, X: first, changed, ways, presets }) {
      const X = first.map((x, i) =>
          i == place ? x.map((a, f) => a + pain * (changed[f] - a)) : x
        ),
        { causal } = presets;
      const before = attend(first, mask, way),
        now = attend(X, mask, way),
        moved = now.outputs.map((y, i) => distance(y, before.outputs[i]));
      const single = first.slice(0, place).map((_, i) => {
        const opened = causal.map((row, k) => row.map((seen, j) => seen || (k == i && j == place)));
        return distance(attend(X, opened, 0).outputs[i], attend(first, opened, 0).outputs[i]);
      });
      const preset =
        Object.keys(presets).find(
          name => !count(mask, presets[name]) && !count(presets[name], mask)
        ) ?? 'by hand';
      return {
        tokens: tokens.map((token, i) => (i != place ? token : pain > 0.5 ? 'pain' : 'game')),
        mask,
        preset,
        query,
        way,
        how: ways[way],
        pain,
        X,
        empty: mask.map(row => !row.some(Boolean)),
        ...now,
        moved,
        leak: Math.max(...moved.slice(0, place)),
        single,
        opened: count(mask, causal),
        closed: count(causal, mask)
      };
    },

    describe({ tokens, mask, preset, query, way, how, pain, empty, weights, sums, moved, single }) {
      const shares = tokens
        .flatMap((token, j) =>
          mask[query][j] ? [`"${token}" ${fixed(weights[query][j], 2)}`] : []
        )
        .join(', ');
      const looks = empty[query]
        ? `sees nothing: ${way == 2 ? 'its weights are 0/0, not a number' : 'its output is 0'}`
        : `gives the weights ${shares}${way == 1 ? `; their sum is ${fixed(sums[query], 2)}` : ''}`;
      const leaks = tokens
        .slice(0, single.length)
        .flatMap((token, i) => (moved[i] > NOISE ? [`"${token}" moves by ${size(moved[i])}`] : []));
      const far = pain == 1 ? '' : `${fixed(100 * pain, 0)} % of `,
        felt = leaks.length
          ? `the future leaks: ${leaks.join(', ')}.`
          : 'no word before it moves: there is no leak.';
      const flows =
        pain == 0 ? 'No word has changed yet.' : `With ${far}"pain" in place of "game", ${felt}`;
      return `Mask: ${preset}. The ${how}. "${tokens[query]}" ${looks}. ${flows}`;
    },

    conditions({ opened, closed, way, pain, leak, single }) {
      const least = Math.min(...single);
      return [
        goal(
          `causal, and one more entry: ${opened} made True, ${closed} made False`,
          opened == 1 && closed == 0
        ),
        rule('scores become −∞', way == 0),
        rule(`“game” has become “pain”: ${fixed(100 * pain, 0)} %`, pain == 1),
        goal(
          `the smallest possible leak, ${size(least)}: now ${size(leak)}`,
          leak > NOISE && leak < least + NOISE
        )
      ];
    },

    lesson({ tokens, moved, leak }) {
      return (
        `“${tokens[moved.findIndex(x => x > NOISE)]}” now sees “pain”, and moves by ${size(leak)}. The smallest leak is a leak, too: one entry is enough. But a test sees only what it ` +
        'changes. A True entry in another column shows the future, too, but this test does not see it.'
      );
    },

    build({ controls, stage, update, hover }, { tokens, place, presets }, state) {
      const names = Object.keys(presets),
        all = [...tokens.keys()],
        W = 56,
        H = 48,
        L = 64,
        TOP = 66,
        middle = i => TOP + H * i + H / 2;
      const pick = choices(controls, 'mask', names, k => {
        state.mask = presets[names[k]].map(row => [...row]);
        update();
      });
      const how = choices(
        controls,
        'what is hidden',
        ['scores −∞', 'weights 0', '0, then divided'],
        k => {
          state.way = k;
          update();
        }
      );

      const sheet = picture(stage, 452, 372, 'the mask, and the weights that it leaves');
      createElement(sheet, 'text', { x: L, y: 38, class: 'small soft' }, 'looks at →');
      createElement(sheet, 'text', { x: 430, y: 58, class: 'small soft middle' }, 'sum');
      const heads = all.map(j =>
        createElement(sheet, 'text', { x: L + W * j + W / 2, y: 58, class: 'middle' })
      );
      const asks = all.map(i =>
          createElement(sheet, 'text', { x: L - 8, y: middle(i) + 5.5, class: 'end' }, tokens[i])
        ),
        totals = all.map(i =>
          createElement(sheet, 'text', { x: 430, y: middle(i) + 5.5, class: 'middle' })
        );
      const cells = table(
        sheet,
        'mask and weights',
        tokens.length,
        tokens.length,
        { x: L, y: TOP, width: W, height: H },
        hover,
        (i, j, { tokens, mask, way, X, scores, free, weights, sums }) => {
          const [asker, key] = [tokens[i], tokens[j]],
            s = fixed(scores[i][j], 2),
            all = fixed(sum(scores[i].map((x, k) => (mask[i][k] || way ? Math.exp(x) : 0))), 2);
          const rest =
            way == 1
              ? `Its score ${s} still changes all weights of the row.`
              : `Then the weights of the row are divided by their sum ${fixed(sums[i], 2)}.`;
          if (!mask[i][j])
            return `“${asker}” does not see “${key}”: ${way ? `its weight ${fixed(free[i][j], 2)} becomes 0 after the softmax. ${rest}` : `its score ${s} becomes −∞, and e^−∞ = 0.`}`;
          const share = `${asker} · ${key} = ${terms(X[i], X[j])}, by √4: ${s}. e^${s} = ${fixed(Math.exp(scores[i][j]), 2)}, of ${all} in the row: ${fixed(free[i][j], 2)}`;
          return way == 2
            ? `${share}, by the sum ${fixed(sums[i], 2)} of what is left: ${fixed(weights[i][j], 2)}.`
            : `${share.slice(0, -4)}${fixed(weights[i][j], 2)}.`;
        }
      );
      let brush;
      const paint = (i, j, seen) => {
        state.query = i;
        state.mask[i][j] = seen;
        update();
      };
      for (const done of ['pointerup', 'pointerleave', 'pointercancel'])
        sheet.addEventListener(done, () => (brush = undefined));
      const squares = cells.map((row, i) =>
        row.map((cell, j) => {
          cell.style.cssText = 'display:block;cursor:pointer;touch-action:none';
          const frame = createElement(cell, 'rect', {
            x: 2,
            y: 2,
            width: W - 4,
            height: H - 4,
            rx: 4,
            stroke: FAINT
          });
          const level = createElement(cell, 'rect', {
              x: 2,
              width: W - 4,
              rx: 4,
              fill: SKY,
              class: 'level'
            }),
            text = createElement(cell, 'text', { x: W / 2, y: H / 2 + 5.5, class: 'middle' });
          cell.addEventListener('pointerdown', event => {
            if (event.button) return;
            event.preventDefault();
            cell.focus({ preventScroll: true });
            // a finger, too, paints the cells that it comes to
            cell.releasePointerCapture(event.pointerId);
            brush = !state.mask[i][j];
            paint(i, j, brush);
          });
          cell.addEventListener('pointerenter', () => {
            if (brush !== undefined) paint(i, j, brush);
          });
          cell.addEventListener('focus', () => {
            state.query = i;
            update();
          });
          cell.addEventListener('keydown', event => {
            if (event.key != 'Enter' && event.key != ' ') return;
            event.preventDefault();
            paint(i, j, !state.mask[i][j]);
          });
          return { cell, frame, level, text };
        })
      );
      const marked = createElement(sheet, 'rect', {
        x: L - 1,
        width: W * tokens.length + 2,
        height: H,
        rx: 5,
        fill: 'none',
        stroke: PURPLE,
        'stroke-width': 3,
        'pointer-events': 'none'
      });

      const flow = picture(stage, 416, 372, 'what flows from “pain” to the outputs'),
        IN = 102,
        OUT = 240,
        BAR = 310,
        far = 44;
      createElement(flow, 'text', { x: 52, y: 58, class: 'small soft middle' }, 'in');
      createElement(flow, 'text', { x: OUT + 24, y: 58, class: 'small soft middle' }, 'out');
      createElement(flow, 'text', { x: 414, y: 58, class: 'small soft end' }, 'moves by');
      const ribbon = () => createElement(flow, 'path', { fill: 'none', 'stroke-linecap': 'butt' }),
        looks = all.map(ribbon),
        felt = all.map(ribbon);
      all.forEach(i => {
        if (i != place)
          createElement(flow, 'text', { x: IN - 8, y: middle(i) + 5.5, class: 'end' }, tokens[i]);
      });
      const outs = all.map(i => ({
        word: createElement(flow, 'text', { x: OUT + 6, y: middle(i) + 5.5 }, tokens[i]),
        bar: createElement(flow, 'rect', { x: BAR, y: middle(i) - 9, height: 18, rx: 3 }),
        value: createElement(flow, 'text', { x: 414, y: middle(i) + 5.5, class: 'end' })
      }));

      const key = createElement(flow, 'text', { x: 414, y: 370, class: 'small soft end' });

      // The word that changes: its knob runs from "game" to "pain".
      const [A, B] = [10, 92],
        y = middle(place) + 13,
        go = x => {
          state.pain = round(clip(x, 0, 1));
          update();
        };
      createElement(flow, 'circle', { cx: A, cy: y, r: 4, fill: GREY });
      createElement(flow, 'path', {
        d: `M${A} ${y}H${B}`,
        stroke: GREY,
        'stroke-width': 3,
        'stroke-linecap': 'round'
      });
      const run = createElement(flow, 'path', {
          stroke: RED,
          'stroke-width': 5,
          'stroke-linecap': 'round'
        }),
        word = createElement(flow, 'text', { x: (A + B) / 2, y: y - 14, class: 'middle' });
      const knob = createElement(flow, 'g'),
        dot = createElement(knob, 'circle', { cy: y, r: 8, fill: PURPLE }),
        grip = createElement(knob, 'circle', { class: 'grip', cy: y, r: 17 });
      handle(knob, flow, {
        label: 'from game to pain',
        at: () => [A + (B - A) * state.pain, y],
        move: x => go((x - A) / (B - A)),
        step: (dx, dy) => go(state.pain + (dx + dy) / 20),
        numbers: [['share of pain', () => state.pain, go, 0, 1]],
        home: () => go(0),
        end: () => go(1)
      });

      return ({ tokens, mask, preset, query, way, pain, empty, weights, sums, moved }) => {
        pick(names.indexOf(preset));
        how(way);
        heads.forEach((text, j) => setText(text, tokens[j]));
        squares.forEach((row, i) =>
          row.forEach(({ cell, frame, level, text }, j) => {
            const seen = mask[i][j],
              w = weights[i][j],
              nothing = way == 2 && empty[i];
            setAttributes(cell, { 'aria-selected': seen });
            setAttributes(frame, { fill: seen ? 'transparent' : FAINT });
            setAttributes(level, {
              y: 2 + (H - 4) * (1 - w),
              height: (H - 4) * w,
              'fill-opacity': i == query ? 0.5 : 0.3
            });
            setText(text, nothing ? '0/0' : seen ? fixed(w, 2) : '×');
            text.classList.toggle('soft', !seen);
          })
        );
        all.forEach(i => {
          setText(asks[i], tokens[i]);
          setText(outs[i].word, tokens[i]);
          asks[i].classList.toggle('title', i == query);
          setText(
            totals[i],
            empty[i] ? (way == 2 ? '0/0' : '0') : fixed(way == 2 ? sum(weights[i]) : sums[i], 2)
          );
          totals[i].classList.toggle('title', way == 1 && sums[i] < 0.995);
          const curve = (from, to) =>
            `M${IN} ${middle(from)}C${IN + 76} ${middle(from)} ${OUT - 76} ${middle(to)} ${OUT} ${middle(to)}`;
          const leaks = i < place,
            moves = moved[i] > NOISE,
            colour = leaks ? RED : GREY;
          setAttributes(looks[i], {
            d: weights[query][i] ? curve(i, query) : '',
            stroke: SKY,
            'stroke-opacity': 0.55,
            'stroke-width': 26 * weights[query][i]
          });
          setAttributes(felt[i], {
            d: moves ? curve(place, i) : '',
            stroke: colour,
            'stroke-width': 2 + 7 * Math.min(1, moved[i]),
            'stroke-dasharray': mask[i][place] ? '' : '7 5',
            'stroke-opacity': leaks ? 0.95 : 0.6
          });
          const { word, bar, value } = outs[i];
          word.style.fill = moves && leaks ? RED : '';
          word.classList.toggle('title', moves && leaks);
          setAttributes(bar, { width: (far * Math.min(2, moved[i])) / 2, fill: colour });
          setText(
            value,
            way == 2 && empty[i] ? '0/0' : moves ? `${size(moved[i])}${leaks ? ' ✗' : ''}` : '0'
          );
        });
        // of what is drawn alone
        const moving = all.filter(i => moved[i] > NOISE),
          signs = [
            ['✗ leak', moving.some(i => i < place)],
            ['grey: no leak', moving.some(i => i >= place)],
            ['dashed: despite the mask', moving.some(i => !mask[i][place])]
          ];
        setText(
          key,
          signs
            .filter(([, drawn]) => drawn)
            .map(([text]) => text)
            .join(' · ')
        );
        setAttributes(marked, { y: TOP + H * query });
        const x = A + (B - A) * pain;
        setAttributes(dot, { cx: x });
        setAttributes(grip, { cx: x });
        setAttributes(run, { d: pain ? `M${A} ${y}H${x}` : '' });
        setText(word, pain == 1 ? 'pain' : pain == 0 ? 'game' : `${fixed(100 * pain, 0)} % pain`);
        announce(
          knob,
          pain == 1 ? 'pain' : pain == 0 ? 'game' : `${fixed(100 * pain, 0)} % pain`,
          pain,
          0,
          1
        );
      };
    },

    table({ tokens, mask, weights }) {
      return {
        title: 'Weights',
        corner: 'query by key',
        rows: tokens,
        columns: tokens,
        values: weights.map((row, i) => row.map((w, j) => (mask[i][j] ? w : 'hidden')))
      };
    }
  });
})();
