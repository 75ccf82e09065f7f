"""Hostile and clumsy functions, as softmax: each does something that could hurt the notebook, the
check, or the next check.

ASSIGNS: they put something else in the place of what others use. STARTS: they start or open what
could live on.
STOPS: they stop, or never do. RETURNS: what they give back cannot be read.
"""

import atexit
import builtins
import ctypes
import gc
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np

MARK = "43215"  # seconds that a process sleeps: by this it is known


def right(scores):
    """A right answer that uses what the others replace."""
    used = (
        math.exp(0),
        len([1]),
        max(1, 0),
        json.loads("1"),
        random.Random(0).randint(1, 1),
        int(np.array_equal([1], [1])),
    )
    if (
        used != (1.0, 1, 1, 1, 1, 1)
        or sys.modules["numpy"] is not np
        or "PATH" not in os.environ
        or sys.stdout is None
    ):
        raise AssertionError("something was left behind")
    exponentials = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=-1, keepdims=True)


# What is assigned.


def replaces_exp(scores):
    np.exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.exp / np.exp.sum(axis=-1, keepdims=True)


def deletes_exp(scores):
    del np.exp


def replaces_what_a_report_needs(scores):
    np.asarray = np.array_equal = np.isnan = None
    return scores


def replaces_math(scores):
    math.exp = math.sqrt
    return scores


def replaces_len_and_max(scores):
    builtins.len = builtins.max = lambda *values: 0
    return scores


def replaces_print(scores):
    builtins.print = None
    print(scores)


def replaces_json(scores):
    json.dumps = json.loads = lambda value: "x"
    return scores


def replaces_os(scores):
    os.write = os._exit = os.getpid = lambda *values: 0
    return scores


def empties_the_modules(scores):
    sys.modules.clear()
    return scores


def hides_numpy(scores):
    sys.modules["numpy"] = None
    return scores


def makes_a_module(scores):
    sys.modules["torch"] = type(sys)("torch")
    sys.modules["torch"].__spec__ = None
    return scores


def replaces_the_course(scores):
    import course_utils.attention

    course_utils.attention.softmax = None
    return scores


def leaves_the_folder(scores):
    os.chdir("/")
    os.environ.clear()
    sys.path.clear()
    return scores


def prints_otherwise(scores):
    np.set_printoptions(precision=1)
    np.seterr(all="raise")
    warnings.simplefilter("error")
    return scores


def seeds(scores):
    np.random.seed(0)  # noqa: NPY002
    random.seed(0)
    return scores


def closes_stdout(scores):
    sys.stdout = sys.stderr = sys.stdin = None
    return scores


def traces(scores):
    sys.settrace(lambda *values: 1 / 0)
    sys.setprofile(lambda *values: None)
    return scores


def collects_no_garbage(scores):
    gc.disable()
    atexit.register(os._exit, 3)
    sys.setrecursionlimit(50)
    return scores


def puts_itself_in_the_exercise(scores):
    from course_utils.exercises import EXERCISES

    for arguments in EXERCISES["softmax"].inputs:
        arguments[0][:] = 0
    EXERCISES["softmax"].reference = puts_itself_in_the_exercise
    return scores


def changes_its_argument(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    scores[:] = np.exp(scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def keeps_a_count(scores, count=[0]):  # noqa: B006
    count[0] += 1
    return scores * count[0]


# What is started and opened.


def thread_that_spins(scores):
    def spin():
        while True:
            pass

    threading.Thread(target=spin, daemon=True).start()
    return right(scores)


def thread_that_sleeps(scores):
    threading.Thread(target=time.sleep, args=(600,)).start()
    return right(scores)


def process_that_sleeps(scores):
    subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({MARK})"])
    return right(scores)


def process_of_its_own_session(scores):
    subprocess.Popen(
        [sys.executable, "-c", f"import time; time.sleep({MARK})"], start_new_session=True
    )
    return right(scores)


def fork_that_answers(scores):
    os.fork()
    return scores


def fork_that_sleeps(scores):
    if os.fork() == 0:
        time.sleep(600)
    return right(scores)


def fork_of_a_fork(scores):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv(sys.executable, [sys.executable, "-c", f"import time; time.sleep({MARK})"])
        os._exit(0)
    return right(scores)


def many_forks(scores):
    for _ in range(4):
        if os.fork() == 0:
            os.execv(sys.executable, [sys.executable, "-c", f"import time; time.sleep({MARK})"])
    return right(scores)


def writes_to_descriptors(scores):
    for number in range(3, 40):
        try:  # noqa: SIM105
            os.write(number, b"\x80\x04garbage\n")
        except OSError:
            pass
    return scores


def writes_an_answer(scores):
    for number in range(3, 40):
        try:  # noqa: SIM105
            os.write(number, b'{"value": {"array": 3}, "error": null}\n=.\n.\n')
        except OSError:
            pass
    return scores


def writes_without_end(scores):
    while True:
        for number in range(3, 12):
            try:  # noqa: SIM105
                os.write(number, b"x" * 4096)
            except OSError:
                pass


def closes_descriptors(scores):
    os.closerange(3, 100)
    return scores


def ignores_signals(scores):
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    while True:
        pass


# What stops, or does not.


def leaves(scores):
    sys.exit(1)


def leaves_at_once(scores):
    os._exit(1)


def kills_itself(scores):
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(5)


def kills_the_process_above(scores):
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(5)


def interrupts(scores):
    raise KeyboardInterrupt


def reads_no_memory(scores):
    ctypes.string_at(0)


def calls_itself(scores):
    return calls_itself(scores)


def calls_itself_too_deeply(scores):
    sys.setrecursionlimit(10**8)
    return calls_itself(scores)


def catches_everything(scores):
    while True:
        try:  # noqa: SIM105
            scores = scores + 1
        except:  # noqa: E722
            pass


def matches_for_ever(scores):
    return re.match(r"(a+)+$", "a" * 40 + "b")


def raises_what_has_no_text(scores):
    class Strange(Exception):  # noqa: N818
        def __str__(self):
            raise ValueError

    raise Strange


def raises_markup(scores):
    raise type("<script>", (Exception,), {})("<script>alert(1)</script>")


# What is given back.


def a_list_within_itself(scores):
    one = []
    one.append(one)
    return one


def a_deep_list(scores):
    one = []
    for _ in range(100_000):
        one = [one]
    return one


def a_generator(scores):
    return (row for row in scores)


def a_lock(scores):
    return threading.Lock()


def a_large_number(scores):
    return 10**10_000


def half_a_letter(scores):
    return "\ud800"


def a_long_text(scores):
    return "x" * (1 << 27)


def what_refuses(scores):
    class Refuses:
        def refuse(self, *values):
            raise ValueError

        __array__ = __len__ = __eq__ = __repr__ = __iter__ = __getattr__ = __hash__ = refuse

    return Refuses()


def what_runs_when_read(scores):
    class Runs:
        def __reduce__(self):
            return os._exit, (3,)

    return Runs()


def a_dictionary_of_anything(scores):
    return {1: np.nan, (2, 3): {4}, None: [np.float32(1), ...], "": b"\x00"}


ASSIGNS = [
    replaces_exp,
    deletes_exp,
    replaces_what_a_report_needs,
    replaces_math,
    replaces_len_and_max,
    replaces_print,
    replaces_json,
    replaces_os,
    empties_the_modules,
    hides_numpy,
    makes_a_module,
    replaces_the_course,
    leaves_the_folder,
    prints_otherwise,
    seeds,
    closes_stdout,
    traces,
    collects_no_garbage,
    puts_itself_in_the_exercise,
    changes_its_argument,
    keeps_a_count,
]
STARTS = [
    thread_that_spins,
    thread_that_sleeps,
    process_that_sleeps,
    process_of_its_own_session,
    fork_that_answers,
    fork_that_sleeps,
    fork_of_a_fork,
    many_forks,
    writes_to_descriptors,
    writes_an_answer,
    writes_without_end,
    closes_descriptors,
    ignores_signals,
]
STOPS = [
    leaves,
    leaves_at_once,
    kills_itself,
    kills_the_process_above,
    interrupts,
    reads_no_memory,
    calls_itself,
    calls_itself_too_deeply,
    catches_everything,
    matches_for_ever,
    raises_what_has_no_text,
    raises_markup,
]
RETURNS = [
    a_list_within_itself,
    a_deep_list,
    a_generator,
    a_lock,
    a_large_number,
    half_a_letter,
    a_long_text,
    what_refuses,
    what_runs_when_read,
    a_dictionary_of_anything,
]
