"""Counting by memoised branching: the definition, published counts, growth, memory, and when it is chosen."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from rekkyo.ask.count import count
from rekkyo.catalog import index
from rekkyo.engines import registry
from rekkyo.engines.contract import WHOLE, no_pause
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.covers.memo.engine import CoverMemo
from rekkyo.engines.covers.memo.kernel import FREE, place_of
from rekkyo.engines.covers.memo.search import Search
from rekkyo.engines.limbs import wrapping
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import MAX_TIMES, ExactCover
from rekkyo.model.queens import Queens
from tests import naive_cover
from tests.engines.covers_counted import cover, total_of
from tests.inner_kernels import from_python

ENGINE = CoverMemo()

CLUES_24 = ".9......14......2..7....5....74..2......8......9..6....6...41......71354..49..67."
"""A sudoku of many solutions."""


def total(model: ExactCover, engine: CoverMemo = ENGINE) -> int:
    return total_of(engine, model)


@pytest.mark.kernel
@given(model=naive_cover.models())
def test_counts_what_the_definition_says(model: ExactCover) -> None:
    assert total(model) == len(naive_cover.solutions(model))


@pytest.mark.kernel
@given(model=naive_cover.models(plain=True, max_options=14))
def test_counts_plain_covers_by_their_items(model: ExactCover) -> None:
    assert ENGINE.plan(model).cover.by_items
    assert total(model) == len(naive_cover.solutions(model))


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (naive_cover.TOY_XCC, 1),
        (naive_cover.TOY_MCC, len(naive_cover.solutions(naive_cover.TOY_MCC))),
        (naive_cover.fillings(4, 4, naive_cover.DOMINOES), 36),
        (naive_cover.langford(4), 2),
        (naive_cover.queens(5), 10),
        (ExactCover(("a", "b"), (), (((0, 0),),)), 0),
        (ExactCover(("a",)), 0),
        (ExactCover(("a", "b"), (), (((0, 0), (1, 0)), ((0, 0), (1, 0)))), 2),
        (ExactCover(("a",), (), (((0, 0),),), ((0, 1),)), 2),
        (ExactCover(("a",), (), (((0, 0),),), ((2, 3),)), 0),
        (ExactCover(("a",), (), (((0, 0),),) * 9, ((3, MAX_TIMES),)), 2**9 - 1 - 9 - 36),
    ],
)
def test_small_counts(model: ExactCover, expected: int) -> None:
    assert total(model) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("dominoes 8 8", 12988816),  # Kasteleyn 1961
        ("dominoes 12 12", 53060477521960000),  # OEIS A004003
        ("polyominoes 3 9 9 --any-number --only L", 1193600),  # OEIS A351323 and others: 9x9 with L-trominoes
        pytest.param("polyominoes 5 5 10 --any-number", 101698212, marks=pytest.mark.second),  # OEIS A174249
        ("latin-square 5", 161280),  # OEIS A002860
        ("aztec-diamond 7", 2**28),
        ("langford 8", 300),
        ("soma", 11520),
    ],
)
def test_published_counts(words: str, expected: int) -> None:
    assert total(cover(words)) == expected


@pytest.mark.long
def test_dominoes_on_16x16() -> None:
    """The second way to a count that cannot be listed."""
    assert total(cover("dominoes 16 16")) == 2444888770250892795802079170816  # OEIS A004003


@pytest.mark.kernel
@pytest.mark.parametrize("n", [60, 200])
def test_counts_grow_beyond_64_and_128_bits(n: int) -> None:
    """Independent items with three options each: parts that are multiplied."""
    options = tuple(((item, 0),) for item in range(n) for _ in range(3))
    assert total(ExactCover(tuple(map(str, range(n))), (), options)) == 3**n


@pytest.mark.kernel
def test_sums_grow_beyond_64_bits() -> None:
    """Any subset of 70 options that cover one item: one part, a sum of sums."""
    model = ExactCover(("a", "b"), (), (((0, 0), (1, 0)),) * 70, ((0, 69), (0, 70)))
    assert total(model) == 2**70 - 1


@pytest.mark.kernel
def test_sums_of_powers_of_two_grow_beyond_128_bits() -> None:
    """Five options cover the first item and rule out one of nine for each of 42 others. The low words are 0."""
    n = 42
    items, others = ("first", *map(str, range(n))), range(1, n + 1)
    ruled_out = {item: n + item for item in others}
    ruling_out = ((0, 0), *((item, 0) for item in ruled_out.values()))
    options = [((item, 0),) for item in others for _ in range(8)]
    options += [((item, 0), (secondary, 0)) for item, secondary in ruled_out.items()]
    model = ExactCover(items, tuple(f"not {item}" for item in others), (*options, *(ruling_out,) * 5))
    assert total(model) == 5 * 8**n


@pytest.mark.kernel
def test_sums_grow_beyond_128_bits() -> None:
    """Dominoes on 2 x n squares: one part, and every count is the sum of two others (Fibonacci)."""
    n = 200
    squares = tuple(f"{row} {column}" for column in range(n) for row in range(2))
    upright = [((2 * column, 0), (2 * column + 1, 0)) for column in range(n)]
    lying = [((at, 0), (at + 2, 0)) for at in range(2 * n - 2)]
    before, expected = 1, 1
    for _ in range(n - 1):
        before, expected = expected, before + expected
    assert expected.bit_length() > 128
    assert total(ExactCover(squares, (), (*upright, *lying))) == expected


def test_equal_subproblems_are_met_once() -> None:
    """As many nodes as Knuth's and Nishino's ways of choosing give, not one for each of 13 million tilings."""
    plan = ENGINE.plan(cover("dominoes 8 8"))
    assert ENGINE.count(plan, WHOLE, no_pause).nodes < 3000


@pytest.mark.kernel
def test_keys_that_differ_in_their_highest_bits_have_places_apart() -> None:
    """As those of parts of a board do in the last rows."""
    places = np.full(1 << 12, FREE, dtype=np.uint32)
    keys = (np.arange(256, dtype=np.uint64) << np.uint64(56)).reshape(-1, 1)
    with wrapping():
        found = {int(from_python(place_of)(places, keys, keys, row)) for row in range(len(keys))}
    assert len(found) > 150


def test_parts_cost_their_sum() -> None:
    one = naive_cover.fillings(6, 6, naive_cover.DOMINOES)
    three = naive_cover.side_by_side(one, 3)
    single, together = (ENGINE.count(ENGINE.plan(model), WHOLE, no_pause) for model in (one, three))
    assert together.total == single.total**3 == 6728**3
    assert together.nodes <= 3 * single.nodes


def test_pauses_and_goes_on() -> None:
    pauses = []
    plan = ENGINE.plan(cover("langford 9"))
    tally = ENGINE.count(plan, WHOLE, lambda: pauses.append(None))
    assert not tally.total  # n = 9: no solution, since n must be 0 or 3 modulo 4
    assert len(pauses) == tally.nodes >> 14


def test_a_pause_may_end_the_search() -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ENGINE.count(ENGINE.plan(cover("pentominoes 6 10")), WHOLE, stop)


def test_memory_is_bounded_and_the_answer_is_clear() -> None:
    with pytest.raises(
        EngineRefuses, match=r"remembering subproblems takes more than .* MB .* choose an engine that lists"
    ):
        total(cover("langford 11"), CoverMemo(most_bytes=1 << 20))


def test_only_choices_are_remembered() -> None:
    """What is forced is not: its only choice leads to a subproblem that is."""
    options = (*(((item, 0), (item + 1, 0)) for item in range(0, 40, 2)), ((40, 0),), ((40, 0),))
    search = Search(ENGINE.plan(ExactCover(tuple(map(str, range(41))), (), options)), 1 << 30)
    assert search.count(lambda: None) == 2
    assert search.n_entries == 1


@pytest.mark.parametrize(
    "words", ["dominoes 4 6", "dominoes 6 6", "polyominoes 3 6 6 --any-number", "langford 7"]
)
def test_symmetric_solutions_of_puzzles(words: str) -> None:
    puzzle = index.puzzle(words)
    remembered, listed = count(puzzle, engine="cover-memo"), count(puzzle, engine="cover-cells")
    assert (remembered.total, remembered.unique) == (listed.total, listed.unique)


def test_chosen_for_parts_where_neither_listing_nor_the_frontier_gets_through() -> None:
    """Two sudokus of 12,650 solutions each: 160 million pairs."""
    sudoku = cover(f"sudoku {CLUES_24}")
    both = naive_cover.side_by_side(sudoku, 2)
    assert ENGINE.pays_off(both)
    assert not CoverFrontier().pays_off(both)
    assert registry.counting_engine(both).name == "cover-memo"
    assert total(both) == 12650**2
    assert count(index.puzzle(f"sudoku {CLUES_24}"), engine="cover-bitset", up_to="none").total == 12650


@pytest.mark.parametrize("words", ["pentominoes 6 10", "langford 12", "sudoku", "dominoes 8 8", "soma"])
def test_not_chosen_for_what_is_in_one_part(words: str) -> None:
    assert not ENGINE.pays_off(cover(words))


def test_not_chosen_for_parts_of_few_solutions() -> None:
    assert not ENGINE.pays_off(naive_cover.side_by_side(naive_cover.fillings(4, 6, naive_cover.DOMINOES), 2))


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (Queens(4), "counts exact covers only"),
        (ExactCover(tuple(map(str, range(20000)))), "takes at most 16384 items and 65536 options"),
    ],
)
def test_refusals_say_why(model: ExactCover | Queens, reason: str) -> None:
    with pytest.raises(EngineRefuses, match=f"engine cover-memo {reason}"):
        ENGINE.plan(model)
