"""Every cell may be run twice, and a notebook again from any heading: it says the same."""

import ast
import inspect
import time

import cloudpickle
import numpy as np
import pytest
from helpers import NOTEBOOKS, notebook, printed, run

SLOW = 0.5      # seconds of processor time. Such a cell is not run again where all that it reads, and all that it made, is as it was


def sections(name):
    """The code cells below each heading of the second level, with the first cells of all."""
    found = [[]]
    for cell in notebook(name).cells:
        if cell.cell_type == "code":
            found[-1].append(cell)
        elif cell.source.startswith("## "):
            found.append([])
    return found


def used(code):
    """Every name that compiled code reads or makes, in its functions, too."""
    return set(code.co_names).union(*(used(inner) for inner in code.co_consts if inspect.iscode(inner)))


def found(tree, kind=ast.expr_context):
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, kind)}


def reads(statements, made=frozenset()):
    """The names that statements may read before they have made them, and those that they surely have made. Where it is not plain, a name is read."""
    read, made = set(), set(made)
    for statement in statements:
        match statement:
            case ast.Assign():
                read |= found(statement, ast.Load) - made
                made |= found(statement, ast.Store) - read
            case ast.For():
                read |= found(statement.iter) - made
                inner, made = reads(statement.body, made | found(statement.target, ast.Store) - read)
                read |= inner
            case ast.FunctionDef():
                own = {argument.arg for argument in statement.args.args} | found(statement, ast.Store)
                read |= found(statement, ast.Load) - own - made
                made |= {statement.name} - read
            case _:
                read |= found(statement) - made
    return read, made


def values(wanted, names):
    """What these names hold, the values that a function reads with it, as bytes that can be compared; None where that cannot be written down."""
    try:
        return cloudpickle.dumps([(name, names[name]) for name in sorted(wanted) if name in names])
    except Exception:                                           # a widget, a generator
        return None


class Cell:
    """A code cell in its notebook, run among `names`. A slow one is run again only where it could say something else."""

    def __init__(self, source, names):
        self.source, self.names = source, names
        self.used = used(compile(source, "cell", "exec"))
        read = reads(ast.parse(source).body)[0] & names.keys()
        before, start = values(read, names), time.process_time()
        self.says = run(source, names)
        slow = time.process_time() - start > SLOW
        self.left = values(self.used, names) if slow and before is not None and values(read, names) == before else None

    def again(self):
        """What it says when it is run now."""
        known = self.left is not None and values(self.used, self.names) == self.left
        return self.says if known else run(self.source, self.names)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_cell_run_twice_and_a_section_run_again_say_the_same(name):
    names, known = {}, {}
    with np.printoptions():                                    # which the notebook's first cell sets
        for cell in sum(sections(name), []):
            known[cell.id] = Cell(cell.source, names)
            assert known[cell.id].again() == known[cell.id].says, cell.source
        for section in sections(name)[::-1]:                   # whatever later sections left behind
            for cell in section:
                stored = printed("".join(o.text for o in cell.outputs if o.output_type == "stream"))
                assert known[cell.id].again() == stored, cell.source


@pytest.mark.parametrize(("source", "known"), [
    ("made = [work(n) for n in numbers]", True),
    ("for n in numbers:\n    made = work(n)\n    print(made)", True),
    ("def work_twice(n):\n    made = work(n)\n    return work(made)\n\nmade = work_twice(3)", True),
    ("made = work(made)", False),
    ("numbers.append(work(3))", False),
    ("if numbers:\n    made = 2\nmade = work(made)", False),
    ("made += work(3)", False),
    ("for n in numbers:\n    made = made + work(n)", False),
    ("def grow():\n    numbers.append(work(3))\n\ngrow()", False),
    ("made = add_to_total(3)", False)])
def test_a_slow_cell_is_run_again_where_it_changed_what_it_reads(monkeypatch, source, known):
    monkeypatch.setattr("test_again.SLOW", -1)
    names = {"numbers": [1, 2], "made": 1}
    exec("def work(n):\n    return n + 1\n\ntotal = [0]\n\ndef add_to_total(n):\n    total.append(n)\n    return sum(total)", names)
    cell = Cell(source, names)
    assert (cell.left is not None) == known
    names["work"] = abs                                         # a later section
    assert cell.left is None or values(cell.used, names) != cell.left
