"""Uninitialised arrays, read-only arrays, and the different values of an array.

With the environment variable REKKYO_POISON set, fresh arrays are filled with noise, and reclaimed memory is
overwritten, so that tests detect a read before the first write and a view that outlived its slice. Only the
tests should set it, because it costs time.
"""

from __future__ import annotations

import os
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

POISON_VARIABLE = "REKKYO_POISON"
NOISE_BYTES = 1 << 16

NOISE_OF_ROOM = 1 << 12
"""The entries of a new room that are filled with noise."""

ValueT = TypeVar("ValueT")
NumberT = TypeVar("NumberT", bound=np.integer[Any])


def unfilled(shape: int | tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """An array that must be written before it is read: `np.empty`, or noise if REKKYO_POISON is set."""
    array: NDArray[Any] = np.empty(shape, dtype=dtype)
    if _noise() is not None:
        poison(array)
    return array


def unfilled_room(shape: int | tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """As `unfilled`, with noise only in the first entries, because most searches find few rows.

    Noise in all 64 Ki rows of every room took a tenth of the time of the tests of runs.
    """
    array: NDArray[Any] = np.empty(shape, dtype=dtype)
    poison(array[:NOISE_OF_ROOM])
    return array


def poison(array: NDArray[Any]) -> None:
    """Overwrite an array with noise if REKKYO_POISON is set.

    Half of the noise is 0xFF, which is -1 or the largest number; the other half is random.
    """
    noise = _noise()
    if noise is not None and array.nbytes:
        target = array.reshape(-1).view(np.uint8)
        whole = target.size - target.size % noise.size
        target[:whole].reshape(-1, noise.size)[:] = noise
        target[whole:] = noise[: target.size - whole]


def different(values: NDArray[NumberT]) -> NDArray[NumberT]:
    """The different values of an array of one dimension, in order: `np.unique`, by sorting.

    From NumPy 2.3 on, `np.unique` hashes whole numbers: a million of 40 bits take 3.2 s instead of 0.2.
    """
    ordered = np.sort(values)
    is_first = np.ones(len(ordered), dtype=np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_first]


def read_only_view(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only view, so that kernels are compiled once and not again for arrays that may be written."""
    view = array.view()
    view.flags.writeable = False
    return view


def read_only(value: ValueT) -> ValueT:
    """Make every array of a plan read-only, in place: a named tuple or dataclass of arrays and such values.

    Returns the value. Models and tuples of numbers in it have no arrays and are skipped, which saves most of
    the time.
    """
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    elif isinstance(value, tuple):
        if value and (isinstance(value[0], np.ndarray | tuple) or hasattr(value, "_fields")):
            for part in value:
                if type(part) is np.ndarray:  # calls for each array would take most of the time
                    part.flags.writeable = False
                else:
                    read_only(part)
    else:
        kind: Any = type(value)
        for name in _fields_of(kind):
            read_only(getattr(value, name))
    return value


@cache
def _fields_of(kind: Any) -> tuple[str, ...]:
    """The names of the fields of a dataclass, except of a model; none for anything else."""
    if not is_dataclass(kind) or hasattr(kind, "row_shape"):
        return ()
    return tuple(field.name for field in fields(kind))


@cache
def _noise() -> NDArray[np.uint8] | None:
    if not os.environ.get(POISON_VARIABLE):
        return None
    noise = np.random.default_rng(0).integers(0, 256, NOISE_BYTES + 3, dtype=np.uint8)
    for start in range(0, NOISE_BYTES, 128):
        noise[start : start + 64] = 0xFF
    return noise
