"""Models of CPMpy against their meaning: every assignment is tried, and CPMpy says which are solutions."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.model.csp.csp import Csp

IS_INSTALLED = importlib.util.find_spec("cpmpy") is not None

TWO_TIMES_TWO = sum(
    len({*two, *square}) == 6 and square[0] == two[0] and square[3] == square[4]
    for number in range(100, 1000)
    for two, square in [(str(number), str(number**2))]
    if len(square) == 5 and len(set(two)) == 3
)
"""Solutions of TWO * TWO = THREE."""

Make = Callable[[Any, Any], list[Any]]


@pytest.mark.skipif(IS_INSTALLED, reason="cpmpy is here")
def test_without_cpmpy() -> None:
    with pytest.raises(BadInput, match=r"CPMpy is not installed; install it: pip install 'rekkyo\[cpmpy\]'"):
        rk.from_cpmpy(None)


def variables() -> tuple[Any, Any]:
    cp = pytest.importorskip("cpmpy")
    return cp.intvar(-1, 3, shape=4, name="x"), cp.boolvar(shape=2, name="b")


def by_definition(constraints: list[Any], shown: list[Any]) -> set[tuple[int, ...]]:
    from cpmpy.expressions.utils import argval

    found = set()
    for values in product(*(range(v.lb, v.ub + 1) for v in shown)):
        for variable, value in zip(shown, values, strict=True):
            variable._value = bool(value) if variable.is_bool() else value
        if all(argval(constraint) for constraint in constraints):
            found.add(values)
    return found


def by_rekkyo(constraints: list[Any], engine: str) -> tuple[list[Any], set[tuple[int, ...]]]:
    """The variables of a solution, and all solutions."""
    import cpmpy as cp
    from cpmpy.transformations.get_variables import get_variables

    puzzle = rk.from_cpmpy(cp.Model(constraints))
    model = puzzle.model
    assert isinstance(model, Csp)
    rows = [tuple(model.values[int(place)] for place in row) for row in rk.solve(puzzle, engine=engine)]
    assert len(set(rows)) == len(rows)
    shown = get_variables(constraints)
    assert [model.names[v] for v in model.solution] == [variable.name for variable in shown]
    return shown, set(rows)


def cases() -> dict[str, Make]:
    import cpmpy as cp

    return {
        "sum": lambda x, b: [cp.sum(x) == 3, 2 * x[0] - x[1] >= b[0]],
        "comparisons": lambda x, b: [x[0] < x[1], x[1] <= x[2], x[2] > x[3], x[0] != b[1]],
        "truths": lambda x, b: [b[0] | ~b[1], (b[0] & b[1]) == (x[0] > 1), b[0].implies(x[1] == x[0])],
        "xor": lambda x, b: [b[0] ^ b[1], (b[0] ^ (x[0] == 1))],
        "not": lambda x, b: [~((x[0] > 0) | b[0]), ~(x[1] == x[2]), ~(b[0] & b[1])],
        "alldifferent": lambda x, b: [cp.AllDifferent(x)],
        "alldifferent, truth": lambda x, b: [
            cp.AllDifferent(x[:3]) == b[0],
            b[1].implies(cp.AllDifferent(x)),
        ],
        "alldifferent except 0": lambda x, b: [cp.AllDifferentExcept0(x)],
        "allequal": lambda x, b: [cp.AllEqual(x) == b[0]],
        "table": lambda x, b: [cp.Table(x[:2], [[1, 2], [3, -1], [9, 9]])],
        "table, truth": lambda x, b: [cp.Table(x[:2], [[1, 2], [3, -1]]) == b[0]],
        "negative table": lambda x, b: [cp.NegativeTable(x[:2], [[1, 2], [3, -1]])],
        "circuit": lambda x, b: [cp.Circuit(x)],
        "inverse": lambda x, b: [cp.Inverse(x[:2], x[2:])],
        "lex": lambda x, b: [cp.LexLess(x[:2], x[2:]), cp.LexLessEq(b, [1, 0])],
        "gcc": lambda x, b: [cp.GlobalCardinalityCount(x, [1, 2], [b[0], x[0]])],
        "gcc, closed": lambda x, b: [cp.GlobalCardinalityCount(x, [1, 2], [2, x[0] + 1], closed=True)],
        "gcc, a value twice": lambda x, b: [
            cp.GlobalCardinalityCount(x, [1, 1], [x[0] + 1, 2]),
            cp.GlobalCardinalityCount(x, [1, 2, 2], [2, 2, 2], closed=True),
        ],
        "regular": lambda x, b: [
            cp.Regular(
                x,
                [("p", 1, "q"), ("q", 2, "p"), ("q", 3, "q"), ("p", 0, "r"), ("r", 0, "r")],
                "p",
                ["q", "r"],
            )
        ],
        "max, min and abs": lambda x, b: [cp.max(x) == cp.min(x[:2]) + 2, abs(x[0]) < x[3]],
        "product": lambda x, b: [x[0] * x[1] == x[2], x[3] * b[0] > 1],
        "division": lambda x, b: [x[0] // x[1] == x[2], (x[0] % x[1] == 1) == b[0]],
        "power": lambda x, b: [x[0] ** 2 == x[1], x[2] ** 3 < 5],
        "count": lambda x, b: [cp.Count(x, 1) == 2, cp.Count(x, x[0]) > b[0]],
        "among": lambda x, b: [cp.Among(x, [1, 2]) == 1 + b[0]],
        "nvalue": lambda x, b: [cp.NValue(x) == 2],
        "element": lambda x, b: [x[:3][x[3]] == 2, cp.cpm_array([3, 1, 0])[x[0]] == x[1]],
        "element, truth": lambda x, b: [(x[:3][x[3]] == 2).implies(b[0])],
        "undefined, in what is dropped": lambda x, b: [
            cp.AllDifferentExcept0([x[0] // x[1]]),
            cp.AllEqual([x[2] % x[1]]),
            cp.IncreasingStrict([x[:2][x[2]]]),
        ],
        "nothing fits": lambda x, b: [x[0] > 3],
    }


@pytest.mark.cpmpy
@pytest.mark.parametrize("engine", ["csp", "csp-plain"])
def test_what_constraints_mean(engine: str) -> None:
    x, b = variables()
    for name, make in cases().items():
        constraints = make(x, b)
        shown, found = by_rekkyo(constraints, engine)
        assert found == by_definition(constraints, shown), name


@pytest.mark.cpmpy
@pytest.mark.parametrize("seed", range(40))
def test_random_models(seed: int) -> None:
    x, b = variables()
    dice = Random(seed)
    x = x[:3]

    def number(depth: int) -> Any:
        import cpmpy as cp

        if depth == 0:
            return dice.choice([*x])
        one, other = number(depth - 1), dice.choice([*x, dice.randint(-1, 3), b[0]])
        made = [
            lambda: one + other,
            lambda: one - other,
            lambda: one * other,
            lambda: abs(one),
            lambda: cp.max([one, other, x[0]]),
            lambda: cp.min([one, other]),
            lambda: one // 2,
            lambda: x[1] % (x[0] + 2),
            lambda: cp.Count(x, one),
            lambda: cp.Element(list(x), x[0] + 1),
            lambda: -one,
        ]
        return dice.choice(made)()

    def truth(depth: int) -> Any:
        import cpmpy as cp

        one, other = number(2), number(1)
        if depth == 0:
            return dice.choice([x[0] == one, x[1] < one, x[2] != other + one, b[0], ~b[1]])
        p, q = truth(depth - 1), truth(0)
        made = [
            lambda: p & q,
            lambda: p | q,
            lambda: p.implies(q),
            lambda: p == q,
            lambda: p ^ q,
            lambda: ~p,
            lambda: cp.AllDifferent([*x, other]),
            lambda: cp.AllDifferent(x) == p,
            lambda: cp.sum(x) + p > other,
        ]
        return dice.choice(made)()

    constraints = [truth(2) for _ in range(dice.randint(1, 3))]
    shown, found = by_rekkyo(constraints, "csp")
    assert found == by_definition(constraints, shown), constraints


@pytest.mark.cpmpy
def test_as_a_solver_of_cpmpy() -> None:
    cp = pytest.importorskip("cpmpy")
    assert rk.from_cpmpy
    assert "rekkyo" in cp.SolverLookup.supported()
    x, b = variables()
    model = cp.Model([cp.AllDifferent(x), b[0] == (x[0] > x[1])])
    shown: list[tuple[int, ...]] = []
    n_found = model.solveAll(solver="rekkyo", display=lambda: shown.append(tuple(x.value())))
    assert (n_found, len(set(shown))) == (120, 120)
    assert model.status().exitstatus.name == "OPTIMAL"
    assert model.solveAll(solver="rekkyo", solution_limit=7) == 7
    assert model.status().exitstatus.name == "FEASIBLE"
    assert model.solveAll(solver="rekkyo", solution_limit=0) == 0
    assert model.status().exitstatus.name == "UNKNOWN"
    assert model.solve(solver="rekkyo")
    assert len(set(x.value())) == 4
    model.maximize(x[0] - x[1] + 3 * b[1])
    assert model.solveAll(solver="rekkyo") == 6
    solver = cp.SolverLookup.get("rekkyo", model)
    assert solver.solve()
    assert solver.objective_value() == 7
    solver += x[0] + x[1] == 9
    assert not solver.solve()
    assert solver.status().exitstatus.name == "UNSATISFIABLE"


@pytest.mark.cpmpy
def test_sums_of_large_numbers() -> None:
    """CPMpy gives one side of a comparison of sums a variable, here with more values than are searched."""
    cp = pytest.importorskip("cpmpy")
    s, e, n, d, m, o, r, y = cp.intvar(0, 9, shape=8, name="letters")

    def number(*digits: Any) -> Any:
        return sum(10**at * digit for at, digit in enumerate(reversed(digits)))

    money = [
        cp.AllDifferent([s, e, n, d, m, o, r, y]),
        number(s, e, n, d) + number(m, o, r, e) == number(m, o, n, e, y),
    ]
    assert rk.count(rk.from_cpmpy(cp.Model(money))).total == 25  # as S and M may be 0
    assert rk.count(rk.from_cpmpy(cp.Model([*money, s > 0, m > 0]))).total == 1  # Dudeney 1924
    x, b = variables()
    scale = 10**5
    for constraints in (
        [scale * x[0] + x[1] == scale * x[2] + x[3]],
        [b[0] == (scale * x[0] + x[1] >= scale * x[2] + 1), b[1].implies(scale * x[3] < scale * x[1] - 1)],
        [scale * x[0] - scale * b[0] + 1 > scale * x[1] - ~b[0], (2 * scale * x[0] == scale * x[1]) | b[1]],
        [-scale * x[0] == -scale * x[1], scale * x[0] + x[2] - scale * x[1] != scale * x[3]],
    ):
        shown, found = by_rekkyo(constraints, "csp")
        assert found == by_definition(constraints, shown), constraints


@pytest.mark.cpmpy
def test_products_with_too_many_values() -> None:
    """The product of two numbers of two digits times a sum has more values than a variable may have."""
    cp = pytest.importorskip("cpmpy")
    a, b, c, d = cp.intvar(0, 5, shape=4, name="digits")
    truth = cp.boolvar(name="truth")
    for constraints in (
        [(100 * a + b) * (100 * c + d) == (100 * b + a) * (100 * d + c)],
        [(1000 * a + b) * (100 * c + d) > 2 * 10**6 - 1000 * a],
        [((100 * a + b) * (200 * c - d) <= 40_000) == truth, a + b + c + d == 9],
    ):
        shown, found = by_rekkyo(constraints, "csp")
        assert found == by_definition(constraints, shown), constraints

    def number(word: str) -> Any:
        return sum(10**at * letters[letter] for at, letter in enumerate(reversed(word)))

    letters = dict(zip("TWOHRE", cp.intvar(0, 9, shape=6, name="letter"), strict=True))
    puzzle = [cp.AllDifferent(*letters.values()), number("TWO") * number("TWO") == number("THREE")]
    assert rk.count(rk.from_cpmpy(cp.Model([*puzzle, letters["T"] > 0]))).total == TWO_TIMES_TWO


@pytest.mark.cpmpy
def test_wide_variables_are_narrowed() -> None:
    cp = pytest.importorskip("cpmpy")
    x, b = variables()
    cost = cp.intvar(0, 10**6, name="cost")
    dear = cp.Model([cost == cp.sum(300 * x) + 200 * ~b[0], cp.sum(x) >= 7], minimize=cost)
    found = rk.count(rk.from_cpmpy(dear))
    assert (found.total, found.optimum) == (52, 2100)
    assert rk.count(rk.from_cpmpy(cp.Model([cost > 999_990, cost % 2 == 0]))).total == 5
    assert rk.count(rk.from_cpmpy(cp.Model([cost == 3, cost == 5]))).total == 0


@pytest.mark.cpmpy
def test_a_class_of_models_of_the_user() -> None:
    x, _ = variables()
    import cpmpy as cp

    class Mine(cp.Model):  # type: ignore[misc]
        pass

    assert rk.count(rk.from_cpmpy(Mine([cp.AllDifferent(x)]))).total == 5 * 4 * 3 * 2


@pytest.mark.cpmpy
def test_what_is_refused() -> None:
    cp = pytest.importorskip("cpmpy")
    with pytest.raises(BadInput, match=r"from_cpmpy takes a cpmpy\.Model, not int"):
        rk.from_cpmpy(3)
    x, b = variables()
    far = cp.intvar(0, 10**7, name="far")
    for constraints, part in (
        ([far > 3], "variable far has values from 4 to 10000000"),
        ([cp.max([far, 5]) > 3], "variable far has values from 0 to 10000000"),
        ([cp.max([70000 * x[0], x[1]]) > 3], r"max\(\w+,x\[1\]\) has values from 4 to 210000"),
    ):
        with pytest.raises(BadInput, match=f"CPMpy: {part}.*; rekkyo takes on values that span at most"):
            rk.from_cpmpy(cp.Model(constraints))
    dear = cp.Model(maximize=70000 * x[0] + x[1])
    with pytest.raises(BadInput, match=r"CPMpy: sum\(\[70000, 1\].* has values from -70001 to 210003; "):
        rk.from_cpmpy(dear)
    never = cp.Regular(x, [("p", 1, "p")], "p", ["q"])
    with pytest.raises(BadInput, match="CPMpy cannot flatten this model: KeyError: 'q'"):
        rk.from_cpmpy(cp.Model([never == b[0]]))
    assert rk.count(rk.from_cpmpy(cp.Model())).total == 1


@pytest.mark.cpmpy
def test_only_whole_numbers_are_read() -> None:
    """`x < 1.5` was read as `x < 1`, which lacks a solution."""
    cp = pytest.importorskip("cpmpy")
    x, b = variables()
    for constraint in (
        x[0] < 1.5,
        b[0].implies(x[0] == 1.5),
        cp.sum([x[0], 0.5]) == 1,
        cp.AllDifferent([x[0], 1.5]),
        cp.Among(x, [1.5]) == 1,
        x[0] <= float("inf"),
    ):
        with pytest.raises(
            BadInput, match=r"CPMpy: (0\.5|1\.5|inf) stands where a .* whole number should be"
        ):
            rk.from_cpmpy(cp.Model([constraint]))
    assert rk.count(rk.from_cpmpy(cp.Model([x[0] < 2.0]))).total == 3
