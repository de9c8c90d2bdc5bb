"""`rekkyo estimate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rekkyo.cli import options
from rekkyo.cli.progress import ESTIMATE, clock, progress_bar
from rekkyo.cli.streams import note, print_json
from rekkyo.wording import several

if TYPE_CHECKING:
    from rekkyo.ask.estimate import Estimate
    from rekkyo.ask.interval import Range


@options.puzzle_command("estimate", "Estimate the number of solutions, and the time of the search.")
@click.option("--seconds", type=float, default=20.0, show_default=True, help="How long it takes, about.")
@click.option("--draws", type=int, metavar="N", help="Make N draws instead, without a limit of time.")
@click.option("--seed", type=int, default=1, show_default=True, help="Equal seeds give equal draws.")
@options.engine_option("The listing engine to sample; see `rekkyo info PUZZLE`.")
@options.workers_option
@options.json_option
def estimate_command(words: tuple[str, ...], as_json: bool, **asked: Any) -> None:
    """Estimate the number of solutions and the time of the search, from random samples of it.

    \b
    rekkyo estimate queens 20
    rekkyo estimate magic-square 6 --seconds 60
    rekkyo estimate queens 20 --draws 100000 --seed 7 --json
    """
    if asked["draws"] is not None:
        options.refuse_given("--draws has no limit of time", "which is one", "seconds")
    puzzle = options.read_puzzle_to_search(words, "symmetry")
    from rekkyo.ask.estimate import estimate

    with progress_bar(puzzle.name, result=ESTIMATE) as watch:
        result = estimate(puzzle, watch=watch, **asked)
    if as_json:
        print_json(result)
        return
    click.echo(_summary(result))
    note(_details(result))


def _summary(result: Estimate) -> str:
    if result.exact:
        return f"total {result.total.value:.0f}, exact: the search is so small that it was done in full"
    if result.total.high is None:
        return f"total unknown: none of {result.n_draws:,} draws found a solution; try --seconds with more"
    parts = [f"total {_interval(result.total)}"]
    if result.unique is not None and result.unique != result.total:
        parts.append(f"unique about {_interval(result.unique)}")
    return "; ".join(parts)


def _interval(given: Range) -> str:
    assert given.high is not None
    return f"{given.value:.4g} ({given.low:.4g} to {given.high:.4g})"


def _details(result: Estimate) -> str:
    how = "searched in full" if result.exact else f"{several(result.n_draws, 'draw')} at level {result.level}"
    line = f"{result.puzzle}: {result.engine}, {how}, seed {result.seed}, {result.elapsed_s:.1f} s"
    if result.exact:
        return f"{line}; {several(round(result.nodes.value), 'node')}"
    low, high = result.seconds.low, result.seconds.high
    threads = several(result.workers, "worker")
    time_text = f"{clock(low)} to {clock(high)}" if high is not None else "unknown"
    return (
        f"{line}; intervals of {result.confidence:.0%}; the whole search: {result.nodes.value:.3g} nodes,"
        f" {time_text} with {threads}"
    )
