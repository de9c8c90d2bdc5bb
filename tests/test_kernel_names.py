"""The names of the files of compiled kernels: they depend on everything that determines the code."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import rekkyo
from rekkyo import kernel_cache
from rekkyo.kernel_cache import KernelCache, Places
from rekkyo.kernel_compiler import KernelCompiler


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sources, which a test may edit."""
    copied = shutil.copytree(Path(rekkyo.__file__).parent, tmp_path / "rekkyo")
    monkeypatch.setattr(kernel_cache, "PACKAGE", copied)
    return copied


def key_after_edit(package: Path, kernel: str, edited: str) -> tuple[str, str]:
    before = fresh_key(package / kernel)
    with (package / edited).open("a") as source:
        source.write("# edited\n")
    return before, fresh_key(package / kernel)


def fresh_key(path: Path) -> str:
    kernel_cache.source_key.cache_clear()
    kernel_cache._source.cache_clear()
    return kernel_cache.source_key(str(path))


@pytest.mark.parametrize(
    ("kernel", "edited"),
    [
        ("engines/queens/bitmap/kernel.py", "engines/queens/bitmap/kernel.py"),
        ("engines/queens/bitmap/kernel.py", "jit.py"),
        ("engines/queens/bitmap/kernel.py", "bits.py"),
        ("engines/covers/bitset/kernel_search.py", "engines/covers/bitset/kernel_frame.py"),
        ("engines/covers/bitset/kernel_search.py", "bits.py"),
        ("export/kernel.py", "jit.py"),
    ],
)
def test_an_edit_in_a_source_that_is_imported_changes_the_key(
    kernel: str, edited: str, package: Path
) -> None:
    before, after = key_after_edit(package, kernel, edited)
    assert before != after


@pytest.mark.parametrize(
    ("kernel", "edited"),
    [
        ("engines/queens/bitmap/kernel.py", "engines/covers/bitset/kernel_frame.py"),
        ("engines/covers/bitset/kernel_search.py", "engines/queens/bitmap/kernel.py"),
        ("engines/colorings/masks/kernel.py", "symmetry/kernel.py"),
        ("symmetry/kernel.py", "search/search.py"),
    ],
)
def test_an_edit_in_another_engine_does_not(kernel: str, edited: str, package: Path) -> None:
    before, after = key_after_edit(package, kernel, edited)
    assert before == after


def name_of_file(
    signature: object = "f(int64)", processor: tuple[str, ...] = ("linux", "cpu", "+sse")
) -> str:
    """The name of the user's file for a function, for a signature and a processor."""
    cache = KernelCache(Places(Path("kernels")), name_of_file, KernelCompiler)
    return cache._names(signature, SimpleNamespace(magic_tuple=lambda: processor))[0]


def test_the_name_of_a_file_depends_on_what_determines_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code of edited sources, or for another processor, must not be found."""
    names = [
        name_of_file(),
        name_of_file("f(uint64)"),
        *(name_of_file(processor=other) for other in (("linux", "cpu", "+avx"), ("linux", "other", "+sse"))),
    ]
    monkeypatch.setattr(kernel_cache, "source_key", lambda _: "edited")
    names.append(name_of_file())
    assert len({*names}) == 5


@pytest.mark.parametrize("switch", ["BOUNDSCHECK", "OPT"])
def test_the_folder_depends_on_switches_of_numba(switch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_cache, "config", SimpleNamespace(BOUNDSCHECK=0, OPT=3))
    before = kernel_cache._name_of_folder()
    monkeypatch.setattr(kernel_cache.config, switch, "another")
    assert kernel_cache._name_of_folder() != before


def test_every_import_of_every_source_is_found() -> None:
    """By Python's own parser."""
    for path in kernel_cache.PACKAGE.rglob("*.py"):
        assert imports_by_parser(path) <= set(map(Path, kernel_cache._source(str(path))[1])), path


def imports_by_parser(path: Path) -> set[Path]:
    names: set[str] = set()
    for node in statements_of(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    ours = [kernel_cache.PACKAGE.joinpath(*name.split(".")[1:]) for name in names if is_of_rekkyo(name)]
    files = {file for place in ours for file in (place.with_suffix(".py"), place / "__init__.py")}
    return {file for file in files if file.is_file()}


def statements_of(node: ast.AST) -> Iterator[ast.AST]:
    """All statements within a node. Walking expressions, too, took half of the time of the test."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, name, ()):
            yield inner
            yield from statements_of(inner)


def is_of_rekkyo(name: str) -> bool:
    return name.split(".", maxsplit=1)[0] == "rekkyo"
