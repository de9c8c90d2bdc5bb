"""How long a reader of the gallery waits, on a run of 13 million rows: dominoes 8 8. Needs Chromium.

    python benchmarks/gallery.py [FOLDER]     a run to use, or where to keep one

Each figure is the median of 5, each on a server that was just started, with what was asked before forgotten.
"""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import rekkyo as rk

REPEATS = 5
QUESTIONS = {
    "filter by placement": "rows?where=a0",
    "filter by three placements": "rows?where=a20_!a40_a60",
    "heat map of all": "heat?",
    "heat map of a filter": "heat?where=a20_a60",
    "images of a solution": "solution/6000000/images?",
    "one of each orbit": "rows?only=representatives",
    "symmetric ones": "rows?only=symmetric",
}

WHEN_DRAWN = """
new MutationObserver((_, observer) => {
  if (!document.querySelector(".card svg")) return;
  observer.disconnect();
  requestAnimationFrame(() => { globalThis.firstDrawn = performance.now(); });
}).observe(document, { childList: true, subtree: true });
"""


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a gallery that was just started."""
    command = [sys.executable, "-m", "rekkyo", "gallery", str(folder), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        match = re.search(r"http://\S+/", server.stderr.readline())
        assert match
        yield match[0]
        server.terminate()


def seconds_of(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def answered(address: str) -> None:
    """Ask until the answer is whole, as the page does; the status, meanwhile asked for, never waits."""
    while "scanned" in json.load(urlopen(address)):
        pass


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()) / "dominoes-8-8"
    if not folder.exists():
        rk.run(rk.puzzle("dominoes 8 8"), folder)
    for name, query in QUESTIONS.items():
        cold, again = [], []
        for _ in range(REPEATS):
            with serving(folder) as at:
                cold.append(seconds_of(lambda: answered(f"{at}api/{query}")))  # noqa: B023
                again.append(seconds_of(lambda: answered(f"{at}api/{query}")))  # noqa: B023
        print(
            f"{name:28} {statistics.median(cold):7.3f} s, again {statistics.median(again):6.3f} s", flush=True
        )
    first_solution(folder)


def first_solution(folder: Path) -> None:
    """From the request of the page until the first drawing is there; and what was sent for it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, serving(folder) as at:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        seconds, n_bytes = [], 0
        for _ in range(REPEATS):
            page = browser.new_context().new_page()
            page.add_init_script(WHEN_DRAWN)
            sizes: list[int] = []
            page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))  # noqa: B023
            page.goto(at, wait_until="commit")
            page.wait_for_selector(".card svg")
            page.wait_for_selector("html[data-ready]")
            seconds.append(page.evaluate("firstDrawn") / 1000)
            n_bytes = sum(sizes)
            page.context.close()
        print(f"{'first solution visible':28} {statistics.median(seconds):7.3f} s, {n_bytes:,} bytes sent")


if __name__ == "__main__":
    main()
