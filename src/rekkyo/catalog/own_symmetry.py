"""The symmetry of a model whose symmetry was not declared.

A model on a board has the rotations and reflections of the board that keep the model. On request, a packing
also has exchanges of equal pieces, and every other model has all symmetry of the constraints. A model without
a board has all symmetry of the constraints, which are the automorphisms of a graph that encodes the model.

If the search for automorphisms is abandoned, or their group is too large to list, they are not used, and a
model without a board has no symmetry then: `unique` would have no meaning with a part of a group. `trouble`
gives the reason. A group too large to list becomes a relation, which is used on request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial, singledispatch
from typing import Any

from rekkyo.catalog import csp_symmetry
from rekkyo.catalog.colorings import exchanges, permute_cells
from rekkyo.catalog.drawn_symmetry import figure_motions, tile_motions
from rekkyo.catalog.figures import complement
from rekkyo.catalog.graph_symmetry import (
    is_proper_coloring,
    moves_of_cover,
    moves_of_csp,
    moves_of_places,
    moves_of_vertices,
)
from rekkyo.catalog.packing_symmetry import essential, exchange_symmetry, motions, motions_of_cells
from rekkyo.catalog.queens import puzzle_of
from rekkyo.errors import BadInput
from rekkyo.model.checks import shown
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lattices import SQUARE
from rekkyo.model.packing import Packing
from rekkyo.model.picture import Network, Places
from rekkyo.model.puzzle import FurtherSymmetry, Model, Motion, Puzzle, Relation, check_puzzle
from rekkyo.model.queens import Queens
from rekkyo.model.row import AtomPermutation
from rekkyo.model.sum_figure import SumFigure
from rekkyo.model.tile_board import tile_board
from rekkyo.symmetry import model_graphs
from rekkyo.symmetry.automorphisms import ABOUT_A_SECOND, Automorphisms, Permutation
from rekkyo.symmetry.csp_graph import CspGraph
from rekkyo.symmetry.group import MAX_LISTED_ATOMS, order_if_listable, order_of_generators
from rekkyo.wording import asked_up_to, large

MAX_SIZE = 1 << 21
"""The most uses of items in a model whose symmetry is searched for."""

CONSTRAINTS, MEANING = ALL = ("constraints", "all symmetry of the constraints")
"""The word for all symmetry of a model, and its meaning."""

GRAPH = ("graph", "the symmetry of the graph")
"""The word for the symmetry of a drawn graph, whether its group is listed or not, and its meaning."""


@dataclass(frozen=True, slots=True)
class OwnSymmetry:
    """The symmetry that was found. generators, further, motions, relations: as in `Puzzle`.

    order: of the group, as it acts on solutions; None if the search was abandoned. Of a group of more than
        4,095 elements that is not listed it is a lower bound, which nearly always equals the order
        (`symmetry/order.py`).
    trouble: why no symmetry is used although there may be some, in one line; empty if the search succeeded.
    missing: why some symmetry of the constraints may be missing, also in the further ones; empty if all is
        known. A board has motions even if that search was abandoned.
    """

    generators: tuple[AtomPermutation, ...] = ()
    further: tuple[FurtherSymmetry, ...] = ()
    motions: tuple[Motion, ...] | None = None
    order: int | None = 1
    trouble: str = ""
    relations: tuple[Relation, ...] = ()
    missing: str = ""


def with_own_symmetry(puzzle: Puzzle) -> tuple[Puzzle, OwnSymmetry]:
    """The puzzle with the symmetry of its model and of its drawing, and that symmetry.

    As for puzzles from files, for those built in Python without any symmetry, such as `Problem.puzzle`. A
    symmetry that a puzzle declares is kept, and `constraints` adds that of its model. Raises BadInput.
    """
    check_puzzle(puzzle)
    model, drawn = puzzle.model, puzzle.picture
    if isinstance(model, SumFigure) and isinstance(drawn, Places):
        found = _drawn_figure(model, drawn)
    elif isinstance(model, Csp) and isinstance(drawn, Network) and is_proper_coloring(model, drawn):
        found = _drawn_coloring(model, drawn)
    else:
        found = own_symmetry(model)
        if isinstance(model, (Coloring, Csp, ExactCover)) and isinstance(drawn, Network):
            found = _with_symmetry_of_graph(model, drawn, found)
    if puzzle.generators or puzzle.motions is not None:
        found = _as_declared(puzzle, found)
    own = replace(puzzle, generators=found.generators, further=found.further, relations=found.relations)
    motions = puzzle.motions if found.motions is None else found.motions
    is_searched = not (found.missing or found.trouble)
    return replace(own, motions=motions, symmetry_was_searched=is_searched), found


def _as_declared(puzzle: Puzzle, own: OwnSymmetry) -> OwnSymmetry:
    """The symmetry that a puzzle declares, and on request all symmetry of the constraints."""
    model, generators = puzzle.model, puzzle.generators
    if isinstance(model, Csp):
        generators = csp_symmetry.acting(model, generators)
    order = order_if_listable(model.row_shape, generators)
    adds = order != own.order
    # A declared symmetry need not be one of the graph. One of queens may move blocked squares, too.
    if order is not None and not adds and not isinstance(model, Queens):
        adds = order_if_listable(model.row_shape, (*generators, *own.generators)) != order
    known = {kind.word for kind in puzzle.further} | {relation.word for relation in puzzle.relations}
    is_new = CONSTRAINTS not in known
    further = [kind for kind in own.further if is_new and kind.word == CONSTRAINTS]
    relations = [kind for kind in own.relations if is_new and kind.word == CONSTRAINTS]
    missing = own.missing or own.trouble
    if not missing and adds and is_new and not further and not relations:
        further = [FurtherSymmetry(*ALL, own.generators)]
    return OwnSymmetry(
        puzzle.generators,
        (*puzzle.further, *further),
        puzzle.motions,
        order,
        relations=(*puzzle.relations, *relations),
        missing=missing,
    )


def size_of(model: Model) -> int:
    """The approximate number of edges in the graph of a model."""
    match model:
        case ExactCover():
            return sum(map(len, model.options))
        case Csp():
            return csp_symmetry.size_of(model)
        case Coloring():
            return sum(map(len, (*model.sets, *model.patterns)))
        case SumFigure():
            return sum(len(line.cells) for line in model.lines)
        case Queens():
            return 4 * model.n**2
    return 0


def all_generators(model: Model, work: int) -> tuple[AtomPermutation, ...]:
    """Generators of the symmetry of a model, including exchanges of colours and complements of numbers.

    Empty for packings, and if the search takes more than `work`.
    """
    if isinstance(model, Packing):
        return ()
    if isinstance(model, Csp):
        return csp_symmetry.all_generators(CspGraph(model), work) or ()
    automorphisms = _GRAPHS[type(model)](model).automorphisms(work)
    return () if automorphisms is None else _moving(model, automorphisms)


@singledispatch
def own_symmetry(model: Model) -> OwnSymmetry:
    """The symmetry of a model. Takes about a second at most; the result is the same on every machine.

    Raises BadInput unless given a model.
    """
    raise BadInput(f"the symmetry of a model is asked for, not of {shown(model)}; give puzzle.model")


@own_symmetry.register
def _packing(model: Packing) -> OwnSymmetry:
    of_board = motions(model)
    generators = essential(of_board, model.row_shape.n_atoms)
    order = order_if_listable(model.row_shape, generators) or order_of_generators(model.row_shape, generators)
    missing = "that of a packing is not looked for"
    return OwnSymmetry(generators, exchange_symmetry(model), of_board, order, missing=missing)


@own_symmetry.register
def _cover(model: ExactCover) -> OwnSymmetry:
    """The symmetry of a board of tiles, and on request that of the constraints; else the latter alone."""

    def of_constraints() -> OwnSymmetry:
        return _abandoned() if size_of(model) > MAX_SIZE else _found(model)

    board = tile_board(model)
    motions = None if board is None else tile_motions(model, board)
    return of_constraints() if motions is None else _on_board(motions, of_constraints)


@own_symmetry.register
def _queens(model: Queens) -> OwnSymmetry:
    """The motions of the board, also shifts on a torus; all symmetry of the constraints on request."""
    live = {row * model.n + column for row, column in model_graphs.live_squares(model)}

    def on_live(permutation: AtomPermutation) -> AtomPermutation:
        return tuple(image if atom in live else atom for atom, image in enumerate(permutation))

    declared = puzzle_of(model)
    generators = tuple(map(on_live, declared.generators))
    motions = tuple(replace(one, permutation=on_live(one.permutation)) for one in declared.motions or ())
    of_constraints = _found(model)
    order = order_if_listable(model.row_shape, generators)
    if order is None:
        return of_constraints
    found = OwnSymmetry(generators, motions=motions, order=order)
    return _with_further(found, *ALL, lambda: of_constraints)


@own_symmetry.register
def _coloring(model: Coloring) -> OwnSymmetry:
    """The rotations and reflections of the board, or without one all symmetry that keeps the colours."""
    found, meaning = _found(model, model_graphs.coloring_graph(model, exchange=False)), "colours exchanged"
    if model.board:
        of_constraints, moved = found, coloring_mover(model)
        motions = motions_of_cells(SQUARE, model.board, lambda places: moved(places, {}))
        found, meaning = _on_board(motions, lambda: of_constraints), f"{MEANING}, colours exchanged included"
    return _with_further(found, "exchange-colours", meaning, lambda: _found(model))


def coloring_mover(model: Coloring) -> Callable[[Sequence[int], Mapping[int, int]], AtomPermutation | None]:
    """The permutation of atoms that puts the colour of each cell, or its image, into its place.

    None if it does not keep the constraints.
    """

    @cache
    def before() -> tuple[object, ...]:
        return _constraints_of(model, range(model.n_cells), range(model.n_colors))

    def moved(places: Sequence[int], images: Mapping[int, int]) -> AtomPermutation | None:
        colors = [images.get(color, color) for color in range(model.n_colors)]
        if _constraints_of(model, places, colors) != before():
            return None
        return tuple(place * model.n_colors + color for place in places for color in colors)

    return moved


def _constraints_of(model: Coloring, places: Sequence[int], colors: Sequence[int]) -> tuple[object, ...]:
    """The constraints of a colouring after every cell is moved to its place, and every colour replaced."""
    return (
        {frozenset(places[cell] for cell in cells) for cells in model.sets},
        {frozenset((places[cell], colors[color]) for cell, color in part) for part in model.patterns},
        {(places[cell], colors[color]) for cell, color in model.fixed},
        {(colors[color], bounds) for color, bounds in enumerate(model.bounds)},
    )


@own_symmetry.register
def _figure(model: SumFigure) -> OwnSymmetry:
    found = _found(model, model_graphs.figure_graph(model, complement=False))
    return _with_further(found, "complement", complement(model).meaning, lambda: _found(model))


def _drawn_figure(model: SumFigure, drawn: Places) -> OwnSymmetry:
    """The rotations and reflections of the lattice, and all symmetry of the constraints on request."""
    of_constraints = own_symmetry(model)
    board = figure_motions(model, drawn)
    if board is None:
        return of_constraints
    found = _on_board(board.motions, lambda: of_constraints)
    if board.complement is not None:
        complements = [FurtherSymmetry("complement", complement(model).meaning, (board.complement,))]
    else:
        complements = [replace(one, meaning=f"{MEANING}, {one.meaning}") for one in of_constraints.further]
    return replace(found, further=(*found.further, *complements))


def _drawn_coloring(model: Csp, drawn: Network) -> OwnSymmetry:
    """The symmetry of a graph with too many colours for a `Coloring`, and exchanges of colours on request."""
    n_vertices, n_colors = len(drawn.names), len(model.values)
    moves = moves_of_vertices(drawn)
    if moves is None:
        return _abandoned()
    generators = tuple(permute_cells(move, n_colors) for move in moves)
    exchange = Relation(
        "exchange-colours", "colours exchanged", (*generators, *exchanges(n_vertices, n_colors))
    )
    found = _listed(model, generators)
    return replace(found, relations=(*found.relations, exchange))


def _with_symmetry_of_graph(
    model: Coloring | Csp | ExactCover, drawn: Network, own: OwnSymmetry
) -> OwnSymmetry:
    """The symmetry of the drawn graph that keeps the model; on request that of the constraints, if larger.

    It is larger for sets of edges of K5 with an even number at each vertex: their complements are such sets.
    The word for the former is the same for all sizes of a family, also where its group is too large to list.
    """
    is_abandoned = own.trouble and not own.relations
    if is_abandoned or (isinstance(model, Csp) and model.values != (0, 1)):
        return own
    generators = _generators_of_graph(model, drawn)
    if generators is None:
        return own
    found = _listed(model, generators)
    if found.trouble:  # both groups are too large to list
        too_large = _too_large(generators, None, GRAPH)
        return replace(too_large, relations=(*too_large.relations, *own.relations))
    if found.order == own.order:
        found = own
    else:
        found = _with_further(found, *ALL, lambda: own)
        beside = () if own.trouble else own.relations
        found = replace(found, further=(*found.further, *own.further), relations=(*found.relations, *beside))
    return replace(found, further=(FurtherSymmetry(*GRAPH, ()), *found.further))


def _generators_of_graph(
    model: Coloring | Csp | ExactCover, drawn: Network
) -> tuple[AtomPermutation, ...] | None:
    """What the symmetry of a drawn graph that keeps the model does to rows; None if it is not found."""
    moves = moves_of_places(drawn)
    if moves is None:
        return None
    if isinstance(model, Csp):
        return moves_of_csp(model, drawn, moves)
    if isinstance(model, ExactCover):
        return moves_of_cover(model, moves)
    moved = coloring_mover(model)
    generators = tuple(one for move in moves if (one := moved([place for place, _ in move], {})) is not None)
    return generators if len(generators) == len(moves) else None


def _on_board(
    motions: tuple[Motion, ...], of_constraints: Callable[[], OwnSymmetry], meaning: str = MEANING
) -> OwnSymmetry:
    """The motions of a board, and on request all symmetry of the constraints."""
    generators = tuple(motion.permutation for motion in motions)
    order = len({*generators, tuple(range(len(generators[0])))}) if generators else 1
    found = OwnSymmetry(generators, motions=motions, order=order)
    return _with_further(found, CONSTRAINTS, meaning, of_constraints)


@own_symmetry.register
def _csp(model: Csp) -> OwnSymmetry:
    """The rotations and reflections of the board, and all symmetry of the constraints on request."""
    if csp_symmetry.size_of(model) > csp_symmetry.MAX_SIZE:
        return _abandoned()
    graph = CspGraph(model)
    motions = csp_symmetry.board_motions(model, graph)
    if motions is None:
        return _listed(model, csp_symmetry.all_generators(graph, ABOUT_A_SECOND))
    more = partial(csp_symmetry.all_generators, graph, ABOUT_A_SECOND // 10)
    found = _on_board(motions, lambda: _listed(model, more()), f"{MEANING}, values exchanged included")
    exchanges = csp_symmetry.value_exchanges(model, graph)
    with_values = (*found.generators, *exchanges)
    return _with_further(found, "values", "values exchanged", lambda: _listed(model, with_values))


def _listed(model: Model, generators: tuple[AtomPermutation, ...] | None) -> OwnSymmetry:
    """The group that some generators make, if they were found and it is not too large."""
    if generators is None:
        return _abandoned()
    order = order_if_listable(model.row_shape, generators)
    return _too_large(generators, None) if order is None else OwnSymmetry(generators, order=order)


def _with_further(
    found: OwnSymmetry, word: str, meaning: str, search: Callable[[], OwnSymmetry]
) -> OwnSymmetry:
    """Add the symmetry that a wider search finds, if it is larger and can be used."""
    if found.trouble:
        return found
    wider = search()
    if wider.trouble and not wider.relations:
        return replace(found, missing="the search for it took too long")
    if wider.trouble:
        [relation] = wider.relations
        return replace(found, relations=(*found.relations, replace(relation, word=word, meaning=meaning)))
    if wider.order == found.order:
        return found
    return replace(found, further=(*found.further, FurtherSymmetry(word, meaning, wider.generators)))


def _found(model: Model, graph: model_graphs.ModelGraph | None = None) -> OwnSymmetry:
    """The symmetry of a graph, by default of the one that has all symmetry of the model."""
    automorphisms = (graph or _GRAPHS[type(model)](model)).automorphisms()
    if automorphisms is None:
        return _abandoned()
    order = automorphisms.order
    generators = _moving(model, automorphisms)
    if order * model.row_shape.n_atoms > MAX_LISTED_ATOMS:
        return _too_large(generators, order)
    return OwnSymmetry(generators, order=order)


def _moving(model: Model, automorphisms: Automorphisms) -> tuple[AtomPermutation, ...]:
    """The generators that move something, as permutations of atoms."""
    moving = map(partial(_ATOMS[type(model)], model), automorphisms.generators)
    return tuple(g for g in moving if g != tuple(range(len(g))))


_GRAPHS: Mapping[type[Model], Callable[[Any], model_graphs.ModelGraph]] = {
    ExactCover: model_graphs.cover_graph,
    Queens: model_graphs.queens_graph,
    Coloring: partial(model_graphs.coloring_graph, exchange=True),
    SumFigure: partial(model_graphs.figure_graph, complement=True),
}
"""For each type of model, its graph whose automorphisms are all symmetry of the model."""

_ATOMS: Mapping[type[Model], Callable[[Any, Permutation], AtomPermutation]] = {
    ExactCover: lambda model, permutation: permutation[: len(model.options)] or (0,),
    Queens: model_graphs.queens_atoms,
    Coloring: model_graphs.coloring_atoms,
    SumFigure: model_graphs.figure_atoms,
}
"""For each type of model, a function for the permutation of atoms of an automorphism of the model's graph."""


def _too_large(
    generators: tuple[AtomPermutation, ...], order: int | None, name: tuple[str, str] = ALL
) -> OwnSymmetry:
    size = "is" if order is None else f"has order {large(order)},"
    relation = Relation(*name, generators, order=order)
    fix = f"count with {asked_up_to(relation.word)}"
    trouble = f"the symmetry group {size} too large to list, so none is used; {fix}"
    return OwnSymmetry(order=order, trouble=trouble, relations=(relation,))


def _abandoned() -> OwnSymmetry:
    return OwnSymmetry(order=None, trouble="the search for its symmetry took too long, so none is used")
