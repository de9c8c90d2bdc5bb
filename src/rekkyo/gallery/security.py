"""What every answer of the gallery's server is wrapped in.

Another page that the reader has open can make his browser send requests here. It cannot read the answers (no
CORS header is ever sent), and a name that it points at this computer (DNS rebinding) is refused: the Host
must be an address, `localhost` or the name that the server listens on. There are only GET and HEAD.
"""

from __future__ import annotations

import ipaddress

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


class Guard:
    """Refuses foreign Host headers and other methods; adds HEADERS."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app = app
        self._host = host.lower()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
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
        name = host_name(Headers(scope=scope).get("host", ""))
        if name not in ("localhost", self._host) and not is_address(name):
            answer = JSONResponse({"error": "this Host is not the gallery's"}, 421)
        elif scope["method"] not in ("GET", "HEAD"):
            answer = JSONResponse({"error": "there is nothing to change here; use GET"}, 405)
        await answer(scope, receive, send_guarded)


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
    return host == "localhost" or (is_address(host) and ipaddress.ip_address(host).is_loopback)
