"""Puzzle files for many sizes: what their parameters are, and what stands in their place."""

from __future__ import annotations

import re
import tracemalloc
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.engines import registry
from rekkyo.errors import BadInput
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.lower import lower
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Published
from rekkyo.model.queens import Queens

QUEENS = 'kind = "queens"\nn = "{n}"\ntitle = "{n} queens, {n*n} squares"\n[family]\nn = "1..8"\n'
DATES = 'kind = "queens"\nn = "{month+day}"\ntitle = "{day} {month}"\n[family]\nmonth = "jan feb"\nday = "1..30"\n'


def complaint_about(text: str, *values: str) -> str:
    with pytest.raises(BadInput) as refusal:
        read_toml(text, "mine.toml", values=values)
    said = str(refusal.value)
    assert "\n" not in said
    assert len(said) < 400
    return said


def test_a_member() -> None:
    puzzle = read_toml(QUEENS, "mine.toml", values=("6",))
    assert puzzle.model == Queens(6)
    assert puzzle.name == "mine.toml 6"
    assert puzzle.title == "6 queens, 36 squares"


@pytest.mark.parametrize(
    "values",
    [
        ("--month", "feb", "--day", "4"),
        ("--day=4", "--month=feb"),
        ("--day", "4", "feb"),
        ("feb", "--day", "4"),
        ("4", "--month=feb"),
    ],
)
def test_values_by_name(values: tuple[str, ...]) -> None:
    puzzle = read_toml(DATES, "mine.toml", values=values)
    assert (puzzle.model, puzzle.name, puzzle.title) == (Queens(6), "mine.toml feb 4", "4 feb")


def test_words_stand_for_themselves_in_texts_and_for_their_places_in_numbers() -> None:
    puzzle = read_toml(DATES, "mine.toml", values=("feb", "4"))
    assert puzzle.model == Queens(6)
    assert puzzle.title == "4 feb"


GRID = 'kind = "grid"\nvalues = "ABC"\nboard = "..\\n.."\n'


@pytest.mark.parametrize(
    ("clause", "words", "totals"),
    [
        # A ring of four cells whose neighbours differ in 3 values has 2^4 + 2 colourings.
        ('[[different]]\nregions = ["{p}", "diagonals"]', "rows columns", [18, 18]),
        ('[[count]]\ntimes = 4\nvalue = "{p}"', "A BC", [1, 16]),
        ('[[count]]\ntimes = 4\nvalue = "{p}"', "C B A", [1, 1, 1]),
    ],
)
def test_a_word_stands_where_no_number_is_allowed(clause: str, words: str, totals: list[int]) -> None:
    family = f'{GRID}{clause}\n[family]\np = "{words}"\n'
    members = [read_toml(family, "mine.toml", values=(word,)) for word in words.split()]
    assert [rk.count(member, up_to="none").total for member in members] == totals


def test_the_place_of_a_mark_in_a_word_is_one_in_that_word() -> None:
    text = 'kind = "grid"\nvalues = "AB"\nboard = "{p}"\n[family]\np = ".? .."\n'
    said = complaint_about(text.replace(" ..", " .B"), ".?")
    assert said.startswith("mine.toml:3:9: ")
    assert "(in line 1, column 2, when the values are filled in)" in said


def test_numbers_everywhere() -> None:
    text = """kind = "packing"
board = "rectangle {n} {2n}"
[pieces]
D = "##"
bar = "rectangle 1 {n-1}"
[times]
D = ["{n-2}", "{n*n}"]
bar = "{n-2}"
[family]
n = "2..9"
"""
    model = read_toml(text, "mine.toml", values=("4",)).model
    assert isinstance(model, Packing)
    assert len(model.board) == 32
    assert [(len(p.cells), p.low, p.high) for p in model.pieces] == [(2, 2, 16), (3, 2, 2)]


@pytest.mark.parametrize(("size", "total"), [("4", 2), ("5", 10), ("6", None)])
def test_each_member_has_its_published_count(size: str, total: int | None) -> None:
    text = f'{QUEENS}[published]\ntotal = {{ 4 = 2, 5 = 10 }}\nsource = "me"\n'
    published = read_toml(text, "mine.toml", values=(size,)).published
    assert (published and published.total) == total


def test_titles_are_texts_and_sources_of_counts_stay() -> None:
    text = QUEENS.replace("{n} queens, {n*n} squares", "{n}")
    text += '[published]\ntotal = { 4 = 2 }\nsource = "page {n}"\n'
    puzzle = read_toml(text, "mine.toml", values=("4",))
    assert puzzle.title == "4"
    assert puzzle.published == Published(2, None, "page {n}")


def test_braces_in_other_files_stay() -> None:
    assert read_toml('kind = "queens"\nn = 4\ntitle = "{n}"', "mine.toml").title == "{n}"


def test_from_python(tmp_path: Path) -> None:
    path = tmp_path / "my queens.toml"
    path.write_text(QUEENS, encoding="utf-8")
    assert rk.count(rk.puzzle_from_file(path, 6)).total == 4
    lines = list(rk.bfile([str(path), "4..6"]))
    assert lines[-3:] == ["4 2\n", "5 10\n", "6 4\n"]
    for by_name in (["--n", "4..6"], ["--n=4..6"]):
        assert list(rk.bfile([str(path), *by_name]))[-3:] == lines[-3:]
    assert "n queens, n*n squares" in lines[0]


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ((), "mine.toml is a family of puzzles; give n (1..8) after its name, such as: mine.toml 1"),
        (("9",), 'mine.toml: n is one of 1..8, not "9"'),
        (("0",), "n is one of 1..8"),
        (("-1",), "n is one of 1..8"),
        (("1_0",), "n is one of 1..8"),
        (("04",), 'n is one of 1..8, not "04"'),
        (("9" * 50,), "n is one of 1..8"),
        (("4", "5"), '"5" is one word too many after the file mine.toml; give n (1..8) after its name'),
    ],
)
def test_complaints_about_values(values: tuple[str, ...], complaint: str) -> None:
    assert complaint in complaint_about(QUEENS, *values)


def test_complaints_about_several_values() -> None:
    fix = "give month (jan feb) and day (1..30) after its name, such as: mine.toml jan 1"
    assert complaint_about(DATES, "feb").endswith(fix)
    assert 'month is one of jan feb, not "mar"' in complaint_about(DATES, "mar", "1")
    text = DATES + 'without = ["feb 30", "jan 1"]\n'
    assert complaint_about(text, "feb", "30").startswith('mine.toml: "feb 30" is left out of this family; ')
    assert complaint_about(text, "feb").endswith("such as: mine.toml jan 2")
    assert complaint_about(text, "--day", "30", "feb").startswith('mine.toml: "feb 30" is left out')


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        (("--year", "4"), 'mine.toml has no option "--year"; known: --month, --day'),
        (("--dya", "4"), 'mine.toml has no option "--dya"; did you mean "--day"?'),
        (("--day", "4", "--day=5"), "mine.toml: --day is given twice; give it once"),
        (("feb", "--day"), "mine.toml: --day needs a value: --day 1..30"),
        (("--day", "4"), "mine.toml is a family of puzzles; give month (jan feb) and day (1..30) after"),
        (("feb", "4", "--day", "5"), '"4" is one word too many after the file mine.toml'),
        (("feb", "--day", "31"), 'mine.toml: day is one of 1..30, not "31"'),
    ],
)
def test_complaints_about_values_by_name(values: tuple[str, ...], complaint: str) -> None:
    assert complaint_about(DATES, *values).startswith(complaint)


def test_values_after_a_file_of_one_puzzle() -> None:
    text = 'kind = "queens"\nn = 4'
    assert complaint_about(text, "4") == '"4" is one word too many after the file mine.toml'
    with pytest.raises(BadInput, match=r"one word too many after the file none\.xcc"):
        rk.puzzle_from_file("none.xcc", 4)


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ("n = 8", '4:5: "n" is a whole number; write a text, in quotes'),
        ('n = "8..1"', '4:5: "n" is a range such as 1..8, from 0 to 1000000, the lesser number first'),
        ('n = "1..10000000"', '4:5: "n" is a range'),
        ('n = "1..x"', '4:5: "n" is a range'),
        ('n = ""', '4:5: "n" is a range such as 1..8, or 1 to 1000 different words such as "jan feb mar"'),
        ('n = "a b a"', "different words"),
        ('N = "1..8"', '4:1: "N" cannot name a parameter; use 1 to 20 small letters, digits and "_"'),
        ("", "3:1: [family] names no parameter"),
        ('n = "1..8"\nwithout = ["9"]', '5:12: n is one of 1..8, not "9"'),
        ('n = "1..8"\nwithout = [9]', "5:12: it is not a text"),
        ('n = "1..8"\nwithout = "8"', '5:11: "without" is a text; write a list of values'),
        ('n = "1..2"\nwithout = ["1", "2"]', "5:1: no member of the family is left"),
        ('n = "1..2"\nwithout = ["1", "2", "02"]', '5:22: n is one of 1..2, not "02"'),
        (
            'a="1..2"\nb="1..2"\nc="1..2"\nd="1..2"\ne="1..2"',
            "3:1: 5 parameters are more than the 4 that are read",
        ),
        ('m = "1..8"', '2:5: there is no "n" in [family]; known: m'),
        (
            'n = "1..8"\n[published]\ntotal = 2',
            '6:9: "total" is a whole number; write the count of each member',
        ),
        ('n = "1..8"\n[published]\ntotal = { 9 = 1 }', '6:11: n is one of 1..8, not "9"'),
        (
            'n = "1..8"\nwithout = ["3 4"]',
            '5:12: "3 4" has 2 values, but the family has 1 parameter; write n, as in "1"',
        ),
        ('n = "1..8"\n[published]\ntotal = { 8 = -1 }', '6:15: "8" is a whole number from 0'),
    ],
)
def test_complaints_about_families(lines: str, complaint: str) -> None:
    text = f'kind = "queens"\nn = "{{n}}"\n[family]\n{lines}'
    assert complaint_about(text, "1").startswith("mine.toml:")
    assert complaint in complaint_about(text, "1")


@pytest.mark.parametrize(("without", "first"), [([], "0 0 0"), (["0 0 0", "0 0 1"], "0 0 2")])
def test_the_first_of_many_members_is_named_without_a_list_of_them(without: list[str], first: str) -> None:
    text = f"{QUEENS.partition('[')[0]}[family]\nwithout = {without}\n"
    text += "".join(f'{name} = "0..1000000"\n' for name in "nab")
    tracemalloc.start()
    assert complaint_about(text, "1").endswith(f"such as: mine.toml {first}")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10 << 20


def test_published_counts_name_all_parameters() -> None:
    complaint = complaint_about(f"{DATES}[published]\ntotal = {{ 3 = 1 }}", "feb", "3")
    fix = 'write month and day, as in "jan 1"'
    assert complaint.endswith(f':11: "3" has 1 value, but the family has 2 parameters; {fix}')


def test_complaints_about_what_values_come_to() -> None:
    assert complaint_about('kind = "queens"\nn = "{n/2}"\n[family]\nn = "1..8"', "2").startswith(
        'mine.toml:2:5: in "{n/2}" "n/2" stands where a number or a name should be'
    )
    text = 'kind = "packing"\npieces = "A"\nboard = """\n##{n}\\t"""\n[family]\nn = "1..8"'
    assert complaint_about(text, "3") == (
        "mine.toml:3:9: a tab; draw with spaces or points (in line 1, column 4, when the values are filled in)"
    )
    text = QUEENS.replace("{n}", "{1000000n}", 1)
    assert '"n" is a whole number from 1 to 64' in complaint_about(text, "8")


def test_a_run_of_a_member_goes_on_from_its_copy(tmp_path: Path) -> None:
    path = tmp_path / "my queens.toml"
    path.write_text(QUEENS, encoding="utf-8")
    rk.run(rk.puzzle_from_file(path, 6), tmp_path / "run")
    path.unlink()
    run = rk.Run(tmp_path / "run")
    assert run.status().puzzle == f"{path} 6"
    assert run.resume().total == 4
    assert (tmp_path / "run" / "puzzle.toml").read_text(encoding="utf-8") == QUEENS


@pytest.mark.parametrize(
    ("text", "totals", "first", "problem"),
    [
        (
            'kind = "grid"\nboard = "rectangle 1 {n}"\nvalues = "1..3"\n[[different]]\nregions = "rows"\n',
            [3, 6, 6, 0, 0],
            4,
            "4 cells cannot all differ in 3 values",
        ),
        (
            'kind = "grid"\nboard = "rectangle 1 {n}"\nvalues = "1..3"\n[[cage]]\n'
            'regions = "rows"\neach = "different"\n',
            [3, 6, 6, 0, 0],
            4,
            "4 cells cannot all differ in 3 values",
        ),
        (
            'kind = "coloring"\nboard = "rectangle 1 4"\ncolors = "{n+1}"\n[[different]]\nregions = "aaaa"\n',
            [0, 0, 24, 120, 360],
            1,
            "4 cells cannot all differ in 2 colours",
        ),
        (
            'kind = "grid"\nboard = "rectangle 1 3"\nvalues = "-K"\n'
            '[[see]]\nvalue = "K"\nmoves = "rook"\nitself = false\ntimes = "{n}"\n',
            [0, 1, 0, 0, 0],
            3,
            "3 cells or more, but cell 0,0 sees only 2",
        ),
        (
            'kind = "grid"\nboard = "rectangle 1 3"\nvalues = "-K"\n[[count]]\nvalue = "K"\ntimes = "{n}"\n',
            [3, 3, 1, 0, 0],
            4,
            "4 cells or more, but a region has only 3",
        ),
        (
            'kind = "grid"\nboard = "rectangle 1 2"\nvalues = "{n}..5"\n[[cage]]\ncells = "0,0"\neach = "even"\n',
            [10, 8, 3, 2, 0],
            5,
            "cell 0,0 can have none of these values",
        ),
        (
            'kind = "grid"\nboard = "rectangle {n} 1"\nvalues = "\u2191\u2193"\n[[arrows]]\n',
            [0, 1, 2, 4, 8],
            1,
            "each arrow that cell 0,0 may have leads off the board",
        ),
        (
            'kind = "grid"\nboard = "rectangle 1 {n}"\nvalues = "\u2576\u2574"\n[[strokes]]\n',
            [0, 1, 0, 1, 0],
            1,
            "each line that cell 0,0 may have leads off the board",
        ),
    ],
)
def test_a_member_whose_rules_cannot_hold_counts_0(
    text: str, totals: list[int], first: int, problem: str
) -> None:
    family = f'{text}[family]\nn = "1..5"\n'
    members = [read_toml(family, "mine.toml", values=(str(n),)) for n in range(1, 6)]
    assert [rk.count(member).total for member in members] == totals
    for engine in registry.engines_for(lower(members[first - 1].model)):
        assert rk.count(members[first - 1], engine=engine.name).total == 0
    alone = text.replace("{n+1}", str(first + 1)).replace('"{n}"', str(first)).replace("{n}", str(first))
    alone = re.sub('colors = "([0-9])"', r"colors = \1", alone)
    with pytest.raises(BadInput, match=problem):
        read_toml(alone, "mine.toml")


def test_regions_that_a_member_does_not_have_ask_for_nothing() -> None:
    """n bishops on n x n squares (OEIS A002465): a board of one square has no diagonal of two."""
    text = """
    kind = "grid"
    board = "rectangle {n} {n}"
    values = "-B"
    [[count]]
    value = "B"
    times = "{n}"
    [[count]]
    value = "B"
    regions = "all diagonals"
    times = "at most once"
    """
    family = f'{text}[family]\nn = "1..5"\n'
    members = [read_toml(family, "mine.toml", values=(str(n),)) for n in range(1, 6)]
    assert [rk.count(member).total for member in members] == [1, 4, 26, 260, 3368]
    with pytest.raises(BadInput, match="there are no such cells on the board"):
        read_toml(text.replace('"{n}"', "1").replace("{n}", "1"), "mine.toml")
