"""The arrays that the kernel reads, made of the parts of a model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import singledispatchmethod

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import Words
from rekkyo.engines.csp.arrays import int64, numbers_of_values
from rekkyo.engines.csp.propagating import kernel
from rekkyo.engines.csp.propagating.parts import (
    Counted,
    Cycle,
    Different,
    Entry,
    Inverses,
    Part,
    Rows,
    Together,
    Weighted,
)
from rekkyo.engines.csp.propagating.rewriting import rewritten
from rekkyo.engines.csp.propagating.state import (
    ANY,
    BASE,
    BOUNDS,
    FIXED,
    HIDDEN_FROM,
    N_COUNTERS,
    QUEUE,
    RING,
    START,
    TAKEN,
    WAITS,
    WAKING,
    WEIGHT,
    Cursor,
    Decided,
    Program,
    State,
)
from rekkyo.engines.csp.propagating.sums import IS_AT_MOST, IS_EQUAL, IS_NOT_EQUAL
from rekkyo.errors import EngineRefuses
from rekkyo.model.csp.constraints import AT_MOST, EQUAL, NOT_EQUAL, Clause, Variable
from rekkyo.model.csp.csp import Csp

MAX_WORDS = 1 << 24
"""Words of domains, tables and supports, each."""

RELATIONS = {EQUAL: IS_EQUAL, NOT_EQUAL: IS_NOT_EQUAL, AT_MOST: IS_AT_MOST}
QUICK = frozenset({kernel.WEIGHTED, kernel.COUNTED, kernel.CLAUSE})


@dataclass(frozen=True, slots=True)
class _Encoded:
    """A part as numbers. wakes: variables, and when each of them wakes it."""

    kind: int
    args: list[int]
    wakes: list[tuple[Variable, int]]


class ProgramBuilder:
    """Turns parts into numbers; sets and supports are gathered beside them."""

    def __init__(self, domains: Sequence[set[int]]) -> None:
        self.domains = domains
        self.base = [min(domain) & ~63 for domain in domains]
        sizes = [(max(domain) - base) // 64 + 1 for domain, base in zip(domains, self.base, strict=True)]
        self.start = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)
        self.memory: list[Words] = [self._words(v) for v in range(len(domains))]
        self.n_words = int(self.start[-1])
        self.supports: list[Words] = []
        self.n_supports = 0
        self.n_scratch = 1
        self.n_numbers = 1

    def _words(self, v: Variable) -> Words:
        return _bits(np.array(sorted(self.domains[v])) - self.base[v], int(self.start[v + 1] - self.start[v]))

    def _add_supports(self, words: Words) -> int:
        """Keep some words; where they begin."""
        begin = self.n_supports
        self.supports.append(words)
        self.n_supports += len(words)
        _check_words("supports", self.n_supports)
        return begin

    def _set_of_values(self, values: Iterable[int]) -> list[int]:
        """Where a set lies among the supports, how many words it has, and its first value."""
        numbers = sorted(set(values)) or [0]
        base = numbers[0] & ~63
        n_words = (numbers[-1] - base) // 64 + 1
        words = _bits(np.array(numbers) - base, n_words) if values else np.zeros(1, dtype=np.uint64)
        return [self._add_supports(words), n_words, base]

    @singledispatchmethod
    def encode(self, part: Part) -> _Encoded:
        """A part as numbers, as its propagator lays them out."""
        raise TypeError(f"no encoding is written for {type(part).__name__}")

    @encode.register
    def _rows(self, part: Rows) -> _Encoded:
        table = np.array(part.rows, dtype=np.int64).reshape(len(part.rows), len(part.variables))
        for column, v in enumerate(part.variables):  # parts after this one may have taken values away
            table = table[np.isin(table[:, column], list(self.domains[v]))]
        if not len(table):
            return self.encode(Weighted((), (), EQUAL, 1))  # never holds
        n_words = -(-len(table) // 64)
        memory = self.n_words
        live = np.full(n_words, ~np.uint64(0), dtype=np.uint64)
        if len(table) % 64:
            live[-1] = np.uint64((1 << len(table) % 64) - 1)
        remembered = [live, *(self.memory[v] for v in part.variables)]
        self.memory += remembered
        self.n_words += sum(map(len, remembered))
        _check_words("domains and tables", self.n_words)
        args = [len(part.variables), n_words, memory]
        for column, v in enumerate(part.variables):
            low, high = min(self.domains[v]), max(self.domains[v])
            _check_words("supports", self.n_supports + (high - low + 1) * n_words)
            supports = np.zeros((high - low + 1, n_words * 64), dtype=np.uint8)
            supports[table[:, column] - low, np.arange(len(table))] = 1
            packed = np.packbits(supports, axis=1, bitorder="little").view("<u8").astype(np.uint64)
            args += [v, self._add_supports(packed.reshape(-1)), low]
        self.n_scratch = max(self.n_scratch, n_words)
        return _Encoded(kernel.ROWS, args, [(v, ANY) for v in part.variables])

    @encode.register
    def _different(self, part: Different) -> _Encoded:
        values = set().union(*(self.domains[v] for v in part.variables))
        base = min(values) & ~63
        n_words = (max(values) - base) // 64 + 1
        excepted = -1
        if part.excepted:
            inside = np.array([x for x in part.excepted if x in values], dtype=np.int64)
            excepted = self._add_supports(_bits(inside - base, n_words))
        self.n_scratch = max(self.n_scratch, 3 * n_words)
        wakes = [(v, TAKEN) for v in part.variables]
        if not part.excepted and len(values) <= len(part.variables):
            wakes += [(v, ANY) for v in part.variables]  # every value is needed
        args = [len(part.variables), n_words, base, excepted, *part.variables]
        return _Encoded(kernel.DIFFERENT, args, wakes)

    @encode.register
    def _weighted(self, part: Weighted) -> _Encoded:
        when = -1 if part.when is None else part.when
        self.n_numbers = max(self.n_numbers, 2 * len(part.variables))
        args = [len(part.variables), RELATIONS[part.relation], part.constant, when, part.at]
        for coefficient, v in zip(part.coefficients, part.variables, strict=True):
            args += [coefficient, v]
        wakes = [(v, FIXED if part.relation == NOT_EQUAL else BOUNDS) for v in part.variables]
        return _Encoded(kernel.WEIGHTED, args, wakes + ([] if part.when is None else [(part.when, ANY)]))

    @encode.register
    def _counted(self, part: Counted) -> _Encoded:
        args = [len(part.variables), part.times, *self._set_of_values(part.values), *part.variables]
        return _Encoded(
            kernel.COUNTED, args, [(v, ANY) for v in dict.fromkeys((*part.variables, part.times))]
        )

    @encode.register
    def _entry(self, part: Entry) -> _Encoded:
        args = [len(part.array), part.index, part.result, part.first, *part.array]
        scope = dict.fromkeys((part.index, part.result, *part.array))
        return _Encoded(kernel.ENTRY, args, [(v, ANY) for v in scope])

    @encode.register
    def _inverses(self, part: Inverses) -> _Encoded:
        args = [len(part.f), len(part.g), part.first, *part.f, *part.g]
        return _Encoded(kernel.INVERSES, args, [(v, ANY) for v in dict.fromkeys((*part.f, *part.g))])

    @encode.register
    def _cycle(self, part: Cycle) -> _Encoded:
        args = [len(part.successors), part.first, int(part.subcircuit), *part.successors]
        self.n_numbers = max(self.n_numbers, len(part.successors))
        return _Encoded(kernel.CYCLE, args, [(v, FIXED) for v in dict.fromkeys(part.successors)])

    @encode.register
    def _together(self, part: Together) -> _Encoded:
        n = len(part.variables)
        neighbours: list[list[int]] = [[] for _ in range(n)]
        for one, other in part.edges:
            neighbours[one].append(other)
            neighbours[other].append(one)
        firsts = np.concatenate([[0], np.cumsum(list(map(len, neighbours)))]).tolist()
        flat = [other for others in neighbours for other in others]
        args = [n, *self._set_of_values(part.values), *part.variables, *firsts, *flat]
        self.n_numbers = max(self.n_numbers, 2 * n)
        return _Encoded(kernel.TOGETHER, args, [(v, ANY) for v in dict.fromkeys(part.variables)])

    @encode.register
    def _clause(self, part: Clause) -> _Encoded:
        args = [len(part.literals)]
        for v, value, sign in part.literals:
            args += [v, value, int(sign)]
        wakes = {v: FIXED for v, _, sign in part.literals if not sign}
        wakes |= {v: ANY for v, _, sign in part.literals if sign}
        return _Encoded(kernel.CLAUSE, args, list(wakes.items()))


def has_others(model: Csp) -> bool:
    """Whether a search of the model meets other parts than tables, different values and sums."""
    return not all(isinstance(part, Rows | Different | Weighted) for part in rewritten(model).parts)


def make_program(model: Csp) -> tuple[Program, Decided, Cursor] | None:
    """What the search reads, and the state before anything is propagated; None if a domain is empty."""
    said = rewritten(model)
    if not all(said.domains):
        return None
    builder = ProgramBuilder(said.domains)
    encoded = [builder.encode(part) for part in said.parts]
    n_variables = len(said.domains)
    wakes: list[list[tuple[int, int]]] = [[] for _ in range(n_variables)]
    for p, part in enumerate(encoded):
        for v, when in part.wakes:
            wakes[v].append((p, when))
    variables = np.zeros((n_variables + 1, 4), dtype=np.int64)
    variables[:, START] = builder.start
    variables[:-1, BASE] = builder.base
    variables[:-1, WEIGHT] = 1
    variables[1:, WAKING] = np.cumsum(list(map(len, wakes)))
    ends = np.cumsum([0, *(len(part.args) for part in encoded)])
    parts = [(part.kind, int(part.kind not in QUICK), end) for part, end in zip(encoded, ends, strict=False)]
    program = Program(
        variables=variables,
        parts=np.array(parts, dtype=np.int64).reshape(-1, 3),
        args=int64(number for part in encoded for number in part.args),
        supports=np.concatenate([np.zeros(0, dtype=np.uint64), *builder.supports]),
        woken=int64(number for woken in wakes for pair in woken for number in pair).reshape(-1, 2),
    )
    is_shown = set(model.solution)
    decided = Decided(
        shown=int64(model.solution),
        hidden=int64(v for v in range(n_variables) if v not in is_shown),
        number=numbers_of_values(model),
    )
    return program, decided, Cursor(_root(program, builder), np.zeros((n_variables + 1, 3), dtype=np.int64))


def weights(program: Program, failures: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each variable the failures of all its parts. failures: int64[n_parts], 1 or more each."""
    n_variables = len(program.variables) - 1
    owners = np.repeat(np.arange(n_variables), np.diff(program.variables[:, WAKING]))
    return 1 + np.bincount(owners, failures[program.woken[:, 0]], n_variables).astype(np.int64)


def _root(program: Program, builder: ProgramBuilder) -> State:
    """Nothing is decided, and every part waits to be propagated."""
    words = np.concatenate(builder.memory)
    n_bits = int(np.bitwise_count(words).sum())
    queue = np.zeros((4, len(program.parts)), dtype=np.int64)
    queue[WAITS] = 1
    counters = np.zeros(N_COUNTERS, dtype=np.int64)
    counters[HIDDEN_FROM] = -1
    for ring in range(2):
        waiting = np.flatnonzero(program.parts[:, RING] == ring)
        queue[ring, : len(waiting)] = waiting
        counters[QUEUE + 2 * ring + 1] = len(waiting)
    return State(
        words=words,
        trail=np.zeros((n_bits, 2), dtype=np.uint64),
        queue=queue,
        fixed=np.zeros(len(program.variables), dtype=np.int64),
        scratch=np.zeros(builder.n_scratch, dtype=np.uint64),
        numbers=np.zeros(builder.n_numbers, dtype=np.int64),
        counters=counters,
    )


def _bits(places: NDArray[np.int64], n_words: int) -> Words:
    """Words with these bits set."""
    bits = np.zeros(n_words * 64, dtype=np.uint8)
    bits[places] = 1
    return np.packbits(bits, bitorder="little").view("<u8").astype(np.uint64)


def _check_words(what: str, n_words: int) -> None:
    if n_words > MAX_WORDS:
        raise EngineRefuses(f"engine csp keeps up to {MAX_WORDS} words of {what}, and this needs {n_words}")
