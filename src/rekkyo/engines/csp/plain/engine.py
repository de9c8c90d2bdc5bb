"""Engine `csp-plain`: a second way to count constraint satisfaction problems, and a further way for others.

A model of another kind is restated as such a problem, so its search shares no code with its own engines.
"""

from __future__ import annotations

from dataclasses import dataclass

from rekkyo.arrays import read_only
from rekkyo.engines.contract import Advance, ListingEngine, Room, Shard
from rekkyo.engines.csp.plain.kernel import BASE_DEPTH, DEPTH, Cursor, Program, fits_with, list_solutions
from rekkyo.engines.csp.plain.program import make_cursor, make_program
from rekkyo.engines.out import out_of
from rekkyo.engines.prefixes import ROOT, Prefix, grown, no_such_shard, numbered
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.constraints import AllDifferent
from rekkyo.model.csp.csp import MAX_SPAN, Csp
from rekkyo.model.csp.restated import as_csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from rekkyo.model.row import Layout
from rekkyo.model.sum_figure import SumFigure

MAX_OPTIONS = 1 << 14
MAX_SETS = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class PlainPlan:
    """model: the puzzle as a Csp. filler: the number that ends a row of options; -1 for rows BY_POSITION."""

    model: Csp
    program: Program
    filler: int


class CspPlain(ListingEngine[PlainPlan, Cursor]):
    """Backtracking over variables in a fixed order; constraints are only checked.

    The prefix of a shard contains the indices of values in the domains of the first variables of the order.
    """

    model_type = (Csp, Queens, ExactCover, SumFigure, Coloring)
    model_words = "models that can be stated as a Csp"
    name = "csp-plain"
    plan_version = 3
    summary = "variables and constraints, nothing propagated; one more way for every model, and slow"
    moment_nodes = 1 << 14
    smallest = Csp(("a", "b"), ((0, 1), (0, 1)), (AllDifferent((0, 1)),))

    def limits(self, model: Model) -> str | None:
        """Reject models that take long to restate, or whose numbers are too large for a `Csp`."""
        match model:
            case ExactCover() if len(model.options) > MAX_OPTIONS:
                return f"takes covers with up to {MAX_OPTIONS} options, not {len(model.options)}"
            case Coloring() if len(model.sets) * model.n_colors + len(model.patterns) > MAX_SETS:
                return f"takes colourings with up to {MAX_SETS} forbidden patterns"
            case SumFigure() if (model.numbers[-1] - model.numbers[0]) * len(model.cells) >= MAX_SPAN:
                return f"takes sum figures whose sums differ by less than {MAX_SPAN}"
        return None

    def pays_off(self, model: Model) -> bool:
        """See the contract: True for constraint satisfaction problems."""
        return isinstance(model, Csp)

    def make_plan(self, model: Model) -> PlainPlan:
        """The constraints as arrays."""
        stated, shape = as_csp(model), model.row_shape
        filler = -1 if shape.layout is Layout.BY_POSITION else shape.n_values
        return PlainPlan(stated, read_only(make_program(stated)), filler)

    def split(self, plan: PlainPlan, at_least: int) -> tuple[Shard, ...]:
        """Shards give values to the first variables of the order, to at most all but one before `n_first`."""
        program, domains = plan.program, plan.model.domains
        n_fixed = int(program.n_first[0]) - 1
        order = program.order[: max(0, n_fixed)].tolist()
        cursor = make_cursor(program)

        def below(prefix: Prefix) -> tuple[list[Prefix], int] | None:
            depth = len(prefix)
            if depth >= n_fixed:
                return None
            for v, place in zip(order, prefix, strict=False):
                cursor.value[v] = domains[v][place]
            longer = []
            for place, value in enumerate(domains[order[depth]]):
                cursor.value[order[depth]] = value
                if fits_with(program, cursor, depth):
                    longer.append((*prefix, place))
            return longer, len(domains[order[depth]])

        prefixes, n_tried = grown(ROOT, below, at_least, by_levels=True)
        return numbered(prefixes, n_tried) if prefixes else numbered(ROOT, 0)

    def start(self, plan: PlainPlan, shard: Shard) -> Cursor:
        """A cursor after the values of the prefix."""
        cursor = self._at(plan, shard.prefix)
        if cursor is None:
            raise no_such_shard(self.name, shard.prefix)
        return cursor

    def _at(self, plan: PlainPlan, prefix: Prefix) -> Cursor | None:
        """A cursor after some values; None if they violate a constraint."""
        program = plan.program
        if len(prefix) >= program.n_first[0]:
            return None
        cursor = make_cursor(program)
        for depth, place in enumerate(prefix):
            v = int(program.order[depth])
            if not 0 <= place < len(plan.model.domains[v]):
                return None
            cursor.value[v] = plan.model.domains[v][place]
            if not fits_with(program, cursor, depth):
                return None
        cursor.state[DEPTH] = cursor.state[BASE_DEPTH] = len(prefix)
        cursor.at[len(prefix)] = program.start[program.order[len(prefix)]]
        return cursor

    def advance(self, plan: PlainPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract. A node is a value tried for a variable."""
        return Advance.of(list_solutions(plan.program, cursor, out_of(room.rows), plan.filler, budget))
