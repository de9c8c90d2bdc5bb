"""b-files of the OEIS: `n a(n)` on each line, consecutive n, comments with `#`, plain ASCII.

Source: OEIS, "b-file formatting" (oeis.org/wiki/B-files).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

from rekkyo.ask.count import Count, count
from rekkyo.engines.registry import engine_named, independent_engines
from rekkyo.errors import BadInput, CountsDisagree
from rekkyo.model.checks import check_type
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import checked_whole
from rekkyo.runs.recount_engines import recounted
from rekkyo.runs.sequences import PuzzleOfSize, PuzzleSequence, difference_from, puzzles_of
from rekkyo.search.optimum import with_best
from rekkyo.search.question import ask

MAX_DIGITS = 1000


def bfile(
    puzzles: Sequence[str] | PuzzleOfSize,
    sizes: Iterable[int] | None = None,
    *,
    unique: bool = False,
    up_to: str | None = None,
    optimum: bool = False,
    engines: int = 1,
) -> Iterator[str]:
    """The lines of a b-file of counts, yielded as the counts are made.

    puzzles: words of the catalog, or a puzzle file and its values, that include a range, such as `1..14` in
        `queens 1..14`; or a function from a size to its puzzle, for consecutive sizes.
    unique: count orbits. up_to: of which symmetry, as for `count`; by default "symmetry".
    optimum: the best value of the objective, in place of a count.
    engines: 2 to count each term a second time, by an engine that shares no search code with the first, if
        there is one; comments name the engines.
    Raises BadInput; CountsDisagree if two engines find different counts, and after the last line if terms
    differ from published counts, which comments say too.
    """
    check_type("b-file: unique is True or False", unique, bool)
    check_type("b-file: optimum is True or False", optimum, bool)
    if unique and optimum:
        raise BadInput("a b-file has either the optimum or the number of orbits; leave one out")
    if up_to is not None:
        check_type("b-file: up_to is a text, such as rotations", up_to, str)
        if not unique or up_to == "none":
            raise BadInput(
                "a b-file of orbits is up to some symmetry, and one of all solutions up to none;"
                " leave up_to out, or give unique with it"
            )
    engines = checked_whole("a b-file is counted by 1 or 2 engines", engines, 1, 2)
    asked = puzzles_of(puzzles, sizes)
    what = "Optimum" if optimum else f"Number of {'orbits of ' * unique}solutions"
    comments = [
        f"{what} of {asked.name}{f' up to {up_to}' if up_to else ''}: {asked.summary}.",
        *([f"Source of the puzzle: {asked.source}"] if asked.source else []),
    ]
    return bfile_lines(
        comments, _terms(asked, _TERMS[unique, optimum], up_to or ("symmetry" if unique else "none"), engines)
    )


def bfile_lines(comments: Sequence[str], terms: Iterable[tuple[int, int] | str]) -> Iterator[str]:
    """The lines of a b-file, each with its line feed. Raises BadInput unless n increases by one.

    terms: n and a(n); a text is a comment.
    """
    to_come = iter(terms)
    begun = list(islice(to_come, 1))  # if there is no first term, nothing is written
    for comment in comments:
        yield f"# {_ascii(comment)}\n"
    last = None
    for line in chain(begun, to_come):
        if isinstance(line, str):
            yield f"# {_ascii(line)}\n"
            continue
        n, term = line
        if last is not None and n != last + 1:
            raise BadInput(f"a b-file goes up by one: {n} comes after {last}")
        if abs(term) >= 10**MAX_DIGITS:  # writing more than 4,300 digits would fail
            raise BadInput(f"a b-file has terms of at most {MAX_DIGITS} digits; the one for {n} is longer")
        last = n
        yield f"{n} {term}\n"


def _terms(
    asked: PuzzleSequence, term_of: Callable[[Count], int], up_to: str, engines: int
) -> Iterator[tuple[int, int] | str]:
    """The terms; with two engines also a comment before each range of sizes that the same two count."""
    named: tuple[str, ...] = ()
    differences: list[str] = []
    for n in asked.sizes:
        puzzle = asked.puzzle(n)
        first = count(puzzle, up_to=up_to)
        term = term_of(first)
        if engines > 1:
            second = _counted_again(puzzle, first, up_to)
            names = (first.engine,) if second is None else (first.engine, second.engine)
            if second is not None:
                _check_that_they_agree(puzzle, names, (term, term_of(second)))
            if names != named:
                named = names
                yield _way(n, names)
        if difference := difference_from(first, puzzle.published):
            differences.append(f"{puzzle.name}: {difference}")
            yield f"n = {n}: {difference}."
        yield n, term
    if differences:
        raise CountsDisagree("; ".join(differences))


def _counted_again(puzzle: Puzzle, first: Count, up_to: str) -> Count | None:
    """The count by an engine that shares no search code with the first; None if there is no such engine."""
    engine = engine_named(first.engine)
    question = with_best(replace(ask(puzzle), engine=engine), first.optimum)
    others = independent_engines(lower(puzzle.model), engine)
    if not others:
        return None
    return recounted(question, others, lambda other: count(puzzle, engine=other.engine, up_to=up_to))


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


def _orbits(found: Count) -> int:
    if found.unique is None:
        raise BadInput(f"orbits of {found.puzzle} cannot be counted: {found.left_out}")
    return found.unique


def _optimum(found: Count) -> int:
    if found.optimum is None:
        none = "has no solution" if found.total == 0 else "has no objective"
        raise BadInput(f"{found.puzzle} {none}, so there is no optimum; count its solutions")
    return found.optimum


_TERMS: Mapping[tuple[bool, bool], Callable[[Count], int]] = {
    (False, False): lambda found: found.total,
    (True, False): _orbits,
    (False, True): _optimum,
}
"""The function for a term, by whether orbits and whether the optimum are asked for."""


def _ascii(text: str) -> str:
    return "".join(letter if letter.isascii() and letter.isprintable() else "?" for letter in text)
