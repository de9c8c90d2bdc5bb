"""The header of an exported file: puzzle, symmetry, digest, counts."""

from __future__ import annotations

import json
from dataclasses import dataclass

from rekkyo import __version__
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Layout

WRITER = "rekkyo "
"""The beginning of the name of the writer."""


@dataclass(frozen=True, slots=True)
class Header:
    """up_to: "none" if the rows are all solutions, else there is one row for each orbit.

    rows, digest, total, unique: None while unknown. complete: whether no row is missing.
    """

    puzzle: str
    title: str
    row_meaning: str
    up_to: str
    rows: int | None = None
    digest: str | None = None
    total: int | None = None
    unique: int | None = None
    complete: bool = True

    @staticmethod
    def of(puzzle: Puzzle, up_to: str) -> Header:
        """The header of a puzzle's rows before they are counted."""
        return Header(puzzle.name, puzzle.title, puzzle.model.row_meaning, up_to)

    def facts(self) -> dict[str, str | int | bool]:
        """The known facts, in the order in which they are written."""
        for_orbits = f"one solution for each orbit, up to {self.up_to}"
        known: dict[str, str | int | bool | None] = {
            "puzzle": self.puzzle,
            "title": self.title,
            "row": self.row_meaning,
            "symmetry": "every solution" if self.up_to == "none" else for_orbits,
            "rows": self.rows,
            "total": self.total,
            "unique": self.unique,
            "digest": self.digest,
            "complete": self.complete,
            "writer": f"{WRITER}{__version__}",
        }
        return {key: value for key, value in known.items() if value is not None}

    def texts(self) -> list[str]:
        """The facts, one in each text, without line ends."""
        return [f"{key}: {_one_line(value)}" for key, value in self.facts().items()]

    def lines(self, comment: str) -> bytes:
        """The facts as lines of comment."""
        return "".join(f"{comment} {text}\n" for text in self.texts()).encode()


def is_header(content: bytes) -> bool:
    """Whether the content of a file is the JSON object of a header."""
    try:
        facts = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(facts, dict) and "puzzle" in facts and str(facts.get("writer")).startswith(WRITER)


def column_names(puzzle: Puzzle) -> list[str]:
    """A name for each position of a row: p0, p1, ... by position, o0, o1, ... for chosen options."""
    shape = puzzle.model.row_shape
    letter = "p" if shape.layout is Layout.BY_POSITION else "o"
    return [f"{letter}{position}" for position in range(shape.length)]


def _one_line(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return "".join(letter if letter.isprintable() else " " for letter in text)
