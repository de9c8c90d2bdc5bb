"""The syntax of a FlatZinc text: declarations, constraints, and the goal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rekkyo.export.flatzinc.domains import IntSet, Value
from rekkyo.export.flatzinc.lexer import Place

WITH_POINT = "numbers with a point are not searched; use whole numbers (int)"


@dataclass(frozen=True, slots=True)
class Annotation:
    """An annotation, or a part of one that is a name; other parts are numbers, sets, texts and arrays."""

    name: str
    arguments: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Declaration:
    """A parameter or variable, or an array of them.

    base: "int" or "bool", "set" for a set of whole numbers, "float" only of a parameter. domain: of the
    values, or of the members of sets, if it is given. size: of an array, None for a single one. value: None
    if none is given; 0 for a number with a point, which is refused where it is used.
    """

    at: Place
    name: str
    is_variable: bool
    base: str
    domain: IntSet | None
    size: int | None
    annotations: tuple[Annotation, ...]
    value: Value | None


@dataclass(frozen=True, slots=True)
class Posted:
    """A predicate that must hold of its arguments."""

    at: Place
    predicate: str
    arguments: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Goal:
    """The goal: satisfy, minimize or maximize; the objective is None for the first."""

    at: Place
    kind: str
    objective: Value | None


Item: TypeAlias = Declaration | Posted | Goal
