"""Catalog: puzzles that are stated as exact covers: Langford pairings and Latin squares.

Symmetry: a Langford pairing read backwards. Left out on purpose: symmetries of Latin squares, which are too
many to list: rows, columns and symbols may be exchanged.
"""

from __future__ import annotations

from rekkyo.catalog.entry import Entry, Parameter
from rekkyo.catalog.published import published
from rekkyo.model.checks import check_whole
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Puzzle

MAX_LANGFORD = 200


def langford(n: int) -> Puzzle:
    """Pairs of 1 … n in a row of 2n places, with k numbers between the two numbers k, for every k.

    Option: a pair and its places; by pair, then by place. Raises BadModel.
    """
    check_whole("langford: the number of pairs", n, 1, MAX_LANGFORD)
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


MAX_LATIN = 20


def latin_square(n: int) -> Puzzle:
    """Squares of n symbols, each once in every row and column.

    Option: a symbol in a cell; by cell, row by row, then by symbol. Raises BadModel.
    """
    check_whole("latin-square: the side", n, 1, MAX_LATIN)
    numbers = range(n)
    cell, in_row, in_column = ([[k * n * n + n * a + b for b in numbers] for a in numbers] for k in range(3))
    names = [f"r{row}c{column}" for row in numbers for column in numbers]
    names += [f"{line}{a}={symbol + 1}" for line in "rc" for a in numbers for symbol in numbers]
    columns = tuple((*(cell[row][c] for row in numbers), *in_column[c]) for c in numbers)
    symbols = tuple((*(in_row[r][s] for r in numbers), *(in_column[c][s] for c in numbers)) for s in numbers)
    model = ExactCover(
        primary=tuple(names),
        options=tuple(
            ((cell[row][column], 0), (in_row[row][symbol], 0), (in_column[column][symbol], 0))
            for row in numbers
            for column in numbers
            for symbol in numbers
        ),
        exchanges=(columns, symbols) if n > 1 else (),
    )
    counts = published("covers", "latin-square", str(n))
    return Puzzle(f"latin-square {n}", model, f"Latin squares of order {n}", published=counts)


ENTRIES = (
    Entry(
        name="langford",
        summary="pairs of 1 to N in a row, k numbers between the two numbers k",
        source="Langford, Mathematical Gazette 42 (1958); OEIS A014552",
        parameters=(Parameter("N", "the number of pairs", 1, MAX_LANGFORD),),
        build=langford,
    ),
    Entry(
        name="latin-square",
        summary="squares of N symbols, each once in every row and column",
        source="Sade 1948; McKay and Wanless 2005; OEIS A002860",
        parameters=(Parameter("N", "the side of the square", 1, MAX_LATIN),),
        build=latin_square,
    ),
)
