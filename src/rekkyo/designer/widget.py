"""The design page as a widget (anywidget): its messages go through the notebook instead of a WebSocket.

The session runs in a thread with an event loop of its own, because the loop of a notebook waits while a cell
runs, and cannot start processes on every system. Answers are passed to the loop of the notebook, because only
that one may use its channels. The worker processes end with the kernel, or when the widget is closed.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from rekkyo.designer.answers import puzzle_of
from rekkyo.designer.commands import Commands
from rekkyo.designer.first_text import text_of_file, text_of_puzzle
from rekkyo.designer.session import Session
from rekkyo.designer.workers import Message, Pair
from rekkyo.errors import BadInput
from rekkyo.export.puzzle_toml.templates import SCHEMA, template
from rekkyo.model.puzzle import Puzzle
from rekkyo.serving.assets import files_of_page

_FILES = files_of_page("rekkyo.designer")


def widget_of(puzzle: Puzzle | str | Path) -> DesignWidget:
    """See `design`."""
    if isinstance(puzzle, Puzzle):
        return DesignWidget(text_of_puzzle(puzzle), None)
    if isinstance(puzzle, Path) or (puzzle.lower().endswith(".toml") and "\n" not in puzzle):
        file = Path(puzzle)
        return DesignWidget(text_of_file(file), str(file.resolve().parent))
    return DesignWidget(puzzle, None)


class DesignWidget(anywidget.AnyWidget):
    """The design page in a notebook.

    text: the current puzzle file; if it has errors, the last one without errors.
    """

    _esm = _FILES["design.js"].decode()
    start = traitlets.Unicode().tag(sync=True)
    rules = traitlets.Unicode((_FILES["drawing.css"] + _FILES["design.css"]).decode()).tag(sync=True)
    schema = traitlets.Unicode(template(SCHEMA)).tag(sync=True)

    def __init__(self, text: str, folder: str | None) -> None:
        super().__init__(start=text)
        self.text = text
        self._folder = folder
        self._values: list[str] = []
        self._conversation = _Conversation(self._answer, folder)
        self.on_msg(self._take)

    @property
    def puzzle(self) -> Puzzle:
        """The current puzzle, with its symmetry. Raises BadInput if the text is not a puzzle."""
        return puzzle_of(self.text, {"folder": self._folder, "values": self._values})

    def close(self) -> None:
        """Remove the widget, and end its searches."""
        self._conversation.close()
        super().close()

    def _take(self, _widget: object, message: Any, _buffers: object) -> None:
        self._conversation.take(json.dumps(message))
        if isinstance(message, dict) and message.get("do") == "ask":
            self._values = [str(value) for value in message.get("values", ())]

    def _answer(self, message: Message) -> None:
        if message["stage"] == "read" and message["problem"] is None:
            self.text = message["text"]
        self.send(message)


class _Conversation:
    """A session with the page, in a thread of its own. answer: called in the thread that made this."""

    def __init__(self, answer: Callable[[Message], object], folder: str | None) -> None:
        self._folder = folder
        self._played: str | None = None
        self._messages: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._answer = answer
        with suppress(RuntimeError):  # without a loop, answers come in the thread of the session
            home = asyncio.get_running_loop()
            self._answer = lambda message: home.call_soon_threadsafe(answer, message)

    def take(self, message: str) -> None:
        """Handle one message of the page; the first one starts the worker processes."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(
                target=self._run, args=[self._loop], name="rekkyo-design", daemon=True
            )
            self._thread.start()
        self._loop.call_soon_threadsafe(self._messages.put_nowait, message)

    def close(self) -> None:
        """End the processes and the thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._messages.put_nowait, None)
            self._thread.join()
            self._loop = None

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(self._converse())
        loop.close()

    async def _converse(self) -> None:
        pair = Pair()
        await pair.start()
        commands = Commands(self._folder)
        session = Session(self._send, pair, commands, self._folder, self._keep_played)
        while (message := await self._messages.get()) is not None:
            with suppress(BadInput):
                await session.take(message)
        await session.close(stops_searches=False)
        await asyncio.gather(pair.close(), commands.close())

    async def _send(self, message: Message) -> None:
        page = {"html": self._played} if message["stage"] == "played" else {}
        self._answer(message | page)

    def _keep_played(self, page: str | None) -> None:
        self._played = page
