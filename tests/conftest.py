"""Settings for all tests."""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.browser import browser
from tests.examples import USUAL, n_examples
from tests.marked_files import markers_in, wanted_marker

__all__ = ["browser"]

# Noise where memory was not written yet or was taken back; read when the first array is made.
os.environ["REKKYO_POISON"] = "1"

# The first example of a property compiles kernels; and the machine may be busy.
settings.register_profile(
    "rekkyo", deadline=None, max_examples=n_examples(USUAL), derandomize=bool(os.environ.get("CI"))
)
settings.load_profile("rekkyo")

# What tests compare on standard error must not depend on what was compiled before.
os.environ["REKKYO_QUIET"] = "1"

# Help texts must not depend on the window that the tests run in.
os.environ["COLUMNS"] = "100"

# Commands that compile would each do their work twice.
os.environ["REKKYO_PLAIN"] = "off"

# With Python's own thresholds, looking for cyclic garbage took a tenth of the time to collect tests, and 6 % of theirs.
gc.set_threshold(50_000, 20, 20)

MEMORY = Path("/dev/shm")
ROOM_BYTES = 4 << 30


def _holds_folders_of_tests(folder: Path) -> bool:
    """Whether a folder is in memory, has room, and allows programs."""
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        return False
    facts = os.statvfs(folder)
    return facts.f_bavail * facts.f_frsize >= ROOM_BYTES and not facts.f_flag & os.ST_NOEXEC


# Runs write through to the disk a thousand times, which takes a third of the time of their tests. And deleting an empty
# folder takes 3 ms on a disk: random tests, which make one for each way to ask, waited half of their time.
if _holds_folders_of_tests(MEMORY):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    tempfile.tempdir = os.environ.setdefault("TMPDIR", str(MEMORY))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Importing the files without the marker of `-m` took most of ten seconds, in each process."""
    marker = wanted_marker(config.getoption("markexpr"))
    is_left_out = marker and collection_path.suffix == ".py" and marker not in markers_in(collection_path)
    return True if is_left_out else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Check that no marker would be overlooked, whenever all tests are collected."""
    for item in items:
        hidden = {mark.name for mark in item.iter_markers()} - {"hypothesis", *markers_in(item.path)}
        if hidden:
            raise pytest.UsageError(
                f"{item.nodeid}: write mark.{min(hidden)} here, or in what is imported from tests"
            )


def pytest_collection_finish() -> None:
    """Look for garbage among all that was imported once, and not again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def signals_as_in_a_terminal() -> Iterator[None]:
    """Commands inherit what is ignored, and under `nohup` that is SIGHUP."""
    wanted = [getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.signal(number, signal.default_int_handler) for number in wanted}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def few_digits() -> None:
    """Python reads numbers of so many digits, until the command line asks for more in the same process."""
    sys.set_int_max_str_digits(sys.int_info.default_max_str_digits)


@pytest.fixture(scope="module")
def steps_of_one_level() -> Iterator[None]:
    """Counts by merging pause, and may be saved, after each level, as they do where there are many states."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rekkyo.engines.frontier.walk.MOST_LEVELS", 1)
        yield
