"""Readers: constraints as automata that read the values of their variables in any order.

A reader is told the order in which it will read, and answers with a start and a step. A state is any
hashable value; True and False say that the constraint holds, or fails, whatever comes. `TablesMade` makes
tables of a reader: the states that can be reached, equivalent ones merged, hopeless ones dropped. Merging
takes one pass because the automaton has layers (Revuz, "Minimisation of acyclic deterministic automata in
linear time", 1992).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias

from rekkyo.engines.frontier.levels import DEAD
from rekkyo.model.csp.constraints import Variable

State: TypeAlias = Hashable

Step: TypeAlias = Callable[[State, int, int], State]
"""The state after a state, how many values were read before, and the value that is read."""

Layer: TypeAlias = list[State]

Moves: TypeAlias = list[list[int]]
"""For each state of a layer and each choice, the number of the state of the next layer; -1 where it fails."""

Steps: TypeAlias = Callable[[Layer, int, Sequence[int]], tuple[Moves, Layer]]
"""The moves from a layer by the values of a domain, and the next layer, by how many values were read."""

Reading: TypeAlias = tuple[State, Step]
"""The first state of a reader, and its step."""

Begin: TypeAlias = Callable[[Sequence[int]], Reading]
"""Takes the order in which the places of a reader's variables are read."""

MOST_STATES = 1 << 14
"""The most states of a reader after one of its variables."""

MOST_STEPS = 1 << 22


Term: TypeAlias = frozenset[tuple[int, int]]
"""Some values, and what each adds to a sum."""


class Reader(NamedTuple):
    """A constraint over different variables."""

    variables: tuple[Variable, ...]
    begin: Begin

    @property
    def terms(self) -> Mapping[Variable, Term] | None:
        """What each variable adds to a sum; None for other constraints."""
        if not isinstance(self.begin, ReadSum):
            return None
        weights = zip(self.variables, self.begin.weights, strict=True)
        return {v: frozenset(some.items()) for v, some in weights}


Edge: TypeAlias = tuple[int, int, int]
"""(node, value, node of the next layer)."""

Settled: TypeAlias = Callable[[int, int], bool | None]
"""Whether all sums from the first number to the second one are right, or none is; None for some."""


@dataclass(frozen=True, slots=True)
class Between:
    """Sums from `least` to `most` are right."""

    least: int
    most: int

    def __call__(self, low: int, high: int) -> bool | None:
        """See `Settled`."""
        if high < self.least or low > self.most:
            return False
        return True if self.least <= low and high <= self.most else None


@dataclass(frozen=True, slots=True)
class DifferentFrom:
    """All sums but one are right."""

    constant: int

    def __call__(self, low: int, high: int) -> bool | None:
        """See `Settled`."""
        if not low <= self.constant <= high:
            return True
        return False if low == high else None


@dataclass(frozen=True, slots=True)
class ReadSum:
    """The sum of weights[place][value] is right. weights: for each place those of all values."""

    weights: Sequence[Mapping[int, int]]
    settled: Settled

    def told_apart_by(self, order: Sequence[int]) -> Hashable:
        """Sums for which this is the same go through the same states."""
        return self.settled, *(tuple(self.weights[place].items()) for place in order)

    def __call__(self, order: Sequence[int]) -> Reading:
        """See `Begin`."""
        reading = self.in_order(order)
        return reading.state(0, 0), reading.step

    def in_order(self, order: Sequence[int]) -> SumInOrder:
        """The sum as it is read in an order of its places."""
        return SumInOrder([self.weights[place] for place in order], self.settled)


class SumInOrder:
    """A sum whose terms are read in an order. weights: in this order."""

    def __init__(self, weights: Sequence[Mapping[int, int]], settled: Settled) -> None:
        self._weights, self._settled = weights, settled
        lows = [min(some.values()) for some in weights]
        highs = [max(some.values()) for some in weights]
        self._rest_low = list(accumulate(reversed(lows), initial=0))[::-1]
        self._rest_high = list(accumulate(reversed(highs), initial=0))[::-1]

    def state(self, total: int, n_read: int) -> State:
        """The state at a sum of the first terms."""
        answer = self._settled(total + self._rest_low[n_read], total + self._rest_high[n_read])
        return ("sum", total) if answer is None else answer

    def step(self, before: State, n_read: int, value: int) -> State:
        """See `Step`."""
        assert isinstance(before, tuple)
        return self.state(before[1] + self._weights[n_read][value], n_read + 1)

    def steps(self, layer: Layer, n_read: int, domain: Sequence[int]) -> tuple[Moves, Layer]:
        """See `Steps`. Many steps lead to the same sum, which is looked at once: three times as fast."""
        added = [self._weights[n_read][value] for value in domain]
        numbers = _Numbers(partial(self.state, n_read=n_read + 1))
        moves = []
        for state in layer:
            if isinstance(state, tuple):
                total = state[1]
                moves.append([numbers[total + more] for more in added])
            else:
                moves.append([numbers.of_state(state)] * len(added))
        return moves, list(numbers.layer)


class _Numbers(dict[int, int]):
    """The numbers of the states at sums, in the order in which they are asked for; -1 for sums that fail.

    layer: the states in this order, with their numbers.
    """

    def __init__(self, state: Callable[[int], State]) -> None:
        self._state = state
        self.layer: dict[State, int] = {}

    def __missing__(self, total: int) -> int:
        self[total] = number = self.of_state(self._state(total))
        return number

    def of_state(self, state: State) -> int:
        """The number of a state; -1 for one that fails."""
        return -1 if state is False else self.layer.setdefault(state, len(self.layer))


def read_rows(rows: Sequence[tuple[int, ...]]) -> Begin:
    """The values are one of the rows. A state is the set of the ends of rows that are left."""

    def begin(order: Sequence[int]) -> Reading:
        start = frozenset(tuple(row[place] for place in order) for row in rows)

        def step(ends: State, n_read: int, value: int) -> State:
            assert isinstance(ends, frozenset)
            left = frozenset(end[1:] for end in ends if end[0] == value)
            return left if left and n_read + 1 < len(order) else bool(left)

        return (start or False), step

    return begin


def read_automaton(layers: Sequence[Sequence[Edge]], accepting: Collection[int] | None) -> Begin:
    """The values label a way from node 0 through all layers; accepting: where it may end, None for anywhere.

    A state has for each stretch of places that have been read the pairs of nodes between which ways with
    these values go; from the first place on they begin at node 0, and where they end behind the last one does
    not matter.
    """
    n = len(layers)
    may_end = None if accepting is None else frozenset(accepting)
    leads: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for place, edges in enumerate(layers):
        for start, value, end in edges:
            if (place > 0 or start == 0) and (place < n - 1 or may_end is None or end in may_end):
                leads.setdefault((place, value), set()).add((start, end if place < n - 1 else 0))

    def begin(order: Sequence[int]) -> Reading:
        def step(stretches: State, n_read: int, value: int) -> State:
            assert isinstance(stretches, tuple)
            place = order[n_read]
            n_before = sum(1 for p in order[:n_read] if p < place and p + 1 not in order[:n_read])
            left, right = list(stretches[:n_before]), list(stretches[n_before:])
            ways = leads.get((place, value), set())
            if place - 1 in order[:n_read]:
                ways = _composed(left.pop(), ways)
            if place + 1 in order[:n_read]:
                ways = _composed(ways, right.pop(0))
            if n_read + 1 == n or not ways:
                return bool(ways)
            return (*left, frozenset(ways), *right)

        return (), step

    return begin


def _composed(first: Iterable[tuple[int, int]], second: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    """One way after the other."""
    ends = list(second)
    return {(start, end) for start, middle in first for other, end in ends if middle == other}


@dataclass(frozen=True, slots=True)
class ReadProduct:
    """The product of all places but the last, to their powers, is the value of the last place.

    Products with the same powers are read in the same way, so that their tables are made once (`TablesMade`).
    """

    powers: tuple[int, ...]

    def __call__(self, order: Sequence[int]) -> Reading:
        """See `Begin`."""
        powers = self.powers

        def step(state: State, n_read: int, value: int) -> State:
            assert isinstance(state, tuple)
            product, result = state
            if order[n_read] == len(powers):
                result = value
            else:
                product *= value ** powers[order[n_read]]
            return (product, result) if n_read + 1 < len(order) else product == result

        return (1, None), step


def read_different(excepted: frozenset[int]) -> Begin:
    """No value comes twice, but for those that are excepted."""

    def begin(order: Sequence[int]) -> Reading:
        def step(used: State, n_read: int, value: int) -> State:
            assert isinstance(used, frozenset)
            if value in used:
                return False
            after = used if value in excepted else used | {value}
            return after if n_read + 1 < len(order) else True

        return frozenset(), step

    return begin


OPEN, SAME, LESS, GREATER, PAST = "open", "same", "less", "greater", "past"


def read_lex(pairs: Sequence[tuple[int, int]], strict: bool) -> Begin:
    """The first places of all pairs, as a word, come before the second ones. A place may be in two pairs.

    A state has for each pair how it compares, or the one value that was read of it. Pairs behind one that
    differs are past: they no longer matter.
    """

    def begin(order: Sequence[int]) -> Reading:
        def step(state: State, n_read: int, value: int) -> State:
            assert isinstance(state, tuple)
            place = order[n_read]
            after: list[Any] = []
            for (lesser, greater), status in zip(pairs, state, strict=True):
                here = _compared(status, place == lesser, place == greater, value)
                after.append(PAST if after and after[-1] in (LESS, GREATER, PAST) else here)
            first = next((status for status in after if status != SAME), None)
            if first in (LESS, GREATER):
                return bool(first == LESS)
            return tuple(after) if first is not None else not strict

        return (OPEN,) * len(pairs), step

    return begin


def _compared(status: Any, is_lesser: bool, is_greater: bool, value: int) -> Any:
    """How a pair compares after a value was read that may be its lesser part, its greater part, or both."""
    if is_lesser and is_greater:
        return SAME
    if status == PAST or not (is_lesser or is_greater):
        return status
    if status == OPEN:
        return (is_lesser, value)
    lesser, greater = (value, status[1]) if is_lesser else (status[1], value)
    return SAME if lesser == greater else LESS if lesser < greater else GREATER


def read_not(inner: Begin) -> Begin:
    """The inner reader does not end well."""

    def begin(order: Sequence[int]) -> Reading:
        start, inner_step = inner(order)

        def turned(state: State) -> State:
            return not state if isinstance(state, bool) else state

        def step(state: State, n_read: int, value: int) -> State:
            return turned(inner_step(state, n_read, value))

        return turned(start), step

    return begin


def read_reified(inner: Begin, truth: int) -> Begin:
    """The value of the place `truth` is 1 just when the inner reader, of all other places, ends well."""

    def begin(order: Sequence[int]) -> Reading:
        at = list(order).index(truth)
        start, inner_step = inner([place - (place > truth) for place in order if place != truth])

        def settled(state: State, known: int | None) -> State:
            return (state, known) if known is None or not isinstance(state, bool) else state == bool(known)

        def step(both: State, n_read: int, value: int) -> State:
            assert isinstance(both, tuple)
            state, known = both
            if n_read == at:
                return settled(state, value) if value in (0, 1) else False
            if not isinstance(state, bool):
                state = inner_step(state, n_read - (n_read > at), value)
            return settled(state, known)

        return (start, None), step

    return begin


class Tables(NamedTuple):
    """A reader as tables, for one order of its variables.

    after[k][choice][n]: the number of the state that state n becomes when variable k of the order gets value
    number `choice` of its domain; DEAD where it fails. width: bits of the number of a state.
    """

    after: tuple[tuple[tuple[int, ...], ...], ...]
    width: int

    @property
    def says_nothing(self) -> bool:
        """Whether the constraint always holds."""
        return self.width == 0 and not any(n == DEAD for one in self.after for row in one for n in row)


class TablesMade:
    """The tables of the readers of a model, made once for each way in which values are read.

    Several orders of the variables are compared, and sums of many variables often have the same weights: of
    Hamiltonian cycles of 14x14, 2 of 768 tables are made.
    """

    def __init__(self, domains: Sequence[Sequence[int]]) -> None:
        self._domains = domains
        self._made: dict[Hashable, Tables | None] = {}

    def of(self, reader: Reader, order: Sequence[int]) -> Tables | None:
        """The tables of a reader whose places are read in an order; None where they are too large."""
        begin, domains = reader.begin, [self._domains[reader.variables[place]] for place in order]
        told_apart = begin.told_apart_by(order) if isinstance(begin, ReadSum) else (begin, *order)
        key = told_apart, *domains
        if key not in self._made:
            self._made[key] = _tabulated(begin, order, domains)
        return self._made[key]


def _steps_of(begin: Begin, order: Sequence[int]) -> tuple[State, Steps]:
    """The first state of a reader, and its steps from layer to layer."""
    if isinstance(begin, ReadSum):
        reading = begin.in_order(order)
        return reading.state(0, 0), reading.steps
    start, step = begin(order)

    def steps(layer: Layer, n_read: int, domain: Sequence[int]) -> tuple[Moves, Layer]:
        numbers: dict[State, int] = {}
        moves = []
        for state in layer:
            reached = [state if isinstance(state, bool) else step(state, n_read, value) for value in domain]
            moves.append([-1 if s is False else numbers.setdefault(s, len(numbers)) for s in reached])
        return moves, list(numbers)

    return start, steps


def _tabulated(begin: Begin, order: Sequence[int], domains: Sequence[Sequence[int]]) -> Tables | None:
    """Tables of a reader; None where they are too large. order: of its places. domains: in this order."""
    start, steps = _steps_of(begin, order)
    layer: Layer = [start]
    moves: list[Moves] = []
    n_steps = 0
    for n_read, domain in enumerate(domains):
        n_steps += len(layer) * len(domain)
        if n_steps > MOST_STEPS or len(layer) > MOST_STATES:
            return None
        leads, layer = steps(layer, n_read, domain)
        moves.append(leads)
    return _minimized(moves, len(layer), list(map(len, domains)))


def _minimized(moves: list[Moves], n_last: int, n_choices: Sequence[int]) -> Tables:
    """States of the same future become one. All last states end well."""
    merged = [0] * n_last
    tables: list[tuple[tuple[int, ...], ...]] = []
    most = 1
    for layer, n in zip(reversed(moves), reversed(n_choices), strict=True):
        merged.append(DEAD)  # for moves to -1
        hopeless = (DEAD,) * n
        numbers: dict[tuple[int, ...], int] = {}
        here = []
        for leads in layer:
            future = tuple([merged[end] for end in leads])
            here.append(DEAD if future == hopeless else numbers.setdefault(future, len(numbers)))
        futures = list(numbers) or [hopeless]
        tables.append(tuple(zip(*futures, strict=True)))
        most = max(most, len(futures))
        merged = here
    return Tables(tuple(reversed(tables)), (most - 1).bit_length())
