"""Levels as a diagram in the NNF format, which foreign counters read.

    nnf NODES EDGES VARIABLES
    A 0                 true, the end of every path
    L -7                a literal
    A 2 1 4             all variables of a level that a branch makes 0, once for each branch of a level
    A 3 2 5 17          a branch: its variable, those that are 0, and the state that it leads to
    O 0 2 18 19         a state: one of its branches

Dead ends are also written, as `O 0 0`, because the check of the count needs their missing branches.
Source of the format: A. Darwiche's c2d; as every path gives every variable a value, the diagram is smooth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rekkyo.engines.diagram.drawing import Successors
from rekkyo.engines.frontier.absorb import FREE
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.engines.frontier.walk import walk
from rekkyo.errors import EngineRefuses
from rekkyo.model.row import Atom, Layout, RowShape

TRUE = 0
"""The number of the first node."""


def nnf(
    plan: FrontierPlan[Any], variable_of: Mapping[Atom, int], shape: RowShape, most_bytes: int
) -> Iterator[str]:
    """The lines of the diagram of a plan without hidden variables. Raises EngineRefuses.

    variable_of: the variable, from 1, of each possible atom of a row. most_bytes: the memory for states and
    their successors.
    """
    steps = []
    for front in walk(plan, most_bytes, with_successors=True, counting=False):
        if front.successors is not None:
            steps.append(front.successors)
    if plan.levels.is_hopeless or front.n_states == 0:
        raise EngineRefuses("a diagram does not prove that there is no solution; without --count a list does")
    return _lines(plan, _atoms_of(plan, variable_of, shape), variable_of, steps)


def _atoms_of(plan: FrontierPlan[Any], variable_of: Mapping[Atom, int], shape: RowShape) -> list[list[Atom]]:
    """The atoms of each level; a value without a choice is decided with the others of its position."""
    atoms = [[choice.option for choice in level.choices] for level in plan.levels.levels]
    level_of = {atom: number for number, some in enumerate(atoms) for atom in some}
    level_at = {atom // shape.n_values: number for atom, number in level_of.items()}
    for atom in sorted(variable_of.keys() - level_of.keys()):
        if shape.layout is not Layout.BY_POSITION:
            raise EngineRefuses("an option can never be chosen")
        atoms[level_at[atom // shape.n_values]].append(atom)
    return atoms


def _lines(
    plan: FrontierPlan[Any],
    atoms_of: Sequence[Sequence[Atom]],
    variable_of: Mapping[Atom, int],
    steps: list[Successors],
) -> Iterator[str]:
    """All lines, from the last level to the first."""
    variables = [[variable_of[atom] for atom in atoms] for atoms in atoms_of]
    n_variables = len(variable_of)
    n_left_out = sum(int((step[:, 0] != FREE).sum()) for step in steps)
    n_branches = sum(int((step != FREE).sum()) for step in steps)
    n_zeros = sum(len(level.choices) + 1 for level in plan.levels.levels)
    n_nodes = 1 + 2 * n_variables + n_zeros + n_branches + sum(map(len, steps))
    of_zeros = sum(
        len(some) * (len(level.choices) + 1) - len(level.choices)
        for some, level in zip(variables, plan.levels.levels, strict=True)
    )
    n_edges = of_zeros + 3 * n_branches - n_left_out + n_branches
    yield f"nnf {n_nodes} {n_edges} {n_variables}\n"
    yield "A 0\n"
    for x in range(1, n_variables + 1):
        yield f"L {x}\n"
        yield f"L -{x}\n"
    number = 1 + 2 * n_variables
    following = [TRUE]
    for level, here in zip(reversed(plan.levels.levels), reversed(variables), strict=True):
        zeros = []
        for one in (None, *here[: len(level.choices)]):
            others = [2 * x for x in here if x != one]
            yield _node("A", others)
            zeros.append(number)
            number += 1
        states = []
        for row in steps.pop().tolist():
            branches = []
            for choice, state in enumerate(row):
                if state != FREE:
                    literal = [] if choice == 0 else [2 * here[choice - 1] - 1]
                    yield _node("A", [*literal, zeros[choice], following[state]])
                    branches.append(number)
                    number += 1
            yield _node("O 0", branches)
            states.append(number)
            number += 1
        following = states


def _node(kind: str, children: Sequence[int]) -> str:
    return " ".join(map(str, (kind, len(children), *children))) + "\n"
