"""Propagation of symmetry: the row of a solution is not greater than its images.

Algorithm: for each element of a group, the row and its image are compared position by position, as long as
both are known and equal. At the first position where they are not, values of the row above the greatest value
of the image are removed, and values of the image below the least value of the row. If the row is then less
for certain, the element is not looked at again in this branch.

    images  | n | memory | first entry of element 0 | of element 1 | …
    entry   | v | n_values | w v' x | w v' x | …     the image of v has value w if and only if v' has value x
            | -1                                     the end of an element
    memory  | the current entry of each element, 0 for one that is decided |      in `words`

Places of entries are relative to the first argument; values w increase. Since an entry names v' and x for
each w, a symmetry may move a value to a position that depends on the value, as the inversion of a permutation
does. Positions that an element does not change have no entry.
Source: lexicographic leaders, as in J. Crawford, M. Ginsberg, E. Luks, A. Roy, "Symmetry-breaking predicates
for search problems" (KR 1996); Frisch et al., "Global constraints for lexicographic orderings" (CP 2002).
Left out on purpose: consequences of later positions for the current one.
"""

from __future__ import annotations

import numpy as np

from rekkyo.engines.csp.propagating.state import (
    Int,
    Machine,
    Place,
    assign,
    at_most,
    greatest_of,
    has,
    least_of,
    remove,
    save,
)
from rekkyo.jit import inner_kernel

ARGS, ENTRY, VALUE = 2, 2, 3
"""Numbers before the first entries, of an entry before its values, and of a value."""

LESS, IS_GREATER = 0, -1
"""The row is less than an image, or greater."""


@inner_kernel
def propagate_images(m: Machine, a: Place) -> bool:
    """See above; False if some image is less than the row in all solutions that are left."""
    memory = m.code[a + 1]
    for element in range(m.code[a]):
        before = np.int64(m.words[memory + element])
        if before == LESS:
            continue
        after = compared(m, a, before)
        if after == IS_GREATER:
            return False
        if after != before:
            save(m, memory + element, np.uint64(after))
    return True


@inner_kernel
def compared(m: Machine, a: Place, begin: Int) -> Int:
    """Compare the row with one image from an entry on; the entry to continue at, LESS, or IS_GREATER.

    The result is LESS, too, if the row equals its image to the end: nothing is left to compare.
    """
    code = m.code
    entry = a + begin
    while code[entry] >= 0:
        v, first = code[entry], entry + ENTRY
        stop = first + VALUE * code[entry + 1]
        least = least_of(m, v)
        while first < stop and code[first] < least:
            if not remove(m, code[first + 1], code[first + 2]):
                return np.int64(IS_GREATER)
            first += VALUE
        last = stop - VALUE
        while last >= first and not has(m, code[last + 1], code[last + 2]):
            last -= VALUE
        if last < first or not at_most(m, v, code[last]):
            return np.int64(IS_GREATER)
        if code[last] > least_of(m, v):
            while not has(m, code[first + 1], code[first + 2]):
                first += VALUE
            return np.int64(LESS) if greatest_of(m, v) < code[first] else entry - a
        if not assign(m, code[last + 1], code[last + 2]):
            return np.int64(IS_GREATER)
        entry = stop
    return np.int64(LESS)
