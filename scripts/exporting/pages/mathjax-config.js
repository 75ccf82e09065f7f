// Equations in $…$ and $$…$$.
window.MathJax = {
  options: { enableMenu: false }, // the menu makes each equation a stop of Tab without a name
  tex: {
    inlineMath: [
      ['$', '$'],
      ['\\(', '\\)']
    ]
  },
  startup: {
    // An equation that is wider than its page scrolls sideways; only such a one is a stop of Tab.
    pageReady: () =>
      MathJax.startup.defaultPageReady().then(() => {
        for (const equation of document.querySelectorAll('.bd-content mjx-container')) {
          if (equation.scrollWidth < equation.clientWidth + 12) continue; // a few pixels are rounding
          equation.tabIndex = 0;
          equation.setAttribute('role', 'group');
          equation.setAttribute('aria-label', 'equation, scrolls sideways');
        }
      })
  }
};
