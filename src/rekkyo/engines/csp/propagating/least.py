"""Propagation of a symmetry group that is too large to list: the row is not greater than any image.

    least  | n | n_values | root | most | memory | v … | value …      v in the order of comparison
    memory | the number of first variables with one value when the part ran last |      in `words`

The tables of the group (`rekkyo.symmetry.least_tables`) are at the beginning of the supports. The part runs
when more of the first variables have one value, and fails if every row that begins with these values has a
lesser image. The stabilizers of rows are not computed here, but for complete rows.
"""

from __future__ import annotations

import numpy as np

from rekkyo.engines.csp.propagating.state import NUMBERS, STEPS, Int, Machine, Place, is_fixed, least_of, save
from rekkyo.jit import inner_kernel
from rekkyo.symmetry.least_kernel import NOT_LEAST, order_if_least

ARGS = 5
"""Numbers before the variables."""

MOST_LOOKS = 1 << 10
"""The most images that are looked at in one run."""


@inner_kernel
def propagate_least(m: Machine, a: Place) -> bool:
    """See above; False if an image is less."""
    code, ints = m.code, m.ints
    n, n_values, memory = code[a], code[a + 1], code[a + 4]
    at = ints[NUMBERS]
    known: Int = np.int64(0)
    while known < n and is_fixed(m, code[a + ARGS + known]):
        value, number = least_of(m, code[a + ARGS + known]), np.int64(0)
        while code[a + ARGS + n + number] != value:
            number += 1
        ints[at + known] = known * n_values + number
        known += 1
    if known <= np.int64(m.words[memory]):
        return True
    save(m, memory, np.uint64(known))
    ints[STEPS] += 4 * known  # some 0.3 us for each position
    root, most = code[a + 2], code[a + 3]
    return bool(order_if_least(m.supports, root, ints, at, n, n_values, known, most) != NOT_LEAST)
