// On the slides: the question on the wall is open, the talk is its second vote, and the slide with
// its answer shows the counts. The first slide after the question closes it: what a cell gives may
// stand there. Key Q shows the QR code.
import { ask, CLOSED, FIRST, isTwice, LETTERS, SECOND, watch } from '../../common.js';

const isCopy = /receiver/.test(location.search); // in the speaker's window: it looks, and opens nothing
const panel = document.body.appendChild(document.createElement('aside'));
panel.id = 'votes';
const sheet = new CSSStyleSheet();
sheet.replaceSync(`
#votes[hidden], #votes-code[hidden] { display: none; }
#votes { position: fixed; left: 1vw; bottom: .6vh; z-index: 30; font-size: 2.6vh; color: #333; }
#votes-code { position: fixed; inset: 0; z-index: 40; background: #fff; display: grid;
  place-content: center; justify-items: center; font-size: 7vh; }
#votes-code img { width: 70vh; height: 70vh; }
.voted { display: inline-block; box-sizing: border-box; min-width: 4.6em; text-align: center;
  font-weight: 700; padding: 0 .3em; margin: 0 .25em; border-radius: .3em; color: #222; }`);
document.adoptedStyleSheets.push(sheet);

const code = document.body.appendChild(document.createElement('div'));
code.id = 'votes-code';
code.hidden = true;
code.innerHTML = '<img src="../../qr.svg" alt="QR code of the page to vote on"><span></span>';
Reveal.addKeyBinding({ keyCode: 81, key: 'Q', description: 'Where to vote' }, () => {
  code.hidden = !code.hidden;
});

// {question, stage} of the slide on the wall; null where it asks nothing.
function asks() {
  const part = Reveal.getCurrentSlide()?.querySelector('[data-vote]');
  if (!part) return null;
  const talk = part.querySelector('.talk.visible');
  const stage = part.classList.contains('answer') ? CLOSED : talk ? SECOND : FIRST;
  return { name: part.dataset.vote, stage };
}

// The counts of a closed question behind its letters, the second vote as the depth of the colour.
function drawCounts(state) {
  const part = Reveal.getCurrentSlide()?.querySelector(`.answer[data-vote="${state.name}"]`);
  if (!part || state.stage !== CLOSED) return;
  const [first, second] = state.counts;
  const twice = isTwice(state);
  const last = twice ? second : first;
  const all = Math.max(
    1,
    last.reduce((sum, n) => sum + n, 0)
  );
  for (const letter of part.querySelectorAll('b')) {
    const i = LETTERS.indexOf(letter.textContent);
    if (i < 0 || !letter.matches('p > b:first-of-type')) continue;
    let said = letter.nextElementSibling;
    if (!said?.matches('.voted')) {
      said = document.createElement('span');
      said.className = 'voted';
      letter.after(said);
    }
    said.textContent = twice ? `${first[i]} → ${second[i]}` : first[i];
    const share = Math.round((100 * last[i]) / all);
    said.style.background = `linear-gradient(to right, #56b4e9 ${share}%, #e3e8ec ${share}%)`;
  }
}

function draw(state) {
  const where = state.address.replace(/^https?:\/\/|\/$/g, '');
  code.querySelector('span').textContent = where;
  const here = asks();
  panel.hidden = !here;
  panel.textContent =
    here && state.stage !== CLOSED && here.name === state.name
      ? `${where} · ${state.n} voted`
      : where;
  drawCounts(state);
}
const lost = () => (panel.textContent = 'The votes’ server does not answer.');
const look = watch('../state', 1000, draw, lost);

let open = null; // {the question that was last on the wall, where its slide is}
async function turned() {
  let here = asks();
  const at = Reveal.getSlidePastCount();
  if (!here && open && at > open.at) here = { name: open.name, stage: CLOSED };
  if (here) open = here.stage === CLOSED ? null : { name: here.name, at };
  if (here && !isCopy) await ask('../stage', here).catch(lost);
  look();
}
for (const name of ['ready', 'slidechanged', 'fragmentshown']) Reveal.on(name, turned);
if (Reveal.isReady()) turned();
