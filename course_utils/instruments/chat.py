"""A conversation with the model of notebook 15, in the page: words appear as they are chosen, and
stop at once when they are asked to.

Alive where a kernel is and the weights are; anywhere else the conversation that was stored, in
words. The page and the kernel talk over a channel (state_channel.py) by messages. From the page:
{"ask": text, "n": its number, "temperature": number, "top_p": number}, {"stop": true}, {"new":
true}; from the kernel:
{"word": text, "to": number} as each is chosen, then {"done": "" or a sentence, "to": number}.
"""

import codecs
import functools
import html
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from course_utils.arguments import ArgumentError
from course_utils.cards.carrier import render_live_html
from course_utils.cards.look import LINE
from course_utils.cards.scripts import read_script
from course_utils.data import speech
from course_utils.instruments.instrument import open_channel
from course_utils.models.chat_model import (
    WANTED,
    Cache,
    ChatModel,
    find_weights,
    load_chat_model,
    speak,
)

MOST = 300  # tokens of one answer
WHO = ("You", "The model")


class Chat:
    """A conversation.

    Parameters:
        parts: functions of your own that run the model, such as `mine`.
    Attributes:
        history: all tokens that were read or said.
    """

    def __init__(self, parts: Any = None) -> None:
        self.parts, self._cache, self._stop = parts, Cache(), threading.Event()
        self.history: list[int] = []
        self._thread: threading.Thread | None = None
        self._channel: Any = None  # a StateChannel, which is imported where it is needed

    def __repr__(self) -> str:
        turns = (f"{WHO[i % 2]}: {text}" for i, text in enumerate(speech.facts()["conversation"]))
        return "\n".join(["A conversation, stored:", *turns])

    def _repr_mimebundle_(self, include=None, exclude=None):
        if self._channel is None:
            # Told by the channel: what is stored is the same with and without the weights.
            self._channel = open_channel("Chat", {"missing": _missing()})
            if self._channel is not None:
                self._channel.on_msg(lambda channel, message, buffers: self.hear(message))
        turns = speech.facts()["conversation"]
        lines = "".join(
            f"<p {LINE}><strong>{WHO[i % 2]}:</strong> {html.escape(text)}</p>"
            for i, text in enumerate(turns)
        )
        words = (
            '<div class="course-chat" role="group" aria-label="a conversation,'
            f' stored">{lines}</div>'
        )
        payload = {"channel": getattr(self._channel, "name", "")}
        return {
            "text/plain": repr(self),
            "text/html": render_live_html(words, "Chat", "Chat", payload, _script()),
        }

    def hear(self, message: dict[str, Any]) -> None:
        """What the page asks for. An answer is made beside the kernel's own work, so that a stop is
        heard meanwhile."""
        if message.get("stop") or message.get("new"):
            self.stop()
        if message.get("new"):
            self.history, self._cache = [], Cache()
        if text := str(message.get("ask", "")).strip():
            self.stop()
            self._thread = threading.Thread(target=self._answer, args=(text, message), daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the answer that is being made, if one is, after the token at hand."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self._stop.clear()

    def _answer(self, text: str, message: dict[str, Any]) -> None:
        def send(**what: str) -> None:
            self._channel.send({**what, "to": message.get("n")})

        try:
            done = self._say(text, message.get("temperature") or None, message.get("top_p"), send)
        except ArgumentError as error:
            done = str(error)
        except Exception as error:
            # A kept function may do anything; the page must not wait for ever.
            done = f"It stopped: {type(error).__name__}: {error}"
        send(done=done)

    def _say(
        self,
        text: str,
        temperature: float | None,
        top_p: float | None,
        send: Callable[..., None],
    ) -> str:
        """Send the answer to the page, word by word. Returns a sentence that says why it ended
        early, or ""."""
        model = _model()
        encode = model.tokenizer.encode
        turn = speech.conversation(text)
        if self.history:  # the system's turn stands there already
            turn = turn.split("<|im_end|>\n", 1)[1]
        before, _, after = turn.rpartition(text)
        # special=False: what is said cannot close its own turn.
        self.history += [*encode(before), *encode(text, special=False), *encode(after)]
        if len(self.history) + MOST > model.longest:
            return (
                f"The conversation has {len(self.history):,} tokens, and the model was trained to"
                f" read {model.longest:,}. Begin a new one."
            )
        letters, n_said = codecs.getincrementaldecoder("utf-8")("replace"), 0
        for token in speak(
            model,
            self.history[self._cache.T :],
            MOST,
            temperature,
            top_p,
            cache=self._cache,
            parts=self.parts,
        ):
            self.history.append(token)
            n_said += 1
            send(word=letters.decode(model.tokenizer.pieces[token]))
            if self._stop.is_set():
                break
        if half := letters.decode(b"", final=True):
            send(word=half)
        self.history += encode("<|im_end|>\n")
        if self._stop.is_set():
            return "It was stopped."
        return f"It stopped after {MOST} tokens." if n_said == MOST else ""


def _missing() -> str:
    """A sentence that says how to get the weights, where there are none."""
    try:
        find_weights()
    except ArgumentError:
        return f"To talk to the model yourself you need its weights, {WANTED}."
    return ""


@functools.cache
def _model() -> ChatModel:
    return load_chat_model()


@functools.cache
def _script() -> str:
    return read_script(Path(__file__).with_suffix(".js"))
