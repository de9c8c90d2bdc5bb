"""How long the symmetry of a puzzle takes to be found when nobody declares it.

    python benchmarks/own_symmetry.py [PUZZLE ...]

CPU seconds, medians of three. Whether the group is the right one is for the tests to say
(`tests/catalog/test_own_symmetry.py`).
"""

from __future__ import annotations

import sys
import time
from statistics import median

import rekkyo as rk
from rekkyo.catalog.own_symmetry import own_symmetry
from rekkyo.model.lower import lower

PUZZLES = (
    "queens 20",
    "queens 12 --toroidal",
    "pentominoes 6 10",
    "pentominoes-3d 3 4 5",
    "soma",
    "bedlam",
    "hexiamonds 6 6",
    "digits --offset block",
    "langford 12",
    "dominoes 12 12",
    "magic-square 6",
    "magic-cube 4",
    "magic-hexagon 3",
    "hip 8",
    "rectangle-free 6 6 2",
    "van-der-waerden 3 5 21",
    "schur 3 13",
    "ramsey 3 4 8",
)


def main() -> None:
    print("| puzzle | order of the group | CPU s |\n|---|---|---|")
    for words in sys.argv[1:] or PUZZLES:
        model = lower(rk.puzzle(words).model)
        own_symmetry(model)
        seconds = []
        for _ in range(3):
            started = time.process_time()
            found = own_symmetry(model)
            seconds.append(time.process_time() - started)
        print(f"| {words} | {found.order or found.trouble} | {median(seconds):.3f} |", flush=True)


if __name__ == "__main__":
    main()
