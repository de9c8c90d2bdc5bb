"""Elements of order two of a permutation group, against the group's list of all elements."""

from __future__ import annotations

from hypothesis import example, given

from rekkyo.symmetry.involutions import involutions
from tests import made_once as st

Permutation = tuple[int, ...]


def composed(first: Permutation, then: Permutation) -> Permutation:
    return tuple(then[image] for image in first)


def closed(some: set[Permutation], generators: list[Permutation]) -> set[Permutation]:
    """Those permutations, and their conjugates by elements of the group."""
    found, waiting = set(some), list(some)
    while waiting:
        one = waiting.pop()
        for each in generators:
            inverse = tuple(sorted(range(len(each)), key=each.__getitem__))
            conjugate = composed(composed(inverse, one), each)
            if conjugate not in found:
                found.add(conjugate)
                waiting.append(conjugate)
    return found


def powers_of_order_two(generator: Permutation) -> set[Permutation]:
    identity = tuple(range(len(generator)))
    powers, power = [], generator
    while power != identity:
        powers.append(power)
        power = composed(power, generator)
    return {power for power in powers if composed(power, power) == identity}


@given(generators=st.lists(st.permutations(range(6)).map(tuple), min_size=1, max_size=2))
@example(generators=[(1, 2, 3, 4, 5, 0)])
@example(generators=[(1, 2, 0, 4, 3, 5)])
def test_powers_of_generators_and_their_conjugates(generators: list[Permutation]) -> None:
    """Each once. Those that move the fewest things come first, as far as they are known then."""
    found = list(involutions(generators, 1000))
    assert len(found) == len({*found})
    assert {*found} == closed(set().union(*map(powers_of_order_two, generators)), generators)
    assert list(involutions(generators, 3)) == found[:3]


def test_generators_of_odd_order_have_none() -> None:
    assert list(involutions([(1, 2, 0, 3), (0, 2, 3, 1)], 1000)) == []


def test_those_that_move_fewest_come_first_and_each_of_the_same_things_in_turn() -> None:
    """Three stacks of two things: each is turned in one way, and any two are exchanged in two ways."""
    turned, exchanged = (1, 0, 2, 3, 4, 5), [(2, 3, 0, 1, 4, 5), (0, 1, 4, 5, 2, 3)]
    found = list(involutions([*exchanged, turned], 1000))
    moved = [frozenset(at for at, image in enumerate(one) if at != image) for one in found]
    assert [len(some) for some in moved] == [2] * 3 + [4] * 6
    assert len({*moved[3:6]}) == len({*moved[6:9]}) == 3
