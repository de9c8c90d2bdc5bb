"""How puzzles are named on the command line."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from rekkyo.cli.main import rekkyo
from rekkyo.cli.options import puzzle_words
from rekkyo.errors import BadInput

TAKING_PUZZLES = [
    name
    for name, command in rekkyo.commands.items()
    if any("PUZZLE" in (parameter.metavar or "") for parameter in command.params)
]


def output(*words: str) -> str:
    return CliRunner().invoke(rekkyo, words, catch_exceptions=False, standalone_mode=False).stdout


def words_of(*words: str) -> tuple[str, ...]:
    seen: list[tuple[str, ...]] = []

    @click.command(context_settings={"ignore_unknown_options": True})
    @puzzle_words()
    def command(words: tuple[str, ...]) -> None:
        seen.append(words)

    command.main(list(words), standalone_mode=False)
    return seen[0]


@pytest.mark.parametrize("name", TAKING_PUZZLES)
def test_every_command_takes_words_in_one_quoted_argument(name: str) -> None:
    command = rekkyo.commands[name]
    context = click.Context(command, ignore_unknown_options=True, resilient_parsing=True)
    parameter = next(p for p in command.params if p.name == "words")
    assert parameter.process_value(context, ("queens 8", "--blocked", "0,0")) == (
        "queens",
        "8",
        "--blocked",
        "0,0",
    )


def test_those_are_all_commands_about_puzzles() -> None:
    assert set(TAKING_PUZZLES) >= {"info", "count", "solve", "run", "draw", "export", "bfile", "gallery"}


def test_quoted_words_are_the_same_puzzle() -> None:
    assert output("info", "queens 8 --blocked 0,0") == output("info", "queens", "8", "--blocked", "0,0")


@pytest.mark.parametrize("word", ["quens 8", "mine puzzle.toml", "./queens 8", "queens"])
def test_other_words_stay_as_they_are(word: str) -> None:
    assert words_of(word) == (word,)


def test_a_file_named_like_a_puzzle_stays_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("queens 8").touch()
    assert words_of("queens 8") == ("queens 8",)


@pytest.mark.parametrize("file", ["mine.toml", "../mine.toml", "./mine.xcc", "mine.mzn"])
def test_a_file_of_one_puzzle_has_no_sizes_for_a_b_file(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path / "folder")
    Path(file).write_text('kind = "queens"\nn = 4\n', encoding="utf-8")
    with pytest.raises(BadInput) as refusal:
        output("bfile", file, "1..4")
    assert str(refusal.value) == (
        "a family of puzzles is counted over a range of sizes, such as queens 1..14;"
        f' "{file}" is one puzzle, without [family]'
    )
