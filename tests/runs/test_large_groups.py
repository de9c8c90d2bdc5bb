"""Runs that keep one solution for each orbit of a group that is too large to list."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.engines.contract import Advance
from rekkyo.engines.csp.propagating.engine import CspSearch
from rekkyo.errors import BadInput
from rekkyo.model.puzzle import Puzzle
from rekkyo.runs.verify_run import _closure, _Findings
from rekkyo.symmetry import large_survey
from rekkyo.symmetry.orbits import images_under
from rekkyo.wording import several
from tests.programs import rekkyo


def ramsey_run(folder: Path, *options: str) -> None:
    """A run of the 290 graphs with 9 vertices (B. D. McKay, combinatorial data: Ramsey graphs)."""
    rekkyo("run", "ramsey", "3", "5", "9", "--up-to", "symmetry", "--out", str(folder), *options)


def latin_squares() -> Puzzle:
    """Latin squares of order 5, with symmetry that is found; it is used on request."""
    problem = rk.Problem()
    cells = problem.variables([f"{row}{column}" for row in range(5) for column in range(5)], range(5))
    for k in range(5):
        problem.all_different(cells[k::5])
        problem.all_different(cells[5 * k : 5 * k + 5])
    return rk.with_own_symmetry(problem.puzzle("latin"))[0]


@pytest.mark.parametrize("options", [(), ("--count-only",), ("--engine", "csp"), ("--workers", "1")])
def test_a_run_and_its_recount(options: tuple[str, ...], tmp_path: Path) -> None:
    """The recount merges equal states, and counts orbits by Burnside's lemma: it shares no search code."""
    folder = tmp_path / "run"
    ramsey_run(folder, *options)
    told = json.loads(rekkyo("recount", str(folder), "--json").stdout)
    assert (told["engines"], told["agrees"], told["other_engine"]) == (["csp-frontier"], True, True)
    assert told["detail"] == "total, unique are the same"
    state = rekkyo("status", str(folder)).stdout
    assert "total 55650276, unique 290" in state
    assert "+ published count: passed, unique 290" in state


@pytest.mark.parametrize("options", [(), ("--count-only",), ("--shards", "3", "--workers", "1")])
def test_a_run_of_a_cover(options: tuple[str, ...], tmp_path: Path) -> None:
    """The two Steiner triple systems of 13 points (OEIS A030129), and all by merging."""
    folder = tmp_path / "run"
    rekkyo("run", "steiner-triples", "13", "--up-to", "symmetry", "--out", str(folder), *options)
    told = json.loads(rekkyo("recount", str(folder), "--json").stdout)
    assert (told["engines"], told["agrees"], told["other_engine"]) == (["cover-frontier"], True, True)
    assert told["detail"] == "total, unique are the same"
    again = json.loads(rekkyo("recount", str(folder), "--fraction", "1", "--json").stdout)
    assert (again["engines"], again["agrees"]) == (["csp"], True)
    if "--count-only" not in options:
        listed = rekkyo("solve", "steiner-triples", "13", "--up-to", "symmetry").stdout.splitlines()
        rows = rekkyo("export", str(folder), "--to", "csv").stdout.splitlines()
        assert sorted(row.replace(",", " ") for row in rows[-2:]) == sorted(listed)
        verified = rekkyo("verify", str(folder)).stdout
        assert verified.startswith("2 stored solutions checked: all valid, all different, orbits closed")


def test_rows_are_stored_verified_and_exported(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    ramsey_run(folder)
    verified = rekkyo("verify", str(folder)).stdout
    assert verified.startswith("290 stored solutions checked: all valid, all different, orbits closed")
    out = tmp_path / "rows.csv"
    rekkyo("export", str(folder), "--to", "csv", "--out", str(out))
    listed = rekkyo("solve", "ramsey", "3", "5", "9", "--up-to", "symmetry").stdout.splitlines()
    rows = [line.replace(",", " ") for line in out.read_text().splitlines() if line[0] in "01"]
    assert sorted(rows) == sorted(listed)
    assert len(rows) == 290


def test_rows_that_are_not_the_least_of_their_orbits(tmp_path: Path) -> None:
    """The images of the stored triple systems of 13 points, some of which are others than these."""
    puzzle = rk.puzzle("steiner-triples 13")
    rk.run(puzzle, tmp_path / "run", up_to="symmetry")
    with rk.RunReader(tmp_path / "run") as reader:
        manifest, rows = reader.manifest, np.concatenate(list(reader.rows()))
    images = images_under(puzzle.model.row_shape, puzzle.generators[1], rows)
    closure, findings = _closure(puzzle, manifest), _Findings(puzzle)
    assert closure is not None
    closure.add(rows)
    assert closure.holds(findings)
    closure.add(images)
    assert not closure.holds(findings)
    n_others = len({*map(tuple, images.tolist())} - {*map(tuple, rows.tolist())})
    assert findings.problems == [f"{several(n_others, 'row is', 'rows are')} not the least of the orbit"]


def test_rows_that_have_too_many_images(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is said of what was not compared."""
    rk.run(rk.puzzle("steiner-triples 13"), tmp_path / "run", up_to="symmetry")
    monkeypatch.setattr(large_survey, "MOST_NODES", 5)
    checked = rk.Run(tmp_path / "run").verify()
    assert (checked.rows, checked.passed, checked.closed) == (2, True, None)
    ledger = {line.check: line.outcome for line in rk.Run(tmp_path / "run").status().evidence}
    assert (ledger["rows distinct"], ledger["orbits closed"]) == ("passed", "not done")


def test_a_run_goes_on_after_a_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker stops in its slice number 20; the result is that of a run without a stop."""
    puzzle, folder = rk.puzzle("ramsey 3 5 10"), tmp_path / "run"
    advance, slices = CspSearch.advance, iter(range(20))

    class Ended(Exception):
        pass

    def stopping(self: CspSearch, *arguments: Any) -> Advance:
        if threading.current_thread() is not threading.main_thread() and next(slices, None) is None:
            raise Ended
        return advance(self, *arguments)

    with monkeypatch.context() as patched:
        patched.setattr(CspSearch, "advance", stopping)
        with pytest.raises(Ended):
            rk.run(puzzle, folder, up_to="symmetry", shards=50, workers=1)
    stopped = rk.Run(folder).status()
    assert (stopped.is_complete, stopped.state) == (False, "interrupted")
    assert stopped.shards_done > 0
    done = rk.Run(folder).resume()
    whole = rk.run(puzzle, tmp_path / "other", up_to="symmetry", shards=50)
    assert (done.total, done.unique, done.digest) == (whole.total, whole.unique, whole.digest)
    assert (done.total, done.unique) == (661665564, 313)


def test_a_part_is_recounted_by_the_same_engine(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    ramsey_run(folder)
    told = json.loads(rekkyo("recount", str(folder), "--fraction", "0.1", "--json").stdout)
    assert (told["engines"], told["agrees"], told["other_engine"]) == (["csp"], True, False)


def test_symmetry_that_was_found(tmp_path: Path) -> None:
    """Latin squares of order 5: 161,280 (OEIS A002860) in two classes (A040082)."""
    puzzle, folder = latin_squares(), tmp_path / "run"
    found = rk.run(puzzle, folder, up_to="constraints")
    assert (found.total, found.unique) == (161280, 2)
    stored = rk.Run(folder, puzzle=puzzle)
    assert stored.recount().agrees
    checked = stored.verify()
    assert (checked.rows, checked.passed, checked.closed) == (2, True, True)


def test_a_relation_that_is_no_symmetry_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="stands alone, and only `count` and `solve` know it"):
        rk.run(rk.queens(6), tmp_path / "run", up_to="torus")
    assert not (tmp_path / "run").exists()


def test_a_group_that_is_no_product_is_recounted_by_its_total(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("runs.recount", "search.question"):
        monkeypatch.setattr(f"rekkyo.{module}.product_of", lambda generators: None)
    rk.run(rk.puzzle("ramsey 3 5 9"), tmp_path / "run", up_to="symmetry")
    again = rk.Run(tmp_path / "run").recount()
    assert (again.agrees, again.engines, again.detail) == (True, ("csp-frontier",), "total is the same")


def test_a_named_engine_recounts_what_it_can(tmp_path: Path) -> None:
    """The total alone, unless it knows the classes of conjugates; all numbers if it made the run.

    Other engines were refused because of the group, and that of the run because it does not list covers.
    """
    rk.run(rk.puzzle("steiner-triples 9"), tmp_path / "run", up_to="symmetry", count_only=True)
    by = {
        name: rk.Run(tmp_path / "run").recount(engine=name) for name in ("csp", "cover-bitset", "cover-memo")
    }
    assert all(again.agrees for again in by.values())
    assert {name: again.detail.partition(";")[0] for name, again in by.items()} == {
        "csp": "total, unique, digest are the same",
        "cover-bitset": "total is the same",
        "cover-memo": "total, unique are the same",
    }
