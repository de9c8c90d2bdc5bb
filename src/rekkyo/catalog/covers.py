"""Catalog: puzzles stated as exact covers: Langford pairings, Latin squares, sudoku grids.

A Langford pairing can be read backwards. Isotopy and main classes of Latin squares are relations, because
their groups are too large to list, and so are essentially different sudoku grids (3,359,232 moves of the
empty grid times 9! permutations of digits). Left out on purpose: the symmetry of a sudoku with clues, which
break nearly all of it.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import product
from pathlib import Path
from typing import TypeAlias

from rekkyo.catalog.entry import Entry, Option, Parameter, published
from rekkyo.errors import BadInput, in_short
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Puzzle, Relation
from rekkyo.model.row import AtomPermutation
from rekkyo.wording import several

Triple: TypeAlias = tuple[int, int, int]
"""Row, column and symbol."""

MAX_LANGFORD = 200


def langford(n: int) -> Puzzle:
    """Pairs of 1 … n in a row of 2n places, with k numbers between the two numbers k, for every k.

    Option: a pair and its places; by pair, then by place.
    """
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
        f"langford {n}",
        model,
        title,
        generators,
        published=published("covers", "langford", str(n)),
        symmetry_was_searched=not pairs,
    )


MAX_LATIN = 20


def latin_square(n: int) -> Puzzle:
    """Squares of n symbols, each once in every row and column.

    Option: a symbol in a cell; by cell, row by row, then by symbol.
    """
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
            for row, column, symbol in product(numbers, repeat=3)
        ),
        exchanges=(columns, symbols) if n > 1 else (),
    )
    counts = published("covers", "latin-square", str(n))
    title = f"Latin squares of order {n}"
    return Puzzle(f"latin-square {n}", model, title, published=counts, relations=_latin_relations(n))


def _options(n: int, move: Callable[[Triple], Triple]) -> AtomPermutation:
    """The image of each option of a square of order n, in which a digit or symbol may be in any cell."""
    moved = (move((row, column, symbol)) for row, column, symbol in product(range(n), repeat=3))
    return tuple((row * n + column) * n + symbol for row, column, symbol in moved)


def _transposed(cell: Triple) -> Triple:
    row, column, symbol = cell
    return column, row, symbol


def _permuted(place: int, to: Sequence[int], cell: Triple) -> Triple:
    row, column, symbol = (to[x] if at == place else x for at, x in enumerate(cell))
    return row, column, symbol


def _latin_relations(n: int) -> tuple[Relation, ...]:
    """Rows, columns and symbols permuted, and for main classes also exchanged with each other."""
    cycle, swap = (*range(1, n), 0), (*reversed(range(min(n, 2))), *range(2, n))

    isotopy = tuple(_options(n, partial(_permuted, place, to)) for place in range(3) for to in (cycle, swap))
    turned = _options(n, lambda cell: (cell[1], cell[2], cell[0]))
    return (
        Relation("isotopy", "rows, columns and symbols permuted", isotopy),
        Relation(
            "main-classes",
            "rows, columns and symbols permuted, and exchanged with each other",
            (*isotopy, _options(n, _transposed), turned),
        ),
    )


N_CELLS = 81
EMPTY = ".0"
CLUES = "123456789" + EMPTY
FRAME = "|-+ \t\r\n"
"""Characters between the cells that a file may have."""

MAX_CLUES_FILE = 1 << 12
"""The most bytes of a file with clues."""


def sudoku(*, clues: str = "." * N_CELLS) -> Puzzle:
    """The grids that complete the clues: 81 characters, row by row, `.` or `0` for an empty cell.

    Without clues the grid is empty. Option: a digit in a cell; by cell from the upper left, then by
    digit; the cell of a clue has one option only. Items: each cell is filled, and each digit is in each row,
    column and box: 324 in all. Raises BadInput.
    """
    given = _checked(clues)
    n_clues = sum(clue not in EMPTY for clue in given)
    name = f"sudoku --clues {given}" if n_clues else "sudoku"
    title = f"Sudoku with {several(n_clues, 'clue')}" if n_clues else "All sudoku grids"
    if n_clues:
        return Puzzle(name, _sudoku_cover(given), title)
    counts = published("covers", "sudoku", "-")
    return Puzzle(name, _sudoku_cover(given), title, published=counts, relations=(_different_grids(),))


def _different_grids() -> Relation:
    """Digits, rows of the first band, bands, and rows with columns: generators of all moves of a grid."""
    swap, cycle = (1, 0, 2), (1, 2, 0)
    in_band = [(*to, *range(3, 9)) for to in (swap, cycle)]
    bands = [tuple(3 * to[row // 3] + row % 3 for row in range(9)) for to in (swap, cycle)]
    digits = [(1, 0, *range(2, 9)), (*range(1, 9), 0)]
    permuted = [(0, to) for to in in_band + bands] + [(2, to) for to in digits]
    return Relation(
        "essentially-different",
        "digits, rows of a band, columns of a stack, bands and stacks permuted, and the grid transposed",
        (*(_options(9, partial(_permuted, place, to)) for place, to in permuted), _options(9, _transposed)),
    )


def _sudoku_cover(given: str) -> ExactCover:
    lines = [f"{line}{n}={digit}" for line in "rcb" for n in range(1, 10) for digit in range(1, 10)]
    cells = [f"r{cell // 9 + 1}c{cell % 9 + 1}" for cell in range(N_CELLS)]
    options = []
    for cell, clue in enumerate(given):
        row, column = divmod(cell, 9)
        box = row // 3 * 3 + column // 3
        for digit in range(9):
            if clue in (".", str(digit + 1)):
                items = (cell, *(N_CELLS + 9 * line + digit for line in (row, 9 + column, 18 + box)))
                options.append(tuple((item, 0) for item in items))
    return ExactCover(primary=(*cells, *lines), options=tuple(options))


def _checked(clues: str) -> str:
    """Clues with `.` for every empty cell."""
    for place, clue in enumerate(clues):
        if clue not in CLUES:
            raise BadInput(f'sudoku: clue {place + 1} is "{clue}"; use 1 to 9, and . or 0 for an empty cell')
    if len(clues) != N_CELLS:
        raise BadInput(
            f"sudoku: {several(len(clues), 'cell')} instead of {N_CELLS}; use . or 0 for an empty cell"
        )
    return clues.replace("0", ".")


def _read_clues(word: str) -> str:
    """Clues from the word itself, or from the file of that name."""
    if len(word) == N_CELLS or all(clue in CLUES for clue in word):
        return word
    path, content = Path(word), None
    with suppress(OSError, ValueError):
        if path.is_file():  # opening a named pipe would wait for a process at its other end
            with path.open("rb") as file:
                content = file.read(MAX_CLUES_FILE + 1)
    if content is None:
        raise BadInput(f'sudoku: "{in_short(word)}" is neither {N_CELLS} cells nor a file that can be read')
    if len(content) > MAX_CLUES_FILE:
        raise BadInput(f'sudoku: the file "{in_short(word)}" is longer than a grid of {N_CELLS} cells')
    text = content.removeprefix(BOM_UTF8).decode("latin-1")
    return "".join(character for character in text if character not in FRAME)


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
    Entry(
        name="sudoku",
        summary="the sudoku grids that complete given clues",
        source="Felgenhauer and Jarvis 2005; OEIS A107739",
        options=(
            Option(
                "--clues",
                "81 cells, row by row, . or 0 for an empty one, or a file that has them",
                "CLUES",
                _read_clues,
                str,
                once=True,
            ),
        ),
        build=sudoku,
        bare_option="--clues",
    ),
)
