"""The ten digits, with one placement of the 0 for each orbit under the symmetry of the frame.

    python benchmarks/cover/digits.py mesh block
    python benchmarks/cover/digits.py half

One worker. A solution counts as often as the orbit of its 0 has placements, so the weighted count is the
number of all solutions.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

import numpy as np

import rekkyo as rk
from rekkyo.engines.contract import Status, row_dtype
from rekkyo.engines.cover_bitset import CoverBitset
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.packing import Packing
from rekkyo.symmetry.group import close


def main() -> None:
    parser = argparse.ArgumentParser(description="The ten digits, one orientation class of the 0.")
    parser.add_argument("offsets", nargs="+", choices=["mesh", "block", "half"])
    print("| offset | options | nodes | solutions | CPU s | wall clock, s |\n|---|---|---|---|---|---|")
    for offset in parser.parse_args().offsets:
        cover, weights = with_one_zero_of_each_orbit(offset)
        wall, cpu = time.perf_counter(), time.process_time()
        total, nodes = weighted_count(cover, weights)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(f"| {offset} | {len(cover.options)} | {nodes} | {total} | {cpu:.1f} | {wall:.1f} |", flush=True)


def with_one_zero_of_each_orbit(offset: str) -> tuple[ExactCover, list[int]]:
    """The cover without the other placements of the 0, and how many placements each option stands for."""
    puzzle = rk.puzzle(f"digits --offset {offset}")
    model = puzzle.model
    assert isinstance(model, Packing)
    cover = model.cover()
    images = close(model.row_shape, puzzle.generators).elements
    least = images.min(axis=0)
    orbit_sizes = Counter(least.tolist())
    kept, weights = [], []
    for number, placement in enumerate(model.placements()):
        if placement.piece != "0":
            kept.append(number)
            weights.append(1)
        elif least[number] == number:
            kept.append(number)
            weights.append(orbit_sizes[number])
    options = tuple(cover.options[number] for number in kept)
    return ExactCover(cover.primary, cover.secondary, options, cover.bounds), weights


def weighted_count(cover: ExactCover, weights: list[int]) -> tuple[int, int]:
    engine = CoverBitset()
    engine.compile(cover)
    plan = engine.plan(cover)
    shape = cover.row_shape
    out = np.empty((1024, shape.length), dtype=row_dtype(shape.n_symbols))
    total = nodes = 0
    weight = np.array([*weights, 1])
    for shard in engine.split(plan, 1):
        cursor = engine.start(plan, shard)
        status = Status.OUT_OF_BUDGET
        while status is not Status.DONE:
            status, found, tried = engine.advance(plan, cursor, out, 1 << 24)
            total += int(weight[out[:found]].prod(axis=1).sum())
            nodes += tried
    return total, nodes


if __name__ == "__main__":
    main()
