"""Constraints of CPMpy, flattened by CPMpy's own transformations, as constraints of a `Csp`.

CPMpy is not imported here, because its expressions are used only by their names and arguments. Names and
meanings are those of CPMpy 1.1, https://cpmpy.readthedocs.io. Positions are counted from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from rekkyo.errors import BadInput, in_short
from rekkyo.export.cpmpy_wide import RELATIONS, domains_of, is_atom, parts_of_sum, sums_of
from rekkyo.export.flatzinc.building import Building, Statement
from rekkyo.export.flatzinc.domains import Atom, Unknown
from rekkyo.export.flatzinc.global_constraints import post
from rekkyo.model.csp.constraints import EQUAL, AllDifferent, Table
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.problem import HIDDEN

STATEMENTS = frozenset({"alldifferent", "table", "negative_table"})
"""Global constraints that have truth values."""

FUNCTION_NAMES = frozenset({"min", "max", "abs", "div", "mod", "pow", "mul", "count", "among", "element"})
GLOBAL_NAMES = STATEMENTS | {"circuit", "gcc", "inverse", "lex_less", "lex_lesseq", "regular"}
SUPPORTED = GLOBAL_NAMES | FUNCTION_NAMES


class CpmpyWriter:
    """Variables and constraints.

    variables: all, without opposites, those of a solution first. n_shown: how many these are. constraints: in
    flat normal form. Raises BadInput.
    """

    def __init__(self, variables: Sequence[Any], n_shown: int, constraints: Sequence[Any]) -> None:
        self.building = Building(_refuse)
        self._shown = dict.fromkeys(str(variable.name) for variable in variables[:n_shown])
        self._unknowns: dict[str, Unknown] = {}
        self._opposites: dict[int, Unknown] = {}
        self._domains = domains_of(variables, constraints)
        definitions = sums_of(self._domains, self._shown, constraints)
        self._sums = {name: constraint.args[0] for name, constraint in definitions.items()}
        for variable in variables[:n_shown]:
            self.unknown(variable)
        used = set(map(id, definitions.values()))
        for constraint in constraints:
            if id(constraint) not in used:
                self.post(constraint)

    def model(self, objective: Atom | None, *, maximize: bool) -> Csp:
        """The model of all variables and constraints."""
        problem = self.building.problem
        solution = [self._unknowns[name].number for name in self._shown]
        if not solution:
            solution = [self.building.hidden((0,)).number]
        if objective is not None:
            add = problem.maximize if maximize else problem.minimize
            add(self.building.variable(objective))
        return problem.model(solution)

    def unknown(self, variable: Any) -> Unknown:
        """The variable for a variable of CPMpy."""
        name = str(variable.name)
        if name not in self._unknowns:
            is_shown = name in self._shown
            values = self._domains[name].values()
            if values:
                hidden = in_short(str(self._sums.get(name, "a part of it")))
                what = f"variable {in_short(name)}" if is_shown else hidden
                self.building.check_span(what, values[0], values[-1])
            else:
                self.building.state(False)
            own_name = name if is_shown else HIDDEN + name
            self._unknowns[name] = Unknown(self.building.problem.variable(own_name, values or (0,)))
        return self._unknowns[name]

    def atom(self, expression: Any) -> Atom:
        """A number, a truth value, a variable, or the negation of a variable."""
        if hasattr(expression, "_bv"):
            return self._opposite(self.unknown(expression._bv))
        if hasattr(expression, "lb"):
            return self.unknown(expression)
        return _whole(expression.args[0] if getattr(expression, "name", None) == "boolval" else expression)

    def atoms(self, expressions: Iterable[Any]) -> tuple[Atom, ...]:
        """Each expression as an atom."""
        return tuple(map(self.atom, expressions))

    def _opposite(self, truth: Unknown) -> Unknown:
        if truth.number not in self._opposites:
            opposite = self.building.hidden((0, 1))
            self.building.state(self.building.linear((1, 1), (truth, opposite), EQUAL, 1))
            self._opposites[truth.number] = opposite
        return self._opposites[truth.number]

    def post(self, constraint: Any) -> None:
        """Add a constraint in flat normal form. Raises BadInput."""
        name, arguments = _head(constraint)
        building = self.building
        if name == "->":
            self._imply(*arguments)
        elif name == "==" and _is_truth(arguments[0]) and not is_atom(arguments[0]):
            building.reify(self.statement(arguments[0]), self.atom(arguments[1]))
        elif name == "==" and _is_truth(arguments[1]) and not is_atom(arguments[1]):
            building.reify(self.statement(arguments[1]), self.atom(arguments[0]))
        elif name == "==" and _head(arguments[0])[0] in FUNCTION_NAMES:
            self._function(arguments[0], self.atom(arguments[1]))
        elif name in GLOBAL_NAMES - STATEMENTS:
            self._global(name, constraint)
        elif name == "and":
            for part in arguments:
                self.post(part)
        else:
            building.state(self.statement(constraint))

    def _imply(self, condition: Any, consequence: Any) -> None:
        if is_atom(condition):
            self.building.imply(self.atom(condition), self.statement(consequence))
            return
        truth = self.building.truth(self.statement(condition))
        self.building.state(self.building.clause((self.atom(consequence),), (truth,)))

    def statement(self, constraint: Any) -> Statement:
        """A constraint that may be reified: sums, truth values and some global constraints."""
        name, arguments = _head(constraint)
        building = self.building
        if is_atom(constraint):
            return building.clause((self.atom(constraint),))
        if name == "or":
            return building.clause(self.atoms(arguments))
        if name == "->":
            return building.clause((self.atom(arguments[1]),), (self.atom(arguments[0]),))
        if name == "and":
            truth = building.hidden((0, 1))
            post(self.building, "array_bool_and", self.atoms(arguments), truth)
            return building.clause((truth,))
        if name in RELATIONS:
            return self._compared(name, *arguments)
        return self._global_statement(constraint)

    def _global_statement(self, constraint: Any) -> Statement:
        name, arguments = _head(constraint)
        building = self.building
        if name not in STATEMENTS:
            _refuse(f"{in_short(str(constraint), 60)} is not searched; write it with other constraints")
        if name == "alldifferent":
            atoms = self.atoms(arguments)
            return AllDifferent(building.variables(atoms)) if len(atoms) > 1 else True
        rows = [tuple(map(_whole, row)) for row in arguments[1]]
        return Table(building.variables(self.atoms(arguments[0])), tuple(rows), name == "table")

    def _compared(self, name: str, left: Any, right: Any) -> Statement:
        sign, relation, less_by = RELATIONS[name]
        coefficients, atoms = self._terms(left)
        others, more = self._terms(right)
        weights = [sign * c for c in coefficients] + [-sign * c for c in others]
        return self.building.linear(weights, [*atoms, *more], relation, -less_by)

    def _terms(self, expression: Any) -> tuple[list[int], list[Atom]]:
        """Coefficients and atoms of a sum."""
        parts = parts_of_sum(expression)
        if parts is None:
            _refuse(f"{in_short(str(expression), 60)} is not searched here; write it with other constraints")
        coefficients: list[int] = []
        atoms: list[Atom] = []
        for coefficient, part in zip(*parts, strict=True):
            replaced = self._sums.get(str(getattr(part, "name", "")))
            inner, found = ([1], [self.atom(part)]) if replaced is None else self._terms(replaced)
            coefficients += [_whole(coefficient) * weight for weight in inner]
            atoms += found
        return coefficients, atoms

    def _function(self, function: Any, result: Atom) -> None:
        """Add that a function of variables has the value `result`."""
        name, arguments = _head(function)
        if name == "element":
            self.building.element(self.atom(arguments[1]), self.atoms(arguments[0]), result, first=0)
        elif name == "count":
            post(self.building, "fzn_count_eq", self.atoms(arguments[0]), self.atom(arguments[1]), result)
        elif name == "among":
            wanted = frozenset(map(_whole, arguments[1]))
            post(self.building, "fzn_among", result, self.atoms(arguments[0]), wanted)
        elif name in ("min", "max"):
            post(self.building, f"array_int_{name}imum", result, self.atoms(arguments))
        else:
            post(self.building, OPERATIONS[name], *self.atoms(arguments), result)

    def _global(self, name: str, constraint: Any) -> None:
        arguments = constraint.args
        if name == "circuit":
            post(self.building, "rekkyo_circuit", 0, self.atoms(arguments))
        elif name == "inverse":
            post(self.building, "rekkyo_inverse", 0, *map(self.atoms, arguments))
        elif name in ("lex_less", "lex_lesseq"):
            post(self.building, f"fzn_{name}_int", *map(self.atoms, arguments))
        elif name == "gcc":
            self._cardinality(constraint)
        else:
            self._regular(constraint)

    def _cardinality(self, constraint: Any) -> None:
        atoms, values, times = map(self.atoms, constraint.args)
        post(self.building, "fzn_global_cardinality", atoms, values, times)
        if constraint.closed:
            rows = [(value,) for value in values if isinstance(value, int)]
            for atom in atoms:
                self.building.state(self.building.table((atom,), rows))

    def _regular(self, constraint: Any) -> None:
        letters, transitions, first, accepting = constraint.args
        moves = [(before, _whole(letter), after) for before, letter, after in transitions]
        self.building.automaton(self.atoms(letters), first, moves, accepting)


OPERATIONS = {"abs": "int_abs", "div": "int_div", "mod": "int_mod", "pow": "int_pow", "mul": "int_times"}


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
