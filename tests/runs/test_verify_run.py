"""Checking the rows of a run finds every kind of row that was stored by mistake."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import rekkyo as rk
from rekkyo import safe_files
from rekkyo.engines.contract import Rows
from rekkyo.engines.digest import digest_of
from rekkyo.errors import BadRun, RunUnreadable
from rekkyo.runs import verify_run as checking
from rekkyo.runs.verify_run import RunCheck
from rekkyo.store.index import Finished
from rekkyo.store.reader import RunReader
from rekkyo.store.run_directory import RunDirectory
from tests import naive
from tests.runs.runs_as_programs import rekkyo

QUEENS = rk.queens(8)
SOLUTIONS = np.array(naive.queens_solutions(8), dtype=np.uint8)


def store(folder: Path, rows: Rows, up_to: str = "none", puzzle: rk.Puzzle = QUEENS) -> None:
    """Store a finished run with these rows and their digest, as a faulty search would do."""
    rk.run(puzzle, folder, shards=1, up_to=up_to)
    replace_rows(folder, 0, rows)


def replace_rows(folder: Path, shard: int, rows: Rows) -> None:
    with closing(RunDirectory.open(folder)) as run:
        record = run.index.one(shard)
        assert record is not None
        run.index.drop([shard])
        writer = run.row_writer(0)
        writer.begin()
        writer.write(rows)
        place = writer.finish()
        changed = Finished(shard, len(rows), len(rows), 1, 0.1, digest_of(rows), record.ledger, place)
        writer.sync()
        run.index.commit([changed], 1.0)


def checked(folder: Path) -> tuple[RunCheck, dict[str, str]]:
    check = rk.Run(folder).verify()
    return check, {each.check: each.outcome for each in rk.Run(folder).status().evidence}


@pytest.mark.parametrize(
    "words", ["queens 7", "pentominoes-3d 2 3 10", "langford 7", "queens 5 --toroidal", "dominoes 4 4"]
)
@pytest.mark.parametrize("up_to", ["none", "symmetry"])
def test_a_good_run_passes(tmp_path: Path, words: str, up_to: str) -> None:
    rk.run(rk.puzzle(words), tmp_path, up_to=up_to)
    check, ledger = checked(tmp_path)
    assert check.passed
    assert check.closed
    assert check.rows == rk.Run(tmp_path).status().rows_stored
    assert [ledger[name] for name in ("every row valid", "rows distinct", "orbits closed")] == ["passed"] * 3


def with_a_wrong_row(rows: Rows) -> Rows:
    wrong = rows.copy()
    wrong[5] = np.arange(8)
    return wrong


@pytest.mark.parametrize(
    ("change", "failing", "problem"),
    [
        (
            with_a_wrong_row,
            {"every row valid", "orbits closed"},
            "solution 5: queens in rows 0 and 1 share a diagonal",
        ),
        (
            lambda rows: np.concatenate([rows, rows[7:8]]),
            {"rows distinct", "orbits closed"},
            "solutions 7 and 92 are",
        ),
        (
            lambda rows: rows[1:],
            {"orbits closed"},
            "the rows are not closed under symmetry 1 of 3: some solutions",
        ),
    ],
    ids=["invalid", "twice", "missing"],
)
def test_what_is_wrong_is_named(
    tmp_path: Path, change: Callable[[Rows], Rows], failing: set[str], problem: str
) -> None:
    store(tmp_path, change(SOLUTIONS))
    check, ledger = checked(tmp_path)
    assert not check.passed
    assert any(line.startswith(problem) for line in check.problems), check.problems
    of_rows = ("every row valid", "rows distinct", "orbits closed")
    assert {name for name in of_rows if ledger[name] == "FAILED"} == failing


def test_a_row_that_is_not_the_least_of_its_orbit_is_found(tmp_path: Path) -> None:
    store(tmp_path, SOLUTIONS[[0, 91]], up_to="symmetry")
    check, _ = checked(tmp_path)
    assert (check.passed, check.closed, check.wrong) == (False, False, 0)
    assert check.problems == ("1 row is not the least of the orbit",)


def test_rows_of_which_one_has_not_the_best_value_are_found(tmp_path: Path) -> None:
    puzzle = rk.graph(named="path 4").independent_sets(maximum=True)
    best = sorted(rk.solve(puzzle))
    assert best == [(0, 1, 0, 1), (1, 0, 0, 1), (1, 0, 1, 0)]
    for folder, rows, wrong in (
        (tmp_path / "a", best, 0),
        (tmp_path / "b", [*best, (1, 0, 0, 0)], 1),
        (tmp_path / "c", [(1, 1, 0, 0), *best, (1, 0, 0, 0)], 2),
    ):
        store(folder, np.array(rows, dtype=np.uint8), puzzle=puzzle)
        check = rk.Run(folder, puzzle=puzzle).verify()
        assert (check.passed, check.rows, check.wrong) == (not wrong, len(rows), wrong)
        assert ("does not hold for the best value 2" in " ".join(check.problems)) == bool(wrong)


def test_a_run_that_has_every_row_twice_is_closed_but_does_not_pass(tmp_path: Path) -> None:
    store(tmp_path, np.concatenate([SOLUTIONS, SOLUTIONS]))
    check, _ = checked(tmp_path)
    assert (check.passed, check.distinct, check.closed, check.wrong) == (False, False, True, 0)


def test_a_wrong_row_is_found_wherever_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "SLICE_ROWS", 3)
    store(tmp_path, with_a_wrong_row(SOLUTIONS))
    check, _ = checked(tmp_path)
    assert (check.rows, check.wrong) == (92, 1)


def test_a_row_that_two_shards_have_is_found(tmp_path: Path) -> None:
    rk.run(QUEENS, tmp_path, workers=1, shards=8)
    with closing(RunReader(tmp_path)) as reader:
        rows, shard = reader[:], reader.order[2]
        first, size = reader.number(shard, 0), reader.size(shard)
    replace_rows(tmp_path, shard, np.concatenate([rows[first : first + size], rows[1:2]]))
    check, _ = checked(tmp_path)
    assert (check.passed, check.distinct, check.damaged) == (False, False, ())
    assert f"solutions 1 and {first + size} are the same" in check.problems


def test_distinctness_in_several_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MAX_HASHES", 10)
    store(tmp_path, np.concatenate([SOLUTIONS, SOLUTIONS[[3, 50]]]))
    check, _ = checked(tmp_path)
    assert not check.distinct
    assert sorted(line for line in check.problems if "same" in line) == [
        "solutions 3 and 92 are the same",
        "solutions 50 and 93 are the same",
    ]


def test_different_rows_with_the_same_hash_are_different(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "row_hashes", lambda rows: np.zeros((len(rows), 2), dtype=np.uint64))
    rk.run(rk.queens(6), tmp_path / "once")
    assert rk.Run(tmp_path / "once").verify().passed
    store(tmp_path / "twice", SOLUTIONS[[0, 1, 2, 1, 3]])
    check, _ = checked(tmp_path / "twice")
    assert "solutions 1 and 3 are the same" in check.problems


def test_orbits_of_an_unfinished_run_are_not_judged(tmp_path: Path) -> None:
    rk.run(rk.queens(8), tmp_path)
    with closing(RunDirectory.open(tmp_path)) as run:
        run.index.drop(range(100))
    check, ledger = checked(tmp_path)
    assert check.passed
    assert check.closed is None
    assert ledger["orbits closed"] == "not done"
    assert ledger["every row valid"] == "passed"


def test_a_check_is_about_the_rows_that_were_there(tmp_path: Path) -> None:
    rk.run(rk.queens(8), tmp_path)
    with closing(RunDirectory.open(tmp_path)) as run:
        run.index.drop(range(100))
    rk.Run(tmp_path).verify()
    rk.Run(tmp_path).resume()
    found = {each.check: each for each in rk.Run(tmp_path).status().evidence}
    assert found["every row valid"].outcome == "not done"
    assert "an earlier check was of other rows" in found["every row valid"].detail


def test_a_run_under_way_is_checked_but_nothing_is_noted(tmp_path: Path) -> None:
    rk.run(rk.queens(8), tmp_path)
    with closing(RunDirectory.open(tmp_path)):
        check = rk.Run(tmp_path).verify()
    assert check.passed
    assert check.not_noted is not None
    assert "is being written by process" in check.not_noted
    ledger = {each.check: each.outcome for each in rk.Run(tmp_path).status().evidence}
    assert ledger["every row valid"] == "not done"


def test_a_run_that_may_only_be_read_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The writing fails as on a read-only disk, because permissions do not stop every user."""
    rk.run(rk.queens(8), tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    opened = safe_files.os.open

    def read_only(path: object, flags: int, *more: int) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR):
            raise OSError(errno.EROFS, "Read-only file system")
        return opened(path, flags, *more)

    with monkeypatch.context() as patch:
        patch.setattr(safe_files.os, "open", read_only)
        patch.setattr(os, "access", lambda *_: False)
        check = rk.Run(tmp_path).verify()
    assert check.passed
    assert check.not_noted is not None
    assert "lock cannot be written: Read-only file system" in check.not_noted
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("problem", [errno.EACCES, errno.EIO])
def test_rows_that_cannot_be_read_are_no_damage(
    tmp_path: Path, problem: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rk.run(rk.queens(8), tmp_path, workers=1)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    opened = safe_files.os.open

    def unreadable(path: object, flags: int, *more: int) -> int:
        if str(path).endswith("rows-0.bin"):
            raise OSError(problem, os.strerror(problem))
        return opened(path, flags, *more)

    with monkeypatch.context() as patch:
        patch.setattr(safe_files.os, "open", unreadable)
        for look in (rk.Run(tmp_path).verify, rk.Run(tmp_path).damage):
            with pytest.raises(RunUnreadable, match=r"rows-0\.bin cannot be read: .*; nothing was changed"):
                look()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert rk.Run(tmp_path).verify().passed


def test_a_run_without_rows_cannot_be_checked(tmp_path: Path) -> None:
    rk.run(rk.queens(6), tmp_path, count_only=True)
    with pytest.raises(BadRun, match="keeps counts only, no rows"):
        rk.Run(tmp_path).verify()


def test_the_command(tmp_path: Path) -> None:
    rk.run(rk.queens(8), tmp_path / "run")
    code, output, _ = rekkyo("verify", tmp_path / "run")
    assert (code, output) == (0, "92 stored solutions checked: all valid, all different, orbits closed\n")
    _, output, _ = rekkyo("verify", tmp_path / "run", "--json")
    facts = json.loads(output)
    assert (facts["valid"], facts["rows"], facts["damaged"]) == (True, 92, [])
