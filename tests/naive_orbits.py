"""Orbits of rows under permutations of atoms by the definition, written for the tests: no code of rekkyo.

By position the atom of value v at position p is p * n_values + v; by option it is the value itself, and the
number n_values, which fills rows up, stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Row = tuple[int, ...]
Permutation = tuple[int, ...]


def image(row: Row, permutation: Permutation, n_values: int, *, by_option: bool) -> Row:
    """The row after one permutation."""
    if by_option:
        return tuple(sorted(value if value == n_values else permutation[value] for value in row))
    moved = [0] * len(row)
    for position, value in enumerate(row):
        target, moved_value = divmod(permutation[position * n_values + value], n_values)
        moved[target] = moved_value
    return tuple(moved)


def orbits(
    rows: Iterable[Row], generators: Sequence[Permutation], n_values: int, *, by_option: bool
) -> list[frozenset[Row]]:
    """The classes of rows that the permutations turn into each other, images that are not rows included."""
    found = []
    seen: set[Row] = set()
    for row in rows:
        if row in seen:
            continue
        orbit, new = {row}, [row]
        while new:
            here = new.pop()
            for permutation in generators:
                there = image(here, permutation, n_values, by_option=by_option)
                if there not in orbit:
                    orbit.add(there)
                    new.append(there)
        seen |= orbit
        found.append(frozenset(orbit))
    return found


def group_order(generators: Sequence[Permutation], n_atoms: int, most: int) -> int | None:
    """How many permutations the generators make, or None if more than `most`."""
    identity = tuple(range(n_atoms))
    found, new = {identity}, [identity]
    while new:
        here = new.pop()
        for permutation in generators:
            there = tuple(permutation[atom] for atom in here)
            if there not in found:
                if len(found) == most:
                    return None
                found.add(there)
                new.append(there)
    return len(found)
