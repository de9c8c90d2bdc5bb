"""A description of a model in words and drawings, so that the author of a puzzle can check it before a
search. Large boards and long lists are shortened.
"""

from __future__ import annotations

from collections import Counter
from functools import singledispatch
from itertools import islice

from rekkyo.model.coloring import COLOR_SYMBOLS, Coloring
from rekkyo.model.csp.constraints import variables_of
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lattices import Cell, Lattice
from rekkyo.model.lattices.drawing import MAY_STAY_EMPTY, draw, spot
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Model, Puzzle
from rekkyo.model.queens import Queens
from rekkyo.model.sum_figure import SumFigure
from rekkyo.render.board import colored_cells
from rekkyo.render.option_words import items_of
from rekkyo.wording import how_often, several

MAX_LINES, MAX_COLUMNS = 60, 160
MAX_LISTED = 40
INDENT = "  "


def understood(puzzle: Puzzle) -> list[str]:
    """The lines that describe a puzzle's model."""
    if isinstance(puzzle.model, Coloring):
        return _coloring(puzzle.model, puzzle.symbols)
    return describe(puzzle.model_in_words)


@singledispatch
def describe(model: Model) -> list[str]:
    """The description for each kind of model."""
    raise TypeError(f"no description is written for models of type {type(model).__name__}")


@describe.register
def _packing(model: Packing) -> list[str]:
    filled = "all covered" if model.filled else "some may stay empty"
    optional = model.optional if model.filled else frozenset()
    if optional:
        filled = f"{len(optional)} of them, marked {MAY_STAY_EMPTY}, may stay empty"
    kind = f"{model.lattice.name} lattice" + (", opposite edges joined" if model.toroidal else "")
    over = "turned over or not" if model.reflections else "never turned over"
    given = {cell: name for name, cells in model.given for cell in cells}
    marks = {cell: MAY_STAY_EMPTY if cell in optional else "#" for cell in model.board}
    marks |= {cell: name[:1] for cell, name in given.items()}
    n_placements = Counter(placement.piece for placement in model.placements())
    lines = [f"board: {several(len(model.board), 'cell')} on the {kind}, {filled}"]
    lines += _drawn(model.lattice, marks)
    if model.colors:
        lines.append(f"colours of {several(len(model.colors), 'cell')} of the board{_pairs(model)}")
        lines += _drawn(model.lattice, dict.fromkeys(model.board, "#") | dict(model.colors))
    lines.append(f"pieces: {len(model.pieces)}, with {_area(model)}, {over}")
    for piece in model.pieces[:MAX_LISTED]:
        facts = (
            several(len(piece.cells), "cell"),
            several(len(model.colored_orientations(piece)), "orientation"),
            several(n_placements[piece.name], "placement"),
            how_often(piece.low, piece.high),
            *([] if piece.only_on is None else [f"only on {several(len(piece.only_on), 'cell')}"]),
            *([f"colours on {several(len(piece.colors), 'cell')}"] if piece.colors else []),
        )
        lines.append(f"{INDENT}{piece.name}: {', '.join(facts)}")
        mark = "#" if piece.colors else piece.name[:1]
        lines += _drawn(model.lattice, dict.fromkeys(piece.cells, mark) | dict(piece.colors), 2 * INDENT)
    return lines + _rest(len(model.pieces))


@describe.register
def _queens(model: Queens) -> list[str]:
    kind = "a torus" if model.toroidal else "a board"
    rows = [
        "".join(
            "Q" if (row, column) in model.given else "x" if (row, column) in model.blocked else "."
            for column in range(model.n)
        )
        for row in range(model.n)
    ]
    return [
        f"{several(model.n, 'queen')} on {kind}, {len(model.given)} given,"
        f" {several(len(model.blocked), 'square')} blocked",
        *(INDENT + row for row in rows),
    ]


@describe.register
def _sum_figure(model: SumFigure) -> list[str]:
    numbers = _listed(model.numbers)
    if model.numbers[-1] - model.numbers[0] == len(model.numbers) - 1 > 0:
        numbers = f"{model.numbers[0]} to {model.numbers[-1]}"
    lines = [f"figure: {several(len(model.cells), 'cell')}, numbers {numbers}"]
    lines += [f"lines: {len(model.lines)}, orders: {len(model.orders)}"]
    cells = model.cells
    for line in model.lines[:MAX_LISTED]:
        names = _cut(" ".join(cells[cell] for cell in line.cells))
        lines.append(f"{INDENT}{names} = {'the common sum' if line.sum is None else line.sum}")
    lines += _rest(len(model.lines))
    lines += [f"{INDENT}{cells[less]} < {cells[more]}" for less, more in model.orders[:MAX_LISTED]]
    lines += _rest(len(model.orders))
    lines += [f"given: {cells[cell]} = {number}" for cell, number in sorted(model.given)[:MAX_LISTED]]
    return lines + _rest(len(model.given))


@describe.register
def _csp(model: Csp) -> list[str]:
    n_hidden = len(model.names) - len(model.solution)
    lines = [f"{several(len(model.solution), 'variable')} in a solution, {n_hidden} hidden"]
    domains = Counter(model.domains[v] for v in model.solution)
    for domain, times in domains.most_common(MAX_LISTED):
        lines.append(_cut(f"{INDENT}{several(times, 'variable')} with the values {_listed(domain)}"))
    lines += _rest(len(domains))
    kinds = Counter(type(constraint).__name__ for constraint in model.constraints)
    lines.append(f"constraints: {', '.join(f'{n} {kind}' for kind, n in sorted(kinds.items())) or 'none'}")
    for constraint in model.constraints[:MAX_LISTED]:
        names = (model.names[v] for v in dict.fromkeys(variables_of(constraint)))
        lines.append(_cut(f"{INDENT}{type(constraint).__name__}: {' '.join(names)}"))
    lines += _rest(len(model.constraints))
    if model.objective is not None:
        verb = "maximize" if model.objective.maximize else "minimize"
        lines.append(f"{verb} {model.names[model.objective.variable]}")
    return lines


@describe.register
def _exact_cover(model: ExactCover) -> list[str]:
    lines = [
        f"exact cover: {several(len(model.primary), 'item')} to be covered, {len(model.secondary)} secondary,"
        f" {several(len(model.options), 'option')}"
    ]
    counted = sorted(Counter(bounds for bounds in model.bounds if bounds != (1, 1)).items())
    lines += [
        f"{several(n, 'item')} to be covered {how_often(*bounds)}" for bounds, n in counted[:MAX_LISTED]
    ]
    lines += _rest(len(counted))
    numbers = range(len(model.options))[:MAX_LISTED]
    lines += [INDENT + _cut(" ".join(items_of(model, number))) for number in numbers]
    return lines + _rest(len(model.options))


def _coloring(model: Coloring, symbols: str) -> list[str]:
    colors = symbols[: model.n_colors] if len(symbols) >= model.n_colors else COLOR_SYMBOLS[: model.n_colors]
    lines = [
        f"colouring: {several(model.n_cells, 'cell')} in {several(model.n_colors, 'colour')},"
        f" {' '.join(colors)}"
    ]
    fixed = dict(model.fixed)
    marks = ["?" if cell not in fixed else colors[fixed[cell]] for cell in range(model.n_cells)]
    if model.names:
        lines.append(f"cells: {_cut(' '.join(model.names))}")
    rows = colored_cells(model, marks).split("\n")
    lines += [INDENT + _cut(row) for row in rows[:MAX_LINES]] + _rest(len(rows), MAX_LINES)
    for what, sets in (
        ("sets that must not have one colour", model.sets),
        ("patterns to avoid", model.patterns),
    ):
        sizes = sorted(Counter(map(len, sets)).items())
        if sets:
            some = ", ".join(
                f"{times} of {several(size, 'cell')}" for size, times in islice(sizes, MAX_LISTED)
            )
            lines.append(f"{what}: {len(sets)} ({some})")
    for color, (low, high) in zip(colors, model.bounds, strict=False):
        cells = several(low, "cell") if low == high else f"{low} to {high} cells"
        lines.append(f"colour {color}: in {cells}")
    return lines


def _drawn(lattice: Lattice, marks: dict[Cell, str], indent: str = INDENT) -> list[str]:
    places = [spot(lattice, cell) for cell in marks]
    layers, lines, columns = (max(part) - min(part) + 1 for part in zip(*places, strict=True))
    if lines > MAX_LINES or layers * columns > MAX_COLUMNS:
        return [f"{indent}(too large to draw here: {lines} lines of {layers * columns} characters)"]
    return [indent + line for line in draw(lattice, marks).split("\n")]


def _pairs(model: Packing) -> str:
    """Which colours of pieces fit those of the board, unless equal ones do."""
    if model.color_pairs is None:
        return ""
    pairs = ", ".join(f"{of_piece} on {of_board}" for of_piece, of_board in sorted(model.color_pairs))
    return f"; fitting: {pairs or 'none'}"


def _area(model: Packing) -> str:
    """How many cells all pieces have together."""
    least = sum(len(piece.cells) * piece.low for piece in model.pieces)
    if any(piece.high is None for piece in model.pieces):
        return f"{least} or more cells"
    most = sum(len(piece.cells) * (piece.high or 0) for piece in model.pieces)
    return several(least, "cell") if least == most else f"{least} to {most} cells"


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers[:MAX_LISTED])) + (", ..." if len(numbers) > MAX_LISTED else "")


def _rest(n_all: int, n_shown: int = MAX_LISTED) -> list[str]:
    return [f"{INDENT}... and {n_all - n_shown} more"] if n_all > n_shown else []


def _cut(text: str) -> str:
    return text if len(text) <= MAX_COLUMNS else text[: MAX_COLUMNS - 3] + "..."
