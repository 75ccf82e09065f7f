"""Slides: a reveal.js page a notebook, alive without kernel and network, with the notes of INSTRUCTORS.md for the speaker.

Which cell starts a slide stands in its metadata. Beyond what Jupyter knows (slide, subslide, fragment, "-", skip), a heading within
a cell starts a slide, too, and a code cell with `"outputs": "subslide"` beside its slide_type shows its outputs on the next slide.
"""

import argparse
import re
import shutil
from copy import deepcopy
from pathlib import Path

from nbconvert import SlidesExporter
from nbformat.v4 import new_markdown_cell
from traitlets.config import Config

from exporting import APPENDIX, BUILD, ROOT, stored

HERE = Path(__file__).parent
PACKAGES = ROOT / "scripts" / "node_modules"
TYPES = {1: "slide", 2: "slide", 3: "subslide"}           # what a heading of a level starts


def main(arguments=()):
    parser = argparse.ArgumentParser(prog="export.py slides", description=__doc__.partition("\n")[0])
    parser.parse_args(arguments)
    folder = BUILD / "slides"
    shutil.rmtree(folder, ignore_errors=True)
    copy_assets(folder / "assets", "slides.css", "slides.js", "mathjax-config.js")
    for part in ("dist", "plugin/notes"):
        shutil.copytree(PACKAGES / "reveal.js" / part, folder / "assets" / "reveal" / part, ignore=shutil.ignore_patterns("*.map", "*.esm.js"))
    notes = speaker_notes((ROOT / "INSTRUCTORS.md").read_text(encoding="utf-8"))
    exporter = SlidesExporter(
        template_name="slides", extra_template_basedirs=[str(HERE / "templates")], exclude_input_prompt=True, exclude_output_prompt=True,
        config=Config(CSSHTMLHeaderPreprocessor={"style": "a11y-high-contrast-light"}))
    lectures = {name: notebook for name, notebook in stored().items() if not name.startswith(APPENDIX)}
    for name, notebook in lectures.items():
        page, _ = exporter.from_notebook_node(deck(notebook, notes.get(name, {})))
        (folder / f"{name}.html").write_text(page, encoding="utf-8", newline="\n")
    print(f"slides: {folder.relative_to(ROOT)}")


def copy_assets(folder, *pages):
    """The scripts that stand beside an exported page: MathJax, and our own."""
    if not PACKAGES.exists():
        raise SystemExit("export.py: the JavaScript packages are missing; npm ci --prefix scripts installs them")
    folder.mkdir(parents=True)
    shutil.copy(PACKAGES / "mathjax/es5/tex-svg-full.js", folder / "mathjax.js")
    for page in pages:
        shutil.copy(HERE / "pages" / page, folder / page)


def speaker_notes(text):
    """{notebook: {heading: notes}} of INSTRUCTORS.md: `## 01_self_attention`, below it `### A heading of the notebook` and its notes."""
    notes = {}
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        name, _, rest = part.partition("\n")
        headings = (section.partition("\n") for section in re.split(r"^### ", rest, flags=re.MULTILINE)[1:])
        notes[name.strip()] = {heading.strip(): words.strip() for heading, _, words in headings}
    return notes


def deck(notebook, notes):
    """The notebook as its slides show it: no solutions, a slide for each heading, notes below it, outputs apart where so marked."""
    slides = deepcopy(notebook)
    slides.cells = []
    for cell in notebook.cells:
        kind = cell.metadata.get("slideshow", {}).get("slide_type", "-")
        if kind == "skip":
            continue
        if cell.cell_type == "markdown":
            slides.cells += _at_headings(cell.source, kind, notes)
        else:
            slides.cells += _code(deepcopy(cell))
    slides.metadata.title = re.match(r"# (.+)", notebook.cells[0].source)[1]
    return slides


def _at_headings(source, kind, notes):
    source = re.sub(rf"\[([^\]]+)\]\({APPENDIX}\w+\.ipynb\)", r"\1", source)
    source = re.sub(r"\]\((\w+)\.ipynb\)", r"](\1.html)", source)
    source = re.sub(r"<details>.*?</details>", "", source, flags=re.DOTALL)            # what stands under a fold is not for the hall
    for part in re.split(r"^(?=#{1,3} )", source, flags=re.MULTILINE):
        if not part.strip():
            continue
        heading = re.match(r"(#+) (.+)", part)
        yield _markdown(part, TYPES[len(heading[1])] if heading else kind)
        if heading and heading[2] in notes:
            yield _markdown(notes[heading[2]], "notes")


def _markdown(source, kind):
    return new_markdown_cell(source, metadata={"slideshow": {"slide_type": kind}})


def _code(cell):
    """A code cell as one cell, or as its code and then its outputs."""
    cell.outputs = [output for output in cell.outputs if not output.get("data", {}).get("text/plain", "").startswith("The picture in words")]
    for output in cell.outputs:
        if "diagnose(" in cell.source and "text/html" in output.get("data", {}):       # the ladder of an exercise holds its solution
            output.data["text/html"] = re.sub(r"<details\b.*</details>", "", output.data["text/html"], flags=re.DOTALL)
    apart = cell.metadata.get("slideshow", {}).get("outputs")
    if not apart:
        return [cell]
    result = deepcopy(cell)
    result.id += "-outputs"
    result.metadata.slideshow.slide_type = apart
    result.metadata.transient = {"remove_source": True}
    cell.outputs = []
    return [cell, result]
