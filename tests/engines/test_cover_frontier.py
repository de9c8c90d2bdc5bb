"""Counting by merging: the definition, published counts, symmetric solutions, memory, and which order."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given

import rekkyo as rk
from rekkyo.catalog import index
from rekkyo.engines.contract import WHOLE, Tally, no_pause
from rekkyo.engines.covers.counting import folded
from rekkyo.engines.covers.frontier import engine as frontier
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.covers.frontier.levels import components, make_levels
from rekkyo.engines.crew import ALONE
from rekkyo.engines.frontier.tally import tally_of
from rekkyo.engines.frontier.trial import Trial
from rekkyo.engines.frontier.walk import walk
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.queens import Queens
from tests import naive_cover
from tests.engines.covers_counted import cover, total_of

ENGINE = CoverFrontier()


def total(model: ExactCover, engine: CoverFrontier = ENGINE) -> int:
    return total_of(engine, model)


@pytest.mark.kernel
@given(model=naive_cover.models())
def test_counts_what_the_definition_says(model: ExactCover) -> None:
    assert total(model) == len(naive_cover.solutions(model))


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("model", "count"),
    [
        (naive_cover.TOY_XCC, 1),
        (naive_cover.TOY_MCC, len(naive_cover.solutions(naive_cover.TOY_MCC))),
        (naive_cover.fillings(4, 4, naive_cover.DOMINOES), 36),
        (naive_cover.langford(4), 2),
        (naive_cover.queens(5), 10),
        (ExactCover(("a", "b"), (), (((0, 0),),)), 0),
        (ExactCover(("a",)), 0),
        (ExactCover(("a", "b"), (), (((0, 0), (1, 0)), ((0, 0), (1, 0)))), 2),
        (ExactCover(("a",), (), (((0, 0),),), ((0, 1),)), 2),
    ],
)
def test_small_counts(model: ExactCover, count: int) -> None:
    assert total(model) == count


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("dominoes 8 8", 12988816),  # Kasteleyn 1961
        ("dominoes 16 16", 2444888770250892795802079170816),  # OEIS A004003
        ("dominoes 20 20", 1269984011256235834242602753102293934298576249856),  # OEIS A004003
        ("polyominoes 3 9 9 --any-number --only L", 1193600),  # OEIS A351323 and others: 9x9 with L-trominoes
        ("polyominoes 5 5 10 --any-number", 101698212),  # OEIS A174249
        ("polyominoes 5 20 5 --any-number", 76953117224941654),  # OEIS A174249
        ("latin-square 6", 812851200),  # OEIS A002860
        ("latin-square 7", 61479419904000),  # OEIS A002860
        ("aztec-diamond 8", 2**36),
        ("langford 8", 300),
    ],
)
def test_published_counts(words: str, count: int) -> None:
    assert total(cover(words)) == count


@pytest.mark.long
def test_latin_squares_of_order_8() -> None:
    assert total(cover("latin-square 8")) == 108776032459082956800  # OEIS A002860


@pytest.mark.parametrize("order", range(1, 9))
def test_aztec_diamonds(order: int) -> None:
    assert total(cover(f"aztec-diamond {order}")) == 2 ** (order * (order + 1) // 2)


@pytest.mark.kernel
def test_counts_grow_beyond_128_bits() -> None:
    """Two options for each of 200 items that have nothing to do with each other."""
    options = tuple(((item, 0),) for item in range(200) for _ in range(2))
    assert total(ExactCover(tuple(map(str, range(200))), (), options)) == 2**200


@pytest.mark.kernel
def test_states_of_several_words() -> None:
    """Ends of 100 chains are remembered together, since a last item is in one option with all of them."""
    n = 100
    far = (*((item, 0) for item in range(n)), (n, 0))
    near = tuple(((item, 0),) for item in range(n))
    model = ExactCover(tuple(map(str, range(n + 1))), (), (far, *near, ((n, 0),)))
    assert make_levels(model).n_words > 1
    assert total(model) == 2


def test_components_cost_their_sum_even_when_their_items_alternate() -> None:
    one = naive_cover.fillings(6, 6, naive_cover.DOMINOES)
    n = len(one.primary)
    twice = ExactCover(
        tuple(f"{part}{item}" for item in range(n) for part in "ab"),
        (),
        tuple(tuple((2 * item + part, 0) for item, _ in option) for option in one.options for part in (0, 1)),
    )
    assert len(set(components(twice))) == 2
    plan = ENGINE.plan(twice)
    both = ENGINE.count(plan, WHOLE, no_pause)
    single = ENGINE.count(ENGINE.plan(one), WHOLE, no_pause)
    assert both.total == single.total**2 == 6728**2
    assert both.nodes <= 2 * single.nodes


@pytest.mark.kernel
@given(model=naive_cover.models())
def test_solutions_unchanged_by_a_symmetry(model: ExactCover) -> None:
    """Exchanges of options that are alike in every way are symmetries that any model may have."""
    alike: dict[object, list[int]] = {}
    for number, option in enumerate(model.options):
        alike.setdefault(tuple(sorted(option)), []).append(number)
    symmetry = list(range(len(model.options)))
    for numbers in alike.values():
        for one, other in zip(numbers, numbers[1:] + numbers[:1], strict=True):
            symmetry[one] = other
    plan = ENGINE.plan(model)
    tally = ENGINE.count_fixed(plan, tuple(symmetry) or (0,), no_pause, ALONE)
    fixed = [
        row
        for row in naive_cover.solutions(model)
        if sorted(symmetry[o] for o in row if o < len(symmetry)) == [o for o in row if o < len(symmetry)]
    ]
    assert tally is not None
    assert tally.total == len(fixed)


@pytest.mark.parametrize(
    "words", ["dominoes 4 6", "dominoes 6 6", "polyominoes 3 6 6 --any-number", "langford 7"]
)
def test_symmetric_solutions_of_puzzles(words: str) -> None:
    from rekkyo.ask.count import count

    puzzle = index.puzzle(words)
    merged = count(puzzle, engine="cover-frontier")
    listed = count(puzzle, engine="cover-cells")
    assert (merged.total, merged.unique) == (listed.total, listed.unique)


@pytest.mark.kernel
@pytest.mark.parametrize(("low", "high"), [(0, 3), (2, 4), (3, 3), (5, 9)])
def test_symmetric_solutions_where_pieces_are_counted(low: int, high: int) -> None:
    """Six options of one counted item, moved in cycles of three, two and one."""
    options = (*(((0, 0), (1 + number, 0)) for number in range(6)), *(((1 + n, 0),) for n in range(6)))
    model = ExactCover(
        tuple("nabcdef"), (), options, ((low, high), *((0, 1) if n % 2 else (1, 1) for n in range(6)))
    )
    # 0 -> 2 -> 4 -> 0 and 1 <-> 3, with the options that leave the counted item out
    symmetry = (2, 3, 4, 1, 0, 5, 8, 9, 10, 7, 6, 11)
    rows = naive_cover.solutions(model)
    n = len(options)
    fixed = [row for row in rows if {symmetry[o] for o in row if o < n} == {o for o in row if o < n}]
    tally = ENGINE.count_fixed(ENGINE.plan(model), symmetry, no_pause, ALONE)
    assert tally is not None
    assert tally.total == len(fixed)


def test_memory_is_bounded_and_the_answer_is_clear() -> None:
    with pytest.raises(
        EngineRefuses, match=r"merging equal states takes more than .* MB .* choose an engine that lists"
    ):
        total(cover("pentominoes 6 10"), CoverFrontier(most_bytes=1 << 20))


@pytest.mark.parametrize("words", ["dominoes 8 8", "dominoes 30 30", "latin-square 6"])
def test_pays_off_where_listing_is_hopeless(words: str) -> None:
    assert ENGINE.pays_off(cover(words))


@pytest.mark.parametrize("words", ["pentominoes 6 10", "langford 7", "dominoes 4 4", "sudoku", "digits"])
def test_does_not_pay_off_where_little_is_merged_or_little_is_there(words: str) -> None:
    assert not ENGINE.pays_off(cover(words))


@pytest.mark.parametrize(
    "words",
    [
        "pentominoes 6 10",
        "pentominoes-3d 2 5 6",
        "hexiamonds 6 6",
        "tetrasticks",
        "soma",
        "bedlam",
        "langford 12",
        "sudoku",
        "digits",
        "dominoes 6 6",
        "dominoes 8 8",
    ],
)
def test_plain_cases_are_settled_without_a_kernel(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A first count must not wait for a compiler whose work it does not need."""

    def compiled(*_: object) -> None:
        raise AssertionError("the compiled look was asked")

    monkeypatch.setattr(frontier, "Trial", compiled)
    monkeypatch.setattr(frontier, "is_loaded", lambda *_: False)
    frontier.forget_look()
    assert ENGINE.pays_off(cover(words)) == (words == "dominoes 8 8")
    frontier.forget_look()


@given(model=naive_cover.models())
def test_a_glance_walks_the_same_states_as_the_kernels(model: ExactCover) -> None:
    plan = ENGINE.plan(model)
    fronts = list(walk(plan))
    glance = frontier.glance_at(plan.levels)
    assert glance.is_through
    assert glance.ways == sum(front.ways for front in fronts[1:])
    assert frontier.look_at(Trial(plan, frontier.MOST_BYTES)) == glance


@pytest.mark.parametrize(
    "words", ["pentominoes 6 10", "soma", "langford 7", "latin-square 6", "dominoes 24 24"]
)
def test_a_glance_by_kernels_sees_as_much_or_more(words: str) -> None:
    """More where many states are passed on without a choice, which kernels do not count as nodes."""
    plan = ENGINE.plan(cover(words))
    glance, by_kernels = frontier.glance_at(plan.levels), frontier.look_at(Trial(plan, frontier.MOST_BYTES))
    if words == "latin-square 6":  # what can be exchanged leaves few states
        assert by_kernels.is_through
        assert not glance.is_through
    elif words == "dominoes 24 24":
        assert by_kernels.ways > glance.ways
        assert not by_kernels.is_through
    else:
        assert by_kernels == glance


def test_a_look_that_comes_to_the_end_is_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """dominoes 8 8: A004003(4)."""
    plan, walked = ENGINE.plan(cover("dominoes 8 8")), ENGINE.plan(cover("dominoes 8 8"))
    shard = WHOLE
    tally = tally_of(walked, ENGINE.most_bytes, no_pause)
    assert frontier.verdict_after(Trial(plan, frontier.MOST_BYTES)) == (True, True)
    monkeypatch.setattr("rekkyo.engines.frontier.tally.Walk", None)
    assert ENGINE.count(plan, shard, no_pause) == tally == Tally(12988816, tally.nodes)
    with pytest.raises(TypeError, match="NoneType"):  # it walks: the look had more memory
        CoverFrontier(most_bytes=1 << 20).count(plan, shard, no_pause)


def test_a_trial_goes_on_from_a_look() -> None:
    """In other memory; the look stays as it is, so that others may go on from it, too."""
    plan = ENGINE.plan(cover("pentominoes 4 15"))
    look, whole = Trial(plan, frontier.MOST_BYTES), Trial(plan, ENGINE.most_bytes)
    frontier.look_at(look)
    n_nodes = look.nodes
    while whole.step():
        pass
    assert 0 < n_nodes < whole.nodes
    for _ in range(2):
        rest = look.going_on(ENGINE.most_bytes, ALONE)
        while rest.step():
            pass
        assert (rest.tally, rest.nodes, rest.ways) == (Tally(4 * 368, whole.nodes), whole.nodes, whole.ways)
        assert rest.moments_foreseen == whole.moments_foreseen
        assert (look.tally, look.nodes) == (None, n_nodes)
    narrow = look.going_on(1 << 10, ALONE)
    assert not narrow.step()
    assert narrow.needs == inf


def test_ways_beyond_all_floats() -> None:
    """Any of 1100 squares: 2^1100 subsets. A float is less than 2^1024."""
    n = 1100
    items = tuple(f"square {number}" for number in range(n))
    model = ExactCover(items, (), tuple(((item, 0),) for item in range(n)), ((0, 1),) * n)
    plan = ENGINE.plan(model)
    trial = Trial(plan, frontier.MOST_BYTES)
    assert frontier.verdict_after(trial) == (True, True)
    assert frontier.glance_at(plan.levels).ways_to_a_state == trial.ways_to_a_state == inf
    assert rk.count(rk.Puzzle("subsets", model, "Any squares"), up_to="none").total == 2**n


@pytest.mark.parametrize("workers", [1, 2])
def test_a_total_that_a_look_has_found_is_not_searched_for(workers: int) -> None:
    """dominoes 6 6: A004003(3)."""
    puzzle = rk.puzzle("dominoes 6 6")
    ENGINE.compile(lower(puzzle.model))
    found = rk.count(puzzle, up_to="none", workers=workers)
    assert (found.engine, found.total) == ("cover-frontier", 6728)
    orbits = rk.count(puzzle, workers=workers)
    assert (orbits.engine, orbits.total, orbits.unique) == ("cover-masks", 6728, 930)


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (Queens(4), "counts exact covers only"),
        (ExactCover(tuple(map(str, range(20000)))), "takes at most 16384 items and 262144 options"),
    ],
)
def test_refusals_say_why(model: ExactCover | Queens, reason: str) -> None:
    with pytest.raises(EngineRefuses, match=f"engine cover-frontier {reason}"):
        ENGINE.plan(model)


@pytest.mark.parametrize(
    ("symmetry", "colors"),
    [
        pytest.param((0, 1), ((1, 1), (1, 2)), id="items of the same options and other colours"),
        pytest.param((1, 0), ((0, 0), (0, 0)), id="options of a cycle with an item without colour"),
    ],
)
def test_a_folded_cover_keeps_conflicts(
    symmetry: tuple[int, ...], colors: tuple[tuple[int, int], ...]
) -> None:
    """Items a and b need both options, which do not agree on t."""
    options = tuple(((at, 0), (2, one), (3, other)) for at, (one, other) in enumerate(colors))
    model = ExactCover(("a", "b"), ("s", "t"), options)
    assert naive_cover.solutions(folded(model, symmetry).model) == naive_cover.solutions(model) == []
