"""Two students of a running class hub."""

import asyncio
import contextlib
import secrets

import pytest


@pytest.fixture(scope="module")
def passwords():
    from scenes import NAMES, SETTINGS, hub

    hub.remove(
        SETTINGS, [name for name in NAMES if name in hub.snapshots.students(SETTINGS["folder"])]
    )
    hub.add(SETTINGS, NAMES)
    yield {name: secrets.token_hex(16) for name in NAMES}
    hub.remove(SETTINGS, NAMES)


@pytest.fixture
def a_class(passwords):
    """`a_class(scene)` runs the coroutine scene(a, b) with two students whose servers are up."""
    from browser import Student
    from scenes import HUB, NAMES

    def play(scene):
        async def whole():
            async with contextlib.AsyncExitStack() as stack:
                both = [
                    await stack.enter_async_context(Student(HUB, name, passwords[name]))
                    for name in NAMES
                ]
                for student in both:
                    await student.log_in()
                    await student.start_server()
                await asyncio.wait_for(scene(*both), 120)

        asyncio.run(whole())

    return play
