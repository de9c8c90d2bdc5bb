"""Files that nobody wrote: mutated examples and random structures. Readers refuse them in one line, or read them.

The short run is part of the suite. The long one goes on for REKKYO_FUZZ_SECONDS (60 by default):
REKKYO_FUZZ_SECONDS=600 pytest -m long tests/export/test_fuzz_files.py
"""

from __future__ import annotations

import gzip
import json
import os
import tempfile
import time
import tomllib
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.export.burrtools import read_burrtools
from rekkyo.export.cnf_file import read_cnf
from rekkyo.export.flatzinc.reader import flat_puzzle, read_flatzinc
from rekkyo.export.puzzle_files import write_dimacs
from rekkyo.export.puzzle_toml.coloring import AVOID_KEYS, DIFFERENT_KEYS
from rekkyo.export.puzzle_toml.graph import FINDS
from rekkyo.export.puzzle_toml.graph import KEYS as GRAPH_KEYS
from rekkyo.export.puzzle_toml.grid.reader import CLAUSES
from rekkyo.export.puzzle_toml.reader import COMMON_KEYS, KINDS, PUBLISHED_KEYS, read_toml
from rekkyo.export.puzzle_toml.templates import template
from rekkyo.export.xcc import read_xcc, write_xcc
from rekkyo.export.xcsp3.reader import read_xcsp3_file
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Puzzle
from rekkyo.render.understood import understood
from tests.export.burrtools_texts import puzzle_text, use, voxel
from tests.export.xcsp3.cases import CASES, EXPRESSIONS, declared

ROOT = Path(__file__).parent.parent.parent
MAX_MEMORY = 200 << 20
MAX_SECONDS = 20.0
SECONDS = float(os.environ.get("REKKYO_FUZZ_SECONDS", "60"))

TOML_SEEDS = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").glob("*.toml"))]
TOML_SEEDS += [template(kind) for kind in KINDS]
XCC_SEEDS = [
    "| Knuth's toy example\np q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n",
    "2:3|a 4|b c | x\na b x:1\nb c\na x:2\n",
]
FLATZINC = Path(__file__).parents[1] / "data" / "flatzinc"
CNF_SEEDS = [
    "c two clauses\np cnf 4 2\nc p show 1 2 3 0\n1 -2 0\n2 3\n-4 0\n",
    *(write_dimacs(rk.puzzle(words)) for words in ("queens 4", "schur 2 4")),
]
FLATZINC_SEEDS = [path.read_text("utf-8") for path in sorted(FLATZINC.glob("*.fzn"))]
XCSP3_SEEDS = [declared(body) for body, _ in CASES.values()]
XCSP3_SEEDS += [declared(f"<intension> {text} </intension>") for text in EXPRESSIONS]
BURRTOOLS_SEEDS = [
    '<?xml version="1.0"?>\n<puzzle version="2">\n<gridType type="0"/>\n<colors/>\n<shapes>\n'
    '<voxel x="3" y="2" z="1" type="0" name="L">###_#_</voxel>\n<voxel x="4" y="2" z="2" type="0">########++++++++</voxel>\n'
    '</shapes>\n<problems><problem name="p" state="2" assemblies="1"><shapes><shape id="0" count="2"/>'
    '<shape id="0" min="0" max="3"/></shapes><result id="1"/><bitmap/></problem></problems>\n<comment/>\n</puzzle>\n',
]
BURRTOOLS_SEEDS.append(BURRTOOLS_SEEDS[0].replace('<shape id="0" min="0" max="3"/>', ""))
BURRTOOLS_SEEDS.append(BURRTOOLS_SEEDS[1].replace('gridType type="0"', 'gridType type="1"'))
BURRTOOLS_SEEDS.extend(
    puzzle_text([voxel(3, 2, 1, piece, "A"), voxel(3, 3, 1, board)], use(0, 2), 1, grid=grid).decode()
    for grid, piece, board in (("3", "_____#", "_____#_#_"), ("4", "__#___", "__#___#__"))
)

FRAGMENTS = [
    *(
        "",
        " ",
        "\n",
        "\t",
        "#",
        ".",
        "=",
        "'",
        '"',
        '"""',
        "'''",
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        ",",
        ":",
        "|",
        "<",
        ">",
    ),
    *(
        "\0",
        "\x7f",
        "\ufeff",
        "\u2028",
        "\udcff",
        "é",
        "🧩",
        "\r\n",
        "\\",
        "\\u0000",
        "&amp;",
        "&a;",
        "<!DOCTYPE x []>",
    ),
    *("0", "-1", "1", "65537", "9" * 30, "1e400", "nan", "true", "1979-05-27", "any", "Q", "x", "A"),
    *(
        "kind",
        "board",
        "pieces",
        "times",
        "colors",
        "avoid",
        "given",
        "stretch",
        "freely",
        "evenly",
        "all",
        "here",
    ),
    *("#" * 300, "A" * 50, "[" * 40, "a." * 20, "#\n" * 50, "= " * 30),
]


MIDDLES = st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=4))


@st.composite
def mutated(draw: st.DrawFn, seeds: list[str]) -> str:
    """A seed with some pieces of it cut out, doubled, moved or replaced."""
    text = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from([0, 1, 1, 2, 5, 20, 200])))
        how = draw(st.sampled_from(["cut", "double", "replace", "insert", "truncate", "splice"]))
        if how == "cut":
            text = text[:start] + text[end:]
        elif how == "double":
            text = text[:end] + text[start:]
        elif how == "truncate":
            text = text[:start]
        elif how == "splice":
            other = draw(st.sampled_from(seeds))
            text = text[:start] + other[draw(st.integers(0, len(other))) :]
        else:
            middle = draw(MIDDLES)
            text = text[:start] + middle + text[end if how == "replace" else start :]
    return text[:20_000]


ALL_KEYS = sorted(
    {key for kind in KINDS.values() for key in kind.keys}
    | {*COMMON_KEYS, *PUBLISHED_KEYS, *AVOID_KEYS, *DIFFERENT_KEYS}
)
DRAWINGS = st.lists(st.text("#.=QxAB12 rg-", max_size=6), max_size=5).map("\n".join)
SCALARS = st.one_of(
    st.integers(-3, 70),
    st.booleans(),
    st.sampled_from(
        [*KINDS, "any", "equally", "all", "freely", "evenly", "here", "square", "cube", "edges", "1..9", "ab"]
    ),
    DRAWINGS,
    st.sampled_from(["a b c", "a b = 3; b c", "a < b", "a:1 b", "x y:r", "abcd", "--rb"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from([*ALL_KEYS, *"ABab12"]), inner, max_size=4),
    ),
    max_leaves=8,
)


@st.composite
def structures(draw: st.DrawFn) -> str:
    """A table with the keys of one kind, more or less, and values of any type."""
    kind = draw(st.sampled_from(list(KINDS)))
    keys = [*KINDS[kind].keys, "title", "published", "family"]
    chosen = draw(st.lists(st.sampled_from(keys), unique=True, max_size=len(keys)))
    data = {"kind": kind} | {key: draw(st.one_of(VALUES, DRAWINGS)) for key in chosen}
    return "".join(f"{key} = {toml(value)}\n" for key, value in data.items())


GRID_SCALARS = st.one_of(
    st.integers(-3, 5),
    st.lists(st.integers(-1, 4), max_size=3),
    st.sampled_from(
        ["1", "12", "=1", "==", "1, 2", "?, 1", "1 1, ?, 3", "1..3", "any", "words", "differences"]
    ),
    st.sampled_from(
        ["runs", "sum", "count", "visible", "sum 3, different", "product 4", "from 12", "quotient 1"]
    ),
    st.sampled_from(
        ["rows", "columns", "board", "runs down", "diagonals", "boxes 2x1", "AAB\nA.B", "0,0 0,1"]
    ),
    st.sampled_from(
        [
            "0,0 < 0,1",
            "0,0 1 = 1,0",
            "if 0,0 = 1 then (0,1 = 2 or not 0,0 < 0,1)",
            "0,0 = 1 iff",
            "12 21 123",
            "everywhere",
            "all",
            "freely",
            True,
        ]
    ),
    DRAWINGS,
)
GRID_KEYS = ["regions", "cells", "pattern", "value", "times", "of", "clue", "rows", "left", "words", "A", "B"]


@st.composite
def grids(draw: st.DrawFn) -> str:
    """A small board with clauses that make sense, more or less."""
    board = draw(st.sampled_from(["...\n...", "..\n..", "....", "#..\n...", "1.\n.2"]))
    data = {
        "kind": "grid",
        "board": board,
        "values": draw(
            st.sampled_from(
                [
                    "1..3",
                    "123",
                    [1, 2, 5],
                    "0..1",
                    "/\\-",
                    "\u2500\u2502\u250c\u2510\u2514\u2518-",
                    "\u2191\u2192\u2193\u2190o",
                ]
            )
        ),
    }
    if draw(st.integers(0, 3)) == 0:
        goal = st.sampled_from(["count 1", "sum", "0,0", "sum 0,0 0,1", "count", "most"])
        data[draw(st.sampled_from(["maximize", "minimize"]))] = draw(goal)
    if draw(st.integers(0, 3)) == 0:
        data["hidden"] = draw(st.sampled_from(["A..\n...", "..\n.A", "AAAA", "rooms"]))
    keys = st.sampled_from(
        [
            *GRID_KEYS,
            "around",
            "loops",
            "clues",
            "as",
            "moves",
            "steps",
            "except",
            "apart",
            "each",
            "repeat",
            "stretch",
            "orientations",
        ]
    )
    clause = st.dictionaries(keys, GRID_SCALARS, max_size=4)
    for name in draw(st.lists(st.sampled_from(list(CLAUSES)), max_size=3, unique=True)):
        odd = draw(clause) if draw(st.integers(0, 3)) == 0 else {}
        data[name] = [odd | draw(LIKELY[name])]
    return "".join(f"{key} = {toml(value)}\n" for key, value in data.items())


def _entries(**values: list[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({key: st.sampled_from(found) for key, found in values.items()})


LIKELY = {
    "different": _entries(regions=["rows", "columns", ["rows", "columns"]]),
    "cage": _entries(regions=["AAB\nA.B", "AB\nAB", "AABB"], each=["different", "sum 3", "squares 5"]),
    "compare": _entries(cells=["0,0 < 0,1", "0,0 0,1 = 1,1\n1,0 >= 2", "0,0 = 1 iff not 0,1 > 0,0"]),
    "lines": _entries(clue=["runs", "sum", "count"], rows=["1, 1", "?, 2", "1 1", "1a 12", [2, 1]]),
    "count": _entries(value=[1, "12", [1, 2]], times=[0, 1, [1, 2], [1, "any"]]),
    "avoid": _entries(pattern=["==", "12", "1\n=\n="]),
    "table": _entries(regions=["rows", "columns"], words=["12 21 112", ["11", "22", "1212"]]),
    "connected": _entries(value=[1, "12"], around=["king", "sides"]),
    "loop": _entries(value=[1, "12"], clues=["..\n.2", "1."]),
    "strokes": _entries(loops=[True, False], connected=[False, True], clues=["1..\n.2.\n...", "0.."]),
    "arrows": _entries(leave=[True, False], loops=[True, False], into=[1, [0, 2], "even"]),
    "area": _entries(value=[1, "12"], size=["value", 2, [1, 3]], clues=["..\n.2", "2."]),
    "see": _entries(value=[1, "12"], moves=["queen", "knight"], itself=[True, False]),
}


@st.composite
def graphs(draw: st.DrawFn) -> str:
    """A small graph from any source, and questions with keys that fit, more or less."""
    source, text = draw(
        st.sampled_from(
            [
                ("edges", "a b\nb c\nc a\nd"),
                ("edges", "a b 2\nb c -1\nc a 2"),
                ("graph6", "DQc"),
                ("dimacs", "p edge 3 2\ne 1 2\ne 2 3"),
                ("named", "grid {n} 3"),
                ("named", "prism 3"),
                ("file", "x.col"),
            ]
        )
    )
    at = draw(st.integers(0, len(text)))
    text = draw(st.sampled_from([text, text[:at], text[:at] + draw(st.sampled_from(FRAGMENTS)) + text[at:]]))
    data: dict[str, Any] = {"kind": "graph", source: text, "find": draw(st.sampled_from(list(FINDS)))}
    values = st.one_of(
        st.booleans(), st.integers(-1, 9), st.sampled_from(["a b", "0 1", "1 1", "{n}", ["a", "b"]])
    )
    data |= draw(st.dictionaries(st.sampled_from(GRAPH_KEYS), values, max_size=2))
    if draw(st.booleans()):
        data["family"] = {"n": draw(st.sampled_from(["1..4", "feb 29", "4..1", "{n}", "x"]))}
    return "".join(f"{key} = {toml(value)}\n" for key, value in data.items())


def toml(value: Any) -> str:
    """A value as TOML, tables in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def check(read: Callable[[], Puzzle]) -> None:
    """It is read and can be described, or refused in one short line; neither takes much memory or time."""
    tracemalloc.start()
    started = time.process_time()
    try:
        puzzle = read()
        lines = understood(puzzle)
        assert sum(map(len, lines)) < 1 << 20
    except BadInput as refusal:
        said = str(refusal)
        assert said.isprintable()
        assert len(said) < 600
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < MAX_MEMORY
    assert time.process_time() - started < MAX_SECONDS


def check_toml(text: str) -> None:
    for values in ((), ("2",), ("feb", "29")):
        check(lambda values=values: read_toml(text, "fuzz.toml", values=values))  # type: ignore[misc]


def check_xcc(text: str) -> None:
    def read() -> Puzzle:
        model = read_xcc(text, "fuzz.xcc")
        assert isinstance(read_xcc(write_xcc(model), "again.xcc"), ExactCover)
        return Puzzle("fuzz.xcc", model, "fuzz")

    check(read)


def check_cnf(text: str) -> None:
    check(lambda: Puzzle("fuzz.cnf", read_cnf(text, "fuzz.cnf"), "fuzz"))


def check_burrtools(text: str, how: str) -> None:
    content = text.encode("utf-8", "surrogatepass")
    if how != "plain":
        content = gzip.compress(content)
    if how == "broken":
        content = content[: len(content) * 2 // 3] + bytes([len(content) % 256])
    check(lambda: read_burrtools(content, "fuzz.xmpuzzle"))


def check_xcsp3(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fuzz.xml"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        check(lambda: read_xcsp3_file(path))


def check_flatzinc(text: str) -> None:
    def read() -> Puzzle:
        return flat_puzzle(read_flatzinc(text, "fuzz.fzn"), "fuzz.fzn")

    check(read)


PROPERTIES: dict[str, Callable[[], Callable[[], None]]] = {
    "mutated TOML": lambda: given(mutated(TOML_SEEDS))(check_toml),
    "random structures": lambda: given(structures())(check_toml),
    "grids": lambda: given(grids())(check_toml),
    "graphs": lambda: given(graphs())(check_toml),
    "any text as TOML": lambda: given(st.text())(check_toml),
    "mutated XCC": lambda: given(mutated(XCC_SEEDS))(check_xcc),
    "any text as XCC": lambda: given(st.text())(check_xcc),
    "mutated DIMACS": lambda: given(mutated(CNF_SEEDS))(check_cnf),
    "mutated FlatZinc": lambda: given(mutated(FLATZINC_SEEDS))(check_flatzinc),
    "any text as FlatZinc": lambda: given(st.text())(check_flatzinc),
    "mutated XCSP3": lambda: given(mutated(XCSP3_SEEDS))(check_xcsp3),
    "mutated xmpuzzle": lambda: given(
        mutated(BURRTOOLS_SEEDS), st.sampled_from(["plain", "packed", "broken"])
    )(check_burrtools),
}
ALLOWED = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


@pytest.mark.parametrize("name", list(PROPERTIES))
def test_a_short_run(name: str) -> None:
    settings(max_examples=60, suppress_health_check=ALLOWED)(PROPERTIES[name]())()


@pytest.mark.long
def test_a_run_for_as_long_as_was_asked_for() -> None:
    end = time.monotonic() + SECONDS
    n_rounds = 0
    while time.monotonic() < end or n_rounds == 0:
        for make in PROPERTIES.values():
            settings(max_examples=200, suppress_health_check=ALLOWED, database=None)(make())()
        n_rounds += 1
    print(f"{n_rounds} rounds of {len(PROPERTIES)} times 200 files")


def test_the_seeds_themselves_are_read() -> None:
    for text in TOML_SEEDS:
        family = tomllib.loads(text).get("family", {})
        values = [
            str(min(4, int(said.split("..")[1]))) if ".." in said else said.split()[0]
            for key, said in family.items()
            if key != "without"
        ]
        read_toml(text, "seed.toml", values=values)
    for text in XCC_SEEDS:
        read_xcc(text, "seed.xcc")
    assert read_burrtools(BURRTOOLS_SEEDS[1].replace("+", "_").encode(), "seed.xmpuzzle")
    for text in BURRTOOLS_SEEDS[3:]:
        assert read_burrtools(text.encode(), "seed.xmpuzzle")
