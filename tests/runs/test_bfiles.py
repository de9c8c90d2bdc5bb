"""b-files: their format, those of functions, and terms that two engines count."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.engines.registry import (
    SHARING_SEARCH_CODE,
    all_engines,
    counting_engine,
    engine_named,
    independent_engines,
)
from rekkyo.errors import BadInput, CountsDisagree
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.runs import bfiles


def terms_of(lines: list[str]) -> list[int]:
    return [int(line.split()[1]) for line in lines if not line.startswith("#")]


def test_a_function_and_its_sizes() -> None:
    lines = list(rk.bfile(rk.queens, range(4, 8)))
    assert lines[0].startswith("# Number of solutions of a puzzle of size 4 and so on: 4 queens")
    assert terms_of(lines) == [2, 10, 4, 40]


@pytest.mark.parametrize(
    "words", ["queens 4..7", "dominoes 2 1..4", "magic-square 3..3", "schur 2 3..4", "langford 3..5"]
)
def test_two_engines_and_the_header_names_them(words: str) -> None:
    once, twice = (list(rk.bfile(words.split(), engines=n)) for n in (1, 2))
    assert terms_of(once) == terms_of(twice)
    assert any(" and by " in line for line in twice if line.startswith("#"))
    assert not any("counted" in line for line in once)


def test_orbits_are_those_of_the_named_symmetry() -> None:
    lines = list(rk.bfile(["queens", "4..8"], unique=True, up_to="rotations"))
    assert lines[0].startswith("# Number of orbits of solutions of queens 4..8 up to rotations: ")
    assert terms_of(lines) == [2, 4, 2, 12, 24]


def test_orbits_under_a_group_too_large_to_list() -> None:
    """OEIS A096368: regular tournaments with 2n + 1 players."""
    lines = rk.bfile(
        lambda n: rk.graph(named=f"complete {2 * n + 1}").orientations(eulerian=True),
        range(1, 5),
        unique=True,
        up_to="constraints",
    )
    assert terms_of(list(lines)) == [1, 1, 3, 15]


def test_orbits_are_counted_twice_too() -> None:
    lines = list(rk.bfile(["queens", "4..8"], unique=True, engines=2))
    assert terms_of(lines) == [1, 2, 1, 6, 12]
    assert lines[0].startswith("# Number of orbits of solutions of queens")
    assert sum(line.startswith("# from n = ") for line in lines) == 1


def test_a_family_with_an_objective_counts_the_best() -> None:
    """Ways to place as many kings as possible, which `naive_puzzles` counts for the example."""
    path = Path(__file__).parent.parent.parent / "examples" / "kings.toml"
    assert terms_of(list(rk.bfile([str(path), "1..5"], engines=2))) == [1, 4, 1, 79, 1]


@pytest.mark.parametrize("engines", [1, 2])
def test_the_best_values_of_a_family(engines: int) -> None:
    """OEIS A075458: the fewest queens that attack or occupy every square."""
    path = Path(__file__).parent.parent.parent / "examples" / "queen-domination.toml"
    lines = list(rk.bfile([str(path), "1..5"], optimum=True, engines=engines))
    assert terms_of(lines) == [1, 1, 1, 2, 3]
    assert lines[0].startswith("# Optimum of ")


def test_a_difference_ends_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(puzzle: rk.Puzzle, *, engine: str | None = None, **more: Any) -> rk.Count:
        found = rk.count(puzzle, engine=engine, **more)
        return replace(found, total=found.total + (engine == "queens-cover" and puzzle.name == "queens 5"))

    monkeypatch.setattr(bfiles, "count", wrong)
    seen = []
    said = "queens 5: the engines disagree: queens-bitmap 10, queens-cover 11"
    with pytest.raises(CountsDisagree, match=said):
        for line in rk.bfile(["queens", "4..6"], engines=2):
            seen.append(line)  # noqa: PERF402 - what came before the difference
    assert terms_of(seen) == [2]


WRONG_TOTAL = "total 92 DIFFERS FROM the published 91 (mine)"


@pytest.mark.parametrize("engines", [1, 2])
@pytest.mark.parametrize("unique", [False, True])
def test_a_family_is_compared_with_its_published_counts(tmp_path: Path, unique: bool, engines: int) -> None:
    path = tmp_path / "fam.toml"
    published = '[published]\ntotal = { 5 = 10, 8 = 91 }\nunique = { 6 = 1, 7 = 5 }\nsource = "mine"\n'
    path.write_text(f'kind = "queens"\nn = "{{n}}"\n[family]\nn = "1..9"\n{published}')
    expected = ([1, 2, 1, 6, 12, 46] if unique else [2, 10, 4, 40, 92, 352]), [f"n = 8: {WRONG_TOTAL}."]
    wrong_unique = "unique 6 DIFFERS FROM the published 5 (mine)"
    if unique:
        expected[1].insert(0, f"n = 7: {wrong_unique}.")
    lines = []
    with pytest.raises(CountsDisagree) as refusal:
        for line in rk.bfile([str(path), "4..9"], unique=unique, engines=engines):
            lines.append(line)  # noqa: PERF402 - all lines come before the refusal
    assert (terms_of(lines), [line[2:-1] for line in lines if "DIFFERS" in line]) == expected
    assert str(refusal.value).endswith(f"fam.toml 8: {WRONG_TOTAL}")
    assert (wrong_unique in str(refusal.value)) == unique
    assert len(list(rk.bfile([str(path), "4..6"], unique=unique, engines=engines))) >= 5


def test_a_puzzle_of_the_catalog_is_compared_with_its_published_count() -> None:
    def wrong(n: int) -> rk.Puzzle:
        puzzle = rk.queens(n)
        assert puzzle.published is not None
        return replace(puzzle, published=replace(puzzle.published, total=91, source="mine"))

    with pytest.raises(CountsDisagree, match=rf"queens 8: {re.escape(WRONG_TOTAL)}"):
        list(rk.bfile(wrong, range(8, 9)))


@pytest.mark.parametrize(
    ("ask", "complaint"),
    [
        (lambda: rk.bfile(["queens", "4..6"], engines=3), "counted by 1 or 2 engines, not 3"),
        (lambda: rk.bfile(["queens", "4..6"], range(4, 6)), "words include their sizes"),
        (lambda: rk.bfile(rk.queens), "a function needs sizes, such as range"),
        (lambda: rk.bfile(rk.queens, range(10**9)), "sizes, such as range.* at most 1000 of them"),
        (lambda: rk.bfile(rk.queens, count()), "sizes, such as range.* at most 1000 of them"),
        (lambda: rk.bfile(rk.queens, [10**5000]), "sizes, such as range.* a number that is far too long"),
        (lambda: rk.bfile(rk.queens, []), "1 to 1000 sizes are counted"),
        (lambda: rk.bfile(rk.queens, ["4"]), "needs sizes, such as range"),
        (lambda: rk.bfile(lambda n: n, [4]), "a puzzle is expected"),
        (lambda: list(rk.bfile(rk.queens, [4, 6])), "goes up by one: 6 comes after 4"),
        (lambda: rk.bfile(["4..6"]), "one range of sizes is needed"),
        (
            lambda: list(bfiles.bfile_lines([], [(1, 10**5000)])),
            "at most 1000 digits; the one for 1 is longer",
        ),
        (
            lambda: list(rk.bfile(["queens", "4..5"], optimum=True)),
            "queens 4 has no objective, so there is no optimum; count its solutions",
        ),
        (
            lambda: list(rk.bfile(["queens", "4..5"], optimum=True, unique=True)),
            "a b-file has either the optimum or the number of orbits; leave one out",
        ),
        (lambda: rk.bfile(["queens", "4..5"], up_to="rotations"), "give unique with it"),
        (lambda: rk.bfile(["queens", "4..5"], up_to="none", unique=True), "leave up_to out"),
    ],
)
@pytest.mark.usefixtures("few_digits")
def test_complaints(ask: Callable[[], object], complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        ask()


def test_boards_that_no_dominoes_fill_have_terms() -> None:
    """Dominoes on 3 x n: OEIS A099390 has these zeros; A001835 leaves them out."""
    assert terms_of(list(rk.bfile(["dominoes", "3", "1..6"], engines=2))) == [0, 3, 0, 11, 0, 41]


def test_a_first_term_that_cannot_be_counted_leaves_the_file_empty() -> None:
    lines = rk.bfile(["latin-square", "3..4"], unique=True)
    with pytest.raises(BadInput, match="orbits of latin-square 3 cannot be counted"):
        next(lines)


def test_engines_that_share_search_code_are_known_by_their_names() -> None:
    names = {engine.name for engine in all_engines()}
    assert all(shared <= names for shared in SHARING_SEARCH_CODE)


@pytest.mark.parametrize(
    "words", ["queens 12", "dominoes 4 30", "hip 4", "pentominoes 6 10", "magic-square 4"]
)
def test_independent_engines(words: str) -> None:
    model = lower(rk.puzzle(words).model)
    first = counting_engine(model)
    others = independent_engines(model, first)
    assert others
    assert all(other.accepts(model) for other in others)
    pairs = [{first.name, other.name} for other in others]
    assert not any(pair <= shared for pair in pairs for shared in SHARING_SEARCH_CODE)


def test_where_listing_is_hopeless_the_second_engine_lists_neither() -> None:
    for puzzle, names in (
        (rk.puzzle("dominoes 8 30"), ("cover-frontier", "cover-determinant")),
        (rk.puzzle("polyominoes 4 8 8 --any-number"), ("cover-frontier", "cover-memo")),
        (rk.graph(named="grid 8 8").colorings(3), ("csp-frontier", "csp-values")),
    ):
        second, *_ = independent_engines(lower(puzzle.model), engine_named(names[0]))
        assert second.name == names[1]


@pytest.mark.parametrize(
    ("words", "engine"),
    [
        ("pentominoes 5 12", "cover-masks"),
        ("hexiamonds 4 9", "cover-masks"),
        ("soma", "cover-masks"),
        ("bedlam", "cover-cells"),
        ("latin-square 4", "cover-cells"),
    ],
)
def test_packings_of_short_pieces_are_counted_again_in_the_order_of_their_cells(
    words: str, engine: str
) -> None:
    """Pentominoes on 5 x 12 take 0.12 s so, and 6.8 s by cells with the fewest options first."""
    second, *_ = independent_engines(lower(rk.puzzle(words).model), engine_named("cover-bitset"))
    assert second.name == engine


def test_options_of_a_name_and_what_is_covered_at_most_once_have_other_engines() -> None:
    """They have no places in an order of the other primary items, of which there are none."""
    model = ExactCover(("a", "b"), ("s",), (((0, 0), (2, 0)), ((1, 0), (2, 0))))
    others = [engine.name for engine in independent_engines(model, engine_named("cover-bitset"))]
    assert "cover-cells" in others


def test_what_is_joined_is_listed_the_second_time() -> None:
    second, *_ = independent_engines(lower(rk.puzzle("magic-star 10").model), engine_named("sum-join"))
    assert second.name == "sum-lines"


def test_terms_beyond_all_lists_are_counted_in_two_ways() -> None:
    """3-colourings of grids (OEIS A068253, three times); the first ones are listed, the others merged."""

    def colorings(n: int) -> rk.Puzzle:
        return rk.graph(named=f"grid {n} {n}").colorings(3)

    listed = list(rk.bfile(colorings, range(4, 6), engines=2))
    merged = list(rk.bfile(colorings, range(7, 9), engines=2))
    assert terms_of(listed + merged) == [7812, 580986, 41869995708, 40724629633188]
    assert any(line.startswith("# from n = 4: counted by coloring-") for line in listed)
    assert any(line.startswith("# from n = 7: counted by csp-frontier and by csp-values") for line in merged)


def test_a_term_that_plain_backtracking_does_not_end_is_counted_along_a_diagram() -> None:
    """It would search this country road of 7x7 for more than 10^8 nodes."""
    road = Path(__file__).parents[2] / "examples/country-road.toml"
    lines = list(rk.bfile(lambda _: rk.puzzle_from_file(road), [1], engines=2))
    assert terms_of(lines) == [1]
    assert any(line.startswith("# from n = 1: counted by csp and by csp-diagram") for line in lines)


class TestBfile:
    """The rules of oeis.org/wiki/B-files: `n a(n)`, consecutive n, comments with #, ASCII, no empty line."""

    # OEIS A000170 and A002562
    def test_queens(self) -> None:
        lines = list(rk.bfile(["queens", "1..8"]))
        terms = [line for line in lines if not line.startswith("#")]
        assert terms == ["1 1\n", "2 0\n", "3 0\n", "4 2\n", "5 10\n", "6 4\n", "7 40\n", "8 92\n"]
        assert all(line.isascii() and line.strip() for line in lines)
        unique = [line for line in rk.bfile(["queens", "4..8"], unique=True) if line[0] != "#"]
        assert unique == ["4 1\n", "5 2\n", "6 1\n", "7 6\n", "8 12\n"]

    def test_the_range_may_be_any_number_of_the_puzzle(self) -> None:
        """Dominoes on 2 x n: the Fibonacci numbers."""
        terms = [line for line in rk.bfile(["dominoes", "2", "1..6"]) if line[0] != "#"]
        assert [int(line.split()[1]) for line in terms] == [1, 2, 3, 5, 8, 13]

    @pytest.mark.parametrize("words", [["--colors", "2..3"], ["--colors=2..3"]])
    def test_the_range_may_be_the_value_of_an_option(self, words: list[str]) -> None:
        assert terms_of(list(rk.bfile(["hip", "2", *words]))) == [6, 36]

    @pytest.mark.parametrize("words", [["queens"], ["queens", "8"], ["dominoes", "1..2", "1..2"]])
    def test_one_range(self, words: list[str]) -> None:
        with pytest.raises(BadInput, match="one range"):
            list(rk.bfile(words))

    @pytest.mark.parametrize("word", ["8..1", "x..3", "1..", "-1..3", "1..100000"])
    def test_ranges_that_are_none(self, word: str) -> None:
        with pytest.raises(BadInput, match=r"range of whole numbers|at most 1000 sizes"):
            list(rk.bfile(["queens", word]))

    def test_a_long_word_is_shortened(self) -> None:
        with pytest.raises(BadInput, match=r'range of whole numbers such as 1..14, not "1\.\.9{24}\.\.\."$'):
            rk.bfile(["queens", f"1..{'9' * 5000}"])

    def test_a_gap(self) -> None:
        with pytest.raises(BadInput, match="goes up by one"):
            list(bfiles.bfile_lines([], [(1, 1), (3, 1)]))

    def test_comments_are_ascii(self) -> None:
        assert list(bfiles.bfile_lines(["Erdős\n8 93"], [])) == ["# Erd?s?8 93\n"]
        assert list(bfiles.bfile_lines([], ["Erdős\n8 93"])) == ["# Erd?s?8 93\n"]
