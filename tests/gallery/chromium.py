"""The gallery in a real browser: how pages are opened and galleries served. A console error fails every test."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, ConsoleMessage, Page, expect

COMMAND = [sys.executable, "-m", "rekkyo"]


@contextmanager
def watched(browser: Browser, **settings: object) -> Iterator[tuple[Page, list[str]]]:
    settings.setdefault("viewport", {"width": 1200, "height": 800})
    context = browser.new_context(**settings)  # type: ignore[arg-type]
    made, problems = context.new_page(), []
    made.on("console", lambda message: problems.append(message.text) if _is_problem(message) else None)
    made.on("pageerror", lambda error: problems.append(str(error)))
    yield made, problems
    context.close()


def _is_problem(message: ConsoleMessage) -> bool:
    """Errors and warnings, but for how long a driver takes to read what it has drawn in space."""
    return message.type in ("error", "warning") and "GL Driver Message" not in message.text


@contextmanager
def serving(*words: str, port: int = 0, command: str = "gallery") -> Iterator[str]:
    """The address of a gallery, or of another page, that runs as a command."""
    process = subprocess.Popen(
        [*COMMAND, command, *words, "--port", str(port)],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if match := re.search(r"http://\S+/", line):
                yield match[0]
                break
        else:
            raise AssertionError(f"the {command} did not start")
    finally:
        process.terminate()
        process.wait(timeout=20)
        if process.stderr:
            process.stderr.close()


def ready(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("html[data-ready]")


def last_card(page: Page, number: int) -> None:
    expect(page.locator(f'.card[data-number="{number}"] svg')).to_be_visible()
