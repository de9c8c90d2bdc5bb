"""Start the gallery's server."""

from __future__ import annotations

import asyncio
import socket
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import closing

from rekkyo.errors import BadInput
from rekkyo.gallery.collection import Collection


def serve(
    collections: Sequence[Collection],
    host: str,
    port: int,
    say: Callable[[str], None],
    *,
    opens: bool = False,
) -> None:
    """Serve until interrupted. opens: show the page in a browser. Raises BadInput without the address."""
    try:
        import uvicorn

        from rekkyo.gallery.app import make_app
        from rekkyo.gallery.security import is_loopback
    except ImportError:
        raise BadInput("the gallery needs the extra package: pip install 'rekkyo[gallery]'") from None
    with closing(_listening(host, port)) as listening:
        shown_host = f"[{host}]" if ":" in host else host
        address = f"http://{shown_host}:{listening.getsockname()[1]}/"
        names = ", ".join(dict.fromkeys(collection.puzzle.name for collection in collections))
        lines = [f"{names}: {address} (end with Ctrl-C)"]
        if not is_loopback(host):
            lines.append(f"everybody who can reach {host} can see this gallery; without --host only you can")

        class Server(uvicorn.Server):
            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                """Say where it is only when it listens to signals, too."""
                await super().startup(sockets)
                for line in lines:
                    say(line)
                if opens and not await asyncio.to_thread(webbrowser.open, address):
                    say("no browser could be opened; open the address above")

        settings = uvicorn.Config(
            make_app(collections, host),
            log_level="warning",
            access_log=False,
            lifespan="off",
            server_header=False,
        )
        Server(settings).run(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens there. It names its protocol.

    asyncio sends small packets at once (TCP_NODELAY) only then; without it an answer took 44 ms, now 2.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(128)
    except (OSError, OverflowError) as problem:
        made.close()
        reason = getattr(problem, "strerror", None) or problem
        raise BadInput(f"cannot listen on {host}, port {port}: {reason}; choose another --port") from None
    return made
