"""The kinds in the palette of a gallery: the things, or the orientations of a packing's only piece."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Puzzle
from rekkyo.render.svg.painting import Painting


@dataclass(frozen=True, slots=True)
class Kinds:
    """names: of the kinds. of_atom: the kind of each atom; None if the kinds are the things.

    at: for each (spot, kind) the atoms that have it. examples: an atom of each kind, None if no atom has it.
    has_placements: whether some atom has several spots.
    """

    names: tuple[str, ...]
    of_atom: list[int] | None
    at: dict[tuple[int, int], NDArray[np.int64]]
    examples: list[int | None]
    has_placements: bool


def kinds_of(puzzle: Puzzle, painting: Painting) -> Kinds:
    """The kinds of a puzzle."""
    names, of_atom = painting.things, None
    model = puzzle.model
    if isinstance(model, Packing) and len(model.pieces) == 1:
        numbers = model.orientation_on(model.pieces[0])
        of_atom = [numbers[cells] for _, cells in model.placements()]
        names = tuple(f"orientation {kind + 1}" for kind in range(len(model.orientations(model.pieces[0]))))
    at: dict[tuple[int, int], list[int]] = {}
    examples: list[int | None] = [None] * len(names)
    most = 0
    for atom in range(painting.shape.n_atoms):
        pairs = painting.pairs_of_atom(atom)
        most = max(most, len(pairs))
        for spot, thing in pairs:
            kind = thing if of_atom is None else of_atom[atom]
            at.setdefault((spot, kind), []).append(atom)
            if examples[kind] is None:
                examples[kind] = atom
    arrays = {place: np.array(atoms, dtype=np.int64) for place, atoms in at.items()}
    return Kinds(names, of_atom, arrays, examples, most > 1)
