"""Compiled search for constraint satisfaction problems: propagation to a fixed point, then a decision.

Algorithm: a decision gives a variable its least value; when all that follows from that is searched, the value
is taken away, and the search goes on with what follows from that. The next variable is the one with the
least number of values, divided by its weight. Variables of the solution are decided before all others; once
they have their values, one way to fill in the others is enough, and the search goes back to the last decision
about a variable of the solution. So no solution is found twice.
Source: the maintaining of consistency of constraint solvers (Sabin and Freuder 1994), with the heuristic of
Boussemart et al. (Boosting systematic search by weighting constraints, ECAI 2004).
Left out on purpose: learning, restarts, and weights that change in the search, which would make the nodes of
a search depend on how it is cut.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import SCATTER
from rekkyo.engines.contract import BUFFER_FULL, DONE, OUT_OF_BUDGET, Rows
from rekkyo.engines.csp.propagating.graphs import join_paths, propagate_sized, propagate_together
from rekkyo.engines.csp.propagating.images import propagate_images
from rekkyo.engines.csp.propagating.links import propagate_entry, propagate_inverses, propagate_same
from rekkyo.engines.csp.propagating.sets import (
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
    FIXED_AT,
    HIDDEN_AT,
    HIDDEN_BEFORE,
    HIDDEN_FROM,
    IN_ORDER,
    KIND,
    LENGTH,
    N_FIXED,
    N_FOLLOWED,
    N_HIDDEN,
    N_SHOWN,
    OPEN,
    PHASE,
    QUICK,
    RECORD,
    SHOWN_AT,
    SHOWN_BEFORE,
    SLOW,
    STEPS,
    TAKING,
    TRAIL,
    TRAIL_BEFORE,
    VALUE,
    VARIABLE,
    WAITS,
    WAKING,
    WEIGHT,
    Cursor,
    Decided,
    Int,
    Machine,
    Place,
    Program,
    assign,
    forget_waiting,
    has,
    least_of,
    n_values,
    next_waiting,
    remove,
    take_back,
)
from rekkyo.engines.csp.propagating.sums import WHEN, propagate_added, propagate_weighted
from rekkyo.engines.csp.propagating.tables import propagate_rows
from rekkyo.engines.csp.propagating.tallies import propagate_tallied
from rekkyo.jit import inner_kernel, kernel
from rekkyo.pointers import pointer

ROWS, ADDED, WEIGHTED, CHOSEN, DIFFERENT, PERMUTATION, IMAGES = range(7)
COUNTED, SAME, ENTRY, INVERSES, CYCLE, TOGETHER, CLAUSE, SIZED, STACKED, TALLIED = range(7, 17)
"""Kinds of parts. DIFFERENT and CYCLE never wait: they are told when a variable has one value left."""


@kernel
def list_solutions(
    program: Program, decided: Decided, cursor: Cursor, out: Rows, budget: int, others: int | None
) -> Any:
    """Search on from the state; returns (status, found, nodes). A node is a value given or taken away.

    The decisions of the prefix and what waits to be propagated come first, even with a budget of 0.
    out    : uint[n_rows, n_shown], out. n_rows >= 1.
    others : None when there are only tables, different values, sums and symmetry, which are compiled in half
             the time.
    """
    state, frames, prefix = cursor.state, cursor.frames, cursor.prefix
    m = Machine(pointer(program.code), pointer(program.supports), pointer(state.words), pointer(state.ints))
    ints = state.ints
    status = OUT_OF_BUDGET
    found = n_tried = 0
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
            if v < 0:
                if budget == 0:
                    break
                write(m, decided, out, found)
                found += 1
                ints[PHASE] = DEAD
                if 0 <= ints[HIDDEN_FROM] < depth:
                    ints[DEPTH] = ints[HIDDEN_FROM]
                if found == out.shape[0]:
                    status = BUFFER_FULL
                    break
                continue
        if n_tried >= budget:
            break
        if v < 0 and depth == 0:
            status = DONE
            break
        n_tried += 1
        if v >= 0:
            value = least_of(m, v)
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
    """Give a variable a value, or take it away; what follows from that waits to be propagated."""
    is_possible = assign(m, v, value) if sign else remove(m, v, value)
    m.ints[PHASE] = OPEN if is_possible else DEAD
    if not is_possible:
        forget_waiting(m)


@inner_kernel
def propagate(m: Machine, others: int | None) -> bool:
    """Take away what the parts that wait rule out, to a fixed point; False, and DEAD, if nothing is left."""
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
        # These go on until they have nothing to learn from what they took away themselves.
        is_thorough = kind <= ADDED or (kind == WEIGHTED and code[a + WHEN] < 0)
        ints[code[p + WAITS]] = is_thorough
        is_consistent = True
        if kind == ROWS:
            is_consistent = propagate_rows(m, a)
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
    ints[code[p + WAITS] + 1] += 1  # how often it failed
    forget_waiting(m)
    return False


@inner_kernel
def tell_others(m: Machine, v: Int, others: int | None) -> Place:
    """Tell the parts of a variable that it has one value left; -1, or a part that has no solution then."""
    code = m.code
    value = least_of(m, v)
    at, stop = code[RECORD * v + TAKING], code[RECORD * v + WAKING]
    m.ints[STEPS] += (stop - at) >> 3  # most of them are clauses that have another value in mind
    while at < stop:
        p = code[at]
        if code[p + KIND] == DIFFERENT:
            is_consistent = take_from_others(m, p + ARGS, v, value + code[at + 1])
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
    """Run a part that is none of those that every search compiles."""
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
    elif kind == SIZED:
        is_consistent = propagate_sized(m, a)
    else:
        is_consistent = propagate_together(m, a)
    return is_consistent


@kernel
def next_decision(program: Program, cursor: Cursor) -> Any:
    """The variable to decide next and the value that it is given first; (-1, 0) if all are decided."""
    state = cursor.state
    m = Machine(pointer(program.code), pointer(program.supports), pointer(state.words), pointer(state.ints))
    v = next_variable(m)
    return v, least_of(m, v) if v >= 0 else np.int64(0)


@kernel
def expected_nodes(program: Program, cursor: Cursor, budget: int, others: int | None) -> float:
    """How many nodes the search has, by random dives with `budget` nodes in total.

    Afterwards the cursor is as before.
    Source: Knuth, Estimating the efficiency of backtrack programs, Mathematics of Computation 29 (1975).
    """
    state = cursor.state
    m = Machine(pointer(program.code), pointer(program.supports), pointer(state.words), pointer(state.ints))
    ints = state.ints
    top, n_shown, n_hidden = ints[TRAIL], ints[N_SHOWN], ints[N_HIDDEN]
    random = SCATTER
    total = 0.0
    n_dives = n_tried = 0
    while n_tried < budget:
        n_dives += 1
        n_tried += 1
        ways = 1.0
        while propagate(m, others):
            v = best_of(m, ints[SHOWN_AT], N_SHOWN)
            if v < 0:
                break
            size = n_values(m, v)
            ways *= float(size)
            total += ways
            n_tried += 1
            random ^= random << np.uint64(13)  # Marsaglia, Xorshift RNGs (2003)
            random ^= random >> np.uint64(7)
            random ^= random << np.uint64(17)
            value = least_of(m, v)
            for _ in range(np.int64((random >> np.uint64(33)) % np.uint64(size))):
                value += 1
                while not has(m, v, value):
                    value += 1
            decide(m, v, value, True)
        take_back(m, top)
        ints[PHASE], ints[N_SHOWN], ints[N_HIDDEN] = OPEN, n_shown, n_hidden
        forget_waiting(m)
    return total / n_dives


@inner_kernel
def next_variable(m: Machine) -> Int:
    """The open variable to decide; -1 if none is. Notes where decisions about hidden variables begin."""
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
    """Of the open variables of a list the one with the fewest values for its weight; -1 if none is open.

    Variables that have one value left are put behind the open ones, so that their order depends on the way of
    the search; of equally good variables the first is taken, so that nothing else does.
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
def write(m: Machine, decided: Decided, out: Rows, found: Int) -> None:
    """Write the values of the variables of the solution into a row."""
    number = decided.number
    for position in range(decided.shown.shape[0]):
        out[found, position] = number[least_of(m, decided.shown[position]) - number[0]]
