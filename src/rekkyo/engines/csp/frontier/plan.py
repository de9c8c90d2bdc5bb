"""The plan of a `Csp`: its rules as levels, in the order that needs the fewest states.

Of the solutions that a symmetry leaves unchanged, each variable is tied to its images (`fixed.py`). Those
that are not left out are decided right after it, so that a state knows little more than for half of the
model.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from math import ceil, log2
from typing import NamedTuple

from rekkyo.engines.csp.frontier.colors import exchangeable_colors
from rekkyo.engines.csp.frontier.exchanges import Exchange, exchanges_of, may_pay
from rekkyo.engines.csp.frontier.fixed import when_fixed
from rekkyo.engines.csp.frontier.levels import Alike, make_levels
from rekkyo.engines.csp.frontier.order import Block, Guess, guesses
from rekkyo.engines.csp.frontier.readers import Tables
from rekkyo.engines.csp.frontier.rules import Rules, rules_of
from rekkyo.engines.csp.narrowed import narrowed
from rekkyo.engines.frontier.front import Bounds
from rekkyo.engines.frontier.plan import FrontierPlan, plan_of
from rekkyo.engines.frontier.walk import Walk
from rekkyo.errors import EngineRefuses
from rekkyo.model.csp.constraints import Variable
from rekkyo.model.csp.csp import Csp
from rekkyo.model.row import AtomPermutation

CLOSE = 12.0
"""Guesses that are no more bits apart are tried. For 3-colourings of 14x14 the guesses are the same for
rows and diagonals, which take 8 and 169 million nodes."""

ALIKE = 1 / 8
"""An order that promises so many bits fewer, or less, is not taken instead of one whose guess was better."""

MOST_BITS = 1000.0
"""A float holds no number of 1024 bits. For 3-colourings of a graph with 1800 vertices 1100 are guessed."""

TRIAL_NODES, MOST_TRIAL_NODES, TRIAL_NODES_OF_LEVEL = 1 << 15, 1 << 18, 1 << 11
"""The nodes of a trial: more with many levels, because to lay out a level takes longer than 2048 nodes, but
at most some 50 ms."""

TRIAL_BYTES = 1 << 26


def make_plan(
    model: Csp,
    symmetry: AtomPermutation | None = None,
    handicap: float | None = None,
    last: Variable | None = None,
) -> FrontierPlan[Csp]:
    """The plan of a model; or of its solutions that a symmetry leaves unchanged. Raises EngineRefuses.

    handicap: for a diagram, whose hidden variables are where they are determined, and whose proof must show
    why a value is in no solution: by how many bits another order must be better than the given one to be
    taken. last: a variable that is decided after all others, and of which no value is exchanged.
    """
    draft = draft_of(model, symmetry, handicap)
    plan = _plan_of_draft(draft, last)
    return plan if symmetry is not None or draft.model is model else replace(plan, model=model)


def _plan_of_draft(draft: Draft, last: Variable | None) -> FrontierPlan[Csp]:
    guesses = draft.guesses if last is None else [guess.with_last(last) for guess in draft.guesses]
    alike = _alike(draft, (), last)
    share = draft.n_blocks / len(draft.model.domains)  # one of a block determines it
    n_states = 2.0 ** min(guesses[0].in_total(share), MOST_BITS)
    known = None
    if may_pay(draft.model, draft.rules, n_states):
        # All sudokus of order 6 take 5,670 nodes in 0.5 ms without exchanges, which take 40 ms to find.
        with suppress(EngineRefuses):
            known = _tried(draft, guesses[0], alike)
        if known is not None and not known.left:
            return known.plan
        found = exchanges_of(draft.model, draft.rules, draft.colors, n_states)
        if found:
            alike, known = _alike(draft, found, last), None
    return best_plan(draft, guesses, alike, known)


def _alike(draft: Draft, exchanges: Sequence[Exchange], last: Variable | None) -> Alike:
    alike = Alike(draft.colors, exchanges)
    return alike if last is None else alike.without(last)


def best_plan(
    draft: Draft, guesses: Sequence[Guess], alike: Alike, known: Tried | None = None
) -> FrontierPlan[Csp]:
    """The plan in the order that promises the shortest count. Raises EngineRefuses.

    known: the trial of the first order, if there was one.
    """
    if len(guesses) == 1 and known is None:
        return _plan(draft, guesses[0], alike)
    best: Tried | None = None
    refusal: EngineRefuses | None = None
    for guess in guesses:
        if best is not None and guess.in_total() > guesses[0].in_total() + CLOSE:
            break
        try:
            tried = known or _tried(draft, guess, alike)
        except EngineRefuses as problem:
            refusal = problem
            continue
        known = None
        if best is None or tried.cost < best.cost - ALIKE:
            best = tried
        nodes = max(2.0 ** min(tried.cost, MOST_BITS), tried.left)
        if not tried.left or nodes <= TRIAL_NODES_OF_LEVEL * tried.plan.n_levels:
            break  # the whole count takes no longer than another trial
    if best is None:
        assert refusal is not None
        raise refusal
    return best.plan


class Draft(NamedTuple):
    """What a plan begins with.

    model: has the variables that the rules are about. guesses: orders, the one first that is guessed to need
    the fewest states.
    """

    model: Csp
    rules: Rules
    read: list[Tables | None]
    colors: tuple[int, ...]
    n_blocks: int
    guesses: list[Guess]

    @property
    def bits(self) -> float:
        """The logarithm of the states of all levels, as they are guessed: seldom too low."""
        return self.guesses[0].in_total()


@lru_cache(maxsize=1)
def draft_of(model: Csp, symmetry: AtomPermutation | None, handicap: float | None) -> Draft:
    """The draft of a plan, kept because it is asked before whether a plan is worth its time."""
    narrower = model if handicap is not None else narrowed(model)
    if symmetry is None or _keeps(narrower, symmetry):
        model = narrower
    rules = rules_of(model)
    blocks: list[Block] = [(v,) for v in range(len(model.domains))]
    if symmetry is not None:
        model, rules, blocks = when_fixed(model, rules, symmetry)
    if rules.is_hopeless:
        n = len(model.domains)
        return Draft(model, rules, [], (), len(blocks), [Guess(tuple(range(n)), (0.0,) * n)])
    read = tables_of(rules)
    colors = exchangeable_colors(model, rules, read)
    return Draft(model, rules, read, colors, len(blocks), guesses(model, rules, read, blocks, handicap))


def _keeps(model: Csp, symmetry: AtomPermutation) -> bool:
    """Whether a symmetry takes the domains of a problem to themselves, as it need not for narrower ones."""
    number_of = {value: number for number, value in enumerate(model.values)}
    atoms = {
        place * len(number_of) + number_of[value]
        for place, v in enumerate(model.solution)
        for value in model.domains[v]
    }
    return {symmetry[atom] for atom in atoms} == atoms


def tables_of(rules: Rules) -> list[Tables | None]:
    """The tables of each reader in the order of its variables; None where they are too large."""
    return [rules.tables.of(reader, range(len(reader.variables))) for reader in rules.readers]


class Tried(NamedTuple):
    """A plan whose first levels were walked.

    cost: the logarithm of the states in total, as they are guessed then. left: as many states as there were
    at the end, in each further level.
    """

    plan: FrontierPlan[Csp]
    cost: float
    left: int


def _plan(draft: Draft, guess: Guess, alike: Alike) -> FrontierPlan[Csp]:
    return plan_of(draft.model, *make_levels(draft.model, draft.rules, guess.order, alike))


def _tried(draft: Draft, guess: Guess, alike: Alike) -> Tried:
    """The plan in an order, after some levels. Raises EngineRefuses if there is none.

    After the last whole levels, the bits of the real states are compared with those of the guess. For
    colourings whose levels grow to the end the guess is up to eight times too low then.
    """
    plan = _plan(draft, guess, alike)
    nodes, shares = 0, list[float]()
    most_nodes = min(MOST_TRIAL_NODES, max(TRIAL_NODES, TRIAL_NODES_OF_LEVEL * plan.n_levels))
    walk = Walk(plan, TRIAL_BYTES, counting=False)
    n_states = 1
    while walk.front.level < plan.n_levels:
        bits = guess.bits[walk.front.level :]
        try:
            passed = walk.step(Bounds(nodes=most_nodes - nodes)).levels
        except EngineRefuses:
            break
        for passing, n_states, guessed in zip(passed.nodes, passed.n_states, bits, strict=False):
            nodes += passing
            if nodes <= most_nodes and n_states > 1 and guessed:
                shares.append(log2(n_states) / guessed)
        if nodes > most_nodes:
            break
    left = n_states * (plan.n_levels - walk.front.level)
    recent = min(_levels_of_exchange(plan), ceil(len(shares) / 2))
    share = max(shares[-recent:]) if shares else 1.0
    return Tried(plan, guess.in_total(share) if left else 0.0, left)


def _levels_of_exchange(plan: FrontierPlan[Csp]) -> int:
    """The mean number of levels from one with exchanges to the next; 1 if there are none.

    Behind a level with exchanges there are few states. For connected sets of 11x11 cells, an order that was
    tried up to such a level seemed to take half as many as rows, and took 3.2 times as many.
    """
    n_exchanged = sum(len(blocks) > 0 for blocks in plan.blocks)
    return plan.n_levels // n_exchanged if n_exchanged else 1
