"""Random clauses of puzzle files of the kind grid, and what they mean, by their definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product

from tests.fuzz.grid_board import FAR, NEAR, SIDES, Board, Clause, Row, Square, areas, groups
from tests.fuzz.grid_conditions import compare, compare_pattern
from tests.fuzz.grid_lines import cage, different, lines, table
from tests.naive_runs import CLOCKWISE, runs_of_circle

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""The characters of numbers in drawings."""


def _see(board: Board) -> Clause:
    rng, cells = board.rng, range(len(board.squares))
    moves = rng.choice((*FAR, *FAR, *NEAR))
    itself = rng.random() < 0.5
    lines = [
        [board.line(cell, step) for step in FAR[moves]]
        if moves in FAR
        else [[other] for other in board.near(cell, NEAR[moves])]
        for cell in cells
    ]
    text = f'[[see]]\nmoves = "{moves}"\nitself = {str(itself).lower()}\n'
    stops: Row = ()
    if moves in FAR and not board.is_torus and rng.random() < 0.6:
        stops, written = board.some()
        text += f"stop = {written}\n"
    seeing = board.numbers
    if rng.random() < 0.4:
        seeing, written = board.some()
        text += f"from = {written}\n"
    plus, (wanted, written) = rng.choice((None, None, None, 0, 1)), board.some()
    text += f"value = {written}\n" if plus is None else f"plus = {plus}\n"
    seen_at_most = [itself + len({other for line in lines[cell] for other in line}) for cell in cells]
    kind = rng.choice(("times", "value", "clues"))
    clues: dict[int, int] = {}
    asked = set(cells)
    allowed: Callable[[int], bool] = bool
    if kind == "times":
        written, allowed = board.times(min(seen_at_most))
        text += f"times = {written}\n"
    elif kind == "value":
        text += 'times = "value"\n'
    if kind != "clues" and rng.random() < 0.3:
        found, written = groups(board)
        asked, text = {cell for group in found for cell in group}, text + written
    elif kind == "clues":
        clues = {cell: rng.randint(0, seen_at_most[cell]) for cell in rng.sample(cells, rng.randint(1, 2))}
        text += f"clues = {board.drawing({cell: DIGITS[clue] for cell, clue in clues.items()})}\n"
        asked = set(clues)

    def seen(row: Row, cell: int) -> list[int]:
        if itself and row[cell] in stops:
            return [cell]
        found = [cell] if itself else []
        for line in lines[cell]:
            for other in line:
                if stops or other not in found:  # around a torus, a cell is seen from two sides
                    found.append(other)
                if row[other] in stops:
                    break
        return found

    def holds_of(row: Row, cell: int) -> bool:
        sought = wanted if plus is None else (row[cell] + plus,)
        if row[cell] not in seeing or not set(sought) & {*board.numbers}:
            return True
        number = sum(row[other] in sought for other in seen(row, cell))
        if kind == "times":
            return allowed(number)
        return number == (row[cell] if kind == "value" else clues[cell])

    return text, lambda row: all(holds_of(row, cell) for cell in asked)


def _count(board: Board) -> Clause:
    chosen, written = board.some()
    found, regions = groups(board)
    times, allowed = board.times(max(map(len, found)))
    text = f"[[count]]\nvalue = {written}\ntimes = {times}\n{regions}"
    return text, lambda row: all(allowed(sum(row[cell] in chosen for cell in group)) for group in found)


def _around(board: Board) -> Clause:
    chosen, written = board.some()
    name = board.rng.choice(("sides", "king"))
    cell = board.rng.randrange(len(board.squares))
    near = board.near(cell, NEAR[name])
    number = board.rng.randint(0, len(near))
    clues = board.drawing({cell: str(number)})
    text = f'[[count]]\nvalue = {written}\naround = "{name}"\nclues = {clues}\n'
    return text, lambda row: sum(row[other] in chosen for other in near) == number


def _runs_around(board: Board) -> Clause:
    """A clue with the runs of some of the cells around a square; some of its numbers may be any."""
    (chosen, written), rng = board.some(), board.rng
    row, column = at = rng.choice(board.squares)
    circle = [board.on(row + down, column + across) for down, across in CLOCKWISE]

    inside = {cell for cell in circle if cell is not None and rng.random() < 0.6}
    clue = [
        rng.choice((str(length), str(length), "?"))
        for length in runs_of_circle([cell in inside for cell in circle])
    ]
    rng.shuffle(clue)
    words = [["."] * board.extent[1] for _ in range(board.extent[0])]
    words[at[0]][at[1]] = ",".join(clue) or "0"
    text = f"[[count]]\nvalue = {written}\nruns = '''\n" + "\n".join(map(" ".join, words)) + "\n'''\n"
    known = Counter(clue)
    del known["?"]

    def holds(filling: Row) -> bool:
        found = runs_of_circle([cell is not None and filling[cell] in chosen for cell in circle])
        return len(found) == len(clue) and known <= Counter(map(str, found))

    return text, holds


def _connected(board: Board) -> Clause:
    chosen, written = board.some()
    is_for_each = board.rng.random() < 0.5
    sorts = [(number,) for number in board.numbers] if is_for_each else [chosen]
    around = board.rng.choice(["sides", "king"])
    inside, regions = groups(board) if board.rng.random() < 0.3 else ([[*range(len(board.squares))]], "")

    def holds(row: Row) -> bool:
        return all(
            len(areas(board, [cell for cell in group if row[cell] in sort], NEAR[around])) < 2
            for group in inside
            for sort in sorts
        )

    value = "" if is_for_each else f"value = {written}\n"
    return f'[[connected]]\naround = "{around}"\n{value}{regions}', holds


def _loop(board: Board) -> Clause:
    """The sides between inside and outside, each a step between corners, are one circle that meets no corner twice."""
    if board.is_torus:
        return _connected(board)  # a loop has no inside there
    rng = board.rng
    chosen, written = board.some()
    cells = range(len(board.squares))
    clues = {cell: rng.randint(0, 4) for cell in rng.sample(cells, rng.randint(0, 2))}
    text = f"[[loop]]\nvalue = {written}\n"
    text += f"clues = {board.drawing({cell: str(n) for cell, n in clues.items()})}\n" if clues else ""

    def holds(row: Row) -> bool:
        is_inside = {square: row[cell] in chosen for cell, square in enumerate(board.squares)}
        sides: dict[Square, list[tuple[Square, Square]]] = {}
        for (r, c), inside in is_inside.items():
            ends = (
                ((r, c), (r, c + 1)),
                ((r + 1, c), (r + 1, c + 1)),
                ((r, c), (r + 1, c)),
                ((r, c + 1), (r + 1, c + 1)),
            )
            beyond = ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))
            sides[r, c] = [
                side for side, at in zip(ends, beyond, strict=True) if inside != is_inside.get(at, False)
            ]
        loop = {side for of in sides.values() for side in of}
        corners = [corner for side in loop for corner in side]
        reached = set(corners[:1])
        for _ in loop:
            reached |= {corner for side in loop if reached.intersection(side) for corner in side}
        return (
            bool(loop)
            and reached == set(corners)
            and all(corners.count(corner) == 2 for corner in corners)
            and all(len(sides[board.squares[cell]]) == n for cell, n in clues.items())
        )

    return text, holds


def _area(board: Board) -> Clause:
    """Areas of each value, or of some, with sizes in a range, or as large as the value."""
    rng = board.rng
    low = rng.randint(1, 3)
    high = low + rng.randint(0, 2)
    is_value = rng.random() < 0.2
    numbers, written = board.some() if rng.random() < 0.3 else (board.numbers, "")
    text = "[[area]]\n" + (f"value = {written}\n" if written else "")
    text += 'size = "value"\n' if is_value else f"size = [{low}, {high}]\n"

    def holds(row: Row) -> bool:
        return all(
            len(area) == number if is_value else low <= len(area) <= high
            for number in numbers
            for area in areas(board, [cell for cell, value in enumerate(row) if value == number])
        )

    return text, holds


def _area_clues(board: Board) -> Clause:
    """Clues in the areas of some values, one in each, or beside them."""
    rng, n_cells = board.rng, len(board.squares)
    chosen, written = board.some()
    is_beside = rng.random() < 0.6
    cells = rng.sample(range(n_cells), rng.randint(1, min(3, n_cells)))
    clues = {cell: rng.choice(("?", *map(str, range(1 - is_beside, min(6, n_cells) + 1)))) for cell in cells}
    text = f"[[area]]\nvalue = {written}\nclues = {board.drawing(clues)}\n"
    text += 'around = "sides"\n' if is_beside else ""

    def holds(row: Row) -> bool:
        found = areas(board, [cell for cell, value in enumerate(row) if value in chosen])
        if not is_beside:
            clues_in = [[clues[cell] for cell in area if cell in clues] for area in found]
            return all(row[cell] in chosen for cell in clues) and all(
                clue == ["?"] or clue == [str(len(area))] for clue, area in zip(clues_in, found, strict=True)
            )
        for cell, clue in clues.items():
            near = set(board.near(cell, SIDES))
            n_beside = sum(len(area) for area in found if not near.isdisjoint(area))
            if row[cell] in chosen or clue not in ("?", str(n_beside)):
                return False
        return True

    return text, holds


def _clued_area(board: Board) -> Clause:
    """One or two clues of areas of some values, or, without them, of areas of one value."""
    rng = board.rng
    chosen, written = board.some()
    is_for_each = rng.random() < 0.5
    groups = [(number,) for number in board.numbers] if is_for_each else [chosen]
    times, low, high = rng.choice(
        (("once", 1, 1), ("at most once", 0, 1), ("at least once", 1, 2), ("any", 0, 2))
    )
    n_cells = len(board.squares)
    clues = {cell: rng.randint(1, min(n_cells, 5)) for cell in rng.sample(range(n_cells), rng.randint(1, 2))}
    if rng.random() < 0.3:
        clues[min(clues)] = 0  # of any number

    def holds(row: Row) -> bool:
        found = [
            area
            for group in groups
            for area in areas(board, [c for c, value in enumerate(row) if value in group])
        ]
        return all(any(cell in area for area in found) for cell in clues) and all(
            low <= len(clues.keys() & set(area)) <= high
            and all(clues[cell] in (0, len(area)) for cell in clues.keys() & set(area))
            for area in found
        )

    value = "" if is_for_each else f"value = {written}\n"
    drawn = board.drawing({cell: str(clue or "?") for cell, clue in clues.items()})
    return f'[[area]]\ntimes = "{times}"\nclues = {drawn}\n{value}', holds


def _avoid(board: Board) -> Clause:
    """No two cells a step away have one value, or no three in such a line."""
    down, across, length = board.rng.choice(
        ((0, 1, 2), (1, 0, 2), (0, 2, 2), (1, 1, 2), (0, 1, 3), (1, 0, 3))
    )
    marked = {(n * down, n * across) for n in range(length)}
    lines = [
        "".join(".="[(r, c) in marked] for c in range(max(marked)[1] + 1)) for r in range(max(marked)[0] + 1)
    ]
    places = []
    for row, column in product(range(board.extent[0]), range(board.extent[1])):
        place = [board.on(row + r, column + c) for r, c in marked]
        places += [[cell for cell in place if cell is not None]] if None not in place else []
    text = "[[avoid]]\npattern = '''\n" + "\n".join(lines) + "\n'''\n"
    return text, lambda row: all(len({row[cell] for cell in place}) > 1 for place in places)


CLAUSES: tuple[Callable[[Board], Clause], ...] = (
    _see,
    _see,
    _count,
    _around,
    _runs_around,
    _connected,
    _loop,
    _area,
    _area_clues,
    _clued_area,
    _avoid,
    compare,
    compare_pattern,
    different,
    cage,
    table,
    lines,
)
