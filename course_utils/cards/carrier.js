// Cards that came before the script that wakes them wait in a list; those that come later are woken as they come.
((window.courseCards ??= {}).part = (name, wake) => {
  const all = window.courseCards, waiting = all[name], push = ([at, data]) => {
    const host = at.tagName == "SCRIPT" ? at.previousElementSibling : at;
    host.querySelector(".course-asleep")?.remove();
    wake(host, data);
  };
  all[name] = { push };
  if (Array.isArray(waiting)) waiting.forEach(push);
});
