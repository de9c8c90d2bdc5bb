"""Models in MiniZinc, flattened by the program `minizinc` with our own library, and then read as FlatZinc.

A MiniZinc model is a program that `minizinc` runs; no part of it is run in Python. Its output goes into a
temporary folder; time and size are bounded.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from rekkyo.errors import BadFile, BadInput, in_short, printable
from rekkyo.export.bounded import decoded, read_bytes
from rekkyo.export.flatzinc.reader import MAX_BYTES, Flat, flat_from_file, flat_puzzle
from rekkyo.export.flatzinc.solver_file import FILE_NAME, solver_text
from rekkyo.model.puzzle import Puzzle
from rekkyo.programs import installed_program

TIME_LIMIT_S = 300.0
DATA_SUFFIXES = (".dzn", ".json")

POLL_S = 0.01


def read_minizinc_file(files: Sequence[Path]) -> Puzzle:
    """The puzzle in a model and the files of its data. Raises BadInput."""
    return flat_puzzle(flat_from_minizinc(files), " ".join(map(str, files)))


def flat_from_minizinc(files: Sequence[Path]) -> Flat:
    """Read a model. files: that of the model, then those of its data. Raises BadInput."""
    with tempfile.TemporaryDirectory(prefix="rekkyo-") as folder:
        return flat_from_file(flattened(files, Path(folder)), annotates=True, model=str(files[0]))


def flatzinc_text(files: Sequence[Path]) -> str:
    """The FlatZinc of a model and its data. Raises BadInput."""
    with tempfile.TemporaryDirectory(prefix="rekkyo-") as folder:
        path = flattened(files, Path(folder))
        return decoded(read_bytes(path, MAX_BYTES), str(path))


def flattened(files: Sequence[Path], folder: Path) -> Path:
    """The file with the FlatZinc of a model, written into a folder."""
    for place, file in enumerate(files):
        shown = printable(str(file))
        if place and file.suffix.lower() not in DATA_SUFFIXES:
            raise BadInput(f"{shown} is not data of a model: its name ends in {' or '.join(DATA_SUFFIXES)}")
        if not file.is_file():
            raise BadInput(f"{shown} does not exist or is not a file; name a model and its data")
    program = installed_program("minizinc")
    if program is None:
        install = "install it (apt install minizinc, or www.minizinc.org)"
        raise BadInput(f"the program minizinc, which flattens models, is not installed; {install}")
    flat_path, solver = folder / f"{files[0].stem}.fzn", folder / FILE_NAME
    solver.write_text(solver_text(), encoding="utf-8", newline="\n")
    # Absolute paths, because a name that begins with a dash would be read as an option.
    names = [str(file.resolve()) for file in files]
    command = [program, "--solver", str(solver), "-c", "--no-output-ozn", "--fzn", str(flat_path), *names]
    said_path = folder / "said.txt"
    with said_path.open("wb") as said:
        try:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        except OSError as problem:
            raise BadInput(f"minizinc cannot be started: {problem.strerror}") from None
        with process:
            trouble = _waited_for(process, (flat_path, said_path))
    if trouble is None and (process.returncode or not flat_path.exists()):
        trouble = f"minizinc says: {_error_message(said_path)}"
    if trouble is not None:
        raise BadFile(f"{printable(str(files[0]))}: {trouble}")
    return flat_path


def _waited_for(process: subprocess.Popen[bytes], written: Sequence[Path]) -> str | None:
    """Wait for minizinc; returns the reason if it had to be stopped."""
    until = time.monotonic() + TIME_LIMIT_S
    try:
        while process.poll() is None:
            if time.monotonic() > until:
                return f"minizinc did not flatten it in {TIME_LIMIT_S:g} seconds; make it smaller"
            if any(path.exists() and path.stat().st_size > MAX_BYTES for path in written):
                return f"minizinc writes more than {MAX_BYTES} bytes; make it smaller"
            time.sleep(POLL_S)
    finally:
        process.kill()  # also after an interruption; it has no effect on a process that has ended
    return None


def _error_message(path: Path) -> str:
    """The error message of minizinc, without warnings before it."""
    text = path.read_text("utf-8", "replace")
    start = text.rfind("Error:")
    return in_short(" ".join(text[max(start, 0) :].split()) or "nothing", 400)
