"""A level that exchanges bits, between levels that are walked in order.

Canonical states are not in the order of the results, and equal ones may be in different parts. So the results
of a part are made in order, arranged, and written into parts that stay apart at the next levels. There they
are put in order, as those levels need them, and equal ones follow each other:

    parts before    1 2 4 | 3 5      results   2 4 8 | 6 9      arranged   2 1 8 | 6 9
    parts after     1 9 | 2 6 8      in order of the next level

A result takes 40 ns, and 85 by hashing in rounds (`together.py`). Reflections of a board are exchanged once
in a row. For independent sets of 24x24 cells that took a third of the time of two workers, and now a tenth.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.engines.contract import Pause
from rekkyo.engines.crew import Crew
from rekkyo.engines.frontier import merge_kernel
from rekkyo.engines.frontier.apart import Parting, step_apart
from rekkyo.engines.frontier.arrange import EXCHANGES
from rekkyo.engines.frontier.arrange_all import arrange_all_blocks, arrange_all_by_exchanges
from rekkyo.engines.frontier.front import Bounds, Front, Part, Passed
from rekkyo.engines.frontier.in_order import Crossing
from rekkyo.engines.limbs import wrapping


def step_across(
    front: Front, crossing: Crossing, parting: Parting, most: int, pause: Pause, crew: Crew
) -> Front | None:
    """The states after a level, in parts; None if there are more than half of `most` results.

    They are held three times, more often than states that are hashed.
    """
    are_too_many, made = step_apart(front, front.level + 1, Bounds(states=most // 2), crossing, pause, crew)
    if are_too_many:
        return None
    arrange: Any = arrange_all_by_exchanges if crossing.blocks[0, 0] == EXCHANGES else arrange_all_blocks
    merge: Any = merge_kernel.merge_equal

    def arranged(part: Part) -> None:
        with wrapping():
            arrange(part.states, crossing.blocks)

    def merged(part: Part) -> Part:
        with wrapping():
            return Part(*merge(*part, np.uint64(crossing.turn), crossing.n_bits))

    parting.each(arranged, made.parts)
    parts = parting.each(merged, parting.anew(made).parts)
    n_states, (_, _, ways) = sum(len(part.states) for part in parts), made.levels
    parting.n_states = n_states
    passed = Passed((made.nodes,), (n_states,), ways)
    return Front(tuple(parts), n_states, made.nodes, None, made.level, passed)
