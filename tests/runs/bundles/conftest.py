"""Runs, the bundle that is published from them, and a copy of the bundle for each test."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import rekkyo as rk
from tests.runs.bundles.changing import FAMILY, SIZES, STATEMENT


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Runs that merged, and a recount of each."""
    home = tmp_path_factory.mktemp("runs")
    (home / "mixed.toml").write_text(FAMILY)
    folders = {}
    for n in SIZES:
        folders[n] = home / f"run-{n}"
        puzzle = rk.puzzle_from_file(home / "mixed.toml", n)
        rk.run(puzzle, folders[n], engine="cover-frontier", up_to="symmetry", count_only=True, workers=1)
        assert rk.Run(folders[n]).recount(engine="cover-memo", workers=1).agrees
    rk.certify_count(rk.puzzle_from_file(home / "mixed.toml", 3), home / "certificate-3")
    return folders


@pytest.fixture(scope="session")
def original(runs: dict[int, Path]) -> Path:
    folder = runs[2].parent / "bundle"
    folders = [*runs.values(), runs[2].parent / "certificate-3"]
    rk.publish(folders[::-1], folder, statement=STATEMENT, known="Looked up nowhere.")
    return folder


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    return shutil.copytree(original, tmp_path / "bundle")
