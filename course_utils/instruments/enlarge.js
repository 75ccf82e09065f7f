// Where places are too small for a finger: a tap shows those round it as buttons, and a second tap
// chooses one. For instruments that ask for it (Instrument.small_places).
(() => {
  const { createElement, setAttributes, setText, clip, rove, PURPLE } = courseKit;
  const STYLE = `.near{position:absolute;z-index:2;left:0;width:100%;max-width:30em;padding:2px;background:var(--page);
border:2px solid ${PURPLE};border-radius:6px;box-shadow:0 2px 8px #0006}.near p{text-align:center;font-weight:600}
.near div{display:grid;gap:1px;align-items:center;text-align:center;font-size:.82em}.near button{min-width:0;min-height:30px;padding:0;border-radius:4px;border-width:1px;white-space:nowrap}
.near button[aria-pressed=true]{border-color:${PURPLE};box-shadow:inset 0 0 0 2px ${PURPLE}}`;

  // columns: their names; tell(row, column) -> [what stands there, its name, is it chosen, style];
  // choose(row, column). Returns open(event, title, rows, row, column), which says whether it
  // opened: it does for a finger, and where the pictures are narrow. rows: [number, name].
  courseKit.enlarge = (stage, columns, tell, choose) => {
    createElement(stage, 'style', {}, STYLE);
    stage.style.position = 'relative';
    const panel = createElement(stage, 'div', { class: 'near', role: 'group' }),
      head = createElement(panel, 'p', {}, ''),
      sheet = createElement(panel, 'div', {
        style: `grid-template-columns:auto repeat(${columns.length},1fr)`
      });
    panel.hidden = true;
    let before;
    const close = () => (panel.hidden = true);
    const leave = () => {
      close();
      (before ?? stage.querySelector('[role=slider]'))?.focus({ preventScroll: true });
    };
    stage
      .getRootNode()
      .addEventListener('pointerdown', event => panel.contains(event.target) || close(), true);
    panel.addEventListener('keydown', event => event.key == 'Escape' && leave());
    return ({ clientX, clientY }, title, rows, row, column) => {
      const { left, top, width, height } = stage.getBoundingClientRect();
      if (width > 540 && !matchMedia('(pointer:coarse)').matches) return false;
      before = stage.getRootNode().activeElement;
      setText(head, title);
      setAttributes(panel, { 'aria-label': title });
      sheet.replaceChildren();
      for (const name of ['', ...columns]) createElement(sheet, 'span', {}, name);
      const buttons = rows.flatMap(([r, name]) => {
        createElement(sheet, 'span', {}, name);
        return columns.map((_, c) => {
          const place = tell(r, c);
          if (!place) return void createElement(sheet, 'span');
          const [text, label, on, style = ''] = place,
            button = createElement(
              sheet,
              'button',
              { type: 'button', 'aria-label': label, 'aria-pressed': on, style },
              text
            );
          button.addEventListener('click', () => {
            leave();
            choose(r, c);
          });
          button.here = r == row && c == column;
          return button;
        });
      });
      rove(buttons.filter(Boolean));
      panel.hidden = false;
      panel.style.left = `${clip(clientX - left - panel.offsetWidth / 2, 0, width - panel.offsetWidth)}px`;
      panel.style.top = `${clip(clientY - top - panel.offsetHeight / 2, 0, height - panel.offsetHeight)}px`;
      buttons.find(button => button?.here)?.focus({ preventScroll: true });
      return true;
    };
  };
})();
