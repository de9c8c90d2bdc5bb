"""Words that a shell completes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from rekkyo.cli.main import rekkyo as command
from rekkyo.engines.determinants.matchings import CoverDeterminant


def completed(*words: str) -> list[str]:
    """The completions of the last word."""
    shell = ShellComplete(command, {}, "rekkyo", "_REKKYO_COMPLETE")
    return [item.value for item in shell.get_completions([*words[:-1]], words[-1])]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["coun"], ["count"]),
        (["count", "qu"], ["queens"]),
        (["count", "queens", "8", "--engine", "queens-b"], ["queens-bitmap"]),
        (["count", "queens", "8", "--blocked", "0,0", "--engine", "queens-b"], ["queens-bitmap"]),
        (["count", "queens", "8", "--blockd", "0,0", "--up-to", ""], ["symmetry", "none"]),  # no such option
        (["count", "--engine", "sum-j"], ["sum-join"]),
        (["count", "queens", "8", "--engine", "sum-j"], []),
        (["count", "queens", "8", "--up-to", "torus"], ["torus", "torus-similar"]),
        (["count", "sudoku", "--up-to", ""], ["symmetry", "none", "essentially-different"]),
        (["count", "--up-to", ""], ["symmetry", "none"]),
        (["bfile", "hip", "4", "--up-to", "s"], ["symmetry"]),
        (["solve", "queens", "6", "--format", "b"], ["board"]),
        (["export", "queens", "6", "--to", "p"], ["parquet"]),
        (["draw", "queens", "6", "--theme", "d"], ["dark"]),
    ],
)
def test_words(words: list[str], found: list[str]) -> None:
    assert completed(*words) == found


def test_engines_of_a_puzzle_file(tmp_path: Path) -> None:
    """A file that cannot be read, or is no puzzle, leaves all engines."""
    file = tmp_path / "tiles.toml"
    every = completed("count", "--engine", "")
    for text in ("", "kind = 'packing'\n", "\x00"):
        file.write_text(text)
        assert completed("count", str(file), "--engine", "") == every
    file.write_text("kind = 'packing'\nboard = '''\n##\n'''\npieces = '''\n##\n'''\n")
    assert "cover-bitset" in completed("count", str(file), "--engine", "") < every


def test_engines_are_not_asked_for_a_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one for matchings would import networkx to see whether the graph is planar."""
    monkeypatch.setattr(CoverDeterminant, "can_plan", lambda *_: pytest.fail("it was asked"))
    assert completed("count", "dominoes", "4", "4", "--engine", "cover-de") == ["cover-determinant"]


def test_files_where_no_puzzle_begins_like_this() -> None:
    shell = ShellComplete(command, {}, "rekkyo", "_REKKYO_COMPLETE")
    assert [item.type for item in shell.get_completions(["count"], "./mi")] == ["file"]
    assert [item.type for item in shell.get_completions(["count", "queens"], "8")] == ["file"]
