"""How many examples a property of kernels is tried with.

The gate tries it three times: as users run it, without the compiler, and with bounds checks. Drawing the examples and
computing what is right takes most of the time, and all three times are the same work. The first time tries the whole
number; each of the other two tries half of it. Those are other examples, unless seeds are fixed, as where CI is set.
"""

from __future__ import annotations

import os

from hypothesis import settings

IS_LOOKED_AT_AGAIN = any(os.environ.get(name) == "1" for name in ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"))

USUAL = 40


def n_examples(n: int) -> int:
    """How many of n examples are tried here."""
    return n // 2 if IS_LOOKED_AT_AGAIN else n


def examples(n: int) -> settings:
    """As `settings(max_examples=n)`."""
    return settings(max_examples=n_examples(n))
