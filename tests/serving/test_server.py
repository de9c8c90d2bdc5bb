"""Where a server listens, and what it says and restores."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette

import rekkyo as rk
from rekkyo.serving.server import HTTP_PORT, address_of, listening, serve_app


class At:
    """A socket that listens at a port."""

    def __init__(self, port: int) -> None:
        self.port = port

    def getsockname(self) -> tuple[str, int]:
        return "", self.port


@pytest.mark.parametrize(
    ("host", "port", "address"),
    [
        ("127.0.0.1", 8643, "127.0.0.1:8643"),
        ("::1", 8643, "[::1]:8643"),
        ("127.0.0.1", HTTP_PORT, "127.0.0.1"),
        ("::1", HTTP_PORT, "[::1]"),
    ],
)
def test_an_address_as_a_browser_sends_it(host: str, port: int, address: str) -> None:
    """RFC 9110 7.2: the port is left out of Host if it is the one of the scheme."""
    assert address_of(host, At(port)) == address  # type: ignore[arg-type]


def test_a_port_can_be_reached() -> None:
    with closing(listening("127.0.0.1", 0)) as made:
        assert made.proto == socket.IPPROTO_TCP  # else asyncio does not set TCP_NODELAY
        assert made.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)
        socket.create_connection(made.getsockname()).close()


@pytest.mark.skipif(sys.platform == "win32", reason="two sockets may listen at one port there")
def test_a_port_that_is_taken() -> None:
    with closing(listening("127.0.0.1", 0)) as made:
        port, reason = made.getsockname()[1], os.strerror(errno.EADDRINUSE)
        with pytest.raises(rk.BadInput) as refused:
            listening("127.0.0.1", port)
        message = f"cannot listen on 127.0.0.1, port {port}: {reason}; choose another --port"
        assert str(refused.value) == message


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_that_is_none(port: int) -> None:
    with pytest.raises(rk.BadInput, match=f"cannot listen on localhost, port {port}: "):
        listening("localhost", port)


def test_an_address_with_colons_is_one_of_ipv6() -> None:
    with socket.socket(socket.AF_INET6) as probe:
        if not socket.has_ipv6 or probe.connect_ex(("::1", 9)) == errno.EADDRNOTAVAIL:
            pytest.skip("this computer has no address ::1")
    with closing(listening("::1", 0)) as made:
        assert made.family == socket.AF_INET6


def test_an_empty_host_would_be_every_address() -> None:
    with pytest.raises(rk.BadInput, match="the name of the host is empty"):
        listening("", 0)


def served(
    monkeypatch: pytest.MonkeyPatch, opens: str | None, meanwhile: Callable[[int], object]
) -> list[str]:
    """What is said by a server that stops when `meanwhile`, which is told the port, is over."""
    said: list[str] = []
    with closing(listening("127.0.0.1", 0)) as listens:

        async def main_loop(server: uvicorn.Server) -> None:
            await server.on_tick(0)
            await asyncio.to_thread(meanwhile, listens.getsockname()[1])

        monkeypatch.setattr(uvicorn.Server, "main_loop", main_loop)
        serve_app(Starlette(), listens, said.append, ["here", "and there"], opens=opens)
    return said


@pytest.mark.parametrize("is_shown", [True, False])
@pytest.mark.parametrize("opens", [None, "http://127.0.0.1/"])
def test_a_browser_is_opened_if_asked_for(
    monkeypatch: pytest.MonkeyPatch, opens: str | None, is_shown: bool
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or is_shown)
    said = served(monkeypatch, opens, id)
    is_missed = opens is not None and not is_shown
    assert said == ["here", "and there"] + is_missed * ["no browser could be opened; open the address above"]
    assert opened == ([] if opens is None else [opens])


def test_answers_do_not_say_which_server_gives_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers: list[bytes] = []

    def asks(port: int) -> None:
        with socket.create_connection(("127.0.0.1", port)) as made:
            made.sendall(b"GET / HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
            answers.append(b"".join(iter(lambda: made.recv(4096), b"")))

    served(monkeypatch, None, asks)
    head = answers[0].lower()
    assert b" 404 " in head
    assert b"server:" not in head
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no SIGHUP")
@pytest.mark.parametrize("before", [signal.SIG_IGN, signal.default_int_handler])
def test_a_closed_terminal_ends_it_unless_that_is_ignored(
    monkeypatch: pytest.MonkeyPatch, before: Any
) -> None:
    meanwhile: list[Any] = []
    old = signal.signal(signal.SIGHUP, before)
    try:
        served(monkeypatch, None, lambda _: meanwhile.append(signal.getsignal(signal.SIGHUP)))
        assert signal.getsignal(signal.SIGHUP) is before
    finally:
        signal.signal(signal.SIGHUP, old)
    assert (meanwhile[0] == before) == (before == signal.SIG_IGN)
