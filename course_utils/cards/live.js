// Predictions, quizzes and readings. Each card's words stand in the page already; here they come
// alive: a list of options becomes buttons.
(() => {
  const CSS = `.course-options{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,17em),1fr));gap:5px 8px;margin:.5em 0;>*{display:flex!important;gap:.6em!important}}
button.course-button.course-button{
all:unset;box-sizing:border-box;cursor:pointer;color:inherit;font:inherit;line-height:1.4;border:1.5px solid color-mix(in srgb,currentColor 50%,transparent);border-radius:6px;padding:.35em .7em;
&:hover:not([aria-disabled]){background:color-mix(in srgb,currentColor 9%,transparent)}
&:focus-visible{outline:3px solid currentColor;outline-offset:2px}
&[hidden]{display:none}
&[aria-disabled]{cursor:default}
&[aria-pressed]{border-color:currentColor;box-shadow:inset 0 0 0 1.5px currentColor}
&.course-good{border-color:LEAN_GOOD;background:color-mix(in srgb,GOOD 12%,transparent)}
&.course-bad{border:1.5px dashed LEAN_BAD;box-shadow:none}
>i{margin-inline-start:auto;font-style:normal}}
.course-good>i,.course-yes{color:LEAN_GOOD;font-weight:bold}.course-bad>i,.course-no{color:LEAN_BAD;font-weight:bold}
.course-said p{margin:.35em 0}
@media(width<30em){.mathjax_ignore :is(td[style*=mix],th){padding-inline:.15em!important}.mathjax_ignore td[style*=mix]{overflow-wrap:normal}}`;
  document.getElementById('course-cards')?.remove();
  add(document.head, 'style', { id: 'course-cards' }, CSS);

  function add(parent, tag, attributes, html = '') {
    const element = document.createElement(tag);
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    element.innerHTML = html;
    return parent.appendChild(element);
  }
  const button = (parent, html, press) => {
    const made = add(parent, 'button', { type: 'button', class: 'course-button' }, html);
    made.onclick = () => made.ariaDisabled || press();
    return made;
  };
  const YES = '<span class=course-yes aria-hidden=true>✓</span> ',
    NO = '<span class=course-no aria-hidden=true>✗</span> ';
  const letter = i => 'ABCDEFGH'[i];

  // A list of options as buttons, and below it a place for what is said of them. pressed(i) is
  // called for those not yet done with.
  function ask(list, pressed) {
    const texts = [...list.children].map(item => item.innerHTML),
      place = list.parentNode;
    const question = place.querySelectorAll('.course-asked');
    const group = add(place, 'div', {
      class: 'course-options',
      role: 'group',
      // who comes by Tab hears the question before the first option
      'aria-label': [...question].map(one => one.textContent).join(' ')
    });
    const said = add(place, 'div', { class: 'course-said' });
    list.replaceWith(group);
    group.after(said);
    const buttons = texts.map((text, i) =>
      button(group, `<b>${letter(i)}</b><span>${text}</span>`, () => pressed(i))
    );
    const done = i => (buttons[i].ariaDisabled = true);
    return {
      texts,
      buttons,
      said,
      done,
      lock: () => buttons.forEach((_, i) => done(i)),
      mark(i, right) {
        buttons[i].classList.add(right ? 'course-good' : 'course-bad');
        if (!buttons[i].querySelector('i'))
          add(
            buttons[i],
            'i',
            { role: 'img', 'aria-label': right ? 'right' : 'wrong' },
            right ? '✓' : '✗'
          );
      }
    };
  }

  // What was predicted is kept in the browser: {option: its text, letter: its place, questions: the
  // edition in which it has that place,
  // told: was it said what came out}. The text counts: where another edition has it at another
  // place, the card moves the letter as it wakes.
  const { keep, recall } = courseCards,
    waits = {};

  // In a live notebook: what stands before the next code cell, "[ ]:", "[*]:" or "[7]:"; elsewhere
  // nothing.
  function prompt(host) {
    return next(host)?.querySelector('.jp-InputPrompt')?.textContent;
  }
  function next(host) {
    let cell =
      document.getElementById('jupyter-config-data') &&
      host.closest('.jp-Cell')?.nextElementSibling;
    while (cell && !cell.matches('.jp-CodeCell')) cell = cell.nextElementSibling;
    return cell;
  }
  const failed = host => next(host).querySelector('[data-mime-type$="jupyter.error"]');

  courseCards.part('predict', (host, [name, questions, right, why]) => {
    const { texts, buttons, said, lock, mark } = ask(host.querySelector('ol'), i => {
      choose(i);
      show();
      courseCards.speak(said);
    });
    const choose = i =>
      keep(name, { ...recall(name), option: texts[i], letter: letter(i), questions });
    const chosen = () => texts.indexOf(recall(name).option);
    const tell = () => {
      clearInterval(waits[name]);
      keep(name, { ...recall(name), told: true });
      show();
      courseCards.speak(said);
    };
    const show = () => {
      const { told } = recall(name),
        i = chosen();
      let before = prompt(host);
      if (i < 0) return;
      lock();
      buttons[i].ariaPressed = true;
      if (told) {
        mark(right, true);
        if (i != right) mark(i);
        said.innerHTML =
          i == right
            ? `<p>${YES}<b>It came out as you said.</b> ${why[i]}`
            : `<p>${NO}<b>You said ${letter(i)}.</b> ${why[i]}<p>${YES}<b>It came out as ${letter(right)}.</b> ${why[right]}`;
        return;
      }
      said.innerHTML = `<p>${letter(i)} is kept.`;
      if (before && !/\d/.test(before))
        said.firstChild.append(' Run the next code cell: what it shows decides.');
      else {
        said.firstChild.append(' The button below shows what was right.');
        button(said, 'Show what was right', () => {
          tell();
          buttons[i].focus();
        });
      }
      clearInterval(waits[name]);
      waits[name] = setInterval(() => {
        const now = prompt(host);
        if (now == before || !/\d/.test(now)) return;
        if (!failed(host)) return tell();
        before = now;
        courseCards.say(`The next cell stopped with an error. ${letter(i)} is still kept.`);
      }, 250);
    };
    if (chosen() >= 0) choose(chosen());
    show();
  });

  courseCards.part('predictions', (host, [name, questions, count, asked]) => {
    const list = host.querySelector('ol'),
      sum = add(host, 'p', {}),
      texts = [...list.children].map(item => item.innerHTML);
    const readings = () =>
      [...(host.closest('.jp-Notebook') ?? document).querySelectorAll('[data-reading]')].map(
        one => one.dataset.reading
      );
    const again = button(list.parentNode, 'Forget my answers', () => {
      [...asked.map(([key]) => key), `quiz:${name}`, ...readings()].forEach(key => keep(key, {}));
      sum.textContent =
        'Forgotten in this browser. Run the notebook again, or load the page again, to answer anew.';
      courseCards.say(sum.textContent);
    });
    const show = () => {
      let told = 0,
        right = 0;
      asked.forEach(([key, best], i) => {
        const { option, told: yes } = recall(key),
          hit = option == best;
        if (yes) (told++, (right += hit));
        list.children[i].innerHTML =
          `${texts[i]}<br>` +
          (!option
            ? '○ Not predicted.'
            : !yes
              ? `○ You said: ${option}<br>○ What came out is not told yet.`
              : hit
                ? `${YES}You said so: ${option}`
                : `${NO}You said: ${option}<br>${YES}It came out: ${best}`);
      });
      sum.innerHTML = told
        ? `<b>${right} of ${told} as it came out.</b>`
        : 'What you predict is summed up here.';
      again.hidden = !told && ![`quiz:${name}`, ...readings()].some(key => recall(key).letters);
    };
    list.before(sum);
    list.after(again);
    addEventListener('course-kept', show);
    show();
    const keys = asked.map(([key]) => key),
      place = add(list.parentNode, 'div', {});
    (courseCards.answers ??= []).push([place, { name, questions, count, keys, add, button }]);
  });

  // Questions that answer at once and let try again: a quiz, or one reading. The clicks are kept,
  // too: {texts: of what was clicked, a list a
  // question; letters: the same; questions: as above}. A slide shows none of them: its next
  // audience answers anew.
  function answerAtOnce(host, key, questions, answers, typed) {
    const before = host.closest('.reveal') ? [] : (recall(key).texts ?? []),
      clicks = answers.map(() => []),
      sum = host.querySelector('.course-sum');
    const cards = [...host.querySelectorAll('ol')].map((list, q) =>
      ask(list, i => {
        press(q, i);
        remember();
        courseCards.speak(cards[q].said, sum?.textContent);
      })
    );
    const press = (q, i) => {
      const [right, why] = answers[q],
        { said, done, lock, mark } = cards[q],
        hit = i == right;
      clicks[q].push(i);
      mark(i, hit);
      hit ? lock() : done(i);
      said.innerHTML = `<p>${hit ? `${YES}<b>Right.</b>` : `${NO}<b>Not right.</b>`} ${why[i]}`;
      if (sum && clicks.every((some, k) => some.includes(answers[k][0])))
        sum.textContent = `${clicks.filter((some, k) => some[0] == answers[k][0]).length} of ${answers.length} right at the first try.`;
    };
    const remember = () =>
      keep(key, {
        questions,
        letters: clicks.map(some => some.map(letter)),
        texts: clicks.map((some, q) => some.map(i => cards[q].texts[i]))
      });
    cards.forEach(({ texts }, q) =>
      [...(before[q]?.map(text => texts.indexOf(text)) ?? []), ...(typed ?? [])].forEach(
        i => i < 0 || clicks[q].includes(i) || clicks[q].includes(answers[q][0]) || press(q, i)
      )
    );
    if (before.some(some => some.length)) remember();
  }
  courseCards.part('quiz', (host, [name, questions, answers]) =>
    answerAtOnce(host, `quiz:${name}`, questions, answers)
  );
  courseCards.part('reading', (host, [name, answers, typed]) => {
    host.dataset.reading = `reading:${name}`;
    courseCards.answer(host);
    answerAtOnce(host, `reading:${name}`, 0, answers, typed == null ? [] : [typed]);
  });
})();
