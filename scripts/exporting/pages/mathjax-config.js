// Equations in $…$ and $$…$$.

// An equation that is wider than its page scrolls sideways; only such a one is a stop of Tab.
const stopAtWideEquations = () => {
  for (const equation of document.querySelectorAll('.bd-content mjx-container')) {
    const isWide = equation.scrollWidth >= equation.clientWidth + 12; // a few pixels are rounding
    const said = { tabindex: 0, role: 'group', 'aria-label': 'equation, scrolls sideways' };
    for (const [name, value] of Object.entries(said)) {
      if (isWide) equation.setAttribute(name, value);
      else equation.removeAttribute(name);
    }
  }
};

window.MathJax = {
  options: { enableMenu: false }, // the menu makes each equation a stop of Tab without a name
  tex: {
    inlineMath: [
      ['$', '$'],
      ['\\(', '\\)']
    ]
  },
  startup: {
    pageReady: () =>
      MathJax.startup.defaultPageReady().then(() => {
        stopAtWideEquations();
        window.addEventListener('resize', stopAtWideEquations);
      })
  }
};
