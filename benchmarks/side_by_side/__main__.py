"""rekkyo beside other people's solvers: one command installs them, runs all, compares the counts, draws.

    python benchmarks/side_by_side [--env FOLDER] [--limit CPU_SECONDS] [--only PUZZLE ...]
                                   [--solver NAME ...] [--no-install]

The peers come from PyPI, by name and version, into an environment of their own; MiniZinc is taken where the
system has it, and is left out, with a word below the tables, where not. Every solver runs alone in a
process, one worker, with a limit of CPU seconds; medians of up to five rounds, without compiling, importing
or building the input. Prints a table for each kind of model, and saves
`benchmarks/results/side_by_side.json` and `.svg`. Ends with exit code 1 where two counts differ.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from pathlib import Path
from typing import Any

from report import disagreements, drawing, tables

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent))
from environment import add_options, answer_of, python_of, run_inside  # noqa: E402

RESULTS = HERE.parent / "results"
PACKAGES = (
    "xcover==0.2.6",
    "exact-cover==1.5.0",
    "ortools==9.15.6755",
    "clingo==5.8.3",
    "python-sat==1.9.dev17",
    "python-constraint2==2.9.0",
    "cpmpy==1.1.1",
    "graphillion==2.1",
)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_options(parser)
    parser.add_argument("--limit", type=int, default=6, help="CPU seconds for one solver on one puzzle")
    parser.add_argument(
        "--only", nargs="*", default=[], help="only these puzzles; of the others the saved results stay"
    )
    parser.add_argument(
        "--solver",
        nargs="*",
        default=[],
        help="only these peers, against ours measured beside them; of the others the saved results stay",
    )
    arguments = parser.parse_args()
    code = run_inside(HERE, arguments, PACKAGES)  # everything else is imported where the peers are
    if code is not None:
        return code
    result = measure(python_of(arguments), arguments.limit, arguments.only, arguments.solver)
    print(tables(result))
    wrong = disagreements(result)
    print("\n".join(wrong) or "All counts agree.")
    return 1 if wrong else 0


def measure(python: Path, limit: int, only: list[str], some: list[str]) -> dict[str, Any]:
    """Measures, and saves after every puzzle. only: puzzles, some: peers; all where the list is empty."""
    import gecode
    from problems import PROBLEMS
    from solvers import OURS, PEERS, SOLVERS

    from machine import machine

    unknown = {*only} - {problem.words for problem in PROBLEMS} | {*some} - {*PEERS}
    if unknown:
        sys.exit(f"{', '.join(sorted(unknown))}: no puzzle or peer of {HERE.name}; peers: {', '.join(PEERS)}")
    left_out = {} if gecode.is_there() else {gecode.NAME: gecode.NEEDS}
    data = RESULTS / "side_by_side.json"
    saved = json.loads(data.read_text(encoding="utf-8")) if only or some else {"limit_s": limit, "rows": []}
    if saved["limit_s"] != limit:
        sys.exit(
            f"the saved results are for --limit {saved['limit_s']}: measure everything again, or take it"
        )
    rows = {row["puzzle"]: row for row in saved["rows"]}
    result = {
        "machine": {**machine(), "python": platform.python_version()},
        "packages": [*PACKAGES, *(gecode.versions() or saved.get("packages", [])[len(PACKAGES) :])],
        "left_out": left_out,
        "limit_s": limit,
        "ours": list(OURS),
        "rows": [],
    }
    RESULTS.mkdir(exist_ok=True)
    for problem in PROBLEMS:
        if only and problem.words not in only:
            continue
        asked = [problem.by, *some] if some else SOLVERS
        answers = {
            solver: answer(python, solver, problem.words, limit) for solver in asked if solver not in left_out
        }
        if some:
            answers = beside(rows[problem.words]["answers"], answers, problem.by)
        answers = {solver: answers[solver] for solver in SOLVERS if solver in answers}
        row = {"table": problem.table, "puzzle": problem.words, "by": problem.by, "answers": answers}
        print(tables(result | {"rows": [row]}), file=sys.stderr, flush=True)
        rows[problem.words] = row
        result["rows"] = [rows[other.words] for other in PROBLEMS if other.words in rows]
        data.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        data.with_suffix(".svg").write_text(drawing(result), encoding="utf-8")
    return result


def beside(
    saved: dict[str, dict[str, Any]], measured: dict[str, dict[str, Any]], by: str
) -> dict[str, dict[str, Any]]:
    """New answers among saved ones; each new one keeps our time of its own run, for the ratio."""
    new = {name: told for name, told in measured.items() if name != by}
    for told in new.values():
        if "cpu_s" in told:
            told["against_s"] = measured[by]["cpu_s"]
    return saved | new


def answer(python: Path, solver: str, words: str, limit: int) -> dict[str, Any]:
    command = [str(python), str(HERE / "one.py"), solver, words, str(limit)]
    return answer_of(command)


if __name__ == "__main__":
    sys.exit(main())
