"""Certificates of counts: written, looked at by somebody else, changed, and refused."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput, EngineRefuses
from rekkyo.export.puzzle_files import write_puzzle
from rekkyo.runs import certify, certify_count
from rekkyo.runs.certificate import COUNT_PARTS, FACTS, SUMS
from tests.programs import rekkyo
from tests.runs.test_check_certificate import changed, failed, seal_anew

WHAT = ["files", "puzzle", "problem.opb", "check_count.py", "diagram.nnf", "numbers"]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("original") / "cert"
    rk.certify_count(rk.puzzle("dominoes 4 4"), folder)
    return folder


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    return shutil.copytree(original, tmp_path / "cert")


class TestPassing:
    def test_all_that_is_checked(self, folder: Path) -> None:
        assert {path.name for path in folder.iterdir()} == {*COUNT_PARTS, FACTS, SUMS}
        result = rk.check_certificate(folder)
        assert [check.what for check in result.checks] == WHAT
        assert all(check.passed for check in result.checks)
        assert (result.puzzle, result.total) == ("dominoes 4 4", 36)

    @pytest.mark.parametrize(
        ("words", "total"),
        [("dominoes 8 8", 12988816), ("latin-square 4", 576), ("sum-free 20", 9583), ("hip 3", 10)],
    )
    def test_other_puzzles(self, words: str, total: int, tmp_path: Path) -> None:
        made = rk.certify_count(rk.puzzle(words), tmp_path / "cert")
        assert made.total == rk.count(rk.puzzle(words), up_to="none").total
        assert rk.check_certificate(tmp_path / "cert").passed
        if words != "hip 3":
            assert made.total == total

    def test_the_commands(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder = tmp_path / "cert"
        done = rekkyo("certify", "dominoes", "4", "4", "--count", "-o", folder)
        assert (done.returncode, done.stdout[:42]) == (0, "total 36, proved by a diagram of 239 nodes")
        done = rekkyo("certify", "--check", folder)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.splitlines()[-1] == "dominoes 4 4: exactly 36 solutions, as certified"

    def test_too_many_for_a_list(self, tmp_path: Path) -> None:
        """OEIS A004003."""
        done = rekkyo("certify", "dominoes", "8", "8", "-o", tmp_path / "cert", "--json")
        assert done.returncode == 0
        assert '"total": 12988816' in done.stdout
        assert "too many for a list" in done.stderr

    def test_a_puzzle_from_a_file_is_in_the_certificate(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.xcc"
        path.write_text(write_puzzle(rk.puzzle("dominoes 2 4")), newline="\n")
        made = rk.certify_count(rk.puzzle_from_file(path), tmp_path / "cert")
        path.unlink()
        assert made.total == 5
        assert rk.check_certificate(tmp_path / "cert").passed

    def test_a_puzzle_built_in_python(self, tmp_path: Path) -> None:
        puzzle = rk.graph(named="grid 4 4").independent_sets()
        assert rk.certify_count(puzzle, tmp_path / "cert").total == 1234  # OEIS A006506
        with pytest.raises(BadInput, match="built in Python"):
            rk.check_certificate(tmp_path / "cert")
        assert rk.check_certificate(tmp_path / "cert", puzzle=puzzle).passed
        other = rk.graph(named="king 4 4").independent_sets()
        checks = rk.check_certificate(tmp_path / "cert", puzzle=other).checks
        assert [check.what for check in checks if check.passed is False] == ["problem.opb"]

    def test_a_name_of_the_catalog_is_not_certified_by_another_puzzle(self, tmp_path: Path) -> None:
        """There are 13 tilings of 2 x 6; with the puzzle given again, 5 were certified."""
        four = rk.puzzle("dominoes 2 4")
        assert rk.certify_count(replace(four, name="dominoes 2 6"), tmp_path / "cert").total == 5
        for given in (None, four, rk.puzzle("dominoes 2 6")):
            assert not rk.check_certificate(tmp_path / "cert", puzzle=given).passed
        assert rk.certify_count(four, tmp_path / "right").total == 5
        assert rk.check_certificate(tmp_path / "right", puzzle=four).passed


class TestChanged:
    @pytest.mark.parametrize("name", COUNT_PARTS)
    def test_every_file_by_its_hash(self, name: str, folder: Path) -> None:
        (folder / name).write_bytes((folder / name).read_bytes() + b"\n")
        assert failed(folder)[0] == "files"

    @pytest.mark.parametrize("name", ["check_count.py", "diagram.nnf", "problem.opb"])
    def test_every_line_although_the_hashes_fit(self, name: str, original: Path, tmp_path: Path) -> None:
        lines = (original / name).read_bytes().splitlines(keepends=True)
        n_changed = 0
        for number, (what, content) in enumerate(changed(lines)):
            if name == "diagram.nnf" and "added" not in what and number % 2:
                continue
            folder = shutil.copytree(original, tmp_path / str(number))
            (folder / name).write_bytes(b"".join(content))
            seal_anew(folder)
            n_changed += 1
            assert failed(folder), what
        assert n_changed > 10

    def test_another_count(self, folder: Path) -> None:
        text = (folder / FACTS).read_text()
        (folder / FACTS).write_text(text.replace('"total": 36', '"total": 37'), newline="\n")
        seal_anew(folder)
        assert failed(folder) == ["numbers"]

    def test_the_diagram_of_another_puzzle(self, folder: Path, tmp_path: Path) -> None:
        rk.certify_count(rk.puzzle("dominoes 2 8"), tmp_path / "other")
        shutil.copy(tmp_path / "other" / "diagram.nnf", folder / "diagram.nnf")
        seal_anew(folder)
        assert failed(folder) == ["diagram.nnf"]

    def test_the_checker_in_the_folder_is_not_run(self, folder: Path, tmp_path: Path) -> None:
        (folder / "check_count.py").write_text(
            f"open({str(tmp_path / 'executed')!r}, 'w').close()\n", newline="\n"
        )
        seal_anew(folder)
        assert failed(folder) == ["check_count.py"]
        assert not (tmp_path / "executed").exists()


class TestRefusals:
    @pytest.mark.parametrize(
        ("words", "message"),
        [
            ("queens 6", "models of type Queens have no pseudo-Boolean form, so only a list can be"),
            (
                "magic-square 3",
                "hidden variables have no pseudo-Boolean form, so only a list can be certified",
            ),
        ],
    )
    def test_models(self, words: str, message: str, tmp_path: Path) -> None:
        with pytest.raises(BadInput, match=message):
            rk.certify_count(rk.puzzle(words), tmp_path / "cert")
        assert list(tmp_path.iterdir()) == []
        done = rekkyo("certify", *words.split(), "--count", "-o", tmp_path / "cert")
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)

    def test_connected_cells(self, tmp_path: Path) -> None:
        with pytest.raises(
            BadInput, match=r'a constraint "connected" over so many values has no pseu.* only a'
        ):
            rk.certify_count(rk.graph(named="grid 4 4").cycles(), tmp_path / "cert")

    def test_no_solution(self, tmp_path: Path) -> None:
        with pytest.raises(EngineRefuses, match="a diagram does not prove that there is no solution"):
            rk.certify_count(rk.puzzle("langford 5"), tmp_path / "cert")
        assert list(tmp_path.iterdir()) == []

    def test_a_constraint_that_cannot_hold(self, tmp_path: Path) -> None:
        (tmp_path / "empty.cnf").write_text("p cnf 1 1\n0\n", "utf-8", newline="\n")
        puzzle = rk.puzzle_from_file(tmp_path / "empty.cnf")
        with pytest.raises(BadInput, match="cannot hold, so there is no solution; without --count a list"):
            rk.certify_count(puzzle, tmp_path / "cert")
        assert rk.certify(puzzle, tmp_path / "list").total == 0

    def test_a_folder_in_use(self, folder: Path) -> None:
        with pytest.raises(BadInput, match="is in use"):
            rk.certify_count(rk.puzzle("dominoes 4 4"), folder)

    def test_too_many_states(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(certify_count, "MOST_STATE_BYTES", 1000)
        with pytest.raises(EngineRefuses, match="takes more than"):
            rk.certify_count(rk.puzzle("dominoes 6 6"), tmp_path / "cert")

    def test_too_long_a_diagram(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(certify_count, "MOST_DIAGRAM_BYTES", 1000)
        with pytest.raises(EngineRefuses, match="more than 0 MB"):
            rk.certify_count(rk.puzzle("dominoes 6 6"), tmp_path / "cert")
        assert list(tmp_path.iterdir()) == []

    def test_the_list_says_what_else_there_is(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(certify, "MOST_SOLUTIONS", 3)
        with pytest.raises(certify.TooManySolutions, match="certify the count"):
            rk.certify(rk.puzzle("queens 6"), tmp_path / "cert")


class TestObjective:
    """Only solutions with the best value count, which no diagram of all solutions proves."""

    def puzzle(self) -> rk.Puzzle:
        text = 'kind = "grid"\nvalues = "0..3"\nboard = "rectangle 1 2"\nminimize = "0,0"\n'
        return rk.puzzle_from_text(text, "best")

    def test_it_is_refused_and_a_list_is_not(self, tmp_path: Path) -> None:
        assert rk.count(self.puzzle()).total == 4
        with pytest.raises(BadInput, match="the best value of an objective has no pseudo-Boolean form"):
            rk.certify_count(self.puzzle(), tmp_path / "count")
        assert not (tmp_path / "count").exists()
        assert rk.certify(self.puzzle(), tmp_path / "list").total == 4

    def test_a_certificate_of_all_fillings_does_not_pass(self, tmp_path: Path) -> None:
        """As they were once written: of 16 fillings."""
        (tmp_path / "best.toml").write_text('kind = "grid"\nvalues = "0..3"\nboard = "rectangle 1 2"\n')
        rk.certify_count(rk.puzzle_from_file(tmp_path / "best.toml"), tmp_path / "cert")
        assert rk.check_certificate(tmp_path / "cert").passed
        copy = tmp_path / "cert" / "puzzle.toml"
        copy.write_bytes(copy.read_bytes() + b'minimize = "0,0"\n')
        seal_anew(tmp_path / "cert")
        assert "problem.opb" in failed(tmp_path / "cert")
