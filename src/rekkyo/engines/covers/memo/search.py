"""Make the arrays of `kernel.py` from an exact cover, and run the search.

The count of a subproblem is stored under its *key*, which is a string of bits. If every primary item is
covered exactly once and no item has colours, the key is the set of items in open options, because an option
is open if and only if all its items are. Otherwise the key is the set of open options, and for each item that
may be covered several times, how often it must and may still be covered.

The arrays of a search grow when the kernel returns that one is full.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import read_only, unfilled
from rekkyo.engines.covers.memo import kernel, kernel_parts
from rekkyo.engines.covers.memo.kernel_parts import ANY_NUMBER, Cover, Ints, Marks, Parts, Work
from rekkyo.engines.covers.uses import all_uses
from rekkyo.engines.limbs import to_int, widened, wrapping
from rekkyo.engines.memory import ALLOW_MORE, size_in_words
from rekkyo.errors import NeedsMemory
from rekkyo.model.exact_cover import ExactCover

WORD = 64


@dataclass(frozen=True, slots=True, eq=False)
class MemoPlan:
    """n_key_words: words of a key.

    factor: the number of choices of the options that are not restricted. is_hopeless: whether some item
    cannot be covered.
    """

    model: ExactCover
    cover: Cover
    n_key_words: int
    factor: int
    is_hopeless: bool

    @property
    def n_options(self) -> int:
        """The number of options, including those that are not restricted."""
        return len(self.cover.use_at) - 1


def make_plan(model: ExactCover) -> MemoPlan:
    """The plan of a model."""
    n_primary, n_items = len(model.primary), len(model.primary) + len(model.secondary)
    owners, items, colors, *_ = all_uses(model)
    met = np.bincount(items, minlength=n_items)
    has_colors = np.zeros(n_items, dtype=bool)
    has_colors[items[colors > 0]] = True
    low = np.zeros(n_items, dtype=np.int64)
    high = np.ones(n_items, dtype=np.int64)
    # Bounds may be too large for an array. No item can be covered `most` times.
    most = len(model.options) + 1
    bounds = [(min(lowest, most), min(highest, most)) for lowest, highest in model.bounds]
    low[:n_primary], high[:n_primary] = np.array(bounds or [(1, 1)] * n_primary).T
    is_hopeless = bool((low > met).any())
    high[has_colors] = ANY_NUMBER
    is_unrestricted = (low == 0) & (high >= met) & (np.arange(n_items) < n_primary)
    matters = ~is_unrestricted[items]
    owners, items, colors = owners[matters], items[matters], colors[matters]
    sizes = np.bincount(owners, minlength=len(model.options))
    is_counted = (high > 1) & ~has_colors & ~is_unrestricted
    by_items = bool((low[:n_primary] == 1).all()) and not is_counted.any() and not has_colors.any()
    n_bits = n_items if by_items else len(model.options)
    width = max(1, int(met.max(initial=0)).bit_length())
    field_at, n_bits = _fields(is_counted, n_bits, 2 * width)
    cover = Cover(
        use_at=np.concatenate(([0], np.cumsum(sizes))).astype(np.int32),
        items=items.astype(np.int32),
        colors=colors.astype(np.int32),
        low=low.astype(np.int32),
        high=high.astype(np.int32),
        field_at=field_at,
        by_items=by_items,
        field_width=width,
    )
    return MemoPlan(
        model,
        read_only(cover),
        n_key_words=max(1, -(-n_bits // WORD)),
        factor=1 << int((sizes == 0).sum()),
        is_hopeless=is_hopeless,
    )


def _fields(is_counted: NDArray[np.bool_], n_bits: int, width: int) -> tuple[Ints, int]:
    """The first key bit of each item that is counted, whose bits are in one word; and the bits of a key."""
    field_at = np.full(len(is_counted), -1, dtype=np.int32)
    for item in np.flatnonzero(is_counted):
        if n_bits % WORD + width > WORD:
            n_bits += WORD - n_bits % WORD
        field_at[item] = n_bits
        n_bits += width
    return field_at, n_bits


SMALLEST = ExactCover(("a", "b"), (), (((0, 0),), ((1, 0),)))

FEW_ENTRIES = 1 << 10
FEW_DEPTHS = 64

MOST_ARENA = (1 << 31) - 1
"""Places in the arena are numbers of 32 bits."""

BUDGET = 1 << 14
"""Choices between two pauses, which take some milliseconds to some tenths of a second."""


class Search:
    """One search of a plan."""

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
        """Subproblems stored so far."""
        return int(self._work.head[kernel.N_ENTRIES])

    def count(self, pause: Callable[[], None]) -> int:
        """Search to the end; `pause` is called after every BUDGET choices. Raises EngineRefuses."""
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
        """Double the number of rows of some arrays."""
        for name in names:
            rows = getattr(self._work, name)
            longer = unfilled((2 * len(rows), *rows.shape[1:]), rows.dtype)
            longer[: len(rows)] = rows
            changed: dict[str, Any] = {name: longer}
            self._work = self._work._replace(**changed)

    def _check_memory(
        self, *, n_entries: int = 0, n_limbs: int = 0, n_arena: int = 0, n_depths: int = 0
    ) -> None:
        """Raise EngineRefuses if the arrays would be too large. 0 stands for the current size."""
        n_arena = n_arena or len(self._work.arena)
        n_limbs = n_limbs or self._work.values.shape[1]
        n_words = self._plan.n_key_words + n_limbs
        # Each entry has two places. While an array is copied, half of it is there twice.
        n_bytes = (n_entries or len(self._work.keys)) * (12 * n_words + 8)
        n_bytes += (n_depths or len(self._work.path)) * 12 * (n_words + n_limbs + 14) + 6 * n_arena
        if n_bytes > self._most_bytes or n_arena > MOST_ARENA:
            raise NeedsMemory(
                f"remembering subproblems takes more than {size_in_words(self._most_bytes)} for this"
                f" puzzle (after {self.n_entries:,} of them): too few of them are equal; choose an engine"
                f" that lists, {ALLOW_MORE}"
            )


def _beginning(plan: MemoPlan) -> Ints:
    """The arena with the whole model as one component, which is correct even if it has several."""
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
