"""Listing: every solution once, in order, streamed, however many workers and wherever the reader stops."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from itertools import islice
from typing import Any

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.engines.contract import Advance, Shard
from rekkyo.engines.queens.bitmap.engine import QueensBitmap
from rekkyo.errors import EngineRefuses
from rekkyo.search.sizes import Sizes
from tests import naive


@pytest.mark.parametrize("workers", [1, 2, 7])
@pytest.mark.parametrize("n", [1, 2, 6, 8])
def test_lists_every_solution_in_lexicographic_order(n: int, workers: int) -> None:
    assert list(rk.solve(rk.queens(n), workers=workers)) == naive.queens_solutions(n)


@pytest.mark.parametrize(
    ("words", "is_lexicographic"),
    [("dominoes 4 4", True), ("soma", False), ("langford 7", False), ("magic-square 3", False)],
)
def test_the_order_does_not_depend_on_the_workers(words: str, is_lexicographic: bool) -> None:
    puzzle = rk.puzzle(words)
    rows = [list(islice(rk.solve(puzzle, workers=workers), 1000)) for workers in (1, 3)]
    assert rows[0] == rows[1]
    assert (rows[0] == sorted(rows[0])) == is_lexicographic


@pytest.mark.parametrize("n", [1, 4, 5, 7])
def test_up_to_symmetry_lists_the_least_row_of_every_orbit(n: int) -> None:
    orbits = naive.orbits(naive.queens_solutions(n), naive.square_symmetries(n))
    assert list(rk.solve(rk.queens(n), up_to="symmetry")) == sorted(map(min, orbits))


@pytest.mark.parametrize("limit", [0, 1, 91, 92, 1000])
def test_a_limit_gives_the_first_ones(limit: int) -> None:
    assert list(rk.solve(rk.queens(8), limit=limit)) == naive.queens_solutions(8)[:limit]


@pytest.mark.parametrize("limit", [0, 1, 4, 5, 6, 91, 92, 1000])
def test_a_limit_ends_within_a_block_or_between_two(limit: int) -> None:
    blocks = list(rk.solve_blocks(rk.queens(8), limit=limit, sizes=Sizes(block_rows=5)))
    assert all(map(len, blocks))
    assert [tuple(row) for block in blocks for row in block] == naive.queens_solutions(8)[:limit]


def test_solutions_are_tuples_of_ints_that_know_their_puzzle() -> None:
    (solution,) = rk.solve(rk.queens(8), limit=1)
    assert isinstance(solution, tuple)
    assert isinstance(solution, rk.Solution)
    assert solution.puzzle == rk.queens(8)
    assert {type(value) for value in solution} == {int}


def test_blocks_hold_together_after_the_search_has_gone_on() -> None:
    blocks = list(rk.solve_blocks(rk.queens(8)))
    assert all(block.dtype == np.uint8 and block.shape[1] == 8 and len(block) for block in blocks)
    assert np.concatenate(blocks).tolist() == [list(row) for row in naive.queens_solutions(8)]


def test_the_first_solutions_of_an_endless_search_come_at_once() -> None:
    solutions = rk.solve(rk.queens(24))
    first = list(islice(solutions, 5))
    assert first == sorted(first)
    assert not any(rk.verify(rk.queens(24), solution) for solution in first)
    solutions.close()  # type: ignore[attr-defined]


def test_a_reader_who_leaves_stops_the_workers() -> None:
    solutions = rk.solve(rk.queens(24), workers=3)
    next(solutions)
    assert any(thread.name.startswith("rekkyo") for thread in threading.enumerate())
    solutions.close()  # type: ignore[attr-defined]
    assert not any(thread.name.startswith("rekkyo") for thread in threading.enumerate())


@pytest.mark.parametrize(
    ("end", "exit_code"),
    [("", 0), ("raise SystemExit(3)", 3), ("raise ValueError", 1)],
    ids=["end", "exit", "error"],
)
def test_a_program_that_ends_with_a_list_half_read_ends(end: str, exit_code: int) -> None:
    code = f"import rekkyo as rk\nsolutions = rk.solve(rk.queens(24))\nprint(next(solutions))\n{end}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("(0, ")
    assert done.returncode == exit_code


def test_shards_with_many_rows_are_cut_finer_and_come_in_the_same_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = list(rk.solve_blocks(rk.queens(9)))
    sizes = Sizes(block_rows=2, blocks_ahead=1, moment_nodes=1000)
    cut: list[int] = []
    split = QueensBitmap.split

    def counted_split(engine: QueensBitmap, plan: Any, at_least: int) -> tuple[Shard, ...]:
        cut.append(at_least)
        return split(engine, plan, at_least)

    monkeypatch.setattr(QueensBitmap, "split", counted_split)
    after = list(rk.solve_blocks(rk.queens(9), workers=2, sizes=sizes))
    assert sizes.shards_to_stream in cut
    assert np.concatenate(after).tolist() == np.concatenate(before).tolist()


def test_a_slow_reader_does_not_make_the_workers_pile_up_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory stays flat: workers wait once they are a few blocks ahead."""
    n_slices = 0
    fulls: queue.SimpleQueue[str] = queue.SimpleQueue()

    def counted(self: QueensBitmap, *arguments: Any) -> Advance:
        nonlocal n_slices
        n_slices += 1
        return original(self, *arguments)

    class Told(queue.Queue[Any]):
        """Tells when a worker had to wait in vain."""

        def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
            try:
                super().put(item, block, timeout)
            except queue.Full:
                fulls.put(threading.current_thread().name)
                raise

    original = QueensBitmap.advance
    monkeypatch.setattr(QueensBitmap, "advance", counted)
    monkeypatch.setattr(queue, "Queue", Told)
    sizes = Sizes(slice_nodes=5_000)
    blocks = rk.solve_blocks(rk.queens(16), workers=2, sizes=sizes)
    next(blocks)
    slices_seen = []
    for _ in range(2):
        waiting: set[str] = set()
        while len(waiting) < 2:
            waiting.add(fulls.get(timeout=60))
        slices_seen.append(n_slices)
    blocks.close()
    n_shards_under_way = 2
    assert slices_seen[0] == slices_seen[1] <= n_shards_under_way * 3 * (Sizes().blocks_ahead + 2)


def test_an_error_in_a_worker_reaches_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise MemoryError("no memory for this block")

    monkeypatch.setattr(QueensBitmap, "start", broken)
    with pytest.raises(MemoryError, match="no memory for this block"):
        list(rk.solve(rk.queens(8)))


def test_an_engine_that_only_counts_cannot_list() -> None:
    with pytest.raises(EngineRefuses, match="counts without listing"):
        next(rk.solve(rk.queens(8), engine="queens-join"))
