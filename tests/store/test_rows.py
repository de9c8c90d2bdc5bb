"""Row files: what is written is what is read, and nothing that changed on the disk goes unnoticed."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rekkyo.errors import RunDamaged
from rekkyo.store import rows as row_files
from rekkyo.store.rows import BLOCK_ROWS, Place, RowForm, RowWriter, read_rows

FORM = RowForm(3, 2)


def some_rows(n_rows: int, first: int = 0) -> np.ndarray:
    return (np.arange(first, first + 3 * n_rows) % 65521).astype(np.uint16).reshape(-1, 3)


def written(folder: Path, shards: list[np.ndarray]) -> list[Place]:
    writer = RowWriter(folder, 0, FORM, 0)
    places = []
    for rows in shards:
        writer.begin()
        for piece in np.array_split(rows, 3):
            writer.write(piece)
        places.append(writer.finish())
    writer.sync()
    writer.close()
    return places


def read_back(
    folder: Path, place: Place, n_rows: int, first: int = 0, stop: int | None = None
) -> list[list[int]]:
    blocks = read_rows(folder, FORM, 7, place, n_rows, first, n_rows if stop is None else stop)
    return [row for block in blocks for row in block.tolist()]


@pytest.mark.parametrize("n_rows", [0, 1, BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1, 2 * BLOCK_ROWS + 5])
def test_shards_come_back_as_they_were_written(tmp_path: Path, n_rows: int) -> None:
    shards = [some_rows(n_rows), some_rows(5, 100), some_rows(n_rows, 7)]
    for rows, place in zip(shards, written(tmp_path, shards), strict=True):
        assert read_back(tmp_path, place, len(rows)) == rows.tolist()


@given(data=st.data())
def test_any_part_of_a_shard_can_be_read(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    rows = some_rows(BLOCK_ROWS + 77)
    _, place = written(folder, [some_rows(3), rows])
    first = data.draw(st.integers(0, len(rows)))
    stop = data.draw(st.integers(first, len(rows)))
    assert read_back(folder, place, len(rows), first, stop) == rows[first:stop].tolist()


def test_a_file_is_rows_and_nothing_else(tmp_path: Path) -> None:
    written(tmp_path, [some_rows(4), some_rows(2, 9)])
    content = np.fromfile(tmp_path / "rows-0.bin", dtype="<u2").reshape(-1, 3)
    assert content.tolist() == [*some_rows(4).tolist(), *some_rows(2, 9).tolist()]


def test_an_unfinished_shard_is_written_over(tmp_path: Path) -> None:
    writer = RowWriter(tmp_path, 0, FORM, 0)
    writer.begin()
    writer.write(some_rows(10))
    writer.begin()
    writer.write(some_rows(2, 50))
    place = writer.finish()
    writer.begin()
    writer.write(some_rows(3, 70))
    after = writer.finish()
    writer.close()
    assert (place.start, read_back(tmp_path, place, 2)) == (0, some_rows(2, 50).tolist())
    assert read_back(tmp_path, after, 3) == some_rows(3, 70).tolist()


@pytest.mark.parametrize("byte", [0, 1, 6 * BLOCK_ROWS - 1, 6 * BLOCK_ROWS, 6 * (BLOCK_ROWS + 9) - 1])
def test_a_flipped_byte_is_noticed_and_named(tmp_path: Path, byte: int) -> None:
    n_rows = BLOCK_ROWS + 9
    (place,) = written(tmp_path, [some_rows(n_rows)])
    flip(tmp_path / "rows-0.bin", byte)
    with pytest.raises(RunDamaged, match=r"rows-0\.bin is damaged: bytes \d+ to \d+, rows of shard 7"):
        read_back(tmp_path, place, n_rows)


def test_a_flipped_byte_elsewhere_does_not_matter_to_a_row(tmp_path: Path) -> None:
    n_rows = 2 * BLOCK_ROWS
    (place,) = written(tmp_path, [some_rows(n_rows)])
    flip(tmp_path / "rows-0.bin", 0)
    assert read_back(tmp_path, place, n_rows, n_rows - 1) == some_rows(n_rows).tolist()[-1:]


def test_a_file_that_ends_too_early_is_noticed(tmp_path: Path) -> None:
    (place,) = written(tmp_path, [some_rows(9)])
    os.truncate(tmp_path / "rows-0.bin", 50)
    with pytest.raises(RunDamaged, match="ends too early, after 50 bytes: rows of shard 7 are missing"):
        read_back(tmp_path, place, 9)


def test_short_writes_of_the_system_are_carried_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(row_files.os, "write", lambda file, content: write(file, bytes(content)[:7]))
    (place,) = written(tmp_path, [some_rows(100)])
    assert read_back(tmp_path, place, 100) == some_rows(100).tolist()


def flip(path: Path, byte: int) -> None:
    content = bytearray(path.read_bytes())
    content[byte] ^= 1
    path.write_bytes(content)
