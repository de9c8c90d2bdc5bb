"""Kernels that only kernels call, for tests to call."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

from rekkyo.kernel_switches import IS_COMPILED


@cache
def from_python(inner_kernel: Any) -> Callable[..., Any]:
    """The same function as a kernel that Python calls, so that its compiled code is kept for the next process.

    A function of Numba that calls the kernel was compiled in each process, which took a tenth of the time of the tests
    with bounds checks.
    """
    if not IS_COMPILED:
        return inner_kernel
    from rekkyo.kernel_dispatch import dispatcher

    inner = inner_kernel.py_func
    function = FunctionType(inner.__code__, inner.__globals__, inner.__name__, inner.__defaults__)
    function.__module__ = inner.__module__
    function.__qualname__ = f"{inner.__qualname__}_from_python"  # another name in machine code, another file
    allocates = inner_kernel.targetoptions.get("_nrt", True)
    return dispatcher(function, by_python=True, allocates=allocates, inlined=False)
