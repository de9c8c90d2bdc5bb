"""How fast rows become CSV and npy: CPU seconds, medians.

    python benchmarks/export.py RUN

RUN: the directory of a finished run with a million rows or more, such as that of `rekkyo run queens 15`.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np

import rekkyo as rk
from rekkyo.export.header import Header
from rekkyo.export.tables import RowText, batched, write_csv, write_npy
from rekkyo.runs.sources import puzzle_of_run

REPEAT = 5


class Nowhere:
    """Takes bytes and forgets them."""

    def __init__(self) -> None:
        self.size = 0

    def write(self, content: object) -> int:
        size = len(content)  # type: ignore[arg-type]
        self.size += size
        return size


def seconds(action: Callable[[], object]) -> float:
    taken = []
    for _ in range(REPEAT):
        started = time.process_time()
        action()
        taken.append(time.process_time() - started)
    return statistics.median(taken)


def with_numpy(rows: np.ndarray, table: np.ndarray) -> bytes:
    """What the kernel is compared with: padded texts, then one pass that drops the padding."""
    text = table[rows].ravel()
    return bytes(text[text != 0].tobytes())


def main(folder: str) -> None:
    puzzle = puzzle_of_run(folder)
    header = Header(puzzle.name, puzzle.title, puzzle.model.row_meaning, "none")
    with rk.RunReader(folder) as reader:
        n_rows = len(reader)
        blocks = list(batched(reader.rows(), 1 << 16))
        reading = seconds(lambda: sum(len(block) for block in reader.rows()))
        write_csv(puzzle, header, blocks[:1], Nowhere())  # type: ignore[arg-type]
        sink = Nowhere()
        write_csv(puzzle, header, blocks, sink)  # type: ignore[arg-type]
        in_memory = seconds(lambda: write_csv(puzzle, header, blocks, Nowhere()))  # type: ignore[arg-type]
        from_run = seconds(lambda: write_csv(puzzle, header, reader.rows(), Nowhere()))  # type: ignore[arg-type]
        texts = np.array([f"{value}," for value in range(puzzle.model.row_shape.n_values)], dtype=bytes)
        table = texts.view(np.uint8).reshape(len(texts), -1)
        numpy_s = seconds(lambda: [with_numpy(block, table) for block in blocks])
        write = RowText(puzzle, b"", b"\n", skips_filler=False)
        kernel_s = seconds(lambda: [write(block) for block in blocks])
        print(f"{n_rows:,} rows; reading and checking them {reading:.3f} s")
        print(
            f"csv from memory {in_memory:.3f} s, {n_rows / in_memory / 1e6:.1f} M rows/s,"
            f" {sink.size / in_memory / 1e6:.0f} MB/s"
        )
        print(f"csv from the run {from_run:.3f} s, {n_rows / from_run / 1e6:.1f} M rows/s")
        print(f"text alone: kernel {kernel_s:.3f} s, NumPy {numpy_s:.3f} s")
        with tempfile.TemporaryDirectory() as temporary:
            path = Path(temporary) / "rows.npy"

            def write_file() -> None:
                with path.open("wb") as out:
                    write_npy(puzzle, header, reader.rows(), out, BytesIO())

            npy_s = seconds(write_file)
            size = path.stat().st_size
        print(f"npy from the run {npy_s:.3f} s, {size / npy_s / 1e6:.0f} MB/s")


if __name__ == "__main__":
    main(sys.argv[1])
