"""The symmetry of a model that declares none, found while only a total is counted by a long search.

If only a total is requested, the sizes of orbits give it too, so any symmetry of the model may help.
It is searched for in the model's graph as soon as the search is known to take longer than that. The answer
does not change, and no orbits are reported: `unique` needs a symmetry that belongs to the puzzle.
If a group has more than MOST_FOUND elements, a part of it is used, because every solution is compared with
its images.

If a large group belongs to the puzzle, a part of it is used from the start (`question.py`). The whole group
is listed as soon as the search is known to take half as long as listing it. If it is too large to list, one
solution of each class is searched for, as if orbits were asked for.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from rekkyo.catalog.own_symmetry import all_generators, size_of
from rekkyo.errors import GroupTooLarge
from rekkyo.model.csp.csp import Csp
from rekkyo.search.cutting import by_length
from rekkyo.search.probes import Probes, moments_by_known
from rekkyo.search.progress import Watcher
from rekkyo.search.question import by_constraints
from rekkyo.search.search import Cutting, Search, prepare
from rekkyo.search.sizes import Moments
from rekkyo.search.threads import crew
from rekkyo.symmetry.group import Group, close, is_too_large, order_of_generators

WORTH = 2
"""The search must take this many times as long as it takes to look for a symmetry."""

MOST_FOUND = 48
"""The most elements. For constraints with many solutions, more elements take longer than they save."""

WORK_OF_MOMENT = 500_000
"""The work of refining a graph in a moment, in the unit of `ColoredGraph.automorphisms`."""

ATOMS_TRIED_IN_MOMENT = 1 << 15
"""Elements of a group times atoms, for each moment that a part of the group is tried. Listing takes twice as
long: 0.3 s for S_8 on 56 atoms."""


def with_large_group(search: Search, cutting: Cutting, watch: Watcher | None) -> Search:
    """The search, or one for a solution of each class under a group that is too large to list.

    It is for a total alone whose search is left whole, because it is long. The group is the puzzle's own, or
    the last one that may be asked for. The total of `ramsey 3 5 13` then takes 0.7 s instead of 5.
    """
    question = search.question
    if question.reports_orbits or question.group is not None or search.optimum is not None:
        return search
    puzzle, shape = question.puzzle, question.model.row_shape
    asked_for = (relation.generators for relation in puzzle.relations[::-1] if relation.keeps_solutions)
    generators = next((some for some in (puzzle.generators, *asked_for) if is_too_large(shape, some)), None)
    large = by_constraints(question.model, generators, None)
    if large is None:
        return search
    model, engine, group = large
    found = prepare(replace(question, model=model, engine=engine, group=group), cutting, watch)
    return replace(found, compile_s=search.compile_s + found.compile_s)


def with_more_symmetry(search: Search, probes: Probes | None = None) -> Search:
    """The search, or one for representatives by more symmetry: found in the model, or all of a group.

    probes: of the search, for a caller who goes on with them.
    """
    question, probes = search.question, probes or Probes(search)
    if question.reports_orbits or search.is_over or not search.shards or search.optimum is not None:
        return search
    if question.group is None:
        return _with_symmetry_found(search, probes)
    return _with_whole_group(search, question.group, probes) if isinstance(question.group, Group) else search


def _with_whole_group(search: Search, part: Group, probes: Probes) -> Search:
    """The search with the whole group of the puzzle, unless a part of it is soon through."""
    question = search.question
    shape, generators = question.model.row_shape, question.puzzle.generators
    if part.contains(generators):
        return search
    may_take = order_of_generators(shape, generators) * shape.n_atoms / ATOMS_TRIED_IN_MOMENT
    # The shards that are known say little: one of the others may take longer than all of them.
    if _least_moments(search, may_take, probes) < may_take:
        return search
    with suppress(GroupTooLarge):
        return _for_representatives(search, close(shape, generators))
    return search


def _with_symmetry_found(search: Search, probes: Probes) -> Search:
    question = search.question
    # A few shards of a search with constraints say too little about how long the others take.
    if question.puzzle.knows_symmetry or (search.known and isinstance(question.model, Csp)):
        return search
    to_build = size_of(question.model) / question.sizes.symmetry_size
    may_take = _moments(search, WORTH * to_build, probes) / WORTH
    if may_take < to_build:
        return search
    generators = all_generators(question.model, int(may_take * WORK_OF_MOMENT))
    group = close(question.model.row_shape, generators, MOST_FOUND, in_part=True)
    if group.order == 1:
        return search
    return _for_representatives(search, group)


def _for_representatives(search: Search, group: Group) -> Search:
    """The search for representatives under a group, if there is one."""
    found = prepare(replace(search.question, group=group), by_length)
    compile_s = search.compile_s + found.compile_s
    return replace(found if found.only_representatives else search, compile_s=compile_s)


def _moments(search: Search, expected: Moments, probes: Probes) -> Moments:
    """The moments of a search, by the shards that it has searched, or a lower bound from short searches."""
    known = moments_by_known(search)
    return known or _least_moments(search, max(1.0, 2 * expected / len(search.shards)), probes)


def _least_moments(search: Search, of_each: Moments, probes: Probes) -> Moments:
    """The estimate of probes, by all workers."""
    with crew(search.question.workers) as together:
        return probes.least_moments(of_each, together)
