"""Propagation of links that form no cycle.

A link is *sure* if its variable has its value, and *possible* if the variable can have it. A possible link
that would close a cycle of sure links is removed.

Undirected: the trees of sure links are found by union and find, each time from the beginning. Directed: bits
say for each vertex which ones can be reached from it over sure links. They are kept, and a new link adds what
its end reaches to each vertex that reaches its beginning. Source: Italiano, "Amortized efficiency of a path
retrieval data structure", Theoretical Computer Science 48 (1986), without its trees.

Args of a part:

    acyclic | n links | n vertices | n words of a row | memory | v value one other … |    undirected: no words
    memory  | row of vertex 0 | row of vertex 1 | … |       in `words`
"""

from __future__ import annotations

import numpy as np

from rekkyo.bits import ONE, ZERO
from rekkyo.engines.csp.propagating.state import NUMBERS, Int, Machine, Place, has, is_fixed, remove, save
from rekkyo.jit import inlined_inner_kernel, inner_kernel

LINK = 4
"""Numbers of a link."""


@inner_kernel
def propagate_acyclic(m: Machine, a: Place) -> bool:
    """See above."""
    return bool(propagate_forest(m, a) if m.code[a + 2] == 0 else propagate_directed(m, a))


@inner_kernel
def propagate_forest(m: Machine, a: Place) -> bool:
    """See above. numbers: for each vertex another one of its tree, or itself if it is the root."""
    code, above = m.code, m.ints[NUMBERS]
    links = a + 4
    for vertex in range(code[a + 1]):
        m.ints[above + vertex] = vertex
    for at in range(links, links + LINK * code[a], LINK):
        if is_fixed(m, code[at]) and has(m, code[at], code[at + 1]):
            one, other = root_of(m, above, code[at + 2]), root_of(m, above, code[at + 3])
            if one == other:
                return False
            m.ints[above + one] = other
    for at in range(links, links + LINK * code[a], LINK):
        if not is_fixed(m, code[at]) and has(m, code[at], code[at + 1]):
            is_closing = root_of(m, above, code[at + 2]) == root_of(m, above, code[at + 3])
            if is_closing and not remove(m, code[at], code[at + 1]):
                return False
    return True


@inner_kernel
def root_of(m: Machine, above: Place, vertex: Int) -> Int:
    """The root of the tree of a vertex; the way to it becomes shorter."""
    ints = m.ints
    while ints[above + vertex] != vertex:
        ints[above + vertex] = ints[above + ints[above + vertex]]
        vertex = ints[above + vertex]
    return vertex


@inner_kernel
def propagate_directed(m: Machine, a: Place) -> bool:
    """See above."""
    code = m.code
    links = a + 4
    for at in range(links, links + LINK * code[a], LINK):
        if is_fixed(m, code[at]) and has(m, code[at], code[at + 1]):
            one, other = code[at + 2], code[at + 3]
            if one == other or reaches(m, a, other, one):
                return False
            if not reaches(m, a, one, other):
                add_link(m, a, one, other)
    for at in range(links, links + LINK * code[a], LINK):
        if not is_fixed(m, code[at]) and has(m, code[at], code[at + 1]):
            one, other = code[at + 2], code[at + 3]
            is_closing = one == other or reaches(m, a, other, one)
            if is_closing and not remove(m, code[at], code[at + 1]):
                return False
    return True


@inlined_inner_kernel
def reaches(m: Machine, a: Place, one: Int, other: Int) -> bool:
    """Whether a vertex is reached from another one over sure links."""
    word = m.words[m.code[a + 3] + one * m.code[a + 2] + (other >> 6)]
    return bool(word >> np.uint64(other & 63) & ONE != ZERO)


@inner_kernel
def add_link(m: Machine, a: Place, one: Int, other: Int) -> None:
    """Add what is reached over a link to all vertices that reach its beginning."""
    n_words, memory = m.code[a + 2], m.code[a + 3]
    for vertex in range(m.code[a + 1]):
        if vertex == one or reaches(m, a, vertex, one):
            for word in range(n_words):
                place = memory + vertex * n_words + word
                more = m.words[memory + other * n_words + word]
                if word == other >> 6:
                    more |= ONE << np.uint64(other & 63)
                if m.words[place] | more != m.words[place]:
                    save(m, place, m.words[place] | more)
