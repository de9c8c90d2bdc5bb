"""Tables of kernels that grow: a copy with more room."""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.jit import allocating_inner_kernel


@allocating_inner_kernel
def longer(rows: Any, room: int) -> Any:
    """A copy of a contiguous array of one or two dimensions, with `room` rows, at least as many as it has.

    A loop: `copy[:n] = rows` would compile Numba's error messages, which takes 5 of the frontier's 12 s.
    """
    copy = np.empty((room, *rows.shape[1:]), dtype=rows.dtype)
    source, target = rows.ravel(), copy.ravel()
    for place in range(source.shape[0]):
        target[place] = source[place]
    return copy
