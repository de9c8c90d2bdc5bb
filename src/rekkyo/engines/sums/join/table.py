"""The counts of keys of left halves: a compiled hash table with open addressing.

A key is searched from its first place (`engines/hashing.py`) on, until it or a free place is found.
Word 0 of a place is a key, word 1 its count, 0 for a free place.
"""

from __future__ import annotations

import numpy as np

from rekkyo.bits import ONE, ZERO, Word, Words
from rekkyo.engines.hashing import hashed, place_by
from rekkyo.engines.memory import ALLOW_MORE, size_in_words
from rekkyo.errors import NeedsMemory
from rekkyo.jit import inlined_inner_kernel, kernel

FIRST_BITS = 12
"""The logarithm of the first number of places."""

TOO_MANY = 16
BYTES_OF_A_PLACE = 16
BYTES_OF_A_KEY = 4 * BYTES_OF_A_PLACE
"""At most: a table that has just grown is filled to a quarter."""


class Table:
    """A table that grows when half of its places are used. Raises EngineRefuses beyond `most_bytes`."""

    def __init__(self, most_bytes: int) -> None:
        self.n_keys = 0
        self._most_bytes = most_bytes
        self._places = _empty_places(FIRST_BITS)

    def clear(self) -> None:
        """Remove all keys. A table that was much too large for them is replaced, because clearing takes
        longer.
        """
        if len(self._places) > TOO_MANY * max(self.n_keys, 1 << FIRST_BITS):
            self._places = _empty_places(FIRST_BITS)
        else:
            self._places.fill(0)
        self.n_keys = 0

    def insert(self, keys: Words) -> None:
        """Enter keys. keys: uint64[n]."""
        while 2 * (self.n_keys + len(keys)) > len(self._places):
            self.grow()
        self.n_keys += insert(self._places, keys)

    def look_up(self, keys: Words) -> int:
        """The sum of the counts of these keys. keys: uint64[n]."""
        return int(look_up(self._places, keys))

    def grow(self) -> None:
        """Double the number of places."""
        n_places = 2 * len(self._places)
        if n_places * BYTES_OF_A_PLACE > self._most_bytes:
            raise NeedsMemory(
                f"engine sum-join needs more than {size_in_words(self._most_bytes)} for the halves of one"
                f" slice; choose an engine that lists, {ALLOW_MORE}"
            )
        places = _empty_places(n_places.bit_length() - 1)
        move(self._places, places)
        self._places = places


def _empty_places(bits: int) -> Words:
    return np.zeros((1 << bits, 2), dtype=np.uint64)


@kernel
def insert(places: Words, keys: Words) -> int:
    """Enter keys; returns the number of new ones."""
    n_new = 0
    for at in range(len(keys)):
        place = _place_of(places, keys[at])
        if places[place, 1] == ZERO:
            n_new += 1
            places[place, 0] = keys[at]
        places[place, 1] += ONE
    return n_new


@kernel
def look_up(places: Words, keys: Words) -> Word:
    """The sum of the counts of some keys."""
    total = ZERO
    for at in range(len(keys)):
        total += places[_place_of(places, keys[at]), 1]
    return total


@kernel
def move(places: Words, larger: Words) -> None:
    """Enter all keys of a table into a larger, empty one."""
    for at in range(len(places)):
        if places[at, 1] != ZERO:
            place = _place_of(larger, places[at, 0])
            larger[place, 0] = places[at, 0]
            larger[place, 1] = places[at, 1]


@inlined_inner_kernel
def _place_of(places: Words, key: Word) -> Word:
    """The place of a key, or the free place for it."""
    mask = np.uint64(len(places) - 1)
    place = place_by(hashed(key), len(places))
    while places[place, 1] != ZERO and places[place, 0] != key:
        place = (place + ONE) & mask
    return place
