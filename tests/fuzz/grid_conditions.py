"""Random comparisons of puzzle files, joined by words and in all places of a pattern, and whether they hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from operator import eq, ge, gt, le, lt, ne
from typing import TypeAlias

from tests.fuzz.grid_board import Board, Clause, Row

Values: TypeAlias = Mapping[str, int]
"""The value of each cell, by what a line calls it."""

Sum: TypeAlias = tuple[str, Callable[[Values], int]]
Condition: TypeAlias = tuple[str, Callable[[Values], bool]]
"""Its text, and what it is of some values."""

RELATIONS = {"<": lt, "<=": le, "=": eq, "!=": ne, ">=": ge, ">": gt, "==": eq, "\u2264": le, "\u2260": ne}


def compare(board: Board) -> Clause:
    """A line or two about some cells by their names."""
    cells = board.rng.sample(range(len(board.squares)), min(len(board.squares), board.rng.randint(1, 4)))
    words = {board.word(cell): cell for cell in cells}
    lines = [_line(board, list(words)) for _ in range(board.rng.choice((1, 1, 2)))]
    text = "[[compare]]\ncells = '''\n" + "\n".join(text for text, _ in lines) + "\n'''\n"

    def holds(row: Row) -> bool:
        values = {word: row[cell] for word, cell in words.items()}
        return all(is_true(values) for _, is_true in lines)

    return text, holds


def compare_pattern(board: Board) -> Clause:
    """Lines about the marks of a pattern, which is in all its places."""
    shape = board.rng.choice((((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 0), (1, 1)), ((0, 0), (0, 1), (0, 2))))
    marks = [mark for mark in "stuvw" if mark not in board.symbols][: len(shape)]
    drawn = dict(zip(shape, marks, strict=True))
    lines_of_pattern = [
        "".join(drawn.get((r, c), ".") for c in range(1 + max(c for _, c in shape)))
        for r in range(1 + max(r for r, _ in shape))
    ]
    lines = [_line(board, marks) for _ in range(board.rng.choice((1, 1, 2)))]
    text = "[[compare]]\npattern = '''\n" + "\n".join(lines_of_pattern) + "\n'''\n"
    text += "cells = '''\n" + "\n".join(text for text, _ in lines) + "\n'''\n"
    places = []
    for row, column in product(range(board.extent[0]), range(board.extent[1])):
        cells = [board.on(row + r, column + c) for r, c in shape]
        places += [dict(zip(marks, cells, strict=True))] if None not in cells else []

    def holds(row: Row) -> bool:
        every = [{mark: row[cell] for mark, cell in place.items() if cell is not None} for place in places]
        return all(is_true(values) for values in every for _, is_true in lines)

    return text, holds


def _line(board: Board, words: Sequence[str]) -> Condition:
    return _condition(board, words, board.rng.choice((0, 1, 1, 2, 2)))


def _condition(board: Board, words: Sequence[str], depth: int) -> Condition:
    """Comparisons in one another up to a depth."""
    kind = board.rng.choice(("if", "iff", "or", "and", "not", "bare")) if depth else "bare"
    if kind == "bare":
        return _comparison(board, words)
    if kind == "not":
        text, inner = _in_brackets(_condition(board, words, depth - 1))
        return f"not {text}", lambda values: not inner(values)
    (one, holds), (other, follows) = (_in_brackets(_condition(board, words, depth - 1)) for _ in range(2))
    if kind == "if":
        return f"if {one} then {other}", lambda values: not holds(values) or follows(values)
    if kind == "iff":
        return f"{one} iff {other}", lambda values: holds(values) == follows(values)
    if kind == "or":
        return f"{one} or {other}", lambda values: holds(values) or follows(values)
    return f"{one} and {other}", lambda values: holds(values) and follows(values)


def _in_brackets(condition: Condition) -> Condition:
    """With brackets if it is more than a comparison."""
    text, holds = condition
    is_bare = not {"if", "iff", "or", "and", "not"} & {*text.replace("(", " ").split()}
    return (text if is_bare else f"({text})"), holds


def _comparison(board: Board, words: Sequence[str]) -> Condition:
    """Two sums and a relation, or three of them in a chain."""
    n = board.rng.choice((2, 2, 2, 3))
    sums = [_sum(board, words) for _ in range(n)]
    signs = [board.rng.choice(list(RELATIONS)) for _ in range(n - 1)]
    text = sums[0][0] + "".join(f" {sign} {one[0]}" for sign, one in zip(signs, sums[1:], strict=True))

    def holds(values: Values) -> bool:
        numbers = [value_of(values) for _, value_of in sums]
        pairs = zip(numbers, signs, numbers[1:], strict=False)
        return all(RELATIONS[sign](one, other) for one, sign, other in pairs)

    return text, holds


def _sum(board: Board, words: Sequence[str]) -> Sum:
    terms = [_term(board, words) for _ in range(board.rng.choice((1, 1, 1, 2)))]
    sign = board.rng.choice((1, 1, -1))
    text = terms[0][0] + "".join(f" {'+' if sign > 0 else '-'} {term}" for term, _ in terms[1:])
    return text, lambda values: terms[0][1](values) + sign * sum(of(values) for _, of in terms[1:])


def _term(board: Board, words: Sequence[str]) -> Sum:
    """A cell, a number, the character of a value, a multiple, or a product of two."""
    rng = board.rng
    kind = rng.choice(("cell", "cell", "cell", "number", "value", "multiple", "product", "brackets"))
    word, other = rng.choice(words), rng.choice(words)
    number = rng.randint(0, 3)
    letters = [symbol for symbol in board.symbols if symbol.isalpha() and symbol not in words]
    if kind == "number":
        return str(number), lambda values: number
    if kind == "value" and letters:
        letter = rng.choice(letters)
        constant = board.numbers[board.symbols.index(letter)]
        return letter, lambda values: constant
    if kind == "multiple":
        return f"{number}*{word}", lambda values: number * values[word]
    if kind == "product":
        return f"{word}*{other}", lambda values: values[word] * values[other]
    if kind == "brackets":
        return f"{word}*({other} - {number})", lambda values: values[word] * (values[other] - number)
    return word, lambda values: values[word]
