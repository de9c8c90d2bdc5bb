"""The program of a model and the state before its search. `state` describes the layouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import different, read_only, unfilled
from rekkyo.bits import SCATTER, Words
from rekkyo.engines.arrays import int64
from rekkyo.engines.contract import NO_LIMIT
from rekkyo.engines.csp.propagating.encoding import Encoded, Encoder
from rekkyo.engines.csp.propagating.kernel import IMAGES, LEAST, LEAST_SET, list_solutions
from rekkyo.engines.csp.propagating.parts import Images, Least, LeastSet, Quick
from rekkyo.engines.csp.propagating.rewriting import rewritten
from rekkyo.engines.csp.propagating.state import (
    ARGS,
    ENTRIES,
    FALLING,
    FIXED_AT,
    HIDDEN_AT,
    HIDDEN_FROM,
    IN_ORDER,
    LENGTH,
    N_DIVES,
    N_FIXED,
    N_HIDDEN,
    N_PARTS,
    N_SHOWN,
    NODES_LEFT,
    NUMBERS,
    QUICK,
    RECORD,
    SCRATCH,
    SHOWN_AT,
    SLOW,
    START,
    TOTAL,
    TRAIL,
    WAYS,
    WEIGHT,
    Cursor,
    Decided,
    Dive,
    Program,
    State,
)
from rekkyo.engines.out import out_of
from rekkyo.model.csp.constraints import Variable
from rekkyo.model.csp.csp import Csp

NO_DIVE = Dive(np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.float64))
"""The argument `dive` of `list_solutions` in a search."""

DIVE_NODES = 350
"""Nodes of all random dives for one estimate, which take some milliseconds."""

CLEARLY = 0.8
"""Another way to search must be expected to take less than this part of the nodes: estimates vary."""


@dataclass(frozen=True, slots=True, eq=False)
class Ready:
    """A program, and the state before the first decision.

    root   : The engine propagates it in place, once, when it makes the plan.
    scopes : int64[n, 2]. One row for each part except symmetry and each of its variables: the variable, and
             the place in State.ints that counts the failures of the part.
    others : See `list_solutions`.
    """

    program: Program
    decided: Decided
    root: Cursor
    scopes: NDArray[np.int64]
    others: int | None

    def with_weights(self, failures: NDArray[np.int64]) -> Ready:
        """The same with new weights: for each variable 1, plus for each of its parts the failures plus 1.

        failures: int64[n_ints], like State.ints; only the places that count failures are read.
        """
        n_variables = len(self.root.frames) - 1
        code = self.program.code.copy()
        found = np.bincount(self.scopes[:, 0], 1 + failures[self.scopes[:, 1]], n_variables)
        code[WEIGHT : RECORD * n_variables : RECORD] = 1 + found.astype(np.int64)
        return replace(self, program=read_only(self.program._replace(code=code)))

    def in_order(self) -> Ready:
        """The same, but variables are decided in order of weight, and at equal weights in order of number."""
        return self._with(IN_ORDER)

    def falling(self) -> Ready:
        """The same, but a decision gives a variable its greatest value."""
        return self._with(FALLING)

    def _with(self, choice: int) -> Ready:
        ints = self.root.state.ints.copy()
        ints[choice] = 1
        return replace(self, root=self.root._replace(state=self.root.state._replace(ints=ints)))

    def in_order_of(self, variables: Sequence[Variable]) -> Ready:
        """The same, but these variables are decided first, in this order."""
        code = self.program.code.copy()
        for place, v in enumerate(reversed(dict.fromkeys(variables))):
            code[RECORD * v + WEIGHT] = 2 + place
        return replace(self, program=read_only(self.program._replace(code=code))).in_order()

    def expected_nodes(self) -> float:
        """An estimate of the nodes of the search, from dives of about DIVE_NODES nodes in total.

        Hidden variables are not decided, so a dive ends when the others have values. Source: Knuth,
        Estimating the efficiency of backtrack programs, Mathematics of Computation 29 (1975).
        """
        dive = first_dive(SCATTER, DIVE_NODES)
        cursor = self.cursor(())
        cursor.state.ints[N_HIDDEN] = 0
        out = out_of(unfilled((1, len(self.decided.shown)), np.uint32))
        list_solutions(self.program, self.decided, cursor, dive, out, NO_LIMIT, self.others)
        return float(dive.sums[TOTAL] / dive.sums[N_DIVES])

    def cursor(self, prefix: Sequence[int], above: Cursor | None = None) -> Cursor:
        """A cursor that begins with the decisions of a prefix.

        above: a cursor that has made the first of these decisions, or that has begun to search where no
            decision is given; None if no decision is made yet.
        """
        above = above or self.root
        state = above.state
        words = unfilled(len(state.words), np.uint64)
        trail = int(state.ints[TRAIL])  # what lies behind it is written before it is read, and is nine tenths
        words[:trail] = state.words[:trail]
        return Cursor(State(words, state.ints.copy()), above.frames.copy(), int64(prefix))

    @property
    def n_bytes(self) -> int:
        """Bytes of a cursor."""
        return self.root.state.words.nbytes + self.root.state.ints.nbytes + self.root.frames.nbytes


def first_dive(random: np.uint64, n_nodes: int) -> Dive:
    """The argument of `list_solutions` for dives that begin until so many nodes are tried."""
    sums = np.zeros(5)
    sums[NODES_LEFT], sums[WAYS] = n_nodes, 1
    return Dive(np.array([random]), sums)


def preferred(ways: Sequence[Ready]) -> tuple[Ready, float]:
    """The first way to search, or a later one that is expected to take clearly fewer nodes; and its estimate.

    Balanced designs of 8 points take 3.3 million nodes with learned weights and 42 thousand in order.
    """
    best, fewest = ways[0], ways[0].expected_nodes()
    for way in ways[1:]:
        expected = way.expected_nodes()
        if expected < CLEARLY * fewest:
            best, fewest = way, expected
    return best, fewest


def has_others(model: Csp) -> bool:
    """Whether the model needs other parts than tables, different values and sums."""
    return not all(isinstance(part, Quick) for part in rewritten(model).parts)


def make_ready(model: Csp, *symmetry: Images | Least | LeastSet) -> Ready | None:
    """The program, and the state before anything is propagated; None if a domain is empty."""
    rewriting = rewritten(model)
    if not all(rewriting.domains):
        return None
    large = [part for part in symmetry if not isinstance(part, Images)]
    small = [part for part in symmetry if isinstance(part, Images)]
    encoder = Encoder(rewriting.domains)
    layout = Layout(model, encoder, encoder.encoded((*large, *rewriting.parts, *small)))
    program = Program(layout.code(), np.concatenate([np.zeros(0, dtype=np.uint64), *encoder.supports]))
    decided = Decided(int64(model.solution), int64(model.values))
    frames = np.zeros((len(rewriting.domains) + 1, 5), dtype=np.int64)
    root = Cursor(State(layout.words(), layout.ints()), frames, int64(()))
    others = 1 if large or has_others(model) else None
    # The arrays are read-only before a kernel gets them, because Numba compiles one more for writable arrays.
    return Ready(read_only(program), read_only(decided), root, layout.scopes(), others)


class Layout:
    """The places of everything in `code` and in `ints`, and the initial numbers there.

    taking, waking: int64[3, n]. For each entry of a TAKING or WAKING list the variable, the part, the number.
    """

    def __init__(self, model: Csp, encoder: Encoder, parts: Sequence[Encoded]) -> None:
        self.encoder, self.parts = encoder, parts
        self.n_variables = n_variables = len(encoder.domains)
        self.shown = list(dict.fromkeys(model.solution))
        self.hidden = sorted(set(range(n_variables)).difference(self.shown))
        self.hidden_at = FIXED_AT + n_variables + len(self.shown)
        self.waits_at = self.hidden_at + len(self.hidden)
        self.quick_at = self.waits_at + 2 * len(parts)
        self.numbers_at = self.quick_at + 2 * len(parts)
        self.taking, self.waking = (
            _entries([part.tells for part in parts]),
            _entries([part.wakes for part in parts]),
        )
        self.n_taking = np.bincount(self.taking[0], minlength=n_variables)
        n_entries = self.n_taking + np.bincount(self.waking[0], minlength=n_variables)
        self.list_at = RECORD * n_variables + 2 * np.cumsum([0, *n_entries])
        self.part_at = self.list_at[-1] + np.cumsum([0, *(ARGS + len(part.args) for part in parts)])

    def code(self) -> NDArray[np.int64]:
        """The variables, then their TAKING and WAKING lists, then the parts."""
        variables = np.zeros((self.n_variables, RECORD), dtype=np.int64)
        start, list_at = self.encoder.start, self.list_at
        columns: tuple[Any, ...] = (
            start[:-1],
            start[1:],
            self.encoder.base,
            1,
            list_at[:-1],
            list_at[:-1] + 2 * self.n_taking,
            list_at[1:],
        )
        for column, numbers in enumerate(columns):
            variables[:, START + column] = numbers
        v, p, number = np.concatenate([self.taking, self.waking], axis=1)
        in_order = np.argsort(v, kind="stable")
        lists = np.stack([self.part_at[p], number], axis=1)[in_order]
        parts = chain.from_iterable(
            (part.kind, part.ring or 0, waits, *part.args)
            for part, waits in zip(self.parts, range(self.waits_at, self.quick_at, 2), strict=True)
        )
        return np.concatenate([variables.reshape(-1), lists.reshape(-1), int64(parts)])

    def ints(self) -> NDArray[np.int64]:
        """The initial counters and lists. All parts with a ring wait, and all variables with one value."""
        n_parts = len(self.parts)
        ints = np.zeros(self.numbers_at + self.encoder.n_numbers, dtype=np.int64)
        ints[TRAIL] = self.encoder.n_words + self.encoder.n_scratch
        ints[HIDDEN_FROM] = -1
        ints[N_SHOWN], ints[N_HIDDEN] = len(self.shown), len(self.hidden)
        ints[SHOWN_AT], ints[HIDDEN_AT] = FIXED_AT + self.n_variables, self.hidden_at
        ints[SCRATCH], ints[NUMBERS], ints[N_PARTS] = self.encoder.n_words, self.numbers_at, n_parts
        fixed = [v for v, domain in enumerate(self.encoder.domains) if len(domain) == 1]
        ints[N_FIXED] = len(fixed)
        ints[FIXED_AT : FIXED_AT + len(fixed)] = fixed
        ints[FIXED_AT + self.n_variables : self.waits_at] = self.shown + self.hidden
        rings = int64(part.ring or 0 for part in self.parts)
        for ring, entries in ((QUICK, self.quick_at), (SLOW, self.quick_at + n_parts)):
            waiting = np.flatnonzero(rings == ring)
            ints[ring + ENTRIES], ints[ring + LENGTH] = entries, len(waiting)
            ints[entries : entries + len(waiting)] = self.part_at[waiting]
            ints[self.waits_at + 2 * waiting] = 1
        return ints

    def words(self) -> Words:
        """The domains, the memory of the parts, scratch words, and space for the trail."""
        memory = np.concatenate(self.encoder.memory)
        n_saves = int(np.bitwise_count(memory).sum()) + self.encoder.n_saves
        return np.concatenate([memory, np.zeros(self.encoder.n_scratch + 2 * n_saves, dtype=np.uint64)])

    def scopes(self) -> NDArray[np.int64]:
        """See `Ready`. With symmetry, which names all variables, Costas arrays took a fifth more nodes."""
        v, p, _ = np.concatenate([self.taking, self.waking], axis=1)
        is_counted = int64(part.kind not in {IMAGES, LEAST, LEAST_SET} for part in self.parts)[p] == 1
        n_ints = self.numbers_at
        pairs = different((v * n_ints + self.waits_at + 2 * p + 1)[is_counted])
        return np.stack(np.divmod(pairs, n_ints), axis=1)


def _entries(lists: Sequence[Sequence[tuple[Variable, int]]]) -> NDArray[np.int64]:
    """int64[3, n]. The variable, the number of the list, and the number of each entry, in order."""
    entries = int64(chain.from_iterable(chain.from_iterable(lists))).reshape(-1, 2)
    return np.stack([entries[:, 0], np.repeat(np.arange(len(lists)), list(map(len, lists))), entries[:, 1]])
