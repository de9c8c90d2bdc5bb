"""`[[different]]`: cells whose values differ, or differences between cells, or whole regions, or their sums.

regions, cells      groups of cells, see `regions.py`
or pattern
of                  what differs:
                    values          the values of the cells of a group; this is the default
                    differences     those of cells a number of steps apart in the group, later minus earlier,
                                    for each number of steps
                    distances       the same without the sign
                    all distances   those of every two cells, however many steps apart
                    words           groups of one size, each as a whole
                    sums            the sums of the groups
steps               for differences and distances: one number of steps, or several; all if left out
except              values that may repeat
apart               the values differ by at least this, 1 if left out
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from rekkyo.export.puzzle_toml.document import Table as TomlTable
from rekkyo.export.puzzle_toml.grid.board import Board
from rekkyo.export.puzzle_toml.grid.regions import GROUP_KEYS, Groups, read_groups
from rekkyo.model.csp.constraints import AllDifferent, Clause, Linear, Reified, Table

DIFFERENT_KEYS = (*GROUP_KEYS, "of", "steps", "except", "apart")
OF = ("values", "differences", "distances", "all distances", "words", "sums")
VALUES, DIFFERENCES, DISTANCES, ALL_DISTANCES, WORDS, SUMS = OF
MAX_STEPS = 4096


def read_different(board: Board, table: TomlTable) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    table.check_keys(DIFFERENT_KEYS)
    of = table.choice("of", OF)
    _check_fit(table, of)
    groups = read_groups(board, table, may_repeat=of == WORDS)
    if of == VALUES:
        _values(board, table, groups)
    elif of == WORDS:
        words_differ(board, table, groups)
    elif of == SUMS:
        sets = {frozenset(group): group for group in groups}  # around a torus, places may have the same cells
        totals = tuple(board.total(table, "of", group) for group in sets.values())
        if len(totals) > 1:  # a pattern may fit nowhere
            board.add(table, AllDifferent(totals))
    else:
        for group in groups:
            _differences(board, table, group, of)


def words_differ(board: Board, table: TomlTable, groups: Groups) -> None:
    """Add constraints: groups of one size differ, that is, of each pair some cells do."""
    for one, other in combinations(groups, 2):
        if len(one) == len(other):
            truths = []
            for pair in dict.fromkeys(zip(one, other, strict=True)):
                if pair[0] == pair[1]:
                    continue
                truths.append(board.hidden(table, range(2)))
                board.add(table, Reified(Linear((1, -1), pair, "!=", 0), truths[-1]))
            board.add(table, Clause(tuple((truth, 1, True) for truth in truths)))


def _check_fit(table: TomlTable, of: str) -> None:
    """Refuse keys that have no meaning together."""
    if of != VALUES:
        table.refuse_keys(("except", "apart"), '"{key}" goes with of = "values"; leave it out')
    if "except" in table and "apart" in table:
        table.refuse("apart", '"apart" and "except" do not go together; leave one out')
    if "steps" in table and of not in (DIFFERENCES, DISTANCES):
        table.refuse("steps", '"steps" goes with of = "differences" or "distances"; leave it out')


def _values(board: Board, table: TomlTable, groups: Groups) -> None:
    apart = table.whole("apart", 1) if "apart" in table else 1
    excepted = board.values.read(table, "except") if "except" in table else ()
    for group in groups:
        n_values = len(board.values.numbers)
        if len(group) > n_values and not excepted:
            problem = f"{len(group)} cells cannot all differ in {n_values} values; take fewer"
            table.refuse_unless_member(problem)
        if len(group) > 1:
            board.add(table, AllDifferent(tuple(group), excepted))
        if apart > 1:
            _apart(board, table, group, apart)


def _apart(board: Board, table: TomlTable, group: list[int], apart: int) -> None:
    """Add constraints: each pair differs by at least `apart`."""
    numbers = board.values.numbers
    board.expect(table, len(numbers) ** 2)
    rows = _pairs_apart(numbers, apart)
    for pair in combinations(group, 2):
        board.add(table, Table(pair, rows), 2 * len(rows))


@lru_cache(16)
def _pairs_apart(numbers: tuple[int, ...], apart: int) -> tuple[tuple[int, int], ...]:
    return tuple((a, b) for a in numbers for b in numbers if abs(a - b) >= apart)


@lru_cache(16)
def _distances(numbers: tuple[int, ...]) -> tuple[tuple[int, int, int], ...]:
    """Rows of two values and their distance."""
    return tuple((a, b, abs(a - b)) for a in numbers for b in numbers)


def _differences(board: Board, table: TomlTable, group: list[int], of: str) -> None:
    span = board.values.numbers[-1] - board.values.numbers[0]
    every = (
        [combinations(group, 2)]
        if of == ALL_DISTANCES
        else [zip(group, group[steps:], strict=False) for steps in _steps(table, len(group))]
    )
    for pairs in map(list, every):
        if len(pairs) > 1:
            found = [_difference(board, table, *pair, span, of) for pair in pairs]
            board.add(table, AllDifferent(tuple(found)))


def _difference(board: Board, table: TomlTable, earlier: int, later: int, span: int, of: str) -> int:
    """A variable for the difference of two cells, or for its distance from 0."""
    if span >= 1 << 15:
        table.refuse_table(f"the values span {span}; differences need values closer together")
    if of == DIFFERENCES:
        difference = board.hidden(table, range(-span, span + 1))
        board.add(table, Linear((1, -1, -1), (later, earlier, difference), "=", 0))
        return difference
    distance = board.hidden(table, range(span + 1))
    numbers = board.values.numbers
    board.expect(table, 3 * len(numbers) ** 2)
    rows = _distances(numbers)
    board.add(table, Table((earlier, later, distance), rows), 3 * len(rows))
    return distance


def _steps(table: TomlTable, n_cells: int) -> range | list[int]:
    if "steps" not in table:
        return range(1, n_cells)
    found = table.data["steps"]
    listed = found if type(found) is list else [found]
    if not listed:
        table.refuse_value("steps", '"steps" is empty; leave it out for all steps')
    for place, steps in enumerate(listed):
        if type(steps) is not int or not 0 < steps <= MAX_STEPS:
            table.refuse_value(
                "steps", f'"steps" is a number from 1 to {MAX_STEPS}, or a list of some', place
            )
    return sorted(set(listed))
