"""A diagram: all solutions of a puzzle as one value, with queries that do not list them.

Two solutions are compared by the first atom, in the order of `order`, that only one of them has: the one with
this atom comes first. That is lexicographic order if `order` is increasing, as for a model whose options are
numbered by their first item, and for queens. The engine `cover-diagram` lists solutions in this order.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from rekkyo.arrays import read_only, unfilled
from rekkyo.engines.contract import Rows, row_dtype
from rekkyo.engines.diagram import kernel
from rekkyo.engines.diagram.kernel import HI, LO, NOTHING, PLACE, Numbers
from rekkyo.engines.limbs import Limbs, to_int, wrapping
from rekkyo.engines.memory import memory_bytes, size_in_words
from rekkyo.errors import BadInput, BadSolution, NeedsMemory
from rekkyo.html_tables import facts
from rekkyo.jit import interruptible
from rekkyo.model.checks import check_nested, check_type, listed, refuse, shown
from rekkyo.model.puzzle import Model
from rekkyo.model.row import Atom, Layout, Row, RowShape, checked_whole, row_values, whole_number

ENDS = np.array([[kernel.END, kernel.NONE, kernel.NONE]] * 2, dtype=np.uint32)

NODE_BYTES = 12 * 3
"""The bytes of a node, of its copy while the array grows, and of its share of the table."""

BLOCK_ROWS = 1 << 10

MAX_CONDITION_NODES = 1 << 24

Times: TypeAlias = tuple[Iterable[Atom], int, int]
"""Some atoms, and how many of them a solution must at least and may at most have."""

TIMES_RULE = "times is a list of conditions (atoms, low, high)"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Diagram:
    """All solutions of a puzzle, or some of them.

    shape: of the rows. order: the atoms, in the order in which solutions are compared; an atom that is not
    there is in no solution. nodes : uint32[n, 3], see `kernel`. root: the node of all solutions, which is the
    last one, or one of the two terminal nodes if there is no other. model: the lowered model of the puzzle,
    if it is known; two diagrams with the same solutions are equal even if their models are not.
    """

    shape: RowShape
    order: tuple[Atom, ...]
    nodes: Numbers
    root: int
    model: Model | None = None
    _memo: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        read_only(self.nodes)

    @property
    def count(self) -> int:
        """The number of solutions."""
        return self._below(self.root)

    @property
    def n_nodes(self) -> int:
        """The number of nodes of the diagram, including the two terminal nodes."""
        return len(self.nodes)

    @property
    def is_lexicographic(self) -> bool:
        """Whether the order of the solutions is that of their rows."""
        return list(self.order) == sorted(self.order)

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<Diagram of {self.count} rows of length {self.shape.length}: {self.n_nodes} nodes>"

    def _repr_html_(self) -> str:
        numbers = [("rows", self.count), ("length of a row", self.shape.length), ("nodes", self.n_nodes)]
        first = " ".join(map(str, self.kth(0)[:40])) if self.count else None
        return facts("Diagram of all solutions", [*numbers, ("first row", first)])

    def __eq__(self, other: object) -> bool:
        """Whether two diagrams have the same solutions in the same order."""
        if not isinstance(other, Diagram):
            return NotImplemented
        return self._frame() == other._frame() and np.array_equal(self.nodes, other.nodes)

    def __hash__(self) -> int:
        return hash((self._frame(), self.nodes.tobytes()))

    def _frame(self) -> tuple[object, ...]:
        return self.shape, self.order, self.root

    def __iter__(self) -> Iterator[Row]:
        """All solutions, in order."""
        for block in self.blocks():
            yield from map(tuple, block.tolist())

    def __contains__(self, row: Sequence[int]) -> bool:
        try:
            self.rank(row)
        except BadInput:
            return False
        return True

    def blocks(self, first: int = 0) -> Iterator[Rows]:
        """The solutions from number `first` on, in blocks; each is valid until the next one is requested.

        Raises BadInput.
        """
        first = whole_number(first)
        if type(first) is not int or first < 0:
            raise BadInput(f"solutions are numbered from 0, not from {shown(first)}")
        left = self.count - first
        walk = Walk(self, first) if left > 0 else None
        out = unfilled((BLOCK_ROWS, self.shape.length), row_dtype(self.shape.n_symbols))
        while walk is not None and left > 0:
            n_rows = min(left, BLOCK_ROWS)
            walk.write(out, n_rows)
            left -= n_rows
            yield out[:n_rows]

    def kth(self, k: int) -> Row:
        """Solution number k, counted from 0, without listing those before it. Raises BadInput."""
        return self._row([int(self.nodes[node, PLACE]) for node in self.path_to(k)])

    def rank(self, row: Sequence[int]) -> int:
        """The number k of a solution, so that `kth(k)` is the row. Raises BadSolution if it is not a
        solution.
        """
        k, node, row = 0, self.root, row_values(row)
        for place in self._places(row):
            while node > NOTHING and self._place(node) < place:
                k += self._below(int(self.nodes[node, HI]))
                node = int(self.nodes[node, LO])
            if node <= NOTHING or self._place(node) != place:
                raise _no_solution(row)
            node = int(self.nodes[node, HI])
        while node > NOTHING:
            k += self._below(int(self.nodes[node, HI]))
            node = int(self.nodes[node, LO])
        if node != NOTHING:
            raise _no_solution(row)
        return k

    def sample(self, rng: random.Random | int) -> Row:
        """A random solution; all are equally likely. rng: `random.Random`, or its seed. Raises BadInput."""
        if not self.count:
            raise BadInput("there is no solution to sample")
        if not isinstance(rng, random.Random):
            rule = "rng is a random.Random or a seed, a whole number from 0"
            rng = random.Random(checked_whole(rule, rng, 0))
        return self.kth(rng.randrange(self.count))

    def uses(self) -> tuple[int, ...]:
        """For each atom (an option of a cover, a square of queens) the number of solutions that have it."""
        if "uses" not in self._memo:
            counts = self._counts()
            sums = np.zeros((len(self.order), counts.shape[1]), dtype=np.uint64)
            if self.root > NOTHING:
                with wrapping():
                    kernel.count_uses(self.nodes, counts, np.zeros_like(counts), sums)
            uses = [0] * self.shape.n_atoms
            for place, atom in enumerate(self.order):
                uses[atom] = to_int(sums[place])
            self._memo["uses"] = tuple(uses)
        found: tuple[int, ...] = self._memo["uses"]
        return found

    def restrict(
        self, *, taken: Iterable[Atom] = (), left_out: Iterable[Atom] = (), times: Iterable[Times] = ()
    ) -> Diagram:
        """The solutions with all atoms of `taken`, none of `left_out`, and numbers of atoms within bounds.

        times: (atoms, low, high) each: at least `low` and at most `high` of these atoms are in the solution.
        Raises BadInput.
        """
        places = {atom: place for place, atom in enumerate(self.order)}
        conditions: list[Times] = [
            *(((atom,), 1, 1) for atom in listed("taken is a list of atoms", taken)),
            *(((atom,), 0, 0) for atom in listed("left_out is a list of atoms", left_out)),
            *(_checked_times(condition) for condition in listed(TIMES_RULE, times)),
        ]
        diagram = self
        for atoms, low, high in conditions:
            wanted = frozenset(self._known_atom(atom) for atom in atoms)
            inside = frozenset(places[atom] for atom in wanted if atom in places)
            nodes, root = _condition_nodes(len(self.order), inside, low, high)
            diagram &= from_nodes(self.shape, self.order, np.array(nodes, dtype=np.uint32), root)
        return diagram

    def __and__(self, other: Diagram) -> Diagram:
        """The solutions that two diagrams over the same options share. Raises BadInput, EngineRefuses."""
        check_type("a diagram has solutions in common with another diagram", other, Diagram)
        if (self.shape, self.order) != (other.shape, other.order):
            raise BadInput("only diagrams over the same options in the same order have solutions in common")
        if kernel.NONE in (self.root, other.root):
            return from_nodes(self.shape, self.order, ENDS, 0, self.model)
        most_bytes = memory_bytes()
        with wrapping():
            nodes, root = kernel.meet(
                self.nodes, self.root, other.nodes, other.root, most_bytes // NODE_BYTES
            )
        if root == kernel.END:
            raise too_large(most_bytes)
        return from_nodes(self.shape, self.order, nodes, int(root), self.model)

    def renamed(self, shape: RowShape, atoms: Sequence[Atom]) -> Diagram:
        """The same solutions as rows of another shape; atoms: the new name of each atom. Raises BadInput."""
        check_type("the shape of rows is a rekkyo.model.row.RowShape", shape, RowShape)
        rule = f"atoms names each atom by a whole number below {shape.n_atoms}"
        names = check_nested(rule, [whole_number(name) for name in listed(rule, atoms)], (list, int))
        has_all = max(self.order, default=-1) < len(names)
        if not has_all or not all(0 <= name < shape.n_atoms for name in names):
            refuse(rule, atoms)
        return Diagram(shape, tuple(names[atom] for atom in self.order), self.nodes, self.root)

    def path_to(self, k: int) -> list[int]:
        """The nodes of the atoms of solution k. Raises BadInput."""
        k = _checked_number(k, self.count)
        path = []
        node = self.root
        while node != NOTHING:
            here = self._below(int(self.nodes[node, HI]))
            if k < here:
                path.append(node)
                node = int(self.nodes[node, HI])
            else:
                k -= here
                node = int(self.nodes[node, LO])
        return path

    def _place(self, node: int) -> int:
        return int(self.nodes[node, PLACE])

    def _below(self, node: int) -> int:
        return to_int(self._counts()[node])

    def _counts(self) -> Limbs:
        """The number of solutions below each node, with as many limbs as the largest needs."""
        if "counts" not in self._memo:
            counts = np.zeros((len(self.nodes), 1), dtype=np.uint64)
            with wrapping():
                while not kernel.count_below(self.nodes, counts):
                    counts = np.zeros((len(self.nodes), counts.shape[1] + 1), dtype=np.uint64)
            self._memo["counts"] = counts
        found: Limbs = self._memo["counts"]
        return found

    def _row(self, places: Sequence[int]) -> Row:
        row = self.shape.row_of([self.order[place] for place in places])
        assert row is not None
        return row

    def _places(self, row: Sequence[int]) -> list[int]:
        """The places of a row's atoms, increasing. Raises BadSolution."""
        if not all(type(value) is int for value in row):
            raise _no_solution(row)
        if self.shape.layout is Layout.BY_OPTION:
            atoms = [value for value in row if value != self.shape.n_values]
            has_fillers_last = list(row[: len(atoms)]) == atoms
            well_formed = has_fillers_last and atoms == sorted(set(atoms)) and len(row) <= self.shape.length
        else:
            atoms = [position * self.shape.n_values + value for position, value in enumerate(row)]
            in_range = all(0 <= value < self.shape.n_values for value in row)
            well_formed = in_range and len(row) == self.shape.length
        place_of = {atom: place for place, atom in enumerate(self.order)}
        if not well_formed or not all(atom in place_of for atom in atoms):
            raise _no_solution(row)
        return sorted(place_of[atom] for atom in atoms)

    def _known_atom(self, atom: Atom) -> Atom:
        atom = whole_number(atom)
        if type(atom) is not int or not 0 <= atom < self.shape.n_atoms:
            raise BadInput(
                f"a condition names {shown(atom)}, but atoms go from 0 to {self.shape.n_atoms - 1}"
            )
        return atom


class Walk:
    """A position among the solutions of a diagram, from which they are written one after the other."""

    def __init__(self, diagram: Diagram, k: int) -> None:
        path = diagram.path_to(k)
        self._nodes = diagram.nodes
        self._atoms = np.array(diagram.order, dtype=np.uint32)
        self._path = np.zeros(diagram.shape.length + 1, dtype=np.uint32)
        self._path[: len(path)] = path
        by_position = diagram.shape.layout is Layout.BY_POSITION
        n_values = diagram.shape.n_values
        self._head = np.array([len(path), n_values, n_values if by_position else 0], dtype=np.int64)

    def write(self, out: Rows, n_rows: int) -> None:
        """Write the next `n_rows` solutions, which must exist."""
        kernel.list_rows(self._nodes, self._atoms, self._path, self._head, out, n_rows)


def from_nodes(
    shape: RowShape, order: tuple[Atom, ...], nodes: Numbers, root: int, model: Model | None = None
) -> Diagram:
    """The diagram below a node, with the nodes in canonical order."""
    with interruptible():
        kept = kernel.numbered(nodes, root)
    return Diagram(shape, order, kept, len(kept) - 1 if len(kept) > len(ENDS) else root, model)


def too_large(most_bytes: int) -> NeedsMemory:
    """The exception for a diagram with too many nodes."""
    return NeedsMemory(f"the diagram of all solutions takes more than {size_in_words(most_bytes)}")


def _checked_number(k: int, count: int) -> int:
    k = whole_number(k)
    if type(k) is not int or not 0 <= k < count:
        which = f"they are numbered from 0 to {count - 1}" if count else "there is none at all"
        raise BadInput(f"there is no solution number {shown(k)}; {which}")
    return k


def _checked_times(condition: Times) -> Times:
    parts = listed(TIMES_RULE, condition)
    if len(parts) != 3:
        refuse(TIMES_RULE, condition)
    atoms, low, high = parts
    return listed(TIMES_RULE, atoms), low, high


def _no_solution(row: Sequence[int]) -> BadSolution:
    values = " ".join(map(shown, row[:20])) + (" …" if len(row) > 20 else "")
    return BadSolution(f"not one of the solutions: {values}")


def _condition_nodes(
    n_places: int, inside: frozenset[int], low: int, high: int
) -> tuple[list[tuple[int, int, int]], int]:
    """The nodes of all sets with low to high of the places inside, and the root. Raises BadInput."""
    low, high = whole_number(low), whole_number(high)
    if type(low) is not int or type(high) is not int or not 0 <= low <= high:
        raise BadInput(f"the bounds of a condition need 0 <= low <= high, not {shown(low)} to {shown(high)}")
    high = min(high, len(inside))
    if n_places * (high + 2) > MAX_CONDITION_NODES:
        raise BadInput(f"a condition of up to {high} of {n_places} atoms is too large; name fewer atoms")
    nodes = [(int(kernel.END), 0, 0)] * len(ENDS)
    known: dict[tuple[int, int, int], int] = {}
    # below[times]: the node after `times` taken places; the last entry is for one too many.
    below = [int(low <= times <= high) for times in range(high + 1)] + [0]
    for place in reversed(range(n_places)):
        for times in range(high + 1):  # entries from here on are still those of the place after
            key = (place, below[times], below[times + (place in inside)])
            if key[2] and key not in known:
                known[key] = len(nodes)
                nodes.append(key)
            below[times] = known[key] if key[2] else key[1]
    return nodes, below[0]
