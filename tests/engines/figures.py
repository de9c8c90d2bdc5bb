"""Random small sum figures, and what brute force finds in them."""

from __future__ import annotations

from rekkyo.model.sum_figure import Line, SumFigure
from tests import made_once as st
from tests import naive_sums


def expected(model: SumFigure) -> list[tuple[int, ...]]:
    """The rows by brute force."""
    lines = [(line.cells, line.sum) for line in model.lines]
    return naive_sums.figure_solutions(len(model.cells), model.numbers, lines, model.orders, model.given)


@st.composite
def small_figures(draw: st.DrawFn, widest: int = 12) -> SumFigure:
    """Up to 6 cells and 7 numbers, negative ones too; some sums given, likely ones above all; orders; given
    numbers. Any part may contradict any other.
    """
    n_cells = draw(st.integers(1, 6))
    spread = st.integers(-widest // 2, widest // 2)
    numbers = draw(
        st.one_of(
            st.integers(-3, 3).map(lambda first: list(range(first, first + n_cells))),
            st.lists(spread, min_size=n_cells, max_size=7, unique=True).map(sorted),
        )
    )
    cell = st.integers(0, n_cells - 1)
    # A row that is right for many lines, so that figures with solutions are common.
    held = draw(st.permutations(numbers))[:n_cells]
    lines = []
    for cells in draw(
        st.lists(st.lists(cell, min_size=1, max_size=n_cells, unique=True), min_size=1, max_size=6)
    ):
        hint = sum(held[c] for c in cells)
        total = draw(st.sampled_from([None, None, None, hint, hint, hint + 1]))
        lines.append(Line(tuple(cells), total))
    pairs = draw(st.lists(st.tuples(cell, cell), max_size=3)) if draw(st.booleans()) else []
    given = {}
    for c in draw(st.lists(cell, max_size=2, unique=True)) if draw(st.booleans()) else []:
        number = draw(st.sampled_from([held[c], held[c], numbers[0]]))
        if number not in given.values():
            given[c] = number
    return SumFigure(
        tuple(f"c{k}" for k in range(n_cells)),
        tuple(numbers),
        tuple(lines),
        tuple((a, b) for a, b in pairs if a != b),
        frozenset(given.items()),
    )
