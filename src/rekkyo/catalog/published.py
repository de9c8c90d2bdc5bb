"""Published counts, read from the data files beside this module: plain facts with their source."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files

from rekkyo.model.puzzle import Published


def published(family: str, puzzle: str, parameter: str) -> Published | None:
    """What was published about a puzzle of a family, or None."""
    return table(family).get((puzzle, parameter))


@cache
def table(family: str) -> dict[tuple[str, str], Published]:
    """All published counts of a family, by (puzzle, parameter)."""
    text = (files("rekkyo.catalog") / "data" / f"{family}.tsv").read_text(encoding="utf-8")
    return {
        (line["puzzle"], line["parameter"]): Published(
            _number(line["total"]), _number(line["unique"]), line["source"]
        )
        for line in csv.DictReader(text.splitlines(), delimiter="\t")
    }


def _number(text: str) -> int | None:
    return None if text == "-" else int(text)
