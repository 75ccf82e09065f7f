// A conversation in the page. The words of the model come over the channel, one by one; the kernel
// makes them.
(() => {
  const CSS = `.course-talk{max-width:50em;font-size:1em;line-height:1.45}
.course-talk ol{list-style:none;margin:.3em 0;padding:0;max-height:26em;overflow-y:auto}
.course-talk li{margin:.35em 0;white-space:pre-wrap;overflow-wrap:anywhere}
.course-talk form{display:flex;flex-wrap:wrap;gap:.4em .8em;align-items:center;margin:.4em 0}
.course-talk input[type=text]{flex:1 1 20em;font:inherit;color:inherit;background:transparent;border:1.5px solid currentColor;border-radius:6px;padding:.35em .6em}
.course-talk label{display:flex;gap:.4em;align-items:center}
.course-talk label span{min-width:2.2em;font-variant-numeric:tabular-nums}
.course-talk button{all:unset;box-sizing:border-box;cursor:pointer;font:inherit;color:inherit;border:1.5px solid currentColor;border-radius:6px;padding:.3em .8em}
.course-talk button[aria-disabled=true]{opacity:.55;cursor:default}
.course-talk :is(button,input,ol):focus-visible{outline:3px solid currentColor;outline-offset:2px}`;
  const add = (parent, tag, attributes = {}, text = '') => {
    const element = document.createElement(tag);
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    element.textContent = text;
    return parent.appendChild(element);
  };

  courseCards.part('Chat', (card, { channel: id }) => {
    const stored = card.querySelector('.course-chat'),
      host = document.createElement('div');
    host.className = 'course-talk';
    host.setAttribute('data-lm-suppress-shortcuts', 'true');
    host.setAttribute('data-prevent-swipe', 'true');
    // a letter typed here moves no cell and turns no slide
    host.addEventListener('keydown', event => event.stopPropagation());
    stored.after(host);
    add(host, 'style', {}, CSS);
    let channel,
      turn,
      waiting = false,
      rest = '',
      n = 0;

    const log = add(host, 'ol', { 'aria-label': 'the conversation', tabindex: 0 }),
      form = add(host, 'form');
    const field = add(form, 'input', {
      type: 'text',
      'aria-label': 'what you say',
      placeholder: 'Say something, then press Enter',
      autocomplete: 'off'
    });
    const send = add(form, 'button', { type: 'submit' }, 'Send'),
      stop = add(form, 'button', { type: 'button' }, 'Stop');
    const fresh = add(form, 'button', { type: 'button' }, 'New conversation');
    const slider = (title, range, words) => {
      const label = add(form, 'label', {}, title),
        input = add(label, 'input', { type: 'range', ...range }),
        output = add(label, 'span', { 'aria-hidden': true });
      const tell = () => {
        output.textContent = words(+input.value);
        input.setAttribute('aria-valuetext', words(+input.value));
      };
      input.addEventListener('input', tell);
      tell();
      return input;
    };
    const temperature = slider('temperature', { min: 0, max: 1.5, step: 0.1, value: 0 }, x =>
      x ? x.toFixed(1) : '0: the likeliest'
    );
    const top = slider('top-p', { min: 0.1, max: 1, step: 0.05, value: 1 }, x => x.toFixed(2));
    const told = add(host, 'p', { style: 'margin:.35em 0;min-height:1.4em' });

    const say = (who, words) => {
      const item = add(log, 'li');
      add(item, 'strong', {}, `${who}: `);
      const text = add(item, 'span', {}, words);
      log.scrollTop = log.scrollHeight;
      return text;
    };
    const busy = now => {
      waiting = now;
      stop.setAttribute('aria-disabled', !now);
      send.setAttribute('aria-disabled', now);
      log.setAttribute('aria-busy', now);
    };
    const listen = whole => {
      // what is heard comes by sentences, not by syllables
      const end = whole
        ? rest.length
        : Math.max(...['. ', '! ', '? ', '\n'].map(mark => rest.lastIndexOf(mark) + 1));
      if (end > 0 && rest.slice(0, end).trim()) courseCards.say(rest.slice(0, end).trim());
      if (end > 0) rest = rest.slice(end);
    };
    const come = ({ word, done, to }) => {
      if (!waiting || to != n) return; // of an answer that was cut off
      if (word !== undefined) {
        turn.textContent += word;
        rest += word;
        log.scrollTop = log.scrollHeight;
        listen(false);
      } else {
        listen(true);
        told.textContent = done;
        courseCards.say(done);
        busy(false);
      }
    };
    const halt = () => {
      if (waiting) channel.send({ stop: true });
    };
    form.addEventListener('submit', event => {
      event.preventDefault();
      const text = field.value.trim();
      if (!channel || waiting || !text) return;
      stored.hidden = true;
      say('You', text);
      turn = say('The model', '');
      field.value = rest = told.textContent = '';
      busy(true);
      channel.send({ ask: text, n: ++n, temperature: +temperature.value, top_p: +top.value });
    });
    stop.addEventListener('click', halt);
    host.addEventListener('keydown', event => {
      if (event.key == 'Escape') halt();
    });
    fresh.addEventListener('click', () => {
      if (!channel) return;
      busy(false);
      channel.send({ new: true });
      log.textContent = '';
      told.textContent = 'A new conversation: the model remembers nothing of the old one.';
      courseCards.say(told.textContent);
      field.focus();
    });

    const join = () => {
      const found = globalThis.courseChannels?.[id];
      if (!host.isConnected && channel) return removeEventListener('course-channel', join);
      if (found == channel) return;
      channel = found;
      channel?.on('msg:custom', come);
      const missing = channel?.get('state').missing ?? '';
      form.hidden = log.hidden = !channel || missing != '';
      form.style.display = form.hidden ? 'none' : '';
      told.textContent = missing;
    };
    busy(false);
    form.style.display = 'none';
    log.hidden = true;
    addEventListener('course-channel', join);
    join();
  });
})();
