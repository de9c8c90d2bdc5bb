"""A question made ready to be searched: kernels compiled, plan made, shards cut, group prepared for rows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, TypeAlias, TypeGuard

from rekkyo.arrays import read_only
from rekkyo.engines.contract import Block, CountingEngine, ListingEngine, Pause, Rows, Shard, Tally, joined
from rekkyo.engines.digest import digest_of
from rekkyo.engines.registry import AnyEngine
from rekkyo.model.row import RowShape
from rekkyo.search.announced import announced
from rekkyo.search.cutting import MOMENTS_OF_SLICE, NOT_BEGUN, Begun, Cut, Uncut
from rekkyo.search.optimum import with_optimum
from rekkyo.search.progress import Progress, Watcher, check_watch
from rekkyo.search.question import Question
from rekkyo.search.sizes import Moments
from rekkyo.symmetry.group import Group
from rekkyo.symmetry.large_group import AnyGroup
from rekkyo.symmetry.large_survey import AnySurvey, survey_of
from rekkyo.symmetry.orbits import OrbitSurvey

Cutting: TypeAlias = Callable[[Uncut], Cut]
"""Chooses the shards of a search: one of the functions of `rekkyo.search.cutting`."""


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """A plan and its shards.

    survey: finds representatives among rows; None when no symmetry matters. only_representatives: whether the
    engine may leave out other solutions. settles_symmetry: whether it finds representatives alone, with their
    stabilizers. known: all blocks of the shards that were searched while the cut was chosen.
    other: where the blocks come from instead, when another search finds the same solutions again.
    tally: what an engine that counts has counted already. begun: see `Cut`. raced: how long a search merging
    was tried against. may_be_overtaken: whether merging may answer while the search goes on.
    """

    question: Question
    plan: Any
    shards: tuple[Shard, ...]
    survey: AnySurvey | None
    only_representatives: bool
    settles_symmetry: bool
    compile_s: float
    known: Mapping[int, tuple[Block, ...]] = field(default_factory=dict)
    other: Callable[[Shard, Pause], Iterator[Block]] | None = None
    tally: Tally | None = None
    begun: Begun = NOT_BEGUN
    raced: Moments = 0.0
    may_be_overtaken: bool = False

    @property
    def engine(self) -> AnyEngine:
        """The engine that searches."""
        return self.question.engine

    @property
    def group(self) -> AnyGroup | None:
        """The symmetry that matters."""
        return self.question.group

    @property
    def shape(self) -> RowShape:
        """The shape of the rows."""
        return self.question.model.row_shape

    @property
    def is_over(self) -> bool:
        """Whether no shard is left to be searched."""
        return self.tally is not None or len(self.known) == len(self.shards)

    @property
    def is_left_whole(self) -> bool:
        """Whether it is still to be cut, see `whole_if_long`."""
        return isinstance(self.engine, ListingEngine) and len(self.shards) == 1 and not self.known

    @property
    def optimum(self) -> int | None:
        """The best value of the objective; None where there is no objective or no solution."""
        objective = getattr(self.question.model, "objective", None)
        return None if objective is None else objective.best

    @property
    def uncut(self) -> Uncut:
        """The plan and the facts by which a cut is chosen."""
        return uncut_of(self.question, self.plan, self.begun)

    def blocks(self, shard: Shard, pause: Pause) -> Iterator[Block]:
        """The solutions of a shard, a block for each slice of the search, empty blocks included."""
        if self.other is not None:
            return self.other(shard, pause)
        known = self.known.get(shard.index)
        if known is not None:
            return iter(known)
        assert isinstance(self.engine, ListingEngine)
        sizes = self.question.sizes
        slice_nodes = min(sizes.slice_nodes, MOMENTS_OF_SLICE * self.engine.nodes_of_moment(self.plan))
        return self.engine.blocks(self.plan, shard, sizes.room(self.shape), slice_nodes, pause)

    def probed_seconds(self, shard: Shard) -> float:
        """How long the probe took that has searched a shard already; 0 if none has."""
        return sum(block.seconds for block in self.known.get(shard.index, ()))

    def with_stabilizers(self, block: Block) -> Block:
        """The block with the order of the stabilizer of each row, 0 for rows that are not representatives."""
        if block.stabilizers is not None or self.survey is None:
            return block
        return Block(block.rows, self.survey.stabilizer_orders(block.rows), block.nodes)

    def wanted_rows(self, block: Block) -> Rows:
        """The rows that are the answer: all, or the least row of each orbit that has its representative here.

        block: with rows, and with stabilizers where there is a symmetry.
        """
        if self.survey is None or self.question.every_solution:
            return block.rows
        assert block.stabilizers is not None
        is_wanted = block.stabilizers > 0
        rows = block.rows if is_wanted.all() else block.rows[is_wanted]
        return self.survey.least_images(rows) if _rewrites(self.survey) else rows


def uncut_of(question: Question, plan: Any, begun: Begun) -> Uncut:
    """A plan of a question before it is cut."""
    shape = question.model.row_shape
    return Uncut(question.engine, plan, shape, question.sizes, question.workers, begun)


def prepare(question: Question, cutting: Cutting, watch: Watcher | None = None) -> Search:
    """Compile what the search needs, plan it and cut it. watch: told of an optimum. Raises BadInput."""
    check_watch(watch)
    compile_s = _compile(question)
    return _prepared(with_optimum(question, watch), cutting, compile_s)


def prepare_known(question: Question, cutting: Cutting) -> Search:
    """The same for a question of which the best value of the objective is known."""
    return _prepared(question, cutting, _compile(question))


def _compile(question: Question) -> float:
    """Compile or load the kernels of the engine; the seconds that this took."""
    started = time.perf_counter()
    with announced(f"engine {question.engine.name}"):
        question.engine.compile(question.model)
    return time.perf_counter() - started


def _prepared(question: Question, cutting: Cutting, compile_s: float) -> Search:
    engine = question.engine
    plan, survey, is_reduced = _plan(question)
    settles = isinstance(engine, ListingEngine) and engine.settles_symmetry(plan)
    started = time.perf_counter()
    with announced("what sorts rows into orbits"):
        _compile_for_rows(question, survey, settles)
    compile_s += time.perf_counter() - started
    tally = engine.known(plan) if isinstance(engine, CountingEngine) else None
    cut, cut_compile_s = _cut(question, uncut_of(question, plan, NOT_BEGUN), cutting)
    return Search(
        question=question,
        plan=plan,
        shards=cut.shards,
        survey=survey,
        only_representatives=is_reduced,
        settles_symmetry=settles,
        compile_s=compile_s + cut_compile_s,
        known=cut.known,
        tally=tally,
        begun=cut.begun,
    )


def cut_again(search: Search, cutting: Cutting) -> Search:
    """The search in the shards that are chosen now."""
    cut, compile_s = _cut(search.question, search.uncut, cutting)
    compile_s += search.compile_s
    return replace(search, shards=cut.shards, known=cut.known, compile_s=compile_s, begun=cut.begun)


def _cut(question: Question, uncut: Uncut, cutting: Cutting) -> tuple[Cut, float]:
    """The cut, and the seconds of compiling what a long search needs."""
    cut = cutting(uncut)
    if cut.may_be_short:
        return cut, 0.0
    started = time.perf_counter()
    compile_for_long(question)
    return cut, time.perf_counter() - started


def compiling_if_long(search: Search, watch: Watcher | None) -> Watcher:
    """The same watcher, which compiles for a long search when the number of nodes shows that it is one.

    It is called in the thread that asked, while others search on; so Ctrl-C ends the compiling, too.
    """
    is_done = False

    def compile_and_watch(progress: Progress) -> None:
        nonlocal is_done
        if not is_done and progress.nodes >= search.engine.long_nodes:
            is_done = True
            compile_for_long(search.question)
        if watch is not None:
            watch(progress)

    return compile_and_watch


def compile_for_long(question: Question) -> None:
    """Compile or load what makes a long search faster, and say so."""
    with announced(f"engine {question.engine.name} for long searches"):
        question.engine.compile_for_long(question.model)


def _plan(question: Question) -> tuple[Any, AnySurvey | None, bool]:
    """The plan, the survey of the group, and whether the plan is for representatives alone."""
    engine, model, group = question.engine, question.model, question.group
    if group is None or not isinstance(engine, ListingEngine):
        return read_only(engine.make_plan(model)), None, False
    if question.every_solution:
        reduced = None
    elif isinstance(group, Group):
        reduced = engine.make_plan_for_representatives(model, group)
    else:
        reduced = engine.make_plan_for_large_group(model, group)
    if reduced is None:
        survey = _survey(group) if question.reports_orbits else None
        return read_only(engine.make_plan(model)), survey, False
    return read_only(reduced), survey_of(group, engine.comparing_order(reduced)), True


@lru_cache(maxsize=2)
def _survey(group: AnyGroup) -> AnySurvey:
    """The survey of a group. Cached for callers that ask many short questions of one size."""
    return survey_of(group)


def _compile_for_rows(question: Question, survey: AnySurvey | None, settles: bool) -> None:
    """Compile or load what is done with rows, as far as the question needs it, by doing it with no rows."""
    if survey is not None:
        if not (settles or survey.is_begun):
            survey.begin(_no_rows(question))
        if question.hands_on_rows and not question.every_solution and _rewrites(survey):
            survey.least_images(_no_rows(question))
    if question.hashes:
        digest_of(_no_rows(question))


def _rewrites(survey: AnySurvey) -> TypeGuard[OrbitSurvey]:
    """Whether the least rows in the order of comparison are not those of their orbits."""
    return isinstance(survey, OrbitSurvey) and not survey.is_lexicographic


def _no_rows(question: Question) -> Rows:
    return joined(question.model.row_shape, ())
