"""Covers for the tests of engine `cover-bitset`, and how their solutions are listed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rekkyo.engines.contract import WHOLE, Room, Status
from rekkyo.engines.covers.bitset.engine import CoverBitset
from rekkyo.model.exact_cover import ExactCover, Option
from tests.engines.listing_contract import list_all

ENGINE = CoverBitset()
Numbers = tuple[int, ...]


def plain(n_items: int, options: Iterable[Iterable[int]], n_secondary: int = 0) -> ExactCover:
    """No colours; the last n_secondary of the items are secondary."""
    names = [f"i{item}" for item in range(n_items)]
    n_primary = n_items - n_secondary
    uses = tuple(tuple((item, 0) for item in option) for option in options)
    return ExactCover(tuple(names[:n_primary]), tuple(names[n_primary:]), uses)


def dominoes(height: int, width: int) -> ExactCover:
    across = [(r * width + c, r * width + c + 1) for r in range(height) for c in range(width - 1)]
    down = [(r * width + c, r * width + c + width) for r in range(height - 1) for c in range(width)]
    return plain(height * width, across + down)


def colored_square() -> ExactCover:
    """Word squares over two letters: each option writes one row or column of a 2x2 square in colours."""
    words = [(1, 1), (1, 2), (2, 2)]
    places = [(4, 5), (6, 7), (4, 6), (5, 7)]
    options: list[Option] = [
        ((line, 0), (a, word[0]), (b, word[1])) for line, (a, b) in enumerate(places) for word in words
    ]
    return ExactCover(("r0", "r1", "c0", "c1"), ("00", "01", "10", "11"), tuple(options))


def solutions(
    model: ExactCover, at_least: int = 1, n_rows: int = 1000, budget: int = 100_000
) -> list[Numbers]:
    """The engine's solutions without filler, sorted."""
    rows = list_all(ENGINE, model, at_least, n_rows, budget)
    return without_filler(model, rows)


def without_filler(model: ExactCover, rows: list[Numbers]) -> list[Numbers]:
    return sorted(tuple(option for option in row if option < len(model.options)) for row in rows)


def total(model: ExactCover) -> int:
    return len(list_all(ENGINE, model, 1, 8192, 1 << 20))


def begun(model: ExactCover) -> Any:
    return ENGINE.start(ENGINE.plan(model), WHOLE)


def eager(model: ExactCover) -> Any:
    """A cursor at the beginning that enters every frame that halves a scan."""
    cursor = begun(model)
    cursor.weights[:], cursor.visits[:] = 1 << 20, 8
    return cursor


def rows_from(model: ExactCover, cursor: Any) -> list[Numbers]:
    room = Room.of(model.row_shape, 1000)
    advance = ENGINE.advance(ENGINE.plan(model), cursor, room, 1 << 20)
    assert advance.status is Status.DONE
    return [tuple(row) for row in room.take(advance, settled=False).rows.tolist()]
