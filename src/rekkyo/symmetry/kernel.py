"""Compiled action of a group on blocks of rows. The number of dimensions of `targets` shows their layout.

    rows              : uint[n_rows, length], in. BY_OPTION: increasing, filled up with the number n_values.
    targets           : in. Where each element takes each atom.
                        BY_POSITION: uint64[order, length, n_values]. Element g takes value v at position p to
                        the value in the low half of targets[g, p, v] at the position in its high half.
                        BY_OPTION: uint32[order, n_values + 1]. The filler n_values stays.
    image             : uint[length], scratch, of the dtype of the rows.
    stabilizer_orders : uint32[n_rows], out. 0 for a row that is not the representative of its orbit.
    images            : uint[n_rows, length], out. The least row of the orbit of each row.

Element 0 is the identity.

The images of each row are built under one element after the other. If an image is lexicographically less,
the row is not the representative of its orbit, and no further image is built. If an image is equal to the
row, its element is in the stabilizer. Source: definition; orbit-stabilizer theorem. Left out on purpose:
canonical labelling by refinement, which is faster only for groups far larger than those that are listed here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import HALF, LOW_HALF
from rekkyo.jit import inlined_inner_kernel, kernel


@kernel
def survey(
    rows: NDArray[Any], targets: NDArray[Any], image: NDArray[Any], stabilizer_orders: NDArray[np.uint32]
) -> None:
    """Find the representatives among rows, and the orders of their stabilizers."""
    n_rows, length = rows.shape
    filler = np.uint32(targets.shape[1] - 1)
    for index in range(n_rows):
        row = rows[index]
        order = 1
        first = np.uint32(row[0]) if length > 0 else filler
        for element in range(1, targets.shape[0]):
            if targets.ndim == 2:
                # Most images differ in the least option, which needs no sorting: twice as fast on Soma.
                least = filler
                for position in range(length):
                    least = min(least, targets[element, row[position]])
                if least > first:
                    continue
                if least < first:
                    order = 0
                    break
            _put_image(row, targets[element], image)
            sign = _compare(image, row)
            if sign < 0:
                order = 0
                break
            if sign == 0:
                order += 1
        stabilizer_orders[index] = order


@kernel
def survey_by_moves(
    rows: NDArray[Any],
    sources: NDArray[np.uint32],
    values: NDArray[np.uint32],
    stabilizer_orders: NDArray[np.uint32],
) -> None:
    """As `survey` BY_POSITION, for elements that take a position to the same position, whatever its value is.

    Element g fills position p from position sources[g, p], and makes values[g, p, v] of the value v there.
    Only as much of an image is made as must be compared: 6 times as fast on magic squares.
    """
    n_rows, length = rows.shape
    for index in range(n_rows):
        order = 1
        for element in range(1, sources.shape[0]):
            sign = 0
            for position in range(length):
                value = values[element, position, rows[index, sources[element, position]]]
                if value != rows[index, position]:
                    sign = -1 if value < rows[index, position] else 1
                    break
            if sign < 0:
                order = 0
                break
            if sign == 0:
                order += 1
        stabilizer_orders[index] = order


@kernel
def least_images(
    rows: NDArray[Any], targets: NDArray[Any], image: NDArray[Any], images: NDArray[Any]
) -> None:
    """Write the least row of the orbit of each row."""
    for index in range(rows.shape[0]):
        _copy(rows[index], images[index])
        for element in range(1, targets.shape[0]):
            _put_image(rows[index], targets[element], image)
            if _compare(image, images[index]) < 0:
                _copy(image, images[index])


@inlined_inner_kernel
def _put_image(row: NDArray[Any], targets: NDArray[Any], image: NDArray[Any]) -> None:
    """Write the image of one row under one element. BY_OPTION, each value is inserted in increasing order."""
    for position in range(row.shape[0]):
        if targets.ndim == 2:
            target = targets[position, row[position]]
            image[target >> HALF] = target & LOW_HALF
        else:
            option = targets[row[position]]
            slot = position
            while slot > 0 and image[slot - 1] > option:
                image[slot] = image[slot - 1]
                slot -= 1
            image[slot] = option


@inlined_inner_kernel
def _copy(source: NDArray[Any], target: NDArray[Any]) -> None:
    """Write one row over another."""
    for position in range(source.shape[0]):
        target[position] = source[position]


@inlined_inner_kernel
def _compare(left: NDArray[Any], right: NDArray[Any]) -> int:
    """-1, 0 or 1 as `left` is lexicographically less than, equal to or greater than `right`."""
    for position in range(left.shape[0]):
        if left[position] != right[position]:
            return -1 if left[position] < right[position] else 1
    return 0
