"""Slips planted in a function's source: one small change each, as a student may make it."""

import ast
import copy
import itertools

OPERATORS = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add, ast.Div),
    ast.Div: (ast.Mult, ast.Sub),
    ast.MatMult: (ast.Mult,),
    ast.FloorDiv: (ast.Mod,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
}
COMPARISONS = ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq
PEERS = [
    {"max", "min", "sum", "mean"},
    {"std", "var"},
    {"exp", "log", "sqrt", "abs"},
    {"sin", "cos"},
    {"argmax", "argmin"},
    {"tri", "ones"},
    {"maximum", "minimum"},
    {"ones_like", "zeros_like"},
    {"argsort", "sort"},
    {"vstack", "hstack", "concatenate", "stack"},
]


def changes(node, names):
    """What may stand in the place of a node."""
    if isinstance(node, ast.BinOp):
        yield node.left
        yield node.right
        yield ast.BinOp(node.right, node.op, node.left)
        yield from (
            ast.BinOp(node.left, op(), node.right) for op in OPERATORS.get(type(node.op), ())
        )
    if isinstance(node, ast.UnaryOp):
        yield node.operand
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield from (
            ast.Compare(node.left, [op()], node.comparators)
            for op in COMPARISONS
            if not isinstance(node.ops[0], op)
        )
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield from (
            ast.Constant(value)
            for value in {node.value + 1, node.value - 1, 0, -node.value} - {node.value}
        )
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield ast.Constant(not node.value)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
        yield from (ast.Name(name, ast.Load()) for name in sorted(names - {node.id}))
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        if node.attr == "T":
            yield node.value
        yield from (
            ast.Attribute(node.value, other, ast.Load())
            for group in PEERS
            if node.attr in group
            for other in sorted(group - {node.attr})
        )
    if isinstance(node, ast.Call):
        yield from node.args[:1]
        yield from (
            ast.Call(node.func, node.args, [*node.keywords[:i], *node.keywords[i + 1 :]])
            for i in range(len(node.keywords))
        )
        if len(node.args) > 1:
            yield ast.Call(node.func, [*node.args[1::-1], *node.args[2:]], node.keywords)
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield node.value
    if isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse


def mutants(source):
    """(the line, the source with one slip) for each change, each once."""
    tree = ast.parse(source)
    names = {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    names |= {
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    seen = {ast.unparse(tree)}
    for place in itertools.count():
        nodes = [
            (parent, field, i)
            for parent in ast.walk(tree)
            for field, value in ast.iter_fields(parent)
            for i, child in enumerate(value if isinstance(value, list) else [value])
            if isinstance(child, ast.expr)
        ]
        if place >= len(nodes):
            return
        parent, field, i = nodes[place]
        held = getattr(parent, field)
        old = held[i] if isinstance(held, list) else held
        for new in changes(old, names):
            _put(parent, field, i, ast.copy_location(copy.deepcopy(new), old))
            text = ast.unparse(ast.fix_missing_locations(copy.deepcopy(tree)))
            if text not in seen:
                seen.add(text)
                yield getattr(old, "lineno", 0), text
        _put(parent, field, i, old)


def _put(parent, field, i, node):
    held = getattr(parent, field)
    if isinstance(held, list):
        held[i] = node
    else:
        setattr(parent, field, node)
