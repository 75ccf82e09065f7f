"""An oral of five minutes on a student's own code: "change this line: which check fails?"

    python teaching/oral.py my_transformer.py --exercise scaled_attention --seed WORD [--to FILE]

my_transformer.py is what the student's checks kept: for each exercise a line `# softmax: mine`, and
below it the function, called by the exercise's name. The card says the questions, and below them
the answers, which the checks themselves gave. Another seed draws other changes.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "scripts"))
sys.path.insert(1, str(Path(__file__).resolve().parents[1]))

from exporting import lacks

try:
    from grading import oral, report
except ModuleNotFoundError as missing:
    sys.exit(lacks("oral.py", missing))


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="oral.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, help="the student's my_transformer.py")
    parser.add_argument("--exercise", required=True, help="the kept function to talk about")
    parser.add_argument("--seed", required=True, help="a word; the same one draws the same changes")
    parser.add_argument("--to", type=Path, help="the file to write; without it the card is printed")
    parser.add_argument(
        "--no-sandbox", action="store_true", help="run without bubblewrap: only for code you trust"
    )
    options = parser.parse_args(arguments)
    if not (options.no_sandbox or report.sandbox()):
        sys.exit("oral.py: bubblewrap (the program bwrap) is missing; --no-sandbox runs without it")
    try:
        changes = oral.draw_changes(
            options.file, options.exercise, options.seed, not options.no_sandbox
        )
        source = oral.read_blocks(options.file)[options.exercise]
    except OSError as error:
        sys.exit(f"oral.py: {options.file} cannot be read: {error.strerror}")
    except ValueError as error:
        sys.exit(f"oral.py: {error}")
    made = oral.card(options.exercise, source, changes)
    if options.to:
        options.to.write_text(made, encoding="utf-8")
    else:
        print(made)


if __name__ == "__main__":
    main()
