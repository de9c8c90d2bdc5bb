"""`rekkyo`: the group of commands, and how errors leave the program.

Exit codes: 0 done; 1 a check failed; 2 bad input (one line, no traceback); 130 interrupted; 141 the reader of
a pipe went away. Commands import what they need inside their functions, so that `--help` needs no compiler.
"""

from __future__ import annotations

import logging
import os
import sys

import click

from rekkyo import __version__
from rekkyo.cli import streams
from rekkyo.cli.catalog import info_command, list_command
from rekkyo.cli.certify import certify_command
from rekkyo.cli.count import count_command
from rekkyo.cli.draw import draw_command
from rekkyo.cli.estimate import estimate_command
from rekkyo.cli.export import bfile_command, export_command
from rekkyo.cli.gallery import gallery_command
from rekkyo.cli.methods import methods_command
from rekkyo.cli.new import new_command
from rekkyo.cli.notes import note
from rekkyo.cli.orbits import orbits_command
from rekkyo.cli.progress import Interrupted
from rekkyo.cli.recount import recount_command
from rekkyo.cli.run import resume_command, run_command
from rekkyo.cli.sample import sample_command, stats_command
from rekkyo.cli.solve import solve_command
from rekkyo.cli.status import status_command
from rekkyo.cli.verify import verify_command
from rekkyo.cli.warm import warm_command
from rekkyo.errors import BadInput, RekkyoError, mend_for_name

QUIET_VARIABLE = "REKKYO_QUIET"
"""When set, nothing is said about compiling."""


class _Commands(click.Group):
    """A group that knows what a mistyped command was meant to be."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            raise BadInput(f'there is no command "{name}"; {mend_for_name(name, self.list_commands(ctx))}')
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True
)
@click.version_option(__version__, prog_name="rekkyo")
@click.pass_context
def rekkyo(context: click.Context) -> None:
    """Find every solution of a combinatorial puzzle.

    \b
    rekkyo count queens 8                    total 92, unique 12
    rekkyo solve queens 6 --format board     draw them all
    rekkyo run queens 14 --out runs/q14      keep them, and go on after a crash
    rekkyo methods queens 4..8               how the textbook algorithms compare
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (
    list_command,
    info_command,
    count_command,
    orbits_command,
    solve_command,
    sample_command,
    stats_command,
    run_command,
    resume_command,
    status_command,
    recount_command,
    certify_command,
    estimate_command,
    verify_command,
    methods_command,
    draw_command,
    export_command,
    bfile_command,
    gallery_command,
    new_command,
    warm_command,
):
    rekkyo.add_command(command)


def main() -> None:
    """Run the command line and exit."""
    streams.make_usable()
    _show_log()
    try:
        exit_code = rekkyo.main(standalone_mode=False)
        sys.stdout.flush()
    except Interrupted as error:
        exit_code = _complain(error.format_message(), error.exit_code)
    except click.ClickException as error:
        exit_code = _complain(error.format_message(), 2)
    except (KeyboardInterrupt, click.Abort):
        exit_code = _complain("interrupted", 130)
    except RekkyoError as error:
        exit_code = _complain(str(error), 2 if isinstance(error, BadInput) else 1)
    except OSError as error:
        if streams.says_reader_is_gone(error):
            streams.forget_stdout()
            exit_code = 141
        else:
            place = f": {error.filename}" if error.filename else ""
            exit_code = _complain(f"{error.strerror or error}{place}", 1)
    sys.exit(exit_code or 0)


def _show_log() -> None:
    """What rekkyo logs, such as that it compiled something, goes to stderr."""
    if os.environ.get(QUIET_VARIABLE):
        return
    log = logging.getLogger("rekkyo")
    log.setLevel(logging.INFO)
    log.addHandler(_Notes())


class _Notes(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        note(record.getMessage())


def _complain(message: str, exit_code: int) -> int:
    note(f"rekkyo: {' '.join(message.split())}")
    return exit_code
