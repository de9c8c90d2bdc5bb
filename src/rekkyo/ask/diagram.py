"""Diagrams of puzzles: drawn, saved and read; fair samples, and how often each value is in each place."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rekkyo.engines.contract import ListingEngine
from rekkyo.engines.covers.diagram import file
from rekkyo.engines.covers.diagram.build import diagram_of, may_be_drawn
from rekkyo.engines.covers.diagram.diagram import Diagram
from rekkyo.engines.covers.diagram.engine import SMALLEST, CoverDiagram
from rekkyo.engines.covers.frontier.plan import DEFAULT_BYTES
from rekkyo.errors import BadInput, BadRun, EngineRefuses
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Row, whole_number
from rekkyo.runs.status import status
from rekkyo.search.compiling import announced
from rekkyo.search.progress import Meter, Watcher
from rekkyo.search.search import Search, check_puzzle, compile_seconds, listing_engine, prepare
from rekkyo.search.threads import StopSign, carry_out, number_of_workers
from rekkyo.store.reader import RunReader

MAX_SAMPLES = 1_000_000

TRY_BYTES = 1 << 28
"""What a diagram may take when nobody asked for one, before the other way is gone."""


def diagram(puzzle: Puzzle, *, most_bytes: int = DEFAULT_BYTES) -> Diagram:
    """The diagram of all solutions of a packing, an exact cover or a queens puzzle.

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


@dataclass(frozen=True, slots=True)
class Samples:
    """Fair samples: every one is any of the `total` solutions with the same probability.

    how: "diagram", "run", or the engine that counted and listed.
    """

    puzzle: str
    total: int
    rows: tuple[Row, ...]
    how: str
    seed: int
    elapsed_s: float


def sample(
    puzzle: Puzzle,
    number: int = 1,
    *,
    seed: int = 0,
    workers: int | None = None,
    engine: str | None = None,
    watch: Watcher | None = None,
) -> Samples:
    """So many independent samples, from a diagram; or, where there is none, by counting every shard first.

    No diagram is tried where a glance shows that it would be hopeless, as for pieces that are all different.

    engine: a listing engine, which means that no diagram is tried. The same seed gives the same samples.
    Raises BadInput, also when there is no solution.
    """
    check_puzzle(puzzle)
    _checked_samples(number, 1, puzzle.name)
    n_workers = number_of_workers(workers)
    draws = engine is None and may_be_drawn(lower(puzzle.model))
    if draws:
        _compile()
    else:
        lister = listing_engine(puzzle, engine)
        lister.check(lower(puzzle.model))
        compile_seconds(puzzle, lister, None)
    started = time.perf_counter()
    source = _drawn_source(puzzle) if draws else None
    if source is None:
        source = _counted_source(puzzle, engine, n_workers, watch)
    number = _checked_samples(number, source.total, puzzle.name)
    rng = random.Random(seed)
    numbers = [rng.randrange(source.total) for _ in range(number)]
    rows = source.rows(sorted(set(numbers)))
    elapsed_s = time.perf_counter() - started
    return Samples(puzzle.name, source.total, tuple(rows[k] for k in numbers), source.how, seed, elapsed_s)


def sample_run(directory: str | Path, number: int = 1, *, seed: int = 0) -> Samples:
    """So many independent samples from the rows that a finished run has stored. Raises BadInput, BadRun."""
    state = status(directory)
    if not state.is_complete:
        raise BadRun(f"{directory}: the run is not finished, so no sample of it is fair; go on with resume")
    started = time.perf_counter()
    with RunReader(directory) as reader:
        rng = random.Random(seed)
        numbers = [
            rng.randrange(len(reader)) for _ in range(_checked_samples(number, len(reader), directory))
        ]
        rows = tuple(reader.row(k) for k in numbers)
        elapsed_s = time.perf_counter() - started
        return Samples(str(directory), len(reader), rows, "run", seed, elapsed_s)


def _checked_samples(number: int, total: int, whose: object) -> int:
    number = whole_number(number)
    if type(number) is not int or not 0 <= number <= MAX_SAMPLES:
        raise BadInput(f"the number of samples is a whole number from 0 to {MAX_SAMPLES}, not {number!r}")
    if number and not total:
        raise BadInput(f"{whose}: there is no solution to sample")
    return number


@dataclass(frozen=True, slots=True)
class _Source:
    """Solutions by number. rows: called with increasing numbers."""

    how: str
    total: int
    rows: Callable[[list[int]], dict[int, Row]]


def _drawn_source(puzzle: Puzzle) -> _Source | None:
    """All solutions from their diagram; None when that is too large to draw it unasked."""
    try:
        drawn = diagram(puzzle, most_bytes=TRY_BYTES)
    except EngineRefuses:
        return None
    return _Source("diagram", drawn.count, lambda numbers: {k: drawn.kth(k) for k in numbers})


def _counted_source(puzzle: Puzzle, name: str | None, workers: int, watch: Watcher | None) -> _Source:
    """All shards counted; a solution is found again by searching its shard up to it."""
    engine: ListingEngine[Any, Any] = listing_engine(puzzle, name)
    search = prepare(puzzle, engine, None)
    meter = Meter(len(search.shards), workers)

    def work(shard: Any, stop: StopSign) -> tuple[int, int]:
        n_found = 0
        for block in search.blocks(shard, stop):
            meter.add(len(block.rows), block.nodes)
            n_found += len(block.rows)
        return shard.index, n_found

    counts = dict(carry_out(search.shards, work, workers, meter, watch))
    total = sum(counts.values())
    return _Source(engine.name, total, lambda numbers: dict(_found_again(search, counts, numbers)))


def _found_again(search: Search, counts: dict[int, int], numbers: list[int]) -> Iterator[tuple[int, Row]]:
    wanted = iter([*numbers, -1])
    k = next(wanted)
    before = 0
    for shard in search.shards:
        end = before + counts[shard.index]
        first = before
        for block in search.blocks(shard, StopSign()) if before <= k < end else ():
            while first <= k < first + len(block.rows):
                yield k, tuple(block.rows[k - first].tolist())
                k = next(wanted)
            first += len(block.rows)
            if not first <= k < end:
                break
        before = end


def _compile() -> None:
    """Compile or load what diagrams are drawn and asked with."""
    with announced("what draws diagrams"):
        CoverDiagram().compile(SMALLEST)
        diagram_of(SMALLEST).uses()


@dataclass(frozen=True, slots=True)
class Stats:
    """In how many of all solutions each atom is: an option chosen, or a value at a position.

    uses[atom]: see `rekkyo.model.row` for what an atom is.
    """

    puzzle: str
    total: int
    uses: tuple[int, ...]
    n_nodes: int
    elapsed_s: float


def stats(puzzle: Puzzle) -> Stats:
    """How often each option, or each value at each position, is in a solution. Raises EngineRefuses."""
    check_puzzle(puzzle)
    _compile()
    started = time.perf_counter()
    drawn = diagram(puzzle)
    uses = drawn.uses()
    return Stats(puzzle.name, drawn.count, uses, drawn.n_nodes, time.perf_counter() - started)
