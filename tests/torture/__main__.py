"""Cases from a random seed until some minutes are over: python -m tests.torture MINUTES

or one case again: python -m tests.torture --seed S --case K --only KIND. Kinds: kills (processes of runs, on a
full disk and with little memory too), changes (of every file of a run, of a certificate and of the kernel
cache), readers (puzzle files and exported solutions), dask (workers and schedulers; only when asked for).
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

os.environ.setdefault("REKKYO_QUIET", "1")


def main() -> int:
    """Exit code 1 when a case failed."""
    from tests.torture import changes, dask, kills, readers

    kinds = {"changes": changes.case, "kills": kills.case, "readers": readers.case, "dask": dask.case}
    shares = {"changes": 6, "kills": 1, "readers": 12}
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("minutes", nargs="?", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    parser.add_argument("--only", choices=kinds)
    parser.add_argument("--case", type=int, help="this one alone; needs --only")
    asked = parser.parse_args()
    print(f"seed {asked.seed}", flush=True)
    turns = [asked.only] if asked.only else [kind for kind, share in shares.items() for _ in range(share)]
    ends = time.monotonic() + 60 * asked.minutes
    done: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    n_failures = 0
    with tempfile.TemporaryDirectory(prefix="rekkyo-torture-") as place:
        for turn in itertools.cycle(turns):
            number = done[turn] if asked.case is None else asked.case
            done[turn] += 1
            folder = Path(place) / turn
            folder.mkdir(exist_ok=True)
            try:
                seen[f"{turn}: {kinds[turn](random.Random(f'{asked.seed} {turn} {number}'), folder)}"] += 1
            except Exception:
                n_failures += 1
                again = f"python -m tests.torture --seed {asked.seed} --only {turn} --case {number}"
                print(f"\n{again}\n{traceback.format_exc()}", flush=True)
            if asked.case is not None or time.monotonic() > ends:
                break
            if turn == "dask":  # a case takes half a minute
                print(f"{done[turn]} cases, {n_failures} failures", flush=True)
    for what, number in sorted(seen.items()):
        print(f"{number:6} {what}")
    print(
        f"{sum(done.values())} cases ({', '.join(f'{n} {kind}' for kind, n in done.items())}), {n_failures} failures"
    )
    return 1 if n_failures else 0


if __name__ == "__main__":
    sys.exit(main())
