"""`python -m tests.fuzz_minizinc FIRST N`: models number FIRST to FIRST + N - 1."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.fuzz_minizinc.comparing import compared

first, n = map(int, sys.argv[1:])
outcomes: Counter[str] = Counter()
with tempfile.TemporaryDirectory() as folder:
    for seed in range(first, first + n):
        try:
            outcomes[compared(seed, Path(folder))] += 1
            if seed % 25 == 24:
                print(f"{seed + 1 - first} models:", dict(outcomes), flush=True)
        except AssertionError as difference:
            outcomes["DIFFERENT"] += 1
            print(difference, flush=True)
for outcome, times in outcomes.most_common():
    print(f"{times:6} {outcome}")
