"""How quickly the widgets follow a hand: each one beside the same picture under plain `ipywidgets.interact`, in JupyterLab.

    pip install -r benchmarks/requirements.txt
    python benchmarks/widgets.py            about a minute a widget; Debian's chromium, or first: playwright install chromium

It starts a JupyterLab of its own with temporary notebooks and a Chromium without a window, and works the last slider.

  step    times faster than interact: from the key that moves the slider by one value to the new picture on the screen
  frames  times as many pictures a second as interact while the mouse drags the slider from end to end and back
  idle    pictures a move: new pictures on the screen for each change of the slider's value during the drag; 1 is every one
  busy    the same while the kernel runs time.sleep; a recent JupyterLab and ipykernel still answer interact then (subshells)

Ratios of medians; the widget and interact take turns, so whatever else the computer does meets both alike.
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

from course_utils.widgets import WIDGETS

ROUNDS = 3
STEPS = 8                # single steps a round
MOVES = 40               # moves of a drag, at least
GRACE = 500              # ms after a drag in which its last picture may still come

WIDGET = "from course_utils.widgets import {name}\n{name}()"
INTERACT = """\
import matplotlib.pyplot as plt
from ipywidgets import interact
def show(**chosen):
    setting = [control.values[i] for control, i in zip({name}.controls, chosen.values())]
    {name}.draw({name}.prepare(plt.figure(figsize={name}.size)), {name}.compute(*setting))
    plt.show()
interact(show, **{{f"control_{{i}}": control.make() for i, control in enumerate({name}.controls)}});"""

# Watches one cell: when the last input came, when each new picture was on the screen, how often the slider's value changed.
WATCH = """i => {
  const cell = jupyterapp.shell.currentWidget.content.widgets[i].node;
  const handle = [...cell.querySelectorAll('.noUi-handle')].pop();
  const picture = () => [...cell.querySelectorAll('.jp-OutputArea img')].find(img => img.offsetParent);
  const watch = {input: 0, painted: [], moves: 0};
  (window.watches ??= [])[i] = watch;
  let value = handle.ariaValueNow, src = picture().src;
  handle.addEventListener('keydown', event => { watch.input = event.timeStamp; }, true);
  new MutationObserver(async () => {
    if (handle.ariaValueNow !== value) { value = handle.ariaValueNow; watch.moves += 1; }
    const img = picture();
    if (!img || img.src === src) return;
    src = img.src;
    try { await img.decode(); } catch { return; }          // replaced before it was decoded
    requestAnimationFrame(() => { if (img === picture()) watch.painted.push(performance.now()); });
  }).observe(cell, {subtree: true, childList: true, attributes: true, characterData: true});
}"""
FORGET = "i => Object.assign(watches[i], {painted: [], moves: 0})"
KERNEL = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel"


@contextlib.contextmanager
def jupyterlab(folder):
    """Serve folder/notebooks from a JupyterLab without the user's settings; gives its address."""
    settings = {"apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
                "notebook-extension/tracker": {"windowingMode": "none"}}
    for name, value in settings.items():
        file = folder / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(value))
    own = {"JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces", "JUPYTER_CONFIG_DIR": "config",
           "JUPYTER_RUNTIME_DIR": "runtime", "IPYTHONDIR": "ipython"}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--ServerApp.root_dir={folder / 'notebooks'}",
         "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token=",
         "--LabApp.expose_app_in_browser=True", "--LabApp.extension_manager=readonly"],
        env={**os.environ, **{name: str(folder / value) for name, value in own.items()}},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
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
    """Open a notebook and run its cells until every one shows a picture and a slider."""
    page.goto(f"{url}/lab/tree/{notebook}?reset", wait_until="domcontentloaded")
    wait_for_kernel(page)
    for _ in range(5):
        page.wait_for_timeout(1500)                        # sooner, "run all" silently does nothing
        page.evaluate("() => { jupyterapp.commands.execute('notebook:run-all-cells'); }")
        with contextlib.suppress(Error):
            page.wait_for_function("""() => jupyterapp.shell.currentWidget.content.widgets.every(
                cell => cell.node.querySelector('.jp-OutputArea img') && cell.node.querySelector('.noUi-handle'))""", timeout=20_000)
            wait_for_kernel(page)
            page.wait_for_timeout(1500)
            return
    raise TimeoutError(f"{notebook} did not run")


def sweep(start, n_values):
    """The positions that a slider passes from start to its right end, to its left end, and so on."""
    position, direction = start, 1
    while True:
        if not 0 <= position + direction < n_values:
            direction = -direction
        position += direction
        yield position


class Slider:
    """The last slider of a cell, worked by key and by mouse."""

    def __init__(self, page, cell):
        self.page, self.cell = page, cell
        self.handle = page.locator(".jp-Notebook .jp-CodeCell").nth(cell).locator(".noUi-handle").last
        page.evaluate(WATCH, cell)

    def value(self):
        return round(float(self.handle.get_attribute("aria-valuenow")))

    def n_values(self):
        return 1 + round(float(self.handle.get_attribute("aria-valuemax")))

    def watch(self):
        return self.page.evaluate("i => watches[i]", self.cell)

    def steps(self):
        """Milliseconds from key to picture, for single steps."""
        times, position = [], self.value()
        self.handle.focus()
        for _, target in zip(range(STEPS), sweep(position, self.n_values()), strict=False):
            self.page.evaluate(FORGET, self.cell)
            self.page.keyboard.press("ArrowRight" if target > position else "ArrowLeft")
            self.page.wait_for_function("i => watches[i].painted.length", arg=self.cell)
            watch = self.watch()
            times.append(watch["painted"][0] - watch["input"])
            position = target
            wait_for_kernel(self.page)
            self.page.wait_for_timeout(100)
        return times

    def drag(self):
        """(pictures a move, pictures a second) of a drag over all values, back and forth."""
        self.handle.scroll_into_view_if_needed()
        n, track = self.n_values(), self.handle.locator("xpath=ancestor::*[contains(@class, 'noUi-base')]").bounding_box()
        box = self.handle.bounding_box()
        y = box["y"] + box["height"] / 2
        self.page.evaluate(FORGET, self.cell)
        self.page.mouse.move(box["x"] + box["width"] / 2, y)
        self.page.mouse.down()
        start = self.page.evaluate("performance.now()")
        for _, position in zip(range(MOVES), sweep(self.value(), n), strict=False):
            self.page.mouse.move(track["x"] + track["width"] * position / (n - 1), y)
        self.page.mouse.up()
        seconds = (self.page.evaluate("performance.now()") - start) / 1000
        self.page.wait_for_timeout(GRACE)
        watch = self.watch()
        return len(watch["painted"]) / watch["moves"], len(watch["painted"]) / seconds


def measure(page):
    """For the widget and for interact: medians of the time of a step, pictures a second, pictures a move idle and busy."""
    sliders = [Slider(page, cell) for cell in (0, 1)]
    results = [{"step": [], "frames": [], "idle": [], "busy": []} for _ in sliders]
    for _ in range(ROUNDS):
        for slider, result in zip(sliders, results, strict=True):
            result["step"] += slider.steps()
            a_move, a_second = slider.drag()
            result["idle"].append(a_move)
            result["frames"].append(a_second)
            wait_for_kernel(page)
            page.evaluate(f"() => {{ {KERNEL}.requestExecute({{code: 'import time; time.sleep(600)'}}); }}")
            wait_for_kernel(page, "busy")
            result["busy"].append(slider.drag()[0])
            page.evaluate(f"() => {KERNEL}.interrupt()")
            wait_for_kernel(page)
            page.wait_for_timeout(2 * GRACE)               # what waited for the kernel comes now, and counts no more
    return [{name: statistics.median(values) for name, values in result.items()} for result in results]


def main():
    chromium = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        notebooks = Path(folder) / "notebooks"
        notebooks.mkdir()
        for widget in WIDGETS:
            cells = [nbformat.v4.new_code_cell(code.format(name=widget.__name__)) for code in (WIDGET, INTERACT)]
            kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)"}}
            nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), notebooks / f"{widget.__name__}.ipynb")
        with jupyterlab(Path(folder)) as url:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(viewport={"width": 1280, "height": 1600})
            wait_for_server(page, url)
            print(f"{'':20}{'step':>8}{'frames':>8}{'idle':>8}{'interact':>10}{'busy':>8}{'interact':>10}")
            for widget in WIDGETS:
                open_and_run(page, url, f"{widget.__name__}.ipynb")
                ours, theirs = measure(page)
                step, frames = f"{theirs['step'] / ours['step']:.1f}x", f"{ours['frames'] / theirs['frames']:.1f}x"
                print(f"{widget.__name__:20}{step:>8}{frames:>8}{ours['idle']:>8.2f}{theirs['idle']:>10.2f}"
                      f"{ours['busy']:>8.2f}{theirs['busy']:>10.2f}", flush=True)
                page.evaluate("() => jupyterapp.shell.currentWidget.sessionContext.shutdown()")
            browser.close()


if __name__ == "__main__":
    main()
