// The wall: where to vote, what is asked, how many voted, and the result when it is closed.
import { CLOSED, drawBars, drawQuestion, fitWall, says, watch } from './common.js';

const [question, options, status, address] = ['question', 'options', 'status', 'address'].map(id =>
  document.getElementById(id)
);
let shown = '';

watch(
  'state',
  1000,
  state => {
    address.textContent = state.address.replace(/^https?:\/\/|\/$/g, '');
    status.textContent = says(state);
    const place = `${state.name} ${state.stage}`;
    if (place === shown) return;
    shown = place;
    question.replaceChildren();
    options.replaceChildren();
    document.body.classList.toggle('asked', Boolean(state.name));
    if (!state.name) return;
    drawQuestion(question, state);
    if (state.stage === CLOSED) drawBars(options, state);
    else options.innerHTML = state.options.map(text => `<li>${text}</li>`).join('');
    fitWall();
  },
  () => (status.textContent = 'The server does not answer. This page tries again.')
);
