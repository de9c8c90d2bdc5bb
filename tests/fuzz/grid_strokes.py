"""Random clauses of puzzle files about values that are lines in their squares, by their definitions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from tests.fuzz.grid_board import Board, Clause, Row, Square, groups

ENDS = dict(
    zip(
        "\u2500\u2502\u250c\u2510\u2514\u2518\u251c\u2524\u252c\u2534\u253c\u2574\u2575\u2576\u2577",
        ("we", "ns", "es", "ws", "ne", "nw", "nes", "nws", "wes", "wen", "nwes", "w", "n", "e", "s"),
        strict=True,
    )
)
STEPS = {"n": (-1, 0), "s": (1, 0), "w": (0, -1), "e": (0, 1)}
BACK = {"n": "s", "s": "n", "w": "e", "e": "w"}
SLANTS = "/\\"

Edge = tuple[Square, Square]


def strokes(board: Board) -> Clause:
    """Connected or without loops, with clues at corners, or across the borders of regions."""
    rng, is_slanted = board.rng, not set(SLANTS).isdisjoint(board.symbols)
    is_connected = not is_slanted and rng.random() < 0.6
    has_no_loops = not board.is_torus and rng.random() < 0.6
    text = "[[strokes]]\n"
    text += "connected = true\n" if is_connected else ""
    text += "loops = false\n" if has_no_loops else ""
    clues: dict[Square, int] = {}
    if is_slanted and rng.random() < 0.7:
        corners = list(product(range(board.extent[0] + 1), range(board.extent[1] + 1)))
        around = {
            (r, c): sum(board.on(r - a, c - b) is not None for a in (0, 1) for b in (0, 1))
            for r, c in corners
        }
        for corner in rng.sample(corners, rng.randint(1, 3)):
            clues[corner] = rng.randint(0, around[corner])
        lines = [
            "".join(str(clues.get((r, c), ".")) for c in range(board.extent[1] + 1))
            for r in range(board.extent[0] + 1)
        ]
        text += "clues = '''\n" + "\n".join(lines) + "\n'''\n"

    regions: list[list[int]] = []
    allowed: Callable[[int], bool] = bool
    if not is_slanted and rng.random() < 0.4:
        (regions, written), (times, allowed) = groups(board), board.times(2)
        text += f"times = {times}\n{written}"

    def holds(row: Row) -> bool:
        symbols = [board.symbols[board.numbers.index(value)] for value in row]
        edges = _slanted(board, symbols) if is_slanted else _straight(board, symbols)
        if edges is None:
            return False
        ends = [end for edge in edges for end in edge]
        n_parts, n_corners = _parts(edges), len(set(ends))
        if is_connected and n_parts > 1:
            return False
        if has_no_loops and len(edges) > n_corners - n_parts:
            return False
        inside = [{board.squares[cell] for cell in region} for region in regions]
        if not all(allowed(sum((a in squares) != (b in squares) for a, b in edges)) for squares in inside):
            return False
        return all(ends.count(corner) == clue for corner, clue in clues.items())

    return text, holds


def _slanted(board: Board, symbols: list[str]) -> list[Edge]:
    """A line between two corners for each cell that has one."""
    lines = []
    for (row, column), symbol in zip(board.squares, symbols, strict=True):
        if symbol == "/":
            lines.append(((row + 1, column), (row, column + 1)))
        if symbol == "\\":
            lines.append(((row, column), (row + 1, column + 1)))
    return lines


def _straight(board: Board, symbols: list[str]) -> list[Edge] | None:
    """A line between middles of squares for each side that is passed; None if a line ends at a side."""
    ends_of = [ENDS.get(symbol, "") for symbol in symbols]
    lines = []
    for (row, column), ends in zip(board.squares, ends_of, strict=True):
        for end in ends:
            down, across = STEPS[end]
            other = board.on(row + down, column + across)
            if other in (None, board.on(row, column)) or BACK[end] not in ends_of[other or 0]:
                return None
            if end in "es":
                lines.append(((row, column), board.squares[other or 0]))
    return lines


def _parts(edges: list[Edge]) -> int:
    parts = [{end} for end in {end for edge in edges for end in edge}]
    for edge in edges:
        met = [part for part in parts if not part.isdisjoint(edge)]
        parts = [part for part in parts if part not in met] + [set().union(*met)]
    return len(parts)
