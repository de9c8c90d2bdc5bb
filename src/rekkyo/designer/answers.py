"""The answers about a puzzle while it is drawn, in stages; a worker process computes them.

    read        the text after its changes, what is drawn, and the first error with its place
    checks      how many cells are needed and how many there are; reasons for no solution, without a search
    compiling   the kernel that is being compiled, unless it was kept from an earlier time
    total       the number of solutions, if it is found at once, before the symmetry is searched for
    few         whether there is no solution, one or many, if that is known soon; the first pictures
    progress    the progress of a count
    count       total and unique
    heat        how often each thing is in each place, and six random solutions, if few enough are listed

Each stage is a dictionary that can be written as JSON. Counts are texts, because JavaScript rounds numbers
above 2^53. Every number comes from `rekkyo.ask`.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from rekkyo.ask.count import count
from rekkyo.ask.diagram import stats
from rekkyo.ask.estimate import estimate
from rekkyo.ask.interval import Range
from rekkyo.ask.pilot import SHORT_BUDGETS, Budgets
from rekkyo.ask.solve import solve_blocks
from rekkyo.catalog.own_symmetry import with_own_symmetry
from rekkyo.designer.drawn import drawn
from rekkyo.designer.edits.changes import changed
from rekkyo.engines.contract import Rows, joined
from rekkyo.engines.diagram.drawing import may_be_drawn
from rekkyo.errors import BadInput, EngineRefuses, RekkyoError
from rekkyo.export.puzzle_toml.document import read_document
from rekkyo.export.puzzle_toml.positions import places_in
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.lower import lower
from rekkyo.model.obstacles import obstacles
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Puzzle
from rekkyo.render.svg.drawing import Svg, svg
from rekkyo.render.svg.heat_map import heat_svg
from rekkyo.search.progress import Progress
from rekkyo.symmetry.atoms import uses_in
from rekkyo.wording import several

Job: TypeAlias = Mapping[str, Any]
Say: TypeAlias = Callable[[dict[str, Any]], None]

N_PICTURES = 6
MOST_LISTED = 100_000
"""The most solutions that are listed for a heat map; for more, a diagram is made if it is small."""

MOST_AT_ONCE = 10_000
AT_ONCE_S, LIST_S, FIRST_S, QUICK_S = 0.06, 0.03, 1.0, 0.3
"""The seconds for a total before any picture, for a list of all solutions, for the first solutions, and for a
total after that."""

MAX_PICTURE = 400_000
"""The most characters of a picture that is sent."""

ESTIMATES = (*((0.5, budgets) for budgets in SHORT_BUDGETS), (5.0, Budgets()))
"""Seconds and budgets of a first estimate, of another one if that found too little, and of a good one."""

_PLACE = re.compile(r"puzzle\.toml:([0-9]+):([0-9]+): ")
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
NAME = "puzzle.toml"


def answer(job: Job, say: Say) -> None:
    """Send all stages for a text, or only the first if the text is not a puzzle."""
    bare = read(job, say)
    if bare is None:
        return
    say({"stage": "checks", "checks": checks(bare)})
    total = _quick_total(bare, AT_ONCE_S)
    if total is not None:
        say({"stage": "total", "total": str(total)})
    listed = _list_soon(bare)
    first = listed.rows[:N_PICTURES].tolist()
    say({"stage": "few", "few": listed.few, "pictures": pictures(bare, first)})
    if total is None and (total := _quick_total(bare, QUICK_S)) is not None:
        say({"stage": "total", "total": str(total)})
    puzzle = with_own_symmetry(bare)[0]
    started = time.perf_counter()

    def watch(progress: Progress) -> None:
        if time.perf_counter() - started > 0.3:
            done = progress.shards_done / max(1, progress.n_shards)
            say({"stage": "progress", "found": f"{progress.found:,}", "done": done})

    found = count(puzzle, watch=watch)
    say(
        {
            "stage": "count",
            "total": str(found.total),
            "unique": None if found.unique is None else str(found.unique),
            "up_to": puzzle.symmetry_in_words() or "symmetry",
            "left_out": found.left_out,
            "optimum": found.optimum,
            "engine": found.engine,
            "nodes": str(found.nodes),
            "seconds": found.elapsed_s,
        }
    )
    _say_heat(puzzle, found.total, listed, say)


class _Listed(NamedTuple):
    """rows: the first solutions. is_all: there are no others."""

    rows: Rows
    is_all: bool

    @property
    def few(self) -> str:
        """How many solutions there are, as far as it is known."""
        words = ("none", "one", "many") if self.is_all else ("unknown", "some", "many")
        return words[min(len(self.rows), 2)]


class _TakesLong(Exception):
    """Ends a search that takes too long."""


def _until(seconds: float) -> Callable[[Progress], None]:
    """A watcher that stops a search after some seconds. Compiling before it does not count."""
    stop_s: float | None = None

    def watch(_: Progress) -> None:
        nonlocal stop_s
        stop_s = stop_s or time.perf_counter() + seconds
        if time.perf_counter() > stop_s:
            raise _TakesLong

    return watch


def _list_soon(puzzle: Puzzle) -> _Listed:
    """All solutions, or those that are found soon; the first few may take a little longer."""
    started = time.perf_counter()
    rows: list[Rows] = []
    n_rows = 0
    is_all = False
    blocks = solve_blocks(puzzle, watch=_until(FIRST_S))
    with closing(blocks), suppress(_TakesLong):
        for block in blocks:
            rows.append(block)
            n_rows += len(block)
            is_late = n_rows > MOST_AT_ONCE or time.perf_counter() - started > LIST_S
            if is_late and n_rows >= N_PICTURES:
                break
        else:
            is_all = True
    return _Listed(joined(puzzle.model.row_shape, rows), is_all)


def _quick_total(puzzle: Puzzle, seconds: float) -> int | None:
    """The total, if it is found soon; finding the symmetry of the puzzle takes up to a second."""
    try:
        return count(puzzle, up_to="none", watch=_until(seconds)).total
    except _TakesLong:
        return None


def read(job: Job, say: Say) -> Puzzle | None:
    """Send the first stage; returns the puzzle as the text declares it, or None if it is not a puzzle."""
    text, values = str(job.get("text", "")), [str(value) for value in job.get("values", ())]
    answer: dict[str, Any] = {"stage": "read", "problem": None, "drawn": None}
    puzzle = None
    try:
        for change in job.get("changes", ()):
            text = changed(text, change)
    except RekkyoError as problem:
        answer["problem"] = _problem(problem) | {"of_change": True}
    try:
        answer["drawn"] = drawn(text, values)
        puzzle = bare_puzzle(text, job)
    except RekkyoError as problem:
        answer["problem"] = answer["problem"] or _problem(problem)
    except RecursionError:
        answer["problem"] = {"message": "the text is nested too deeply", "line": 1, "column": 1}
    if answer["problem"] is not None:
        answer["problem"]["spot"] = _spot_of(text, answer["problem"])
    say(answer | {"text": text})
    return puzzle


def _spot_of(text: str, problem: Mapping[str, Any]) -> list[int] | None:
    """The cell of the board that a problem is about, if its place is a mark of the drawing."""
    try:
        span = places_in(text, NAME).spans.get(("board",))
        board = str(read_document(text, NAME).data.get("board", ""))
    except BadInput:
        return None
    lines = board.split("\n")
    line = problem["line"] - span.content.line if span is not None else -1
    if span is None or not 0 <= line < len(lines) or problem["line"] == span.key.line:
        return None
    column = problem["column"] - 1
    n_empty = len(board) - len(board.lstrip("\n"))
    if line < n_empty or not lines[line][column : column + 1].strip():
        return None
    return [0, line - n_empty, column]


def puzzle_of(text: str, job: Job) -> Puzzle:
    """The puzzle with its symmetry. Raises BadInput."""
    return with_own_symmetry(bare_puzzle(text, job))[0]


def bare_puzzle(text: str, job: Job) -> Puzzle:
    """The puzzle as the text declares it. Raises BadInput."""
    folder = job.get("folder")
    values = [str(value) for value in job.get("values", ())]
    return read_toml(text, NAME, None if folder is None else Path(folder), values)


def _problem(problem: RekkyoError) -> dict[str, Any]:
    """A message and its place in the text."""
    text = " ".join(str(problem).split())
    found = _PLACE.match(text)
    if found is None:
        return {"message": text, "line": 1, "column": 1}
    return {"message": text[found.end() :], "line": int(found[1]), "column": int(found[2])}


def checks(puzzle: Puzzle) -> list[dict[str, Any]]:
    """Facts that are known without a search; `ok` is False for a reason for no solution."""
    model = puzzle.model
    facts: list[dict[str, Any]] = []
    if isinstance(model, Packing):
        there, must = len(model.board), len(model.must_be_covered)
        low = sum(piece.low * len(piece.cells) for piece in model.pieces)
        is_open = any(piece.high is None for piece in model.pieces)
        high = sum((piece.high or 0) * len(piece.cells) for piece in model.pieces)
        has = f"{low}" if low == high and not is_open else f"{low} or more" if is_open else f"{low} to {high}"
        board = several(there, "cell") + ("" if must == there else f", {must} of them to be covered")
        n_places = len(model.placements())
        facts.append({"ok": True, "text": f"The board has {board}; the pieces have {has}."})
        facts.append({"ok": True, "text": f"The pieces can lie in {several(n_places, 'place')}."})
    facts += [
        {"ok": False, "text": f"No solution, because {reason}."}
        for reason in obstacles(puzzle.model_in_words)
    ]
    return facts


def pictures(puzzle: Puzzle, rows: Sequence[Sequence[int]]) -> list[dict[str, Any]]:
    """Drawings of solutions, each with its atoms."""
    shape = puzzle.model.row_shape
    found = []
    for row in rows:
        try:
            drawing = inline(svg(puzzle, row))
        except BadInput:
            break
        if len(drawing) <= MAX_PICTURE:
            found.append({"svg": drawing, "atoms": shape.atoms(row)})
    return found


def inline(drawing: Svg) -> str:
    """A drawing without its style sheet, because the policy of the page forbids inline rules."""
    return _STYLE.sub("", drawing)


def _say_heat(puzzle: Puzzle, total: int, listed: _Listed, say: Say) -> None:
    """Send a heat map, and six random solutions, if that is quick."""
    if total < 2:
        return
    if total <= MOST_LISTED:
        rows = listed.rows
        if len(rows) < total:
            rows = joined(puzzle.model.row_shape, solve_blocks(puzzle))
        uses = uses_in(puzzle.model.row_shape, rows).tolist()
        numbers = sorted(random.Random(total).sample(range(len(rows)), min(N_PICTURES, len(rows))))
        chosen = [tuple(rows[k].tolist()) for k in numbers]
        more = {"pictures": pictures(puzzle, chosen)}
    elif may_be_drawn(lower(puzzle.model)):
        try:
            uses = list(stats(puzzle).uses)
        except EngineRefuses:
            return
        more = {}
    else:
        return
    try:
        drawing = inline(heat_svg(puzzle, total, uses))
    except BadInput:
        return
    if len(drawing) <= 4 * MAX_PICTURE:
        say({"stage": "heat", "svg": drawing, **more})


def guess(job: Job, say: Say) -> None:
    """Send estimates of a long count: a quick one of the total, then a better one of total and unique."""
    puzzle = bare_puzzle(str(job["text"]), job)
    is_said = False
    for seconds, budgets in ESTIMATES[:-1]:
        is_said = is_said or _say_estimate(puzzle, seconds, budgets, say)
    if not _say_estimate(with_own_symmetry(puzzle)[0], *ESTIMATES[-1], say) and not is_said:
        say({"stage": "estimate", "refused": "No estimate: no random sample found a solution."})


def _say_estimate(puzzle: Puzzle, seconds: float, budgets: Budgets, say: Say) -> bool:
    """Send an estimate; returns whether there is one."""
    try:
        found = estimate(puzzle, seconds=seconds, budgets=budgets)
    except EngineRefuses:
        return False
    say(
        {
            "stage": "estimate",
            "total": _range(found.total),
            "unique": _range(found.unique) if found.unique and puzzle.generators else None,
            "seconds": _range(found.seconds),
            "exact": found.exact,
        }
    )
    return True


def _range(found: Range) -> list[float | None]:
    return [found.value, found.low, found.high]
