"""Small packings with colours: counted by every engine, from Python, from TOML and from files of BurrTools."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import rekkyo as rk
from rekkyo.catalog.own_symmetry import with_own_symmetry
from rekkyo.designer.edits.changes import changed
from rekkyo.designer.first_text import text_of_puzzle
from rekkyo.engines import registry
from rekkyo.errors import BadInput, BadModel
from rekkyo.export.burrtools import read_burrtools
from rekkyo.export.burrtools_write import write_burrtools
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.lattices import BALLS, CUBE, SQUARE, Cell
from rekkyo.model.packing import Packing, Piece
from rekkyo.render.understood import understood
from tests.export.test_puzzle_toml import model_of
from tests.fuzz.files import toml_of
from tests.fuzz.oracle import packings_of
from tests.model.test_cell_colors import colors
from tests.model.test_packing import I1, I2, rectangle

BOARD = rectangle(3, 4)


def cut(seed: int) -> Packing:
    """Pieces cut out of a board whose colours may have a mirror; some squares may stay empty."""
    rng = random.Random(seed)
    width = 2 if rng.random() < 0.7 else 4
    half = {cell: rng.choice("xo") for cell in sorted(rectangle(3, width))}
    of_board = {(r, c): half[r, min(c, 3 - c) if width == 2 else c] for r, c in BOARD}
    free, pieces = set(BOARD), []
    while free:
        cells = [min(free)]
        while len(cells) < 4 and rng.random() < 0.9:
            r, c = rng.choice(cells)
            around = [cell for cell in ((r, c + 1), (r + 1, c), (r, c - 1)) if cell in free - set(cells)]
            cells += around[:1]
        free -= set(cells)
        own = frozenset((cell, of_board[cell]) for cell in cells)
        pieces.append(Piece("ABCDEFGHIJKL"[len(pieces)], frozenset(cells), colors=own))
    pairs = frozenset({("x", "x"), ("o", "o"), ("o", "x")}) if rng.random() < 0.3 else None
    optional = frozenset({(0, 0), (0, 3)}) if rng.random() < 0.4 else frozenset()
    if optional:
        pieces.append(Piece("Z", I1, 0, 2))
    only_on = frozenset(cell for cell in BOARD if cell[0] > 0 or cell[1] in (0, 3))
    pieces[-1] = replace(pieces[-1], only_on=only_on) if rng.random() < 0.4 else pieces[-1]
    model = Packing(SQUARE, BOARD, tuple(pieces), optional=optional, colors=frozenset(of_board.items()))
    some = replace(model, color_pairs=pairs)
    try:
        some.row_shape  # noqa: B018 - places the pieces, which may raise
    except BadModel:
        return model
    return some


def orbits(model: Packing, solutions: set[frozenset[tuple[str, frozenset[Cell]]]]) -> int:
    """Solutions up to the moves of the board that keep its colours, and the places of each piece."""
    placed = {(name, frozenset(cells)) for name, cells in model.placements()}
    moves = [
        move
        for move in (lambda r, c: (r, 3 - c), lambda r, c: (2 - r, c), lambda r, c: (2 - r, 3 - c))
        if {(move(*cell), color) for cell, color in model.colors} == model.colors
        and {move(*cell) for cell in model.optional} == model.optional
        and {(name, frozenset(move(*cell) for cell in cells)) for name, cells in placed} == placed
    ]
    classes = {
        min(
            [sorted((name, sorted(cells)) for name, cells in found)]
            + [sorted((name, sorted(move(*c) for c in cells)) for name, cells in found) for move in moves]
        ).__repr__()
        for found in solutions
    }
    return len(classes)


COLOR_RULES_OUT_MORE = 1038
"""The squares that a piece may cover have no mirror, and its places have one, because of its colour."""


@pytest.mark.parametrize("seed", [*range(16), COLOR_RULES_OUT_MORE])
def test_every_engine_and_every_file_count_what_the_definition_says(seed: int) -> None:
    model = cut(seed)
    wanted = set(packings_of(model))
    assert wanted
    puzzle, _ = with_own_symmetry(rk.Puzzle(f"coloured {seed}", model, "coloured"))
    for again in (
        puzzle,
        read_toml(toml_of(model), "toml"),
        read_toml(text_of_puzzle(puzzle), "design"),
        read_burrtools(write_burrtools(puzzle).encode(), "burr.xmpuzzle"),
    ):
        result = rk.count(with_own_symmetry(again)[0])
        assert (result.total, result.unique) == (len(wanted), orbits(model, wanted))
    for engine in registry.engines_for(model):
        assert rk.count(puzzle, up_to="none", engine=engine.name).total == len(wanted)
    placements = model.placements()
    found = {
        frozenset((placements[n].piece, frozenset(placements[n].cells)) for n in row if n < len(placements))
        for row in rk.solve(puzzle)
    }
    assert found == wanted
    assert all(rk.verify(puzzle, row) == [] for row in rk.solve(puzzle, limit=5))


def test_some_of_them_have_symmetries_and_some_do_not() -> None:
    models = [cut(seed) for seed in range(16)]
    found = [(model, set(packings_of(model))) for model in models]
    orders = {orbits(model, packings) < len(packings) for model, packings in found}
    assert orders == {True, False}


@pytest.mark.parametrize("lattice", [CUBE, BALLS], ids=lambda lattice: lattice.name)
def test_solid_pieces_with_colours_are_written_for_burrtools(lattice: object) -> None:
    """Four balls or cubes at the corner of a box; each in the colour of its layer, or one layer for all."""
    assert lattice in (CUBE, BALLS)
    cells = [(0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 1, 0)]
    board = frozenset((z, r, c) for z in range(2) for r in range(3) for c in range(3))
    of_piece = frozenset((cell, "ab"[cell[0]]) for cell in cells)
    pieces = (
        Piece("P", frozenset(cells), 0, 1, colors=of_piece),
        Piece("Q", frozenset(cells[:2]), 0, 2, only_on=frozenset(cell for cell in board if cell[0] == 0)),
    )
    kind = CUBE if lattice == CUBE else BALLS
    of_board = frozenset((cell, "ab"[cell[0]]) for cell in board)
    model = Packing(kind, board, pieces, reflections=False, filled=False, colors=of_board)
    puzzle = rk.Puzzle("solid", model, "solid")
    again = read_burrtools(write_burrtools(puzzle).encode(), "s.xmpuzzle")
    assert isinstance(again.model, Packing)
    assert again.model.lattice == lattice
    assert len(again.model.placements()) == len(model.placements()) > 20
    assert rk.count(again, up_to="none").total == rk.count(puzzle, up_to="none").total
    assert rk.count(puzzle, up_to="none", engine="csp-plain").total == rk.count(puzzle, up_to="none").total


def test_more_colours_than_burrtools_has() -> None:
    board = rectangle(8, 8)
    piece = Piece("Q", I1, 64, 64, colors=frozenset({((0, 0), "!")}))
    marks = [chr(0x100 + number) for number in range(64)]
    others = tuple(
        Piece(f"p{number}", I1, 0, 1, colors=frozenset({((0, 0), mark)})) for number, mark in enumerate(marks)
    )
    of_board = frozenset(zip(sorted(board), marks, strict=True))
    model = Packing(SQUARE, board, (replace(piece, low=0), *others), filled=False, colors=of_board)
    with pytest.raises(BadInput, match="cannot be written for BurrTools: it needs 65 colours"):
        write_burrtools(rk.Puzzle("many", model, "many"))


class TestPython:
    def test_colours_as_drawings(self) -> None:
        options = {"board": "wbwb\nbwbw", "pieces": "wbwb\nbwbw"}
        puzzle = rk.packing("####\n####", "AAAB\nABBB", colors=options)
        model = puzzle.model
        assert isinstance(model, Packing)
        assert model.colors == colors("wbwb\nbwbw")
        assert model.pieces[0].colors == {((0, 0), "w"), ((0, 1), "b"), ((0, 2), "w"), ((1, 0), "b")}
        assert rk.count(puzzle, up_to="none").total == len(set(packings_of(model))) > 0

    def test_which_colours_fit(self) -> None:
        def total(*fits: str) -> int:
            said = {"board": "xyxy", "pieces": "ab", "fits": fits}
            return rk.count(rk.packing("####", "AA", colors=said, filled=False), up_to="none").total

        assert (total("ax", "by"), total("ax"), total()) == (3, 0, 0)

    @pytest.mark.parametrize(
        ("said", "complaint"),
        [
            (3, 'packing: colors is a dictionary such as {"board": "xo", "pieces": "ox"}, not 3'),
            ({"bord": "xo"}, "packing: colors is a dictionary such as"),
            ([], 'packing: colors is a dictionary such as {"board": "xo", "pieces": "ox"}, not []'),
            ({"board": 3}, "packing: colors is a dictionary such as"),
            ({"board": "xxx"}, "packing: the board has a colour on 0,2, which is none of its cells"),
            ({"pieces": "..x"}, "packing: the drawing of the pieces has a colour on 0,2, which is none"),
            ({"fits": ["abc"]}, "packing: the colours that fit are texts of two marks, such as"),
            ({"fits": 3}, "packing: the colours that fit are texts of two marks, such as"),
            (
                {"board": "ab", "pieces": "xx", "fits": ["xc"]},
                'packing: "xc" is not a colour of a piece and a colour of the board; pieces have x, the board',
            ),
            (
                {"fits": ["ab"]},
                'packing: "ab" is not a colour of a piece and a colour of the board; pieces have none, the',
            ),
            ({"pieces": "xo"}, 'packing: piece "A" can lie on 0,0 0,1 in 2 ways that differ only in'),
        ],
    )
    def test_refusals(self, said: object, complaint: str) -> None:
        with pytest.raises(BadInput) as refusal:
            rk.packing("##", "AA", colors=said)  # type: ignore[arg-type]
        assert str(refusal.value).startswith(complaint)
        assert "\n" not in str(refusal.value)


HEAD = 'kind = "packing"\nboard = "####"\n'


class TestToml:
    def test_one_drawing_of_all_pieces_or_one_for_each(self) -> None:
        board = '\n[colors]\nboard = "wbwb"\n'
        together = model_of(f'{HEAD}pieces = "AA.BB"{board}pieces = "wb.w"')
        alone = model_of(f'{HEAD}[pieces]\nA = "AA"\nB = "..BB"{board}[colors.pieces]\nA = "wb"\nB = "..w"')
        assert isinstance(together, Packing)
        assert isinstance(alone, Packing)
        assert together.cover() == alone.cover()
        assert together.pieces[1].colors == {((0, 3), "w")}

    def test_a_piece_drawn_in_points_has_no_colours(self) -> None:
        text = f'{HEAD}[pieces]\nA = "AA"\nB = "BB"\n[colors]\nboard = "wbwb"\n[colors.pieces]\nA = "wb"\n'
        assert model_of(f'{text}B = ".."') == model_of(text)

    def test_one_drawing_colours_the_drawn_pieces_and_no_polyform(self) -> None:
        text = f'{HEAD.replace("####", "#####")}pieces = "AA"\npolyforms = 3\ntimes = "any"\n'
        text += '[colors]\nboard = "wbwbw"\npieces = "wb"'
        for again in (text, changed(text, {"do": "turn", "name": "A", "how": "turn", "number": 2})):
            model = model_of(again)
            assert isinstance(model, Packing)
            assert {piece.name: len(piece.colors) for piece in model.pieces} == {"A": 2, "I": 0, "L": 0}

    @pytest.mark.parametrize(
        ("said", "complaint"),
        [
            ('bord = "wbwb"', '5:1: there is no key "bord" in [colors]; did you mean "board"?'),
            ('board = "wbwbw"', "5:1: the board has a colour on 0,4, which is none of its cells"),
            ('pieces = "wbw"', "5:1: no piece has the cell 0,2, which is drawn in the colour w"),
            ('pieces = { C = "wb" }', '5:12: there is no piece "C"'),
            ('pieces = { A = "wbw" }', '5:12: piece "A" has a colour on 0,2, which is none of its cells'),
            ("pieces = 3", '5:10: "pieces" is a whole number; write'),
            (
                'board = "w"\npieces = "wb"\nfits = ["wb"]',
                '7:9: "wb" is not a colour of a piece and a colour',
            ),
            ('board = "w"\npieces = "wb"\nfits = ["bww"]', '7:9: "bww" is not a colour of a piece and a'),
            (
                'pieces = "wb"',
                '2:1: piece "A" can lie on 0,0 0,1 in 2 ways that differ only in their colours',
            ),
        ],
    )
    def test_refusals(self, said: str, complaint: str) -> None:
        text = f'{HEAD}pieces = "AA.BB"\n[colors]\n{said}'
        with pytest.raises(BadInput) as refusal:
            model_of(text)
        assert str(refusal.value).startswith(f"mine.toml:{complaint}")
        assert "\n" not in str(refusal.value)

    def test_named_pieces_are_coloured_in_a_table_inside_that_of_colours(self) -> None:
        with pytest.raises(BadInput) as refusal:
            model_of(f'{HEAD}[pieces]\nA = "AA"\nB = "BB"\n[colors]\npieces = "wb"')
        assert str(refusal.value) == 'mine.toml:7:10: "pieces" is a text; write a table, [colors.pieces]'

    def test_the_description_shows_them(self) -> None:
        text = f'{HEAD}pieces = "AA.BB"\n[colors]\nboard = "wbw."\npieces = "wb"\nfits = ["wb", "bw"]'
        lines = understood(read_toml(text, "mine.toml"))
        at = lines.index("colours of 3 cells of the board; fitting: b on w, w on b")
        assert lines[at + 1] == "  wbw#"
        assert lines[-4:] == [
            "  A: 2 cells, 4 orientations, 3 placements, once, colours on 2 cells",
            "    wb",
            "  B: 2 cells, 2 orientations, 3 placements, once",
            "    BB",
        ]


class TestTheDesignPage:
    """Colours move with the pieces and with the board."""

    text = f'{HEAD}pieces = "AA BB\\n   B"\n[colors]\nboard = "wbwb"\npieces = "wb bw"\n'.replace(
        '"AA BB\\n   B"', "'''\nAA BB\n.  B.\n'''"
    ).replace('"####"', "'''\n####\n#...\n'''")

    def test_a_piece_is_turned(self) -> None:
        text = changed(self.text, {"do": "turn", "name": "B", "how": "turn"})
        model = model_of(text)
        assert isinstance(model, Packing)
        before = model_of(self.text)
        assert isinstance(before, Packing)
        assert text != self.text
        assert model.cover() == before.cover()

    def test_a_piece_is_painted(self) -> None:
        """The first cell goes; the drawing of the piece moves, and the colour of the other with it."""
        text = changed(self.text, {"do": "piece", "name": "A", "spots": [[0, 0, 1], [0, 0, 2]]})
        model = model_of(text)
        assert isinstance(model, Packing)
        assert next((p.name, p.cells, p.colors) for p in model.pieces) == ("A", I2, {((0, 0), "b")})
        gone = changed(text, {"do": "piece", "name": "A", "spots": []})
        assert "A" not in gone.split("[colors.pieces]")[1]

    def test_the_board_moves(self) -> None:
        text = changed(self.text, {"do": "paint", "of": "board", "spots": [[0, -1, 0]], "mark": "#"})
        assert "board = '''\n....\nwbwb\n'''" in text
