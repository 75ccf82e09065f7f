"""A right run's values put into the student's run: where one of them makes all right, that place alone is wrong.

A value that comes late makes everything right, so the earliest place counts, and only one thing is claimed: all that comes after
it is right.
"""

import time
from dataclasses import dataclass

import numpy as np

from course_utils.diagnosis.candidates import Judge, Program, Runner, is_numeric, same_value
from course_utils.diagnosis.tracing import RightRun, Site, TracedProgram


@dataclass(frozen=True)
class WrongPlace:
    """The earliest expression after which all is right, and the site of the right run that has its place."""

    site: Site
    right: Site


class Substitution:
    """The runs of a student's program beside the right ones."""

    def __init__(self, program: Program, judge: Judge, right_run: RightRun):
        self.judge, self.runner, self.right_run = judge, Runner(judge), right_run
        self.runner.limit = 0.5
        self.traced = TracedProgram(program.functions, program.names(), program.name)
        self.checked = range(judge.fresh)
        self.runs = [self.traced.values(self.runner, i) for i in self.checked]
        wrong = [i for i in self.checked if self.runs[i][1][1] or not judge.is_right(self.runs[i][1][0], i)]
        wrong.sort(key=lambda i: (self.runs[i][1][1] is not None, sum(map(len, right_run.values[i].values()))))      # quick ones first
        self.order = wrong + [i for i in self.checked if i not in wrong]

    def earliest(self, seconds: float) -> WrongPlace | None:
        """The earliest place where a right value makes every call right; None where there is none."""
        end = time.process_time() + seconds
        for theirs, ours in self.choices():
            if time.process_time() > end:
                return None
            if self.makes_right(theirs, ours):
                return WrongPlace(self.traced.sites[theirs], self.right_run.sites[ours])
        return None

    def choices(self) -> list:
        """(site of theirs, site of the right run) that may stand for each other: what was known first at first."""
        i, found = self.order[0], []
        values, (_, error) = self.runs[i]
        when = {site: k for k, site in enumerate(values)}
        for theirs, site in enumerate(self.traced.sites):
            had = values.get(theirs)
            if site.whole or (had is None and not error):
                continue
            for ours in self.right_run.values[i]:
                given = self.given(theirs, ours, i)
                if given is None or self.is_answer(given[-1], i) or (had is not None and not self.may_replace(had, given)):
                    continue
                same_shape = had is not None and np.shape(had[0]) == np.shape(given[0]) if is_numeric(given[0]) else True
                found.append(((when.get(theirs, len(when)), not same_shape, site.text != self.right_run.sites[ours].text), theirs, ours))
        return [(theirs, ours) for _, theirs, ours in sorted(found)]

    def is_answer(self, value, i: int) -> bool:
        """Whether a value is all that is asked for: to put that in says nothing."""
        wanted = self.judge.wanted[i]
        return not isinstance(wanted, tuple) and same_value(value, wanted)

    @staticmethod
    def may_replace(had: list, given: list) -> bool:
        """Whether right values are other ones, of the same kind of thing."""
        if len(had) == len(given) and all(same_value(a, b) for a, b in zip(had, given, strict=True)):
            return False
        if is_numeric(had[0]) and is_numeric(given[0]):
            return (np.ndim(had[0]) == 0) == (np.ndim(given[0]) == 0)
        return type(had[0]) is type(given[0]) and not callable(had[0])

    def given(self, theirs: int, ours: int, i: int) -> list | None:
        """What the right run has, for each time that the student's place is asked: heads one by one, or all at once."""
        values, times = self.right_run.values[i].get(ours), len(self.runs[i][0].get(theirs, ()))
        if not values:
            return None
        if len(values) == 1 < times:
            stacked = is_numeric(values[0]) and np.ndim(values[0]) > 0 and len(values[0]) == times
            return list(values[0]) if stacked else None
        if len(values) > 1 == times:
            alike = all(map(is_numeric, values)) and len({np.shape(v) for v in values}) == 1
            return [np.stack(values)] if alike else None
        return values if len(values) == times or times == 0 and len(values) == 1 else None

    def makes_right(self, theirs: int, ours: int) -> bool:
        for i in self.order:
            given = self.given(theirs, ours, i)
            if given is None or not self.traced.is_right_with(self.runner, i, {theirs: given}):
                return False
        return True
