"""`rekkyo count` and `rekkyo orbits`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from rekkyo.cli import options
from rekkyo.cli.progress import progress_bar
from rekkyo.cli.streams import note, print_json
from rekkyo.errors import printable
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.problem import HIDDEN
from rekkyo.wording import several

if TYPE_CHECKING:
    from rekkyo.ask.count import Count
    from rekkyo.ask.orbits import Orbits
    from rekkyo.model.puzzle import Published, Puzzle

WITHOUT_LISTING = {
    "cover-frontier": "merging equal states",
    "csp-frontier": "merging equal states",
    "sum-join": "joining two halves",
    "cover-memo": "caching the counts of equal parts",
}
"""Engines that count without listing, where they are faster, and their methods."""

SHOWN_NAMES = 6
"""The most variables of a solution that are named."""


@options.puzzle_command("count", "Count all solutions, and those that differ up to symmetry.")
@options.search_options
@options.up_to_option(default="symmetry")
@click.option("--digest", is_flag=True, help="Also hash the set of solutions, in any order.")
@options.json_option
def count_command(words: tuple[str, ...], as_json: bool, **asked: Any) -> None:
    """Count all solutions, and the classes of solutions under the puzzle's symmetry.

    \b
    rekkyo count queens 8
    rekkyo count queens 16 --workers 1 --engine queens-join --json
    rekkyo count queens 8 --given 0,0 --blocked 3,4
    rekkyo count mine.toml
    rekkyo count formula.cnf
    """
    puzzle = options.read_puzzle_to_search(words, asked["up_to"] if asked["limit"] is None else "none")
    from rekkyo.cli.plain import plain_meanwhile

    with plain_meanwhile() as race, progress_bar(puzzle.name) as watch:
        from rekkyo.ask.count import count

        result = count(puzzle, watch=race.claiming(watch), **asked)
    published = puzzle.published if result.complete else None
    known = None if published is None else published.up_to(result.up_to)
    compared = {} if known is None else known.compared(result.total, result.unique)
    if as_json:
        agrees = all(compared.values()) if compared else None
        print_json(result, published=None if known is None else asdict(known) | {"agrees": agrees})
    else:
        click.echo(_summary(result, puzzle.symmetry_in_words(result.up_to)))
        note("; ".join([_details(result), *_verdicts(compared, known)]))
        if (variables := _note_on_variables(puzzle)) is not None:
            note(f"{result.puzzle}: {variables}")
        if result.left_out is not None:
            note(f"{result.puzzle}: unique is left out: {result.left_out}")
        if asked["engine"] is None and result.engine in WITHOUT_LISTING:
            how = WITHOUT_LISTING[result.engine]
            note(f"{result.puzzle}: counted by {how}, without listing (--engine overrides)")
    if not all(compared.values()):
        sys.exit(1)  # a count that differs from a published one is printed, but is a failure


def _summary(result: Count, symmetry: str | None) -> str:
    up_to = "" if symmetry is None else f" up to {symmetry}"
    parts = [f"total {result.total}" if result.complete else f"total at least {result.total}"]
    parts += [f"unique {result.unique}{up_to}"] if result.unique is not None else []
    parts += [f"optimum {result.optimum}"] if result.optimum is not None else []
    parts += [f"digest {result.digest}"] if result.digest is not None else []
    return ", ".join(parts)


def _details(result: Count) -> str:
    workers = several(result.workers, "worker")
    return (
        f"{result.puzzle}: {result.engine}, {several(result.nodes, 'node')},"
        f" {result.elapsed_s:.3f} s with {workers}, after {result.compile_s:.1f} s of compiling or loading"
    )


def _verdicts(compared: dict[str, bool], known: Published | None) -> Iterator[str]:
    """Which numbers agree with the published ones, and which differ."""
    for is_equal, verdict in ((True, "agrees with"), (False, "DIFFERS FROM")):
        names = [name for name, each in compared.items() if each == is_equal]
        if names and known is not None:
            yield f"{verdict} the published {' and '.join(names)} ({known.source})"


def _note_on_variables(puzzle: Puzzle) -> str | None:
    """A note that names the variables of a solution, if there are others and no drawing shows them."""
    model = puzzle.model
    if not isinstance(model, Csp) or puzzle.picture is not None or len(model.solution) == len(model.names):
        return None
    if all(model.names[v].startswith(HIDDEN) for v in model.solution):
        return "no variable is shown, so there is one solution if there is any"
    shown = [printable(model.names[v]) for v in model.solution[:SHOWN_NAMES]]
    more = ", …" if len(model.solution) > SHOWN_NAMES else ""
    n_variables = f"{len(model.solution)} of {several(len(model.names), 'variable')}"
    return f"solutions are distinguished by {', '.join(shown)}{more} ({n_variables})"


@options.puzzle_command("orbits")
@options.engine_option("The engine to search with; it must be one that lists.")
@options.workers_option
@options.up_to_option(default="symmetry")
@options.json_option
def orbits_command(words: tuple[str, ...], as_json: bool, **asked: Any) -> None:
    """Count the orbits of solutions by their symmetry.

    \b
    rekkyo orbits queens 8
    rekkyo orbits pentominoes 6 10
    rekkyo orbits hip 5 --up-to exchange-colours
    """
    puzzle = options.read_puzzle_to_search(words, asked["up_to"])
    from rekkyo.cli.plain import plain_meanwhile

    with plain_meanwhile() as race, progress_bar(puzzle.name) as watch:
        from rekkyo.ask.orbits import orbits

        result = orbits(puzzle, watch=race.claiming(watch), **asked)
    if as_json:
        print_json(result)
        return
    for line in _table(result):
        click.echo(line)
    click.echo(_identity(result))
    note(f"{result.puzzle}: a group of order {result.group}; {result.engine}, {result.elapsed_s:.3f} s")


def _table(result: Orbits) -> list[str]:
    rows = [("symmetry", "stabilizer", "orbits", "solutions")]
    rows += [(c.symmetry, str(c.stabilizer), str(c.orbits), str(c.solutions)) for c in result.classes]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return [
        "  ".join([row[0].ljust(widths[0]), *(row[k].rjust(widths[k]) for k in (1, 2, 3))]) for row in rows
    ]


def _identity(result: Orbits) -> str:
    terms = [f"{c.orbits} x {result.group}/{c.stabilizer}" for c in result.classes]
    optimum = "" if result.optimum is None else f", optimum {result.optimum}"
    return f"total {result.total} = {' + '.join(terms) or '0'}, unique {result.unique}{optimum}"
