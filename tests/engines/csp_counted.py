"""Random problems that can be counted by merging, how tests count them, and what permutations leave unchanged."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.contract import WHOLE, no_pause
from rekkyo.engines.csp.frontier.colors import exchangeable_colors
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.csp.frontier.exchanges import exchanges_of
from rekkyo.engines.csp.frontier.levels import NOTHING_ALIKE, Alike, make_levels
from rekkyo.engines.csp.frontier.plan import best_plan, draft_of, tables_of
from rekkyo.engines.csp.frontier.rules import rules_of
from rekkyo.engines.frontier.plan import FrontierPlan, plan_of
from rekkyo.model.csp.csp import Csp
from rekkyo.model.puzzle import Model
from tests import csp_strategies, naive_csp


def countable(model: Csp) -> Csp:
    """The model without objective, and with all variables shown unless the hidden ones are determined."""
    model = replace(model, objective=None)
    if CspFrontier().accepts(model):
        return model
    return replace(model, solution=tuple(range(len(model.names))), grid=None)


MODELS = st.one_of(
    csp_strategies.models(), csp_strategies.models(max_variables=7), csp_strategies.linked_models()
).map(countable)


def permuted(model: Csp, seed: int) -> tuple[tuple[int, ...], int]:
    """A permutation of atoms, a symmetry of the model or not, and how many solutions it leaves unchanged.

    Such a solution has the atoms of its image.
    """
    rng, n_values = random.Random(seed), model.row_shape.n_values
    moved = list(range(model.row_shape.n_atoms))
    if seed % 3:
        positions = rng.sample(range(model.row_shape.length), model.row_shape.length)
        values = [rng.sample(range(n_values), n_values if seed % 3 == 2 else 0) for _ in positions]
        places = (divmod(atom, n_values) for atom in moved)
        moved = [
            positions[place] * n_values + (values[place][value] if values[place] else value)
            for place, value in places
        ]
    else:
        some = rng.sample(moved, min(4, len(moved)))
        for atom, image in zip(some, some[1:] + some[:1], strict=True):
            moved[atom] = image
    unchanged = 0
    for row in naive_csp.solutions(model):
        atoms = {position * n_values + value for position, value in enumerate(row)}
        unchanged += {moved[atom] for atom in atoms} == atoms
    return tuple(moved), unchanged


ENGINE = CspFrontier()


def alike_of(model: Csp) -> Alike:
    rules = rules_of(model)
    read = tables_of(rules)
    colors = exchangeable_colors(model, rules, read)
    return Alike(colors, exchanges_of(model, rules, colors))


def planned(model: Csp, order: Sequence[int], alike: Alike = NOTHING_ALIKE) -> FrontierPlan[Csp]:
    return plan_of(model, *make_levels(model, rules_of(model), order, alike))


def plan_with_exchanges(model: Csp) -> FrontierPlan[Csp]:
    """The plan with the exchanges of larger problems, which are worth looking for."""
    draft = draft_of(model, None, None)
    return best_plan(draft, draft.guesses, alike_of(model))


def total_of(plan: FrontierPlan[Csp], engine: CspFrontier = ENGINE) -> int:
    return engine.count(plan, WHOLE, no_pause).total


def total(model: Model) -> int:
    return total_of(ENGINE.plan(model))


def grid(n: int, m: int | None = None, kind: str = "grid") -> rk.Graph:
    return rk.graph(named=f"{kind} {n} {m or n}")
