"""Propagation of linear constraints, by the bounds of their terms.

In an equation or inequality, each variable keeps the values that the bounds of all others allow. `!=` is
propagated when at most one variable is open. While it is open whether a variable `when` has its value, the
constraint only removes that value, if it cannot hold. Single values inside the bounds are not looked at,
because small equations are tables.

    weighted | n | relation | constant | when | at | c v | c v | …      when: a variable, or -1
    added    | one | other | total | shift | sign |    bits i of `one` and j of `other` make bit i + j - shift

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
)
from rekkyo.jit import inlined_inner_kernel, inner_kernel

IS_EQUAL, IS_NOT_EQUAL, IS_AT_MOST = 0, 1, 2
WHEN, ARGS = 3, 5
"""Offsets of the variable `when` and of the first coefficient."""


@inner_kernel
def propagate_weighted(m: Machine, a: Place) -> bool:
    """See above; False if the constraint cannot hold."""
    code = m.code
    relation, when, at = code[a + 1], code[a + 3], code[a + 4]
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
    code = m.code
    n, relation, constant = code[a], code[a + 1], code[a + 2]
    low = high = np.int64(0)
    for i in range(n):
        c, v = code[a + ARGS + 2 * i], code[a + ARGS + 2 * i + 1]
        least, greatest = least_of(m, v), greatest_of(m, v)
        low += c * (least if c > 0 else greatest)
        high += c * (greatest if c > 0 else least)
    if relation == IS_NOT_EQUAL:
        return bool(low != high or low != constant)
    return bool(low <= constant and (relation == IS_AT_MOST or high >= constant))


@inner_kernel
def propagate_unequal(m: Machine, a: Place) -> bool:
    """If all variables but one are fixed, remove the value of that one that makes both sides equal."""
    code = m.code
    n, rest = code[a], code[a + 2]
    open_at: Int = np.int64(-1)
    for i in range(n):
        at = a + ARGS + 2 * i
        if not is_fixed(m, code[at + 1]):
            if open_at >= 0:
                return True
            open_at = at
        else:
            rest -= code[at] * least_of(m, code[at + 1])
    if open_at < 0:
        return bool(rest != 0)
    value = quotient(rest, code[open_at])
    if value * code[open_at] != rest:
        return True
    return remove(m, code[open_at + 1], value)


@inner_kernel
def propagate_bounds(m: Machine, a: Place) -> bool:
    """Tighten the bounds of the variables until nothing changes."""
    code = m.code
    n, constant, is_equation = code[a], code[a + 2], code[a + 1] == IS_EQUAL
    while True:
        low = high = widest = np.int64(0)
        for at in range(n):
            c, v = code[a + ARGS + 2 * at], code[a + ARGS + 2 * at + 1]
            least, greatest = least_of(m, v), greatest_of(m, v)
            low += c * (least if c > 0 else greatest)
            high += c * (greatest if c > 0 else least)
            widest = max(widest, abs(c) * (greatest - least))
        if low > constant or (is_equation and high < constant):
            return False
        if widest <= constant - low and not (is_equation and widest > high - constant):
            return True
        n_changed = np.int64(0)
        for at in range(n):
            c, v = code[a + ARGS + 2 * at], code[a + ARGS + 2 * at + 1]
            least, greatest = least_of(m, v), greatest_of(m, v)
            spread = abs(c) * (greatest - least)
            if spread <= constant - low and not (is_equation and spread > high - constant):
                continue  # before the divisions, which take half of the time
            # The term c * x is at most the constant minus the least values of the other terms, and in an
            # equation at least the constant minus their greatest values.
            lower, upper = least, greatest
            most = constant - low + c * (least if c > 0 else greatest)
            fewest = constant - high + c * (greatest if c > 0 else least)
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
