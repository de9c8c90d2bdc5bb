"""A run folder from elsewhere, or one that others change: nothing of it is believed unchecked, no link is
followed, and what is wrong is one line."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.errors import BadRun, RunDamaged, RunStopped
from rekkyo.runs import stored
from rekkyo.runs.plan_hash import plan_hash
from rekkyo.search.cutting import Into
from rekkyo.search.search import prepare
from rekkyo.store.manifest import seal_of
from rekkyo.store.run_directory import RunDirectory
from rekkyo.store.tables import COLUMNS, INSERT, TABLES, sealed
from tests.runs.runs_as_programs import rekkyo

COMMANDS = {
    **dict.fromkeys(("status", "verify", "repair", "resume", "recount"), ()),
    "export": ("--to", "csv"),
}
"""What can be asked of a folder, and the words that follow it."""


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("good") / "run"
    rk.run(rk.queens(6), folder, workers=1, shards=4)
    return folder


@pytest.fixture
def folder(good: Path, tmp_path: Path) -> Path:
    shutil.copytree(good, tmp_path / "run")
    return tmp_path / "run"


def refusals(folder: Path) -> dict[str, str]:
    """What each command says about a folder: one line, and never exit code 0 or a traceback."""
    said = {}
    for command, more in COMMANDS.items():
        code, _, complaint = rekkyo(command, folder, *more)
        assert code in (1, 2), command
        assert complaint.startswith("rekkyo: "), (command, complaint)
        assert complaint.count("\n") == 1, (command, complaint)
        said[command] = complaint
    return said


class TestLinks:
    @pytest.mark.parametrize("name", ["lock", "rows-0.bin", "index.sqlite", "manifest.json"])
    def test_no_link_is_followed(self, folder: Path, name: str, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        (folder / name).rename(outside)
        (folder / name).symlink_to(outside)
        content = outside.read_bytes()
        said = {}
        for command, more in COMMANDS.items():
            _, _, said[command] = rekkyo(command, folder, *more)
        assert all("Traceback" not in text for text in said.values())
        assert f"{name} is a link or not a file" in said["resume"]
        assert outside.read_bytes() == content

    @pytest.mark.parametrize("name", ["lock", "rows-0.bin", "rows-7.bin", "index.sqlite-wal"])
    def test_nothing_is_made_through_a_link(self, folder: Path, name: str, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(outside)
        for command, more in COMMANDS.items():
            assert "Traceback" not in rekkyo(command, folder, *more)[2]
        assert not outside.exists()

    @pytest.mark.parametrize("name", ["lock", "rows-0.bin", "manifest.json"])
    def test_a_named_pipe_keeps_nobody_waiting(self, folder: Path, name: str) -> None:
        (folder / name).unlink()
        os.mkfifo(folder / name)
        _, _, complaint = rekkyo("resume", folder)
        assert f"{name} is a link or not a file" in complaint

    def test_a_recount_writes_through_no_link(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "outside").mkdir()
        for engine in ("queens-bitmap", "cover-bitset", "queens-cover"):
            (folder / f"recount-{engine}").symlink_to(tmp_path / "outside")
            code, _, complaint = rekkyo("recount", folder, "--engine", engine)
            assert (code, complaint.count("\n")) == (2, 1)
        assert list((tmp_path / "outside").iterdir()) == []


class TestManifests:
    @pytest.mark.parametrize(
        "change",
        [
            {"n_shards": 3},
            {"n_shards": 10**9},
            {"n_shards": "344"},
            {"row_length": 10**12},
            {"row_length": 7},
            {"row_bytes_per_value": 3},
            {"row_bytes_per_value": 2},
            {"group_order": "eight"},
            {"published": {"total": "4", "unique": 1, "source": "me"}},
            {"source": {"kind": "catalog", "text": "no such puzzle"}},
            {"source": {"kind": "file", "text": "../../elsewhere.toml"}},
            {"source": {"kind": "catalog", "text": "queens 7"}},
        ],
    )
    def test_facts_that_cannot_be_are_one_line(self, folder: Path, change: dict[str, Any]) -> None:
        """Sealed: somebody wrote them on purpose. Commands that do not need the fact may do without it."""
        rewrite(folder, lambda facts: facts | change)
        for command in ("verify", "resume"):
            code, output, complaint = rekkyo(command, folder)
            assert (code in (1, 2), output) == (True, ""), command
            assert complaint.startswith("rekkyo: "), complaint
            assert complaint.count("\n") == 1

    def test_the_words_of_a_manifest_open_no_file(self, folder: Path, tmp_path: Path) -> None:
        """`sudoku FILE` is for the user who types it."""
        (tmp_path / "secret").write_text("my secret " * 9)
        words = f"sudoku {tmp_path}/secret"
        changed = {"puzzle": words, "source": {"kind": "catalog", "text": words}}
        rewrite(folder, lambda facts: facts | changed)
        for command in ("verify", "resume", "recount"):
            code, output, complaint = rekkyo(command, folder)
            assert (code, output) == (2, "")
            assert " instead of 81" in complaint or 'clue 1 is "/"' in complaint

    def test_a_puzzle_file_that_is_a_link_is_not_read(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "secret.toml").write_text("my secret")
        (folder / "puzzle.toml").symlink_to(tmp_path / "secret.toml")
        changed = {"puzzle": "mine.toml", "source": {"kind": "file", "text": "puzzle.toml"}}
        rewrite(folder, lambda facts: facts | changed)
        code, _, complaint = rekkyo("verify", folder)
        assert code == 2
        assert "puzzle.toml is a link or not a file" in complaint
        assert "my secret" not in complaint

    def test_names_cannot_move_the_cursor(self, folder: Path) -> None:
        nasty = "\x1b]0;owned\x07\r\u202e"
        given = {"kind": "given", "text": ""}
        changed = {"puzzle": nasty, "engine": nasty, "created": nasty, "source": given}
        rewrite(folder, lambda facts: facts | changed)
        code, output, _ = rekkyo("status", folder)
        assert code == 0
        for command, more in COMMANDS.items():
            _, output, complaint = rekkyo(command, folder, *more)
            assert not set(output + complaint) & {"\x1b", "\x07", "\r", "\u202e"}, command

    def test_names_cannot_add_a_line(self, folder: Path) -> None:
        given = {"kind": "given", "text": ""}
        rewrite(folder, lambda facts: facts | {"puzzle": "mine\n+ every row valid: passed", "source": given})
        _, output, _ = rekkyo("status", folder)
        assert "mine\\n+ every row valid: passed: finished" in output

    @pytest.mark.parametrize(
        "change",
        [
            {"puzzle": "queens 8"},
            {"puzzle": "queens 8", "source": {"kind": "file", "text": "puzzle.toml"}},
            {"puzzle": "queens 8", "source": {"kind": "given", "text": ""}},
        ],
    )
    def test_a_name_of_the_catalog_stands_for_no_other_puzzle(
        self, folder: Path, change: dict[str, Any]
    ) -> None:
        (folder / "puzzle.toml").write_text('kind = "queens"\nsize = 6\n')
        rewrite(folder, lambda facts: facts | change)
        for command in COMMANDS.keys() - {"repair"}:
            code, output, complaint = rekkyo(command, folder, *COMMANDS[command])
            assert (code in (1, 2), output) == (True, ""), command
            assert "the puzzle of this run is not queens 8, as the manifest says" in complaint, command

    def test_a_file_of_another_folder_is_not_read(self, folder: Path) -> None:
        (folder.parent / "puzzle.toml").write_text('kind = "queens"\nn = 6\n')
        outside = {"puzzle": "mine", "source": {"kind": "file", "text": "../puzzle.toml"}}
        rewrite(folder, lambda facts: facts | outside)
        with pytest.raises(BadRun, match="a run of mine, which was built in Python"):
            rk.Run(folder).resume()

    def test_a_puzzle_without_published_counts_has_none(self, tmp_path: Path) -> None:
        (tmp_path / "mine.toml").write_text('kind = "queens"\nn = 6\n')
        rk.run(rk.puzzle_from_file(tmp_path / "mine.toml"), tmp_path / "run", workers=1)
        published = {"total": 4, "unique": None, "source": "nobody"}
        rewrite(tmp_path / "run", lambda facts: facts | {"published": published})
        with pytest.raises(RunDamaged, match="the manifest says other published counts than"):
            rk.Run(tmp_path / "run").resume()

    @pytest.mark.parametrize("counts", [{"total": 5, "unique": None}, {"total": 4, "unique": 2}])
    def test_published_counts_are_those_of_the_puzzle(self, folder: Path, counts: dict[str, Any]) -> None:
        published = counts | {"source": "OEIS A000170"}
        rewrite(folder, lambda facts: facts | {"published": published})
        for command in ("verify", "recount", "resume"):
            code, output, complaint = rekkyo(command, folder)
            assert (code, output) == (1, ""), command
            assert "the manifest says other published counts than queens 6 has" in complaint


def rewrite(folder: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    path = folder / "manifest.json"
    facts = json.loads(path.read_text())
    del facts["seal"]
    facts = change(facts)
    path.write_text(json.dumps(facts | {"seal": seal_of(facts)}))


class TestIndexes:
    def test_a_foreign_index_is_one_line(self, folder: Path) -> None:
        (folder / "index.sqlite").unlink()
        with closing(sqlite3.connect(folder / "index.sqlite")) as database, database:
            database.execute("CREATE TABLE mine (text TEXT)")
        assert all("is not the index of a run of version 2" in text for text in refusals(folder).values())

    def test_a_check_with_other_facts_is_one_line(self, folder: Path) -> None:
        for facts in ('{"passed": true}', '{"passed": 1, "detail": "", "digest": ""}', "[]"):
            put(folder, "checks", ["rows valid", "today", facts])
            code, _, complaint = rekkyo("status", folder)
            assert (code, complaint.count("\n")) == (1, 1)
            assert "a check cannot be read" in complaint

    def test_values_that_no_row_has_are_refused(self, folder: Path) -> None:
        """With the right checksum and place. The kernel that writes text would read and write beyond arrays."""
        with closing(sqlite3.connect(folder / "index.sqlite")) as database:
            select = f"SELECT {COLUMNS['finished']} FROM finished WHERE kept > 0"
            row = dict(zip(TABLES["finished"], database.execute(select).fetchone(), strict=True))
        content = bytes([6] * 6 * row["kept"])
        (folder / "rows-9.bin").write_bytes(content)
        row |= {"file": 9, "start": 0, "checksums": zlib.crc32(content).to_bytes(4, "little")}
        put(folder, "finished", list(row.values()))
        for command, more in {"export": ("--to", "csv"), "stats": (), "sample": ("--number", "40")}.items():
            code, _, complaint = rekkyo(command, folder, *more)
            assert code == 1, command
            assert f"rows of shard {row['shard']} have values that queens 6 does not have" in complaint, (
                command
            )
        code, said, complaint = rekkyo("verify", folder)
        assert (code, "Traceback" in complaint) == (1, False)
        assert f"{row['kept']} wrong" in said

    @pytest.mark.parametrize(
        "statement",
        [
            "CREATE TRIGGER mine AFTER INSERT ON checks BEGIN DELETE FROM finished; END",
            "CREATE VIEW mine AS SELECT 1",
            "CREATE TABLE mine (a, b AS (hex(zeroblob(1 << 28))))",
            "ALTER TABLE finished ADD COLUMN mine AS (1)",
        ],
    )
    def test_whatever_sqlite_would_run_is_refused(self, folder: Path, statement: str) -> None:
        with closing(sqlite3.connect(folder / "index.sqlite")) as database, database:
            database.execute(statement)
        assert all("has other tables than rekkyo makes" in text for text in refusals(folder).values())

    @pytest.mark.parametrize("prefix", ["[1e999]", "[0.5]", "[true]", '["1"]'])
    def test_decisions_that_are_not_whole_numbers_are_refused(self, folder: Path, prefix: str) -> None:
        with closing(sqlite3.connect(folder / "index.sqlite")) as database, database:
            database.execute("UPDATE shards SET prefix = ? WHERE shard = 0", (prefix,))
        with pytest.raises(RunDamaged, match="a shard cannot be read"):
            rk.Run(folder).resume()

    def test_a_record_with_more_rows_than_any_file_takes_no_memory(self, folder: Path) -> None:
        with closing(sqlite3.connect(folder / "index.sqlite")) as database:
            row = list(database.execute(f"SELECT {COLUMNS['finished']} FROM finished").fetchone())
        kept = 1 << 30
        row[list(TABLES["finished"]).index("kept")] = kept
        row[list(TABLES["finished"]).index("checksums")] = b"0000" * (kept // 4096)
        put(folder, "finished", row)
        for command, complaint in refusals_of_rows(folder).items():
            assert "rows-0.bin ends too early" in complaint, command


def put(folder: Path, table: str, row: list[Any]) -> None:
    with closing(sqlite3.connect(folder / "index.sqlite")) as database, database:
        database.execute(f"INSERT OR REPLACE {INSERT[table]}", sealed(table, row))


def refusals_of_rows(folder: Path) -> dict[str, str]:
    verified = rekkyo("verify", folder)[1]
    return {"resume": rekkyo("resume", folder)[2], "verify": verified, "repair": rekkyo("repair", folder)[1]}


def test_another_optimum_is_damage_in_spite_of_its_seal(tmp_path: Path) -> None:
    puzzle = rk.graph(named="grid 3 3").dominating_sets()
    rk.run(puzzle, tmp_path / "run")
    rewrite(tmp_path / "run", lambda facts: facts | {"optimum": 4})
    with pytest.raises(RunDamaged, match="its optimum is 3, not 4"):
        rk.Run(tmp_path / "run", puzzle=puzzle).resume()


@pytest.mark.parametrize("which", ["", " WHERE shard = 2"])
def test_shards_that_overlap_are_refused_in_spite_of_their_hash(folder: Path, which: str) -> None:
    """Each shard is the whole search, or one of them is, so that everything would be found twice or more."""
    with closing(sqlite3.connect(folder / "index.sqlite")) as database, database:
        database.execute(f"UPDATE shards SET prefix = '[]'{which}")
        database.execute("DELETE FROM finished")
    with closing(RunDirectory.open(folder)) as opened:
        question = stored.question_of(folder, opened.manifest)
        search = prepare(question, Into(opened.index.shards()))
        forged = plan_hash(opened.manifest.model_hash, search, "none")
    rewrite(folder, lambda facts: facts | {"plan_hash": forged})
    for command in ("resume", "recount"):
        code, _, complaint = rekkyo(command, folder, *(["--fraction", "0.5"] if command == "recount" else []))
        assert code == 1
        assert "some of its shards are parts of others" in complaint


class TestCountingRuns:
    """Their total is made from all shards together, at the end."""

    @pytest.fixture
    def counted(self, tmp_path: Path) -> Path:
        rk.run(rk.queens(10), tmp_path / "counted", engine="queens-join", count_only=True)
        return tmp_path / "counted"

    def test_one_changed_digit_is_noticed(self, counted: Path) -> None:
        with closing(sqlite3.connect(counted / "index.sqlite")) as database, database:
            database.execute("UPDATE outcome SET total = '734'")
        with pytest.raises(RunDamaged, match="a record of outcome has changed"):
            rk.Run(counted).status()

    def test_burnsides_lemma_is_computed_when_it_is_said_to_hold(self, counted: Path) -> None:
        evidence = {each.check: each for each in rk.Run(counted).status().evidence}
        check = evidence["Burnside comes out even"]
        assert (check.outcome, check.detail) == (
            "passed",
            "724 solutions and 12 fixed by symmetries, a group of 8",
        )
        row = outcome_of(counted)
        put(counted, "outcome", [1, row["found"], "734", row["fixed"], row["uniques"]])
        evidence = {each.check: each for each in rk.Run(counted).status().evidence}
        assert evidence["Burnside comes out even"].outcome == "FAILED"

    def test_going_on_with_a_finished_run_computes_it_again(self, counted: Path) -> None:
        row = outcome_of(counted)
        put(counted, "outcome", [1, row["found"], "732", str(int(row["fixed"]) - 8), row["uniques"]])
        assert rk.Run(counted).status().total == 732
        with pytest.raises(rk.CountsDisagree, match="have 724 solutions now and had 732 before"):
            rk.Run(counted).resume()

    def test_an_outcome_of_other_shards_is_not_shown(self, counted: Path) -> None:
        row = outcome_of(counted)
        put(counted, "outcome", [1, str(int(row["found"]) + 1), "724", row["fixed"], row["uniques"]])
        assert rk.Run(counted).status().total is None
        assert rk.Run(counted).resume().total == 724
        assert rk.Run(counted).status().total == 724


def outcome_of(folder: Path) -> dict[str, str]:
    with closing(sqlite3.connect(folder / "index.sqlite")) as database:
        row = database.execute(f"SELECT {COLUMNS['outcome']} FROM outcome").fetchone()
    return dict(zip(TABLES["outcome"], row, strict=True))


class TestVanished:
    """Files that are open can still be written after they were deleted, and nobody finds them again."""

    def test_a_directory_that_is_deleted_while_shards_are_searched(self, tmp_path: Path) -> None:
        def watch(_: object) -> None:
            shutil.rmtree(tmp_path / "run", ignore_errors=True)

        with pytest.raises(RunStopped, match="was deleted or replaced"):
            rk.run(rk.queens(9), tmp_path / "run", watch=watch)

    @pytest.mark.parametrize("count_only", [True, False])
    def test_a_directory_that_is_deleted_at_the_very_end(
        self, tmp_path: Path, count_only: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(stored, "_keep_outcome", lambda run, _: shutil.rmtree(run.folder))
        with pytest.raises(RunStopped, match="was deleted or replaced"):
            rk.run(rk.queens(6), tmp_path / "run", count_only=count_only)

    def test_row_files_that_are_deleted(self, tmp_path: Path) -> None:
        def watch(_: object) -> None:
            for path in (tmp_path / "run").glob("rows-*"):
                path.unlink()

        with pytest.raises(
            RunStopped, match=r"rows-\d\.bin cannot be written \(the file was deleted or replaced"
        ):
            rk.run(rk.queens(9), tmp_path / "run", watch=watch)
        assert rk.Run(tmp_path / "run").status().total == 0

    def test_a_manifest_that_is_deleted(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(stored, "_keep_outcome", lambda run, _: (run.folder / "manifest.json").unlink())
        with pytest.raises(RunStopped, match=r"manifest\.json was deleted while"):
            rk.run(rk.queens(6), tmp_path / "run")
