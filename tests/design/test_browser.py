"""The design page in Debian's Chromium: five tasks from an empty page, with clicks and keys alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

import rekkyo as rk
from tests.design.hands import (
    LONG_MS,
    board,
    cell,
    counted,
    create,
    draw_piece,
    middle,
    piece,
    settled,
    stroke,
)
from tests.gallery.chromium import serving, watched

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
AXE = ROOT / "tests/gallery/node_modules/axe-core/axe.min.js"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(command="design") as at:
        yield at


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with watched(browser, viewport={"width": 1500, "height": 1000}) as (made, problems):
        made.goto(address)
        made.wait_for_selector("html[data-ready]")
        settled(made)
        yield made
        assert problems == []


def cells_of(*lines: str) -> list[tuple[int, int, int]]:
    return [
        (0, row, column) for row, line in enumerate(lines) for column, mark in enumerate(line) if mark != "."
    ]


CALENDAR = {
    "A": ("OOO", "OOO"),
    "B": ("UU", "U.", "UU"),
    "C": ("P.", "PP", "PP"),
    "D": ("LLLL", "L..."),
    "E": ("NNN.", "..NN"),
    "F": ("YYYY", ".Y.."),
    "G": ("ZZ.", ".Z.", ".ZZ"),
    "H": ("V..", "V..", "VVV"),
}


def test_a_calendar_puzzle_for_a_date(page: Page) -> None:
    create(page, "packing square", "7x7")
    stroke(page, board(page), [(0, 0, 6), (0, 1, 6)])
    stroke(page, board(page), [(0, 6, 6), (0, 6, 5), (0, 6, 4), (0, 6, 3)])
    for name, lines in CALENDAR.items():
        if name != "A":
            page.click("#add-piece")
            settled(page)
        draw_piece(page, name, cells_of(*lines))
    expect(page.locator("#problem")).to_contain_text(
        "the pieces have 41 cells, but the board that they fill has 43"
    )
    stroke(page, board(page), [(0, 1, 3)])  # October
    stroke(page, board(page), [(0, 2, 5)])  # the sixth
    counted(page, "total 7, unique 7")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect(page.locator("#problem")).to_contain_text("has 43")
    page.keyboard.press("Control+y")
    page.keyboard.press("Control+y")
    counted(page, "total 7, unique 7")


def test_a_cube_of_5x5x5_with_one_solution(page: Page) -> None:
    """A cube of 4x4x4 in a corner, and three plates around it."""
    create(page, "packing cube", "5x5x5")
    for name, (layers, rows, columns) in {
        "A": (4, 4, 4),
        "B": (1, 5, 5),
        "C": (1, 4, 5),
        "D": (1, 4, 4),
    }.items():
        if name != "A":
            page.click("#add-piece")
            settled(page)
        for layer in range(layers):
            for row in range(rows):
                start = 1 if row == layer == 0 else 0
                stroke(page, piece(page, name), [(layer, row, column) for column in range(start, columns)])
    counted(page, re.compile("^total 48, unique 1 up to"))


def test_a_hexagon_with_ten_pieces(page: Page) -> None:
    create(page, "packing hexagon", "3x3")
    page.locator("#editor .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.type('kind = "packing"\nlattice = "hexagon"\nboard = "hexagon 4"\npolyforms = [3, 4]\n')
    counted(page, re.compile("^total 147,480, unique 12,290"))
    expect(page.locator("#pieces li")).to_have_count(10)
    first = page.locator("#board .cell.there").first
    at = [int(part) for part in (first.get_attribute("data-at") or "").split(",")]
    stroke(page, board(page), [at])
    expect(page.locator("#problem")).to_contain_text(
        "the pieces have 37 cells, more than the 36 of the board"
    )
    page.click("#undo")
    counted(page, re.compile("^total 147,480, unique 12,290"))


SQUARE = ["1234", "3412", "2143", "4321"]


def test_a_killer_sudoku_made_unique_by_the_fewest_cages(page: Page) -> None:
    create(page, "grid", "4x4")
    page.check('fieldset input[name="boxes 2x2"]')
    counted(page, re.compile("^total 288"))
    page.select_option("#tool", "cages")
    for row in range(4):
        for column in (0, 2):
            stroke(page, board(page), [(0, row, column), (0, row, column + 1)])
            page.fill("#rule", str(int(SQUARE[row][column]) + int(SQUARE[row][column + 1])))
            page.keyboard.press("Enter")
            settled(page)
    page.select_option("#tool", "numbers")
    for row, column in ((0, 0), (1, 1), (2, 2), (3, 3)):
        stroke(page, board(page), [(0, row, column)])
        page.keyboard.press(SQUARE[row][column])
        settled(page)
    counted(page, re.compile("^total 1, unique 1 "))
    page.click('[data-help="fewest"]')
    expect(page.locator("#help-rows")).to_contain_text("no fewer are", timeout=60_000)
    n_kept = page.locator("#kept li").count()
    page.click("#drop")
    counted(page, re.compile("^total 1, unique 1 "))
    page.click('[data-help="fewest"]')
    expect(page.locator('#help-rows[data-running="no"] #kept li')).to_have_count(n_kept)
    expect(page.locator("#drop")).to_have_count(0)


STAR = {"a": (0, 6), "b": (2, 0), "c": (2, 4), "d": (2, 8), "e": (2, 12), "f": (4, 2), "g": (4, 10)} | {
    "h": (6, 0),
    "i": (6, 4),
    "j": (6, 8),
    "k": (6, 12),
    "l": (8, 6),
}


def test_a_magic_star_of_ones_own(page: Page) -> None:
    create(page, "figure")
    for at in STAR.values():
        cell(page.locator("#board"), at).click()
        settled(page)
    page.select_option("#tool", "lines")
    page.fill("#sum", "26")
    for line in ("bcde", "hijk", "acfh", "adgk", "bfil", "egjl"):
        for name in line:
            page.locator(f'[data-cell="{name}"]').focus()
            page.keyboard.press("Enter")
        page.click("#drawing form button")
        settled(page)
    counted(page, re.compile("^total 960, "))


def test_undo_keys_and_the_text_follow_each_other(page: Page) -> None:
    create(page, "packing square", "2x3")
    expect(page.locator("#problem")).to_contain_text(
        "the pieces have 1 cell, but the board that they fill has 6"
    )
    page.fill('li[data-piece="A"] .times', "6")
    page.keyboard.press("Tab")
    counted(page, "total 1")
    expect(page.locator("#editor .cm-content")).to_contain_text("A = 6")
    board(page).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    settled(page)
    expect(page.locator("#problem")).to_contain_text("cells")
    page.locator("#problem button").click()
    expect(page.locator("#editor .cm-activeLine, #editor .cm-problem").first).to_be_visible()
    page.keyboard.press("Control+z")
    counted(page, "total 1")
    page.locator("#editor .cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("title = 5")
    expect(page.locator("#problem")).to_be_visible()
    page.click("#undo")
    counted(page, "total 1")


def test_a_piece_is_dragged_onto_the_board(page: Page) -> None:
    create(page, "packing square", "2x4")
    page.fill('li[data-piece="A"] .times', "0-any")
    page.keyboard.press("Tab")
    page.click("#add-piece")
    draw_piece(page, "B", cells_of("BB"))
    counted(page, "total 10")
    page.locator('li[data-piece="B"] .lay').hover()
    page.mouse.down()
    page.mouse.move(*middle(board(page), (0, 1, 2)), steps=4)
    expect(page.locator(".ghost")).to_be_visible()
    page.mouse.up()
    counted(page, "total 1,")
    expect(page.locator("#editor .cm-content")).to_contain_text("..BB")
    expect(page.locator("#board .cell.given")).to_have_count(2)
    cell(board(page), (0, 0, 1)).click()
    page.click("#undo")
    page.locator('li[data-piece="B"] .lay').press("Enter")
    expect(page.locator("#editor .cm-content")).to_contain_text(".BB")


def test_the_schema_completes_keys_and_values(page: Page) -> None:
    page.locator("#editor .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.type('kind = "pac')
    page.locator("#editor .cm-tooltip-autocomplete li", has_text="packing").click()
    page.keyboard.press("End")
    page.keyboard.type("\nlatt")
    expect(page.locator("#editor .cm-tooltip-autocomplete li")).to_have_text(["lattice"])
    page.keyboard.press("Enter")
    page.keyboard.type('"hex')
    expect(page.locator("#editor .cm-tooltip-autocomplete li")).to_have_text(['"hexagon"'])
    page.keyboard.press("Enter")
    expect(page.locator("#editor .cm-content")).to_contain_text('lattice = "hexagon"')


AS_A_NOTEBOOK = """
async () => {
  document.getElementById("rekkyo-design").replaceWith();
  const [rules, schema] = await Promise.all(["assets/design.css", "assets/schema.json"].map(async (at) => (await fetch(at)).text()));
  const socket = new WebSocket(location.href.replace("http", "ws") + "live");
  await new Promise((done) => { socket.onopen = done; });
  const given = { start: 'kind = "packing"\\nboard = "rectangle 2 4"\\npieces = "DD"\\ntimes = "any"\\n', rules, schema };
  const model = {
    get: (name) => given[name],
    on: (name, hear) => { socket.onmessage = (event) => hear(JSON.parse(event.data)); },
    send: (message) => socket.send(JSON.stringify(message)),
  };
  const output = document.createElement("div");
  output.id = "output";
  document.body.append(output);
  const module = await import(new URL("assets/design.js?widget", location.href));
  module.default.render({ model, el: output });
}
"""


def test_the_page_is_a_widget_too(browser: Browser, address: str) -> None:
    """As a notebook draws it: in a shadow root, with messages instead of a WebSocket of its own."""
    with watched(browser, viewport={"width": 1000, "height": 1000}) as (made, problems):
        made.goto(address)
        made.wait_for_selector("html[data-ready]")
        settled(made)
        made.evaluate(AS_A_NOTEBOOK)
        counted(made, "total 5,")
        stroke(made, board(made), [(0, 0, 4), (0, 1, 4)])
        counted(made, "total 8,")
        made.locator("#editor .cm-content").click()
        made.keyboard.press("Control+End")
        made.keyboard.type("refl")
        expect(made.locator("#editor .cm-tooltip-autocomplete li")).to_have_text(["reflections"])
        assert problems == []


def test_a_finger_draws(browser: Browser, address: str) -> None:
    with watched(browser, viewport={"width": 400, "height": 800}, has_touch=True, is_mobile=True) as (
        made,
        problems,
    ):
        made.goto(address)
        made.wait_for_selector("html[data-ready]")
        settled(made)
        create(made, "packing hexagon", "2x2")
        n_cells = made.locator("#board .cell.there").count()
        made.locator("#board .cell.none").nth(3).tap()
        settled(made)
        expect(made.locator("#board .cell.there")).to_have_count(n_cells + 1)
        width = made.evaluate("document.documentElement.scrollWidth")
        assert width <= 400
        assert problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, address: str, scheme: str) -> None:
    with watched(browser, color_scheme=scheme, bypass_csp=True) as (made, problems):
        made.goto(address)
        made.wait_for_selector("html[data-ready]")
        settled(made)
        made.add_script_tag(path=AXE)
        for kind, size in (("packing cube", "2x2x2"), ("grid", "4x4"), ("figure", "")):
            create(made, kind, size)
            if kind == "grid":
                made.select_option("#tool", "cages")
            if kind == "figure":
                cell(made.locator("#board"), (0, 6)).click()
                settled(made)
            made.click('[data-help="what_if"]')
            made.wait_for_selector('#help-rows[data-running="no"]')
            found = made.evaluate("axe.run()")
            assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []
        assert problems == []


def test_an_address_holds_the_puzzle(page: Page, address: str) -> None:
    create(page, "packing square", "2x2")
    page.fill('li[data-piece="A"] .times', "any")
    page.keyboard.press("Tab")
    counted(page, "total 1")
    page.select_option("#out", "link")
    expect(page.locator("#shown")).to_contain_text("#toml=")
    fragment = (page.locator("#shown").inner_text()).partition("#")[2]
    page.goto("about:blank")
    page.goto(f"{address}#{fragment}")
    page.wait_for_selector("html[data-ready]")
    counted(page, "total 1")
    expect(page.locator("#editor .cm-content")).to_contain_text('A = "any"')


def test_downloads(page: Page) -> None:
    create(page, "packing square", "2x2")
    page.fill('li[data-piece="A"] .times', "any")
    page.keyboard.press("Tab")
    counted(page, "total 1")
    for form, begin in {"toml": b"kind", "xmpuzzle": b"<?xml", "pdf": b"%PDF", "svg": b"<svg"}.items():
        with page.expect_download() as download:
            page.select_option("#out", form)
        assert download.value.suggested_filename == f"puzzle.{form}"
        assert Path(download.value.path()).read_bytes().startswith(begin)


def test_a_gallery_and_a_run_are_begun_from_the_page(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        'kind = "packing"\ntitle = "My own: 2 x 4!"\nboard = "rectangle 2 4"\npieces = "DD"\ntimes = "any"\n'
    )
    with serving(str(file), command="design") as address, watched(browser) as (made, problems):
        made.goto(address)
        counted(made, "total 5,")
        made.select_option("#out", "gallery")
        expect(made.locator("#shown")).to_contain_text("Saved as my-own-2-x-4.toml.", timeout=LONG_MS)
        gallery = made.locator("#shown a").get_attribute("href")
        assert gallery is not None
        with made.context.expect_page() as opened:
            made.click("#shown a")
        opened.value.wait_for_selector("html[data-ready]")
        expect(opened.value.locator(".card")).to_have_count(5)
        opened.value.close()
        made.select_option("#out", "run")
        expect(made.locator("#shown")).to_have_text(
            "The run in runs/my-own-2-x-4 is finished.", timeout=LONG_MS
        )
        assert rk.Run(tmp_path / "runs/my-own-2-x-4").status().total == 5
        stroke(made, board(made), [(0, 0, 4), (0, 1, 4)])
        counted(made, "total 8,")
        made.select_option("#out", "run")
        expect(made.locator("#shown")).to_have_text(
            "The run in runs/my-own-2-x-4-2 is finished.", timeout=LONG_MS
        )
        assert problems == []
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["mine.toml", "my-own-2-x-4-2.toml", "my-own-2-x-4.toml", "runs"]
    assert "rectangle 2 4" in file.read_text()
    with pytest.raises(OSError):
        urlopen(gallery)  # it ended with the server


def test_the_page_is_never_frozen(page: Page) -> None:
    """While a search of minutes runs, strokes and keys are answered."""
    page.locator("#editor .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text('kind = "queens"\nn = 21\n')
    expect(page.locator("#estimate")).to_contain_text("a full count takes about", timeout=30_000)
    expect(page.locator("#stop")).to_be_visible()
    for size in (22, 20, 21):
        page.keyboard.press("Backspace")
        page.keyboard.press("Backspace")
        page.keyboard.press("Backspace")
        page.keyboard.type(f"{size}\n")
        settled(page)
    expect(page.locator("#editor .cm-content")).to_contain_text("n = 21")
    expect(page.locator("#estimate")).to_contain_text("hours", timeout=30_000)
    page.click("#stop")
    expect(page.locator("#why")).to_have_text("Stopped.", timeout=10_000)
