"""States that differ by an exchange of columns or sums are merged: the definition, published counts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import permutations, product
from math import factorial

import pytest
from hypothesis import example, given

import rekkyo as rk
from rekkyo.engines.contract import no_pause
from rekkyo.engines.csp.frontier.colors import exchangeable_colors
from rekkyo.engines.csp.frontier.exchanges import Exchange, kept_after
from rekkyo.engines.csp.frontier.levels import Alike
from rekkyo.engines.csp.frontier.rules import rules_of
from rekkyo.model.csp.constraints import (
    AT_MOST,
    Acyclic,
    AllDifferent,
    Circuit,
    Clause,
    Connected,
    Constraint,
    GlobalCardinality,
    LexLess,
    Linear,
)
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.restated import as_csp
from tests import made_once as st
from tests import naive_csp
from tests.engines.csp_counted import (
    ENGINE,
    WHOLE,
    alike_of,
    planned,
    total,
    total_of,
)
from tests.examples import examples


@pytest.mark.kernel
@given(
    pairs=st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda pair: pair[0] < pair[1])),
    together=st.sets(st.integers(0, 5), min_size=2),
    n_colors=st.integers(2, 5),
    seed=st.integers(0, 1 << 32),
)
@example(pairs={(2, 3), (0, 2), (0, 3)}, together={0, 1}, n_colors=2, seed=1)  # two classes begin in one cell
def test_exchanges_among_constraints_of_several_kinds(
    pairs: set[tuple[int, int]], together: set[int], n_colors: int, seed: int
) -> None:
    """Different neighbours, all different, and a cell that is not coloured at all, in any order."""
    constraints: list[Constraint] = [AllDifferent(pair) for pair in sorted(pairs)]
    constraints.append(AllDifferent(tuple(sorted(together))))
    constraints.append(Clause(((6, 9, True), (5, 0, True), (5, 1, True))))
    domains = ((*range(n_colors),),) * 6 + ((8, 9),)
    model = Csp(tuple("abcdefg"), domains, tuple(constraints))
    expected = len(naive_csp.solutions(model))
    colors = alike_of(model).colors
    assert colors == (tuple(range(2, n_colors)) if n_colors > 4 else colors)
    order = list(range(7))
    random.Random(seed).shuffle(order)
    assert total_of(planned(model, order, Alike(colors))) == expected
    assert total(model) == expected


ALL_FOUR = tuple(range(4))


@pytest.mark.kernel
@pytest.mark.parametrize(
    "constraints",
    [
        pytest.param([AllDifferent(ALL_FOUR), AllDifferent(ALL_FOUR, (0,))], id="0 may repeat, or may not"),
        pytest.param(
            [AllDifferent(ALL_FOUR), GlobalCardinality(ALL_FOUR, tuple((x, 0, 1) for x in (1, 2, 3)))],
            id="each value must come, or may come",
        ),
    ],
)
def test_cells_of_which_a_value_must_and_may_come_once(constraints: list[Constraint]) -> None:
    """Both say how often a value comes in the same cells, and are remembered in bits of their own."""
    model = Csp(tuple("abcd"), (ALL_FOUR,) * 4, tuple(constraints))
    alike = alike_of(model)
    assert alike.colors
    assert total_of(planned(model, range(4), alike)) == 24 == len(naive_csp.solutions(model))


@pytest.mark.kernel
@given(n_variables=st.integers(2, 7), n_exchanges=st.integers(1, 4), seed=st.integers(0, 1 << 32))
def test_the_levels_after_which_exchanges_keep_what_is_decided(
    n_variables: int, n_exchanges: int, seed: int
) -> None:
    rng = random.Random(seed)
    order = rng.sample(range(n_variables), n_variables)
    exchanges = []
    for _ in range(n_exchanges):
        some = rng.sample(range(n_variables), 2 * rng.randint(1, n_variables // 2))
        pairs = zip(some[::2], some[1::2], strict=True)
        onto = {v: u for one, other in pairs for v, u in ((one, other), (other, one))}
        exchanges.append(Exchange(onto, {(v, 0): (u, 0) for v, u in onto.items()}))

    def keeps(exchange: Exchange, level: int) -> bool:
        """Those that are decided, and moves some that are not."""
        decided = set(order[: level + 1])
        is_kept = all((v in decided) == (u in decided) for v, u in exchange.onto.items())
        return level >= 0 and is_kept and not exchange.onto.keys() <= decided

    kept = {level: [one for one in exchanges if keeps(one, level)] for level in range(n_variables)}
    assert kept_after(exchanges, order) == {
        level: some for level, some in kept.items() if any(not keeps(one, level - 1) for one in some)
    }


@st.composite
def symmetric_grids(draw: st.DrawFn) -> Csp:
    """A small grid in which columns may be exchanged, and perhaps rows and values."""
    height, width, n_values = draw(st.sampled_from([(2, 3, 3), (3, 3, 2), (2, 4, 2), (4, 2, 2)]))
    values = range(n_values)
    cells = [(row, column) for row in range(height) for column in range(width)]
    literals = st.tuples(st.integers(0, len(cells) - 1), st.integers(0, n_values - 1), st.booleans())
    clause = st.lists(literals, min_size=1, max_size=4, unique_by=lambda one: one[0])
    clauses = draw(st.lists(clause, max_size=3))  # half of the models with more had no solution
    may_exchange = st.booleans()
    rows = [*permutations(range(height))] if draw(may_exchange) else [tuple(range(height))]
    renamed = [*permutations(values)] if draw(may_exchange) else [tuple(values)]
    constraints: list[Constraint] = [
        Clause(image)
        for clause in clauses
        for image in dict.fromkeys(
            tuple((r[cells[at][0]] * width + c[cells[at][1]], x[value], sign) for at, value, sign in clause)
            for r, c, x in product(rows, permutations(range(width)), renamed)
        )
    ]
    if draw(may_exchange):
        columns = [tuple(at for at, cell in enumerate(cells) if cell[1] == c) for c in range(width)]
        constraints += [GlobalCardinality(column, ((0, 0, 1),)) for column in columns]
    if draw(may_exchange):
        constraints.append(Linear((1,) * width, tuple(range(width)), AT_MOST, draw(st.integers(0, width))))
    if draw(may_exchange):  # sums of all columns, weighted by rows or not, perhaps each of them twice
        weights = draw(st.lists(st.integers(-1, 2).filter(bool), min_size=height, max_size=height))
        constant = draw(st.integers(-1, 3))
        columns = [tuple(at for at, cell in enumerate(cells) if cell[1] == c) for c in range(width)]
        sums = [
            Linear(tuple(weights), column, draw(st.just("=") | st.just(AT_MOST)), constant)
            for column in columns
        ]
        constraints += sums * draw(st.integers(1, 2))
    return Csp(tuple(map(str, cells)), (tuple(values),) * len(cells), tuple(constraints))


@pytest.mark.kernel
@examples(100)
@given(model=symmetric_grids(), seed=st.none() | st.integers(0, 1 << 32))
def test_columns_that_can_be_exchanged(model: Csp, seed: int | None) -> None:
    order = list(range(len(model.names)))
    if seed is not None:
        random.Random(seed).shuffle(order)
    alike = alike_of(model)
    assert total_of(planned(model, order, alike)) == len(naive_csp.solutions(model))


def sums(rows: Sequence[Sequence[int]], relation: str, constant: int) -> list[Constraint]:
    return [Linear((1,) * len(row), tuple(row), relation, constant) for row in rows]


def ones(rows: Sequence[Sequence[int]]) -> list[Constraint]:
    """In each row one cell is 0."""
    return [GlobalCardinality(tuple(row), ((0, 1, 1),)) for row in rows]


def one_is_wrong(*literals: tuple[int, int]) -> Clause:
    return Clause(tuple((cell, value, False) for cell, value in literals))


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("n_cells", "constraints"),
    [
        pytest.param(
            8,
            [
                *(one_is_wrong(*some) for some in [((5, 0), (6, 0)), ((4, 0), (7, 0))]),
                *sums([(0, 2, 4), (1, 3, 5)], AT_MOST, 2),
            ],
            id="sums that have ended",
        ),
        pytest.param(
            12,
            [
                *(one_is_wrong((3 + a, 1), (6 + b, 1), (c, 1)) for a, b, c in permutations(range(3))),
                *sums([(3 + c, 6 + c, 9 + c) for c in range(3)], "!=", 3),
            ],
            id="sums of which a cell was read",
        ),
        pytest.param(
            12,
            [
                *(one_is_wrong(*some) for some in [((4, 0), (1, 1)), ((5, 0), (2, 1)), ((3, 0), (0, 1))]),
                *ones([(7, 10, 4), (6, 11, 5), (8, 9, 3)]),
            ],
            id="values that come once, later",
        ),
        pytest.param(
            12,
            [
                *(one_is_wrong(*some) for some in [((3, 0), (1, 0)), ((2, 0), (0, 0))]),
                *ones([(11, 8, 5, 2), (10, 9, 4, 3)]),
                *sums([(0, 11, 8, 7, 5, 2), (1, 10, 9, 6, 4, 3)], "!=", 6),
            ],
            id="values that come once, of which a cell was read",
        ),
        pytest.param(
            10,
            [
                *(one_is_wrong(*some) for some in [((0, 0), (2, 0)), ((1, 0), (5, 0))]),
                *ones([(3, 9), (4, 8)]),
                *sums([(2, 3, 0), (5, 4, 1)], AT_MOST, 2),
            ],
            id="sums that have ended, beside values that come once",
        ),
        pytest.param(
            10,
            [
                *(one_is_wrong(*some) for some in [((8, 0), (7, 0)), ((9, 0), (2, 0))]),
                *ones([(5, 1, 6), (3, 4, 0)]),
                *sums([(1, 3, 2, 6, 8), (4, 5, 7, 0, 9)], AT_MOST, 3),
            ],
            id="values that have come, beside sums",
        ),
        pytest.param(
            6,
            [
                *(one_is_wrong(*some) for some in [((4, 1), (1, 1)), ((2, 1), (0, 1))]),
                *sums([(4, 0, 5), (2, 1, 3)], AT_MOST, 9),
            ],
            id="sums that forbid nothing",
        ),
        pytest.param(
            6,
            [
                *(one_is_wrong(*some) for some in [((5, 0), (4, 1)), ((4, 0), (5, 1))]),
                *ones([(3, 4, 2), (1, 5, 0)]),
                *(GlobalCardinality(some, ((0, 0, 1),)) for some in [(3, 4, 2), (1, 5, 0), (3, 0), (1, 2)]),
            ],
            id="a value that comes once and, in the same cells, at most once",
        ),
    ],
)
def test_sums_are_exchanged_from_their_first_cell_to_their_last(
    n_cells: int, constraints: list[Constraint], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before and after that, the bits of a sum may be those of something else, if they do not go around a word."""
    model = Csp(tuple(map(str, range(n_cells))), ((0, 1),) * n_cells, tuple(constraints))
    alike = alike_of(model)
    assert alike.exchanges
    plans = [planned(model, range(n_cells), alike)]
    monkeypatch.setattr("rekkyo.engines.csp.frontier.colors.laid_by_end", lambda *_: None)
    plans.append(planned(model, range(n_cells), alike))
    assert {*map(total_of, plans)} == {len(naive_csp.solutions(model))} != {0}


ARCS = ((0, 1, 0, 1), (1, 1, 1, 0), (2, 1, 2, 3), (3, 1, 2, 3))


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("further", "count"),
    [
        pytest.param(one_is_wrong((2, 1), (4, 1)), 2 * 3, id="one has a pattern"),
        pytest.param(LexLess((2, 4), (3, 5)), 3, id="their words are in order"),
        pytest.param(Linear((1, 2, 1, 2), (2, 3, 4, 5), AT_MOST, 4), 2 + 4, id="one has more weight"),
        pytest.param(Acyclic((2, 4, 3, 5), ARCS, True), 2 * 3, id="one has two arcs that are a cycle"),
    ],
)
def test_columns_that_differ_after_the_first_row_are_not_exchanged(further: Constraint, count: int) -> None:
    """Each column is 011, 101 or 110. States with exchanged sums would be merged after the first row."""
    columns = sums([(0, 2, 4), (1, 3, 5)], "=", 2)
    model = Csp(tuple("abcdef"), ((0, 1),) * 6, (*columns, further))
    assert total_of(planned(model, range(6), alike_of(model))) == count == len(naive_csp.solutions(model))


@pytest.mark.kernel
def test_values_that_a_later_sum_adds_are_not_exchanged() -> None:
    """The second variable follows from the first one: if it is 1, the others are 0."""
    model = Csp(tuple("abcd"), ((0, 1),) * 4, (AllDifferent((0, 1)), Linear((1,) * 3, (1, 2, 3), AT_MOST, 1)))
    assert total_of(planned(model, range(4), alike_of(model))) == 1 + 3 == len(naive_csp.solutions(model))


@pytest.mark.kernel
@pytest.mark.parametrize("n", [3, 4, 5])
def test_nodes_of_a_circuit_are_not_exchanged(n: int) -> None:
    """Each is a successor once, but which nodes are joined depends on its number. (n - 1)! circuits."""
    model = Csp(tuple("abcde"[:n]), (tuple(range(n)),) * n, (Circuit(tuple(range(n))),))
    assert alike_of(model).colors == ()
    assert total(model) == factorial(n - 1)


def test_no_value_of_a_sum_without_tables_is_exchanged() -> None:
    """A reader whose tables are too large in the given order may tell its values apart."""
    model = Csp(tuple("abc"), ((0, 1, 2),) * 3, (Linear((1, 1, 1), (0, 1, 2), "=", 2),))
    assert exchangeable_colors(model, rules_of(model), [None]) == ()


@pytest.mark.kernel
def test_columns_with_other_names_of_values() -> None:
    """Cells A and B must differ from a and b. Either A = 0 or B = 1 rules out a value of c, so an exchange of
    columns must exchange the values, too: (a, b) = (0, 1) leaves two values of c, and (1, 0) one.
    """
    a, b, below_a, below_b, c = range(5)
    differ = [AllDifferent((a, below_a)), AllDifferent((b, below_b))]
    rule_out = [Clause(((cell, value, False), (c, 0, False))) for cell, value in ((below_a, 0), (below_b, 1))]
    model = Csp(tuple("abABc"), ((0, 1),) * 5, (*differ, *rule_out))
    alike = alike_of(model)
    assert alike.exchanges
    assert total_of(planned(model, range(5), alike)) == len(naive_csp.solutions(model)) == 5


@pytest.mark.second
def test_exchanging_columns_saves_states() -> None:
    """A grid without rectangles of one colour; 28565107560 was also listed up to symmetry."""
    model = as_csp(rk.puzzle("rectangle-free 5 5 3").model)
    exchanges = alike_of(model).exchanges
    tallies = [
        ENGINE.count(planned(model, range(25), alike), WHOLE, no_pause)
        for alike in (Alike((0, 1, 2)), Alike((0, 1, 2), exchanges))
    ]
    assert [tally.total for tally in tallies] == [28565107560] * 2
    assert tallies[1].nodes < tallies[0].nodes / 20


def magic_sums(n: int) -> Csp:
    """Squares of numbers from 0 to n whose rows and columns have the sum n."""
    lines = [tuple(n * r + c for c in range(n)) for r in range(n)]
    constraints = [Linear((1,) * n, line, "=", n) for line in (*lines, *zip(*lines, strict=True))]
    return Csp(tuple(map(str, range(n * n))), (tuple(range(n + 1)),) * n**2, tuple(constraints))


@pytest.mark.parametrize(
    ("n", "count"), [(4, 10147), (7, 215717608046511873), (8, 1046591482728407939338275)]
)
def test_sums_of_rows_and_columns(n: int, count: int) -> None:
    """OEIS A110058."""
    assert total(magic_sums(n)) == count


COLUMNS = [(c, c + 3, c + 6) for c in range(3)]


SUMS = [
    pytest.param([Linear((1,) * 3, column, "=", 3) for column in COLUMNS * 2], id="each column twice"),
    pytest.param(
        [
            Linear((1,) * 3, COLUMNS[c], relation, constant)
            for c, both in enumerate(([(AT_MOST, 4), ("!=", 1)], [("!=", 1), (AT_MOST, 4)]))
            for relation, constant in both
        ],
        id="two sums, in another order",
    ),
    pytest.param([Linear((1, 2, 1), (3, 4, 5), AT_MOST, 3)], id="a column with more weight"),
    pytest.param(
        [GlobalCardinality(column, ((1, 0, 1),)) for column in COLUMNS], id="a value at most once in each"
    ),
    pytest.param(
        [GlobalCardinality(COLUMNS[c], ((1, must, 1),)) for c, must in enumerate((1, 0, 0))],
        id="a value must come in one column, and may come in the others",
    ),
]


@pytest.mark.kernel
@pytest.mark.parametrize("sums", SUMS)
def test_sums_that_exchanges_take_to_others(sums: list[Constraint]) -> None:
    """An exchange of columns must find out which sum is which, and not take sums for equal that differ."""
    rows = [Linear((1,) * 3, (r, r + 1, r + 2), "=", 3) for r in (0, 3, 6)]
    ends = [Clause(((high, 2, False), (low, 2, False))) for high, _, low in COLUMNS]  # live after each row
    model = Csp(tuple("abcdefghi"), ((0, 1, 2),) * 9, (*rows, *ends, *sums))
    assert total_of(planned(model, range(9), alike_of(model))) == len(naive_csp.solutions(model)) > 0


@pytest.mark.kernel
def test_columns_of_cells_that_must_be_connected_are_not_exchanged() -> None:
    """Only the ends of the columns may be exchanged: their cells are not side by side then."""
    beside = [(c, c + 1) for c in range(9) if c % 3 < 2] + [(c, c + 3) for c in range(6)]
    ends = [Clause(((high, 0, False), (low, 0, False))) for high, _, low in COLUMNS]
    model = Csp(tuple("abcdefghi"), ((0, 1),) * 9, (*ends, Connected(tuple(range(9)), tuple(beside), (1,))))
    assert total_of(planned(model, range(9), alike_of(model))) == len(naive_csp.solutions(model)) > 0


@pytest.mark.kernel
@pytest.mark.parametrize(
    "sums",
    [
        pytest.param([Linear((1, 2, 1), (2, 3, 4), AT_MOST, 3)], id="weights"),
        pytest.param(
            [Linear((1, 1, 1), (2, 4, 5), AT_MOST, 1), Linear((1, 1, 1), (3, 6, 7), AT_MOST, 3)],
            id="constants",
        ),
    ],
)
def test_sums_that_only_look_alike(sums: list[Constraint]) -> None:
    """Cells 0 and 1 rule out a value of cells 2 and 3, which only a sum of later cells tells apart."""
    ends = [Clause(((cell, 2, False), (cell + 2, 1, False))) for cell in (0, 1)]
    model = Csp(tuple("abcdefgh"), ((0, 1, 2),) * 8, (*ends, *sums))
    assert total_of(planned(model, range(8), alike_of(model))) == len(naive_csp.solutions(model))


def test_exchanging_sums_of_columns_saves_states() -> None:
    """Without that, 7x7 took 104,432,664 nodes."""
    assert ENGINE.count(ENGINE.plan(magic_sums(7)), WHOLE, no_pause).nodes == 134944
