"""Products with more values than a variable may have are multiplied out; and where they cannot be."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product
from random import Random
from typing import NamedTuple

import pytest

from rekkyo.errors import BadInput
from tests.export.flatzinc.texts import ENGINES, read, solutions


class Numbers(NamedTuple):
    """Four digits, two numbers that are written with them, and products of these."""

    a: int
    b: int
    c: int
    d: int

    @property
    def x(self) -> int:
        return 100 * self.a + 10 * self.b + self.c

    @property
    def y(self) -> int:
        return 300 * self.d - self.a

    @property
    def z(self) -> int:
        return self.x * self.y


DIGITS = "".join(f"var 0..3: {name} :: output_var;\n" for name in "abcd")
NUMBERS = """
var 0..333: x;
var -3..900: y;
var int: z;
var bool: t;
constraint int_lin_eq([100,10,1,-1],[a,b,c,x],0);
constraint int_lin_eq([1,1,-300],[y,a,d],0);
constraint int_times(x,y,z);
"""
TESTS: list[tuple[str, Callable[[Numbers], bool]]] = [
    ("int_le(z,{k})", lambda n, k=0: n.z <= k),
    ("int_le({k},z)", lambda n, k=0: n.z >= k),
    ("int_lt(z,{k})", lambda n, k=0: n.z < k),
    ("int_ne(z,{k})", lambda n, k=0: n.z != k),
    ("int_lin_eq([1,-{k},-1],[z,d,b],0)", lambda n, k=0: n.z == k * n.d + n.b),
    ("int_lin_le([1,-{k},1000],[z,d,x],70)", lambda n, k=0: n.z - k * n.d + 1000 * n.x <= 70),
    ("int_lin_ne([3,-2],[z,z],{k})", lambda n, k=0: n.z != k),
    ("int_le_reif(z,{k},t);\nconstraint int_eq(t,1)", lambda n, k=0: n.z <= k),
    ("int_lin_eq_reif([1],[z],{k},t);\nconstraint bool_eq(t,false)", lambda n, k=0: n.z != k),
    ("int_lin_le_imp([1],[z],{k},t);\nconstraint bool_eq(t,true)", lambda n, k=0: n.z <= k),
    ("int_times(z,c,w);\nconstraint int_le(w,{k})", lambda n, k=0: n.z * n.c <= k),
    ("int_times(d,z,w);\nconstraint int_lin_le([1,-1],[z,w],{k})", lambda n, k=0: n.z - n.d * n.z <= k),
    ("int_plus(z,z,w);\nconstraint int_lin_ne([1,-2],[w,z],{k})", lambda n, k=0: k != 0),
    ("int_times(y,x,w);\nconstraint int_le(w,{k})", lambda n, k=0: n.z <= k),
    ("int_times(x,d,z)", lambda n, k=0: n.z == n.x * n.d),
    ("int_eq(z,w);\nconstraint int_lt({k},w)", lambda n, k=0: n.z > k),
    (
        "int_lin_le([1,-100],[x,a],15);\nconstraint int_le(z,{k})",
        lambda n, k=0: n.x - 100 * n.a <= 15 and n.z <= k,
    ),
    (
        "int_lin_ne([1,-100],[x,a],11);\nconstraint int_le(z,{k})",
        lambda n, k=0: n.x - 100 * n.a != 11 and n.z <= k,
    ),
    ("int_lin_eq_reif([1,-100],[x,a],15,t);\nconstraint int_le(z,{k})", lambda n, k=0: n.z <= k),
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("number", range(len(TESTS)))
def test_the_solutions_are_those_by_definition(number: int, engine: str) -> None:
    dice = Random(number)
    text, holds = TESTS[number]
    every = [Numbers(*digits) for digits in product(range(4), repeat=4)]
    for _ in range(3):
        k = dice.choice([n.z for n in every if n.z > 66000])
        more = "var int: w;\n" if "w" in text else ""
        posted = f"{DIGITS}{NUMBERS}{more}constraint {text.replace('{k}', str(k))};\nsolve satisfy;"
        assert solutions(posted, engine) == {tuple(n) for n in every if holds(n, k)}  # type: ignore[call-arg]


def test_declared_bounds_hold() -> None:
    text = DIGITS + NUMBERS.replace("var int: z", "var 70000..90000: z") + "solve satisfy;"
    every = (Numbers(*digits) for digits in product(range(4), repeat=4))
    wanted = {tuple(n) for n in every if 70000 <= n.z <= 90000}
    assert 0 < len(wanted) < 256
    assert solutions(text) == wanted


def test_a_cryptarithm_of_six_letters() -> None:
    """TWO * TWO = THREE, by all permutations in the tests of puzzle files: 138 * 138 = 19044."""
    letters = "".join(f"var 0..9: {name} :: output_var;\n" for name in "TWOHRE")
    text = f"""{letters}
var 100..999: two :: var_is_introduced;
var 10000..99999: three :: var_is_introduced;
constraint fzn_all_different_int([T,W,O,H,R,E]);
constraint int_lin_eq([100,10,1,-1],[T,W,O,two],0) :: defines_var(two);
constraint int_times(two,two,three);
constraint int_lin_eq([10000,1000,100,11,-1],[T,H,R,E,three],0);
solve satisfy;"""
    assert solutions(text, "csp") == {(1, 3, 8, 9, 0, 4)}
    assert solutions(text) == {(1, 3, 8, 9, 0, 4)}


@pytest.mark.parametrize(
    ("posted", "declared"),
    [
        ("constraint fzn_all_different_int([z,a]);", "var int: z"),
        ("constraint int_abs(z,a);", "var int: z"),
        ("", "var int: z :: output_var"),
        ("", "var {70000,900000}: z"),
        ("constraint int_le(w,z);\nconstraint int_le(z,w);", "var int: w;\nvar int: z"),
    ],
)
def test_other_wide_variables_are_refused(posted: str, declared: str) -> None:
    text = f"{DIGITS}{NUMBERS.replace('var int: z', declared)}{posted}solve satisfy;"
    with pytest.raises(BadInput, match=r'variable "[wz]" has too wide bounds; declare it with a range'):
        read(text)


def test_an_objective_is_not_replaced() -> None:
    with pytest.raises(BadInput, match='variable "z" has too wide bounds'):
        read(f"{DIGITS}{NUMBERS}solve maximize z;")


def test_factors_without_a_sum_are_refused() -> None:
    text = "var 0..999: x;\nvar 0..999: y;\nvar int: z :: var_is_introduced;\nconstraint int_times(x,y,z);\n"
    with pytest.raises(BadInput, match='variable "z" has too wide bounds'):
        read(f"{text}constraint int_le(500,z);\nsolve satisfy;")


def test_squares_of_squares_are_not_multiplied_out_for_ever() -> None:
    names = [f"x{at}" for at in range(40)]
    declared = "".join(f"var int: {name} :: var_is_introduced;\n" for name in names)
    squared = "".join(f"constraint int_times({x},{x},{y});\n" for x, y in pairwise(names))
    with pytest.raises(BadInput, match='variable "x3" has too wide bounds'):
        read(f"{declared}constraint set_in(x0,0..9);\n{squared}solve satisfy;")
