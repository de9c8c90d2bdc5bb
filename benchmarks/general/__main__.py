"""Puzzles of CSPLib and of forums as MiniZinc models, counted by rekkyo, Gecode, CP-SAT and Choco.

    python benchmarks/general [--env FOLDER] [--limit CPU_SECONDS] [--only MODEL ...] [--solver NAME ...]
                              [--no-checks] [--no-install] [--only-missing]

The models are in `models/`. MiniZinc flattens each with rekkyo's library; CP-SAT and Choco get what rekkyo
reads, constraint by constraint, and Gecode FlatZinc of its own library. Every solver runs alone in a process,
one worker, all solutions; CPU seconds of the search and of the whole process. Checks: all totals are equal,
`unique` is as many orbits, and all digests are equal that end in time, of ways that share no search code.
Needs `minizinc` with Gecode, which pip cannot install. Saves `benchmarks/results/general.json` after every
model, prints a table, and ends with exit code 1 where something differs.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from report import OURS, PEERS, checked, table, wrong

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent))
from environment import add_options, python_of, run_inside  # noqa: E402

MODELS = HERE / "models"
SAVED = HERE.parent / "results" / "general.json"
PACKAGES = ("ortools==9.15.6755", "pychoco==0.4.0")
OVER = (-signal.SIGXCPU, -signal.SIGKILL)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_options(parser)
    parser.add_argument("--limit", type=int, default=60, help="CPU seconds for one solver on one model")
    parser.add_argument("--only", nargs="*", default=[], help="only these models; the others stay as saved")
    parser.add_argument("--solver", nargs="*", default=[OURS, *PEERS], help="only these; the others stay")
    parser.add_argument(
        "--only-missing", action="store_true", help="only what has no answer yet, such as with a higher limit"
    )
    parser.add_argument("--no-checks", action="store_true", help="compare totals only")
    arguments = parser.parse_args()
    code = run_inside(HERE, arguments, PACKAGES)
    if code is not None:
        return code
    from machine import machine

    saved = json.loads(SAVED.read_text(encoding="utf-8")) if SAVED.exists() else {"rows": []}
    rows = {row["model"]: row for row in saved["rows"]}
    models = sorted(MODELS.glob("*.mzn"))
    result = {
        "machine": {**machine(), "python": platform.python_version()},
        "packages": list(PACKAGES),
    }
    for model in models:
        if arguments.only and model.stem not in arguments.only:
            continue
        row = rows.setdefault(model.stem, {"model": model.stem, "answers": {}})
        with tempfile.TemporaryDirectory() as folder:
            measuring = Measuring(python_of(arguments), arguments.limit, model, Path(folder))
            for solver in arguments.solver:
                if not (arguments.only_missing and "total" in row["answers"].get(solver, {})):
                    row["answers"][solver] = measuring.answer(solver)
            if not arguments.no_checks:
                known = row.get("checks", {}) if arguments.only_missing else {}
                row["checks"] = measuring.checks(known)
        print(table(result | {"rows": [row]}), file=sys.stderr, flush=True)
        result["rows"] = [rows[other.stem] for other in models if other.stem in rows]
        SAVED.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    result["rows"] = [rows[model.stem] for model in models if model.stem in rows]
    print(table(result))
    problems = wrong(result)
    print(checked(result))
    print("\n".join(problems) or "All totals, orbits and digests agree.")
    return 1 if problems else 0


class Measuring:
    """Every solver on one model, each in a process with a limit."""

    def __init__(self, python: Path, limit: int, model: Path, folder: Path) -> None:
        from flattening import for_gecode, for_rekkyo

        self._python = str(python)
        self._limit = limit
        self._ours, self._gecode = for_rekkyo(model, folder), for_gecode(model, folder)
        self._said = folder / "said"

    def answer(self, solver: str) -> dict[str, Any]:
        """total, search_s and whole_s; or over_limit, or failed and why."""
        if solver == "Gecode":
            answer = self._run(["fzn-gecode", "-a", str(self._gecode)])
            if "whole_s" in answer:
                answer |= {"total": self._said.read_bytes().count(b"-" * 10), "search_s": answer["whole_s"]}
            return answer
        answer = self._run([self._python, str(HERE / "one.py"), solver, str(self._ours)])
        if "whole_s" in answer:
            answer |= json.loads(self._said.read_text(encoding="utf-8").splitlines()[-1])
        if solver == OURS and "whole_s" in answer:
            command = ["-m", "rekkyo", "count", str(self._ours), "--workers", "1", "--up-to", "none"]
            answer |= self._run([self._python, *command])
        return answer

    def checks(self, known: dict[str, str | None]) -> dict[str, str | None]:
        """The answer to each check; None if it took too long or does not apply. known: answers to keep."""
        from checks import QUESTIONS

        found: dict[str, str | None] = {}
        for question in QUESTIONS:
            found[question] = known.get(question)
            if found[question] is None:
                answer = self._run([self._python, str(HERE / "checks.py"), str(self._ours), question])
                found[question] = None if "whole_s" not in answer else self._said.read_text().strip()
        return found

    def _run(self, command: list[str]) -> dict[str, Any]:
        """CPU seconds of a process. What it says is in a file: Gecode writes a line for each solution."""
        alone = {**os.environ, "OMP_NUM_THREADS": "1", "REKKYO_PLAIN": "off"}

        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_CPU, (self._limit, self._limit + 1))

        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with self._said.open("wb") as said:
            done = subprocess.run(
                command, stdout=said, stderr=subprocess.PIPE, check=False, env=alone, preexec_fn=limit
            )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode in OVER:
            return {"over_limit": self._limit}
        if done.returncode:
            problem = done.stderr.decode(errors="replace").strip().splitlines() or ["?"]
            print(f"{' '.join(command)}: {problem[-1]}", file=sys.stderr)
            return {"failed": problem[-1][-200:]}
        return {"whole_s": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime}


if __name__ == "__main__":
    sys.exit(main())
