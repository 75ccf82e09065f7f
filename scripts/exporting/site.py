"""Two static sites by sphinx and myst-nb, which need no server, no network and no kernel: one for
readers (with lite, where built), one for instructors (with the slides, where built). What holds
plans and answers stands on the second alone.
"""

import argparse
import json
import re
import shutil
from pathlib import Path

import nbformat
from nbformat.v4 import new_markdown_cell
from sphinx.cmd.build import main as sphinx
from tie_numbers import with_titles

from course_utils.cards.carrier import forget
from course_utils.instruments import TheMap
from exporting import (
    APPENDIX,
    BUILD,
    ROOT,
    gallery,
    is_figure,
    mark_languages,
    stored,
    without_picture,
)
from exporting.slides import copy_assets

HERE = Path(__file__).parent
START, INSTRUMENTS, GALLERY = "docs/where_to_start.md", "docs/instruments.md", "docs/gallery.md"
API = "docs/api.md"
# For instructors, in this order; what stands in a folder comes by name.
PROSE = [
    "INSTRUCTORS.md",
    "teaching/plans/*.md",
    "teaching/*.md",
    "deploy/README.md",
    "CONTRIBUTING.md",
    "docs/accessibility.md",
]
TERMS = (
    ROOT / "tests" / "terms"
)  # each term of the field, with the words that define it in its notebook
# What else a reader may look for, and the term it is here.
ALSO = {
    "BERT": "pretrained",
    "FFN": "feed-forward network",
    "GPT": "decoder-only",
    "LayerNorm": "layer norm",
    "MHA": "multi-head attention",
    "MLP": "feed-forward network",
    "MoE": "mixture of experts",
    "QKV": "value",
    "quantization": "quantisation",
    "RMSNorm": "RMS norm",
    "skip connection": "residual connection",
    "tokenization": "tokenizer",
}


def main(arguments=()):
    argparse.ArgumentParser(prog="export.py site", description=__doc__).parse_args(arguments)
    readers()
    instructors()


def readers():
    """build/site: the README, the notebooks, all instruments on one page, a gallery of mistakes,
    and an index of terms."""
    source = _empty("site")
    notebooks, lite = stored(), (BUILD / "lite").exists()
    front = (ROOT / "README.md").read_text(encoding="utf-8")
    contents = [START, "notebooks/*", INSTRUMENTS, GALLERY, API, "Index of terms <genindex>"]
    _write(
        source / "index.md",
        f"{re.sub('<picture>.*?</picture>', lambda _: _raw(_map()), front, flags=re.DOTALL)}\n{_toctree(contents)}",  # noqa: E501
    )
    for page in (START, API):
        shutil.copy(ROOT / page, source / page)
    shutil.copytree(ROOT / "docs" / "instruments", source / "docs" / "instruments")
    _write(source / INSTRUMENTS, alive((ROOT / INSTRUMENTS).read_text(encoding="utf-8"), notebooks))
    _write(source / GALLERY, gallery.page())
    _write(source / "_static" / "gallery.html", gallery.sheet())
    (source / "notebooks").mkdir()
    for name, notebook in notebooks.items():
        nbformat.write(page_of(name, notebook, lite), source / "notebooks" / f"{name}.ipynb")
    _build("site", "lite")


def instructors():
    """build/teachers: the plans, and what else one needs who teaches, sets up a hub or changes the
    course; with the slides."""
    source = _empty("teachers")
    prose = [
        path.relative_to(ROOT).as_posix() for name in PROSE for path in sorted(ROOT.glob(name))
    ]
    for name in prose:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    slides = ""
    if (BUILD / "slides").exists():
        titles = {
            name: notebook.cells[0].source.partition("\n")[0].removeprefix("# ")
            for name, notebook in stored().items()
        }
        links = [
            f'- <a href="slides/{name}.html">{title}</a>'
            for name, title in titles.items()
            if not name.startswith(APPENDIX)
        ]
        slides = "\n".join(["## The slides", "", *links])
    front = (HERE / "pages" / "teachers.md").read_text(encoding="utf-8")
    _write(source / "index.md", f"{front}\n{slides}\n\n{_toctree(prose)}")
    _build("teachers", "slides", title="For instructors")


def _empty(name):
    """The folder of a site's sources, with what both sites need."""
    source = BUILD / f"{name}-source"
    shutil.rmtree(source, ignore_errors=True)
    shutil.rmtree(BUILD / name, ignore_errors=True)
    copy_assets(
        source / "_static",
        "icon.svg",
        "site.css",
        "mathjax-config.js",
        "outcomes.js",
        "run_here.js",
    )
    for page in ("conf.py", "scorer.js"):
        shutil.copy(HERE / "pages" / page, source)
    shutil.copytree(HERE / "templates" / "site", source / "_templates")
    shutil.copy(ROOT / "LICENSE", source)
    (source / "docs").mkdir()
    return source


def _write(path, text):
    path.write_text(text, encoding="utf-8", newline="\n")


def _toctree(contents):
    return "\n".join(["```{toctree}", ":hidden:", ":glob:", "", *contents, "```", ""])


def _build(name, part, **settings):
    """Let sphinx make a site, and lay the export `part` inside, where it is built."""
    target = BUILD / name
    said = [f"-Dhtml_{key}={value}" for key, value in settings.items()]
    if sphinx(
        [
            "-q",
            "-W",
            "--keep-going",
            "-j",
            "2",
            *said,
            "-d",
            str(BUILD / f"{name}-doctrees"),
            str(BUILD / f"{name}-source"),
            str(target),
        ]
    ):
        raise SystemExit("export.py site: sphinx found faults, see above")
    for page in (target / "notebooks").glob("*.html"):
        _write(page, mark_languages(page.read_text(encoding="utf-8")))
    if (BUILD / part).exists():
        shutil.copytree(BUILD / part, target / part)
    print(f"site: {target.relative_to(ROOT)}")


def _raw(page):
    return f"``````{{raw}} html\n{page}\n``````\n"


def _map():
    """The map alive, the first instrument of its page."""
    forget()
    return TheMap()._repr_mimebundle_()["text/html"]


def alive(text, notebooks):
    """The page of the instruments, each below its heading as it lives in its notebook; the map
    brings the scripts that all need."""
    found = {"TheMap": _map()}
    for notebook in notebooks.values():
        for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
            data = output.get("data", {})
            if "course-words" in data.get("text/html", ""):
                found.setdefault(data["text/plain"].partition(":")[0], data["text/html"])
    return re.sub(
        r"^## (\w+)\n\n(?:.+\n)+",
        lambda part: f"{part[0]}\n{_raw(found[part[1]])}\n",
        text,
        flags=re.MULTILINE,
    )


def run_link(name):
    """What run_here.js makes a button of, and a link where there are no scripts."""
    address = f"../lite/notebooks/index.html?path={name}.ipynb"
    return f'<a class="run-here" href="{address}">Run it in the browser</a>'


def page_of(name, notebook, lite):
    """A notebook as the site shows it: outcomes of predictions folded, numbers with their
    expressions, terms in the index, and a
    button that runs it in the page."""
    _index(name, notebook)
    _fold_outcomes(notebook)
    if lite:
        notebook.cells.insert(
            1,
            new_markdown_cell(run_link(name)),
        )
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = with_titles(cell)
        for output in filter(is_figure, cell.get("outputs", [])):
            output.data["text/html"] = without_picture(output.data["text/html"])
    return notebook


def _fold_outcomes(notebook):
    """Fold what comes out of the cell below a prediction: a `<details>`, which outcomes.js opens
    once the reader has voted."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for asks, shows in zip(code, code[1:], strict=False):
        asked = re.match(r'predict\("(\w+)"\)', asks.source)
        if asked:
            shows.metadata["tags"] = ["hide-output", f"outcome-{asked[1]}"]
            shows.metadata["mystnb"] = {
                "code_prompt_show": "Show what came out",
                "code_prompt_hide": "Hide what came out",
            }


def _index(name, notebook):
    """Name each term where the notebook defines it: so the search and the page of terms lead
    there."""
    path = TERMS / f"{name[:2]}.json"
    for term, words in (
        json.loads(path.read_text(encoding="utf-8")).items() if path.exists() else ()
    ):
        texts = (cell for cell in notebook.cells[1:] if cell.cell_type == "markdown")
        cell = next((cell for cell in texts if words in cell.source), None)
        if cell is None:
            listed = f"{words!r}, which tests/terms/{path.name} has for {term!r}"
            raise ValueError(f"no text of {name} says {listed}")
        for entry in (term, *(other for other, meant in ALSO.items() if meant == term)):
            cell.source = f"```{{index}} ! single: {entry}\n```\n\n{cell.source}"
