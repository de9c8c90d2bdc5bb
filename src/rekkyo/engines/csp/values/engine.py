"""Engine `csp-values`: counts by merging assignments that agree in the variables of open constraints.

The engine is for recounts. The variables are assigned one after the other, each with all its values. A
constraint is checked by its definition as soon as all its variables have values. A variable is dropped when
no open constraint names it, and assignments that agree in all remaining variables are merged: their counts
are added. The state consists of values only, so merging is effective only for local constraints. The engine
shares nothing with `csp-frontier` but the model. Counts are stored modulo primes of 31 bits and combined by
the Chinese remainder theorem.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.contract import CountingEngine, Pause, Shard, Tally
from rekkyo.engines.csp.values.checks import Check, check_of
from rekkyo.engines.memory import ALLOW_MORE, WithMemory, size_in_words
from rekkyo.engines.remainders import greatest_primes, number_with
from rekkyo.errors import BadModel, EngineRefuses, NeedsMemory
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.constraints import Clause, Variable, variables_of
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.restated import as_csp
from rekkyo.model.puzzle import Model
from rekkyo.model.row import AtomPermutation
from rekkyo.model.sum_figure import SumFigure


@dataclass(frozen=True, slots=True)
class Step:
    """A variable gets its values. n_values: size of its domain. is_hidden: whether it is not in the solution.

    checks: those of the constraints whose last variable it is. forgotten: variables that no later step reads.
    """

    variable: Variable
    n_values: int
    is_hidden: bool
    checks: tuple[Check, ...]
    forgotten: tuple[Variable, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ValuesPlan:
    """The steps of a model. primes: their product is greater than any count."""

    model: Csp
    order: tuple[Variable, ...]
    steps: tuple[Step, ...]
    primes: tuple[int, ...]


class CspValues(WithMemory, CountingEngine[ValuesPlan]):
    """All assignments at once, extended by one variable after the other; refused if they need more memory."""

    model_type = (Csp, Coloring, SumFigure)
    model_words = "colourings, sum figures and constraint satisfaction problems"
    name = "csp-values"
    plan_version = 1

    summary = "counts by merging equal values, without a compiler; for recounts of local constraints"

    def limits(self, model: Model) -> str | None:
        """Reject models with an objective, and constraints that cannot be checked for many assignments."""
        try:
            csp = as_csp(model)
        except BadModel as problem:
            return f"cannot state this model as a Csp: {problem}"
        if csp.objective is not None:
            return "cannot optimize an objective"
        for constraint in csp.constraints:
            if check_of(csp, constraint) is None:
                return f"cannot check {type(constraint).__name__} constraints of so many values"
        return None

    def compile(self, model: Model) -> None:
        """Do nothing: the engine has no kernels."""

    def make_plan(self, model: Model) -> ValuesPlan:
        """The steps, with the variables of the solution in reverse order."""
        csp = as_csp(model)
        return self._plan(csp, csp.solution[::-1])

    def _plan(self, csp: Csp, shown_order: Sequence[Variable]) -> ValuesPlan:
        """The steps. shown_order: the order of the variables of the solution."""
        order = tuple(_order(csp, shown_order))
        place = {v: at for at, v in enumerate(order)}
        ends: list[list[Check]] = [[] for _ in order]
        last = list(range(len(order)))
        for constraint in csp.constraints:
            places = [place[v] for v in variables_of(constraint)]
            end = max(places, default=0)
            check = check_of(csp, constraint)
            assert check is not None
            ends[end].append(check)
            for at in places:
                last[at] = max(last[at], end)
        forgotten: list[list[Variable]] = [[] for _ in order]
        for v, at in zip(order, last, strict=True):
            forgotten[at].append(v)
        shown = set(csp.solution)
        steps = (
            Step(v, len(csp.domains[v]), v not in shown, tuple(ends[at]), tuple(forgotten[at]))
            for at, v in enumerate(order)
        )
        most = prod(len(csp.domains[v]) for v in csp.solution)
        return ValuesPlan(csp, order, tuple(steps), greatest_primes(most.bit_length() + 1))

    def plan_facts(self, plan: ValuesPlan) -> object:
        """The order; the rest follows from the model."""
        return plan.order, plan.primes

    def count(self, plan: ValuesPlan, shard: Shard, pause: Pause) -> Tally:
        """See the contract. A node extends a merged assignment by a value. Raises EngineRefuses."""
        columns: dict[Variable, NDArray[np.int64]] = {}
        primes = np.array(plan.primes, dtype=np.uint64)
        counts = np.ones((1, len(primes)), dtype=np.uint64)
        nodes = 0
        for step in plan.steps:
            pause()
            n = len(counts) * step.n_values
            nodes += n
            if 8 * n * (2 * len(columns) + 3 * len(primes) + 4) > self.most_bytes:
                raise NeedsMemory(
                    f"engine {self.name} needs more than {size_in_words(self.most_bytes)} here: too few"
                    f" assignments agree where constraints still ask; choose another engine, {ALLOW_MORE}"
                )
            source = np.repeat(np.arange(len(counts)), step.n_values)
            columns = {v: column[source] for v, column in columns.items()}
            columns[step.variable] = np.tile(np.arange(step.n_values), len(counts))
            kept = np.ones(n, dtype=np.bool_)
            for check in step.checks:
                kept &= check(columns)
            if step.is_hidden and (np.bincount(source[kept], minlength=1) > 1).any():
                name = plan.model.names[step.variable]
                raise EngineRefuses(
                    f"engine {self.name} counts only where the variables before a hidden one determine it,"
                    f" not {name}; choose another engine"
                )
            columns = {v: column[kept] for v, column in columns.items() if v not in step.forgotten}
            columns, counts = _merged(columns, counts[source[kept]], primes)
        return Tally(number_with(counts.sum(axis=0).tolist(), plan.primes), nodes)

    def fixed_plan(self, plan: ValuesPlan, symmetry: AtomPermutation) -> ValuesPlan:
        """The plan of the model with clauses by which an atom holds only if its image does."""
        model, n_values = plan.model, len(plan.model.values)
        clauses: list[Clause] = []
        images: dict[Variable, list[Variable]] = {v: [] for v in model.solution}
        for atom, image in enumerate(symmetry):
            (v, value), (u, wanted) = (
                (model.solution[one // n_values], model.values[one % n_values]) for one in (atom, image)
            )
            clauses.append(Clause(((v, value, False), (u, wanted, True))))
            images[v].append(u)
        order: dict[Variable, None] = {}
        for v in model.solution[::-1]:
            orbit = [v]
            for u in orbit:
                if u not in order:
                    order[u] = None
                    orbit += images[u]
        tied = replace(model, constraints=(*model.constraints, *clauses))
        return self._plan(tied, tuple(order))


def _order(model: Csp, shown_order: Sequence[Variable]) -> Iterator[Variable]:
    """All variables. A hidden one comes as soon as it is the only variable left in a constraint."""
    shown = set(model.solution)
    left = [set(variables_of(constraint)) for constraint in model.constraints]
    around: list[list[int]] = [[] for _ in model.domains]
    for number, variables in enumerate(left):
        for v in variables:
            around[v].append(number)
    waiting = list(shown_order)
    placed: set[Variable] = set()
    rest = iter([v for v in range(len(model.domains)) if v not in shown])
    while len(placed) < len(model.domains):
        v = waiting.pop(0) if waiting else next(rest)
        if v in placed:
            continue
        yield v
        placed.add(v)
        for number in around[v]:
            left[number].discard(v)
            if len(left[number]) == 1 and not left[number] <= shown:
                waiting.insert(0, *left[number])


def _merged(
    columns: dict[Variable, NDArray[np.int64]], counts: NDArray[np.uint64], primes: NDArray[np.uint64]
) -> tuple[dict[Variable, NDArray[np.int64]], NDArray[np.uint64]]:
    """Merge equal assignments and add their counts modulo the primes."""
    if not len(counts):
        return columns, counts
    words = _packed(columns.values())
    order = np.lexsort(words) if words else np.arange(len(counts))
    begins = np.zeros(len(counts), dtype=np.bool_)
    begins[0] = True
    for word in words:
        ordered = word[order]
        begins[1:] |= ordered[1:] != ordered[:-1]
    firsts = np.flatnonzero(begins)
    sums = np.add.reduceat(counts[order], firsts, axis=0) % primes
    return {v: column[order[firsts]] for v, column in columns.items()}, sums


def _packed(columns: Iterable[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
    """The same assignments in fewer columns, of up to 62 bits. Values are the digits of a word."""
    words: list[NDArray[np.int64]] = []
    room = 0
    for column in columns:
        base = int(column.max()) + 1
        if base > room:
            words.append(column)
            room = 1 << 62
        else:
            words[-1] = words[-1] * base + column
        room //= base
    return words
