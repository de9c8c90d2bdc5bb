"""Propagation of linear constraints, by the bounds of their terms.

An equation or inequality leaves to each variable the values that the bounds of all others allow. `!=` waits
until one variable is open. A constraint that depends on a variable says only that this one cannot have its
value, until it is known to have it. Only a common factor, and not each value by itself, is looked at:
small equations are tables.

    args | n | relation | constant | when | at | c v | c v | …      when: a variable, or -1
"""

from __future__ import annotations

import numpy as np

from rekkyo.engines.csp.propagating.state import (
    Int,
    Program,
    State,
    at_least,
    at_most,
    greatest_of,
    has,
    least_of,
    n_values,
    remove,
)
from rekkyo.jit import inner_kernel

IS_EQUAL, IS_NOT_EQUAL, IS_AT_MOST = 0, 1, 2
WHEN, ARGS = 3, 5
"""Where the variable `when` stands, and the first coefficient."""


@inner_kernel
def propagate_weighted(program: Program, state: State, a: Int) -> bool:
    """See above; False if the constraint cannot hold."""
    args = program.args
    relation, when, at = args[a + 1], args[a + 3], args[a + 4]
    if when >= 0:
        if not has(program, state, when, at):
            return True
        if n_values(program, state, when) > 1:
            if may_hold(program, state, a):
                return True
            return bool(remove(program, state, when, at))
    if relation == IS_NOT_EQUAL:
        return bool(propagate_unequal(program, state, a))
    return bool(propagate_bounds(program, state, a))


@inner_kernel
def may_hold(program: Program, state: State, a: Int) -> bool:
    """Whether the bounds leave a way for the constraint to hold."""
    args = program.args
    n, relation, constant = args[a], args[a + 1], args[a + 2]
    low = high = np.int64(0)
    for i in range(n):
        c, v = args[a + ARGS + 2 * i], args[a + ARGS + 2 * i + 1]
        least, greatest = least_of(program, state, v), greatest_of(program, state, v)
        low += c * (least if c > 0 else greatest)
        high += c * (greatest if c > 0 else least)
    if relation == IS_NOT_EQUAL:
        return bool(low != high or low != constant)
    return bool(low <= constant and (relation == IS_AT_MOST or high >= constant))


@inner_kernel
def propagate_unequal(program: Program, state: State, a: Int) -> bool:
    """When all but one are fixed, the last may not have the value that makes both sides equal."""
    args = program.args
    n, rest = args[a], args[a + 2]
    open_at: Int = np.int64(-1)
    for i in range(n):
        at = a + ARGS + 2 * i
        if n_values(program, state, args[at + 1]) > 1:
            if open_at >= 0:
                return True
            open_at = at
        else:
            rest -= args[at] * least_of(program, state, args[at + 1])
    if open_at < 0:
        return bool(rest != 0)
    value = rest // args[open_at]
    if value * args[open_at] != rest:
        return True
    return bool(remove(program, state, args[open_at + 1], value))


@inner_kernel
def propagate_bounds(program: Program, state: State, a: Int) -> bool:  # noqa: PLR0912 - two signs, two sides
    """Tighten the bounds of the variables until nothing changes. numbers: least and greatest of each."""
    args, bounds = program.args, state.numbers
    n, constant = args[a], args[a + 2]
    is_equation = args[a + 1] == IS_EQUAL
    low = high = np.int64(0)
    for i in range(n):
        c, v = args[a + ARGS + 2 * i], args[a + ARGS + 2 * i + 1]
        least, greatest = least_of(program, state, v), greatest_of(program, state, v)
        bounds[2 * i], bounds[2 * i + 1] = least, greatest
        low += c * (least if c > 0 else greatest)
        high += c * (greatest if c > 0 else least)
    is_changed = True
    while is_changed:
        if low > constant or (is_equation and high < constant):
            return False
        if high <= constant and not (is_equation and low < constant):
            return True
        is_changed = False
        for i in range(n):
            least, greatest = bounds[2 * i], bounds[2 * i + 1]
            if least == greatest:
                continue
            c, v = args[a + ARGS + 2 * i], args[a + ARGS + 2 * i + 1]
            # The term c * x is at most what the least of the others leave, and in an equation at least what
            # the greatest of the others leave.
            most = constant - low + c * (least if c > 0 else greatest)
            lower, upper = least, greatest
            if c > 0:
                upper = min(upper, most // c)
            else:
                lower = max(lower, -(most // -c))
            if is_equation:
                fewest = constant - high + c * (greatest if c > 0 else least)
                if c > 0:
                    lower = max(lower, -(-fewest // c))
                else:
                    upper = min(upper, -fewest // -c)
            if lower == least and upper == greatest:
                continue
            if not (at_least(program, state, v, lower) and at_most(program, state, v, upper)):
                return False
            is_changed = True
            bounds[2 * i], bounds[2 * i + 1] = least_of(program, state, v), greatest_of(program, state, v)
            low += c * ((bounds[2 * i] - least) if c > 0 else (bounds[2 * i + 1] - greatest))
            high += c * ((bounds[2 * i + 1] - greatest) if c > 0 else (bounds[2 * i] - least))
    return True
