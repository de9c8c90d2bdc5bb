"""The bundles in results/: complete, small, what they say of themselves, and counted again."""

from __future__ import annotations

import importlib
from types import ModuleType

import pytest

import rekkyo as rk
from rekkyo.runs.bundle import FACTS, MOST_BYTES, SUMS, read_facts
from tests.pages import ROOT

RESULTS = ROOT / "results"
NAMES = sorted(path.parent.name for path in RESULTS.glob(f"*/{FACTS}"))


@pytest.fixture
def remake(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(RESULTS))
    return importlib.import_module("remake")


def test_there_are_ten_and_nothing_else() -> None:
    assert len(NAMES) >= 10
    assert {path.name for path in RESULTS.iterdir() if path.is_dir()} - {*NAMES, "__pycache__"} == set()


def test_the_page_is_what_the_script_makes(remake: ModuleType) -> None:
    assert (ROOT / "docs" / "results.md").read_text(encoding="utf-8") == remake.page(), (
        "python results/remake.py"
    )


@pytest.mark.parametrize("name", NAMES)
def test_files_are_what_the_script_makes(name: str, remake: ModuleType) -> None:
    folder = RESULTS / name
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    assert files.keys() >= {FACTS, SUMS, "README.md", "CITATION.cff", "picture.svg"}
    content = {at: path.read_bytes() for at, path in files.items()}
    assert content == remake.files_of(folder), "python results/remake.py"
    assert sum(map(len, content.values())) <= MOST_BYTES


@pytest.mark.parametrize("name", NAMES)
def test_every_term_is_counted_twice(name: str) -> None:
    bundle = read_facts((RESULTS / name / FACTS).read_bytes())
    assert bundle.known
    assert all(term.is_counted_twice for term in bundle.terms)


def counted_again(name: str, limit_s: float) -> list[str]:
    """The terms of a bundle that were counted again, all right."""
    found = rk.check_bundle(RESULTS / name, limit_s=limit_s)
    assert found.passed, [check for check in found.checks if check.passed is False]
    sizes = {term.source.text for term in read_facts((RESULTS / name / FACTS).read_bytes()).terms}
    return [check.what for check in found.checks if check.what in sizes and check.passed]


@pytest.mark.second
@pytest.mark.parametrize("name", NAMES)
def test_small_terms_are_counted_again(name: str) -> None:
    assert counted_again(name, limit_s=0.3)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_what_takes_less_than_ten_minutes_is_counted_again(name: str) -> None:
    n_terms = len(read_facts((RESULTS / name / FACTS).read_bytes()).terms)
    assert len(counted_again(name, limit_s=600)) == n_terms
