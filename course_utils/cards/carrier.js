// Cards that came before the script that wakes them wait in a list; those that come later are woken as they come.
{
  const cards = window.courseCards ??= {}, config = document.getElementById("jupyter-config-data"), kept = {};
  cards.config = config ? JSON.parse(config.textContent) : {};       // what a server that serves notebooks says of itself
  cards.part = (name, wake) => {
    const waiting = cards[name], push = ([at, data]) => {
      const host = at.tagName == "SCRIPT" ? at.previousElementSibling : at;
      host.querySelector(".course-asleep")?.remove();
      wake(host, data);
    };
    cards[name] = { push };
    if (Array.isArray(waiting)) waiting.forEach(push);
  };

  // What a reader did is kept in the browser, apart for each place that serves notebooks: cards.keep(name, anything but a function).
  const place = name => `course:${cards.config.baseUrl ?? ""}:${name}`;
  cards.recall = name => {
    try { return JSON.parse(localStorage[place(name)]); } catch { return kept[name] ?? {}; }
  };
  cards.keep = (name, what) => {
    kept[name] = what;
    try { localStorage[place(name)] = JSON.stringify(what); } catch { /* a page that may keep nothing */ }
    dispatchEvent(new Event("course-kept"));
  };
}
