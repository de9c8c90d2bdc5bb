"""Perfect matchings of planar graphs: the definition, published counts, symmetries, refusals, and the choice."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from math import cos, isclose, log, pi
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.contract import WHOLE, no_pause
from rekkyo.engines.covers.memo.engine import CoverMemo
from rekkyo.engines.crew import ALONE
from rekkyo.engines.determinants import matchings
from rekkyo.engines.determinants.matchings import CoverDeterminant
from rekkyo.engines.registry import engines_for, listing_engines_for
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover
from tests import naive_cover
from tests.engines.covers_counted import cover, total_of

ENGINE = CoverDeterminant()


def matching_models() -> st.SearchStrategy[ExactCover]:
    """Covers by options of one or two items, some of which need not be covered; a pair may come twice."""

    @st.composite
    def drawn(draw: st.DrawFn) -> ExactCover:
        n_primary, n_secondary = draw(st.integers(1, 7)), draw(st.integers(0, 2))
        n = n_primary + n_secondary
        pairs = [pair for pair in combinations(range(n), 2) if pair[0] < n_primary]
        chosen = draw(st.lists(st.sampled_from(pairs or [(0,)]), max_size=13))
        singles = draw(st.lists(st.integers(0, n_primary - 1), max_size=2))
        options = [*chosen, *((single,) for single in singles)]
        lows = draw(st.lists(st.sampled_from([1, 1, 1, 0]), min_size=n_primary, max_size=n_primary))
        return ExactCover(
            tuple(f"p{k}" for k in range(n_primary)),
            tuple(f"s{k}" for k in range(n_secondary)),
            tuple(tuple((item, 0) for item in option) for option in options),
            tuple((low, 1) for low in lows),
        )

    return drawn()


@pytest.mark.kernel
@given(model=matching_models())
def test_counts_the_matchings_of_planar_graphs(model: ExactCover) -> None:
    """Or refuses. Vertices that may stay alone have to be in one face."""
    try:
        found = total_of(ENGINE, model)
    except EngineRefuses as refusal:
        assert "planar" in str(refusal)
    else:
        assert found == len(naive_cover.solutions(model))


def graph_of(edges: object) -> rk.Puzzle:
    return rk.graph(edges=edges).matchings(perfect=True)


def test_graphs_that_are_not_bipartite() -> None:
    """A wheel with five spokes, and the complete graph of four vertices."""
    wheel = [*((str(k), str((k + 1) % 5)) for k in range(5)), *((str(k), "hub") for k in range(5))]
    assert rk.count(graph_of(wheel), engine=ENGINE.name, up_to="none").total == 5
    assert rk.count(graph_of(list(combinations("abcd", 2))), engine=ENGINE.name, up_to="none").total == 3


def buckyball() -> list[tuple[str, str]]:
    """The truncated icosahedron: a vertex for each end of an edge of the icosahedron."""
    golden = (1 + 5**0.5) / 2
    corners = [
        tuple(p[(k - turn) % 3] for k in range(3))
        for p in [(0, a, b * golden) for a in (1, -1) for b in (1, -1)]
        for turn in range(3)
    ]
    near = [
        [
            j
            for j, other in enumerate(corners)
            if isclose(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)), 4)
        ]
        for one in corners
    ]
    across = [(f"{i} {j}", f"{j} {i}") for i in range(12) for j in near[i] if i < j]
    around = [
        (f"{i} {j}", f"{i} {k}") for i in range(12) for j, k in combinations(near[i], 2) if k in near[j]
    ]
    return across + around


def test_the_buckyball_has_12500_perfect_matchings() -> None:
    """D. Vukičević, "Anti-Kekulé number of fullerenes" (2005), and many others."""
    edges = buckyball()
    assert len(edges) == 90
    assert rk.count(graph_of(edges), engine=ENGINE.name).total == 12500


@pytest.mark.parametrize(
    ("words", "total"),
    [
        ("dominoes 8 8", 12988816),  # Kasteleyn 1961
        ("dominoes 12 12", 53060477521960000),  # OEIS A004003
        ("dominoes 7 7", 0),
        ("aztec-diamond 16", 2**136),  # Elkies, Kuperberg, Larsen and Propp 1992
        ("dominoes 1 2", 1),
        ("dominoes 2 60", 2504730781961),  # the Fibonacci number F(61)
    ],
)
def test_published_tilings(words: str, total: int) -> None:
    assert rk.count(rk.puzzle(words), engine=ENGINE.name, up_to="none").total == total


def test_tilings_of_a_large_board_agree_with_the_formula() -> None:
    """Kasteleyn 1961: the product of (4 cos² (pi j / (m + 1)) + 4 cos² (pi k / (n + 1)))."""
    total = rk.count(rk.puzzle("dominoes 30 28")).total
    terms = (
        4 * cos(pi * j / 31) ** 2 + 4 * cos(pi * k / 29) ** 2 for j in range(1, 16) for k in range(1, 15)
    )
    assert isclose(sum(map(log, terms)), log(total), rel_tol=1e-12)


@pytest.mark.parametrize(
    "words",
    ["dominoes 6 6", "dominoes 5 6", "dominoes 7 6", "dominoes 2 2", "aztec-diamond 5", "aztec-diamond 6"],
)
def test_tilings_up_to_symmetry(words: str) -> None:
    """Tiles on the axis of a reflection are folded into options for one item."""
    puzzle = rk.puzzle(words)
    found, expected = (rk.count(puzzle, engine=name) for name in (ENGINE.name, "cover-masks"))
    assert (found.total, found.unique) == (expected.total, expected.unique)


@given(model=matching_models(), seed=st.integers(0, 1 << 32))
def test_matchings_that_a_permutation_leaves_unchanged(model: ExactCover, seed: int) -> None:
    """As many as `cover-memo` finds in the folded model, whether the permutation is a symmetry or not."""
    if not model.options:
        return
    rng = random.Random(seed)
    symmetry = tuple(rng.sample(range(len(model.options)), len(model.options)))
    try:
        plan = ENGINE.plan(model)
        found = ENGINE.count(ENGINE.fixed_plan(plan, symmetry), WHOLE, no_pause)
    except EngineRefuses:
        return
    memo = CoverMemo()
    expected = memo.count_fixed(memo.plan(model), symmetry, no_pause, ALONE)
    assert expected is not None
    assert found.total == expected.total


def test_folded_options_of_four_items_are_refused() -> None:
    """Edges ab and cd exchanged, and no others: the matchings of K4 stay, but 4 vertices then share an edge."""
    options = tuple(((one, 0), (other, 0)) for one, other in combinations(range(4), 2))
    plan = ENGINE.plan(ExactCover(tuple("abcd"), (), options))
    with pytest.raises(EngineRefuses, match="options of one or two items"):
        ENGINE.fixed_plan(plan, (5, 1, 2, 3, 4, 0))


REFUSALS = {
    "three items": (
        ExactCover(tuple("abc"), (), (((0, 0), (1, 0), (2, 0)), ((0, 0), (1, 0)), ((2, 0),))),
        "options of one or two items",
    ),
    "colours": (ExactCover(("a",), ("s",), (((0, 0), (1, 1)),)), "without colours"),
    "twice": (
        ExactCover(("a", "b"), (), (((0, 0), (1, 0)), ((0, 0),)), ((1, 2), (1, 1))),
        "without colours and multiplicities",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refuses_what_is_no_matching(name: str) -> None:
    model, words = REFUSALS[name]
    reason = ENGINE.refusal(model)
    assert reason is not None
    assert words in reason


def test_a_bipartite_graph_takes_a_row_for_each_vertex_of_one_side() -> None:
    plan = ENGINE.plan(cover("dominoes 6 6"))
    assert not plan.is_square
    assert [matrix.n for _, matrix in plan.terms] == [18]


def test_refuses_graphs_that_are_not_planar() -> None:
    houses = graph_of([(house, supply) for house in "abc" for supply in "xyz"])
    accepting = [
        {engine.name for engine in engines_for(model)} for model in (houses.model, cover("dominoes 2 2"))
    ]
    assert [ENGINE.name in names for names in accepting] == [False, True]
    with pytest.raises(EngineRefuses, match="counts matchings of planar graphs only"):
        rk.count(houses, engine=ENGINE.name, up_to="none")


def test_says_which_package_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matchings, "find_spec", lambda name: None)
    assert ENGINE.refusal(cover("dominoes 2 2")) == "needs an extra package: pip install 'rekkyo[graphs]'"
    assert rk.count(rk.puzzle("dominoes 20 20"), up_to="none").engine == "cover-frontier"


def test_draws_no_graph_to_find_engines_that_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """Importing networkx and drawing take longer than a short estimate."""
    monkeypatch.delattr(matchings, "matching_matrix")
    model = replace(cover("dominoes 4 4"), primary=tuple(f"cell {k}" for k in range(16)))
    assert "cover-masks" in [engine.name for engine in listing_engines_for(model)]
    with pytest.raises(NameError, match="matching_matrix"):
        engines_for(model)


def test_is_chosen_for_large_planar_graphs() -> None:
    """Merging is as fast for small ones, and counts what no determinant does."""
    assert ENGINE.pays_off(cover("dominoes 20 20"))
    assert not ENGINE.pays_off(cover("dominoes 14 14"))
    torus = rk.graph(named="torus 20 20").matchings(perfect=True).model
    assert isinstance(torus, ExactCover)
    assert ENGINE.accepts(torus)
    assert not ENGINE.pays_off(torus)
    found = rk.count(rk.puzzle("aztec-diamond 20"))
    assert (found.total, found.engine) == (2**210, ENGINE.name)
    assert found.unique is not None
    assert 8 * found.unique > found.total


def test_narrow_graphs_are_merged() -> None:
    """Boards of up to 12 squares in width, and prisms.

    A prism has L(n) + 1 + (-1)^n perfect matchings, where L(n) are the Lucas numbers: OEIS A068397.
    The symmetry that maps each vertex to the opposite one folds it into a graph that is not planar.
    """
    assert not ENGINE.pays_off(cover("dominoes 12 40"))
    assert ENGINE.pays_off(cover("dominoes 13 40"))
    n = 200
    around = [(f"{side}{k}", f"{side}{(k + 1) % n}") for side in "ab" for k in range(n)]
    prism = graph_of([*around, *((f"a{k}", f"b{k}") for k in range(n))])
    found, named = (rk.count(prism, engine=name) for name in (None, ENGINE.name))
    assert found.engine == "cover-frontier"
    assert found.total == named.total == 627376215338105766356982006981782561278129
    assert found.unique is not None
    assert named.unique is None
    assert named.left_out == "engine cover-determinant cannot count what a symmetry leaves unchanged here"


def test_recounts_a_merged_run(tmp_path: Path) -> None:
    run = rk.run(rk.puzzle("dominoes 12 12"), tmp_path, engine="cover-frontier", count_only=True)
    assert run.total == 53060477521960000  # OEIS A004003
    assert rk.Run(tmp_path).recount(engine=ENGINE.name).agrees
