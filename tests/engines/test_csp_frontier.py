"""Merging equal states variable by variable: the definition, published counts, symmetric solutions, orders."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from math import comb, factorial, prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.contract import no_pause
from rekkyo.engines.csp.frontier import readers, rules
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.csp.frontier.plan import make_plan
from rekkyo.engines.csp.frontier.readers import TablesMade
from rekkyo.engines.csp.frontier.rules import rules_of
from rekkyo.engines.csp.narrowed import narrowed
from rekkyo.engines.frontier.levels import Field, laid_out
from rekkyo.errors import EngineRefuses
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.constraints import (
    AllDifferent,
    Areas,
    Clause,
    Connected,
    Diagram,
    Linear,
    Product,
    Regular,
    Reified,
    Table,
)
from rekkyo.model.csp.csp import Csp, Objective
from rekkyo.model.csp.restated import as_csp
from rekkyo.model.puzzle import Model
from tests import naive_coloring, naive_csp
from tests.engines.csp_counted import (
    ENGINE,
    MODELS,
    WHOLE,
    grid,
    planned,
    total,
    total_of,
)
from tests.examples import examples


@pytest.mark.kernel
@given(model=MODELS)
def test_counts_what_the_definition_says(model: Csp) -> None:
    assert total(model) == len(naive_csp.solutions(model))


@pytest.mark.kernel
@given(model=MODELS, seed=st.integers(0, 1 << 32))
def test_counts_the_same_in_any_order(model: Csp, seed: int) -> None:
    order = list(range(len(model.names)))
    random.Random(seed).shuffle(order)
    assert total_of(planned(model, order)) == len(naive_csp.solutions(model))


@pytest.mark.kernel
@pytest.mark.parametrize("excepted", [(), (0,)])
@pytest.mark.parametrize("truth", [0, 1])
def test_whether_values_are_all_different(excepted: tuple[int, ...], truth: int) -> None:
    """The one way to count with values that must differ or must not; random models seldom have it."""
    values = (0, 1, 2)
    different = AllDifferent(values, excepted)
    model = Csp(tuple("abct"), (values, values, values, (truth,)), (Reified(different, 3),))
    n_different = 6 + (7 if excepted else 0)  # two zeros and another value in three places, or three zeros
    assert total(model) == (n_different if truth else 27 - n_different) == len(naive_csp.solutions(model))


@pytest.mark.kernel
@examples(50)
@given(model=naive_coloring.models())
def test_colourings(model: Coloring) -> None:
    assert total(model) == len(naive_coloring.solutions(model))


def test_ends_that_are_alive_together_share_a_bit() -> None:
    """Two columns and a colour need one bit for all rows to come, 30 in all, and a row that has begun some more."""
    model = as_csp(rk.puzzle("rectangle-free 5 5 3").model)
    assert planned(model, range(25)).levels.n_bits == 48


def without_full_squares(n: int) -> Coloring:
    patterns = tuple(
        tuple((r * n + c, 1) for r in (row, row + 1) for c in (column, column + 1))
        for row in range(n - 1)
        for column in range(n - 1)
    )
    return Coloring(n * n, 2, patterns=patterns, grid=(n, n))


def sum_free(n: int) -> Coloring:
    sums = {frozenset({a, b, a + b}) for a in range(1, n + 1) for b in range(a, n - a + 1)}
    return Coloring(
        n, 2, patterns=tuple(tuple((x - 1, 1) for x in sorted(some)) for some in sorted(sums, key=sorted))
    )


def connected_cells(n: int) -> Csp:
    """Connected sets of cells, with the empty one, which the sequence leaves out."""
    names = tuple(f"{r},{c}" for r in range(n) for c in range(n))
    edges = tuple(
        (r * n + c, (r + down) * n + c + right)
        for r in range(n)
        for c in range(n)
        for down, right in ((0, 1), (1, 0))
        if r + down < n and c + right < n
    )
    return Csp(names, ((0, 1),) * (n * n), (Connected(tuple(range(n * n)), edges, (1,)),))


PUBLISHED: list[tuple[str, Callable[[int], Model], dict[int, int]]] = [
    ("A006506", lambda n: grid(n).independent_sets().model, {6: 5598861, 10: 2030049051145980050}),
    (
        "A063443",
        lambda n: grid(n - 1, kind="king").independent_sets().model,
        {9: 1355115601, 12: 60711713670028729},
    ),
    ("A068253", lambda n: grid(n).colorings(3).model, {5: 3 * 193662, 9: 3 * 31191658416342674}),
    ("A139810", without_full_squares, {4: 42176, 10: 32775983842712963307230834176}),
    ("A003763", lambda n: grid(2 * n).cycles().model, {2: 6, 3: 1072, 5: 467260456608}),
    ("A140517", lambda n: grid(n + 1).cycles(hamiltonian=False).model, {3: 213, 6: 487150371}),
    ("A007341", lambda n: grid(n).spanning_trees().model, {4: 100352, 6: 32565539635200}),
    ("A080691", lambda n: grid(n).edge_sets(acyclic=True).model, {4: 8790016, 6: 181075508242067552}),
    ("A080690", lambda n: grid(n).orientations(acyclic=True).model, {4: 5015972, 5: 128091434266}),
    ("A007865", sum_free, {20: 9583, 36: 3540355}),
    ("A133515", lambda n: grid(n).dominating_sets(minimum=False).model, {4: 28661, 7: 89373230342147}),
    ("A059525", connected_cells, {4: 11506 + 1, 6: 1732082741 + 1}),
]


@pytest.mark.parametrize(
    ("make", "n", "count"),
    [
        pytest.param(make, n, count, id=f"{name}-{n}")
        for name, make, terms in PUBLISHED
        for n, count in terms.items()
    ],
)
def test_published_counts(make: Callable[[int], Model], n: int, count: int) -> None:
    assert total(make(n)) == count


@pytest.mark.long
@pytest.mark.parametrize(
    ("make", "count"),
    [
        # OEIS A003763, A006506, A068253
        (lambda: grid(12).cycles().model, 1076226888605605706),
        (lambda: grid(16).cycles().model, 65882516522625836326159786165530572),
        (lambda: grid(15).independent_sets().model, 52521741712869136440040654451875316861275),
        (lambda: grid(14).colorings(3).model, 3 * 810410082813497381147177065840601910384),
    ],
)
def test_larger_published_counts(make: Callable[[], Model], count: int) -> None:
    assert total(make()) == count


def test_unique_by_the_folded_model() -> None:
    """Through Burnside's lemma as through the orbits of all rows."""
    for puzzle in (grid(3, 4).cycles(hamiltonian=False), grid(4).colorings(3), rk.puzzle("hip 4")):
        merged = rk.count(puzzle, engine="csp-frontier")
        listed = rk.count(puzzle, engine="csp-plain" if isinstance(puzzle.model, Csp) else None)
        assert (merged.total, merged.unique) == (listed.total, listed.unique)
        assert merged.unique is not None


@pytest.mark.kernel
def test_a_kind_of_constraint_without_rules_of_its_own_is_read_as_rows() -> None:
    """Areas of 1 in a row of four cells have two cells: none, or one of three."""
    areas = Areas((0, 1, 2, 3), ((0, 1), (1, 2), (2, 3)), ((1, 2, 2),))
    assert total(Csp(tuple("abcd"), ((0, 1),) * 4, (areas,))) == 1 + 3


@pytest.mark.parametrize(
    ("words", "count"), [("magic-star 6", 960), ("magic-square 3", 8), ("semimagic-square 3", 72)]
)
def test_sum_figures(words: str, count: int) -> None:
    assert total(rk.puzzle(words).model) == count  # OEIS A200720 (80 up to 12 symmetries), Lo Shu, A271103


def test_the_order_is_chosen_by_trying() -> None:
    """Guesses are equal for rows and for diagonals of 3-colourings; diagonals have 20 times the states."""
    model = as_csp(grid(10).colorings(3).model)
    chosen = ENGINE.count(make_plan(model), WHOLE, no_pause).nodes
    assert chosen <= ENGINE.count(planned(model, range(100)), WHOLE, no_pause).nodes


@pytest.mark.kernel
@pytest.mark.parametrize(("side", "count"), [(3, 42), (4, 24024), (5, 701149020)])
def test_sums_of_beginnings_hold_one_number(side: int, count: int) -> None:
    """Standard Young tableaux, as the row of each number in turn; OEIS A039622, and the hook length formula.

    Each beginning is a sum for each two rows. Guessed as independent, they hid that this order has few states.
    """
    n = side * side
    hooks = [side - row + side - column - 1 for row in range(side) for column in range(side)]
    assert count == factorial(n) // prod(hooks)
    problem = rk.Problem()
    places = [problem.variables([f"{k}in{row}" for row in range(side)], range(2)) for k in range(n)]
    for of_number in places:
        problem.sum(of_number, "=", 1)
    for row in range(side):
        problem.sum([of_number[row] for of_number in places], "=", side)
    for end in range(1, n):
        for row in range(side - 1):
            above, below = ([of_number[r] for of_number in places[:end]] for r in (row, row + 1))
            problem.linear([1] * end + [-1] * end, above + below, ">=", 0)
    counted = ENGINE.count(make_plan(problem.model()), WHOLE, no_pause)
    assert counted.total == count
    assert counted.nodes < 6 * side * comb(2 * side, side)  # of sets of cells that begin the tableau


@given(model=MODELS, seed=st.integers(0, 1000))
def test_readers_with_tables_in_common_read_alike(model: Csp, seed: int) -> None:
    rules = rules_of(model)
    for reader in (*rules.readers, *rules.readers):
        places = list(range(len(reader.variables)))
        for order in (places, random.Random(seed).sample(places, len(places))):
            assert rules.tables.of(reader, order) == TablesMade(model.domains).of(reader, order)


def test_products_of_other_variables_have_the_same_tables() -> None:
    model = Csp(tuple("abcdef"), (tuple(range(-3, 10)),) * 6, (Product((0, 1), 2), Product((3, 4), 5)))
    rules = rules_of(model)
    one, other = rules.readers
    forward, backward = (0, 1, 2), (2, 1, 0)
    assert rules.tables.of(one, forward) is rules.tables.of(other, forward)
    assert rules.tables.of(one, backward) is rules.tables.of(other, backward)
    assert rules.tables.of(one, forward) != rules.tables.of(one, backward)


def test_tables_of_equal_sums_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All vertices of four edges have one table, in any order; patterns are enough for those of two edges.

    The plan of a symmetry has the same sums, and its patterns are not those of the model.
    """
    made: list[object] = []
    rules.rules_of.cache_clear()  # another test may have asked for them
    tabulated = readers._tabulated

    def seen(*arguments: Any) -> Any:
        made.append(arguments)
        return tabulated(*arguments)

    monkeypatch.setattr(readers, "_tabulated", seen)
    model = narrowed(as_csp(grid(4).cycles().model))
    make_plan(model)
    assert len(made) == 4  # of three edges, none, one or two of which are in all cycles, and of four
    patterns = list(rules_of(model).patterns)
    n_atoms = len(model.solution) * len(model.values)
    with_ties = make_plan(model, tuple(number ^ 1 for number in reversed(range(n_atoms))))
    assert with_ties.levels.n_bits != make_plan(model).levels.n_bits
    assert len(made) == 4
    assert rules_of(model).patterns == patterns
    twice = rules.with_patterns(model, rules_of(model), [*patterns, *patterns])
    assert list(map(frozenset, twice.patterns)) == list(map(frozenset, patterns))


def test_an_automaton_is_read_in_any_order() -> None:
    """Words of 0 and 1 of length 8 without 11, which are Fibonacci many (OEIS A000045)."""
    word = Regular(tuple(range(8)), 2, ((0, 0, 0), (0, 1, 1), (1, 0, 0)), (0, 1))
    model = Csp(tuple("abcdefgh"), ((0, 1),) * 8, (word,))
    for seed in range(20):
        order = list(range(8))
        random.Random(seed).shuffle(order)
        assert total_of(planned(model, order)) == 55


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 9), st.integers(1, 64)), max_size=40))
def test_fields_share_no_bit_while_they_live(asked: list[tuple[int, int, int]]) -> None:
    spans = {key: (first, first + length) for key, (first, length, _) in enumerate(asked)}
    fields = laid_out(spans, {key: width for key, (_, _, width) in enumerate(asked)})
    for level in range(40):
        living = [field for field in fields.values() if field.first <= level <= field.last]
        bits = [bit for field in living for bit in range(field.shift, field.shift + field.width)]
        assert len(bits) == len(set(bits))
    assert all(field.shift % 64 + field.width <= 64 for field in fields.values())
    assert all(field == Field(field.shift, asked[key][2], *spans[key]) for key, field in fields.items())


def test_refusals() -> None:
    loose = Csp(("shown", "hidden"), ((0, 1), (0, 1)), (Clause(((0, 1, True), (1, 1, True))),), solution=(0,))
    best = Csp(("a",), ((0, 1),), objective=Objective(0, maximize=True))
    two_values = replace(
        loose, constraints=(Diagram((0, 1), (((0, 0, 0), (0, 1, 1)), ((0, 0, 0), (0, 1, 0), (1, 1, 0)))),)
    )
    two_nodes = replace(
        loose, constraints=(Diagram((0, 1), (((0, 0, 0), (0, 0, 1), (0, 1, 1)), ((0, 0, 0), (1, 1, 0)))),)
    )
    two_ways = Csp(  # of the first value; from each node there is one way on
        ("a", "b", "hidden"),
        ((0,), (0,), (0, 1)),
        (Diagram((0, 1, 2), (((0, 0, 0), (0, 0, 1)), ((0, 0, 0), (1, 0, 1)), ((0, 0, 0), (1, 1, 0)))),),
        solution=(0, 1),
    )
    tied = replace(loose, constraints=(Linear((1, 1), (0, 1), "=", 1),))
    looser = replace(loose, constraints=(Table((0, 1), ((0, 0), (0, 1), (1, 0))),))
    for model, reason in [
        (loose, "determines, which it cannot show of hidden"),
        (looser, "determines, which it cannot show of hidden"),
        (two_values, "determines, which it cannot show of hidden"),
        (two_nodes, "determines, which it cannot show of hidden"),
        (two_ways, "determines, which it cannot show of hidden"),
        (best, "cannot optimize an objective"),
    ]:
        with pytest.raises(EngineRefuses, match=f"engine csp-frontier .*{reason}"):
            ENGINE.plan(model)
    assert total(tied) == 2
    assert total(replace(loose, constraints=(Table((0, 1), ((0, 1), (1, 0))),))) == 2
    diagram = Diagram((0, 1), (((0, 0, 0), (0, 1, 1)), ((0, 1, 0), (1, 0, 0))))
    assert total(replace(loose, constraints=(diagram,))) == 2
    with pytest.raises(EngineRefuses, match=r"takes more than .* MB for this puzzle"):
        total_of(ENGINE.plan(grid(12).colorings(3).model), CspFrontier(most_bytes=1 << 16))


def test_colors_that_are_forbidden_together_in_every_way() -> None:
    """After one variable, each value of another is forbidden for the same reasons; one bit must not stand for all."""
    equal, unequal = tuple((c, c) for c in range(3)), tuple(permutations(range(3), 2))
    forbidden = [
        ((2, 1), equal),
        ((2, 0), unequal),
        ((0, 3, 1), tuple((c, c, other) for c, other in unequal)),
        ((2, 0), equal),
        ((3, 0), equal),
    ]
    constraints = tuple(Table(variables, rows, allowed=False) for variables, rows in forbidden)
    assert total(Csp(tuple("abcd"), ((0, 1, 2),) * 4, constraints)) == 0


def test_more_states_are_expected_than_a_float_can_say() -> None:
    """A guess of 1125 bits: a constraint repeated 250 times. Connected are the centre with some others, one, none."""
    star = tuple((0, other) for other in range(1, 5))
    model = Csp(tuple("abcde"), ((0, 1),) * 5, (Connected(tuple(range(5)), star, (1,)),) * 250)
    assert total(model) == 2**4 + 4 + 1


def test_a_value_that_is_named_twice_is_counted_once() -> None:
    """Eight variables of four values, and how many are 1 or 2."""
    problem = rk.Problem()
    cells = problem.variables("abcdefgh", range(4))
    problem.count(cells, [1, 2, 2], problem.variable("times", range(9)))
    for engine in ("csp-frontier", "csp", "csp-values"):
        assert rk.count(problem.puzzle(), engine=engine).total == 4**8
    assert rk.diagram(problem.puzzle()).count == 4**8


def chain_of_clauses(n: int) -> Csp:
    """Of any three variables in a row, one of the first two holds, or the third does not."""
    clauses = (Clause(((v, 1, True), (v + 1, 1, True), (v + 2, 1, False))) for v in range(n - 2))
    return Csp(tuple(map(str, range(n))), ((0, 1),) * n, tuple(clauses))


def test_thousands_of_variables() -> None:
    """By the last two values: 0 0 is followed only by 0."""
    n = 6000
    ends = {(0, 0): 1, (0, 1): 1, (1, 0): 1, (1, 1): 1}
    for _ in range(n - 2):
        after = dict.fromkeys(ends, 0)
        for (one, other), times in ends.items():
            for last in (0, 1) if one or other else (0,):
                after[other, last] += times
        ends = after
    assert total(chain_of_clauses(n)) == sum(ends.values())


def test_too_many_variables_are_refused_with_the_reason() -> None:
    reason = (
        r"at most 16384 variables with 65536 values in total, because it makes a level of each variable, and"
        r" this has 16385 with 32770; csp lists the solutions"
    )
    with pytest.raises(EngineRefuses, match=reason):
        ENGINE.check(chain_of_clauses(16_385))
