"""Constraints of a `Csp`, under the names of MiniZinc's catalogue of global constraints.

Each is a frozen value that names variables by their numbers. `rekkyo.model.csp.definition` defines its
meaning. Sizes and types are checked here; the `Csp` that the constraint belongs to checks that the variables
exist.
Source of the names: MiniZinc Handbook, "Global constraints"; Beldiceanu, Carlsson and Rampon, Global
Constraint Catalog, 2012. Left out on purpose: scheduling (cumulative, diffn) and sets.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from rekkyo.errors import BadModel
from rekkyo.model.checks import check_nested, check_size, check_type, check_whole, refuse
from rekkyo.wording import several

Variable: TypeAlias = int
"""Index of a variable in the names of its `Csp`."""

Literal: TypeAlias = tuple[Variable, int, bool]
"""(variable, value, True): the variable has the value; (variable, value, False): it has another value."""

LARGEST = 10**9
"""The greatest absolute value of values and coefficients."""

MAX_ROW_CELLS = 1 << 24
"""The most entries of a table (rows times variables), or edges of a diagram times its variables."""

EQUAL, NOT_EQUAL, AT_MOST = "=", "!=", "<="
RELATIONS = (EQUAL, NOT_EQUAL, AT_MOST)


@dataclass(frozen=True, slots=True)
class Table:
    """The variables, in order, have the values of one of the rows; with `allowed` False, of none of them."""

    variables: tuple[Variable, ...]
    rows: tuple[tuple[int, ...], ...]
    allowed: bool = True

    def __post_init__(self) -> None:
        _check_variables("table", self.variables)
        check_size("table", len(self.rows) * len(self.variables), "values", MAX_ROW_CELLS)
        rule = f"table: each row is a tuple of {len(self.variables)} whole numbers"
        check_nested(rule, self.rows, (tuple, tuple, int), length=len(self.variables))


@dataclass(frozen=True, slots=True)
class AllDifferent:
    """No two of the variables have the same value, except for values in `excepted`, which may repeat."""

    variables: tuple[Variable, ...]
    excepted: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        _check_variables("all_different", self.variables)
        rule = "all_different: excepted is a tuple of whole numbers"
        for value in check_nested(rule, self.excepted, (tuple, int)):
            check_whole("all_different: an excepted value", value, -LARGEST, LARGEST)


@dataclass(frozen=True, slots=True)
class Linear:
    """The sum of coefficients times variables is compared with a constant, by "=", "!=" or "<="."""

    coefficients: tuple[int, ...]
    variables: tuple[Variable, ...]
    relation: str
    constant: int

    def __post_init__(self) -> None:
        _check_variables("linear", self.variables, least=0)
        rule = "linear: the coefficients are a tuple of whole numbers, one for each variable"
        check_nested(rule, self.coefficients, (tuple, int))
        if len(self.coefficients) != len(self.variables):
            refuse(rule, self.coefficients)
        for coefficient in set(self.coefficients):
            check_whole("linear: a coefficient", coefficient, -LARGEST, LARGEST)
        if self.relation not in RELATIONS:
            refuse('linear: the relation is one of "=", "!=" and "<="', self.relation)
        check_whole("linear: the constant", self.constant, -(LARGEST**2), LARGEST**2)

    @classmethod
    def of(
        cls, coefficients: tuple[int, ...], variables: tuple[Variable, ...], relation: str, constant: int
    ) -> Linear:
        """A sum that is known to be right. Its numbers may be larger, such as after terms were joined."""
        linear = object.__new__(cls)
        for name, part in zip(cls.__slots__, (coefficients, variables, relation, constant), strict=True):
            object.__setattr__(linear, name, part)
        return linear


@dataclass(frozen=True, slots=True)
class Count:
    """The number of variables whose value is in `values` is the value of the variable `times`."""

    variables: tuple[Variable, ...]
    values: tuple[int, ...]
    times: Variable

    def __post_init__(self) -> None:
        _check_variables("count", self.variables, (self.times,))
        for value in check_nested("count: values are a tuple of whole numbers", self.values, (tuple, int)):
            check_whole("count: a value", value, -LARGEST, LARGEST)


@dataclass(frozen=True, slots=True)
class GlobalCardinality:
    """Each (value, low, high) of `bounds`: from low to high of the variables have the value."""

    variables: tuple[Variable, ...]
    bounds: tuple[tuple[int, int, int], ...]

    def __post_init__(self) -> None:
        _check_variables("global_cardinality", self.variables)
        _check_bounds("global_cardinality", "bounds", self.bounds)
        for value, _, _ in self.bounds:
            check_whole("global_cardinality: a value", value, -LARGEST, LARGEST)


@dataclass(frozen=True, slots=True)
class Regular:
    """The values of the variables, read in order, are a word of a finite automaton.

    States are 0 … n_states - 1, and 0 is the first. transitions: (state, value, next state); there may be
    several for a state and a value. accepting: states in which a word may end.
    """

    variables: tuple[Variable, ...]
    n_states: int
    transitions: tuple[tuple[int, int, int], ...]
    accepting: tuple[int, ...]

    def __post_init__(self) -> None:
        _check_variables("regular", self.variables)
        check_whole("regular: the number of states", self.n_states, 1, 1 << 20)
        rule = "regular: transitions are a tuple of (state, value, next state)"
        check_nested(rule, self.transitions, (tuple, tuple, int), length=3)
        check_nested("regular: accepting is a tuple of states", self.accepting, (tuple, int))
        check_size("regular", len(self.transitions), "transitions", MAX_ROW_CELLS)
        for state in (*(s for move in self.transitions for s in move[::2]), *self.accepting):
            if not 0 <= state < self.n_states:
                refuse(f"regular: states are numbered from 0 to {self.n_states - 1}", state)

    @property
    def edges(self) -> tuple[tuple[tuple[int, int, int], ...], ...]:
        """The transitions for each variable, as in a `Diagram` whose nodes are the states."""
        return (self.transitions,) * len(self.variables)


@dataclass(frozen=True, slots=True)
class Diagram:
    """A decision diagram: the values label a way from node 0 of the first layer through all layers.

    edges: for each variable, in order, (node of its layer, value, node of the next layer). The last edges all
    end in nodes that count as true.
    """

    variables: tuple[Variable, ...]
    edges: tuple[tuple[tuple[int, int, int], ...], ...]
    accepting: ClassVar[None] = None
    """As in a `Regular`: which of the last nodes count as true; None for all."""

    def __post_init__(self) -> None:
        _check_variables("diagram", self.variables)
        rule = "diagram: edges are a tuple of (node, value, node of the next layer) for each variable"
        check_nested(rule, self.edges, (tuple, tuple, tuple, int), length=3)
        if len(self.edges) != len(self.variables):
            refuse(rule, self.edges)
        check_size("diagram", sum(map(len, self.edges)), "edges", MAX_ROW_CELLS)


@dataclass(frozen=True, slots=True)
class Element:
    """array[index - first] = result: the entry at the index, counted from `first`, equals the result."""

    index: Variable
    array: tuple[Variable, ...]
    result: Variable
    first: int = 0

    def __post_init__(self) -> None:
        _check_variables("element", (self.index, self.result), self.array, least=3)
        check_whole("element: the first index", self.first, -LARGEST, LARGEST)


@dataclass(frozen=True, slots=True)
class Inverse:
    """f[i] = j if and only if g[j] = i, both counted from `first`."""

    f: tuple[Variable, ...]
    g: tuple[Variable, ...]
    first: int = 0

    def __post_init__(self) -> None:
        _check_variables("inverse", self.f, self.g)
        check_whole("inverse: the first index", self.first, -LARGEST, LARGEST)


@dataclass(frozen=True, slots=True)
class LexLess:
    """The lesser variables, as a word, come before the greater ones; `strict` False: or they are equal."""

    lesser: tuple[Variable, ...]
    greater: tuple[Variable, ...]
    strict: bool = True

    def __post_init__(self) -> None:
        _check_variables("lex_less", self.lesser, self.greater)
        sizes = len(self.lesser), len(self.greater)
        if sizes[0] != sizes[1]:
            raise BadModel(f"lex_less: words of {sizes[0]} and {sizes[1]} variables; they need equally many")
        check_type("lex_less: strict is True or False", self.strict, bool)


@dataclass(frozen=True, slots=True)
class Product:
    """The product of the factors is the value of `result`. A variable may be a factor several times."""

    factors: tuple[Variable, ...]
    result: Variable

    def __post_init__(self) -> None:
        _check_variables("product", self.factors, (self.result,), least=2)


@dataclass(frozen=True, slots=True)
class Circuit:
    """The value of each node's variable is its successor, counted from `first`; all nodes form one cycle.

    subcircuit: nodes may stay out of the cycle, each as its own successor; there need not be a cycle.
    """

    successors: tuple[Variable, ...]
    first: int = 0
    subcircuit: bool = False

    def __post_init__(self) -> None:
        _check_variables("circuit", self.successors)
        check_whole("circuit: the first node", self.first, -LARGEST, LARGEST)
        check_type("circuit: subcircuit is True or False", self.subcircuit, bool)


@dataclass(frozen=True, slots=True)
class Connected:
    """The cells whose value is in `values` are connected along the edges; the empty set is connected.

    edges: pairs of positions in `variables`.
    """

    variables: tuple[Variable, ...]
    edges: tuple[tuple[int, int], ...]
    values: tuple[int, ...]

    def __post_init__(self) -> None:
        _check_variables("connected", self.variables)
        for value in check_nested(
            "connected: values are a tuple of whole numbers", self.values, (tuple, int)
        ):
            check_whole("connected: a value", value, -LARGEST, LARGEST)
        _check_ends("connected", self.edges, len(self.variables))


@dataclass(frozen=True, slots=True)
class Areas:
    """The areas of a value have a bounded number of cells.

    An area is a connected component, along the edges, of the cells with one value.
    edges: pairs of positions in `variables`. sizes: (value, low, high): each area of the value has from low
    to high cells.
    """

    variables: tuple[Variable, ...]
    edges: tuple[tuple[int, int], ...]
    sizes: tuple[tuple[int, int, int], ...]

    def __post_init__(self) -> None:
        _check_variables("areas", self.variables)
        _check_bounds("areas", "sizes", self.sizes)
        for number in (number for size in self.sizes for number in size):
            check_whole("areas: a value or a number of cells", number, -LARGEST, LARGEST)
        _check_ends("areas", self.edges, len(self.variables))


@dataclass(frozen=True, slots=True)
class Acyclic:
    """The links that are there form no cycle.

    links: (position in `variables`, value, one vertex, another vertex): there if the variable has the value.
    A link from a vertex to itself is a cycle, and so are two links between the same vertices.
    directed: links lead from the first vertex to the second, and so do cycles.
    """

    variables: tuple[Variable, ...]
    links: tuple[tuple[int, int, int, int], ...]
    directed: bool = False

    def __post_init__(self) -> None:
        _check_variables("acyclic", self.variables)
        rule = "acyclic: links are a tuple of (position, value, vertex, vertex)"
        check_nested(rule, self.links, (tuple, tuple, int), length=4)
        for position, *numbers in self.links:
            if not 0 <= position < len(self.variables):
                refuse(f"acyclic: a link has a position from 0 to {len(self.variables) - 1}", position)
            for number in numbers:
                check_whole("acyclic: a value or a vertex", number, -LARGEST, LARGEST)
        check_type("acyclic: directed is True or False", self.directed, bool)

    def links_within(
        self, domains: Sequence[Container[int]]
    ) -> tuple[int, list[tuple[Variable, int, int, int]]]:
        """The number of vertices, and the links that may be there, with vertices numbered from 0.

        A link is a variable, its value, and two vertices.
        """
        number_of: dict[int, int] = {}
        found = []
        for position, value, one, other in self.links:
            v = self.variables[position]
            if value in domains[v]:
                ends = [number_of.setdefault(vertex, len(number_of)) for vertex in (one, other)]
                found.append((v, value, ends[0], ends[1]))
        return len(number_of), found


_LITERAL = (int, int, bool)


@dataclass(frozen=True, slots=True)
class Clause:
    """At least one of the literals holds."""

    literals: tuple[Literal, ...]

    def __post_init__(self) -> None:
        rule = "clause: literals are a tuple of (variable, value, True or False)"
        check_type(rule, self.literals, tuple)
        for literal in self.literals:
            if type(literal) is not tuple or tuple(map(type, literal)) != _LITERAL:
                refuse(rule, literal)
            if abs(literal[1]) > LARGEST:
                check_whole("clause: a value", literal[1], -LARGEST, LARGEST)

    @classmethod
    def of(cls, literals: tuple[Literal, ...]) -> Clause:
        """A clause of literals that are known to be right: checking them takes longer than making them."""
        clause = object.__new__(cls)
        object.__setattr__(clause, "literals", literals)
        return clause


@dataclass(frozen=True, slots=True)
class Reified:
    """The variable `truth` is 1 if the constraint holds, else 0.

    constraint: `Linear`, `Table`, `AllDifferent` or `Clause`.
    """

    constraint: Linear | Table | AllDifferent | Clause
    truth: Variable

    def __post_init__(self) -> None:
        if not isinstance(self.constraint, Linear | Table | AllDifferent | Clause):
            rule = "reified: the constraint is one of Linear, Table, AllDifferent and Clause"
            refuse(rule, type(self.constraint).__name__)
        _check_variables("reified", (self.truth,))


Constraint: TypeAlias = (
    Table
    | AllDifferent
    | Linear
    | Count
    | GlobalCardinality
    | Regular
    | Diagram
    | Element
    | Inverse
    | LexLess
    | Product
    | Circuit
    | Connected
    | Areas
    | Acyclic
    | Clause
    | Reified
)

CONSTRAINTS = Constraint.__args__


def variables_of(constraint: Constraint) -> tuple[Variable, ...]:
    """The variables that a constraint names, in order; one may come several times."""
    if isinstance(constraint, Clause):
        return tuple([variable for variable, _, _ in constraint.literals])
    if isinstance(constraint, Reified):
        return (*variables_of(constraint.constraint), constraint.truth)
    names = _NAMES_OF[type(constraint)]
    if names == _VARIABLES:  # most constraints; the general case below takes five times as long
        variables: tuple[Variable, ...] = constraint.variables  # type: ignore[union-attr]
        return variables
    found: list[Variable] = []
    for name in names:
        part = getattr(constraint, name)
        found.extend(part if isinstance(part, tuple) else (part,))
    return tuple(found)


NAMING = (
    "index",
    "array",
    "f",
    "g",
    "variables",
    "successors",
    "lesser",
    "greater",
    "factors",
    "times",
    "result",
)
"""Fields that name variables: one, or a tuple of them."""

_VARIABLES = ["variables"]
_NAMES_OF = {kind: [name for name in NAMING if name in kind.__slots__] for kind in CONSTRAINTS}


def _check_bounds(name: str, what: str, bounds: Any) -> None:
    check_nested(f"{name}: {what} are a tuple of (value, low, high)", bounds, (tuple, tuple, int), length=3)
    for value, low, high in bounds:
        if low > high:
            refuse(f"{name}: value {value} needs low <= high", (low, high))


def _check_ends(name: str, edges: Any, n: int) -> None:
    check_nested(f"{name}: edges are a tuple of pairs of positions", edges, (tuple, tuple, int), 2)
    for end in (end for edge in edges for end in edge):
        if not 0 <= end < n:
            refuse(f"{name}: an edge joins positions from 0 to {n - 1}", end)


def _check_variables(name: str, *parts: Any, least: int = 1) -> None:
    """Raise BadModel unless each part is a tuple of numbers, and all parts together have so many."""
    rule = f"{name}: variables are a tuple of their numbers"
    n = sum(len(check_nested(rule, part, (tuple, int))) for part in parts)
    if n < least:
        raise BadModel(f"{name}: it names {several(n, 'variable')}; it needs at least {least}")
