"""The jobs of `rekkyo warm` together need every kernel that Python calls, so that no command compiles one later."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rekkyo.kernel_switches import IS_COMPILED

FIND_LEFT_OUT = """
import pkgutil, sys
from importlib import import_module
import rekkyo.engines
from rekkyo.warm.jobs import all_jobs

for job in all_jobs():
    job.work()
for module in pkgutil.walk_packages(rekkyo.engines.__path__, "rekkyo.engines."):
    import_module(module.name)
for name, module in sorted(sys.modules.items()):
    for word, found in vars(module).items() if name.startswith("rekkyo.") else ():
        if hasattr(found, "py_func") and found.py_func.__module__ == name and not found.signatures:
            if not found.targetoptions.keys() & {"no_cpython_wrapper", "forceinline"}:
                print(word)
"""
"""A kernel without signatures was neither compiled nor loaded in this process."""

LEFT_OUT = {
    "_more_pairs",  # these two are called by kernels alone
    "_rehashed",
    "list_in_frame_0",  # not used once `list_solutions` is compiled
}


@pytest.mark.second
@pytest.mark.skipif(not IS_COMPILED, reason="nothing is compiled")
def test_no_kernel_is_left_out() -> None:
    command = [sys.executable, "-P", "-c", FIND_LEFT_OUT]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) - LEFT_OUT == set()


LOAD_ALL = """
import sys
from rekkyo.warm.jobs import all_jobs

for job in all_jobs():
    job.work()
print("numba.np.arraymath" in sys.modules)
"""


@pytest.mark.second
@pytest.mark.skipif(not IS_COMPILED, reason="nothing is compiled")
def test_cached_kernels_do_not_import_scipy() -> None:
    """A kernel that calls a function of Numba's `arraymath` imports it when it is loaded, and that imports SciPy."""
    command = [sys.executable, "-P", "-c", LOAD_ALL]
    for _ in range(2):  # the first process compiles what is not cached
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
