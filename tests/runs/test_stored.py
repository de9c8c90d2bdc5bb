"""Runs: the same counts, digest and rows as without a directory, in one go or in many, and never under another plan."""

from __future__ import annotations

import json
import random
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from importlib import metadata
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.engines.contract import Advance, Tally
from rekkyo.engines.determinants import matchings
from rekkyo.engines.queens.bitmap.engine import QueensBitmap
from rekkyo.errors import BadInput, BadRun, CountsDisagree, EngineRefuses
from rekkyo.export.header import Header
from rekkyo.runs import stored
from rekkyo.runs.status import RunStatus
from rekkyo.search import fold as folding
from rekkyo.search import listing, threads
from rekkyo.search import outcome as outcomes
from rekkyo.search.progress import Meter, Progress
from rekkyo.search.question import number_of_workers
from rekkyo.search.sizes import Sizes
from rekkyo.store import index
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


@pytest.mark.parametrize("is_there", [False, True])
def test_a_search_that_is_refused_leaves_no_folder(tmp_path: Path, is_there: bool) -> None:
    """The engine finds a hidden variable that the others do not determine only when it counts."""
    problem = rk.Problem()
    problem.sum([problem.variable("a", range(3)), problem.hidden(range(3))], "<=", 3)
    folder = tmp_path / "above" / "run"
    if is_there:
        folder.mkdir(parents=True)
    with pytest.raises(EngineRefuses, match="hidden"):
        rk.run(problem.puzzle("x"), folder, engine="csp-values", count_only=True, workers=1)
    assert [*tmp_path.rglob("*")] == ([folder.parent, folder] if is_there else [])
    assert rk.run(problem.puzzle("x"), folder, count_only=True, workers=1).total == 3


def test_a_refusal_after_something_was_found_leaves_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise EngineRefuses("no")

    with monkeypatch.context() as patch:
        patch.setattr(stored, "outcome", refused)
        with pytest.raises(EngineRefuses, match="no"):
            rk.run(rk.queens(6), tmp_path / "run", workers=1)
    assert rk.Run(tmp_path / "run").resume().total == 4


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


@pytest.mark.parametrize("is_loaded", [True, False])
def test_without_metadata_of_packages_the_version_of_numba_is_that_of_its_module_or_unknown(
    is_loaded: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A frozen or vendored installation has none. Numba that is not loaded is not imported for its version."""

    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    monkeypatch.setattr(stored, "version", missing)
    if is_loaded:
        monkeypatch.setitem(sys.modules, "numba", SimpleNamespace(__version__="1.2.3"))
    else:
        monkeypatch.delitem(sys.modules, "numba", raising=False)
    assert stored._version_of_numba() == ("1.2.3" if is_loaded else "unknown")
    assert ("numba" in sys.modules) == is_loaded
    assert Header.of(rk.queens(4), "none").facts()["writer"] == f"rekkyo {rk.__version__}"


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
    prepare = stored.prepare_list

    def prepared(question: Any, *others: Any) -> Any:
        seen.append(question.workers)
        return prepare(question, *others)

    monkeypatch.setattr(stored, "prepare_list", prepared)
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


def test_a_run_that_loses_shards_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However they were lost, the run is not finished."""
    monkeypatch.setattr(stored, "_search_the_rest", lambda *_: (group for group in ()))
    with pytest.raises(CountsDisagree, match=r"0 of \d+ shards were searched \(check: shards\)"):
        rk.run(rk.queens(6), tmp_path)
    assert rk.Run(tmp_path).status().state == "interrupted"


def test_why_orbits_are_not_counted_is_said(tmp_path: Path) -> None:
    """Weighted shards of a board with blocked squares cannot be counted up to symmetry."""
    told: list[str] = []
    puzzle = rk.queens(6, blocked=[(0, 0), (5, 5)])
    rk.run(puzzle, tmp_path, engine="queens-join", up_to="symmetry", count_only=True, say=told.append)
    assert len(told) == 1
    assert "unique is left out: engine queens-join cannot count what a symmetry leaves unchanged" in told[0]


@pytest.mark.parametrize("count_only", [True, False])
def test_a_run_that_need_not_list_is_told_so(
    tmp_path: Path, count_only: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Merging is far faster in large boards of dominoes; it counts 4x4 here (OEIS A004003)."""
    monkeypatch.setattr(listing, "compared_with_merging", lambda *_: Tally(36, 1))
    told: list[str] = []
    status = rk.run(rk.puzzle("dominoes 4 4"), tmp_path, count_only=count_only, say=told.append)
    assert (status.total, status.engine) == (36, "cover-diagram")
    assert told == count_only * [
        "dominoes 4 4: there are 36 solutions, and the run lists each for its digest;"
        " to count only: --engine cover-frontier"
    ]


def test_a_run_that_need_not_list_names_the_engine_that_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A determinant counts boards of dominoes from 20x20 on; here it is taken for smaller ones."""
    monkeypatch.setattr(listing, "compared_with_merging", lambda *_: Tally(36, 1))
    monkeypatch.setattr(matchings, "MANY_ITEMS", 16)
    monkeypatch.setattr(matchings, "NARROW", 3)
    told: list[str] = []
    rk.run(rk.puzzle("dominoes 4 4"), tmp_path, count_only=True, say=told.append)
    assert told[0].endswith("to count only: --engine cover-determinant")


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


def test_a_file_that_was_changed_since_it_was_read_is_not_stored_as_the_puzzle(tmp_path: Path) -> None:
    file, folder = tmp_path / "mine.toml", tmp_path / "run"
    file.write_text('kind = "queens"\nn = 5\n')
    puzzle = rk.puzzle_from_file(file)
    file.write_text('kind = "queens"\nn = 6\n')
    assert rk.run(puzzle, folder).total == 10
    assert rk.Run(folder, puzzle=puzzle).verify().passed
    with pytest.raises(BadRun, match="which was read from a file that could not be copied; open it there"):
        rk.Run(folder).verify()


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
