"""An exact cover: what its constructor refuses and takes."""

from __future__ import annotations

from typing import Any

import pytest

from rekkyo.errors import BadModel
from rekkyo.model import exact_cover
from rekkyo.model.exact_cover import MAX_COLOR, MAX_TIMES, ExactCover

USUAL: dict[str, Any] = {
    "primary": ("a", "b"),
    "secondary": ("s", "t"),
    "options": (((0, 0), (2, 1)), ((1, 0), (3, 1))),
}
CHANGED = 'the blocks of "{}" and "{}" cannot be exchanged; the options or bounds change'
SIZES = "blocks that can be exchanged have the same number of items, all different"


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"primary": ()}, "there is no primary item; name at least one"),
        ({"primary": ("a", "b", "c", "b")}, 'item "b" is named twice; give each item its own name'),
        ({"secondary": ("s", "a")}, 'item "a" is named twice; give each item its own name'),
        ({"options": (((0, 0), (2, 1)), ((1, 0), (2, 1), (2, 0)))}, 'option 1 uses item "s" twice'),
        ({"options": (((2, 0), (0, 0), (0, 0)),)}, 'option 0 uses item "a" twice'),
        ({"options": (((0, 0), (4, 0)),)}, "option 0 uses items from 0 to 3, not 4"),
        ({"bounds": ((1, 1),)}, "1 bound for 2 primary items; give one for each"),
        ({"bounds": ((1, 1), (2, 1))}, None),
        ({"bounds": ((1, 1), (-1, 1))}, None),
        ({"bounds": ((1, 1), (0, 0))}, None),
        ({"exchanges": (((0,), (1, 2)),)}, SIZES),
        ({"exchanges": (((0,), (0,)),)}, SIZES),
        ({"exchanges": (((0, 0), (1, 1)),)}, SIZES),
        ({"exchanges": (((0,), (4,)),)}, SIZES),
        ({"exchanges": (((0,), (-1,)),)}, SIZES),
        ({"exchanges": ((),)}, SIZES),
        ({"exchanges": (((0,), (1,)),)}, CHANGED.format("a", "b")),
        ({"exchanges": (((0, 2), (1, 3)),), "bounds": ((1, 1), (1, 2))}, CHANGED.format("a", "b")),
        ({"exchanges": (((2,), (0,)),), "options": (((0, 0), (2, 0)),)}, CHANGED.format("s", "a")),
    ],
)
def test_refusals_name_the_culprit(fields: dict[str, Any], complaint: str | None) -> None:
    wrong_bounds = 'the bounds of item "b" need 0 <= low <= high and high from 1 to 999999999, not'
    with pytest.raises(BadModel) as refusal:
        ExactCover(**(USUAL | fields))
    said = str(refusal.value).removeprefix("exact cover: ")
    assert said == complaint if complaint else said.startswith(wrong_bounds)


@pytest.mark.parametrize(
    "fields",
    [
        {"options": ()},
        {"options": (((0, 0), (1, 0), (2, MAX_COLOR), (3, 0)),)},
        {"bounds": ((0, 1), (MAX_TIMES, MAX_TIMES))},
        {"exchanges": (((0, 2), (1, 3)),), "bounds": ((1, 2), (1, 2))},
        {"exchanges": (((0, 2),), ((1, 3),))},
    ],
)
def test_what_is_taken(fields: dict[str, Any]) -> None:
    assert ExactCover(**(USUAL | fields))


@pytest.mark.parametrize(
    ("limit", "size", "what"),
    [("MAX_ITEMS", 4, "items"), ("MAX_OPTIONS", 2, "options"), ("MAX_USES", 4, "items in options")],
)
def test_what_is_too_large_is_refused(
    limit: str, size: int, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact_cover, limit, size)
    ExactCover(**USUAL)
    monkeypatch.setattr(exact_cover, limit, size - 1)
    with pytest.raises(BadModel, match=f"{size} {what} are more than the {size - 1} that rekkyo takes on"):
        ExactCover(**USUAL)


def test_a_colour_without_a_name_is_shown_by_its_number() -> None:
    model = ExactCover(**USUAL, color_names=("red",))
    assert [model.color_name(color) for color in (0, 1, 2)] == ["0", "red", "2"]
    assert model == ExactCover(**USUAL)
