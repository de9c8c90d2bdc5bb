"""The order in which a half is filled: levels of one chosen cell and the cells that lines force then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rekkyo.engines.sums.join.figure import Figure, cells_of, ways_of
from rekkyo.model.sum_figure import Cell

KEPT_ORDERS = 4


@dataclass(frozen=True, slots=True)
class Level:
    """A cell whose number is chosen, cells that follow from a line each, and lines to check after them."""

    cell: Cell
    forced: tuple[tuple[Cell, int], ...]
    checked: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """Levels, the cells that they fill, and the estimated number of tried numbers."""

    levels: tuple[Level, ...] = ()
    filled: int = 0
    cost: int = 0


def order_of(figure: Figure, half: int, first: Iterable[Cell]) -> Order:
    """The cheapest order that was found. half: its cells, as a word. first: cells to begin with.

    The number of ways to fill a set of cells does not depend on their order, so only a few orders are kept
    for each level.
    """
    lines = [number for number, line in enumerate(figure.lines) if line & ~half == 0]
    begun = Order()
    for cell in first:
        if half & ~begun.filled & 1 << cell:
            begun = _longer(figure, lines, begun, cell)
    orders = [begun]
    while orders[0].filled != half:
        longer: dict[int, Order] = {}
        for order in orders:
            for cell in cells_of(half & ~order.filled):
                tried = _longer(figure, lines, order, cell)
                if tried.filled not in longer or tried.cost < longer[tried.filled].cost:
                    longer[tried.filled] = tried
        orders = sorted(longer.values(), key=lambda order: order.cost)[:KEPT_ORDERS]
    return orders[0]


def _longer(figure: Figure, lines: Sequence[int], order: Order, cell: Cell) -> Order:
    """The order with a further level. lines: those of the half."""
    filled = order.filled | 1 << cell
    forced: list[tuple[Cell, int]] = []
    checked: list[int] = []
    waiting = [number for number in lines if figure.lines[number] & ~order.filled]
    n_filled = 0
    while n_filled != filled:
        n_filled, left_over = filled, []
        for number in waiting:
            missing = figure.lines[number] & ~filled
            if not missing:
                checked.append(number)
            elif missing.bit_count() == 1:
                forced.append((missing.bit_length() - 1, number))
                filled |= missing
            else:
                left_over.append(number)
        waiting = left_over
    n_choices = (figure.empty & ~order.filled).bit_count() if figure.empty >> cell & 1 else 1
    n_pairs = len(pairs_at(figure, lines, order.filled, cell))
    tried = ways_of(figure.grains_of(order.filled)) * n_choices >> n_pairs
    level = Level(cell, tuple(forced), tuple(checked))
    return Order((*order.levels, level), filled, order.cost + tried)


def pairs_at(figure: Figure, lines: Iterable[int], filled: int, cell: Cell) -> list[tuple[int, Cell]]:
    """Lines with this cell and one other open cell, and that cell. Each about halves the choices."""
    missing = [
        (number, figure.lines[number] & ~filled & ~(1 << cell))
        for number in lines
        if figure.lines[number] >> cell & 1
    ]
    return [(number, cells.bit_length() - 1) for number, cells in missing if cells.bit_count() == 1]
