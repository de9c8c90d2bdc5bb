"""The gallery in a real browser: Debian's Chromium, driven by Playwright. A console error fails every test."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

import rekkyo as rk
from tests.gallery.chromium import COMMAND, last_card, ready, serving, watched
from tests.gallery.growing import hide_shards, show_shard

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with watched(browser) as (made, problems):
        yield made
        assert problems == []


@pytest.fixture(scope="module")
def queens_14(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "q14"
    rk.run(rk.queens(14), folder)
    return folder


@pytest.fixture(scope="module")
def address(queens_14: Path) -> Iterator[str]:
    with serving(str(queens_14)) as at:
        yield at


class TestQueens14:
    def test_first_page(self, page: Page, address: str) -> None:
        ready(page, address)
        expect(page.locator("#counts")).to_have_text("total 365,596, unique 45,752")
        last_card(page, 0)
        assert page.locator(".card").count() < 100, "only what is in view exists"

    def test_scroll_to_the_end_by_key_and_by_scrollbar(self, page: Page, address: str) -> None:
        ready(page, address)
        page.keyboard.press("End")
        last_card(page, 365_595)
        page.keyboard.press("Home")
        last_card(page, 0)
        page.evaluate("document.getElementById('scroll').scrollTop = 1e9")
        last_card(page, 365_595)

    def test_the_wheel_moves_by_rows_though_the_scrollbar_is_scaled(self, page: Page, address: str) -> None:
        ready(page, address)
        page.keyboard.press("End")
        last_card(page, 365_595)
        page.mouse.move(600, 500)
        page.mouse.wheel(0, -400)
        page.wait_for_timeout(500)
        numbers = [
            int(card.get_attribute("data-number") or 0)
            for card in page.locator(".card svg").locator("..").all()
        ]
        assert max(numbers) > 365_595 - 60
        assert min(numbers) > 365_595 - 120

    def test_filter_open_and_follow_the_link(self, page: Page, address: str) -> None:
        ready(page, address)
        page.locator('.card[data-number="0"]').click()
        expect(page.locator("dialog[open] h2")).to_have_text("queens 14: solution 0")
        expect(page.locator("#orbit svg")).to_have_count(8)
        page.locator(".spot").nth(0).click()
        expect(page.locator("#remaining")).to_have_text(re.compile(r"^\d+,?\d* remain"))
        expect(page.locator(".spot.chosen")).to_have_count(1)
        page.keyboard.press("Escape")
        page.locator('.card[data-number="5"]').click()
        page.locator(".spot").nth(14 * 13 + 13).click()
        link = page.url
        assert "where=0.0_195.0" in link
        assert "open=5" in link
        expect(page.locator("#message")).to_be_hidden()
        page.goto("about:blank")
        ready(page, link)
        expect(page.locator("dialog[open] h2")).to_have_text("queens 14: solution 5")
        expect(page.locator("#counts")).to_have_text("total 365,596, unique 45,752, 0 remain")
        page.keyboard.press("Escape")
        page.locator(".chip").nth(1).click()
        expect(page.locator("#counts")).not_to_contain_text(", 0 remain")
        last_card(page, 0)

    def test_representatives_and_orders(self, page: Page, address: str) -> None:
        ready(page, address)
        page.select_option("#only", "representatives")
        expect(page.locator("#counts")).to_have_text("total 365,596, unique 45,752, 45,752 remain")
        page.select_option("#order", "reversed")
        page.keyboard.press("Escape")
        page.locator("#scroll").focus()
        page.keyboard.press("End")
        last_card(page, 0)
        page.select_option("#order", "shuffled")
        page.select_option("#only", "all")
        expect(page.locator("#counts")).to_have_text("total 365,596, unique 45,752")

    def test_keys_wait_for_the_sheet_that_was_asked_for(self, page: Page, address: str) -> None:
        ready(page, address)
        last_card(page, 0)
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        page.route("**/api/rows?*", hold)
        with page.expect_request("**/api/rows?*"):
            page.select_option("#order", "reversed")
        page.locator("#scroll").focus()
        page.keyboard.press("End")
        for route in held:
            route.continue_()
        page.unroute("**/api/rows?*")
        last_card(page, 0)
        expect(page.locator(".card.here")).to_have_attribute("data-number", "0")
        assert page.evaluate("document.getElementById('scroll').scrollTop") > 0
        page.keyboard.press("Home")
        last_card(page, 365_595)

    def test_one_goes_on_from_a_link_and_with_another_order(self, page: Page, address: str) -> None:
        ready(page, address + "?open=1000")
        page.locator("#next").click()
        expect(page.locator("dialog[open] h2")).to_have_text("queens 14: solution 1,001")
        page.keyboard.press("Escape")
        page.goto(address + "?order=reversed&open=1000")
        page.wait_for_selector("html[data-ready]")
        page.locator("#next").click()
        expect(page.locator("dialog[open] h2")).to_have_text("queens 14: solution 999")

    def test_keyboard_and_random(self, page: Page, address: str) -> None:
        ready(page, address)
        last_card(page, 0)
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator("dialog[open] h2")).to_have_text("queens 14: solution 2")
        page.keyboard.press("ArrowRight")
        expect(page.locator("dialog[open] h2")).to_have_text("queens 14: solution 3")
        page.keyboard.press("Escape")
        page.keyboard.press("r")
        expect(page.locator("dialog[open] h2")).to_be_visible()
        assert "open=" in page.url

    def test_narrow_and_dark(self, browser: Browser, address: str) -> None:
        with watched(browser, color_scheme="dark") as (page, problems):
            page.set_viewport_size({"width": 360, "height": 700})
            ready(page, address)
            last_card(page, 0)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 28)"
            assert (
                page.evaluate("getComputedStyle(document.querySelector('.rk-queen')).fill")
                == "rgb(242, 242, 242)"
            )
            assert problems == []

    def test_goes_on_after_the_server_restarts(self, browser: Browser, queens_14: Path) -> None:
        with watched(browser) as (page, problems):
            with serving(str(queens_14)) as at:
                ready(page, at)
                last_card(page, 0)
                port = int(at.rstrip("/").rpartition(":")[2])
            page.keyboard.press("End")
            expect(page.locator("#message")).to_contain_text("does not answer")
            with serving(str(queens_14), port=port):
                last_card(page, 365_595)
                expect(page.locator("#message")).to_be_hidden()
            assert all("ERR_CONNECTION" in problem for problem in problems), problems


def test_pieces_and_copies(browser: Browser) -> None:
    with (
        serving("pentominoes", "3", "20") as at,
        watched(browser, permissions=["clipboard-read", "clipboard-write"]) as (page, problems),
    ):
        ready(page, at)
        page.locator(".card").nth(0).click()
        first = page.locator(".spot").nth(0)
        assert re.fullmatch("piece . at row 1, column 1", first.get_attribute("aria-label") or "")
        first.click()
        expect(page.locator(".chip")).to_have_text(re.compile("^piece . at row 1, column 1✕$"))
        expect(page.locator("#remaining")).to_have_text(re.compile(r"^[1-8] remain"))
        page.locator("#copy-text").click()
        expect(page.locator("#copy-text")).to_have_text("Copied")
        assert len(page.evaluate("navigator.clipboard.readText()").splitlines()) in (3, 20)
        page.locator("#copy-svg").click()
        expect(page.locator("#copy-svg")).to_have_text("Copied")
        text = page.evaluate("navigator.clipboard.readText()")
        assert text.startswith("<svg ")
        assert "rk-piece" in text
        assert problems == []


def test_static_files_work_from_a_folder(browser: Browser, tmp_path: Path) -> None:
    """As somebody opens them who was sent the folder."""
    subprocess.run(
        [*COMMAND, "gallery", "queens", "8", "--static", str(tmp_path / "site")],
        check=True,
        capture_output=True,
    )
    with watched(browser) as (page, problems):
        ready(page, (tmp_path / "site" / "index.html").as_uri())
        expect(page.locator("#counts")).to_have_text("total 92, unique 12")
        page.select_option("#only", "representatives")
        expect(page.locator("#counts")).to_have_text("total 92, unique 12, 12 remain")
        page.locator("#cards > *").first.click()
        expect(page.locator("#orbit > *")).to_have_count(8)
        page.reload()
        expect(page.locator("#counts")).to_have_text("total 92, unique 12, 12 remain")
        assert problems == []


def test_static_files_show_the_same(browser: Browser, tmp_path: Path) -> None:
    subprocess.run(
        [*COMMAND, "gallery", "queens", "8", "--static", str(tmp_path / "site")],
        check=True,
        capture_output=True,
    )
    server = subprocess.Popen(
        [
            sys.executable,
            "-u",
            "-m",
            "http.server",
            "0",
            "--bind",
            "127.0.0.1",
            "--directory",
            str(tmp_path / "site"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert server.stdout is not None
        match = re.search(r"port (\d+)", server.stdout.readline())
        assert match
        with watched(browser) as (page, problems):
            ready(page, f"http://127.0.0.1:{match[1]}/")
            expect(page.locator("#counts")).to_have_text("total 92, unique 12")
            page.select_option("#only", "representatives")
            expect(page.locator("#counts")).to_have_text("total 92, unique 12, 12 remain")
            page.select_option("#only", "all")
            page.locator('.card[data-number="0"]').click()
            expect(page.locator("#orbit svg")).to_have_count(8)
            page.locator(".spot").nth(0).click()
            expect(page.locator("#counts")).to_have_text("total 92, unique 12, 4 remain")
            assert problems == []
    finally:
        server.terminate()
        server.wait(timeout=20)
        if server.stdout:
            server.stdout.close()


def test_a_run_in_progress_shows_its_progress(browser: Browser, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [
            *COMMAND,
            "run",
            "queens",
            "15",
            "--out",
            str(tmp_path / "run"),
            "--workers",
            "1",
            "--shards",
            "4000",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with watched(browser) as (page, problems):
            while not (tmp_path / "run" / "manifest.json").is_file():
                page.wait_for_timeout(50)
            with serving(str(tmp_path / "run")) as at:
                ready(page, at)
                expect(page.locator("#counts")).to_have_text(
                    "total 2,279,184, unique 285,053", timeout=120_000
                )
                expect(page.locator("#progress")).to_be_hidden()
                page.locator("#scroll").focus()
                page.keyboard.press("End")
                last_card(page, 2_279_183)
            assert problems == []
    finally:
        process.terminate()
        process.wait(timeout=30)


def test_a_link_stays_right_when_an_earlier_part_of_the_run_is_finished(
    browser: Browser, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    rk.run(rk.queens(8), folder, shards=8)
    hide_shards(folder, [0])
    with serving(str(folder)) as at, watched(browser) as (page, problems):
        ready(page, at)
        page.locator('.card[data-number="0"]').click()
        expect(page.locator("dialog[open] h2")).to_have_text("queens 8: solution 0")
        link, row = page.url, page.locator("#row").text_content()
        assert link.endswith("?open=1-0")
        show_shard(folder, 0)
        expect(page.locator("#counts")).to_have_text("total 92, unique 12")
        expect(page.locator("dialog[open] h2")).to_have_text("queens 8: solution 4")
        assert page.locator("#row").text_content() == row
        page.locator("#previous").click()
        expect(page.locator("dialog[open] h2")).to_have_text("queens 8: solution 3")
        page.goto("about:blank")
        ready(page, link)
        expect(page.locator("dialog[open] h2")).to_have_text("queens 8: solution 4")
        assert page.url.endswith("?open=4")
        assert problems == []


def test_the_page_that_plays_a_search(browser: Browser, tmp_path: Path) -> None:
    out = tmp_path / "search.html"
    subprocess.run(
        [*COMMAND, "draw", "queens", "5", "--animate", "-o", str(out)], check=True, capture_output=True
    )
    with watched(browser) as (page, problems):
        page.goto(out.as_uri())
        page.select_option("#method", label="Bitmap")
        page.locator("#step").click()
        expect(page.locator("#said")).to_have_text("Place a queen at row 1, column 1.")
        page.locator("#next").click()
        expect(page.locator("#said")).to_have_text("A solution.")
        expect(page.locator("#n-found")).to_have_text("1")
        page.evaluate("document.getElementById('speed').value = 10")
        page.locator("#play").click()
        expect(page.locator("#n-found")).to_have_text("10", timeout=20_000)
        expect(page.locator("#n-nodes")).to_have_text("53")
        assert problems == []
