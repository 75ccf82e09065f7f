// What a prediction is about is folded by site.py. It opens as soon as the reader has voted, on
// this visit or an earlier one.
addEventListener('DOMContentLoaded', () => {
  const folds = new Map(); // a prediction's name -> the fold of its outcome
  for (const cell of document.querySelectorAll('[class*=tag_outcome-]')) {
    const fold = cell.querySelector('details');
    fold.querySelector('summary').removeAttribute('aria-label'); // its words say what it opens
    folds.set(cell.className.match(/tag_outcome-(\w+)/)[1], fold);
  }
  const openVoted = () =>
    folds.forEach((fold, name) => {
      if (!globalThis.courseCards?.recall(name).option) return;
      fold.open = true;
      folds.delete(name); // once: who folds it again means it
    });
  addEventListener('course-kept', openVoted);
  openVoted();
});
