"""The page that plays a search: the steps of the queens methods, as far as a page can hold them."""

from __future__ import annotations

from itertools import islice

from rekkyo.errors import BadInput
from rekkyo.methods.ladder import Method
from rekkyo.methods.queens.ladder import QUEENS_METHODS
from rekkyo.methods.queens.steps import steps
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.queens import Queens
from rekkyo.render.search_page import Played, search_page

MAX_STEPS = 40_000
LARGEST = 10


def played_page(puzzle: Puzzle) -> str:
    """The page for a plain queens board. Raises BadInput for any other puzzle, and for large boards."""
    model = puzzle.model
    if not isinstance(model, Queens) or model.blocked or model.given or model.toroidal:
        raise BadInput(
            f"only plain queens boards are played step by step, such as queens 6; not {puzzle.name}"
        )
    if model.n > LARGEST:
        raise BadInput(f"a search to watch has a board of at most {LARGEST} x {LARGEST}; not {puzzle.name}")
    first_of_each = {method.name: method for method in reversed(QUEENS_METHODS)}
    return search_page(model.n, [_played(method, model.n) for method in reversed(first_of_each.values())])


def _played(method: Method, n: int) -> Played:
    taken = [(s.kind, s.row, s.column, s.weight) for s in islice(steps(method.name, n), MAX_STEPS + 1)]
    return Played(method.title, method.explanation, None if len(taken) > MAX_STEPS else taken)
