"""What of a cell's code a lecture hall reads: the mathematics, and not what imports, loads, prints
or draws."""

import ast

PLUMBING = {
    "predict",
    "predictions",
    "quiz",
    "ribbons",
    "show",
    "compare",
    "starts",
    "figures",
    "instruments",
    "default_rng",
    "load",
    "facts",
}
OURS = {"mine", "softmax"}


def mathematics(source):
    """The lines of a cell without its plumbing, or "" where nothing else is in it. A comment goes
    with the line below it."""
    tree = ast.parse(source)
    if _called(tree) & {
        "judge",
        "diagnose",
    }:  # it measures a claim, or is an exercise: the slide tells it in words
        return ""
    lines, shown, end = source.splitlines(), [], 0
    for statement in tree.body:
        if not _is_plumbing(statement):
            shown += lines[end : statement.end_lineno]
        end = statement.end_lineno
    return "\n".join(shown).strip("\n")


def _is_plumbing(node):
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return True
    if isinstance(node, (ast.For, ast.With, ast.If)):
        return all(map(_is_plumbing, node.body)) or "print" in _called(node) and not _computes(node)
    if isinstance(node, ast.FunctionDef):
        return all(map(_is_plumbing, node.body))
    if isinstance(node, ast.Expr):
        if not isinstance(node.value, ast.Call) or _called(node) & PLUMBING:
            return True
        return "print" in _called(node) and not _computes(node)
    if isinstance(node, ast.Assign):
        return (
            bool(_called(node) & PLUMBING)
            or isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        )
    return False


def _called(node):
    """The names in what is called: {"figures", "heatmap"} of figures.heatmap(X)."""
    functions = (call.func for call in ast.walk(node) if isinstance(call, ast.Call))
    return {
        part.id if isinstance(part, ast.Name) else part.attr
        for function in functions
        for part in ast.walk(function)
        if isinstance(part, (ast.Name, ast.Attribute))
    }


def _computes(node):
    """Does it multiply matrices or ask a function of the course, or, outside of what a text is made
    of, reckon?"""
    if isinstance(node, ast.JoinedStr):
        return any(isinstance(part, ast.MatMult) for part in ast.walk(node)) or bool(
            _called(node) & OURS
        )
    return (
        isinstance(node, ast.BinOp)
        or bool(_called(node) & OURS)
        or any(map(_computes, ast.iter_child_nodes(node)))
    )
