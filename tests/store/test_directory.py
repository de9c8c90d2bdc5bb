"""Manifest and reader: the files of a run together."""

from __future__ import annotations

import errno
import io
import json
import os
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow
import pytest

import rekkyo as rk
from rekkyo.errors import BadInput, BadRun, RunDamaged, RunInUse
from rekkyo.model.exact_cover import ExactCover
from rekkyo.safe_files import open_file
from rekkyo.store import run_directory
from rekkyo.store.manifest import read_manifest, seal_of
from rekkyo.store.reader import RunReader, are_beyond
from rekkyo.store.run_directory import RunDirectory
from tests import naive
from tests.runs.test_stored import rows_of


def test_rows_come_in_canonical_order_whoever_found_them(folder: Path) -> None:
    assert rows_of(folder) == naive.queens_solutions(8), "queens-bitmap lists in lexicographic order"


def test_any_solution_can_be_read_alone(folder: Path) -> None:
    solutions = naive.queens_solutions(8)
    with closing(RunReader(folder)) as reader:
        assert len(reader) == 92
        assert [reader.row(k) for k in (91, 0, 40)] == [solutions[k] for k in (91, 0, 40)]
        for k in (-1, 92):
            with pytest.raises(BadInput, match=f"has solutions 0 to 91; there is no solution {k}"):
                reader.row(k)


def test_an_open_reader_does_not_depend_on_the_current_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    with closing(RunReader(folder.name)) as reader:
        expected = list(reader)
        monkeypatch.chdir(folder)
        assert list(reader) == expected


def test_shards_that_are_wanted_first_come_first_and_once(folder: Path) -> None:
    with closing(RunReader(folder)) as reader:
        plan = reader.order
    wanted = [plan[5], plan[2], plan[5], 343]
    with closing(RunReader(folder, first=wanted)) as reader:
        assert reader.order == (plan[5], plan[2], *(shard for shard in plan if shard not in wanted))
        assert sorted(reader) == naive.queens_solutions(8)


def test_a_solution_has_one_place_and_a_place_one_solution(folder: Path) -> None:
    with closing(RunReader(folder)) as reader:
        places = [reader.place(k) for k in range(92)]
        assert len(set(places)) == 92
        assert [reader.number(shard, within) for shard, within in places] == list(range(92))
        last_shard, last = places[-1]
        for shard, within in ((last_shard, last + 1), (len(reader.order) + 10_000, 0)):
            with pytest.raises(BadInput, match=f"has no solution {shard}-{within}, or not yet"):
                reader.number(shard, within)


def test_places_that_are_none(folder: Path) -> None:
    with closing(RunReader(folder)) as reader:
        shard, _ = reader.place(0)
        calls = [
            *(partial(reader.place, k) for k in (-1, 92)),
            partial(reader.number, shard, -3),
            partial(reader.number, None, 0),
            partial(reader.size, 10**6),
            partial(reader.digest, 10**30),
            lambda: list(reader.rows(float("nan"))),
            lambda: list(reader.rows(0, "all")),
            *(partial(reader.row, k) for k in (1.5, None)),
            partial(RunReader, folder, first=None),
            partial(RunReader, folder, first=[[0]]),
        ]
        for call in calls:
            with pytest.raises(BadInput):
                call()


@pytest.mark.parametrize("other", [rk.queens(9), rk.queens(8, blocked=[(0, 0)])])
def test_another_puzzle_is_refused(folder: Path, other: rk.Puzzle) -> None:
    with pytest.raises(BadInput, match=f"a run of queens 8, which differs from the {other.name} given"):
        RunReader(folder, puzzle=other)


def test_rows_of_another_form_are_refused(folder: Path) -> None:
    """Whatever the hash of the model is: a stranger may have written both."""
    path = folder / "manifest.json"
    facts = json.loads(path.read_text()) | {"row_bytes_per_value": 2}
    del facts["seal"]
    path.write_text(json.dumps(facts | {"seal": seal_of(facts)}))
    with pytest.raises(BadInput, match="differs from the queens 8 given"):
        RunReader(folder, puzzle=rk.queens(8))


@pytest.mark.parametrize(("value", "is_beyond"), [(7, False), (8, True), (255, True)])
def test_a_value_that_no_row_has_is_beyond_the_puzzle(value: int, is_beyond: bool) -> None:
    assert are_beyond(np.full((1, 8), value, dtype=np.uint8), rk.queens(8)) == is_beyond


def test_arrow_has_nulls_for_options_that_are_not_used(tmp_path: Path) -> None:
    cover = ExactCover(("a", "b"), (), (((0, 0), (1, 0)), ((0, 0),), ((1, 0),)))
    rk.run(rk.Puzzle("three", cover, "three"), tmp_path / "run")
    with closing(rk.Run(tmp_path / "run").rows()) as reader:
        rows = [tuple(row.values()) for row in pyarrow.table(reader).to_pylist()]
    assert sorted(tuple(v for v in row if v is not None) for row in rows) == [(0,), (1, 2)]
    with (
        closing(RunReader(tmp_path / "run")) as reader,
        pytest.raises(BadInput, match="Arrow needs the puzzle"),
    ):
        reader.__arrow_c_stream__()


@pytest.mark.parametrize(("start", "stop"), [(0, 0), (0, 1), (5, 60), (91, 92), (60, 500), (92, 93)])
def test_any_part_can_be_read(folder: Path, start: int, stop: int) -> None:
    with closing(RunReader(folder)) as reader:
        blocks = list(reader.rows(start, stop))
    assert all(len(block) and block.dtype == np.uint8 for block in blocks)
    rows = [tuple(row) for block in blocks for row in block.tolist()]
    assert rows == naive.queens_solutions(8)[start:stop]


def test_random_access_reads_one_block(folder: Path) -> None:
    """The other bytes of the files may be anything."""
    with closing(RunReader(folder)) as reader:
        wanted = reader.row(50)
        record = reader._index.one(reader._shards[int(np.searchsorted(reader._firsts, 50, "right")) - 1])
    assert record is not None
    assert record.place is not None
    for path in folder.glob("rows-*.bin"):
        content = bytearray(path.read_bytes())
        for byte in range(len(content)):
            is_wanted = record.place.start <= byte < record.place.start + record.kept * 8
            if path.name != f"rows-{record.place.file}.bin" or not is_wanted:
                content[byte] ^= 255
        path.write_bytes(content)
    with closing(RunReader(folder)) as reader:
        assert reader.row(50) == wanted


def test_a_run_without_rows_has_nothing_to_read(tmp_path: Path) -> None:
    rk.run(rk.queens(6), tmp_path / "run", count_only=True)
    with pytest.raises(BadRun, match="keeps counts only, no rows"):
        RunReader(tmp_path / "run")
    assert list((tmp_path / "run").glob("rows-*")) == []


def test_two_writers_at_once_are_refused(folder: Path) -> None:
    with closing(RunDirectory.open(folder)), pytest.raises(RunInUse, match="is being written by process"):
        RunDirectory.open(folder)
    RunDirectory.open(folder).close()


def test_torn_tails_are_cut_and_said(folder: Path) -> None:
    before = rows_of(folder)
    path = folder / "rows-0.bin"
    size = path.stat().st_size
    with path.open("ab") as file:
        file.write(b"half a row")
    (folder / "rows-00.bin").write_bytes(b"mine" * size)
    with closing(RunDirectory.open(folder)) as run:
        assert path.stat().st_size == size + 10, "only who goes on with a run cuts anything"
        run.begin_writing()
        (notice,) = run.notices
    assert notice == f"{path}: 10 bytes at the end belong to no finished shard and were cut off"
    assert path.stat().st_size == size
    assert (folder / "rows-00.bin").read_bytes() == b"mine" * size
    assert rows_of(folder) == before


def test_a_torn_tail_that_cannot_be_cut_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torn = folder / "rows-0.bin"
    with torn.open("ab") as file:
        file.write(b"torn")

    class Full(io.BytesIO):
        def truncate(self, size: int | None = None) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def opened(path: Path, mode: str = "rb") -> IO[bytes]:
        return Full() if path == torn else open_file(path, mode)

    monkeypatch.setattr(run_directory, "open_file", opened)
    with closing(RunDirectory.open(folder)) as run, pytest.raises(OSError, match="No space left") as caught:
        run.begin_writing()
    assert caught.value.filename == str(torn)


def test_rows_that_are_missing_are_done_again_on_request(folder: Path) -> None:
    path = max(folder.glob("rows-*.bin"), key=lambda path: path.stat().st_size)
    os.truncate(path, path.stat().st_size // 2)
    before = rk.Run(folder).status()
    with pytest.raises(RunDamaged, match=rf"{path.name} ends too early: .* rekkyo repair"):
        rk.Run(folder).resume()
    content = contents(folder)
    damage = rk.Run(folder).damage()
    assert contents(folder) == content, "to look at damage changes nothing"
    assert len(damage.shards) == len(damage.problems) > 0
    rk.Run(folder).repair(damage)
    repaired = rk.Run(folder).status()
    assert repaired.shards_done == before.shards - len(damage.shards)
    assert repaired.rows_stored == before.rows_stored - damage.rows
    after = rk.Run(folder).resume()
    assert (after.total, after.digest) == (before.total, before.digest)
    assert rows_of(folder) == naive.queens_solutions(8)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class TestManifest:
    def test_says_what_the_run_is_about(self, folder: Path) -> None:
        facts = json.loads((folder / "manifest.json").read_text())
        assert facts["format"] == 2
        assert facts["puzzle"] == "queens 8"
        assert facts["source"] == {"kind": "catalog", "text": "queens 8"}
        assert facts["n_shards"] == rk.Run(folder).status().shards
        assert {"rekkyo", "numba", "numpy", "python", "system"} <= facts["versions"].keys()

    @pytest.mark.parametrize(
        ("change", "complaint"),
        [
            ({"format": 3}, "run format 3 is not 2, the one that this rekkyo reads"),
            ({"n_shards": "many"}, '"n_shards" is missing or wrong'),
            ({"n_shards": True}, '"n_shards" is missing or wrong'),
            ({"n_shards": -1}, '"n_shards" is missing or wrong'),
            ({"n_shards": 10**9}, '"n_shards" is missing or wrong'),
            ({"row_length": 10**12}, '"row_length" is missing or wrong'),
            ({"row_bytes_per_value": 3}, '"row_bytes_per_value" is missing or wrong'),
            ({"optimum": "11"}, '"optimum" is missing or wrong'),
            ({"group_order": 0}, '"group_order" is missing or wrong'),
            ({"versions": {"rekkyo": 1}}, '"versions" is missing or wrong'),
            ({"published": {"total": "92", "unique": 12, "source": "-"}}, '"published" is missing or wrong'),
            ({"published": {"total": 92}}, '"published" is missing or wrong'),
            ({"source": {}}, '"source" is missing or wrong'),
            ({"source": {"kind": 1, "text": "queens 8"}}, '"source" is missing or wrong'),
            ({"engine": None}, '"engine" is missing or wrong'),
        ],
    )
    def test_a_wrong_one_is_named(self, folder: Path, change: dict[str, object], complaint: str) -> None:
        """Its seal is right: somebody made it on purpose."""
        path = folder / "manifest.json"
        facts = json.loads(path.read_text()) | change
        del facts["seal"]
        path.write_text(json.dumps(facts | {"seal": seal_of(facts)}))
        with pytest.raises((BadRun, RunDamaged), match=complaint):
            read_manifest(folder)

    def test_an_earlier_one_says_nothing_about_an_optimum(self, folder: Path) -> None:
        path, known = folder / "manifest.json", read_manifest(folder)
        facts = json.loads(path.read_text())
        del facts["seal"], facts["optimum"]
        path.write_text(json.dumps(facts | {"seal": seal_of(facts)}))
        assert read_manifest(folder) == known

    def test_every_fact_is_sealed(self, folder: Path) -> None:
        path = folder / "manifest.json"
        facts = json.loads(path.read_text())
        for name in facts.keys() - {"format"}:
            path.write_text(json.dumps(facts | {name: 0}))
            with pytest.raises(RunDamaged, match="does not have its seal"):
                read_manifest(folder)
            path.write_text(json.dumps({key: value for key, value in facts.items() if key != name}))
            with pytest.raises(RunDamaged, match="does not have its seal"):
                read_manifest(folder)

    @pytest.mark.parametrize("content", [b"", b"{", b"\xff\xff", b"[" * 100_000])
    def test_one_that_is_no_json_is_named(self, folder: Path, content: bytes) -> None:
        (folder / "manifest.json").write_bytes(content)
        with pytest.raises(RunDamaged, match=r"manifest\.json is damaged: it is not JSON"):
            read_manifest(folder)

    def test_a_directory_without_one_holds_no_run(self, tmp_path: Path) -> None:
        with pytest.raises(BadRun, match="holds no run: there is no manifest"):
            rk.Run(tmp_path).resume()
