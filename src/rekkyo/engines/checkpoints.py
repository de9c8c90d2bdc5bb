"""Checkpoints: places where an engine saves how far a count is that cannot be cut into shards.

A run keeps them in its directory (`rekkyo.store.checkpoints`). Other searches have none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol, TypeVar

from rekkyo.bits import Words

ResultT = TypeVar("ResultT")


class Saved(NamedTuple):
    """The content of a checkpoint.

    numbers: not negative. words: uint64[n], of all arrays one after the other, writeable.
    """

    numbers: tuple[int, ...]
    words: Words


class Checkpoint(Protocol):
    """The place of one count; it has the newest content only."""

    @property
    def is_there(self) -> bool:
        """Whether it was read or written."""

    def read(self, most_bytes: int, made: Callable[[Saved], ResultT]) -> ResultT | None:
        """The result of `made` for the content; None if there is none, or if it is not valid.

        most_bytes: of the words. made: raises ValueError for content that is not valid.
        """

    def is_due(self, n_bytes: int) -> bool:
        """Whether it is time to save a checkpoint of `n_bytes` bytes."""

    def write(self, numbers: Sequence[int], arrays: Iterable[Words]) -> None:
        """Replace the content. If that fails, the count goes on without checkpoints."""


class Checkpoints(Protocol):
    """The places of all counts of a run."""

    def of(self, facts: object) -> Checkpoint:
        """The place of a count. facts: determine it, as those of `Engine.plan_facts`."""


class _Nowhere:
    """A place that keeps nothing."""

    is_there = False

    def of(self, facts: object) -> _Nowhere:
        """The same place, for every count."""
        return self

    def read(self, most_bytes: int, made: Callable[[Saved], ResultT]) -> ResultT | None:
        """None: nothing is kept."""
        return None

    def is_due(self, n_bytes: int) -> bool:
        """Never."""
        return False

    def write(self, numbers: Sequence[int], arrays: Iterable[Words]) -> None:
        """Do nothing."""


NOWHERE = _Nowhere()
