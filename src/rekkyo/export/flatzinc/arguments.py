"""The arguments of a posted predicate, converted to the types that the predicate needs."""

from __future__ import annotations

from collections.abc import Sequence
from types import UnionType
from typing import Any, NoReturn

from rekkyo.export.flatzinc.building import Building
from rekkyo.export.flatzinc.domains import Atom, IntSet, Unknown, Value
from rekkyo.wording import several


class Arguments:
    """Arguments whose names are resolved. Each method refuses an argument that is not of its type."""

    def __init__(self, predicate: str, values: Sequence[Value], building: Building) -> None:
        self.predicate = predicate
        self._values = values
        self._building = building
        self._n_used = 0

    def __len__(self) -> int:
        return len(self._values)

    def without_last(self) -> tuple[Arguments, Atom]:
        """All arguments except the last one, and the last one, which must be a truth value."""
        if not self._values:
            self._building.refuse(f"{self.predicate} has no arguments")
        rest = Arguments(self.predicate, self._values[:-1], self._building)
        return rest, self.truth(len(self) - 1)

    def check_used(self) -> None:
        """Refuse arguments after the last one that was used."""
        if self._n_used < len(self):
            some = several(len(self), "argument")
            self._building.refuse(f"{self.predicate} has {some}, but it takes {self._n_used}")

    def check_lengths(self, wanted: int, *arrays: Sequence[object]) -> None:
        """Refuse an array of another length."""
        for found in map(len, arrays):
            if found != wanted:
                self._building.refuse(f"{self.predicate} has an array of {found} where it needs {wanted}")

    def _refuse(self, at: int, wanted: str) -> NoReturn:
        self._building.refuse(f"argument {at + 1} of {self.predicate} must be {wanted}")

    def _value(self, at: int) -> Value:
        self._n_used = max(self._n_used, at + 1)
        if not 0 <= at < len(self._values):
            some = several(len(self), "argument")
            self._building.refuse(f"{self.predicate} has {some} and needs more")
        return self._values[at]

    def _array(self, at: int, kind: type | UnionType, wanted: str) -> tuple[Any, ...]:
        value = self._value(at)
        if not isinstance(value, tuple) or not all(
            issubclass(found, kind) for found in set(map(type, value))
        ):
            self._refuse(at, wanted)
        return value

    def atom(self, at: int) -> Atom:
        """A number or a variable."""
        value = self._value(at)
        if not isinstance(value, int | Unknown):
            self._refuse(at, "one number or one variable")
        return value

    def truth(self, at: int) -> Atom:
        """True, false or a variable of kind bool."""
        atom = self.atom(at)
        self._check_truths(at, (atom,))
        return atom

    def number(self, at: int) -> int:
        """A number, or the only value that a variable can have."""
        value = self._building.fixed(self.atom(at))
        if value is None:
            self._refuse(at, "a number that is fixed")
        return value

    def atoms(self, at: int) -> tuple[Atom, ...]:
        """An array of numbers or variables."""
        return self._array(at, int | Unknown, "an array of numbers or variables")

    def truths(self, at: int) -> tuple[Atom, ...]:
        """An array of true, false and variables of kind bool."""
        atoms = self.atoms(at)
        self._check_truths(at, atoms)
        return atoms

    def numbers(self, at: int) -> tuple[int, ...]:
        """An array of numbers."""
        atoms: tuple[Any, ...] = self.atoms(at)
        if set(map(type, atoms)) <= {int}:  # tables have thousands, and share one array
            return atoms
        found = tuple(self._building.fixed(atom) for atom in atoms)
        fixed = tuple(number for number in found if number is not None)
        if len(fixed) < len(found):
            self._refuse(at, "an array of numbers that are fixed")
        return fixed

    def set(self, at: int) -> IntSet:
        """A set of numbers."""
        value = self._value(at)
        if not isinstance(value, range | frozenset):
            self._refuse(at, "a set of numbers, such as 1..9")
        return value

    def sets(self, at: int) -> tuple[IntSet, ...]:
        """An array of sets of numbers."""
        return self._array(at, range | frozenset, "an array of sets of numbers")

    def _check_truths(self, at: int, atoms: Sequence[Atom]) -> None:
        if not all({0, 1}.issuperset(self._building.values(atom)) for atom in atoms):
            self._refuse(at, "of kind bool")
