"""Exact covers under groups too large to list, searched as the constraints of their options.

Every option is a variable, 1 if it is chosen (`rekkyo.model.csp.restated`). The engines of covers are faster,
but know only groups that are listed.
"""

from __future__ import annotations

import numpy as np

from rekkyo.engines.contract import Block, Rows, Tried, row_dtype
from rekkyo.engines.csp.propagating.engine import CspSearch
from rekkyo.engines.csp.propagating.parts import LeastSet
from rekkyo.engines.csp.propagating.state import Cursor
from rekkyo.engines.restating import RestatedPlan, RestatingEngine
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.restated import as_csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.symmetry.large_group import LargeGroup

_SEARCH = CspSearch()


class CoverByOptions(RestatingEngine[Csp, Cursor]):
    """Chosen for large groups only. The values of a plan are the filler of rows that are not full."""

    model_type = ExactCover
    model_words = "exact covers"
    inner = _SEARCH
    last_shard_is_rest = _SEARCH.last_shard_is_rest
    name, summary, plan_version = _SEARCH.name, _SEARCH.summary, _SEARCH.plan_version

    def restated(self, model: ExactCover) -> tuple[Csp, Rows]:
        """See the base."""
        shape = model.row_shape
        return as_csp(model), np.array([shape.n_values], dtype=row_dtype(shape.n_symbols))

    def rewrite(self, plan: RestatedPlan, found: Rows, rows: Rows) -> None:
        """The numbers of the variables that are 1."""
        rows[:] = plan.values
        row, option = np.nonzero(found)
        starts = np.searchsorted(row, np.arange(len(rows)))
        rows[row, np.arange(len(row)) - starts[row]] = option

    def make_plan_for_large_group(self, model: ExactCover, group: LargeGroup) -> RestatedPlan:
        """See the contract. Options are decided in the order in which sets of them are compared."""
        stated, values = self.restated(model)
        least = LeastSet(group.compared, model.row_shape.length, group.tables)
        return RestatedPlan(model, stated, values, _SEARCH.plan_in_order(stated, least, group.order))

    def nodes_of_moment(self, plan: RestatedPlan) -> int:
        """See the contract."""
        return _SEARCH.nodes_of_moment(plan.inner)

    def tried(self, plan: RestatedPlan) -> Tried | None:
        """See the contract."""
        tried = _SEARCH.tried(plan.inner)
        if tried is None:
            return None
        shape = plan.model.row_shape
        rows = np.empty((len(tried.block.rows), shape.length), dtype=plan.values.dtype)
        self.rewrite(plan, tried.block.rows, rows)
        return Tried(Block(rows, None, tried.block.nodes), tried.cursor)
