"""Ctrl-C in a kernel that returns arrays comes out as Ctrl-C, not as an error of Numba."""

from __future__ import annotations

import pytest

from rekkyo.engines.limbs import wrapping
from rekkyo.jit import interruptible


def _as_numba_does(cause: BaseException) -> None:
    """One error for each C function that returned."""
    for _ in range(2):
        error = SystemError("a function returned a result with an exception set")
        error.__cause__ = cause
        cause = error
    raise cause


@pytest.mark.parametrize("context", [interruptible, wrapping])
def test_an_interruption_comes_out(context: type) -> None:
    class Asked(KeyboardInterrupt):
        """What a handler of signals raises."""

    with pytest.raises(Asked), context():
        _as_numba_does(Asked())


def test_another_error_stays() -> None:
    with pytest.raises(SystemError, match="exception set"), interruptible():
        _as_numba_does(ValueError())
    with pytest.raises(SystemError, match="another"), interruptible():
        raise SystemError("another")
