"""Problems of any size for the tests of constraint satisfaction problems, and what the engine `csp` lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from rekkyo.engines.csp.propagating.engine import CspSearch
from rekkyo.model.csp.constraints import Circuit
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.problem import Problem
from tests.engines.listing_contract import list_all


def listed(model: Csp, at_least: int = 1) -> list[tuple[int, ...]]:
    """The rows in lexicographic order. at_least: shards."""
    return sorted(list_all(CspSearch(), model, at_least, 5, 40))


def latin_square(n: int, corner: int | None = None) -> Csp:
    """corner: a given number of the first cell."""
    problem = Problem()
    rows = [problem.variables([f"{r},{c}" for c in range(n)], range(1, n + 1)) for r in range(n)]
    for line in (*rows, *zip(*rows, strict=True)):
        problem.all_different(line)
    if corner is not None:
        problem.sum(rows[0][:1], "=", corner)
    return problem.model(grid=(n, n))


def queens(n: int) -> Csp:
    problem = Problem()
    columns = problem.variables([f"row {r}" for r in range(n)], range(n))
    problem.all_different(columns)
    for one, other in combinations(range(n), 2):
        for step in (other - one, one - other):
            problem.linear((1, -1), (columns[one], columns[other]), "!=", step)
    return problem.model()


def costas(n: int) -> Csp:
    """Hidden variables are the differences."""
    problem = Problem()
    dots = problem.variables([f"column {c}" for c in range(n)], range(n))
    problem.all_different(dots)
    for distance in range(1, n - 1):
        steps = [problem.hidden(range(-n, n)) for _ in range(n - distance)]
        for at, step in enumerate(steps):
            problem.linear((1, -1, -1), (dots[at + distance], dots[at], step), "=", 0)
        problem.all_different(steps)
    return problem.model()


def hamiltonian_cycles(rows: int, columns: int) -> Csp:
    """Each cycle once in each direction."""
    problem = Problem()
    places = [(r, c) for r in range(rows) for c in range(columns)]
    for r, c in places:
        beside = [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
        problem.variable(f"{r},{c}", [places.index(place) for place in beside if place in places])
    problem.circuit(range(len(places)))
    return problem.model()


def grid_cycles(rows: int, columns: int) -> Csp:
    """Cycles through some points: each edge there and back, each longer one in both directions, and none."""
    model = hamiltonian_cycles(rows, columns)
    domains = tuple(tuple(sorted({i, *domain})) for i, domain in enumerate(model.domains))
    return replace(
        model, domains=domains, constraints=(Circuit(tuple(range(len(domains))), subcircuit=True),)
    )


def single_loops(rows: int, columns: int) -> Csp:
    """The edges of each cycle through some points, and those of none; successors are hidden."""
    return _edges_of_cycles([list(domain) for domain in grid_cycles(rows, columns).domains])


def single_loops_through_all(rows: int, columns: int) -> Csp:
    """The edges of each cycle through all points; successors are hidden."""
    ways = grid_cycles(rows, columns).domains
    return _edges_of_cycles([[j for j in way if j != i] for i, way in enumerate(ways)])


def _edges_of_cycles(ways: Sequence[Sequence[int]]) -> Csp:
    """The edges of cycles. ways: the points after each point, and itself if the cycle need not pass it."""
    problem = Problem()
    edges = [(i, j) for i, way in enumerate(ways) for j in way if i < j]
    drawn = [problem.variable(f"{i}-{j}", (0, 1)) for i, j in edges]
    after = [problem.hidden(way) for way in ways]
    for (i, j), edge in zip(edges, drawn, strict=True):
        pairs = [(x, y, int(x == j or y == i)) for x in ways[i] for y in ways[j] if (x, y) != (j, i)]
        problem.table((after[i], after[j], edge), pairs)
    for i, v in enumerate(after):
        here = [edge for edge, ends in zip(drawn, edges, strict=True) if i in ends]
        is_on = problem.hidden((0, 1) if i in ways[i] else (1,))
        problem.table((v, is_on), [(x, int(x != i)) for x in ways[i]])
        problem.linear([*[1] * len(here), -2], [*here, is_on], "=", 0)
    problem.circuit(after, subcircuit=any(i in way for i, way in enumerate(ways)))
    return problem.model()


def magic_square(n: int) -> Csp:
    problem = Problem()
    rows = [problem.variables([f"{r},{c}" for c in range(n)], range(1, n * n + 1)) for r in range(n)]
    problem.all_different([cell for row in rows for cell in row])
    diagonals = [[rows[k][k] for k in range(n)], [rows[k][n - 1 - k] for k in range(n)]]
    for line in (*rows, *zip(*rows, strict=True), *diagonals):
        problem.sum(line, "=", n * (n * n + 1) // 2)
    return problem.model()


def golomb_ruler(marks: int, longest: int) -> Csp:
    """The shortest rulers; every distance is another one."""
    problem = Problem()
    at = problem.variables([f"mark {k}" for k in range(marks)], range(longest + 1))
    problem.sum(at[:1], "=", 0)
    distances = []
    for one, other in combinations(range(marks), 2):
        distances.append(problem.hidden(range(1, longest + 1)))
        problem.linear((1, -1, -1), (at[other], at[one], distances[-1]), "=", 0)
    problem.all_different(distances)
    problem.minimize(at[-1])
    return problem.model()
