"""The number of uses of pieces, tiles and items in puzzle files.

    2, [1, 3], "any", [1, "any"]                    as numbers
    "once", "at most once", "at least once"         in words

`times` is one of these for all, or a table by name; in the table, `"*"` stands for all other names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import Table

Bounds: TypeAlias = tuple[int, int | None]
"""The least and the greatest number of times; None: any number."""

ANY = "any"
WORDS: dict[str, Bounds] = {
    ANY: (0, None),
    "once": (1, 1),
    "at most once": (0, 1),
    "at least once": (1, None),
}
IN_WORDS = ", ".join(f'"{word}"' for word in WORDS if word != ANY)
"""The words, as messages name them."""

REST = "*"
MAX_TIMES = 1 << 16


def read_times(table: Table, names: Iterable[str], problem_of: Callable[[str], str]) -> dict[str, Bounds]:
    """The bounds of each name, by default once. problem_of: the message for an unknown name.

    Raises BadFile.
    """
    if "times" in table and type(table.data["times"]) is not dict:
        return dict.fromkeys(names, _bounds(table, "times"))
    times = table.table("times")
    found = dict.fromkeys(names, _bounds(times, REST) if REST in times else (1, 1))
    for name in times.names():
        if name in found:
            found[name] = _bounds(times, name)
        elif name != REST:
            times.refuse(name, problem_of(in_short(name)))
    return found


def _bounds(table: Table, key: str) -> Bounds:
    value: Any = table.data[key]
    if type(value) is str and value in WORDS:
        return WORDS[value]
    what = "each" if key in ("times", REST) else f'"{in_short(key)}"'
    pair = value if type(value) is list else [value, value]
    ends = [end for end in pair if type(end) is int and 0 <= end <= MAX_TIMES]
    if len(pair) == 2 and len(ends) == 1 and ends[0] is pair[0] and pair[1] == ANY:
        return ends[0], None
    if len(pair) != 2 or len(ends) != 2:
        known = f'2, [1, 3], [1, "any"] or "any" times, with numbers to {MAX_TIMES}'
        table.refuse_value(key, f"{what} is used {known}; or {IN_WORDS}")
    low, high = ends
    if low > high or high == 0:
        problem = f"{what} is used {low} to {high} times"
        table.refuse_value(key, f"{problem}; write the lesser first, the other from 1")
    return low, high
