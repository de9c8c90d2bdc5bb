"""What catalog entries of colourings share: how they become puzzles, and their symmetries as atoms."""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.model.coloring import COLOR_SYMBOLS, Coloring
from rekkyo.model.puzzle import FurtherSymmetry, Motion, Published, Puzzle
from rekkyo.model.row import AtomPermutation


def coloring_puzzle(
    name: str,
    title: str,
    model: Coloring,
    symmetry: tuple[AtomPermutation, ...] = (),
    colors: tuple[AtomPermutation, ...] = (),
    published: Published | None = None,
    motions: tuple[Motion, ...] | None = None,
) -> Puzzle:
    """The puzzle of a colouring.

    colors: generators of the exchanges of colours that keep the model, if there are any.
    """
    further = FurtherSymmetry("exchange-colours", "colours exchanged with each other", colors)
    return Puzzle(
        name, model, title, symmetry, COLOR_SYMBOLS, published, (further,) if colors else (), motions
    )


def permute_cells(move: Sequence[int], n_colors: int) -> AtomPermutation:
    """Cell p goes to cell move[p] and keeps its colour."""
    return tuple(cell * n_colors + color for cell in move for color in range(n_colors))


def exchanges(n_cells: int, n_colors: int) -> tuple[AtomPermutation, ...]:
    """Two exchanges of colours that generate all of them."""
    swap = [1, 0, *range(2, n_colors)]
    turn = [*range(1, n_colors), 0]
    return tuple(
        tuple(cell * n_colors + color for cell in range(n_cells) for color in recolored)
        for recolored in ([swap] if n_colors == 2 else [swap, turn])
    )
