"""Cases from a random seed until some minutes are over: python -m tests.fuzz MINUTES

or one case again: python -m tests.fuzz --seed S --case K, with --shrink to look for a smaller one.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import sys
import time

os.environ.setdefault("REKKYO_POISON", "1")
os.environ.setdefault("REKKYO_QUIET", "1")


def main() -> int:
    """Exit code 1 when a case failed."""
    from tests.fuzz.cases import failure_of_case, shrunk

    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("minutes", nargs="?", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    parser.add_argument("--case", type=int, help="this one alone")
    parser.add_argument(
        "--shrink", action="store_true", help="also look for a smaller model and a simpler way"
    )
    asked = parser.parse_args()
    numbers = itertools.count() if asked.case is None else iter([asked.case])
    print(f"seed {asked.seed}", flush=True)
    ends = time.monotonic() + 60 * asked.minutes
    n_cases = n_failures = 0
    for number in numbers:
        failure = failure_of_case(asked.seed, number)
        n_cases += 1
        if failure is not None:
            n_failures += 1
            print(f"\ncase {number}: {failure}", flush=True)
            if asked.shrink:
                print(f"\nshrunk: {shrunk(failure)}", flush=True)
        if time.monotonic() > ends:
            break
    print(f"{n_cases} cases, {n_failures} failures")
    return 1 if n_failures else 0


if __name__ == "__main__":
    sys.exit(main())
