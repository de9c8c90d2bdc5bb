"""`rekkyo methods`: the textbook algorithms side by side."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import click

from rekkyo.cli.options import json_option, rekkyo
from rekkyo.cli.streams import note
from rekkyo.errors import BadInput, in_short

if TYPE_CHECKING:
    from rekkyo.methods.index import Ladder
    from rekkyo.methods.ladder import Method, Outcome, Show

AnswerT = TypeVar("AnswerT")


@rekkyo.command("methods", short_help="Run textbook algorithms in plain Python, and compare them.")
@click.argument("family", default="")
@click.argument("sizes", default="")
@click.option("--method", "names", multiple=True, metavar="NAME", help="Only this method; repeatable.")
@click.option(
    "--form", type=click.Choice(["recursive", "iterative", "both"]), default="both", show_default=True
)
@click.option("--show", is_flag=True, help="Draw every solution that a method finds.")
@click.option("--limit", type=int, metavar="N", help="Stop every method after N solutions.")
@json_option
def methods_command(
    family: str, sizes: str, names: tuple[str, ...], form: str, show: bool, limit: int | None, as_json: bool
) -> None:
    """Run textbook algorithms in plain Python, and count solutions and nodes.

    SIZES is a number or a range. Without a method's name, all methods that take at most about a minute run;
    without SIZES, a menu appears in a terminal. The columns are total, unique, hours:minutes:seconds and
    nodes. If the size of a method's search space is known, it follows, also for sizes that do not run.

    \b
    rekkyo methods queens 4..8
    rekkyo methods magic-square 3..5
    rekkyo methods magic-square 5 --limit 4
    rekkyo methods queens 5 --method bitmap --form recursive --show
    """
    from rekkyo.methods.index import LADDERS, ladder_for

    if limit is not None and limit < 1:
        raise BadInput(f"methods: --limit must be at least 1, not {limit}")
    if show and as_json:
        raise BadInput("methods: --json draws no solution; leave out --show")
    ladder = ladder_for(family) if family else LADDERS[0]
    if not sizes:
        if names or as_json or not sys.stdin.isatty():
            raise BadInput(
                f"methods: the sizes are missing; try: rekkyo methods {ladder.family} {ladder.sizes}"
            )
        chosen, show = _ask(ladder)
        named, sizes = False, ladder.sizes
    else:
        chosen, named = _choose(ladder, names, form), bool(names)
    numbers = _read_sizes(sizes, ladder.largest)
    if as_json:
        rows = [
            {"method": method.name, "form": method.form, "n": n} | asdict(outcome)
            for method in chosen
            for n, outcome in _outcomes(method, numbers, named, limit, draw=None)
        ]
        spaces = [
            {"method": method.name, "n": n} | space
            for method in _one_of_each_name(chosen)
            for n, space in _search_spaces(method, numbers)
        ]
        click.echo(json.dumps({"family": ladder.family, "outcomes": rows, "search_spaces": spaces}))
    else:
        _print_tables(ladder, chosen, numbers, named, show, limit)


def _choose(ladder: Ladder, names: Sequence[str], form: str) -> list[Method]:
    from rekkyo.methods.ladder import FORMS, find_method, method_names

    forms = FORMS if form == "both" else (form,)
    wanted = names or method_names(ladder.methods)
    found = (find_method(ladder.methods, name, one_form) for name in wanted for one_form in forms)
    return list(dict.fromkeys(found))


def _read_sizes(word: str, largest: int) -> range:
    """`8` or `4..10`. Raises BadInput."""
    from rekkyo.catalog.entry import is_whole_number

    first, dots, last = word.partition("..")
    last = last if dots else first
    if not (is_whole_number(first) and is_whole_number(last) and 1 <= int(first) <= int(last) <= largest):
        raise BadInput(
            f'sizes are a whole number or a range such as 4..10, from 1 to {largest}, not "{in_short(word)}"'
        )
    return range(int(first), int(last) + 1)


def _print_tables(
    ladder: Ladder, chosen: list[Method], sizes: range, named: bool, show: bool, limit: int | None
) -> None:
    from rekkyo.methods.table import space_line, table_header, table_line

    with_space = _one_of_each_name(chosen)
    for method in chosen:
        runs = named or method.finishes_soon(sizes.start, limit)
        spaces = list(_search_spaces(method, sizes)) if method in with_space else []
        if not runs:
            _say_left_out(method, sizes.start)
        if not runs and not spaces:
            continue
        click.echo(f"{method.title} ({method.form})")
        if runs:
            click.echo(table_header())
            draw = partial(_draw, ladder, method) if show else None
            for n, outcome in _outcomes(method, sizes, named, limit, draw):
                click.echo(table_line(n, outcome))
                for line in outcome.story:
                    click.echo(f"    {line}")
        for n, space in spaces:
            click.echo(space_line(n, space))
        click.echo()


def _one_of_each_name(methods: Sequence[Method]) -> list[Method]:
    """The first form of each method, because both forms search the same space."""
    return list({method.name: method for method in reversed(methods)}.values())[::-1]


def _search_spaces(method: Method, sizes: range) -> Iterator[tuple[int, dict[str, int | None]]]:
    if method.search_space is not None:
        for n in sizes:
            yield n, method.search_space(n)


def _draw(ladder: Ladder, method: Method, number: int, row: Sequence[int]) -> None:
    click.echo(ladder.picture(number, row, method.transposed))


def _outcomes(
    method: Method, sizes: range, named: bool, limit: int | None, draw: Show | None
) -> Iterator[tuple[int, Outcome]]:
    """Run a method for every size; slow sizes are skipped unless the method was named."""
    from rekkyo.methods.ladder import run_method

    for n in sizes:
        if not named and not method.finishes_soon(n, limit):
            _say_left_out(method, n)
            return
        yield n, run_method(method, n, draw, limit)


def _say_left_out(method: Method, n: int) -> None:
    note(
        f"{method.name} ({method.form}): skipped from N={n}, it takes more than about a minute;"
        f" add --method {method.name} to run it anyway"
    )


def _ask(ladder: Ladder) -> tuple[list[Method], bool]:
    """Ask, by a menu, for the technique, for the form if there are two, and whether to draw boards."""
    from rekkyo.methods import table
    from rekkyo.methods.ladder import find_method

    click.echo(table.menu(ladder.methods, ladder.heading))
    name = _answer("number", partial(table.name_for_key, ladder.methods))
    form = "recursive"
    if sum(method.name == name for method in ladder.methods) > 1:
        click.echo(table.FORM_QUESTION)
        form = _answer("y or n", table.form_for_key)
    click.echo(table.BOARDS_QUESTION)
    return [find_method(ladder.methods, name, form)], _answer("y or n", table.yes_for_key)


def _answer(question: str, read: Callable[[str], AnswerT | None]) -> AnswerT:
    """Ask until the key is valid."""
    answer = None
    while answer is None:
        answer = read(click.prompt(question, prompt_suffix=": "))
    return answer
