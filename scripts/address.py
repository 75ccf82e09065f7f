"""Write the project's public address where readers look for it: badges and pictures in README.md,
badges in every notebook, a line in CITATION.cff, and the package's other addresses in
pyproject.toml.

The address stands in one place, pyproject.toml: `[project.urls]` with
`Repository = "https://github.com/OWNER/NAME"`. While it is not there, there are no badges, and the
pictures of instruments lead to a page in this folder. Run this after a change; a test holds the
files against it.
"""

import re
import tomllib
from pathlib import Path

import nbformat

from course_utils.start.copies import ELSEWHERE, without_elsewhere

ROOT = Path(__file__).resolve().parents[1]
PLACE = re.compile(r"(?<=<!-- badges -->\n).*?(?=<!-- end of badges -->)", re.DOTALL)
PICTURES = re.compile(r"(?<=<!-- instruments -->\n).*?(?=<!-- end of instruments -->)", re.DOTALL)
URLS = re.compile(r"^\[project\.urls\]\n(?:[^\[\n].*\n)*", re.MULTILINE)
LINE = re.compile(r"^repository-code: .*\n", re.MULTILINE)


# The instruments that the README shows, each in words. scripts/pictures.py draws them.
SHOWN = {
    "TokenMover": "a word is moved among its neighbours",
    "QueryExplorer": "a query turns among keys; its shadows are the scores",
    "MaskExplorer": "a mask is painted, and what leaks is seen",
    "HeadExplorer": "one head is turned into another",
    "TurningArrows": "queries and keys turn with their places",
    "DecodingTree": "a tree of words grows by greedy and by beam search",
}


def address():
    """The repository's address, or "" while it has none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project.get("urls", {}).get("Repository", "").rstrip("/")


def site(home):
    """Where the workflow site.yml publishes the course."""
    owner, name = home.split("/")[-2:]
    return f"https://{owner.lower()}.github.io/{name}/"


def badges(home):
    """Lines of Markdown, each picture with its words; none without an address."""
    if not home:
        return ""
    owner, name = home.split("/")[-2:]
    tests = f"{home}/actions/workflows/tests.yml"
    return (
        "\n".join(
            f"[![{words}]({picture})]({link})"
            for words, picture, link in [
                ("tests", f"{tests}/badge.svg", tests),
                ("read the course", f"{home}/actions/workflows/site.yml/badge.svg", site(home)),
                (
                    "run it on Binder",
                    "https://mybinder.org/badge_logo.svg",
                    f"https://mybinder.org/v2/gh/{owner}/{name}/HEAD?urlpath=lab/tree/notebooks/00_start_here.ipynb",
                ),
                (
                    "open it in Codespaces",
                    "https://github.com/codespaces/badge.svg",
                    f"https://codespaces.new/{owner}/{name}",
                ),
            ]
        )
        + "\n"
    )


def pictures(home):
    """The instruments of SHOWN, each a small picture that leads to the live one, or to its lines in
    this folder."""
    page = f"{site(home)}docs/instruments.html" if home else "docs/instruments.md"
    lines = [
        f"[![{name}: {words}](docs/instruments/{name}.png)]({page}#{name.lower()})"
        for name, words in SHOWN.items()
    ]
    return "\n".join(lines) + "\n"


def with_badges(readme, home):
    readme = PLACE.sub(badges(home), readme)
    return PICTURES.sub(lambda _: pictures(home), readme)


def with_urls(project, home):
    """pyproject.toml with all addresses of the package; as it is where there is no address."""
    others = (
        {
            "Homepage": site(home),
            "Issues": f"{home}/issues",
            "Changelog": f"{home}/blob/main/CHANGELOG.md",
        }
        if home
        else {}
    )
    lines = "".join(
        f'{name} = "{address}"\n' for name, address in {"Repository": home, **others}.items()
    )
    return URLS.sub(lambda _: f"[project.urls]\n{lines}", project) if home else project


def with_elsewhere(text, home, name):
    """A stored notebook's text, at the end of whose first cell it can be opened elsewhere; nowhere
    without an address."""
    notebook = nbformat.reads(text, as_version=4)
    first = notebook.cells[0]
    first.source = without_elsewhere(first.source)
    if home:
        owner, project = home.split("/")[-2:]
        place = f"notebooks/{name}.ipynb"
        lines = [
            f"[![{words}]({picture})]({link})"
            for words, picture, link in [
                (
                    "open it in Colab",
                    "https://colab.research.google.com/assets/colab-badge.svg",
                    f"https://colab.research.google.com/github/{owner}/{project}/blob/main/{place}",
                ),
                (
                    "open it in Kaggle",
                    "https://kaggle.com/static/images/open-in-kaggle.svg",
                    f"https://kaggle.com/kernels/welcome?src={home}/blob/main/{place}",
                ),
                (
                    "run it on Binder",
                    "https://mybinder.org/badge_logo.svg",
                    f"https://mybinder.org/v2/gh/{owner}/{project}/HEAD?urlpath=lab/tree/{place}",
                ),
            ]
        ]
        lines.append(
            f"On Colab and Kaggle, run `%pip install -q git+{home}` in a cell of its own first."
        )
        first.source += ELSEWHERE + "\n".join(lines)
    return nbformat.writes(notebook) + "\n"


def with_address(citation, home):
    return LINE.sub("", citation) + (f"repository-code: {home}\n" if home else "")


def main():
    for name, written in {
        "README.md": with_badges,
        "CITATION.cff": with_address,
        "pyproject.toml": with_urls,
    }.items():
        path = ROOT / name
        path.write_text(
            written(path.read_text(encoding="utf-8"), address()), encoding="utf-8", newline="\n"
        )
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        text = with_elsewhere(path.read_text(encoding="utf-8"), address(), path.stem)
        path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
