"""How a designer uses the page: strokes, clicks and keys, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from playwright.sync_api import Locator, Page, expect

LONG_MS = 20_000


def create(page: Page, kind: str, size: str = "") -> None:
    page.select_option("#kind", kind)
    page.fill("#size", size)
    page.click("#new button")
    settled(page)


def settled(page: Page) -> None:
    """Until the server has said what it read."""
    expect(page.locator("#answers.old")).to_have_count(0, timeout=LONG_MS)


def counted(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.locator("#answers:not(.old) #count")).to_contain_text(text, timeout=LONG_MS)


def cell(painter: Locator, spot: Sequence[int]) -> Locator:
    return painter.locator(f'[data-at="{",".join(map(str, spot))}"]')


def middle(painter: Locator, spot: Sequence[int]) -> tuple[float, float]:
    found = cell(painter, spot)
    found.scroll_into_view_if_needed()
    box = found.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def stroke(page: Page, painter: Locator, spots: Sequence[Sequence[int]]) -> None:
    """One stroke over some cells."""
    page.mouse.move(*middle(painter, spots[0]))
    page.mouse.down()
    for spot in spots[1:]:
        box = cell(painter, spot).bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=2)
    page.mouse.up()
    settled(page)


def board(page: Page) -> Locator:
    return page.locator("#board svg")


def piece(page: Page, name: str) -> Locator:
    return page.locator(f'#pieces li[data-piece="{name}"] svg')


def draw_piece(page: Page, name: str, cells: Iterable[Sequence[int]]) -> None:
    """Paint a piece cell by cell, from the one in its corner. It moves home after each stroke."""
    wanted = [tuple(spot) for spot in cells]
    done = [wanted[0]]
    left = wanted[1:]
    while left:
        spot = next(
            spot
            for spot in left
            if any(sum(abs(a - b) for a, b in zip(spot, at, strict=True)) == 1 for at in done)
        )
        home = [min(axis) for axis in zip(*done, strict=True)]
        stroke(page, piece(page, name), [[a - b for a, b in zip(spot, home, strict=True)]])
        done.append(spot)
        left.remove(spot)
