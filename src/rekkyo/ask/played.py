"""The page that plays the searches of the methods on a small puzzle step by step."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rekkyo.errors import BadInput
from rekkyo.methods.walks import Move, Way, ways_for
from rekkyo.model.coloring import Coloring
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.render.search_page import MAX_ATOMS, Played, PlayedMove, search_page
from rekkyo.render.svg.drawing import painting_of
from rekkyo.render.svg.painting import Painting

MAX_MOVES = 30_000
MAX_DEPTH = 128
"""The most decisions: a walk nests one generator for each."""


def played_page(puzzle: Puzzle) -> str:
    """The page for a small puzzle. Raises BadInput for one that no method searches, or too large to watch."""
    model = lower(puzzle.model)
    shape, ways = model.row_shape, ways_for(model)
    if not ways:
        raise BadInput(f"{puzzle.name}: no method searches variables and constraints step by step")
    if shape.n_atoms > MAX_ATOMS or shape.length > MAX_DEPTH:
        raise BadInput(
            f"a search to watch has at most {MAX_DEPTH} decisions and {MAX_ATOMS} things to decide on;"
            f" {puzzle.name} has {shape.length} and {shape.n_atoms}"
        )
    painting = painting_of(puzzle)
    describer = _Describer(model, painting)
    played = [_played(way, model, describer) for way in ways]
    return search_page(f"{puzzle.title}: the search, step by step", painting, played)


def _played(way: Way, model: object, describer: _Describer) -> Played:
    moves = list(islice(way.walk(model), MAX_MOVES + 1))
    is_whole = len(moves) <= MAX_MOVES
    return Played(way.title, way.explanation, list(map(describer.described, moves[:MAX_MOVES])), is_whole)


class _Describer:
    """Describes moves by what the drawing shows: spots and their names."""

    def __init__(self, model: object, painting: Painting) -> None:
        self._model = model
        self._painting = painting
        self._stuck: dict[int, tuple[tuple[int, ...], str]] = {}

    def described(self, move: Move) -> PlayedMove:
        spots = {spot for atom in move.because for spot, _ in self._painting.pairs_of_atom(atom)}
        words = move.words
        if move.kind == "stuck":
            if move.at not in self._stuck:
                self._stuck[move.at] = self._where(move.at)
            stuck_spots, name = self._stuck[move.at]
            spots |= set(stuck_spots)
            left = "colour" if isinstance(self._model, Coloring) else "option"
            words = words or f"No {left} is left for {name}."
        return move.kind, move.atom, tuple(sorted(spots)), words, move.weight

    def _where(self, position: int) -> tuple[tuple[int, ...], str]:
        """The spots, one or none, and the name of a position or an item.

        An item has the spot that all its options have, unless they have several in common.
        """
        names = self._painting.spot_names
        if not isinstance(self._model, ExactCover):
            return (position,), names[position]
        spots = list(self._spots_of_options(position))
        common = set.intersection(*spots) if spots else set()
        if len(common) == 1:
            (spot,) = common
            return (spot,), names[spot]
        name = self._model.item_name(position)
        return (), f"piece {name}" if f"piece {name}" in self._painting.things else name

    def _spots_of_options(self, item: int) -> Iterator[set[int]]:
        assert isinstance(self._model, ExactCover)
        for number, option in enumerate(self._model.options):
            if any(used == item for used, _ in option):
                yield {spot for spot, _ in self._painting.pairs_of_atom(number)}
