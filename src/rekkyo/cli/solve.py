"""`rekkyo solve`."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from rekkyo.cli import options
from rekkyo.cli.progress import progress_bar
from rekkyo.cli.streams import note
from rekkyo.cli.terminal import writer_for_people
from rekkyo.errors import BadInput
from rekkyo.wording import several

if TYPE_CHECKING:
    from rekkyo.engines.contract import Rows
    from rekkyo.export.text import Writer
    from rekkyo.model.puzzle import Puzzle
    from rekkyo.search.progress import Watcher

PIECE_VALUES = 1 << 16


@options.puzzle_command("solve", "List the solutions, one a line, as they are found.")
@options.search_options
@options.up_to_option(default="none")
@options.format_option("rows, compact, board, csv, jsonl, or digits for that puzzle.")
@click.option("--kth", type=int, metavar="K", help="Only solution number K, from 0, by a diagram.")
@options.json_option
def solve_command(
    words: tuple[str, ...], format_name: str, kth: int | None, as_json: bool, **asked: Any
) -> None:
    """List the solutions, one a line, as they are found.

    The order depends only on the puzzle, the engine and the version of rekkyo, not on --workers. It is
    lexicographic for queens, whose default engine is queens-bitmap. With an objective, --limit may change
    the default engine.

    --kth prints only one solution, without listing those before it, in the order of --engine cover-diagram
    or csp-diagram; if a short search finds few solutions of constraints, in lexicographic order.

    \b
    rekkyo solve queens 8 --format compact
    rekkyo solve queens 8 --up-to symmetry --format board
    rekkyo solve queens 13 --format csv | head -1
    """
    options.check_format(format_name, as_json)
    puzzle = options.read_puzzle_to_search(words, asked["up_to"])
    if kth is not None:
        _check_kth(kth, **asked)
    from rekkyo.cli.plain import plain_meanwhile

    n_solutions = 0
    with plain_meanwhile() as race, progress_bar(puzzle.name, unless_stdout_is_terminal=True) as watch:
        write = writer_for_people("jsonl" if as_json else format_name, puzzle)
        started = time.perf_counter()
        with closing(_blocks(puzzle, kth, race.claiming(watch), asked)) as blocks:
            texts = _as_one_object(puzzle, blocks) if as_json else _in_pieces(write, blocks)
            for text, n_rows in texts:
                race.claim()
                sys.stdout.buffer.write(text)
                n_solutions += n_rows
            sys.stdout.buffer.flush()
    seconds = time.perf_counter() - started
    note(f"{puzzle.name}: {several(n_solutions, 'solution')} listed in {seconds:.3f} s")
    from rekkyo.search.question import unknown_symmetry

    if (reason := unknown_symmetry(puzzle, asked["up_to"])) is not None:
        note(f"{puzzle.name}: every solution is listed: {reason}")


def _check_kth(kth: int, *, limit: int | None, up_to: str, engine: str | None, workers: int | None) -> None:
    """Raise BadInput, before the search, unless --kth is a number and stands alone."""
    if kth < 0:
        raise BadInput(f"solutions are numbered from 0, not {kth}")
    is_alone = limit is None and up_to == "none" and workers is None
    if not (is_alone and engine in (None, "cover-diagram", "csp-diagram")):
        raise BadInput(
            "--kth is one of all solutions, in the order of a diagram; leave out the other options"
        )


def _blocks(puzzle: Puzzle, kth: int | None, watch: Watcher, asked: dict[str, Any]) -> Generator[Rows]:
    """All solutions, or number `kth` alone."""
    from rekkyo.ask.solve import solve_blocks

    return solve_blocks(puzzle, watch=watch, **asked) if kth is None else _only(puzzle, kth)


def _in_pieces(write: Writer, blocks: Iterator[Rows]) -> Iterator[tuple[bytes, int]]:
    """Format blocks in small pieces that reuse memory; whole blocks took a tenth longer, in page faults.

    Workers do not format: texts that wait for the reader need new memory, and took 6 % longer.
    """
    for rows in blocks:
        n_rows = max(1, PIECE_VALUES // max(1, rows.shape[1]))
        for start in range(0, len(rows), n_rows):
            piece = rows[start : start + n_rows]
            yield write(piece), len(piece)


def _only(puzzle: Puzzle, k: int) -> Generator[Rows]:
    """A block with solution number k."""
    import numpy as np

    from rekkyo.ask.diagram import diagram
    from rekkyo.engines.contract import row_dtype

    yield np.array([diagram(puzzle).kth(k)], dtype=row_dtype(puzzle.model.row_shape.n_symbols))


def _as_one_object(puzzle: Puzzle, blocks: Iterator[Rows]) -> Iterator[tuple[bytes, int]]:
    """One JSON object with all solutions, written as they are found."""
    n_solutions = 0
    yield f'{{"puzzle": {json.dumps(puzzle.name)}, "solutions": ['.encode(), 0
    for rows in blocks:
        comma = ", " if n_solutions else ""
        n_solutions += len(rows)
        yield (comma + json.dumps(rows.tolist())[1:-1]).encode(), len(rows)
    yield f'], "listed": {n_solutions}}}\n'.encode(), 0
