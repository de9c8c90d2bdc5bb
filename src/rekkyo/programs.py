"""Programs of others, found by their names."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def installed_program(name: str) -> str | None:
    """The absolute path of a program; None if no folder of PATH has it.

    Relative folders of PATH are left out, and on Windows so is the current folder, where programs are looked
    for first: a stranger's folder may be the current one, and a program in it would be executed.
    """
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    found = shutil.which(name, path=os.pathsep.join(filter(_is_absolute, folders)))
    return found if found is not None and _is_absolute(found) else None


def _is_absolute(path: str) -> bool:
    return Path(path).is_absolute()
