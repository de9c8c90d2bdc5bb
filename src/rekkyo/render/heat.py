"""A heat map as text: how often each cell of a board holds each value.

Queens: how often a queen stands on each square. Packings: how often each cell is covered by each piece, or,
with one piece, by each of its orientations. Any other exact cover: a line for each option.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch

from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lattices.shapes import at_home
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Model, Puzzle
from rekkyo.model.queens import Queens
from rekkyo.render.number_board import place_named

SHADES = " .:-=+*#%@"
"""From never to the largest share of the drawing, in tenths."""


@dataclass(frozen=True, slots=True)
class Heat:
    """How often something is there. name: what; counts: by place, in the order of the board."""

    name: str
    counts: dict[str, int]


def heat_map(puzzle: Puzzle, total: int, uses: Sequence[int]) -> str:
    """The drawing: shares in percent, and shades where the board is a rectangle of squares."""
    return "\n\n".join(f"{heat.name}\n{_drawn(heat, total)}" for heat in heats(puzzle.model, uses))


@singledispatch
def heats(model: Model, uses: Sequence[int]) -> list[Heat]:
    """In how many solutions each value is in each place, for each kind of model."""
    raise TypeError(f"no heat map is written for models of type {type(model).__name__}")


@heats.register
def _queens(model: Queens, uses: Sequence[int]) -> list[Heat]:
    return [
        Heat("queen", {f"{r},{c}": uses[r * model.n + c] for r in range(model.n) for c in range(model.n)})
    ]


@heats.register
def _exact_cover(model: ExactCover, uses: Sequence[int]) -> list[Heat]:
    names = [" ".join(model.item_name(item) for item, _ in option) for option in model.options]
    return [Heat("option", {f"{number}: {name}": uses[number] for number, name in enumerate(names)})]


@heats.register
def _packing(model: Packing, uses: Sequence[int]) -> list[Heat]:
    one_piece = len(model.pieces) == 1
    orientations = {
        shape: number for number, shape in enumerate(model.orientations(model.pieces[0]), start=1)
    }
    board = {cell: ",".join(map(str, cell)) for cell in sorted(model.board)}
    found: dict[str, dict[str, int]] = {}
    for (piece, cells), times in zip(model.placements(), uses, strict=False):
        name = f"{piece}, orientation {orientations[at_home(model.lattice, cells)]}" if one_piece else piece
        counts = found.setdefault(name, dict.fromkeys(board.values(), 0))
        for cell in cells:
            counts[board[cell]] += times
    return [Heat(name, found[name]) for name in sorted(found)]


def _drawn(heat: Heat, total: int) -> str:
    places = [place_named(name) for name in heat.counts]
    shares = {name: times / total if total else 0.0 for name, times in heat.counts.items()}
    if all(len(place) == 2 for place in places):
        return _grid(dict(zip(places, shares.values(), strict=True)))
    width = max(map(len, shares), default=0)
    return "\n".join(
        f"{name.ljust(width)}  {100 * share:6.2f} %  {heat.counts[name]}" for name, share in shares.items()
    )


def _grid(shares: dict[tuple[int, ...], float]) -> str:
    rows, columns = (sorted({place[axis] for place in shares}) for axis in (0, 1))
    most = max(shares.values())
    lines = []
    for row in rows:
        here = [shares.get((row, column)) for column in columns]
        numbers = " ".join("    -" if share is None else f"{100 * share:5.1f}" for share in here)
        shades = "".join("  " if share is None else 2 * _shade(share, most) for share in here)
        lines.append(f"{numbers}   {shades}".rstrip())
    return "\n".join(lines)


def _shade(share: float, most: float) -> str:
    return SHADES[min(len(SHADES) - 1, int(share / most * len(SHADES)))] if most else SHADES[0]
