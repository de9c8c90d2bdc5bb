"""Sums and products of whole numbers and named numbers between braces: `n+1`, `2n`, `n*n-1`.

    sum       product or `- product`, then any number of `+ product` or `- product`
    product   factor, then any number of `* factor`
    factor    a whole number, a name, or a name after a whole number

Left out on purpose: brackets, division and powers, so that every text has one obvious meaning.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod
from typing import Final

from rekkyo.errors import BadInput, fix_for_name, in_short

MAX_LETTERS: Final = 100
LARGEST: Final = 10**12
"""The greatest absolute value of products and sums in an expression."""

NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_TERM: Final = re.compile(r"([-+])([^-+]*)")
_FACTOR: Final = re.compile(rf"\s*([0-9]+)?\s*({NAME.pattern})?\s*")


def value_of(text: str, values: Mapping[str, int]) -> int:
    """The value of an expression. values: of the names. Raises BadInput."""
    if not text.strip() or len(text) > MAX_LETTERS:
        shown = in_short(text)
        raise BadInput(f'"{{{shown}}}" is not a number; 1 to {MAX_LETTERS} characters stand between braces')
    total, signed = 0, text if text.lstrip().startswith("-") else f"+{text}"
    for sign, term in _TERM.findall(signed):
        product = prod(_factor(factor, text, values) for factor in term.split("*"))
        total += product if sign == "+" else -product
        if max(abs(product), abs(total)) > LARGEST:
            raise BadInput(f'"{{{in_short(text)}}}" is more than {LARGEST}; take a smaller size')
    return total


def _factor(factor: str, text: str, values: Mapping[str, int]) -> int:
    found = _FACTOR.fullmatch(factor)
    if found is None or not factor.strip():
        wrong = f'"{in_short(factor.strip(), 12)}"' if factor.strip() else "nothing"
        where = f'in "{{{in_short(text)}}}" {wrong} stands where a number or a name should be'
        raise BadInput(f"{where}; write sums and products, such as 2n+1 or n*n")
    number, name = found.groups()
    if name is not None and name not in values:
        raise BadInput(f'there is no "{in_short(name)}" in [family]; {fix_for_name(name, list(values))}')
    return int(number or 1) * (values[name] if name else 1)
