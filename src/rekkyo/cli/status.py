"""`rekkyo status`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rekkyo.cli.options import json_option
from rekkyo.cli.progress import clock
from rekkyo.cli.run import counts_of, directory_argument

if TYPE_CHECKING:
    from rekkyo.runs.status import Evidence, RunStatus


@click.command("status", short_help="Show how far a run is, and what has been checked.")
@directory_argument
@json_option
def status_command(directory: Path, as_json: bool) -> None:
    """Show how far a run is, and what has been checked of it in which way.

    Works while the run is being carried out, from another terminal.

    \b
    rekkyo status runs/q12
    """
    from rekkyo.runs.status import status

    result = status(directory)
    if as_json:
        click.echo(json.dumps(asdict(result)))
        return
    click.echo("\n".join([*_progress(result), *map(_line, result.evidence)]))


def _progress(result: RunStatus) -> list[str]:
    share = f"{result.shards_done:,} of {result.shards:,} shards"
    lines = [
        f"{result.puzzle}: {result.state}, {share}, {clock(result.elapsed_s)}, {result.engine}",
        counts_of(result),
    ]
    if result.state == "running" and result.remaining_s is not None:
        low, high = result.remaining_s
        lines.append(f"{clock(low)} to {clock(high)} left with {result.workers} workers")
    if result.state == "interrupted":
        lines.append(f"go on with: rekkyo resume {result.directory}")
    return lines


def _line(evidence: Evidence) -> str:
    marks = {"passed": "+", "FAILED": "!", "not done": " ", "not possible": " "}
    mark = marks[evidence.outcome]
    return f"{mark} {evidence.check}: {evidence.outcome}, {evidence.detail}; cannot see {evidence.blind_to}"
