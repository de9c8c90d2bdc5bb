"""How much longer a count takes than by the best engine: the regret of the choice.

    python benchmarks/choice [--least SECONDS] [--most SECONDS] [--only TEXT]

Every model of the corpus is counted as a user would, without a word about engines or symmetry, and then by
every engine that accepts it, which is stopped when it has taken longer than the best so far. CPU seconds of
one worker; medians of three below 0.3 s. Where the chosen engine is not the best one, both are measured again
in turn, and the least times count, because the speed of a shared machine changes. All engines are compiled
before, because the choice depends on that where compiling takes longer than the count. What was kept of
earlier questions is forgotten before every count. Models that take less than --least are left out. Saves
`benchmarks/results/choice.json` and puts the table on the page of the benchmarks. Ends with exit code 1 where
two counts differ.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Any

import rekkyo as rk
from rekkyo.engines import registry
from rekkyo.errors import EngineRefuses, GroupTooLarge
from rekkyo.model.lower import lower

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent))
from corpus import corpus  # noqa: E402

from forgetting import forget  # noqa: E402
from machine import machine  # noqa: E402
from patience import TooLong, at_most  # noqa: E402

SAVED = HERE.parent / "results" / "choice.json"
PAGE = HERE.parent / "README.md"
BEGIN, END = "<!-- table of benchmarks/choice -->\n", "<!-- end of the table of choice -->"
N_WORST = 12
ALIKE, N_AGAIN = 1.15, 3
"""Times that differ by a larger factor are measured so many times again."""

NEVER_CHOSEN = ("csp-plain", "csp-values", "cover-diagram", "csp-diagram")
"""Second ways and lists in another order, which are not meant to be fast."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--least", type=float, default=0.002, help="CPU seconds below which a model is left out"
    )
    parser.add_argument(
        "--most", type=float, default=20.0, help="CPU seconds above which a model is left out"
    )
    parser.add_argument("--only", default="", help="models with this text in their name; nothing is saved")
    arguments = parser.parse_args()
    models = list(corpus())
    rows, wrong = [], []
    for name, puzzle in models:
        if arguments.only in name:
            row = compared(puzzle, arguments.least, arguments.most)
            if row is None:
                continue
            rows.append({"model": name, **row})
            wrong += [name] if row["totals"] > 1 else []
            print(line(rows[-1]), flush=True)
    result = {"machine": machine(), "rows": rows}
    print(summary(rows))
    if not arguments.only:
        SAVED.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        page = PAGE.read_text(encoding="utf-8")
        before, after = page[: page.index(BEGIN)], page[page.index(END) :]
        PAGE.write_text(before + BEGIN + table(rows) + after, encoding="utf-8")
    print("\n".join(f"{name}: two engines differ" for name in wrong) or "All counts agree.")
    return 1 if wrong else 0


def compared(puzzle: rk.Puzzle, least_s: float, most_s: float) -> dict[str, Any] | None:
    """The chosen engine beside all others; None for a model that is left out."""
    model = lower(puzzle.model)
    engines = [engine for engine in registry.engines_for(model) if engine.name not in NEVER_CHOSEN]
    for engine in engines:
        with suppress(EngineRefuses):
            engine.compile(model)
    chosen = measured(puzzle, None, most_s)
    if chosen is None or chosen[0] < least_s:
        return None
    seconds, found = chosen
    answers, totals = {}, {found.total}
    best_s = seconds
    for engine in engines:
        other = measured(puzzle, engine.name, max(1.2 * best_s, 0.05))
        if other is not None:
            answers[engine.name] = other[0]
            totals.add(other[1].total)
            best_s = min(best_s, other[0])
    best = min(answers, key=answers.__getitem__, default=found.engine)
    if seconds > ALIKE * best_s:
        again = measured_in_turn(puzzle, (None, best), most_s)
        seconds, best_s = min(seconds, again[0]), min(best_s, again[1])
        answers[best] = best_s
    return {
        "chosen": found.engine,
        "seconds": seconds,
        "best": best if answers.get(best, seconds) < seconds else found.engine,
        "best_s": best_s,
        "regret": seconds / best_s,
        "engines": answers,
        "totals": len(totals),
    }


def measured_in_turn(puzzle: rk.Puzzle, engines: tuple[str | None, ...], most_s: float) -> list[float]:
    """The least CPU seconds of each engine in N_AGAIN rounds."""
    least_s = [inf] * len(engines)
    for _ in range(N_AGAIN):
        for place, engine in enumerate(engines):
            answer = measured(puzzle, engine, most_s)
            if answer is not None:
                least_s[place] = min(least_s[place], answer[0])
    return least_s


def measured(puzzle: rk.Puzzle, engine: str | None, most_s: float) -> tuple[float, rk.Count] | None:
    """CPU seconds and the count; None when it takes longer or is refused."""
    try:
        with at_most(most_s if engine else 60 + most_s):
            found = rk.count(puzzle, engine=engine, up_to="none", workers=1)
    except (TooLong, EngineRefuses, GroupTooLarge, MemoryError):
        return None
    times: list[float] = []
    while len(times) < 3:
        n_counts, started = 0, time.process_time()
        with at_most(60 + 3 * most_s):
            while time.process_time() - started < 0.05:  # the clock of some machines ticks in steps of 4 ms
                forget()
                found = rk.count(puzzle, engine=engine, up_to="none", workers=1)
                n_counts += 1
        times.append((time.process_time() - started) / n_counts)
        if times[0] > 0.3:
            break
    return statistics.median(times), found


def line(row: dict[str, Any]) -> str:
    others = ", ".join(f"{name} {seconds:.3g}" for name, seconds in row["engines"].items())
    return f"{row['regret']:5.2f}  {row['model']}: {row['chosen']} {row['seconds']:.3g} s ({others})"


def summary(rows: list[dict[str, Any]]) -> str:
    """In a sentence."""
    if not rows:
        return "No model was measured."
    regrets = sorted(row["regret"] for row in rows)
    above = sum(regret > 1.5 for regret in regrets)
    most = f"worst {regrets[-1]:.2f}; {above} are above 1.5"
    return f"{len(rows)} models: median regret {statistics.median(regrets):.2f}, {most}."


def table(rows: list[dict[str, Any]]) -> str:
    """The models with the most regret."""
    worst = sorted(rows, key=lambda row: -row["regret"])[:N_WORST]
    lines = [
        summary(rows),
        "",
        "| model | chosen | s | best | s | regret |",
        "|---|---|---:|---|---:|---:|",
        *(
            f"| {row['model']} | `{row['chosen']}` | {row['seconds']:.3g}"
            f" | `{row['best']}` | {row['best_s']:.3g} | {row['regret']:.2f} |"
            for row in worst
        ),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
