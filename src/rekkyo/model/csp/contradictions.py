"""Reasons why a `Csp` has no solution that are found without a search.

They are seen in a single constraint, in two sums of the same variables, in equal values that must differ, and
in a circle of orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import chain, islice
from math import gcd, prod

from rekkyo.errors import in_short
from rekkyo.model.csp.constraints import (
    AT_MOST,
    EQUAL,
    AllDifferent,
    Clause,
    Linear,
    Product,
    Table,
    Variable,
)
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.problem import HIDDEN
from rekkyo.wording import several

MOST = 10
"""The most reasons that are told; a large model may have thousands."""

MOST_PRODUCTS = 10_000
"""A product of more partial products and divisors than this is not looked into."""


def contradictions(model: Csp) -> list[str]:
    """One sentence for each reason; empty when none is seen."""
    found = chain(_equal_values(model), _alone(model), _two_sums(model), _circle(model))
    return list(islice(dict.fromkeys(found), MOST))


def _equal_values(model: Csp) -> Iterator[str]:
    """Pairs of equal given values that must differ."""
    for constraint in model.constraints:
        if not isinstance(constraint, AllDifferent):
            continue
        first: dict[int, int] = {}
        for variable in constraint.variables:
            value, *others = model.domains[variable]
            if not others and value not in constraint.excepted:
                other = first.setdefault(value, variable)
                if other != variable:
                    yield f"{_listed(model, (other, variable), ' and ')} are both {value}, but must differ"


def _alone(model: Csp) -> Iterator[str]:
    """Constraints that hold for no values of their variables."""
    for constraint in model.constraints:
        if isinstance(constraint, Linear):
            yield from _sum_alone(model, constraint)
        elif isinstance(constraint, Product):
            yield from _product_alone(model, constraint)
        elif isinstance(constraint, AllDifferent) and not constraint.excepted:
            values = set().union(*(model.domains[variable] for variable in constraint.variables))
            if len(constraint.variables) > len(values):
                named = _listed(model, constraint.variables, " and ")
                yield f"{named} must differ, but have {several(len(values), 'value')}"
        elif isinstance(constraint, Clause) and not constraint.literals:
            yield "one of its conditions can never hold"
        elif isinstance(constraint, Table) and constraint.allowed:
            domains = [frozenset(model.domains[variable]) for variable in constraint.variables]
            if not any(all(map(frozenset.__contains__, domains, row)) for row in constraint.rows):
                yield f"no values of {_listed(model, constraint.variables, ' and ')} fit together"


def _sum_alone(model: Csp, sum_: Linear) -> Iterator[str]:
    terms = list(zip(sum_.coefficients, sum_.variables, strict=True))
    ends = [sorted((c * model.domains[v][0], c * model.domains[v][-1])) for c, v in terms]
    low, high = sum(end[0] for end in ends), sum(end[1] for end in ends)
    constant = sum_.constant
    if sum_.relation == EQUAL:
        fails, wanted = not low <= constant <= high, f"{constant}"
    elif sum_.relation == AT_MOST:
        fails, wanted = low > constant, f"at most {constant}"
    else:
        fails, wanted = low == constant == high, f"another number than {constant}"
    if fails:
        yield f"{_written(model, sum_)} {_from_to(low, high)}, but must be {wanted}"
    elif sum_.relation == EQUAL and _leaves_a_rest(model, terms, constant):
        yield f"{_written(model, sum_)} is never {constant}"


def _leaves_a_rest(model: Csp, terms: Sequence[tuple[int, Variable]], wanted: int) -> bool:
    """Whether all values of a sum differ from a number by no multiple of what divides their differences."""
    divisor = 0
    for coefficient, variable in terms:
        least, *greater = model.domains[variable]
        wanted -= coefficient * least
        for value in greater:
            divisor = gcd(divisor, coefficient * (value - least))
            if divisor == 1:
                return False
    return divisor > 0 and wanted % divisor > 0


def _product_alone(model: Csp, product: Product) -> Iterator[str]:
    domains = [model.domains[factor] for factor in product.factors]
    results = model.domains[product.result]
    low, high = prod(domain[0] for domain in domains), prod(domain[-1] for domain in domains)
    if all(domain[0] >= 0 for domain in domains) and (results[-1] < low or results[0] > high):
        wanted = f"{results[0]}" if len(results) == 1 else f"from {results[0]} to {results[-1]}"
        written = _listed(model, product.factors, " * ")
        yield f"{written} {_from_to(low, high)}, but must be {wanted}"
    elif len(results) == 1 and not _may_be_product(domains, results[0]):
        yield f"{_listed(model, product.factors, ' * ')} is never {results[0]}"


def _may_be_product(domains: Sequence[Sequence[int]], wanted: int) -> bool:
    """Whether a number is a product of a value of each domain; also true of 0, and if divisors are many."""
    if wanted == 0:
        return True
    partial = {1}
    for domain in domains:
        divisors = [value for value in domain if value and wanted % value == 0]
        if len(partial) * len(divisors) > MOST_PRODUCTS:
            return True
        partial = {a * b for a in partial for b in divisors if wanted % (a * b) == 0}
    return wanted in partial


def _two_sums(model: Csp) -> Iterator[str]:
    """Pairs of sums of the same variables with different results."""
    first: dict[tuple[tuple[int, int], ...], int] = {}
    for sum_ in model.constraints:
        if isinstance(sum_, Linear) and sum_.relation == EQUAL:
            terms = tuple(sorted(zip(sum_.variables, sum_.coefficients, strict=True)))
            other = first.setdefault(terms, sum_.constant)
            if other != sum_.constant:
                yield f"{_written(model, sum_)} must be both {other} and {sum_.constant}"


def _circle(model: Csp) -> Iterator[str]:
    """A circle of variables of which each must be less than the next."""
    less: dict[Variable, list[Variable]] = {}
    for order in model.constraints:
        if not (isinstance(order, Linear) and order.relation == AT_MOST and order.constant < 0):
            continue
        if sorted(order.coefficients) == [-1, 1]:
            lesser, greater = (order.variables[order.coefficients.index(sign)] for sign in (1, -1))
            less.setdefault(greater, []).append(lesser)
    try:
        TopologicalSorter(less).prepare()
    except CycleError as circle:
        yield f"{_listed(model, circle.args[1], ' < ')} is a circle"


def _written(model: Csp, sum_: Linear) -> str:
    """A sum, such as a + b - 2*c."""
    if any(model.names[variable].startswith(HIDDEN) for variable in sum_.variables):
        return f"a sum of {several(len(sum_.variables), 'number')}"
    if set(sum_.coefficients) == {1}:
        return _listed(model, sum_.variables, " + ")
    terms = zip(sum_.coefficients, sum_.variables, strict=True)
    parts = (
        f"{'-' if c < 0 else '+'} {f'{abs(c)}*' * (abs(c) != 1)}{model.names[variable]}"
        for c, variable in islice(terms, 10)
    )
    return in_short(" ".join(parts).removeprefix("+ ") or "0", 60)


def _listed(model: Csp, variables: Sequence[Variable], joined_by: str) -> str:
    return in_short(joined_by.join(_called(model, variable) for variable in variables[:10]), 60)


def _called(model: Csp, variable: Variable) -> str:
    """Its name. A hidden variable has none that the user knows; readers make hidden variables of numbers."""
    name, (value, *others) = model.names[variable], model.domains[variable]
    return name if not name.startswith(HIDDEN) else "a hidden value" if others else str(value)


def _from_to(low: int, high: int) -> str:
    return f"is {low}" if low == high else f"is from {low} to {high}"
