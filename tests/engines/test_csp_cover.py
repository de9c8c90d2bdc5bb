"""Problems of different values and of pairs, as exact covers: the oracle, published counts, and the choice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.contract import Rows
from rekkyo.engines.csp.cover import engine, stating
from rekkyo.engines.csp.cover.engine import CspCover
from rekkyo.engines.csp.cover.stating import CannotState, stated
from rekkyo.engines.csp.propagating import engine as propagating
from rekkyo.errors import EngineRefuses
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.csp.constraints import AllDifferent, Clause, Element, Linear, Reified, Table
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.problem import Problem
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model, Puzzle
from rekkyo.search.cutting import whole_if_long
from rekkyo.search.question import ask
from rekkyo.search.quick import begun, quick_engine
from tests import csp_strategies, naive_csp
from tests.engines.listing_contract import ListingContract, list_all

ENGINE = CspCover()
EXAMPLES = Path(__file__).parents[2] / "examples"
KINDS = (AllDifferent, AllDifferent, Linear, Table, Clause, Element, Reified)


def latin_square(n: int, *others: str) -> Puzzle:
    """As a file says it. others: further regions whose values differ, such as diagonals."""
    board = "\n".join(["." * n] * n)
    regions = ["rows", "columns", *others]
    different = "".join(f'[[different]]\nregions = "{name}"\n' for name in regions)
    return read_toml(f'kind = "grid"\nboard = """\n{board}\n"""\nvalues = "1..{n}"\n{different}', "square")


def with_constants() -> Csp:
    """Hidden variables with one value: one among different ones, one in a sum, one in no constraint."""
    problem = Problem()
    shown = problem.variables(["a", "b", "c"], range(4))
    three, one, _ = problem.hidden([3]), problem.hidden([1]), problem.hidden([7])
    problem.all_different([*shown, three])
    problem.linear((1, 1, 1), (shown[0], shown[1], one), "!=", 3)
    return problem.model()


class TestContract(ListingContract):
    engine = ENGINE
    models: ClassVar[list[Model]] = [
        lower(latin_square(3).model),
        with_constants(),
        Csp(("a", "b"), ((0, 1), (0, 1)), (AllDifferent((0, 1), excepted=(1,)),)),
        Csp(("a", "b"), ((5,), (5,)), (AllDifferent((0, 1)),)),
    ]


def statable(model: Csp, seed: int) -> Csp:
    """The model without its objective and with constraints that the engine takes.

    Hidden variables keep one value, or are shown.
    """
    shown = set(model.solution)
    hidden = [v for v in range(len(model.names)) if v not in shown]
    fixed = {v for place, v in enumerate(hidden) if seed >> place & 1}
    domains = tuple(domain[:1] if v in fixed else domain for v, domain in enumerate(model.domains))
    solution = (*model.solution, *(v for v in hidden if v not in fixed))
    kept = []
    for constraint in model.constraints:
        one = replace(model, domains=domains, constraints=(constraint,), solution=solution, objective=None)
        if ENGINE.accepts(one):
            kept.append(constraint)
    return replace(model, domains=domains, constraints=tuple(kept), solution=solution, objective=None)


@given(csp_strategies.models(kinds=KINDS), st.integers(0, 31), st.integers(1, 4), st.integers(1, 5))
def test_lists_what_brute_force_finds(model: Csp, seed: int, n_shards: int, n_rows: int) -> None:
    model = statable(model, seed)
    rows = list_all(ENGINE, model, n_shards, n_rows, 10)
    assert len(set(rows)) == len(rows)
    assert sorted(rows) == sorted(naive_csp.solutions(model))


@pytest.mark.parametrize(("excepted", "total"), [((), 0), ((1,), 2)])
def test_equal_constants_among_different_variables(excepted: tuple[int, ...], total: int) -> None:
    different = AllDifferent((0, 1, 2), excepted=excepted)
    model = Csp(("shown", "one", "other"), ((0, 1), (1,), (1,)), (different,), solution=(0,))
    assert len(list_all(ENGINE, model, 1, 5, 10)) == total


def test_different_variables_of_which_one_is_named_twice() -> None:
    """It has an excepted value."""
    model = Csp(("a", "b"), ((0, 1, 2),) * 2, (AllDifferent((0, 0, 1), excepted=(1, 2)),))
    assert sorted(list_all(ENGINE, model, 1, 5, 10)) == naive_csp.solutions(model)


def test_equal_sums_with_different_constants() -> None:
    """No difference is 1 in one pair, and none is 2 in the other, which the model says with hidden constants."""
    sums = (Linear((1, -1, 1), (0, 1, 4), "!=", 0), Linear((1, -1, 1), (2, 3, 5), "!=", 0))
    model = Csp(tuple("abcdef"), (*((0, 1, 2, 3),) * 4, (1,), (2,)), sums, solution=(0, 1, 2, 3))
    assert sorted(list_all(ENGINE, model, 1, 5, 10)) == naive_csp.solutions(model)


@pytest.mark.parametrize(
    ("puzzle", "total"),
    [
        (latin_square(4), 576),  # OEIS A002860
        (latin_square(5), 161280),
        (latin_square(4, "diagonals"), 48),  # OEIS A274806
        (latin_square(5, "diagonals"), 960),
        (latin_square(6, "diagonals"), 92160),
    ],
)
def test_published_counts(puzzle: Puzzle, total: int) -> None:
    assert rk.count(puzzle, up_to="none", engine="csp-cover").total == total


@pytest.mark.parametrize("up_to", ["none", "symmetry"])
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    "name",
    ["jigsaw-sudoku", "anti-knight-sudoku", "futoshiki", "thermometer-sudoku", "latin-square-diagonal"],
)
def test_both_engines_find_the_same(name: str, workers: int, up_to: str) -> None:
    puzzle = rk.puzzle_from_file(EXAMPLES / f"{name}.toml")
    one, other = (
        rk.count(puzzle, engine=engine, workers=workers, up_to=up_to, digest=True)
        for engine in ("csp", "csp-cover")
    )
    assert (one.total, one.unique, one.digest) == (other.total, other.unique, other.digest)


def test_recounts_a_run_of_the_other_engine(tmp_path: Path) -> None:
    puzzle = latin_square(4)
    rk.run(puzzle, tmp_path, shards=10)
    assert rk.Run(tmp_path).status().engine == "csp"
    found = rk.Run(tmp_path, puzzle=puzzle).recount()
    assert (found.agrees, found.engines) == (True, ("csp-cover",))


class TestChoice:
    @pytest.mark.parametrize(
        ("equation", "pays_off"),
        [(Linear((2,), (0,), "=", 2), True), (Linear((1, 1), (0, 1), "=", 3), False)],
    )
    def test_equations_of_one_variable_are_clues(self, equation: Linear, pays_off: bool) -> None:
        model = Csp(tuple("abc"), ((0, 1, 2),) * 3, (AllDifferent((0, 1, 2)), equation))
        assert ENGINE.accepts(model)
        assert ENGINE.pays_off(model) is pays_off

    def test_a_sum_of_three_does_not_pay_off_and_is_not_stated(self) -> None:
        model = Csp(tuple("abc"), ((0, 1, 2),) * 3, (Linear((1, 1, 1), (0, 1, 2), "<=", 3),))
        engine._stated.cache_clear()
        assert not ENGINE.pays_off(model)
        assert engine._stated.cache_info().misses == 0
        assert not ENGINE.accepts(model)

    def test_a_short_search_ends_before_another_engine_is_planned(self) -> None:
        assert rk.count(rk.puzzle_from_file(EXAMPLES / "jigsaw-sudoku.toml")).engine == "csp-cover"

    def test_what_propagation_ends_at_once_is_not_stated(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """But what takes it more than a short search is."""
        rk.count(latin_square(3), engine="csp")  # compiles
        begun: list[Csp] = []

        def recorded(model: Csp) -> tuple[ExactCover, Rows]:
            begun.append(model)
            return stated(model)

        monkeypatch.setattr(engine, "stated", recorded)
        engine._stated.cache_clear()
        for name, chosen in (("sudoku-x", "csp"), ("jigsaw-sudoku", "csp-cover")):
            puzzle = rk.puzzle_from_file(EXAMPLES / f"{name}.toml")
            propagating._begun.cache_clear()
            found = rk.count(puzzle)
            assert (found.engine, found.total, len(begun)) == (chosen, 1, int(chosen == "csp-cover"))
            assert propagating._begun.cache_info().misses == 1

    def test_the_one_that_is_expected_to_need_fewer_moments_counts(self) -> None:
        found = rk.count(latin_square(6, "diagonals"), up_to="none", workers=1)
        assert (found.total, found.engine) == (92160, "csp")

    def test_the_one_that_began_goes_on_unless_the_other_needs_far_fewer(self) -> None:
        """All sudokus take as many nodes either way, each of them in half the time as a cover."""
        puzzle = latin_square(9, "boxes 3x3")
        asked = partial(ask, puzzle, up_to="none", workers=1)
        search = begun(asked, quick_engine(puzzle), whole_if_long, None, lambda search: search)
        assert (search.engine.name, search.is_left_whole) == ("csp-cover", True)

    def test_not_where_a_variable_determines_another(self) -> None:
        problem = Problem()
        one, other = problem.variables(["a", "b"], range(5))
        problem.linear((1, -1), (one, other), "=", 2)
        model = problem.model()
        assert ENGINE.accepts(model)
        assert not ENGINE.pays_off(model)
        engine._stated.cache_clear()
        assert rk.count(rk.Puzzle("pair", model, "Two numbers")).engine == "csp"
        assert engine._stated.cache_info().misses == 0

    @pytest.mark.parametrize(("n", "pays_off"), [(engine.MOST_ORDERED + 1, True), (300, False)])
    def test_not_where_many_variables_are_compared(self, n: int, pays_off: bool) -> None:
        """Along a chain of inequalities most options are forced; n numbers of 0 to 2 ascend in C(n + 2, 2) ways."""
        problem = Problem()
        variables = problem.variables([f"x{number}" for number in range(n)], range(3))
        for one, other in pairwise(variables):
            problem.linear((1, -1), (one, other), "<=", 0)
        model = problem.model()
        assert ENGINE.accepts(model)
        assert ENGINE.pays_off(model) is pays_off
        assert rk.count(rk.Puzzle("chain", model, "A chain")).total == comb(n + 2, 2)

    def test_listing_and_digests_begin_with_propagation(self) -> None:
        assert rk.count(latin_square(4), digest=True).engine == "csp"


def three_in_a_sum() -> Csp:
    problem = Problem()
    problem.sum(problem.variables(["a", "b", "c"], range(3)), "=", 3)
    return problem.model()


def hidden() -> Csp:
    """A hidden variable with one value is a constant."""
    different = AllDifferent((0, 1, 2, 3))
    return Csp(("a", "constant", "other", "b"), ((0, 1, 2), (1,), (0, 2), (0, 1, 2)), (different,), (0, 3))


def hidden_beside_a_shown_constant() -> Csp:
    """As many variables as shown ones and constants, of which one is both."""
    different = AllDifferent((0, 1, 2))
    return Csp(("a", "other", "b"), ((1,), (0, 2), (0, 1, 2)), (different,), (0, 2))


def best() -> Csp:
    problem = Problem()
    problem.maximize(problem.variables(["a", "b"], range(3))[0])
    return problem.model()


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (three_in_a_sum, "takes constraints of two variables, and all_different, but Linear has 3"),
        (hidden, "takes no hidden variables, such as other$"),
        (hidden_beside_a_shown_constant, "takes no hidden variables, such as other$"),
        (best, "cannot optimize an objective"),
    ],
)
def test_refuses(make: Callable[[], Csp], why: str) -> None:
    with pytest.raises(EngineRefuses, match=f"engine csp-cover {why}"):
        ENGINE.plan(make())


def test_bounds_the_pairs_that_it_evaluates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stating, "MOST_PAIRS", 24)
    model = Csp(("a", "b"), (tuple(range(5)),) * 2, (Linear((1, -1), (0, 1), "!=", 0),))
    with pytest.raises(CannotState, match="evaluates constraints for at most 24 pairs of values"):
        stated(model)


def test_no_cover_of_too_many_options_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stating, "ExactCover", None)
    problem = Problem()
    problem.variables(tuple(f"v{k}" for k in range(200)), range(200))
    with pytest.raises(CannotState, match="takes at most 30000 options; this model has 40000"):
        stated(problem.model())
