"""Turn the constraints of a `Csp` into the few kinds that the kernel propagates.

A constraint with a state, such as an automaton, gets hidden variables: the state after each letter, or the
product so far. Propagating a chain of tables over such variables rules out as much as the constraint as a
whole does, because the chain has no cycle (Quimper and Walsh, Global grammar constraints, CP 2006). Hidden
variables come after all variables of the model, and the search does not list a solution again for other
values of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, singledispatchmethod
from itertools import combinations, product
from math import gcd, prod

from rekkyo.engines.csp.propagating.full_groups import Group, full_groups
from rekkyo.engines.csp.propagating.hidden_cycles import with_hidden
from rekkyo.engines.csp.propagating.parts import (
    Chosen,
    Different,
    Permutation,
    Rows,
    Same,
    Sized,
    Tallied,
    Weighted,
)
from rekkyo.engines.csp.propagating.rectangles import stacks_of
from rekkyo.engines.csp.propagating.simplifying import Simplified
from rekkyo.engines.csp.propagating.sum_parts import ROWS_OF_SUM, WORD_VALUES, SumParts
from rekkyo.engines.csp.propagating.tabling import Tabling
from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.definition import holds

Edge = tuple[int, int, int]

MANY_VALUES = 8
"""If this number of values is counted among the same variables, one part for all is faster than one each."""

SPREAD = 16
"""One part is used only if all values are in a range of less than this number for each counted value."""


class Rewriting(SumParts):
    """The variables and parts of a model. domains: possible values; the rewriting may remove some."""

    def __init__(self, model: Csp) -> None:
        simplified = Simplified(model)
        super().__init__(simplified.domains)
        self.shifted = simplified.shifted
        named = {other for other, _ in self.shifted.values()}.union(simplified.asked_for, self.shifted)
        hidden = set(range(len(self.domains))) - named
        stacks = list(stacks_of(self.domains, simplified.constraints))
        tabling = Tabling(self.domains, simplified.constraints, hidden, self.shifted.keys())
        for v in tabling.eliminated:
            self.domains[v] = {0}
        rewrite, clause = self.rewrite, self._clause  # finding the method takes longer than most rewriting
        for number, constraint in enumerate(simplified.constraints):
            if number not in tabling.replaced:
                clause(constraint) if type(constraint) is c.Clause else rewrite(constraint)
        columns: dict[int, list[set[int]]] = {}  # most tables share their rows
        for scope, rows in tabling.tables:
            self.parts.append(Rows(scope, rows))
            if id(rows) not in columns:
                columns[id(rows)] = [set(column) for column in zip(*rows, strict=True)]
            for v, values in zip(scope, columns[id(rows)], strict=False):
                self.keep(v, values)
            if not rows:
                self.keep(scope[0], ())
        self.parts += [part for part in stacks if tabling.eliminated.isdisjoint(part.variables)]
        self.settle()
        self.parts = with_hidden(self.parts, simplified.asked_for)

    def settle(self) -> None:
        """Do the rewriting that needs the domains after all constraints were rewritten."""
        inverses = [part for part in self.parts if isinstance(part, c.Inverse)]
        while sum(self._settle_inverses(part) for part in inverses):
            pass
        for part in self.parts:
            if isinstance(part, Weighted) and part.when is None and part.relation == c.EQUAL:
                self._keep_congruent(part)
        self._fill_groups()
        self._settle_counted()
        for part in tuple(self.parts):
            if isinstance(part, Different) and not part.excepted and not any(part.shifts):
                values = set[int]().union(*(self.domains[v] for v in part.variables))
                if len(values) <= len(part.variables):
                    self.parts.append(Permutation(part.variables))

    def _fill_groups(self) -> None:
        """Take the greatest number for counted variables if the count of others needs it."""
        numbers: dict[tuple[c.Variable, frozenset[int]], int] = {}  # of literals: the bits of the groups
        counted: dict[int, Group] = {}
        for place, part in enumerate(self.parts):
            if isinstance(part, Chosen):
                literals = [(v, frozenset((x,))) for v, x in zip(part.variables, part.values, strict=True)]
                low, high = part.low, part.high
            elif isinstance(part, c.Count) and self.domains[part.times]:
                values = frozenset(part.values)
                literals = [(v, values & self.domains[v]) for v in part.variables]
                low, high = min(self.domains[part.times]), max(self.domains[part.times])
            else:
                continue
            bits = [1 << numbers.setdefault((v, x), len(numbers)) for v, x in literals if x]
            if bits and len(set(bits)) == len(bits):
                counted[place] = Group(sum(bits), low, high)
        places = list(counted)
        for number in full_groups(list(counted.values())):
            part = self.parts[places[number]]
            if isinstance(part, Chosen):
                self.parts[places[number]] = replace(part, low=part.high)
            elif isinstance(part, c.Count):
                self.keep(part.times, (counted[places[number]].most,))

    def _settle_counted(self) -> None:
        """Merge the parts that count single values among the same variables, if they are many and close."""
        alike: dict[tuple[c.Variable, ...], dict[int, c.Count]] = {}
        for part in self.parts:
            if isinstance(part, c.Count) and len(part.values) == 1:
                alike.setdefault(part.variables, {}).setdefault(part.values[0], part)
        for variables, counted in alike.items():
            reached = [x for v in variables for x in self.domains[v]]
            is_dense = max((*reached, *counted)) - min((*reached, *counted)) < SPREAD * len(counted)
            if len(counted) >= MANY_VALUES and is_dense and len(set(variables)) == len(variables):
                gone = set(map(id, counted.values()))
                self.parts = [part for part in self.parts if id(part) not in gone]
                times = tuple(part.times for part in counted.values())
                self.parts.append(Tallied(variables, tuple(counted), times))

    def _keep_congruent(self, part: Weighted) -> None:
        """Keep the values of each variable that the terms of the others allow modulo their common divisor.

        If x and y are 1 or -1, then x + y - z = 0 makes z even. Bounds do not show this.
        """
        domains = [self.domains[v] for v in part.variables]
        if not all(domains):
            return
        steps = [abs(k) * _step(domain) for k, domain in zip(part.coefficients, domains, strict=True)]
        if gcd(*steps) == 1 and steps.count(1) > 1:
            return
        rest = part.constant - sum(
            k * min(domain) for k, domain in zip(part.coefficients, domains, strict=True)
        )
        for place, (k, v) in enumerate(zip(part.coefficients, part.variables, strict=True)):
            divisor = gcd(*steps[:place], *steps[place + 1 :])
            if divisor > 1:
                low = min(domains[place])
                self.keep(v, [x for x in domains[place] if (k * (x - low) - rest) % divisor == 0])

    def _settle_inverses(self, part: c.Inverse) -> bool:
        """Remove values whose counterpart on the other side is not possible; whether there were any."""
        is_changed = False
        for ones, others in ((part.f, part.g), (part.g, part.f)):
            for i, v in enumerate(ones, part.first):
                kept = {j for j in self.domains[v] if i in self.domains[others[j - part.first]]}
                is_changed = is_changed or kept != self.domains[v]
                self.domains[v] = kept
        return is_changed

    @singledispatchmethod
    def rewrite(self, constraint: c.Constraint) -> None:
        """Add the parts that are equivalent to a constraint."""
        raise TypeError(f"no rewriting is written for {type(constraint).__name__}")

    @rewrite.register
    def _clause(self, constraint: c.Clause) -> None:
        if len(set(constraint.literals)) == len(constraint.literals):
            self.parts.append(constraint)  # a new clause would take as long as all other work here
        else:
            self.clause(constraint.literals)

    @rewrite.register
    def _table(self, constraint: c.Table) -> None:
        if constraint.allowed:
            self.rows(constraint.variables, constraint.rows)
            return
        domains = [self.domains[v] for v in constraint.variables]
        if prod(map(len, domains)) <= ROWS_OF_SUM:
            forbidden = set(constraint.rows)
            self.rows(constraint.variables, (row for row in product(*domains) if row not in forbidden))
            return
        for row in set(constraint.rows):
            self.clause((v, x, False) for v, x in zip(constraint.variables, row, strict=True))

    @rewrite.register
    def _all_different(self, constraint: c.AllDifferent) -> None:
        times = Counter(self.shifted.get(v, (v, 0)) for v in constraint.variables)
        for (v, shift), n_times in times.items():
            if n_times > 1:
                self.keep(v, (value - shift for value in constraint.excepted))
        variables, shifts = zip(*times, strict=True)
        self.parts.append(Different(variables, shifts, constraint.excepted))

    @rewrite.register
    def _linear(self, constraint: c.Linear) -> None:
        self.weighted(constraint.coefficients, constraint.variables, constraint.relation, constraint.constant)

    @rewrite.register
    def _count(self, constraint: c.Count) -> None:
        self.keep(constraint.times, range(len(constraint.variables) + 1))
        self.parts.append(constraint)

    @rewrite.register
    def _global_cardinality(self, constraint: c.GlobalCardinality) -> None:
        n = len(constraint.variables)
        for value, low, high in constraint.bounds:
            times = self.hidden(range(max(0, low), min(n, high) + 1))
            self.parts.append(c.Count(constraint.variables, (value,), times))

    @rewrite.register
    def _layered(self, constraint: c.Regular | c.Diagram) -> None:
        """Paths from node 0 through layers of edges."""
        kept: list[list[Edge]] = []
        nodes = {0}
        for v, edges in zip(constraint.variables, constraint.edges, strict=True):
            kept.append([edge for edge in edges if edge[0] in nodes and edge[1] in self.domains[v]])
            nodes = {end for _, _, end in kept[-1]}
        nodes = nodes if constraint.accepting is None else nodes.intersection(constraint.accepting)
        for layer in reversed(kept):
            layer[:] = [edge for edge in layer if edge[2] in nodes]
            nodes = {start for start, _, _ in layer}
        self._chain(constraint.variables, kept)

    def _chain(self, variables: Sequence[c.Variable], layers: Sequence[Sequence[Edge]]) -> None:
        """One table for each layer, joined by hidden variables for the nodes between them."""
        before: c.Variable | None = None
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
                self.check_span(len(number))
                self.domains[after] = set(number.values())
            scope = [at for at in (before, v, after) if at is not None]
            self.rows(scope, rows)
            before, numbers_before = after, number

    @rewrite.register
    def _element(self, constraint: c.Element) -> None:
        self.keep(constraint.index, range(constraint.first, constraint.first + len(constraint.array)))
        self.parts.append(constraint)

    @rewrite.register
    def _inverse(self, constraint: c.Inverse) -> None:
        for ones, others in ((constraint.f, constraint.g), (constraint.g, constraint.f)):
            for v in ones:
                self.keep(v, range(constraint.first, constraint.first + len(others)))
            if ones:
                self._all_different(c.AllDifferent(ones))
        self.parts.append(constraint)

    @rewrite.register
    def _lex_less(self, constraint: c.LexLess) -> None:
        """A chain of tables over the state "still equal" (0) or "already less" (1) after each pair."""
        state = self.hidden((0,))
        for lesser, greater in zip(constraint.lesser, constraint.greater, strict=True):
            after = self.hidden((0, 1))
            self.check_rows([lesser, greater], 2)
            pairs = list(product(self.domains[lesser], self.domains[greater]))
            rows = [(1, a, b, 1) for a, b in pairs] + [(0, a, b, int(a < b)) for a, b in pairs if a <= b]
            self.rows((state, lesser, greater, after), rows)
            state = after
        if constraint.strict:
            self.keep(state, (1,))

    @rewrite.register
    def _product(self, constraint: c.Product) -> None:
        """A chain of tables over the product so far; clauses if all values are 0 or 1.

        A product that is greater than all results can become only 0, so one value stands for all of these.
        """
        wanted = self.domains[constraint.result]
        beyond = max(map(abs, wanted), default=0) + 1
        if len(constraint.factors) == 1:
            self.weighted((1, -1), (*constraint.factors, constraint.result), c.EQUAL, 0)
            return
        if all(self.domains[v] == {0, 1} for v in (*constraint.factors, constraint.result)):
            is_zero = c.Clause(tuple((v, 0, True) for v in constraint.factors))
            self._reified_clause(is_zero, constraint.result, 0)
            return
        so_far, *factors = constraint.factors
        for place, factor in enumerate(factors):
            may_be = _may_lead_to(wanted, [self.domains[v] for v in factors[place + 1 :]])
            self.check_rows([factor, so_far], 1)
            triples = ((p, x, p * x) for p, x in product(self.domains[so_far], self.domains[factor]))
            rows = [(p, x, px if abs(px) < beyond else beyond) for p, x, px in triples if may_be(px)]
            if place == len(factors) - 1:
                after = constraint.result
            else:
                products = {row[2] for row in rows}
                self.check_span(max(products, default=0) - min(products, default=0))
                after = self.hidden(products)
            self.rows((so_far, factor, after), rows)
            so_far = after

    @rewrite.register
    def _circuit(self, constraint: c.Circuit) -> None:
        n = len(constraint.successors)
        for node, v in enumerate(constraint.successors):
            nodes = set(range(constraint.first, constraint.first + n))
            self.keep(v, nodes if constraint.subcircuit or n == 1 else nodes - {constraint.first + node})
        self._all_different(c.AllDifferent(constraint.successors))
        self.parts.append(constraint)

    @rewrite.register
    def _graph(self, constraint: c.Connected | c.Acyclic) -> None:
        self.parts.append(constraint)

    @rewrite.register
    def _areas(self, constraint: c.Areas) -> None:
        for size in constraint.sizes:
            self.parts.append(Sized(constraint.variables, constraint.edges, *size))

    @rewrite.register
    def _reified(self, constraint: c.Reified) -> None:
        truth, inner = constraint.truth, constraint.constraint
        self.keep(truth, (0, 1))
        match inner:
            case c.Linear():
                self._reified_linear(inner, truth)
            case c.Clause():
                self._reified_clause(inner, truth)
            case c.Table():
                self._reified_table(inner, truth)
            case c.AllDifferent():
                self._reified_different(inner, truth)

    def _reified_linear(self, inner: c.Linear, truth: c.Variable) -> None:
        different = tuple(dict.fromkeys(inner.variables))
        is_difference = sorted(inner.coefficients) == [-1, 1] and inner.constant == 0
        is_same = is_difference and inner.relation != c.AT_MOST and truth not in different
        if is_same and len(different) == 2:
            self.parts.append(Same(*different, truth, int(inner.relation == c.EQUAL)))
            return
        if len(different) <= 2 and prod(len(self.domains[v]) for v in different) <= WORD_VALUES:
            self._tabulated(inner, different, truth)
            return
        terms = (inner.coefficients, inner.variables)
        self.weighted(*terms, inner.relation, inner.constant, (truth, 1))
        if inner.relation == c.AT_MOST:
            self.weighted([-k for k in terms[0]], terms[1], c.AT_MOST, -inner.constant - 1, (truth, 0))
        else:
            opposite = c.NOT_EQUAL if inner.relation == c.EQUAL else c.EQUAL
            self.weighted(*terms, opposite, inner.constant, (truth, 0))

    def _tabulated(self, inner: c.Linear, variables: tuple[c.Variable, ...], truth: c.Variable) -> None:
        """Add a reified sum of few values as a table."""
        every = product(*(self.domains[v] for v in variables))
        rows = ((*row, int(holds(inner, dict(zip(variables, row, strict=True))))) for row in every)
        self.rows((*variables, truth), rows)

    def _reified_clause(self, inner: c.Clause, truth: c.Variable, at: int = 1) -> None:
        """The clause holds if and only if the variable `truth` has the value `at`."""
        self.clause(((truth, at, False), *inner.literals))
        for v, value, sign in inner.literals:
            self.clause(((truth, at, True), (v, value, not sign)))

    def _reified_table(self, inner: c.Table, truth: c.Variable) -> None:
        self.check_rows(inner.variables, 1)
        rows = set(inner.rows)
        every = product(*(self.domains[v] for v in inner.variables))
        self.rows((*inner.variables, truth), ((*row, int((row in rows) == inner.allowed)) for row in every))

    def _reified_different(self, inner: c.AllDifferent, truth: c.Variable) -> None:
        """A hidden variable for each pair is 1 if and only if the pair differs or is excepted."""
        pairs = []
        for one, other in combinations(inner.variables, 2):
            differ, fits = self.hidden((0, 1)), self.hidden((0, 1))
            self._reified_linear(c.Linear((1, -1), (one, other), c.NOT_EQUAL, 0), differ)
            excepted = tuple((one, value, True) for value in inner.excepted)
            self._reified_clause(c.Clause(((differ, 1, True), *excepted)), fits)
            pairs.append(fits)
        self.clause(((truth, 1, True), *((fits, 0, True) for fits in pairs)))
        for fits in pairs:
            self.clause(((truth, 0, True), (fits, 1, True)))


@lru_cache(maxsize=2)
def rewritten(model: Csp) -> Rewriting:
    """The variables and parts of a model. The caller must not change them.

    Two are cached, because compiling a model plans the smallest model before the model itself is planned.
    """
    return Rewriting(model)


def _step(domain: set[int]) -> int:
    """The greatest common divisor of all differences of values; 0 if there is one value."""
    low, step = min(domain), 0
    for value in domain:
        step = gcd(step, value - low)
        if step == 1:
            break
    return step


def _may_lead_to(wanted: set[int], rest: Sequence[set[int]]) -> Callable[[int], bool]:
    """A test whether a partial product can become one of those wanted, with one more factor of each set."""
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
