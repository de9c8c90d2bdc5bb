"""Every reader of files from elsewhere, fed with files that are almost right.

A reader may take a file or refuse it in one line; nothing else, and in bounded time and memory.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import rekkyo as rk
from rekkyo.errors import RekkyoError
from rekkyo.export.read import read_lines
from rekkyo.export.text import writer
from tests.export.burrtools_texts import flat
from tests.torture.guard import guarded
from tests.torture.kinds_of_change import CHANGES

EXAMPLES = Path(__file__).parents[2] / "examples"
NUMBERS = ("0", "-1", "1e9", "99999999999", "2147483648", "1_0", "٣", "0x10", "1.5", "nan", "1..9", "9" * 400)
MARKS = (
    "",
    "\x00",
    "\u202e",
    "\x1b[2J",
    "é",
    "😀",
    '"',
    "'",
    "[",
    "]",
    "{",
    "#",
    "|",
    "=",
    "\\",
    "\r",
    "\n\n",
    "*",
)
CNF = "c two clauses\np cnf 4 2\nc p show 1 2 3 0\n1 -2 0\n2 3\n-4 0\n"
XCC = "a b c | x y\na b x:1\nb c y:2\na x:1\nc y:2\nb x:1 y:2\na b c\n"


def case(dice: random.Random, folder: Path) -> str:
    """One file that is almost right. Returns what it was and whether it was refused."""
    return dice.choices((puzzle_file, solutions, diagram), (6, 3, 1))[0](dice, folder)


def puzzle_file(dice: random.Random, folder: Path) -> str:
    originals = sorted(EXAMPLES.glob("*.toml"))
    texts: dict[str, list[bytes]] = {
        ".toml": [path.read_bytes() for path in originals],
        ".xcc": [XCC.encode()],
        ".xmpuzzle": [flat(), flat(grid="1")],
        ".cnf": [CNF.encode()],
    }
    suffix = dice.choice(sorted(texts))
    path = folder / f"puzzle{suffix}"
    changed(dice, path, dice.choice(texts[suffix]), folder)
    return f"{suffix}, {refused_or_read(lambda: rk.puzzle_from_file(path))}"


def solutions(dice: random.Random, folder: Path) -> str:
    words = dice.choice(("queens 6", "langford 4", "hip 3", "magic-square 3"))
    puzzle = rk.puzzle(words)
    to = dice.choice(("rows", "compact", "csv", "jsonl"))
    path = folder / "solutions"
    changed(dice, path, exported(words, to), folder)

    def read() -> None:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            for line in read_lines(puzzle, file):
                if line.row is not None:
                    rk.verify(puzzle, line.row)

    return f"{to}, {refused_or_read(read)}"


def diagram(dice: random.Random, folder: Path) -> str:
    path = folder / "diagram"
    changed(dice, path, saved_diagram(folder), folder)
    return f"diagram, {refused_or_read(lambda: rk.load_diagram(path, rk.puzzle('dominoes 4 4')))}"


def changed(dice: random.Random, path: Path, content: bytes, folder: Path) -> None:
    """Write a file that differs from what it should be in a few places."""
    text = content.decode("latin-1")
    for _ in range(dice.randint(0, 4)):
        text = dice.choice((a_line_less, a_line_twice, another_number, a_mark_more, lines_exchanged))(
            dice, text
        )
    path.write_bytes(text.encode("latin-1", errors="replace"))
    if dice.random() < 0.3:
        dice.choice(CHANGES[:8])(dice, path, folder)


def a_line_less(dice: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        del lines[dice.randrange(len(lines))]
    return "".join(lines)


def a_line_twice(dice: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join([*lines, dice.choice(lines)]) if lines else text


def lines_exchanged(dice: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    dice.shuffle(lines)
    return "".join(lines)


def another_number(dice: random.Random, text: str) -> str:
    places = [at for at, mark in enumerate(text) if mark.isdigit()]
    if not places:
        return text
    at = dice.choice(places)
    number = dice.choice(NUMBERS).encode().decode("latin-1")
    return text[:at] + number + text[at + 1 :]


def a_mark_more(dice: random.Random, text: str) -> str:
    at = dice.randrange(len(text) + 1)
    return text[:at] + dice.choice(MARKS).encode().decode("latin-1") + text[at:]


def refused_or_read(read: Callable[[], object]) -> str:
    with guarded():
        try:
            read()
        except RekkyoError as problem:
            assert "\n" not in str(problem), repr(problem)
            return "refused"
    return "read"


@cache
def exported(words: str, to: str) -> bytes:
    puzzle = rk.puzzle(words)
    return b"".join(map(writer(to, puzzle), rk.solve_blocks(puzzle, limit=50)))


@cache
def saved_diagram(folder: Path) -> bytes:
    path = folder / "good diagram"
    puzzle = rk.puzzle("dominoes 4 4")
    rk.save_diagram(rk.diagram(puzzle), path, puzzle)
    return path.read_bytes()
