"""Counting: all solutions, and the orbits among them."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from rekkyo.ask.classes import asks_for_classes, sort_into_classes
from rekkyo.ask.free import part_without_free
from rekkyo.engines.contract import Shard, no_pause
from rekkyo.engines.digest import Digest
from rekkyo.errors import BadInput, EngineRefuses, GroupTooLarge
from rekkyo.html_tables import facts, seconds, written
from rekkyo.model.checks import check_type
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle, check_puzzle, plain_words
from rekkyo.search.cutting import Into, by_length, whole_if_long
from rekkyo.search.fold import Fold, fold, sum_shard
from rekkyo.search.helping import with_large_group, with_more_symmetry
from rekkyo.search.listing import prepare_list
from rekkyo.search.outcome import Outcome, outcome
from rekkyo.search.overdue import Overtaken
from rekkyo.search.probes import LEAST_RACED, Probes, probes_if_long
from rekkyo.search.progress import Meter, Progress, Watcher, check_watch
from rekkyo.search.question import Question, ask, checked_limit, number_of_workers, unknown_symmetry
from rekkyo.search.quick import begun, quick_engine
from rekkyo.search.search import Cutting, Search, compiling_if_long, cut_again, prepare
from rekkyo.search.sizes import DEFAULT_SIZES, Sizes
from rekkyo.search.small import ENGINE, SmallAnswer, small_answers
from rekkyo.search.threads import StopSign, do_all
from rekkyo.store.finished import Sums
from rekkyo.symmetry.products import product_of


@dataclass(frozen=True, slots=True)
class Count:
    """The result of a count.

    unique: number of orbits under the symmetry `up_to`; None if not requested, left out, or with a limit.
    optimum: the best value of the puzzle's objective, which all counted solutions have.
    left_out: why there is no `unique` although it was requested.
    complete: False if the limit ended the search, so that there are at least `total` solutions.
    digest: hash of the set of solutions, if requested. nodes: as the engine's documentation defines them.
    elapsed_s: without compile_s.
    """

    puzzle: str
    total: int
    unique: int | None
    up_to: str
    complete: bool
    digest: str | None
    engine: str
    nodes: int
    elapsed_s: float
    compile_s: float
    workers: int
    left_out: str | None = None
    optimum: int | None = None

    def _repr_html_(self) -> str:
        numbers = [
            ("total" if self.complete else "at least", self.total),
            (f"up to {self.up_to}", self.unique),
            ("not up to symmetry", self.left_out),
            ("best value", self.optimum),
            ("digest", self.digest),
            ("engine", f"{self.engine}, {written(self.nodes)} nodes"),
            ("time", seconds(self.elapsed_s)),
        ]
        return facts(f"Solutions of {self.puzzle}", numbers)


def count(
    puzzle: Puzzle,
    *,
    engine: str | None = None,
    workers: int | None = None,
    up_to: str = "symmetry",
    limit: int | None = None,
    digest: bool = False,
    watch: Watcher | None = None,
    sizes: Sizes = DEFAULT_SIZES,
) -> Count:
    """Count the solutions of a puzzle, and its orbits unless `up_to` is "none".

    An engine that lists may search for representatives in either case, because the sizes of orbits give the
    total. A digest needs every solution.
    engine: a name from `rekkyo info`; by default the fastest that fits. workers: threads, by default one per
    core. limit: stop after this number of solutions. digest: also hash the set, which needs an engine that
    lists. watch: called with a Progress a few times a second. sizes: how the search is divided.
    Raises BadInput (UnknownEngine, EngineRefuses, …), GroupTooLarge, CountsDisagree.
    """
    check_puzzle(puzzle)
    limit = checked_limit(limit)
    check_type("digest is True or False", digest, bool)
    check_watch(watch)
    if digest and limit is not None:
        raise BadInput("a digest is of all solutions; leave out either the digest or the limit")
    if limit is not None:
        unknown_symmetry(puzzle, up_to)  # for its errors: no orbits are counted
    counting = _Counting(puzzle, engine, workers, up_to, limit, digest, watch, sizes)
    short = counting.small() or counting.by_factor()
    if short is not None:
        return short
    if limit is None and asks_for_classes(puzzle, up_to):
        return counting.by_classes()
    started = time.perf_counter()
    search = counting.search()
    if search is None:
        return counting.by_classes()
    if limit is None:
        try:
            search, sums = _summed(search, watch)
        except GroupTooLarge:
            if search.question.reports_orbits:
                raise
            return counting.without_symmetry()
        found, is_complete = outcome(search, sums, no_pause, watch=watch), True
        hashed = str(sums.digest or Digest()) if digest else None
    else:
        found, is_complete = _up_to_limit(search, limit, watch)
        hashed = None
    return counting.result(search, started, found, is_complete, hashed)


@dataclass(frozen=True, slots=True)
class _Counting:
    """The settings of a count; see `count`."""

    puzzle: Puzzle
    engine: str | None
    workers: int | None
    up_to: str
    limit: int | None
    digest: bool
    watch: Watcher | None
    sizes: Sizes

    @property
    def may_merge(self) -> bool:
        """Whether an engine that lists no solution may answer, and nobody named one."""
        return self.limit is None and self.engine is None and not self.digest

    def small(self) -> Count | None:
        """The count of a small puzzle; None if it is not small, or if the search is to be divided."""
        if not self.may_merge or self.sizes is not DEFAULT_SIZES:
            return None
        (answer,), compile_s = small_answers((self.puzzle,), self.up_to)
        if answer is None:
            return None
        if self.watch is not None:
            self.watch(Progress(answer.total, answer.nodes, 1, 1, answer.seconds, (0.0, 0.0)))
        return small_count(self.puzzle, answer, self.up_to, number_of_workers(self.workers), compile_s)

    def by_factor(self) -> Count | None:
        """The count without free variables, times their values; None if the whole puzzle has to be counted.

        A search never ends with some dozens of free variables. Merging needs a level for each, and is refused
        above 16,384 of them.
        """
        if not self.may_merge or (part := part_without_free(self.puzzle, self.up_to)) is None:
            return None
        found = count(
            part.puzzle,
            workers=self.workers,
            up_to=part.up_to,
            watch=self.watch and partial(part.report, self.watch),
            sizes=self.sizes,
        )
        return self._as_asked(replace(found, total=part.factor * found.total))

    def without_symmetry(self) -> Count:
        """The total alone: the group that was to help takes too long to compare solutions with images."""
        bare = replace(self.puzzle, generators=(), relations=())
        return self._as_asked(
            count(
                bare,
                engine=self.engine,
                workers=self.workers,
                up_to="none",
                watch=self.watch,
                sizes=self.sizes,
            )
        )

    def _as_asked(self, found: Count) -> Count:
        """The count of a simpler puzzle, as one of this puzzle."""
        left_out = unknown_symmetry(self.puzzle, self.up_to) or found.left_out
        return replace(found, up_to=plain_words(self.up_to), left_out=left_out)

    def search(self) -> Search | None:
        """The search that is expected to be the shortest; None if the group is too large for any."""
        if self.digest:
            with suppress(GroupTooLarge):
                return prepare_list(self._question(up_to=self.up_to), by_length, self.watch)
            return None
        quick = quick_engine(self.puzzle) if self.may_merge else None
        # Engines for these models tell early how long a search takes, so merging is tried before any cut.
        is_foretold = isinstance(lower(self.puzzle.model), Csp | Coloring)
        knows_length = self.may_merge and quick is None and is_foretold
        first: Cutting = partial(whole_if_long, most=LEAST_RACED) if knows_length else whole_if_long
        up_to, is_too_large = self.up_to if self.limit is None else "none", False
        try:
            search = begun(
                partial(self._question, up_to=up_to), quick, first, self.watch, self._merged_at_once
            )
        except GroupTooLarge as problem:
            if not self.may_merge or self.puzzle.relation_named(self.up_to) is not None:
                return None
            question, is_too_large = replace(self._question(up_to="none"), left_out=str(problem)), True
            search = prepare(question, first, self.watch)
        if search.is_left_whole and self.may_merge:
            search = with_large_group(search, first, self.watch)
        if search.is_left_whole:
            search = self._merged_at_once(search)
        if search.is_left_whole:
            parts = by_length if knows_length else Into(self.sizes.shards, may_be_short=True)
            search = cut_again(search, parts)
        probes = Probes(search)
        if self.limit is None:
            search = with_more_symmetry(search, probes)
        probes = probes.going_on(search)
        raced = probes_if_long(search, probes) if self.may_merge else None
        # Merging is imported only if it is needed. The choice of an engine for a cover has imported it and
        # kept the states of its first try, which `merged_if_faster` drops, also without a race.
        if raced is not None or (self.may_merge and isinstance(search.question.model, ExactCover)):
            from rekkyo.search.race import merged_if_faster

            search = merged_if_faster(search, raced, self.watch)
        search = replace(probes.kept_in(search), may_be_overtaken=self.may_merge)
        if not is_too_large:
            return search
        return None if search.tally is None else self._with_product(search)

    def _merged_at_once(self, search: Search) -> Search:
        """The search, or one that has counted by merging, if merging is expected to be far faster."""
        if not self.may_merge:
            return search
        from rekkyo.search.race import merged_at_once

        return merged_at_once(search, self.watch)

    def _with_product(self, search: Search) -> Search:
        """A search that has counted, with the group if its classes of conjugates are known without a list.

        The engine that has merged may refuse the puzzle itself, because of its objective.
        """
        product = product_of(self.puzzle.generators_up_to(self.up_to) or ())
        if product is None:
            return search
        up_to = plain_words(self.up_to)
        known = replace(search.question, up_to=up_to, product=product, left_out=None, reports_orbits=True)
        return replace(search, question=known)

    def _question(self, *, up_to: str, engine: str | None = None) -> Question:
        return ask(
            self.puzzle,
            engine=engine or self.engine,
            up_to=up_to,
            lists=self.digest or self.limit is not None,
            every_solution=self.digest,
            hands_on_rows=False,
            hashes=self.digest,
            takes_large=True,
            workers=self.workers,
            sizes=self.sizes,
        )

    def by_classes(self) -> Count:
        """Count by keeping all solutions and classifying them; without a list if there are too many."""
        started = time.perf_counter()
        try:
            classes = sort_into_classes(
                self.puzzle,
                self.up_to,
                engine=self.engine,
                workers=self.workers,
                sizes=self.sizes,
                watch=self.watch,
                hashes=self.digest,
            )
        except GroupTooLarge:
            merged = self._merged_by_product(started) if self.may_merge else None
            if merged is None:
                raise
            return merged
        found = Outcome(classes.tally.total, len(classes.representatives), classes.tally.nodes)
        hashed = None if classes.digest is None else str(classes.digest)
        return self.result(classes.search, started, found, True, hashed)

    def _merged_by_product(self, started: float) -> Count | None:
        """The count by merging, and the classes by Burnside's lemma; None if that is not possible."""
        from rekkyo.search.race import merger_of

        relation = self.puzzle.relation(self.up_to)
        product = product_of(relation.generators) if relation.keeps_solutions else None
        model = lower(self.puzzle.model)
        engine = merger_of(model)
        if product is None or not engine.accepts(model):
            return None
        with suppress(EngineRefuses):
            question = replace(
                self._question(up_to="none", engine=engine.name), product=product, left_out=None
            )
            search = prepare(question, by_length, self.watch)
            search, sums = _summed(search, self.watch)
            found = outcome(search, sums, no_pause, watch=self.watch)
            return self.result(search, started, found, True, None)
        return None

    def result(
        self, search: Search, started: float, found: Outcome, is_complete: bool, hashed: str | None
    ) -> Count:
        """The count that a search has found."""
        return Count(
            puzzle=self.puzzle.name,
            total=found.total,
            unique=found.unique,
            up_to=plain_words(self.up_to),
            complete=is_complete,
            digest=hashed,
            engine=search.engine.name,
            nodes=found.nodes,
            elapsed_s=time.perf_counter() - started - search.compile_s,
            compile_s=search.compile_s,
            workers=search.question.workers,
            left_out=found.left_out,
            optimum=search.optimum,
        )


def small_count(puzzle: Puzzle, answer: SmallAnswer, up_to: str, workers: int, compile_s: float) -> Count:
    """The count of a small puzzle, whose search is too short for workers."""
    return Count(
        puzzle=puzzle.name,
        total=answer.total,
        unique=answer.unique,
        up_to=plain_words(up_to),
        complete=True,
        digest=None,
        engine=ENGINE,
        nodes=answer.nodes,
        elapsed_s=answer.seconds,
        compile_s=compile_s,
        workers=workers,
        left_out=answer.left_out,
    )


def _summed(search: Search, watch: Watcher | None) -> tuple[Search, Sums]:
    """The sums over all shards, and the search that has found them: merging may overtake the one given."""
    sums = Sums(None if search.survey is None else search.survey.group.order)
    try:
        sums.add(fold(search, sum_shard, watch))
    except Overtaken as counted:
        return _summed(counted.search, watch)
    return search, sums


def _up_to_limit(search: Search, limit: int, watch: Watcher | None) -> tuple[Outcome, bool]:
    """Count until the limit is reached; also whether the search ended before."""
    meter = Meter(len(search.shards), search.question.workers)
    folding = Fold(search)

    def work(shard: Shard, stop: StopSign) -> None:
        def report(found: int, nodes: int) -> None:
            if meter.add(found, nodes) >= limit:
                stop.show()

        folding.shard(shard, stop.check, report)

    watch = compiling_if_long(search, watch)
    do_all(search.shards, work, search.question.workers, meter, watch)
    folding.finish()
    seen = meter.look()
    return Outcome(min(seen.found, limit), None, seen.nodes), seen.found < limit
