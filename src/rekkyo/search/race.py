"""A race that finds out whether an engine that does not list counts faster than the prepared search.

No property of a model predicts it well: sum-free sets have few ways to a state, and merging is 13 times as
fast; magic stars have many ways, and merging is slower. So both are tried. A few shards are searched for some
nodes, which gives a lower bound for all shards; merging may take a tenth of that. Then both get four times as
much, until merging is finished, until the shards show that the search is shorter, or until merging has taken
one minute of a search of ten. If nothing has to be compiled for merging, it may take three tenths of a
shorter search. Before the search is cut, merging gets a first try, whose length follows from the plan of the
search or from random dives. Dives also end the rounds of a race: probes that do not end cannot tell a search
of minutes from one of a million years. The levels of a cover also predict how long merging takes
(`engines/frontier/forecast.py`): if that is less than the search, merging continues.

The cut of a sum figure tells how long joining its halves takes. That engine takes over as soon as the search
is known to take longer.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import inf

from rekkyo.engines.contract import ListingEngine, Tally, no_pause
from rekkyo.engines.covers.frontier.engine import CoverFrontier, forget_look
from rekkyo.engines.crew import ALONE, Crew
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.frontier.trial import Trial, ratio
from rekkyo.engines.sums.join.engine import SumJoin
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model
from rekkyo.search.announced import announced
from rekkyo.search.merging import LEAST_MOMENTS, MOST_LOST, Merger, Merging
from rekkyo.search.probes import Known, Probes, probes_if_long
from rekkyo.search.progress import Watcher
from rekkyo.search.search import Search
from rekkyo.search.sizes import Moments
from rekkyo.search.threads import crew
from rekkyo.symmetry.group import Group
from rekkyo.symmetry.large_group import LargeGroup
from rekkyo.symmetry.products import Product, product_of

FIRST_MOMENTS = 2
FACTOR = 4
N_ROUNDS = 5
LAST_MOMENTS = FIRST_MOMENTS * FACTOR ** (N_ROUNDS - 1)
"""The last round searches each probe for 512 moments, some 2.5 s; 256 such shards take 11 minutes."""

ROUND_OF_DIVES = 1
"""Dives follow the second round: then the search takes at least some 0.1 s, and dives 8 ms."""

OVERESTIMATED = 32
"""An estimate by random dives is right on average, so it is this many times too high in one case of 32 at
most. Of 281 searches of the corpus with 100 nodes or more, the greatest is 3.8 times the nodes.
Without it, Hamiltonian cycles of 14x14 are merged after probes that take a third of the time."""

LEAST_TO_JOIN = 128
"""Joining is compiled in 1.5 s and planned in 30 ms: magic stars of 10 points take 0.11 s instead of 0.29."""

MOST_LOST_IF_KEPT = 0.3

FOLDED = 0.25
"""The nodes of counting what a symmetry leaves unchanged, as a part of those of counting all solutions: 0.26
in dominoes, 0.3 in hip 6, 0 in packings of pieces that all differ. In a large group most symmetries move
nearly everything, so all of them together take no more than this part: 0.004 in rectangle-free 6 6 3."""

MOMENTS_OF_PLAN = 2
"""A small plan of such a count."""

SIMPLER = 0.1
"""The time of such a plan, as a part of what is foreseen for the plan for all solutions: 0.06 for graphs with
10 to 12 vertices, 0.1 for matrices, 0.05 for sudokus."""

CLASSES_TRIED, MOMENTS_OF_TRY = 64, 0.06
"""So many classes of symmetries are tried, and how long it takes to see that one leaves nothing unchanged.
That is 0.3 ms for 8,187 of the 8,249 classes of sudokus."""

IMAGES_IN_MOMENT = 1 << 18
"""The images of solutions that are compared in a moment."""

PROVED_IN_MOMENT = 50
"""Proofs that a row is the least one under a group too large to list: of 1,326 Steiner triple systems with 15
points they took 7 ms each."""

CLASSED_IN_MOMENT = 1 << 16
"""The entries of the list of a group whose classes of conjugates are found in a moment: for the edges of a
cube of 5 dimensions (3,840 elements of 80 entries) it takes 12 ms, of 6 (46,080 of 192) 0.85 s."""


def merged_if_faster(search: Search, probes: Probes | Known | None, watch: Watcher | None) -> Search:
    """The search, or one that joins halves, or that has counted already by merging.

    It is for counts for which no engine was named. probes: of the search, None if it is short.
    """
    try:
        return _merged(search, probes, watch, search.question.workers, Merging)
    finally:
        forget_look()


def counted_far_faster(search: Search, begun: Probes, watch: Watcher | None, n_workers: int) -> Tally | None:
    """The count by merging, if that is far faster than a list by a search. begun: probes of the search.

    n_workers: of the race; they do not change its end. Merging is not far faster if a search for
    representatives leaves out so much that it is faster than a list of all solutions.
    """
    probes = probes_if_long(search, begun)
    tally = _merged(search, probes, watch, n_workers, _BlindMerging).tally
    if tally is None or probes is None or search.group is None or not search.only_representatives:
        return tally
    is_faster = tally.total * search.group.order <= IMAGES_IN_MOMENT * probes.least_moments(0)
    return tally if is_faster else None


def _merged(
    search: Search,
    probes: Probes | Known | None,
    watch: Watcher | None,
    n_workers: int,
    merging: type[Merging],
) -> Search:
    if probes is None or not can_be_merged(search):
        return search
    with crew(n_workers) as together:
        bounds = _growing_bounds(search, probes, together)
        return _raced(search, bounds, _begun(merging, search, watch, together), together)


def raced_again(search: Search, taken: Moments, watch: Watcher | None) -> Search:
    """The search, which has taken `taken` moments and goes on, or what has counted in a tenth of that."""
    if not can_be_merged(search):
        return replace(search, raced=inf)
    return _raced(search, [taken], _begun(Merging, search, watch, ALONE), ALONE)


def merged_at_once(search: Search, watch: Watcher | None) -> Search:
    """The search, or one that has counted already by merging, in a small part of the time of the search.

    It is for a long search that is left whole, because cutting it and finding its symmetry take longer.
    """
    if not can_be_merged(search):
        return search
    with crew(search.question.workers) as together:
        merging = _begun(Merging, search, watch, together)
        least = 0.0
        for least in _least_moments(search):
            if merging.may_begin(least) and merging.goes_on(least, MOST_LOST):
                pays_off = _gives_orbits(search) and _orbits_pay_off(search, merging, least)
                return _counted(search, merging) if pays_off else search
    return replace(search, raced=least)


def _least_moments(search: Search) -> Iterator[Moments]:
    """Lower bounds for a search that is left whole: a sure one, then one by dives if it may be long.

    There is none by dives where halves may be joined: merging would go on far longer than joining takes.
    """
    sizes, uncut = search.question.sizes, search.uncut
    sure = min(sizes.shards_if_short, sizes.short_moments, uncut.expected_moments or inf)
    yield sure
    may_be_long = not 0 < search.begun.expected < LEAST_MOMENTS
    may_be_joined = SumJoin().accepts(search.question.model)
    if may_be_long and not may_be_joined and (by_dives := _least_by_dives(search)) > sure:
        yield by_dives


def can_be_merged(search: Search) -> bool:
    """Whether an engine that merges equal states accepts the model."""
    model = _merged_model(search)
    return merger_of(model).accepts(model)


def _begun(merging: type[Merging], search: Search, watch: Watcher | None, together: Crew) -> Merging:
    model = _merged_model(search)
    return merging(merger_of(model), model, watch, together)


def _merged_model(search: Search) -> Model:
    """The model whose equal states are merged: the best value of an objective is a constraint, if known."""
    question = search.question
    # A colouring is merged as one, although a large group has it searched as constraints.
    model = lower(question.puzzle.model) if isinstance(question.group, LargeGroup) else question.model
    return model.with_best_required if isinstance(model, Csp) else model


def merger_of(model: Model) -> Merger:
    """The engine that would merge equal states of a model, if it accepts the model."""
    return CoverFrontier() if isinstance(model, ExactCover) else CspFrontier()


def _raced(search: Search, bounds: Iterable[Moments], merging: Merging, together: Crew) -> Search:
    """The search, or what wins against it. bounds: for how long the search takes at least, ascending."""
    joining: _Joining | None = None
    least = 0.0
    for least in bounds:
        if least >= LEAST_TO_JOIN:
            joining = joining or _Joining(search)
            if joining.moments < inf and joining.moments <= least:
                return joining.search()
        if merging.tally is None and merging.may_begin(least):
            moments = least if joining is None else min(least, joining.moments)
            is_over = merging.goes_on(moments, MOST_LOST if least >= LEAST_MOMENTS else MOST_LOST_IF_KEPT)
            if is_over and not _gives_orbits(search):
                break
            if joining is not None and merging.is_refused and joining.moments == inf:
                break
        if merging.tally is not None and _orbits_pay_off(search, merging, least):
            return _counted(search, merging)
    return replace(search, raced=inf if merging.is_refused else least)


def _growing_bounds(search: Search, probes: Probes | Known, together: Crew) -> Iterator[Moments]:
    """Lower bounds for what is left of a search by each round of probes, or for all of it by dives.

    In all sudokus of order 9, no probe of 512 moments ends, so that probes foresee 498,636 moments for 972
    shards. With a tenth of them, merging stopped at level 40 of 81 when it took 140 s. Dives expect 10^18
    moments; they take 8 ms. So they follow the second round, and if they expect more than probes can show,
    they end the rounds, which took 25 s.
    """
    least = by_dives = 0.0
    most_by_probes = LAST_MOMENTS * len(search.shards)
    for round_ in range(N_ROUNDS):
        least = probes.least_moments(FIRST_MOMENTS * FACTOR**round_, together)
        yield least - probes.kept_moments
        if probes.are_over:
            return
        if round_ == ROUND_OF_DIVES:
            by_dives = _least_by_dives(search)
            if by_dives > most_by_probes:
                break
    if by_dives > least:
        yield by_dives


def _least_by_dives(search: Search) -> Moments:
    """What a search takes nearly always at least."""
    return search.uncut.estimated_moments / OVERESTIMATED


class _Joining:
    """A count by joining halves. moments: about how long it will take; infinite if it is not possible."""

    def __init__(self, search: Search) -> None:
        self._engine, self._search = SumJoin(), search
        self._group = _counted_group(search)
        self.moments = inf
        if self._engine.accepts(search.question.model):
            self._plan = self._engine.plan(search.question.model)
            if self._engine.is_expected_to_fit(self._plan) and self._gives_orbits():
                self.moments = self._plan.expected_nodes / self._engine.moment_nodes

    def _gives_orbits(self) -> bool:
        """Whether it counts what each symmetry that matters leaves unchanged."""
        others = [] if self._group is None else self._group.conjugates()[1:]
        return all(
            self._engine.count_fixed(self._plan, tuple(element.tolist()), no_pause, ALONE) is not None
            for element, _ in others
        )

    def search(self) -> Search:
        """The search that joins."""
        engine, before = self._engine, self._search
        started = time.perf_counter()
        with announced(f"engine {engine.name}"):
            engine.compile(before.question.model)
        return replace(
            _with_engine(before, engine, self._group),
            plan=self._plan,
            shards=engine.split(self._plan, before.question.sizes.shards),
            compile_s=before.compile_s + time.perf_counter() - started,
        )


def _counted_group(search: Search) -> Group | Product | None:
    """The group whose orbits Burnside's lemma is to count; None if there is none, or no such product."""
    if not search.question.reports_orbits:
        return None
    if isinstance(search.group, LargeGroup):
        return product_of(search.group.generators)
    return search.question.counted_group


def _with_engine(search: Search, engine: SumJoin | Merger, group: Group | Product | None) -> Search:
    """The search with another engine, which counts, for the same question. It has no plan yet."""
    listed, product = (group, None) if isinstance(group, Group) else (None, group)
    return replace(
        search,
        question=replace(search.question, engine=engine, group=listed, product=product),
        survey=None,
        only_representatives=False,
        settles_symmetry=False,
        known={},
    )


def _gives_orbits(search: Search) -> bool:
    """Whether Burnside's lemma gives the orbits, if they are asked for."""
    is_asked = isinstance(search.group, LargeGroup) and search.question.reports_orbits
    return not is_asked or _counted_group(search) is not None


def _orbits_pay_off(search: Search, merging: Merging, least: Moments) -> bool:
    """Whether Burnside's lemma, a walk for each symmetry, is shorter than a search of `least` moments."""
    group = _counted_group(search)
    if group is None:
        return True
    moments, least = merging.trial.moments, max(least, _moments_of_listing(search, merging))
    if isinstance(group, Product):
        return FOLDED * moments + _moments_of_plans(group, merging) <= least
    are_classed = group.elements.size <= MOST_LOST * least * CLASSED_IN_MOMENT
    n_counts = (len(group.conjugates()) if are_classed else group.order) - 1
    return n_counts * (FOLDED * moments + MOMENTS_OF_PLAN) <= least


def _moments_of_plans(group: Product, merging: Merging) -> Moments:
    """About how long the plans for all classes of symmetries take."""
    classes = group.conjugates()[1:]
    of_plan = max(MOMENTS_OF_PLAN, SIMPLER * merging.moments_of_plan)
    engine, plan = merging.engine, merging.plan
    if len(classes) <= CLASSES_TRIED:
        return len(classes) * of_plan
    tried = classes[:: len(classes) // CLASSES_TRIED]
    n_left = sum(engine.may_leave_some(plan, tuple(element.tolist())) for element, _ in tried)
    return len(classes) * (MOMENTS_OF_TRY + of_plan * n_left / len(tried))


def _moments_of_listing(search: Search, merging: Merging) -> Moments:
    """How long it takes at least to list a solution of each orbit, or all, a node for each; 0 if unknown.

    Probes of a search for representatives often miss the few long shards: in independent sets of a cube of 6
    dimensions they foresaw 113 moments of 4,057. There are 429,000 orbits or more, in 1,185 moments.
    """
    tally, group = merging.tally, search.group
    assert tally is not None
    if isinstance(group, LargeGroup):
        return tally.total / group.order / PROVED_IN_MOMENT
    if not isinstance(search.engine, ListingEngine) or not isinstance(group, Group):
        return 0.0
    n_listed = tally.total // group.order if search.only_representatives else tally.total
    return ratio(n_listed, search.uncut.moment_nodes)


def _counted(search: Search, merging: Merging) -> Search:
    """The search with the count by merging."""
    engine = merging.engine
    counted = _with_engine(search, engine, _counted_group(search))
    return replace(counted, plan=merging.plan, shards=engine.split(merging.plan, 1), tally=merging.tally)


class _BlindMerging(Merging):
    """Merging that does not depend on what was compiled or looked at before, or on forecasts."""

    def may_begin(self, moments: Moments) -> bool:
        """Only against a long search."""
        return moments >= LEAST_MOMENTS and super().may_begin(moments)

    def _trial_of_look(self) -> Trial | None:
        return None

    def _is_likely_faster(self, trial: Trial, moments: Moments) -> bool:
        return False
