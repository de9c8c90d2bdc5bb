"""A run and an index that tests change."""

from __future__ import annotations

from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.store.index import Index
from tests.store.indexes import SHARDS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rk.run(rk.queens(8), tmp_path / "run", workers=2)
    return tmp_path / "run"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    Index.create(tmp_path / "index.sqlite", SHARDS).close()
    return tmp_path / "index.sqlite"
