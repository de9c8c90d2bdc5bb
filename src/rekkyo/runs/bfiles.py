"""b-files of the OEIS: `n a(n)` on each line, consecutive n, comments with `#`, plain ASCII.

The puzzles are given by words that include a range (`queens 1..14`, `mine.toml 1..8`), or by a function.
Source: OEIS, "b-file formatting" (oeis.org/wiki/B-files).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from rekkyo.ask.count import Count, count
from rekkyo.catalog import index as catalog
from rekkyo.catalog.entry import is_whole_number
from rekkyo.engines.registry import engine_named, independent_engine
from rekkyo.errors import BadInput, CountsDisagree, in_short
from rekkyo.export.puzzle_files import SUFFIXES, family_in_file, puzzle_from_file
from rekkyo.model.checks import check_type, listed, shown
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Published, Puzzle
from rekkyo.model.row import whole_number
from rekkyo.search.question import check_puzzle

MAX_TERMS = 1000
MAX_DIGITS = 1000

PuzzleOfSize: TypeAlias = Callable[[int], Puzzle]


@dataclass(frozen=True, slots=True)
class _Sequence:
    """The puzzles to count. summary, source: of the puzzles, each in a line; source may be empty."""

    name: str
    summary: str
    source: str
    sizes: Sequence[int]
    puzzle: PuzzleOfSize


def bfile(
    puzzles: Sequence[str] | PuzzleOfSize,
    sizes: Iterable[int] | None = None,
    *,
    unique: bool = False,
    engines: int = 1,
) -> Iterator[str]:
    """The lines of a b-file of counts, yielded as the counts are made.

    puzzles: words of the catalog, or a puzzle file and its values, that include a range, such as `1..14` in
        `queens 1..14`; or a function from a size to its puzzle, for consecutive sizes.
    unique: count orbits. engines: 2 to count each term a second time, by an engine that shares no search code
        with the first, if there is one; comments name the engines.
    Raises BadInput; CountsDisagree if two engines find different counts, and after the last line if terms
    differ from published counts, which comments say too.
    """
    if engines not in (1, 2):
        raise BadInput(f"a b-file is counted by 1 or 2 engines, not {shown(engines)}")
    asked = _of_function(puzzles, sizes) if callable(puzzles) else _of_words(puzzles, sizes)
    comments = [
        f"Number of {'orbits of solutions' if unique else 'solutions'} of {asked.name}: {asked.summary}.",
        *([f"Source of the puzzle: {asked.source}"] if asked.source else []),
    ]
    return bfile_lines(comments, _terms(asked, unique, engines))


def bfile_lines(comments: Sequence[str], terms: Iterable[tuple[int, int] | str]) -> Iterator[str]:
    """The lines of a b-file, each with its line feed. Raises BadInput unless n increases by one.

    terms: n and a(n); a text is a comment.
    """
    for comment in comments:
        yield f"# {_ascii(comment)}\n"
    last = None
    for line in terms:
        if isinstance(line, str):
            yield f"# {_ascii(line)}\n"
            continue
        n, term = line
        if last is not None and n != last + 1:
            raise BadInput(f"a b-file goes up by one: {n} comes after {last}")
        if len(str(abs(term))) > MAX_DIGITS:
            raise BadInput(f"a b-file has terms of at most {MAX_DIGITS} digits; the one for {n} is longer")
        last = n
        yield f"{n} {term}\n"


def _of_function(puzzle: PuzzleOfSize, sizes: Iterable[int] | None) -> _Sequence:
    rule = "a b-file of a function needs sizes, such as range(1, 9)"
    numbers = [
        whole_number(n) for n in (sizes if isinstance(sizes, range) else listed(rule, sizes))[: MAX_TERMS + 1]
    ]
    for n in numbers:
        check_type(rule, n, int)
    if not 0 < len(numbers) <= MAX_TERMS:
        raise BadInput(f"a b-file here has 1 to {MAX_TERMS} terms; give fewer sizes, or some")

    def checked(n: int) -> Puzzle:
        found = puzzle(n)
        check_puzzle(found)
        return found

    first = checked(numbers[0])
    return _Sequence(f"a puzzle of size {numbers[0]} and so on", first.title, "", numbers, checked)


def _of_words(words: Sequence[str], sizes: Iterable[int] | None) -> _Sequence:
    if sizes is not None:
        raise BadInput('words of a b-file have their sizes among them, such as ["queens", "1..14"]')
    name = " ".join(words)
    found = None
    if words and Path(words[0]).suffix.lower() in SUFFIXES:
        found = family_in_file(Path(words[0]))
        if found is None:
            raise BadInput(
                "a b-file counts a family of puzzles over a range of sizes, such as queens 1..14;"
                f' "{in_short(words[0])}" is one puzzle, without [family]'
            )
        words = [words[0], *found[0].values_of(words[1:])]
    places = [
        place for place, word in enumerate(words) if place and ".." in word and not word.startswith("--")
    ]
    if len(places) != 1:
        raise BadInput("a b-file needs one range of sizes, such as queens 1..14")
    before, after = words[: places[0]], words[places[0] + 1 :]
    numbers = _read_range(words[places[0]])
    if found is None:
        entry = catalog.entry(words[0])
        return _Sequence(
            name, entry.summary, entry.source, numbers, lambda n: catalog.puzzle([*before, str(n), *after])
        )
    family, title, source = found
    for n in (numbers[0], numbers[-1]):
        family.numbers_of([*before[1:], str(n), *after])
    return _Sequence(
        name, title, source, numbers, lambda n: puzzle_from_file(words[0], *before[1:], n, *after)
    )


def _terms(asked: _Sequence, unique: bool, engines: int) -> Iterator[tuple[int, int] | str]:
    """The terms; with two engines also a comment before each range of sizes that the same two count."""
    told: tuple[str, ...] = ()
    differences: list[str] = []
    for n in asked.sizes:
        puzzle = asked.puzzle(n)
        up_to = "symmetry" if unique else "none"
        first = count(puzzle, up_to=up_to)
        term = _one(first, unique)
        if engines > 1:
            other = independent_engine(lower(puzzle.model), engine_named(first.engine))
            names = (first.engine,) if other is None else (first.engine, other.name)
            if other is not None:
                second = _one(count(puzzle, engine=other.name, up_to=up_to), unique)
                _check_that_they_agree(puzzle, names, (term, second))
            if names != told:
                told = names
                yield _way(n, names)
        if difference := _from_published(first, puzzle.published):
            differences.append(f"{puzzle.name}: {difference}")
            yield f"n = {n}: {difference}."
        yield n, term
    if differences:
        raise CountsDisagree("; ".join(differences))


def _from_published(found: Count, published: Published | None) -> str | None:
    """How a count differs from the published one, or None."""
    if published is None or published.agrees_with(found.total, found.unique):
        return None
    pairs = (("total", found.total, published.total), ("unique", found.unique, published.unique))
    numbers = [
        f"{what} {count} DIFFERS FROM the published {known}"
        for what, count, known in pairs
        if None not in (count, known) and count != known
    ]
    return f"{' and '.join(numbers)} ({published.source})"


def _way(n: int, names: Sequence[str]) -> str:
    """A comment with the engines that count the terms from n on."""
    if len(names) > 1:
        both = "which share no search code; a term stands here only where they agree"
        return f"from n = {n}: counted by {' and by '.join(names)}, {both}."
    return f"from n = {n}: counted once, by {names[0]}; every other engine shares search code with it."


def _check_that_they_agree(puzzle: Puzzle, names: Sequence[str], terms: Sequence[int]) -> None:
    """Raise CountsDisagree unless the terms are equal."""
    if len(set(terms)) > 1:
        each = ", ".join(f"{name} {term}" for name, term in zip(names, terms, strict=True))
        raise CountsDisagree(f"{puzzle.name}: the engines disagree: {each}; please report it")


def _one(found: Count, unique: bool) -> int:
    if unique and found.unique is None:
        raise BadInput(f"orbits of {found.puzzle} cannot be counted: {found.left_out}")
    return found.total if found.unique is None else found.unique


def _ascii(text: str) -> str:
    return "".join(letter if letter.isascii() and letter.isprintable() else "?" for letter in text)


def _read_range(word: str) -> range:
    first, _, last = word.partition("..")
    if not (is_whole_number(first) and is_whole_number(last) and 0 <= int(first) <= int(last)):
        raise BadInput(f'sizes are a range of whole numbers such as 1..14, not "{word}"')
    if int(last) - int(first) >= MAX_TERMS:
        raise BadInput(f"a b-file here has at most {MAX_TERMS} terms, not {word}")
    return range(int(first), int(last) + 1)
