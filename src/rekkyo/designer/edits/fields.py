"""Checks of the parts of a change, which comes from the page; and names for new things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rekkyo.designer.marks import MAX_ACROSS
from rekkyo.errors import BadInput
from rekkyo.export.puzzle_toml.document import read_document
from rekkyo.model.lattices.drawing import Spot

Change = Mapping[str, Any]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
MAX_SPOTS = 1 << 12
MAX_TEXT = 1 << 16


def data_of(text: str) -> dict[str, Any]:
    """The data of a text. Raises BadInput if the text can only be edited by hand."""
    data = read_document(text, "puzzle.toml").data
    if "family" in data:
        raise BadInput("a family of puzzles is changed in the text")
    for key in ("cage", "compare", "different"):
        if not all(isinstance(clause, dict) for clause in data.get(key) or []):
            raise BadInput(f"[[{key}]] is changed in the text")
    return data


def text_at(data: Mapping[str, Any], *path: str) -> str | None:
    """The text at a path, such as a drawing; None if there is none."""
    found: Any = data
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, str) else None


def choice(change: Change, key: str, known: tuple[str, ...]) -> str:
    """One of the known words."""
    found = change.get(key)
    if not isinstance(found, str) or found not in known:
        raise BadInput(f"{key} is one of {', '.join(known[:12])}")
    return found


def numbers(change: Change, key: str, least: int, most: int) -> list[int]:
    """Up to three whole numbers."""
    found = change.get(key, [])
    if (
        not isinstance(found, list)
        or len(found) > 3
        or not all(type(n) is int and least <= n <= most for n in found)
    ):
        raise BadInput(f"{key} is up to three whole numbers from {least} to {most}")
    return found


def pair(change: Change, key: str) -> tuple[int, int]:
    """A line and a column."""
    found = numbers(change, key, 0, MAX_ACROSS)
    if len(found) != 2:
        raise BadInput(f"{key} is a line and a column")
    return found[0], found[1]


def spots_of(change: Change) -> list[Spot]:
    """Cells: layer, line and column of each."""
    found = change.get("spots", [])
    if not isinstance(found, list) or len(found) > MAX_SPOTS:
        raise BadInput(f"at most {MAX_SPOTS} cells are changed at once")
    for at in found:
        is_spot = (
            isinstance(at, list) and len(at) == 3 and all(type(n) is int and abs(n) <= MAX_ACROSS for n in at)
        )
        if not is_spot:
            raise BadInput("a cell is a layer, a line and a column")
    return [(at[0], at[1], at[2]) for at in found]


def is_plain(value: Any) -> bool:
    """Whether a value may stand in a puzzle file as it is."""
    if isinstance(value, list):
        return len(value) <= 64 and all(type(part) in (str, int) for part in value)
    if isinstance(value, str):
        return len(value) <= MAX_TEXT
    return value is None or (type(value) in (bool, int) and abs(value) < 1 << 53)
