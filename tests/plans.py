"""Plans of small questions, remembered: an engine whose plans change has to raise its plan version.

    python -m tests.plans            says which plans are not those of data/plans.json; exit code 1 if any is
    python -m tests.plans --write    remembers new questions, and the plans of engines whose version was raised

Two hashes for each question: of the plan with its shards, as runs have it, and of what some shards begin with
(or count, where an engine does not list). Neither depends on the computer.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import rekkyo as rk
from rekkyo.engines.contract import ListingEngine, no_pause
from rekkyo.engines.registry import engine_named
from rekkyo.kernel_switches import IS_COMPILED
from rekkyo.runs.plan_hash import plan_hash
from rekkyo.search.cutting import Into, scattered
from rekkyo.search.question import ask_for_run
from rekkyo.search.search import Search, prepare
from tests.engines.csp_problems import single_loops

PLANS = Path(__file__).with_name("data") / "plans.json"
EXAMPLES = Path(__file__).parents[1] / "examples"
N_SHARDS = 5
N_SMALL_SHARDS = 4000
N_SHARDS_SEARCHED = 3
FIRST_ROWS = 20
SLICE_NODES = 1 << 10

GAPS = rk.packing("####\n####\n####", "AA BB CCC\nA  B", filled=False, name="gaps")
"""Two pieces of one shape and another one, for an engine that needs options with one primary item."""

AREAS = rk.puzzle_from_text(
    """
kind = "grid"
title = "areas"
values = "1..4"
board = '''
.3..
...1
2...
..4.
'''
area = [{ size = "value" }]
"""
)
"""25 solutions; a larger Fillomino takes 15 s to be planned without the compiler."""

TREES = rk.graph(named="grid 5 5").spanning_trees()
"""Trials of its orders decide between them."""

DOMINATORS = rk.graph(named="grid 3 3").dominating_sets()
"""As few vertices as possible. A diagram of it is drawn in a moment without the compiler, unlike Golomb's rulers."""

LOOPS = rk.Puzzle("loops", single_loops(3, 3), "loops")
"""Edges of one cycle, whose successors are hidden."""

QUESTIONS = {
    "queens-join": ["queens 6", "queens 9", "queens 7 --blocked 0,1 --given 3,2"],
    "queens-bitmap": ["queens 6", "queens 7 | symmetry", "queens 5 --toroidal", "queens 7 --given 0,1"],
    "queens-cover": ["queens 6", "queens 5 --toroidal | symmetry"],
    "cover-determinant": ["dominoes 4 4", "dominoes 5 6 | symmetry"],
    "cover-frontier": ["dominoes 4 4", "latin-square 3"],
    "cover-memo": ["dominoes 4 4", "langford 4"],
    "cover-parts": ["gaps", "gaps | symmetry"],
    "cover-masks": ["dominoes 4 4", "dominoes 6 8 | symmetry", "langford 4"],
    "cover-bitset": ["gaps", "gaps | symmetry", "langford 7", "polyominoes 3 3 4 --any-number"],
    "cover-cells": ["gaps", "langford 4 | symmetry", "polyominoes 3 3 4 --any-number"],
    "cover-diagram": ["dominoes 4 4", "latin-square 3"],
    "magic-line-sets": ["magic-square 5", "magic-square 5 --given 3@centre"],
    "magic-line-lists": ["magic-square 5", "magic-square 5 | symmetry"],
    "sum-lines": ["magic-square 3", "magic-square 4 | symmetry", "magic-hexagon 3 | symmetry"],
    "sum-cells": ["magic-square 3", "magic-star 6"],
    "sum-join": ["semimagic-square 4", "magic-star 6", "magic-star 9"],
    "coloring-masks": ["hip 3", "hip 4 | symmetry", "schur 2 4"],
    "coloring-counters": ["hip 3", "hip 4 | symmetry", "schur 2 4"],
    "csp-determinant": ["trees", "trees | symmetry"],
    "csp-frontier": ["hip 3", "kenken.toml", "magic-square 3", "trees"],
    "csp-diagram": ["hip 3", "dominators", "magic-square 3"],
    "csp": [
        "kenken.toml",
        "costas.toml",
        "costas.toml | symmetry",
        "golomb-ruler.toml | symmetry",
        "star-battle.toml",
        "areas",
        "loops",
    ],
    "csp-cover": ["jigsaw-sudoku.toml", "latin-square-diagonal.toml | symmetry"],
    "csp-plain": ["kenken.toml", "costas.toml", "gaps", "magic-square 3", "hip 3 | symmetry"],
    "csp-values": ["hip 3", "kenken.toml"],
}

LARGE = ("magic-line-sets", "magic-line-lists")
"""Engines that have no small question: cut finely."""

ONLY_COMPILED = {
    *(question for engine in LARGE for question in QUESTIONS[engine]),
    "magic-star 9",
    "semimagic-square 4",
}
"""Questions whose shards are searched by compiled kernels alone, as it would take seconds."""

Plans: TypeAlias = dict[str, dict[str, Any]]
"""For each engine its "version", and "questions": for each of them the hashes "plan" and "shards"."""


def plans_now() -> Plans:
    """Of all engines as they are."""
    return {
        name: {
            "version": engine_named(name).plan_version,
            "questions": {words: hashes_of(name, words) for words in questions},
        }
        for name, questions in QUESTIONS.items()
    }


def hashes_of(engine: str, question: str) -> dict[str, str]:
    """Of the plan of a question, and of what its shards hold."""
    search = search_of(engine, question)
    hashes = {"plan": plan_hash("", search, search.question.up_to)[:32]}
    if IS_COMPILED or question not in ONLY_COMPILED:
        hashes["shards"] = _hash_of_shards(search)[:32]
    return hashes


def search_of(engine: str, question: str) -> Search:
    """The search that a run with this question has."""
    words, _, up_to = question.partition(" | ")
    lists = isinstance(engine_named(engine), ListingEngine)
    asked = ask_for_run(_puzzle_of(words), engine=engine, up_to=up_to or "none", keeps_rows=lists, workers=1)
    return prepare(asked, Into(N_SMALL_SHARDS if engine in LARGE else N_SHARDS))


def _puzzle_of(words: str) -> rk.Puzzle:
    if words.endswith(".toml"):
        return rk.puzzle_from_file(EXAMPLES / words)
    made_here = {"gaps": GAPS, "areas": AREAS, "trees": TREES, "loops": LOOPS, "dominators": DOMINATORS}
    return made_here[words] if words in made_here else rk.puzzle(words)


def _hash_of_shards(search: Search) -> str:
    digest = sha256()
    for shard in scattered(search.shards)[:N_SHARDS_SEARCHED]:
        digest.update(f"shard {shard.index}: {_beginning(search, shard)}\n".encode())
    return digest.hexdigest()


def _beginning(search: Search, shard: Any) -> Any:
    engine = search.engine
    if not isinstance(engine, ListingEngine):
        return engine.count(search.plan, shard, no_pause).total
    rows: list[list[int]] = []
    room = search.question.sizes.room(search.shape)
    for block in engine.blocks(search.plan, shard, room, SLICE_NODES, no_pause):
        rows += block.rows.tolist()
        if len(rows) >= FIRST_ROWS:
            break
    return rows[:FIRST_ROWS]


def remembered() -> Plans:
    """What the file holds."""
    plans: Plans = json.loads(PLANS.read_text(encoding="utf-8")) if PLANS.exists() else {}
    return plans


def complaints(before: Plans, now: Plans) -> list[str]:
    """Where a plan has changed and the version has not, or has gone down; a line each."""
    found = []
    for name, known in before.items():
        here = now.get(name)
        if here is None or here["version"] > known["version"]:
            continue
        if here["version"] < known["version"]:
            found.append(f"{name}: plan version {here['version']} is older than {known['version']}")
            continue
        found += [
            f"{name}: the {part} of {question!r} changed; raise plan_version to {known['version'] + 1}"
            for question, hashes in known["questions"].items()
            for part, there in here["questions"].get(question, {}).items()
            if hashes[part] != there
        ]
    return found


def main(words: list[str]) -> int:
    """Check, or write. Gives the exit code."""
    before, now = remembered(), plans_now()
    wrong = complaints(before, now)
    if "--write" in words and not wrong:
        if not IS_COMPILED:
            wrong = ["uncompiled, not all shards are searched; write compiled"]
        else:
            PLANS.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8", newline="\n")
    elif not wrong and is_incomplete(before, now):
        wrong = ["data/plans.json has other questions or versions; run: python -m tests.plans --write"]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


def is_incomplete(before: Plans, now: Plans) -> bool:
    """Whether the file has other engines, versions or questions than those of now."""
    return _outline(before) != _outline(now)


def _outline(plans: Plans) -> dict[str, Any]:
    return {name: (engine["version"], sorted(engine["questions"])) for name, engine in plans.items()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
