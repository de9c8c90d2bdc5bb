"""The questions of one page: the newest one is answered, and older ones are stopped.

The page sends `ask` with the text as it last knew it and all changes since; `help`, `export` and `begin` with
the text; and `stop`. Each message has a number from the page, and so has every answer to it.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from rekkyo.designer.commands import COMMANDS, Commands
from rekkyo.designer.workers import PATIENCE_S, Message, Pair, Worker
from rekkyo.errors import BadInput

MAX_TEXT = 1 << 18
MAX_CHANGES = 256
MAX_VALUES = 8
LIMITS_S: dict[str, float] = {"answer": 3600.0, "guess": 60.0, "help": 900.0, "export": 120.0}
"""The limit of each job in seconds."""

GUESS_AFTER_S = 0.1
"""The seconds after which a count is also estimated."""

DOINGS = ("ask", "stop", "help", "export", "begin")
HELPS = ("clues", "what_if", "difficulty", "fewest")
Send = Callable[[Message], Awaitable[None]]


class Session:
    """send: sends the page a message. keep_played: stores the page that plays a search."""

    def __init__(
        self,
        send: Send,
        pair: Pair,
        commands: Commands,
        folder: str | None,
        keep_played: Callable[[str | None], None],
    ) -> None:
        self._send = send
        self._pair = pair
        self._commands = commands
        self._folder = folder
        self._keep_played = keep_played
        self._newest: Message | None = None
        self._wakes = asyncio.Event()
        self._out: asyncio.Queue[Message] = asyncio.Queue()
        self._aside: asyncio.Task[None] | None = None
        self._stopping: asyncio.Task[bool] | None = None
        self._beginning: asyncio.Task[None] | None = None
        self._tasks = [asyncio.create_task(self._answer()), asyncio.create_task(self._write())]

    async def take(self, message: str) -> None:
        """Handle one message of the page. Raises BadInput for an invalid one."""
        request = read_message(message) | {"folder": self._folder}
        if request["do"] in ("ask", "stop"):
            self._newest = request if request["do"] == "ask" else None
            self._wakes.set()
            self._end_aside()
        elif request["do"] == "begin":
            self._beginning = asyncio.create_task(self._begin(request))
        else:
            self._end_aside()
            job = request | {"do": request["what"] if request["do"] == "help" else "export"}
            self._aside = asyncio.create_task(
                self._run_job(self._pair.second, job, request["id"], LIMITS_S[request["do"]])
            )

    async def close(self, *, stops_searches: bool) -> None:
        """Stop answering. stops_searches: False if another page has taken over the workers."""
        for task in (*self._tasks, *filter(None, [self._aside])):
            task.cancel()
        if stops_searches:
            await self._pair.second.stop()
            await self._pair.stop_first()

    async def _begin(self, request: Message) -> None:
        """Start a command, which continues after the question. Its answers have the `id` of the message."""

        def tell(answer: Message) -> None:
            self._out.put_nowait(answer | {"id": request["id"], "aside": True})

        try:
            await self._commands.begin(request["what"], request["text"], request["values"], tell)
        except BadInput as problem:
            tell({"stage": "begun", "text": " ".join(str(problem).split())})

    def _end_aside(self) -> None:
        """Stop the job of the second worker, because it is about an old text, or less urgent."""
        if self._aside is not None:
            self._aside.cancel()
            self._aside = None
        self._stopping = asyncio.create_task(self._pair.second.stop(grace_s=PATIENCE_S))

    async def _answer(self) -> None:
        while True:
            await self._wakes.wait()
            await self._pair.stop_first()
            self._wakes.clear()  # a question that came meanwhile is the newest one now
            question, self._newest = self._newest, None
            if question is not None:
                await self._answer_one(question)

    async def _answer_one(self, question: Message) -> None:
        state: Message = {"text": None, "done": False}
        started = time.monotonic()

        def hear(message: Message) -> None:
            if message["stage"] == "read":
                state["text"] = message["text"]
            if message["stage"] in ("total", "count", "end"):
                state["done"] = True
            after = round(time.monotonic() - started, 4)
            self._out.put_nowait(message | {"id": question["id"], "after": after})

        worker = self._pair.first
        await worker.ask(question | {"do": "answer"}, hear)
        waiting = asyncio.ensure_future(worker.wait())
        newer = asyncio.ensure_future(self._wakes.wait())
        try:
            await asyncio.wait({waiting, newer}, timeout=GUESS_AFTER_S, return_when="FIRST_COMPLETED")
            if not newer.done() and not state["done"] and state["text"] is not None and self._aside is None:
                guess = question | {"do": "guess", "text": state["text"]}
                self._aside = asyncio.create_task(
                    self._run_job(self._pair.second, guess, question["id"], LIMITS_S["guess"], is_part=True)
                )
            await asyncio.wait({waiting, newer}, timeout=LIMITS_S["answer"], return_when="FIRST_COMPLETED")
            if not waiting.done() and not newer.done():
                await self._pair.stop_first("time")
        finally:
            waiting.cancel()
            newer.cancel()

    async def _run_job(
        self, worker: Worker, job: Mapping[str, Any], number: int, limit_s: float, *, is_part: bool = False
    ) -> None:
        """Run a job in the second worker. is_part: its end is not the end of an answer."""

        def hear(message: Message) -> None:
            if message["stage"] == "played":
                self._keep_played(message["html"])
                message = {"stage": "played", "ready": message["html"] is not None, "why": message.get("why")}
            if not (is_part and message["stage"] == "end"):
                self._out.put_nowait(message | {"id": number, "aside": True})

        await worker.ask(job, hear)
        try:
            await asyncio.wait_for(worker.wait(), limit_s)
        except TimeoutError:
            await worker.stop("time")

    async def _write(self) -> None:
        with suppress(RuntimeError):  # the page has gone
            while True:
                await self._send(await self._out.get())


def read_message(message: str) -> Message:
    """Parse and check a message of the page. Raises BadInput."""
    try:
        request = json.loads(message)
    except (ValueError, RecursionError):
        raise BadInput("a message is JSON") from None
    if not isinstance(request, dict) or request.get("do") not in DOINGS:
        raise BadInput(f"a message says what to do: {', '.join(DOINGS)}")
    number, text = request.get("id"), request.get("text", "")
    if type(number) is not int or not 0 <= number < 1 << 53:
        raise BadInput("a message has a number")
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        raise BadInput(
            f"a puzzle has at most {MAX_TEXT} characters here; use the command line for larger ones"
        )
    changes, values = request.get("changes", []), request.get("values", [])
    if (
        not isinstance(changes, list)
        or len(changes) > MAX_CHANGES
        or not all(type(c) is dict for c in changes)
    ):
        raise BadInput(f"up to {MAX_CHANGES} changes come at once")
    if not isinstance(values, list) or len(values) > MAX_VALUES or not all(type(v) is str for v in values):
        raise BadInput("the values of a family are texts")
    what = request.get("what")
    known = {"help": HELPS, "begin": COMMANDS}.get(request["do"])
    if known is not None and what not in known:
        raise BadInput(f"{request['do']} is one of {', '.join(known)}")
    found = {"do": request["do"], "id": number, "text": text, "changes": changes, "values": values}
    return found | {key: request[key] for key in ("what", "form") if key in request}
