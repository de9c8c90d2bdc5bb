"""Checks one solution against its model, by the definition alone.

It shares no code with any engine, because it is the first level of evidence. It cannot detect a missing
solution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import singledispatch
from itertools import combinations
from operator import sub

from rekkyo.model.checks import shown
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.completion import problems_of
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lattices import EDGES, Cell, cell_name
from rekkyo.model.lattices.lattice import added, applied
from rekkyo.model.lattices.shapes import Shape, at_home
from rekkyo.model.packing import Packing, Piece
from rekkyo.model.packing_cover import Placement
from rekkyo.model.puzzle import Model, Puzzle, check_puzzle
from rekkyo.model.queens import Queens
from rekkyo.model.row import Layout, row_values
from rekkyo.model.sum_figure import SumFigure
from rekkyo.wording import how_often, several


def verify(puzzle: Puzzle, row: Sequence[int]) -> list[str]:
    """Everything that is wrong with a solution row, one sentence each; empty if it is valid.

    A row of options may have its filler or not. Whether the value of an objective is the best is not checked.
    """
    check_puzzle(puzzle)
    row = row_values(row)
    shape = puzzle.model.row_shape
    if len(row) > shape.length or (len(row) < shape.length and shape.layout is Layout.BY_POSITION):
        return [f"has {several(len(row), 'value')}, not {shape.length}"]
    n_symbols = shape.n_symbols
    if {*map(type, row)} == {int} and 0 <= min(row) <= max(row) < n_symbols:
        return violations(puzzle.model, row) and violations(puzzle.model_in_words, row)
    misfits = [
        f"value {shown(value)} at position {position} is not a whole number from 0 to {n_symbols - 1}"
        for position, value in enumerate(row)
        if type(value) is not int or not 0 <= value < n_symbols
    ]
    return misfits or violations(puzzle.model_in_words, row)


@singledispatch
def violations(model: Model, row: Sequence[int]) -> list[str]:
    """The problems of a row of the right length and range, for each kind of model."""
    raise TypeError(f"no check is written for models of type {type(model).__name__}")


@violations.register
def _queens(model: Queens, row: Sequence[int]) -> list[str]:
    queens = list(enumerate(row))
    if _all_differ(model, queens) and model.blocked.isdisjoint(queens) and model.given.issubset(queens):
        return []
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


def _all_differ(model: Queens, queens: list[tuple[int, int]]) -> bool:
    """Whether no two queens are in one column, or on one diagonal of either kind."""
    period, n = model.n if model.toroidal else 2 * model.n, len(queens)
    rising, falling = {(r + c) % period for r, c in queens}, {(r - c) % period for r, c in queens}
    return len({c for _, c in queens}) == len(rising) == len(falling) == n


@violations.register
def _coloring(model: Coloring, row: Sequence[int]) -> list[str]:
    found = [
        f"cells {', '.join(map(str, cells))} all have colour {row[cells[0]]}"
        for cells in model.sets
        if len({row[cell] for cell in cells}) == 1
    ]
    for pattern in model.patterns:
        if all(row[cell] == color for cell, color in pattern):
            names = ", ".join(f"{cell}={color}" for cell, color in pattern)
            found.append(f"the forbidden pattern {names} appears")
    found += [
        f"cell {c} does not have its fixed colour {color}" for c, color in model.fixed if row[c] != color
    ]
    for color, (low, high) in enumerate(model.bounds):
        times = list(row).count(color)
        if not low <= times <= high:
            found.append(f"colour {color} is in {several(times, 'cell')}, not in {low} to {high}")
    return found


@violations.register
def _csp(model: Csp, row: Sequence[int]) -> list[str]:
    return problems_of(model, row)


@violations.register
def _exact_cover(model: ExactCover, row: Sequence[int]) -> list[str]:
    chosen = [option for option in row if option < len(model.options)]
    found = _not_a_set_of_options(row, len(model.options))
    n_primary = len(model.primary)
    items = [item for option in chosen for item, _ in model.options[option]]
    used = set(items)
    covers_all = not model.bounds and used.issuperset(range(n_primary))
    if covers_all and (len(used) == len(items) or _agree(model, chosen, len(used))):
        return found
    bounds = model.bounds or ((1, 1),) * n_primary
    colors: list[list[int]] = [[] for _ in range(n_primary + len(model.secondary))]
    for option in chosen:
        for item, color in model.options[option]:
            colors[item].append(color)
    for item, ((low, high), seen) in enumerate(zip(bounds, colors, strict=False)):
        if not low <= len(seen) <= high:
            found.append(f"item {model.item_name(item)} is covered {_not_as_often(len(seen), low, high)}")
    for item, seen in enumerate(colors[n_primary:], n_primary):
        if len(seen) > 1 and (0 in seen or len(set(seen)) > 1):
            found.append(f"item {model.item_name(item)} is used {len(seen)} times without one common colour")
    return found


def _agree(model: ExactCover, chosen: list[int], n_used: int) -> bool:
    """Whether the options give each of n_used items one colour, or use it once without a colour."""
    uses = [use for option in chosen for use in model.options[option]]
    uncolored = [item for item, color in uses if not color]
    return len(set(uses)) == n_used and len(set(uncolored)) == len(uncolored)


@violations.register
def _packing(model: Packing, row: Sequence[int]) -> list[str]:
    placements = model.placements()
    chosen = [placements[number] for number in row if number < len(placements)]
    found = _not_a_set_of_options(row, len(placements))
    times = Counter(placement.piece for placement in chosen)
    for piece in model.pieces:
        if not (piece.low <= times[piece.name] and (piece.high is None or times[piece.name] <= piece.high)):
            often = _not_as_often(times[piece.name], piece.low, piece.high)
            found.append(f"piece {piece.name} is placed {often}")
        found += _wrong_shapes(model, piece, chosen) + _out_of_bounds(piece, chosen)
        found += _wrong_colors(model, piece, chosen) if piece.colors else []
    covered = Counter(cell for placement in chosen for cell in placement.cells)
    found += [f"cell {cell_name(cell)} is off the board" for cell in sorted(covered.keys() - model.board)]
    found += [f"cell {cell_name(cell)} is covered {n} times" for cell, n in sorted(covered.items()) if n > 1]
    if model.filled:
        bare = model.board - model.optional - covered.keys()
        found += [f"cell {cell_name(cell)} is not covered" for cell in sorted(bare)]
    if model.lattice == EDGES and not model.crossing:
        found += _crossings(chosen)
    there = {(name, frozenset(cells)) for name, cells in chosen}
    return found + [
        f"piece {name} is not where it is given" for name, _ in sorted(model.given - there, key=str)
    ]


@violations.register
def _sum_figure(model: SumFigure, row: Sequence[int]) -> list[str]:
    numbers = [model.numbers[value] for value in row]
    found = [
        f"number {number} is in {several(times, 'cell')}"
        for number, times in sorted(Counter(numbers).items())
        if times > 1
    ]
    sums = [sum(numbers[cell] for cell in line.cells) for line in model.lines]
    common = next((has for has, line in zip(sums, model.lines, strict=True) if line.sum is None), None)
    for has, line in zip(sums, model.lines, strict=True):
        wanted = common if line.sum is None else line.sum
        if has != wanted:
            names = " ".join(model.cells[cell] for cell in line.cells)
            found.append(f"line {names} has the sum {has}, not {wanted}")
    found += [
        f"cell {model.cells[less]} with {numbers[less]} is not less than cell {model.cells[greater]}"
        f" with {numbers[greater]}"
        for less, greater in model.orders
        if numbers[less] >= numbers[greater]
    ]
    return found + [
        f"cell {model.cells[cell]} holds {numbers[cell]}, not the given {number}"
        for cell, number in sorted(model.given)
        if numbers[cell] != number
    ]


def _not_a_set_of_options(row: Sequence[int], n_options: int) -> list[str]:
    """The problems of a row in layout BY_OPTION that do not depend on the options."""
    if list(row) == sorted(set(row)) and max(row, default=0) < n_options:
        return []
    filler = max(1, n_options)
    found = [] if list(row) == sorted(row) else ["options are not in increasing order"]
    chosen = [option for option in row if option < n_options]
    if len(set(chosen)) < len(chosen):
        twice = (option for option, times in sorted(Counter(chosen).items()) if times > 1)
        found += [f"option {option} is chosen twice" for option in twice]
    return found + [f"option {option} does not exist" for option in row if n_options <= option < filler]


def _not_as_often(n: int, low: int, high: int | None) -> str:
    return f"{how_often(n, n)}, not {how_often(low, high)}"


def _wrong_shapes(model: Packing, piece: Piece, chosen: Sequence[Placement]) -> list[str]:
    shapes = set(model.orientations(piece))

    def is_one(cells: Shape) -> bool:
        if model.toroidal:
            return any(_is_moved_to(cells, shape, model) for shape in shapes)
        return at_home(model.lattice, cells) in shapes

    return [
        f"piece {piece.name} at {cell_name(cells[0])} has another shape"
        for name, cells in chosen
        if name == piece.name and not is_one(cells)
    ]


def _is_moved_to(cells: Shape, shape: Shape, model: Packing) -> bool:
    """Whether a shape can be moved on a torus so that it lies on some cells."""
    moves = ([to - at for to, at in zip(cell, shape[0], strict=True)] for cell in cells)
    return any({model.wrapped(added(cell, move)) for cell in shape} == set(cells) for move in moves)


def _out_of_bounds(piece: Piece, chosen: Sequence[Placement]) -> list[str]:
    """Placements of a piece on cells where it may not lie."""
    return [
        f"piece {piece.name} at {cell_name(cells[0])} lies where it may not"
        for name, cells in chosen
        if name == piece.name and piece.only_on is not None and not piece.only_on.issuperset(cells)
    ]


def _wrong_colors(model: Packing, piece: Piece, chosen: Sequence[Placement]) -> list[str]:
    """Placements of a piece on cells whose colours fit in none of the ways in which it can lie there."""
    board = dict(model.colors)
    colors = dict(piece.colors)

    def fits(cell: Cell, here: Cell) -> bool:
        color, on = colors.get(cell), board.get(here)
        equal = model.color_pairs is None and color == on
        return color is None or on is None or equal or (color, on) in (model.color_pairs or ())

    def can_lie_on(cells: Sequence[Cell]) -> bool:
        """Whether some motion takes the piece to the cells, and each of its cells to one that it fits."""
        for matrix in model.lattice.moves_of(piece.cells, reflections=model.reflections):
            turned = {cell: applied(matrix, cell) for cell in piece.cells}
            first = min(turned.values())
            for to in cells if model.toroidal else cells[:1]:
                move = tuple(map(sub, to, first))
                ends = {cell: model.wrapped(added(at, move)) for cell, at in turned.items()}
                on_lattice = all(part % model.lattice.step == 0 for part in move)
                if on_lattice and set(ends.values()) == set(cells) and all(map(fits, ends, ends.values())):
                    return True
        return False

    return [
        f"piece {piece.name} at {cell_name(cells[0])} lies on colours that do not fit"
        for name, cells in chosen
        if name == piece.name and not can_lie_on(cells)
    ]


def _crossings(chosen: Sequence[Placement]) -> list[str]:
    """Points of a grid through which one piece passes across and another one down."""
    across: dict[Cell, int] = {}
    down: dict[Cell, int] = {}
    for number, (_, cells) in enumerate(chosen):
        edges = set(cells)
        for r, c in edges:
            if (r, c + 2) in edges and r % 2 == 0:
                across[r, c + 1] = number
            if (r + 2, c) in edges and c % 2 == 0:
                down[r + 1, c] = number
    both = sorted(across.keys() & down.keys())
    return [f"two pieces cross at {cell_name(point)}" for point in both if across[point] != down[point]]
