"""What constraints mean, where brute force on small problems rarely goes."""

from __future__ import annotations

from itertools import permutations

from rekkyo.model.csp.constraints import Acyclic
from rekkyo.model.csp.definition import holds


def test_a_cycle_is_seen_in_whatever_order_its_links_come() -> None:
    """Two pairs of four vertices are joined first, and then the trees of both; the last link closes the cycle."""
    for ring in permutations(((0, 1), (1, 2), (2, 3), (3, 0))):
        links = tuple((position, 1, *ends) for position, ends in enumerate(ring))
        acyclic = Acyclic((0, 1, 2, 3), links)
        assert not holds(acyclic, (1, 1, 1, 1))
        assert holds(acyclic, (1, 1, 1, 0))
