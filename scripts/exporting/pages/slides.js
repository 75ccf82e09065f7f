// On a slide an instrument is its picture: the words below it are read aloud, and not shown.
const still = new CSSStyleSheet();
still.replaceSync(
  '.words { display: none } .told { min-height: 1.5em !important; margin: .1em 0 }'
);
for (const { shadowRoot } of document.querySelectorAll('.course-instrument'))
  shadowRoot.adoptedStyleSheets.push(still);

Reveal.initialize({
  width: 1280,
  height: 720,
  margin: 0,
  minScale: 0.2,
  center: false,
  hash: true,
  transition: 'none',
  navigationMode: 'linear', // an arrow leaves out no slide and no step
  slideNumber: 'h.v',
  // Arrows in an instrument move its parts. A key of the speaker's window has no target.
  keyboardCondition: event =>
    !event.target?.closest?.('.course-instrument, input, button, summary'),
  plugins: [RevealNotes]
});

Reveal.addKeyBinding(
  { keyCode: 67, key: 'C', description: 'All the code behind this slide' },
  () => {
    Reveal.getRevealElement().classList.toggle('with-code');
    if (/receiver/.test(location.search))
      // in the speaker's window: on the wall, too
      top.opener?.postMessage(JSON.stringify({ method: 'triggerKey', args: [67] }), '*');
  }
);

// Letters are as large as the slide allows, between two sizes; what stands on it hangs on them. A
// line of code never breaks for it.
const COLUMN = 0.61 * 0.786,
  WIDTH = 1150; // a character of code in letters' sizes; the room for a line
function sizes(slide) {
  if (slide.querySelector('.question, .answer')) return [38, 32];
  if (slide.querySelector('.course-instrument')) return [30, 11];
  if (slide.querySelector('.jp-RenderedHTML [role=group]')) return [34, 24];
  const code = [...slide.querySelectorAll('pre:not(.all-code)')]
    .flatMap(pre => pre.textContent.split('\n'))
    .map(line => line.length);
  return [Math.max(28, Math.min(36, Math.floor(WIDTH / COLUMN / Math.max(1, ...code)))), 28];
}
const stands = slide => slide.scrollHeight <= 720 && slide.scrollWidth <= 1280;
function fit(from = Infinity) {
  const slide = Reveal.getCurrentSlide();
  if (!slide) return;
  const [largest, smallest] = sizes(slide);
  let size = Math.min(from, largest);
  for (
    slide.style.fontSize = `${size}px`;
    size > smallest && !stands(slide);
    slide.style.fontSize = `${size}px`
  )
    size--;
}
const watch = new ResizeObserver(() => {
  const slide = Reveal.getCurrentSlide();
  // equations are set, or what the hand did made it grow
  if (!stands(slide)) fit(parseInt(slide.style.fontSize));
});
// Tab and a screen reader stay on the slide that is shown. Who looks at all slides may press each.
function hideOthers(all) {
  for (const slide of Reveal.getSlides()) slide.inert = !all && slide != Reveal.getCurrentSlide();
}
Reveal.on('overviewshown', () => hideOthers(true));
Reveal.on('overviewhidden', () => hideOthers(false));
// On a phone the slides are one page that scrolls: keys move it once it has the focus.
new MutationObserver(() => {
  if (document.body.classList.contains('reveal-scroll')) document.body.tabIndex = 0;
  else document.body.removeAttribute('tabindex');
}).observe(document.body, { attributeFilter: ['class'] });
for (const name of ['ready', 'slidechanged'])
  Reveal.on(name, () => {
    Reveal.getRevealElement().classList.remove('with-code');
    document.activeElement.blur(); // an instrument that is gone hears no arrow any more
    watch.disconnect();
    hideOthers(Reveal.isOverview());
    fit();
    for (const part of Reveal.getCurrentSlide()?.children ?? []) watch.observe(part);
    // an instrument chooses its plan once it is seen: then there may be room for larger letters
    requestAnimationFrame(() => requestAnimationFrame(() => fit()));
  });
