"""Symmetry of constraint satisfaction problems: it keeps the solutions, and finds what is published."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings

import rekkyo as rk
from rekkyo.catalog.csp_symmetry import acting
from rekkyo.catalog.own_symmetry import own_symmetry, with_own_symmetry
from rekkyo.model.csp.constraints import (
    AllDifferent,
    Clause,
    Constraint,
    Diagram,
    GlobalCardinality,
    Linear,
    Literal,
    Reified,
    Table,
)
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.normal_form import normal_form
from rekkyo.model.csp.problem import Problem
from rekkyo.symmetry.read_both_ways import read_both_ways
from tests import csp_strategies, naive_csp
from tests.engines.csp_problems import latin_square, magic_square, queens

Row = tuple[int, ...]


def image(row: Row, permutation: Row, n_values: int) -> Row:
    """Each atom moved."""
    moved: dict[int, int] = {}
    for position, value in enumerate(row):
        to, becomes = divmod(permutation[position * n_values + value], n_values)
        assert to not in moved
        moved[to] = becomes
    return tuple(moved[position] for position in range(len(row)))


@settings(max_examples=200)
@given(model=csp_strategies.models())
def test_symmetry_takes_solutions_to_solutions(model: Csp) -> None:
    """All kinds of constraints; hidden variables and objectives."""
    rows = set(naive_csp.solutions(model))
    found = own_symmetry(model)
    for generators in (found.generators, *(further.generators for further in found.further)):
        for generator in generators:
            assert {image(row, generator, len(model.values)) for row in rows} == rows


def counted(model: Csp, up_to: str) -> tuple[int, int | None]:
    puzzle, _ = with_own_symmetry(rk.Puzzle("problem", model, "A problem"))
    found = rk.count(puzzle, up_to=up_to)
    return found.total, found.unique


@pytest.mark.parametrize(
    ("model", "up_to", "total", "unique"),
    [
        (latin_square(3), "constraints", 12, 1),  # A003090, main classes
        (latin_square(4), "constraints", 576, 2),
        (magic_square(3), "symmetry", 8, 1),
        (magic_square(3), "rotations", 8, 2),
    ],
)
def test_published_classes(model: Csp, up_to: str, total: int, unique: int) -> None:
    assert counted(model, up_to) == (total, unique)


@pytest.mark.parametrize(("total", "order"), [(0, 12), (1, 6)])
def test_a_sum_other_than_the_middle_is_not_negated(total: int, order: int) -> None:
    """Three numbers of -1, 0 and 1 may be exchanged, and all be negated if their sum stays."""
    model = Csp(tuple("xyz"), ((-1, 0, 1),) * 3, (Linear((1, 1, 1), (0, 1, 2), "=", total),))
    assert own_symmetry(model).order == order


@pytest.mark.parametrize(
    ("constraint", "order"),
    [
        pytest.param(Linear((1, 1, 1), (0, 1, 2), "<=", 3), 6, id="a sum that is less is not greater"),
        pytest.param(Clause(((0, 1, True), (1, 1, True), (2, 1, False))), 16, id="a value, or another one"),
        pytest.param(Reified(Clause(((0, 1, True),)), 1), 12, id="what is true is not false"),
        pytest.param(
            GlobalCardinality((0, 1, 2), ((0, 0, 1), (1, 0, 2))), 6, id="values that come once and twice"
        ),
        pytest.param(Linear((2, -2), (0, 1), "=", 0), 2 * 6 * 6, id="equal values are exchanged together"),
        pytest.param(Linear((2, -2), (0, 1), "=", 2), 2 * 2 * 6, id="two pairs of values are exchanged"),
        pytest.param(Linear((2, 1), (0, 1), "=", 2), 2 * 2 * 6, id="also if their terms are not alike"),
        pytest.param(Linear((1, 1), (0, 1), "<=", 2), 2 * 6, id="two terms that are compared"),
        pytest.param(Linear((1, 1), (0, 1), "!=", 2), 2 * 6 * 6, id="two terms that differ"),
        pytest.param(Linear((0, 0), (0, 1), "=", 0), 6 * 6 * 6 * 6, id="nothing of either equals nothing"),
        pytest.param(Linear((), (), "=", 0), 6 * 6 * 6 * 6, id="a sum of nothing"),
        pytest.param(AllDifferent((0, 0, 1), (0,)), 12, id="a variable that repeats has an excepted value"),
    ],
)
def test_what_constraints_tell_apart_is_not_exchanged(constraint: Constraint, order: int) -> None:
    model = Csp(tuple("xyz"), ((0, 1, 2),) * 3, (constraint,))
    rows, found = set(naive_csp.solutions(model)), own_symmetry(model)
    assert found.order == order
    for generator in found.generators:
        assert {image(row, generator, 3) for row in rows} == rows


@pytest.mark.parametrize(
    ("first", "again", "second"),
    [
        (AllDifferent((0, 1)), AllDifferent((1, 0)), AllDifferent((1, 2))),
        (
            GlobalCardinality((0, 1), ((2, 1, 2),)),
            GlobalCardinality((1, 0), ((2, 1, 2),)),
            GlobalCardinality((1, 2), ((2, 1, 2),)),
        ),
        (
            Linear((1, -1), (0, 1), "=", 0),
            Linear((-1, 1), (0, 1), "=", 0),
            Linear((1, -1), (2, 1), "=", 0),
        ),
        (Linear((1, 2), (0, 1), "<=", 3), Linear((2, 1), (1, 0), "<=", 3), Linear((1, 2), (2, 1), "<=", 3)),
        (
            Clause(((0, 1, True), (1, 2, True))),
            Clause(((1, 2, True), (0, 1, True))),
            Clause(((1, 2, True), (2, 1, True))),
        ),
    ],
)
def test_a_constraint_that_is_written_again_changes_nothing(
    first: Constraint, again: Constraint, second: Constraint
) -> None:
    """Its terms are in another order, or all have the other sign. The two ends of a path can be exchanged."""
    once, twice = (
        Csp(tuple("xyz"), ((0, 1, 2),) * 3, some) for some in ((first, second), (first, again, second))
    )
    assert own_symmetry(twice).order == own_symmetry(once).order
    assert any(generator[:3] != (0, 1, 2) for generator in own_symmetry(twice).generators)


def written(domains: Sequence[Sequence[int]], *constraints: Constraint) -> int | None:
    names = tuple("vwxyz"[: len(domains)])
    return own_symmetry(Csp(names, tuple(map(tuple, domains)), constraints)).order


@pytest.mark.parametrize("factor", [1, -1])
@pytest.mark.parametrize("moved", [0, 5])
def test_a_value_may_be_counted_from_either_end(factor: int, moved: int) -> None:
    """A path of five variables, next ones different or equal in turn, can be turned around.

    The last one has its values the other way round, or others. Before, `x = y` and `x = -y` were not alike.
    """
    plain = Linear((1, -1), (0, 1), "=", 0), Linear((1, -1), (1, 2), "!=", 0)
    again = Linear((1, -1), (2, 3), "!=", 0), Linear((1, -factor), (3, 4), "=", -factor * moved)
    last = sorted(factor * x + moved for x in range(3))
    alike = *again[:1], Linear((1, -1), (3, 4), "=", 0)
    assert written([range(3)] * 4 + [last], *plain, *again) == written([range(3)] * 5, *plain, *alike)


@pytest.mark.parametrize(
    "given",
    [
        Linear((3,), (2,), "=", 6),
        Linear((1, 1), (2, 2), "=", 4),
        Clause(((2, 2, True),)),
        Clause(((2, 2, True), (2, 2, True))),
        Table((2,), ((0,), (1,)), allowed=False),
        Table((2, 2), ((2, 2), (0, 1))),
    ],
)
def test_a_given_value_is_a_domain(given: Constraint) -> None:
    rest = Linear((1, 1, 1), (0, 1, 2), "=", 3), AllDifferent((2, 3)), Linear((1, 2), (2, 4), "<=", 6)
    domains = [range(3)] * 5
    assert written(domains, given, *rest) == written([*domains[:2], (2,), *domains[3:]], *rest)


@pytest.mark.parametrize(
    ("literals", "left"),
    [
        (((0, 0, False),), (1, 2)),
        (((0, 0, False), (0, 1, True)), (1, 2)),
        (((0, 0, False), (0, 0, True)), (0, 1, 2)),
        (((0, 0, False), (0, 1, False)), (0, 1, 2)),
    ],
)
def test_a_clause_on_one_variable_is_a_domain(literals: tuple[Literal, ...], left: tuple[int, ...]) -> None:
    model = Csp(("x",), ((0, 1, 2),), (Clause(literals),))
    assert normal_form(model) == ([left], ())


def test_the_literals_of_a_clause_may_be_in_any_order() -> None:
    """Four, because a set of fewer numbers may be in order in any case."""
    clauses = map(Clause, itertools.permutations((v, 1, True) for v in range(4)))
    models = [Csp(("w", "x", "y", "z"), ((0, 1),) * 4, (clause,)) for clause in clauses]
    assert len({normal_form(model)[1] for model in models}) == 1


@pytest.mark.parametrize("negated", [False, True])
def test_constraints_may_be_in_any_order(negated: bool) -> None:
    """A chain of 30 variables, each equal or opposite to the one before, of which the first is known."""
    n = 30
    links = [Linear((1, 1 if negated else -1), (k, k + 1), "=", 0) for k in range(n)]
    model = Csp(tuple(f"v{k}" for k in range(n + 1)), ((1,), *((-1, 0, 1),) * n), tuple(links))
    turned = replace(model, constraints=tuple(links[::-1]))
    for one in (model, turned):
        assert {len(domain) for domain in normal_form(one)[0]} == {1}
        assert own_symmetry(one).order == 1


def test_a_difference_narrows_a_domain_however_it_is_written() -> None:
    """`x != 2` leaves x the values of z, with which it can be exchanged. The other constraint comes before or after."""
    sum_, different = Linear((2, -2), (0, 1), "!=", 0), AllDifferent((1, 0))
    known = Linear((1,), (1,), "=", 2)
    for constraints in itertools.permutations((sum_, different, known)):
        for some in (constraints, [one for one in constraints if one != sum_], [different, known][::-1]):
            assert written([range(3), range(3), range(2)], *some) == 2 * 2 * 2
    for inner in (sum_, different):
        for some in itertools.permutations((Reified(inner, 3), known)):
            assert written([range(3), range(3), range(2), range(2)], *some) == written(
                [range(3), range(3), range(2), range(2)], Reified(Linear((1,), (0,), "!=", 2), 3), known
            )


def test_joined_terms_may_have_larger_numbers_than_a_sum() -> None:
    """Coefficients are at most 10^9 and constants at most 10^18; before, these two problems were refused."""
    large = 10**9
    assert written([range(2), range(2)], Linear((large, large, 1), (0, 0, 1), "<=", 1)) == 1
    total = Linear((large, 1, 1), (0, 1, 2), "<=", -(10**18))
    assert written([(large,), range(2), range(2)], total) == 2


def test_given_values_are_not_exchanged() -> None:
    """Nine variables whose only value no constraint names, or all the same one, or none."""
    different = AllDifferent((0, 1))
    for n in (0, 9):
        domains = ((0, 1, 2), (0, 1, 2), *((1,) for _ in range(n)))
        total = Linear((1,) * (2 + n), tuple(range(2 + n)), "<=", 2 + n)
        names = tuple(f"v{k}" for k in range(2 + n))
        assert own_symmetry(Csp(names, domains, (different,))).order == 2 * 6
        assert own_symmetry(Csp(names, domains, (different, total))).order == 2


def test_nodes_from_which_the_same_words_are_read_are_one() -> None:
    """The edges of the two are written in different orders."""
    words = Diagram((0, 1), (((0, 0, 0), (0, 1, 1)), ((0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0))))
    every = [[(0, 0, 0), (0, 1, 0)]] * 2
    assert read_both_ways(words, [(0, 1), (0, 1)]) == (every, every)


def test_a_declared_exchange_of_values_leaves_given_values() -> None:
    """The atoms 0 to 2 are the values of x, which is 1, and 3 to 5 those of y, which may be 0 and 2."""
    model = Csp(("x", "y"), ((1,), (0, 2)))
    assert acting(model, [(2, 1, 0, 5, 4, 3), (1, 0, 2, 4, 3, 5)]) == ((0, 1, 2, 5, 4, 3), (0, 1, 2, 4, 3, 5))


def test_a_declared_symmetry_may_exchange_a_given_value_with_one_that_follows() -> None:
    """x is 1, and so is y, of which only the constraint on y and z says so. Before, both went to one of them."""
    forced = Linear((1,), (0,), "=", 1), Table((1, 2), ((1, 0), (1, 1)))
    exchange = (2, 3, 0, 1, 4, 5)
    model = Csp(tuple("xyz"), ((0, 1),) * 3, forced)
    assert acting(model, [exchange]) == (exchange,)
    _, found = with_own_symmetry(rk.Puzzle("exchange", model, "An exchange", generators=(exchange,)))
    assert found.order == 2
    assert [len(kind.generators) for kind in found.further] == [1]


def test_values_that_constraints_rule_out_are_not_exchanged() -> None:
    """Of four values each cell may have two. The two others gave `values` a symmetry that moves nothing."""
    names = tuple(f"r{row}c{column}" for row in (1, 2) for column in (1, 2))
    ruled_out = [Table((cell,), ((2,), (3,)), allowed=False) for cell in range(4)]
    model = Csp(names, (tuple(range(4)),) * 4, tuple(ruled_out), grid=(2, 2))
    [generators] = [kind.generators for kind in own_symmetry(model).further if kind.word == "values"]
    assert len(generators) == 7 + 1
    assert tuple(range(16)) not in generators


@settings(max_examples=200)
@given(model=csp_strategies.models())
def test_the_normal_form_has_the_same_solutions(model: Csp) -> None:
    domains, constraints = normal_form(model)
    assert all(set(some) <= set(all_) for some, all_ in zip(domains, model.domains, strict=True))
    again = replace(model, domains=tuple(domains), constraints=constraints)
    found, wanted = (
        {tuple(one.values[x] for x in row) for row in naive_csp.solutions(one)} for one in (again, model)
    )
    assert found == wanted
    assert normal_form(again) == (domains, constraints)


def test_a_board_has_the_motions_that_keep_its_constraints() -> None:
    """A given number in a corner leaves one diagonal mirror."""
    problem = Problem()
    rows = [problem.variables([f"{r},{c}" for c in range(3)], range(1, 4)) for r in range(3)]
    for line in (*rows, *zip(*rows, strict=True)):
        problem.all_different(line)
    problem.sum(rows[0][:1], "=", 1)
    found = own_symmetry(problem.model())
    assert found.motions is not None
    assert [motion.name for motion in found.motions] == ["diagonal mirror"]
    assert counted(problem.model(), "symmetry") == (4, 3)


def test_queens_as_variables_can_be_turned_by_a_half() -> None:
    """Rows are variables, so that no symmetry of the constraints exchanges rows and columns."""
    assert own_symmetry(queens(6)).order == 4
    assert counted(queens(6), "symmetry") == (4, 2)


def test_signs_that_are_multiplied_may_all_change() -> None:
    """The sums of products of signs at each distance, squared: reversal and negation keep them."""
    problem, n = Problem(), 5
    signs = problem.variables([f"s{k}" for k in range(n)], (-1, 1))
    squares = []
    for distance in range(1, n):
        products = problem.variables([f"p{distance},{k}" for k in range(n - distance)], (-1, 1))
        for k, product in enumerate(products):
            problem.product([signs[k], signs[k + distance]], product)
        sum_, square = problem.variables([f"sum{distance}", f"square{distance}"], range(-4, 17))
        problem.linear([*[1] * len(products), -1], [*products, sum_], "=", 0)
        problem.product([sum_, sum_], square)
        squares.append(square)
    problem.sum(squares, "=", 2)
    model = problem.model(solution=signs)
    assert own_symmetry(model).order == 4
    expected = [row for row in itertools.product((-1, 1), repeat=n) if energy(row) == 2]
    assert counted(model, "symmetry") == (len(expected), 1) == (4, 1)  # the Barker sequence


def energy(row: Row) -> int:
    """The sum of the squares of the autocorrelations."""
    return sum(sum(map(int.__mul__, row, row[d:])) ** 2 for d in range(1, len(row)))


def test_a_group_too_large_to_list_is_left_out() -> None:
    problem = Problem()
    problem.all_different(problem.variables([f"v{k}" for k in range(9)], range(9)))
    found = own_symmetry(problem.model())
    assert (found.generators, found.order) == ((), None)
    assert "too large" in found.trouble


@pytest.mark.parametrize("up_to", ["symmetry", "constraints"])
@pytest.mark.parametrize("factor", [1, -2])
def test_values_of_variables_that_must_differ_may_be_exchanged(factor: int, up_to: str) -> None:
    """Paths coloured in k colours: by partitions into blocks of points that do not touch, either way round."""
    for n, k in ((4, 3), (5, 2), (4, 4)):
        problem = Problem()
        points = problem.variables([f"p{i}" for i in range(n)], range(k))
        for one, other in itertools.pairwise(points):
            problem.linear([factor, -factor], [one, other], "!=", 0)
        rows = [
            row
            for row in itertools.product(range(k), repeat=n)
            if all(a != b for a, b in itertools.pairwise(row))
        ]
        least = {
            min(
                tuple(colors[color] for color in way)
                for way in (row, row[::-1])
                for colors in itertools.permutations(range(k))
            )
            for row in rows
        }
        assert counted(problem.model(), up_to) == (len(rows), len(least))


def test_a_board_whose_constraints_took_too_long_has_no_word_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rekkyo.catalog.csp_symmetry.all_generators", lambda *_: None)
    puzzle, found = with_own_symmetry(rk.Puzzle("square", magic_square(3), "A magic square"))
    assert (found.order, found.trouble) == (8, "")
    with pytest.raises(rk.BadInput, match='up to "constraints" is not known'):
        puzzle.generators_up_to("constraints")


def test_a_problem_is_given_the_symmetry_that_its_file_would_have() -> None:
    """A permutation of three values: all variables and all values may be exchanged."""
    problem = Problem()
    problem.all_different(problem.variables("abc", range(3)))
    bare = problem.puzzle()
    assert (rk.count(bare).total, rk.count(bare).unique) == (6, None)
    puzzle, found = rk.with_own_symmetry(bare)
    assert found.order == 36
    for up_to in ("symmetry", "board", "constraints"):
        assert rk.count(puzzle, up_to=up_to).unique == 1
    assert [len(list(rk.solve(puzzle, up_to=up_to))) for up_to in ("constraints", "none")] == [1, 6]
    assert rk.orbits(puzzle).unique == 1


@pytest.mark.parametrize(
    "given", ["", '[[different]]\nregions = "diagonals"', '[[compare]]\ncells = "0,0 < 0,1"']
)
def test_values_exchanged_on_a_board(given: str) -> None:
    """`--up-to values`: rotations and reflections of the board, and exchanges of values that keep the constraints."""
    n = 4
    text = f"""
kind = "grid"
board = "rectangle {n} {n}"
values = "1..{n}"
[[different]]
regions = ["rows", "columns"]
{given}
"""
    puzzle = rk.puzzle_from_text(text)
    words = {further.word for further in puzzle.further}
    rows = set(rk.solve(puzzle, up_to="none"))
    if "compare" in given:
        assert "values" not in words
        return
    assert "values" in words
    left, n_classes = set(map(tuple, rows)), 0
    while left:
        n_classes += 1
        first = next(iter(left))
        for values in itertools.permutations(range(n)):
            square = [[values[first[n * r + c]] for c in range(n)] for r in range(n)]
            for _ in range(4):
                square = [list(line) for line in zip(*square[::-1], strict=True)]
                left.discard(tuple(itertools.chain(*square)))
                left.discard(tuple(itertools.chain(*(line[::-1] for line in square))))
    counted = rk.count(puzzle, up_to="values")
    assert (counted.total, counted.unique) == (len(rows), n_classes)
    assert sum(1 for _ in rk.solve(puzzle, up_to="values")) == n_classes
