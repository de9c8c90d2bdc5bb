"""What the drawing of a puzzle is made of, so that millions of solutions can be drawn quickly.

A solution is a set of atoms (`rekkyo.model.row`); its drawing is those of its atoms on a background that all
solutions share. So a solution costs a look-up for each number, and a browser gets each drawn atom once.

    background   the empty board, given numbers, lattice
    atom         queen on a square, piece in its place, number in its cell, colour of a cell
    spot         a place of the board that one can point at: a square, a cell
    thing        what can be at a spot: "a queen", "piece X", "13"
    pairs        the (spot, thing) that an atom brings: one for a number, five for a pentomino

No two atoms of a solution may lie on each other, because nobody says which of them comes last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from rekkyo.model.row import Atom, RowShape

Markup: TypeAlias = str
"""A part of an SVG: elements without style attributes, so that it can be shown under a strict
Content-Security-Policy; see `style`."""

Pair: TypeAlias = tuple[int, int]
"""Numbers of a spot and of a thing."""


@dataclass(frozen=True, slots=True)
class Painting:
    """How every solution of one puzzle is drawn.

    width, height: in units of which a cell has about CELL. spots: a path for each. spot_names, things: what
    a reader calls them. draw_atom, pairs_of_atom: called once for each atom that is needed. draw_together:
    all atoms of a solution, where it can be drawn better than atom by atom: copies that touch differ.
    """

    shape: RowShape
    width: float
    height: float
    background: Markup
    spots: tuple[str, ...]
    spot_names: tuple[str, ...]
    things: tuple[str, ...]
    draw_atom: Callable[[Atom], Markup]
    pairs_of_atom: Callable[[Atom], tuple[Pair, ...]]
    draw_together: Callable[[Sequence[Atom]], Sequence[Markup]] | None = None
    _drawn: dict[Atom, Markup] = field(default_factory=dict, repr=False, compare=False)

    def atom(self, atom: Atom) -> Markup:
        """The drawing of one atom."""
        if atom not in self._drawn:
            self._drawn[atom] = self.draw_atom(atom)
        return self._drawn[atom]

    def paint(self, row: Sequence[int] | None) -> Markup:
        """The drawing of a solution, or of the puzzle without one."""
        if row is None:
            return self.background
        atoms = self.shape.atoms(row)
        drawn = self.draw_together(atoms) if self.draw_together else map(self.atom, atoms)
        return self.background + "".join(drawn)
