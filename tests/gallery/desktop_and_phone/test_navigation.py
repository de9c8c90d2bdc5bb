"""Ways through the gallery: back and forward, links, the choice of a run, the page of a search, and a folder of files."""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import rekkyo as rk
from tests.gallery.chromium import COMMAND, ready, serving
from tests.gallery.desktop_and_phone.views import counts, put

pytestmark = pytest.mark.browser


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


def test_the_search_can_be_watched(page: Page, queens: str, dominoes: str) -> None:
    ready(page, queens)
    page.locator("#search").click()
    page.select_option("#method", label="Bitmap")
    page.locator("#step").click()
    expect(page.locator("#said")).to_have_text("Place a queen at row 1, column 1.")
    page.go_back()
    expect(page.locator('.card[data-number="0"] svg')).to_be_visible()


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
