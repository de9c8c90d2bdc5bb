"""`rekkyo run`, `resume`, `status`, `repair` and `recount`: commands on the directory of a run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rekkyo.cli import options
from rekkyo.cli.progress import CHECK, Interrupted, clock, progress_bar
from rekkyo.cli.streams import note, print_json, say
from rekkyo.errors import BadInput, in_shell
from rekkyo.wording import several

if TYPE_CHECKING:
    from rekkyo.runs.status import Evidence, RunStatus

CommandT = TypeVar("CommandT", bound=Callable[..., Any])

directory_argument = click.argument("directory", metavar="D", type=options.FileOrFolder())


def where_options(command: CommandT) -> CommandT:
    """The options for the workers of a run."""
    dask = click.option(
        "--dask", metavar="ADDRESS", help="A Dask scheduler, or `local` for one of this computer."
    )
    workers = click.option(
        "--workers", type=int, metavar="N", help="Threads, or workers of --dask local; all cores by default."
    )
    return workers(dask(command))


@options.puzzle_command("run", "Find all solutions and keep them; go on after a crash.")
@click.option(
    "--out",
    "directory",
    metavar="D",
    required=True,
    type=options.FileOrFolder(),
    help="The directory of the run; an existing run is continued.",
)
@click.option(
    "--count-only",
    is_flag=True,
    help="Keep counts and digests, no rows. Solutions are listed unless --engine names one that counts.",
)
@options.engine_option()
@click.option("--shards", type=int, metavar="N", help="The least number of shards; chosen by default.")
@where_options
@options.up_to_option(default="none")
@options.json_option
def run_command(
    words: tuple[str, ...],
    directory: Path,
    workers: int | None,
    dask: str | None,
    as_json: bool,
    **asked: Any,
) -> None:
    """Find all solutions and keep them in a directory, so that a crash loses little.

    Stop it with Ctrl-C at any time, and continue with `rekkyo resume D`; `rekkyo status D` shows the progress
    in another terminal. By default every solution is kept; --up-to keeps fewer.

    \b
    rekkyo run queens 12 --out runs/q12
    rekkyo run pentominoes 6 10 --out runs/p --up-to symmetry
    rekkyo run queens 16 --out runs/q16 --count-only --dask tcp://10.0.0.5:8786
    """
    is_each_kept = asked["up_to"] == "none"
    puzzle = options.read_puzzle_to_search(words, "symmetry" if is_each_kept else asked["up_to"])
    from rekkyo.runs.stored import run

    with _until_stopped(directory, dask, workers) as where:
        result = run(puzzle, directory, say=note, **where, **asked)
    _show_run(result, as_json)


@options.rekkyo.command("resume")
@directory_argument
@where_options
@options.json_option
def resume_command(directory: Path, workers: int | None, dask: str | None, as_json: bool) -> None:
    """Continue a run, in the same or another process, after any stop.

    \b
    rekkyo resume runs/q12
    """
    from rekkyo.runs.run import Run

    with _until_stopped(directory, dask, workers) as where:
        result = Run(directory).resume(say=note, **where)
    _show_run(result, as_json)


@contextmanager
def _until_stopped(
    directory: Path,
    dask: str | None,
    workers: int | None,
    again: str = "resume",
    flags: str = "",
    manifests: str = "manifest.json",
) -> Iterator[dict[str, Any]]:
    """As `_where`; the message of an interrupted run says how to continue. again: the command for that.

    manifests: a pattern; shards are kept if there is such a file in the directory.
    """
    try:
        with _where(directory, dask, workers) as where:
            yield where
    except Interrupted as stopped:
        if not (directory / "manifest.json").is_file():
            raise
        is_kept = any(directory.glob(manifests))
        how = "finished shards are safe; go on with" if is_kept else "begin again with"
        command = f"rekkyo {again} {in_shell(directory)}{flags}"
        raise Interrupted(f"{stopped.message}; {how}: {command}") from None


@contextmanager
def _where(name: str | Path, dask: str | None, workers: int | None) -> Iterator[dict[str, Any]]:
    """The parameters of a run for workers and progress. name: of the progress bar."""
    with progress_bar(str(name)) as watch:
        if dask is None:
            yield {"workers": workers, "watch": watch}
            return
        from rekkyo.runs.on_dask import dask_executor

        with dask_executor(dask, workers) as executor:
            yield {"executor": executor, "watch": watch}


def _show_run(result: RunStatus, as_json: bool) -> None:
    """Print the outcome of a run; exit code 1 if a check failed."""
    if as_json:
        print_json(result)
    else:
        click.echo(_counts(result))
        note(_details(result))
    failed = [evidence for evidence in result.evidence if evidence.outcome == "FAILED"]
    for evidence in failed:
        note(f"{evidence.check}: FAILED, {evidence.detail}")
    if failed:
        sys.exit(1)


def _counts(result: RunStatus) -> str:
    """Total, unique, optimum and digest in one line."""
    so_far = "" if result.is_complete else "so far "
    parts = [f"{so_far}total {'unknown' if result.total is None else result.total}"]
    parts += [f"unique {result.unique}"] if result.unique is not None else []
    parts += [f"optimum {result.optimum}"] if result.optimum is not None else []
    parts += [f"digest {result.digest}"] if result.digest is not None else []
    return ", ".join(parts)


def _details(result: RunStatus) -> str:
    rows = several(result.rows_stored, "row") if result.rows_stored else "no rows"
    return (
        f"{result.puzzle}: {result.engine}, {several(result.nodes, 'node')},"
        f" {several(result.shards, 'shard')} in {clock(result.elapsed_s)}, {rows} kept;"
        f" rekkyo status {in_shell(result.directory)} shows what was checked"
    )


@options.rekkyo.command("status", short_help="Show the progress of a run, and its checks.")
@directory_argument
@options.json_option
def status_command(directory: Path, as_json: bool) -> None:
    """Show the progress of a run, and its checks.

    This also works during the run, in another terminal.

    \b
    rekkyo status runs/q12
    """
    from rekkyo.runs.status import status

    result = status(directory)
    if as_json:
        print_json(result)
        return
    say(*_progress(result), *map(_evidence_line, result.evidence))


def _progress(result: RunStatus) -> list[str]:
    share = f"{result.shards_done:,} of {several(result.shards, 'shard')}"
    lines = [
        f"{result.puzzle}: {result.state}, {share}, {clock(result.elapsed_s)}, {result.engine}",
        _counts(result),
    ]
    if result.state == "running" and result.remaining_s is not None:
        low, high = result.remaining_s
        lines.append(f"{clock(low)} to {clock(high)} left with {several(result.workers, 'worker')}")
    if result.checkpoint is not None:
        lines.append(f"a count that is not finished has a checkpoint of {result.checkpoint}")
    if result.state == "interrupted":
        lines.append(f"go on with: rekkyo resume {in_shell(result.directory)}")
    return lines


def _evidence_line(evidence: Evidence) -> str:
    marks = {"passed": "+", "FAILED": "!", "not done": " ", "not possible": " "}
    mark = marks[evidence.outcome]
    return f"{mark} {evidence.check}: {evidence.outcome}, {evidence.detail}; cannot see {evidence.blind_to}"


@options.rekkyo.command("repair", short_help="List damaged stored rows; with --yes, drop their shards.")
@directory_argument
@click.option("--yes", "is_agreed", is_flag=True, help="Drop the damaged shards.")
@options.json_option
def repair_command(directory: Path, is_agreed: bool, as_json: bool) -> None:
    """List the shards of a run with damaged rows; with --yes, drop these shards.

    Nothing is changed without --yes, and rows are never deleted: `rekkyo resume D` searches dropped shards
    again and appends their rows. Exit code 1 if there is damage and it was not dropped.

    \b
    rekkyo repair runs/q12
    rekkyo repair runs/q12 --yes
    """
    from rekkyo.runs.run import Run

    run = Run(directory)
    with progress_bar(str(directory), result=CHECK) as watch:
        damage = run.damage(watch=watch)
    if is_agreed and damage.shards:
        run.repair(damage)
    if as_json:
        print_json(damage, repaired=is_agreed and bool(damage.shards))
    else:
        for problem in damage.problems:
            say(problem)
        verb = ("counts" if damage.rows == 1 else "count") if is_agreed else "would count"
        rows = f"; {several(damage.rows, 'row')} {verb} no more" if damage.shards else ""
        click.echo(f"{several(len(damage.shards), 'shard')} damaged{rows}")
        if damage.shards:
            note(f"go on with: rekkyo {'resume' if is_agreed else 'repair --yes'} {in_shell(directory)}")
    if damage.shards and not is_agreed:
        sys.exit(1)


@options.rekkyo.command("recount", short_help="Search a run again, with another engine if there is one.")
@directory_argument
@click.option("--fraction", type=float, metavar="F", help="Only this part of the shards, chosen at random.")
@click.option(
    "--seed", type=int, default=1, show_default=True, metavar="S", help="The seed of the random choice."
)
@options.engine_option("The engine to recount with; another than the run's by default.")
@where_options
@options.json_option
def recount_command(
    directory: Path, workers: int | None, dask: str | None, as_json: bool, **asked: Any
) -> None:
    """Search a run again, with another engine if there is one, and compare counts and digests.

    A recount of the whole run is a separate run, inside the directory, and can be continued. Exit code 1 if
    anything differs.

    \b
    rekkyo recount runs/q12
    rekkyo recount runs/q12 --fraction 0.05 --seed 7
    """
    from rekkyo.runs.run import Run

    if dask is not None and asked["fraction"] is not None:
        raise BadInput("--dask recounts the whole run; leave out either --dask or --fraction")
    named = f" --engine {asked['engine']}" if asked["engine"] else ""
    is_kept = asked["fraction"] is None  # a recount of a part begins anew
    if is_kept:
        options.refuse_given("without --fraction every shard is recounted", "which is for a part", "seed")
    inside = f"recount-{asked['engine'] or '*'}/manifest.json"
    until = _until_stopped(directory, dask, workers, "recount", named, inside)
    with until if is_kept else _where(directory, dask, workers) as where:
        result = Run(directory).recount(**where, **asked)
    if as_json:
        print_json(result)
    else:
        verdict = "the same" if result.agrees else "DIFFERENT"
        what = f"{result.shards:,} of {several(result.of_shards, 'shard')}"
        say(f"recounted {what} by {', '.join(result.engines)}: {verdict}")
        note(result.detail)
        if result.differing:
            note(f"shards that differ: {', '.join(map(str, result.differing))}")
        if not result.other_engine:
            note("the recount shared search code with the run, so it finds only faults of the computer")
    if not result.agrees:
        sys.exit(1)
