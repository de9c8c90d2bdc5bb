"""Exact covers that are boards of numbers, by the names of their items.

A latin square and a sudoku have an item `r0c0` for each cell and `r0=1` for each number in a row, and `b0=1`
if there are boxes, which are drawn if they are square; a Langford pairing has `place1` and `pair1`. Names of
cells may count from 0 or from 1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import TypeAlias

from rekkyo.model.exact_cover import ExactCover

Placed: TypeAlias = tuple[tuple[int, int], ...]
"""(cell, index of its number) pairs."""

CELL = re.compile(r"r([0-9]{1,3})c([0-9]{1,3})")
NUMBER_IN_ROW = re.compile(r"r[0-9]{1,3}=([0-9]{1,3})")
IN_BOX = re.compile(r"b([0-9]{1,3})=[0-9]{1,3}")


@dataclass(frozen=True, slots=True)
class NumberBoard:
    """Cells row by row, `columns` in a row. box: side of the boxes, or 0. placed: for each option."""

    rows: int
    columns: int
    box: int
    numbers: tuple[str, ...]
    placed: tuple[Placed, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Readable names of the cells."""
        if self.rows < self.columns:
            return tuple(f"place {column + 1}" for column in range(self.columns))
        return tuple(f"row {r + 1}, column {c + 1}" for r in range(self.rows) for c in range(self.columns))


def number_board(model: ExactCover) -> NumberBoard | None:
    """The board of a cover, or None."""
    return _square(model) or _pairs(model)


def _square(model: ExactCover) -> NumberBoard | None:
    names = [model.item_name(item) for item in range(len(model.primary) + len(model.secondary))]
    places = {item: (int(m[1]), int(m[2])) for item, name in enumerate(names) if (m := CELL.fullmatch(name))}
    side = isqrt(len(places))
    ordered = sorted(places.values())
    first = ordered[0][0] if ordered else 0
    if not side or ordered != [(first + r, first + c) for r in range(side) for c in range(side)]:
        return None
    written = {item: m[1] for item, name in enumerate(names) if (m := NUMBER_IN_ROW.fullmatch(name))}
    numbers = tuple(sorted(set(written.values()), key=int))
    if not numbers:
        return None
    index_of = {text: index for index, text in enumerate(numbers)}
    box_of = {item: m[1] for item, name in enumerate(names) if (m := IN_BOX.fullmatch(name))}
    boxes = [tuple(box_of[item] for item, _ in option if item in box_of) for option in model.options]
    placed = []
    for option in model.options:
        cells = [places[item] for item, _ in option if item in places]
        values = [written[item] for item, _ in option if item in written]
        if len(cells) != 1 or len(values) != 1:
            return None
        ((row, column),) = cells
        placed.append((((row - first) * side + column - first, index_of[values[0]]),))
    return NumberBoard(side, side, _side_of_boxes(side, placed, boxes), numbers, tuple(placed))


def _side_of_boxes(side: int, placed: Sequence[Placed], boxes: Sequence[tuple[str, ...]]) -> int:
    """The side of the boxes; 0 if they are not square, or there are none. boxes: of each option."""
    box = isqrt(side)
    pairs = {
        (cell // side // box, cell % side // box, named)
        for ((cell, _),), named in zip(placed, boxes, strict=True)
    }
    n_squares, n_named = len({pair[:2] for pair in pairs}), len({pair[2] for pair in pairs})
    return box if box**2 == side and any(boxes) and n_squares == n_named == len(pairs) else 0


def _pairs(model: ExactCover) -> NumberBoard | None:
    names = model.primary
    n_places = sum(name.startswith("place") for name in names)
    n_pairs = len(names) - n_places
    is_pairing = all(
        name == (f"pair{k + 1}" if k < n_pairs else f"place{k - n_pairs + 1}") for k, name in enumerate(names)
    )
    if not n_places or n_places != 2 * n_pairs or not is_pairing:
        return None
    placed = []
    for option in model.options:
        pairs = [item for item, _ in option if item < n_pairs]
        places = [item - n_pairs for item, _ in option if n_pairs <= item < len(names)]
        if len(pairs) != 1 or len(places) != 2 or len(option) != 3:
            return None
        placed.append(tuple((place, pairs[0]) for place in places))
    return NumberBoard(1, n_places, 0, tuple(str(pair + 1) for pair in range(n_pairs)), tuple(placed))
