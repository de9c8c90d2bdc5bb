"""Puzzles of consecutive sizes, given by words that include a range, or by a function.

`queens 1..14` are puzzles of the catalog; `mine.toml 1..8` are those of a family in a puzzle file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from rekkyo.ask.count import Count
from rekkyo.catalog import index as catalog
from rekkyo.catalog.entry import is_whole_number
from rekkyo.errors import BadInput, in_short
from rekkyo.export.puzzle_files import ALL_SUFFIXES, check_suffix, family_in_file, puzzle_from_file
from rekkyo.model.checks import check_nested, listed, refuse
from rekkyo.model.puzzle import Published, Puzzle, check_puzzle
from rekkyo.model.row import checked_whole
from rekkyo.safe_files import path_of

MAX_SIZES = 1000
LARGEST = 10**18
"""The greatest absolute value of a size."""

PuzzleOfSize: TypeAlias = Callable[[int], Puzzle]


@dataclass(frozen=True, slots=True)
class PuzzleSequence:
    """The puzzles to count. summary, source: of the puzzles, each in a line; source may be empty."""

    name: str
    summary: str
    source: str
    sizes: Sequence[int]
    puzzle: PuzzleOfSize


def puzzles_of(puzzles: Sequence[str] | PuzzleOfSize, sizes: Iterable[int] | None = None) -> PuzzleSequence:
    """The puzzles that words or a function and its sizes stand for. Raises BadInput."""
    return _of_function(puzzles, sizes) if callable(puzzles) else _of_words(puzzles, sizes)


def difference_from(found: Count, published: Published | None) -> str | None:
    """How a count differs from the published one, or None."""
    if published is None:
        return None
    known = published.up_to(found.up_to)
    numbers = [
        f"{name} {getattr(found, name)} DIFFERS FROM the published {getattr(known, name)}"
        for name, is_equal in known.compared(found.total, found.unique).items()
        if not is_equal
    ]
    return f"{' and '.join(numbers)} ({known.source})" if numbers else None


def _of_function(puzzle: PuzzleOfSize, sizes: Iterable[int] | None) -> PuzzleSequence:
    rule = "a function needs sizes, such as range(1, 9)"
    numbers = [checked_whole(rule, n, -LARGEST, LARGEST) for n in listed(rule, sizes, MAX_SIZES)]
    if not numbers:
        raise BadInput(f"1 to {MAX_SIZES} sizes are counted; give some")

    def checked(n: int) -> Puzzle:
        found = puzzle(n)
        check_puzzle(found)
        return found

    first = checked(numbers[0])
    return PuzzleSequence(f"a puzzle of size {numbers[0]} and so on", first.title, "", numbers, checked)


def _of_words(words: Sequence[str], sizes: Iterable[int] | None) -> PuzzleSequence:
    if sizes is not None:
        raise BadInput('words include their sizes, such as ["queens", "1..14"]')
    rule = 'words are a list of texts, such as ["queens", "1..14"]'
    if not isinstance(words, Sequence) or isinstance(words, str):
        refuse(rule, words)
    check_nested(rule, listed(rule, words), (list, str))
    name = " ".join(words)
    found = None
    if words and not catalog.is_name(words[0]) and path_of(words[0]).exists():
        check_suffix(Path(words[0]))
    if words and Path(words[0]).suffix.lower() in ALL_SUFFIXES:
        found = family_in_file(Path(words[0]))
        if found is None:
            raise BadInput(
                "a family of puzzles is counted over a range of sizes, such as queens 1..14;"
                f' "{in_short(words[0])}" is one puzzle, without [family]'
            )
        words = [words[0], *found[0].values_of(words[1:])]
    parts = [_option_and_value(word) for word in words]
    places = [place for place, (_, value) in enumerate(parts) if place and ".." in value]
    if len(places) != 1:
        raise BadInput("one range of sizes is needed, such as queens 1..14")
    before, after = words[: places[0]], words[places[0] + 1 :]
    option, sizes_in_word = parts[places[0]]
    numbers = _read_range(sizes_in_word)
    if found is None:
        entry = catalog.entry(words[0])
        return PuzzleSequence(
            name,
            entry.summary,
            entry.source,
            numbers,
            lambda n: catalog.puzzle([*before, f"{option}{n}", *after]),
        )
    family, title, source = found
    for n in (numbers[0], numbers[-1]):
        family.numbers_of([*before[1:], str(n), *after])
    return PuzzleSequence(
        name, title, source, numbers, lambda n: puzzle_from_file(words[0], *before[1:], n, *after)
    )


def _option_and_value(word: str) -> tuple[str, str]:
    """A word in two parts: `--option=` and its value, or an option alone, or nothing and the word."""
    if not word.startswith("--"):
        return "", word
    option, sign, value = word.partition("=")
    return option + sign, value


def _read_range(word: str) -> range:
    first, _, last = word.partition("..")
    if not (is_whole_number(first) and is_whole_number(last) and 0 <= int(first) <= int(last)):
        raise BadInput(f'sizes are a range of whole numbers such as 1..14, not "{in_short(word)}"')
    if int(last) - int(first) >= MAX_SIZES:
        raise BadInput(f"at most {MAX_SIZES} sizes are counted, not {word}")
    return range(int(first), int(last) + 1)
