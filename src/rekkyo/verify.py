"""Checks one solution against its model, by the definition and nothing else.

Shares no code with any engine, on purpose: it is the first tier of evidence. It cannot see that a solution
is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from itertools import combinations

from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model, Puzzle
from rekkyo.model.queens import Queens


def verify(puzzle: Puzzle, row: Sequence[int]) -> list[str]:
    """Everything that is wrong with a solution row, one sentence each; empty when it is valid."""
    shape = puzzle.model.row_shape
    if len(row) != shape.length:
        return [f"has {len(row)} values, not {shape.length}"]
    misfits = [
        f"value {value!r} at position {position} is not a whole number from 0 to {shape.n_symbols - 1}"
        for position, value in enumerate(row)
        if not (_is_whole(value) and 0 <= value < shape.n_symbols)
    ]
    return misfits or violations(puzzle.model, [int(value) for value in row])


def _is_whole(value: object) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


@singledispatch
def violations(model: Model, row: Sequence[int]) -> list[str]:
    """What is wrong with a row of the right length and range, for each kind of model."""
    raise TypeError(f"no check is written for models of type {type(model).__name__}")


@violations.register
def _queens(model: Queens, row: Sequence[int]) -> list[str]:
    queens = list(enumerate(row))
    found = [f"queen on blocked square {r},{c}" for r, c in queens if (r, c) in model.blocked]
    found += [f"no queen on given square {r},{c}" for r, c in sorted(model.given) if row[r] != c]
    for (r1, c1), (r2, c2) in combinations(queens, 2):
        down, across = r2 - r1, c2 - c1
        if model.toroidal:
            shares_diagonal = (down - across) % model.n == 0 or (down + across) % model.n == 0
        else:
            shares_diagonal = abs(across) == down
        if across == 0:
            found.append(f"queens in rows {r1} and {r2} share column {c1}")
        elif shares_diagonal:
            found.append(f"queens in rows {r1} and {r2} share a diagonal")
    return found


@violations.register
def _exact_cover(model: ExactCover, row: Sequence[int]) -> list[str]:
    n_options = len(model.options)
    chosen = [option for option in row if option < n_options]
    found = [] if list(row) == sorted(row) else ["options are not in increasing order"]
    found += [
        f"option {option} is chosen twice" for option in sorted(set(chosen)) if chosen.count(option) > 1
    ]
    colors: dict[int, list[int]] = {}
    for option in chosen:
        for item, color in model.options[option]:
            colors.setdefault(item, []).append(color)
    for item in range(len(model.primary)):
        times, (low, high) = len(colors.get(item, [])), model.bounds_of(item)
        if not low <= times <= high:
            found.append(f"item {model.item_name(item)} is covered {times} times, not {low} to {high}")
    for item in range(len(model.primary), len(model.primary) + len(model.secondary)):
        seen = colors.get(item, [])
        if len(seen) > 1 and (0 in seen or len(set(seen)) > 1):
            found.append(f"item {model.item_name(item)} is used {len(seen)} times without one common colour")
    return found
