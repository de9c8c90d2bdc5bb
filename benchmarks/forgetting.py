"""Empties what rekkyo keeps of earlier questions, so that a count that is measured plans anew."""

from __future__ import annotations

import sys
from functools import _lru_cache_wrapper, cache
from typing import Any

import rekkyo.search.race  # noqa: F401 (its caches are cleared, too)
from rekkyo.engines.covers import uses
from rekkyo.engines.registry import all_engines


def forget() -> None:
    """Clear every cache of results in rekkyo; compiled kernels stay."""
    for results in _caches():
        results.cache_clear()
    uses._remembered.clear()


@cache
def _caches() -> list[Any]:
    """Those of all engines, which are imported here, and of what is imported by the first call."""
    tuple(all_engines())
    modules = [module for name, module in sys.modules.items() if name.startswith("rekkyo.")]
    values = {id(value): value for module in modules for value in vars(module).values()}
    return [value for value in values.values() if isinstance(value, _lru_cache_wrapper)]
