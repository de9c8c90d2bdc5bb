"""A change of one value leaves everything else of a TOML text as it was."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rekkyo.errors import BadInput
from rekkyo.export.puzzle_toml.writing import literal, with_value

EXAMPLES = sorted(Path(__file__).parents[2].joinpath("examples").glob("*.toml"))
TEXT = """# first
kind = "packing"  # behind
board = '''
##
'''

# of pieces
[pieces]
A = '''
#
'''
times = { A = 2, B = [1, 3] }

[[cage]]
a = 1

[[cage]]
b = 2
"""

VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**40), 2**40),
    st.text(max_size=20),
    st.lists(st.integers(0, 9) | st.text(max_size=5), max_size=4),
    st.dictionaries(st.text(max_size=4), st.integers(0, 9) | st.text(max_size=5), max_size=3),
)


@given(VALUES)
def test_a_value_is_written_as_it_is_read(value: object) -> None:
    assert tomllib.loads(f"a = {literal(value)}")["a"] == value


def test_only_the_value_changes() -> None:
    made = with_value(TEXT, ("board",), "###\n")
    assert made == TEXT.replace("##\n", "###\n")
    made = with_value(TEXT, ("kind",), None)
    assert made == TEXT.replace('kind = "packing"  # behind\n', "")
    assert with_value(TEXT, ("cage", 0), None) == TEXT.replace("[[cage]]\na = 1\n", "", 1)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("new",), 1),
        (("pieces", "B"), "##\n"),
        (("pieces", "times", "A"), 5),
        (("pieces", "times", "A"), None),
        (("pieces", "times", "B", 1), 7),
        (("only_on", "A"), "#\n"),
        (("cage", 1, "b"), None),
        (("cage", 2), {"c": "x"}),
        (("cage", 2, "c"), 4),
        (("cage", 0, "new key"), "a"),
        (("given", "x"), 3),
    ],
)
def test_tables_are_made_where_they_are_missing(path: tuple[str | int, ...], value: object) -> None:
    made = with_value(TEXT, path, value)
    found = tomllib.loads(made)
    for part in path[:-1]:
        found = found[part]  # type: ignore[index]
    assert (found.get(path[-1]) if isinstance(found, dict) else found[path[-1]]) == value
    assert "# of pieces" in made
    assert made.startswith("# first")


MARKED = (
    """board = '''
..
##'''
[[see]]
clues = """
    + """'''
##'''

# of the last clause
[[see]]
value = 1
"""
)


@pytest.mark.parametrize(
    ("path", "value", "made"),
    [
        (("title",), "a", MARKED.replace("[[see]]", 'title = "a"\n\n[[see]]', 1)),
        (("see", 0, "times"), 2, MARKED.replace("\n\n#", "\ntimes = 2\n\n#")),
        (("see", 0), None, MARKED.replace("[[see]]\nclues = '''\n##'''\n", "", 1)),
    ],
)
def test_the_end_of_a_drawing_is_not_a_comment(path: tuple[str | int, ...], value: object, made: str) -> None:
    assert with_value(MARKED, path, value) == made


@given(st.data())
@settings(deadline=None, max_examples=150)
def test_every_value_of_every_example_can_be_replaced(data: st.DataObject) -> None:
    """Whatever is changed: the text says that, and nothing else has changed."""
    text = data.draw(st.sampled_from(EXAMPLES)).read_text("utf-8")
    before = tomllib.loads(text)
    key = data.draw(st.sampled_from(sorted(before)))
    value = data.draw(VALUES)
    path: tuple[str | int, ...] = (key,)
    if isinstance(before[key], dict) and before[key]:
        path = (key, data.draw(st.sampled_from(sorted(before[key]))))
    after = tomllib.loads(with_value(text, path, value))
    holder = before[key] if len(path) == 2 else before
    holder[path[-1]] = value
    assert after == before


@pytest.mark.parametrize("path", [("board", 1), ("cage", "a"), ("cage", 7), ("cage", -1)])
def test_a_path_that_leads_nowhere(path: tuple[str | int, ...]) -> None:
    with pytest.raises(BadInput):
        with_value(TEXT, path, 1)


def test_true_is_written_in_place_of_one() -> None:
    assert with_value("filled = 1\n", ("filled",), True) == "filled = true\n"
    assert with_value("filled = 0x1\n", ("filled",), 1) == "filled = 0x1\n"


def test_a_key_is_added_before_the_tables_inside_its_table() -> None:
    text = '[colors]\nboard = "w"\n\n# own\n[colors.pieces]\nA = "w"\n\n[other]\na = 1\n'
    made = with_value(text, ("colors", "fits"), ["ww"])
    assert made == text.replace('"w"\n\n# own', '"w"\nfits = ["ww"]\n\n# own')


def test_a_table_that_only_dotted_keys_name_is_not_removed() -> None:
    with pytest.raises(BadInput, match=r"^t cannot be changed in the drawing; change it in the text$"):
        with_value("t.a = 1\n", ("t",), None)


def test_a_key_of_two_lines_is_written_in_one() -> None:
    assert with_value("", ("a",), {"\n": 0}) == 'a = { "\\U0000000A" = 0 }\n'


def test_no_toml() -> None:
    with pytest.raises(BadInput, match="not TOML"):
        with_value("a = ", ("a",), 1)
