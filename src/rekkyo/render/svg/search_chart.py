"""Pictures of the search itself: nodes by depth, and the ladder of methods."""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.render.svg.chart import Panel, Series, chart
from rekkyo.render.svg.drawing import Svg

ProfileFacts = tuple[str, Sequence[float], str]
"""Name, nodes at depth 1, 2, ..., and what there is to say about the whole tree."""

RungFacts = tuple[str, Sequence[tuple[int, int, float]]]
"""Name, and (size, nodes, seconds) for each size."""


def profile_chart(puzzle_name: str, profiles: Sequence[ProfileFacts], *, theme: str = "auto") -> Svg:
    """Nodes by depth, a line for each engine and method."""
    series = []
    for name, nodes, summary in profiles:
        points = tuple((float(depth), float(n)) for depth, n in enumerate(nodes, start=1))
        series.append(Series(f"{name}: {summary}", points))
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
