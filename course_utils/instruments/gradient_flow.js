// The gradient flows back through a very small model, part by part; one weight is pushed, and the
// loss stands beside what the gradient predicted.
(() => {
  const {
    softmax,
    transpose,
    times,
    fixed,
    clip,
    round,
    terms,
    textTint,
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
    table,
    goal,
    instrument
  } = courseKit;
  const PARTS = ['softmax + loss', 'W_out', 'skip', 'W_2', 'ReLU', 'W_1', 'x'],
    VALUES = ['before', 'hidden', 'f', 'Y', 'scores', 'p'],
    POINTS = 33,
    SMALL = 1e-9,
    FARTHEST = 2; // a weight is pushed so far at most, up or down
  const ENTERS = { W_1: 'x', W_2: 'hidden', W_out: 'Y' },
    LEAVES = { W_1: 'before', W_2: 'f', W_out: 'scores' },
    SENDS = { W_1: 'through_f', W_2: 'd_hidden', W_out: 'dY' },
    GETS = { W_1: 'd_before', W_2: 'dY', W_out: 'ds' };
  const plus = (a, b) => [a[0].map((x, i) => x + b[0][i])];

  function run(W, { x: given, right }) {
    const x = [given],
      before = times(x, W.W_1),
      hidden = [before[0].map(a => Math.max(0, a))],
      f = times(hidden, W.W_2),
      Y = plus(x, f),
      scores = times(Y, W.W_out),
      p = [softmax(scores[0])];
    return { x, before, hidden, f, Y, scores, p, loss: -Math.log(p[0][right]) };
  }

  function runBack(W, values, { right }) {
    const ds = [values.p[0].map((p, k) => p - (k == right))],
      dY = times(ds, transpose(W.W_out)),
      d_hidden = times(dY, transpose(W.W_2)),
      d_before = [d_hidden[0].map((d, k) => (values.before[0][k] > SMALL ? d : 0))],
      through_f = times(d_before, transpose(W.W_1));
    return {
      ds,
      dY,
      d_hidden,
      d_before,
      through_f,
      dx: plus(dY, through_f),
      W_out: times(transpose(values.Y), ds),
      W_2: times(transpose(values.hidden), dY),
      W_1: times(transpose(values.x), d_before)
    };
  }

  // The matrices, with one weight pushed.
  const pushed = ([name, row, column], push, { weights }) => ({
    ...weights,
    [name]: weights[name].map((line, i) =>
      line.map((w, j) => (i == row && j == column ? w + push : w))
    )
  });
  const called = ([name, i, j]) => `${name}[${i}, ${j}]`,
    row = x => `[${x.map(a => fixed(a, 2)).join(', ')}]`;

  function measure(weight, push, data) {
    const [name, i, j] = weight,
      was = run(data.weights, data),
      now = run(pushed(weight, push, data), data),
      factor = was[ENTERS[name]][0][i],
      gradient = runBack(data.weights, was, data)[name][i][j],
      predicted = gradient * push,
      change = now.loss - was.loss,
      gap = Math.abs(change - predicted);
    const [openBefore, openNow] = [was, now].map(({ before: [units] }) =>
      units.map(a => a > SMALL)
    );
    return {
      name: called(weight),
      unit: j,
      push,
      factor,
      gradient,
      predicted,
      change,
      stopped: Math.abs(gradient) < SMALL && Math.abs(factor) > SMALL,
      near: predicted < -0.02 && gap < 0.1 * Math.abs(predicted) - SMALL,
      far: gap > 0.1 && gap > 0.5 * Math.max(Math.abs(predicted), Math.abs(change)) + SMALL,
      switched:
        openNow
          .map(
            (open, unit) => open != openBefore[unit] && `unit ${unit} ${open ? 'opened' : 'closed'}`
          )
          .find(Boolean) ?? null
    };
  }

  function ruleOf(part, weight, W, values, gradients, { right }) {
    const p = values.p[0],
      [ds, dY, d_hidden, through_f] = ['ds', 'dY', 'd_hidden', 'through_f'].map(
        name => gradients[name][0]
      );
    if (part == 'softmax + loss')
      return [
        [
          'p = softmax(scores)',
          `loss = -log p[${right}] = -log ${fixed(p[right], 3)} = ${fixed(values.loss, 2)}`
        ],
        ['ds = p - r', `ds = ${row(p)} - [0, 1, 0]`, `ds = ${row(ds)}`]
      ];
    if (part == 'skip')
      return [
        ['Y = x + f'],
        ['dY goes both ways, as it is', `at f: ${row(dY)}`, `over the skip: ${row(dY)}`]
      ];
    if (part == 'ReLU')
      return [
        ['hidden = max(0, before)'],
        [
          'd_before = d_hidden where before > 0, else 0',
          ...values.before[0].map(
            (before, k) =>
              `unit ${k}: before is ${fixed(before, 2)}, so ${fixed(d_hidden[k], 2)} ${before > SMALL ? 'passes' : 'is stopped: 0'}`
          )
        ]
      ];
    if (part == 'x')
      return [
        ['x goes into W_1, and over the skip'],
        [
          'dx = dY + through_f',
          ...dY.map(
            (a, k) =>
              `dx[${k}] = ${fixed(a, 3)} + ${fixed(through_f[k], 3)} = ${fixed(a + through_f[k], 3)}`
          )
        ]
      ];
    const [enters, sent, got] = [ENTERS, SENDS, GETS].map(names => names[part]),
      [i, j] = weight[0] == part ? weight.slice(1) : [0, 0],
      came = gradients[got][0];
    return [
      [`${LEAVES[part]} = ${enters} ${part}`],
      [
        `${sent} = ${got} ${part}ᵀ`,
        ...W[part].map((line, k) => `${sent}[${k}] = ${terms(came, line)}`),
        `d${part} = ${enters}ᵀ ${got}`,
        `d${part}[${i}, ${j}] = ${enters}[${i}]·${got}[${j}] = ${terms([values[enters][0][i]], [came[j]])}`
      ]
    ];
  }

  const first = (kept, what) => kept.find(one => one[what]);

  instrument('GradientFlow', {
    hint: 'Slide: the gradient walks back. Press a part: its rule. Press a weight, then drag the dot: a push.',

    compute({ part, back, weight, push, kept }, data) {
      const was = run(data.weights, data),
        W = pushed(weight, push, data),
        now = run(W, data),
        gradients = runBack(W, now, data),
        [ahead, way] = ruleOf(part, weight, W, now, gradients, data);
      return {
        part,
        back,
        weight,
        push,
        arrived: back > PARTS.indexOf(weight[0]),
        W,
        values: now,
        gradients,
        moved: Object.fromEntries(
          VALUES.map(name => [
            name,
            [
              now[name][0].map((a, i) => {
                const far = a - was[name][0][i];
                return Math.abs(far) < SMALL ? 0 : Math.sign(far);
              })
            ]
          ])
        ),
        rule: [
          ...ahead,
          ...(back > PARTS.indexOf(part) ? way : ['No gradient has come back to here yet.'])
        ],
        loss: was.loss,
        curve: Array.from(
          { length: POINTS },
          (_, k) => run(pushed(weight, (push * k) / (POINTS - 1), data), data).loss
        ),
        measured: measure(weight, push, data),
        kept: kept.map(([one, far]) => measure(one, far, data))
      };
    },

    describe({ values, gradients, moved, back, push, arrived, measured }, { words, right }) {
      const shares = words.map((word, k) => `${word} ${fixed(values.p[0][k], 2)}`).join(', ');
      let text = `bears goes in. ${shares}; the loss of ${words[right]} is ${fixed(values.loss, 2)}.`;
      if (back) {
        const [name, gradient] = [
          ['the scores', 'ds'],
          ['Y', 'dY'],
          ['f and the skip', 'dY'],
          ['hidden', 'd_hidden'],
          ['before', 'd_before'],
          ['x through the units', 'through_f'],
          ['x', 'dx']
        ][back - 1];
        text += ` The gradient at ${name} is ${row(gradients[gradient][0])}.`;
      }
      if (push) {
        const names = VALUES.filter(name => moved[name][0].some(Boolean)).join(', ') || 'nothing',
          said = arrived ? `; gradient times push is ${fixed(measured.predicted, 2)}` : '';
        text +=
          ` ${measured.name} is pushed by ${fixed(push, 2)}. It moves ${names}. ` +
          `The loss changes by ${fixed(measured.change, 2)}${said}.`;
      }
      return text;
    },

    conditions({ measured: now, arrived, kept }) {
      const [gradient, predicted] = ['gradient', 'predicted'].map(name =>
          arrived ? fixed(now[name], 2) : '?'
        ),
        compared = `${now.name} predicted ${predicted}, found ${fixed(now.change, 2)}`;
      return [
        [
          'stopped',
          'gradient 0 and input not 0',
          `${now.name} has ${gradient} and ${fixed(now.factor, 2)}`
        ],
        ['near', 'a fall within 10 % of predicted', compared],
        ['far', 'a change far from predicted', compared]
      ].map(([what, wanted, present]) => {
        const one = first(kept, what);
        return goal(
          `${wanted}: ${one ? `${one.name} by ${fixed(one.push, 2)}` : `now ${present}`}`,
          one != null
        );
      });
    },

    lesson({ kept }) {
      const [stopped, near, far] = ['stopped', 'near', 'far'].map(what => first(kept, what)),
        found = ({ name, push, predicted, change }) =>
          `${name} by ${fixed(push, 2)}: ${fixed(predicted, 2)} predicted, ${fixed(change, 2)} found.`;
      const why = far.switched
        ? `On the way ${far.switched}, and the gradient knows only the place where it was taken.`
        : 'The loss bends, and the gradient is its straight line at the start.';
      return (
        `${stopped.name} has the input ${fixed(stopped.factor, 2)}, but unit ${stopped.unit} is silent: ` +
        `the gradient is stopped there. ${found(near)} ${found(far)} ${why}`
      );
    },

    build({ controls, stage, update, hover }, data, state) {
      const { words, right, weights } = data,
        GRADIENT = textTint('#E69F00', 55),
        write = (svg, place, text) => createElement(svg, 'text', place, text);
      const press = (element, act) => {
        element.style.cursor = 'pointer';
        element.addEventListener('click', act);
        element.addEventListener('keydown', event => {
          if (/^( |Enter)$/.test(event.key)) (event.preventDefault(), act());
        });
      };

      // From right to left, as the gradient goes.
      createElement(
        controls,
        'style',
        {},
        'input[dir]{background-position-x:100%}button:disabled{opacity:.55;cursor:default}'
      );
      const walk = slider(
        controls,
        'walk back',
        { min: 0, max: PARTS.length, step: 1, dir: 'rtl' },
        k => (k ? `through ${PARTS[k - 1]}` : 'not yet'),
        k => {
          state.back = k;
          if (k) state.part = PARTS[k - 1];
          update();
        }
      );
      const keep = createElement(controls, 'button', { type: 'button' }, 'keep this push');
      const count = createElement(controls, 'span');
      keep.addEventListener('click', () => {
        const one = [[...state.weight], state.push];
        if (!state.kept.some(other => `${other}` == `${one}`))
          state.kept = [...state.kept, one].slice(-9);
        update();
      });

      // The machine in two pictures that stand side by side as one: the block, and what follows it.
      const MIDDLE = 138,
        C = 44,
        block = picture(stage, 464, 372, 'the block: Y = x + f'),
        end = picture(stage, 400, 372, 'the scores, and the loss of “love”');
      const NAMES = 218,
        heights = n => Array.from({ length: n }, (_, k) => MIDDLE + C * (k - (n - 1) / 2));

      // Wires: forward numbers above, gradients below. `steps`: how far back they are reached.
      const wires = [];
      const bundle = (svg, name, gradient, steps, x, width, n = 2) => {
        heights(n).forEach((y, k) => {
          const g = createElement(svg, 'g');
          const line = createElement(g, 'path', {
            d: `M${x} ${y}H${x + width}`,
            stroke: GREY,
            fill: 'none'
          });
          const number = write(g, { x: x + width / 2, y: y - 5, class: 'middle' }),
            back = write(g, { x: x + width / 2, y: y + 16, class: 'middle', fill: GRADIENT });
          back.style.fill = GRADIENT;
          wires.push({ name, gradient, steps, k, line, number, back });
        });
        write(svg, { x: x + width / 2, y: NAMES, class: 'small soft middle' }, name);
      };
      bundle(block, 'x', 'through_f', 6, 8, 50);
      bundle(block, 'before', 'd_before', 5, 146, 58);
      bundle(block, 'hidden', 'd_hidden', 4, 232, 58);
      bundle(block, 'f', 'dY', 3, 378, 58);
      bundle(end, 'Y', 'dY', 2, 0, 56);
      bundle(end, 'scores', 'ds', 1, 188, 60, 3);

      // The skip: over all of it, from x to the sum.
      const skip = createElement(block, 'path', {
        d: `M8 ${MIDDLE + C / 2}V44H450V${MIDDLE - 14}`,
        stroke: GREY,
        fill: 'none'
      });
      createElement(block, 'circle', { cx: 450, cy: MIDDLE, r: 13, fill: 'none', stroke: GREY });
      write(block, { x: 450, y: MIDDLE + 6, class: 'middle' }, '+');
      const overSkip = write(block, { x: 350, y: 38, class: 'middle' }),
        total = write(block, { x: 4, y: NAMES, class: 'small halo' });
      overSkip.style.fill = total.style.fill = GRADIENT;
      for (const y of heights(2)) {
        createElement(block, 'path', {
          d: `M436 ${y}L441 ${MIDDLE + (y - MIDDLE) / 2}`,
          stroke: GREY
        });
        createElement(block, 'path', { d: `M204 ${y}h28`, stroke: GREY });
      }

      // ReLU's two gates.
      const gates = heights(2).map(y =>
        createElement(block, 'path', {
          transform: `translate(218 ${y})`,
          stroke: 'currentColor',
          'stroke-width': 2.5,
          fill: 'none'
        })
      );

      // Softmax and the loss.
      const shares = heights(3).map((y, k) => {
        const level = createElement(end, 'rect', {
          x: 262,
          y: y - 11,
          height: 24,
          rx: 3,
          fill: SKY,
          'fill-opacity': 0.55,
          class: 'level'
        });
        createElement(end, 'rect', {
          x: 262,
          y: y - 11,
          width: 92,
          height: 24,
          rx: 3,
          fill: 'none',
          stroke: FAINT
        });
        write(end, { x: 266, y: y + 6, class: k == right ? 'small title' : 'small' }, words[k]);
        createElement(end, 'path', { d: `M248 ${y}h14`, stroke: GREY });
        return { level, share: write(end, { x: 351, y: y + 6, class: 'end' }) };
      });
      createElement(end, 'path', { d: `M354 ${MIDDLE}h10`, stroke: GREY });
      const loss = write(end, { x: 400, y: MIDDLE + 6, class: 'title end' });
      write(end, { x: 308, y: NAMES, class: 'small soft middle' }, 'p');
      write(end, { x: 384, y: NAMES, class: 'small soft middle' }, 'loss');

      // The matrices: each cell a weight, and below it its gradient.
      const matrices = [
        [block, 'W_1', 58],
        [block, 'W_2', 290],
        [end, 'W_out', 56]
      ].map(([svg, name, x]) => {
        const cells = table(
          svg,
          name,
          2,
          weights[name][0].length,
          { x, y: MIDDLE - C, width: C, height: C },
          hover,
          (i, j, { W, gradients, back }) =>
            `${called([name, i, j])} is ${fixed(W[name][i][j], 2)}, ` +
            (back > PARTS.indexOf(name)
              ? `its gradient ${fixed(gradients[name][i][j], 2)}.`
              : 'no gradient yet.') +
            ' Press it, then push it.'
        );
        return cells.map((line, i) =>
          line.map((cell, j) => {
            press(cell, () => {
              Object.assign(state, { weight: [name, i, j], push: 0 });
              update();
            });
            const box = createElement(cell, 'rect', {
              x: 1,
              y: 1,
              width: C - 2,
              height: C - 2,
              rx: 4,
              stroke: FAINT,
              fill: PURPLE
            });
            const value = write(cell, { x: C / 2, y: 18, class: 'small middle' }),
              slope = write(cell, { x: C / 2, y: 37, class: 'small middle' });
            slope.style.fill = GRADIENT;
            return { name, i, j, box, value, slope };
          })
        );
      });

      // The parts: a row of buttons above them, one stop of the Tab key a picture.
      const places = [
        [
          block,
          'the parts of the block',
          [
            ['x', 33, 76, 40],
            ['W_1', 102, 76, 56],
            ['ReLU', 218, 76, 60],
            ['W_2', 334, 76, 56],
            ['skip', 218, 44, 60]
          ]
        ],
        [
          end,
          'the parts behind the block',
          [
            ['W_out', 122, 76, 68],
            ['softmax + loss', 332, 64, 132]
          ]
        ]
      ];
      const chips = places.flatMap(([svg, title, parts]) =>
        table(
          svg,
          title,
          1,
          parts.length,
          { x: 0, y: 0, width: 40, height: 26 },
          hover,
          (_, k, { back }) => {
            const steps = PARTS.indexOf(parts[k][0]) + 1;
            return `${parts[k][0]}: number ${steps} on the way back, ${back < steps ? 'not reached yet' : 'passed'}. Press it: its rule.`;
          }
        )[0].map((cell, k) => {
          const [part, x, y, width] = parts[k];
          setAttributes(cell, { transform: `translate(${x - width / 2} ${y - 13})` });
          setAttributes(cell.firstChild, { width, rx: 6 });
          const box = createElement(cell, 'rect', { width, height: 26, rx: 6 });
          write(cell, { x: width / 2, y: 19, class: 'middle' }, part);
          cell.append(cell.firstChild);
          press(cell, () => {
            state.part = part;
            update();
          });
          return { part, box };
        })
      );

      // The rule of the pressed part.
      const rules = Array.from({ length: 7 }, (_, k) =>
        write(block, { x: 4, y: 246 + 21 * k, class: k ? 'small' : '' })
      );

      // The push: the loss as it is, beside the gradient's straight line.
      const LEFT = 22,
        BOTTOM = 348,
        across = push => LEFT + 52 * (push + FARTHEST),
        up = l => BOTTOM - 13 * clip(l, 0, 9);
      createElement(end, 'path', {
        d: `M${LEFT} ${up(9)}V${BOTTOM}H${across(FARTHEST)}`,
        stroke: GREY,
        fill: 'none'
      });
      for (const l of [0, 4, 8]) write(end, { x: LEFT - 5, y: up(l) + 5, class: 'small end' }, l);
      for (const push of [-2, -1, 0, 1, 2]) {
        createElement(end, 'path', { d: `M${across(push)} ${BOTTOM}v5`, stroke: GREY });
        write(end, { x: across(push), y: BOTTOM + 18, class: 'small soft middle' }, push);
      }
      write(end, { x: LEFT + 6, y: up(9) + 9, class: 'small soft' }, 'loss');
      write(end, { x: across(FARTHEST), y: BOTTOM - 6, class: 'small soft end' }, 'push');
      const line = createElement(end, 'path', {
          stroke: GRADIENT,
          'stroke-width': 2,
          'stroke-dasharray': '6 4'
        }),
        trail = createElement(end, 'path', { stroke: PURPLE, 'stroke-width': 3, fill: 'none' }),
        guess = createElement(end, 'circle', {
          r: 6,
          fill: 'none',
          stroke: GRADIENT,
          'stroke-width': 2.5
        });
      const hand = createElement(end, 'g'),
        knob = createElement(hand, 'circle', { r: 8, fill: PURPLE }),
        grip = createElement(hand, 'circle', { class: 'grip', r: 15 });
      const go = push => {
        state.push = round(clip(Math.round(20 * push) / 20, -FARTHEST, FARTHEST));
        update();
      };
      handle(hand, end, {
        label: 'push of the weight',
        at: () => [across(state.push), 0],
        move: x => go((x - LEFT) / 52 - FARTHEST),
        step: (dx, dy) => go(state.push + 0.05 * (dx + dy)),
        home: () => go(0),
        end: () => go(FARTHEST)
      });
      const told = ['title', '', '', '', '', ''].map((style, k) =>
        write(end, { x: 244, y: 248 + 21 * k, class: style })
      );
      told[2].style.fill = told[4].style.fill = GRADIENT;

      const arrows = { 1: '▲', 0: '', '-1': '▼' };
      return numbers => {
        const {
          part,
          back,
          weight,
          push,
          arrived,
          W,
          values,
          gradients,
          moved,
          rule,
          curve,
          measured
        } = numbers;
        walk(back);
        setText(count, `kept: ${numbers.kept.length}`);
        keep.disabled = !push || !arrived;
        for (const { name, gradient, steps, k, line, number, back: below } of wires) {
          const way = moved[name]?.[0][k] ?? 0;
          setText(number, fixed(values[name][0][k], 2) + arrows[way]);
          number.classList.toggle('title', way != 0);
          setAttributes(line, { 'stroke-width': way ? 3.5 : 1.5, stroke: way ? PURPLE : GREY });
          setText(below, back >= steps ? `◂${fixed(gradients[gradient][0][k], 2)}` : '');
        }
        setText(overSkip, back > 2 ? `◂ ${row(gradients.dY[0])}` : '');
        setText(total, back > 6 ? `dx = ${row(gradients.dx[0])}` : '');
        setAttributes(skip, {
          'stroke-width': back > 2 ? 3 : 1.5,
          stroke: back > 2 ? GRADIENT : GREY
        });
        gates.forEach((gate, k) =>
          setAttributes(gate, { d: values.hidden[0][k] > SMALL ? 'M-10 0H10' : 'M0 -11V11' })
        );
        shares.forEach(({ level, share }, k) => {
          setAttributes(level, { width: 92 * values.p[0][k] });
          setText(share, fixed(values.p[0][k], 2));
          share.classList.toggle('title', moved.p[0][k] != 0);
        });
        setText(loss, fixed(values.loss, 2));
        matrices.flat(2).forEach(({ name, i, j, box, value, slope }) => {
          const on = `${weight}` == `${[name, i, j]}`;
          setAttributes(box, {
            'fill-opacity': on ? 0.15 : 0,
            stroke: on ? PURPLE : FAINT,
            'stroke-width': on ? 2.5 : 1
          });
          setText(value, fixed(W[name][i][j], 2));
          setText(slope, back > PARTS.indexOf(name) ? fixed(gradients[name][i][j], 2) : '');
        });
        chips.forEach(({ part: own, box }) => {
          const on = own == part,
            passed = back > PARTS.indexOf(own);
          setAttributes(box, {
            fill: on ? PURPLE : 'var(--page)',
            'fill-opacity': on ? 0.35 : 1,
            stroke: passed ? GRADIENT : GREY,
            'stroke-width': on || passed ? 2.5 : 1
          });
        });
        rules.forEach((text, k) => setText(text, rule[k] ?? ''));
        const slope = measured.gradient,
          reach = [-FARTHEST, FARTHEST].map(far => {
            // where the straight line leaves the picture
            const l = clip(numbers.loss + slope * far, 0, 9);
            return slope ? (l - numbers.loss) / slope : far;
          });
        line.style.display = guess.style.display = arrived ? '' : 'none';
        setAttributes(line, {
          d: `M${reach.map(far => `${across(far)} ${up(numbers.loss + slope * far)}`).join('L')}`
        });
        setAttributes(guess, { cx: across(push), cy: up(numbers.loss + measured.predicted) });
        setAttributes(trail, {
          d: `M${curve.map((l, k) => `${across((push * k) / (POINTS - 1))} ${up(l)}`).join('L')}`
        });
        for (const one of [knob, grip])
          setAttributes(one, { cx: across(push), cy: up(values.loss) });
        announce(hand, `${measured.name} pushed by ${fixed(push, 2)}`, push, -FARTHEST, FARTHEST);
        [
          measured.name,
          `push ${fixed(push, 2)}`,
          `gradient ${push ? 'was ' : ''}${arrived ? fixed(slope, 2) : '?'}`,
          'change of the loss:',
          `predicted ${arrived ? fixed(measured.predicted, 2) : '?'}`,
          `found ${fixed(measured.change, 2)}`
        ].forEach((text, k) => setText(told[k], text));
      };
    },

    table({ W, gradients, back }) {
      const weights = Object.keys(W).flatMap(name =>
        W[name].flatMap((row, i) => row.map((w, j) => ({ name, i, j, w })))
      );
      return {
        title: 'Weights and their gradients',
        corner: 'weight',
        rows: weights.map(({ name, i, j }) => called([name, i, j])),
        columns: ['value', 'gradient'],
        values: weights.map(({ name, i, j, w }) => [
          w,
          back > PARTS.indexOf(name) ? gradients[name][i][j] : 'not yet'
        ])
      };
    }
  });
})();
