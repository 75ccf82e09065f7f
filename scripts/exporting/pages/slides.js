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
