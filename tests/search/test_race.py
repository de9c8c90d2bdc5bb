"""Merging or searching is chosen, and both give the same answer."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import product
from math import comb, perm

import pytest
from hypothesis import given, settings

import rekkyo as rk
from rekkyo.engines.covers.frontier import engine as frontier
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.frontier.walk import is_kept
from rekkyo.engines.sums.join.engine import SumJoin
from rekkyo.jit import compiling
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Puzzle
from rekkyo.search import cutting, listing, merging, race
from rekkyo.search import quick as choosing
from rekkyo.search.progress import Progress
from rekkyo.search.question import ask
from rekkyo.search.search import prepare
from rekkyo.search.sizes import DEFAULT_SIZES, Sizes
from tests import csp_strategies, naive_cover, naive_csp
from tests.engines.csp_counted import grid

TINY = Sizes(moment_nodes=1, shards=8, shards_if_short=2, overdue_moments=1 << 40)
"""Searches of some hundred nodes count as long. They are not raced again: a node would allow 5 ms of merging."""


def test_merging_is_taken_where_listing_is_hopeless() -> None:
    told: list[Progress] = []
    result = rk.count(grid(8).colorings(3), watch=told.append)
    assert result.total == 3 * 13574876544396  # OEIS A068253
    assert result.engine == "csp-frontier"
    assert result.unique is not None
    assert any(progress.stage == "trying to count by merging equal states" for progress in told)


def test_orbits_of_what_was_merged_are_those_of_what_was_listed() -> None:
    for puzzle in (grid(4).colorings(3), grid(5).cycles(hamiltonian=False), rk.puzzle("hip 4 --any-balance")):
        merged, listed = rk.count(puzzle, sizes=TINY), rk.count(puzzle, engine="csp-frontier")
        assert merged.engine == "csp-frontier"
        assert (merged.total, merged.unique) == (listed.total, listed.unique)
        orbits = rk.orbits(puzzle)
        assert (merged.total, merged.unique) == (orbits.total, orbits.unique)


def test_solutions_with_the_best_value_are_merged_and_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The independent sets with the most cells of the first row: the other rows have any cells beside these."""
    problem = rk.Problem()
    cells = {(r, c): problem.variable(f"{r},{c}", (0, 1)) for r, c in product(range(6), range(5))}
    for (r, c), v in cells.items():
        for other in {(r + 1, c), (r, c + 1)} & cells.keys():
            problem.clause(((v, 0, True), (cells[other], 0, True)))
    n_first = problem.hidden(range(6))
    first = [cells[0, c] for c in range(5)]
    problem.linear((1,) * 5 + (-1,), (*first, n_first), "=", 0)
    problem.maximize(n_first)
    puzzle, _ = rk.with_own_symmetry(problem.puzzle())
    merged, listed = rk.count(puzzle, sizes=TINY), rk.count(puzzle, engine="csp")
    assert (merged.engine, merged.optimum, listed.optimum) == ("csp-frontier", 3, 3)
    assert (merged.total, merged.unique) == (listed.total, listed.unique)
    monkeypatch.setattr(listing, "SIZES", TINY)
    samples = rk.sample(puzzle, 3, sizes=TINY)
    assert (samples.how, samples.total) == ("diagram", merged.total)
    assert all(row[:5] == (1, 0, 1, 0, 1) for row in samples.rows)


def test_where_a_plan_tells_the_length_of_a_search_merging_is_tried_before_it_is_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = rk.Problem()
    variables = problem.variables("abcdefgh", range(5))
    problem.sum(variables[:3], "<=", 9)
    problem.sum(variables[3:], ">=", 2)
    puzzle = rk.Puzzle("sums", problem.model(), "Two sums")
    merged = rk.count(puzzle, engine="csp-frontier", up_to="none")  # loads the kernels
    cuts: list[object] = []
    monkeypatch.setattr(cutting, "_few", lambda *how: cuts.append(how))
    found = rk.count(puzzle, up_to="none", workers=1)
    assert (found.engine, found.total, cuts) == ("csp-frontier", merged.total, [])
    assert merged.total == sum(sum(row) <= 9 for row in product(range(5), repeat=3)) * sum(
        sum(row) >= 2 for row in product(range(5), repeat=5)
    )


def test_merging_is_tried_before_parts_of_two_searches_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Latin squares of order 7, A002860, by propagation or as a cover."""
    monkeypatch.setattr(choosing, "_is_sooner", None)
    problem = rk.Problem()
    rows = [problem.variables([f"{r},{c}" for c in range(7)], range(7)) for r in range(7)]
    for line in (*rows, *zip(*rows, strict=True)):
        problem.all_different(line)
    assert rk.count(problem.puzzle("squares"), up_to="none").total == 61_479_419_904_000


def test_a_search_goes_on_if_merging_cannot_remember_the_constraints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly all subsets of these numbers have sums of their own, of which a state would have to know one."""
    rng = random.Random(1)
    numbers = [rng.randrange(1, 1 << 29) for _ in range(18)]
    of_first, of_others = (
        Counter(map(sum, product(*((0, number) for number in half)))) for half in (numbers[:9], numbers[9:])
    )
    wanted = sum(numbers[:9])
    problem = rk.Problem()
    problem.linear(numbers, problem.variables("abcdefghijklmnopqr", (0, 1)), "=", wanted)
    refused: list[str] = []

    def goes_on(tried: merging.Merging, moments: float, may_lose: float) -> bool:
        is_over = goes_on_before(tried, moments, may_lose)
        refused.append(tried.engine.name if tried.is_refused else "")
        return is_over

    goes_on_before = merging.Merging.goes_on
    monkeypatch.setattr(merging.Merging, "goes_on", goes_on)
    found = rk.count(problem.puzzle("halves"), workers=1, sizes=TINY)
    assert {*refused} == {"csp-frontier"}
    assert (found.engine, found.total) == (
        "csp",
        sum(times * of_others[wanted - part] for part, times in of_first.items()),
    )


@settings(max_examples=40)
@given(model=csp_strategies.models(max_variables=7))
def test_answers_stay_the_same(model: Csp) -> None:
    result = rk.count(Puzzle("random", model, "Random"), up_to="none", sizes=TINY)
    assert result.total == len(naive_csp.solutions(model))


@settings(max_examples=60)
@given(model=naive_cover.models())
def test_answers_of_covers_stay_the_same(model: ExactCover) -> None:
    result = rk.count(Puzzle("random", model, "Random"), up_to="none", sizes=TINY)
    assert result.total == len(naive_cover.solutions(model))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("up_to", ["none", "symmetry"])
def test_covers_that_a_short_look_left_to_search_are_merged(up_to: str, workers: int) -> None:
    puzzle = rk.packing("#####\n#####\n#####\n#####", "AA BB CCC\nA  B  C", filled=False)
    merged = rk.count(puzzle, up_to=up_to, workers=workers, sizes=TINY)
    listed = rk.count(puzzle, up_to=up_to, workers=workers)
    assert (merged.engine, listed.engine) == ("cover-frontier", "cover-bitset")
    assert (merged.total, merged.unique) == (listed.total, listed.unique)


def test_merging_goes_on_from_the_look_that_left_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frontier, "is_loaded", lambda *_: True)
    monkeypatch.setattr(merging, "Trial", None)  # none is begun
    puzzle = rk.packing("#####\n#####\n#####\n#####", "AA BB CCC\nA  B  C", filled=False)
    for _ in range(2):
        merged = rk.count(puzzle, up_to="none", sizes=TINY)
        assert merged.engine == "cover-frontier"
        assert merged.total == rk.count(puzzle, up_to="none", engine="cover-bitset").total
        assert not frontier._look.cache_info().currsize  # the states of the look are forgotten


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("words", ["magic-star 8", "magic-star 9", "semimagic-square 4"])
def test_halves_are_joined_where_that_is_shorter(words: str, workers: int) -> None:
    puzzle = rk.puzzle(words)
    joined, listed = (rk.count(puzzle, sizes=sizes, workers=workers) for sizes in (TINY, DEFAULT_SIZES))
    assert (joined.engine, listed.engine) == ("sum-join", "sum-lines")
    assert (joined.total, joined.unique) == (listed.total, listed.unique)
    assert rk.count(puzzle, sizes=TINY, workers=workers, up_to="none").engine == "sum-join"


def test_shards_of_halves_are_not_those_of_the_search() -> None:
    """Some of which were searched while it was cut, so that they are known."""
    question = ask(rk.puzzle("magic-star 7"), hands_on_rows=False, workers=1, sizes=DEFAULT_SIZES)
    search = prepare(question, cutting.by_length)
    joined = race._Joining(search).search()
    assert 0 < len(search.known) < len(search.shards)
    assert not joined.known


MOMENTS = Sizes(moment_nodes=1 << 10, shards_if_short=8)
"""Five by five cells in three colours are some 100 moments."""


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("up_to", ["none", "symmetry"])
def test_shorter_searches_are_merged_where_nothing_is_to_be_compiled(
    up_to: str, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = grid(5).colorings(3)
    monkeypatch.setattr(merging, "LEAST_IF_KEPT", merging.LEAST_IF_LOADED)
    monkeypatch.setattr(merging, "is_kept", lambda *, with_rules: True)
    merged = rk.count(puzzle, up_to=up_to, workers=workers, sizes=MOMENTS)
    monkeypatch.setattr(merging, "is_kept", lambda *, with_rules: False)
    listed = rk.count(puzzle, up_to=up_to, workers=workers, sizes=MOMENTS)
    assert (merged.engine, listed.engine) == ("csp-frontier", "coloring-masks")
    assert merged.total == listed.total == 580986  # OEIS A068253, three times
    assert merged.unique == listed.unique


def test_a_longer_search_waits_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "is_kept", lambda *, with_rules: False)
    merged = rk.count(grid(5).colorings(3), workers=1, sizes=TINY)
    assert (merged.engine, merged.total) == ("csp-frontier", 580986)  # OEIS A068253, three times


def test_a_search_with_a_shard_that_has_most_nodes_is_merged() -> None:
    """The shards that are searched while it is cut are small, so it seems to be short."""
    problem = rk.Problem()
    value = problem.variables([f"{k}" for k in range(64)], (0, 1))
    for lesser, bit in product(range(64), (1, 2, 4, 8, 16, 32)):
        if not lesser & bit:
            problem.linear((1, -1), (value[lesser], value[lesser | bit]), "<=", 0)
    counted = rk.count(problem.puzzle("monotone functions of six variables"), up_to="none")
    assert (counted.engine, counted.total) == ("csp-frontier", 7828354)  # OEIS A000372


@pytest.mark.parametrize(("n", "total"), [(80, 15796476), (100, 190569292)])
def test_a_search_with_few_known_shards_is_not_known_to_be_short(n: int, total: int) -> None:
    """OEIS A000041. One of the shards of the partitions of 80 has most nodes; its first half moment tells nothing.

    Of those of 100 the two least are known, and seem to tell enough.
    """
    problem = rk.Problem()
    times = [problem.variable(f"{part}", range(n // part + 1)) for part in range(1, n + 1)]
    problem.linear(range(1, n + 1), times, "=", n)
    counted = rk.count(problem.puzzle(f"partitions of {n}"), up_to="none")
    assert (counted.engine, counted.total) == ("csp-frontier", total)


def test_classes_of_conjugates_are_looked_up_before_a_count_by_merging_is_dropped() -> None:
    """Only then is Burnside's lemma known to need far fewer nodes than elements times those of the total."""
    puzzle = rk.graph(named="torus 7 7").orientations(eulerian=True)
    counted = rk.count(puzzle)
    assert (counted.engine, counted.total) == ("csp-frontier", 4484823396)  # OEIS A054759
    assert counted.unique == 11441993


def test_a_count_by_merging_waits_until_the_search_is_known_to_be_longer_than_burnside_s_lemma() -> None:
    """Merging ends in the first rounds, when the bound of the search is less than 121 walks may take."""
    exchanges = """
    kind = "grid"
    board = "rectangle 6 6"
    values = "01"
    symmetry = ["rows", "columns"]
    [[count]]
    value = 1
    regions = ["rows", "columns"]
    times = "at least once"
    """
    counted = rk.count(rk.puzzle_from_text(exchanges, "matrices without empty lines"))
    assert (counted.engine, counted.unique) == ("csp-frontier", 200082)  # OEIS A054976


def test_what_is_kept_needs_no_compiler() -> None:
    for with_rules, puzzle, engine in (
        (True, grid(4).colorings(3), "csp-frontier"),
        (False, rk.puzzle("dominoes 4 4"), "cover-frontier"),
    ):
        rk.count(puzzle, engine=engine)
        if is_kept(with_rules=with_rules):
            with compiling() as compiled:
                rk.count(puzzle, engine=engine)
            assert not compiled.functions


def test_halves_are_not_joined_where_that_is_longer_or_gives_no_orbits() -> None:
    puzzle = rk.puzzle("magic-star 7")
    listed = rk.count(puzzle, up_to="complement")
    by_complement = rk.count(puzzle, up_to="complement", sizes=TINY)
    assert by_complement.engine != "sum-join"
    assert (by_complement.total, by_complement.unique) == (listed.total, listed.unique)
    for name, value in (("moment_nodes", 1e-9), ("is_expected_to_fit", lambda engine, plan: False)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(SumJoin, name, value)
            assert rk.count(puzzle, sizes=TINY).engine != "sum-join"
    hexagon = rk.puzzle("magic-hexagon 3 --given 16@2,0 --given 2@2,1")
    assert rk.count(hexagon, sizes=TINY).engine != "sum-join"


def test_a_star_is_joined_after_merging_was_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Merging runs out of memory in the first round. A later round finds that joining is shorter."""
    monkeypatch.setattr(race, "CspFrontier", lambda: CspFrontier(most_bytes=1 << 8))
    monkeypatch.setattr(SumJoin, "moment_nodes", 400)
    result = rk.count(rk.puzzle("magic-star 9"), sizes=TINY)
    assert (result.engine, result.total, result.unique) == ("sum-join", 54252, 3014)


@pytest.mark.long
def test_the_star_of_twelve_points_is_joined_by_default() -> None:
    result = rk.count(rk.puzzle("magic-star 12"))
    assert (result.engine, result.total, result.unique) == ("sum-join", 9526320, 396930)


def test_searches_go_on_as_they_were() -> None:
    """Short searches, those of a named engine and those with a limit are not merged."""
    puzzle = grid(4).colorings(3)
    assert rk.count(puzzle).engine == "coloring-masks"
    assert rk.count(puzzle, sizes=TINY, engine="coloring-masks").engine == "coloring-masks"
    assert rk.count(puzzle, sizes=TINY, limit=100000).engine == "coloring-masks"


def test_orbits_of_a_group_that_is_too_large_to_list() -> None:
    """Each of 4 colours is in both squares of one row of 9 at most. Up to the order of rows, a solution has k such
    rows and 9 - k others of 12 kinds, which exchanging the columns joins in pairs.
    """
    told: list[rk.Progress] = []
    result = rk.count(rk.puzzle("rectangle-free 2 9 4"), watch=told.append)
    total = sum(comb(4, k) * perm(9, k) * 12 ** (9 - k) for k in range(5))
    multisets = sum(comb(4, k) * comb(11 + 9 - k, 11) for k in range(5))
    kept = sum(comb(4, k) * comb(5 + (9 - k) // 2, 5) for k in (1, 3))
    assert (result.total, result.unique, result.engine) == (total, (multisets + kept) // 2, "csp-frontier")
    told_total = [
        progress for progress in told if progress.stage.endswith(f" symmetric ones of {total:,} solutions")
    ]
    assert told_total[0].nodes == 0


def test_a_total_without_orbits_where_a_large_group_is_no_product(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rekkyo.search.question.large_group", lambda *_: None)
    monkeypatch.setattr("rekkyo.ask.count.product_of", lambda generators: None)
    result = rk.count(rk.puzzle("rectangle-free 2 9 4"))
    assert (result.unique, result.engine) == (None, "csp-frontier")
    assert result.left_out is not None
    assert result.left_out.endswith(
        'too many to list; count without it: --up-to none (in Python up_to="none")'
    )


def test_orbits_are_searched_where_merging_cannot_tell_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Merging counts first, but the group seems to be no product, so that Burnside's lemma is not used."""
    monkeypatch.setattr(race, "product_of", lambda _: None)
    puzzle = rk.puzzle("ramsey 3 5 9")
    result = rk.count(puzzle, sizes=TINY)
    assert (result.engine, result.unique) == ("csp", 290)  # B. D. McKay, Ramsey graphs
    monkeypatch.setattr(race, "_least_moments", lambda _: iter((1e9,)))
    question = ask(puzzle, up_to="symmetry", hands_on_rows=False, takes_large=True, workers=1, sizes=TINY)
    whole = prepare(question, cutting.whole_if_long)
    assert race.merged_at_once(whole, None) is whole


@pytest.mark.parametrize("engine", ["csp", "csp-frontier"])
def test_orbits_of_best_solutions_under_a_group_that_is_too_large_to_list(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but the last variable can be exchanged, so an orbit is a number of ones: 10 at most, beside a 2."""
    problem = rk.Problem()
    ones = problem.variables([f"x{i}" for i in range(16)], (0, 1))
    last = problem.variable("last", (0, 1, 2))
    problem.linear([1] * 17, [*ones, last], "<=", 12)
    problem.maximize(last)
    blocks = [range(3 * i, 3 * i + 3) for i in range(17)]
    orders = [[*range(i), i + 1, i, *range(i + 2, 17)] for i in range(15)]
    swaps = tuple(tuple(atom for i in order for atom in blocks[i]) for order in orders)
    if engine == "csp-frontier":
        monkeypatch.setattr("rekkyo.search.question.large_group", lambda *_: None)
    result = rk.count(replace(problem.puzzle(), generators=swaps), sizes=TINY)
    total = sum(comb(16, k) for k in range(11))
    assert (result.engine, result.total, result.unique) == (engine, total, 11)
    assert (result.optimum, result.left_out) == (2, None)


def test_merging_gives_up() -> None:
    """Merging stops when it takes more than its share, or more memory than there is."""
    puzzle = grid(4).colorings(3)
    counts = {rk.count(puzzle).total, rk.count(puzzle, sizes=TINY).total}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(race, "MOST_LOST", 1e-9)
        patch.setattr(race, "MOST_LOST_IF_KEPT", 1e-9)
        patch.setattr(merging, "MOST_LIKELY", 1e-9)
        lost = rk.count(puzzle, sizes=TINY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(race, "CspFrontier", lambda: CspFrontier(most_bytes=1 << 8))
        refused = rk.count(puzzle, sizes=TINY)
    assert refused.engine == "coloring-masks"
    assert lost.engine == "coloring-masks"
    assert counts == {lost.total} == {refused.total}


def test_orbits_that_would_take_longer_than_the_search_are_left_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(race, "MOMENTS_OF_PLAN", 1e9)
    result = rk.count(grid(4).colorings(3), sizes=TINY)
    assert result.engine == "coloring-masks"
    assert result.unique is not None
