"""The number of uses of pieces, tiles and items in puzzle files, and numbers of cells, vertices and edges.

    2, [1, 3], "any", [1, "any"]                    as numbers
    "once", "at most twice", "exactly 3"            in words
    "odd", "even", "0 4", "0..2 4..8"               any of some numbers: only of cells, vertices and edges

`times` is one of these for all, or for pieces, tiles and items a table by name; in the table, `"*"` stands
for all other names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any, TypeAlias

from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import Table
from rekkyo.model.checks import repeated
from rekkyo.model.coloring import MAX_CELLS

Bounds: TypeAlias = tuple[int, int | None]
"""The least and the greatest number of times; None: any number."""

Times: TypeAlias = Sequence[int]
"""The numbers that are allowed, increasing and one or more."""

ANY_TIMES = range(MAX_CELLS + 1)
PARITIES: Mapping[str, Times] = {"odd": ANY_TIMES[1::2], "even": ANY_TIMES[::2]}

ANY = "any"
IN_WORDS = '"once", "at most once", "at least 2"'
"""Examples of words, as messages name them."""

_WORDS = re.compile(r"(?:(?:at (most|least)|exactly) )?(once|twice|[0-9]{1,5})")
_NUMBERS = {"once": 1, "twice": 2}
_RANGE = re.compile(r"([0-9]{1,4})(?:\.\.([0-9]{1,4}))?")

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


def read_numbers(table: Table, key: str) -> Times:
    """The numbers of cells, vertices or edges that a key allows. Raises BadFile."""
    found = table.data.get(key)
    if type(found) is str and found in PARITIES:
        return PARITIES[found]
    if type(found) is str and (ranges := _ranges(table, key, found)):
        return sorted({number for some in ranges for number in some})
    low, high = read_bounds(table, key, f'; or {IN_WORDS}, "odd", "even", "0 4", "0..2 4..8"')
    return range(low, high + 1)


def up_to(most: int, times: Times) -> tuple[int, ...]:
    """The numbers that are at most `most`."""
    return tuple(takewhile(most.__ge__, times))


def _ranges(table: Table, key: str, text: str) -> list[range]:
    """The ranges of a text, also of one number; none if the text is something else. Raises BadFile."""
    matches = [_RANGE.fullmatch(word) for word in re.split("[ ,]+", text.strip())]
    ends = [(int(match[1]), int(match[2] or match[1])) for match in matches if match]
    if len(ends) < len(matches):
        return []
    for low, high in ends:
        _check_order(table, key, low, high)
    if (twice := repeated(ends)) is not None:
        number = str(twice[0]) if twice[0] == twice[1] else f"{twice[0]}..{twice[1]}"
        table.refuse_value(
            key, f"{number} is written twice, and is one of the allowed numbers; write it once"
        )
    return [range(low, high + 1) for low, high in ends]


def read_bounds(table: Table, key: str, or_else: str = "") -> tuple[int, int]:
    """The bounds that a key gives. or_else: the end of the message on other values. Raises BadFile."""
    if key not in table:
        table.refuse_table(f'"{key}" is missing; write 2, [1, 3], or [1, "any"]')
    found = table.data[key]
    if in_words := bounds_in_words(found):
        low, high = in_words
        return low, max(low, MAX_CELLS) if high is None else high
    ends = list(found) if type(found) is list else [found, found]
    if len(ends) == 2 and ends[1] == ANY:
        ends[1] = MAX_CELLS
    if len(ends) != 2 or any(type(end) is not int or not 0 <= end <= MAX_CELLS for end in ends):
        known = f'2, [1, 3], [1, "any"] or "any", with numbers to {MAX_CELLS}'
        table.refuse_value(key, f'"{key}" is {known}{or_else}')
    _check_order(table, key, *ends)
    return ends[0], ends[1]


def _check_order(table: Table, key: str, low: int, high: int) -> None:
    if low > high:
        table.refuse_value(key, f"{low} to {high} is an empty range; write the lesser first")
