"""The table of the page, made of saved results alone."""

from __future__ import annotations

from typing import Any

OURS = "rekkyo"
BEGIN, END = "<!-- table of benchmarks/held_out -->\n", "<!-- end of table -->"

Row = dict[str, Any]


def counts(row: Row) -> set[str]:
    return {answer["count"] for answer in row["answers"].values() if "count" in answer}


def disagreements(result: dict[str, Any]) -> list[str]:
    """A line for each question with two different counts, and for each that we failed to answer."""
    lines = []
    for row in result["rows"]:
        if len(counts(row)) > 1:
            lines.append(f"{row['question']}: DIFFERENT COUNTS {sorted(counts(row))}")
        if "failed" in row["answers"][OURS]:
            lines.append(f"{row['question']}: {OURS} failed, {row['answers'][OURS]['failed']}")
    return lines


def peers_of(row: Row) -> list[tuple[float, str]]:
    """CPU seconds and name of those that finished, the fastest first."""
    answers = row["answers"].items()
    return sorted((answer["cpu_s"], name) for name, answer in answers if name != OURS and "cpu_s" in answer)


def ratio(row: Row, limit_s: int) -> tuple[float, bool] | None:
    """The best peer over ours, and whether it is known to be more, because no peer ended in time."""
    answers, peers = row["answers"], peers_of(row)
    if "cpu_s" not in answers[OURS]:
        return None
    if peers:
        return peers[0][0] / answers[OURS]["cpu_s"], False
    if any("over_limit" in answer for answer in answers.values()):
        return limit_s / answers[OURS]["cpu_s"], True
    return None


def is_met(row: Row, limit_s: int) -> bool:
    ours, found = row["answers"][OURS].get("cpu_s"), ratio(row, limit_s)
    if row["in_us"]:
        return ours is not None and ours * 1e6 <= row["bar"]
    return found is not None and found[0] >= row["bar"]


def losses(result: dict[str, Any]) -> list[str]:
    """The questions that a peer answers faster, or answers alone."""

    def is_lost(row: Row) -> bool:
        peers, ours = peers_of(row), row["answers"][OURS].get("cpu_s")
        return bool(peers) and (ours is None or peers[0][0] < ours)

    return [row["question"] for row in result["rows"] if is_lost(row)]


def table(result: dict[str, Any]) -> str:
    lines = ["| work | solutions | ours | peers | best peer / ours | bar | met |"]
    lines.append("|---|---:|---:|---|---:|---:|---|")
    for row in result["rows"]:
        peers = [f"{name} {shown_s(seconds)}" for seconds, name in peers_of(row)]
        over = [name for name, answer in row["answers"].items() if name != OURS and "over_limit" in answer]
        peers += [f"{name} > {result['limit_s']} s" for name in over]
        peers += [f"{name} failed" for name, answer in row["answers"].items() if "failed" in answer]
        found, ours = ratio(row, result["limit_s"]), row["answers"][OURS].get("cpu_s")
        told = f"{'> ' if found[1] else ''}{shown(found[0])}" if found else "-"
        mine = shown_s(ours) if ours else "-"
        if "over_limit" in row["answers"][OURS]:
            mine = f"> {result['limit_s']} s"
        is_enough = "yes" if is_met(row, result["limit_s"]) else "no"
        number = " or ".join(f"{int(total):,}" for total in sorted(counts(row)))
        bar = f"{row['bar']:g} µs" if row["in_us"] else f"{row['bar']:g}"
        lines.append(
            f"| {row['question']} | {number} | {mine} | {', '.join(peers) or '-'} |"
            f" {told} | {bar} | {is_enough} |"
        )
    n_met = sum(is_met(row, result["limit_s"]) for row in result["rows"])
    summary = f"{n_met} of {len(result['rows'])} bars are met."
    if losses(result):
        summary += f" A peer is faster: {'; '.join(losses(result))}."
    return "\n".join([*lines, "", summary, ""])


def shown_s(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} µs" if seconds < 1e-4 else f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.3g} ms" if seconds < 0.9995 else f"{seconds:.2f} s"


def shown(number: float) -> str:
    return f"{number:.0f}" if number >= 20 else f"{number:.1f}" if number >= 1 else f"{number:.2g}"
