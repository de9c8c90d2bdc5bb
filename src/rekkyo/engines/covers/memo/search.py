"""The arrays of one search, which grow as the kernel asks for it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rekkyo.engines.covers.memo import kernel, kernel_parts, kernel_table
from rekkyo.engines.covers.memo.plan import MemoPlan, make_plan
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
        n_items = len(plan.arrays.low)
        self._times = np.zeros(n_items, dtype=np.int32)
        self._marks = np.zeros(n_items, dtype=np.int64)
        self._shut = np.zeros(plan.n_options, dtype=np.int64)
        self._mark_colors = np.zeros(n_items, dtype=np.int32)
        self._work = np.zeros((3, n_items), dtype=np.int32)
        self._product = np.zeros((FEW_DEPTHS, 3), dtype=np.int64)
        self._branch = np.zeros((FEW_DEPTHS, 11), dtype=np.int64)
        self._products = np.zeros((FEW_DEPTHS, 1), dtype=np.uint64)
        self._sums = np.zeros((FEW_DEPTHS, 1), dtype=np.uint64)
        self._path = np.zeros((FEW_DEPTHS, plan.n_key_words), dtype=np.uint64)
        self._places = np.full(2 * FEW_ENTRIES, kernel_table.FREE, dtype=np.uint32)
        self._keys = np.zeros((FEW_ENTRIES, plan.n_key_words), dtype=np.uint64)
        self._values = np.zeros((FEW_ENTRIES, 1), dtype=np.uint64)
        self._head = np.zeros(5, dtype=np.int64)
        self._begin()

    @property
    def nodes(self) -> int:
        """Choices tried so far."""
        return int(self._head[kernel.NODES])

    @property
    def n_entries(self) -> int:
        """Subproblems remembered so far."""
        return int(self._head[kernel.N_ENTRIES])

    def _begin(self) -> None:
        """The whole model as one component: it does no harm when it is several."""
        use_at, items = self._plan.arrays.use_at, self._plan.arrays.items
        options = np.flatnonzero(np.diff(use_at))
        sizes = np.bincount(items, minlength=len(self._times))
        touched = np.flatnonzero(sizes)
        header = [4, len(options), 4 + len(options), len(touched)]
        start = np.concatenate((header, options, touched, sizes[touched]))
        self._arena = np.zeros(2 * len(start) + 1024, dtype=np.int32)
        self._arena[: len(start)] = start
        self._product[0] = 0, int(len(options) > 0), 0
        self._branch[0, kernel_parts.TOP] = len(start)
        self._products[0, 0] = 1

    def count(self, pause: Callable[[], None]) -> int:
        """Search to the end; `pause` is called now and then. Raises EngineRefuses."""
        if self._plan.is_hopeless:
            return 0
        while True:
            with wrapping():
                lack = self._advance()
            if lack == kernel.DONE:
                return to_int(self._products[0]) * self._plan.factor
            if lack == kernel.OUT_OF_BUDGET:
                pause()
            else:
                self._grow(lack)

    def _advance(self) -> int:
        plan = self._plan
        return kernel.advance(
            *plan.arrays,
            plan.by_items,
            plan.field_width,
            self._times,
            self._marks,
            self._mark_colors,
            self._shut,
            self._work[0],
            self._work[1],
            self._work[2],
            self._arena,
            self._product,
            self._branch,
            self._products,
            self._sums,
            self._path,
            self._places,
            self._keys,
            self._values,
            np.zeros((1, self._values.shape[1]), dtype=np.uint64),
            self._head,
            BUDGET,
        )

    def _grow(self, lack: int) -> None:
        if lack == kernel.NEEDS_ARENA:
            self._check_memory(n_arena=2 * len(self._arena))
            self._arena = np.concatenate((self._arena, np.zeros_like(self._arena)))
        elif lack == kernel.NEEDS_DEPTH:
            self._check_memory(n_depths=2 * len(self._path))
            for name in ("_product", "_branch", "_products", "_sums", "_path"):
                rows = getattr(self, name)
                setattr(self, name, np.concatenate((rows, np.zeros_like(rows))))
        elif lack == kernel.NEEDS_LIMBS:
            self._check_memory(n_limbs=self._values.shape[1] + 1)
            self._products, self._sums = widened(self._products), widened(self._sums)
            self._values = widened(self._values)
        else:
            self._more_entries()

    def _more_entries(self) -> None:
        n_entries = 2 * len(self._keys)
        self._check_memory(n_entries=n_entries)
        for name in ("_keys", "_values"):
            rows = getattr(self, name)
            longer = np.zeros((n_entries, rows.shape[1]), dtype=np.uint64)
            longer[: len(rows)] = rows
            setattr(self, name, longer)
        self._places = np.full(2 * n_entries, kernel_table.FREE, dtype=np.uint32)
        with wrapping():
            kernel_table.enter_all(self._places, self._keys, self.n_entries)

    def _check_memory(
        self, *, n_entries: int = 0, n_limbs: int = 0, n_arena: int = 0, n_depths: int = 0
    ) -> None:
        """Raise EngineRefuses when the arrays would be too large with one of them grown to so much."""
        n_arena = n_arena or len(self._arena)
        n_limbs = n_limbs or self._values.shape[1]
        n_words = self._plan.n_key_words + n_limbs
        # Entries, half of them once more while they are copied, and two places for each; the others likewise.
        n_bytes = (n_entries or len(self._keys)) * (12 * n_words + 8)
        n_bytes += (n_depths or len(self._path)) * 12 * (n_words + n_limbs + 14) + 6 * n_arena
        if n_bytes > self._most_bytes or n_arena > MOST_ARENA:
            raise EngineRefuses(
                f"remembering subproblems takes more than {self._most_bytes / (1 << 30):.3g} GB for this"
                f" puzzle (after {self.n_entries:,} of them): too few of them are equal; choose an engine"
                " that lists"
            )


def warm_up() -> None:
    """Compile or load the kernels."""
    search = Search(make_plan(SMALLEST), 1 << 20)
    search.count(lambda: None)
    kernel_table.enter_all(search._places, search._keys, 0)
