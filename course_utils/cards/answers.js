// What was answered, put into a file beside the notebook where the reader agrees; a part of the
// card that sums up the predictions.
// The page writes it by itself, through the server that it came from: no kernel and no extension
// has a hand in it.
courseCards.part('answers', (host, { name, questions, count, keys, add, button }) => {
  if (host.closest('.reveal')) return; // a slide is for a room, not for one reader
  const { config, keep, recall } = courseCards,
    file = `${name}.answers.json`,
    here = `answers:${name}`;
  // {open: the free text, path: the file, once the reader agreed}
  const change = what => keep(here, { ...recall(here), ...what });

  const label = add(
    host,
    'label',
    { style: 'display:block;margin:.9em 0 .4em;font-weight:600' },
    'What is still unclear to you?'
  );
  const field = add(label, 'textarea', {
    rows: 3,
    maxlength: 2000,
    style:
      'display:block;box-sizing:border-box;width:100%;margin:.3em 0;padding:.35em .5em;' +
      'font:inherit;font-weight:400;color:inherit;background:0;border:1.5px solid color-mix(in srgb,currentColor 50%,transparent);border-radius:6px;resize:vertical'
  });
  field.value = recall(here).open ?? '';
  field.oninput = () => change({ open: field.value });

  const mine = () => {
    const predictions = {},
      quiz = recall(`quiz:${name}`),
      { open = '' } = recall(here);
    for (const key of keys) {
      const { letter, questions: edition } = recall(key);
      if (letter && edition == questions) predictions[key.slice(key.indexOf('_') + 1)] = letter;
    }
    return {
      notebook: name,
      questions,
      predictions,
      quiz: Array.from(
        { length: count },
        (_, q) => (quiz.questions == questions && quiz.letters[q]) || []
      ),
      open
    };
  };
  const written = answers => JSON.stringify(answers, null, 1) + '\n';

  const about = add(host, 'p', {}),
    said = add(host, 'div', { class: 'course-said', style: 'margin:.4em 0' });
  const say = text => {
    if (said.textContent == text) return;
    said.textContent = text;
    courseCards.say(text);
  };
  const WHAT = 'your predictions, your quiz answers and the words above';
  function offer() {
    if (host.querySelector('a')) return;
    const link = add(
      add(host, 'p', {}),
      'a',
      { href: '#', download: file, style: 'color:inherit;text-decoration:underline' },
      `Download ${file}`
    );
    link.onclick = () => {
      URL.revokeObjectURL(link.href);
      link.href = URL.createObjectURL(new Blob([written(mine())], { type: 'application/json' }));
    };
  }
  if (!config.baseUrl || config.litePluginSettings) {
    about.textContent = `This page cannot put your answers beside a notebook. The download holds ${WHAT}.`;
    return offer();
  }

  // The server's answer as JSON; nothing where there is no such file; an error that says why.
  async function server(path, method = 'GET', content) {
    const [, xsrf] = document.cookie.match(/\b_xsrf=([^;]*)/) ?? [],
      headers = {};
    if (xsrf) headers['X-XSRFToken'] = xsrf;
    if (config.token) headers.Authorization = `token ${config.token}`;
    const body = content && JSON.stringify({ type: 'file', format: 'text', content });
    const answer = await fetch(`${config.baseUrl}api/${path}`, {
      method,
      headers,
      body,
      cache: 'no-store'
    }).catch(() => {
      throw 'the server does not answer';
    });
    const found = await answer.json().catch(() => ({}));
    if (answer.ok) return found;
    if (answer.status != 404 || body) throw found.message || `the server answers ${answer.status}`;
  }
  const contents = path => 'contents/' + path.split('/').map(encodeURIComponent).join('/');

  // The folder of the notebook in which this card stands: as its tab in JupyterLab says, "Name: …",
  // "Path: …", in any language;
  // as the address says, where one notebook is open; or that of the one notebook of this name that
  // runs.
  async function folder() {
    const panel = host.closest('.jp-NotebookPanel'),
      tab = panel && document.querySelector(`.lm-TabBar-tab[data-id="${panel.id}"]`);
    let path = tab?.title.split('\n')[1]?.match(/[:：]\s*(.+\.ipynb)$/)?.[1];
    if (document.querySelectorAll('.jp-NotebookPanel').length == 1)
      path ??= decodeURIComponent(location.pathname.slice(config.baseUrl.length)).match(
        /^(?:(?:lab|doc)(?:\/workspaces\/[^/]+)?\/tree|notebooks)\/(.+\.ipynb)$/
      )?.[1];
    if (!path) {
      const open = (await server('sessions'))
        .map(session => session.path)
        .filter(one => one.split('/').pop().startsWith(name));
      if (new Set(open).size != 1) throw 'this page does not tell where the notebook lies';
      path = open[0];
    }
    return path.replace(/^RTC:/, '').replace(/[^/]*$/, '');
  }

  // What stands in the file and was not answered in this browser stays. Later on, a file that is
  // gone was taken back elsewhere.
  async function write(path, first) {
    const there = await server(contents(path) + '?type=file&format=text'),
      answers = mine(),
      own = written(answers);
    if (!there && !first) {
      change({ path: '' });
      return 'The file is gone, so nothing more is written.';
    }
    let before = {};
    try {
      before = JSON.parse(there.content);
    } catch {
      /* there is none, or another's */
    }
    if (before.questions == questions) {
      answers.predictions = { ...before.predictions, ...answers.predictions };
      answers.quiz = answers.quiz.map((some, q) => (some.length ? some : (before.quiz?.[q] ?? [])));
      answers.open = recall(here).open ?? before.open;
    }
    if (there?.content != written(answers)) await server(contents(path), 'PUT', written(answers));
    last = own;
    change({ path });
    return `Your answers stand in ${path}. What you answer from now on is written there, too.`;
  }

  let last,
    turn = Promise.resolve();
  const act = what =>
    (turn = turn.then(what).then(say, error => {
      say(`That did not work: ${error.message ?? error}. Your answers are kept in this browser.`);
      offer();
    }));
  const press = what => async () => {
    clearTimeout(timers[name]);
    both.forEach(one => (one.ariaDisabled = true));
    await act(what);
    setTimeout(() => both.forEach(one => (one.ariaDisabled = null)), 500); // a double click is one
    both.find(one => !one.hidden).focus();
  };
  const put = button(
    host,
    'Put my answers beside the notebook',
    press(async () => write((await folder()) + file, true))
  );
  const back = button(
    host,
    'Take them back',
    press(async () => {
      await server(contents(recall(here).path), 'DELETE');
      change({ path: '' });
      return 'The file is deleted, and nothing more is written.';
    })
  );
  const both = [put, back],
    timers = (courseCards.timers ??= {});
  const show = () => {
    const { path } = recall(here),
      now = written(mine());
    put.hidden = path;
    back.hidden = !path;
    about.textContent = path
      ? ''
      : `The button writes ${WHAT} to ${file}, now and as you go on. Whoever may open the notebook's folder can read it: in a class, your instructor. ` +
        'Until you press it, nothing is written.';
    if (path && now != last) {
      clearTimeout(timers[name]);
      timers[name] = setTimeout(
        () => act(() => recall(here).path && write(recall(here).path)),
        1500
      );
    }
  };
  addEventListener('course-kept', show);
  show();
});
