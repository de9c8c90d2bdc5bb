"""The catalog: all entries, and the parser of words such as `queens 8`."""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.catalog import colorings, covers, designs, digits, hip, magic, magic_figures, packings, queens
from rekkyo.catalog.entry import Entry
from rekkyo.errors import BadInput, UnknownPuzzle, in_short, meant_by
from rekkyo.model.checks import check_nested, listed
from rekkyo.model.puzzle import Puzzle

ENTRIES: tuple[Entry, ...] = (
    queens.ENTRY,
    *packings.ENTRIES,
    digits.ENTRY,
    *covers.ENTRIES,
    *designs.ENTRIES,
    *magic.ENTRIES,
    *magic_figures.ENTRIES,
    hip.ENTRY,
    *colorings.ENTRIES,
)


_ENTRY_OF = {entry.name: entry for entry in ENTRIES}


def puzzle(words: str | Sequence[str], *, opens_files: bool = True) -> Puzzle:
    """The puzzle that words describe: a catalog name, its numbers and its options, such as "queens 8".

    opens_files: False for words from an untrusted source: no file that they name is opened. Raises BadInput.
    """
    rule = 'a puzzle is named by a text such as "queens 8"'
    if isinstance(words, str):
        words = words.split()
    else:
        words = listed(rule, words)
        check_nested(rule, words, (list, str))
    if not words:
        raise BadInput("no puzzle is named; try: rekkyo list")
    if words[0].startswith("-"):
        raise BadInput(f"name the puzzle before its options: {words[0]} comes too early")
    if "." in words[0] and not is_name(words[0]):
        name = in_short(words[0])
        raise UnknownPuzzle(f'unknown puzzle "{name}"; rekkyo.puzzle_from_file reads a puzzle from a file')
    return entry(words[0]).puzzle(words[1:], opens_files=opens_files)


def is_name(name: str) -> bool:
    """Whether the catalog has a puzzle of that name."""
    return name in _ENTRY_OF


def entry(name: str) -> Entry:
    """The entry of that name. Raises UnknownPuzzle, with the nearest name."""
    if not is_name(name):
        others = f"known: {', '.join(_ENTRY_OF)}; write any other one as a file: rekkyo new --help"
        raise UnknownPuzzle(f'unknown puzzle "{in_short(name)}"; {meant_by(name, list(_ENTRY_OF)) or others}')
    return _ENTRY_OF[name]
