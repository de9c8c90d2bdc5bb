"""Covers and packings from the command line: counts, files, notations, reasons for having no solution."""

from __future__ import annotations

import json
from functools import reduce
from pathlib import Path

import pytest

from tests.cli.test_commands import rekkyo

DIGITS = (Path(__file__).parent.parent / "data" / "digits_solutions.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("pentominoes 6 10", "total 9356, unique 2339 up to rotation and reflection"),
        ("pentominoes 8 8 --without-centre", "total 520, unique 65 up to rotation and reflection"),
        ("soma", "total 11520, unique 240 up to rotation and reflection"),
        ("dominoes 6 6", "total 6728, unique 930 up to rotation and reflection"),
        ("langford 8", "total 300, unique 150"),
        ("hexiamonds 6 6", "total 624, unique 156 up to rotation and reflection"),
        ("digits", "total 48, unique 12 up to rotation and reflection"),
        ("digits --exchange-equal", "total 48, unique 3"),
    ],
)
def test_counts(words: str, line: str) -> None:
    assert rekkyo("count", *words.split()).stdout == line + "\n"


def test_a_count_of_more_digits_than_python_prints_by_default(tmp_path: Path) -> None:
    """Any of 15,000 equal options: 2^15000, which has 4,516 digits."""
    path = tmp_path / "many.xcc"
    path.write_text("0:15000|a\n" + "a\n" * 15_000)
    done = rekkyo("count", str(path), "--engine", "cover-frontier", "--up-to", "none", "--json")
    digits = done.stdout.split('"total": ')[1].split(",")[0]
    assert len(digits) == 4516
    prime = 2**61 - 1
    assert reduce(lambda rest, digit: (10 * rest + int(digit)) % prime, digits, 0) == pow(2, 15_000, prime)


@pytest.mark.parametrize("words", ["soma", "pentominoes 3 20", "langford 7", "dominoes 4 6"])
def test_two_engines_that_share_no_search_find_the_same_set(words: str) -> None:
    digests = {
        json.loads(rekkyo("count", *words.split(), "--digest", "--json", "--engine", engine).stdout)["digest"]
        for engine in ("cover-bitset", "cover-cells")
    }
    assert len(digests) == 1


def test_digits_in_the_notation_of_their_source() -> None:
    """The twelve printed solutions are among the 48, and check out."""
    printed = {line for line in DIGITS.splitlines() if line.startswith("0=")}
    assert len(printed) == 12
    listed = rekkyo("solve", "digits", "--format", "digits").stdout.splitlines()
    assert len(listed) == 48
    assert printed <= set(listed)
    done = rekkyo("verify", "digits", given="\n".join(sorted(printed)))
    assert done.stdout == "12 solutions checked: all valid, all different\n"


def test_a_piece_fixed_in_place() -> None:
    place = ("--place", "0=(0,8,1,1)")
    assert rekkyo("count", "digits", *place, "--up-to", "none").stdout == "total 8\n"


class TestXccFiles:
    def test_what_info_writes_count_reads(self, tmp_path: Path) -> None:
        path = tmp_path / "soma.xcc"
        path.write_text(rekkyo("info", "soma", "--xcc").stdout)
        assert rekkyo("count", str(path), "--up-to", "none").stdout == "total 11520\n"
        assert "exact cover of 34 items with 688 options" in rekkyo("info", str(path)).stdout

    def test_an_example_with_colours(self, tmp_path: Path) -> None:
        path = tmp_path / "toy.xcc"
        path.write_text("| Knuth's toy example\np q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n")
        assert rekkyo("solve", str(path)).stdout == "1 3\n"

    @pytest.mark.parametrize(
        ("text", "complaint"),
        [
            (b"a b\na c\n", 'line 2, column 3: there is no item "c"; name it in the line of items'),
            (b"a a\n", "line 1, column 3: "),
            (b"\x00\xff\xfe", "is not text"),
            (b"", "there are no items; name them in the first line"),
        ],
    )
    def test_what_cannot_be_read_is_named_with_its_place(
        self, text: bytes, complaint: str, tmp_path: Path
    ) -> None:
        path = tmp_path / "bad.xcc"
        path.write_bytes(text)
        done = rekkyo("count", str(path), ok=False)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert complaint in done.stderr

    def test_a_file_of_a_gigabyte_is_refused_by_its_size(self, tmp_path: Path) -> None:
        path = tmp_path / "large.xcc"
        with path.open("wb") as file:
            file.truncate(1 << 30)
        assert "has 1073741824 bytes; at most" in rekkyo("count", str(path), ok=False).stderr

    def test_queens_have_no_xcc_text(self) -> None:
        assert "is not searched as an exact cover" in rekkyo("info", "queens", "8", "--xcc", ok=False).stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("pentominoes 6 9", "packing: the pieces have 60 cells, more than the 54 of the board"),
        ("pentominoes 100000 100000", "W must be a whole number from 1 to "),
        (
            "polyominoes 5 7 9",
            "packing: the pieces have 60 cells, but the board that they fill has 63",
        ),
        ("digits --place 0=(1,1,1,1,1)", "digits: "),
        ("sudoku --clues 123", "sudoku: "),
    ],
)
def test_bad_input_is_one_line(words: str, complaint: str) -> None:
    done = rekkyo("count", *words.split(), ok=False)
    assert complaint in done.stderr
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_the_reason_for_zero_is_said_before_the_search() -> None:
    done = rekkyo("count", "pentominoes", "2", "30")
    assert done.stdout == "total 0, unique 0 up to rotation and reflection\n"
    assert 'pentominoes 2 30: no solution, because piece "' in done.stderr
    assert "fits nowhere on the board" in done.stderr


class TestTheSwitchThatAllowsMore:
    """No pair of 7 points is in more than 5 different triples; where triples are repeated, it may be."""

    REASON = (
        'no solution, because item "1-2" must be covered 6 times, but is in 5 options; the same is true of'
        " 20 other items; with --repeated, blocks may be equal\n"
    )

    def test_is_named_with_the_reason_for_zero(self) -> None:
        done = rekkyo("count", "block-designs", "2", "7", "3", "6")
        assert done.stdout == "total 0, unique 0\n"
        assert f"block-designs 2 7 3 6: {self.REASON}" in done.stderr
        assert self.REASON in rekkyo("info", "block-designs", "2", "7", "3", "6").stdout

    @pytest.mark.parametrize("words", ["block-designs 2 7 3 5", "block-designs 2 3 2 2 --repeated"])
    def test_is_not_named_where_it_is_given_or_not_needed(self, words: str) -> None:
        assert "--repeated, blocks" not in rekkyo("count", *words.split()).stderr


def test_the_clues_of_a_sudoku_may_stand_alone() -> None:
    clues = "800000000003600000070090200050007000000045700000100030001000068008500010090000400"
    assert rekkyo("count", "sudoku", clues).stdout == rekkyo("count", "sudoku", "--clues", clues).stdout


def test_polysticks_are_the_tetrasticks() -> None:
    assert (
        rekkyo("info", "polysticks", "--without", "H").stdout
        == rekkyo("info", "tetrasticks", "--without", "H").stdout
    )
