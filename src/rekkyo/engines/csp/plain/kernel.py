"""Compiled search that assigns the variables one after the other and checks the constraints.

Algorithm: backtracking in a fixed order without propagation. Whenever a variable gets a value, all its
constraints are checked. The variables of the solution are first in the order. A hidden variable follows as
soon as it has at most one value, given those before it. The other hidden variables are last, and one
assignment of them is enough.

This is the second way to count every constraint satisfaction problem, for recounts. The techniques that make
the engine `csp` fast are left out on purpose.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.contract import BUFFER_FULL, DONE, OUT_OF_BUDGET
from rekkyo.engines.csp.numbering import number_of
from rekkyo.engines.csp.plain.checks import Int, Values, may_hold
from rekkyo.engines.out import Out, length_of, n_rows_of, put
from rekkyo.jit import inner_kernel, kernel

DEPTH, BASE_DEPTH = 0, 1
"""Places in Cursor.state: the current depth, and the first one that this shard decides."""

KIND, ARGS, LAST, TRUTH, IS_INVERTED = 0, 1, 2, 3, 4
"""Columns of Program.checks."""


class Program(NamedTuple):
    """The data that the search reads.

    order   : int64[n_variables]. The variable of each depth.
    start   : int64[n_variables + 1]. The domain of v is domain[start[v] : start[v + 1]].
    domain  : int64[].
    checks  : int64[n_checks, 5]. Columns: the kind, the place of its args, the depth at which all its
              variables have values, the variable that is 1 if it holds or -1, and whether it must fail.
    begin   : int64[n_variables + 1]. The checks of the variable of depth d are todo[begin[d] : begin[d + 1]].
    todo    : int64[]. Numbers of checks.
    shown   : int64[n_shown]. The variables of a row. numbered : int64[]. See `number_of`.
    n_first : int64[1]. Number of depths before those hidden variables for which one assignment is enough.
    args, steps, rank : see `Values`.
    """

    order: NDArray[np.int64]
    start: NDArray[np.int64]
    domain: NDArray[np.int64]
    checks: NDArray[np.int64]
    begin: NDArray[np.int64]
    todo: NDArray[np.int64]
    shown: NDArray[np.int64]
    numbered: NDArray[np.int64]
    n_first: NDArray[np.int64]
    args: NDArray[np.int64]
    steps: NDArray[np.int32]
    rank: NDArray[np.int64]


class Cursor(NamedTuple):
    """The state of a search between two calls; every array is changed in place.

    at    : int64[n_variables + 1]. For each depth the place in the domain of the value to be tried next.
    value : int64[n_variables]. Values of the variables before the current depth.
    marks : int64[]. Scratch space for checks.
    state : int64[2]. DEPTH and BASE_DEPTH.
    """

    at: NDArray[np.int64]
    value: NDArray[np.int64]
    marks: NDArray[np.int64]
    state: NDArray[np.int64]


@kernel
def list_solutions(program: Program, cursor: Cursor, out: Out, filler: int, budget: int) -> Any:
    """Continue the search from the cursor; returns (status, found, nodes). A node is a value tried.

    out : rows of any type, out. With a filler of -1 a row has the values of the variables of the
          solution. Otherwise it has the positions of those that are 1, increasing, and then fillers.
    """
    order, start, at = program.order, program.start, cursor.at
    values = Values(program.args, program.steps, program.rank, cursor.value, cursor.marks)
    n_variables = order.shape[0]
    depth, base = cursor.state[DEPTH], cursor.state[BASE_DEPTH]
    status = OUT_OF_BUDGET
    found = n_tried = 0
    n_rows = n_rows_of(out)
    while True:
        if depth == n_variables:
            if found == n_rows:
                status = BUFFER_FULL
                break
            write_row(program, cursor, out, found, filler)
            found += 1
            depth = program.n_first[0] - 1
            continue
        v = order[depth]
        if at[depth] == start[v + 1]:
            if depth == base:
                status = DONE
                break
            depth -= 1
            continue
        if n_tried >= budget:
            break
        n_tried += 1
        cursor.value[v] = program.domain[at[depth]]
        at[depth] += 1
        if fits(program, values, depth):
            depth += 1
            if depth < n_variables:
                at[depth] = start[order[depth]]
    cursor.state[DEPTH] = depth
    return status, found, n_tried


@inner_kernel
def write_row(program: Program, cursor: Cursor, out: Out, found: Int, filler: Int) -> None:
    """Write the solution at the cursor into a row."""
    length = 0
    for position in range(program.shown.shape[0]):
        value = cursor.value[program.shown[position]]
        if filler < 0:
            put(out, found, position, number_of(program.numbered, value))
        elif value == 1:
            put(out, found, length, position)
            length += 1
    if filler >= 0:
        for place in range(length, length_of(out)):
            put(out, found, place, filler)


@kernel
def fits_with(program: Program, cursor: Cursor, depth: Int) -> bool:
    """Whether the value of the variable of a depth is consistent with those before it."""
    values = Values(program.args, program.steps, program.rank, cursor.value, cursor.marks)
    return bool(fits(program, values, depth))


@inner_kernel
def fits(program: Program, values: Values, depth: Int) -> bool:
    """Whether each constraint of the variable of a depth may still hold."""
    checks = program.checks
    for place in range(program.begin[depth], program.begin[depth + 1]):
        c = program.todo[place]
        kind, a, truth = checks[c, KIND], checks[c, ARGS], checks[c, TRUTH]
        wanted = checks[c, IS_INVERTED] == 0
        if truth >= 0 or not wanted:
            if depth < checks[c, LAST]:
                continue
            if truth >= 0 and values.value[truth] != 1:
                if values.value[truth] != 0:
                    return False
                wanted = not wanted
        if may_hold(values, kind, a, depth) != wanted:
            return False
    return True
