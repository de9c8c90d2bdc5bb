"""The ladder of queens methods against published counts, an independent brute force, and itself.

Published counts: OEIS A000170 (total) and A002562 (unique).
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import permutations, product

import pytest

from rekkyo.errors import BadInput, CountsDisagree
from rekkyo.methods.ladder import Found, Method, Outcome, find_method, method_names, run_method
from rekkyo.methods.queens import QUEENS_METHODS, carry_chain, framed_board, numbered_board
from rekkyo.methods.queens.symmetry import eight_images, row_images
from rekkyo.methods.table import (
    form_for_key,
    menu,
    name_for_key,
    table_header,
    table_line,
    yes_for_key,
)
from tests.methods.searched import Row, searched

TOTALS = {1: 1, 2: 0, 3: 0, 4: 2, 5: 10, 6: 4, 7: 40, 8: 92, 9: 352, 10: 724, 11: 2680}
UNIQUES = {1: 1, 2: 0, 3: 0, 4: 1, 5: 2, 6: 1, 7: 6, 8: 12, 9: 46, 10: 92, 11: 341}

NAMES = (
    "brute-force",
    "backtracking",
    "placement-flags",
    "bitmap",
    "mirror",
    "symmetry-elimination",
    "carry-chain",
)
SAME_TREE = ("backtracking", "placement-flags", "bitmap")
LARGEST_TESTED = dict.fromkeys(NAMES, 9) | {"brute-force": 6, "bitmap": 10, "mirror": 10}
LARGEST_TESTED |= {"symmetry-elimination": 11, "carry-chain": 10}


@cache
def all_solutions(n: int) -> frozenset[Row]:
    """Every solution, by a way that shares nothing with the methods: permutations without equal diagonals."""
    return frozenset(
        p
        for p in permutations(range(n))
        if len({p[i] + i for i in range(n)}) == n and len({p[i] - i for i in range(n)}) == n
    )


@cache
def orbit(row: Row) -> frozenset[Row]:
    """The orbit, from reversing a row (rows upside down) and inverting it (transposed), not from turns."""
    members = {row}
    while True:
        upside_down = {member[::-1] for member in members}
        transposed = {tuple(member.index(k) for k in range(len(row))) for member in members}
        larger = members | upside_down | transposed
        if larger == members:
            return frozenset(members)
        members = larger


def found_by(method: Method, n: int) -> tuple[tuple[Row, int], ...]:
    """Every call of `found`."""
    return searched(method, n)[1]


def nodes_of(name: str, n: int, form: str = "recursive") -> int:
    nodes = searched(find_method(QUEENS_METHODS, name, form), n)[0].nodes
    assert nodes is not None
    return nodes


each_method = pytest.mark.parametrize(
    "method", QUEENS_METHODS, ids=[f"{method.name}-{method.form}" for method in QUEENS_METHODS]
)
both_forms = pytest.mark.parametrize("form", ["recursive", "iterative"])


@each_method
def test_counts_are_the_published_ones(method: Method) -> None:
    for n in range(1, LARGEST_TESTED[method.name] + 1):
        outcome, _ = searched(method, n)
        assert (n, outcome.total, outcome.unique) == (n, TOTALS[n], UNIQUES[n])


@each_method
def test_rows_found_expand_to_every_solution(method: Method) -> None:
    for n in range(1, 7 if method.name == "brute-force" else 9):
        calls = found_by(method, n)
        rows = [row for row, _ in calls]
        assert len(set(rows)) == len(rows)
        assert {image for row in rows for image in orbit(row)} == all_solutions(n)


@each_method
def test_each_orbit_receives_its_size_in_weight(method: Method) -> None:
    n = 6 if method.name == "brute-force" else 8
    weight_of_orbit: Counter[frozenset[Row]] = Counter()
    for row, weight in found_by(method, n):
        weight_of_orbit[orbit(row)] += weight
    assert weight_of_orbit == {members: len(members) for members in weight_of_orbit}


@pytest.mark.parametrize("name", NAMES)
def test_both_forms_take_the_same_decisions_in_the_same_order(name: str) -> None:
    # Holds for all seven: an iterative form is the recursive one with the stack written out.
    recursive, iterative = (
        find_method(QUEENS_METHODS, name, "recursive"),
        find_method(QUEENS_METHODS, name, "iterative"),
    )
    for n in range(1, 7 if name == "brute-force" else 10):
        assert searched(recursive, n)[0].nodes == searched(iterative, n)[0].nodes
        assert found_by(recursive, n) == found_by(iterative, n)


@both_forms
def test_brute_force_tries_every_board(form: str) -> None:
    for n in range(1, 7):
        assert nodes_of("brute-force", n, form) == sum(n**row for row in range(1, n + 1))


def test_nodes_of_backtracking_are_the_ways_to_place_queens_in_the_first_rows() -> None:
    # Independent: partial boards without attacks, level by level, for n = 6.
    n, nodes = 6, 0
    for depth in range(1, n + 1):
        nodes += sum(
            all(a[i] != a[j] and abs(a[i] - a[j]) != j - i for j in range(depth) for i in range(j))
            for a in product(range(n), repeat=depth)
        )
    assert nodes_of("backtracking", n) == nodes


@pytest.mark.parametrize("n", [6, 7, 8, 9])
def test_three_methods_walk_one_tree(n: int) -> None:
    assert len({nodes_of(name, n) for name in SAME_TREE}) == 1


@pytest.mark.parametrize("n", [6, 7, 8])
def test_every_step_tries_no_more_nodes_than_the_one_before(n: int) -> None:
    # The carry chain is left out: it tries as many nodes as symmetry elimination, and fewer than the bitmap only.
    names = [name for name in NAMES[:-1] if n < 7 or name != "brute-force"]
    nodes = [nodes_of(name, n) for name in names]
    assert nodes == sorted(nodes, reverse=True)
    assert nodes_of("carry-chain", n) < nodes_of("bitmap", n)


@both_forms
def test_mirror_finds_one_of_each_pair(form: str) -> None:
    for n in range(2, 9):
        rows = {row for row, _ in found_by(find_method(QUEENS_METHODS, "mirror", form), n)}
        images = {tuple(n - 1 - column for column in row) for row in rows}
        assert rows.isdisjoint(images)
        assert rows | images == all_solutions(n)


@both_forms
def test_symmetry_elimination_finds_the_representatives(form: str) -> None:
    for n in range(1, 10):
        calls = found_by(find_method(QUEENS_METHODS, "symmetry-elimination", form), n)
        assert len(calls) == UNIQUES[n]
        for row, weight in calls:
            assert row == min(orbit(row))
            assert weight == len(orbit(row))


@both_forms
def test_carry_chain_weights_are_the_orbit_sizes_of_the_border(form: str) -> None:
    for n in range(1, 9):
        outer = {0, 1, n - 2, n - 1}
        for row, weight in found_by(find_method(QUEENS_METHODS, "carry-chain", form), n):
            border = sorted((r, c) for r, c in enumerate(row) if r in outer or c in outer)
            images = eight_images(border, n)
            assert weight == len(set(images))
            assert tuple(border) == min(images)


@pytest.mark.parametrize(
    ("blocked", "lowest"), [(0b0000, 0b0001), (0b0001, 0b0010), (0b1011, 0b0100), (0b1111, 0b10000)]
)
def test_carry_comes_to_rest_on_the_first_free_square(blocked: int, lowest: int) -> None:
    assert carry_chain.lowest_free(blocked) == lowest


def test_eight_images_are_the_orbit_and_hold_the_row_itself() -> None:
    for row in all_solutions(6) | all_solutions(7):
        images = row_images(row)
        assert len(images) == 8
        assert set(images) == orbit(row)
        assert images[6] == row


def test_show_sees_every_row_with_its_running_number() -> None:
    shown: list[tuple[int, Row]] = []
    run_method(
        find_method(QUEENS_METHODS, "bitmap"), 5, lambda number, row: shown.append((number, tuple(row)))
    )
    assert [number for number, _ in shown] == list(range(1, 11))
    assert shown[0][1] == (0, 2, 4, 1, 3)
    assert {row for _, row in shown} == all_solutions(5)


def test_a_weight_that_cannot_be_right_is_reported() -> None:
    def search_with_weight_1(n: int, found: Found) -> int:
        found((1, 3, 0, 2), 1)
        return 4

    method = Method(
        name="broken",
        form="recursive",
        title="",
        explanation="",
        search=search_with_weight_1,
        symmetries=row_images,
        practical_up_to=4,
    )
    with pytest.raises(CountsDisagree, match=r"broken \(recursive\).*4/8 orbits"):
        run_method(method, 4)


@each_method
def test_sizes_below_one_are_refused(method: Method) -> None:
    with pytest.raises(BadInput, match=f"{method.name}: the size must be at least 1, not 0"):
        run_method(method, 0)


def test_ladder_is_seven_techniques_in_two_forms() -> None:
    assert method_names(QUEENS_METHODS) == NAMES
    assert [(m.name, m.form) for m in QUEENS_METHODS] == [
        (name, form) for name in NAMES for form in ("recursive", "iterative")
    ]
    assert {m.name for m in QUEENS_METHODS if m.transposed} == set(NAMES[:3])
    assert all(m.title and m.explanation.count(". ") in {1, 2} for m in QUEENS_METHODS)


def test_unknown_names_are_refused_with_what_is_known() -> None:
    with pytest.raises(BadInput) as refusal:
        find_method(QUEENS_METHODS, "bitmp")
    assert str(refusal.value) == 'unknown method "bitmp"; did you mean "bitmap"?'
    with pytest.raises(BadInput) as refusal:
        find_method(QUEENS_METHODS, "xyzzy")
    assert str(refusal.value) == f'unknown method "xyzzy"; known: {", ".join(NAMES)}'
    with pytest.raises(BadInput, match='unknown form "loop"; known: recursive, iterative'):
        find_method(QUEENS_METHODS, "bitmap", "loop")


def test_a_method_with_one_form_is_found_by_the_name_of_either() -> None:
    recursive = next(method for method in QUEENS_METHODS if method.form == "recursive")
    assert find_method([recursive], recursive.name, "iterative") is recursive


BY_ROWS = """\
1
 0 2 4 1 3
+-+-+-+-+-+
|O| | | | |
+-+-+-+-+-+
| | |O| | |
+-+-+-+-+-+
| | | | |O|
+-+-+-+-+-+
| |O| | | |
+-+-+-+-+-+
| | | |O| |
+-+-+-+-+-+
"""

BY_COLUMNS = """\
1
 0 2 4 1 3
+-+-+-+-+-+
|O| | | | |
+-+-+-+-+-+
| | | |O| |
+-+-+-+-+-+
| |O| | | |
+-+-+-+-+-+
| | | | |O|
+-+-+-+-+-+
| | |O| | |
+-+-+-+-+-+
"""


@each_method
def test_first_board_of_five_is_drawn_as_expected(method: Method) -> None:
    pictures: list[str] = []
    run_method(method, 5, lambda number, row: pictures.append(numbered_board(number, row, method.transposed)))
    assert pictures[0] == (BY_COLUMNS if method.transposed else BY_ROWS)
    assert len(set(pictures)) == len(pictures)


def test_single_square_is_drawn() -> None:
    assert framed_board((0,), transposed=False) == "+-+\n|O|\n+-+"


def test_table_has_the_known_layout_and_then_the_nodes() -> None:
    assert table_header() == " N:        Total       Unique        hh:mm:ss           Nodes"
    slow = Outcome(total=14772512, unique=1846955, nodes=123456789, elapsed_s=3 * 3600 + 2 * 60 + 1.9)
    assert table_line(16, slow) == "16:     14772512      1846955         3:02:01       123456789"
    fast = Outcome(total=92, unique=12, nodes=2056, elapsed_s=0.01)
    assert table_line(8, fast) == " 8:           92           12         0:00:00            2056"


def test_menu_lists_the_techniques_from_the_last_to_the_first() -> None:
    assert menu(QUEENS_METHODS, "Eight queens: pick a method") == (
        "Eight queens: pick a method\n"
        "7) Carry chain\n"
        "6) Symmetry elimination\n"
        "5) Mirror\n"
        "4) Bitmap\n"
        "3) Placement flags\n"
        "2) Backtracking\n"
        "1) Brute force\n"
        "Enter the number in front of a line"
    )


def test_keys_of_the_menu() -> None:
    assert [name_for_key(QUEENS_METHODS, key) for key in "1234567"] == list(NAMES)
    assert name_for_key(QUEENS_METHODS, "8") is None
    assert name_for_key(QUEENS_METHODS, "") is None
    assert [yes_for_key(key) for key in "yYnNx"] == [True, True, False, False, None]
    assert [form_for_key(key) for key in ("y", "n", "?")] == ["recursive", "iterative", None]
