"""Random constraint satisfaction problems."""

from __future__ import annotations

import random
from itertools import combinations

from rekkyo.model.csp.constraints import (
    Acyclic,
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
from rekkyo.model.puzzle import Model


def draw_csp(rng: random.Random, is_middle: bool) -> Model:
    """A few variables, some of them hidden; often the cells of a board, so that some symmetry is left."""
    if rng.random() < 0.3:
        return _board(rng, is_middle)
    if rng.random() < 0.1:
        return _cycle(rng, is_middle)
    n = rng.randint(4, 6) if is_middle else rng.randint(1, 4)
    low = rng.choice((0, 0, 1, -2, 62))
    most = 4 if is_middle else 3
    domains = [tuple(sorted(rng.sample(range(low, low + most + 1), rng.randint(1, most)))) for _ in range(n)]
    constraints = tuple(_constraint(rng, n, domains) for _ in range(rng.randint(0, 3)))
    shown = tuple(rng.sample(range(n), rng.randint(1, n))) if rng.random() < 0.4 else ()
    objective = Objective(rng.randrange(n), rng.random() < 0.5) if rng.random() < 0.2 else None
    return Csp(tuple(f"v{k}" for k in range(n)), tuple(domains), constraints, shown, objective)


def _board(rng: random.Random, is_middle: bool) -> Csp:
    """Lines of different cells, or cells of which few are connected."""
    rows, columns = (3, rng.randint(2, 3)) if is_middle else (2, rng.randint(1, 3))
    names = tuple(f"{r},{c}" for r in range(rows) for c in range(columns))
    lines = [tuple(range(r * columns, (r + 1) * columns)) for r in range(rows)]
    lines += [tuple(range(c, rows * columns, columns)) for c in range(columns)]
    constraints: list[Constraint] = []
    if rng.random() < 0.5:
        n_values = max(rows, columns)
        constraints += [AllDifferent(line) for line in lines]
    else:
        n_values = 2
        places = [divmod(k, columns) for k in range(len(names))]
        edges = [
            (a, b)
            for a, b in combinations(range(len(names)), 2)
            if sum(abs(x - y) for x, y in zip(places[a], places[b], strict=True)) == 1
        ]
        cells = tuple(range(len(names)))
        if rng.random() < 0.5:
            constraints.append(Connected(cells, tuple(edges), (1,)))
        else:
            n_values = rng.randint(2, 4)
            low = rng.randint(1, 2)
            bounds = rng.choice(
                [[(k, k, k) for k in range(1, n_values)], [(1, low, low + rng.randint(0, 2))]]
            )
            constraints.append(Areas(cells, tuple(edges), tuple(bounds)))
    return Csp(names, (tuple(range(n_values)),) * len(names), tuple(constraints), grid=(rows, columns))


def _cycle(rng: random.Random, is_middle: bool) -> Csp:
    """One cycle through some nodes of a graph, or through all: its edges, mostly without the successors."""
    n, first = rng.randint(3, 6 if is_middle else 4), rng.randint(-1, 1)
    edges = [(i, j) for i, j in combinations(range(n), 2) if rng.random() < 0.7]
    ways = [{i} if rng.random() < 0.8 else set[int]() for i in range(n)]
    for i, j in edges:
        ways[i].add(j)
        if rng.random() < 0.9:
            ways[j].add(i)
    domains = [tuple(sorted(x + first for x in way or {0})) for way in ways]
    constraints: list[Constraint] = [Circuit(tuple(range(n)), first, rng.random() < 0.8)]
    for v, (i, j) in enumerate(edges, n):
        there = ((i, j + first, True), (j, i + first, True))
        constraints.append(Reified(Clause(there[: rng.choice((1, 2, 2, 2))]), v))
    shown = list(range(n, n + len(edges))) or [0]
    shown += [] if rng.random() < 0.7 else [v for v in range(n) if v not in shown and rng.random() < 0.7]
    names = tuple(f"v{k}" for k in range(n + len(edges)))
    return Csp(names, (*domains, *[(0, 1)] * len(edges)), tuple(constraints), tuple(shown))


def _constraint(rng: random.Random, n: int, domains: list[tuple[int, ...]]) -> Constraint:
    """One of the kinds that fit variables with a few values."""
    some = tuple(rng.choices(range(n), k=rng.randint(1, 4)))
    kinds = (_table, _global, _of_words, _reified, _diagram, _links, _automaton, _permutation)
    return rng.choice(kinds)(rng, some, domains)


def _automaton(rng: random.Random, some: tuple[int, ...], domains: list[tuple[int, ...]]) -> Constraint:
    """Often each value leads from a state to one state."""
    states, values = range(rng.randint(1, 4)), sorted({x for v in some for x in domains[v]})
    ways = [(state, x) for state in states for x in values if rng.random() < 0.8]
    has_one_way = rng.random() < 0.6
    moves = tuple((*way, rng.choice(states)) for way in ways for _ in range(2 - has_one_way))
    return Regular(some, len(states), moves, tuple(rng.sample(states, rng.randint(1, len(states)))))


def _permutation(rng: random.Random, some: tuple[int, ...], domains: list[tuple[int, ...]]) -> Constraint:
    """Two orders, each the inverse of the other, or one that is its own."""
    others = some if rng.random() < 0.4 else tuple(rng.choices(range(len(domains)), k=len(some)))
    return Inverse(some, others, min(domains[some[0]]) - rng.choice((0, 0, 0, 1)))


def _links(rng: random.Random, some: tuple[int, ...], domains: list[tuple[int, ...]]) -> Constraint:
    """Links between few vertices, mostly one or two for a variable."""
    links = []
    for _ in range(rng.randint(1, 8)):
        place = rng.randrange(len(some))
        links.append((place, rng.choice(domains[some[place]]), *rng.choices(range(4), k=2)))
    return Acyclic(some, tuple(links), rng.random() < 0.5)


def _diagram(rng: random.Random, some: tuple[int, ...], domains: list[tuple[int, ...]]) -> Constraint:
    """Often each value leads to one node, and the last variable follows from the node."""
    variables = (*some, rng.randrange(len(domains)))
    has_one_way, nodes = rng.random() < 0.7, range(rng.randint(1, 3))
    layers = []
    for v in variables[:-1]:
        ways = [(node, value) for node in nodes for value in domains[v] if rng.random() < 0.9]
        layers.append(tuple((*way, rng.choice(nodes)) for way in ways for _ in range(2 - has_one_way)))
    last = [(node, rng.choice(domains[variables[-1]]), 0) for node in nodes for _ in range(2 - has_one_way)]
    return Diagram(variables, (*layers, tuple(last)))


def _table(rng: random.Random, some: tuple[int, ...], domains: list[tuple[int, ...]]) -> Constraint:
    rows = {tuple(rng.choice(domains[v]) for v in some) for _ in range(rng.randint(1, 12))}
    return Table(some, tuple(sorted(rows)), allowed=rng.random() < 0.7)


def _global(rng: random.Random, some: tuple[int, ...], domains: list[tuple[int, ...]]) -> Constraint:
    value, other = rng.choice(domains[some[0]]), rng.randrange(len(domains))
    if rng.random() < 0.4:
        values = (value,) if rng.random() < 0.5 else tuple(dict.fromkeys((value, *domains[other])))
        return Count(some, values, other)
    if rng.random() < 0.4:
        lows = {x: rng.choice((0, 0, 1)) for v in some[:2] for x in domains[v]}
        return GlobalCardinality(some, tuple((x, low, low + rng.randint(0, 2)) for x, low in lows.items()))
    return AllDifferent(tuple(dict.fromkeys(some)), (value,) if rng.random() < 0.3 else ())


def _of_words(rng: random.Random, some: tuple[int, ...], domains: list[tuple[int, ...]]) -> Constraint:
    others = tuple(rng.choices(range(len(domains)), k=len(some)))
    if rng.random() < 0.4:
        return LexLess(some, others, rng.random() < 0.5)
    if rng.random() < 0.5:
        return Element(others[0], some, rng.choice(some), min(domains[others[0]]) + rng.choice((-1, 0, 0)))
    return Product(some[: rng.choice((1, 2, 2, 3))], others[0])


def _reified(rng: random.Random, some: tuple[int, ...], domains: list[tuple[int, ...]]) -> Constraint:
    """A sum, a clause, a table or different values, often one that depends on a variable."""
    kind = rng.randrange(6)
    if kind < 2:
        plain = _table(rng, some, domains) if kind else AllDifferent(some, rng.choice(((), domains[0][:1])))
        return Reified(plain, rng.randrange(len(domains)))
    weights = tuple(rng.randint(-2, 2) for _ in some)
    total = sum(w * rng.choice(domains[v]) for w, v in zip(weights, some, strict=True))
    literals = tuple((v, rng.choice(domains[v]), rng.random() < 0.5) for v in some)
    linear = Linear(weights, some, rng.choice(("=", "!=", "<=")), total)
    plain = linear if rng.random() < 0.5 else Clause(literals)
    return Reified(plain, rng.randrange(len(domains))) if rng.random() < 0.4 else plain
