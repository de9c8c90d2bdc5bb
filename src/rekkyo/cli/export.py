"""`rekkyo export` and `rekkyo bfile`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rekkyo.cli.notes import note
from rekkyo.cli.options import (
    PASS_ON_UNKNOWN_OPTIONS,
    is_file_name,
    puzzle_argument,
    puzzle_words,
    read_puzzle,
    up_to_option,
)
from rekkyo.cli.streams import write_file_text
from rekkyo.errors import BadInput, in_short


@click.command(
    "export",
    short_help="Write solutions as CSV, JSON Lines, npy, Parquet and more.",
    context_settings=PASS_ON_UNKNOWN_OPTIONS,
)
@puzzle_argument
@click.option(
    "--to",
    "to",
    metavar="FORMAT",
    required=True,
    help="csv, jsonl, npy, parquet, xcc, dimacs, bfile or text.",
)
@click.option(
    "-o", "--out", "out", metavar="FILE", type=click.Path(path_type=Path), help="Standard output by default."
)
@up_to_option(default="none")
def export_command(words: tuple[str, ...], to: str, out: Path | None, up_to: str) -> None:
    """Write the solutions of a run in a format that others read, with a header that says what they are.

    A puzzle may stand for the run: then it is searched now, and the header has no counts. xcc and dimacs
    write the puzzle itself.

    \b
    rekkyo export runs/q12 --to csv | head
    rekkyo export runs/q12 --to parquet -o q12.parquet
    rekkyo export queens 8 --to npy -o q8.npy
    """
    from rekkyo.runs.exporting import export_puzzle, export_run

    where = sys.stdout.buffer if out is None else out
    if len(words) == 1 and (Path(words[0]) / "manifest.json").is_file():
        header = export_run(words[0], to, where)
    else:
        header = export_puzzle(read_puzzle(words, up_to), to, where, up_to=up_to)
    sys.stdout.flush()
    if out is not None:
        note(f"{header.puzzle}: wrote {out}")


@click.command("bfile", context_settings=PASS_ON_UNKNOWN_OPTIONS)
@puzzle_words("PUZZLE... FIRST..LAST")
@click.option("--unique", is_flag=True, help="Count orbits, not solutions.")
def bfile_command(words: tuple[str, ...], unique: bool) -> None:
    """Count a range of sizes, as a b-file of the OEIS.

    \b
    rekkyo bfile queens 1..14 > b000170.txt
    rekkyo bfile dominoes 4 1..8
    """
    from rekkyo.runs.exporting import bfile

    if words and is_file_name(words[0]):
        file = in_short(words[0])
        raise BadInput(
            f'a b-file counts a family of puzzles over a range of sizes, such as queens 1..14; "{file}" is a'
            " file, and files have no sizes"
        )
    for line in bfile(words, unique=unique):
        write_file_text(line)
