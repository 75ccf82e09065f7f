"""The one mechanism of the widgets: every setting is computed and drawn when the widget is made.

After that the browser only switches between finished pictures, so a drag never waits for the kernel, an exported page
stays alive without one, and a mistake at any setting shows at once.
"""

import base64
import html
import io
import itertools
import textwrap
from dataclasses import dataclass

import numpy as np
from ipywidgets import HTML, Layout, SelectionSlider, Stack, ToggleButtons, VBox, jslink
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

DPI = 100
CAPTION = 0.6            # inches above a still picture for its words
COLOURS = 48             # of a picture's palette: a third of the bytes, and no difference to the eye


@dataclass(frozen=True)
class Control:
    """One slider (or a row of buttons, where the values are words): a name, its values, where it starts, a unit."""

    name: str
    values: list
    start: int = 0
    unit: str = ""

    def make(self):
        """The ipywidgets control; its `index` says which value is chosen."""
        labels = [(f"{v}{self.unit}", i) for i, v in enumerate(self.values)]
        style = {"description_width": "initial"}
        if isinstance(self.values[0], str):
            return ToggleButtons(options=labels, index=self.start, description=self.name, style={**style, "button_width": "auto"})
        return SelectionSlider(options=labels, index=self.start, description=self.name, style=style,
                               layout=Layout(width="auto", max_width="640px"))


class Explorer(VBox):
    """A widget: subclasses say what to compute for a setting, how to draw it, and how to put it in words.

    controls: a list of Control. size: inches. compute(*setting) -> numbers. prepare(figure) -> axes, all that never changes.
    draw(axes, numbers): all that changes. describe(numbers) -> what the picture says.
    """

    controls: list
    size = (8, 3.6)

    def __init__(self):
        self.settings = list(itertools.product(*(c.values for c in self.controls)))
        numbers = [self.compute(*setting) for setting in self.settings]
        self.descriptions = [self.describe(n) for n in numbers]
        layout = Layout(width="100%")
        style = HTML().style
        frames = iter([HTML(_image(png, text), layout=layout, style=style)
                       for png, text in zip(self._pictures(numbers), self.descriptions, strict=True)])
        sliders = [control.make() for control in self.controls]
        super().__init__([*sliders, _stacks(sliders, self.controls, frames)])

    def __repr__(self):
        return f"{type(self).__name__}: {len(self.settings)} pictures ({' × '.join(c.name for c in self.controls)})"

    @classmethod
    def still(cls, *settings):
        """The pictures of some settings one below the other, as a Figure that carries its description."""
        width, height = cls.size
        figure = Figure(figsize=(width, (height + CAPTION) * len(settings)))
        numbers = [cls.compute(*setting) for setting in settings]
        rows = figure.subfigures(2 * len(settings), 1, height_ratios=[CAPTION, height] * len(settings))
        for caption, picture, n in zip(rows[::2], rows[1::2], numbers, strict=True):
            caption.text(0.02, 0.3, textwrap.fill(cls.describe(n), int(11.5 * width)), fontsize=11, va="center")
            cls.draw(cls.prepare(picture), n)
        figure.description = " ".join(cls.describe(n) for n in numbers)
        return figure

    @classmethod
    def _pictures(cls, numbers):
        """PNG bytes for each set of numbers. What never changes is drawn once, what changes is drawn over it."""
        figure = Figure(figsize=cls.size, dpi=DPI)
        canvas = FigureCanvasAgg(figure)
        axes = cls.prepare(figure)
        canvas.draw()
        background = canvas.copy_from_bbox(figure.bbox)
        everything = np.atleast_1d(axes).ravel()
        fixed = {id(artist) for a in everything for artist in a.get_children()}
        for n in numbers:
            canvas.restore_region(background)
            cls.draw(axes, n)
            for a in everything:
                changed = [artist for artist in a.get_children() if id(artist) not in fixed]
                for artist in sorted(changed, key=lambda artist: artist.zorder):
                    a.draw_artist(artist)
                    artist.remove()
            yield _png(canvas)


def _stacks(sliders, controls, frames):
    """Nested stacks, one level a slider; the browser links each slider to the stacks of its level."""
    slider, *rest = sliders
    children = [_stacks(rest, controls[1:], frames) if rest else next(frames) for _ in controls[0].values]
    stack = Stack(children, selected_index=controls[0].start)
    jslink((slider, "index"), (stack, "selected_index"))
    return stack


def _png(canvas):
    file = io.BytesIO()
    picture = Image.frombuffer("RGBA", canvas.get_width_height(), canvas.buffer_rgba(), "raw", "RGBA", 0, 1).convert("RGB")
    picture.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "png", compress_level=1)
    return file.getvalue()


def _image(png, text):
    data = base64.b64encode(png).decode()
    words = html.escape(text).encode("ascii", "xmlcharrefreplace").decode()     # one other letter, and Python keeps the whole text twice as wide
    return (f'<img src="data:image/png;base64,{data}" alt="{words}" style="width: 100%; max-width: 900px">'
            f'<p aria-hidden="true" style="max-width: 900px; line-height: 1.4">{words}</p>')
