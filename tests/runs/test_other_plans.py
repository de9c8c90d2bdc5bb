"""A run is continued under its own plan and its own sources only."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.catalog.index import ENTRIES
from rekkyo.errors import BadRun
from rekkyo.export.xcc import read_xcc
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Puzzle
from rekkyo.runs import stored
from rekkyo.store.model_hash import model_hash
from tests.export.test_burrtools_read import several
from tests.runs.test_stored import facts


class TestAnotherPlan:
    def test_another_run_in_the_same_place_is_refused(self, tmp_path: Path) -> None:
        rk.run(rk.queens(7), tmp_path)
        for puzzle, settings, complaint in [
            (
                rk.queens(8),
                {},
                r"holds another run \(puzzle: queens 7, not queens 8\); go on with that one with",
            ),
            (rk.queens(7), {"up_to": "symmetry"}, r"up to: none, not symmetry"),
            (rk.queens(7), {"count_only": True}, r"rows kept: True, not False"),
            (rk.queens(7), {"engine": "queens-cover"}, r"engine: queens-bitmap, not queens-cover"),
            (replace(rk.queens(7), generators=()), {}, r"holds another run \(model: "),
        ]:
            with pytest.raises(BadRun, match=complaint):
                rk.run(puzzle, tmp_path, **settings)

    def test_without_a_named_engine_a_run_goes_on_with_its_own(self, tmp_path: Path) -> None:
        first = rk.run(rk.queens(7), tmp_path, engine="queens-cover")
        assert facts(rk.run(rk.queens(7), tmp_path)) == facts(first)

    def test_more_shards_are_another_plan_unless_the_search_is_too_narrow_for_them(
        self, tmp_path: Path
    ) -> None:
        rk.run(rk.queens(7), tmp_path / "wide", shards=1)
        with pytest.raises(BadRun, match=r"holds another run \(shards: 1, not 2\)"):
            rk.run(rk.queens(7), tmp_path / "wide", shards=2)
        narrow = [rk.run(rk.queens(7), tmp_path / "narrow", shards=shards) for shards in (1000, 1000, 94, 1)]
        assert {status.shards for status in narrow} == {94}
        assert {facts(status) for status in narrow} == {facts(rk.Run(tmp_path / "wide").status())}

    def test_shards_that_changed_are_refused(self, tmp_path: Path) -> None:
        rk.run(rk.queens(7), tmp_path)
        with closing(stored.RunDirectory.open(tmp_path)) as run:
            run.index._db.execute("UPDATE shards SET prefix = '[0, 0, 0]' WHERE shard = 5")
        with pytest.raises(BadRun, match="was begun under another plan"):
            rk.Run(tmp_path).resume()

    def test_a_puzzle_that_is_not_the_one_of_its_name_is_refused(self, tmp_path: Path) -> None:
        mine = replace(rk.queens(7, blocked=[(0, 0)]), name="queens 7")
        status = rk.run(mine, tmp_path)
        with pytest.raises(BadRun, match=r"this rekkyo knows another puzzle by that name; .*puzzle=\.\.\."):
            rk.Run(tmp_path).resume()
        assert facts(rk.Run(tmp_path, puzzle=mine).resume()) == facts(status)
        with pytest.raises(BadRun, match="the puzzle that was given is another one"):
            rk.Run(tmp_path, puzzle=rk.queens(7)).resume()


class TestSources:
    def test_a_cover_from_a_file_travels_with_the_run(self, tmp_path: Path) -> None:
        model = read_xcc("a b c | x\na x:1\nb x:2\nc\nb c x:1\n", "mine")
        puzzle = Puzzle("mine.xcc", model, "mine")
        status = rk.run(puzzle, tmp_path / "run")
        assert (tmp_path / "run" / "puzzle.xcc").is_file()
        found = rk.Run(tmp_path / "run")
        assert (found.puzzle.name, found.puzzle.title) == ("mine.xcc", "mine")
        assert facts(found.resume()) == facts(status)

    def test_a_problem_of_a_file_with_several_travels_with_the_run(self, tmp_path: Path) -> None:
        path = tmp_path / "boxes.xmpuzzle"
        path.write_bytes(several())
        status = rk.run(rk.puzzle_from_file(f"{path}#2"), tmp_path / "run")
        path.unlink()
        assert facts(rk.Run(tmp_path / "run").resume()) == facts(status)

    @pytest.mark.parametrize("is_known", [True, False])
    def test_what_is_known_of_a_symmetry_is_part_of_the_run(self, tmp_path: Path, is_known: bool) -> None:
        """Files without any symmetry: that it was looked for makes a count of orbits, in every session."""
        path = tmp_path / "mine.xcc"
        path.write_text("a b c | x\na x:1\nb x:2\nc\nb c x:1\n", encoding="utf-8")
        known, unknown = rk.puzzle_from_file(path), Puzzle(str(path), read_xcc(path.read_text(), "mine"), "")
        puzzle, other = (known, unknown) if is_known else (unknown, known)
        assert known.generators == unknown.generators == ()
        status = rk.run(puzzle, tmp_path / "run")
        assert (status.total, status.unique) == (1, 1 if is_known else None)
        path.unlink()
        assert facts(rk.Run(tmp_path / "run").resume()) == facts(status)
        with pytest.raises(BadRun, match="the puzzle that was given is another one"):
            rk.Run(tmp_path / "run", puzzle=other).resume()

    def test_a_puzzle_built_in_python_has_to_be_given_again(self, tmp_path: Path) -> None:
        puzzle = rk.packing("###\n###", "AA BB CC")
        status = rk.run(puzzle, tmp_path / "run")
        with pytest.raises(
            BadRun, match=r"was built in Python; open it there: rekkyo\.Run\(.*puzzle=\.\.\.\)$"
        ):
            rk.Run(tmp_path / "run").resume()
        assert facts(rk.Run(tmp_path / "run", puzzle=puzzle).resume()) == facts(status)

    @pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
    def test_the_name_of_a_puzzle_of_the_catalog_is_its_words(self, entry: Any) -> None:
        words = [entry.name, *(str(max(parameter.least, 4)) for parameter in entry.parameters)]
        if entry.name.startswith("pentominoes"):
            words = [entry.name, *(["6", "10"] if len(entry.parameters) == 2 else ["2", "5", "6"])]
        if entry.name == "polyominoes":
            words = ["polyominoes", "3", "3", "4", "--any-number"]
        if entry.name == "hexiamonds":
            words = ["hexiamonds", "6", "6"]
        if entry.name == "sudoku":
            words = ["sudoku", "--clues", "1" + 80 * "."]
        puzzle = rk.puzzle(words)
        assert model_hash(rk.puzzle(puzzle.name)) == model_hash(puzzle)


def test_another_model_has_another_hash() -> None:
    """Whatever it is that differs; only names of colours change no solution."""
    options = (((0, 0), (2, 1)), ((1, 0), (2, 1)), ((0, 0), (1, 0)))
    cover = ExactCover(("a", "b"), ("c",), options)
    others = [
        replace(cover, primary=("a", "d")),
        replace(cover, secondary=("d",)),
        replace(cover, options=(options[0], options[1], ((0, 0), (1, 0), (2, 2)))),
        replace(cover, options=(((0, 0), (1, 0), (2, 1)), ((1, 0),), ((0, 0), (1, 0)))),
        replace(cover, bounds=((1, 2), (1, 1))),
        replace(cover, exchanges=(((0,), (1,)),)),
    ]

    def hash_of(model: ExactCover) -> str:
        return model_hash(Puzzle("mine", model, "Mine"))

    assert len({hash_of(model) for model in (cover, *others)}) == 1 + len(others)
    assert hash_of(replace(cover, color_names=("red",))) == hash_of(cover)
