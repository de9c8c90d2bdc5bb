"""All engines, in the order in which they are preferred.

An engine is imported when its turn comes: a search needs few of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from itertools import chain
from typing import Any, NamedTuple, NoReturn, TypeAlias, TypeVar

from rekkyo.engines.contract import CountingEngine, ListingEngine
from rekkyo.errors import EngineRefuses, UnknownEngine, fix_for_name, in_short
from rekkyo.model.checks import shown
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from rekkyo.model.sum_figure import SumFigure

AnyEngine: TypeAlias = ListingEngine[Any, Any] | CountingEngine[Any]
EngineT = TypeVar("EngineT", bound=AnyEngine)


class Family(NamedTuple):
    """Engines for the same models: for each name, the module and the class.

    types: of these models. chosen: engines that are chosen where they pay off. named: engines that are used
    if they are named, to check others, if a race chooses them, or if no other one accepts a model.
    """

    types: tuple[type[Any], ...]
    chosen: dict[str, str]
    named: dict[str, str]

    @property
    def names(self) -> Iterator[str]:
        """The names of its engines, those that may be chosen first."""
        return chain(self.chosen, self.named)


FAMILIES = (
    Family(
        (Queens,),
        {
            "queens-join": "queens.join.engine:QueensJoin",
            "queens-bitmap": "queens.bitmap.engine:QueensBitmap",
        },
        {"queens-cover": "queens.cover.engine:QueensCover"},
    ),
    Family(
        (ExactCover,),
        {
            "cover-determinant": "determinants.matchings:CoverDeterminant",
            "cover-frontier": "covers.frontier.engine:CoverFrontier",
            "cover-memo": "covers.memo.engine:CoverMemo",
            "cover-parts": "covers.parts.engine:CoverParts",
            "cover-masks": "covers.masks.engine:CoverMasks",
            "cover-bitset": "covers.bitset.engine:CoverBitset",
            "cover-cells": "covers.cells.engine:CoverCells",
        },
        {"cover-diagram": "covers.diagram.engine:CoverDiagram"},
    ),
    Family(
        (SumFigure,),
        {
            "magic-line-sets": "sums.magic5.engine:MagicLineSets",
            "magic-line-lists": "sums.magic5.engine:MagicLineLists",
            "sum-lines": "sums.lines.engine:SumLines",
            "sum-cells": "sums.cells.engine:SumCells",
        },
        {"sum-join": "sums.join.engine:SumJoin"},
    ),
    Family(
        (Coloring,),
        {
            "coloring-masks": "colorings.masks.engine:ColoringMasks",
            "coloring-counters": "colorings.counters.engine:ColoringCounters",
        },
        {},
    ),
    Family(
        (Csp, Queens, ExactCover, SumFigure, Coloring),
        {
            "csp-determinant": "determinants.trees:CspDeterminant",
            "csp": "csp.propagating.engine:CspSearch",
            "csp-cover": "csp.cover.engine:CspCover",
            "csp-plain": "csp.plain.engine:CspPlain",
        },
        {
            "csp-frontier": "csp.frontier.engine:CspFrontier",
            "csp-diagram": "csp.diagram.engine:CspDiagram",
            "csp-values": "csp.values.engine:CspValues",
        },
    ),
)
"""Importing all of them takes as long as importing Numba."""

PLACE_OF = {name: place for family in FAMILIES for name, place in (family.chosen | family.named).items()}

SHARING_SEARCH_CODE = (
    frozenset({"cover-frontier", "cover-diagram", "csp-frontier", "csp-diagram"}),
    frozenset({"cover-determinant", "csp-determinant"}),
    frozenset({"csp-cover", "csp-frontier"}),
    frozenset({"cover-bitset", "queens-cover", "csp-cover"}),
    frozenset({"magic-line-sets", "magic-line-lists", "sum-lines"}),
)
"""Engines of which one calls kernels of the other, or that narrow domains by one code (`csp/narrowed.py`)."""

ENGINES = "rekkyo.engines"

MOST_OF_NAME = 100


@cache
def _engine(name: str) -> AnyEngine:
    module, _, kind = PLACE_OF[name].partition(":")
    engine: AnyEngine = getattr(import_module(f"{ENGINES}.{module}"), kind)()
    return engine


def all_engines() -> Iterator[AnyEngine]:
    """All engines, preferred ones first."""
    return map(_engine, PLACE_OF)


def engines_by_type(model: Model) -> Iterator[AnyEngine]:
    """The engines of families that accept models of this type, preferred ones first."""
    return (_engine(name) for family in _families(model) for name in family.names)


def _may_be_chosen(model: Model) -> Iterator[AnyEngine]:
    return (_engine(name) for family in _families(model) for name in family.chosen)


def _families(model: Model) -> Iterator[Family]:
    return (family for family in FAMILIES if isinstance(model, family.types))


def listing(engines: Iterable[AnyEngine]) -> Iterator[ListingEngine[Any, Any]]:
    """The engines that list solutions."""
    return (engine for engine in engines if isinstance(engine, ListingEngine))


def engine_named(name: str) -> AnyEngine:
    """The engine of that name. Raises UnknownEngine, with the nearest name."""
    if not isinstance(name, str):
        raise UnknownEngine(f"an engine is a name such as {next(iter(PLACE_OF))}, not {shown(name)}")
    if name in PLACE_OF:
        return _engine(name)
    fix = fix_for_name(name[:MOST_OF_NAME], list(PLACE_OF))
    raise UnknownEngine(f'unknown engine "{in_short(name)}"; {fix}')


def engines_for(model: Model) -> tuple[AnyEngine, ...]:
    """The engines that accept a model, preferred ones first."""
    return _that_can_plan(engines_by_type(model), model)


def listing_engines_for(model: Model) -> tuple[ListingEngine[Any, Any], ...]:
    """Those of them that list solutions; the others are not asked."""
    return _that_can_plan(listing(engines_by_type(model)), model)


def _that_can_plan(engines: Iterable[EngineT], model: Model) -> tuple[EngineT, ...]:
    return tuple(engine for engine in engines if engine.accepts(model) and engine.can_plan(model))


def counting_engine(model: Model, *, asks_for_total: bool = False) -> AnyEngine:
    """The engine to count a model with when the user named none. Raises EngineRefuses.

    asks_for_total: whether nothing but the total is wanted. An engine may have found it while it was asked
    whether it pays off, or may find the orbits with difficulty only.
    """
    return (
        _that_pays_off(_may_be_chosen(model), model, asks_for_total=asks_for_total)
        or _first(listing(engines_by_type(model)), model)
        or _first(engines_by_type(model), model)
        or _none(model)
    )


def quick_engine(model: Model) -> AnyEngine | None:
    """An engine that may end before another one is chosen, which takes 1 to 40 ms; None if there is none.

    There is one for constraints that are a cover, and for covers by options of three items or more on
    average. Covers by shorter options are mostly merged, and its kernels take ten seconds to compile.
    """
    if isinstance(model, Csp):
        stated = engine_named("csp-cover")
        return stated if stated.pays_off(model) and stated.accepts(model) else None
    if not isinstance(model, ExactCover):
        return None
    quick, parts = engine_named("cover-bitset"), engine_named("cover-parts")
    if not quick.accepts(model):
        return None
    is_likely = len(model.uses) >= 2 * 3 * len(model.options)  # its numbers are pairs
    return quick if is_likely and not (parts.accepts(model) and parts.pays_off(model)) else None


def other_engines(model: Model, first: AnyEngine) -> list[AnyEngine]:
    """The other engines that accept a model, in the order in which they should count it a second time.

    Those of the same kind come first: where the first counts what is too much to list, one that lists would
    not come to the end. Of these, engines that pay off are expected to be fast enough.
    """
    lists = isinstance(first, ListingEngine) or not first.beyond_lists
    chosen = {name for family in FAMILIES for name in family.chosen}

    def rank(engine: AnyEngine) -> tuple[bool, bool]:
        pays_off = engine.name in chosen and engine.pays_off_again(model)
        return isinstance(engine, ListingEngine) != lists, not pays_off

    return sorted((engine for engine in engines_for(model) if engine.name != first.name), key=rank)


def independent_engines(model: Model, first: AnyEngine) -> list[AnyEngine]:
    """The other engines that share no search code with the first, in the same order."""
    others = other_engines(model, first)
    return [engine for engine in others if not share_search_code(engine.name, first.name)]


def share_search_code(one: str, other: str) -> bool:
    """Whether two engines, by their names, are one or call kernels of each other."""
    pair = {one, other}
    return len(pair) == 1 or any(pair <= names for names in SHARING_SEARCH_CODE)


def listing_engine(model: Model) -> ListingEngine[Any, Any]:
    """The engine to list the solutions of a model with. Raises EngineRefuses."""
    pays_off = _that_pays_off(listing(_may_be_chosen(model)), model)
    return pays_off or _first(listing(engines_by_type(model)), model) or _none(model)


def listing_engine_named(name: str, model: Model | None = None) -> ListingEngine[Any, Any]:
    """The listing engine of that name. Raises UnknownEngine, and EngineRefuses for one that only counts.

    model: if given, only engines that accept it are suggested instead.
    """
    engine = engine_named(name)
    if isinstance(engine, ListingEngine):
        return engine
    others = ", ".join(e.name for e in listing(all_engines()) if model is None or e.accepts(model))
    raise EngineRefuses(f"engine {name} counts without listing; to list, use one of: {others}")


def _that_pays_off(
    engines: Iterable[EngineT], model: Model, *, asks_for_total: bool = False
) -> EngineT | None:
    """The first that accepts the model and pays off; those after it are not asked."""
    asked = (engine for engine in engines if engine.accepts(model))
    return next(
        (e for e in asked if e.pays_off(model) or (asks_for_total and e.pays_off_for_total(model))), None
    )


def _first(engines: Iterable[EngineT], model: Model) -> EngineT | None:
    return next((engine for engine in engines if engine.accepts(model)), None)


def _none(model: Model) -> NoReturn:
    reasons = "; ".join(f"{engine.name} {engine.refusal(model)}" for engine in all_engines())
    raise EngineRefuses(f"no engine accepts this model: {reasons}")
