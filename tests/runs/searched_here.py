"""An executor that searches in the calling thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any


class Here(Executor):
    """Does everything at once in this thread, and may spoil what comes out."""

    def __init__(self, spoil: Callable[[int, Any], Any] = lambda _, result: result) -> None:
        self.n_tasks = 0
        self._spoil = spoil

    def submit(self, work: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        self.n_tasks += 1
        future: Future[Any] = Future()
        try:
            future.set_result(self._spoil(self.n_tasks, work(*arguments, **named)))
        except Exception as problem:
            future.set_exception(problem)
        return future
