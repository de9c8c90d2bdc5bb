"""Random constraint satisfaction problems with a symmetry that is known because it was put in.

A constraint is a clause over atoms, and every image of it is one, too. That an image of a solution is a row at
all is said in the same way: of the atoms that a symmetry brings to one position just one holds.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from rekkyo.model.csp.constraints import EQUAL, Clause, Constraint, Linear, Reified
from rekkyo.model.csp.csp import Csp, Objective
from rekkyo.model.puzzle import Puzzle
from tests.fuzz.oracle import TooLarge

Atom = int
Permutation = tuple[int, ...]

MOST_ELEMENTS = 400


def draw_symmetric_csp(rng: random.Random, is_middle: bool) -> Puzzle:
    """Symmetries that move positions, values, or positions by their values; hidden variables; objectives."""
    n, n_values = (
        (rng.randint(3, 5), rng.randint(2, 4)) if is_middle else (rng.randint(1, 3), rng.randint(1, 3))
    )
    generators = tuple(_permutation(rng, n, n_values) for _ in range(rng.randint(1, 3)))
    group = _closed(generators, n * n_values)
    first = rng.choice((0, 1, -2, 62))
    step = rng.choice((1, 3))
    values = tuple(first + step * k for k in range(n_values))
    drawing = _Drawing(n, values)
    atoms = range(n * n_values)
    for position in range(n):
        here = [position * n_values + k for k in range(n_values)]
        for image in {frozenset(element[atom] for atom in here) for element in group}:
            drawing.clause((atom, True) for atom in sorted(image))
            for pair in combinations(sorted(image), 2):
                drawing.clause((atom, False) for atom in pair)
    for _ in range(rng.randint(0, 2)):
        clause = [
            (atom, rng.random() < 0.3) for atom in rng.sample(atoms, min(len(atoms), rng.randint(1, 3)))
        ]
        is_hidden = rng.random() < 0.3
        for image in {tuple(sorted((element[atom], sign) for atom, sign in clause)) for element in group}:
            drawing.clause(image, hidden=is_hidden)
    if rng.random() < 0.3:
        atom = rng.choice(atoms)
        orbit = sorted({element[atom] for element in group})
        drawing.objective = drawing.number_of(orbit, maximize=rng.random() < 0.5)
    return Puzzle("symmetric", drawing.model(), "A random symmetric problem", generators=generators)


class _Drawing:
    """A model that grows. values: of the variables of the solution; their atoms are position * n_values + k."""

    def __init__(self, n: int, values: tuple[int, ...]) -> None:
        self.n, self.values = n, values
        self.domains: list[tuple[int, ...]] = [values] * n
        self.constraints: list[Constraint] = []
        self.objective: Objective | None = None

    def hidden(self, domain: Iterable[int]) -> int:
        self.domains.append(tuple(domain))
        return len(self.domains) - 1

    def clause(self, signed: Iterable[tuple[Atom, bool]], *, hidden: bool = False) -> None:
        """Some atom is there, or is not. hidden: said by a variable that says whether it is so."""
        literals = []
        for atom, sign in signed:
            position, k = divmod(atom, len(self.values))
            literals.append((position, self.values[k], sign))
        if not hidden:
            self.constraints.append(Clause(tuple(literals)))
            return
        truth = self.hidden((0, 1))
        self.constraints.append(Reified(Clause(tuple(literals)), truth))
        self.constraints.append(Linear((1,), (truth,), EQUAL, 1))

    def number_of(self, atoms: Sequence[Atom], *, maximize: bool) -> Objective:
        """An objective: how many of the atoms are there."""
        truths = []
        for atom in atoms:
            position, k = divmod(atom, len(self.values))
            truths.append(self.hidden((0, 1)))
            self.constraints.append(Reified(Clause(((position, self.values[k], True),)), truths[-1]))
        number = self.hidden(range(len(atoms) + 1))
        self.constraints.append(Linear((*[1] * len(truths), -1), (*truths, number), EQUAL, 0))
        return Objective(number, maximize)

    def model(self) -> Csp:
        names = tuple(f"v{k}" for k in range(len(self.domains)))
        plain = Csp(names, tuple(self.domains), tuple(self.constraints), tuple(range(self.n)))
        return replace(plain, objective=self.objective)


def _permutation(rng: random.Random, n: int, n_values: int) -> Permutation:
    """Of the atoms: positions moved, values exchanged at each, or places and values exchanged."""
    kind = rng.choice(("moves", "moves", "values", "both", "inverse"))
    if kind == "inverse" and n == n_values:
        return tuple(k * n_values + position for position in range(n) for k in range(n_values))
    if kind == "inverse":  # two atoms of two positions: no row stays one unless both or none are there
        atoms = list(range(n * n_values))
        one, other = rng.choice(atoms), rng.choice(atoms)
        atoms[one], atoms[other] = other, one
        return tuple(atoms)
    places, values = list(range(n)), list(range(n_values))
    if kind != "values":
        rng.shuffle(places)
    if kind != "moves":
        rng.shuffle(values)
    return tuple(place * n_values + k for place in places for k in values)


def _closed(generators: Sequence[Permutation], n_atoms: int) -> list[Permutation]:
    """All elements of the group, the identity first. Raises TooLarge."""
    found = {tuple(range(n_atoms)): None}
    for here in (new := list(found)):
        for generator in generators:
            there = tuple(generator[atom] for atom in here)
            if there not in found:
                found[there] = None
                new.append(there)
                if len(found) > MOST_ELEMENTS:
                    raise TooLarge
    return list(found)
