"""The engines of line sets of order 5 keep the contract on a few pairs of rows, and each step is compared
with brute force.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

import rekkyo as rk
from rekkyo.engines.contract import Block, Room, Shard, Tally, no_pause
from rekkyo.engines.crew import ALONE
from rekkyo.engines.digest import Digest, digest_of
from rekkyo.engines.sums.lines.engine import SumLines
from rekkyo.engines.sums.magic5.engine import LinePlan, MagicLineLists, MagicLineSets
from rekkyo.engines.sums.magic5.kernel_columns import find_choices
from rekkyo.engines.sums.magic5.kernel_rows import (
    compare_transversals,
    make_rows,
    make_transversals,
    next_partition,
)
from rekkyo.engines.sums.magic5.kernel_squares import make_cursor
from rekkyo.model.puzzle import Model, Puzzle
from rekkyo.model.sum_figure import Line, SumFigure
from rekkyo.symmetry.group import close
from rekkyo.symmetry.orbits import OrbitSurvey
from rekkyo.verify import violations
from tests import naive_line_sets
from tests.engines.listing_contract import ListingContract, list_all
from tests.inner_kernels import from_python

ANY_CENTRE = rk.puzzle("magic-square 5")
CENTRE_1 = rk.puzzle("magic-square 5 --given 1@centre")
CENTRE_13 = rk.puzzle("magic-square 5 --given 13@centre")
FEW_PAIRS = {ANY_CENTRE.model: (2460, 4620), CENTRE_1.model: (480, 3300, 1260), CENTRE_13.model: (2100, 3600)}
"""Pairs of rows that few squares begin with, of every kind (see `plan._pairs`)."""


def cut(plan: LinePlan, model: Model) -> LinePlan:
    return replace(plan, pairs=np.ascontiguousarray(plan.pairs[list(FEW_PAIRS[model])]))


@cache
def few_pairs(engine: type[MagicLineLists | MagicLineSets], model: SumFigure) -> LinePlan:
    """A few pairs, made once, because finding them takes 0.3 s without the compiler."""
    return cut(engine().make_plan(model), model)


class FewLists(MagicLineLists):
    """The listing engine on a few pairs of rows, because the whole list is too long for most tests."""

    def make_plan(self, model: SumFigure) -> LinePlan:
        return few_pairs(MagicLineLists, model)

    def make_plan_for_representatives(self, model: SumFigure, group: Any) -> LinePlan | None:
        plan = super().make_plan_for_representatives(model, group)
        return plan and cut(plan, model)


def blocks(
    engine: MagicLineLists, plan: LinePlan, n_rows: int, shard: Shard | None = None
) -> Iterator[Block]:
    """The blocks of a shard, or of the whole search."""
    for one in [shard] if shard else engine.split(plan, 1):
        yield from engine.blocks(plan, one, Room.of(ANY_CENTRE.model.row_shape, n_rows), 1 << 20, no_pause)


class FewSets(MagicLineSets):
    """The counting engine on the same pairs."""

    def make_plan(self, model: SumFigure) -> LinePlan:
        return few_pairs(MagicLineSets, model)


class TestContract(ListingContract):
    engine = FewLists()
    models: ClassVar[list[Model]] = list(FEW_PAIRS)


puzzles = pytest.mark.parametrize("puzzle", [ANY_CENTRE, CENTRE_1, CENTRE_13], ids=lambda p: p.name)


@puzzles
def test_counting_agrees_with_listing(puzzle: Puzzle) -> None:
    engine = FewSets()
    plan = engine.plan(puzzle.model)
    counts = [
        sum((engine.count(plan, shard, no_pause) for shard in engine.split(plan, n)), Tally(0, 0))
        for n in (1, 2, 9)
    ]
    assert counts[0] == counts[1] == counts[2]
    assert counts[0].total == len(list_all(FewLists(), puzzle.model, 1, 1000, 10_000))


@puzzles
def test_representatives_are_the_least_of_each_orbit(puzzle: Puzzle) -> None:
    engine = FewLists()
    group = close(puzzle.model.row_shape, puzzle.generators)
    rows = np.array(list_all(engine, puzzle.model, 1, 100, 10_000), dtype=np.uint8)
    least = OrbitSurvey(group).least_images(rows)
    plan = engine.plan_for_representatives(puzzle.model, group)
    assert plan is not None
    (block,) = blocks(engine, plan, len(rows))
    found = block.rows
    assert sorted(map(tuple, found.tolist())) == sorted(set(map(tuple, least.tolist())))
    assert len(rows) == 8 * len(found)
    assert block.stabilizers is not None
    assert block.stabilizers.tolist() == OrbitSurvey(group).stabilizer_orders(found).tolist()


def test_stabilizers_are_left_to_others_when_the_group_is_larger() -> None:
    """The complement of the half turn maps each associative square to itself."""
    engine = FewLists()
    group = close(ANY_CENTRE.model.row_shape, ANY_CENTRE.generators_up_to("complement") or ())
    plan = engine.plan_for_representatives(ANY_CENTRE.model, group)
    assert plan is not None
    assert next(blocks(engine, plan, 1)).stabilizers is None


@pytest.mark.kernel
@pytest.mark.parametrize("pair", [2460, 3300, 480])
def test_every_step_agrees_with_brute_force(pair: int) -> None:
    """The first partition that has columns is compared: its transversals, columns and diagonals, without
    symmetry.
    """
    plan = MagicLineSets().plan(ANY_CENTRE.model)
    walk = make_rows((pair, pair + 1), plan.five_sets.size)
    cursor = make_cursor((0, 0), 1)
    cursor.allowed[:] = ~np.uint64(0)
    while from_python(next_partition)(plan.pairs, plan.five_sets, walk):
        rows = [_numbers(row) for row in walk.rows.tolist()]
        n_transversals = int(from_python(make_transversals)(walk))
        if n_transversals == 0:
            continue
        every = naive_line_sets.transversals(rows)
        assert {_members(word) for word in walk.numbers[:n_transversals].tolist()} == every
        assert n_transversals == len(every)
        from_python(compare_transversals)(walk, np.uint64(n_transversals))
        _check_meetings(walk.numbers, walk.once, walk.apart, n_transversals)
        walk.rows[0] = np.uint64(1 << 25)  # greater than every column: none is left to the transposes
        n_choices = from_python(find_choices)(
            walk,
            np.uint64(n_transversals),
            cursor.allowed,
            cursor.found,
            cursor.choices,
        )
        found = Counter(
            _columns(walk.numbers, choice) for choice in cursor.choices[: int(n_choices)].tolist()
        )
        expected = {}
        for columns in naive_line_sets.column_sets(rows):
            n_arrangements = naive_line_sets.magic_arrangements(rows, columns)
            if n_arrangements:
                expected[frozenset(columns)] = n_arrangements // 16
        assert found == expected
        if expected:
            return
    pytest.fail("this pair has no square at all; choose another")


def _numbers(five_set: int) -> frozenset[int]:
    return frozenset(number + 1 for number in range(25) if five_set >> number & 1)


def _members(packed: int) -> frozenset[int]:
    return frozenset((packed >> 8 * row & 255) + 1 for row in range(5))


def _columns(numbers: NDArray[np.uint64], choice: int) -> frozenset[frozenset[int]]:
    four = [_members(int(numbers[choice >> 8 * column & 255])) for column in range(4)]
    return frozenset([*four, frozenset(range(1, 26)).difference(*four)])


def _check_meetings(numbers: Any, once: Any, apart: Any, n_transversals: int) -> None:
    sets = [_members(word) for word in numbers[:n_transversals].tolist()]
    for one in range(n_transversals):
        for other in range(n_transversals):
            word, bit = 4 * one + other // 64, other % 64
            assert int(once[word]) >> bit & 1 == (len(sets[one] & sets[other]) == 1)
            assert int(apart[word]) >> bit & 1 == (not sets[one] & sets[other])


def test_the_general_engine_finds_the_same_squares_with_one_row() -> None:
    """With 1 in the centre and 13, 2, 24, 11, 15 as the first row.

    Of the row and the column that hold 13 the greater one is the first row of a pair, each as the lesser of itself and its
    complement. This row is its own complement and holds 24. The column holds neither 1, 2 nor 24, so it is less.
    """
    plan = MagicLineLists().plan(CENTRE_1.model)
    row = np.uint64(sum(1 << number - 1 for number in (2, 11, 13, 15, 24)))
    plan = replace(plan, pairs=np.ascontiguousarray(plan.pairs[plan.pairs[:, 0] == row]))
    _check_against_the_general_engine(plan, (13, 2, 24, 11))


@pytest.mark.second
def test_the_general_engine_finds_the_same_squares() -> None:
    """All squares with 1 in the centre and 25, 13, 9 from the corner on need a search of all pairs of rows."""
    _check_against_the_general_engine(MagicLineLists().plan(CENTRE_1.model), (25, 13, 9))


def _check_against_the_general_engine(plan: LinePlan, first: tuple[int, ...]) -> None:
    """The squares that begin with these numbers have the same count and digest."""
    hashed, n_rows = Digest(), 0
    for block in blocks(MagicLineLists(), plan, 1 << 16):
        rows = block.rows[(block.rows[:, : len(first)] == np.array(first) - 1).all(axis=1)]
        hashed, n_rows = hashed + digest_of(np.ascontiguousarray(rows)), n_rows + len(rows)
    corner, *others = (f"--given {number}@" for number in first)
    places = " ".join(f"{number}0,{column}" for column, number in enumerate(others, 1))
    given = rk.puzzle(f"magic-square 5 --given 1@centre {corner}corner {places}")
    count = rk.count(given, engine="sum-lines", up_to="none", digest=True)
    assert (count.total, count.digest) == (n_rows, str(hashed))
    assert n_rows > 0


def test_listed_squares_are_valid_from_the_first_to_later_ones() -> None:
    plan = MagicLineLists().plan(ANY_CENTRE.model)
    for shard in MagicLineLists().split(plan, 40)[3::8]:
        rows = next(blocks(MagicLineLists(), plan, 500, shard)).rows
        assert len(rows) == 500
        assert not any(violations(ANY_CENTRE.model, tuple(row)) for row in rows.tolist())


def test_a_moment_lists_no_more_squares_than_some_milliseconds_allow() -> None:
    """A node is a partition into rows, which may give thousands of squares; 13 million are listed in a second."""
    engine = MagicLineLists()
    plan = engine.plan(ANY_CENTRE.model)
    moment, room = engine.nodes_of_moment(plan), Room.of(ANY_CENTRE.model.row_shape, 1 << 12)
    for shard in engine.split(plan, 8):
        n_nodes = n_squares = 0
        for block in engine.blocks(plan, shard, room, moment, no_pause):
            n_nodes, n_squares = n_nodes + block.nodes, n_squares + len(block.rows)
            if n_nodes >= moment:
                break
        assert n_squares < 1 << 20


def test_burnside_knows_which_squares_a_symmetry_keeps() -> None:
    """The half turn with the complement keeps the 388,352 associative squares (OEIS A081262)."""
    engine = MagicLineSets()
    plan = engine.plan(ANY_CENTRE.model)
    shape = ANY_CENTRE.model.row_shape
    group = close(shape, ANY_CENTRE.generators_up_to("complement"))
    fixed = [
        engine.count_fixed(plan, tuple(element.tolist()), no_pause, ALONE) for element in group.elements[1:]
    ]
    assert sorted(tally.total for tally in fixed if tally) == [0] * 14 + [388352]
    shift = tuple(cell * 25 + (value + 1) % 25 for cell in range(25) for value in range(25))
    assert engine.count_fixed(plan, shift, no_pause, ALONE) is None


def _changed(**changes: Any) -> SumFigure:
    assert isinstance(ANY_CENTRE.model, SumFigure)
    return replace(ANY_CENTRE.model, **changes)


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (rk.puzzle("queens 5").model, "sum figures only"),
        (rk.puzzle("magic-square 4").model, "searches magic squares of order 5 only"),
        (rk.puzzle("semimagic-square 5").model, "searches magic squares of order 5 only"),
        (_changed(numbers=tuple(range(2, 52, 2))), "needs 25 numbers in a row"),
        (_changed(lines=(Line((0, 1, 2, 3, 4), 64), *ANY_CENTRE.model.lines)), "needs the sum 65"),
        (_changed(orders=((0, 1),)), "takes no order between cells"),
        (_changed(given=frozenset({(0, 1)})), "takes a given number at the centre only"),
    ],
)
@pytest.mark.parametrize("engine", [MagicLineSets(), MagicLineLists()])
def test_refuses_what_it_cannot_search(engine: Any, model: Model, reason: str) -> None:
    assert reason in (engine.refusal(model) or "")


def test_lines_in_any_order_sums_given_or_not_and_numbers_from_anywhere() -> None:
    assert isinstance(ANY_CENTRE.model, SumFigure)
    lines = tuple(Line(line.cells[::-1], 65) for line in ANY_CENTRE.model.lines[::-1])
    assert MagicLineSets().accepts(_changed(lines=lines))
    assert MagicLineSets().accepts(_changed(numbers=tuple(range(-12, 13))))


def test_is_preferred_and_sum_lines_takes_over() -> None:
    assert (
        rk.count(rk.puzzle("magic-square 5 --given 25@corner --given 3@1,2"), limit=1).engine == "sum-lines"
    )


def test_listing_streams_from_the_start() -> None:
    rows = list(rk.solve(ANY_CENTRE, up_to="symmetry", limit=5))
    assert len(set(rows)) == 5


@pytest.mark.long
def test_the_published_count() -> None:
    """There are 275,305,224 squares (OEIS A006052)."""
    count = rk.count(ANY_CENTRE)
    assert (count.engine, count.total, count.unique) == ("magic-line-sets", 2_202_441_792, 275_305_224)
    assert rk.count(ANY_CENTRE, up_to="complement").unique == (2_202_441_792 + 388_352) // 16


def _centre_counts() -> list[tuple[int, int]]:
    text = (Path(__file__).parent.parent / "data" / "magic5_centres.tsv").read_text()
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return [(int(centre), int(unique)) for centre, unique in rows[1:]]


@pytest.mark.long
@pytest.mark.parametrize(("centre", "unique"), _centre_counts())
def test_counts_by_the_number_at_the_centre(centre: int, unique: int) -> None:
    count = rk.count(rk.puzzle(f"magic-square 5 --given {centre}@centre"))
    assert (count.total, count.unique) == (8 * unique, unique)
    assert (
        rk.count(rk.puzzle(f"magic-square 5 --given {26 - centre}@centre"), up_to="none").total == 8 * unique
    )


@pytest.mark.long
def test_every_square_is_listed_once() -> None:
    n_rows, before = 0, Digest()
    for block in rk.solve_blocks(ANY_CENTRE, up_to="symmetry"):
        n_rows += len(block)
        before += digest_of(block)
    assert n_rows == 275_305_224


@pytest.mark.long
def test_the_general_engine_agrees_on_a_whole_centre() -> None:
    listed = rk.count(CENTRE_1, engine="magic-line-lists", digest=True)
    assert (listed.total, listed.unique) == (8 * 4_365_792, 4_365_792)
    general = rk.count(CENTRE_1, engine=SumLines.name, up_to="none", digest=True)
    assert (general.total, general.digest) == (listed.total, listed.digest)


@pytest.mark.long
def test_no_partition_outgrows_the_arrays() -> None:
    """The kernels rely on these numbers without a check: at most 229 transversals and 35,890 choices."""
    plan = MagicLineSets().plan(ANY_CENTRE.model)
    walk = make_rows((0, len(plan.pairs)), plan.five_sets.size)
    cursor = make_cursor((0, 0), 1)
    cursor.allowed[:] = ~np.uint64(0)
    most_transversals = most_choices = 0
    while from_python(next_partition)(plan.pairs, plan.five_sets, walk):
        n_transversals = np.uint64(from_python(make_transversals)(walk))
        most_transversals = max(most_transversals, int(n_transversals))
        if n_transversals:
            from_python(compare_transversals)(walk, n_transversals)
            n_choices = from_python(find_choices)(
                walk,
                n_transversals,
                cursor.allowed,
                cursor.found,
                cursor.choices,
            )
            most_choices = max(most_choices, int(n_choices))
    assert (most_transversals, most_choices) == (229, 35_890)
