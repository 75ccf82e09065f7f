"""The verdict that the cells of a claim come to, with a wrong measurement planted in them."""

import ast
import re

from helpers import NOTEBOOKS, cells, run

from course_utils.cards.verdicts import claims

APPENDIX = "A_said_of_attention"


def home(claim):
    """The notebook that judges a claim."""
    main = claims()[claim]["main"]
    return APPENDIX if main is None else next(name for name in NOTEBOOKS if name.startswith(main))


def cell_of(claim):
    """The source of the cells that measure and judge a claim, the card last."""
    own = [c.source for c in cells(home(claim), "code") if f"-co-claim-{claim}" in c.id]
    assert f'judge("{claim}"' in own[-1]
    return "\n".join(own)


def card(claim, planted=None, names=None):
    """The verdict that a claim's cell comes to.

    planted: (what stands in the cell, what is put there instead). names: those of the lecture's
    cells before; None for the appendix, whose cells need its first one only.
    """
    source, room = cell_of(claim), dict(names or {})
    if names is None:
        run(cells(APPENDIX, "code")[0].source, room)
    if planted:
        stands, wrong = planted
        assert stands in source, (
            f"{stands} is no longer what {claim} measures: plant another mistake"
        )
        source = source.replace(stands, wrong)
    *before, judging = re.split(r"\n(?=judge\()", "\n" + source)
    run("\n".join(before), room)
    return eval(ast.get_source_segment(judging, ast.parse(judging).body[0]), room)
