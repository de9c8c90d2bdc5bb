"""Random clauses of puzzle files about groups and lines of cells: different values, cages, words, clues at the edge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from math import prod

from tests.fuzz.grid_board import Board, Clause, Row, groups

Values = Sequence[int]


def different(board: Board) -> Clause:
    """Values, perhaps apart or with exceptions, differences, distances, sums or words."""
    rng = board.rng
    found, written = groups(board)
    of = rng.choice(
        ("values", "values", "differences", "distances", "all distances", "sums", "words", "apart", "except")
    )
    text = "[[different]]\n" + written
    text += "" if of in ("values", "apart", "except") else f'of = "{of}"\n'
    if of == "except":
        excepted, some = board.some()
        text += f"except = {some}\n"
        return text, lambda row: all(
            _differ([row[cell] for cell in group if row[cell] not in excepted]) for group in found
        )
    if of == "apart":
        text += "apart = 2\n"
        return text, lambda row: all(
            abs(row[a] - row[b]) >= 2 for group in found for a, b in combinations(group, 2)
        )
    if of in ("sums", "words"):
        sets = {frozenset(group): group for group in found}.values()
        if of == "sums":
            return text, lambda row: _differ([sum(row[cell] for cell in group) for group in sets])
        return text, lambda row: _differ([tuple(row[cell] for cell in group) for group in found])
    if of == "values":
        return text, lambda row: all(_differ([row[cell] for cell in group]) for group in found)
    steps = rng.choice((None, 1, 2)) if of != "all distances" else None
    text += "" if steps is None else f"steps = {steps}\n"

    def holds(row: Row) -> bool:
        for values in ([row[cell] for cell in group] for group in found):
            pairs: dict[int, list[int]] = {}
            for (i, a), (j, b) in combinations(enumerate(values), 2):
                apart = 0 if of == "all distances" else j - i
                pairs.setdefault(apart, []).append(b - a if of == "differences" else abs(b - a))
            if not all(_differ(some) for apart, some in pairs.items() if steps in (None, apart)):
                return False
        return True

    return text, holds


def cage(board: Board) -> Clause:
    """One or two rules for each of some groups."""
    rng = board.rng
    found, written = groups(board)
    like = [rng.choice(board.numbers) for _ in board.squares]
    chosen, some = board.some()
    names = " ".join(map(str, chosen)) if not board.symbols else some.strip("'")
    cells = found[0]
    total, product = sum(like[cell] for cell in cells), prod(like[cell] for cell in cells)
    squares = sum(like[cell] ** 2 for cell in cells)
    rules: list[tuple[str, Callable[[Values], bool]]] = [
        (f"sum {total}", lambda values: sum(values) == total),
        (f"product {product}", lambda values: prod(values) == product),
        (f"squares {squares}", lambda values: sum(value**2 for value in values) == squares),
        ("different", _differ),
        (f"from {names}", lambda values: set(values) <= {*chosen}),
        ("odd", lambda values: all(value % 2 for value in values)),
        ("even", lambda values: not any(value % 2 for value in values)),
        ("consecutive", lambda values: sorted(values) == [*range(min(values), min(values) + len(values))]),
        ("consecutive 1", lambda values: sorted(values) == [*range(1, len(values) + 1)]),
    ]
    if all(len(group) == 2 for group in found):
        number = rng.choice((1, 2))
        rules = [
            (f"difference {number}", lambda values: abs(values[0] - values[1]) == number),
            (f"quotient {number}", lambda v: v[0] == number * v[1] or v[1] == number * v[0]),
        ]
    taken = rng.sample(rules, rng.choice((1, 1, 2)))
    text = f"[[cage]]\n{written}each = '{', '.join(rule for rule, _ in taken)}'\n"
    return text, lambda row: all(
        holds([row[cell] for cell in group]) for group in found for _, holds in taken
    )


def table(board: Board) -> Clause:
    """Words for each of some groups."""
    if not board.symbols:
        return cage(board)
    rng = board.rng
    found, written = groups(board)
    lengths = sorted(set(map(len, found)))
    words = {"".join(rng.choice(board.symbols) for _ in range(n)) for n in lengths for _ in range(6)}
    may_repeat = rng.random() < 0.7
    listed = ", ".join(f"'{word}'" for word in sorted(words))
    text = f"[[table]]\n{written}words = [{listed}]\n"
    text += "" if may_repeat else "repeat = false\n"

    def holds(row: Row) -> bool:
        read = ["".join(board.symbols[board.numbers.index(row[cell])] for cell in group) for group in found]
        return words.issuperset(read) and (may_repeat or _differ(read))

    return text, holds


def lines(board: Board) -> Clause:
    """Clues of some rows or columns, those of a random filling."""
    rng = board.rng
    like = [rng.choice(board.numbers) for _ in board.squares]
    kind = rng.choice(("runs", "count", "sum", "sum of values", "visible", "visible sum", "first", "between"))
    key = rng.choice(
        ("left", "right", "top", "bottom") if kind[:5] in ("visib", "first") else ("rows", "columns")
    )
    axis = 0 if key in ("rows", "left", "right") else 1
    chosen, some = board.some()
    if (
        (kind == "sum of values" and chosen[0] < 1)
        or (kind == "visible sum" and chosen[0] < 0)
        or (kind == "between" and len(chosen) > 2)
    ):
        kind = "visible" if kind == "visible sum" else "runs"  # the other one is not for these values
    clues: dict[int, list[int]] = {}
    for number in range(board.extent[axis]):
        line = [cell for cell, square in enumerate(board.squares) if square[axis] == number]
        clue = _clue(board, kind, chosen, line[::-1] if key in ("right", "bottom") else line, like)
        if clue is not None and rng.random() < 0.6:
            clues[number] = clue
    text = f'[[lines]]\nclue = "{"sum" if kind == "sum of values" else kind}"\n'
    text += "" if kind == "sum" else f"value = {some}\n"
    words = [" ".join(map(str, clues[n])) if n in clues else "?" for n in range(board.extent[axis])]
    if kind == "first" and board.symbols:
        words = [
            board.symbols[board.numbers.index(clues[n][0])] if n in clues else "?" for n in range(len(words))
        ]
    text += f"{key} = '{', '.join(words)}'\n"

    def holds(row: Row) -> bool:
        for number, clue in clues.items():
            line = [cell for cell, square in enumerate(board.squares) if square[axis] == number]
            if _clue(board, kind, chosen, line[::-1] if key in ("right", "bottom") else line, row) != clue:
                return False
        return True

    return text, holds


def _clue(board: Board, kind: str, chosen: Row, line: list[int], row: Sequence[int]) -> list[int] | None:
    """The clue of a line in a filling; None if it has none."""
    values = [row[cell] for cell in line]
    if kind == "count":
        return [sum(value in chosen for value in values)]
    if kind == "first":
        return next(([value] for value in values if value in chosen), None)
    if kind in ("visible", "visible sum"):
        kept = [value for value in values if value in chosen]
        seen = [value for n, value in enumerate(kept) if all(value > other for other in kept[:n])]
        return [len(seen) if kind == "visible" else sum(seen)]
    if kind == "between":
        places = [place for place, value in enumerate(values) if value in chosen]
        is_fit = len(places) == 2 and (len(chosen) == 1 or values[places[0]] != values[places[1]])
        return [sum(values[places[0] + 1 : places[1]])] if is_fit else None
    runs: list[list[int]] = []
    for before, cell in pairwise([-1, *line]):
        is_next = before >= 0 and _are_beside(board.squares[before], board.squares[cell])
        is_in = kind == "sum" or row[cell] in chosen
        if is_in and is_next and runs and (kind == "sum" or row[before] in chosen):
            runs[-1].append(row[cell])
        elif is_in:
            runs.append([row[cell]])
    if kind == "sum":
        return [sum(run) for run in runs if len(run) > 1] or None
    return [len(run) if kind == "runs" else sum(run) for run in runs] or [0]


def _are_beside(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def _differ(items: Sequence[object]) -> bool:
    return len(set(items)) == len(items)
