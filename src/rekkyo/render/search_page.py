"""A page that plays the search of a small queens board step by step, whole in one HTML file, for teaching.

The page needs no network and no server. It is given the steps of each method; what they mean is said in
`rekkyo.methods.queens.steps`. Steps are packed as one string, three characters each: kind, row, column.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files

from rekkyo.render.svg.markup import shown
from rekkyo.render.svg.queens import CROWN

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-"
KINDS = {"place": "p", "clash": "c", "lift": "l", "found": "f", "reject": "r"}


@dataclass(frozen=True, slots=True)
class Played:
    """A method to play. steps: (kind, row, column, weight); None when they are too many for a page."""

    title: str
    explanation: str
    steps: Sequence[tuple[str, int, int, int]] | None


def search_page(n: int, methods: Iterable[Played]) -> str:
    """The page for an n x n board."""
    data = {
        "n": n,
        "crown": CROWN,
        "methods": [
            {
                "title": method.title,
                "explanation": method.explanation,
                "steps": None if method.steps is None else "".join(map(_packed, method.steps)),
            }
            for method in methods
        ],
    }
    template = files("rekkyo.render").joinpath("pages", "search.html").read_text(encoding="utf-8")
    # "<" as an escape: no text of the data can end the script element that it stands in.
    packed = json.dumps(data).replace("<", "\\u003c")
    return template.replace("{{title}}", shown(f"How {n} queens are found")).replace("{{data}}", packed)


def _packed(step: tuple[str, int, int, int]) -> str:
    kind, row, column, weight = step
    if row < 0:
        return f"{KINDS[kind]}{DIGITS[weight]}0"
    return f"{KINDS[kind]}{DIGITS[row]}{DIGITS[column]}"
