"""`rekkyo recount`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click

from rekkyo.cli.notes import note
from rekkyo.cli.options import json_option
from rekkyo.cli.progress import progress_bar
from rekkyo.cli.run import directory_argument, executor_of, where_options


@click.command("recount", short_help="Search a run again, with another engine where there is one.")
@directory_argument
@click.option("--fraction", type=float, metavar="F", help="Only this part of the shards, chosen at random.")
@click.option("--seed", type=int, default=1, show_default=True, metavar="S", help="Of the choice.")
@click.option(
    "--engine", metavar="NAME", help="The engine to recount with; another than the run's by default."
)
@where_options
@json_option
def recount_command(
    directory: Path,
    fraction: float | None,
    seed: int,
    engine: str | None,
    workers: int | None,
    dask: str | None,
    as_json: bool,
) -> None:
    """Search a run again, with another engine where there is one, and compare counts and digests.

    The whole is a run of its own, inside the directory, and goes on where it was stopped. Exit code 1 if
    anything differs.

    \b
    rekkyo recount runs/q12
    rekkyo recount runs/q12 --fraction 0.05 --seed 7
    """
    from rekkyo.runs.recount import recount

    with progress_bar() as watch, executor_of(dask, workers) as executor:
        result = recount(
            directory,
            fraction=fraction,
            seed=seed,
            engine=engine,
            workers=workers if executor is None else None,
            executor=executor,
            watch=watch,
        )
    if as_json:
        click.echo(json.dumps(asdict(result)))
    else:
        verdict = "the same" if result.agrees else "DIFFERENT"
        what = f"{result.shards:,} of {result.of_shards:,} shards"
        click.echo(f"recounted {what} by {', '.join(result.engines)}: {verdict}")
        note(result.detail)
        if result.differing:
            note(f"shards that differ: {', '.join(map(str, result.differing))}")
        if not result.other_engine:
            note("by the engine of the run: finds faults of the computer, not of the program")
    if not result.agrees:
        sys.exit(1)
