"""The drawing, made of saved results alone: a panel for each family, and one for those with a single size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, log10
from typing import Any

COLUMNS, WIDTH, HEIGHT, HEAD = 3, 268, 266, 84
LEFT, RIGHT = 44, 218
TIME_TOP, TIME_HEIGHT = 34, 108
NODES_TOP, NODES_HEIGHT = 158, 60
MOST_LABELS = 10
LETTER = 5.6

LIGHT = {
    "paper": "fill:#fff",
    "ink": "fill:#1b1b1b",
    "faint": "fill:#6d675e",
    "grid": "stroke:#e4dccd",
    "frame": "fill:none;stroke:#b9b2a6",
    "one": "stroke:#0072B2;fill:none;stroke-width:2",
    "two": "stroke:#D55E00;fill:none;stroke-width:2;stroke-dasharray:5 3",
    "nodes": "stroke:#00805c;fill:none;stroke-width:2",
    "dot-one": "fill:#0072B2",
    "dot-two": "fill:#fff;stroke:#D55E00;stroke-width:1.5",
    "dot-nodes": "fill:#00805c",
}
DARK = {
    "paper": "fill:#16181c",
    "ink": "fill:#f2f2f2",
    "faint": "fill:#a3a8b0",
    "grid": "stroke:#2e343c",
    "frame": "fill:none;stroke:#5a616b",
    "one": "stroke:#56B4E9;fill:none;stroke-width:2",
    "two": "stroke:#E69F00;fill:none;stroke-width:2;stroke-dasharray:5 3",
    "nodes": "stroke:#3ec79b;fill:none;stroke-width:2",
    "dot-one": "fill:#56B4E9",
    "dot-two": "fill:#16181c;stroke:#E69F00;stroke-width:1.5",
    "dot-nodes": "fill:#3ec79b",
}

Family = dict[str, Any]
Scale = tuple[int, int]
"""The least and the largest power of ten of an axis."""


def drawing(result: dict[str, Any]) -> str:
    families = [family for family in result["families"] if len(family["steps"]) > 1]
    points = [family for family in result["families"] if len(family["steps"]) == 1]
    steps = [step for family in result["families"] for step in family["steps"]]
    times = powers([step[workers]["wall_s"] for step in steps for workers in ("one", "two")])
    nodes = (0, powers([step["one"]["nodes"] for step in steps if step["one"]["nodes"]])[1])
    parts = heading(result)
    for number, family in enumerate(families):
        x, y = number % COLUMNS * WIDTH, HEAD + number // COLUMNS * HEIGHT
        parts.append(f'<g transform="translate({x} {y})">' + "\n".join(panel(family, times, nodes)) + "</g>")
    bottom = HEAD + -(-len(families) // COLUMNS) * HEIGHT
    if points:
        parts.append(
            f'<g transform="translate(0 {bottom})">' + "\n".join(point_panel(points, times)) + "</g>"
        )
        bottom += 62 + 22 * len(points)
    width, height = COLUMNS * WIDTH, bottom
    style = rules(LIGHT) + "@media (prefers-color-scheme:dark){" + rules(DARK) + "}"
    title = "Time and nodes of a count against size, for every family"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rk-growth" role="img" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}"><title>{title}</title>'
        f"<style>.rk-growth text{{font-family:system-ui,Helvetica,Arial,sans-serif}}{style}</style>"
        f'<rect class="paper" width="{width}" height="{height}"/>' + "\n".join(parts) + "</svg>\n"
    )


def powers(values: Sequence[float]) -> Scale:
    """The powers of ten around some positive numbers, which may be none as long as nothing is counted."""
    low = floor(log10(min(values, default=1)))
    return low, max(low + 1, ceil(log10(max(values, default=1))))


def heading(result: dict[str, Any]) -> list[str]:
    machine, versions = result["machine"], result["versions"]
    told = (
        f"{machine['cpu']}, {machine['cores']} cores, load {machine['load']} at the start, {result['date']},"
        f" Python {versions['python']}, numba {versions['numba']}."
    )
    return [
        text(12, 22, "Time and nodes of a count against size", "ink", 15),
        text(12, 40, "Wall clock of the whole count, compiling left out, medians. " + told, "faint", 10),
        *curve("one", [(14, 60), (44, 60)]),
        text(52, 64, "one worker", "ink", 12),
        *curve("two", [(134, 60), (164, 60)]),
        text(172, 64, "two workers", "ink", 12),
        *curve("nodes", [(262, 60), (292, 60)]),
        text(300, 64, "nodes, in the lower part; the numbers are those of the last step", "ink", 12),
    ]


def panel(family: Family, times: Scale, nodes: Scale) -> list[str]:
    """One family: seconds above, nodes below, the same sizes across."""
    steps = family["steps"]
    first, last = steps[0]["at"], steps[-1]["at"]

    def x(step: dict[str, Any]) -> float:
        return round(LEFT + 8 + (RIGHT - LEFT - 16) * (step["at"] - first) / max(1, last - first), 1)

    names = list(dict.fromkeys(step["engine"] for step in steps))
    parts = [
        text(LEFT, 14, family["family"], "ink", 13),
        text(LEFT, 27, ", ".join(names), "faint", 10),
        *frame(TIME_TOP, TIME_HEIGHT, times, 1, shown_time),
        *frame(NODES_TOP, NODES_HEIGHT, nodes, 3, shown_nodes),
    ]
    ends = []
    for kind in ("one", "two"):
        places = [(x(step), height(step[kind]["wall_s"], TIME_TOP, TIME_HEIGHT, times)) for step in steps]
        parts += curve(kind, places)
        ends.append((places[-1][1], seconds(steps[-1][kind]["wall_s"])))
    counted = [step for step in steps if step["one"]["nodes"]]
    places = [(x(step), height(step["one"]["nodes"], NODES_TOP, NODES_HEIGHT, nodes)) for step in counted]
    parts += curve("nodes", places)
    parts += [text(RIGHT + 3, y + 4, words, "ink", 10) for y, words in apart(ends)]
    if places:
        parts.append(text(RIGHT + 3, places[-1][1] + 4, rounded(counted[-1]["one"]["nodes"]), "ink", 10))
    every = max(1, -(-len(steps) // MOST_LABELS), ceil(max(len(step["label"]) for step in steps) / 7))
    room = 2.0 * RIGHT
    for step in steps[::-1][::every]:
        half = LETTER * len(step["label"]) / 2
        if x(step) + half < room:
            parts.append(text(x(step), NODES_TOP + NODES_HEIGHT + 14, step["label"], "faint", 10, "middle"))
            room = x(step) - half - 3
    parts.append(text(LEFT, NODES_TOP + NODES_HEIGHT + 29, family["axis"], "faint", 10))
    return parts


def point_panel(points: list[Family], times: Scale) -> list[str]:
    """The families with one size: a line for each, time across."""
    start, end, top = 170, 530, 34
    parts = [text(12, 16, "One size only", "ink", 13)]
    low, high = times

    def x(value: float) -> float:
        return round(start + (end - start) * (log10(value) - low) / (high - low), 1)

    bottom = top + 22 * len(points)
    for power in range(low, high + 1):
        parts.append(f'<path class="grid" d="M{x(10.0**power)} {top - 8}V{bottom - 4}"/>')
        parts.append(text(x(10.0**power), bottom + 11, shown_time(power), "faint", 10, "middle"))
    for number, family in enumerate(points):
        (step,) = family["steps"]
        y = top + 8 + 22 * number
        one, two = (step[kind]["wall_s"] for kind in ("one", "two"))
        parts.append(text(start - 8, y + 4, step["words"], "ink", 12, "end"))
        parts += [dot("two", x(two), y), dot("one", x(one), y)]
        told = f"{seconds(one)}, two workers {seconds(two)}, {rounded(step['one']['nodes'])} nodes"
        parts.append(text(end + 14, y + 4, told, "ink", 11))
    return parts


def frame(top: float, size: float, scale: Scale, every: int, shown: Callable[[int], str]) -> list[str]:
    low, high = scale
    parts = []
    for power in range(low, high + 1, every):
        y = height(10.0**power, top, size, scale)
        parts.append(f'<path class="grid" d="M{LEFT} {y}H{RIGHT}"/>')
        parts.append(text(LEFT - 5, y + 4, shown(power), "faint", 10, "end"))
    parts.append(f'<path class="frame" d="M{LEFT} {top}V{top + size}H{RIGHT}"/>')
    return parts


def shown_time(power: int) -> str:
    return f"{10**power} s" if power >= 0 else f"{10.0 ** (power + 3):g} ms"


def shown_nodes(power: int) -> str:
    return rounded(10**power)


def height(value: float, top: float, size: float, scale: Scale) -> float:
    low, high = scale
    return round(top + size * (high - log10(value)) / (high - low), 1)


def curve(kind: str, places: Sequence[tuple[float, float]]) -> list[str]:
    if not places:
        return []
    line = "L".join(f"{x} {y}" for x, y in places)
    return [f'<path class="{kind}" d="M{line}"/>', *(dot(kind, x, y) for x, y in places)]


def dot(kind: str, x: float, y: float) -> str:
    return f'<circle class="dot-{kind}" cx="{x}" cy="{y}" r="2.6"/>'


def apart(ends: list[tuple[float, str]]) -> list[tuple[float, str]]:
    """Two labels at least a line apart, each near its place, the shorter time below."""
    (low, of_low), (high, of_high) = ends
    middle, gap = (low + high) / 2, max(5.5, abs(low - high) / 2)
    if low < high:
        return [(middle - gap, of_low), (middle + gap, of_high)]
    return [(middle + gap, of_low), (middle - gap, of_high)]


def seconds(value: float) -> str:
    return f"{value:.1f} s" if value >= 0.9995 else f"{value * 1000:.3g} ms"


def rounded(number: int) -> str:
    for power, letter in ((12, "T"), (9, "G"), (6, "M"), (3, "k")):
        if number >= 0.9995 * 10**power:
            return f"{number / 10**power:.3g} {letter}"
    return str(number)


def rules(colors: dict[str, str]) -> str:
    return "".join(f".rk-growth .{name}{{{what}}}" for name, what in colors.items())


def text(x: float, y: float, words: str, kind: str, size: int, anchor: str = "start") -> str:
    where = f'x="{round(x, 1)}" y="{round(y, 1)}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {where}>{escape(words)}</text>'
