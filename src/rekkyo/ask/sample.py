"""Fair samples of the solutions of a puzzle: from a diagram, or by counting every shard first."""

from __future__ import annotations

import random
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from rekkyo.ask.diagram import compile_diagrams, diagram
from rekkyo.engines.contract import Rows, Shard, Tally
from rekkyo.engines.diagram.drawing import may_be_drawn
from rekkyo.errors import BadInput, EngineRefuses
from rekkyo.html_tables import facts, seconds
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Row, checked_whole
from rekkyo.model.solution import solutions_of
from rekkyo.render.notebook import pictures
from rekkyo.search.cutting import by_length
from rekkyo.search.fold import Fold, fold, sum_shard
from rekkyo.search.listing import compared_with_merging
from rekkyo.search.progress import Watcher, check_watch
from rekkyo.search.question import ask, checked_seed
from rekkyo.search.search import Search, prepare
from rekkyo.search.sizes import DEFAULT_SIZES, Sizes
from rekkyo.search.threads import Stop
from rekkyo.wording import several

MAX_SAMPLES = 1_000_000

TRY_BYTES = 1 << 28
"""The memory for a diagram that is built before it is known how long counting by a search would take."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Fair samples: each is any of the `total` solutions, or stored rows of a run, with the same probability.

    how: "diagram", "run", or the engine that counted and listed.
    """

    puzzle: str
    total: int
    rows: tuple[Row, ...]
    how: str
    seed: int
    elapsed_s: float

    def _repr_html_(self) -> str:
        samples, solutions = several(len(self.rows), "sample"), several(self.total, "solution")
        title = f"{samples} of {solutions} of {self.puzzle}"
        numbers = facts(title, [("by", self.how), ("seed", self.seed), ("time", seconds(self.elapsed_s))])
        return pictures(self.rows) + numbers


def sample(
    puzzle: Puzzle,
    number: int = 1,
    *,
    seed: int = 0,
    workers: int | None = None,
    engine: str | None = None,
    watch: Watcher | None = None,
    sizes: Sizes = DEFAULT_SIZES,
) -> Samples:
    """Draw independent samples from a diagram, or, without a diagram, by counting every shard first.

    A diagram is tried for covers, packings and queens unless it must be too large, as for pieces that are all
    different; for other puzzles if merging counts far faster than a search. No diagram is tried if an engine
    is named, which must list. The same seed gives the same samples.
    Raises BadInput, also if there is no solution.
    """
    question = ask(puzzle, engine=engine, lists=True, workers=workers, sizes=sizes)
    checked_number(number, 1, puzzle.name)
    seed = checked_seed(seed)
    check_watch(watch)
    draws = engine is None and may_be_drawn(question.model)
    if draws:
        compile_diagrams()
    started = time.perf_counter()
    source = _drawn_source(puzzle, TRY_BYTES) if draws else None
    if source is None:
        search = prepare(question, by_length, watch)
        started += search.compile_s
        may_draw = engine is None and not draws
        compared = compared_with_merging(search, None, watch) if may_draw else search
        if isinstance(compared, Tally):
            source, compared = _drawn_source(replace(puzzle, model=search.question.model), None), search
        source = source or _counted_source(compared, watch)
    number = checked_number(number, source.total, puzzle.name)
    rng = random.Random(seed)
    numbers = [rng.randrange(source.total) for _ in range(number)]
    rows = source.rows(sorted(set(numbers)))
    elapsed_s = time.perf_counter() - started
    made = solutions_of(puzzle)
    samples = tuple(made(rows[k]) for k in numbers)
    return Samples(puzzle.name, source.total, samples, source.how, seed, elapsed_s)


def checked_number(number: int, total: int, whose: object) -> int:
    """The number of samples. Raises BadInput unless it is valid and there is a solution to sample."""
    rule = f"the number of samples is a whole number from 0 to {MAX_SAMPLES}"
    number = checked_whole(rule, number, 0, MAX_SAMPLES)
    if number and not total:
        raise BadInput(f"{whose}: there is no solution to sample")
    return number


@dataclass(frozen=True, slots=True)
class _Source:
    """Solutions by number. rows: called with increasing numbers."""

    how: str
    total: int
    rows: Callable[[list[int]], dict[int, Row]]


def _drawn_source(puzzle: Puzzle, most_bytes: int | None) -> _Source | None:
    """All solutions from their diagram; None if that is too large. most_bytes: as for `diagram`."""
    try:
        drawn = diagram(puzzle, most_bytes=most_bytes)
    except EngineRefuses:
        return None
    return _Source("diagram", drawn.count, lambda numbers: {k: drawn.kth(k) for k in numbers})


def _counted_source(search: Search, watch: Watcher | None) -> _Source:
    """Count all shards; a solution is found again by a search of its shard up to it."""
    counts = {finished.shard: finished.found for finished in fold(search, sum_shard, watch)}
    total = sum(counts.values())
    return _Source(
        search.engine.name, total, lambda numbers: dict(_found_again(Fold(search), counts, numbers))
    )


def _found_again(folding: Fold, counts: dict[int, int], numbers: list[int]) -> Iterator[tuple[int, Row]]:
    """Solutions by their increasing numbers. Each shard is searched up to its last number."""
    before = 0
    for shard in folding.search.shards:
        end = before + counts[shard.index]
        wanted = numbers[bisect_left(numbers, before) : bisect_left(numbers, end)]
        yield from zip(wanted, _rows_of_shard(folding, shard, [k - before for k in wanted]), strict=True)
        before = end


def _rows_of_shard(folding: Fold, shard: Shard, places: list[int]) -> list[Row]:
    """The rows at these increasing places of a shard."""
    found: list[Row] = []
    n_seen = 0

    def pick(rows: Rows) -> None:
        nonlocal n_seen
        while len(found) < len(places) and places[len(found)] < n_seen + len(rows):
            found.append(tuple(rows[places[len(found)] - n_seen].tolist()))
        n_seen += len(rows)

    def until_found() -> None:
        if len(found) == len(places):
            raise Stop

    with suppress(Stop):
        folding.shard(shard, until_found, lambda *_: None, on_rows=pick)
    return found
