"""From a run directory back to its puzzle: by the words of the catalog, or by the text of a cover beside the
run.

Nothing is ever unpickled or evaluated. A puzzle that was built in Python and that neither way gives back has
to be given again. That the words give the same puzzle is checked when they are used, by its hash: building a
puzzle of the catalog twice at the start of every run took 0.5 s for the Soma cube.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rekkyo.catalog import index as catalog
from rekkyo.errors import BadRun
from rekkyo.export.puzzle_files import write_puzzle
from rekkyo.export.xcc import read_xcc, read_xcc_file
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Puzzle
from rekkyo.run.plan_hash import model_hash
from rekkyo.store.manifest import Manifest, Source

COVER_FILE = "puzzle.xcc"


def source_of(puzzle: Puzzle) -> tuple[Source, dict[str, bytes]]:
    """How to get the puzzle again, and the files that this takes."""
    if puzzle.name.partition(" ")[0] in {entry.name for entry in catalog.ENTRIES}:
        return Source("catalog", puzzle.name), {}
    wanted = model_hash(puzzle)
    if isinstance(puzzle.model, ExactCover):
        text = write_puzzle(puzzle)
        again = replace(puzzle, model=read_xcc(text, COVER_FILE), generators=(), further=())
        if model_hash(again) == wanted:
            return Source("file", COVER_FILE), {COVER_FILE: text.encode()}
    return Source("given", ""), {}


def puzzle_of(folder: Path, manifest: Manifest, given: Puzzle | None = None) -> Puzzle:
    """The puzzle of a run, given again or from its source. Raises BadRun."""
    puzzle = given or _from_source(folder, manifest)
    if model_hash(puzzle) != manifest.model_hash:
        if given:
            raise BadRun(
                f"{folder} is a run of {manifest.puzzle}, and the puzzle that was given is another one;"
                " begin a run of its own in a new directory"
            )
        raise BadRun(
            f"{folder} is a run of {manifest.puzzle}, but this rekkyo knows another puzzle by that name;"
            f" if it was built in Python, go on with: rekkyo.resume({str(folder)!r}, puzzle=...)"
        )
    return puzzle


def _from_source(folder: Path, manifest: Manifest) -> Puzzle:
    source = manifest.source
    if source.kind == "catalog":
        return catalog.puzzle(source.text)
    if source.kind == "file" and source.text == COVER_FILE:
        return Puzzle(manifest.puzzle, read_xcc_file(folder / COVER_FILE), manifest.title)
    raise BadRun(
        f"{folder} is a run of {manifest.puzzle}, which was built in Python; go on from Python with:"
        f" rekkyo.resume({str(folder)!r}, puzzle=...)"
    )
