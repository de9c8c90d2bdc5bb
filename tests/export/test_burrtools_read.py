"""Puzzles in files of BurrTools: how pieces, colours, holes, groups, spheres and several problems are read and counted."""

from __future__ import annotations

import gzip
from itertools import combinations, product
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.export.burrtools import read_burrtools
from rekkyo.model.lattices import CUBE, SQUARE
from rekkyo.model.packing import Packing
from tests import naive_packing
from tests.export.burrtools_texts import flat, puzzle_text, use, uses, voxel
from tests.fuzz.oracle import packings_of

SOMA = {
    "V": (2, 2, 1, "###_"),
    "L": (3, 2, 1, "####__"),
    "T": (3, 2, 1, "###_#_"),
    "Z": (3, 2, 1, "##__##"),
    "A": (2, 2, 2, "#_#_##__"),
    "B": (2, 2, 2, "#_###___"),
    "P": (2, 2, 2, "###_#___"),
}


class TestSoma:
    shapes = [voxel(*shape, name) for name, shape in SOMA.items()] + [voxel(3, 3, 3, "#" * 27)]

    def test_has_its_published_count_plain_and_compressed(self, tmp_path: Path) -> None:
        text = puzzle_text(self.shapes, uses(7), 7)
        for name, content in (("plain", text), ("packed", gzip.compress(text))):
            path = tmp_path / f"{name}.xmpuzzle"
            path.write_bytes(content)
            puzzle = rk.puzzle_from_file(path)
            result = rk.count(puzzle)
            assert (result.total, result.unique) == (11520, 240)

    def test_is_on_the_cubic_lattice_and_not_mirrored(self) -> None:
        model = read_burrtools(puzzle_text(self.shapes, uses(7), 7), "s.xmpuzzle").model
        assert isinstance(model, Packing)
        assert (model.lattice, model.reflections, model.filled) == (CUBE, False, True)
        assert [piece.name for piece in model.pieces] == list(SOMA)


def test_names_and_comments_may_be_latin_1_without_a_declaration() -> None:
    shapes = [voxel(2, 1, 1, "##", "Götz"), voxel(2, 2, 1, "####")]
    text = puzzle_text(shapes, use(0, 2), 1).decode()
    for content in (text.encode(), text.encode("latin-1")):
        model = read_burrtools(content, "g.xmpuzzle").model
        assert isinstance(model, Packing)
        assert [piece.name for piece in model.pieces] == ["Götz"]


class TestFlat:
    def test_is_in_the_plane_and_may_be_turned_over(self) -> None:
        model = read_burrtools(flat(), "f.xmpuzzle").model
        assert isinstance(model, Packing)
        assert (model.lattice, model.reflections) == (SQUARE, True)
        assert (model.pieces[0].low, model.pieces[0].high) == (2, 2)

    def test_at_least_and_at_most(self) -> None:
        model = read_burrtools(flat("++++++", more='<shape id="0" min="0" max="2"/>'), "f.xmpuzzle").model
        assert isinstance(model, Packing)
        assert (model.pieces[0].low, model.pieces[0].high, model.filled) == (0, 2, False)

    def test_cells_that_may_be_empty_but_are_all_needed(self) -> None:
        model = read_burrtools(flat("###+++"), "f.xmpuzzle").model
        assert isinstance(model, Packing)
        assert model.filled

    def test_a_flat_puzzle_counts_the_same_in_space(self) -> None:
        standing = [voxel(1, 1, 3, "###", "bar"), voxel(3, 3, 1, "#" * 9)]
        total = rk.count(
            read_burrtools(puzzle_text(standing, use(0, 3), 1), "f.xmpuzzle"), up_to="none"
        ).total
        lying = [voxel(3, 1, 1, "###", "bar"), voxel(3, 3, 1, "#" * 9)]
        assert total == 2
        assert (
            rk.count(read_burrtools(puzzle_text(lying, use(0, 3), 1), "f.xmpuzzle"), up_to="none").total == 2
        )

    def test_shapes_with_no_name_or_one_name(self) -> None:
        shapes = [
            voxel(1, 1, 1, "#"),
            voxel(1, 1, 1, "#", "a b"),
            voxel(1, 1, 1, "#", "a b"),
            voxel(3, 1, 1, "###"),
        ]
        model = read_burrtools(puzzle_text(shapes, uses(3), 3), "f.xmpuzzle").model
        assert isinstance(model, Packing)
        assert [piece.name for piece in model.pieces] == ["S1", "a_b", "a_b#3"]

    def test_a_shape_may_have_the_name_that_another_one_would_get(self) -> None:
        shapes = [voxel(1, 1, 1, "#", name) for name in ("a", "a#3", "a")] + [voxel(3, 1, 1, "###")]
        model = read_burrtools(puzzle_text(shapes, uses(3), 3), "f.xmpuzzle").model
        assert isinstance(model, Packing)
        assert [piece.name for piece in model.pieces] == ["a", "a#3", "a#4"]


def several() -> bytes:
    """A bar twice in its box, with no hole; the same with a bound on holes; a bar and a dot; a bar in a group."""
    shapes = [voxel(3, 1, 1, "###", "bar"), voxel(1, 1, 1, "#", "dot"), voxel(6, 1, 1, "####++", "box")]
    problem = '<problem name="{}"{}>\n<shapes>{}</shapes><result id="2"/></problem>'
    more = "".join(
        problem.format(name, attributes, uses)
        for name, attributes, uses in (
            ("with holes", ' maxHoles="1"', use(0, 2)),
            ("bar and dot", "", use(0) + use(1)),
            ("", "", '<shape id="0" count="2" group="1"/>'),
        )
    )
    return puzzle_text(shapes, use(0, 2), 2).replace(b"</problems>", more.encode() + b"</problems>")


class TestSeveralProblems:
    @pytest.mark.parametrize(("problem", "total"), [(1, 1), (2, 1), (3, 2), (4, 1)])
    def test_one_is_chosen_by_its_number(self, problem: int, total: int, tmp_path: Path) -> None:
        path = tmp_path / "several.xmpuzzle"
        path.write_bytes(several())
        puzzle = rk.puzzle_from_file(f"{path}#{problem}")
        assert puzzle.name == f"{path}#{problem}"
        assert rk.puzzle_from_file(path, problem).model == puzzle.model
        assert rk.count(puzzle, up_to="none").total == total
        assert isinstance(puzzle.model, Packing)
        board, pieces = puzzle.model.board, [(p.name, p.cells, p.low, p.high) for p in puzzle.model.pieces]
        assert total == len(list(naive_packing.packings(board, pieces, optional=[(0, 4), (0, 5)])))

    def test_a_run_knows_which_one_it_is_of(self, tmp_path: Path) -> None:
        path = tmp_path / "several.xmpuzzle"
        path.write_bytes(several())
        puzzle = rk.puzzle_from_file(f"{path}#3")
        run = rk.run(puzzle, tmp_path / "run")
        path.unlink()
        assert (tmp_path / "run" / "puzzle.xmpuzzle").read_bytes() == several()
        assert rk.Run(tmp_path / "run").puzzle.model == puzzle.model
        assert run is not None

    @pytest.mark.parametrize(
        ("problem", "complaint"),
        [
            (
                None,
                'p.xmpuzzle:13:1: the puzzle has 4 problems; name one by #1 for "p", #2 for "with holes",'
                ' #3 for "bar and dot", #4',
            ),
            (5, 'p.xmpuzzle:1:1: there is no problem 5; name one by #1 for "p", #2 for "with holes"'),
            (0, "p.xmpuzzle:1:1: there is no problem 0; name one by"),
        ],
    )
    def test_refusals(self, problem: int | None, complaint: str) -> None:
        with pytest.raises(BadInput) as refusal:
            read_burrtools(several(), "p.xmpuzzle", problem)
        assert complaint in str(refusal.value)
        assert "\n" not in str(refusal.value)

    @pytest.mark.parametrize("word", ["solutions.txt", "runs/solutions.txt", "x"])
    @pytest.mark.parametrize("number", ["", "#2"])
    def test_another_word_than_a_number_is_refused(self, number: str, word: str, tmp_path: Path) -> None:
        path = tmp_path / "p.xmpuzzle"
        path.write_bytes(several())
        with pytest.raises(
            BadInput, match=f'"{word}" is one word too many after the file .*p.xmpuzzle{number}'
        ):
            rk.puzzle_from_file(f"{path}{number}", word)

    def test_the_only_problem_has_a_number_too(self) -> None:
        assert read_burrtools(flat(), "p.xmpuzzle", 1).model == read_burrtools(flat(), "p.xmpuzzle").model


def test_colours_that_no_cell_has_do_not_matter() -> None:
    text = flat().replace(b"<colors/>", b'<colors><color red="1" green="2" blue="3"/></colors>')
    assert read_burrtools(text, "p.xmpuzzle").model == read_burrtools(flat(), "p.xmpuzzle").model


class TestCellsThatMayStayEmpty:
    def test_in_the_plane(self) -> None:
        model = read_burrtools(flat("####++++"), "p.xmpuzzle").model
        assert isinstance(model, Packing)
        assert (model.filled, model.optional) == (True, {(0, column) for column in range(4, 8)})
        pieces = [(piece.name, piece.cells, piece.low, piece.high) for piece in model.pieces]
        wanted = list(naive_packing.packings(model.board, pieces, optional=model.optional))
        assert len(wanted) == rk.count(read_burrtools(flat("####++++"), "p.xmpuzzle")).total == 1

    def test_in_space(self) -> None:
        shapes = [voxel(2, 1, 1, "##", "bar"), voxel(2, 2, 2, "##+++++#", "box")]
        puzzle = read_burrtools(puzzle_text(shapes, '<shape id="0" min="1" max="3"/>', 1), "p.xmpuzzle")
        model = puzzle.model
        assert isinstance(model, Packing)
        assert (model.lattice, len(model.optional)) == (CUBE, 5)
        placed = naive_packing.places_in_space(model.board, [(0, 0, 0), (0, 0, 1)], reflections=False)
        wanted = [
            chosen
            for n in range(1, 4)
            for chosen in combinations(placed, n)
            if len(frozenset().union(*chosen)) == 2 * n
            and model.board - model.optional <= frozenset().union(*chosen)
        ]
        assert rk.count(puzzle, up_to="none").total == len(wanted) > 0


class TestColours:
    @pytest.mark.parametrize(
        ("box", "pairs", "total"),
        [
            ("+1+2+1+2", ((0, 0), (1, 1)), 4),
            ("+1+2+1+2", ((0, 1), (1, 0)), 4),
            ("+1+1+2+2", ((0, 0), (1, 1)), 2),
            ("+1+2+1+2", ((0, 0),), 1),
            ("+1+2+1+2", ((1, 1),), 1),
            ("+1+2+1+2", (), 1),
            ("+1++2", ((0, 0), (1, 1)), 3),
            ("+3+2+3+0", ((0, 2), (1, 1)), 4),
        ],
    )
    def test_pairs_say_where_a_domino_may_lie(
        self, box: str, pairs: tuple[tuple[int, int], ...], total: int
    ) -> None:
        """Nowhere, or somewhere; its ends have two colours."""
        shapes = [voxel(2, 1, 1, "#1#2", "bar"), voxel(box.count("+"), 1, 1, box, "box")]
        uses = '<shape id="0" min="0" max="1"/>'
        puzzle = read_burrtools(puzzle_text(shapes, uses, 1, n_colors=3, pairs=pairs), "c.xmpuzzle")
        assert isinstance(puzzle.model, Packing)
        assert rk.count(puzzle, up_to="none").total == len(list(packings_of(puzzle.model))) == total

    def test_the_last_colour(self) -> None:
        text = flat("#63#62#63#62", "#63#62", n_colors=63, pairs=((62, 62), (61, 61)))
        model = read_burrtools(text, "c.xmpuzzle").model
        assert isinstance(model, Packing)
        assert model.pieces[0].colors == {((0, 0), "&"), ((0, 1), "@")}
        assert sorted(model.colors) == [((0, column), "&@"[column % 2]) for column in range(4)]
        assert model.color_pairs is None
        assert (
            rk.count(read_burrtools(text, "c.xmpuzzle"), up_to="none").total
            == len(list(packings_of(model)))
            == 1
        )

    def test_colours_of_the_result_alone_do_not_matter(self) -> None:
        text = flat("#1#####2", n_colors=2, pairs=((0, 1),))
        assert read_burrtools(text, "c.xmpuzzle").model == read_burrtools(flat(), "c.xmpuzzle").model

    def test_in_space(self) -> None:
        """A bar with two colours in a box of two layers, one in each of them: it stands there."""
        shapes = [voxel(2, 1, 1, "#1#2", "bar"), voxel(2, 2, 2, "+1" * 4 + "+2" * 4, "box")]
        uses = '<shape id="0" min="0" max="1"/>'
        fits = ((0, 0), (1, 1))
        puzzle = read_burrtools(puzzle_text(shapes, uses, 1, n_colors=2, pairs=fits), "c.xmpuzzle")
        assert isinstance(puzzle.model, Packing)
        assert (puzzle.model.lattice, len(puzzle.model.placements())) == (CUBE, 4)
        assert {len({cell[0] for cell in cells}) for _, cells in puzzle.model.placements()} == {2}


class TestHoles:
    """Up to three dominoes in a box of seven squares, of which five may stay empty."""

    @pytest.mark.parametrize("most", [0, 1, 2, 3, 4, 5, 6, 0xFFFFFFFF])
    def test_at_most_so_many_cells_stay_empty(self, most: int) -> None:
        shapes = [
            voxel(2, 1, 1, "##", "bar"),
            voxel(2, 2, 1, "###_", "bend"),
            voxel(4, 2, 1, "##+++++_", "box"),
        ]
        uses = '<shape id="0" min="0" max="3"/><shape id="1" min="0" max="1"/>'
        text = puzzle_text(shapes, uses, 2, problem=f' maxHoles="{most}"')
        puzzle = read_burrtools(text, "h.xmpuzzle")
        model = read_burrtools(text.replace(b"maxHoles", b"other"), "h.xmpuzzle").model
        assert isinstance(model, Packing)
        every = [sum(len(cells) for _, cells in found) for found in packings_of(model)]
        wanted = sum(len(model.board) - covered <= most for covered in every)
        assert rk.count(puzzle, up_to="none").total == wanted
        assert isinstance(puzzle.model, Packing)
        assert len(list(packings_of(puzzle.model))) == wanted

    def test_pieces_that_always_have_the_same_number_of_cells_know_better(self) -> None:
        text = flat("####++++", problem=' maxHoles="1"')
        assert read_burrtools(text, "h.xmpuzzle").model == read_burrtools(flat("####++++"), "h").model

    def test_a_piece_may_have_the_name_of_holes(self) -> None:
        shapes = [voxel(2, 1, 1, "##", "hole"), voxel(5, 1, 1, "+++++", "box")]
        text = puzzle_text(shapes, '<shape id="0" min="0" max="3"/>', 1, problem=' maxHoles="1"')
        model = read_burrtools(text, "h.xmpuzzle").model
        assert isinstance(model, Packing)
        assert [piece.name for piece in model.pieces] == ["hole", "hole#0"]
        assert rk.count(read_burrtools(text, "h.xmpuzzle"), up_to="none").total == 3


@pytest.mark.parametrize(
    "uses",
    [
        '<shape id="0" count="2" group="1"/>',
        '<shape id="0" count="2"><group group="1" count="1"/><group group="2" count="2"/></shape>',
        '<shape id="0" count="2" group="0"><group group="1" count="1"/></shape>',
    ],
)
def test_groups_have_no_effect_on_assemblies(uses: str) -> None:
    assert read_burrtools(flat(more=uses), "g.xmpuzzle").model == read_burrtools(flat(), "g.xmpuzzle").model


def test_a_shape_without_a_number_is_used_once() -> None:
    model = read_burrtools(flat("###", more='<shape id="0"/>'), "g.xmpuzzle").model
    assert isinstance(model, Packing)
    assert (model.pieces[0].low, model.pieces[0].high) == (1, 1)


Point = tuple[int, int, int]
SPHERES: dict[str, list[Point]] = {
    "rod": [(0, 0, 0), (1, 1, 0), (2, 2, 0)],
    "triangle": [(0, 0, 0), (1, 1, 0), (1, 0, 1)],
    "bend in a plane of triangles": [(0, 0, 0), (1, 1, 0), (2, 1, 1), (3, 2, 1), (3, 3, 2)],
    "square": [(0, 0, 0), (1, 1, 0), (1, -1, 0), (2, 0, 0)],
    "screw": [(0, 0, 0), (1, 1, 0), (1, 2, 1), (0, 3, 1)],
    "tetrahedron": [(0, 0, 0), (1, 1, 0), (1, 0, 1), (0, 1, 1)],
}


def sphere_voxel(points: list[Point], mark: str, name: str) -> str:
    low = [min(axis) for axis in zip(*points, strict=True)]
    low[0] -= sum(low) % 2
    moved = {(x - low[0], y - low[1], z - low[2]) for x, y, z in points}
    width, height, depth = (max(axis) + 1 for axis in zip(*moved, strict=True))
    marks = "".join(
        mark if (x, y, z) in moved else "_" for z in range(depth) for y in range(height) for x in range(width)
    )
    return voxel(width, height, depth, marks, name)


LARGE_BOX = [(x, y, z) for x, y, z in product(range(4), repeat=3) if (x + y + z) % 2 == 0]


class TestSpheres:
    """The coordinates of the file are those in which `naive_packing` knows balls."""

    @pytest.mark.parametrize("name", SPHERES)
    def test_a_piece_lies_wherever_it_can_be_turned_to(self, name: str) -> None:
        shapes = [sphere_voxel(SPHERES[name], "#", "piece"), sphere_voxel(LARGE_BOX, "+", "box")]
        uses = '<shape id="0" min="0" max="1"/>'
        puzzle = read_burrtools(puzzle_text(shapes, uses, 1, grid="2"), "s.xmpuzzle")
        wanted = naive_packing.places_of_balls(LARGE_BOX, SPHERES[name], reflections=False)
        assert rk.count(puzzle, up_to="none").total == 1 + len(wanted) > 1

    def test_pieces_fill_a_tetrahedron(self) -> None:
        """A tetrahedron of ten balls, by a rod, a triangle and a smaller tetrahedron."""
        corner = [(a + b, a + c, b + c) for a, b, c in product(range(3), repeat=3) if a + b + c < 3]
        names = {"rod": 1, "triangle": 1, "tetrahedron": 1}
        shapes = [sphere_voxel(SPHERES[name], "#", name) for name in names]
        shapes.append(sphere_voxel(corner, "#", "box"))
        uses = "".join(use(number, times) for number, times in enumerate(names.values()))
        puzzle = read_burrtools(puzzle_text(shapes, uses, len(names), grid="2"), "s.xmpuzzle")
        places = [
            (naive_packing.places_of_balls(corner, SPHERES[name], reflections=False), times)
            for name, times in names.items()
        ]
        wanted = naive_packing.count_fillings(corner, places)
        assert rk.count(puzzle, up_to="none").total == wanted > 0
