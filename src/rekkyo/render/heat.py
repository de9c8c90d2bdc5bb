"""A heat map: the counts of each value in each cell; as text, and in `svg/heat_map.py` as a picture.

Places and values are the spots and things of the drawing, so every puzzle with a board has a heat map. A
packing of one piece has a map for each orientation; covers without a board have a line for each option.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rekkyo.model.boards import place_named
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lattices import cell_name
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Model, Puzzle
from rekkyo.model.queens import Queens
from rekkyo.model.sum_figure import SumFigure
from rekkyo.model.tile_board import tile_board
from rekkyo.render.letter_board import letter_board
from rekkyo.render.number_board import number_board
from rekkyo.render.svg.drawing import painting_of

Style: TypeAlias = Callable[[str, str], str]
COOL, HOT = (0xF4, 0xF1, 0xEA), (0xD5, 0x5E, 0x00)
ON_BOARD = re.compile(r"row ([0-9]+), column ([0-9]+)")
SHADES = " .:-=+*#%@"
"""Shades from 0 to the largest share of the drawing, in tenths."""


@dataclass(frozen=True, slots=True)
class Heat:
    """The counts of one thing. name: of the thing; counts: by place, in the order of the board."""

    name: str
    counts: dict[str, int]


def heat_map(puzzle: Puzzle, total: int, uses: Sequence[int], style: Style | None = None) -> str:
    """The drawing: shares in percent, and shades if the board is a rectangle of squares.

    style: makes a text on a background, for a terminal; then colours replace shades.
    """
    found = heats(puzzle, uses)
    most = max((times for heat in found for times in heat.counts.values()), default=0)
    return "\n\n".join(f"{heat.name}\n{_drawn(heat, total, most, style)}" for heat in found)


def heats(puzzle: Puzzle, uses: Sequence[int]) -> list[Heat]:
    """The number of solutions with each value in each place; values that never occur are left out.

    They have the order of the values in the drawing; pieces have the order of their names.
    """
    model = puzzle.model
    if isinstance(model, ExactCover) and puzzle.picture is None and not has_board(model):
        options = {_name_of(model, number): uses[number] for number in range(len(model.options))}
        return [Heat("option", options)] if options else []
    painting = painting_of(puzzle)
    places = _places(model, painting.spot_names)
    orientation = _orientations(model)
    found = {_label(model, thing): [0] * len(places) for thing in painting.things}
    for atom, times in enumerate(uses):
        for spot, thing in painting.pairs_of_atom(atom) if times else ():
            name = _label(model, painting.things[thing])
            if orientation is not None:
                name = f"{name}, orientation {orientation[atom]}"
            found.setdefault(name, [0] * len(places))[spot] += times
    names = sorted(found) if isinstance(model, Packing) else list(found)
    return [Heat(name, dict(zip(places, found[name], strict=True))) for name in names if any(found[name])]


def has_board(model: ExactCover) -> bool:
    """Whether a cover is drawn as a board of numbers, tiles or letters."""
    return any(board(model) is not None for board in (tile_board, letter_board, number_board))


def _label(model: Any, thing: str) -> str:
    if isinstance(model, Queens):
        return "queen"
    return thing.removeprefix("piece ") if isinstance(model, Packing) else thing


def _name_of(model: ExactCover, number: int) -> str:
    return f"{number}: {' '.join(model.item_name(item) for item, _ in model.options[number])}"


def _orientations(model: Model) -> list[int] | None:
    """The orientation of each placement of the only piece, from 1; None of other models."""
    if not isinstance(model, Packing) or len(model.pieces) > 1:
        return None
    numbers = model.orientation_on(model.pieces[0])
    return [numbers[cells] + 1 for _, cells in model.placements()]


def _places(model: Any, spot_names: Sequence[str]) -> list[str]:
    """Short names of the spots: `row,column` from 0 on a board."""
    if isinstance(model, Packing):
        return [cell_name(cell) for cell in sorted(model.board)]
    if isinstance(model, SumFigure):
        return list(model.cells)
    found = [ON_BOARD.fullmatch(name) for name in spot_names]
    return [
        f"{int(match[1]) - 1},{int(match[2]) - 1}" if match else name
        for match, name in zip(found, spot_names, strict=True)
    ]


def _drawn(heat: Heat, total: int, most: int, style: Style | None) -> str:
    places = [place_named(name) for name in heat.counts]
    shares = {name: times / total if total else 0.0 for name, times in heat.counts.items()}
    if all(len(place) == 2 for place in places):
        by_place = dict(zip(places, shares.values(), strict=True))
        return _grid(by_place, most / total if total else 0.0, style)
    width = max(map(len, shares), default=0)
    return "\n".join(
        f"{name.ljust(width)}  {100 * share:6.2f} %  {heat.counts[name]}" for name, share in shares.items()
    )


def _grid(shares: dict[tuple[int, ...], float], most: float, style: Style | None) -> str:
    """Percentages on their board, in colours up to that of the share `most`, or with shades beside them."""
    rows, columns = (sorted({place[axis] for place in shares}) for axis in (0, 1))
    most_here = max(shares.values())
    lines = []
    for row in rows:
        here = [shares.get((row, column)) for column in columns]
        if style is None:
            numbers = " ".join("    -" if s is None else f"{100 * s:5.1f}" for s in here)
            shades = "".join("  " if s is None else 2 * _shade(s, most_here) for s in here)
            lines.append(f"{numbers}   {shades}".rstrip())
        else:
            texts = (" " * 6 if s is None else style(f"{100 * s:5.1f} ", heat_of(s, most)) for s in here)
            lines.append("".join(texts))
    return "\n".join(lines)


def heat_of(share: float, most: float) -> str:
    """The colour of a share: from nearly white to the heat of the largest one."""
    part = share / most if most else 0.0
    mixed = (round(cool + part * (hot - cool)) for cool, hot in zip(COOL, HOT, strict=True))
    return "#" + "".join(f"{channel:02X}" for channel in mixed)


def _shade(share: float, most: float) -> str:
    return SHADES[min(len(SHADES) - 1, int(share / most * len(SHADES)))] if most else SHADES[0]
