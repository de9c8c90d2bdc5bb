"""`rekkyo certify`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from rekkyo.cli.notes import note
from rekkyo.cli.options import PASS_ON_UNKNOWN_OPTIONS, json_option, puzzle_argument, read_puzzle
from rekkyo.cli.progress import progress_bar


@click.command(
    "certify",
    short_help="List all solutions, with a proof that there is no other.",
    context_settings=PASS_ON_UNKNOWN_OPTIONS,
)
@puzzle_argument
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True, help="A new folder for it.")
@click.option("--limit-seconds", type=float, default=600.0, show_default=True, help="For the SAT solver.")
@json_option
def certify_command(words: tuple[str, ...], out: Path, limit_seconds: float, as_json: bool) -> None:
    """List all solutions, with a proof for drat-trim that there is no other one.

    \b
    rekkyo certify queens 8 -o cert/
    rekkyo certify hip 6 -o cert/hip6
    """
    puzzle = read_puzzle(words)
    from rekkyo.runs.certify import certify

    with progress_bar() as watch:
        result = certify(puzzle, out, limit_s=limit_seconds, watch=watch)
    if as_json:
        click.echo(json.dumps(asdict(result)))
        return
    click.echo(f"total {result.total}, proved complete in {result.n_steps:,} steps")
    note(
        f"{result.puzzle}: {result.solver}, {result.n_variables:,} variables, {result.n_clauses:,} clauses,"
        f" {result.prove_s:.1f} s, {result.proof_bytes / 1e6:.1f} MB; check it: drat-trim"
        f" {Path(result.folder) / 'blocked.cnf'} {Path(result.folder) / 'proof.drat'}"
    )
