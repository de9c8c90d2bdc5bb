"""Sums beyond 32 and 64 bits: an engine that says that every slice took 2^40 nodes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.engines.contract import Advance, Room, Tally
from rekkyo.engines.queens.bitmap.engine import QueensBitmap
from rekkyo.errors import BadInput

NODES = 1 << 40


@pytest.fixture
def solutions_of_queens_6(monkeypatch: pytest.MonkeyPatch) -> int:
    """Slices of the engine take NODES times as many nodes as they say, from now on."""
    real = QueensBitmap.advance

    def advance(self: QueensBitmap, plan: Any, cursor: Any, room: Room, budget: int) -> Advance:
        taken = real(self, plan, cursor, room, budget)
        return taken._replace(nodes=NODES * taken.nodes)

    monkeypatch.setattr(QueensBitmap, "advance", advance)
    return 4


@pytest.mark.kernel
@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled hashes wrap around
def test_nodes_of_a_count_and_of_a_run(tmp_path: Path, solutions_of_queens_6: int) -> None:
    sizes = rk.Sizes(slice_nodes=10)
    counted = rk.count(rk.queens(6), engine="queens-bitmap", up_to="none", sizes=sizes, workers=2)
    state = rk.run(rk.queens(6), tmp_path / "run", engine="queens-bitmap", shards=3, sizes=sizes)
    assert counted.total == state.total == solutions_of_queens_6
    assert counted.nodes > NODES
    assert state.nodes > NODES
    assert rk.Run(tmp_path / "run").status().nodes == state.nodes


@pytest.mark.kernel
def test_tallies_add_up_to_any_number() -> None:
    assert Tally(1 << 70, 1 << 40) + Tally(1 << 70, 1 << 40) == Tally(1 << 71, 1 << 41)


def test_orders_of_stabilizers_add_up_to_any_total() -> None:
    from rekkyo.symmetry.orbits import OrbitLedger

    ledger = OrbitLedger(1 << 20)
    ledger.enter(np.array([1, 2, 0], dtype=np.uint32))
    ledger.n_orbits[1] += 1 << 70
    assert ledger.total == (1 << 20) * ((1 << 70) + 1) + (1 << 19)


def test_a_block_that_fits_into_no_memory_is_bad_input() -> None:
    """It was a MemoryError with a traceback."""
    with pytest.raises(
        BadInput, match=r"the size block_bytes must be a whole number from 1 to 67108864, not"
    ):
        rk.Sizes(block_rows=1 << 53, block_bytes=1 << 53)
    assert rk.count(rk.queens(6), sizes=rk.Sizes(block_rows=1 << 53, block_bytes=1 << 20)).total == 4
