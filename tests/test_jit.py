"""The cache of compiled kernels: keyed by every source that is compiled, and never in the way."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numba
import pytest

import rekkyo
from rekkyo import jit
from rekkyo.ask.warm import warm_puzzles
from rekkyo.engines import registry
from rekkyo.model.lower import lower

COUNT = "import rekkyo as rk; print(rk.count(rk.queens(6)).total)"


def count_with_cache_in(folder: Path) -> str:
    return run_with_cache_in(folder, COUNT)


def run_with_cache_in(folder: Path, code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {jit.CACHE_VARIABLE: str(folder)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.stdout + done.stderr


def test_compiled_kernels_are_kept_where_told(tmp_path: Path) -> None:
    assert count_with_cache_in(tmp_path) == "4\n"
    (folder,) = tmp_path.iterdir()
    assert folder.name == f"kernels-{jit.source_key()}"
    assert list(folder.rglob("*.nbc"))


def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder")
    assert count_with_cache_in(in_the_way) == "4\n"


@pytest.mark.parametrize("damage", ["cut index", "empty index", "empty code"])
def test_a_damaged_cache_only_costs_time_and_is_mended(damage: str, tmp_path: Path) -> None:
    count_with_cache_in(tmp_path)
    ending = "*.nbc" if damage == "empty code" else "*.nbi"
    for path in tmp_path.rglob(ending):
        path.write_bytes(path.read_bytes()[:20] if damage == "cut index" else b"")
    assert count_with_cache_in(tmp_path) == "4\n"
    assert all(path.stat().st_size > 20 for path in tmp_path.rglob("*list_solutions*"))


@pytest.mark.parametrize(
    "part", ["jit.py", "bits.py", "engines/queens/bitmap/kernel.py", "symmetry/kernel.py"]
)
def test_an_edit_in_any_compiled_source_changes_the_key(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "rekkyo"
    shutil.copytree(Path(rekkyo.__file__).parent, package)
    monkeypatch.setattr(jit, "__file__", str(package / "jit.py"))
    before = jit.source_key()
    with (package / part).open("a") as source:
        source.write("# edited\n")
    assert jit.source_key() != before


def test_the_users_own_numba_settings_are_left_alone() -> None:
    before = numba.config.CACHE_DIR
    jit.kernel(rekkyo.verify)
    assert before == numba.config.CACHE_DIR


def test_a_folder_that_can_only_be_read_is_used(tmp_path: Path) -> None:
    """As root writes everywhere, writing is forbidden in the process itself."""
    assert count_with_cache_in(tmp_path) == "4\n"
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    code = f"""
import os, tempfile
def forbidden(*_, **__): raise PermissionError(13, "read-only")
tempfile.TemporaryFile = os.replace = forbidden
from rekkyo.jit import compiling, keeps_kernels
assert not keeps_kernels()
with compiling() as compiled:
    {COUNT}
assert compiled.n_functions == 0, "loaded"
import rekkyo as rk
with compiling() as compiled:
    assert rk.count(rk.puzzle("langford 3"), engine="cover-cells").total == 2
assert compiled.n_functions > 0, "compiled, and not kept"
"""
    done = run_with_cache_in(tmp_path, code)
    assert done == "4\n"
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_several_processes_at_once_fill_one_folder(tmp_path: Path) -> None:
    environment = os.environ | {jit.CACHE_VARIABLE: str(tmp_path)}
    command = [sys.executable, "-c", COUNT]
    started = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    assert [process.communicate(timeout=180)[0] for process in started] == ["4\n"] * 3
    code = f"""
from rekkyo.jit import compiling
with compiling() as compiled:
    {COUNT}
assert compiled.n_functions == 0, "loaded"
"""
    assert run_with_cache_in(tmp_path, code) == "4\n"


SEARCHES = (("queens 5", "queens-bitmap"), ("magic-square 3", "sum-lines"), ("hip 3", "coloring-masks"))


@pytest.fixture(scope="module")
def compiled_functions(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """Functions that small searches compile, and the types of their arguments."""
    code = f"""
from numba.core import event
import rekkyo as rk
class Names(event.Listener):
    def on_start(self, event):
        function = event.data["dispatcher"].py_func
        print(f"{{function.__module__}}.{{function.__qualname__}}\t{{event.data['args']}}")
    def on_end(self, event):
        pass
with event.install_listener("numba:compile", Names()):
    for words, engine in {SEARCHES}:
        rk.count(rk.puzzle(words), engine=engine)
"""
    folder = tmp_path_factory.mktemp("kernels")
    lines = run_with_cache_in(folder, code).splitlines()
    functions = [(name, arguments) for name, _, arguments in (line.partition("\t") for line in lines)]
    assert any(name.endswith("bitmap.kernel.list_solutions") for name, _ in functions), lines
    return functions


def test_no_kernel_compiles_the_code_for_strings(compiled_functions: list[tuple[str, str]]) -> None:
    """It comes with error messages, such as that of `target[:] = source`, and takes seconds."""
    assert not [name for name, _ in compiled_functions if "unicode" in name]


def test_no_kernel_is_compiled_again_for_arrays_that_are_read_only(
    compiled_functions: list[tuple[str, str]],
) -> None:
    times = Counter(
        (name, re.sub(r"readonly |, (True|False)(?=, aligned)", "", arguments))
        for name, arguments in compiled_functions
        if name.startswith("rekkyo.")
    )
    assert not [name for (name, _), n_times in times.items() if n_times > 1]


@pytest.mark.long
def test_after_warming_nothing_is_compiled(tmp_path: Path) -> None:
    environment = os.environ | {jit.CACHE_VARIABLE: str(tmp_path), "REKKYO_QUIET": ""}

    def rekkyo(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "rekkyo", *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)

    assert "compiled engine queens-bitmap in " in rekkyo("count", "queens", "6").stderr
    lines = rekkyo("warm").stdout.splitlines()
    assert len(lines) == len(registry.ENGINES)
    assert not any("compiled in" in line for line in rekkyo("warm").stdout.splitlines())
    for words in ("count queens 9", "count soma", "count hip 4", "count magic-square 4", "count digits"):
        assert "compiled" not in rekkyo(*words.split()).stderr, words


def test_every_engine_is_warmed() -> None:
    models = [lower(example.model) for example in warm_puzzles()]
    assert all(any(engine.accepts(model) for model in models) for engine in registry.ENGINES)
