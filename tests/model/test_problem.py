"""Problems from Python refuse an argument without an end in one line, after a bounded number of items."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import count, product, repeat
from typing import Any

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.errors import BadInput, BadModel
from rekkyo.model.csp import asked
from rekkyo.model.csp.constraints import Table


def problem_of_two() -> rk.Problem:
    problem = rk.Problem()
    problem.variables("ab", range(5))
    return problem


ENDLESS: dict[str, Callable[[rk.Problem], object]] = {
    "a domain": lambda p: p.variable("x", count()),
    "a domain of several": lambda p: p.variables("xy", count()),
    "a domain of one value": lambda p: p.variables("xy", repeat(1)),
    "a long range": lambda p: p.variables("xy", range(10**12)),
    "a range that has no length": lambda p: p.variable("x", range(10**30)),
    "a hidden domain": lambda p: p.hidden(count()),
    "names": lambda p: p.variables(repeat("x"), (1, 2)),
    "rows": lambda p: p.table((0, 1), repeat((1, 2))),
    "a row": lambda p: p.table((0, 1), [count()]),  # type: ignore[list-item]
    "variables": lambda p: p.all_different(count()),  # type: ignore[arg-type]
    "values": lambda p: p.count((0, 1), count(), 0),
    "bounds": lambda p: p.global_cardinality((0, 1), repeat((0, 1, 2))),
    "edges": lambda p: p.connected((0, 1), repeat((0, 1)), (1,)),
}


@pytest.mark.parametrize("what", list(ENDLESS))
def test_what_has_no_end_is_refused(what: str) -> None:
    with pytest.raises(BadInput, match=r"^problem: .* at most \d+ of them$"):
        ENDLESS[what](problem_of_two())


def test_what_is_nested_without_end_is_refused() -> None:
    itself: list[Any] = []
    itself.append(itself)
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    problem = rk.Problem()
    a, b = problem.variables("ab", range(3))
    for nested in (itself, deep):
        with pytest.raises(BadInput, match=r"^problem: variables are a list, not nested more than 8 deep$"):
            problem.all_different(nested)
        with pytest.raises(BadInput, match=r"a list of 2 whole numbers, not nested more than 8 deep$"):
            problem.table((a, b), [nested])
    with pytest.raises(BadInput, match=r", not a value that is nested too deep$"):
        problem.variable("c", deep)


@pytest.mark.parametrize("variable", [-1, 2, True, "a"])
def test_the_domain_of_no_variable_is_refused(variable: Any) -> None:
    assert [problem_of_two().domain(known) for known in (0, 1)] == [(0, 1, 2, 3, 4)] * 2
    with pytest.raises(BadModel, match=f"problem: a variable is a number below 2, not {variable!r}"):
        problem_of_two().domain(variable)


def test_numbers_of_numpy_are_values_and_variables() -> None:
    problem = rk.Problem()
    problem.variable("x", np.arange(3))
    domain = problem.domain(np.int64(0))
    assert domain == (0, 1, 2)
    assert set(map(type, domain)) == {int}


def test_rows_of_another_length_are_refused() -> None:
    with pytest.raises(BadInput, match=r"each row of a table is a list of 2 whole numbers, not \(1, 2, 3\)"):
        problem_of_two().table((0, 1), [[1, 2, 3]])
    with pytest.raises(BadInput, match="each row of a table is a list of 2 whole numbers, not 3"):
        problem_of_two().table((0, 1), [3])  # type: ignore[list-item]


def test_the_rows_of_a_predicate_are_those_where_it_is_true() -> None:
    problem = problem_of_two()
    problem.predicate((0, 1), lambda a, b: a * b == 4)
    (table,) = problem.model().constraints
    assert isinstance(table, Table)
    assert table.rows == tuple(row for row in product(range(5), repeat=2) if row[0] * row[1] == 4)


def never_ends(*_: int) -> bool:
    while True:
        with suppress(Exception):
            sum(range(100))


def refusal_of_an_endless_predicate() -> str:
    with pytest.raises(BadInput) as refusal:
        problem_of_two().predicate((0, 1), lambda a, b: (a, b) != (0, 2) or never_ends())
    return str(refusal.value)


def test_a_predicate_that_never_ends_is_stopped_in_every_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked, "LIMIT_S", 0.05)
    expected = "problem: the predicate does not end for (0, 2) within 0.05 seconds of the processor"
    assert refusal_of_an_endless_predicate().startswith(expected)
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(refusal_of_an_endless_predicate()))
    thread.start()
    thread.join()
    assert len(found) == 1
    assert found[0].startswith(expected)


def test_what_was_used_before_a_call_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock that stands still at a late hour no call takes any time, however often it is looked at."""
    seen = threading.Semaphore(0)

    def clock() -> float:
        seen.release()
        return 1e6

    monkeypatch.setattr(asked, "POLL_S", 0.001)
    monkeypatch.setattr(asked, "_clock_of", lambda _thread: clock)
    problem_of_two().predicate((0,), lambda _: all(seen.acquire() for _ in range(3)))


def test_no_watch_stays_after_a_predicate() -> None:
    problem_of_two().predicate((0, 1), lambda a, b: a < b)
    with pytest.raises(BadInput, match="the predicate fails for"):
        problem_of_two().predicate((0, 1), lambda a, b: a // b)
    assert not any(thread.name == asked.THREAD_NAME for thread in threading.enumerate())


AFTERWARDS = """
import cProfile
import rekkyo as rk
from rekkyo.model.csp import asked

def asks(end, limit_s):
    asked.LIMIT_S = limit_s
    problem = rk.Problem()
    problem.variables("ab", range(3))
    try:
        problem.predicate((0, 1), lambda a, b: end(a, b))
    except rk.RekkyoError as refusal:
        return str(refusal)

def never(*_):
    while True:
        pass

print(asks(lambda a, b: a < b, 10.0))
cProfile.run("sum(range(3))", "/dev/null")
print(asks(never, 0.05))
cProfile.run("sum(range(3))", "/dev/null")
"""


def test_functions_can_be_profiled_after_a_predicate() -> None:
    """In Python 3.11 a profile or a debugger never ended while the interpreter looked for an exception."""
    script = AFTERWARDS.replace("/dev/null", os.devnull)
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr
    first, second = ended.stdout.splitlines()
    assert first == "None"
    assert "does not end for (0, 0)" in second


@pytest.mark.parametrize("names", ["x1 y", " x1\n y ", ["x1", "y"]])
def test_names_may_be_words_of_a_text(names: str | list[str]) -> None:
    """The text "x y" named three variables, one of them a space."""
    problem = rk.Problem()
    assert problem.variables(names, range(3)) == (0, 1)
    assert problem.variables("ab", range(3)) == (2, 3)
    assert problem.model().names == ("x1", "y", "a", "b")


def test_a_hidden_variable_has_a_name_of_its_own() -> None:
    problem = rk.Problem()
    x = problem.variable("~1", (0, 1))
    problem.linear((1, 1), (x, problem.hidden((0, 1))), "=", 1)
    problem.hidden((0, 1))
    assert problem.model((x,)).names == ("~1", "~~1", "~2")


def test_a_comparison_in_python_is_refused() -> None:
    problem = rk.Problem()
    x, y = problem.variables("xy", range(5))
    with pytest.raises(BadInput, match="Python compares at once; use sum or linear"):
        problem.add(x + y <= 4)  # type: ignore[arg-type]


def test_an_unknown_relation_is_refused_with_all_that_are_known() -> None:
    """The message left out <, > and >=."""
    problem = problem_of_two()
    with pytest.raises(BadModel, match="the relation of a sum is one of = != < <= > >=, not '==='"):
        problem.sum((0, 1), "===", 1)


@pytest.mark.parametrize(
    ("spelling", "relation"),
    [("==", "="), ("<>", "!="), ("\u2260", "!="), ("\u2264", "<="), ("\u2265", ">=")],
)
def test_relations_may_be_written_as_in_python_and_in_formulas(spelling: str, relation: str) -> None:
    written, meant = problem_of_two(), problem_of_two()
    written.sum((0, 1), spelling, 2)
    meant.sum((0, 1), relation, 2)
    assert written.model() == meant.model()


def test_a_second_objective_is_refused() -> None:
    problem = rk.Problem()
    one, other = problem.variables("ab", range(3))
    problem.maximize(one)
    for add in (problem.maximize, problem.minimize):
        with pytest.raises(
            BadModel, match="problem: it has an objective already; combine both in one variable"
        ):
            add(other)
    assert rk.count(problem.puzzle("first")).optimum == 2


def test_a_problem_is_asked_as_a_puzzle() -> None:
    with pytest.raises(BadInput, match=r"not Problem; call its method puzzle\(\)$"):
        rk.count(problem_of_two())  # type: ignore[arg-type]
    with pytest.raises(
        BadInput, match=r'not Csp; make one of the model: rekkyo.Puzzle\("mine", model, "Mine"\)$'
    ):
        rk.count(problem_of_two().model())  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"not type$"):
        rk.count(rk.Problem)  # type: ignore[arg-type]


def test_a_problem_without_variables_says_so() -> None:
    with pytest.raises(BadModel, match="problem: it has no variable; add one, such as"):
        rk.Problem().puzzle()
