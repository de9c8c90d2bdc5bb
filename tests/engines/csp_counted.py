"""Random problems that can be counted by merging, and what permutations leave unchanged."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import strategies as st

from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.model.csp.csp import Csp
from tests import naive_csp


def countable(model: Csp) -> Csp:
    """The model without objective, and with all variables shown unless the hidden ones are determined."""
    model = replace(model, objective=None)
    if CspFrontier().accepts(model):
        return model
    return replace(model, solution=tuple(range(len(model.names))), grid=None)


MODELS = st.one_of(naive_csp.models(), naive_csp.models(max_variables=7), naive_csp.linked_models()).map(
    countable
)


def permuted(model: Csp, seed: int) -> tuple[tuple[int, ...], int]:
    """A permutation of atoms, a symmetry of the model or not, and how many solutions it leaves unchanged.

    Such a solution has the atoms of its image.
    """
    rng, n_values = random.Random(seed), model.row_shape.n_values
    moved = list(range(model.row_shape.n_atoms))
    if seed % 2:
        positions = list(range(model.row_shape.length))
        rng.shuffle(positions)
        moved = [positions[atom // n_values] * n_values + atom % n_values for atom in moved]
    else:
        some = rng.sample(moved, min(4, len(moved)))
        for atom, image in zip(some, some[1:] + some[:1], strict=True):
            moved[atom] = image
    unchanged = 0
    for row in naive_csp.solutions(model):
        atoms = {position * n_values + value for position, value in enumerate(row)}
        unchanged += {moved[atom] for atom in atoms} == atoms
    return tuple(moved), unchanged
