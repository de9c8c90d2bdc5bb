"""Algorithm X with bounds, for the tests: a set of options is a number with a bit for each."""

from __future__ import annotations

from collections.abc import Iterator

from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.packing import Packing
from rekkyo.model.packing_cover import Placement
from rekkyo.model.puzzle import Model

Row = tuple[int, ...]


def solutions(model: Model) -> list[Row]:
    """All solution rows of a model that lowers to an exact cover without colours, in lexicographic order."""
    cover = lower(model)
    assert isinstance(cover, ExactCover)
    shape = cover.row_shape
    chosen = _search(_Search(cover), (1 << len(cover.options)) - 1, (0,) * len(cover.primary), ())
    filler = shape.n_values
    return sorted((*sorted(row), *[filler] * (shape.length - len(row))) for row in chosen)


def packings(model: Packing) -> set[frozenset[Placement]]:
    """All solutions as sets of placements."""
    placements = model.placements()
    return {
        frozenset(placements[number] for number in row if number < len(placements))
        for row in solutions(model)
    }


class _Search:
    def __init__(self, cover: ExactCover) -> None:
        self.cover = cover
        self.n_primary = len(cover.primary)
        self.bounds = [cover.bounds_of(item) for item in range(self.n_primary)]
        self.with_item = [0] * (self.n_primary + len(cover.secondary))
        for number, option in enumerate(cover.options):
            for item, color in option:
                assert color == 0
                self.with_item[item] |= 1 << number

    def choose(self, live: int, times: tuple[int, ...], option: int) -> tuple[int, tuple[int, ...]]:
        """The options that are still possible, and how often items are covered, with this option."""
        now = list(times)
        live &= ~(1 << option)
        for item, _ in self.cover.options[option]:
            if item < self.n_primary:
                now[item] += 1
            if item >= self.n_primary or now[item] == self.bounds[item][1]:
                live &= ~self.with_item[item]
        return live, tuple(now)


def _search(search: _Search, live: int, times: tuple[int, ...], chosen: Row) -> Iterator[Row]:
    """Solutions with the chosen options and any of the live ones."""
    short = [item for item in range(search.n_primary) if times[item] < search.bounds[item][0]]
    if not short and not live:
        yield chosen
        return
    candidates = live
    if short:
        item = min(short, key=lambda item: (live & search.with_item[item]).bit_count())
        candidates &= search.with_item[item]
    else:
        yield from _search(search, 0, times, chosen)
    while candidates:
        option = (candidates & -candidates).bit_length() - 1
        candidates &= candidates - 1
        yield from _search(search, *search.choose(live, times, option), (*chosen, option))
        live &= ~(1 << option)
