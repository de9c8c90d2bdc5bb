"""Pieces beside the board, numbered sheets, and pages of PDF."""

from __future__ import annotations

import re
import sys
from itertools import islice
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.model.packing import Packing
from rekkyo.render.pdf import pdf
from rekkyo.render.svg.drawing import painting_of, pieces_to_cut_out
from rekkyo.render.svg.markup import bounds
from rekkyo.render.svg.pieces import colors_of_pieces
from tests.programs import rekkyo
from tests.render.pictures import shapes, texts

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PAGE = re.compile(rb"/Type\s*/Page\b")


def areas(drawing: str) -> dict[str, float]:
    """The area of each colour of pieces."""
    found: dict[str, float] = {}
    for shape in shapes(drawing):
        if shape.kind == "rk-piece":
            found[shape.fill] = found.get(shape.fill, 0) + shape.area
    return found


@pytest.mark.parametrize("words", ["pentominoes 6 10", "dominoes 4 4", "polyominoes 4 5 4", "hexiamonds 6 6"])
def test_every_piece_is_beside_the_board_once(words: str) -> None:
    puzzle = rk.puzzle(words)
    model = puzzle.model
    assert isinstance(model, Packing)
    fills = [colors[0] for colors in colors_of_pieces([piece.high != 1 for piece in model.pieces])]
    cell = 24 * 24 if model.lattice.name == "square" else 24 * 24 * 3**0.5 / 4
    drawn = areas(rk.svg(puzzle))
    assert drawn == pytest.approx(
        {fill: len(piece.cells) * cell for fill, piece in zip(fills, model.pieces, strict=True)}, rel=0.01
    )


def test_pieces_stand_apart_and_beside_the_board() -> None:
    puzzle = rk.puzzle("pentominoes 6 10")
    board = painting_of(puzzle)
    drawing = rk.svg(puzzle)
    places = [tuple(map(float, place)) for place in re.findall(r"translate\(([\d.]+) ([\d.]+)\)", drawing)]
    assert places[0][0] > board.width
    assert len(places) >= 13


def test_how_often_a_piece_is_there() -> None:
    said = {text.text for text in texts(rk.svg(rk.puzzle_from_file(EXAMPLES / "slothouber-graatsma.toml")))}
    assert {"b ×6", "c ×3"} <= said
    assert "domino any number" in {text.text for text in texts(rk.svg(rk.puzzle("dominoes 4 4")))}
    assert "at most 1" in {text.text for text in texts(rk.svg(rk.puzzle("tetrasticks")))}


def test_tiles_are_beside_their_board_too() -> None:
    puzzle = rk.puzzle_from_file(EXAMPLES / "seven-hexagons.toml")
    sides = [shape for shape in shapes(rk.svg(puzzle)) if shape.kind == "rk-side"]
    assert len(sides) == 7 * 6


def test_puzzles_without_pieces_are_their_board() -> None:
    assert len(rk.svg(rk.queens(4))) < len(rk.svg(rk.queens(4), (1, 3, 0, 2)))


def test_pieces_to_cut_out_are_there_as_often_as_needed() -> None:
    puzzle = rk.puzzle_from_file(EXAMPLES / "tetrominoes-twice-one-sided.toml")
    assert areas(pieces_to_cut_out(puzzle)) == pytest.approx(
        dict.fromkeys(areas(pieces_to_cut_out(puzzle)), 2 * 4 * 24 * 24)
    )
    with pytest.raises(BadInput, match="no pieces"):
        pieces_to_cut_out(rk.queens(4))


def test_bounds_of_paths() -> None:
    assert bounds("M1 2h3v4h-3Z") == (1, 2, 4, 6)
    assert bounds("M1 2L5 -3H7V9") == (1, -3, 7, 9)
    assert bounds("M0 5a2 2 0 1 0 4 0a2 2 0 1 0 -4 0Z") == (0, 3, 4, 7)


class TestSheets:
    def test_title_numbers_and_which_part(self) -> None:
        puzzle = rk.puzzle("pentominoes 6 10")
        rows = list(islice(rk.solve(puzzle, workers=1), 4))
        said = [text.text for text in texts(rk.sheet(puzzle, rows, columns=2, first=1000, total=9356))]
        assert "The 12 pentominoes on a 6x10 board" in said
        assert "solutions 1,000 to 1,003 of 9,356" in said
        assert {"1,000", "1,001", "1,002", "1,003"} <= set(said)
        assert set("FILNPTUVWXYZ") <= set(said)

    def test_numbers_stand_above_their_solutions(self) -> None:
        drawing = rk.sheet(rk.queens(5), rk.solve(rk.queens(5)), columns=4, first=7)
        numbers = {text.text: text.place for text in texts(drawing) if text.text.isdigit()}
        places = re.findall(r"translate\(([\d.]+) ([\d.]+)\)\"><rect", drawing)
        assert list(numbers) == [str(7 + k) for k in range(10)]
        for (x, y), (left, top) in zip(numbers.values(), places, strict=True):
            assert x == float(left)
            assert 0 < float(top) - y < 13

    @pytest.mark.parametrize(
        ("n", "said"), [(0, "no solution"), (1, "solution 5 of 9"), (2, "solutions 5 to 6 of 9")]
    )
    def test_few(self, n: int, said: str) -> None:
        drawing = rk.sheet(rk.queens(4), [(1, 3, 0, 2)] * n, first=5, total=9)
        assert said in {text.text for text in texts(drawing)}

    def test_a_run_says_how_many_there_are(self, tmp_path: Path) -> None:
        rk.run(rk.queens(6), tmp_path / "q6", workers=1, up_to="none")
        done = rekkyo("draw", tmp_path / "q6", "--sheet", "2x1", "--solution", "1", ok=True)
        assert "solutions 1 to 2 of 4" in {text.text for text in texts(done.stdout)}
        done = rekkyo("draw", "queens", "6", "--sheet", "3x2", ok=True)
        assert "solutions 0 to 3 of 4" in {text.text for text in texts(done.stdout)}


class TestPdf:
    def test_a_page_for_each_picture(self) -> None:
        pictures = [rk.svg(rk.queens(4), theme="light"), rk.svg(rk.puzzle("soma"), theme="light")]
        found = pdf(pictures)
        assert found.startswith(b"%PDF-")
        assert len(PAGE.findall(found)) == 2
        assert found == pdf(pictures), "nothing of the time goes into the file"
        assert b"[ 0 0 595.28 841.89 ]" in pdf(pictures, on_a4=True)

    def test_draw(self, tmp_path: Path) -> None:
        rekkyo("draw", "queens", "4", "--solution", "0", "-o", tmp_path / "q.pdf", ok=True)
        assert len(PAGE.findall((tmp_path / "q.pdf").read_bytes())) == 1

    @pytest.mark.parametrize(("words", "n_pages"), [(["pentominoes", "3", "20"], 3), (["queens", "4"], 2)])
    def test_pages_to_print(self, words: list[str], n_pages: int, tmp_path: Path) -> None:
        done = rekkyo("draw", *words, "--print", "-o", tmp_path / "p.pdf", ok=True)
        assert f"{n_pages} pages" in done.stderr
        assert len(PAGE.findall((tmp_path / "p.pdf").read_bytes())) == n_pages

    def test_refusals(self, tmp_path: Path) -> None:
        for words, said in (
            (["queens", "4", "--print"], "name it with -o"),
            (["queens", "4", "--print", "-o", "x.svg"], "must end in .pdf"),
            (["queens", "4", "--print", "--solution", "1", "-o", "x.pdf"], "leave out --solution"),
        ):
            done = rekkyo("draw", *words)
            assert done.returncode == 2
            assert said in done.stderr

    def test_without_svglib(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "svglib.svglib", None)
        with pytest.raises(BadInput, match=r"rekkyo\[pdf\]"):
            pdf([rk.svg(rk.queens(4))])
