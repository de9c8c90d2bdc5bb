"""Questions about graphs by their definitions: all colourings, all subsets, all walks. Imports nothing of ours.

A graph is the number of its vertices and a list of pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence, Set
from itertools import combinations, permutations, product

Edges = Sequence[tuple[int, int]]
Square = tuple[int, int]


def colorings(n: int, edges: Edges, colors: int) -> int:
    return sum(all(row[a] != row[b] for a, b in edges) for row in product(range(colors), repeat=n))


def subsets(n: int) -> Iterator[frozenset[int]]:
    for size in range(n + 1):
        yield from map(frozenset, combinations(range(n), size))


def independent_sets(n: int, edges: Edges) -> list[frozenset[int]]:
    return [chosen for chosen in subsets(n) if not any(a in chosen and b in chosen for a, b in edges)]


def cliques(n: int, edges: Edges) -> list[frozenset[int]]:
    joined = {frozenset(edge) for edge in edges}
    return [
        chosen for chosen in subsets(n) if all(frozenset(pair) in joined for pair in combinations(chosen, 2))
    ]


def dominating_sets(n: int, edges: Edges) -> list[frozenset[int]]:
    near = neighbours(n, edges)
    return [chosen for chosen in subsets(n) if all(v in chosen or near[v] & chosen for v in range(n))]


def vertex_covers(n: int, edges: Edges) -> list[frozenset[int]]:
    return [chosen for chosen in subsets(n) if all(a in chosen or b in chosen for a, b in edges)]


def vertex_sets(
    n: int, edges: Edges, inside: Container[int], outside: Container[int]
) -> list[frozenset[int]]:
    """Sets of vertices; inside, outside: the numbers of neighbours in the set that a vertex may have."""
    near = neighbours(n, edges)
    return [
        chosen
        for chosen in subsets(n)
        if all(len(near[v] & chosen) in (inside if v in chosen else outside) for v in range(n))
    ]


def edge_sets(n: int, edges: Edges, numbers: Container[int]) -> list[frozenset[int]]:
    return [
        chosen
        for chosen in subsets(len(edges))
        if all(degree in numbers for degree in degrees(n, edges, chosen))
    ]


def connected(n: int, edges: Edges, sets: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    """The sets of vertices, not empty, that hang together."""
    return [
        one
        for one in sets
        if one and hang_together([*((v, v) for v in sorted(one)), *(e for e in edges if one.issuperset(e))])
    ]


def induced(edges: Edges, sets: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    """The sets of edges that have all edges between their vertices."""
    return [
        one
        for one in sets
        if all(
            e in one or not {end for k in one for end in edges[k]}.issuperset(edges[e])
            for e in range(len(edges))
        )
    ]


def orientations(
    n: int, edges: Edges, out: Container[int], *, acyclic: bool = False, eulerian: bool = False
) -> set[tuple[int, ...]]:
    """Rows with 0 for an edge as it is written, 1 for one that is turned around."""
    found = set()
    for row in product((0, 1), repeat=len(edges)):
        arcs = [(b, a) if turned else (a, b) for (a, b), turned in zip(edges, row, strict=True)]
        ways_out = [sum(a == v for a, _ in arcs) for v in range(n)]
        ways_in = [sum(b == v for _, b in arcs) for v in range(n)]
        left = arcs
        while (fewer := [(a, b) for a, b in left if b in {start for start, _ in left}]) != left:
            left = fewer
        if (
            all(number in out for number in ways_out)
            and not (acyclic and left)
            and not (eulerian and ways_out != ways_in)
        ):
            found.add(row)
    return found


def graceful_labelings(n: int, edges: Edges) -> set[tuple[int, ...]]:
    wanted = list(range(1, len(edges) + 1))
    rows = permutations(range(len(edges) + 1), n)
    return {row for row in rows if sorted(abs(row[a] - row[b]) for a, b in edges) == wanted}


def matchings(n: int, edges: Edges) -> list[frozenset[int]]:
    return [chosen for chosen in subsets(len(edges)) if max(degrees(n, edges, chosen)) <= 1]


def cycles(n: int, edges: Edges) -> list[frozenset[int]]:
    return connected_with(n, edges, lambda degree: set(degree) <= {0, 2})


def paths(n: int, edges: Edges) -> list[frozenset[int]]:
    return connected_with(n, edges, lambda degree: max(degree) <= 2 and degree.count(1) == 2)


def forests(n: int, edges: Edges) -> list[frozenset[int]]:
    """Sets of edges of which no subset has two edges at each vertex that it reaches, or none."""
    found = []
    for chosen in subsets(len(edges)):
        left = set(chosen)
        while leaves := edges_of_leaves(n, edges, left):
            left -= leaves
        if not left:
            found.append(chosen)
    return found


def edges_of_leaves(n: int, edges: Edges, chosen: Set[int]) -> set[int]:
    ends = degrees(n, edges, chosen)
    return {e for e in chosen if 1 in [ends[v] for v in edges[e]]}


def spanning_trees(n: int, edges: Edges) -> list[frozenset[int]]:
    if n == 1:
        return [frozenset()]
    found = connected_with(n, edges, lambda degree: min(degree) >= 1)
    return [chosen for chosen in found if len(chosen) == n - 1]


def maximal(sets: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    return [one for one in sets if not any(one < other for other in sets)]


def minimal(sets: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    return [one for one in sets if not any(other < one for other in sets)]


def lightest(sets: Sequence[frozenset[int]], weights: Sequence[int]) -> list[frozenset[int]]:
    sums = [sum(weights[edge] for edge in one) for one in sets]
    return [one for one, total in zip(sets, sums, strict=True) if total == min(sums)]


def in_both(sets: Sequence[frozenset[int]], others: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    known = set(others)
    return [one for one in sets if one in known]


def largest(sets: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    most = max(map(len, sets), default=0)
    return [one for one in sets if len(one) == most]


def smallest(sets: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    least = min(map(len, sets), default=0)
    return [one for one in sets if len(one) == least]


def connected_with(n: int, edges: Edges, fits: Callable[[list[int]], bool]) -> list[frozenset[int]]:
    """Sets of edges, not empty, that hang together and whose numbers of edges at the vertices fit."""
    return [
        chosen
        for chosen in subsets(len(edges))
        if chosen and fits(degrees(n, edges, chosen)) and hang_together([edges[e] for e in chosen])
    ]


def degrees(n: int, edges: Edges, chosen: Set[int]) -> list[int]:
    ends = [0] * n
    for number in chosen:
        for v in set(edges[number]):
            ends[v] += 1
    return ends


def hang_together(edges: Edges) -> bool:
    reached = set(edges[0])
    while True:
        new = {end for edge in edges if reached & set(edge) for end in edge} - reached
        if not new:
            return all(reached & set(edge) for edge in edges)
        reached |= new


def neighbours(n: int, edges: Edges) -> list[set[int]]:
    near: list[set[int]] = [set() for _ in range(n)]
    for a, b in edges:
        near[a].add(b)
        near[b].add(a)
    return near


def hamiltonian_cycles(n: int, edges: Edges) -> int:
    """Walks from vertex 0 through all others and back; each cycle is walked both ways."""
    near = neighbours(n, edges)
    return sum(0 in near[end] for end in walks_through_all(near, 0)) // 2


def hamiltonian_paths(n: int, edges: Edges) -> int:
    """Walks from any vertex through all others; each path is walked both ways."""
    near = neighbours(n, edges)
    return sum(1 for start in range(n) for _ in walks_through_all(near, start)) // 2


def walks_through_all(near: list[set[int]], start: int) -> Iterator[int]:
    """The last vertex of each walk that visits every vertex once."""
    left = set(range(len(near))) - {start}

    def walk(at: int) -> Iterator[int]:
        if not left:
            yield at
        for to in near[at] & left:
            left.remove(to)
            yield from walk(to)
            left.add(to)

    yield from walk(start)


def grid_cycles(rows: int, columns: int) -> int:
    """Hamiltonian cycles of a grid, square by square: which open ends of paths cross the border so far.

    Source of the method: the plug dynamic programming of Simpath (Knuth, TAOCP 7.1.4) for grids.
    """
    states: dict[tuple[str, ...], int] = {(".",) * (columns + 1): 1}
    found = 0
    for place in range(rows * columns):
        row, column = divmod(place, columns)
        if column == 0:
            states = {(".", *state[:-1]): n for state, n in states.items() if state[-1] == "."}
        after: dict[tuple[str, ...], int] = {}
        for state, n in states.items():
            for new, closes in joined(state, column, column + 1 < columns, row + 1 < rows):
                if closes:
                    found += n if place == rows * columns - 1 and set(new) == {"."} else 0
                else:
                    after[new] = after.get(new, 0) + n
        states = after
    return found


def joined(
    state: tuple[str, ...], at: int, may_right: bool, may_down: bool
) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The states after a square with an open end at its left (at) and top (at + 1), or without."""
    left, top = state[at], state[at + 1]

    def put(down: str, right: str) -> tuple[str, ...]:
        return (*state[:at], down, right, *state[at + 2 :])

    if left == top == ".":
        if may_right and may_down:
            yield put("(", ")"), False
    elif left == "." or top == ".":
        end = left if top == "." else top
        if may_down:
            yield put(end, "."), False
        if may_right:
            yield put(".", end), False
    elif (left, top) == ("(", ")"):
        yield put(".", "."), True
    elif left == top:
        bare = list(put(".", "."))
        bare[partner(state, at + 1 if left == "(" else at)] = left
        yield tuple(bare), False
    else:
        yield put(".", "."), False


def partner(state: tuple[str, ...], at: int) -> int:
    """The other end of the path whose one end is here."""
    step = 1 if state[at] == "(" else -1
    depth = 0
    while True:
        depth += {"(": 1, ")": -1, ".": 0}[state[at]]
        if depth == 0:
            return at
        at += step


def hashis(islands: dict[Square, int]) -> int:
    """The ways to build none, one or two bridges between islands that see each other, with no two that cross."""
    spans: dict[tuple[Square, Square], set[Square]] = {}
    for one, other in combinations(sorted(islands), 2):
        axis = 0 if one[0] == other[0] else 1
        steps = range(one[1 - axis] + 1, other[1 - axis])
        between = {(one[0], step) if axis == 0 else (step, one[1]) for step in steps}
        if one[axis] == other[axis] and between.isdisjoint(islands):
            spans[one, other] = between

    def is_right(built: dict[tuple[Square, Square], int]) -> bool:
        numbers = {island: sum(n for ends, n in built.items() if island in ends) for island in islands}
        some = [ends for ends, n in built.items() if n]
        reached = {min(islands)}
        for _ in islands:
            reached |= {end for ends in some if not reached.isdisjoint(ends) for end in ends}
        apart = all(spans[one].isdisjoint(spans[other]) for one, other in combinations(some, 2))
        return numbers == islands and reached == islands.keys() and apart

    ways = product(range(3), repeat=len(spans))
    return sum(is_right(dict(zip(spans, numbers, strict=True))) for numbers in ways)
