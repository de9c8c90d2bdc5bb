"""Propagation of linear constraints, by the bounds of their terms.

In an equation or inequality, each variable keeps the values that the bounds of all others allow. `!=` is
propagated when at most one variable is open. While it is open whether a variable `when` has its value, the
constraint only removes that value, if it cannot hold. Single values inside the bounds are not looked at,
because small equations are tables.

    weighted | n | relation | when | at | memory | c v | c v | …        when: a variable, or -1
    memory   | n_open | terms : n | rests : n + 1 |    terms: places of coefficients, counted from the args on
    added    | one | other | total | shift | sign |    bits i of `one` and j of `other` make bit i + j - shift

Terms of fixed variables are set aside: the first `n_open` terms are the others, and rests[n_open] is the
constant minus the terms set aside, plus ZERO_REST. Only n_open is restored from the trail. Terms that are
exchanged between a decision and its undoing are the open ones from before, and rests of greater numbers are
not changed (the sparse sets of Briggs and Torczon, 1993). Reading all terms at every run took alphametics
1.8 times as many instructions, and sequences of low autocorrelation 1.3 times.

Sign -1: the bits of `total` are counted from the highest.

`added` keeps only values that are in a solution of the equation: the bits of `other`, shifted by each value
of `one`, are intersected with those of `total`. With tables of the same rows, Costas arrays of order 10 took
four times as long.
"""

from __future__ import annotations

import numpy as np

from rekkyo.bits import ONE, ZERO, Word, lowest_index, reversed_bits
from rekkyo.engines.csp.propagating.state import (
    RECORD,
    Int,
    Machine,
    Place,
    at_least,
    at_most,
    greatest_of,
    has,
    is_fixed,
    least_of,
    n_values,
    put,
    remove,
    save,
)
from rekkyo.jit import inlined_inner_kernel, inner_kernel

IS_EQUAL, IS_NOT_EQUAL, IS_AT_MOST = 0, 1, 2
RELATION, WHEN, AT, MEMORY, ARGS = range(1, 6)
"""Offsets of the numbers after n, and of the first coefficient."""

ZERO_REST = 1 << 62
"""The word for a rest of 0: words are not negative."""


@inner_kernel
def propagate_weighted(m: Machine, a: Place) -> bool:
    """See above; False if the constraint cannot hold."""
    code = m.code
    relation, when, at = code[a + RELATION], code[a + WHEN], code[a + AT]
    if when >= 0:
        if not has(m, when, at):
            return True
        if not is_fixed(m, when):
            if may_hold(m, a):
                return True
            return remove(m, when, at)
    if relation == IS_NOT_EQUAL:
        return propagate_unequal(m, a)
    return propagate_bounds(m, a)


@inner_kernel
def may_hold(m: Machine, a: Place) -> bool:
    """Whether the bounds of the terms allow the constraint to hold."""
    relation = m.code[a + RELATION]
    low, high, _ = bounds_of_terms(m, a)
    rest = rest_of(m, a)
    if relation == IS_NOT_EQUAL:
        return bool(low != high or low != rest)
    return bool(low <= rest and (relation == IS_AT_MOST or high >= rest))


@inlined_inner_kernel
def rest_of(m: Machine, a: Place) -> Int:
    """The constant minus the terms that were set aside."""
    memory = m.code[a + MEMORY]
    return np.int64(m.words[memory + 1 + m.code[a] + np.int64(m.words[memory])]) - ZERO_REST


@inlined_inner_kernel
def bounds_of_terms(m: Machine, a: Place) -> tuple[Int, Int, Int]:
    """Set terms aside; the least and the greatest sum of the open ones, and how far the widest one goes."""
    code, words, memory = m.code, m.words, m.code[a + MEMORY]
    first = place = memory + 1
    rests = first + code[a]
    n_open = np.int64(words[memory])
    low = high = widest = np.int64(0)
    while place < first + n_open:
        at = a + np.int64(words[place])
        c, least, greatest = code[at], least_of(m, code[at + 1]), greatest_of(m, code[at + 1])
        if least == greatest:
            n_open -= 1
            words[place], words[first + n_open] = words[first + n_open], words[place]
            words[rests + n_open] = np.uint64(np.int64(words[rests + n_open + 1]) - c * least)
            continue
        low += c * (least if c > 0 else greatest)
        high += c * (greatest if c > 0 else least)
        widest = max(widest, abs(c) * (greatest - least))
        place += 1
    if n_open < np.int64(words[memory]):
        save(m, memory, np.uint64(n_open))
    return low, high, widest


@inner_kernel
def propagate_unequal(m: Machine, a: Place) -> bool:
    """If all variables but one are fixed, remove the value of that one that makes both sides equal."""
    bounds_of_terms(m, a)
    memory, rest = m.code[a + MEMORY], rest_of(m, a)
    n_open = np.int64(m.words[memory])
    if n_open != 1:
        return bool(n_open > 0 or rest != 0)
    at = a + np.int64(m.words[memory + 1])
    c = m.code[at]
    value = quotient(rest, c)
    return bool(value * c != rest or remove(m, m.code[at + 1], value))


@inner_kernel
def propagate_bounds(m: Machine, a: Place) -> bool:
    """Tighten the bounds of the variables until nothing changes."""
    code, words, is_equation = m.code, m.words, m.code[a + RELATION] == IS_EQUAL
    first = code[a + MEMORY] + 1
    while True:
        low, high, widest = bounds_of_terms(m, a)
        rest = rest_of(m, a)
        if low > rest or (is_equation and high < rest):
            return False
        if widest <= rest - low and not (is_equation and widest > high - rest):
            return True
        n_changed = np.int64(0)
        for place in range(first, first + np.int64(words[first - 1])):
            at = a + np.int64(words[place])
            c, v = code[at], code[at + 1]
            least, greatest = least_of(m, v), greatest_of(m, v)
            spread = abs(c) * (greatest - least)
            if spread <= rest - low and not (is_equation and spread > high - rest):
                continue  # before the divisions, which take half of the time
            # The term c * x is at most the rest minus the least values of the other terms, and in an
            # equation at least the rest minus their greatest values.
            lower, upper = least, greatest
            most = rest - low + c * (least if c > 0 else greatest)
            fewest = rest - high + c * (greatest if c > 0 else least)
            if c > 0:
                upper = min(upper, quotient(most, c))
                lower = max(lower, -quotient(-fewest, c)) if is_equation else lower
            else:
                lower = max(lower, -quotient(most, -c))
                upper = min(upper, quotient(-fewest, -c)) if is_equation else upper
            if lower > least or upper < greatest:
                if not (at_least(m, v, lower) and at_most(m, v, upper)):
                    return False
                n_changed += 1
        if n_changed == 0:
            return True


@inlined_inner_kernel
def quotient(number: Int, divisor: Int) -> Int:
    """The quotient, rounded down. Most divisors are 1, and a division takes long."""
    return number if divisor == 1 else number // divisor


@inner_kernel
def propagate_added(m: Machine, a: Place) -> bool:
    """See above; each of the three domains is one word."""
    code, words = m.code, m.words
    one, other, total, shift, is_backwards = code[a], code[a + 1], code[a + 2], code[a + 3], code[a + 4] < 0
    if n_values(m, other) < n_values(m, one):
        one, other = other, one
    one_at, other_at, total_at = code[RECORD * one], code[RECORD * other], code[RECORD * total]
    ones, others, totals = words[one_at], words[other_at], words[total_at]
    if is_backwards:
        totals = reversed_bits(totals)
    kept_ones = kept_others = kept_totals = ZERO
    left = ones
    while left != ZERO:
        bit = np.int64(lowest_index(left)) - shift
        met = shifted(others, bit) & totals
        if met != ZERO:
            kept_ones |= left & (~left + ONE)
            kept_totals |= met
            kept_others |= shifted(met, -bit)
        left &= left - ONE
    if is_backwards:
        totals, kept_totals = words[total_at], reversed_bits(kept_totals)
    return (
        (kept_ones == ones or put(m, one, one_at, kept_ones))
        and (kept_others == others or put(m, other, other_at, kept_others))
        and (kept_totals == totals or put(m, total, total_at, kept_totals))
    )


@inlined_inner_kernel
def shifted(word: Word, bit: Int) -> Word:
    """The bits of a word, shifted up, or down if the number is negative."""
    if bit >= 64 or bit <= -64:
        return ZERO
    return word << np.uint64(bit) if bit >= 0 else word >> np.uint64(-bit)
