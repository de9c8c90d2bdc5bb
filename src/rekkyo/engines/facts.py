"""Facts of a plan as a hash that is the same on every computer."""

from __future__ import annotations

import hashlib
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

PLAIN = frozenset({int, bool, str, range, type(None)})
"""Types whose `repr` is the same everywhere."""

WIDEST = {"b": "|b1", "i": "<i8", "u": "<u8"}
"""The type in which arrays of each kind are hashed, because the width of some depends on the computer."""


def add_facts(digest: hashlib._Hash, value: Any) -> None:
    """Add a part of a plan, in a form that is the same on every computer and that no other part has."""
    if isinstance(value, np.ndarray) and value.dtype.kind in WIDEST:
        kind = value.dtype.kind
        digest.update(f"{kind}{value.shape}".encode())
        digest.update(np.ascontiguousarray(value, WIDEST[kind]).reshape(-1).data)
    elif isinstance(value, np.generic):
        add_facts(digest, value.item())
    elif isinstance(value, tuple) and not PLAIN.issuperset(map(type, value)):
        digest.update(f"[{len(value)}".encode())
        for part in value:
            add_facts(digest, part)
    elif isinstance(value, tuple) or type(value) in PLAIN:
        plain = tuple(value) if isinstance(value, tuple) else value  # without the names of a named tuple
        digest.update(f"{plain!r};".encode())
    elif is_dataclass(value):
        if not hasattr(value, "row_shape"):  # a model has its own hash
            add_facts(digest, tuple(getattr(value, field.name) for field in fields(value)))
    else:
        what = value.dtype if isinstance(value, np.ndarray) else type(value).__name__
        raise TypeError(f"a plan with {what} in it has no hash that is the same everywhere")
