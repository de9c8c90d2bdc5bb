"""What the gallery draws is what `draw` draws, and solids can be turned. In Debian's Chromium."""

from __future__ import annotations

import importlib
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import rekkyo as rk
from rekkyo.gallery.facts import read_assets
from rekkyo.serving.assets import files_of_page
from tests.gallery.chromium import COMMAND, ready, serving, watched
from tests.render.pictures import Shape, shapes

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PUZZLES = {
    "copies that touch": "dominoes 6 6",
    "copies beside other pieces": str(EXAMPLES / "slothouber-graatsma.toml"),
    "a body that is not a box": f"{EXAMPLES / 'burr.xmpuzzle'}#1",
    "balls": str(EXAMPLES / "ball-pyramid.toml"),
    "sticks": "tetrasticks",
}


@pytest.fixture(params=["desktop", "phone"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    size = {"width": 1200, "height": 800} if request.param == "desktop" else {"width": 390, "height": 800}
    with watched(browser, viewport=size, has_touch=request.param == "phone") as (made, problems):
        yield made
        assert problems == []


def puzzle_of(words: str) -> rk.Puzzle:
    path, _, number = words.partition("#")
    if not Path(path).suffix:
        return rk.puzzle(words)
    return rk.puzzle_from_file(path, int(number)) if number else rk.puzzle_from_file(path)


def drawn(markup: str) -> list[Shape]:
    """The shapes of a drawing in their order, but for those of the background."""
    return [shape for shape in shapes(markup) if shape.fill or shape.stroke]


@pytest.mark.parametrize("words", PUZZLES.values(), ids=PUZZLES.keys())
def test_a_sheet_shows_what_draw_draws(page: Page, words: str) -> None:
    puzzle = puzzle_of(words)
    with closing(rk.solve(puzzle, up_to="none", workers=1)) as rows, serving(words) as address:
        ready(page, address)
        for number, row in zip(range(4), rows, strict=False):
            card = page.locator(f'.card[data-number="{number}"] svg')
            card.wait_for()
            assert drawn(card.evaluate("svg => svg.outerHTML")) == drawn(rk.svg(puzzle, row))


def test_files_show_the_same(page: Page, tmp_path: Path) -> None:
    words, puzzle = "dominoes 4 5", rk.puzzle("dominoes 4 5")
    subprocess.run([*COMMAND, "gallery", *words.split(), "--static", str(tmp_path / "site")], check=True)  # fmt: skip
    ready(page, (tmp_path / "site" / "index.html").as_uri())
    with closing(rk.solve(puzzle, up_to="none", workers=1)) as rows:
        for number, row in zip(range(6), rows, strict=False):
            card = page.locator(f'.card[data-number="{number}"] svg')
            card.wait_for()
            assert drawn(card.evaluate("svg => svg.outerHTML")) == drawn(rk.svg(puzzle, row))


class TestBody:
    def test_it_turns_comes_apart_is_peeled_and_put_together(self, page: Page) -> None:
        with serving("soma") as address:
            ready(page, f"{address}?open=3")
            page.get_by_role("button", name="Turn it in space").click()
            expect(page).to_have_url(f"{address}?open=3&turned=yes")
            expect(page.locator("#body-said")).to_have_text(
                "Every piece can be put in along a straight line."
            )
            canvas = page.locator("#canvas")
            seen = [canvas.screenshot()]
            for change in (
                lambda: page.get_by_label("Apart").fill("70"),
                lambda: page.get_by_label("Layers taken off").fill("1"),
                lambda: page.get_by_label("Pieces").fill("4"),
                lambda: canvas.press("ArrowLeft"),
                lambda: canvas.press("+"),
            ):
                change()
                seen.append(canvas.screenshot())
            assert len(set(seen)) == len(seen), "every change is seen"
            expect(page.locator("#detail-title")).to_have_text("soma: solution 3")
            page.get_by_role("button", name="Put together").click()
            expect(page.locator("#body-said")).to_have_text("7 of 7 pieces", timeout=60_000)
            page.go_back()
            expect(page.locator("#large svg")).to_be_visible()
            expect(canvas).to_be_hidden()

    def test_pieces_have_the_colours_of_the_picture(self, page: Page) -> None:
        puzzle = puzzle_of(PUZZLES["a body that is not a box"])
        with serving(PUZZLES["a body that is not a box"]) as address:
            ready(page, f"{address}?open=0&turned=yes")
            expect(page.locator("#body-said")).to_have_text(
                "Not every piece can be put in along a straight line."
            )
            facts = page.evaluate(
                "async () => [await (await fetch('api/puzzle')).json(), await (await fetch('api/solution/0')).json()]"
            )
        fills = {shape.fill for shape in shapes(rk.svg(puzzle, facts[1]["row"])) if shape.kind == "rk-piece"}
        assert fills >= {color for colors in facts[0]["colors"] for color in colors[:1]}
        assert len(facts[0]["body"]["middles"]) == len(facts[0]["spots"])

    def test_a_link_to_it_and_a_puzzle_in_the_plane(self, page: Page) -> None:
        with serving("pentominoes", "3", "20") as address:
            ready(page, f"{address}?open=0&turned=yes")
            expect(page.locator("#large svg")).to_be_visible()
            expect(page.locator("#turn")).to_be_hidden()
            assert not page.evaluate(
                "performance.getEntriesByType('resource').some(r => r.name.includes('solid.js'))"
            )

    def test_balls_and_next(self, page: Page) -> None:
        with serving(PUZZLES["balls"]) as address:
            ready(page, f"{address}?open=0&turned=yes")
            before = page.locator("#canvas").screenshot()
            page.get_by_role("button", name="Next").click()
            expect(page.locator("#detail-title")).to_contain_text("solution 1")
            expect(page.locator("#canvas[data-shown]")).to_be_visible()
            assert page.locator("#canvas").screenshot() != before


ORDERS = {
    "on top of each other": ([[[0, 0, 0]], [[0, 1, 0]]], [[0, [0, 1, 0]], [1, [0, 1, 0]]]),
    "the lower one is there first": ([[[0, 1, 0]], [[0, 0, 0]]], [[1, [0, 1, 0]], [0, [0, 1, 0]]]),
    "from the side, under a roof": (
        [[[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 2, 0], [0, 2, 0]], [[0, 1, 0]]],
        [[1, [0, 1, 0]], [0, [1, 0, 0]]],
    ),
    "two rings that are linked": (
        [
            [[x, y, 0] for x in range(3) for y in range(3) if (x, y) != (1, 1)],
            [[x, 1, z] for x in range(1, 4) for z in (-1, 1)] + [[1, 1, 0], [3, 1, 0]],
        ],
        None,
    ),
}


@pytest.mark.parametrize(("pieces", "order"), ORDERS.values(), ids=ORDERS.keys())
def test_orders_of_assembling(browser: Browser, pieces: list[object], order: list[object] | None) -> None:
    with watched(browser) as (page, _):
        page.add_script_tag(content=read_assets()["solid.js"].decode())
        found = page.evaluate("pieces => rekkyo_solid.assembly(pieces, 'cubes')", pieces)
    if order is None:
        assert any(step["from"] is None for step in found)
    else:
        assert [[step["piece"], step["from"]] for step in found] == order


def test_what_is_built_is_what_web_says(tmp_path: Path) -> None:
    """Every bundle of the package, built once more from its sources."""
    for command in (["ci", "--silent"], ["run", "--silent", "build", "--", str(tmp_path)]):
        subprocess.run(["npm", "--prefix", str(ROOT / "web"), *command], check=True)
    for built in tmp_path.rglob("*"):
        if built.is_file():
            assert (read_assets() | files_of_page("rekkyo.designer"))[built.name] == built.read_bytes(), (
                built.name
            )
    assert {path.name for path in tmp_path.rglob("*.js")} == {"solid.js", "design.js"}


def test_screenshots_of_the_documentation_can_be_taken_again(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "pictures"))
    importlib.import_module("screenshots").take(browser, tmp_path)
    taken = {path.name for path in tmp_path.iterdir()}
    assert taken == {path.name for path in (ROOT / "docs" / "pictures").glob("*.png")}
