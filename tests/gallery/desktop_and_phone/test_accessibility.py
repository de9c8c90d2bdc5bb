"""Accessibility of the gallery: the keyboard reaches everything, themes are kept, and axe-core finds no violation."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.gallery.chromium import ready, serving
from tests.gallery.desktop_and_phone.views import counts, opened

pytestmark = pytest.mark.browser

AXE = Path(__file__).parents[1] / "node_modules" / "axe-core" / "axe.min.js"
RULES_IN_A_SENTENCE = (
    "axe.run().then(found => found.violations.map(v => [v.id, v.nodes.map(n => n.html.slice(0, 120))]))"
)


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
