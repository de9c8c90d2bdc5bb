"""The manifest: the facts of a run, written once, after everything else of the directory.

A directory without a manifest holds no run, so a crash during the set-up leaves no incomplete run. The seal
is a SHA-256 of all other facts: it detects accidents. A deliberate change can include a new seal, so the type
and range of every fact are also checked.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rekkyo.errors import BadRun, RunDamaged, RunUnreadable, in_short
from rekkyo.model.puzzle import Published
from rekkyo.safe_files import naming, open_file
from rekkyo.store.json_facts import Names, read_fields, types_of

FORMAT = 2
NAME = "manifest.json"
SEAL = "seal"
MAX_BYTES = 16 << 20
MAX_SHARDS = 10_000_000
MAX_ROW_LENGTH = 1 << 24
FIX = "put back a copy of it"


@dataclass(frozen=True, slots=True)
class Source:
    """The source of the puzzle when a run is resumed.

    kind: "catalog" (text: the words of the catalog), "file" (text: the name of a file in the directory) or
    "given" (text empty: the puzzle was built in Python and must be given again).
    """

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The facts of a run that never change.

    up_to: "none" if the rows of the run are all solutions, else there is one row for each orbit.
    group_order: of the symmetry of `unique`; None if that is not counted.
    optimum: the best value of the puzzle's objective, which all rows have.
    weighted: whether the counts of the shards give a number of solutions only in the final sum.
    plan_version: of the engine. model_hash, plan_hash: see the modules of these names. published: counts that
    were known at the beginning.
    """

    format: int
    puzzle: str
    title: str
    source: Source
    model_hash: str
    engine: str
    up_to: str
    keeps_rows: bool
    row_length: int
    row_bytes_per_value: int
    n_shards: int
    group_order: int | None
    only_representatives: bool
    optimum: int | None
    weighted: bool
    plan_version: int
    plan_hash: str
    created: str
    versions: dict[str, str]
    published: Published | None


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest durably and atomically."""
    facts = asdict(manifest)
    text = json.dumps(facts | {SEAL: seal_of(facts)}, indent=2, ensure_ascii=False) + "\n"
    # A name of a file may have surrogates, for which this writes the escapes of JSON.
    write_durably(folder / NAME, [text.encode(errors="backslashreplace")])


def seal_of(facts: dict[str, Any]) -> str:
    """The SHA-256 of facts, independent of the layout of their JSON."""
    plain = json.dumps(facts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(plain.encode()).hexdigest()


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a run directory. Raises BadRun, RunDamaged, RunUnreadable."""
    path = folder / NAME
    try:
        with open_file(path) as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise BadRun(f"{path} is larger than any manifest; is {folder} the directory of a run?")
        return _checked(path, json.loads(content))
    except (FileNotFoundError, NotADirectoryError):
        raise BadRun(f"{folder} holds no run: there is no {NAME}; begin one with: rekkyo run") from None
    except OSError as problem:
        raise RunUnreadable(f"{path} cannot be read: {problem.strerror}") from None
    except (ValueError, RecursionError):
        raise RunDamaged(f"{path} is damaged: it is not JSON; {FIX}") from None


def _checked(path: Path, facts: Any) -> Manifest:
    number = facts.get("format") if isinstance(facts, dict) else None
    if number != FORMAT:
        shown = in_short(repr(number))
        raise BadRun(
            f"{path}: run format {shown} is not {FORMAT}, the one that this rekkyo reads;"
            " use the rekkyo that wrote it"
        )
    seal = facts.pop(SEAL, None)
    if seal != seal_of(facts):
        raise RunDamaged(f"{path} is damaged: it does not have its seal; {FIX}")
    facts.setdefault("optimum", None)  # earlier runs do not have it
    return Manifest(**read_fields(types_of(Manifest), facts, partial(_wrong, path), _is_sound))


def _wrong(path: Path, names: Names) -> RunDamaged:
    return RunDamaged(f'{path} is damaged: "{names[0]}" is missing or wrong; {FIX}')


RANGES = {
    "n_shards": range(MAX_SHARDS + 1),
    "row_length": range(MAX_ROW_LENGTH + 1),
    "row_bytes_per_value": (1, 2, 4),
}


def _is_sound(names: Names, value: Any) -> bool:
    if type(value) is not int or names[0] == "optimum":
        return True
    if names[0] in RANGES:
        return value in RANGES[names[0]]
    return value > 0 or (value == 0 and names[0] == "published")


def write_durably(path: Path, content: Iterable[bytes | memoryview]) -> None:
    """Write a file atomically, in pieces, so that it survives a power cut."""
    temporary = path.with_name(path.name + ".new")
    try:
        with naming(path), open_file(temporary, "xb") as file:
            for piece in content:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except FileExistsError:
        raise  # this process did not make the file, so it is kept
    except BaseException:
        temporary.unlink(missing_ok=True)  # Ctrl-C may come when it has its new name already
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable, if the system can open a folder. Raises OSError that names it."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with naming(folder):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
