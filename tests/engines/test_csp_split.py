"""How engine `csp` is cut: the states between two levels are kept as far as they fit into some memory."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rekkyo.engines.contract import Shard
from rekkyo.engines.csp.propagating import engine as searching
from rekkyo.engines.csp.propagating.engine import CspPlan, CspSearch
from rekkyo.engines.csp.propagating.ready import Ready
from rekkyo.engines.csp.propagating.state import Cursor
from tests.engines.csp_problems import costas

ENGINE = CspSearch()


def cut(plan: CspPlan, n_kept: int, monkeypatch: pytest.MonkeyPatch) -> tuple[tuple[Shard, ...], int]:
    """64 shards where the states of so many nodes fit, and how many states were made from the root."""
    assert plan.ready is not None
    made_from_root = 0
    made = Ready.cursor

    def cursor(self: Ready, prefix: Sequence[int], above: Cursor | None = None) -> Cursor:
        nonlocal made_from_root
        made_from_root += above is None
        return made(self, prefix, above)

    with monkeypatch.context() as patched:
        patched.setattr(searching, "MOST_KEPT_BYTES", n_kept * plan.ready.n_bytes)
        patched.setattr(Ready, "cursor", cursor)
        return ENGINE.split(plan, 64), made_from_root


def test_states_are_kept_as_far_as_they_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """If one did not fit, all were made from the root: 264 shards of a Numbrix of 9x9 took 31 s, not 3."""
    plan = ENGINE.plan(costas(7))
    none, from_root_of_none = cut(plan, 0, monkeypatch)
    some, from_root_of_some = cut(plan, 16, monkeypatch)
    all_of_them, from_root_of_all = cut(plan, 1000, monkeypatch)
    assert none == some == all_of_them
    assert from_root_of_all == 1
    assert from_root_of_all < from_root_of_some < from_root_of_none == sum(each.nodes for each in none) + 1
