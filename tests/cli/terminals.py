"""Programs in a terminal, as a person would see them."""

from __future__ import annotations

import os
import pty
from contextlib import suppress

from tests.programs import Program


def in_terminal(command: list[str], typed: str = "", without: str = "", **variables: str) -> str:
    """What a person would see: the program runs with a terminal for all its streams.

    without: a variable that its environment does not have. variables: what it has besides.
    """
    environment = os.environ | {"TERM": "xterm"} | variables
    environment.pop(without, None)
    screen = bytearray()
    terminal, streams = pty.openpty()
    os.write(terminal, typed.encode())
    with Program(command, stdin=streams, stdout=streams, stderr=streams, env=environment):
        os.close(streams)
        with suppress(OSError):  # on Linux the end is an error
            while piece := os.read(terminal, 4096):
                screen += piece
    os.close(terminal)
    return screen.decode(errors="replace").replace("\r\n", "\n")
