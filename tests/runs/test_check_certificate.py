"""Certificates looked at by somebody else: every changed line is found, and a hostile folder does no harm."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.export.puzzle_files import write_puzzle
from rekkyo.model.exact_cover import ExactCover
from rekkyo.runs import check_certificate as module
from rekkyo.runs import inspection
from rekkyo.runs.certificate import FACTS, PARTS, SUMS, sums_text
from rekkyo.safe_files import open_file
from tests.programs import rekkyo

WHAT = ["files", "puzzle", "solutions.txt", "formula.cnf", "symmetry", "blocked.cnf", "proof", "numbers"]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("original") / "cert"
    rk.certify(rk.puzzle("queens 6"), folder)
    return folder


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    return shutil.copytree(original, tmp_path / "cert")


@pytest.fixture(autouse=True)
def _no_foreign_checkers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")


def failed(folder: Path) -> list[str]:
    """What is wrong, in the words of the checks; also if it is said that there is no certificate at all."""
    try:
        return [check.what for check in rk.check_certificate(folder).checks if check.passed is False]
    except BadInput as problem:
        assert "\n" not in str(problem)
        return [str(problem)]


def seal_anew(folder: Path) -> None:
    """Make all hashes fit, as somebody would who has changed a file on purpose."""
    facts = json.loads((folder / FACTS).read_text())
    facts.pop("seal", None)
    facts["files"] = {name: sha256(folder / name) for name in sorted(facts["files"])}
    facts["seal"] = hashlib.sha256(json.dumps(facts, indent=2).encode() + b"\n").hexdigest()
    (folder / FACTS).write_text(json.dumps(facts, indent=2) + "\n", newline="\n")
    (folder / SUMS).write_bytes(sums_text({name: sha256(folder / name) for name in (*facts["files"], FACTS)}))


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def with_a_digit_changed(line: bytes) -> Iterator[bytes]:
    digits = [place for place, letter in enumerate(line) if letter in b"0123456789"]
    for place in digits[:1] + digits[-2:]:
        yield line[:place] + (b"1" if line[place] != ord("1") else b"2") + line[place + 1 :]


def changed(lines: list[bytes]) -> Iterator[tuple[str, list[bytes]]]:
    """A line deleted, there twice, changed or added: at the beginning, in the middle, at the end."""
    for at in sorted({0, 1, len(lines) // 3, len(lines) // 2, len(lines) - 2, len(lines) - 1}):
        before, line, after = lines[:at], lines[at], lines[at + 1 :]
        yield f"line {at} deleted", before + after
        yield f"line {at} twice", [*before, line, line, *after]
        for other in with_a_digit_changed(line):
            yield f"line {at} changed", [*before, other, *after]
        for more in (b"\n", b"1 0\n", b"d 1 0\n", b"0\n", b"c\n"):
            yield f"{more!r} added before line {at}", [*before, more, line, *after]
    yield "an empty line at the end", [*lines, b"\n"]
    yield "no end of line", [*lines[:-1], lines[-1].rstrip(b"\n")]


class TestPassing:
    def test_all_that_is_checked(self, folder: Path) -> None:
        result = rk.check_certificate(folder)
        assert [check.what for check in result.checks[:8]] == WHAT
        assert result.passed
        assert all(check.passed for check in result.checks[:8])
        assert [check.detail for check in result.checks[8:]] == ["not installed"] * 3
        assert (result.puzzle, result.total) == ("queens 6", 4)

    def test_one_solution_is_said_to_be_one(self, tmp_path: Path) -> None:
        rk.certify(rk.queens(1), tmp_path / "one")
        details = [check.detail for check in rk.check_certificate(tmp_path / "one").checks]
        assert "1 solution, all valid, all different" in details

    def test_the_only_best_solution(self, tmp_path: Path) -> None:
        """The formula is that of the best value, which the first row tells."""
        puzzle = rk.graph(named="path 3").independent_sets(maximum=True)
        assert rk.certify(puzzle, tmp_path / "best").total == 1
        assert rk.check_certificate(tmp_path / "best", puzzle=puzzle).passed

    @pytest.mark.parametrize("command", [("certify", "--check"), ("verify",)])
    def test_the_command(self, command: tuple[str, ...], folder: Path) -> None:
        done = rekkyo(*command, folder)
        assert (done.returncode, done.stderr) == (0, "")
        lines = done.stdout.splitlines()
        assert "+ solutions.txt: 4 solutions, all valid, all different" in lines
        assert any(line.startswith("+ proof: ") and "rekkyo's own LRAT checker" in line for line in lines)
        assert "  proof by cake_lpr: not installed" in lines
        assert lines[-1] == "queens 6: exactly 4 solutions, as certified"
        facts = json.loads(rekkyo(*command, folder, "--json").stdout)
        assert facts["passed"] is True
        assert facts["checks"][0]["what"] == "files"

    def test_exit_codes(self, folder: Path, tmp_path: Path) -> None:
        (folder / "solutions.txt").write_text("", newline="\n")
        done = rekkyo("certify", "--check", folder)
        assert done.returncode == 1
        assert "! files: SHA256SUMS does not fit" not in done.stdout
        assert "! files: solutions.txt was changed" in done.stdout
        assert done.stdout.splitlines()[-1] == "queens 6: NOT as certified"
        done = rekkyo("certify", "--check", tmp_path)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert "holds no certificate: certificate.json: No such file" in done.stderr

    @pytest.mark.parametrize(
        "words", ["queens 3", "langford 4", "hip 4", "dominoes 2 3", "queens 5 --blocked 0,0"]
    )
    def test_other_puzzles(self, words: str, tmp_path: Path) -> None:
        rk.certify(rk.puzzle(words), tmp_path / "cert")
        assert rk.check_certificate(tmp_path / "cert").passed

    def test_a_puzzle_from_a_file_is_in_the_certificate(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.xcc"
        path.write_text(write_puzzle(rk.puzzle("dominoes 2 4")), newline="\n")
        rk.certify(rk.puzzle_from_file(path), tmp_path / "cert")
        path.unlink()
        result = rk.check_certificate(tmp_path / "cert")
        assert result.passed
        assert (tmp_path / "cert" / "puzzle.xcc").is_file()
        (tmp_path / "cert" / "puzzle.xcc").write_text("| other\na b\na b\n", newline="\n")
        seal_anew(tmp_path / "cert")
        assert failed(tmp_path / "cert") == ["solutions.txt"]

    def test_a_puzzle_built_in_python_must_be_given_again(self, tmp_path: Path) -> None:
        mine = rk.Puzzle("mine", rk.puzzle("hip 4").model, "my own")
        rk.certify(mine, tmp_path / "cert")
        with pytest.raises(BadInput, match=r"built in Python; check it there with: .*puzzle=\.\.\."):
            rk.check_certificate(tmp_path / "cert")
        assert rk.check_certificate(tmp_path / "cert", puzzle=mine).passed
        other = rk.Puzzle("mine", rk.puzzle("hip 5").model, "my own")
        assert not rk.check_certificate(tmp_path / "cert", puzzle=other).passed


class TestEveryChange:
    @pytest.mark.parametrize("name", [*PARTS, FACTS, SUMS])
    def test_is_found(self, name: str, folder: Path) -> None:
        original = (folder / name).read_bytes()
        for what, lines in changed(original.splitlines(keepends=True)):
            if b"".join(lines) != original:
                (folder / name).write_bytes(b"".join(lines))
                assert failed(folder), what

    @pytest.mark.parametrize("name", sorted({*PARTS} - {"README.txt"}))
    def test_is_found_even_if_all_hashes_fit(self, name: str, folder: Path) -> None:
        original = (folder / name).read_bytes()
        for what, lines in changed(original.splitlines(keepends=True)):
            if b"".join(lines) != original:
                (folder / name).write_bytes(b"".join(lines))
                seal_anew(folder)
                assert failed(folder) not in ([], ["files"]), what

    @pytest.mark.parametrize(
        "name", ["total", "n_variables", "n_clauses", "n_steps", "proof_bytes", "lrat_bytes"]
    )
    def test_of_a_number_is_found_even_if_all_hashes_fit(self, name: str, folder: Path) -> None:
        facts = json.loads((folder / FACTS).read_text())
        facts[name] += 1
        (folder / FACTS).write_text(json.dumps(facts), newline="\n")
        seal_anew(folder)
        assert failed(folder) == ["numbers"]

    def test_a_solution_less_everywhere_leaves_the_proof_wrong(self, folder: Path) -> None:
        """A whole orbit can be left out of all the other files, and only the proof tells."""
        rows = (folder / "solutions.txt").read_bytes().splitlines(keepends=True)
        (folder / "solutions.txt").write_bytes(b"".join(rows[1:]))
        seal_anew(folder)
        assert failed(folder) == ["symmetry"]
        (folder / "solutions.txt").write_bytes(b"")
        formula = (folder / "formula.cnf").read_bytes()
        (folder / "blocked.cnf").write_bytes(formula)
        seal_anew(folder)
        assert failed(folder) == ["proof"]

    def test_a_solution_that_is_there_twice_is_not_counted_twice(self, folder: Path) -> None:
        """The proof holds for any list that has all solutions, so it does not tell."""
        rows = (folder / "solutions.txt").read_bytes().splitlines(keepends=True)
        (folder / "solutions.txt").write_bytes(b"".join([*rows, rows[0]]))
        seal_anew(folder)
        (wrong,) = (check for check in rk.check_certificate(folder).checks if check.passed is False)
        assert (wrong.what, wrong.detail) == ("solutions.txt", "a solution appears twice")

    def test_a_solution_that_is_not_the_best(self, tmp_path: Path) -> None:
        puzzle, folder = rk.graph(named="path 4").independent_sets(maximum=True), tmp_path / "certificate"
        assert rk.certify(puzzle, folder).total == 3
        rows = (folder / "solutions.txt").read_bytes()
        (folder / "solutions.txt").write_bytes(rows + rows.splitlines(keepends=True)[-1].replace(b"1", b"0"))
        seal_anew(folder)
        checks = rk.check_certificate(folder, puzzle=puzzle).checks
        (wrong,) = (check for check in checks if check.passed is False)
        assert wrong.what == "solutions.txt"
        assert "does not hold for the best value 2" in wrong.detail

    def test_a_proof_that_ends_before_it_has_proved_anything(self, folder: Path) -> None:
        for name, n_lines in (("proof.lrat", 2), ("proof.drat", 1)):
            lines = (folder / name).read_bytes().splitlines(keepends=True)
            (folder / name).write_bytes(b"".join(lines[:n_lines]))
        seal_anew(folder)
        assert failed(folder) == ["proof"]

    def test_a_certificate_of_another_puzzle_than_the_given_one(self, folder: Path) -> None:
        checks = rk.check_certificate(folder, puzzle=rk.queens(8, blocked=[(0, 0)])).checks
        (wrong,) = (check for check in checks if check.passed is False)
        assert wrong.what == "puzzle"
        assert wrong.detail.endswith("is another puzzle than the one that was given")

    @pytest.mark.parametrize("name", sorted(PARTS))
    def test_a_file_that_is_missing(self, name: str, folder: Path) -> None:
        (folder / name).unlink()
        check = rk.check_certificate(folder).checks[0]
        assert check.detail.startswith(f"{name}: No such file")

    def test_a_file_that_does_not_belong_there(self, folder: Path) -> None:
        (folder / "proof.drat.bak").write_text("", newline="\n")
        check = rk.check_certificate(folder).checks[0]
        assert (check.passed, check.detail) == (False, "proof.drat.bak does not belong there")


class TestHostileFolders:
    @pytest.mark.parametrize("name", [*PARTS, FACTS, SUMS])
    def test_links_are_not_followed(self, name: str, folder: Path, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        (folder / name).rename(outside)
        (folder / name).symlink_to(outside)
        assert any("files" in problem or "is a link" in problem for problem in failed(folder))

    @pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
    @pytest.mark.parametrize("name", ["formula.cnf", FACTS])
    def test_only_files_are_opened(self, name: str, make: Callable[[Path], None], folder: Path) -> None:
        (folder / name).unlink()
        make(folder / name)
        assert failed(folder) != []

    @pytest.mark.parametrize(
        "content",
        [
            *(b"", b"\xff\xfe", b"[" * 100_000, b"{", b"1" * 10_000, b" " * (2 << 20), b"[]", b"null", b"{}"),
            *(b'{"format": true}', b'{"format": 1}', b'{"format": 1, "source": 3, "files": {}}'),
        ],
    )
    def test_facts_that_are_none(self, content: bytes, folder: Path) -> None:
        (folder / FACTS).write_bytes(content)
        with pytest.raises(BadInput, match=r"^[^\n]*holds no certificate: [^\n]*$"):
            rk.check_certificate(folder)

    @pytest.mark.parametrize("value", ["x", None, True, [], float("nan"), 1.5, 10**400])
    @pytest.mark.parametrize("name", ["total", "puzzle", "prove_s"])
    def test_values_of_the_wrong_kind(self, name: str, value: object, folder: Path) -> None:
        facts = json.loads((folder / FACTS).read_text())
        if type(value) is type(facts[name]) and value == value:  # noqa: PLR0124 - not a number
            return
        (folder / FACTS).write_text(json.dumps(facts | {name: value}), newline="\n")
        assert failed(folder) != []

    @pytest.mark.parametrize("name", sorted({*PARTS} - {"README.txt"}))
    @pytest.mark.parametrize(
        "content", [b"\xff\x00\n", b"9" * 100_000, b"p cnf 999999999 999999999\n", b"\n" * 1000]
    )
    def test_contents_that_are_none(self, name: str, content: bytes, folder: Path) -> None:
        (folder / name).write_bytes(content)
        seal_anew(folder)
        assert len(failed(folder)) == 1

    def test_files_that_are_too_large(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(inspection, "MOST_BYTES", 1000)
        assert "proof.lrat has more than 1,000 bytes" in rk.check_certificate(folder).checks[0].detail

    @pytest.mark.parametrize(
        "source",
        [
            {"kind": "catalog", "text": "mine.xcc"},
            {"kind": "catalog", "text": "./mine.xcc"},
            {"kind": "catalog", "text": "queens 5"},
            {"kind": "file", "text": "../mine.xcc"},
            {"kind": "file", "text": "mine.xcc"},
            {"kind": "file", "text": "puzzle.xcc"},
            {"kind": "pickle", "text": "queens 6"},
        ],
    )
    def test_the_puzzle_comes_from_nowhere_else(
        self, source: dict[str, str], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "mine.xcc").write_text(write_puzzle(rk.puzzle("dominoes 2 4")), newline="\n")
        monkeypatch.chdir(tmp_path)
        facts = json.loads((folder / FACTS).read_text()) | {"source": source}
        facts["puzzle"] = source["text"] if "mine" in source["text"] else facts["puzzle"]
        (folder / FACTS).write_text(json.dumps(facts), newline="\n")
        seal_anew(folder)
        assert "puzzle" in failed(folder)

    def test_a_name_of_the_catalog_stands_for_no_other_puzzle(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.xcc"
        path.write_text(write_puzzle(rk.puzzle("dominoes 2 2")), newline="\n")
        for certify in (rk.certify, rk.certify_count):
            folder = tmp_path / certify.__name__
            certify(rk.puzzle_from_file(path), folder)
            facts = json.loads((folder / FACTS).read_text()) | {"puzzle": "queens 8"}
            (folder / FACTS).write_text(json.dumps(facts), newline="\n")
            for file in folder.iterdir():
                file.write_text(file.read_text().replace(str(path), "queens 8"), newline="\n")
            seal_anew(folder)
            assert failed(folder) == ["puzzle"]

    def test_a_title_that_would_play_tricks_on_a_terminal(self, folder: Path) -> None:
        facts = json.loads((folder / FACTS).read_text()) | {"puzzle": "\x1b[2J\nqueens"}
        facts["source"]["text"] = facts["puzzle"]
        (folder / FACTS).write_text(json.dumps(facts), newline="\n")
        seal_anew(folder)
        done = rekkyo("certify", "--check", folder)
        assert done.returncode == 1
        assert "\x1b" not in done.stdout + done.stderr
        assert done.stdout.splitlines()[-1] == r"\x1b[2J\nqueens: NOT as certified"

    def test_nothing_is_changed_and_a_folder_that_cannot_be_written_is_enough(self, folder: Path) -> None:
        def state() -> dict[str, tuple[bytes, int, int]]:
            found = {
                path.name: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_mode)
                for path in folder.iterdir()
            }
            return found | {".": (b"", folder.stat().st_mtime_ns, folder.stat().st_mode)}

        folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
        before = state()
        assert rk.check_certificate(folder).passed
        assert state() == before

    @pytest.mark.parametrize("name", ["a\0b", "nowhere", "\udcff"])
    def test_names_of_folders(self, name: str) -> None:
        with pytest.raises(BadInput, match=r"holds no certificate|names no file"):
            rk.check_certificate(name)

    def test_the_current_folder_is_named_by_a_point(self) -> None:
        for check in (rk.check_certificate, rk.check_bundle):
            with pytest.raises(BadInput, match=r"^\. holds no"):
                check(".")

    @pytest.mark.parametrize("limit_s", [0.0, -1.0, float("inf"), float("nan")])
    def test_limits_that_are_none(self, limit_s: float, folder: Path) -> None:
        with pytest.raises(BadInput, match="a finite number of seconds above 0"):
            rk.check_certificate(folder, limit_s=limit_s)


class TestForeignCheckers:
    def install(self, place: Path, says: str, *, then: str = "") -> None:
        place.mkdir(exist_ok=True)
        program = place / "drat-trim"
        arguments = "import sys; assert sys.argv[1:] == ['blocked.cnf', 'proof.drat']"
        text = f"#!{sys.executable}\n{arguments}; {then}\nprint({says!r})\n"
        program.write_text(text, newline="\n")
        program.chmod(0o755)

    def verdict(self, folder: Path, **more: float) -> module.Check:
        (check,) = (
            one for one in rk.check_certificate(folder, **more).checks if one.what == "proof by drat-trim"
        )
        return check

    def test_who_checked_it_is_said(
        self, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.install(tmp_path / "bin", "c all fine\ns VERIFIED")
        monkeypatch.setenv("PATH", str(tmp_path / "bin"))
        assert self.verdict(folder) == module.Check("proof by drat-trim", True, "proof.drat verified")
        assert self.verdict(folder, limit_s=1e300).passed
        self.install(tmp_path / "bin", "s NOT VERIFIED")
        assert self.verdict(folder).detail == "proof.drat is not verified: s NOT VERIFIED"

    def test_it_is_not_waited_for_longer_than_asked(
        self, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.install(
            tmp_path / "bin", "", then="sys.stdin.read(); import threading; threading.Event().wait()"
        )
        monkeypatch.setenv("PATH", str(tmp_path / "bin"))
        check = self.verdict(folder, limit_s=0.5)
        assert (check.passed, check.detail) == (None, "not finished within 0.5 s")

    def test_one_in_the_current_folder_is_not_executed(
        self, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.install(tmp_path, "s VERIFIED")
        self.install(folder.parent / "here", "s VERIFIED")
        monkeypatch.chdir(folder.parent / "here")
        monkeypatch.setenv("PATH", os.pathsep.join((".", "")))
        assert self.verdict(folder).detail == "not installed"


def test_files_are_opened_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"content")
    with open_file(path) as file:
        assert file.read() == b"content"
    (tmp_path / "link").symlink_to(path)
    os.mkfifo(tmp_path / "pipe")
    for other in (tmp_path / "link", tmp_path / "pipe", tmp_path):
        with pytest.raises(BadInput, match="is a link or not a file"):
            open_file(other)
    with pytest.raises(FileNotFoundError):
        open_file(tmp_path / "nothing")


def test_bounds_that_would_make_a_formula_huge_are_refused() -> None:
    options = tuple(((0, 0),) for _ in range(3000))
    cover = ExactCover(("a",), (), options, ((0, 2000),))
    with pytest.raises(BadInput, match="sums to count is too large"):
        rk.certify(rk.Puzzle("huge", cover, "huge"), "never-made")


class Failing(io.BytesIO):
    """A file on a disk that fails."""

    def read(self, size: int | None = -1) -> bytes:
        raise OSError(errno.EIO, os.strerror(errno.EIO))


@pytest.mark.parametrize("name", [FACTS, "README.txt", "proof.lrat"])
def test_a_certificate_on_a_disk_that_fails_is_not_called_wrong(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(path: Path) -> IO[bytes]:
        return Failing() if path == folder / name else open_file(path)

    for each in (module, inspection):
        monkeypatch.setattr(each, "open_file", opened)
    with pytest.raises(OSError, match="Input/output error") as caught:
        rk.check_certificate(folder)
    assert caught.value.filename == str(folder / name)
