"""The browser's scripts as a notebook carries them: without comments and the blanks that JavaScript
can do without.

The files are written to be read, and a notebook stores what it shows; between the two a third of
the bytes goes. Names stay, so what is stored can still be read. No build and no tool: `squeeze`
knows strings, templates and regular expressions, and nothing else of the language. (A loop without
a body would lose its semicolon before a brace: the linter allows none.)
"""

import re
from pathlib import Path

# One piece of a script; a template (`…`) is read by hand, because scripts stand inside it.
PIECE = re.compile(
    r"""
    (?P<gap>(?:\s|//[^\n]*|/\*.*?\*/)+)
  | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<regex>/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*)
  | (?P<word>[\w$]+)
  | (?P<mark>\+\+|--|.)
""",
    re.VERBOSE | re.DOTALL,
)
# A regular expression begins, and a division does not, after a mark that ends no value, or after
# one of these words.
BEFORE_REGEX = {"return", "typeof", "case", "in", "of", "=>"}


def read_script(path: str | Path) -> str:
    """A script file, squeezed."""
    return squeeze(Path(path).read_text(encoding="utf-8"))


def squeeze(script: str) -> str:
    """The same script in fewer bytes. A line may end a statement, so a line break stays wherever
    one could."""
    text, _ = _code(script, 0)
    return text


def _code(script, at, inside=False):
    """(squeezed, where it ended) of the code from a place on; inside a template: up to the brace
    that closes it."""
    out, gap, depth, last = [], "", 0, ("mark", ";")
    while at < len(script):
        if script[at] == "`":
            kind, (text, at) = "string", _template(script, at)
        else:
            piece = PIECE.match(script, at)
            if piece.lastgroup == "regex" and not _ends_nothing(*last):
                piece = re.compile("(?P<mark>/)").match(script, at)
            kind, text, at = piece.lastgroup, piece[0], piece.end()
        if kind == "gap":
            gap = text
            continue
        depth += (text == "{") - (text == "}")
        if inside and depth < 0:
            return "".join(out), at
        if text == "}" and out and out[-1] == ";":  # the brace ends the statement, too
            out.pop()
        out += [_between(last, gap, (kind, text)), text]
        gap, last = "", (kind, text)
    return "".join(out), at


def _template(script, start):
    """(a template with the code in it squeezed, where it ended): its text stays as it is."""
    out, at = ["`"], start + 1
    while script[at] != "`":
        if script.startswith("${", at):
            code, at = _code(script, at + 2, inside=True)
            out.append(f"${{{code}}}")
        else:
            length = 2 if script[at] == "\\" else 1
            out.append(script[at : at + length])
            at += length
    return "".join([*out, "`"]), at + 1


def _ends_nothing(kind, text):
    return text in BEFORE_REGEX or kind == "mark" and text not in {")", "]", "}", "++", "--"}


def _between(last, gap, following):
    """What must stay of the gap between two pieces: a line break, a blank or nothing."""
    (kind, text), (next_kind, next_text) = last, following
    if not gap:
        return ""
    if (
        "\n" in gap
        and not (kind == "mark" and text in "{;,([=+-*/%&|<>?:!.")
        and not (next_kind == "mark" and next_text in "}]),;?:.&|=*%<>")
    ):
        return "\n"
    words = kind in ("word", "regex") and next_kind == "word"
    return " " if words or text[-1] + next_text[0] in ("++", "--", "//", "/*") else ""
