"""A static site of the course by sphinx and myst-nb: it needs no server, no network and no kernel. Slides and lite, where built, are inside."""

import argparse
import html
import json
import re
import shutil
from pathlib import Path

import nbformat
from nbformat.v4 import new_markdown_cell
from sphinx.cmd.build import main as sphinx

from exporting import APPENDIX, BUILD, ROOT, stored
from exporting.slides import copy_assets

HERE = Path(__file__).parent
PROSE = ["INSTRUCTORS.md", "CONTRIBUTING.md", "docs/accessibility.md", "docs/where_to_start.md", "deploy/README.md"]
PARTS = ["slides", "lite"]


def main(arguments=()):
    argparse.ArgumentParser(prog="export.py site", description=__doc__).parse_args(arguments)
    source, target = BUILD / "site-source", BUILD / "site"
    shutil.rmtree(source, ignore_errors=True)
    shutil.rmtree(target, ignore_errors=True)
    copy_assets(source / "_static", "site.css", "mathjax-config.js")
    shutil.copy(HERE / "pages" / "conf.py", source)
    shutil.copytree(HERE / "templates" / "site", source / "_templates")
    shutil.copytree(ROOT / "docs", source / "docs")
    shutil.copy(ROOT / "LICENSE", source)
    prose = [name for name in PROSE if (ROOT / name).exists()]
    for name in prose:
        (source / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    contents = "\n".join(["notebooks/*", *prose])
    front = re.sub('<picture>.*?alt="(.*?)".*?</picture>', _both_maps, (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    (source / "index.md").write_text(f"{front}\n```{{toctree}}\n:hidden:\n:glob:\n\n{contents}\n```\n", encoding="utf-8")
    parts = [part for part in PARTS if (BUILD / part).exists()]
    (source / "notebooks").mkdir()
    for name, notebook in stored().items():
        nbformat.write(page(name, notebook, parts), source / "notebooks" / f"{name}.ipynb")
    if sphinx(["-q", "-W", "--keep-going", "-j", "2", "-d", str(BUILD / "site-doctrees"), str(source), str(target)]):
        raise SystemExit("export.py site: sphinx found faults, see above")
    for part in parts:
        shutil.copytree(BUILD / part, target / part)
    print(f"site: {target.relative_to(ROOT)}")


def _both_maps(picture):
    """The map of the README for the site, whose light or dark is the reader's choice and not the system's alone."""
    return "\n".join(f"```{{image}} docs/{file}.svg\n:alt: {json.dumps(html.unescape(picture[1]), ensure_ascii=False)}\n:class: only-{theme}\n```\n"
                     for file, theme in (("map", "light"), ("map_dark", "dark")))


def page(name, notebook, parts):
    """A notebook as the site shows it: pictures with their descriptions, and links to its slides and to its live form."""
    notebook.cells.insert(1, new_markdown_cell(_ways(name, parts)))
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):           # myst-nb drops the description in the output's metadata
                words = html.escape(output.metadata["image/png"]["alt"])
                output.data["text/html"] = f'<img src="data:image/png;base64,{output.data.pop("image/png")}" alt="{words}">'
    return notebook


def _ways(name, parts):
    hrefs = {"slides": (f"../slides/{name}.html", "Slides"), "lite": (f"../lite/lab/index.html?path={name}.ipynb", "Run it in the browser")}
    if name.startswith(APPENDIX):
        del hrefs["slides"]
    return " · ".join(f'<a href="{href}">{words}</a>' for href, words in (hrefs[part] for part in parts if part in hrefs))
