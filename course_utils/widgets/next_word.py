"""NextWord (notebook 10): type the beginning of a sentence, see what may come next and where the last word looks.

Unlike the other widgets it cannot draw everything beforehand: there are too many sentences. So it asks the kernel.
"""

import html

import numpy as np
from ipywidgets import HTML, Layout, Text, VBox
from matplotlib.figure import Figure

from course_utils.arguments import ArgumentError
from course_utils.cards.look import escape, mark
from course_utils.data import grammar
from course_utils.figures import draw_bars
from course_utils.models.language_model import forward, next_log_probs
from course_utils.style import BLUE, GREEN

SHOWN = 6                    # words of the vocabulary that are shown, the likeliest
NOTE = "Press Enter after typing. This widget asks the kernel: if nothing changes, run the notebook first."


class NextWord(VBox):
    """A field for words of the grammar; below it the next word's probabilities, and the weights of one head for the last word.

    Parameters: params and config of a trained model; the head is block and head, counted from 1.
    """

    def __init__(self, params, config, block, head, start="the dogs that see the cat"):
        self.model = params, config, block, head
        self.field = Text(value=start, description="sentence", placeholder="words of the grammar, then Enter", continuous_update=False,
                          layout=Layout(width="auto", max_width="640px"))
        self.answer = HTML()
        self.field.observe(lambda change: self.update(), "value")
        self.update()
        super().__init__([self.field, self.answer, HTML(f"<small>{NOTE}</small>")])

    def __repr__(self):
        return f"NextWord: asks the kernel ({len(grammar.WORDS)} words)"

    def update(self):
        """Read the field, and show what the model says, or which word it does not know."""
        try:
            numbers = self.compute(self.field.value, *self.model)
        except ArgumentError as error:
            self.answer.value = f'<p style="overflow-wrap: anywhere">{mark("bad")} {escape(str(error))}</p>'
            return
        tables = _table("next word", numbers["next"], GREEN) + _table("the head's weights", numbers["weights"], BLUE)
        self.answer.value = f"{tables}<p>{html.escape(self.describe(numbers))}</p>"

    @staticmethod
    def compute(words, params, config, block, head):
        """What the pictures show: the likeliest next words [(word, p)], and the weights of the last word [(word, weight)]."""
        tokens = grammar.encode(words.lower().replace(".", " . "))
        if grammar.END in tokens[1:]:
            raise ArgumentError("sentence", "a full stop", "the beginning of one sentence: what follows its end was never learnt")
        if len(tokens) > config.T:
            raise ArgumentError("sentence", f"{len(tokens) - 1} words", f"at most {config.T - 1}")
        p = np.exp(next_log_probs(params, tokens, config))
        A = forward(params, tokens, config)[1][block - 1]["A"][head - 1, -1]
        best = np.argsort(-p, kind="stable")[:SHOWN]
        return {"words": grammar.text(tokens), "next": [(grammar.WORDS[i], float(p[i])) for i in best],
                "weights": [(grammar.WORDS[t], float(a)) for t, a in zip(tokens, A, strict=True)]}

    @staticmethod
    def describe(numbers):
        """The picture in words."""
        (word, p), (seen, a) = numbers["next"][0], max(numbers["weights"], key=lambda pair: pair[1])
        seen = "the full stop before" if seen == "." else seen
        where = f"After \"{numbers['words']}\"" if numbers["words"] else "At the start"
        return f"{where}: {word} {p:.2f}. The head looks most at {seen} ({a:.2f})."

    @classmethod
    def still(cls, params, config, block, head, *prompts):
        """The pictures of some sentences one below the other, as a Figure that carries its description."""
        figure = Figure(figsize=(10, 3.2 * len(prompts)), layout="constrained")
        all_numbers = [cls.compute(words, params, config, block, head) for words in prompts]
        for (left, right), numbers in zip(np.atleast_2d(figure.subplots(len(prompts), 2)), all_numbers, strict=True):
            for axes, what, title, colour in ((left, "weights", "the head's weights", BLUE), (right, "next", "next word", GREEN)):
                words, heights = zip(*numbers[what], strict=True)
                draw_bars(axes, heights, colour)
                axes.set(ylim=(0, 1.12), title=title)
                axes.set_xticks(range(len(words)), words, fontsize=11)
        figure.description = " ".join(cls.describe(numbers) for numbers in all_numbers)
        return figure


def _table(title, pairs, colour):
    """Words, each with a bar as wide as its number, and the number."""
    rows = "".join(f'<tr><td style="text-align: right">{html.escape(word)}</td><td style="width: 300px"><div style="background: {colour}; '
                   f'height: 0.9em; width: {100 * value:.0f}%"></div></td><td>{value:.2f}</td></tr>' for word, value in pairs)
    caption = f"<caption>{html.escape(title)}</caption>"
    return f'<table style="display: inline-table; vertical-align: top; margin-right: 2em; line-height: 1.2">{caption}{rows}</table>'
