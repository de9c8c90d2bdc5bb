"""`rekkyo orbits`, and symmetry that nobody declared, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import rekkyo


def test_the_table_and_the_identity() -> None:
    assert rekkyo("orbits", "queens", "8").stdout.splitlines() == [
        "symmetry     stabilizer  orbits  solutions",
        "no symmetry           1      11         88",
        "half turn             2       1          4",
        "total 92 = 11 x 8/1 + 1 x 8/2, unique 12",
    ]


def test_json() -> None:
    facts = json.loads(rekkyo("orbits", "queens", "5", "--up-to", "one-sided", "--json").stdout)
    assert facts["up_to"] == "rotations"
    assert (facts["group"], facts["total"], facts["unique"]) == (4, 10, 4)
    assert facts["classes"] == [
        {"symmetry": "no symmetry", "stabilizer": 1, "orbits": 2, "solutions": 8},
        {"symmetry": "quarter turn", "stabilizer": 4, "orbits": 2, "solutions": 2},
    ]


def test_no_solutions() -> None:
    done = rekkyo("orbits", "queens", "3")
    assert done.stdout.splitlines()[-1] == "total 0 = 0, unique 0"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("queens 6 --up-to turns", 'up to "turns" is not known'),
        ("queens 6 --engine queens-join", "queens-join"),
        ("langford 4 --up-to one-sided", 'up to "rotations" is not known for langford 4'),
    ],
)
def test_bad_input_is_one_line(words: str, message: str) -> None:
    done = rekkyo("orbits", *words.split(), ok=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


class TestFiles:
    @pytest.fixture
    def pentominoes(self, tmp_path: Path) -> str:
        path = tmp_path / "p.xcc"
        path.write_text(rekkyo("info", "pentominoes", "3", "20", "--xcc").stdout, encoding="utf-8")
        return str(path)

    def test_a_cover_in_a_file_has_the_symmetry_that_it_has(self, pentominoes: str) -> None:
        assert rekkyo("count", pentominoes).stdout == "total 8, unique 2\n"
        assert len(rekkyo("solve", pentominoes, "--up-to", "symmetry").stdout.splitlines()) == 2
        assert "symmetry: a group of order 4" in rekkyo("info", pentominoes).stdout

    def test_it_is_not_searched_for_without_need(self, pentominoes: str) -> None:
        assert rekkyo("count", pentominoes, "--up-to", "none").stdout == "total 8\n"
        assert len(rekkyo("solve", pentominoes).stdout.splitlines()) == 8

    def test_a_group_that_is_too_large_is_left_out_with_a_word(self, tmp_path: Path) -> None:
        path = tmp_path / "many.xcc"
        items = [f"i{number}" for number in range(12)]
        path.write_text("\n".join([" ".join(items), *items]) + "\n", encoding="utf-8")
        done = rekkyo("count", str(path))
        assert done.stdout == "total 1\n"
        assert f"the symmetry of {path} is used only on request, with --up-to constraints" in done.stderr
        assert "the symmetry group has order 479001600, too large to list, so none is used" in done.stderr
        assert "too large" not in rekkyo("count", str(path), "--up-to", "none").stderr

    def test_symmetry_that_takes_too_long_to_find_is_not_known_and_that_is_said(self, tmp_path: Path) -> None:
        """All of 1,600 cells can be exchanged."""
        path = tmp_path / "any.toml"
        count = '[[count]]\nvalue = "1"\ntimes = 5\n'
        path.write_text(f'kind = "grid"\nvalues = "01"\nboard = "rectangle 40 40"\n{count}', encoding="utf-8")
        out = str(tmp_path / "run")
        done = rekkyo("run", str(path), "--out", out, "--up-to", "constraints", ok=False)
        note, error = done.stderr.splitlines()
        assert (
            note == f"{path}: all symmetry of the constraints is not known: the search for it took too long"
        )
        assert error.startswith('rekkyo: up to "constraints" is not known for')
