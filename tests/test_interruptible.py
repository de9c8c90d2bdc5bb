"""Exceptions of signals in a kernel that returns arrays come out as themselves, not as errors of Numba."""

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


class Asked(KeyboardInterrupt):
    """Of Ctrl-C."""


@pytest.mark.parametrize("context", [interruptible, wrapping])
@pytest.mark.parametrize("exception", [Asked, TimeoutError])
def test_an_interruption_comes_out(exception: type[BaseException], context: type) -> None:
    with pytest.raises(exception), context():
        _as_numba_does(exception())


def test_another_error_stays() -> None:
    with pytest.raises(SystemError, match="another"), interruptible():
        raise SystemError("another")
