"""A group of any size as tables by which a kernel finds out whether a set of options is least in its orbit.

Sets are compared in an order of the options: of two sets, the one that has the first option in which they
differ is less. The elements that keep the first options of a set are a group. There is a *node* for each
beginning of a least set, unless only the identity keeps its options:

    tables  | … | element | … | node | node | …
    element | the image of each option
    node    | ORDER | LEAST of each option | MOVE of each | NEXT of each

ORDER is the order of that group, at most MOST_ORDER. LEAST is the least option in the orbit of each option.
MOVE is the place of an element that maps the option one step nearer to LEAST; it is 0 for a least option.
NEXT is the place of the node for the beginning with this option added. It is TRIVIAL if only the identity
keeps that beginning, and 0 if no least set has it.

The next option of a least set is the least one of its orbit. In a cover, it is not after the last option that
an item needs. So there are few nodes: 31 for Latin squares of order 6, 555 for Steiner triple systems of 15
points.
Source: S. Linton, Finding the smallest image of a set (ISSAC 2004). Left out on purpose: nodes with the same
group are not merged, because they differ in the options that may follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import read_only
from rekkyo.bits import Words
from rekkyo.model.exact_cover import ExactCover
from rekkyo.symmetry.chain import Chain, Element, generators_of, keeping, least_of_orbits, order_of
from rekkyo.symmetry.least_tables import MOST_ORDER, LeastTables, TablesTooLarge

ORDER, LEAST = 0, 1
"""Places in a node. MOVE and NEXT follow, as many numbers later as there are options each."""

TRIVIAL = 1
"""The place of the node without another element than the identity; no such node is stored."""

MOST_WORDS = 1 << 23
"""The most words of tables. Steiner triple systems of 15 points need 1.5 million."""

MOST_NODES, MOST_CHOSEN = 1 << 13, 256
"""The most nodes, each of which takes 0.1 to 1 ms, and the most options of a beginning. The nodes of longer
beginnings are made by recursion, which must not be too deep."""

NODES_BEFORE_DIVES, N_DIVES = 256, 16
"""The nodes after which random dives tell whether the tables become too large, and how many dives. For all
sudokus each dive expects 5,300 to 23,000 nodes, and 3,833 fit. That takes 0.5 s instead of 3.4."""

MOST_OPTIONS, MOST_USES = 1 << 12, 1 << 24
"""The most options, and items times options, for which tables are begun."""

Set: TypeAlias = NDArray[np.bool_]
"""bool[n_options]."""


class Items:
    """The items of a cover, which determine the options that may follow chosen ones.

    users : bool[n_primary, n_options]. low, high : int64[n_primary], the bounds of each item.
    """

    def __init__(self, cover: ExactCover, order: Sequence[int]) -> None:
        n_primary = len(cover.primary)
        options = [cover.options[option] for option in order]
        self.users = np.zeros((n_primary, len(options)), dtype=np.bool_)
        bounds = np.array([cover.bounds_of(item) for item in range(n_primary)])
        self.low, self.high = bounds.T
        colors = np.full((len(cover.secondary), len(options)), -1)
        for place, option in enumerate(options):
            for item, color in option:
                if item < n_primary:
                    self.users[item, place] = True
                else:
                    colors[item - n_primary, place] = color
        self._colors = colors

    def rivals(self, place: int) -> Set:
        """The options that cannot be chosen beside this one, because of a secondary item."""
        own = self._colors[:, place, None]
        differs = (own >= 0) & (self._colors >= 0) & ((own != self._colors) | (own == 0))
        return differs.any(axis=0)  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True, eq=False)
class Beginning:
    """The first n options of a set. chain: of the elements that keep each of them.

    times : int64[n_primary]. How often they cover each item. left: options that may follow.
    """

    n: int
    chain: Chain
    times: NDArray[np.int64]
    left: Set


def compared_options(cover: ExactCover) -> tuple[int, ...]:
    """The options in comparison order: item by item, the one with the fewest new options first.

    So the first options of a set are those that a search chooses first. In an order by the sizes of orbits,
    Steiner triple systems of 9 points took ten times as many nodes.
    """
    users: list[list[int]] = [[] for _ in cover.primary]
    for number, option in enumerate(cover.options):
        for item, _ in option:
            if item < len(users):
                users[item].append(number)
    n_new = np.array([len(some) for some in users])
    order: dict[int, None] = {}
    for _ in users:
        item = int(n_new.argmin())
        for number in users[item]:
            if number not in order:
                order[number] = None
                n_new[[other for other, _ in cover.options[number] if other < len(users)]] -= 1
        n_new[item] = len(cover.options) + 1
    return tuple(order)


def are_too_many(cover: ExactCover, order: Sequence[int]) -> bool:
    """Whether there are too many options or items for tables, whatever the group is."""
    n_items = len(cover.primary) + len(cover.secondary)
    return len(order) > MOST_OPTIONS or n_items * len(order) > MOST_USES


def set_tables(chain: Chain, cover: ExactCover, order: Sequence[int]) -> LeastTables:
    """The tables of a group of options, numbered in comparison order. Raises TablesTooLarge.

    chain: complete, not empty, of these numbers. order: the options of the cover in comparison order.
    """
    if are_too_many(cover, order):
        raise TablesTooLarge
    return _Builder(cover, order).built(chain)


class _Builder:
    """Makes the nodes option by option."""

    def __init__(self, cover: ExactCover, order: Sequence[int]) -> None:
        self.items, self.n_options = Items(cover, order), len(order)
        self.parts: list[Words] = []
        self.n_words, self.n_nodes = TRIVIAL + 1, 0
        self.places: dict[bytes, int] = {}
        self.orders: dict[int, int] = {TRIVIAL: 1}

    def built(self, chain: Chain) -> LeastTables:
        """See `set_tables`."""
        left = np.ones(self.n_options, dtype=np.bool_)
        self.empty = Beginning(0, chain, np.zeros(len(self.items.low), dtype=np.int64), left)
        root = self._node(self.empty)
        words = np.concatenate([np.zeros(TRIVIAL + 1, dtype=np.uint64), *self.parts])
        return LeastTables(read_only(words), root, self.orders)

    def _node(self, here: Beginning) -> int:
        """The place of the node of a beginning, made after those that follow it."""
        self.n_nodes += 1
        if here.n > MOST_CHOSEN or self.n_nodes > MOST_NODES:
            raise TablesTooLarge
        if self.n_nodes == NODES_BEFORE_DIVES and self._are_too_many():
            raise TablesTooLarge
        generators, order = generators_of(here.chain), order_of(here.chain)
        least = least_of_orbits(generators, self.n_options)
        following = np.zeros(self.n_options, dtype=np.uint64)
        for option in self._following(here, least):
            after = self._after(here, option)
            following[option] = TRIVIAL if order_of(after.chain) == 1 else self._node(after)
        node = np.concatenate(
            [np.array([min(order, MOST_ORDER)]), least, self._moves(generators, least), following]
        )
        place = self._add(node)
        self.orders[place] = order
        return place

    def _are_too_many(self) -> bool:
        """Whether each of some random dives (Knuth's estimator) expects more nodes than fit.

        A dive is right on average, and more often too low than too high.
        """
        dice, words_of_node = Random(0), 1 + 3 * self.n_options
        most = min(MOST_NODES, MOST_WORDS // words_of_node)
        return all(self._expected_nodes(dice) > most for _ in range(N_DIVES))

    def _expected_nodes(self, dice: Random) -> int:
        """The nodes that a random dive expects: one for each beginning that an element keeps."""
        here, n_nodes, n_alike = self.empty, 0, 1
        while order_of(here.chain) > 1:
            n_nodes += n_alike
            least = least_of_orbits(generators_of(here.chain), self.n_options)
            following = self._following(here, least)
            if not following:
                break
            n_alike *= len(following)
            here = self._after(here, dice.choice(following))
        return n_nodes

    def _following(self, here: Beginning, least: NDArray[np.uint32]) -> list[int]:
        """The next options of least sets. least: the least option in the orbit of each."""
        is_least = least == np.arange(self.n_options)
        following: list[int] = np.flatnonzero(self._may_follow(here) & is_least).tolist()
        return following

    def _may_follow(self, here: Beginning) -> Set:
        """The options that may follow: none after the last option of an item that still needs one."""
        items = self.items
        needed = items.low - here.times
        users = items.users & here.left
        may_follow = here.left.copy()
        if (users.sum(axis=1) < needed).any():
            return np.zeros_like(may_follow)
        ends = self.n_options - users[needed > 0, ::-1].argmax(axis=1)
        may_follow[int(ends.min(initial=self.n_options)) :] = False
        return may_follow

    def _after(self, here: Beginning, option: int) -> Beginning:
        """The beginning that is longer by an option."""
        items = self.items
        times = here.times + items.users[:, option]
        is_full = times == items.high
        left = here.left & ~items.rivals(option) & ~items.users[is_full].any(axis=0)
        left[: option + 1] = False
        return Beginning(here.n + 1, keeping(here.chain, option), times, left)

    def _moves(self, generators: Sequence[Element], least: NDArray[np.uint32]) -> NDArray[np.uint64]:
        """For each option the place of an element that takes it nearer to the least one of its orbit."""
        moves = np.zeros(self.n_options, dtype=np.uint64)
        elements = [each for one in generators for each in (one, np.argsort(one))]
        places = [self._element(element) for element in elements]
        is_near = least == np.arange(self.n_options)
        reached = is_near.copy()
        while not reached.all():
            was_reached = reached.copy()
            for element, place in zip(elements, places, strict=True):
                found = was_reached[element] & ~reached
                moves[found] = place
                reached |= found
        return moves

    def _element(self, element: NDArray[np.int64] | Element) -> int:
        """The place of an element, which is stored once."""
        words = np.array(element, dtype=np.uint64)
        key = words.tobytes()
        if key not in self.places:
            self.places[key] = self._add(words)
        return self.places[key]

    def _add(self, numbers: NDArray[np.int64] | Words) -> int:
        """Append numbers; their place."""
        place = self.n_words
        self.parts.append(numbers.astype(np.uint64))
        self.n_words += len(numbers)
        if self.n_words > MOST_WORDS:
            raise TablesTooLarge
        return place
