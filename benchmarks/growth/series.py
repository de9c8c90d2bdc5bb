"""For every family of the catalog the puzzles that are counted, from small to large. Plain data."""

from __future__ import annotations

import random
from dataclasses import dataclass

GRID = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
"""A sudoku grid, whose clues are taken away one by one in an order drawn once for all."""


@dataclass(frozen=True, slots=True)
class Series:
    """axis: what grows. steps: how a puzzle is called on the axis, its place there, and the words for it.

    grows: whether the place is a number of which a step more means something; boards of one area are only
    put side by side. The counting stops after the first step above the limit.
    """

    family: str
    axis: str
    steps: tuple[tuple[str, int, str], ...]
    grows: bool = True


def by_number(words: str, axis: str, sizes: range | tuple[int, ...]) -> Series:
    """words: with `{}` where the number goes."""
    steps = tuple((str(size), size, words.replace("{}", str(size))) for size in sizes)
    return Series(words.split(maxsplit=1)[0], axis, steps)


def by_box(family: str, axis: str, boxes: tuple[str, ...]) -> Series:
    """Boards of one area, narrow ones first; the place on the axis is the number in the row."""
    steps = tuple((box, at, f"{family} {box.replace('x', ' ')}") for at, box in enumerate(boxes, 1))
    return Series(family, axis, steps, grows=False)


def point(family: str, more: str = "") -> Series:
    """A family with one size. more: an option that it is counted with."""
    return Series(family, "", ((more or family, 0, f"{family} {more}".strip()),), grows=False)


def sudokus(n_clues: tuple[int, ...]) -> Series:
    order = list(range(81))
    random.Random(0).shuffle(order)
    steps = []
    for left in n_clues:
        kept = set(order[:left])
        clues = "".join(digit if cell in kept else "." for cell, digit in enumerate(GRID))
        steps.append((str(81 - left), 81 - left, f"sudoku {clues}"))
    return Series("sudoku", "open cells of one grid", tuple(steps))


SERIES = (
    by_number("queens {}", "queens", range(4, 28)),
    by_box("pentominoes", "board", ("3x20", "4x15", "5x12", "6x10")),
    by_number(
        "polyominoes 5 5 {} --any-number",
        "length of a board 5 wide, any pentominoes",
        (*range(1, 13), 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 100),
    ),
    by_number("dominoes {} {}", "side of the square", range(2, 32, 2)),
    by_number("aztec-diamond {}", "order", range(1, 20)),
    by_box("hexiamonds", "board", ("3x12", "4x9", "6x6")),
    Series(
        "tetrasticks",
        "piece left out",
        tuple((left_out, at, f"tetrasticks --without {left_out}") for at, left_out in enumerate("HJLNY", 1)),
        grows=False,
    ),
    point("polysticks", "--without H"),
    point("soma"),
    point("bedlam"),
    by_box("pentominoes-3d", "box", ("2x3x10", "2x5x6", "3x4x5")),
    point("digits"),
    by_number("langford {}", "pairs", (3, 4, 7, 8, 11, 12, 15, 16, 19)),
    by_number("latin-square {}", "side", range(1, 9)),
    sudokus((40, 36, 34, 32, 30, 28, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17)),
    by_number("block-designs 2 {} 3 2", "points, each pair in two triples", (4, 6, 7, 9, 10)),
    by_number("steiner-triples {}", "points", (3, 7, 9, 13, 15)),
    by_number("one-factorizations {}", "players", (2, 4, 6, 8, 10)),
    by_number("magic-square {}", "order", (3, 4, 5)),
    by_number("semimagic-square {}", "order", (2, 3, 4)),
    by_number("pandiagonal-square {}", "order", (3, 4, 5)),
    by_number("associative-square {}", "order", (3, 4, 5)),
    by_number("magic-star {}", "points", range(5, 11)),
    by_number("magic-hexagon {}", "order", (1, 2, 3)),
    by_number("magic-cube {}", "order", (1, 2, 3)),
    by_number("hip {} --any-balance", "side", range(2, 15)),
    by_number("rectangle-free 3 {} 3", "length of a grid 3 wide, three colours", range(2, 8)),
    by_number("van-der-waerden 5 5 {}", "numbers, 5 terms of either colour", range(4, 40, 2)),
    by_number("schur 4 {}", "numbers, 4 colours", range(2, 46, 2)),
    by_number("sum-free {}", "numbers", range(4, 100, 4)),
    by_number("progression-free {}", "numbers", range(4, 100, 4)),
    by_number("ramsey 3 4 {}", "points, 3 and 4 joined", range(3, 9)),
)
