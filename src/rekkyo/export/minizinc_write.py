"""A puzzle as a model in MiniZinc, for its solvers: variables and constraints of a `Csp` with its solutions.

    % queens 4: ...                       what a row means
    include "all_different.mzn";          the global constraints that are used
    var 0..3: x0; % row 0                 a variable for each of the model
    constraint all_different([x0, x1]);
    solve satisfy;
    output [show([x0, x1]), "\\n"];        the variables that make a solution, in order

An exact cover has a variable for each option, 1 if it is chosen. A solver counts solutions apart that differ
in hidden variables alone; a comment says how many there are. Automata and diagrams are made deterministic and
become tables over a hidden variable for each step, which the solution determines.
Source: The MiniZinc Handbook 2.6, "Specification of MiniZinc" and "Global constraints". Left out on purpose:
`Connected`, `Areas` and `Acyclic`, because what the standard library makes of them has variables that the
solution does not determine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatchmethod

from rekkyo.errors import BadInput, printable
from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.automata import deterministic
from rekkyo.model.csp.constraints import Constraint, Variable
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.restated import as_csp
from rekkyo.model.puzzle import Puzzle

GLOBALS = (
    "all_different",
    "all_different_except",
    "circuit",
    "lex_less",
    "lex_lesseq",
    "subcircuit",
    "table",
)
"""Each is a file of the standard library. `globals.mzn` has all, and does not fit some releases of Gecode."""


def write_minizinc(puzzle: Puzzle) -> str:
    """The text of the model. Raises BadInput for constraints that have no form there, and BadModel."""
    csp = as_csp(puzzle.model)
    writer = _Writer(puzzle.name, csp)
    lines = [line for part in csp.constraints for line in writer.lines(part)]
    used = {word for line in lines if (word := line.partition("(")[0]) in GLOBALS}
    n_hidden = len(csp.names) - len(csp.solution)
    goal = "satisfy"
    if csp.objective is not None:
        goal = f"{'maximize' if csp.objective.maximize else 'minimize'} {_name(csp.objective.variable)}"
    head = [f"% {printable(puzzle.name)}: {puzzle.model.row_meaning}\n"]
    if n_hidden:
        head.append(f"% hidden variables: {n_hidden}; solutions that differ in them alone are one\n")
    head += [f'include "{word}.mzn";\n' for word in sorted(used)]
    variables = [
        f"var {_set_of(domain)}: {_name(v)}; % {printable(csp.names[v])}\n"
        for v, domain in enumerate(csp.domains)
    ]
    constraints = [f"constraint {line};\n" for line in lines]
    foot = [f"solve {goal};\n", f'output [show({_array(csp.solution)}), "\\n"];\n']
    return "".join([*head, *variables, *writer.states, *constraints, *foot])


class _Writer:
    """states: declarations of the hidden variables that automata need."""

    def __init__(self, name: str, csp: Csp) -> None:
        self._name = name
        self._domains = csp.domains
        self.states: list[str] = []

    @singledispatchmethod
    def lines(self, part: Constraint) -> Iterator[str]:
        """A constraint as expressions that all hold. Raises BadInput where there is no form for it."""
        word = type(part).__name__.lower()
        raise BadInput(f"{self._name} has no form in MiniZinc: constraint {word} cannot be written")

    @lines.register
    def _table(self, part: c.Table) -> Iterator[str]:
        if not part.allowed:
            for row in part.rows:
                yield _any(f"{_name(v)} != {value}" for v, value in zip(part.variables, row, strict=True))
        elif part.rows:
            yield _table_of(map(_name, part.variables), part.rows)
        else:
            yield "false"

    @lines.register(c.Linear)
    @lines.register(c.Clause)
    def _statement(self, part: c.Linear | c.Clause) -> Iterator[str]:
        yield _truth(part)

    @lines.register
    def _all_different(self, part: c.AllDifferent) -> Iterator[str]:
        if part.excepted:
            yield f"all_different_except({_array(part.variables)}, {_set_of(part.excepted)})"
        else:
            yield f"all_different({_array(part.variables)})"

    @lines.register
    def _count(self, part: c.Count) -> Iterator[str]:
        yield f"{_how_many(part.variables, part.values)} = {_name(part.times)}"

    @lines.register
    def _global_cardinality(self, part: c.GlobalCardinality) -> Iterator[str]:
        for value, low, high in part.bounds:
            yield f"{_how_many(part.variables, [value])} in {low}..{high}"

    @lines.register
    def _layered(self, part: c.Regular | c.Diagram) -> Iterator[str]:
        """A table for each layer, joined by hidden states."""
        before: list[str] = []
        layers = deterministic(part, self._domains)
        for place, (v, layer) in enumerate(zip(part.variables, layers, strict=True)):
            if not layer:
                yield "false"
                return
            after = [f"s{len(self.states)}"] if place + 1 < len(layers) else []
            self.states += [f"var {_set_of(end for _, _, end in layer)}: {state};\n" for state in after]
            start, stop = 1 - len(before), 2 + len(after)  # the first node is fixed, and the last one free
            yield _table_of([*before, _name(v), *after], sorted({edge[start:stop] for edge in layer}))
            before = after

    @lines.register
    def _element(self, part: c.Element) -> Iterator[str]:
        yield f"{_entry(part.array, part.index, part.first)} = {_name(part.result)}"

    @lines.register
    def _inverse(self, part: c.Inverse) -> Iterator[str]:
        for f, g in ((part.f, part.g), (part.g, part.f)):  # Gecode's own refuses numbers below 0
            for i, v in enumerate(f, part.first):
                yield f"{_entry(g, v, part.first)} = {i}"

    @lines.register
    def _lex_less(self, part: c.LexLess) -> Iterator[str]:
        word = "lex_less" if part.strict else "lex_lesseq"
        yield f"{word}({_array(part.lesser)}, {_array(part.greater)})"

    @lines.register
    def _product(self, part: c.Product) -> Iterator[str]:
        yield f"{' * '.join(map(_name, part.factors))} = {_name(part.result)}"

    @lines.register
    def _circuit(self, part: c.Circuit) -> Iterator[str]:
        yield f"{'subcircuit' if part.subcircuit else 'circuit'}({_array(part.successors, part.first)})"

    @lines.register
    def _reified(self, part: c.Reified) -> Iterator[str]:
        yield f"{_name(part.truth)} = bool2int({_truth(part.constraint)})"


def _truth(part: c.Linear | c.Table | c.AllDifferent | c.Clause) -> str:
    """A constraint as one expression, which may also be false."""
    match part:
        case c.Linear():
            return _linear(part)
        case c.Clause():
            return _clause(part)
        case c.AllDifferent():
            pairs = [(a, b) for k, a in enumerate(part.variables) for b in part.variables[:k]]
            return _all(
                _any([f"{_name(a)} != {_name(b)}", *(f"{_name(a)} = {value}" for value in part.excepted)])
                for a, b in pairs
            )
    are_rows = _any(
        _all(f"{_name(v)} = {value}" for v, value in zip(part.variables, row, strict=True))
        for row in part.rows
    )
    return are_rows if part.allowed else f"not ({are_rows})"


def _linear(part: c.Linear) -> str:
    terms = [
        f"{coefficient}*{_name(v)}" for coefficient, v in zip(part.coefficients, part.variables, strict=True)
    ]
    return f"{' + '.join(terms) or '0'} {part.relation} {part.constant}"


def _clause(part: c.Clause) -> str:
    return _any(f"{_name(v)} {'=' if sign else '!='} {value}" for v, value, sign in part.literals)


def _any(parts: Iterable[str]) -> str:
    return " \\/ ".join(f"({part})" for part in parts) or "false"


def _all(parts: Iterable[str]) -> str:
    return " /\\ ".join(f"({part})" for part in parts) or "true"


def _how_many(variables: Iterable[Variable], values: Iterable[int]) -> str:
    wanted = _set_of(values)
    return f"sum([{', '.join(f'bool2int({_name(v)} in {wanted})' for v in variables)}])"


def _table_of(names: Iterable[str], rows: Sequence[Sequence[int]]) -> str:
    columns = list(names)
    numbers = ", ".join(str(value) for row in rows for value in row)
    return f"table([{', '.join(columns)}], array2d(1..{len(rows)}, 1..{len(columns)}, [{numbers}]))"


def _array(variables: Sequence[Variable], first: int | None = None) -> str:
    """Variables in an array. first: its first index, if that matters."""
    listed = f"[{', '.join(map(_name, variables))}]"
    return listed if first is None else f"array1d({first}..{first + len(variables) - 1}, {listed})"


def _entry(array: Sequence[Variable], index: Variable, first: int) -> str:
    """The entry at an index that is counted from `first`."""
    return f"{_array(array)}[{_name(index)} - ({first - 1})]"


def _set_of(values: Iterable[int]) -> str:
    ordered = sorted(set(values))
    if ordered and ordered[-1] - ordered[0] + 1 == len(ordered):
        return f"{ordered[0]}..{ordered[-1]}"
    return "{" + ", ".join(map(str, ordered)) + "}"


def _name(v: Variable) -> str:
    return f"x{v}"
