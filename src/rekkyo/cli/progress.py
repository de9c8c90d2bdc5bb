"""Draws a progress bar on stderr, if that is a terminal and the work takes more than two seconds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import click

from rekkyo.errors import escaped, in_short
from rekkyo.warm.compiling_line import lines_while_compiling
from rekkyo.wording import several

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress as Bar

    from rekkyo.search.progress import Progress, Watcher

SHOW_AFTER_S = 2.0
LEAST_BAR, MOST_BAR = 16, 46
"""The least and most columns of the bar with its percentage."""

UNITS = (
    (10**15, " * 10^15"),
    (10**12, " trillion"),
    (10**9, " billion"),
    (10**6, " million"),
    (10**3, " thousand"),
)
"""The units of the expected total, the largest first."""

TEXT_WIDTH = 70
"""The columns that the text usually needs; in a narrow terminal the bar is left out for it."""


class ResultWords(NamedTuple):
    """The words with which messages name a result and the work for it.

    name: of the result. work: of the work that leads to it. counted: names the things that were counted so
    far. adds_up: whether the result is their number in the end.
    """

    name: str
    work: str
    counted: str
    adds_up: bool


TOTAL = ResultWords("a total", "search", "found", adds_up=True)
CHECK = ResultWords("a check of all rows", "check", "rows checked", adds_up=True)
ESTIMATE = ResultWords("an estimate", "estimate", "found", adds_up=False)


class Interrupted(click.ClickException):
    """Ctrl-C or another signal, with the progress at that moment."""


@contextmanager
def progress_bar(
    name: str, *, result: ResultWords = TOTAL, unless_stdout_is_terminal: bool = False
) -> Iterator[Watcher]:
    """A watcher that draws a bar after two seconds of work, if stderr is a terminal.

    name: of the puzzle or run. result: the words for it. Ctrl-C becomes Interrupted, whose message has the
    progress.
    """
    visible = sys.stderr.isatty() and not (unless_stdout_is_terminal and sys.stdout.isatty())
    latest: Progress | None = None
    bar = _start_bar(name) if visible else None

    def watch(progress: Progress) -> None:
        nonlocal latest
        latest = progress
        if bar is not None:
            bar.update(
                bar.task_ids[0],
                total=progress.n_shards or None,
                completed=progress.shards_done,
                text=describe(progress, result),
            )

    try:
        with nullcontext() if bar is None else lines_while_compiling(partial(bar.update, bar.task_ids[0])):
            yield watch
    except KeyboardInterrupt:
        raise Interrupted(_how_far(latest, result)) from None
    finally:
        if bar is not None:
            bar.stop()


def _how_far(latest: Progress | None, result: ResultWords) -> str:
    if latest is None:
        return f"interrupted before the {result.work} began"
    after = f"interrupted after {clock(latest.elapsed_s)}"
    if latest.stage:
        return f"{after} of this part of the {result.work}: {latest.stage}"
    if not result.adds_up or latest.shards_done == latest.n_shards:  # something else goes on after a search
        return f"{after}, before there was {result.name}"
    found = f"{latest.found:,} {result.counted} so far"
    of_all = f"{latest.shards_done} of {several(latest.n_shards, 'shard')} were done"
    return f"{after}, {found}, which is not {result.name}: {of_all}"


def _start_bar(name: str) -> Bar:
    """A bar that is invisible in the first two seconds.

    It takes one line: in a narrow terminal, first the bar is left out, then the end of the text.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn
    from rich.table import Column
    from rich.text import Text

    class Late(ProgressColumn):
        def __init__(self, part: ProgressColumn) -> None:
            super().__init__(part.get_table_column())
            self._part = part

        def render(self, task: Task) -> RenderableType:
            return self._part(task) if (task.elapsed or 0) >= SHOW_AFTER_S else Text()

    console = Console(stderr=True)
    label = in_short(escaped(name), max(8, console.width // 4))
    room = console.width - len(label) - TEXT_WIDTH
    named = Column(no_wrap=True, min_width=len(label) + 1)
    parts: list[ProgressColumn] = [TextColumn(f"{label}:", markup=False, table_column=named)]
    if room > LEAST_BAR:
        parts += [BarColumn(min(room, MOST_BAR) - 6), TaskProgressColumn()]
    in_one_line = Column(no_wrap=True, overflow="ellipsis")
    parts.append(TextColumn("{task.fields[text]}", markup=False, table_column=in_one_line))
    bar = Progress(*map(Late, parts), console=console, transient=True)
    bar.add_task("", total=None, text="getting ready")
    bar.start()
    return bar


def describe(progress: Progress, result: ResultWords = TOTAL) -> str:
    """The progress in one line: time, found so far, rate, time left, and the expected total."""
    if progress.stage:
        return f"{clock(progress.elapsed_s)}, {progress.stage}"
    found = f"{clock(progress.elapsed_s)}, "
    if progress.found:
        rate = progress.found / progress.elapsed_s
        found += f"{progress.found:,} {result.counted}, {rate:,.0f}/s, "
    if progress.remaining_s is None:
        return found + "time left unknown"
    low, high = progress.remaining_s
    return found + f"{clock(low)} to {clock(high)} left" + _expected(progress)


def _expected(progress: Progress) -> str:
    if progress.expected is None or progress.shards_done == progress.n_shards:
        return ""
    low, high = progress.expected
    unit, name = next(((unit, name) for unit, name in UNITS if high >= unit), (1, ""))
    least, most = (f"{end / unit:,.0f}" if unit == 1 else f"{end / unit:.3g}" for end in (low, high))
    return f", {least if least == most else f'{least} to {most}'}{name} expected in total"


def clock(seconds: float) -> str:
    """Seconds in readable units: 7 s, 3 min, 5 h 10 min, 12 days."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 48 else f"{hours / 24:,.0f} days"
