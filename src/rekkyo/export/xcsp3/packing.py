"""Constraints of XCSP3 on tasks, boxes and bins, in parts that are linear."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from rekkyo.export.flatzinc.domains import Atom
from rekkyo.export.xcsp3.expressions import Sum, plain
from rekkyo.export.xcsp3.given import Given
from rekkyo.export.xcsp3.words import Call
from rekkyo.model.csp.constraints import EQUAL


def no_overlap(given: Given) -> None:
    """In some dimension one box ends before the other begins. Boxes without a length may be ignored."""
    expressions = given.expressions
    may_ignore = given.is_true("zeroIgnored", "true")
    if any(given.words(tag).are_tuples() for tag in ("origins", "lengths")):
        origins, lengths = given.rows("origins"), given.rows("lengths")
    else:
        origins, lengths = ([[atom] for atom in given.atoms(tag)] for tag in ("origins", "lengths"))
    given.as_many(origins, lengths)
    for at, sizes in zip(origins, lengths, strict=True):
        given.as_many(at, sizes)
    boxes = [
        (at, sizes) for at, sizes in zip(origins, lengths, strict=True) if not (may_ignore and 0 in sizes)
    ]
    for box, other in combinations(boxes, 2):
        apart = []
        for (at, sizes), (next_at, _) in ((box, other), (other, box)):
            ends = zip(at, sizes, next_at, strict=True)
            apart += [expressions.compared("le", ([1, 1], [x, w], 0), plain(y)) for x, w, y in ends]
        if may_ignore:
            apart += [given.building.equal(w, 0) for _, sizes in (box, other) for w in sizes]
        given.building.state(given.any_of([statement for statement in apart if statement is not False]))


def cumulative(given: Given) -> None:
    """The heights of the tasks that run at the start of a task; between starts they only decrease."""
    building, expressions = given.building, given.expressions
    origins, lengths, heights = (given.atoms(tag) for tag in ("origins", "lengths", "heights"))
    given.as_many(origins, lengths, heights)
    condition = given.condition()
    if condition.operator not in ("le", "lt"):
        building.refuse("only the operators le and lt are read")
    if any(building.values(atom)[0] < 0 for atom in (*lengths, *heights)):
        building.refuse("a length or height may be negative")
    if given.has("ends"):
        ends = given.atoms("ends")
        given.as_many(origins, ends)
        for start, length, end in zip(origins, lengths, ends, strict=True):
            building.state(building.linear((1, 1, -1), (start, length, end), EQUAL, 0))
    for now in origins:
        running: list[Atom] = []
        for start, length in zip(origins, lengths, strict=True):
            truths = [
                building.truth(building.at_most(start, now)),
                building.truth(expressions.compared("lt", plain(now), ([1, 1], [start, length], 0))),
            ]
            running.append(expressions.all_true(truths))
        terms = [expressions.sum(Call("mul", pair)) for pair in zip(heights, running, strict=True)]
        expressions.holds(expressions.weighted([1] * len(terms), terms), condition)


def bin_packing(given: Given) -> None:
    """Bins are counted from 0."""
    building, expressions = given.building, given.expressions
    items, sizes = given.only_list(), given.numbers("sizes")
    given.as_many(items, sizes)
    tags = [tag for tag in ("limits", "loads", "condition") if given.has(tag)]
    if len(tags) != 1:
        building.refuse("it must have a condition, limits or loads")
    if any(building.values(item)[0] < 0 for item in items):
        building.refuse("an item may have a negative number of a bin")
    if tags == ["condition"]:
        condition = given.condition()
        if condition.operator not in ("le", "lt") or min(sizes) < 0:
            building.refuse("only the operators le and lt are read, and sizes that are not negative")
        for place in sorted({value for item in items for value in building.values(item)}):
            expressions.holds(_load(given, items, sizes, place), condition)
        return
    wanted = given.atoms(tags[0])
    if any(building.values(item)[-1] >= len(wanted) for item in items):
        building.refuse(f"an item may be in another bin than the {len(wanted)} that are given")
    for place, atom in enumerate(wanted):
        relation = "le" if tags == ["limits"] else "eq"
        building.state(expressions.compared(relation, _load(given, items, sizes, place), plain(atom)))


def _load(given: Given, items: Sequence[Atom], sizes: Sequence[int], place: int) -> Sum:
    return list(sizes), [given.building.truth(given.building.equal(item, place)) for item in items], 0


def knapsack(given: Given) -> None:
    """Conditions for the weight and for the profit."""
    if len(given.parts("condition")) != 2:
        given.building.refuse("it must have two conditions, for the weights and the profits")
    for at, tag in enumerate(("weights", "profits")):
        atoms, numbers = given.only_list(), given.numbers(tag)
        given.as_many(atoms, numbers)
        given.expressions.holds((numbers, atoms, 0), given.condition(at))
