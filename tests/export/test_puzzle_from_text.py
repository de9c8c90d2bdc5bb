"""Puzzle files as texts in Python."""

from __future__ import annotations

from pathlib import Path

import pytest

import rekkyo as rk

GRID = """
kind = "grid"
board = "rectangle 4 4"
values = "1..4"
[[different]]
regions = ["rows", "columns", "boxes 2x2"]
"""


def test_the_same_puzzle_as_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GRID, encoding="utf-8")
    of_text, of_file = rk.puzzle_from_text(GRID, "mine"), rk.puzzle_from_file(path)
    assert of_text.name == "mine"
    assert of_text.model == of_file.model
    counted = rk.count(of_text)
    assert (counted.total, counted.unique) == (rk.count(of_file).total, rk.count(of_file).unique)
    assert counted.total == 288  # A107739


def test_a_member_of_a_family() -> None:
    family = GRID.replace("4", "{n}").replace(', "boxes 2x2"', "") + '[family]\nn = "1..4"\n'
    assert [rk.count(rk.puzzle_from_text(family, "mine", n)).total for n in (2, 3, 4)] == [2, 12, 576]
    lines = list(rk.bfile(lambda n: rk.puzzle_from_text(family, "mine", n), range(1, 4)))
    assert lines[-3:] == ["1 1\n", "2 2\n", "3 12\n"]
    with pytest.raises(rk.BadInput, match=r"give n \(1..4\) after its name, such as: mine 1"):
        rk.puzzle_from_text(family, "mine")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (GRID.replace("1..4", "1..many"), "mine:4:"),
        ("kind =", "mine:1:"),
        ('kind = "graph"\nfile = "secret.col"\nfind = "colorings"', "mine:"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text: str, complaint: str) -> None:
    with pytest.raises(rk.BadInput, match=complaint) as found:
        rk.puzzle_from_text(text, "mine")
    assert "\n" not in str(found.value)


def test_a_byte_order_mark_is_left_out() -> None:
    assert rk.puzzle_from_text("\ufeff" + GRID).model == rk.puzzle_from_text(GRID).model


def test_other_types_are_refused() -> None:
    with pytest.raises(rk.BadInput, match="is a text"):
        rk.puzzle_from_text(b"kind")  # type: ignore[arg-type]
    with pytest.raises(rk.BadInput, match="is a text"):
        rk.puzzle_from_text(GRID, name=3)  # type: ignore[arg-type]
