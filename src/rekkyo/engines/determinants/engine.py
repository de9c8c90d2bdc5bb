"""The common part of the engines whose counts are determinants."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import Generic, TypeVar

from rekkyo.engines.checkpoints import NOWHERE, Checkpoints
from rekkyo.engines.contract import CountingEngine, Pause, Shard, Tally, no_pause
from rekkyo.engines.crew import ALONE, Crew
from rekkyo.engines.determinants.banded import Banded
from rekkyo.engines.determinants.determinant import determinant_by, eliminations
from rekkyo.engines.determinants.matrix import Matrix
from rekkyo.engines.memory import ALLOW_MORE, WithMemory, size_in_words
from rekkyo.errors import CountsDisagree, NeedsMemory
from rekkyo.model.puzzle import Model

ModelT = TypeVar("ModelT", bound=Model)


@dataclass(frozen=True, slots=True, eq=False)
class DeterminantPlan(Generic[ModelT]):
    """The count is the sum of the determinants, each so many times, or the square root if `is_square`."""

    model: ModelT
    terms: tuple[tuple[int, Matrix], ...]
    is_square: bool = False


class DeterminantCounter(WithMemory, CountingEngine[DeterminantPlan[ModelT]], Generic[ModelT]):
    """Counts in one shard; workers share the primes. A node is a row that is eliminated modulo a prime."""

    plan_version = 1

    def compile(self, model: Model) -> None:
        """Compile the kernel."""
        determinant_by(Banded(Matrix.zero()), Matrix.zero(), no_pause, ALONE)

    def plan_facts(self, plan: DeterminantPlan[ModelT]) -> object:
        """The sizes. The signs of the entries depend on how a graph is drawn; the determinant does not."""
        return tuple((times, matrix.n, matrix.bound) for times, matrix in plan.terms)

    def count(self, plan: DeterminantPlan[ModelT], shard: Shard, pause: Pause) -> Tally:
        """See the contract."""
        return self.count_together(plan, shard, pause, ALONE)

    def count_together(
        self,
        plan: DeterminantPlan[ModelT],
        shard: Shard,
        pause: Pause,
        crew: Crew,
        checkpoints: Checkpoints = NOWHERE,
    ) -> Tally:
        """See the contract. Raises NeedsMemory, CountsDisagree."""
        found = nodes = 0
        for times, matrix in plan.terms:
            determinant, n_rows = self._determinant(matrix, pause, crew)
            found += times * determinant
            nodes += n_rows
        total = isqrt(found) if plan.is_square else found
        if plan.is_square and total**2 != found:
            raise CountsDisagree(f"engine {self.name}: the determinant {found} should be a square")
        return Tally(total, nodes)

    def _determinant(self, matrix: Matrix, pause: Pause, crew: Crew) -> tuple[int, int]:
        for elimination in eliminations(matrix, pause):
            n_bytes = crew.n_workers * elimination.n_bytes
            if n_bytes > self.most_bytes:
                raise NeedsMemory(
                    f"engine {self.name} needs {size_in_words(n_bytes)} here, and may use"
                    f" {size_in_words(self.most_bytes)}; choose another engine, {ALLOW_MORE}"
                )
            found = determinant_by(elimination, matrix, pause, crew)
            if found is not None:
                return found
        raise AssertionError("the band finds every determinant")
