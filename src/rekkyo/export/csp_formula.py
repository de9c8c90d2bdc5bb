"""Constraint satisfaction problems as clauses.

The variables of the solution come first, in their order, and then the hidden ones. A variable with two values
is one variable of the formula, true for the greater value; any other has a variable for each of its values,
of which exactly one is true. All further variables are defined by equivalences, so that they never duplicate
a solution; a hidden variable of the model may, if the solution does not determine it.

Tables have a variable for each row. Sums, products, counts, words and automata are read one variable after
the other: each reachable state, such as the sum so far, has a variable. The nodes of a circuit have variables
for their places on it, counted from its first node; cells that must be connected have variables for the
number of steps from the first cell, and cells of areas have variables for the cells that are reached from
each of them, and for their number.
If the best value of an objective is known, worse values are excluded. After all solutions found are excluded
(`blocked`), the formula is unsatisfiable if there is no other solution and no better one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import singledispatchmethod
from itertools import accumulate, chain, combinations

from rekkyo.errors import BadInput
from rekkyo.export.cnf import FEW, MAX_USES, Clause, Cnf, Literal
from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.constraints import Constraint, Variable
from rekkyo.model.csp.csp import Csp

TRUE: Literal = 1 << 60
"""The literal that is always true; no clause of the formula has it."""

State = Hashable
"""What matters of the values read so far; True or False as soon as the constraint is decided."""


def formula_of(model: Csp) -> Cnf:
    """The formula. Raises BadInput for one that is too large, or whose objective has no best value yet."""
    formula = _Formula(model)
    if model.objective is not None:
        formula.keep_best(model.objective.variable, model.objective.maximize, model.objective.best)
    for constraint in model.constraints:
        formula.post(constraint, TRUE)
    n_shown = sum(_n_variables(model.domains[v]) for v in model.solution)
    meaning = (
        "variables of the solution in their order: with two values true for the greater, else one for each"
        " value, least first; all others only help, so count the assignments of these"
    )
    return Cnf(formula.n_variables, tuple(formula.clauses), tuple(range(1, n_shown + 1)), meaning)


def blocked(domains: Sequence[Sequence[int]], places: Iterable[int]) -> Clause:
    """The clause that excludes the solution in which variables have the values at these places."""
    firsts = accumulate(map(_n_variables, domains), initial=1)
    return tuple(-_literal(first, len(d), at) for first, d, at in zip(firsts, domains, places, strict=False))


def _n_variables(domain: Sequence[int]) -> int:
    return 1 if len(domain) == 2 else len(domain)


def _literal(first: int, n_values: int, place: int) -> Literal:
    """The literal for the value at a place of a variable's domain. first: its variable in the formula."""
    if n_values == 2:
        return first if place else -first
    return first + place


class _Formula:
    """Collects clauses. literals: for each variable, the literal of each of its values."""

    def __init__(self, model: Csp) -> None:
        self.model = model
        self.n_variables = 0
        self.clauses: list[Clause] = []
        self._n_literals = 0
        self.literals: list[dict[int, Literal]] = [{} for _ in model.domains]
        shown = set(model.solution)
        for v in chain(model.solution, (v for v in range(len(model.domains)) if v not in shown)):
            domain, first = model.domains[v], self.n_variables + 1
            self.n_variables += _n_variables(domain)
            self.literals[v] = {x: _literal(first, len(domain), at) for at, x in enumerate(domain)}
        for literals in self.literals:
            if len(literals) != 2:
                self.add(*literals.values())
                self.exclude(list(literals.values()))

    def new(self) -> Literal:
        """A new variable."""
        self.n_variables += 1
        return self.n_variables

    def add(self, *literals: Literal) -> None:
        """Add a clause; clauses that are always true are skipped."""
        if TRUE in literals:
            return
        clause = tuple(dict.fromkeys(literal for literal in literals if literal != -TRUE))
        self._n_literals += len(clause) + 1
        if self._n_literals > MAX_USES:
            raise BadInput(
                f"a formula with more than {MAX_USES} literals is too large; give some values, or recount"
                " with another engine instead"
            )
        self.clauses.append(clause)

    def literal(self, v: Variable, value: int) -> Literal:
        """The literal for a value of a variable."""
        return self.literals[v].get(value, -TRUE)

    def among(self, v: Variable, values: Iterable[int]) -> list[Literal]:
        """The literals of the given values that are in the variable's domain."""
        return [self.literals[v][value] for value in dict.fromkeys(values) if value in self.literals[v]]

    def all_of(self, literals: Sequence[Literal]) -> Literal:
        """A literal that is true if and only if all of these are."""
        return -self.either([-literal for literal in literals])

    def either(self, literals: Sequence[Literal]) -> Literal:
        """A literal that is true if and only if one of these is."""
        some = [literal for literal in dict.fromkeys(literals) if literal != -TRUE]
        if not some:
            return -TRUE
        if len(some) == 1 or TRUE in some:
            return TRUE if TRUE in some else some[0]
        whole = self.new()
        self.define(whole, some)
        return whole

    def define(self, whole: Literal, literals: Sequence[Literal]) -> None:
        """Add clauses: `whole` is true if and only if one of the literals is."""
        for literal in literals:
            self.add(-literal, whole)
        self.add(-whole, *literals)

    def exclude(self, literals: Sequence[Literal]) -> None:
        """At most one of them is true: by pairs, or, for many, by variables for "one was true so far"."""
        if len(literals) <= FEW:
            for one, other in combinations(literals, 2):
                self.add(-one, -other)
            return
        one_so_far = literals[0]
        for literal in literals[1:]:
            self.add(-one_so_far, -literal)
            one_so_far = self.either([one_so_far, literal])

    def walk(
        self,
        variables: Sequence[Variable],
        start: State,
        step: Callable[[State, int, int], State],
        truth: Literal,
    ) -> None:
        """Add clauses: `truth` is true if and only if the values lead from `start` to True.

        step: the state after a state, the place of a variable, and its value.
        """
        if isinstance(start, bool):
            self.add(truth if start else -truth)
            return
        layer = {start: TRUE}
        for place, v in enumerate(variables):
            arrivals: dict[State, dict[Literal, list[Literal]]] = {}
            for state, node in layer.items():
                for value, literal in self.literals[v].items():
                    after = step(state, place, value)
                    if isinstance(after, bool):
                        self.add(-node, -literal, truth if after else -truth)
                    else:
                        arrivals.setdefault(after, {}).setdefault(node, []).append(literal)
            layer = {state: self._node(ways) for state, ways in arrivals.items()}

    def _node(self, ways: dict[Literal, list[Literal]]) -> Literal:
        """A variable that is true if and only if a state before it is true, and a literal that leads here.

        ways: for the variable of each state before it, these literals. At most one of these states is true.
        """
        at = self.new()
        for before, literals in ways.items():
            for literal in literals:
                self.add(-before, -literal, at)
            self.add(-at, -before, *literals)
        self.add(-at, *ways)
        return at

    def keep_best(self, v: Variable, maximize: bool, best: int | None) -> None:
        """Exclude values of the objective that are worse than the best."""
        if best is None:
            raise BadInput(
                "a formula needs the best value of the objective, which `rekkyo certify` finds first"
            )
        for value, literal in self.literals[v].items():
            if value < best if maximize else value > best:
                self.add(-literal)

    @singledispatchmethod
    def post(self, constraint: Constraint, truth: Literal) -> None:
        """Add clauses: `truth` is true if and only if the constraint holds; TRUE unless it is reified.

        Constraints that `Reified` does not take are posted with TRUE only, and may ignore it.
        """
        raise TypeError(f"no formula is written for {type(constraint).__name__}")

    @post.register
    def _table(self, constraint: c.Table, truth: Literal) -> None:
        rows = [
            self.all_of([self.literal(v, value) for v, value in zip(constraint.variables, row, strict=True)])
            for row in dict.fromkeys(constraint.rows)
        ]
        self.define(truth if constraint.allowed else -truth, rows)

    @post.register
    def _all_different(self, constraint: c.AllDifferent, truth: Literal) -> None:
        values = {value for v in constraint.variables for value in self.literals[v]}
        different = []
        for value in sorted(values.difference(constraint.excepted)):
            if truth != TRUE:
                different.append(self.new())
                once = c.GlobalCardinality(constraint.variables, ((value, 0, 1),))
                self.post(once, different[-1])
            else:
                self.exclude(
                    [self.literals[v][value] for v in constraint.variables if value in self.literals[v]]
                )
        if truth != TRUE:
            self.define(-truth, [-literal for literal in different])

    @post.register
    def _linear(self, constraint: c.Linear, truth: Literal) -> None:
        coefficients, constant = constraint.coefficients, constraint.constant
        rest = [(0, 0)]
        for factor, v in reversed(list(zip(coefficients, constraint.variables, strict=True))):
            ends = sorted(factor * value for value in (self.model.domains[v][0], self.model.domains[v][-1]))
            rest.append((rest[-1][0] + ends[0], rest[-1][1] + ends[1]))
        rest.reverse()

        def state(total: int, n_read: int) -> State:
            low, high = total + rest[n_read][0], total + rest[n_read][1]
            if constraint.relation == c.AT_MOST:
                return True if high <= constant else False if low > constant else total
            is_settled = not low <= constant <= high or low == high
            holds = (low == high == constant) == (constraint.relation == c.EQUAL)
            return holds if is_settled else total

        def step(total: State, place: int, value: int) -> State:
            assert isinstance(total, int)
            return state(total + coefficients[place] * value, place + 1)

        self.walk(constraint.variables, state(0, 0), step, truth)

    @post.register
    def _count(self, constraint: c.Count, truth: Literal) -> None:
        n, values = len(constraint.variables), set(constraint.values)

        def step(count: State, place: int, value: int) -> State:
            assert isinstance(count, int)
            return value == count if place == n else count + (value in values)

        self.walk((*constraint.variables, constraint.times), 0, step, truth)

    @post.register
    def _global_cardinality(self, constraint: c.GlobalCardinality, truth: Literal) -> None:
        n = len(constraint.variables)
        for wanted, low, high in constraint.bounds:

            def state(count: int, n_read: int, low: int = low, high: int = high) -> State:
                if count > high or count + n - n_read < low:
                    return False
                return True if count >= low and count + n - n_read <= high else count

            def step(count: State, place: int, value: int, wanted: int = wanted) -> State:
                assert isinstance(count, int)
                return state(count + (value == wanted), place + 1)

            self.walk(constraint.variables, state(0, 0), step, truth)

    @post.register
    def _layered(self, constraint: c.Regular | c.Diagram, truth: Literal) -> None:
        """A state is the set of nodes that can be reached."""
        layers, accepting = constraint.edges, constraint.accepting
        leads: dict[int, dict[tuple[int, int], set[int]]] = {}
        for edges in layers:
            if id(edges) not in leads:
                leads[id(edges)] = {}
                for start, value, end in edges:
                    leads[id(edges)].setdefault((start, value), set()).add(end)

        def step(nodes: State, place: int, value: int) -> State:
            assert isinstance(nodes, frozenset)
            ways = leads[id(layers[place])]
            after = frozenset(end for node in nodes for end in ways.get((node, value), ()))
            if place + 1 == len(layers) and accepting is not None:
                return not after.isdisjoint(accepting)
            return after if after and place + 1 < len(layers) else bool(after)

        self.walk(constraint.variables, frozenset({0}), step, truth)

    @post.register
    def _lex_less(self, constraint: c.LexLess, truth: Literal) -> None:
        n = len(constraint.lesser)

        def step(lesser: State, place: int, value: int) -> State:
            if place % 2 == 0:
                return (value,)
            assert isinstance(lesser, tuple)
            if lesser[0] != value:
                return bool(lesser[0] < value)
            return () if place + 1 < 2 * n else not constraint.strict

        pairs = zip(constraint.lesser, constraint.greater, strict=True)
        self.walk([v for pair in pairs for v in pair], (), step, truth)

    @post.register
    def _product(self, constraint: c.Product, truth: Literal) -> None:
        n = len(constraint.factors)

        def step(product: State, place: int, value: int) -> State:
            assert isinstance(product, int)
            return value == product if place == n else product * value

        self.walk((*constraint.factors, constraint.result), 1, step, truth)

    @post.register
    def _clause(self, constraint: c.Clause, truth: Literal) -> None:
        literals = [self.literal(v, x) if sign else -self.literal(v, x) for v, x, sign in constraint.literals]
        self.define(truth, literals)

    @post.register
    def _reified(self, constraint: c.Reified, truth: Literal) -> None:
        self.add(*self.among(constraint.truth, (0, 1)))
        self.post(constraint.constraint, self.literal(constraint.truth, 1))

    @post.register
    def _element(self, constraint: c.Element, truth: Literal) -> None:
        for value, is_index in self.literals[constraint.index].items():
            place = value - constraint.first
            entry = self.literals[constraint.array[place]] if 0 <= place < len(constraint.array) else {}
            self.add(-is_index, *entry.values())
            for x, is_entry in entry.items():
                self.add(-is_index, -is_entry, self.literal(constraint.result, x))

    @post.register
    def _inverse(self, constraint: c.Inverse, truth: Literal) -> None:
        first = constraint.first
        for ones, others in ((constraint.f, constraint.g), (constraint.g, constraint.f)):
            for i, v in enumerate(ones):
                for value, literal in self.literals[v].items():
                    j = value - first
                    back = self.literal(others[j], first + i) if 0 <= j < len(others) else -TRUE
                    self.add(-literal, back)

    @post.register
    def _circuit(self, constraint: c.Circuit, truth: Literal) -> None:
        n, first = len(constraint.successors), constraint.first
        arcs = [[self.literal(v, first + j) for j in range(n)] for v in constraint.successors]
        for i in range(n):
            self.add(*arcs[i])
            self.exclude([arcs[k][i] for k in range(n)])
        inside = [-arcs[i][i] if constraint.subcircuit else TRUE for i in range(n)]
        begins = self._first_of(inside)
        places = [[begin, *(-TRUE if begin == TRUE else self.new() for _ in range(1, n))] for begin in begins]
        for i in range(n):
            self.define(inside[i], places[i])
            self.exclude(places[i])
            for j in range(n):
                after = [*places[j][1:], -TRUE]
                for place in range(n if arcs[i][j] != -TRUE else 0):
                    self.add(-places[i][place], -arcs[i][j], begins[j], after[place])

    @post.register
    def _connected(self, constraint: c.Connected, truth: Literal) -> None:
        cells = [self.either(self.among(v, constraint.values)) for v in constraint.variables]
        beside: list[set[int]] = [set() for _ in cells]
        for one, other in constraint.edges:
            beside[one].add(other)
            beside[other].add(one)
        reached = self._first_of(cells)
        for _ in range(len(cells) - 1):
            near = [
                self.either([reached[i], *(reached[j] for j in sorted(others))])
                for i, others in enumerate(beside)
            ]
            reached = [self.all_of(pair) for pair in zip(cells, near, strict=True)]
        for cell, is_reached in zip(cells, reached, strict=True):
            self.add(-cell, is_reached)

    @post.register
    def _areas(self, constraint: c.Areas, truth: Literal) -> None:
        """Count the cells that are reached from each cell, in as many steps as the largest area has cells."""
        n = len(constraint.variables)
        most = min(n, max((high for _, _, high in constraint.sizes), default=0))
        beside: list[dict[int, Literal]] = [{} for _ in range(n)]
        for one, other in constraint.edges:
            ends = constraint.variables[one], constraint.variables[other]
            same = [
                self.all_of([self.literal(v, value) for v in ends])
                for value in dict.fromkeys(value for value, _, _ in constraint.sizes)
            ]
            beside[one][other] = beside[other][one] = self.either(same)
        for i, v in enumerate(constraint.variables):
            reached = [TRUE if j == i else -TRUE for j in range(n)]
            for _ in range(most):
                reached = [
                    self.either([is_in, *(self.all_of([reached[k], same]) for k, same in others.items())])
                    for is_in, others in zip(reached, beside, strict=True)
                ]
            at_least = [TRUE, *[-TRUE] * (most + 1)]
            for is_in in reached:
                more = [self.all_of([fewer, is_in]) for fewer in at_least]
                at_least = [TRUE, *(self.either(pair) for pair in zip(at_least[1:], more, strict=False))]
            for value, low, high in constraint.sizes:
                self.add(-self.literal(v, value), at_least[max(low, 0)] if low <= most else -TRUE)
                self.add(-self.literal(v, value), -at_least[max(high + 1, 0)] if high <= most else TRUE)

    @post.register
    def _acyclic(self, constraint: c.Acyclic, truth: Literal) -> None:
        n, links = constraint.links_within(self.literals)
        is_there = [self.literal(v, value) for v, value, *_ in links]
        at: list[list[int]] = [[] for _ in range(n)]
        for number, (*_, one, other) in enumerate(links):
            if one == other:
                self.add(-is_there[number])
            at[other].append(number)
            if not constraint.directed:
                at[one].append(number)
        if constraint.directed:
            self._forbid_long_ways(n, [one for *_, one, _ in links], at, is_there)
        else:
            self._take_leaves(at, is_there)

    def _forbid_long_ways(
        self, n: int, starts: Sequence[int], into: Sequence[Sequence[int]], is_there: Sequence[Literal]
    ) -> None:
        """No way has as many links as there are vertices. into: for each vertex the links that lead to it."""
        is_end: list[Literal] = [TRUE] * n
        for _ in range(n):
            steps = [self.all_of([there, is_end[one]]) for there, one in zip(is_there, starts, strict=True)]
            is_end = [self.either([steps[link] for link in links]) for links in into]
        for literal in is_end:
            self.add(-literal)

    def _take_leaves(self, at: Sequence[Sequence[int]], is_there: Sequence[Literal]) -> None:
        """No link is left after taking those at leaves, half as often as there are vertices.

        at: the links at each vertex.
        """
        left = list(is_there)
        for _ in range((len(at) + 1) // 2):
            is_inside = []
            for links in at:
                some = two = -TRUE
                for link in links:
                    two = self.either([two, self.all_of([some, left[link]])])
                    some = self.either([some, left[link]])
                is_inside.append(two)
            ends: list[list[Literal]] = [[] for _ in left]
            for vertex, links in enumerate(at):
                for link in links:
                    ends[link].append(is_inside[vertex])
            left = [self.all_of([there, *inside]) for there, inside in zip(left, ends, strict=True)]
        for literal in left:
            self.add(-literal)

    def _first_of(self, literals: Sequence[Literal]) -> list[Literal]:
        """For each literal, a literal that is true if and only if it is the first true one."""
        firsts, none_yet = [], TRUE
        for literal in literals:
            firsts.append(self.all_of([none_yet, literal]))
            none_yet = self.all_of([none_yet, -literal])
        return firsts
