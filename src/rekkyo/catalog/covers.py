"""Catalog: puzzles that are stated as exact covers: Langford pairings.

Symmetry: a Langford pairing read backwards.
"""

from __future__ import annotations

from rekkyo.catalog.entry import Entry, Parameter
from rekkyo.catalog.published import published
from rekkyo.errors import BadModel
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Puzzle

MAX_LANGFORD = 200


def langford(n: int) -> Puzzle:
    """Pairs of 1 … n in a row of 2n places, with k numbers between the two numbers k, for every k.

    Option: a pair and its places; by pair, then by place. Raises BadModel.
    """
    if type(n) is not int or not 1 <= n <= MAX_LANGFORD:
        raise BadModel(f"langford: the number of pairs is a whole number from 1 to {MAX_LANGFORD}, not {n!r}")
    pairs = [(k, left) for k in range(1, n + 1) for left in range(2 * n - k - 1)]
    model = ExactCover(
        primary=(*(f"pair{k}" for k in range(1, n + 1)), *(f"place{place}" for place in range(1, 2 * n + 1))),
        options=tuple(((k - 1, 0), (n + left, 0), (n + left + k + 1, 0)) for k, left in pairs),
    )
    numbers = {pair: number for number, pair in enumerate(pairs)}
    backwards = tuple(numbers[k, 2 * n - 1 - (left + k + 1)] for k, left in pairs)
    title = f"Langford pairings of 1 to {n}"
    generators = (backwards,) if pairs else ()
    return Puzzle(
        f"langford {n}", model, title, generators, published=published("covers", "langford", str(n))
    )


ENTRIES = (
    Entry(
        name="langford",
        summary="pairs of 1 to N in a row, k numbers between the two numbers k",
        source="Langford, Mathematical Gazette 42 (1958); OEIS A014552",
        parameters=(Parameter("N", "the number of pairs", 1, MAX_LANGFORD),),
        options=(),
        build=langford,
    ),
)
