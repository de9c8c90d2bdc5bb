"""`rekkyo gallery`."""

from __future__ import annotations

from pathlib import Path

import click

from rekkyo.cli.notes import note
from rekkyo.cli.options import PASS_ON_UNKNOWN_OPTIONS, puzzle_argument, read_puzzle


@click.command(
    "gallery",
    short_help="Look at all solutions of a run in a browser.",
    context_settings=PASS_ON_UNKNOWN_OPTIONS,
)
@puzzle_argument
@click.option(
    "--static", "static", metavar="OUT", type=click.Path(path_type=Path), help="Write files for a web host."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8642, show_default=True, help="0 for any free one."
)
def gallery_command(words: tuple[str, ...], static: Path | None, host: str, port: int) -> None:
    """Look at all solutions of a run in a browser, however many there are, and while they are being found.

    A puzzle with few solutions may stand for the run.

    \b
    rekkyo gallery runs/q14
    rekkyo gallery pentominoes 6 10
    rekkyo gallery runs/q8 --static site
    """
    from rekkyo.gallery.collection import Collection
    from rekkyo.gallery.source import ListedSource, RunSource, Source

    source: Source
    if len(words) == 1 and (Path(words[0]) / "manifest.json").is_file():
        source = RunSource(words[0])
    else:
        source = ListedSource(read_puzzle(words, "symmetry"))
    collection = Collection(source)
    if static is not None:
        from rekkyo.gallery.facts import read_assets
        from rekkyo.gallery.static_site import write_site

        n_solutions = write_site(collection, static, read_assets())
        note(f"{source.puzzle.name}: {n_solutions:,} solutions in {static}; open it through any web server")
        return
    from rekkyo.gallery.serve import serve

    serve(collection, host, port, note)
