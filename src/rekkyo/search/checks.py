"""Checks of every answer, made during the search without being requested.

In the first block with rows, one of the last ones and one in `Sizes.checked_every`, one row is checked by the
definition of the puzzle, and its symmetry by the definition of a stabilizer; under a group too large to list,
it is compared with some of its images. Symmetries that a caller declares must take the first of these rows to
solutions; if there is none, a short search without symmetry must find none, too. Those of files are found in
the model, and those of the catalog are tested. Consecutive blocks of a shard must not share the row at their
edge. At the end, as many shards must have been counted as there are, and the orbits must add up to what was
found. `CountsDisagree` names the check. No check here finds missing rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.contract import Block, Shard, Tally
from rekkyo.errors import BadInput, CountsDisagree, Undecided, in_short
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import AtomPermutation, RowShape
from rekkyo.search.cutting import NOT_BEGUN
from rekkyo.search.search import Search, uncut_of
from rekkyo.store.finished import Sums
from rekkyo.symmetry.by_definition import lesser_image, stabilizer_order
from rekkyo.symmetry.group import Group, checked_permutation
from rekkyo.symmetry.large_group import LargeGroup
from rekkyo.symmetry.orbits import OrbitSurvey
from rekkyo.verify import verify

MOST_IMAGE_VALUES = 1 << 22
"""The most elements of the group times positions for which stabilizers are checked; so many take 0.2 s."""


MOMENTS_FOR_ANY = 16
"""Moments of a search for any solution where a declared symmetry has left none: a tenth of a second."""


class BlockChecks:
    """The checks of single blocks, for one search. Threads share it."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._numbers = count()
        self._last: Block | None = None
        self._has_moved = False
        self._ended: list[int] = []
        group = search.group
        self._checks_symmetry = group is not None and group.order * search.shape.length <= MOST_IMAGE_VALUES

    def end_shard(self, shard: Shard) -> None:
        """Note that a shard was searched to its end."""
        self._ended.append(shard.index)

    def look_at(self, block: Block, before: Block | None) -> None:
        """Compare a block with rows with the one before in its shard, and check a row if it is its turn."""
        if before is not None and np.array_equal(before.rows[-1], block.rows[0]):
            raise self._disagree("a solution came twice, at the edge of two blocks", "neighbours")
        is_its_turn = next(self._numbers) % self._search.question.sizes.checked_every == 0
        if is_its_turn:
            self._check(block, 0)
        self._last = None if is_its_turn else block

    def finish(self) -> None:
        """Check the block that was seen last; without one, whether a declared symmetry hides all rows."""
        if self._last is not None:
            self._check(self._last, len(self._last.rows) - 1)
            self._last = None
        search = self._search
        found_none = len(self._ended) == len(search.shards) and not self._has_moved
        if found_none and search.only_representatives and _is_declared(search.question.puzzle):
            self._look_for_any()

    def _look_for_any(self) -> None:
        question = self._search.question
        uncut = uncut_of(question, question.engine.plan(question.model), NOT_BEGUN)
        for block, nodes in uncut.blocks_so_far(uncut.moment_nodes):
            if len(block.rows):
                row = block.rows[0].tolist()
                self._move(row)
                what = f"{row} is a solution, but no representative was found"
                raise self._disagree(what, "representatives")
            if nodes > MOMENTS_FOR_ANY * uncut.moment_nodes:
                return

    def _check(self, block: Block, place: int) -> None:
        row = block.rows[place]
        problems: list[str] = []
        with suppress(Undecided):  # the row counts as unchecked, as most rows do
            problems = verify(self._search.question.puzzle, row.tolist())
        if problems:
            raise self._disagree(f"{row.tolist()} is not a solution ({problems[0]})", "definition")
        if not self._has_moved:
            self._has_moved = True
            self._move(row.tolist())
        if block.stabilizers is not None:
            self._check_stabilizer(row, int(block.stabilizers[place]))

    def _check_stabilizer(self, row: NDArray[Any], given: int) -> None:
        """Compare the order of the stabilizer of a row, 0 if the row is not least, with its definition.

        Of a large group that is not feasible, but no image of a least row under any element may be less.
        """
        group, survey = self._search.group, self._search.survey
        if isinstance(group, LargeGroup):
            if given and (image := lesser_image(group, row)) is not None:
                what = f"{row.tolist()} was given as the least of its orbit, but {image.tolist()} is less"
                raise self._disagree(what, "stabilizer")
        elif self._checks_symmetry and isinstance(group, Group) and isinstance(survey, OrbitSurvey):
            right = stabilizer_order(group, row, survey.order)
            if given != right:
                what = f"{row.tolist()} was given a stabilizer of order {given}, not {right}"
                raise self._disagree(what, "stabilizer")

    def _move(self, row: list[int]) -> None:
        """Raise BadInput if a symmetry that is declared takes this solution to something else."""
        puzzle = self._search.question.puzzle
        further = (generator for kind in puzzle.further for generator in kind.generators)
        check_declared(puzzle, self._search.shape, (*puzzle.generators, *further), row)

    def _disagree(self, what: str, check: str) -> CountsDisagree:
        question = self._search.question
        return disagreement(question.puzzle.name, what, check, f"engine {question.engine.name}, ")


def check_declared(
    puzzle: Puzzle, shape: RowShape, generators: Iterable[AtomPermutation], row: Sequence[int]
) -> None:
    """Raise BadInput if a declared one is no permutation, or takes a solution to something else."""
    if not _is_declared(puzzle):
        return
    for number, generator in enumerate(generators):
        checked_permutation(generator, shape.n_atoms)
        image = shape.row_of([generator[atom] for atom in shape.atoms(row)])
        with suppress(Undecided):
            if image is None or verify(puzzle, image):
                raise BadInput(
                    f"{puzzle.name}: generator {number} is not a symmetry, because it takes the solution"
                    f" {in_short(str([*row]))} to what is not a solution; correct it, or leave it out"
                )


def _is_declared(puzzle: Puzzle) -> bool:
    """Whether a caller has declared the symmetry."""
    return not (puzzle.symmetry_was_searched or puzzle.published is not None)


def disagreement(name: str, what: str, check: str, engine: str = "") -> CountsDisagree:
    """The error to raise when a check of a puzzle fails."""
    return CountsDisagree(f"{name}: {what} ({engine}check: {check}); please report this")


def check_shards(search: Search, n_searched: int) -> None:
    """Raise CountsDisagree unless as many shards were searched as there are."""
    if n_searched != len(search.shards):
        what = f"{n_searched} of {len(search.shards)} shards were searched"
        raise disagreement(search.question.puzzle.name, what, "shards")


def check_best(name: str, optimum: int | None, n_found: int) -> None:
    """Raise CountsDisagree if an objective has a best value, but no solution with it was found."""
    if optimum is not None and n_found == 0:
        what = f"the best value is {optimum}, but no solution with it was found"
        raise disagreement(name, what, "best value")


def check_ledger(search: Search, sums: Sums) -> None:
    """Raise CountsDisagree unless the sizes of the orbits fit what was found.

    They must be equal where every solution is met. Where only representatives are searched for, the orbits
    hold at least what was met, and where the engine settles symmetry each row is one orbit.
    """
    name, total, found = search.question.puzzle.name, sums.ledger.total, sums.found
    if total < found or (total > found and not search.only_representatives):
        what = f"the orbits hold {total} solutions, but {found} were found"
        raise disagreement(name, what, "orbit ledger")
    if search.only_representatives and search.settles_symmetry and sums.ledger.unique != found:
        what = f"there are {sums.ledger.unique} orbits, but {found} representatives were found"
        raise disagreement(name, what, "orbit ledger")
    for order in sums.ledger.n_orbits:
        if sums.ledger.group_order % order:
            what = f"a stabilizer of order {order} in a group of order {sums.ledger.group_order}"
            raise disagreement(name, what, "orbit ledger")


def check_fixed(search: Search, total: Tally, fixed: Tally, order: int) -> None:
    """Raise CountsDisagree unless a symmetry of this order, 2 or more, can leave `fixed` solutions unchanged.

    Under a symmetry whose order is a power of a prime p, solutions that it moves come in orbits whose sizes
    are multiples of p.
    """
    prime = next(p for p in range(2, order + 1) if order % p == 0)
    is_power = prime ** order.bit_length() % order == 0
    fits = fixed.total <= total.total and (not is_power or (total.total - fixed.total) % prime == 0)
    if not fits:
        left = f"{fixed.total} of {total.total} solutions unchanged"
        what = f"a symmetry of order {order} cannot leave {left}"
        raise disagreement(search.question.puzzle.name, what, "fixed solutions")
