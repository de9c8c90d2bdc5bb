"""Exact covers as text: Knuth's examples, writing and reading again, every refusal, and any text at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rekkyo.errors import BadInput, BadModel
from rekkyo.export import xcc
from rekkyo.export.puzzle_files import read_puzzle_file
from rekkyo.export.xcc import read_xcc, read_xcc_file, write_xcc
from rekkyo.model.exact_cover import MAX_COLOR, MAX_TIMES, ExactCover
from tests import naive_cover

TOY_XCC = """\
| A toy problem with colors
p q r | x y
p q x y:A
p r x:A y
p x:B
q x:A
r y:B
"""

TOY_MCC = """\
| A simple example of color controls
A B 2:3|C | X Y
A B X:0 Y:0
A C X:1 Y:1
C X:0
B X:1
C Y:1
"""


def test_knuths_example_of_colours() -> None:
    model = read_xcc(TOY_XCC, "toy")
    assert model.primary == ("p", "q", "r")
    assert model.secondary == ("x", "y")
    assert model.bounds == ()
    assert model.options == naive_cover.TOY_XCC.options
    assert naive_cover.solutions(model) == [(1, 3, 5)]


def test_knuths_example_of_multiplicities() -> None:
    model = read_xcc(TOY_MCC, "toy")
    assert model.bounds == ((1, 1), (1, 1), (2, 3))
    assert [row[:3] for row in naive_cover.solutions(model)] == [(1, 3, 4)]


def test_options_without_a_primary_item_are_left_out_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "some.xcc"
    path.write_text("a b | s t\ns:0\na s:0\ns:1 t\nb s:0\n")
    model, n_left_out = read_xcc_file(path)
    assert model.options == read_xcc("a b | s t\na s:0\nb s:0", "t").options
    assert n_left_out == 2
    title = "An exact cover of 4 items with 2 options (options without a primary item left out: 2)"
    assert read_puzzle_file(path, ()).title == title


def test_longer_names_than_knuths_programs_take_are_read_and_written_as_numbers() -> None:
    model = read_xcc("elephant1 b | a_secondary_item\nelephant1 a_secondary_item:a_long_colour\nb", "t")
    assert (model.primary, model.secondary) == (("elephant1", "b"), ("a_secondary_item",))
    assert model.color_names == ("a_long_colour",)
    assert write_xcc(model).splitlines()[2:] == ["#0 b | #2", "#0 #2:1", "b"]


def test_one_number_is_both_bounds() -> None:
    assert read_xcc("3|a b 0:1|c\na b c\n", "t").bounds == ((3, 3), (1, 1), (0, 1))


def test_blank_lines_comments_tabs_and_line_ends_of_every_kind() -> None:
    text = "\ufeff| c\r\n\r\n   | d\n\ta  b \t|  s\r\n\n a\ts:red \n| e\nb"
    model = read_xcc(text.removeprefix("\ufeff"), "t")
    assert model == ExactCover(("a", "b"), ("s",), (((0, 0), (2, 1)), ((1, 0),)))


def test_colours_keep_their_numbers_or_are_numbered_as_they_appear() -> None:
    numbers = read_xcc("a | s\na s:7\na s:2", "t")
    assert [option[1][1] for option in numbers.options] == [7, 2]
    words = read_xcc("a | s\na s:7\na s:x\na s:7", "t")
    assert [option[1][1] for option in words.options] == [1, 2, 1]
    with_zero = read_xcc("a | s\na s:1\na s:0", "t")
    assert [option[1][1] for option in with_zero.options] == [1, 2]


def test_letters_composed_of_two_characters_are_the_letters() -> None:
    """Unicode's forms NFC and NFD of one letter look alike."""
    assert read_xcc("\u00e9 b | s\ne\u0301 s:o\u0308\nb s:\u00f6\n", "forms").options == (
        ((0, 0), (2, 1)),
        ((1, 0), (2, 1)),
    )
    model = ExactCover(("e\u0301", "\u00e9"), (), (((0, 0),), ((1, 0),)))
    assert read_xcc(write_xcc(model), "forms").primary == ("#0", "\u00e9")


@given(model=naive_cover.models())
@example(model=naive_cover.TOY_MCC)
@example(model=ExactCover(("a",), (), (), ((1, 1),)))
def test_writing_and_reading_gives_the_same_model(model: ExactCover) -> None:
    assert read_xcc(write_xcc(model), "t") == model


ODD_NAMES = st.text(max_size=12)


@given(names=st.lists(ODD_NAMES, min_size=1, max_size=8, unique=True), n_primary=st.integers(1, 8))
@example(names=["too long a name", "#0", "", "#3", "a|b", "#2"], n_primary=3)
def test_names_that_do_not_fit_are_numbered_and_stay_different(names: list[str], n_primary: int) -> None:
    primary, secondary = tuple(names[:n_primary]), tuple(names[n_primary:])
    option = tuple((item, 0) for item in range(len(names)))
    model = ExactCover(primary, secondary, (option,))
    again = read_xcc(write_xcc(model), "t")
    assert again.options == model.options
    for old, new in zip(names, again.primary + again.secondary, strict=True):
        assert new == old or new.startswith("#")


def test_a_comment_tells_the_name_that_did_not_fit() -> None:
    text = write_xcc(ExactCover(("upper left corner", "b"), (), (((0, 0), (1, 0)),)))
    assert text == '| #0 is "upper left corner"\n#0 b\n#0 b\n'


def test_colours_that_do_not_fit_are_made_to_fit() -> None:
    options = (((0, 0), (1, MAX_COLOR)), ((0, 0), (1, 5)))
    again = read_xcc(write_xcc(ExactCover(("a",), ("s",), options, ((0, MAX_TIMES),))), "t")
    assert again.options == (((0, 0), (1, 1)), ((0, 0), (1, 2)))
    assert again.bounds == ((0, MAX_TIMES),)


def test_colours_of_eight_digits_are_read_as_they_are() -> None:
    model = read_xcc("a | s\na s:99999999\na s:99999998", "t")
    assert model.options == (((0, 0), (1, 99999999)), ((0, 0), (1, 99999998)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t: there are no items; name them in the first line, blanks between them"),
        ("| only a comment\n\n", "t: there are no items; name them in the first line, blanks between them"),
        ("a 2| b", 't, line 1, column 3: the item after "2|" is empty; give it a character or more'),
        ("a b:c", 't, line 1, column 3: item "b:c" holds ":" or "|"; leave them out of names'),
        ("| c\na b a", 't, line 2, column 5: item "a" is named already in column 1; name it once'),
        ("a b | a", 't, line 1, column 7: item "a" is named already in column 1; name it once'),
        ("a | b | c", 't, line 1, column 7: a second "|" (the first is in column 3); use one, or none'),
        ("a | 2|b", 't, line 1, column 5: "2|b" is secondary; only primary items have bounds'),
        ("x|a", 't, line 1, column 1: "x" are not bounds; write low:high|name or high|name'),
        ("1:|a", 't, line 1, column 1: "1:" are not bounds; write low:high|name or high|name'),
        ("1:2:3|a", 't, line 1, column 1: "1:2:3" are not bounds; write low:high|name or high|name'),
        ("\u0663|a", 't, line 1, column 1: "\u0663" are not bounds; write low:high|name or high|name'),
        (
            "1:1234567890|a",
            "t, line 1, column 1: bound 1234567890 has more than 9 digits; make it smaller",
        ),
        ("3:2|a", "t, line 1, column 1: bounds 3:2 allow nothing; need low <= high and high from 1"),
        ("0|a", "t, line 1, column 1: bounds 0:0 allow nothing; need low <= high and high from 1"),
        ("a b\na  c", 't, line 2, column 4: there is no item "c"; name it in the line of items'),
        ("a b\na b a", 't, line 2, column 5: "a" names an item again (column 1); name it once'),
        ("a | s\na s:1 s:2", 't, line 2, column 7: "s:2" names an item again (column 3); name it once'),
        (
            "a b\na b:x",
            't, line 2, column 3: "b:x" gives a primary item a colour; only secondary items have one',
        ),
        ("a | s\na s:", 't, line 2, column 3: colour "" is empty; give it a character or more'),
        ("a | s\na s:b:c", 't, line 2, column 3: colour "b:c" holds ":" or "|"; leave them out of names'),
        ("a b\na b|$3", 't, line 2, column 3: "b|$3" has a cost, and costs are not read; leave it out'),
        ("a | s\na s:x|$3", 't, line 2, column 3: "s:x|$3" has a cost, and costs are not read; leave it out'),
        ("a b\na\0b", "t, line 2, column 2: the character U+0000 cannot be printed; is this a text file?"),
        ("\x7fELF", "t, line 1, column 1: the character U+007F cannot be printed; is this a text file?"),
        ("a\xa0b", "t, line 1, column 2: the character U+00A0 cannot be printed; is this a text file?"),
    ],
)
def test_refusals_name_the_place_and_the_fix(text: str, message: str) -> None:
    with pytest.raises(BadModel) as refusal:
        read_xcc(text, "t")
    assert str(refusal.value) == message


def test_too_many_items_options_or_uses_are_refused_before_a_model_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(xcc, "MAX_ITEMS", 2)
    monkeypatch.setattr(xcc, "MAX_OPTIONS", 3)
    monkeypatch.setattr(xcc, "MAX_USES", 4)
    with pytest.raises(BadModel, match="line 1, column 5: more items than the 2"):
        read_xcc("a b c d", "t")
    with pytest.raises(BadModel, match="line 5, column 1: more than the 3 options or 4 uses"):
        read_xcc("a b\na\na\na\na", "t")
    with pytest.raises(BadModel, match="line 4, column 1: more than the 3 options or 4 uses"):
        read_xcc("a b\na b\na b\na", "t")


FRAGMENTS = st.lists(
    st.sampled_from(
        ["a", "b", "s", "|", ":", "2|", "1:2|", " ", "\n", "\t", "s:1", "\n| c\n", "\0", "é", "0"]
    ),
    max_size=30,
).map("".join)


def refusal_of(read: Callable[[], object]) -> str | None:
    try:
        read()
    except BadInput as refusal:
        return str(refusal)
    return None


def numbered(model: ExactCover) -> ExactCover:
    """The model with numbers for names, and colours numbered as they appear."""
    n_primary, n_secondary = len(model.primary), len(model.secondary)
    names = tuple(map(str, range(n_primary + n_secondary)))
    colors = dict.fromkeys([0, *(color for option in model.options for _, color in option)])
    of = {color: number for number, color in enumerate(colors)}
    options = tuple(tuple((item, of[color]) for item, color in option) for option in model.options)
    return replace(model, primary=names[:n_primary], secondary=names[n_primary:], options=options)


@given(text=st.one_of(st.text(), FRAGMENTS, FRAGMENTS.map(lambda options: "a b | s\n" + options)))
@example(text="too-long-a-name")
@example(text="a b | s\na s:123456789\nb s:1")
def test_any_text_is_a_model_or_bad_input_in_one_line(text: str) -> None:
    refusal = refusal_of(lambda: read_xcc(text, "t"))
    if refusal is None:
        model = read_xcc(text, "t")
        assert numbered(read_xcc(write_xcc(model), "t")) == numbered(model)
    else:
        assert refusal.isprintable()
        assert len(refusal) < 200


@given(content=st.binary(max_size=60))
def test_any_file_is_a_model_or_bad_input(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "any.xcc"
    path.write_bytes(content)
    assert (refusal_of(lambda: read_xcc_file(path)) or "").isprintable()


def test_odd_file_names_do_not_break_the_message(tmp_path: Path) -> None:
    assert (refusal_of(lambda: read_xcc_file(tmp_path / "a\nb")) or "").isprintable()


def test_a_file_is_read_with_or_without_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "toy.xcc"
    path.write_text(TOY_XCC, encoding="utf-8-sig")
    assert read_xcc_file(path)[0].options == naive_cover.TOY_XCC.options
    path.write_text("a a")
    with pytest.raises(BadModel, match=r"^toy\.xcc, line 1, column 3"):
        read_xcc_file(path)


def test_files_that_cannot_be_read_are_refused_with_their_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing, path = tmp_path / "missing.xcc", tmp_path / "some.xcc"
    with pytest.raises(BadInput, match=r"missing\.xcc cannot be read: No such file"):
        read_xcc_file(missing)
    with pytest.raises(BadInput, match="is not a file; name a file"):
        read_xcc_file(tmp_path)
    path.write_bytes(b"a b\n\xff\xfe")
    with pytest.raises(BadInput, match=r"some\.xcc is not text: byte 4 is not UTF-8"):
        read_xcc_file(path)
    monkeypatch.setattr(xcc, "MAX_BYTES", 5)
    with pytest.raises(BadInput, match=r"some\.xcc has 6 bytes; at most 5 are read"):
        read_xcc_file(path)


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(BadInput, match="is not a file"):
        read_xcc_file(pipe)
