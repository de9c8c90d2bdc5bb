"""The check for words that CONTRIBUTING.md lists as not used."""

from __future__ import annotations

import pytest

from tests import plain_words

WORDS = {"given up": "say dropped", "mend": "say fix"}


def found(text: str) -> list[tuple[int, str]]:
    return sorted(plain_words.uses(text, WORDS))


def test_a_word_is_found_with_its_line() -> None:
    assert found("one\nMend it, or it is given up.\n") == [(2, "given up"), (2, "mend")]


def test_a_phrase_is_found_across_a_line_break() -> None:
    assert found("# what is given\n    # up here\n") == [(1, "given up")]


@pytest.mark.parametrize("text", ["fix_for_name(puzzle)", "recommended", "amendment", "given, up"])
def test_names_and_longer_words_are_not_found(text: str) -> None:
    assert found(text) == []


def test_the_list_is_read() -> None:
    listing = "# A page\n## Words\nText.\n\n- `a b`, `c`: say d\n\n## Other\n- `e`: say f\n"
    assert plain_words.unused_words(listing) == {"a b": "say d", "c": "say d"}


def test_the_list_of_contributing_is_not_empty() -> None:
    assert "mend" in plain_words.unused_words(plain_words.LIST.read_text(encoding="utf-8"))
