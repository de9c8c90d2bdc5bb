"""Runs as programs of their own, to be killed: what the tests of crashes and clusters share."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

import rekkyo as rk
from rekkyo.store.reader import RunReader
from tests import programs
from tests.programs import REKKYO, Program


def begin(*words: str | Path, **settings: Any) -> subprocess.Popen[str]:
    """Start a command and come back at once."""
    return Program([*REKKYO, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **settings)


def outcome(process: subprocess.Popen[str], within_s: float = 120) -> tuple[int, str, str]:
    """Wait for the end: exit code, output, complaints."""
    with process:
        output, complaint = process.communicate(timeout=within_s)
    assert "Traceback" not in complaint, complaint
    return process.returncode, output, complaint


def rekkyo(*words: str | Path) -> tuple[int, str, str]:
    """Run a command to its end."""
    done = programs.rekkyo(*words)
    return done.returncode, done.stdout, done.stderr


def facts(folder: Path) -> dict[str, Any]:
    """What `status` knows."""
    return asdict(rk.Run(folder).status())


def result_of(folder: Path) -> tuple[Any, ...]:
    """Everything that must not depend on how a run went: state, counts, digest, nodes and every row in order."""
    known = facts(folder)
    with closing(RunReader(folder)) as reader:
        rows = np.concatenate(list(reader.rows()))
    keys = ("state", "total", "unique", "digest", "nodes", "shards", "shards_done", "rows_stored")
    return (*(known[key] for key in keys), rows.tobytes())


def has_begun(folder: Path) -> bool:
    """Whether a run has its first finished shards."""
    return (folder / "manifest.json").is_file() and rk.Run(folder).status().shards_done > 0


def wait_for(is_so: Callable[[], bool], within_s: float = 60) -> None:
    """Look again and again until something is so."""
    deadline = time.monotonic() + within_s
    while not is_so():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
