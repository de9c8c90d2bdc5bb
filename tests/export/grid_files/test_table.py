"""`[[table]]`: words of a list."""

from __future__ import annotations

import os
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from rekkyo.errors import BadInput
from rekkyo.export.puzzle_toml import beside
from rekkyo.export.puzzle_toml.reader import read_toml, read_toml_file, toml_alone
from rekkyo.model.csp.csp import Csp
from tests import naive_csp
from tests.export.grid_files.asking import (
    HEAD,
    TWO,
    Case,
    Holds,
    Row,
    check_complaint,
    check_meaning,
    complaint_about,
    lines_of,
    text_of,
)

WHITE, BLACK = 0, 1
WORDS_OF_KUROMASU = "WWWBW WWWBB WWBWB WBWWW WBBWW"
"""The first row and the rest of the first column, where a 3 stands in the corner of Kuromasu."""


def is_kuromasu(row: Row) -> bool:
    """No two black cells side by side, white ones connected, and the corner sees three with itself."""
    grid = lines_of(row, 3)
    white = {(r, c) for r in range(3) for c in range(3) if grid[r][c] == WHITE}
    pairs = [*pairwise(grid), *pairwise(zip(*grid, strict=True))]
    if any(one == other == BLACK for a, b in pairs for one, other in zip(a, b, strict=True)):
        return False
    reached: set[tuple[int, int]] = set()
    ahead = sorted(white)[:1]
    while ahead:
        r, c = ahead.pop()
        reached.add((r, c))
        ahead += white.intersection([(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]) - reached
    runs = [
        [line[0] == WHITE, line[0] == line[1] == WHITE, set(line) == {WHITE}] for line in (row[:3], row[::3])
    ]
    return reached == white and grid[0][0] == WHITE and sum(map(sum, runs)) - 1 == 3


MEANINGS: list[Case] = [
    (
        "...\n...",
        '"01"',
        '[[table]]\npattern = "##\\n#."\norientations = "rotations"\nwords = "011 100 110"',
        lambda r: all(
            tuple(r[cell] for cell in group) in {(0, 1, 1), (1, 0, 0), (1, 1, 0)}
            for a in (0, 1)
            for group in ((a, a + 1, a + 3), (a, a + 1, a + 4), (a, a + 3, a + 4), (a + 1, a + 3, a + 4))
        ),
    ),
    (
        "...\n...\n...",
        '"WB"',
        '[[table]]\ncells = "0,0 0,1 0,2 1,0 2,0"\n'
        f'words = "{WORDS_OF_KUROMASU}"\n[[connected]]\nvalue = "W"\n'
        '[[avoid]]\npattern = "BB"\norientations = "all"',
        is_kuromasu,
    ),
    (
        "...\n..#",
        '"A..D"',
        '[[table]]\nregions = "runs"\nwords = "ABC AB BA DD CAB"',
        lambda r: (
            r[:3] in ((0, 1, 2), (2, 0, 1))
            and all(pair in ((0, 1), (1, 0), (3, 3)) for pair in (r[3:], r[:4:3], r[1::3]))
        ),
    ),
    (
        TWO,
        '"AB"',
        '[[table]]\nregions = "rows"\nwords = ["AB", "BA", "AA"]\nrepeat = false',
        lambda r: (1, 1) not in lines_of(r, 2) and r[:2] != r[2:],
    ),
]

COMPLAINTS = [
    (HEAD + '[[table]]\nregions = "rows"', '4:1: [[table]] has either "words" or "file"'),
    (HEAD + '[[table]]\nregions = "rows"\nwords = "1235"', '6:9: "5" of "1235" is none of the values'),
    (HEAD + '[[table]]\nregions = "rows"\nwords = ["12", "1 2"]', '6:16: " " of "1 2" is none of the'),
    (HEAD + '[[table]]\nregions = "rows"\nwords = "123"', "4:1: no word has 4 letters, the size of a region"),
    (
        HEAD.replace('"1..4"', "[-1, 1]") + '[[table]]\nregions = "rows"\nwords = "1"',
        "4:1: words need values that are characters, or numbers from 0 to 61",
    ),
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), MEANINGS)
def test_what_it_means(board: str, values: str, clauses: str, holds: Holds) -> None:
    check_meaning(board, values, clauses, holds)


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)


class TestFilesOfWords:
    def test_a_file_beside_the_puzzle(self, tmp_path: Path) -> None:
        (tmp_path / "words.txt").write_text("AB BA\nAé ABA\r\nA\n", encoding="utf-8")
        path = tmp_path / "mine.toml"
        path.write_text(text_of(TWO, '"AB"', '[[table]]\nregions = "rows"\nfile = "words.txt"'))
        model = read_toml_file(path).model
        assert isinstance(model, Csp)
        assert naive_csp.solutions(model) == [(0, 1, 0, 1), (0, 1, 1, 0), (1, 0, 0, 1), (1, 0, 1, 0)]

    def test_words_in_lower_case_are_named_as_the_reason(self, tmp_path: Path) -> None:
        (tmp_path / "words.txt").write_text("aba bab abb AB")
        assert self.complaint(tmp_path, "words.txt") == (
            f"{tmp_path / 'mine.toml'}:5:1: no word has 3 letters, the size of a region; "
            "3 of 4 words were skipped: other characters than AB"
        )

    @pytest.mark.parametrize("name", ["../words.txt", "/etc/passwd", "a\\\\b", "c:x", "", "..", "a\\u0000b"])
    def test_only_names_of_files_in_the_folder(self, tmp_path: Path, name: str) -> None:
        assert 'mine.toml:7:8: "file" is the name of a file' in self.complaint(tmp_path, name)

    def test_missing_files_folders_and_long_files(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert "mine.toml:7:8: none.txt cannot be read: No such file" in self.complaint(tmp_path, "none.txt")
        (tmp_path / "folder").mkdir()
        assert "folder" in self.complaint(tmp_path, "folder")
        (tmp_path / "long.txt").write_text("AB " * 10)
        monkeypatch.setattr(beside, "MAX_BYTES", 20)
        assert "long.txt has more than the 20 bytes that are read" in self.complaint(tmp_path, "long.txt")

    def test_bytes_that_are_no_text(self, tmp_path: Path) -> None:
        (tmp_path / "bad.txt").write_bytes(b"AB \xff")
        assert "mine.toml:7:8: bad.txt is not text" in self.complaint(tmp_path, "bad.txt")

    @pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
    def test_links_and_pipes_are_not_opened(self, tmp_path: Path) -> None:
        (tmp_path / "link.txt").symlink_to("/etc/hostname")
        assert "is a link or not a file" in self.complaint(tmp_path, "link.txt")
        os.mkfifo(tmp_path / "pipe.txt")
        assert "is a link or not a file" in self.complaint(tmp_path, "pipe.txt")

    def test_a_text_without_a_folder_reads_no_files(self) -> None:
        said = complaint_about(text_of(TWO, '"AB"', '[[table]]\nregions = "rows"\nfile = "words.txt"'))
        assert said.startswith("mine.toml:9:1: a puzzle that is not a file")

    def test_a_copy_has_the_words_of_several_files(self, tmp_path: Path) -> None:
        for name, words in (("one.txt", "AB BA and more"), ("two.txt", "ABA BAB BBA")):
            (tmp_path / name).write_text(words)
        tables = '[{ cells = "0,0 0,1", file = "one.txt" }, { file = "two.txt", cells = "0,0 0,1 0,2" }]'
        path = tmp_path / "mine.toml"
        path.write_text(f'kind = "grid"\nvalues = "AB"\nboard = "..."\ntable = {tables}')
        alone = toml_alone(path, ())
        assert alone is not None
        assert read_toml(alone, "copy.toml").model == read_toml_file(path).model

    def test_words_with_braces_cannot_be_copied_into_a_family(self, tmp_path: Path) -> None:
        """There they would be parameters, of another value or unknown."""
        path = tmp_path / "mine.toml"
        path.write_text(
            'kind = "grid"\nvalues = "}14n{"\nboard = "..."\n[[table]]\nregions = "rows"\nfile = "words.txt"\n'
            '[family]\nn = "1..8"'
        )
        for words in ("{n} 444", "{n} 444 {1}", "{}1 111"):
            (tmp_path / "words.txt").write_text(words)
            assert toml_alone(path, ("4",)) is None

    def complaint(self, folder: Path, name: str) -> str:
        path = folder / "mine.toml"
        path.write_text(
            f'kind = "grid"\nvalues = "AB"\nboard = "..."\n\n[[table]]\nregions = "rows"\nfile = "{name}"'
        )
        with pytest.raises(BadInput) as refusal:
            read_toml_file(path)
        assert "\n" not in str(refusal.value)
        return str(refusal.value)
