"""Write the project's public address where readers look for it: badges in README.md, a line in CITATION.cff.

The address stands in one place, pyproject.toml: `[project.urls]` with `Repository = "https://github.com/OWNER/NAME"`. While it is not
there, there are no badges. Run this after a change; a test holds the files against it.
"""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACE = re.compile(r"(?<=<!-- badges -->\n).*?(?=<!-- end of badges -->)", re.DOTALL)
LINE = re.compile(r"^repository-code: .*\n", re.MULTILINE)


def address():
    """The repository's address, or "" while it has none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project.get("urls", {}).get("Repository", "").rstrip("/")


def badges(home):
    """Lines of Markdown, each picture with its words; none without an address."""
    if not home:
        return ""
    owner, name = home.split("/")[-2:]
    tests = f"{home}/actions/workflows/tests.yml"
    return "\n".join(f"[![{words}]({picture})]({link})" for words, picture, link in [
        ("tests", f"{tests}/badge.svg", tests),
        ("read the course", f"{home}/actions/workflows/site.yml/badge.svg", f"https://{owner.lower()}.github.io/{name}/"),
        ("run it on Binder", "https://mybinder.org/badge_logo.svg", f"https://mybinder.org/v2/gh/{owner}/{name}/HEAD?urlpath=lab/tree/notebooks/00_start_here.ipynb"),
        ("open it in Codespaces", "https://github.com/codespaces/badge.svg", f"https://codespaces.new/{owner}/{name}"),
    ]) + "\n"


def with_badges(readme, home):
    return PLACE.sub(badges(home), readme)


def with_address(citation, home):
    return LINE.sub("", citation) + (f"repository-code: {home}\n" if home else "")


def main():
    for name, written in {"README.md": with_badges, "CITATION.cff": with_address}.items():
        path = ROOT / name
        path.write_text(written(path.read_text(encoding="utf-8"), address()), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
