"""Requests that overlap, while a run grows and ends: each answer is about solutions that were there together."""

from __future__ import annotations

import asyncio
import io
import json
import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.datastructures import QueryParams
from starlette.requests import Request

import rekkyo as rk
from rekkyo.gallery import app, collection, index, lookup
from rekkyo.gallery.app import _Server
from rekkyo.gallery.collection import Collection
from rekkyo.gallery.downloads import download
from rekkyo.gallery.question import read_question
from rekkyo.gallery.source import ListedSource, RunSource
from tests.gallery.growing import hide_shards, show_shard

QUESTIONS = ("", "0.0", "!0.0~1.0")


@pytest.fixture(autouse=True)
def short_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (collection, index, lookup):
        monkeypatch.setattr(module, "SCAN_ROWS", 7)


@pytest.fixture
def growing(tmp_path: Path) -> Path:
    """A run of queens 7 without its shards 0, 5 and 6: the first one gives all rows other numbers at the end."""
    rk.run(rk.queens(7), tmp_path / "run", shards=7)
    hide_shards(tmp_path / "run", [0, 5, 6])
    return tmp_path / "run"


def atoms_of(rows: Any) -> Counter[tuple[int, int]]:
    return Counter((column, int(value)) for row in rows for column, value in enumerate(row))


def passes(row: tuple[int, ...], where: str) -> bool:
    return {"": True, "0.0": row[0] == 0, "!0.0~1.0": row[0] != 0 or row[1] == 0}[where]


@pytest.mark.parametrize("seed", range(12))
def test_scans_of_heat_maps_in_any_order(growing: Path, seed: int) -> None:
    """Every complete scan has counted each solution of that moment once."""
    draw = random.Random(seed)
    gallery = Collection(RunSource(growing))
    hidden = [0, 5, 6]
    draw.shuffle(hidden)
    scans: list[tuple[str, Iterator[int]]] = []
    n_complete = 0
    for _ in range(120):
        what = draw.random()
        if what < 0.06 and hidden:
            show_shard(growing, hidden.pop())
        elif what < 0.2:
            gallery.source.refresh()
        elif what < 0.4 and len(scans) < 4:
            where = draw.choice(QUESTIONS)
            scans.append((where, gallery.scan_heat(read_question({"where": where}))))
        elif scans:
            where, scan = draw.choice(scans)
            if next(scan, None) is None:
                scans.remove((where, scan))
                heat = gallery.heat(read_question({"where": where}))
                rows = [row for row in map(tuple, gallery.source.rows(0, 40).tolist()) if passes(row, where)]
                assert heat.n_rows == len(rows)
                assert sum(heat.counts.tolist()) == sum(atoms_of(rows).values())
                found = {(spot, kind): times for spot, kind, times in heat.places(gallery.kinds.at)}
                assert sorted(found.values()) == sorted(atoms_of(rows).values())
                n_complete += 1
    assert n_complete > 3


@pytest.mark.parametrize("form", ["csv", "npy"])
@pytest.mark.parametrize("where", QUESTIONS)
def test_a_download_has_the_solutions_of_its_beginning(growing: Path, form: str, where: str) -> None:
    gallery = Collection(RunSource(growing))
    question = read_question({"where": where})
    list(gallery.scan(question))
    before = [row for row in map(tuple, gallery.source.rows(0, 40).tolist()) if passes(row, where)]
    parts = iter(download(gallery, question, form).parts)
    sent = [next(parts)]
    for _ in range(3):
        show_shard(growing)
        assert gallery.source.refresh()["state"] != "finished", "rows keep their numbers"
        sent += [part for part in [next(parts, b"")] if part]
    sent += parts
    if form == "npy":
        rows = np.load(io.BytesIO(b"".join(sent))).tolist()
    else:
        lines = [line for line in b"".join(sent).decode().splitlines() if line[:1].isdigit()]
        rows = [[int(value) for value in line.split(",")] for line in lines]
    assert list(map(tuple, rows)) == before
    assert gallery.source.refresh()["state"] == "finished"
    assert gallery.source.version == 1


def request(**query: str) -> Request:
    text = str(QueryParams(query)).encode()
    return Request({"type": "http", "query_string": text, "headers": [], "path_params": {}})


def content(response: Any) -> Any:
    assert response.status_code == 200, response.body
    return json.loads(response.body)


def test_two_requests_for_one_heat_map() -> None:
    server = _Server(Collection(ListedSource(rk.queens(8))), ["queens 8"], 0)

    async def both() -> list[Any]:
        return await asyncio.gather(server.heat(request()), server.heat(request()))

    assert [content(answer)["count"] for answer in asyncio.run(both())] == [92, 92]


def test_the_order_matters_only_to_lists_and_sheets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are in the order `found`, and numbers of solutions have none."""
    monkeypatch.setattr(collection, "MAX_SORTED_ROWS", 10)
    server = _Server(Collection(ListedSource(rk.queens(8))), ["queens 8"], 0)
    assert content(asyncio.run(server.heat(request(order="least"))))["count"] == 92
    answer = asyncio.run(server.placements(request(order="least", spot="0", kind="0")))
    assert content(answer)["count"] == 92
    assert asyncio.run(server.download(request(order="least", format="csv"))).status_code == 200
    for asked in (server.rows(request(order="least")), server.download(request(order="least", format="svg"))):
        with pytest.raises(rk.BadInput, match="92 solutions are too many to sort"):
            asyncio.run(asked)


def test_other_requests_have_their_turn_while_rows_to_sort_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    gallery = Collection(ListedSource(rk.queens(8)))
    server = _Server(gallery, ["queens 8"], 0)
    passing, turns, turns_at_part = gallery.passing, 0, []

    def watched(*question: Any) -> Iterator[Any]:
        for part in passing(*question):
            turns_at_part.append(turns)
            yield part

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def both() -> Any:
        task = asyncio.create_task(others())
        answer = await server.rows(request(order="least"))
        task.cancel()
        return answer

    monkeypatch.setattr(gallery, "passing", watched)
    assert content(asyncio.run(both()))["count"] == 92
    assert len(turns_at_part) == 14
    assert all(before < after for before, after in pairwise(turns_at_part))


def test_a_run_that_grows_while_it_is_sorted(growing: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gallery = Collection(RunSource(growing))
    server = _Server(gallery, ["queens 7"], 0)
    in_a_thread = asyncio.to_thread
    hidden = [5, 0, 6]

    async def meanwhile(function: Any, *arguments: Any, **more: Any) -> Any:
        order = await in_a_thread(function, *arguments, **more)
        if hidden:
            show_shard(growing, hidden.pop(0))
            gallery.source.refresh()
        return order

    monkeypatch.setattr(app.asyncio, "to_thread", meanwhile)
    answer = content(asyncio.run(server.rows(request(order="least", where="!0.0~1.0"))))
    expected = sorted(row for row in rk.solve(rk.queens(7)) if passes(tuple(row), "!0.0~1.0"))
    assert [tuple(row) for row in answer["rows"]] == [tuple(row) for row in expected]
    assert answer["count"] == len(expected)
