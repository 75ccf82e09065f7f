"""Make what is read elsewhere than in JupyterLab out of the notebooks.

    python scripts/export.py slides          reveal.js slides with speaker notes, in build/slides
    python scripts/export.py student         the edition for students, without answers, in
                                             build/student
    python scripts/export.py lite            JupyterLab in the browser alone, in build/lite
    python scripts/export.py gallery         what known mistakes do, for the wall, in
                                             build/gallery.html
    python scripts/export.py site            for readers, with lite and the gallery, in build/site;
                                             for instructors, with the slides, in build/teachers
    python scripts/export.py report FOLDER   what of which files is right, grades: tables
    python scripts/export.py all             slides, student, lite, gallery, site

student needs Python alone, report and gallery requirements.txt, the others requirements-export.txt;
slides and site also `npm ci --prefix scripts`.
"WHAT --help" says more.
"""

import importlib
import sys
from pathlib import Path

KINDS = [
    "slides",
    "student",
    "lite",
    "gallery",
    "site",
]  # in this order: the sites carry slides and lite
COMMANDS = [*KINDS, "report", "all"]


def needed(kind):
    """The module that makes this; a sentence where one of its packages is not here."""
    try:
        return importlib.import_module(
            "grading.report" if kind == "report" else f"exporting.{kind}"
        )
    except ModuleNotFoundError as error:
        from exporting import lacks

        sys.exit(lacks(f"export.py {kind}", error, export=kind not in ("report", "gallery")))


def main():
    what, *arguments = sys.argv[1:] or [""]
    if what in ("-h", "--help"):
        print(__doc__.strip())
        return
    if what not in COMMANDS:
        sys.exit(f"export.py: got {what!r}, wanted one of: {', '.join(COMMANDS)}")
    sys.path.insert(
        1, str(Path(__file__).resolve().parents[1])
    )  # the package of this folder, installed or not
    for kind in KINDS if what == "all" else [what]:
        needed(kind).main(arguments)


if __name__ == "__main__":
    main()
