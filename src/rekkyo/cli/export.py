"""`rekkyo export` and `rekkyo bfile`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from rekkyo.cli import completion, options
from rekkyo.cli.streams import note, write_file_text


@options.puzzle_command("export", "Write solutions as CSV, JSON Lines, npy, Parquet and more.")
@click.option(
    "--to",
    metavar="FORMAT",
    shell_complete=completion.one_of("rekkyo.runs.exporting", "FORMATS"),
    help="csv, jsonl, npy, parquet, xcc, dimacs, mzn, xmpuzzle, bfile or text; by default the end of -o.",
)
@options.out_option("Standard output by default, or by the name `-`.")
@options.up_to_option(default="none")
def export_command(words: tuple[str, ...], to: str | None, out: Path | None, up_to: str) -> None:
    """Write the solutions of a run in a format for other programs, with a header that describes them.

    A puzzle may be given instead of a run: then it is searched now, and the header has no counts. The puzzle
    itself is written by xcc, dimacs, mzn (MiniZinc) and xmpuzzle (BurrTools).

    \b
    rekkyo export runs/q12 --to csv | head
    rekkyo export runs/q12 --to parquet -o q12.parquet
    rekkyo export queens 8 -o q8.npy
    """
    from rekkyo.runs.exporting import export_puzzle, export_run, format_of

    to = format_of(out) if to is None else to
    where = sys.stdout.buffer if out is None else out
    run = options.run_directory(words)
    if run is None:
        header = export_puzzle(options.read_puzzle(words, up_to), to, where, up_to=up_to)
    else:
        options.check_options_for_run(run)
        header = export_run(run, to, where)
    sys.stdout.flush()
    if out is not None:
        note(f"{header.puzzle}: wrote {out}")


@options.puzzle_command("bfile", metavar="PUZZLE... FIRST..LAST")
@click.option("--unique", is_flag=True, help="Count orbits, not solutions.")
@click.option(
    "--up-to",
    metavar="WORDS",
    shell_complete=completion.up_to,
    help="With --unique: which solutions count as one, as in `rekkyo count`; `symmetry` if left out.",
)
@click.option("--optimum", is_flag=True, help="Write the best value of the objective, not a count.")
@click.option(
    "--engines",
    type=int,
    metavar="N",
    default=1,
    show_default=True,
    help="With 2, count every term again by an engine that shares no search code with the first.",
)
def bfile_command(words: tuple[str, ...], **asked: Any) -> None:
    """Count a range of sizes of a puzzle or a family, as a b-file.

    A family is a puzzle file with a [family].

    \b
    rekkyo bfile queens 1..14 > b000170.txt
    rekkyo bfile dominoes 4 1..8
    rekkyo bfile mine.toml 1..8 --engines 2
    rekkyo bfile queens 1..14 --unique --up-to rotations
    rekkyo bfile examples/queen-domination.toml 1..6 --optimum
    """
    from rekkyo.runs.bfiles import bfile

    for line in bfile(words, **asked):
        write_file_text(line)
