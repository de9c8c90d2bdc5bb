"""The drawings that are kept as files, and how to write them anew: python -m tests.render.golden"""

from __future__ import annotations

from pathlib import Path

import rekkyo as rk
from rekkyo.model.row import Row

FOLDER = Path(__file__).resolve().parent.parent / "data" / "golden"

CASES: dict[str, tuple[str, Row | None]] = {
    "queens": ("queens 5 --blocked 4,4 --given 0,0", (0, 2, 4, 1, 3)),
    "pentominoes": ("pentominoes 3 20", (78, 153, 244, 386, 511, 731, 756, 937, 990, 1011, 1140, 1230)),
    "dominoes": ("dominoes 3 2", (0, 2, 4)),
    "soma": ("soma", (56, 108, 227, 350, 463, 601, 621)),
    "hip": ("hip 3 --any-balance", (0, 0, 1, 0, 1, 1, 1, 0, 0)),
    "schur": ("schur 2 4", (0, 1, 1, 0)),
    "ramsey": ("ramsey 3 3 5", (0, 0, 1, 1, 1, 0, 1, 1, 0, 0)),
    "magic-square": ("magic-square 3 --given 5@centre", (1, 6, 5, 8, 4, 0, 3, 2, 7)),
    "magic-star": ("magic-star 5", (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)),
    "magic-hexagon": ("magic-hexagon 2", (0, 1, 2, 3, 4, 5, 6)),
    "langford": ("langford 3", (1, 6, 7)),
}
"""Words of the catalog and a row of the right form, or none; not all are solutions, because drawing does not check that."""


def drawn(name: str) -> str:
    """The drawing of a case."""
    words, row = CASES[name]
    return rk.svg(rk.puzzle(words), row)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for case in CASES:
        (FOLDER / f"{case}.svg").write_text(drawn(case), encoding="utf-8")
