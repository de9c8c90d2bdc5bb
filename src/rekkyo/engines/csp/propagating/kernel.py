"""Compiled search for constraint satisfaction problems: propagation to a fixed point, then a decision.

Algorithm: a decision gives a variable its least value, or its greatest one. When that subtree is searched,
the value is removed and the search continues with the remaining values. The next variable is the one with
the least number of values divided by its weight. Variables of the solution are decided before hidden ones.
When they all have values, one assignment of the hidden variables is enough: the search then returns to the
last decision about a variable of the solution. So no solution is found twice.
Source: maintaining arc consistency (Sabin and Freuder 1994), with the heuristic of Boussemart et al.
(Boosting systematic search by weighting constraints, ECAI 2004).
Clause learning, restarts, and weights that change in the search are left out on purpose: with them the nodes
of a search would depend on its shards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.engines.contract import BUFFER_FULL, DONE, OUT_OF_BUDGET
from rekkyo.engines.csp.numbering import number_of
from rekkyo.engines.csp.propagating.blocks import propagate_blocks
from rekkyo.engines.csp.propagating.cycles import propagate_acyclic
from rekkyo.engines.csp.propagating.graphs import join_paths, propagate_sized, propagate_together
from rekkyo.engines.csp.propagating.images import propagate_images
from rekkyo.engines.csp.propagating.least import propagate_least
from rekkyo.engines.csp.propagating.least_set import propagate_least_set
from rekkyo.engines.csp.propagating.links import propagate_entry, propagate_inverses, propagate_same
from rekkyo.engines.csp.propagating.sets import (
    count_one,
    propagate_chosen,
    propagate_clause,
    propagate_counted,
    propagate_permutation,
    take_from_others,
)
from rekkyo.engines.csp.propagating.stacks import propagate_stacked
from rekkyo.engines.csp.propagating.state import (
    ARGS,
    DEAD,
    DEPTH,
    EXPECTED,
    FALLING,
    FIXED_AT,
    HIDDEN_AT,
    HIDDEN_BEFORE,
    HIDDEN_FROM,
    IN_ORDER,
    KIND,
    LENGTH,
    N_DIVES,
    N_FIXED,
    N_FOLLOWED,
    N_HIDDEN,
    N_SHOWN,
    NODES_LEFT,
    OPEN,
    PHASE,
    QUICK,
    RECORD,
    SHOWN_AT,
    SHOWN_BEFORE,
    SLOW,
    STEPS,
    TAKING,
    TOTAL,
    TRAIL,
    TRAIL_BEFORE,
    VALUE,
    VARIABLE,
    WAITS,
    WAKING,
    WAYS,
    WEIGHT,
    Cursor,
    Decided,
    Dive,
    Int,
    Machine,
    Place,
    Program,
    assign,
    forget_waiting,
    greatest_of,
    has,
    least_of,
    n_values,
    next_waiting,
    remove,
    take_back,
)
from rekkyo.engines.csp.propagating.sums import WHEN, propagate_added, propagate_weighted
from rekkyo.engines.csp.propagating.tables import propagate_few_rows, propagate_rows
from rekkyo.engines.csp.propagating.tallies import propagate_tallied
from rekkyo.engines.out import Out, n_rows_of, put
from rekkyo.engines.sampling import next_random
from rekkyo.jit import inner_kernel, kernel
from rekkyo.pointers import pointer

ROWS, FEW_ROWS, ADDED, WEIGHTED, CHOSEN, DIFFERENT, PERMUTATION, IMAGES = range(8)
COUNTED, SAME, ENTRY, INVERSES, CYCLE, TOGETHER, CLAUSE, SIZED, STACKED, TALLIED = range(8, 18)
BLOCKS, LEAST, LEAST_SET, ACYCLIC = range(18, 22)
"""Kinds of parts. DIFFERENT and CYCLE never wait: they run at once when a variable has one value left."""


@kernel
def list_solutions(
    program: Program, decided: Decided, cursor: Cursor, dive: Dive, out: Out, budget: int, others: int | None
) -> Any:
    """Continue the search; returns (status, found, nodes). A node gives a variable a value or removes one.

    The decisions of the prefix are made and waiting parts are propagated first, even with a budget of 0.
    dive   : not empty for random dives without a budget. A dive gives each variable a random value and ends
             where propagation fails or all variables have values; the next one begins at the root.
    out    : rows of any type, out. Dives write none.
    others : None if there are only tables, different values, sums and symmetry. Without the other parts,
             compiling takes half the time.
    """
    state, frames, prefix = cursor.state, cursor.frames, cursor.prefix
    m = Machine(pointer(program.code), pointer(program.supports), pointer(state.words), pointer(state.ints))
    ints = state.ints
    status = OUT_OF_BUDGET
    found = n_tried = 0
    n_rows = n_rows_of(out)
    while True:
        depth = ints[DEPTH]
        v: Int = np.int64(-1)
        if ints[PHASE] == OPEN and propagate(m, others):
            followed = 3 * ints[N_FOLLOWED]
            if followed < prefix.shape[0]:
                ints[N_FOLLOWED] += 1
                decide(m, prefix[followed], prefix[followed + 1], prefix[followed + 2] == 1)
                continue
            v = next_variable(m)
            if v < 0 and dive.sums.shape[0] == 0:
                if budget == 0:
                    break
                write(m, decided, out, found)
                found += 1
                ints[PHASE] = DEAD
                if 0 <= ints[HIDDEN_FROM] < depth:
                    ints[DEPTH] = ints[HIDDEN_FROM]
                if found == n_rows:
                    status = BUFFER_FULL
                    break
                continue
        if n_tried >= budget:
            break
        if v < 0 and dive.sums.shape[0] != 0 and next_dive(m, cursor, dive):
            continue
        if v < 0 and (depth == 0 or dive.sums.shape[0] != 0):
            status = DONE
            break
        n_tried += 1
        if v >= 0:
            value = next_value(m, v) if dive.sums.shape[0] == 0 else any_value(m, v, dive)
            frames[depth, VARIABLE], frames[depth, VALUE] = v, value
            frames[depth, TRAIL_BEFORE] = ints[TRAIL]
            frames[depth, SHOWN_BEFORE], frames[depth, HIDDEN_BEFORE] = ints[N_SHOWN], ints[N_HIDDEN]
            ints[DEPTH] = depth + 1
        else:
            depth -= 1
            ints[DEPTH] = depth
            take_back(m, frames[depth, TRAIL_BEFORE])
            ints[N_SHOWN], ints[N_HIDDEN] = frames[depth, SHOWN_BEFORE], frames[depth, HIDDEN_BEFORE]
        decide(m, frames[depth, VARIABLE], frames[depth, VALUE], bool(v >= 0))
    return status, found, n_tried


@inner_kernel
def decide(m: Machine, v: Int, value: Int, sign: bool) -> None:
    """Assign a value to a variable or remove it, and put the parts that this wakes on their rings."""
    is_possible = assign(m, v, value) if sign else remove(m, v, value)
    m.ints[PHASE] = OPEN if is_possible else DEAD
    if not is_possible:
        forget_waiting(m)


@inner_kernel
def propagate(m: Machine, others: int | None) -> bool:
    """Run the waiting parts to a fixed point; False, and phase DEAD, if there is no solution."""
    code, ints = m.code, m.ints
    p: Place = np.int64(-1)
    while True:
        if ints[N_FIXED] > 0:
            ints[N_FIXED] -= 1
            p = tell_others(m, ints[FIXED_AT + ints[N_FIXED]], others)
            if p < 0:
                continue
            break
        if ints[QUICK + LENGTH] + ints[SLOW + LENGTH] == 0:
            return True
        p = next_waiting(m)
        ints[STEPS] += 1
        kind, a = code[p + KIND], p + ARGS
        # These parts reach a fixed point by themselves, so their own changes need not wake them.
        is_thorough = kind <= ADDED or kind == SAME or (kind == WEIGHTED and code[a + WHEN] < 0)
        ints[code[p + WAITS]] = is_thorough
        is_consistent = True
        if kind <= FEW_ROWS:
            is_consistent = propagate_rows(m, a) if kind == ROWS else propagate_few_rows(m, a)
        elif kind == WEIGHTED:
            is_consistent = propagate_weighted(m, a)
        elif kind == CHOSEN:
            is_consistent = propagate_chosen(m, a)
        elif kind == ADDED:
            is_consistent = propagate_added(m, a)
        elif kind <= IMAGES:
            is_consistent = propagate_permutation(m, a) if kind == PERMUTATION else propagate_images(m, a)
        elif others is not None:
            is_consistent = propagate_other(m, kind, a)
        if is_thorough:
            ints[code[p + WAITS]] = 0
        if not is_consistent:
            break
    ints[PHASE] = DEAD
    ints[code[p + WAITS] + 1] += 1  # the failures of the part
    forget_waiting(m)
    return False


@inner_kernel
def tell_others(m: Machine, v: Int, others: int | None) -> Place:
    """Run the TAKING list of a variable that has one value left; -1, or the part that failed."""
    code = m.code
    value = least_of(m, v)
    at, stop = code[RECORD * v + TAKING], code[RECORD * v + WAKING]
    m.ints[STEPS] += (stop - at) >> 3  # most entries are clauses about another value, which cost little
    while at < stop:
        p = code[at]
        if code[p + KIND] == DIFFERENT:
            is_consistent = take_from_others(m, p + ARGS, v, value + code[at + 1])
        elif code[p + KIND] == CHOSEN:
            is_consistent = count_one(m, p, bool(code[at + 1] == value))
        elif others is None:
            is_consistent = True
        elif code[p + KIND] == CLAUSE:
            is_consistent = code[at + 1] != value or propagate_clause(m, p + ARGS)
        else:
            is_consistent = join_paths(m, p + ARGS, code[at + 1])
        if not is_consistent:
            return np.int64(p)
        at += 2
    return np.int64(-1)


@inner_kernel
def propagate_other(m: Machine, kind: Int, a: Place) -> bool:
    """Run a part of a kind that is compiled only if `others` is not None."""
    if kind == COUNTED:
        is_consistent = propagate_counted(m, a)
    elif kind == CLAUSE:
        is_consistent = propagate_clause(m, a)
    elif kind == SAME:
        is_consistent = propagate_same(m, a)
    elif kind == ENTRY:
        is_consistent = propagate_entry(m, a)
    elif kind == INVERSES:
        is_consistent = propagate_inverses(m, a)
    elif kind == STACKED:
        is_consistent = propagate_stacked(m, a)
    elif kind == TALLIED:
        is_consistent = propagate_tallied(m, a)
    elif kind in (LEAST, LEAST_SET):
        is_consistent = propagate_least(m, a) if kind == LEAST else propagate_least_set(m, a)
    elif kind == SIZED:
        is_consistent = propagate_sized(m, a)
    elif kind == BLOCKS:
        m.ints[STEPS] += m.code[a] >> 2  # some 16 ns for each node
        is_consistent = propagate_blocks(m, a)
    elif kind == ACYCLIC:
        m.ints[STEPS] += m.code[a] >> 3
        is_consistent = propagate_acyclic(m, a)
    else:
        m.ints[STEPS] += m.code[a] >> 3  # it looks at all cells, some 8 ns each
        is_consistent = propagate_together(m, a)
    return is_consistent


@kernel
def next_decision(program: Program, cursor: Cursor) -> Any:
    """The variable to decide next and its next value; (-1, 0) if all are decided."""
    state = cursor.state
    m = Machine(pointer(program.code), pointer(program.supports), pointer(state.words), pointer(state.ints))
    v = next_variable(m)
    return v, next_value(m, v) if v >= 0 else np.int64(0)


@inner_kernel
def next_value(m: Machine, v: Int) -> Int:
    """The value that a variable is given first."""
    return greatest_of(m, v) if m.ints[FALLING] != 0 else least_of(m, v)


@inner_kernel
def any_value(m: Machine, v: Int, dive: Dive) -> Int:
    """A random value of a variable, which the dive takes."""
    size = n_values(m, v)
    ways = float(dive.sums[WAYS]) * float(size)  # without a warning of NumPy beyond all floats
    dive.sums[WAYS] = ways
    dive.sums[EXPECTED] += ways
    value = least_of(m, v)
    for _ in range(np.int64((next_random(dive.random) >> np.uint64(33)) % np.uint64(size))):
        value += 1
        while not has(m, v, value):
            value += 1
    return value


@inner_kernel
def next_dive(m: Machine, cursor: Cursor, dive: Dive) -> bool:
    """Add a dive that has ended, and go back to the root for another one; False if no nodes are left."""
    ints, frames, sums = m.ints, cursor.frames, dive.sums
    sums[TOTAL] += sums[EXPECTED]
    sums[N_DIVES] += 1
    sums[NODES_LEFT] -= 1 + ints[DEPTH]
    sums[EXPECTED], sums[WAYS] = 0, 1
    if ints[DEPTH] > 0:
        take_back(m, frames[0, TRAIL_BEFORE])
        ints[N_SHOWN], ints[N_HIDDEN] = frames[0, SHOWN_BEFORE], frames[0, HIDDEN_BEFORE]
    ints[DEPTH], ints[PHASE] = 0, OPEN
    return bool(sums[NODES_LEFT] > 0)


@inner_kernel
def next_variable(m: Machine) -> Int:
    """The variable to decide next, or -1 if none is open. Sets HIDDEN_FROM."""
    ints = m.ints
    v = best_of(m, ints[SHOWN_AT], N_SHOWN)
    if v >= 0:
        ints[HIDDEN_FROM] = -1
        return v
    v = best_of(m, ints[HIDDEN_AT], N_HIDDEN)
    if v >= 0 and not 0 <= ints[HIDDEN_FROM] < ints[DEPTH]:
        ints[HIDDEN_FROM] = ints[DEPTH]
    return v


@inner_kernel
def best_of(m: Machine, first: Place, counter: Place) -> Int:
    """The open variable of a list with the least number of values divided by its weight; -1 if none is open.

    Variables with one value left are moved behind the open ones, so the order of the list depends on the path
    of the search. Of equally good variables the one with the least number is taken, so the choice does not.
    """
    code, ints = m.code, m.ints
    best: Int = np.int64(-1)
    best_size: Int = np.int64(1)
    best_weight: Int = np.int64(0)
    n_open = ints[counter]
    at = first
    while at < first + n_open:
        v = ints[at]
        size = n_values(m, v)
        if size == 1:
            n_open -= 1
            ints[at], ints[first + n_open] = ints[first + n_open], v
            continue
        if ints[IN_ORDER] != 0:
            size = np.int64(1)
        weight = code[RECORD * v + WEIGHT]
        is_better = size * best_weight < best_size * weight
        if best < 0 or is_better or (v < best and size * best_weight == best_size * weight):
            best, best_size, best_weight = v, size, weight
        at += 1
    ints[counter] = n_open
    return best


@inner_kernel
def write(m: Machine, decided: Decided, out: Out, found: Int) -> None:
    """Write the values of the variables of the solution into a row."""
    for position in range(decided.shown.shape[0]):
        put(out, found, position, number_of(decided.values, least_of(m, decided.shown[position])))
