"""Screenshots of the pages, as a reader sees them. Needs Chromium and the extra `test`:

    python docs/pictures/screenshots.py [FOLDER]

They are made by hand when a page has changed: fonts differ from machine to machine, so no test compares them.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).resolve().parent
SIZE = {"width": 1100, "height": 640}


@contextmanager
def served(*words: str) -> Iterator[str]:
    """The address of a page that a command serves."""
    command = [sys.executable, "-m", "rekkyo", *words, "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        said = next(line for line in server.stderr if "http://" in line)
        try:
            yield next(word for word in said.split() if word.startswith("http://"))
        finally:
            server.terminate()


def gallery_board(page: Page) -> None:
    """One of each orbit of pentominoes 6 10, with a condition, and where the piece X lies."""
    with served("gallery", "pentominoes", "6", "10") as address:
        page.goto(f"{address}?only=representatives&board=9&where=7.11&size=190")
        page.wait_for_selector("html[data-ready]")
        page.locator("#heat-said").filter(has_text="Shaded").wait_for()


def gallery_solid(page: Page) -> None:
    """A solution of the Soma cube, pulled apart."""
    with served("gallery", "soma") as address:
        page.goto(f"{address}?open=3&turned=yes")
        page.locator("#body-said").filter(has_text="straight line").wait_for()
        page.get_by_label("Apart").fill("45")


def design_heart(page: Page) -> None:
    """A heart for the twelve pentominoes, with a hole of three cells, while it is designed."""
    with served("design", str(HERE / "heart.toml")) as address:
        page.goto(address)
        page.locator("#count").filter(has_text="total 4, unique 2").wait_for()
        page.click('[data-help="clues"]')
        page.locator("#smallest").wait_for()
        _ready_for_its_picture(page)


def design_given(page: Page) -> None:
    """The same heart with a piece that is given, and one solution."""
    with served("design", str(HERE / "heart.toml")) as address:
        page.goto(address)
        page.locator("#count").filter(has_text="total 4, unique 2").wait_for()
        page.click('[data-help="clues"]')
        page.get_by_role("button", name="Give piece T on 0,1 0,2 0,3 1,2 2,2").click()
        page.locator("#count").filter(has_text="total 1, unique 1").wait_for()
        page.click('[data-help="difficulty"]')
        page.get_by_text("Watch the search").wait_for()
        _ready_for_its_picture(page)


def _ready_for_its_picture(page: Page) -> None:
    """From the top, and without the line that says that the server has ended."""
    page.set_viewport_size({"width": 1250, "height": 800})
    page.locator("#said").evaluate("element => element.remove()")
    page.evaluate("scrollTo(0, 0)")


PICTURES: dict[str, Callable[[Page], None]] = {
    "gallery-board": gallery_board,
    "gallery-solid": gallery_solid,
    "design-heart": design_heart,
    "design-given": design_given,
}


def take(browser: Browser, folder: Path) -> None:
    """Write all of them into a folder."""
    for name, show in PICTURES.items():
        page = browser.new_page(viewport=SIZE, color_scheme="light")  # type: ignore[arg-type]
        show(page)
        page.screenshot(path=folder / f"{name}.png")
        page.close()


def main() -> None:
    """Write all of them, beside this file or into a folder that is named."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        take(playwright.chromium.launch(executable_path=path, args=["--no-sandbox"]), folder)


if __name__ == "__main__":
    main()
