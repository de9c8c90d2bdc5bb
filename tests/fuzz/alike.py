"""Random models of things that can be exchanged: the columns, rows and values of a grid, and blocks of items."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import permutations, product

from rekkyo.errors import BadModel
from rekkyo.model.csp.constraints import AllDifferent, Clause, Constraint, GlobalCardinality, Linear
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover, Item, Option
from rekkyo.model.puzzle import Model

SIZES = ((2, 3), (3, 2), (2, 4), (1, 5)), ((3, 3), (2, 5), (5, 2), (3, 4), (4, 3))
"""Rows and columns of small grids, and of middle ones."""

LATIN = (
    ((2, 3, None), (3, 3, None), (1, 4, None), (2, 4, (2, 2))),
    ((3, 4, None), (4, 4, None), (4, 4, (2, 2)), (2, 6, (2, 3)), (2, 5, None)),
)
"""Rows and columns of cells whose lines differ, and the rows and columns of a box."""

MOST_BLOCKS_OF_MIDDLE, MOST_OPTIONS = 4, 14


def draw_alike(rng: random.Random, is_middle: bool) -> Model:
    """A grid or a cover."""
    return rng.choice((_grid, _grid, _lines_that_differ, _cover, _cover))(rng, is_middle)


def _grid(rng: random.Random, is_middle: bool) -> Csp:
    """Every clause comes with its images, and every line with all parallel ones."""
    height, width = rng.choice(SIZES[is_middle])
    n_values = 2 if height * width > 6 else rng.choice((2, 2, 3))
    first = rng.choice((0, 0, 1, -2, 62))
    cells = list(product(range(height), range(width)))
    orders = _orders(rng, height), _orders(rng, width, chance=0.9)
    renamed = _orders(rng, n_values)
    constraints: list[Constraint] = []
    for _ in range(rng.choice((0, 1, 1, 2))):
        value = rng.choice((None, rng.randrange(n_values)))
        some = [
            (*cell, rng.randrange(n_values) if value is None else value, rng.random() < 0.1)
            for cell in rng.sample(cells, rng.randint(2, 5))
        ]
        constraints += [
            Clause(image)
            for image in dict.fromkeys(
                tuple(
                    sorted(
                        (r[row] * width + c[column], first + x[value], sign)
                        for row, column, value, sign in some
                    )
                )
                for r, c, x in product(*orders, renamed)
            )
        ]
    columns = [tuple(range(column, len(cells), width)) for column in range(width)]
    rows = [tuple(range(row * width, (row + 1) * width)) for row in range(height)]
    for lines in (columns, rows):
        if rng.random() < 0.4:
            constraints += map(_of_lines(rng, len(lines[0]), range(first, first + n_values)), lines)
    names = tuple(f"{row},{column}" for row, column in cells)
    rng.shuffle(constraints)
    return Csp(names, (tuple(range(first, first + n_values)),) * len(cells), tuple(constraints))


def _lines_that_differ(rng: random.Random, is_middle: bool) -> Csp:
    """A Latin rectangle or a sudoku, some cells of which may not have some values."""
    height, width, box = rng.choice(LATIN[is_middle])
    n_values = width + (rng.random() < 0.3 and not is_middle)
    units: dict[tuple[str, int, int], list[int]] = {}
    for cell in range(height * width):
        row, column = divmod(cell, width)
        boxes = [("box", row // box[0], column // box[1])] if box is not None else []
        for unit in (("row", row, 0), ("column", column, 0), *boxes):
            units.setdefault(unit, []).append(cell)
    constraints: list[Constraint] = [AllDifferent(tuple(unit)) for unit in units.values() if len(unit) > 1]
    domains = [tuple(range(n_values))] * (height * width)
    for _ in range(rng.choice((0, 0, 1, 2))):
        cell = rng.randrange(len(domains))
        domains[cell] = tuple(sorted(rng.sample(range(n_values), n_values - 1)))
    rng.shuffle(constraints)
    return Csp(tuple(map(str, range(len(domains)))), tuple(domains), tuple(constraints))


def _orders(rng: random.Random, n: int, chance: float = 0.4) -> list[tuple[int, ...]]:
    """All orders of n things, the two that a reflection gives, or the one that they have."""
    if rng.random() < chance:
        return list(permutations(range(n)))
    return [tuple(range(n)), *([tuple(reversed(range(n)))] if rng.random() < 0.5 else [])]


def _of_lines(
    rng: random.Random, length: int, values: Sequence[int]
) -> Callable[[tuple[int, ...]], Constraint]:
    """A constraint of each line."""
    kind, relation = rng.randrange(3), rng.choice(("=", "<=", "!="))
    total = sum(rng.choice(values) for _ in range(length))
    bounds = ((rng.choice(values), *rng.choice(((0, 1), (1, 1), (0, 2), (1, 2)))),)
    if kind == 0:
        return lambda line: Linear((1,) * length, line, relation, total)
    if kind == 1 or length > len(values):
        return lambda line: GlobalCardinality(line, bounds)
    return AllDifferent


def _cover(rng: random.Random, is_middle: bool) -> ExactCover:
    """Blocks of items of which any two can be exchanged, which the model names or does not, and other items."""
    n_blocks = rng.randint(2, MOST_BLOCKS_OF_MIDDLE if is_middle else 3)
    n_primary, n_secondary, n_others = rng.randint(1, 2), rng.randint(0, 1), rng.randint(0, 2)
    size = n_primary + n_secondary
    of_blocks = [(rng.choice(((1, 1), (1, 1), (0, 1), (1, 2), (0, 2)))) for _ in range(n_primary)]
    of_others = [rng.choice(((1, 1), (0, 2), (1, 3))) for _ in range(n_others)]
    n_all = n_blocks * n_primary + n_others

    def item(block: int, k: int) -> Item:
        return block * n_primary + k if k < n_primary else n_all + block * n_secondary + k - n_primary

    options: dict[Option, None] = {}
    for _ in range(rng.randint(1, 4)):
        uses = {(rng.randrange(n_blocks), k): 0 for k in rng.sample(range(size), rng.randint(1, size))}
        uses |= {(rng.randrange(n_blocks), rng.randrange(n_primary)): 0}
        alone = [n_blocks * n_primary + k for k in range(n_others) if rng.random() < 0.4]
        colors = {use: rng.randint(0, 2) if use[1] >= n_primary else 0 for use in uses}
        for order in permutations(range(n_blocks)):
            moved = [(item(order[block], k), colors[block, k]) for block, k in uses]
            options[tuple(sorted([*moved, *((one, 0) for one in alone)]))] = None
    if len(options) > MOST_OPTIONS and not is_middle:
        raise BadModel("random model: too many options")
    blocks = tuple(tuple(item(block, k) for k in range(size)) for block in range(n_blocks))
    return ExactCover(
        tuple(f"p{k}" for k in range(n_all)),
        tuple(f"s{k}" for k in range(n_blocks * n_secondary)),
        tuple(rng.sample(list(options), len(options))),
        (*of_blocks * n_blocks, *of_others),
        exchanges=(blocks,) if rng.random() < 0.5 else (),
    )
