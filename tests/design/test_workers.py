"""Processes that search: they stop, are killed when they do not, and never outlive who asked."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from rekkyo.designer import workers
from rekkyo.designer.workers import COMMAND, Pair, Worker
from rekkyo.plain import PYTHON
from tests.design.test_help import text_of

pytestmark = pytest.mark.second

LONG = text_of("conway-5x5x5")


def ask_and_wait(worker: Worker, told: list[dict[str, Any]], **job: Any) -> Any:
    return worker.ask({"do": "answer", "text": text_of("kenken"), **job}, told.append)


def test_a_search_is_stopped_and_the_process_goes_on() -> None:
    async def scene() -> None:
        worker, told, later = Worker(), [], []  # type: ignore[var-annotated]
        await worker.ask({"do": "answer", "text": LONG}, told.append)
        while not any(one["stage"] == "few" for one in told):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        process = worker._process
        assert process is not None
        started = time.monotonic()
        await worker.stop()
        assert time.monotonic() - started < 5
        assert told[-1]["stage"] == "end"
        await ask_and_wait(worker, later)
        await worker.wait()
        assert [one["total"] for one in later if one["stage"] == "count"] == ["1"]
        await worker.kill()
        assert process.returncode is not None

    asyncio.run(scene())


def test_what_does_not_stop_is_killed_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "GRACE_S", 0.05)

    async def scene() -> None:
        pair, told, later = Pair(), [], []  # type: ignore[var-annotated]
        await pair.start()
        await pair.second.ask({"do": "answer", "text": text_of("kenken")}, lambda _: None)
        await pair.second.wait()
        await pair.first.ask({"do": "answer", "text": LONG}, told.append)
        while not told:
            await asyncio.sleep(0.01)
        old, spare = pair.first._process, pair.second._process
        assert old is not None
        old.send_signal(signal.SIGSTOP)  # hears nothing any more
        await pair.stop_first()
        assert old.returncode is not None
        assert told[-1]["stage"] == "end"
        assert pair.first._process is spare
        await ask_and_wait(pair.first, later)
        await pair.first.wait()
        assert [one["total"] for one in later if one["stage"] == "count"] == ["1"]
        await pair.close()

    if not hasattr(signal, "SIGSTOP"):
        pytest.skip("this system cannot stop a process")
    asyncio.run(scene())


def test_a_process_that_dies_ends_its_job() -> None:
    async def scene() -> None:
        worker, told, later = Worker(), [], []  # type: ignore[var-annotated]
        await worker.ask({"do": "answer", "text": LONG}, told.append)
        while not told:
            await asyncio.sleep(0.01)
        assert worker._process is not None
        worker._process.kill()
        await worker.wait()
        assert told[-1]["why"] == "memory"
        await ask_and_wait(worker, later)
        await worker.wait()
        assert later[-1] == {"stage": "end", "number": later[-1]["number"]}
        await worker.kill()

    asyncio.run(scene())


def test_memory_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REKKYO_DESIGN_MEMORY", str(1500 << 20))

    async def scene() -> dict[str, Any]:
        worker, told = Worker(), []  # type: ignore[var-annotated]
        text = 'kind = "packing"\nboard = "rectangle 60 60"\npolyforms = 7\ntimes = "any"\n'
        await worker.ask({"do": "answer", "text": text}, told.append)
        await worker.wait()
        await worker.kill()
        read = next(one for one in told if one["stage"] in ("read", "end"))
        return told[-1] if told[-1]["stage"] == "end" and "why" in told[-1] else read

    last = asyncio.run(scene())
    assert last.get("why") in ("memory", "problem") or last["problem"] is not None


def children_of(number: int) -> set[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(number)], capture_output=True, text=True)
    return {int(word) for word in found.stdout.split()}


def is_there(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{number}/stat").read_text("utf-8").rpartition(")")[2].split()[0]


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_the_server(sign: signal.Signals) -> None:
    command = [sys.executable, "-m", "rekkyo", "design", "--port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    assert "http://127.0.0.1:" in server.stderr.readline()
    children = children_of(server.pid)
    assert len(children) == 2
    server.send_signal(sign)
    server.wait(timeout=20)
    server.stderr.close()
    deadline = time.monotonic() + 20
    while any(map(is_there, children)):
        assert time.monotonic() < deadline, "a worker is left behind"
        time.sleep(0.05)


def test_a_search_ends_when_nobody_listens() -> None:
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps({"do": "answer", "number": 1, "text": LONG}).encode() + b"\n")
    process.stdin.flush()
    while b'"few"' not in process.stdout.readline():
        pass
    process.stdin.close()
    assert process.wait(timeout=10) == 0
    process.stdout.close()


@pytest.mark.parametrize(
    "words", [COMMAND, (*PYTHON, "-m", "rekkyo", "--version")], ids=["worker", "command"]
)
def test_nothing_is_imported_from_the_current_folder(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Which may be that of a puzzle file from a stranger."""
    for name in ("rekkyo", "multiprocessing", "json"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("open('run', 'w')")
    subprocess.run(words, cwd=tmp_path, input=b"", capture_output=True, check=False)
    assert not (tmp_path / "run").exists()
