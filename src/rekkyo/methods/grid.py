"""Square boards of cells, row by row, for the ladders for magic squares and for Hip."""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.model.row import Row


def row_images(row: Sequence[int]) -> list[Row]:
    """The eight rotations and reflections of a board."""
    n = round(len(row) ** 0.5)
    images = []
    image = tuple(row)
    for _ in range(4):
        image = tuple(image[n * (n - 1 - c) + r] for r in range(n) for c in range(n))
        images += [image, tuple(image[n * r + n - 1 - c] for r in range(n) for c in range(n))]
    return images
