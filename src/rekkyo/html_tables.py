"""Tables in HTML for results in notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from html import escape

from rekkyo.errors import escaped

BEYOND_PRINT = 10**4000
"""Numbers that Python may refuse to write in full."""


def facts(title: str, pairs: Iterable[tuple[str, object]]) -> str:
    """A table of names and values, without those that are None or empty."""
    rows = [(name, written(value)) for name, value in pairs if value is not None and value != ""]
    return table(title, (), rows)


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with a title, and a line at the top unless it is empty."""
    top = f"<thead><tr>{''.join(f'<th>{_text(name)}</th>' for name in head)}</tr></thead>" if head else ""
    lines = "".join(
        f"<tr>{''.join(f'<td>{_text(written(value))}</td>' for value in row)}</tr>" for row in rows
    )
    return f"<table><caption>{_text(title)}</caption>{top}<tbody>{lines}</tbody></table>"


def _text(text: str) -> str:
    """Text for use between tags: unprintable characters are shown, and markup is escaped."""
    return escape(escaped(text))


def written(value: object) -> str:
    """A value as readable text."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int) and abs(value) >= BEYOND_PRINT:
        return f"{Decimal(value):.3e}"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3g}" if value < 100 else f"{value:,.0f}"


def seconds(value: float) -> str:
    """A time."""
    return f"{written(value)} s"
