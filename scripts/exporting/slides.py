"""Slides: a reveal.js page a notebook's core, alive without kernel and network, with the notes of
its plan for the speaker.

Which cell starts a slide stands in its metadata, as Jupyter knows it (slide, subslide, "-", skip);
a heading starts one, too, and so does what no longer fits. A picture or an instrument has a slide
of its own. Code is shown as far as it is mathematics (slide_code.py), unless `"code": "show"` or
`"hide"` beside the slide_type says otherwise; key C shows all of it. Questions become polls
(slide_questions.py).

    python scripts/export.py slides [--minutes 50]

--minutes leaves out what is homework in that version of the plans, and gives its times alone. On
which slide a heading begins is written into the plans.
"""

import argparse
import html
import re
import shutil
from copy import deepcopy
from pathlib import Path

import lecture
from nbconvert import SlidesExporter
from nbformat.v4 import new_markdown_cell
from traitlets.config import Config

from course_utils.cards.carrier import CARRIER
from exporting import APPENDIX, BUILD, ROOT, plans, slide_parts, slide_questions, stored

HERE = Path(__file__).parent
PACKAGES = ROOT / "scripts" / "node_modules"
BEGIN = "Begin with the question in bold, and let them guess. Then what they will do."
VOTE = "Vote with a letter."
HINT = "Key C shows the code behind it."
LICENCE = '<p class="licence">Text and figures: CC BY 4.0. Code: BSD 3-Clause.</p>'
VERSIONS = (50, 75)  # minutes, as the plans have them
SPEAKERS_CHOICE = r"class=\"speaker-layout-dropdown\""  # of reveal.js's notes.js


def main(arguments=()):
    parser = argparse.ArgumentParser(
        prog="export.py slides", description=__doc__.partition("\n\n")[0]
    )
    parser.add_argument(
        "--minutes",
        type=int,
        choices=VERSIONS,
        help="the version of the plans: what is homework in it is left out",
    )
    minutes = parser.parse_args(arguments).minutes
    folder = BUILD / "slides"
    shutil.rmtree(folder, ignore_errors=True)
    copy_assets(folder / "assets", "slides.css", "slides.js", "mathjax-config.js")
    # A card brings this along where it is the first; on slides that may be a prediction, which is a
    # poll there.
    (folder / "assets" / "carrier.js").write_text(CARRIER, encoding="utf-8", newline="\n")
    for part in ("dist", "plugin/notes"):
        shutil.copytree(
            PACKAGES / "reveal.js" / part,
            folder / "assets" / "reveal" / part,
            ignore=shutil.ignore_patterns("*.map", "*.esm.js", "plugin.js", "speaker-view.html"),
        )
    # The second window's choice has no name there, and its page stands in the script.
    notes = folder / "assets" / "reveal" / "plugin" / "notes" / "notes.js"
    script = notes.read_text(encoding="utf-8")
    named = script.replace(SPEAKERS_CHOICE, f'{SPEAKERS_CHOICE} aria-label=\\"Layout\\"')
    notes.write_text(named, encoding="utf-8", newline="\n")
    exporter = SlidesExporter(
        template_name="slides",
        extra_template_basedirs=[str(HERE / "templates")],
        exclude_input_prompt=True,
        exclude_output_prompt=True,
        config=Config(CSSHTMLHeaderPreprocessor={"style": "a11y-high-contrast-light"}),
    )
    lectures = {
        name: notebook for name, notebook in stored().items() if not name.startswith(APPENDIX)
    }
    for name, notebook in lectures.items():
        plan = plans.read(name)
        notes = plans.speaker_notes(plan, minutes) if plan else {}
        home = plans.homework(plan, minutes) if plan else set()
        page, _ = exporter.from_notebook_node(deck(name, notebook, notes, home))
        (folder / f"{name}.html").write_text(page, encoding="utf-8", newline="\n")
        if plan:
            plans.write_slides(name, beginnings(name, notebook, plan))
    print(f"slides: {folder.relative_to(ROOT)}")


def copy_assets(folder, *pages):
    """The scripts that stand beside an exported page: MathJax, and our own."""
    if not PACKAGES.exists():
        raise SystemExit(
            "export.py: the JavaScript packages are missing; npm ci --prefix scripts installs them"
        )
    folder.mkdir(parents=True)
    shutil.copy(PACKAGES / "mathjax/es5/tex-svg-full.js", folder / "mathjax.js")
    for page in pages:
        shutil.copy(HERE / "pages" / page, folder / page)


def short(heading):
    """A heading as a plan's table has it: without its minutes and difficulty."""
    return re.sub(r" \(\d+ minutes, .*\)$", "", heading)


def is_exercise(heading):
    """Whether a heading is that of an exercise: behind it the section before goes on."""
    return heading.startswith("Exercise ")


def taught(cells, home):
    """The cells without what stands below a heading of `home`. Behind an exercise the section that
    it stands in goes on."""
    section = heading = ""
    for cell in map(deepcopy, cells):
        texts = [cell.source]
        if cell.cell_type == "markdown":
            texts = re.split(r"^(?=#{1,3} )", cell.source, flags=re.MULTILINE)
        kept = ""
        for text in texts:
            if cell.cell_type == "markdown" and (found := re.match(r"(#+) (.+)", text)):
                heading = short(found[2])
                section = section if is_exercise(heading) else heading
            kept += text if heading not in home else ""
        cell.source = kept
        if kept.strip():
            yield cell
        if cell.cell_type == "code" and "diagnose(" in texts[0]:
            heading = section


def deck(name, notebook, notes, home=frozenset()):
    """The notebook as its slides show it: no solutions, questions as polls, and a note for the
    speaker on each slide; without what stands below a heading of `home`."""
    slides = deepcopy(notebook)
    slides.metadata.title = re.match(r"# (.+)", notebook.cells[0].source)[1]
    slides.cells, before, section = [], "", ""
    found = packed(parts(name, list(taught(notebook.cells, home))))
    found[-1].append(slide_parts.html(LICENCE, starts="-"))
    for slide in found:
        headings = [part for part in slide if part.heading]
        if headings:
            section = headings[-1].heading
            before = [before, *(p.heading for p in headings if not is_exercise(p.heading))][-1]
            words = "\n\n".join(
                notes.get(part.heading) or notes.get(short(part.heading), BEGIN)
                for part in headings
            )
        else:
            if is_exercise(section) and not any("diagnose(" in part.code for part in slide):
                section = before
            words = continued(section, notes.get(section, ""))
        slides.cells += _cells(slide, words)
    return slides


def beginnings(name, notebook, plan):
    """{heading: the slide on which it begins} as reveal.js counts, "5.7"; in the order of the
    plan's versions, "7, 8", where these count otherwise."""
    counted = [
        _counted(deck(name, notebook, {}, plans.homework(plan, minutes)).cells)
        for minutes in plan.clock
    ]
    return {
        heading: ", ".join(dict.fromkeys(found[seen] for found in counted if seen in found))
        for heading in plan.slides
        for seen in [slide_parts.reworded(heading)]
    }


def _counted(cells):
    column = row = 0
    found = {}
    for cell in cells:
        starts = cell.metadata.get("slideshow", {}).get("slide_type")
        if starts == "slide":
            column, row = column + 1, 1
        elif starts == "subslide":
            row += 1
        for heading in re.findall(r"^#{1,3} (.+)$", cell.source, flags=re.MULTILINE):
            found.setdefault(short(heading), f"{column}.{row}" if row > 1 else f"{column}")
    return found


def continued(heading, note):
    """What is said of a heading on its later slides: no poll twice, but what comes after it."""
    _, _, after = note.rpartition("**Expect:**")
    rest = re.split(r"(?<=[.!?]) ", after.strip(), maxsplit=1)[1:] if "**Expect:**" in note else []
    return f"… continued: *{heading}*" + (f" After the poll: {rest[0]}" if rest else "")


def parts(name, cells):
    """What the core brings to the slides, in order; what was right in a poll follows the cell that
    shows it, at the latest the section."""
    told = []
    for cell in lecture.core(cells):
        starts = cell.metadata.get("slideshow", {}).get("slide_type", "-")
        called = re.match(r'(predict|predictions|quiz)\("(\w+)"\)', cell.source)
        if (
            starts == "skip" or called and called[1] == "predictions"
        ):  # the sum of one reader's clicks
            continue
        if called and called[1] == "predict":
            question, *told = slide_questions.of_prediction(name, called[2].partition("_")[2])
            yield question
            continue
        if called:
            found = list(slide_questions.of_quiz(called[2]))
        else:
            found = list(
                slide_parts.of_markdown(cell.source, starts)
                if cell.cell_type == "markdown"
                else slide_parts.of_code(cell)
            )
        if any(part.starts == "slide" for part in found):
            yield from told
            told = []
        yield from found
        if any(part.cell.get("outputs") for part in found):
            yield from told
            told = []
    yield from told


def packed(found):
    """Slides as lists of parts: a new one where a part starts it, where it needs one for itself, or
    where it no longer fits. A heading with nothing below it takes what follows along, unless that
    is a question."""
    slides, room = [], 0
    for part in found:
        bare = slides and len(slides[-1]) == 1 and slides[-1][0].bare
        if bare and part.asks:
            slides[-1][0].cell.source += f"\n\n{VOTE}"
            bare = False
        if not bare and (part.starts != "-" or part.alone or part.height > room):
            slides.append([])
            room = slide_parts.ROOM
        slides[-1].append(part)
        room = 0 if part.alone else room - part.height
    return slides


def _cells(slide, section):
    """A slide as nbconvert takes it: its cells, the first marked as its start, then the code behind
    it, then the notes."""
    for i, part in enumerate(slide):
        part.cell.metadata.slideshow = {
            "slide_type": "-" if i else part.starts if part.starts != "-" else "subslide"
        }
        yield part.cell
    code = list(dict.fromkeys(part.code for part in slide if part.code))
    if code:
        lines = html.escape("\n\n".join(code))
        yield slide_parts.html(f'<pre class="all-code" tabindex="0">{lines}</pre>', starts="-").cell
    notes = [*(part.note for part in slide if part.note), HINT if code else "", section]
    yield new_markdown_cell(
        "\n\n".join(filter(None, notes)), metadata={"slideshow": {"slide_type": "notes"}}
    )
