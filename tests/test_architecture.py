"""The plan of the house: the mathematics needs NumPy alone, nothing imports upwards, and the files
are tidy."""

import ast
import importlib
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import NOTEBOOKS, ROOT

# Which floor each module stands on. A module imports from its own floor and from those below.
GROUND = [
    "",
    "arguments",
    "checks",
    "attention",
    "layers",
    "positions",
    "experts",
    "decoding",
    "tokens",
    "quantisation",
    "data",
    "models",
]
FLOORS = {
    **dict.fromkeys(GROUND, 0),
    **dict.fromkeys(["cards", "style", "svg", "tables", "figures", "start"], 1),
    "diagnosis": 2,
    "exercises": 3,
    "instruments": 2,
}

PACKAGE = ROOT / "course_utils"
MODULES = sorted(PACKAGE.rglob("*.py"))
MADE = {"build", "dist", "mutants", "node_modules", "my_course"}


def text_files():
    """All that somebody has written in this folder. What was made, or is hidden, is not gone
    through."""
    for folder, below, names in os.walk(ROOT):
        below[:] = sorted(name for name in below if not name.startswith(".") and name not in MADE)
        yield from (
            Path(folder, name)
            for name in sorted(names)
            if re.search(r"^[^.].*\.(py|md|toml|txt|json|ipynb)$", name)
        )


# What other programs call. It may grow, but what is here stays as it is.
SIGNATURES = {
    "attention.softmax": "(x, axis=-1)",
    "attention.attention_scores": "(Q, K, scale=None)",
    "attention.scaled_dot_product_attention": "(Q, K, V, mask=None, scale=None, softcap=None)",
    "attention.causal_mask": "(T_q, T_kv=None)",
    "attention.padding_mask": "(lengths, T)",
    "attention.split_heads": "(X, n_heads)",
    "attention.merge_heads": "(X)",
    "attention.multi_head_attention": (
        "(X, W_Q, W_K, W_V, W_O, n_heads, mask=None, context=None, b_Q=None, b_K=None, b_V=None,"
        " b_O=None)"
    ),
    "attention.blockwise_attention": "(Q, K, V, mask=None, scale=None, block_size=128)",
    "attention.sliding_window_mask": "(T_q, window, T_kv=None)",
    "attention.grouped_query_attention": "(Q, K, V, mask=None, scale=None, softcap=None)",
    "layers.batch_norm": "(X, gamma=None, beta=None, eps=1e-05)",
    "layers.layer_norm": "(x, gamma=None, beta=None, eps=1e-05)",
    "layers.rms_norm": "(x, gamma=None, eps=1e-05)",
    "layers.relu": "(x)",
    "layers.gelu": "(x, approximate='none')",
    "layers.silu": "(x)",
    "layers.swiglu": "(X, W_gate, W_up, W_down)",
    "layers.feed_forward": "(X, W_1, b_1, W_2, b_2, activation=relu)",
    "layers.transformer_block": "(X, params, n_heads, mask=None, norm='pre', activation=relu)",
    "positions.sinusoidal_positional_encoding": "(T, D, base=10000.0)",
    "positions.rotary_angles": "(positions, d, base=10000.0)",
    "positions.rotary_embedding": "(X, cos, sin, interleaved=False)",
    "experts.softmax_gate": "(X, W_g, temperature=1.0)",
    "experts.top_k_gate": "(X, W_g, k)",
    "experts.mixture_of_experts": "(X, gates, experts)",
    "experts.load_balancing_loss": "(gates)",
    "experts.gaussian_responsibilities": "(X, weights, means, covariances)",
    "decoding.greedy": "(next_log_probs, prompt, max_tokens, eos=None)",
    "decoding.beam_search": "(next_log_probs, prompt, max_tokens, beam_width, eos=None)",
    "decoding.sample": (
        "(next_log_probs, prompt, max_tokens, temperature=1.0, top_k=None, rng=None, eos=None,"
        " top_p=None)"
    ),
    "decoding.sharpen": "(log_probs, temperature=1.0, top_k=None, top_p=None)",
    "quantisation.quantise": "(x, n_bits=4, block_size=32)",
    "quantisation.dequantise": "(step, least, codes)",
    "quantisation.pack": "(codes)",
    "quantisation.dequantise_block": "(step, least, packed)",
    "tokens.words": "(text)",
    "tokens.merge_pair": "(ids, pair, new)",
    "tokens.learn": "(text, n_merges, merge_pair=merge_pair)",
    "tokens.Tokenizer": "(pairs, first=range(0, 256), special=())",
    "models.encoder.load_encoder": "(folder=None, dtype=<class 'numpy.float32'>)",
    "models.encoder.read_safetensors": "(data)",
    "models.encoder.nearest_words": "(i, vectors, k=1)",
}


def room(path):
    """The module or subpackage of the package that a file belongs to; "" for the package itself."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py").removesuffix("__init__")


def imports(path):
    """Full names of all that a file imports, wherever it does."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: write imports in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def rooms_imported(path):
    return {
        (name.split(".") + [""])[1] for name in imports(path) if name.split(".")[0] == PACKAGE.name
    }


def test_nothing_imports_upwards():
    assert {room(path) for path in MODULES} - set(FLOORS) == set(), "which floor do they stand on?"
    assert [
        (path.relative_to(PACKAGE), name)
        for path in MODULES
        for name in rooms_imported(path)
        if FLOORS[name] > FLOORS[room(path)]
    ] == []


def test_the_ground_floor_needs_numpy_and_the_standard_library_only():
    known = {PACKAGE.name, "numpy", *sys.stdlib_module_names}
    ground = [path for path in MODULES if room(path) in GROUND]
    assert len(ground) > len(GROUND)
    assert [
        (path.relative_to(PACKAGE), name)
        for path in ground
        for name in imports(path)
        if name.split(".")[0] not in known
    ] == []


MATHEMATICS = ["attention", "layers", "positions", "experts", "decoding", "tokens", "quantisation"]


def test_a_file_of_mathematics_refuses_nothing_itself():
    assert [
        (name, node.lineno)
        for name in MATHEMATICS
        for node in ast.walk(ast.parse((PACKAGE / f"{name}.py").read_text(encoding="utf-8")))
        if isinstance(node, (ast.Raise, ast.Try, ast.Assert))
    ] == []


def output_of(program, threads=None):
    """What a program prints in a Python of its own, in which nobody but `threads` has said how many
    threads there are."""
    others = {
        name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")
    }
    asked = {} if threads is None else {"OPENBLAS_NUM_THREADS": threads}
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**others, **asked},
    ).stdout


def test_importing_the_mathematics_loads_no_scenery():
    ground = {f"course_utils.{room(path)}" for path in MODULES if room(path) in GROUND[1:]}
    assert "course_utils.attention" in ground
    assert (
        output_of(
            f"import sys, {', '.join(ground)}; print({{'matplotlib', 'IPython', 'ipywidgets',"
            " 'PIL'} & set(sys.modules))"
        )
        == "set()\n"
    )


@pytest.mark.parametrize(("asked", "given"), [(None, "1"), ("4", "4")])
def test_the_package_sets_one_thread_before_numpy_is_imported_unless_the_reader_set_another_number(
    asked, given
):
    program = (
        "import sys, os, course_utils; print('numpy' in sys.modules,"
        " os.environ['OPENBLAS_NUM_THREADS'], os.environ['OMP_NUM_THREADS'])"
    )
    assert output_of(program, asked).split() == ["False", given, "1"]


def test_the_tests_import_the_package_before_anything_that_brings_numpy():
    lines = (ROOT / "conftest.py").read_text(encoding="utf-8").splitlines()
    assert next(line for line in lines if line.startswith(("import", "from"))).startswith(
        "import course_utils "
    )


def public(name):
    module, _, function = name.rpartition(".")
    return getattr(importlib.import_module(f"course_utils.{module}"), function)


def signature(name):
    """How a public function is called, without its types."""
    full = inspect.signature(public(name))
    plain = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in full.parameters.values()
    ]
    untyped = full.replace(parameters=plain, return_annotation=inspect.Signature.empty)
    return re.sub(r"<function (\w+) at \w+>", r"\1", str(untyped))


def test_a_public_function_is_called_as_agreed():
    assert {name: signature(name) for name in SIGNATURES} == SIGNATURES


# Letters: the table in CONTRIBUTING.md, and the code that keeps to it.

LETTER = re.compile(r"[A-Z](_[a-z0-9]+|_[A-Z])?")
FORMULAS = [path for path in MODULES if room(path) in [*GROUND, "exercises"]]


def symbols():
    """The table as two sets: symbols that are sizes, and symbols that are arrays."""
    section = (
        (ROOT / "CONTRIBUTING.md")
        .read_text(encoding="utf-8")
        .partition("## Symbols")[2]
        .partition("\n## ")[0]
    )
    rows = [
        line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| `")
    ]
    assert all(len(row) == 3 for row in rows)
    named = [
        (name, shape == "a number")
        for names, _, shape in rows
        for name in re.findall(r"`(\w+)`", names)
    ]
    assert len(named) == len({name for name, _ in named}), "a symbol stands in two rows"
    return {name for name, is_size in named if is_size}, {
        name for name, is_size in named if not is_size
    }


SIZES, ARRAYS = symbols()


def letter(node):
    """The letter of the table that a name in the code begins with (T of T_q), or None where it is a
    word."""
    name = node.arg if isinstance(node, ast.arg) else node.id if isinstance(node, ast.Name) else ""
    return name[0] if LETTER.fullmatch(name) else None


def assignments(tree):
    """Each name that is given a value, with that value: also a, b = 1, 2."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                pairs = (
                    zip(target.elts, node.value.elts, strict=False)
                    if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
                    else [(target, node.value)]
                )
                yield from pairs


def is_count(value):
    """Is this a length? len(x), x.size, x.ndim, x.shape[0]."""
    if isinstance(value, ast.Call):
        return getattr(value.func, "id", "") == "len"
    if isinstance(value, ast.Subscript):
        return getattr(value.value, "attr", "") == "shape" and not isinstance(
            value.slice, ast.Slice
        )
    return isinstance(value, ast.Attribute) and value.attr in ("size", "ndim")


def breaks(source):
    """Where the code does with a letter what the table does not say."""
    tree, found = ast.parse(source), []
    for node in ast.walk(tree):
        named = letter(node)
        if (
            named
            and (isinstance(node, ast.arg) or isinstance(node.ctx, ast.Store))
            and named not in SIZES | ARRAYS
        ):
            found.append(f"line {node.lineno}: {named} is not in the table")
        used_as_array = (
            [node.left, node.right]
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)
            else [node.value]
            if isinstance(node, (ast.Subscript, ast.Attribute))
            else []
        )
        found += [
            f"line {node.lineno}: {letter(part)} is a size, used as an array"
            for part in used_as_array
            if letter(part) in SIZES
        ]
    for name, value in assignments(tree):
        if letter(name) in ARRAYS and is_count(value):
            found.append(f"line {name.lineno}: {letter(name)} is an array, used as a size")
        if (
            letter(name) in SIZES
            and isinstance(value, ast.Call)
            and not re.fullmatch(r"len|int|min|max|as_\w+", getattr(value.func, "id", ""))
        ):
            found.append(
                f"line {name.lineno}: {letter(name)} is a size, used for what a function gives"
            )
    return found


def wrong_shapes(source):
    """Shapes in docstrings in which a capital letter is no size. (K, V) is no shape, but two
    arrays."""
    texts = [
        ast.get_docstring(node) or ""
        for node in ast.walk(ast.parse(source))
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
    ]
    found = []
    for inside in re.findall(r"(?<![\w}])\(([^()]*,[^()]*)\)", "\n".join(texts)):
        parts = [part.strip() for part in inside.split(",")]
        letters = {name[0] for part in parts for name in re.findall(r"\b[A-Z](?:_\w+)?\b", part)}
        if letters - SIZES and ("..." in parts or letters & SIZES):
            found.append(f"({inside})")
    return found


def test_a_letter_means_what_the_table_of_symbols_says():
    for path in FORMULAS:
        source = path.read_text(encoding="utf-8")
        assert breaks(source) + wrong_shapes(source) == [], path.name


BROKEN = [
    "def f(J): pass",
    "X = E[tokens] + R",
    "hidden = N @ W_1",
    "D, K = X.shape[1], weights.size",
    "S = len(M)",
    "G = E.T",
    "N = layer_norm(X)",
    'def f():\n    """weights (N, K)"""',
    'def f():\n    """losses (S, ...)"""',
]


@pytest.mark.parametrize("broken", BROKEN)
def test_a_letter_with_another_meaning_is_seen(broken):
    assert breaks(broken) or wrong_shapes(broken)


@pytest.mark.parametrize(
    "kept",
    [
        "def f(X, T_q, W_g): N, D = X.shape",
        "X = W_E[tokens] + R",
        "E = gates.shape[1]",
        'def f():\n    """a pair (K, V), X (..., T, D) and (T, d/2)"""',
    ],
)
def test_a_letter_with_its_own_meaning_passes(kept):
    assert breaks(kept) == wrong_shapes(kept) == []


def test_ruff_finds_nothing():
    result = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", "."],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout


NODE_PACKAGES = ROOT / "scripts" / "node_modules"


@pytest.mark.parametrize(
    "command",
    [
        ["prettier", "--config", "scripts/.prettierrc.json", "--check"],
        ["eslint", "--config", "scripts/eslint.config.mjs"],
    ],
    ids=["prettier", "eslint"],
)
def test_the_tools_of_javascript_find_nothing(command):
    if not NODE_PACKAGES.exists():
        skip = pytest.fail if os.environ.get("COURSE_REQUIRE_BROWSER") == "1" else pytest.skip
        skip("no JavaScript packages: npm ci --prefix scripts")
    scripts = sorted(
        path
        for folder in ("course_utils", "scripts")
        for path in (ROOT / folder).rglob("*.js")
        if not MADE & set(path.parts)
    )
    result = subprocess.run(
        [NODE_PACKAGES / ".bin" / command[0], *command[1:], *scripts],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_ruff_would_write_each_file_as_it_stands():
    result = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--no-cache", "--diff", ".", *NOTEBOOKS.values()],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout


def test_a_file_is_finished_and_names_no_place_on_one_machine():
    unwanted = re.compile(r"\bTO[D]O\b|\bFIX[M]E\b|(?<![\w.])/(?:home|Users|tmp|root)/\w+")
    found = {}
    for path in text_files():
        text = path.read_text(encoding="utf-8")
        found[str(path.relative_to(ROOT))] = unwanted.findall(
            re.sub(r"data:image/png;base64,[A-Za-z0-9+/=]+", "", text)
        )
    assert len(found) > 500
    assert {name: marks for name, marks in found.items() if marks} == {}


def test_a_notebook_file_ends_with_one_newline():
    for name, path in NOTEBOOKS.items():
        data = path.read_bytes()
        assert data.endswith(b"}\n"), name
        assert b"\r" not in data, name


def pins(name):
    """The lines of a requirements file without the comments."""
    lines = map(str.strip, (ROOT / name).read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize(
    "name", ["requirements.txt", "requirements-test.txt", "requirements-export.txt"]
)
def test_requirements_name_exact_versions_and_the_course_itself(name):
    assert [
        line
        for line in pins(name)
        if not re.fullmatch(r"[\w.\-]+(\[[\w,]+\])?==[\w.!+]+( *;.*)?|-e \.", line)
    ] == []
    assert pins(name).count("-e .") == 1


def test_a_student_gets_what_the_tests_run_on_and_no_more():
    student, tests, export = map(
        pins, ["requirements.txt", "requirements-test.txt", "requirements-export.txt"]
    )
    assert {line.partition("==")[0] for line in tests} > {
        line.partition("==")[0] for line in student
    }
    assert set(student) <= set(tests)
    assert {line.partition(" ;")[0] for line in tests} <= {
        line.partition(" ;")[0] for line in export
    }  # a marker may cover more there
    assert not {"onnx", "pytest", "hypothesis", "ruff", "nbval", "protobuf"} & {
        line.partition("==")[0] for line in student
    }
