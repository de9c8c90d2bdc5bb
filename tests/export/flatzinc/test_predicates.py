"""Each predicate of FlatZinc has the solutions that its meaning in plain Python gives, plain and with a truth value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

from rekkyo.export.flatzinc.functions import power, quotient, remainder
from rekkyo.export.flatzinc.predicates import PREDICATES
from tests.export.flatzinc.texts import read, solutions


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
    ("int_div(a,a,c)", f"{N} {N} {N}", lambda a, b, c: a != 0 and c == 1),
    ("int_mod(a,a,c)", f"{N} {N} {N}", lambda a, b, c: a != 0 and c == 0),
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
    ("bool_ne(a,b)", f"{B} {B}", lambda a, b: a != b),
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
    ("array_bool_and_imp([a,b],c)", f"{B} {B} {B}", lambda a, b, c: not c or (a and b)),
    ("array_bool_or_imp([a,b],c)", f"{B} {B} {B}", lambda a, b, c: not c or a or b),
    ("array_bool_xor([a,b,c])", f"{B} {B} {B}", lambda a, b, c: (a + b + c) % 2),
    ("array_bool_xor([a,b,c,true])", f"{B} {B} {B}", lambda a, b, c: (a + b + c) % 2 == 0),
    ("bool_lin_eq([2,-1],[a,b],c)", f"{B} {B} {N}", lambda a, b, c: 2 * a - b == c),
    ("bool_lin_ne([2,-1],[a,b],1)", f"{B} {B}", lambda a, b: 2 * a - b != 1),
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
    ("rekkyo_not_table_int([a,b],[1,2,3,-1])", f"{N} {N}", lambda *v: v not in ((1, 2), (3, -1))),
    ("rekkyo_not_table_int([a,b],[1,99])", f"{N} {N}", lambda *v: True),
    ("fzn_table_bool([a,b],[true,false])", f"{B} {B}", lambda *v: v == (1, 0)),
    ("fzn_count_eq([a,b,1],c,2)", f"{N} {N} {N}", lambda a, b, c: [a, b, 1].count(c) == 2),
    ("fzn_count_eq([a,b,1],1,c)", f"{N} {N} {N}", lambda a, b, c: [a, b, 1].count(1) == c),
    ("fzn_count_eq_par([a,b,1],1,2)", f"{N} {N}", lambda a, b: [a, b, 1].count(1) == 2),
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
    ("rekkyo_automaton([a,b],7,[7,-3],[-1,3],[-3,7],[7])", f"{N} {N}", lambda *v: v == (-1, 3)),
    ("rekkyo_automaton([a],0,[],[],[],[0])", f"{N}", lambda a: False),
    ("rekkyo_element(-1,a,[b,2],c)", f"{N} {N} {N}", lambda a, b, c: a in (-1, 0) and (b, 2)[a + 1] == c),
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
    ("fzn_mdd([a],2,[1,2],2,[1,1],[{1},{2}],[2,0])", N, lambda a: a == 2),  # node 2 is not the true node
    ("fzn_mdd([a],2,[1,2],1,[1],[{1}],[2])", N, lambda a: False),
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
    ("fzn_lex_less_bool([a,b],[b,a])", f"{B} {B}", lambda a, b: (a, b) < (b, a)),
    ("fzn_lex_lesseq_bool([a,b],[b,a])", f"{B} {B}", lambda a, b: (a, b) <= (b, a)),
]

FEW_CASES: list[tuple[str, str, Meaning]] = [
    ("array_int_maximum(a,[])", N, lambda a: False),
    ("array_int_minimum(a,[b])", f"{N} {N}", lambda a, b: a == b),
    ("fzn_count_eq([],1,a)", N, lambda a: a == 0),
    ("fzn_count_eq([],b,a)", f"{N} {N}", lambda a, b: a == 0),
    ("fzn_among(a,[],{1})", N, lambda a: a == 0),
    ("fzn_among(a,[b],{})", f"{N} {N}", lambda a, b: a == 0),
    ("fzn_among(a,[b],{9})", f"{N} {N}", lambda a, b: a == 0),
    ("fzn_nvalue(a,[])", N, lambda a: a == 0),
    (
        "fzn_global_cardinality([a,b],[1,1],[c,c])",
        f"{N} {N} {N}",
        lambda a, b, c: [a, b].count(1) == c and c + c <= 2,
    ),
    ("fzn_global_cardinality([],[1],[a])", N, lambda a: a == 0),
    ("fzn_global_cardinality_low_up([a,b],[1],[3],[9])", f"{N} {N}", lambda a, b: False),
    ("fzn_global_cardinality_low_up([a,b],[1,2],[-1,1],[1,9])", f"{N} {N}", lambda *v: 2 in v),
    ("fzn_global_cardinality_low_up([],[1],[1],[9])", N, lambda a: False),
    ("fzn_global_cardinality_low_up([],[1],[0],[9])", N, lambda a: True),
    ("fzn_regular([],2,1,[2,0],1,{2})", N, lambda a: False),
    ("fzn_regular([],2,1,[2,0],2,{2})", N, lambda a: True),
    ("fzn_regular([a],2,1,[2,0],1,{2,77})", N, lambda a: a == 1),
    ("rekkyo_automaton([],7,[],[],[],[3])", N, lambda a: False),
    ("rekkyo_automaton([],7,[],[],[],[3,7])", N, lambda a: True),
    ("fzn_mdd([],1,[1],0,[],[],[])", N, lambda a: False),
    ("fzn_inverse([a],[b,1])", f"{N} {N}", lambda a, b: False),
    ("fzn_inverse([],[])", N, lambda a: True),
    ("fzn_circuit([a])", N, lambda a: a == 1),
    ("fzn_subcircuit([a])", N, lambda a: a == 1),
    ("fzn_circuit([])", N, lambda a: True),
    ("fzn_alldifferent_except([a],{})", N, lambda a: True),
    ("fzn_alldifferent_except([a,b],{})", f"{N} {N}", lambda a, b: a != b),
    ("fzn_lex_less_int([],[])", N, lambda a: False),
    ("fzn_lex_lesseq_int([],[])", N, lambda a: True),
    ("fzn_lex_less_int([],[a])", N, lambda a: True),
    ("fzn_lex_lesseq_int([a],[])", N, lambda a: False),
    ("int_eq_imp(a,b,true)", f"{N} {N}", lambda a, b: a == b),
    ("int_eq_imp(a,b,false)", f"{N} {N}", lambda a, b: True),
    ("int_eq_reif(a,b,true)", f"{N} {N}", lambda a, b: a == b),
    ("int_eq_reif(a,b,false)", f"{N} {N}", lambda a, b: a != b),
]
"""Arrays of few entries, and arguments that decide a constraint or leave nothing to it."""


@pytest.mark.parametrize(
    ("posted", "types", "meaning"), CASES + FEW_CASES, ids=[case[0] for case in CASES + FEW_CASES]
)
def test_a_predicate_means_what_it_should(posted: str, types: str, meaning: Meaning) -> None:
    names = "abcd"[: len(types.split())]
    text = f"{declared(names, types)}constraint {posted};\nsolve satisfy;"
    expected = {row for row in grid(types) if meaning(*row)}
    assert solutions(text) == expected


FORMS = [
    case for case in CASES if f"{case[0].partition('(')[0]}_reif" in PREDICATES and case[0] != "bool_xor(a,b)"
]


def test_every_predicate_has_a_case() -> None:
    plain = {case[0].partition("(")[0] for case in CASES}
    with_truth = {f"{case[0].partition('(')[0]}_{form}" for case in FORMS for form in ("reif", "imp")}
    assert plain | with_truth == set(PREDICATES)


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


def test_a_table_has_one_row_for_each_value_of_an_argument_that_is_there_twice() -> None:
    text = "var -600..600: x;\nvar 0..9: z;\nconstraint int_div(x,x,z);\nsolve satisfy;\n"
    (table,) = read(text).constraints
    assert table.rows == tuple((x, 1) for x in range(-600, 601) if x)  # type: ignore[union-attr]


def test_tables_with_one_array_share_their_rows() -> None:
    """They do not if a domain lacks one of the values. The rows are different and sorted."""
    text = """array [1..8] of int: rows = [3,1,1,2,3,1,2,2];
var 1..3: x :: output_var;
var 1..2: y :: output_var;
var 1..2: z :: output_var;
constraint fzn_table_int([x,y],rows);
constraint fzn_table_int([x,z],rows);
constraint fzn_table_int([z,y],rows);
solve satisfy;"""
    one, other, third = (constraint.rows for constraint in read(text).constraints)  # type: ignore[union-attr]
    assert one is other
    assert (one, third) == (((1, 2), (2, 2), (3, 1)), ((1, 2), (2, 2)))
    assert solutions(text) == {(1, 2, 2), (2, 2, 2)}
