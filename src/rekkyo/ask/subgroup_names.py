"""Names for the symmetry of a solution: the usual name if there is one, else its order and an example.

The catalog names the motions of the board; a motion with a further symmetry has a name of both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from rekkyo.errors import GroupTooLarge, in_short
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model, Puzzle, plain_words
from rekkyo.model.row import Atom, Layout, RowShape
from rekkyo.render.option_words import option_in_words
from rekkyo.symmetry.group import Group, close
from rekkyo.symmetry.permutations import cycles_of
from rekkyo.symmetry.stabilizers import Subgroup, order_of

MAX_NAMED = 1 << 12
"""The most products of a motion and a further symmetry that get names."""

N_EXAMPLES = 3

MAX_OPTION = 20
"""The most characters of the items of an option in an example."""

NO_SYMMETRY = "no symmetry"

_KNOWN = {
    ("half turn", "mirror", "mirror"): "both mirrors",
    ("diagonal mirror", "diagonal mirror", "half turn"): "both diagonal mirrors",
    tuple(
        sorted(["half turn", *["quarter turn"] * 2, *["mirror"] * 2, *["diagonal mirror"] * 2])
    ): "all of the square",
}


def subgroup_names(puzzle: Puzzle, up_to: str, group: Group, subgroups: Sequence[Subgroup]) -> list[str]:
    """A name for each subgroup, all different."""
    element_names = _element_names(puzzle, up_to)
    names = [_name(group, subgroup, element_names, puzzle.model_in_words) for subgroup in subgroups]
    n_times = Counter(names)
    n_used: Counter[str] = Counter()
    for index, name in enumerate(names):
        if n_times[name] > 1:
            n_used[name] += 1
            names[index] = f"{name} ({n_used[name]})"
    return names


def _element_names(puzzle: Puzzle, up_to: str) -> dict[bytes, str]:
    """Names of elements of the group, by their bytes."""
    motions = [
        (motion.name, np.array(motion.permutation, dtype=np.uint32)) for motion in puzzle.motions or ()
    ]
    names = {permutation.tobytes(): name for name, permutation in motions}
    words = plain_words(up_to).split(",")
    for kind in puzzle.further:
        if kind.word not in words:
            continue
        try:
            further = close(puzzle.model.row_shape, kind.generators)
        except GroupTooLarge:
            continue
        if further.order * (len(motions) + 1) > MAX_NAMED:
            continue
        for element in further.elements[1:]:
            names.setdefault(element.tobytes(), kind.word)
            for name, permutation in motions:
                names.setdefault(element[permutation].tobytes(), f"{name} with {kind.word}")
    return names


def _position_names(model: Model) -> Sequence[str]:
    """The names of what has a value, as in declared symmetry; without names, its numbers."""
    if isinstance(model, Csp):
        return [model.names[variable] for variable in model.solution]
    names = model.names if isinstance(model, Coloring) else ()
    return names or [str(position) for position in range(model.row_shape.length)]


def _name(group: Group, subgroup: Subgroup, element_names: dict[bytes, str], model: Model) -> str:
    if len(subgroup) == 1:
        return NO_SYMMETRY
    members = group.elements[sorted(subgroup)][1:]
    orders = [order_of(member) for member in members]
    generator = members[int(np.argmax(orders))]
    names = [element_names.get(member.tobytes()) for member in members]
    known = sorted(name for name in names if name is not None)
    if len(known) < len(names):
        return f"order {len(subgroup)}, such as {_moves(model, generator.tolist())}"
    if max(orders) == len(subgroup):
        return str(element_names[generator.tobytes()])
    if tuple(known) in _KNOWN:
        return _KNOWN[tuple(known)]
    parts = [f"{count} x {name}" if count > 1 else name for name, count in sorted(Counter(known).items())]
    return ", ".join(parts)


def _moves(model: Model, permutation: list[Atom]) -> str:
    """The first things that a permutation moves: cycles of positions if each value stays as it is."""
    shape = model.row_shape
    images = _images_of_positions(shape, permutation)
    if images is not None:
        positions = _position_names(model)
        cycles = [cycle for cycle in cycles_of(images) if len(cycle) > 1]
        words = "".join(f"({' '.join(positions[k] for k in cycle)})" for cycle in cycles[:N_EXAMPLES])
        return words + (" …" if len(cycles) > N_EXAMPLES else "")
    moved = [(atom, image) for atom, image in enumerate(permutation) if atom != image]
    texts = [f"{_atom(model, atom)} to {_atom(model, image)}" for atom, image in moved[:N_EXAMPLES]]
    kind = "option " if shape.layout is Layout.BY_OPTION else ""
    return kind + ", ".join(texts) + (", …" if len(moved) > N_EXAMPLES else "")


def _images_of_positions(shape: RowShape, permutation: list[Atom]) -> list[int] | None:
    """The position to which each one is moved; None if a value becomes another one."""
    if shape.layout is Layout.BY_OPTION:
        return None
    images = list(range(shape.length))
    for atom, image in enumerate(permutation):
        (position, value), (goal, other) = divmod(atom, shape.n_values), divmod(image, shape.n_values)
        if atom != image and (value != other or images[position] not in (position, goal)):
            return None
        if atom != image:
            images[position] = goal
    return images if len(set(images)) == len(images) else None


def _atom(model: Model, atom: Atom) -> str:
    """A value at a position; or an option with its number, because several may cover the same items."""
    cover = lower(model)
    if isinstance(cover, ExactCover):
        return f"{atom} {{{in_short(option_in_words(cover, atom), MAX_OPTION)}}}"
    position, value = divmod(atom, model.row_shape.n_values)
    return f"{value} at {position}"
