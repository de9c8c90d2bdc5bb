"""Engine `coloring-counters`: lists the solutions of every colouring."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rekkyo.arrays import read_only
from rekkyo.engines.colorings.counters import kernel
from rekkyo.engines.colorings.counters.kernel import Cursor, Program
from rekkyo.engines.colorings.least import TOP, Least
from rekkyo.engines.colorings.search_engine import ColoringSearch, SearchPlan
from rekkyo.model.coloring import Coloring, nogoods


class ColoringCounters(ColoringSearch[Program, Cursor]):
    """Cells in a fixed order, a counter on every pattern, unit propagation; symmetry inside the search."""

    name = "coloring-counters"
    plan_version = 1
    summary = "cells in a fixed order with counters on the patterns, for every colouring"
    list_solutions = staticmethod(kernel.list_solutions)

    def ordered_plan(
        self, model: Coloring, order: Sequence[int], least: Least
    ) -> SearchPlan[Program, Cursor]:
        """The plan of any colouring."""
        n, n_colors = model.n_cells, model.n_colors
        patterns = [[cell * n_colors + color for cell, color in pattern] for pattern in nogoods(model)]
        flat = np.array([atom for atoms in patterns for atom in atoms], dtype=np.int64)
        owners = np.repeat(np.arange(len(patterns), dtype=np.int32), list(map(len, patterns)))
        starts = np.zeros(n * n_colors + 1, dtype=np.int64)
        starts[1:] = np.cumsum(np.bincount(flat, minlength=n * n_colors))
        program = Program(
            starts,
            owners[np.argsort(flat, kind="stable")],
            np.array(model.bounds, dtype=np.int64).reshape(-1, 2),
            np.array(order, dtype=np.int64),
            least,
        )
        root = _root(n, n_colors, len(patterns))
        root.counters[:, kernel.LEFT] = list(map(len, patterns))
        if patterns:
            np.bitwise_xor.at(root.counters[:, kernel.XOR], owners, flat.astype(np.int32))
        # Made read-only before the first call, because Numba would compile another version for writeable
        # arrays.
        return SearchPlan(program, root, hopeless=not _settle(model, read_only(program), root))


def _root(n: int, n_colors: int, n_patterns: int) -> Cursor:
    """A cursor before propagation."""
    return Cursor(
        counters=np.zeros((n_patterns, 2), dtype=np.int32),
        possible=np.full(n, (1 << n_colors) - 1, dtype=np.uint8),
        color=np.full(n, kernel.NO_COLOR, dtype=np.int8),
        queue=np.zeros(n, dtype=np.int32),
        ruled_out=np.zeros(n * n_colors, dtype=np.int32),
        rest=np.zeros(n + 1, dtype=np.int64),
        frames=np.zeros((n + 1, 4), dtype=np.int64),
        colors=np.zeros(n, dtype=np.uint8),
        waiting=np.zeros((0, 4), dtype=np.int32),
        state=np.zeros(6, dtype=np.int64),
    )


def _settle(model: Coloring, program: Program, root: Cursor) -> bool:
    """Propagate fixed cells and patterns of one cell, and make the first frame; False for a contradiction."""
    n_colors = model.n_colors
    given = [
        cell * n_colors + other for cell, color in model.fixed for other in range(n_colors) if other != color
    ]
    given += [pattern[0][0] * n_colors + pattern[0][1] for pattern in model.patterns if len(pattern) == 1]
    if not all(kernel.rule_out(root, atom) for atom in given) or not kernel.propagate(program, root):
        return False
    root.rest[0] = root.possible[program.order[0]]
    frame = root.frames[0]
    frame[kernel.FRAME_TAIL] = root.state[kernel.TAIL]
    frame[kernel.FRAME_RULED_OUT] = root.state[kernel.N_RULED_OUT]
    frame[kernel.FRAME_TOP] = root.state[TOP] = len(program.least.lists)
    return True
