// What the phones' page, the wall and the presenter's page share.

export const [FIRST, SECOND, CLOSED] = [1, 2, 3];
export const LETTERS = 'ABCDEFGH';
const WAIT = 6000; // milliseconds until an answer counts as lost

// JSON from the server; body: what is sent, if anything. Throws where the network is lost.
export async function ask(url, body) {
  const sent = { signal: AbortSignal.timeout(WAIT) };
  if (body)
    Object.assign(sent, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body)
    });
  const answer = await fetch(url, sent);
  if (!answer.ok && answer.status !== 409) throw new Error(answer.status);
  return answer.json();
}

// Draw the state now and every so many milliseconds; lost(error) where no answer came. It goes on
// asking, so that a page finds the network again by itself. Returns a function that asks at once.
export function watch(url, every, draw, lost) {
  let timer;
  async function again() {
    clearTimeout(timer);
    try {
      await draw(await ask(url));
    } catch (error) {
      lost(error);
    }
    // a room of phones does not ask in step
    clearTimeout(timer);
    timer = setTimeout(again, every * (0.8 + 0.4 * Math.random()));
  }
  again();
  return again;
}

// Texts of questions are the course's own, made into HTML by the server. No page shows a text that
// came from a phone: a phone sends a letter.
export function drawQuestion(element, state) {
  element.innerHTML = `<h1>${state.question}</h1>${state.shown}`;
}

// Whether anybody voted again.
export const isTwice = state => state.counts?.[1].some(Boolean);

// Bars of a closed question, or the presenter's: how many chose each letter, in the first vote and,
// where there was one, in the second.
export function drawBars(element, state) {
  const [first, second] = state.counts;
  const twice = isTwice(state);
  const most = Math.max(1, ...first, ...second);
  const bar = (n, name) =>
    `<span class="bar ${name}"><i style="width:${(100 * n) / most}%"></i><b>${n}</b></span>`;
  element.innerHTML = state.options
    .map((text, i) => {
      const right = LETTERS[i] === state.right;
      const why = state.whys ? `<small>${state.whys[i]}</small>` : '';
      const words = `first vote ${first[i]}` + (twice ? `, second vote ${second[i]}` : '');
      return (
        `<li class="${right ? 'right' : ''}"><span>${right ? '✓ ' : ''}${text}</span>${why}` +
        `<span class="bars" role="img" aria-label="${words}">${bar(first[i], 'first')}` +
        `${twice ? bar(second[i], 'second') : ''}</span></li>`
      );
    })
    .join('');
}

// Letters of the wall as large as its height allows, between two sizes (in hundredths of it).
export function fitWall(largest = 3.4, smallest = 2.2) {
  const page = document.documentElement;
  const stands = () => page.scrollHeight <= innerHeight && page.scrollWidth <= innerWidth;
  for (let size = largest; size >= smallest; size -= 0.2) {
    document.body.style.fontSize = `${size}vh`;
    if (stands()) return true;
  }
  return false;
}

export function says(state) {
  if (!state.name) return 'No question is open yet.';
  const votes = `${state.n} vote${state.n === 1 ? '' : 's'}`;
  return {
    [FIRST]: `First vote: ${votes}.`,
    [SECOND]: `Second vote, after the talk: ${votes}.`,
    [CLOSED]: isTwice(state)
      ? 'Closed. Upper bars: first vote. Lower bars: second vote.'
      : 'Closed.'
  }[state.stage];
}
