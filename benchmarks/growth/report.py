"""Table, sentences and checks, made of saved results alone."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Any

Result = dict[str, Any]
Family = dict[str, Any]
Step = dict[str, Any]

COUNTED = ("total", "unique")
SHORT_S = 0.02
LONG_S = 0.3
MANY_NODES = 10_000
"""A long count with fewer nodes mostly does something else than search: it lists a large group."""

SLOPE_STEPS = 4
SLOPE_FROM_S = 0.002
"""Below, a count is what every call costs, and no slope can be seen."""


def disagreements(result: Result) -> list[str]:
    """A line for each count that differs from the published one, or between one and two workers.

    Nodes may differ where no orbits are counted: a long search looks for a symmetry of the model, and whether
    a search is long depends on the number of workers (`rekkyo.search.helping`). They also differ if merging
    wins the race with one of both numbers of workers only.
    """
    wrong = []
    for family, step in every_step(result):
        name = f"{family['family']} {step['label']}"
        has_nodes = step["one"]["unique"] is not None and step["one"]["engine"] == step["two"]["engine"]
        keys = (*COUNTED, "nodes") if has_nodes else COUNTED
        one, two = ([step[workers][key] for key in keys] for workers in ("one", "two"))
        if one != two:
            wrong.append(f"{name}: TWO WORKERS COUNT {two} INSTEAD OF {one}")
        if step["published"] is False:
            wrong.append(f"{name}: {one[0]} IS NOT THE PUBLISHED COUNT")
    return wrong


def every_step(result: Result) -> Iterator[tuple[Family, Step]]:
    for family in result["families"]:
        for step in family["steps"]:
            yield family, step


def engines(family: Family) -> list[tuple[str, str]]:
    """Each engine that was taken, with the first step that it was taken for."""
    found: list[tuple[str, str]] = []
    for step in family["steps"]:
        if not found or found[-1][0] != step["engine"]:
            found.append((step["engine"], step["label"]))
    return found


def slope(family: Family, key: str) -> float | None:
    """The factor from one number on the axis to the next, over the last steps of one engine.

    None where they are too few.
    """
    if not family["grows"] or not family["steps"]:
        return None
    last = family["steps"][-1]
    steps = [
        step
        for step in family["steps"][-SLOPE_STEPS:]
        if step["engine"] == last["engine"] and step["one"]["cpu_s"] >= SLOPE_FROM_S and step["one"]["nodes"]
    ]
    if len(steps) < 3:
        return None
    first, last = steps[0], steps[-1]
    return float((last["one"][key] / first["one"][key]) ** (1 / (last["at"] - first["at"])))


def gain(step: Step) -> float:
    """How many times faster two workers are, by the wall clock."""
    return float(step["one"]["wall_s"] / step["two"]["wall_s"])


def table(result: Result) -> str:
    """The last step of every family."""
    lines = [
        "| family | largest | solutions | engine | nodes | a node, ns | one worker, s | CPU, s | two, s"
        " | gain | time, a step | nodes, a step |",
        "|" + "---|" * 12,
    ]
    for family in result["families"]:
        if not family["steps"]:
            lines.append(f"| {family['family']} | none in time |" + " |" * 10)
            continue
        step = family["steps"][-1]
        one, two = step["one"], step["two"]
        each = nanoseconds(step) if one["nodes"] else "-"
        cells = [
            family["family"],
            step["label"] if step["label"] != family["family"] else "-",
            short(int(one["total"])),
            f"`{step['engine']}`",
            f"{one['nodes']:,}",
            each,
            seconds(one["wall_s"]),
            seconds(one["cpu_s"]),
            seconds(two["wall_s"]),
            f"{gain(step):.2f}",
            factor(slope(family, "cpu_s")),
            factor(slope(family, "nodes")),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def short(number: int) -> str:
    return f"{number:,}" if number < 10**15 else f"{number:.2e}"


def seconds(value: float) -> str:
    return f"{value:.2f}" if value >= 1 else f"{value:.3f}" if value >= 0.01 else f"{value:.5f}"


def factor(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def sentences(result: Result) -> str:
    """What the numbers say, as a list in Markdown."""
    steps = [(family, step) for family, step in every_step(result) if step["one"]["nodes"]]
    told = [
        *of_short_counts([step for _, step in steps]),
        *of_long_counts([pair for pair in steps if pair[1]["one"]["wall_s"] >= LONG_S]),
        *of_slopes(result["families"]),
        *of_engines(result["families"]),
    ]
    return "\n".join(f"- {line}" for line in told) + "\n"


def of_short_counts(steps: list[Step]) -> Iterator[str]:
    brief = [gain(step) for step in steps if step["one"]["wall_s"] < SHORT_S]
    if brief:
        yield (
            f"{len(brief)} of the {len(steps)} counts take less than {SHORT_S * 1000:.0f} ms. There a second"
            f" worker gives next to nothing (median gain {statistics.median(brief):.2f}): the smallest"
            " searches are not cut at all, and starting threads costs what they save."
        )


def of_long_counts(pairs: list[tuple[Family, Step]]) -> Iterator[str]:
    if not pairs:
        return
    by_gain = sorted(pairs, key=lambda pair: gain(pair[1]))
    least, most = (f"{gain(pair[1]):.2f} ({named(*pair)})" for pair in (by_gain[0], by_gain[-1]))
    middle = statistics.median(gain(step) for _, step in pairs)
    yield (
        f"{len(pairs)} take {LONG_S:g} s or more. Two workers are {middle:.2f} times as fast there (median),"
        f" from {least} to {most}."
    )
    many = [pair for pair in pairs if pair[1]["one"]["nodes"] >= MANY_NODES]
    if not many:
        return
    by_node = sorted(many, key=lambda pair: per_node(pair[1]))
    cheap, dear = (f"{nanoseconds(pair[1])} ns for {named(*pair)}" for pair in (by_node[0], by_node[-1]))
    yield (
        "A node is what an engine calls one, so nodes compare the sizes of a family and not the engines: it"
        f" took {cheap}, {dear}."
    )


def of_slopes(families: list[Family]) -> Iterator[str]:
    slopes = [(slope(family, "cpu_s"), slope(family, "nodes"), family["family"]) for family in families]
    known = sorted((time, nodes, name) for time, nodes, name in slopes if time and nodes)
    if known:
        low, high = (f"{time:.2f} ({name}; nodes {nodes:.2f})" for time, nodes, name in (known[0], known[-1]))
        yield f"One more on the axis multiplies the time by {low} to {high}; the table has all factors."


def of_engines(families: list[Family]) -> Iterator[str]:
    changes = [
        f"{family['family']} ({', '.join(f'`{name}` from {label}' for name, label in engines(family)[1:])})"
        for family in families
        if len(engines(family)) > 1
    ]
    if changes:
        yield "A line bends or falls where another engine takes over: " + ", ".join(changes) + "."


def named(family: Family, step: Step) -> str:
    return family["family"] if step["label"] == family["family"] else f"{family['family']} {step['label']}"


def per_node(step: Step) -> float:
    return float(step["one"]["cpu_s"] / step["one"]["nodes"])


def nanoseconds(step: Step) -> str:
    value = per_node(step) * 1e9
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
