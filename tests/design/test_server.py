"""Who may ask: the page of this server, with its token; nobody else, and nothing that is too large."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from rekkyo.designer.app import make_app
from rekkyo.designer.session import MAX_TEXT, read_message
from rekkyo.errors import BadInput
from tests.design.test_help import text_of

HOST = "127.0.0.1:8643"
OWN = {"host": HOST, "origin": f"http://{HOST}"}
LIVE = "/token/live"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    app = make_app("kind = 1", None, "token", [HOST, "localhost:8643"])
    with TestClient(app, f"http://{HOST}") as made:
        yield made


def asked(socket: WebSocketTestSession, **message: Any) -> list[dict[str, Any]]:
    """All that is said to a message, until its end."""
    socket.send_text(json.dumps(message))
    told: list[dict[str, Any]] = []
    while not told or told[-1]["stage"] != "end":
        one = socket.receive_json()
        if one["id"] == message["id"] and one["stage"] != "compiling":  # which depends on the cache
            told.append(one)
    return told


def test_the_page_and_its_files(client: TestClient) -> None:
    page = client.get("/token/")
    assert page.headers["content-type"].startswith("text/html")
    assert "<style" not in page.text
    assert "<script>" not in page.text
    for name in ("design.js", "design.css", "drawing.css", "icon.svg"):
        assert f"assets/{name}" in page.text
        assert client.get(f"/token/assets/{name}").status_code == 200
    assert client.get("/token/start").json() == {"text": "kind = 1"}
    assert client.get("/token/search").status_code == 404


@pytest.mark.parametrize(
    "path", ["/", "/token/", "/token/assets/design.js", "/nothing", "/token/assets/../app.py"]
)
def test_every_answer_has_the_policy(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "path", ["/", "/start", "/assets/design.js", "/tokem/", "/token2/start", "//token/start"]
)
def test_nothing_without_the_token(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:80", "evil.example", "evil.example:8643", "192.168.0.1:8643", ""]
)
def test_other_hosts_are_refused(client: TestClient, host: str) -> None:
    assert client.get("/token/", headers={"host": host}).status_code == 421
    assert client.get("/token/", headers={"host": "localhost:8643"}).status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_there_is_only_get(client: TestClient, method: str) -> None:
    assert client.request(method, "/token/start").status_code == 405


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        (LIVE, {"host": HOST}),
        (LIVE, {"host": HOST, "origin": "null"}),
        (LIVE, {"host": HOST, "origin": "http://evil.example"}),
        (LIVE, {"host": HOST, "origin": f"https://{HOST}"}),
        (LIVE, {"host": HOST, "origin": "http://localhost:8643"}),
        (LIVE, {"host": HOST, "origin": f"http://{HOST}.evil.example"}),
        (LIVE, {"host": "evil.example:8643", "origin": "http://evil.example:8643"}),
        ("/other/live", OWN),
        ("/live", OWN),
    ],
)
def test_no_other_page_opens_the_socket(client: TestClient, path: str, headers: dict[str, str]) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(path, headers=headers):
        pass


def test_questions_are_answered(client: TestClient) -> None:
    with client.websocket_connect(LIVE, headers=OWN) as socket:
        told = asked(socket, do="ask", id=1, text=text_of("soma"))
        stages = [one["stage"] for one in told if one["stage"] not in ("total", "progress", "estimate")]
        assert stages == ["read", "checks", "few", "count", "heat", "end"]
        assert {one["total"] for one in told if one["stage"] in ("total", "count")} == {"11520"}
        changes = [{"do": "paint", "of": "board", "spots": [[0, 0, 0]], "mark": None}]
        (read, end) = asked(socket, do="ask", id=2, text=text_of("soma"), changes=changes)
        assert "more than the 26 of the board" in read["problem"]["message"]
        assert "why" not in end
        told = asked(socket, do="export", id=3, text=text_of("soma"), form="xcc")
        assert told[0]["name"] == "puzzle.xcc"
        told = asked(socket, do="help", id=4, text=text_of("kenken"), what="difficulty")
        assert told[-2] == {"stage": "played", "ready": False, "why": told[-2]["why"], "id": 4, "aside": True}


def test_the_search_has_an_address_of_its_own(client: TestClient) -> None:
    with client.websocket_connect(LIVE, headers=OWN) as socket:
        told = asked(socket, do="help", id=1, text='kind = "queens"\nn = 4\n', what="difficulty")
        assert told[-2]["ready"]
        page = client.get("/token/search")
        assert "sandbox allow-scripts" in page.headers["content-security-policy"]
        assert page.text.startswith("<!doctype html>")


def test_the_newest_question_ends_the_one_before(client: TestClient) -> None:
    long = text_of("conway-5x5x5")
    with client.websocket_connect(LIVE, headers=OWN) as socket:
        for number in range(1, 30):
            socket.send_text(json.dumps({"do": "ask", "id": number, "text": long}))
        told = asked(socket, do="ask", id=100, text=text_of("kenken"))
        assert told[0]["stage"] == "read"
        assert next(one for one in told if one["stage"] == "count")["total"] == "1"
        socket.send_text(json.dumps({"do": "ask", "id": 101, "text": long}))
        while socket.receive_json()["stage"] != "few":
            pass
        socket.send_text(json.dumps({"do": "stop", "id": 101}))
        while (one := socket.receive_json())["stage"] != "end":
            pass
        assert one["why"] in ("stopped", "killed")
        assert one["id"] == 101


HOSTILE = [
    "a = " + "[" * 50_000,
    "a." * 20_000 + "b = 1",
    'kind = "packing"\nboard = "rectangle 60000 60000"\npolyforms = 7\n',
    'kind = "packing"\nboard = "box 60 60 60"\nlattice = "cube"\npolyforms = 5\n',
    'kind = "grid"\nvalues = "1..1024"\nboard = "rectangle 60 60"\n[[different]]\nof = "all distances"\nregions = "board"\n',
    'kind = "queens"\nn = 100000\n',
    'kind = "graph"\nnamed = "complete 4096"\n',
    'kind = "packing"\nboard = "##"\n[family]\n' + "\n".join(f'{c} = "1..1000000"' for c in "abcd"),
    "kind = 'grid'\nvalues = '1..9'\nboard = '.'\n" + "[[cage]]\n" * 20_000,
    '"' + "\\U0010FFFF" * 20_000 + '" = 1',
    "﻿kind = 1",
    "\ud800",
]


def received(socket: WebSocketTestSession) -> dict[str, Any]:
    """A message as a browser gets it: in UTF-8."""
    found: dict[str, Any] = json.loads(socket.receive_text().encode())
    return found


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_are_answered_in_one_line(client: TestClient, text: str) -> None:
    with client.websocket_connect(LIVE, headers=OWN) as socket:
        socket.send_text(json.dumps({"do": "ask", "id": 1, "text": text}))
        read = received(socket)
        while read["stage"] != "read":
            read = received(socket)
        told = read["problem"]
        if told is not None:
            assert "\n" not in told["message"]
            assert len(told["message"]) < 400
        socket.send_text(json.dumps({"do": "stop", "id": 1}))
        assert asked(socket, do="ask", id=2, text=text_of("kenken"))[0]["problem"] is None


def test_half_of_a_character_is_in_no_file(client: TestClient) -> None:
    with client.websocket_connect(LIVE, headers=OWN) as socket:
        socket.send_text(json.dumps({"do": "begin", "id": 1, "what": "run", "text": "\ud800"}))
        told = received(socket)
        assert told["text"] == "the puzzle cannot be saved: it contains half of a character"


@pytest.mark.parametrize(
    "message",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        '{"do": "ask"}',
        '{"do": "run", "id": 1}',
        '{"do": "ask", "id": -1}',
        '{"do": "ask", "id": true}',
        '{"do": "ask", "id": 1, "text": 5}',
        '{"do": "ask", "id": 1, "changes": 5}',
        '{"do": "ask", "id": 1, "changes": [5]}',
        '{"do": "ask", "id": 1, "values": [5]}',
        '{"do": "help", "id": 1, "what": "answer"}',
        '{"do": "help", "id": 1}',
        json.dumps({"do": "ask", "id": 1, "text": "#" * (MAX_TEXT + 1)}),
    ],
    ids=lambda message: message[:40],
)
def test_messages_that_are_none(client: TestClient, message: str) -> None:
    with pytest.raises(BadInput):
        read_message(message)
    with client.websocket_connect(LIVE, headers=OWN) as socket:
        socket.send_text(message)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 4002


def test_a_message_carries_nothing_that_is_not_known() -> None:
    told = read_message('{"do": "ask", "id": 1, "folder": "/etc", "number": 7, "form": "svg"}')
    assert told == {"do": "ask", "id": 1, "text": "", "changes": [], "values": [], "form": "svg"}


def test_a_new_page_takes_over(client: TestClient) -> None:
    with (
        client.websocket_connect(LIVE, headers=OWN) as first,
        client.websocket_connect(LIVE, headers=OWN) as second,
    ):
        assert asked(second, do="ask", id=1, text=text_of("kenken"))[-1]["stage"] == "end"
        with pytest.raises(WebSocketDisconnect) as closed:
            first.receive_json()
        assert closed.value.code == 4001
        assert asked(second, do="ask", id=2, text=text_of("kenken"))[-1]["stage"] == "end"
