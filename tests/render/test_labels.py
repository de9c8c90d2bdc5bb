"""Names that do not fit: shortened, all different, and in full in a legend; letters no wider than their place."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.puzzle import Puzzle
from rekkyo.render.labels import shortened
from rekkyo.render.svg.legend import Entry, fitting, legend
from tests.render.pictures import SVG, texts


@given(
    st.lists(st.text("ab", min_size=1, max_size=9), min_size=1, max_size=30, unique=True), st.integers(3, 6)
)
def test_short_names_are_different_and_short(names: list[str], most: int) -> None:
    short = shortened(names, most)
    assert len(set(short)) == len(names)
    assert all(len(mark) <= max(most, len(str(len(names))) + 2) for mark in short)
    assert all(mark == name for mark, name in zip(short, names, strict=True) if len(name) <= most)


def test_same_names_are_shortened_in_the_same_way() -> None:
    assert shortened(["elephant", "elephant"], 4) == ["ele…", "ele…"]


def drawn(puzzle: Puzzle, row: tuple[int, ...] | None = None) -> set[str]:
    return {text.text for text in texts(rk.svg(puzzle, row))}


def test_pieces() -> None:
    text = 'kind = "packing"\nboard = "#####\\n"\n[pieces]\nsnake = "##\\n"\nI = "###\\n"\n'
    puzzle = read_toml(text, "x.toml")
    for row in rk.solve(puzzle, up_to="none", workers=1):
        assert {"sn…", "I", "sn… = snake"} <= drawn(puzzle, row)


def test_variables_without_a_board() -> None:
    problem = rk.Problem()
    problem.variables(["alpha", "a_rather_long_variable_name", "a_rather_long_variable_name_2"], range(1, 4))
    said = drawn(problem.puzzle("p", "p"), (0, 1, 2))
    assert {"alpha", "1", "2", "3"} <= said
    assert {line.partition(" = ")[2] for line in said if " = " in line} == {
        "a_rather_long_variable_name",
        "a_rather_long_variable_name_2",
    }


def test_cells_with_names() -> None:
    puzzle = Puzzle("c", rk.Coloring(3, 2, ((0, 1),), names=("north", "south", "e")), "c")
    assert {"nor…", "sou…", "e", "nor… = north", "sou… = south"} <= drawn(puzzle, (0, 1, 0))


def test_points_of_ramsey_have_numbers() -> None:
    assert {"1", "2", "3", "4", "5"} <= drawn(rk.puzzle("ramsey 3 3 5"))


@pytest.mark.parametrize("numbers", [[1, 2, 3, 4], [100001, 100002, 100003, 100004]])
def test_numbers_are_no_wider_than_their_cells(numbers: list[int]) -> None:
    puzzle = rk.sum_figure("a b, c d, a c", numbers=numbers)
    side = 1.35 * 24
    for element in ElementTree.fromstring(rk.svg(puzzle, (0, 1, 2, 3))).iter(f"{SVG}text"):
        assert len(element.text or "") * 0.62 * float(element.get("font-size", "")) <= 0.81 * side


def test_letters_and_legends() -> None:
    assert fitting(10, ["abc"], 100) == 10
    assert fitting(10, ["a" * 100], 62) == pytest.approx(1)
    assert fitting(10, [], 5) <= 10
    assert legend([], 30, 40) == ("", 30, 40)
    found = legend([Entry("one", "#fff"), Entry("two", "#000")], 10, 40)
    assert found.width >= 12 + 14 + 3 * 6.3
    assert found.height == 40 + 15 + 2 * 15
    assert found.drawn.count("<circle") == 2


def test_thousands_of_vertices_whose_names_begin_alike() -> None:
    """The shortened names of the last ones have five letters."""
    edges = [(f"vertex {k}", f"vertex {k + 1}") for k in range(1200)]
    assert "…1001" in drawn(rk.graph(edges).independent_sets())


def test_a_coloring_without_a_name() -> None:
    assert {"1", "2", "3"} <= drawn(rk.Puzzle("", rk.Coloring(3, 2, ((0, 1),)), "three cells"), (0, 1, 0))


def test_line_breaks_in_names_are_escaped() -> None:
    """A name on two lines looked like two variables."""
    problem = rk.Problem()
    problem.variables(["a\nb", "c d"], [1])
    line = rk.Line((0, 1), 3)
    models: dict[str, rk.Csp | rk.ExactCover | rk.Coloring | rk.SumFigure] = {
        "a\\nb = 1\nc d = 1": problem.model(),
        "a\\nb c:\\n1": rk.ExactCover(("a\nb",), ("c",), (((0, 0), (1, 1)),), color_names=("\n1",)),
        "1: a\\nb\n2:": rk.Coloring(1, 2, names=("a\nb",), fixed=((0, 0),)),
        "a\\nb c: 1 2": rk.SumFigure(("a\nb", "c"), (1, 2), (line,), orders=((0, 1),)),
    }
    for drawn, model in models.items():
        puzzle = rk.Puzzle("names", model, "names")
        assert rk.board(puzzle, next(rk.solve(puzzle))) == drawn
