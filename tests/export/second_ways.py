"""Second ways to the counts of the example files, which share nothing with what counts them."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from itertools import pairwise, permutations, product
from math import isqrt
from pathlib import Path
from typing import Any

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.csp.csp import Csp
from tests import naive_csp, naive_graphs, naive_packing, naive_puzzles, naive_tiles
from tests.export.second_ways_of_grids import (
    clues_of,
    count_country_roads,
    count_kurottos,
    count_masyus,
    count_mochikoros,
    count_romas,
    count_shakashakas,
    count_slants,
    count_sudokus_with_lines,
    count_tapas,
    count_tents,
    marks_of,
)
from tests.naive_files import fillings, tile_cells, tile_squares, tromino_squares, word_squares
from tests.naive_halves import tile_hexagons, tile_rectangles

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def data_of(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def check_counts(path: Path, *values: str) -> int:
    """The total of an example, which a second way or a published number confirms."""
    puzzle = rk.puzzle_from_file(path, *values)
    result = rk.count(puzzle)
    second_way = SECOND_WAYS.get(path.name)
    if second_way is not None:
        assert result.total == second_way(data_of(path), *values)
    elif isinstance(puzzle.model, Csp):
        assert result.total == len(naive_csp.solutions(puzzle.model))
    else:
        assert puzzle.published is not None
    if puzzle.published is not None:
        assert puzzle.published.total in (None, result.total)
        assert puzzle.published.agrees_with(result.total, result.unique)
    for some in rk.solve(puzzle, limit=1):
        assert rk.verify(puzzle, some) == []
    return result.total


def count_letters(_data: dict[str, Any]) -> int:
    """Digits for the letters of SEND + MORE = MONEY, all permutations tried."""
    found = 0
    for digits in permutations(range(10), 8):
        s, e, n, d, m, o, r, y = digits
        send, more = 1000 * s + 100 * e + 10 * n + d, 1000 * m + 100 * o + 10 * r + e
        found += s > 0 < m and send + more == 10000 * m + 1000 * o + 100 * n + 10 * e + y
    return found


def count_products(_data: dict[str, Any]) -> int:
    """All products of a number of two digits and one of three."""
    products = (f"{a}{b}{a * b}" for a in range(10, 100) for b in range(100, 1000))
    return sum(sorted(digits) == list("123456789") for digits in products)


def count_houses(data: dict[str, Any]) -> int:
    """Houses for the five things of each row, all permutations tried row by row; read from the text of the file."""
    rows = [line.split() for line in data["names"].strip().split("\n")]
    said = [line.split() for line in data["compare"][0]["cells"].strip().split("\n")]
    near = [line.split() for line in data["cage"][0]["cells"].strip().split("\n")]

    def fillings(known: dict[str, int], left: list[list[str]]) -> int:
        def house(name: str) -> int:
            return int(name) if name.isdigit() else known.get(name, 99)

        for name, _, *others in said:
            sides = house(name), sum(house(other) for other in others if other != "+")
            if max(sides) < 99 and sides[0] != sides[1]:
                return 0
        if any(known.keys() >= {one, other} and abs(known[one] - known[other]) != 1 for one, other in near):
            return 0
        if not left:
            return 1
        ways = permutations(range(1, 6))
        return sum(fillings(known | dict(zip(left[0], way, strict=True)), left[1:]) for way in ways)

    return fillings({}, rows)


def count_words(data: dict[str, Any]) -> int:
    board = data["board"].split()
    return word_squares(data["words"].split(), len(board), len(board[0]))


def count_tiles(data: dict[str, Any]) -> int:
    return tile_squares(list(data["tiles"].values()), len(data["board"].split()), data["border"])


def count_unnamed_tiles(data: dict[str, Any]) -> int:
    tiles = data["tiles"].split()
    return tile_squares(tiles, isqrt(len(tiles)), data["border"])


def count_cubes(data: dict[str, Any]) -> int:
    cells = naive_tiles.large_cube(data["border"])
    return tile_cells(data["tiles"].split(), cells, naive_tiles.cube_turns())


def count_hexagons(data: dict[str, Any]) -> int:
    cells = naive_tiles.hexagon_of_hexagons(2)
    return tile_cells(data["tiles"].split(), cells, naive_tiles.HEXAGON_TURNS)


def count_tiles_in_halves(data: dict[str, Any]) -> int:
    board = data["board"].split()
    return tile_rectangles(list(data["tiles"].values()), len(board), len(board[0]), data["border"])


def count_fillings(data: dict[str, Any], month: str, day: str) -> int:
    marks = iter(range(data["board"].count("#")))
    holes = (data["family"]["month"].split().index(month), 11 + int(day))
    board = "".join("." if mark == "#" and next(marks) in holes else mark for mark in data["board"])
    return fillings(board, data["pieces"])


def count_matchings(data: dict[str, Any]) -> int:
    words = data["edges"].split()
    return naive_puzzles.perfect_matchings(list(zip(words[::2], words[1::2], strict=True)))


def count_trominoes(_data: dict[str, Any], n: str) -> int:
    return tromino_squares(int(n))


def count_twice_tetrominoes(data: dict[str, Any]) -> int:
    """The seven one-sided tetrominoes as they are drawn here, each twice."""
    texts = ["####", "##\n##", "###\n.#.", "##.\n.##", ".##\n##.", "###\n#..", "###\n..#"]
    board = [(column, row) for row, column in naive_packing.drawn(data["board"])]  # column after column
    pieces = [naive_packing.drawn(text) for text in texts]
    places = [naive_packing.places(board, piece, reflections=False) for piece in pieces]
    return naive_packing.count_fillings(board, [(where, 2) for where in places])


def count_balls(data: dict[str, Any]) -> int:
    n = int(data["board"].removeprefix("pyramid "))
    layers = [["#" * (n - layer)] * (n - layer) + [""] * layer for layer in range(n)]
    board = naive_packing.balls("\n".join(" ".join(lines) for lines in zip(*layers, strict=True)))
    letters = sorted(set(data["pieces"]) - set(".\n"))
    pieces = [
        (
            naive_packing.places_in_space(board, _one_piece(data, letter), reflections=True),
            _times(data, letter),
        )
        for letter in letters
    ]
    return naive_packing.count_fillings(board, pieces)


def _one_piece(data: dict[str, Any], letter: str) -> list[naive_packing.Point]:
    others = set(data["pieces"]) - {letter, "\n"}
    return naive_packing.balls("".join("." if mark in others else mark for mark in data["pieces"]))


def _times(data: dict[str, Any], letter: str) -> int:
    return int(data["times"].get(letter, 1))


def count_flat_pieces(data: dict[str, Any]) -> int:
    """Each piece of a drawing once, column after column, which is faster on a long board."""
    board = [(column, row) for row, column in naive_packing.drawn(data["board"])]
    pieces: dict[str, list[naive_packing.Square]] = {}
    for row, line in enumerate(data["pieces"].split()):
        for column, mark in enumerate(line.replace(".", " ")):
            pieces.setdefault(mark, []).append((row, column))
    pieces.pop(" ")
    places = [naive_packing.places(board, cells, reflections=True) for cells in pieces.values()]
    return naive_packing.count_fillings(board, [(where, 1) for where in places])


def count_colored_pieces(data: dict[str, Any]) -> int:
    """Each piece of a drawing once, with its colours, and not turned over."""
    board = marks_of(data["colors"]["board"])
    colors = marks_of(data["colors"]["pieces"])
    pieces: dict[str, list[naive_packing.Square]] = {}
    for square, mark in marks_of(data["pieces"]).items():
        pieces.setdefault(mark, []).append(square)
    fits = naive_packing.fitting(colors, board, None)
    places = [naive_packing.places(board, cells, reflections=False, fits=fits) for cells in pieces.values()]
    return naive_packing.count_fillings(board, [(where, 1) for where in places])


def count_by_merging(data: dict[str, Any]) -> int:
    """By an engine that goes another way than the one that is chosen; too many for plain Python."""
    text = (EXAMPLES / "conway-5x5x5.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text) == data
    return rk.count(read_toml(text, "again"), up_to="none", engine="cover-memo").total


def count_in_graph(n: int, edges: list[tuple[int, int]], what: str) -> int:
    counted = {
        "colorings": lambda: naive_graphs.colorings(n, edges, 3),
        "independent-sets": lambda: len(naive_graphs.independent_sets(n, edges)),
        "matchings": lambda: len(naive_graphs.matchings(n, edges)),
        "cycles": lambda: naive_graphs.hamiltonian_cycles(n, edges),
        "paths": lambda: naive_graphs.hamiltonian_paths(n, edges),
    }
    return counted[what]()


def count_shortest_tours(data: dict[str, Any]) -> int:
    """All orders of the towns, each tour twice."""
    length = {}
    for line in data["edges"].split("\n"):
        if line:
            one, other, distance = line.split()
            length[one, other] = length[other, one] = int(distance)
    first, *others = sorted({one for one, _ in length})
    tours = [(first, *order, first) for order in permutations(others)]
    lengths = [sum(length[pair] for pair in pairwise(tour)) for tour in tours]
    return lengths.count(min(lengths)) // 2


def count_sudokus(data: dict[str, Any]) -> int:
    given = data["board"].split() if "." in data["board"] else []
    named = data["different"][0]["regions"][2]
    lines = [{(k, column) for column in range(9)} for k in range(9)]
    groups = [*lines, *({(row, k) for row in range(9)} for k in range(9))]
    if named == "boxes 3x3":
        groups += [
            {(3 * a + r, 3 * b + c) for r in range(3) for c in range(3)} for a in range(3) for b in range(3)
        ]
    else:
        groups += drawn_groups(named).values()
    if len(data["different"]) == 2:
        squares = [(row, column) for row in range(9) for column in range(9)]
        groups += [{a, b} for a in squares for b in squares if naive_puzzles.as_knight(a, b)]
    sums = []
    for cage in data.get("cage", []):
        cells, clues = drawn_groups(cage["regions"]), cage["clues"].split()
        sums = [(cells[mark], int(total)) for mark, total in zip(clues[::2], clues[1::2], strict=True)]
        groups += cells.values()
    return naive_puzzles.sudokus(given, groups, sums)


def drawn_groups(drawing: str) -> dict[str, set[tuple[int, int]]]:
    groups: dict[str, set[tuple[int, int]]] = {}
    for row, line in enumerate(drawing.split()):
        for column, mark in enumerate(line):
            groups.setdefault(mark, set()).add((row, column))
    return groups


def _grid_edges(n: int) -> list[tuple[int, int]]:
    across = [(n * row + column, n * row + column + 1) for row in range(n) for column in range(n - 1)]
    return [*across, *((vertex, vertex + n) for vertex in range(n * n - n))]


def _numbers(text: str) -> list[list[int]]:
    return [[int(word) for word in line.split() if word != "."] for line in text.strip().split("\n")]


def count_hashis(data: dict[str, Any]) -> int:
    """Bridges between the islands of the board, whose numbers come in their order."""
    rows = data["board"].strip().split("\n")[::2]
    places = [(r, c // 2) for r, line in enumerate(rows) for c, mark in enumerate(line) if mark == "1"]
    numbers = [int(line.split()[-1]) for line in data["compare"][0]["cells"].strip().split("\n")]
    return naive_graphs.hashis(dict(zip(places, numbers, strict=True)))


def count_statues(data: dict[str, Any]) -> int:
    """Places of the five tetrominoes that agree with the known squares and leave connected squares."""
    marks = {(r, c): mark for r, row in enumerate(data["board"].split()) for c, mark in enumerate(row)}
    full, free = ({square for square, mark in marks.items() if mark == known} for known in "#-")
    drawn = ("IIII", "LLL L..", "OO OO", "SS. .SS", "TTT .T.")
    pieces = [_places(marks.keys() - free, text) for text in drawn]
    found = naive_puzzles.laid_apart(pieces)
    return sum(full <= area and naive_puzzles.hang_together(marks.keys() - area) for area in found)


def count_fleets(data: dict[str, Any]) -> int:
    """Places of the ships, also apart at corners, that agree with the numbers of their squares."""
    rows, columns = ([int(word) for word in data["lines"][0][key].split(",")] for key in ("rows", "columns"))
    squares = set(product(range(len(rows)), range(len(columns))))
    used = {(row, column) for row, column in squares if rows[row] and columns[column]}
    ships = [_places(used, ship) for ship in ("AAA", "BB", "BB", "C", "C", "C")]
    return sum(
        all(sum(square[0] == row for square in area) == number for row, number in enumerate(rows))
        and all(
            sum(square[1] == column for square in area) == number for column, number in enumerate(columns)
        )
        and not any((row + 1, column + step) in area for row, column in area for step in (-1, 1))
        for area in naive_puzzles.laid_apart(ships)
    )


def count_tetrominoes_in_rooms(data: dict[str, Any]) -> int:
    """A tetromino in each room, room by room: equal ones apart, no 2 x 2, and all of them connected."""
    drawn = {"L": "LLL L..", "I": "IIII", "T": "TTT .T.", "S": "SS. .SS"}
    rooms = [
        [(name, place) for name, piece in drawn.items() for place in _places(room, piece)]
        for room in drawn_groups(data["regions"]["rooms"]).values()
    ]

    def ways(laid: dict[frozenset[tuple[int, int]], str]) -> int:
        if len(laid) == len(rooms):
            return naive_puzzles.is_sea(set().union(*laid))
        return sum(
            ways({**laid, place: name})
            for name, place in rooms[len(laid)]
            if all(
                place.isdisjoint(set().union(*map(naive_puzzles.beside, other)))
                for other in laid
                if laid[other] == name
            )
        )

    return ways({})


def _places(squares: Collection[tuple[int, int]], piece: str) -> set[frozenset[tuple[int, int]]]:
    return naive_packing.places(squares, naive_packing.drawn(piece), reflections=True)


SECOND_WAYS = {
    "battleships.toml": count_fleets,
    "hashi.toml": count_hashis,
    "lits.toml": count_tetrominoes_in_rooms,
    "statue-park.toml": count_statues,
    "fillomino.toml": lambda data: naive_puzzles.fillominoes(6, 6, range(1, 7), clues_of(data["board"])),
    "nurikabe.toml": lambda data: naive_puzzles.nurikabes(7, 7, clues_of(data["area"][0]["clues"])),
    "kuromasu.toml": lambda data: naive_puzzles.kuromasus(6, 6, clues_of(data["see"][0]["clues"])),
    "ball-pyramid.toml": count_balls,
    "conway-5x5x5.toml": count_by_merging,
    "broken-chessboard.toml": count_colored_pieces,
    "polyspheres-5x11.toml": count_flat_pieces,
    "tetrominoes-twice-one-sided.toml": count_twice_tetrominoes,
    "calendar.toml": count_fillings,
    "edge-matching.toml": count_tiles_in_halves,
    "edge-matching-6x6.toml": count_unnamed_tiles,
    "eternity.toml": count_tiles,
    "macmahon-cubes.toml": count_cubes,
    "macmahon-triangles.toml": lambda data: tile_hexagons(data["tiles"].split(), data["border"]),
    "seven-hexagons.toml": count_hexagons,
    "grid-cycles.toml": lambda _data, n: naive_graphs.grid_cycles(int(n), int(n)),
    "l-tromino-hole.toml": count_trominoes,
    "word-search.toml": count_words,
    "send-more-money.toml": count_letters,
    "pandigital-product.toml": count_products,
    "zebra.toml": count_houses,
    "bishops.toml": lambda _data, n: naive_puzzles.largest_peaceful_sets(int(n), naive_puzzles.as_bishop),
    "cube-matchings.toml": count_matchings,
    "golomb-ruler.toml": lambda _data: naive_puzzles.shortest_rulers(5),
    "independent-sets.toml": lambda _data, n: naive_puzzles.independent_sets(int(n)),
    "kings.toml": lambda _data, n: naive_puzzles.largest_peaceful_sets(int(n), naive_puzzles.as_king),
    "knight-domination.toml": lambda _data, n: naive_puzzles.smallest_dominating_sets(
        int(n), naive_puzzles.as_knight
    ),
    "knights.toml": lambda _data, n: naive_puzzles.largest_peaceful_sets(int(n), naive_puzzles.as_knight),
    "knights-tour.toml": lambda _data: naive_puzzles.knights_paths(5),
    "orthogonal-latin-squares.toml": lambda _data: naive_puzzles.orthogonal_latin_squares(4),
    "peaceable-queens.toml": lambda _data, n: naive_puzzles.peaceable_queens(int(n)),
    "petersen-coloring.toml": lambda data: naive_puzzles.colorings(
        naive_puzzles.petersen_edges(), 10, data["colors"]
    ),
    "prime-magic-square.toml": lambda data: naive_puzzles.magic_squares_of(data["numbers"], data["sum"]),
    "progression-free.toml": lambda _data, n: naive_puzzles.largest_progression_free_sets(int(n)),
    "queens-and-pawns.toml": lambda _data, n, k: naive_puzzles.queens_and_pawns(int(n), int(k)),
    "queen-domination.toml": lambda _data, n: naive_puzzles.smallest_dominating_sets(
        int(n), naive_puzzles.as_queen
    ),
    "still-life.toml": lambda _data: naive_puzzles.still_lifes(6),
    "sum-free-sets.toml": lambda _data, n, size: naive_puzzles.sum_free_sets(int(n), int(size)),
    "bimagic-square.toml": lambda data: naive_puzzles.last_two_rows(_numbers(data["given"]), 260, 11180),
    "bimagic-order-4.toml": lambda _data: naive_puzzles.sets_of_lines(4, 34, 374),
    "anti-knight-sudoku.toml": count_sudokus,
    "jigsaw-sudoku.toml": count_sudokus,
    "killer-sudoku.toml": count_sudokus,
    "shortest-tour.toml": count_shortest_tours,
    "shakashaka.toml": count_shakashakas,
    "slant.toml": count_slants,
    "kurotto.toml": count_kurottos,
    "mochikoro.toml": count_mochikoros,
    "country-road.toml": count_country_roads,
    "masyu.toml": count_masyus,
    "lines-sudoku.toml": count_sudokus_with_lines,
    "roma.toml": count_romas,
    "tents.toml": count_tents,
    "tapa.toml": count_tapas,
    "petersen.toml": lambda _data, what: count_in_graph(10, naive_puzzles.petersen_edges(), what),
    "grid-graphs.toml": lambda _data, what, n: count_in_graph(int(n) ** 2, _grid_edges(int(n)), what),
}
