"""Packings out of puzzle files: pieces, times, cells that may stay empty, cells for a piece, polyforms."""

from __future__ import annotations

import pytest

import rekkyo as rk
from rekkyo.errors import BadFile
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.lattices import SQUARE
from rekkyo.model.lattices.shapes import orientations
from rekkyo.model.packing import Packing
from tests import naive_packing
from tests.export.test_puzzle_toml import model_of


class TestPacking:
    def test_pieces_in_one_drawing_or_one_by_one(self) -> None:
        board = 'kind = "packing"\nboard = """\n###\n###\n###"""\n'
        together = model_of(board + "pieces = '''\nAAA BB\nA.. BB\nA.. ..'''")
        alone = model_of(board + "[pieces]\nA = '''\nxxx\nx..\nx..'''\nB = '''\nyy\nyy'''")
        assert isinstance(together, Packing)
        assert together.cover() == alone.cover()  # type: ignore[attr-defined]

    @pytest.mark.parametrize(
        ("times", "bounds"),
        [
            ("2", (2, 2)),
            ("[1, 3]", (1, 3)),
            ('"any"', (0, None)),
            ('[1, "any"]', (1, None)),
            ('"once"', (1, 1)),
            ('"at most once"', (0, 1)),
            ('"at most twice"', (0, 2)),
            ('"twice"', (2, 2)),
            ('"exactly 1"', (1, 1)),
            ('"at least once"', (1, None)),
            ('"at most 3"', (0, 3)),
            ('"at least 2"', (2, None)),
        ],
    )
    def test_times(self, times: str, bounds: tuple[int, int | None]) -> None:
        model = model_of(f'kind = "packing"\nboard = "????"\n[pieces]\nD = "##"\n[times]\nD = {times}')
        assert isinstance(model, Packing)
        assert (model.pieces[0].low, model.pieces[0].high) == bounds

    def test_times_for_all_pieces_and_for_the_rest(self) -> None:
        head = 'kind = "packing"\nboard = "???"\npieces = "AA.B.C"\n'
        for times, bounds in (
            ('times = "at most once"', [(0, 1)] * 3),
            ("times = [0, 2]", [(0, 2)] * 3),
            ('[times]\n"*" = "at most once"\nB = "any"', [(0, 1), (0, None), (0, 1)]),
        ):
            model = model_of(head + times)
            assert isinstance(model, Packing)
            assert [(piece.low, piece.high) for piece in model.pieces] == bounds

    @pytest.mark.parametrize("times", ["0", "[0, 0]", '"at most 0"'])
    def test_a_piece_that_is_not_used_is_left_out(self, times: str) -> None:
        model = model_of(f'kind = "packing"\nboard = "rectangle 4 4"\npolyforms = 4\n[times]\nO = {times}')
        assert isinstance(model, Packing)
        assert [piece.name for piece in model.pieces] == ["I", "L", "S", "T"]

    @pytest.mark.parametrize("times", ["at least 70000", "at most", "at most 1.5", "at 2", "2"])
    def test_words_that_say_no_times(self, times: str) -> None:
        with pytest.raises(BadFile, match=r'5:5: "D" is used 2, .*; or "once", "at most once", "at least 2"'):
            model_of(f'kind = "packing"\nboard = "????"\npieces = "DD"\n[times]\nD = "{times}"')

    def test_cells_that_may_stay_empty(self) -> None:
        text = 'kind = "packing"\nboard = "##??"\npieces = "AA.B"\n[times]\nB = [0, 1]'
        model = model_of(text)
        assert isinstance(model, Packing)
        assert model.optional == {(0, 2), (0, 3)}
        board, pieces = sorted(model.board), [(p.name, p.cells, p.low, p.high) for p in model.pieces]
        wanted = list(naive_packing.packings(board, pieces, optional=model.optional))
        assert rk.count(read_toml(text, "mine.toml")).total == len(wanted) == 4

    @pytest.mark.parametrize("said", ['["x", "y"]', '"##.#"'])
    def test_pieces_lie_only_on_some_cells(self, said: str) -> None:
        text = f'kind = "packing"\nboard = "xxzy"\npieces = "AA.B"\nfilled = false\n[only_on]\nB = {said}'
        model = model_of(text)
        assert isinstance(model, Packing)
        assert [piece.only_on for piece in model.pieces] == [None, {(0, 0), (0, 1), (0, 3)}]
        pieces = [(p.name, p.cells, p.low, p.high) for p in model.pieces]
        only_on = {"B": [(0, 0), (0, 1), (0, 3)]}
        wanted = list(naive_packing.packings(model.board, pieces, filled=False, only_on=only_on))
        assert rk.count(read_toml(text, "mine.toml")).total == len(wanted) == 5

    @pytest.mark.parametrize(
        ("said", "names"),
        [
            ("polyforms = 5", "F I L N P T U V W X Y Z"),
            ("polyforms = 4\nreflections = false", "I L l O S s T"),
            ("polyforms = [1, 3]", "11 3I 3L"),
            ('polyforms = 2\npieces = "AA.B"', "A B 1"),
            ('polyforms = 3\nlattice = "cube"', "1 2"),
            ('polyforms = 5\nlattice = "cube"', " ".join(map(str, range(1, 24)))),
            ("polyforms = 7", " ".join(map(str, range(1, 109)))),
            ('polyforms = 3\nlattice = "hexagon"\nreflections = false', "1 2 3"),
            ("polyforms = 6\nreflections = false", " ".join(map(str, range(1, 61)))),
        ],
    )
    def test_all_polyforms_of_an_order(self, said: str, names: str) -> None:
        text = f'kind = "packing"\nboard = "#"\nfilled = false\ntimes = "at most once"\n{said}'
        model = model_of(text)
        assert isinstance(model, Packing)
        assert [piece.name for piece in model.pieces] == names.split()

    def test_a_small_letter_is_the_mirror_image(self) -> None:
        head = 'kind = "packing"\nboard = "#"\nfilled = false\ntimes = "any"\nreflections = false\n'
        named = {piece.name: piece for piece in model_of(head + "polyforms = 5").pieces}  # type: ignore[attr-defined]
        assert len(named) == 18
        for name in "FLNPYZ":
            drawn, mirrored = named[name].cells, named[name.lower()].cells
            assert mirrored in [
                frozenset(shape)
                for shape in orientations(SQUARE, [(r, -c) for r, c in drawn], reflections=False)
            ]

    def test_a_given_piece_stays_where_it_is_drawn(self) -> None:
        text = 'kind = "packing"\nboard = "######"\npieces = "AA.BBBB"\ngiven = "....AA"'
        puzzle = read_toml(text, "mine.toml")
        assert rk.count(puzzle).total == 1
        assert rk.board(puzzle, next(iter(rk.solve(puzzle)))) == "BBBBAA"

    def test_every_lattice(self) -> None:
        drawings = {
            "square": "##",
            "cube": "## ##",
            "triangle": "##",
            "hexagon": "# #",
            "quartered": ".#.\n#.#\n.#.",
            "edges": "+-+-+",
        }
        for lattice, drawing in drawings.items():
            text = f'kind = "packing"\nlattice = "{lattice}"\nboard = """\n{drawing}"""\npieces = """\n{drawing}"""'
            puzzle = read_toml(text.replace("pieces = ", "[pieces]\nA = ").replace("+", "."), "mine.toml")
            assert rk.count(puzzle).total >= 1
