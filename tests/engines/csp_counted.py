"""Random problems that can be counted by merging."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.model.csp.csp import Csp
from tests import naive_csp


def countable(model: Csp) -> Csp:
    """The model without objective, and with all variables shown unless the hidden ones are determined."""
    model = replace(model, objective=None)
    if CspFrontier().accepts(model):
        return model
    return replace(model, solution=tuple(range(len(model.names))), grid=None)


MODELS = st.one_of(naive_csp.models(), naive_csp.models(max_variables=7), naive_csp.linked_models()).map(
    countable
)
