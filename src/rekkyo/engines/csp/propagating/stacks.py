"""Propagation of a cumulative constraint: the heights on each place add up to at most a capacity.

Algorithm: for all places, the heights that surely lie there and those that may lie there are added up. A
value is removed if it covers a place without enough free capacity, or, if all places must be full, if it does
not cover a place that needs this variable. Source: the timetables of cumulative scheduling (Lahrichi 1982;
Baptiste, Le Pape and Nuijten, Constraint-Based Scheduling, 2001).

Args of a part:

    stacked | n | first | n_places | capacity | is_full | v length height | v length height | …
    numbers | sum of the sure heights of each place | sum of the possible heights of each place |
"""

from __future__ import annotations

from rekkyo.engines.csp.propagating.state import (
    NUMBERS,
    Int,
    Machine,
    Place,
    at_least,
    at_most,
    greatest_of,
    has,
    is_fixed,
    least_of,
    remove,
)
from rekkyo.jit import inner_kernel

STACKED_ARGS = 5
"""Numbers before the variables."""


@inner_kernel
def propagate_stacked(m: Machine, a: Place) -> bool:
    """See above; False if the sum of a place is too large, or too small if all places must be full."""
    code, ints = m.code, m.ints
    n, n_places, capacity, is_full = code[a], code[a + 2], code[a + 3], code[a + 4] == 1
    sure = ints[NUMBERS]
    possible = sure + n_places
    for place in range(2 * n_places):
        ints[sure + place] = 0
    for i in range(n):
        lay_down(m, a, i, sure, possible)
    for place in range(n_places):
        if ints[sure + place] > capacity or (is_full and ints[possible + place] < capacity):
            return False
    for i in range(n):
        if not is_fixed(m, code[a + STACKED_ARGS + 3 * i]) and not keep_fitting(m, a, i, sure, possible):
            return False
    return True


@inner_kernel
def lay_down(m: Machine, a: Place, i: Int, sure: Place, possible: Place) -> None:
    """Add the height of a variable to the places that it surely covers, and to those that it may cover."""
    code, ints, first = m.code, m.ints, m.code[a + 1]
    at = a + STACKED_ARGS + 3 * i
    v, length, height = code[at], code[at + 1], code[at + 2]
    least, greatest = least_of(m, v), greatest_of(m, v)
    for place in range(greatest - first, least - first + length):
        ints[sure + place] += height
    reached = least - first
    for value in range(least, greatest + 1):
        if has(m, v, value):
            for place in range(max(reached, value - first), value - first + length):
                ints[possible + place] += height
            reached = value - first + length


@inner_kernel
def keep_fitting(m: Machine, a: Place, i: Int, sure: Place, possible: Place) -> bool:
    """Remove the values of a variable that exceed the capacity, or that leave a place without enough."""
    code, ints, first, capacity, is_full = m.code, m.ints, m.code[a + 1], m.code[a + 3], m.code[a + 4] == 1
    at = a + STACKED_ARGS + 3 * i
    v, length, height = code[at], code[at + 1], code[at + 2]
    least, greatest = least_of(m, v), greatest_of(m, v)
    last_blocked, last_value = least - 1, least
    first_needed, last_needed = greatest + length, least - 1
    for at_place in range(least, greatest + length):  # places are numbered like values here
        place = at_place - first
        is_own = greatest <= at_place < least + length
        if not is_own and ints[sure + place] + height > capacity:
            last_blocked = at_place
        if has(m, v, at_place):
            last_value = at_place
        if is_full and last_value > at_place - length and ints[possible + place] - height < capacity:
            first_needed, last_needed = min(first_needed, at_place), at_place
        begin = at_place - length + 1
        if least <= begin <= last_blocked and not remove(m, v, begin):
            return False
    return at_most(m, v, first_needed) and at_least(m, v, last_needed - length + 1)
