"""A recorded elimination, repeated modulo several primes at once. `sparse.py` records it.

A *slot* holds the numbers of one place of the matrix, one for each prime, in Montgomery form (see
`band_kernel.py`). Places that the elimination fills have slots, too. Step k of the elimination:

    pivots[k]        the slot of the pivot, whose row and column are left out from then on
    factors          for each other row with a slot in the pivot's column, that slot
    sources          the other slots of the pivot's row
    targets          for each of these rows and sources, the slot to which a multiple of the source is added

The numbers of a slot are next to each other, so that one instruction takes several primes, and the steps are
read once for all of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, TWO
from rekkyo.engines.determinants.band_kernel import reduced
from rekkyo.engines.remainders import PRIME_BITS
from rekkyo.jit import inlined_inner_kernel, inner_kernel, kernel

LANES = 16
"""The primes that are taken at once."""


class Steps(NamedTuple):
    """The steps of an elimination. Those of row k are from starts[k] to starts[k + 1], exclusive.

    pivots : int32[n]. factors, sources, targets : int32[...]. Slots, see above; the targets of all steps
    follow each other. factor_starts, source_starts : int32[n + 1].
    """

    pivots: NDArray[np.int32]
    factor_starts: NDArray[np.int32]
    factors: NDArray[np.int32]
    source_starts: NDArray[np.int32]
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]


class Lanes(NamedTuple):
    """Arrays of one number for each prime : uint64[LANES].

    ones, in: 2^32 modulo the prime. inverses, in: -1 / prime modulo 2^32. found, out: the determinants, from
    0 to prime - 1. factors, times: scratch.
    """

    primes: NDArray[np.uint64]
    ones: NDArray[np.uint64]
    inverses: NDArray[np.uint64]
    found: NDArray[np.uint64]
    factors: NDArray[np.uint64]
    times: NDArray[np.uint64]


@kernel
def determinants(slots: NDArray[np.uint32], steps: Steps, lanes: Lanes) -> bool:
    """Whether no pivot is 0. If so, `lanes.found` has the determinants, with the sign of the pivots' order.

    slots : uint32[n_slots, LANES], in/out. The entries, and 0 at places that are filled; destroyed.
    """
    found, next_target = lanes.found, 0
    for lane in range(LANES):
        found[lane] = lanes.ones[lane]
    for k in range(len(steps.pivots)):
        pivot = slots[steps.pivots[k]]
        for lane in range(LANES):
            if pivot[lane] == 0:
                return False
            found[lane] = _product(found[lane], pivot[lane], lanes, lane)
        if steps.factor_starts[k] < steps.factor_starts[k + 1]:
            _invert(pivot, lanes)
        for row in range(steps.factor_starts[k], steps.factor_starts[k + 1]):
            entry = slots[steps.factors[row]]
            for lane in range(LANES):
                lanes.times[lane] = _product(lanes.factors[lane], entry[lane], lanes, lane)
            for place in range(steps.source_starts[k], steps.source_starts[k + 1]):
                _add_multiple(slots[steps.targets[next_target]], slots[steps.sources[place]], lanes)
                next_target += 1
    for lane in range(LANES):
        found[lane] = reduced(found[lane], lanes.primes[lane], lanes.inverses[lane])
    return True


@inlined_inner_kernel
def _product(one: np.uint64, other: np.uint32, lanes: Lanes, lane: int) -> np.uint64:
    return reduced(one * np.uint64(other), lanes.primes[lane], lanes.inverses[lane])


@inlined_inner_kernel
def _add_multiple(target: NDArray[np.uint32], source: NDArray[np.uint32], lanes: Lanes) -> None:
    """Add the source, `lanes.times` as often, to the target."""
    for lane in range(LANES):
        found = np.uint64(target[lane]) + _product(lanes.times[lane], source[lane], lanes, lane)
        prime = lanes.primes[lane]
        target[lane] = np.uint32(found - prime if found >= prime else found)


@inner_kernel
def _invert(numbers: NDArray[np.uint32], lanes: Lanes) -> None:
    """Fill `lanes.factors` with -1 / number, by Fermat: the power with the exponent prime - 2."""
    powers, squares = lanes.factors, lanes.times
    for lane in range(LANES):
        powers[lane], squares[lane] = lanes.ones[lane], np.uint64(numbers[lane])
    for bit in range(PRIME_BITS):
        shift = np.uint64(bit)
        for lane in range(LANES):
            prime, inverse, square = lanes.primes[lane], lanes.inverses[lane], squares[lane]
            power = reduced(powers[lane] * square, prime, inverse)
            powers[lane] = power if ((prime - TWO) >> shift) & ONE else powers[lane]
            squares[lane] = reduced(square * square, prime, inverse)
    for lane in range(LANES):
        powers[lane] = lanes.primes[lane] - powers[lane]
