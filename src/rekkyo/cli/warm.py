"""`rekkyo warm`."""

from __future__ import annotations

import click

from rekkyo.cli.options import rekkyo
from rekkyo.cli.streams import note
from rekkyo.errors import RekkyoError


@rekkyo.command("warm", short_help="Compile all search kernels now.")
def warm_command() -> None:
    """Compile the search kernels of all engines now, instead of at the first use of each.

    They are kept in your cache folder, or in REKKYO_CACHE_DIR; a new version of rekkyo, Numba or Python
    compiles anew. Several processes may do this at once. Good for images of containers and for clusters.

    \b
    rekkyo warm
    REKKYO_CACHE_DIR=/opt/rekkyo-kernels rekkyo warm
    """
    from rekkyo.ask.warm import warm
    from rekkyo.kernel_cache import CACHE_VARIABLE, cache_folder, keeps_kernels

    folder = cache_folder()
    if folder is None or not keeps_kernels():
        raise RekkyoError(
            f"there is no folder that can be written for compiled kernels; set {CACHE_VARIABLE}"
        )
    compile_s = 0.0
    for engine in warm():
        how = f"compiled in {engine.compile_s:.1f} s" if engine.n_functions else "compiled before"
        click.echo(f"{engine.engine:18} {how}")
        compile_s += engine.compile_s
    note(f"{compile_s:.1f} s of compiling; kept in {folder}")
