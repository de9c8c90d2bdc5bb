"""Symmetries of the rules that exchange what a state remembers, such as two columns of a grid.

A symmetry that permutes the decided variables among themselves takes what one state remembers of them to what
another state remembers. Both states have equally many completions, so they are counted as one. In a grid
without rectangles of one colour, any two columns can be exchanged after each row.

Symmetries are automorphisms of a graph of the rules. Only those that are their own inverse are used: some
powers of generators, and their conjugates, first those that move the fewest literals. The kernel applies them
until none gives a lesser state (`arrange.py`). It may leave equivalent states apart.
A symmetry may take the reader of a sum to a reader of the same sum. Joints are renamed (`named.py`), which
saves a quarter of the nodes for Hamiltonian cycles of 14x14, and six sevenths on a torus of 6x6. Some only
exchange values: of grids that a half turn and an exchange of four pairs of values leave unchanged, any two
pairs. Left out on purpose: symmetries that move other readers or directed links, or values of any reader,
and those that only exchange colours (`colors.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import inf
from typing import NamedTuple, TypeAlias

from rekkyo.engines.csp.frontier.readers import ReadSum, Term
from rekkyo.engines.csp.frontier.rules import Joint, Literal, Pattern, Rules
from rekkyo.model.csp.constraints import Variable
from rekkyo.model.csp.csp import Csp
from rekkyo.symmetry.automorphisms import ABOUT_A_SECOND, WORK_OF_A_ROUND, Permutation
from rekkyo.symmetry.involutions import involutions_of
from rekkyo.symmetry.model_graphs import ModelGraph

MOST_RULES = 1 << 12
"""The most rules of a model whose symmetries are looked for."""

MOST_WORK = ABOUT_A_SECOND // 2

WORK_OF_STATE = 1 / 32
"""The most work of the search for symmetries, for each expected state. Often there are a fiftieth of the
expected states: 16 million are expected for 12x12 in three colours, which are counted in 15 ms."""

MOST_EXCHANGES = 128

Value: TypeAlias = tuple[Variable, int]
"""A variable and a value of it."""


class Exchange(NamedTuple):
    """A symmetry that is its own inverse.

    onto: the image of each variable of which a value moves. moves: the image of each value that moves.
    """

    onto: Mapping[Variable, Variable]
    moves: Mapping[Value, Value]

    def image_of(self, literal: Literal) -> Literal:
        """The image of a literal."""
        v, values = literal
        if v not in self.onto:
            return literal
        return self.onto[v], frozenset(self.moves.get((v, x), (v, x))[1] for x in values)


def may_pay(model: Csp, rules: Rules, n_states: float) -> bool:
    """Whether to look for exchanges takes less time than a count of so many expected states."""
    if rules.is_hopeless or len(rules.patterns) + len(rules.onces) + len(rules.readers) > MOST_RULES:
        return False
    # Less is too little to look at each value, its variable and an edge.
    return WORK_OF_STATE * n_states >= WORK_OF_A_ROUND + 3 * sum(map(len, model.domains))


def exchanges_of(
    model: Csp, rules: Rules, colors: Sequence[int] = (), n_states: float = inf
) -> tuple[Exchange, ...]:
    """Some exchanges that take every rule to a rule; none if looking for them would take too long.

    colors: values that are exchanged anyway. Exchanges of values alone that move one of them are left out:
    with them, a count of grids of 5x5 in three colours without a rectangle of one colour did not end in 8
    minutes.
    n_states: how many states a count is expected to have.
    """
    if not may_pay(model, rules, n_states):
        return ()
    values = [(v, x) for v, domain in enumerate(model.domains) for x in domain]
    work = int(min(MOST_WORK, WORK_OF_STATE * n_states))
    symmetries = involutions_of(_graph_of(model, rules, values), len(values), MOST_EXCHANGES, work)
    found = (_exchange(values, involution) for involution in symmetries)
    return tuple(
        exchange
        for exchange in found
        if any(v != u for v, u in exchange.onto.items()) or not any(x in colors for _, x in exchange.moves)
    )


def kept_after(exchanges: Sequence[Exchange], order: Sequence[Variable]) -> dict[int, list[Exchange]]:
    """For some levels the exchanges that permute the variables decided up to there among themselves.

    The levels are those after which some exchange does so that did not after the level before.
    """
    level_of = {v: level for level, v in enumerate(order)}
    found: dict[int, list[Exchange]] = defaultdict(list)
    has_new: set[int] = set()
    for exchange in exchanges:
        n_apart = [0] * len(order)
        for v, u in exchange.onto.items():
            first, last = sorted((level_of[v], level_of[u]))
            n_apart[first] += 1
            n_apart[last] -= 1
        are_kept = [n == 0 for n in accumulate(n_apart)]
        for level in range(max(map(level_of.__getitem__, exchange.onto))):
            if are_kept[level]:
                found[level].append(exchange)
                if level == 0 or not are_kept[level - 1]:
                    has_new.add(level)
    return {level: found[level] for level in sorted(has_new)}


def _graph_of(model: Csp, rules: Rules, values: Sequence[Value]) -> ModelGraph:
    """Vertex k is the k-th value; a variable is joined to its values, a pattern to those it forbids, and a
    joint to those that touch it. A sum is joined to its different terms, and these to values.
    """
    graph = ModelGraph()
    rigid = {v for joints in rules.joints if not joints.are_pairs_or_sets for v in joints.variables}
    read = [(reader, reader.terms) for reader in rules.readers]
    rigid.update(v for reader, terms in read if terms is None for v in reader.variables)
    summed = {v for _, terms in read for v in terms or ()}
    number = {
        (v, x): graph.vertex((v, x) if v in rigid else x if v in summed else "value") for v, x in values
    }
    for v, domain in enumerate(model.domains):
        graph.vertex("variable", [number[v, x] for x in domain])

    def numbers(literals: Pattern) -> Iterator[int]:
        return (number[v, x] for v, some in literals for x in some)

    for pattern in rules.patterns:
        graph.vertex("pattern", numbers(pattern))
    for once in rules.onces:
        graph.vertex(("once", once.must), numbers(once.literals))
    for joints in rules.joints:
        touching: dict[Joint, list[int]] = defaultdict(list)
        for value, touched in joints.touched.items():
            for joint in touched:
                touching[joint].append(number[value])
        for some in touching.values():
            graph.vertex("joint", some)
    for reader, terms in read:
        if terms is not None and isinstance(reader.begin, ReadSum):
            added: dict[Term, list[int]] = defaultdict(list)
            for v, term in terms.items():
                added[term] += (number[v, x] for x in model.domains[v])
            settled = reader.begin.settled
            graph.vertex("sum", [graph.vertex((settled, term), some) for term, some in added.items()])
    return graph


def _exchange(values: Sequence[Value], involution: Permutation) -> Exchange:
    moves = {values[at]: values[image] for at, image in enumerate(involution) if at != image}
    return Exchange({v: u for (v, _), (u, _) in moves.items()}, moves)
