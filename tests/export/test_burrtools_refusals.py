"""Files of BurrTools that are refused: the message is one line that names the place, and no file is decompressed whole."""

from __future__ import annotations

import gzip
import zlib

import pytest

from rekkyo.errors import BadInput
from rekkyo.export import burrtools_file
from rekkyo.export.burrtools import read_burrtools
from tests.export.burrtools_texts import flat, puzzle_text, use, voxel

BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>\n'


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "1:1: this is not XML: no element found"),
        (b"\x00\x01\x02", "1:1: this is not XML"),
        (b"<puzzle version='2'>", "1:21: this is not XML: no element found"),
        (b"<html/>", '1:1: the file is "html", not a BurrTools puzzle'),
        (b"<puzzle version='1'/>", "1:1: version 1 of the format is not read, only 2"),
        (b"<puzzle version='2'/>", "1:1: the puzzle has no problem"),
        (b"<?xml version='1.0' encoding='nonsense'?><puzzle/>", "1:31: this is not XML"),
        (flat(before=BOMB), "2:13: a document type is not read, because it could define entities"),
        (flat(grid="9"), "3:1: a grid of type 9 is not read, only types 0 to 4"),
        (flat(pieces="#1##"), "6:1: a cell has colour 1, but the file has 0 colours"),
        (flat("#####4#", n_colors=3), "7:1: a cell has colour 4, but the file has 3 colours"),
        (flat(pieces="#64##", n_colors=63), "6:1: a colour is a number from 1 to 63, not 64"),
        (flat(pieces="#1000##", n_colors=1), "a colour is a number from 1 to 63, not 1000"),
        (flat(pieces="1###", n_colors=1), "a number stands before the first mark"),
        (flat(pieces="##_1", n_colors=1), "the colour 1 follows the mark of an empty cell"),
        (
            flat(pieces="#1##", n_colors=2, pairs=((0, 2),)),
            "12:1: the pair names colour 2, counted from 0, but the file has 2 colours",
        ),
        (flat(pairs=((0, 63),)), '12:9: "result" is a whole number from 0 to 62, not "63"'),
        (
            flat(pieces="#1##", n_colors=1),
            '9:1: piece "bar" can lie on 0,0 0,1 0,2 in 2 ways that differ only in their colours; give these',
        ),
        (flat(pieces="#?"), '6:1: "?" is none of the marks'),
        (flat(pieces="##+"), '6:1: piece "bar" has cells marked "+"'),
        (flat(pieces="___"), '6:1: piece "bar" has no cells'),
        (
            flat(more='<shape id="0" count="2" group="x"/>'),
            '10:9: "group" is a whole number from 0 to 65535, not "x"',
        ),
        (
            flat(more='<shape id="0" count="2"><group group="1"/></shape>'),
            '10:33: "count" is a whole number from 0 to 65536, not ""',
        ),
        (
            flat(more='<shape id="0" count="2" group="1"><group group="2" count="1"/></shape>'),
            "10:43: the groups of a piece contradict each other; name each group once",
        ),
        (
            flat(
                more='<shape id="0" count="2"><group group="2" count="1"/><group group="2" count="2"/></shape>'
            ),
            "10:61: the groups of a piece contradict each other; name each group once",
        ),
        (
            flat(more='<shape id="0" count="4294967297"/>'),
            '10:9: "count" is a whole number from 0 to 65536, not "4294967297"',
        ),
        (flat(more='<shape id="0" count="x"/>'), '10:9: "count" is a whole number from 0 to 65536, not "x"'),
        (flat(more='<shape id="0" min="3" max="2"/>'), "10:9: a shape is used 3 to 2 times"),
        (flat(more=use(5)), "10:1: the problem uses shape 5, but shapes go from 0 to 1"),
        (flat(more=use(1)), "10:1: shape 1 is a piece and also what is to be made"),
        (flat(more=use(0) + use(0)), "10:34: shape 0 is named twice in the problem"),
        (flat(more=use(0, 3)), "9:1: the pieces have 9 cells, more than the 6 of the board"),
        (flat(problem=' maxHoles="x"'), '9:11: "maxHoles" is a whole number from 0 to 4294967295, not "x"'),
        (
            flat(grid="2"),
            "6:1: a cell lies at x = 1, y = 0, z = 0, where the grid has none; spheres lie where x + y + z is even",
        ),
        (
            flat("_#_", "__#", grid="3"),
            "6:1: a cell lies at x = 2, y = 0, z = 0, where the grid has none; a cube of 5 x 5 x 5 places has 24 cells",
        ),
        (
            flat("_#_", "__#", grid="4"),
            "7:1: a cell lies at x = 1, y = 0, z = 0, where the grid has none;"
            " a cube of 3 x 3 x 3 places has its middle and four of its corners",
        ),
        (
            puzzle_text(
                [voxel(3, 1, 1, "__#"), voxel(3, 2, 2, "__+_______+_")],
                '<shape id="0" min="0" max="1"/>',
                1,
                grid="4",
                problem=' maxHoles="1"',
            ),
            "9:1: maxHoles is not read if both tetrahedra and parts of octahedra may stay empty; leave it out",
        ),
        (puzzle_text([voxel(1, 1, 1, "#")], use(0), 7), "10:1: the problem does not say what is to be made"),
        (
            puzzle_text([voxel(65536, 65536, 1, "_")], use(0), 0),
            "6:1: 65536 x 65536 x 1 is 4294967296 cells, but 1 are marked",
        ),
        (puzzle_text([voxel(0, 1, 1, "")], use(0), 0), '"x" is a whole number from 1 to 65536, not "0"'),
        (gzip.compress(flat())[:-9], "1:1: the compressed file ends too early"),
        (b"\x1f\x8bjunk", "1:1: the file is compressed, but cannot be decompressed"),
    ],
)
def test_refusals(content: bytes, complaint: str) -> None:
    with pytest.raises(BadInput) as refusal:
        read_burrtools(content, "p.xmpuzzle")
    assert str(refusal.value).startswith("p.xmpuzzle:")
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_no_more_is_decompressed_than_is_read() -> None:
    bomb = zlib.compressobj(9, wbits=31)
    content = b"".join(bomb.compress(b"\0" * (1 << 20)) for _ in range(64)) + bomb.flush()
    assert len(content) < 1 << 18
    with pytest.raises(BadInput, match="decompressed it has more than 10485760 bytes"):
        read_burrtools(content, "p.xmpuzzle")


def test_large_shapes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(burrtools_file, "MAX_MARKS", 8)
    with pytest.raises(BadInput, match="shapes of more than 8 cells together are not read"):
        read_burrtools(flat(), "p.xmpuzzle")
