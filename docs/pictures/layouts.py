"""Packed words drawn as rows of boxes: a label, boxes, and what they mean.

Bits are drawn in the order in which people read the board, so bit 0 comes first, on the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rekkyo.render.svg.drawing import Svg, document
from rekkyo.render.svg.markup import drawn_path, number, words

BOX = 20.0
LINE = 30.0
SIZE = 12.0
LETTER = 0.58 * SIZE
"""About how wide a letter is."""


@dataclass(frozen=True, slots=True)
class Box:
    """text in a box of `width` units; kind: a class of the drawings' style sheet, or None for a gap."""

    text: str = ""
    width: float = 1.0
    kind: str | None = "rk-paper"


@dataclass(frozen=True, slots=True)
class Line:
    """A labelled row of boxes with a remark on its right."""

    label: str
    boxes: tuple[Box, ...]
    remark: str = ""


GAP = Box(width=0.5, kind=None)


def bits(marks: str) -> tuple[Box, ...]:
    """Boxes for a text of bits: 1 is filled, 0 is empty, a space is a gap, a point is outside of the word."""
    kinds = {"1": Box("1", kind="rk-shade"), "0": Box("0"), " ": GAP, ".": Box(kind="rk-blocked")}
    return tuple(kinds[mark] for mark in marks)


def word(value: int, n_bits: int) -> tuple[Box, ...]:
    """The low bits of a word, bit 0 first."""
    return bits("".join(str(value >> bit & 1) for bit in range(n_bits)))


def named(*texts: str, kind: str = "rk-board", width: float | None = None) -> tuple[Box, ...]:
    """Boxes that hold words."""
    return tuple(Box(text, width or max(1.0, (len(text) + 2) * LETTER / BOX), kind) for text in texts)


def layout(title: str, lines: Sequence[Line]) -> Svg:
    """The lines below each other."""
    left = max((len(line.label) for line in lines), default=0) * LETTER + 10
    middle = max((sum(box.width for box in line.boxes) for line in lines), default=0.0) * BOX
    right = max((len(line.remark) for line in lines), default=0) * LETTER + 10
    body = []
    for index, line in enumerate(lines):
        y = index * LINE
        body.append(words(line.label, (0, y + BOX / 2), SIZE, "rk-ink rk-start"))
        x = left
        for box in line.boxes:
            width = box.width * BOX
            if box.kind is not None:
                body.append(_box(x, y, width, box.kind))
                body.append(words(box.text, (x + width / 2, y + BOX / 2), SIZE))
            x += width
        body.append(words(line.remark, (left + middle + 10, y + BOX / 2), SIZE, "rk-faint rk-start"))
    description = "; ".join(
        f"{line.label}: {' '.join(box.text for box in line.boxes)} {line.remark}".strip() for line in lines
    )
    height = (len(lines) - 1) * LINE + BOX
    return document("".join(body), left + middle + 10 + right, height, title, f"{description}.", "auto")


def _box(x: float, y: float, width: float, kind: str) -> str:
    outline = f"M{number(x)} {number(y)}h{number(width)}v{number(BOX)}h{number(-width)}Z"
    return drawn_path(outline, kind) + drawn_path(outline, "rk-grid")
