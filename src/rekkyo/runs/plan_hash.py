"""Hashes that say whether two runs are the same search: of a model, and of a plan with its shards.

A run goes on only under the plan with which it was begun. The plan's hash covers the model, the symmetry, the
engine's name, the sources of all engines, and every shard; shards do not depend on the versions of Python,
NumPy and Numba or on the kind of computer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from rekkyo.engines.covers.uses import all_uses
from rekkyo.jit import source_digest
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.search.search import Search


def model_hash(puzzle: Puzzle) -> str:
    """Of what is searched for and of its symmetry, the same in every process.

    That there is no symmetry is not the same as that none is known: then a run counts no orbits.
    """
    generators = puzzle.generators if puzzle.knows_symmetry else None
    facts = (lower(puzzle.model), generators, puzzle.further)
    # Models hold no cycles, and looking for them took a third of the time.
    text = json.dumps(facts, default=_plain, check_circular=False)
    return hashlib.sha256(text.encode()).hexdigest()


def plan_hash(model: str, search: Search, up_to: str) -> str:
    """Of a search, how it is cut, and which rows are kept. model: its hash."""
    engine, n_shards = search.engine.name, len(search.shards)
    facts = (model, engine, source_digest(), up_to, search.only_representatives, n_shards)
    digest = hashlib.sha256(json.dumps(facts).encode())
    for shard in search.shards:
        digest.update(f"{shard.index} {shard.prefix} {shard.nodes}\n".encode())
    return digest.hexdigest()


def _plain(value: Any) -> Any:
    """What JSON cannot write, in parts that it can: sets in one order, values by their fields."""
    if isinstance(value, (frozenset, set)):
        return ["set", sorted(json.dumps(member, default=_plain) for member in value)]
    if isinstance(value, Enum):
        return ["name", value.name]
    if is_dataclass(value):
        return [type(value).__name__, [_part(value, field.name) for field in fields(value) if field.compare]]
    raise TypeError(f"a model with a {type(value).__name__} in it has no hash")


def _part(value: Any, name: str) -> Any:
    part = getattr(value, name)
    if isinstance(value, ExactCover) and name == "options":
        return _hash_of_uses(value)
    return _pairs(part) if isinstance(part, Mapping) else part


def _hash_of_uses(model: ExactCover) -> str:
    """Of all options, from the arrays that a plan has made already: as JSON they took 2 ms."""
    digest = hashlib.sha256()
    for numbers in all_uses(model):
        digest.update(numbers.astype("<i8").tobytes())
    return digest.hexdigest()


def _pairs(mapping: Mapping[Any, Any]) -> Any:
    return ["pairs", sorted(json.dumps(pair, default=_plain) for pair in mapping.items())]
