"""A Matplotlib figure as a small SVG in the look of the instruments.

Matplotlib lays a figure out and then tells a renderer what to draw, piece by piece. This renderer
writes each piece as one element with plain attributes. Black becomes the colour of the text around
the picture, white the colour of the page, and other colours lean towards the text: so a picture is
at home on a light page and on a dark one. Text stays text. Places have one decimal (a unit is a
point), there is no date and no id: the same figure gives the same bytes.
"""

import base64
import io
import re
from html import escape
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, Transform
from PIL import Image

TEXT = 13  # points: most text; shown, 12 points are 1em of the page around
LEAST = 12  # no text in a figure is smaller
FONT = f'font-family="system-ui,sans-serif" font-size="{TEXT}"'
PAGE = "var(--jp-layout-color0,var(--pst-color-background,var(--r-background-color,Canvas)))"
GREY = "#6b6b6b"
SIGNS = {r"\top": "ᵀ", r"\,": "\u2009"}
FORMULA = re.compile(
    r"(_?)(\\top|\\,|\{[^}]*\}|[A-Za-z]|[^A-Za-z_{}\\]+)"
)  # (is it an index, what)
CODES = {
    Path.STOP: "",
    Path.MOVETO: "M",
    Path.LINETO: "L",
    Path.CURVE3: "Q",
    Path.CURVE4: "C",
    Path.CLOSEPOLY: "Z",
}
ANCHORS = {"left": "", "center": ' text-anchor="middle"', "right": ' text-anchor="end"'}


def draw_svg(figure: Figure, description: str) -> str:
    """A figure as SVG with its description. Returns text.

    figure: a matplotlib Figure; it is laid out anew in points. description: what it says, for
    those who do not see it.

    >>> from matplotlib.figure import Figure
    >>> draw_svg(Figure(figsize=(2, 1)), "nothing")[:16]
    '<svg role="img" '
    """
    figure.set_dpi(72)
    figure.patch.set_visible(False)
    renderer = SvgRenderer(*figure.bbox.size)
    figure.draw(renderer)
    figure.patch.set_visible(True)
    box = figure.get_tightbbox(renderer).padded(0.06)  # inches
    left, top = 72 * box.x0, figure.bbox.height - 72 * box.y1
    width, height = 72 * box.width, 72 * box.height
    style = f"width:{width / LEAST:.1f}em;min-width:{width * 11 / LEAST:.0f}px"
    view = " ".join(map(_number, (left, top, width, height)))
    return (
        f'<svg role="img" aria-label="{escape(description)}" viewBox="{view}" style="{style}" '
        f'{FONT} fill="currentColor">{_theme(renderer.colours)}{_grouped(renderer.pieces)}</svg>'
    )


def _grouped(pieces):
    """Pieces as text: what follows one another in one look says it once."""
    out = []
    for look, run in groupby(pieces, key=lambda piece: piece[1]):
        shapes = [shape for shape, _ in run]
        if len(shapes) == 1 or not look:
            out += [shape.replace("@", look, 1) for shape in shapes]
        else:
            out.append(f"<g{look}>{''.join(shape.replace('@', '', 1) for shape in shapes)}</g>")
    return "".join(out)


def _theme(colours):
    """The style sheet of a drawing: the picture beside it is hidden, colours follow the page's.

    It stands inside of the drawing: whoever drops the one drops the other.
    """
    rules = [
        ".course-drawn:has(>svg){display:block!important;overflow-x:auto}",
        ".course-drawn:has(>svg)+img{display:none!important}",
        ".course-drawn>svg{max-width:100%;height:auto;display:block}",
    ]
    for colour in sorted(colours):
        lean = f"color-mix(in oklab,{colour} 86%,currentColor)"
        value = {GREY: f"color-mix(in srgb,currentColor 72%,{PAGE})", "#ffffff": PAGE}.get(
            colour, lean
        )
        rules += [
            f'.course-drawn [{paint}="{colour}"]{{{paint}:{value}}}' for paint in ("fill", "stroke")
        ]
    return f"<style>{''.join(rules)}</style>"


def _number(x):
    """A coordinate with one decimal and nothing that is not needed: 12, 0.5, -3.1."""
    return f"{x:z.1f}".removesuffix(".0")


def _palette_png(pixels):
    """Pixels (height, width, 4) of few colours as a small PNG, as base64 text."""
    steps = np.uint8(17) * np.round(np.asarray(pixels) / 255 * 15).astype(
        np.uint8
    )  # 16 a channel: a fraction of the bytes
    steps[steps[..., 3] == 0] = 0
    colours, which = np.unique(steps.reshape(-1, 4), axis=0, return_inverse=True)
    image = Image.fromarray(which.reshape(pixels.shape[:2]).astype(np.uint8), "P")
    image.putpalette(colours[:, :3].tobytes())
    data = io.BytesIO()
    image.save(data, "png", optimize=True, transparency=colours[:, 3].tobytes())
    return base64.b64encode(data.getvalue()).decode()


class SvgRenderer(RendererBase):
    """What Matplotlib draws, as SVG.

    pieces: (element with an @ where its look goes, its look); colours: all that are used but black.
    """

    def __init__(self, width: float, height: float) -> None:
        super().__init__()
        self.width, self.height = width, height
        self.pieces: list[tuple[str, str]] = []
        self.colours: set[str] = set()

    def get_canvas_width_height(self) -> tuple[float, float]:
        return self.width, self.height

    def flipy(self) -> bool:
        return True

    def option_scale_image(self) -> bool:
        return True

    def draw_path(
        self,
        gc: GraphicsContextBase,
        path: Path,
        transform: Transform,
        rgbFace: Any = None,
    ) -> None:
        turned = transform + Affine2D().scale(1, -1).translate(0, self.height)
        if np.array_equal(path.vertices, Path.unit_circle().vertices):
            (x, y), (right, _) = turned.transform([(0, 0), (1, 0)])
            shape = f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(right - x)}"'
        else:
            line = self._line(gc, path, turned, rgbFace)
            if line is None:
                return
            shape = f'<path d="{line}"'
        share, look = self._paint(gc, rgbFace)
        self.pieces.append((f"{shape}@{share}/>", look))

    def _line(self, gc, path, turned, face):
        """A path's steps; None where nothing is drawn. A line ends where its axes end."""
        clip = gc.get_clip_rectangle() if face is None else None
        if clip is not None:
            (left, right), (low, high) = np.sort(np.transpose(clip.get_points()))
            clip = (left, self.height - high, right, self.height - low)
        steps = [
            (CODES[code], [_number(x) for x in points])
            for points, code in path.iter_segments(turned, clip=clip, simplify=face is None)
        ]
        if not any(code in "LQC" for code, _ in steps):
            return None
        out, before = [], None
        for code, numbers in steps:
            if code == "L" and before and before[1] == numbers[1]:
                out.append(f"H{numbers[0]}")
            elif code == "L" and before and before[0] == numbers[0]:
                out.append(f"V{numbers[1]}")
            else:
                out.append(code + ("" if code == "Z" else " ".join(numbers)))
            before = numbers[-2:] if code != "Z" else None
        return "".join(out)

    def _paint(self, gc, face):
        """(how much of its colour fills a shape, what else it looks like), as attributes."""
        forced = gc.get_alpha() if gc.get_forced_alpha() else None

        def alpha(name, colour):
            share = forced if forced is not None else colour[3] if len(colour) > 3 else 1
            return f' {name}-opacity="{share:.2g}"' if share < 1 else ""

        empty = face is None or len(face) > 3 and face[3] == 0
        look = ' fill="none"' if empty else f' fill="{self._colour(face)}"'
        width, stroke = gc.get_linewidth(), gc.get_rgb()
        if width and stroke[3]:
            look += f' stroke="{self._colour(stroke)}" stroke-width="{_number(width)}"'
            look += alpha("stroke", stroke)
            _, dashes = gc.get_dashes()
            if dashes is not None:
                look += f' stroke-dasharray="{" ".join(map(_number, dashes))}"'
        return "" if empty else alpha("fill", face), look.replace(' fill="currentColor"', "")

    def _colour(self, rgb):
        """A colour as an attribute's value: black is the text's."""
        colour = to_hex(rgb)
        if colour == "#000000":
            return "currentColor"
        self.colours.add(colour)
        return colour

    def draw_image(
        self, gc: GraphicsContextBase, x: float, y: float, im: Any, transform: Any = None
    ) -> None:
        """A table of colours, a pixel a cell; transform: where its unit square lies, in points."""
        place = Affine2D().scale(1, -1).translate(0, self.height)
        if transform is None:
            raise ValueError("transform: got None, wanted one; draw with interpolation='none'")
        (a, b), (c, d) = (transform + Affine2D().translate(x, y) + place).transform(
            [(0, 0), (1, 1)]
        )
        address = f"data:image/png;base64,{_palette_png(im[::-1] if d < b else im)}"
        numbers = zip(
            ("x", "y", "width", "height"),
            (min(a, c), min(b, d), abs(c - a), abs(d - b)),
            strict=True,
        )
        where = " ".join(f'{name}="{_number(value)}"' for name, value in numbers)
        self.pieces.append(
            (
                f'<image {where} preserveAspectRatio="none" style="image-rendering:pixelated" '
                f'href="{address}"/>',
                "",
            )
        )

    def draw_text(
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: FontProperties,
        angle: float,
        ismath: Any = False,
        mtext: Text | None = None,
    ) -> None:
        if not s.strip():
            return
        if mtext is None:  # one of several lines, each in the middle
            width, _, _ = self.get_text_width_height_descent(s, prop, ismath)
            x, anchor = x + width / 2, "center"
        else:  # where the text is held, at the height of its line
            hold, held = mtext.get_transform().transform(mtext.get_unitless_position())
            up = np.deg2rad(angle + 90)
            way = np.array([np.cos(up), -np.sin(up)])
            shift = way @ (x - hold, y - (self.height - held))
            (x, y), anchor = (
                np.array([hold, self.height - held]) + shift * way,
                mtext.get_horizontalalignment(),
            )
        size = prop.get_size_in_points()
        look = "" if size == TEXT else f' font-size="{_number(size)}"'
        look += ' font-weight="600"' if prop.get_weight() in ("bold", 600, 700) else ""
        colour = self._colour(gc.get_rgb())
        look += "" if colour == "currentColor" else f' fill="{colour}"'
        turned = f' transform="rotate({-angle:.0f} {_number(x)} {_number(y)})"' if angle else ""
        words = typeset(s, size) if ismath else escape(s, quote=False)
        self.pieces.append(
            (
                f'<text x="{_number(x)}" y="{_number(y)}"{turned}@>{words}</text>',
                ANCHORS[anchor] + look,
            )
        )


def typeset(text: str, size: float) -> str:
    """Text with formulas between dollars as the inside of an SVG text.

    Letters of a formula lean, indices are small and low.

    >>> typeset("$W_Q$", 10)
    '<tspan font-style="italic">W</tspan><tspan dy="2.5" font-size="7.2">Q</tspan>'
    """
    out, low = [], False
    for i, part in enumerate(text.split("$")):
        part = re.sub(r"\\sqrt\{([^}]*)\}", r"√\1", part).replace("^", "")
        pieces = FORMULA.findall(part) if i % 2 else [("", part)]
        for under, piece in pieces:
            words = escape(SIGNS.get(piece, piece.strip("{}")), quote=False)
            if not words:
                continue
            shift = f' dy="{_number(size / 4 * (bool(under) - low))}"' if bool(under) != low else ""
            look = (
                f' font-size="{_number(0.72 * size)}"'
                if under
                else ' font-style="italic"'
                if i % 2 and piece.isalpha()
                else ""
            )
            low = bool(under)
            out.append(f"<tspan{shift}{look}>{words}</tspan>" if shift or look else words)
    return "".join(out)
