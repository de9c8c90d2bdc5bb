"""The engine of a recount for which none was named: one that ends, also where plain backtracking would not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.engines.memory import VARIABLE
from rekkyo.store.run_directory import RunDirectory

EXAMPLES = Path(__file__).parents[2] / "examples"

SHORT_TRIAL = rk.Sizes(moment_nodes=1)
"""Plain backtracking takes 45,600 nodes for the Costas arrays of order 6, and may take 256 in such a trial."""

DRAWN = "csp-diagram was taken because csp-plain did not end in 256 nodes"

N_COSTAS = 116
"""OEIS A008404."""


def run_of(name: str, folder: Path, up_to: str = "none") -> rk.RunStatus:
    return rk.run(rk.puzzle_from_file(EXAMPLES / f"{name}.toml"), folder, up_to=up_to)


def test_plain_backtracking_recounts_what_it_ends_soon(tmp_path: Path) -> None:
    run_of("costas", tmp_path)
    found = rk.Run(tmp_path).recount()
    assert (found.engines, found.detail) == (("csp-plain",), "total, unique, digest are the same")


def test_a_search_that_plain_backtracking_does_not_end_is_recounted_along_a_diagram(tmp_path: Path) -> None:
    """It searches this country road of 7x7, which propagation ends in 18 nodes, for more than 10^8."""
    run_of("country-road", tmp_path)
    found = rk.Run(tmp_path).recount()
    assert (found.agrees, found.other_engine, found.engines) == (True, True, ("csp-diagram",))
    assert found.detail == (
        "total, unique, digest are the same;"
        " csp-diagram was taken because csp-plain did not end in 4,194,304 nodes"
    )


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("up_to", ["none", "symmetry"])
def test_the_choice_does_not_depend_on_workers_or_symmetry(tmp_path: Path, workers: int, up_to: str) -> None:
    assert run_of("costas", tmp_path, up_to).total == N_COSTAS
    found = rk.Run(tmp_path).recount(workers=workers, sizes=SHORT_TRIAL)
    assert (found.agrees, found.other_engine, found.engines) == (True, True, ("csp-diagram",))
    assert found.detail == f"total, unique, digest are the same; {DRAWN}"


def test_an_executor_searches_by_the_engine_that_was_chosen_here(tmp_path: Path) -> None:
    run_of("costas", tmp_path)
    with ThreadPoolExecutor(2) as pool:
        found = rk.Run(tmp_path).recount(executor=pool, workers=2, sizes=SHORT_TRIAL)
    assert (found.agrees, found.engines) == (True, ("csp-diagram",))


def test_a_recount_that_was_interrupted_goes_on_by_the_same_engine(tmp_path: Path) -> None:
    run_of("costas", tmp_path)
    rk.Run(tmp_path).recount(sizes=SHORT_TRIAL)
    with closing(RunDirectory.open(tmp_path / "recount-csp-diagram")) as inside:
        inside.index.drop([0, 1])
    found = rk.Run(tmp_path).recount(sizes=SHORT_TRIAL)
    assert found.agrees
    assert f"{DRAWN}; 114 of 116 shards were taken from recount-csp-diagram" in found.detail


def test_a_trial_that_is_interrupted_leaves_nothing(tmp_path: Path) -> None:
    def interrupt(progress: rk.Progress) -> None:
        assert progress.stage == "trying whether csp-plain ends soon"
        raise KeyboardInterrupt

    run_of("costas", tmp_path)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(KeyboardInterrupt):
        rk.Run(tmp_path).recount(watch=interrupt)
    assert sorted(tmp_path.iterdir()) == before


def test_plain_backtracking_goes_on_where_no_diagram_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The states of this sudoku take more than 1 MB. Plain backtracking ends it in 110,000 nodes."""
    run_of("arrow-sudoku", tmp_path)
    monkeypatch.setenv(VARIABLE, "1M")
    found = rk.Run(tmp_path).recount(sizes=SHORT_TRIAL)
    assert (found.agrees, found.engines) == (True, ("csp-plain",))


def test_the_trial_searches_for_the_best_value_of_the_run(tmp_path: Path) -> None:
    """Rulers of length 11 take plain backtracking 42,063 nodes, within the trial; rulers of any length do not."""
    run_of("golomb-ruler", tmp_path)
    found = rk.Run(tmp_path).recount(sizes=rk.Sizes(moment_nodes=256))
    assert (found.agrees, found.engines) == (True, ("csp-plain",))


def test_a_part_is_recounted_as_before(tmp_path: Path) -> None:
    """Shards of constraints are no models of their own."""
    run_of("costas", tmp_path)
    found = rk.Run(tmp_path).recount(fraction=0.5, sizes=SHORT_TRIAL)
    assert (found.agrees, found.other_engine, found.engines) == (True, False, ("csp",))


def test_only_plain_backtracking_is_tried_first(tmp_path: Path) -> None:
    """Other engines recount a cover that they search in more nodes than such a trial has."""
    rk.run(rk.puzzle("pentominoes 3 20"), tmp_path, up_to="none")
    found = rk.Run(tmp_path).recount(sizes=SHORT_TRIAL)
    assert (found.agrees, found.engines) == (True, ("cover-masks",))
    assert found.detail == "total, unique, digest are the same"
