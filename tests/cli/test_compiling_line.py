"""The line about the kernels that are being compiled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from rekkyo import jit
from rekkyo.engines.covers.bitset import kernel_search, kernel_step
from rekkyo.warm.compiling_line import lines_while_compiling


@contextmanager
def scripted(at_start: Callable[[Any], object]) -> Iterator[jit.Compiled]:
    """As `jit.compiling`, when three small kernels are compiled and then their caller."""
    compiled = jit.Compiled(at_start)
    yield compiled
    search = py_func(kernel_search.list_in_frame_0)
    at_start(search)
    for called in (kernel_step.choose_wide, kernel_step.scan_wide, kernel_step.write_row):
        at_start(py_func(called))
        compiled.functions.append(py_func(called))
    at_start(re.sub)  # as parts of Numba are: nobody asked for them
    at_start(py_func(kernel_search.search_frame))


def py_func(kernel: Any) -> Any:
    return kernel.py_func


def test_the_engine_how_many_kernels_and_how_long_still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "compiling", scripted)
    lines: list[str] = []

    def say(text: str) -> None:
        lines.append(text)

    with lines_while_compiling(say):
        pass
    n_kernels = len(jit.called_kernels(py_func(kernel_search.list_in_frame_0)))
    assert lines[:4] == [f"compiling cover-bitset: kernel {k} of {n_kernels}" for k in (1, 1, 2, 3)]
    assert re.fullmatch(rf"compiling cover-bitset: kernel 4 of {n_kernels}, about \d+ s left", lines[4])
    assert len(lines) == 5


def test_called_kernels_are_found_at_any_remove() -> None:
    names = {function.__name__ for function in jit.called_kernels(py_func(kernel_search.list_solutions))}
    assert {"search_frame", "enter_frame", "scan_narrow", "_narrow"} <= names
    assert "list_in_frame_0" not in names
