"""The middleware of both servers, which checks every request and adds headers to every answer.

Another page that the reader has open can make the browser send requests here. It cannot read the answers (no
CORS header is ever sent), and a name that it points at this computer (DNS rebinding) is refused: the Host
must be an address, `localhost` or the name that the server listens on. There are only GET and HEAD.

A WebSocket may change something and is not held back by CORS. It is opened only where the server names its
own hosts: the Host must be one of them, port included, and the Origin must be the page of the same host.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
FOREIGN = 1008
"""The code of a WebSocket that is closed because it breaks the rules."""


class Guard:
    """Refuses foreign Host headers, foreign WebSockets and other methods; adds HEADERS.

    host: answered as every address is. own_hosts: if not empty, the only Hosts that are answered, such as
    `127.0.0.1:8643`.
    """

    def __init__(self, app: ASGIApp, host: str = "localhost", own_hosts: Sequence[str] = ()) -> None:
        self._app = app
        self._host = host.lower()
        self._own_hosts = frozenset(own_hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "websocket":
            headers = Headers(scope=scope)
            host = headers.get("host", "")
            if host in self._own_hosts and headers.get("origin") == f"http://{host}":
                await self._app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": FOREIGN})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    if name not in headers:
                        headers[name] = value
            await send(message)

        answer = self._app
        if not self._is_own(Headers(scope=scope).get("host", "")):
            answer = JSONResponse({"error": "this Host is not that of the server"}, 421)
        elif scope["method"] not in ("GET", "HEAD"):
            answer = JSONResponse({"error": "there is nothing to change here; use GET"}, 405)
        await answer(scope, receive, send_guarded)

    def _is_own(self, host_header: str) -> bool:
        if self._own_hosts:
            return host_header.lower() in self._own_hosts
        name = host_name(host_header)
        return name in ("localhost", self._host) or is_address(name)


def host_name(host_header: str) -> str:
    """The name without the port."""
    if host_header.startswith("["):
        return host_header[1:].partition("]")[0].lower()
    return host_header.partition(":")[0].lower()


def is_address(name: str) -> bool:
    """Whether a name is an IP address in numbers."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether only this computer can reach a server that listens there."""
    return host.lower() == "localhost" or (is_address(host) and ipaddress.ip_address(host).is_loopback)
