"""Classes of solutions of problems with free variables, which no constraint names, against brute force."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import comb
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import rekkyo as rk
from rekkyo.ask.free import part_without_free
from rekkyo.catalog.csp_symmetry import all_generators
from rekkyo.errors import BadInput
from rekkyo.model.csp.constraints import AllDifferent, LexLess, Linear
from rekkyo.model.csp.csp import Csp
from rekkyo.model.puzzle import Puzzle, Relation
from rekkyo.model.row import AtomPermutation
from rekkyo.symmetry.csp_graph import CspGraph
from tests import made_once as st
from tests import naive_csp, naive_orbits
from tests.csp_strategies import models
from tests.programs import rekkyo

WORK = 1 << 20


def with_relation(model: Csp, generators: Sequence[AtomPermutation]) -> Puzzle:
    return Puzzle("free", model, "", relations=(Relation("kept", "", tuple(generators)),))


def n_classes(model: Csp, generators: Sequence[AtomPermutation]) -> int:
    """Count the classes by the definition."""
    rows = naive_csp.solutions(model)
    return len(naive_orbits.orbits(rows, generators, len(model.values), by_option=False))


def exchange(model: Csp, images: dict[tuple[int, int], tuple[int, int]]) -> AtomPermutation:
    """Make a permutation of atoms from images of (position, place of a value). Other atoms stay."""
    n = len(model.values)
    by_atom = {p * n + k: q * n + m for (p, k), (q, m) in images.items()}
    return tuple(by_atom.get(atom, atom) for atom in range(model.row_shape.n_atoms))


@given(models(max_variables=4), st.lists(st.sampled_from([(0, 1), (0, 1, 2), (3,), (2, 5)]), max_size=3))
def test_classes_are_those_of_all_variables(model: Csp, domains: list[tuple[int, ...]]) -> None:
    names = tuple(f"free{number}" for number in range(len(domains)))
    places = tuple(range(len(model.names), len(model.names) + len(domains)))
    whole = replace(
        model,
        names=model.names + names,
        domains=model.domains + tuple(domains),
        solution=model.solution + places,
        objective=None,
        grid=None,
    )
    generators = all_generators(CspGraph(whole), WORK)
    assert generators is not None
    found = rk.count(with_relation(whole, generators), up_to="kept")
    assert (found.total, found.unique) == (
        len(naive_csp.solutions(whole)),
        n_classes(whole, generators),
    )


DIFFERENT = Csp(tuple("abcd"), ((0, 1), (0, 1), (0, 1, 2), (0, 1, 2)), (AllDifferent((0, 1)),))
"""The last two variables are free."""

CYCLE = exchange(DIFFERENT, {(2, 0): (2, 1), (2, 1): (2, 2), (2, 2): (2, 0)})
IN_PART = exchange(DIFFERENT, {(2, 0): (2, 1), (2, 1): (2, 0)})
OF_FREE = exchange(DIFFERENT, {(p, k): (5 - p, k) for p in (2, 3) for k in range(3)})
OF_BOTH = exchange(
    DIFFERENT,
    {(p, k): (5 - p, k) for p in (2, 3) for k in range(3)}
    | {(0, k): (1, k) for k in range(2)}
    | {(1, k): (0, k) for k in range(2)},
)


@pytest.mark.parametrize(
    ("generators", "is_split", "unique"),
    [
        ([CYCLE, OF_FREE], True, 2),
        ([CYCLE, OF_BOTH], True, 1),
        ([OF_FREE], False, 2 * comb(4, 2)),  # multisets of two of three values
        ([CYCLE], False, 2 * 3),
        ([IN_PART, OF_FREE], False, 2 * 3),
        ([OF_BOTH], False, 9),
    ],
)
def test_free_variables_are_left_out_if_their_values_do_not_matter(
    generators: list[AtomPermutation], is_split: bool, unique: int
) -> None:
    puzzle = with_relation(DIFFERENT, generators)
    part = part_without_free(puzzle, "kept")
    assert (part is not None) == is_split
    assert n_classes(DIFFERENT, generators) == unique
    counted = rk.count(puzzle, up_to="kept")
    assert (counted.total, counted.unique, counted.up_to) == (18, unique, "kept")


def test_a_variable_of_the_part_that_may_be_exchanged_with_a_free_one() -> None:
    """The first of two is at most 1, as both are. Without the second, nothing could be exchanged with it."""
    model = Csp(tuple("ab"), ((0, 1),) * 2, (Linear((1,), (0,), "<=", 1),))
    exchanged = {(v, k): (1 - v, k) for v in range(2) for k in range(2)}
    turned = {(1, 0): (1, 1), (1, 1): (1, 0)}
    generators = [exchange(model, exchanged), exchange(model, turned)]
    assert part_without_free(with_relation(model, generators), "kept") is None
    counted = rk.count(with_relation(model, generators), up_to="kept")
    assert (counted.total, counted.unique) == (4, n_classes(model, generators))


def test_free_variables_each_of_which_may_be_exchanged_with_the_next_one() -> None:
    """The values of the first one may be exchanged, so those of all others, too."""
    model = Csp(tuple("abcde"), ((0, 1),) * 5, (AllDifferent((0, 1)),))
    swaps = [
        exchange(model, {(p, k): (2 * first + 1 - p, k) for p in (first, first + 1) for k in range(2)})
        for first in (2, 3)
    ]
    generators = [exchange(model, {(2, k): (2, 1 - k) for k in range(2)}), *swaps]
    assert part_without_free(with_relation(model, generators), "kept") is not None
    counted = rk.count(with_relation(model, generators), up_to="kept")
    assert (counted.total, counted.unique) == (16, n_classes(model, generators)) == (16, 2)


@pytest.mark.parametrize(
    "wrong",
    [
        {(1, 1): (2, 1), (2, 1): (1, 1)},  # 1 of a variable of the part with 1 of a free one
        {(1, 0): (2, 0), (2, 0): (1, 0)},
        {(2, 1): (3, 1), (3, 1): (2, 1)},  # of two free ones
        {(1, 1): (1, 2), (1, 2): (1, 1)},  # with a value outside the domain
        {(2, 1): (2, 2), (2, 2): (2, 1)},
        {(4, 1): (4, 2), (4, 2): (4, 1)},
    ],
)
def test_a_permutation_that_takes_a_variable_apart_is_refused(wrong: dict[Any, Any]) -> None:
    model = Csp(tuple("abcde"), ((0, 1, 2), *((0, 1),) * 3, (1,)), (AllDifferent((0, 1)),))
    turned = [exchange(model, {(p, k): (p, 1 - k) for k in range(2)}) for p in (2, 3)]
    puzzle = with_relation(model, [*turned, exchange(model, wrong)])
    with pytest.raises(BadInput, match="generator 2 is not a symmetry"):
        rk.count(puzzle, up_to="kept")


def test_a_relation_whose_images_need_not_be_solutions() -> None:
    """The first variable may have any value then, so the free one alone makes solutions equivalent."""
    model = Csp(tuple("abc"), ((0, 1),) * 3, (AllDifferent((0, 1)),))
    generators = tuple(exchange(model, {(p, k): (p, 1 - k) for k in range(2)}) for p in (0, 2))
    puzzle = Puzzle("free", model, "", relations=(Relation("met", "", generators, keeps_solutions=False),))
    counted = rk.count(puzzle, up_to="met")
    assert (counted.total, counted.unique) == (4, n_classes(model, generators)) == (4, 2)


def test_a_board_that_no_motion_keeps() -> None:
    """Its symmetry is known: there is none, so every solution is an orbit."""
    puzzle = Puzzle("free", DIFFERENT, "", motions=())
    counted = rk.count(puzzle)
    assert (counted.total, counted.unique) == (18, 18)


@pytest.mark.parametrize("up_to", ["none", "fixed"])
def test_the_symmetry_of_a_part_is_looked_for(up_to: str) -> None:
    """The symmetry of the part makes its long search shorter, as that of a problem without free variables
    does.
    """
    part = part_without_free(Puzzle("free", DIFFERENT, ""), up_to)
    assert part is not None
    assert not part.puzzle.knows_symmetry


def test_a_relation_that_does_not_keep_solutions_is_refused() -> None:
    model = Csp(tuple("abc"), ((0, 1), (0, 1), (0, 1)), (LexLess((0,), (1,)),))
    swap = exchange(model, {(p, k): (1 - p, k) for p in range(2) for k in range(2)})
    of_free = exchange(model, {(2, k): (2, 1 - k) for k in range(2)})
    with pytest.raises(
        BadInput, match=r"generator 0 is not a symmetry, because it takes the solution \[0, 1\]"
    ):
        rk.count(with_relation(model, [swap, of_free]), up_to="kept")


def test_values_that_only_free_variables_have() -> None:
    """The atoms of the part have other numbers than those of the whole."""
    model = Csp(tuple("abc"), ((3, 7), (0, 5), (3, 7)), (AllDifferent((0, 2)),))
    generators = all_generators(CspGraph(model), WORK)
    assert generators is not None
    part = part_without_free(with_relation(model, generators), "kept")
    assert part is not None
    assert part.puzzle.model.row_shape.n_atoms == 4
    assert rk.count(with_relation(model, generators), up_to="kept").unique == 1


@pytest.mark.parametrize("n", [4, 98])
def test_a_grid_with_many_free_cells(n: int, tmp_path: Path) -> None:
    """Two cells differ, and all other cells are free. The words are those that the notice names."""
    grid = f'kind = "grid"\nvalues = "01"\nboard = "rectangle 1 {n + 2}"\n[[different]]\ncells = "0,0 0,1"\n'
    (tmp_path / "free.toml").write_text(grid)
    counted = rekkyo("count", str(tmp_path / "free.toml"), "--up-to", "constraints").stdout
    assert counted.startswith(f"total {2 * 2**n}, unique 1")


@pytest.mark.parametrize("n_free", [0, 40])
def test_a_part_whose_symmetry_is_too_large_to_list(n_free: int) -> None:
    """The cells of each pair differ. There are too many solutions for a list and too many classes of
    conjugates, and a solution has 24! symmetries.
    """
    problem = rk.Problem()
    for number in range(24):
        problem.all_different(problem.variables([f"a{number}", f"b{number}"], range(2)))
    if n_free:
        problem.variables([f"free{number}" for number in range(n_free)], range(2))
    puzzle, _ = rk.with_own_symmetry(problem.puzzle())
    found = rk.count(puzzle, up_to="constraints")
    assert (found.total, found.unique, found.up_to) == (2 ** (24 + n_free), 1, "constraints")
    if not n_free:
        (solution,) = rk.solve(puzzle, up_to="constraints")
        assert sum(solution) == 24


MANY_FREE = 60


def with_many_free() -> Puzzle:
    """Two variables differ, and 60 are free: there are 2^61 solutions."""
    problem = rk.Problem()
    problem.all_different(problem.variables("ab", range(2)))
    problem.variables([f"free{number}" for number in range(MANY_FREE)], range(2))
    return rk.with_own_symmetry(problem.puzzle("many", "Many free variables"))[0]


@pytest.mark.parametrize(
    "visit",
    [
        lambda _: rk.count(with_many_free(), digest=True, up_to="none"),
        lambda _: rk.orbits(with_many_free()),
        lambda directory: rk.run(with_many_free(), directory / "run"),
        lambda directory: rk.run(with_many_free(), directory / "run", count_only=True),
    ],
    ids=["digest", "orbits", "run", "count-only"],
)
def test_a_search_of_every_solution_is_refused_at_once(
    visit: Callable[[Path], object], tmp_path: Path
) -> None:
    about = f"many has variables that no constraint names, with {2**MANY_FREE} combinations of values"
    with pytest.raises(BadInput, match=f"{about}, too many for a search that visits every solution; use"):
        visit(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_the_refusal_names_counts_in_a_run(tmp_path: Path) -> None:
    found = rk.run(with_many_free(), tmp_path / "run", count_only=True, engine="csp-frontier")
    assert found.total == 2 ** (MANY_FREE + 1)
    assert next(iter(rk.solve(with_many_free(), limit=1)))[:2] in {(0, 1), (1, 0)}


def test_wrong_workers_are_refused_where_only_a_part_is_counted() -> None:
    with pytest.raises(BadInput, match="workers"):
        rk.count(with_many_free(), up_to="none", workers=0)
