"""Finds the rows of a block with one of some atoms, and the rows that some symmetry leaves unchanged, with
NumPy.

Rows by option are compared with one atom at a time, with eight results in a word: on 13 million rows of 32
numbers a look-up in a table of all values and `any` along the rows took 14 times as long. A row is rejected
as changed at its first atom whose image it lacks; computing all images took six times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.model.row import Layout, RowShape
from rekkyo.symmetry.group import Group
from rekkyo.symmetry.orbits import OrbitSurvey
from rekkyo.symmetry.stabilizers import order_of

FEW = 8
"""The most atoms that are compared one after the other."""
MAX_ELEMENTS = 64
"""The most symmetries that are tried one after the other."""


def have_any(shape: RowShape, rows: NDArray[Any], atoms: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which rows uint[n_rows, length] have one of the atoms."""
    passes = np.zeros(len(rows), dtype=bool)
    if shape.layout is Layout.BY_POSITION:
        for position in np.unique(atoms // shape.n_values).tolist():
            wanted = np.zeros(shape.n_values, dtype=bool)
            wanted[atoms[atoms // shape.n_values == position] % shape.n_values] = True
            passes |= wanted[rows[:, position]]
        return passes
    if len(atoms) > FEW:
        wanted = np.zeros(shape.n_symbols, dtype=bool)
        wanted[atoms] = True
        return _any(rows.shape, lambda out: np.take(wanted, rows, out=out, mode="clip"))
    for atom in atoms.tolist():
        passes |= _have(rows, np.array([[atom]], dtype=rows.dtype))
    return passes


def _have(rows: NDArray[Any], values: NDArray[Any]) -> NDArray[np.bool_]:
    """Which rows have their value. values : uint[n_rows or 1, 1]."""
    return _any(rows.shape, lambda out: np.equal(rows, values, out=out))


def _any(shape: tuple[int, ...], find: Callable[[NDArray[np.bool_]], object]) -> NDArray[np.bool_]:
    """Whether any entry of each row of bool[n_rows, length] is true. find: writes that array."""
    found = np.zeros((shape[0], -(-shape[1] // 8) * 8), dtype=bool)
    find(found[:, : shape[1]])
    words = found.view(np.uint64)
    joined = np.zeros(shape[0], dtype=np.uint64)
    for k in range(words.shape[1]):
        joined |= words[:, k]
    there: NDArray[np.bool_] = joined != 0
    return there


def are_symmetric(survey: OrbitSurvey, rows: NDArray[Any]) -> NDArray[np.bool_]:
    """Which rows some symmetry other than the identity leaves unchanged."""
    if survey.group.order > MAX_ELEMENTS:
        return survey.stabilizer_orders(survey.least_images(rows)) > 1
    found = np.zeros(len(rows), dtype=bool)
    for element in _of_prime_order(survey.group):
        left = np.flatnonzero(~found)
        found[left[_unchanged(survey.group.shape, rows[left], element)]] = True
    return found


def _of_prime_order(group: Group) -> list[NDArray[np.int64]]:
    """The elements of prime order, one of which leaves each symmetric row unchanged."""
    orders = [order_of(element) for element in group.elements]
    return [
        np.append(element, group.shape.n_atoms).astype(np.int64)  # a filler stays one
        for element, order in zip(group.elements, orders, strict=True)
        if order > 1 and all(order % part for part in range(2, order))
    ]


def _unchanged(shape: RowShape, rows: NDArray[Any], element: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of the rows that an element leaves unchanged."""
    left = np.arange(len(rows))
    for position in range(shape.length):
        if shape.layout is Layout.BY_POSITION:
            image = element[position * shape.n_values + rows[:, position].astype(np.int64)]
            places, values = np.divmod(image, shape.n_values)
            keeps = rows[np.arange(len(rows)), places] == values
        else:
            keeps = _have(rows, element.astype(rows.dtype)[rows[:, position]][:, None])
        left, rows = left[keeps], rows[keeps]
    return left
