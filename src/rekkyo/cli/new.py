"""`rekkyo new`: a puzzle file to begin with."""

from __future__ import annotations

import click

from rekkyo.cli.streams import write_file_text


@click.command("new", short_help="Print a puzzle file to begin with.")
@click.argument("kind", metavar="KIND")
def new_command(kind: str) -> None:
    """Print a puzzle file to begin with: packing, coloring, figure, cover, queens, tiles or words.

    `schema` prints the JSON Schema of all kinds, for editors that check while you write.

    \b
    rekkyo new packing > mine.toml
    rekkyo info mine.toml
    rekkyo count mine.toml
    """
    from rekkyo.export.puzzle_toml.templates import template

    write_file_text(template(kind))
