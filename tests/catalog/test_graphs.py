"""Questions about graphs agree with definitions, published counts, and symmetry found by trying all
permutations.
"""

from __future__ import annotations

from itertools import combinations, permutations
from math import factorial
from typing import Any

import pytest
from hypothesis import given, settings

import rekkyo as rk
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from tests import made_once as st
from tests import naive_graphs as naive
from tests.catalog.graph_questions import OF_EDGES, OF_VERTICES, OF_WEIGHTS, graphs
from tests.render.pictures import texts


def sets_of(puzzle: rk.Puzzle) -> set[frozenset[int]]:
    rows = list(rk.solve(puzzle, workers=1))
    if isinstance(puzzle.model, ExactCover):
        sets = [frozenset(number for number in row if number < len(puzzle.model.options)) for row in rows]
    else:
        sets = [frozenset(place for place, value in enumerate(row) if value) for row in rows]
    assert len(set(sets)) == len(sets)
    return set(sets)


def number_of_orbits(graph: rk.Graph, found: set[frozenset[int]], name: str) -> int:
    """Try all permutations of the vertices that keep the edges, their weights, and the ends that are given."""
    n, number = len(graph.names), {frozenset(edge): k for k, edge in enumerate(graph.edges)}
    weights = dict(zip(number, graph.weights or (0,) * len(number), strict=True))
    ends = set(range(1 if "one of them given" in name else 2 if "between two" in name else 0))
    moves = [
        p
        for p in permutations(range(n))
        if {frozenset(p[v] for v in edge): weight for edge, weight in weights.items()} == weights
        and {p[v] for v in ends} == ends
    ]
    left, orbits = set(found), 0
    while left:
        one = min(left, key=sorted)
        orbits += 1
        for p in moves:
            moved = (number.get(frozenset(p[v] for v in graph.edges[k]), -1) for k in one if name in OF_EDGES)
            left.discard(frozenset(moved if name in OF_EDGES else (p[v] for v in one)))
    return orbits


@pytest.mark.parametrize("name", [*OF_VERTICES, *OF_EDGES])
@settings(max_examples=15)
@given(graph=graphs())
def test_every_question_by_its_definition(name: str, graph: rk.Graph) -> None:
    ask, by_definition = {**OF_VERTICES, **OF_EDGES}[name]
    wanted = set(by_definition(len(graph.names), graph.edges))
    puzzle = ask(graph)
    assert sets_of(puzzle) == wanted
    if puzzle.knows_symmetry and "line graph" not in name:
        assert rk.count(puzzle, workers=1).unique == number_of_orbits(graph, wanted, name)


@pytest.mark.parametrize(
    "name", ["matchings", "perfect matchings", "paths between two, one of them given", "forests"]
)
@settings(max_examples=10)
@given(graph=graphs(), data=st.data())
def test_classes_keep_weights_that_are_not_compared(name: str, graph: rk.Graph, data: st.DataObject) -> None:
    n_edges = len(graph.edges)
    weights = data.draw(st.lists(st.integers(0, 1), min_size=n_edges, max_size=n_edges))
    weighted = rk.Graph(graph.names, graph.edges, tuple(weights))
    ask, by_definition = OF_EDGES[name]
    wanted = set(by_definition(len(graph.names), graph.edges))
    assert rk.count(ask(weighted), workers=1).unique == number_of_orbits(weighted, wanted, name)


def test_the_weights_of_a_triangle_distinguish_its_edges() -> None:
    graph = rk.Graph(("a", "b", "c"), ((0, 1), (0, 2), (1, 2)), (2, 1, 1))
    assert rk.count(graph.matchings()).unique == 3  # the empty one, the edge of weight 2, one of weight 1
    assert rk.count(graph.paths(hamiltonian=False, start="a")).unique == 4  # ab, abc, ac, acb


@pytest.mark.parametrize(
    "name", sorted(name for name in OF_EDGES if "line graph" not in name and "between two" not in name)
)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_without_edges_the_empty_set_may_be_a_solution(name: str, n: int) -> None:
    ask, by_definition = OF_EDGES[name]
    puzzle = ask(rk.Graph(tuple(map(str, range(n))), ()))
    assert sets_of(puzzle) == set(by_definition(n, ()))
    assert rk.count(puzzle).total == len(by_definition(n, ()))


@pytest.mark.parametrize("name", OF_WEIGHTS)
@settings(max_examples=10)
@given(graph=graphs(), data=st.data())
def test_the_least_sum_of_weights(name: str, graph: rk.Graph, data: st.DataObject) -> None:
    n_edges = len(graph.edges)
    weights = data.draw(st.lists(st.integers(-2, 5), min_size=n_edges, max_size=n_edges))
    ask, compared = OF_WEIGHTS[name]
    found = sets_of(ask(rk.Graph(graph.names, graph.edges, tuple(weights))))
    assert found == set(naive.lightest(compared(len(graph.names), graph.edges), weights))


def test_weights_restrict_symmetry() -> None:
    """Two of the three perfect matchings of K4 have the greatest sum; a triangle of equal weights stays."""
    pairs = [("a", "b", 1), ("b", "c", 1), ("c", "a", 1), ("a", "d", 3), ("b", "d", 3), ("c", "d", 3)]
    equal = rk.count(rk.graph(pairs).spanning_trees(minimum=True))
    assert (equal.total, equal.unique, equal.optimum) == (9, 2, 5)
    other = rk.count(rk.graph([("a", "b", 0), *pairs[1:]]).matchings(perfect=True, maximum=True))
    assert (other.total, other.unique, other.optimum) == (2, 1, 4)


def test_an_edge_of_weight_zero_is_not_exchanged_with_no_edge() -> None:
    """The best sets may have an edge of weight 0 or not, and no symmetry of the graph makes one of the other."""
    graph = rk.graph([("a", "b", 0), ("c", "d", 2), ("d", "e", -2)])
    for puzzle in (graph.edge_sets(minimum=True), graph.matchings(maximum=True)):
        found = rk.count(puzzle, up_to="symmetry")
        assert (found.total, found.unique) == (2, 2)
    assert rk.count(graph.edge_sets(minimum=True), up_to="constraints").unique == 1


@pytest.mark.parametrize("n", [5, 9])
def test_words_for_symmetry_mean_the_same_for_every_size(n: int) -> None:
    """Two edges meet or do not, but without a rule any edges may be exchanged. For K9 both are too many to list."""
    puzzle = rk.graph(named=f"complete {n}").edge_sets(size=2)
    assert [rk.count(puzzle, up_to=word).unique for word in ("graph", "constraints")] == [2, 1]


def test_the_heaviest_maximal_matchings_are_maximal() -> None:
    """Without the edge of weight -1 the sum is greater, but then the edge can be added."""
    graph = rk.graph([("a", "b", -1), ("c", "d", 2)])
    assert sets_of(graph.matchings(maximal=True, maximum=True)) == {frozenset((0, 1))}
    assert sets_of(graph.matchings(maximum=True)) == {frozenset((1,))}


def test_bad_weights_are_refused() -> None:
    for edges, complaint in (
        ([("a", "b", 1), ("b", "c")], "this edge has no weight, but those before it have some"),
        ([("a", "b", 1.5)], "or triples with a weight, a whole number"),
        ([("a", "b", 1, 2)], "or triples with a weight, a whole number"),
    ):
        with pytest.raises(rk.BadInput, match=complaint):
            rk.graph(edges)
    with pytest.raises(rk.BadInput, match="2 weights for 1 edge;"):
        rk.Graph(("a", "b"), ((0, 1),), (1, 2))
    with pytest.raises(rk.BadInput, match="the sums of weights go from 0 to 100000, and at most 65536"):
        rk.graph([("a", "b", 100000)]).edge_sets(maximum=True)
    heavy = rk.graph([("a", "b", 10**9 + 1)])
    with pytest.raises(
        rk.BadInput, match="graph: a weight that is compared is a whole number from -1000000000"
    ):
        heavy.spanning_trees(minimum=True)
    assert rk.count(heavy.spanning_trees()).total == 1


@pytest.mark.parametrize("names", [("a", "a ~", "b"), ("~3", "~4", "~5")])
def test_no_name_of_a_vertex_is_that_of_a_hidden_variable(names: tuple[str, str, str]) -> None:
    """A triangle, whose vertices each dominate it, and whose edges may have the differences 1, 2 and 3."""
    triangle = rk.graph(list(combinations(names, 2)))
    assert sets_of(triangle.dominating_sets(minimal=True)) == {frozenset((v,)) for v in range(3)}
    labelings = naive.graceful_labelings(3, triangle.edges)
    assert rk.count(triangle.graceful_labelings()).total == len(labelings)


@given(graphs())
@settings(max_examples=15)
def test_graceful_labelings_by_definition(graph: rk.Graph) -> None:
    puzzle = graph.graceful_labelings()
    wanted = naive.graceful_labelings(len(graph.names), graph.edges)
    assert isinstance(puzzle.model, Csp)
    values = puzzle.model.values
    rows = list(rk.solve(puzzle, up_to="none", workers=1))
    assert len(rows) == len(wanted)
    assert {tuple(values[number] for number in row) for row in rows} == wanted


@pytest.mark.parametrize("engine", ["csp", "csp-plain"])
def test_graceful_labelings_of_paths_and_a_complete_graph(engine: str) -> None:
    """OEIS A006967 counts graceful permutations. K4 has the labels 0 1 4 6 and their complement, in any
    order.
    """
    for n, total in enumerate([1, 2, 4, 4, 8, 24, 32, 40, 120][: 9 if engine == "csp" else 6], 1):
        puzzle = (
            rk.graph(named=f"path {n}").graceful_labelings() if n > 1 else rk.graph("a").graceful_labelings()
        )
        assert rk.count(puzzle, up_to="none", engine=engine).total == total
    four = rk.graph(named="complete 4").graceful_labelings()
    assert rk.count(four, up_to="none", engine=engine).total == 48


@pytest.mark.parametrize("engine", ["csp", "csp-frontier"])
def test_graphs_with_given_degrees(engine: str) -> None:
    """OEIS A006129 and A002494: no isolated vertex. A001187, A001349: connected. A006125, A000088: all.
    A002854: even degrees, though those of K5 also have the complement as a symmetry. A001205: a 2-regular graph.
    """
    for n, numbers in {
        3: [(4, 2), (4, 2), (8, 4), (2, 2), (1, 1)],
        4: [(41, 7), (38, 6), (64, 11), (8, 3), (3, 1)],
        5: [(768, 23), (728, 21), (1024, 34), (64, 7), (12, 1)],
        6: [(27449, 122), (26704, 112), (32768, 156), (1024, 16), (70, 2)],
    }.items():
        complete, some = rk.graph(named=f"complete {n}"), range(1, n)
        puzzles = [
            complete.edge_sets(degrees=some),
            complete.edge_sets(degrees=some, connected=True),
            complete.edge_sets(),
            complete.edge_sets(degrees=range(0, n, 2)),
            complete.edge_sets(degrees=(2,)),
        ]
        for puzzle, (total, unique) in zip(puzzles, numbers, strict=True):
            counted = rk.count(puzzle, engine=engine)
            assert (counted.total, counted.unique) == (total, unique), (n, puzzle.title)


def test_induced_cycles_and_paths_of_a_hypercube() -> None:
    """The 24 squares, 32 hexagons and 168 octagons of the 4-cube. The longest path ("snake") has 7 edges."""
    cube = rk.graph(named="hypercube 4")
    ways = cube.cycles(induced=True), cube.vertex_sets(inside=(2,), connected=True)
    assert [(rk.count(puzzle).total, rk.count(puzzle).unique) for puzzle in ways] == [(224, 5)] * 2
    assert [rk.count(cube.cycles(induced=True, size=size)).total for size in (4, 6, 8)] == [24, 32, 168]
    snakes = rk.count(cube.paths(induced=True, maximum=True))
    assert snakes.optimum == 7


def test_labels_are_drawn_below_names() -> None:
    puzzle = rk.graph("a b\nb c").graceful_labelings()
    row = next(iter(rk.solve(puzzle, up_to="none", workers=1)))
    assert rk.board(puzzle, row).split("\n") == [f"{name} = {row[k]}" for k, name in enumerate("abc")]
    assert [text.text for text in texts(rk.svg(puzzle, row))][-6:] == [
        text for k, name in enumerate("abc") for text in (name, str(row[k]))
    ]


PETERSEN = rk.graph(named="petersen")


class TestPetersen:
    def test_vertices(self) -> None:
        n, edges = 10, PETERSEN.edges
        sets = naive.independent_sets(n, edges)
        figures = (
            naive.colorings(n, edges, 3),
            len(sets),
            len(naive.largest(sets)),
            len(naive.maximal(sets)),
        )
        assert figures == (120, 76, 5, 15)
        asked = (
            PETERSEN.colorings(3),
            PETERSEN.independent_sets(),
            PETERSEN.independent_sets(maximum=True),
            PETERSEN.independent_sets(maximal=True),
        )
        assert tuple(rk.count(puzzle).total for puzzle in asked) == figures

    def test_edges(self) -> None:
        n, edges = 10, PETERSEN.edges
        perfect = [chosen for chosen in naive.matchings(n, edges) if len(chosen) == 5]
        trees = naive.spanning_trees(n, edges)
        figures = (
            len(perfect),
            naive.hamiltonian_cycles(n, edges),
            naive.hamiltonian_paths(n, edges),
            len(trees),
        )
        assert figures == (6, 0, 120, 2000)  # 240 paths when both directions count
        asked = (
            PETERSEN.matchings(perfect=True),
            PETERSEN.cycles(),
            PETERSEN.paths(),
            PETERSEN.spanning_trees(),
        )
        assert tuple(rk.count(puzzle).total for puzzle in asked) == figures

    def test_its_group_has_order_120(self) -> None:
        found = rk.own_symmetry(PETERSEN.paths().model)
        assert (found.order, found.trouble) == (120, "")


# OEIS A003763
@pytest.mark.parametrize(("n", "total"), [(2, 1), (4, 6), (6, 1072)])
def test_hamiltonian_cycles_of_grids(n: int, total: int) -> None:
    grid = rk.graph(named=f"grid {n} {n}")
    assert naive.grid_cycles(n, n) == total
    if n < 6:
        assert naive.hamiltonian_cycles(n * n, grid.edges) == total
    assert rk.count(grid.cycles()).total == total


# (n - 1)! / 2
@pytest.mark.parametrize("n", range(3, 8))
def test_hamiltonian_cycles_of_complete_graphs(n: int) -> None:
    graph = rk.graph(named=f"complete {n}")
    assert naive.hamiltonian_cycles(n, graph.edges) == factorial(n - 1) // 2
    assert rk.count(graph.cycles(), up_to="none").total == factorial(n - 1) // 2


# Cayley 1889: n^(n-2). OEIS A000272
@pytest.mark.parametrize("n", range(1, 7))
def test_spanning_trees_of_complete_graphs(n: int) -> None:
    assert rk.count(rk.graph(named=f"complete {n}").spanning_trees(), up_to="none").total == n ** (n - 2)


# OEIS A007764: paths from a corner of a grid to the opposite one
@pytest.mark.parametrize(("n", "total"), [(2, 2), (3, 12), (4, 184)])
def test_paths_between_corners(n: int, total: int) -> None:
    grid = rk.graph(named=f"grid {n} {n}")
    puzzle = grid.paths(hamiltonian=False, between=("0,0", f"{n - 1},{n - 1}"))
    assert rk.count(puzzle).total == total


def test_edges_out_of_reach_are_not_searched() -> None:
    """OEIS A038373: self-avoiding walks of 4 steps in a quarter of the plane, on two boards that have room."""
    counted = [
        rk.count(rk.graph(named=name).paths(start="0,0", size=4), engine="csp", up_to="none")
        for name in ("grid 6 6", "grid 12 12")
    ]
    assert [found.total for found in counted] == [24, 24]
    assert counted[0].nodes == counted[1].nodes


def test_self_avoiding_walks() -> None:
    """OEIS A001411, A001334 and A001668: on the square, triangular and hexagonal lattice."""

    def walks(steps: list[list[tuple[int, int]]], n: int) -> int:
        """steps: from the points whose coordinates have an even and an odd sum."""
        near: dict[tuple[int, int], list[tuple[int, int]]] = {}
        new = {(0, 0)}
        for _ in range(n):
            near |= {(a, b): [(a + c, b + d) for c, d in steps[(a + b) % 2]] for a, b in new}
            new = {other for point in new for other in near[point]} - near.keys()
        edges = {tuple(sorted((point, other))) for point in near for other in near[point]}
        return rk.count(rk.graph(edges).paths(size=n, start=(0, 0))).total

    square = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    triangular = [*square, (1, -1), (-1, 1)]
    assert [walks([square] * 2, n) for n in range(1, 5)] == [4, 12, 36, 100]
    assert [walks([triangular] * 2, n) for n in range(1, 4)] == [6, 30, 138]
    assert [walks([square[:3], [*square[2:], square[0]]], n) for n in range(1, 6)] == [3, 6, 12, 24, 48]


@pytest.mark.parametrize(
    ("edges", "between"),
    [
        ([(0, 1), (1, 2), (2, 0)], (0, 2)),
        ([(0, 1), (1, 2), (2, 0)], ("0", 2)),
        ([((0, 0), (0, 1)), ((0, 1), (1, 1)), ((1, 1), (0, 0))], ((0, 0), (1, 1))),
    ],
)
def test_ends_of_paths_as_the_graph_took_them(edges: list[tuple[Any, Any]], between: tuple[Any, Any]) -> None:
    """A triangle has two paths between two vertices."""
    assert rk.count(rk.graph(edges).paths(hamiltonian=False, between=between)).total == 2


# OEIS A006506
@pytest.mark.parametrize(("n", "total"), [(1, 2), (2, 7), (3, 63), (4, 1234)])
def test_independent_sets_of_grids(n: int, total: int) -> None:
    assert rk.count(rk.graph(named=f"grid {n} {n}").independent_sets()).total == total


class TestNames:
    def test_solutions_name_vertices_and_edges(self) -> None:
        graph = rk.graph("a b\nb c")
        puzzle = graph.colorings(2)
        assert {rk.board(puzzle, row) for row in rk.solve(puzzle)} == {"1: a c\n2: b", "1: b\n2: a c"}
        sets = graph.independent_sets(size=2)
        assert [rk.board(sets, row) for row in rk.solve(sets)] == ["#: a c"]
        matchings = rk.graph("a b\nc d").matchings(perfect=True)
        assert [rk.board(matchings, row) for row in rk.solve(matchings)] == ["a b\nc d"]
        trees = graph.spanning_trees()
        assert isinstance(trees.model, Csp)
        assert trees.model.names[:2] == ("a-b", "b-c")
        spanning = rk.graph("a b\nb c").spanning_trees()
        assert [rk.board(spanning, row) for row in rk.solve(spanning)] == ["#: a-b b-c"]
        maximum = graph.independent_sets(maximum=True)
        assert [rk.board(maximum, row) for row in rk.solve(maximum)] == ["#: a c"]

    def test_sets_of_squares_are_drawn_on_their_board(self) -> None:
        kings = rk.graph(named="king 3 3").independent_sets(maximum=True)
        assert [rk.board(kings, row) for row in rk.solve(kings)] == ["# . #\n. . .\n# . #"]

    def test_vertices_of_named_graphs_are_in_order(self) -> None:
        assert rk.graph(named="prism 3").names == tuple("012345")

    def test_titles(self) -> None:
        assert PETERSEN.cycles().title == "Hamiltonian cycles of a graph of 10 vertices and 15 edges"
        maximum = PETERSEN.cliques(maximum=True)
        assert maximum.title == "Maximum cliques of a graph of 10 vertices and 15 edges"


class TestParts:
    def test_complement_and_line_graph(self) -> None:
        path = rk.graph("a b\nb c\nc d")
        assert path.complement().edge_names == ("a-c", "a-d", "b-d")
        assert path.line_graph().names == ("a-b", "b-c", "c-d")
        assert path.line_graph().edges == ((0, 1), (1, 2))

    def test_the_line_graph_of_k5_is_the_complement_of_petersens_graph(self) -> None:
        line = rk.graph(named="complete 5").line_graph()
        assert rk.count(line.complement().colorings(3)).total == 120
