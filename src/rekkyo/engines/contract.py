"""The contract of an engine.

An engine turns a model into a *plan* (read-only arrays), cuts the plan into *shards* (disjoint, together the
whole search, the same ones every time), and searches shards. There are two kinds:

* a `ListingEngine` advances a *cursor*: it stops after a budget of nodes or when the block of rows is full,
  and goes on from the same cursor. That one idea gives streaming, Ctrl-C, progress and fair work sharing.
* a `CountingEngine` counts a shard without ever holding its solutions.

Engines are stateless values: several threads may use one engine and one plan, each with its own cursor.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import poison, read_only, unfilled, unfilled_room
from rekkyo.engines.checkpoints import NOWHERE, Checkpoints
from rekkyo.engines.crew import Crew
from rekkyo.errors import EngineRefuses
from rekkyo.model.puzzle import Model
from rekkyo.model.row import AtomPermutation, RowShape
from rekkyo.symmetry.group import Group
from rekkyo.symmetry.large_group import LargeGroup

if TYPE_CHECKING:
    from rekkyo.engines.sampling import Sampler

Rows: TypeAlias = NDArray[Any]
"""Solution rows: an unsigned integer array of shape [n_rows, length], dtype `row_dtype(shape)`."""


class Status(IntEnum):
    """Why a search stopped."""

    DONE = 0
    OUT_OF_BUDGET = 1
    BUFFER_FULL = 2


_STATUSES = tuple(Status)
"""By number: looking one up by its value takes ten times as long."""

DONE, OUT_OF_BUDGET, BUFFER_FULL = map(int, Status)
"""The members of `Status` as plain numbers, for kernels."""

NO_LIMIT = 1 << 62
"""A budget that no search reaches."""


class Advance(NamedTuple):
    """The result of one call of `advance`. found: solutions found in it. nodes: decisions tried in it."""

    status: Status
    found: int
    nodes: int

    @classmethod
    def of(cls, returned: Any) -> Advance:
        """The progress in the return value of a kernel: (status, found, nodes)."""
        status, found, nodes = returned
        return cls(_STATUSES[status], int(found), int(nodes))


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """The solutions that one slice of a search found. It owns its arrays.

    rows        : uint[found, length].
    stabilizers : int[found], the order of the stabilizer of each row, when the engine settles symmetry;
                  None otherwise.
    nodes       : decisions tried in the slice.
    seconds     : that the slice took, if it was searched by a probe; 0 otherwise.
    """

    rows: Rows
    stabilizers: NDArray[Any] | None
    nodes: int
    seconds: float = 0.0


class Room:
    """Space for what one slice of a search finds. The caller makes it, an engine fills it.

    rows        : uint[n_rows, length], out.
    stabilizers : uint32[n_rows], out, only under a plan that settles symmetry.

    `take` is the only way to the data: arrays that the next slice overwrites are never handed on.
    """

    __slots__ = ("rows", "stabilizers")

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.stabilizers: NDArray[np.uint32] = unfilled_room(len(rows), np.uint32)

    @classmethod
    def of(cls, shape: RowShape, n_rows: int) -> Room:
        """Room for `n_rows` solutions of a shape."""
        return cls(unfilled_room((n_rows, shape.length), row_dtype(shape.n_symbols)))

    def take(self, advance: Advance, *, settled: bool) -> Block:
        """The block that a slice found, out of the room. settled: whether the plan settles symmetry."""
        found = advance.found
        stabilizers = self.stabilizers[:found].copy() if settled else None
        if 2 * found < len(self.rows):
            rows = self.rows[:found].copy()
            poison(self.rows[: found + 1])  # the last one may have been begun
        else:  # handing the array over and making a new one is faster than copying
            rows = self.rows[:found]
            self.rows = unfilled_room(self.rows.shape, self.rows.dtype)
        poison(self.stabilizers[: found + 1])
        return Block(rows, stabilizers, advance.nodes)


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """The beginning of the search of an only shard. cursor: after it, for one search; None if it is over."""

    block: Block
    cursor: Any


Pause: TypeAlias = Callable[[], None]
"""Called between two slices of a search; it may raise, which ends the search."""


def no_pause() -> None:
    """Do nothing: the pause of searches that are too short to be stopped."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A prefix of decisions. What the numbers mean is the engine's business; they fit a JSON list.

    nodes: decisions tried while the shards were cut. They are counted in one of the shards, so that the
    nodes of a whole search do not depend on how it was cut.
    """

    index: int
    prefix: tuple[int, ...]
    nodes: int = 0


WHOLE = Shard(0, ())
"""The whole search as one shard."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Solutions counted and nodes tried; tallies of disjoint shards add up. Python ints: no overflow."""

    total: int
    nodes: int

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.total + other.total, self.nodes + other.nodes)


PlanT = TypeVar("PlanT")
CursorT = TypeVar("CursorT")


class Engine(Generic[PlanT]):
    """The common part of both kinds of engine: a name, models that they accept, plans and shards.

    The class is not an `ABC`: asking which kind an engine is would take five times as long, a dozen times in
    every search. mypy refuses an engine without some method.
    """

    name: ClassVar[str]
    summary: ClassVar[str]

    plan_version: ClassVar[int]
    """Raised when some model gets other shards, or some shard other rows, another order of its rows or
    another count. A run goes on under the version with which it began, whatever else is edited."""

    model_type: ClassVar[type[Any] | tuple[type[Any], ...]]
    model_words: ClassVar[str]
    """The models that it searches, in the plural: "exact covers"."""
    verb: ClassVar[str] = "searches"

    long_nodes: ClassVar[int] = 0
    """The number of nodes after which `compile_for_long` pays for itself."""

    def refusal(self, model: Model) -> str | None:
        """Why this engine cannot search the model, as the end of a sentence; None when it can."""
        if not isinstance(model, self.model_type):
            return f"{self.verb} {self.model_words} only"
        return self.limits(model)

    def limits(self, model: Any) -> str | None:
        """Why it cannot search this model of its kind, as the end of a sentence; None when it can."""
        return None

    def accepts(self, model: Model) -> bool:
        """Whether `check` passes; making the plan may still show that the model is too large."""
        return self.refusal(model) is None

    def can_plan(self, model: Model) -> bool:
        """Whether a model that it accepts has a plan, unless it is too large; asking may take time."""
        return True

    def check(self, model: Model) -> None:
        """Raise EngineRefuses unless the engine accepts the model."""
        reason = self.refusal(model)
        if reason is not None:
            raise EngineRefuses(f"engine {self.name} {reason}")

    def pays_off(self, model: Model) -> bool:
        """Whether to choose it unasked, for a model that it accepts, before the next ones in the registry.

        Only engines that the registry lets be chosen are asked.
        """
        return True

    def pays_off_again(self, model: Model) -> bool:
        """Whether to count a second time by it before the engines of its kind that do not pay off."""
        return self.pays_off(model)

    def pays_off_for_total(self, model: Model) -> bool:
        """Whether to choose it if only the total is asked, even where it does not pay off for orbits."""
        return False

    @abstractmethod
    def compile(self, model: Model) -> None:
        """Compile or load the kernels that a search of the model runs through; the caller takes the time."""

    def compile_for_long(self, model: Model) -> None:
        """Compile or load what makes a long search faster, where that would take longer than a short one.

        By default it does nothing. It may be called in the middle of a search, which goes on in the same way.
        """

    def plan(self, model: Model) -> PlanT:
        """The read-only arrays of the search. Raises EngineRefuses."""
        self.check(model)
        return read_only(self.make_plan(model))

    @abstractmethod
    def make_plan(self, model: Any) -> PlanT:
        """The arrays of the search of a model that the engine accepts. May raise EngineRefuses."""

    @abstractmethod
    def split(self, plan: PlanT, at_least: int) -> tuple[Shard, ...]:
        """Disjoint shards that make up the whole search: `at_least` of them if the search is wide enough.

        The same plan has the same shards. `index` numbers them from 0. There may be none if nothing is to be
        searched.
        """

    def plan_facts(self, plan: PlanT) -> object:
        """The parts of a plan that determine the shards and their content. A run's plan hash covers them.

        Arrays of integers, numbers, text, and tuples and dataclasses of them; models are passed over. The
        same on every computer. All of the plan by default; an engine leaves out what is large and follows
        from the rest, and what only says how fast to go.
        """
        return plan

    def submodel(self, model: Model, shard: Shard) -> Model | None:
        """A model whose solutions are just those of a shard of `plan(model)`, for another engine to search.

        Its rows are those of the model, except for the number of fillers at the end of rows BY_OPTION. None
        (the default) when the decisions of the shard cannot be said in a model.
        """
        return None


_begun: set[tuple[Any, ...]] = set()
"""The work of `ListingEngine.begin` in this process: engine, small model, type of numbers in rows."""


class ListingEngine(Engine[PlanT], Generic[PlanT, CursorT]):
    """An engine that lists solutions, each once, in the same order however the search is cut or paused.

    Engines for which it costs nothing list in lexicographic order; their summary says so.
    moment_nodes: nodes of some milliseconds; a search of no more is over before it has to be cut, and one of
        a few dozen such moments gets few shards.
    """

    moment_nodes: ClassVar[int] = 1 << 15
    smallest: ClassVar[Any]
    """A model that is searched in order to compile."""

    last_shard_is_rest: ClassVar[bool] = False
    """Whether the last shard has all that the others leave, so that it is large in a short search, too."""

    def compile(self, model: Model) -> None:
        """Compile what runs in a search of a model with such rows."""
        self.begin(self.smallest, model)

    def plan_for_representatives(self, model: Model, group: Group) -> PlanT | None:
        """A plan whose search finds the representative of every orbit, and need not find other solutions.

        None when the engine has no such search: then `plan` serves, and representatives are picked from all
        solutions. They are the least rows when rows are compared as `comparing_order` says.
        """
        self.check(model)
        return read_only(self.make_plan_for_representatives(model, group))

    def make_plan_for_representatives(self, model: Any, group: Group) -> PlanT | None:
        """The arrays of such a search of a model that the engine accepts; None (the default) for none."""
        return None

    def make_plan_for_large_group(self, model: Any, group: LargeGroup) -> PlanT | None:
        """The same for a group that is not listed, which has its own order of comparison."""
        return None

    def comparing_order(self, plan: PlanT) -> Sequence[int] | None:
        """How a plan for representatives compares rows; None (the default) for lexicographically.

        BY_POSITION: the positions in the order in which they are compared. BY_OPTION: the options, least
        first.
        """
        return None

    @abstractmethod
    def start(self, plan: PlanT, shard: Shard) -> CursorT:
        """A cursor before the first node of the shard."""

    def nodes_of_moment(self, plan: PlanT) -> int:
        """Nodes of some milliseconds in this plan: `moment_nodes`, or fewer where its nodes take long."""
        return self.moment_nodes

    def expected_moments(self, plan: PlanT) -> float:
        """About how many moments a search of this plan takes; 0 (the default) where nothing tells it."""
        return 0.0

    def estimated_nodes(self, plan: PlanT) -> float:
        """About how many nodes it takes: right on average, by random dives of some milliseconds.

        By default what the plan expects. Most engines make dives, see `prefixes.dived`.
        """
        return self.expected_moments(plan) * self.nodes_of_moment(plan)

    def tried(self, plan: PlanT) -> Tried | None:
        """What making the plan searched of the only shard; None (the default) for nothing."""
        return None

    def part_done(self, plan: PlanT, cursor: CursorT) -> float:
        """Estimate which part of the only shard the cursor has searched, from 0 to 1; 0 if nothing tells."""
        return 0.0

    def settles_symmetry(self, plan: PlanT) -> bool:
        """Whether a search of the plan finds representatives alone and writes their stabilizers' orders."""
        return False

    @abstractmethod
    def advance(self, plan: PlanT, cursor: CursorT, room: Room, budget: int) -> Advance:
        """Search on from the cursor and write solutions into the room, from its first row on.

        room: for at least one row. budget: the approximate number of nodes to stop after, at least one.
        The cursor is changed in place; after DONE it stays done.
        """

    def blocks(
        self,
        plan: PlanT,
        shard: Shard,
        room: Room,
        slice_nodes: int,
        pause: Pause,
        cursor: CursorT | None = None,
    ) -> Iterator[Block]:
        """The content of a shard, a block for each slice of the search, empty blocks included.

        Every listing search of this package goes through this loop. slice_nodes: the budget of a slice.
        cursor: where the search goes on, by default at the beginning of the shard.
        """
        settled = self.settles_symmetry(plan)
        cursor = self.start(plan, shard) if cursor is None else cursor
        status = Status.OUT_OF_BUDGET
        while status is not Status.DONE:
            pause()
            advance = self.advance(plan, cursor, room, slice_nodes)
            status = advance.status
            yield room.take(advance, settled=settled)

    def begin(self, small: Model, model: Model) -> None:
        """Cut a small model and begin every shard, in rows of the model: that compiles what a search runs.

        Nothing is left to be compiled when the same was begun before.
        """
        dtype = row_dtype(model.row_shape.n_symbols)
        begun = (type(self), small, dtype)
        if begun in _begun:
            return
        plan = self.plan(small)
        room = Room(unfilled((1, small.row_shape.length), dtype))
        for shard in self.split(plan, 2):
            self.advance(plan, self.start(plan, shard), room, 1)
        _begun.add(begun)

    def sampler(self, plan: PlanT) -> Sampler | None:
        """Random samples of the search, for estimates; None (the default) to have shards drawn."""
        return None


class CountingEngine(Engine[PlanT]):
    """An engine that counts without listing."""

    verb: ClassVar[str] = "counts"
    beyond_lists: ClassVar[bool] = True
    """Whether it counts what is too much to list, so that only another one that counts can check it."""

    def split(self, plan: PlanT, at_least: int) -> tuple[Shard, ...]:
        """See `Engine`; by default there is one shard."""
        return (WHOLE,)

    @abstractmethod
    def count(self, plan: PlanT, shard: Shard, pause: Pause) -> Tally:
        """Count one shard. An engine whose shards may take more than a second calls `pause` now and then."""

    def count_together(
        self, plan: PlanT, shard: Shard, pause: Pause, crew: Crew, checkpoints: Checkpoints = NOWHERE
    ) -> Tally:
        """Count one shard with several workers, for engines that cannot cut it into more shards.

        checkpoints: where such an engine saves its state, and from where it goes on.
        """
        return self.count(plan, shard, pause)

    def known(self, plan: PlanT) -> Tally | None:
        """The count of a plan with one shard, if it was found before the search."""
        return None

    def finish(self, plan: PlanT, weighted: Tally) -> Tally:
        """Turn the sum over all shards into the count of solutions (where shards weigh by symmetry)."""
        return weighted

    def count_fixed(
        self,
        plan: PlanT,
        symmetry: AtomPermutation,
        pause: Pause,
        crew: Crew,
        checkpoints: Checkpoints = NOWHERE,
    ) -> Tally | None:
        """How many solutions this symmetry leaves unchanged, for Burnside's lemma; None if not offered."""
        if not self.may_leave_some(plan, symmetry):
            return Tally(0, 0)
        with suppress(EngineRefuses):
            fixed = self.fixed_plan(plan, symmetry)
            if fixed is not None:
                return self.count_together(fixed, WHOLE, pause, crew, checkpoints)
        return self.fixed_tally(plan, symmetry, pause)

    def may_leave_some(self, plan: PlanT, symmetry: AtomPermutation) -> bool:
        """False if a quick look (`rekkyo.symmetry.unchanged`) shows that it leaves no solution unchanged."""
        return True

    def fixed_plan(self, plan: PlanT, symmetry: AtomPermutation) -> PlanT | None:
        """A plan of one shard for the solutions that a symmetry leaves unchanged; by default None.

        May raise EngineRefuses.
        """
        return None

    def fixed_tally(self, plan: PlanT, symmetry: AtomPermutation, pause: Pause) -> Tally | None:
        """Their count by an engine without such a plan; None (the default) if it does not count them."""
        return None


def row_dtype(n_symbols: int) -> type[np.unsignedinteger[Any]]:
    """The smallest of uint8, uint16, uint32 that holds the numbers 0 … n_symbols - 1."""
    if n_symbols <= 1 << 8:
        return np.uint8
    return np.uint16 if n_symbols <= 1 << 16 else np.uint32


def joined(shape: RowShape, blocks: Iterable[Rows]) -> Rows:
    """The rows of some blocks, or no rows."""
    return np.concatenate([np.empty((0, shape.length), dtype=row_dtype(shape.n_symbols)), *blocks])
