"""`check_bundle` and `rekkyo verify`: they count the terms of a bundle again and find every change of a file or a fact."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

import rekkyo as rk
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.errors import BadInput, RekkyoError
from rekkyo.runs import check_bundle
from rekkyo.runs.bundle import FACTS, Picture, read_facts
from rekkyo.runs.certify import NoSolver, ProofTooLong
from rekkyo.runs.check_certificate import CertificateCheck
from rekkyo.search.progress import Progress, Watcher
from rekkyo.store.manifest import Source
from tests.runs.bundles.changing import FAMILY, STATEMENT, make_anew, said, seal_anew, with_term, wrong
from tests.runs.runs_as_programs import rekkyo


class TestChecking:
    def test_all_is_counted_again_and_nothing_changed(self, folder: Path) -> None:
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        checks = said(folder)
        assert all(passed for passed, _ in checks.values()), checks
        assert checks["puzzle.toml 4"][1].count(" by ") == 2
        derived = "CITATION.cff, README.md, b-total.txt, b-unique.txt and picture.svg"
        assert checks["content"][1].startswith(f"{derived} follow from {FACTS}")
        assert "check_count.py" in checks["puzzle.toml 3"][1]
        assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def test_what_takes_too_long_is_left(self, folder: Path) -> None:
        def slow(term: rk.Term) -> rk.Term:
            return replace(term, ways=tuple(replace(way, seconds=1e6) for way in term.ways))

        make_anew(folder, with_term(slow))
        found = rk.check_bundle(folder)
        last = {check.what: check for check in found.checks}["puzzle.toml 4"]
        assert found.passed
        assert found.left_s == 2e6
        assert last.passed is None
        assert last.detail.count("which took 1e+06 s") == 2

    @pytest.mark.parametrize("limit_s", [0, -1.0, float("nan"), float("inf"), True, "60"])
    def test_a_limit_that_is_no_time_is_refused(self, limit_s: Any, folder: Path) -> None:
        with pytest.raises(BadInput, match="the limit must be a finite number of seconds above 0, not "):
            rk.check_bundle(folder, limit_s=limit_s)

    def test_the_recorded_times_are_added_up(self, folder: Path) -> None:
        def slower(term: rk.Term) -> rk.Term:
            return replace(term, ways=tuple(replace(way, seconds=40.0) for way in term.ways))

        make_anew(folder, with_term(slower))
        found = rk.check_bundle(folder, limit_s=60.0)
        assert (found.passed, found.n_left, found.left_s) == (True, 1, 40.0)

    def test_the_time_of_all_stages_of_all_counts_is_limited(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The seconds of each stage replaced those of the one before."""
        n_reports = 0

        def slow(*_: object, watch: Watcher, **__: object) -> NoReturn:
            nonlocal n_reports
            for n_reports in range(1, 100):
                watch(Progress(0, 0, 0, 0, 0.25 if n_reports % 2 else 0.5, None, "a stage"))
            raise AssertionError("nothing stopped it")

        monkeypatch.setattr(check_bundle, "count", slow)
        found = rk.check_bundle(folder, limit_s=2.0)
        assert all(check.passed is None for check in found.checks if check.what == "puzzle.toml 4")
        assert n_reports == 17  # two reports for half a second, and the first one after 4 s

    def test_nothing_is_counted_without_time(self, folder: Path) -> None:
        found = rk.check_bundle(folder, limit_s=1e-9)
        assert found.passed
        assert found.left_s > 0
        assert all(check.passed is None for check in found.checks if check.what.startswith("puzzle.toml"))

    def test_a_bundle_that_lies_about_its_times_is_not_waited_for(self, folder: Path) -> None:
        def quick(term: rk.Term) -> rk.Term:
            return replace(term, ways=tuple(replace(way, seconds=0.0) for way in term.ways))

        make_anew(folder, with_term(quick))
        found = {check.what: check for check in rk.check_bundle(folder, limit_s=1e-9).checks}
        assert found["puzzle.toml 4"].passed is None
        assert found["orbits"].passed is None

    @pytest.mark.parametrize(
        ("problem", "reason"),
        [
            (NoSolver("certificates of lists need a SAT solver"), "no SAT solver is installed"),
            (ProofTooLong("no proof within 120 s"), "it takes much longer here than is said"),
        ],
    )
    def test_a_certificate_that_cannot_be_made_here_is_left(
        self, problem: RekkyoError, reason: str, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The solver is not installed with rekkyo, and neither case says anything about the bundle."""
        limits = []

        def failing(*_: object, limit_s: float, watch: Watcher) -> NoReturn:
            watch(Progress(0, 0, 0, 0, 0.0, None, "a list"))
            limits.append(limit_s)
            raise problem

        monkeypatch.setattr(check_bundle, "certify", failing)

        def with_certificate(term: rk.Term) -> rk.Term:
            return replace(term, ways=(*term.ways, replace(term.ways[0], by="lrat.py", orbits=False)))

        make_anew(folder, with_term(with_certificate))
        found = rk.check_bundle(folder, limit_s=50.0)
        last = {check.what: check for check in found.checks}["puzzle.toml 4"]
        assert (found.passed, last.passed, found.n_left, limits) == (True, True, 1, [100.0])
        assert last.detail.partition("; not by lrat.py, which took ")[2].endswith(f" s ({reason})")

    def test_counts_that_need_more_memory_than_there_is_here_are_left(
        self, runs: dict[int, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A smaller computer finds no fault: neither in the terms nor in the symmetric solutions."""
        alone = shutil.copytree(runs[3], tmp_path / "run", ignore=shutil.ignore_patterns("recount-*"))
        rk.publish([alone, runs[3].parent / "certificate-3"], tmp_path / "bundle", statement=STATEMENT)
        monkeypatch.setattr(CoverFrontier, "most_bytes", 0)
        monkeypatch.setattr(check_bundle, "symmetric_solutions", lambda *_: None)
        checks = said(tmp_path / "bundle")
        assert rk.check_bundle(tmp_path / "bundle").passed
        assert checks["symmetric solutions"] == (None, "cover-memo cannot count those of puzzle.toml 3 here")
        passed, detail = checks["puzzle.toml 3"]
        assert passed is None
        assert detail.startswith("not by cover-frontier, which took ")
        assert " s (it takes more memory than there is here)" in detail

    def test_foreign_checkers_of_the_certificate_have_the_limit(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        check, limits = check_bundle.check_certificate, []

        def checked(certificate: Path, *, limit_s: float) -> CertificateCheck:
            limits.append(limit_s)
            return check(certificate, limit_s=limit_s)

        monkeypatch.setattr(check_bundle, "check_certificate", checked)
        assert rk.check_bundle(folder, limit_s=7.0).passed
        assert limits == [7.0]

    def test_command_line(self, folder: Path) -> None:
        code, out, _ = rekkyo("verify", folder)
        assert code == 0
        assert out.splitlines()[-1] == f"{STATEMENT}: nothing wrong"
        code, out, _ = rekkyo("verify", folder, "--limit-seconds", "1e-9")
        assert code == 0
        assert out.splitlines()[-1] == f"{STATEMENT}: nothing wrong in what was checked"
        code, out, _ = rekkyo("verify", folder, "--json")
        assert code == 0
        assert json.loads(out)["passed"]
        make_anew(folder, with_term(lambda term: replace(term, total=597, unique=(term.unique or 0) + 1)))
        code, out, complaint = rekkyo("verify", folder)
        (said_wrong,) = [line for line in out.splitlines() if line.startswith("!")]
        assert code == 1
        assert complaint == ""
        assert said_wrong.startswith("! puzzle.toml 4: ")
        assert said_wrong.endswith("total 593, not 597")
        (folder / FACTS).write_text("{")
        code, out, complaint = rekkyo("verify", folder)
        assert (code, out) == (2, "")
        assert complaint.count("\n") == 1

    def test_publish_on_the_command_line(self, runs: dict[int, Path], tmp_path: Path) -> None:
        new = tmp_path / "bundle"
        code, out, _ = rekkyo("publish", runs[2], runs[3], "-o", new, "--statement", STATEMENT)
        assert code == 0
        assert (
            out == "2 terms, 2 counted in two ways that share no search code, 2 of them with their orbits\n"
        )
        code, out, complaint = rekkyo("publish", runs[2], "-o", new, "--statement", STATEMENT)
        assert code == 2
        assert "in use" in complaint


class TestChanges:
    def test_every_file_that_is_changed_cut_or_missing_is_found(self, original: Path, tmp_path: Path) -> None:
        names = [path.relative_to(original) for path in original.rglob("*") if path.is_file()]
        assert len(names) == 15
        for name in names:
            content = (original / name).read_bytes()
            middle = len(content) // 2
            changes = [
                content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
                content[:middle],
                content + b"\n",
                b"",
                None,
            ]
            for number, changed in enumerate(changes):
                folder = shutil.copytree(original, tmp_path / f"{name.name}-{number}")
                if changed is None:
                    (folder / name).unlink()
                else:
                    (folder / name).write_bytes(changed)
                assert wrong(folder), (name, number)
                shutil.rmtree(folder)

    @pytest.mark.parametrize(
        ("change", "found"),
        [
            (lambda term: replace(term, total=term.total + 4, unique=term.unique + 1), "puzzle.toml 4"),
            (lambda term: replace(term, total=term.total + 1), "ways"),
            (lambda term: replace(term, unique=term.unique + 1), "ways"),
            (lambda term: replace(term, unique=term.total + 1, fixed=None), "ways"),
            (lambda term: replace(term, unique=1, fixed=None), "ways"),
            (lambda term: replace(term, fixed=None, unique=term.unique + 1), "ways"),
            (lambda term: replace(term, group_order=10**900, fixed=None), "ways"),
            (lambda term: replace(term, group_order=None, fixed=None), "ways"),
            (lambda term: replace(term, model_hash="0" * 64), "puzzles"),
            (lambda term: replace(term, source=Source("file", "puzzle.toml 5")), "puzzles"),
            (lambda term: replace(term, source=Source("file", "puzzle.toml 3")), "puzzles"),
            (lambda term: replace(term, source=Source("file", "../puzzle.toml 4")), "puzzles"),
            (lambda term: replace(term, source=Source("file", "/etc/passwd")), "puzzles"),
            (lambda term: replace(term, source=Source("catalog", "/etc/passwd.toml")), "puzzles"),
            (lambda term: replace(term, source=Source("catalog", "queens 6")), "puzzles"),
            (lambda term: replace(term, source=Source("given", "")), "puzzles"),
            (lambda term: replace(term, ways=(replace(term.ways[0], by="abacus"),)), "ways"),
            (lambda term: replace(term, ways=(replace(term.ways[0], by="queens-join"),)), "puzzle.toml 4"),
            (lambda term: replace(term, up_to="nonsense"), "puzzle.toml 4"),
            (lambda term: replace(term, ways=tuple(replace(way, orbits=False) for way in term.ways)), "ways"),
            (lambda term: replace(term, ways=(replace(term.ways[0], by="lrat.py"),)), "ways"),
        ],
    )
    def test_a_term_changed_on_purpose_is_found(
        self, folder: Path, change: Callable[[rk.Term], rk.Term], found: str
    ) -> None:
        make_anew(folder, with_term(change))
        assert wrong(folder) == [found]

    @pytest.mark.parametrize(
        ("forged", "found"),
        [
            ({"unique": 3}, []),
            ({"unique": 1}, ["ways"]),
            ({"unique": 2}, ["orbits"]),
            ({"unique": 5}, ["orbits"]),
            ({"unique": 6}, ["ways"]),
            ({"total": 6}, ["orbits"]),
        ],
    )
    def test_orbits_that_take_too_long_to_be_counted_again(
        self, forged: dict[str, int], found: list[str], runs: dict[int, Path], tmp_path: Path
    ) -> None:
        """5 tilings, up to 4 symmetries 3: bounds, and the list for the table of orbits, find other numbers."""
        puzzle = rk.puzzle_from_file(runs[2].parent / "mixed.toml", 2)
        rk.run(puzzle, tmp_path / "run", engine="cover-cells", up_to="symmetry", workers=1)
        rk.publish([tmp_path / "run"], tmp_path / "bundle", statement=STATEMENT)

        def changed(term: rk.Term) -> rk.Term:
            ways = tuple(replace(way, seconds=1e9) for way in term.ways)
            return replace(term, ways=ways, **forged)  # type: ignore[arg-type]

        make_anew(tmp_path / "bundle", with_term(changed))
        assert wrong(tmp_path / "bundle") == found

    def test_a_term_that_is_published_with_another_count(self, tmp_path: Path) -> None:
        rk.run(rk.queens(6), tmp_path / "run", workers=1)
        rk.publish([tmp_path / "run"], tmp_path / "bundle", statement=STATEMENT)
        make_anew(tmp_path / "bundle", with_term(lambda term: replace(term, total=3)))
        passed, detail = said(tmp_path / "bundle")["ways"]
        assert passed is False
        assert detail.endswith("has another count")

    @pytest.mark.parametrize("change", [{"fixed": 2}, {"fixed_by": ("cover-diagram",)}])
    def test_symmetric_solutions_without_orbits(self, change: dict[str, Any], tmp_path: Path) -> None:
        """An engine that lists counts no symmetric solutions: that was the same as if none were there."""
        rk.run(rk.puzzle("latin-square 3"), tmp_path / "run", workers=1)
        rk.publish([tmp_path / "run"], tmp_path / "bundle", statement=STATEMENT)
        assert wrong(tmp_path / "bundle") == []
        make_anew(tmp_path / "bundle", with_term(lambda term: replace(term, **change)))
        assert wrong(tmp_path / "bundle") == ["ways"]

    def test_a_term_that_appears_twice_in_other_words(self, tmp_path: Path) -> None:
        rk.run(rk.queens(5), tmp_path / "run", workers=1)
        rk.publish([tmp_path / "run"], tmp_path / "bundle", statement=STATEMENT)
        again = Source("catalog", "queens  5")
        make_anew(
            tmp_path / "bundle",
            lambda one: replace(one, terms=(*one.terms, replace(one.terms[0], source=again))),
        )
        assert said(tmp_path / "bundle")["puzzles"] == (False, "a term appears twice")

    def test_two_ways_that_share_code_do_not_count_as_two(self, folder: Path) -> None:
        def relabelled(term: rk.Term) -> rk.Term:
            ways = tuple(replace(way, by="cover-diagram", seconds=1e6) for way in term.ways)
            return replace(term, ways=(*ways, replace(ways[0], by="cover-frontier", seconds=0.1)))

        make_anew(folder, with_term(relabelled))
        assert said(folder)["ways"][1].startswith("3 terms, 2 counted ")

    def test_picture_orbits_and_certificate_are_not_believed(self, original: Path, tmp_path: Path) -> None:
        def copied(name: str) -> Path:
            return shutil.copytree(original, tmp_path / name)

        bundle = read_facts((original / FACTS).read_bytes())
        assert bundle.picture is not None
        assert bundle.orbits is not None
        picture, table = bundle.picture, bundle.orbits
        row = (*picture.row[:-1], picture.row[-1] + 1)
        make_anew(copied("row"), lambda one: replace(one, picture=replace(picture, row=row)))
        assert wrong(tmp_path / "row") in (["content"], ["picture"])
        kinds = (replace(table.kinds[0], orbits=table.kinds[0].orbits + 1), *table.kinds[1:])
        make_anew(copied("table"), lambda one: replace(one, orbits=replace(table, kinds=kinds)))
        assert wrong(tmp_path / "table") == ["orbits"]
        foreign = copied("certificate")
        shutil.rmtree(foreign / "certificate")
        rk.certify_count(rk.puzzle("dominoes 2 3"), foreign / "certificate")
        seal_anew(foreign, {})
        assert wrong(foreign) == ["certificate"]

    def test_a_picture_of_no_solution(self, tmp_path: Path) -> None:
        rk.run(rk.queens(6), tmp_path / "run", workers=1)
        rk.publish([tmp_path / "run"], tmp_path / "bundle", statement=STATEMENT)
        diagonal = Picture(0, (0, 1, 2, 3, 4, 5))
        make_anew(tmp_path / "bundle", lambda one: replace(one, picture=diagonal))
        assert wrong(tmp_path / "bundle") == ["picture"]

    def test_a_certificate_of_another_file_of_the_same_name(self, folder: Path, tmp_path: Path) -> None:
        """Its total is that of a term, and no term is counted again because that would take too long."""
        (tmp_path / "mixed.toml").write_text(FAMILY.replace("DD SS\n.. SS", "DD"))
        other = rk.puzzle_from_file(tmp_path / "mixed.toml", 3)
        shutil.rmtree(folder / "certificate")
        total = rk.certify_count(other, folder / "certificate").total

        def forged(term: rk.Term) -> rk.Term:
            ways = tuple(replace(way, seconds=1e9) for way in term.ways)
            assert term.group_order is not None
            fixed = -total % term.group_order
            unique = (total + fixed) // term.group_order
            return replace(term, total=total, unique=unique, fixed=fixed, ways=ways)

        make_anew(folder, with_term(forged, 1))
        assert "certificate" in wrong(folder)
        assert said(folder)["certificate"] == (False, "its puzzle.toml is another one")

    def test_a_proof_that_was_changed(self, folder: Path) -> None:
        proof = folder / "certificate" / "diagram.nnf"
        proof.write_bytes(proof.read_bytes().replace(b"\nA ", b"\nO ", 1))
        seal_anew(folder, {})
        assert wrong(folder) == ["certificate"]
