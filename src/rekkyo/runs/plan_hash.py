"""The hash of a plan with its shards, which tells whether two runs are the same search.

A run continues only under the plan with which it was begun. The plan's hash covers the model, the symmetry,
the engine's name and plan version, its plan facts, and every shard. None of these depends on the versions of
Python, NumPy and Numba, on the computer, or on sources: an engine can be edited during a run unless the edit
requires a new plan version.
"""

from __future__ import annotations

import hashlib

from rekkyo.engines.facts import add_facts
from rekkyo.search.search import Search


def plan_hash(model: str, search: Search, up_to: str) -> str:
    """The hash of a search, of its shards, and of which rows are kept. model: its hash."""
    engine = search.engine
    facts = (model, engine.name, engine.plan_version, up_to, search.only_representatives)
    digest = hashlib.sha256()
    add_facts(digest, (facts, engine.plan_facts(search.plan), len(search.shards)))
    for shard in search.shards:
        digest.update(f"{shard.index} {shard.prefix} {shard.nodes}\n".encode())
    return digest.hexdigest()
