"""The symmetry of a constraint satisfaction problem: that of its board, and that of its constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations

from rekkyo.catalog.packing_symmetry import motions_of_cells
from rekkyo.model.boards import squares_named
from rekkyo.model.csp.constraints import Diagram, Inverse, Regular, Table, variables_of
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.normal_form import normal_form
from rekkyo.model.lattices import SQUARE
from rekkyo.model.puzzle import Motion
from rekkyo.model.row import AtomPermutation
from rekkyo.symmetry.csp_graph import CspGraph, Literal

MAX_SIZE = 1 << 18
"""The approximate number of edges that the graph of a `Csp` may have; larger graphs take seconds to build."""

MOST_TRIED = 1_000_000
"""Pairs of values times edges, beyond which exchanges of values are not looked for: about a second."""


def size_of(model: Csp) -> int:
    """The approximate number of edges in the graph of a model."""
    size = sum(map(len, model.domains))
    for constraint in model.constraints:
        variables = variables_of(constraint)
        match constraint:
            case Table():
                size += len(constraint.rows) * len(variables)
            case Regular():
                size += len(constraint.transitions) * len(variables)
            case Diagram():
                size += sum(map(len, constraint.edges))
            case Inverse():
                size += len(constraint.f) * len(constraint.g)
            case _:
                size += sum(len(model.domains[v]) for v in variables)
    return size


def board_motions(model: Csp, graph: CspGraph) -> tuple[Motion, ...] | None:
    """The rotations and reflections of the board that keep the constraints, with unchanged values.

    None if the variables are not on a board.
    """
    squares = squares_named([model.names[v] for v in model.solution], model.grid)
    if squares is None:
        return None

    return motions_of_cells(SQUARE, squares, partial(moved, model, graph, images={}))


def moved(
    model: Csp, graph: CspGraph, places: Sequence[int], images: Mapping[int, int]
) -> AtomPermutation | None:
    """The permutation of atoms that puts the value of each place of a row, or its image, into another place.

    None if it does not keep the constraints, or that is not found at once.
    """
    literals = moved_literals(model, graph.domains, places, images)
    return None if literals is None else graph.extended_atoms(literals)


def moved_literals(
    model: Csp, domains: Sequence[Sequence[int]], places: Sequence[int], images: Mapping[int, int]
) -> dict[Literal, Literal] | None:
    """The same for each value of a variable; None if the domains of the normal form are not kept."""
    literals: dict[Literal, Literal] = {}
    for v, place in zip(model.solution, places, strict=True):
        other = model.solution[place]
        values = {x: images.get(x, x) for x in domains[v]}
        if set(values.values()) != set(domains[other]):
            return None
        literals |= {(v, x): (other, image) for x, image in values.items()}
    return literals


def value_exchanges(model: Csp, graph: CspGraph) -> tuple[AtomPermutation, ...]:
    """Exchanges of two values everywhere that keep the constraints, enough of them to make all others.

    None are looked for if that would take longer than a second.
    """
    pairs = list(combinations(model.values, 2))
    if len(pairs) * size_of(model) > MOST_TRIED:
        return ()
    of_value = {x: {v for v in model.solution if x in graph.domains[v]} for x in model.values}  # or none
    alike = {x: x for x in model.values}  # the least value that it is known to be exchanged with
    found = []
    for one, other in pairs:
        if alike[one] == alike[other] or not of_value[one] or of_value[one] != of_value[other]:
            continue
        image = {one: other, other: one}
        permutation = graph.extended_atoms(
            {(v, x): (v, image.get(x, x)) for v in model.solution for x in graph.domains[v]}
        )
        if permutation is not None:
            found.append(permutation)
            least, greatest = sorted((alike[one], alike[other]))
            alike = {x: least if of_x == greatest else of_x for x, of_x in alike.items()}
    return tuple(found)


def all_generators(graph: CspGraph, work: int) -> tuple[AtomPermutation, ...] | None:
    """Generators of the automorphism group of the graph; None if the search for it took too long."""
    automorphisms = graph.automorphisms(work)
    if automorphisms is None:
        return None
    atoms = dict.fromkeys(map(graph.atoms, automorphisms.generators))
    return tuple(permutation for permutation in atoms if permutation != tuple(range(len(permutation))))


def acting(model: Csp, permutations: Sequence[AtomPermutation]) -> tuple[AtomPermutation, ...]:
    """What permutations do to solutions, as `CspGraph.atoms` does: variables with one value stay.

    One that exchanges such a variable with another variable is not changed. It may be a symmetry if several
    constraints together give the other one its value.
    """
    domains, _ = normal_form(model)
    n_values = len(model.values)
    fixed = {
        place * n_values + value
        for place, v in enumerate(model.solution)
        if len(domains[v]) == 1
        for value in range(n_values)
    }
    return tuple(
        tuple(atom if atom in fixed else image for atom, image in enumerate(permutation))
        if fixed == {permutation[atom] for atom in fixed}
        else permutation
        for permutation in permutations
    )
