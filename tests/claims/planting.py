"""The verdict that the appendix's own cells come to, with a wrong measurement planted in them."""

import ast
import functools
import re

from helpers import notebook


@functools.cache
def sections():
    """{claim: its code} of the appendix; code above all claims stands under "", what a lecture imports under "imports"."""
    found, heading = {"": ""}, ""
    for cell in notebook("A_said_of_attention").cells:
        if cell.cell_type == "code":
            found[heading] = found.get(heading, "") + cell.source + "\n"
        for marks, text in re.findall(r"^(##+) (.+)$", cell.source if cell.cell_type == "markdown" else "", flags=re.MULTILINE):
            heading = re.match(r"\w+", text)[0] if marks == "###" else "imports" if heading else ""
    return found


def definitions(source):
    """The code without what it computes."""
    kept = [node for node in ast.parse(source).body if isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef))]
    return "\n".join(ast.get_source_segment(source, node) for node in kept)


def card(claim, planted=(), needs=()):
    """The verdict that the appendix's cells of this claim come to.

    planted: [(what stands in them, what is put there instead)]; needs: the claims on whose cells these stand; of them
    only what they import and define is run.
    """
    code = sections()
    cells_of_claim = code[claim]
    for stands, wrong in planted:
        assert stands in cells_of_claim, f"{stands} is no longer what {claim} measures: plant something else"
        cells_of_claim = cells_of_claim.replace(stands, wrong)
    *before, last = re.split(r"\n(?=judge\()", cells_of_claim)
    judging = ast.get_source_segment(last, ast.parse(last).body[0])          # a cell may follow the card's
    room = {}
    for source in (code[""], code["imports"], *(definitions(code[needed]) for needed in needs), "\n".join(before)):
        exec(source, room)
    return eval(judging, room)
