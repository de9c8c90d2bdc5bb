"""`rekkyo verify`."""

from __future__ import annotations

import json
import sys
from typing import IO, TYPE_CHECKING, Any

import click

from rekkyo.cli.options import PASS_ON_UNKNOWN_OPTIONS, json_option, puzzle_argument, read_puzzle

if TYPE_CHECKING:
    from rekkyo.export.read import Line
    from rekkyo.model.puzzle import Puzzle

MAX_SHOWN = 20


@click.command("verify", context_settings=PASS_ON_UNKNOWN_OPTIONS)
@puzzle_argument
@click.option(
    "--from",
    "source",
    type=click.File("r", encoding="utf-8", errors="replace"),
    default="-",
    metavar="FILE",
    help="Where the solutions are; standard input by default.",
)
@json_option
def verify_command(words: tuple[str, ...], source: IO[str], as_json: bool) -> None:
    """Check solutions by the definition of the puzzle: each valid, no two the same.

    Reads the formats rows, compact, csv and jsonl, one solution a line. Exit code 1 if anything is wrong.

    \b
    rekkyo solve queens 8 | rekkyo verify queens 8
    rekkyo verify queens 8 --from solutions.csv
    """
    puzzle = read_puzzle(words)
    checked, problems = _check_lines(puzzle, source)
    if as_json:
        facts = {"puzzle": puzzle.name, "checked": checked, "valid": not problems, "problems": problems}
        click.echo(json.dumps(facts))
    else:
        for problem in problems[:MAX_SHOWN]:
            click.echo(f"line {problem['line']}: {problem['problem']}")
        if len(problems) > MAX_SHOWN:
            click.echo(f"… and {len(problems) - MAX_SHOWN} more")
        wrong = f"{len(problems)} wrong" if problems else "all valid, all different"
        click.echo(f"{checked} solutions checked: {wrong}")
    if problems:
        sys.exit(1)


def _check_lines(puzzle: Puzzle, source: IO[str]) -> tuple[int, list[dict[str, Any]]]:
    from rekkyo.export.read import read_lines

    checked = 0
    first_line: dict[bytes, int] = {}
    problems: list[dict[str, Any]] = []
    for line in read_lines(puzzle, source):
        checked += 1
        problem = _problem(puzzle, line, first_line)
        if problem:
            problems.append({"line": line.number, "problem": problem})
    return checked, problems


def _problem(puzzle: Puzzle, line: Line, first_line: dict[bytes, int]) -> str | None:
    from rekkyo.verify import verify

    if line.row is None:
        return line.problem
    wrong = verify(puzzle, line.row)
    if wrong:
        return "; ".join(wrong)
    # Packed rows: a million solutions of queens 14 must not take a gigabyte to compare.
    packed = b"".join(value.to_bytes(4, "big") for value in line.row)
    earlier = first_line.setdefault(packed, line.number)
    return f"the same as line {earlier}" if earlier != line.number else None
