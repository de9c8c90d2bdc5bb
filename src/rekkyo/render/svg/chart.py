"""Charts of numbers that grow quickly, such as nodes by depth: a line for each series, y logarithmic.

Series differ by colour and by the mark at each point; a legend has their names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from rekkyo.errors import BadInput
from rekkyo.render.svg.drawing import Svg, document
from rekkyo.render.svg.markup import Place, drawn_path, moved, number, path, shown
from rekkyo.render.svg.painting import Markup
from rekkyo.render.svg.style import COLORS

WIDTH, HEIGHT = 420.0, 280.0
LEFT, TOP = 64.0, 34.0
LEGEND_LINE = 17.0
LETTER = 6.7
"""The largest average width of a letter of the legend."""
LINE_COLORS = tuple(color for color in COLORS if color not in ("#F0E442", "#BBEE99", "#00FFDD", "#EECCFF"))
"""The palette without colours that are too pale for thin lines."""

MARKS = (
    "M-4 -4h8v8h-8Z",
    "M0 -5L5 4H-5Z",
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z",
    "M0 -5L5 0L0 5L-5 0Z",
    "M0 5L5 -4H-5Z",
)


@dataclass(frozen=True, slots=True)
class Series:
    """Points (x, y) with y > 0; others are not drawn."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """One diagram."""

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]


def chart(
    title: str, description: str, panels: Sequence[Panel], notes: Sequence[str] = (), *, theme: str = "auto"
) -> Svg:
    """Diagrams side by side, the legend under them, then lines of text. Raises BadInput for no points."""
    if not any(y > 0 for panel in panels for series in panel.series for _, y in series.points):
        raise BadInput("there is nothing to draw: no point has a number above 0")
    names = list(dict.fromkeys(series.name for panel in panels for series in panel.series))
    step = LEFT + WIDTH + 40
    drawn = "".join(moved(_panel(panel, names), k * step, 0) for k, panel in enumerate(panels))
    below = TOP + HEIGHT + 58
    width = len(panels) * step - 16
    entry_width = 32 + LETTER * max(map(len, names))
    columns = max(1, int(width // entry_width))
    for k, name in enumerate(names):
        x, y = 20 + k % columns * entry_width, below + k // columns * LEGEND_LINE
        drawn += _mark(k, (x, y - 4)) + _text(name, (x + 12, y), 12, "rk-ink", "start")
    below += -(-len(names) // columns) * LEGEND_LINE + 8
    for k, line in enumerate(notes):
        drawn += _text(line, (8, below + k * LEGEND_LINE), 11, "rk-faint", "start")
    height = below + len(notes) * LEGEND_LINE
    return document(drawn, width, height, title, description, theme)


def _panel(panel: Panel, names: Sequence[str]) -> Markup:
    points = [point for series in panel.series for point in series.points if point[1] > 0]
    first, last = (end(x for x, _ in points) for end in (min, max)) if points else (0.0, 1.0)
    powers = [log10(y) for _, y in points] or [0.0]
    low = floor(min(powers))
    high = max(ceil(max(powers)), low + 1)

    def at(x: float, y: float) -> Place:
        across = (x - first) / (last - first) if last > first else 0.5
        return LEFT + across * WIDTH, TOP + HEIGHT * (1 - (log10(y) - low) / (high - low))

    drawn = _text(panel.title, (LEFT + WIDTH / 2, 14), 14)
    for power in range(low, high + 1, max(1, -(-(high - low) // 8))):
        _, y = at(first, 10.0**power)
        drawn += drawn_path(f"M{number(LEFT)} {number(y)}h{number(WIDTH)}", "rk-grid")
        label = f"{10**power:,}" if 0 <= power <= 6 else f"1e{power}"
        drawn += _text(label, (LEFT - 8, y + 4), 11, "rk-ink", "end")
    for x in range(ceil(first), floor(last) + 1, max(1, round((last - first) / 14))):
        place, _ = at(x, 10.0**low)
        drawn += _text(f"{x:g}", (place, TOP + HEIGHT + 18), 11)
    drawn += _text(panel.x_label, (LEFT + WIDTH / 2, TOP + HEIGHT + 36), 12, "rk-faint")
    drawn += _text(panel.y_label, (LEFT, TOP - 8), 12, "rk-faint", "start")
    for series in panel.series:
        index = names.index(series.name)
        places = [at(x, y) for x, y in series.points if y > 0]
        if places:
            stroke = LINE_COLORS[index % len(LINE_COLORS)]
            drawn += drawn_path(path(places, closed=False), "rk-stick", stroke=stroke, stroke_width="2")
            drawn += "".join(_mark(index, place) for place in places)
    return drawn + drawn_path(
        f"M{number(LEFT)} {number(TOP)}V{number(TOP + HEIGHT)}h{number(WIDTH)}", "rk-frame"
    )


def _mark(index: int, place: Place) -> Markup:
    transform = f"translate({number(place[0])} {number(place[1])})"
    fill = LINE_COLORS[index % len(LINE_COLORS)]
    return drawn_path(MARKS[index % len(MARKS)], "rk-mark", fill=fill, transform=transform)


def _text(text: str, place: Place, size: float, kind: str = "rk-ink", anchor: str = "middle") -> Markup:
    x, y = number(place[0]), number(place[1])
    return f'<text class="{kind} rk-{anchor}" x="{x}" y="{y}" font-size="{number(size)}">{shown(text)}</text>'


ProfileFacts = tuple[str, Sequence[float], str]
"""Name, nodes at depth 1, 2, ..., and a summary of the whole tree."""

RungFacts = tuple[str, Sequence[tuple[int, int, float]]]
"""Name, and (size, nodes, seconds) for each size."""


def profile_chart(puzzle_name: str, profiles: Sequence[ProfileFacts], *, theme: str = "auto") -> Svg:
    """Nodes by depth, a line for each engine and method."""
    series = []
    for name, nodes, summary in profiles:
        series.append(Series(f"{name}: {summary}", tuple(enumerate(nodes, start=1))))
    panel = Panel(f"The search tree of {puzzle_name}", "decisions taken", "nodes", tuple(series))
    notes = (
        "Methods: decisions that stand when one more is taken, in the plain Python walks.",
        "Engines: partial solutions after so many of the engine's own decisions, for the depths",
        "at which its search can be cut evenly; the number of nodes is that of its whole search.",
    )
    description = "; ".join(
        f"{name}, {summary}: {', '.join(f'{n:.0f}' for n in nodes)}" for name, nodes, summary in profiles
    )
    return chart(
        f"The search tree of {puzzle_name}", f"Nodes by depth. {description}.", [panel], notes, theme=theme
    )


def ladder_chart(family: str, rungs: Sequence[RungFacts], *, theme: str = "auto") -> Svg:
    """Nodes and seconds against the size, a line for each method."""
    nodes = tuple(Series(name, tuple((n, tried) for n, tried, _ in outcomes)) for name, outcomes in rungs)
    seconds = tuple(
        Series(name, tuple((float(n), max(took, 1e-6)) for n, _, took in outcomes))
        for name, outcomes in rungs
    )
    panels = [Panel("Nodes", "N", "nodes", nodes), Panel("Time", "N", "seconds of CPU", seconds)]
    notes = ("Plain Python on this computer. A line ends before the size that would take long.",)
    description = "; ".join(
        f"{name}: " + ", ".join(f"{tried} for {n}" for n, tried, _ in outcomes) for name, outcomes in rungs
    )
    return chart(f"Methods for {family}", f"Nodes by size. {description}.", panels, notes, theme=theme)
