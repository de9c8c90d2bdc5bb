"""The checker of counts, and diagrams and problems that are written by hand or drawn: right, wrong and hostile ones."""

from __future__ import annotations

import random

import pytest

from rekkyo.runs import check_count
from rekkyo.runs.check_count import NotProved
from tests.runs.test_check_count import by_brute_force, header_of, proved, solutions_of

Ones = tuple[int, ...]  # the variables that are 1
Branch = tuple[Ones, int]  # and the node of the next level, or -1 after the last


def written(levels: list[list[list[Branch]]], groups: list[Ones]) -> list[bytes]:
    """The diagram of the branches of each level and node. groups: the variables of each level."""
    variables = sorted(x for group in groups for x in group)
    nodes = [b"L %d\n" % (sign * x) for x in variables for sign in (1, -1)]
    literal = {int(line.split()[1]): number for number, line in enumerate(nodes)}
    below: list[int] = []
    for level, group in zip(reversed(levels), reversed(groups), strict=True):
        here = []
        for branches in level:
            children = []
            for ones, following in branches:
                parts = [literal[x if x in ones else -x] for x in group]
                parts += [below[following]] if following >= 0 else []
                nodes.append(" ".join(map(str, ("A", len(parts), *parts))).encode() + b"\n")
                children.append(len(nodes) - 1)
            nodes.append(" ".join(map(str, ("O", 0, len(children), *children))).encode() + b"\n")
            here.append(len(nodes) - 1)
        below = here
    return [header_of([b"", *nodes]), *nodes]


class TestWaysThatMeet:
    """A node lacks a branch only if that breaks a constraint on every way, and has one only if on none."""

    @pytest.mark.parametrize("seed", range(8))
    def test_nodes_that_are_merged_rightly_and_wrongly(self, seed: int) -> None:
        """Either the count is right, or it is refused."""
        draw = random.Random(seed)
        n_proved = n_refused = 0
        for _ in range(200):
            problem = self.problem(draw)
            try:
                total = proved(problem, self.diagram(problem, draw))
            except NotProved:
                n_refused += 1
            else:
                n_proved += 1
                assert total == by_brute_force(problem)
        assert min(n_proved, n_refused) > 30

    def test_ways_of_which_the_first_forbids_a_branch(self) -> None:
        """x2 and x3 are not both 1; x1 is free. Where only one way has x2, x3 may neither be 1 nor be left out."""
        problem = [b"* #variable= 3 #constraint= 1\n", b"-1 x2 -1 x3 >= -1 ;\n"]
        free, owing = [((), -1), ((3,), -1)], [((), -1)]
        first: list[list[Branch]] = [[((), 0), ((1,), 1)]]
        apart: list[list[Branch]] = [[((), 1), ((2,), 0)], [((), 1), ((2,), 0)]]
        met: list[list[Branch]] = [[((), 1), ((2,), 0)], [((), 0), ((2,), 0)]]
        groups = [(1,), (2,), (3,)]
        assert proved(problem, written([first, apart, [owing, free]], groups)) == 6
        with pytest.raises(NotProved, match=r"no branch where \(3,\) are 1"):
            proved(problem, written([first, met, [owing, free]], groups))
        with pytest.raises(NotProved, match=r"on which \(3,\) are 1 and a constraint is broken"):
            proved(problem, written([first, met, [free, free]], groups))

    @staticmethod
    def problem(draw: random.Random) -> list[bytes]:
        """Constraints over four variables, about half of which forbid that some are all 1."""
        lines = []
        for _ in range(draw.randint(1, 3)):
            some = draw.sample(range(1, 5), draw.randint(2, 4))
            coefficients, relation, bound = [-1] * len(some), ">=", 1 - len(some)
            if draw.random() < 0.5:
                coefficients = [draw.choice((-2, -1, 1, 2)) for _ in some]
                relation, bound = draw.choice((">=", "=")), draw.randint(-2, 2)
            terms = " ".join(f"{c:+} x{x}" for c, x in zip(coefficients, some, strict=True))
            lines.append(f"{terms} {relation} {bound} ;\n".encode())
        return [b"* #variable= 4 #constraint= %d\n" % len(lines), *lines]

    @staticmethod
    def diagram(problem: list[bytes], draw: random.Random) -> list[bytes]:
        """Nodes with the branches of all their ways or of one, and sometimes with a branch more.

        The ways to a node have the same solutions ahead; in some levels, any ways meet.
        """
        a, b, c, d = order = tuple(draw.sample(range(1, 5), 4))
        groups = draw.choice([[(a,), (b,), (c,), (d,)], [(a, b), (c, d)], [(a,), (b, c), (d,)]])
        solutions = solutions_of(problem)

        def ahead(way: Ones, n: int) -> list[Ones]:
            """The solutions that begin with a way, which assigns so many variables."""
            return [one for one in solutions if {*one} & {*order[:n]} == {*way}]

        levels: list[list[list[Branch]]] = []
        front: list[list[Ones]] = [[()]]
        n_assigned = 0
        for group in groups:
            n_assigned += len(group)
            is_any_way, is_last = draw.random() < 0.3, n_assigned == 4
            numbers: dict[object, int] = {}
            after: list[list[Ones]] = []
            levels.append([])
            for ways in front:
                of_ways = [
                    {tuple(x for x in group if x in one) for one in ahead(way, n_assigned - len(group))}
                    for way in ways
                ]
                there = set().union(*of_ways) if draw.random() < 0.5 else draw.choice(of_ways)
                if draw.random() < 0.2:
                    there = there | {tuple(x for x in group if draw.random() < 0.5)}
                branches: list[Branch] = []
                for ones in sorted(there):
                    longer = [way + ones for way in ways]
                    key = (
                        draw.randrange(2)
                        if is_any_way
                        else frozenset(frozenset(one) - {*longer[0]} for one in ahead(longer[0], n_assigned))
                    )
                    number = numbers.setdefault(key, len(numbers))
                    after += [[]] * (number == len(after))
                    after[number] = after[number] + longer
                    branches.append((ones, -1 if is_last else number))
                levels[-1].append(branches)
            front = after
        return written(levels, groups)


class TestHostileFiles:
    PROBLEM = (b"* #variable= 2 #constraint= 1\n", b"+1 x1 +1 x2 = 1 ;\n")
    DIAGRAM = (b"nnf 8 8 2\n", b"A 0\n", b"L 1\n", b"L -1\n", b"L 2\n", b"L -2\n", b"A 3 1 4 0\n")
    DIAGRAM += (b"A 3 2 3 0\n", b"O 0 2 5 6\n")

    def test_the_example(self) -> None:
        assert proved(list(self.PROBLEM), list(self.DIAGRAM)) == 2

    @pytest.mark.parametrize(
        ("line", "content", "message"),
        [
            (0, b"", "line 1"),
            (0, b"nnf\n", "line 1"),
            (1, b"X 1\n", "line 2"),
            (1, b"A\n", "line 2"),
            (2, b"L 0\n", "line 3"),
            (2, b"L 99999999999999\n", "line 3"),
            (6, b"A 3 1 4 6\n", "line 7"),
            (6, b"A 2 1 4 0\n", "line 7"),
            (6, b"A 3 1 4 7\n", "line 7"),
            (6, b"A 3 1 4 5\n", "line 7"),
            (6, b"A 3 1 4 0 9\n", "line 7"),
            (6, b"A 3 1 1 0\n", "same new variables"),
            (8, b"O 0 2 5 8\n", "line 9"),
            (8, b"O 0 3 5 6\n", "line 9"),
            (8, b"O 0\n", "line 9"),
            (8, b"O 0 2 5 5\n", "twice"),
            (8, b"O 0 1 5\n", "no branch where"),
            (8, b"O 0 0\n", "not both about variables"),
        ],
    )
    def test_diagrams(self, line: int, content: bytes, message: str) -> None:
        diagram = list(self.DIAGRAM)
        diagram[line] = content
        if line:
            diagram[0] = header_of(diagram)
        with pytest.raises(NotProved, match=message):
            proved(list(self.PROBLEM), diagram)

    TWO_LEVELS = (
        b"A 0\n",
        b"L 1\n",
        b"L -1\n",
        b"L 2\n",
        b"L -2\n",
        b"A 2 4 0\n",
        b"A 2 3 0\n",
        b"O 0 1 5\n",
    )
    """x1, and below x2; with a last decision on x2 where x1 is 0."""

    @pytest.mark.parametrize(
        ("constraint", "below", "total"),
        [
            (b"-1 x1 -1 x2 >= -1 ;\n", b"O 0 2 5 6\n", 3),
            (b"-1 x1 -1 x2 = -1 ;\n", b"O 0 1 6\n", 2),
            (b"+1 x1 +1 x2 = 1 ;\n", b"O 0 1 6\n", 2),
            (b"-1 x1 -1 x2 >= -1 ;\n", b"O 0 1 6\n", None),
            (b"-1 x1 -1 x2 = -1 ;\n", b"O 0 2 5 6\n", None),
            (b"+1 x1 +1 x2 = 1 ;\n", b"O 0 2 5 6\n", None),
            (b"-1 x1 -1 x2 >= 0 ;\n", b"O 0 2 5 6\n", None),
            (b"+1 x1 -1 x2 >= 0 ;\n", b"O 0 2 5 6\n", None),
        ],
    )
    def test_two_levels(self, constraint: bytes, below: bytes, total: int | None) -> None:
        """That both are not 1 is another constraint than that exactly one of them is."""
        nodes = [*self.TWO_LEVELS, below, b"A 2 1 7\n", b"A 2 2 8\n", b"O 0 2 9 10\n"]
        problem, diagram = [self.PROBLEM[0], constraint], [header_of([b"", *nodes]), *nodes]
        if total is None:
            with pytest.raises(NotProved, match=r"no branch where|a constraint is broken"):
                proved(problem, diagram)
        else:
            assert proved(problem, diagram) == total == by_brute_force(problem)

    @pytest.mark.parametrize(
        "constraints",
        [
            pytest.param((b"-1 x1 -1 x2 >= -1 ;\n", b"-1 x1 +1 x2 >= 0 ;\n"), id="by two together"),
            pytest.param((b"+1 x1 = 0 ;\n", b"+1 x2 >= 0 ;\n"), id="at once"),
        ],
    )
    def test_a_dead_end(self, constraints: tuple[bytes, ...]) -> None:
        """There x1 is 1, which the constraints forbid. It may be the first node of all."""
        problem = [b"* #variable= 2 #constraint= 2\n", *constraints]
        nodes = [b"O 0 0\n", *self.TWO_LEVELS[1:5], b"A 1 3\n", b"A 1 4\n", b"O 0 2 5 6\n"]
        nodes += [b"A 2 1 0\n", b"A 2 2 7\n", b"O 0 2 8 9\n"]
        later = written([[[((1,), 0), ((), 1)]], [[], [((2,), -1), ((), -1)]]], [(1,), (2,)])
        for diagram in ([header_of([b"", *nodes]), *nodes], later):
            assert proved(problem, diagram) == 2 == by_brute_force(problem)

    def test_a_diagram_of_one_way(self) -> None:
        """Its root is no decision, and x2 has no positive literal."""
        nodes = [b"A 0\n", b"L 1\n", b"L -2\n", b"A 3 1 2 0\n"]
        problem = [b"* #variable= 2 #constraint= 2\n", b"+1 x1 = 1 ;\n", b"+1 x2 = 0 ;\n"]
        assert proved(problem, [b"nnf 4 3 2\n", *nodes]) == 1

    def test_a_diagram_without_nodes(self) -> None:
        assert proved([b"* #variable= 0 #constraint= 0\n"], [b"nnf 0 0 0\n"]) == 1
        with pytest.raises(NotProved, match="not both about variables 1 to 2"):
            proved(list(self.PROBLEM), [b"nnf 0 0 0\n"])

    def test_a_variable_that_two_levels_assign(self) -> None:
        """With one value above and with another below, so that ways are counted twice."""
        diagram = written([[[((1,), 0), ((), 0)]], [[((1,), -1), ((2,), -1)]]], [(1,), (1, 2)])
        with pytest.raises(NotProved, match="branches must assign the same new variables"):
            proved(list(self.PROBLEM), diagram)

    def test_a_variable_that_the_problem_does_not_have(self) -> None:
        diagram = written([[[((1,), 0), ((), 0)]], [[((3,), -1), ((), -1)]]], [(1,), (3,)])
        with pytest.raises(NotProved, match="not both about variables 1 to 2"):
            proved([self.PROBLEM[0], b"+1 x1 >= 0 ;\n"], diagram)

    def test_two_decisions_below_one_node(self) -> None:
        nodes = [*self.DIAGRAM[1:6], b"O 0 2 1 2\n", b"O 0 2 3 4\n", b"A 2 5 6\n"]
        with pytest.raises(NotProved, match="line 9: not so many nodes before it, or two decisions"):
            proved(list(self.PROBLEM), [header_of([b"", *nodes]), *nodes])

    @pytest.mark.parametrize(
        ("lines", "message"),
        [
            ([], "line 1"),
            ([b"* nothing\n"], "line 1"),
            ([PROBLEM[0], b"+1 x1 +1 x1 = 1 ;\n"], "line 2"),
            ([PROBLEM[0], b"+1 x0 = 1 ;\n"], "line 2"),
            ([PROBLEM[0], b"= 1 ;\n"], "line 2"),
            ([PROBLEM[0], b"+1 x3 = 1 ;\n"], "not both about variables"),
            ([PROBLEM[0], b"+1 x1 +1 x2 = 1 ;"], "line 2"),
            ([PROBLEM[0], b"+1 x1 +1 x2 <= 1 ;\n"], "line 2"),
            ([PROBLEM[0], b"+1000000000000000000 x1 +1 x2 = 1 ;\n"], "line 2"),
            ([PROBLEM[0][:-1]], "line 1: that is not"),
            ([PROBLEM[0]], "line 1 says 1 constraints, but there are 0"),
            ([*PROBLEM, PROBLEM[1]], "line 1 says 1 constraints, but there are 2"),
            ([b"* #variable= 999999999 #constraint= 1\n", PROBLEM[1]], "variables 1 to 999999999"),
        ],
    )
    def test_problems(self, lines: list[bytes], message: str) -> None:
        with pytest.raises(NotProved, match=message):
            proved(lines, list(self.DIAGRAM))

    def test_many_sums_and_many_assignments(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Two assignments of a level, and three partial sums of both levels."""
        problem = [self.PROBLEM[0], b"+1 x1 +1 x2 >= 0 ;\n"]
        diagram = written([[[((1,), 0), ((), 0)]], [[((2,), -1), ((), -1)]]], [(1,), (2,)])
        assert proved(problem, diagram) == 4
        for most, message in (
            (1, "a level has more than 1 assign"),
            (2, "a constraint has more than 2 part"),
        ):
            monkeypatch.setattr(check_count, "MOST", most)
            with pytest.raises(NotProved, match=message):
                proved(problem, diagram)
