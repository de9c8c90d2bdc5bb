"""What a reader asks for, read from an address and checked, because anybody may have written the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rekkyo.errors import BadInput, mend_for_name
from rekkyo.render.svg.painting import Pair

ORDERS = ("found", "reversed", "shuffled", "least")
ONLY = ("all", "representatives")
MAX_TERMS = 64
MAX_DIGITS = 15
MAX_COUNT = 500


@dataclass(frozen=True, slots=True)
class Question:
    """where: (spot, thing) pairs that all must be there."""

    where: tuple[Pair, ...] = ()
    only: str = "all"
    order: str = "found"


def read_question(query: Mapping[str, str]) -> Question:
    """The question in the parameters of an address. Raises BadInput."""
    order, only = query.get("order", "found"), query.get("only", "all")
    if order not in ORDERS:
        raise BadInput(f'no order "{order[:40]}"; {mend_for_name(order[:40], ORDERS)}')
    if only not in ONLY:
        raise BadInput(f'nothing is called "{only[:40]}"; {mend_for_name(only[:40], ONLY)}')
    words = [word for word in query.get("where", "").split("_") if word]
    if len(words) > MAX_TERMS:
        raise BadInput(f"a filter has at most {MAX_TERMS} parts, not {len(words)}")
    return Question(tuple(sorted({_read_pair(word) for word in words})), only, order)


def _read_pair(word: str) -> Pair:
    spot, dot, thing = word.partition(".")
    if not dot:
        raise BadInput('a part of a filter is written SPOT.THING, such as "3.0"')
    return read_number("a spot", spot), read_number("a thing", thing)


def read_number(what: str, word: str, most: int | None = None) -> int:
    """A whole number from 0, at most `most`. Raises BadInput."""
    if not (word.isascii() and word.isdigit() and len(word) <= MAX_DIGITS) or (
        most is not None and int(word) > most
    ):
        limit = "" if most is None else f" to {most}"
        raise BadInput(f"{what} is a whole number from 0{limit}")
    return int(word)
