"""Pages of the size of a desktop and of a phone, and galleries that run as commands."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.gallery.chromium import serving, watched
from tests.gallery.desktop_and_phone.views import DESKTOP, PHONE


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
