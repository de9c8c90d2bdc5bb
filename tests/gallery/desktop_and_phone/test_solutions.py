"""Solutions in the gallery: going to one, favourites, comparing two, their images, gestures on a phone, and downloads."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

import rekkyo as rk
from tests.gallery.chromium import ready, serving, watched
from tests.gallery.desktop_and_phone.views import PHONE, counts, opened, put

pytestmark = pytest.mark.browser


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
