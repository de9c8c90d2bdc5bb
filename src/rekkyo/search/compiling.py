"""Says what was compiled.

Kernels are compiled when they are first needed and kept in a folder (`rekkyo.jit`). A first use that takes
seconds instead of milliseconds should say why: it goes to the log "rekkyo", which the command line shows.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from rekkyo.jit import compiling
from rekkyo.kernel_cache import keeps_kernels

LOG = logging.getLogger("rekkyo")


@contextmanager
def announced(what: str) -> Iterator[None]:
    """Log what was compiled meanwhile; nothing when all of it was loaded."""
    with compiling() as compiled:
        yield
    if compiled.n_functions:
        kept = "kept for the next time" if keeps_kernels() else "not kept: no folder for it can be written"
        LOG.info("compiled %s in %.1f s; %s", what, compiled.seconds, kept)
