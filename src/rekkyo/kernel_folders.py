"""The folders of compiled kernels: one of the user, and one in the package, which a wheel may fill.

    REKKYO_CACHE_DIR or the user's cache folder / kernels-<versions and switches> / *.kernel
    rekkyo/kernels / <level> / kernels-<versions and switches> / *.kernel

Needs no compiler, so that a command may look here before it has loaded one.
"""

from __future__ import annotations

import os
from pathlib import Path

CACHE_VARIABLE = "REKKYO_CACHE_DIR"
PACKAGE = Path(__file__).resolve().parent
SHIPPED = "kernels"
"""The folder inside the package for kernels that a wheel holds."""

FOLDER_BEGIN = "kernels-"
SUFFIX = ".kernel"


def user_folder() -> Path:
    """The parent of the user's folders of kernels."""
    if root := os.environ.get(CACHE_VARIABLE):
        return Path(root)
    from platformdirs import user_cache_path

    return user_cache_path("rekkyo", appauthor=False)


def none_are_kept() -> bool:
    """Whether no kernel is stored. If False, the stored kernels may still be of another version."""
    return not (PACKAGE / SHIPPED).is_dir() and not any(user_folder().glob(f"{FOLDER_BEGIN}*/*{SUFFIX}"))
