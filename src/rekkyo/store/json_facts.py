"""Files of facts in JSON: reading them with a check of all types, and their seal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from math import isfinite
from types import UnionType
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

from rekkyo.errors import BadInput

MOST_IN_A_LIST = 1 << 16

Names: TypeAlias = tuple[str, ...]
"""The name of a fact, and of the one inside of it that is meant."""


def sealed(facts: Mapping[str, Any], indent: int) -> bytes:
    """The facts as JSON, and as their seal the SHA-256 of that without the seal."""

    def text(facts: Mapping[str, Any]) -> bytes:
        return json.dumps(facts, indent=indent).encode() + b"\n"

    return text({**facts, "seal": hashlib.sha256(text(facts)).hexdigest()})


def parsed(content: bytes, file: str, number: int) -> dict[str, Any]:
    """The content of a file of facts, if its format has this number. Raises BadInput."""
    try:
        facts: dict[str, Any] = json.loads(content)
    except (ValueError, RecursionError):
        raise BadInput(f"{file} is not JSON; put back a copy of it") from None
    found = facts.get("format") if isinstance(facts, dict) else None
    if found != number or isinstance(found, bool):
        fix = "check it with the rekkyo that wrote it"
        raise BadInput(f"{file} does not say that its format is {number}; {fix}")
    return facts


def wrong_in(file: str) -> Callable[[Names], BadInput]:
    """The refusals of `read_fields` for a file of this name."""
    return lambda names: BadInput(f'"{names[-1]}" is missing or wrong in {file}; put back a copy of it')


@cache
def types_of(kind: type) -> Mapping[str, Any]:
    """The fields of a dataclass with their types, which took a fifth of the time to open a run."""
    return get_type_hints(kind)


def read_fields(
    hints: Mapping[str, Any],
    facts: Mapping[str, Any],
    wrong: Callable[[Names], Exception],
    is_sound: Callable[[Names, Any], bool] = lambda _names, _value: True,
) -> dict[str, Any]:
    """The facts with these names and types; others are left out. Facts inside of a dataclass must be its own.

    wrong: makes the exception for a fact that is missing or not of its type. is_sound: whether a text or a
    number of the right type is allowed.
    """

    def read(kind: Any, value: Any, names: Names) -> Any:
        parts, origin = get_args(kind), get_origin(kind)
        if origin is UnionType:
            return value if value is None else read(parts[0], value, names)
        if isinstance(kind, type) and is_dataclass(kind) and isinstance(value, dict):
            own = types_of(kind)
            if value.keys() == own.keys():
                return kind(**{name: read(own[name], value[name], (*names, name)) for name in own})
        elif origin is tuple and isinstance(value, list) and len(value) <= MOST_IN_A_LIST:
            return tuple(read(parts[0], each, names) for each in value)
        elif origin is dict and isinstance(value, dict):
            return {key: read(parts[1], each, names) for key, each in value.items()}
        elif type(value) is kind and (kind is not float or isfinite(value)) and is_sound(names, value):
            return value
        raise wrong(names)

    return {name: read(hint, facts.get(name, ...), (name,)) for name, hint in hints.items()}
