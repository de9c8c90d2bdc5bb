"""The number of uses of pieces, tiles and items in puzzle files.

    2, [1, 3], "any", [1, "any"]                    as numbers
    "once", "at most twice", "exactly 3"            in words

`times` is one of these for all, or a table by name; in the table, `"*"` stands for all other names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import Table

Bounds: TypeAlias = tuple[int, int | None]
"""The least and the greatest number of times; None: any number."""

ANY = "any"
IN_WORDS = '"once", "at most once", "at least 2"'
"""Examples of words, as messages name them."""

_WORDS = re.compile(r"(?:(?:at (most|least)|exactly) )?(once|twice|[0-9]{1,5})")
_NUMBERS = {"once": 1, "twice": 2}

REST = "*"
MAX_TIMES = 1 << 16


def bounds_in_words(text: object) -> Bounds | None:
    """The bounds that a text says, such as "at most 2"; None if it says none, as "2" alone."""
    if text == ANY:
        return 0, None
    found = _WORDS.fullmatch(text) if isinstance(text, str) and not text.isdigit() else None
    if found is None:
        return None
    number = _NUMBERS.get(found[2]) or int(found[2])
    return (0 if found[1] == "most" else number), (None if found[1] == "least" else number)


def read_times(
    table: Table, names: Iterable[str], problem_of: Callable[[str], str], least: int = 1
) -> dict[str, Bounds]:
    """The bounds of each name, by default once. problem_of: the message for an unknown name.

    least: the least that the greatest number of times may be. Raises BadFile.
    """
    if "times" in table and type(table.data["times"]) is not dict:
        return dict.fromkeys(names, _bounds(table, "times", least))
    times = table.table("times")
    found = dict.fromkeys(names, _bounds(times, REST, least) if REST in times else (1, 1))
    for name in times.names():
        if name in found:
            found[name] = _bounds(times, name, least)
        elif name != REST:
            times.refuse(name, problem_of(in_short(name)))
    return found


def _bounds(table: Table, key: str, least: int) -> Bounds:
    value: Any = table.data[key]
    what = "each" if key in ("times", REST) else f'"{in_short(key)}"'
    pair = bounds_in_words(value) or (value if type(value) is list else (value, value))
    ends = [end for end in pair if type(end) is int and 0 <= end <= MAX_TIMES]
    if len(pair) == 2 and len(ends) == 1 and ends[0] is pair[0] and pair[1] in (ANY, None):
        return ends[0], None
    if len(pair) != 2 or len(ends) != 2:
        known = f'2, [1, 3], [1, "any"] or "any" times, with numbers to {MAX_TIMES}'
        table.refuse_value(key, f"{what} is used {known}; or {IN_WORDS}")
    low, high = ends
    if low > high or high < least:
        problem = f"{what} is used {low} to {high} times"
        table.refuse_value(key, f"{problem}; write the lesser first, the other from {least}")
    return low, high
