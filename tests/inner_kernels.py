"""Kernels that only kernels call, for tests to call."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numba


@cache
def from_python(inner_kernel: Any) -> Callable[..., Any]:
    """A function of Python that calls the kernel and nothing else."""

    @numba.njit
    def call(*arguments: Any) -> Any:
        return inner_kernel(*arguments)

    return call
