"""Empties what rekkyo keeps of earlier questions, so that a count that is measured plans anew."""

from __future__ import annotations

import gc
from functools import _lru_cache_wrapper, cache
from typing import Any

import rekkyo.search.race  # noqa: F401 (its caches are cleared, too)
from rekkyo.engines.registry import all_engines


def forget() -> None:
    """Clear every cache of results in rekkyo; compiled kernels stay."""
    for results in _caches():
        results.cache_clear()


@cache
def _caches() -> list[Any]:
    """Those of all engines, which are imported here, and of what is imported by the first call."""
    tuple(all_engines())
    return [one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper) and _is_ours(one)]


def _is_ours(results: Any) -> bool:
    return str(getattr(results, "__module__", "")).startswith("rekkyo.")
