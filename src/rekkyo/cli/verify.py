"""`rekkyo verify` and `rekkyo certify`."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from rekkyo.cli.options import (
    FileOrFolder,
    json_option,
    puzzle_command,
    read_puzzle,
    refuse_given,
    run_directory,
)
from rekkyo.cli.progress import CHECK, progress_bar
from rekkyo.cli.streams import note, print_json, say, say_checks
from rekkyo.errors import BadInput, in_shell, printable
from rekkyo.model.csp.csp import Csp
from rekkyo.wording import several

if TYPE_CHECKING:
    from rekkyo.export.read import Line
    from rekkyo.model.puzzle import Puzzle
    from rekkyo.runs.certificate import Certificate

MAX_SHOWN = 20
MAX_REASONS = 3
SOLUTION_SUFFIXES = (".txt", ".csv", ".jsonl")
"""The usual suffixes of files with solutions."""

FOR_PUZZLE = "which is for solutions of a puzzle"
FOR_BUNDLE = "which is for the terms of a bundle"


@puzzle_command("verify", "Check solutions, a run, a certificate or a bundle.")
@click.option(
    "--from",
    "source",
    type=click.File("r", encoding="utf-8-sig", errors="replace"),
    default="-",
    metavar="FILE",
    help="The file with the solutions; standard input by default.",
)
@click.option(
    "--limit-seconds",
    type=float,
    default=60.0,
    show_default=True,
    help="The time for counting the terms of a bundle again, or for each foreign checker of a certificate.",
)
@json_option
def verify_command(words: tuple[str, ...], source: IO[str], limit_seconds: float, as_json: bool) -> None:
    """Check solutions by the definition of the puzzle: each valid, no two the same.

    The formats are rows, compact, csv and jsonl, one solution a line. Instead of a puzzle, the directory of a
    run may be given, to check its stored rows, or the folder of a certificate or a bundle, to check all that
    is in it. Exit code 1 if anything is wrong, or if there is nothing to check.

    \b
    rekkyo solve queens 8 | rekkyo verify queens 8
    rekkyo verify queens 8 --from solutions.csv
    rekkyo verify runs/q8
    rekkyo verify results/sticks-of-two
    """
    if len(words) == 1 and (Path(words[0]) / "bundle.json").is_file():
        from rekkyo.cli.publish import verify_bundle

        refuse_given(f"{words[0]} is a bundle", FOR_PUZZLE, "source")
        verify_bundle(Path(words[0]), limit_seconds, as_json)
        return
    if len(words) == 1 and (Path(words[0]) / "certificate.json").is_file():
        refuse_given(f"{words[0]} is a certificate", FOR_PUZZLE, "source")
        _check_certificate(Path(words[0]), limit_seconds, as_json)
        return
    run = run_directory(words)
    if run is not None:
        refuse_given(f"{run} is a run, whose rows are stored", FOR_PUZZLE, "source")
        refuse_given(f"{run} is a run", FOR_BUNDLE, "limit_seconds")
        _verify_run(run, as_json)
        return
    puzzle = _puzzle_of_solutions(words)
    refuse_given(f"{puzzle.name} is a puzzle", FOR_BUNDLE, "limit_seconds")
    _check_end(source)
    _verify_solutions(puzzle, source, as_json)


def _puzzle_of_solutions(words: tuple[str, ...]) -> Puzzle:
    """As `read_puzzle`; says how to name the file with the solutions if it stands among the words."""
    try:
        return read_puzzle(words)
    except BadInput as problem:
        if len(words) > 1 and Path(words[-1]).suffix.lower() in SOLUTION_SUFFIXES:
            name = printable(words[-1])
            raise BadInput(f"{problem}; if {name} has the solutions, write --from {name}") from problem
        raise


def _check_end(source: IO[str]) -> None:
    """Refuse a device, which may have no end, unless it is a terminal or the null device. Raises BadInput."""
    try:
        status = os.fstat(source.fileno())
    except OSError:
        return  # a stream that replaces standard input is not a file
    is_device = stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode)
    if is_device and not source.isatty() and not os.path.samestat(status, os.stat(os.devnull)):
        name = printable(str(source.name))
        raise BadInput(
            f"{name} is a device; name a file with solutions, one a line, or write them into a pipe"
        )


def _verify_run(directory: Path, as_json: bool) -> None:
    from rekkyo.runs.verify_run import verify_run

    with progress_bar(str(directory), result=CHECK) as watch:
        check = verify_run(directory, watch=watch)
    if as_json:
        print_json(check, valid=check.passed)
    else:
        for problem in check.problems:
            say(problem)
        closed = {True: "orbits closed", False: "orbits NOT closed", None: "orbits not checked"}[check.closed]
        verdict = f"all valid, all different, {closed}"
        if not check.passed:
            n_damaged = len(check.damaged)
            verdict = f"{check.wrong} wrong, {several(n_damaged, 'shard')} damaged, {closed}"
        click.echo(f"{several(check.rows, 'stored solution')} checked: {verdict}")
        if check.damaged:
            note(f"nothing was changed; list the damaged shards with: rekkyo repair {in_shell(directory)}")
        if check.not_noted is not None:
            note(f"this outcome was not recorded: {check.not_noted}")
    if not check.passed:
        sys.exit(1)


def _verify_solutions(puzzle: Puzzle, source: IO[str], as_json: bool) -> None:
    checked, n_wrong, problems = _check_lines(puzzle, source)
    valid = checked > 0 and n_wrong == 0
    if as_json:
        facts = {"puzzle": puzzle.name, "checked": checked, "valid": valid, "wrong": n_wrong}
        click.echo(json.dumps(facts | {"problems": problems}))
    else:
        for problem in problems:
            say(f"line {problem['line']}: {problem['problem']}")
        if n_wrong > len(problems):
            click.echo(f"... and {n_wrong - len(problems)} more")
        verdict = f"{n_wrong} wrong" if n_wrong else "all valid, all different"
        if not checked:
            verdict = "there was nothing to check"
        click.echo(f"{checked} solution{'s' * (checked != 1)} checked: {verdict}")
        if valid and isinstance(puzzle.model, Csp) and puzzle.model.objective is not None:
            note(f"{puzzle.name}: not checked: whether these solutions have the best value")
    if not valid:
        sys.exit(1)


def _check_lines(puzzle: Puzzle, source: IO[str]) -> tuple[int, int, list[dict[str, Any]]]:
    """The number of checked solutions, the number of wrong ones, and the problems of the first few."""
    from rekkyo.export.read import read_lines

    checked = n_wrong = 0
    first_line: dict[bytes, int] = {}
    problems: list[dict[str, Any]] = []
    for line in read_lines(puzzle, source):
        checked += 1
        problem = _problem(puzzle, line, first_line)
        if problem:
            n_wrong += 1
            if len(problems) < MAX_SHOWN:
                problems.append({"line": line.number, "problem": problem})
    return checked, n_wrong, problems


def _problem(puzzle: Puzzle, line: Line, first_line: dict[bytes, int]) -> str | None:
    from rekkyo.verify import verify

    if line.row is None:
        return line.problem
    wrong = verify(puzzle, line.row)
    if wrong:
        more = f"; and {len(wrong) - MAX_REASONS} more" if len(wrong) > MAX_REASONS else ""
        return "; ".join(wrong[:MAX_REASONS]) + more
    # Rows are packed, because a million solutions of queens 14 must not take a gigabyte.
    packed = b"".join(value.to_bytes(4, "big") for value in line.row)
    earlier = first_line.setdefault(packed, line.number)
    return f"the same as line {earlier}" if earlier != line.number else None


@puzzle_command("certify", "All solutions, or their count, with a proof.")
@click.option("-o", "--out", type=FileOrFolder(), metavar="DIR", help="A new folder for it.")
@click.option("--check", type=FileOrFolder(), metavar="DIR", help="Check a certificate instead.")
@click.option("--count", "only_count", is_flag=True, help="Prove the count, without a list.")
@click.option(
    "--limit-seconds",
    type=float,
    default=600.0,
    show_default=True,
    help="For the SAT solver; with --check, for each foreign checker.",
)
@json_option
def certify_command(
    words: tuple[str, ...],
    out: Path | None,
    check: Path | None,
    only_count: bool,
    limit_seconds: float,
    as_json: bool,
) -> None:
    """List all solutions, with a proof for drat-trim and other checkers that the list is complete.

    If there are too many for a list, or with --count, a diagram of all solutions proves their number.

    With --check everything in a certificate is checked, one line each, and nothing is changed. Exit code 1 if
    anything is wrong, 2 if the folder holds no certificate.

    \b
    rekkyo certify queens 8 -o cert/
    rekkyo certify hip 6 -o cert/hip6
    rekkyo certify dominoes 16 16 -o cert/dominoes
    rekkyo certify --check cert/
    """
    if check is not None:
        if words or out is not None or only_count:
            raise BadInput("a certificate names its puzzle; give --check and nothing else")
        _check_certificate(check, limit_seconds, as_json)
        return
    if out is None:
        raise BadInput("name a new folder for the certificate, with -o, or one to check, with --check")
    if only_count:
        refuse_given("--count needs no SAT solver", "which is for one", "limit_seconds")
    puzzle = read_puzzle(words)
    from rekkyo.runs.certify import TooManySolutions, certify

    if not only_count:
        try:
            with progress_bar(puzzle.name) as watch:
                result = certify(puzzle, out, limit_s=limit_seconds, watch=watch)
        except TooManySolutions as reason:
            note(str(reason))
        else:
            _report(result, as_json)
            return
    _certify_count(puzzle, out, as_json)


def _certify_count(puzzle: Puzzle, out: Path, as_json: bool) -> None:
    from rekkyo.runs.certify_count import certify_count

    result = certify_count(puzzle, out)
    if as_json:
        print_json(result)
        return
    click.echo(f"total {result.total}, proved by a diagram of {several(result.n_nodes, 'node')}")
    note(
        f"{result.puzzle}: {several(result.n_variables, 'variable')}, {result.n_constraints:,} constraints,"
        f" {result.diagram_bytes / 1e6:.1f} MB, written in {result.write_s:.1f} s, checked in"
        f" {result.check_s:.1f} s; check it: rekkyo certify --check {in_shell(result.folder)}"
    )


def _report(result: Certificate, as_json: bool) -> None:
    if as_json:
        print_json(result)
        return
    click.echo(f"total {result.total}, proved complete in {several(result.n_steps, 'step')}")
    note(
        f"{result.puzzle}: {result.solver}, {several(result.n_variables, 'variable')},"
        f" {several(result.n_clauses, 'clause')}, {result.prove_s:.1f} s, hints {result.elaborate_s:.1f} s,"
        f" {(result.proof_bytes + result.lrat_bytes) / 1e6:.1f} MB;"
        f" check it: rekkyo certify --check {in_shell(result.folder)}"
    )


def _check_certificate(folder: Path, limit_s: float, as_json: bool) -> None:
    from rekkyo.runs.check_certificate import check_certificate

    result = check_certificate(folder, limit_s=limit_s)
    if as_json:
        print_json(result, passed=result.passed)
    else:
        say_checks(result.checks)
        verdict = f"exactly {result.total} solution{'s' * (result.total != 1)}, as certified"
        say(f"{result.puzzle}: {verdict if result.passed else 'NOT as certified'}")
    if not result.passed:
        sys.exit(1)
