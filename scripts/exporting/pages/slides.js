// The questions of a quiz stand one behind the other: the arrow turns to the next.
for (const quiz of document.querySelectorAll(".course-questions")) {
  const questions = [...quiz.children];
  quiz.classList.add("r-stack");
  questions.forEach((question, i) => {
    question.classList.add("fragment", i ? "current-visible" : "fade-out");
    question.dataset.fragmentIndex = i || 1;
  });
}

Reveal.initialize({
  width: 1280,
  height: 720,
  margin: 0,
  minScale: 0.2,
  center: false,
  hash: true,
  transition: "none",
  slideNumber: "h.v",
  keyboardCondition: event => !event.target.closest(".course-instrument, input, button, summary"),      // arrows in an instrument move its parts
  plugins: [RevealNotes],
});

// What is higher than a slide is drawn smaller, until it fits: an instrument, a table that grew.
function fit() {
  const slide = Reveal.getCurrentSlide();
  if (!slide) return;
  slide.style.zoom = 1;
  for (let i = 0, size = 1; i < 6 && slide.scrollHeight * size > 716; i++) {
    size *= Math.max(0.5, 712 / (slide.scrollHeight * size));
    slide.style.zoom = size;
  }
}
const watch = new ResizeObserver(fit);
for (const name of ["ready", "slidechanged"]) Reveal.on(name, () => {
  watch.disconnect();
  fit();
  for (const part of Reveal.getCurrentSlide()?.children ?? []) watch.observe(part);
});
