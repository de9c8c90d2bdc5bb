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
    Together,
    Weighted,
)
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
    Product,
    Regular,
    Reified,
    Table,
    Variable,
    variables_of,
)
from rekkyo.model.csp.csp import MAX_SPAN, Csp

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
        self.domains: list[set[int]] = list(map(set, model.domains))
        self.parts: list[Part] = []
        if model.objective is not None and model.objective.best is not None:
            self.keep(model.objective.variable, (model.objective.best,))
        self.shifted = self._shifted(model)
        for constraint in model.constraints:
            self.rewrite(constraint)
        self.settle()

    def _shifted(self, model: Csp) -> dict[Variable, tuple[Variable, int]]:
        """Hidden variables that are another one plus a number, and are named in all_different otherwise.

        They are given up: their values are those of the other one, shifted. n queens have 2 n of them.
        """
        kept = set(model.solution)
        if model.objective is not None:
            kept.add(model.objective.variable)
        linked: dict[Variable, tuple[Variable, int]] = {}
        for constraint in model.constraints:
            if isinstance(constraint, AllDifferent):
                continue
            named = dict.fromkeys(variables_of(constraint))
            if isinstance(constraint, Linear) and _is_link(constraint):
                ends = tuple(zip(constraint.variables, constraint.coefficients, strict=True))
                free = [(v, sign) for v, sign in ends if v not in kept and v not in linked]
                if free:
                    v, sign = free[0]
                    other = next(other for other in named if other != v)
                    linked[v] = other, sign * constraint.constant
                    named = {other: None}
            kept.update(named)
        shifted = {v: link for v, link in linked.items() if v not in kept}
        for v, (other, shift) in shifted.items():
            self.keep(other, {x - shift for x in self.domains[v]})
            self.domains[v] = {0}
        return shifted

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
        terms = constraint.coefficients, constraint.variables
        if not self.shifted.keys() & set(constraint.variables):
            self._weighted(*terms, constraint.relation, constraint.constant)

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
            if sorted(terms) in ([-1, -1, 1], [-1, 1, 1]) and max(map(_span, domains)) <= WORD_VALUES:
                self._added(terms, used, constant)
                return
            if prod(map(len, domains)) <= ROWS_OF_SUM:
                rows = product(*domains)
                self.rows(used, (row for row in rows if sum(map(int.__mul__, terms, row)) == constant))
                return
        self.parts.append(Weighted(terms, used, relation, constant, *(when or (None, 0))))

    def _added(self, terms: Sequence[int], variables: Sequence[Variable], constant: int) -> None:
        sign = sum(terms)
        place = terms.index(-sign)
        one, other = (v for at, v in enumerate(variables) if at != place)
        self.parts.append(Added(one, other, variables[place], sign * constant))

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
        so_far: Variable | None = None
        for place, factor in enumerate(constraint.factors):
            rest = [self.domains[v] for v in constraint.factors[place + 1 :]]
            may_be = _may_lead_to(wanted, rest)
            parts = {1} if so_far is None else self.domains[so_far]
            self._check_rows([factor], len(parts))
            rows = [(p, x, p * x) for p, x in product(parts, self.domains[factor]) if may_be(p * x)]
            if place == len(constraint.factors) - 1:
                after = constraint.result
            else:
                products = {row[2] for row in rows}
                self._check_span(max(products, default=0) - min(products, default=0))
                after = self.hidden(products)
            scope = [factor, after] if so_far is None else [so_far, factor, after]
            self.rows(scope, [row[-len(scope) :] for row in rows])
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
        terms = (inner.coefficients, inner.variables)
        self._weighted(*terms, inner.relation, inner.constant, (truth, 1))
        if inner.relation == AT_MOST:
            self._weighted([-c for c in terms[0]], terms[1], AT_MOST, -inner.constant - 1, (truth, 0))
        else:
            opposite = NOT_EQUAL if inner.relation == EQUAL else EQUAL
            self._weighted(*terms, opposite, inner.constant, (truth, 0))

    def _reified_clause(self, inner: Clause, truth: Variable) -> None:
        self._clause(Clause(((truth, 0, True), *inner.literals)))
        for v, value, sign in inner.literals:
            self._clause(Clause(((truth, 1, True), (v, value, not sign))))

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


def _is_link(constraint: Linear) -> bool:
    """Whether it says that a variable is another one plus a number."""
    is_difference = constraint.relation == EQUAL and sorted(constraint.coefficients) == [-1, 1]
    return is_difference and constraint.variables[0] != constraint.variables[1]


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
