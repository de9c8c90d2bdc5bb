"""Which requests both servers refuse, and what every answer says to the browser."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from rekkyo.serving.security import Guard

OWN = ("127.0.0.1:8643", "localhost:8643")


async def live(socket: WebSocket) -> None:
    await socket.accept()
    await socket.close(4000)


APP = Starlette(
    routes=[Route("/", lambda _: PlainTextResponse("an answer")), WebSocketRoute("/live", live)],
)


def by_name() -> TestClient:
    return TestClient(Guard(APP, host="MyBox"))


def by_own_hosts() -> TestClient:
    return TestClient(Guard(APP, own_hosts=OWN), "http://127.0.0.1:8643")


@pytest.mark.parametrize("host", ["mybox", "MYBOX:80", "localhost", "LocalHost:1", "127.0.0.1:8642", "[::1]"])
def test_hosts_that_are_answered(host: str) -> None:
    assert by_name().get("/", headers={"host": host}).text == "an answer"


@pytest.mark.parametrize("host", ["", "box", "mybox.example", "localhost.example:1", "127.0.0.1.example"])
def test_hosts_that_are_not(host: str) -> None:
    assert by_name().get("/", headers={"host": host}).status_code == 421


def test_own_hosts_are_the_same_in_capitals() -> None:
    assert by_own_hosts().get("/", headers={"host": "LocalHost:8643"}).text == "an answer"


def test_only_heads_and_whole_answers_are_given() -> None:
    assert by_name().head("/", headers={"host": "mybox"}).status_code == 200
    assert by_name().post("/", headers={"host": "mybox"}).status_code == 405


def test_every_answer_tells_the_browser_to_keep_others_out() -> None:
    """No page may show it in a frame or load it, no source is allowed but this server, and none is stored."""
    for host in ("mybox", "evil.example"):
        headers = by_name().get("/", headers={"host": host}).headers
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert {policy[what] for what in ("default-src", "base-uri", "form-action", "frame-ancestors")} == {
            "'none'"
        }
        assert set(policy.values()) == {"'none'", "'self'"}
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"


def test_a_foreign_socket_is_closed_for_breaking_the_rules() -> None:
    """RFC 6455 7.4.1 has 1008 for this."""
    for origin, code in (("http://127.0.0.1:8643", 4000), ("http://127.0.0.1:8642", 1008)):
        client = by_own_hosts()
        with (
            pytest.raises(WebSocketDisconnect) as closed,
            client.websocket_connect("ws://127.0.0.1:8643/live", headers={"origin": origin}) as socket,
        ):
            socket.receive_json()
        assert closed.value.code == code
