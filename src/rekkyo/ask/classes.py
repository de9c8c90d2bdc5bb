"""Classes of solutions under a relation that no search uses: all solutions are kept, then classified.

For groups too large to list, and for relations whose images need not be solutions. If images must be
solutions, an image that was not found is an error, as in the orbit ledger.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rekkyo.engines.contract import Pause, Rows, Shard, Tally, joined
from rekkyo.engines.digest import Digest, digest_of
from rekkyo.errors import GroupTooLarge
from rekkyo.model.puzzle import Puzzle
from rekkyo.search.checks import check_best, check_declared, disagreement
from rekkyo.search.cutting import by_length
from rekkyo.search.fold import Fold, Report, fold
from rekkyo.search.listing import prepare_list
from rekkyo.search.progress import Watcher
from rekkyo.search.question import ask, large_relation
from rekkyo.search.search import Search
from rekkyo.search.sizes import Sizes
from rekkyo.symmetry.classes import NotKept, classes_kept, classes_met, in_order
from rekkyo.wording import asked_up_to

MAX_VALUES = 1 << 26
"""The most values in the rows of all solutions; a hopeless listing reaches them within seconds."""


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """representatives: the least solution of each class, in lexicographic order. digest: of all solutions."""

    search: Search
    tally: Tally
    representatives: Rows
    digest: Digest | None


def sort_into_classes(
    puzzle: Puzzle,
    up_to: str,
    *,
    engine: str | None,
    workers: int | None,
    sizes: Sizes,
    watch: Watcher | None,
    hashes: bool = False,
) -> Classes:
    """List the solutions and classify them. Raises BadInput, GroupTooLarge for too many, CountsDisagree."""
    relation = puzzle.relation(up_to)
    question = ask(puzzle, engine=engine, lists=True, hashes=hashes, workers=workers, sizes=sizes)
    shape = question.model.row_shape
    most = MAX_VALUES // shape.length

    def check(n_rows: int) -> None:
        if n_rows > most:
            raise GroupTooLarge(
                f"{puzzle.name} has more than {most:,} solutions, too many to be classified in memory; take"
                f" a smaller puzzle, or each solution for itself: {asked_up_to('none')}"
            )

    search = prepare_list(question, by_length, watch, on_total=check)
    n_found = 0

    def gather(folding: Fold, shard: Shard, pause: Pause, report: Report) -> tuple[Tally, list[Rows]]:
        kept: list[Rows] = []

        def keep(rows: Rows) -> None:
            nonlocal n_found
            n_found += len(rows)
            check(n_found)
            kept.append(rows)

        return folding.shard(shard, pause, report, on_rows=keep), kept

    parts = fold(search, gather, watch)
    check_best(puzzle.name, search.optimum, sum(tally.total for tally, _ in parts))
    rows = in_order(joined(shape, (block for _, blocks in parts for block in blocks)))
    try:
        sort = classes_kept if relation.keeps_solutions else classes_met
        first = sort(shape, rows, relation.generators)
    except NotKept as problem:
        check_declared(puzzle, shape, relation.generators, problem.row)
        what = f"symmetry takes the solution {list(problem.row)} to one that was not found"
        raise disagreement(puzzle.name, what, "images") from None
    tally = sum((part[0] for part in parts), Tally(0, 0))
    return Classes(search, tally, rows[np.unique(first)], digest_of(rows) if hashes else None)


def asks_for_classes(puzzle: Puzzle, up_to: str) -> bool:
    """Whether the words name a relation that no search uses."""
    is_relation = isinstance(puzzle, Puzzle) and puzzle.relation_named(up_to) is not None
    return is_relation and large_relation(puzzle, up_to) is None
