"""The chart of a filling: all windows that can occur, and the options that lead from each to a solution.

Algorithm: item by item, collect the windows in which the item can be the lowest uncovered one; equal windows
are one state. Then go back from the full board and keep only the states from which it can be reached. A
search along the chart tests no masks. It has dead ends only because of labels, which the chart does not
contain. Source: the broken-profile method. As a graph of all solutions, the chart is an unreduced ZDD (Knuth,
TAOCP 4A, 7.1.4).

The number of states grows exponentially with the width of the board and with long options, so no chart is
made if it needs more than MAX_PAIRS pairs.

The layout is one list of moves for each state, with the states of the last item first. An end closes each
list:

    targets | target target NO_MORE | target NO_MORE | …     a target is the place of the next state's list,
    options | option option       0 | option       0 | …     or SOLVED if all items are covered
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import different
from rekkyo.bits import Words
from rekkyo.engines.covers.masks.kernel import NO_MORE, SOLVED
from rekkyo.engines.covers.masks.order import Entries, Entry

Numbers: TypeAlias = NDArray[np.int64]

MAX_PAIRS = 1 << 23
"""Pairs of a window and an option that are tried while a chart is made, at most. Limits time and memory."""

LEAST_REST = 0.25
"""The pairs of later items, as a part of those if each had as many as this one. In a cube of 6 dimensions
11.6 million pairs took 1.5 s before they were too many; this tells after one or two million. In pentominoes
on 6x10 the pairs that are foreseen are at most 1.1 times those that there are, in Soma 1.5 times.
"""

ONE = np.uint64(1)
END = np.array([NO_MORE, 0, 0], dtype=np.uint64)


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """windows[i]: the windows over item i from which a full board can be reached, in increasing order.

    places[i]: the places of their lists of moves.
    """

    moves: Words
    windows: tuple[Words, ...]
    places: tuple[Words, ...]

    def place_of(self, item: int, window: int) -> int | None:
        """The place of the moves from a state; None if no full board can be reached from it."""
        index = int(np.searchsorted(self.windows[item], np.uint64(window)))
        is_there = index < len(self.windows[item]) and int(self.windows[item][index]) == window
        return int(self.places[item][index]) if is_there else None


class Steps(NamedTuple):
    """Steps from the states of one item, all arrays in parallel and sorted by state.

    states  : int64[n]. The number of the state among those of the item.
    entries : int64[n]. The number of the entry among those of the item.
    items   : int64[n]. The next uncovered item.
    windows : uint64[n]. The window over the next uncovered item.
    """

    states: Numbers
    entries: Numbers
    items: Numbers
    windows: Words


def draw_chart(entries: Entries, most_pairs: int) -> Chart | None:
    """The chart of a filling; None if it takes more than `most_pairs` pairs of a window and an option."""
    found = _explore(entries, most_pairs)
    return None if found is None else _link(entries, *found)


def _explore(entries: Entries, most_pairs: int) -> tuple[list[Words], list[Steps]] | None:
    """All states that can be reached from the empty board, item by item, and the steps between them."""
    arrivals: list[list[Words]] = [[] for _ in range(len(entries) + 1)]
    arrivals[0].append(np.zeros(1, dtype=np.uint64))
    windows: list[Words] = []
    steps: list[Steps] = []
    for item, here in enumerate(entries):
        windows.append(different(np.concatenate([np.zeros(0, dtype=np.uint64), *arrivals[item]])))
        n_pairs = len(windows[item]) * len(here)
        most_pairs -= n_pairs
        if most_pairs < LEAST_REST * n_pairs * (len(entries) - item - 1):
            return None
        steps.append(_steps_from(item, here, windows[item]))
        for target in np.unique(steps[item].items).tolist():
            arrivals[target].append(different(steps[item].windows[steps[item].items == target]))
    return windows, steps


def _steps_from(item: int, here: tuple[Entry, ...], windows: Words) -> Steps:
    masks = np.array([entry.mask for entry in here], dtype=np.uint64)
    states, entries = np.nonzero((windows[:, None] & masks[None, :]) == 0)
    covered = windows[states] | masks[entries]
    lowest_free = ~covered & (covered + ONE)
    # A power of two is exact as a float, and frexp gives its exponent plus one.
    distance = np.frexp(lowest_free.astype(np.float64))[1].astype(np.int64) - 1
    return Steps(states, entries, item + distance, covered >> distance.astype(np.uint64))


def _link(entries: Entries, windows: list[Words], steps: list[Steps]) -> Chart:
    """Go back from the full board, and write the moves of the states from which it can be reached."""
    n_items = len(entries)
    alive: list[Words] = [np.zeros(0, dtype=np.uint64)] * n_items + [np.zeros(1, dtype=np.uint64)]
    places: list[Words] = [np.zeros(0, dtype=np.uint64)] * n_items + [np.array([SOLVED])]
    moves: list[Words] = []
    top = 0
    for item in reversed(range(n_items)):
        goes_to = _targets(steps[item], alive, places)
        is_move = goes_to != NO_MORE
        table = np.array([(entry.option, entry.labels) for entry in entries[item]], dtype=np.uint64)
        chosen = table.reshape(-1, 2)[steps[item].entries[is_move]]
        states, counts = np.unique(steps[item].states[is_move], return_counts=True)
        ends = np.cumsum(counts)
        ended = np.insert(np.column_stack((goes_to[is_move], chosen)), ends, END, axis=0)
        moves.append(ended)
        alive[item] = windows[item][states]
        places[item] = (ends - counts + np.arange(len(ends)) + top).astype(np.uint64)
        top += len(ended)
    return Chart(np.concatenate(moves), tuple(alive), tuple(places))


def _targets(steps: Steps, alive: list[Words], places: list[Words]) -> Words:
    """The target of each step: the place of the list of a live state, or NO_MORE."""
    goes_to = np.full(len(steps.items), NO_MORE)
    for item in np.unique(steps.items).tolist():
        if len(alive[item]) == 0:
            continue
        here = np.flatnonzero(steps.items == item)
        index = np.minimum(np.searchsorted(alive[item], steps.windows[here]), len(alive[item]) - 1)
        is_alive = alive[item][index] == steps.windows[here]
        goes_to[here[is_alive]] = places[item][index[is_alive]]
    return goes_to
