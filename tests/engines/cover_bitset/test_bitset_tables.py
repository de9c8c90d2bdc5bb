"""The tables of a model, compared with their definitions."""

import pytest

from rekkyo import ExactCover
from rekkyo.engines.covers.bitset.engine import MAX_ROWS, CoverBitset
from rekkyo.engines.covers.bitset.kernel_frame import LANE

pytestmark = pytest.mark.kernel

FAR = 10**9 - 1

MODELS = {
    "no colours": ExactCover(("a", "b"), ("s",), (((0, 0),), ((2, 0), (1, 0)), ((0, 0), (1, 0)))),
    "colours": ExactCover(
        ("a", "b", "c"),
        ("s", "t"),
        (
            ((0, 0), (3, 2), (4, 1)),
            ((4, 3), (1, 0)),
            ((1, 0), (2, 0), (3, 1)),
            ((2, 0), (3, 2)),
            ((0, 0), (1, 0), (3, 0)),
        ),
    ),
    "colours far apart": ExactCover(
        ("a", "b"), ("s", "t"), (((0, 0), (3, FAR)), ((1, 0), (2, 7), (3, 1)), ((0, 0), (1, 0), (2, FAR)))
    ),
    "words": ExactCover(
        ("a", "b"), ("s",), tuple(((number % 2, 0), (2, number % 5)) for number in range(130))
    ),
    "counted items": ExactCover(
        ("a", "b", "c"),
        ("s",),
        (((0, 0), (2, 0), (3, 1)), ((1, 0), (0, 0)), ((2, 0), (3, 2))),
        ((1, 2), (1, 1), (0, 3)),
    ),
    "no options": ExactCover(("a",), ("s",)),
}


@pytest.mark.parametrize("name", MODELS)
def test_rows_are_the_options_of_items_and_of_their_colours(name: str) -> None:
    model = MODELS[name]
    tables = CoverBitset().plan(model).tables
    words, n_scan, n_rows = tables.shape.tolist()
    assert n_scan % LANE == 0
    assert n_scan >= len(model.primary)

    def row_of(item: int) -> int:
        return item if item < len(model.primary) else n_scan + item - len(model.primary)

    classes = sorted({use for option in model.options for use in option if use[1]})
    expected: dict[int, set[int]] = {row: set() for row in range(n_rows)}
    for number, option in enumerate(model.options):
        for item, color in option:
            expected[row_of(item)].add(number)
            if color:
                expected[n_scan + len(model.secondary) + classes.index((item, color))].add(number)
    assert n_rows == n_scan + len(model.secondary) + len(classes) + 1
    found = tables.rows.reshape(n_rows, words)
    assert {row: _options(bits) for row, bits in enumerate(found.tolist())} == expected
    by_word = tables.table.reshape(words, n_scan).T
    assert by_word.tolist() == found[:n_scan].tolist()


@pytest.mark.parametrize("name", MODELS)
def test_an_option_has_its_uses_and_counted_items_come_last(name: str) -> None:
    model = MODELS[name]
    plan = CoverBitset().plan(model)
    tables, firsts = plan.tables, plan.counted.firsts.tolist()
    _, n_scan, n_rows = tables.shape.tolist()
    classes = sorted({use for option in model.options for use in option if use[1]})
    starts, uses, alike = tables.starts.tolist(), tables.uses.tolist(), tables.alike.tolist()
    assert len(starts) == len(model.options) + 1
    assert starts[-1] == len(uses)
    assert len(alike) == (len(uses) if classes else 0)
    for number, option in enumerate(model.options):
        behind = [use for use in option if use[0] < len(model.primary) and model.bounds_of(use[0]) != (1, 1)]
        before = [use for use in option if use not in behind]
        own = slice(starts[number], starts[number + 1])
        ordered = before + behind
        n_primary = len(model.primary)
        assert uses[own] == [item if item < n_primary else n_scan + item - n_primary for item, _ in ordered]
        assert firsts[number] == starts[number] + len(before)
        assert int(tables.sizes[number]) == sum(item < n_primary for item, _ in before)
        if classes:
            first = n_scan + len(model.secondary)
            assert alike[own] == [first + classes.index(use) if use[1] else n_rows - 1 for use in ordered]


def test_items_and_their_colours_are_counted_together() -> None:
    """Each colour once, however many options have it."""
    for n_colors, is_too_large in ((MAX_ROWS - 2, False), (MAX_ROWS - 1, True)):
        options = tuple(((0, 0), (1, 1 + number % n_colors)) for number in range(MAX_ROWS + 9))
        assert (CoverBitset().limits(ExactCover(("a",), ("s",), options)) is not None) == is_too_large


def _options(words: list[int]) -> set[int]:
    return {64 * place + bit for place, word in enumerate(words) for bit in range(64) if word >> bit & 1}
