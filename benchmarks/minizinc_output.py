"""What MiniZinc counts: all solutions of 8 queens, with three different `output` items.

    apt-get install minizinc
    python benchmarks/minizinc_output.py

`minizinc -a` shows what its `output` item prints, and each text once. Variables that are not printed and
not in the search annotation are the solver's business: Gecode looks for one value of them, not for all.
Every run ends with `==========`, "these are all".
"""

from __future__ import annotations

import re
import subprocess

MODEL = """
include "alldifferent.mzn";
array[1..8] of var 1..8: x;
constraint alldifferent(x);
constraint alldifferent([x[i] + i | i in 1..8]);
constraint alldifferent([x[i] - i | i in 1..8]);
solve satisfy;
output [{shown}];
"""


def counts(shown: str) -> tuple[bool, int, int]:
    """Whether the search is said to be complete, solutions shown, solutions that Gecode handed over."""
    done = subprocess.run(
        ["minizinc", "-a", "-s", "--solver", "gecode", "-"],
        input=MODEL.format(shown=shown),
        capture_output=True,
        text=True,
        check=True,
    )
    told = dict(re.findall(r"mzn-stat: (\w+)=(\d+)", done.stdout))
    return "\n==========" in done.stdout, int(told["nSolutions"]), int(told["solutions"])


def main() -> None:
    print("| `output` | complete | shown | from Gecode |")
    print("|---|---|---|---|")
    for shown in ("show(x)", "show(x[1])", '"found"'):
        complete, n_shown, n_handed = counts(shown)
        print(f"| `[{shown}]` | {'yes' if complete else 'no'} | {n_shown} | {n_handed} |")


if __name__ == "__main__":
    main()
