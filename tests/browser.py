"""Debian's Chromium, driven by Playwright: one for all tests of pages."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    path = os.environ.get("REKKYO_CHROMIUM") or shutil.which("chromium")
    assert path, "these tests need Debian's Chromium: apt-get install chromium (or REKKYO_CHROMIUM=its path)"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()
