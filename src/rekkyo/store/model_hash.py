"""The hash of a model, which tells whether two puzzles are the same."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields, is_dataclass
from typing import Any

from rekkyo.engines.covers.uses import all_uses
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle


def model_hash(puzzle: Puzzle) -> str:
    """The hash of a puzzle's model and symmetry, the same in every process.

    A puzzle without symmetry has another hash than one of unknown symmetry, whose runs count no orbits.
    """
    generators = puzzle.generators if puzzle.knows_symmetry else None
    facts = (lower(puzzle.model), generators, puzzle.further)
    # Models have no reference cycles, and the check for them took a third of the time.
    text = json.dumps(facts, default=_plain, check_circular=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    """Values that JSON cannot write, in parts that it can: sets in one order, values by their fields."""
    if isinstance(value, (frozenset, set)):
        return ["set", sorted(json.dumps(member, default=_plain) for member in value)]
    if is_dataclass(value):
        return [type(value).__name__, [_part(value, field.name) for field in fields(value) if field.compare]]
    raise TypeError(f"a model with a {type(value).__name__} in it has no hash")


def _part(value: Any, name: str) -> Any:
    if isinstance(value, ExactCover) and name == "options":
        return _hash_of_uses(value)
    return getattr(value, name)


def _hash_of_uses(model: ExactCover) -> str:
    """The hash of all options, from the arrays of the plan, because JSON took 2 ms."""
    digest = hashlib.sha256()
    for numbers in all_uses(model)[:3]:
        digest.update(numbers.astype("<i8").tobytes())
    return digest.hexdigest()
