"""Kernels that come with the package: for the level of the processor, checked like all others, and never changed."""

from __future__ import annotations

import compileall
import os
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

import rekkyo
from rekkyo import kernel_levels
from rekkyo.kernel_cache import CACHE_VARIABLE, SHIPPED
from rekkyo.kernel_levels import (
    LEVELS,
    V2,
    V3,
    V4,
    best_level,
    has_avx512,
    level_here,
    levels_of,
    v4_with_vpopcntdq,
)
from tests.programs import python_code
from tests.test_kernel_cache import MODULE, files_in, flipped, set_trap

USE = """
import small
from rekkyo.jit import compiling
with compiling() as compiled:
    small.halved(6)
print(len(compiled.functions), compiled.n_shipped)
"""
FROM_PACKAGE = "0 1\n"
"""What it calls is a part of its code."""

COMPILED = "2 0\n"
LOADED = {"model", "render"}
"""The folders of the package that are loaded with it."""

VPOPCNTDQ = {"avx512vpopcntdq"}


class TestLevels:
    @pytest.mark.parametrize(
        ("features", "name"),
        [
            (V4 | VPOPCNTDQ | {"amx-tile"}, "x86-64-v4-vpopcntdq"),
            (V4, "x86-64-v3"),
            ((V4 | VPOPCNTDQ) - {"avx512bw"}, "x86-64-v3"),
            (V3, "x86-64-v3"),
            ((V4 | VPOPCNTDQ) - {"bmi2"}, "x86-64-v2"),
            (V2, "x86-64-v2"),
            (V3 - {"popcnt"}, None),
            ((), None),
        ],
    )
    def test_the_best_one_whose_features_are_all_there(self, features: set[str], name: str | None) -> None:
        for machine in ("x86_64", "AMD64"):
            level = best_level(machine, features)
            assert (level.name if level else None) == name

    def test_other_machines(self) -> None:
        level = best_level("aarch64", ())
        assert level is not None
        assert level.name == "aarch64"
        assert best_level("riscv64", V4) is None

    def test_an_old_llvm_is_asked_for_no_processor_that_it_does_not_know(self) -> None:
        assert v4_with_vpopcntdq(15) == ("x86-64-v4", "+avx512vpopcntdq")
        cpu, features = v4_with_vpopcntdq(16)
        assert cpu == "znver4"
        assert not {word.lstrip("-") for word in features.split(",")} & (V4 | VPOPCNTDQ)

    def test_each_needs_what_the_next_one_needs(self) -> None:
        levels = levels_of("x86_64")
        assert all(worse.needs < better.needs for better, worse in pairwise(levels))
        assert len({level.name for level in LEVELS}) == len(LEVELS)

    @pytest.mark.parametrize("level", levels_of("x86_64"), ids=lambda level: level.name)
    def test_a_processor_that_numba_is_told_is_taken_by_its_word(
        self, level: kernel_levels.Level, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("platform.machine", lambda: "x86_64")
        monkeypatch.setattr(kernel_levels.config, "CPU_NAME", level.cpu)
        monkeypatch.setattr(kernel_levels.config, "CPU_FEATURES", level.features)
        assert level_here.__wrapped__() is level
        monkeypatch.setattr(kernel_levels, "level_here", level_here.__wrapped__)
        assert has_avx512() is ("avx512f" in level.needs)
        monkeypatch.setattr(kernel_levels.config, "CPU_FEATURES", "+avx")
        assert level_here.__wrapped__() is None
        assert not has_avx512()

    @pytest.mark.parametrize(("features", "expected"), [("+avx2,+avx512f", True), ("+avx2,-avx512f", False)])
    def test_this_processor_may_have_avx512(
        self, features: str, expected: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(kernel_levels.config, "CPU_NAME", None)
        monkeypatch.setattr(kernel_levels.config, "CPU_FEATURES", None)
        monkeypatch.setattr("numba.core.codegen.get_host_cpu_features", lambda: features)
        assert has_avx512() is expected


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package, as far as `small` loads it, and with `small`, whose kernels are in the package.

    The other 600 files, and compiling the sources in each process, took an eighth of the time of these tests.
    """
    level = level_here()
    if level is None:
        pytest.skip("there is no level for this machine")
    site = tmp_path_factory.mktemp("site")
    source = Path(rekkyo.__file__).parent
    others = {path.name for path in source.iterdir() if path.is_dir()} - LOADED
    package = shutil.copytree(source, site / "rekkyo", ignore=shutil.ignore_patterns(*others))
    compileall.compile_dir(package, quiet=2)
    (site / "small.py").write_text(MODULE, encoding="utf-8")
    folder = package / SHIPPED / level.name
    folder.mkdir(parents=True)
    told = {"NUMBA_CPU_NAME": level.cpu, "NUMBA_CPU_FEATURES": level.features}
    assert use(site, folder, **told) == COMPILED
    return site


@pytest.fixture
def site(shipped: Path, tmp_path: Path) -> Path:
    """The same, which a test may change."""
    return shutil.copytree(shipped, tmp_path / "site")


def use(site: Path, cache: Path, code: str = USE, **settings: str) -> str:
    environment = os.environ | {
        CACHE_VARIABLE: str(cache),
        "PYTHONPATH": str(site),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return python_code(code, env=environment | settings)


def kernels_of(site: Path) -> list[Path]:
    return files_in(site / "rekkyo" / SHIPPED)


def contents(site: Path) -> dict[Path, tuple[int, bytes]]:
    return {path: (path.lstat().st_mtime_ns, path.read_bytes()) for path in files_in(site)}


def test_they_are_loaded_and_nothing_is_written(site: Path, tmp_path: Path) -> None:
    before = contents(site)
    assert use(site, tmp_path / "cache") == FROM_PACKAGE
    assert contents(site) == before
    assert not files_in(tmp_path / "cache")


def test_what_the_package_lacks_goes_into_the_folder_of_the_user(site: Path, tmp_path: Path) -> None:
    before = contents(site)
    code = "import small; print(small.unused(2))"
    assert use(site, tmp_path / "cache", code) == "2\n"
    assert contents(site) == before
    assert [path.name.split("-")[0] for path in files_in(tmp_path / "cache")] == ["small.unused"]


def test_they_serve_when_the_folder_of_the_user_cannot_be_used(site: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    assert use(site, tmp_path / "file") == FROM_PACKAGE


def test_code_in_the_folder_of_the_user_comes_first(site: Path, tmp_path: Path) -> None:
    for path in kernels_of(site):
        path.rename(path.with_name("away"))
    assert use(site, tmp_path / "cache") == COMPILED
    for path in kernels_of(site):
        path.rename(path.with_name("back"))
    set_trap(site / "rekkyo" / SHIPPED, tmp_path / "sprung")
    assert use(site, tmp_path / "cache") == "0 0\n"
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("edited", ["small.py", "rekkyo/jit.py", "rekkyo/errors.py"])
def test_an_edited_source_is_compiled(edited: str, site: Path, tmp_path: Path) -> None:
    with (site / edited).open("a", encoding="utf-8") as source:
        source.write("# edited\n")
    assert use(site, tmp_path / "cache") == COMPILED


@pytest.mark.parametrize(
    "setting", [("NUMBA_CPU_NAME", "nehalem"), ("NUMBA_CPU_FEATURES", ""), ("NUMBA_OPT", "1")]
)
def test_other_settings_of_numba_are_obeyed(setting: tuple[str, str], site: Path, tmp_path: Path) -> None:
    name, value = setting
    assert use(site, tmp_path / "cache", **{name: value}) == COMPILED


def test_only_the_level_of_the_processor_is_looked_at(site: Path, tmp_path: Path) -> None:
    (folder,) = (site / "rekkyo" / SHIPPED).iterdir()
    other = next(level.name for level in LEVELS if level.name != folder.name)
    set_trap(folder.rename(folder.with_name(other)), tmp_path / "sprung")
    assert use(site, tmp_path / "cache") == COMPILED
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("damage", [flipped, lambda content: content[:-1], lambda _: b""])
def test_a_damaged_file_is_compiled_and_stays(
    damage: Callable[[bytes], bytes], site: Path, tmp_path: Path
) -> None:
    for path in kernels_of(site):
        path.write_bytes(damage(path.read_bytes()))
    before = contents(site)
    assert use(site, tmp_path / "cache") == COMPILED
    assert contents(site) == before


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
class TestWhoMayWrite:
    def test_the_trap_works(self, site: Path, tmp_path: Path) -> None:
        set_trap(site / "rekkyo" / SHIPPED, tmp_path / "sprung")
        assert use(site, tmp_path / "cache") == COMPILED
        assert (tmp_path / "sprung").exists()

    def test_a_file_that_others_can_write_is_not_loaded(self, site: Path, tmp_path: Path) -> None:
        set_trap(site / "rekkyo" / SHIPPED, tmp_path / "sprung")
        for path in kernels_of(site):
            path.chmod(0o664)
        told = use(site, tmp_path / "cache")
        assert told.startswith(COMPILED)
        assert "can be written by others" in told
        assert not (tmp_path / "sprung").exists()

    def test_a_file_that_others_can_write_as_they_can_the_program_is_loaded(
        self, site: Path, tmp_path: Path
    ) -> None:
        """Where a user has a group alone, pip leaves all files writable by the group."""
        for path in [site, *site.rglob("*")]:
            path.chmod(0o775 if path.is_dir() else 0o664)
        assert use(site, tmp_path / "cache") == FROM_PACKAGE
        for path in kernels_of(site):
            path.chmod(0o666)
        assert use(site, tmp_path / "cache").startswith(COMPILED)

    def test_a_folder_that_others_can_write_is_not_used(self, site: Path, tmp_path: Path) -> None:
        set_trap(site / "rekkyo" / SHIPPED, tmp_path / "sprung")
        kernels_of(site)[0].parent.chmod(0o777)
        told = use(site, tmp_path / "cache")
        assert COMPILED in told
        assert "can be written by others" in told
        assert not (tmp_path / "sprung").exists()

    def test_a_link_is_not_followed(self, site: Path, tmp_path: Path) -> None:
        set_trap(site / "rekkyo" / SHIPPED, tmp_path / "sprung")
        for path in kernels_of(site):
            target = path.rename(tmp_path / path.name)
            path.symlink_to(target)
        assert use(site, tmp_path / "cache") == COMPILED
        assert not (tmp_path / "sprung").exists()
