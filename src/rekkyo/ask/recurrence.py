"""The linear recurrence with constant coefficients that counts satisfy, and their generating function.

Boards of fixed width and growing length are counted by a transfer matrix, so their counts satisfy such a
recurrence, of an order that few know beforehand. The shortest one is found from the terms alone (Berlekamp
and Massey), modulo a large prime. A sequence of integers with such a recurrence has one with integer
coefficients (Fatou), so these are read from their residues, and then all terms are checked exactly.

It is a conjecture: only the number of states of the transfer matrix would prove it. A recurrence of order k
is determined by 2k terms, and is reported if at least `LEAST_CHECKED` further terms satisfy it, too.
Source: J. L. Massey, Shift-register synthesis and BCH decoding (1969); P. Fatou, Séries trigonométriques et
séries de Taylor (1906). Recurrences whose coefficients are polynomials in n are left out on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rekkyo.model.checks import check_type, listed
from rekkyo.model.row import checked_whole, whole_number

PRIME = 2**521 - 1
LEAST_CHECKED = 3
RULE = "terms are whole numbers, such as [1, 5, 11, 36, 95]"


@dataclass(frozen=True, slots=True)
class Recurrence:
    """A conjecture: a(n) = c1*a(n-1) + c2*a(n-2) + … for all terms from `begins` on. Its `str` says so.

    coefficients: c1, c2, …; the last one is not 0, and none are left if all terms from `begins` on are 0.
    first: the index of the first term. n_checked: the terms beyond those that determine the coefficients.
    """

    coefficients: tuple[int, ...]
    terms: tuple[int, ...]
    first: int
    begins: int
    n_checked: int

    @property
    def order(self) -> int:
        """How many terms before it a term depends on."""
        return len(self.coefficients)

    @property
    def generating_function(self) -> str:
        """The sum of a(n)*x^n as a quotient of polynomials."""
        below = (1, *(-c for c in self.coefficients))
        n_above = self.begins - self.first
        above = [sum(c * self.terms[n - k] for k, c in enumerate(below[: n + 1])) for n in range(n_above)]
        return f"({_polynomial(above, self.first)})/({_polynomial(below)})"

    def further(self) -> Iterator[int]:
        """The terms after the last one that is known, without end."""
        last = list(self.terms[len(self.terms) - self.order :])
        while True:
            term = sum(c * a for c, a in zip(self.coefficients, reversed(last), strict=True))
            yield term
            last = [*last, term][1:]

    def __str__(self) -> str:
        rule = _joined((c, f"a(n-{k})") for k, c in enumerate(self.coefficients, 1))
        begins = "" if self.begins == self.first + self.order else f" for n >= {self.begins}"
        return f"a(n) = {rule}{begins}"


def recurrence(terms: Iterable[int], first: int = 1) -> Recurrence | None:
    """The shortest linear recurrence that all terms fit; None unless `LEAST_CHECKED` terms confirm it.

    terms: a(first), a(first + 1), … Raises BadInput.
    """
    known = [whole_number(term) for term in listed(RULE, terms)]
    for number in known:
        check_type(RULE, number, int)
    first = checked_whole("first is the index of the first term, such as 1", first)
    coefficients, n_needed = _shortest(known)
    n_checked = len(known) - 2 * n_needed
    if n_checked < LEAST_CHECKED or not _fits(known, coefficients, n_needed):
        return None
    return Recurrence(tuple(coefficients), tuple(known), first, first + n_needed, n_checked)


def _shortest(terms: Sequence[int]) -> tuple[list[int], int]:
    """The coefficients of the shortest recurrence modulo PRIME, and how many terms come before it begins."""
    now, before = [1], [1]  # 1 - c1 x - c2 x^2 - …, and the one before its length changed
    n_needed, since, beside = 0, 1, 1
    for n, term in enumerate(terms):
        error = (term + sum(c * terms[n - k] for k, c in enumerate(now[1 : n_needed + 1], 1))) % PRIME
        if not error:
            since += 1
            continue
        factor = error * pow(beside, -1, PRIME)
        longer = now + [0] * (len(before) + since - len(now))
        for k, c in enumerate(before):
            longer[k + since] = (longer[k + since] - factor * c) % PRIME
        if 2 * n_needed <= n:
            n_needed, before, beside, since = n + 1 - n_needed, now, error, 0
        now, since = longer, since + 1
    coefficients = [-c % PRIME for c in now[1 : n_needed + 1]]
    while coefficients and not coefficients[-1]:
        coefficients.pop()
    return [c if c <= PRIME // 2 else c - PRIME for c in coefficients], n_needed


def _fits(terms: Sequence[int], coefficients: Sequence[int], begins: int) -> bool:
    """Whether every term from the index `begins` on is what those before it say."""
    return all(
        terms[n] == sum(c * terms[n - k] for k, c in enumerate(coefficients, 1))
        for n in range(begins, len(terms))
    )


def _polynomial(coefficients: Sequence[int], lowest: int = 0) -> str:
    return _joined((c, {0: "1", 1: "x"}.get(k, f"x^{k}")) for k, c in enumerate(coefficients, lowest))


def _joined(parts: Iterable[tuple[int, str]]) -> str:
    """A sum in the notation of the OEIS, such as `a(n-1) - 5*a(n-2)`."""
    words = ""
    for factor, name in parts:
        if factor:
            size = str(abs(factor)) if name == "1" else name if abs(factor) == 1 else f"{abs(factor)}*{name}"
            sign = "-" if factor < 0 else "+"
            words += f" {sign} {size}" if words else size if factor > 0 else f"-{size}"
    return words or "0"
