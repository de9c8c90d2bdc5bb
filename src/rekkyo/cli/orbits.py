"""`rekkyo orbits`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from rekkyo.cli.notes import note
from rekkyo.cli.options import (
    PASS_ON_UNKNOWN_OPTIONS,
    json_option,
    puzzle_argument,
    read_puzzle,
    say_obstacles,
    up_to_option,
)
from rekkyo.cli.progress import progress_bar

if TYPE_CHECKING:
    from rekkyo.ask.orbits import Orbits


@click.command("orbits", context_settings=PASS_ON_UNKNOWN_OPTIONS)
@puzzle_argument
@click.option("--engine", metavar="NAME", help="The engine to search with; it must be one that lists.")
@click.option("--workers", type=int, metavar="N", help="Threads; all cores by default.")
@up_to_option(default="symmetry")
@json_option
def orbits_command(
    words: tuple[str, ...], engine: str | None, workers: int | None, up_to: str, as_json: bool
) -> None:
    """Count the orbits of solutions by their symmetry.

    \b
    rekkyo orbits queens 8
    rekkyo orbits pentominoes 6 10
    rekkyo orbits hip 5 --up-to exchange-colours
    """
    puzzle = read_puzzle(words, up_to)
    say_obstacles(puzzle)
    from rekkyo.ask.orbits import orbits

    with progress_bar() as watch:
        result = orbits(puzzle, up_to=up_to, engine=engine, workers=workers, watch=watch)
    if as_json:
        click.echo(json.dumps(asdict(result)))
        return
    for line in _table(result):
        click.echo(line)
    click.echo(_identity(result))
    note(f"{result.puzzle}: a group of order {result.group}; {result.engine}, {result.elapsed_s:.3f} s")


def _table(result: Orbits) -> list[str]:
    rows = [("symmetry", "stabilizer", "orbits", "solutions")]
    rows += [(c.symmetry, str(c.stabilizer), str(c.orbits), str(c.solutions)) for c in result.classes]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return [
        "  ".join([row[0].ljust(widths[0]), *(row[k].rjust(widths[k]) for k in (1, 2, 3))]) for row in rows
    ]


def _identity(result: Orbits) -> str:
    terms = [f"{c.orbits} x {result.group}/{c.stabilizer}" for c in result.classes]
    return f"total {result.total} = {' + '.join(terms) or '0'}, unique {result.unique}"
