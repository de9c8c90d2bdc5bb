"""Every family and every file kind: what is inside the spots of a drawing is what the row says."""

from __future__ import annotations

from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.packing import Packing
from rekkyo.model.picture import Network
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.sum_figure import SumFigure
from rekkyo.render.number_board import number_board
from rekkyo.render.svg.coloring import FILLS
from rekkyo.render.svg.drawing import BORDER, painting_of
from rekkyo.render.svg.markup import bounds
from tests.render.pictures import Place, shapes, texts
from tests.render.test_svg import EXAMPLES

FOLDER = Path(__file__).resolve().parents[2] / "examples"
FILES = {
    "queens": ["queens.toml", "5"],
    "grid": ["kenken.toml"],
    "grid with letters": ["crossword.toml"],
    "grid with holes": ["kakuro.toml"],
    "figure": ["magic-hexagon.toml"],
    "coloring": ["rectangle-free.toml"],
    "packing": ["pentominoes.toml"],
    "solid": ["slothouber-graatsma.toml"],
    "balls": ["ball-pyramid.toml"],
    "prisms": ["../tests/data/burrtools/prisms.xmpuzzle", "1"],
    "cut cubes": ["../tests/data/burrtools/cut-cubes.xmpuzzle", "1"],
    "octahedra": ["../tests/data/burrtools/tetrahedra-and-octahedra.xmpuzzle", "2"],
    "tiles": ["seven-hexagons.toml"],
    "words": ["word-search.toml"],
    "graph": ["petersen.toml", "matchings"],
    "edges": ["grid-graphs.toml", "cycles", "3"],
}


def _inside(box: tuple[float, float, float, float], place: Place) -> bool:
    left, top, right, bottom = box
    return left <= place[0] <= right and top <= place[1] <= bottom


def _check(puzzle: Puzzle) -> None:
    row = next(iter(rk.solve(puzzle, up_to="none", workers=1)), None)
    if row is None:
        return
    painting = painting_of(puzzle)
    drawing = rk.svg(puzzle, row)
    held = dict(pair for atom in painting.shape.atoms(row) for pair in painting.pairs_of_atom(atom))
    boxes = [bounds(spot) for spot in painting.spots]
    for left, top, right, bottom in boxes:
        assert min(left, top) >= -BORDER
        assert right <= painting.width + BORDER
        assert bottom <= painting.height + BORDER
    said, drawn = texts(drawing), shapes(drawing)
    for spot, thing in held.items():
        name, model = painting.things[thing], puzzle.model
        inside = [text.text for text in said if _inside(boxes[spot], text.place)]
        if (
            (isinstance(model, Csp) and not isinstance(puzzle.picture, Network))
            or isinstance(model, SumFigure)
            or (isinstance(model, ExactCover) and number_board(model) is not None)
        ):
            assert name in inside
        elif isinstance(model, Coloring) and "line" not in painting.spot_names[0]:
            fills = [
                shape.fill
                for shape in drawn
                if shape.kind == "rk-piece" and _inside(boxes[spot], shape.middle)
            ]
            assert fills == [FILLS[thing]]
    if isinstance(puzzle.model, Packing):
        assert len(held) == sum(
            len(puzzle.model.placements()[number].cells)
            for number in row
            if number < len(puzzle.model.placements())
        )


@pytest.mark.parametrize("words", EXAMPLES.values(), ids=EXAMPLES)
def test_every_family(words: str) -> None:
    _check(rk.puzzle(words))


@pytest.mark.parametrize("words", FILES.values(), ids=FILES)
def test_every_kind_of_file(words: list[str]) -> None:
    _check(rk.puzzle_from_file(FOLDER / words[0], *words[1:]))


@pytest.mark.parametrize("suffix", [".xcc", ".xmpuzzle", ".fzn", ".xml", ".cnf"])
def test_every_format(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"mine{suffix}"
    if suffix == ".xmpuzzle":
        _check(rk.puzzle_from_file(FOLDER / "burr.xmpuzzle", 1))
        return
    texts = {
        ".xcc": "a b c\na b\nc\na c\nb\n",
        ".cnf": "p cnf 3 1\n1 -2 3 0\n",
        ".fzn": "var 1..3: x :: output_var;\nsolve satisfy;\n",
        ".xml": '<instance format="XCSP3"><variables><var id="x"> 1..3 </var></variables></instance>',
    }
    path.write_text(texts[suffix])
    _check(rk.puzzle_from_file(path))
