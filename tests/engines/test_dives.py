"""Random dives into a search, which estimate the number of its nodes, are right on average."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, prod
from typing import Any, TypeVar

import pytest

import rekkyo as rk
from rekkyo.engines import prefixes
from rekkyo.engines.colorings.counters.engine import ColoringCounters
from rekkyo.engines.colorings.masks.engine import ColoringMasks
from rekkyo.engines.contract import ListingEngine
from rekkyo.engines.covers.bitset.engine import CoverBitset
from rekkyo.engines.covers.cells.engine import CoverCells
from rekkyo.engines.covers.masks.engine import CoverMasks
from rekkyo.engines.csp.cover.engine import CspCover
from rekkyo.engines.prefixes import DIVE_NODES, dived
from rekkyo.engines.queens.cover.engine import QueensCover
from rekkyo.engines.sums.cells.engine import SumCells
from rekkyo.engines.sums.lines.engine import SumLines
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.symmetry.group import close
from tests.engines.csp_problems import latin_square
from tests.engines.listing_contract import count_nodes

T = TypeVar("T")
AnyListing = ListingEngine[Any, Any]


class _Undecided(Exception):
    """A choice that the throws do not say. args: of how many."""


class _Throws:
    """Dice whose throws are given."""

    def __init__(self, throws: tuple[int, ...]) -> None:
        self._left = list(throws)
        self.sizes: list[int] = []

    def choice(self, options: list[T]) -> T:
        if not self._left:
            raise _Undecided(len(options))
        self.sizes.append(len(options))
        return options[self._left.pop(0)]


def expected(estimate: Callable[[], float], monkeypatch: pytest.MonkeyPatch) -> float:
    """The mean over all throws of the dice, each with its probability."""
    total, left = 0.0, [()]
    while left:
        throws = left.pop()
        dice = _Throws(throws)
        monkeypatch.setattr(prefixes, "Random", lambda _, dice=dice: dice)
        try:
            total += estimate() / prod(dice.sizes)
        except _Undecided as choice:
            left += [(*throws, way) for way in range(choice.args[0])]
    return total


TREE = {"": "abc", "a": "de", "b": "f", "e": "gh", "g": "ijkl", "k": "mn"}
"""The nodes below some nodes of a tree; the others are leaves."""


@pytest.mark.parametrize("most_nodes", [1, 2, 3, 4, 5])
def test_dives_are_right_on_average_however_many_there_are(
    most_nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dive that begins late and finds much is a long one, and has to be left out."""

    def estimate() -> float:
        return dived("", lambda node: (TREE[node], len(TREE[node])) if node in TREE else None)

    monkeypatch.setattr(prefixes, "DIVE_NODES", most_nodes)
    assert expected(estimate, monkeypatch) == pytest.approx(sum(map(len, TREE.values())))


def test_decisions_that_are_tried_in_vain_count() -> None:
    assert dived("root", lambda node: (["child"], 3) if node == "root" else ([], 4)) == 7
    assert dived("root", lambda _: ([], 5)) == 5
    assert dived("root", lambda _: None) == 0


def test_all_dives_together_have_few_nodes() -> None:
    """Only the first one goes on to its end."""
    for length in (1, 10, DIVE_NODES - 1, 3 * DIVE_NODES):
        seen: list[int] = []

        def below(depth: int, length: int = length, seen: list[int] = seen) -> tuple[list[int], int] | None:
            seen.append(depth)
            return ([depth + 1], 1) if depth < length else None

        assert dived(0, below) == length
        assert len(seen) <= max(DIVE_NODES, length + 1)


def test_more_nodes_than_a_float_can_hold_are_infinitely_many() -> None:
    assert dived(0, lambda depth: ([depth + 1] * 4, 4) if depth < 1000 else ([], 0)) == inf


def _cover(words: str) -> ExactCover:
    model = lower(rk.puzzle(words).model)
    assert isinstance(model, ExactCover)
    return model


COUNTED = ExactCover(
    ("a", "b", "c"),
    ("x",),
    (((0, 0), (3, 1)), ((0, 0), (1, 0)), ((1, 0), (3, 2)), ((2, 0),), ((2, 0), (3, 1))),
    ((1, 2), (0, 1), (1, 1)),
)
"""Items that are covered once or twice, or at most once, and a colour."""

CASES = [
    (CoverBitset(), _cover("langford 4")),
    (CoverBitset(), COUNTED),
    (CoverCells(), _cover("langford 4")),
    (CoverCells(), COUNTED),
    (CoverMasks(), _cover("dominoes 2 5")),
    (CoverMasks(), _cover("dominoes 4 4")),
    (CspCover(), latin_square(3)),
    (QueensCover(), lower(rk.puzzle("queens 6").model)),
    (SumLines(), lower(rk.puzzle("semimagic-square 3").model)),
    (SumCells(), lower(rk.puzzle("magic-square 3").model)),
    (ColoringMasks(), lower(rk.graph(named="grid 3 3").colorings(3).model)),
    (ColoringCounters(), lower(rk.puzzle("schur 3 8").model)),
]


@pytest.mark.parametrize(("engine", "model"), CASES, ids=lambda part: getattr(part, "name", ""))
def test_dives_follow_the_search(engine: AnyListing, model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_dives_find_the_nodes(engine, engine.plan(model), model, monkeypatch)


@pytest.mark.parametrize(
    ("engine", "words"),
    [(CoverBitset(), "langford 7"), (ColoringMasks(), "hip 3"), (SumLines(), "magic-star 6")],
)
def test_dives_follow_a_search_for_representatives(
    engine: AnyListing, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = rk.puzzle(words)
    model = lower(puzzle.model)
    plan = engine.plan_for_representatives(model, close(model.row_shape, puzzle.generators))
    assert_dives_find_the_nodes(engine, plan, model, monkeypatch)


def assert_dives_find_the_nodes(
    engine: AnyListing, plan: Any, model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A single dive, with each of its choices."""
    nodes = sum(count_nodes(engine, plan, model, shard) for shard in engine.split(plan, 1))
    monkeypatch.setattr(prefixes, "DIVE_NODES", 1)
    assert expected(lambda: engine.estimated_nodes(plan), monkeypatch) == pytest.approx(nodes)
    assert nodes > 5
