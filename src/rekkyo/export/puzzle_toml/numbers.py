"""Lists of whole numbers in puzzle files."""

from __future__ import annotations

from rekkyo.catalog.entry import is_whole_number
from rekkyo.export.puzzle_toml.document import Table


def listed_numbers(table: Table, key: str, most: int) -> tuple[int, ...]:
    """Numbers as a text such as "1..9", or as a list; at most `most`, increasing. Raises BadFile."""
    found = table.data[key]
    if type(found) is str:
        first, dots, last = found.partition("..")
        if not (dots and is_whole_number(first.strip()) and is_whole_number(last.strip())):
            table.refuse_value(key, f'{key} are written "1..9", or as a list such as [1, 2, 4]')
        low, high = int(first), int(last)
        if not 0 <= high - low < most:
            table.refuse_value(key, f"from {low} to {high} are not 1 to {most} numbers")
        return tuple(range(low, high + 1))
    numbers = table.value(key, list, 'a text such as "1..9", or a list of whole numbers')
    for place, number in enumerate(numbers):
        if type(number) is not int:
            table.refuse_value(key, "this is not a whole number; all numbers are", place)
    return tuple(sorted(numbers))
