"""Permutations that leave points where they are, against lists of all elements of small groups."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from rekkyo.symmetry.keeping import keeping

Element = tuple[int, ...]


def elements(generators: Sequence[Element], n: int) -> set[Element]:
    found = {tuple(range(n))}
    new = list(found)
    for one in new:
        for generator in generators:
            image = tuple(generator[at] for at in one)
            if image not in found:
                found.add(image)
                new.append(image)
    return found


@settings(max_examples=200)
@given(st.data())
def test_all_elements_that_keep_points_and_one_that_takes_them_elsewhere(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 6))
    generators = data.draw(st.lists(st.permutations(range(n)).map(tuple), min_size=1, max_size=3))
    points = data.draw(st.lists(st.integers(0, n - 1), unique=True))
    images = data.draw(st.permutations(range(n)))[: len(points)]
    group = elements(generators, n)
    kept, taking = keeping(generators, points, images)
    assert keeping(generators, points) == (kept, None)
    assert elements(kept, n) == {one for one in group if all(one[point] == point for point in points)}
    fits = {one for one in group if [one[point] for point in points] == images}
    assert taking in fits if fits else taking is None


def test_a_group_that_nobody_could_list() -> None:
    n = 24
    swap, turn = (1, 0, *range(2, n)), (*range(1, n), 0)
    kept, taking = keeping([swap, turn], range(n - 3), [*range(1, n - 3), 0])
    assert len(elements(kept, n)) == 6
    assert taking is not None
    assert [taking[at] for at in range(n - 3)] == [*range(1, n - 3), 0]
