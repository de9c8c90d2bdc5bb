"""`[[compare]]`: lines that compare sums of cells, or numbers that are written with letters.

cells = "0,0 < 0,1 < 0,2"           a chain of comparisons; also <=, =, !=, >= and >
        "0,0 0,1 0,2 = 1,2"         cells are added up; 0,0 + 0,1 + 0,2 means the same
        "10*0,0 - 0,1 >= 15"        a cell may have a factor, and be subtracted; numbers are constants
        "0,0*0,1 = 3*(1,0 - 1,1)"   products, and sums in brackets
        "abs(0,0 - 0,1) >= 5"       absolute values
        "a < b"                     with `pattern`, whose marks name its cells: in each of its places
        "0,0 = B"                   the character of a value is its number
        "0,0 = 1 or 0,1 > 2"        words join comparisons, see `conditions.py`
words = "SEND + MORE = MONEY"       numbers that are written with names of cells, or with digits; the first of
                                    several letters is not 0. base: of the numbers, 10 if it is missing
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Mapping
from functools import partial
from itertools import pairwise

from rekkyo.catalog.entry import is_decimal, is_whole_number
from rekkyo.errors import in_short
from rekkyo.export.polynomial import Polynomial
from rekkyo.export.puzzle_toml.cells import ONLY_DRAWN, PATTERN_KEYS
from rekkyo.export.puzzle_toml.document import Table as TomlTable
from rekkyo.export.puzzle_toml.document import Word
from rekkyo.export.puzzle_toml.equations import EQUATION
from rekkyo.export.puzzle_toml.grid.board import JOINING, Board
from rekkyo.export.puzzle_toml.grid.conditions import is_condition, require
from rekkyo.export.puzzle_toml.grid.polynomials import OF_RELATIONS, SPLIT, polynomial
from rekkyo.export.puzzle_toml.grid.values import LARGEST
from rekkyo.model.csp.constraints import Linear
from rekkyo.model.csp.csp import MAX_SPAN
from rekkyo.model.csp.problem import SPELLINGS

CELLS, WORDS, BASE = "cells", "words", "base"
COMPARE_KEYS = (CELLS, WORDS, BASE, *(key for key in PATTERN_KEYS if key != EQUATION))
PATTERN = PATTERN_KEYS[0]
_SIGNS = "+-*()"
RELATIONS = ("<", "<=", "=", "!=", ">=", ">")
DEFAULT_BASE, MAX_BASE = 10, 36
MEANT = {
    "=>": "if 0,0 = 1 then 0,1 = 2",
    "implies": "if 0,0 = 1 then 0,1 = 2",
    "<=>": "0,0 = 1 iff 0,1 = 2",
    "&": "and",
    "&&": "and",
    "||": "or",
    "xor": "not (0,0 = 1 iff 0,1 = 2)",
    "either": "0,0 = 1 or 0,1 = 2",
    "else": "a second line that begins with if not",
}
"""What to write for other ways to join comparisons."""
NOT_IN_SUMS = {
    **dict.fromkeys(("|", "abs"), "write absolute values as abs(a - b)"),
    ";": "it ends no comparison; write each on a line of its own",
    "\u00d7": "write * for products",
    "\u00b7": "write * for products",
    "\u2212": "write - for differences",
    "\u2013": "write - for differences",
    "^": "sums have no powers; write 0,0*0,0",
    "/": "sums have no quotients; multiply the other side, as in 0,0 = 2*0,1",
    "\u00f7": "sums have no quotients; multiply the other side, as in 0,0 = 2*0,1",
    "%": 'sums have no remainders; odd and even are rules of a [[cage]], as in each = "odd"',
}
"""What to write for other signs, unless they are in the name of a cell."""
FUNCTIONS = {
    "max": "write each comparison: max(a, b) = 5 is a <= 5 and b <= 5 and (a = 5 or b = 5)",
    "min": "write each comparison: min(a, b) = 5 is a >= 5 and b >= 5 and (a = 5 or b = 5)",
    "sum": "write a sum as a + b",
    "mod": NOT_IN_SUMS["%"],
}
"""What to write for words that are no functions here."""


def read_compare(board: Board, table: TomlTable) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    table.check_keys(COMPARE_KEYS)
    key = WORDS if WORDS in table else CELLS
    if key == WORDS:
        table.refuse_keys((CELLS,), 'a [[compare]] has "cells" or "words"; write another one for {key}')
        table.refuse_keys(
            (PATTERN,), '"{key}" goes with "cells", whose lines compare its marks; leave it out'
        )
        atom = partial(_number, board, _base(board, table))
    else:
        table.refuse_keys((BASE,), "{key} is that of the numbers in words; leave it out")
        atom = partial(_cell, board)
    if PATTERN not in table:
        table.refuse_keys(PATTERN_KEYS, ONLY_DRAWN)
    drawing = table.drawing(key)
    if not drawing.text.strip():
        example = "0,0 < 0,1" if key == CELLS else "TWO + TWO = FOUR"
        table.refuse_value(key, f"there is no line; write one, such as {example}, or leave the clause out")
    lines = [
        [Word(drawing, number, found.start(), found[0]) for found in SPLIT.finditer(line)]
        for number, line in enumerate(drawing.lines())
    ]
    if PATTERN in table:
        _read_pattern(board, table, lines)
        return
    for words in filter(None, lines):
        if key == CELLS and is_condition(words):
            require(board, table, words, partial(_linears, board, table, atom))
        else:
            _read_line(board, table, words, atom)


def _read_pattern(board: Board, table: TomlTable, lines: list[list[Word]]) -> None:
    """Add the constraints of all lines for each place of a pattern, equal ones once."""
    found: dict[Linear, None] = {}
    for place in board.patterns(table):
        cells = {mark: cell for cell, mark in place}
        if len(cells) < len(place) or not all(map(str.isalpha, cells)):
            table.refuse(PATTERN, "mark each cell of the pattern with a letter of its own")
        linears = partial(_linears, board, table, partial(_marked, board, cells))
        for words in filter(None, lines):
            if is_condition(words):
                require(board, table, words, linears)
            else:
                found |= dict.fromkeys(linears(words))
    for constraint in found:
        board.add(table, constraint)


def _read_line(board: Board, table: TomlTable, words: list[Word], atom: Callable[[Word], Polynomial]) -> None:
    """Add the constraints of a line, one for each relation in it."""
    for left, right, relation in _comparisons(words, atom, partial(_absolute, board, table)):
        board.add(table, _linear(board, table, words[0], left, right, relation))
        _show(board, left, right, relation)


def _linears(
    board: Board, table: TomlTable, atom: Callable[[Word], Polynomial], words: list[Word]
) -> list[Linear]:
    """The constraints of some words, one for each relation in them."""
    return [
        _linear(board, table, words[0], left, right, relation)
        for left, right, relation in _comparisons(words, atom, partial(_absolute, board, table))
    ]


def _comparisons(
    words: list[Word],
    atom: Callable[[Word], Polynomial],
    absolute: Callable[[Word, Polynomial], Polynomial],
) -> list[tuple[Polynomial, Polynomial, str]]:
    """The sums on both sides of each relation in a chain, and the relation."""
    parts: list[list[Word]] = [[]]
    relations = []
    for word in words:
        if word.text[0] not in OF_RELATIONS:
            parts[-1].append(word)
            continue
        if len(parts[-1]) > 1 and parts[-1][-1].text == "-" and word.text == ">":
            parts[-1][-1].refuse(f'"->" is not a relation; write {MEANT["=>"]}')
        relation = SPELLINGS.get(word.text, word.text)
        if relation not in RELATIONS:
            arrow = MEANT.get(word.text)
            known = f"write {arrow}" if arrow else f"take one of {' '.join(RELATIONS)}"
            word.refuse(f'"{in_short(word.text)}" is not a relation; {known}')
        if not parts[-1]:
            word.refuse(f'there are no cells before "{word.text}"; name some')
        relations.append(relation)
        parts.append([])
    if not parts[-1]:
        words[-1].refuse(f'there are no cells after "{words[-1].text}"; name some, or a number')
    if not relations:
        words[0].refuse("there is no relation in this comparison; write 0,0 < 0,1 or 0,0 0,1 = 15")
    sides = [polynomial(part, atom, absolute) for part in parts]
    for place, pair in enumerate(pairwise(sides)):
        if not any(map(any, pair)):
            _refuse_without_cell(parts[place] + parts[place + 1])
    return [(*pair, relation) for pair, relation in zip(pairwise(sides), relations, strict=True)]


def _refuse_without_cell(words: list[Word]) -> None:
    """Refuse a comparison without a cell: a word was meant as one. A family's members may compare numbers."""
    value = next((word for word in words if not is_whole_number(word.text) and word.text not in _SIGNS), None)
    if value is not None:
        value.refuse(f'"{value.text}" is a value, and there is no cell in this comparison; name a cell')
    if not words[0].drawing.document.is_member:
        words[0].refuse("there is no cell in this comparison, only numbers; name a cell, such as 0,0")


def _show(board: Board, left: Polynomial, right: Polynomial, relation: str) -> None:
    """Show a sign between two cells, or an arrow from a cell through the cells of its sum."""
    terms = [*left.items(), *right.items()]
    if any(len(cells) != 1 or factor != 1 or cells[0] >= len(board.squares) for cells, factor in terms):
        return
    ones, others = [cell for (cell,) in left], [cell for (cell,) in right]
    if len(ones) == len(others) == 1:
        board.shown.sign(ones[0], others[0], relation)
    elif relation == "=" and len(others) == 1:
        board.shown.thread(others[0], ones)
    elif relation == "=" and len(ones) == 1:
        board.shown.thread(ones[0], others)


def _constant(board: Board, word: Word, names: Container[str]) -> Polynomial | None:
    """A number, or that of a value by its character, which names no cell; None for another word."""
    if not is_decimal(word.text):
        value = None if word.text in names else board.values.number_of.get(word.text)
        return None if value is None else Counter({(): value})
    if not is_whole_number(word.text) or int(word.text) > LARGEST:
        word.refuse(f"the number is greater than {LARGEST}; take a smaller one")
    return Counter({(): int(word.text)})


def _marked(board: Board, cells: Mapping[str, int], word: Word) -> Polynomial:
    """A cell of a pattern by its mark, or a number."""
    found = _constant(board, word, cells)
    if found is None and word.text not in cells:
        _refuse_unknown(word)
        word.refuse(f'there is no "{in_short(word.text)}" in the pattern; its cells are {" ".join(cells)}')
    return found or Counter({(cells[word.text],): 1})


def _refuse_unknown(word: Word) -> None:
    """Refuse a word, or one with a sign, that comparisons do not have."""
    lower = word.text.lower()
    meant = MEANT.get(lower) or next((one for one in JOINING if one == lower), None)
    if meant is not None:
        word.refuse(f'"{in_short(word.text)}" joins no comparisons; write {meant}')
    if lower in FUNCTIONS:
        word.refuse(f'"{in_short(word.text)}": {FUNCTIONS[lower]}')
    if word.text.endswith(","):
        instead = "write each on a line of its own, and values of a cell as 0,0 = 1 or 0,0 = 2"
        word.refuse(f'"{in_short(word.text)}": a comma ends no comparison; {instead}')
    sign = next((sign for sign in NOT_IN_SUMS if sign in word.text), None)
    if sign is not None:
        word.refuse(f'"{in_short(word.text)}": {NOT_IN_SUMS[sign]}')


def _cell(board: Board, word: Word) -> Polynomial:
    """A cell, or a number."""
    found = _constant(board, word, board.cells.by_any_name)
    if found is not None:
        return found
    if word.text not in board.cells.by_any_name:
        _refuse_unknown(word)
    return Counter({(board.cells.number(word, word.text),): 1})


def _base(board: Board, table: TomlTable) -> int:
    """The base of numbers that are written with letters. All values must be digits of it."""
    base = table.whole(BASE, 2, MAX_BASE) if BASE in table else DEFAULT_BASE
    least, greatest = board.values.numbers[0], board.values.numbers[-1]
    if least < 0 or greatest >= base:
        wrong = least if least < 0 else greatest
        table.refuse_value(WORDS, f"the value {wrong} is no digit in base {base}; take another base")
    if not any(len(name) == 1 for name in board.cells.by_any_name):
        table.refuse_value(WORDS, 'no cell is named by a letter; write names, such as names = "T W O F U R"')
    return base


def _number(board: Board, base: int, word: Word) -> Polynomial:
    """The number that is written with letters and digits. The first of several is not 0."""
    if word.text in JOINING and not board.cells.by_any_name.keys() >= set(word.text):
        word.refuse(f'"{word.text}" joins comparisons of cells, not of words; write cells = "A = 1 or B = 2"')
    if base ** (len(word.text) - 1) > LARGEST:
        word.refuse(f'"{in_short(word.text)}" may be more than {LARGEST * base}; take a shorter number')
    found: Polynomial = Counter()
    for place, letter in enumerate(reversed(word.text)):
        is_cell = letter in board.cells.by_any_name or not is_whole_number(letter)
        cells = (board.cells.number(word, letter),) if is_cell else ()
        found[cells] += base**place * (1 if is_cell else int(letter))
        if not is_cell and int(letter) >= base:
            word.refuse(f'"{letter}" is no digit in base {base}; take a lesser one')
    if len(word.text) > 1:
        first = board.cells.by_any_name.get(word.text[0])
        if first is not None and not board.restrict(first, set(board.values.numbers) - {0}):
            word.refuse(f'"{in_short(word.text)}" begins with 0; look at what is given')
    return found


def _absolute(board: Board, table: TomlTable, word: Word, inside: Polynomial) -> Polynomial:
    """The absolute value of a sum: a number, or a hidden variable, the same one for the negative sum."""
    terms = tuple(sorted((cells, factor) for cells, factor in inside.items() if factor))
    key = min(terms, tuple((cells, -factor) for cells, factor in terms))
    if not any(cells for cells, _ in terms):
        return Counter({(): abs(inside[()])})
    if key not in board.absolutes:
        domains = [board.domains[board.product(table, cells)] if cells else (1,) for cells, _ in key]
        ends = [
            (factor * domain[0], factor * domain[-1])
            for (_, factor), domain in zip(key, domains, strict=True)
        ]
        least, greatest = sum(map(min, ends)), sum(map(max, ends))
        if greatest - least >= MAX_SPAN:
            n_numbers = greatest - least + 1
            word.refuse(f"the sum is one of {n_numbers} numbers; at most {MAX_SPAN} are accepted")
        total = board.hidden(table, range(least, greatest + 1))
        board.add(table, _linear(board, table, word, Counter(dict(key)), Counter({(total,): 1}), "="))
        images = {number: abs(number) for number in board.domains[total]}
        board.absolutes[key] = board.image(table, total, images)
    return Counter({(board.absolutes[key],): 1})


def _linear(
    board: Board, table: TomlTable, first: Word, left: Polynomial, right: Polynomial, relation: str
) -> Linear:
    """Two sums, compared: a sum of cells and products with factors, compared with a number."""
    difference = Counter(left)
    difference.subtract(right)
    number = -difference.pop((), 0)
    if any(abs(factor) > LARGEST for factor in difference.values()) or abs(number) >= LARGEST**2:
        problem = f"the factors of a cell add up to more than {LARGEST}, or the numbers to {LARGEST**2}"
        first.refuse(f"{problem}; take smaller ones")
    factors = {board.product(table, cells): factor for cells, factor in difference.items() if factor}
    sign = -1 if relation in (">", ">=") else 1
    terms = sorted((cell, sign * factor) for cell, factor in factors.items())
    constant = sign * number - (relation in ("<", ">"))
    plain = relation if relation in ("=", "!=") else "<="
    return Linear(tuple(factor for _, factor in terms), tuple(cell for cell, _ in terms), plain, constant)
