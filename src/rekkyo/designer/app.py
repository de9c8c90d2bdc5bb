"""The server of the design page: a page with its files, and one WebSocket.

All addresses begin with a random token. Only pages of this server may open the WebSocket
(`serving/security.py`), so no page of another origin can ask for a search. Only one page is connected at a
time: a new one replaces the one before and gets its workers.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from rekkyo.designer.commands import Commands
from rekkyo.designer.session import Session
from rekkyo.designer.workers import Message, Pair
from rekkyo.errors import BadInput
from rekkyo.export.puzzle_toml.templates import SCHEMA, template
from rekkyo.serving.assets import files_of_page
from rekkyo.serving.responses import asset_response, played_response
from rekkyo.serving.security import Guard
from rekkyo.serving.server import address_of, listening, serve_app

MAX_MESSAGE = 1 << 20
TAKEN_OVER, BAD_MESSAGE = 4001, 4002


def serve(
    text: str, folder: Path | None, host: str, port: int, say: Callable[[str], None], *, opens: bool
) -> None:
    """Serve until interrupted. text: of the puzzle to begin with. Raises BadInput if the port is not free."""
    with closing(listening(host, port)) as listens:
        own_host = address_of(host, listens)
        token = secrets.token_urlsafe(18)
        app = make_app(text, folder, token, [own_host, own_host.replace(host, "localhost", 1)])
        address = f"http://{own_host}/{token}/"
        lines = [f"design: {address} (end with Ctrl-C)"]
        serve_app(
            app,
            listens,
            say,
            lines,
            opens=address if opens else None,
            lifespan="on",
            ws_max_size=MAX_MESSAGE,
            timeout_graceful_shutdown=2,
        )


def make_app(text: str, folder: Path | None, token: str, own_hosts: Sequence[str]) -> Starlette:
    """The application. own_hosts: as browsers write them, with a port other than 80."""
    server = _Server(text, folder)
    routes = [
        Route("/", server.page),
        Route("/start", server.start),
        Route("/search", server.search),
        Route("/assets/{name}", server.asset),
        WebSocketRoute("/live", server.live),
    ]
    return Starlette(
        routes=[Mount(f"/{token}", routes=routes)],
        middleware=[Middleware(Guard, own_hosts=own_hosts)],
        lifespan=server.life,
    )


async def _closed(socket: WebSocket) -> None:
    with suppress(RuntimeError, WebSocketDisconnect):
        await socket.close(TAKEN_OVER)


class _Server:
    def __init__(self, text: str, folder: Path | None) -> None:
        self._text = text
        self._folder = None if folder is None else str(folder)
        self._assets = files_of_page("rekkyo.designer") | {"schema.json": template(SCHEMA).encode()}
        self._pair: Pair | None = None
        self._commands = Commands(self._folder)
        self._present: WebSocket | None = None
        self._played: str | None = None
        self._closing: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def life(self, _app: Starlette) -> AsyncIterator[None]:
        self._pair = Pair()
        await self._pair.start()
        yield
        await asyncio.gather(self._pair.close(), self._commands.close())

    async def page(self, _request: Request) -> Response:
        return Response(self._assets["index.html"], media_type="text/html")

    async def start(self, _request: Request) -> Response:
        """The text of the puzzle that the command named."""
        return JSONResponse({"text": self._text})

    async def asset(self, request: Request) -> Response:
        return asset_response(self._assets, request.path_params["name"])

    async def search(self, _request: Request) -> Response:
        """The page that plays the search of the puzzle whose difficulty was asked for last."""
        if self._played is None:
            return JSONResponse({"error": "ask for the difficulty of a puzzle first"}, 404)
        return played_response(self._played)

    def _keep_played(self, page: str | None) -> None:
        self._played = page

    async def live(self, socket: WebSocket) -> None:
        """Exchange messages with the page until it is closed or another one connects."""
        assert self._pair is not None
        before, self._present = self._present, socket
        await socket.accept()
        if before is not None:  # in a task, because a page that is gone does not answer for long
            self._closing = asyncio.create_task(_closed(before))

        async def send(message: Message) -> None:
            """Send ASCII: `send_json` fails for half of a character, which a text may contain."""
            await socket.send_text(json.dumps(message))

        session = Session(send, self._pair, self._commands, self._folder, self._keep_played)
        try:
            while True:
                await session.take(await socket.receive_text())
        except BadInput as problem:
            with suppress(RuntimeError):
                await socket.close(BAD_MESSAGE, str(problem)[:100])
        except (WebSocketDisconnect, KeyError, RuntimeError):
            pass
        finally:
            await session.close(stops_searches=self._present is socket)
            if self._present is socket:
                self._present = None
