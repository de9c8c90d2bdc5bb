"""Automata are made deterministic, and keep their words."""

from __future__ import annotations

import random
from itertools import pairwise, product

import pytest

from rekkyo.model.csp.automata import deterministic
from rekkyo.model.csp.constraints import Diagram, Regular
from rekkyo.model.csp.csp import Csp
from tests import naive_csp

DOMAINS = (1, 2), (0, 1, 2), (0, 2)
ORDER = 2, 0, 1
EDGES = tuple(product(range(3), repeat=3))


def automaton(seed: int) -> Regular | Diagram:
    """Of three nodes in each layer, which often lead to several nodes by one value."""
    rng = random.Random(seed)
    if seed % 2:
        return Regular(ORDER, 3, tuple(rng.sample(EDGES, 9)), (1, 2))
    return Diagram(ORDER, tuple(tuple(rng.sample(EDGES, 9)) for _ in ORDER))


@pytest.mark.parametrize("seed", range(12))
def test_a_deterministic_automaton_has_the_same_words(seed: int) -> None:
    constraint = automaton(seed)
    layers = [{(start, value): end for start, value, end in layer} for layer in made(constraint)]
    words = []
    for row in product(*DOMAINS):
        node: int | None = 0
        for v, layer in zip(ORDER, layers, strict=True):
            node = None if node is None else layer.get((node, row[v]))
        if node is not None:
            words.append(row)
    assert words == naive_csp.solutions(Csp(("x", "y", "z"), DOMAINS, (constraint,)))


@pytest.mark.parametrize("seed", range(12))
def test_each_edge_of_a_deterministic_automaton_is_part_of_a_word(seed: int) -> None:
    layers = made(automaton(seed))
    assert all(len({edge[:2] for edge in layer}) == len(layer) for layer in layers)
    for one, other in pairwise(layers):
        assert {end for _, _, end in one} == {start for start, _, _ in other}


@pytest.mark.parametrize("seed", range(12))
def test_layers_share_no_number_but_that_of_the_node_between_them(seed: int) -> None:
    layers = made(automaton(seed))
    starts = [{start for start, _, _ in layer} for layer in layers]
    assert starts[0] <= {0}
    assert sum(map(len, starts)) == len(set().union(*starts))
    for v, layer in zip(ORDER, layers, strict=True):
        assert {value for _, value, _ in layer} <= {*DOMAINS[v]}


def made(constraint: Regular | Diagram) -> list[set[tuple[int, int, int]]]:
    return [set(layer) for layer in deterministic(constraint, DOMAINS)]
