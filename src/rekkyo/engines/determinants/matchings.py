"""Engine `cover-determinant`: counts the perfect matchings of planar graphs, such as domino tilings.

The options that a symmetry leaves unchanged fold into options for one item, which are vertices that may stay
alone; see `planar.py`.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec

from rekkyo.engines.covers.counting import CoverCounter, Folded
from rekkyo.engines.covers.frontier.levels import levels_of
from rekkyo.engines.determinants.engine import DeterminantCounter, DeterminantPlan
from rekkyo.engines.determinants.matrix import Matrix
from rekkyo.engines.determinants.planar import NotPlanar, matching_matrix
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model

MANY_ITEMS = 400
"""From there on it pays off to draw the graph, which takes 15 ms, and to import networkx, 0.2 s."""

NARROW = 12
"""The bits of a state, such as the width of a board, up to which merging takes less time: 0.4 s for 12 x 60
squares, and this 1.2 s. Merging also counts what a symmetry leaves unchanged if the folded graph is not
planar, as for a prism whose points are mapped to the opposite ones."""


class CoverDeterminant(DeterminantCounter[ExactCover], CoverCounter[DeterminantPlan[ExactCover]]):
    """An item is a vertex, an option for two items an edge. Only planar graphs have such a determinant."""

    name = "cover-determinant"
    summary = "counts perfect matchings of planar graphs, such as domino tilings, by a determinant"
    max_options = 1 << 16

    def limits(self, model: ExactCover) -> str | None:
        """Reject other covers than matchings. Making the plan shows whether the graph is planar."""
        is_at_most_once = all(high == 1 for _, high in model.bounds)
        if max(model.sizes, default=0) > 2 or not is_at_most_once or any(model.uses[1::2]):
            return "counts covers by options of one or two items, without colours and multiplicities, only"
        if find_spec("networkx") is None:
            return "needs an extra package: pip install 'rekkyo[graphs]'"
        return super().limits(model)

    def can_plan(self, model: Model) -> bool:
        """See the contract: True for planar graphs."""
        return isinstance(model, ExactCover) and _matrix_of(model) is not None

    def pays_off(self, model: Model) -> bool:
        """See the contract: True for planar graphs that are large and not narrow."""
        if not isinstance(model, ExactCover) or len(model.primary) < MANY_ITEMS:
            return False
        return levels_of(model).widest > NARROW and _matrix_of(model) is not None

    def make_plan(self, model: ExactCover) -> DeterminantPlan[ExactCover]:
        """The matrix. Raises EngineRefuses."""
        found = _matrix_of(model)
        if found is None:
            raise EngineRefuses(
                f"engine {self.name} counts matchings of planar graphs only; choose another engine"
            )
        matrix, is_square = found
        return DeterminantPlan(model, ((1, matrix),), is_square)

    def folded_plan(self, quotient: Folded) -> DeterminantPlan[ExactCover]:
        """The matrix of the folded cover."""
        self.check(quotient.model)
        return self.make_plan(quotient.model)


@lru_cache(maxsize=4)
def _matrix_of(model: ExactCover) -> tuple[Matrix, bool] | None:
    """See `matching_matrix`; None if the graph is not planar."""
    n_primary, n_items = len(model.primary), len(model.primary) + len(model.secondary)
    loose = [item for item in range(n_items) if item >= n_primary or model.bounds_of(item)[0] == 0]
    edges = []
    for option in model.options:
        items = [item for item, _ in option]
        if len(items) == 2:
            edges.append((items[0], items[1]))
        else:
            loose += items
    try:
        return matching_matrix(n_items, edges, loose)
    except NotPlanar:
        return None
