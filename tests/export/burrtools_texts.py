"""Texts of BurrTools puzzles for tests, made from drawings of shapes."""

from __future__ import annotations

from typing import Any


def voxel(x: int, y: int, z: int, marks: str, name: str = "") -> str:
    return f'<voxel x="{x}" y="{y}" z="{z}" type="0" name="{name}">{marks}</voxel>'


def puzzle_text(
    shapes: list[str],
    uses: str,
    result: int,
    *,
    grid: str = "0",
    before: str = "",
    problem: str = "",
    n_colors: int = 0,
    pairs: tuple[tuple[int, int], ...] = (),
) -> bytes:
    colors = '<color red="1" green="2" blue="3"/>' * n_colors
    bitmap = "".join(f'<pair piece="{piece}" result="{on}"/>' for piece, on in pairs)
    voxels = "".join(shape + "\n" for shape in shapes)
    return (
        f'<?xml version="1.0"?>\n{before}<puzzle version="2">\n<gridType type="{grid}"/>\n<colors>{colors}</colors>\n'
        f"<shapes>\n{voxels}</shapes>\n"
        f'<problems><problem name="p" state="0"{problem}>\n<shapes>{uses}</shapes>\n<result id="{result}"/>\n'
        f"<bitmap>{bitmap}</bitmap></problem></problems>\n<comment>a &amp; b</comment>\n</puzzle>\n"
    ).encode()


def use(number: int, count: int = 1) -> str:
    return f'<shape id="{number}" count="{count}"/>'


def uses(n_pieces: int) -> str:
    return "".join(use(number) for number in range(n_pieces))


def flat(marks: str = "######", pieces: str = "###", more: str = "", **options: Any) -> bytes:
    """A bar to be put twice into a box, or as `more` says."""
    sides = [sum(map(text.count, "#+_?")) for text in (pieces, marks)]
    shapes = [voxel(sides[0], 1, 1, pieces, "bar"), voxel(sides[1], 1, 1, marks, "box")]
    return puzzle_text(shapes, more or use(0, 2), 1, **options)
