"""What a cell brings to the slides: parts with a height each, in words that are true in a hall."""

import re
from copy import deepcopy
from dataclasses import dataclass

from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from course_utils.cards.verdicts import NOT_APART
from exporting import APPENDIX, is_figure, without_picture
from exporting.slide_code import mathematics

ROOM = 640  # pixels of a slide's height for its parts, of 720
CODE_LINE, CODE_ROW = (
    30,
    88,
)  # pixels a line of code at 22 pixels; how many characters are side by side
TEXT_LINE, TEXT_ROW = 39, 80  # the same of text at 28 pixels
LEVELS = {1: "slide", 2: "slide", 3: "subslide"}  # what a heading of a level starts

# A sentence that says such a thing is true in a notebook only.
ONLY_IN_A_NOTEBOOK = re.compile(
    r"Shift \+ Enter|three dots|folded first cell|[Rr]un (?:the|this) cell|and run[:.]|[Nn]ext"
    r" cell|cell below|[Hh]elp opens|It costs nothing|"
    r"Stuck\?|[Pp]ut your letter|replaces the dots|[Tt]he picture in words|click commits|a card"
    r" asks|stays? in your browser|your hand|you left|"
    r"leave its words|write it below"
)
# Words that a hall reads otherwise.
REWORDED = {
    "Predict, then run": "Predict first",
    "this notebook": "this lecture",
    "the next cell's numbers": "the same numbers",
    "*your* tree": "the tree as it stood at first",
    "Below it: those": "Those",
}
KEPT = re.compile(
    r"^\w+: the course's version is used until yours passes its check\.\n"
    r"|^my_transformer\.py holds none of these functions yet: .*",
    flags=re.MULTILINE,
)  # what `mine` and `compare` say of a file that holds nothing yet


@dataclass
class Part:
    """Something that stays on one slide. starts: "slide", "subslide", or "-" where it may follow;
    alone: it needs a slide for itself."""

    cell: dict
    height: float
    starts: str = "-"
    alone: bool = False
    note: str = ""  # what the speaker is told of it
    heading: str = ""
    code: str = ""  # the cell's whole code, where a part of it is hidden
    asks: bool = False  # a question, which stands below no heading

    @property
    def bare(self):
        """A heading with nothing below it."""
        return bool(self.heading) and "\n" not in self.cell.source


def of_markdown(source, starts):
    """The parts of a markdown cell: one a heading, or one a paragraph where that would not fit on a
    slide."""
    source = re.sub(rf"\[([^\]]+)\]\({APPENDIX}\w+\.ipynb\)", r"\1", source)
    source = re.sub(r"\]\((\w+)\.ipynb\)", r"](\1.html)", source)
    source = re.sub(
        r"<details>.*?</details>", "", source, flags=re.DOTALL
    )  # what stands under a fold is not for the hall
    for section in re.split(r"^(?=#{1,3} )", source, flags=re.MULTILINE):
        if not section.strip():
            continue
        heading = re.match(r"(#+) (.+)", section)
        blocks = [
            block
            for block in map(for_projector, _blocks(section))
            if block and not block.startswith(("Previous: [", "Next: ["))
        ]
        if not blocks:
            continue
        if sum(map(height, blocks)) <= ROOM:
            blocks = ["\n\n".join(blocks)]
        for i, block in enumerate(blocks):
            first = LEVELS[len(heading[1])] if heading else starts
            yield Part(
                new_markdown_cell(block),
                height(block),
                first if i == 0 else "-",
                heading=heading[2].strip() if heading and i == 0 else "",
            )


def _blocks(text):
    """Paragraphs, lists, tables and fenced code, each whole; a heading goes with what follows
    it."""
    blocks = []
    for i, part in enumerate(re.split(r"(```.*?```)", text, flags=re.DOTALL)):
        found = _fences(part) if i % 2 else re.split(r"\n\s*\n", part)
        blocks += [block.strip("\n") for block in found if block.strip()]
    if len(blocks) > 1 and blocks[0].startswith("#"):
        blocks[:2] = [f"{blocks[0]}\n\n{blocks[1]}"]
    return blocks


def _fences(code):
    """Fenced code, cut at its empty lines where it is higher than a slide."""
    first, body = code.removesuffix("```").split("\n", 1)
    pieces = [body] if height(code) <= ROOM else re.split(r"\n\s*\n", body)
    return [f"{first}\n{piece.rstrip()}\n```" for piece in pieces]


def for_projector(block):
    """A block without the sentences that are true in a notebook only."""
    if block.startswith("```"):
        return block
    lines = [_true_sentences(line) for line in reworded(block).split("\n")]
    return "\n".join(line for line in lines if line is not None).strip()


def reworded(text):
    for words, other in REWORDED.items():
        text = text.replace(words, other)
    return text


def _true_sentences(line):
    if not ONLY_IN_A_NOTEBOOK.search(line):
        return line
    return (
        " ".join(
            each for each in re.split(r"(?<=[.!?]) ", line) if not ONLY_IN_A_NOTEBOOK.search(each)
        )
        or None
    )


def height(text):
    """About how high a block of markdown stands, in pixels."""
    if "```" in text:
        return sum(
            height(part) if i % 2 == 0 else CODE_LINE * part.count("\n") + 24
            for i, part in enumerate(text.split("```"))
            if part.strip()
        )
    total = 0
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = block.split("\n")
        if block.startswith("#"):
            total += 76
        elif "$$" in block:
            total += 96 + 44 * block.count("\\\\") + 40 * block.count("\\begin")
        elif block.startswith("|"):
            total += sum(44 * -(-max(len(line) - 10, 1) // 96) for line in lines) + 12
        else:
            total += sum(TEXT_LINE * -(-len(_plain(line)) // TEXT_ROW) for line in lines) + 18
    return total


def _plain(line):
    """About what is seen of a line: no addresses, no marks, a TeX command as one letter."""
    return (
        re.sub(
            r"\\[a-zA-Z]+|[*`${}]",
            lambda m: "x" if m[0].startswith("\\") else "",
            re.sub(r"\]\([^)]*\)", "", line),
        )
        or " "
    )


def of_code(cell):
    """The parts of a code cell: its mathematics, what it printed, and each picture or instrument on
    a slide of its own."""
    cell, show = deepcopy(cell), cell.metadata.get("slideshow", {}).get("code")
    shown = {None: mathematics, "show": str, "hide": lambda _: ""}[show](cell.source)
    shown = re.sub(r" +#.*your hand.*", "", shown)
    hidden = cell.source if shown != cell.source else ""
    starts = cell.metadata.get("slideshow", {}).get("slide_type", "-")
    parts, pictures = [], []
    for output in cell.outputs:
        if output.output_type == "stream":
            output.text = KEPT.sub("", output.text)
        data, text = (
            output.get("data", {}),
            output.get("text") or output.get("data", {}).get("text/plain", ""),
        )
        if is_figure(output):
            data["text/html"] = re.sub(
                r"<details>.*</details>", "", without_picture(data["text/html"])
            )  # the speaker's note has its words
            pictures.append(output)
        elif "text/html" in data:
            if (
                "diagnose(" not in cell.source or "Reading" in data["text/html"]
            ):  # an exercise's card would tell its solution
                parts.append(
                    html(_awake(_in_short(data["text/html"])), note=f"Shown: {text.strip()}")
                )
        elif KEPT.sub("", text).strip():
            parts.append(_printed(output, text))
    if pictures:
        words = " ".join(output["data"].get("text/plain", "") for output in pictures)
        parts.append(Part(_outputs(pictures), ROOM, alone=True, note=f"Shown: {words.strip()}"))
    if shown:
        seen = deepcopy(cell)
        seen.source, seen.outputs = shown, []
        parts.insert(
            0,
            Part(
                seen, CODE_LINE * rows(shown) + 26, note="" if parts else "The code, line by line."
            ),
        )
    for part in parts:
        part.code = hidden
    if parts:
        parts[0].starts = starts
    return parts


def html(source, note="", **more):
    """HTML on a slide of its own."""
    return Part(
        _outputs([new_output("display_data", {"text/html": source})]),
        ROOM,
        alone=True,
        note=note,
        **more,
    )


def _printed(output, text):
    lines = text.strip("\n").split("\n")
    note = f"It prints `{lines[0].strip()}`" + (
        f" and {len(lines) - 1} lines more." if len(lines) > 2 else "."
    )
    return Part(_outputs([output]), CODE_LINE * rows(text.strip("\n")) + 26, note=note)


def rows(text):
    return sum(max(1, -(-len(line) // CODE_ROW)) for line in text.split("\n"))


def _outputs(outputs):
    """A cell that has outputs and no source."""
    cell = new_code_cell(outputs=outputs)
    cell.metadata.transient = {"remove_source": True}
    return cell


def _in_short(source):
    """A verdict for a slide: of its table the heads, the run as it is, and the first change that
    turns it round; no source."""
    if 'aria-label="Verdict' not in source:
        return source
    rows = re.findall(r"<tr .*?</tr>", source, flags=re.DOTALL)
    turned = next((row for row in rows[2:] if any(words in row for words in NOT_APART)), None)
    for row in rows[2:]:
        source = source.replace(row, "") if row != turned else source
    return re.sub(r"<details.*?</details>", "", source, flags=re.DOTALL)


def _awake(source):
    """A live card or instrument without the line that asks a reader of a notebook to run its
    cell."""
    return re.sub(r'<p class="course-asleep".*?</p>', "", source)
