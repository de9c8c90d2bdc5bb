"""`rekkyo gallery`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rekkyo.cli.options import FileOrFolder, puzzle_command, read_puzzle, refuse_given, run_directory
from rekkyo.cli.streams import note
from rekkyo.errors import BadInput
from rekkyo.wording import several

if TYPE_CHECKING:
    from rekkyo.gallery.collection import Collection


@puzzle_command("gallery", "Look at all solutions of a run in a browser.")
@click.option("--static", "static", metavar="OUT", type=FileOrFolder(), help="Write files for a web host.")
@click.option("--open", "opens", is_flag=True, help="Show the page in a browser.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8642, show_default=True, help="0 for any free one."
)
def gallery_command(words: tuple[str, ...], static: Path | None, opens: bool, host: str, port: int) -> None:
    """Look at all solutions of a run in a browser, also while they are being found.

    A puzzle with few solutions may be given instead of a run. Several runs can be named.

    \b
    rekkyo gallery runs/q14 --open
    rekkyo gallery runs/q14 runs/q15
    rekkyo gallery pentominoes 6 10
    rekkyo gallery runs/q8 --static site
    """
    if static is not None:
        from rekkyo.runs.certificate_folder import check_unused

        refuse_given("--static writes files", "which is for a server", "opens", "host", "port")
        check_unused(static)
    collections = _collections(words)
    if static is not None:
        if len(collections) > 1:
            raise BadInput("gallery --static writes one run; leave out the others")
        from rekkyo.gallery.facts import read_assets
        from rekkyo.gallery.static_site import write_site

        n_solutions = write_site(collections[0], static, read_assets())
        what = f"{collections[0].puzzle.name}: {several(n_solutions, 'solution')}"
        note(f"{what} in {static}; open its index.html, or put it on a web host")
        return
    from rekkyo.gallery.serve import serve

    serve(collections, host, port, note, opens=opens)


def _collections(words: tuple[str, ...]) -> list[Collection]:
    from rekkyo.gallery.collection import Collection
    from rekkyo.gallery.source import ListedSource, RunSource

    runs = [run_directory((word,)) for word in words]
    if runs and all(runs):
        return [Collection(RunSource(run)) for run in runs if run is not None]
    return [Collection(ListedSource(read_puzzle(words, up_to="symmetry")))]
