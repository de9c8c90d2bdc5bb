"""Diagrams of puzzles: built, saved and read; and how often each value is in each place."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from rekkyo.engines.contract import Rows, no_pause
from rekkyo.engines.covers.diagram.engine import CoverDiagram
from rekkyo.engines.diagram import file
from rekkyo.engines.diagram.diagram import Diagram
from rekkyo.engines.diagram.drawing import diagram_of
from rekkyo.engines.diagram.from_rows import diagram_of_rows
from rekkyo.errors import EngineRefuses
from rekkyo.html_tables import facts, seconds
from rekkyo.model.checks import check_type
from rekkyo.model.csp.csp import Csp
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model, Puzzle, check_puzzle
from rekkyo.model.row import Row, checked_whole
from rekkyo.safe_files import path_of
from rekkyo.search.announced import announced
from rekkyo.search.checks import check_best
from rekkyo.search.cutting import whole_if_long
from rekkyo.search.fold import Fold
from rekkyo.search.optimum import with_optimum
from rekkyo.search.probes import moments_by_known
from rekkyo.search.question import ask
from rekkyo.search.search import prepare
from rekkyo.search.threads import Stop
from rekkyo.store.output_file import output_file
from rekkyo.wording import several

MOST_MOMENTS = 64
"""If a search takes at most so many moments, some 0.3 s, a diagram is made of listed solutions."""

MOST_VALUES = 1 << 18
"""The most values in all listed solutions together. A diagram is made of them in about 0.3 s."""


def diagram(puzzle: Puzzle, *, most_bytes: int | None = None) -> Diagram:
    """The diagram of all solutions of a puzzle.

    most_bytes: memory for it, and the same again while it is built. By default 4 GB, or half of the memory of
    the machine if that is less, or what REKKYO_MEMORY says. Raises BadInput, EngineRefuses.
    """
    check_puzzle(puzzle)
    if most_bytes is not None:
        rule = "the memory for a diagram is a whole number of bytes from 1"
        most_bytes = checked_whole(rule, most_bytes, 1)
    model, optimum = _with_best(puzzle)
    rows = _few_solutions(Puzzle(puzzle.name, model, puzzle.title))
    drawn = diagram_of(model, most_bytes) if rows is None else diagram_of_rows(model, rows, most_bytes)
    check_best(puzzle.name, optimum, drawn.count)
    return replace(drawn, model=lower(puzzle.model))


def _few_solutions(puzzle: Puzzle) -> list[Row] | None:
    """All solutions if a short search finds them and they are few, else None.

    A diagram may have very many states that lead to no solution, such as those of a sudoku with few clues.
    """
    try:
        search = prepare(ask(puzzle, lists=True, workers=1), whole_if_long)
    except EngineRefuses:
        return None
    if not (search.is_over or 0 < moments_by_known(search) <= MOST_MOMENTS):
        return None
    most_nodes = 2 * MOST_MOMENTS * search.uncut.moment_nodes
    most_rows = MOST_VALUES // max(1, search.shape.length)
    folding, rows, n_nodes = Fold(search), list[Row](), 0

    def report(_: int, nodes: int) -> None:
        nonlocal n_nodes
        n_nodes += nodes
        if n_nodes > most_nodes:
            raise Stop

    def take(found: Rows) -> None:
        if len(rows) + len(found) > most_rows:
            raise Stop
        rows.extend(map(tuple, found.tolist()))

    try:
        for shard in search.shards:
            folding.shard(shard, no_pause, report, on_rows=take)
    except Stop:
        return None
    folding.finish()
    return rows


def _with_best(puzzle: Puzzle) -> tuple[Model, int | None]:
    """The lowered model, with a constraint instead of an objective; and its best value, if there is one."""
    model = lower(puzzle.model)
    if not isinstance(model, Csp) or model.objective is None:
        return model, None
    if model.objective.best is None:
        found = with_optimum(ask(puzzle, lists=True)).model
        assert isinstance(found, Csp)
        model = found
    optimum = None if model.objective is None else model.objective.best
    return replace(model.with_best_required, objective=None), optimum


def save_diagram(drawn: Diagram, path: str | Path, puzzle: Puzzle) -> None:
    """Write a diagram of a puzzle's solutions, or of some of them, to a file. Raises BadInput."""
    check_puzzle(puzzle)
    check_type("drawn is a diagram, such as rekkyo.diagram(puzzle)", drawn, Diagram)
    model = lower(puzzle.model)
    file.check_model(drawn, model)
    with output_file(path) as out:
        file.save(drawn, out, model)


def load_diagram(path: str | Path, puzzle: Puzzle) -> Diagram:
    """Read a diagram of a puzzle's solutions. Raises BadInput for a file that is damaged or foreign."""
    check_puzzle(puzzle)
    return file.load(path_of(path), lower(puzzle.model))


def compile_diagrams() -> None:
    """Compile or load the kernels of diagrams."""
    with announced("what draws diagrams"):
        CoverDiagram().compile(CoverDiagram.smallest)
        diagram_of(CoverDiagram.smallest).uses()


@dataclass(frozen=True, slots=True)
class Stats:
    """uses[atom]: the number of solutions with the atom (see `rekkyo.model.row`).

    n_nodes: of the diagram; 0 if the rows of a run were counted. asked: the puzzle, for its picture.
    """

    puzzle: str
    total: int
    uses: tuple[int, ...]
    n_nodes: int
    elapsed_s: float
    asked: Puzzle | None = field(default=None, repr=False, compare=False)

    def _repr_html_(self) -> str:
        title = f"{several(self.total, 'solution')} of {self.puzzle}"
        numbers = facts(title, [("nodes", self.n_nodes or None), ("time", seconds(self.elapsed_s))])
        if self.asked is None:
            return numbers
        from rekkyo.render.notebook import shares

        return shares(self.asked, self.total, self.uses) + numbers


class HasStats(Protocol):
    """A run with stored rows."""

    def stats(self) -> Stats:
        """The statistics of its rows."""
        ...


def stats(puzzle: Puzzle | HasStats) -> Stats:
    """How often each option, or each value at each position, is in a solution. Raises EngineRefuses.

    For a `Run`, the stored rows are counted.
    """
    if not isinstance(puzzle, Puzzle) and hasattr(puzzle, "stats"):
        return puzzle.stats()
    check_puzzle(puzzle)
    assert isinstance(puzzle, Puzzle)
    compile_diagrams()
    started = time.perf_counter()
    drawn = diagram(puzzle)
    uses = drawn.uses()
    elapsed_s = time.perf_counter() - started
    return Stats(puzzle.name, drawn.count, uses, drawn.n_nodes, elapsed_s, puzzle)
