"""Every example file and every template: read, in line with the schema, and counted."""

from __future__ import annotations

import json
import re
import tomllib
from math import isqrt
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import rekkyo as rk
from rekkyo.export.puzzle_toml.cells import PATTERN_KEYS
from rekkyo.export.puzzle_toml.coloring import AVOID_KEYS, DIFFERENT_KEYS
from rekkyo.export.puzzle_toml.family import WITHOUT
from rekkyo.export.puzzle_toml.grid import cages, clues, compare, counts, different, sight, word_lists
from rekkyo.export.puzzle_toml.grid.reader import CLAUSES
from rekkyo.export.puzzle_toml.reader import COMMON_KEYS, KINDS, PUBLISHED_KEYS, read_toml
from rekkyo.export.puzzle_toml.templates import template
from rekkyo.model.csp.csp import Csp
from tests import naive_csp, naive_packing, naive_puzzles, naive_tiles
from tests.naive_files import fillings, tile_cells, tile_squares, tromino_squares, word_squares
from tests.naive_graphs import grid_cycles
from tests.naive_halves import tile_hexagons, tile_rectangles

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))
KEYS_OF_CLAUSES = {
    "different": different.DIFFERENT_KEYS,
    "cage": cages.CAGE_KEYS,
    "compare": compare.COMPARE_KEYS,
    "lines": clues.LINE_KEYS,
    "count": counts.COUNT_KEYS,
    "avoid": PATTERN_KEYS,
    "table": word_lists.TABLE_KEYS,
    "connected": counts.CONNECTED_KEYS,
    "see": sight.SEE_KEYS,
}
LONG = {
    "conway-5x5x5.toml",
    "edge-matching.toml",
    "knights-tour.toml",
    "macmahon-triangles.toml",
    "polyspheres-5x11.toml",
}
FAMILIES = {
    "calendar.toml": ["oct 6", "jan 25", "feb 29"],
    "grid-cycles.toml": ["2", "3", "4", "6"],
    "l-tromino-hole.toml": ["1", "2", "3", "4", "5", "6"],
    "bishops.toml": ["2", "3", "4", "5"],
    "independent-sets.toml": ["1", "2", "3", "4"],
    "kings.toml": ["1", "2", "3", "4", "5", "6"],
    "knight-domination.toml": ["1", "2", "3", "4", "5"],
    "knights.toml": ["1", "2", "3", "4", "5"],
    "peaceable-queens.toml": ["3", "4", "5"],
    "progression-free.toml": ["5", "8", "14"],
    "queen-domination.toml": ["1", "2", "3", "4", "5"],
    "queens.toml": ["4", "6", "8"],
}
"""Members of those examples that are families."""

SCHEMA: dict[str, Any] = json.loads(template("schema"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def data_of(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def check_counts(path: Path, *values: str) -> None:
    puzzle = rk.puzzle_from_file(path, *values)
    result = rk.count(puzzle)
    second_way = SECOND_WAYS.get(path.name)
    if second_way is not None:
        assert result.total == second_way(data_of(path), *values)
    elif isinstance(puzzle.model, Csp):
        assert result.total == len(naive_csp.solutions(puzzle.model))
    else:
        assert puzzle.published is not None
    if puzzle.published is not None:
        assert puzzle.published.total in (None, result.total)
        assert puzzle.published.agrees_with(result.total, result.unique)
    for some in rk.solve(puzzle, limit=1):
        assert rk.verify(puzzle, some) == []


def count_words(data: dict[str, Any]) -> int:
    board = data["board"].split()
    return word_squares(data["words"].split(), len(board), len(board[0]))


def count_tiles(data: dict[str, Any]) -> int:
    return tile_squares(list(data["tiles"].values()), len(data["board"].split()), data["border"])


def count_unnamed_tiles(data: dict[str, Any]) -> int:
    tiles = data["tiles"].split()
    return tile_squares(tiles, isqrt(len(tiles)), data["border"])


def count_cubes(data: dict[str, Any]) -> int:
    cells = naive_tiles.large_cube(data["border"])
    return tile_cells(data["tiles"].split(), cells, naive_tiles.cube_turns())


def count_hexagons(data: dict[str, Any]) -> int:
    cells = naive_tiles.hexagon_of_hexagons(2)
    return tile_cells(data["tiles"].split(), cells, naive_tiles.HEXAGON_TURNS)


def count_tiles_in_halves(data: dict[str, Any]) -> int:
    board = data["board"].split()
    return tile_rectangles(list(data["tiles"].values()), len(board), len(board[0]), data["border"])


def count_fillings(data: dict[str, Any], month: str, day: str) -> int:
    marks = iter(range(data["board"].count("#")))
    holes = (data["family"]["month"].split().index(month), 11 + int(day))
    board = "".join("." if mark == "#" and next(marks) in holes else mark for mark in data["board"])
    return fillings(board, data["pieces"])


def count_matchings(data: dict[str, Any]) -> int:
    words = data["edges"].split()
    return naive_puzzles.perfect_matchings(list(zip(words[::2], words[1::2], strict=True)))


def count_trominoes(_data: dict[str, Any], n: str) -> int:
    return tromino_squares(int(n))


def count_twice_tetrominoes(data: dict[str, Any]) -> int:
    """The seven one-sided tetrominoes as they are drawn here, each twice."""
    texts = ["####", "##\n##", "###\n.#.", "##.\n.##", ".##\n##.", "###\n#..", "###\n..#"]
    board = [(column, row) for row, column in naive_packing.drawn(data["board"])]  # column after column
    pieces = [naive_packing.drawn(text) for text in texts]
    places = [naive_packing.places(board, piece, reflections=False) for piece in pieces]
    return naive_packing.count_fillings(board, [(where, 2) for where in places])


def count_balls(data: dict[str, Any]) -> int:
    board = naive_packing.balls(data["board"])
    drawn = {name: naive_packing.balls(text) for name, text in data["pieces"].items()}
    pieces = [
        (naive_packing.places_in_space(board, cells, reflections=True), data["times"].get(name, 1))
        for name, cells in drawn.items()
    ]
    return naive_packing.count_fillings(board, pieces)


def count_flat_pieces(data: dict[str, Any]) -> int:
    """Each piece of a drawing once, column after column, which is faster on a long board."""
    board = [(column, row) for row, column in naive_packing.drawn(data["board"])]
    pieces: dict[str, list[naive_packing.Square]] = {}
    for row, line in enumerate(data["pieces"].split()):
        for column, mark in enumerate(line.replace(".", " ")):
            pieces.setdefault(mark, []).append((row, column))
    pieces.pop(" ")
    places = [naive_packing.places(board, cells, reflections=True) for cells in pieces.values()]
    return naive_packing.count_fillings(board, [(where, 1) for where in places])


def count_by_merging(data: dict[str, Any]) -> int:
    """By an engine that goes another way than the one that is chosen; too many for plain Python."""
    text = (ROOT / "examples" / "conway-5x5x5.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text) == data
    return rk.count(read_toml(text, "again"), up_to="none", engine="cover-memo").total


SECOND_WAYS = {
    "ball-pyramid.toml": count_balls,
    "conway-5x5x5.toml": count_by_merging,
    "polyspheres-5x11.toml": count_flat_pieces,
    "tetrominoes-twice-one-sided.toml": count_twice_tetrominoes,
    "calendar.toml": count_fillings,
    "edge-matching.toml": count_tiles_in_halves,
    "edge-matching-6x6.toml": count_unnamed_tiles,
    "eternity.toml": count_tiles,
    "macmahon-cubes.toml": count_cubes,
    "macmahon-triangles.toml": lambda data: tile_hexagons(data["tiles"].split(), data["border"]),
    "seven-hexagons.toml": count_hexagons,
    "grid-cycles.toml": lambda _data, n: grid_cycles(int(n), int(n)),
    "l-tromino-hole.toml": count_trominoes,
    "word-search.toml": count_words,
    "bishops.toml": lambda _data, n: naive_puzzles.largest_peaceful_sets(int(n), naive_puzzles.as_bishop),
    "cube-matchings.toml": count_matchings,
    "golomb-ruler.toml": lambda _data: naive_puzzles.shortest_rulers(5),
    "independent-sets.toml": lambda _data, n: naive_puzzles.independent_sets(int(n)),
    "kings.toml": lambda _data, n: naive_puzzles.largest_peaceful_sets(int(n), naive_puzzles.as_king),
    "knight-domination.toml": lambda _data, n: naive_puzzles.smallest_dominating_sets(
        int(n), naive_puzzles.as_knight
    ),
    "knights.toml": lambda _data, n: naive_puzzles.largest_peaceful_sets(int(n), naive_puzzles.as_knight),
    "knights-tour.toml": lambda _data: naive_puzzles.knights_paths(5),
    "orthogonal-latin-squares.toml": lambda _data: naive_puzzles.orthogonal_latin_squares(4),
    "peaceable-queens.toml": lambda _data, n: naive_puzzles.peaceable_queens(int(n)),
    "petersen-coloring.toml": lambda data: naive_puzzles.colorings(
        naive_puzzles.petersen_edges(), 10, data["colors"]
    ),
    "prime-magic-square.toml": lambda data: naive_puzzles.magic_squares_of(data["numbers"], data["sum"]),
    "progression-free.toml": lambda _data, n: naive_puzzles.largest_progression_free_sets(int(n)),
    "queen-domination.toml": lambda _data, n: naive_puzzles.smallest_dominating_sets(
        int(n), naive_puzzles.as_queen
    ),
    "sum-free-sets.toml": lambda _data: naive_puzzles.sum_free_sets(6, 3),
}


def test_there_are_ten_examples_and_more() -> None:
    assert len(EXAMPLES) >= 10
    pages = [ROOT / "docs" / name for name in ("puzzle-files.md", "your-puzzle.md")]
    page = "".join(path.read_text(encoding="utf-8") for path in pages)
    assert [path.name for path in EXAMPLES if f"examples/{path.name}" not in page] == []


@pytest.mark.parametrize(
    "path", [p for p in EXAMPLES if p.name not in {*LONG, *FAMILIES}], ids=lambda path: path.stem
)
def test_an_example_has_the_count_that_was_published_or_is_found_in_a_second_way(path: Path) -> None:
    check_counts(path)


@pytest.mark.parametrize(("name", "members"), FAMILIES.items(), ids=FAMILIES)
def test_members_of_a_family(name: str, members: list[str]) -> None:
    for values in members:
        check_counts(ROOT / "examples" / name, *values.split())


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(LONG))
def test_a_long_example(name: str) -> None:
    check_counts(ROOT / "examples" / name)


def test_the_two_second_ways_of_tiles_agree() -> None:
    data = data_of(ROOT / "examples" / "eternity.toml")
    assert count_tiles_in_halves(data) == count_tiles(data)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_in_line_with_the_schema(path: Path) -> None:
    VALIDATOR.validate(data_of(path))


@pytest.mark.parametrize("kind", list(KINDS))
class TestTemplates:
    def test_is_in_line_with_the_schema(self, kind: str) -> None:
        VALIDATOR.validate(tomllib.loads(template(kind)))

    def test_can_be_counted(self, kind: str) -> None:
        puzzle = read_toml(template(kind), "mine.toml")
        result = rk.count(puzzle, up_to="none")
        assert result.total > 0
        if puzzle.published is not None:
            assert result.total == puzzle.published.total

    def test_the_schema_knows_the_keys_that_are_read(self, kind: str) -> None:
        branch = branch_of(kind)
        assert set(branch["properties"]) == {*COMMON_KEYS, *KINDS[kind].keys}
        assert branch["additionalProperties"] is False


def branch_of(kind: str) -> dict[str, Any]:
    return next(branch for branch in SCHEMA["oneOf"] if branch["title"] == kind)


def test_the_schema_knows_the_keys_of_tables_inside() -> None:
    assert set(SCHEMA["$defs"]["published"]["properties"]) == set(PUBLISHED_KEYS)
    assert set(SCHEMA["$defs"]["family"]["properties"]) == {WITHOUT}
    coloring = branch_of("coloring")["properties"]
    assert set(coloring["avoid"]["items"]["properties"]) == set(AVOID_KEYS)
    assert set(coloring["different"]["items"]["properties"]) == set(DIFFERENT_KEYS)
    grid = branch_of("grid")["properties"]
    for clause, keys in KEYS_OF_CLAUSES.items():
        assert set(grid[clause]["items"]["properties"]) == set(keys)
    assert set(KEYS_OF_CLAUSES) == set(CLAUSES)


@pytest.mark.parametrize(
    "text",
    [
        'kind = "pakcing"',
        'kind = "queens"',
        'kind = "queens"\nn = 65',
        'kind = "queens"\nn = 4\nm = 4',
        'kind = "packing"\nboard = "##"\npieces = "AA"\nreflections = 1',
        'kind = "packing"\nboard = "##"\npieces = "AA"\ntimes = { A = [1, 2, 3] }',
        'kind = "coloring"\nboard = "##"\ncolors = 2\n[[avoid]]\npatern = "=="',
        'kind = "tiles"\nboard = "#"\ntiles = { A = "rr" }',
        'kind = "grid"\nboard = "."',
        'kind = "grid"\nboard = "."\nvalues = 3',
        'kind = "grid"\nboard = ".."\nvalues = "12"\n[[different]]\nregions = "rows"\npattern = "##"',
        'kind = "grid"\nboard = ".."\nvalues = "12"\n[[cage]]\nregions = "AA"\nAB = "sum 3"',
        'kind = "grid"\nboard = ".."\nvalues = "12"\n[[lines]]\nrows = "3"',
        'kind = "grid"\nboard = ".."\nvalues = "12"\n[[count]]\nvalue = 1',
        'kind = "grid"\nboard = ".."\nvalues = "12"\n[[table]]\nregions = "rows"',
        'kind = "grid"\nboard = ".."\nvalues = "12"\n[connected]\nvalue = 1',
        'kind = "figure"\nlines = "a b"\n[published]\nsource = "nobody"',
        'kind = "queens"\nn = "{n}"\n[family]\nn = 8',
        'kind = "queens"\nn = "n"\n[family]\nn = "1..8"',
        'kind = "queens"\nn = 8\n[family]\nN = "1..8"',
        'kind = "packing"\nboard = "##"\npieces = "A"\nholes = [0]',
    ],
)
def test_schema_and_reader_refuse_the_same(text: str) -> None:
    assert not VALIDATOR.is_valid(tomllib.loads(text))
    with pytest.raises(rk.RekkyoError):
        read_toml(text, "mine.toml")


def test_the_page_shows_files_that_are_read() -> None:
    """Every TOML block of the page that says its kind is a whole puzzle."""
    page = (ROOT / "docs" / "puzzle-files.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```toml\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    whole = [block for block in blocks if block.startswith("kind =")]
    assert len(whole) >= 3
    for block in whole:
        read_toml(block, "page.toml", values=("4",) if "[family]" in block else ())
