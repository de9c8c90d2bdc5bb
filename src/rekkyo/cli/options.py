"""The group of commands, and shared arguments, options and readers of puzzles."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from inspect import cleandoc
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from rekkyo import __version__
from rekkyo.cli import completion
from rekkyo.cli.progress import Interrupted
from rekkyo.cli.streams import note
from rekkyo.errors import BadInput, fix_for_name, in_short

if TYPE_CHECKING:
    from rekkyo.model.puzzle import Puzzle

CommandT = TypeVar("CommandT", bound=Callable[..., Any])


class _Helping(click.Command):
    """A command whose examples fit the terminal: an explanation is moved to the next line if necessary."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        whole = self.help
        paragraphs = cleandoc(whole or "").split("\n\n")
        self.help = "\n\n".join(_fitting(paragraph, formatter.width - 2) for paragraph in paragraphs)
        super().format_help_text(ctx, formatter)
        self.help = whole


def _fitting(paragraph: str, width: int) -> str:
    """A paragraph of examples with shortened lines; click wraps other paragraphs."""
    lines = paragraph.split("\n")
    if lines[0] != "\b" or max(map(len, lines)) <= width:
        return paragraph
    shorter = []
    for line in lines:
        example, _, meaning = line.partition(GAP)
        parts = wrap(
            example, width - 2, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
        )
        shorter.append(" \\\n".join(parts))
        shorter += wrap(meaning.strip(), width, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(shorter)


_SHORT = re.compile(r"-[A-Za-z]")
"""A short option; a word such as -5 is a number."""

HELP = "help"
"""The word that may stand for `--help`, before the name of a command."""

GAP = "   "
"""The gap between an example and its explanation."""


class _Commands(_Helping, click.Group):
    """A group that suggests a name for a mistyped command, knows `help`, and handles interruptions."""

    command_class = _Helping

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command, whose line in the list of commands is not truncated."""
        cmd.short_help = cmd.get_short_help_str(limit=200)
        super().add_command(cmd, name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read `help count` as `count --help`, and `help` as `--help`."""
        n_words = next((place for place, word in enumerate(args) if word != HELP), len(args))
        return super().parse_args(ctx, [*args[n_words:], "--help"] if n_words else args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            known = [*self.list_commands(ctx), "--help"]
            raise BadInput(f'there is no command "{name}"; {fix_for_name(name, known)}')
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the named command. Raises Interrupted, because click would print an empty line."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted("interrupted") from None


@click.group(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True
)
@click.version_option(__version__, prog_name="rekkyo")
@click.pass_context
def rekkyo(context: click.Context) -> None:
    """Find every solution of a combinatorial puzzle.

    \b
    rekkyo count queens 8                    total 92, unique 12
    rekkyo count mine.toml 6                 a file of yours; sizes follow its name
    rekkyo solve queens 6 --format board     draw them all
    rekkyo run queens 14 --out runs/q14      keep them, and go on after a crash
    rekkyo methods queens 4..8               how the textbook algorithms compare
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def _words_of_puzzle(
    _context: click.Context, _parameter: click.Parameter, words: tuple[str, ...]
) -> tuple[str, ...]:
    """The words; the first may be in one quoted argument, such as "queens 8"."""
    from rekkyo.catalog.index import is_name

    first = words[0].split() if words else []
    if len(first) > 1 and is_name(first[0]) and not Path(words[0]).exists():
        return (*first, *words[1:])
    return words


def puzzle_words(metavar: str = "PUZZLE...") -> Callable[[CommandT], CommandT]:
    """The argument for the words that name a puzzle."""
    return click.argument(
        "words",
        metavar=metavar,
        nargs=-1,
        type=click.UNPROCESSED,
        shell_complete=completion.puzzle_or_file,
        callback=_words_of_puzzle,
    )


def puzzle_command(
    name: str, short_help: str | None = None, metavar: str = "PUZZLE..."
) -> Callable[[Callable[..., Any]], click.Command]:
    """A command whose `words` name a puzzle.

    Unknown options, such as `--blocked`, belong to the puzzle, and its catalog entry reads them.
    """
    command = rekkyo.command(name, short_help=short_help, context_settings={"ignore_unknown_options": True})
    return lambda function: command(puzzle_words(metavar)(function))


STDOUT = 1
"""The number of the open file that is standard output."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
workers_option = click.option("--workers", type=int, metavar="N", help="Threads; all cores by default.")


def engine_option(
    what: str = "The engine to search with; see `rekkyo info PUZZLE`.",
) -> Callable[[CommandT], CommandT]:
    """`--engine NAME`. what: its help."""
    return click.option("--engine", metavar="NAME", shell_complete=completion.engine, help=what)


DEFAULT_FORMAT = "rows"


def check_format(format_name: str, as_json: bool) -> None:
    """Refuse another format beside --json, whose object has rows of numbers."""
    if as_json and format_name != DEFAULT_FORMAT:
        raise BadInput(f"--json has a format of its own; leave out --json or --format {format_name}")


def format_option(what: str) -> Callable[[CommandT], CommandT]:
    """`--format FORMAT`, in which rows are printed. what: its help."""
    return click.option(
        "--format",
        "format_name",
        metavar="FORMAT",
        default=DEFAULT_FORMAT,
        show_default=True,
        shell_complete=completion.one_of("rekkyo.export.text", "FORMATS"),
        help=what,
    )


class FileOrFolder(click.Path):
    """The name of a file or folder. It is checked as a text, because Path("") would be the current folder."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """The path. Raises BadInput for a text that names no file or folder."""
        from rekkyo.safe_files import path_of

        return path_of(os.fsdecode(super().convert(value, param, ctx)))


def out_option(what: str) -> Callable[[CommandT], CommandT]:
    """`-o FILE`; None is standard output, also by its names `-` and `/dev/stdout`. what: its help.

    The file `-` is named `./-`, which as a Path would be `-`.
    """
    return click.option(
        "-o",
        "--out",
        "out",
        metavar="FILE",
        type=click.Path(),
        callback=_unless_stdout,
        help=what,
    )


def _unless_stdout(_context: click.Context, _parameter: click.Parameter, out: str | None) -> Path | None:
    if out is None:
        return None
    from rekkyo.safe_files import path_of
    from rekkyo.store.output_file import number_of_open_file

    path = path_of(out)
    return None if out == "-" or number_of_open_file(path) == STDOUT else path


def search_options(command: CommandT) -> CommandT:
    """The options of every count and every solve."""
    limit = click.option("--limit", type=int, metavar="K", help="Stop after K solutions.")
    return engine_option()(workers_option(limit(command)))


def up_to_option(default: str) -> Callable[[CommandT], CommandT]:
    """`--up-to symmetry|none|…`."""
    return click.option(
        "--up-to",
        metavar="WORDS",
        default=default,
        show_default=True,
        shell_complete=completion.up_to,
        help="Which solutions count as one: `none`; those that the puzzle's `symmetry`, or only its"
        " `rotations`, turn into each other; or also what further words add, joined by commas (see"
        " `rekkyo info PUZZLE`). `fixed`, `one-sided`, `free` and `fundamental` are understood.",
    )


def read_puzzle(words: Sequence[str], up_to: str = "none") -> Puzzle:
    """The puzzle that the words of the command line describe. Raises BadInput.

    The words are those of the catalog, or a file and the values of its parameters, some by name (`--n 4`).

    A puzzle from a file has the symmetry of its model; a note says if `up_to` needs more than is known.
    """
    from rekkyo.catalog import index

    _check_options(words)
    if words and words[0].startswith("-") and Path(words[0]).is_file():
        raise BadInput(f"a file whose name begins with a hyphen is named with its folder: ./{words[0]}")
    if words and is_file_name(words[0]):
        from rekkyo.catalog.own_symmetry import CONSTRAINTS, MEANING, with_own_symmetry
        from rekkyo.export.puzzle_files import read_puzzle_file

        puzzle, found = with_own_symmetry(read_puzzle_file(Path(words[0]), words[1:]))
        if found.trouble and up_to not in ("none", *(relation.word for relation in found.relations)):
            note(f"{puzzle.name}: {found.trouble}")
        elif found.missing and CONSTRAINTS in {*up_to.split(",")} - {*puzzle.words_up_to}:
            note(f"{puzzle.name}: {MEANING} is not known: {found.missing}")
        return puzzle
    return index.puzzle(words)


def _check_options(words: Sequence[str]) -> None:
    """Refuse an option that neither the puzzle nor the command has. Raises BadInput."""
    from rekkyo.catalog import index

    given = [word.partition("=")[0] for word in words[1:] if word.startswith("--") or _SHORT.fullmatch(word)]
    if not given or words[0].startswith("--"):
        return
    if is_file_name(words[0]):
        from rekkyo.export.puzzle_files import family_in_file

        found = family_in_file(Path(words[0]))
        options = () if found is None else found[0].options
    else:
        options = index.entry(words[0]).options
    known = {option.name for option in options}
    for name in given:
        if name in _command_options():
            raise BadInput(f'"{name}" is an option of the command, and stands after "--"; write it before')
        if name not in known:
            fix = fix_for_name(name, sorted(known | _command_options()))
            raise BadInput(f'no option "{in_short(name)}"; {fix}')


def read_puzzle_to_search(words: Sequence[str], up_to: str) -> Puzzle:
    """As `read_puzzle`, with notes about reasons for no solution that are found without a search."""
    puzzle = read_puzzle(words, up_to)
    for obstacle in obstacles_of(puzzle, words):
        note(f"{puzzle.name}: no solution, because {obstacle}")
    return puzzle


def obstacles_of(puzzle: Puzzle, words: Sequence[str]) -> list[str]:
    """Reasons for no solution, with the options of the catalog that allow more solutions."""
    from rekkyo.catalog import index
    from rekkyo.model.obstacles import obstacles

    fixes = index.entry(words[0]).fixes(words) if index.is_name(words[0]) else []
    return ["; ".join([obstacle, *fixes]) for obstacle in obstacles(puzzle.model_in_words)]


def read_puzzle_or_run(words: Sequence[str], up_to: str = "none") -> tuple[Puzzle, Path | None]:
    """As `read_puzzle`, or, for the directory of a run, its puzzle and the directory."""
    run = run_directory(words)
    if run is None:
        return read_puzzle(words, up_to), None
    check_options_for_run(run)
    from rekkyo.runs.sources import puzzle_of_run

    return puzzle_of_run(run), run


def check_options_for_run(run: Path) -> None:
    """Refuse options that say how to search, if a run is given: it is read, not searched. Raises BadInput."""
    refuse_given(
        f"{run} is a run, whose rows are stored", "which is for a search", "up_to", "engine", "workers"
    )


def refuse_given(what: str, why: str, *names: str) -> None:
    """Refuse the first of these parameters of the command that the user gave. Raises BadInput."""
    context = click.get_current_context()
    for parameter in context.command.params:
        is_given = context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        if is_given and parameter.name in names:
            raise BadInput(f"{what}; leave out {parameter.opts[0]}, {why}")


def run_directory(words: Sequence[str]) -> Path | None:
    """The directory of a run, if the words are its name and not a puzzle."""
    is_run = len(words) == 1 and words[0] != "" and (Path(words[0]) / "manifest.json").is_file()
    return Path(words[0]) if is_run else None


def is_file_name(word: str) -> bool:
    """Whether a word names a file, and not a puzzle of the catalog, whose names have no points or slashes."""
    from rekkyo.catalog import index

    if not word or word.startswith("-"):  # Path("") is the current folder
        return False
    return any(mark in word for mark in "./\\") or (Path(word).exists() and not index.is_name(word))


def _command_options() -> set[str]:
    parameters = click.get_current_context().command.params
    return {name for parameter in parameters for name in parameter.opts if name.startswith("--")}
