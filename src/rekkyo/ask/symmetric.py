"""The number of symmetric solutions, which Burnside's lemma adds to a total.

If a total was proved, or counted by an engine without symmetry, this sum gives the number of orbits.
"""

from __future__ import annotations

from rekkyo.engines.contract import CountingEngine, Pause, no_pause
from rekkyo.model.puzzle import Puzzle
from rekkyo.search.outcome import fixed_counts
from rekkyo.search.question import ask


def symmetric_solutions(
    puzzle: Puzzle, engine: str, up_to: str = "symmetry", pause: Pause = no_pause
) -> int | None:
    """The sum, over all symmetries except the identity, of the number of solutions that each leaves
    unchanged.

    None if the engine cannot count that, or there is no symmetry. Raises BadInput, GroupTooLarge.
    """
    question = ask(puzzle, engine=engine, up_to=up_to, hands_on_rows=False)
    group = question.counted_group
    if not isinstance(question.engine, CountingEngine) or group is None:
        return None
    plan = question.engine.make_plan(question.model)
    found = 0
    for _, n_alike, unchanged in fixed_counts(question.engine, plan, group, pause):
        if unchanged is None:
            return None
        found += n_alike * unchanged.total
    return found
