"""Work that no engine was tuned by, beside the best peers: how far ahead we are, and the bar for it.

    python benchmarks/held_out [--env FOLDER] [--limit CPU_SECONDS] [--only NAME ...] [--no-install]

xcover and exact-cover come from PyPI into an environment of their own, two programs of ours in C are compiled
when they are asked, and MiniZinc with Gecode is taken where the system has it. A peer that is missing is left
out, with a line on standard error. Every solver runs alone in a process, one worker, with a limit of CPU
seconds; medians of up to five rounds, without compiling, importing or building the input. Prints a table,
saves `benchmarks/results/held_out.json`, and puts the table on the page of the benchmarks. Ends with exit
code 1 where two counts differ, or where we fail.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from pathlib import Path
from typing import Any

from table import BEGIN, END, OURS, disagreements, table

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent))
from environment import add_options, answer_of, python_of, run_inside  # noqa: E402

SAVED = HERE.parent / "results" / "held_out.json"
PAGE = HERE.parent / "README.md"
PACKAGES = ("xcover==0.2.6", "exact-cover==1.5.0")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_options(parser)
    parser.add_argument("--limit", type=int, default=30, help="CPU seconds for one solver on one question")
    parser.add_argument("--only", nargs="*", default=[], help="only these rows; the others stay as saved")
    arguments = parser.parse_args()
    code = run_inside(HERE, arguments, (), PACKAGES)  # everything else is imported where the peers are
    if code is not None:
        return code
    result = measure(python_of(arguments), arguments.limit, arguments.only)
    print(table(result))
    wrong = disagreements(result)
    print("\n".join(wrong) or "All counts agree.")
    return 1 if wrong else 0


def measure(python: Path, limit: int, only: list[str]) -> dict[str, Any]:
    """Measures, and saves after every row."""
    from peers import PEERS, missing
    from questions import QUESTIONS

    from machine import machine

    unknown = {*only} - {question.name for question in QUESTIONS}
    if unknown:
        sys.exit(f"{', '.join(sorted(unknown))}: no row of {HERE.name}")
    left_out = missing()
    for name, needs in left_out.items():
        print(f"{name} is left out: it needs {needs}.", file=sys.stderr)
    saved: dict[str, Any] = {"limit_s": limit, "rows": []}
    if only:
        saved = json.loads(SAVED.read_text(encoding="utf-8"))
    if saved["limit_s"] != limit:
        sys.exit(f"the saved results are for --limit {saved['limit_s']}: measure all again, or take it")
    rows = {row["question"]: row for row in saved["rows"]}
    result: dict[str, Any] = {
        "machine": {**machine(), "python": platform.python_version()},
        "packages": list(PACKAGES),
        "left_out": left_out,
        "limit_s": limit,
        "rows": [],
    }
    for question in QUESTIONS:
        if only and question.name not in only:
            continue
        answers = {
            solver: answer(python, solver, question.name, limit)
            for solver in (OURS, *PEERS)
            if solver not in left_out
        }
        row = {
            "question": question.name,
            "bar": question.bar,
            "in_us": question.in_us,
            "answers": {solver: told for solver, told in answers.items() if "cannot" not in told},
        }
        print(table(result | {"rows": [row]}), file=sys.stderr, flush=True)
        rows[question.name] = row
        result["rows"] = [rows[other.name] for other in QUESTIONS if other.name in rows]
        SAVED.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    before, after = page[: page.index(BEGIN)], page[page.index(BEGIN) :]
    PAGE.write_text(before + BEGIN + table(result) + after[after.index(END) :], encoding="utf-8")
    return result


def answer(python: Path, solver: str, name: str, limit: int) -> dict[str, Any]:
    command = [str(python), str(HERE / "alone.py"), solver, name, str(limit)]
    return answer_of(command, REKKYO_QUIET="1")


if __name__ == "__main__":
    sys.exit(main())
