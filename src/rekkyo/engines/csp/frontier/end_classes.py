"""The classes of ends after a level, and their images under an exchange.

An exchange can be made if it takes all ends of a class to all ends of a class. Ends are rows of an array, and
are looked up by a hash, because a plan asks for thousands of images: 3267 for `ramsey 3 5 13`, with a million
ends, took 3.1 s in sets of Python and take 0.4 s (under a profiler).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from rekkyo.symmetry.automorphisms import mixed

LiteralNumbers: TypeAlias = NDArray[np.int64]

NO_LITERAL = -1
"""The number of an image that is in no pattern."""

PAD = -2
"""The number behind the last literal of an end that is shorter than others; its image is itself."""

ClassT = TypeVar("ClassT")


class EndClasses(Generic[ClassT]):
    """The classes that have ends. ends_of: for each class the numbers of the literals of each end.

    _ends  : int64[n_ends, width]. The literals of each end, decreasing; those of a class are neighbours.
    _class : int64[n_ends]. The class of each end.
    _keys  : uint64[n_ends], increasing: the hashes of the ends. _places: where each of them is.
    """

    def __init__(self, ends_of: Mapping[ClassT, Collection[Sequence[int]]]) -> None:
        self._classes = list(ends_of)
        ends = [sorted(end, reverse=True) for some in ends_of.values() for end in some]
        width = max(map(len, ends), default=0)
        padded = [end + [PAD] * (width - len(end)) for end in ends]
        self._ends = np.array(padded, dtype=np.int64).reshape(len(ends), width)
        self._sizes = np.array(list(map(len, ends_of.values())), dtype=np.int64)
        self._class = np.repeat(np.arange(len(ends_of)), self._sizes)
        hashes = _hashed(self._ends)
        self._places = np.argsort(hashes)
        self._keys = hashes[self._places]

    def images(self, image_of: LiteralNumbers) -> dict[ClassT, ClassT] | None:
        """The class to which each is taken; None if one is not.

        image_of: for each literal its image; then PAD and NO_LITERAL, which stand for themselves.
        """
        images = -np.sort(-image_of[self._ends], axis=1)
        at = np.minimum(np.searchsorted(self._keys, _hashed(images)), len(self._keys) - 1)
        places = self._places[at]
        if not np.array_equal(self._ends[places], images):  # also if two ends have one hash
            return None
        found = self._class[places]
        firsts = found[np.cumsum(self._sizes) - self._sizes]
        if not np.array_equal(found, firsts[self._class]):  # classes that stay together fill others
            return None
        return {one: self._classes[image] for one, image in zip(self._classes, firsts.tolist(), strict=True)}


def _hashed(ends: LiteralNumbers) -> NDArray[np.uint64]:
    """A hash of each end."""
    hashed: NDArray[np.uint64] = np.bitwise_xor.reduce(mixed(ends.astype(np.uint64)), axis=1)
    return hashed
