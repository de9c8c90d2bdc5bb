"""Second ways for the examples: puzzles counted by their rules alone. Imports nothing of rekkyo."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from itertools import combinations, count, permutations, product, takewhile

Square = tuple[int, int]
Sees = Callable[[Square, Square], bool]
Left = dict[Square, set[int]]
"""The numbers that each cell may still have."""


def as_knight(a: Square, b: Square) -> bool:
    return {abs(a[0] - b[0]), abs(a[1] - b[1])} == {1, 2}


def as_king(a: Square, b: Square) -> bool:
    return a != b and max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1


def as_bishop(a: Square, b: Square) -> bool:
    return a != b and abs(a[0] - b[0]) == abs(a[1] - b[1])


def as_queen(a: Square, b: Square) -> bool:
    return a != b and (a[0] == b[0] or a[1] == b[1] or as_bishop(a, b))


def squares_of(n: int) -> list[Square]:
    return list(product(range(n), repeat=2))


def largest_peaceful_sets(n: int, sees: Sees) -> int:
    """How many of the largest sets of squares have no two that see each other."""
    squares = squares_of(n)
    seen = [sum(1 << j for j, b in enumerate(squares) if sees(a, b)) for a in squares]
    known: dict[int, tuple[int, int]] = {0: (0, 1)}

    def largest(free: int) -> tuple[int, int]:
        """The size of the largest sets among the free squares, and how many there are."""
        if free not in known:
            square = free.bit_length() - 1
            without = free & ~(1 << square)
            size, times = largest(without & ~seen[square])
            other_size, other_times = largest(without)
            best = max(size + 1, other_size)
            known[free] = (best, times * (size + 1 == best) + other_times * (other_size == best))
        return known[free]

    return largest((1 << n * n) - 1)[1]


def smallest_dominating_sets(n: int, sees: Sees) -> int:
    """How many of the smallest sets of squares see all other squares."""
    squares = squares_of(n)
    around = [sum(1 << j for j, b in enumerate(squares) if a == b or sees(a, b)) for a in squares]
    for size in range(1, n * n + 1):
        found = 0
        for chosen in combinations(around, size):
            covered = 0
            for some in chosen:
                covered |= some
            found += covered == (1 << n * n) - 1
        if found:
            return found
    return 0


def peaceable_queens(n: int) -> int:
    """How many pairs of armies, both as large as possible and equally large, attack nothing of each other."""
    squares = squares_of(n)
    around = [sum(1 << j for j, b in enumerate(squares) if a == b or as_queen(a, b)) for a in squares]
    best = 1
    for size in range(1, n * n + 1):
        found = 0
        for white in combinations(around, size):
            covered = 0
            for some in white:
                covered |= some
            found += len(list(combinations(range(n * n - covered.bit_count()), size)))
        if not found:
            return best
        best = found
    return best


def largest_progression_free_sets(n: int) -> int:
    """How many of the largest subsets of 1 to n have no three numbers in progression."""
    for size in range(n, -1, -1):
        found = sum(
            all(2 * b - a not in chosen for a, b in combinations(chosen, 2))
            for chosen in combinations(range(1, n + 1), size)
        )
        if found:
            return found
    return 0


def sum_free_sets(n: int, size: int) -> int:
    return sum(
        all(a + b not in chosen for a in chosen for b in chosen)
        for chosen in combinations(range(1, n + 1), size)
    )


def orthogonal_latin_squares(n: int) -> int:
    """How many ordered pairs of Latin squares have every pair of values once."""
    rows = list(permutations(range(n)))
    squares: list[tuple[tuple[int, ...], ...]] = [()]
    for _ in range(n):
        squares = [
            (*square, row)
            for square in squares
            for row in rows
            if all(a != b for above in square for a, b in zip(above, row, strict=True))
        ]
    flat = [sum(square, ()) for square in squares]
    return sum(len(set(zip(a, b, strict=True))) == n * n for a in flat for b in flat)


def magic_squares_of(numbers: list[int], total: int) -> int:
    """Magic squares of order 3 with different numbers of a list and a given sum, by their corners and middle."""
    found = 0
    for a, c, e in permutations(numbers, 3):
        g, i = total - e - c, total - e - a
        square = (a, total - a - c, c, total - a - g, e, total - c - i, g, total - g - i, i)
        is_magic = square[3] + e + square[5] == total and square[1] + e + square[7] == total
        found += is_magic and len(set(square)) == 9 and set(square) <= set(numbers)
    return found


def colorings(edges: list[tuple[int, int]], n_vertices: int, n_colors: int) -> int:
    return sum(
        all(colors[a] != colors[b] for a, b in edges)
        for colors in product(range(n_colors), repeat=n_vertices)
    )


def petersen_edges() -> list[tuple[int, int]]:
    """Pairs out of five, joined when they have nothing in common."""
    pairs = list(combinations(range(5), 2))
    return [(i, j) for i, j in combinations(range(10), 2) if set(pairs[i]).isdisjoint(pairs[j])]


def perfect_matchings(edges: list[tuple[str, str]]) -> int:
    vertices = sorted({vertex for edge in edges for vertex in edge})
    return sum(
        sorted(vertex for edge in chosen for vertex in edge) == vertices
        for chosen in combinations(edges, len(vertices) // 2)
    )


def independent_sets(n: int) -> int:
    """Sets of squares of a board, no two side by side, row by row."""
    rows = [row for row in range(1 << n) if not row & row >> 1]
    ways = dict.fromkeys(rows, 1)
    for _ in range(n - 1):
        ways = {row: sum(times for above, times in ways.items() if not above & row) for row in rows}
    return sum(ways.values())


def knights_paths(n: int) -> int:
    """Open tours of a knight over all squares; a tour and its reversal are one."""
    squares = squares_of(n)
    near = [[j for j, b in enumerate(squares) if as_knight(a, b)] for a in squares]

    @cache
    def tours(at: int, left: int) -> int:
        """The ways on from a square, over all squares that are left."""
        if not left:
            return 1
        return sum(tours(b, left & ~(1 << b)) for b in near[at] if left >> b & 1)

    every = (1 << n * n) - 1
    starts = range(0, n * n, 1 + n % 2)  # of an odd number of squares, the first has the commoner colour
    return sum(tours(start, every & ~(1 << start)) for start in starts) // 2


def shortest_rulers(n_marks: int) -> int:
    """How many of the shortest rulers with so many marks have all distances different."""
    for length in count(n_marks - 1):
        found = 0
        for inner in combinations(range(1, length), n_marks - 2):
            distances = [b - a for a, b in combinations((0, *inner, length), 2)]
            found += len(set(distances)) == len(distances)
        if found:
            return found
    return 0


def last_two_rows(rows: list[list[int]], total: int, squares: int) -> int:
    """Ways to fill the last two rows of a square of 1 to n x n, such that numbers and squares of all lines add up.

    Two numbers with a given sum and sum of squares are known up to their order, column by column.
    """
    n = len(rows)
    known = [row for row in rows if row]
    left = set(range(1, n * n + 1)) - {number for row in known for number in row}

    def adds_up(line: list[int]) -> bool:
        return sum(line) == total and sum(number**2 for number in line) == squares

    def fill(above: list[int], below: list[int]) -> int:
        if len(above) == n:
            square = [*known, above, below]
            diagonals = [[square[k][k] for k in range(n)], [square[k][n - 1 - k] for k in range(n)]]
            return all(map(adds_up, [*square, *diagonals]))
        column = [row[len(above)] for row in known]
        return sum(
            fill([*above, a], [*below, b])
            for a, b in permutations(left.difference(above, below), 2)
            if adds_up([*column, a, b])
        )

    return fill([], [])


def sets_of_lines(n: int, total: int, squares: int) -> int:
    """Ways to divide 1 to n x n into n lines whose numbers, and their squares, add up: the rows of a square."""
    lines = [
        set(line)
        for line in combinations(range(1, n * n + 1), n)
        if sum(line) == total and sum(number**2 for number in line) == squares
    ]
    return sum(len(set.union(*chosen)) == n * n for chosen in combinations(lines, n))


def sudokus(
    given: Sequence[str], groups: Sequence[set[Square]], sums: Sequence[tuple[set[Square], int]] = ()
) -> int:
    """Fillings of 9x9 squares with 1 to 9 that keep what is given, differ in each group, and have these sums.

    The next number is the one with the fewest places: those of a cell, or those of a number in a group of nine.
    """
    near: dict[Square, set[Square]] = {(row, column): set() for row in range(9) for column in range(9)}
    for group in groups:
        for cell in group:
            near[cell] |= group - {cell}
    full = [group for group in groups if len(group) == 9]

    def written(left: Left, cell: Square, number: int) -> Left | None:
        """The numbers that are left when one is written; None when a cell has none, or a sum cannot be reached."""
        after = {**left, cell: {number}}
        for other in near[cell]:
            if number in after[other]:
                after[other] = after[other] - {number}
        return after if all(after.values()) and reach(after) else None

    def reach(left: Left) -> bool:
        """Take the numbers away with which no sum can be reached; whether every cell has some left."""
        for cage, total in sums:
            for cell in cage:
                least, most = (sum(end(left[c]) for c in cage if c != cell) for end in (min, max))
                left[cell] = {number for number in left[cell] if least <= total - number <= most}
                if not left[cell]:
                    return False
        return True

    def fill(left: Left, cells: frozenset[Square]) -> int:
        if not cells:
            return 1
        ways = [[(cell, number) for number in left[cell]] for cell in cells]
        for group in full:
            missing = set(range(1, 10)).difference(*(left[cell] for cell in group - cells))
            ways += [[(cell, number) for cell in group & cells if number in left[cell]] for number in missing]
        found = 0
        for cell, number in min(ways, key=len):
            after = written(left, cell, number)
            found += 0 if after is None else fill(after, cells - {cell})
        return found

    left: Left | None = {cell: set(range(1, 10)) for cell in near}
    assert reach(left)
    marks = [
        (row, column) for row, line in enumerate(given) for column, mark in enumerate(line) if mark != "."
    ]
    for cell in marks:
        assert left is not None
        left = written(left, cell, int(given[cell[0]][cell[1]]))
    return 0 if left is None else fill(left, frozenset(near).difference(marks))


def shapes(start: Square, size: int, allowed: set[Square]) -> set[frozenset[Square]]:
    """All sets of so many allowed squares, side by side, with one of them."""
    found = {frozenset([start])} if start in allowed else set()
    for _ in range(size - 1):
        found = {
            shape | {square} for shape in found for here in shape for square in beside(here) & allowed - shape
        }
    return found


def beside(square: Square) -> set[Square]:
    row, column = square
    return {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}


def fillominoes(rows: int, columns: int, values: Sequence[int], given: dict[Square, int]) -> int:
    """The fillings in which each area of one number has as many squares as the number says, area by area."""
    squares = [(r, c) for r in range(rows) for c in range(columns)]

    def ways(filled: dict[Square, int]) -> int:
        start = next((square for square in squares if square not in filled), None)
        if start is None:
            return 1
        total = 0
        for value in values:
            known = {**given, **filled}
            allowed = {s for s in squares if s not in filled and given.get(s, value) == value}
            for shape in shapes(start, value, allowed):
                around = {s for square in shape for s in beside(square)} - shape
                if all(known.get(s) != value for s in around):
                    total += ways({**filled, **dict.fromkeys(shape, value)})
        return total

    return ways({})


def nurikabes(rows: int, columns: int, clues: dict[Square, int]) -> int:
    """The seas around islands of these sizes, island by island."""
    squares = {(r, c) for r in range(rows) for c in range(columns)}
    islands = [
        shapes(clue, size, squares - {other for other in clues if other != clue})
        for clue, size in clues.items()
    ]

    def ways(place: int, land: frozenset[Square]) -> int:
        if place == len(islands):
            return is_sea(squares - land)
        near = land.union(*map(beside, land)) if land else land
        return sum(ways(place + 1, land | shape) for shape in islands[place] if shape.isdisjoint(near))

    return ways(0, frozenset())


def is_sea(sea: set[Square]) -> bool:
    """Whether the squares hang together, and have no square of 2 x 2."""
    if any({(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)} <= sea for r, c in sea):
        return False
    return hang_together(sea)


def kuromasus(rows: int, columns: int, clues: dict[Square, int]) -> int:
    """The sets of black squares of Kuromasu: the lines that each number sees, then the squares left over."""
    squares = set(product(range(rows), range(columns)))

    def ways(place: int, white: set[Square], black: set[Square]) -> int:
        if white & black or any(beside(square) & black for square in black):
            return 0
        if place < len(clues):
            square = list(clues)[place]
            return sum(
                ways(place + 1, white | seen, black | ends)
                for seen, ends in views(square, clues[square], squares)
            )
        left = squares - white - black
        if not left:
            return hang_together(white)
        return sum(ways(place, white | {min(left)} - more, black | more) for more in ({min(left)}, set()))

    return ways(0, set(), set())


def views(square: Square, number: int, squares: set[Square]) -> list[tuple[set[Square], set[Square]]]:
    """The ways to see so many squares in four directions: the seen squares, and those at which the lines end."""
    found: list[tuple[set[Square], set[Square]]] = [({square}, set())]
    for down, across in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        line = [(square[0] + down * k, square[1] + across * k) for k in range(1, number + 1)]
        n_inside = sum(other in squares for other in line)
        found = [
            (seen.union(line[:n]), ends | {line[n]} & squares)
            for seen, ends in found
            for n in range(min(n_inside, number - len(seen)) + 1)
        ]
    return [view for view in found if len(view[0]) == number]


def hang_together(some: set[Square]) -> bool:
    reached: set[Square] = set()
    new = set(sorted(some)[:1])
    while new:
        reached |= new
        new = {s for square in new for s in beside(square) & some} - reached
    return reached == some


def laid_apart(pieces: Sequence[Collection[frozenset[Square]]]) -> set[frozenset[Square]]:
    """What pieces can cover, no two with a common square or side; a piece is all the places where it can lie."""
    if not pieces:
        return {frozenset()}
    ways = product(laid_apart(pieces[1:]), pieces[0])
    return {others | place for others, place in ways if others.isdisjoint(place.union(*map(beside, place)))}


def queens_and_pawns(n: int, n_pawns: int) -> int:
    """The places of n + n_pawns queens and so many pawns between them, for each place of the pawns."""
    squares = squares_of(n)
    directions = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]

    def ways(free: list[Square], left: int, seen_from: dict[Square, set[Square]]) -> int:
        if left == 0:
            return 1
        choices = enumerate(free, start=1)
        return sum(
            ways([s for s in free[k:] if s not in seen_from[q]], left - 1, seen_from) for k, q in choices
        )

    total = 0
    for pawns in combinations(squares, n_pawns):
        free = [square for square in squares if square not in pawns]
        seen_from = {
            (r, c): {
                square
                for down, across in directions
                for square in takewhile(free.__contains__, ((r + down * k, c + across * k) for k in count(1)))
            }
            for r, c in free
        }
        total += ways(free, n + n_pawns, seen_from)
    return total


def still_lifes(n: int) -> int:
    """The patterns on n x n that the game of Life does not change, row by row, with dead rows around them."""

    @cache
    def is_kept(*rows: int) -> bool:
        for column in range(n + 2):
            n_live = sum(
                (row << 1 >> column & 7).bit_count() for row in rows
            )  # the square and its neighbours
            if n_live == 3 if not rows[1] >> column & 1 else n_live not in (3, 4):
                return False
        return True

    ways = {(0, 0): 1}
    for number in range(n + 2):
        following: dict[tuple[int, int], int] = {}
        for (above, row), n_ways in ways.items():
            for below in range(0, 2 << n, 2) if number < n else (0,):
                if is_kept(above, row, below):
                    following[row, below] = following.get((row, below), 0) + n_ways
        ways = following
    return sum(ways.values())
