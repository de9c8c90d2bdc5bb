"""The table, made of saved results alone."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from typing import Any

OURS = "rekkyo"
PEERS = ("Gecode", "CP-SAT", "Choco")
DIGESTS = ("csp", "csp-cover", "csp-plain", "diagram")
"""Ways to a digest; see `checks.py`."""

Row = dict[str, Any]


def totals(row: Row) -> set[int]:
    return {answer["total"] for answer in row["answers"].values() if "total" in answer}


def wrong(result: dict[str, Any]) -> list[str]:
    """A line for each model with two totals, two digests, or orbits that are not as many as `unique`."""
    lines = []
    for row in result["rows"]:
        checks = row.get("checks", {})
        if len(totals(row)) > 1:
            lines.append(f"{row['model']}: DIFFERENT TOTALS {sorted(totals(row))}")
        for questions in (("unique", "orbits"), DIGESTS):
            if len(set(answers_to(row, questions))) > 1:
                each = ", ".join(f"{question} {checks.get(question)}" for question in questions)
                lines.append(f"{row['model']}: {each}")
    return lines


def answers_to(row: Row, questions: Iterable[str]) -> list[str]:
    """The answers to checks that ended in time."""
    checks = row.get("checks", {})
    return [checks[question] for question in questions if checks.get(question) is not None]


def checked(result: dict[str, Any]) -> str:
    """How many models were checked in each way."""
    rows = result["rows"]
    numbers = {
        "totals by two solvers": sum(
            len([a for a in row["answers"].values() if "total" in a]) > 1 for row in rows
        ),
        "totals by Gecode and CP-SAT": sum(
            all("total" in row["answers"].get(name, {}) for name in ("Gecode", "CP-SAT")) for row in rows
        ),
        "orbits": sum(len(answers_to(row, ("unique", "orbits"))) > 1 for row in rows),
        "digests in two ways": sum(len(answers_to(row, DIGESTS)) > 1 for row in rows),
    }
    return f"Checks of {len(rows)} models: {', '.join(f'{what} {n}' for what, n in numbers.items())}."


def ratio(row: Row, seconds: str) -> tuple[float, str] | None:
    """The fastest peer over ours, and its name; where ours is over the limit, no more than this."""
    answer = row["answers"].get(OURS, {})
    ours = answer.get(seconds, answer.get("over_limit"))
    found = [
        (row["answers"][name][seconds], name) for name in PEERS if seconds in row["answers"].get(name, {})
    ]
    return (min(found)[0] / ours, min(found)[1]) if ours and found else None


def table(result: dict[str, Any]) -> str:
    lines = ["| model | solutions | unique | ours | " + " | ".join(PEERS) + " | fastest / ours | whole |"]
    lines.append("|---|" + "---:|" * (len(PEERS) + 3) + "---|---|")
    for row in result["rows"]:
        found = row["answers"]
        cells = [cell(found.get(name, {})) for name in (OURS, *PEERS)]
        best = ratio(row, "search_s")
        is_bound = "< " if "over_limit" in found.get(OURS, {}) else ""
        told = f"{is_bound}{shown(best[0])} ({best[1]})" if best else "-"
        unique = row.get("checks", {}).get("unique") or "-"
        number = " or ".join(f"{total:,}" for total in sorted(totals(row)))
        whole = " / ".join(
            f"{found[n]['whole_s']:.2f}" if "whole_s" in found.get(n, {}) else "-" for n in (OURS, *PEERS)
        )
        lines.append(
            f"| {row['model']} | {number} | {unique} | " + " | ".join(cells) + f" | {told} | {whole} |"
        )
    return "\n".join([*lines, "", summary(result)]) + "\n"


def summary(result: dict[str, Any]) -> str:
    told = []
    for seconds, what in (("search_s", "search"), ("whole_s", "whole process")):
        ratios = sorted(best[0] for row in result["rows"] if (best := ratio(row, seconds)))
        if ratios:
            told.append(
                f"{what}: median {shown(statistics.median(ratios))}, least {shown(ratios[0])},"
                f" {sum(r < 0.8 for r in ratios)} of {len(ratios)} below 0.8"
            )
    return "Fastest peer over ours. " + "; ".join(told).capitalize() + "."


def cell(answer: dict[str, Any]) -> str:
    if "search_s" in answer:
        return f"{answer['search_s']:.3f}"
    return f"> {answer['over_limit']}" if "over_limit" in answer else "failed" if "failed" in answer else "-"


def shown(number: float) -> str:
    return f"{number:.0f}" if number >= 20 else f"{number:.1f}" if number >= 1 else f"{number:.2g}"
