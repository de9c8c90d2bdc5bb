"""What is counted: for every engine one small search or more, and what runs beside the engines' kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import rekkyo as rk
from rekkyo.engines.contract import CountingEngine, Room, Rows, Tally, no_pause
from rekkyo.engines.crew import ALONE
from rekkyo.engines.digest import digest_of
from rekkyo.engines.registry import engine_named
from rekkyo.model.lower import lower
from rekkyo.search.question import ask
from rekkyo.symmetry.group import Group, close
from rekkyo.symmetry.large_group import LargeGroup
from rekkyo.symmetry.orbits import OrbitSurvey

BLOCK_ROWS = 4096
BUDGET_NODES = 1 << 21
N_DRAWS = 1 << 12
EXAMPLES = Path(__file__).parents[2] / "examples"

Work = Callable[[], Tally]


@dataclass(frozen=True, slots=True)
class Case:
    """A piece of work that is always the same.

    engine: whose kernels it is about; it also finds the rows for `orbits` and `digest`. what: one of WHATS.
    shards: how many the search is cut into at least, the first of those that is searched, and the first
    that is not.
    """

    engine: str
    words: str
    what: str = "search"
    shards: tuple[int, int, int | None] = (1, 0, None)

    @property
    def puzzle(self) -> rk.Puzzle:
        """Of the catalog, or of an example file and the values of its parameters."""
        name, *values = self.words.split()
        is_file = name.endswith(".toml")
        return rk.puzzle_from_file(EXAMPLES / name, *values) if is_file else rk.puzzle(self.words)

    @property
    def name(self) -> str:
        """How results and the command line call it."""
        return f"{self.engine} {self.what}: {self.words}"


CASES = (
    Case("queens-join", "queens 13"),
    Case("queens-join", "queens 14", "plan"),
    Case("queens-join", "queens 20", "fixed"),
    Case("queens-bitmap", "queens 12"),
    Case("queens-bitmap", "queens 14", "draws"),
    Case("queens-cover", "queens 11"),
    Case("cover-determinant", "dominoes 20 20"),
    Case("cover-frontier", "dominoes 12 12"),
    Case("cover-memo", "dominoes 9 10"),
    Case("cover-parts", "digits", shards=(256, 0, 2)),
    Case("cover-masks", "dominoes 6 8"),
    Case("cover-masks", "langford 11"),
    Case("cover-bitset", "pentominoes 3 20"),
    Case("cover-bitset", "pentominoes 3 20", "representatives"),
    Case("cover-bitset", "conway-5x5x5.toml", "representatives"),
    Case("cover-cells", "langford 8"),
    Case("cover-diagram", "dominoes 6 8", "plan"),
    Case("cover-diagram", "dominoes 6 8"),
    Case("magic-line-sets", "magic-square 5", shards=(256, 50, 51)),
    Case("magic-line-lists", "magic-square 5", "representatives", shards=(256, 50, 51)),
    Case("sum-lines", "magic-square 4"),
    Case("sum-lines", "magic-square 4", "representatives"),
    Case("sum-lines", "magic-square 4", "draws"),
    Case("sum-cells", "magic-star 6"),
    Case("sum-join", "magic-star 9"),
    Case("coloring-masks", "van-der-waerden 5 5 20"),
    Case("coloring-masks", "rectangle-free 3 3 6", "representatives"),
    Case("coloring-counters", "hip 5 --any-balance"),
    Case("coloring-counters", "rectangle-free 2 3 7", "representatives"),
    Case("queens-bitmap", "queens 12", "orbits"),
    Case("cover-bitset", "soma", "orbits"),
    Case("coloring-masks", "van-der-waerden 5 5 20", "digest"),
    Case("csp-frontier", "hip 6 --any-balance", "plan"),
    Case("csp-frontier", "hip 6 --any-balance"),
    Case("csp-determinant", "grid-graphs.toml spanning-trees 12"),
    Case("csp-values", "hip 4"),
    Case("csp", "knights-tour.toml"),
    Case("csp", "knights-tour.toml", "representatives"),
    Case("csp-plain", "costas.toml"),
    Case("csp-cover", "jigsaw-sudoku.toml"),
    Case("csp-diagram", "hip 4 --any-balance", "plan"),
    Case("csp-frontier", "ramsey 3 5 10"),
    Case("csp", "ramsey 3 5 10", "unlisted"),
)


def made_ready(case: Case) -> Work:
    """The work of a case as a function that can be called again and again, everything before it done."""
    puzzle, engine = case.puzzle, engine_named(case.engine)
    model = lower(puzzle.model)
    stated = model if isinstance(model, engine.model_type) else rk.as_csp(model)
    engine.compile(stated)
    engine.compile_for_long(stated)
    return WHATS[case.what](case, engine, puzzle)


def search(case: Case, engine: Any, puzzle: rk.Puzzle) -> Work:
    """The shards, without the plan."""
    return searching(case, engine, engine.plan(lower(puzzle.model)), puzzle)


def representatives(case: Case, engine: Any, puzzle: rk.Puzzle) -> Work:
    """The same with the plan for representatives."""
    plan = engine.plan_for_representatives(lower(puzzle.model), group_of(puzzle))
    assert plan is not None, case
    return searching(case, engine, plan, puzzle)


def unlisted(case: Case, engine: Any, puzzle: rk.Puzzle) -> Work:
    """The same with constraints for a group that is too large to list."""
    question = ask(puzzle, up_to="symmetry", takes_large=True)
    assert isinstance(question.group, LargeGroup), case
    return searching(case, engine, engine.make_plan_for_large_group(question.model, question.group), puzzle)


def searching(case: Case, engine: Any, plan: Any, puzzle: rk.Puzzle) -> Work:
    at_least, begin, end = case.shards
    shards = engine.split(plan, at_least)[begin:end]
    if isinstance(engine, CountingEngine):
        return lambda: engine.finish(
            plan, sum((engine.count(plan, shard, no_pause) for shard in shards), Tally(0, 0))
        )
    room = Room.of(puzzle.model.row_shape, BLOCK_ROWS)

    def work() -> Tally:
        blocks = (
            block for shard in shards for block in engine.blocks(plan, shard, room, BUDGET_NODES, no_pause)
        )
        return sum((Tally(len(block.rows), block.nodes) for block in blocks), Tally(0, 0))

    return work


def planning(case: Case, engine: Any, puzzle: rk.Puzzle) -> Work:
    """The plan, where kernels make it."""
    model = lower(puzzle.model)
    return lambda: Tally(0, len(engine.split(engine.plan(model), 1)))


def fixed(case: Case, engine: Any, puzzle: rk.Puzzle) -> Work:
    """Solutions that symmetries leave unchanged."""
    plan = engine.plan(lower(puzzle.model))
    symmetries = [tuple(element.tolist()) for element in group_of(puzzle).elements[1:]]

    def work() -> Tally:
        counts = (engine.count_fixed(plan, symmetry, no_pause, ALONE) for symmetry in symmetries)
        return sum(counts, Tally(0, 0))

    return work


def draws(case: Case, engine: Any, puzzle: rk.Puzzle) -> Work:
    """Random draws for an estimate."""
    sampler = engine.sampler(engine.plan(lower(puzzle.model)))
    assert sampler is not None, case
    return lambda: Tally(0, int(sampler.draw(sampler.levels[0], 1, N_DRAWS).tried))


def orbits(case: Case, engine: Any, puzzle: rk.Puzzle) -> Work:
    """Which rows are representatives."""
    rows, survey = all_rows(engine, puzzle), OrbitSurvey(group_of(puzzle))
    return lambda: Tally(int(np.count_nonzero(survey.stabilizer_orders(rows))), len(rows))


def digest(case: Case, engine: Any, puzzle: rk.Puzzle) -> Work:
    """The hash of a set of rows."""
    rows = all_rows(engine, puzzle)

    def work() -> Tally:
        digest_of(rows)
        return Tally(len(rows), len(rows))

    return work


WHATS: dict[str, Callable[[Case, Any, rk.Puzzle], Work]] = {
    "search": search,
    "representatives": representatives,
    "unlisted": unlisted,
    "plan": planning,
    "fixed": fixed,
    "draws": draws,
    "orbits": orbits,
    "digest": digest,
}


def group_of(puzzle: rk.Puzzle) -> Group:
    return close(puzzle.model.row_shape, puzzle.generators)


def all_rows(engine: Any, puzzle: rk.Puzzle) -> Rows:
    plan, room = engine.plan(lower(puzzle.model)), Room.of(puzzle.model.row_shape, BLOCK_ROWS)
    blocks = [
        block.rows
        for shard in engine.split(plan, 1)
        for block in engine.blocks(plan, shard, room, BUDGET_NODES, no_pause)
    ]
    return np.concatenate(blocks)
