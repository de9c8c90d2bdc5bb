"""Second ways to count what the example files say, by plain backtracking that knows nothing of the package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def word_squares(words: Sequence[str], rows: int, columns: int) -> int:
    """Ways to lay every word once, along any of eight directions, such that letters agree where words cross.

    Ways differ if some letter of a word is on another square; so a palindrome backwards is the same way.
    """
    letters: dict[tuple[int, int], str] = {}
    ways = [
        {frozenset(zip(squares, word, strict=True)) for squares in _straight(len(word), rows, columns)}
        for word in words
    ]

    def lay(number: int) -> int:
        if number == len(words):
            return 1
        found = 0
        for spelled in ways[number]:
            if all(letters.get(square, letter) == letter for square, letter in spelled):
                fresh = [square for square, _ in spelled if square not in letters]
                letters.update(spelled)
                found += lay(number + 1)
                for square in fresh:
                    del letters[square]
        return found

    return lay(0)


def _straight(length: int, rows: int, columns: int) -> Iterator[list[tuple[int, int]]]:
    for row in range(rows):
        for column in range(columns):
            for down in (-1, 0, 1):
                for across in (-1, 0, 1):
                    squares = [(row + k * down, column + k * across) for k in range(length)]
                    inside = all(0 <= r < rows and 0 <= c < columns for r, c in squares)
                    if (down or across) and inside:
                        yield squares


def tromino_squares(n: int) -> int:
    """Ways to fill a square with L-trominoes and at most one hole, first free cell first."""
    free = {(row, column) for row in range(n) for column in range(n)}
    corners = [{(0, 0), (0, 1), (1, 0), (1, 1)} - {left_out} for left_out in ((0, 0), (0, 1), (1, 0), (1, 1))]

    def fill(holes: int) -> int:
        if not free:
            return 1
        row, column = min(free)
        found = 0
        for corner in corners:
            across = column - min(c for r, c in corner if r == 0)
            cells = {(row + r, across + c) for r, c in corner}
            if cells <= free:
                free.difference_update(cells)
                found += fill(holes)
                free.update(cells)
        if holes:
            free.remove((row, column))
            found += fill(holes - 1)
            free.add((row, column))
        return found

    return fill(1)


def fillings(board: str, pieces: str) -> int:
    """Ways to fill a board with drawn pieces, each once, turned and turned over freely, first free cell first."""
    free = {(r, c) for r, line in enumerate(board.split()) for c, mark in enumerate(line) if mark != "."}
    drawn: dict[str, list[tuple[int, int]]] = {}
    for r, line in enumerate(pieces.strip("\n").split("\n")):
        for c, mark in enumerate(line):
            if mark not in " .":
                drawn.setdefault(mark, []).append((r, c))
    ways = {name: _turned(cells) for name, cells in drawn.items()}

    def fill() -> int:
        if not free:
            return 1
        first = min(free)
        found = 0
        for name in list(ways):
            shapes = ways.pop(name)
            for shape in shapes:
                cells = {(first[0] + r, first[1] + c) for r, c in shape}
                if cells <= free:
                    free.difference_update(cells)
                    found += fill()
                    free.update(cells)
            ways[name] = shapes
        return found

    return fill()


def _turned(cells: list[tuple[int, int]]) -> set[tuple[tuple[int, int], ...]]:
    """The eight images, moved so that the first cell is at the origin."""
    found = set()
    for _ in range(4):
        cells = [(c, -r) for r, c in cells]
        for image in (cells, [(r, -c) for r, c in cells]):
            top, left = min(image)
            found.add(tuple(sorted((r - top, c - left) for r, c in image)))
    return found


def tile_squares(tiles: Sequence[str], side: int, border: str) -> int:
    """Ways to lay square tiles row by row, turned freely, with matching sides and one colour at the border."""
    by_corner: dict[str, list[tuple[int, str]]] = {}
    for number, tile in enumerate(tiles):
        for turned in {tile[k:] + tile[:k] for k in range(4)}:
            by_corner.setdefault(turned[0] + turned[3], []).append((number, turned))
    laid: list[str] = []
    used = [False] * len(tiles)

    def lay() -> int:
        if len(laid) == len(tiles):
            return 1
        row, column = divmod(len(laid), side)
        top, left = laid[-side][2] if row else border, laid[-1][1] if column else border
        found = 0
        for number, turned in by_corner.get(top + left, []):
            ends = (column < side - 1 or turned[1] == border) and (row < side - 1 or turned[2] == border)
            if ends and not used[number]:
                used[number] = True
                laid.append(turned)
                found += lay()
                laid.pop()
                used[number] = False
        return found

    return lay()


def tile_cells(tiles: Sequence[str], cells: Sequence[Sequence[str]], turns: Sequence[Sequence[int]]) -> int:
    """Ways to lay different tiles on cells, in order, so that sides of one name have one colour.

    cells: the name of each side of a cell, in the order in which a tile has its colours; a name that is an `=`
    and a colour is a side that must have it. turns: orders of the sides that a turned tile has.
    """
    colors: dict[str, str] = {name: name[1] for cell in cells for name in cell if name[0] == "="}
    left = list(tiles)

    def lay(number: int) -> int:
        if number == len(cells):
            return 1
        found = 0
        for tile in list(left):
            left.remove(tile)
            for turned in {"".join(tile[place] for place in turn) for turn in turns}:
                sides = list(zip(cells[number], turned, strict=True))
                if all(colors.get(name, color) == color for name, color in sides):
                    fresh = [name for name, _ in sides if name not in colors]
                    colors.update(sides)
                    found += lay(number + 1)
                    for name in fresh:
                        del colors[name]
            left.append(tile)
        return found

    return lay(0)
