"""The runs in the circle of squares around a square, by the definition; nothing of the reader."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

CLOCKWISE = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
"""The steps from a square to those around it."""


def runs_of_circle(are_in: Sequence[bool]) -> list[int]:
    """The lengths of the runs: of all turns of the circle, one that begins with a gap, if there is a gap."""
    turned = next(([*are_in[k:], *are_in[:k]] for k in range(len(are_in)) if not are_in[k]), [*are_in])
    return [len(list(run)) for is_in, run in groupby(turned) if is_in]
