"""Puzzles from files, and puzzles to text.

    .toml        your own puzzle, see `puzzle_toml/reader.py`
    .xcc         an exact cover in Knuth's format, see `xcc.py`
    .xmpuzzle    a puzzle of BurrTools, see `burrtools.py`; `mine.xmpuzzle#2` and `mine.xmpuzzle 2` are its
                 second problem
    .fzn         constraints in FlatZinc, see `flatzinc/reader.py`
    .xml, .lzma  constraints in XCSP3, see `xcsp3/reader.py`; `.lzma` is compressed, as in `mine.xml.lzma`
    .cnf         a formula in DIMACS form, see `cnf_file.py`
    .mzn         a model in MiniZinc, see `flatzinc/minizinc.py`; further files are its data

This module writes exact covers in Knuth's format, and DIMACS (see `formulas.py`). Each function imports the
reader or writer that it needs: importing all of them takes a tenth of the time of a short count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from rekkyo.catalog.own_symmetry import with_own_symmetry
from rekkyo.errors import BadInput, in_short, printable
from rekkyo.export.bounded import read_bytes
from rekkyo.export.puzzle_toml import reader
from rekkyo.export.puzzle_toml.family import Family
from rekkyo.model.checks import check_type
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.safe_files import path_of

BYTE_ORDER_MARK = "\ufeff"
"""Some editors begin files with it; a text that was read as plain UTF-8 still has it."""


def puzzle_from_file(path: str | Path, *values: int | str | Path) -> Puzzle:
    """The puzzle in a file, with the symmetry of its model. Its suffix says its kind. Raises BadInput.

    values: of the parameters, in order, if the file is a family; or data files of a MiniZinc model.
    """
    return with_own_symmetry(read_puzzle_file(path_of(path), [str(value) for value in values]))[0]


def puzzle_from_text(text: str, name: str = "puzzle", *values: int | str) -> Puzzle:
    """The puzzle in the text of a puzzle file in TOML, with the symmetry of its model. Raises BadInput.

    name: of the puzzle, also in messages. No file that the text names is read. values: of the parameters, in
    order, if the text is a family.
    """
    check_type("a puzzle file in TOML is a text", text, str)
    check_type("the name of a puzzle is a text", name, str)
    words = [str(value) for value in values]
    return with_own_symmetry(reader.read_toml(text.removeprefix(BYTE_ORDER_MARK), name, None, words))[0]


def read_puzzle_file(path: Path, values: Sequence[str]) -> Puzzle:
    """The puzzle in a file, with no symmetry but that which the file declares. Raises BadInput."""
    if len(values) == 1 and path.suffix.lower() == ".xmpuzzle" and values[0].isdecimal():
        path, values = path.with_name(f"{path.name}#{values[0]}"), ()
    whole, problem = file_and_problem(path)
    suffix = whole.suffix.lower()
    if suffix == TOML:
        return reader.read_toml_file(path, values)
    if suffix == MINIZINC:
        from rekkyo.export.flatzinc.minizinc import read_minizinc_file

        return read_minizinc_file((path, *map(Path, values)))
    check_suffix(path)
    if values:
        raise BadInput(f'"{in_short(values[0])}" is one word too many after the file {printable(str(path))}')
    return _self_contained(whole, problem)


def check_suffix(path: Path) -> None:
    """Raise BadInput, with the reason, unless a path has a name as puzzle files have."""
    if file_and_problem(path)[0].suffix.lower() not in ALL_SUFFIXES:
        raise BadInput(f"{printable(str(path))} {_why_it_is_neither(path)}")


def file_and_problem(path: Path) -> tuple[Path, int | None]:
    """The file of a path, and the number of its problem, from 1, if the path has one."""
    found = _WITH_PROBLEM.fullmatch(path.name)
    return (path.with_name(found[1]), int(found[2])) if found else (path, None)


def standing_alone(path: Path, values: Sequence[str]) -> tuple[str, str | bytes] | None:
    """The words and the content of a self-contained file with the same puzzle, if there is one.

    Words are the suffix of the file and the words after its name. Raises BadInput.
    """
    suffix = path.suffix.lower()
    if suffix == MINIZINC:
        from rekkyo.export.flatzinc.minizinc import flatzinc_text
        from rekkyo.export.flatzinc.reader import read_flatzinc

        text = flatzinc_text((path, *map(Path, values)))
        is_same = read_flatzinc(text, str(path)).model == read_puzzle_file(path, values).model
        return (FLATZINC, text) if is_same else None
    words = " ".join([suffix, *values])
    if suffix != TOML:
        return words, read_bytes(path, reader.MAX_BYTES)
    alone = reader.toml_alone(path, values)
    return None if alone is None else (words, alone)


def family_in_file(path: Path) -> tuple[Family, str, str] | None:
    """The family in a file, its title, and the source of its counts; None for a file of one puzzle."""
    return reader.read_toml_family(path) if path.suffix.lower() == TOML else None


def remarks_in_file(path: Path, values: Sequence[str]) -> list[str]:
    """Lines about what may be a mistake in a file, such as clauses that say nothing. Raises BadInput."""
    return reader.remarks_in_toml(path, values) if path.suffix.lower() == TOML else []


def _why_it_is_neither(path: Path) -> str:
    """Why a path is neither a run nor a puzzle file, for commands that accept both."""
    if (path / "manifest.json").is_file():
        return (
            "is a run, and a puzzle is expected; `rekkyo status`, `export`, `sample` and `verify` read a run"
        )
    endings = f"the name of a puzzle file ends in one of {', '.join(ALL_SUFFIXES)}"
    if path.is_dir():
        return f"holds no run: there is no manifest.json; {endings}"
    from rekkyo.export.puzzle_toml.graph import FORMATS

    suffix = path.suffix.lower()
    if suffix in FORMATS:
        name = printable(path.name)
        return f'is a graph; write kind = "graph" and file = "{name}" in a puzzle file .toml beside it'
    if suffix in COMPRESSED:
        return "is compressed; unpack it, and name the file that was in it"
    if path.exists():
        return f"is not a puzzle file; a run is a folder, and {endings}"
    return f"is not there; a run is a folder, and {endings}"


def _self_contained(path: Path, problem: int | None) -> Puzzle:
    """The puzzle in a file of another format than TOML. problem: the number of one of several."""
    match path.suffix.lower():
        case ".xcc":
            from rekkyo.export.xcc import read_xcc_file

            model, n_left_out = read_xcc_file(path)
            left_out = f" (options without a primary item left out: {n_left_out})" if n_left_out else ""
            return Puzzle(str(path), model, reader.described(model) + left_out)
        case ".xmpuzzle":
            from rekkyo.export.burrtools import read_burrtools_file

            return read_burrtools_file(path, problem)
        case ".fzn":
            from rekkyo.export.flatzinc.reader import read_flatzinc_file

            return read_flatzinc_file(path)
        case ".cnf":
            from rekkyo.export.cnf_file import read_cnf_file

            return read_cnf_file(path)
    from rekkyo.export.xcsp3.reader import read_xcsp3_file

    return read_xcsp3_file(path)


_WITH_PROBLEM = re.compile(r"(.+\.xmpuzzle)#([0-9]{1,6})", re.IGNORECASE | re.DOTALL)
TOML, FLATZINC, MINIZINC = ".toml", ".fzn", ".mzn"
SUFFIXES = (TOML, ".xcc", ".xmpuzzle", FLATZINC, ".xml", ".lzma", ".cnf")
"""Suffixes of self-contained files: a copy in the folder of a run gives the same puzzle."""

ALL_SUFFIXES = (*SUFFIXES, MINIZINC)

COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".zip")


def write_puzzle(puzzle: Puzzle) -> str:
    """The exact cover that is searched for a puzzle. Raises BadInput for puzzles of another kind."""
    model = lower(puzzle.model)
    if not isinstance(model, ExactCover):
        raise BadInput(f"{puzzle.name} is not searched as an exact cover, so it has no XCC text")
    from rekkyo.export.xcc import write_xcc

    return write_xcc(model)


def write_dimacs(puzzle: Puzzle) -> str:
    """The formula whose models are the solutions of a puzzle. Raises BadInput for puzzles that have none."""
    from rekkyo.export.cnf import dimacs
    from rekkyo.export.formulas import cnf_of

    return dimacs(cnf_of(puzzle.model), puzzle.name)
