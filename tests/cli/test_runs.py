"""`run`, `resume`, `status` and `recount` as a person sees them."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from rekkyo.cli.main import rekkyo as commands
from rekkyo.cli.progress import Interrupted
from rekkyo.runs.run import Run
from rekkyo.store.manifest import seal_of
from tests.runs.runs_as_programs import rekkyo

DIGEST = "c9b100812deb5a148a7495f8295fec3c"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "q8"
    code, output, complaint = rekkyo("run", "queens", "8", "--out", folder)
    assert (code, output) == (0, f"total 92, unique 12, digest {DIGEST}\n")
    assert complaint.startswith("queens 8: queens-bitmap, 2,056 nodes, 344 shards in ")
    assert complaint.endswith(f"92 rows kept; rekkyo status {folder} shows what was checked\n")
    return folder


def test_one_command_line_begins_and_goes_on(folder: Path) -> None:
    for words in (("run", "queens", "8", "--out", folder), ("resume", folder)):
        assert rekkyo(*words)[:2] == (0, f"total 92, unique 12, digest {DIGEST}\n")


def test_status_in_words(folder: Path) -> None:
    code, output, complaint = rekkyo("status", folder)
    lines = output.splitlines()
    assert (code, complaint) == (0, "")
    assert lines[0].startswith("queens 8: finished, 344 of 344 shards, ")
    assert lines[1] == f"total 92, unique 12, digest {DIGEST}"
    checks = [line[2:].split(":")[0] for line in lines[2:]]
    wanted = [
        "every row valid",
        "rows distinct",
        "orbits closed",
        "orbit identity",
        "shards recounted",
        "certificate",
    ]
    assert checks == [*wanted, "published count"]
    assert all("; cannot see " in line for line in lines[2:])
    assert "a whole missing orbit: only a recount or a certificate finds it" in output


def test_json_is_one_object_with_at_least_these_keys(folder: Path) -> None:
    for words in (("status", folder), ("resume", folder), ("run", "queens", "8", "--out", folder)):
        facts = json.loads(rekkyo(*words, "--json")[1])
        assert facts["total"] == 92
        assert facts["unique"] == 12
        assert facts["digest"] == DIGEST
        assert facts["shards"] == facts["shards_done"] == 344
        assert facts["state"] == "finished"
        assert facts["elapsed_s"] > 0
    facts = json.loads(rekkyo("recount", folder, "--fraction", "0.05", "--json")[1])
    assert (facts["agrees"], facts["engines"], facts["shards"]) == (True, ["queens-cover"], 17)


def test_recount_in_words(folder: Path) -> None:
    code, output, complaint = rekkyo("recount", folder, "--fraction", "0.05", "--seed", "4")
    assert (code, output) == (0, "recounted 17 of 344 shards by queens-cover: the same\n")
    assert complaint == "17 by queens-cover, as models of their own\n"


def test_a_directory_that_cannot_be_written(folder: Path, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        code, _, complaint = rekkyo("run", "queens", "6", "--out", "/proc/nowhere/run")
    else:
        tmp_path.chmod(0o500)
        code, _, complaint = rekkyo("run", "queens", "6", "--out", tmp_path / "run")
    assert code == 2
    assert "cannot be made" in complaint


@pytest.mark.parametrize(
    "words",
    [
        ("run", "queens", "6", "--out", ""),
        ("resume", ""),
        ("status", ""),
        ("certify", "--check", ""),
        ("export", "queens", "4", "--to", "csv", "--out", ""),
        ("publish", "", "--out", "new", "--statement", "One."),
        ("design", ""),
    ],
)
def test_a_file_or_folder_without_a_name_is_refused(words: tuple[str, ...]) -> None:
    code, output, complaint = rekkyo(*words)
    assert (code, output) == (2, "")
    assert complaint.startswith(
        "rekkyo: the name of a file or folder is empty; name one, or . for the folder"
    )


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("run queens 8", "run: --out is missing; add --out D (The directory of the run"),
        ("run quens 8 --out {new}", 'unknown puzzle "quens"; did you mean "queens"?'),
        (
            "run queens 8 --out {new} --engine queens-join",
            "engine queens-join counts without listing; to list",
        ),
        ("run queens 8 --out {new} --shards 0", "the number of shards must be 1 to 10000000, not 0"),
        ("run queens 8 --out {new} --workers 0", "the number of workers must be 1 to 1024, not 0"),
        ("run queens 8 --out {new} --up-to mirrors", 'up to "mirrors" is not known for queens 8'),
        ("run queens 8 --out {new} --shads 9", 'no option "--shads"; did you mean "--shards"?'),
        (
            "run queens 9 --out {run}",
            "{run} holds another run (puzzle: queens 8, not queens 9); go on with that one",
        ),
        ("resume {new}", "{new} holds no run: there is no manifest.json; begin one with: rekkyo run"),
        ("status {new}", "{new} holds no run"),
        ("recount {new}", "{new} holds no run"),
        ("recount {run} --fraction 2", "the fraction must be more than 0 and at most 1, not 2.0"),
        ("recount {run} --engine nope", 'unknown engine "nope"'),
        (
            "verify {new}",
            "{new} is not there; a run is a folder, and the name of a puzzle file ends in one of",
        ),
        (
            "verify {run}/..",
            "{run}/.. holds no run: there is no manifest.json; the name of a puzzle file",
        ),
        (
            "verify {run}/manifest.json",
            "{run}/manifest.json is not a puzzle file; a run is a folder, and the name of a puzzle file ends in one of",
        ),
        ("verify {run} --from -", "{run} is a run, whose rows are stored; leave out --from, which is for"),
        (
            "verify {run} --limit-seconds 9",
            "{run} is a run; leave out --limit-seconds, which is for the terms",
        ),
        (
            "verify queens 8 --limit-seconds 9",
            "queens 8 is a puzzle; leave out --limit-seconds, which is for",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    folder: Path, tmp_path: Path, words: str, complaint: str
) -> None:
    places = {"run": str(folder), "new": str(tmp_path / "new")}
    code, output, said = rekkyo(*(word.format(**places) for word in words.split()))
    assert (code, output) == (2, "")
    assert said.startswith(f"rekkyo: {complaint.format(**places)}")
    assert said.count("\n") == 1
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("command", ["verify", "gallery", "count", "info"])
def test_a_folder_without_a_run_is_no_unknown_puzzle(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its name has no point and no slash, as names of puzzles; a puzzle of the catalog goes before a folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "queens").mkdir()
    complaint = (
        "rekkyo: mine holds no run: there is no manifest.json; the name of a puzzle file ends in one of"
    )
    code, _, said = rekkyo(command, "mine")
    assert (code, said.startswith(complaint)) == (2, True)
    assert rekkyo("count", "queens", "6")[0] == 0


@pytest.mark.parametrize("command", ["count", "solve", "orbits", "estimate", "info", "growth", "bfile"])
def test_a_command_for_puzzles_says_what_reads_a_run(command: str, folder: Path) -> None:
    code, _, said = rekkyo(command, folder)
    assert (code, said.count("\n")) == (2, 1)
    assert said.startswith(f"rekkyo: {folder} is a run, and a puzzle is expected; `rekkyo status`, `export`,")


def test_dask_recounts_the_whole_run(folder: Path) -> None:
    code, output, complaint = rekkyo("recount", folder, "--fraction", "0.5", "--dask", "local")
    assert (code, output) == (2, "")
    assert complaint == "rekkyo: --dask recounts the whole run; leave out either --dask or --fraction\n"


def test_a_seed_chooses_a_part(folder: Path) -> None:
    code, output, complaint = rekkyo("recount", folder, "--seed", "5")
    assert (code, output) == (2, "")
    assert (
        complaint
        == "rekkyo: without --fraction every shard is recounted; leave out --seed, which is for a part\n"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows quotes by double quotes")
def test_a_command_to_go_on_with_can_be_copied(tmp_path: Path) -> None:
    directory = tmp_path / "my run's"
    rekkyo("run", "queens", "5", "--out", directory)
    code, _, complaint = rekkyo("run", "queens", "6", "--out", directory)
    command = complaint.rpartition("go on with that one with: ")[2].partition("; or")[0]
    assert (code, shlex.split(command)) == (2, ["rekkyo", "resume", str(directory)])


# Golomb rulers of five marks have length 11, 2 and their mirror images: OEIS A003022, A036501
def test_the_optimum_of_the_rows(tmp_path: Path) -> None:
    ruler = Path(__file__).parents[2] / "examples" / "golomb-ruler.toml"
    folder = tmp_path / "run"
    said = rekkyo("run", ruler, "--out", folder)[1]
    assert said.startswith("total 4, unique 4, optimum 11, digest ")
    assert rekkyo("resume", folder)[1] == said
    assert rekkyo("status", folder)[1].splitlines()[1] == said.strip()
    assert json.loads(rekkyo("status", folder, "--json")[1])["optimum"] == 11
    assert rekkyo("orbits", ruler)[1].splitlines()[-1] == "total 4 = 4 x 1/1, unique 4, optimum 11"
    assert json.loads(rekkyo("orbits", ruler, "--json")[1])["optimum"] == 11
    facts = json.loads((folder / "manifest.json").read_text())
    del facts["seal"]
    for optimum, code in ((12, 1), (None, 0)):
        changed = facts | {"optimum": optimum}
        (folder / "manifest.json").write_text(json.dumps(changed | {"seal": seal_of(changed)}))
        assert rekkyo("resume", folder)[0] == code
    del facts["optimum"]  # as the runs of before
    (folder / "manifest.json").write_text(json.dumps(facts | {"seal": seal_of(facts)}))
    assert json.loads(rekkyo("status", folder, "--json")[1])["optimum"] is None


def test_without_known_symmetry_all_rows_are_kept(tmp_path: Path) -> None:
    folder, why = tmp_path / "run", "no symmetry of sum-free 4 is known"
    code, output, complaint = rekkyo("run", "sum-free", "4", "--up-to", "symmetry", "--out", folder)
    assert (code, output[:8]) == (0, "total 9,")
    assert complaint.startswith(f"sum-free 4: every solution is kept: {why}\n")
    facts = json.loads(rekkyo("status", folder, "--json")[1])
    assert (facts["up_to"], facts["total"], facts["rows_stored"]) == ("none", 9, 9)
    for up_to in ("symmetry", "none"):  # the same run
        assert rekkyo("run", "sum-free", "4", "--up-to", up_to, "--out", folder)[:2] == (0, output)
    code, output, complaint = rekkyo("solve", "sum-free", "4", "--up-to", "symmetry")
    assert (code, len(output.splitlines())) == (0, 9)
    assert complaint.endswith(f"sum-free 4: every solution is listed: {why}\n")


@pytest.mark.parametrize("is_begun", [True, False])
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "; {how}: rekkyo recount {folder}"),
        (("--engine", "queens-cover"), "; {how}: rekkyo recount {folder} --engine queens-cover"),
        (("--fraction", "0.1"), ""),
    ],
)
def test_an_interrupted_recount_says_how_to_go_on(
    options: tuple[str, ...],
    said: str,
    is_begun: bool,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It only told how many solutions were found. Before a recount has a directory, no shard is kept."""
    folder = copytree(folder, tmp_path / "q8", ignore=ignore_patterns("recount-*"))
    if is_begun:
        commands.main(["recount", str(folder), "--engine", "queens-cover"], standalone_mode=False)

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "recount", interrupted)
    with pytest.raises(Interrupted) as seen:
        commands.main(["recount", str(folder), *options], standalone_mode=False)
    before = "interrupted before the search began"
    how = "finished shards are safe; go on with" if is_begun else "begin again with"
    assert seen.value.format_message() == before + said.format(how=how, folder=folder)
