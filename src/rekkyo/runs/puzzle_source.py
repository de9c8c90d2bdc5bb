"""The source of a run's puzzle: words of the catalog, or a puzzle file in the run directory.

The file is a copy of the original file, with the content of other files in place of their names; or the
FlatZinc of a MiniZinc model; or the text of a cover. Nothing is ever unpickled or evaluated. Other puzzles
that were built in Python must be given again. The hash is checked when the words are used, because building
the Soma cube twice at the start of a run took 0.5 s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rekkyo.catalog import index as catalog
from rekkyo.errors import BadInput, BadRun, RunDamaged
from rekkyo.export import puzzle_files
from rekkyo.export.xcc import read_xcc
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Published, Puzzle, check_puzzle
from rekkyo.safe_files import check_plain
from rekkyo.store.manifest import Manifest, Source
from rekkyo.store.model_hash import model_hash
from rekkyo.store.rows import RowForm
from rekkyo.store.run_directory import row_form

COVER_FILE = "puzzle.xcc"
FILES = tuple(f"puzzle{suffix}" for suffix in puzzle_files.SUFFIXES)


def source_of(puzzle: Puzzle) -> tuple[Source, dict[str, bytes]]:
    """The source of the puzzle, and the files that it needs."""
    if _is_of_catalog(puzzle.name):
        return Source("catalog", puzzle.name), {}
    wanted = model_hash(puzzle)
    path, values = file_and_values(puzzle.name)
    if path is not None and _file_gives(path, values, wanted):
        alone = puzzle_files.standing_alone(path, values)
        if alone is not None:
            words, content = f"puzzle{alone[0]}", alone[1]
            as_bytes = content if isinstance(content, bytes) else content.encode()
            return Source("file", words), {words.partition(" ")[0]: as_bytes}
    if isinstance(puzzle.model, ExactCover):
        text = puzzle_files.write_puzzle(puzzle)
        if model_hash(Puzzle(puzzle.name, read_xcc(text, COVER_FILE), puzzle.title)) == wanted:
            return Source("file", COVER_FILE), {COVER_FILE: text.encode()}
    return Source("given", ""), {}


def _is_of_catalog(name: str) -> bool:
    return catalog.is_name(name.partition(" ")[0])


def is_name_of(source: Source, name: str) -> bool:
    """Whether a puzzle of this source may have the name.

    Somebody else may have written both, and a name of the catalog must not stand for another puzzle.
    """
    return name == source.text if source.kind == "catalog" else not _is_of_catalog(name)


def check_name(folder: Path, manifest: Manifest) -> None:
    """Raise RunDamaged if the manifest gives the puzzle a name that it cannot have."""
    if not is_name_of(manifest.source, manifest.puzzle):
        raise RunDamaged(f"{folder}: the puzzle of this run is not {manifest.puzzle}, as the manifest says")


def puzzle_of(folder: Path, manifest: Manifest, given: Puzzle | None = None) -> Puzzle:
    """The puzzle of a run, given again or from its source. Raises BadRun."""
    check_name(folder, manifest)
    if given is not None:
        check_puzzle(given)
    puzzle = given or _from_source(folder, manifest)
    if model_hash(puzzle) != manifest.model_hash:
        if given:
            raise BadRun(
                f"{folder} is a run of {manifest.puzzle}, and the puzzle that was given is another one;"
                " begin another run in a new directory"
            )
        raise BadRun(
            f"{folder} is a run of {manifest.puzzle}, but this rekkyo knows another puzzle by that name;"
            f" if it was built in Python, open it there: rekkyo.Run({str(folder)!r}, puzzle=...)"
        )
    known = puzzle.published
    if manifest.published and not given and (known is None or not _same_counts(known, manifest.published)):
        raise RunDamaged(f"{folder}: the manifest says other published counts than {manifest.puzzle} has")
    if row_form(manifest) != RowForm.of(puzzle.model.row_shape):
        raise RunDamaged(f"{folder}: the manifest says another length of rows than {manifest.puzzle} has")
    return puzzle


def _same_counts(one: Published, other: Published) -> bool:
    return (one.total, one.unique) == (other.total, other.unique)


def readings_of(folder: Path, source: Source) -> tuple[Puzzle, ...]:
    """The puzzles of a source, from a file with its symmetry and without; empty if it must be given.

    Words never open a file. Raises BadInput.
    """
    if source.kind == "catalog":
        return (catalog.puzzle(source.text, opens_files=False),)
    name = file_of(source)
    if name is None:
        return ()
    check_plain(folder / name)
    return _readings(folder / name, source.text.split(" ")[1:])


def file_of(source: Source) -> str | None:
    """The name of the file beside the run that a source names, or None."""
    name = source.text.partition(" ")[0]
    return name if source.kind == "file" and name in FILES else None


def _from_source(folder: Path, manifest: Manifest) -> Puzzle:
    readings = readings_of(folder, manifest.source)
    if not readings:
        raise BadRun(
            f"{folder} is a run of {manifest.puzzle}, which {why_given(manifest.puzzle)}; open it there:"
            f" rekkyo.Run({str(folder)!r}, puzzle=...)"
        )
    fitting = (puzzle for puzzle in readings if model_hash(puzzle) == manifest.model_hash)
    puzzle = next(fitting, readings[-1])
    is_file = manifest.source.kind == "file"
    return replace(puzzle, name=manifest.puzzle, title=manifest.title) if is_file else puzzle


def why_given(name: str) -> str:
    """Why a puzzle of that name has no source, as the end of a sentence."""
    path, _ = file_and_values(name)
    return "was built in Python" if path is None else "was read from a file that could not be copied"


def file_and_values(name: str) -> tuple[Path | None, list[str]]:
    """The file and the parameter values in the name of a puzzle."""
    whole, problem = puzzle_files.file_and_problem(Path(name))
    if problem is not None:
        return whole, [str(problem)]
    values: list[str] = []
    while Path(name).suffix.lower() not in puzzle_files.ALL_SUFFIXES:
        name, space, value = name.rpartition(" ")
        if not space:
            return None, []
        values.insert(0, value)
    return Path(name), values


def _file_gives(path: Path, values: Sequence[str], wanted: str) -> bool:
    """Whether a file still gives the puzzle, with its symmetry or without."""
    try:
        return wanted in map(model_hash, _readings(path, values))
    except BadInput:
        return False


def _readings(path: Path, values: Sequence[str]) -> tuple[Puzzle, Puzzle]:
    """The puzzle in a file with the symmetry of its model, and without that. Raises BadInput."""
    return puzzle_files.puzzle_from_file(path, *values), puzzle_files.read_puzzle_file(path, values)
