"""The common base of the engines that search a model of another kind as an exact cover, with `cover-bitset`.

An option stands for one value at one position of the row. Options are numbered position by position, so the
options of a solution in increasing order give its row.
"""

from __future__ import annotations

from rekkyo.engines.contract import Rows
from rekkyo.engines.covers.bitset.engine import CoverBitset
from rekkyo.engines.covers.bitset.kernel_frame import Cursor
from rekkyo.engines.restating import RestatedPlan, RestatingEngine
from rekkyo.model.exact_cover import ExactCover

COVERS = CoverBitset()


class ByCover(RestatingEngine[ExactCover, Cursor]):
    """Rows are in the order of the search of the cover, not in lexicographic order.

    The values of a plan : uint[n_options], the value of each option.
    """

    inner = COVERS
    long_nodes = COVERS.long_nodes
    moment_nodes = 1 << 12

    def rewrite(self, plan: RestatedPlan, found: Rows, rows: Rows) -> None:
        """See the base. Rows of the cover may be longer, with fillers."""
        rows[:] = plan.values[found[:, : rows.shape[1]]]
