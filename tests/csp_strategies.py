"""Random constraint satisfaction problems for Hypothesis, with constraints of every kind that `tests.naive_csp` knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from hypothesis import strategies as st

from rekkyo.model.csp.constraints import (
    AllDifferent,
    Areas,
    Circuit,
    Clause,
    Connected,
    Constraint,
    Count,
    Diagram,
    Element,
    GlobalCardinality,
    Inverse,
    LexLess,
    Linear,
    Product,
    Regular,
    Reified,
    Table,
)
from rekkyo.model.csp.csp import Csp, Objective
from tests.dice import SEEDS, several, sizes_between
from tests.naive_csp import KINDS, Row


def models(kinds: Sequence[type] = KINDS, max_variables: int = 5) -> st.SearchStrategy[Csp]:
    """A small problem: few variables and values, with constraints of some kinds.

    Now and then variables are hidden, or there is an objective. A constraint may name a variable twice.
    """
    sizes = sizes_between(1, max_variables), st.integers(0, 4)
    return st.tuples(SEEDS, *sizes).map(lambda drawn: _model(Random(drawn[0]), *drawn[1:], kinds))


def linked_models() -> st.SearchStrategy[Csp]:
    """Hidden variables that follow from others, as flattening makes them, under constraints that ask for all.

    Copies, shifts, literals of one value or a few, equal or not, products of 0 and 1, sums of three.
    """
    sizes = sizes_between(1, 3), sizes_between(1, 4), sizes_between(1, 4)
    return st.tuples(SEEDS, *sizes).map(lambda drawn: _linked_model(Random(drawn[0]), *drawn[1:]))


def _model(dice: Random, n: int, n_constraints: int, kinds: Sequence[type]) -> Csp:
    domains = tuple(_values(dice, 4) for _ in range(n))
    shown = _shown(dice, n) if dice.random() < 0.5 else ()
    objective = Objective(dice.randrange(n), dice.random() < 0.5) if dice.random() < 0.25 else None
    constraints = tuple(constraint_of(dice, dice.choice(list(kinds)), n) for _ in range(n_constraints))
    return Csp(tuple(f"v{number}" for number in range(n)), domains, constraints, shown, objective)


def _linked_model(dice: Random, n_shown: int, n_links: int, n_constraints: int) -> Csp:
    domains = [dice.choice([(0, 1), (0, 1, 2), (1, 2, 3, 4), (-1, 1), (62, 63, 64)]) for _ in range(n_shown)]
    constraints: list[Constraint] = []
    for v in range(n_shown, n_shown + n_links):
        one, other = dice.randrange(v), dice.randrange(v)
        sign, number = dice.choice([-1, 1]), dice.randint(-1, 3)
        relation = dice.choice(["=", "!=", "<="])
        kind = dice.randint(0, 4)
        domains.append((0, 1))
        if kind == 0:
            number = dice.choice([0, 0, number])
            domains[v] = tuple({x + number for x in domains[one]} | {_value(dice)})
            constraints.append(Linear((sign, -sign), (v, one), "=", sign * number))
        elif kind == 1:
            constraints.append(Reified(Linear((sign,), (one,), relation, sign * number), v))
        elif kind == 2:
            difference = dice.choice([0, _value(dice)])
            constraints.append(Reified(Linear((1, -1), (one, other), relation, difference), v))
        elif kind == 3:
            constraints.append(Product((one, other), v))
        else:
            domains[v] = tuple(range(-3, 5))
            constraints.append(Linear((1, sign, dice.choice([-1, 1])), (v, one, other), "=", number))
        domains[v] = tuple(sorted(set(domains[v])))
    n = len(domains)
    kinds = [Clause, Clause, AllDifferent, Linear, Table, Reified]
    constraints += [constraint_of(dice, dice.choice(kinds), n) for _ in range(n_constraints)]
    dice.shuffle(constraints)
    names = tuple(f"v{number}" for number in range(n))
    return Csp(names, tuple(domains), tuple(constraints), tuple(range(n_shown)))


def constraint_of(dice: Random, kind: type, n: int) -> Constraint:
    """A constraint of a kind between variables 0 … n - 1."""
    made: Constraint = MAKERS[kind](dice, n)
    return made


def _value(dice: Random) -> int:
    return dice.randint(-2, 4)


def _values(dice: Random, most: int) -> Row:
    """Different values, in order."""
    return tuple(sorted(set(several(dice, 1, most, lambda: _value(dice)))))


def _shown(dice: Random, n: int) -> Row:
    return tuple(dice.sample(range(n), dice.randint(1, n)))


def _some(dice: Random, n: int, most: int = 99) -> Row:
    """Some variables, mostly different."""
    if dice.random() < 0.875:
        return tuple(dice.sample(range(n), dice.randint(1, min(n, most))))
    return several(dice, 1, min(4, most), lambda: dice.randrange(n))


def _words(dice: Random, n: int) -> tuple[Row, Row]:
    n_letters = dice.randint(1, 3)
    one, other = (tuple(dice.randrange(n) for _ in range(n_letters)) for _ in range(2))
    return one, other


def _table(dice: Random, n: int) -> Table:
    variables = _some(dice, n, 3)
    rows = several(dice, 0, dice.choice([3, 12, 40]), lambda: tuple(_value(dice) for _ in variables))
    return Table(variables, rows, dice.random() < 0.5)


def _linear(dice: Random, n: int) -> Linear:
    variables = _some(dice, n)
    coefficients = tuple(dice.randint(-3, 3) for _ in variables)
    return Linear(coefficients, variables, dice.choice(["=", "!=", "<="]), _value(dice))


def _bounded(dice: Random, most: int) -> tuple[tuple[int, int, int], ...]:
    """Values, each with its bounds, the lower of which is at most `most`."""
    lows = {value: dice.randint(0, most) for value in _values(dice, 3)}
    return tuple((value, low, low + dice.randint(0, 2)) for value, low in lows.items())


def _regular(dice: Random, n: int) -> Regular:
    n_states = dice.randint(1, 3)
    moves = several(dice, 0, 20, lambda: (dice.randrange(n_states), _value(dice), dice.randrange(n_states)))
    ends = dice.sample(range(n_states), dice.randint(1, n_states))
    return Regular(_some(dice, n), n_states, moves, tuple(ends))


def _diagram(dice: Random, n: int) -> Diagram:
    variables = _some(dice, n, 3)

    def edge() -> tuple[int, int, int]:
        return dice.randint(0, 2), _value(dice), dice.randint(0, 2)

    return Diagram(variables, tuple(several(dice, 0, 15, edge) for _ in variables))


def _graph(dice: Random, n: int) -> tuple[Row, tuple[tuple[int, int], ...]]:
    """Some variables, and edges between their places."""
    variables = _some(dice, n)
    places = range(len(variables))
    return variables, several(dice, 0, 6, lambda: (dice.choice(places), dice.choice(places)))


def _reified(dice: Random, n: int) -> Reified:
    inner: Any = constraint_of(dice, dice.choice([Linear, Table, AllDifferent, Clause]), n)
    return Reified(inner, dice.randrange(n))


def _first(dice: Random) -> int:
    return dice.randint(-1, 1)


def _all_different(dice: Random, n: int) -> AllDifferent:
    return AllDifferent(_some(dice, n), _values(dice, 3) if dice.random() < 0.5 else ())


def _count(dice: Random, n: int) -> Count:
    return Count(_some(dice, n), several(dice, 0, 4, lambda: _value(dice)), dice.randrange(n))


def _clause(dice: Random, n: int) -> Clause:
    return Clause(several(dice, 0, 4, lambda: (dice.randrange(n), _value(dice), dice.random() < 0.5)))


MAKERS: dict[type, Callable[[Random, int], Any]] = {
    Table: _table,
    AllDifferent: _all_different,
    Linear: _linear,
    Count: _count,
    GlobalCardinality: lambda dice, n: GlobalCardinality(_some(dice, n), _bounded(dice, 2)),
    Regular: _regular,
    Diagram: _diagram,
    Element: lambda dice, n: Element(dice.randrange(n), _some(dice, n), dice.randrange(n), _first(dice)),
    Inverse: lambda dice, n: Inverse(*_words(dice, n), first=_first(dice)),
    LexLess: lambda dice, n: LexLess(*_words(dice, n), strict=dice.random() < 0.5),
    Product: lambda dice, n: Product(_some(dice, n, 3), dice.randrange(n)),
    Circuit: lambda dice, n: Circuit(_some(dice, n), _first(dice), dice.random() < 0.5),
    Connected: lambda dice, n: Connected(*_graph(dice, n), _values(dice, 3)),
    Areas: lambda dice, n: Areas(*_graph(dice, n), _bounded(dice, 3)),
    Clause: _clause,
    Reified: _reified,
}
