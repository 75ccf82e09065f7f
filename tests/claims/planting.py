"""The verdict that the measurement of a claim comes to, with a mistake planted in it."""

import ast
import inspect
import re

from helpers import NOTEBOOKS, cells, names_of, run

from course_utils.cards import judge, measures
from course_utils.cards.verdicts import claims

APPENDIX = "A_said_of_attention"


def home(claim):
    """The notebook that judges a claim."""
    main = claims()[claim]["main"]
    return APPENDIX if main is None else next(n for n in NOTEBOOKS if n.startswith(main))


def with_mistake(source, planted, claim):
    """The source with (what stands in it, what is put there instead), or as it is."""
    if planted:
        stands, wrong = planted
        assert stands in source, (
            f"{stands} is no longer what {claim} measures: plant another mistake"
        )
        source = source.replace(stands, wrong)
    return source


def card(claim, planted=None):
    """The verdict that a claim's own measurement comes to: its cell in a lecture, or its function
    in measures.py.

    planted: (what stands in it, what is put there instead), or None.
    """
    if home(claim) == APPENDIX:
        room = {}
        exec(with_mistake(inspect.getsource(measures), planted, claim), room)
        return judge(claim, room["MEASURES"][claim]())
    [source] = [c.source for c in cells(home(claim), "code") if f'judge("{claim}"' in c.source]
    *before, judging = re.split(r"\n(?=judge\()", "\n" + with_mistake(source, planted, claim))
    room = dict(names_of(home(claim)))
    run("\n".join(before), room)
    return eval(ast.get_source_segment(judging, ast.parse(judging).body[0]), room)
