"""The exact covers that are measured, all out of the catalog, with the number of solutions of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import rekkyo as rk
from rekkyo.engines.queens.cover.engine import cover_of
from rekkyo.export.xcc import read_xcc
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.packing import Packing
from rekkyo.symmetry.group import close

MANY_SUDOKUS = "....7....6..1.......8....6.8...6...34....3..17..............2.....419..5.......79"
"""A puzzle with 17 clues, one of them taken away."""

HARD_SUDOKUS = (
    "800000000003600000070090200050007000000045700000100030001000068008500010090000400",
    "100007090030020008009600500005300900010080002600004000300000010040000007007000300",
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
    "000000012000035000000600070700000300000400800100000000000120000080000040050000600",
    "000000010400000000020000000000050604008000300001090000300400200050100000000807000",
    "500000009020100070008000300040002000000050000000706010003000800060004020900000005",
    "000000012003600000000007000410020000000500300700000600280000040000300500000000000",
    "000000012008030000000000040120500000000004700060000000507000300000620000000100000",
    "005300000800000020070010500400005300010070006003200080060500009004000030000009700",
    "000000907000420180000705026100904000050000040000507009920108000034059000507000000",
)
"""Well-known hard puzzles with one solution each: facts, from public collections."""


def cover(words: str) -> ExactCover:
    model = lower(rk.puzzle(words).model)
    assert isinstance(model, ExactCover)
    return model


def up_to_symmetry(words: str) -> ExactCover:
    """One piece only in one place of each orbit; a piece all of whose orbits are as large as the group."""
    puzzle = rk.puzzle(words)
    model = puzzle.model
    assert isinstance(model, Packing)
    images = close(model.row_shape, puzzle.generators).elements
    least = images.min(axis=0)
    sizes = Counter(least.tolist())
    placements = model.placements()
    orbit_sizes: dict[str, set[int]] = {}
    for number, placement in enumerate(placements):
        orbit_sizes.setdefault(placement.piece, set()).add(sizes[int(least[number])])
    regular = [piece for piece, found in orbit_sizes.items() if found == {len(images)}]
    counts = Counter(placement.piece for placement in placements)
    piece = min(regular, key=lambda name: counts[name])
    full = model.cover()
    options = tuple(
        option
        for number, option in enumerate(full.options)
        if placements[number].piece != piece or least[number] == number
    )
    return ExactCover(full.primary, full.secondary, options, full.bounds)


def queens(n: int) -> ExactCover:
    return cover_of(rk.Queens(n))[0]


def word_search() -> ExactCover:
    """Six words in a 5x5 grid, in any of eight directions: letters are the colours of cells."""
    words = ("CELL", "ITEM", "ROW", "NODE", "TREE", "ORBIT")
    steps = [(down, across) for down in (-1, 0, 1) for across in (-1, 0, 1) if (down, across) != (0, 0)]
    lines = [" ".join(words) + " | " + " ".join(f"{r}{c}" for r in range(5) for c in range(5))]
    for word in words:
        for r, c in [(r, c) for r in range(5) for c in range(5)]:
            for down, across in steps:
                cells = [(r + k * down, c + k * across) for k in range(len(word))]
                if all(0 <= row < 5 and 0 <= column < 5 for row, column in cells):
                    used = (
                        f"{row}{column}:{letter}" for (row, column), letter in zip(cells, word, strict=True)
                    )
                    lines.append(" ".join([word, *used]))
    return read_xcc("\n".join(lines), Path(__file__).name)


CASES: dict[str, tuple[Callable[[], ExactCover], int | None]] = {
    "pentominoes 6x10": (lambda: cover("pentominoes 6 10"), 9356),
    "pentominoes 6x10, up to symmetry": (lambda: up_to_symmetry("pentominoes 6 10"), 2339),
    "pentominoes 5x12": (lambda: cover("pentominoes 5 12"), 4040),
    "pentominoes 3x20": (lambda: cover("pentominoes 3 20"), 8),
    "pentominoes 8x8 without centre": (lambda: cover("pentominoes 8 8 --without-centre"), 520),
    "pentominoes 2x5x6": (lambda: cover("pentominoes-3d 2 5 6"), 2112),
    "Bedlam cube, up to rotation": (lambda: up_to_symmetry("bedlam"), 19186),
    "Soma cube": (lambda: cover("soma"), 11520),
    "hexiamonds 6x6": (lambda: cover("hexiamonds 6 6"), 624),
    "Langford 11": (lambda: cover("langford 11"), 35584),
    "Langford 12": (lambda: cover("langford 12"), 216288),
    "queens 12": (lambda: queens(12), 14200),
    "dominoes 8x8": (lambda: cover("dominoes 8 8"), 12988816),
    "L-trominoes 9x9": (lambda: cover("polyominoes 3 9 9 --any-number --only L"), None),
    "sudoku, many solutions": (lambda: cover(f"sudoku --clues {MANY_SUDOKUS}"), 498965),
    "word search 5x5": (word_search, 459904),
} | {
    f"hard sudoku {number}": (lambda clues=clues: cover(f"sudoku --clues {clues}"), 1)
    for number, clues in enumerate(HARD_SUDOKUS, start=1)
}
