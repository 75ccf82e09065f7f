// Ribbons beside a table of weights; ribbons.py says what they show. 16 units of the picture are
// 1em of the page.
courseCards.part('ribbons', (host, { weights, rows, columns }) => {
  const box = host.querySelector('.course-ribbons'),
    table = box.querySelector('table'),
    NONE = [-1, -1];
  function add(parent, tag, attributes, text = '') {
    const element = document.createElementNS(
      parent.namespaceURI.endsWith('svg') || tag == 'svg'
        ? 'http://www.w3.org/2000/svg'
        : 'http://www.w3.org/1999/xhtml',
      tag
    );
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    element.textContent = text;
    return parent.appendChild(element);
  }
  const said = weights.map((row, i) =>
    row.map((_, j) => table.rows[i + 1].cells[j + 1].textContent)
  );
  const cut = x => +x.toFixed(2);
  const sum = x => x.reduce((a, b) => a + b, 0),
    column = j => weights.map(row => row[j]),
    longest = Math.max(...[...rows, ...columns].map(word => word.length));
  const slot = Math.max(104, 9 * longest + 40),
    most = Math.max(rows.length, columns.length),
    width = slot * most,
    top = 36,
    bottom = 206;
  const unit = (slot - 20) / Math.max(1, ...columns.map((_, j) => sum(column(j)))),
    middle = (i, all) => (width - slot * all) / 2 + slot * (i + 0.5);

  const both = add(box, 'div', {
    style: 'display:flex;flex-wrap:wrap;gap:.6em 3em;align-items:center'
  });
  const svg = add(both, 'svg', {
    viewBox: `0 0 ${width} 256`,
    'aria-hidden': true,
    style: `width:${width / 16}em;max-width:100%;height:auto;font:16px system-ui,sans-serif;flex:none`
  });
  both.append(table);
  table.style.fontSize = 'min(1.1em,4vw)';
  for (const cell of table.querySelectorAll('th,td'))
    cell.style.padding = '.55em clamp(.2em,1.5vw,1em)';
  const told = add(box, 'p', {
    class: 'course-told',
    style: 'margin:.35em 0;min-height:2.9em;line-height:1.45'
  });

  const parts = []; // [element, lit(i, j), strength: [as it rests, lit, dimmed]]
  const point = (element, i, j) => {
    element.addEventListener('pointerenter', () => light(i, j));
    element.addEventListener(
      'pointerleave',
      event => event.pointerType == 'touch' || light(...NONE)
    );
  };
  const word = (text, x, y, i, j) => {
    const g = add(svg, 'g', { style: 'cursor:default' }),
      length = unit * (j < 0 ? sum(weights[i]) : sum(column(j)));
    add(g, 'rect', {
      x: x - slot / 2,
      y: j < 0 ? 0 : bottom,
      width: slot,
      height: top,
      fill: 'transparent'
    });
    add(g, 'text', { x, y, 'text-anchor': 'middle', fill: 'currentColor' }, text);
    add(g, 'rect', {
      x: x - length / 2,
      y: j < 0 ? top - 7 : bottom,
      width: length,
      height: 7,
      rx: 2,
      fill: 'HUE'
    });
    point(g, i, j);
    return add(g, 'text', {
      x,
      y: y + 20,
      'text-anchor': 'middle',
      fill: 'currentColor',
      style: 'font-size:14px;font-variant-numeric:tabular-nums'
    });
  };
  rows.forEach((text, i) => word(text, middle(i, rows.length), 20, i, -1));
  const shares = columns.map((text, j) =>
    word(text, middle(j, columns.length), bottom + 26, -1, j)
  );
  const from = rows.map((_, i) => middle(i, rows.length) - (unit * sum(weights[i])) / 2),
    to = columns.map((_, j) => middle(j, columns.length) - (unit * sum(column(j))) / 2);
  weights
    .flatMap((row, i) =>
      row.map((w, j) => {
        const wide = unit * w,
          a = from[i],
          b = to[j],
          y = (top + bottom) / 2;
        from[i] += wide;
        to[j] += wide;
        return [
          wide,
          i,
          j,
          `M${cut(a)} ${top}C${cut(a)} ${y} ${cut(b)} ${y} ${cut(b)} ${bottom}h${cut(wide)}C${cut(b + wide)} ${y} ${cut(a + wide)} ${y} ${cut(a + wide)} ${top}Z`
        ];
      })
    )
    .sort((one, other) => other[0] - one[0])
    .forEach(([, i, j, d]) => {
      // the thin ones lie on top, where the mouse finds them
      const path = add(svg, 'path', {
        d,
        fill: 'HUE',
        'data-at': [i, j],
        style: 'transition:opacity .15s'
      });
      point(path, i, j);
      parts.push([path, i, j, [0.45, 0.95, 0.1]]);
    });
  [...table.rows].slice(1).forEach((line, i) => {
    const [head, ...cells] = line.cells;
    head.tabIndex = 0;
    head.style.verticalAlign = 'middle';
    head.addEventListener('focus', () => {
      light(i, -1);
      courseCards.say(told.textContent);
    });
    head.addEventListener('blur', () => light(...NONE));
    point(head, i, -1);
    cells.forEach((cell, j) => {
      point(cell, i, j);
      parts.push([cell, i, j, [1, 1, 0.35]]);
    });
  });
  [...table.rows[0].cells].slice(1).forEach((head, j) => point(head, -1, j));

  function light(i, j) {
    const all = i < 0 && j < 0,
      lit = (k, m) => (i < 0 || i == k) && (j < 0 || j == m);
    parts.forEach(
      ([element, k, m, [rest, on, off]]) =>
        (element.style.opacity = all ? rest : lit(k, m) ? on : off)
    );
    shares.forEach(
      (text, m) =>
        (text.textContent =
          all || (j >= 0 && j != m) ? '' : i < 0 ? sum(column(m)).toFixed(2) : said[i][m])
    );
    const list = (names, k, m) =>
      names.map((name, n) => `${name} ${said[k ?? n][m ?? n]}`).join(', ');
    told.textContent = all
      ? 'Above who asks, below who answers; a ribbon is as wide as its weight. Point at a word, a ribbon or a cell.'
      : j < 0
        ? `${rows[i]} gives ${list(columns, i)}.`
        : i < 0
          ? `${columns[j]} gets ${list(rows, null, j)}: ${sum(column(j)).toFixed(2)} in all.`
          : `${rows[i]} gives ${columns[j]} ${said[i][j]}.`;
  }
  light(...NONE);
});
