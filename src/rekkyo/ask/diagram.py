"""Diagrams of puzzles: drawn, saved and read; and how often each value is in each place."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from rekkyo.engines.covers.diagram.engine import SMALLEST, CoverDiagram
from rekkyo.engines.diagram import file
from rekkyo.engines.diagram.diagram import Diagram
from rekkyo.engines.diagram.drawing import diagram_of
from rekkyo.engines.frontier.walk import DEFAULT_BYTES
from rekkyo.errors import BadInput
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import whole_number
from rekkyo.search.question import check_puzzle
from rekkyo.search.search import announced


def diagram(puzzle: Puzzle, *, most_bytes: int = DEFAULT_BYTES) -> Diagram:
    """The diagram of all solutions of a puzzle.

    most_bytes: memory for it, and again as much while it is drawn. Raises BadInput, EngineRefuses.
    """
    check_puzzle(puzzle)
    if type(whole_number(most_bytes)) is not int or most_bytes < 1:
        raise BadInput(f"the memory for a diagram is a whole number of bytes from 1, not {most_bytes!r}")
    return diagram_of(lower(puzzle.model), most_bytes)


def save_diagram(drawn: Diagram, path: str | Path, puzzle: Puzzle) -> None:
    """Write a diagram of a puzzle's solutions to a file."""
    check_puzzle(puzzle)
    file.save(drawn, Path(path), lower(puzzle.model))


def load_diagram(path: str | Path, puzzle: Puzzle) -> Diagram:
    """Read a diagram of a puzzle's solutions. Raises BadInput for a file that is damaged or foreign."""
    check_puzzle(puzzle)
    return file.load(Path(path), lower(puzzle.model))


def compile_diagrams() -> None:
    """Compile or load what diagrams are drawn and asked with."""
    with announced("what draws diagrams"):
        CoverDiagram().compile(SMALLEST)
        diagram_of(SMALLEST).uses()


@dataclass(frozen=True, slots=True)
class Stats:
    """uses[atom]: in how many of all solutions the atom is (see `rekkyo.model.row`)."""

    puzzle: str
    total: int
    uses: tuple[int, ...]
    n_nodes: int
    elapsed_s: float


def stats(puzzle: Puzzle) -> Stats:
    """How often each option, or each value at each position, is in a solution. Raises EngineRefuses."""
    check_puzzle(puzzle)
    compile_diagrams()
    started = time.perf_counter()
    drawn = diagram(puzzle)
    uses = drawn.uses()
    return Stats(puzzle.name, drawn.count, uses, drawn.n_nodes, time.perf_counter() - started)
