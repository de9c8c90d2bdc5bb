"""`rekkyo draw`, `rekkyo export`, `rekkyo bfile`, `rekkyo gallery`: files, streams, and one line for what cannot be done."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import rekkyo as rk
from tests.programs import rekkyo

EXAMPLES = Path(__file__).parents[2] / "examples"

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("runs") / "q6"
    rk.run(rk.queens(6), folder)
    return str(folder)


class TestDraw:
    def test_a_solution_of_a_puzzle_and_of_a_run(self, run: str) -> None:
        expected = rk.svg(rk.queens(6), (2, 5, 1, 4, 0, 3))
        assert rekkyo("draw", "queens", "6", "--solution", "1").stdout == expected
        assert rekkyo("draw", run, "--solution", "1").stdout == expected

    def test_the_puzzle_itself(self) -> None:
        assert rekkyo("draw", "soma").stdout == rk.svg(rk.puzzle("soma"))

    def test_a_sheet(self, run: str, tmp_path: Path) -> None:
        done = rekkyo("draw", run, "--sheet", "3x1", "-o", str(tmp_path / "sheet.svg"))
        assert (done.returncode, done.stdout) == (0, "")
        root = ElementTree.parse(tmp_path / "sheet.svg").getroot()
        assert len(root.findall(f"{SVG}g")) == 3

    def test_png(self, tmp_path: Path) -> None:
        done = rekkyo(
            "draw", "queens", "6", "--solution", "0", "-o", str(tmp_path / "q.png"), "--width", "90"
        )
        assert done.returncode == 0
        assert (tmp_path / "q.png").read_bytes()[16:20] == (90).to_bytes(4, "big")

    def test_search_and_ladder(self, tmp_path: Path) -> None:
        for what, words in (("search", ["queens", "5"]), ("ladder", ["queens", "4"])):
            done = rekkyo("draw", *words, f"--{what}", "-o", str(tmp_path / f"{what}.svg"))
            assert done.returncode == 0, done.stderr
            assert "rute" in (tmp_path / f"{what}.svg").read_text()

    def test_the_search_of_one_variable_has_no_tree(self, tmp_path: Path) -> None:
        path = tmp_path / "one.fzn"
        path.write_text("var 1..1: x :: output_var;\nsolve satisfy;\n")
        done = rekkyo("draw", str(path), "--search", ok=False)
        said = "no engine shows its tree, and no method walks through it"
        assert (done.returncode, done.stderr) == (2, f"rekkyo: {path}: {said}\n")

    @pytest.mark.skipif(sys.platform == "win32", reason="named pipes of POSIX")
    @pytest.mark.parametrize("suffix", ["svg", "png", "pdf", "html"])
    def test_into_a_pipe(self, suffix: str, tmp_path: Path) -> None:
        pipe = tmp_path / f"pipe.{suffix}"
        os.mkfifo(pipe)
        how = {"html": ["--animate"], "pdf": ["--print"]}.get(suffix, [])
        contents: list[bytes] = []
        reader = threading.Thread(target=lambda: contents.append(pipe.read_bytes()), daemon=True)
        reader.start()
        done = rekkyo("draw", "queens", "4", *how, "-o", str(pipe), ok=True)
        reader.join()
        assert pipe.is_fifo()
        assert contents[0].startswith({"png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!"}.get(suffix, b"<svg"))
        assert done.stderr.startswith(f"wrote {pipe}")

    def test_files_of_a_run_are_refused_before_the_search(self, run: str) -> None:
        """A search of this board would take hours."""
        done = rekkyo("draw", "queens", "27", "--sheet", "64x64", "-o", f"{run}/sheet.svg")
        assert done.returncode == 2
        assert "would be among the files of a run; name a file in another folder" in done.stderr
        assert done.stderr.count("\n") == 1

    @pytest.mark.parametrize(
        ("words", "complaint"),
        [
            (["queens", "6", "--solution", "4"], "has no solution 4; they are numbered from 0"),
            (
                ["queens", "6", "--solution", "9" * 20],
                f"has no solution {'9' * 20}; they are numbered from 0",
            ),
            (["queens", "3", "--solution", "0"], "queens 3 has no solution at all"),
            (["queens", "6", "--solution", "-1"], "numbered from 0"),
            (["RUN", "--solution", "0", "--up-to", "none"], "leave out --up-to"),
            (["queens", "6", "--sheet", "0x4"], "ACROSSxDOWN"),
            (["queens", "6", "--sheet", "99x4"], "ACROSSxDOWN"),
            (["queens", "6", "-o", "x.gif"], "must end in .svg, .png or .pdf"),
            (["queens", "6", "--animate", "-o", "x.svg"], "must end in .html"),
            (["queens", "6", "--search", "--sheet", "2x2"], "draws no solution"),
            (["queens", "6", "--up-to", "symmetry"], "without --solution or --sheet draws no solution"),
            (
                ["queens", "6", "--search", "--up-to", "symmetry"],
                "--search draws no solution; leave out --up-to",
            ),
            (["queens", "6", "--search", "--ladder"], "--search and --ladder exclude each other"),
            (["queens", "6", "--animate", "--theme", "dark"], "leave out --theme"),
            (["queens", "6", "--print", "--theme", "dark", "-o", "x.pdf"], "leave out --theme"),
            (["queens", "6", "--theme", "blue"], "no theme"),
            # There is no such solution either, but that takes a search to find out.
            (["queens", "6", "--solution", "9", "--theme", "blue"], "no theme"),
            (["queens", "6", "--solution", "9", "--width", "0", "-o", "x.png"], "1 to 16384 pixels, not 0"),
            (["queens", "6", "--width", "20"], "--width is for PNG"),
            (["soma", "--ladder"], "with one size"),
            (["hip", "12", "--animate"], "a search to watch has at most 128 decisions"),
        ],
    )
    def test_what_cannot_be_drawn(self, run: str, words: list[str], complaint: str) -> None:
        done = rekkyo("draw", *(run if word == "RUN" else word for word in words))
        assert (done.returncode, done.stdout) == (2, "")
        assert complaint in done.stderr
        assert done.stderr.count("\n") == 1


class TestExport:
    def test_to_a_stream_and_to_a_file(self, run: str, tmp_path: Path) -> None:
        text = rekkyo("export", run, "--to", "csv").stdout
        assert text.splitlines()[-4:] == ["1,3,5,0,2,4", "2,5,1,4,0,3", "3,0,4,1,5,2", "4,2,0,5,3,1"]
        assert rekkyo("export", run, "--to", "npy", "-o", str(tmp_path / "q6.npy")).returncode == 0
        assert np.load(tmp_path / "q6.npy").shape == (4, 6)

    @pytest.mark.parametrize(
        ("name", "to"), [("q6.csv", "csv"), ("q6.v2.JSONL", "jsonl"), ("q6.cnf", "dimacs")]
    )
    def test_the_name_of_the_file_tells_the_format(
        self, name: str, to: str, run: str, tmp_path: Path
    ) -> None:
        assert rekkyo("export", run, "-o", str(tmp_path / name)).returncode == 0
        assert (tmp_path / name).read_text() == rekkyo("export", run, "--to", to).stdout

    @pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1"])
    def test_to_standard_output_by_its_name(self, name: str, run: str, tmp_path: Path) -> None:
        plain, named = (rekkyo("export", run, "--to", "csv", *more) for more in ([], ["-o", name]))
        assert (named.stdout, named.stderr) == (plain.stdout, plain.stderr)
        assert rekkyo("draw", "queens", "4", "-o", name).stdout == rekkyo("draw", "queens", "4").stdout
        assert "name a file with -o" in rekkyo("export", run, "--to", "npy", "-o", name).stderr

    def test_a_file_whose_name_is_a_hyphen(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        assert rekkyo("export", "queens", "4", "--to", "csv", "-o", "./-").stdout == ""
        assert Path("-").read_text(encoding="utf-8").endswith("\n1,3,0,2\n2,0,3,1\n")

    def test_what_cannot_be_exported(self, run: str) -> None:
        for words, complaint in (
            ([run, "--to", "xml"], "unknown format"),
            ([run, "--to", "parquet"], "name a file with -o"),
            ([run], "--to is missing; add --to FORMAT: csv, jsonl"),
            ([run, "-o", "q6.txt"], '".txt" names no format; add --to FORMAT: csv, jsonl'),
            ([run, "-o", "csv"], "--to is missing"),
            ([run, "--to", "csv", "-o", ""], "the name of a file or folder is empty"),
            ([run, "--to", "csv", "-o", "."], "'.' names no file to write; name one"),
            ([str(EXAMPLES / "bishops.toml"), "4", "--to", "dimacs"], "needs the best value"),
            (["queens", "4", "--to", "xcc", "--up-to", "symmetry"], "leave out up to"),
            ([run, "--to", "csv", "--up-to", "symmetry"], "leave out --up-to"),
        ):
            done = rekkyo("export", *words)
            assert done.returncode == 2
            assert complaint in done.stderr
            assert done.stderr.count("\n") == 1

    def test_bfile(self) -> None:
        lines = rekkyo("bfile", "queens", "4..7").stdout.splitlines()
        assert lines[-4:] == ["4 2", "5 10", "6 4", "7 40"]


class TestGallery:
    @pytest.mark.parametrize(
        ("words", "complaint"),
        [
            (["queens", "14"], "keep them first"),
            (["queens", "4", "--host", "no.such.host.invalid", "--port", "0"], "cannot listen on"),
            (["queens", "4", "--host", "", "--port", "0"], "the name of the host is empty"),
            (["queens", "4", "--port", "70000"], "70000"),
            (["queens", "4", "--static", "site", "--open"], "leave out --open"),
            (["queens", "4", "--static", "site", "--host", "localhost"], "leave out --host"),
            (["queens", "4", "--static", "site", "--port", "80"], "leave out --port"),
            (["nowhere"], "nowhere"),
        ],
    )
    def test_what_cannot_be_shown(self, words: list[str], complaint: str) -> None:
        done = rekkyo("gallery", *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert complaint in done.stderr
        assert done.stderr.count("\n") == 1
