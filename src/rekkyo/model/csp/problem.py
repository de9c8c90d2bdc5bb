"""Build a `Csp` step by step: variables first, then constraints, then the variables of a solution.

    problem = Problem()
    a, b, c = problem.variables(("a", "b", "c"), range(1, 10))
    problem.all_different((a, b, c))
    problem.linear((1, 1, -1), (a, b, c), "=", 0)
    puzzle = problem.puzzle("sum of two")

Every method adds one constraint; `rekkyo.model.csp.definition` defines its meaning. Some have a `truth`: a
variable that is 1 if the constraint holds and 0 if it does not. Without it, the constraint must hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Any

from rekkyo.errors import BadInput, BadModel, in_short
from rekkyo.model.checks import MAX_LISTED, check_nested, check_type, listed, refuse
from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.asked import true_rows
from rekkyo.model.csp.constraints import Constraint, Variable
from rekkyo.model.csp.csp import MAX_SPAN, MAX_VARIABLES, Csp, Objective
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import whole_number

MAX_ASKED = 1 << 20
"""The most rows for which a predicate is called."""

MAX_NESTED = 8
"""The depth to which lists in arguments are read. The deepest that are needed are lists of triples. The depth
is limited because a list may contain itself."""

RELATIONS = ("=", "!=", "<", "<=", ">", ">=")
"""How a sum is compared with a constant."""

SPELLINGS = {"==": "=", "<>": "!=", "\u2260": "!=", "\u2264": "<=", "\u2265": ">="}
"""Other ways to write a relation."""

HIDDEN = "~"
"""The prefix of the names of hidden variables."""


class Problem:
    """Variables and constraints, gathered until `model` or `puzzle` is called. Raises BadInput."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._names_as_hidden: set[str] = set()
        self._domains: list[tuple[int, ...]] = []
        self._constraints: list[Constraint] = []
        self._objective: Objective | None = None

    def variable(self, name: str, domain: Iterable[int]) -> Variable:
        """A new variable; its number. domain: its values, in any order."""
        return self.variables((name,), domain)[0]

    def variables(self, names: Iterable[str], domain: Iterable[int]) -> tuple[Variable, ...]:
        """New variables with one domain; their numbers, in order.

        names: a list, or a text: of words, or else of letters.
        """
        if isinstance(names, str):
            names = names.split() if len(names.split()) > 1 else names
        names = listed("problem: variables are named by texts", names, MAX_VARIABLES)
        for name in names:
            check_type("problem: the name of a variable is a text", name, str)
        owner = in_short(names[0]) if len(names) == 1 else "variables"
        rule = f"problem: the domain of {owner} holds whole numbers, such as range(1, 10)"
        values = listed(rule, domain, MAX_SPAN)
        if set(map(type, values)) != {int}:  # a call for each value took most of the time of wide domains
            values = list(map(whole_number, values))
        check_nested(rule, values, (list, int))
        first = len(self._names)
        self._names += names
        self._names_as_hidden.update([name for name in names if name.startswith(HIDDEN)])
        self._domains += [tuple(sorted(set(values)))] * len(names)
        return tuple(range(first, len(self._names)))

    def hidden(self, domain: Iterable[int]) -> Variable:
        """A new variable with a generated name, which is part of a solution only if `solution` names it."""
        name = f"{HIDDEN}{len(self._names)}"
        while name in self._names_as_hidden:  # a vertex of a graph may have it
            name = HIDDEN + name
        return self.variable(name, domain)

    def domain(self, variable: Variable) -> tuple[int, ...]:
        """The values of a variable. Raises BadModel."""
        if type(variable) is int and 0 <= variable < len(self._domains):
            return self._domains[variable]  # readers of files ask for it again and again
        return self._domains_of((variable,))[0]

    def _domains_of(self, variables: Sequence[Variable]) -> list[tuple[int, ...]]:
        rule = f"problem: a variable is a number below {len(self._domains)}"
        numbers = [whole_number(variable) for variable in variables]
        for number in check_nested(rule, numbers, (list, int)):
            if not 0 <= number < len(self._domains):
                refuse(rule, number)
        return [self._domains[number] for number in numbers]

    def add(self, constraint: Constraint) -> None:
        """Add any constraint. Raises BadInput for a comparison in Python."""
        if isinstance(constraint, bool):
            raise BadInput("problem: variables are numbers, which Python compares at once; use sum or linear")
        self._constraints.append(constraint)

    def _post(
        self, constraint: c.AllDifferent | c.Linear | c.Table | c.Clause, truth: Variable | None
    ) -> None:
        self.add(constraint if truth is None else c.Reified(constraint, whole_number(truth)))

    def all_different(
        self, variables: Sequence[Variable], excepted: Iterable[int] = (), truth: Variable | None = None
    ) -> None:
        """No two have the same value, unless it is excepted."""
        self._post(c.AllDifferent(_items("variables", variables), _items("excepted values", excepted)), truth)

    def linear(
        self,
        coefficients: Sequence[int],
        variables: Sequence[Variable],
        relation: str,
        constant: int,
        truth: Variable | None = None,
    ) -> None:
        """A weighted sum is "=", "!=", "<", "<=", ">" or ">=" a constant."""
        check_type("problem: the relation of a sum is a text", relation, str)
        relation = SPELLINGS.get(relation, relation)
        if relation not in RELATIONS:
            refuse(f"problem: the relation of a sum is one of {' '.join(RELATIONS)}", relation)
        sign = -1 if relation in (">", ">=") else 1
        strict = relation in ("<", ">")
        plain = relation if relation in ("=", "!=") else "<="
        constant = whole_number(constant)
        check_type("problem: the constant of a sum is a whole number", constant, int)
        rule = "problem: coefficients are whole numbers"
        factors = check_nested(rule, _items("coefficients", coefficients), (tuple, int))
        terms = tuple(sign * factor for factor in factors)
        self._post(c.Linear(terms, _items("variables", variables), plain, sign * constant - strict), truth)

    def sum(
        self, variables: Sequence[Variable], relation: str, constant: int, truth: Variable | None = None
    ) -> None:
        """The sum is "=", "!=", "<", "<=", ">" or ">=" a constant."""
        variables = _items("variables", variables)
        self.linear((1,) * len(variables), variables, relation, constant, truth)

    def clause(self, literals: Iterable[c.Literal], truth: Variable | None = None) -> None:
        """At least one of (variable, value, True) has the value, or of (variable, value, False) has not."""
        self._post(c.Clause(_items("literals", literals)), truth)

    def table(
        self, variables: Sequence[Variable], rows: Iterable[Sequence[int]], truth: Variable | None = None
    ) -> None:
        """The values, in order, are one of the rows."""
        variables = _items("variables", variables)
        length = len(variables)
        rule = f"problem: each row of a table is a list of {length} whole numbers"
        found = []
        for row in listed(rule, rows, c.MAX_ROW_CELLS // max(length, 1)):
            found.append(_item(rule, row))
            if type(found[-1]) is not tuple or len(found[-1]) != length:
                refuse(rule, found[-1])
        self._post(c.Table(variables, tuple(found)), truth)

    def predicate(self, variables: Sequence[Variable], function: Callable[..., object]) -> None:
        """The function is true of the values. It is called now, once for each combination of values.

        A call that uses more than 10 seconds of the processor is refused (`rekkyo.model.csp.asked`).
        """
        variables = _items("variables", variables)
        domains = self._domains_of(variables)
        n_rows = prod(map(len, domains))
        if n_rows > MAX_ASKED:
            raise BadInput(
                f"problem: the predicate would be called {n_rows} times, more than {MAX_ASKED}; take"
                " fewer variables or smaller domains"
            )
        self.table(variables, true_rows(function, domains))

    def count(self, variables: Sequence[Variable], values: Iterable[int], times: Variable) -> None:
        """The number of variables with one of the values is the value of the variable `times`.

        For a fixed number, use `global_cardinality`, or `hidden([2])` as the variable.
        """
        self.add(c.Count(_items("variables", variables), _items("values", values), whole_number(times)))

    def global_cardinality(
        self, variables: Sequence[Variable], bounds: Iterable[tuple[int, int, int]]
    ) -> None:
        """(value, low, high): from low to high of the variables have the value."""
        self.add(c.GlobalCardinality(_items("variables", variables), _items("bounds", bounds)))

    def regular(
        self,
        variables: Sequence[Variable],
        n_states: int,
        transitions: Iterable[tuple[int, int, int]],
        accepting: Iterable[int],
    ) -> None:
        """The values are a word of an automaton; transitions are (state, value, next state), from state 0."""
        self.add(
            c.Regular(
                _items("variables", variables),
                whole_number(n_states),
                _items("transitions", transitions, c.MAX_ROW_CELLS),
                _items("accepting states", accepting),
            )
        )

    def diagram(self, variables: Sequence[Variable], edges: Iterable[Iterable[tuple[int, int, int]]]) -> None:
        """The values are a way through a decision diagram, from node 0 of its first layer.

        edges: for each variable (node of its layer, value, node of the next layer).
        """
        self.add(c.Diagram(_items("variables", variables), _items("edges", edges)))

    def element(self, index: Variable, array: Sequence[Variable], result: Variable, first: int = 0) -> None:
        """The entry of the array at the index, counted from `first`, is the result."""
        variables = _items("variables", array)
        self.add(c.Element(whole_number(index), variables, whole_number(result), whole_number(first)))

    def inverse(self, f: Sequence[Variable], g: Sequence[Variable], first: int = 0) -> None:
        """f[i] = j if and only if g[j] = i, both counted from `first`."""
        self.add(c.Inverse(_items("variables", f), _items("variables", g), whole_number(first)))

    def lex_less(
        self, lesser: Sequence[Variable], greater: Sequence[Variable], *, strict: bool = True
    ) -> None:
        """The lesser variables come lexicographically before the greater ones; not strict: or are equal."""
        self.add(c.LexLess(_items("variables", lesser), _items("variables", greater), strict))

    def product(self, factors: Sequence[Variable], result: Variable) -> None:
        """The product of the factors is the result."""
        self.add(c.Product(_items("factors", factors), whole_number(result)))

    def circuit(self, successors: Sequence[Variable], first: int = 0, *, subcircuit: bool = False) -> None:
        """Each variable is the next node, counted from `first`; together they make one cycle."""
        self.add(c.Circuit(_items("successors", successors), whole_number(first), subcircuit))

    def connected(
        self, variables: Sequence[Variable], edges: Iterable[tuple[int, int]], values: Iterable[int]
    ) -> None:
        """The cells with one of the values are connected; edges are pairs of positions in `variables`."""
        self.add(
            c.Connected(_items("variables", variables), _items("edges", edges), _items("values", values))
        )

    def areas(
        self,
        variables: Sequence[Variable],
        edges: Iterable[tuple[int, int]],
        sizes: Iterable[tuple[int, int, int]],
    ) -> None:
        """(value, low, high): each connected area of cells with the value has low to high cells."""
        self.add(c.Areas(_items("variables", variables), _items("edges", edges), _items("sizes", sizes)))

    def acyclic(
        self,
        variables: Sequence[Variable],
        links: Iterable[tuple[int, int, int, int]],
        *,
        directed: bool = False,
    ) -> None:
        """The links that are there form no cycle.

        links: (position in `variables`, value, vertex, vertex): there if the variable has the value.
        directed: links lead from the first vertex to the second, and so do cycles.
        """
        self.add(c.Acyclic(_items("variables", variables), _items("links", links), directed))

    def maximize(self, variable: Variable) -> None:
        """Only solutions with the greatest value of the variable count. Raises BadModel the second time."""
        self._set_objective(Objective(whole_number(variable), maximize=True))

    def minimize(self, variable: Variable) -> None:
        """Only solutions with the least value of the variable count. Raises BadModel the second time."""
        self._set_objective(Objective(whole_number(variable), maximize=False))

    def _set_objective(self, objective: Objective) -> None:
        if self._objective is not None:
            raise BadModel("problem: it has an objective already; combine both in one variable")
        self._objective = objective

    def model(self, solution: Sequence[Variable] | None = None, grid: tuple[int, int] | None = None) -> Csp:
        """The model. solution: the variables of a solution; by default all that have a name."""
        if not self._names:
            raise BadModel("problem: it has no variable; add one, such as problem.variable('a', range(9))")
        if solution is None:
            solution = [v for v, name in enumerate(self._names) if not name.startswith(HIDDEN)]
        return Csp(
            tuple(self._names),
            tuple(self._domains),
            tuple(self._constraints),
            _items("variables of a solution", solution),
            self._objective,
            None if grid is None else _items("rows and columns", grid),
        )

    def puzzle(self, name: str = "problem", title: str = "", **of_model: Any) -> Puzzle:
        """The model as a puzzle of which no symmetry is known, so that `unique` is not counted.

        `rekkyo.with_own_symmetry(puzzle)` gives it with the symmetry of its constraints, and that symmetry.
        """
        model = self.model(**of_model)
        return Puzzle(name, model, title or model.size_in_words)


def _items(what: str, items: Any, most: int = MAX_LISTED) -> tuple[Any, ...]:
    """An argument as a tuple of at most `most` items, without numbers of NumPy. what: their name."""
    rule = f"problem: {what} are a list"
    return tuple(_item(rule, item) for item in listed(rule, items, most))


def _item(rule: str, item: Any, depth: int = 0) -> Any:
    """A number as an int; what has items, such as a pair, as a tuple; a text unchanged."""
    if depth > MAX_NESTED:
        raise BadModel(f"{rule}, not nested more than {MAX_NESTED} deep")
    if isinstance(item, str) or (type(item) is tuple and {*map(type, item)} <= {int, bool}):
        return item
    if type(item) is int or not isinstance(item, Iterable):
        return whole_number(item)
    return tuple(_item(rule, part, depth + 1) for part in listed(rule, item))
