"""What the log says of kernels that were compiled during a search."""

from __future__ import annotations

import logging
from types import SimpleNamespace

import pytest

from rekkyo.search.announced import announced

KEPT = "kept for the next time"
NOT_KEPT = "not kept: no folder for it can be written"


@pytest.mark.parametrize(("keeps", "what_becomes_of_it"), [(True, KEPT), (False, NOT_KEPT)])
def test_the_log_says_whether_compiled_code_is_kept(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, keeps: bool, what_becomes_of_it: str
) -> None:
    compiled = SimpleNamespace(functions=[], seconds=1.0)
    monkeypatch.setattr("rekkyo.search.announced.compiled_so_far", lambda: compiled)
    monkeypatch.setattr("rekkyo.kernel_cache.keeps_kernels", lambda: keeps)
    with caplog.at_level(logging.INFO, "rekkyo"):
        with announced("engine one"):
            pass
        with announced("engine two"):
            compiled.functions.append("a kernel")
            compiled.seconds = 3.5
    assert caplog.messages == [f"compiled engine two in 2.5 s; {what_becomes_of_it}"]
