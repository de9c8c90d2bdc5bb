"""The part of a puzzle without its free variables, from whose counts those of the whole puzzle follow.

The total is that of the part, times the values of the free variables. Classes of solutions are counted if the
relation takes free variables to free variables, and each of these can have any of its values without a
change elsewhere. Then every solution is in the class of the one in which all of them have their first
value, so that there are as many classes as for the part, under the same permutations of its atoms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.free import without_free
from rekkyo.model.puzzle import Puzzle, Relation, plain_words
from rekkyo.model.row import AtomPermutation
from rekkyo.search.progress import Progress, Watcher
from rekkyo.search.question import unknown_symmetry
from rekkyo.symmetry.group import order_if_listable

MOST_TOLD = 1 << 64
"""The most times that what is found of a part of the variables is told as found of all."""


@dataclass(frozen=True, slots=True)
class Part:
    """A puzzle without free variables.

    up_to: the words for its symmetry. factor: how many solutions each of its solutions stands for.
    """

    puzzle: Puzzle
    up_to: str
    factor: int

    def watched(self, watch: Watcher, progress: Progress) -> None:
        """Call a watcher with what is found of the part, times the values of the free variables.

        If that is too much for a float, which rates are, nothing is told as found, as where states are
        merged.
        """
        found, expected = 0, None
        if self.factor <= MOST_TOLD:
            found, ends = self.factor * progress.found, progress.expected
            expected = None if ends is None else (self.factor * ends[0], self.factor * ends[1])
        watch(replace(progress, found=found, expected=expected))


def part_without_free(puzzle: Puzzle, up_to: str) -> Part | None:
    """The part that is counted for these words; None if the problem has to stay whole. Raises BadInput.

    It stays whole where no variable is free. It also does where a search uses a symmetry of the puzzle, or
    counts its orbits, because that symmetry is one of all variables.
    """
    relation = puzzle.relation_named(up_to)
    if not isinstance(puzzle.model, Csp) or (relation is None and _uses_symmetry(puzzle, up_to)):
        return None
    if (parts := without_free(puzzle.model)) is None:
        return None
    rest, factor = parts
    part = Part(Puzzle(puzzle.name, rest, puzzle.title), "none", factor)
    return part if relation is None else _up_to_relation(part, puzzle.model, relation)


def _uses_symmetry(puzzle: Puzzle, up_to: str) -> bool:
    """Whether a search uses a symmetry of the puzzle, or counts its orbits."""
    counts_orbits = unknown_symmetry(puzzle, up_to) is None and plain_words(up_to) != "none"
    return counts_orbits or bool(puzzle.generators or puzzle.further)


def _up_to_relation(part: Part, model: Csp, relation: Relation) -> Part | None:
    """The part with the relation of the whole puzzle; None if the free variables matter for classes."""
    rest = part.puzzle.model
    assert isinstance(rest, Csp)
    generators = _Split(model, rest).restricted(relation.generators) if relation.keeps_solutions else None
    if generators is None:
        return None
    if order_if_listable(rest.row_shape, generators) is not None:
        known = replace(part.puzzle, generators=generators, symmetry_was_searched=not generators)
        return replace(part, puzzle=known, up_to="symmetry")
    relation = replace(relation, generators=generators)
    return replace(part, puzzle=replace(part.puzzle, relations=(relation,)), up_to=relation.word)


class _Split:
    """The atoms of a problem, and which are those of the part without free variables.

    atoms: those of each position that rows have. position: of each of these. renamed: the atom of the part.
    """

    def __init__(self, model: Csp, rest: Csp) -> None:
        number = {value: k for k, value in enumerate(model.values)}
        number_in_rest = {value: k for k, value in enumerate(rest.values)}
        place_in_rest = {rest.names[v]: place for place, v in enumerate(rest.solution)}
        self.n_atoms = rest.row_shape.n_atoms
        self.atoms: list[list[int]] = []
        self.position: dict[int, int] = {}
        self.renamed: dict[int, int] = {}
        for position, v in enumerate(model.solution):
            atoms = [position * len(model.values) + number[value] for value in model.domains[v]]
            self.atoms.append(atoms)
            self.position |= dict.fromkeys(atoms, position)
            if (place := place_in_rest.get(model.names[v])) is not None:
                first = place * len(rest.values)
                renamed = [first + number_in_rest[value] for value in model.domains[v]]
                self.renamed |= zip(atoms, renamed, strict=True)

    def restricted(self, generators: Sequence[AtomPermutation]) -> tuple[AtomPermutation, ...] | None:
        """The permutations of the atoms of the part; None if the free variables matter for classes."""
        if not all(map(self._keeps_part, generators)) or not self._frees_all(generators):
            return None
        found = []
        for generator in generators:
            images = {self.renamed[atom]: self.renamed[generator[atom]] for atom in self.renamed}
            found.append(tuple(images.get(atom, atom) for atom in range(self.n_atoms)))
        nothing = tuple(range(self.n_atoms))
        return tuple(generator for generator in dict.fromkeys(found) if generator != nothing)

    def _keeps_part(self, generator: AtomPermutation) -> bool:
        """Whether it takes atoms of the part to such, and each free variable as a whole to another one."""
        free = [atoms for atoms in self.atoms if atoms[0] not in self.renamed]
        images = [{self.position.get(generator[atom]) for atom in atoms} for atoms in free]
        return all(generator[atom] in self.renamed for atom in self.renamed) and all(
            len(places) == 1 and None not in places for places in images
        )

    def _frees_all(self, generators: Sequence[AtomPermutation]) -> bool:
        """Whether every free variable can have any of its values without a change elsewhere.

        A variable has this from generators that move nothing else, or because another one that has it is
        taken to it.
        """
        free = {position for position, atoms in enumerate(self.atoms) if atoms[0] not in self.renamed}
        alone: dict[int, list[AtomPermutation]] = {position: [] for position in free}
        for generator in generators:
            moved = {self.position.get(atom) for atom, image in enumerate(generator) if atom != image}
            if len(moved) == 1 and (position := moved.pop()) in free:
                alone[position].append(generator)
        todo = [position for position in free if self._is_one_orbit(position, alone[position])]
        has_it = set(todo)
        while todo:
            first = self.atoms[todo.pop()][0]
            more = {self.position[generator[first]] for generator in generators} - has_it
            todo += more
            has_it |= more
        return has_it == free

    def _is_one_orbit(self, position: int, generators: Sequence[AtomPermutation]) -> bool:
        """Whether permutations take the first value of a variable to all its values."""
        orbit = [self.atoms[position][0]]
        for atom in orbit:  # grows while it is walked
            orbit += {generator[atom] for generator in generators}.difference(orbit)
        return len(orbit) == len(self.atoms[position])
