"""Engine `csp-frontier`: counts by merging equal states, variable by variable, without listing.

For colourings, sum figures and constraint satisfaction problems whose hidden variables the solution
determines.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from rekkyo.engines.csp.frontier.determined import determinants
from rekkyo.engines.csp.frontier.fixed import groups_of
from rekkyo.engines.csp.frontier.plan import draft_of, make_plan
from rekkyo.engines.frontier.engine import FrontierEngine
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.errors import BadModel
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.restated import as_csp
from rekkyo.model.row import AtomPermutation
from rekkyo.model.sum_figure import SumFigure
from rekkyo.symmetry.unchanged import may_leave_some

MAX_VARIABLES = 1 << 14
MAX_VALUES = 1 << 16
"""Values of all domains together. The plan of 16,384 variables takes 4 to 7 s, four times as long as that of
4,096, and a search waits for it."""

Countable: TypeAlias = Csp | Coloring | SumFigure


@lru_cache(maxsize=1)
def _plan(csp: Csp) -> FrontierPlan[Csp]:
    """The plan of a model, kept from compiling to the count: tables of sums take half of a short one."""
    return make_plan(csp)


@lru_cache(maxsize=1)
def _stated(model: Countable) -> Csp:
    """The model as a Csp, kept because it is asked for up to six times before a count, 1 or 2 ms each."""
    return as_csp(model)


class CspFrontier(FrontierEngine[Csp]):
    """Variable by variable, all states at once; see `plan.py`."""

    model_type = (Csp, Coloring, SumFigure)
    model_words = "colourings, sum figures and constraint satisfaction problems"
    name = "csp-frontier"
    plan_version = 23

    summary = "counts by merging equal states, variable by variable; for counts too large to list"

    def limits(self, model: Countable) -> str | None:
        """The size is limited, there is no objective, and the solution determines the hidden variables."""
        try:
            csp = _stated(model)
        except BadModel as problem:
            return f"cannot state this model as a Csp: {problem}"
        n_variables, n_values = len(csp.domains), sum(map(len, csp.domains))
        if n_variables > MAX_VARIABLES or n_values > MAX_VALUES:
            return (
                f"takes at most {MAX_VARIABLES} variables with {MAX_VALUES} values in total, because it"
                f" makes a level of each variable, and this has {n_variables} with {n_values}; csp lists the"
                " solutions"
            )
        if csp.objective is not None:
            return "cannot optimize an objective"
        n_hidden = len(csp.domains) - len(csp.solution)
        determined = determinants(csp) if n_hidden else {}
        if len(determined) < n_hidden:
            v = min({*range(len(csp.domains))}.difference(determined, csp.solution))
            return (
                f"needs hidden variables that the solution determines, which it cannot show of {csp.names[v]}"
            )
        return None

    def make_plan(self, model: Countable) -> FrontierPlan[Csp]:
        """The levels as arrays. Raises EngineRefuses for constraints that remember too much."""
        return _plan(_stated(model))

    def guessed_bits(self, model: Countable) -> float:
        """The logarithm of the states of all levels, as they are guessed before anything is walked.

        Raises EngineRefuses.
        """
        return draft_of(_stated(model), None, None).bits

    def plan_facts(self, plan: FrontierPlan[Csp]) -> object:
        """The arrays, which say all that the levels do."""
        return plan.arrays

    def fixed_plan(self, plan: FrontierPlan[Csp], symmetry: AtomPermutation) -> FrontierPlan[Csp]:
        """The plan of the same search with variables tied to their images."""
        return make_plan(plan.model, symmetry)

    def may_leave_some(self, plan: FrontierPlan[Csp], symmetry: AtomPermutation) -> bool:
        """See the contract."""
        return may_leave_some(groups_of(plan.model), symmetry)
