"""A block that takes too long is interrupted, whatever the code in it does with the exception."""

from __future__ import annotations

import signal
import sys

import pytest

from tests.benchmark_modules import benchmark_module

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no timer of CPU time")

PATIENCE = benchmark_module("patience.py")
at_most, TooLong = PATIENCE.at_most, PATIENCE.TooLong


def work() -> None:
    while True:
        pass


def test_an_alarm_that_is_swallowed_rings_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PATIENCE, "AGAIN_S", 0.01)
    with pytest.raises(TooLong), at_most(0.01):
        try:
            work()
        except TooLong:
            work()


def test_an_alarm_that_was_turned_into_another_exception() -> None:
    with pytest.raises(TooLong), at_most(0.01):
        try:
            work()
        except TooLong:
            raise SystemError from None


def test_another_exception_is_not_an_alarm() -> None:
    with pytest.raises(SystemError), at_most(60):
        raise SystemError


def test_nothing_is_left_behind() -> None:
    handler = signal.getsignal(signal.SIGVTALRM)
    with at_most(60):
        with pytest.raises(TooLong), at_most(0.01):
            work()
        assert 59 < signal.getitimer(signal.ITIMER_VIRTUAL)[0] < 61
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)
    assert signal.getsignal(signal.SIGVTALRM) == handler
