"""Cases by seed and number: a puzzle, and ways to ask it. Failing ones are shrunk, and say how to repeat them."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace

from rekkyo.errors import BadModel
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Model, Puzzle
from rekkyo.model.queens import Queens
from rekkyo.model.sum_figure import SumFigure
from tests.fuzz.asking import Case, ask_and_check
from tests.fuzz.models import draw_truth
from tests.fuzz.oracle import TooLarge, Truth
from tests.fuzz.ways import Way, draw_way

WAYS_OF_CASE = 8


@dataclass(frozen=True, slots=True)
class Failure:
    """A case in which some way disagreed. ways: all up to that one."""

    seed: int
    number: int
    puzzle: Puzzle
    ways: tuple[Way, ...]
    reason: str

    def __str__(self) -> str:
        command = f"python -m tests.fuzz --seed {self.seed} --case {self.number}"
        last = self.ways[-1]
        return f"{self.reason}\nmodel: {self.puzzle.model}\nway: {last}\nrepeat with: {command}"


def draw_case(seed: int, number: int) -> tuple[Truth, tuple[Way, ...]]:
    """The puzzle and the ways of a case."""
    rng = random.Random(f"{seed}/{number}")
    truth = draw_truth(rng, f"fuzz {seed} {number}")
    return truth, tuple(draw_way(rng, truth) for _ in range(WAYS_OF_CASE))


def failure_of_case(seed: int, number: int) -> Failure | None:
    """Carry a case out; what failed first, if anything did."""
    truth, ways = draw_case(seed, number)
    return first_failure(seed, number, truth, ways)


def first_failure(seed: int, number: int, truth: Truth, ways: tuple[Way, ...]) -> Failure | None:
    """Ask in these ways, one after the other."""
    case = Case(truth)
    for last, way in enumerate(ways, start=1):
        try:
            ask_and_check(case, way)
        except Exception:
            return Failure(seed, number, truth.puzzle, ways[:last], traceback.format_exc(limit=-6))
    return None


def shrunk(failure: Failure) -> Failure:
    """A failure of a smaller model in simpler ways, found greedily."""
    while True:
        smaller = next(filter(None, map(_tried(failure), _simpler(failure))), None)
        if smaller is None:
            return failure
        failure = smaller


def _tried(failure: Failure) -> Callable[[tuple[Puzzle, tuple[Way, ...]]], Failure | None]:
    def try_it(simpler: tuple[Puzzle, tuple[Way, ...]]) -> Failure | None:
        puzzle, ways = simpler
        try:
            truth = Truth.about(puzzle)
        except (BadModel, TooLarge, AssertionError):
            return None
        return first_failure(failure.seed, failure.number, truth, ways)

    return try_it


def _simpler(failure: Failure) -> Iterator[tuple[Puzzle, tuple[Way, ...]]]:
    puzzle, ways = failure.puzzle, failure.ways
    if len(ways) > 1:
        yield puzzle, ways[-1:]
        for left_out in range(len(ways) - 1):
            yield puzzle, ways[:left_out] + ways[left_out + 1 :]
    plain = Way(ways[-1].asked)
    for field in fields(Way):
        value = getattr(plain, field.name)
        if value != getattr(ways[-1], field.name) and field.name not in ("limit", "form"):
            yield puzzle, (*ways[:-1], replace(ways[-1], **{field.name: value}))
    for name in dict(ways[-1].sizes):
        fewer = tuple(size for size in ways[-1].sizes if size[0] != name)
        yield puzzle, (*ways[:-1], replace(ways[-1], sizes=fewer))
    if puzzle.generators:
        yield replace(puzzle, generators=(), further=()), ways
    else:  # a smaller model has other symmetries
        for model in _smaller_models(puzzle.model):
            yield replace(puzzle, model=model), ways


def _smaller_models(model: Model) -> Iterator[Model]:
    """The same model without one of its parts."""
    names = {
        Queens: ("blocked", "given"),
        ExactCover: ("options",),
        Packing: ("given", "optional", "colors", "board", "pieces"),
        Coloring: ("sets", "patterns", "fixed"),
        Csp: ("constraints",),
        SumFigure: ("lines", "orders", "given"),
    }[type(model)]  # type: ignore[index]
    for name in names:
        parts = getattr(model, name)
        for part in sorted(parts, key=repr):
            try:
                kept = type(parts)(other for other in parts if other != part)
                yield replace(model, **{name: kept})  # type: ignore[type-var]
            except BadModel:
                continue
