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

from rekkyo.engines.contract import BUFFER_FULL, DONE, OUT_OF_BUDGET, Rows
from rekkyo.engines.csp.propagating.graphs import propagate_cycle, propagate_together
from rekkyo.engines.csp.propagating.sets import (
    propagate_clause,
    propagate_counted,
    propagate_different,
    propagate_entry,
    propagate_inverses,
    take_from_others,
)
from rekkyo.engines.csp.propagating.state import (
    ARGS,
    DEAD,
    DEPTH,
    FAILURES,
    HIDDEN_FROM,
    KIND,
    N_FIXED,
    OPEN,
    PHASE,
    QUEUE,
    TRAIL,
    TRAIL_BEFORE,
    VALUE,
    VARIABLE,
    WAITS,
    WEIGHT,
    Cursor,
    Decided,
    Int,
    Program,
    State,
    assign,
    least_of,
    n_values,
    remove,
    take_back,
)
from rekkyo.engines.csp.propagating.sums import WHEN, propagate_weighted
from rekkyo.engines.csp.propagating.tables import propagate_rows
from rekkyo.jit import inner_kernel, kernel

ROWS, DIFFERENT, WEIGHTED, COUNTED, ENTRY, INVERSES, CYCLE, TOGETHER, CLAUSE = range(9)
"""Kinds of parts; those up to DIFFERENT run to a fixed point of their own."""


@kernel
def list_solutions(  # noqa: PLR0912, PLR0915 - one loop: what it calls is compiled again wherever it stands
    program: Program, decided: Decided, cursor: Cursor, out: Rows, budget: int, others: int | None
) -> Any:
    """Search on from the state; returns (status, found, nodes). A node is a value given or taken away.

    What waits to be propagated comes first, even with a budget of 0.
    out    : uint[n_rows, n_shown], out. n_rows >= 1.
    others : None when there are only tables, different values and sums, which are compiled in half the time.
    """
    state, frames = cursor.state, cursor.frames
    counters = state.counters
    n_parts = program.parts.shape[0]
    status = OUT_OF_BUDGET
    found = n_tried = 0
    while True:
        is_consistent = counters[PHASE] != DEAD
        p: Int = np.int64(-1)
        while is_consistent and (counters[N_FIXED] > 0 or counters[QUEUE + 1] > 0 or counters[QUEUE + 3] > 0):
            if counters[N_FIXED] > 0:
                counters[N_FIXED] -= 1
                p = take_from_others(program, state, state.fixed[counters[N_FIXED]])
                is_consistent = p < 0
                continue
            ring = 0 if counters[QUEUE + 1] > 0 else 1
            at = QUEUE + 2 * ring
            p = state.queue[ring, counters[at]]
            counters[at] = counters[at] + 1 if counters[at] + 1 < n_parts else 0
            counters[at + 1] -= 1
            a = program.parts[p, ARGS]
            kind = program.parts[p, KIND]
            # These go on until they have nothing to learn from what they took away themselves.
            is_thorough = kind <= DIFFERENT or (kind == WEIGHTED and program.args[a + WHEN] < 0)
            state.queue[WAITS, p] = is_thorough
            if kind == DIFFERENT:
                is_consistent = propagate_different(program, state, a)
            elif kind == ROWS:
                is_consistent = propagate_rows(program, state, a)
            elif kind == WEIGHTED:
                is_consistent = propagate_weighted(program, state, a)
            elif others is not None:
                is_consistent = propagate_other(program, state, kind, a)
            if is_thorough:
                state.queue[WAITS, p] = 0
        depth = counters[DEPTH]
        v: Int = np.int64(-1)
        if not is_consistent:
            counters[PHASE] = DEAD
            if p >= 0:
                state.queue[FAILURES, p] += 1
            forget_waiting(state)
        else:
            counters[PHASE] = OPEN
            v = next_variable(program, decided, state)
            if v < 0:
                if budget == 0:
                    break
                write(program, decided, state, out, found)
                found += 1
                counters[PHASE] = DEAD
                if 0 <= counters[HIDDEN_FROM] < depth:
                    counters[DEPTH] = counters[HIDDEN_FROM]
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
            value = least_of(program, state, v)
            frames[depth, VARIABLE], frames[depth, VALUE] = v, value
            frames[depth, TRAIL_BEFORE] = counters[TRAIL]
            counters[DEPTH] = depth + 1
            is_possible = assign(program, state, v, value)
        else:
            depth -= 1
            counters[DEPTH] = depth
            take_back(state, frames[depth, TRAIL_BEFORE])
            is_possible = remove(program, state, frames[depth, VARIABLE], frames[depth, VALUE])
        counters[PHASE] = OPEN if is_possible else DEAD
    return status, found, n_tried


@inner_kernel
def propagate_other(program: Program, state: State, kind: Int, a: Int) -> bool:
    """Run a part that is no table, no sum and none of different values."""
    if kind == COUNTED:
        return bool(propagate_counted(program, state, a))
    if kind == CLAUSE:
        return bool(propagate_clause(program, state, a))
    if kind == ENTRY:
        return bool(propagate_entry(program, state, a))
    if kind == INVERSES:
        return bool(propagate_inverses(program, state, a))
    if kind == CYCLE:
        return bool(propagate_cycle(program, state, a))
    return bool(propagate_together(program, state, a))


@kernel
def decide(program: Program, state: State, v: Int, value: Int, sign: bool) -> bool:
    """Give a variable a value, or take it away; False if there is no solution then.

    What follows from that waits to be propagated.
    """
    return bool(assign(program, state, v, value) if sign else remove(program, state, v, value))


@kernel
def next_decision(program: Program, decided: Decided, state: State) -> Any:
    """The variable to decide next and the value that it is given first; (-1, 0) if all are decided."""
    v = next_variable(program, decided, state)
    return v, least_of(program, state, v) if v >= 0 else np.int64(0)


@inner_kernel
def next_variable(program: Program, decided: Decided, state: State) -> Int:
    """The open variable to decide; -1 if none is. Notes where decisions about hidden variables begin."""
    counters = state.counters
    v = best_of(program, state, decided.shown)
    if v >= 0:
        counters[HIDDEN_FROM] = -1
        return v
    v = best_of(program, state, decided.hidden)
    if v >= 0 and not 0 <= counters[HIDDEN_FROM] < counters[DEPTH]:
        counters[HIDDEN_FROM] = counters[DEPTH]
    return v


@inner_kernel
def best_of(program: Program, state: State, variables: Any) -> Int:
    """Of some variables the open one with the fewest values for its weight; -1 if none is open."""
    best: Int = np.int64(-1)
    best_size: Int = np.int64(1)
    best_weight = np.int64(0)
    for v in variables:
        size = n_values(program, state, v)
        if size > 1 and (best < 0 or size * best_weight < best_size * program.variables[v, WEIGHT]):
            best, best_size, best_weight = v, size, program.variables[v, WEIGHT]
    return best


@inner_kernel
def write(program: Program, decided: Decided, state: State, out: Rows, found: Int) -> None:
    """Write the values of the variables of the solution into a row."""
    number = decided.number
    for position in range(decided.shown.shape[0]):
        value = least_of(program, state, decided.shown[position])
        out[found, position] = number[value - number[0]]


@inner_kernel
def forget_waiting(state: State) -> None:
    """Empty the queues."""
    counters = state.counters
    counters[N_FIXED] = 0
    n_parts = state.queue.shape[1]
    for ring in range(2):
        at = QUEUE + 2 * ring
        while counters[at + 1] > 0:
            state.queue[WAITS, state.queue[ring, counters[at]]] = 0
            counters[at] = counters[at] + 1 if counters[at] + 1 < n_parts else 0
            counters[at + 1] -= 1
