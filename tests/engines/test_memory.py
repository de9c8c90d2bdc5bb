"""The memory that a search may use: from the environment, the machine or its container, and what engines say beyond it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.engines import memory
from rekkyo.engines.memory import memory_bytes, size_in_words
from rekkyo.engines.registry import engine_named
from rekkyo.errors import BadInput, EngineRefuses

GB = 1 << 30


@pytest.fixture(autouse=True)
def large_machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    monkeypatch.setattr(memory, "LIMITS", ())
    monkeypatch.setattr(os, "sysconf", {"SC_PHYS_PAGES": 1 << 24, "SC_PAGE_SIZE": 1 << 12}.__getitem__)
    memory._default_bytes.cache_clear()
    yield
    memory._default_bytes.cache_clear()


def test_four_gigabytes_or_half_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    assert memory_bytes() == 4 * GB
    monkeypatch.setattr(os, "sysconf", {"SC_PHYS_PAGES": 1 << 19, "SC_PAGE_SIZE": 1 << 12}.__getitem__)
    assert memory_bytes() == 4 * GB, "read once"
    memory._default_bytes.cache_clear()
    assert memory_bytes() == 1 * GB


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (f"{3 * GB}\n", 3 * GB // 2),
        ("max\n", 4 * GB),
        ("9223372036854771712\n", 4 * GB),
        ("", 4 * GB),
        ("\xff", 4 * GB),
    ],
)
def test_half_of_the_container(
    content: str, expected: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memory.max").write_text(content, encoding="latin-1")
    monkeypatch.setattr(memory, "LIMITS", (str(tmp_path / "missing"), str(tmp_path / "memory.max")))
    assert memory_bytes() == expected


def test_a_system_that_does_not_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sysconf")
    assert memory_bytes() == 4 * GB


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [("16G", 16 * GB), ("500M", 500 << 20), (" 2GiB ", 2 * GB), ("1tb", 1 << 40), ("", 4 * GB)],
)
def test_the_environment_decides(wanted: str, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(memory.VARIABLE, wanted)
    assert memory_bytes() == expected


@pytest.mark.parametrize("wanted", ["lots", "16", "0G", "-1G", "1.5G", "1e3M", "G", "٣G", "9999999T"])
@pytest.mark.parametrize("engine", ["cover-frontier", "cover-memo", "csp-frontier", "csp-values"])
def test_a_size_that_cannot_be_read(wanted: str, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(memory.VARIABLE, wanted)
    words = "hip 3" if engine.startswith("csp") else "dominoes 2 2"
    with pytest.raises(BadInput, match=r"REKKYO_MEMORY is a size such as 16G or 500M, not '.+'"):
        rk.count(rk.puzzle(words), engine=engine)


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        ("cover-frontier", "pentominoes 6 10"),
        ("cover-memo", "pentominoes 6 10"),
        ("csp-frontier", "hip 8 --any-balance"),
        ("csp-values", "hip 8 --any-balance"),
    ],
)
def test_an_engine_that_needs_more_says_what_allows_it(
    engine: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(memory.VARIABLE, "1M")
    with pytest.raises(EngineRefuses, match=r"more than 1 MB .*, or allow more with REKKYO_MEMORY$"):
        rk.count(rk.puzzle(words), engine=engine, up_to="none")


def test_a_diagram_has_the_same_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(memory.VARIABLE, "1M")
    with pytest.raises(EngineRefuses, match="more than 1 MB"):
        rk.diagram(rk.puzzle("dominoes 12 12"))
    assert (
        rk.diagram(rk.puzzle("dominoes 12 12"), most_bytes=1 << 28).count == 53060477521960000
    )  # OEIS A004003


def test_a_limit_of_its_own_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engines of the registry follow the environment."""
    monkeypatch.setenv(memory.VARIABLE, "1M")
    assert engine_named("csp-frontier").most_bytes == 1 << 20
    assert type(engine_named("csp-frontier"))(most_bytes=7).most_bytes == 7


@pytest.mark.parametrize(
    ("n_bytes", "words"),
    [
        (2048 * GB, "2,048 GB"),
        (1000 * GB, "1,000 GB"),
        (4 * GB, "4 GB"),
        (3 * GB // 2, "1.5 GB"),
        (GB - 1, "1,024 MB"),
        (1000 << 20, "1,000 MB"),
        (16 << 20, "16 MB"),
        (1 << 19, "0.5 MB"),
        (0, "0 MB"),
    ],
)
def test_sizes_in_words(n_bytes: int, words: str) -> None:
    assert size_in_words(n_bytes) == words
