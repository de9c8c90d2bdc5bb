"""The table, made of saved results alone."""

from __future__ import annotations

import statistics
from typing import Any

OURS = "rekkyo"
PEERS = ("Gecode", "CP-SAT", "Choco")

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
        for one, other in (("unique", "orbits"), ("csp", "csp-plain")):
            if None not in (checks.get(one), checks.get(other)) and checks[one] != checks[other]:
                lines.append(f"{row['model']}: {one} {checks[one]}, {other} {checks[other]}")
    return lines


def ratio(row: Row, seconds: str, limit_s: int) -> tuple[float, str] | None:
    """The fastest peer over ours, and its name; where ours is over the limit, no more than this."""
    answer = row["answers"].get(OURS, {})
    ours = answer.get(seconds, limit_s if "over_limit" in answer else None)
    found = [
        (row["answers"][name][seconds], name) for name in PEERS if seconds in row["answers"].get(name, {})
    ]
    return (min(found)[0] / ours, min(found)[1]) if ours and found else None


def table(result: dict[str, Any]) -> str:
    lines = ["| model | solutions | unique | ours | " + " | ".join(PEERS) + " | fastest / ours | whole |"]
    lines.append("|---|" + "---:|" * (len(PEERS) + 3) + "---|---|")
    for row in result["rows"]:
        found = row["answers"]
        cells = [cell(found.get(name, {}), result["limit_s"]) for name in (OURS, *PEERS)]
        best = ratio(row, "search_s", result["limit_s"])
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
        ratios = sorted(best[0] for row in result["rows"] if (best := ratio(row, seconds, result["limit_s"])))
        if ratios:
            told.append(
                f"{what}: median {shown(statistics.median(ratios))}, least {shown(ratios[0])},"
                f" {sum(r < 0.8 for r in ratios)} of {len(ratios)} below 0.8"
            )
    return "Fastest peer over ours. " + "; ".join(told).capitalize() + "."


def cell(answer: dict[str, Any], limit_s: int) -> str:
    if "search_s" in answer:
        return f"{answer['search_s']:.3f}"
    return f"> {limit_s}" if "over_limit" in answer else "failed" if "failed" in answer else "-"


def shown(number: float) -> str:
    return f"{number:.0f}" if number >= 20 else f"{number:.1f}" if number >= 1 else f"{number:.2g}"
