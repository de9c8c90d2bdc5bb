"""The folders of compiled kernels: one of the user, and one in the package, which a wheel may fill.

    REKKYO_CACHE_DIR (an absolute path, or one that begins with ~) or the user's cache folder
        / kernels-<versions and switches> / *.kernel
    rekkyo/kernels / <level> / kernels-<versions and switches> / *.kernel

Needs no compiler, so that a command may look here before it has loaded one.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from functools import cache
from pathlib import Path

from rekkyo.errors import printable

LOG = logging.getLogger("rekkyo")

CACHE_VARIABLE = "REKKYO_CACHE_DIR"
PACKAGE = Path(__file__).resolve().parent
SHIPPED = "kernels"
"""The folder inside the package for kernels that a wheel holds."""

FOLDER_BEGIN = "kernels-"
SUFFIX = ".kernel"


def user_folder() -> Path | None:
    """The parent of the user's folders of kernels; None, with a warning, if its name is relative.

    A relative name would lead into the current folder, which may be a stranger's, and kernels are executed.
    """
    root, setting = os.environ.get(CACHE_VARIABLE), CACHE_VARIABLE
    if not root:
        from platformdirs import user_cache_dir

        root, setting = user_cache_dir("rekkyo", appauthor=False), "XDG_CACHE_HOME"
    folder = Path(os.path.expanduser(root))
    if folder.is_absolute():
        return folder
    _warn_of(root, setting)
    return None


@cache
def _warn_of(root: str, setting: str) -> None:
    shown = printable(root)
    LOG.warning("no compiled kernels are kept: %s is not an absolute path; set %s to one", shown, setting)


def none_are_kept() -> bool:
    """Whether no kernel is stored. If False, the stored kernels may still be of another version."""
    own, is_empty = user_folder(), True
    with suppress(OSError):  # a folder that this user cannot reach holds none
        is_empty = own is None or not any(own.glob(f"{FOLDER_BEGIN}*/*{SUFFIX}"))
    return is_empty and not (PACKAGE / SHIPPED).is_dir()
