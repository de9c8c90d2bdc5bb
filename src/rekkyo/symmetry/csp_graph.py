"""A `Csp` as a graph whose automorphisms are symmetries of its constraints.

Every variable is a vertex, joined to a vertex for each of its values, a *literal*. Every constraint is a
vertex, joined to vertices that describe it:

    table           row - literals of the row
    all different   value - the literals with that value
    linear          term - share - literal; a share is a coefficient times a value, less the middle of the
                    term, and is joined to "more" or "less", which an equation may exchange
    equation of 2   pair - the two literals that satisfy it; a literal without partner - itself;
    x + c != y      in the same way, so x != y as all different
    product         as a table, if it has few combinations; else place - literals, distinguished by value
    counting        place - literals with the values; number - literals of `times`
    regular         node - edge - literal, as the words are read forwards, and as they are read backwards
    circuit         arc - literal, out of one node, into another
    connected       place - literals with the values, and neighbouring places

So variables and values may be exchanged if the constraints allow it, but values in longer sums and products
are distinguished by size. Hidden variables move too, but their own permutations are ignored, and so are those
of variables with one value.
Left out on purpose: symmetry that appears only when constraints are combined, and the exchange of successors
and predecessors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from functools import singledispatchmethod
from itertools import product
from math import prod
from typing import TypeAlias

from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.definition import holds
from rekkyo.model.csp.normal_form import normal_form
from rekkyo.model.row import AtomPermutation
from rekkyo.symmetry.automorphisms import Permutation
from rekkyo.symmetry.model_graphs import ModelGraph, Vertex
from rekkyo.symmetry.read_both_ways import read_both_ways

Literal: TypeAlias = tuple[c.Variable, int]
"""A variable and a value of it."""

MOST_ROWS_OF_PRODUCT = 16
"""Combinations of values of the factors, beyond which a product does not become a table."""


class CspGraph(ModelGraph):
    """The graph of a model.

    domains: of the variables, without values that a constraint on the variable alone rules out.
    literal: the vertex of each (variable, value) of these domains.
    """

    def __init__(self, model: Csp) -> None:
        super().__init__()
        self.model = model
        self.domains, constraints = normal_form(model)
        self.literal: dict[Literal, Vertex] = {}
        shown = set(model.solution)
        for v, domain in enumerate(self.domains):
            at = self.vertex("shown" if v in shown else "hidden")
            for value in domain:
                self.literal[v, value] = self.vertex("literal", [at])
        for constraint in constraints:
            self.join(constraint)
        if model.objective is not None:
            v = model.objective.variable
            for value in self.domains[v]:
                self.vertex(("objective", value), [self.literal[v, value]])

    def vertex(self, kind: Hashable, neighbours: Iterable[Vertex] = ()) -> Vertex:
        """As in `ModelGraph`; a neighbour may be named several times."""
        return super().vertex(kind, dict.fromkeys(neighbours))

    def atoms(self, permutation: Permutation) -> AtomPermutation:
        """The permutation of atoms of an automorphism.

        Atoms that no row has stay where they are. So do those of variables with one value, which each row
        has.
        """
        model = self.model
        n_values = len(model.values)
        index = {value: number for number, value in enumerate(model.values)}
        atom_of = {
            self.literal[v, value]: position * n_values + index[value]
            for position, v in enumerate(model.solution)
            if len(self.domains[v]) > 1
            for value in self.domains[v]
        }
        images = {atom: atom_of[permutation[vertex]] for vertex, atom in atom_of.items()}
        return tuple(images.get(atom, atom) for atom in range(model.row_shape.n_atoms))

    def extended_atoms(self, images: Mapping[Literal, Literal]) -> AtomPermutation | None:
        """The permutation of atoms of an automorphism with these images of literals, if there is one.

        A literal that is never true may have such an image only.
        """
        literal = self.literal
        possible = {one: other for one, other in images.items() if one in literal or other in literal}
        if not all(one in literal and other in literal for one, other in possible.items()):
            return None
        automorphism = self.extended({literal[one]: literal[other] for one, other in possible.items()})
        return None if automorphism is None else self.atoms(automorphism)

    def _literals(self, v: c.Variable, values: Iterable[int]) -> list[Vertex]:
        return [self.literal[v, value] for value in values if (v, value) in self.literal]

    def _rigid(self, kind: Hashable, v: c.Variable, joined: Sequence[Vertex]) -> None:
        """The values of a variable, which cannot be exchanged."""
        for value in self.domains[v]:
            self.vertex((kind, value), [self.literal[v, value], *joined])

    @singledispatchmethod
    def join(self, constraint: c.Constraint) -> Vertex:
        """Add a constraint; returns its vertex."""
        raise TypeError(f"no graph is written for {type(constraint).__name__}")

    @join.register
    def _table(self, constraint: c.Table) -> Vertex:
        at = self.vertex(("table", constraint.allowed))
        for row in dict.fromkeys(constraint.rows):
            pairs = dict.fromkeys(zip(constraint.variables, row, strict=True))
            is_possible = len({v for v, _ in pairs}) == len(pairs) and all(
                pair in self.literal for pair in pairs
            )
            if is_possible:
                self.vertex("row", [at, *(self.literal[pair] for pair in pairs)])
        return at

    @join.register
    def _all_different(self, constraint: c.AllDifferent) -> Vertex:
        at = self.vertex("all different")
        variables = Counter(constraint.variables)
        values = {value for v in variables for value in self.domains[v]} - set(constraint.excepted)
        for value in sorted(values):
            self.vertex("value", [at, *(vertex for v in variables for vertex in self._literals(v, [value]))])
        for v, times in variables.items():
            if times > 1:
                self.vertex("repeated", [at, *self._literals(v, values)])
        return at

    @join.register
    def _linear(self, constraint: c.Linear) -> Vertex:
        n_terms = len(constraint.variables)
        if n_terms == 0:
            return self.vertex(("no terms", holds(constraint, ())))
        if n_terms == 1:
            return self._ruled_out(constraint)
        if n_terms == 2 and constraint.relation != c.AT_MOST:
            return self._matched(constraint)
        return self._sum(constraint)

    def _ruled_out(self, constraint: c.Linear) -> Vertex:
        at = self.vertex("values of one variable")
        [v] = constraint.variables
        for value in self.domains[v]:
            if not holds(constraint, {v: value}):
                self.vertex("ruled out", [at, self.literal[v, value]])
        return at

    def _matched(self, constraint: c.Linear) -> Vertex:
        """Two terms are equal, or differ: a value of one variable belongs to at most one of the other."""
        at = self.vertex("equal" if constraint.relation == c.EQUAL else "all different")
        literals: dict[int, list[Vertex]] = {}
        (x, y), (k, m) = constraint.variables, constraint.coefficients
        for value in self.domains[x]:
            literals.setdefault(k * value, []).append(self.literal[x, value])
        for value in self.domains[y]:
            literals.setdefault(constraint.constant - m * value, []).append(self.literal[y, value])
        for pair in literals.values():
            self.vertex("value", [at, *pair])
        return at

    def _sum(self, constraint: c.Linear) -> Vertex:
        domains = [self.domains[v] for v in constraint.variables]
        middles = [k * (d[0] + d[-1]) for k, d in zip(constraint.coefficients, domains, strict=True)]
        rest = 2 * constraint.constant - sum(middles)
        exchange = constraint.relation in (c.EQUAL, c.NOT_EQUAL)
        more, less = (self.vertex(("side", None if exchange else side)) for side in range(2))
        ends = [] if rest == 0 else [more if rest > 0 else less]
        at = self.vertex(("linear", constraint.relation, abs(rest)), ends)
        # The two sides belong to this constraint alone.
        self.vertex("sides", [at, more, less])
        terms = zip(constraint.coefficients, constraint.variables, middles, strict=True)
        for k, v, middle in terms:
            term = self.vertex("term", [at])
            for value in self.domains[v]:
                share = 2 * k * value - middle
                side = [] if share == 0 else [more if share > 0 else less]
                self.vertex(("share", abs(share)), [term, self.literal[v, value], *side])
        return at

    @join.register
    def _count(self, constraint: c.Count) -> Vertex:
        at, _ = self._places("count", constraint.variables, constraint.values)
        self._rigid("number", constraint.times, [at])
        return at

    @join.register
    def _global_cardinality(self, constraint: c.GlobalCardinality) -> Vertex:
        whole = self.vertex("cardinality")
        for value, low, high in constraint.bounds:
            at, _ = self._places(("bounds", low, high), constraint.variables, (value,))
            self.vertex("part", [whole, at])
        return whole

    def _places(
        self, kind: Hashable, variables: Sequence[c.Variable], values: Sequence[int]
    ) -> tuple[Vertex, list[Vertex]]:
        """A vertex for some variables, and one for each of them, joined to its literals with the values."""
        at = self.vertex(kind)
        return at, [self.vertex("place", [at, *self._literals(v, set(values))]) for v in variables]

    @join.register
    def _layered(self, constraint: c.Regular | c.Diagram) -> Vertex:
        """Nodes of one layer may be exchanged; layers may not, but they may be turned around."""
        at = self.vertex("layered")
        variables, domains = constraint.variables, self.domains
        both_ways = read_both_ways(constraint, [domains[v] for v in variables])
        if both_ways is None:
            ends = None if constraint.accepting is None else set(constraint.accepting)
            self._layers(at, variables, constraint.edges, ends)
        else:
            self._layers(at, variables, both_ways[0])
            self._layers(at, variables[::-1], both_ways[1])
        return at

    def _layers(
        self,
        at: Vertex,
        variables: Sequence[c.Variable],
        layers: Iterable[Iterable[tuple[int, int, int]]],
        accepting: Collection[int] | None = None,
    ) -> None:
        """Add the nodes and edges of a diagram. accepting: the last nodes that are true; None for all."""
        nodes = {0: self.vertex(("node", 0), [at])}
        for depth, (v, edges) in enumerate(zip(variables, layers, strict=True), start=1):
            after: dict[int, Vertex] = {}
            for start, value, end in edges:
                if start in nodes and (v, value) in self.literal:
                    if end not in after:
                        after[end] = self.vertex(("node", depth), [at])
                    self.vertex("edge", [nodes[start], self.literal[v, value], after[end]])
            nodes = after
        for node, vertex in nodes.items():
            if accepting is None or node in accepting:
                self.vertex("accepting", [vertex])

    @join.register
    def _element(self, constraint: c.Element) -> Vertex:
        at = self.vertex("element")
        same: dict[int, Vertex] = {}
        for value in self.domains[constraint.result]:
            same[value] = self.vertex("value of the result", [at, self.literal[constraint.result, value]])
        for place, v in enumerate(constraint.array):
            entry = self.vertex("entry", [at, *self._literals(constraint.index, [constraint.first + place])])
            for value in self.domains[v]:
                joined = [same[value]] if value in same else []
                self.vertex("value of an entry", [entry, self.literal[v, value], *joined])
        return at

    @join.register
    def _inverse(self, constraint: c.Inverse) -> Vertex:
        at = self.vertex("inverse")
        first = constraint.first
        for i, f in enumerate(constraint.f):
            for j, g in enumerate(constraint.g):
                self.vertex("pair", [at, *self._literals(f, [first + j]), *self._literals(g, [first + i])])
        for ones, others in ((constraint.f, constraint.g), (constraint.g, constraint.f)):
            inside = range(first, first + len(others))
            for v in ones:
                self.vertex("never", [at, *self._literals(v, set(self.domains[v]) - set(inside))])
        return at

    @join.register
    def _lex_less(self, constraint: c.LexLess) -> Vertex:
        at = self.vertex(("lex", constraint.strict))
        for place, pair in enumerate(zip(constraint.lesser, constraint.greater, strict=True)):
            for side, v in enumerate(pair):
                self._rigid((place, side), v, [at])
        return at

    @join.register
    def _product(self, constraint: c.Product) -> Vertex:
        """Few combinations are a table, so that 1 and -1 may be exchanged; more are distinguished by size."""
        times = Counter(constraint.factors)
        domains = [self.domains[v] for v in times]
        if prod(map(len, domains)) <= MOST_ROWS_OF_PRODUCT:
            rows = [(*row, prod(map(pow, row, times.values()))) for row in product(*domains)]
            return self._table(c.Table((*times, constraint.result), tuple(rows)))
        at = self.vertex("product")
        for v in constraint.factors:
            self._rigid("factor", v, [self.vertex("place", [at])])
        self._rigid("result", constraint.result, [at])
        return at

    @join.register
    def _circuit(self, constraint: c.Circuit) -> Vertex:
        at = self.vertex(("circuit", constraint.subcircuit))
        nodes = [self.vertex("node", [at]) for _ in constraint.successors]
        ways_in = [self.vertex("in", [node]) for node in nodes]
        for node, v in enumerate(constraint.successors):
            way_out = self.vertex("out", [nodes[node]])
            for value in self.domains[v]:
                other = value - constraint.first
                into = [ways_in[other]] if 0 <= other < len(nodes) else []
                self.vertex(("arc", len(into)), [way_out, self.literal[v, value], *into])
        return at

    @join.register
    def _connected(self, constraint: c.Connected) -> Vertex:
        at, places = self._places("connected", constraint.variables, constraint.values)
        self._beside(places, constraint.edges)
        return at

    @join.register
    def _areas(self, constraint: c.Areas) -> Vertex:
        at = self.vertex("areas")
        places = [self.vertex("place", [at]) for _ in constraint.variables]
        for value, low, high in dict.fromkeys(constraint.sizes):
            size = self.vertex(("size", low, high), [at])
            for place, v in zip(places, constraint.variables, strict=True):
                self.vertex("in", [size, place, *self._literals(v, [value])])
        self._beside(places, constraint.edges)
        return at

    @join.register
    def _acyclic(self, constraint: c.Acyclic) -> Vertex:
        """Each vertex of a directed link has an end for links that begin and one for those that end there."""
        at = self.vertex(("acyclic", constraint.directed))
        n, links = constraint.links_within(self.domains)
        nodes = [self.vertex("node", [at]) for _ in range(n)]
        begins = ends = nodes
        if constraint.directed:
            begins, ends = ([self.vertex(end, [node]) for node in nodes] for end in ("out", "in"))
        for v, value, one, other in links:
            self.vertex(("link", one == other), [self.literal[v, value], begins[one], ends[other]])
        return at

    def _beside(self, places: Sequence[Vertex], edges: Iterable[tuple[int, int]]) -> None:
        """Add a vertex for each edge between two places."""
        for one, other in {tuple(sorted(edge)) for edge in edges}:
            if one != other:
                self.vertex("beside", [places[one], places[other]])

    @join.register
    def _clause(self, constraint: c.Clause) -> Vertex:
        at = self.vertex("clause")
        for v, value, sign in dict.fromkeys(constraint.literals):
            self.vertex(("holds", sign, (v, value) in self.literal), [at, *self._literals(v, [value])])
        return at

    @join.register
    def _reified(self, constraint: c.Reified) -> Vertex:
        at = self.join(constraint.constraint)
        whole = self.vertex("reified", [at])
        self._rigid("truth", constraint.truth, [whole])
        return whole
