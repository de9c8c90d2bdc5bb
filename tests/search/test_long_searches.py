"""What only long searches need is compiled when a search turns out to be long."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.engines.covers.bitset.engine import CoverBitset
from rekkyo.search.cutting import Into, by_length
from rekkyo.search.question import ask
from rekkyo.search.search import compiling_if_long, prepare


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was compiled for a long search."""
    models: list[object] = []
    monkeypatch.setattr(CoverBitset, "compile_for_long", lambda _, model: models.append(model))
    return models


def test_once_and_only_after_so_many_nodes(compiled: list[object]) -> None:
    question = ask(rk.puzzle("langford 4"), engine="cover-bitset")
    search = prepare(question, by_length)
    seen: list[Any] = []
    watch = compiling_if_long(search, seen.append)
    for nodes in (0, CoverBitset.long_nodes - 1):
        watch(SimpleNamespace(nodes=nodes))  # type: ignore[arg-type]
    assert not compiled
    for nodes in (CoverBitset.long_nodes, 2 * CoverBitset.long_nodes):
        watch(SimpleNamespace(nodes=nodes))  # type: ignore[arg-type]
    assert compiled == [question.model]
    assert len(seen) == 4


@pytest.mark.parametrize("long_nodes", [0, 10**9])
def test_every_question_watches_for_it(
    long_nodes: int, compiled: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CoverBitset, "long_nodes", long_nodes)
    puzzle = rk.puzzle("langford 8")
    sizes = rk.Sizes(moment_nodes=1)  # nothing is over before it is cut
    assert rk.count(puzzle, engine="cover-bitset", sizes=sizes).total == 300
    assert rk.count(puzzle, engine="cover-bitset", sizes=sizes, limit=7).total == 7
    assert len(list(rk.solve(puzzle, engine="cover-bitset", sizes=sizes))) == 300
    assert rk.orbits(puzzle, engine="cover-bitset").total == 300
    assert rk.estimate(puzzle, engine="cover-bitset", draws=2).exact
    assert len(compiled) == (0 if long_nodes else 3)


def test_a_run_compiles_it_at_once(compiled: list[object]) -> None:
    prepare(ask(rk.puzzle("langford 4"), engine="cover-bitset"), Into(2))
    assert len(compiled) == 1
