"""Bundles of puzzles whose symmetry group is too large to list, so that few engines count orbits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.runs.bundle_files import command
from tests.runs.bundles.changing import STATEMENT, make_anew, said, with_term, wrong


def pairs(folder: Path, n: int) -> rk.Puzzle:
    """Pairs, each with a variable that is true: 3^n solutions, and n + 1 up to exchanges in and of pairs.

    The group is not a product of symmetric groups, so an engine that counts by merging finds the total only.
    """
    clauses = "".join(f"{2 * pair - 1} {2 * pair} 0\n" for pair in range(1, n + 1))
    (folder / "pairs.cnf").write_text(f"p cnf {2 * n} {n}\n{clauses}")
    return rk.puzzle_from_file(folder / "pairs.cnf")


def test_a_recount_of_the_total_is_not_said_to_be_one_of_the_orbits(tmp_path: Path) -> None:
    run, bundle = tmp_path / "run", tmp_path / "bundle"
    rk.run(pairs(tmp_path, 10), run, up_to="constraints", count_only=True, workers=1)
    assert rk.Run(run).recount().engines == ("csp-frontier",)
    (term,) = rk.publish([run], bundle, statement=STATEMENT).terms
    assert (term.total, term.unique) == (59049, 11)
    assert (term.is_counted_twice, term.has_orbits_counted_twice) == (True, False)
    assert [command(term, way).partition("--")[2] for way in term.ways] == [
        "engine csp --up-to constraints",
        "engine csp-frontier --up-to none",
    ]
    assert "| 59049 | 11 (by one engine) | csp (" in (bundle / "README.md").read_text()
    checks = said(bundle)
    assert checks["ways"][1].endswith("share no search code, 0 of them with their orbits")
    by = "59049, 11 up to constraints (by csp only), counted again by csp and by csp-frontier"
    assert checks["puzzle.cnf"] == (True, by)


@pytest.mark.parametrize("engine", ["csp-plain", "cover-memo"])
def test_a_group_with_few_elements_that_are_too_many_to_list(engine: str, tmp_path: Path) -> None:
    """Main classes of order 5: 10,368,000 elements, each of 125 atoms; 2 classes, OEIS A003090.

    An engine that lists finds the total alone. Merging uses Burnside's lemma, because the group is a product.
    """
    run, bundle = tmp_path / "run", tmp_path / "bundle"
    rk.run(rk.puzzle("latin-square 5"), run, up_to="main-classes", count_only=True, workers=1)
    rk.Run(run).recount(engine=engine)
    (term,) = rk.publish([run], bundle, statement=STATEMENT).terms
    assert (term.total, term.unique, term.is_counted_twice) == (161280, 2, True)
    assert [way.orbits for way in term.ways] == [True, engine == "cover-memo"]
    assert term.has_orbits_counted_twice == (engine == "cover-memo")
    assert wrong(bundle) == []


def test_more_solutions_than_are_classified(tmp_path: Path) -> None:
    """An engine that lists all solutions finds the total alone. `csp` has no digest of them, but the orbits."""
    run, bundle = tmp_path / "run", tmp_path / "bundle"
    rk.run(pairs(tmp_path, 14), run, up_to="constraints", count_only=True, workers=1)
    rk.Run(run).recount(engine="csp-diagram")
    (term,) = rk.publish([run], bundle, statement=STATEMENT).terms
    assert (term.total, term.unique, term.digest is None) == (4782969, 15, False)
    assert (term.is_counted_twice, term.has_orbits_counted_twice) == (True, False)
    by = "4782969, 15 up to constraints (by csp only), counted again by csp and by csp-diagram"
    assert said(bundle)["puzzle.cnf"] == (True, by)


def test_a_run_of_all_solutions_beside_one_of_their_classes(tmp_path: Path) -> None:
    """Only the first has a digest; `csp` searches a cover if the group is too large to list, and lists none."""
    puzzle, folders = rk.puzzle("steiner-triples 9"), [tmp_path / "all", tmp_path / "classes"]
    rk.run(puzzle, folders[0], engine="cover-bitset", count_only=True, workers=1)
    rk.run(puzzle, folders[1], engine="csp", up_to="symmetry", count_only=True, workers=1)
    (term,) = rk.publish(folders, tmp_path / "bundle", statement=STATEMENT).terms
    assert (term.total, term.unique, term.digest is None) == (840, 1, False)
    again = "840, 1 up to symmetry (by csp only), counted again by cover-bitset and by csp"
    assert said(tmp_path / "bundle")["steiner-triples 9"] == (True, again)


@pytest.mark.parametrize("engine", ["csp", "cover-frontier"])
def test_the_order_of_the_group_is_compared(engine: str, tmp_path: Path) -> None:
    """Of the group for representatives, and of one for Burnside's lemma, which comes out all the same."""
    puzzle = rk.puzzle("steiner-triples 9")
    rk.run(puzzle, tmp_path / "run", engine=engine, up_to="symmetry", count_only=True, workers=1)
    rk.publish([tmp_path / "run"], tmp_path / "bundle", statement=STATEMENT)
    assert wrong(tmp_path / "bundle") == []
    fixed = None if engine == "csp" else 10**6 - 840
    make_anew(tmp_path / "bundle", with_term(lambda term: replace(term, group_order=10**6, fixed=fixed)))
    order = "steiner-triples 9: the symmetry group has order 362880, not 1000000"
    assert said(tmp_path / "bundle")["ways"] == (False, order)
