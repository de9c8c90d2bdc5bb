"""`rekkyo growth`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from rekkyo.cli import options
from rekkyo.cli.progress import TOTAL, progress_bar
from rekkyo.cli.streams import note
from rekkyo.errors import BadInput

if TYPE_CHECKING:
    from rekkyo.ask.count import Count
    from rekkyo.ask.recurrence import Recurrence

HEAD = ("n", "total", "unique", "optimum", "nodes", "seconds", "times")
WIDTHS = (4, 20, 20, 8, 16, 9, 7)
OPTIMUM = HEAD.index("optimum")
"""The column that is left out where no solution is better than another."""

LEAST_TIMED_S = 0.01
"""A shorter time is mostly the fixed cost of a call, so the next time is not divided by it."""


@options.puzzle_command("growth", metavar="PUZZLE... FIRST..LAST")
@click.option("--seconds", type=float, help="Stop after the first count that takes longer.")
@options.engine_option("The engine for all sizes; by default the fastest for each.")
@options.workers_option
@options.up_to_option(default="symmetry")
@options.json_option
def growth_command(words: tuple[str, ...], seconds: float | None, as_json: bool, **asked: Any) -> None:
    """Count a range of sizes, with the time and the nodes of each.

    `optimum` is the best value of an objective, if there is one. `times` is the time of
    a count divided by that of the size before it. A linear recurrence that all counts
    fit is printed below them, as a conjecture.

    \b
    rekkyo growth queens 8..16
    rekkyo growth dominoes 4 1..20
    rekkyo growth mine.toml 1..20 --seconds 10
    """
    if seconds is not None and not seconds > 0:
        raise BadInput(f"--seconds must be a number above 0, not {seconds}")
    from rekkyo.ask.count import count
    from rekkyo.model.lower import lower
    from rekkyo.runs.sequences import difference_from, puzzles_of

    sequence = puzzles_of(words)
    steps: list[dict[str, Any]] = []
    has_best = True
    for n in sequence.sizes:
        puzzle = sequence.puzzle(n)
        result = TOTAL._replace(name=f"the total of {puzzle.name}", work=f"search of {puzzle.name}")
        with progress_bar(puzzle.name, result=result) as watch:
            found = count(puzzle, watch=watch, **asked)
        if not (as_json or steps):
            has_best = getattr(lower(puzzle.model), "objective", None) is not None
            click.echo(_line(HEAD, has_best) + "  engine")
        if not as_json:
            click.echo(_step(n, found, steps[-1]["elapsed_s"] if steps else 0.0, has_best))
        steps.append({"n": n, **asdict(found), "difference": difference_from(found, puzzle.published)})
        if seconds is not None and found.elapsed_s > seconds:
            break
    found_rules = {name: rule for name in ("total", "unique") if (rule := _recurrence(steps, name))}
    if as_json:
        rules = {name: _as_json(rule) for name, rule in found_rules.items()}
        click.echo(json.dumps({"puzzles": sequence.name, "steps": steps, "recurrences": rules}))
    else:
        for name, rule in found_rules.items():
            click.echo(_in_words(name, rule))
    if steps[-1]["left_out"] is not None:
        note(f"{puzzle.name}: unique is left out: {steps[-1]['left_out']}")
    differences = [f"{step['puzzle']}: {step['difference']}" for step in steps if step["difference"]]
    for line in differences:
        note(line)
    if differences:
        sys.exit(1)  # as in `count`


def _recurrence(steps: list[dict[str, Any]], name: str) -> Recurrence | None:
    """The rule of one column; None if there is none, if counts are left out, or if all are 0."""
    counts = [step[name] for step in steps]
    if None in counts or not any(counts):
        return None
    from rekkyo.ask.recurrence import recurrence

    return recurrence(counts, steps[0]["n"])


def _in_words(name: str, rule: Recurrence) -> str:
    n_terms, n = len(rule.terms), rule.first + len(rule.terms)
    believed = f"a conjecture: {n_terms - rule.n_checked} terms determine it, {rule.n_checked} more fit it"
    return (
        f"{name}: {rule} ({believed})\n"
        f"  generating function {rule.generating_function}\n"
        f"  expected next a({n}) = {next(rule.further())}"
    )


def _as_json(rule: Recurrence) -> dict[str, Any]:
    return {
        "coefficients": rule.coefficients,
        "begins": rule.begins,
        "n_checked": rule.n_checked,
        "generating_function": rule.generating_function,
    }


def _step(n: int, found: Count, before_s: float, has_best: bool) -> str:
    times = "" if before_s < LEAST_TIMED_S else f"{found.elapsed_s / before_s:.2g}"
    unique, optimum = ("" if one is None else str(one) for one in (found.unique, found.optimum))
    numbers = (str(n), str(found.total), unique, optimum, str(found.nodes), f"{found.elapsed_s:.3f}", times)
    return f"{_line(numbers, has_best)}  {found.engine}"


def _line(words: tuple[str, ...], has_best: bool) -> str:
    columns = [k for k in range(len(HEAD)) if has_best or k != OPTIMUM]
    return " ".join(words[k].rjust(WIDTHS[k]) for k in columns)
