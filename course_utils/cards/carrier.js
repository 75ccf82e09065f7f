// Cards that came before the script that wakes them wait in a list; those that come later are woken
// as they come.
{
  const cards = (window.courseCards ??= {}),
    config = document.getElementById('jupyter-config-data'),
    kept = {};
  // what a server that serves notebooks says of itself
  cards.config = config ? JSON.parse(config.textContent) : {};
  cards.part = (name, wake) => {
    const waiting = cards[name],
      push = ([at, data]) => {
        const host = at.tagName == 'SCRIPT' ? at.previousElementSibling : at;
        host.querySelector('.course-asleep')?.remove();
        wake(host, data);
      };
    cards[name] = { push };
    if (Array.isArray(waiting)) waiting.forEach(push);
  };

  // The one voice of all cards and instruments: what a person did is answered here, once, when a
  // screen reader finds time. Nobody calls it while a page loads. It stands there before it speaks,
  // because a region that comes with its first words is often not heard. Two answers that come
  // together are both heard. Who reads to the end of the page later finds none of it.
  const voice =
    document.getElementById('course-voice') ??
    Object.assign(document.createElement('div'), {
      id: 'course-voice',
      role: 'status',
      ariaAtomic: 'false',
      style: 'position:fixed;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)'
    });
  const stand = () => voice.isConnected || document.body.append(voice);
  document.body ? stand() : addEventListener('DOMContentLoaded', stand); // from a page's head
  cards.say = text => {
    if (!text) return;
    const said = voice.appendChild(document.createElement('p'));
    said.textContent = text;
    setTimeout(() => said.remove(), 20000);
  };

  // What stands in an element is said without its signs, buttons and figures: words tell the same.
  // more: a sentence after it, in the same breath.
  cards.speak = (element, more = '') => {
    const words = element.cloneNode(true);
    words.querySelectorAll('[aria-hidden], [role=img], button, svg').forEach(one => one.remove());
    const parts = words.children.length ? [...words.children] : [words];
    const said = parts.map(one => one.textContent.trim().replace(/\s+/g, ' ')).filter(one => one);
    cards.say(`${said.join('. ').replace(/([.?!:])\. /g, '$1 ')} ${more}`.trim());
  };
  // The answer to what a reader has just run: not while a page loads, and in JupyterLab not where a
  // stored output is shown again, whose cell runs no more.
  cards.answer = host => {
    const prompt = host.closest('.jp-Cell')?.querySelector('.jp-InputPrompt')?.textContent;
    if (document.readyState == 'loading' || (prompt && !prompt.includes('*'))) return;
    host.querySelectorAll('.course-spoken').forEach(one => cards.speak(one));
  };
  cards.part('spoken', cards.answer);

  // Keys pressed in a card are its own, but for those that run its cell; in a long text they
  // begin a line.
  addEventListener(
    'keydown',
    event => {
      const own = 'data-lm-suppress-shortcuts',
        card = event.target.closest(`[${own}]`),
        flip = () => card.toggleAttribute(own),
        runs = event.key == 'Enter' && (event.shiftKey || event.ctrlKey);
      if (!card || !runs || event.target.matches('textarea')) return;
      event.stopPropagation = () => {}; // nor does the card keep it
      flip();
      setTimeout(flip);
    },
    true
  );

  // What a reader did is kept in the browser, apart for each place that serves notebooks:
  // cards.keep(name, anything but a function).
  const place = name => `course:${cards.config.baseUrl ?? ''}:${name}`;
  cards.recall = name => {
    try {
      return JSON.parse(localStorage[place(name)]);
    } catch {
      return kept[name] ?? {};
    }
  };
  cards.keep = (name, what) => {
    kept[name] = what;
    try {
      localStorage[place(name)] = JSON.stringify(what);
    } catch {
      /* a page that may keep nothing */
    }
    dispatchEvent(new Event('course-kept'));
  };
}
