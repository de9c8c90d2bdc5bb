"""The cache of compiled kernels: keyed by every source that is compiled, and never in the way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import rekkyo
from rekkyo import jit

COUNT = "import rekkyo as rk; print(rk.count(rk.queens(6)).total)"


def count_with_cache_in(folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", COUNT],
        env=os.environ | {jit.CACHE_VARIABLE: str(folder)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.stdout + done.stderr


def test_compiled_kernels_are_kept_where_told(tmp_path: Path) -> None:
    assert count_with_cache_in(tmp_path) == "4\n"
    (folder,) = tmp_path.iterdir()
    assert folder.name == f"kernels-{jit.source_key()}"
    assert list(folder.rglob("*.nbc"))


def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder")
    assert count_with_cache_in(in_the_way) == "4\n"


@pytest.mark.parametrize("damage", ["cut index", "empty index", "empty code"])
def test_a_damaged_cache_only_costs_time_and_is_mended(damage: str, tmp_path: Path) -> None:
    count_with_cache_in(tmp_path)
    ending = "*.nbc" if damage == "empty code" else "*.nbi"
    for path in tmp_path.rglob(ending):
        path.write_bytes(path.read_bytes()[:20] if damage == "cut index" else b"")
    assert count_with_cache_in(tmp_path) == "4\n"
    assert all(path.stat().st_size > 20 for path in tmp_path.rglob("*list_solutions*"))


@pytest.mark.parametrize(
    "part", ["jit.py", "bits.py", "engines/queens_bitmap/kernel.py", "symmetry/kernel.py"]
)
def test_an_edit_in_any_compiled_source_changes_the_key(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "rekkyo"
    shutil.copytree(Path(rekkyo.__file__).parent, package)
    monkeypatch.setattr(jit, "__file__", str(package / "jit.py"))
    before = jit.source_key()
    with (package / part).open("a") as source:
        source.write("# edited\n")
    assert jit.source_key() != before


def test_the_users_own_numba_settings_are_left_alone() -> None:
    before = numba.config.CACHE_DIR
    jit.kernel(rekkyo.verify)
    assert before == numba.config.CACHE_DIR
