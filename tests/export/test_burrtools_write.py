from __future__ import annotations

from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.export.burrtools import read_burrtools
from rekkyo.export.burrtools_write import write_burrtools

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    "name",
    ["soma", "slothouber-graatsma", "pentominoes", "aztec-diamond", "l-tromino-hole"],
)
def test_what_is_written_has_the_same_solutions(name: str) -> None:
    values = ("4",) if name == "l-tromino-hole" else ()
    puzzle = rk.puzzle_from_file(EXAMPLES / f"{name}.toml", *values)
    again = read_burrtools(write_burrtools(puzzle).encode(), "written")
    assert rk.count(again, up_to="none").total == rk.count(puzzle, up_to="none").total


def test_what_burrtools_cannot_say() -> None:
    with pytest.raises(BadInput, match="squares, triangles, cubes, balls, prisms and tetrahedra only"):
        write_burrtools(rk.queens(4))
    for name, reason in (("tetrominoes-twice-one-sided", "turns flat pieces over"),):
        with pytest.raises(BadInput, match=reason):
            write_burrtools(rk.puzzle_from_file(EXAMPLES / f"{name}.toml"))
