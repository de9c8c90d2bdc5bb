"""The ten digits, searched up to the symmetry of the frame and up to the exchange of equal shapes.

    python benchmarks/cover/digits.py mesh block
    python benchmarks/cover/digits.py half

One worker. The 0 lies only in one placement of each orbit under the frame's symmetry; and since 2 and 5 are
the same shape, and 6 and 9, the one may not lie behind the other in a coarse order of placements, so that
most pairs are tried in one order only:

    bucket of a placement       0     1     2    ...  B-1
    the 2 takes the items       -     t0    t0 t1     all below its bucket
    the 5 takes the items       t0 and all further    ...  t(B-1): all from its bucket on

They clash exactly when the 5 is in an earlier bucket than the 2. A solution counts for the orbit of its 0,
and twice for each pair in different buckets, so the weighted count is the number of all solutions.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from math import prod

import numpy as np

import rekkyo as rk
from rekkyo.engines.contract import Status, row_dtype
from rekkyo.engines.cover_bitset import CoverBitset
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.packing import Packing
from rekkyo.symmetry.group import close

TWINS = (("2", "5"), ("6", "9"))
N_BUCKETS = 16


def main() -> None:
    parser = argparse.ArgumentParser(description="The ten digits, one orientation class of the 0.")
    parser.add_argument("offsets", nargs="+", choices=["mesh", "block", "half"])
    print("| offset | options | nodes | solutions | CPU s | wall clock, s |\n|---|---|---|---|---|---|")
    for offset in parser.parse_args().offsets:
        cover, weights, buckets = reduced(offset, N_BUCKETS)
        wall, cpu = time.perf_counter(), time.process_time()
        total, nodes = weighted_count(cover, weights, buckets)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(f"| {offset} | {len(cover.options)} | {nodes} | {total} | {cpu:.1f} | {wall:.1f} |", flush=True)


def reduced(offset: str, n_buckets: int) -> tuple[ExactCover, list[int], list[tuple[int, int]]]:
    """The cover to search, the weight of each option for the 0, and (pair, bucket) of each option.

    An option that belongs to no pair has the pair -1.
    """
    puzzle = rk.puzzle(f"digits --offset {offset}")
    model = puzzle.model
    assert isinstance(model, Packing)
    full = model.cover()
    images = close(model.row_shape, puzzle.generators).elements
    least = images.min(axis=0)
    orbit_sizes = Counter(least.tolist())
    n_items = len(full.primary) + len(full.secondary)
    seen: Counter[str] = Counter()
    totals = Counter(placement.piece for placement in model.placements())
    options, weights, buckets = [], [], []
    for number, (piece, _) in enumerate(model.placements()):
        bucket = seen[piece] * n_buckets // totals[piece]
        seen[piece] += 1
        if piece == "0" and least[number] != number:
            continue
        pair = next((index for index, twins in enumerate(TWINS) if piece in twins), -1)
        order: list[tuple[int, int]] = []
        if pair >= 0:
            is_first = piece == TWINS[pair][0]
            taken = range(bucket) if is_first else range(bucket, n_buckets)
            order = [(n_items + pair * n_buckets + threshold, 0) for threshold in taken]
        options.append((*full.options[number], *order))
        weights.append(orbit_sizes[number] if piece == "0" else 1)
        buckets.append((pair, bucket))
    thresholds = tuple(f"t{pair}.{bucket}" for pair in range(len(TWINS)) for bucket in range(n_buckets))
    cover = ExactCover(full.primary, full.secondary + thresholds, tuple(options), full.bounds)
    return cover, weights, buckets


def weighted_count(cover: ExactCover, weights: list[int], buckets: list[tuple[int, int]]) -> tuple[int, int]:
    engine = CoverBitset()
    engine.compile(cover)
    plan = engine.plan(cover)
    shape = cover.row_shape
    out = np.empty((1024, shape.length), dtype=row_dtype(shape.n_symbols))
    total = nodes = 0
    for shard in engine.split(plan, 1):
        cursor = engine.start(plan, shard)
        status = Status.OUT_OF_BUDGET
        while status is not Status.DONE:
            status, found, tried = engine.advance(plan, cursor, out, 1 << 24)
            total += sum(weight(row, weights, buckets) for row in out[:found].tolist())
            nodes += tried
    return total, nodes


def weight(row: list[int], weights: list[int], buckets: list[tuple[int, int]]) -> int:
    chosen = [option for option in row if option < len(weights)]
    of_pairs = Counter(buckets[option] for option in chosen if buckets[option][0] >= 0)
    n_apart = sum(times == 1 for times in of_pairs.values()) // 2
    return prod(weights[option] for option in chosen) * 2**n_apart


if __name__ == "__main__":
    main()
