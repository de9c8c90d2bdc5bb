"""Answers without a page: what a worker would say of a text."""

from __future__ import annotations

from typing import Any

from rekkyo.designer.jobs import JOBS

Told = dict[str, Any]


def told_of(do: str, text: str, **more: Any) -> list[Told]:
    """All stages of a job."""
    found: list[Told] = []
    JOBS[do]({"text": text, **more}, found.append)
    return found


def stage(told: list[Told], name: str) -> Told:
    """The one stage of that name."""
    (found,) = [one for one in told if one["stage"] == name]
    return found
