"""FlatZinc of the models: with rekkyo's own library, and with Gecode's.

Debian's MiniZinc 2.6.4 has Gecode's library twice. The one that `--solver gecode` takes leaves all_different
and others to MiniZinc's definitions by pairs; `-G gecode_presolver` is the newer one, whose names are those
of Gecode 6.3: 6.2.0 has `gecode_` where these have `fzn_`. Nothing is printed of a solution but a line.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from rekkyo.export.flatzinc.solver_file import FILE_NAME, solver_text

_OUTPUTS = re.compile(r":: *output_(?:var|array\([^)]*\))")
_NAMES = re.compile(r"\bfzn_")


def for_rekkyo(model: Path, folder: Path) -> Path:
    """As `rekkyo count model.mzn` has it."""
    solver = folder / FILE_NAME
    solver.write_text(solver_text(), encoding="utf-8")
    return _flattened(model, folder / f"{model.stem}.fzn", ["--solver", str(solver)])


def for_gecode(model: Path, folder: Path) -> Path:
    """With what Gecode has itself."""
    path = _flattened(model, folder / f"{model.stem}.gecode.fzn", ["-G", "gecode_presolver"])
    text = _OUTPUTS.sub("", path.read_text(encoding="utf-8"))
    path.write_text(_NAMES.sub("gecode_", text), encoding="utf-8")
    return path


def _flattened(model: Path, path: Path, options: list[str]) -> Path:
    command = ["minizinc", "-c", "--no-output-ozn", *options, "--fzn", str(path), str(model)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{model}: {done.stderr}")
    return path
