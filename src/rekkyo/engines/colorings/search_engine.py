"""The base of both searching engines for colourings: a fixed order of cells, symmetry inside the search.

A search is a sequence of decisions: a cell without a colour gets one. The cursors of both engines represent
the open decision and its untried colours in the same way, so that one method cuts the searches of both.

Cells that complete sets early come first: the next cell is always the one with the highest score, where a set
adds 2^k to each of its cells if k of them are already ordered; ties go to the lowest cell. Alternatives
(nodes with propagation):

    weight of a set      hip 6, any balance   hip 7   van der Waerden, 4 in a row of 25
    the cells as given               25358   62374                                1698
    4^k                               1654    1490                                5026
    2^k                               1666    1358                                1094
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import unfilled
from rekkyo.engines.colorings.least import DEPTH, END, NO_SYMMETRY, TOP, Least, copied, least, waiting
from rekkyo.engines.contract import WHOLE, Advance, ListingEngine, Room, Shard
from rekkyo.engines.prefixes import Grown, Prefix, dived, no_such_shard, shards_of
from rekkyo.model.coloring import Cell, Color, Coloring
from rekkyo.model.puzzle import Model
from rekkyo.symmetry.group import Group, close

ELEMENTS_OF_NODE = 256
"""To compare images under so many elements of a group takes as long as a node without symmetry: independent
sets of a cube of 6 dimensions, whose group has 46,080, take 11 us a node, those of a torus of 6x6 (288
elements) 0.6 us."""


class SearchProgram(Protocol):
    """The read-only arrays of either kernel, a NamedTuple."""

    @property
    def order(self) -> NDArray[np.int64]:
        """int64[n]. The cell of each level."""

    @property
    def least(self) -> Least:
        """The symmetry that the search follows."""


class SearchCursor(Protocol):
    """The state of either search, a NamedTuple of arrays."""

    @property
    def rest(self) -> NDArray[Any]:
        """int[n + 1]. For each open decision the untried colours, as bits."""

    @property
    def waiting(self) -> NDArray[np.int32]:
        """int32[n_rows, 4]. The lists of `least`."""

    @property
    def state(self) -> NDArray[np.int64]:
        """int64[>= 3]. DEPTH, END and TOP, and further entries of the engine."""


ProgramT = TypeVar("ProgramT", bound=SearchProgram)
CursorT = TypeVar("CursorT", bound=SearchCursor)


@dataclass(frozen=True, slots=True, eq=False)
class SearchPlan(Generic[ProgramT, CursorT]):
    """The arrays of the kernel, and the state before the first decision.

    hopeless: whether fixed cells and bounds alone exclude every colouring.
    """

    program: ProgramT
    root: CursorT
    hopeless: bool


class Decision(NamedTuple, Generic[CursorT]):
    """A decision that is still to be made: the colour of the cell at a depth."""

    cursor: CursorT
    depth: int
    color: Color


class ColoringSearch(ListingEngine[SearchPlan[ProgramT, CursorT], CursorT]):
    """An engine that colours cells in a fixed order, with any representation of the patterns.

    Rows are in the order of the search, which is lexicographic in the order of its cells.
    """

    model_type = Coloring
    model_words = "colourings"
    list_solutions: ClassVar[Callable[..., Any]]
    """The kernel: gives (status, found, nodes) for (program, cursor, rows, stabilizers, budget)."""

    @abstractmethod
    def ordered_plan(
        self, model: Coloring, order: tuple[Cell, ...], symmetry: Least
    ) -> SearchPlan[ProgramT, CursorT]:
        """The plan for cells in this order."""

    def compile(self, model: Model) -> None:
        """Compile the only version."""
        small = Coloring(2, 2, sets=((0, 1),))
        group = close(small.row_shape, [(2, 3, 0, 1)])
        plan = self.plan_for_representatives(small, group)
        assert plan is not None
        self.advance(plan, self.start(plan, WHOLE), Room.of(small.row_shape, 1), 1)

    def make_plan(self, model: Coloring) -> SearchPlan[ProgramT, CursorT]:
        """A plan for all solutions."""
        return self.ordered_plan(model, cell_order(model), NO_SYMMETRY)

    def make_plan_for_representatives(
        self, model: Coloring, group: Group
    ) -> SearchPlan[ProgramT, CursorT] | None:
        """The same search, which leaves a branch as soon as some image is less."""
        order = cell_order(model)
        symmetry = least(group, order)
        return None if symmetry is None else self.ordered_plan(model, order, symmetry)

    def settles_symmetry(self, plan: SearchPlan[ProgramT, CursorT]) -> bool:
        """Whether the search uses all of the symmetry."""
        return len(plan.program.least.paths) > 0

    def comparing_order(self, plan: SearchPlan[ProgramT, CursorT]) -> Sequence[int] | None:
        """The order of the search."""
        return tuple(plan.program.order.tolist())

    def split(self, plan: SearchPlan[ProgramT, CursorT], at_least: int) -> tuple[Shard, ...]:
        """Fix the colours of the first decisions; a shard's prefix is these colours.

        The shard itself tries the last of them, so that no solution is found while shards are cut.
        """
        if plan.hopeless:
            return ()
        if at_least < 2 or self.ends_in_a_moment(plan):
            return (WHOLE,)

        def grow(prefixes: list[Prefix]) -> Grown[Prefix] | None:
            longer: list[Prefix] = []
            n_tried = 0
            for prefix, cursor in self._tried(plan, prefixes):
                goes_deeper = int(cursor.state[DEPTH]) >= len(prefix)
                longer += _children(cursor, prefix) if goes_deeper else [prefix]
                n_tried += goes_deeper
            return (longer, n_tried) if n_tried else None

        return shards_of(_children(plan.root, ()), at_least, grow)

    def estimated_nodes(self, plan: SearchPlan[ProgramT, CursorT]) -> float:
        """See the contract. The decisions of a dive share a cursor, which a decision changes."""

        def below(node: Decision[CursorT] | None) -> tuple[list[Decision[CursorT]], int] | None:
            if node is None:
                depth, cursor = 0, self.start(plan, WHOLE)
            else:
                depth, cursor = node.depth + 1, node.cursor
                _decide(cursor, node.depth, node.color)
                self._try_color(plan, cursor)
            if int(cursor.state[DEPTH]) != depth:
                return None
            colors = _untried(cursor, depth)
            return [Decision(cursor, depth, color) for color in colors], len(colors)

        return 0.0 if plan.hopeless else dived(None, below)

    def nodes_of_moment(self, plan: SearchPlan[ProgramT, CursorT]) -> int:
        """Fewer if images under many symmetries are compared."""
        return max(1, self.moment_nodes // (1 + len(plan.program.least.paths) // ELEMENTS_OF_NODE))

    def ends_in_a_moment(self, plan: SearchPlan[ProgramT, CursorT]) -> bool:
        """Whether the search is so short that cutting it would take longer; by default False."""
        return False

    def _tried(
        self, plan: SearchPlan[ProgramT, CursorT], prefixes: Iterable[Prefix]
    ) -> Iterator[tuple[Prefix, CursorT]]:
        """Each prefix, with a cursor for which its last colour was tried.

        Prefixes in the order of the search share most of their colours, so the cursors of the one before are
        kept.
        """
        before: Prefix = ()
        cursors = [self.start(plan, WHOLE)]
        for prefix in prefixes:
            pairs = zip(before, prefix[:-1], strict=False)
            n_shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            del cursors[n_shared + 1 :]
            for depth in range(n_shared, len(prefix)):
                top = int(cursors[-1].state[TOP])
                cursor = _copy(cursors[-1], copied(cursors[-1].waiting, top))
                _decide(cursor, depth, prefix[depth])
                self._try_color(plan, cursor)
                cursors.append(cursor)
            before = prefix
            yield prefix, cursors[-1]

    def start(self, plan: SearchPlan[ProgramT, CursorT], shard: Shard) -> CursorT:
        """A cursor whose only untried colour is the last one of the prefix."""
        cursor = _copy(plan.root, waiting(plan.program.least))
        for depth, color in enumerate(shard.prefix):
            if color < 0 or not int(cursor.rest[depth]) >> color & 1:
                raise no_such_shard(self.name, shard.prefix)
            _decide(cursor, depth, color)
            if depth + 1 < len(shard.prefix):
                self._try_color(plan, cursor)
                if int(cursor.state[DEPTH]) <= depth:
                    raise no_such_shard(self.name, shard.prefix)
        return cursor

    def _try_color(self, plan: SearchPlan[ProgramT, CursorT], cursor: CursorT) -> None:
        """Try one colour of the open decision, which may lead to a deeper one."""
        self.advance(plan, cursor, Room(unfilled((1, len(plan.program.order)), np.uint8)), 1)

    def advance(
        self, plan: SearchPlan[ProgramT, CursorT], cursor: CursorT, room: Room, budget: int
    ) -> Advance:
        """See the contract; a node is a colour tried at a cell."""
        return Advance.of(self.list_solutions(plan.program, cursor, room.rows, room.stabilizers, budget))


def _copy(cursor: CursorT, lists: NDArray[np.int32]) -> CursorT:
    """A cursor with arrays of its own. lists: its lists of symmetries."""
    arrays: Any = cursor
    own = {name: array.copy() for name, array in arrays._asdict().items() if name != "waiting"}
    made: CursorT = type(arrays)(**own, waiting=lists)
    return made


def _decide(cursor: SearchCursor, depth: int, color: int) -> None:
    """Leave one untried colour to the decision at a depth, and make the search end with it."""
    cursor.rest[depth] = 1 << color
    cursor.state[DEPTH] = cursor.state[END] = depth


def _children(cursor: SearchCursor, prefix: Prefix) -> list[Prefix]:
    """The prefix extended by each colour that the next decision can try."""
    return [(*prefix, color) for color in _untried(cursor, len(prefix))]


def _untried(cursor: SearchCursor, depth: int) -> list[Color]:
    """The colours that the decision at a depth has left."""
    colors = int(cursor.rest[depth])
    return [color for color in range(colors.bit_length()) if colors >> color & 1]


def cell_order(model: Coloring) -> tuple[int, ...]:
    """The cell of each level of a search."""
    patterns = [tuple(cell for cell, _ in pattern) for pattern in model.patterns]
    return closing_order(model.n_cells, (*model.sets, *patterns))


def closing_order(n_cells: int, sets: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """All cells, those that complete sets early first. sets: those of the model, and cells of patterns."""
    sets_of: list[list[int]] = [[] for _ in range(n_cells)]
    for number, cells in enumerate(sets):
        for cell in cells:
            sets_of[cell].append(number)
    scores = [len(numbers) for numbers in sets_of]
    weights = [1] * len(sets)
    order = []
    left = list(range(n_cells))
    while left:
        best = max(left, key=scores.__getitem__)
        left.remove(best)
        order.append(best)
        for number in sets_of[best]:
            for cell in sets[number]:
                scores[cell] += weights[number]
            weights[number] *= 2
    return tuple(order)
