"""What is compiled, and what is not."""

from __future__ import annotations

import ast
import importlib
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

import rekkyo as rk
from rekkyo.engines import registry
from rekkyo.engines.digest import digest_of
from rekkyo.jit import called_kernels
from rekkyo.kernel_cache import CACHE_VARIABLE
from rekkyo.model.lower import lower
from rekkyo.warm.jobs import warm_puzzles
from tests.test_kernel_cache import with_cache_in

SEARCHES = (("queens 5", "queens-bitmap"), ("magic-square 3", "sum-lines"), ("hip 3", "coloring-masks"))


@pytest.fixture(scope="module")
def compiled_functions(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """The functions that small searches compile, and the types of their arguments."""
    code = f"""
import os
os.environ["NUMBA_OPT"] = "0"  # the same functions in half the time
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
    env = os.environ | {CACHE_VARIABLE: str(tmp_path_factory.mktemp("kernels"))}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=120)
    lines = (done.stdout + done.stderr).splitlines()
    functions = [(name, arguments) for name, _, arguments in (line.partition("\t") for line in lines)]
    assert any(name.endswith("bitmap.kernel.list_solutions") for name, _ in functions), lines
    return functions


def test_no_kernel_compiles_the_code_for_strings(compiled_functions: list[tuple[str, str]]) -> None:
    """Error messages, such as that of `target[:] = source`, need this code, and compiling it takes seconds."""
    assert not [name for name, _ in compiled_functions if "unicode" in name]


def test_no_kernel_assigns_an_array_to_a_slice() -> None:
    """That compiles the same code for strings; a number may be assigned."""
    found = [
        f"{path.name}: {ast.unparse(line)}"
        for path in sorted(Path(rk.__file__).parent.rglob("*.py"))
        if "kernel" in (text := path.read_text(encoding="utf-8"))
        for function in ast.walk(ast.parse(text))
        if isinstance(function, ast.FunctionDef)
        and any("kernel" in ast.unparse(decorator) for decorator in function.decorator_list)
        for line in ast.walk(function)
        if isinstance(line, ast.Assign) and _is_slice(line.targets[0]) and not _is_number(line.value)
    ]
    assert not found


def _is_slice(target: ast.expr) -> bool:
    return isinstance(target, ast.Subscript) and any(isinstance(n, ast.Slice) for n in ast.walk(target.slice))


def _is_number(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) or (isinstance(value, ast.Name) and value.id.isupper())


def test_no_kernel_is_compiled_again_for_arrays_that_are_read_only(
    compiled_functions: list[tuple[str, str]],
) -> None:
    times = Counter(
        (name, re.sub(r"readonly |, (True|False)(?=, aligned)", "", arguments))
        for name, arguments in compiled_functions
        if name.startswith("rekkyo.")
    )
    assert not [name for (name, _), n_times in times.items() if n_times > 1]


def test_no_kernel_is_compiled_for_a_constant(compiled_functions: list[tuple[str, str]]) -> None:
    assert not [
        name
        for name, arguments in compiled_functions
        if name.startswith("rekkyo.") and "Literal" in arguments
    ]


def test_compiling_leaves_the_garbage_collector_as_it_was(tmp_path: Path) -> None:
    code = (
        "import gc, rekkyo as rk; gc.set_threshold(600, 9, 8);"
        " print(rk.count(rk.queens(6)).total, gc.get_threshold())"
    )
    assert with_cache_in(tmp_path, code) == "4 (600, 9, 8)\n"


LINKED = """
import sys
import numpy as np
from numba.core import event
from rekkyo.engines import digest
from rekkyo.kernel_compiler import LinkedLibrary
class Names(event.Listener):
    def on_start(self, event):
        names.append(event.data["dispatcher"].py_func.__name__)
    def on_end(self, event):
        pass
names = []
rows = np.arange(6, dtype=np.uint8).reshape(2, 3)
with event.install_listener("numba:compile", Names()):
    sums = digest.row_hashes(rows).sum(axis=0).tolist() if "hashes" in sys.argv else None
    found = digest.Digest(*sums) if sums else digest.digest_of(rows)
(read,) = digest._hash_row.overloads.values()
print(found, type(read.library) is LinkedLibrary, *names)
"""


def test_linked_code_is_read_when_another_kernel_is_compiled(tmp_path: Path) -> None:
    """The second process finds what the kernel of the first one calls in the cache."""
    digest = digest_of(np.arange(6, dtype=np.uint8).reshape(2, 3))
    assert with_cache_in(tmp_path, LINKED) == f"{digest} True add_row_hashes _hash_row\n"
    assert with_cache_in(tmp_path, LINKED, "hashes") == f"{digest} True hash_rows\n"


@pytest.mark.long
def test_after_warming_nothing_is_compiled(tmp_path: Path) -> None:
    environment = os.environ | {CACHE_VARIABLE: str(tmp_path), "REKKYO_QUIET": ""}

    def rekkyo(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "rekkyo", *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)

    assert "compiled engine queens-bitmap in " in rekkyo("count", "queens", "6").stderr
    warmed = {line.split()[0] for line in rekkyo("warm").stdout.splitlines()}
    assert warmed.issuperset(engine.name for engine in registry.all_engines())
    assert not any("compiled in" in line for line in rekkyo("warm").stdout.splitlines())
    for words in ("count queens 9", "count soma", "count hip 4", "count magic-square 4", "count digits"):
        assert "compiled" not in rekkyo(*words.split()).stderr, words


def test_every_engine_is_warmed() -> None:
    models = [lower(example.model) for example in warm_puzzles()]
    assert all(any(engine.accepts(model) for model in models) for engine in registry.all_engines())


def test_no_two_kernels_have_one_name() -> None:
    """Compiled code tells functions apart by name and types. The number that Numba adds is that of a process."""
    functions = [kernel.py_func for kernel in all_kernels()]
    names = Counter(f"{function.__module__}.{function.__qualname__}" for function in functions)
    assert len(names) > 100
    assert [name for name, times in names.items() if times > 1 or "<locals>" in name] == []


def test_a_kernel_without_memory_management_calls_only_such() -> None:
    """Its machine code is loaded without the runtime that counts references."""
    kernels = all_kernels()
    needs_memory = {kernel.py_func for kernel in kernels if kernel.targetoptions.get("_nrt", True)}
    assert needs_memory
    for kernel in kernels:
        if kernel.py_func not in needs_memory:
            assert not called_kernels(kernel.py_func) & needs_memory, kernel


def all_kernels() -> list[Any]:
    kernels: dict[int, Any] = {}
    root = Path(rk.__file__).parent
    for path in root.rglob("*.py"):
        if "from rekkyo.jit import" in path.read_text(encoding="utf-8"):
            name = ".".join(path.relative_to(root.parent).with_suffix("").parts)
            found = vars(importlib.import_module(name)).values()
            kernels |= {id(one.py_func): one for one in found if isinstance(one, Dispatcher)}
    return list(kernels.values())
