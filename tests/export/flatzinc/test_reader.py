"""What is read from FlatZinc texts: declarations, annotations, hidden variables, arrays, and bounds that are not given."""

from __future__ import annotations

import pytest

import rekkyo as rk
from rekkyo.errors import BadFile
from rekkyo.export.flatzinc.reader import flat_puzzle, read_flatzinc
from tests.export.flatzinc.texts import ENGINES, PARTS, read, solutions


def test_declarations_aliases_and_annotations() -> None:
    model = read(PARTS)
    assert [model.names[v] for v in model.solution] == ["x", "square[0,2]"]
    assert model.domains[0] == (1, 2, 3, 4, 5)
    assert solutions(PARTS) == {(5, 2)}
    assert solutions(PARTS.replace("maximize", "minimize"), "csp") == {(1, 6)}
    assert solutions(PARTS.replace("maximize x", "satisfy")) == {(1, 6), (3, 4), (5, 2)}


def test_names_and_texts_of_the_grammar() -> None:
    """Names of variables may begin with an underscore; texts have the escapes of C. Source: `fzn-grammar.mzn`."""
    text = r"""var 0..3: _ :: output_var :: mzn_path("a \"b\" \\");
array [1..2] of int: _1 = [1,2];
constraint array_int_element(_,_1,2) :: mzn_constraint_name("\"");
solve satisfy;"""
    assert solutions(text) == {(2,)}


def test_arrays_of_numbers_and_names_are_one_word_with_or_without_blanks() -> None:
    """A comment, an entry of another array, and a semicolon in a text do not end an array or an item."""
    text = """array [1..3] of int: weights = [0x3, -0o1 ,% not here; or here
 one,];
array [1..1] of int: ones = [one];
var 0..3: x :: output_var;
constraint int_lin_eq(weights,[ x ,x,ones[1] ],5) :: mzn_path("a;b");
solve satisfy;"""
    text = "int: one = 1;\n" + text
    assert solutions(text) == {(2,)}


def test_declarations_that_differ_only_in_their_names() -> None:
    """The later ones are not parsed; their annotations, domains and places are those of the first kind."""
    text = """var 0..1: a :: output_var :: is_defined_var;
var 0..1: b :: output_var :: is_defined_var;
var 0..1: c :: is_defined_var :: output_var;
var 0..1: d :: is_defined_var;
array [1..2] of var 2..3: e :: output_array([1..2]);
array [1..2] of var 2..3: f :: output_array([1..2]);
constraint int_lt(a,b) :: defines_var(b);
constraint int_lt(e[1],e[2]) :: domain :: defines_var(e);
constraint int_lt(f[2],f[1]) :: defines_var(f[1]);
solve satisfy;"""
    flat = read_flatzinc(text, "test.fzn")
    assert [shown.name for shown in flat.shown] == ["a", "b", "c", "e", "f"]
    assert solutions(text) == {(0, 1, c, 2, 3, 3, 2) for c in (0, 1)}
    for name, place in (("a", "2:11"), ("3", "2:11"), ("b)", "2:12"), ("", "2:12")):
        with pytest.raises(BadFile, match=f"test.fzn:{place}: "):
            read(text.replace("var 0..1: b", f"var 0..1: {name}"))


def test_parameters_with_a_point_that_nothing_uses() -> None:
    text = """float: half = 0.5;
array [1..2] of float: halves = [0.5,-1e3];
var 0..3: x :: output_var;
"""
    assert solutions(f"{text}solve satisfy;") == {(0,), (1,), (2,), (3,)}


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


def test_output_that_is_fixed_has_its_names_and_values() -> None:
    text = """var bool: x :: output_var = true;
array [1..2] of var bool: y :: output_array([1..2]) = [true,false];
solve satisfy;"""
    model = read(text)
    assert [model.names[v] for v in model.solution] == ["x", "y[1]", "y[2]"]
    assert solutions(text) == {(1, 1, 0)}
    too_large = text.replace("bool: x", "int: x").replace("= true", "= 1000000000000")
    assert solutions(too_large) == {(0,)}


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
    ("array_var_int_element(x,[a,a],a)", 10),
    ("int_div(x,3,a);\nconstraint int_le(0,x);\nconstraint int_lt(x,9)", 9),
    ("int_div(a,-2,x)", 5),
    ("int_mod(a,-3,x)", 5),
    ("int_times(-2,a,x)", 5),
    ("int_min(2,a,x)", 5),
    ("array_int_minimum(x,[a,-7])", 5),
    ("int_plus(x,a,3)", 5),
    ("int_lin_eq([-2,3],[x,a],1)", 2),
    ("int_lt(x,a);\nconstraint int_lt(-3,x)", 2 + 3 + 4 + 5 + 6),
    ("int_lin_le([-1,2],[x,a],0);\nconstraint int_lin_le([3],[x],25)", 9 + 7 + 5 + 3 + 1),
    ("fzn_count_eq([a,3,a],3,x)", 5),
]


@pytest.mark.parametrize(("posted", "n_solutions"), BOUNDED)
def test_bounds_are_found(posted: str, n_solutions: int) -> None:
    text = f"var 0..4: a :: output_var;\nvar int: x :: output_var;\nconstraint {posted};\nsolve satisfy;"
    assert len(solutions(text)) == n_solutions


def test_the_bounds_of_a_truth_value_are_those_of_its_number() -> None:
    text = "var bool: a :: output_var;\nvar int: x :: output_var;\nconstraint bool2int(a,x);\nsolve satisfy;"
    assert solutions(text) == {(0, 0), (1, 1)}


def test_the_place_in_an_array_has_bounds_before_its_entries() -> None:
    text = (
        "var int: x :: output_var;\nvar int: y;\nconstraint array_var_int_element(x,[y,3],3);\n"
        "constraint int_plus(x,1,y);\nsolve satisfy;"
    )
    assert solutions(text) == {(2,)}


def test_an_empty_array_is_shown_though_an_index_set_is_endless() -> None:
    sets = "[1..999999999999999999,1..0]"
    assert solutions(f"array [1..0] of var int: x :: output_array({sets}) = [];\nsolve satisfy;") == {(0,)}


def test_arrays_of_plain_numbers_are_as_other_arrays() -> None:
    text = "array [1..4] of int: t = {};\nvar -9..9: x :: output_var;\nconstraint fzn_table_int([x],t);\nsolve satisfy;"
    for array in ("[1,-2,3,4]", "[ 1 ,\n-2,3, 4 ]", "[1,-2,0x3,4]", "[1,-2,3,4,]", "[1,-2,% three\n3,4]"):
        assert solutions(text.replace("{}", array)) == {(1,), (-2,), (3,), (4,)}
