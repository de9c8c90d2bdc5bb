"""`publish`: which terms and files it writes into a bundle, and which runs it refuses."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shlex
import shutil
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.engines.digest import Digest
from rekkyo.errors import BadInput, BadRun, CountsDisagree
from rekkyo.runs import publish as publishing
from rekkyo.runs.bundle import FACTS, SUMS, read_facts
from rekkyo.runs.certificate import FACTS as CERTIFICATE_FACTS
from rekkyo.store.manifest import Source
from rekkyo.store.run_directory import RunDirectory
from tests.runs.bundles.changing import FAMILY, SIZES, STATEMENT, TOTALS, make_anew, said, with_term, wrong


class TestPublishing:
    def test_a_run_that_needed_no_search(self, tmp_path: Path) -> None:
        (tmp_path / "none.xcc").write_text("a b\na\n", encoding="utf-8")
        rk.run(rk.puzzle_from_file(tmp_path / "none.xcc"), tmp_path / "run")
        bundle = rk.publish([tmp_path / "run"], tmp_path / "bundle", statement=STATEMENT)
        assert [(term.total, term.ways[0].nodes) for term in bundle.terms] == [(0, 0)]
        assert rk.check_bundle(tmp_path / "bundle").passed

    def test_the_table_of_orbits(self, tmp_path: Path) -> None:
        """Of the 12 solutions up to symmetry (OEIS A002562) only one is unchanged by a half turn: 92 = 11 x 8 + 4."""
        rk.run(rk.queens(8), tmp_path / "run", workers=1)
        table = rk.publish([tmp_path / "run"], tmp_path / "bundle", statement=STATEMENT).orbits
        assert table is not None
        assert {(kind.stabilizer, kind.orbits, kind.solutions) for kind in table.kinds} == {
            (1, 11, 88),
            (2, 1, 4),
        }
        lines = (tmp_path / "bundle" / "README.md").read_text().splitlines()
        assert {"| 1 | 11 | 88 |", "| 2 | 1 | 4 |"} < {*lines}

    def test_orbits_up_to_rotations_are_called_that(self, tmp_path: Path) -> None:
        for n in range(6, 9):
            rk.run(rk.queens(n), tmp_path / str(n), up_to="rotations")
        bundle = rk.publish([tmp_path / str(n) for n in range(6, 9)], tmp_path / "b", statement=STATEMENT)
        assert [term.unique for term in bundle.terms] == [2, 12, 24]  # (4 + 4, 40 + 8, 92 + 4) / 4
        assert "up to rotations" in (tmp_path / "b" / "b-unique.txt").read_text()
        readme = (tmp_path / "b" / "README.md").read_text()
        assert "up to rotations" in readme
        assert readme.count("; once only") == 3
        assert "(by one engine)" not in readme
        assert rk.check_bundle(tmp_path / "b").passed

    @pytest.mark.parametrize("size", [6, 7])
    def test_orbits_up_to_two_symmetries_are_not_one_sequence(self, size: int, tmp_path: Path) -> None:
        rk.run(rk.queens(6), tmp_path / "one", up_to="symmetry")
        rk.run(rk.queens(size), tmp_path / "other", up_to="rotations")
        complaint = "up to different symmetries, in .*one up to symmetry and .*other up to rotations"
        with pytest.raises(BadInput, match=complaint):
            rk.publish([tmp_path / "one", tmp_path / "other"], tmp_path / "b", statement=STATEMENT)

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

    @pytest.mark.parametrize("up_to", ["symmetry", "rotations"])
    @pytest.mark.parametrize("place", [0, 1])
    def test_orbits_beside_a_certificate_are_counted_twice_too(
        self, runs: dict[int, Path], tmp_path: Path, place: int, up_to: str
    ) -> None:
        """A certificate says nothing of symmetry, so another engine counts the symmetric solutions."""
        alone, folder = tmp_path / "run", tmp_path / "bundle"
        puzzle = rk.puzzle_from_file(runs[3].parent / "mixed.toml", 3)
        rk.run(puzzle, alone, engine="cover-frontier", up_to=up_to, count_only=True, workers=1)
        folders = [alone]
        folders.insert(place, runs[3].parent / "certificate-3")
        (term,) = rk.publish(folders, folder, statement=STATEMENT).terms
        assert {way.by for way in term.ways} == {"cover-frontier", "check_count.py"}
        assert term.up_to == up_to
        assert term.unique == rk.count(puzzle, up_to=up_to).unique
        assert term.fixed_by == ("cover-memo",)
        assert term.has_orbits_counted_twice
        assert not replace(term, fixed_by=()).has_orbits_counted_twice
        assert not replace(term, fixed_by=("cover-frontier",)).has_orbits_counted_twice
        by_merging = tuple(way for way in term.ways if way.by == "cover-frontier")
        assert not replace(term, ways=by_merging).has_orbits_counted_twice
        assert said(folder)["symmetric solutions"] == (True, "those of 1 term, by cover-memo")
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
        bundle = rk.publish(folders, tmp_path / "bundle", statement=r'Queens on "n x n" squares \ none')
        cited = (tmp_path / "bundle" / "CITATION.cff").read_text().splitlines()[2]
        assert json.loads(cited.removeprefix("title: ")).startswith(r'Queens on "n x n" squares \ none (2 ')
        assert [(term.total, term.unique) for term in bundle.terms] == [(10, 2), (4, 1)]
        assert (tmp_path / "bundle" / "b-total.txt").read_text().splitlines()[-2:] == ["5 10", "6 4"]
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

    def test_words_are_no_sequence(self, tmp_path: Path) -> None:
        family = '[family]\nsize = "small large"\n'
        (tmp_path / "mine.toml").write_text(f'kind = "queens"\nn = "{{size + 3}}"\n{family}')
        for word in ("small", "large"):
            rk.run(rk.puzzle_from_file(tmp_path / "mine.toml", word), tmp_path / word)
        folders = [tmp_path / "small", tmp_path / "large"]
        bundle = rk.publish(folders, tmp_path / "bundle", statement=STATEMENT)
        assert [term.total for term in bundle.terms] == [10, 2]
        assert not [*(tmp_path / "bundle").glob("b-*")]

    def test_terms_of_two_puzzles_are_not_one_sequence(self, tmp_path: Path) -> None:
        for words in ("queens 4", "langford 5"):
            rk.run(rk.puzzle(words), tmp_path / words)
        folders = [tmp_path / "queens 4", tmp_path / "langford 5"]
        rk.publish(folders, tmp_path / "bundle", statement=STATEMENT)
        assert not [*(tmp_path / "bundle").glob("b-*")]

    def test_the_command_that_counts_a_term_again_is_one_of_a_shell(self, tmp_path: Path) -> None:
        words = ["digits", "--place", "0=(0,8,1,1)", "--place", "1=(4,0,0,0)", "--place", "2=(0,0,0,0)"]
        words += ["--place", "3=(6,0,0,0)"]
        rk.run(rk.puzzle(" ".join(words)), tmp_path / "run")
        rk.publish([tmp_path / "run"], tmp_path / "bundle", statement=STATEMENT)
        readme = (tmp_path / "bundle" / "README.md").read_text()
        (command,) = re.findall("rekkyo count .*", readme)
        assert shlex.split(command)[2:][: len(words)] == words
        assert "'0=(0,8,1,1)'" in command

    def test_listed_orbits_beside_a_certificate_have_no_symmetric_ones(
        self, runs: dict[int, Path], tmp_path: Path
    ) -> None:
        home = runs[3].parent
        rk.run(rk.puzzle_from_file(home / "mixed.toml", 3), tmp_path / "run", engine="cover-cells", workers=1)
        folders = [tmp_path / "run", home / "certificate-3"]
        (term,) = rk.publish(folders, tmp_path / "bundle", statement=STATEMENT).terms
        assert (term.total, term.fixed, term.fixed_by) == (29, None, ())
        assert term.unique
        assert term.is_counted_twice
        assert not term.has_orbits_counted_twice

    @pytest.mark.parametrize("order", [("none", "symmetry"), ("symmetry", "none")])
    def test_two_runs_of_one_puzzle_complete_each_other(self, order: tuple[str, str], tmp_path: Path) -> None:
        for up_to in order:
            rk.run(rk.queens(6), tmp_path / up_to, up_to=up_to, workers=1)
        folders = [tmp_path / up_to for up_to in order]
        (term,) = rk.publish(folders, tmp_path / "bundle", statement=STATEMENT).terms
        assert (term.unique, term.digest) == (1, rk.count(rk.queens(6), digest=True).digest)
        assert wrong(tmp_path / "bundle") == []

    def test_terms_are_in_the_order_of_their_numbers(self, tmp_path: Path) -> None:
        for n in (10, 9):
            rk.run(rk.queens(n), tmp_path / str(n), count_only=True, workers=1)
        bundle = rk.publish([tmp_path / "10", tmp_path / "9"], tmp_path / "bundle", statement=STATEMENT)
        assert [(term.source.text, term.total) for term in bundle.terms] == [
            ("queens 9", 352),
            ("queens 10", 724),
        ]

    def test_one_way_is_said_to_be_one(self, runs: dict[int, Path], tmp_path: Path) -> None:
        alone = shutil.copytree(runs[2], tmp_path / "alone")
        shutil.rmtree(alone / "recount-cover-memo")
        bundle = rk.publish([alone], tmp_path / "bundle", statement=STATEMENT)
        assert not bundle.terms[0].is_counted_twice
        assert bundle.terms[0].fixed_by == ()
        assert "once only" in (tmp_path / "bundle" / "README.md").read_text()
        assert said(tmp_path / "bundle")["ways"][1].startswith("1 term, 0 counted ")

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
        for text in ("half a character \udcff", "evil\x1b[2J"):
            with pytest.raises(BadInput, match="statement has a character that cannot be printed"):
                rk.publish([runs[2]], new, statement=text)
            with pytest.raises(BadInput, match="known has a character that cannot be printed"):
                rk.publish([runs[2]], new, statement=STATEMENT, known=text)
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

    @pytest.mark.parametrize("what", ["total", "unique", "fixed", "group_order", "digest"])
    def test_ways_that_differ_are_no_bundle(
        self, what: str, runs: dict[int, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        of_run = publishing._of_run

        def wrongly(folder: Path, source: Source) -> Any:
            part, again = of_run(folder, source), "recount" in folder.name
            number = f"{again:032}" if what == "digest" else getattr(part.term, what) + again
            return replace(part, term=replace(part.term, **{what: number}))

        monkeypatch.setattr(publishing, "_of_run", wrongly)
        with pytest.raises(CountsDisagree, match=f"{what} is"):
            rk.publish([runs[2]], tmp_path / "bundle", statement=STATEMENT)

    def test_a_recount_that_is_not_finished_or_elsewhere_is_left_out(
        self, runs: dict[int, Path], tmp_path: Path
    ) -> None:
        run = shutil.copytree(runs[2], tmp_path / "run")
        again = run / "recount-cover-memo"
        shutil.copytree(again, tmp_path / "elsewhere")
        with closing(RunDirectory.open(again)) as opened:
            opened.index.drop([0])
        one = rk.publish([run], tmp_path / "one", statement=STATEMENT)
        shutil.rmtree(again)
        again.symlink_to(tmp_path / "elsewhere")
        other = rk.publish([run], tmp_path / "other", statement=STATEMENT)
        assert [[way.by for way in it.terms[0].ways] for it in (one, other)] == [["cover-frontier"]] * 2

    def test_a_run_of_another_puzzle_is_no_recount(self, runs: dict[int, Path], tmp_path: Path) -> None:
        run = shutil.copytree(runs[2], tmp_path / "run")
        rk.run(rk.queens(5), run / "recount-queens-cover", count_only=True, workers=1)
        with pytest.raises(BadRun, match="recount-queens-cover is not a recount of"):
            rk.publish([run], tmp_path / "bundle", statement=STATEMENT)

    def test_an_unfinished_run_is_refused(self, tmp_path: Path) -> None:
        rk.run(rk.queens(6), tmp_path / "run")
        with closing(RunDirectory.open(tmp_path / "run")) as run:
            run.index.drop([0])
        with pytest.raises(BadRun, match="not finished"):
            rk.publish([tmp_path / "run"], tmp_path / "bundle", statement=STATEMENT)

    def test_a_run_with_a_failed_check_is_refused(self, tmp_path: Path) -> None:
        rk.run(rk.queens(6), tmp_path / "run", workers=1)
        with closing(RunDirectory.open(tmp_path / "run")) as run:
            record = next(record for record in run.index.finished() if record.digest)
            run.index.drop([record.shard])
            run.index.commit([record._replace(digest=Digest(1, 1))], 1.0)
        assert not rk.Run(tmp_path / "run").recount(fraction=1.0).agrees
        with pytest.raises(CountsDisagree, match=r"shards recounted: FAILED, .* shards that differ: 0"):
            rk.publish([tmp_path / "run"], tmp_path / "bundle", statement=STATEMENT)
        assert not (tmp_path / "bundle").exists()

    def test_a_certificate_that_proves_nothing_is_refused(
        self, runs: dict[int, Path], tmp_path: Path
    ) -> None:
        certificate = shutil.copytree(runs[3].parent / "certificate-3", tmp_path / "certificate")
        (certificate / "diagram.nnf").write_bytes(b"nnf 0 0 0\n")
        with pytest.raises(BadInput, match=r"files: diagram\.nnf was changed"):
            rk.publish([runs[3], certificate], tmp_path / "bundle", statement=STATEMENT)

    def test_the_largest_certificate_that_fits_is_put_in(
        self, runs: dict[int, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        small, large = tmp_path / "small", runs[3].parent / "certificate-3"
        rk.certify_count(rk.puzzle_from_file(runs[3].parent / "mixed.toml", 2), small)
        n_bytes = {folder: sum(file.stat().st_size for file in folder.iterdir()) for folder in (small, large)}
        assert n_bytes[small] < n_bytes[large]
        for limit, kept in (n_bytes[large], large), (n_bytes[large] - 1, small), (n_bytes[small] - 1, None):
            monkeypatch.setattr(publishing, "MOST_CERTIFICATE_BYTES", limit)
            rk.publish([runs[2], small, large], tmp_path / str(limit), statement=STATEMENT)
            facts = tmp_path / str(limit) / "certificate" / CERTIFICATE_FACTS
            assert facts.exists() is (kept is not None)
            assert kept is None or facts.read_bytes() == (kept / CERTIFICATE_FACTS).read_bytes()

    def test_a_bundle_that_its_check_would_refuse_is_not_written(
        self, runs: dict[int, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Its check reads at most so many bytes of all files, and the hashes are one of them."""
        rk.publish([runs[2]], tmp_path / "bundle", statement=STATEMENT)
        n_bytes = sum(file.stat().st_size for file in (tmp_path / "bundle").iterdir())
        monkeypatch.setattr(publishing, "MOST_BYTES", n_bytes - 1)
        with pytest.raises(BadInput, match=f"the bundle would have {n_bytes:,} bytes"):
            rk.publish([runs[2]], tmp_path / "other", statement=STATEMENT)
        assert not (tmp_path / "other").exists()

    def test_a_total_that_a_list_does_not_reach_is_no_bundle(
        self, runs: dict[int, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(publishing, "solve", lambda puzzle: islice(rk.solve(puzzle), 1))
        with pytest.raises(CountsDisagree, match="said to have 5 solutions, and fewer are found"):
            rk.publish([runs[2]], tmp_path / "bundle", statement=STATEMENT)

    def test_symmetric_solutions_that_two_engines_count_differently_are_no_bundle(
        self, runs: dict[int, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """An engine that cannot count them is no second way."""
        alone = shutil.copytree(runs[3], tmp_path / "run", ignore=shutil.ignore_patterns("recount-*"))
        folders = [alone, runs[3].parent / "certificate-3"]
        for number in (0, 10**6):
            monkeypatch.setattr(publishing, "symmetric_solutions", lambda *_, number=number: number)
            with pytest.raises(CountsDisagree, match=rf"count .* and {number} symmetric solutions"):
                rk.publish(folders, tmp_path / "b", statement=STATEMENT)
        monkeypatch.setattr(publishing, "symmetric_solutions", lambda *_: None)
        assert [term.fixed_by for term in rk.publish(folders, tmp_path / "b", statement=STATEMENT).terms] == [
            ()
        ]

    def test_a_file_of_the_certificate_that_cannot_be_read_is_named(
        self, runs: dict[int, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Not the bundle, which is being written."""
        unread = runs[2].parent / "certificate-3" / "diagram.nnf"
        read_bytes = Path.read_bytes

        def failing(path: Path) -> bytes:
            if path == unread:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return read_bytes(path)

        monkeypatch.setattr(Path, "read_bytes", failing)
        with pytest.raises(OSError, match="Input/output error") as caught:
            rk.publish([runs[3], unread.parent], tmp_path / "bundle", statement=STATEMENT)
        assert caught.value.filename == str(unread)
        assert list(tmp_path.iterdir()) == []
