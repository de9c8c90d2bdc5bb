"""The gallery as files: the same rows, drawings and orbits as the server's."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.gallery import static_site
from rekkyo.gallery.collection import Collection
from rekkyo.gallery.facts import atoms_part, puzzle_facts, read_assets
from rekkyo.gallery.source import ListedSource
from rekkyo.gallery.static_site import write_site
from rekkyo.render.search_page import DIGITS


@pytest.mark.second
@pytest.mark.parametrize("words", ["queens 8", "pentominoes 3 20", "hip 4", "queens 3"])
def test_files_hold_everything(tmp_path: Path, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = rk.puzzle(words)
    shape = puzzle.model.row_shape
    n_digits = 2 if shape.n_symbols > 64 else 1
    monkeypatch.setattr(static_site, "FILE_CHARACTERS", 30 * shape.length * n_digits)
    out = tmp_path / "site"
    n_rows = write_site(Collection(ListedSource(puzzle)), out, read_assets())

    def read(name: str) -> object:
        script = (out / f"{name}.js").read_text()
        head = f"(globalThis.rekkyoFacts ??= new Map()).set({json.dumps(name)},"
        assert script.startswith(head)
        assert script.endswith(");\n")
        return json.loads(script.removeprefix(head).removesuffix(");\n"))

    facts = read("puzzle")
    assert isinstance(facts, dict)
    texts = [str(read(f"rows/{k}")) for k in range(-(-n_rows // 30) or 1)]
    digits = [DIGITS.index(digit) for digit in "".join(texts)]
    values = [64 * a + b for a, b in zip(digits[::2], digits[1::2], strict=True)] if n_digits > 1 else digits
    rows = [tuple(values[k : k + shape.length]) for k in range(0, len(values), shape.length)]
    assert sorted(rows) == sorted(rk.solve(puzzle))
    assert facts["rows"] == n_rows
    atoms = [
        atom for k in range(-(-facts["n_atoms"] // facts["atoms_in_part"])) for atom in read(f"atoms/{k}")
    ]  # type: ignore[attr-defined]
    assert len(atoms) == facts["n_atoms"]
    if facts["has_representatives"]:
        numbers = read("representatives")
        assert sorted(rows[n] for n in numbers) == sorted(rk.solve(puzzle, up_to="symmetry"))  # type: ignore[attr-defined]
        assert len(read("group")) == facts["group_order"]  # type: ignore[arg-type]
    assert 'content="static"' in (out / "index.html").read_text()


def test_the_page_needs_nothing_that_a_browser_keeps_from_files(tmp_path: Path) -> None:
    """Opened from a folder, a page may neither load modules nor fetch."""
    write_site(Collection(ListedSource(rk.queens(4))), tmp_path / "site", read_assets())
    page = (tmp_path / "site" / "index.html").read_text()
    script = (tmp_path / "site" / "assets" / "gallery.js").read_text()
    assert 'type="module"' not in page
    assert "script-src 'self' file:" in page
    assert "connect-src 'none'" in page
    assert re.findall(r"^(?:import|export)\b.*", script, re.MULTILINE) == []
    assert {path.suffix for path in (tmp_path / "site").rglob("*")} <= {"", ".js", ".css", ".svg", ".html"}
    assert (tmp_path / "site" / "search.html").is_file()
    for address in re.findall(r'(?:src|href)="([^"]*)"', page):
        assert (tmp_path / "site" / address).is_file(), address


def test_a_folder_that_is_taken(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep")
    with pytest.raises(BadInput, match="is in use; name a new folder"):
        write_site(Collection(ListedSource(rk.queens(4))), tmp_path, {})
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_failure_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_site, "kind_facts", None)
    with pytest.raises(TypeError):
        write_site(Collection(ListedSource(rk.queens(4))), tmp_path / "site", {})
    assert not list(tmp_path.iterdir())


def test_too_many_solutions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_site, "MAX_SOLUTIONS", 91)
    with pytest.raises(BadInput, match="at most 91 solutions, not 92"):
        write_site(Collection(ListedSource(rk.queens(8))), tmp_path / "site", {})
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    "puzzle",
    [
        rk.puzzle("dominoes 1 1"),
        rk.packing("#", "II", lattice="cube", filled=False, times={"I": (0, None)}, name="one cube"),
        rk.Puzzle("no option", rk.ExactCover(("a", "b"), (), ()), "No option"),
    ],
    ids=lambda puzzle: puzzle.name,
)
def test_nothing_is_drawn_for_the_atom_of_a_model_without_options(tmp_path: Path, puzzle: rk.Puzzle) -> None:
    """Its rows have one value, which is the number of no option."""
    collection = Collection(ListedSource(puzzle))
    assert write_site(collection, tmp_path / "site", read_assets()) == rk.count(puzzle).total
    assert puzzle_facts(collection)["n_atoms"] == 1
    assert atoms_part(collection, 0) == [[(), ()]]
    assert collection.kinds.at == {}
