"""A symmetry that nobody told, found while a total is counted, because the search is long enough for it.

Where only a total is asked, the sizes of orbits give it as well, so any symmetry of the model may help.
It is searched for in the model's graph as soon as the search is known to take longer than that. The answer
does not change, and no orbits are reported: `unique` needs a symmetry that belongs to the puzzle.
Left out on purpose: groups of more than MOST_HELPING elements, by which comparing takes longer than it saves.
"""

from __future__ import annotations

from dataclasses import replace

from rekkyo.catalog.own_symmetry import size_of, with_own_symmetry
from rekkyo.search.cutting import by_length
from rekkyo.search.probes import Moments, least_moments, probes_of
from rekkyo.search.question import Question, helping_group
from rekkyo.search.search import Search, prepare

WORTH = 2
"""The search must take so many times as long as it takes to look for a symmetry."""


def with_symmetry_found(search: Search) -> Search:
    """The search, or one for representatives when a symmetry was found that helps."""
    question = search.question
    model = question.model
    if question.reports_orbits or question.group is not None or search.is_over or not search.shards:
        return search
    if question.puzzle.knows_symmetry or search.optimum is not None:
        return search
    needed = WORTH * size_of(model) / question.sizes.symmetry_size
    if not _takes(search, needed):
        return search
    helped = _with_own_symmetry(question)
    if helped.group is None:
        return search
    found = prepare(helped, by_length)
    if not found.only_representatives:
        return search
    return replace(found, compile_s=search.compile_s + found.compile_s)


def _takes(search: Search, moments: Moments) -> bool:
    """Whether a search takes at least so long, by the shards that it has searched, or by a few more."""
    if search.known:
        nodes = sum(max(1, block.nodes) for blocks in search.known.values() for block in blocks)
        return nodes / len(search.known) * len(search.shards) >= moments * search.uncut.moment_nodes
    return least_moments(search, probes_of(search), 2 * moments / len(search.shards)) >= moments


def _with_own_symmetry(question: Question) -> Question:
    """The question with the symmetry of its model."""
    puzzle, _ = with_own_symmetry(replace(question.puzzle, model=question.model))
    return replace(question, group=helping_group(puzzle, question.model))
