"""The examples in the docstrings of the mathematics run, and every public definition has one."""

import doctest
import importlib
import inspect

import pytest

MODULES = [
    importlib.import_module(f"course_utils.{name}")
    for name in (
        "attention",
        "layers",
        "positions",
        "experts",
        "decoding",
        "quantisation",
        "tokens",
        "arguments",
    )
]
OTHERS = [importlib.import_module("exporting")]


def public(module):
    """The public functions and classes that a module defines, and the classes' methods."""
    for name, value in vars(module).items():
        if getattr(value, "__module__", None) == module.__name__ and not name.startswith("_"):
            yield value
            if inspect.isclass(value):
                yield from (
                    method
                    for key, method in vars(value).items()
                    if inspect.isfunction(method) and not key.startswith("_")
                )


MATHEMATICS = [value for module in MODULES[:-1] for value in public(module)]


@pytest.mark.parametrize("module", MODULES + OTHERS, ids=lambda module: module.__name__)
def test_examples_give_what_they_say(module):
    failed, tried = doctest.testmod(module)
    assert tried > 0
    assert failed == 0


@pytest.mark.parametrize("value", MATHEMATICS, ids=lambda value: value.__qualname__)
def test_every_public_definition_says_what_goes_in_and_out_and_shows_it(value):
    text = inspect.getdoc(value)
    for heading in ("Parameters:", "Example:", "Raises:" if inspect.isclass(value) else "Returns:"):
        assert f"\n{heading}\n" in text, heading
    hints = inspect.get_annotations(value if inspect.isfunction(value) else value.__init__)
    names = inspect.signature(value).parameters
    assert set(hints) - {"return"} == set(names) - {"self"}
    assert "return" in hints
    described = text.partition("\nParameters:\n")[2].partition("\nReturns:")[0]
    assert [name for name in set(names) - {"self"} if name not in described] == []


@pytest.mark.parametrize("value", MATHEMATICS, ids=lambda value: value.__qualname__)
def test_what_checks_its_arguments_says_what_it_raises(value):
    body = inspect.getsource(value).replace(value.__doc__, "")
    checked = any(word in body for word in ("check_", "= as_", "return as_", "(as_"))
    assert checked <= ("\nRaises:\n    ArgumentError: " in inspect.getdoc(value))
