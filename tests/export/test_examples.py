"""Every example file and every template: read, in line with the schema, and counted."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import rekkyo as rk
from rekkyo.export.puzzle_toml.cells import PATTERN_KEYS
from rekkyo.export.puzzle_toml.coloring import AVOID_KEYS, DIFFERENT_KEYS
from rekkyo.export.puzzle_toml.family import WITHOUT
from rekkyo.export.puzzle_toml.grid import (
    areas,
    arrows,
    cages,
    clues,
    compare,
    counts,
    different,
    loops,
    sight,
    strokes,
    word_lists,
)
from rekkyo.export.puzzle_toml.grid.reader import CLAUSES
from rekkyo.export.puzzle_toml.reader import COMMON_KEYS, KINDS, PUBLISHED_KEYS, read_toml
from rekkyo.export.puzzle_toml.templates import template
from tests.export.second_ways import check_counts, count_tiles, count_tiles_in_halves, data_of
from tests.export.test_tasks import FILES_OF_TASKS

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
    "loop": loops.LOOP_KEYS,
    "area": areas.AREA_KEYS,
    "strokes": strokes.STROKE_KEYS,
    "arrows": arrows.ARROW_KEYS,
}
LONG = {
    "edge-matching.toml",
    "knights-tour.toml",
}
FAMILIES = {
    "grid-cycles.toml": ["2", "3", "4", "6"],
    "independent-sets.toml": ["1", "2", "3", "4"],
    "lights-out.toml": ["2", "3", "4"],
    "no-three-in-line.toml": ["2", "3", "4", "5", "6"],
    "numbrix.toml": ["1", "2", "3"],
    "pandiagonal-latin-square.toml": ["3", "4", "5"],
    "knight-domination.toml": ["1", "2", "3", "4", "5"],
    "necklaces.toml": ["necklace 6", "necklace 12", "bracelet 6", "bracelet 12"],
    "progression-free.toml": ["5", "8", "14"],
    "queens.toml": ["4", "6", "8"],
    "queens-and-pawns.toml": ["4 0", "5 2", "6 1"],
    "reduced-latin-square.toml": ["1", "3", "4", "5"],
    "sudokus.toml": ["1 3", "2 2"],
    "toroidal-dominoes.toml": ["2", "3", "4"],
}
"""Members of those examples that are families."""

SCHEMA: dict[str, Any] = json.loads(template("schema"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_there_are_ten_examples_and_more() -> None:
    assert len(EXAMPLES) >= 10
    pages = [ROOT / "docs" / name for name in ("puzzle-files.md", "your-puzzle.md")]
    page = "".join(path.read_text(encoding="utf-8") for path in pages)
    assert [path.name for path in EXAMPLES if f"examples/{path.name}" not in page] == []


@pytest.mark.second
@pytest.mark.parametrize(
    "path",
    [p for p in EXAMPLES if p.name not in {*LONG, *FAMILIES, *FILES_OF_TASKS}],
    ids=lambda path: path.stem,
)
def test_an_example_has_the_count_that_was_published_or_is_found_in_a_second_way(path: Path) -> None:
    check_counts(path)


@pytest.mark.second
@pytest.mark.parametrize(("name", "members"), FAMILIES.items(), ids=FAMILIES)
def test_members_of_a_family(name: str, members: list[str]) -> None:
    for values in members:
        check_counts(ROOT / "examples" / name, *values.split())


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(LONG))
def test_a_long_example(name: str) -> None:
    check_counts(ROOT / "examples" / name)


@pytest.mark.second
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
