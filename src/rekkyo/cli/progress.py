"""A progress bar on stderr, for people only: never in a pipe, never for short work."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING

import click

from rekkyo.cli.compiling import told_while_compiling

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress as Bar

    from rekkyo.search.progress import Progress, Watcher

SHOW_AFTER_S = 2.0


class Interrupted(click.ClickException):
    """Ctrl-C or another signal, with what was known at that moment."""


@contextmanager
def progress_bar(*, unless_stdout_is_terminal: bool = False) -> Iterator[Watcher]:
    """A watcher that draws a bar once the work has taken two seconds, where somebody would see it.

    Ctrl-C becomes Interrupted, which says how far the work was.
    """
    visible = sys.stderr.isatty() and not (unless_stdout_is_terminal and sys.stdout.isatty())
    latest: Progress | None = None
    bar = _start_bar() if visible else None

    def watch(progress: Progress) -> None:
        nonlocal latest
        latest = progress
        if bar is not None:
            bar.update(
                bar.task_ids[0],
                total=progress.n_shards or None,
                completed=progress.shards_done,
                text=describe(progress),
            )

    try:
        with nullcontext() if bar is None else told_while_compiling(partial(bar.update, bar.task_ids[0])):
            yield watch
    except KeyboardInterrupt:
        raise Interrupted(_how_far(latest)) from None
    finally:
        if bar is not None:
            bar.stop()


def _how_far(latest: Progress | None) -> str:
    if latest is None:
        return "interrupted before the search began"
    if latest.stage:
        return f"interrupted after {clock(latest.elapsed_s)}, before the optimum was proved: {latest.stage}"
    return (
        f"interrupted after {clock(latest.elapsed_s)}, {latest.found:,} found so far, which is no total:"
        f" {latest.shards_done} of {latest.n_shards} shards were done"
    )


def _start_bar() -> Bar:
    """A bar that nobody sees in the first two seconds: every part of it is drawn late."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn
    from rich.text import Text

    class Late(ProgressColumn):
        def __init__(self, part: ProgressColumn) -> None:
            super().__init__()
            self._part = part

        def render(self, task: Task) -> RenderableType:
            return self._part(task) if (task.elapsed or 0) >= SHOW_AFTER_S else Text()

    parts = (BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[text]}"))
    bar = Progress(*map(Late, parts), console=Console(stderr=True), transient=True)
    bar.add_task("", total=None, text="getting ready")
    bar.start()
    return bar


def describe(progress: Progress) -> str:
    """What is known, in one line: found so far, rate, and how long the rest takes as a range."""
    if progress.stage:
        return progress.stage
    found = ""
    if progress.found:
        found = f"{progress.found:,} found, {progress.found / progress.elapsed_s:,.0f}/s, "
    if progress.remaining_s is None:
        return found + "time left unknown"
    low, high = progress.remaining_s
    return found + f"{clock(low)} to {clock(high)} left"


def clock(seconds: float) -> str:
    """Seconds as people say them: 7 s, 3 min, 5 h 10 min, 12 days."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 48 else f"{hours / 24:,.0f} days"
