"""Worker processes from the side of the server: jobs, stops, kills and new starts.

There are two: one answers the newest question, the other estimates and helps meanwhile. If the first does not
stop soon, it is killed, and the other takes its place, because its kernels are loaded.
"""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

from rekkyo.plain import PYTHON

Message: TypeAlias = dict[str, Any]
OnMessage: TypeAlias = Callable[[Message], None]

GRACE_S = 0.4
"""The seconds that a search gets to stop before its process is killed."""

PATIENCE_S = 2.0
"""The seconds that it gets if no question waits for the process."""

MAX_LINE = 1 << 26
APART: dict[str, Any] = {} if sys.platform == "win32" else {"start_new_session": True}
"""Arguments that start a process which Ctrl-C in the terminal of the server does not reach."""

COMMAND = (*PYTHON, "-m", "rekkyo.designer.worker")


class Worker:
    """One process, which does one job at a time."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._listening: asyncio.Task[None] | None = None
        self._number = 0
        self._hear: OnMessage | None = None
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def is_idle(self) -> bool:
        """Whether it has no job."""
        return self._idle.is_set()

    async def start(self) -> None:
        """Start the process, unless it runs."""
        if self._process is not None and self._process.returncode is None:
            return
        self._process = await asyncio.create_subprocess_exec(
            *COMMAND, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=MAX_LINE, **APART
        )
        self._listening = asyncio.create_task(self._listen(self._process))

    async def ask(self, job: Mapping[str, Any], hear: OnMessage) -> None:
        """Begin a job, and end the one before. hear: called with each stage; the last one is `end`."""
        await self.stop(grace_s=PATIENCE_S)
        await self.start()
        self._number += 1
        self._hear = hear
        self._idle.clear()
        self._send(dict(job) | {"number": self._number})

    async def stop(self, why: str = "stopped", grace_s: float | None = None) -> bool:
        """End the current job; returns whether the process had to be killed for that."""
        if self.is_idle:
            return False
        process, number = self._process, self._number
        self._send({"do": "stop", "number": number})
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), GRACE_S if grace_s is None else grace_s)
        if self.is_idle or process is not self._process or number != self._number:
            return False
        await self.kill(why)
        return True

    async def kill(self, why: str = "killed") -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if self._listening is not None:
            self._listening.cancel()
        self._end({"stage": "end", "why": why})

    async def wait(self) -> None:
        """Wait until the current job has ended."""
        await self._idle.wait()

    def _send(self, message: Message) -> None:
        process = self._process
        if process is not None and process.stdin is not None and not process.stdin.is_closing():
            process.stdin.write(json.dumps(message).encode() + b"\n")

    async def _listen(self, process: Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            message = json.loads(line)
            of_start = message["stage"] == "compiling" and message["number"] is None
            if self.is_idle or not (of_start or message.get("number") == self._number):
                continue
            if message["stage"] == "end":
                self._end(message)
            elif self._hear is not None:
                self._hear(message)
        await process.wait()
        if process is self._process:  # it ended by itself: the system took its memory, or a kernel failed
            self._process = None
            problem = "the search ended unexpectedly; most likely it needed more memory than there is"
            self._end({"stage": "end", "why": "memory", "message": problem})

    def _end(self, message: Message) -> None:
        hear, self._hear = self._hear, None
        self._idle.set()
        if hear is not None:
            hear(message)


class Pair:
    """first: answers the newest question. second: estimates and helps."""

    def __init__(self) -> None:
        self.first, self.second = Worker(), Worker()

    async def start(self) -> None:
        """Start both."""
        await self.first.start()
        await self.second.start()

    async def stop_first(self, why: str = "stopped") -> None:
        """End the job of the first worker, for a new question."""
        was_killed = await self.first.stop(why)
        if was_killed and self.second.is_idle:
            self.first, self.second = self.second, self.first
            await self.second.start()

    async def close(self) -> None:
        """End both processes."""
        await asyncio.gather(self.first.kill(), self.second.kill())
