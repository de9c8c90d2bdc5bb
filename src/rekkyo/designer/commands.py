"""Galleries and runs of the drawn puzzle, which the page starts as commands.

The puzzle is saved as a new file, in the folder of the file that the design began with or in the current
folder. The name is made from its title, and no file is ever overwritten. Commands end with the server. A run
is stopped as by Ctrl-C, so that `rekkyo resume` can continue it.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from pathlib import Path

from rekkyo.designer.workers import APART, OnMessage
from rekkyo.errors import BadInput, in_shell
from rekkyo.export.puzzle_toml.document import read_document
from rekkyo.plain import PYTHON
from rekkyo.safe_files import open_file

COMMANDS = ("gallery", "run")
MAX_NAME = 40
MAX_COPIES = 1000
PATIENCE_S = 10.0
"""The seconds that a run gets to store its results before it is killed."""

_ADDRESS = re.compile(r"http://\S+/")


class Commands:
    """The commands of one server. folder: where puzzles are saved; runs are in `runs` inside it."""

    def __init__(self, folder: str | None) -> None:
        self._folder = Path(folder or ".")
        self._gallery: Process | None = None
        self._processes: list[Process] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin(self, what: str, text: str, values: Sequence[str], tell: OnMessage) -> None:
        """Start a command; the page is sent `begun`, and `over` when the command has ended by itself."""
        file = self._saved(text)
        if what == "gallery":
            await self._begin_gallery(file, values, tell)
        else:
            await self._begin_run(file, values, tell)

    async def close(self) -> None:
        """End all commands."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*map(_ended, self._processes))

    async def _begin_gallery(self, file: Path, values: Sequence[str], tell: OnMessage) -> None:
        if self._gallery is not None:
            await _ended(self._gallery)
        self._gallery = await self._started("gallery", "--port", "0", "--", file.name, *values)
        assert self._gallery.stderr is not None
        last = ""
        while line := (await self._gallery.stderr.readline()).decode(errors="replace"):
            last = line.strip() or last
            if found := _ADDRESS.search(line):
                tell({"stage": "begun", "text": f"Saved as {file.name}.", "address": found[0]})
                self._keep(self._drain(self._gallery))
                return
        raise BadInput(last or "the gallery did not start")

    async def _begin_run(self, file: Path, values: Sequence[str], tell: OnMessage) -> None:
        directory = self._free(f"runs/{'-'.join([file.stem, *map(_slug, values)])}", "")
        process = await self._started("run", "--out", str(directory), "--", file.name, *values)
        where = directory.as_posix()
        look = f"look at the run with: rekkyo status {in_shell(where)}"
        tell({"stage": "begun", "text": f"Saved as {file.name}; {look}"})

        async def tell_the_end() -> None:
            _, problems = await process.communicate()
            problem = problems.decode(errors="replace").strip().rpartition("\n")[2]
            text = f"The run in {where} is finished." if process.returncode == 0 else problem
            tell({"stage": "over", "text": text})

        self._keep(tell_the_end())

    async def _started(self, *words: str) -> Process:
        command = (*PYTHON, "-m", "rekkyo", *words)
        process = await asyncio.create_subprocess_exec(
            *command, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE, cwd=self._folder, **APART
        )
        self._processes.append(process)
        return process

    def _keep(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _drain(self, process: Process) -> None:
        assert process.stderr is not None
        while await process.stderr.read(1 << 12):
            pass

    def _saved(self, text: str) -> Path:
        """The file with the text: a new one, or an existing one with the same content. Raises BadInput."""
        title: object = None
        with suppress(BadInput, RecursionError):
            title = read_document(text, "puzzle.toml").data.get("title")
        try:
            raw = text.encode()
        except UnicodeEncodeError:
            raise BadInput("the puzzle cannot be saved: it contains half of a character") from None
        stem = _slug(title) if isinstance(title, str) else ""
        try:
            file = self._free(stem or "puzzle", ".toml", raw)
            if not (self._folder / file).exists():
                with open_file(self._folder / file, "xb") as opened:
                    opened.write(raw)
        except OSError as problem:
            raise BadInput(f"the puzzle cannot be saved in {self._folder}: {problem.strerror}") from None
        return file

    def _free(self, stem: str, suffix: str, content: bytes | None = None) -> Path:
        """An unused name in the folder, or the name of a file with this content."""
        for number in range(1, MAX_COPIES + 1):
            name = Path(f"{stem}{f'-{number}' if number > 1 else ''}{suffix}")
            path = self._folder / name
            if not os.path.lexists(path):
                return name
            if content is not None and path.is_file() and path.stat().st_size == len(content):
                with open_file(path) as opened:
                    if opened.read() == content:
                        return name
        raise BadInput(f"{MAX_COPIES} names such as {stem}{suffix} are taken in {self._folder}")


def _slug(words: str) -> str:
    """Words as a part of a file's name."""
    return re.sub("[^a-z0-9]+", "-", words.lower()).strip("-")[:MAX_NAME].strip("-")


async def _ended(process: Process) -> None:
    """End a command as Ctrl-C does; kill it if that takes too long."""
    with suppress(ProcessLookupError):
        if process.returncode is None:
            process.send_signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGINT)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), PATIENCE_S)
        if process.returncode is None:
            process.kill()
            await process.wait()
