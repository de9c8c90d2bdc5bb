"""The ladder for n queens: seven techniques in two forms each, every rung building on the one below.

    brute force            looks only at complete boards
    backtracking           looks at each queen as it is placed
    placement flags        remembers what is attacked
    bitmap                 sees a row at once
    mirror                 finds half of the solutions
    symmetry elimination   finds one of each orbit
    carry chain            uses symmetry on the border, before the search

The rows are those of `rekkyo.model.queens`: position = row of the board, value = column.
"""

from __future__ import annotations

from rekkyo.methods.ladder import Method
from rekkyo.methods.queens import (
    backtracking,
    bitmap,
    brute_force,
    carry_chain,
    mirror,
    placement_flags,
    symmetry_elimination,
)

QUEENS_METHODS: tuple[Method, ...] = (
    *brute_force.METHODS,
    *backtracking.METHODS,
    *placement_flags.METHODS,
    *bitmap.METHODS,
    *mirror.METHODS,
    *symmetry_elimination.METHODS,
    *carry_chain.METHODS,
)
