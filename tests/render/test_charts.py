"""Charts and the page that plays a search."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.methods.queens.ladder import QUEENS_METHODS
from rekkyo.methods.queens.steps import steps
from rekkyo.render.png import png
from rekkyo.render.search_page import Played, search_page
from rekkyo.render.svg.chart import Panel, Series, chart
from rekkyo.render.svg.search_chart import ladder_chart, profile_chart
from rekkyo.run.played import played_page
from rekkyo.run.profile import climb, search_profiles

SVG = "{http://www.w3.org/2000/svg}"


def test_higher_numbers_are_drawn_higher_and_later_ones_further_right() -> None:
    text = chart("t", "d", [Panel("p", "x", "y", (Series("a", ((1, 1), (2, 10), (3, 1000))),))])
    (line,) = [p for p in ElementTree.fromstring(text).iter(f"{SVG}path") if p.get("class") == "rk-stick"]
    points = [tuple(map(float, pair.split())) for pair in (line.get("d") or "").removeprefix("M").split("L")]
    xs, ys = zip(*points, strict=True)
    assert list(xs) == sorted(xs)
    assert list(ys) == sorted(ys, reverse=True)
    assert (ys[0] - ys[1]) * 2 == pytest.approx(ys[1] - ys[2], abs=0.1), "the axis is logarithmic"


def test_nothing_to_draw() -> None:
    with pytest.raises(BadInput, match="nothing to draw"):
        chart("t", "d", [Panel("p", "x", "y", (Series("a", ((1, 0),)),))])


def test_profile_of_queens_6() -> None:
    profiles = {profile.name: profile for profile in search_profiles(rk.queens(6))}
    assert profiles["method brute-force"].nodes == (6, 36, 216, 1296, 7776, 46656)
    assert profiles["method backtracking"].nodes == profiles["method bitmap"].nodes == (6, 20, 36, 46, 40, 4)
    assert profiles["engine queens-bitmap"].nodes == (6, 20, 36, 46)[
        : len(profiles["engine queens-bitmap"].nodes)
    ] or (profiles["engine queens-bitmap"].nodes == (6, 20, 36, 46, 40))
    text = profile_chart("queens 6", [(p.name, p.nodes, p.is_whole) for p in profiles.values()])
    assert "55,986" in text
    ElementTree.fromstring(text)


def test_profile_says_when_it_is_cut_off() -> None:
    assert "more than 5" in profile_chart("p", [("engine x", (2, 3), False)])


def test_ladder() -> None:
    methods = [method for method in QUEENS_METHODS if method.form == "iterative"]
    rungs = climb(methods, 5)
    nodes = {rung.name: {n: tried for n, tried, _ in rung.outcomes} for rung in rungs}
    assert nodes["Brute force"][4] == 4 + 16 + 64 + 256
    assert nodes["Bitmap"][5] == 53
    assert len(nodes) == 7
    ElementTree.fromstring(ladder_chart("N queens", [(rung.name, rung.outcomes) for rung in rungs]))


class _Scripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not {"src", "href"} & {name for name, _ in attrs}, "the page must need nothing else"


def test_the_page_holds_every_step_of_every_method() -> None:
    page = played_page(rk.queens(5))
    parser = _Scripts()
    parser.feed(page)
    assert parser.tags.count("script") == 2
    data = json.loads(re.search(r'application/json">(.*?)</script>', page, re.DOTALL).group(1))  # type: ignore[union-attr]
    titles = [method["title"] for method in data["methods"]]
    assert titles == [
        "Brute force",
        "Backtracking",
        "Placement flags",
        "Bitmap",
        "Mirror",
        "Symmetry elimination",
        "Carry chain",
    ]
    bitmap = data["methods"][3]["steps"]
    assert len(bitmap) == 3 * len(list(steps("bitmap", 5)))
    assert bitmap.startswith("p00p12p24p31p43f10l43l31")
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")


def test_methods_with_too_many_steps_are_named_but_not_played() -> None:
    data = played_page(rk.queens(7))
    assert '"title": "Brute force"' in data
    assert '"steps": null' in data


def test_no_text_ends_the_script() -> None:
    page = search_page(4, [Played("</script><b>", "<!-- ", [])])
    assert page.count("</script>") == 2
    assert "<b>" not in page


@pytest.mark.parametrize("words", ["queens 11", "queens 6 --blocked 0,0", "queens 5 --toroidal", "soma"])
def test_puzzles_that_are_not_played(words: str) -> None:
    with pytest.raises(BadInput, match=r"step by step|to watch"):
        played_page(rk.puzzle(words))


def test_png() -> None:
    picture = png(rk.svg(rk.queens(4), (1, 3, 0, 2), theme="light"), width=120)
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(picture[16:20], "big") == 120
    with pytest.raises(BadInput, match="16384 pixels"):
        png("<svg/>", width=10**6)
