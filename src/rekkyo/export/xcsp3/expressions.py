"""Expressions as constraints: linear parts as sums, all others by hidden variables or tables.

An expression whose variables have few values together becomes a table. A truth value is 0 or 1. Division
rounds towards zero, and the remainder has the sign of the dividend. A constraint with an undefined value,
such as a division by zero, does not hold. Below "or", "not" and the like readers disagree about an undefined
value, so it is refused there.
Source: Boussemart, Lecoutre, Audemard and Piette, XCSP3-core specifications, section "intension".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import pairwise, product
from math import prod
from typing import TypeAlias

from rekkyo.errors import in_short
from rekkyo.export.flatzinc.building import FALSE, TRUE, Building, Statement
from rekkyo.export.flatzinc.domains import Atom, IntSet, Unknown
from rekkyo.export.flatzinc.global_constraints import post
from rekkyo.export.xcsp3 import operators
from rekkyo.export.xcsp3.words import Call, Condition, Node
from rekkyo.model.csp.constraints import Product
from rekkyo.model.csp.csp import MAX_SPAN, MAX_VALUES
from rekkyo.wording import several

Sum: TypeAlias = tuple[list[int], list[Atom], int]
"""Coefficients, atoms, and a constant to add."""

MAX_TABLE = 1 << 10
"""The most combinations of values for which an expression becomes a table."""

MAX_ALL_TABLES = 1 << 21
"""The most rows of all these tables; after that, hidden variables are used."""

PART = "a part of it"


class Expressions:
    """Adds constraints over expressions to a building."""

    def __init__(self, building: Building) -> None:
        self.building = building
        self._atoms: dict[Call, Atom] = {}
        self._sums: dict[object, Atom] = {}
        self._products: dict[frozenset[Atom], Atom] = {}
        self._n_values = 0
        self._rows_left = MAX_ALL_TABLES

    def variables(self, names: Sequence[str], values: Sequence[int]) -> list[Unknown]:
        """New variables with one domain. values: at least one."""
        self._count_values(len(names) * len(values))
        return [Unknown(number) for number in self.building.problem.variables(names, values)]

    def _count_values(self, n_values: int) -> None:
        self._n_values += n_values
        if self._n_values > MAX_VALUES:
            self.building.refuse(f"more than the {MAX_VALUES} values in domains that rekkyo takes on")

    def hidden(self, values: Iterable[int]) -> Unknown:
        """A hidden variable, which must follow from the others. Without values nothing holds."""
        found = sorted(set(values))
        if not found:
            self.building.state(False)
        else:
            self.building.check_span(PART, found[0], found[-1])
        self._count_values(len(found))
        return self.building.hidden(found or (0,))

    def ends(self, terms: Sum) -> tuple[int, int]:
        """The least and the greatest value of a sum."""
        coefficients, atoms, low = terms
        high = low
        for coefficient, atom in zip(coefficients, atoms, strict=True):
            values = self.building.values(atom)
            one, other = coefficient * values[0], coefficient * values[-1]
            low, high = low + min(one, other), high + max(one, other)
        return low, high

    def check(self, node: Node, *, is_root: bool = False, may_fail: bool = True) -> None:
        """Refuse operators, numbers of arguments and undefined values that are not read.

        is_root: whether it must be true; may_fail: whether an undefined value makes the constraint false.
        """
        if not isinstance(node, Call):
            if isinstance(node, range | frozenset):
                self.building.refuse("a set stands where a number should be")
            return
        name, arguments = node.name, node.arguments
        if name not in operators.OPERATORS:
            self.building.refuse(f"there is no operator {in_short(name)} here")
        least, most, _ = operators.OPERATORS[name]
        if len(arguments) < least or (most is not None and len(arguments) > most):
            self.building.refuse(f"{name} has {several(len(arguments), 'argument')}")
        if name in operators.MEMBERSHIPS:
            if not isinstance(arguments[1], range | frozenset):
                self.building.refuse(f"{name} has no set of numbers")
            arguments = arguments[:1]
        if name in ("div", "mod") and not may_fail and self._may_be_0(arguments[1]):
            self.building.refuse(f"{name} may divide by 0 below an operator of logic, where readers disagree")
        if name in operators.LOGIC or name == "if":
            self._check_truths(name, arguments if name in operators.LOGIC else arguments[:1])
        keeps = name == "and" or name not in operators.LOGIC if is_root else name not in operators.TRUTHS
        for part in arguments:
            self.check(part, is_root=is_root and name == "and", may_fail=may_fail and keeps and name != "if")

    def _may_be_0(self, node: Node) -> bool:
        return not isinstance(node, int | Unknown) or 0 in self.building.values(node)

    def _check_truths(self, name: str, nodes: Iterable[Node]) -> None:
        for node in nodes:
            if isinstance(node, int | Unknown):
                is_truth = {FALSE, TRUE}.issuperset(self.building.values(node))
            elif isinstance(node, Call) and node.name == "if":
                self._check_truths(name, node.arguments[1:])
                continue
            else:
                is_truth = isinstance(node, Call) and node.name in operators.TRUTHS
            if not is_truth:
                self.building.refuse(f"{name} has an argument other than a truth value, 0 or 1")

    def post(self, node: Node) -> None:
        """The expression is true."""
        self.check(node, is_root=True)
        self._check_truths("the constraint", (node,))
        self._post(node)

    def _post(self, node: Node) -> None:
        if isinstance(node, Call) and node.name == "and":
            for part in node.arguments:
                self._post(part)
        elif not (self._post_table(node) or self._post_result(node)):
            self.building.state(self.statement(node))

    def _post_table(self, node: Node) -> bool:
        """Post a table of the variables, if it is small and the expression is not linear."""
        if not isinstance(node, Call) or operators.is_simple(node):
            return False
        unknowns: dict[int, None] = {}
        operators.collect(node, unknowns)
        domains = [self.building.problem.domain(v) for v in unknowns]
        n_rows = prod(map(len, domains))
        if not 0 < len(unknowns) <= 3 or n_rows > min(MAX_TABLE, self._rows_left // node.size):
            return False
        self._rows_left -= n_rows * node.size
        rows = [row for row in product(*domains) if self._value(node, dict(zip(unknowns, row, strict=True)))]
        self.building.state(self.building.table([Unknown(v) for v in unknowns], rows))
        return True

    def _value(self, node: Node, values: Mapping[int, int]) -> int | None:
        """The value for these values of variables; None if it is undefined."""
        if isinstance(node, Unknown):
            return values[node.number]
        if isinstance(node, int):
            return node
        assert isinstance(node, Call)
        found: list[int | IntSet] = []
        for part in node.arguments:
            value = part if isinstance(part, range | frozenset) else self._value(part, values)
            if value is None:
                return None
            found.append(value)
        return self._applied(node.name, found)

    def _applied(self, name: str, values: Sequence[int | IntSet]) -> int | None:
        if name == "pow" and values[1] not in range(operators.MAX_EXPONENT + 1):
            self.building.refuse(
                f"pow has the exponent {values[1]}; exponents from 0 to {operators.MAX_EXPONENT} are read"
            )
        found = operators.OPERATORS[name][2](*values)
        if name in operators.GROWING and found is not None and found.bit_length() > operators.MAX_BITS:
            self.building.refuse(
                f"{name} has a value of more than {operators.MAX_BITS} bits; nest fewer powers, or take"
                " smaller domains"
            )
        return found

    def _post_result(self, node: Node) -> bool:
        """Post that a function has the value of an atom, if the expression has this form."""
        if not isinstance(node, Call) or node.name != "eq" or len(node.arguments) != 2:
            return False
        for call, result in (node.arguments, node.arguments[::-1]):
            if isinstance(result, int | Unknown) and isinstance(call, Call) and operators.is_function(call):
                self._define(call, result)
                return True
        return False

    def statement(self, node: Node) -> Statement:
        """A checked expression of truth values."""
        if not isinstance(node, Call) or node.name not in operators.TRUTHS:
            return self.building.clause((self.atom(node),))
        name, arguments = node.name, node.arguments
        if name in operators.MEMBERSHIPS:
            return self.member(self.atom(arguments[0]), arguments[1], is_in=name == "in")
        if name in operators.RELATIONS or name == "iff":
            name = "eq" if name == "iff" else name
            sums = [*map(self.sum, arguments)]
            found = [self.compared(name, one, other) for one, other in pairwise(sums)]
            return found[0] if len(found) == 1 else self._clause_of("and", [*map(self.building.truth, found)])
        inner = arguments[0]
        if (
            name == "not"
            and isinstance(inner, Call)
            and inner.name in operators.OPPOSITES
            and len(inner.arguments) == 2
        ):
            return self.statement(Call(operators.OPPOSITES[inner.name], inner.arguments))
        return self._clause_of(name, [self.atom(part) for part in arguments])

    def _clause_of(self, name: str, truths: Sequence[Atom]) -> Statement:
        """An operator of logic, applied to truth values."""
        positive, negative = truths, truths[:0]
        if name == "not":
            positive, negative = negative, positive
        elif name == "imp":
            positive, negative = truths[1:], truths[:1]
        elif name == "and":
            positive = [self.all_true(truths)]
        elif name == "xor":
            odd = self.hidden((FALSE, TRUE))
            post(self.building, "array_bool_xor", (*truths, odd, TRUE))
            positive = [odd]
        return self.building.clause(positive, negative)

    def all_true(self, truths: Sequence[Atom]) -> Atom:
        """1 if all are 1, else 0."""
        truth = self.hidden((FALSE, TRUE))
        post(self.building, "array_bool_and", tuple(truths), truth)
        return truth

    def compared(self, relation: str, left: Sum, right: Sum) -> Statement:
        """Two sums are in a relation such as "le"."""
        sign, kind, less_by = operators.RELATIONS[relation]
        coefficients = [*(sign * c for c in left[0]), *(-sign * c for c in right[0])]
        constant = sign * (right[2] - left[2]) - less_by
        return self.building.linear(coefficients, [*left[1], *right[1]], kind, constant)

    def member(self, atom: Atom, values: Node, *, is_in: bool) -> Statement:
        """The value of an atom is in a set, or not."""
        if not isinstance(values, range | frozenset):
            self.building.refuse("in and notin need a set of numbers")
        rows = [(value,) for value in self.building.values(atom) if (value in values) == is_in]
        return self.building.table((atom,), rows)

    def sum(self, node: Node) -> Sum:
        """A checked expression as a sum."""
        if isinstance(node, int):
            return [], [], node
        if isinstance(node, Call) and node.name in operators.LINEAR:
            signs = (
                [-1] if node.name == "neg" else [1, -1] if node.name == "sub" else [1] * len(node.arguments)
            )
            return self.weighted(signs, map(self.sum, node.arguments))
        if isinstance(node, Call) and node.name == "mul":
            factors = [self.sum(part) for part in node.arguments]
            open_factors = [factor for factor in factors if factor[0]]
            if len(open_factors) <= 1:
                scale = prod(factor[2] for factor in factors if not factor[0])
                return self.weighted([scale], open_factors or [([], [], 1)])
            if self._is_wide(factors):
                return reduce(self._multiplied_out, factors)
        return [1], [self.atom(node)], 0

    def _is_wide(self, factors: Sequence[Sum]) -> bool:
        """Whether a product of sums has more values than a variable may have."""
        low = high = 1
        for factor in factors:
            ends = [one * other for one, other in product((low, high), self.ends(factor))]
            low, high = min(ends), max(ends)
        return high - low >= MAX_SPAN and any(len(atoms) > 1 for _, atoms, _ in factors)

    def _multiplied_out(self, one: Sum, other: Sum) -> Sum:
        """The product of two sums as a sum of products of two atoms."""
        (ones, lefts, more), (others, rights, further) = one, other
        products: list[Sum] = []
        for left, right in product(lefts, rights):
            pair = frozenset((left, right))
            if pair not in self._products:
                self._products[pair] = self._product((left, right), None)
            products.append(plain(self._products[pair]))
        weights = [a * b for a, b in product(ones, others)]
        return self.weighted(
            [*weights, further, more, 1],
            [*products, (ones, lefts, 0), (others, rights, 0), ([], [], more * further)],
        )

    def weighted(self, coefficients: Sequence[int], sums: Iterable[Sum]) -> Sum:
        """A weighted sum of sums."""
        weights: dict[Atom, int] = {}
        constant = 0
        for scale, (inner, atoms, more) in zip(coefficients, sums, strict=True):
            constant += scale * more
            for coefficient, atom in zip(inner, atoms, strict=True):
                value = self.building.fixed(atom)
                if value is not None:
                    constant += scale * coefficient * value
                else:
                    weights[atom] = weights.get(atom, 0) + scale * coefficient
        weights = {atom: weight for atom, weight in weights.items() if weight}
        return [*weights.values()], [*weights], constant

    def atom_of_sum(self, terms: Sum) -> Atom:
        """A number or variable that is equal to a sum."""
        coefficients, atoms, constant = terms
        if not atoms:
            return constant
        if coefficients == [1] and constant == 0:
            return atoms[0]
        key = (frozenset(zip(coefficients, atoms, strict=True)), constant)
        if key not in self._sums:
            low, high = self.ends(terms)
            self.building.check_span(PART, low, high)
            whole = self.hidden(range(low, high + 1))
            self.building.state(self.compared("eq", terms, ([1], [whole], 0)))
            self._sums[key] = whole
        return self._sums[key]

    def atom(self, node: Node) -> Atom:
        """A number or variable that is equal to a checked expression."""
        if isinstance(node, int | Unknown):
            return node
        if not isinstance(node, Call):
            self.building.refuse("a set stands where a number should be")
        if node not in self._atoms:
            self._atoms[node] = self._new_atom(node)
        return self._atoms[node]

    def _new_atom(self, node: Call) -> Atom:
        if node.name in operators.TRUTHS:
            return self.building.truth(self.statement(node))
        if not operators.is_function(node):
            return self.atom_of_sum(self.sum(node))
        return self._define(node, None)

    def _define(self, node: Call, result: Atom | None) -> Atom:
        """State that a function has the value `result`, or that of a new hidden variable."""
        name, building = node.name, self.building
        atoms = [self.atom(part) for part in node.arguments]
        if name in ("min", "max"):
            result = self.hidden(self.extremes(name, atoms)) if result is None else result
            post(self.building, f"array_int_{name}imum", result, tuple(atoms))
        elif name == "mul":
            result = self._product(atoms, result)
        else:
            domains = [building.values(atom) for atom in atoms]
            building.check_rows(prod(map(len, domains)))
            valued = ((row, self._applied(name, row)) for row in product(*domains))
            rows = [(*row, found) for row, found in valued if found is not None]
            result = self.hidden(row[-1] for row in rows) if result is None else result
            building.state(building.table((*atoms, result), rows))
        return result

    def extremes(self, name: str, atoms: Sequence[Atom]) -> list[int]:
        """All possible values of the least ("min") or greatest ("max") atom, increasing."""
        domains = [self.building.values(atom) for atom in atoms]
        choose = min if name == "min" else max
        low, high = (choose(domain[end] for domain in domains) for end in (0, -1))
        return sorted({value for domain in domains for value in domain if low <= value <= high})

    def _product(self, atoms: Sequence[Atom], result: Atom | None) -> Atom:
        building = self.building
        *first, last = atoms
        left = last if not first else first[0] if len(first) == 1 else self._product(first, None)
        if not first:
            return last
        domains = [building.values(left), building.values(last)]
        building.check_rows(prod(map(len, domains)))
        if result is None:
            result = self.hidden(a * b for a in domains[0] for b in domains[1])
        factors = building.variables((left, last))
        building.add(Product(factors, building.variable(result)))
        return result

    def holds(self, terms: Sum, condition: Condition) -> None:
        """State a condition for a sum."""
        name, right = condition.operator, condition.right
        if name in operators.RELATIONS:
            self.building.state(self.compared(name, terms, self.checked_sum(right)))
        elif name == "in" and isinstance(right, range):
            for relation, end in (("ge", right.start), ("le", right.stop - 1)):
                self.building.state(self.compared(relation, terms, ([], [], end)))
        elif name in operators.MEMBERSHIPS:
            self.building.state(self.member(self.atom_of_sum(terms), right, is_in=name == "in"))
        else:
            self.building.refuse(f"there is no operator {in_short(name)} of conditions")

    def target(self, condition: Condition, values: Iterable[int]) -> Atom:
        """An atom for which the condition holds, to be set equal to a function with these values."""
        name, right = condition.operator, condition.right
        if name == "eq" and not isinstance(right, range | frozenset):
            return self.checked_atom(right)
        if name in operators.OPPOSITES and not isinstance(right, Call | Unknown):
            return self.hidden(value for value in values if operators.OPERATORS[name][2](value, right))
        result = self.hidden(values)
        self.holds(([1], [result], 0), condition)
        return result

    def checked_sum(self, node: Node) -> Sum:
        """As `sum`, of an expression that was not checked."""
        self.check(node)
        return self.sum(node)

    def checked_atom(self, node: Node) -> Atom:
        """As `atom`, of an expression that was not checked."""
        self.check(node)
        return self.atom(node)


def plain(atom: Atom) -> Sum:
    """An atom as a sum."""
    return [1], [atom], 0
