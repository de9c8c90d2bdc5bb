"""Exact cover by the definition, and models to try; of rekkyo it uses only what a model is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rekkyo.model.exact_cover import ExactCover
from tests import made_once as st

Row = tuple[int, ...]


def solutions(model: ExactCover) -> list[Row]:
    """All solutions in lexicographic order: every set of options without a clash, checked against the definition."""
    found: list[Row] = []
    waiting: list[Row] = [()]
    while waiting:
        chosen = waiting.pop()
        if fits(model, chosen):
            if is_solution(model, chosen):
                found.append(padded(model, chosen))
            later = range(chosen[-1] + 1 if chosen else 0, len(model.options))
            waiting += [(*chosen, option) for option in later]
    return sorted(found)


def is_solution(model: ExactCover, chosen: Iterable[int]) -> bool:
    """Whether a set of options covers each primary item in bounds and agrees on each secondary item."""
    chosen = list(chosen)
    times = Counter(item for option in chosen for item, _ in model.options[option])
    return fits(model, chosen) and all(times[item] >= low for item, (low, _) in enumerate(_bounds(model)))


def fits(model: ExactCover, chosen: Iterable[int]) -> bool:
    """Whether no primary item is covered too often and each secondary item is agreed on; if not, no more options help."""
    uses = [use for option in chosen for use in model.options[option]]
    times = Counter(item for item, _ in uses)
    colors: dict[int, set[int]] = {}
    for item, color in uses:
        colors.setdefault(item, set()).add(color)
    agree = all(
        times[item] == 1 or (len(colors[item]) == 1 and colors[item] != {0})
        for item in times
        if item >= len(model.primary)
    )
    return agree and all(times[item] <= high for item, (_, high) in enumerate(_bounds(model)))


def _bounds(model: ExactCover) -> Sequence[tuple[int, int]]:
    return model.bounds or [(1, 1)] * len(model.primary)


def algorithm_x(model: ExactCover) -> list[Row]:
    """All solutions in lexicographic order where all bounds are (1, 1); recursive, for middle sizes."""
    assert all(pair == (1, 1) for pair in model.bounds)
    n_primary = len(model.primary)

    def clash(a: int, b: int) -> bool:
        colors = dict(model.options[a])
        return any(
            item in colors and (item < n_primary or color == 0 or colors[item] != color)
            for item, color in model.options[b]
        )

    def search(uncovered: frozenset[int], live: list[int], chosen: Row) -> Iterator[Row]:
        if not uncovered:
            yield padded(model, chosen)
            return
        ways = Counter(item for option in live for item, _ in model.options[option])
        item = min(uncovered, key=lambda item: (ways[item], item))
        for option in live:
            items = [used for used, _ in model.options[option]]
            if item in items:
                rest = [other for other in live if not clash(option, other)]
                yield from search(uncovered - set(items), rest, (*chosen, option))

    return sorted(search(frozenset(range(n_primary)), list(range(len(model.options))), ()))


def padded(model: ExactCover, chosen: Iterable[int]) -> Row:
    """The row of a set of options: sorted and filled up."""
    row = sorted(chosen)
    shape = model.row_shape
    return tuple(row + [shape.n_values] * (shape.length - len(row)))


def fillings(height: int, width: int, tiles: Iterable[frozenset[tuple[int, int]]]) -> ExactCover:
    """Fill a board with translated copies of tiles; a tile holds (row, column) from (0, 0) on."""
    cells = [(r, c) for r in range(height) for c in range(width)]
    number = {cell: index for index, cell in enumerate(cells)}
    placed = [sorted((r + down, c + across) for r, c in tile) for down, across in cells for tile in tiles]
    options = [tuple((number[cell], 0) for cell in tile) for tile in placed if all(c in number for c in tile)]
    return ExactCover(tuple(f"{r}.{c}" for r, c in cells), (), tuple(options))


DOMINOES = (frozenset({(0, 0), (0, 1)}), frozenset({(0, 0), (1, 0)}))
SQUARE = frozenset({(0, 0), (0, 1), (1, 0), (1, 1)})
L_TROMINOES = tuple(SQUARE - {cell} for cell in sorted(SQUARE))


def side_by_side(model: ExactCover, times: int) -> ExactCover:
    """Copies of a cover without secondary items that have nothing to do with each other, item by item."""
    return ExactCover(
        tuple(f"{name}/{copy}" for name in model.primary for copy in range(times)),
        (),
        tuple(
            tuple((times * item + copy, 0) for item, _ in option)
            for option in model.options
            for copy in range(times)
        ),
    )


def langford(n: int) -> ExactCover:
    """Pairs of 1 … n in 2n places, k other places between the two k; both directions count."""
    options = [
        ((k - 1, 0), (n + place, 0), (n + place + k + 1, 0))
        for k in range(1, n + 1)
        for place in range(2 * n - k - 1)
    ]
    return ExactCover(
        tuple(f"k{k}" for k in range(1, n + 1)) + tuple(f"p{p}" for p in range(2 * n)), (), tuple(options)
    )


def queens(n: int) -> ExactCover:
    """Rows and columns are primary items, both kinds of diagonals secondary ones."""
    rising, falling = 2 * n, 4 * n - 1
    options = [
        ((r, 0), (n + c, 0), (rising + r + c, 0), (falling + r - c + n - 1, 0))
        for r in range(n)
        for c in range(n)
    ]
    lines = [f"r{i}" for i in range(n)] + [f"c{i}" for i in range(n)]
    diagonals = [f"a{i}" for i in range(2 * n - 1)] + [f"b{i}" for i in range(2 * n - 1)]
    return ExactCover(tuple(lines), tuple(diagonals), tuple(options))


# Knuth's example of colours: {q x:A} with {p r x:A y} is the only solution.
TOY_XCC = ExactCover(
    ("p", "q", "r"),
    ("x", "y"),
    (
        ((0, 0), (1, 0), (3, 0), (4, 1)),
        ((0, 0), (2, 0), (3, 1), (4, 0)),
        ((0, 0), (3, 2)),
        ((1, 0), (3, 1)),
        ((2, 0), (4, 2)),
    ),
)

# Two to three of a, one or none of b, any two of c; seven options.
TOY_MCC = ExactCover(
    ("a", "b", "c"),
    ("s",),
    (
        ((0, 0), (1, 0)),
        ((0, 0), (2, 0), (3, 1)),
        ((0, 0), (2, 0), (3, 2)),
        ((0, 0), (3, 1)),
        ((1, 0), (2, 0)),
        ((2, 0),),
        ((2, 0), (3, 1)),
    ),
    ((2, 3), (0, 1), (2, 2)),
)


@st.composite
def models(draw: st.DrawFn, *, plain: bool = False, max_options: int = 10) -> ExactCover:
    """Small models with all that a model can have; plain: one cover of each item, no secondary items."""
    n_primary = draw(st.integers(1, 6))
    n_secondary = 0 if plain else draw(st.integers(0, 3))
    primary = st.lists(st.integers(0, n_primary - 1), min_size=1, max_size=3, unique=True)
    secondary = (
        st.lists(st.integers(0, n_secondary - 1), max_size=2, unique=True) if n_secondary else st.just(())
    )
    color = st.integers(0, 2)
    options = []
    for _ in range(draw(st.integers(0, max_options))):
        uses = [(item, 0) for item in draw(primary)]
        uses += [(n_primary + item, draw(color)) for item in draw(secondary)]
        options.append(tuple(draw(st.permutations(uses))))
    bounds: list[tuple[int, int]] = []
    if not plain and draw(st.booleans()):
        lows = [draw(st.integers(0, 3)) for _ in range(n_primary)]
        bounds = [(low, max(1, low + draw(st.integers(0, 2)))) for low in lows]
    return ExactCover(
        tuple(f"p{item}" for item in range(n_primary)),
        tuple(f"s{item}" for item in range(n_secondary)),
        tuple(options),
        tuple(bounds),
    )
