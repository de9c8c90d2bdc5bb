"""The board of a grid: its cells as variables, and the constraints of clauses, with limits of size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rekkyo.catalog.named_boards import named_board
from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.cells import ALONG, Cells, full_rectangle
from rekkyo.export.puzzle_toml.document import Drawing, Table
from rekkyo.export.puzzle_toml.grid.shown import Shown
from rekkyo.export.puzzle_toml.grid.values import Values
from rekkyo.export.puzzle_toml.marks import Square, board_drawing
from rekkyo.model.boards import place_named
from rekkyo.model.coloring import MAX_CELLS
from rekkyo.model.csp.constraints import Clause, Constraint, Linear, Product, Variable, variables_of
from rekkyo.model.csp.constraints import Table as Rows
from rekkyo.model.csp.csp import MAX_CONSTRAINTS, MAX_SPAN, MAX_VARIABLES, Csp, Objective
from rekkyo.model.csp.problem import HIDDEN
from rekkyo.model.lattices import SQUARE
from rekkyo.wording import several

FREE, NO_CELL, NOTHING = ".", "#", " "
NAMES = "names"
NOT_IN_NAMES = "<>=!+-*()"
"""Signs of comparisons, and of cycles of a symmetry."""

OBJECTIVES = ("sum", "count")
"""Words before the names of cells in an objective."""

JOINING = ("if", "then", "iff", "or", "and", "not")
"""Words that join comparisons, see `conditions.py`."""

MAX_USES = 1 << 20
"""The most variables of all constraints together."""

MAX_ENTRIES = 1 << 22
"""The most values in rows of tables and transitions of automata, in all constraints together."""


class Board:
    """squares: of the cells, in order; the variable of a cell is its number. extent: lines and columns.

    n_columns_drawn: the columns of the drawing; "#" after the last cells may be beyond those of the board.
    shown: the clues that clauses show on the board. hidden_cells: those that are not part of a solution.
    absolutes: the variables for absolute values, by the terms of a sum.
    drawn_regions: the cells under each mark of the drawings that the file names, see `regions.py`.
    turning: the values that are lines or arrows, which turn with the board, by their characters.
    """

    def __init__(self, table: Table, values: Values) -> None:
        drawing = board_drawing(table, SQUARE)
        marks, blocked = _marks(drawing, values)
        if not marks:
            drawing.refuse_whole('the board has no cells; draw each as "."')
        self.values = values
        self.squares = tuple(marks)
        self.shown = Shown(self.squares, blocked)
        self.cells = Cells.on_board(table, marks, NO_CELL)
        self.extent = (self.cells.n_lines, 1 + max(column for _, column in marks))
        self.n_columns_drawn = 1 + max(column for _, column in (*marks, *blocked))
        self.objective: Objective | None = None
        self.objective_in_words = ""
        self.domains = [
            values.numbers if mark == FREE else (values.number_of[mark],) for mark in marks.values()
        ]
        self.constraints: list[Constraint] = []
        self._products: dict[tuple[Variable, ...], Variable] = {}
        self.absolutes: dict[tuple[tuple[tuple[Variable, ...], int], ...], Variable] = {}
        self.drawn_regions: dict[str, dict[str, list[Variable]]] = {}
        self.hidden_cells: frozenset[int] = frozenset()
        self.turning: dict[str, int] = {}
        self.n_uses = 0
        self.n_entries = 0
        if NAMES in table:
            names = self._names(table.drawing(NAMES))
            self.cells = replace(self.cells, more_names=names)
            self.shown.names = tuple(names)
        if "given" in table:
            self._give(table.drawing("given"))

    def model(self) -> Csp:
        """The model; a solution has the values of the cells."""
        n_cells = len(self.squares)
        shown = tuple(cell for cell in range(n_cells) if cell not in self.hidden_cells)
        names = [f"{HIDDEN}{number}" for number in range(n_cells, len(self.domains))]
        if self.objective is not None and self.objective.variable >= n_cells:
            names[self.objective.variable - n_cells] = f"{HIDDEN}{self.objective_in_words}"
        return Csp(
            (*self.cells.numbers, *names),
            tuple(self.domains),
            tuple(self.constraints),
            shown,
            self.objective,
            grid=None if self.hidden_cells else full_rectangle(self.cells.at),
        )

    def _names(self, drawing: Drawing) -> dict[str, int]:
        """The names that the file gives to the cells, in their order."""
        names = drawing.numbered("cell", {}, MAX_CELLS, self._problem_of_name)
        if len(names) != len(self.squares):
            problem = (
                f"{len(names)} names for {several(len(self.squares), 'cell')}; name each cell, in their order"
            )
            drawing.refuse_whole(problem)
        return names

    def _problem_of_name(self, name: str) -> str | None:
        if place_named(name) or name in (*OBJECTIVES, *JOINING):
            return f'"{in_short(name)}" means something else in clauses; take another name'
        if not name.isprintable():
            return f'"{in_short(name)}" has a character that cannot be seen; leave it out'
        if set(name).isdisjoint(NOT_IN_NAMES):
            return None
        return f'"{in_short(name)}" cannot name a cell; leave out {" ".join(NOT_IN_NAMES)}'

    def _give(self, drawing: Drawing) -> None:
        if not self.values.symbols or is_in_words(drawing.lines(), self.n_columns_drawn):
            self._give_words(drawing)
            return
        for cell, mark, square in self.cells.marked(drawing):
            if mark not in self.values.number_of:
                drawing.refuse(*square, f'"{mark}" is none of the values {self.values.written()}')
            if not self.restrict(cell, {self.values.number_of[mark]}):
                drawing.refuse(*square, "the board gives this cell another value; give it once")

    def _give_words(self, drawing: Drawing) -> None:
        """Given values with spaces between: each line has a value, "." or "#" for each column."""
        self.cells.check_size(drawing, [len(line.split()) for line in drawing.lines()])
        for words in drawing.words():
            for column, word in enumerate(words):
                if word.text in (FREE, NO_CELL):
                    continue
                cell = self.cells.at.get((word.line, column))
                if cell is None:
                    word.refuse(
                        f'"{in_short(word.text)}" is not on the board; write "{NO_CELL}" where it has no cell'
                    )
                value = self.values.of_word(word.text)
                if value is None:
                    word.refuse(f'"{in_short(word.text)}" is none of the values {self.values.written()}')
                if not self.restrict(cell, {value}):
                    word.refuse("the board gives this cell another value; give it once")

    def restrict(self, cell: Variable, numbers: Iterable[int]) -> bool:
        """Restrict a cell to some values; returns whether any is left. If not, nothing is changed."""
        kept = tuple(sorted(set(self.domains[cell]).intersection(numbers)))
        if kept:
            self.domains[cell] = kept
        return bool(kept)

    def patterns(self, table: Table, symbols: str = "") -> Iterator[list[tuple[Variable, str]]]:
        """A pattern in all its places, see `Cells.patterns`. Lines along which it lies are shown."""
        yield from self.cells.patterns(table, symbols, "value")
        if ALONG in table:
            for words in table.drawing(ALONG).words():
                self.shown.line([self.cells.number(word, word.text) for word in words])

    def hidden(self, table: Table, values: Sequence[int]) -> Variable:
        """A hidden variable with these values."""
        self._enter(table, len(values))
        return self.variable(table, tuple(values))

    def image(self, table: Table, cell: Variable, images: Mapping[int, int]) -> Variable:
        """A hidden variable that the cell determines. images: its value for each value of the cell."""
        found = self.variable(table, tuple(sorted(set(images.values()))))
        self.add(table, Rows((cell, found), tuple(images.items())), 2 * len(images))
        return found

    def product(self, table: Table, cells: tuple[Variable, ...]) -> Variable:
        """A variable whose value is the product of the values of cells, in order, of which some are alike."""
        if len(cells) > 1 and cells not in self._products:
            times = Counter(cells)
            if len(times) == 1:
                self._products[cells] = self._power(table, cells[0], len(cells))
            else:
                powers = [self.product(table, (cell,) * n) for cell, n in times.items()]
                self._products[cells] = self._product_of(table, powers)
        return self._products.get(cells, cells[0])

    def _power(self, table: Table, cell: Variable, exponent: int) -> Variable:
        powers = {number: number**exponent for number in self.domains[cell]}
        _check_products(table, min(powers.values()), max(powers.values()))
        return self.image(table, cell, powers)

    def _product_of(self, table: Table, factors: list[Variable]) -> Variable:
        products: Sequence[int] = (1,)
        for factor in factors:
            domain = self.domains[factor]
            ends = [one * other for one in (products[0], products[-1]) for other in (domain[0], domain[-1])]
            _check_products(table, min(ends), max(ends))
            products = sorted({one * other for one in products for other in domain})
        found = self.hidden(table, products)
        self.add(table, Product(tuple(factors), found))
        return found

    def variable(self, table: Table, domain: tuple[int, ...]) -> Variable:
        """A hidden variable with these values."""
        if len(self.domains) >= MAX_VARIABLES:
            table.refuse_table(f"more than the {MAX_VARIABLES} variables that are accepted; make it smaller")
        self.domains.append(domain)
        return len(self.domains) - 1

    def add(self, table: Table, constraint: Constraint, n_entries: int = 0) -> None:
        """Add a constraint of a clause. n_entries: its number of entries besides variables."""
        self.n_uses += len(variables_of(constraint))
        self._enter(table, n_entries)
        if len(self.constraints) >= MAX_CONSTRAINTS or self.n_uses > MAX_USES:
            most = f"{MAX_CONSTRAINTS} constraints, or {MAX_USES} cells in them"
            table.refuse_table(f"more than the {most} that are accepted; make the board smaller")
        self.constraints.append(constraint)

    def add_never(self, table: Table, problem: str, key: str | None = None) -> None:
        """Refuse rules that cannot hold together; a member of a family has no solution then."""
        table.refuse_unless_member(problem, key)
        self.add(table, Clause(()))

    def total(self, table: Table, key: str, cells: list[Variable]) -> Variable:
        """A hidden variable whose value is the sum of the cells. key: the one that asks for it."""
        low, high = (sum(self.domains[cell][end] for cell in cells) for end in (0, -1))
        if high - low >= MAX_SPAN:
            problem = f"the sum goes from {low} to {high}; at most {MAX_SPAN} numbers are accepted"
            table.refuse_value(key, problem)
        total = self.hidden(table, range(low, high + 1))
        self.add(table, Linear((*[1] * len(cells), -1), (*cells, total), "=", 0))
        return total

    def _enter(self, table: Table, n_entries: int) -> None:
        self.expect(table, n_entries)
        self.n_entries += n_entries

    def expect(self, table: Table, n_entries: int) -> None:
        """Refuse a clause whose tables, automata and hidden values will have too many entries."""
        if self.n_entries + n_entries > MAX_ENTRIES:
            what = f"{MAX_ENTRIES} entries of tables or values of hidden variables"
            problem = f"more than {what}; take fewer values, words or cells"
            table.refuse_table(problem)


def _check_products(table: Table, least: int, greatest: int) -> None:
    if greatest - least >= MAX_SPAN:
        limit = f"at most {MAX_SPAN} numbers are accepted"
        table.refuse_table(
            f"products of cells go from {least} to {greatest}, and {limit}; take smaller values"
        )


def is_in_words(lines: Iterable[str], n_columns: int) -> bool:
    """Whether a drawing has spaces between its marks: a line has some, and is too long for the board."""
    return any(NOTHING in line.strip() and len(line.rstrip()) > n_columns for line in lines)


def _marks(drawing: Drawing, values: Values) -> tuple[dict[Square, str], list[Square]]:
    """The mark of each cell, row by row, and the squares that are blocked."""
    with drawing.errors_here():
        named = named_board(drawing.text, SQUARE)
    if named is not None:
        if len(named) > MAX_CELLS:
            problem = f"the board has {len(named)} cells, more than {MAX_CELLS}; take a smaller one"
            drawing.refuse_whole(problem)
        return {(cell[0], cell[1]): FREE for cell in named}, []
    marks: dict[Square, str] = {}
    blocked: list[Square] = []
    for row, line in enumerate(drawing.lines()):
        for column, mark in enumerate(line.rstrip(NOTHING)):
            if mark == NOTHING:
                continue
            if mark == NO_CELL and mark not in values.number_of:
                blocked.append((row, column))
                continue
            if mark != FREE and mark not in values.number_of:
                known = f'"." for a cell, a space or "#" for none, or one of the values {values.written()}'
                drawing.refuse(row, column, f'"{in_short(mark)}" is not a cell; draw {known}')
            marks[row, column] = mark
            if len(marks) > MAX_CELLS:
                drawing.refuse(
                    row, column, f"more than the {MAX_CELLS} cells that are accepted; leave some out"
                )
    return marks, blocked
