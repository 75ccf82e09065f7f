// Equations in $…$ and $$…$$. ipywidgets' html-manager knows MathJax 2 only: its calls find an empty queue.
const Hub = { Queue() {} };
window.MathJax = {
  Hub,
  tex: { inlineMath: [["$", "$"], ["\\(", "\\)"]] },
  startup: { ready() { MathJax.startup.defaultReady(); MathJax.Hub = Hub; } },
};
