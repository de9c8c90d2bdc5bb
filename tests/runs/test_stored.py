"""Runs: the same counts, digest and rows as without a directory, in one go or in many, and never under another plan."""

from __future__ import annotations

import json
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.catalog.index import ENTRIES
from rekkyo.engines.contract import Advance
from rekkyo.engines.queens.bitmap.engine import QueensBitmap
from rekkyo.errors import BadInput, BadRun, CountsDisagree, EngineRefuses
from rekkyo.export.xcc import read_xcc
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Puzzle
from rekkyo.runs import stored
from rekkyo.runs.status import RunStatus
from rekkyo.search import fold as folding
from rekkyo.search import outcome as outcomes
from rekkyo.search import threads
from rekkyo.search.progress import Meter, Progress
from rekkyo.search.question import number_of_workers
from rekkyo.search.sizes import Sizes
from rekkyo.store import index
from rekkyo.store.model_hash import model_hash
from rekkyo.store.reader import RunReader
from rekkyo.store.run_directory import RunDirectory
from tests import naive

PUZZLES = [
    "queens 7",
    "queens 8 --given 0,0",
    "soma",
    "dominoes 4 4",
    "langford 7",
    "queens 3",
    "queens 5 --toroidal",
]


def rows_of(folder: Path) -> list[tuple[int, ...]]:
    with closing(RunReader(folder)) as reader:
        return [tuple(row) for block in reader.rows() for row in block.tolist()]


def facts(status: RunStatus) -> tuple[object, ...]:
    return status.total, status.unique, status.digest, status.state, status.nodes


@pytest.mark.parametrize("words", PUZZLES)
@pytest.mark.parametrize("workers", [1, 3])
def test_gives_what_count_and_solve_give(tmp_path: Path, words: str, workers: int) -> None:
    puzzle = rk.puzzle(words)
    counted = rk.count(puzzle, digest=True)
    for name, count_only in (("rows", False), ("counts", True)):
        status = rk.run(puzzle, tmp_path / name, workers=workers, count_only=count_only)
        assert (status.total, status.unique, status.digest) == (counted.total, counted.unique, counted.digest)
        assert (status.state, status.shards_done) == ("finished", status.shards)
        assert status.rows_stored == (0 if count_only else counted.total)
    assert sorted(rows_of(tmp_path / "rows")) == sorted(rk.solve(puzzle))


@pytest.mark.parametrize("words", ["queens 8", "soma", "dominoes 4 4"])
def test_up_to_symmetry_keeps_the_representatives(tmp_path: Path, words: str) -> None:
    puzzle = rk.puzzle(words)
    status = rk.run(puzzle, tmp_path / "run", up_to="symmetry")
    counted = rk.count(puzzle)
    assert (status.total, status.unique, status.rows_stored) == (
        counted.total,
        counted.unique,
        counted.unique,
    )
    assert sorted(rows_of(tmp_path / "run")) == sorted(rk.solve(puzzle, up_to="symmetry"))


def test_an_engine_that_weighs_shards_counts_too(tmp_path: Path) -> None:
    status = rk.run(rk.queens(10), tmp_path / "run", engine="queens-join", count_only=True)
    assert (status.total, status.unique, status.digest) == (724, 92, None)
    with pytest.raises(EngineRefuses, match="counts without listing"):
        rk.run(rk.queens(10), tmp_path / "rows", engine="queens-join")


def test_more_shards_change_nothing_but_their_number(tmp_path: Path) -> None:
    few = rk.run(rk.queens(8), tmp_path / "few", shards=1)
    many = rk.run(rk.queens(8), tmp_path / "many", shards=2000)
    assert few.shards == 1
    assert many.shards > 300
    assert (few.total, few.digest, few.nodes) == (many.total, many.digest, many.nodes)
    assert rows_of(tmp_path / "few") == rows_of(tmp_path / "many") == naive.queens_solutions(8)


class Enough(Exception):
    """Raised by a test to end a run."""


def stop_after(n_calls: int) -> Any:
    calls = iter(range(n_calls))

    def watch(progress: Progress) -> None:
        if next(calls, None) is None:
            raise Enough

    return watch


def test_a_run_stopped_again_and_again_comes_to_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shards are searched by workers, preparation by the main thread. A worker stops in one of 60 to 120 slices."""
    expected = rk.run(rk.queens(8), tmp_path / "whole")
    dice, n_stops, seen = random.Random(5), 0, {0}
    original, slices = QueensBitmap.advance, iter(())

    def stopping(self: QueensBitmap, *arguments: Any) -> Advance:
        if threading.current_thread() is not threading.main_thread() and next(slices, None) is None:
            raise Enough
        return original(self, *arguments)

    monkeypatch.setattr(QueensBitmap, "advance", stopping)
    while True:
        slices = iter(range(dice.randint(60, 120)))
        try:
            # One command line begins the run and goes on with it.
            status = rk.run(rk.queens(8), tmp_path / "run", workers=dice.randint(1, 3))
            break
        except Enough:
            n_stops += 1
            halfway = rk.Run(tmp_path / "run").status()
            assert halfway.state == "interrupted"
            assert halfway.shards_done >= max(seen), "what was finished stays finished"
            seen.add(halfway.shards_done)
    assert n_stops >= 2
    assert len(seen) >= 3
    assert facts(status) == facts(expected)
    assert rows_of(tmp_path / "run") == naive.queens_solutions(8)


def test_the_bar_of_a_resumed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    rk.run(rk.queens(8), tmp_path / "run")
    with closing(stored.RunDirectory.open(tmp_path / "run")) as run:
        run.index.drop(range(100))
    looks: list[Progress] = []
    monkey = pytest.MonkeyPatch()
    original = QueensBitmap.advance
    monkey.setattr(
        QueensBitmap, "advance", lambda self, *a: (stored.time.sleep(0.005), original(self, *a))[1]
    )
    with monkey.context():
        rk.Run(tmp_path / "run").resume(workers=1, watch=looks.append)
    monkey.undo()
    assert looks
    assert looks[0].n_shards == 344
    assert looks[0].shards_done >= 244
    assert looks[0].found > 0


@pytest.mark.parametrize("workers", [1, 3])
def test_what_is_not_in_shards_takes_as_many_workers_as_a_resumed_run_is_given(
    tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It took all cores. Both the count of a single shard and those of what symmetries leave unchanged do."""
    puzzle = rk.puzzle("dominoes 6 6")
    rk.run(puzzle, tmp_path / "run", engine="cover-frontier", count_only=True)
    with closing(RunDirectory.open(tmp_path / "run")) as run:
        run.index.drop([0])
    crews: list[int] = []

    def recorded(n_workers: int) -> Any:
        crews.append(n_workers)
        return threads.crew(n_workers)

    monkeypatch.setattr(folding, "crew", recorded)
    monkeypatch.setattr(outcomes, "crew", recorded)
    status = rk.Run(tmp_path / "run").resume(workers=workers)
    assert (status.total, crews) == (6728, [workers, workers])


def test_the_workers_of_an_executor_are_not_threads_of_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An optimum was looked for by as many threads."""
    seen: list[int] = []
    prepare = stored.prepare

    def prepared(question: Any, *others: Any) -> Any:
        seen.append(question.workers)
        return prepare(question, *others)

    monkeypatch.setattr(stored, "prepare", prepared)
    with ThreadPoolExecutor(1) as pool:
        rk.run(rk.queens(5), tmp_path / "run", executor=pool, workers=500)
    assert seen == [number_of_workers(None)]


def test_a_resumed_run_tells_that_it_looks_for_the_optimum_again(tmp_path: Path) -> None:
    puzzle = rk.graph(named="grid 3 3").dominating_sets()
    best = rk.run(puzzle, tmp_path / "run").optimum
    with closing(RunDirectory.open(tmp_path / "run")) as run:
        run.index.drop(range(run.manifest.n_shards))
    looks: list[Progress] = []
    status = rk.Run(tmp_path / "run", puzzle=puzzle).resume(watch=looks.append)
    assert (status.total, status.optimum) == (10, best) == (10, 3)
    assert looks[0].stage == "looking for a first solution"


def test_the_bar_of_a_long_run_begins_with_an_estimate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = Sizes(shards_long=1)
    expected: list[Any] = []

    class Spy(Meter):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            expected.append(arguments[-1])

    monkeypatch.setattr(stored, "Meter", Spy)
    nodes = rk.run(rk.puzzle("queens 9"), tmp_path / "all", shards=20, sizes=long).nodes
    assert expected == [(nodes, nodes)]  # so small a search is done in full instead
    rk.run(rk.puzzle("soma"), tmp_path / "representatives", up_to="symmetry", shards=20, sizes=long)
    assert expected[1:] == [None]


def test_a_long_run_whose_engine_cannot_be_sampled_has_no_estimate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object, **__: object) -> None:
        raise EngineRefuses("cannot be sampled")

    monkeypatch.setattr(stored, "estimate", refuses)
    status = rk.run(rk.queens(8), tmp_path, count_only=True, sizes=Sizes(shards_long=1))
    assert (status.state, status.total) == ("finished", 92)


def test_a_run_that_ended_before_its_outcome_was_stored_is_not_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where shards weigh, their sum is not the total. dominoes 8 8: A004003(4)."""

    def ends(*_: object) -> None:
        raise Enough

    with monkeypatch.context() as patch, pytest.raises(Enough):
        patch.setattr(index.Index, "set_outcome", ends)
        rk.run(rk.puzzle("dominoes 8 8"), tmp_path, engine="cover-frontier", count_only=True)
    found = rk.Run(tmp_path).status()
    assert (found.state, found.is_complete, found.total, found.shards_done) == ("interrupted", False, None, 1)
    with pytest.raises(BadRun, match=r"is not finished .*; go on with: rekkyo resume"):
        rk.Run(tmp_path).recount()
    assert rk.Run(tmp_path).resume().total == 12988816
    assert rk.Run(tmp_path).recount().detail == "total, unique are the same"


def test_why_orbits_are_not_counted_is_said(tmp_path: Path) -> None:
    """Weighted shards of a board with blocked squares cannot be counted up to symmetry."""
    told: list[str] = []
    puzzle = rk.queens(6, blocked=[(0, 0), (5, 5)])
    rk.run(puzzle, tmp_path, engine="queens-join", up_to="symmetry", count_only=True, say=told.append)
    assert len(told) == 1
    assert "unique is left out: engine queens-join cannot count what a symmetry leaves unchanged" in told[0]


def test_going_on_with_a_finished_run_changes_nothing(tmp_path: Path) -> None:
    first = rk.run(rk.queens(7), tmp_path / "run")
    content = {path.name: path.read_bytes() for path in tmp_path.rglob("rows-*.bin")}
    assert (
        facts(rk.Run(tmp_path / "run").resume())
        == facts(rk.run(rk.queens(7), tmp_path / "run"))
        == facts(first)
    )
    assert {path.name: path.read_bytes() for path in tmp_path.rglob("rows-*.bin")} == content


def test_a_clock_that_goes_back_changes_no_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first session is dated after the second; durations come from a clock that never goes back."""
    with monkeypatch.context() as patch:
        patch.setattr(index, "now", lambda: "2999-01-01T00:00:00+00:00")
        rk.run(rk.queens(8), tmp_path)
        rk.Run(tmp_path).verify()
    first = rk.Run(tmp_path).status()
    with closing(RunDirectory.open(tmp_path)) as run:
        run.index.drop(range(0, 344, 2))
    second = rk.Run(tmp_path).resume()
    assert facts(second) == facts(first)
    assert second.elapsed_s >= first.elapsed_s > 0
    assert second.remaining_s is None or min(second.remaining_s) >= 0
    assert rk.Run(tmp_path).verify().passed


class TestAnotherPlan:
    def test_another_run_in_the_same_place_is_refused(self, tmp_path: Path) -> None:
        rk.run(rk.queens(7), tmp_path)
        for puzzle, settings, complaint in [
            (
                rk.queens(8),
                {},
                r"holds another run \(puzzle: queens 7, not queens 8\); go on with that one with",
            ),
            (rk.queens(7), {"up_to": "symmetry"}, r"up to: none, not symmetry"),
            (rk.queens(7), {"count_only": True}, r"rows kept: True, not False"),
            (rk.queens(7), {"engine": "queens-cover"}, r"engine: queens-bitmap, not queens-cover"),
            (replace(rk.queens(7), generators=()), {}, r"holds another run \(model: "),
        ]:
            with pytest.raises(BadRun, match=complaint):
                rk.run(puzzle, tmp_path, **settings)

    def test_more_shards_are_another_plan_unless_the_search_is_too_narrow_for_them(
        self, tmp_path: Path
    ) -> None:
        rk.run(rk.queens(7), tmp_path / "wide", shards=1)
        with pytest.raises(BadRun, match=r"holds another run \(shards: 1, not 2\)"):
            rk.run(rk.queens(7), tmp_path / "wide", shards=2)
        narrow = [rk.run(rk.queens(7), tmp_path / "narrow", shards=shards) for shards in (1000, 1000, 94, 1)]
        assert {status.shards for status in narrow} == {94}
        assert {facts(status) for status in narrow} == {facts(rk.Run(tmp_path / "wide").status())}

    def test_shards_that_changed_are_refused(self, tmp_path: Path) -> None:
        rk.run(rk.queens(7), tmp_path)
        with closing(stored.RunDirectory.open(tmp_path)) as run:
            run.index._db.execute("UPDATE shards SET prefix = '[0, 0, 0]' WHERE shard = 5")
        with pytest.raises(BadRun, match="was begun under another plan"):
            rk.Run(tmp_path).resume()

    def test_a_puzzle_that_is_not_the_one_of_its_name_is_refused(self, tmp_path: Path) -> None:
        mine = replace(rk.queens(7, blocked=[(0, 0)]), name="queens 7")
        status = rk.run(mine, tmp_path)
        with pytest.raises(BadRun, match=r"this rekkyo knows another puzzle by that name; .*puzzle=\.\.\."):
            rk.Run(tmp_path).resume()
        assert facts(rk.Run(tmp_path, puzzle=mine).resume()) == facts(status)
        with pytest.raises(BadRun, match="the puzzle that was given is another one"):
            rk.Run(tmp_path, puzzle=rk.queens(7)).resume()


class TestSources:
    def test_a_cover_from_a_file_travels_with_the_run(self, tmp_path: Path) -> None:
        model = read_xcc("a b c | x\na x:1\nb x:2\nc\nb c x:1\n", "mine")
        puzzle = Puzzle("mine.xcc", model, "mine")
        status = rk.run(puzzle, tmp_path / "run")
        assert (tmp_path / "run" / "puzzle.xcc").is_file()
        assert facts(rk.Run(tmp_path / "run").resume()) == facts(status)

    @pytest.mark.parametrize("is_known", [True, False])
    def test_what_is_known_of_a_symmetry_is_part_of_the_run(self, tmp_path: Path, is_known: bool) -> None:
        """Files without any symmetry: that it was looked for makes a count of orbits, in every session."""
        path = tmp_path / "mine.xcc"
        path.write_text("a b c | x\na x:1\nb x:2\nc\nb c x:1\n", encoding="utf-8")
        known, unknown = rk.puzzle_from_file(path), Puzzle(str(path), read_xcc(path.read_text(), "mine"), "")
        puzzle, other = (known, unknown) if is_known else (unknown, known)
        assert known.generators == unknown.generators == ()
        status = rk.run(puzzle, tmp_path / "run")
        assert (status.total, status.unique) == (1, 1 if is_known else None)
        path.unlink()
        assert facts(rk.Run(tmp_path / "run").resume()) == facts(status)
        with pytest.raises(BadRun, match="the puzzle that was given is another one"):
            rk.Run(tmp_path / "run", puzzle=other).resume()

    def test_a_puzzle_built_in_python_has_to_be_given_again(self, tmp_path: Path) -> None:
        puzzle = rk.packing("###\n###", "AA BB CC")
        status = rk.run(puzzle, tmp_path / "run")
        with pytest.raises(
            BadRun, match=r"was built in Python; open it there: rekkyo\.Run\(.*puzzle=\.\.\.\)$"
        ):
            rk.Run(tmp_path / "run").resume()
        assert facts(rk.Run(tmp_path / "run", puzzle=puzzle).resume()) == facts(status)

    @pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
    def test_the_name_of_a_puzzle_of_the_catalog_is_its_words(self, entry: Any) -> None:
        words = [entry.name, *(str(max(parameter.least, 4)) for parameter in entry.parameters)]
        if entry.name.startswith("pentominoes"):
            words = [entry.name, *(["6", "10"] if len(entry.parameters) == 2 else ["2", "5", "6"])]
        if entry.name == "polyominoes":
            words = ["polyominoes", "3", "3", "4", "--any-number"]
        if entry.name == "hexiamonds":
            words = ["hexiamonds", "6", "6"]
        if entry.name == "sudoku":
            words = ["sudoku", "--clues", "1" + 80 * "."]
        puzzle = rk.puzzle(words)
        assert model_hash(rk.puzzle(puzzle.name)) == model_hash(puzzle)


def test_another_model_has_another_hash() -> None:
    """Whatever it is that differs; only names of colours change no solution."""
    options = (((0, 0), (2, 1)), ((1, 0), (2, 1)), ((0, 0), (1, 0)))
    cover = ExactCover(("a", "b"), ("c",), options)
    others = [
        replace(cover, primary=("a", "d")),
        replace(cover, secondary=("d",)),
        replace(cover, options=(options[0], options[1], ((0, 0), (1, 0), (2, 2)))),
        replace(cover, options=(((0, 0), (1, 0), (2, 1)), ((1, 0),), ((0, 0), (1, 0)))),
        replace(cover, bounds=((1, 2), (1, 1))),
        replace(cover, exchanges=(((0,), (1,)),)),
    ]

    def hash_of(model: ExactCover) -> str:
        return model_hash(Puzzle("mine", model, "Mine"))

    assert len({hash_of(model) for model in (cover, *others)}) == 1 + len(others)
    assert hash_of(replace(cover, color_names=("red",))) == hash_of(cover)


def test_a_shard_that_loses_solutions_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the orbit identity can see: one solution missing, its orbit not."""
    original, lost = QueensBitmap.advance, []

    def lossy(self: QueensBitmap, plan: Any, cursor: Any, out: Any, budget: int) -> Advance:
        advance = original(self, plan, cursor, out, budget)
        if advance.found > 1 and not lost:
            lost.append(True)
            return advance._replace(found=advance.found - 1)
        return advance

    monkeypatch.setattr(QueensBitmap, "advance", lossy)
    with pytest.raises(CountsDisagree, match="the orbits hold"):
        rk.run(rk.queens(8), tmp_path / "run", shards=8)


@pytest.mark.parametrize("shards", [0, -1, 10**9, 1.5])
def test_a_bad_number_of_shards_is_one_line(tmp_path: Path, shards: Any) -> None:
    with pytest.raises(BadInput, match="the number of shards must be 1 to"):
        rk.run(rk.queens(6), tmp_path / "run", shards=shards)
    assert not (tmp_path / "run").exists()


def test_the_manifest_of_a_run_holds_no_path(tmp_path: Path) -> None:
    rk.run(rk.queens(6), tmp_path / "run")
    assert str(tmp_path) not in (tmp_path / "run" / "manifest.json").read_text()
    assert json.loads((tmp_path / "run" / "manifest.json").read_text())["published"]["total"] == 4


NO_SHARDS = "magic-hexagon 2"
"""Its plan knows that there is no solution."""


@pytest.mark.parametrize("settings", [{}, {"count_only": True}, {"up_to": "symmetry"}], ids=repr)
def test_a_run_without_a_shard_is_a_run_like_others(tmp_path: Path, settings: dict[str, Any]) -> None:
    puzzle = rk.puzzle(NO_SHARDS)
    first = rk.run(puzzle, tmp_path, **settings)
    assert (first.state, first.shards, first.total, first.unique) == ("finished", 0, 0, 0)
    for shards in (None, 1, 1000):
        assert facts(rk.run(puzzle, tmp_path, shards=shards, **settings)) == facts(first)
    assert facts(rk.Run(tmp_path).resume()) == facts(first)
    part = rk.Run(tmp_path).recount(fraction=1.0)
    assert (part.agrees, part.shards, part.detail) == (
        True,
        0,
        "the plan has no shard: no solution is possible",
    )
    assert rk.Run(tmp_path).recount().agrees


def test_ctrl_c_ends_a_run_with_a_shard_that_takes_long(tmp_path: Path) -> None:
    """It counts without listing: only a pause inside of the shard lets the run come to its end."""
    with pytest.raises(Enough):
        rk.run(
            rk.puzzle("dominoes 24 24"),
            tmp_path,
            engine="cover-frontier",
            count_only=True,
            watch=stop_after(0),
        )
    assert rk.Run(tmp_path).status().state == "interrupted"
