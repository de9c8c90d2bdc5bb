"""The rows of the table: work that no engine was made or tuned by, with the bar that each is held to."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations
from pathlib import Path

import rekkyo as rk

PUZZLES = Path(__file__).parent / "puzzles"
EXAMPLES = Path(__file__).parents[2] / "examples"
N_SMALL = 1000
BLOCKED = {
    14: ((1, 2), (3, 11), (6, 5), (9, 8), (12, 3)),
    15: ((1, 2), (3, 12), (6, 5), (10, 8), (13, 3)),
}
SUDOKU = ".......1.4.........2...........5.4.7..8...3....1.9....3..4........1........8.6..."
"""15 clues: a well-known puzzle with 17, without two of them."""


@dataclass(frozen=True, slots=True)
class Question:
    """A row of the table.

    bar: how many times as long the best peer is to take, or if `in_us`, the most microseconds of ours.
    minizinc: a model of benchmarks/general and its size. magic_sum: as in benchmarks/side_by_side.
    how: `puzzle`, the total of one that was made before the clock starts; `words`, which are read as well;
    `loop`, N_SMALL small covers one after the other; `batch`, all of them in one call.
    rows: whether our search that meets every solution is a peer of our count.
    """

    name: str
    make: Callable[[], rk.Puzzle]
    bar: float
    in_us: bool = False
    how: str = "puzzle"
    minizinc: tuple[str, int] | None = None
    magic_sum: int = 0
    rows: bool = False

    @property
    def puzzle(self) -> rk.Puzzle:
        return self.make()

    @property
    def n_counts(self) -> int:
        """Counts in one run."""
        return N_SMALL if self.how in ("loop", "batch") else 1


def from_file(path: Path) -> Callable[[], rk.Puzzle]:
    return lambda: rk.puzzle_from_file(path)


def named(words: str) -> Callable[[], rk.Puzzle]:
    return lambda: rk.puzzle(words)


def small_cover(seed: int, order: int = 0) -> rk.Puzzle:
    """20 options of two to four of ten items each, drawn at random; order: a seed for their order."""
    draw, shuffle = random.Random(seed), random.Random(order)
    options = [draw.sample(range(10), draw.choice((2, 3, 3, 4))) for _ in range(20)]
    places = shuffle.sample(range(10), 10)
    uses = [tuple(sorted((places[item], 0) for item in option)) for option in options]
    shuffle.shuffle(uses)
    return rk.Puzzle("small cover", rk.ExactCover(tuple("abcdefghij"), (), tuple(uses)), "A small cover")


def small_covers(order: int) -> list[rk.Puzzle]:
    """N_SMALL different ones. In another order they have as many solutions, but no cache knows them."""
    return [small_cover(seed, order * N_SMALL + seed) for seed in range(N_SMALL)]


def blocked_queens(n: int) -> rk.Puzzle:
    return rk.queens(n, blocked=BLOCKED[n])


def costas(n: int) -> rk.Puzzle:
    """Columns are coloured by heights; an option is two columns with their heights, and uses up a vector."""
    pairs = list(combinations(range(n), 2))
    vectors = [(apart, rise) for apart in range(1, n) for rise in range(1 - n, n) if rise]
    column = len(pairs)
    vector_of = {vector: column + n + number for number, vector in enumerate(vectors)}
    options = tuple(
        ((pair, 0), (column + one, low + 1), (column + two, high + 1), (vector_of[two - one, high - low], 0))
        for pair, (one, two) in enumerate(pairs)
        for low, high in permutations(range(n), 2)
    )
    primary = tuple(f"pair {one} {two}" for one, two in pairs)
    secondary = (*(f"column {k}" for k in range(n)), *(f"vector {apart} {rise}" for apart, rise in vectors))
    return rk.Puzzle(f"costas {n}", rk.ExactCover(primary, secondary, options), f"Costas arrays of order {n}")


def all_interval(n: int) -> rk.Puzzle:
    """Places are coloured by notes and notes by places; an option is two neighbours, with their interval."""
    interval, place, note = n - 1, 2 * (n - 1), 3 * n - 2
    options = tuple(
        (
            (k, 0),
            (interval + abs(one - two) - 1, 0),
            (place + k, one + 1),
            (place + k + 1, two + 1),
            (note + one, k + 1),
            (note + two, k + 2),
        )
        for k in range(n - 1)
        for one, two in permutations(range(n), 2)
    )
    primary = (*(f"step {k}" for k in range(n - 1)), *(f"interval {k}" for k in range(1, n)))
    secondary = (*(f"place {k}" for k in range(n)), *(f"note {k}" for k in range(n)))
    return rk.Puzzle(f"all-interval {n}", rk.ExactCover(primary, secondary, options), f"Series of {n} notes")


def rectangles(width: int, height: int) -> rk.Puzzle:
    """A board filled with rectangles of which no two can be laid on each other, turned or not."""
    sizes = [(w, h) for w in range(1, width + 1) for h in range(1, height + 1)]
    shapes = sorted({(min(size), max(size)) for size in sizes})

    def options() -> Iterator[tuple[tuple[int, int], ...]]:
        for w, h in sizes:
            shape = width * height + shapes.index((min(w, h), max(w, h)))
            for left in range(width - w + 1):
                for top in range(height - h + 1):
                    cells = (width * (top + y) + left + x for y in range(h) for x in range(w))
                    yield (*((cell, 0) for cell in cells), (shape, 0))

    cells = tuple(f"{column},{row}" for row in range(height) for column in range(width))
    model = rk.ExactCover(cells, tuple(f"{w}x{h}" for w, h in shapes), tuple(options()))
    return rk.Puzzle(f"rectangles {width} {height}", model, "Rectangles of distinct shapes")


QUESTIONS = (
    Question("cover of 20 options, in a loop", partial(small_cover, 0), 60, in_us=True, how="loop"),
    Question("cover of 20 options, in a batch", partial(small_cover, 0), 15, in_us=True, how="batch"),
    Question("queens 8, words read", named("queens 8"), 100, in_us=True, how="words", minizinc=("queens", 8)),
    Question("tetrominoes twice, 5x8", from_file(PUZZLES / "tetrominoes-twice-5x8.toml"), 4),
    Question("tetrominoes twice, 4x10", from_file(PUZZLES / "tetrominoes-twice-4x10.toml"), 4),
    Question("Conway's 5x5x5", from_file(EXAMPLES / "conway-5x5x5.toml"), 4),
    *(Question(f"Costas {n} as a cover", partial(costas, n), 3, minizinc=("costas", n)) for n in (8, 9, 10)),
    *(Question(f"queens {n}, five squares blocked", partial(blocked_queens, n), 8) for n in BLOCKED),
    Question("Langford 11", named("langford 11"), 4, minizinc=("langford", 11)),
    Question("edges 5x5, three colours", from_file(PUZZLES / "edges-5x5.toml"), 4),
    Question("all-interval 10 as a cover", partial(all_interval, 10), 4, minizinc=("all_interval", 10)),
    Question("rectangles of distinct shapes 7x7", partial(rectangles, 7, 7), 6),
    Question("rectangles of distinct shapes 7x8", partial(rectangles, 7, 8), 6),
    Question("hexiamonds 4x9", named("hexiamonds 4 9"), 8),
    Question("pentominoes 4x15", named("pentominoes 4 15"), 8),
    Question("pentominoes 8x8 with a hole", named("pentominoes 8 8 --without-centre"), 8),
    Question("Kanoodle, 5x11", from_file(EXAMPLES / "polyspheres-5x11.toml"), 8),
    Question("sudoku of 15 clues", named(f"sudoku --clues {SUDOKU}"), 8, minizinc=("sudoku", 9)),
    Question("semimagic 4, total", named("semimagic-square 4"), 5, magic_sum=34, rows=True),
    Question("magic-star 9, total", named("magic-star 9"), 5, magic_sum=38, rows=True),
    Question("Schur 4 44, total", named("schur 4 44"), 15, rows=True),
)


def question_of(name: str) -> Question:
    return next(question for question in QUESTIONS if question.name == name)
