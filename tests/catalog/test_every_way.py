"""Every family of the catalog, at a small size: the same total and unique from every engine, up to every symmetry,
with one worker and with two, counted and run.

Up to rotations and further symmetries it is counted in many shards alone: most of the time is Burnside's lemma, which has
a plan for each element, and the other ways differ in the search before that.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.engines.registry import engines_for
from rekkyo.errors import EngineRefuses
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle

SMALL = (
    "queens 6",
    "queens 6 --blocked 0,0 --given 1,3",
    "queens 5 --toroidal",
    "polyominoes 5 4 5 --only L --only P --only W --only Y",  # pentominoes, but few
    "polyominoes 4 5 4",
    "dominoes 4 4",
    "aztec-diamond 2",
    "langford 4",
    "latin-square 3",
    "block-designs 2 6 3 2",
    "block-designs 2 6 3 2 --repeated",
    "steiner-triples 7",
    "one-factorizations 6",
    "sudoku 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "magic-square 3",
    "semimagic-square 3",
    "magic-hexagon 3 --given 16@2,0 --given 2@2,1 --given 5@2,2 --given 6@2,3",  # on the axis of a mirror; merging takes seconds without them
    "hip 3",
    "hip 3 --colors 3 --any-balance",
    "rectangle-free 3 3 2",
    "van-der-waerden 3 3 9",
    "schur 2 4",
    "sum-free 6",
    "progression-free 7",
    "ramsey 3 3 5",
)
SHARDS = 7
"""Of a run: 256 take 40 ms, and 6 s of `csp-plain`, which cuts in Python."""
SIZES = (
    (1, rk.Sizes()),
    (2, rk.Sizes(block_rows=3, slice_nodes=50, moment_nodes=1, shards=5, shards_if_short=5)),
)
"""Workers, and how a count is cut."""

EVERY_WAY = ("none", "symmetry")


def words_of(puzzle: Puzzle) -> list[str]:
    """All that can be asked for with `--up-to`, one by one."""
    rotations = [] if puzzle.motions is None else ["rotations"]
    return ["none", "symmetry", *rotations, *(kind.word for kind in puzzle.further)]


@pytest.mark.parametrize("words", SMALL)
def test_every_way_counts_the_same(words: str, tmp_path: Path) -> None:
    puzzle = rk.puzzle(words)
    totals, uniques = set(), {}
    for engine in engines_for(lower(puzzle.model)):
        for up_to in words_of(puzzle):
            asked: Any = {"engine": engine.name, "up_to": up_to}
            found = []
            try:
                for workers, sizes in SIZES[up_to not in EVERY_WAY :]:
                    counted = rk.count(puzzle, **asked, workers=workers, sizes=sizes)
                    found.append((counted.total, counted.unique))
                if up_to in EVERY_WAY:
                    folder = tmp_path / f"{engine.name} {up_to}"
                    status = rk.run(puzzle, folder, **asked, count_only=True, workers=2, shards=SHARDS)
                    # A run of all solutions counts the orbits of the puzzle's own symmetry.
                    found.append((status.total, None if up_to == "none" else status.unique))
            except EngineRefuses:
                if up_to == "none":
                    break  # too many states, whatever the symmetry
                continue  # a count that cannot be listed
            totals |= {total for total, _ in found}
            uniques.setdefault(up_to, set()).update({unique for _, unique in found if unique is not None})
    assert len(totals) == 1
    assert all(len(found) <= 1 for found in uniques.values()), uniques
    assert any(uniques.values()) == puzzle.knows_symmetry or puzzle.further
