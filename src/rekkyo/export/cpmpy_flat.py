"""Constraints of CPMpy, flattened by CPMpy's own transformations, as predicates of FlatZinc, and as a `Csp`.

CPMpy is not imported here, because its expressions are used only by their names and arguments. Names and
meanings are those of CPMpy 1.1, https://cpmpy.readthedocs.io. Positions are counted from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, repeat
from typing import Any, NoReturn, TypeAlias

from rekkyo.errors import BadInput, in_short
from rekkyo.export.flatzinc.aliases import Placed
from rekkyo.export.flatzinc.arguments import Arguments
from rekkyo.export.flatzinc.building import Building
from rekkyo.export.flatzinc.domains import Atom, Domain, Unknown, Value
from rekkyo.export.flatzinc.predicates import PREDICATES
from rekkyo.export.flatzinc.simplified import simplified
from rekkyo.export.xcsp3 import operators
from rekkyo.model.csp.constraints import AT_MOST, EQUAL, NOT_EQUAL
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.problem import HIDDEN

STATEMENTS = frozenset({"alldifferent", "table", "negative_table"})
"""Global constraints that have truth values."""

OPERATIONS = {"abs": "int_abs", "div": "int_div", "mod": "int_mod", "pow": "int_pow", "mul": "int_times"}
FUNCTION_NAMES = frozenset({*OPERATIONS, "min", "max", "count", "among", "element"})
GLOBAL_NAMES = STATEMENTS | {"circuit", "gcc", "inverse", "lex_less", "lex_lesseq", "regular"}
SUPPORTED = GLOBAL_NAMES | FUNCTION_NAMES
SUMS = frozenset({"sum", "wsum", "sub", "-"})

RELATIONS = dict(zip(("==", "!=", "<=", "<", ">=", ">"), operators.RELATIONS.values(), strict=True))
"""The relations of XCSP3, by the signs of CPMpy."""

PREDICATE_OF = {EQUAL: "int_lin_eq", NOT_EQUAL: "int_lin_ne", AT_MOST: "int_lin_le"}
CLAUSE = "bool_clause"

Statement: TypeAlias = tuple[str, tuple[Any, ...]]
"""A predicate of FlatZinc that can be reified, and its arguments."""


class CpmpyWriter:
    """Translates variables and constraints of CPMpy into a model.

    variables: all but negations, those of a solution first. n_shown: the number of variables of a solution.
    constraints: in flat normal form. Raises BadInput.
    """

    def __init__(self, variables: Sequence[Any], n_shown: int, constraints: Sequence[Any]) -> None:
        self._names = [str(variable.name) for variable in variables]
        self._n_shown = n_shown
        self._constraints = constraints
        self._domains = [Domain(int(variable.lb), int(variable.ub)) for variable in variables]
        self._unknowns = {name: Unknown(at) for at, name in enumerate(self._names)}
        self._truths: dict[Statement, Unknown] = {}
        self._posted: list[Placed] = []
        for constraint in constraints:
            self._constrain(constraint)

    def model(self, objective: Any, *, maximize: bool) -> Csp:
        """The model. objective: a variable, a number or a negation whose best value is wanted, or None."""
        goal = None if objective is None else self._atom(objective)
        kept = {goal.number} if isinstance(goal, Unknown) else set()
        simple = simplified(self._domains, set(range(self._n_shown)), kept, self._posted)
        building = Building(_refuse)
        numbers = chain(simple.left, repeat(len(self._names)))
        for number, domain in zip(numbers, simple.domains, strict=False):
            self._declare(building, number, domain)
        for _, predicate, values in simple.posted:
            PREDICATES[predicate](building, Arguments(predicate, values, building))
        problem = building.problem
        if goal is not None:
            add = problem.maximize if maximize else problem.minimize
            add(building.variable(simple.now[goal.number] if isinstance(goal, Unknown) else goal))
        solution = [variable.number for variable in simple.now[: self._n_shown]]
        return problem.model(solution or [building.hidden((0,)).number])

    def _declare(self, building: Building, number: int, domain: Domain) -> None:
        """Add a variable.

        number: its number before the model was simplified; a variable without a name has a number beyond
        those of all names.
        """
        values = domain.values()
        if not values:
            building.state(False)
        if number >= len(self._names):
            building.hidden(values or (0,))
            return
        name, is_shown = self._names[number], number < self._n_shown
        what = in_short(f"variable {name}" if is_shown else self._meaning(name))
        if values:
            building.check_span(what, values[0], values[-1])
        building.problem.variable(name if is_shown else HIDDEN + name, values or (0,))

    def _meaning(self, name: str) -> str:
        """What a hidden variable is equal to."""
        for constraint in self._constraints:
            if _head(constraint)[0] == "==" and _head(constraint.args[1])[0] == name:
                return str(constraint.args[0])
        return "a part of it"

    def _unknown(self, variable: Any) -> Unknown:
        return self._unknowns[str(variable.name)]

    def _atom(self, expression: Any) -> Atom:
        """A number, a truth value, a variable, or the negation of a variable."""
        if isinstance(expression, Unknown):
            return expression
        if hasattr(expression, "_bv"):
            return self._truth(self._clause((), (expression._bv,)))
        if hasattr(expression, "lb"):
            return self._unknown(expression)
        return _whole(expression.args[0] if _head(expression)[0] == "boolval" else expression)

    def _atoms(self, expressions: Iterable[Any]) -> tuple[Atom, ...]:
        return tuple(map(self._atom, expressions))

    def _truth(self, statement: Statement) -> Unknown:
        """A variable that is 1 if a statement holds, else 0."""
        if statement not in self._truths:
            self._domains.append(Domain(0, 1))
            self._truths[statement] = Unknown(len(self._domains) - 1)
            self._reify(statement, self._truths[statement])
        return self._truths[statement]

    def _post(self, predicate: str, *values: Value) -> None:
        self._posted.append(((0, 0), predicate, values))

    def _reify(self, statement: Statement, truth: Atom) -> None:
        name, values = statement
        self._post(f"{name}_reif", *values, truth)

    def _constrain(self, constraint: Any) -> None:
        """Add a constraint in flat normal form. Raises BadInput."""
        name, arguments = _head(constraint)
        if name == "->":
            self._imply(*arguments)
        elif name == "==" and _is_truth(arguments[0]) and not _is_atom(arguments[0]):
            self._reify(self._statement(arguments[0]), self._atom(arguments[1]))
        elif name == "==" and _is_truth(arguments[1]) and not _is_atom(arguments[1]):
            self._reify(self._statement(arguments[1]), self._atom(arguments[0]))
        elif name == "==" and _head(arguments[0])[0] in FUNCTION_NAMES:
            self._function(arguments[0], self._atom(arguments[1]))
        elif name in GLOBAL_NAMES - STATEMENTS:
            self._global(name, constraint)
        elif name == "and":
            for part in arguments:
                self._constrain(part)
        else:
            predicate, values = self._statement(constraint)
            self._post(predicate, *values)

    def _imply(self, condition: Any, consequence: Any) -> None:
        if not _is_atom(condition):
            condition = self._truth(self._statement(condition))
        name, values = self._statement(consequence)
        if name != CLAUSE:
            self._post(f"{name}_imp", *values, self._atom(condition))
            return
        _, unless = self._clause((), (condition,))
        self._post(CLAUSE, *(one + other for one, other in zip(values, unless, strict=True)))

    def _clause(self, true: Iterable[Any], false: Iterable[Any] = ()) -> Statement:
        """One of the first atoms is true, or one of the others false."""
        positive: list[Atom] = []
        negative: list[Atom] = []
        for expressions, wanted, opposite in ((true, positive, negative), (false, negative, positive)):
            for atom in expressions:
                if hasattr(atom, "_bv"):
                    opposite.append(self._unknown(atom._bv))
                else:
                    wanted.append(self._atom(atom))
        return CLAUSE, (tuple(positive), tuple(negative))

    def _statement(self, constraint: Any) -> Statement:
        """A constraint that may be reified: sums, truth values and some global constraints."""
        name, arguments = _head(constraint)
        if _is_atom(constraint):
            return self._clause((constraint,))
        if name == "or":
            return self._clause(arguments)
        if name == "->":
            return self._clause(arguments[1:], arguments[:1])
        if name == "and":
            return CLAUSE, ((), (self._truth(self._clause((), arguments)),))
        if name in RELATIONS:
            return self._compared(name, *arguments)
        return self._global_statement(constraint)

    def _global_statement(self, constraint: Any) -> Statement:
        name, arguments = _head(constraint)
        if name == "alldifferent":
            return "fzn_all_different_int", (self._atoms(arguments),)
        if name not in STATEMENTS:
            _refuse(f"{in_short(str(constraint), 60)} is not searched; write it with other constraints")
        numbers = tuple(_whole(number) for row in arguments[1] for number in row)
        predicate = "fzn_table_int" if name == "table" else "rekkyo_not_table_int"
        return predicate, (self._atoms(arguments[0]), numbers)

    def _compared(self, name: str, left: Any, right: Any) -> Statement:
        """The comparison of two sums."""
        sign, relation, less_by = RELATIONS[name]
        weights: list[int] = []
        atoms: list[Atom] = []
        constant = -less_by
        for scale, side in ((sign, left), (-sign, right)):
            for coefficient, part in _terms(side):
                is_opposite = hasattr(part, "_bv")  # 1 - variable
                weights.append(scale * coefficient * (-1 if is_opposite else 1))
                atoms.append(self._atom(part._bv if is_opposite else part))
                constant -= scale * coefficient if is_opposite else 0
        return _sum_statement(relation, weights, atoms, constant)

    def _function(self, function: Any, result: Atom) -> None:
        """Add that a function of variables has the value `result`."""
        name, arguments = _head(function)
        if name == "element":
            self._post("rekkyo_element", 0, self._atom(arguments[1]), self._atoms(arguments[0]), result)
        elif name == "count":
            self._post("fzn_count_eq", self._atoms(arguments[0]), self._atom(arguments[1]), result)
        elif name == "among":
            wanted = frozenset(map(_whole, arguments[1]))
            self._post("fzn_among", result, self._atoms(arguments[0]), wanted)
        elif name in ("min", "max"):
            self._post(f"array_int_{name}imum", result, self._atoms(arguments))
        else:
            self._post(OPERATIONS[name], *self._atoms(arguments), result)

    def _global(self, name: str, constraint: Any) -> None:
        arguments = constraint.args
        if name == "circuit":
            self._post("rekkyo_circuit", 0, self._atoms(arguments))
        elif name == "inverse":
            self._post("rekkyo_inverse", 0, *map(self._atoms, arguments))
        elif name in ("lex_less", "lex_lesseq"):
            self._post(f"fzn_{name}_int", *map(self._atoms, arguments))
        elif name == "gcc":
            self._cardinality(constraint)
        else:
            self._regular(*arguments)

    def _cardinality(self, constraint: Any) -> None:
        """A count for each value; the constraint of MiniZinc also bounds their sum if a value is repeated."""
        atoms, values, times = map(self._atoms, constraint.args)
        for value, number in zip(values, times, strict=True):
            self._post("fzn_count_eq", atoms, value, number)
        if constraint.closed:
            allowed = frozenset(map(_whole, constraint.args[1]))
            for atom in atoms:
                self._post("set_in", atom, allowed)

    def _regular(
        self, letters: Iterable[Any], transitions: Sequence[Any], first: Any, accepting: Sequence[Any]
    ) -> None:
        states = dict.fromkeys([first, *(state for a, _, b in transitions for state in (a, b)), *accepting])
        number = {state: at for at, state in enumerate(states)}
        moves = [(number[before], _whole(letter), number[after]) for before, letter, after in transitions]
        columns = zip(*moves, strict=True) if moves else ((), (), ())
        self._post(
            "rekkyo_automaton",
            self._atoms(letters),
            number[first],
            *columns,
            tuple(number[state] for state in accepting),
        )


def _sum_statement(relation: str, weights: Sequence[int], atoms: Sequence[Atom], constant: int) -> Statement:
    """A weighted sum in relation to a number; it is "int_eq" or "int_ne" where two atoms are compared."""
    pair: tuple[Atom, ...] = ()
    if sorted(weights) == [-1, 1] and constant == 0:
        pair = tuple(atoms)
    elif len(weights) == 1 and abs(weights[0]) == 1:
        pair = atoms[0], weights[0] * constant
    if pair and relation != AT_MOST:
        return PREDICATE_OF[relation].replace("_lin", ""), pair
    return PREDICATE_OF[relation], (tuple(weights), tuple(atoms), constant)


def _terms(expression: Any) -> list[tuple[int, Any]]:
    """The coefficients and atoms of a sum."""
    name, atoms = _head(expression)
    if _is_atom(expression):
        return [(1, expression)]
    if name not in SUMS:
        _refuse(f"{in_short(str(expression), 60)} is not searched here; write it with other constraints")
    if name == "wsum":
        coefficients, atoms = atoms
    else:
        coefficients = {"-": [-1], "sub": [1, -1]}.get(name, [1] * len(atoms))
    return [(_whole(coefficient), atom) for coefficient, atom in zip(coefficients, atoms, strict=True)]


def _is_atom(expression: Any) -> bool:
    """Whether it is a number, a variable or the negation of one."""
    name = getattr(expression, "name", None)
    return name is None or name == "boolval" or hasattr(expression, "_bv") or hasattr(expression, "lb")


def _head(expression: Any) -> tuple[str, Sequence[Any]]:
    """Name and arguments; a variable has no arguments."""
    return str(getattr(expression, "name", "")), getattr(expression, "args", ())


def _is_truth(expression: Any) -> bool:
    is_bool: Callable[[], bool] | None = getattr(expression, "is_bool", None)
    return isinstance(expression, bool) or (is_bool is not None and is_bool())


def _whole(value: Any) -> int:
    """A number of any type, such as NumPy's. Raises BadInput unless it is whole."""
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None or number != value:
        _refuse(f"{in_short(str(value))} stands where a variable or a whole number should be")
    return number


def _refuse(problem: str) -> NoReturn:
    raise BadInput(f"CPMpy: {problem}")
