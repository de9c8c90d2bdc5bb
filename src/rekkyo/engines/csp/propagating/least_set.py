"""Propagation of a symmetry group that is too large to list, for sets: the chosen ones are the least set.

    least  | n | n_most | root | most | memory | v…      variables in the order of comparison, 1 if chosen
    memory | the number of chosen first variables when the part ran last |      in `words`

First variables are those before the first one that is not known. The tables of the group
(`rekkyo.symmetry.set_tables`) are at the beginning of the supports. The part fails if every set that begins
with the chosen ones has a lesser image. The stabilizers are not computed here, but for complete rows.
"""

from __future__ import annotations

import numpy as np

from rekkyo.engines.csp.propagating.state import NUMBERS, STEPS, Int, Machine, Place, is_fixed, least_of, save
from rekkyo.jit import inner_kernel
from rekkyo.symmetry.least_kernel import NOT_LEAST
from rekkyo.symmetry.set_kernel import order_if_least_set

ARGS = 5
"""Numbers before the variables."""

MOST_LOOKS = 1 << 12
"""The most images that are looked at in one run. With 256, 1,024, 4,096 and 16,384, Steiner triple systems of
15 points took 15.6, 12.8, 9.1 and 11 s, 1-factorizations of 10 points 41, 35, 25 and 26 s."""


@inner_kernel
def propagate_least_set(m: Machine, a: Place) -> bool:
    """See above; False if an image is less."""
    code, ints = m.code, m.ints
    n, n_most, memory = code[a], code[a + 1], code[a + 4]
    at = ints[NUMBERS]
    known: Int = np.int64(0)
    n_chosen: Int = np.int64(0)
    while known < n and is_fixed(m, code[a + ARGS + known]):
        if least_of(m, code[a + ARGS + known]) == 1:
            if n_chosen == n_most:
                return False
            ints[at + n_chosen] = known
            n_chosen += 1
        known += 1
    ints[STEPS] += known >> 4
    if n_chosen <= np.int64(m.words[memory]):
        return True
    save(m, memory, np.uint64(n_chosen))
    ints[STEPS] += 4 * n_chosen
    root, most = code[a + 2], code[a + 3]
    return bool(order_if_least_set(m.supports, root, ints, at, n_most, n, n_chosen, most) != NOT_LEAST)
