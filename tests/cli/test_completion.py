"""What a shell offers while somebody types, and what every command shows when asked for help."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.cli.test_commands import rekkyo


class TestCompletion:
    @pytest.mark.parametrize(
        ("typed", "expected"),
        [
            ("rekkyo coun", "plain,count"),
            ("rekkyo help coun", "plain,count"),
            ("rekkyo count quee", "plain,queens"),
            ("rekkyo count queens --eng", "plain,--engine"),
            ("rekkyo verify runs/", "file,runs/"),
        ],
    )
    def test_what_the_shell_is_offered(self, typed: str, expected: str) -> None:
        words = typed.split()
        done = subprocess.run(
            [sys.executable, "-c", "from rekkyo.cli.main import rekkyo; rekkyo(prog_name='rekkyo')"],
            env=os.environ
            | {"_REKKYO_COMPLETE": "bash_complete", "COMP_WORDS": typed, "COMP_CWORD": str(len(words) - 1)},
            capture_output=True,
            text=True,
        )
        assert expected in done.stdout.splitlines()

    def test_the_list_of_commands_cuts_no_sentence(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "80")
        listed = rekkyo("--help").stdout.partition("Commands:")[2].strip().splitlines()
        assert len(listed) > 20
        assert [line for line in listed if not line.endswith(".") or line.endswith("...")] == []

    def test_every_command_shows_an_example(self) -> None:
        for name in rekkyo("--help").stdout.partition("Commands:")[2].split("\n"):
            if command := name[:12].strip():
                assert f"\n  rekkyo {command}" in rekkyo(command, "--help").stdout, command
