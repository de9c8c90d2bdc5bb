"""What is compiled during a search, written to the log."""

from __future__ import annotations

import logging

from rekkyo.jit import compiled_so_far

LOG = logging.getLogger("rekkyo")


class announced:  # noqa: N801 - it is called as a function is
    """Log what was compiled meanwhile, if anything: a first use that takes seconds should say why.

    Every search enters it twice. With `contextmanager` it takes more than twice as long.
    """

    __slots__ = ("_before_s", "_n_before", "_what")

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        compiled = compiled_so_far()
        self._n_before, self._before_s = len(compiled.functions), compiled.seconds

    def __exit__(self, kind: object, *_: object) -> None:
        compiled = compiled_so_far()
        if kind is None and len(compiled.functions) > self._n_before:
            from rekkyo.kernel_cache import keeps_kernels

            kept = (
                "kept for the next time" if keeps_kernels() else "not kept: no folder for it can be written"
            )
            LOG.info("compiled %s in %.1f s; %s", self._what, compiled.seconds - self._before_s, kept)
