"""Puzzles in FlatZinc: the variables of a solution, and the constraints.

A solution has the variables annotated `output_var` or `output_array`, under their names there, such as `x` or
`queens[3]`; all other variables are projected away. Without such annotations, a solution has all variables
except those that MiniZinc introduced.
Source: MiniZinc Handbook, "Interfacing Solvers to Flattened MiniZinc".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice, product
from math import prod
from pathlib import Path
from typing import NoReturn

from rekkyo.errors import BadFile, BadInput, in_short, printable
from rekkyo.export.bounded import decoded, read_bytes
from rekkyo.export.flatzinc.aliases import Placed, renumbered
from rekkyo.export.flatzinc.arguments import Arguments
from rekkyo.export.flatzinc.building import Building
from rekkyo.export.flatzinc.domains import Atom, Domain, IntSet, Unknown, Value, is_within
from rekkyo.export.flatzinc.lexer import Place, Source
from rekkyo.export.flatzinc.parser import Parser
from rekkyo.export.flatzinc.predicates import PREDICATES
from rekkyo.export.flatzinc.simplified import simplified
from rekkyo.export.flatzinc.syntax import Annotation, Declaration, Goal, Posted
from rekkyo.model.csp.constraints import LARGEST
from rekkyo.model.csp.csp import MAX_CONSTRAINTS, MAX_SPAN, MAX_VALUES, MAX_VARIABLES, Csp
from rekkyo.model.csp.problem import HIDDEN
from rekkyo.model.puzzle import Puzzle

MAX_BYTES = 64 << 20
MAX_ARGUMENTS = 1 << 23
"""The most entries in all arrays that constraints name, together."""

OUTPUTS = ("output_var", "output_array")
INTRODUCED = "var_is_introduced"


@dataclass(frozen=True, slots=True)
class Shown:
    """A part of the output of every solution: a variable, or an array with these index sets."""

    name: str
    is_truth: bool
    index_sets: tuple[range, ...]
    atoms: tuple[Atom, ...]

    def names(self) -> list[str]:
        """A name for each atom."""
        if not self.index_sets:
            return [self.name]
        if not self.atoms:  # the other index sets may be endless
            return []
        return [f"{self.name}[{','.join(map(str, place))}]" for place in product(*self.index_sets)]


@dataclass(frozen=True, slots=True)
class Flat:
    """A parsed text. An `Unknown` of `shown` is the variable of that number in the model."""

    model: Csp
    shown: tuple[Shown, ...]


def read_flatzinc_file(path: Path) -> Puzzle:
    """The puzzle in a file of at most MAX_BYTES. Raises BadInput."""
    return flat_puzzle(flat_from_file(path), str(path))


def flat_from_file(path: Path, *, annotates: bool = False, model: str | None = None) -> Flat:
    """Read a file of at most MAX_BYTES; `annotates` and `model` as in `read_flatzinc`. Raises BadInput."""
    text = decoded(read_bytes(path, MAX_BYTES), model or str(path))
    return read_flatzinc(text, path.name, annotates=annotates, model=model)


def flat_puzzle(flat: Flat, name: str) -> Puzzle:
    """The model as a puzzle."""
    return Puzzle(name, flat.model, flat.model.size_in_words)


def read_flatzinc(text: str, name: str, *, annotates: bool = False, model: str | None = None) -> Flat:
    """Read a text; `name` is its name in messages.

    annotates: whether the text annotates all its output; then a text without annotations has only fixed
    output. model: the name of the model that was flattened, in messages, if the text is not a user's file.
    Raises BadInput.
    """
    source = Source(text, printable(model or name), is_flattened=model is not None)
    return _Reader(source, annotates).read()


class _Reader:
    """Collects names, domains and posted predicates, and then makes the model."""

    def __init__(self, source: Source, annotates: bool) -> None:
        self._source = source
        self._annotates = annotates
        self._at: Place = (0, 0)
        self._values: dict[str, Value | float] = {"true": 1, "false": 0}
        self._domains: list[Domain] = []
        self._names: list[str] = []
        self._places: list[Place] = []
        self._introduced: set[int] = set()
        self._shown: list[Shown] = []
        self._posted: list[Placed] = []
        self._goal: tuple[str, Atom] | None = None
        self._n_arguments = 0

    def read(self) -> Flat:
        has_goal = False
        for item in Parser(self._source, self._values).items():
            self._at = item.at
            match item:
                case Declaration():
                    self._declare(item)
                case Posted():
                    self._post(item)
                case Goal():
                    if has_goal:
                        self._fail('there is a second "solve"; leave one of them out')
                    self._set_goal(item)
                    has_goal = True
        if not has_goal:
            end = len(self._source.text)
            self._source.fail((end, 0), 'there is no "solve"; the file is cut off, or is not FlatZinc')
        return self._flat(*self._simplified(*self._names_and_solution()))

    def _fail(self, problem: str) -> NoReturn:
        self._source.fail(self._at, problem)

    def _declare(self, item: Declaration) -> None:
        if item.name in self._values:
            self._fail(f'"{in_short(item.name)}" is declared already; name it otherwise')
        if item.base == "float" and item.value is not None:
            self._values[item.name] = 0.5  # any number with a point is refused where it is used
            return
        value = self._declared(item)
        self._values[item.name] = value
        outputs = [part for part in item.annotations if part.name in OUTPUTS]
        if outputs and item.is_variable:
            self._shown.append(self._shown_as(item, value, outputs[0]))

    def _declared(self, item: Declaration) -> Value:
        if item.value is None:
            if not item.is_variable:
                self._fail(f'"{in_short(item.name)}" has no value; write = and its value')
            if item.size is None:
                return self._new(item, item.name)
            return tuple(self._new(item, f"{item.name}[{at}]") for at in range(1, item.size + 1))
        value = item.value
        if item.size is None and isinstance(value, tuple):
            self._fail(f'"{in_short(item.name)}" is no array; write one value')
        if item.size is not None and not (isinstance(value, tuple) and len(value) == item.size):
            self._fail(f'"{in_short(item.name)}" must be an array of {item.size}; write as many values')
        domain = range(2) if item.base == "bool" else item.domain
        if item.is_variable:
            for part in _parts(value):
                self._restrict(part, domain)
        else:
            self._check_given(item, _parts(value), domain)
        return value

    def _check_given(self, item: Declaration, parts: Sequence[Value], domain: IntSet | None) -> None:
        """Refuse values that are not of the type of a parameter."""
        wanted = {range, frozenset} if item.base == "set" else {int}
        if not wanted.issuperset(map(type, parts)):
            what = "sets of numbers" if item.base == "set" else "numbers"
            self._fail(f'the value of "{in_short(item.name)}" must be made of {what} only, as its type says')
        if domain is not None and not all(is_within(part, domain) for part in parts):
            self._fail(f'"{in_short(item.name)}" has a value that its type excludes; give another')

    def _new(self, item: Declaration, name: str) -> Unknown:
        if len(self._domains) == MAX_VARIABLES:
            self._fail(f"more than the {MAX_VARIABLES} variables that rekkyo takes on")
        self._domains.append(Domain.of(range(2) if item.base == "bool" else item.domain))
        self._names.append(name)
        self._places.append(item.at)
        if any(part.name == INTRODUCED for part in item.annotations):
            self._introduced.add(len(self._names) - 1)
        return Unknown(len(self._names) - 1)

    def _restrict(self, part: Value, domain: IntSet | None) -> None:
        if not isinstance(part, int | Unknown):
            self._fail("a variable has a number or another variable as its value")
        if domain is None:
            return
        if isinstance(part, Unknown):
            self._domains[part.number].keep(domain)
        elif part not in domain:
            self._posted.append((self._at, "bool_clause", ((), ())))

    def _shown_as(self, item: Declaration, value: Value, output: Annotation) -> Shown:
        atoms = _atoms_of(_parts(value))
        index_sets: tuple[range, ...] = ()
        if item.size is not None:
            index_sets = (range(1, item.size + 1),)
            if output.arguments:
                index_sets = _index_sets(output.arguments[0])
            if not index_sets or prod(map(len, index_sets)) != len(atoms):
                self._fail(f"the index sets of output_array are not those of {len(atoms)} variables")
        return Shown(item.name, item.base == "bool", index_sets, atoms)

    def _post(self, item: Posted) -> None:
        self._n_arguments += sum(len(_parts(value)) for value in item.arguments)
        if self._n_arguments > MAX_ARGUMENTS:
            self._fail(f"constraints name more than the {MAX_ARGUMENTS} entries that rekkyo takes on")
        if len(self._posted) == MAX_CONSTRAINTS:
            self._fail(f"more than the {MAX_CONSTRAINTS} constraints that rekkyo takes on")
        self._posted.append((item.at, item.predicate, item.arguments))

    def _set_goal(self, item: Goal) -> None:
        if item.objective is None:
            return
        if not isinstance(item.objective, int | Unknown):
            self._fail("the objective is one variable; name one")
        self._goal = (item.kind, item.objective)

    def _simplified(self, names: list[str], solution: list[int]) -> tuple[list[str], list[int]]:
        """Leave the variables that a search needs; their names, and those of the solution among them."""
        objective = self._goal[1] if self._goal is not None else None
        kept = {objective.number} if isinstance(objective, Unknown) else set()
        simple = simplified(self._domains, set(solution), kept, self._posted)
        products = range(len(simple.left), len(simple.domains))
        self._domains, self._posted = simple.domains, simple.posted
        self._places = [*(self._places[v] for v in simple.left), *(self._at for _ in products)]
        self._shown = [
            replace(item, atoms=_atoms_of(renumbered(item.atoms, simple.now))) for item in self._shown
        ]
        if self._goal is not None and isinstance(objective, Unknown):
            self._goal = self._goal[0], simple.now[objective.number]
        left = [*(names[v] for v in simple.left), *(f"{HIDDEN}product {number}" for number in products)]
        return left, [simple.now[v].number for v in solution]

    def _flat(self, names: list[str], solution: list[int]) -> Flat:
        building = Building(self._fail)
        self._add_variables(building, names)
        for at, predicate, values in self._posted:
            self._at = at
            try:
                arguments = Arguments(predicate, values, building)
                PREDICATES[predicate](building, arguments)
                arguments.check_used()
            except BadFile:
                raise
            except BadInput as problem:
                self._fail(str(problem))
        if not solution:  # there is one solution or none
            solution = self._fixed_output(building) or [building.hidden((0,)).number]
        self._set_objective(building)
        try:
            model = building.problem.model(solution, self._grid(solution))
        except BadInput as problem:
            raise BadFile(f"{self._source.name}: {problem}") from None
        return Flat(model, tuple(self._shown))

    def _names_and_solution(self) -> tuple[list[str], list[int]]:
        """A name for each variable, and the variables of a solution."""
        shown: dict[int, str] = {}
        if not self._shown and not self._annotates:
            shown = {v: name for v, name in enumerate(self._names) if v not in self._introduced}
        for item in self._shown:
            for atom, name in zip(item.atoms, item.names(), strict=True):
                if isinstance(atom, Unknown):
                    shown.setdefault(atom.number, name)
        return [shown.get(v, HIDDEN + name) for v, name in enumerate(self._names)], list(shown)

    def _fixed_output(self, building: Building) -> list[int]:
        """Variables with the names and values of the output, all of it fixed; none if it is too large."""
        fixed = [
            (name, atom)
            for item in self._shown
            for atom, name in zip(item.atoms, item.names(), strict=True)
            if isinstance(atom, int)
        ]
        if len(self._names) + len(fixed) >= MAX_VARIABLES or any(abs(atom) > LARGEST for _, atom in fixed):
            return []
        return [building.problem.variable(name, (atom,)) for name, atom in fixed]

    def _add_variables(self, building: Building, names: list[str]) -> None:
        n_values = 0
        found: list[Sequence[int]] = []
        for name, domain, at in zip(names, self._domains, self._places, strict=True):
            self._at = at
            if domain.is_wide():
                what = "no bounds" if None in (domain.low, domain.high) else "too wide bounds"
                self._fail(
                    f'variable "{in_short(name.removeprefix(HIDDEN))}" has {what}; declare it with a range'
                    f" of at most {MAX_SPAN} numbers, such as var 0..100"
                )
            values = domain.values()
            if any(abs(value) > LARGEST for value in (*values[:1], *values[-1:])):
                shown = in_short(name.removeprefix(HIDDEN))
                limits = f"-{LARGEST} to {LARGEST}"
                self._fail(f'variable "{shown}" has values that are not from {limits}; use smaller numbers')
            n_values += len(values)
            if n_values > MAX_VALUES:
                self._fail(f"more than the {MAX_VALUES} values in domains that rekkyo takes on")
            found.append(values)
        names_left = iter(names)
        for values, alike in groupby(found):  # hundreds of variables in a row have one domain
            building.problem.variables(list(islice(names_left, len(list(alike)))), values or (0,))
            if not values:
                building.state(False)

    def _grid(self, solution: list[int]) -> tuple[int, int] | None:
        """The shape of the board, if the output is one array of two dimensions."""
        if len(self._shown) != 1 or len(self._shown[0].index_sets) != 2:
            return None
        rows, columns = map(len, self._shown[0].index_sets)
        return (rows, columns) if rows * columns == len(solution) else None

    def _set_objective(self, building: Building) -> None:
        if self._goal is None or isinstance(self._goal[1], int):
            return
        kind, objective = self._goal
        assert isinstance(objective, Unknown)
        add = building.problem.maximize if kind == "maximize" else building.problem.minimize
        add(objective.number)


def _index_sets(argument: object) -> tuple[range, ...]:
    """The ranges of an array; none if something else is in it, or if it is a plain array, which is a text."""
    sets = argument if isinstance(argument, tuple) else ()
    ranges = tuple(part for part in sets if isinstance(part, range))
    return ranges if len(ranges) == len(sets) else ()


def _parts(value: Value) -> tuple[Value, ...]:
    return value if isinstance(value, tuple) else (value,)


def _atoms_of(values: Sequence[Value]) -> tuple[Atom, ...]:
    return tuple([part for part in values if isinstance(part, int | Unknown)])
