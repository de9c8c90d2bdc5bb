"""The design page as a widget of a notebook: the same answers, without a server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.designer.first_text import text_of_puzzle
from rekkyo.designer.widget import DesignWidget
from rekkyo.export.puzzle_toml.reader import read_toml

pytestmark = pytest.mark.second

EXAMPLES = Path(__file__).parents[2] / "examples"
PRISMS = Path(__file__).parents[1] / "data" / "burrtools" / "prisms.xmpuzzle"


EXAMPLES_OF_PACKINGS = [
    "polyspheres-5x11",
    "slothouber-graatsma",
    "ball-pyramid",
    "tetrominoes-twice-one-sided",
]
NAMES = ["pentominoes 3 20", "dominoes 4 4", "soma", "polysticks", "hexiamonds 4 9"]


@pytest.mark.parametrize("name", NAMES + EXAMPLES_OF_PACKINGS)
def test_a_packing_is_written_as_a_file(name: str) -> None:
    """The file says the same: pieces, how often each is used, and all places where each can lie."""
    puzzle = rk.puzzle(name) if name in NAMES else rk.puzzle_from_file(EXAMPLES / f"{name}.toml")
    models = [puzzle.model, read_toml(text_of_puzzle(puzzle), "again").model]
    told = []
    for model in models:
        assert isinstance(model, rk.Packing)
        places = {(place.piece, frozenset(place.cells)) for place in model.placements()}
        times = {(piece.name, piece.low, piece.high) for piece in model.pieces}
        told.append((model.board, model.must_be_covered, times, places))
    assert told[0] == told[1]


def test_optional_cells_times_places_and_given_pieces_are_written() -> None:
    text = """kind = "packing"
board = "###?\\n####"
filled = true
given = "AA"
reflections = false
[pieces]
A = "AA"
BB = "#"
[times]
A = [1, 3]
BB = "any"
[only_on]
BB = "...#"
"""
    puzzle = read_toml(text, "written")
    assert read_toml(text_of_puzzle(puzzle), "again").model == puzzle.model


def test_other_puzzles_begin_with_a_file() -> None:
    with pytest.raises(rk.BadInput, match="queens 8 is not a packing; begin with the text of a puzzle file"):
        rk.design(rk.queens(8))
    prisms = rk.puzzle_from_file(PRISMS, 1)
    with pytest.raises(rk.BadInput, match="is on lattice prism, on which no puzzle file can be painted"):
        rk.design(prisms)
    with pytest.raises(rk.BadInput, match=r"design begins with a \.toml file"):
        rk.design(Path("mine.xcc"))


class Page:
    """What a notebook does with a widget: messages to it, and its answers."""

    def __init__(self, widget: DesignWidget) -> None:
        self._widget = widget
        self._heard = threading.Condition()
        self._all: list[dict[str, Any]] = []
        widget.send = self._hear  # type: ignore[method-assign, assignment]

    def _hear(self, told: dict[str, Any]) -> None:
        with self._heard:
            self._all.append(told)
            self._heard.notify()

    def say(self, **message: Any) -> None:
        self._widget._handle_custom_msg(message, [])

    def stage(self, name: str, number: int) -> dict[str, Any]:
        """The answer with that name to that message, as soon as it is there."""

        def found() -> list[dict[str, Any]]:
            return [one for one in self._all if (one["stage"], one.get("id")) == (name, number)]

        with self._heard:
            assert self._heard.wait_for(found, timeout=300)
            return found()[0]


@pytest.fixture
def widget() -> Iterator[DesignWidget]:
    made = rk.design(rk.puzzle("dominoes 2 4"))
    yield made
    made.close()


def test_a_widget_answers_and_is_a_puzzle_again(widget: DesignWidget) -> None:
    assert widget.puzzle.model == read_toml(widget.text, "begun").model
    page = Page(widget)
    page.say(do="ask", id=1, text=widget.start, changes=[], values=[])
    assert page.stage("count", 1)["total"] == "5"
    change = {"do": "paint", "of": "board", "spots": [[0, 4, 0], [0, 4, 1]], "mark": "#"}
    page.say(do="ask", id=2, text=widget.start, changes=[change], values=[])
    assert page.stage("count", 2)["total"] == "8"
    assert rk.count(widget.puzzle).total == 8
    page.say(do="ask", id=3, text="kind = 1", changes=[], values=[])
    assert page.stage("end", 3)["stage"] == "end"
    assert rk.count(widget.puzzle).total == 8  # the last text without mistakes
    page.say(do="no such thing", id=4)
    page.say(do="help", what="difficulty", id=5, text=widget.text, values=[])
    assert "<html" in page.stage("played", 5)["html"]


def test_a_closed_widget_leaves_no_thread(widget: DesignWidget) -> None:
    page = Page(widget)
    page.say(do="ask", id=1, text='kind = "queens"\nn = 21\n', changes=[], values=[])
    assert page.stage("few", 1)["few"] == "many"
    widget.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "rekkyo-design"]
