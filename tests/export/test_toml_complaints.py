"""Puzzle files that cannot be read: each is refused with the place, the reason and the fix."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.export.puzzle_toml import positions, reader
from tests.export.grid_files.asking import check_complaint, complaint_about


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "",
            '1:1: "kind" is missing; write kind = "packing", or another of packing, coloring, figure, cover',
        ),
        ('kind = "pakcing"', '1:8: "kind" is "pakcing", which is not known; did you mean "packing"?'),
        ('kind = "river"', '1:8: "kind" is "river", which is not known; known: packing, coloring, figure,'),
        (
            'kind = "hamiltonian-cycles"',
            '1:8: "kind" is "hamiltonian-cycles", which is not known; write kind = "graph" and'
            ' find = "cycles" and hamiltonian = true',
        ),
        (
            'kind = "spanning-trees"',
            '1:8: "kind" is "spanning-trees", which is not known; write kind = "graph" and find = "spanning-tr',
        ),
        (
            'kind = "sudoku"',
            '1:8: "kind" is "sudoku", which is not known; write kind = "grid" and the rules as cl',
        ),
        ('kind = "word-search"', '1:8: "kind" is "word-search", which is not known; write kind = "words"'),
        ('kind = "colorings"', '1:8: "kind" is "colorings", which is not known; did you mean "coloring"?'),
        ('kind = "path"', '1:8: "kind" is "path", which is not known; known: packing, coloring, figure,'),
        ("kind = 3", '1:8: "kind" is a whole number; write a text, in quotes'),
        (
            'kind = "packing"\nboard = "##"\n\npices = "A"',
            '4:1: there is no key "pices"; did you mean "pieces"?',
        ),
        ('kind = "packing"\nboard = "##"\npieces = "A\\tA"', "3:12: a tab; draw with spaces or points"),
        (
            'kind = "packing"\nboard = "##"\n[pieces]\nX = "#"\nY = "#"\n  X = "#"',
            '6:3: piece "X" appears twice: lines 4 and 6; leave one out',
        ),
        ('n = 1\nkind = "queens"\nn = 2', '3:1: "n" appears twice: lines 1 and 3; leave one out'),
        ("[a.b]\nc = 1\nc = 2", '3:1: "a.b.c" appears twice: lines 2 and 3; leave one out'),
        (
            'kind = "packing"\nboard = "###"\npieces = "AA"',
            "2:1: the pieces have 2 cells, but the board that they fill has 3; change the pieces or the board",
        ),
        ('kind = "packing"\nboard = ""\npieces = "A"', "2:1: the drawing is empty; draw each cell as a mark"),
        (
            "kind = 'packing'\nlattice = 'hexagon'\nboard = '''\n\n# # #\n##\n'''\npieces = 'A'",
            '6:1: "#" stands where the hexagon lattice has no cell',
        ),
        (
            'kind = "packing"\nboard = "##"\n[pieces]\nX = "#Y"',
            '4:1: piece "X" is drawn with two marks, "#" and "Y"; use one',
        ),
        (
            'kind = "packing"\nboard = "##"\npieces = "AA"\n[times]\nB = 2',
            '5:1: there is no piece "B"; pieces are A',
        ),
        (
            'kind = "packing"\nboard = "##"\npieces = "AA"\ntimes = { A = [2, 1] }',
            '4:15: "A" is used 2 to 1 times; write the lesser first',
        ),
        (
            'kind = "packing"\nboard = "####"\npieces = "AA.BB"\ngiven = ".....AA"',
            '4:1: given piece "A" has 0,5, which is not on the board',
        ),
        (
            'kind = "packing"\nboard = "##"\npieces = "AA"\ntimes = "often"',
            '4:9: each is used 2, [1, 3], [1, "any"] or "any" times, with numbers to 65536; or "once", "at most',
        ),
        (
            'kind = "packing"\nboard = "##"\npieces = "AA"\n[only_on]\nB = "##"',
            '5:1: there is no piece "B"; pieces are A',
        ),
        (
            'kind = "packing"\nboard = "##"\npieces = "AA"\n[only_on]\nA = "###"',
            '5:1: piece "A" may lie on 0,2, which is not on the board',
        ),
        (
            'kind = "packing"\nboard = "xy"\npieces = "A"\n[only_on]\nA = "y"',
            '5:1: "y" is a drawing of one cell; write ["y"] for all cells with that mark',
        ),
        (
            'kind = "packing"\nboard = "##"\npieces = "AA"\n[only_on]\nA = []',
            '5:1: piece "A" may lie nowhere; name a mark, or leave the piece out here',
        ),
        (
            'kind = "packing"\nboard = "x?"\npieces = "AA"\n[only_on]\nA = ["x", "y"]',
            '5:11: no cell of the board is marked "y"; marks are ?, x',
        ),
        ('kind = "packing"\nboard = "##"\npieces = "AA"\n[only_on]\nA = 3', '5:5: "A" is a whole number'),
        (
            'kind = "packing"\nboard = "#####?"\npolyforms = 4',
            "2:1: the pieces have 20 cells, more than the 6 of the board",
        ),
        (
            'kind = "packing"\nboard = "##"\npolyforms = 8',
            '3:13: "polyforms" says how many cells the pieces have, from 1 to 7, or a list',
        ),
        (
            'kind = "packing"\nlattice = "cube"\nboard = "##"\npolyforms = [2, 6]',
            '4:13: "polyforms" says how many cells the pieces have, from 1 to 5, or a list',
        ),
        (
            'kind = "packing"\nboard = "##"\npolyforms = [2, 2]',
            "3:13: a number of cells appears twice; write it once",
        ),
        (
            'kind = "packing"\nboard = "##"\npolyforms = 4\npieces = "II"',
            '3:1: the polyform "I" has the name of a drawn piece; rename that',
        ),
        ('kind = "packing"\nboard = "##"', '1:1: "pieces" is missing; give a table of drawings, [pieces]'),
        ("[[[[[[[[[[", "1:3: this is not TOML: invalid initial character for a key part"),
        ("a = " + "[" * 50, "1:22: lists or tables nested more than 16 deep"),
        ("a.b.c.d.e.f.g.h.i = 1", "1:1: a key of more than 8 parts; leave out some dots"),
        ('kind = "queens', "1:15: this is not TOML: "),
        ("kind = \u201cqueens\u201d", "1:8: \u201c is not a quote of TOML; write straight quotes, \" or '"),
        ("kind = \u2018queens\u2019", "1:8: \u2018 is not a quote of TOML; write straight quotes"),
        (
            'kind = "queens\u201d\nn = 3',
            "1:16: the line ends inside a text in quotes; \u201d does not end a text; write straight quotes",
        ),
        (
            'kind\u00a0= "queens"',
            "1:5: this is not TOML: expected '=' after a key in a key/value pair at U+00A0, no-break space; leave",
        ),
        (
            '\u200bkind = "queens"',
            "1:1: this is not TOML: invalid statement at U+200B, zero width space; leave it",
        ),
        (
            'kind = "queens\nn = 3',
            "1:15: the line ends inside a text in quotes; close the quotes, or begin and",
        ),
        (
            "kind = 'queens\nn = '3'",
            "1:15: the line ends inside a text in quotes; close the quotes, or begin and",
        ),
        ("n = " + "1" * 5000, "1:1: a number or date in it cannot be read; shorten it"),
        ('kind = "queens"\nboard = """\nQ..\n..y\n..."""', '4:3: "y" is none of ".", "Q" and "x"'),
        ('kind = "queens"\nboard = """\nQ..\n...."""', "3:1: the row has 3 squares on a board of 2 rows"),
        ('kind = "queens"\nn = 65', '2:5: "n" is a whole number from 1 to 64'),
        ('kind = "queens"\nn = true', '2:5: "n" is true or false; write a whole number'),
        ('kind = "figure"\nlines = """\na b\n c d = x"""', '4:2: "c d = x" does not end with a whole number'),
        ('kind = "figure"\nlines = """a b\n c d = x"""', '3:2: "c d = x" does not end with a whole number'),
        (
            'kind = "figure"\nlines = """\na b\n c d = 1%s"""' % ("0" * 25),
            "4:2: a sum is a whole number from",
        ),
        (
            'kind = "figure"\nlines = """\na b\n c + d = 9"""',
            '4:4: "+" cannot name a cell; a line is the sum of',
        ),
        ('kind = "figure"\nlines = "a b; a b^2 = 5"', '2:17: "b^2" cannot name a cell; a line is the sum of'),
        ('kind = "figure"\nlines = "2a b = 7"', '2:10: "2a" looks like 2 times a, but a line has no factors'),
        ('kind = "figure"\nlines = "a < 2b"', '2:14: "2b" looks like 2 times b, but a line has no factors'),
        ('kind = "figure"\ncells = "a +"\nlines = "a"', '2:12: "+" cannot name a cell'),
        (
            'kind = "figure"\ncells = """\n. a\nb c"""\nlines = "a b, a c"',
            '3:1: "." names no cell; leave spaces where there is none',
        ),
        ('kind = "figure"\nlines = "a b; b c"\n[given]\nz = 1', '4:1: there is no cell "z"'),
        (
            'kind = "cover"\nitems = "a"\noptions = "a"\n[times]\na = 1000000000',
            '5:5: "a" is used 2, [1, 3], [1, "any"] or "any" times, with numbers to 65536',
        ),
        ('kind = "cover"\nitems = "a"\noptions = "a"\ntimes = 0', "4:9: each is used 0 to 0 times"),
        (
            'kind = "cover"\nitems = "a"\noptions = "a"\n[times]\na = [-1, 2]',
            '5:5: "a" is used 2, [1, 3], [1, "any"] or "any" times, with numbers to 65536',
        ),
        ('kind = "figure"\nlines = "a a"', '2:10: "a a" names a cell twice'),
        ('kind = "figure"\nlines = "a b"\nnumbers = [1, 1]', "3:1: number 1 appears twice"),
        ('kind = "figure"\nlines = "a b"\nnumbers = "1..9999"', "3:11: from 1 to 9999 are not 1 to 1024"),
        ('kind = "coloring"\ncolors = 9\nboard = "#"', '2:10: "colors" is a whole number from 2 to 8'),
        (
            'kind = "coloring"\ncolors = 2\nboard = "##"\n[[avoid]]\npattern = "=X"',
            '5:13: "X" is not a colour; use "=" or one of 12',
        ),
        *(
            (
                f'kind = "coloring"\ncolors = 3\ncells = "a b"\n[[avoid]]\ncells = "a b:{color}"',
                f'5:12: "{color}" is not a colour; colours are 1, 2, 3',
            )
            for color in ("4", "12")
        ),
        (
            'kind = "coloring"\ncolors = 2\nboard = "##"\n[[avoid]]\npattern = "=."',
            '5:1: one cell alone is always in one colour; mark two or more with "="',
        ),
        (
            'kind = "coloring"\ncolors = 2\nboard = "##"\n[[avoid]]\npatern = "=="',
            '5:1: there is no key "patern" in [avoid]; did you mean "pattern"?',
        ),
        (
            'kind = "coloring"\ncolors = 2\nboard = "rectangle 2 2"\ngiven = "1."',
            "4:1: the drawing has 1 line, but the board has 2; draw all of them",
        ),
        ('kind = "cover"\nitems = ""\noptions = "a"', "2:1: there are no items; name at least one"),
        (
            'kind = "coloring"\ncolors = 2\ncells = "a . b"\n[[avoid]]\ncells = "a b"',
            '3:12: "." names no cell; leave it out',
        ),
        (
            'kind = "coloring"\ncolors = 2\ncells = "a b"\n[[avoid]]\ncells = "a b a"',
            "5:10: the line names a cell twice; name it once",
        ),
        ('kind = "coloring"\ncolors = 2\nboard = "###"\ngiven = "...1"', '4:13: "1" is not on the board'),
        (
            'kind = "coloring"\ncolors = 2\nboard = "###"\n[[different]]\nregions = "AAA"',
            "5:1: 3 cells cannot all differ in 2 colours",
        ),
        (
            'kind = "cover"\nitems = "a b a"\noptions = "a"',
            '2:14: item "a" is named twice; name it once',
        ),
        ('kind = "cover"\nitems = "a"\noptions = """\na\n b"""', '5:2: there is no item "b"'),
        (
            'kind = "cover"\nitems = "a"\nsecondary = "x"\noptions = "x"',
            "4:12: the option has none of the items",
        ),
        ('kind = "tiles"\nboard = "##"\n[tiles]\nA = "abc"', '4:5: tile "A" is "abc"; write 4 characters'),
        (
            'kind = "tiles"\nboard = "##"\n[tiles]\nA = "abcd"\nB = "bcda"',
            '5:1: tile "B" is the same as "A"; write it once',
        ),
        (
            'kind = "tiles"\nboard = "##"\n[tiles]\nA = "abcd"',
            "2:1: the board has 2 cells, but there is 1 tile",
        ),
        ('kind = "words"\nboard = "##"\nwords = "A A"', '3:1: word "A" appears twice; write it once'),
        ('kind = "queens"\nn = 4\n[published]\ntotal = -1', '4:9: "total" is a whole number from 0'),
        (
            'kind = "queens"\nn = 4\n[published]\nsource = "x"',
            "3:1: [published] has neither total nor unique",
        ),
        *(
            (f'kind = "queens"\nn = 4\ntitle = "{title}"', '3:9: "title" has 1 to 200 printable characters')
            for title in ("", "x" * 201, r"\u001b[2J", r"two\nlines")
        ),
        (
            'kind = "queens"\nn = 1e3',
            '2:5: "n" is a number with a point or an exponent; write a whole number',
        ),
        ('kind = "queens"\nboard = "Qy"', '2:11: "y" is none of ".", "Q" and "x"; draw'),
        ('kind = "queens"\nboard = "a1 a2 b1 b2"', '2:10: "a" is none of ".", "Q" and "x"; draw each square'),
        *(
            (f'kind = "queens"\nboard = {drawn}', f'{place}: "y" is none of')
            for drawn, place in (
                (r'"Q..\nx.y\n..."', "2:17"),
                (r'"\n\u0051..\n\U00000078.y\n..."', "2:33"),
                ('"""Q..\n' + r'x.y\n..."""', "3:3"),
                ('"""\nQ.\\  \n  .\nx.y\n..."""', "5:3"),
                ('"""\r\nQ.\\\r\n\r\n.\r\nx.y\r\n..."""', "6:3"),
            )
        ),
    ],
)
@pytest.mark.usefixtures("few_digits")
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)


class TestBounds:
    def test_a_large_file_is_refused_before_it_is_read(self, tmp_path: Path) -> None:
        path = tmp_path / "large.toml"
        with path.open("wb") as file:
            file.truncate(reader.MAX_BYTES + 1)
        with pytest.raises(BadInput, match=r"large\.toml has 10485761 bytes; at most 10485760 are read"):
            rk.puzzle_from_file(path)

    def test_binary_files(self, tmp_path: Path) -> None:
        path = tmp_path / "binary.toml"
        path.write_bytes(bytes(range(256)))
        with pytest.raises(BadInput, match=r"binary\.toml is not text: byte 128 is not UTF-8"):
            rk.puzzle_from_file(path)
        path.write_bytes(b"\0" * 100)
        with pytest.raises(BadInput, match=r"binary\.toml:1:1: this is not TOML"):
            rk.puzzle_from_file(path)

    def test_missing_files_folders_and_other_files(self, tmp_path: Path) -> None:
        for path, complaint in (
            (tmp_path / "none.toml", r"none\.toml cannot be read: No such file"),
            (
                tmp_path,
                "holds no run: .*; the name of a puzzle file ends in one of .toml, .xcc, .xmpuzzle",
            ),
            (
                tmp_path / "mine.json",
                r"mine\.json is not there; a run is a folder, and the name of a puzzle file",
            ),
            (
                tmp_path / "a.col",
                r'a\.col is a graph; write kind = "graph" and file = "a\.col" in a puzzle file',
            ),
            (tmp_path / "a.cnf.gz", r"a\.cnf\.gz is compressed; unpack it, and name the file"),
            (Path(__file__), r"test_toml_complaints\.py is not a puzzle file; .* ends in one of \.toml"),
        ):
            with pytest.raises(BadInput, match=complaint):
                rk.puzzle_from_file(path)

    def test_huge_boards(self) -> None:
        row = "#" * 1000
        board = "\n".join([row] * 70)
        said = complaint_about(f'kind = "packing"\nboard = """\n{board}"""\npieces = "A"')
        assert said == "mine.toml:68:1: the drawing has more than 65536 marks; draw fewer"

    def test_many_keys(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(positions, "MAX_KEYS", 1000)
        assert "more than the 1000 keys and values that are read" in complaint_about(f"a = [{'1,' * 1010}]")

    def test_patterns_in_too_many_places(self) -> None:
        board = "\n".join(["#" * 60] * 60)
        text = f'kind = "coloring"\ncolors = 2\nboard = """\n{board}"""\n[[avoid]]\npattern = """\n==\n=="""\nstretch = "freely"'
        assert "the pattern would have 12531600 squares, more than 4194304" in complaint_about(text)

    def test_pairs_of_a_large_group_are_not_made(self) -> None:
        """There are 8,386,560 pairs of cells that differ; only in a family is a group not too large at once."""
        board = "\n".join(["a" * 64] * 64)
        text = f'kind = "coloring"\ncolors = "{{k}}"\nboard = """\n{board}"""\n[family]\nk = "2..8"\n'
        text += f'[[different]]\nregions = """\n{board}"""'
        tracemalloc.start()
        with pytest.raises(BadInput, match="71:1: more than the 262144 sets"):
            reader.read_toml(text, "mine.toml", values=("3",))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 50 << 20

    @pytest.mark.parametrize(
        ("text", "complaint"),
        [
            (
                'kind = "words"\nboard = "#"\nwords = "{}"',
                "3:1: 300000 words are more than the 4096 that are read",
            ),
            ('kind = "cover"\nitems = "a"\noptions = """\n{}"""', "262148:1: more than the 262144 options"),
            ('kind = "figure"\nlines = """\n{}"""', "lines that are accepted"),
            ('kind = "packing"\npieces = "A"\nboard = """\n{}"""', "3:1: a drawing of"),
        ],
    )
    def test_long_lists_are_refused_soon(self, text: str, complaint: str) -> None:
        filler = "." * (2 << 20) if 'board = """' in text else "a\n" * 300_000
        filler = filler.replace("\n", " ") if "words" in text else filler
        assert complaint in complaint_about(text.format(filler))

    def test_nothing_is_evaluated(self) -> None:
        assert "does not end with a whole number" in complaint_about(
            'kind = "figure"\nlines = "a b = __import__(\'os\')"'
        )
