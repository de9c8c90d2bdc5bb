"""Puzzles that a caller describes: a packing from two drawings, a sum figure from the text of its lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import pairwise
from typing import Any

from rekkyo.catalog.boards import packing_puzzle
from rekkyo.catalog.figure_lines import read_line
from rekkyo.catalog.figures import Move, complement, constraints_after, figure_puzzle, identity
from rekkyo.catalog.named_boards import MARK, named_board, problem_of_drawn_board, problem_of_lone_mark
from rekkyo.errors import BadInput, fix_for_name, in_short
from rekkyo.model.cell_colors import CellColors, ColorPairs, check_colors, problem_of_pair
from rekkyo.model.checks import check_nested, check_type, listed, refuse
from rekkyo.model.lattices import LATTICES, Cell, Lattice
from rekkyo.model.lattices.drawing import MAY_STAY_EMPTY, cells_drawn, read_drawing
from rekkyo.model.lattices.shapes import Shape
from rekkyo.model.packing import Packing, Piece
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import whole_number
from rekkyo.model.sum_figure import Line, SumFigure
from rekkyo.symmetry.model_graphs import has_complement
from rekkyo.wording import several


def packing(
    board: str,
    pieces: str,
    *,
    lattice: str = "square",
    times: Mapping[str, int | tuple[int, int | None]] | None = None,
    reflections: bool = True,
    filled: bool = True,
    only_on: Mapping[str, str | Sequence[str]] | None = None,
    colors: Mapping[str, str | Sequence[str]] | None = None,
    toroidal: bool = False,
    name: str = "packing",
) -> Puzzle:
    """Pieces to place on a board, with all symmetries of the board.

    board, pieces: drawings, one character for each cell (see `rekkyo.model.lattices.drawing`); all marks of
        the board are cells, and all cells with the same letter are one piece, named by the letter. Cells
        marked `?` may stay empty. A board may have a name instead, as in files: "rectangle 6 10".
    lattice: square, cube, balls, triangle, hexagon, quartered or edges.
    times: how often a piece is placed, by default once: a number, or (low, high) with high None for any
        number.
    reflections: whether pieces may be turned over. filled: whether every other cell must be covered.
    only_on: where a piece may lie, by default everywhere: a drawing of the board with only those cells, or a
        list of marks of the board.
    colors: colours of cells: {"board": ..., "pieces": ...}, both drawn again with colours as marks, and
        points for cells without one. A coloured cell of a piece lies only on cells of the board that have its
        colour or none. {"fits": ["ab", "cb"]}: these pairs fit, of a piece and of the board, instead of equal
        ones.
    toroidal: whether opposite edges of the rectangle or cuboid around the board are joined.
    Raises BadInput.
    """
    for what, text in (("board", board), ("pieces", pieces), ("lattice", lattice), ("name", name)):
        check_type(f"packing: {what} is a text", text, str)
    if lattice not in LATTICES:
        raise BadInput(f'there is no lattice "{in_short(lattice)}"; {fix_for_name(lattice, list(LATTICES))}')
    cells = _cells_of_board(LATTICES[lattice], board)
    drawn = read_drawing(LATTICES[lattice], pieces)
    where = _allowed(LATTICES[lattice], cells, drawn, {} if only_on is None else only_on)
    if times is not None:
        check_type('packing: times is a dictionary such as {"A": 2, "B": (0, None)}', times, Mapping)
    often = dict(times or {})
    check_nested("packing: times names pieces by their letters", list(often), (list, str))
    for letter in [letter for letter in often if letter not in drawn]:
        names = ", ".join(drawn)
        raise BadInput(f'packing: piece "{in_short(letter)}" is not in the drawing; drawn are {names}')
    of_board, of_pieces, pairs = _colors(LATTICES[lattice], drawn, {} if colors is None else colors)
    model = Packing(
        LATTICES[lattice],
        frozenset().union(*cells.values()),
        tuple(
            Piece(
                letter,
                frozenset(shape),
                *_bounds(often.get(letter, 1)),
                where.get(letter),
                frozenset(pair for pair in of_pieces if pair[0] in shape),
            )
            for letter, shape in drawn.items()
        ),
        reflections=reflections,
        filled=filled,
        optional=frozenset(cells.get(MAY_STAY_EMPTY, ())),
        colors=of_board,
        color_pairs=pairs,
        toroidal=toroidal,
    )
    return packing_puzzle(
        name, f"{several(len(drawn), 'piece')} on a board of {several(len(model.board), 'cell')}", model
    )


def _cells_of_board(lattice: Lattice, board: str) -> Mapping[str, Shape]:
    """The cells of a board by their marks."""
    if problem := problem_of_drawn_board(board, lattice):
        raise BadInput(f"packing: {problem}")
    named = named_board(board, lattice)
    return read_drawing(lattice, board) if named is None else {MARK: named}


def _allowed(
    lattice: Lattice,
    board: Mapping[str, Shape],
    drawn: Mapping[str, Shape],
    only_on: Mapping[str, str | Sequence[str]],
) -> dict[str, frozenset[Cell]]:
    """The cells on which pieces may lie, by their letters. board: its cells by their marks."""
    check_type('packing: only_on is a dictionary such as {"A": ["x", "y"]}', only_on, Mapping)
    found = {}
    for letter, where in only_on.items():
        if letter not in drawn:
            raise BadInput(f'packing: only_on names a piece "{in_short(str(letter))}", which is not drawn')
        if isinstance(where, str):
            if problem := problem_of_lone_mark(where, board):
                raise BadInput(f"packing: {problem}")
            found[letter] = frozenset(cells_drawn(lattice, where))
            continue
        rule = "packing: only_on says where a piece may lie by a drawing, or by a list of marks"
        marks = listed(rule, where)
        check_nested(rule, marks, (list, str))
        for mark in marks:
            if mark not in board:
                problem = f'no cell of the board is marked "{in_short(mark)}"'
                raise BadInput(f"packing: {problem}; marks are {', '.join(board)}")
        found[letter] = frozenset().union(*(board[mark] for mark in marks))
    for letter, cells in found.items():
        if not cells:
            raise BadInput(
                f'packing: only_on has no cell for piece "{letter}"; give one, or leave it out there'
            )
    return found


def _colors(
    lattice: Lattice, drawn: Mapping[str, Shape], colors: Mapping[str, str | Sequence[str]]
) -> tuple[CellColors, CellColors, ColorPairs | None]:
    """The colours of the board, of the cells of pieces, and the pairs that fit, if not equal ones."""
    rule = 'packing: colors is a dictionary such as {"board": "xo", "pieces": "ox"}'
    check_type(rule, colors, Mapping)
    if not colors.keys() <= {"board", "pieces", "fits"}:
        refuse(rule, colors)
    found = []
    for key in ("board", "pieces"):
        text = colors.get(key, "")
        if not isinstance(text, str):
            refuse(rule, colors)
        marks = read_drawing(lattice, text) if text else {}
        found.append(frozenset((cell, color) for color, cells in marks.items() for cell in cells))
    check_colors("the drawing of the pieces", found[1], frozenset().union(*drawn.values()))
    if "fits" not in colors:
        return found[0], found[1], None
    rule = 'packing: the colours that fit are texts of two marks, such as ["ab", "cb"]'
    words = listed(rule, colors["fits"])
    of_board, of_pieces = ({color for _, color in some} for some in found)
    for word in words:
        if not isinstance(word, str) or len(word) != 2:
            refuse(rule, word)
        if problem := problem_of_pair(word, of_pieces, of_board):
            raise BadInput(f"packing: {problem}")
    return found[0], found[1], frozenset((word[0], word[1]) for word in words)


def _bounds(times: Any) -> tuple[Any, Any]:
    """The least and the greatest number of times; each is checked by `Piece`."""
    pair = listed("packing: the times of a piece", times) if isinstance(times, Iterable) else [times, times]
    if isinstance(times, str | Set | Mapping) or len(pair) != 2:  # a set has no first item
        refuse("packing: a piece is placed so many times, or a pair (low, high) of times", times)
    return whole_number(pair[0]), whole_number(pair[1])


def sum_figure(
    lines: str,
    numbers: Iterable[int] | None = None,
    *,
    given: Mapping[str, int] | None = None,
    symmetry: Sequence[str] = (),
    name: str = "sum-figure",
) -> Puzzle:
    """Different numbers in the cells of a figure, such that its lines have the same sum.

    lines: separated by commas, semicolons or line ends. `a b c` is a line of three cells with the common sum,
        `a b c = 10` one with a given sum, and `a < b < c` an order. A cell's name has no spaces, does not
        look like arithmetic, such as 2a, and has no sign such as `, = < + *`, except - within it.
    numbers: 1 to the number of cells by default; there may be more numbers than cells.
    given: numbers in cells, by the name of the cell.
    symmetry: moves that keep the figure. Each names, for the cells in order of first appearance, the cell
        that the number goes to.
    Raises BadInput.
    """
    check_type("sum figure: lines is a text such as 'a b c, c d e'", lines, str)
    check_type("sum figure: name is a text", name, str)
    names: dict[str, int] = {}
    figure_lines: list[Line] = []
    orders: list[tuple[int, int]] = []
    for text in filter(None, map(str.strip, re.split("[,;\r\n]", lines))):
        written = read_line(text)
        cells = tuple(names.setdefault(name, len(names)) for _, name in written.cells)
        if written.is_order:
            orders += pairwise(cells)
        else:
            figure_lines.append(Line(cells, written.sum))
    if numbers is None:
        numbers = range(1, len(names) + 1)
    rule = "sum figure: numbers are whole numbers, such as range(1, 10)"
    values = [whole_number(number) for number in listed(rule, numbers)]
    check_nested(rule, values, (list, int))
    model = SumFigure(tuple(names), tuple(sorted(values)), tuple(figure_lines), tuple(orders))
    known = {} if given is None else given
    rule = "sum figure: given is a dictionary of cells and whole numbers, such as {'a': 5}"
    check_type(rule, known, Mapping)
    pairs = [(whole_number(number), cell) for cell, number in known.items()]
    check_nested(rule, [number for number, _ in pairs], (list, int))
    check_nested(rule, list(known), (list, str))
    rule = "sum figure: symmetry is a list of texts, such as ['b a']"
    if isinstance(symmetry, str):
        refuse(rule, symmetry)
    moves = listed(rule, symmetry)
    check_nested(rule, moves, (list, str))
    return figure_puzzle(
        name,
        f"sum figure of {several(len(names), 'cell')} and {several(len(figure_lines), 'line')}",
        model,
        [_move(model, text) for text in moves],
        further=[complement(model)] if _may_be_complemented(model) else [],
        given=pairs,
    )


def _move(model: SumFigure, text: str) -> Move:
    targets = text.split()
    if sorted(targets) != sorted(model.cells):
        raise BadInput(
            f'sum figure: the symmetry "{in_short(text)}" must name every cell once, in place of'
            f' "{" ".join(model.cells)}"'
        )
    move = Move(tuple(model.cells.index(target) for target in targets))
    if constraints_after(model, move) != constraints_after(model, identity(model)):
        raise BadInput(f'sum figure: the symmetry "{in_short(text)}" does not keep its lines and orders')
    return move


def _may_be_complemented(model: SumFigure) -> bool:
    """Whether x -> least + greatest - x maps the numbers to themselves and solutions to solutions."""
    (move,) = complement(model).moves
    before = constraints_after(model, identity(model))
    return has_complement(model) and constraints_after(model, move) == before
