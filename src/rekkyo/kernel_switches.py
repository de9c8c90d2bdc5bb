"""Numba's switches that say what a kernel is. If they say plain Python, Numba is not loaded.

Loading Numba takes two thirds of the CPU time of a short command.
"""

from __future__ import annotations

from rekkyo.plain import compiler_is_off


def _is_compiled() -> bool:
    """Whether NUMBA_DISABLE_JIT or Numba's file of settings switches the compiler off."""
    if compiler_is_off():
        return False
    from numba import config

    return not config.DISABLE_JIT  # type: ignore[attr-defined]


def _are_bounds_checked() -> bool:
    from numba import config

    return bool(config.BOUNDSCHECK)  # type: ignore[attr-defined]


IS_COMPILED = _is_compiled()
"""Whether kernels are compiled. With NUMBA_DISABLE_JIT=1 they are plain Python, a hundred times slower."""

BOUNDS_ARE_CHECKED = IS_COMPILED and _are_bounds_checked()
"""Whether compiled kernels check every index."""
