"""Second ways to the counts of logic puzzles among the example files, each by its rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import combinations, pairwise, permutations, product
from typing import Any

from tests.naive_runs import CLOCKWISE, runs_of_circle

AT_SIDES, AT_CORNERS = ((0, 1),), ((0, 1), (1, 1))
"""The distances of squares beside each other, the lesser along an axis first."""


def clues_of(drawing: str) -> dict[tuple[int, int], int]:
    """The number at each square that has one."""
    rows = drawing.strip().split("\n")
    return {(r, c): int(mark) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark != "."}


def marks_of(drawing: str) -> dict[tuple[int, int], str]:
    return {(r, c): mark for r, line in enumerate(drawing.split()) for c, mark in enumerate(line)}


def count_slants(data: dict[str, Any]) -> int:
    """Squares in order: a line that closes a loop, or that a number does not allow, is not drawn."""
    n = int(data["board"].split()[1])
    clues = clues_of(data["strokes"][0]["clues"])

    def count(square: int, parts: list[int], n_at: list[int]) -> int:
        if square == n * n:
            return 1
        row, column = divmod(square, n)
        corners = [(n + 1) * (row + down) + column + right for down in (0, 1) for right in (0, 1)]
        found = 0
        for ends in (corners[::3], corners[1:3]):
            now = [number + (corner in ends) for corner, number in enumerate(n_at)]
            known = [*corners[:1], *(corners[1:2] * (column == n - 1))]
            known += (corners[2:3] + corners[3:] * (column == n - 1)) * (row == n - 1)
            fits = all(now[corner] == clues.get(divmod(corner, n + 1), now[corner]) for corner in known)
            one, other = (parts[end] for end in ends)
            if fits and one != other:
                found += count(square + 1, [one if part == other else part for part in parts], now)
        return found

    return count(0, list(range((n + 1) ** 2)), [0] * (n + 1) ** 2)


def count_kurottos(data: dict[str, Any]) -> int:
    """All sets of the cells without a clue."""
    clues = clues_of(data["area"][0]["clues"])
    free = [square for square in product(range(5), repeat=2) if square not in clues]
    sets = (
        {s for s, black in zip(free, blacks, strict=True) if black}
        for blacks in product((0, 1), repeat=len(free))
    )
    return sum(all(n_beside(some, clue) == n for clue, n in clues.items()) for some in sets)


def n_beside(black: Collection[tuple[int, int]], start: tuple[int, int]) -> int:
    """The number of black cells that are reached from a cell over black cells."""
    reached, waiting = {start}, [start]
    while waiting:
        row, column = waiting.pop()
        for near in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            if near in black and near not in reached:
                reached.add(near)
                waiting.append(near)
    return len(reached) - 1


QUARTERS = {"-": "", "#": "nesw", "\u25e4": "nw", "\u25e5": "ne", "\u25e2": "se", "\u25e3": "sw"}
"""The quarters of a square, each at one of its sides, that are black."""


def count_shakashakas(data: dict[str, Any]) -> int:
    """All fillings: the quarters that are white, and the areas that they form."""
    squares = marks_of(data["board"])
    free = [square for square, mark in squares.items() if mark == "."]
    clues = clues_of(data["count"][0]["clues"])
    beside = {clue: [square for square in free if sum(_apart(clue, square)) == 1] for clue in clues}
    found = 0
    for values in product("-\u25e4\u25e5\u25e2\u25e3", repeat=len(free)):
        filling = dict(zip(free, values, strict=True))
        if all(sum(filling[s] != "-" for s in beside[clue]) == n for clue, n in clues.items()):
            white = {(s, way) for s, value in filling.items() for way in "nesw" if way not in QUARTERS[value]}
            found += all(map(_is_rectangle, _white_areas(white)))
    return found


def _white_areas(left: set[tuple[tuple[int, int], str]]) -> Iterator[set[tuple[tuple[int, int], str]]]:
    """Quarters that meet, in their square or at a side of it."""
    while left:
        area, waiting = set[tuple[tuple[int, int], str]](), [left.pop()]
        while waiting:
            (row, column), way = waiting.pop()
            area.add(((row, column), way))
            place = "nesw".index(way)
            down, across = ((-1, 0), (0, 1), (1, 0), (0, -1))[place]
            near = {((row, column), "nesw"[place - 1]), ((row, column), "nesw"[(place + 1) % 4])}
            near.add(((row + down, column + across), "nesw"[(place + 2) % 4]))
            waiting += near & left
            left -= near
        yield area


def _is_rectangle(area: set[tuple[tuple[int, int], str]]) -> bool:
    """Whether it fills the rectangle around it, along the sides of squares or along their diagonals."""
    points = set()
    for (row, column), way in area:
        corners = [
            (2 * row + 2 * down, 2 * column + 2 * right) for down, right in ((0, 0), (0, 1), (1, 1), (1, 0))
        ]
        place = "nesw".index(way)
        points |= {(2 * row + 1, 2 * column + 1), corners[place], corners[(place + 1) % 4]}
    sums, differences = ({a + sign * b for a, b in points} for sign in (1, -1))
    rows, columns = zip(*points, strict=True)
    return len(area) in (_span(rows) * _span(columns), _span(sums) * _span(differences) / 2)


def _span(numbers: Collection[int]) -> int:
    return max(numbers) - min(numbers)


def count_tents(data: dict[str, Any]) -> int:
    """All sets of squares as many as there are trees, and all ways to give each tree a tent."""
    rows = data["board"].strip().split("\n")[::2]
    marks = {(2 * r, 2 * c): mark for r, row in enumerate(rows) for c, mark in enumerate(row[::2])}
    trees = [square for square, mark in marks.items() if mark == "T"]
    free = [s for s in sorted(marks) if marks[s] == "." and any(_apart(s, tree) == (0, 2) for tree in trees)]
    lines = data["lines"][0]
    wanted = {
        (axis, place): int(clue)
        for axis, key in enumerate(("rows", "columns"))
        for place, clue in enumerate(lines[key].split(", "))
        if clue != "?"
    }
    return sum(
        all(_apart(one, other)[1] > 2 for one, other in combinations(tents, 2))
        and all(sum(tent[axis] == place for tent in tents) == n for (axis, place), n in wanted.items())
        and any(
            all(_apart(tent, tree) == (0, 2) for tent, tree in zip(tents, some, strict=True))
            for some in permutations(trees)
        )
        for tents in combinations(free, len(trees))
    )


def _apart(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """The lesser and the greater of the distances along rows and columns."""
    near, far = sorted(abs(a - b) for a, b in zip(one, other, strict=True))
    return near, far


def count_tapas(data: dict[str, Any]) -> int:
    """Squares in order, black or white; a square of 2x2 or a circle around a clue is looked at when it is full."""
    n = len(data["board"].strip().split("\n"))
    words = {
        (r, c): word
        for r, line in enumerate(data["count"][0]["runs"].strip().split("\n"))
        for c, word in enumerate(line.split())
        if word != "."
    }
    squares = list(product(range(n), repeat=2))
    circles = {clue: [(clue[0] + down, clue[1] + across) for down, across in CLOCKWISE] for clue in words}
    full_at = {clue: max(one for one in circle if one in squares) for clue, circle in circles.items()}

    def fits(clue: tuple[int, int], black: frozenset[tuple[int, int]]) -> bool:
        runs = runs_of_circle([one in black for one in circles[clue]])
        return sorted(runs) == sorted(map(int, words[clue].split(",")))

    def count(place: int, black: frozenset[tuple[int, int]]) -> int:
        if place == n * n:
            return _hang_together(black, AT_SIDES)
        found, (r, c) = 0, squares[place]
        for more in (frozenset(), {(r, c)}):
            now = black | more
            is_square = {(r, c), (r - 1, c), (r, c - 1), (r - 1, c - 1)} <= now
            if is_square or (more and (r, c) in words):
                continue
            if all(fits(clue, now) for clue, last in full_at.items() if last == (r, c)):
                found += count(place + 1, now)
        return found

    return count(0, frozenset())


def count_mochikoros(data: dict[str, Any]) -> int:
    """Cells in order: each is black, or the first of a white rectangle that touches no other one at a side."""
    n = int(data["board"].split()[1])
    clues = clues_of(data["area"][0]["clues"])
    cells = list(product(range(n), repeat=2))

    def count(white: frozenset[tuple[int, int]], black: frozenset[tuple[int, int]]) -> int:
        for row, column in black:
            if {(row - 1, column - 1), (row - 1, column), (row, column - 1)} <= black:
                return 0
        cell = next((cell for cell in cells if cell not in white and cell not in black), None)
        if cell is None:
            return _hang_together(white, AT_CORNERS)
        found = 0 if cell in clues else count(white, black | {cell})
        for height, width in product(range(1, n - cell[0] + 1), range(1, n - cell[1] + 1)):
            area = {
                (cell[0] + down, cell[1] + across) for down, across in product(range(height), range(width))
            }
            around = {one for one in cells for other in area if _apart(one, other) in ((0, 1), (1, 0))} - area
            fits = area.isdisjoint(black | white) and around.isdisjoint(white | clues.keys())
            if fits and [clues[one] for one in area if one in clues] in ([], [len(area)]):
                found += count(white | area, black | around)
        return found

    return count(frozenset(), frozenset())


def _hang_together(cells: Collection[tuple[int, int]], steps: tuple[tuple[int, int], ...]) -> bool:
    """Whether all cells are connected by steps of these distances."""
    reached, new = set[tuple[int, int]](), set(sorted(cells)[:1])
    while new:
        reached |= new
        new = {cell for cell in set(cells) - reached if any(_apart(cell, one) in steps for one in new)}
    return len(reached) == len(cells)


def count_country_roads(data: dict[str, Any]) -> int:
    """All loops through cells, side by side; then the rules of the rooms."""
    rooms = marks_of(data["regions"]["rooms"])
    sides = [(s, t) for s in rooms for t in ((s[0], s[1] + 1), (s[0] + 1, s[1])) if t in rooms]
    on = {(r, c): line for line in data["count"] for r, c in [map(int, line["cells"].split()[0].split(","))]}
    found = 0
    for loop in _loops(sorted(rooms), sides):
        passed = Counter(rooms[s] for side in loop for s in side if rooms[side[0]] != rooms[side[1]])
        cells = {s for side in loop for s in side}
        numbers_fit = all(
            sum(rooms[s] == rooms[one] for s in cells) == line["times"] for one, line in on.items()
        )
        is_near = all(s in cells or t in cells or rooms[s] == rooms[t] for s, t in sides)
        found += numbers_fit and is_near and all(passed[room] == 2 for room in rooms.values())
    return found


def count_masyus(data: dict[str, Any]) -> int:
    """All loops through cells, with the rules of the pearls."""
    marks = marks_of(data["strokes"][0]["pearls"])
    pearls = {cell: mark for cell, mark in marks.items() if mark != "."}
    cells = [(row, column) for row in range(5) for column in range(5)]
    sides = [(s, t) for s in cells for t in ((s[0], s[1] + 1), (s[0] + 1, s[1])) if t in cells]
    found = 0
    for loop in _loops(cells, sides):
        near: dict[tuple[int, int], list[tuple[int, int]]] = {cell: [] for cell in cells}
        for one, other in loop:
            near[one].append(other)
            near[other].append(one)
        turns = {cell: not _on_line(*two) for cell, two in near.items() if two}
        found += all(
            turns.get(cell) is (mark == "*") and any(map(turns.get, near[cell])) is (mark == "o")
            for cell, mark in pearls.items()
        )
    return found


def _on_line(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] == other[0] or one[1] == other[1]


def _loops(
    cells: list[tuple[int, int]], sides: list[tuple[tuple[int, int], tuple[int, int]]]
) -> Iterator[list[tuple[tuple[int, int], tuple[int, int]]]]:
    """Each loop of two or more sides once, from its first cell, by walks; of the two directions the first is kept."""
    near = {cell: [s if t == cell else t for s, t in sides if cell in (s, t)] for cell in cells}

    def walks(path: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
        for cell in near[path[-1]]:
            if cell == path[0] and len(path) > 2 and path[1] < path[-1]:
                yield path
            elif cell > path[0] and cell not in path:
                yield from walks([*path, cell])

    for start in cells:
        for path in walks([start]):
            yield [(min(pair), max(pair)) for pair in pairwise([*path, start])]


def count_romas(data: dict[str, Any]) -> int:
    """Cell by cell, arrows that no other cell of the room has, and that close no circle."""
    steps = {"\u2191": (-1, 0), "\u2192": (0, 1), "\u2193": (1, 0), "\u2190": (0, -1)}
    rooms, given = marks_of(data["different"][0]["regions"]), marks_of(data["board"])

    def count(target: dict[tuple[int, int], tuple[int, int]], used: set[tuple[str, str]]) -> int:
        cell = next((cell for cell in given if cell not in target and given[cell] != "O"), None)
        if cell is None:
            return 1
        found = 0
        for arrow, (down, across) in steps.items():
            end = first = (cell[0] + down, cell[1] + across)
            while end in target:
                end = target[end]
            if (
                given[cell] in (".", arrow)
                and (rooms[cell], arrow) not in used
                and end in given
                and end != cell
            ):
                found += count({**target, cell: first}, used | {(rooms[cell], arrow)})
        return found

    return count({}, set())


def count_sudokus_with_lines(data: dict[str, Any]) -> int:
    """Cell by cell: sudokus of order 6 with whispers, a palindrome and X-sums."""
    whispers = [line.split() for line in data["compare"][0]["along"].strip().split("\n")]
    far = {frozenset(map(_square, pair)) for line in whispers for pair in pairwise(line)}
    line = list(map(_square, data["cage"][0]["cells"].split()))
    twins = {frozenset(pair) for pair in zip(line, reversed(line), strict=True)}
    clues = {(0, n): clue for n, clue in enumerate(data["lines"][0]["left"])}
    clues |= {(1, n): clue for n, clue in enumerate(data["lines"][0]["top"])}
    values: dict[tuple[int, int], int] = {}

    def fits(cell: tuple[int, int], value: int) -> bool:
        for other, there in values.items():
            same_box = cell[0] // 2 == other[0] // 2 and cell[1] // 3 == other[1] // 3
            pair = frozenset((cell, other))
            if value == there and (same_box or _on_line(cell, other)):
                return False
            if (pair in far and abs(value - there) < 3) or (pair in twins and value != there):
                return False
        return True

    def sums_fit(row: int, column: int) -> bool:
        lines = {(0, row): [(row, c) for c in range(6)], (1, column): [(r, column) for r in range(6)]}
        for key, squares in lines.items():
            if clues[key] != "?" and values.keys() >= set(squares):
                numbers = [values[square] for square in squares]
                if sum(numbers[: numbers[0]]) != clues[key]:
                    return False
        return True

    def count(number: int) -> int:
        if number == 36:
            return 1
        cell, found = divmod(number, 6), 0
        for value in range(1, 7):
            if fits(cell, value):
                values[cell] = value
                found += count(number + 1) if sums_fit(*cell) else 0
                del values[cell]
        return found

    return count(0)


def _square(name: str) -> tuple[int, int]:
    row, column = map(int, name.split(","))
    return row, column
