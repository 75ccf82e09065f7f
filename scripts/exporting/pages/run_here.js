// A notebook runs inside the page that shows it: JupyterLite in a frame, fetched when the reader
// asks for it and not before. At every moment the reader sees what happens: loading, with its
// seconds; ready; or failed, with the reason. Without scripts a link to JupyterLite stays.
addEventListener('DOMContentLoaded', () => {
  const PATIENCE = 300; // seconds until a start has failed: slow lines fetch 30 MB
  const sleep = milliseconds => new Promise(done => setTimeout(done, milliseconds));

  // The kernel of the notebook in a frame, once there is one.
  const kernelIn = frame =>
    frame.contentWindow?.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel;

  // Wait until the kernel has imported the course's package, or throw why it cannot.
  async function start(address, frame) {
    if (location.protocol == 'file:')
      throw Error('this page was opened as a file; a web server has to send it');
    const answer = await fetch(address, { method: 'HEAD' });
    if (!answer.ok) throw Error(`the notebook's page was not found (${answer.status})`);
    frame.src = address;
    let torn; // what Python said when it could not start; the kernel then never answers
    frame.addEventListener('load', () =>
      frame.contentWindow.addEventListener('unhandledrejection', ({ reason }) => {
        const said = reason?.message ?? `${reason}`; // JupyterLite rejects with words alone
        if (/PythonError|pyodide|Importing a module/.test(`${reason?.name} ${said}`)) torn = said;
      })
    );
    while (frame.isConnected) {
      await sleep(200);
      if (torn) throw Error(`Python could not start (${torn.trim().split('\n').at(-1)})`);
      const kernel = kernelIn(frame);
      if (kernel?.status == 'dead') throw Error('Python ended');
      if (kernel?.status != 'idle') continue;
      const imported = kernel.requestExecute({ code: 'import course_utils', silent: true }),
        { content } = await imported.done;
      if (content.status == 'ok') return;
      throw Error(`the course could not be imported (${content.evalue})`);
    }
  }

  for (const link of document.querySelectorAll('a.run-here')) {
    const button = document.createElement('button'),
      state = document.createElement('p'),
      words = document.createElement('span'),
      clock = document.createElement('span');
    Object.assign(button, {
      type: 'button',
      className: 'run-here',
      textContent: '▶ Run this page'
    });
    state.className = 'run-here-state';
    words.role = 'status';
    clock.ariaHidden = true; // who listens need not hear each second
    state.append(words, clock);
    link.textContent = 'or in a tab of its own';
    link.before(button, ' ');
    link.parentNode.after(state);
    const tell = (name, text) => {
      state.dataset.state = name;
      words.textContent = text;
    };
    button.addEventListener('click', async () => {
      const began = performance.now(),
        seconds = () => Math.floor((performance.now() - began) / 1000),
        frame = document.createElement('iframe');
      button.disabled = true;
      frame.title = 'this notebook, running';
      frame.className = 'run-here-frame';
      state.after(frame);
      tell('loading', 'Loading Python into this page; the first time it takes about a minute. ');
      const ticking = setInterval(() => (clock.textContent = `${seconds()} s`), 1000);
      const late = sleep(PATIENCE * 1000).then(() => 'late');
      try {
        const started = start(link.href, frame);
        if ((await Promise.race([started, late])) == 'late')
          throw Error(`nothing answered within ${PATIENCE / 60} minutes`);
        tell('ready', `Ready after ${seconds()} s. Click into a cell and press Shift+Enter.`);
      } catch (error) {
        frame.remove();
        tell('failed', `It did not start: ${error.message}.`);
        button.textContent = '↺ Try again';
        button.disabled = false;
      }
      clearInterval(ticking);
      clock.textContent = '';
    });
  }
});
