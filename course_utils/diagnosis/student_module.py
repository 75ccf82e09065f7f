"""What a student writes stays theirs: a function that passed is kept in my_transformer.py, and
`mine` gives it back.

The file is a plain module that imports NumPy (and the standard library) alone. It is a row of
blocks, each below a comment that
says what it is: `# softmax: mine`, or `# softmax: the course's, until mine passes` where a kept
function needs one that is not yet written. What a student adds above the first block stays.
"""

import ast
import builtins
import difflib
import dis
import functools
import inspect
import io
import linecache
import os
import re
import sys
import textwrap
import tokenize
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from course_utils.diagnosis.exercise import Exercise
from course_utils.diagnosis.laws import Withheld, is_law_running
from course_utils.diagnosis.running import run, run_here
from course_utils.diagnosis.values import Function
from course_utils.diagnosis.verdicts import solution
from course_utils.diagnosis.worker import Printed

FILE = "my_transformer.py"
HEAD = (
    '"""My transformer: functions that I wrote, as they passed the check. It needs NumPy'
    ' alone."""\n\nimport numpy as np\n'
)
MINE, COURSE = "mine", "the course's, until mine passes"
BLOCK = re.compile(rf"^# (\w+): ({MINE}|{COURSE})\n", flags=re.MULTILINE)
MOST = 1 << 20  # bytes of a file that is read

Exercises = Mapping[str, Any]  # gaps, builds, catches and readings, by name
Blocks = dict[str, tuple[str, str]]  # {name: (whose, text)}


class CannotSave(Exception):  # noqa: N818
    """Why a function cannot be kept, in words."""


def path() -> Path:
    """Where a student's functions are kept: the folder that COURSE_FOLDER names, or the one that
    the notebook runs in."""
    return Path(os.environ.get("COURSE_FOLDER") or Path.cwd()) / FILE


# Keeping.


def keep(exercises: Exercises, name: str, function: Function) -> str:
    """Put a function that passed into the file, under the exercise's name. Returns a sentence that
    says what became of it."""
    try:
        head, blocks = read()
        text, imports, needs = block(exercises, name, function, blocks)
        blocks[name] = MINE, text
        for need in needs:
            supply(need, blocks)
        head += "".join(f"{line}\n" for line in imports if line not in head.splitlines())
        order = [*(n for n in exercises if n in blocks), *(n for n in blocks if n not in exercises)]
        module = (
            head.rstrip()
            + "\n"
            + "".join(f"\n\n# {n}: {blocks[n][0]}\n{blocks[n][1].strip()}\n" for n in order)
        )
        alone: Any = functions(module).get(name)
        diagnosis = exercises[name].check(alone)
        if diagnosis.status != "correct":
            said = re.sub(
                r"^Not yet(?:: " + re.escape(diagnosis.mistake or "") + r")?\. ",
                "",
                diagnosis.sentences,
            ).rstrip(".")
            raise CannotSave(
                f"in {FILE} every name means the function of your file, and there it does not pass."
                f" {said}"
            )
        first = exercises[name].tries[0]
        if isinstance(run(alone, [first])[0].value, list) and not isinstance(
            exercises[name].reference(*first), list
        ):
            raise CannotSave(
                "it gives back a list, and later notebooks want an array. Put `np.array(...)`"
                " around it"
            )
        write(module)
    except CannotSave as why:
        return f"Not kept: {why}."
    return f"Kept as `{name}` in {FILE}."


def read() -> tuple[str, Blocks]:
    """(what stands above the first block, {name: (whose, text)}) of the file. Raises CannotSave
    where it cannot be read."""
    if not path().exists():
        return HEAD, {}
    text = text_of_file()
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise CannotSave(
            f"{FILE} cannot be read as Python ({_place(error)}). Mend it or give it another name"
        ) from None
    head, *rest = BLOCK.split(text)
    return head, {rest[i]: (rest[i + 1], rest[i + 2]) for i in range(0, len(rest), 3)}


def text_of_file() -> str:
    """The file's text. Raises CannotSave where there is none to be had."""
    try:
        if path().stat().st_size > MOST:
            raise CannotSave(f"{FILE} is larger than a megabyte")
        return path().read_bytes().decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise CannotSave(f"{FILE} is no text in UTF-8") from None
    except OSError as error:
        raise CannotSave(f"{FILE} cannot be opened ({error.strerror})") from None


def write(module: str) -> None:
    """All or nothing: the old file stays until the new one is whole."""
    new = path().with_suffix(f".{os.getpid()}.new")
    try:
        new.write_text(module, encoding="utf-8", newline="\n")
        os.replace(new, path())
    except OSError as error:
        new.unlink(missing_ok=True)
        raise CannotSave(f"{FILE} cannot be written here ({error.strerror})") from None


def block(
    exercises: Exercises, name: str, function: Function, blocks: Blocks
) -> tuple[str, list[str], list[str]]:
    """(source under the exercise's name with its helpers, import lines, names of exercises that it
    needs)."""
    texts, imports, needs, seen = [], [], [], set()
    renamed = {function.__name__: name}

    def take(f, called):
        """The source of f, which is called by this name, after that of the helpers it calls."""
        seen.add(called)
        if f.__closure__:
            raise CannotSave(
                "it uses variables of a function around it. Write it outside of any other function"
            )
        for used in names_used(f.__code__):
            if (
                used in seen
                or used not in f.__globals__
                or (used in vars(builtins) and f.__globals__[used] is vars(builtins)[used])
            ):
                continue
            value = f.__globals__[used]
            theirs = getattr(value, "__module__", "") or ""
            exercise = used.removeprefix("my_")
            if isinstance(value, types.ModuleType):
                imports.append(module_import(value, used))
            elif isinstance(value, StudentFunctions) or used in ("mine", "course_utils"):
                continue  # mine.softmax becomes softmax below
            elif line := numpy_import(value, used):
                imports.append(line)
            elif exercise in blocks and callable(value):
                needs.append(exercise)
                renamed[used] = exercise
            elif theirs.startswith("course_utils") and callable(value):
                needs.append(value.__name__)
                renamed[used] = value.__name__
            elif isinstance(value, types.FunctionType) and value.__module__ == f.__module__:
                take(value, used)
                others = "\n".join(text for n, (_, text) in blocks.items() if n != name)
                if used in exercises or re.search(
                    rf"^(?:def )?{re.escape(used)}\b", others, flags=re.MULTILINE
                ):
                    renamed[used] = f"{name}_{used}"
            elif isinstance(value, (int, float, str, bool, type(None))):
                texts.append(f"{used} = {value!r}")
            else:
                raise CannotSave(
                    f"it uses `{used}` of the notebook, which the file does not have. Make it"
                    " inside the function, or compute with the arguments alone"
                )
        texts.append(source(f, called if f is not function else None))

    take(function, function.__name__)
    text = with_names("\n\n".join(texts), renamed)
    needs += re.findall(r"\bmine\.(\w+)", text)
    if name in needs:
        raise CannotSave(f"it calls another `{name}`. Write out what that one does")
    return re.sub(r"\bmine\.(\w+)", r"\1", text), imports, list(dict.fromkeys(needs))


def names_used(code: CodeType) -> list[str]:
    """Names that a function's code looks up outside itself, those of functions within it too, each
    once. Attributes, as in np.pi, are none."""
    own = [
        step.argval
        for step in dis.get_instructions(code)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    ]
    within = [
        name
        for part in code.co_consts
        if isinstance(part, types.CodeType)
        for name in names_used(part)
    ]
    return list(dict.fromkeys([*own, *within]))


def module_import(module: ModuleType, used: str) -> str:
    top = module.__name__.split(".")[0]
    if top != "numpy" and top not in sys.stdlib_module_names:
        raise CannotSave(f"it uses `{top}`, and the file needs NumPy alone. Write it with NumPy")
    return f"import {module.__name__}" + (f" as {used}" if used != module.__name__ else "")


def numpy_import(value: object, used: str) -> str:
    """The line that imports something from the module of NumPy that has it; "" where none has. Of
    some functions an older NumPy does not say the module."""
    home, name = getattr(value, "__module__", None) or "numpy", getattr(value, "__name__", "")
    if home.split(".")[0] != "numpy" or getattr(sys.modules.get(home), name, None) is not value:
        return ""
    return f"from {home} import {name}" + (f" as {used}" if used != name else "")


def source(function: Function, helper: str | None = None) -> str:
    """The source of a function that was written with `def`. helper: the name by which it is called,
    if it is one."""
    try:
        text = textwrap.dedent(inspect.getsource(function))
        tree = ast.parse(text)
    except (OSError, TypeError, SyntaxError):
        raise CannotSave("its source is not at hand. Write it with `def` in a cell") from None
    if not isinstance(tree.body[0], ast.FunctionDef):
        raise CannotSave(
            f"it calls `{helper}`, which is not written with `def`. Write that with `def`, too"
            if helper
            else "only a function written with `def` can be kept. Write it with `def`"
        )
    return text.rstrip()


def with_names(text: str, renamed: Mapping[str, str]) -> str:
    """The source with names replaced, wherever they stand as names and not as attributes."""
    if all(old == new for old, new in renamed.items()):
        return text
    tokens, before = [], None
    for token in tokenize.generate_tokens(io.StringIO(text + "\n").readline):
        if token.type == tokenize.NAME and token.string in renamed and before != ".":
            tokens.append((token.start, token.string, renamed[token.string]))
        before = token.string
    lines = text.split("\n")
    for (row, column), old, new in reversed(tokens):
        lines[row - 1] = lines[row - 1][:column] + new + lines[row - 1][column + len(old) :]
    return "\n".join(lines)


def supply(name: str, blocks: Blocks) -> None:
    """A function that a kept one needs: theirs if it is there, else the course's solution, and what
    that needs."""
    if name in blocks:
        return
    text = solution(name)
    if not text:
        raise CannotSave(f"it uses the course's `{name}`, which is not yours yet")
    text = re.sub(
        r"\A(?:import numpy as np|\"\"\".*?\"\"\")\n+",
        "",
        re.sub(r"\A\"\"\".*?\"\"\"\n+", "", text, flags=re.DOTALL),
    )
    blocks[name] = COURSE, text
    defined = set(re.findall(r"^def (\w+)", text, flags=re.MULTILINE))
    for used in dict.fromkeys(re.findall(r"\b(\w+)\(", text)):
        if used not in defined and solution(used):
            supply(used, blocks)


# Giving back.


def functions(module: str) -> dict[str, FunctionType]:
    """{name: function} of a module's text. Only imports, plain constants and functions are run;
    what else stands there is left alone."""
    names: dict[str, Any] = {"__name__": FILE.removesuffix(".py")}
    lines = module.splitlines(keepends=True)
    for file, code in _compiled(module):
        linecache.cache[file] = len(module), None, lines, file
        exec(code, names)
    return {name: value for name, value in names.items() if isinstance(value, types.FunctionType)}


@functools.lru_cache(maxsize=16)  # a file is run anew for each function that is taken from it
def _compiled(module):
    """[(file, code)] of what may be run of a module's text: a file's name for each block, so that
    an error is told at a line of the block."""
    body = [
        node
        for node in ast.parse(module).body
        if isinstance(node, (ast.Import, ast.ImportFrom)) or _is_constant(node) or _is_plain(node)
    ]
    for node in body:
        for top in _imported(node):
            if top != "numpy" and top not in sys.stdlib_module_names:
                raise CannotSave(f"{FILE} imports {top}; it may need NumPy alone")
        if isinstance(node, ast.FunctionDef):
            node.decorator_list, node.returns = [], None
            for argument in [
                *node.args.posonlyargs,
                *node.args.args,
                *node.args.kwonlyargs,
                node.args.vararg,
                node.args.kwarg,
            ]:
                if argument:
                    argument.annotation = None
    lines, codes = module.splitlines(keepends=True), []
    for node in body:
        above = [found[1] for found in BLOCK.finditer("".join(lines[: node.lineno]))]
        file = ", ".join([FILE, *above[-1:]])
        codes.append((file, compile(ast.Module([node], []), file, "exec")))
    return codes


def _imported(body):
    """The packages that are imported in a statement, inside a function, too."""
    for node in ast.walk(body):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]


def _is_plain(node):
    """A function whose definition runs nothing: its default values are constants."""
    defaults = (
        [*node.args.defaults, *filter(None, node.args.kw_defaults)]
        if isinstance(node, ast.FunctionDef)
        else [None]
    )
    return all(isinstance(part, (ast.Constant, ast.UnaryOp)) for part in defaults)


def _is_constant(node):
    return (
        isinstance(node, ast.Assign)
        and all(isinstance(t, ast.Name) for t in node.targets)
        and isinstance(node.value, (ast.Constant, ast.UnaryOp))
    )


class StudentFunctions:
    """`mine.softmax` is the student's own, where one is kept and still passes, else the course's.
    Which it is, it says once.

    A function is run with the right ones below it: where one that it calls does not pass any more,
    the course's stands there, and that one is named. A build that is not yet theirs is the
    course's, made of their parts.
    """

    def __init__(
        self, exercises: Exercises, restore: Callable[[], Any], in_a_check: bool = False
    ) -> None:
        """restore: called without arguments, gives what stands for this object where a student's
        function is checked."""
        self.exercises, self._restore, self._in_a_check = exercises, restore, in_a_check
        self.kept: set[str] = set()
        self._text: str | None = None
        self._given, self._said = {}, {}

    def __reduce__(self):
        return (
            self._restore,
            (),
        )  # where a student's function is checked, `mine` is silent and starts no process

    def __getattribute__(self, name):
        if is_law_running() and name != "__class__":
            raise Withheld("mine: a law is given a function, and no other")
        return super().__getattribute__(name)

    def __getattr__(self, name):
        if name.startswith("__"):  # Python and NumPy ask for many
            raise AttributeError(name)
        exercise = self.exercises.get(name)
        if not isinstance(exercise, Exercise):
            near = difflib.get_close_matches(name, self.exercises, n=1)
            raise AttributeError(
                f"mine: there is no exercise {name!r}"
                + (f"; did you mean {near[0]!r}?" if near else "")
            )
        self.reload()
        function, word, _ = self._give(name)
        self._tell(name, word)
        return function

    def __dir__(self):
        return [name for name, exercise in self.exercises.items() if isinstance(exercise, Exercise)]

    def reload(self) -> None:
        """Read the file again where it has changed."""
        try:
            text = text_of_file() if path().exists() else ""
            if text == self._text:
                return
            self._text, self._given, self.kept = text, {}, set()
            if text:
                kept = {name for name, (whose, _) in read()[1].items() if whose == MINE}
                self.kept = kept & set(functions(text))
        except CannotSave as why:
            self._say(f"{why}. The course's functions are used.")
        except Exception as error:  # a file that a hand has changed may hold anything
            self._say(f"{FILE} cannot be run ({_place(error)}). The course's functions are used.")

    def _say(self, word):
        # into what a function prints goes nothing that it did not print
        if not (self._in_a_check or isinstance(sys.stdout, Printed)):
            print(word)

    def _tell(self, name, word):
        if self._said.get(name) != word:
            self._said[name] = word
            self._say(f"{name}: {word}")

    def _give(self, name):
        """(a function that passes, whose it is in words, the Diagnosis of a kept one)."""
        if name not in self._given:
            reference = self.exercises[name].reference
            self._given[name] = (
                reference,
                "the course's.",
                None,
            )  # what calls itself in a circle meets the course's
            self._given[name] = self._choose(self.exercises[name])
        return self._given[name]

    def _choose(self, exercise):
        theirs = self.isolated(exercise.name, self._below)
        if theirs is None:
            course = exercise.in_a_check if self._in_a_check else None
            whose = "the course's version is used until yours passes its check."
            return course or exercise.reference, whose, None
        diagnosis = exercise.check(theirs, run_here if self._in_a_check else run)
        if exercise.name not in self.kept:
            whose = (
                "the course's version, made of your parts, is used until yours passes its check."
            )
            return (theirs if diagnosis.status == "correct" else exercise.reference), whose, None
        if diagnosis.status == "correct":
            return theirs, f"yours, from {FILE}.", diagnosis
        slip = f" ({diagnosis.mistake})" if diagnosis.mistake else ""
        return (
            exercise.reference,
            f"the course's. Yours in {FILE} does not pass any more{slip}.",
            diagnosis,
        )

    def _below(self, name):
        """What a kept function finds under the name of another exercise; one that does not pass any
        more is told."""
        function, word, diagnosis = self._give(name)
        if diagnosis and diagnosis.status != "correct":
            self._tell(name, word)
        return function

    def isolated(self, name: str, below: Callable[[str], Any]) -> Function | None:
        """What stands for an exercise, in a room of its own: theirs, or the course's way to put
        their parts together, or None.

        Every other exercise that it calls is what below(its name) gives. It may be wrong: `mine` is
        what checks it.
        """
        if not self._has_theirs(name):
            return None
        text = (self._text or "") if name in self.kept else solution(name)
        function, marked = functions(text).get(name), {found[0] for found in BLOCK.findall(text)}
        for need in needs(function, self.exercises) if function else []:
            if (
                need in marked or need not in function.__globals__
            ):  # else a helper of theirs that has an exercise's name
                function.__globals__[need] = below(need)
        return function

    def _has_theirs(self, name):
        return name in self.kept or any(
            self._has_theirs(part) for part in getattr(self.exercises.get(name), "parts", ())
        )


def needs(function: FunctionType, exercises: Exercises) -> list[str]:
    """The exercises that a function of the file calls by name, by itself or through its helpers."""
    found, waiting, seen = [], [function], {function.__name__}
    while waiting:
        for used in names_used(waiting.pop(0).__code__):
            value = function.__globals__.get(used)
            if used not in seen and isinstance(exercises.get(used), Exercise):
                found.append(used)
            elif (
                used not in seen
                and isinstance(value, types.FunctionType)
                and value.__globals__ is function.__globals__
            ):
                waiting.append(value)
            seen.add(used)
    return found


def _place(error):
    return (
        f"line {error.lineno}: {error.msg}"
        if isinstance(error, SyntaxError)
        else f"{type(error).__name__}: {str(error)[:120]}"
    )
