"""Constraints of XCSP3 by tables and automata."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from math import prod
from typing import TypeAlias

from rekkyo.export.flatzinc.domains import Unknown
from rekkyo.export.xcsp3.given import Given
from rekkyo.export.xcsp3.words import ANY, Row, numbers_in
from rekkyo.model.csp.constraints import Clause, Diagram, Table
from rekkyo.wording import several

MOST_ROWS = 1 << 12
"""If the rows with stars of a table stand for more rows without stars, it becomes a diagram."""

NOTHING = 0
"""The end of a row after its last value."""

Layer: TypeAlias = tuple[tuple[int, int, int], ...]
"""The edges of a `Diagram` for one variable."""


def extension(given: Given) -> None:
    """The values are one of the rows of a table, or none of them."""
    if given.attribute("type", "ordinary") not in ("ordinary", "starred", "short"):
        given.building.refuse("only ordinary and starred tables are read")
    variables = given.unknowns()
    tags = [tag for tag in ("supports", "conflicts") if given.has(tag)]
    if len(tags) != 1:
        given.building.refuse("it must have <supports> or <conflicts>")
    rows, intervals = given.writer.rows_of(given.text(tags[0]))
    if any(len(row) != len(variables) for row in rows) or (intervals and len(variables) > 1):
        given.building.refuse(f"a tuple does not have {several(len(variables), 'value')}")
    if intervals:
        domain = given.building.values(variables[0])
        chosen = frozenset(numbers_in(intervals, domain[0], domain[-1]))
        rows = [(value,) for value in domain if value in chosen]
    if tags == ["supports"]:
        _supports(given, variables, rows)
    else:
        _conflicts(given, variables, rows)


def _supports(given: Given, variables: Sequence[Unknown], rows: Sequence[Row]) -> None:
    domains = [given.building.values(variable) for variable in variables]
    known = [*map(frozenset, domains)]
    rows = [
        row
        for row in dict.fromkeys(rows)
        if all(value is ANY or value in values for value, values in zip(row, known, strict=True))
    ]
    choices = [
        [values if value is ANY else (value,) for value, values in zip(row, domains, strict=True)]
        for row in rows
    ]
    if sum(prod(map(len, each)) for row, each in zip(rows, choices, strict=True) if ANY in row) > MOST_ROWS:
        layers = _diagram(given, domains, rows)
        given.building.add(Diagram(given.building.variables(variables), layers))
        return
    plain = [values for each in choices for values in product(*each)]
    given.writer.spend(len(plain) * len(variables))
    given.building.state(given.building.table(variables, plain))


def _diagram(given: Given, domains: Sequence[Sequence[int]], rows: Sequence[Row]) -> tuple[Layer, ...]:
    """The layers of a deterministic diagram of rows with stars, in which every value is possible.

    A node is the set of what may follow in the rows that agree with the values so far. What follows in a row
    is its *end*; equal ends have one number, and an end of stars alone replaces all others.
    """
    number: dict[tuple[int | None, int], int] = {}
    free = {NOTHING}
    whole: set[int] = set()
    for row in rows:
        end = NOTHING
        for value in reversed(row):
            is_free = value is ANY and end in free
            end = number.setdefault((value, end), len(number) + 1)
            free |= {end} if is_free else set()
        whole.add(end)
    part = {end: (value, after) for (value, after), end in number.items()}
    nodes = {frozenset(whole & free or whole): 0}
    layers: list[Layer] = []
    for domain in domains:
        edges: list[tuple[int, int, int]] = []
        reached: dict[frozenset[int], int] = {}
        for node, start in nodes.items():
            following: defaultdict[int | None, set[int]] = defaultdict(set)
            for value, after in map(part.__getitem__, node):
                following[value].add(after)
            always = following.pop(ANY, set())
            labels = domain if always else [value for value in domain if value in following]
            given.writer.spend(len(labels))
            for label in labels:
                ends = always | following[label] if label in following else always
                end_node = frozenset(ends & free or ends)
                edges.append((start, label, reached.setdefault(end_node, len(reached))))
        layers.append(tuple(edges))
        nodes = reached
    return tuple(layers)


def _conflicts(given: Given, variables: Sequence[Unknown], rows: Sequence[Row]) -> None:
    numbers = given.building.variables(variables)
    given.writer.spend(len(rows) * len(variables))
    plain = [tuple(value for value in row if value is not ANY) for row in rows]
    if all(len(row) == len(numbers) for row in plain):
        if plain:
            given.building.add(Table(numbers, tuple(sorted(set(plain))), allowed=False))
        return
    for row in dict.fromkeys(rows):
        pairs = zip(numbers, row, strict=True)
        literals = [(v, value, False) for v, value in pairs if value is not ANY]
        given.building.add(Clause(tuple(literals)))


def regular(given: Given) -> None:
    """The values are a word of an automaton."""
    moves = given.writer.moves_of(given.text("transitions"))
    start, final = given.text("start").split(), given.text("final").split()
    if len(start) != 1 or not final:
        given.building.refuse("an automaton has one state in <start>, and one or more in <final>")
    _automaton(given, moves, start[0], final)


def mdd(given: Given) -> None:
    """The values are a way through a decision diagram, which is read as an automaton."""
    moves = given.writer.moves_of(given.text("transitions"))
    starts = dict.fromkeys(start for start, _, _ in moves)
    ends = dict.fromkeys(end for _, _, end in moves)
    roots, leaves = [s for s in starts if s not in ends], [s for s in ends if s not in starts]
    if len(roots) != 1 or len(leaves) != 1:
        given.building.refuse("a diagram has one node without an edge to it and one without an edge from it")
    _automaton(given, moves, roots[0], leaves)


def _automaton(given: Given, moves: Sequence[tuple[str, int, str]], start: str, final: Sequence[str]) -> None:
    given.writer.spend(len(moves))
    given.building.automaton(given.only_list(), start, moves, final)
