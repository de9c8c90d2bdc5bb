"""Variables that constraints make equal: one variable of the model for both, and the same solutions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import rekkyo as rk
from rekkyo.errors import BadFile
from rekkyo.export.flatzinc.reader import flat_puzzle, read_flatzinc
from rekkyo.export.flatzinc.solutions import solution_writer
from tests import made_once as st
from tests.export.flatzinc.equal_texts import random_equal_text
from tests.export.flatzinc.texts import ENGINES, read, solutions


def printed(text: str, engine: str = "csp") -> list[str]:
    flat = read_flatzinc(text, "test.fzn")
    write = solution_writer(flat)
    return [write(list(map(int, row))) for row in rk.solve(flat_puzzle(flat, "test.fzn"), engine=engine)]


@settings(max_examples=300)
@given(seed=st.integers(0, 10**6))
def test_prints_what_the_definitions_say(seed: int) -> None:
    wanted = random_equal_text(seed)
    for engine in ENGINES:
        found = printed(wanted.text, engine)
        assert set(found) == wanted.printed()
        if wanted.shown:
            assert len(found) == len(set(found))


def test_a_truth_value_and_its_number_are_one_variable() -> None:
    """Whichever is shown gives the name; annotations do not matter."""
    text = """var bool: b :: output_var;
var 0..1: i :: var_is_introduced;
var bool: c;
var 0..1: j :: output_var;
constraint bool2int(b,i);
constraint bool2int(c,j) :: defines_var(j);
constraint int_lin_le([1,1],[i,j],1);
solve satisfy;"""
    model = read(text)
    assert (model.names, len(model.constraints)) == (("b", "j"), 1)
    for engine in ENGINES:
        assert solutions(text, engine) == {(0, 0), (0, 1), (1, 0)}
    assert sorted(printed(text)) == [
        f"b = {b};\nj = {j};\n----------\n" for b, j in (("false", 0), ("false", 1), ("true", 0))
    ]


def test_two_variables_that_are_shown_stay_two() -> None:
    """Both are equal to a hidden one, in a chain; a row has a column for each."""
    text = """var 0..3: x :: output_var;
var 2..5: h;
var -1..9: y :: output_var;
constraint int_eq(x,h);
constraint int_eq(h,y);
solve satisfy;"""
    model = read(text)
    assert (model.names, len(model.constraints)) == (("x", "y"), 1)
    assert model.domains[0] == (2, 3)
    assert solutions(text) == {(2, 2), (3, 3)}


def test_a_circle_of_equal_variables_is_one_variable() -> None:
    pairs = [(k, (k + 1) % 5) for k in range(5)]
    text = "".join(f"var {-k}..{9 - k}: x{k}{' :: output_var' * (k == 3)};\n" for k in range(5))
    text += "".join(f"constraint int_eq(x{a},x{b});\n" for a, b in pairs) + "solve minimize x1;"
    model = read(text)
    assert (model.names, model.domains, model.constraints) == (("x3",), (tuple(range(6)),), ())
    assert solutions(text) == {(0,)}


@pytest.mark.parametrize(
    ("predicate", "is_one"),
    [
        ("int_eq_reif(x,1,b)", True),
        ("int_eq_reif(1,x,b)", True),
        ("int_ne_reif(x,0,b)", True),
        ("int_eq_reif(x,0,b)", False),
        ("int_ne_reif(x,1,b)", False),
        ("int_eq_reif(y,1,b)", False),
        ("bool_eq_reif(c,true,b)", True),
        ("bool_eq_reif(false,c,b)", False),
        ("bool_ne_reif(c,false,b)", True),
    ],
)
def test_comparisons_whose_truth_value_is_a_variable(predicate: str, is_one: bool) -> None:
    text = f"""var 0..1: x :: output_var;
var 0..2: y :: output_var;
var bool: c :: output_var;
var bool: b;
constraint {predicate};
constraint bool_eq(b,true);
solve satisfy;"""
    assert len(read(text).names) == (3 if is_one else 4)
    assert solutions(text) == solutions(text, "csp")
    assert len(solutions(text)) == (4 if "y" in predicate else 6)


def test_domains_with_nothing_in_common() -> None:
    text = "var 0..1: x :: output_var;\nvar {2,4}: h;\nconstraint int_eq(x,h);\nsolve satisfy;"
    for engine in ENGINES:
        assert solutions(text, engine) == set()
    unbounded = "var int: x :: output_var;\nvar {2,4}: h;\nconstraint int_eq(x,h);\nsolve satisfy;"
    assert solutions(unbounded) == {(2,), (4,)}


def test_arguments_of_other_kinds_are_refused_as_before() -> None:
    text = "var 0..5: x :: output_var;\nvar bool: b;\nconstraint {};\nsolve satisfy;"
    for wrong in ("bool_eq(x,b)", "bool2int(b)", "int_eq(x,b,b)", "bool_eq_reif(x,true,b)"):
        with pytest.raises(BadFile):
            read(text.format(wrong))


def test_an_array_that_many_constraints_name_stays_one_tuple() -> None:
    text = """var bool: b;
var 0..1: i :: output_var;
array [1..3] of var int: a = [i,1,i];
constraint bool2int(b,i);
constraint fzn_count_eq(a,1,3);
constraint fzn_count_eq(a,0,0);
solve satisfy;"""
    one, other = read(text).constraints
    assert one.variables is other.variables  # type: ignore[union-attr]
    assert solutions(text) == {(1,)}
