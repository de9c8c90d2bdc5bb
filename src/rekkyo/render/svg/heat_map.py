"""A heat map as a picture: a board for each value; a spot is darker if more solutions have the value there.

The darkest spot of all boards is named with its share; every spot shows its share under the pointer.
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.model.puzzle import Puzzle
from rekkyo.render.heat import heats
from rekkyo.render.svg.drawing import Svg, document, painting_of
from rekkyo.render.svg.markup import moved, number, shown, words
from rekkyo.render.svg.painting import Markup
from rekkyo.wording import several

HEAT = "#D55E00"
GAP = 16.0
TITLE = 20.0
TITLE_SIZE = 11.0
MAX_BOARDS = 64
WIDTH = 900.0
"""The width that boards side by side may fill."""


def heat_svg(puzzle: Puzzle, total: int, uses: Sequence[int]) -> Svg:
    """Boards for the first MAX_BOARDS values. uses: the number of solutions with each atom."""
    painting = painting_of(puzzle)
    found = [heat for heat in heats(puzzle, uses) if len(heat.counts) == len(painting.spots)][:MAX_BOARDS]
    most = max((times for heat in found for times in heat.counts.values()), default=0)
    names = [6.3 * len(heat.name) for heat in found]
    board_width = max([painting.width, *names])
    across, down = board_width + GAP, painting.height + TITLE + GAP
    columns = max(1, min(len(found), int(WIDTH // across)))
    named_spots = list(zip(painting.spots, painting.spot_names, strict=True))
    drawn = ""
    for k, heat in enumerate(found):
        marks = "".join(
            _spot(path, name, times, most, total)
            for (path, name), times in zip(named_spots, heat.counts.values(), strict=True)
        )
        title = words(heat.name, (board_width / 2, TITLE / 2), TITLE_SIZE)
        board = moved(painting.background + marks, (board_width - painting.width) / 2, TITLE)
        drawn += moved(title + board, k % columns * across, k // columns * down)
    height = max(1, -(-len(found) // columns)) * down
    share = f"{100 * most / total:.3g} %" if most else "none"
    note = f"darkest: {share} of {several(total, 'solution')}"
    drawn += words(note, (0, height), TITLE_SIZE, "rk-faint rk-start")
    width = max(columns * across - GAP, 6 * len(note))
    return document(drawn, width, height + 8, f"{puzzle.title}: shares", f"{puzzle.name}: {note}.", "auto")


def _spot(path: str, name: str, times: int, most: int, total: int) -> Markup:
    opacity = number(times / most) if times else "0"
    title = f"<title>{shown(name)}: {100 * times / total:.3g} %</title>" if total else ""
    return f'<path class="rk-heat" d="{path}" fill="{HEAT}" fill-opacity="{opacity}">{title}</path>'
