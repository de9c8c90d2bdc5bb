"""Checks clauses by unit propagation, and records the clauses it used: the kernel of `elaborate.py`.

Two literals of each clause are watched, the first two; the watchers of a literal are a linked list, in which
node 2 * clause + place stands for the literal at that place. Consequences of unit clauses alone (the *root*)
are kept permanently; a clause is checked by assuming in addition that all its literals are false.
Source: M. Moskewicz, C. Madigan, Y. Zhao, L. Zhang, S. Malik, "Chaff: engineering an efficient SAT solver"
(DAC 2001). Left out on purpose: RAT steps, which the solver does not write.

Literals are 2 * variable, plus 1 for the negation. A record in `out` is one of

    UNIT, literal, clause           the literal follows from the clause and earlier units
    LEMMA, clause, n, n hints       the clause follows; a hint is a clause, or -v for the unit of variable v
    EMPTY, 0, n, n hints            the contradiction; nothing comes after it
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rekkyo.jit import inlined_inner_kernel, inner_kernel, kernel

UNIT, LEMMA, EMPTY = 0, 1, 2

ASSUMED, ROOT = -1, -2
"""Stands for the reason of a variable without one."""

MARKED, IN_LEMMA = 1, 2

ENDED, ROOM_NEEDED, NOT_IMPLIED = 0, 1, 2


class Clauses(NamedTuple):
    """literals: int32, clause c from starts[c] to starts[c + 1]. is_live: uint8[n_clauses]."""

    literals: Any
    starts: Any
    is_live: Any


class State(NamedTuple):
    """values: int8[n_literals], 1, -1 or 0 when open. reasons, trail, marks, hints, roots: a variable each.

    heads: int32[n_literals], nexts: int32[2 * n_clauses], -1 at the end of a list.
    numbers: int64[4], see below.
    """

    values: Any
    reasons: Any
    trail: Any
    marks: Any
    hints: Any
    roots: Any
    heads: Any
    nexts: Any
    numbers: Any


STEP, N_TRAIL, N_OUT, HAS_ENDED = 0, 1, 2, 3
"""The content of `State.numbers`: the next step, the variables on the trail, the used part of `out`."""


@kernel
def advance(steps: Any, clauses: Clauses, state: State, out: Any) -> int:
    """Take steps until all are taken, the contradiction is reached or `out` may be full.

    steps: int32; c >= 0 checks and adds clause c, n + c adds it unchecked where n is the number of clauses,
    -1 - c deletes it.
    """
    n_clauses, numbers = len(clauses.is_live), state.numbers
    room = 5 * len(state.trail) + 8  # all units, and a lemma with the most hints
    while numbers[STEP] < len(steps) and not numbers[HAS_ENDED]:
        if numbers[N_OUT] + room > len(out):
            return ROOM_NEEDED
        step = steps[numbers[STEP]]
        numbers[STEP] += 1
        if step < 0:
            clauses.is_live[-1 - step] = 0
            continue
        if step < n_clauses and not _check(clauses, state, step, out):
            return NOT_IMPLIED
        _add(clauses, state, step % n_clauses, out)
    return ENDED


@inner_kernel
def _check(clauses: Clauses, state: State, clause: int, out: Any) -> bool:
    """Record why a clause follows; returns whether it does."""
    start, stop = clauses.starts[clause], clauses.starts[clause + 1]
    n_root, n_out = state.numbers[N_TRAIL], state.numbers[N_OUT]
    out[n_out], out[n_out + 1] = LEMMA, clause
    for place in range(start, stop):
        if state.values[clauses.literals[place]] > 0:
            out[n_out + 2], out[n_out + 3] = 1, -(clauses.literals[place] >> 1)
            state.numbers[N_OUT] = n_out + 4
            return True
    for place in range(start, stop):
        literal = clauses.literals[place]
        state.marks[literal >> 1] = IN_LEMMA
        if state.values[literal] == 0:
            _assign(state, literal ^ 1, ASSUMED)
    conflict = _propagate(clauses, state, n_root)
    if conflict >= 0:
        _explain(clauses, state, conflict, n_root, out)
    for place in range(start, stop):
        state.marks[clauses.literals[place] >> 1] = 0
    for place in range(n_root, state.numbers[N_TRAIL]):
        literal = state.trail[place]
        state.values[literal] = state.values[literal ^ 1] = 0
    state.numbers[N_TRAIL] = n_root
    return bool(conflict >= 0)


@inner_kernel
def _explain(clauses: Clauses, state: State, conflict: int, n_root: int, out: Any) -> None:
    """Write the hints of the current record: units, then reasons in order, then the conflict."""
    n_roots = _mark(clauses, state, conflict, 0)
    n_hints = 0
    for place in range(state.numbers[N_TRAIL] - 1, n_root - 1, -1):
        variable = state.trail[place] >> 1
        if state.marks[variable] == MARKED:
            state.hints[n_hints] = state.reasons[variable]
            n_hints += 1
            n_roots = _mark(clauses, state, state.reasons[variable], n_roots)
            state.marks[variable] = 0
    at = state.numbers[N_OUT] + 2
    out[at] = n_roots + n_hints + 1
    for number in range(n_roots):
        at += 1
        out[at] = -state.roots[number]
        state.marks[state.roots[number]] = 0
    for number in range(n_hints - 1, -1, -1):
        at += 1
        out[at] = state.hints[number]
    out[at + 1] = conflict
    state.numbers[N_OUT] = at + 2


@inner_kernel
def _mark(clauses: Clauses, state: State, clause: int, n_roots: int) -> int:
    """Mark the variables of a clause, and note those of the root; returns how many of these there are."""
    for place in range(clauses.starts[clause], clauses.starts[clause + 1]):
        variable = clauses.literals[place] >> 1
        if state.marks[variable] == 0:
            state.marks[variable] = MARKED
            if state.reasons[variable] == ROOT:
                state.roots[n_roots] = variable
                n_roots += 1
    return n_roots


@inner_kernel
def _add(clauses: Clauses, state: State, clause: int, out: Any) -> None:
    """Watch two open literals of a clause; if there is only one, assign and propagate it at the root."""
    start, stop = clauses.starts[clause], clauses.starts[clause + 1]
    n_open = 0
    for place in range(start, stop):
        literal = clauses.literals[place]
        if state.values[literal] > 0:
            return
        if state.values[literal] == 0 and n_open < 2:
            clauses.literals[place] = clauses.literals[start + n_open]
            clauses.literals[start + n_open] = literal
            n_open += 1
    if n_open == 2:
        _watch(clauses, state, 2 * clause)
        _watch(clauses, state, 2 * clause + 1)
        return
    n_before, conflict = state.numbers[N_TRAIL], clause
    if n_open == 1:
        _assign(state, clauses.literals[start], clause)
        conflict = _propagate(clauses, state, n_before)
    for place in range(n_before, state.numbers[N_TRAIL]):
        n_out, literal = state.numbers[N_OUT], state.trail[place]
        out[n_out], out[n_out + 1], out[n_out + 2] = UNIT, literal, state.reasons[literal >> 1]
        state.numbers[N_OUT] += 3
        state.reasons[literal >> 1] = ROOT
    if conflict >= 0:
        out[state.numbers[N_OUT]], out[state.numbers[N_OUT] + 1] = EMPTY, 0
        _explain(clauses, state, conflict, state.numbers[N_TRAIL], out)
        state.numbers[HAS_ENDED] = 1


@inner_kernel
def _propagate(clauses: Clauses, state: State, at: int) -> Any:
    """Propagate the trail from `at` on; returns a clause whose literals are all false, or -1."""
    literals, values = clauses.literals, state.values
    while at < state.numbers[N_TRAIL]:
        failed = state.trail[at] ^ 1
        at += 1
        node, before = state.heads[failed], -1
        while node >= 0:
            clause, after = node >> 1, state.nexts[node]
            start = clauses.starts[clause]
            here, other = start + (node & 1), literals[start + 1 - (node & 1)]
            if clauses.is_live[clause]:
                if values[other] > 0:
                    before, node = node, after
                    continue
                place, stop = start + 2, clauses.starts[clause + 1]
                while place < stop and values[literals[place]] < 0:
                    place += 1
                if place == stop:
                    if values[other] < 0:
                        return clause
                    _assign(state, other, clause)
                    before, node = node, after
                    continue
                literals[here], literals[place] = literals[place], failed
                _watch(clauses, state, node)
            if before < 0:  # the node leaves the list
                state.heads[failed] = after
            else:
                state.nexts[before] = after
            node = after
    return -1


@inlined_inner_kernel
def _watch(clauses: Clauses, state: State, node: int) -> None:
    literal = clauses.literals[clauses.starts[node >> 1] + (node & 1)]
    state.nexts[node] = state.heads[literal]
    state.heads[literal] = node


@inlined_inner_kernel
def _assign(state: State, literal: int, reason: int) -> None:
    state.values[literal], state.values[literal ^ 1] = 1, -1
    state.reasons[literal >> 1] = reason
    state.trail[state.numbers[N_TRAIL]] = literal
    state.numbers[N_TRAIL] += 1
