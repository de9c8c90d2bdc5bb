"""FlatZinc texts for tests: how they are read and solved, and one that has every kind of declaration."""

from __future__ import annotations

import rekkyo as rk
from rekkyo.export.flatzinc.reader import flat_puzzle, read_flatzinc
from rekkyo.model.csp.csp import Csp

ENGINES = ("csp", "csp-plain")


def read(text: str) -> Csp:
    return read_flatzinc(text, "test.fzn").model


def solutions(text: str, engine: str = "csp-plain") -> set[tuple[int, ...]]:
    """The values of the variables that are shown; no two solutions are the same."""
    puzzle = flat_puzzle(read_flatzinc(text, "test.fzn"), "test.fzn")
    assert isinstance(puzzle.model, Csp)
    values = puzzle.model.values
    rows = [tuple(values[int(x)] for x in row) for row in rk.solve(puzzle, engine=engine)]
    assert len(set(rows)) == len(rows)
    return set(rows)


PARTS = """% a comment
predicate fzn_table_int(array [int] of var int: x, array [int] of int: t);
array [1..2] of int: ones = [1,1];
array [1..2] of set of int: sets = [1..3,{5}];
int: three = 0x3;
set of int: odd = {1,3,5};
var 1..9: x :: output_var;
var {2,4,6}: hidden :: var_is_introduced :: is_defined_var;
var 0..5: same :: output_var = x;
array [1..4] of var int: square :: output_array([0..1,1..2]) = [x,hidden,three,7];
constraint int_lin_eq(ones,[x,hidden],7) :: defines_var(hidden) :: domain;
constraint set_in(square[1],odd);
solve :: int_search([x],input_order,indomain_min,complete) maximize x;
"""
