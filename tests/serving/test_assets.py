"""The files that a server has for its page."""

from __future__ import annotations

import pytest

from rekkyo.render.svg.style import THEMES, rules
from rekkyo.serving.assets import KINDS, files_of_page


@pytest.mark.parametrize("package", ["rekkyo.gallery", "rekkyo.designer"])
def test_files_of_known_kinds_and_the_rules_of_all_themes(package: str) -> None:
    found = files_of_page(package)
    assert all(name.endswith(tuple(KINDS)) for name in found)
    assert all(rules(theme).encode() in found["drawing.css"] for theme in THEMES)
