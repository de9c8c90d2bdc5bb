"""The whole search: a kernel for each width of frame, called in turn as frames are entered and left.

    frame 0 (any width) --ENTER--> frame 1 (8 words, say) --ENTER--> frame 2 (2 words) ...
            <--LEAVE--                              <--LEAVE--

Left out on purpose: symmetry, and items that are covered more or less than once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import ONE, ZERO, Words
from rekkyo.engines.contract import DONE
from rekkyo.engines.covers.bitset.kernel_frame import enter_frame
from rekkyo.engines.covers.bitset.kernel_search import ENTER, LEAVE, search_frame
from rekkyo.engines.covers.bitset.kernel_state import (
    HEAD_LENGTH,
    HEAD_WIDTH,
    STATE_FRAME,
    STATE_LEVEL,
    STATE_NODES,
    Cursor,
    Tables,
)
from rekkyo.jit import kernel

LANES_1, LANES_2, LANES_4, LANES_8 = (ZERO,), (ZERO,) * 2, (ZERO,) * 4, (ZERO,) * 8
TWO, FOUR = np.uint64(2), np.uint64(4)


@kernel
def list_solutions(alike: Words | None, tables: Tables, cursor: Cursor, out: Any, budget: int) -> Any:
    """Search on from the cursor; returns (status, found, nodes).

    alike : see `Tables`. A node is an option tried where an item had two or more left.
    out   : uint8, uint16 or uint32[n_rows, length], out. Chosen options in increasing order, then the filler.
    """
    state = cursor.state
    # Not plain zeros: Numba would compile every kernel once more for literals.
    found, nodes, most = ZERO, ZERO, np.uint64(budget)
    while True:
        frame = state[STATE_FRAME]
        width = cursor.heads[frame * HEAD_LENGTH + HEAD_WIDTH]
        common = (alike, tables, cursor, out, most, found, nodes)
        if frame == ZERO:
            event, found, nodes, branch = search_frame(None, *common)
        elif width == ONE:
            event, found, nodes, branch = search_frame(LANES_1, *common)
        elif width == TWO:
            event, found, nodes, branch = search_frame(LANES_2, *common)
        elif width == FOUR:
            event, found, nodes, branch = search_frame(LANES_4, *common)
        else:
            event, found, nodes, branch = search_frame(LANES_8, *common)
        if event == ENTER:
            enter_frame(alike, tables, cursor, state[STATE_LEVEL], branch)
        elif event == LEAVE and frame != ZERO:
            state[STATE_FRAME] -= ONE
            state[STATE_LEVEL] -= ONE
        else:
            state[STATE_NODES] += nodes
            return DONE if event == LEAVE else event, found, nodes
