"""Handlers of signals wait until a block has ended, and are what they were before."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

from rekkyo.held_signals import held_signals

ONE, OTHER = signal.SIGINT, signal.SIGTERM


class Stop(BaseException):
    """What a handler raises."""


@pytest.fixture(autouse=True)
def seen() -> Iterator[list[int]]:
    """The signals that were handled. The handler of `ONE` raises."""
    numbers: list[int] = []

    def raising(number: int, _: object) -> None:
        numbers.append(number)
        raise Stop

    before = signal.signal(ONE, raising), signal.signal(OTHER, lambda number, _: numbers.append(number))
    yield numbers
    for number, handler in zip((ONE, OTHER), before, strict=True):
        signal.signal(number, handler)


def test_handlers_are_called_after_the_block_in_order(seen: list[int]) -> None:
    with held_signals():
        signal.raise_signal(OTHER)
        signal.raise_signal(OTHER)
        assert seen == []
    assert seen == [OTHER, OTHER]


def test_an_exception_of_a_handler_comes_out_of_the_block(seen: list[int]) -> None:
    ended = False
    with pytest.raises(Stop), held_signals():
        signal.raise_signal(ONE)
        ended = True
    assert ended
    assert seen == [ONE]


def test_an_error_of_the_block_comes_out_of_it(seen: list[int]) -> None:
    with pytest.raises(ValueError, match="mine"), held_signals():
        signal.raise_signal(OTHER)
        raise ValueError("mine")
    assert seen == [OTHER]


def test_blocks_may_be_nested(seen: list[int]) -> None:
    with held_signals():
        with held_signals():
            signal.raise_signal(OTHER)
        assert seen == []
    assert seen == [OTHER]


@pytest.mark.parametrize("sent", [(), (OTHER,), (ONE, OTHER)])
def test_afterwards_the_handlers_are_what_they_were(sent: tuple[int, ...]) -> None:
    before = [signal.getsignal(number) for number in sorted(signal.valid_signals())]
    try:
        with held_signals():
            for number in sent:
                signal.raise_signal(number)
    except Stop:
        assert ONE in sent
    assert [signal.getsignal(number) for number in sorted(signal.valid_signals())] == before


def test_a_handler_that_raises_while_handlers_are_restored_leaves_none_held(
    seen: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The signal comes after its own handler was restored, and before that of the other one is."""
    set_handler = signal.signal

    def restored(number: int, handler: signal.Handlers) -> object:
        before = set_handler(number, handler)
        if number == ONE:
            signal.raise_signal(ONE)
        return before

    with pytest.raises(Stop), held_signals():
        monkeypatch.setattr(signal, "signal", restored)
    signal.raise_signal(OTHER)
    assert seen == [ONE, OTHER]


def test_another_thread_holds_nothing(seen: list[int]) -> None:
    is_held, is_sent = threading.Event(), threading.Event()

    def hold() -> None:
        with held_signals():
            is_held.set()
            is_sent.wait()

    other = threading.Thread(target=hold)
    other.start()
    is_held.wait()
    signal.raise_signal(OTHER)
    is_sent.set()
    other.join()
    assert seen == [OTHER]
