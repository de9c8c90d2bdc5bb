"""What every answer is checked by, unasked, while it is found.

Of the first block with rows, of the last one and of one in `Sizes.checked_every`, one row is checked by the
definition of the puzzle, and what was said of its symmetry by the definition of a stabilizer. Two blocks that
follow each other in a shard must not share the row at their edge. When all is counted, every shard must have
been counted once, and the sizes of the orbits must add up to what was found.
What does not fit is `CountsDisagree`, which names the check. It cannot see rows that are missing.
"""

from __future__ import annotations

from itertools import count

import numpy as np

from rekkyo.engines.contract import Block, Tally
from rekkyo.errors import CountsDisagree
from rekkyo.search.search import Search
from rekkyo.store.finished import Sums
from rekkyo.symmetry.by_definition import stabilizer_order
from rekkyo.verify import verify

MOST_IMAGE_VALUES = 1 << 22
"""Elements of the group times positions, beyond which a stabilizer takes too long to be checked: 0.1 s."""


class BlockChecks:
    """The checks of single blocks, for one search. Threads share it."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._numbers = count()
        self._last: Block | None = None
        group = search.group
        self._checks_symmetry = group is not None and group.order * search.shape.length <= MOST_IMAGE_VALUES

    def look_at(self, block: Block, before: Block | None) -> None:
        """Check a block with rows, if it is its turn. before: the block with rows before it in its shard."""
        if before is not None and np.array_equal(before.rows[-1], block.rows[0]):
            raise self._disagree("neighbours", "a solution came twice, at the edge of two blocks")
        is_its_turn = next(self._numbers) % self._search.question.sizes.checked_every == 0
        if is_its_turn:
            self._check(block, 0)
        self._last = None if is_its_turn and len(block.rows) == 1 else block  # no row is checked twice

    def finish(self) -> None:
        """Check the block that was seen last."""
        if self._last is not None:
            self._check(self._last, len(self._last.rows) - 1)
            self._last = None

    def _check(self, block: Block, place: int) -> None:
        row = block.rows[place]
        problems = verify(self._search.question.puzzle, row.tolist())
        if problems:
            raise self._disagree("definition", f"{row.tolist()} is no solution ({problems[0]})")
        group, survey = self._search.group, self._search.survey
        if group is None or survey is None or block.stabilizers is None or not self._checks_symmetry:
            return
        said, is_so = int(block.stabilizers[place]), stabilizer_order(group, row, survey.order)
        if said != is_so:
            raise self._disagree(
                "stabilizer", f"{row.tolist()} was given a stabilizer of order {said}, not {is_so}"
            )

    def _disagree(self, check: str, what: str) -> CountsDisagree:
        question = self._search.question
        return CountsDisagree(
            f"{question.puzzle.name}: {what} (engine {question.engine.name}, check: {check});"
            " please report this"
        )


def check_shards(search: Search, n_searched: int) -> None:
    """Raise CountsDisagree unless every shard was searched."""
    if n_searched != len(search.shards):
        raise CountsDisagree(
            f"{search.question.puzzle.name}: {n_searched} of {len(search.shards)} shards were searched"
            " (check: shards); please report this"
        )


def check_ledger(search: Search, sums: Sums) -> None:
    """Raise CountsDisagree unless the sizes of the orbits fit what was found.

    Where every solution is met they must be equal. Where only representatives are searched for, the orbits
    hold no less than what was met, and where the engine settles symmetry each row is one orbit.
    """
    name, total, found = search.question.puzzle.name, sums.ledger.total, sums.found
    if search.only_representatives:
        fits = total >= found and (not search.settles_symmetry or sums.ledger.unique == found)
    else:
        fits = total == found
    if not fits:
        raise CountsDisagree(
            f"{name}: the orbits hold {total} solutions, but {found} were found (check: orbit ledger);"
            " please report this"
        )
    for order in sums.ledger.n_orbits:
        if sums.ledger.group_order % order:
            raise CountsDisagree(
                f"{name}: a stabilizer of order {order} in a group of order {sums.ledger.group_order}"
                " (check: orbit ledger); please report this"
            )


def check_fixed(search: Search, total: Tally, fixed: Tally, order: int) -> None:
    """Raise CountsDisagree unless a symmetry of this order can leave so many solutions unchanged.

    Under a symmetry whose order is a power of a prime p, solutions that it moves come in orbits whose sizes
    are multiples of p.
    """
    prime = next((p for p in range(2, order + 1) if order % p == 0), 1)
    is_power = prime > 1 and prime ** (order.bit_length()) % order == 0
    fits = fixed.total <= total.total and (not is_power or (total.total - fixed.total) % prime == 0)
    if not fits:
        raise CountsDisagree(
            f"{search.question.puzzle.name}: a symmetry of order {order} cannot leave {fixed.total} of"
            f" {total.total} solutions unchanged (check: fixed solutions); please report this"
        )
