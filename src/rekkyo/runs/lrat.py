"""Checks proofs in LRAT: that a formula has no solution. Plain Python; imports nothing from rekkyo.

A proof adds clauses until one is empty. Hints name the clauses from which a new clause follows: if its
literals are all false, each hint in turn is a unit clause, and the last hint is false.

    12 -3 5 0 4 9 0     clause 12 is "not 3, or 5", because of clauses 4 and 9
    12 d 4 7 0          clauses 4 and 7 are not used after clause 12

Stricter than the format: numbers are consecutive, every hint must be used, the empty clause is the last line.
Source: L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp, "Efficient certified RAT
verification" (CADE 2017). Left out on purpose: RAT steps (negative hints), and with them most of the format.

As a program: python lrat.py blocked.cnf proof.lrat
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

NUMBER = rb"(?:[1-9][0-9]{0,9})"
ADDITION = re.compile(rb"(%b) ((?:-?%b )*)0 ((?:%b )+)0\n" % (NUMBER, NUMBER, NUMBER))
DELETION = re.compile(rb"(%b) d ((?:%b )+)0\n" % (NUMBER, NUMBER))
HEADER = re.compile(rb"p cnf (0|%b) (0|%b)\n" % (NUMBER, NUMBER))
CLAUSE = re.compile(rb"(?:-?%b )*0\n" % NUMBER)

Clause = tuple[int, ...]


class NotProved(Exception):
    """A line is wrong; the message says which and why."""


def read_dimacs(lines: Iterable[bytes]) -> tuple[int, list[Clause]]:
    """The number of variables, and the clauses, one a line. Raises NotProved."""
    head = None
    clauses = []
    for number, line in enumerate(lines, 1):
        if line.startswith(b"c "):
            continue
        if head is None:
            head = HEADER.fullmatch(line)
            if head is None:
                raise NotProved(f"line {number} of the formula is not `p cnf VARIABLES CLAUSES`")
        elif CLAUSE.fullmatch(line):
            clauses.append(tuple(map(int, line.split()[:-1])))
        else:
            raise NotProved(f"line {number} of the formula is not a clause")
    if head is None:
        raise NotProved("the formula has no header")
    n_variables, n_clauses = map(int, head.groups())
    if len(clauses) != n_clauses:
        raise NotProved(f"the header says {n_clauses} clauses, but there are {len(clauses)}")
    if max((abs(literal) for clause in clauses for literal in clause), default=0) > n_variables:
        raise NotProved(f"a variable is greater than {n_variables}, the number in the header")
    return n_variables, clauses


def check_lrat(formula: Sequence[Clause], lines: Iterable[bytes]) -> Iterator[bytes]:
    """Check a proof line by line, and yield the same steps in DRAT. Raises NotProved.

    If the iteration ends without an error, the formula has no solution.
    """
    clauses: dict[int, Clause] = dict(enumerate(formula, 1))
    last, is_proved = len(formula), False
    for number, line in enumerate(lines, 1):
        addition, deletion = ADDITION.fullmatch(line), DELETION.fullmatch(line)
        is_numbered = int((addition or deletion or (0, -1))[1]) == last + bool(addition)
        if is_proved or not is_numbered:
            raise NotProved(f"line {number} of the proof is not a step, or has a wrong number or place")
        try:
            if addition:
                last, clause = last + 1, tuple(map(int, addition[2].split()))
                _check(clauses, clause, map(int, addition[3].split()))
                clauses[last] = clause
                is_proved = not clause
                yield addition[2] + b"0\n"
            elif deletion:
                for old in map(int, deletion[2].split()):
                    yield b"d %b 0\n" % b" ".join(b"%d" % literal for literal in clauses.pop(old))
        except KeyError as missing:
            raise NotProved(f"line {number} of the proof: there is no clause {missing}") from None
        except NotProved as problem:
            raise NotProved(f"line {number} of the proof: {problem}") from None
    if not is_proved:
        raise NotProved("the proof ends without the empty clause")


def _check(clauses: dict[int, Clause], clause: Clause, hints: Iterable[int]) -> None:
    """Raise NotProved, or KeyError, unless a clause follows by its hints."""
    fails = set(clause)
    is_conflict = False
    for hint in hints:
        if is_conflict:
            raise NotProved(f"hint {hint} comes after the contradiction")
        left = [literal for literal in clauses[hint] if literal not in fails]
        if len(left) > 1 or (left and -left[0] in fails):
            raise NotProved(f"hint {hint} says nothing")
        if left:
            fails.add(-left[0])
        else:
            is_conflict = True
    if not is_conflict:
        raise NotProved("its hints lead to no contradiction")


def main(formula: str, proof: str) -> None:
    """Print the verdict, and end the program with code 1 unless the formula is proved to have no solution."""
    try:
        with Path(formula).open("rb") as one, Path(proof).open("rb") as other:
            n_steps = sum(1 for _ in check_lrat(read_dimacs(one)[1], other))
    except (NotProved, OSError) as reason:
        raise SystemExit(f"not proved: {reason}") from None
    print(f"proved in {n_steps} steps")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("not proved: name a formula and a proof")
    main(*sys.argv[1:])
