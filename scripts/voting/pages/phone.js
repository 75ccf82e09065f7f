// A phone: choose a letter, change it while the vote is open, see the result when it is closed.
import { ask, CLOSED, drawBars, drawQuestion, LETTERS, says, watch } from './common.js';

const [question, options, status] = ['question', 'options', 'status'].map(id =>
  document.getElementById(id)
);
const KEPT = 'vote';
let shown = ''; // what stands on the page
let sending = Promise.resolve(); // one vote after the other

const kept = () => JSON.parse(sessionStorage.getItem(KEPT) ?? 'null');
// Which asking of a question, and which round of it: of a state, and of a vote.
const roundOf = ({ name, asked, stage }) => `${name} ${asked} ${stage}`;

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
  if (roundOf(state) !== shown) {
    shown = roundOf(state);
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
  if (vote && roundOf(vote) === shown && vote.choice !== state.choice) {
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
    button.onclick = () => {
      const { name, asked, stage } = state;
      send({ name, asked, stage, choice: button.value });
    };
}

function lost(error) {
  const vote = kept();
  const mine = vote && roundOf(vote) === shown ? ` ${vote.choice} is kept here.` : '';
  status.textContent =
    {
      403: 'This room, or this network address, has as many voters as it may have.',
      429: `Too many requests. Wait a little.${mine}`
    }[error.message] ?? `No network. This page tries again.${mine}`;
}

watch('state', 2000, draw, lost);
