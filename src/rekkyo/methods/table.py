"""The text of a comparison of methods: the table of counts and the menu to choose a method.

The layout of the table and the order of the menu, the strongest technique on top, follow the programs of the
N-Queens series at suzukiiichiro.github.io (2023). Here the unique counts are exact, and the last column has
the nodes. Printing and reading keys belong to the command line.
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.methods.ladder import FORMS, Form, Method, Outcome, method_names

FORM_QUESTION = "y) recursive\nn) iterative"
BOARDS_QUESTION = "y) show every board that is found\nn) show the counts only"


def table_header() -> str:
    """The line above the table."""
    return f" N:{'Total':>13}{'Unique':>13}{'hh:mm:ss':>16}{'Nodes':>16}"


def table_line(n: int, outcome: Outcome) -> str:
    """The line for one size; seconds are truncated, as a running clock would show them."""
    minutes, seconds = divmod(int(outcome.elapsed_s), 60)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours:10d}:{minutes:02d}:{seconds:02d}"
    unique, nodes = ("-" if count is None else str(count) for count in (outcome.unique, outcome.nodes))
    return f"{n:2d}:{outcome.total:13d}{unique:>13}{clock}{nodes:>16}"


def space_line(n: int, space: dict[str, int | None]) -> str:
    """The line with the counts of a search space."""
    return f"{n:2d}: " + ", ".join(
        f"{name} {'not counted' if count is None else count}" for name, count in space.items()
    )


def menu(methods: Sequence[Method], heading: str) -> str:
    """The numbered techniques of a ladder, the last and strongest first."""
    titles = {method.name: method.title for method in methods}
    numbered = [f"{number}) {title}" for number, title in enumerate(titles.values(), start=1)]
    return "\n".join([heading, *reversed(numbered), "Enter the number in front of a line"])


def name_for_key(methods: Sequence[Method], key: str) -> str | None:
    """The name of the technique with that number in the menu; None for any other key, to ask again."""
    numbered = {str(number): name for number, name in enumerate(method_names(methods), start=1)}
    return numbered.get(key.strip())


def yes_for_key(key: str) -> bool | None:
    """True for y or Y, False for n or N; None for any other key, to ask again."""
    return {"y": True, "n": False}.get(key.strip().lower())


def form_for_key(key: str) -> Form | None:
    """The answer to FORM_QUESTION; None for any other key, to ask again."""
    is_yes = yes_for_key(key)
    return None if is_yes is None else FORMS[0 if is_yes else 1]
