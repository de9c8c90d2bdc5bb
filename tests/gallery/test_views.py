"""What one does in the gallery, on a desktop and on a phone: filters, links, refusals, the board, files."""

from __future__ import annotations

import io
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect

import rekkyo as rk
from rekkyo.store.reader import RunReader
from tests.gallery.chromium import COMMAND, ready, serving, watched
from tests.gallery.growing import hide_shards, show_shard

pytestmark = pytest.mark.browser

DESKTOP = {"viewport": {"width": 1200, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
RULES_IN_A_SENTENCE = (
    "axe.run().then(found => found.violations.map(v => [v.id, v.nodes.map(n => n.html.slice(0, 120))]))"
)


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A refused question is an answer of the server, which Chromium counts among the errors."""
    with watched(browser, accept_downloads=True, **request.param) as (made, problems):
        yield made
        assert [problem for problem in problems if "status of 400" not in problem] == []


@pytest.fixture(scope="module")
def queens() -> Iterator[str]:
    with serving("queens", "8") as at:
        yield at


@pytest.fixture(scope="module")
def dominoes() -> Iterator[str]:
    with serving("dominoes", "4", "5") as at:
        yield at


@pytest.fixture(scope="module")
def pentominoes() -> Iterator[str]:
    with serving("pentominoes", "3", "20") as at:
        yield at


def counts(page: Page, text: str) -> None:
    expect(page.locator("#counts")).to_have_text(text)


def opened(page: Page, number: int) -> None:
    expect(page.locator("dialog[open] h2")).to_have_text(re.compile(f": solution {number}$"))


def put(page: Page, selector: str, value: str) -> None:
    """Choose in a list, which a phone may have to scroll to."""
    page.locator(selector).scroll_into_view_if_needed()
    page.select_option(selector, value)


class TestBackAndForward:
    def test_through_filters_orders_and_open_solutions(self, page: Page, queens: str) -> None:
        ready(page, queens)
        put(page, "#only", "representatives")
        counts(page, "total 92, unique 12, 12 remain")
        put(page, "#order", "reversed")
        expect(page.locator(".card").first).to_have_attribute("data-number", re.compile("^[1-9]"))
        page.locator(".card").first.click()
        expect(page.locator("dialog[open]")).to_be_visible()
        first = page.locator("dialog h2").inner_text()
        page.locator("#next").click()
        expect(page.locator("dialog h2")).not_to_have_text(first)
        page.locator("#close").click()
        expect(page.locator("dialog[open]")).to_have_count(0)
        link = page.url
        page.go_back()
        expect(page.locator("dialog[open]")).to_be_visible()
        page.go_back()
        expect(page.locator("dialog[open] h2")).to_have_text(first)
        page.go_back()
        expect(page.locator("dialog[open]")).to_have_count(0)
        page.go_back()
        expect(page.locator("#order")).to_have_value("found")
        counts(page, "total 92, unique 12, 12 remain")
        page.go_back()
        counts(page, "total 92, unique 12")
        for _ in range(5):
            page.go_forward()
        page.wait_for_url(link)
        expect(page.locator("dialog[open]")).to_have_count(0)

    def test_a_link_shows_the_same(self, page: Page, queens: str) -> None:
        ready(page, queens)
        put(page, "#order", "shuffled")
        page.locator("#larger").click()
        page.evaluate("document.getElementById('scroll').scrollTop = 1e9")
        page.wait_for_url("**/*at=*")
        seen = "[...document.querySelectorAll('.card')].filter(c => c.dataset.number).map(c => c.dataset.number).sort()"
        page.wait_for_function("[...document.querySelectorAll('.card')].every(c => c.dataset.number)")
        before, link = page.evaluate(seen), page.url
        assert "order=shuffled" in link
        assert "size=280" in link
        page.goto("about:blank")
        ready(page, link)
        page.wait_for_function("[...document.querySelectorAll('.card')].every(c => c.dataset.number)")
        assert page.evaluate(seen) == before


class TestRefusals:
    @pytest.mark.parametrize(
        ("query", "sentence"),
        [
            ("order=zzz", 'no order "zzz"'),
            ("only=some", 'nothing is called "some"'),
            ("where=abc", '"abc" is not a condition'),
            ("where=0.9", "no solution can have thing 9 at spot 0"),
            ("where=a64", "there is no placement 64; they go from 0 to 63"),
            ("among=92", "there is no solution 92; they go from 0 to 91"),
            ("among=x", '"x" is not the name of a solution'),
            ("at=x", 'at is a whole number from 0, not "x"'),
        ],
    )
    def test_is_a_sentence_and_a_way_back(self, page: Page, queens: str, query: str, sentence: str) -> None:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url) if "api/rows" in request.url else None)
        ready(page, f"{queens}?{query}")
        expect(page.locator("#notice-text")).to_contain_text(sentence)
        expect(page.locator("#message")).to_be_hidden()
        page.wait_for_timeout(1500)
        assert len(asked) <= 1, "it is not asked again"
        page.get_by_role("button", name="Show everything").click()
        expect(page.locator('.card[data-number="0"] svg')).to_be_visible()
        expect(page.locator("#notice")).to_be_hidden()

    def test_too_many_to_sort(self, page: Page, queens: str) -> None:
        def refuse(route: Route) -> None:
            route.fulfill(
                status=400, json={"error": "14,000,000 solutions are too many to sort; filter them first"}
            )

        page.route("**/api/rows?order=least*", refuse)
        ready(page, queens)
        put(page, "#order", "least")
        expect(page.locator("#notice-text")).to_contain_text("too many to sort")
        page.get_by_role("button", name="Show them as found").click()
        expect(page.locator('.card[data-number="0"] svg')).to_be_visible()
        expect(page.locator("#order")).to_have_value("found")

    def test_a_solution_that_is_not_there(self, page: Page, queens: str) -> None:
        ready(page, f"{queens}?open=92")
        expect(page.locator("dialog[open] #facts")).to_have_text(
            "there is no solution 92; they go from 0 to 91"
        )
        page.locator("#close").click()
        expect(page.locator('.card[data-number="0"] svg')).to_be_visible()


class TestBoard:
    def test_conditions_from_the_empty_board(self, page: Page, pentominoes: str) -> None:
        ready(page, pentominoes)
        page.locator("#board-switch").click()
        expect(page.locator("#palette button")).to_have_count(12)
        page.get_by_role("button", name="piece U").click()
        corner = page.locator("#heat .spot").nth(0)
        expect(corner).to_have_attribute(
            "aria-label", re.compile(r"^piece U at row 1, column 1: in 4 of 8, 50\.0 %")
        )
        corner.click()
        counts(page, "total 8, unique 2, 4 remain")
        expect(page.locator(".chip")).to_have_text("piece U at row 1, column 1✕")
        expect(corner).to_have_attribute("aria-label", re.compile(r"in 4 of 4, 100\.0 %; of all 50\.0 %"))
        page.locator(".chip button").first.click()
        expect(page.locator(".chip")).to_have_text("not piece U at row 1, column 1✕")
        counts(page, "total 8, unique 2, 4 remain")
        expect(corner).to_have_attribute("aria-label", re.compile(r"in 0 of 4, 0\.0 %; of all 50\.0 %"))
        page.select_option("#mode", "or")
        corner.click()
        expect(page.locator(".chip")).to_have_text(
            "not piece U at row 1, column 1 or piece U at row 1, column 1✕"
        )
        counts(page, "total 8, unique 2, 8 remain")
        page.locator(".chip button").last.click()
        counts(page, "total 8, unique 2")
        page.select_option("#mode", "not")
        corner.click()
        expect(page.locator(".chip")).to_have_text("not piece U at row 1, column 1✕")
        page.locator("#close-board").click()
        expect(page.locator("#board")).to_be_hidden()

    def test_one_kind_of_piece_is_asked_for_by_placement(self, page: Page, dominoes: str) -> None:
        ready(page, f"{dominoes}?board=0")
        expect(page.locator("#what")).to_have_value("placement")
        spot = page.locator("#heat .spot").nth(0)
        expect(spot).to_have_attribute("aria-label", re.compile("^orientation 1 at row 1, column 1: in "))
        spot.click()
        expect(page.locator("#choices button")).to_have_count(1)
        said = page.locator("#choices button").text_content() or ""
        times = re.search(r"in (\d+) solutions", said)
        assert times
        page.locator("#choices button").click()
        expect(page.locator("#counts")).to_contain_text(f", {times[1]} remain")
        assert re.search(r"where=a\d+", page.url)
        page.locator(".card").first.click()
        page.locator("#spots .spot").last.click()
        expect(page.locator("#remaining")).to_have_text(re.compile(r"^\d+ remain"))
        assert re.search(r"where=a\d+_a\d+", page.url)

    def test_symmetric_solutions(self, page: Page, queens: str) -> None:
        ready(page, queens)
        put(page, "#only", "symmetric")
        counts(page, "total 92, unique 12, 4 remain")
        put(page, "#only", "symmetric-representatives")
        counts(page, "total 92, unique 12, 1 remain")

    def test_nothing_is_left(self, page: Page, queens: str) -> None:
        ready(page, f"{queens}?where=0.0_1.0")
        expect(page.locator("#notice-text")).to_have_text("No solution passes this filter.")
        page.get_by_role("button", name="Take the last condition away").click()
        counts(page, "total 92, unique 12, 4 remain")
        expect(page.locator("#notice")).to_be_hidden()


@pytest.mark.parametrize("from_a_link", [False, True])
def test_a_long_search_shows_progress_and_can_be_stopped(page: Page, queens: str, from_a_link: bool) -> None:
    looked = [{"scanned": 23, "of": 92}, {"scanned": 46, "of": 92}]
    held: list[Route] = []

    def tell(route: Route) -> None:
        if looked:
            route.fulfill(status=202, json=looked.pop(0))
        else:
            held.append(route)

    page.route("**/api/rows?only=symmetric&*", tell)
    if from_a_link:
        page.goto(f"{queens}?only=symmetric")
    else:
        ready(page, queens)
        put(page, "#only", "symmetric")
    expect(page.locator("#notice-text")).to_have_text("Looking at 92 solutions: 50 %")
    expect(page.locator("#notice-bar")).to_have_js_property("value", 0.5)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#notice-text")).to_contain_text("Stopped.")
    assert len(held) == 1
    page.unroute("**/api/rows?only=symmetric&*")
    page.get_by_role("button", name="Go on").click()
    counts(page, "total 92, unique 12, 4 remain")


class TestOneSolution:
    def test_go_to_a_number(self, page: Page, queens: str) -> None:
        ready(page, queens)
        page.locator("#number").fill("77")
        page.locator("#number").press("Enter")
        expect(page.locator(".card.here")).to_have_attribute("data-number", "77")
        expect(page.locator("#scroll")).to_be_focused()
        page.locator("#number").fill("92")
        page.locator("#number").press("Enter")
        expect(page.locator("#said")).to_have_text("There is no solution 92; they go from 0 to 91.")
        put(page, "#only", "symmetric")
        counts(page, "total 92, unique 12, 4 remain")
        page.locator("#number").fill("0")
        page.locator("#number").press("Enter")
        expect(page.locator("#said")).to_have_text("Solution 0 does not pass this filter.")

    def test_favourites_are_kept(self, page: Page, queens: str) -> None:
        ready(page, f"{queens}?open=3")
        page.locator("#favourite").click()
        expect(page.locator("#favourite")).to_have_attribute("aria-pressed", "true")
        page.locator("#next").click()
        opened(page, 4)
        expect(page.locator("#favourite")).to_have_attribute("aria-pressed", "false")
        page.locator("#favourite").click()
        page.locator("#close").click()
        expect(page.locator('.card[data-number="4"]')).to_contain_text("★")
        ready(page, queens)
        page.get_by_role("button", name="Favourites: 2").click()
        counts(page, "total 92, unique 12, 2 remain")
        assert "among=3_4" in page.url
        page.get_by_role("button", name="Favourites: 2").click()
        counts(page, "total 92, unique 12")

    def test_two_are_compared(self, page: Page, queens: str) -> None:
        rows = list(rk.solve(rk.queens(8)))
        ready(page, f"{queens}?open=0")
        page.locator("#compare").click()
        expect(page.locator("#differences")).to_contain_text("Now go to the solution")
        page.locator("#next").click()
        opened(page, 1)
        n_differences = 2 * sum(a != b for a, b in zip(rows[0], rows[1], strict=True))
        expect(page.locator("#differences")).to_have_text(
            f"They differ at {n_differences} of 64 places, which are marked."
        )
        expect(page.locator("#large figcaption")).to_have_text(["Solution 1", "Solution 0"])
        marked = page.locator(".different:not(.below)").first.get_attribute("d") or ""
        assert marked.count("M") == n_differences
        link = page.url
        assert "open=1&beside=0" in link
        page.locator("#compare").click()
        expect(page.locator("#large figure")).to_have_count(1)
        ready(page, link)
        expect(page.locator("#large figure")).to_have_count(2)

    def test_images_are_links_and_the_current_one_is_marked(self, page: Page, queens: str) -> None:
        ready(page, f"{queens}?open=0")
        expect(page.locator("#orbit a[href]")).to_have_count(8)
        expect(page.locator("#orbit a[aria-current]")).to_have_count(1)
        here = page.locator("#row").inner_text()
        other = page.locator("#orbit a:not([aria-current])").first
        name = re.search(r"solution (\d+)", other.inner_text())
        assert name
        other.click()
        opened(page, int(name[1]))
        assert page.locator("#row").inner_text() != here
        expect(page.locator("#orbit a[aria-current]")).to_have_attribute("href", f"?open={name[1]}")

    def test_a_swipe_steps(self, browser: Browser, queens: str) -> None:
        with watched(browser, **PHONE) as (page, problems):
            ready(page, f"{queens}?open=5")
            opened(page, 5)
            swipe = page.context.new_cdp_session(page)
            for x_from, x_to, number in ((300, 100, 6), (100, 300, 5)):
                points = [{"x": x_from, "y": 250}], [{"x": x_to, "y": 255}]
                swipe.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points[0]})
                swipe.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points[1]})
                swipe.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
                opened(page, number)
            assert problems == []


def test_two_fingers_change_the_size(browser: Browser, queens: str) -> None:
    with watched(browser, **PHONE) as (page, problems):
        ready(page, queens)
        expect(page.locator('.card[data-number="0"] svg')).to_be_visible()
        before = page.locator(".card").first.bounding_box()
        fingers = page.context.new_cdp_session(page)
        for kind, apart in (("touchStart", 60), ("touchMove", 70), ("touchMove", 90)):
            points = [{"x": 190 - apart, "y": 400, "id": 0}, {"x": 190 + apart, "y": 400, "id": 1}]
            fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_url("**/*size=280*")
        after = page.locator(".card").first.bounding_box()
        assert before
        assert after
        assert after["width"] > before["width"]
        assert problems == []


class TestFiles:
    @pytest.mark.parametrize("form", ["csv", "npy", "svg", "png", "pdf"])
    def test_what_is_shown_is_downloaded(self, page: Page, queens: str, form: str) -> None:
        ready(page, f"{queens}?where=0.0")
        counts(page, "total 92, unique 12, 4 remain")
        page.locator("#download").scroll_into_view_if_needed()
        with page.expect_download() as download:
            page.select_option("#download", form)
        assert download.value.suggested_filename == f"solutions.{form}"
        content = Path(download.value.path()).read_bytes()
        rows = [row for row in rk.solve(rk.queens(8)) if row[0] == 0]
        if form == "csv":
            lines = [line for line in content.decode().splitlines() if line[0].isdigit()]
            assert [tuple(map(int, line.split(","))) for line in lines] == rows
        elif form == "npy":
            assert [tuple(row) for row in np.load(io.BytesIO(content)).tolist()] == rows
        elif form == "svg":
            assert content.decode() == str(rk.sheet(rk.queens(8), rows, theme="light"))
        else:
            assert content.startswith({"png": b"\x89PNG", "pdf": b"%PDF-"}[form])

    def test_a_sheet_of_too_many(self, page: Page, tmp_path: Path) -> None:
        with serving("dominoes", "4", "8") as at:
            ready(page, at)
            put(page, "#download", "svg")
            expect(page.locator("#said")).to_contain_text("a sheet holds at most 400 solutions, not 2,245")


def test_the_search_can_be_watched(page: Page, queens: str, dominoes: str) -> None:
    ready(page, queens)
    page.locator("#search").click()
    page.select_option("#method", label="Bitmap")
    page.locator("#step").click()
    expect(page.locator("#said")).to_have_text("Place a queen at row 1, column 1.")
    page.go_back()
    expect(page.locator('.card[data-number="0"] svg')).to_be_visible()


def test_several_runs(page: Page, tmp_path: Path) -> None:
    for n in (5, 6):
        rk.run(rk.queens(n), tmp_path / f"q{n}")
    with serving(str(tmp_path / "q5"), str(tmp_path / "q6")) as at:
        ready(page, at)
        counts(page, "total 10, unique 2")
        page.select_option("#gallery", "1")
        page.wait_for_url("**/1/")
        counts(page, "total 4, unique 1")
        expect(page.locator("#gallery option:checked")).to_have_text("queens 6")


class TestForEverybody:
    def test_tab_reaches_everything_in_few_presses(self, page: Page, queens: str) -> None:
        ready(page, f"{queens}?where=0.0_!1.0")
        counts(page, "total 92, unique 12, 4 remain")
        assert 3 <= n_stops(page) <= 10
        page.goto(f"{queens}?open=0")
        page.wait_for_selector("html[data-ready]")
        expect(page.locator("#orbit a[href]")).to_have_count(8)
        assert 3 <= n_stops(page) <= 8

    def test_arrow_keys_move_in_a_group(self, page: Page, queens: str) -> None:
        ready(page, f"{queens}?open=0")
        opened(page, 0)
        page.locator("#spots .spot").nth(0).focus()
        for key, spot in (("ArrowRight", "1"), ("ArrowDown", "9"), ("ArrowLeft", "8"), ("ArrowUp", "0")):
            page.keyboard.press(key)
            assert page.evaluate("document.activeElement.dataset.spot") == spot
        page.keyboard.press("Enter")
        counts(page, "total 92, unique 12, 4 remain")
        opened(page, 0)

    def test_the_theme_is_chosen_and_kept(self, page: Page, queens: str) -> None:
        ready(page, queens)
        background = "getComputedStyle(document.body).backgroundColor"
        piece = "getComputedStyle(document.querySelector('.card .rk-queen')).fill"
        for theme, paper, ink in (
            ("light", "255, 255, 255", "27, 27, 27"),
            ("dark", "22, 24, 28", "242, 242, 242"),
        ):
            page.locator("#theme").click()
            expect(page.locator("#theme")).to_have_text(f"Theme: {theme}")
            assert page.evaluate(background) == f"rgb({paper})"
            assert page.evaluate(piece) == f"rgb({ink})"
        ready(page, queens)
        assert page.evaluate(background) == "rgb(22, 24, 28)"
        page.locator("#theme").click()
        expect(page.locator("#theme")).to_have_text("Theme: as the system")

    @pytest.mark.parametrize("colours", ["light", "dark"])
    @pytest.mark.parametrize(
        "query",
        [
            "",
            "?board=0&where=0.0~!1.0_2.0",
            "?board=0",
            "?open=0",
            "?open=0&beside=1",
            "?where=0.0_1.0",
            "?open=99",
        ],
    )
    def test_axe_finds_nothing_with_queens(self, page: Page, queens: str, query: str, colours: str) -> None:
        assert AXE.is_file(), "npm ci --prefix tests/gallery"
        page.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
        ready(page, queens + query)
        page.wait_for_timeout(300)
        page.evaluate(AXE.read_text())
        assert page.evaluate(RULES_IN_A_SENTENCE) == []

    @pytest.mark.parametrize("colours", ["light", "dark"])
    def test_axe_finds_nothing_with_names_on_pieces(self, page: Page, pentominoes: str, colours: str) -> None:
        page.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
        ready(page, f"{pentominoes}?board=6&where=!0.1~5.2")
        page.select_option("#what", "placement")
        page.locator('#heat .spot[aria-label*="in 4 of 8"]').first.click()
        expect(page.locator("#choices button").first).to_be_visible()
        page.evaluate(AXE.read_text())
        assert page.evaluate(RULES_IN_A_SENTENCE) == []
        page.locator(".card").first.click()
        expect(page.locator("#orbit a[href]")).to_have_count(4)
        assert page.evaluate(RULES_IN_A_SENTENCE) == []

    @pytest.mark.parametrize("colours", ["light", "dark"])
    def test_axe_finds_nothing_with_a_solid(self, page: Page, colours: str) -> None:
        page.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
        with serving("soma") as address:
            ready(page, f"{address}?open=0&turned=yes")
            expect(page.locator("#body-said")).not_to_be_empty()
            page.evaluate(AXE.read_text())
            assert page.evaluate(RULES_IN_A_SENTENCE) == []


def n_stops(page: Page) -> int:
    """How often Tab is pressed until the focus is where it was."""
    page.evaluate("document.activeElement.blur()")
    seen = []
    here = "document.activeElement.id || document.activeElement.outerHTML.slice(0, 90)"
    for _ in range(80):
        page.keyboard.press("Tab")
        at = page.evaluate(here)
        if at in seen:
            break
        seen.append(at)
    return len(seen)


def test_files_can_do_what_the_server_can(page: Page, tmp_path: Path) -> None:
    site = tmp_path / "site"
    done = subprocess.run(
        [*COMMAND, "gallery", "pentominoes", "3", "20", "--static", str(site)], capture_output=True
    )
    assert done.returncode == 0
    at = (site / "index.html").as_uri()
    ready(page, f"{at}?where=abc")
    expect(page.locator("#notice-text")).to_contain_text('"abc" is not a condition')
    page.get_by_role("button", name="Show everything").click()
    page.locator("#board-switch").click()
    page.get_by_role("button", name="piece U").click()
    corner = page.locator("#heat .spot").nth(0)
    expect(corner).to_have_attribute(
        "aria-label", re.compile(r"^piece U at row 1, column 1: in 4 of 8, 50\.0 %")
    )
    page.select_option("#mode", "not")
    corner.click()
    counts(page, "total 8, unique 2, 4 remain")
    expect(corner).to_have_attribute("aria-label", re.compile(r"in 0 of 4, 0\.0 %; of all 50\.0 %"))
    page.get_by_role("button", name="piece P").click()
    page.select_option("#what", "placement")
    page.select_option("#mode", "and")
    page.locator('#heat .spot[aria-label*="in 2 of 4"]').first.click()
    page.locator("#choices button").first.click()
    counts(page, "total 8, unique 2, 2 remain")
    page.locator("#download").scroll_into_view_if_needed()
    with page.expect_download() as download:
        page.select_option("#download", "npy")
    rows = np.load(download.value.path())
    assert len(rows) == 2
    assert {tuple(row) for row in rows.tolist()} < set(rk.solve(rk.puzzle("pentominoes 3 20")))
    page.go_back()
    counts(page, "total 8, unique 2, 4 remain")
    page.locator("#close-board").click()
    page.locator(".card").first.click()
    expect(page.locator("#orbit a[href]")).to_have_count(4)
    page.locator("#compare").click()
    page.locator("#next").click()
    expect(page.locator("#differences")).to_have_text(re.compile(r"^They differ at \d+ of 60 places"))
    page.locator("#close").click()
    page.locator("#search").click()
    page.wait_for_url("**/search.html")
    expect(page.locator("#step")).to_be_visible()


def test_the_page_is_opened_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """BROWSER is what Python opens a browser with."""
    said = tmp_path / "address"
    fake = tmp_path / "browser"
    fake.write_text(f'#!/bin/sh\necho "$1" > {said}.part && mv {said}.part {said}\n')
    fake.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(fake))
    with serving("queens", "4", "--open") as at:
        while not said.exists():
            time.sleep(0.05)
        assert said.read_text().strip() == at


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_board_of_a_run_that_grows(browser: Browser, tmp_path: Path, size: dict[str, object]) -> None:
    folder = tmp_path / "run"
    rk.run(rk.queens(8), folder, shards=8)
    hide_shards(folder, range(4))
    with serving(str(folder)) as at, watched(browser, **size) as (page, problems):
        ready(page, f"{at}?board=0&where=0.0~!0.0")
        stored = RunReader(folder)
        expect(page.locator("#heat-said")).to_have_text(re.compile(f"of {len(stored)}\\.$"))
        stored.close()
        for _ in range(4):
            show_shard(folder)
        expect(page.locator("#heat-said")).to_have_text(re.compile(r"of 92\.$"))
        expect(page.locator("#heat .spot").nth(0)).to_have_attribute(
            "aria-label", re.compile(r"in 4 of 92, 4\.3 %")
        )
        counts(page, "total 92, unique 12, 92 remain")
        assert problems == []
