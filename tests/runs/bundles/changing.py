"""A puzzle file to count and publish, what the check of a bundle says, and how tests change a bundle and seal it again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.runs.bundle import FACTS, SUMS, facts_text, read_facts
from rekkyo.runs.bundle_files import derived_files, with_sums

STATEMENT = "Ways to fill n x (n+1) squares with dominoes and squares of 2x2"
FAMILY = '''
kind = "packing"
title = "Dominoes and squares on {n} x {n+1}"
board = "rectangle {n} {n+1}"
pieces = """
DD SS
.. SS
"""
times = "any"

[family]
n = "1..6"
'''
SIZES = (2, 3, 4)
TOTALS = [5, 29, 593]


def said(folder: Path) -> dict[str, tuple[bool | None, str]]:
    """What was checked, and what came out."""
    return {check.what: (check.passed, check.detail) for check in rk.check_bundle(folder).checks}


def wrong(folder: Path) -> list[str]:
    """The checks that failed; or what is said when there is nothing to check, in one line."""
    try:
        found = rk.check_bundle(folder)
    except BadInput as problem:
        assert "\n" not in str(problem)
        return [str(problem)]
    assert found.passed is all(check.passed is not False for check in found.checks)
    return [check.what for check in found.checks if check.passed is False]


def make_anew(folder: Path, change: Callable[[rk.Bundle], rk.Bundle]) -> None:
    """Change facts and make all that follows from them again, as somebody would on purpose."""
    bundle = change(read_facts((folder / FACTS).read_bytes()))
    try:
        derived = derived_files(bundle, folder)
    except (BadInput, IndexError):
        derived = {}
    seal_anew(folder, derived | {FACTS: facts_text(bundle)})


def seal_anew(folder: Path, changed: dict[str, bytes]) -> None:
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    files = {name: (folder / name).read_bytes() for name in names if name != SUMS}
    for name, content in with_sums(files | changed).items():
        (folder / name).write_bytes(content)


def with_term(change: Callable[[rk.Term], rk.Term], place: int = -1) -> Callable[[rk.Bundle], rk.Bundle]:
    def changed(bundle: rk.Bundle) -> rk.Bundle:
        terms = [*bundle.terms]
        terms[place] = change(terms[place])
        return replace(bundle, terms=tuple(terms))

    return changed
