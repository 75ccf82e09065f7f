// A phone: choose a letter, change it while the vote is open, see the result when it is closed.
import { ask, CLOSED, drawBars, drawQuestion, LETTERS, says, watch } from './common.js';

const [question, options, status] = ['question', 'options', 'status'].map(id =>
  document.getElementById(id)
);
const KEPT = 'vote';
let shown = ''; // which question and round stand on the page
let sending = Promise.resolve(); // one vote after the other

const kept = () => JSON.parse(sessionStorage.getItem(KEPT) ?? 'null');
const isFor = (vote, state) => vote?.name === state.name && vote?.stage === state.stage;

// A choice is kept on the phone first, and sent until the server has it.
function send(vote) {
  sessionStorage.setItem(KEPT, JSON.stringify(vote));
  press(vote.choice);
  status.textContent = `${vote.choice}: sending …`;
  sending = sending.then(() => ask('vote', vote).then(draw, lost));
}

function press(choice) {
  for (const button of options.querySelectorAll('button'))
    button.setAttribute('aria-pressed', button.value === choice);
}

async function draw(state) {
  const place = `${state.name} ${state.stage}`;
  if (place !== shown) {
    shown = place;
    question.replaceChildren();
    options.replaceChildren();
    if (state.name) drawQuestion(question, state);
    if (state.stage === CLOSED) drawBars(options, state);
    else if (state.name) drawButtons(state);
  }
  if (!state.name || state.stage === CLOSED) {
    status.textContent = says(state);
    return;
  }
  const vote = kept();
  if (isFor(vote, state) && vote.choice !== state.choice) {
    send(vote); // the network was lost, or the server began anew
    return;
  }
  press(state.choice);
  const mine = state.choice ? `${state.choice} counts. You may change it.` : 'Choose a letter.';
  status.textContent = `${mine} ${says(state)}`;
}

function drawButtons(state) {
  options.innerHTML = state.options
    .map((text, i) => `<li><button value="${LETTERS[i]}">${LETTERS[i]}</button> ${text}</li>`)
    .join('');
  for (const button of options.querySelectorAll('button'))
    button.onclick = () => send({ name: state.name, stage: state.stage, choice: button.value });
}

function lost(error) {
  const [place, vote] = [shown, kept()];
  const mine =
    vote && place === `${vote.name} ${vote.stage}` ? ` ${vote.choice} is kept here.` : '';
  status.textContent =
    {
      403: 'This room, or this network address, has as many voters as it may have.',
      429: `Too many requests. Wait a little.${mine}`
    }[error.message] ?? `No network. This page tries again.${mine}`;
}

watch('state', 2000, draw, lost);
