"""Limits of the engines that merge equal states, lowered so that small models meet what long counts do.

That is: levels in rounds, in parts and in order, levels that are crossed, exchanges that are looked for early, and
many short calls of the kernels. Other limits decide which search is tried beside another one, and which wins.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from math import inf
from types import ModuleType
from unittest import mock

from rekkyo.engines.covers.frontier import engine as cover_engine
from rekkyo.engines.covers.frontier import levels as cover_levels
from rekkyo.engines.covers.frontier import plan as covers
from rekkyo.engines.csp.frontier import by_value, exchanges, levels, order
from rekkyo.engines.csp.frontier import engine as problem_engine
from rekkyo.engines.csp.frontier import plan as problems
from rekkyo.engines.frontier import apart, in_order, together, walk
from rekkyo.search import best_by_merging, helping, listing, merging, optimum, question, quick, race
from rekkyo.symmetry.automorphisms import ABOUT_A_SECOND

LIMITS: dict[ModuleType, dict[str, tuple[float, ...]]] = {
    walk: {
        "MANY_STATES": (1, 3, 1 << 15),
        "MANY_IF_SHARED": (1, 4),
        "MANY_IN_ORDER": (1, 1, 1 << 13),
        "NODES_TO_LOAD": (0, 0, 100),
        "MOST_LEVELS": (1, 3),
        "FEW_STATES": (1, 8),
        "FEW_NODES": (1, 50),
        "STATES_OF_SINGLE": (4, 64),
    },
    apart: {
        "LEAST_LEVELS": (1, 2),
        "LEAST_BITS": (1, 2, 3),
        "STATES_OF_PART": (1, 3, 20),
        "MOST_STATES_OF_PART": (3, 30),
        "STATES_OF_WORKER": (1, 4),
        "STATES_OF_STRETCH": (3, 50),
        "STATES_OF_STEP": (5, 100),
        "NODES_AT_ONCE": (1, 5),
        "MOST_GROWN": (1, 4),
    },
    in_order: {"LEAST_LEVELS": (1, 2, 3)},
    together: {"ROUND": (1, 7), "ROUND_TOGETHER": (2, 14)},
    covers: {
        "LEAST_NODES": (1, 10, 100),
        "NODES_OF_USE": (0,),
        "WORK_OF_NODE": (ABOUT_A_SECOND,),
        "LEAST_SAVED": (1e-9, 2),
        "FAR_MORE": (1, 8, 1e9),
    },
    exchanges: {"WORK_OF_STATE": (ABOUT_A_SECOND,), "MOST_EXCHANGES": (3, 8, 128)},
    problems: {"MOST_TRIAL_NODES": (0,)},
    levels: {"MOST_RENAMED": (1, 2, 32)},
    order: {"LONG": (0.0, 0.0, inf)},
    cover_levels: {"LONG": (0.0, 0.0, inf)},
}

CHOICES: dict[ModuleType, dict[str, tuple[float, ...]]] = {
    merging: {
        "LEAST_MOMENTS": (0, 3),
        "LEAST_IF_LOADED": (0,),
        "LEAST_IF_KEPT": (0,),
        "SIZE_IN_MOMENT": (inf,),
        "CSP_SIZE_IN_MOMENT": (inf,),
        "LITERALS_IN_MOMENT": (inf,),
        "STEPS_IN_MOMENT": (inf,),
        "MOST_GUESSED": (inf,),
        "MOMENTS_OF_ORDERS": (0, 20),
    },
    race: {
        "LEAST_MOMENTS": (0, 3),
        "MOST_LOST": (0.1, 1000),
        "MOST_LOST_IF_KEPT": (0.3, 1000),
        "FIRST_MOMENTS": (0.01, 0.5, 2),
        "LEAST_TO_JOIN": (0, 5),
        "OVERESTIMATED": (1, 32),
        "FOLDED": (0, 0.25),
        "SIMPLER": (0, 0.1),
        "CLASSES_TRIED": (1, 64),
        "MOMENTS_OF_PLAN": (0, 2),
        "IMAGES_IN_MOMENT": (1, 1 << 18, 1 << 40),
    },
    quick: {"MOMENTS_OF_CHOICE": (0, 6), "LEAST_SAVED": (0.1, 2, 1000)},
    helping: {"WORTH": (0.001, 2), "MOST_FOUND": (2, 48), "WORK_OF_MOMENT": (ABOUT_A_SECOND,)},
    question: {"MOST_HELPING": (1, 4, 1000), "MOST_CONJUGATING": (0, 64)},
    listing: {"SOON": (0, 1, 256)},
    optimum: {"MOMENTS_ALONE": (0,)},
    best_by_merging: {"FIRST_MOMENTS": (0.01, 16), "MOST_LOST": (0.1, 1000)},
}
"""Limits of the choice between engines, which the search makes where no engine is named."""

PLANNING = (covers, exchanges, problems, levels, order, cover_levels)
"""The limits of these decide which exchanges a plan has, and the order of its levels."""

KEEPING = (cover_engine, problem_engine, by_value, problems)
"""These keep the plan of the last model, or what it begins with."""

MERGING = ("cover-frontier", "csp-frontier", "cover-diagram", "csp-diagram", "diagram")
"""The engines with such plans, and how a sample is drawn by one."""

CHANCE_TO_STAY = 0.2


@contextmanager
def lowered(seed: int) -> Iterator[None]:
    """Most limits are lowered by random; none with seed 0. No plan is left that other limits made."""
    for module in KEEPING:
        for kept in vars(module).values():
            if hasattr(kept, "cache_clear"):
                kept.cache_clear()
    with ExitStack() as changed:
        if seed:
            changed.enter_context(mock.patch.object(in_order, "load", return_value=True))
            changed.enter_context(mock.patch.object(merging, "is_kept", return_value=True))
        for (module, name), limit in _limits(seed).items():
            changed.enter_context(mock.patch.object(module, name, limit))
        yield


def limits_of_plan(engine: str, seed: int) -> object:
    """The limits by which an engine makes a plan: two plans may differ in nodes and order if these do."""
    found = _limits(seed) if engine in MERGING else {}
    return frozenset((name, limit) for (module, name), limit in found.items() if module in PLANNING)


def limits_of_choice(seed: int) -> object:
    """The limits by which the search chooses an engine, and what of a symmetry it uses."""
    return frozenset((name, limit) for (module, name), limit in _limits(seed).items() if module in CHOICES)


def _limits(seed: int) -> dict[tuple[ModuleType, str], float]:
    """The limits that are lowered."""
    rng = random.Random(seed)
    return {
        (module, name): rng.choice(some)
        for module, values in ((LIMITS | CHOICES).items() if seed else ())
        for name, some in values.items()
        if rng.random() > CHANCE_TO_STAY
    }
