"""Turn the constraints of a `Csp` into the few kinds that the kernel propagates.

What needs a memory, such as an automaton, gets hidden variables for it: the state after each letter, or the
product so far. A chain of tables over such variables loses nothing by propagation, because it has no cycle
(Quimper and Walsh, Global grammar constraints, CP 2006). Hidden variables come after all variables of the
model, and which values they can have follows from the model's variables, so they make no solution twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, singledispatchmethod
from itertools import combinations, product
from math import prod

from rekkyo.engines.csp.propagating.parts import (
    Added,
    Counted,
    Cycle,
    Different,
    Entry,
    Inverses,
    Part,
    Permutation,
    Rows,
    Same,
    Together,
    Weighted,
)
from rekkyo.engines.csp.propagating.simplifying import Simplified
from rekkyo.errors import EngineRefuses
from rekkyo.model.csp.constraints import (
    AT_MOST,
    EQUAL,
    NOT_EQUAL,
    AllDifferent,
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
    Literal,
    Product,
    Regular,
    Reified,
    Table,
    Variable,
)
from rekkyo.model.csp.csp import MAX_SPAN, Csp
from rekkyo.model.csp.definition import holds

MOST_ROWS = 1 << 20
"""Rows of a table that is made here."""

ROWS_OF_SUM = 1 << 10
"""Combinations of values up to which an equation of three variables at most is a table.

Such a table leaves only values that some solution of the equation has; bounds leave more.
"""

WORD_VALUES = 64

Edge = tuple[int, int, int]


class Rewriting:
    """The variables and parts of a model. domains: values that are possible, which may become fewer here."""

    def __init__(self, model: Csp) -> None:
        simplified = Simplified(model)
        self.domains = simplified.domains
        self.shifted = simplified.shifted
        self.parts: list[Part] = []
        for constraint in simplified.constraints:
            self.rewrite(constraint)
        self.settle()

    def settle(self) -> None:
        """What asks for the domains as all constraints leave them."""
        inverses = [part for part in self.parts if isinstance(part, Inverses)]
        while sum(self._settle_inverses(part) for part in inverses):
            pass
        for part in tuple(self.parts):
            if isinstance(part, Different) and not part.excepted and not any(part.shifts):
                values = set[int]().union(*(self.domains[v] for v in part.variables))
                if len(values) <= len(part.variables):
                    self.parts.append(Permutation(part.variables))

    def _settle_inverses(self, part: Inverses) -> bool:
        """Take away what the other side cannot have; whether there was anything."""
        is_changed = False
        for ones, others in ((part.f, part.g), (part.g, part.f)):
            for i, v in enumerate(ones, part.first):
                kept = {j for j in self.domains[v] if i in self.domains[others[j - part.first]]}
                is_changed = is_changed or kept != self.domains[v]
                self.domains[v] = kept
        return is_changed

    def hidden(self, values: Iterable[int]) -> Variable:
        """A new variable."""
        self.domains.append(set(values))
        return len(self.domains) - 1

    def keep(self, variable: Variable, values: Iterable[int]) -> None:
        """Leave only these values to a variable."""
        self.domains[variable] &= set(values)

    @singledispatchmethod
    def rewrite(self, constraint: Constraint) -> None:
        """Add the parts that say the same as a constraint."""
        raise TypeError(f"no rewriting is written for {type(constraint).__name__}")

    @rewrite.register
    def _clause(self, constraint: Clause) -> None:
        self.parts.append(Clause(tuple(dict.fromkeys(constraint.literals))))

    @rewrite.register
    def _table(self, constraint: Table) -> None:
        if constraint.allowed:
            self.rows(constraint.variables, constraint.rows)
            return
        domains = [self.domains[v] for v in constraint.variables]
        if prod(map(len, domains)) <= ROWS_OF_SUM:
            forbidden = set(constraint.rows)
            self.rows(constraint.variables, (row for row in product(*domains) if row not in forbidden))
            return
        for row in set(constraint.rows):
            self._clause(Clause(tuple((v, x, False) for v, x in zip(constraint.variables, row, strict=True))))

    def rows(self, variables: Sequence[Variable], rows: Iterable[Sequence[int]]) -> None:
        """A table whose variables may repeat and whose rows may hold any values."""
        different = tuple(dict.fromkeys(variables))
        places = [variables.index(v) for v in different]
        domains = [self.domains[v] for v in variables]
        first_place = [variables.index(v) for v in variables]
        kept = {
            tuple(row[place] for place in places)
            for row in rows
            if all(x in domain for x, domain in zip(row, domains, strict=True))
            and all(row[place] == row[at] for at, place in enumerate(first_place))
        }
        for place, v in enumerate(different):
            self.keep(v, {row[place] for row in kept})
        if len(different) > 1:
            self.parts.append(Rows(different, tuple(sorted(kept))))

    @rewrite.register
    def _all_different(self, constraint: AllDifferent) -> None:
        times = Counter(self.shifted.get(v, (v, 0)) for v in constraint.variables)
        for (v, shift), n_times in times.items():
            if n_times > 1:
                self.keep(v, (value - shift for value in constraint.excepted))
        variables, shifts = zip(*times, strict=True)
        self.parts.append(Different(variables, shifts, constraint.excepted))

    @rewrite.register
    def _linear(self, constraint: Linear) -> None:
        self._weighted(
            constraint.coefficients, constraint.variables, constraint.relation, constraint.constant
        )

    def _weighted(
        self,
        coefficients: Sequence[int],
        variables: Sequence[Variable],
        relation: str,
        constant: int,
        when: tuple[Variable, int] | None = None,
    ) -> None:
        weights: dict[Variable, int] = {}
        for coefficient, v in zip(coefficients, variables, strict=True):
            weights[v] = weights.get(v, 0) + coefficient
        weights = {v: coefficient for v, coefficient in weights.items() if coefficient}
        terms, used = tuple(weights.values()), tuple(weights)
        if when is None and relation == EQUAL and 0 < len(used) <= 3:
            domains = [self.domains[v] for v in used]
            if set(map(abs, terms)) == {1} and len(terms) == 3 and max(map(_span, domains)) <= WORD_VALUES:
                self._added(terms, used, constant)
                return
            if prod(map(len, domains)) <= ROWS_OF_SUM:
                rows = product(*domains)
                self.rows(used, (row for row in rows if sum(map(int.__mul__, terms, row)) == constant))
                return
        clause = self._clause_of(terms, used, relation, constant)
        if clause is not None:
            self._clause(Clause(clause if when is None else (*clause, (*when, False))))
            return
        self.parts.append(Weighted(terms, used, relation, constant, *(when or (None, 0))))

    def _clause_of(
        self, terms: Sequence[int], variables: Sequence[Variable], relation: str, constant: int
    ) -> tuple[Literal, ...] | None:
        """A sum of 0 and 1 that has to be below its greatest value, where any one of the terms will do."""
        if relation != AT_MOST or not all(self.domains[v] == {0, 1} for v in variables):
            return None
        excess = sum(c for c in terms if c > 0) - constant
        if excess <= 0 or any(abs(c) < excess for c in terms):
            return None
        return tuple((v, 0 if c > 0 else 1, True) for c, v in zip(terms, variables, strict=True))

    def _added(self, terms: Sequence[int], variables: Sequence[Variable], constant: int) -> None:
        sign = 1 if sum(terms) > 0 else -1  # that of two of the three, at least
        place = terms.index(-sign) if -sign in terms else 0
        one, other = (v for at, v in enumerate(variables) if at != place)
        self.parts.append(Added(one, other, variables[place], -sign * terms[place], sign * constant))

    @rewrite.register
    def _count(self, constraint: Count) -> None:
        self.keep(constraint.times, range(len(constraint.variables) + 1))
        self.parts.append(Counted(constraint.variables, constraint.values, constraint.times))

    @rewrite.register
    def _global_cardinality(self, constraint: GlobalCardinality) -> None:
        n = len(constraint.variables)
        for value, low, high in constraint.bounds:
            times = self.hidden(range(max(0, low), min(n, high) + 1))
            self.parts.append(Counted(constraint.variables, (value,), times))

    @rewrite.register
    def _regular(self, constraint: Regular) -> None:
        layers = [constraint.transitions] * len(constraint.variables)
        self._layered(constraint.variables, layers, set(constraint.accepting))

    @rewrite.register
    def _diagram(self, constraint: Diagram) -> None:
        self._layered(constraint.variables, constraint.edges, None)

    def _layered(
        self, variables: Sequence[Variable], layers: Sequence[Iterable[Edge]], accepting: set[int] | None
    ) -> None:
        """Ways from node 0 through layers of edges; accepting: where they may end, None for anywhere."""
        kept: list[list[Edge]] = []
        nodes = {0}
        for v, edges in zip(variables, layers, strict=True):
            kept.append([edge for edge in edges if edge[0] in nodes and edge[1] in self.domains[v]])
            nodes = {end for _, _, end in kept[-1]}
        nodes = nodes if accepting is None else nodes & accepting
        for layer in reversed(kept):
            layer[:] = [edge for edge in layer if edge[2] in nodes]
            nodes = {start for start, _, _ in layer}
        self._chain(variables, kept)

    def _chain(self, variables: Sequence[Variable], layers: Sequence[Sequence[Edge]]) -> None:
        """One table for each layer, joined by hidden variables for the nodes between them."""
        before: Variable | None = None
        numbers_before: dict[int, int] = {}
        for place, (v, layer) in enumerate(zip(variables, layers, strict=True)):
            number: dict[int, int] = {}
            is_last = place == len(variables) - 1
            after = None if is_last else self.hidden(())
            rows = []
            for start, label, end in layer:
                row = () if before is None else (numbers_before[start],)
                rows.append((*row, label, *(() if is_last else (number.setdefault(end, len(number)),))))
            if after is not None:
                self._check_span(len(number))
                self.domains[after] = set(number.values())
            scope = [at for at in (before, v, after) if at is not None]
            self.rows(scope, rows)
            before, numbers_before = after, number

    def _check_span(self, n_values: int) -> None:
        if n_values > MAX_SPAN:
            raise EngineRefuses(f"engine csp remembers up to {MAX_SPAN} states at a time, not {n_values}")

    @rewrite.register
    def _element(self, constraint: Element) -> None:
        self.keep(constraint.index, range(constraint.first, constraint.first + len(constraint.array)))
        self.parts.append(Entry(constraint.index, constraint.array, constraint.result, constraint.first))

    @rewrite.register
    def _inverse(self, constraint: Inverse) -> None:
        for ones, others in ((constraint.f, constraint.g), (constraint.g, constraint.f)):
            for v in ones:
                self.keep(v, range(constraint.first, constraint.first + len(others)))
            self._all_different(AllDifferent(ones))
        self.parts.append(Inverses(constraint.f, constraint.g, constraint.first))

    @rewrite.register
    def _lex_less(self, constraint: LexLess) -> None:
        """A chain of tables over "still equal" (0) and "already less" (1), pair after pair."""
        state = self.hidden((0,))
        for lesser, greater in zip(constraint.lesser, constraint.greater, strict=True):
            after = self.hidden((0, 1))
            self._check_rows([lesser, greater], 2)
            pairs = list(product(self.domains[lesser], self.domains[greater]))
            rows = [(1, a, b, 1) for a, b in pairs] + [(0, a, b, int(a < b)) for a, b in pairs if a <= b]
            self.rows((state, lesser, greater, after), rows)
            state = after
        if constraint.strict:
            self.keep(state, (1,))

    @rewrite.register
    def _product(self, constraint: Product) -> None:
        """A chain of tables over the product so far."""
        wanted = self.domains[constraint.result]
        if len(constraint.factors) == 1:
            self._weighted((1, -1), (*constraint.factors, constraint.result), EQUAL, 0)
            return
        if all(self.domains[v] == {0, 1} for v in (*constraint.factors, constraint.result)):
            is_zero = Clause(tuple((v, 0, True) for v in constraint.factors))
            self._reified_clause(is_zero, constraint.result, 0)
            return
        so_far, *factors = constraint.factors
        for place, factor in enumerate(factors):
            may_be = _may_lead_to(wanted, [self.domains[v] for v in factors[place + 1 :]])
            self._check_rows([factor, so_far], 1)
            pairs = product(self.domains[so_far], self.domains[factor])
            rows = [(p, x, p * x) for p, x in pairs if may_be(p * x)]
            if place == len(factors) - 1:
                after = constraint.result
            else:
                products = {row[2] for row in rows}
                self._check_span(max(products, default=0) - min(products, default=0))
                after = self.hidden(products)
            self.rows((so_far, factor, after), rows)
            so_far = after

    @rewrite.register
    def _circuit(self, constraint: Circuit) -> None:
        n = len(constraint.successors)
        for node, v in enumerate(constraint.successors):
            nodes = set(range(constraint.first, constraint.first + n))
            self.keep(v, nodes if constraint.subcircuit or n == 1 else nodes - {constraint.first + node})
        self._all_different(AllDifferent(constraint.successors))
        self.parts.append(Cycle(constraint.successors, constraint.first, constraint.subcircuit))

    @rewrite.register
    def _connected(self, constraint: Connected) -> None:
        self.parts.append(Together(constraint.variables, constraint.edges, constraint.values))

    @rewrite.register
    def _reified(self, constraint: Reified) -> None:
        truth, inner = constraint.truth, constraint.constraint
        self.keep(truth, (0, 1))
        match inner:
            case Linear():
                self._reified_linear(inner, truth)
            case Clause():
                self._reified_clause(inner, truth)
            case Table():
                self._reified_table(inner, truth)
            case AllDifferent():
                self._reified_different(inner, truth)

    def _reified_linear(self, inner: Linear, truth: Variable) -> None:
        different = tuple(dict.fromkeys(inner.variables))
        is_difference = sorted(inner.coefficients) == [-1, 1] and inner.constant == 0
        if is_difference and inner.relation != AT_MOST and len(different) == 2:
            self.parts.append(Same(*different, truth, int(inner.relation == EQUAL)))
            return
        if len(different) <= 2 and prod(len(self.domains[v]) for v in different) <= WORD_VALUES:
            self._tabulated(inner, different, truth)
            return
        terms = (inner.coefficients, inner.variables)
        self._weighted(*terms, inner.relation, inner.constant, (truth, 1))
        if inner.relation == AT_MOST:
            self._weighted([-c for c in terms[0]], terms[1], AT_MOST, -inner.constant - 1, (truth, 0))
        else:
            opposite = NOT_EQUAL if inner.relation == EQUAL else EQUAL
            self._weighted(*terms, opposite, inner.constant, (truth, 0))

    def _tabulated(self, inner: Linear, variables: tuple[Variable, ...], truth: Variable) -> None:
        """A reified sum of few values as a table."""
        every = product(*(self.domains[v] for v in variables))
        rows = ((*row, int(holds(inner, dict(zip(variables, row, strict=True))))) for row in every)
        self.rows((*variables, truth), rows)

    def _reified_clause(self, inner: Clause, truth: Variable, at: int = 1) -> None:
        """The clause holds just when the variable `truth` has the value `at`."""
        self._clause(Clause(((truth, at, False), *inner.literals)))
        for v, value, sign in inner.literals:
            self._clause(Clause(((truth, at, True), (v, value, not sign))))

    def _reified_table(self, inner: Table, truth: Variable) -> None:
        self._check_rows(inner.variables, 1)
        rows = set(inner.rows)
        every = product(*(self.domains[v] for v in inner.variables))
        self.rows((*inner.variables, truth), ((*row, int((row in rows) == inner.allowed)) for row in every))

    def _reified_different(self, inner: AllDifferent, truth: Variable) -> None:
        """A hidden variable for each pair says whether that pair is as it should be."""
        pairs = []
        for one, other in combinations(inner.variables, 2):
            differ, fits = self.hidden((0, 1)), self.hidden((0, 1))
            self._reified_linear(Linear((1, -1), (one, other), NOT_EQUAL, 0), differ)
            excepted = tuple((one, value, True) for value in inner.excepted)
            self._reified_clause(Clause(((differ, 1, True), *excepted)), fits)
            pairs.append(fits)
        self._clause(Clause(((truth, 1, True), *((fits, 0, True) for fits in pairs))))
        for fits in pairs:
            self._clause(Clause(((truth, 0, True), (fits, 1, True))))

    def _check_rows(self, variables: Sequence[Variable], times: int) -> None:
        n_rows = times * prod(len(self.domains[v]) for v in variables)
        if n_rows > MOST_ROWS:
            raise EngineRefuses(f"engine csp makes tables of up to {MOST_ROWS} rows, and this needs {n_rows}")


@lru_cache(maxsize=1)
def rewritten(model: Csp) -> Rewriting:
    """The variables and parts of a model, not to be changed. Kept, because compiling asks before planning."""
    return Rewriting(model)


def _span(domain: set[int]) -> int:
    return max(domain) - min(domain) + 1 if domain else 0


def _may_lead_to(wanted: set[int], rest: Sequence[set[int]]) -> Callable[[int], bool]:
    """Whether a product so far may become one of those wanted, with one factor of each set still to come."""
    if not rest:
        return lambda part: part in wanted
    may_be_zero = 0 in wanted and any(0 in values for values in rest)
    most = max(map(abs, wanted), default=0)

    def may_be(part: int) -> bool:
        if may_be_zero:
            return True
        if part == 0:
            return 0 in wanted
        return abs(part) <= most and any(w % part == 0 for w in wanted if w)

    return may_be
