"""What a shell completes: puzzles, files, and the words of options, as far as they suit the puzzle."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

import click
from click.shell_completion import CompletionItem

from rekkyo.errors import RekkyoError

if TYPE_CHECKING:
    from rekkyo.model.puzzle import Puzzle

Complete: TypeAlias = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def puzzle_or_file(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of puzzles for the first word; if none fits, files, which may be puzzles or runs."""
    from rekkyo.catalog.index import ENTRIES

    names = _beginning(incomplete, (entry.name for entry in ENTRIES))
    return [CompletionItem(incomplete, type="file")] if context.params.get("words") or not names else names


def one_of(module: str, name: str) -> Complete:
    """The words that an option takes, whatever the puzzle is: those of this name in a module."""
    return lambda _context, _parameter, incomplete: _beginning(
        incomplete, getattr(import_module(module), name)
    )


def engine(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The engines that accept the puzzle; all engines if there is none yet."""
    from rekkyo.engines.registry import PLACE_OF, engines_for
    from rekkyo.model.lower import lower

    puzzle = _puzzle(context)
    names = PLACE_OF if puzzle is None else (one.name for one in engines_for(lower(puzzle.model)))
    return _beginning(incomplete, names)


def up_to(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The words for the symmetry of the puzzle; those that every puzzle knows if there is none yet."""
    puzzle = _puzzle(context)
    return _beginning(incomplete, ("symmetry", "none") if puzzle is None else puzzle.words_up_to)


def _puzzle(context: click.Context) -> Puzzle | None:
    """The puzzle before the option; None if there is none that can be read."""
    from rekkyo.cli.options import read_puzzle

    with suppress(RekkyoError, OSError):
        return read_puzzle(context.params.get("words") or context.args)
    return None


def _beginning(incomplete: str, words: Iterable[str]) -> list[CompletionItem]:
    return [CompletionItem(word) for word in words if word.startswith(incomplete)]
