"""Charts and the page that plays a search."""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import rekkyo as rk
from rekkyo.ask.played import MAX_MOVES, played_page
from rekkyo.ask.profile import climb, search_profiles
from rekkyo.errors import BadInput
from rekkyo.methods.queens import QUEENS_METHODS
from rekkyo.methods.walks import Depths, nodes_by_depth, ways_for
from rekkyo.model.queens import Queens
from rekkyo.render import png as png_module
from rekkyo.render.png import png
from rekkyo.render.search_page import DIGITS, Played, search_page
from rekkyo.render.svg.chart import Panel, Series, chart, ladder_chart, profile_chart
from rekkyo.render.svg.drawing import painting_of

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
    engine = profiles["engine queens-bitmap"]
    assert engine.nodes[:4] == (6, 20, 36, 46)
    assert engine.summary.startswith("152 nodes; seen to depth ")
    text = profile_chart("queens 6", [(p.name, p.nodes, p.summary) for p in profiles.values()])
    assert "55,986 nodes" in text
    ElementTree.fromstring(text)


@pytest.mark.parametrize("words", ["hip 3", "dominoes 4 4", "magic-square 3", "langford 5"])
def test_profiles_of_all_families(words: str) -> None:
    profiles = search_profiles(rk.puzzle(words))
    assert any(profile.name.startswith("engine ") for profile in profiles)
    methods = [profile for profile in profiles if profile.name.startswith("method ")]
    assert len(methods) >= 2
    assert all(profile.nodes[0] >= 1 for profile in methods)


def test_long_walks_are_estimated() -> None:
    """The estimates are compared with exact numbers: 8^d boards, and the count of the short walk."""
    (brute_force, *_, bitmap) = (way for way in ways_for(Queens(8)) if way.name in ("brute-force", "bitmap"))
    estimated = nodes_by_depth(lambda: brute_force.walk(Queens(8)), 8, 1000)
    assert not estimated.is_exact
    assert estimated.nodes == pytest.approx([8**depth for depth in range(1, 9)], rel=0.02)
    exact = nodes_by_depth(lambda: bitmap.walk(Queens(8)), 8, 10**6)
    assert exact == Depths((8, 42, 140, 344, 568, 550, 312, 92), is_exact=True)
    estimated = nodes_by_depth(lambda: bitmap.walk(Queens(8)), 8, 1000)
    assert not estimated.is_exact
    assert estimated.nodes == pytest.approx(exact.nodes, rel=0.15)


def test_estimates_of_deep_trees_end_at_some_depth() -> None:
    """The walk of depth 1 makes 16 moves, that of depth 2 more than the 17; nodes of depth 3 are met below."""
    way = next(way for way in ways_for(Queens(8)) if way.name == "brute-force")
    whole = nodes_by_depth(lambda: way.walk(Queens(8)), 8, 1000, 10**9)
    assert whole.is_whole
    first = nodes_by_depth(lambda: way.walk(Queens(8)), 8, 1000, 17)
    assert (first.is_exact, first.is_whole) == (False, False)
    assert first.nodes == (8, 64, 512)


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
    data = page_data(page)
    assert [way["title"] for way in data["ways"]] == [
        "Brute force",
        "Backtracking",
        "Placement flags",
        "Bitmap",
        "Mirror",
        "Symmetry elimination",
        "Carry chain",
    ]
    bitmap = moves_of(data, 3)
    model = Queens(5)
    assert len(bitmap) == sum(1 for way in ways_for(model) if way.name == "bitmap" for _ in way.walk(model))
    assert [(kind, said) for kind, said, _ in bitmap[:7]] == [
        ("p", "a queen at row 1, column 1"),
        ("p", "a queen at row 2, column 3"),
        ("p", "a queen at row 3, column 5"),
        ("p", "a queen at row 4, column 2"),
        ("p", "a queen at row 5, column 4"),
        ("f", ""),
        ("l", "a queen at row 5, column 4"),
    ]
    backtracking = moves_of(data, 1)
    assert backtracking[1] == ("c", "a queen at row 2, column 1", ["is attacked", [0], 0])
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")


def page_data(page: str) -> Any:
    return json.loads(re.search(r'application/json">(.*?)</script>', page, re.DOTALL).group(1))  # type: ignore[union-attr]


def moves_of(data: Any, way: int) -> list[tuple[str, str, list[Any]]]:
    """The kind, what is placed where, and the note, unpacked as the page unpacks them."""
    packed = data["ways"][way]["moves"]
    moves = []
    for start in range(0, len(packed), 6):
        kind, *digits = packed[start : start + 6]
        a, b, c, d, e = map(DIGITS.index, digits)
        said = data["atoms"][64 * a + b][1] if kind in "pcl" else ""
        moves.append((kind, said, data["notes"][4096 * c + 64 * d + e]))
    return moves


@pytest.mark.parametrize(
    ("words", "way", "n_found", "first"),
    [
        ("pentominoes 3 20", 1, None, ""),
        ("dominoes 4 4", 1, 36, ""),
        ("langford 4", 1, 2, ""),
        ("magic-square 3", 2, 8, "1 at row 1, column 1"),
        ("hip 3", 1, 184, "colour # at row 1, column 1"),
        ("queens 6 --blocked 0,1", 0, 3, "a queen at row 1, column 1"),
        ("soma", 1, None, ""),
        (
            "sudoku " + "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
            1,
            1,
            "",
        ),
    ],
)
def test_a_small_puzzle_of_every_family_is_played(
    words: str, way: int, n_found: int | None, first: str
) -> None:
    data = page_data(played_page(rk.puzzle(words)))
    moves = moves_of(data, way)
    assert data["ways"][way]["isWhole"] == (n_found is not None)
    if n_found is None:
        assert len(moves) == MAX_MOVES
    else:
        assert sum(kind == "f" for kind, _, _ in moves) == n_found
    assert moves[0][0] == "p"
    assert first in ("", moves[0][1])
    assert all(0 <= spot < len(data["spots"]) for _, _, (_, spots, _) in moves for spot in spots)


def test_a_place_that_is_stuck_is_pointed_at() -> None:
    data = page_data(played_page(rk.puzzle("pentominoes 3 20")))
    notes = [note for kind, _, note in moves_of(data, 1) if kind == "s"]
    assert notes
    for words, spots, _ in notes:
        if re.fullmatch(r"No option is left for row \d+, column \d+\.", words):
            assert len(spots) == 1
        else:
            assert re.fullmatch(r"No option is left for piece .\.", words)
            assert spots == []
    assert {len(spots) for _, spots, _ in notes} == {0, 1}


def test_the_beginning_of_a_long_search() -> None:
    data = page_data(played_page(rk.queens(7)))
    assert not data["ways"][0]["isWhole"]
    assert len(moves_of(data, 0)) == MAX_MOVES
    assert data["ways"][3]["isWhole"]


def test_no_text_ends_the_script() -> None:
    painting = painting_of(rk.queens(4))
    page = search_page("<i>", painting, [Played("</script><b>", "<!-- ", [], is_whole=True)])
    assert page.count("</script>") == 2
    assert "<b>" not in page
    assert "<i>" not in page
    assert search_page("{{data}} <b>", painting, []).count("{{data}} &lt;b&gt;") == 2


@pytest.mark.parametrize("words", ["hip 12", "bedlam"])
def test_puzzles_that_are_too_large_to_watch(words: str) -> None:
    with pytest.raises(BadInput, match="a search to watch has at most 128 decisions and 4096 things"):
        played_page(rk.puzzle(words))


def test_constraints_have_no_method_to_watch() -> None:
    problem = rk.Problem()
    problem.all_different(problem.variables(["x", "y"], range(3)))
    with pytest.raises(BadInput, match="problem: no method searches variables and constraints step by step"):
        played_page(problem.puzzle())


def test_one_node_is_not_plural() -> None:
    assert {profile.summary for profile in search_profiles(rk.queens(1))} == {"1 node"}


def test_png() -> None:
    picture = png(rk.svg(rk.queens(4), (1, 3, 0, 2), theme="light"), width=120)
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(picture[16:20], "big") == 120
    with pytest.raises(BadInput, match="16384 pixels"):
        png("<svg/>", width=10**6)


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="other folders have the fonts there")
@pytest.mark.parametrize("folder", [".fonts", ".local/share/fonts/own"])
def test_fonts_in_the_folders_of_the_user_are_found(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are folders of fontconfig, which resvg reads too."""
    monkeypatch.setattr(png_module, "FONT_FAMILIES", {"Own.ttf": "Own"})
    monkeypatch.setenv("HOME", str(tmp_path))
    assert png_module.font_file() is None
    with pytest.raises(BadInput, match="no font was found"):
        png("<svg><text>1</text></svg>")
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / folder / "Own.ttf").touch()
    assert png_module.font_file() == tmp_path / folder / "Own.ttf"
