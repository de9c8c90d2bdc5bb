"""The shared base of the engines that count by merging equal states: compiling, and the count of a plan."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import ClassVar

from rekkyo.engines.checkpoints import NOWHERE, Checkpoints
from rekkyo.engines.contract import CountingEngine, Pause, Shard, Tally
from rekkyo.engines.crew import ALONE, Crew
from rekkyo.engines.frontier.plan import FrontierPlan, ModelT
from rekkyo.engines.frontier.tally import tally_of
from rekkyo.engines.frontier.walk import walk
from rekkyo.engines.memory import WithMemory
from rekkyo.errors import EngineRefuses
from rekkyo.model.puzzle import Model


class FrontierEngine(WithMemory, CountingEngine[FrontierPlan[ModelT]]):
    """Decides level by level, in all states at once. There is one shard. Too many states are sliced."""

    moment_nodes: ClassVar[int] = 1 << 15
    """The nodes of some milliseconds: a node takes 60 ns in states of one word, 100 to 300 in longer ones."""

    def compile(self, model: Model) -> None:
        """Compile the step for states of one word or of several, whichever the model needs."""
        self.check(model)
        plan = self.make_plan(model)  # with arrays that are read-only already
        with suppress(EngineRefuses):  # the first level is enough
            if not plan.is_counted:
                next(islice(walk(plan, most_bytes=1 << 16), 1, None), None)

    def known(self, plan: FrontierPlan[ModelT]) -> Tally | None:
        """The count of a trial that came to the end in this memory."""
        return plan.kept(self.most_bytes)

    def count(self, plan: FrontierPlan[ModelT], shard: Shard, pause: Pause) -> Tally:
        """Count with one worker. Raises EngineRefuses."""
        return self.count_together(plan, shard, pause, ALONE)

    def count_together(
        self,
        plan: FrontierPlan[ModelT],
        shard: Shard,
        pause: Pause,
        crew: Crew,
        checkpoints: Checkpoints = NOWHERE,
    ) -> Tally:
        """Count level by level, see `walk`. Raises EngineRefuses."""
        return self.known(plan) or tally_of(plan, self.most_bytes, pause, crew, checkpoints)
