"""Workers that share the work of one shard, for engines whose shards cannot be cut further."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

ResultT = TypeVar("ResultT")


class Crew(Protocol):
    """Some workers."""

    @property
    def n_workers(self) -> int:
        """The number of workers."""

    def __call__(self, tasks: Sequence[Callable[[], ResultT]]) -> list[ResultT]:
        """Do at most `n_workers` tasks, and return their results in the same order."""


class Alone:
    """The caller as the only worker."""

    n_workers = 1

    def __call__(self, tasks: Sequence[Callable[[], ResultT]]) -> list[ResultT]:
        """Do one task after the other."""
        return [task() for task in tasks]


ALONE = Alone()
