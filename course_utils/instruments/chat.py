"""A conversation with the model of notebook 15, in the page: words appear as they are chosen, and stop at once when they are asked to.

Alive where a kernel is and the weights are; anywhere else the conversation that was stored, in words. The page and the
kernel talk over a channel (state_channel.py) by messages. From the page:
{"ask": text, "n": its number, "temperature": number, "top_p": number}, {"stop": true}, {"new": true}; from the kernel:
{"word": text, "to": number} as each is chosen, then {"done": "" or a sentence, "to": number}.
"""

import codecs
import functools
import html
import threading
from pathlib import Path

from course_utils.arguments import ArgumentError
from course_utils.cards.carrier import carry
from course_utils.cards.look import LINE
from course_utils.cards.scripts import read_script
from course_utils.data import speech
from course_utils.instruments.instrument import _connect
from course_utils.models.chat_model import WANTED, Cache, find_weights, load_chat_model, speak

MOST = 300                               # tokens of one answer
WHO = ("You", "The model")


class Chat:
    """A conversation. parts: functions of your own that run the model, such as `mine`. history: all tokens that were read or said."""

    def __init__(self, parts=None):
        self.parts, self.history = parts, []
        self._cache, self._stop, self._thread, self._channel = Cache(), threading.Event(), None, None

    def __repr__(self):
        turns = (f"{WHO[i % 2]}: {text}" for i, text in enumerate(speech.facts()["conversation"]))
        return "\n".join(["A conversation, stored:", *turns])

    def _repr_mimebundle_(self, include=None, exclude=None):
        if self._channel is None:
            # Told by the channel: what is stored is the same with and without the weights.
            self._channel = _connect("Chat", {"missing": _missing()})
            if self._channel is not None:
                self._channel.on_msg(lambda channel, message, buffers: self.hear(message))
        turns = speech.facts()["conversation"]
        lines = "".join(f"<p {LINE}><strong>{WHO[i % 2]}:</strong> {html.escape(text)}</p>" for i, text in enumerate(turns))
        words = f'<div class="course-chat" role="group" aria-label="a conversation, stored">{lines}</div>'
        payload = {"channel": getattr(self._channel, "name", "")}
        return {"text/plain": repr(self), "text/html": carry(words, "Chat", "Chat", payload, _script())}

    def hear(self, message):
        """What the page asks for. An answer is made beside the kernel's own work, so that a stop is heard meanwhile."""
        if message.get("stop") or message.get("new"):
            self.stop()
        if message.get("new"):
            self.history, self._cache = [], Cache()
        if text := str(message.get("ask", "")).strip():
            self.stop()
            self._thread = threading.Thread(target=self._answer, args=(text, message), daemon=True)
            self._thread.start()

    def stop(self):
        """End the answer that is being made, if one is, after the token at hand."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self._stop.clear()

    def _answer(self, text, message):
        def send(**what):
            self._channel.send({**what, "to": message.get("n")})

        try:
            done = self._say(text, message.get("temperature") or None, message.get("top_p"), send)
        except ArgumentError as error:
            done = str(error)
        except Exception as error:               # a kept function may do anything; the page must not wait for ever
            done = f"It stopped: {type(error).__name__}: {error}"
        send(done=done)

    def _say(self, text, temperature, top_p, send):
        """Send the answer to the page, word by word. Returns a sentence that says why it ended early, or ""."""
        model = _model()
        encode = model.tokenizer.encode
        turn = speech.conversation(text) if not self.history else speech.conversation(text).split("<|im_end|>\n", 1)[1]
        before = encode(turn[:turn.rindex(text)])
        after = encode(turn[turn.rindex(text) + len(text):])
        self.history += [*before, *encode(text, special=False), *after]          # what is said cannot close its own turn
        if len(self.history) + MOST > model.longest:
            return f"The conversation has {len(self.history):,} tokens, and the model was trained to read {model.longest:,}. Begin a new one."
        letters, n_said = codecs.getincrementaldecoder("utf-8")("replace"), 0
        for token in speak(model, self.history[self._cache.T:], MOST, temperature, top_p, cache=self._cache, parts=self.parts):
            self.history.append(token)
            n_said += 1
            send(word=letters.decode(model.tokenizer.pieces[token]))
            if self._stop.is_set():
                break
        if half := letters.decode(b"", final=True):
            send(word=half)
        self.history += encode("<|im_end|>\n")
        return "It was stopped." if self._stop.is_set() else f"It stopped after {MOST} tokens." if n_said == MOST else ""


def _missing():
    """A sentence that says how to get the weights, where there are none."""
    try:
        find_weights()
    except ArgumentError:
        return f"To talk to the model yourself you need its weights, {WANTED}."
    return ""


@functools.cache
def _model():
    return load_chat_model()


@functools.cache
def _script():
    return read_script(Path(__file__).with_suffix(".js"))
