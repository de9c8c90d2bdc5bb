"""Bundles: what they hold, that every change is found, and that a hostile one does no harm."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput, BadRun, CountsDisagree
from rekkyo.runs import publish as publishing
from rekkyo.runs.bundle import FACTS, MOST_BYTES, SUMS, facts_text, read_facts
from rekkyo.runs.bundle_files import derived_files, with_sums
from rekkyo.store.manifest import Source
from tests.runs.runs_as_programs import rekkyo

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


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Runs that merged, and a recount of each."""
    home = tmp_path_factory.mktemp("runs")
    (home / "mixed.toml").write_text(FAMILY)
    folders = {}
    for n in SIZES:
        folders[n] = home / f"run-{n}"
        puzzle = rk.puzzle_from_file(home / "mixed.toml", n)
        rk.run(puzzle, folders[n], engine="cover-frontier", up_to="symmetry", count_only=True, workers=1)
        assert rk.Run(folders[n]).recount(engine="cover-memo", workers=1).agrees
    rk.certify_count(rk.puzzle_from_file(home / "mixed.toml", 3), home / "certificate-3")
    return folders


@pytest.fixture(scope="module")
def original(runs: dict[int, Path]) -> Path:
    folder = runs[2].parent / "bundle"
    folders = [*runs.values(), runs[2].parent / "certificate-3"]
    rk.publish(folders[::-1], folder, statement=STATEMENT, known="Looked up nowhere.")
    return folder


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    return shutil.copytree(original, tmp_path / "bundle")


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


class TestPublishing:
    def test_a_run_that_needed_no_search(self, tmp_path: Path) -> None:
        (tmp_path / "none.xcc").write_text("a b\na\n", encoding="utf-8")
        rk.run(rk.puzzle_from_file(tmp_path / "none.xcc"), tmp_path / "run")
        bundle = rk.publish([tmp_path / "run"], tmp_path / "bundle", statement=STATEMENT)
        assert [(term.total, term.ways[0].nodes) for term in bundle.terms] == [(0, 0)]
        assert rk.check_bundle(tmp_path / "bundle").passed

    def test_terms_have_all_their_ways(self, original: Path) -> None:
        bundle = read_facts((original / FACTS).read_bytes())
        assert [term.total for term in bundle.terms] == TOTALS
        assert [term.source.text for term in bundle.terms] == [f"puzzle.toml {n}" for n in SIZES]
        by = [{way.by for way in term.ways} for term in bundle.terms]
        both = {"cover-frontier", "cover-memo"}
        assert by == [both, both | {"check_count.py"}, both]
        assert all(term.is_counted_twice for term in bundle.terms)
        for term in bundle.terms:
            found = rk.orbits(rk.puzzle_from_file(original / "puzzle.toml", *term.source.text.split()[1:]))
            assert (term.total, term.unique, term.group_order) == (found.total, found.unique, found.group)
            fixed = sum(each.solutions * each.stabilizer for each in found.classes) - found.total
            assert term.fixed == fixed

    def test_orbits_beside_a_certificate_are_counted_twice_too(
        self, runs: dict[int, Path], tmp_path: Path
    ) -> None:
        """A certificate says nothing of symmetry, so another engine counts the symmetric solutions."""
        alone = shutil.copytree(runs[3], tmp_path / "run", ignore=shutil.ignore_patterns("recount-*"))
        folder = tmp_path / "bundle"
        bundle = rk.publish([alone, runs[3].parent / "certificate-3"], folder, statement=STATEMENT)
        (term,) = bundle.terms
        assert {way.by for way in term.ways} == {"cover-frontier", "check_count.py"}
        assert term.fixed_by == ("cover-memo",)
        assert term.has_orbits_counted_twice
        assert not replace(term, fixed_by=()).has_orbits_counted_twice
        assert not replace(term, fixed_by=("cover-frontier",)).has_orbits_counted_twice
        assert said(folder)["symmetric solutions"][0] is True
        order = term.group_order or 1
        make_anew(
            folder,
            with_term(lambda it: replace(it, fixed=(it.fixed or 0) + order, unique=(it.unique or 0) + 1)),
        )
        assert wrong(folder) == ["symmetric solutions"]

    def test_files(self, original: Path) -> None:
        names = {path.relative_to(original).as_posix() for path in original.rglob("*") if path.is_file()}
        inside = {f"certificate/{path.name}" for path in (original / "certificate").iterdir()}
        top = {FACTS, SUMS, "README.md", "CITATION.cff", "b-total.txt", "b-unique.txt", "picture.svg"}
        assert names == top | {"puzzle.toml"} | inside
        sums = dict(line.split("  ")[::-1] for line in (original / SUMS).read_text().splitlines())
        assert sums.keys() == names - {SUMS}
        assert all(
            hashlib.sha256((original / name).read_bytes()).hexdigest() == digest
            for name, digest in sums.items()
        )
        lines = (original / "b-total.txt").read_text().splitlines()
        assert [line.split() for line in lines if line[0] != "#"] == [
            [str(n), str(total)] for n, total in zip(SIZES, TOTALS, strict=True)
        ]
        assert STATEMENT in (original / "README.md").read_text()

    def test_catalog_with_digests(self, tmp_path: Path) -> None:
        for n in (5, 6):
            rk.run(rk.queens(n), tmp_path / f"q{n}", engine="queens-bitmap", workers=1)
            rk.Run(tmp_path / f"q{n}").recount(engine="queens-cover", workers=1)
        folders = [tmp_path / "q6", tmp_path / "q5"]
        bundle = rk.publish(folders, tmp_path / "bundle", statement="Queens on n x n squares")
        assert [(term.total, term.unique) for term in bundle.terms] == [(10, 2), (4, 1)]
        assert [term.digest for term in bundle.terms] == [
            rk.count(rk.queens(n), digest=True).digest for n in (5, 6)
        ]
        assert wrong(tmp_path / "bundle") == []
        digest = "0" * 32
        make_anew(tmp_path / "bundle", with_term(lambda term: replace(term, digest=digest)))
        assert wrong(tmp_path / "bundle") == ["queens 6"]

    def test_sizes_with_a_gap_have_no_b_file(self, runs: dict[int, Path], tmp_path: Path) -> None:
        rk.publish([runs[2], runs[4]], tmp_path / "bundle", statement=STATEMENT)
        assert not [*(tmp_path / "bundle").glob("b-*")]
        assert wrong(tmp_path / "bundle") == []

    def test_one_way_is_said_to_be_one(self, runs: dict[int, Path], tmp_path: Path) -> None:
        alone = shutil.copytree(runs[2], tmp_path / "alone")
        shutil.rmtree(alone / "recount-cover-memo")
        bundle = rk.publish([alone], tmp_path / "bundle", statement=STATEMENT)
        assert not bundle.terms[0].is_counted_twice
        assert "once only" in (tmp_path / "bundle" / "README.md").read_text()
        assert said(tmp_path / "bundle")["ways"][1].startswith("0 of 1 term ")

    def test_a_recount_that_was_made_when_the_file_was_gone(self, tmp_path: Path) -> None:
        (tmp_path / "mixed.toml").write_text(FAMILY)
        puzzle = rk.puzzle_from_file(tmp_path / "mixed.toml", 2)
        rk.run(puzzle, tmp_path / "run", engine="cover-frontier", count_only=True, workers=1)
        (tmp_path / "mixed.toml").unlink()
        rk.Run(tmp_path / "run").recount(engine="cover-cells", workers=1)
        bundle = rk.publish([tmp_path / "run"], tmp_path / "bundle", statement=STATEMENT)
        assert [way.by for way in bundle.terms[0].ways] == ["cover-frontier", "cover-cells"]
        assert wrong(tmp_path / "bundle") == []

    def test_refusals(self, runs: dict[int, Path], tmp_path: Path) -> None:
        new = tmp_path / "bundle"
        with pytest.raises(BadRun, match="neither a run nor a certificate"):
            rk.publish([tmp_path], new, statement=STATEMENT)
        with pytest.raises(BadInput, match="in a sentence"):
            rk.publish([runs[2]], new, statement=" ")
        with pytest.raises(BadInput, match="in use"):
            rk.publish([runs[2]], runs[2], statement=STATEMENT)
        with pytest.raises(BadInput, match="finished runs"):
            rk.publish([], new, statement=STATEMENT)
        built = rk.Puzzle("pair", rk.Coloring(2, 2), "Two cells")
        rk.run(built, tmp_path / "built", workers=1)
        with pytest.raises(BadRun, match="built in Python"):
            rk.publish([tmp_path / "built"], new, statement=STATEMENT)
        (tmp_path / "other.toml").write_text(FAMILY.replace("D SS", "D S.").replace(".. SS", ".. .."))
        puzzle = rk.puzzle_from_file(tmp_path / "other.toml", 2)
        rk.run(puzzle, tmp_path / "other", count_only=True, workers=1)
        with pytest.raises(BadInput, match=r"another puzzle\.toml"):
            rk.publish([runs[3], tmp_path / "other"], new, statement=STATEMENT)
        assert not new.exists()

    def test_ways_that_differ_are_no_bundle(
        self, runs: dict[int, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        of_run = publishing._of_run

        def wrongly(folder: Path, source: Source) -> Any:
            part = of_run(folder, source)
            if "recount" in folder.name:
                return replace(part, term=replace(part.term, total=part.term.total + 1))
            return part

        monkeypatch.setattr(publishing, "_of_run", wrongly)
        with pytest.raises(CountsDisagree, match="total is"):
            rk.publish([runs[2]], tmp_path / "bundle", statement=STATEMENT)

    def test_an_unfinished_run_is_refused(self, tmp_path: Path) -> None:
        def stop(_: rk.Progress) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            rk.run(rk.queens(12), tmp_path / "run", shards=64, workers=1, watch=stop)
        with pytest.raises(BadRun, match="not finished"):
            rk.publish([tmp_path / "run"], tmp_path / "bundle", statement=STATEMENT)


class TestChecking:
    def test_all_is_counted_again_and_nothing_changed(self, folder: Path) -> None:
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        checks = said(folder)
        assert all(passed for passed, _ in checks.values()), checks
        assert checks["puzzle.toml 4"][1].count(" by ") == 2
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

    def test_command_line(self, folder: Path) -> None:
        code, out, _ = rekkyo("verify", folder)
        assert code == 0
        assert out.splitlines()[-1] == f"{STATEMENT}: nothing wrong"
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
        assert out == "2 terms, 2 counted in two ways that share no search code\n"
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
            (lambda term: replace(term, fixed=None, unique=term.unique + 1), "puzzle.toml 4"),
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
        ],
    )
    def test_a_term_changed_on_purpose_is_found(
        self, folder: Path, change: Callable[[rk.Term], rk.Term], found: str
    ) -> None:
        make_anew(folder, with_term(change))
        assert wrong(folder) == [found]

    def test_two_ways_that_share_code_do_not_count_as_two(self, folder: Path) -> None:
        def relabelled(term: rk.Term) -> rk.Term:
            ways = tuple(replace(way, by="cover-diagram", seconds=1e6) for way in term.ways)
            return replace(term, ways=(*ways, replace(ways[0], by="cover-frontier", seconds=0.1)))

        make_anew(folder, with_term(relabelled))
        assert said(folder)["ways"][1].startswith("2 of 3 terms ")

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
        proof = copied("proof") / "certificate" / "diagram.nnf"
        proof.write_bytes(proof.read_bytes().replace(b"\nA ", b"\nO ", 1))
        seal_anew(tmp_path / "proof", {})
        assert wrong(tmp_path / "proof") == ["certificate"]


class TestHostile:
    @pytest.mark.parametrize("name", [FACTS, SUMS, "puzzle.toml", "picture.svg", "certificate/diagram.nnf"])
    def test_no_link_is_followed(self, folder: Path, name: str, tmp_path: Path) -> None:
        (folder / name).rename(tmp_path / "outside")
        (folder / name).symlink_to(tmp_path / "outside")
        assert "is a link or not a file" in wrong(folder)[0]

    def test_no_linked_folder_is_entered(self, folder: Path, tmp_path: Path) -> None:
        (folder / "certificate").rename(tmp_path / "outside")
        (folder / "certificate").symlink_to(tmp_path / "outside")
        assert "certificate is not a folder" in wrong(folder)[0]

    @pytest.mark.skipif(os.name == "nt", reason="named pipes are of POSIX")
    def test_a_pipe_is_not_waited_for(self, folder: Path) -> None:
        (folder / "picture.svg").unlink()
        os.mkfifo(folder / "picture.svg")
        assert "is a link or not a file" in wrong(folder)[0]

    @pytest.mark.parametrize("name", ["more.txt", "README.md", FACTS, "certificate/more"])
    def test_a_huge_file_is_refused_unread(self, folder: Path, name: str) -> None:
        with (folder / name).open("wb") as file:
            file.truncate(1 << 40)
        assert f"more than {MOST_BYTES:,} bytes" in wrong(folder)[0]

    def test_many_files_are_refused(self, folder: Path) -> None:
        for number in range(100):
            (folder / f"{number}").touch()
        assert "more than 64 files" in wrong(folder)[0]

    @pytest.mark.parametrize("name", ["more.txt", "evil\n+ all is well", "certificate/more", ".hidden"])
    def test_what_does_not_belong_there_is_named(self, folder: Path, name: str) -> None:
        (folder / name).write_text("x")
        seal_anew(folder, {})
        passed, detail = said(folder)["content"]
        assert passed is False
        assert detail.endswith("does not belong there")
        assert "\n" not in detail

    def test_a_folder_more_is_refused(self, folder: Path) -> None:
        (folder / "more").mkdir()
        assert "is a link or not a file" in wrong(folder)[0]

    def test_the_puzzle_opens_nothing_beside_it(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "secret.col").write_text("p edge 2 1\ne 1 2\n")
        (folder / "puzzle.toml").write_text('kind = "graph"\nfile = "../secret.col"\n')
        seal_anew(folder, {})
        assert wrong(folder) == ["puzzles"]

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"[]",
            b"null",
            b'{"format": 2}',
            b'{"format": true}',
            b'{"format": 1}',
            b"[" * 100_000,
            b'{"format": 1, "terms": ' + b"9" * 10_000 + b"}",
            b"\xff\xfe",
        ],
    )
    def test_nonsense_is_one_line(self, folder: Path, content: bytes) -> None:
        (folder / FACTS).write_bytes(content)
        assert "holds no bundle" in wrong(folder)[0]

    @pytest.mark.parametrize(
        ("change", "named"),
        [
            (lambda facts: facts.update(terms=[]), "no term"),
            (lambda facts: facts["terms"][0].update(ways=[]), "or one without a count"),
            (lambda facts: facts["terms"][0].update(total="5"), '"total"'),
            (lambda facts: facts["terms"][0].update(total=-5), '"total"'),
            (lambda facts: facts["terms"][0].update(total=True), '"total"'),
            (lambda facts: facts["terms"][0].update(total=10**1001), '"total"'),
            (lambda facts: facts["terms"][0].pop("digest"), '"terms"'),
            (lambda facts: facts["terms"][0].update(more=1), '"terms"'),
            (lambda facts: facts["terms"][0]["ways"][0].update(seconds=float("nan")), '"seconds"'),
            (lambda facts: facts["terms"][0]["ways"][0].update(seconds=float("inf")), '"seconds"'),
            (lambda facts: facts["terms"][0]["ways"][0].update(versions={"a": 1}), '"versions"'),
            (lambda facts: facts.update(statement="evil\x1b[2J"), '"statement"'),
            (lambda facts: facts["picture"].update(term=99), "does not have"),
            (lambda facts: facts["orbits"].update(term=3), "does not have"),
            (lambda facts: facts.update(known=7), '"known"'),
        ],
    )
    def test_facts_that_cannot_be_are_refused(
        self, folder: Path, change: Callable[[dict[str, Any]], Any], named: str
    ) -> None:
        facts = json.loads((folder / FACTS).read_text())
        facts.pop("seal")
        change(facts)
        seal = hashlib.sha256(json.dumps(facts, indent=1).encode() + b"\n").hexdigest()
        (folder / FACTS).write_text(json.dumps(facts | {"seal": seal}, indent=1) + "\n", newline="\n")
        seal_anew(folder, {})
        assert named in wrong(folder)[0]

    def test_a_bundle_that_is_a_file_or_nothing(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        for place in (tmp_path / "file", tmp_path / "nothing", tmp_path):
            assert "holds no bundle" in wrong(place)[0]
