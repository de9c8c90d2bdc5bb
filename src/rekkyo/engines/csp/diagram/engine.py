"""Engine `csp-diagram`: lists colourings, sum figures and constraint problems along a diagram.

It finds the best value of an objective itself, by merging (`search/best_by_merging.py`): each search for a
better solution would need a diagram of its own.
"""

from __future__ import annotations

from dataclasses import replace

from rekkyo.engines.csp.frontier.engine import Countable, CspFrontier
from rekkyo.engines.diagram.diagram import Diagram
from rekkyo.engines.diagram.drawing import diagram_of
from rekkyo.engines.diagram.engine import DiagramEngine
from rekkyo.model.csp.csp import Csp


class CspDiagram(DiagramEngine):
    """For all models of `csp-frontier`, and for objectives."""

    model_type = CspFrontier.model_type
    model_words = CspFrontier.model_words
    name = "csp-diagram"
    smallest = Csp(("v",), ((0, 1),), (), (0,))
    summary = "makes a diagram of all solutions and lists them from it; --kth numbers many of them so"

    def limits(self, model: Countable) -> str | None:
        """The limits of `csp-frontier`, but for objectives; making the plan shows whether memory suffices."""
        return CspFrontier().limits(_without_objective(model))

    def compile(self, model: Countable) -> None:  # type: ignore[override]
        """Compile the kernels that make the diagram and that list its solutions, in rows of the model."""
        CspFrontier().compile(_without_objective(model))
        super().compile(model)

    def make_plan(self, model: Countable) -> Diagram:
        """The diagram of the solutions with the best value, if it is known. Raises EngineRefuses."""
        return diagram_of(_without_objective(model), self.most_bytes)


def _without_objective(model: Countable) -> Countable:
    """The model with its best value as a constraint, if it is known."""
    return replace(model.with_best_required, objective=None) if isinstance(model, Csp) else model
