"""A run, or a puzzle that is searched now, into files of the formats that others read.

b-files, as the OEIS has them: `n a(n)` on each line, n going up by one, comments with `#`, plain ASCII.
Source: OEIS, "b-file formatting" (oeis.org/wiki/B-files).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import IO, TypeAlias

from rekkyo.ask.count import count
from rekkyo.ask.solve import solve_blocks
from rekkyo.catalog import index as catalog
from rekkyo.catalog.entry import is_whole_number
from rekkyo.engines.contract import Rows
from rekkyo.errors import BadInput, mend_for_name
from rekkyo.export import tables
from rekkyo.export.header import Header
from rekkyo.export.puzzle_files import write_dimacs, write_puzzle
from rekkyo.export.text import writer
from rekkyo.model.puzzle import Puzzle
from rekkyo.runs.sources import puzzle_of_run
from rekkyo.runs.status import status
from rekkyo.store.reader import RunReader

ToStream: TypeAlias = Callable[[Puzzle, Header, Iterable[Rows], IO[bytes]], None]
ToFile: TypeAlias = Callable[[Puzzle, Header, Iterable[Rows], Path], None]

MAX_TERMS = 1000
MAX_DIGITS = 1000


def _write_text(puzzle: Puzzle, header: Header, blocks: Iterable[Rows], out: IO[bytes]) -> None:
    """Drawings as text, an empty line after each."""
    out.write(header.lines("#") + b"\n")
    write = writer("board", puzzle)
    for rows in blocks:
        out.write(write(rows))


def _write_xcc(puzzle: Puzzle, header: Header, _blocks: Iterable[Rows], out: IO[bytes]) -> None:
    """The exact cover that is searched."""
    out.write(header.lines("|") + write_puzzle(puzzle).encode())


def _write_dimacs(puzzle: Puzzle, header: Header, _blocks: Iterable[Rows], out: IO[bytes]) -> None:
    """The formula whose models are the solutions."""
    out.write(header.lines("c") + write_dimacs(puzzle).encode())


def _write_bfile(puzzle: Puzzle, header: Header, _blocks: Iterable[Rows], out: IO[bytes]) -> None:
    """The one term that the run gives."""
    size = puzzle.name.split()[-1]
    if not is_whole_number(size) or len(puzzle.name.split()) != 2:
        raise BadInput(f"a b-file needs a puzzle with one size, such as queens 8; not {puzzle.name}")
    if header.total is None or not header.complete:
        problem = "the total is not known yet, so there is no b-file"
        raise BadInput(f"{puzzle.name}: {problem}; finish the run first")
    term = header.total if header.up_to == "none" or header.unique is None else header.unique
    out.writelines(line.encode() for line in bfile_lines(header.texts(), [(int(size), term)]))


TO_STREAM: dict[str, ToStream] = {
    "csv": tables.write_csv,
    "jsonl": tables.write_jsonl,
    "text": _write_text,
    "xcc": _write_xcc,
    "dimacs": _write_dimacs,
    "bfile": _write_bfile,
}
TO_FILE: dict[str, ToFile] = {"npy": tables.write_npy, "parquet": tables.write_parquet}
NEEDS_NO_ROWS = ("xcc", "dimacs", "bfile")
FORMATS = ("csv", "jsonl", "npy", "parquet", "xcc", "dimacs", "bfile", "text")


def export_run(directory: str | os.PathLike[str], to: str, out: str | os.PathLike[str] | IO[bytes]) -> Header:
    """Write the stored rows of a run, or what its puzzle is, in a format. Raises BadInput, BadRun.

    out: a file, or a stream of bytes for formats other than npy and parquet.
    """
    _check_format(to)
    puzzle = puzzle_of_run(directory)
    facts = status(directory)
    header = replace(
        Header.of(puzzle, facts.up_to),
        rows=facts.rows_stored,
        digest=facts.digest,
        total=facts.total,
        unique=facts.unique,
        complete=facts.is_complete,
    )
    if to in NEEDS_NO_ROWS:
        _write(to, puzzle, header, (), out)
        return header
    with RunReader(Path(directory)) as reader:
        header = replace(header, rows=len(reader), digest=header.digest if header.complete else None)
        _write(to, puzzle, header, reader.rows(), out)
    return header


def export_puzzle(
    puzzle: Puzzle, to: str, out: str | os.PathLike[str] | IO[bytes], *, up_to: str = "none"
) -> Header:
    """Search a puzzle and write its solutions as they are found; counts and digest are not in the header."""
    _check_format(to)
    header = Header.of(puzzle, up_to)
    if to == "bfile":
        found = count(puzzle)
        header = replace(header, total=found.total, unique=found.unique)
    if to in NEEDS_NO_ROWS:
        _write(to, puzzle, header, (), out)
    else:
        with closing(solve_blocks(puzzle, up_to=up_to)) as blocks:
            _write(to, puzzle, header, blocks, out)
    return header


def bfile(words: Sequence[str], *, unique: bool = False) -> Iterator[str]:
    """The lines of a b-file of counts: one of the words is a range, such as `1..14` in `queens 1..14`.

    Lines come as the counts are made. Raises BadInput.
    """
    places = [place for place, word in enumerate(words) if ".." in word and not word.startswith("--")]
    if len(places) != 1:
        raise BadInput("a b-file needs one range of sizes, such as queens 1..14")
    sizes = _read_range(words[places[0]])
    what = "orbits of solutions" if unique else "solutions"
    entry = catalog.entry(words[0])
    comments = [
        f"Number of {what} of {' '.join(words)}: {entry.summary}.",
        f"Source of the puzzle: {entry.source}",
    ]

    def terms() -> Iterator[tuple[int, int]]:
        for n in sizes:
            puzzle = catalog.puzzle([*words[: places[0]], str(n), *words[places[0] + 1 :]])
            found = count(puzzle, up_to="symmetry" if unique else "none")
            if unique and found.unique is None:
                raise BadInput(f"orbits of {puzzle.name} cannot be counted: {found.left_out}")
            yield n, found.total if found.unique is None else found.unique

    return bfile_lines(comments, terms())


def bfile_lines(comments: Sequence[str], terms: Iterable[tuple[int, int]]) -> Iterator[str]:
    """The lines of a b-file, each with its end. Raises BadInput when n does not go up by one."""
    for comment in comments:
        yield f"# {_ascii(comment)}\n"
    last = None
    for n, term in terms:
        if last is not None and n != last + 1:
            raise BadInput(f"a b-file goes up by one: {n} comes after {last}")
        if len(str(abs(term))) > MAX_DIGITS:
            raise BadInput(f"a b-file has terms of at most {MAX_DIGITS} digits; the one for {n} is longer")
        last = n
        yield f"{n} {term}\n"


def _ascii(text: str) -> str:
    return "".join(letter if letter.isascii() and letter.isprintable() else "?" for letter in text)


def _read_range(word: str) -> range:
    first, _, last = word.partition("..")
    if not (is_whole_number(first) and is_whole_number(last) and 0 <= int(first) <= int(last)):
        raise BadInput(f'sizes are a range of whole numbers such as 1..14, not "{word}"')
    if int(last) - int(first) >= MAX_TERMS:
        raise BadInput(f"a b-file here has at most {MAX_TERMS} terms, not {word}")
    return range(int(first), int(last) + 1)


def _check_format(to: str) -> None:
    if to not in FORMATS:
        raise BadInput(f'unknown format "{to}"; {mend_for_name(to, FORMATS)}')


def _write(
    to: str, puzzle: Puzzle, header: Header, blocks: Iterable[Rows], out: str | os.PathLike[str] | IO[bytes]
) -> None:
    if not isinstance(out, (str, os.PathLike)):
        if to in TO_FILE:
            raise BadInput(f"{to} cannot be written into a pipe; name a file with -o")
        TO_STREAM[to](puzzle, header, blocks, out)
        return
    # Beside the file, and put in its place at the end: no half of one is taken for a whole.
    path = Path(out)
    unfinished = path.with_name(path.name + ".part")
    companion = unfinished.with_name(unfinished.name + ".json")
    try:
        if to in TO_FILE:
            TO_FILE[to](puzzle, header, blocks, unfinished)
        else:
            with unfinished.open("wb") as file:
                TO_STREAM[to](puzzle, header, blocks, file)
        os.replace(unfinished, path)
        if companion.exists():
            os.replace(companion, path.with_name(path.name + ".json"))
    finally:
        unfinished.unlink(missing_ok=True)
        companion.unlink(missing_ok=True)
