"""Pictures of the search itself: nodes by depth, and the ladder of methods."""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.render.svg.chart import Panel, Series, chart
from rekkyo.render.svg.drawing import Svg

ProfileFacts = tuple[str, Sequence[int], bool]
"""Name, nodes at depth 1, 2, ..., and whether they are all there."""

RungFacts = tuple[str, Sequence[tuple[int, int, float]]]
"""Name, and (size, nodes, seconds) for each size."""


def profile_chart(puzzle_name: str, profiles: Sequence[ProfileFacts], *, theme: str = "auto") -> Svg:
    """Nodes by depth, a line for each engine and method."""
    series = []
    for name, nodes, is_whole in profiles:
        total = f"{sum(nodes):,}" if is_whole else f"more than {sum(nodes):,}"
        points = tuple((float(depth), float(n)) for depth, n in enumerate(nodes, start=1))
        series.append(Series(f"{name}: {total}", points))
    panel = Panel(f"The search tree of {puzzle_name}", "decisions taken", "nodes", tuple(series))
    notes = (
        "Methods: queens that are on the board when one is put down.",
        "Engines: partial solutions after so many of the engine's own decisions",
        "(a queen, an option, a colour), as far as the engine can be cut there.",
    )
    description = "; ".join(f"{name}: {', '.join(map(str, nodes))}" for name, nodes, _ in profiles)
    return chart(
        f"The search tree of {puzzle_name}", f"Nodes by depth. {description}.", [panel], notes, theme=theme
    )


def ladder_chart(family: str, rungs: Sequence[RungFacts], *, theme: str = "auto") -> Svg:
    """Nodes and seconds against the size, a line for each method."""
    nodes = tuple(
        Series(name, tuple((float(n), float(tried)) for n, tried, _ in outcomes)) for name, outcomes in rungs
    )
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
