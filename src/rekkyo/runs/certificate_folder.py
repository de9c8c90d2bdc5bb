"""A new folder (of a certificate, or a bundle): written beside its place, and moved there atomically.

Certificates are sealed before that.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from rekkyo.errors import BadInput, RekkyoError
from rekkyo.model.puzzle import Puzzle
from rekkyo.runs.certificate import (
    FACTS,
    MOST_BYTES,
    SUMS,
    Certificate,
    CountCertificate,
    Facts,
    facts_text,
    sums_text,
)
from rekkyo.runs.puzzle_source import source_of
from rekkyo.safe_files import draft_of, naming, path_of


class NoProof(RekkyoError):
    """There is no proof: it was not found in time, is too large, or cannot be checked."""


def check_unused(folder: str | Path) -> None:
    """Raise BadInput unless a new folder may be written there, or where a link of that name leads."""
    target = _behind_links(folder)
    if os.path.lexists(target) and (not target.is_dir() or any(target.iterdir())):
        raise BadInput(f"{folder} is in use; name a new folder")
    if target == Path.cwd():
        raise BadInput(f"{folder} is the current folder, which cannot be replaced; name a new folder")
    # On Windows even the drive may be missing.
    above = next(filter(os.path.lexists, target.parents), target.parent)
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise BadInput(f"{folder} cannot be made: {above} is not a folder that you may write; name another")


def _behind_links(folder: str | Path) -> Path:
    """The folder that is meant by the name of a link, which may not be there yet. The link stays."""
    return Path(os.path.realpath(path_of(folder)))


@contextmanager
def drafted(folder: str | Path) -> Iterator[Path]:
    """A folder to write into, which is renamed to `folder` at the end, if there is no error."""
    check_unused(folder)
    target = _behind_links(folder)
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = draft_of(target)
    try:
        with naming(target, draft):
            draft.mkdir(0o700)
        with naming(target):
            yield draft
        for path in draft.rglob("*"):
            if path.is_file():
                with naming(target), path.open("r+b") as file:
                    os.fsync(file.fileno())
        draft.chmod(0o777 & ~_umask())
        with naming(target, draft):
            if sys.platform == "win32" and target.exists():
                target.rmdir()  # it is empty; other systems replace it, so that a failure leaves it there
            os.replace(draft, target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def write_readme(draft: Path, kind: str, **facts: object) -> None:
    """Write README.txt, which says how to check a certificate by hand. kind: a file of `readmes`."""
    text = files("rekkyo.runs").joinpath("readmes", f"{kind}.txt").read_text(encoding="utf-8")
    (draft / "README.txt").write_bytes(text.format(**facts).encode("utf-8", "replace"))


def seal(draft: Path, certificate: Certificate | CountCertificate, puzzle: Puzzle) -> None:
    """Add a copy of the puzzle's file, and the hashes of all files."""
    source, copies = source_of(puzzle)
    for name, content in copies.items():
        (draft / name).write_bytes(content)
    hashes = {path.name: _sha256(path) for path in draft.iterdir()}
    (draft / FACTS).write_bytes(facts_text(Facts(certificate, source, hashes)))
    (draft / SUMS).write_bytes(sums_text(hashes | {FACTS: _sha256(draft / FACTS)}))


def _sha256(path: Path) -> str:
    if path.stat().st_size > MOST_BYTES:
        raise NoProof(f"{path.name} has more than {MOST_BYTES:,} bytes, too many for a certificate")
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
