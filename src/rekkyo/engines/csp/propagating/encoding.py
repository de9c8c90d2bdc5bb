"""Encode parts as numbers, in the layouts of their propagators. `ready` makes a program from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatchmethod
from itertools import accumulate, chain, pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from rekkyo.bits import Words, bits_at
from rekkyo.engines.csp.propagating import blocks, images, kernel, least, least_set, sums
from rekkyo.engines.csp.propagating.parts import (
    Added,
    Chosen,
    Different,
    Hidden,
    Images,
    Least,
    LeastSet,
    Part,
    Permutation,
    Rows,
    Same,
    Sized,
    Stacked,
    Tallied,
    Weighted,
)
from rekkyo.engines.csp.propagating.state import ANY, BOUNDS, FIXED, QUICK, SLOW
from rekkyo.engines.csp.propagating.sums import IS_AT_MOST, IS_EQUAL, IS_NOT_EQUAL
from rekkyo.engines.csp.propagating.words import aligned, check_words
from rekkyo.model.csp import constraints as c
from rekkyo.symmetry import least_kernel, set_kernel

FEW_VALUES = 40
"""Tables of up to 64 rows and this many values of all variables have no memory."""

RELATIONS = {c.EQUAL: IS_EQUAL, c.NOT_EQUAL: IS_NOT_EQUAL, c.AT_MOST: IS_AT_MOST}
QUICK_KINDS = frozenset(
    {
        kernel.WEIGHTED,
        kernel.FEW_ROWS,
        kernel.ADDED,
        kernel.SAME,
        kernel.CHOSEN,
        kernel.COUNTED,
        kernel.CLAUSE,
    }
)


TableRows: TypeAlias = tuple[tuple[int, ...], ...]


class Encoded(NamedTuple):
    """A part as numbers.

    wakes: variables, and the events of each that wake the part. tells: variables that run the part at once
    when they have one value left, each with the number of its TAKING list.
    """

    kind: int
    args: list[int]
    wakes: list[tuple[c.Variable, int]]
    tells: Sequence[tuple[c.Variable, int]] = ()

    @property
    def ring(self) -> int | None:
        """The ring in which the part waits; None if it never waits."""
        if self.kind in {kernel.DIFFERENT, kernel.CYCLE}:
            return None
        return QUICK if self.kind in QUICK_KINDS else SLOW


class Encoder:
    """Encodes parts as numbers, and collects the words and the scratch space that they need.

    first_bits : for each domain, value + first_bits is the bit of the value in the words of all domains.
    memory     : the domains, and behind them the memory of the parts.
    n_saves    : entries of the trail for words that do not only lose bits, at most.
    """

    def __init__(self, domains: Sequence[set[int]]) -> None:
        self.domains = domains
        self.base = aligned(domains)
        sizes = [(max(domain) - base) // 64 + 1 for domain, base in zip(domains, self.base, strict=True)]
        self.start = [0, *accumulate(sizes)]
        self.first_bits = [64 * start - base for start, base in zip(self.start, self.base, strict=False)]
        words = self._words_of_domains()
        self.memory: list[Words] = [words[begin:stop] for begin, stop in pairwise(self.start)]
        self.n_words = self.start[-1]
        self.supports: list[Words] = []
        self.n_supports = 0
        self._literals: dict[c.Literal, tuple[tuple[int, int, int], tuple[c.Variable, int] | None]] = {}
        self._numbers: dict[TableRows, int] = {}
        self._numbered: dict[int, tuple[TableRows, int]] = {}
        self._tables: dict[tuple[int, tuple[frozenset[int], ...]], tuple[int, list[tuple[int, int]]]] = {}
        self.n_saves = 0
        self.n_scratch = 1
        self.n_numbers = 1

    def _words_of_domains(self) -> Words:
        """One array: most domains are a few values, and an array for each takes a tenth of a short count."""
        places = [
            bit + value for bit, domain in zip(self.first_bits, self.domains, strict=True) for value in domain
        ]
        return bits_at(places, self.start[-1])

    def _aligned(self, value: int) -> int:
        """The value of the first bit of the word that contains a value."""
        return value - (value - self.base[0]) % 64

    def _add_supports(self, words: Words) -> int:
        """Append words to the supports; their place."""
        begin = self.n_supports
        self.supports.append(words)
        self.n_supports += len(words)
        check_words("supports", self.n_supports)
        return begin

    def _possible(self, values: Iterable[int], variables: Sequence[c.Variable]) -> set[int]:
        """Those of some values that a variable can have. A set with others may need far too many words."""
        return {x for x in values if any(x in self.domains[v] for v in variables)}

    def _set_of_values(self, values: Iterable[int], among: Iterable[int] = ()) -> list[int]:
        """The place of a set in the supports, its number of words, and the value of its first bit.

        among: values that the words have to cover, too.
        """
        inside = set(values)
        numbers = inside.union(among) or {0}
        base = self._aligned(min(numbers))
        n_words = (max(numbers) - base) // 64 + 1
        words = bits_at([value - base for value in inside], n_words)
        return [self._add_supports(words), n_words, base]

    def _remember(self, words: Iterable[Words]) -> int:
        """Append words that the search changes to the memory; their place."""
        place = self.n_words
        for part in words:
            self.memory.append(part)
            self.n_words += len(part)
        check_words("domains and tables", self.n_words)
        return place

    def encoded(self, parts: Iterable[Part]) -> list[Encoded]:
        """All parts as numbers. Finding the method for a clause would take as long as encoding it."""
        clause, other = self._clause, self.encode
        return [clause(part) if type(part) is c.Clause else other(part) for part in parts]

    @singledispatchmethod
    def encode(self, part: Part) -> Encoded:
        """A part as numbers, in the layout of its propagator."""
        raise TypeError(f"no encoding is written for {type(part).__name__}")

    @encode.register
    def _rows(self, part: Rows) -> Encoded:
        domains = tuple(frozenset(self.domains[v]) for v in part.variables)
        key = self._number_of(part.rows), domains
        if key not in self._tables:
            self._tables[key] = self._table(part.rows, domains)
        n_rows, columns = self._tables[key]
        if not n_rows:
            return self.encode(Weighted((), (), c.EQUAL, 1))  # never holds
        n_words = -(-n_rows // 64)
        if n_words == 1 and sum(map(len, domains)) <= FEW_VALUES and self._is_one_word(part.variables):
            args = [len(part.variables)]
            for v, (support, low) in zip(part.variables, columns, strict=True):
                args += [v, self.start[v], support - low + self.base[v]]
            return Encoded(kernel.FEW_ROWS, args, [(v, ANY) for v in part.variables])
        live = np.full(n_words, ~np.uint64(0), dtype=np.uint64)
        if n_rows % 64:
            live[-1] = np.uint64((1 << n_rows % 64) - 1)
        memory = self._remember([live, *(self.memory[v] for v in part.variables)])
        args = [len(part.variables), n_words, memory]
        for v, column in zip(part.variables, columns, strict=True):
            args += [v, *column]
        self.n_scratch = max(self.n_scratch, n_words)
        return Encoded(kernel.ROWS, args, [(v, ANY) for v in part.variables])

    def _number_of(self, rows: TableRows) -> int:
        """The same number for equal rows. Most tables share theirs, and hashing a table takes long."""
        if id(rows) not in self._numbered:
            number = self._numbers.setdefault(rows, len(self._numbers))
            self._numbered[id(rows)] = rows, number  # while the rows are kept, no others get their id
        return self._numbered[id(rows)][1]

    def _is_one_word(self, variables: Iterable[c.Variable]) -> bool:
        """Whether the domain of each variable is one word."""
        return all(self.start[v + 1] - self.start[v] == 1 for v in variables)

    def _table(
        self, rows: Sequence[tuple[int, ...]], domains: Sequence[frozenset[int]]
    ) -> tuple[int, list[tuple[int, int]]]:
        """The number of possible rows; for each column the place of its supports and its least value."""
        table = np.array(rows, dtype=np.int64).reshape(len(rows), len(domains))
        for column, domain in enumerate(domains):  # the rewriting of later parts may have removed values
            if not domain.issuperset(table[:, column].tolist()):
                table = table[np.isin(table[:, column], list(domain))]
        n_words = -(-len(table) // 64)
        columns = []
        for column, domain in enumerate(domains):
            low, n_values = min(domain), max(domain) - min(domain) + 1
            check_words("supports", self.n_supports + n_values * n_words)
            supports = np.zeros((n_values, n_words * 64), dtype=np.uint8)
            supports[table[:, column] - low, np.arange(len(table))] = 1
            packed = np.packbits(supports, axis=1, bitorder="little").view("<u8").astype(np.uint64)
            columns.append((self._add_supports(packed.reshape(-1)), low))
        return len(table), columns

    @encode.register
    def _different(self, part: Different) -> Encoded:
        shifted = list(zip(part.variables, part.shifts, strict=True))
        excepted, n_words, base = -1, 0, 0
        if part.excepted:
            values = {x + shift for v, shift in shifted for x in self.domains[v]}
            excepted, n_words, base = self._set_of_values(values.intersection(part.excepted), values)
        args = [len(shifted), excepted, n_words, base, *chain.from_iterable(shifted)]
        return Encoded(kernel.DIFFERENT, args, [], shifted)

    @encode.register
    def _permutation(self, part: Permutation) -> Encoded:
        values = set[int]().union(*(self.domains[v] for v in part.variables))
        base = self._aligned(min(values))
        n_words = (max(values) - base) // 64 + 1
        self.n_scratch = max(self.n_scratch, 2 * n_words)
        args = [len(part.variables), n_words, base, *part.variables]
        return Encoded(kernel.PERMUTATION, args, [(v, ANY) for v in part.variables])

    @encode.register
    def _weighted(self, part: Weighted) -> Encoded:
        when = -1 if part.when is None else part.when
        n = len(part.variables)
        rests = [sums.ZERO_REST + part.constant] * (n + 1)
        terms = range(sums.ARGS, sums.ARGS + 2 * n, 2)
        memory = self._remember([np.array([n, *terms, *rests], dtype=np.uint64)])
        self.n_saves += n
        args = [n, RELATIONS[part.relation], when, part.at, memory]
        for coefficient, v in zip(part.coefficients, part.variables, strict=True):
            args += [coefficient, v]
        wakes = [(v, FIXED if part.relation == c.NOT_EQUAL else BOUNDS) for v in part.variables]
        return Encoded(kernel.WEIGHTED, args, wakes + ([] if part.when is None else [(part.when, ANY)]))

    @encode.register
    def _added(self, part: Added) -> Encoded:
        scope = (part.one, part.other, part.total)
        if not self._is_one_word(scope):
            return self.encode(part.weighted)
        shift = (
            part.constant - self.base[part.one] - self.base[part.other] + part.sign * self.base[part.total]
        )
        if part.sign < 0:  # the word of the total is read backwards
            shift -= 63
        return Encoded(kernel.ADDED, [*scope, shift, part.sign], [(v, ANY) for v in scope])

    @encode.register
    def _chosen(self, part: Chosen) -> Encoded:
        n = len(part.variables)
        bits = [value - self.base[v] for v, value in zip(part.variables, part.values, strict=True)]
        memory = self._remember([np.array([n], dtype=np.uint64)])
        self.n_saves += n
        args = [n, part.low, part.high, memory, *chain(*zip(part.variables, bits, strict=True))]
        return Encoded(kernel.CHOSEN, args, [], list(zip(part.variables, part.values, strict=True)))

    @encode.register
    def _same(self, part: Same) -> Encoded:
        wakes = [(part.one, BOUNDS), (part.other, BOUNDS), (part.truth, FIXED)]
        return Encoded(kernel.SAME, [part.one, part.other, part.truth, part.at], wakes)

    @encode.register
    def _count(self, part: c.Count) -> Encoded:
        values = self._possible(part.values, part.variables)
        args = [len(part.variables), part.times, *self._set_of_values(values), *part.variables]
        return Encoded(kernel.COUNTED, args, [(v, ANY) for v in dict.fromkeys((*part.variables, part.times))])

    @encode.register
    def _tallied(self, part: Tallied) -> Encoded:
        values = {x for v in part.variables for x in self.domains[v]}.union(part.values)
        base = self._aligned(min(values))
        n_words = (max(values) - base) // 64 + 1
        self.n_scratch = max(self.n_scratch, 2 * n_words)
        self.n_numbers = max(self.n_numbers, 2 * 64 * n_words)
        args = [len(part.variables), len(part.values), n_words, base, *part.variables]
        args += chain.from_iterable(zip(part.values, part.times, strict=True))
        scope = dict.fromkeys((*part.variables, *part.times))
        return Encoded(kernel.TALLIED, args, [(v, ANY) for v in scope])

    @encode.register
    def _element(self, part: c.Element) -> Encoded:
        args = [len(part.array), part.index, part.result, part.first, *part.array]
        scope = dict.fromkeys((part.index, part.result, *part.array))
        return Encoded(kernel.ENTRY, args, [(v, ANY) for v in scope])

    @encode.register
    def _inverse(self, part: c.Inverse) -> Encoded:
        memory = self._remember(self.memory[v] for v in (*part.f, *part.g))
        args = [len(part.f), len(part.g), part.first, memory, *part.f, *part.g]
        return Encoded(kernel.INVERSES, args, [(v, ANY) for v in dict.fromkeys((*part.f, *part.g))])

    @encode.register
    def _circuit(self, part: c.Circuit) -> Encoded:
        n = len(part.successors)
        nodes = np.arange(n, dtype=np.uint64)
        memory = self._remember([nodes, nodes, np.ones(n, dtype=np.uint64)])
        args = [n, part.first, int(part.subcircuit), memory, *part.successors]
        self.n_saves += 3 * n
        self.n_numbers = max(self.n_numbers, n)
        return Encoded(kernel.CYCLE, args, [], [(v, node) for node, v in enumerate(part.successors)])

    @encode.register
    def _hidden(self, part: Hidden) -> Encoded:
        circuit = part.circuit
        successors, n = circuit.successors, len(circuit.successors)
        arcs = ((i, x - circuit.first) for i, v in enumerate(successors) for x in self.domains[v])
        edges = sorted({(min(arc), max(arc)) for arc in arcs if arc[0] != arc[1]})
        cycle = self._circuit(circuit)
        self.n_numbers = max(self.n_numbers, blocks.N_ROWS * n)
        wakes = [(v, ANY) for v in dict.fromkeys(successors)]
        return Encoded(kernel.BLOCKS, [*cycle.args, *_neighbours(n, edges)], wakes, cycle.tells)

    @encode.register
    def _connected(self, part: c.Connected) -> Encoded:
        values = self._possible(part.values, part.variables)
        return self._graph(kernel.TOGETHER, self._set_of_values(values), part)

    @encode.register
    def _acyclic(self, part: c.Acyclic) -> Encoded:
        """A directed part remembers a row of bits for each vertex; each bit is set once."""
        n, links = part.links_within(self.domains)
        n_words = -(-n // 64) if part.directed else 0
        memory = self._remember([np.zeros(n * n_words, dtype=np.uint64)])
        if part.directed:
            check_words("the trail of ways", n * n)
            self.n_saves += n * n
        self.n_numbers = max(self.n_numbers, n)
        wakes = [(v, ANY) for v in dict.fromkeys(v for v, *_ in links)]
        return Encoded(kernel.ACYCLIC, [len(links), n, n_words, memory, *chain.from_iterable(links)], wakes)

    @encode.register
    def _sized(self, part: Sized) -> Encoded:
        memory = self._remember([np.zeros(1, dtype=np.uint64)])
        self.n_saves += 2 * len(part.variables) + 1
        encoded = self._graph(kernel.SIZED, [part.value, part.low, part.high], part)
        return encoded._replace(args=[*encoded.args, memory])

    def _graph(self, kind: int, numbers: list[int], part: c.Connected | Sized) -> Encoded:
        """A part about cells, with the neighbours of each."""
        n = len(part.variables)
        self.n_numbers = max(self.n_numbers, 3 * n)
        args = [n, *numbers, *part.variables, *_neighbours(n, part.edges)]
        return Encoded(kind, args, [(v, ANY) for v in dict.fromkeys(part.variables)])

    @encode.register
    def _stacked(self, part: Stacked) -> Encoded:
        args = [len(part.variables), part.first, part.stop - part.first, part.capacity, int(part.is_full)]
        args += chain.from_iterable(zip(part.variables, part.lengths, part.heights, strict=True))
        self.n_numbers = max(self.n_numbers, 2 * (part.stop - part.first))
        return Encoded(kernel.STACKED, args, [(v, ANY) for v in part.variables])

    @encode.register
    def _clause(self, part: c.Clause) -> Encoded:
        """A clause, which runs when a negative literal becomes false.

        A positive literal of a variable with two values becomes the negation of the other value.
        """
        args = [0]
        wakes: dict[tuple[c.Variable, int], None] = {}
        tells: list[tuple[c.Variable, int]] = []
        literals, domains = self._literals, self.domains
        for literal in part.literals:
            v, value, sign = literal
            if literal not in literals:
                if value not in domains[v]:
                    if sign:
                        continue
                    return self.encode(Weighted((), (), c.EQUAL, 0))  # always holds
                literals[literal] = self._literal(*literal)
            numbers, told = literals[literal]
            args += numbers
            if told is None:
                wakes[v, ANY] = None
            else:
                tells.append(told)
        args[0] = len(args) // 3
        return Encoded(kernel.CLAUSE, args, list(wakes), tells)

    def _literal(
        self, v: c.Variable, value: int, sign: bool
    ) -> tuple[tuple[int, int, int], tuple[c.Variable, int] | None]:
        """A literal as numbers, and the value that makes it false; None if it is one of several."""
        if sign and len(self.domains[v]) != 2:
            return (v, self.first_bits[v] + value, 1), None
        false = sum(self.domains[v]) - value if sign else value
        return (v, self.first_bits[v] + false, 0), (v, false)

    @encode.register
    def _images(self, part: Images) -> Encoded:
        n_values, values = len(part.values), np.array(part.values)
        places, numbers = np.divmod(np.arange(part.sources.shape[1]), n_values)
        literals = np.column_stack([np.array(part.variables)[places], values[numbers]])
        is_possible = np.array([value in self.domains[v] for v, value in literals.tolist()])
        firsts: list[int] = []
        entries: list[int] = []
        for sources in part.sources:
            firsts.append(images.ARGS + len(part.sources) + len(entries))
            can_be = is_possible[sources].reshape(-1, n_values)
            is_moved = (is_possible & (sources != np.arange(len(sources)))).reshape(-1, n_values).any(axis=1)
            moved, kept = np.flatnonzero(is_moved), can_be[is_moved]
            n_kept = kept.sum(axis=1)
            of, number = np.nonzero(kept)
            shown = np.column_stack([values[number], literals[sources[n_values * moved[of] + number]]])
            heads = np.column_stack([np.array(part.variables)[moved], n_kept])
            ends = np.cumsum(3 * n_kept)
            entries += np.insert(shown.ravel(), np.repeat(ends - 3 * n_kept, 2), heads.ravel()).tolist()
            entries.append(-1)
            self.n_saves += len(moved) + 1
        memory = self._remember([np.array(firsts, dtype=np.uint64)])
        args = [len(firsts), memory, *firsts, *entries]
        return Encoded(kernel.IMAGES, args, [(v, ANY) for v in part.variables])

    @encode.register
    def _least(self, part: Least) -> Encoded:
        n, n_values = len(part.variables), len(part.values)
        self.n_numbers = max(self.n_numbers, least_kernel.n_numbers(n, n_values))
        args = [n, n_values, *self._tables_and_memory(part, least.MOST_LOOKS), *part.variables, *part.values]
        return Encoded(kernel.LEAST, args, [(v, FIXED) for v in dict.fromkeys(part.variables)])

    @encode.register
    def _least_set(self, part: LeastSet) -> Encoded:
        n, n_most = len(part.variables), part.n_most
        self.n_numbers = max(self.n_numbers, set_kernel.n_numbers(n_most, n))
        args = [n, n_most, *self._tables_and_memory(part, least_set.MOST_LOOKS), *part.variables]
        return Encoded(kernel.LEAST_SET, args, [(v, FIXED) for v in part.variables])

    def _tables_and_memory(self, part: Least | LeastSet, most_looks: int) -> list[int]:
        """The place of the first node, the images that are looked at, and the place of the memory."""
        assert not self.n_supports  # the places in the tables are absolute
        self._add_supports(part.tables.words)
        self.n_saves += len(part.variables)
        return [part.tables.root, most_looks, self._remember([np.zeros(1, dtype=np.uint64)])]


def _neighbours(n: int, edges: Iterable[tuple[int, int]]) -> list[int]:
    """Where the neighbours of each node begin, where those of the last one end, and all neighbours."""
    neighbours: list[list[int]] = [[] for _ in range(n)]
    for one, other in edges:
        neighbours[one].append(other)
        neighbours[other].append(one)
    return [0, *accumulate(map(len, neighbours)), *chain.from_iterable(neighbours)]
