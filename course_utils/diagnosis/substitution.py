"""A right run's values put into the student's run: where one of them makes all right, that place
alone is wrong.

A value that comes late makes everything right, so the earliest place counts, and only one thing
is claimed: all that comes after
it is right.
"""

import re
import time
from collections.abc import Set
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from course_utils.diagnosis.candidates import (
    FIRST_LIMIT,
    Judge,
    Program,
    Runner,
    fingerprint,
    is_numeric,
    same_value,
)
from course_utils.diagnosis.tracing import Noted, RightRun, Site, TracedProgram


@dataclass(frozen=True)
class WrongPlace:
    """The earliest expression after which all is right, and the site of the right run that has
    its place.

    came_wrong: it is a variable whose value no right run has there: the line that made it is
    meant. turned: the variable, where it is one with its axes in another order that is wrong
    either way round; else "".
    sites: the numbers of both sites; None in the place of the second where there is none.
    """

    site: Site
    right: Site
    came_wrong: bool = False
    turned: str = ""
    sites: tuple[int | None, int | None] = (None, None)


class Substitution:
    """The runs of a student's program beside the right ones."""

    def __init__(self, program: Program, judge: Judge, right_run: RightRun) -> None:
        self.judge, self.runner, self.right_run = judge, Runner(judge), right_run
        self.runner.limit = FIRST_LIMIT / 2
        self.traced = TracedProgram(program.functions, program.names(), program.name)
        self.checked, self.entry = range(judge.fresh), program.name
        self.known: dict[tuple[int, bool], set[Any]] = {}  # what known_prints found
        self.runs = []
        for i in self.checked:
            self.runs.append(self.traced.values(self.runner, i))
            self.runner.shorten_after(self.runs[-1][1][1])
        self.runner.shorten(0.0)
        wrong = [
            i
            for i in self.checked
            if self.runs[i][1][1] or not judge.is_right(self.runs[i][1][0], i)
        ]
        wrong.sort(
            key=lambda i: (
                self.runs[i][1][1] is not None,
                sum(map(len, right_run.values[i].values())),
            )
        )  # quick ones first
        self.order = wrong + [i for i in self.checked if i not in wrong]

    def earliest(self, seconds: float, is_strict: bool = False) -> WrongPlace | None:
        """The earliest place where a right value makes every call right; None where there is
        none. A line that gives what has a name in a right run is right. is_strict: so is one that
        gives any value of a right run.
        """
        end = time.process_time() + seconds
        found = self.earliest_with([], end, is_strict=is_strict)
        return self.place(*found) if found else None

    def earliest_with(
        self, others: list[Any], end: float, line: int = 0, is_strict: bool = False
    ) -> tuple[Any, ...] | None:
        """The earliest place, in a line if one is given, where a right value makes every call right
        together with those of others.
        """
        known = self.known_prints(self.order[0], is_named=not is_strict)
        values, _ = self.runs[self.order[0]]
        for theirs, ours in self.choices():
            if self.traced.sites[theirs].name and _print(values.get(theirs, [None])[-1]) in known:
                continue
            if time.process_time() > end:
                return None
            if line and self.traced.sites[theirs].line != line:
                continue
            if line and not self.is_alike(theirs, ours):
                continue  # a sum of one number is its mean: a coincidence
            if self.all_right([*others, (theirs, ours)]):
                return theirs, ours
        return None

    def place(self, theirs: int, ours: int | None) -> WrongPlace:
        site, i = self.traced.sites[theirs], self.order[0]
        if ours is None:
            return WrongPlace(site, site, sites=(theirs, None))
        value, right = self.runs[i][0].get(theirs, [None])[0], self.right_run.values[i]
        sites, wanted = self.right_run.sites, right.get(ours, [])
        fitting = [v for k in right if sites[k].name == site.text for v in right[k]]
        if self.is_argument(site, wanted[:1]) or _axes(value) == 0:
            fitting = wanted  # an argument got another value before; small numbers are often equal
        elif not fitting:
            named = [v for k in right if sites[k].name for v in right[k]]
            fitting = [*named, *self.judge.calls[i]]
        came_wrong = site.text.isidentifier() and not any(same_value(value, v) for v in fitting)
        is_other = not self.is_argument(site, wanted[:1])
        if is_other and _print(value) in self.known_prints(
            i
        ):  # the line that made it gives what is right
            came_wrong = False
        turned = turned_name(site.text)
        if turned and self.is_known(turned, site, i):
            turned = ""
        return WrongPlace(site, sites[ours], came_wrong, turned, (theirs, ours))

    def is_known(self, name: str, at: Site, i: int) -> bool:
        """Whether the value of a variable at a site is one of a right run, either way round."""
        inside = [
            k
            for k, site in enumerate(self.traced.sites)
            if (site.function, site.line, site.text) == (at.function, at.line, name)
        ]
        values = [v for k in inside for v in self.runs[i][0].get(k, [])]
        return {_print(v) for v in values} <= self.known_prints(i)

    def is_argument(self, site: Site, value: list[Any]) -> bool:
        """Whether a site is a variable named as an argument, and [a value] that argument."""
        entry = self.traced.arguments
        if site.function != self.entry or site.text not in entry:
            return False
        return same_value([self.judge.calls[self.order[0]][entry.index(site.text)]], value)

    def is_wrong_at(self, theirs: int, ours: int | None) -> list[bool]:
        """Whether each call has another value at a site than a right run: at a site of its own, or
        at any.
        """
        found = []
        for i, (values, _) in enumerate(self.runs):
            came = values.get(theirs, [])
            if ours is None:
                found.append(not {_print(v) for v in came} <= self.known_prints(i))
            else:
                given = self.given(theirs, ours, i) if came else None
                found.append(given is not None and self.may_replace(came, given))
        return found

    # Value by value.

    def known_prints(self, i: int, is_named: bool = False) -> set[Any]:
        """The fingerprints of all values of the right run, of their parts, and of the arguments.
        is_named: of those with a name alone.
        """
        if (i, is_named) not in self.known:
            self.known[i, is_named] = self._known_prints(i, is_named)
        return self.known[i, is_named]

    def _known_prints(self, i, is_named):
        right = self.right_run
        wanted = [
            v
            for k, vs in right.values[i].items()
            for v in vs
            if right.sites[k].name.isidentifier() or not is_named
        ]
        inside = [] if is_named else [*right.inside[i], *right.halfway[i]]
        return _prints_of_parts([*wanted, *inside, *self.judge.calls[i]])

    def halfway_prints(self, i: int) -> set[Any]:
        """The fingerprints of what is halfway within an earlier exercise, and nowhere an end."""
        right = self.right_run
        if not right.halfway[i]:
            return set()
        ends = [v for vs in right.values[i].values() for v in vs] + right.inside[i]
        return _prints_of_parts(right.halfway[i]) - _prints_of_parts([*ends, *self.judge.calls[i]])

    def first_unknown(
        self, values: Noted, known: set[Any], halfway: Set[Any] = frozenset()
    ) -> int | None:
        """The site that is the first, in time, to give a named or returned value that no right run
        has; None where there is none.

        A value that a right run has not is right as well, where all that is made of it is:
        another way to the same end. What is changed in place counts once no more is changed.
        What is halfway in a right run (without its bias) is right where a value of its shape is
        made of it: the step that is missing may be that one.
        """
        sites, first = self.traced.sites, None
        right_scopes = {
            (sites[k].function, sites[k].scope)
            for k in values
            if sites[k].whole
            and any(_prints(v) and _prints(v) <= known for v in values[k])
            and (sites[k].function != self.entry or sites[k].scope)
        }
        left = {site: list(those) for site, those in values.items()}
        # of each variable, looking back: whether all is right that is made of it until it is made
        # anew, and where it is changed in place until then
        users: dict[tuple[str, str], bool] = {}
        changed: dict[tuple[str, str], set[int]] = {}
        shapes: dict[tuple[str, str], set[Any]] = {}  # of what is made of it
        for site in reversed(values.timeline):
            its, value = sites[site], left[site].pop()
            if not (its.name or its.whole):
                continue
            if its.name.startswith("(") and isinstance(value, list):
                value = tuple(value)  # each of its values gets a name
            makes = [(its.function, name) for name in its.makes]
            made = [users[name] for name in makes if name in users]
            prints, shape = _prints(value), _shape(value)
            goes_on = any(shape in shapes.get(name, ()) for name in makes)
            is_right = (
                any(site in changed.get(name, ()) for name in makes)
                or (prints <= known and (goes_on or not prints & halfway))
                or (its.function, its.scope) in right_scopes
                or (bool(made) and all(made))
            )
            for name in makes:
                if its.in_place:
                    changed.setdefault(name, set()).add(site)
                elif not its.is_part:
                    for noted in (users, changed, shapes):
                        noted.pop(name, None)
            for name in its.reads:
                key = its.function, name
                users[key] = users.get(key, True) and is_right
                shapes.setdefault(key, set()).add(shape)
            if not is_right:
                first = site
        return first

    def first_wrong_step(self) -> WrongPlace | None:
        """The first step that gives what no right run has, where a right run has a value of this
        shape that no step gives; None where another way may have been gone.
        """
        i = self.order[0]
        values = self.runs[i][0]
        site = self.first_unknown(values, self.known_prints(i), self.halfway_prints(i))
        if site is None:
            return None
        its, right = self.traced.sites[site], self.right_run
        own = {_print(v) for vs in values.values() for v in vs}
        named = [vs[-1] for k, vs in right.values[i].items() if right.sites[k].name]
        named += right.inside[i]
        missing = {_shape(v) for v in named if _print(v) is None or _print(v) not in own}
        missing |= {shape[::-1] for shape in missing if isinstance(shape, tuple)}
        if _shape(values[site][-1]) not in missing:
            return None
        return WrongPlace(its, its, came_wrong=its.text.isidentifier(), sites=(site, None))

    def chain(self, seconds: float) -> tuple[Any, ...]:
        """(up to two places, the first step that no right run has and the next one after it;
        whether right values there make every call right).
        """
        end, i, instead, found = time.process_time() + seconds, self.order[0], {}, []
        known, halfway = self.known_prints(i), self.halfway_prints(i)
        values = self.runs[i][0]
        for _ in range(2):
            site = self.first_unknown(values, known, halfway)
            own = {_print(v) for vs in values.values() for v in vs}
            best: tuple[Any, ...] = (False, False, 0), None, None
            # a mask may say of each pair that it is seen, or that it is not
            is_open = site is None or self.traced.sites[site].whole or _is_mask(values[site][0])
            called = "" if site is None else self.traced.sites[site].name
            for ours, right in () if is_open else self.right_run.values[i].items():
                given = self.given(site, ours, i)
                if time.process_time() > end:
                    return [], False
                if (
                    given is None
                    or not self.may_replace(values[site], given)
                    or _axes(given[0]) != _axes(values[site][0])
                    or _print(right[0]) in own
                ):
                    continue
                then, (value, error) = self.traced.values(self.runner, i, {**instead, site: given})
                hits = len({_print(v) for vs in then.values() for v in vs} & known)
                is_called_so = bool(called) and self.right_run.sites[ours].name == called
                score = is_called_so, error is None and self.judge.is_right(value, i), hits
                if score > best[0] and (score[1] or hits > len(own & known)):
                    best = score, ours, then
            if best[1] is None:  # the step is known, and nothing that may stand in its place
                return ([*found, (site, None)] if found and site is not None else []), False
            instead[site] = self.given(site, best[1], i)
            found.append((site, best[1]))
            values = best[2]
            if best[0][1]:
                return (self.refined(found, end), True) if self.all_right(found) else ([], False)
        return found, False

    def places(self, found: list[Any]) -> list[Any]:
        """The places of what `chain` found."""
        places = [self.place(*one) for one in found]
        made = {name for place in places[:1] for name in place.site.makes}
        return [
            # what the first place makes is right, once that is
            replace(place, came_wrong=False) if k and place.site.text in made else place
            for k, place in enumerate(places)
        ]

    def refined(self, found: list[Any], end: float) -> list[Any]:
        """Places within the same lines, but the earliest: a variable that is wrong already where
        the line takes it.
        """
        *before, last = found
        for k, (theirs, ours) in enumerate(before):
            line, i = self.traced.sites[theirs].line, self.order[0]
            for place in self.choices():
                if time.process_time() > end:
                    break
                if self.traced.sites[place[0]].line != line or not self.is_alike(*place):
                    continue
                there, right = place
                given = self.given(there, right, i)
                values, _ = self.traced.values(self.runner, i, {there: given})
                if same_value(values.get(theirs), self.given(theirs, ours, i)):
                    before[k] = place
                    break
        line = self.traced.sites[last[0]].line
        return [*before, self.earliest_with(before, end, line) or last]

    def all_right(self, places: list[Any]) -> bool:
        """Whether every call is right with the right run's values in all these places."""
        for i in self.order:
            instead = {theirs: self.given(theirs, ours, i) for theirs, ours in places}
            if any(given is None for given in instead.values()):
                return False
            if not self.traced.is_right_with(self.runner, i, instead):
                return False
        return True

    def choices(self) -> list[Any]:
        """(site of theirs, site of the right run) that may stand for each other: what was known
        first at first.
        """
        i, found = self.order[0], []
        values, (_, error) = self.runs[i]
        when = {site: k for k, site in enumerate(values)}
        for theirs, site in enumerate(self.traced.sites):
            had = values.get(theirs)
            if site.whole or site.text == "[]" or (had is None and not error):
                continue  # a list that is empty before its loop begins is not to be filled at once
            for ours in self.right_run.values[i]:
                given = self.given(theirs, ours, i)
                if (
                    given is None
                    or self.is_answer(given[-1], i)
                    or (had is not None and not self.may_replace(had, given))
                ):
                    continue
                same_shape = had is not None and _shape(had[0]) == _shape(given[0])
                found.append(
                    (
                        (
                            when.get(theirs, len(when)),
                            not same_shape,
                            site.text != self.right_run.sites[ours].text,
                        ),
                        theirs,
                        ours,
                    )
                )
        return [(theirs, ours) for _, theirs, ours in sorted(found)]

    def is_alike(self, theirs: int, ours: int) -> bool:
        """Whether what a right run has in the place of a value has its shape."""
        i = self.order[0]
        had, given = self.runs[i][0].get(theirs), self.given(theirs, ours, i)
        return had is not None and given is not None and _shape(had[0]) == _shape(given[0])

    def is_answer(self, value: object, i: int) -> bool:
        """Whether a value is all that is asked for: to put that in says nothing."""
        wanted = self.judge.wanted[i]
        return not isinstance(wanted, tuple) and same_value(value, wanted)

    @staticmethod
    def may_replace(had: list[Any], given: list[Any]) -> bool:
        """Whether right values are other ones, of the same kind of thing."""
        if len(had) == len(given) and all(
            same_value(a, b) for a, b in zip(had, given, strict=True)
        ):
            return False
        if is_numeric(had[0]) and is_numeric(given[0]):
            return (np.ndim(had[0]) == 0) == (np.ndim(given[0]) == 0)
        return type(had[0]) is type(given[0]) and not callable(had[0])

    def given(self, theirs: int | None, ours: int, i: int) -> list[Any] | None:
        """What the right run has, for each time that the student's place is asked: heads one by
        one, or all at once.
        """
        values, times = self.right_run.values[i].get(ours), len(self.runs[i][0].get(theirs, ()))
        if not values:
            return None
        if len(values) == 1 < times:
            stacked = is_numeric(values[0]) and np.ndim(values[0]) > 0 and len(values[0]) == times
            return list(values[0]) if stacked else None
        if len(values) > 1 == times:
            alike = all(map(is_numeric, values)) and len({np.shape(v) for v in values}) == 1
            return [np.stack(values)] if alike else None
        return values if len(values) == times or (times == 0 and len(values) == 1) else None


def turned_name(text: str) -> str:
    """The variable whose axes stand in another order in a text such as `A.T`; "" where it is no
    such text.
    """
    found = re.fullmatch(r"(\w+)\.(?:T|(?:transpose|swapaxes)\([^()]*\))", text)
    return found[1] if found else ""


def _print(value):
    """The fingerprint of a value without its axes of length 1; None of a table that holds one
    number all over, where a loop begins, and of a number without a long fraction.
    """
    if (
        isinstance(value, list)
        and value
        and all(is_numeric(part) and np.ndim(part) for part in value)
    ):
        shapes = {np.shape(part) for part in value}
        value = np.stack(value) if len(shapes) == 1 else value
    if is_numeric(value) and np.size(value) > 1:
        if (np.asarray(value) == np.ravel(value)[0]).all():
            return None
        value = np.squeeze(value)
    if isinstance(value, float) and np.isfinite(value) and value * 16 % 1:
        return "number", round(value, 9)  # with a fraction that does not come about by chance
    return fingerprint(value)


def _prints_of_parts(values: list[Any]) -> set[Any]:
    """The fingerprints of values, of those in tuples, and of rows, columns and tables in them."""
    found = set()
    for value in values:
        for one in value if isinstance(value, tuple) else [value]:
            parts = [one]
            if _is_mask(one):  # of what is hidden, or to be added
                parts += [~one, np.where(one, 0, -np.inf), np.where(one, -np.inf, 0)]
            if is_numeric(one) and np.ndim(one) > 1:
                parts += [one.T, one.ravel(), *one, *one.swapaxes(0, 1)]
                parts += [row for table in one if np.ndim(one) > 2 for row in [*table, table.T]]
            found |= {_print(part) for part in parts}
    return found - {None}


def _prints(value) -> set[Any]:
    """The fingerprints of a value, or of the things in a tuple or in a list of tuples."""
    parts = value if isinstance(value, tuple) else [value]
    if (
        isinstance(value, list)
        and value
        and isinstance(value[0], tuple)
        and is_numeric(value[0][0])
    ):
        parts = [part for one in value for part in one]
    return {_print(part) for part in parts} - {None}


def _is_mask(value) -> bool:
    """Whether a value is a table of truths."""
    return isinstance(value, np.ndarray) and value.dtype == bool


def _axes(value) -> int | type:
    """How many axes numbers have, and of all else its type."""
    return np.ndim(value) if is_numeric(value) else type(value)


def _shape(value) -> tuple[Any, ...] | type:
    """The shape of numbers, and of all else its type."""
    return np.shape(value) if is_numeric(value) else type(value)
