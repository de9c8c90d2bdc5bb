"""Covers that are folded by a symmetry, against the solutions that it leaves unchanged, one by one."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given

from rekkyo.engines.contract import no_pause
from rekkyo.engines.covers.counting import MAX_ITEMS
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.covers.memo.engine import CoverMemo
from rekkyo.engines.crew import ALONE
from rekkyo.model.exact_cover import ExactCover, Option
from tests import made_once as st
from tests import naive_cover
from tests.engines.test_cover_exchanges import moved
from tests.examples import examples

ENGINES = CoverFrontier(), CoverMemo()


@st.composite
def with_a_symmetry(draw: st.DrawFn) -> tuple[ExactCover, tuple[int, ...]]:
    """A cover whose primary and secondary items a permutation moves, and what it does to the options.

    Options have several items of a cycle, and secondary items have colours there or not.
    """
    n_primary, n_secondary = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    onto = dict(enumerate(draw(st.sampled_from(list(permutations(range(n_primary)))))))
    onto |= {n_primary + a: n_primary + b for a, b in enumerate(draw(st.permutations(range(n_secondary))))}
    bounds = draw(st.sampled_from([(1, 1), (0, 2), (1, 2), (2, 3), (0, 1)]))
    uses = st.tuples(st.integers(0, n_primary + n_secondary - 1), st.integers(0, 2))
    options: set[Option] = set()
    for some in draw(st.lists(st.lists(uses, min_size=1, max_size=4), min_size=1, max_size=4)):
        uses_of = {item: color if item >= n_primary else 0 for item, color in some}
        option = tuple(sorted(uses_of.items()))
        while min(uses_of) < n_primary and option not in options and len(options) < 12:
            options.add(option)
            option = moved(option, onto)
    closed = tuple(sorted(option for option in options if is_closed(option, options, onto)))
    model = ExactCover(
        tuple(f"p{item}" for item in range(n_primary)),
        tuple(f"s{item}" for item in range(n_secondary)),
        closed,
        bounds=(bounds,) * n_primary,
    )
    return model, tuple(closed.index(moved(option, onto)) for option in closed)


def is_closed(option: Option, options: set[Option], onto: dict[int, int]) -> bool:
    """Whether all images of an option are there."""
    image = moved(option, onto)
    while image != option and image in options:
        image = moved(image, onto)
    return image == option


@pytest.mark.kernel
@examples(400)
@given(given_cover=with_a_symmetry())
def test_as_many_solutions_as_are_left_unchanged(given_cover: tuple[ExactCover, tuple[int, ...]]) -> None:
    check(*given_cover)


def check(model: ExactCover, symmetry: tuple[int, ...]) -> int:
    """As many solutions as a symmetry leaves unchanged, by the definition and by both engines.

    `cover-memo` takes no option that covers an item more than once, which a cycle of options may do.
    """
    n = len(model.options)
    solutions = [{option for option in row if option < n} for row in naive_cover.solutions(model)]
    unchanged = sum({symmetry[option] for option in solution} == solution for solution in solutions)
    for engine in ENGINES:
        tally = engine.count_fixed(engine.make_plan(model), symmetry or (0,), no_pause, ALONE)
        if tally is None:
            assert engine.name == "cover-memo"
            assert max(most for _, most in model.bounds) > 1
        else:
            assert tally.total == unchanged
    return unchanged


@pytest.mark.kernel
@pytest.mark.parametrize("of_b", [(1, 2), (2, 2)])
def test_items_that_a_cycle_covers_once_and_more_than_once(of_b: tuple[int, int]) -> None:
    """The symmetry exchanges a and c. Both cycles of ab and cb cover b 2 times, so only one of them is chosen.

    The first options have s in common, so their cycle is none of the new options.
    """
    a, b, c, s = ((item, 0) for item in range(4))
    options = (a, s), (c, s), (a, b), (a, b), (b, c), (b, c)
    model = ExactCover(tuple("abc"), ("s",), options, bounds=((1, 2), of_b, (1, 2)))
    assert check(model, (1, 0, 4, 5, 2, 3)) == 2


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_secondary_items_are_items_too(engine: CoverFrontier | CoverMemo) -> None:
    for n_secondary in (MAX_ITEMS - 1, MAX_ITEMS):
        model = ExactCover(("p",), tuple(f"s{item}" for item in range(n_secondary)), (((0, 0),),))
        said = engine.limits(model)
        assert (said is None) == (n_secondary < MAX_ITEMS)
        assert said is None or f"at most {MAX_ITEMS} items" in said


@pytest.mark.parametrize("kind", [CoverFrontier, CoverMemo], ids=lambda kind: kind.name)
def test_as_many_options_as_may_be(
    kind: type[CoverFrontier | CoverMemo], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, "max_options", 3)
    models = [ExactCover(("p",), ("s", "t"), ((((0, 0),),) * n)) for n in (3, 4)]
    said = [kind().limits(model) for model in models]
    assert said == [None, f"takes at most {MAX_ITEMS} items and 3 options"]
