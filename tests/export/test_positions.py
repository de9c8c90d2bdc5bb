"""Where keys and values are in the text of a puzzle file."""

from __future__ import annotations

import pytest

from rekkyo.export.puzzle_toml.positions import places_in


class TestPlaces:
    def test_keys_values_and_the_content_of_texts(self) -> None:
        text = 'a = 1\n[t]\n b.c = """\nxy\n"""\nd = { e = [1, "2"] }\n[[l]]\nk = \'v\'\n[[l]]\nk = 2\n'
        spans = places_in(text, "mine.toml").spans
        wanted = {
            ("a",): ("1:1", "1:5", "1:5"),
            ("t",): ("2:1", "2:1", "2:1"),
            ("t", "b", "c"): ("3:2", "3:8", "4:1"),
            ("t", "d", "e"): ("6:7", "6:11", "6:11"),
            ("t", "d", "e", 1): ("6:15", "6:15", "6:16"),
            ("l", 0): ("7:1", "7:1", "7:1"),
            ("l", 0, "k"): ("8:1", "8:5", "8:6"),
            ("l", 1, "k"): ("10:1", "10:5", "10:5"),
        }
        assert {
            path: tuple(map(str, (s.key, s.value, s.content))) for path, s in spans.items() if path in wanted
        } == wanted

    @pytest.mark.parametrize(
        "text",
        [
            'a = """x\\""" y"""\nb = 1',
            'a = """x"""""\nb = 1',
            "a = '''x'''''\nb = 1",
            'a = """"""\nb = 1',
            'a = "\\"#" # "\nb = 1',
            "a = 1979-05-27 07:32:00 # x\nb = 1",
            "a = [ # x\n 1, # ]\n 2,\n ]\nb = 1",
            "a = 1\r\nb = 1",
            '"\\u0062" = 1',
        ],
    )
    def test_what_comes_after_odd_values_is_found(self, text: str) -> None:
        assert ("b",) in places_in(text, "mine.toml").spans
