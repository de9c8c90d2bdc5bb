"""The parts of the drawing of a puzzle, with which millions of solutions can be drawn quickly.

A solution is a set of atoms (`rekkyo.model.row`); its drawing is the drawings of its atoms on a common
background. So a solution costs a look-up for each number, and a browser gets each drawn atom once, in each
look that it needs.

    background   the empty board, given numbers, lattice
    atom         queen on a square, piece in its place, number in its cell, colour of a cell
    spot         a place of the board that can be pointed at: a square, a cell
    thing        an object at a spot: "a queen", "piece X", "13"
    pairs        the (spot, thing) pairs of an atom: one for a number, five for a pentomino
    look         the index of an atom's colour among those of its thing: touching copies differ
    layer        a part of a drawn atom, and its depth: parts of greater depth are drawn later
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import TypeAlias

from rekkyo.model.row import Atom, RowShape

Markup: TypeAlias = str
"""A part of an SVG, without style attributes because of a strict Content-Security-Policy; see `style`."""

Pair: TypeAlias = tuple[int, int]
"""Numbers of a spot and of a thing."""

Look: TypeAlias = int
"""The number of a colour, from 0."""

Layer: TypeAlias = tuple[int, Markup]
"""Depth and drawing. Layers of the same depth do not overlap."""


@dataclass(frozen=True, slots=True)
class Looks:
    """The looks of atoms.

    colors: of each thing, one for each look. near: for each spot the spots that touch it. together: computes
    the looks of the atoms of a solution. A browser computes the same looks from colors, near and the pairs of
    atoms (`gallery/assets/touching.js`).
    """

    colors: tuple[tuple[str, ...], ...]
    near: tuple[tuple[int, ...], ...]
    together: Callable[[Sequence[Atom]], Sequence[Look]]


@dataclass(frozen=True, slots=True)
class Body:
    """The places of the spots in space: the middles of unit cubes, or of balls of diameter 1.

    shape: "cubes" or "balls". middles: for each spot its coordinates to the right, upwards and to the front.
    """

    shape: str
    middles: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, slots=True)
class Painting:
    """The parts of the drawings of one puzzle.

    width, height: in units; a cell has about CELL. spots: a path for each. spot_names, things: in words.
    draw_atom, pairs_of_atom: called once for each atom that is needed. looks: None if every atom has the same
    look in all solutions. body: of puzzles in space.
    """

    shape: RowShape
    width: float
    height: float
    background: Markup
    spots: tuple[str, ...]
    spot_names: tuple[str, ...]
    things: tuple[str, ...]
    draw_atom: Callable[[Atom, Look], Sequence[Layer]]
    pairs_of_atom: Callable[[Atom], tuple[Pair, ...]]
    looks: Looks | None = None
    body: Body | None = None
    _drawn: dict[tuple[Atom, Look], tuple[Layer, ...]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def atom(self, atom: Atom) -> Markup:
        """The drawing of one atom."""
        return "".join(drawn for _, drawn in self.layers(atom))

    def layers(self, atom: Atom, look: Look = 0) -> tuple[Layer, ...]:
        """The layers of the drawing of one atom."""
        if (atom, look) not in self._drawn:
            self._drawn[atom, look] = tuple(self.draw_atom(atom, look))
        return self._drawn[atom, look]

    def n_looks(self, atom: Atom) -> int:
        """The number of looks of an atom."""
        things = {thing for _, thing in self.pairs_of_atom(atom)} if self.looks else set()
        return len(self.looks.colors[things.pop()]) if self.looks and things else 1

    @property
    def most_looks(self) -> int:
        """The greatest number of looks of any atom."""
        return max(map(len, self.looks.colors), default=1) if self.looks else 1

    def paint(self, row: Sequence[int] | None) -> Markup:
        """The drawing of a solution, or of the puzzle without one."""
        if row is None:
            return self.background
        atoms = self.shape.atoms(row)
        looks = self.looks.together(atoms) if self.looks else [0] * len(atoms)
        layers = chain.from_iterable(map(self.layers, atoms, looks))
        return self.background + "".join(drawn for _, drawn in sorted(layers, key=itemgetter(0)))


def flat(draw: Callable[[Atom], Markup]) -> Callable[[Atom, Look], Sequence[Layer]]:
    """The function `draw_atom` for atoms with one look that hide nothing."""
    return lambda atom, _look: ((0, draw(atom)),)


def painting_of_values(
    shape: RowShape,
    size: tuple[float, float],
    background: Markup,
    spots: Sequence[str],
    spot_names: Sequence[str],
    things: Sequence[str],
    draw: Callable[[int, int], Markup],
    below: Callable[[int, int], Sequence[Layer]] = lambda _place, _value: (),
) -> Painting:
    """A painting whose spots are the positions of a row and whose things are its values.

    draw: a value at a position. below: layers of less depth than its own, which is 0.
    """

    def pair(atom: Atom) -> Pair:
        return divmod(atom, shape.n_values)

    names = tuple(spots), tuple(spot_names), tuple(things)

    def draw_atom(atom: Atom, _look: Look) -> Sequence[Layer]:
        return [*below(*pair(atom)), (0, draw(*pair(atom)))]

    return Painting(shape, *size, background, *names, draw_atom, lambda atom: (pair(atom),))
