"""Listen on an address and serve an application until interrupted."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn

from rekkyo.errors import BadInput

if TYPE_CHECKING:
    from starlette.types import ASGIApp


HTTP_PORT = 80


def serve_app(
    app: ASGIApp,
    listens: socket.socket,
    say: Callable[[str], None],
    lines: Sequence[str],
    *,
    opens: str | None,
    **settings: Any,
) -> None:
    """Serve until interrupted. lines: said when it listens. opens: an address to show in a browser.

    settings: further ones of uvicorn.Config.
    """

    class Server(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            """A closed terminal ends the server as Ctrl-C does; uvicorn does not hear it."""
            with super().capture_signals():
                is_main = threading.current_thread() is threading.main_thread()
                number = getattr(signal, "SIGHUP", None) if is_main else None
                before = None if number is None else signal.getsignal(number)
                if number is None or not callable(before):  # ignored, as under `nohup`
                    yield
                    return
                signal.signal(number, self.handle_exit)
                try:
                    yield
                finally:
                    signal.signal(number, before)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            """After a second Ctrl-C, too, the application ends what it began; uvicorn would cancel that."""
            await super().shutdown(sockets)
            if self.force_exit:
                await self.lifespan.shutdown()

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            """Say where it is only when it listens to signals, too."""
            await super().startup(sockets)
            for line in lines:
                say(line)
            if opens is not None and not await asyncio.to_thread(webbrowser.open, opens):
                say("no browser could be opened; open the address above")

    common: dict[str, Any] = {"log_level": "warning", "access_log": False, "lifespan": "off"}
    config = uvicorn.Config(app, **(common | {"server_header": False} | settings))
    Server(config).run(sockets=[listens])


def address_of(host: str, listens: socket.socket) -> str:
    """Host and port as a browser writes them, which leaves out 80."""
    name, port = f"[{host}]" if ":" in host else host, listens.getsockname()[1]
    return name if port == HTTP_PORT else f"{name}:{port}"


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens at a port, or at any free one for 0. Raises BadInput.

    It names its protocol: else asyncio does not set TCP_NODELAY, and an answer took 44 ms instead of 2.
    """
    if host == "":  # the system would listen on every address
        raise BadInput("the name of the host is empty; leave it out, or name an address of this computer")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(128)
    except (OSError, OverflowError, TypeError) as problem:  # the last one for a host that is not text
        made.close()
        reason = getattr(problem, "strerror", None) or problem
        raise BadInput(f"cannot listen on {host}, port {port}: {reason}; choose another --port") from None
    return made
