// The presenter's page: which question, which round, and what is counted meanwhile.
import { ask, CLOSED, drawBars, drawQuestion, FIRST, says, SECOND, watch } from '../common.js';

const part = id => document.getElementById(id);
const [lecture, asked, status] = ['lecture', 'asked', 'status'].map(part);
const { lectures, slides } = await ask('lectures');
const option = name => new Option(name, name);

function chooseLecture() {
  asked.replaceChildren(...lectures[lecture.value].map(option));
  part('slides').hidden = !slides.includes(lecture.value);
  part('slides').href = `slides/${lecture.value}.html`;
}
lecture.replaceChildren(...Object.keys(lectures).map(option));
lecture.onchange = chooseLecture;
chooseLecture();

let open; // the question that is shown: another one, which the slides opened, takes both menus along
function follow(name) {
  if (name === open) return;
  open = name;
  lecture.value = Object.keys(lectures).find(one => lectures[one].includes(name));
  chooseLecture();
  asked.value = name;
}

function draw(state) {
  status.textContent = says(state);
  part('address').textContent = state.address;
  if (!state.name) return;
  follow(state.name);
  for (const id of Object.keys(buttons)) part(id).disabled = false;
  drawQuestion(part('question'), state);
  drawBars(part('options'), state);
}
const lost = () => (status.textContent = 'The server does not answer.');
const look = watch('state', 1000, draw, lost);

const buttons = { second: { stage: SECOND }, close: { stage: CLOSED } };
buttons.again = { stage: FIRST, again: true };
const send = (name, order) => ask('stage', { name, ...order }).then(look, lost);
part('first').onclick = () => send(asked.value, { stage: FIRST }); // it alone opens what is chosen
for (const [id, order] of Object.entries(buttons)) part(id).onclick = () => send(open, order);
