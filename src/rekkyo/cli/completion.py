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
    """The engines that accept the puzzle; all engines if there is none yet.

    They are not asked whether they can plan it: to see whether dominoes are planar takes a third longer.
    """
    from rekkyo.engines.registry import PLACE_OF, engines_by_type
    from rekkyo.model.lower import lower

    if (puzzle := _puzzle(context)) is None:
        return _beginning(incomplete, PLACE_OF)
    model = lower(puzzle.model)
    return _beginning(incomplete, (one.name for one in engines_by_type(model) if one.accepts(model)))


def up_to(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The words for the symmetry of the puzzle; those that every puzzle knows if there is none yet."""
    puzzle = _puzzle(context)
    return _beginning(incomplete, ("symmetry", "none") if puzzle is None else puzzle.words_up_to)


def _puzzle(context: click.Context) -> Puzzle | None:
    """The puzzle before the option; None if there is none that can be read.

    It is read in the context of the command, which click has left: `read_puzzle` compares the options of the
    puzzle with those of the command.
    """
    from rekkyo.cli.options import read_puzzle

    with suppress(RekkyoError, OSError), context.scope(cleanup=False):
        return read_puzzle(context.params.get("words") or context.args)
    return None


def _beginning(incomplete: str, words: Iterable[str]) -> list[CompletionItem]:
    return [CompletionItem(word) for word in words if word.startswith(incomplete)]
