"""The ladder for Hip: three techniques in two forms each.

    brute force      looks only at complete boards
    cell by cell     looks at each square as it is completed
    joining          puts boards together from four smaller ones, as the blog of its source does

The rows are those of `rekkyo.catalog.hip`: position = cell, row by row; value = colour. All of them look for
balanced boards.
"""

from __future__ import annotations

from rekkyo.methods.hip import brute_force, cell_by_cell, joining
from rekkyo.methods.ladder import Method

TECHNIQUES = (brute_force, cell_by_cell, joining)

HIP_METHODS: tuple[Method, ...] = tuple(
    method for technique in TECHNIQUES for method in (technique.RECURSIVE, technique.ITERATIVE)
)
