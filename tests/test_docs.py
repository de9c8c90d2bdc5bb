"""The documentation builds without a warning, notebooks executed, its pictures are those that its script makes, and the reference
has every public name."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo import errors
from rekkyo.catalog.index import ENTRIES
from rekkyo.engines.registry import all_engines

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.second
def test_pages_build_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    done = subprocess.run(
        [*command, DOCS, tmp_path / "html", "-d", tmp_path / "cache"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr  # -W: a warning ends it; kernels of notebooks may talk
    assert (tmp_path / "html" / "index.html").exists()
    for notebook in (DOCS / "notebooks").glob("*.ipynb"):
        page = (tmp_path / "html" / "notebooks" / notebook.name).with_suffix(".html")
        text = page.read_text(encoding="utf-8")
        n_cells = sum(
            cell["cell_type"] == "code" for cell in json.loads(notebook.read_text("utf-8"))["cells"]
        )
        assert text.count("cell_input docutils") == n_cells
        assert n_cells - 2 <= text.count("cell_output docutils") <= n_cells
        assert ".svg" in text


@pytest.mark.second
def test_pictures_are_what_the_script_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS / "pictures"))
    pictures = importlib.import_module("make").PICTURES
    committed = {path.stem: path.read_text(encoding="utf-8") for path in (DOCS / "pictures").glob("*.svg")}
    assert {name: draw() for name, draw in pictures.items()} == committed, "python docs/pictures/make.py"


def test_the_first_page_shows_every_family(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS / "pictures"))
    shown = {asked.split()[0] for asked in importlib.import_module("families").FAMILIES}
    assert shown == {entry.name for entry in ENTRIES} - {"polysticks"}


def test_every_picture_is_shown_somewhere() -> None:
    pages = [*DOCS.rglob("*.md"), DOCS.parent / "README.md"]
    shown = {
        name for page in pages for name in re.findall(r"([\w-]+)\.svg\)", page.read_text(encoding="utf-8"))
    }
    assert {path.stem for path in (DOCS / "pictures").glob("*.svg")} - shown == set()


def test_the_reference_has_every_public_name() -> None:
    text = (DOCS / "reference.md").read_text(encoding="utf-8")
    documented = {name.split(".")[-1] for name in re.findall(r"^\.\. auto\w+:: ([\w.]+)", text, re.MULTILINE)}
    elsewhere = {"__version__", *vars(errors)}  # the errors are there as the members of their module
    assert set(rk.__all__) - documented <= elsewhere
    examples = "".join(re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    shown = set(re.findall(r"\brk\.(\w+)", examples))
    assert set(rk.__all__) - shown <= elsewhere - {"RekkyoError"}


def test_the_first_screen_of_help_has_every_public_name() -> None:
    text = rk.__doc__ or ""
    assert len(text.splitlines()) <= 24 - 5  # of pydoc's own
    assert max(len(line) for line in text.splitlines()) <= 80 - 4  # indented by pydoc
    assert set(rk.__all__) - set(re.findall(r"\w+", text)) <= {"__version__", *vars(errors)}


def test_every_engine_is_explained() -> None:
    text = (DOCS / "engines.md").read_text(encoding="utf-8")
    explained = [part.split("\n", 1) for part in text.split("\n## ")[1:]]
    for engine in all_engines():
        told = [body for heading, body in explained if f"`{engine.name}`" in heading + body]
        assert any("```" in body or "![" in body for body in told), engine.name


def test_docstrings_become_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    marked_up = importlib.import_module("plain_docstrings").marked_up
    docstring = ["What `f` does.", "", "a, b: two.", "    Both odd. c: one. Raises BadInput."]
    assert [line for line in marked_up(docstring) if line] == [
        "What ``f`` does.",
        "* **a**, **b**: two. Both odd.",
        "* **c**: one.",
        "Raises BadInput.",
    ]
