// Three scores are dragged, typed or raised together; below each share stands how it came about.
(() => {
  const {
    sum,
    softmax,
    fixed,
    general,
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
    animate,
    goal,
    instrument
  } = courseKit;

  const size = x => (x < 1 ? general(x, 3) : fixed(x, x < 100 ? 2 : 0));

  instrument('ScoreSlider', {
    hint: 'Drag a bar, or type a number. Add to all: which numbers change, and which do not? Point at a bar: it tells how it compares.',

    compute({ scores }, { wanted }) {
      const e = scores.map(Math.exp),
        weights = softmax(scores);
      return {
        scores,
        e,
        sum: sum(e),
        weights,
        off: Math.max(...weights.map((w, k) => Math.abs(w - wanted[k])))
      };
    },

    describe({ scores, e, sum, weights }) {
      const list = (x, write) => x.map(one => write(one, 2)).join(', ');
      return `Scores ${list(scores, fixed)}. e^s: ${list(e, size)}; their sum: ${size(sum)}. Shares of the sum: ${list(weights, fixed)}.`;
    },

    conditions({ scores, weights, off }) {
      return [
        goal(
          `shares 0.25, 0.25, 0.50: now ${weights.map(w => fixed(w, 2)).join(', ')}`,
          off < 0.0051
        ),
        goal(
          `all scores below 0: the largest is ${fixed(Math.max(...scores), 2)}`,
          Math.max(...scores) < 0
        )
      ];
    },

    lesson({ scores: [first, second, third] }) {
      const above = third - (first + second) / 2;
      return (
        `Your third score stands ${fixed(above, 2)} above the others, and e^${fixed(above, 2)} = ${fixed(Math.exp(above), 2)}: twice the share ` +
        `takes 0.69 more, the logarithm of 2. That you stand at ${fixed(first, 2)} and not elsewhere does not matter: only differences count.`
      );
    },

    build({ controls, stage, update, hover }, { names, reach }, state) {
      const go = (k, s) => {
        state.scores = state.scores.map((old, i) => (i == k ? round(clip(s, -reach, reach)) : old));
        update();
      };
      const typed = names.map((name, k) => {
        const label = createElement(controls, 'label', { style: 'flex:none;gap:.4em' }, name),
          input = createElement(label, 'input', {
            type: 'number',
            min: -reach,
            max: reach,
            step: 0.1,
            style:
              'width:3.8em;font:inherit;color:inherit;background:transparent;border:1.5px solid;border-radius:6px;padding:.2em .4em'
          });
        input.addEventListener('input', () => {
          if (input.value != '' && Number.isFinite(+input.value)) go(k, +input.value);
        });
        input.addEventListener('blur', update);
        return input;
      });
      let flying; // the scores that are on their way, and where they go
      const raises = [5, -5].map(by => {
        const button = createElement(
          controls,
          'button',
          { type: 'button' },
          by > 0 ? 'add 5 to all' : 'take 5 from all'
        );
        button.addEventListener('click', () => {
          const from = flying?.now == state.scores ? flying.to : state.scores,
            to = from.map(s => round(s + by));
          if (Math.max(...to.map(Math.abs)) > reach) return;
          flying?.stop();
          const mine = (flying = { now: state.scores, to, stop() {} }),
            begin = state.scores;
          mine.stop = animate(500, t => {
            if (state.scores != mine.now) return; // the hand has taken over
            mine.now = state.scores = t < 1 ? begin.map((s, k) => s + (to[k] - s) * t) : to;
            update();
          });
        });
        return { button, by };
      });

      const ZERO = 180,
        U = 17,
        W = 94,
        L = 54,
        column = k => L + W * k;
      const hand = picture(stage, 340, 380, 'scores s: drag a bar');
      for (const s of [-8, -4, 0, 4, 8]) {
        createElement(hand, 'path', {
          d: `M${L - 8} ${ZERO - U * s}H336`,
          stroke: s ? FAINT : GREY
        });
        createElement(hand, 'text', { x: L - 14, y: ZERO - U * s + 5, class: 'small soft end' }, s);
      }
      const versus = (k, { scores, weights }) =>
        names
          .flatMap((name, i) =>
            i == k
              ? []
              : [
                  `${names[k]} − ${name} = ${fixed(scores[k] - scores[i], 2)}: ` +
                    `its share is e^${fixed(scores[k] - scores[i], 2)} = ${fixed(weights[k] / weights[i], 2)} times as large`
                ]
          )
          .join('; ') + '.';
      const bars = names.map((name, k) => {
        const g = createElement(hand, 'g'),
          bar = createElement(g, 'rect', {
            x: column(k) + 16,
            width: W - 32,
            rx: 4,
            fill: PURPLE,
            'fill-opacity': 0.45
          });
        const tip = createElement(g, 'rect', {
            x: column(k) + 12,
            width: W - 24,
            height: 8,
            rx: 4,
            fill: PURPLE
          }),
          value = createElement(g, 'text', { x: column(k) + W / 2, class: 'title middle halo' });
        const grip = createElement(g, 'rect', {
          class: 'grip',
          x: column(k) + 8,
          width: W - 16,
          height: 34,
          rx: 8
        });
        createElement(hand, 'text', { x: column(k) + W / 2, y: 368, class: 'title middle' }, name);
        handle(g, hand, {
          label: `score of the ${name}`,
          at: () => [0, ZERO - U * state.scores[k]],
          move: (_, y) => go(k, round((ZERO - y) / U, 1)),
          step: (dx, dy) => go(k, state.scores[k] + (dx + dy) / 10),
          numbers: [['', () => state.scores[k], s => go(k, s), -reach, reach]],
          home: () => go(k, 0),
          end: () => go(k, reach)
        });
        hover(g, numbers => versus(k, numbers));
        return { g, bar, tip, value, grip };
      });

      const H = 210,
        B = 250,
        M = 64,
        V = 70,
        out = picture(stage, 340, 380, 'e^s, and its share of the sum'),
        place = k => M + V * k;
      setText(out.querySelector('.title'), 'eˢ, and its share of the sum'); // its name is heard as it was
      createElement(out, 'path', { d: `M${M} ${B + 0.5}H338`, stroke: GREY });
      [
        ['eˢ', 312],
        ['÷ sum', 336],
        ['= share', 360]
      ].forEach(([text, y]) =>
        createElement(out, 'text', { x: M - 6, y, class: 'soft end' }, text)
      );
      const shares = names.map((name, k) => {
        const g = createElement(out, 'g', { transform: `translate(${place(k)})` }),
          middle = (y, css = '') =>
            createElement(g, 'text', { x: V / 2, y, class: `middle ${css}` });
        createElement(g, 'rect', { x: 2, y: 26, width: V - 4, height: 340, fill: 'transparent' });
        hover(
          g,
          ({ scores, e, sum, weights }) =>
            `${name}: e^${fixed(scores[k], 2)} = ${size(e[k])}, of ${e.map(size).join(' + ')} = ${size(sum)}: ${fixed(weights[k], 2)}.`
        );
        return {
          bar: createElement(g, 'rect', { x: 9, width: V - 18, rx: 4, fill: SKY, class: 'level' }),
          word: middle(B + 24, 'title'),
          value: middle(0, 'title'),
          e: middle(312),
          whole: middle(336),
          share: middle(360, 'title'),
          piece: createElement(out, 'rect', {
            x: 280,
            width: 58,
            rx: 3,
            fill: SKY,
            'fill-opacity': 0.25 + 0.12 * k
          }),
          number: createElement(out, 'text', { x: 309, class: 'small middle' })
        };
      });
      createElement(out, 'text', { x: 309, y: B + 24, class: 'middle' }, 'sum');
      const totals = [312, 360].map(y =>
        createElement(out, 'text', { x: 309, y, class: 'middle' })
      );

      return ({ scores, e, sum, weights }) => {
        const active = controls.getRootNode().activeElement;
        raises.forEach(
          ({ button, by }) =>
            (button.disabled = Math.max(...scores.map(s => Math.abs(round(s + by)))) > reach)
        );
        let top = B;
        names.forEach((name, k) => {
          const s = scores[k],
            y = ZERO - U * s,
            { g, bar, tip, value, grip } = bars[k],
            { bar: level, word, value: above, e: power, whole, share, piece, number } = shares[k];
          if (typed[k] != active) typed[k].value = round(s);
          setAttributes(bar, { y: Math.min(y, ZERO), height: Math.abs(y - ZERO) });
          setAttributes(tip, { y: y - 4 });
          setAttributes(grip, { y: y - 17 });
          setText(value, fixed(s, 2), { y: s < 0 ? y + 24 : y - 11 });
          announce(g, fixed(s, 2), s, -reach, reach);
          const tall = H * weights[k];
          setAttributes(level, { y: B - tall, height: tall });
          setText(word, name);
          setText(above, fixed(weights[k], 2), { y: B - 8 - tall });
          setText(power, size(e[k]));
          setText(whole, size(sum));
          setText(share, fixed(weights[k], 2));
          top -= tall;
          setAttributes(piece, { y: top + 0.5, height: Math.max(0, tall - 1) });
          setText(number, tall > 17 ? name : '', { y: top + tall / 2 + 5 });
        });
        totals.forEach((text, k) =>
          setText(text, k ? fixed(weights[0] + weights[1] + weights[2], 2) : size(sum))
        );
      };
    },

    table({ scores, e, weights }, { names }) {
      return {
        title: 'Scores and weights',
        corner: 'key',
        rows: names,
        columns: ['score', 'e^score', 'weight'],
        values: names.map((_, i) => [scores[i], e[i], weights[i]])
      };
    }
  });
})();
