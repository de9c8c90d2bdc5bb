"""The cache of compiled kernels: its keys depend on every source that is compiled, its files have checksums,
and it never makes a command fail.
"""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import numba
import pytest

import rekkyo
from rekkyo import jit, kernel_cache, kernel_folders
from rekkyo.kernel_cache import (
    CACHE_VARIABLE,
    HASH_LENGTH,
    N_KEPT,
    SEAL_BYTES,
    SUFFIX,
)
from tests.programs import python_code

COUNT = "import rekkyo as rk; print(rk.count(rk.queens(6)).total)"
MODULE = """
from rekkyo.jit import kernel

@kernel
def half(number):
    return number >> 1

@kernel
def halved(number):
    return half(number) + 1

@kernel
def unused(number):
    return number
"""
"""Two kernels that compile in a fraction of a second; the engines' take ten."""

USE = "import small; print(small.halved(6))"
LOADED = f"""
from rekkyo.jit import compiling
with compiling() as compiled:
    {USE}
assert not compiled.functions, "loaded"
"""


@pytest.fixture(scope="module", autouse=True)
def module(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The module `small`, which every process of these tests can import."""
    folder = tmp_path_factory.mktemp("module")
    (folder / "small.py").write_text(MODULE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        yield


def use_with_cache_in(folder: Path) -> str:
    return with_cache_in(folder, USE)


def with_cache_in(folder: Path, code: str, *words: str) -> str:
    """The statements at the beginning of a program that compiles its kernels itself."""
    return python_code(code, *words, env=os.environ | {CACHE_VARIABLE: str(folder)})


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filled")
    assert use_with_cache_in(folder) == "4\n"
    return folder


@pytest.fixture
def kernels(filled: Path, tmp_path: Path) -> Path:
    """A cache with the kernels of `small`, which a test may change."""
    return shutil.copytree(filled, tmp_path / "kernels")


def files_in(kernels: Path) -> list[Path]:
    return sorted(path for path in kernels.rglob("*") if path.is_file())


def test_compiled_kernels_are_kept_where_told(kernels: Path) -> None:
    (folder,) = kernels.iterdir()
    assert folder.name.startswith("kernels-")
    assert [path.name.split("-")[0] for path in files_in(kernels)] == ["small.half", "small.halved"]
    assert with_cache_in(kernels, LOADED) == "4\n"


LINKING = """
from small import half
from rekkyo.jit import kernel
print(half(12))

@kernel
def quarter(number):
    return half(half(number))

print(quarter(12), half(6))
"""


def test_machine_code_from_the_cache_is_linked_into_a_new_kernel(kernels: Path) -> None:
    assert with_cache_in(kernels, LINKING) == "6\n3 3\n"


def test_a_command_keeps_its_kernels_for_the_next_one(tmp_path: Path) -> None:
    assert with_cache_in(tmp_path, COUNT) == "4\n"
    assert [path for path in files_in(tmp_path) if "queens.bitmap.kernel.list_solutions" in path.name]
    assert with_cache_in(tmp_path, LOADED.replace(USE, COUNT)) == "4\n"


INTERRUPTED = """
import signal
from small import halved
from {place} import {owner} as owner
from rekkyo.jit import compiling

real = owner.{name}

def interrupted(*words):
    print("begun")
    signal.raise_signal(signal.SIGINT)
    result = real(*words)
    print("ended")
    return result

owner.{name} = interrupted
with compiling() as compiled:
    try:
        halved(6)
    except KeyboardInterrupt:
        print("interrupted", len(compiled.files), "loaded")
    owner.{name} = real
    print(halved(6))
"""


def test_ctrl_c_waits_until_a_kernel_is_loaded(kernels: Path) -> None:
    code = INTERRUPTED.format(place="rekkyo", owner="kernel_cache", name="read_sealed")
    assert with_cache_in(kernels, code) == "begun\nended\ninterrupted 1 loaded\n4\n"


def test_ctrl_c_waits_until_the_compiler_is_imported(tmp_path: Path) -> None:
    code = INTERRUPTED.format(place="numba.core.cpu", owner="CPUContext", name="load_additional_registries")
    assert with_cache_in(tmp_path, code) == "begun\nended\ninterrupted 0 loaded\n4\n"


@pytest.mark.parametrize("name", ["file", "a" * 300])
def test_a_cache_that_cannot_be_written_only_costs_time(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    assert use_with_cache_in(tmp_path / name) == "4\n"


@pytest.mark.parametrize("name", ["file", "a" * 300])
def test_no_kernels_are_in_a_cache_that_cannot_be_read(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    code = "from rekkyo.kernel_folders import none_are_kept; print(none_are_kept())"
    shipped = (kernel_folders.PACKAGE / kernel_folders.SHIPPED).is_dir()
    assert with_cache_in(tmp_path / name, code) == f"{not shipped}\n"


def flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.mark.parametrize(
    "damage",
    [flipped, lambda content: content[:20], lambda content: content[:-1], lambda _: b""],
    ids=["one bit", "cut early", "cut late", "empty"],
)
def test_a_damaged_file_is_compiled_anew_and_replaced(
    damage: Callable[[bytes], bytes], kernels: Path
) -> None:
    before = files_in(kernels)
    for path in before:
        path.write_bytes(damage(path.read_bytes()))
    assert use_with_cache_in(kernels) == "4\n"
    assert is_sealed(next(path for path in files_in(kernels) if "halved" in path.name))
    assert files_in(kernels) == before


def is_sealed(path: Path) -> bool:
    content = path.read_bytes()
    return sha256(content[SEAL_BYTES:]).digest() == content[:SEAL_BYTES]


class Trap:
    """Shows by a file that it was unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, (f"touch {self.path}",)


def set_trap(kernels: Path, sprung: Path) -> None:
    """Replace every cached file by one that has its checksum and runs a command when it is loaded."""
    content = pickle.dumps(Trap(sprung))
    for path in files_in(kernels):
        path.write_bytes(sha256(content).digest() + content)


class TestOlderFiles:
    """Older files of the same code have another hash of the sources at the end of their names."""

    def others_of(self, path: Path, n_files: int) -> list[Path]:
        """Make files as an older version would have written them, the oldest first."""
        stem = path.name[: -HASH_LENGTH - len(SUFFIX)]
        older = [path.with_name(f"{stem}{number:0{HASH_LENGTH}x}{SUFFIX}") for number in range(n_files)]
        for number, file in enumerate(older):
            file.write_bytes(b"older")
            os.utime(file, (number, number))
        return older

    def test_the_oldest_are_deleted_when_one_is_written(self, kernels: Path) -> None:
        (current,) = (path for path in files_in(kernels) if ".halved-" in path.name)
        older = self.others_of(current, N_KEPT + 2)
        current.unlink()
        before = set(files_in(kernels)) - set(older)
        assert use_with_cache_in(kernels) == "4\n"
        assert set(files_in(kernels)) == before | {current} | set(older[3:])

    def test_nothing_else_is_deleted(self, tmp_path: Path) -> None:
        stem = "engines.a.kernel.search-0123456789abcdef-"
        path = tmp_path / f"{stem}{'9' * 16}.kernel"
        others = [
            f"engines.a.kernel.search-1123456789abcdef-{'1' * 16}.kernel",
            f"engines.axkernel.search-0123456789abcdef-{'1' * 16}.kernel",
            f"my-{stem}{'1' * 16}.kernel",
            f"{stem}{'1' * 15}.kernel",
            f"{stem}{'A' * 16}.kernel",
            f"{stem}{'1' * 16}.kernel.bak",
            f"{stem}{'1' * 16}.new",
            "notes.txt",
        ]
        for name in (path.name, *others):
            (tmp_path / name).write_bytes(b"")
        mine = self.others_of(path, N_KEPT + 3)
        folder, link = tmp_path / f"{stem}{'f' * 16}.kernel", tmp_path / f"{stem}{'e' * 16}.kernel"
        folder.mkdir()
        link.symlink_to(tmp_path / "notes.txt")
        kernel_cache.delete_older(path)
        left = {file.name for file in tmp_path.iterdir()}
        kept = mine[-(N_KEPT - 1) :]
        assert left == {path.name, *others, folder.name, link.name, *(file.name for file in kept)}

    @pytest.mark.skipif(os.name == "nt", reason="Windows has other owners")
    def test_files_of_somebody_else_stay(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / f"a-{'0' * 16}-{'f' * 16}.kernel"
        mine = self.others_of(path, N_KEPT + 3)
        me = os.geteuid()
        monkeypatch.setattr(os, "geteuid", lambda: me + 1)
        kernel_cache.delete_older(path)
        assert sorted(tmp_path.iterdir()) == sorted(mine)

    def test_a_file_that_is_gone_already_is_no_problem(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / f"a-{'0' * 16}-{'f' * 16}.kernel"
        self.others_of(path, N_KEPT + 3)
        unlink = os.unlink

        def by_two(name: str) -> None:
            unlink(name)
            unlink(name)

        with monkeypatch.context() as patch:
            patch.setattr(os, "unlink", by_two)
            kernel_cache.delete_older(path)
        assert len(files_in(tmp_path)) == N_KEPT - 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
class TestWhoMayWrite:
    """A file that another user can write may contain code of that user."""

    def test_the_trap_works(self, kernels: Path, tmp_path: Path) -> None:
        set_trap(kernels, tmp_path / "sprung")
        assert use_with_cache_in(kernels).startswith("4\n")
        assert (tmp_path / "sprung").exists()

    @pytest.mark.parametrize("mode", [0o666, 0o664, 0o622])
    def test_a_file_that_others_can_write_is_not_loaded(
        self, mode: int, kernels: Path, tmp_path: Path
    ) -> None:
        set_trap(kernels, tmp_path / "sprung")
        for path in files_in(kernels):
            path.chmod(mode)
        assert use_with_cache_in(kernels).startswith("4\n")
        assert not (tmp_path / "sprung").exists()

    def test_a_folder_that_others_can_write_is_not_used(self, kernels: Path, tmp_path: Path) -> None:
        set_trap(kernels, tmp_path / "sprung")
        (folder,) = kernels.iterdir()
        folder.chmod(0o777)
        before = {path: path.read_bytes() for path in files_in(kernels)}
        assert use_with_cache_in(kernels).startswith("4\n")
        assert not (tmp_path / "sprung").exists()
        assert {path: path.read_bytes() for path in files_in(kernels)} == before

    def test_a_link_is_not_followed(self, kernels: Path, tmp_path: Path) -> None:
        set_trap(kernels, tmp_path / "sprung")
        for path in files_in(kernels):
            target = tmp_path / path.name
            path.rename(target)
            path.symlink_to(target)
        assert use_with_cache_in(kernels).startswith("4\n")
        assert not (tmp_path / "sprung").exists()

    @pytest.mark.parametrize(("owner", "is_ours"), [("me", True), ("root", True), ("somebody", False)])
    def test_files_belong_to_the_user_or_to_root(self, owner: str, is_ours: bool, tmp_path: Path) -> None:
        path = tmp_path / "file"
        path.write_bytes(b"")
        path.chmod(0o644)
        status = list(path.stat())
        status[4] = {"me": os.geteuid(), "root": 0, "somebody": os.geteuid() + 1}[owner]
        assert (kernel_cache.complaint_about(os.stat_result(status)) is None) == is_ours


def test_the_users_own_numba_settings_are_left_alone() -> None:
    before = numba.config.CACHE_DIR
    jit.kernel(rekkyo.verify)
    assert before == numba.config.CACHE_DIR


def test_a_folder_that_can_only_be_read_is_used(kernels: Path) -> None:
    """Root can write everywhere, so the process itself forbids writing."""
    before = {path: path.read_bytes() for path in files_in(kernels)}
    code = f"""
import os, tempfile
def forbidden(*_, **__): raise PermissionError(13, "read-only")
tempfile.TemporaryFile = tempfile.mkstemp = os.replace = forbidden
from rekkyo.kernel_cache import keeps_kernels
assert not keeps_kernels()
{LOADED}
with compiling() as compiled:
    assert small.unused(2) == 2
assert compiled.functions, "compiled, and not kept"
"""
    assert with_cache_in(kernels, code) == "4\n"
    assert {path: path.read_bytes() for path in files_in(kernels)} == before


def test_several_processes_at_once_fill_one_folder(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        assert [*pool.map(use_with_cache_in, [tmp_path] * 2)] == ["4\n"] * 2
    assert with_cache_in(tmp_path, LOADED) == "4\n"


def test_vectors_are_the_same_type_in_every_process() -> None:
    """A class made inside a function is another class after unpickling, and a kernel with both types does not
    compile.
    """
    from rekkyo.engines.sums.magic5.quad import QUAD

    code = """
import sys
from numba.core.serialize import dumps
from rekkyo.engines.sums.magic5.quad import QUAD
sys.stdout.buffer.write(dumps(QUAD))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=120)
    there = pickle.loads(done.stdout)
    assert type(there) is type(QUAD)
    assert there == QUAD


RELATIVE = """
import os
from pathlib import Path
from rekkyo import kernel_folders
from rekkyo.kernel_cache import cache_folder, keeps_kernels, places_of_kernels
print(kernel_folders.user_folder(), cache_folder(), keeps_kernels(), kernel_folders.none_are_kept())
print(os.listdir())
"""


@pytest.mark.parametrize("root", ["kernels", "./kernels", ".", "~no such user/kernels"])
def test_a_relative_folder_is_not_used(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be inside the current folder, which may belong to a stranger."""
    monkeypatch.chdir(tmp_path)
    said = python_code(RELATIVE, env=os.environ | {CACHE_VARIABLE: root})
    warning = f"no compiled kernels are kept: {root} is not an absolute path; set {CACHE_VARIABLE} to one"
    assert said == f"None None False True\n[]\n{warning}\n", "warned once"


def test_the_folder_of_the_system_must_be_absolute_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some versions of platformdirs take a relative XDG_CACHE_HOME as it is."""
    monkeypatch.setenv(CACHE_VARIABLE, "")
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: "cache/rekkyo")
    assert kernel_folders.user_folder() is None
    monkeypatch.undo()
    monkeypatch.setenv(CACHE_VARIABLE, "")
    folder = kernel_folders.user_folder()
    assert folder is not None
    assert folder.is_absolute()


def test_the_folder_may_begin_with_that_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, "~/kernels")
    assert kernel_folders.user_folder() == Path.home() / "kernels"
