"""Filters, orders and orbits: what plain Python finds by looking at every row."""

from __future__ import annotations

import random
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.gallery import source as gallery_source
from rekkyo.gallery.collection import Collection
from rekkyo.gallery.question import ORDERS, Clause, Literal, Question, read_question
from rekkyo.gallery.selection import Bits, Selection
from rekkyo.gallery.source import ListedSource, RunSource
from rekkyo.model.packing import Packing
from tests.gallery.growing import hide_shards, show_shard


@given(st.lists(st.lists(st.booleans(), max_size=9000), max_size=4), st.data())
def test_a_selection_finds_the_kth_one(parts: list[list[bool]], data: st.DataObject) -> None:
    bits = Bits()
    for part in parts:
        bits.add(np.array(part, dtype=bool))
    selection = Selection(bits.packed(), bits.n_seen)
    expected = [k for k, passes in enumerate(passes for part in parts for passes in part) if passes]
    assert len(selection) == len(expected)
    if expected:
        ranks = data.draw(st.lists(st.integers(0, len(expected) - 1), max_size=20))
        assert selection.pick(np.array(ranks, dtype=np.int64)).tolist() == [expected[rank] for rank in ranks]
    n_seen = sum(map(len, parts))
    for number in data.draw(st.lists(st.integers(-2, n_seen + 2), max_size=20)):
        assert selection.rank(number) == (expected.index(number) if number in expected else None)


def at(*pairs: tuple[int, int]) -> tuple[Clause, ...]:
    """That every one of these things is at its spot."""
    return tuple((Literal(pair),) for pair in pairs)


def ask(collection: Collection, question: Question, start: int = 0, count: int = 10**6) -> list[int]:
    for _ in collection.scan(question):
        pass
    return collection.numbers(question, start, count).tolist()


@pytest.fixture(scope="module")
def queens() -> Collection:
    return Collection(ListedSource(rk.queens(8)))


def all_rows(collection: Collection) -> list[tuple[int, ...]]:
    return [collection.row(number) for number in range(len(collection.source))]


@pytest.mark.parametrize("squares", [[(0, 0)], [(0, 3), (4, 7)], [(1, 1), (2, 2)], [(7, 5), (3, 0), (0, 2)]])
def test_queens_on_squares(queens: Collection, squares: list[tuple[int, int]]) -> None:
    question = Question(at(*((8 * row + column, 0) for row, column in squares)))
    expected = [k for k, row in enumerate(all_rows(queens)) if all(row[r] == c for r, c in squares)]
    assert ask(queens, question) == expected
    assert queens.count(question) == len(expected)


def test_representatives_are_one_of_each_orbit(queens: Collection) -> None:
    numbers = ask(queens, Question(only="representatives"))
    assert [queens.row(number) for number in numbers] == list(rk.solve(rk.queens(8), up_to="symmetry"))
    orbits = {queens.orbit(queens.row(number)) for number in numbers}
    assert sum(map(len, orbits)) == 92


def test_pieces_on_cells() -> None:
    puzzle = rk.puzzle("pentominoes 3 20")
    collection = Collection(ListedSource(puzzle))
    model = puzzle.model
    assert isinstance(model, Packing)
    board, pieces = sorted(model.board), [piece.name for piece in model.pieces]
    for row in all_rows(collection):
        cell = random.Random(row[0]).randrange(60)
        by_cell = {c: model.placements()[n].piece for n in row for c in model.placements()[n].cells}
        pair = (cell, pieces.index(by_cell[board[cell]]))
        expected = []
        for number, other in enumerate(all_rows(collection)):
            there = {c: model.placements()[n].piece for n in other for c in model.placements()[n].cells}
            if there[board[cell]] == by_cell[board[cell]]:
                expected.append(number)
        assert ask(collection, Question(at(pair))) == expected


def test_numbers_in_cells() -> None:
    collection = Collection(ListedSource(rk.puzzle("magic-square 4")))
    assert len(collection.source) == 7040
    expected = [k for k, row in enumerate(all_rows(collection)) if row[5] == 12 and row[0] == 0]
    assert ask(collection, Question(at((5, 12), (0, 0)))) == expected


@pytest.mark.parametrize("order", ORDERS)
def test_orders_are_permutations(queens: Collection, order: str) -> None:
    question = Question(at((0, 0), (12, 0)), order=order)
    passing = ask(queens, Question(question.where))
    ordered = ask(queens, question)
    assert sorted(ordered) == passing
    everything = ask(queens, Question(order=order))
    assert sorted(everything) == list(range(92))
    paged = [number for start in range(0, 92, 7) for number in ask(queens, Question(order=order), start, 7)]
    assert paged == everything
    for asked, numbers in ((question, ordered), (Question(order=order), everything)):
        assert [queens.rank(asked, number) for number in numbers] == list(range(len(numbers)))
        assert {queens.rank(asked, number) for number in {*range(-1, 93)} - {*numbers}} == {None}
    if order == "least":
        assert [queens.row(number) for number in everything] == sorted(all_rows(queens))
    if order == "reversed":
        assert everything == list(range(91, -1, -1))
    if order == "shuffled":
        assert sum(abs(a - b) == 1 for a, b in pairwise(everything)) < 10


def test_a_run_that_grows(tmp_path: Path) -> None:
    rk.run(rk.queens(7), tmp_path / "run", shards=7)
    source = RunSource(tmp_path / "run")
    assert source.refresh()["state"] == "finished"
    collection = Collection(source)
    assert sorted(all_rows(collection)) == sorted(rk.solve(rk.queens(7)))
    numbers = np.array([0, 1, 2, 39, 5, 6, 0], dtype=np.int64)
    assert [tuple(row) for row in collection.rows(numbers)] == [collection.row(n) for n in numbers.tolist()]


@pytest.mark.parametrize("has_reader", [False, True])
@pytest.mark.parametrize("n_hidden", [3, 4, 5])
@pytest.mark.parametrize("after_how_many", [1, 2])
def test_a_run_that_grows_while_it_is_read_never_has_more_rows_than_its_total(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after_how_many: int, n_hidden: int, has_reader: bool
) -> None:
    """A shard is finished between any two looks at the index: the rows and the facts are not of one moment."""
    folder = tmp_path / "run"
    rk.run(rk.queens(7), folder, shards=7)
    hide_shards(folder, range(n_hidden))
    source = RunSource(folder)
    n_looks = 0

    def finish_another(original: Any) -> Any:
        def looking(*arguments: Any, **named: Any) -> Any:
            nonlocal n_looks
            n_looks += 1
            if n_looks >= after_how_many:
                show_shard(folder)
            return original(*arguments, **named)

        return looking

    for name in ("RunReader", "status"):
        monkeypatch.setattr(gallery_source, name, finish_another(getattr(gallery_source, name)))
    facts: dict[str, Any] = {}
    with source.numbers_kept() if has_reader else nullcontext():
        for _ in range(6 * has_reader):
            facts = source.refresh()
            assert len(source) <= facts["total"]
            assert facts["state"] != "finished"
    while facts.get("state") != "finished":
        facts = source.refresh()
        assert len(source) <= facts["total"]
    assert len(source) == 40
    assert [source.name(number) for number in (0, 39)] == ["0", "39"]
    assert list(map(tuple, source.rows(0, 40).tolist())) == list(rk.solve(rk.queens(7)))


def test_links_into_a_run_that_grows(tmp_path: Path) -> None:
    """Late shards come last while the run goes on, and take their places when it is finished."""
    folder = tmp_path / "run"
    rk.run(rk.queens(7), folder, shards=7)
    finished = Collection(RunSource(folder))
    rows = all_rows(finished)
    hide_shards(folder, [0, 3])
    growing = Collection(RunSource(folder))
    source = growing.source
    assert source.refresh()["state"] == "interrupted"
    before = all_rows(growing)
    assert before == [row for row in rows if row in before]
    assert 0 < len(before) < len(rows)
    names = [source.name(number) for number in range(len(before))]
    assert names[0].startswith("1-")
    question = Question(at((3 * 7 + 3, 0)))
    passing = [before[number] for number in ask(growing, question)]
    for shard in (3, 0):
        show_shard(folder, shard)
        version = source.version
        state = source.refresh()["state"]
        now = all_rows(growing)
        assert [now[source.number(name)] for name in names] == before
        assert [now[number] for number in ask(growing, question)][: len(passing)] == passing or shard == 0
        if shard == 3:
            assert state == "interrupted"
            assert now[: len(before)] == before
            assert source.version == version
        else:
            assert state == "finished"
            assert now == rows
            assert source.version == version + 1
            assert source.name(5) == "5"
    for name in ("0-40", "7-0", "x", "1-", "-1", "1-2-3", "1-9999999999999999"):
        with pytest.raises(BadInput):
            source.number(name)


def test_a_puzzle_with_many_solutions_needs_a_run() -> None:
    with pytest.raises(BadInput, match="rekkyo run queens 14 --out D"):
        ListedSource(rk.queens(14))


@pytest.mark.parametrize(
    "query",
    [
        {"where": "1"},
        {"where": "1.x"},
        {"where": "-1.0"},
        {"where": "1.0_²·0"},
        {"where": "1.9999999999999999"},
        {"where": "_".join(["1.0"] * 65)},
        {"order": "sideways"},
        {"only": "some"},
    ],
)
def test_questions_that_cannot_be_read(query: dict[str, str]) -> None:
    with pytest.raises(BadInput):
        read_question(query)


def test_a_thing_that_is_never_there(queens: Collection) -> None:
    with pytest.raises(BadInput, match="no solution can have thing 1 at spot 0"):
        ask(queens, Question(at((0, 1))))


def test_memory_does_not_grow_with_questions(queens: Collection) -> None:
    for spot in range(64):
        for other in range(8):
            ask(queens, Question(at((spot, 0), (other, 0))))
    assert len(queens._selections) <= 256


def test_the_listed_solutions_of_a_file_have_its_symmetry() -> None:
    hexagon = rk.puzzle_from_file(Path(__file__).parents[2] / "examples" / "magic-hexagon.toml")
    facts = ListedSource(hexagon).refresh()
    assert (facts["total"], facts["unique"]) == (12, 1)
