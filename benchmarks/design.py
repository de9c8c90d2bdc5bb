"""How soon the design page answers: Chromium, real strokes and keys, until the picture is on screen.

    python -m benchmarks.design [ROUNDS]

For each example whose count takes less than QUICK_S in a warm process: a cell is taken away and put back
(packings), or a number is given and taken away (grids). Printed are the median and the 95th percentile of
milliseconds until the total is on screen. Then, for examples that take longer, until the first estimate; and
how soon the page has drawn a key again while a search without end runs.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from playwright.sync_api import TimeoutError as NoAnswer
from tests.design.hands import board, stroke
from tests.gallery.chromium import serving

import rekkyo as rk
from rekkyo.designer.drawn import drawn

ROOT = Path(__file__).parents[1]
QUICK_S = 0.05
TOTAL = ("total", "count")
CHROMIUM = "/usr/bin/chromium"
LONG_GRID = """kind = "grid"
values = "1..9"
board = "rectangle 9 9"
[[different]]
regions = ["rows", "columns", "boxes 3x3"]
"""


def measured(page: Page, stages: Sequence[str], seconds: float = 10) -> float:
    """Milliseconds until the first of these stages of the newest question."""
    wanted = ", ".join(f"html[data-{stage}]" for stage in stages)
    page.wait_for_selector(wanted, state="attached", timeout=1000 * seconds)
    told = [page.locator("html").get_attribute(f"data-{stage}") for stage in stages]
    return min(float(one) for one in told if one is not None)


def quick_examples() -> list[tuple[Path, rk.Puzzle]]:
    found = []
    for path in sorted((ROOT / "examples").glob("*.toml")):
        text = path.read_text("utf-8")
        if "[family]" in text or drawn(text)["kind"] not in ("packing", "grid"):
            continue
        puzzle = rk.puzzle_from_file(path)
        if rk.estimate(puzzle, seconds=0.1, draws=2).seconds.value > 2:
            continue
        rk.count(puzzle)
        started = time.perf_counter()
        rk.count(puzzle)
        if time.perf_counter() - started < QUICK_S:
            found.append((path, puzzle))
    return found


def strokes(page: Page, puzzle: rk.Puzzle, rounds: int) -> list[float]:
    """Latencies of so many strokes after each of which there is a puzzle."""
    times = []
    if isinstance(puzzle.model, rk.Csp):
        free = page.locator("#board g:not(:has(.mark)) .cell.there").last
        at = [int(part) for part in (free.get_attribute("data-at") or "").split(",")]
        row = next(iter(rk.solve(puzzle)))
        names = [puzzle.model.names[v] for v in puzzle.model.solution]
        digit = puzzle.symbols[row[names.index(f"{at[1]},{at[2]}")]]
        stroke(page, board(page), [at])
        for turn in range(rounds):
            page.keyboard.press(digit if turn % 2 == 0 else "Delete")
            times.append(measured(page, TOTAL))
    else:
        mark = page.locator("#board .cell.there").first.get_attribute("data-at") or ""
        at = [int(part) for part in mark.split(",")]
        for _ in range(rounds):
            stroke(page, board(page), [at])
            stroke(page, board(page), [at])
            times.append(measured(page, TOTAL))
    return times


def open_text(page: Page, address: str, text: str) -> None:
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    page.locator("#editor .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def shown(name: str, times: list[float]) -> None:
    ordered = sorted(times)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    print(
        f"{name:32} median {statistics.median(times):7.0f} ms   p95 {p95:7.0f} ms   {len(times)} times",
        flush=True,
    )


def main(rounds: int) -> None:
    with sync_playwright() as playwright, serving(command="design") as address:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1500, "height": 1000})
        everything: list[float] = []
        for path, puzzle in quick_examples():
            open_text(page, address, path.read_text("utf-8"))
            try:
                measured(page, ["count"])
                times = strokes(page, puzzle, rounds)
            except (StopIteration, ValueError, NoAnswer) as problem:
                print(f"{path.stem:32} left out: {type(problem).__name__}")
                continue
            everything += times
            shown(path.stem, times)
        shown("all of these", everything)
        for name in ("conway-5x5x5", "polyspheres-5x11", "edge-matching"):
            open_text(page, address, (ROOT / "examples" / f"{name}.toml").read_text("utf-8"))
            shown(f"{name}: estimate", [measured(page, ["estimate", *TOTAL], 120)])
        open_text(page, address, 'kind = "queens"\nn = 21\n')
        shown("queens 21: estimate", [measured(page, ["estimate", *TOTAL], 120)])
        open_text(page, address, LONG_GRID)
        page.wait_for_timeout(3000)
        times = []
        stroke(page, board(page), [[0, 4, 4]])
        for turn in range(rounds):
            page.wait_for_timeout(700)
            page.keyboard.press("5" if turn % 2 == 0 else "Delete")
            times.append(measured(page, ["painted"]))
        shown("empty sudoku runs: key drawn", times)
        browser.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
