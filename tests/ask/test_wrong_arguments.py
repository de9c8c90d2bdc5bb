"""Whatever Python callers give to a function in place of what it takes, they get a refusal in one line."""

from __future__ import annotations

import codecs
import os
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, partial
from gzip import GzipFile
from inspect import signature
from io import BufferedReader, BytesIO, StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.ask.pilot import Budgets
from rekkyo.errors import BadInput
from rekkyo.model.coloring import Coloring
from tests.wrong_values import JUNK, WRONG, assert_taken_or_refused, nested

QUEENS = rk.queens(5)
ROW = (0, 2, 4, 1, 3)
DOMINOES = rk.puzzle("dominoes 2 3")
DIAGRAM = rk.diagram(DOMINOES)
SOLUTION = DIAGRAM.kth(0)


@pytest.fixture(scope="module", autouse=True)
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Some wrong values are names of files, and are written."""
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("elsewhere"))
    rk.run(DOMINOES, "stored")
    rk.run(DOMINOES, "counted", count_only=True)
    yield
    reader().close()
    os.chdir(before)


def problem() -> rk.Problem:
    made = rk.Problem()
    made.variables(["a", "b", "c"], range(3))
    return made


def blocks(first: int) -> list[Any]:
    return list(DIAGRAM.blocks(first))


def asked(variables: Any) -> None:
    problem().predicate(variables, lambda *_: True)


@cache
def reader() -> rk.RunReader:
    """Opened once: that takes longer than all other parts of a call."""
    return rk.Run("stored").rows()


def with_reader(name: str) -> Callable[..., object]:
    """A method of the reader of a run, which must go on after it has refused something."""

    def asked(*values: Any, **named: Any) -> object:
        found = getattr(reader(), name)(*values, **named)
        return list(found) if name == "rows" else found

    asked.__qualname__ = f"RunReader.{name}"
    return asked


def opened(first: Any) -> None:
    rk.RunReader("stored", first=first).close()


def counted_again(**named: Any) -> None:
    rk.Run("counted").recount(**named)


def bfile(**named: Any) -> list[str]:
    return list(rk.bfile(**named))


def met(other: Any) -> rk.Diagram:
    return DIAGRAM & other


def exported(to: Any, out: Any, puzzle: Any) -> None:
    rk.Run("stored", puzzle=puzzle).export(to, out)


WHOLE: dict[Callable[..., object], dict[str, Any]] = {
    rk.svg: {"puzzle": QUEENS, "row": ROW, "theme": "light", "scale": 1.0},
    rk.sheet: {"puzzle": QUEENS, "rows": [ROW], "columns": 2, "first": 0, "total": 10},
    rk.board: {"puzzle": QUEENS, "row": ROW},
    rk.verify: {"puzzle": QUEENS, "row": ROW},
    rk.Run: {"directory": "there-is-none", "puzzle": QUEENS},
    rk.RunReader: {"folder": "there-is-none", "puzzle": QUEENS},
    rk.Puzzle: {"name": "mine", "model": QUEENS.model, "title": "Mine", "generators": (), "symbols": "ab"},
    rk.count: {
        "puzzle": QUEENS,
        "engine": "queens-bitmap",
        "up_to": "none",
        "digest": True,
        "sizes": rk.Sizes(),
    },
    rk.counts: {"puzzles": [QUEENS]},
    rk.estimate: {"puzzle": QUEENS, "draws": 2, "budgets": Budgets()},
    rk.load_diagram: {"path": "there-is-none", "puzzle": DOMINOES},
    rk.export_puzzle: {"puzzle": DOMINOES, "to": "csv", "out": "out.csv", "up_to": "none"},
    exported: {"to": "csv", "out": "out.csv", "puzzle": DOMINOES},
    rk.with_own_symmetry: {"puzzle": QUEENS},
    rk.save_diagram: {"drawn": DIAGRAM, "path": "saved", "puzzle": DOMINOES},
    rk.run: {"puzzle": DOMINOES, "directory": "counted", "count_only": True, "executor": None, "say": print},
    rk.Run("counted").resume: {"workers": 1, "executor": None, "say": print},
    rk.Run("stored").sample: {"number": 1, "seed": 1},
    rk.Run("stored").repair: {"damage": rk.Damage((), 0, ())},
    counted_again: {"fraction": 1.0, "seed": 1, "engine": "cover-cells"},
    opened: {"first": [0]},
    with_reader("row"): {"k": 0},
    with_reader("place"): {"k": 0},
    with_reader("number"): {"shard": 0, "within": 0},
    with_reader("rows"): {"start": 0, "stop": 1},
    with_reader("size"): {"shard": 0},
    with_reader("digest"): {"shard": 0},
    rk.sample: {"puzzle": DOMINOES, "number": 1, "seed": 1},
    rk.clues: {"puzzle": DOMINOES, "most_solutions": 9, "most_shown": 3},
    rk.diagram: {"puzzle": DOMINOES, "most_bytes": 1 << 20},
    bfile: {"puzzles": ["dominoes", "2", "1..2"], "unique": False, "engines": 1},
    met: {"other": DIAGRAM},
    DIAGRAM.renamed: {"shape": DIAGRAM.shape, "atoms": range(DIAGRAM.shape.n_atoms)},
    DIAGRAM.rank: {"row": SOLUTION},
    DIAGRAM.kth: {"k": 0},
    DIAGRAM.sample: {"rng": random.Random(1)},
    DIAGRAM.restrict: {"taken": [0], "left_out": [1], "times": [([0, 1], 0, 2)]},
    blocks: {"first": 0},
    problem().domain: {"variable": 0},
    problem().linear: {"coefficients": [1, 2], "variables": [0, 1], "relation": "<=", "constant": 3},
    problem().sum: {"variables": [0, 1], "relation": "=", "constant": 3},
    asked: {"variables": [0, 1]},
    problem().all_different: {"variables": [0, 1], "excepted": [0]},
    problem().table: {"variables": [0, 1], "rows": [(0, 1)]},
    problem().count: {"variables": [0, 1], "values": [1], "times": 2},
    problem().element: {"index": 0, "array": [1, 2], "result": 2, "first": 0},
    problem().circuit: {"successors": [0, 1, 2], "first": 0},
    problem().lex_less: {"lesser": [0], "greater": [1], "strict": True},
    problem().connected: {"variables": [0, 1], "edges": [(0, 1)], "values": [1]},
    problem().acyclic: {"variables": [0, 1], "links": [(0, 1, 2, 3)]},
    problem().areas: {"variables": [0, 1], "edges": [(0, 1)], "sizes": [(1, 1, 2)]},
    problem().model: {"solution": [0, 1], "grid": (1, 2)},
}
"""What each takes, so that one value at a time can be made a wrong one."""

WHOLE |= {
    rk.puzzle_from_file: {"path": "there-is-none.toml"},
    rk.publish: {"folders": ["there-is-none"], "out": "bundle", "statement": "One.", "known": ""},
    rk.check_bundle: {"folder": "there-is-none", "limit_s": 1.0},
    rk.check_certificate: {"folder": "there-is-none", "puzzle": DOMINOES, "limit_s": 1.0},
}

EXISTS_NOT = (
    rk.RunReader,
    rk.load_diagram,
    rk.puzzle_from_file,
    rk.publish,
    rk.check_bundle,
    rk.check_certificate,
)
"""They are refused in any case: the file is not there."""

NAMES = [(make, name) for make, values in WHOLE.items() for name in values]


@pytest.mark.parametrize("make", [make for make in WHOLE if make not in EXISTS_NOT])
def test_what_is_wanted_is_taken(make: Callable[..., object]) -> None:
    make(**WHOLE[make])


@pytest.mark.parametrize(("make", "name"), NAMES, ids=[f"{make.__qualname__}-{name}" for make, name in NAMES])
def test_only_refusals_come_out(make: Callable[..., object], name: str) -> None:
    for value in WRONG:
        for wrong in (value, *nested(value)):
            assert_taken_or_refused(make, WHOLE[make] | {name: wrong})


@given(data=st.data(), make=st.sampled_from(list(WHOLE)))
def test_only_refusals_come_out_for_junk(data: st.DataObject, make: Callable[..., object]) -> None:
    names = data.draw(st.lists(st.sampled_from(list(WHOLE[make])), min_size=1, unique=True))
    assert_taken_or_refused(make, WHOLE[make] | {name: data.draw(JUNK) for name in names})


WATCHED: list[Callable[..., object]] = [
    partial(rk.count, QUEENS),
    partial(rk.count, DOMINOES),  # which is drawn
    partial(rk.estimate, QUEENS, draws=2),
    partial(rk.orbits, QUEENS),
    partial(rk.sample, DOMINOES),
    partial(rk.run, DOMINOES, "watched"),
    lambda watch: rk.Run("stored").resume(watch=watch),
    lambda watch: rk.Run("stored").verify(watch=watch),
    lambda watch: rk.Run("stored").damage(watch=watch),
    lambda watch: rk.Run("counted").recount(watch=watch),
]


@pytest.mark.parametrize("asked", WATCHED)
def test_who_watches_is_a_function(asked: Callable[..., object]) -> None:
    with pytest.raises(BadInput, match="watch is a function of the progress, not 5"):
        asked(watch=5)


LONG = "a" * 10_000


def closed_stream() -> BytesIO:
    stream = BytesIO()
    stream.close()
    return stream


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: rk.Puzzle("a", None, "t"), "a puzzle: the model is one such as .*, not 'NoneType'"),  # type: ignore[arg-type]
    (lambda: rk.Puzzle("a", QUEENS, "t"), "a puzzle: the model is one such as .*, not 'Puzzle'"),  # type: ignore[arg-type]
    (lambda: rk.Puzzle("a", QUEENS.model, "t", symbols="a\ud800"), "the symbols are different printable"),
    (lambda: rk.Puzzle("a", QUEENS.model, "t", symbols="1123"), "the symbols are different printable"),
    (
        lambda: rk.Puzzle("a", QUEENS.model, "t", symbols="1,2"),
        "the symbols are .*, no space and no comma, not",
    ),
    (lambda: rk.puzzle_from_file(LONG), "the name is too long"),
    (lambda: rk.run(DOMINOES, LONG), "the name is too long"),
    (lambda: rk.run(DOMINOES, "new", executor=5), "the executor is one of concurrent.futures"),  # type: ignore[arg-type]
    (lambda: rk.run(DOMINOES, "new", say=5), "say is a function of a text, such as print, not 5"),  # type: ignore[arg-type]
    (lambda: rk.run(DOMINOES, "new", count_only="no"), "count_only is True or False, not 'no'"),  # type: ignore[arg-type]
    (lambda: rk.export_puzzle(DOMINOES, "csv", StringIO()), "or a stream of bytes"),  # type: ignore[arg-type]
    (lambda: rk.export_puzzle(DOMINOES, "csv", codecs.getwriter("utf-8")(BytesIO())), "or a stream of bytes"),  # type: ignore[arg-type]
    (lambda: rk.export_puzzle(DOMINOES, "csv", closed_stream()), "or a stream of bytes"),
    (lambda: rk.export_puzzle(DOMINOES, "csv", BufferedReader(BytesIO())), "or a stream of bytes"),
    (
        lambda: rk.export_puzzle(DOMINOES, "csv", GzipFile(fileobj=BytesIO(), mode="rb")),
        "or a stream of bytes",
    ),
    (lambda: rk.export_puzzle(DOMINOES, "csv", BytesIO), "or a stream of bytes"),  # type: ignore[arg-type]
    (lambda: rk.export_puzzle(DOMINOES, "csv", ""), "the name of a file or folder is empty"),
    (lambda: rk.publish("a", "b", statement="One."), "the folders are a list of directories"),
    (lambda: rk.certify(None, "c"), "a puzzle is expected"),  # type: ignore[arg-type]
    (lambda: rk.certify(QUEENS, None), "named by a text or a path"),  # type: ignore[arg-type]
    (lambda: rk.certify(QUEENS, ""), "the name of a file or folder is empty"),
    (lambda: rk.Run("").status(), "the name of a file or folder is empty"),
    (lambda: rk.certify(QUEENS, "c", limit_s="x"), "a finite number of seconds above 0, not 'x'"),  # type: ignore[arg-type]
    (lambda: rk.certify(QUEENS, "c", limit_s=10**5000), "a finite number of seconds above 0"),
    (lambda: rk.sample(QUEENS, seed=-1), "the seed must be a whole number from 0, not -1"),
    (
        lambda: rk.diagram(DOMINOES).sample(-1),
        "rng is a random.Random or a seed, a whole number from 0, not -1",
    ),
    (lambda: rk.certify_count(None, "c"), "a puzzle is expected"),  # type: ignore[arg-type]
    (lambda: rk.certify_count(DOMINOES, None), "named by a text or a path"),  # type: ignore[arg-type]
    (lambda: rk.Sizes(known_blocks=None), "the size known_blocks must be a whole number"),  # type: ignore[arg-type]
    (lambda: rk.Sizes(moment_nodes=10**30), "the size moment_nodes must be a whole number"),
    (lambda: problem().areas([0], [], [(1, 1, 2**63)]), "areas: a value or a number of cells is"),
    (lambda: problem().acyclic([0], [(0, 1, 0, 2**63)]), "acyclic: a value or a vertex is a whole number"),
    (lambda: problem().connected([0], [], [2**63]), "connected: a value is a whole number from"),
    (lambda: rk.count(QUEENS, up_to="nonsense", limit=1), "nonsense"),
    (lambda: rk.run(DOMINOES, "new\ud800"), "names no file: it contains half of a character"),
    (lambda: rk.clues(DOMINOES, most_shown=-1), "the most sets to list are a whole number from 0, not -1"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_refusals_say_what_is_expected(call: Callable[[], object], message: str) -> None:
    with pytest.raises(BadInput, match=message) as refusal:
        call()
    assert "\n" not in str(refusal.value)


def test_bounds_of_colours_fit_into_engines() -> None:
    with pytest.raises(BadInput, match="the most cells of colour 1 is a whole number"):
        Coloring(2, 2, (), bounds=((0, 2), (0, 10**30)))


@pytest.mark.parametrize("seed", [np.int64(2), np.uint8(2)])
def test_seeds_may_be_whole_numbers_of_numpy(seed: Any) -> None:
    run = rk.Run("stored")
    assert run.sample(5, seed=seed).rows == run.sample(5, seed=2).rows
    assert rk.sample(DOMINOES, 5, seed=seed).rows == rk.sample(DOMINOES, 5, seed=2).rows
    assert rk.estimate(QUEENS, draws=2, seed=seed).total == rk.estimate(QUEENS, draws=2, seed=2).total
    assert run.recount(fraction=0.5, seed=seed).agrees


def test_numbers_of_numpy_do_not_wrap() -> None:
    """A byte plus one would be 0, and kernels would be compiled for bytes."""
    assert rk.clues(DOMINOES, most_solutions=np.uint8(255)).total == 3  # type: ignore[arg-type]
    with pytest.raises(rk.EngineRefuses):
        rk.diagram(rk.queens(4), most_bytes=np.uint8(3))  # type: ignore[arg-type]
    assert reader().row(np.uint8(1)) == reader().row(1)  # type: ignore[arg-type]
    assert reader().place(np.uint8(1)) == reader().place(1)  # type: ignore[arg-type]


def test_a_limit_of_numpy_leaves_no_numpy_in_the_answer() -> None:
    """The total was an np.int32, and `complete` an np.bool, which json refuses."""
    found = rk.count(DOMINOES, limit=np.int32(2))  # type: ignore[arg-type]
    assert (type(found.total), found.complete) == (int, False)


def test_numbers_of_draws_shards_and_solutions_may_be_of_numpy(tmp_path: Path) -> None:
    two: Any = np.int64(2)
    drawn = rk.estimate(QUEENS, draws=two, seconds=two)
    assert (type(drawn.n_draws), drawn.total) == (int, rk.estimate(QUEENS, draws=2).total)
    rk.run(QUEENS, tmp_path / "run", shards=two)
    assert rk.sheet(rk.queens(1), [(0,)], first=two, total=two) == rk.sheet(
        rk.queens(1), [(0,)], first=2, total=2
    )


@pytest.mark.parametrize("number", [np.int64(1), np.float32(1), np.float64(1), Fraction(1)])
def test_seconds_fractions_and_scales_are_real_numbers_of_any_type(number: Any) -> None:
    assert rk.estimate(QUEENS, seconds=number).total == rk.estimate(QUEENS, seconds=1).total
    assert rk.Run("stored").recount(fraction=number).agrees
    assert rk.svg(rk.queens(1), (0,), scale=number) == rk.svg(rk.queens(1), (0,), scale=1)


@pytest.mark.parametrize(
    "number", [10**400, -1, 0, float("inf"), float("nan"), True, np.True_, "1", None, 1j]
)
def test_seconds_are_a_finite_number_above_0(number: Any) -> None:
    with pytest.raises(BadInput, match="the seconds must be a number above 0, at most 10000000, not "):
        rk.estimate(QUEENS, seconds=number)


def test_numbers_of_puzzles_may_be_of_numpy() -> None:
    size: Any = np.int64(3)
    assert rk.hip(size, size, colors=size) == rk.hip(3, 3, colors=3)
    triangle = rk.graph([("a", "b"), ("b", "c"), ("c", "a")])
    assert triangle.colorings(size) == triangle.colorings(3)


def test_variables_may_be_in_arrays_of_numpy() -> None:
    """As in a sudoku, whose boxes are slices of a board of variables."""

    def posted(number: Any, array: Any) -> rk.Csp:
        problem = rk.Problem()
        problem.variables("abcd", range(3))
        truth = problem.hidden((0, 1))
        board = array([0, 1, 2, 3])
        problem.all_different(board[1:])
        problem.linear(array([1, 2]), board[:2], ">=", number(1), truth=number(truth))
        problem.table(board[:2], array([[0, 1], [1, 2], [2, 2]]))
        problem.count(board, array([1]), number(2))
        problem.element(number(0), board[:3], number(3))
        problem.product(board[:2], number(2))
        problem.maximize(number(0))
        return problem.model(solution=board)

    assert posted(np.int64, np.array) == posted(int, list)


def test_rows_go_into_streams_of_bytes() -> None:
    out = BytesIO()
    rk.export_puzzle(DOMINOES, "csv", out)
    assert out.getvalue()


ARRAY: Any = np.array([1, 2])


@pytest.mark.parametrize("name", ["engine", "up_to"])
@pytest.mark.parametrize(
    "asked", [rk.count, rk.solve, rk.orbits, rk.sample, rk.estimate, partial(rk.run, directory="n")]
)
def test_arrays_are_neither_engines_nor_symmetries(asked: Callable[..., Any], name: str) -> None:
    """Comparing them with a name gives an array, which is neither true nor false."""
    if name in signature(asked).parameters:
        with pytest.raises(BadInput, match=r"an engine is a name such as|up_to is a word such as"):
            list(asked(puzzle=QUEENS, **{name: ARRAY}))
