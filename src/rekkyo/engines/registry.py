"""All engines, in the order in which they are preferred.

The engines of a family are imported when their turn comes: a search needs few of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
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


@cache
def _queens() -> tuple[AnyEngine, ...]:
    from rekkyo.engines.queens.bitmap.engine import QueensBitmap
    from rekkyo.engines.queens.cover.engine import QueensCover
    from rekkyo.engines.queens.join.engine import QueensJoin

    return QueensJoin(), QueensBitmap(), QueensCover()


@cache
def _covers() -> tuple[AnyEngine, ...]:
    from rekkyo.engines.covers.bitset.engine import CoverBitset
    from rekkyo.engines.covers.cells.engine import CoverCells
    from rekkyo.engines.covers.diagram.engine import CoverDiagram
    from rekkyo.engines.covers.frontier.engine import CoverFrontier
    from rekkyo.engines.covers.masks.engine import CoverMasks
    from rekkyo.engines.covers.memo.engine import CoverMemo
    from rekkyo.engines.covers.parts.engine import CoverParts

    first = CoverFrontier(), CoverMemo(), CoverParts()
    return *first, CoverMasks(), CoverBitset(), CoverCells(), CoverDiagram()


@cache
def _sums() -> tuple[AnyEngine, ...]:
    from rekkyo.engines.sums.cells.engine import SumCells
    from rekkyo.engines.sums.join.engine import SumJoin
    from rekkyo.engines.sums.lines.engine import SumLines
    from rekkyo.engines.sums.magic5.engine import MagicLineLists, MagicLineSets

    return MagicLineSets(), MagicLineLists(), SumLines(), SumCells(), SumJoin()


@cache
def _colorings() -> tuple[AnyEngine, ...]:
    from rekkyo.engines.colorings.counters.engine import ColoringCounters
    from rekkyo.engines.colorings.masks.engine import ColoringMasks

    return ColoringMasks(), ColoringCounters()


@cache
def _constraints() -> tuple[AnyEngine, ...]:
    from rekkyo.engines.csp.cover.engine import CspCover
    from rekkyo.engines.csp.frontier.engine import CspFrontier
    from rekkyo.engines.csp.plain.engine import CspPlain
    from rekkyo.engines.csp.propagating.engine import CspSearch
    from rekkyo.engines.csp.values.engine import CspValues

    return CspFrontier(), CspSearch(), CspCover(), CspPlain(), CspValues()


class Family(NamedTuple):
    """Engines that are imported together.

    engines: a function that imports them. types: of models that they accept. words: with which names begin.
    """

    engines: Callable[[], tuple[AnyEngine, ...]]
    types: tuple[type[Any], ...]
    words: tuple[str, ...]


FAMILIES = (
    Family(_queens, (Queens,), ("queens",)),
    Family(_covers, (ExactCover,), ("cover",)),
    Family(_sums, (SumFigure,), ("magic", "sum")),
    Family(_colorings, (Coloring,), ("coloring",)),
    Family(_constraints, (Csp, Queens, ExactCover, SumFigure, Coloring), ("csp",)),
)
"""Importing all of them takes as long as importing Numba."""

SHARING_SEARCH_CODE = (
    frozenset({"cover-frontier", "cover-diagram", "csp-frontier"}),
    frozenset({"cover-bitset", "queens-cover", "csp-cover"}),
    frozenset({"magic-line-sets", "magic-line-lists", "sum-lines"}),
)
"""Engines of which one calls kernels of the other."""

MOST_OF_NAME = 100


def all_engines() -> Iterator[AnyEngine]:
    """All engines, preferred ones first."""
    return chain.from_iterable(family.engines() for family in FAMILIES)


def engines_by_type(model: Model) -> Iterator[AnyEngine]:
    """The engines of families that accept models of this type, preferred ones first."""
    return chain.from_iterable(family.engines() for family in FAMILIES if isinstance(model, family.types))


def listing(engines: Iterable[AnyEngine]) -> Iterator[ListingEngine[Any, Any]]:
    """The engines that list solutions."""
    return (engine for engine in engines if isinstance(engine, ListingEngine))


def engine_named(name: str) -> AnyEngine:
    """The engine of that name. Raises UnknownEngine, with the nearest name."""
    if not isinstance(name, str):
        raise UnknownEngine(f"an engine is a name such as {next(all_engines()).name}, not {shown(name)}")
    families = (family for family in FAMILIES if name.partition("-")[0] in family.words)
    for engine in chain.from_iterable(family.engines() for family in families):
        if engine.name == name:
            return engine
    fix = fix_for_name(name[:MOST_OF_NAME], [engine.name for engine in all_engines()])
    raise UnknownEngine(f'unknown engine "{in_short(name)}"; {fix}')


def engines_for(model: Model) -> tuple[AnyEngine, ...]:
    """The engines that accept a model, preferred ones first."""
    return tuple(engine for engine in engines_by_type(model) if engine.accepts(model))


def counting_engine(model: Model, *, asks_for_total: bool = False) -> AnyEngine:
    """The engine to count a model with when the user named none. Raises EngineRefuses.

    asks_for_total: whether nothing but the total is wanted. An engine may have found it while it was asked
    whether it pays off, or may find the orbits with difficulty only.
    """
    return (
        _that_pays_off(engines_by_type(model), model, asks_for_total=asks_for_total)
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
    return sorted(
        (engine for engine in engines_for(model) if engine.name != first.name),
        key=lambda engine: (isinstance(engine, ListingEngine) != lists, not engine.pays_off(model)),
    )


def independent_engine(model: Model, first: AnyEngine) -> AnyEngine | None:
    """The first other engine that shares no search code; None if there is none."""
    others = other_engines(model, first)
    return next((engine for engine in others if not share_search_code(engine.name, first.name)), None)


def share_search_code(one: str, other: str) -> bool:
    """Whether two engines, by their names, are one or call kernels of each other."""
    pair = {one, other}
    return len(pair) == 1 or any(pair <= names for names in SHARING_SEARCH_CODE)


def listing_engine(model: Model) -> ListingEngine[Any, Any]:
    """The engine to list the solutions of a model with. Raises EngineRefuses."""
    pays_off = _that_pays_off(listing(engines_by_type(model)), model)
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
    asked = (engine for engine in engines if engine.may_be_chosen and engine.accepts(model))
    return next(
        (e for e in asked if e.pays_off(model) or (asks_for_total and e.pays_off_for_total(model))), None
    )


def _first(engines: Iterable[EngineT], model: Model) -> EngineT | None:
    return next((engine for engine in engines if engine.accepts(model)), None)


def _none(model: Model) -> NoReturn:
    reasons = "; ".join(f"{engine.name} {engine.refusal(model)}" for engine in all_engines())
    raise EngineRefuses(f"no engine accepts this model: {reasons}")
