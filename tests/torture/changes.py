"""Every file of a run, a certificate and the kernel cache, changed at random or with intent.

After a change every command may refuse, in one line; or it finds nothing, and then the results must be those
of before. Nothing outside the folder may be touched, and no exception of Python may escape.
"""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any

import rekkyo as rk
from rekkyo import kernel_cache, kernel_folders
from rekkyo.errors import RekkyoError
from rekkyo.store.manifest import seal_of
from rekkyo.store.tables import COLUMNS, INSERT, TABLES, sealed
from tests.torture import kinds_of_change as by_bytes
from tests.torture.guard import guarded

RUNS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("queens 6", {"shards": 5}),
    ("queens 7", {"up_to": "symmetry"}),
    ("queens 8", {"engine": "queens-join", "count_only": True}),
    ("hip 3", {}),
    ("dominoes 4 4", {"shards": 3}),
    ("langford 7", {"count_only": True}),
)


def case(dice: random.Random, folder: Path) -> str:
    """One change. Returns where, how, and what came of it."""
    return dice.choices((change_of_run, change_of_certificate, change_of_kernel), (7, 2, 1))[0](dice, folder)


def change_of_run(dice: random.Random, folder: Path) -> str:
    words, settings = dice.choice(RUNS)
    good = good_run(words, tuple(settings.items()), folder)
    place = folder / "case"
    shutil.rmtree(place, ignore_errors=True)
    run, outside = place / "run", place / "outside"
    shutil.copytree(good, run)
    outside.mkdir()
    (outside / "mine").write_bytes(b"not yours")
    expected = result(run)
    change = dice.choice((*by_bytes.CHANGES, *by_bytes.CHANGES, *MADE_UP))
    path = dice.choice(sorted(path for path in run.iterdir() if path.is_file()))
    if change not in MADE_UP:
        change(dice, path, outside)
        name = path.name
    else:
        name = change(dice, run)
    with guarded():
        noticed = look(run)
        if change not in MADE_UP:
            end = came_to(run)
            assert end is None or end == expected, f"{words}: {end} instead of {expected}, noticed: {noticed}"
            noticed |= end is None
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {"mine": b"not yours"}
    return f"run, {name}, {change.__name__}, {'refused' if noticed else 'no difference'}"


def look(run: Path) -> bool:
    """Ask everything that can be asked of a run. Whether something was refused or failed."""
    handle = rk.Run(run)
    questions: tuple[Callable[[], object], ...] = (
        handle.status,
        handle.verify,
        handle.damage,
        lambda: [block.sum() for block in handle.rows().rows()],
        lambda: handle.sample(2),
        handle.status,
    )
    noticed = False
    for question in questions:
        try:
            answer = question()
        except RekkyoError as problem:
            assert "\n" not in str(problem), problem
            noticed |= "keeps counts only" not in str(problem)
            continue
        if isinstance(answer, rk.RunCheck):
            noticed |= not answer.passed
        if isinstance(answer, rk.RunStatus):
            noticed |= any(each.outcome == "FAILED" for each in answer.evidence)
    return noticed


def came_to(run: Path) -> tuple[Any, ...] | None:
    """What the run comes to after a repair; None where that is refused."""
    handle = rk.Run(run)
    with suppress(RekkyoError):
        handle.repair(handle.damage())
    try:
        handle.resume(workers=1)
        handle.recount(fraction=1.0, workers=1)
        return result(run)
    except RekkyoError:
        return None


def result(run: Path) -> tuple[Any, ...]:
    now = rk.Run(run).status()
    rows: list[tuple[int, ...]] = []
    if now.rows_stored:
        with rk.RunReader(run) as reader:
            rows = [tuple(row) for block in reader.rows() for row in block.tolist()]
    return now.puzzle, now.state, now.total, now.unique, now.digest, now.shards, now.rows_stored, rows


@cache
def good_run(words: str, settings: tuple[tuple[str, Any], ...], folder: Path) -> Path:
    run = folder / f"good {words}"
    shutil.rmtree(run, ignore_errors=True)
    rk.run(rk.puzzle(words), run, workers=1, **dict(settings))
    return run


NUMBERS = (0, 1, -1, 3, 7, 255, 10**6, 10**9, 2**31, 2**63, 10**12, 10**30, 1.5, -0.0, 1e300)
TEXTS = (
    "",
    "0",
    "-1",
    "many",
    "\x1b[2J",
    "\u202e",
    "../..",
    "[" * 5000,
    "9" * 5000,
    "sudoku /etc/passwd",
    "None",
)


def a_fact_of_the_manifest(dice: random.Random, run: Path) -> str:
    """With the seal that belongs to it."""
    path = run / "manifest.json"
    facts = json.loads(path.read_text())
    del facts["seal"]
    name = dice.choice(sorted(facts))
    facts[name] = a_value(dice)
    if isinstance(facts.get("source"), dict) and dice.random() < 0.3:
        facts["source"]["text"] = dice.choice(TEXTS)
    path.write_text(json.dumps(facts | {"seal": seal_of(facts)}))
    return path.name


def a_value_of_the_index(dice: random.Random, run: Path) -> str:
    """With the seal that belongs to it."""
    with closing(sqlite3.connect(run / "index.sqlite")) as database, database:
        table = dice.choice(sorted(TABLES))
        rows = database.execute(f"SELECT {COLUMNS[table]} FROM {table}").fetchall()
        row = list(dice.choice(rows)) if rows else [a_simple_value(dice) for _ in TABLES[table]]
        column = dice.randrange(len(row))
        row[column] = a_simple_value(dice)
        if dice.random() < 0.5:
            database.execute(f"DELETE FROM {table}")
        with suppress(sqlite3.Error, OverflowError):
            database.execute(f"INSERT OR REPLACE {INSERT[table]}", sealed(table, row))
    return table


def a_shard_of_the_plan(dice: random.Random, run: Path) -> str:
    with closing(sqlite3.connect(run / "index.sqlite")) as database, database:
        column = dice.choice(("prefix", "nodes"))
        with suppress(sqlite3.Error, OverflowError):
            what = dice.choice((*map(str, NUMBERS), *TEXTS, "[[1]]", "[1e400]", '["a"]', "[0, 0, 0]"))
            database.execute(f"UPDATE shards SET {column} = ? WHERE shard = 0", (what,))
    return "shards"


def a_value(dice: random.Random) -> Any:
    return dice.choice((dice.choice(NUMBERS), dice.choice(TEXTS), None, True, [], {}, [[1]], {"total": 1}))


def a_simple_value(dice: random.Random) -> Any:
    numbers = tuple(number for number in NUMBERS if abs(number) < 2**63)
    return dice.choice((dice.choice(numbers), dice.choice(TEXTS), None, b"", b"\xff" * 40, '{"passed": 1}'))


MADE_UP = (a_fact_of_the_manifest, a_value_of_the_index, a_shard_of_the_plan)


def change_of_kernel(dice: random.Random, folder: Path) -> str:
    """A changed file of the kernel cache is not loaded."""
    own = kernel_folders.user_folder()
    kept = [] if own is None else sorted(own.rglob("*.kernel"))
    if not kept:
        return "kernel cache, empty"
    place = folder / "case"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    path = place / "copy.kernel"
    shutil.copyfile(dice.choice(kept), path)
    content = kernel_cache.read_sealed(path, kernel_cache.complaint_about)
    change = dice.choice(by_bytes.CHANGES)
    change(dice, path, place / "outside")
    with guarded():
        assert kernel_cache.read_sealed(path, kernel_cache.complaint_about) in (None, content)
    return f"kernel cache, {change.__name__}"


CERTIFIED = ("queens 5", "queens 4 --given 0,0", "langford 4", "hip 3")


def change_of_certificate(dice: random.Random, folder: Path) -> str:
    """A changed certificate is found, whichever file it is; links lead nowhere."""
    place = folder / "case"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(good_certificate(dice.choice(CERTIFIED), folder), place / "certificate")
    outside = place / "outside"
    outside.mkdir()
    (outside / "mine").write_bytes(b"not yours")
    path = dice.choice(sorted((place / "certificate").iterdir()))
    before = path.read_bytes()
    change = dice.choice(by_bytes.CHANGES)
    change(dice, path, outside)
    is_same = path.is_file() and not path.is_symlink() and path.read_bytes() == before
    with guarded():
        try:
            passed = rk.check_certificate(place / "certificate").passed
        except RekkyoError as problem:
            assert "\n" not in str(problem), problem
            passed = False
    assert passed == is_same, f"{change.__name__} of {path.name}"
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {"mine": b"not yours"}
    return f"certificate, {path.name}, {change.__name__}, {'passed' if passed else 'refused'}"


@cache
def good_certificate(words: str, folder: Path) -> Path:
    target = folder / f"certificate of {words}"
    shutil.rmtree(target, ignore_errors=True)
    rk.certify(rk.puzzle(words), target)
    return target
