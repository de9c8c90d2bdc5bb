"""The jobs that compile every kernel: one for each engine, and some for kernels outside the engines.

An engine plans, cuts, searches and samples small puzzles for a moment, with every kind of row. Left out on
purpose: rows with numbers of four bytes, which only puzzles with more than 65,536 options have.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np

from rekkyo.arrays import read_only
from rekkyo.ask.diagram import compile_diagrams, diagram
from rekkyo.catalog.graphs.graph import graph
from rekkyo.catalog.index import puzzle
from rekkyo.engines import registry
from rekkyo.engines.contract import ListingEngine, Pause, joined, no_pause, row_dtype
from rekkyo.engines.covers.bitset.asks import LEAST_ASKERS
from rekkyo.engines.covers.bitset.engine import CoverBitset
from rekkyo.engines.covers.bitset.small import count_small
from rekkyo.engines.crew import ALONE
from rekkyo.engines.determinants.sparse import compile_recorded
from rekkyo.engines.digest import digest_of, row_hashes
from rekkyo.engines.frontier.apart import Parting
from rekkyo.engines.frontier.in_order import kernels_in_order
from rekkyo.engines.frontier.plan import tiny_plan
from rekkyo.engines.frontier.stays import NOTHING
from rekkyo.engines.frontier.together import step_together
from rekkyo.engines.frontier.walk import first_front
from rekkyo.engines.limbs import wrapping
from rekkyo.engines.registry import AnyEngine
from rekkyo.errors import BadInput, EngineRefuses
from rekkyo.export.tables import RowText
from rekkyo.export.text import writer
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.constraints import AllDifferent, Clause
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model, Puzzle
from rekkyo.runs.elaborate import elaborate
from rekkyo.search.cutting import Into
from rekkyo.search.question import ask
from rekkyo.search.search import Search, prepare
from rekkyo.search.sizes import Sizes
from rekkyo.symmetry.known_classes import known_classes
from rekkyo.symmetry.large_group import LargeGroup
from rekkyo.symmetry.large_survey import survey_of

EXAMPLES = (
    "queens 6",
    "queens 5 --toroidal",
    "queens 5 --blocked 0,0",
    "langford 4",
    "dominoes 3 4",
    "pentominoes 3 20",
    "polyominoes 4 5 4",
    "sudoku 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "magic-square 3",
    "magic-square 5",
    "hip 4",
    "schur 2 4",
    "ramsey 3 3 5",
)
"""Examples that, with the covers below, use every kernel, for rows of one byte and of two bytes a number."""

ONLY_COMPILED = (
    "polyominoes 4 4 5 --any-number",
    "polyominoes 4 8 8 --any-number",
    "dominoes 16 16",
    "hip 6",
)
"""Models for further kernels, which are compiled but not searched, because that would take too long."""

TOUCHED = Sizes(block_rows=4, slice_nodes=100)

LONGEST = ("cover-bitset", "csp", "cover-frontier", "queens-join", "cover-memo")
"""These begin, in the order of the registry, so that no process is left alone with one of them."""

WITH_KERNELS_OF_OTHERS = ("queens-cover", "csp-cover", "csp-values")
"""These come last. Two processes would otherwise compile the kernels of `cover-bitset` at the same time."""

NOT_COUNTED = ("magic-line-sets", "csp-values")
"""Engines that only compile: the smallest puzzle of one takes minutes, and the other has no kernels."""

NOT_PLANNED = ("csp-diagram",)
"""An engine that only compiles, because its plan of magic squares of order 5 does not fit into the memory."""

MOST_PAUSES = 30
"""A count ends at this pause: merging magic squares of order 5 in slices takes minutes."""


class Enough(Exception):
    """Ends a count that has run long enough for its kernels to be compiled."""


@dataclass(frozen=True, slots=True)
class Job:
    """A function that compiles or loads kernels. name: of the engine, or of the task."""

    name: str
    work: Callable[[], None]


def all_jobs() -> tuple[Job, ...]:
    """All jobs, in the order in which they begin."""
    examples = warm_puzzles()
    more = [lower(puzzle(words).model) for words in ONLY_COMPILED]
    engines = sorted(registry.all_engines(), key=_turn)
    return (
        *(Job(engine.name, partial(_touch_all, engine, examples, more)) for engine in engines),
        Job("small and large covers", _search_small_and_large),
        Job("merging in rounds", _merge_in_rounds),
        Job("sparse determinants", compile_recorded),
        Job("diagrams", _draw_diagrams),
        Job("stored rows", _read_rows),
        Job("export", _export),
        Job("certificates", _elaborate),
    )


def _turn(engine: AnyEngine) -> int:
    if engine.name in LONGEST:
        return 0
    return 2 if engine.name in WITH_KERNELS_OF_OTHERS else 1


def _touch_all(engine: AnyEngine, examples: list[Puzzle], more: list[Model]) -> None:
    for example in examples:
        model = lower(example.model)
        if engine.accepts(model) and engine.name in NOT_PLANNED:
            engine.compile(model)
        elif engine.accepts(model):
            _touch(engine, example)
    for model in more:
        if engine.accepts(model):
            engine.compile(model)


def warm_puzzles() -> list[Puzzle]:
    """The puzzles that are searched."""
    return [
        *map(puzzle, EXAMPLES),
        _cover(20),
        _cover(20, ((1, 2), (1, 1))),
        _cover(300),
        Puzzle("colouring", Coloring(3, 2, ((0, 1),), fixed=((2, 0),)), "a colouring to warm up with"),
        graph(named="complete 3").spanning_trees(),
        *map(_problem, (4, 300)),
        *map(_problem_with_a_clause, (4, 300)),
    ]


def _cover(n_options: int, bounds: tuple[tuple[int, int], ...] = ()) -> Puzzle:
    """A cover of two items, each with half of the options, which agree if their colours do."""
    options = [((k % 2, 0), (2, 1 + k % 3), (3 + k // 2, 0)) for k in range(n_options)]
    secondary = ("colour", *(f"option {k}" for k in range(n_options // 2)))
    model = ExactCover(primary=("a", "b"), secondary=secondary, options=tuple(options), bounds=bounds)
    return Puzzle(f"cover {n_options}", model, "a cover to warm up with")


def _problem(n_values: int) -> Puzzle:
    """A problem with two different values, which may be exchanged."""
    model = Csp(("a", "b"), (tuple(range(n_values)),) * 2, (AllDifferent((0, 1)),))
    exchange = (*range(n_values, 2 * n_values), *range(n_values))
    return Puzzle(f"problem {n_values}", model, "a problem to warm up with", generators=(exchange,))


def _problem_with_a_clause(n_values: int) -> Puzzle:
    """As `_problem`, where one variable has the value 0: kernels that few problems need are separate."""
    problem = _problem(n_values)
    assert isinstance(problem.model, Csp)
    clause = Clause(((0, 0, True), (1, 0, True)))
    return replace(problem, model=replace(problem.model, constraints=(*problem.model.constraints, clause)))


def _touch(engine: AnyEngine, example: Puzzle) -> None:
    """Run each part of a search with an engine for a moment."""
    with suppress(EngineRefuses, Enough):
        # An engine that counts makes the same plan for all solutions and for representatives.
        for every_solution in (True, False) if isinstance(engine, ListingEngine) else (True,):
            question = ask(
                example,
                engine=engine.name,
                up_to="symmetry",
                every_solution=every_solution,
                hashes=True,
                workers=1,
                sizes=TOUCHED,
            )
            search = prepare(question, Into(2))
            if isinstance(engine, ListingEngine):
                _list_a_little(search)
            elif engine.name not in NOT_COUNTED:
                pause = _ending_soon()
                for shard in search.shards:
                    engine.count(search.plan, shard, pause)


def _ending_soon() -> Pause:
    """A pause that raises Enough when it is called for the last time."""
    left = iter(range(MOST_PAUSES))

    def pause() -> None:
        if next(left, None) is None:
            raise Enough

    return pause


def _list_a_little(search: Search) -> None:
    engine = search.engine
    assert isinstance(engine, ListingEngine)
    for shard in search.shards[:2]:
        next(search.blocks(shard, no_pause))
    sampler = engine.sampler(search.plan)
    if sampler is not None:  # otherwise shards are listed to sample, and cutting them takes seconds
        sampler.draw(sampler.levels[0], 1, 1, 1)


def _search_small_and_large() -> None:
    """Search a cover of so few options that no plan is made, and one so large that colours are looked at."""
    count_small([])
    engine, n_options = CoverBitset(), CoverBitset.least_options_to_look
    options = tuple(((k % LEAST_ASKERS, 0), (LEAST_ASKERS, 1 + k % 2)) for k in range(n_options))
    items = tuple(map(str, range(LEAST_ASKERS)))
    model = ExactCover(primary=items, secondary=("colour",), options=options)
    _touch(engine, Puzzle("large cover", model, "a cover to warm up with"))


def _merge_in_rounds() -> None:
    """Merge a level as several workers share it, with rules and without, in states of one word and of two.

    Also split a front into parts, and walk parts in order.
    """
    with wrapping():
        for in_order, arguments in kernels_in_order():
            in_order(*arguments)
    for with_rules, n_words in product((False, True), (1, 2)):
        plan = tiny_plan(n_words, with_rules=with_rules)
        front = first_front(plan.levels)
        step_together(front, plan.arrays[0], plan.blocks[0], 8, no_pause, ALONE)
        Parting(plan, ALONE).by(front, NOTHING)


def _draw_diagrams() -> None:
    """Build diagrams of a cover, and of colourings with states of one word and of two, and restrict them."""
    compile_diagrams()
    for words in ("hip 4", "hip 5 --any-balance"):
        made = diagram(puzzle(words))
        made.uses()
        made.restrict(taken=[0])


def _read_rows() -> None:
    """Process rows of each kind from a file, which are read-only."""
    with_large_groups = "ramsey 3 5 9", "steiner-triples 9"
    for words in ("queens 5", "magic-square 3", "dominoes 2 2", "pentominoes 3 20", *with_large_groups):
        question = ask(puzzle(words), up_to="symmetry", takes_large=True)
        no_rows = read_only(joined(question.model.row_shape, ()))
        digest_of(no_rows)
        row_hashes(no_rows)
        if question.group is not None:
            survey_of(question.group).begin(no_rows)
        if isinstance(question.group, LargeGroup) and (classes := known_classes(question.group)) is not None:
            classes.seen(np.zeros(question.model.row_shape.length, dtype=no_rows.dtype))


def _export() -> None:
    """Write rows as text in every format, with numbers of one byte and of two, and symbols in three runs."""
    for words in ("queens 5", "queens 40", "pentominoes 3 20"):
        written = puzzle(words)
        shape = written.model.row_shape
        rows = np.zeros((1, shape.length), dtype=row_dtype(shape.n_symbols))
        RowText(written, b"", b"\n", skips_filler=False)(rows)
        for name in ("rows", "csv", "jsonl", "compact"):
            with suppress(BadInput):  # too many values for one symbol each
                writer(name, written)(rows)


def _elaborate() -> None:
    """Elaborate a proof of two steps."""
    formula = ((1, 2), (-1, 2), (1, -2), (-1, -2))
    with tempfile.TemporaryDirectory() as folder:
        elaborate(2, formula, ("2 0", "0"), Path(folder, "drat"), Path(folder, "lrat"))
