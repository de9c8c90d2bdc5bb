"""The arrays of one search, which grow as the kernel asks for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rekkyo.arrays import unfilled
from rekkyo.engines.covers.memo import kernel, kernel_parts
from rekkyo.engines.covers.memo.plan import Ints, Marks, MemoPlan, Parts, Work, make_plan
from rekkyo.engines.limbs import to_int, widened, wrapping
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover

SMALLEST = ExactCover(("a", "b"), (), (((0, 0),), ((1, 0),)))

FEW_ENTRIES = 1 << 10
FEW_DEPTHS = 64

MOST_ARENA = (1 << 31) - 1
"""Places in the arena are numbers of 32 bits."""

BUDGET = 1 << 14
"""Choices between two pauses: some milliseconds to some tenths of a second."""


class Search:
    """One search of a plan, from its beginning to its count."""

    def __init__(self, plan: MemoPlan, most_bytes: int) -> None:
        self._plan = plan
        self._most_bytes = most_bytes
        n_items = len(plan.cover.low)
        self._work = Work(
            marks=Marks(
                times=np.zeros(n_items, dtype=np.int32),
                items=np.zeros(n_items, dtype=np.int64),
                colors=unfilled(n_items, np.int32),
                options=np.zeros(plan.n_options, dtype=np.int64),
            ),
            parts=Parts(*(unfilled(n_items, np.int32) for _ in range(3))),
            arena=_beginning(plan),
            product=unfilled((FEW_DEPTHS, 3), np.int64),
            branch=unfilled((FEW_DEPTHS, 11), np.int64),
            products=unfilled((FEW_DEPTHS, 1), np.uint64),
            sums=unfilled((FEW_DEPTHS, 1), np.uint64),
            path=unfilled((FEW_DEPTHS, plan.n_key_words), np.uint64),
            places=np.full(2 * FEW_ENTRIES, kernel.FREE, dtype=np.uint32),
            keys=unfilled((FEW_ENTRIES, plan.n_key_words), np.uint64),
            values=unfilled((FEW_ENTRIES, 1), np.uint64),
            spare=unfilled((1, 1), np.uint64),
            head=np.zeros(5, dtype=np.int64),
        )
        options, items = (int(number) for number in self._work.arena[[1, 3]])
        self._work.product[0] = 0, int(options > 0), 0
        self._work.branch[0, kernel_parts.TOP] = 4 + options + 2 * items
        self._work.products[0, 0] = 1

    @property
    def nodes(self) -> int:
        """Choices tried so far."""
        return int(self._work.head[kernel.NODES])

    @property
    def n_entries(self) -> int:
        """Subproblems remembered so far."""
        return int(self._work.head[kernel.N_ENTRIES])

    def count(self, pause: Callable[[], None]) -> int:
        """Search to the end; `pause` is called now and then. Raises EngineRefuses."""
        if self._plan.is_hopeless:
            return 0
        while True:
            with wrapping():
                lack = kernel.advance(self._plan.cover, self._work, BUDGET)
            if lack == kernel.DONE:
                return to_int(self._work.products[0]) * self._plan.factor
            if lack == kernel.OUT_OF_BUDGET:
                pause()
            else:
                self._grow(lack)

    def _grow(self, lack: int) -> None:
        work = self._work
        if lack == kernel.NEEDS_ARENA:
            self._check_memory(n_arena=2 * len(work.arena))
            self._lengthen("arena")
        elif lack == kernel.NEEDS_DEPTH:
            self._check_memory(n_depths=2 * len(work.path))
            self._lengthen("product", "branch", "products", "sums", "path")
        elif lack == kernel.NEEDS_LIMBS:
            self._check_memory(n_limbs=work.values.shape[1] + 1)
            self._work = work._replace(
                products=widened(work.products),
                sums=widened(work.sums),
                values=widened(work.values),
                spare=widened(work.spare),
            )
        else:
            self._check_memory(n_entries=2 * len(work.keys))
            self._lengthen("keys", "values")
            places = np.full(2 * len(work.places), kernel.FREE, dtype=np.uint32)
            self._work = self._work._replace(places=places)
            with wrapping():
                kernel.enter_all(places, self._work.keys, self.n_entries)

    def _lengthen(self, *names: str) -> None:
        """Twice as many rows."""
        for name in names:
            rows = getattr(self._work, name)
            longer = unfilled((2 * len(rows), *rows.shape[1:]), rows.dtype)
            longer[: len(rows)] = rows
            changed: dict[str, Any] = {name: longer}
            self._work = self._work._replace(**changed)

    def _check_memory(
        self, *, n_entries: int = 0, n_limbs: int = 0, n_arena: int = 0, n_depths: int = 0
    ) -> None:
        """Raise EngineRefuses when the arrays would be too large with one of them grown to so much."""
        n_arena = n_arena or len(self._work.arena)
        n_limbs = n_limbs or self._work.values.shape[1]
        n_words = self._plan.n_key_words + n_limbs
        # Entries, half of them once more while they are copied, and two places for each; the others likewise.
        n_bytes = (n_entries or len(self._work.keys)) * (12 * n_words + 8)
        n_bytes += (n_depths or len(self._work.path)) * 12 * (n_words + n_limbs + 14) + 6 * n_arena
        if n_bytes > self._most_bytes or n_arena > MOST_ARENA:
            raise EngineRefuses(
                f"remembering subproblems takes more than {self._most_bytes / (1 << 30):.3g} GB for this"
                f" puzzle (after {self.n_entries:,} of them): too few of them are equal; choose an engine"
                " that lists"
            )


def _beginning(plan: MemoPlan) -> Ints:
    """The arena with the whole model as one component: it does no harm when it is several."""
    use_at, items = plan.cover.use_at, plan.cover.items
    options = np.flatnonzero(np.diff(use_at))
    sizes = np.bincount(items, minlength=len(plan.cover.low))
    touched = np.flatnonzero(sizes)
    header = [4, len(options), 4 + len(options), len(touched)]
    start = np.concatenate((header, options, touched, sizes[touched]))
    arena = unfilled(2 * len(start) + 1024, np.int32)
    arena[: len(start)] = start
    return arena


def warm_up() -> None:
    """Compile or load the kernels."""
    search = Search(make_plan(SMALLEST), 1 << 20)
    search.count(lambda: None)
    kernel.enter_all(search._work.places, search._work.keys, 0)
