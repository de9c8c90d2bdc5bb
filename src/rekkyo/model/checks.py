"""Checks of arguments from Python: every error is one line with the expected and the received value.

A *rule* is the beginning of such a line, such as "queens: the board size is a whole number".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import chain, islice
from typing import Any, NoReturn, TypeVar

from rekkyo.errors import BadModel, in_short

ValueT = TypeVar("ValueT", bound=Hashable)


def refuse(rule: str, value: object) -> NoReturn:
    """Raise BadModel with the rule and the value that breaks it."""
    raise BadModel(f"{rule}, not {shown(value)}")


def shown(value: object) -> str:
    """The repr of a value, shortened."""
    try:
        return in_short(repr(value), 60)
    except ValueError:  # Python refuses to write a whole number of more than 4300 digits
        return "a number that is far too long"
    except RecursionError:
        return "a value that is nested too deep"


def check_whole(what: str, value: object, least: int, most: int) -> None:
    """Raise BadModel unless a value is a whole number within bounds."""
    if type(value) is not int or not least <= value <= most:
        refuse(f"{what} is a whole number from {least} to {most}", value)


def check_size(puzzle: str, size: int, what: str, most: int) -> None:
    """Raise BadModel if the size is beyond the limit `most`."""
    if size > most:
        raise BadModel(f"{puzzle}: {size} {what} are more than the {most} that rekkyo takes on")


def check_type(rule: str, value: object, kind: type) -> None:
    """Raise BadModel unless a value has a type; True and False are not whole numbers."""
    if not _is(type(value), kind):
        refuse(rule, value)


def check_nested(rule: str, value: Any, kinds: Sequence[type], length: int | None = None) -> list[Any]:
    """The innermost values. Raises BadModel unless the values at each depth have the type for it.

    kinds: from outside in, such as (tuple, tuple, int). length: of the innermost tuples, if it is fixed.
    Each depth is checked in one pass; a check of each value alone took far longer on large models. A tuple of
    plain integers, of which models have most, is checked first.
    """
    if type(value) is tuple and length is None and kinds == (tuple, int) and set(map(type, value)) <= {int}:
        return list(value)
    level: list[Any] = [value]
    for depth, kind in enumerate(kinds):
        if depth == len(kinds) - 1 and length is not None and not set(map(len, level)) <= {length}:
            refuse(rule, next(part for part in level if len(part) != length))
        if depth:
            level = list(chain.from_iterable(level))
        if not level:
            return level
        for found in set(map(type, level)):
            if not _is(found, kind):
                refuse(rule, next(part for part in level if type(part) is found))
    return level


def repeated(values: Sequence[ValueT]) -> ValueT | None:
    """The first value that appears more than once; None if all are different."""
    if len(set(values)) == len(values):
        return None
    return next(value for value, times in Counter(values).items() if times > 1)


def check_hashable(rule: str, value: Any, kinds: Sequence[type]) -> None:
    """Raise BadModel unless the values at each depth have the type for it, and all are hashable."""
    check_nested(rule, value, kinds)
    try:
        hash(value)
    except TypeError:
        refuse(rule, value)


MAX_LISTED = 1 << 20
"""The most items that are taken from an iterable, which may be endless."""


def listed(rule: str, values: Any, most: int = MAX_LISTED) -> list[Any]:
    """The items of an iterable, as a list. Raises BadModel for anything else, and for more items."""
    try:
        items = list(islice(values, most + 1))
    except TypeError:
        refuse(rule, values)
    if len(items) > most:
        raise BadModel(f"{rule}, at most {most} of them")
    return items


def _is(found: type, kind: type) -> bool:
    return found is kind or (kind is not int and issubclass(found, kind))
