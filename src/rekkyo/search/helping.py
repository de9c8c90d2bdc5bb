"""A symmetry that nobody told, found while a total is counted, because the search is long enough for it.

Where only a total is asked, the sizes of orbits give it as well, so any symmetry of the model may help.
It is searched for in the model's graph as soon as the search is known to take longer than that. The answer
does not change, and no orbits are reported: `unique` needs a symmetry that belongs to the puzzle.
Of a group of more than MOST_FOUND elements a part is used: every solution is compared with its images.
"""

from __future__ import annotations

from dataclasses import replace

from rekkyo.catalog.own_symmetry import all_generators, size_of
from rekkyo.model.csp.csp import Csp
from rekkyo.search.cutting import by_length
from rekkyo.search.probes import Moments, Probes, moments_by_known
from rekkyo.search.search import Search, prepare
from rekkyo.symmetry.group import close

WORTH = 2
"""The search must take so many times as long as it takes to look for a symmetry."""

MOST_FOUND = 48
"""Elements. With constraints that have many solutions, more of them take longer than they save."""

WORK_OF_MOMENT = 500_000
"""How much of a graph is refined in a moment, in the unit of `find_automorphisms`."""


def with_symmetry_found(search: Search) -> Search:
    """The search, or one for representatives when a symmetry was found that helps."""
    if not _may_be_helped(search):
        return search
    question = search.question
    to_build = size_of(question.model) / question.sizes.symmetry_size
    may_take = _moments(search, WORTH * to_build) / WORTH
    if may_take < to_build:
        return search
    generators = all_generators(question.model, int(may_take * WORK_OF_MOMENT))
    group = close(question.model.row_shape, generators, MOST_FOUND, in_part=True)
    if group.order == 1:
        return search
    found = prepare(replace(question, group=group), by_length)
    compile_s = search.compile_s + found.compile_s
    return replace(found if found.only_representatives else search, compile_s=compile_s)


def _may_be_helped(search: Search) -> bool:
    """Whether there is something left to search, for a total alone, and nothing is known of the symmetry."""
    question = search.question
    is_open = not question.reports_orbits and question.group is None and not question.puzzle.knows_symmetry
    if not is_open or search.is_over or not search.shards or search.optimum is not None:
        return False
    # A few shards of a search with constraints say too little about how long the others take.
    return not (search.known and isinstance(question.model, Csp))


def _moments(search: Search, expected: Moments) -> Moments:
    """What a search takes, by the shards that it has searched, or at least, by a short look at some."""
    known = moments_by_known(search)
    return known or Probes(search).least_moments(max(1.0, 2 * expected / len(search.shards)))
