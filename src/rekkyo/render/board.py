"""A solution drawn as text.

Packing: each cell is drawn as the name of its piece, in the layout of `rekkyo.model.lattices.drawing`; long
names are listed, copies that touch are numbered, and copies of a single piece are letters.
Exact cover: a latin square, a sudoku and a Langford pairing are drawn as the numbers on their board. Words on
a board are drawn as their letters, then the place of each word; tiles on a board as the colours of their
sides and their names (see `tile_text`). Blocks of a design are drawn as their points, and any other cover
as a line for each chosen option.
Colouring: each cell is drawn as a character, on one line, or row by row on a board; cells with names are
listed by colour. Constraint satisfaction: variables named `row,column` are drawn on their board, with the
loops between them, and the names that a file gives to them are listed by value; other variables are on a line
each; for a set, whose non-members are written as points, the names of its members are drawn.
Sum figure: cells named `row,column` are drawn row by row, with shorter rows in the middle as in hexagons;
cells named `layer,row,column` as layers side by side; cells of a file where they are drawn there. Any other
figure is drawn as a line for each line: the cells, then their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from itertools import pairwise

from rekkyo.errors import escaped
from rekkyo.model.boards import place_named, squares_named
from rekkyo.model.coloring import COLOR_SYMBOLS, Coloring
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lattices import EDGES, SQUARE, Cell
from rekkyo.model.lattices.drawing import draw as draw_cells
from rekkyo.model.packing import Packing
from rekkyo.model.picture import Clues, Letters, Picture, Places
from rekkyo.model.puzzle import SYMBOLS, Model, Puzzle, check_puzzle
from rekkyo.model.queens import Queens
from rekkyo.model.sum_figure import SumFigure
from rekkyo.model.tile_board import tile_board
from rekkyo.render.labels import row_to_draw, shortened, texts_of
from rekkyo.render.letter_board import LetterBoard, letter_board
from rekkyo.render.loop_text import loops_as_text
from rekkyo.render.number_board import NumberBoard, number_board
from rekkyo.render.option_words import option_in_words
from rekkyo.render.tile_text import tiles_as_text
from rekkyo.render.touching import copies_apart

BETWEEN_LAYERS = "   "


def board(puzzle: Puzzle, row: Sequence[int]) -> str:
    """The solution as a drawing of several lines, without a final line end. Raises BadInput.

    Unprintable characters in names are escaped.
    """
    check_puzzle(puzzle)
    return escaped(_drawn(puzzle, row_to_draw(puzzle, row)), keep="\n")


def _drawn(puzzle: Puzzle, row: Sequence[int]) -> str:
    if isinstance(puzzle.model, Coloring) and puzzle.model.names:
        return _named(puzzle.model.names, row, puzzle.symbols[: puzzle.model.n_colors])
    if isinstance(puzzle.model, Coloring) and puzzle.symbols != SYMBOLS:
        return _colored(puzzle.model, row, puzzle.symbols)
    if isinstance(puzzle.model, Csp):
        return _values(puzzle.model, row, puzzle.symbols, puzzle.picture)
    if isinstance(puzzle.model, SumFigure) and isinstance(puzzle.picture, Places):
        return _figure_on(puzzle.picture, _figure_numbers(puzzle.model, row))
    if isinstance(puzzle.model, ExactCover) and isinstance(puzzle.picture, Letters):
        letters = letter_board(puzzle.model)
        if letters is not None:
            return _letters(letters, puzzle.model.row_shape.atoms(row), puzzle.picture.given)
    return draw(puzzle.model, row)


@singledispatch
def draw(model: Model, row: Sequence[int]) -> str:
    """The drawing for each kind of model."""
    raise TypeError(f"no drawing is written for models of type {type(model).__name__}")


@draw.register
def _queens(model: Queens, row: Sequence[int]) -> str:
    rule = "+" + "-+" * model.n
    lines = [rule]
    for board_row, queen_column in enumerate(row):
        squares = (_square(model, board_row, column, queen_column) for column in range(model.n))
        lines += ["|" + "|".join(squares) + "|", rule]
    return "\n".join(lines)


def _square(model: Queens, row: int, column: int, queen_column: int) -> str:
    if column == queen_column:
        return "Q"
    return "#" if (row, column) in model.blocked else " "


def _named(names: Sequence[str], row: Sequence[int], texts: Sequence[str]) -> str:
    """A line for each value with the names that have it, except the value that is written as a point."""
    having: dict[int, list[str]] = {value: [] for value, text in enumerate(texts) if text != "."}
    for name, value in zip(names, row, strict=True):
        if value in having:
            having[value].append(escaped(name))
    return "\n".join(" ".join([f"{texts[value]}:", *found]) for value, found in having.items())


def _colored(model: Coloring, row: Sequence[int], symbols: str) -> str:
    return colored_cells(model, [symbols[color] for color in row])


def colored_cells(model: Coloring, texts: Sequence[str]) -> str:
    """A character for each cell of a colouring, on its board or in a line."""
    squares = model.board or [(0, cell) for cell in range(model.n_cells)]
    return draw_cells(SQUARE, dict(zip(squares, texts, strict=True)))


def _values(model: Csp, row: Sequence[int], symbols: str, picture: Picture | None = None) -> str:
    """Values on their board with their loops, or a line for each variable. Lines in squares have no gaps."""
    texts = texts_of(model, symbols)
    squares = squares_named([model.names[v] for v in model.solution], model.grid)
    if squares is None and texts[0] == ".":
        return _named([model.names[v] for v in model.solution], row, texts)
    if squares is None:
        pairs = zip(model.solution, row, strict=True)
        return "\n".join(f"{escaped(model.names[v])} = {texts[index]}" for v, index in pairs)
    width = max(map(len, texts))
    if isinstance(picture, Clues) and picture.loops:
        at = dict(zip(squares, row, strict=True))
        sides = {square: picture.side_of(model.values[index]) for square, index in at.items()}
        return loops_as_text({square: texts[index].rjust(width) for square, index in at.items()}, sides)
    lines: list[dict[int, str]] = [{} for _ in range(1 + max(r for r, _ in squares))]
    for (r, column), index in zip(squares, row, strict=True):
        lines[r][column] = texts[index].rjust(width)
    between = "" if isinstance(picture, Clues) and picture.strokes else " "
    drawn = [
        between.join(line.get(column, " " * width) for column in range(1 + max(line, default=-1))).rstrip()
        for line in lines
    ]
    if isinstance(picture, Clues) and picture.names:
        drawn += ["", *(line for line in _named(picture.names, row, texts).split("\n") if " " in line)]
    return "\n".join(drawn)


@draw.register
def _exact_cover(model: ExactCover, row: Sequence[int]) -> str:
    numbers = number_board(model)
    if numbers is not None:
        return _numbers(numbers, row)
    chosen = model.row_shape.atoms(row)
    tiles = tile_board(model)
    if tiles is not None:
        return tiles_as_text(model, tiles, chosen)
    letters = letter_board(model)
    if letters is not None:
        return _letters(letters, chosen)
    return "\n".join(option_in_words(model, n) for n in chosen)


def _letters(
    board: LetterBoard, chosen: Sequence[int], given: Sequence[tuple[tuple[int, int], str]] = ()
) -> str:
    """The letters on their board, then the place of each word."""
    words = sorted((board.words[option] for option in chosen), key=lambda word: word.number)
    drawn: dict[Cell, str] = dict.fromkeys(board.squares, ".")
    drawn.update(given)
    for word in words:
        drawn.update(zip(word.squares, word.text, strict=True))
    width = max((len(word.text) for word in words), default=0)
    places = [f"{word.text.ljust(width)}  {word.place}" for word in words]
    return "\n".join([draw_cells(SQUARE, drawn), "", *places])


def _numbers(board: NumberBoard, row: Sequence[int]) -> str:
    """Numbers row by row, with lines between boxes."""
    width = max(map(len, board.numbers))
    cells = ["." * width] * (board.rows * board.columns)
    for option in row:
        if option < len(board.placed):
            for cell, index in board.placed[option]:
                cells[cell] = board.numbers[index].rjust(width)
    box = board.box or board.columns
    starts = range(0, board.columns, box)
    lines = []
    for first in range(0, len(cells), board.columns):
        parts = (" ".join(cells[first + start : first + start + box]) for start in starts)
        if board.box and first and first // board.columns % box == 0:
            lines.append("-+-".join("-" * (box * (width + 1) - 1) for _ in starts))
        lines.append(" | ".join(parts))
    return "\n".join(lines)


@draw.register
def _packing(model: Packing, row: Sequence[int]) -> str:
    drawn, listed = cell_texts(model, model.row_shape.atoms(row))
    return "\n".join([draw_cells(model.lattice, drawn), *([""] if listed else []), *listed])


def cell_texts(model: Packing, chosen: Sequence[int]) -> tuple[dict[Cell, str], list[str]]:
    """The text of each cell of a packing, all of one length, and lines of explanation."""
    symbols, listed = _marks_of_pieces(model, chosen)
    width = max(map(len, symbols), default=1)
    drawn = dict.fromkeys(model.board, ".".ljust(width))
    for number, symbol in zip(chosen, symbols, strict=True):
        drawn.update(dict.fromkeys(model.placements()[number].cells, symbol.ljust(width)))
    if model.lattice == EDGES:
        ends = (corner for cell in model.board for face in model.lattice.faces(cell) for corner in face)
        drawn.update(dict.fromkeys(ends, "+".ljust(width)))
    return drawn, listed


def _marks_of_pieces(model: Packing, chosen: Sequence[int]) -> tuple[list[str], list[str]]:
    """The text in the cells of each placement, and lines of explanation.

    The text is the name of the piece, shortened if it is too long, followed by a number if copies of it
    touch. With only copies of one piece, names are left out.
    """
    names = [piece.name for piece in model.pieces]
    apart = copies_apart(model, chosen)
    if len(names) == 1 and model.pieces[0].high != 1:
        return [_LETTERS[min(shade, len(_LETTERS) - 1)] for shade in apart], []
    pieces = [model.placements()[number].piece for number in chosen]
    marks = dict(zip(names, shortened(names, MAX_NAME), strict=True))
    listed = [f"{mark} = {name}" for name, mark in marks.items() if mark != name and name in pieces]
    touching = {piece for piece, shade in zip(pieces, apart, strict=True) if shade}
    return [
        f"{marks[piece]}{shade + 1}" if piece in touching else marks[piece]
        for piece, shade in zip(pieces, apart, strict=True)
    ], listed


@draw.register
def _sum_figure(model: SumFigure, row: Sequence[int]) -> str:
    numbers = _figure_numbers(model, row)
    places = [place_named(name) for name in model.cells]
    if all(len(place) == 2 for place in places):
        return _grid(list(zip(places, numbers, strict=True)))
    if all(len(place) == 3 for place in places):
        layers: dict[int, list[tuple[tuple[int, ...], str]]] = {}
        for (layer, *place), number in zip(places, numbers, strict=True):
            layers.setdefault(layer, []).append((tuple(place), number))
        grids = [_grid(layers[layer]).split("\n") for layer in sorted(layers)]
        height = max(map(len, grids))
        padded = [
            [line.ljust(max(map(len, grid))) for line in grid + [""] * (height - len(grid))] for grid in grids
        ]
        return "\n".join(BETWEEN_LAYERS.join(parts).rstrip() for parts in zip(*padded, strict=True))
    return "\n".join(
        escaped(" ".join(model.cells[cell] for cell in line.cells))
        + ": "
        + " ".join(numbers[cell] for cell in line.cells)
        for line in model.lines
    )


def _figure_numbers(model: SumFigure, row: Sequence[int]) -> list[str]:
    """The numbers in the cells, of one width."""
    width = max(len(str(number)) for number in (model.numbers[0], model.numbers[-1]))
    return [str(model.numbers[value]).rjust(width) for value in row]


def _figure_on(places: Places, numbers: Sequence[str]) -> str:
    """Numbers of one width where their cells were drawn, stretched so that a space is between any two."""
    lines: dict[int, list[tuple[int, str]]] = {}
    for (line, middle), number in zip(places.of_cells, numbers, strict=True):
        lines.setdefault(line // 2, []).append((middle, number))
    needed = 2 * len(numbers[0]) + 2
    gaps = [b - a for cells in lines.values() for (a, _), (b, _) in pairwise(sorted(cells))]
    stretch = max(1, -(-needed // min(gaps, default=needed)))
    left = min(middle for _, middle in places.of_cells)
    drawn = [""] * (1 + max(lines) - min(lines))
    for line, cells in lines.items():
        for middle, number in sorted(cells):
            drawn[line - min(lines)] = drawn[line - min(lines)].ljust((middle - left) * stretch // 2) + number
    return "\n".join(drawn)


def _grid(cells: Sequence[tuple[tuple[int, ...], str]]) -> str:
    """Numbers of one width at (row, column), every row in the order of its columns and centred."""
    rows: dict[int, list[str]] = {}
    for (row, _), number in sorted(cells):
        rows.setdefault(row, []).append(number)
    lines = [" ".join(rows[row]) for row in sorted(rows)]
    longest = max(map(len, lines))
    return "\n".join(" " * ((longest - len(line)) // 2) + line for line in lines)


draw.register(Coloring, lambda model, row: _colored(model, row, COLOR_SYMBOLS))
draw.register(Csp, lambda model, row: _values(model, row, SYMBOLS))

_LETTERS = SYMBOLS[9:]
"""a, b, c, …: for touching copies of the only piece, which never need all of them."""

MAX_NAME = 3
"""Longer names of pieces are listed below."""
