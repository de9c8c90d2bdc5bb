"""How many instructions each kernel takes, against a saved baseline: a slower kernel shows on a busy machine.

    python benchmarks/instructions [--save] [--only WORD ...] [--most PERCENT] [--cache FOLDER]

Needs valgrind and an x86-64 processor. Kernels are compiled for one plain kind of processor (x86-64-v3) into
a folder of their own, then small searches run under callgrind, which counts nothing but them. Two runs
differ by 0.12 % at most. Compares with `benchmarks/results/instructions.json` and ends with
exit code 1 where a case is more than 2 % above it, has other solutions, or is on one side only. `--save`
writes that file instead.

Not `perf stat`: where it answers, it counts something else (a copy of memory is one instruction to it and
many to valgrind), so that one baseline cannot serve both; and in containers it often does not answer. What
instructions cannot show is what they wait for: memory, mispredicted branches, wider vectors than 256 bits.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

from compare import Measurement, compared, table, totals

HERE = Path(__file__).parent
BASELINE = HERE.parent / "results" / "instructions.json"
PROCESSOR = "x86-64-v3"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--save", action="store_true", help="make this the baseline")
    parser.add_argument("--only", nargs="+", default=[], help="only cases with one of these in their name")
    parser.add_argument("--most", type=float, default=2.0, help="percent more that are not a regression")
    folder = Path(tempfile.gettempdir()) / "rekkyo-instructions"
    parser.add_argument("--cache", type=Path, default=folder, help="where compiled kernels are kept")
    arguments = parser.parse_args()
    names = chosen(arguments.only)
    problem = refusal() if names else f"no case has {' or '.join(arguments.only)} in its name"
    if problem:
        print(problem, file=sys.stderr)
        return 2
    found = measure(names, arguments.cache)
    saved = json.loads(BASELINE.read_text(encoding="utf-8")) if BASELINE.exists() else None
    if arguments.save:
        save(found, saved if arguments.only else None)
        print(table(found))
        return 0
    print(table(found, saved))
    if saved is None:
        print(f"there is no baseline {BASELINE}; make one with --save", file=sys.stderr)
        return 1
    verdict = compared(saved, found, arguments.most, is_part=bool(arguments.only))
    print("\n".join([*verdict.told, *verdict.wrong]) or f"Nothing differs by more than {arguments.most:g} %.")
    return 1 if verdict.wrong else 0


def refusal() -> str | None:
    """Why nothing can be counted here, and what helps."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return f"callgrind is asked in x86-64 machine code; this is {platform.machine()}"
    if shutil.which("valgrind") is None:
        return "valgrind is missing; on Debian: apt-get install valgrind"
    return None


def chosen(words: list[str]) -> list[str]:
    from cases import CASES

    return [case.name for case in CASES if not words or any(word in case.name for word in words)]


def measure(names: list[str], cache: Path) -> Measurement:
    surroundings = {
        **os.environ,
        "REKKYO_CACHE_DIR": str(cache),
        "NUMBA_CPU_NAME": PROCESSOR,
        "NUMBA_CPU_FEATURES": "",
        "PYTHONHASHSEED": "0",
        # Otherwise it moves, and whether memory comes cleared depends on the cases before: 0.9 % of a plan.
        "MALLOC_MMAP_THRESHOLD_": "65536",
    }
    command = [sys.executable, str(HERE / "counted.py"), *names]
    print("compiling what is not compiled yet", file=sys.stderr, flush=True)
    plain = answers(command, surroundings)
    print("counting", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as dumps:
        callgrind = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "-q"]
        callgrind.append(f"--callgrind-out-file={dumps}/dump")
        answered = answers(callgrind + command, surroundings)
        counts = dict(totals(path.read_text(encoding="utf-8")) for path in Path(dumps).glob("dump.*"))
    if answered != plain:
        raise SystemExit("under valgrind the kernels found something else")
    cases = {name: answered[name] | {"instructions": counts[name]} for name in names}
    return {"made_with": made_with(), "cases": cases}


def answers(command: list[str], surroundings: dict[str, str]) -> dict[str, dict[str, Any]]:
    done = subprocess.run(command, env=surroundings, stdout=subprocess.PIPE, text=True, check=True)
    lines = map(json.loads, done.stdout.splitlines())
    return {line["name"]: {"solutions": line["solutions"], "nodes": line["nodes"]} for line in lines}


def made_with() -> dict[str, str]:
    told = subprocess.run(["valgrind", "--version"], capture_output=True, text=True, check=True).stdout
    return {
        "processor": PROCESSOR,
        "python": platform.python_version(),
        "numba": version("numba"),
        "llvmlite": version("llvmlite"),
        "numpy": version("numpy"),
        "valgrind": told.strip().removeprefix("valgrind-"),
    }


def save(found: Measurement, other: Measurement | None) -> None:
    """Write the baseline; of the cases that were not measured `other` is kept."""
    cases = (other["cases"] if other else {}) | found["cases"]
    merged = found | {"cases": {name: cases[name] for name in chosen([]) if name in cases}}
    BASELINE.parent.mkdir(exist_ok=True)
    BASELINE.write_text(json.dumps(merged, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
