"""What is said beside the data."""

from __future__ import annotations

from contextlib import suppress

import click


def note(text: str) -> None:
    """Say something on stderr, if it can be heard; if it is full or gone, that changes no outcome."""
    with suppress(OSError, ValueError):
        click.echo(text, err=True)
