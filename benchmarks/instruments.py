"""How quickly the instruments follow a hand: each beside the same numbers under plain
`ipywidgets.interact`, in JupyterLab.

    pip install -r requirements-test.txt playwright
    python benchmarks/instruments.py [NAME ...]      about half a minute each; Debian's chromium, or
    first: playwright install chromium

It starts a JupyterLab of its own with temporary notebooks and a Chromium without a window. A mouse
takes the part of the instrument that its trial names (tests/instruments), and the handle of
interact's slider, and drags both to and fro. interact draws what a notebook would without
instruments: the same compute, its bars by matplotlib, its words as the title.

  idle, busy   pictures a move: new pictures on the screen for each move of the mouse that the page
  saw, while the kernel rests, and while it
               runs time.sleep; 1 is every one. For interact: for each change of its slider
  ms           from the first move that is not drawn yet to the next picture, while the kernel rests

Medians of the rounds; instrument and interact take turns, so whatever else the computer does meets
both alike.
"""

import contextlib
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import nbformat
from playwright.sync_api import Error, sync_playwright

TESTS = Path(__file__).resolve().parents[1] / "tests"
sys.path[0] = str(TESTS)  # instead of this folder, whose instruments.py is this file
from instruments.parity import TRIALS  # noqa: E402

ROUNDS = 3
MOVES = 40  # moves of a drag, about
GRACE = 500  # ms after a drag in which its last picture may still come

# What interact slides: where in the state its number stands, and from where to where it goes.
SLIDES = {
    "TheMap": (["stage"], 0, 12),
    "ScoreSlider": (["scores", 1], -3.0, 3.0),
    "TokenMover": (["moved", 0, 0], -2.0, 2.0),
    "QueryExplorer": (["q", 0], -1.0, 3.0),
    "SoftmaxSharpening": (["temperature"], 0.1, 8.0),
    "NormExplorer": (["shift"], -2.0, 2.0),
    "DecodingTree": (["temperature"], 0.1, 3.0),
    "GradientFlow": (["push"], -2.0, 2.0),
    "NextWord": (["lit", 1], 0, 5),
    "MaskExplorer": (["pain"], 0.0, 1.0),
    "HeadExplorer": (["mix"], 0.0, 1.0),
    "SinusoidFrequencies": (["i"], 0, 60),
    "LayerWalk": (["layer"], 0.0, 6.0),
    "GateExplorer": (["temperature"], 0.1, 8.0),
    "TurningArrows": (["speed"], 0.0, 1.0),
    "TokenCutter": (["n"], 0, 40),
    "HeadBoard": (["silent"], -1, 269),
    "RewardLeash": (["leash"], 0.2, 4.0),
    "ThoughtMover": (["block"], 0, 30),
    "TokenExplorer": (["block"], 0, 30),
}

INSTRUMENT = """\
import sys
sys.path.insert(0, {tests!r})
from instruments.parity import TRIALS, opened
it = opened({name!r})
it"""
INTERACT = """\
import copy
import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import interact
def show(x):
    state = copy.deepcopy(it.start())
    inside = state
    for key in {path!r}[:-1]:
        inside = inside[key]
    inside[{path!r}[-1]] = x
    numbers = it.compute(state)
    heights = np.ravel(TRIALS[{name!r}].shown(numbers)).astype(float)
    plt.figure(figsize=(8, 4))
    plt.bar(range(len(heights)), heights)
    plt.title(it.describe(numbers), fontsize=8, wrap=True)
    plt.show()
interact(show, x=({low!r}, {high!r}));"""

# Counts moves of the mouse that the page saw, and pictures that came of them. A picture is on the
# screen in the frame after it was drawn.
# An instrument draws within a frame, so what its root changes there is one picture.
WATCH_INSTRUMENT = """() => {
  const root = document.querySelector('.course-instrument').shadowRoot, watch = window.instrumentWatch = { moves: 0, times: [] };
  let moved, drawn;
  root.addEventListener('pointermove', event => { if (event.buttons) { watch.moves++; moved ??= event.timeStamp; } }, true);
  new MutationObserver(() => {
    if (moved == null || drawn) return;
    drawn = true;
    const since = moved;
    moved = null;
    requestAnimationFrame(() => { drawn = false; watch.times.push(performance.now() - since); });
  }).observe(root.querySelector('.stage'), { subtree: true, childList: true, attributes: true, characterData: true });
}"""  # noqa: E501
WATCH_INTERACT = """() => {
  const cell = jupyterapp.shell.currentWidget.content.widgets[1].node, handle = cell.querySelector('.noUi-handle');
  const picture = () => [...cell.querySelectorAll('.jp-OutputArea img')].find(img => img.offsetParent);
  const watch = window.interactWatch = { moves: 0, times: [] };
  let value = handle.ariaValueNow, src = picture().src, moved;
  cell.addEventListener('mousemove', event => { if (event.buttons) moved ??= event.timeStamp; }, true);
  new MutationObserver(async () => {
    if (handle.ariaValueNow !== value) { value = handle.ariaValueNow; watch.moves++; }
    const img = picture();
    if (!img || img.src === src) return;
    src = img.src;
    try { await img.decode(); } catch { return; }          // replaced before it was decoded
    const since = moved;
    moved = null;
    requestAnimationFrame(() => { if (img === picture() && since) watch.times.push(performance.now() - since); });
  }).observe(cell, { subtree: true, childList: true, attributes: true, characterData: true });
}"""  # noqa: E501
FORGET = "watch => Object.assign(window[watch], { moves: 0, times: [] })"
KERNEL = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel"


@contextlib.contextmanager
def jupyterlab(folder):
    """Serve folder/notebooks from a JupyterLab without the user's settings; gives its address."""
    settings = {
        "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
        "notebook-extension/tracker": {"windowingMode": "none"},
    }
    for name, value in settings.items():
        file = folder / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(value))
    own = {
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "IPYTHONDIR": "ipython",
    }
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "jupyterlab",
            "--no-browser",
            "--allow-root",
            f"--ServerApp.root_dir={folder / 'notebooks'}",
            "--ServerApp.ip=127.0.0.1",
            f"--ServerApp.port={port}",
            "--ServerApp.port_retries=0",
            "--IdentityProvider.token=",
            "--LabApp.expose_app_in_browser=True",
            "--LabApp.extension_manager=readonly",
        ],
        env={**os.environ, **{name: str(folder / value) for name, value in own.items()}},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def wait_for_server(page, url):
    for _ in range(600):
        with contextlib.suppress(OSError):
            return urllib.request.urlopen(f"{url}/api", timeout=2).close()
        page.wait_for_timeout(100)
    raise TimeoutError("JupyterLab did not start")


def wait_for_kernel(page, status="idle"):
    page.wait_for_function(f"status => {KERNEL}?.status === status", arg=status, timeout=60_000)


def open_and_run(page, url, notebook):
    """Open a notebook and run its cells until instrument, slider and picture stand."""
    page.goto(f"{url}/lab/tree/{notebook}?reset", wait_until="domcontentloaded")
    wait_for_kernel(page)
    for _ in range(5):
        page.wait_for_timeout(1500)  # sooner, "run all" silently does nothing
        page.evaluate("() => { jupyterapp.commands.execute('notebook:run-all-cells'); }")
        with contextlib.suppress(Error):
            page.wait_for_selector(".course-instrument", state="attached", timeout=60_000)
            page.wait_for_selector(".jp-OutputArea img", timeout=60_000)
            wait_for_kernel(page)
            page.wait_for_timeout(1500)
            return
    raise TimeoutError(f"{notebook} did not run")


def centre(grip):
    grip.scroll_into_view_if_needed()
    box = grip.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def straight(dx, dy, steps=10):
    """Places on a straight way, each from where it begins."""
    return [(dx * i / steps, dy * i / steps) for i in range(steps + 1)]


def way_of(page, name, grip):
    """Where the part is dragged, each place from where it is. A part that knows steps is dragged
    from step to step, for no other move draws."""
    unit = grip.evaluate("grip => grip.ownerSVGElement.getScreenCTM().a")
    if name == "NextWord":
        return straight(-28 * 3 * unit, 0, 3)  # a word every 28 units
    if name != "TheMap":
        return straight(*(unit * way for way in TRIALS[name].drag))
    x, y = centre(grip)
    places = [(0, 0)]
    grip.locator("xpath=..").focus()
    for _ in range(12):
        page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(100)
        u, v = centre(grip)
        places.append((u - x, v - y))
    page.keyboard.press("End")
    page.wait_for_timeout(1000)
    return places


def drag(page, watch, grip, way):
    """(pictures a move, ms from move to picture) of a drag of a handle along a way, to and fro."""
    x, y = centre(grip)
    page.evaluate(FORGET, watch)
    page.mouse.move(x, y)
    page.mouse.down()
    there_and_back = [*way[1:], *way[-2::-1]]
    for dx, dy in there_and_back * round(MOVES / len(there_and_back)):
        page.mouse.move(x + dx, y + dy)
    page.mouse.up()
    page.wait_for_timeout(GRACE)
    seen = page.evaluate("watch => window[watch]", watch)
    return len(seen["times"]) / seen["moves"], seen["times"]


def measure(page, name):
    """For the instrument and for interact: medians of pictures a move, idle and busy, and of ms."""
    page.evaluate(WATCH_INSTRUMENT)
    page.evaluate(WATCH_INTERACT)
    ours = page.locator(
        f".course-instrument [role=slider][aria-label^='{TRIALS[name].grip}']"
    ).first.locator(".grip")
    track = page.locator(".noUi-base").bounding_box()
    handle = page.locator(".noUi-handle")
    middle = handle.bounding_box()["x"] < track["x"] + track["width"] / 2
    both = [
        ("instrumentWatch", ours, way_of(page, name, ours)),
        ("interactWatch", handle, straight((1 if middle else -1) * track["width"] * 0.45, 0)),
    ]
    results = [{"idle": [], "busy": [], "ms": []} for _ in both]
    for _ in range(ROUNDS):
        for one, result in zip(both, results, strict=True):
            pictures, times = drag(page, *one)
            result["idle"].append(pictures)
            result["ms"] += times
            wait_for_kernel(page)
            page.evaluate(
                f"() => {{ {KERNEL}.requestExecute({{code: 'import time; time.sleep(600)'}}); }}"
            )
            wait_for_kernel(page, "busy")
            result["busy"].append(drag(page, *one)[0])
            page.evaluate(f"() => {KERNEL}.interrupt()")
            wait_for_kernel(page)
            page.wait_for_timeout(
                2 * GRACE
            )  # what waited for the kernel comes now, and counts no more
    return [
        {
            what: statistics.median(values) if values else float("nan")
            for what, values in result.items()
        }
        for result in results
    ]


def write(name, folder):
    path, low, high = SLIDES[name]
    sources = [
        INSTRUMENT.format(name=name, tests=str(TESTS)),
        INTERACT.format(name=name, path=path, low=low, high=high),
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)"}}
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), folder / f"{name}.ipynb")


def main():
    names = sys.argv[1:] or list(SLIDES)
    chromium = next(
        filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        notebooks = Path(folder) / "notebooks"
        notebooks.mkdir()
        for name in names:
            write(name, notebooks)
        with jupyterlab(Path(folder)) as url:
            browser = playwright.chromium.launch(
                executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
            )
            page = browser.new_page(viewport={"width": 1280, "height": 1600})
            wait_for_server(page, url)
            print(
                f"{'':20}"
                + "".join(f"{what:>8}{'interact':>10}" for what in ("idle", "busy", "ms"))
            )
            for name in names:
                open_and_run(page, url, f"{name}.ipynb")
                ours, theirs = measure(page, name)
                print(
                    f"{name:20}"
                    + "".join(f"{ours[what]:8.2f}{theirs[what]:10.2f}" for what in ("idle", "busy"))
                    + f"{ours['ms']:8.0f}{theirs['ms']:10.0f}",
                    flush=True,
                )
                page.evaluate("() => jupyterapp.shell.currentWidget.sessionContext.shutdown()")
            browser.close()


if __name__ == "__main__":
    main()
