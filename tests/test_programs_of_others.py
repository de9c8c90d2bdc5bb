"""Programs of others are looked for in the absolute folders of PATH, and nowhere else."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from rekkyo.programs import installed_program

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs without a suffix")


def program_in(folder: Path) -> str:
    folder.mkdir()
    (folder / "tool").write_text("#!/bin/sh\n")
    (folder / "tool").chmod(0o755)
    return str(folder / "tool")


def test_relative_folders_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign, installed = program_in(tmp_path / "here"), program_in(tmp_path / "bin")
    monkeypatch.chdir(tmp_path / "here")
    for relative in ("", ".", "./", os.path.join("..", "here")):
        monkeypatch.setenv("PATH", os.pathsep.join((relative, str(tmp_path / "bin"))))
        assert installed_program("tool") == installed
        monkeypatch.setenv("PATH", relative)
        assert installed_program("tool") is None
    monkeypatch.setenv("PATH", os.path.dirname(foreign))
    assert installed_program("tool") == foreign, "a folder that the user has named is not a stranger's"


def test_a_program_that_the_system_finds_in_the_current_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, whatever PATH is."""
    monkeypatch.setattr("shutil.which", lambda name, path: os.path.join(".", name))
    assert installed_program("tool") is None
