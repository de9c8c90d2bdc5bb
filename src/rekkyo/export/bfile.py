"""b-files, as the OEIS has them: `n a(n)` on each line, n going up by one, comments with `#`, plain ASCII.

Source: OEIS, "b-file formatting" (oeis.org/wiki/B-files).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rekkyo.errors import BadInput

MAX_DIGITS = 1000


def bfile_lines(comments: Sequence[str], terms: Iterable[tuple[int, int]]) -> Iterator[str]:
    """The lines of a b-file, each with its end. Raises BadInput when n does not go up by one."""
    for comment in comments:
        yield f"# {_ascii(comment)}\n"
    last = None
    for n, term in terms:
        if last is not None and n != last + 1:
            raise BadInput(f"a b-file goes up by one: {n} comes after {last}")
        if len(str(abs(term))) > MAX_DIGITS:
            raise BadInput(f"a b-file has terms of at most {MAX_DIGITS} digits; the one for {n} is longer")
        last = n
        yield f"{n} {term}\n"


def _ascii(text: str) -> str:
    return "".join(letter if letter.isascii() and letter.isprintable() else "?" for letter in text)
