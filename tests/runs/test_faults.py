"""Disks that are full and files that changed: noticed, named, and never counted."""

from __future__ import annotations

import json
import os
import zlib
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput, RunDamaged, RunStopped
from rekkyo.search.progress import Progress
from rekkyo.store import rows as row_files
from rekkyo.store.index import Index
from rekkyo.store.run_directory import RunDirectory
from tests import naive
from tests.runs.runs_as_programs import begin, facts, outcome, rekkyo, result_of
from tests.runs.test_stored import rows_of


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, ...]:
    folder = tmp_path_factory.mktemp("whole") / "run"
    rk.run(rk.queens(13), folder, workers=1)
    return result_of(folder)


@pytest.mark.parametrize("limit", [20_000, 150_000, 400_000])
def test_a_disk_that_fills_up_is_one_line_and_the_run_goes_on_later(
    tmp_path: Path, limit: int, whole: tuple[Any, ...]
) -> None:
    """At first the index cannot be made, then the index or the rows cannot grow, then the rows cannot."""
    words = ("run", "queens", "13", "--workers", "1", "--out", tmp_path / "run")
    code, output, complaint = outcome(begin(*words, file_bytes=limit))
    assert (code, output) == (3, "")
    assert "cannot be written" in complaint
    are_rows = "rows-0.bin" in complaint
    assert (f"rekkyo resume {tmp_path / 'run'}" if are_rows else "run the same command again") in complaint
    assert are_rows == (tmp_path / "run" / "manifest.json").exists() or limit == 150_000
    assert complaint.count("\n") == 1
    if limit == 400_000:
        assert "rows-0.bin cannot be written (File too large)" in complaint
        halfway = facts(tmp_path / "run")
        assert halfway["state"] == "interrupted"
        assert halfway["shards_done"] < halfway["shards"]
    code, _, complaint = rekkyo(*words)
    assert code == 0, complaint
    assert result_of(tmp_path / "run") == whole


@pytest.mark.parametrize(
    ("words", "limit"),
    [
        (("export", "queens", "8", "--to", "csv"), 100),
        (("certify", "queens", "5"), 100),
        (("certify", "queens", "6"), 3500),
        (("certify", "--count", "dominoes", "4", "4"), 2000),
    ],
)
def test_on_a_full_disk_what_cannot_be_written_is_named_and_nothing_stays(
    words: tuple[str, ...], limit: int, tmp_path: Path
) -> None:
    """The limit of 3,500 bytes is met by the proof, which another process writes."""
    out = tmp_path / "out"
    code, output, complaint = outcome(begin(*words, "-o", out, file_bytes=limit))
    assert (code, output, complaint) == (3, "", f"rekkyo: File too large: {out}\n")
    assert list(tmp_path.iterdir()) == []


def test_on_a_full_disk_a_certificate_is_not_called_wrong(tmp_path: Path) -> None:
    """The copies that are checked cannot be written, which says nothing about it."""
    rk.certify_count(rk.puzzle("dominoes 4 4"), tmp_path / "cert")
    code, output, complaint = outcome(begin("certify", "--check", tmp_path / "cert", file_bytes=3000))
    assert (code, output, complaint.count("\n")) == (3, "", 1)
    assert complaint.startswith("rekkyo: File too large: ")
    assert complaint.endswith("check_count.py\n")


@pytest.mark.parametrize("limit", [0, 100])
def test_on_a_full_disk_a_set_up_names_what_cannot_be_written(limit: int, tmp_path: Path) -> None:
    run = tmp_path / "run"
    words = ("run", "queens", "5", "--out", run)
    code, output, complaint = outcome(begin(*words, file_bytes=limit))
    assert (code, output, complaint) == (3, "", f"rekkyo: File too large: {run / 'setup'}\n")
    assert rekkyo(*words)[0] == 0


def test_on_a_full_disk_an_unfinished_run_is_not_called_damaged(tmp_path: Path) -> None:
    rk.run(rk.queens(8), tmp_path / "run")
    before = facts(tmp_path / "run")
    code, _, complaint = outcome(begin("resume", tmp_path / "run", file_bytes=100))
    assert (code, complaint.count("\n")) == (3, 1), complaint
    assert "index.sqlite cannot be written (disk I/O error); see whether the disk is full" in complaint
    assert facts(tmp_path / "run") == before


def test_rows_that_do_not_reach_the_disk_are_not_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """fsync is where some disks say that they are full."""

    def full(self: row_files.RowWriter) -> None:
        raise OSError(28, "No space left on device", "rows-0.bin")

    with monkeypatch.context() as patch:
        patch.setattr(row_files.RowWriter, "sync", full)
        with pytest.raises(RunStopped, match=r"rows-0\.bin cannot be written \(No space left on device\)"):
            rk.run(rk.queens(8), tmp_path / "run", workers=1)
    assert rk.Run(tmp_path / "run").status().shards_done < 344
    assert rk.Run(tmp_path / "run").resume().total == 92
    assert rk.Run(tmp_path / "run").verify().passed


def test_rows_that_failed_to_reach_the_disk_are_not_synced_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second sync of a file may succeed although the first one lost what was written."""
    sync, failures = row_files.RowWriter.sync, iter([OSError(5, "Input/output error", "rows-0.bin")])

    def fails_once(self: row_files.RowWriter) -> None:
        for failure in failures:
            raise failure
        sync(self)

    with monkeypatch.context() as patch, pytest.raises(RunStopped, match="Input/output error"):
        patch.setattr(row_files.RowWriter, "sync", fails_once)
        rk.run(rk.queens(8), tmp_path / "run", workers=1)
    assert rk.Run(tmp_path / "run").status().shards_done == 0
    assert rk.Run(tmp_path / "run").resume().total == 92


def test_an_index_that_cannot_commit_stops_the_run_and_counts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(self: Index, *arguments: object) -> None:
        raise RunStopped("index.sqlite cannot be written")

    with monkeypatch.context() as patch:
        patch.setattr(Index, "commit", fails)
        with pytest.raises(RunStopped, match=r"index\.sqlite cannot be written"):
            rk.run(rk.queens(8), tmp_path / "run")
    assert rk.Run(tmp_path / "run").status().total == 0
    assert rk.Run(tmp_path / "run").resume().total == 92


class TestFlippedByte:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        rk.run(rk.queens(8), tmp_path / "run", workers=1)
        path = tmp_path / "run" / "rows-0.bin"
        content = bytearray(path.read_bytes())
        content[300] ^= 4
        path.write_bytes(content)
        return tmp_path / "run"

    def test_reading_notices_it(self, folder: Path) -> None:
        with (
            closing(rk.RunReader(folder)) as reader,
            pytest.raises(RunDamaged, match=r"rows-0\.bin is damaged"),
        ):
            list(reader.rows())

    def test_verify_names_it_and_changes_no_file_of_the_run(self, folder: Path) -> None:
        rows = (folder / "rows-0.bin").read_bytes()
        check = rk.Run(folder).verify()
        assert (check.passed, len(check.damaged), check.wrong, check.closed) == (False, 1, 0, None)
        assert f"rows of shard {check.damaged[0]}" in check.problems[0]
        after = rk.Run(folder).status()
        assert (after.state, after.total) == ("finished", 92)
        ledger = {each.check: each.outcome for each in after.evidence}
        of_rows = ("every row valid", "rows distinct", "orbits closed")
        assert [ledger[name] for name in of_rows] == ["FAILED", "not done", "not done"]
        assert (folder / "rows-0.bin").read_bytes() == rows

    def test_the_search_for_damage_says_how_far_it_is(self, folder: Path) -> None:
        seen: list[Progress] = []
        damage = rk.Run(folder).damage(watch=seen.append)
        with closing(rk.RunReader(folder)) as reader:
            n_with_rows = len(reader.order)
        assert [progress.shards_done for progress in seen] == list(range(1, n_with_rows + 1))
        assert (seen[-1].n_shards, seen[-1].found) == (n_with_rows, 92 - damage.rows)

    def test_damage_is_listed_shard_by_shard(self, folder: Path) -> None:
        path = folder / "rows-0.bin"
        content = bytearray(path.read_bytes())
        content[10] ^= 4
        content[-10] ^= 4
        path.write_bytes(content)
        damage = rk.Run(folder).damage()
        with closing(rk.RunReader(folder)) as reader:
            assert damage.rows == sum(map(reader.size, damage.shards))
        assert len(damage.shards) == len(damage.problems) == 3
        starts = [int(problem.split(": bytes ")[1].split()[0]) for problem in damage.problems]
        assert starts == sorted(starts)
        rk.Run(folder).repair(damage)
        assert rk.Run(folder).status().shards_done == 341
        assert rk.Run(folder).resume().total == 92

    def test_after_a_repair_the_shard_is_done_again(self, folder: Path) -> None:
        damage = rk.Run(folder).damage()
        assert (len(damage.shards), rk.Run(folder).status().shards_done) == (1, 344)
        rk.Run(folder).repair(damage)
        assert rk.Run(folder).status().shards_done == 343
        assert rk.Run(folder).resume().total == 92
        assert rk.Run(folder).verify().passed
        assert rows_of(folder) == naive.queens_solutions(8)

    def test_only_damage_of_these_rows_is_repaired(self, folder: Path, tmp_path: Path) -> None:
        damage = rk.Run(folder).damage()
        other = rk.Run(tmp_path / "other")
        rk.run(rk.queens(8), other.directory, workers=1)
        (shard,) = damage.shards
        for wrong in (damage, rk.Damage((10**30,), 0, ()), rk.Damage((-1,), 0, ())):
            with pytest.raises(BadInput, match=f"other has no damaged rows of shard {wrong.shards[0]}; give"):
                other.repair(wrong)
        for shards in ((True,), (None,), [shard], iter(())):
            with pytest.raises(BadInput, match=r"the damage is what Run\.damage returned, not"):
                rk.Run(folder).repair(rk.Damage(shards, 0, ()))  # type: ignore[arg-type]
        assert other.verify().passed
        rk.Run(folder).repair(damage)
        with pytest.raises(BadInput, match=f"no damaged rows of shard {shard}; give what"):
            rk.Run(folder).repair(damage)

    def test_after_a_repair_no_check_is_of_the_rows_of_before(self, folder: Path) -> None:
        """The digest is the same again, so `resume` and `status` reported the old failure."""
        rk.Run(folder).recount()
        assert not rk.Run(folder).verify().passed
        rk.Run(folder).repair(rk.Run(folder).damage())
        ledger = {each.check: each.outcome for each in rk.Run(folder).resume().evidence}
        assert (ledger["every row valid"], ledger["recount by queens-cover"]) == ("not done", "passed")
        assert rekkyo("resume", folder)[0] == 0

    def test_the_commands_say_so(self, folder: Path) -> None:
        code, output, complaint = rekkyo("verify", folder)
        assert code == 1
        assert "rows-0.bin is damaged: bytes " in output
        assert "1 shard damaged" in output
        hint = f"nothing was changed; list the damaged shards with: rekkyo repair {folder}\n"
        assert complaint == hint
        code, output, complaint = rekkyo("repair", folder)
        assert (code, complaint) == (1, f"go on with: rekkyo repair --yes {folder}\n")
        assert output.endswith("1 shard damaged; 1 row would count no more\n")
        assert facts(folder)["shards_done"] == 344
        code, output, complaint = rekkyo("repair", folder, "--yes")
        assert (code, complaint) == (0, f"go on with: rekkyo resume {folder}\n")
        assert output.endswith("1 shard damaged; 1 row counts no more\n")
        assert facts(folder)["shards_done"] == 343
        assert rekkyo("repair", folder)[:2] == (0, "0 shards damaged\n")
        code, output, _ = rekkyo("repair", folder, "--yes", "--json")
        assert (code, json.loads(output)["repaired"]) == (0, False)


def test_rows_with_the_right_checksum_but_not_of_the_search_are_noticed(tmp_path: Path) -> None:
    """As if a worker had sent rows and counts that do not belong together."""
    rk.run(rk.queens(8), tmp_path / "run", workers=1, shards=1)
    with closing(RunDirectory.open(tmp_path / "run")) as run:
        record = run.index.one(0)
        assert record is not None
        assert record.place is not None
        path = tmp_path / "run" / "rows-0.bin"
        content = path.read_bytes()
        swapped = content[8:16] + content[:8] + content[8:16] + content[24:]
        path.write_bytes(swapped)
        sums = zlib.crc32(swapped).to_bytes(4, "little")  # one block of rows
        run.index.drop([0])
        run.index.commit([with_checksums(record, sums)], 1.0)
    check = rk.Run(tmp_path / "run").verify()
    assert not check.passed
    assert check.damaged == (0,)
    assert "shard 0: its rows do not have the digest of its search" in check.problems


def with_checksums(record: Any, sums: bytes) -> Any:
    return record._replace(place=replace(record.place, checksums=sums))


@pytest.mark.parametrize("share", [0.0, 0.5, 0.97])
def test_a_truncated_index_is_named_by_every_command(tmp_path: Path, share: float) -> None:
    rk.run(rk.queens(8), tmp_path / "run")
    index = tmp_path / "run" / "index.sqlite"
    os.truncate(index, int(share * index.stat().st_size))
    for command in ("status", "resume", "verify", "recount"):
        code, output, complaint = rekkyo(command, tmp_path / "run")
        assert (code, output) == (1, ""), command
        assert complaint.startswith(f"rekkyo: {index} is "), command
        assert "begin the run again in a new directory" in complaint
