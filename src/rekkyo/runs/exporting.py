"""Export of a run, or of a puzzle that is searched now, to files in other formats."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace
from errno import EBADF
from functools import partial
from pathlib import Path
from typing import IO, TypeAlias

from rekkyo.ask.count import count
from rekkyo.ask.solve import solve_blocks
from rekkyo.catalog.entry import is_whole_number
from rekkyo.engines.contract import Rows
from rekkyo.errors import BadInput, BadRun, fix_for_name, in_short, printable
from rekkyo.export import tables
from rekkyo.export.burrtools_write import write_burrtools
from rekkyo.export.header import Header, is_header
from rekkyo.export.minizinc_write import write_minizinc
from rekkyo.export.puzzle_files import write_dimacs, write_puzzle
from rekkyo.export.text import writer
from rekkyo.model.checks import check_type, refuse, shown
from rekkyo.model.puzzle import Puzzle, check_puzzle, plain_words
from rekkyo.runs.bfiles import bfile_lines
from rekkyo.runs.puzzle_source import file_and_values
from rekkyo.runs.sources import puzzle_of_run
from rekkyo.runs.status import status
from rekkyo.safe_files import open_file, path_of, replaced_files
from rekkyo.search.question import kept_up_to
from rekkyo.store.output_file import file_to_write, output_file
from rekkyo.store.reader import RunReader

Writer: TypeAlias = Callable[[Puzzle, Header, Iterable[Rows], IO[bytes]], None]


def _write_text(puzzle: Puzzle, header: Header, blocks: Iterable[Rows], out: IO[bytes]) -> None:
    """Drawings as text, an empty line after each."""
    out.write(header.lines("#") + b"\n")
    write = writer("board", puzzle)
    for rows in blocks:
        out.write(write(rows))


def _write_puzzle(
    comment: str,
    text: Callable[[Puzzle], str],
    puzzle: Puzzle,
    header: Header,
    _blocks: Iterable[Rows],
    out: IO[bytes],
) -> None:
    """The puzzle itself. comment: begins a comment of the format."""
    out.write(header.lines(comment) + text(puzzle).encode())


def _write_burrtools(puzzle: Puzzle, header: Header, _blocks: Iterable[Rows], out: IO[bytes]) -> None:
    """The puzzle itself, with the header as its comment."""
    out.write(write_burrtools(puzzle, "\n".join(header.texts())).encode())


def _write_bfile(puzzle: Puzzle, header: Header, _blocks: Iterable[Rows], out: IO[bytes]) -> None:
    """The single term of the run."""
    _, size, *rest = *puzzle.name.split(), "", ""
    if not is_whole_number(size) or any(rest):
        raise BadInput(f"a b-file needs a puzzle with one size, such as queens 8; not {puzzle.name}")
    if header.total is None or not header.complete:
        problem = "the total is not known yet, so there is no b-file"
        raise BadInput(f"{puzzle.name}: {problem}; finish the run first")
    term = header.total if header.up_to == "none" else header.unique
    if term is None:
        problem = f"the number of orbits up to {header.up_to} is not known"
        raise BadInput(f"{puzzle.name}: {problem}; write a b-file of all solutions (up to none)")
    out.writelines(line.encode() for line in bfile_lines(header.texts(), [(int(size), term)]))


WRITERS: dict[str, Writer] = {
    "csv": tables.write_csv,
    "jsonl": tables.write_jsonl,
    "text": _write_text,
    "xcc": partial(_write_puzzle, "|", write_puzzle),
    "dimacs": partial(_write_puzzle, "c", write_dimacs),
    "mzn": partial(_write_puzzle, "%", write_minizinc),
    "xmpuzzle": _write_burrtools,
    "bfile": _write_bfile,
    "parquet": tables.write_parquet,
}
"""The writers of one file. npy writes two."""

NEEDS_A_FILE = ("npy", "parquet")
OF_PUZZLE = ("xcc", "dimacs", "mzn", "xmpuzzle")
"""Formats of the puzzle itself, which has all solutions."""
NEEDS_NO_ROWS = (*OF_PUZZLE, "bfile")
FORMATS = ("csv", "jsonl", "npy", "parquet", *OF_PUZZLE, "bfile", "text")
MOST_HEADER_BYTES = 1 << 20


def format_of(out: Path | None) -> str:
    """The format that the name of a file tells. Raises BadInput."""
    suffix = "" if out is None else out.suffix.removeprefix(".").lower()
    found = {"cnf": "dimacs"}.get(suffix, suffix)
    if found not in FORMATS:
        problem = f'"{in_short(out.suffix)}" names no format' if out and suffix else "--to is missing"
        raise BadInput(f"export: {problem}; add --to FORMAT: {', '.join(FORMATS)}")
    return found


def export_run(
    directory: str | os.PathLike[str],
    to: str,
    out: str | os.PathLike[str] | IO[bytes],
    puzzle: Puzzle | None = None,
) -> Header:
    """Write the stored rows of a run, or its puzzle, in a format. Raises BadInput, BadRun.

    out: a file, or a stream of bytes for formats other than npy and parquet; npy also writes OUT.json, which
    must be new or the header of an earlier array. puzzle: of a run that was begun with a puzzle from Python.
    """
    _check_where(to, out)
    _check_place(to, out)
    puzzle = puzzle_of_run(directory, puzzle)
    facts = status(directory)
    header = replace(
        Header.of(puzzle, facts.up_to),
        rows=facts.rows_stored,
        digest=facts.digest,
        total=facts.total,
        unique=facts.unique,
        complete=facts.is_complete,
    )
    if to in OF_PUZZLE:
        header = replace(header, up_to="none", rows=None, digest=None)
    if to in NEEDS_NO_ROWS:
        _write(to, puzzle, header, (), out)
        return header
    with RunReader(path_of(directory), puzzle=puzzle) as reader:
        header = replace(header, rows=len(reader), digest=header.digest if header.complete else None)
        _write(to, puzzle, header, reader.rows(), out)
    return header


def export_puzzle(
    puzzle: Puzzle, to: str, out: str | os.PathLike[str] | IO[bytes], *, up_to: str = "none"
) -> Header:
    """Search a puzzle and write its solutions as they are found; counts and digest are not in the header.

    out: as for `export_run`. up_to: one solution for each orbit; "none" for formats that write the puzzle
    itself. Raises BadInput.
    """
    check_puzzle(puzzle)
    _check_where(to, out)
    _check_place(to, out, puzzle)
    up_to = plain_words(up_to)
    if to in OF_PUZZLE and up_to != "none":
        raise BadInput(
            f'{to} writes the puzzle, which has every solution; leave out up to "{in_short(up_to)}"'
        )
    header = Header.of(puzzle, up_to if to == "bfile" else kept_up_to(puzzle, up_to))
    if to == "bfile":
        found = count(puzzle, up_to=up_to)
        header = replace(header, total=found.total, unique=found.unique)
    if to in NEEDS_NO_ROWS:
        _write(to, puzzle, header, (), out)
    else:
        with closing(solve_blocks(puzzle, up_to=up_to)) as blocks:
            _write(to, puzzle, header, blocks, out)
    return header


def _check_where(to: str, out: object) -> None:
    """Raise BadInput unless there is such a format, and `out` is a file or a stream of bytes."""
    check_type("the format is a text, such as csv", to, str)
    if isinstance(out, (str, os.PathLike)):
        if not path_of(out).name:
            raise BadInput(f"{shown(os.fspath(out))} names no file to write; name one, such as rows.csv")
    elif not _takes_bytes(out):
        refuse("the output is the name of a file, or a stream of bytes", out)
    if to not in FORMATS:
        raise BadInput(f'unknown format "{to}"; {fix_for_name(to, FORMATS)}')


def _takes_bytes(out: object) -> bool:
    """Whether it is an open stream of bytes; no class tells which streams are."""
    try:
        out.write(b"")  # type: ignore[attr-defined]
    except (AttributeError, TypeError, ValueError):  # a text, closed, or only for reading
        return False
    except OSError as problem:  # of gzip, if it is only for reading
        if problem.errno != EBADF:
            raise
        return False
    return True


def _check_place(to: str, out: str | os.PathLike[str] | IO[bytes], puzzle: Puzzle | None = None) -> None:
    """Raise BadInput, before the search, if the format cannot be written there. puzzle: may be in a file."""
    inputs = () if puzzle is None else _file_names_in(puzzle.name)
    is_plain = isinstance(out, (str, os.PathLike)) and file_to_write(out, inputs=inputs) is not None
    if to in NEEDS_A_FILE and not is_plain:
        raise BadInput(f"{to} cannot be written into a pipe; name a file with -o")
    if to == "npy" and isinstance(out, (str, os.PathLike)):
        _check_header_file(_header_file(out))


def _file_names_in(puzzle_name: str) -> list[str | Path]:
    """The names in that of a puzzle that may be those of files."""
    file, _ = file_and_values(puzzle_name)
    return [*puzzle_name.split(" "), *([] if file is None else [file])]


def _header_file(out: str | os.PathLike[str]) -> Path:
    """The file with the header of an array."""
    path = path_of(out)
    return path.with_name(path.name + ".json")


def _check_header_file(path: Path) -> None:
    """Raise BadInput if the file may be a foreign one, which the user did not name."""
    try:
        with open_file(path) as file:
            is_ours = is_header(file.read(MOST_HEADER_BYTES))
    except FileNotFoundError:
        return
    except (OSError, BadRun):
        is_ours = False
    if not is_ours:
        what = "the header of the array goes there, and another file has this name"
        raise BadInput(f"{printable(str(path))}: {what}; move it, or name another file with -o")


def _write(
    to: str, puzzle: Puzzle, header: Header, blocks: Iterable[Rows], out: str | os.PathLike[str] | IO[bytes]
) -> None:
    if not isinstance(out, (str, os.PathLike)):
        WRITERS[to](puzzle, header, blocks, out)
        return
    path = file_to_write(out)
    if to == "npy" and path is not None:
        with replaced_files(path, _header_file(out)) as (file, header_file):
            tables.write_npy(puzzle, header, blocks, file, header_file)
        return
    with output_file(out) as file:
        WRITERS[to](puzzle, header, blocks, file)
