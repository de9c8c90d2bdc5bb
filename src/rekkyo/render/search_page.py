"""A page that plays the search of a small puzzle move by move, in one HTML file, for teaching.

The page needs no network and no server. It has the drawing of the puzzle (`svg/painting.py`), of each atom
that the search touches, and the moves of each way to search (`rekkyo.methods.walks`), six characters each:

    kind   p place, c clash, s stuck, l lift, f found, r reject
    atom   two digits of base 64: index in `atoms`
    note   three digits: index in `notes`: words, the spots that are the reason, the weight of a solution
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TypeAlias

from rekkyo.model.row import Atom
from rekkyo.render.svg.markup import shown
from rekkyo.render.svg.painting import Painting
from rekkyo.render.svg.style import rules

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-"
KINDS = {"place": "p", "clash": "c", "stuck": "s", "lift": "l", "found": "f", "reject": "r"}
MAX_ATOMS = len(DIGITS) ** 2
_PLACE = re.compile(r"\{\{(\w+)\}\}")

PlayedMove: TypeAlias = tuple[str, Atom, tuple[int, ...], str, int]
"""Kind, atom or -1, spots that are the reason, words, weight."""


@dataclass(frozen=True, slots=True)
class Played:
    """A way to play. is_whole: whether all moves are there."""

    title: str
    explanation: str
    moves: Sequence[PlayedMove]
    is_whole: bool


def search_page(title: str, painting: Painting, ways: Iterable[Played]) -> str:
    """The page for a puzzle. The moves touch at most MAX_ATOMS atoms, and have fewer than 64^3 notes."""
    packer = _Packer()
    packed_ways = [
        {
            "title": way.title,
            "explanation": way.explanation,
            "isWhole": way.is_whole,
            "moves": "".join(map(packer.packed, way.moves)),
        }
        for way in ways
    ]
    data = {
        "width": painting.width,
        "height": painting.height,
        "background": painting.background,
        "spots": painting.spots,
        "atoms": [
            [painting.atom(atom), label(painting, atom), [spot for spot, _ in painting.pairs_of_atom(atom)]]
            for atom in packer.atoms
        ],
        "notes": list(packer.notes),
        "ways": packed_ways,
    }
    template = files("rekkyo.render").joinpath("pages", "search.html").read_text(encoding="utf-8")
    # "<" is escaped, so that no text of the data can end the script element.
    packed = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    parts = {"rules": rules("auto"), "title": shown(title), "data": packed}
    return _PLACE.sub(lambda place: parts[place[1]], template)  # at once: a title may look like a place


def label(painting: Painting, atom: Atom) -> str:
    """An atom in words: things at spots."""
    pairs = painting.pairs_of_atom(atom)
    if not pairs:
        return f"option {atom}"
    spot, thing = min(pairs)
    return f"{painting.things[thing]} at {painting.spot_names[spot]}"


class _Packer:
    """Numbers atoms and notes in order of appearance."""

    def __init__(self) -> None:
        self.atoms: dict[Atom, int] = {}
        self.notes: dict[tuple[str, tuple[int, ...], int], int] = {("", (), 0): 0}

    def packed(self, move: PlayedMove) -> str:
        kind, atom, spots, words, weight = move
        index = self.atoms.setdefault(atom, len(self.atoms)) if atom >= 0 else 0
        note = self.notes.setdefault((words, spots, weight), len(self.notes))
        return KINDS[kind] + _number(index, 2) + _number(note, 3)


def _number(value: int, n_digits: int) -> str:
    digits = ""
    for _ in range(n_digits):
        value, digit = divmod(value, len(DIGITS))
        digits = DIGITS[digit] + digits
    return digits
