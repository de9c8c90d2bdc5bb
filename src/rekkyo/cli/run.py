"""`rekkyo run` and `rekkyo resume`."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

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
from rekkyo.cli.progress import Interrupted, clock, progress_bar

if TYPE_CHECKING:
    from rekkyo.runs.status import RunStatus
    from rekkyo.search.progress import Watcher

CommandT = TypeVar("CommandT", bound=Callable[..., Any])

directory_argument = click.argument("directory", metavar="D", type=click.Path(path_type=Path))


def where_options(command: CommandT) -> CommandT:
    """Who carries the shards out."""
    options = (
        click.option(
            "--workers", type=int, metavar="N", help="Threads, or Dask workers; all cores by default."
        ),
        click.option(
            "--dask", metavar="ADDRESS", help="A Dask scheduler, or `local` for one of this computer."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command(
    "run",
    short_help="Find all solutions and keep them; go on after a crash.",
    context_settings=PASS_ON_UNKNOWN_OPTIONS,
)
@puzzle_argument
@click.option(
    "--out",
    "directory",
    metavar="D",
    required=True,
    type=click.Path(path_type=Path),
    help="The directory of the run; a run that is there already goes on.",
)
@click.option("--count-only", is_flag=True, help="Keep counts and digests, no rows.")
@click.option("--engine", metavar="NAME", help="The engine to search with; see `rekkyo info PUZZLE`.")
@click.option(
    "--shards", type=int, metavar="N", help="At least so many parts; as many as seem right by default."
)
@where_options
@up_to_option(default="none")
@json_option
def run_command(
    words: tuple[str, ...],
    directory: Path,
    count_only: bool,
    engine: str | None,
    shards: int | None,
    workers: int | None,
    dask: str | None,
    up_to: str,
    as_json: bool,
) -> None:
    """Find all solutions and keep them in a directory, so that a crash loses little.

    Stop it with Ctrl-C whenever you like, and go on with `rekkyo resume D`; `rekkyo status D` looks at it
    from another terminal. Unless --up-to says otherwise, every solution is kept.

    \b
    rekkyo run queens 12 --out runs/q12
    rekkyo run pentominoes 6 10 --out runs/p --up-to symmetry
    rekkyo run queens 16 --out runs/q16 --count-only --dask tcp://10.0.0.5:8786
    """
    puzzle = read_puzzle(words, "symmetry")
    say_obstacles(puzzle)
    from rekkyo.runs.stored import run

    with _until_stopped(directory, dask, workers) as (executor, watch):
        result = run(
            puzzle,
            directory,
            engine=engine,
            workers=workers if executor is None else None,
            up_to=up_to,
            count_only=count_only,
            shards=shards,
            executor=executor,
            watch=watch,
            say=note,
        )
    show_run(result, as_json)


@click.command("resume")
@directory_argument
@where_options
@json_option
def resume_command(directory: Path, workers: int | None, dask: str | None, as_json: bool) -> None:
    """Go on with a run, whoever began it and however it ended.

    \b
    rekkyo resume runs/q12
    """
    from rekkyo.runs.stored import resume

    with _until_stopped(directory, dask, workers) as (executor, watch):
        result = resume(
            directory, workers=workers if executor is None else None, executor=executor, watch=watch, say=note
        )
    show_run(result, as_json)


@contextmanager
def _until_stopped(
    directory: Path, dask: str | None, workers: int | None
) -> Iterator[tuple[Executor | None, Watcher]]:
    """Who carries the run out, and who watches; Ctrl-C and SIGTERM end it with how to go on."""
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        with progress_bar() as watch, executor_of(dask, workers) as executor:
            yield executor, watch
    except Interrupted as stopped:
        if not (directory / "manifest.json").is_file():
            raise
        how = f"finished shards are safe; go on with: rekkyo resume {directory}"
        raise Interrupted(f"{stopped.message}; {how}") from None
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def executor_of(dask: str | None, workers: int | None) -> Iterator[Executor | None]:
    """The executor that --dask asks for, or None for threads."""
    if dask is None:
        yield None
        return
    from rekkyo.runs.on_dask import dask_executor

    with dask_executor(dask, workers) as executor:
        yield executor


def _interrupt(_signal: int, _frame: object) -> None:
    raise KeyboardInterrupt


def show_run(result: RunStatus, as_json: bool) -> None:
    """Say what a run has come to; exit code 1 if something known contradicts it."""
    if as_json:
        click.echo(json.dumps(asdict(result)))
    else:
        click.echo(counts_of(result))
        note(_details(result))
    if any(evidence.outcome == "FAILED" for evidence in result.evidence):
        failed = [evidence for evidence in result.evidence if evidence.outcome == "FAILED"]
        for evidence in failed:
            note(f"{evidence.check}: FAILED, {evidence.detail}")
        sys.exit(1)


def counts_of(result: RunStatus) -> str:
    """Total, unique and digest in one line."""
    so_far = "" if result.is_complete else "so far "
    parts = [f"{so_far}total {'unknown' if result.total is None else result.total}"]
    parts += [f"unique {result.unique}"] if result.unique is not None else []
    parts += [f"digest {result.digest}"] if result.digest is not None else []
    return ", ".join(parts)


def _details(result: RunStatus) -> str:
    rows = f"{result.rows_stored:,} rows" if result.rows_stored else "no rows"
    return (
        f"{result.puzzle}: {result.engine}, {result.nodes:,} nodes, {result.shards:,} shards in"
        f" {clock(result.elapsed_s)}, {rows} kept; rekkyo status {result.directory} shows what was checked"
    )
