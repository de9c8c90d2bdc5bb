"""Arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from rekkyo.cli.notes import note
from rekkyo.errors import BadInput, mend_for_name

if TYPE_CHECKING:
    from rekkyo.model.puzzle import Puzzle

CommandT = TypeVar("CommandT", bound=Callable[..., Any])

PASS_ON_UNKNOWN_OPTIONS = {"ignore_unknown_options": True}
"""Options such as `--blocked` belong to the puzzle, whose catalog entry reads them."""


def _completions(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of puzzles for the first word, and files, which may be puzzles or runs."""
    from rekkyo.catalog.index import ENTRIES

    names = [entry.name for entry in ENTRIES if entry.name.startswith(incomplete)]
    if context.params.get("words") or not names:
        return [CompletionItem(incomplete, type="file")]
    return [CompletionItem(name) for name in names]


def _words_of_puzzle(
    _context: click.Context, _parameter: click.Parameter, words: tuple[str, ...]
) -> tuple[str, ...]:
    """The words, also where the first of them came in one quoted argument, such as "queens 8"."""
    from rekkyo.catalog.index import ENTRIES

    first = words[0].split() if words else []
    if len(first) > 1 and first[0] in {entry.name for entry in ENTRIES} and not Path(words[0]).exists():
        return (*first, *words[1:])
    return words


def puzzle_words(metavar: str) -> Callable[[CommandT], CommandT]:
    """The words that name a puzzle."""
    return click.argument(
        "words",
        metavar=metavar,
        nargs=-1,
        type=click.UNPROCESSED,
        shell_complete=_completions,
        callback=_words_of_puzzle,
    )


puzzle_argument = puzzle_words("PUZZLE...")
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def search_options(command: CommandT) -> CommandT:
    """The options that every count and every solve understands."""
    options = (
        click.option("--engine", metavar="NAME", help="The engine to search with; see `rekkyo info PUZZLE`."),
        click.option("--workers", type=int, metavar="N", help="Threads; all cores by default."),
        click.option("--limit", type=int, metavar="K", help="Stop after K solutions."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def up_to_option(default: str) -> Callable[[CommandT], CommandT]:
    """`--up-to symmetry|none|…`."""
    return click.option(
        "--up-to",
        metavar="WORDS",
        default=default,
        show_default=True,
        help="Which solutions are one: `none`; those that the puzzle's `symmetry`, or only its `rotations`,"
        " turn into each other; or also what further words add, joined by commas (see `rekkyo info PUZZLE`)."
        " `fixed`, `one-sided`, `free` and `fundamental` are understood.",
    )


def read_puzzle(words: Sequence[str], up_to: str = "none") -> Puzzle:
    """The puzzle that the words of the command line describe: catalog words or a file. Raises BadInput.

    A puzzle from a file has the symmetry of its model, whatever the command does with it.
    up_to: what the command asks for; a warning tells where symmetry is asked for and cannot be used.
    """
    from rekkyo.catalog import index

    if words and is_file_name(words[0]):
        from rekkyo.catalog.own_symmetry import with_own_symmetry
        from rekkyo.export.puzzle_files import read_puzzle_file

        if len(words) > 1:
            raise BadInput(f'"{words[1]}" is one word too many after the file {words[0]}')
        puzzle, found = with_own_symmetry(read_puzzle_file(Path(words[0])))
        if found.trouble and up_to != "none":
            note(f"{puzzle.name}: {found.trouble}")
        return puzzle
    if words and not words[0].startswith("--"):
        known = {option.name for option in index.entry(words[0]).options}
        for word in words[1:]:
            name = word.partition("=")[0]
            if word.startswith("--") and name not in known:
                mend = mend_for_name(name, sorted(known | _command_options()))
                raise BadInput(f'no option "{name}"; {mend}')
    return index.puzzle(words)


def is_file_name(word: str) -> bool:
    """Whether a word names a file, and not a puzzle of the catalog: those have neither points nor slashes."""
    return not word.startswith("-") and any(mark in word for mark in "./\\")


def say_obstacles(puzzle: Puzzle) -> None:
    """Say why there can be no solution, where that is seen before any search."""
    from rekkyo.model.obstacles import obstacles

    for obstacle in obstacles(puzzle.model):
        note(f"{puzzle.name}: no solution, because {obstacle}")


def _command_options() -> set[str]:
    parameters = click.get_current_context().command.params
    return {name for parameter in parameters for name in parameter.opts if name.startswith("--")}
