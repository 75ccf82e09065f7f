"""What can be reached, and moved, without a mouse that drags: by Tab, by taps, by numbers; each
challenge is met by keys alone, and by taps alone."""

import math

import pytest
from browsing import FRAMES, PHONE, violations
from instrument_pages import begin, put, settled
from instruments.parity import TRIALS, some_states
from test_live_instruments import act, taken

from course_utils import instruments

each = pytest.mark.parametrize("page", TRIALS, indirect=True, scope="module")

ACTIVE = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at == document.body ? null : at;
}"""
BOX = """element => {
  const box = (element.querySelector('.grip') ?? element).getBoundingClientRect();
  return { x: box.x - 6, y: box.y - 6, width: box.width + 12, height: box.height + 12 };
}"""
HANDLES = ".course-instrument [role=slider]"


def name_of(page, element):
    """(role, name) that the browser gives a screen reader for an element."""
    session = page.context.new_cdp_session(page)
    page.evaluate("element => { window.asked = element; }", element)
    found = session.send("Runtime.evaluate", {"expression": "asked"})["result"]["objectId"]
    nodes = session.send(
        "Accessibility.getPartialAXTree", {"objectId": found, "fetchRelatives": False}
    )["nodes"]
    session.detach()
    return [nodes[0].get(key, {}).get("value", "") for key in ("role", "name")]


def walk_by_tab(page, most=80):
    """Each element at which Tab stops, from the top of the page to its end."""
    page.evaluate("window.scrollTo(0, 0); document.activeElement.blur()")
    for _ in range(most):
        page.keyboard.press("Tab")
        at = page.evaluate_handle(ACTIVE).as_element()
        if at is None:
            return
        yield at
    raise AssertionError(f"more than {most} stops of Tab")


@each
@pytest.mark.parametrize("met", [False, True], ids=["as it opens", "challenge met"])
def test_every_stop_of_tab_has_a_name_and_is_seen(page, met):
    """Focus shows: some pixel at the element differs from what is there without focus."""
    _, _, trial = begin(page, motion="reduce")
    for one in trial.solved if met else ():
        act(page, *one)
    page.clock.run_for(700)
    nameless, unseen, stops = [], [], 0
    for at in walk_by_tab(page):
        stops += 1
        role, name = name_of(page, at)
        if not name.strip():
            nameless.append((role, at.evaluate("one => one.outerHTML.slice(0, 120)")))
        at.scroll_into_view_if_needed()
        page.evaluate(FRAMES)
        clip = at.evaluate(BOX)
        focused = page.screenshot(clip=clip)
        at.evaluate("one => one.blur()")
        page.evaluate(FRAMES)
        if page.screenshot(clip=clip) == focused:
            unseen.append((role, name))
        at.focus()
    print(f"{page.name}: {stops} stops of Tab")
    assert nameless == []
    assert unseen == []


def visible(page):
    return [i for i, handle in enumerate(page.locator(HANDLES).all()) if handle.is_visible()]


@each
def test_every_handle_goes_where_a_second_tap_says(page):
    """WCAG 2.5.7: one tap takes it, another puts it; as it opens, and from other states."""
    name, it, trial = begin(page, motion="reduce")
    stuck = []
    for state, i in [
        (state, i)
        for state in (it.start(), *some_states(trial.states)[100::100])
        if put(page, state)
        for i in visible(page)
    ]:
        put(page, state)
        handle = page.locator(HANDLES).nth(i)
        label = handle.get_attribute("aria-label")
        for dx, dy in ((40, -36), (-40, 36), (0, 60), (0, -60), (60, 0), (-60, 0), (-350, 0)):
            for held in page.locator(".held").all():  # the last tap may have met nothing
                held.focus()
                page.keyboard.press("Escape")
            start = put(page, state)
            handle.scroll_into_view_if_needed()
            box = handle.locator(".grip").bounding_box()
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            page.mouse.click(x, y)
            if not page.locator(".held").count():
                continue  # another lies above it here
            page.mouse.click(x + dx, y + dy)
            if settled(page) != start:
                break
        else:
            stuck.append((label, state))
    # its words roll by two buttons beside them, and take no tap of their own
    assert name == "NextWord" or stuck == []


@each
def test_a_tap_that_takes_says_so_and_another_or_escape_lets_go(page):
    name, _, trial = begin(page, motion="reduce")
    if name == "NextWord":
        return
    handle = page.locator(f"{HANDLES}[aria-label^='{trial.grip}']").first
    handle.focus()  # which picks a word in TokenMover
    start = settled(page)
    for let_go in (
        lambda: page.keyboard.press("Escape"),
        lambda: handle.locator(".grip").click(force=True),
    ):
        handle.locator(".grip").click(force=True)
        assert page.locator(".held").count() == 1
        assert "tap where it goes" in page.locator(".told").inner_text()
        let_go()
        assert page.locator(".held").count() == 0
    assert settled(page) == start


@each
def test_every_value_can_be_typed(page):
    """A field for each number of each handle and slider; what it says is what is drawn."""
    name, it, _ = begin(page, motion="reduce")
    button = page.get_by_role("button", name="by number")
    # Buttons turn the words of a list, and step along the machine; places of a run are pressed.
    if name in ("NextWord", "TheMap", "ThoughtMover"):
        assert not button.is_visible()
        return
    button.click()
    fields = page.get_by_role("group", name="values as numbers").get_by_role("spinbutton")
    changed, unchanged = 0, []
    for i in range(fields.count()):
        field = fields.nth(i)
        if not field.is_visible():
            continue
        page.locator(".foot button").last.click()
        start, before = settled(page), field.input_value()
        low, high = (float(field.get_attribute(end)) for end in ("min", "max"))
        for share in (0.37, 0.55, 0.8):
            field.fill(f"{low + share * (high - low):.2f}")
            field.press("Enter")
            if settled(page) != start:
                break
        label = name_of(page, field.element_handle())[1]
        if settled(page) == start or not label:
            unchanged.append((label, before))
        changed += 1
        numbers = it.compute(settled(page))
        assert page.locator(".words").inner_text() == it.describe(numbers)
    assert changed >= 1
    assert unchanged == []


def moves(page, key):
    """Press a key; whether it led to another element."""
    page.evaluate(f"window.before = ({ACTIVE})()")
    page.keyboard.press(key)
    return page.evaluate(f"({ACTIVE})() != before")


def walk_by_arrows(page, role):
    """Each place of the row of buttons or the table in which the focus is; yields at each."""
    for key in [*["ArrowUp"] * 30 * (role == "gridcell"), "Home"]:
        page.keyboard.press(key)
    yield
    while moves(page, "ArrowRight") or (
        role == "gridcell" and (page.keyboard.press("Home") or moves(page, "ArrowDown"))
    ):
        yield


def go_by_keys(page, target, most=160):
    """By Tab, once round the page at most, and by arrows."""
    target = target.element_handle()

    def there():
        return page.evaluate(f"target => ({ACTIVE})() == target", target)

    for _ in range(most):
        page.keyboard.press("Tab")
        at = page.evaluate_handle(ACTIVE).as_element()
        if there():
            return
        role = name_of(page, at)[0] if at else ""
        if role in ("button", "gridcell") and any(there() for _ in walk_by_arrows(page, role)):
            return
    raise AssertionError("no key leads there")


LIES = """one => {
  const [at, svg] = [one.querySelector('.grip'), one.ownerSVGElement].map(each => each.getBoundingClientRect());
  return [at.x + at.width / 2 - svg.x, at.y + at.height / 2 - svg.y];
}"""  # noqa: E501


def act_by_keys(page, kind, target, goal):
    go_by_keys(page, target)
    if kind == "set":
        step = float(target.get_attribute("step"))
        while steps := round((goal - float(target.input_value())) / step):
            for _ in range(abs(steps)):
                page.keyboard.press("ArrowUp" if steps > 0 else "ArrowDown")
    elif kind == "drag":
        here = target.evaluate(LIES)
        for axis, ways in ((0, ("ArrowLeft", "ArrowRight")), (1, ("ArrowUp", "ArrowDown"))):
            key, back = ways if goal[axis] < here[axis] else ways[::-1]
            before = None
            while here != before and abs(here[axis] - goal[axis]) > 1:
                before = here
                page.keyboard.press(key)
                page.clock.run_for(60)
                here = target.evaluate(LIES)
                if math.dist(here, goal) > math.dist(before, goal):
                    page.keyboard.press(back)
                    break
    elif kind != "pick":
        page.keyboard.press("ArrowLeft" if kind == "roll" else "Enter")


def tap(page, x, y):
    touch = page.context.new_cdp_session(page)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.clock.run_for(60)
    if page.locator(".near:not([hidden])").count():  # what lies round it, larger
        page.evaluate_handle(ACTIVE).as_element().tap(force=True)
    touch.detach()


def centre(page, target):
    target.evaluate("one => one.scrollIntoView({ block: 'center' })")
    box = target.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def act_by_taps(page, kind, target, goal):
    if kind == "set":
        x, y = centre(page, target)
        low, high = (float(target.get_attribute(end)) for end in ("min", "max"))
        share = (goal - low) / (high - low) - 0.5
        length = target.bounding_box()["width"] - 16  # between the middles of the thumb
        tap(page, x + length * share * (-1 if target.get_attribute("dir") == "rtl" else 1), y)
        if float(target.input_value()) != goal:  # finer than a finger
            tap(page, *centre(page, page.get_by_role("button", name="by number")))
            values = page.get_by_role("group", name="values as numbers")
            name = name_of(page, target.element_handle())[1]
            field = values.get_by_role("spinbutton", name=name)
            field.fill(f"{goal}")
            field.press("Enter")
    elif kind == "roll":
        tap(page, *centre(page, target))
        tap(page, *centre(page, page.locator("svg [aria-hidden][style*=pointer]").first))
    elif kind == "drag":
        start, aim = target.evaluate(LIES), goal
        for aside in (0, 30, -30, 60, -60):  # where another part lies, a tap would take that
            grip = centre(page, target.locator(".grip"))
            tap(page, *grip)
            if math.dist(target.evaluate(LIES), goal) < 8:  # a tap so near lets it go
                tap(page, grip[0] + 40, grip[1])
                grip = centre(page, target.locator(".grip"))
                tap(page, *grip)
            here = target.evaluate(LIES)
            there = [
                at - lies + to + aside * (abs(end - begun) < 1)
                for at, lies, to, end, begun in zip(grip, here, aim, goal, start, strict=True)
            ]
            tap(page, *there)
            if page.locator(".held").count():
                tap(page, *grip)
                continue
            off = [to - at for to, at in zip(goal, target.evaluate(LIES), strict=True)]
            if math.hypot(*off) < 1.5:
                break
            # a part need not lie with its middle where it was put
            aim = [to + by for to, by in zip(aim, off, strict=True)]
    else:
        tap(page, *centre(page, target.locator(".grip") if kind == "pick" else target))


def steps_of(page, trial):
    """How a mouse meets the challenge: (kind, what it is done to, where that is then)."""
    for kind, *what in trial.solved:
        if kind in ("drag", "pick", "roll"):
            target = taken(page, what[0])
        elif kind == "cell":
            target = page.get_by_role("gridcell").nth(what[0])
        else:
            role = {"press": "button", "set": "slider"}[kind]
            target = page.get_by_role(role, name=what[0], exact=True)
        act(page, kind, *what)
        settled(page)
        yield kind, target, target.evaluate(LIES) if kind == "drag" else what[-1]


@each
@pytest.mark.parametrize("hand", [act_by_keys, act_by_taps])
def test_its_challenge_is_met_by_keys_alone_and_by_taps_alone(page, hand):
    _, it, trial = begin(page, motion="reduce")
    steps = list(steps_of(page, trial))
    if hand == act_by_keys:  # on its way Tab picks others
        steps.sort(key=lambda step: step[0] == "pick")
    begin(page, motion="reduce")
    settled(page)
    for step in steps:
        hand(page, *step)
        state = settled(page)
    assert it.met(it.compute(state))


SMALL = [name for name in TRIALS if getattr(instruments, name).small_places]
# of each instrument with small places: the picture in which they lie, and one of them, in its units
PLACES = {
    "TokenExplorer": (1, (219, 264)),
    "HeadBoard": (0, (300, 180)),
    "ThoughtMover": (0, (300, 200)),
}
NEAR = ["target-size", "label-content-name-mismatch", "button-name", "color-contrast"]
TARGETS = """() => {
  const root = document.querySelector('.course-instrument').shadowRoot, box = one => one.getBoundingClientRect();
  const near = [...root.querySelectorAll('.near:not([hidden]) button')];
  const grips = [...root.querySelectorAll('[role=slider] .grip')].filter(one => one.getClientRects().length);
  return [near, grips].map(all => all.map(one => Math.min(box(one).width, box(one).height)));
}"""  # noqa: E501
POINT = """([svg, x, y]) => {
  const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
  return [at.x, at.y];
}"""


@pytest.mark.parametrize("page", SMALL, indirect=True, scope="module")
def test_on_a_phone_places_are_chosen_by_targets_of_24_pixels(page, axe):
    """WCAG 2.5.8: a tap shows what lies round it as buttons, a second tap chooses one of them. The
    handle is as large."""
    begin(page, PHONE, motion="reduce")
    if page.name == "TokenExplorer":
        page.get_by_role("button", name="look inside the model").click()
    start = settled(page)
    number, (x, y) = PLACES[page.name]
    picture = page.locator(".stage > svg").nth(number)
    picture.scroll_into_view_if_needed()
    point = page.evaluate(POINT, [picture.element_handle(), x, y])

    page.mouse.click(*point)
    buttons, grips = page.evaluate(TARGETS)
    print(f"{page.name}: buttons {min(buttons):.1f} px, handles {min(grips):.1f} px")
    assert len(buttons) >= 45
    assert min(buttons + grips) >= 24
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert settled(page) == start, "one tap only shows"
    assert violations(page, *NEAR) == []

    page.keyboard.press("Escape")
    assert page.evaluate(TARGETS)[0] == []
    page.mouse.click(*point)
    chosen = page.locator(".near:not([hidden]) button").nth(12)
    name = chosen.get_attribute("aria-label")
    chosen.click()
    assert page.evaluate(TARGETS)[0] == []
    state = settled(page)
    assert state != start

    page.mouse.click(*point)
    assert (
        page.locator(".near:not([hidden]) [aria-pressed=true]").get_attribute("aria-label") == name
    )


@pytest.mark.parametrize("page", SMALL, indirect=True, scope="module")
def test_a_mouse_with_room_chooses_a_place_at_once(page):
    begin(page, motion="reduce")
    if page.name == "TokenExplorer":
        page.get_by_role("button", name="look inside the model").click()
    start = settled(page)
    number, (x, y) = PLACES[page.name]
    picture = page.locator(".stage > svg").nth(number).element_handle()
    picture.scroll_into_view_if_needed()
    page.mouse.click(*page.evaluate(POINT, [picture, x, y]))
    assert page.evaluate(TARGETS)[0] == []
    assert settled(page) != start


@pytest.mark.parametrize("page", ["TokenMover"], indirect=True, scope="module")
def test_cells_that_are_not_shown_are_not_read(page):
    """Chromium keeps named parts of a drawing for a screen reader although none is displayed."""
    begin(page, motion="reduce")
    page.get_by_role("button", name="bears pain").click()
    settled(page)
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    cells = [
        node["name"]["value"]
        for node in nodes
        if not node["ignored"] and node["role"]["value"] == "gridcell"
    ]
    assert len(cells) == 4
    assert not any("game" in name or "won" in name for name in cells)
