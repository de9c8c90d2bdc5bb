"""What a measurement says beside a saved one. Pure: numbers in, lines out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Measurement = dict[str, Any]
"""`made_with`: versions by name; `cases`: by the name of the case `solutions`, `nodes` and `instructions`."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """wrong: lines, each a reason to end with exit code 1. told: lines that only say something."""

    wrong: tuple[str, ...]
    told: tuple[str, ...]


def compared(baseline: Measurement, found: Measurement, most_percent: float, *, is_part: bool) -> Verdict:
    """Hold what was found against the baseline. is_part: not every case was asked for."""
    wrong, told = [], []
    versions = found["made_with"]
    for name, version in baseline["made_with"].items():
        if versions.get(name) != version:
            told.append(f"the baseline was made with {name} {version}, this with {versions.get(name)}")
    for name, now in found["cases"].items():
        then = baseline["cases"].get(name)
        if then is None:
            wrong.append(f"{name}: not in the baseline; save one with --save")
            continue
        if now["solutions"] != then["solutions"]:
            wrong.append(f"{name}: {now['solutions']:,} solutions instead of {then['solutions']:,}")
        if now["nodes"] != then["nodes"]:
            told.append(f"{name}: {now['nodes']:,} nodes instead of {then['nodes']:,}")
        change = change_percent(then, now)
        if change > most_percent:
            wrong.append(f"{name}: {change:+.1f} % instructions, more than {most_percent:g} %")
        elif change < -most_percent:
            told.append(f"{name}: {change:+.1f} % instructions; save the better baseline with --save")
    if not is_part:
        gone = [name for name in baseline["cases"] if name not in found["cases"]]
        wrong += [f"{name}: in the baseline, but not measured" for name in gone]
    return Verdict(tuple(wrong), tuple(told))


def change_percent(then: dict[str, int], now: dict[str, int]) -> float:
    return 100 * (now["instructions"] - then["instructions"]) / then["instructions"]


def table(found: Measurement, baseline: Measurement | None = None) -> str:
    """A line for each case, in Markdown; with the change against a baseline if there is one."""
    more = " change |" if baseline else ""
    lines = [f"| engine | what | solutions | nodes | instructions | a node |{more}"]
    lines.append("|---|---|---|---|---|---|" + ("---|" if baseline else ""))
    for name, now in found["cases"].items():
        kind, words = name.split(": ")
        engine, what = kind.split(" ")
        each = f"{now['instructions'] / now['nodes']:,.0f}" if what != "plan" else "-"
        cells = [or_dash(now["solutions"]), or_dash(now["nodes"] if what != "plan" else 0)]
        line = f"| {engine} | {what}, {words} | {' | '.join(cells)} | {now['instructions']:,} | {each} |"
        if baseline:
            then = baseline["cases"].get(name)
            line += f" {change_percent(then, now):+.2f} % |" if then else " new |"
        lines.append(line)
    return "\n".join(lines) + "\n"


def or_dash(number: int) -> str:
    return f"{number:,}" if number else "-"


def totals(dump: str) -> tuple[str, int]:
    """The name that a dump of callgrind was made under, and how many instructions it counted."""
    name = count = None
    for line in dump.splitlines():
        if line.startswith("desc: Trigger: Client Request: "):
            name = line.removeprefix("desc: Trigger: Client Request: ")
        elif line.startswith("totals: "):
            count = int(line.removeprefix("totals: "))
    if name is None or not count:
        raise ValueError("no dump of callgrind with a name and a total")
    return name, count
