// Two arrows are turned by their positions; arrows and positions are dragged. The table holds the
// score of every two positions.
(() => {
  const {
    axes,
    dot,
    norm,
    times,
    transpose,
    fixed,
    general,
    clip,
    round,
    textTint,
    PURPLE,
    ORANGE,
    GREY,
    FAINT,
    createElement,
    setAttributes,
    setText,
    picture,
    arrow,
    handle,
    announce,
    slider,
    table,
    goal,
    rule,
    instrument
  } = courseKit;
  const M = 5,
    N = 2,
    SPEED = 0.5,
    MOVED = 1.95,
    NEAR = 0.005,
    SAME = 0.04,
    DEGREES = 180 / Math.PI;
  const ABOVE = textTint('#35978F', 78),
    BELOW = textTint('#BF812D', 78); // more than 0, less than 0
  const turn = ([a, b], t) => [
    a * Math.cos(t) - b * Math.sin(t),
    a * Math.sin(t) + b * Math.cos(t)
  ];

  instrument('TurningArrows', {
    hint: "Drag an arrow's end, or a position (◆ query, ● key), or the frame in the table. Point at a cell: it tells its score.",

    compute({ q, k, m, n, speed }, { T, query, key }) {
      const turned = [turn(q, speed * m), turn(k, speed * n)],
        [a, b] = turned,
        score = dot(a, b),
        lengths = [norm(q), norm(k)],
        all = lengths[0] * lengths[1];
      const everywhere = x => Array.from({ length: T }, (_, p) => turn(x, speed * p)),
        scores = times(everywhere(q), transpose(everywhere(k)));
      const made = [...query, ...key, SPEED],
        as_made = [...q, ...k, speed].every((x, i) => x == made[i]);
      return {
        q,
        k,
        m,
        n,
        speed,
        turned,
        turns: [speed * m * DEGREES, speed * n * DEGREES],
        lengths,
        score,
        cosine: score / (all || 1),
        between: Math.atan2(Math.abs(a[0] * b[1] - a[1] * b[0]), score) * DEGREES,
        plain: dot(q, k),
        scores,
        cosines: scores.map(row => row.map(s => s / (all || 1))),
        began: scores[M][N],
        as_made
      };
    },

    describe({ m, n, turns: [one, other], lengths: [long, far], between, cosine, score, plain }) {
      const [at, to, apart] = [m, n, m - n].map(x => general(x, 3));
      return (
        `The query at position ${at} is turned by ${fixed(one, 0)}°, the key at position ${to} by ${fixed(other, 0)}°, offset ${apart}. ` +
        `Between them are ${fixed(between, 0)}°. Score: length ${fixed(long, 2)} × length ${fixed(far, 2)} × cosine ` +
        `${fixed(cosine, 2)} = ${fixed(score, 2)}. Before they are turned it is ${fixed(plain, 2)}.`
      );
    },

    conditions({ m, n, as_made, score, began }) {
      const query = Math.abs(m - M),
        key = Math.abs(n - N);
      return [
        rule('arrows and speed as they opened', as_made),
        goal(
          `each two positions away: the query ${fixed(query, 1)}, the key ${fixed(key, 1)}`,
          Math.min(query, key) > MOVED
        ),
        goal(`score ${fixed(began, 2)}: now ${fixed(score, 2)}`, Math.abs(score - began) < NEAR)
      ];
    },

    lesson({ m, n, between }) {
      const apart = m - n,
        sees = 'A dot product sees two lengths and the angle between them';
      if (Math.abs(apart - (M - N)) < SAME)
        return (
          `Your positions are ${general(apart, 3)} apart, as ${M} and ${N} are. ${sees}. Both arrows turned alike, so the angle stayed ` +
          `${fixed(between, 0)}°: only the offset is left.`
        );
      return (
        `Your positions are ${general(apart, 3)} apart, not ${M - N}: the arrows lie ${fixed(between, 0)}° apart on the other side. ${sees}, not on which ` +
        'side. Move both alike from here, and the score stays again.'
      );
    },

    build({ controls, stage, update, hover }, { T, query, key }, state) {
      const inside = p =>
        // whole positions draw the hand
        clip(Math.abs(p - Math.round(p)) < 0.06 ? Math.round(p) : round(p), 0, T - 1);
      const rate = slider(
        controls,
        'turn a position',
        { min: 0, max: 1, step: 0.02 },
        x => `${fixed(x * DEGREES, 0)}°`,
        x => {
          state.speed = round(x);
          update();
        }
      );
      const [X, Y, U, LONG] = [215, 186, 50, 2.9],
        at = ([x, y]) => [X + U * x, Y - U * y];
      let now;

      const plane = picture(stage, 430, 436, 'two arrows, turned by their positions');
      createElement(plane, 'path', {
        d: `M${X - U * LONG - 8} ${Y}H${X + U * LONG + 8}M${X} ${Y - U * LONG - 8}V${Y + U * LONG + 8}`,
        stroke: FAINT,
        'stroke-width': 1.5
      });
      createElement(
        plane,
        'text',
        { x: 4, y: 330, class: 'small soft' },
        'pale: before they are turned'
      );
      const wedge = createElement(plane, 'path', { fill: FAINT });
      const ghosts = [PURPLE, ORANGE].map(colour => {
        const g = createElement(plane, 'g', { opacity: 0.5 });
        return {
          draw: arrow(g, colour, 1.8),
          arc: createElement(g, 'path', { stroke: colour, 'stroke-width': 2, fill: 'none' })
        };
      });
      const parts = [
        ['q', 'm', 'query', PURPLE, query, 356],
        ['k', 'n', 'key', ORANGE, key, 412]
      ].map(([which, where, title, colour, made, y], i) => {
        const g = createElement(plane, 'g'),
          draw = arrow(g, colour, i ? 3.5 : 3, i ? '' : '8 5'),
          text = createElement(g, 'text', { class: 'halo title' }),
          tip = createElement(g, 'path', { fill: colour, d: i ? '' : 'M-10 0L0-10L10 0L0 10Z' });
        const grip = createElement(g, 'circle', { class: 'grip', r: 19 }),
          angle = () => state.speed * state[where];
        const go = v => {
          // never shorter than one can take, nor longer than the picture
          const length = norm(v) || 1,
            [a, b] = turn(
              v.map(x => (x * clip(length, 0.3, LONG)) / length),
              -angle()
            );
          state[which] = [round(a, 4), round(b, 4)];
          update();
        };
        const from = (x, y) => [(x - X) / U || 0.01, (Y - y) / U];
        handle(g, plane, {
          label: `arrow of the ${title}`,
          at: () => at(now.turned[i]),
          move: (x, y) => go(from(x, y)),
          numbers: axes(['across', 'up'], () => now.turned[i], go, [
            [-LONG, LONG],
            [-LONG, LONG]
          ]),
          step: (dx, dy) => {
            const [x, y] = at(now.turned[i]);
            go(from(x + 4.4 * dx, y - 4.4 * dy));
          },
          home: () => {
            state[which] = [...made];
            update();
          },
          end: () => go(now.turned[i].map(x => 1.2 * x))
        });
        const place = createElement(plane, 'g');
        createElement(place, 'path', {
          fill: colour,
          d: i ? 'M-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0' : 'M-11 0L0-11L11 0L0 11Z',
          transform: `translate(0 ${y})`
        });
        createElement(place, 'path', { d: `M0 ${y}V384`, stroke: colour, 'stroke-width': 2.5 });
        const word = createElement(place, 'text', { y: y + 5.5, class: 'title halo' });
        createElement(place, 'circle', { class: 'grip', r: 18, cy: y });
        const put = p => {
          state[where] = inside(p);
          update();
        };
        handle(place, plane, {
          label: `position of the ${title}`,
          at: () => [S(state[where]), y],
          move: x => put((x - S(0)) / 34),
          step: (dx, dy) => put(Math.round(state[where]) + dx + dy),
          numbers: [['', () => state[where], put, 0, T - 1]],
          home: () => put(0),
          end: () => put(T - 1)
        });
        return { g, draw, text, tip, grip, title, place, word };
      });
      const S = p => 28 + 34 * p;
      const scale = createElement(plane, 'g', { 'pointer-events': 'none' });
      plane.insertBefore(scale, wedge);
      createElement(scale, 'path', {
        d: `M${S(0)} 384H${S(T - 1)}` + [...Array(T).keys()].map(p => `M${S(p)} 379V389`).join(''),
        stroke: GREY,
        'stroke-width': 1.5
      });
      const degrees = createElement(plane, 'text', {
        x: 426,
        y: 330,
        class: 'end title',
        'pointer-events': 'none'
      });

      const sheet = picture(stage, 420, 436, 'the score of every two positions'),
        [L, R, C] = [64, 70, 28];
      createElement(sheet, 'text', { x: L, y: 42, class: 'small soft' }, 'key at position →');
      createElement(
        sheet,
        'text',
        {
          x: 16,
          y: R + 6 * C,
          class: 'small soft middle',
          transform: `rotate(-90 16 ${R + 6 * C})`
        },
        '← query at position'
      );
      for (let p = 0; p < T; p++) {
        createElement(sheet, 'text', { x: L + C * (p + 0.5), y: R - 7, class: 'small middle' }, p);
        createElement(sheet, 'text', { x: L - 8, y: R + C * (p + 0.5) + 5, class: 'small end' }, p);
      }
      const cells = table(
        sheet,
        'scores',
        T,
        T,
        { x: L, y: R, width: C, height: C },
        hover,
        (i, j, { scores, cosines, lengths: [long, far] }) =>
          `Query at ${i}, key at ${j}, offset ${i - j}: ${fixed(long, 2)} × ${fixed(far, 2)} × ${fixed(cosines[i][j], 2)} = ${fixed(scores[i][j], 2)}.`
      );
      const levels = cells.map((row, i) =>
        row.map((cell, j) => {
          cell.addEventListener('click', () => {
            Object.assign(state, { m: i, n: j });
            update();
          });
          return createElement(cell, 'rect', {
            x: 1,
            y: 1,
            width: C - 2,
            height: C - 2,
            rx: 2,
            stroke: FAINT,
            class: 'level',
            'pointer-events': 'none'
          });
        })
      );
      const band = createElement(sheet, 'path', {
        stroke: 'currentColor',
        'stroke-width': 1.5,
        'stroke-dasharray': '1 5',
        'stroke-linecap': 'round',
        fill: 'none',
        'pointer-events': 'none'
      });
      const frame = createElement(sheet, 'g');
      createElement(frame, 'rect', {
        class: 'grip',
        x: -4,
        y: -4,
        width: C + 8,
        height: C + 8,
        rx: 7
      });
      createElement(frame, 'rect', {
        width: C,
        height: C,
        rx: 5,
        fill: 'none',
        stroke: PURPLE,
        'stroke-width': 3
      });
      const both = (m, n) => {
        Object.assign(state, { m: inside(m), n: inside(n) });
        update();
      };
      handle(frame, sheet, {
        label: 'both positions',
        at: () => [L + C * state.n, R + C * state.m],
        move: (x, y) => both((y - R) / C, (x - L) / C),
        step: (dx, dy) => both(Math.round(state.m) - dy, Math.round(state.n) + dx),
        home: () => both(M, N),
        end: () => both(T - 1, T - 1)
      });
      const result = createElement(sheet, 'text', { x: L, y: 430, class: 'title' });
      const fade = createElement(createElement(sheet, 'defs'), 'linearGradient', { id: 'fade' });
      for (const [offset, colour, opacity] of [
        [0, BELOW, 1],
        [0.5, BELOW, 0],
        [0.5, ABOVE, 0],
        [1, ABOVE, 1]
      ])
        createElement(fade, 'stop', {
          offset,
          style: `stop-color:${colour};stop-opacity:${opacity}`
        });
      createElement(sheet, 'rect', {
        x: 312,
        y: 417,
        width: 60,
        height: 14,
        rx: 2,
        fill: 'url(#fade)',
        stroke: FAINT
      });
      const ends = [306, 378].map((x, k) =>
        createElement(sheet, 'text', { x, y: 429, class: k ? 'small soft' : 'small soft end' })
      );

      return numbers => {
        now = numbers;
        const { q, k, m, n, speed, turned, turns, between, cosines, score, lengths } = numbers,
          apart = general(m - n, 3);
        rate(speed);
        const [a, b] = turned.map(([x, y]) => Math.atan2(y, x)),
          d = b - a - 2 * Math.PI * Math.round((b - a) / (2 * Math.PI));
        parts.forEach(({ g, draw, text, tip, grip, title, place, word }, i) => {
          const v = [q, k][i],
            p = [m, n][i],
            [x, y] = at(turned[i]),
            radius = 26 + 13 * i,
            from = Math.atan2(v[1], v[0]),
            way = turns[i] / DEGREES;
          draw([X, Y], [x, y]);
          setAttributes(grip, { cx: x, cy: y });
          setAttributes(tip, { transform: `translate(${x} ${y})` });
          const aside = (i ? 1 : -1) * Math.sign(d || 1) * 1.4 * Math.max(0, 1 - Math.abs(d)),
            ux = Math.cos([a, b][i] + aside),
            uy = Math.sin([a, b][i] + aside);
          setText(text, title, {
            x: x + 18 * ux,
            y: y - 18 * uy + 5.5,
            'text-anchor': ux < -0.4 ? 'end' : ux > 0.4 ? 'start' : 'middle'
          });
          announce(
            g,
            `${title} (${v.map(c => fixed(c, 2)).join(', ')}), turned by ${fixed(turns[i], 0)}°`,
            turned[i][0],
            -LONG,
            LONG
          );
          ghosts[i].draw([X, Y], at(v));
          const steps = Math.max(2, Math.ceil(way * 12)),
            along = Array.from({ length: steps + 1 }, (_, s) => {
              const t = (way * s) / steps,
                r = radius + 3 * t,
                a = from + t;
              return `${round(X + r * Math.cos(a))} ${round(Y - r * Math.sin(a))}`;
            });
          setAttributes(ghosts[i].arc, { d: `M${along.join('L')}` });
          setAttributes(place, { transform: `translate(${S(p)})` });
          const left = p > 7;
          setText(word, `${title} at ${general(p, 3)}`, {
            x: left ? -17 : 17,
            'text-anchor': left ? 'end' : 'start'
          });
          announce(place, `position ${general(p, 3)}`, p, 0, T - 1);
        });
        const W = 0.8 * U * Math.min(...lengths),
          point = t => `${X + W * Math.cos(t)} ${Y - W * Math.sin(t)}`;
        setAttributes(wedge, {
          d: `M${X} ${Y}L${point(a)}A${W} ${W} 0 0 ${d > 0 ? 0 : 1} ${point(a + d)}Z`
        });
        setText(degrees, `${fixed(between, 0)}° between`);
        levels.forEach((row, i) =>
          row.forEach((level, j) =>
            setAttributes(level, {
              fill: cosines[i][j] < 0 ? BELOW : ABOVE,
              'fill-opacity': Math.abs(cosines[i][j])
            })
          )
        );
        const back = Math.min(m, n),
          on = T - 1 - Math.max(m, n),
          centre = (y, x) => `${L + C * (x + 0.5)} ${R + C * (y + 0.5)}`;
        setAttributes(band, { d: `M${centre(m - back, n - back)}L${centre(m + on, n + on)}` });
        setAttributes(frame, { transform: `translate(${L + C * n} ${R + C * m})` });
        announce(frame, `query at ${general(m, 3)}, key at ${general(n, 3)}`, m, 0, T - 1);
        const most = fixed(lengths[0] * lengths[1], 1);
        ends.forEach((text, k) => setText(text, k ? most : `−${most}`));
        setText(result, `offset ${apart}: score ${fixed(score, 2)}`);
      };
    },

    table({ scores }) {
      const positions = scores.map((_, i) => i);
      return {
        title: 'Scores',
        corner: 'query at, by key at',
        rows: positions,
        columns: positions,
        values: scores
      };
    }
  });
})();
