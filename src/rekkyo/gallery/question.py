"""The question of a reader, which is parsed from an address and checked, because addresses are untrusted.

    where=3.0_a17~!5.1     (thing 0 at spot 3) and (atom 17 or not thing 1 at spot 5)
    only=symmetric         see ONLY
    order=least            see ORDERS
    among=12_1-0           only these solutions, by their names in links

assets/question.js reads and writes the same form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from rekkyo.errors import BadInput, fix_for_name

ORDERS = ("found", "reversed", "shuffled", "least")
ONLY = ("all", "representatives", "symmetric", "symmetric-representatives")
MAX_LITERALS = 64
MAX_AMONG = 500
MAX_DIGITS = 15
MAX_COUNT = 500

Mark: TypeAlias = tuple[int, ...]
"""A property of a solution: a (spot, thing), or an (atom,)."""

NAME = re.compile(r"\d+(-\d+)?", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Literal:
    """A mark that a solution has, or does not have."""

    mark: Mark
    negated: bool = False


Clause: TypeAlias = tuple[Literal, ...]
"""Literals of which at least one must be true."""


@dataclass(frozen=True, slots=True)
class Question:
    """where: clauses that all must be true. among: names of solutions; None for all solutions."""

    where: tuple[Clause, ...] = ()
    only: str = "all"
    order: str = "found"
    among: tuple[str, ...] | None = None


def read_question(query: Mapping[str, str]) -> Question:
    """The question in the parameters of an address. Raises BadInput."""
    order, only = query.get("order", "found"), query.get("only", "all")
    if order not in ORDERS:
        raise BadInput(f'no order "{echo(order)}"; {fix_for_name(echo(order), ORDERS)}')
    if only not in ONLY:
        raise BadInput(f'no kind of solutions "{echo(only)}"; {fix_for_name(echo(only), ONLY)}')
    words = [word for word in query.get("where", "").split("_") if word]
    n_literals = sum(word.count("~") + 1 for word in words)
    if n_literals > MAX_LITERALS:
        raise BadInput(f"a filter has at most {MAX_LITERALS} conditions, not {n_literals}")
    clauses = {tuple(sorted({_read_literal(part) for part in word.split("~")})) for word in words}
    return Question(tuple(sorted(clauses)), only, order, _read_among(query))


def _read_literal(word: str) -> Literal:
    bare = word.removeprefix("!")
    if bare.startswith("a"):
        return Literal((read_number("a placement", bare[1:]),), bare != word)
    spot, dot, thing = bare.partition(".")
    if not dot:
        raise BadInput(
            f'"{echo(word)}" is not a condition; one is written SPOT.THING or aPLACEMENT, such as 3.0'
        )
    return Literal((read_number("a spot", spot), read_number("a thing", thing)), bare != word)


def _read_among(query: Mapping[str, str]) -> tuple[str, ...] | None:
    if "among" not in query:
        return None
    names = [name for name in query["among"].split("_") if name]
    if len(names) > MAX_AMONG:
        raise BadInput(f"at most {MAX_AMONG} solutions can be named, not {len(names)}")
    for name in names:
        if not NAME.fullmatch(name):
            raise BadInput(f'"{echo(name)}" is not the name of a solution; one is a number, or SHARD-NUMBER')
    return tuple(dict.fromkeys(names))


def echo(word: str) -> str:
    """The beginning of a word of the address, in one line."""
    return "".join(letter if letter.isprintable() else "?" for letter in word[:40])


def read_number(what: str, word: str, most: int | None = None) -> int:
    """The whole number in a word, from 0 to `most`. what: names it in the message. Raises BadInput."""
    if not (word.isascii() and word.isdigit() and len(word) <= MAX_DIGITS) or (
        most is not None and int(word) > most
    ):
        limit = "" if most is None else f" to {most}"
        raise BadInput(f"{what} is a whole number from 0{limit}")
    return int(word)
