"""FlatZinc texts that are refused: the message is one line that names the place."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from random import Random

import pytest

from rekkyo.errors import BadFile, BadInput
from rekkyo.export.flatzinc import lexer
from rekkyo.export.flatzinc.narrowing import RULES
from rekkyo.export.flatzinc.reader import MAX_ARGUMENTS, read_flatzinc
from tests.export.flatzinc.texts import PARTS, read, solutions

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
        "var 1..2: y;\nvar 9999999998..9999999999: x;\nsolve satisfy;",
        r'test\.fzn:2:29: variable "x" has values that are not from -1000000000 to 1000000000; use smaller',
    ),
    (
        "var int: x;\nconstraint int_eq(x,-9999999999);\nsolve satisfy;",
        r'test\.fzn:1:10: variable "x" has val',
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
    ("enum E = {A};\nsolve satisfy;", r'test\.fzn:1:1: "enum" stands where a type, such as var 1\.\.9'),
    (
        "array [1..2] of int: t = [1,,3];\nsolve satisfy;",
        r"test\.fzn:1:26: \[1,,3\] is not an array; write numbers w",
    ),
    (
        "array [1..2] of int: t = [1,1000000000000000000];\nsolve satisfy;",
        "1:26: a number in this array has more",
    ),
    ("array [1..2] of int: t = [1,2,3];\nsolve satisfy;", r'test\.fzn:1:22: "t" must be an array of 2'),
    (
        "array [1..2] of int: t = [1,1_0];\nsolve satisfy;",
        r"test\.fzn:1:26: \[1,1_0\] is not an array; write",
    ),
    ("array [1..2] of int: t = [true,1e3];\nsolve satisfy;", r"test\.fzn:1:26: numbers with a point"),
    (
        "var 1..3: x;\nconstraint int_lin_eq([1,1],[x, yy ],3);\nsolve satisfy;",
        r'test\.fzn:2:33: "yy" is not declared',
    ),
    (
        "var 1..3: x; % one; two\nconstraint int_eq(x[1],1);\nsolve satisfy;",
        r'test\.fzn:2:19: "x" has no entry 1',
    ),
    ("array [1..0] of int: a = [,];\nsolve satisfy;", r"test\.fzn:1:26: \[,\] is not an array; write"),
    (
        "var 1..3: x;\nvar 1..2: s;\nconstraint rekkyo_circuit(s,[x]);\nsolve satisfy;",
        r"test\.fzn:3:12: .* a number that is fixed",
    ),
    (
        "var 1..3: x;\nconstraint fzn_global_cardinality([x],[1,2],[1]);\nsolve satisfy;",
        r"test\.fzn:2:12: fzn_global_cardinality has an array of 1 where it needs 2",
    ),
    (
        "var 1..3: x;\nconstraint fzn_global_cardinality_low_up([x],[1],[0],[1,1]);\nsolve satisfy;",
        r"test\.fzn:2:12: fzn_global_cardinality_low_up has an array of 2 where it needs 1",
    ),
    (
        "var 1..3: x;\nconstraint fzn_regular([x],2,2,[1,2,2],1,{2});\nsolve satisfy;",
        r"test\.fzn:2:12: fzn_regular has an array of 3 where it needs 4",
    ),
    (
        "var 1..3: x;\nconstraint fzn_regular([x],2,1,[2,3],1,{2});\nsolve satisfy;",
        r"test\.fzn:2:12: fzn_regular: states are numbered from 1 to 2, not 3",
    ),
    ("var 1..3: é;\nsolve satisfy;", r"test\.fzn:1:11: 'é' does not begin a word"),
    ("var 1..3: x :: é;\nsolve satisfy;", r"test\.fzn:1:16: 'é' does not begin a word"),
    ("predicate foo(var int: x ?);\nsolve satisfy;", r"test\.fzn:1:26: '\?' does not begin a word"),
    ("var float: x;\nsolve satisfy;", r"test\.fzn:1:5: numbers with a point are not searched; use whole"),
    ("var 0.0..1.0: x;\nsolve satisfy;", r"test\.fzn:1:5: numbers with a point"),
    ("float: f = 1.5;\nconstraint int_eq(f,1);\nsolve satisfy;", r"test\.fzn:2:19: numbers with a point"),
    ("float: f;\nsolve satisfy;", r'test\.fzn:1:8: "f" has no value; write = and its value'),
    ("float: f = 1.5;\nint: f = 1;\nsolve satisfy;", r'test\.fzn:2:6: "f" is declared already'),
    ("var set of 1..3: x;\nsolve satisfy;", r"test\.fzn:1:5: variables that are sets are not searched"),
    ("constraint foo(1);\nsolve satisfy;", r"test\.fzn:1:12: there is no predicate foo here; flatten with"),
    ("constraint int_leq(1,2);\nsolve satisfy;", r'`rekkyo count model\.mzn` does; did you mean "int_le'),
    ("constraint float_le(1.0,2.0);\nsolve satisfy;", "there is no predicate float_le here; numbers with a"),
    ("constraint set_card(1,2);\nsolve satisfy;", "there is no predicate set_card here; variables that are"),
    ("constraint int_eq(1,2)\nsolve satisfy;", r'test\.fzn:2:1: "solve" stands where ";" should be'),
    ("var 1..3: x;\nconstraint int_eq(x,", r"test\.fzn:2:21: the end of the text stands where .* cut off"),
    ("var 1..3: x;\n", r'test\.fzn:2:1: there is no "solve"; the file is cut off, or is not FlatZinc'),
    ("", r'test\.fzn:1:1: there is no "solve"'),
    ("var 1..3: x;\nvar 1..3: x;\nsolve satisfy;", r'test\.fzn:2:11: "x" is declared already'),
    (
        "var 1..3: x;\nsolve minimize x;\nsolve satisfy;",
        r'test\.fzn:3:1: there is a second "solve"; leave one of them out',
    ),
    ("int: n = 1..3;\nsolve satisfy;", r'test\.fzn:1:6: the value of "n" must be made of numbers only'),
    ("set of int: s = 3;\nsolve satisfy;", r'test\.fzn:1:13: the value of "s" must be made of sets of nu'),
    ("array [1..1] of set of 1..3: s = [1];\nsolve satisfy;", r'of "s" must be made of sets of numbers'),
    ("var 1..3: x;\nint: n = x;\nsolve satisfy;", r'test\.fzn:2:6: the value of "n" must be made of numb'),
    ("var 1..3: x;\narray [1..2] of int: n = [1,x];\nsolve satisfy;", r'of "n" must be made of numbers'),
    ("bool: b = 2;\nsolve satisfy;", r'test\.fzn:1:7: "b" has a value that its type excludes; give ano'),
    ("array [1..2] of 1..3: n = [1,4];\nsolve satisfy;", r'test\.fzn:1:23: "n" has a value that its ty'),
    (
        "var -3..3: x;\nconstraint int_times(x,x,1000000001);\nsolve satisfy;",
        r"test\.fzn:2:12: the number 1000000001 is not from -1000000000 to 1000000000; use smaller ones",
    ),
    ("constraint int_eq(y,1);\nsolve satisfy;", r'test\.fzn:1:19: "y" is not declared'),
    ("constraint int_eq(1);\nsolve satisfy;", r"test\.fzn:1:12: int_eq has 1 argument and needs more"),
    ("constraint int_eq(1,1,1);\nsolve satisfy;", "int_eq has 3 arguments, but it takes 2"),
    ("constraint bool_xor_reif(true,false);\nsolve satisfy;", "bool_xor_reif has 2 arguments and needs more"),
    ("constraint int_eq([1],1);\nsolve satisfy;", "argument 1 of int_eq must be one number or one variable"),
    ("constraint int_eq(1.5,1);\nsolve satisfy;", "numbers with a point"),
    ("constraint int_eq([[1]],1);\nsolve satisfy;", "an array within an array"),
    ("constraint int_eq(f(1),1);\nsolve satisfy;", "a text or call in the place of a value"),
    (
        "constraint int_lin_eq([1],[],1);\nsolve satisfy;",
        "has 1 coefficient for 0 variables; give one for each",
    ),
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
    ("constraint fzn_regular([1],1,1,[1],2,{1});\nsolve satisfy;", "states are numbered from 1 to 1, not 2"),
    (
        "constraint fzn_regular([1],99999999999,0,[],1,1..9);\nsolve satisfy;",
        "has 0 letters; it needs at least",
    ),
    ("constraint fzn_mdd([1],1,[1],1,[1],[{1}],[1]);\nsolve satisfy;", "no edge goes from node 1 to node 1"),
    (
        "constraint rekkyo_automaton([1],0,[0],[1],[],[0]);\nsolve satisfy;",
        "has an array of 0 where it needs 1",
    ),
    ("constraint fzn_mdd([1],1,[1],2,[1],[{1}],[0]);\nsolve satisfy;", "has an array of 1 where it needs 2"),
    (
        "constraint rekkyo_connected([1],[3],[true],[true]);\nsolve satisfy;",
        "points are numbered from 1 to 1, n",
    ),
    ("constraint fzn_table_int([1,2],[1]);\nsolve satisfy;", "rows of 2 cannot be made of 1 number"),
    ("array [1..2] of int: a = [1];\nsolve satisfy;", '"a" must be an array of 2'),
    ("array [0..2] of int: a = [1];\nsolve satisfy;", r"arrays of FlatZinc are counted from 1"),
    ("int: a;\nsolve satisfy;", '"a" has no value'),
    ("var 1..2: x :: output_var = [1,2];\nsolve satisfy;", r'test\.fzn:1:11: "x" is no array; write one val'),
    ("var 1..2: x = {1};\nsolve satisfy;", "a variable has a number or another variable as its value"),
    (
        "array [1..2] of var 1..2: x :: output_array([1..3]);\nsolve satisfy;",
        "the index sets of output_array",
    ),
    (
        "array [1..2] of var 1..2: x :: output_array([12]);\nsolve satisfy;",
        "the index sets of output_array",
    ),
    (
        "array [1..1] of var 1..2: x :: output_array([12]);\nsolve satisfy;",
        "the index sets of output_array",
    ),
    (
        "array [1..2] of var 1..2: x :: output_array([1..2,5]);\nsolve satisfy;",
        "the index sets of output_array",
    ),
    ("set of 1..3: s = {1,5};\nsolve satisfy;", '"s" has a value that its type excludes'),
    ("set of 1..3: s = 2..999999999;\nsolve satisfy;", '"s" has a value that its type excludes'),
    ("set of {1,4}: s = 1..999999999;\nsolve satisfy;", '"s" has a value that its type excludes'),
    ("array [1..2] of set of 1..3: s = [1..3,0..1];\nsolve satisfy;", '"s" has a value that its type excl'),
    ("array [1..1] of int: a = [1];\nconstraint int_eq(a[2],1);\nsolve satisfy;", '"a" has no entry 2'),
    ("array [1..999999999] of var 1..2: x;\nsolve satisfy;", "more than the 65536 variables"),
    ("array [1..65000] of var 1..9999: x;\nsolve satisfy;", "more than the 4194304 values in domains"),
    ("int: x = 99999999999999999999999;\nsolve satisfy;", "has more than 18 digits"),
    ("solve wait;", r'test\.fzn:1:7: "wait" is not a goal; write satisfy, minimize, maximize'),
    ("solve minimize {1};", "the objective is one variable"),
    ("?", r"test\.fzn:1:1: '\?' does not begin a word of FlatZinc"),
    ("\0\0", r"test\.fzn:1:1: '\\x00' does not begin a word of FlatZinc"),
    ("<xml/>", "does not begin a word"),
    ("int: x = 1 2;", '"2" stands where ";" should be'),
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


@pytest.mark.parametrize("name", RULES)
def test_wrong_arguments_of_variables_without_bounds_are_refused(name: str) -> None:
    """Bounds are looked for before the arguments of predicates are checked."""
    dice = Random(1)
    for _ in range(40):
        arguments = dice.choices(("x", "1", "[x,1]", "[]", "1..3", "{1,5}", "[1..2,x]"), k=dice.randint(0, 4))
        with suppress(BadFile):
            read(f"var int: x;\nconstraint {name}({','.join(arguments)});\nsolve satisfy;")


def test_squares_of_squares_get_no_bounds_of_a_million_digits() -> None:
    names = [f"x{at}" for at in range(99)]
    declared = "".join(f"var int: {name};\n" for name in names)
    squared = "".join(f"constraint int_times({x},{x},{y});\n" for x, y in pairwise(names))
    with pytest.raises(BadInput, match=r'variable "x0" has too wide bounds'):
        read(f"{declared}constraint set_in(x0,0..99999999);\n{squared}solve satisfy;")


def test_endless_sets_of_states_are_read() -> None:
    sets = "1..999999999999,{},-999999999999..2,3..999999999999"
    text = (
        f"var 1..9: x :: output_var;\nconstraint fzn_regular_nfa([x,2],2,2,[{sets}],1,{{2}});\nsolve satisfy;"
    )
    assert solutions(text) == set()
    assert solutions(text.replace("x,2", "x,1")) == {(1,)}


def test_constraints_that_name_large_arrays_again_and_again_are_refused() -> None:
    n = 60_000
    many = "constraint fzn_all_different_int(x);\n" * (MAX_ARGUMENTS // n + 1)
    with pytest.raises(BadInput, match=f"more than the {MAX_ARGUMENTS} entries"):
        read(f"array [1..{n}] of var 0..1: x;\n{many}solve satisfy;")


def test_a_table_that_is_too_large_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lexer, "MAX_PARTS", 999)
    for entry in ("1", "true"):
        table = ",".join([entry] * 1000)
        with pytest.raises(BadInput, match=r"test\.fzn:1:1: more than 999 entries in arrays and arguments"):
            read(f"array [1..1000] of int: t =[{table}];\nsolve satisfy;")


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
