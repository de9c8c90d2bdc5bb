"""The gallery on a desktop and on a phone: sizes of the window, and what tests look at and choose in both."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

DESKTOP = {"viewport": {"width": 1200, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def counts(page: Page, text: str) -> None:
    expect(page.locator("#counts")).to_have_text(text)


def opened(page: Page, number: int) -> None:
    expect(page.locator("dialog[open] h2")).to_have_text(re.compile(f": solution {number}$"))


def put(page: Page, selector: str, value: str) -> None:
    """Choose in a list, which a phone may have to scroll to."""
    page.locator(selector).scroll_into_view_if_needed()
    page.select_option(selector, value)
