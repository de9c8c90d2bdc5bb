"""All engines, in the order in which they are preferred."""

from __future__ import annotations

from typing import Any, TypeAlias

from rekkyo.engines.colorings.counters import ColoringCounters
from rekkyo.engines.colorings.join import ColoringJoin
from rekkyo.engines.colorings.masks import ColoringMasks
from rekkyo.engines.contract import CountingEngine, ListingEngine
from rekkyo.engines.covers.bitset import CoverBitset
from rekkyo.engines.covers.cells import CoverCells
from rekkyo.engines.covers.diagram.engine import CoverDiagram
from rekkyo.engines.covers.frontier import CoverFrontier
from rekkyo.engines.covers.masks import CoverMasks
from rekkyo.engines.covers.memo import CoverMemo
from rekkyo.engines.covers.parts import CoverParts
from rekkyo.engines.queens.bitmap import QueensBitmap
from rekkyo.engines.queens.cover import QueensCover
from rekkyo.engines.queens.join import QueensJoin
from rekkyo.engines.sums.cells import SumCells
from rekkyo.engines.sums.lines import SumLines
from rekkyo.engines.sums.magic5 import MagicLineLists, MagicLineSets
from rekkyo.errors import EngineRefuses, UnknownEngine, mend_for_name
from rekkyo.model.puzzle import Model

AnyEngine: TypeAlias = ListingEngine[Any, Any] | CountingEngine[Any]

ENGINES: tuple[AnyEngine, ...] = (
    QueensJoin(),
    QueensBitmap(),
    QueensCover(),
    CoverFrontier(),
    CoverMemo(),
    CoverParts(),
    CoverMasks(),
    CoverBitset(),
    CoverCells(),
    CoverDiagram(),
    MagicLineSets(),
    MagicLineLists(),
    SumLines(),
    SumCells(),
    ColoringMasks(),
    ColoringCounters(),
    ColoringJoin(),
)


def engine_named(name: str) -> AnyEngine:
    """The engine of that name. Raises UnknownEngine, with the nearest name."""
    for engine in ENGINES:
        if engine.name == name:
            return engine
    raise UnknownEngine(f'unknown engine "{name}"; {mend_for_name(str(name), [e.name for e in ENGINES])}')


def engines_for(model: Model) -> tuple[AnyEngine, ...]:
    """The engines that accept a model, preferred ones first."""
    return tuple(engine for engine in ENGINES if engine.accepts(model))


def counting_engine(model: Model) -> AnyEngine:
    """The engine to count a model with when the user named none. Raises EngineRefuses."""
    candidates = engines_for(model)
    listing = tuple(engine for engine in candidates if isinstance(engine, ListingEngine))
    return next((e for e in candidates if e.pays_off(model)), None) or _first(listing or candidates, model)


def listing_engine(model: Model) -> ListingEngine[Any, Any]:
    """The engine to list the solutions of a model with. Raises EngineRefuses."""
    listing = tuple(engine for engine in engines_for(model) if isinstance(engine, ListingEngine))
    return next((e for e in listing if e.pays_off(model)), None) or _first(listing, model)


def listing_engine_named(name: str) -> ListingEngine[Any, Any]:
    """The listing engine of that name. Raises UnknownEngine, and EngineRefuses for one that only counts."""
    engine = engine_named(name)
    if isinstance(engine, ListingEngine):
        return engine
    listing = ", ".join(e.name for e in ENGINES if isinstance(e, ListingEngine))
    raise EngineRefuses(f"engine {name} counts without listing; to list, use one of: {listing}")


def _first(candidates: tuple[Any, ...], model: Model) -> Any:
    if candidates:
        return candidates[0]
    reasons = "; ".join(f"{engine.name} {engine.refusal(model)}" for engine in ENGINES)
    raise EngineRefuses(f"no engine accepts this model: {reasons}")
