"""`rekkyo publish`, and `rekkyo verify` of a bundle."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rekkyo.cli.options import FileOrFolder, json_option, rekkyo
from rekkyo.cli.progress import clock
from rekkyo.cli.streams import note, print_json, say, say_checks
from rekkyo.errors import in_shell
from rekkyo.wording import several


@rekkyo.command("publish", short_help="Make finished runs into a bundle that others can check.")
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=FileOrFolder())
@click.option(
    "-o",
    "--out",
    metavar="DIR",
    required=True,
    type=FileOrFolder(),
    help="A new folder for the bundle.",
)
@click.option("--statement", metavar="TEXT", required=True, help="What is counted, in a sentence.")
@click.option("--known", metavar="TEXT", default="", help="Earlier results of others, with place and date.")
@json_option
def publish_command(folders: tuple[Path, ...], out: Path, statement: str, known: str, as_json: bool) -> None:
    """Write counts from runs, recounts and certificates into a folder that others can check.

    DIR is a finished run or a certificate. All are of one puzzle file in several sizes, or of puzzles of the
    catalog. Rows are left out.

    \b
    rekkyo publish runs/q8 runs/q9 -o bundles/queens --statement "Queens on n x n squares"
    rekkyo verify bundles/queens
    """
    from rekkyo.runs.publish import publish

    bundle = publish(folders, out, statement=statement, known=known)
    if as_json:
        print_json(bundle)
        return
    click.echo(f"{several(len(bundle.terms), 'term')}, {bundle.counted_twice}")
    note(f"check it: rekkyo verify {in_shell(out)}")


def verify_bundle(folder: Path, limit_s: float, as_json: bool) -> None:
    """Print the checks of a bundle, one line each; exit code 1 if anything is wrong."""
    from rekkyo.runs.check_bundle import check_bundle

    result = check_bundle(folder, limit_s=limit_s)
    if as_json:
        print_json(result, passed=result.passed)
    else:
        say_checks(result.checks)
        if result.left_s:
            took = f"counts that took {clock(result.left_s)} where the bundle was made were not repeated"
            note(f"{took}; a greater --limit-seconds repeats those that take long")
        right = "nothing wrong in what was checked" if result.n_left else "nothing wrong"
        verdict = right if result.passed else "NOT as the bundle says"
        say(f"{result.statement}: {verdict}")
    if not result.passed:
        sys.exit(1)
