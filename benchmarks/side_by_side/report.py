"""Tables and the drawing, made of saved results alone."""

from __future__ import annotations

import math
from html import escape
from typing import Any

LEFT, WIDTH, STEP, TOP, RIGHT = 190, 400, 26, 46, 190
LIGHT = {
    "paper": "fill:#fff",
    "ink": "fill:#1b1b1b",
    "faint": "fill:#6d675e",
    "grid": "stroke:#d9cfbd",
    "one": "stroke:#1b1b1b",
    "won": "fill:#0072B2",
    "lost": "fill:#D55E00",
    "peer": "stroke:#6d675e",
}
DARK = {
    "paper": "fill:#16181c",
    "ink": "fill:#f2f2f2",
    "faint": "fill:#a3a8b0",
    "grid": "stroke:#39404a",
    "one": "stroke:#f2f2f2",
    "won": "fill:#56B4E9",
    "lost": "fill:#E69F00",
    "peer": "stroke:#a3a8b0",
}

Row = dict[str, Any]


def disagreements(result: dict[str, Any]) -> list[str]:
    """A line for each puzzle with two different counts."""
    return [
        f"{row['puzzle']}: DIFFERENT COUNTS {sorted(counts(row))}"
        for row in result["rows"]
        if len(counts(row)) != 1
    ]


def counts(row: Row) -> set[str]:
    return {answer["count"] for answer in row["answers"].values() if "count" in answer}


def ratios(row: Row, ours: list[str]) -> dict[str, float]:
    """CPU seconds of each peer that finished over ours, the fastest first.

    against_s: ours beside a peer that was measured later than the others.
    """
    answers = row["answers"]
    if "cpu_s" not in answers[row["by"]]:
        return {}
    base = answers[row["by"]]["cpu_s"]
    found = {
        name: answer["cpu_s"] / max(answer.get("against_s", base), 1e-6)
        for name, answer in answers.items()
        if name not in ours and "cpu_s" in answer
    }
    return dict(sorted(found.items(), key=lambda pair: pair[1]))


def tables(result: dict[str, Any]) -> str:
    lines: list[str] = []
    table, names = "", []
    for row in result["rows"]:
        if row["table"] != table:
            table = row["table"]
            of_table = [other for other in result["rows"] if other["table"] == table]
            names = [
                name
                for name in row["answers"]
                if any("cannot" not in other["answers"].get(name, {"cannot": True}) for other in of_table)
            ]
            lines += ["", f"**{table}** (the last column: against `{row['by']}`)", ""]
            lines += ["| puzzle | solutions | " + " | ".join(names) + " | fastest peer / ours |"]
            lines += ["|" + "---|" * (len(names) + 3)]
        cells = [cell(row["answers"].get(name, {"cannot": True}), result["limit_s"]) for name in names]
        best = next(iter(ratios(row, result["ours"]).items()), None)
        told = f"{shown(best[1])} ({best[0]})" if best else f"none in {result['limit_s']} s"
        number = " or ".join(sorted(counts(row)))
        lines.append(f"| {row['puzzle']} | {number} | " + " | ".join(cells) + f" | {told} |")
    measured = {name for row in result["rows"] for name in row["answers"]}
    for name, needs in result["left_out"].items():
        if name not in measured:
            lines += ["", f"{name} is left out: it needs {needs}."]
    return "\n".join(lines).strip() + "\n"


def cell(answer: dict[str, Any], limit_s: int) -> str:
    if "cpu_s" in answer:
        return f"{answer['cpu_s']:.5f}"
    if "over_limit" in answer:
        return f"> {limit_s}"
    return "-" if "cannot" in answer else "failed"


def shown(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 20 else f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2g}"


def drawing(result: dict[str, Any]) -> str:
    """A bar for the fastest peer of each puzzle, a tick for each of the others; logarithmic."""
    rows = [(row, ratios(row, result["ours"])) for row in result["rows"]]
    every = [ratio for _, found in rows for ratio in found.values()]
    low = min(-1, math.floor(math.log10(min(every))))
    high = max(1, math.ceil(math.log10(max(every))))

    def x(ratio: float) -> float:
        return round(LEFT + WIDTH * (math.log10(ratio) - low) / (high - low), 1)

    bottom = TOP + STEP * len(rows)
    parts = [text(12, 20, "CPU time of other solvers, as a multiple of ours", "ink", 15)]
    for power in range(low, high + 1):
        kind = "one" if power == 0 else "grid"
        parts.append(f'<path class="{kind}" d="M{x(10**power)} {TOP - 6}V{bottom}"/>')
        parts.append(
            text(
                x(10**power),
                bottom + 16,
                f"{10**power:,}" if power >= 0 else f"{10**power:g}",
                "faint",
                11,
                "middle",
            )
        )
    for number, (row, found) in enumerate(rows):
        y = TOP + STEP * number
        parts.append(text(LEFT - 10, y + 14, row["puzzle"], "ink", 12, "end"))
        parts += [f'<path class="peer" d="M{x(ratio)} {y + 2}v15"/>' for ratio in list(found.values())[1:]]
        for name, ratio in list(found.items())[:1]:
            start, end = sorted((x(1), x(ratio)))
            kind = "won" if ratio >= 1 else "lost"
            width = round(max(end - start, 1), 1)
            parts.append(f'<rect class="{kind}" x="{start}" y="{y + 3}" width="{width}" height="13"/>')
            parts.append(text(LEFT + WIDTH + 12, y + 14, f"{shown(ratio)}  {name}", "ink", 12))
        if not found:
            words = f"no other in {result['limit_s']} s"
            parts.append(text(LEFT + WIDTH + 12, y + 14, words, "faint", 12))
    machine = result["machine"]
    explained = "Bar: the fastest peer of each puzzle, named at the right. Ticks: the others that finished."
    parts.append(text(12, bottom + 36, explained, "faint", 11))
    told = f"One worker each, {machine['cpu']}, Python {machine['python']}."
    parts.append(text(12, bottom + 52, told, "faint", 11))
    width, height = LEFT + WIDTH + RIGHT, bottom + 64
    style = rules(LIGHT) + "@media (prefers-color-scheme:dark){" + rules(DARK) + "}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rk-bench" role="img" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}"><title>CPU time of other solvers, as a multiple of ours</title>'
        f'<style>.rk-bench text{{font-family:system-ui,Helvetica,Arial,sans-serif}}{style}</style>'
        f'<rect class="paper" width="{width}" height="{height}"/>' + "\n".join(parts) + "</svg>\n"
    )  # fmt: skip


def rules(colors: dict[str, str]) -> str:
    return "".join(f".rk-bench .{name}{{{what}}}" for name, what in colors.items())


def text(x: float, y: float, words: str, kind: str, size: int, anchor: str = "start") -> str:
    where = f'x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {where}>{escape(words)}</text>'
