"""The checker of counts, against the definition and against diagrams that somebody has changed."""

from __future__ import annotations

import ast
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import example, given, settings

import rekkyo as rk
from rekkyo.engines.diagram.nnf import nnf
from rekkyo.errors import BadInput, EngineRefuses
from rekkyo.export.opb import opb, opb_of
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.constraints import Clause, Count, GlobalCardinality, Linear, Table
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model
from rekkyo.runs import check_count
from rekkyo.runs.certify_count import plan_of_proof
from rekkyo.runs.check_count import NotProved, read_diagram, read_problem
from tests import csp_strategies, naive_coloring, naive_cover, naive_csp
from tests.engines.csp_counted import grid

BYTES = 1 << 24


def problem_of(model: Model) -> list[bytes]:
    return opb(opb_of(model), "a puzzle").encode().splitlines(keepends=True)


def diagram_of(model: Model) -> list[bytes]:
    return [
        line.encode() for line in nnf(plan_of_proof(model), opb_of(model).variable_of, model.row_shape, BYTES)
    ]


def header_of(diagram: list[bytes]) -> bytes:
    """What the first line must say."""
    nodes = [line.split() for line in diagram[1:]]
    n_edges = sum(len(words) - (2 if words[0] == b"A" else 3) for words in nodes if words[0] in b"AO")
    n_variables = max(abs(int(words[1])) for words in nodes if words[0] == b"L")
    return b"nnf %d %d %d\n" % (len(nodes), n_edges, n_variables)


def proved(problem: list[bytes], diagram: list[bytes]) -> int:
    return check_count.count(read_problem(problem), *read_diagram(diagram))


def solutions_of(problem: list[bytes]) -> list[tuple[int, ...]]:
    """The solutions of a small problem in OPB, read anew and by brute force."""
    head, *lines = [line.decode() for line in problem]
    n = int(head.split()[2])
    constraints = []
    for line in lines:
        if not line.startswith("*"):
            *terms, relation, bound, _ = line.split()
            pairs = [(int(c), int(x[1:])) for c, x in zip(terms[::2], terms[1::2], strict=True)]
            constraints.append((pairs, relation, int(bound)))
    found = []
    for values in product((0, 1), repeat=n):
        ones = tuple(x for x, value in enumerate(values, 1) if value)
        for pairs, relation, bound in constraints:
            total = sum(c for c, x in pairs if x in ones)
            if not (total == bound if relation == "=" else total >= bound):
                break
        else:
            found.append(ones)
    return found


def by_brute_force(problem: list[bytes]) -> int:
    """How many they are."""
    return len(solutions_of(problem))


def by_foreign_rules(diagram: list[bytes]) -> int:
    """The models of a diagram as a counter of NNF counts them: sums at O, products at A, literals are 1."""
    counts: list[int] = []
    for line in diagram[1:]:
        kind, *numbers = line.decode().split()
        if kind == "L":
            counts.append(1)
        elif kind == "A":
            value = 1
            for child in numbers[1:]:
                value *= counts[int(child)]
            counts.append(value)
        else:
            counts.append(sum(counts[int(child)] for child in numbers[2:]))
    return counts[-1]


def check(model: Model, total: int) -> None:
    """Both files say the same, and the checker agrees; models without solutions have no diagram."""
    try:
        problem = problem_of(model)
    except BadInput as reason:  # coloured items, hidden variables, or what is over too many values
        assert "no pseudo-Boolean form" in str(reason) or "no solution" in str(reason)
        return
    if len(opb_of(model).variable_of) <= 10:
        assert by_brute_force(problem) == total
    if total == 0:
        with pytest.raises(EngineRefuses, match="that there is no solution"):
            diagram_of(model)
        return
    diagram = diagram_of(model)
    assert proved(problem, diagram) == by_foreign_rules(diagram) == total


@settings(max_examples=100)
@given(model=naive_cover.models())
def test_covers(model: ExactCover) -> None:
    check(model, len(naive_cover.solutions(model)))


@settings(max_examples=100)
@given(model=naive_coloring.models())
@example(model=Coloring(2, 2, sets=((0, 1),), fixed=((1, 0),)))
def test_colourings(model: Coloring) -> None:
    check(model, len(naive_coloring.solutions(model)))


TAKEN_BEFORE_BROKEN = Csp(
    ("a", "b"), ((0, 1), (1, 2)), (GlobalCardinality(variables=(0, 1), bounds=((0, 0, 0),)),), solution=(0, 1)
)
"""The states find out that no variable may be 0 when they come to b; the problem says it of a alone."""


BROKEN_AT_ONCE = Csp(
    ("a", "b", "c"),
    ((0, 1), (0, 1), (1, 2)),
    (GlobalCardinality(variables=(0, 2), bounds=((0, 0, 0),)), Count((0,), (), 1)),
    solution=(0, 1, 2),
)
"""The problem forbids 0 for a; the diagram goes on from it for two levels, to a dead end."""


@settings(max_examples=100)
@given(model=csp_strategies.models(max_variables=6))
@example(TAKEN_BEFORE_BROKEN)
@example(BROKEN_AT_ONCE)
def test_constraints(model: Csp) -> None:
    """Some reasons are left out on purpose; then there is no certificate, and no wrong one."""
    model = replace(model, objective=None)
    total = len(naive_csp.solutions(model))
    try:
        check(model, total)
    except NotProved as reason:
        assert "no branch where" in str(reason) or str(reason).endswith("a constraint is broken")
        assert by_foreign_rules(diagram_of(model)) == total


def test_values_that_are_never_chosen() -> None:
    """They are decided with the only value of their variable that is, in any order of the variables."""
    only = (Clause(((0, 1, True),)), Clause(((1, 0, True),)))
    check(Csp(("a", "b"), ((0, 1), (0, 1)), only), 1)


@pytest.mark.parametrize("relation", ["=", "<="])
@pytest.mark.parametrize("coefficients", [(2, 3, 1), (-2, 3, 4)])
def test_sums_with_coefficients(relation: str, coefficients: tuple[int, ...]) -> None:
    """Random models have too many constraints for which there is no certificate."""
    constraint = Linear(coefficients, (0, 1, 2), relation, 8)
    model = Csp(("a", "b", "c"), ((0, 1, 2, 3),) * 3, (constraint,))
    assert proved(problem_of(model), diagram_of(model)) == len(naive_csp.solutions(model))


def test_a_branch_that_leaves_nothing_to_a_later_level() -> None:
    """After a = b = 1 each value of c is forbidden by another row; the branch is missing where b is decided."""
    rows = ((1, 1, 0), (1, 1, 1), (1, 1, 2))
    domains = ((0, 1), (0, 1), (0, 1, 2))

    def model(forbidden: tuple[tuple[int, ...], ...]) -> Csp:
        variables = tuple(range(len(forbidden[0])))
        return Csp(("a", "b", "c"), domains, (Table(variables, forbidden, allowed=False),))

    diagram = diagram_of(model(((1, 1),)))
    assert proved(problem_of(model(rows)), diagram) == 9
    for left in combinations(rows, 2):
        with pytest.raises(NotProved, match=r"no branch where \(4,\) are 1"):
            proved(problem_of(model(left)), diagram)


@pytest.mark.parametrize(
    ("domains", "constraint"),
    [
        (((0, 1, 2),) * 4, Count((0, 1, 2), (1,), 3)),
        (((0, 1, 2),) * 3 + ((0, 3),), Count((0, 1, 2), (1, 2), 3)),
        (((0, 1, 2),) * 3, Count((0, 0, 1), (1, 7), 2)),
        (((0, 1, 2),) * 2, Count((0, 1), (2,), 1)),
        (((-1, 2),) * 2, Count((0, 1), (-1, 2), 1)),
        (((0, 1, 2),) * 8 + ((3, 5),), Count(tuple(range(8)), (1,), 8)),
    ],
)
def test_numbers_of_values(domains: tuple[tuple[int, ...], ...], constraint: Count) -> None:
    """They are sums. As forbidden rows the first has no proof, and the last has too many."""
    model = Csp(tuple("abcdefghi"[: len(domains)]), domains, (constraint,))
    assert proved(problem_of(model), diagram_of(model)) == len(naive_csp.solutions(model)) > 0


PUZZLES = {
    "dominoes 6 6": 6728,
    "latin-square 4": 576,
    "langford 7": 52,
    "polyominoes 4 4 4 --any-number": 117,
    "polyominoes 4 4 7 --any-number": None,
    "sum-free 20": 9583,
    "hip 4": 2094,
    "hip 4 --any-balance": 5006,
}


@pytest.mark.parametrize("words", PUZZLES)
def test_puzzles(words: str) -> None:
    puzzle = rk.puzzle(words)
    model = lower(puzzle.model)
    total = PUZZLES[words]
    counted = rk.count(puzzle, up_to="none").total
    assert total in (None, counted)
    check(model, counted)


@pytest.mark.parametrize(
    ("make", "total"),
    [
        pytest.param(lambda: grid(6).independent_sets(), 5598861, id="A006506"),
        pytest.param(lambda: grid(5).colorings(3), 3 * 193662, id="A068253"),
        pytest.param(lambda: grid(4).dominating_sets(minimum=False), 28661, id="A133515"),
    ],
)
def test_graphs(make: Callable[[], rk.Puzzle], total: int) -> None:
    check(lower(make().model), total)


class TestFaults:
    """A change of a diagram is found, unless it changes nothing."""

    MODELS = ("dominoes 3 4", "latin-square 3", "sum-free 8", "rectangle-free 2 3 2")

    @pytest.mark.parametrize("words", MODELS)
    @pytest.mark.parametrize("seed", range(20))
    def test_a_changed_node(self, words: str, seed: int) -> None:
        """Redirected, dropped or added children; the count is right or there is none."""
        problem, diagram, total = self.files(words)
        draw = random.Random(seed)
        for _ in range(25):
            changed = list(diagram)
            inner = [n for n, line in enumerate(changed) if line[:1] in b"AO" and len(line.split()) > 2]
            for _ in range(draw.choice((1, 1, 2))):
                at = draw.choice(inner)
                changed[at] = self.changed(changed[at], at - 1, draw)
            changed[0] = header_of(changed)
            try:
                found = check_count.count(problem, *read_diagram(changed))
            except NotProved:
                continue
            assert found == total

    @staticmethod
    @cache
    def files(words: str) -> tuple[tuple[int, list[check_count.Sum]], list[bytes], int]:
        """The problem as it is read, the diagram, and the count."""
        model = lower(rk.puzzle(words).model)
        diagram = diagram_of(model)
        return read_problem(problem_of(model)), diagram, by_foreign_rules(diagram)

    @staticmethod
    def changed(line: bytes, number: int, draw: random.Random) -> bytes:
        words = line.decode().split()
        head, children = (words[:1], words[2:]) if words[0] == "A" else (words[:2], words[3:])
        what = draw.choice(("drop", "redirect", "add", "swap"))
        if what == "drop" and children:
            children.pop(draw.randrange(len(children)))
        elif what == "redirect" and children:
            children[draw.randrange(len(children))] = str(draw.randrange(number))
        elif what == "add":
            children.append(str(draw.randrange(number)))
        elif children:
            draw.shuffle(children)
        return " ".join((*head, str(len(children)), *children)).encode() + b"\n"

    @pytest.mark.parametrize("words", MODELS)
    def test_a_changed_problem(self, words: str) -> None:
        """A constraint less, or another bound: the diagram no longer proves it, or the count is right."""
        model = lower(rk.puzzle(words).model)
        problem, diagram = problem_of(model), diagram_of(model)
        n_refused = 0
        for number, line in enumerate(problem):
            if line.startswith(b"*"):
                continue
            for changed in (
                b"* nothing\n",
                line.replace(b" = 1 ;", b" = 0 ;"),
                line.replace(b" = 1 ;", b" >= 1 ;"),
            ):
                other = [*problem[:number], changed, *problem[number + 1 :]]
                try:
                    found = proved(other, diagram)
                except NotProved:
                    n_refused += 1
                    continue
                if len(opb_of(model).variable_of) <= 10:
                    assert found == by_brute_force(other)
        assert n_refused > 0

    def test_a_variable_that_no_constraint_has(self) -> None:
        """It doubles the solutions, so it must be in the diagram."""
        model = lower(rk.puzzle("dominoes 2 2").model)
        problem, diagram = problem_of(model), diagram_of(model)
        assert proved(problem, diagram) == 2
        head = problem[0].replace(b"#variable= 4", b"#variable= 5")
        with pytest.raises(NotProved, match="not both about variables 1 to 5"):
            proved([head, *problem[1:]], diagram)

    def test_a_cut_is_missing(self) -> None:
        """A state without a way on is needed: the branch to it breaks no single constraint."""
        model = lower(rk.puzzle("langford 4").model)
        problem, diagram = problem_of(model), diagram_of(model)
        dead = [number for number, line in enumerate(diagram[1:]) if line == b"O 0 0\n"]
        assert dead
        for number in dead:
            leads = next(
                n
                for n, line in enumerate(diagram[1:])
                if line.startswith(b"A") and line.endswith(b" %d\n" % number)
            )
            changed = [
                b" ".join(self.without(line, leads)) + b"\n" if line.startswith(b"O") else line
                for line in diagram
            ]
            changed[0] = header_of(changed)
            with pytest.raises(NotProved, match="no branch where"):
                proved(problem, changed)

    @staticmethod
    def without(line: bytes, child: int) -> list[bytes]:
        kind, variable, _, *children = line.split()
        left = [one for one in children if int(one) != child]
        return [kind, variable, str(len(left)).encode(), *left]


def test_it_imports_nothing_of_ours_and_is_short() -> None:
    text = Path(check_count.__file__).read_text(encoding="utf-8")
    assert sum(map(bool, text.split("\n"))) < 300
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    assert names <= {"__future__", "re", "sys", "collections.abc", "dataclasses", "pathlib"}


def test_by_itself(tmp_path: Path) -> None:
    """As a program, without rekkyo, from a folder of its own."""
    model = lower(rk.puzzle("dominoes 4 4").model)
    (tmp_path / "p.opb").write_bytes(b"".join(problem_of(model)))
    (tmp_path / "d.nnf").write_bytes(b"".join(diagram_of(model)))
    command = [sys.executable, "-I", check_count.__file__]

    def run(*names: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, *names], cwd=tmp_path, capture_output=True, text=True, check=False)

    done = run("p.opb", "d.nnf")
    assert (done.returncode, done.stdout, done.stderr) == (0, "s VERIFIED 36 solutions\n", "")
    for names in (("d.nnf", "p.opb"), ("p.opb", "no.nnf"), ("p.opb", "d.nnf", "d.nnf"), ("p.opb",), ()):
        done = run(*names)
        assert done.returncode == 1
        assert done.stderr.startswith("s NOT VERIFIED: ")
        assert done.stderr.count("\n") == 1
