"""The part of a puzzle without its free variables, which no constraint names.

The total of the puzzle is the total of the part, times the number of values of each free variable. Classes of
solutions are counted if the relation maps free variables to free variables, and if it can change the value of
each free variable without changing anything else. Then every solution is in the class of the solution with
the same part in which each free variable has its first value. So the puzzle has as many classes as the part
has under the same permutations of its atoms.
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

MOST_REPORTED = 1 << 64
"""The greatest factor for which the progress of a part is reported as that of the puzzle."""


@dataclass(frozen=True, slots=True)
class Part:
    """A puzzle without free variables.

    up_to: the words for its symmetry. factor: how many solutions each of its solutions stands for.
    """

    puzzle: Puzzle
    up_to: str
    factor: int

    def report(self, watch: Watcher, progress: Progress) -> None:
        """Call a watcher with the number of solutions found of the part, times the factor.

        With a greater factor than MOST_REPORTED a rate would be too large for a float, so no solution is
        reported as found.
        """
        found, expected = 0, None
        if self.factor <= MOST_REPORTED:
            found, ends = self.factor * progress.found, progress.expected
            expected = None if ends is None else (self.factor * ends[0], self.factor * ends[1])
        watch(replace(progress, found=found, expected=expected))


def part_without_free(puzzle: Puzzle, up_to: str) -> Part | None:
    """The part that is counted for these words; None if the whole puzzle has to be counted. Raises BadInput.

    It has to if no variable is free, or if a search uses a symmetry of the puzzle or counts its orbits,
    because such a symmetry permutes all variables.
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
    """The atoms of a problem, and of its part without free variables.

    atoms: for each position of a row its atoms. position: the position of each of these atoms.
    renamed: for each atom of a variable of the part its number in the part.
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
        if not all(map(self._keeps_part, generators)) or not self._change_freely(generators):
            return None
        found = []
        for generator in generators:
            images = {self.renamed[atom]: self.renamed[generator[atom]] for atom in self.renamed}
            found.append(tuple(images.get(atom, atom) for atom in range(self.n_atoms)))
        identity = tuple(range(self.n_atoms))
        return tuple(generator for generator in dict.fromkeys(found) if generator != identity)

    def _keeps_part(self, generator: AtomPermutation) -> bool:
        """Whether it maps the part to itself, and each free variable as a whole to a free variable."""
        free = [atoms for atoms in self.atoms if atoms[0] not in self.renamed]
        images = [{self.position.get(generator[atom]) for atom in atoms} for atoms in free]
        return all(generator[atom] in self.renamed for atom in self.renamed) and all(
            len(places) == 1 and None not in places for places in images
        )

    def _change_freely(self, generators: Sequence[AtomPermutation]) -> bool:
        """Whether the group changes the value of each free variable without changing anything else.

        It does so for a variable if generators that move only its atoms take its first value to all others,
        or if a generator maps another variable, for which it does so, to this one.
        """
        free = {position for position, atoms in enumerate(self.atoms) if atoms[0] not in self.renamed}
        alone: dict[int, list[AtomPermutation]] = {position: [] for position in free}
        for generator in generators:
            moved = {self.position.get(atom) for atom, image in enumerate(generator) if atom != image}
            if len(moved) == 1 and (position := moved.pop()) in free:
                alone[position].append(generator)
        todo = [position for position in free if self._is_one_orbit(position, alone[position])]
        changing = set(todo)
        while todo:
            first = self.atoms[todo.pop()][0]
            more = {self.position[generator[first]] for generator in generators} - changing
            todo += more
            changing |= more
        return changing == free

    def _is_one_orbit(self, position: int, generators: Sequence[AtomPermutation]) -> bool:
        """Whether permutations take the first value of a variable to all its values."""
        orbit = [self.atoms[position][0]]
        for atom in orbit:  # grows while it is walked
            orbit += {generator[atom] for generator in generators}.difference(orbit)
        return len(orbit) == len(self.atoms[position])
