"""Sums and products of whole numbers and named numbers between braces: `n+1`, `2n`, `n*n-1`.

    sum       product, then any number of `+ product` or `- product`
    product   factor, then any number of `* factor`; the sign may be left out between a number and a name
    factor    a whole number or a name

Left out on purpose: brackets, division and powers, so that every text has one obvious meaning.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from rekkyo.errors import BadInput, fix_for_name, in_short

MAX_LETTERS: Final = 100
LARGEST: Final = 10**12
"""The greatest absolute value of numbers in an expression, and of intermediate results."""

NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_TOKEN: Final = re.compile(rf"\s*([0-9]+|{NAME.pattern}|[-+*])\s*")


def value_of(text: str, values: Mapping[str, int]) -> int:
    """The value of an expression. values: of the names. Raises BadInput."""
    shown = in_short(text)
    if not text.strip() or len(text) > MAX_LETTERS:
        raise BadInput(f'"{{{shown}}}" is not a number; 1 to {MAX_LETTERS} characters stand between braces')
    total, sign, at = 0, 1, 0
    tokens = _tokens(text)
    while True:
        product, at = _product(tokens, at, values, shown)
        total = _bounded(total + sign * product, shown)
        if at == len(tokens):
            return total
        sign = 1 if tokens[at] == "+" else -1
        at += 1


def _tokens(text: str) -> list[str]:
    tokens, at = [], 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            known = "whole numbers, names, +, - and *"
            raise BadInput(
                f'"{in_short(text[at:].strip(), 12)}" in "{{{in_short(text)}}}" is none of {known}'
            )
        tokens.append(found[1])
        at = found.end()
    return tokens


def _product(tokens: list[str], at: int, values: Mapping[str, int], shown: str) -> tuple[int, int]:
    """The product that begins at a token, and the index of its end."""
    product = 1
    while True:
        if at == len(tokens) or tokens[at] in "+-*":
            where = "at the end" if at == len(tokens) else f'where "{tokens[at]}" stands'
            raise BadInput(f'"{{{shown}}}" lacks a number or a name {where}')
        product = _bounded(product * _factor(tokens[at], values), shown)
        is_number = tokens[at].isdigit()
        at += 1
        if at < len(tokens) and tokens[at] == "*":
            at += 1
        elif not (is_number and at < len(tokens) and NAME.match(tokens[at])):
            break
    if at < len(tokens) and tokens[at] not in "+-":
        raise BadInput(f'"{{{shown}}}" lacks a sign before "{in_short(tokens[at])}"; put +, - or * there')
    return product, at


def _factor(token: str, values: Mapping[str, int]) -> int:
    if token.isdigit():
        return int(token)
    if token not in values:
        raise BadInput(f'there is no "{in_short(token)}" in [family]; {fix_for_name(token, list(values))}')
    return values[token]


def _bounded(number: int, shown: str) -> int:
    if abs(number) > LARGEST:
        raise BadInput(f'"{{{shown}}}" is more than {LARGEST}; take a smaller size')
    return number
