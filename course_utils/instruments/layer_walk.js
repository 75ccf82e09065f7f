// "bears" in eighteen sentences and in one more, walking through the layers: points on their
// trails, each with its nearest, and all cosines of one.
(() => {
  const {
    fixed,
    clip,
    round,
    MEANINGS,
    PURPLE,
    GREY,
    createElement,
    setAttributes,
    setText,
    picture,
    handle,
    announce,
    slider,
    choices,
    animate,
    goal,
    instrument
  } = courseKit;
  const NAMES = Object.keys(MEANINGS);

  instrument('LayerWalk', {
    hint: 'Drag a point along its trail: all walk with it. Point at one, or at a bar: it tells its sentence.',

    compute({ layer, point, more }, { sentences, meanings, N, places, nearest, cosines: pairs }) {
      const shown = [...Array(N).keys(), N + more],
        low = Math.min(Math.floor(layer), places.length - 2),
        share = layer - low,
        at = Math.floor(layer + 0.5),
        i = shown[point];
      // each pair is told once, in the row of the later
      const before = k => (k < N ? (k * (k - 1)) / 2 : (N * (N - 1)) / 2 + (k - N) * N);
      const cosines = [...Array(N).keys()].map(j =>
        i == j ? 1 : pairs[at][before(Math.max(i, j)) + Math.min(i, j)] / 1e4
      );
      const home = shown.map(k => meanings[nearest[at][k]] == meanings[k]),
        near = shown.map(k => nearest[at][k]),
        found = nearest[at][i];
      return {
        layer,
        at,
        between: layer != at,
        point,
        sentence: sentences[i],
        meaning: meanings[i],
        places: shown.map(k =>
          places[low][k].map((x, c) => (1 - share) * x + share * places[low + 1][k][c])
        ),
        near,
        home,
        right: home.slice(0, N).filter(yes => yes).length,
        cosines,
        best: NAMES.map(name =>
          Math.max(...cosines.filter((_, j) => meanings[j] == name && j != i))
        ),
        nearest: sentences[found],
        found: meanings[found],
        cosine: cosines[found]
      };
    },

    describe({ layer, at, between, sentence, meaning, right, nearest, found, cosine }) {
      const low = Math.floor(layer),
        where = at ? `After block ${at}` : 'Before block 1, where only their places differ';
      if (between)
        return `Between layers ${low} and ${low + 1}: a blend of two states. The model is never here.`;
      return `${where}: ${right} of eighteen lie nearest to their own meaning. "${sentence}" (${meaning}): nearest is "${nearest}" (${found}), cosine ${fixed(cosine, 2)}.`;
    },

    conditions({ at, between, point, sentence, meaning, found, home }) {
      const mine = point < 18,
        where = between ? 'between two layers' : `layer ${at}`;
      return [
        goal(`after a block: now ${where}`, at > 0 && !between),
        goal(`one of the eighteen taken: “${sentence}”`, mine),
        goal(
          `its nearest is a stranger: now ${meaning} beside ${found}`,
          !between && mine && !home[point]
        )
      ];
    },

    lesson({ at, right, meaning, nearest, found }, { places: { length }, strangers }) {
      return (
        `After block ${at}, ${18 - right} of eighteen still lie beside a stranger; yours (${meaning}) beside “${nearest}” ` +
        `(${found}). After block ${length - 1} it is ${strangers}: a meaning is not looked up, it is made on the way.`
      );
    },

    build({ controls, stage, update, hover }, { sentences, meanings, N, places }, state) {
      const last = places.length - 1,
        at = ([x, y]) => [328 + 455 * x, 216 - 455 * y],
        told = layer =>
          layer % 1
            ? `between ${Math.floor(layer)} and ${Math.ceil(layer)}`
            : layer
              ? `after block ${layer}`
              : 'before block 1';
      const here = (k, t) => {
        const l = Math.min(Math.floor(t), last - 1);
        return at(places[l][k].map((x, c) => x + (t - l) * (places[l + 1][k][c] - x)));
      };
      let stop;
      const go = (layer, magnet = 0.06) => {
        const near = Math.round(layer);
        state.layer = round(clip(Math.abs(layer - near) < magnet ? near : layer, 0, last), 3);
        update();
      };
      const halt = () => {
        stop?.();
        stop = null;
        setText(play, '▶ play');
      };
      const play = createElement(controls, 'button', { type: 'button' }, '▶ play'),
        walk = slider(controls, 'layer', { min: 0, max: last, step: 0.02 }, told, layer => {
          halt();
          go(layer);
        });
      // its words differ in length, the slider must not
      controls.querySelector('output').style.minWidth = '8.6em';
      play.addEventListener('click', () => {
        if (stop) return halt();
        const from = state.layer < last ? state.layer : 0;
        setText(play, '◼ stop');
        stop = animate(1100 * (last - from), t => {
          const u = from + t * (last - from),
            l = Math.floor(u),
            f = clip((u - l - 0.35) / 0.65, 0, 1); // it rests at every layer
          go(l + f * f * (3 - 2 * f), 0.001);
          if (t == 1) halt();
        });
      });

      const plane = picture(stage, 540, 400, 'where “bears” lies'),
        where = createElement(plane, 'text', { x: 8, y: 46, class: 'title' });
      const key = [
        ...NAMES.map(name => [`${MEANINGS[name][1]} ${name}`, MEANINGS[name][0]]),
        ['★ one more', ''] // in the colour of its meaning
      ].map(([text, colour], k) => {
        const one = createElement(
          plane,
          'text',
          { x: [10, 116, 256, 352][k], y: 394, class: 'title' },
          text
        );
        one.style.fill = colour;
        return one;
      });
      const count = N + 1,
        all = [...Array(count).keys()],
        id = i => (i < N ? i : N + state.more);
      const trails = all.map(() =>
          createElement(plane, 'path', { fill: 'none', 'stroke-linejoin': 'round' })
        ),
        links = all.map(() => createElement(plane, 'path', { fill: 'none' }));
      const stations = places.map((_, l) => {
        const g = createElement(plane, 'g');
        createElement(g, 'circle', { r: 3.5, fill: PURPLE });
        createElement(g, 'text', { class: 'halo middle', y: -8 }, l);
        return g;
      });
      const SHAPES = {
        animal: 'M-8 0A8 8 0 1 1 8 0A8 8 0 1 1-8 0Z',
        hardship: 'M-7-7H7V7H-7Z',
        sport: 'M0-9L9 7H-9Z',
        more: 'M0-13L3.4-4.3L12.4-4L5.4 1.7L7.6 10.5L0 5.6L-7.6 10.5L-5.4 1.7L-12.4-4L-3.4-4.3Z'
      };
      let now;
      const tellOf = (i, { between, home, near }) =>
        between
          ? `“${sentences[id(i)]}” (${meanings[id(i)]})`
          : `“${sentences[id(i)]}” (${meanings[id(i)]}). Nearest: “${sentences[near[i]]}” (${meanings[near[i]]})${home[i] ? '' : ', a stranger'}.`;
      const points = all.map(i => {
        const g = createElement(plane, 'g'),
          grip = createElement(g, 'circle', { class: 'grip', r: 15 });
        const shape = createElement(g, 'path', {
          d: i < N ? SHAPES[meanings[i]] : SHAPES.more,
          'stroke-width': 2
        });
        handle(g, plane, {
          at: () => at(now.places[i]),
          home: () => {
            halt();
            go(0);
          },
          end: () => {
            halt();
            go(last);
          },
          move: (x, y) => {
            // to the nearest place of its trail, not far from where it is
            halt();
            const ways = [...Array(101).keys()].map(k => clip(state.layer - 1 + 0.02 * k, 0, last)),
              far = t => {
                const [u, v] = here(id(i), t);
                return Math.hypot(u - x, v - y);
              };
            go(ways.reduce((best, t) => (far(t) < far(best) ? t : best), state.layer));
          },
          step: (dx, dy) => {
            halt();
            go(state.layer + 0.1 * (dx || dy), 0.04);
          }
        });
        g.addEventListener('focus', () => {
          if (state.point != i) ((state.point = i), update());
        });
        hover(g, numbers => tellOf(i, numbers));
        return { g, grip, shape };
      });

      const crown = createElement(plane, 'path', {
        'stroke-width': 2.5,
        stroke: 'currentColor',
        'pointer-events': 'none'
      }); // the one taken is seen, whoever lies on it

      const strip = picture(stage, 320, 400, 'its cosines'),
        title = strip.querySelector('text'),
        H = 280,
        B = 352;
      createElement(strip, 'path', { d: `M8 ${B + 0.5}H312`, stroke: GREY });
      const columns = NAMES.map((name, m) => {
        const [colour, mark] = MEANINGS[name],
          x = 16 + 102 * m;
        createElement(
          strip,
          'text',
          { x: x + 42, y: B + 24, class: 'middle title' },
          `${mark} ${name}`
        ).style.fill = colour;
        return createElement(strip, 'text', { x: x + 42, y: 46, class: 'middle' });
      });
      const order = NAMES.map(name => [...Array(N).keys()].filter(j => meanings[j] == name));
      const bars = [...Array(N).keys()].map(j => {
        const m = NAMES.indexOf(meanings[j]),
          g = createElement(strip, 'g', {
            transform: `translate(${16 + 102 * m + 14 * order[m].indexOf(j)})`
          });
        createElement(g, 'rect', { width: 14, y: B - H - 20, height: H + 20, fill: 'transparent' });
        hover(
          g,
          ({ cosines }) => `“${sentences[j]}” (${meanings[j]}): cosine ${fixed(cosines[j], 2)}.`
        );
        return {
          g,
          bar: createElement(g, 'rect', {
            x: 1,
            width: 11,
            rx: 2,
            fill: MEANINGS[meanings[j]][0],
            class: 'level'
          })
        };
      });
      const ring = createElement(strip, 'path', { d: 'M-5-12L0-3L5-12Z', fill: 'currentColor' });

      const extra = choices(
        createElement(stage, 'div', { class: 'below' }),
        'one more sentence (★)',
        sentences.slice(N).map(sentence => `★ ${sentence}`),
        more => {
          Object.assign(state, { more, point: N });
          update();
        }
      );

      return numbers => {
        now = numbers;
        const {
            layer,
            at: whole,
            between,
            point,
            places: spots,
            near,
            home,
            cosines,
            best
          } = numbers,
          clear = clip(1 - 2.4 * Math.abs(layer - whole), 0, 1);
        walk(layer);
        extra(state.more);
        setText(
          where,
          between ? `layer ${fixed(layer, 2)}: between, a blend` : `layer ${whole}: ${told(whole)}`
        );
        key[3].style.fill = MEANINGS[meanings[id(N)]][0];
        all.forEach(i => {
          const [x, y] = at(spots[i]),
            picked = i == point,
            colour = MEANINGS[meanings[id(i)]][0],
            { g, grip, shape } = points[i],
            walked = [];
          for (let l = 0; l < layer; l++) walked.push(at(places[l][id(i)]));
          setAttributes(trails[i], {
            d: `M${[...walked, [x, y]].join('L')}`,
            stroke: picked ? PURPLE : colour,
            'stroke-width': picked ? 3 : 1.5,
            'stroke-opacity': picked ? 0.9 : 0.28
          });
          setAttributes(links[i], {
            d: `M${x} ${y}L${at(spots[near[i]])}`,
            stroke: home[i] ? colour : 'currentColor',
            'stroke-width': home[i] ? 1.5 : 2.5,
            'stroke-dasharray': home[i] ? '' : '3 4',
            opacity: clear * (home[i] ? 0.6 : 1)
          });
          setAttributes(grip, { cx: x, cy: y });
          setAttributes(shape, {
            transform: `translate(${x} ${y})`,
            fill: between ? 'var(--page)' : colour,
            'fill-opacity': between ? 0.5 : 0.8,
            stroke: colour
          });
          shape.style.display = picked ? 'none' : '';
          if (picked)
            setAttributes(crown, {
              d: shape.getAttribute('d'),
              transform: `translate(${x} ${y})scale(1.3)`,
              fill: between ? 'var(--page)' : colour
            });
          setAttributes(g, { 'aria-label': sentences[id(i)] });
          announce(g, `${told(layer)}, ${layer}`, layer, 0, last);
        });
        let seen = [-99, -99];
        stations.forEach((g, l) => {
          const [x, y] = at(places[l][id(point)]),
            // else one number would lie on another
            free = l > 0 && Math.hypot(x - seen[0], y - seen[1]) > 13;
          setAttributes(g, { transform: `translate(${x} ${y})` });
          g.style.display = l < layer - 0.3 && l > 0 ? '' : 'none';
          setText(g.lastChild, free ? l : '');
          if (free) seen = [x, y];
        });
        setText(title, `its cosines, ${told(whole)}`);
        strip.style.opacity = 0.25 + 0.75 * clear;
        bars.forEach(({ g, bar }, j) => {
          g.style.display = j == point ? 'none' : '';
          setAttributes(bar, {
            y: B - H * cosines[j],
            height: H * cosines[j],
            'fill-opacity': j == near[point] ? 1 : 0.5
          });
        });
        const j = near[point],
          m = NAMES.indexOf(meanings[j]);
        setAttributes(ring, {
          transform: `translate(${16 + 102 * m + 14 * order[m].indexOf(j) + 6.5} ${B - H * cosines[j]})`
        });
        columns.forEach((text, k) => {
          setText(text, `up to ${fixed(best[k], 2)}`);
          text.classList.toggle('title', best[k] > Math.max(...best) - 1e-9);
        });
      };
    },

    table({ sentence, cosines }, { sentences, meanings, N }) {
      return {
        title: `Cosines with "${sentence}"`,
        corner: 'sentence',
        rows: sentences.slice(0, N),
        columns: ['meaning', 'cosine'],
        values: cosines.map((cosine, k) => [meanings[k], cosine])
      };
    }
  });
})();
