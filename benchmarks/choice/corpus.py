"""Models of all kinds that several engines count in milliseconds or seconds."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from itertools import chain, combinations
from pathlib import Path

import rekkyo as rk
from rekkyo.errors import RekkyoError

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
sys.path.append(str(HERE.parent / "held_out"))
from questions import QUESTIONS  # noqa: E402

CATALOG = """
queens 10; queens 11; queens 12; queens 13; queens 14; queens 8 --toroidal; queens 11 --toroidal; queens
13 --toroidal; queens 12 --blocked 0,0 --blocked 5,6; queens 13 --given 0,1; queens 14 --given 3,3
--blocked 0,0; pentominoes 3 20; pentominoes 4 15; pentominoes 5 12; pentominoes 6 10; pentominoes 8 8
--without-centre; polyominoes 4 4 5 --any-number; polyominoes 4 5 4 --any-number; polyominoes 3 4 6
--any-number; polyominoes 5 5 5 --any-number; polyominoes 3 6 6 --any-number; polyominoes 3 5 6
--any-number; dominoes 6 6; dominoes 8 8; dominoes 12 12; dominoes 3 20; dominoes 4 16; aztec-diamond 4;
aztec-diamond 8; hexiamonds 4 9; hexiamonds 6 6; soma; bedlam; pentominoes-3d 2 3 10; pentominoes-3d 2 5
6; digits; langford 7; langford 8; langford 11; langford 12; latin-square 4; latin-square 5; latin-square
6; magic-square 3; magic-square 4; semimagic-square 3; semimagic-square 4; pandiagonal-square 4;
pandiagonal-square 5; associative-square 4; associative-square 5; magic-star 6; magic-star 7; magic-star
8; magic-star 9; magic-star 10; magic-hexagon 3; hip 4; hip 5; hip 6; hip 4 5; hip 3 --colors 3; hip 4
--any-balance; hip 5 --any-balance; rectangle-free 3 3 3; rectangle-free 4 4 2; rectangle-free 4 4 3;
rectangle-free 3 6 3; rectangle-free 5 5 2; van-der-waerden 3 3 8; van-der-waerden 3 5 20; van-der-waerden
4 4 24; van-der-waerden 4 5 26; van-der-waerden 5 5 20; schur 2 4; schur 3 12; schur 3 13; schur 4 20;
schur 4 40; sum-free 12; sum-free 20; sum-free 30; sum-free 40; ramsey 3 3 5; ramsey 3 4 6; ramsey 3 4 7;
ramsey 3 4 8; ramsey 4 4 6
"""


OF_FAMILIES: dict[str, tuple[int | str, ...]] = {
    "bishops": (6,),
    "calendar": ("feb", 29),
    "grid-cycles": (6,),
    "grid-graphs": ("independent-sets", 6),
    "independent-sets": (5,),
    "kings": (6,),
    "knight-domination": (6,),
    "knights": (6,),
    "l-tromino-hole": (7,),
    "peaceable-queens": (5,),
    "petersen": ("dominating-sets",),
    "progression-free": (26,),
    "queen-domination": (7,),
    "queens": (10,),
    "sum-free-sets": (28, 9),
}
"""Members of the families among the examples."""


def corpus() -> Iterator[tuple[str, rk.Puzzle]]:
    """Names and puzzles; what this version cannot read is left out."""
    named: dict[str, Callable[[], rk.Puzzle]] = {}
    for words in " ".join(CATALOG.split()).split("; "):
        named[words] = lambda words=words: rk.puzzle(words)
    for path in sorted(EXAMPLES.glob("*.toml")):
        of_family = OF_FAMILIES.get(path.stem)
        if of_family is not None or "[family]" not in path.read_text(encoding="utf-8"):
            named[path.name] = lambda path=path, values=of_family or (): rk.puzzle_from_file(path, *values)
    for question in QUESTIONS:
        if question.how == "puzzle":
            named.setdefault(question.name, question.make)
    for name, puzzle in chain(graphs(), covers(), packings(), problems(), formulas(), squares()):
        named[name] = lambda puzzle=puzzle: puzzle
    for name, make in named.items():
        try:
            yield name, make()
        except RekkyoError as problem:
            print(f"{name} is left out: {problem}", file=sys.stderr)


def graphs() -> Iterator[tuple[str, rk.Puzzle]]:
    """Questions about graphs that are drawn at random or have a name."""
    draw = random.Random(1)
    grids = [(f"grid {n} {n}", rk.graph(named=f"grid {n} {n}")) for n in (4, 5, 6)]
    drawn = []
    for n, n_edges in ((12, 20), (16, 30), (20, 40), (24, 36)):
        edges = draw.sample(list(combinations(range(n), 2)), n_edges)
        drawn.append((f"random graph {n} {n_edges}", rk.graph([(str(a), str(b)) for a, b in edges])))
    for name, graph in (*grids, *drawn):
        yield f"{name}, 3 colours", graph.colorings(3)
        yield f"{name}, independent sets", graph.independent_sets()
        yield f"{name}, matchings", graph.matchings()
        yield f"{name}, cycles", graph.cycles()


def covers() -> Iterator[tuple[str, rk.Puzzle]]:
    """Covers that nobody made for a purpose, with colours, with multiplicities and with neither."""
    for seed in range(24):
        draw = random.Random(seed)
        n_primary, n_secondary = draw.choice((12, 16, 20, 24)), draw.choice((0, 0, 4, 8))
        n_colors, size = draw.choice((0, 2, 3)), draw.choice((2, 3, 4))
        options = set()
        for _ in range(draw.choice((120, 200, 300))):
            items = draw.sample(range(n_primary), size)
            further = draw.sample(
                range(n_primary, n_primary + n_secondary), min(n_secondary, draw.choice((0, 1, 2)))
            )
            colored = [(item, draw.randint(0, n_colors)) for item in further]
            options.add(tuple(sorted([(item, 0) for item in items] + colored)))
        bounds = (
            tuple(draw.choice(((1, 1), (1, 1), (1, 2), (0, 1))) for _ in range(n_primary))
            if seed % 3 == 2
            else ()
        )
        primary = tuple(f"p{k}" for k in range(n_primary))
        secondary = tuple(f"s{k}" for k in range(n_secondary))
        yield (
            f"random cover {seed}",
            rk.Puzzle("cover", rk.ExactCover(primary, secondary, tuple(sorted(options)), bounds), ""),
        )


def packings() -> Iterator[tuple[str, rk.Puzzle]]:
    """Boards with gaps and with pieces of one kind."""
    for width in (5, 6):
        board = "\n".join(["#" * width] * 5)
        yield (
            f"five pieces on 5x{width}",
            rk.packing(board, "AA BB CCC DDD  EE\nA  B  C    D  EE", filled=False),
        )
    for width, height in ((6, 6), (6, 9), (8, 9), (9, 9)):
        board = "\n".join(["#" * width] * height)
        yield f"L-trominoes on {width}x{height}", rk.packing(board, "A\nAA", times={"A": (0, None)})


def problems() -> Iterator[tuple[str, rk.Puzzle]]:
    """Variables and constraints, drawn at random: tables, sums, differences and counts."""
    for seed in range(24):
        draw = random.Random(seed)
        problem = rk.Problem()
        n, values = draw.choice((6, 8, 10)), range(draw.choice((3, 4, 5, 6)))
        variables = [problem.variable(f"x{k}", values) for k in range(n)]
        for _ in range(n // 2):
            chosen = draw.sample(variables, 3)
            kind = draw.choice(("different", "sum", "table", "count"))
            if kind == "different":
                problem.all_different(chosen[: min(3, len(values))])
            elif kind == "sum":
                problem.sum(chosen, "<=", draw.randint(1, 3 * len(values) - 4))
            elif kind == "table":
                rows = {tuple(draw.choice(values) for _ in range(3)) for _ in range(len(values) ** 3 // 2)}
                problem.table(chosen, sorted(rows))
            else:
                problem.count(chosen, [draw.choice(values)], problem.hidden([0, 1]))
        yield f"random problem {seed}", problem.puzzle(f"problem {seed}")


def formulas() -> Iterator[tuple[str, rk.Puzzle]]:
    """Permutations whose neighbours are compared by products and differences, which are hidden variables."""
    for n in (8, 10, 11):
        conditions = {
            "alternating": [f"(0,{k} - 0,{k - 1}) * (0,{k + 1} - 0,{k}) < 0" for k in range(1, n - 1)],
            "far products": [f"0,{k} * 0,{k + 1} != {n}" for k in range(n - 1)],
            "rising products": [f"0,{k - 1} * 0,{k} < 0,{k} * 0,{k + 1} + 3" for k in range(1, n - 1)],
        }
        for name, some in conditions.items():
            text = f"""
                kind = "grid"
                board = "rectangle 1 {n}"
                values = "1..{n}"
                [[different]]
                regions = "board"
                [[compare]]
                cells = '''{chr(10).join(some)}'''
            """
            yield f"{name} {n}", rk.puzzle_from_text(text)


def squares() -> Iterator[tuple[str, rk.Puzzle]]:
    """Numbers that differ in the lines of a rectangle, and in its boxes: much can be exchanged."""
    for height, width, box in ((4, 4, (2, 2)), (6, 6, (2, 3)), (3, 7, None), (5, 5, None), (6, 6, None)):
        problem = rk.Problem()
        cells = [problem.variables([f"{r},{c}" for c in range(width)], range(width)) for r in range(height)]
        boxes: dict[tuple[int, int], list[rk.Variable]] = {}
        for r in range(height) if box is not None else ():
            for c in range(width):
                boxes.setdefault((r // box[0], c // box[1]), []).append(cells[r][c])
        for unit in (*cells, *zip(*cells, strict=True), *boxes.values()):
            problem.all_different(unit)
        name = f"{height}x{width} numbers that differ" if box is None else f"sudokus of {height}x{width}"
        yield name, problem.puzzle(name)
