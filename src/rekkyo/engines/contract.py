"""What an engine is.

An engine turns a model into a *plan* (read-only arrays), cuts the plan into *shards* (disjoint, together the
whole search, the same ones every time), and carries shards out. There are two kinds:

* a `ListingEngine` advances a *cursor*: it stops after a budget of nodes or when the block of rows is full,
  and goes on from the same cursor. That one idea gives streaming, Ctrl-C, progress and fair work sharing.
* a `CountingEngine` counts a shard without ever holding its solutions.

Engines are stateless values: several threads may use one engine and one plan, each with its own cursor.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from rekkyo.errors import EngineRefuses
from rekkyo.model.puzzle import Model
from rekkyo.model.row import AtomPermutation
from rekkyo.symmetry.group import Group

if TYPE_CHECKING:
    from rekkyo.engines.sampling import Sampler

Rows: TypeAlias = NDArray[Any]
"""Solution rows: an unsigned integer array of shape [n_rows, length], dtype `row_dtype(shape)`."""


class Status(IntEnum):
    """Why a search stopped."""

    DONE = 0
    OUT_OF_BUDGET = 1
    BUFFER_FULL = 2


class Advance(NamedTuple):
    """What one call of `advance` achieved.

    found: solutions found in this call. nodes: decisions tried in this call.
    stabilizers: uint32[found], only of a plan for representatives whose search settles all of the symmetry:
        then every row found is a representative, and this is the order of its stabilizer.
    """

    status: Status
    found: int
    nodes: int
    stabilizers: NDArray[np.uint32] | None = None


@dataclass(frozen=True, slots=True)
class Shard:
    """A prefix of decisions. What the numbers mean is the engine's business; they fit a JSON list.

    nodes: decisions tried while the shards were cut, put on the books of one of them, so that the nodes of a
    whole search do not depend on how it was cut.
    """

    index: int
    prefix: tuple[int, ...]
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class Tally:
    """Solutions counted and nodes tried; tallies of disjoint shards add up. Python ints: no overflow."""

    total: int
    nodes: int

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.total + other.total, self.nodes + other.nodes)


PlanT = TypeVar("PlanT")
CursorT = TypeVar("CursorT")


class Engine(ABC, Generic[PlanT]):
    """What both kinds of engine have: a name, models that they accept, plans and shards."""

    name: ClassVar[str]
    summary: ClassVar[str]

    @abstractmethod
    def refusal(self, model: Model) -> str | None:
        """Why this engine cannot search the model, as the end of a sentence; None when it can."""

    def accepts(self, model: Model) -> bool:
        """Whether `plan(model)` works."""
        return self.refusal(model) is None

    def check(self, model: Model) -> None:
        """Raise EngineRefuses unless the engine accepts the model."""
        reason = self.refusal(model)
        if reason is not None:
            raise EngineRefuses(f"engine {self.name} {reason}")

    def pays_off(self, model: Model) -> bool:
        """Whether to choose this engine, unasked, before those after it in the registry."""
        return True

    @abstractmethod
    def compile(self, model: Model) -> None:
        """Compile or load the kernels that a search of the model runs through; the caller takes the time."""

    @abstractmethod
    def plan(self, model: Model) -> PlanT:
        """The read-only arrays of the search. Raises EngineRefuses."""

    @abstractmethod
    def split(self, plan: PlanT, at_least: int) -> tuple[Shard, ...]:
        """Disjoint shards that make up the whole search: `at_least` of them if the search is wide enough.

        Deterministic. Numbered 0, 1, 2, … by `index`. May be empty when there is nothing to search.
        """

    def submodel(self, model: Model, shard: Shard) -> Model | None:
        """A model whose solutions are just those of a shard of `plan(model)`, for another engine to search.

        Its rows are those of the model, but for the number of fillers at the end of rows BY_OPTION. None
        (the default) when the decisions of the shard cannot be said in a model.
        """
        return None


class ListingEngine(Engine[PlanT], Generic[PlanT, CursorT]):
    """An engine that lists solutions, each once, in the same order however the search is cut or paused.

    Engines for which it costs nothing list in lexicographic order; their summary says so.
    moment_nodes: nodes of some milliseconds; a search of no more is over before it has to be cut, and one of
        a few dozen such moments gets few shards.
    """

    moment_nodes: ClassVar[int] = 1 << 15

    def plan_for_representatives(self, model: Model, group: Group) -> PlanT | None:
        """A plan whose search finds the representative of every orbit, and need not find other solutions.

        None (the default) when the engine has no such search: then `plan` serves, and what it finds is sorted
        out afterwards. Representatives are the least rows when they are compared as `comparing_order` says.
        """
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

    @abstractmethod
    def advance(self, plan: PlanT, cursor: CursorT, out: Rows, budget: int) -> Advance:
        """Search on from the cursor and write solutions into `out`, from its first row on.

        out: at least one row. budget: stop after about so many nodes (never before the first).
        The cursor is changed in place; after DONE it stays done. `out[:found]` is valid.
        """

    def sampler(self, plan: PlanT) -> Sampler | None:
        """Random samples of the search, for estimates; None (the default) to have shards drawn."""
        return None


class CountingEngine(Engine[PlanT]):
    """An engine that counts without listing."""

    @abstractmethod
    def count(self, plan: PlanT, shard: Shard) -> Tally:
        """Count one shard. Shards are small enough that a run can stop between two within a second."""

    def count_pausing(self, plan: PlanT, shard: Shard, pause: Callable[[], None]) -> Tally:
        """As `count`; an engine whose shards may be long calls `pause` now and then, which may raise."""
        return self.count(plan, shard)

    def finish(self, plan: PlanT, weighted: Tally) -> Tally:
        """Turn the sum over all shards into the count of solutions (where shards weigh by symmetry)."""
        return weighted

    def count_fixed(self, plan: PlanT, symmetry: AtomPermutation) -> Tally | None:
        """How many solutions this symmetry leaves unchanged, for Burnside's lemma; None if not offered."""
        return None


def row_dtype(n_symbols: int) -> type[np.unsignedinteger[Any]]:
    """The smallest of uint8, uint16, uint32 that holds the numbers 0 … n_symbols - 1."""
    if n_symbols <= 1 << 8:
        return np.uint8
    return np.uint16 if n_symbols <= 1 << 16 else np.uint32
