"""The syntax of a FlatZinc text: declarations, constraints, and the goal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

WITH_POINT = "numbers with a point are not searched; use whole numbers (int)"


@dataclass(frozen=True, slots=True)
class Name:
    """A name used as a value; with an index, an entry of the array of that name, from 1."""

    name: str
    index: int | None
    at: int


@dataclass(frozen=True, slots=True)
class Text:
    """A text in quotation marks, only in annotations."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A name with arguments, only in annotations."""

    name: str
    arguments: tuple[Expression, ...]


IntSet: TypeAlias = range | frozenset[int]
"""A set of whole numbers: a range of any length, or its members."""

Expression: TypeAlias = "int | bool | float | IntSet | Name | Text | Call | tuple[Expression, ...]"


@dataclass(frozen=True, slots=True)
class Declaration:
    """A parameter or variable, or an array of them.

    base: "int" or "bool", "set" for a set of whole numbers, "float" only of a parameter. domain: of a
    variable, if it is given. size: of an array, None for a single one. value: None if none is given.
    """

    at: int
    name: str
    is_variable: bool
    base: str
    domain: IntSet | None
    size: int | None
    annotations: tuple[Expression, ...]
    value: Expression | None


@dataclass(frozen=True, slots=True)
class Posted:
    """A predicate that must hold of its arguments."""

    at: int
    predicate: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Goal:
    """The goal: satisfy, minimize or maximize; the objective is None for the first."""

    at: int
    kind: str
    objective: Expression | None


Item: TypeAlias = Declaration | Posted | Goal
