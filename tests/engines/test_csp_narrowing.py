"""Rules of patterns and `Once` that narrow domains, against all rows of values."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from hypothesis import given

from rekkyo.engines.csp.frontier.narrowing import Narrowing
from rekkyo.engines.csp.frontier.rules import Literal, Once, Pattern
from tests import made_once as st

N_VARIABLES, N_VALUES = 4, 3

LITERALS = st.tuples(
    st.integers(0, N_VARIABLES - 1), st.frozensets(st.integers(0, N_VALUES - 1), max_size=N_VALUES)
)
SOME = st.lists(LITERALS, max_size=4)


def satisfying(
    domains: Iterable[Iterable[int]],
    patterns: Iterable[Iterable[Literal]],
    onces: Iterable[tuple[Iterable[Literal], bool]],
) -> set[tuple[int, ...]]:
    """The rows in which no pattern has all its literals, and at most, or just, one literal of each `Once`."""
    patterns, onces = [list(some) for some in patterns], [(list(some), must) for some, must in onces]
    rows = set()
    for row in product(*domains):
        excluded = any(all(row[v] in values for v, values in pattern) for pattern in patterns)
        times = [(sum(row[v] in values for v, values in literals), must) for literals, must in onces]
        if not excluded and all(n <= 1 and (n == 1 or not must) for n, must in times):
            rows.add(row)
    return rows


@given(patterns=st.lists(SOME, max_size=4), onces=st.lists(st.tuples(SOME, st.booleans()), max_size=4))
def test_the_same_rows_are_left(patterns: list[Pattern], onces: list[tuple[list[Literal], bool]]) -> None:
    """Literals about one variable may repeat; no literals at all never hold one of them, and always hold all."""
    narrowing = Narrowing({v: range(N_VALUES) for v in range(N_VARIABLES)})
    for pattern in patterns:
        narrowing.exclude(pattern)
    for literals, must in onces:
        narrowing.once(literals, must=must)
    narrowing.narrow()
    expected = satisfying([range(N_VALUES)] * N_VARIABLES, patterns, onces)
    if narrowing.is_hopeless:
        assert not expected
        return
    left_patterns, left_onces = narrowing.renumbered({v: v for v in range(N_VARIABLES)})
    domains = [narrowing.domains[v] for v in range(N_VARIABLES)]
    assert satisfying(domains, left_patterns, left_onces) == expected
    assert all(len(pattern) > 1 for pattern in left_patterns)
    assert all(len(once.literals) > 1 for once in left_onces)
    for v, values in [one for some in left_patterns for one in some]:
        assert values
        assert values < domains[v]


def test_what_must_hold_once_is_passed_on() -> None:
    """Three cells that differ: the first has 0 or 1, the second is not 2. So the third is 2, and nothing is left."""
    narrowing = Narrowing({v: range(3) for v in range(3)})
    narrowing.exclude([(0, frozenset({2}))])
    narrowing.exclude([(1, frozenset({2}))])
    for value in range(3):
        narrowing.once([(v, frozenset({value})) for v in range(3)], must=True)
    narrowing.narrow()
    assert narrowing.domains == {0: {0, 1}, 1: {0, 1}, 2: {2}}
    pairs = [Once(((0, frozenset({value})), (1, frozenset({value}))), must=True) for value in range(2)]
    patterns, onces = narrowing.renumbered({0: 0, 1: 1, 2: 2})
    assert not patterns
    assert [(frozenset(once.literals), once.must) for once in onces] == [
        (frozenset(pair.literals), True) for pair in pairs
    ]


def test_one_that_must_hold_stays_so_where_another_rule_says_less_of_the_same() -> None:
    """Both rules are about variables 0 and 1 once variable 2 cannot be 0."""
    zero = frozenset({0})
    narrowing = Narrowing({v: range(2) for v in range(3)})
    narrowing.exclude([(2, zero)])
    narrowing.once([(v, zero) for v in (0, 1)], must=True)
    narrowing.once([(v, zero) for v in (0, 1, 2)], must=False)
    narrowing.narrow()
    [once] = narrowing.renumbered({0: 0, 1: 1, 2: 2})[1]
    assert once.must
