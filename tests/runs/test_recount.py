"""Recounts: another engine comes to the same, and whatever was falsified is found by the check that can see it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.engines.contract import Shard
from rekkyo.engines.digest import digest_of
from rekkyo.engines.queens.bitmap.engine import QueensBitmap
from rekkyo.errors import BadInput, BadRun
from rekkyo.model.puzzle import Published
from rekkyo.runs.status import Evidence
from rekkyo.store.index import Finished
from rekkyo.store.run_directory import RunDirectory
from rekkyo.symmetry.group import close
from rekkyo.symmetry.orbits import OrbitSurvey
from tests.runs.runs_as_programs import rekkyo

PUZZLES = [
    ("queens 8", "queens-bitmap", "queens-cover"),
    ("queens 8 --given 1,1 --blocked 7,7", "queens-bitmap", "queens-cover"),
    ("queens 7 --toroidal", "queens-bitmap", "queens-cover"),
    ("queens 8", "queens-cover", "queens-bitmap"),
    ("dominoes 4 4", "cover-masks", "cover-bitset"),
    ("soma", "cover-bitset", "cover-cells"),
    ("langford 7", "cover-cells", "cover-bitset"),
]


def evidence(folder: Path) -> dict[str, Evidence]:
    return {each.check: each for each in rk.Run(folder).status().evidence}


@pytest.mark.parametrize(
    ("total", "outcome"),
    [(None, "not possible"), (4, "passed"), (5, "FAILED")],
    ids=["unique alone", "right", "wrong"],
)
def test_only_a_published_number_that_the_run_has_is_compared(
    tmp_path: Path, total: int | None, outcome: str
) -> None:
    """Without a known symmetry, a run has no `unique`."""
    unknown = replace(rk.queens(6), generators=(), motions=None, symmetry_was_searched=False)
    rk.run(replace(unknown, published=Published(total, 99, "me")), tmp_path / "run")
    assert evidence(tmp_path / "run")["published count"].outcome == outcome


@pytest.mark.parametrize(("words", "engine", "other"), PUZZLES)
@pytest.mark.parametrize("up_to", ["none", "symmetry"])
def test_random_shards_are_recounted_by_another_engine(
    tmp_path: Path, words: str, engine: str, other: str, up_to: str
) -> None:
    rk.run(rk.puzzle(words), tmp_path, engine=engine, up_to=up_to, count_only=True)
    found = rk.Run(tmp_path).recount(fraction=0.04, seed=3)
    assert found.agrees
    # Shards of a search for representatives alone are not models: there the same engine goes again.
    again = engine if up_to == "symmetry" and engine == "cover-bitset" else other
    assert found.other_engine == (again == other)
    assert found.engines == (again,)
    assert (found.detail == f"{found.shards} by {other}, as models of their own") == found.other_engine
    assert evidence(tmp_path)["shards recounted"].outcome == "passed"


@pytest.mark.parametrize(("words", "engine", "other"), [PUZZLES[0], PUZZLES[4]])
def test_every_shard_alone_is_what_the_other_engine_finds(
    tmp_path: Path, words: str, engine: str, other: str
) -> None:
    rk.run(rk.puzzle(words), tmp_path, engine=engine, count_only=True)
    found = rk.Run(tmp_path).recount(fraction=1.0)
    assert (found.agrees, found.shards) == (True, found.of_shards)


@pytest.mark.parametrize(("words", "engine", "other"), PUZZLES[:1] + PUZZLES[4:5])
def test_the_whole_is_recounted_by_another_engine(
    tmp_path: Path, words: str, engine: str, other: str
) -> None:
    rk.run(rk.puzzle(words), tmp_path, engine=engine)
    found = rk.Run(tmp_path).recount()
    assert (found.agrees, found.other_engine, found.engines) == (True, True, (other,))
    assert found.detail == "total, unique, digest are the same"
    assert evidence(tmp_path)[f"recount by {other}"].outcome == "passed"


@pytest.mark.parametrize(
    ("words", "fraction"),
    [
        ("queens 7", None),
        ("queens 7", 0.2),
        ("langford 7", None),
        ("langford 7", 0.2),
        ("hip 4 --any-balance", None),
        ("magic-square 3", None),
    ],
)
def test_every_model_is_recounted_as_constraints(tmp_path: Path, words: str, fraction: float | None) -> None:
    """The whole, and shards where they are models of their own."""
    rk.run(rk.puzzle(words), tmp_path)
    found = rk.Run(tmp_path).recount(fraction=fraction, engine="csp-plain")
    assert (found.agrees, found.engines) == (True, ("csp-plain",))


def test_what_was_recounted_before_is_said(tmp_path: Path) -> None:
    """It may have come with the folder."""
    rk.run(rk.queens(6), tmp_path)
    first, second = rk.Run(tmp_path).recount(), rk.Run(tmp_path).recount()
    assert first.detail == "total, unique, digest are the same"
    taken = "were taken from recount-queens-cover, which was there, and not searched again"
    assert second.detail.startswith(first.detail)
    assert second.detail.endswith(taken)


def test_an_empty_folder_for_the_recount_is_no_recount(tmp_path: Path) -> None:
    rk.run(rk.queens(6), tmp_path)
    (tmp_path / "recount-queens-cover").mkdir()
    assert rk.Run(tmp_path).recount().detail == "total, unique, digest are the same"


def test_an_engine_that_shares_search_code_is_said(tmp_path: Path) -> None:
    """`cover-diagram` draws the levels of `cover-frontier`."""
    rk.run(rk.puzzle("dominoes 4 4"), tmp_path, engine="cover-frontier", count_only=True)
    found = rk.Run(tmp_path).recount(engine="cover-diagram")
    assert (found.agrees, found.other_engine, found.engines) == (True, False, ("cover-diagram",))
    assert found.detail.endswith("; cover-diagram shares search code with cover-frontier")
    assert evidence(tmp_path)["recount by cover-diagram"].blind_to == "an error in the engine or in the model"


def test_what_is_too_much_to_list_is_recounted_without_listing(tmp_path: Path) -> None:
    """The 8x24 board has 2.3e22 domino tilings."""
    rk.run(rk.puzzle("dominoes 8 24"), tmp_path, engine="cover-frontier", count_only=True, up_to="none")
    found = rk.Run(tmp_path).recount()
    assert (found.agrees, found.other_engine, found.engines) == (True, True, ("cover-determinant",))


def test_counts_without_digests_are_recounted_too(tmp_path: Path) -> None:
    rk.run(rk.queens(9), tmp_path, engine="queens-join", count_only=True)
    found = rk.Run(tmp_path).recount()
    assert (found.agrees, found.engines, found.detail) == (
        True,
        ("queens-bitmap",),
        "total, unique are the same",
    )


def test_the_same_engine_is_said(tmp_path: Path) -> None:
    """Shards that weigh are not models of their own."""
    rk.run(rk.queens(9), tmp_path, engine="queens-join", count_only=True)
    found = rk.Run(tmp_path).recount(fraction=0.1)
    assert (found.agrees, found.other_engine, found.engines) == (True, False, ("queens-join",))
    assert found.detail.endswith("by queens-join, the same shards again")


def test_a_shard_that_only_the_same_engine_searches_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    submodel = QueensBitmap.submodel

    def of_most(engine: QueensBitmap, model: Any, shard: Shard) -> Any:
        return submodel(engine, model, shard) if shard.index else None

    monkeypatch.setattr(QueensBitmap, "submodel", of_most)
    rk.run(rk.queens(6), tmp_path, shards=4)
    found = rk.Run(tmp_path).recount(fraction=1.0)
    assert (found.agrees, found.other_engine) == (True, False)
    assert found.engines == ("queens-bitmap", "queens-cover")


def test_the_choice_depends_on_the_seed_alone(tmp_path: Path) -> None:
    rk.run(rk.queens(8), tmp_path)

    def recounted(seed: int) -> list[int]:
        with closing(RunDirectory.open(tmp_path)) as run:
            run.index._db.execute("DELETE FROM recounts")
        rk.Run(tmp_path).recount(fraction=0.05, seed=seed, engine="queens-bitmap")
        with closing(RunDirectory.open(tmp_path)) as run:
            return [recount.shard for recount in run.index.recounts()]

    assert recounted(1) == recounted(1) != recounted(2)


def falsify(folder: Path, change: Callable[[Finished], Finished]) -> int:
    """Change the record of a shard that has solutions, seal and all, as a faulty worker would have written it."""
    with closing(RunDirectory.open(folder)) as run:
        record = next(record for record in run.index.finished() if record.kept > 1)
        run.index.drop([record.shard])
        run.index.commit([change(record)], 1.0)
    return record.shard


class TestFalsified:
    """A whole orbit less: only a recount sees it."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        """queens 8 without the orbit of its first solution, consistent in every other way."""
        folder = tmp_path / "run"
        rk.run(rk.queens(8), folder, shards=1)
        puzzle = rk.queens(8)
        with closing(rk.RunReader(folder)) as reader:
            rows = next(reader.rows())
        orbit = OrbitSurvey(close(puzzle.model.row_shape, puzzle.generators)).orbit(rows[0].tolist())
        kept = rows[[tuple(row) not in orbit for row in rows.tolist()]]
        assert len(kept) == 92 - 8
        with closing(RunDirectory.open(folder)) as run:
            record = run.index.one(0)
            assert record is not None
            run.index.drop([0])
            writer = run.row_writer(0)
            writer.begin()
            writer.write(kept)
            place = writer.finish()
            ledger = {order: number - (order == 1) for order, number in (record.ledger or {}).items()}
            less = record._replace(found=84, kept=84, digest=digest_of(kept), ledger=ledger, place=place)
            writer.sync()
            run.index.commit([less], 1.0)
        return folder

    def test_rows_are_valid_distinct_and_closed_without_it(self, folder: Path) -> None:
        check = rk.Run(folder).verify()
        assert check.passed
        assert check.rows == 84
        found = evidence(folder)
        assert found["orbit identity"].outcome == "passed"
        assert "a whole missing orbit" in found["orbit identity"].blind_to

    def test_a_recount_of_the_whole_finds_it(self, folder: Path) -> None:
        found = rk.Run(folder).recount()
        assert not found.agrees
        assert "total 84 against 92; unique 11 against 12; digest" in found.detail
        assert evidence(folder)["recount by queens-cover"].outcome == "FAILED"

    def test_a_recount_of_the_shard_finds_it(self, folder: Path) -> None:
        found = rk.Run(folder).recount(fraction=1.0)
        assert (found.agrees, found.differing) == (False, (0,))

    def test_the_published_count_finds_it(self, folder: Path) -> None:
        assert evidence(folder)["published count"].outcome == "FAILED"

    def test_the_commands_end_with_exit_code_1(self, folder: Path) -> None:
        code, output, complaint = rekkyo("recount", folder)
        assert (code, output) == (1, "recounted 1 of 1 shard by queens-cover: DIFFERENT\n")
        assert "total 84 against 92" in complaint
        assert rekkyo("resume", folder)[0] == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record._replace(found=record.found + 1),
        lambda record: record._replace(digest=record.digest + record.digest),
        lambda record: record._replace(ledger={}),
    ],
)
def test_a_wrong_record_is_found_by_recounting_its_shard(
    tmp_path: Path, change: Callable[[Finished], Finished]
) -> None:
    rk.run(rk.queens(8), tmp_path)
    shard = falsify(tmp_path, change)
    found = rk.Run(tmp_path).recount(fraction=1.0)
    assert found.differing == (shard,)
    assert evidence(tmp_path)["shards recounted"].outcome == "FAILED"
    assert f"shards that differ: {shard}" in evidence(tmp_path)["shards recounted"].detail


@pytest.mark.parametrize("difference", [-1, 1])
def test_a_solution_less_or_more_breaks_the_orbit_identity(tmp_path: Path, difference: int) -> None:
    rk.run(rk.queens(8), tmp_path)
    falsify(tmp_path, lambda record: record._replace(found=record.found + difference))
    assert evidence(tmp_path)["orbit identity"].outcome == "FAILED"


def test_a_recount_is_of_the_total_that_was_there(tmp_path: Path) -> None:
    rk.run(rk.queens(8), tmp_path, engine="queens-join", count_only=True)
    assert rk.Run(tmp_path).recount().engines == ("queens-bitmap",)
    assert evidence(tmp_path)["recount by queens-bitmap"].outcome == "passed"
    with closing(RunDirectory.open(tmp_path)) as run:
        run.index.drop([0])  # which has no solution, so that the sum over the shards is the same
    assert rk.Run(tmp_path).status().total is None
    assert evidence(tmp_path)["recount by queens-bitmap"].outcome == "not done"


def test_a_recount_is_of_the_solutions_that_were_there(tmp_path: Path) -> None:
    rk.run(rk.queens(8), tmp_path)
    assert rk.Run(tmp_path).recount(engine="queens-cover").agrees
    falsify(tmp_path, lambda record: record._replace(digest=digest_of(np.zeros((1, 8), dtype=np.uint8))))
    assert evidence(tmp_path)["recount by queens-cover"].outcome == "not done"


def test_published_orbits_are_compared_under_their_own_symmetry_only(tmp_path: Path) -> None:
    """queens 6 has 2 orbits under rotations; the published number is 1, under all symmetries."""
    assert rk.run(rk.queens(6), tmp_path, up_to="rotations").unique == 2
    assert evidence(tmp_path)["published count"].outcome == "passed"


class TestBadInput:
    @pytest.mark.parametrize("fraction", [0.0, -1.0, 1.5, float("nan")])
    def test_fractions(self, tmp_path: Path, fraction: float) -> None:
        rk.run(rk.queens(6), tmp_path)
        with pytest.raises(BadInput, match="the fraction must be more than 0 and at most 1"):
            rk.Run(tmp_path).recount(fraction=fraction)

    def test_an_executor_recounts_the_whole_run(self, tmp_path: Path) -> None:
        rk.run(rk.queens(6), tmp_path)
        with ThreadPoolExecutor(1) as pool, pytest.raises(BadInput, match="leave out either the executor"):
            rk.Run(tmp_path).recount(fraction=0.5, executor=pool)

    def test_an_unfinished_run_is_recounted_in_part_only(self, tmp_path: Path) -> None:
        rk.run(rk.queens(6), tmp_path)
        with closing(RunDirectory.open(tmp_path)) as run:
            run.index.drop([0, 1])
        with pytest.raises(BadRun, match=r"is not finished \(\d+ of \d+ shards\); go on with: rekkyo resume"):
            rk.Run(tmp_path).recount()
        assert rk.Run(tmp_path).recount(fraction=0.5).agrees

    def test_nothing_finished(self, tmp_path: Path) -> None:
        rk.run(rk.queens(6), tmp_path, shards=1)
        with closing(RunDirectory.open(tmp_path)) as run:
            run.index.drop([0])
        with pytest.raises(BadRun, match="has no finished shard to recount"):
            rk.Run(tmp_path).recount(fraction=0.5)

    def test_engines(self, tmp_path: Path) -> None:
        rk.run(rk.queens(6), tmp_path)
        for fraction in (None, 0.5):
            with pytest.raises(BadInput, match='unknown engine "nope"'):
                rk.Run(tmp_path).recount(engine="nope", fraction=fraction)
            with pytest.raises(BadInput, match="engine cover-cells searches exact covers only"):
                rk.Run(tmp_path).recount(engine="cover-cells", fraction=fraction)
