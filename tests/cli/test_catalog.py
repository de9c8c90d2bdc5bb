"""The commands `list` and `info`: puzzles of the catalog, and their symmetry, engines and published counts."""

from __future__ import annotations

import json
import re
from math import factorial
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.search.question import ask
from tests.cli.test_commands import rekkyo


class TestCatalog:
    def test_list(self) -> None:
        assert re.search(r"^queens N +n queens on an n x n board", rekkyo("list").stdout)
        assert json.loads(rekkyo("list", "--json").stdout)["puzzles"][0]["name"] == "queens"

    @pytest.mark.parametrize(
        ("words", "lines"),
        [
            (
                "latin-square 7",
                [
                    "symmetry: not used, unless --up-to names it",
                    f"--up-to isotopy: rows, columns and symbols permuted, a group of order {5040**3} or more, too large to list",
                ],
            ),
            ("ramsey 3 5 9", [f"symmetry: a group of order {factorial(9)} or more, too large to list"]),
        ],
    )
    def test_info_of_a_group_too_large_to_list(self, words: str, lines: list[str]) -> None:
        text = rekkyo("info", *words.split()).stdout.splitlines()
        assert all(line in text for line in lines)
        assert json.loads(rekkyo("info", *words.split(), "--json").stdout)["symmetry_order"] is None

    def test_info_tells_the_order_that_the_search_for_symmetry_found(self, tmp_path: Path) -> None:
        """A chain of the group ends early: it has fewer exchanges of 40 rows and 50 columns than there are."""
        names = [[f"{side}{k}" for k in range(n)] for side, n in (("r", 40), ("c", 50))]
        lines = [f"{row} {column}" for row in names[0] for column in names[1]]
        path = tmp_path / "c.toml"
        path.write_text(
            f'kind = "cover"\nitems = "{" ".join(names[0])}"\nsecondary = "{" ".join(names[1])}"\n'
            f'options = """\n{chr(10).join(lines)}\n"""\n'
        )
        facts = json.loads(rekkyo("info", str(path), "--json").stdout)
        assert facts["order_at_least"] == {"constraints": factorial(40) * factorial(50)}

    def test_info_of_a_puzzle_whose_symmetry_is_not_known(self, tmp_path: Path) -> None:
        clauses = [f"{n} {n + 1} {n + 2} 0\n" for n in range(1, 25_001)]
        (tmp_path / "f.cnf").write_text(f"p cnf 65535 {len(clauses)}\n{''.join(clauses)}")
        assert "symmetry: not known\n" in rekkyo("info", str(tmp_path / "f.cnf")).stdout

    def test_info_of_symmetry_that_is_used_on_request(self) -> None:
        """The groups of Latin squares of order 3 are small enough to be listed, and are relations as well."""
        assert "symmetry: not used, unless --up-to names it\n" in rekkyo("info", "latin-square", "3").stdout

    def test_info_of_a_puzzle(self) -> None:
        text = rekkyo("info", "queens", "8").stdout
        assert "symmetry: a group of order 8" in text
        assert "published: total 92, unique 12 (OEIS A000170, A002562)" in text
        facts = json.loads(rekkyo("info", "queens", "8", "--toroidal", "--json").stdout)
        assert facts["symmetry_order"] == 512
        refusals = {engine["name"]: engine["refusal"] for engine in facts["engines"]}
        assert refusals["queens-bitmap"] is None
        assert "not the torus" in refusals["queens-join"]

    @pytest.mark.parametrize("words", ["queens 8", "soma", "hip 4", "magic-square 4"])
    def test_info_names_the_engine_of_solve_first(self, words: str) -> None:
        facts = json.loads(rekkyo("info", *words.split(), "--json").stdout)
        chosen = ask(rk.puzzle(words), lists=True).engine.name
        said = [line for line in rekkyo("info", *words.split()).stdout.splitlines() if "engine " in line]
        assert facts["engines"][0]["name"] == facts["solved_by"] == chosen
        assert said[0].startswith(f"engine {chosen}: ")
        assert [line for line in said if line.endswith("; solve begins with this one")] == said[:1]

    @pytest.mark.parametrize(("words", "order"), [("hip 3", 4), ("hip 1", 1), ("latin-square 3", None)])
    def test_info_names_the_order_of_the_rotations(self, words: str, order: int | None) -> None:
        """A board of one square has no other motion than the identity; a cover has no board."""
        assert json.loads(rekkyo("info", *words.split(), "--json").stdout)["rotations_order"] == order

    def test_info_of_a_family(self) -> None:
        assert "--blocked ROW,COLUMN" in rekkyo("info", "queens").stdout
        assert json.loads(rekkyo("info", "queens", "--json").stdout)["usage"] == "queens N"
