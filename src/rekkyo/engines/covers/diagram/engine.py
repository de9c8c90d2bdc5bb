"""Engine `cover-diagram`: lists exact covers along a diagram of all solutions."""

from __future__ import annotations

from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.diagram.diagram import Diagram
from rekkyo.engines.diagram.drawing import diagram_of
from rekkyo.engines.diagram.engine import DiagramEngine
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model


class CoverDiagram(DiagramEngine):
    """For exact covers."""

    model_type = ExactCover
    model_words = "exact covers"
    name = "cover-diagram"
    smallest = ExactCover(("item",), (), (((0, 0),), ((0, 0),)))
    summary = "makes a diagram of all solutions and lists them from it, in the order of --kth"

    def limits(self, model: ExactCover) -> str | None:
        """The limits of `cover-frontier`. Making the plan shows whether the diagram fits in memory."""
        return CoverFrontier().limits(model)

    def compile(self, model: Model) -> None:
        """Compile the kernels that make the diagram and that list its solutions, in rows of the model."""
        CoverFrontier().compile(model)
        super().compile(model)

    def make_plan(self, model: ExactCover) -> Diagram:
        """The diagram. Raises EngineRefuses."""
        return diagram_of(model, self.most_bytes)
