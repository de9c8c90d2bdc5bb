"""`rekkyo sample` and `rekkyo stats`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

import click

from rekkyo.cli import options
from rekkyo.cli.progress import progress_bar
from rekkyo.cli.streams import note, print_json
from rekkyo.cli.terminal import style_of_stdout, writer_for_people
from rekkyo.wording import several


@options.puzzle_command("sample", "Print solutions drawn at random, each equally likely.")
@click.option("--number", type=int, metavar="K", default=1, show_default=True, help="How many samples.")
@click.option(
    "--seed", type=int, metavar="S", default=0, show_default=True, help="The same seed gives the same rows."
)
@options.engine_option("Count and list with this engine instead of a diagram.")
@options.workers_option
@options.format_option("As for `rekkyo solve`.")
@options.json_option
def sample_command(
    words: tuple[str, ...], number: int, seed: int, format_name: str, as_json: bool, **asked: Any
) -> None:
    """Print independent random solutions, drawn with equal probability from all solutions, or from the
    rows of a run.

    \b
    rekkyo sample dominoes 16 16 --number 2 --format board
    rekkyo sample queens 8 --number 10 --seed 1
    rekkyo sample runs/q8                    from the rows that a finished run has stored
    """
    options.check_format(format_name, as_json)
    puzzle, run = options.read_puzzle_or_run(words)
    from rekkyo.cli.plain import plain_meanwhile

    with plain_meanwhile() as race, progress_bar(puzzle.name) as watch:
        import numpy as np

        from rekkyo.ask.sample import sample
        from rekkyo.engines.contract import row_dtype
        from rekkyo.runs.sources import rows_in_words, sample_run

        write = writer_for_people(format_name, puzzle)
        if run is None:
            found = sample(puzzle, number, seed=seed, watch=race.claiming(watch), **asked)
        else:
            found = sample_run(puzzle, run, number, seed=seed)
    if as_json:
        print_json(found)
        return
    shape = puzzle.model.row_shape
    rows = np.array(found.rows, dtype=row_dtype(shape.n_symbols)).reshape(-1, shape.length)
    sys.stdout.buffer.write(write(rows) if len(rows) else b"")
    sys.stdout.buffer.flush()
    of_all = f"{several(number, 'sample')} of {several(found.total, 'solution')}"
    if run is not None:
        way = f"from {rows_in_words(run)}"
    else:
        way = "from a diagram" if found.how == "diagram" else f"by counting all with {found.how}"
    note(f"{puzzle.name}: {of_all}, {way}, in {found.elapsed_s:.3f} s")


@options.puzzle_command("stats", "Draw how often each cell holds each value.")
@options.json_option
def stats_command(words: tuple[str, ...], as_json: bool) -> None:
    """Draw how often each cell holds each value, exactly, over all solutions, or over the rows of a run.

    \b
    rekkyo stats queens 8
    rekkyo stats dominoes 8 8 --json
    rekkyo stats runs/q8                     of the rows that a finished run has stored
    """
    puzzle, run = options.read_puzzle_or_run(words)
    from rekkyo.cli.plain import plain_meanwhile

    with plain_meanwhile():
        from rekkyo.ask.diagram import stats
        from rekkyo.render.heat import heat_map, heats
        from rekkyo.runs.sources import rows_in_words, stats_of_run

        found = stats(puzzle) if run is None else stats_of_run(puzzle, run)
    if as_json:
        print_json(found, heats=[asdict(heat) for heat in heats(puzzle, found.uses)])
        return
    # Without a solution, or a choice, there is nothing to draw.
    click.echo(heat_map(puzzle, found.total, found.uses, style_of_stdout()) or f"total {found.total}")
    way = f"a diagram of {several(found.n_nodes, 'node')}" if run is None else rows_in_words(run)
    shares = f"shares in percent of {several(found.total, 'solution')}"
    note(f"{puzzle.name}: {shares}, from {way}, in {found.elapsed_s:.3f} s")
