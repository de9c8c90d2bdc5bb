"""A solver's DRUP proof, trimmed and with hints: as DRAT and as LRAT, the same steps in both.

In a forward pass, every step is checked by unit propagation (`rup_kernel.py`), which gives its hints: the
clauses that were used. A consequence of unit clauses alone becomes a separate step, so that later hints are
one number. In a backward pass, only the steps that a later one needs are kept. A clause of two literals or
more is deleted after its last use. Source: L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp,
"Efficient certified RAT verification" (CADE 2017).

Deletions in the solver's proof are performed, but a root literal stays true when the clause that implied it
is deleted, as in drat-trim. Left out on purpose: RAT steps, which the solver does not write.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rekkyo.errors import RekkyoError
from rekkyo.runs import rup_kernel as kernel
from rekkyo.runs.rup_kernel import Clauses, State

MOST_NUMBERS = 1 << 28
"""The most numbers in the records of all steps: 1 GB."""

CHUNK = 1 << 22
"""The numbers in one piece of records, at least 4."""

Numbers = NDArray[np.int32]


class BadProof(RekkyoError):
    """A proof with a step that does not follow, or a proof that is too large."""


@dataclass(frozen=True, slots=True)
class _Input:
    """n_formula: clauses of the formula; those of the proof come after them. steps: see `advance`.

    literals, starts: all of them as in the texts. Clause n_clauses + v is the unit of variable v.
    """

    n_variables: int
    n_formula: int
    n_clauses: int
    literals: Numbers
    starts: NDArray[np.int64]
    steps: Numbers

    def clause(self, number: int) -> Numbers:
        return self.literals[self.starts[number] : self.starts[number + 1]]


@dataclass(frozen=True, slots=True)
class _Step:
    """A clause that follows from the hints. target: its number, or -1 for the contradiction."""

    target: int
    literals: Sequence[int]
    hints: Numbers


def elaborate(
    n_variables: int, formula: Sequence[Sequence[int]], proof: Iterable[str], drat: Path, lrat: Path
) -> int:
    """Write the proof into two new files; returns the lines of the DRAT file.

    proof: lines of DRUP text. Raises BadProof.
    """
    given = _read(n_variables, formula, proof)
    pieces = list(_follow(given))
    n_lines = 0
    with (
        drat.open("w", encoding="ascii", newline="\n") as plain,
        lrat.open("w", encoding="ascii", newline="\n") as hinted,
    ):
        for in_drat, in_lrat in _lines(given, _needed(given, pieces)):
            plain.writelines(in_drat)
            hinted.write(in_lrat)
            n_lines += len(in_drat)
    return n_lines


def _read(n_variables: int, formula: Sequence[Sequence[int]], proof: Iterable[str]) -> _Input:
    n_formula = len(formula)
    texts = [" ".join(map(str, clause)) for clause in formula]
    by_literals: dict[str, list[int]] = {}
    for number, text in enumerate(texts):
        by_literals.setdefault(_key(text), []).append(number)
    steps = []
    for line in proof:
        text = line.strip().removesuffix("0").rstrip()
        if text.startswith("d"):
            same = by_literals.get(_key(text[1:].lstrip()))
            if same:
                steps.append(-1 - same.pop())
        else:
            by_literals.setdefault(_key(text), []).append(len(texts))
            steps.append(len(texts))
            texts.append(text)
    n_clauses = len(texts)
    lengths = [text.count(" ") + 1 if text else 0 for text in texts]
    literals = np.fromstring(" ".join(texts), dtype=np.int32, sep=" ")
    starts = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
    all_steps = np.array([*range(n_clauses, n_clauses + n_formula), *steps], dtype=np.int32)
    return _Input(n_variables, n_formula, n_clauses, literals, starts, all_steps)


def _key(text: str) -> str:
    return " ".join(sorted(text.split()))


def _follow(given: _Input) -> Iterator[Numbers]:
    """The records of `advance`, in pieces."""
    n_literals = 2 * given.n_variables + 2
    reasons, trail, marks, hints, roots = np.zeros((5, given.n_variables + 1), dtype=np.int32)
    heads, nexts = (np.full(size, -1, dtype=np.int32) for size in (n_literals, 2 * given.n_clauses))
    values, numbers = np.zeros(n_literals, dtype=np.int8), np.zeros(4, dtype=np.int64)
    state = State(values, reasons, trail, marks, hints, roots, heads, nexts, numbers)
    literals = (2 * np.abs(given.literals) + (given.literals < 0)).astype(np.int32)
    clauses = Clauses(literals, given.starts, np.ones(given.n_clauses, dtype=np.uint8))
    out = np.empty(CHUNK + 5 * n_literals, dtype=np.int32)  # see `advance` for the space that it needs
    n_numbers = 0
    while not state.numbers[kernel.HAS_ENDED]:
        outcome = kernel.advance(given.steps, clauses, state, out)
        step = int(state.numbers[kernel.STEP])
        if outcome == kernel.NOT_IMPLIED:
            raise BadProof(f"step {step - given.n_formula} of its proof does not follow")
        if outcome == kernel.ENDED and not state.numbers[kernel.HAS_ENDED]:
            raise BadProof("its proof ends without a contradiction")
        n_numbers += int(state.numbers[kernel.N_OUT])
        if n_numbers > MOST_NUMBERS:
            raise BadProof(
                f"its proof is too large: more than {MOST_NUMBERS:,} hints for the first"
                f" {step / len(given.steps):.0%}; certify a part of the puzzle, with something given"
            )
        yield out[: state.numbers[kernel.N_OUT]].copy()
        state.numbers[kernel.N_OUT] = 0


def _needed(given: _Input, pieces: Sequence[Numbers]) -> Iterator[tuple[_Step, Numbers]]:
    """The steps that the contradiction needs, in order, each with the clauses that no later step needs."""
    is_needed = np.zeros(given.n_clauses + given.n_variables + 1, dtype=np.bool_)
    kept = []
    for piece in reversed(pieces):
        for at in reversed(list(_places(piece))):
            step = _step(given, piece, at)
            if step.target < 0 or is_needed[step.target]:
                kept.append((piece, at, step.hints[~is_needed[step.hints]]))
                is_needed[step.hints] = True
    for piece, at, used_up in reversed(kept):
        yield _step(given, piece, at), used_up


def _places(piece: Numbers) -> Iterator[int]:
    at = 0
    while at < len(piece):
        yield at
        at += 3 if piece[at] == kernel.UNIT else 3 + int(piece[at + 2])


def _step(given: _Input, piece: Numbers, at: int) -> _Step:
    kind, what, more = piece[at : at + 3].tolist()
    if kind == kernel.UNIT:
        clause = np.abs(given.clause(more))
        variable, sign = divmod(what, 2)
        hints = np.append(given.n_clauses + clause[clause != variable], more)
        return _Step(given.n_clauses + variable, (-variable if sign else variable,), hints)
    hints = piece[at + 3 : at + 3 + more]
    hints = np.where(hints < 0, given.n_clauses - hints, hints)
    if kind == kernel.EMPTY:
        return _Step(-1, (), hints)
    return _Step(what, given.clause(what).tolist(), hints)


def _lines(given: _Input, steps: Iterable[tuple[_Step, Numbers]]) -> Iterator[tuple[list[str], str]]:
    """The lines of a step and of the deletions after it: in the DRAT file, and in the LRAT file."""
    ids = np.zeros(given.n_clauses + given.n_variables + 1, dtype=np.int64)
    ids[: given.n_formula] = np.arange(1, given.n_formula + 1)
    last_id = given.n_formula
    for step, used_up in steps:
        hints = ids[step.hints].tolist()
        if step.target >= given.n_clauses and len(hints) == 1:
            ids[step.target] = hints[0]  # the clause is a unit by itself
            continue
        last_id += 1
        ids[step.target] = last_id
        in_drat, in_lrat = [_line(*step.literals, 0)], _line(last_id, *step.literals, 0, *hints, 0)
        clauses = ((number, given.clause(number).tolist()) for number in used_up if number < given.n_clauses)
        deleted = {int(ids[number]): clause for number, clause in clauses if len(clause) > 1}
        if deleted and step.target >= 0:
            in_drat += [_line("d", *clause, 0) for clause in deleted.values()]
            in_lrat += _line(last_id, "d", *deleted, 0)
        yield in_drat, in_lrat


def _line(*words: int | str) -> str:
    return " ".join(map(str, words)) + "\n"
