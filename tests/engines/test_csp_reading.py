"""How many steps the tables of a sum take, against sums that are added up."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rekkyo.engines.csp.frontier.readers import MOST_STATES
from rekkyo.engines.csp.frontier.reading import expected_steps
from rekkyo.model.csp.constraints import Linear

SMALL = st.integers(-4, 4)


def holds(total: int, relation: str, constant: int) -> bool:
    return {"=": total == constant, "<=": total <= constant, "!=": total != constant}[relation]


@given(
    terms=st.lists(
        st.tuples(SMALL.filter(bool), st.sets(SMALL, min_size=1, max_size=4)), min_size=1, max_size=5
    ),
    relation=st.sampled_from(["=", "<=", "!="]),
    constant=st.integers(-20, 20),
)
def test_no_fewer_steps_than_there_are(
    terms: list[tuple[int, set[int]]], relation: str, constant: int
) -> None:
    """A step is a value in a partial sum that some values of the rest complete."""
    domains = [tuple(sorted(values)) for _, values in terms]
    coefficients = tuple(coefficient for coefficient, _ in terms)
    added = [[factor * x for x in domain] for factor, domain in zip(coefficients, domains, strict=True)]
    rests = [{0}]
    for each in reversed(added):
        rests.append({rest + x for rest in rests[-1] for x in each})
    sums, n_steps = {0}, 0
    for each, later in zip(added, reversed(rests[:-1]), strict=True):
        n_steps += len(sums) * len(each)
        reached = {total + x for total in sums for x in each}
        sums = {total for total in reached if any(holds(total + r, relation, constant) for r in later)}
    found = expected_steps(Linear(coefficients, tuple(range(len(terms))), relation, constant), domains)
    assert n_steps <= found <= sum(len(each) * 4**place for place, each in enumerate(added))


def test_some_sums() -> None:
    ones = Linear((1,) * 10, tuple(range(10)), "=", 5)
    assert expected_steps(ones, [(0, 1)] * 10) == 2 * (1 + 2 + 3 + 4 + 5 + 6 + 5 + 4 + 3 + 2)
    digits = Linear(tuple(10**place for place in range(6)), tuple(range(6)), "<=", 10**6)
    steps = 10 * (1 + 10 + 100 + 1000 + 10_000 + MOST_STATES)
    assert expected_steps(digits, [tuple(range(10))] * 6) == steps
