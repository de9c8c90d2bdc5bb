"""Replaces variables in a constraint by other variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from rekkyo.model.csp import constraints as c


def renamed(constraint: c.Constraint, names: Mapping[c.Variable, c.Variable]) -> c.Constraint:
    """The constraint with some variables replaced."""
    if isinstance(constraint, c.Clause):
        literals = constraint.literals
        new = tuple([(names.get(v, v), value, sign) for v, value, sign in literals])
        return constraint if new == literals else c.Clause.of(new)
    if names.keys().isdisjoint(c.variables_of(constraint)):
        return constraint
    changes: dict[str, Any] = {}
    for field in fields(constraint):
        value = getattr(constraint, field.name)
        if field.name in c.NAMING:
            is_tuple = isinstance(value, tuple)
            changes[field.name] = (
                tuple(names.get(v, v) for v in value) if is_tuple else names.get(value, value)
            )
    if isinstance(constraint, c.Reified):
        changes = {
            "constraint": renamed(constraint.constraint, names),
            "truth": names.get(constraint.truth, constraint.truth),
        }
    return replace(constraint, **changes)
