"""Given numbers and symmetry, for all sum figures of the catalog.

A symmetry moves cells, or replaces every number x by (least + greatest) - x, or both. A figure with given
numbers keeps the symmetries that leave them in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import TypeAlias

from rekkyo.catalog.entry import Entry, Option, Parameter, is_whole_number
from rekkyo.catalog.motions import turns_and_mirrors
from rekkyo.errors import BadInput, in_short
from rekkyo.model.puzzle import FurtherSymmetry, Motion, Published, Puzzle
from rekkyo.model.row import AtomPermutation
from rekkyo.model.sum_figure import Cell, SumFigure
from rekkyo.symmetry.keeping import keeping

Given: TypeAlias = tuple[int, str]
"""A number and the name of its cell."""


@dataclass(frozen=True, slots=True)
class Move:
    """targets[cell] is where the number of a cell goes; complemented: each number becomes its complement."""

    targets: tuple[Cell, ...]
    complemented: bool = False

    def after(self, first: Move) -> Move:
        """The move `first`, then this one."""
        return Move(
            tuple(self.targets[target] for target in first.targets), self.complemented != first.complemented
        )


@dataclass(frozen=True, slots=True)
class Further:
    """Symmetries that are used when their word is given; see `FurtherSymmetry`."""

    word: str
    meaning: str
    moves: tuple[Move, ...]


def figure_puzzle(
    name: str,
    title: str,
    model: SumFigure,
    geometry: Sequence[Move],
    *,
    further: Sequence[Further] = (),
    given: Sequence[Given],
    nicknames: Mapping[str, Cell] | None = None,
    published: Published | None = None,
    motions: Iterable[tuple[str, bool, Move]] | None = None,
) -> Puzzle:
    """The puzzle of a figure without given numbers, and of numbers to give.

    nicknames: further names of cells, such as centre. published: counts without given ones. Raises BadInput.
    """
    places = {cell_name: cell for cell, cell_name in enumerate(model.cells)} | dict(nicknames or {})
    pairs = frozenset(_given_pair(name, model, places, *one) for one in given)
    model = replace(model, given=pairs)
    if pairs:
        name = " ".join([name, *(f"--given {number}@{model.cells[cell]}" for cell, number in sorted(pairs))])
        title += f" with {len(pairs)} given"
    generators = _generators(model, geometry)
    if motions is None and geometry and not generators:
        motions = ()  # it is known that no symmetry keeps the given numbers
    return Puzzle(
        name,
        model,
        title,
        generators,
        published=None if pairs else published,
        further=tuple(
            _joined(model, geometry, kinds)
            for n_kinds in range(1, 1 + (len(further) if pairs else 1))
            for kinds in combinations(further, n_kinds)
        ),
        motions=None if motions is None else tuple(_kept_motions(model, motions)),
    )


def _joined(model: SumFigure, geometry: Sequence[Move], kinds: Sequence[Further]) -> FurtherSymmetry:
    """A further symmetry, or several together: a product may keep given numbers that no factor keeps."""
    moves = chain.from_iterable(kind.moves for kind in kinds)
    return FurtherSymmetry(
        ",".join(kind.word for kind in kinds),
        "; ".join(kind.meaning for kind in kinds),
        _generators(model, [*geometry, *moves]),
    )


def _kept_motions(model: SumFigure, motions: Iterable[tuple[str, bool, Move]]) -> Iterator[Motion]:
    for name, turns, move in motions:
        if move.targets != identity(model).targets and _keeps_given(model, move):
            yield Motion(name, turns, atoms_of(model, move))


def _given_pair(
    name: str, model: SumFigure, places: Mapping[str, Cell], number: int, cell: str
) -> tuple[Cell, int]:
    if cell not in places:
        example = ", ".join(dict.fromkeys([*model.cells[:2], *(p for p in places if p not in model.cells)]))
        raise BadInput(f'{name}: there is no cell "{in_short(cell)}"; cells are named such as {example}')
    return places[cell], number


def _generators(model: SumFigure, moves: Sequence[Move]) -> tuple[AtomPermutation, ...]:
    """The moves, or, with given numbers, some that generate all products that keep those in place."""
    if model.given and moves:
        moves = _keeping_given(model, moves)
    return tuple(atoms_of(model, move) for move in moves)


def _keeping_given(model: SumFigure, moves: Sequence[Move]) -> list[Move]:
    """Numbers differ, so each stays in its cell, or all become their complements in the cells of those.

    Two points after the cells are exchanged by a complement.
    """
    n, both = len(model.cells), model.numbers[0] + model.numbers[-1]
    cell_of = {number: cell for cell, number in model.given}
    has_complements = all(both - number in cell_of for number in cell_of)
    kept, taking = keeping(
        [(*move.targets, n + move.complemented, n + 1 - move.complemented) for move in moves],
        [n, *cell_of.values()],
        [n + 1, *(cell_of[both - number] for number in cell_of)] if has_complements else None,
    )
    found = kept if taking is None else [*kept, taking]
    return [Move(element[:n], element[n] > n) for element in found]


def _keeps_given(model: SumFigure, move: Move) -> bool:
    both = model.numbers[0] + model.numbers[-1]
    return model.given == {
        (move.targets[cell], both - number if move.complemented else number) for cell, number in model.given
    }


def atoms_of(model: SumFigure, move: Move) -> AtomPermutation:
    """The permutation of atoms of a move."""
    n_values = len(model.numbers)
    values = range(n_values - 1, -1, -1) if move.complemented else range(n_values)
    return tuple(target * n_values + value for target in move.targets for value in values)


def constraints_after(model: SumFigure, move: Move) -> tuple[object, ...]:
    """The lines, orders and given numbers after a move, which keeps the figure if they are as before it."""
    both, to = model.numbers[0] + model.numbers[-1], move.targets
    lines = {
        (
            frozenset(to[cell] for cell in line.cells),
            both * len(line.cells) - line.sum if move.complemented and line.sum is not None else line.sum,
        )
        for line in model.lines
    }
    orders = {(to[less], to[more]) for less, more in model.orders}
    given = {(to[cell], both - number if move.complemented else number) for cell, number in model.given}
    return lines, {(more, less) for less, more in orders} if move.complemented else orders, given


def identity(model: SumFigure) -> Move:
    """The move that changes nothing."""
    return Move(tuple(range(len(model.cells))))


def complement(model: SumFigure) -> Further:
    """Every number x becomes least + greatest - x; valid for lines of one length with a common sum."""
    both = model.numbers[0] + model.numbers[-1]
    move = replace(identity(model), complemented=True)
    return Further("complement", f"also {both} - x in place of every number x", (move,))


def polygon_motions(turn: Move, mirror: Move, n: int) -> Iterator[tuple[str, bool, Move]]:
    """The symmetries of a figure with the symmetry of a polygon of n corners, for `figure_puzzle`."""
    return turns_and_mirrors(Move(tuple(range(len(turn.targets)))), turn, mirror, Move.after, n)


def read_given(word: str) -> Given:
    """`13@centre`, `7@0,3`. Raises BadInput."""
    number, at, cell = word.partition("@")
    if at and cell and is_whole_number(number) and len(number.removeprefix("-")) <= 9:
        return int(number), cell
    raise BadInput(f'a given number is written NUMBER@CELL, such as 7@0,3; not "{in_short(word)}"')


_GIVEN = Option("--given", "a cell holds this number; repeatable", "NUMBER@CELL", read_given)


def figure_entry(
    name: str, summary: str, source: str, build: Callable[..., Puzzle], size: Parameter
) -> Entry:
    """An entry with one number, its size, and with given numbers."""
    return Entry(name, summary, source, build, (size,), (_GIVEN,))
