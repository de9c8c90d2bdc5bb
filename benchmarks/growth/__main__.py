"""Time and nodes of a count against size, for every family of the catalog, with one worker and with two.

    python benchmarks/growth [--limit SECONDS] [--only FAMILY ...]

Every family is counted in a process of its own, from small to large, until one count takes more than the
limit. A first count of each puzzle compiles and loads; then medians of five where a count takes less than
0.1 s, of three up to the limit, one beyond. Compares the counts of one worker and two, and with what was
published, and ends with exit code 1 where they differ. Saves `benchmarks/results/growth.json` and `.svg`, and
writes the table and the sentences of `docs/growth.md`. On two quiet cores it takes some five minutes.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from picture import drawing
from report import disagreements, sentences, table

HERE = Path(__file__).parent
DATA = HERE.parent / "results" / "growth.json"
PAGE = HERE.parent.parent / "docs" / "growth.md"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--limit", type=float, default=2.0, help="seconds after which a family ends")
    parser.add_argument(
        "--only", nargs="*", default=[], help="only these; of the others the saved results stay"
    )
    arguments = parser.parse_args()
    result = measure(arguments.limit, arguments.only)
    print(table(result))
    wrong = disagreements(result)
    failed = [family["family"] for family in result["families"] if family["ended"] == "failed"]
    print("\n".join([*wrong, *(f"{name}: FAILED" for name in failed)]) or "All counts agree.")
    return 1 if wrong or failed else 0


def measure(limit: float, only: list[str]) -> dict[str, Any]:
    """Measures, and saves after every family."""
    from series import SERIES

    sys.path.append(str(HERE.parent))
    from machine import machine

    unknown = set(only) - {series.family for series in SERIES}
    if unknown:
        raise SystemExit(f"no such family: {', '.join(sorted(unknown))}")
    saved = json.loads(DATA.read_text(encoding="utf-8"))["families"] if only else []
    families = {family["family"]: family for family in saved}
    result: dict[str, Any] = {
        "machine": machine(),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "versions": {
            "rekkyo": version("rekkyo"),
            "python": platform.python_version(),
            "numba": version("numba"),
            "numpy": version("numpy"),
        },
        "limit_s": limit,
        "families": [],
    }
    for series in SERIES:
        if only and series.family not in only:
            continue
        steps, ended = counted(series.family, limit)
        facts = {"family": series.family, "axis": series.axis, "grows": series.grows}
        families[series.family] = {**facts, "ended": ended, "steps": steps}
        result["families"] = [families[other.family] for other in SERIES if other.family in families]
        print(series.family, steps[-1]["label"] if steps else "-", ended, file=sys.stderr, flush=True)
        save(result)
    return result


def counted(family: str, limit: float) -> tuple[list[dict[str, Any]], str]:
    """The steps of a family, and why they end."""
    command = [sys.executable, str(HERE / "one.py"), family, str(limit)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    steps = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode:
        return steps, "failed"
    if steps and "given_up" in steps[-1]:
        return steps[:-1], steps[-1]["given_up"]
    return steps, "above the limit" if steps[-1]["one"]["wall_s"] > limit else "no more sizes"


def save(result: dict[str, Any]) -> None:
    DATA.parent.mkdir(exist_ok=True)
    DATA.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    DATA.with_suffix(".svg").write_text(drawing(result), encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    for name, text in (("table", table(result)), ("sentences", sentences(result))):
        begin, end = f"<!-- {name} of benchmarks/growth -->\n", f"<!-- end of {name} -->"
        before, _, rest = page.partition(begin)
        page = before + begin + text + end + rest.partition(end)[2]
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
