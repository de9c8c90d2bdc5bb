"""`rekkyo count`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from rekkyo.cli.notes import note
from rekkyo.cli.options import (
    PASS_ON_UNKNOWN_OPTIONS,
    json_option,
    puzzle_argument,
    read_puzzle,
    say_obstacles,
    search_options,
    up_to_option,
)
from rekkyo.cli.progress import progress_bar

if TYPE_CHECKING:
    from rekkyo.ask.count import Count
    from rekkyo.model.puzzle import Published

WITHOUT_LISTING = {
    "cover-frontier": "merging equal states",
    "cover-memo": "remembering what equal parts came to",
}
"""Engines that are chosen where listing is hopeless, and what they do instead."""


@click.command(
    "count",
    short_help="Count all solutions, and those that differ up to symmetry.",
    context_settings=PASS_ON_UNKNOWN_OPTIONS,
)
@puzzle_argument
@search_options
@up_to_option(default="symmetry")
@click.option("--digest", is_flag=True, help="Also hash the set of solutions, whatever their order.")
@json_option
def count_command(
    words: tuple[str, ...],
    engine: str | None,
    workers: int | None,
    limit: int | None,
    up_to: str,
    digest: bool,
    as_json: bool,
) -> None:
    """Count all solutions, and the classes of solutions under the puzzle's symmetry.

    \b
    rekkyo count queens 8
    rekkyo count queens 16 --workers 1 --engine queens-join --json
    rekkyo count queens 8 --given 0,0 --blocked 3,4
    """
    puzzle = read_puzzle(words, up_to if limit is None else "none")
    say_obstacles(puzzle)
    from rekkyo.ask.count import count

    with progress_bar() as watch:
        result = count(
            puzzle, engine=engine, workers=workers, up_to=up_to, limit=limit, digest=digest, watch=watch
        )
    if as_json:
        click.echo(json.dumps(asdict(result) | {"published": _published_facts(result, puzzle.published)}))
        _exit_if_it_differs(result, puzzle.published)
        return
    click.echo(_summary(result))
    note(_details(result, puzzle.published))
    if result.left_out is not None:
        note(f"{result.puzzle}: unique is left out: {result.left_out}")
    if engine is None and result.engine in WITHOUT_LISTING:
        how = WITHOUT_LISTING[result.engine]
        note(f"{result.puzzle}: listing would take far longer; counted by {how} (--engine overrides)")
    _exit_if_it_differs(result, puzzle.published)


def _summary(result: Count) -> str:
    parts = [f"total {result.total}" if result.complete else f"total at least {result.total}"]
    parts += [f"unique {result.unique}"] if result.unique is not None else []
    parts += [f"digest {result.digest}"] if result.digest is not None else []
    return ", ".join(parts)


def _details(result: Count, published: Published | None) -> str:
    threads = "1 worker" if result.workers == 1 else f"{result.workers} workers"
    line = (
        f"{result.puzzle}: {result.engine}, {result.nodes:,} nodes, {result.elapsed_s:.3f} s with {threads},"
        f" after {result.compile_s:.1f} s of compiling or loading"
    )
    facts = _published_facts(result, published)
    if facts is None:
        return line
    verdict = "agrees with" if facts["agrees"] else "DIFFERS FROM"
    which = " and ".join(key for key in ("total", "unique") if None not in (facts[key], getattr(result, key)))
    return f"{line}; {verdict} the published {which} ({facts['source']})"


def _published_facts(result: Count, published: Published | None) -> dict[str, object] | None:
    if published is None or not result.complete:
        return None
    facts = asdict(published)
    if result.up_to != "symmetry":  # what was published about classes is about the puzzle's own symmetry
        facts["unique"] = None
    return facts | {"agrees": published.agrees_with(result.total, facts["unique"] and result.unique)}


def _exit_if_it_differs(result: Count, published: Published | None) -> None:
    """A count that differs from a published one is shown, but never as a success."""
    facts = _published_facts(result, published)
    if facts is not None and not facts["agrees"]:
        sys.exit(1)
