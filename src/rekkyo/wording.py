"""English that depends on a number."""

from __future__ import annotations

import re
from math import log10

_SPOKEN_WITH_A_VOWEL = re.compile(r"(8|(11|18)(?![0-9])|(11|18)([0-9]{3})+(?![0-9]))")
"""Numbers that take "an": eight, eighty, eight hundred, eleven, eighteen, eleven thousand."""


def several(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: 1 solution, 1,000 solutions. plural: if it is not the noun with s."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def how_often(low: int, high: int | None) -> str:
    """How often, from `low` to `high` times: once, 2 times, 1 to 3 times. high: None if there is no limit."""
    if low == high:
        return "once" if low == 1 else f"{low} times"
    return f"{low} or more times" if high is None else f"{low} to {high} times"


def large(number: int) -> str:
    """A number of up to 30 digits as it is, a greater one as a power of ten."""
    return str(number) if number < 10**30 else f"about 10^{round(number.bit_length() * log10(2))}"


def asked_up_to(word: str) -> str:
    """How symmetry is chosen, for messages that the command line and Python share."""
    return f'--up-to {word} (in Python up_to="{word}")'


def with_article(sized: str) -> str:
    """A text that begins with a number, with its article: a 6x6 board, an 8x8 board."""
    return f"{'an' if _SPOKEN_WITH_A_VOWEL.match(sized) else 'a'} {sized}"
