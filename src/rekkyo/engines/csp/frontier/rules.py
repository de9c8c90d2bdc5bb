"""Constraints as rules that say what must be remembered while variables get their values one after another.

Four kinds of rules, each exact:

    rule      what it says                                      what is remembered
    Pattern   not all of some literals hold                     which ends of patterns are still possible
    Once      at most one of some literals holds, or just one   whether one does
    Reader    a constraint reads its variables, level by level  the state that it is in
    Joints    values touch joints and so join them              which joints hang together, or are reached

A literal here is a variable and the set of values for which it holds. Constraints on two variables become
patterns whatever their kind, because patterns of different constraints share what is remembered.
Source: the states of patterns are those of the transfer-matrix method; readers are the automata of Pesant,
"A regular language membership constraint" (2004), in any order of the variables.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, singledispatchmethod
from itertools import combinations, product
from math import prod
from typing import NamedTuple, TypeAlias

from rekkyo.engines.csp.frontier.readers import (
    Begin,
    Between,
    Reader,
    ReadSum,
    Settled,
    TablesMade,
    read_lex,
    read_reified,
    read_rows,
)
from rekkyo.engines.csp.frontier.reading import begin_of, right_sums, weights_of
from rekkyo.errors import EngineRefuses
from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.constraints import Constraint, Variable, variables_of
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.definition import holds

Literal: TypeAlias = tuple[Variable, frozenset[int]]
"""Holds when the variable has one of the values."""

Pattern: TypeAlias = tuple[Literal, ...]
"""Literals of different variables; not all of them hold."""

MOST_PAIRS = 1 << 14
"""Pairs of values of two variables that are gone through one by one."""

MOST_ROWS = 1 << 16
"""Rows of a table into which a constraint is turned for which there is nothing better."""

MOST_PATTERNS = 1 << 20


class Once(NamedTuple):
    """At most one of the literals holds, which are of different variables. must: one of them does."""

    literals: tuple[Literal, ...]
    must: bool


Joint: TypeAlias = int


class Joints(NamedTuple):
    """touched: the joints that a variable's value touches.

    together: all that is touched must hang together. acyclic: what a value touches are pairs, the ends of
    links, and links form no cycle. One of the two holds, or both. directed: links lead from the first of each
    pair to the second.
    """

    variables: tuple[Variable, ...]
    touched: Mapping[tuple[Variable, int], tuple[Joint, ...]]
    together: bool = True
    acyclic: bool = False
    directed: bool = False

    @property
    def are_pairs_or_sets(self) -> bool:
        """Whether the order of the joints that a value touches tells nothing."""
        return not self.directed and (
            not self.acyclic or all(len(some) <= 2 for some in self.touched.values())
        )


@dataclass(slots=True)
class Rules:
    """The rules of a model. is_hopeless: no values satisfy them. No pattern and no `Once` is empty.

    tables: of the readers, made when they are asked for.
    """

    is_hopeless: bool = False
    patterns: list[Pattern] = field(default_factory=list)
    onces: list[Once] = field(default_factory=list)
    readers: list[Reader] = field(default_factory=list)
    joints: list[Joints] = field(default_factory=list)
    tables: TablesMade = field(default_factory=lambda: TablesMade(()))


@lru_cache(maxsize=1)
def rules_of(model: Csp) -> Rules:
    """The rules of a model, kept with their tables for the plans of its symmetries. Raises EngineRefuses."""
    maker = _Maker(model, Rules(tables=TablesMade(model.domains)))
    for constraint in model.constraints:
        maker.post(constraint)
    maker.rules.joints = list(_trees(maker.rules.joints))
    return maker.rules


def with_patterns(model: Csp, rules: Rules, patterns: Iterable[Iterable[Literal]]) -> Rules:
    """The rules with these patterns instead of their own. Raises EngineRefuses.

    Several literals of a pattern may be about one variable.
    """
    maker = _Maker(model, replace(rules, patterns=[]))
    for pattern in patterns:
        maker.exclude(*pattern)
    return maker.rules


class _Maker:
    """Rules that grow, by more constraints or by patterns alone. rules: without patterns yet."""

    def __init__(self, model: Csp, rules: Rules) -> None:
        self.domains = model.domains
        self.wholes = [frozenset(domain) for domain in model.domains]
        self.rules = rules
        self._known: set[frozenset[Literal]] = set()

    def exclude(self, *literals: Literal) -> None:
        """Not all of the literals hold."""
        values: dict[Variable, frozenset[int]] = {}
        for v, some in literals:
            values[v] = values.get(v, self.wholes[v]) & some
        pattern = frozenset((v, some) for v, some in values.items() if len(some) < len(self.domains[v]))
        if not all(values.values()) or pattern in self._known:
            return
        if not pattern:
            self.rules.is_hopeless = True
        else:
            self._known.add(pattern)
            self.rules.patterns.append(tuple(pattern))
            if len(self._known) > MOST_PATTERNS:
                raise EngineRefuses(f"takes up to {MOST_PATTERNS} forbidden patterns")

    def others(self, v: Variable, *values: int) -> Literal:
        """Holds when the variable has none of the values."""
        return v, self.wholes[v].difference(values)

    def once(self, variables: Iterable[Variable], value: int, must: bool) -> None:
        """The value comes at most once; must: just once."""
        times = Counter(variables)
        for v, n in times.items():
            if n > 1:
                self.exclude((v, frozenset({value})))
        some = tuple((v, frozenset({value})) for v, n in times.items() if n == 1 and value in self.domains[v])
        if some:
            self.rules.onces.append(Once(some, must))
        else:
            self.rules.is_hopeless |= must

    def read(self, variables: Iterable[Variable], begin: Begin) -> None:
        """A reader of different variables; see there."""
        self.rules.readers.append(Reader(tuple(variables), begin))

    def post(self, constraint: Constraint) -> None:
        """A constraint on one or two variables as patterns, any other as its kind says."""
        variables = tuple(dict.fromkeys(variables_of(constraint)))
        if len(variables) <= 2 and prod(len(self.domains[v]) for v in variables) <= MOST_PAIRS:
            for row in product(*(self.domains[v] for v in variables)):
                values = dict(zip(variables, row, strict=True))
                if not holds(constraint, values):
                    self.exclude(*((v, frozenset({value})) for v, value in values.items()))
        else:
            self.rule(constraint)

    def rows(self, constraint: Constraint) -> None:
        """All values for which a constraint holds, read as rows. Raises EngineRefuses for too many."""
        variables = tuple(dict.fromkeys(variables_of(constraint)))
        if prod(len(self.domains[v]) for v in variables) > MOST_ROWS:
            kind = type(constraint).__name__
            raise EngineRefuses(
                f"merging cannot remember a constraint ({kind}) of so many variables and values"
            )
        rows = product(*(self.domains[v] for v in variables))
        self.read(
            variables,
            read_rows([row for row in rows if holds(constraint, dict(zip(variables, row, strict=True)))]),
        )

    def sum(self, weights: Mapping[Variable, Mapping[int, int]], settled: Settled) -> None:
        """The weights of the variables' values add up to what is right."""
        self.read(weights, ReadSum(tuple(weights.values()), settled))

    @singledispatchmethod
    def rule(self, constraint: Constraint) -> None:
        """The rules of a constraint; its rows for a kind that has nothing better."""
        self.rows(constraint)

    @rule.register
    def _table(self, constraint: c.Table) -> None:
        if not constraint.allowed:
            for row in constraint.rows:
                self.exclude(*((v, frozenset({x})) for v, x in zip(constraint.variables, row, strict=True)))
            return
        self._reader(constraint)

    @rule.register
    def _all_different(self, constraint: c.AllDifferent) -> None:
        values = {value for v in constraint.variables for value in self.domains[v]}
        must = len(values) == len(constraint.variables) and not constraint.excepted
        for value in sorted(values.difference(constraint.excepted)):
            self.once(constraint.variables, value, must)

    @rule.register
    def _count(self, constraint: c.Count) -> None:
        weights = {v: dict.fromkeys(self.domains[v], 0) for v in (*constraint.variables, constraint.times)}
        for v in constraint.variables:
            for value in weights[v].keys() & constraint.values:
                weights[v][value] += 1
        for value in self.domains[constraint.times]:
            weights[constraint.times][value] -= value
        self.sum(weights, Between(0, 0))

    @rule.register
    def _global_cardinality(self, constraint: c.GlobalCardinality) -> None:
        for wanted, low, high in constraint.bounds:
            if 0 <= low <= high == 1:
                self.once(constraint.variables, wanted, low == 1)
            else:
                times = Counter(constraint.variables)
                weights = {v: {x: n * (x == wanted) for x in self.domains[v]} for v, n in times.items()}
                self.sum(weights, Between(low, high))

    @rule.register
    def _clause(self, constraint: c.Clause) -> None:
        self.exclude(
            *(self.others(v, x) if sign else (v, frozenset({x})) for v, x, sign in constraint.literals)
        )

    @rule.register
    def _element(self, constraint: c.Element) -> None:
        index, n = constraint.index, len(constraint.array)
        for value in self.domains[index]:
            place = value - constraint.first
            if not 0 <= place < n:
                self.exclude((index, frozenset({value})))
                continue
            for x in self.domains[constraint.array[place]]:
                entry = (constraint.array[place], frozenset({x}))
                self.exclude((index, frozenset({value})), entry, self.others(constraint.result, x))

    @rule.register
    def _inverse(self, constraint: c.Inverse) -> None:
        first = constraint.first
        for ones, others in ((constraint.f, constraint.g), (constraint.g, constraint.f)):
            for i, v in enumerate(ones):
                for value in self.domains[v]:
                    is_inside = 0 <= value - first < len(others)
                    back = [self.others(others[value - first], first + i)] if is_inside else []
                    self.exclude((v, frozenset({value})), *back)

    @rule.register
    def _lex_less(self, constraint: c.LexLess) -> None:
        variables = tuple(dict.fromkeys((*constraint.lesser, *constraint.greater)))
        ends = zip(constraint.lesser, constraint.greater, strict=True)
        pairs = [(variables.index(lesser), variables.index(greater)) for lesser, greater in ends]
        self.read(variables, read_lex(pairs, constraint.strict))

    @rule.register
    def _reified(self, constraint: c.Reified) -> None:
        inner = tuple(dict.fromkeys(variables_of(constraint.constraint)))
        begin = begin_of(constraint.constraint, self.domains)
        if begin is None or constraint.truth in inner:
            self.rows(constraint)
        else:
            self.read((*inner, constraint.truth), read_reified(begin, len(inner)))

    @rule.register
    def _circuit(self, constraint: c.Circuit) -> None:
        """Every node follows one other, and all that is followed hangs together."""
        successors, n = constraint.successors, len(constraint.successors)
        if len(set(successors)) < n:
            self.rows(constraint)
            return
        nodes = range(constraint.first, constraint.first + n)
        touched: dict[tuple[Variable, int], tuple[Joint, ...]] = {}
        for i, v in enumerate(successors):
            for value in self.domains[v]:
                j = value - constraint.first
                if not 0 <= j < n:
                    self.exclude((v, frozenset({value})))
                elif i != j:
                    touched[v, value] = (i, j)
                elif not constraint.subcircuit:
                    touched[v, value] = (i,)
        for node in nodes:
            self.once(successors, node, must=True)
        self.rules.joints.append(Joints(successors, touched))

    @rule.register
    def _connected(self, constraint: c.Connected) -> None:
        """A joint for each clique of neighbours, such as the edges at a vertex, and for each cell alone."""
        cells = constraint.variables
        if len(set(cells)) < len(cells):
            self.rows(constraint)
            return
        joints: list[list[Joint]] = [[] for _ in cells]
        for joint, clique in enumerate(cliques(len(cells), constraint.edges)):
            for cell in clique:
                joints[cell].append(joint)
        touched = {
            (v, value): tuple(joints[cell])
            for cell, v in enumerate(cells)
            for value in self.domains[v]
            if value in constraint.values
        }
        self.rules.joints.append(Joints(cells, touched))

    @rule.register
    def _acyclic(self, constraint: c.Acyclic) -> None:
        touched: dict[tuple[Variable, int], tuple[Joint, ...]] = defaultdict(tuple)
        for v, value, one, other in constraint.links_within(self.domains)[1]:
            if one == other:
                self.exclude((v, frozenset({value})))
            else:
                touched[v, value] += one, other
        variables = tuple(dict.fromkeys(v for v, _ in touched))
        if variables:
            self.rules.joints.append(Joints(variables, touched, False, True, constraint.directed))

    @rule.register
    def _linear(self, constraint: c.Linear) -> None:
        self.sum(weights_of(constraint, self.domains), right_sums(constraint))

    @rule.register
    def _at_once(self, constraint: c.Regular | c.Diagram | c.Product) -> None:
        self._reader(constraint)

    def _reader(self, constraint: Constraint) -> None:
        """A constraint that is read as it stands, or as rows where a variable that repeats forbids it."""
        begin = begin_of(constraint, self.domains)
        if begin is None:
            self.rows(constraint)
        else:
            self.read(tuple(dict.fromkeys(variables_of(constraint))), begin)


def _trees(joints: Iterable[Joints]) -> Iterator[Joints]:
    """The same joints. Those of links that hang together and form no cycle, which are trees, become one."""
    left = list(joints)
    for forest in [one for one in left if one.acyclic and not one.directed]:
        values = {v_value: frozenset(ends) for v_value, ends in forest.touched.items()}
        if any(len(ends) > MOST_ENDS for ends in forest.touched.values()):
            continue
        meeting = None
        for one in left:
            if one.acyclic or one.touched.keys() != values.keys():
                continue
            meeting = meeting or _meeting(values)
            if meeting == _meeting(one.touched):
                left = [other for other in left if other not in (one, forest)]
                yield forest._replace(variables=one.variables, together=True)
                break
    yield from left


MOST_ENDS = 2
"""The ends of a link."""


def _meeting(touched: Mapping[tuple[Variable, int], Iterable[Joint]]) -> set[frozenset[tuple[Variable, int]]]:
    """The pairs of values that touch a common joint."""
    touching: dict[Joint, list[tuple[Variable, int]]] = defaultdict(list)
    for v_value, some in touched.items():
        for joint in some:
            touching[joint].append(v_value)
    return {frozenset(pair) for some in touching.values() for pair in combinations(some, 2)}


def cliques(n: int, edges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    """Sets of neighbours that together have every edge, and each vertex without edges alone.

    Each grows greedily from an edge that no other set has. The edges of a graph that meet become its
    vertices.
    """
    beside: list[set[int]] = [set() for _ in range(n)]
    for one, other in edges:
        if one != other:
            beside[one].add(other)
            beside[other].add(one)
    left = {(one, other) for one in range(n) for other in beside[one] if one < other}
    for one, other in sorted(left):
        if (one, other) in left:
            clique = [one, other]
            common = beside[one] & beside[other]
            while common:
                near = max(sorted(common), key=lambda v: sum((min(u, v), max(u, v)) in left for u in clique))
                clique.append(near)
                common = common & beside[near]
            left.difference_update(combinations(sorted(clique), 2))
            yield tuple(sorted(clique))
    for vertex in range(n):
        if not beside[vertex]:
            yield (vertex,)
