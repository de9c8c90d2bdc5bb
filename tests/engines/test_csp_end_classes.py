"""Classes of ends under an exchange: by definition, and in a model where an exchange must not be made."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import example, given

from rekkyo.engines.csp.frontier.end_classes import NO_LITERAL, PAD, EndClasses
from rekkyo.engines.csp.frontier.levels import Alike
from rekkyo.model.csp.constraints import Clause
from rekkyo.model.csp.csp import Csp
from tests import made_once as st
from tests import naive_csp
from tests.engines.csp_counted import alike_of, planned, total_of


@pytest.mark.kernel
def test_ends_that_an_exchange_takes_to_ends_of_several_classes() -> None:
    """Such an exchange must not be made at that level: made without these ends, it left 20 solutions of 32."""
    alike = [Clause(((a, 0, False), (b, 1, False))) for a, b in permutations(range(4), 2)]
    ends = [
        Clause(((a, 1, False), (b, 0, False), (4 + c, 0, False))) for a, b, c in permutations(range(4), 3)
    ]
    model = Csp(tuple("abcdefgh"), ((0, 1),) * 8, (*alike, *ends))
    exchanges = Alike(exchanges=alike_of(model).exchanges)
    assert total_of(planned(model, range(8), exchanges)) == len(naive_csp.solutions(model)) > 0


@given(
    parts=st.lists(st.sets(st.frozensets(st.integers(0, 5), min_size=1, max_size=3), min_size=1), max_size=4),
    image=st.permutations(range(6)),
    gone=st.none() | st.integers(0, 5),
)
@example(parts=[{frozenset({0})}, {frozenset({1})}], image=[1, 0, 2, 3, 4, 5], gone=None)
@example(parts=[{frozenset({0}), frozenset({2})}, {frozenset({1})}], image=[1, 0, 2, 3, 4, 5], gone=None)
@example(parts=[{frozenset({0}), frozenset({2})}, {frozenset({1})}], image=[1, 2, 0, 3, 4, 5], gone=None)
@example(
    parts=[{frozenset({0}), frozenset({1})}, {frozenset({2}), frozenset({3})}],
    image=[2, 1, 0, 3, 4, 5],
    gone=None,
)
@example(
    parts=[{frozenset({0, 1}), frozenset({4})}, {frozenset({2, 3}), frozenset({5})}],
    image=[3, 2, 1, 0, 5, 4],
    gone=None,
)
@example(parts=[], image=[0, 1, 2, 3, 4, 5], gone=None)
@example(parts=[{frozenset({0, 1}), frozenset({2})}], image=[1, 0, 2, 3, 4, 5], gone=2)
@example(parts=[{frozenset({0, 1})}, {frozenset({2})}, {frozenset({0})}], image=[2, 1, 0, 3, 4, 5], gone=1)
def test_images_of_classes_of_ends(
    parts: list[set[frozenset[int]]], image: list[int], gone: int | None
) -> None:
    seen: set[frozenset[int]] = set()
    classes: list[set[frozenset[int]]] = []
    for part in parts:  # no end is in two classes
        if part - seen:
            classes.append(part - seen)
        seen |= part
    image_of = [NO_LITERAL if v == gone else image[v] for v in range(6)]
    moved = [{frozenset(image_of[v] for v in end) for end in some} for some in classes]
    expected = [classes.index(some) for some in moved if some in classes]
    found = EndClasses({number: [list(end) for end in some] for number, some in enumerate(classes)})
    is_possible = len(expected) == len(classes)
    assert found.images(np.array([*image_of, PAD, NO_LITERAL])) == (
        dict(enumerate(expected)) if is_possible else None
    )
