"""Files of the solutions that pass a filter or were chosen: a table of rows, or a sheet of pictures.

A table is sent in parts, in the order `found`; a sheet has the order of the question.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import TypeVar

import numpy as np

from rekkyo.errors import BadInput, fix_for_name
from rekkyo.export.header import Header
from rekkyo.export.tables import csv_parts, write_npy_header
from rekkyo.gallery.collection import Collection
from rekkyo.gallery.question import Question, echo
from rekkyo.render.pdf import pdf
from rekkyo.render.png import png
from rekkyo.render.svg.drawing import sheet

MAX_ON_SHEET = 400

TABLES = ("csv", "npy")
"""Formats whose rows are in the order `found`."""

_Part = TypeVar("_Part")


@dataclass(frozen=True, slots=True)
class Download:
    """A file. parts: its bytes, in order."""

    suffix: str
    kind: str
    parts: Iterable[bytes]


def download(collection: Collection, question: Question, form: str) -> Download:
    """A file of the solutions that pass, after the scan. Raises BadInput."""
    if form not in FORMS:
        raise BadInput(f'no format "{echo(form)}"; {fix_for_name(echo(form), tuple(FORMS))}')
    kind, write = FORMS[form]
    return Download(form, kind, _begun(iter(write(collection, question))))


def _begun(parts: Iterator[_Part]) -> Iterator[_Part]:
    """The parts; the first one is made at once, from the solutions as they were scanned."""
    return chain([*islice(parts, 1)], parts)


def _csv(collection: Collection, question: Question) -> Iterator[bytes]:
    puzzle = collection.puzzle
    passing = _begun(collection.passing(question))
    header = Header.of(puzzle, collection.source.up_to)
    yield from map(bytes, csv_parts(puzzle, header, (rows for _, rows in passing)))


def _npy(collection: Collection, question: Question) -> Iterator[bytes]:
    dtype = collection.source.rows(0, 0).dtype
    shape = (collection.count(question), collection.puzzle.model.row_shape.length)
    passing = _begun(collection.passing(question))
    begin = io.BytesIO()
    write_npy_header(begin, dtype, shape)
    yield begin.getvalue()
    for _, rows in passing:
        yield np.ascontiguousarray(rows).tobytes()


def _sheet(collection: Collection, question: Question) -> str:
    n_passing = collection.count(question)
    if n_passing > MAX_ON_SHEET:
        raise BadInput(
            f"a sheet holds at most {MAX_ON_SHEET} solutions, not {n_passing:,};"
            " filter them, or choose favourites"
        )
    numbers = collection.numbers(question, 0, n_passing)
    first = int(numbers[0]) if n_passing and (np.diff(numbers) == 1).all() else None
    return sheet(collection.puzzle, collection.rows(numbers), theme="light", first=first)


FORMS: dict[str, tuple[str, Callable[[Collection, Question], Iterable[bytes]]]] = {
    "csv": ("text/csv", _csv),
    "npy": ("application/octet-stream", _npy),
    "svg": ("image/svg+xml", lambda *asked: [_sheet(*asked).encode()]),
    "png": ("image/png", lambda *asked: [png(_sheet(*asked))]),
    "pdf": ("application/pdf", lambda *asked: [pdf([_sheet(*asked)])]),
}
