"""Encode the constraints, without rewriting them, as the arrays that the plain search reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import singledispatchmethod
from heapq import heapify, heappop, heappush
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.arrays import int64
from rekkyo.engines.csp.plain import checks
from rekkyo.engines.csp.plain.kernel import Cursor, Program
from rekkyo.errors import EngineRefuses
from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.automata import Edge, deterministic
from rekkyo.model.csp.csp import Csp

MAX_STEPS = 1 << 24
"""Nodes of all automata and tables times the range of values that label their edges, at most."""

RELATIONS = {c.EQUAL: checks.EQUAL, c.NOT_EQUAL: checks.NOT_EQUAL, c.AT_MOST: checks.AT_MOST}


@dataclass(frozen=True, slots=True)
class _Check:
    """One check. truth: the variable that is 1 if it holds, else 0; -1 if it must always hold."""

    kind: int
    args: list[int]
    truth: c.Variable = -1
    is_inverted: bool = False


class _Encoder:
    """Encodes constraints as checks. rank: the depth of each variable."""

    def __init__(self, model: Csp, rank: Sequence[int]) -> None:
        self.model = model
        self.rank = rank
        self.steps: list[NDArray[np.int32]] = []
        self.n_steps = 0

    @singledispatchmethod
    def encode(self, constraint: c.Constraint) -> list[_Check]:
        """The checks of a constraint."""
        raise TypeError(f"no check is written for {type(constraint).__name__}")

    @encode.register
    def _table(self, constraint: c.Table) -> list[_Check]:
        """A walk through the trie of the rows, whose levels are the variables in the order of the search."""
        columns = sorted(range(len(constraint.variables)), key=lambda at: self.rank[constraint.variables[at]])
        number: dict[tuple[int, ...], int] = {(): 0}
        edges: list[set[Edge]] = [set() for _ in columns]
        for row in constraint.rows:
            word = tuple(row[column] for column in columns)
            for depth, letter in enumerate(word):
                end = number.setdefault(word[: depth + 1], len(number))
                edges[depth].add((number[word[:depth]], letter, end))
        walk = self._walk([constraint.variables[column] for column in columns], edges)
        return [replace(walk, is_inverted=not constraint.allowed)]

    @encode.register
    def _layered(self, constraint: c.Regular | c.Diagram) -> list[_Check]:
        """A walk through a deterministic automaton."""
        return [self._walk(constraint.variables, deterministic(constraint, self.model.domains))]

    def _walk(self, variables: Sequence[c.Variable], layers: Sequence[Iterable[Edge]]) -> _Check:
        """A walk from node 0 along edges."""
        edges = [edge for layer in layers for edge in layer]
        letters = [letter for _, letter, _ in edges] or [0]
        low, width = min(letters), max(letters) - min(letters) + 1
        n_nodes = 1 + max((end for _, _, end in edges), default=0)
        begin = self.n_steps
        self.n_steps += n_nodes * width
        if self.n_steps > MAX_STEPS:
            raise EngineRefuses(f"engine csp-plain keeps up to {MAX_STEPS} steps of tables and automata")
        steps = np.full(n_nodes * width, -1, dtype=np.int32)
        for start, letter, end in edges:
            steps[start * width + letter - low] = end
        self.steps.append(steps)
        return _Check(checks.WALK, [len(variables), low, width, begin, *variables])

    @encode.register
    def _all_different(self, constraint: c.AllDifferent) -> list[_Check]:
        variables, excepted = constraint.variables, constraint.excepted
        return [_Check(checks.DIFFERENT, [len(variables), len(excepted), *excepted, *variables])]

    @encode.register
    def _linear(self, constraint: c.Linear) -> list[_Check]:
        coefficients, variables = constraint.coefficients, constraint.variables
        domains = [self.model.domains[v] for v in variables]
        ends = [sorted((k * d[0], k * d[-1])) for k, d in zip(coefficients, domains, strict=True)]
        bounds = [*(low for low, _ in ends), *(high for _, high in ends)]
        args = [len(variables), RELATIONS[constraint.relation], constraint.constant, *bounds]
        return [_Check(checks.LINEAR, [*args, *coefficients, *variables])]

    @encode.register
    def _count(self, constraint: c.Count) -> list[_Check]:
        return [_bounded(constraint.variables, constraint.values, [constraint.times, 0, 0])]

    @encode.register
    def _global_cardinality(self, constraint: c.GlobalCardinality) -> list[_Check]:
        most = len(constraint.variables) + 1  # bounds have no limit
        ends = [(x, *(max(-1, min(end, most)) for end in bounds)) for x, *bounds in constraint.bounds]
        return [_bounded(constraint.variables, (x,), [-1, low, high]) for x, low, high in ends]

    @encode.register
    def _element(self, constraint: c.Element) -> list[_Check]:
        args = [constraint.index, constraint.result, constraint.first, *constraint.array]
        return [_Check(checks.ELEMENT, [len(constraint.array), *args])]

    @encode.register
    def _inverse(self, constraint: c.Inverse) -> list[_Check]:
        args = [constraint.first, *constraint.f, *constraint.g]
        return [_Check(checks.INVERSE, [len(constraint.f), len(constraint.g), *args])]

    @encode.register
    def _lex_less(self, constraint: c.LexLess) -> list[_Check]:
        args = [int(constraint.strict), *constraint.lesser, *constraint.greater]
        return [_Check(checks.LEX, [len(constraint.lesser), *args])]

    @encode.register
    def _product(self, constraint: c.Product) -> list[_Check]:
        return [_Check(checks.PRODUCT, [len(constraint.factors), constraint.result, *constraint.factors])]

    @encode.register
    def _circuit(self, constraint: c.Circuit) -> list[_Check]:
        args = [constraint.first, int(constraint.subcircuit), *constraint.successors]
        return [_Check(checks.CIRCUIT, [len(constraint.successors), *args])]

    @encode.register
    def _connected(self, constraint: c.Connected) -> list[_Check]:
        variables, edges, values = constraint.variables, constraint.edges, constraint.values
        ends = [end for edge in edges for end in edge]
        sizes = [len(variables), len(edges), len(values)]
        return [_Check(checks.CONNECTED, [*sizes, *values, *variables, *ends])]

    @encode.register
    def _areas(self, constraint: c.Areas) -> list[_Check]:
        variables, edges, sizes = constraint.variables, constraint.edges, constraint.sizes
        args = [len(variables), len(edges), len(sizes), *chain(*sizes), *variables, *chain(*edges)]
        return [_Check(checks.AREAS, args)]

    @encode.register
    def _acyclic(self, constraint: c.Acyclic) -> list[_Check]:
        n, links = constraint.links_within(self.model.domains)
        return [_Check(checks.ACYCLIC, [n, len(links), int(constraint.directed), *chain(*links)])]

    @encode.register
    def _clause(self, constraint: c.Clause) -> list[_Check]:
        literals = [number for v, value, sign in constraint.literals for number in (v, value, int(sign))]
        return [_Check(checks.CLAUSE, [len(constraint.literals), *literals])]

    @encode.register
    def _reified(self, constraint: c.Reified) -> list[_Check]:
        return [replace(check, truth=constraint.truth) for check in self.encode(constraint.constraint)]


def _bounded(variables: Sequence[c.Variable], values: Sequence[int], times: list[int]) -> _Check:
    """A check that counts values. times: the variable of the count or -1, then the bounds."""
    different = sorted(set(values))
    return _Check(checks.BOUNDED, [len(variables), len(different), *times, *different, *variables])


def make_program(model: Csp) -> Program:
    """The program of a model."""
    order, n_first = order_of_variables(model)
    n_variables = len(order)
    rank = [0] * n_variables
    for depth, v in enumerate(order):
        rank[v] = depth
    encoder = _Encoder(model, rank)
    constraints = model.constraints_with_best
    todo: list[list[int]] = [[] for _ in order]
    rows: list[tuple[int, ...]] = []
    args: list[int] = []
    for constraint in constraints:
        depths = {rank[v] for v in c.variables_of(constraint)} or {0}
        for check in encoder.encode(constraint):
            for depth in depths:
                todo[depth].append(len(rows))
            rows.append((check.kind, len(args), max(depths), check.truth, int(check.is_inverted)))
            args += check.args
    return Program(
        order=int64(order),
        start=int64([0, *np.cumsum(list(map(len, model.domains))).tolist()]),
        domain=int64(value for domain in model.domains for value in domain),
        checks=np.array(rows, dtype=np.int64).reshape(-1, 5),
        begin=int64([0, *np.cumsum(list(map(len, todo))).tolist()]),
        todo=int64(check for checks_of in todo for check in checks_of),
        shown=int64(model.solution),
        numbered=int64(model.values),
        n_first=int64([n_first]),
        args=int64(args),
        steps=np.concatenate([np.zeros(0, dtype=np.int32), *encoder.steps]),
        rank=int64(rank),
    )


def order_of_variables(model: Csp) -> tuple[list[c.Variable], int]:
    """The variable of each depth, and the number of depths before those for which one assignment is enough.

    Variables of the solution come in an order that completes constraints early. A hidden variable that has at
    most one value, given those before it, comes directly after these.
    """
    scopes = [c.variables_of(constraint) for constraint in model.constraints]
    is_shown = set(model.solution)
    wanted = closing_order(model.solution, [is_shown.intersection(scope) for scope in scopes])
    defining = [
        (v, set(scope) - {v})
        for one, scope in zip(model.constraints, scopes, strict=True)
        for v in _defined(one)
    ]
    order: list[c.Variable] = []
    placed: set[c.Variable] = set()
    for shown in wanted:
        waiting = [shown]
        while waiting:
            v = waiting.pop()
            if v not in placed:
                placed.add(v)
                order.append(v)
                waiting += [
                    w for w, needed in defining if w not in is_shown and w not in placed and needed <= placed
                ]
    return order + [v for v in range(len(model.names)) if v not in placed], len(order)


def closing_order(variables: Sequence[c.Variable], scopes: Sequence[set[c.Variable]]) -> list[c.Variable]:
    """Repeatedly append all variables of the scope with the fewest left; variables in no scope are last."""
    scopes_of: dict[c.Variable, list[int]] = {v: [] for v in variables}
    for number, scope in enumerate(scopes):
        for v in scope:
            scopes_of[v].append(number)
    n_left = [len(scope) for scope in scopes]
    waiting = [(n, number) for number, n in enumerate(n_left)]
    heapify(waiting)
    order: dict[c.Variable, None] = {}
    while waiting:
        n, number = heappop(waiting)
        if 0 < n == n_left[number]:
            for v in sorted(scopes[number] - order.keys()):
                order[v] = None
                for other in scopes_of[v]:
                    n_left[other] -= 1
                    heappush(waiting, (n_left[other], other))
    return list(order | dict.fromkeys(variables))


def _defined(constraint: c.Constraint) -> tuple[c.Variable, ...]:
    """Variables that have at most one value when all others of the constraint are known."""
    match constraint:
        case c.Linear() if constraint.relation == c.EQUAL:
            terms = zip(constraint.coefficients, constraint.variables, strict=True)
            times = Counter(constraint.variables)
            return tuple(v for k, v in terms if k and times[v] == 1)
        case c.Count():
            return (constraint.times,) if constraint.times not in constraint.variables else ()
        case c.Element() | c.Product():
            others = constraint.array if isinstance(constraint, c.Element) else constraint.factors
            return (constraint.result,) if constraint.result not in others else ()
        case c.Reified():
            inner = c.variables_of(constraint.constraint)
            return (constraint.truth,) if constraint.truth not in inner else ()
    return ()


def make_cursor(program: Program) -> Cursor:
    """A cursor before the first value is tried."""
    n_variables = len(program.order)
    at = np.zeros(n_variables + 1, dtype=np.int64)
    at[0] = program.start[program.order[0]]
    n_marks = max([1, *program.args[program.checks[:, 1]].tolist()])
    return Cursor(
        at=at,
        value=np.zeros(n_variables, dtype=np.int64),
        marks=np.zeros(n_marks, dtype=np.int64),
        state=np.zeros(2, dtype=np.int64),
    )
