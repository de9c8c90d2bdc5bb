"""Engine `queens-join`: counts the solutions of flat queens boards by joining quadrants, or halves.

Every call of the counting kernel has its own scratch arrays, so that threads share no writable memory. The
long arrays are not zeroed, so memory is used only for the part that a row set fills.
"""

from __future__ import annotations

import numpy as np

from rekkyo.arrays import unfilled
from rekkyo.engines.contract import CountingEngine, Pause, Shard, Tally, no_pause
from rekkyo.engines.queens.join import kernel_join
from rekkyo.engines.queens.join.blocked import (
    MAX_BLOCKED_N,
    BlockedPlan,
    count_blocked,
    is_blocked_alike,
    make_blocked_plan,
    split_blocked,
)
from rekkyo.engines.queens.join.kernel_blocked import find_halves
from rekkyo.engines.queens.join.kernel_count import Halves, count_row_sets
from rekkyo.engines.queens.join.kernel_symmetric import count_unchanged
from rekkyo.engines.queens.join.plan import MAX_N, SLACK, JoinPlan, make_plan
from rekkyo.engines.queens.join.room import make_join_scratch
from rekkyo.errors import CountsDisagree
from rekkyo.jit import is_loaded
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from rekkyo.model.row import AtomPermutation

MAX_SHARDS = 1 << 16
PAYS_OFF_FROM_N, PAYS_OFF_FROM_N_IF_LOADED = 14, 13
"""n = 13 takes 55 ms row by row, less than loading the kernels of the join, which then takes 26 ms. n = 12
takes 9 and 22 ms."""

HALVES_FROM_N_IF_LOADED = 12
"""n = 12 with two blocked squares takes 6 ms, and 12 row by row; n = 14 with a given queen 11 and 19."""

FULL_WEIGHT = 3
"""The weight of one solution in the sum of the weighted counts: 24 / 8."""


class QueensJoin(CountingEngine[JoinPlan | BlockedPlan]):
    """Joins half boards, which takes far fewer steps than placing single queens. It only counts.

    Halves of the plain board are made of quadrants, with all eight symmetries. A board with blocked squares
    or given queens is made of an upper and a lower half, without symmetry.
    """

    model_type = Queens
    model_words = "queens models"
    name = "queens-join"
    plan_version = 1
    summary = "joins quadrants of the plain board, or halves of another flat one, counts only"

    def limits(self, model: Queens) -> str | None:
        """Reject the torus, and boards whose tables are too large for an ordinary computer."""
        if model.toroidal:
            return "counts only flat boards, not the torus"
        if (model.blocked or model.given) and model.n > MAX_BLOCKED_N:
            return f"counts boards with blocked squares or given queens up to {MAX_BLOCKED_N}x{MAX_BLOCKED_N}"
        if model.n > MAX_N:
            return (
                f"counts boards up to {MAX_N}x{MAX_N}, where its table takes 5 GB;"
                f" {model.n}x{model.n} would need eight times that or more"
            )
        return None

    def pays_off(self, model: Model) -> bool:
        """False for boards with symmetric blocked squares or given queens, whose orbits need the rows."""
        return self.pays_off_for_total(model) and isinstance(model, Queens) and not is_blocked_alike(model)

    def pays_off_for_total(self, model: Model) -> bool:
        """True if the search row by row takes longer than this engine, including the loading of kernels."""
        if not isinstance(model, Queens):
            return False
        least = PAYS_OFF_FROM_N
        if model.blocked or model.given:
            least = HALVES_FROM_N_IF_LOADED if is_loaded(find_halves) else least
        elif is_loaded(count_row_sets):
            least = PAYS_OFF_FROM_N_IF_LOADED
        return model.n - len(model.given) >= least

    def compile(self, model: Model) -> None:
        """Count a small board of the same kind: with or without blocked squares and given queens."""
        n = 5
        is_blocked = isinstance(model, Queens) and bool(model.blocked or model.given)
        plan = self.plan(Queens(n, blocked=frozenset({(0, 0)} if is_blocked else ())))
        for shard in self.split(plan, 1):
            self.count(plan, shard, no_pause)
        if not is_blocked:
            for turned in (range(n * n - 1, -1, -1), (c * n + n - 1 - r for r in range(n) for c in range(n))):
                self.fixed_tally(plan, tuple(turned), no_pause)

    def make_plan(self, model: Queens) -> JoinPlan | BlockedPlan:
        """The placements in one quadrant and the row sets; or, for halves, the allowed squares."""
        return make_blocked_plan(model) if model.blocked or model.given else make_plan(model.n)

    def split(self, plan: JoinPlan | BlockedPlan, at_least: int) -> tuple[Shard, ...]:
        """A shard with the prefix (k, m) takes one of every m neighbouring row sets; k decides which one.

        The number of shards is chosen so that each takes a fraction of a second, up to n = 23; there is at
        most one for each row set. The work grows about 7-fold from n to n + 1; at n = 18 one processor takes
        about a second, and with MAX_SHARDS a shard of n = 25 takes some ten seconds.
        """
        if isinstance(plan, BlockedPlan):
            return split_blocked(plan)
        most = max(1, len(plan.board.started) + len(plan.board.flagged))
        n_shards = min(most, max(1, at_least, min(MAX_SHARDS, round(8 * 7.0 ** (plan.n - 18)))))
        return tuple(Shard(index, (index, n_shards)) for index in range(n_shards))

    def plan_facts(self, plan: JoinPlan | BlockedPlan) -> object:
        """The row sets in their order. The table of quadrants, up to 5 GB, follows from the size n."""
        if isinstance(plan, BlockedPlan):
            return plan
        return plan.n, plan.board.flagged, plan.board.started, plan.board.starts

    def count(self, plan: JoinPlan | BlockedPlan, shard: Shard, pause: Pause) -> Tally:
        """The weighted count of a shard, and its nodes. The sum over all shards is 3 times the solutions.

        A node is a pair of quadrant placements that is tested, or a pair of half boards that is compared.
        The kernel adds in uint64. The weighted count is at most 24 times the number of solutions, which is
        2.3e17 for n = 27 (OEIS A000170), and 24 * 2.3e17 < 2**64. A node takes 0.003 ns, so the nodes of a
        shard would reach 2**64 only after more than a year.
        """
        if isinstance(plan, BlockedPlan):
            return count_blocked(plan, shard, pause)
        first, n_shards = shard.prefix
        scratch = make_join_scratch(plan.half_room)
        weighted, nodes = count_row_sets(
            plan.board, np.uint64(first), np.uint64(n_shards), make_halves(plan), scratch
        )
        return Tally(int(weighted), int(nodes))

    def finish(self, plan: JoinPlan | BlockedPlan, weighted: Tally) -> Tally:
        """Divide the weighted count by its weight; CountsDisagree if there is a remainder."""
        if isinstance(plan, BlockedPlan):
            return weighted
        total, rest = divmod(weighted.total, FULL_WEIGHT)
        if rest:
            raise CountsDisagree(
                f"queens-join: the weighted count {weighted.total} of the {plan.n}x{plan.n} board is not"
                f" a multiple of {FULL_WEIGHT}; shards are missing, counted twice, or wrong"
            )
        return Tally(total, weighted.nodes)

    def fixed_tally(
        self, plan: JoinPlan | BlockedPlan, symmetry: AtomPermutation, pause: Pause
    ) -> Tally | None:
        """Count the solutions that a rotation or reflection leaves unchanged, by a small search."""
        return None if isinstance(plan, BlockedPlan) else count_unchanged(plan.n, symmetry)


def make_halves(plan: JoinPlan) -> Halves:
    """Arrays for four lists of half boards, and for the keys of one quadrant."""
    room = plan.half_room + SLACK
    return Halves(
        north=unfilled(plan.north_room + SLACK, np.uint64),
        west=unfilled(room, np.uint64),
        west_least=unfilled(room, np.uint64),
        east=unfilled(kernel_join.KEPT_ROOM * room, np.uint64),
        east_least=unfilled(kernel_join.KEPT_ROOM * room, np.uint64),
    )
