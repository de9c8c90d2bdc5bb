"""A way from a puzzle to an answer, as a value, and random ones."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import rekkyo as rk
from rekkyo.engines import registry
from rekkyo.engines.contract import ListingEngine
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from tests.fuzz.models import symmetries
from tests.fuzz.oracle import Truth

MANY_ROWS = 300
"""Of so many rows no way takes them one by one, which would take seconds."""


@dataclass(frozen=True, slots=True)
class Way:
    """What is asked, and how. Two ways to the same puzzle must not contradict each other, nor the truth.

    asked: a key of `asking.ASKED`. engine: by name; None for the one that is preferred.
    limit: of solutions; a list is also left after so many.
    shards: of a run, and of what asks an engine itself.
    stop_after: slices after which the search is made to fail; then it is asked again, or the run resumed.
    file: "toml" or "xcc", through which the puzzle goes first; "" for none.
    form: of an export. sizes: of the search, by name. seed: of what else is drawn on the way.
    merging: the seed by which limits of engines that merge are lowered; 0 leaves them.
    """

    asked: str
    engine: str | None = None
    up_to: str = "none"
    workers: int = 1
    limit: int | None = None
    shards: int | None = None
    stop_after: int | None = None
    file: str = ""
    form: str = ""
    sizes: tuple[tuple[str, int], ...] = ()
    seed: int = 0
    merging: int = 0


RUNS = ("run", "executor run", "export run", "recount", "recount part", "killed run")
WEIGHTS = {
    "count": 14,
    "limit": 6,
    "digest": 8,
    "solve": 10,
    "blocks": 8,
    "left early": 3,
    "orbits": 7,
    "kth": 4,
    "sample": 5,
    "estimate": 2,
    "slices": 10,
    "submodels": 3,
    "export": 4,
    "text": 3,
    "run": 12,
    "count-only run": 4,
    "executor run": 4,
    "export run": 4,
    "recount": 3,
    "recount part": 3,
    "killed run": 0,
}
"""How often each is asked. Killing a process takes seconds, so the tests ask for it by themselves."""

CHOICES = {
    "block_rows": (1, 2, 3, 7, 50),
    "block_bytes": (1, 20, 500),
    "slice_nodes": (1, 2, 5, 30, 1000),
    "moment_nodes": (1, 3, 20, 500),
    "shards": (1, 2, 3, 10, 40),
    "shards_if_short": (1, 2, 5),
    "short_moments": (1, 2, 1000),
    "overdue_moments": (1, 64),
    "shards_long": (5000,),  # a run of so many shards is estimated first, for a second
    "large_nodes": (1, 10, 200),
    "shards_to_stream": (1, 5, 100),
    "stream_nodes": (1, 10),
    "known_blocks": (1, 2),
    "blocks_ahead": (1, 2),
    "checked_every": (1, 2),
    "symmetry_size": (1, 1 << 30),
}

CUT_TWICE = {
    "block_rows": (1, 2),
    "moment_nodes": (2, 3, 5, 10, 20),
    "shards": (20, 40),
    "shards_if_short": (2, 5, 10),
    "short_moments": (1000,),
    "shards_to_stream": (50, 100),
    "stream_nodes": (1000,),
    "blocks_ahead": (1,),
    "known_blocks": (16,),
    "symmetry_size": (1 << 30,),
}
"""With these even a small search is judged by some of its shards and then cut in another way."""


def draw_way(rng: random.Random, truth: Truth) -> Way:
    """A way that the puzzle of this truth can be asked."""
    asked = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    if asked == "kth" and not has_diagram(truth.puzzle.model):
        asked = "count"
    return draw_way_to_ask(rng, truth, asked)


def draw_way_to_ask(rng: random.Random, truth: Truth, asked: str) -> Way:
    """The same, for something."""
    model = lower(truth.puzzle.model)
    engines = [e.name for e in registry.engines_for(model) if asked in COUNTS or isinstance(e, ListingEngine)]
    is_run = asked in (*RUNS, "count-only run")
    return Way(
        asked,
        rng.choice([None, *engines, *engines]),
        rng.choice(symmetries(truth.puzzle)),
        rng.choice((1, 1, 2, 2, 3)),
        limit=_draw_limit(rng, len(truth.rows)),
        shards=rng.choice((None, 1, 2, 5, 30)) if is_run else rng.choice((1, 2, 7, 40)),
        stop_after=rng.choice((0, 0, 1, 2, 5)) if rng.random() < 0.4 else None,
        file=rng.choice(files_for(truth.puzzle.model)) if rng.random() < 0.3 else "",
        form=rng.choice(("csv", "jsonl", "npy")),
        sizes=_draw_sizes(rng, many_rows=len(truth.rows) > MANY_ROWS),
        seed=rng.randrange(1000),
        merging=rng.choice((0, rng.randrange(1000))),
    )


COUNTS = ("count", "count-only run")
"""What can be asked of engines that do not list."""


def has_diagram(model: Model) -> bool:
    """Whether a diagram is drawn for the model; a problem needs hidden variables that follow from the others."""
    lowered = lower(model)
    if isinstance(lowered, Csp):
        lowered = replace(lowered, objective=None)
    return isinstance(lowered, (ExactCover, Queens)) or CspFrontier().accepts(lowered)


def files_for(model: Model) -> tuple[str, ...]:
    """The kinds of files that a model can go through with the same rows."""
    if isinstance(model, Csp):
        return ("",)
    if isinstance(model, Packing) and len({piece for piece, _ in model.given}) < len(model.given):
        return ("xcc",)  # a drawing shows one given piece for each letter
    return ("toml", "xcc") if isinstance(model, (ExactCover, Packing)) else ("toml",)


def _draw_limit(rng: random.Random, total: int) -> int:
    return max(0, rng.choice((0, 1, total - 1, total, total + 1, rng.randint(0, total))))


def _draw_sizes(rng: random.Random, *, many_rows: bool) -> tuple[tuple[str, int], ...]:
    """Some sizes from 1 on; the others stay as they are."""
    share = rng.choice((0.0, 0.3, 0.7))
    drawn = {name: rng.choice(values) for name, values in CHOICES.items() if rng.random() < share}
    if rng.random() < 0.4:
        drawn |= {name: rng.choice(values) for name, values in CUT_TWICE.items()}
    if many_rows:
        for name, least in (("block_rows", 20), ("block_bytes", 100), ("slice_nodes", 50)):
            if name in drawn:
                drawn[name] = max(least, drawn[name])
    return tuple(drawn.items())


def sizes_of(way: Way) -> rk.Sizes:
    """The sizes as they are handed in."""
    return rk.Sizes(**dict(way.sizes))
