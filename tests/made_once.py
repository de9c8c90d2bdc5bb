"""Strategies of Hypothesis, each made once for the same arguments: composite strategies import this module as `st`.

For each model that it draws, a composite strategy asks for others, such as `st.integers(0, n - 1)`. Making and validating
these took up to half of the time of drawing. What is drawn remains the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from hypothesis import strategies
from hypothesis.strategies import DataObject, DrawFn, SearchStrategy, data, dictionaries, none, randoms

cache: Any = lru_cache(None, typed=True)
"""0 and False are equal, but they are different arguments."""

__all__ = ["DataObject", "DrawFn", "SearchStrategy", "data", "dictionaries", "none", "randoms"]

booleans = cache(strategies.booleans)
builds = cache(strategies.builds)
frozensets = cache(strategies.frozensets)
integers = cache(strategies.integers)
just = cache(strategies.just)
lists = cache(strategies.lists)
one_of = cache(strategies.one_of)
sets = cache(strategies.sets)
tuples = cache(strategies.tuples)


@cache
def _of_elements(make: Callable[[Any], Any], elements: tuple[Any, ...], _kinds: tuple[type, ...]) -> Any:
    return make(elements)


def _with_kinds(elements: Iterable[Any]) -> tuple[tuple[Any, ...], tuple[type, ...]]:
    """The elements, and their types: tuples with 0 and with False are equal."""
    known = tuple(elements)
    return known, tuple(map(type, known))


def permutations(elements: Iterable[Any]) -> SearchStrategy[list[Any]]:
    """Of elements that can be hashed, in a list as well."""
    return _of_elements(strategies.permutations, *_with_kinds(elements))


def sampled_from(elements: Iterable[Any]) -> SearchStrategy[Any]:
    """Of elements that can be hashed, in a list as well."""
    return _of_elements(strategies.sampled_from, *_with_kinds(elements))


def composite(function: Callable[..., Any]) -> Callable[..., SearchStrategy[Any]]:
    """Its arguments must be such that they can be hashed."""
    return cache(strategies.composite(function))
