// Equations in $…$ and $$…$$.
window.MathJax = { tex: { inlineMath: [["$", "$"], ["\\(", "\\)"]] } };
