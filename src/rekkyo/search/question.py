"""The question about a puzzle: the model that is searched, the engine, and the symmetry.

Everything that counts, lists, samples or stores begins with `ask`, except counts of small covers
(`rekkyo.search.small`). After it, only a count for which no engine was named may get another engine
(`rekkyo.search.quick`, `rekkyo.search.race`) or another group (`rekkyo.search.helping`).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rekkyo.engines import registry
from rekkyo.engines.contract import CountingEngine, ListingEngine
from rekkyo.engines.registry import AnyEngine
from rekkyo.errors import BadInput, GroupTooLarge
from rekkyo.model.checks import check_type
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.free import times_of_free
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model, Puzzle, Relation, check_puzzle, plain_words
from rekkyo.model.row import AtomPermutation, checked_whole
from rekkyo.search.sizes import DEFAULT_SIZES, Sizes
from rekkyo.symmetry.group import Group, close, is_too_large
from rekkyo.symmetry.large_group import AnyGroup, LargeGroup, large_group, large_group_of_cover
from rekkyo.symmetry.products import Product, product_of
from rekkyo.wording import asked_up_to, large

MAX_WORKERS = 1024

CONSTRAINTS = "csp"
"""The engine that searches with a group that is too large to list."""


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A puzzle, and how it is to be searched.

    model: what is searched; its rows are those of the puzzle. up_to: in plain words.
    group: the symmetry that `unique` is about; None when there is none, and `left_out` says why where one was
        asked for. Under a large one, representatives are searched for by constraints, whatever the puzzle's
        model is. reports_orbits: False if only the total is asked for, which the group helps to find.
    may_merge: whether merging may find the best value of an objective, and solutions may be listed along a
        diagram; not for an engine that was named, which checks others.
    product: a large group, of which a counting engine needs only the classes of conjugates.
    every_solution: all solutions are met, not only what the group leaves to be found.
    hands_on_rows: rows are listed or stored, not only counted. hashes: their digest is asked for.
    """

    puzzle: Puzzle
    model: Model
    engine: AnyEngine
    up_to: str
    group: AnyGroup | None
    every_solution: bool
    hands_on_rows: bool
    hashes: bool
    workers: int
    sizes: Sizes
    left_out: str | None = None
    reports_orbits: bool = True
    may_merge: bool = True
    product: Product | None = None

    @property
    def counted_group(self) -> Group | Product | None:
        """The symmetry whose classes of conjugates give the number of orbits, by Burnside's lemma."""
        if self.product is not None:
            return self.product
        return self.group if isinstance(self.group, Group) else None

    def for_part(self, model: Model, engine: ListingEngine[Any, Any]) -> Question:
        """The question for a model that is part of this one's, which another engine searches as a whole."""
        return replace(self, model=model, engine=engine, group=None, every_solution=True)


def ask(
    puzzle: Puzzle,
    *,
    engine: str | None = None,
    up_to: str = "none",
    lists: bool = False,
    every_solution: bool = False,
    hands_on_rows: bool = True,
    hashes: bool = False,
    takes_large: bool = False,
    workers: int | None = None,
    sizes: Sizes = DEFAULT_SIZES,
) -> Question:
    """Decide how a puzzle is searched.

    engine: its name; by default the preferred one. lists: the engine must list solutions. takes_large:
    whether a group that is too large to list may be searched with, by the constraints of the puzzle.
    Raises BadInput (UnknownEngine, EngineRefuses, ...), GroupTooLarge.
    """
    check_puzzle(puzzle)
    check_type("sizes are a rekkyo.Sizes", sizes, Sizes)
    n_workers = number_of_workers(workers)
    left_out = unknown_symmetry(puzzle, up_to)
    relation = large_relation(puzzle, up_to) if takes_large else None
    if relation is not None:
        generators: tuple[AtomPermutation, ...] | None = relation.generators
    else:
        generators = puzzle.generators_up_to(up_to) if left_out is None else None
    model = lower(puzzle.model)
    needs_no_rows = not (lists or every_solution or hands_on_rows or hashes)
    asks_for_total = generators is None and needs_no_rows
    takes_large = takes_large and not every_solution
    if takes_large and generators and _is_stated_as_constraints(model, generators, engine):
        chosen: AnyEngine = registry.listing_engine(model)  # only until the group is refused
    else:
        chosen = _engine(model, engine, lists, needs_no_rows and not generators)
    if (every_solution or hashes) and isinstance(chosen, ListingEngine):
        _check_free(puzzle.name, model)
    group: AnyGroup | None
    try:
        group, product = _group_of(model, generators, isinstance(chosen, CountingEngine))
    except GroupTooLarge:
        large = by_constraints(model, generators, engine) if takes_large else None
        if large is None:
            raise
        (model, chosen, group), product = large, None
    is_total_alone = asks_for_total and isinstance(chosen, ListingEngine)
    if is_total_alone:
        group = _helping_group(puzzle, model)
    return Question(
        puzzle=puzzle,
        model=model,
        engine=chosen,
        up_to=plain_words(up_to),
        group=group,
        every_solution=every_solution,
        hands_on_rows=hands_on_rows,
        hashes=hashes,
        workers=n_workers,
        sizes=sizes,
        left_out=left_out,
        reports_orbits=not is_total_alone,
        may_merge=engine is None,
        product=product,
    )


MOST_OF_FREE = 1 << 50
"""The most solutions that differ only in free variables, where each is visited: 2^50 take years."""


def _check_free(name: str, model: Model) -> None:
    """Refuse to visit every solution where free variables make that hopeless. Raises BadInput."""
    times = times_of_free(model) if isinstance(model, Csp) else 1
    if times > MOST_OF_FREE:
        raise BadInput(
            f"{name} has variables that no constraint names, with {large(times)} combinations of values,"
            " too many for a search that visits every solution; use `rekkyo count` without a digest, or"
            " --count-only with --engine csp-frontier in a run"
        )


MOST_CONJUGATING = 64
"""Elements of a group whose classes of conjugates are found in its list; a product names them at once."""


def _group_of(
    model: Model, generators: Sequence[AtomPermutation] | None, counts: bool
) -> tuple[Group | None, Product | None]:
    """The group that generators make, and as a product if an engine counts and the group is not small."""
    if generators is None:
        return None, None
    try:
        group = close(model.row_shape, generators)
    except GroupTooLarge:
        product = product_of(generators) if counts else None
        if product is None:
            raise
        return None, product
    return group, product_of(generators) if counts and group.order > MOST_CONJUGATING else None


def _is_stated_as_constraints(model: Model, generators: tuple[AtomPermutation, ...], name: object) -> bool:
    """Whether the search by constraints is named for another model, which it accepts with a large group."""
    is_named = isinstance(name, str) and name == CONSTRAINTS
    return is_named and not isinstance(model, Csp) and is_too_large(model.row_shape, generators)


def by_constraints(
    model: Model, generators: Sequence[AtomPermutation] | None, name: str | None
) -> tuple[Model, AnyEngine, LargeGroup] | None:
    """The model that is searched by constraints, the engine, and a group that is too large to list; None if
    that is not possible. Covers stay covers, because their rows are options.
    """
    search = registry.engine_named(CONSTRAINTS)
    if name not in {None, search.name} or generators is None:
        return None
    if isinstance(model, ExactCover):
        from rekkyo.engines.csp.propagating.options import CoverByOptions

        known = large_group_of_cover(model, tuple(generators))
        return None if known is None else (model, CoverByOptions(), known)
    from rekkyo.model.csp.restated import as_csp

    try:
        stated = model if isinstance(model, Csp) else as_csp(model)
        search.check(stated)
    except BadInput:
        return None
    number_of = {value: number for number, value in enumerate(stated.values)}
    possible = tuple(tuple(number_of[value] for value in stated.domains[v]) for v in stated.solution)
    group = large_group(stated.row_shape, tuple(generators), possible)
    return None if group is None else (stated, search, group)


def large_relation(puzzle: Puzzle, up_to: str) -> Relation | None:
    """The relation that the words name if a search may use it: a symmetry with a group too large to list."""
    relation = puzzle.relation_named(up_to)
    if relation is None or not relation.keeps_solutions:
        return None
    return relation if is_too_large(puzzle.model.row_shape, relation.generators) else None


def unknown_symmetry(puzzle: Puzzle, up_to: str) -> str | None:
    """Why every solution is kept although `up_to` asks for fewer; None if it does not, or if fewer are kept.

    Raises BadInput for words that are not known.
    """
    if puzzle.relation_named(up_to) is not None:
        return None
    is_known = puzzle.generators_up_to(up_to) != () or puzzle.knows_symmetry
    return None if is_known else without_symmetry(puzzle)


def without_symmetry(puzzle: Puzzle) -> str:
    """Why orbits are not counted where they were asked for."""
    if puzzle.relations:
        how = asked_up_to(puzzle.relations[0].word)
        return f"the symmetry of {puzzle.name} is used only on request, with {how}"
    return f"no symmetry of {puzzle.name} is known"


MOST_HELPING = 1000
"""Elements of a group that helps to find a total; of a larger one a part is used. With colours exchanged, a
total takes 1/20 of the time for `schur 4 40` (24 elements) and 1/3 for `hip 4 --colors 3 --any-balance`
(48), but 3 times as long for `rectangle-free 4 6 3` (103,680). With 256 of 2,304 exchanges,
`semimagic-square 4` takes 1/8. With a part of 40,320, `ramsey 3 4 8` takes 12 ms instead of 360, most of
which list the group. A long search uses all of the puzzle's own symmetry, see `rekkyo.search.helping`."""


def _helping_group(puzzle: Puzzle, model: Model) -> Group | None:
    """Symmetry by which the sizes of orbits give a total that nobody asked to sort, as much as helps at once.

    None if the puzzle's own is too large to list: then nearly all of it would be missing.
    """
    further = tuple(generator for kind in puzzle.further for generator in kind.generators)
    if not puzzle.generators and not further:
        return None
    group = close(model.row_shape, (*puzzle.generators, *further), MOST_HELPING, in_part=True)
    if not group.contains(puzzle.generators) and is_too_large(model.row_shape, puzzle.generators):
        return None
    return group


def ask_for_run(
    puzzle: Puzzle,
    *,
    engine: str | None,
    up_to: str,
    keeps_rows: bool,
    workers: int | None = None,
    sizes: Sizes = DEFAULT_SIZES,
) -> Question:
    """Decide how a run searches. With up_to="none" all rows are kept, and orbits are counted beside.

    All rows are also kept if no symmetry is known. A run that keeps all goes on without a count of orbits if
    the group is too large to list. Raises as `ask` does.
    """
    check_puzzle(puzzle)
    keeps_all = kept_up_to(puzzle, up_to) == "none"

    def asked(up_to: str) -> Question:
        return ask(
            puzzle,
            engine=engine,
            up_to=up_to,
            lists=keeps_rows or engine is None,
            every_solution=keeps_all,
            hashes=True,
            takes_large=True,
            workers=workers,
            sizes=sizes,
        )

    if not keeps_all:
        return asked(up_to)
    try:
        return asked("symmetry")
    except GroupTooLarge as problem:
        return replace(asked("none"), left_out=str(problem))


def kept_up_to(puzzle: Puzzle, up_to: str) -> str:
    """The symmetry up to which rows are kept: "none" if that of the puzzle is not known. Raises BadInput."""
    return "none" if unknown_symmetry(puzzle, up_to) is not None else plain_words(up_to)


def _engine(model: Model, name: str | None, lists: bool, asks_for_total: bool) -> AnyEngine:
    if name is None and lists:
        return registry.listing_engine(model)
    if name is None:
        return registry.counting_engine(model, asks_for_total=asks_for_total)
    chosen = registry.listing_engine_named(name, model) if lists else registry.engine_named(name)
    chosen.check(model)
    return chosen


def number_of_workers(workers: int | None) -> int:
    """The number of workers to start: all cores that this process may use unless told. Raises BadInput."""
    if workers is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return checked_whole(f"the number of workers must be 1 to {MAX_WORKERS}", workers, 1, MAX_WORKERS)


def checked_seed(seed: int) -> int:
    """The seed of random numbers. Raises BadInput unless it is a whole number from 0.

    `random.Random` draws the same from -1 as from 1.
    """
    return checked_whole("the seed must be a whole number from 0", seed, 0)


def checked_limit(limit: int | None) -> int | None:
    """The most solutions; None for all. Raises BadInput unless it is a whole number from 0."""
    return None if limit is None else checked_whole("the limit must be a whole number from 0", limit, 0)
