"""Filters in the gallery: conditions from the board, filters that are refused or take long, and the board of a run that grows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

import rekkyo as rk
from rekkyo.store.reader import RunReader
from tests.gallery.chromium import ready, serving, watched
from tests.gallery.desktop_and_phone.views import DESKTOP, PHONE, counts, put
from tests.gallery.growing import hide_shards, show_shard

pytestmark = pytest.mark.browser


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


class TestRefusals:
    @pytest.mark.parametrize(
        ("query", "sentence"),
        [
            ("order=zzz", 'no order "zzz"'),
            ("only=some", 'no kind of solutions "some"'),
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
