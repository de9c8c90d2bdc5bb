"""The manifest: what a run is about, written once, when everything else of the directory is there.

A directory without a manifest holds no run, so a crash while a run is set up leaves nothing half made.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from rekkyo.errors import BadRun
from rekkyo.model.puzzle import Published

FORMAT = 1
NAME = "manifest.json"
MAX_BYTES = 256 << 20


@dataclass(frozen=True, slots=True)
class Source:
    """Where the puzzle comes from when the run goes on without it.

    kind: "catalog" (text: the words of the catalog), "file" (text: the name of a file in the directory) or
    "given" (text empty: the puzzle was built in Python and must be given again).
    """

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The facts of a run that never change.

    up_to: "none" when the rows of the run are all solutions, else they are one for each orbit.
    group_order: of the symmetry that `unique` is about; None when that is not counted.
    weighted: whether the counts of the shards become solutions only all together.
    model_hash, plan_hash: see `rekkyo.runs.plan_hash`. published: counts that were known when it began.
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
    weighted: bool
    plan_hash: str
    created: str
    versions: dict[str, str]
    published: Published | None


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest durably, whole or not at all."""
    text = json.dumps(asdict(manifest), indent=2, ensure_ascii=False) + "\n"
    write_durably(folder / NAME, text.encode())


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a run directory. Raises BadRun."""
    path = folder / NAME
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadRun(f"{path} is larger than any manifest; is {folder} the directory of a run?")
        facts = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise BadRun(f"{folder} holds no run: there is no {NAME}; begin one with: rekkyo run") from None
    except OSError as problem:
        raise BadRun(f"{path} cannot be read: {problem.strerror}") from None
    except (ValueError, RecursionError):
        raise BadRun(f"{path} is damaged: it is no JSON; put back a copy of it") from None
    return _checked(path, facts)


def _checked(path: Path, facts: Any) -> Manifest:
    number = facts.get("format") if isinstance(facts, dict) else None
    if number != FORMAT:
        raise BadRun(
            f"{path}: run format {number!r} is not {FORMAT}, the one that this rekkyo reads;"
            " use the rekkyo that wrote it"
        )
    source = facts.get("source")
    if not (isinstance(source, dict) and source.keys() == {"kind", "text"}):
        raise BadRun(f'{path} is damaged: "source" is missing or wrong; put back a copy of it')
    facts = facts | {"source": Source(str(source["kind"]), str(source["text"]))}
    known = facts.get("published")
    if isinstance(known, dict) and known.keys() == {"total", "unique", "source"}:
        facts["published"] = Published(**known)
    for field in fields(Manifest):
        if field.name not in facts or not _fits(facts[field.name], str(field.type)):
            raise BadRun(f'{path} is damaged: "{field.name}" is missing or wrong; put back a copy of it')
    return Manifest(**{field.name: facts[field.name] for field in fields(Manifest)})


def _fits(value: Any, annotation: str) -> bool:
    kinds: dict[str, type | tuple[type, ...]] = {
        "int": int,
        "str": str,
        "bool": bool,
        "Source": Source,
        "int | None": (int, type(None)),
        "dict[str, str]": dict,
        "Published | None": (Published, type(None)),
    }
    return isinstance(value, kinds[annotation]) and not (annotation == "int" and isinstance(value, bool))


def write_durably(path: Path, content: bytes) -> None:
    """Put a file in place, whole or not at all, so that it survives a power cut."""
    temporary = path.with_name(path.name + ".new")
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable, where the system lets a folder be opened."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
