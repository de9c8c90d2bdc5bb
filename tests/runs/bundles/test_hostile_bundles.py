"""Bundles made to do harm: `check_bundle` follows no link, waits for no pipe, and says in one line what is wrong."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from errno import EIO
from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.runs import check_bundle
from rekkyo.runs.bundle import FACTS, MOST_BYTES, SUMS
from tests.runs.bundles.changing import said, seal_anew, wrong


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

    def test_a_disk_that_fails_is_not_the_bundle(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def failing(_: Path) -> list[str]:
            raise OSError(EIO, os.strerror(EIO))

        monkeypatch.setattr(check_bundle, "_names_in", failing)
        with pytest.raises(OSError, match=str(folder)) as caught:
            rk.check_bundle(folder)
        assert caught.value.errno == EIO
