"""Pages of instruments: what a cell shows, as somebody meets it who has never been here."""

from browsing import WIDE
from instruments.parity import TRIALS, opened

from course_utils.cards import carrier

# Stands in for a kernel: holds what the instrument sends.
CHANNEL = """start => {
  const channel = { state: start, get: () => channel.state, set: (_, state) => channel.state = state, save_changes() {},
    on: (_, come) => channel.come = come };
  globalThis.courseChannels = { "": channel };
  dispatchEvent(new Event("course-channel"));
}"""  # noqa: E501


def shown(name, **changes):
    """What the instrument's cell shows, with all that it needs."""
    carrier.forget()
    html = opened(name, **changes)._repr_mimebundle_()["text/html"]
    carrier.forget()
    return html


def begin(page, size=WIDE, motion="no-preference"):
    """Load the page as somebody does who has never been here; its name, the instrument, and how
    that is tried."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(reduced_motion=motion)
    page.mouse.move(0, 0)
    if page.url == page.file.as_uri():
        page.evaluate("localStorage.clear()")
    page.goto(page.file.as_uri())
    it = opened(page.name)
    page.evaluate(CHANNEL, it.start())
    handle = page.locator(f"[role=slider][aria-label^='{TRIALS[page.name].grip}']").first
    handle.wait_for(state="attached", timeout=20_000)  # a wrong `grip` is told at once
    return page.name, it, TRIALS[page.name]


def settled(page):
    """The state that was sent to Python, once the hand rests."""
    page.clock.run_for(700)
    return page.evaluate("courseChannels[''].state")


def put(page, state):
    """Python sends a state; the one that the page then has."""
    page.evaluate(
        "state => { const channel = courseChannels['']; channel.state = state; channel.come(); }",
        state,
    )
    return settled(page)
