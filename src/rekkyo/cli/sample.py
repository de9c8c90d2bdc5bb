"""`rekkyo sample` and `rekkyo stats`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rekkyo.cli.notes import note
from rekkyo.cli.options import PASS_ON_UNKNOWN_OPTIONS, json_option, puzzle_argument, read_puzzle
from rekkyo.cli.progress import progress_bar

if TYPE_CHECKING:
    from rekkyo.model.puzzle import Puzzle


@click.command(
    "sample",
    short_help="Print solutions drawn at random, each equally likely.",
    context_settings=PASS_ON_UNKNOWN_OPTIONS,
)
@puzzle_argument
@click.option("--number", type=int, metavar="K", default=1, show_default=True, help="How many samples.")
@click.option(
    "--seed", type=int, metavar="S", default=0, show_default=True, help="The same seed, the same rows."
)
@click.option("--engine", metavar="NAME", help="Count and list with this engine instead of a diagram.")
@click.option("--workers", type=int, metavar="N", help="Threads; all cores by default.")
@click.option(
    "--format",
    "format_name",
    metavar="FORMAT",
    default="rows",
    show_default=True,
    help="As for `rekkyo solve`.",
)
@json_option
def sample_command(
    words: tuple[str, ...],
    number: int,
    seed: int,
    engine: str | None,
    workers: int | None,
    format_name: str,
    as_json: bool,
) -> None:
    """Print solutions drawn at random, every solution equally likely, each drawn from all.

    \b
    rekkyo sample dominoes 16 16 --number 2 --format board
    rekkyo sample queens 8 --number 10 --seed 1
    rekkyo sample runs/q8                    from the rows that a finished run has stored
    """
    run = Path(words[0]) if len(words) == 1 and (Path(words[0]) / "manifest.json").is_file() else None
    puzzle = read_puzzle(words) if run is None else _puzzle_of(run)
    import numpy as np

    from rekkyo.ask.sample import sample
    from rekkyo.engines.contract import row_dtype
    from rekkyo.export.text import writer
    from rekkyo.runs.sample_run import sample_run

    write = writer(format_name, puzzle)
    with progress_bar() as watch:
        if run is None:
            found = sample(puzzle, number, seed=seed, engine=engine, workers=workers, watch=watch)
        else:
            found = sample_run(run, number, seed=seed)
    if as_json:
        click.echo(json.dumps(asdict(found)))
        return
    shape = puzzle.model.row_shape
    rows = np.array(found.rows, dtype=row_dtype(shape.n_symbols)).reshape(-1, shape.length)
    sys.stdout.buffer.write(write(rows) if len(rows) else b"")
    sys.stdout.buffer.flush()
    known = {"diagram": "from a diagram", "run": "from the rows of the run"}
    way = known.get(found.how, f"by counting all with {found.how}")
    note(f"{puzzle.name}: {number} of {found.total} solutions, {way}, in {found.elapsed_s:.3f} s")


def _puzzle_of(run: Path) -> Puzzle:
    from rekkyo.runs.puzzle_source import puzzle_of
    from rekkyo.store.manifest import read_manifest

    return puzzle_of(run, read_manifest(run))


@click.command(
    "stats", short_help="Draw how often each cell holds each value.", context_settings=PASS_ON_UNKNOWN_OPTIONS
)
@puzzle_argument
@json_option
def stats_command(words: tuple[str, ...], as_json: bool) -> None:
    """Draw how often each cell holds each value, exactly, over all solutions.

    \b
    rekkyo stats queens 8
    rekkyo stats dominoes 8 8 --json
    """
    puzzle = read_puzzle(words)
    from rekkyo.ask.diagram import stats
    from rekkyo.render.heat import heat_map, heats

    found = stats(puzzle)
    if as_json:
        maps = [asdict(heat) for heat in heats(puzzle.model, found.uses)]
        click.echo(json.dumps(asdict(found) | {"heats": maps}))
        return
    click.echo(heat_map(puzzle, found.total, found.uses))
    note(
        f"{puzzle.name}: shares in percent of {found.total} solutions,"
        f" from a diagram of {found.n_nodes:,} nodes in {found.elapsed_s:.3f} s"
    )
