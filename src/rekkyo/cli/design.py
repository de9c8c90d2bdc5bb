"""`rekkyo design`."""

from __future__ import annotations

from pathlib import Path

import click

from rekkyo.cli.options import FileOrFolder, rekkyo
from rekkyo.cli.streams import note
from rekkyo.errors import BadInput


@rekkyo.command("design", short_help="Draw a puzzle in a browser, and see its solutions while you draw.")
@click.argument("file", required=False, type=FileOrFolder())
@click.option("--open", "opens", is_flag=True, help="Show the page in a browser.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8643, show_default=True, help="0 for any free one."
)
def design_command(file: Path | None, opens: bool, port: int) -> None:
    """Draw a puzzle in a browser, and see its solutions while you draw.

    The page shows drawing and file side by side. FILE is not changed: the page offers changed files as
    downloads. Only this computer can reach the page, and only by its complete address.

    \b
    rekkyo design --open
    rekkyo design mine.toml --open
    """
    try:
        import websockets  # noqa: F401 - uvicorn uses it

        from rekkyo.designer.app import serve
        from rekkyo.designer.first_text import text_of_file
    except ImportError:
        raise BadInput("the design page needs the extra package: pip install 'rekkyo[design]'") from None
    text, folder = ("", None) if file is None else (text_of_file(file), file.resolve().parent)
    serve(text, folder, "127.0.0.1", port, note, opens=opens)
