"""FlatZinc texts: what is read, every predicate against its meaning in Python, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.errors import BadFile, BadInput
from rekkyo.export.flatzinc import parser
from rekkyo.export.flatzinc.functions import power, quotient, remainder
from rekkyo.export.flatzinc.reader import MAX_ARGUMENTS, PREDICATES, flat_puzzle, read_flatzinc
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


def declared(names: str, types: str) -> str:
    return "".join(f"var {t}: {n} :: output_var;\n" for n, t in zip(names, types.split(), strict=True))


N, B = "-3..4", "bool"
ANY = range(-3, 5)


def grid(types: str) -> Iterator[tuple[int, ...]]:
    return product(*(range(2) if t == B else ANY for t in types.split()))


Meaning = Callable[..., Any]

CASES: list[tuple[str, str, Meaning]] = [
    ("int_eq(a,b)", f"{N} {N}", lambda a, b: a == b),
    ("int_ne(a,b)", f"{N} {N}", lambda a, b: a != b),
    ("int_le(a,b)", f"{N} {N}", lambda a, b: a <= b),
    ("int_lt(a,b)", f"{N} {N}", lambda a, b: a < b),
    ("int_lt(2,b)", f"{N} {N}", lambda _, b: b > 2),
    ("int_lin_eq([2,-1],[a,b],1)", f"{N} {N}", lambda a, b: 2 * a - b == 1),
    ("int_lin_ne([2,-1],[a,b],1)", f"{N} {N}", lambda a, b: 2 * a - b != 1),
    ("int_lin_le([2,-1,3],[a,b,a],1)", f"{N} {N}", lambda a, b: 5 * a - b <= 1),
    ("int_plus(a,b,c)", f"{N} {N} {N}", lambda a, b, c: a + b == c),
    ("int_times(a,b,c)", f"{N} {N} {N}", lambda a, b, c: a * b == c),
    ("int_times(a,a,c)", f"{N} {N} {N}", lambda a, b, c: a * a == c),
    ("int_times(2,b,c)", f"{N} {N} {N}", lambda a, b, c: 2 * b == c),
    ("int_div(a,b,c)", f"{N} {N} {N}", lambda a, b, c: b != 0 and int(a / b) == c),
    ("int_mod(a,b,c)", f"{N} {N} {N}", lambda a, b, c: b != 0 and a - b * int(a / b) == c),
    ("int_pow(a,b,c)", f"{N} {N} {N}", lambda a, b, c: (b >= 0 or a != 0) and int(float(a) ** b) == c),
    ("int_abs(a,b)", f"{N} {N}", lambda a, b: abs(a) == b),
    ("int_min(a,b,c)", f"{N} {N} {N}", lambda a, b, c: min(a, b) == c),
    ("int_max(a,b,c)", f"{N} {N} {N}", lambda a, b, c: max(a, b) == c),
    ("array_int_maximum(c,[a,b,2])", f"{N} {N} {N}", lambda a, b, c: max(a, b, 2) == c),
    ("array_int_minimum(c,[a,b,2])", f"{N} {N} {N}", lambda a, b, c: min(a, b, 2) == c),
    ("array_int_element(a,[3,1,-2],b)", f"{N} {N}", lambda a, b: 1 <= a <= 3 and [3, 1, -2][a - 1] == b),
    ("array_var_int_element(a,[b,1,a],b)", f"{N} {N}", lambda a, b: 1 <= a <= 3 and [b, 1, a][a - 1] == b),
    ("array_bool_element(a,[true,false],b)", f"{N} {B}", lambda a, b: 1 <= a <= 2 and [1, 0][a - 1] == b),
    ("array_var_bool_element(a,[b,c],c)", f"{N} {B} {B}", lambda a, b, c: 1 <= a <= 2 and [b, c][a - 1] == c),
    ("bool2int(a,b)", f"{B} {N}", lambda a, b: a == b),
    ("bool_eq(a,b)", f"{B} {B}", lambda a, b: a == b),
    ("bool_not(a,b)", f"{B} {B}", lambda a, b: a != b),
    ("bool_le(a,b)", f"{B} {B}", lambda a, b: a <= b),
    ("bool_lt(a,b)", f"{B} {B}", lambda a, b: a < b),
    ("bool_and(a,b,c)", f"{B} {B} {B}", lambda a, b, c: (a and b) == c),
    ("bool_or(a,b,c)", f"{B} {B} {B}", lambda a, b, c: (a or b) == c),
    ("bool_xor(a,b,c)", f"{B} {B} {B}", lambda a, b, c: (a != b) == c),
    ("bool_xor(a,b)", f"{B} {B}", lambda a, b: a != b),
    ("bool_clause([a,b],[c])", f"{B} {B} {B}", lambda a, b, c: a or b or not c),
    ("bool_clause([],[a,true])", f"{B} {B}", lambda a, b: not a),
    ("array_bool_and([a,b],c)", f"{B} {B} {B}", lambda a, b, c: (a and b) == c),
    ("array_bool_or([a,b],c)", f"{B} {B} {B}", lambda a, b, c: (a or b) == c),
    ("array_bool_or([a,b],true)", f"{B} {B}", lambda a, b: a or b),
    ("array_bool_xor([a,b,c])", f"{B} {B} {B}", lambda a, b, c: (a + b + c) % 2),
    ("array_bool_xor([a,b,c,true])", f"{B} {B} {B}", lambda a, b, c: (a + b + c) % 2 == 0),
    ("bool_lin_eq([2,-1],[a,b],c)", f"{B} {B} {N}", lambda a, b, c: 2 * a - b == c),
    ("bool_lin_le([2,-1],[a,b],0)", f"{B} {B}", lambda a, b: 2 * a - b <= 0),
    ("set_in(a,{-2,0,3,77})", f"{N}", lambda a: a in (-2, 0, 3)),
    ("set_in(a,0..1000000)", f"{N}", lambda a: a >= 0),
    ("bool_and_imp(a,b,c)", f"{B} {B} {B}", lambda a, b, c: not c or (a and b)),
    ("bool_or_imp(a,b,c)", f"{B} {B} {B}", lambda a, b, c: not c or a or b),
    ("bool_xor_imp(a,b,c)", f"{B} {B} {B}", lambda a, b, c: not c or a != b),
    ("fzn_all_different_int([a,b,c])", f"{N} {N} {N}", lambda *v: len(set(v)) == 3),
    ("fzn_all_different_int([a,b,a])", f"{N} {N}", lambda *v: False),
    ("fzn_alldifferent_except([a,b],0..9)", f"{N} {N}", lambda a, b: a != b or a >= 0),
    ("fzn_alldifferent_except_0([a,b])", f"{N} {N}", lambda a, b: a != b or a == 0),
    ("fzn_table_int([a,b],[1,2,3,-1])", f"{N} {N}", lambda *v: v in ((1, 2), (3, -1))),
    ("fzn_table_bool([a,b],[true,false])", f"{B} {B}", lambda *v: v == (1, 0)),
    ("fzn_count_eq([a,b,1],c,2)", f"{N} {N} {N}", lambda a, b, c: [a, b, 1].count(c) == 2),
    ("fzn_count_eq([a,b,1],1,c)", f"{N} {N} {N}", lambda a, b, c: [a, b, 1].count(1) == c),
    ("fzn_among(c,[a,b],{1,2})", f"{N} {N} {N}", lambda a, b, c: (a in (1, 2)) + (b in (1, 2)) == c),
    (
        "fzn_global_cardinality([a,b],[1,2],[c,1])",
        f"{N} {N} {N}",
        lambda a, b, c: [a, b].count(1) == c and [a, b].count(2) == 1,
    ),
    ("fzn_global_cardinality_low_up([a,b],[1],[0],[1])", f"{N} {N}", lambda a, b: not a == b == 1),
    ("fzn_regular([a,b],2,2,[1,2,2,0],1,{2})", f"{N} {N}", lambda *v: v in ((1, 2), (2, 1))),
    ("fzn_regular([a,b],2,2,[2,0,0,1],2,2..2)", f"{N} {N}", lambda *v: v == (2, 1)),
    ("fzn_regular_nfa([a,b],2,2,[{1,2},{},{},{1}],1,{2})", f"{N} {N}", lambda *v: v == (1, 1)),
    ("fzn_circuit([a,b,c])", f"{N} {N} {N}", lambda *v: v in ((2, 3, 1), (3, 1, 2))),
    ("rekkyo_circuit(0,[a,b])", f"{N} {N}", lambda *v: v == (1, 0)),
    ("fzn_subcircuit([a,b])", f"{N} {N}", lambda *v: v in ((1, 2), (2, 1))),
    ("rekkyo_subcircuit(-1,[a,b])", f"{N} {N}", lambda *v: v in ((-1, 0), (0, -1))),
    ("fzn_inverse([a,b],[a,b])", f"{N} {N}", lambda *v: v in ((1, 2), (2, 1))),
    ("rekkyo_inverse(0,[a,1],[b,1])", f"{N} {N}", lambda *v: v == (0, 0)),
    ("fzn_nvalue(a,[b,c,2])", f"{N} {N} {N}", lambda a, b, c: len({b, c, 2}) == a),
    (
        "fzn_mdd([a,b],3,[1,2,2],4,[1,1,2,3],[{1,3},-2..0,{2,4},1..9],[2,3,0,0])",
        f"{N} {N}",
        lambda a, b: (a in (1, 3) and b in (2, 4)) or (-2 <= a <= 0 and b >= 1),
    ),
    (
        "fzn_mdd_nondet([a,b],3,[1,2,2],4,[1,1,2,3],[{1,3},{3},{2},{3}],[2,3,0,0])",
        f"{N} {N}",
        lambda *v: v in ((1, 2), (3, 2), (3, 3)),
    ),
    (
        "rekkyo_connected([1,2],[2,3],[a,b,true],[c,d])",
        f"{B} {B} {B} {B}",
        lambda *v: v in ((0, 0, 0, 0), (0, 1, 0, 1), (1, 1, 1, 1)),
    ),
    ("rekkyo_connected([1],[2],[a,b],[c])", f"{B} {B} {B}", lambda a, b, c: c == (a and b) and (a or b)),
    ("fzn_lex_less_int([a,b],[b,1])", f"{N} {N}", lambda a, b: (a, b) < (b, 1)),
    ("fzn_lex_less_int([a],[b,1])", f"{N} {N}", lambda a, b: (a,) < (b, 1)),
    ("fzn_lex_lesseq_int([a,1],[b])", f"{N} {N}", lambda a, b: (a, 1) <= (b,)),
    ("fzn_lex_lesseq_bool([a,b],[b,a])", f"{B} {B}", lambda a, b: (a, b) <= (b, a)),
]


@pytest.mark.parametrize(("posted", "types", "meaning"), CASES, ids=[case[0] for case in CASES])
def test_a_predicate_means_what_it_should(posted: str, types: str, meaning: Meaning) -> None:
    names = "abcd"[: len(types.split())]
    text = f"{declared(names, types)}constraint {posted};\nsolve satisfy;"
    expected = {row for row in grid(types) if meaning(*row)}
    assert solutions(text) == expected


FORMS = [
    case for case in CASES if f"{case[0].partition('(')[0]}_reif" in PREDICATES and case[0] != "bool_xor(a,b)"
]


@pytest.mark.parametrize("form", ["reif", "imp"])
@pytest.mark.parametrize(("posted", "types", "meaning"), FORMS, ids=[case[0] for case in FORMS])
def test_a_predicate_has_a_truth_value(posted: str, types: str, meaning: Meaning, form: str) -> None:
    name, _, arguments = posted.partition("(")
    is_function = name in ("bool_and", "bool_or", "bool_xor")
    posted = f"{name}_{form}({arguments}" if is_function else f"{name}_{form}({arguments[:-1]},r)"
    names, types = ("abc"[: len(types.split())] + "r", f"{types} {B}")
    text = f"{declared(names, types)}constraint {posted};\nsolve satisfy;"

    def fits(*row: int) -> bool:
        holds = bool(meaning(*row[:-1]))
        if is_function and form == "imp":
            return bool(not row[2] or (meaning(*row[:2], 1)))
        if is_function:
            return holds
        return holds == row[-1] if form == "reif" else holds or not row[-1]

    assert solutions(text) == {row for row in grid(types) if fits(*row)}


def test_division_rounds_towards_zero() -> None:
    assert [quotient(-7, 2), quotient(7, -2), quotient(-7, -2), quotient(1, 0)] == [-3, -3, 3, None]
    assert [remainder(-7, 2), remainder(7, -2), remainder(5, 0)] == [-1, 1, None]
    assert [power(0, 0), power(2, -1), power(-1, -3), power(0, -1), power(3, 99)] == [1, 0, -1, None, None]


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


def test_declarations_aliases_and_annotations() -> None:
    model = read(PARTS)
    assert [model.names[v] for v in model.solution] == ["x", "square[0,2]"]
    assert model.domains[0] == (1, 2, 3, 4, 5)
    assert solutions(PARTS) == {(5, 2)}
    assert solutions(PARTS.replace("maximize", "minimize"), "csp") == {(1, 6)}
    assert solutions(PARTS.replace("maximize x", "satisfy")) == {(1, 6), (3, 4), (5, 2)}


def test_hidden_variables_are_projected_away() -> None:
    text = "var 0..3: x :: output_var;\nvar 0..3: y;\nconstraint int_lt(y,x);\nsolve satisfy;\n"
    for engine in ENGINES:
        assert solutions(text, engine) == {(1,), (2,), (3,)}
    assert solutions(text.replace(" :: output_var", "")) == {(x, y) for x in range(4) for y in range(x)}


@pytest.mark.parametrize(("bound", "n_solutions"), [(3, 1), (5, 0)])
def test_where_everything_shown_is_fixed_there_is_one_solution_or_none(bound: int, n_solutions: int) -> None:
    text = f"""array [1..1] of var int: a :: output_array([1..1]) = [7];
var 1..4: x :: var_is_introduced;
constraint int_le({bound},x);
solve satisfy;"""
    for engine in ENGINES:
        assert len(solutions(text, engine)) == n_solutions


def test_nothing_is_annotated_when_minizinc_has_fixed_what_is_shown() -> None:
    """The model of seed 4149 shows an x that can only be 4, and minizinc leaves it out of the FlatZinc."""
    text = """array [1..4] of int: list = [2,0,3,1];
var -1..1: y;
var 0..1: size ::var_is_introduced :: is_defined_var;
var -3..1: least ::var_is_introduced :: is_defined_var;
var 0..3: entry ::var_is_introduced :: is_defined_var;
constraint int_abs(y,size):: defines_var(size);
constraint int_min(y,size,least):: defines_var(least);
constraint array_int_element(4,list,entry):: defines_var(entry);
constraint int_lin_le([1,-1],[least,entry],0);
solve satisfy;"""
    for engine in ENGINES:
        totals = [
            rk.count(
                flat_puzzle(read_flatzinc(text, "test.fzn", annotates=annotates), "x"), engine=engine
            ).total
            for annotates in (True, False)
        ]
        assert totals == [1, 3]


def test_one_array_of_two_dimensions_is_a_grid() -> None:
    text = "array [1..4] of var 0..1: g :: output_array([1..2,1..2]);\nsolve satisfy;"
    assert read(text).grid == (2, 2)
    assert read(text).names == ("g[1,1]", "g[1,2]", "g[2,1]", "g[2,2]")


@pytest.mark.parametrize(
    "text",
    [
        "var 1..0: x :: output_var;\nsolve satisfy;",
        "var 1..3: x :: output_var = 4;\nsolve satisfy;",
        "var 1..3: x :: output_var;\nconstraint int_lin_eq([],[],1);\nsolve satisfy;",
        "var 1..3: x :: output_var;\nconstraint bool_clause([],[]);\nsolve minimize x;",
        "var int: x :: output_var;\nconstraint int_le(x,3);\nconstraint int_le(4,x);\nsolve satisfy;",
    ],
)
def test_no_solution(text: str) -> None:
    for engine in ENGINES:
        assert solutions(text, engine) == set()


BOUNDED = [
    ("int_eq(x,a)", 5),
    ("int_plus(a,a,x)", 5),
    ("int_lin_eq([1,-3],[x,a],1)", 5),
    ("int_times(a,a,x)", 5),
    ("int_abs(a,x)", 5),
    ("int_max(a,2,x)", 5),
    ("int_min(a,x,2);\nconstraint int_lin_le([1],[x],9)", 10),
    ("array_int_maximum(x,[a,7])", 5),
    ("array_int_element(a,[5,5,6,8],x)", 4),
    ("set_in(x,{1,4})", 10),
    ("int_div(x,3,a);\nconstraint int_le(0,x);\nconstraint int_lt(x,9)", 9),
]


@pytest.mark.parametrize(("posted", "n_solutions"), BOUNDED)
def test_bounds_are_found(posted: str, n_solutions: int) -> None:
    text = f"var 0..4: a :: output_var;\nvar int: x :: output_var;\nconstraint {posted};\nsolve satisfy;"
    assert len(solutions(text)) == n_solutions


REFUSED = [
    ("var int: x;\nsolve satisfy;", r"test\.fzn:1:10: variable \"x\" has no bounds; declare it with a range"),
    ("var -900000..900000: x;\nsolve satisfy;", r'test\.fzn:1:22: variable "x" has too wide bounds; declare'),
    (
        "var 0..1000000000000: x;\nsolve satisfy;",
        r'test\.fzn:1:23: variable "x" has too wide bounds; declare',
    ),
    (
        "var {1,1000000000000}: x;\nsolve satisfy;",
        r'test\.fzn:1:24: variable "x" has too wide bounds; declare',
    ),
    (
        "var 1..3: x = y;\nvar 1..3: y = x;\nsolve satisfy;",
        r'test\.fzn:1:15: "y" is not declared; declare it',
    ),
    ("int: n = n;\nsolve satisfy;", r'test\.fzn:1:10: "n" is not declared'),
    ("array [1..1] of var 1..2: a = [a[1]];\nsolve satisfy;", r'test\.fzn:1:32: "a" is not declared'),
    (
        "var int: x;\nvar int: y;\nconstraint int_plus(x,1,y);\nconstraint int_plus(y,1,x);\n"
        "constraint int_le(0,x);\nsolve satisfy;",
        r'test\.fzn:1:10: variable "x" has no bounds',
    ),
    ('{"variables": {}, "version": "1.0"}', r"test\.fzn:1:1: this looks like JSON; have the text form of Fl"),
    (
        "constraint int_gt(2,1);\nsolve satisfy;",
        r"there is no predicate int_gt here; flatten with rekkyo's own",
    ),
    ("enum E = {A};\nsolve satisfy;", r'test\.fzn:1:1: here stands "enum", where a type, such as var 1\.\.9'),
    (
        "array [1..2] of int: t = [1,,3];\nsolve satisfy;",
        r"test\.fzn:1:26: \[1,,3\] is not an array; write numbers w",
    ),
    (
        "array [1..2] of int: t = [1,1000000000000000000];\nsolve satisfy;",
        "1:26: a number in this array has more",
    ),
    ("array [1..2] of int: t = [1,2,3];\nsolve satisfy;", r'test\.fzn:1:22: "t" must be an array of 2'),
    ("var float: x;\nsolve satisfy;", r"test\.fzn:1:5: numbers with a point are not searched; use whole"),
    ("var 0.0..1.0: x;\nsolve satisfy;", r"test\.fzn:1:5: numbers with a point"),
    ("var set of 1..3: x;\nsolve satisfy;", r"test\.fzn:1:5: variables that are sets are not searched"),
    ("constraint foo(1);\nsolve satisfy;", r"test\.fzn:1:12: there is no predicate foo here; flatten with"),
    ("constraint int_leq(1,2);\nsolve satisfy;", r'`rekkyo count model\.mzn` does; did you mean "int_le'),
    ("constraint float_le(1.0,2.0);\nsolve satisfy;", "there is no predicate float_le here; numbers with a"),
    ("constraint set_card(1,2);\nsolve satisfy;", "there is no predicate set_card here; variables that are"),
    ("constraint int_eq(1,2)\nsolve satisfy;", r'test\.fzn:2:1: here stands "solve", where ";" should be'),
    ("var 1..3: x;\nconstraint int_eq(x,", r"test\.fzn:2:21: here stands the end of the text, .* cut off"),
    ("var 1..3: x;\n", r'test\.fzn:2:1: there is no "solve"; the file is cut off, or no FlatZinc'),
    ("", r'test\.fzn:1:1: there is no "solve"'),
    ("var 1..3: x;\nvar 1..3: x;\nsolve satisfy;", r'test\.fzn:2:11: "x" is declared already'),
    ("constraint int_eq(y,1);\nsolve satisfy;", r'test\.fzn:1:19: "y" is not declared'),
    ("constraint int_eq(1);\nsolve satisfy;", r"test\.fzn:1:12: int_eq has 1 arguments, which are too few"),
    ("constraint int_eq(1,1,1);\nsolve satisfy;", "int_eq has 3 arguments, and 2 are known"),
    ("constraint int_eq([1],1);\nsolve satisfy;", "argument 1 of int_eq must be one number or one variable"),
    ("constraint int_eq(1.5,1);\nsolve satisfy;", "numbers with a point"),
    ("constraint int_eq([[1]],1);\nsolve satisfy;", "an array within an array"),
    ("constraint int_eq(f(1),1);\nsolve satisfy;", "a text or call in the place of a value"),
    ("constraint int_lin_eq([1],[],1);\nsolve satisfy;", "1 coefficients for 0 variables; give one for each"),
    (
        "var 1..3: x;\nconstraint int_lin_eq([x],[1],1);\nsolve satisfy;",
        "argument 1 of int_lin_eq must be an",
    ),
    (
        "var 1..3: x;\nconstraint bool_not(x,true);\nsolve satisfy;",
        "argument 1 of bool_not must be of kind b",
    ),
    ("constraint set_in(1,2);\nsolve satisfy;", "argument 2 of set_in must be a set of numbers"),
    ("constraint fzn_regular_nfa([],1,1,[1],1,{});\nsolve satisfy;", "must be an array of sets"),
    ("constraint fzn_regular([1],2,2,[1],1,{});\nsolve satisfy;", "has an array of 1 where it needs 4"),
    ("constraint fzn_regular([1],1,1,[5],1,{1});\nsolve satisfy;", "states are numbered from 1 to 1, not 5"),
    ("constraint fzn_mdd([1],1,[1],1,[1],[{1}],[1]);\nsolve satisfy;", "no edge goes from node 1 to node 1"),
    ("constraint fzn_mdd([1],1,[1],2,[1],[{1}],[0]);\nsolve satisfy;", "has an array of 1 where it needs 2"),
    (
        "constraint rekkyo_connected([1],[3],[true],[true]);\nsolve satisfy;",
        "points are numbered from 1 to 1, n",
    ),
    ("constraint fzn_table_int([1,2],[1]);\nsolve satisfy;", "1 numbers make no rows of 2"),
    ("array [1..2] of int: a = [1];\nsolve satisfy;", '"a" must be an array of 2'),
    ("array [0..2] of int: a = [1];\nsolve satisfy;", r"arrays of FlatZinc are counted from 1"),
    ("int: a;\nsolve satisfy;", '"a" has no value'),
    ("var 1..2: x = {1};\nsolve satisfy;", "a variable has a number or another variable as its value"),
    (
        "array [1..2] of var 1..2: x :: output_array([1..3]);\nsolve satisfy;",
        "the index sets of output_array",
    ),
    ("array [1..1] of int: a = [1];\nconstraint int_eq(a[2],1);\nsolve satisfy;", '"a" has no entry 2'),
    ("array [1..999999999] of var 1..2: x;\nsolve satisfy;", "more than the 65536 variables"),
    ("array [1..65000] of var 1..9999: x;\nsolve satisfy;", "more than the 4194304 values in domains"),
    ("int: x = 99999999999999999999999;\nsolve satisfy;", "has more than 18 digits"),
    ("solve wait;", r'test\.fzn:1:7: "wait" is not a goal; write satisfy, minimize, maximize'),
    ("solve minimize {1};", "the objective is one variable"),
    ("?", r"test\.fzn:1:1: '\?' begins no word of FlatZinc"),
    ("\0\0", r"test\.fzn:1:1: '\\x00' begins no word of FlatZinc"),
    ("<xml/>", "begins no word"),
    ("int: x = 1 2;", 'here stands "2", where ";" should be'),
    ("predicate foo(", "cut off"),
    (f"int: x = {'[' * 99};", "more than 40 brackets within each other"),
    (
        "var 0..65000: x;\nvar 1..65000: y;\nvar 0..9: z;\nconstraint int_div(x,y,z);\nsolve satisfy;",
        r"test\.fzn:4:12: this needs a table of 4225065000 rows; 1048576 are the most",
    ),
    (
        "var 0..65000: x;\nvar 1..65000: y;\nvar 0..9: z;\nconstraint int_times(x,y,z);\nsolve satisfy;",
        r"test\.fzn:4:12: this needs a table",
    ),
    ("var 0..3: x;\nconstraint int_lin_le([9999999999],[x],3);\nsolve satisfy;", r"test\.fzn:2:12: linear:"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_refusals_are_one_line_with_a_place(text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said) as refusal:
        read(text)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 300
    assert str(refusal.value).startswith("test.fzn")


def test_constraints_that_name_large_arrays_again_and_again_are_refused() -> None:
    n = 60_000
    many = "constraint fzn_all_different_int(x);\n" * (MAX_ARGUMENTS // n + 1)
    with pytest.raises(BadInput, match=f"more than the {MAX_ARGUMENTS} entries"):
        read(f"array [1..{n}] of var 0..1: x;\n{many}solve satisfy;")


def test_a_table_that_is_too_large_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "MAX_PARTS", 999)
    for entry in ("1", "true"):
        table = ",".join([entry] * 1000)
        with pytest.raises(BadInput, match=r"test\.fzn:1:28: more than 999 entries in arrays and arguments"):
            read(f"array [1..1000] of int: t =[{table}];\nsolve satisfy;")


def test_arrays_of_plain_numbers_are_as_other_arrays() -> None:
    text = "array [1..4] of int: t = {};\nvar -9..9: x :: output_var;\nconstraint fzn_table_int([x],t);\nsolve satisfy;"
    for array in ("[1,-2,3,4]", "[ 1 ,\n-2,3, 4 ]", "[1,-2,0x3,4]", "[1,-2,3,4,]", "[1,-2,% three\n3,4]"):
        assert solutions(text.replace("{}", array)) == {(1,), (-2,), (3,), (4,)}


@pytest.mark.parametrize("cut", range(0, len(PARTS) - 2, 7))
def test_a_text_that_was_cut_off_is_refused(cut: int) -> None:
    with pytest.raises(BadInput, match=r"^test\.fzn:"):
        read(PARTS[:cut])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "var 1..3: x;\n constraint foo(x); \nsolve satisfy;",
            "mine.mzn, flattened, line 2 of its FlatZinc, `constraint foo(x);`: there is no predicate foo here;",
        ),
        (
            f"var 1..3: x;\nconstraint foo([{'x,' * 100}x]);\nsolve satisfy;",
            f"mine.mzn, flattened, line 2 of its FlatZinc, `constraint foo([{'x,' * 30}x...`: there is no",
        ),
        ("var 1..3: x;\n", "mine.mzn, flattened, line 2 of its FlatZinc: there is no"),
    ],
)
def test_a_flattened_model_is_named_and_its_line_quoted(text: str, complaint: str) -> None:
    with pytest.raises(BadFile) as refusal:
        read_flatzinc(text, "temporary.fzn", model="mine.mzn")
    assert str(refusal.value).startswith(complaint)
    assert "temporary" not in str(refusal.value)
