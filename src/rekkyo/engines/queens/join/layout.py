"""Where the diagonals of a half board are in its key.

    n = 2h or 2h + 1         west half   (centre     east half
                                          column)
        north, h rows        +-------+      |      +-------+
                             |  NW   |      |      |  NE   |      row a and column b of a quadrant are
                             +-------+      |      +-------+      counted from the corner of the board
        (centre row)       - - - - - - - -  +  - - - - - - - -
                             +-------+      |      +-------+
        south, h rows        |  SW   |      |      |  SE   |
                             +-------+      |      +-------+

A key holds the 2(2h - 1) diagonals that the west and the east half share: u = row + column and
v = row - column + n - 1, both from n - h to n + h - 2. Those near n - 1 are the longest in both halves and so
the likeliest to be taken on both sides. SW and NE, which u goes through, hold more queens than NW and SE,
because the board is looked at so. The likeliest diagonals get the highest bits, where the sieve of the join
begins; with w = 2h - 1:

    bit        | 63 … 64-h |  …  | 2w    | 2w-1 2w-2 2w-3  …  w+1   w   | w-1  w-2  w-3  …  1     0     |
    direction  |           |     |       | u    u    u        u     u   | v    v    v       v     v     |
    number     |  columns  |  0  | spare | n-1  n    n-2  …  last first | n-1  n    n-2  … last  first  |

So the symmetries of the board that keep its halves upright permute bits in an easy way:
    east-west mirror    u of d <-> v of d                   the two groups of w bits trade places
    half turn           d <-> 2(n - 1) - d, u and v stay    neighbours trade places, except for n - 1
    north-south flip    both
The spare bit, for odd n, is the diagonal of a quadrant's queens beside the last shared one on the side of its
corner: u = n - h - 1 in the north-west, v = n + h - 1 in the south-west. A queen of the centre column can
take it. No symmetry moves it to another bit.
"""

from __future__ import annotations

SLACK = 8
"""Words behind the end of every list of keys, because kernels load eight at a time."""


def direction_width(n: int) -> int:
    """How many diagonals of one direction the west and the east half share: 2h - 1."""
    return max(0, 2 * (n // 2) - 1)


def n_key_bits(n: int) -> int:
    """How many diagonals the west and the east half share."""
    return 2 * direction_width(n)


def diagonals(n: int, row: int, column: int) -> int:
    """The shared diagonals that a queen on this square takes, as a key."""
    return _shared_bit(n, row + column, True) | _shared_bit(n, row - column + n - 1, False)


def spare(n: int) -> int:
    """The spare bit; 0 for even n, where nothing can take it."""
    return 1 << n_key_bits(n) if n % 2 else 0


def takes_spare_north_west(n: int, row: int, column: int) -> bool:
    """Whether a queen on this square takes the diagonal that the spare bit means in the north-west."""
    return row + column == n - n // 2 - 1


def takes_spare_south_west(n: int, row: int, column: int) -> bool:
    """Whether a queen on this square takes the diagonal that the spare bit means in the south-west."""
    return takes_spare_north_west(n, n - 1 - row, column)


def _shared_bit(n: int, diagonal: int, is_u: bool) -> int:
    """The bit of a diagonal; 0 when the halves do not share it."""
    side = n // 2
    first, centre, last = n - side, n - 1, n + side - 2
    if not first <= diagonal <= last:
        return 0
    distance = abs(diagonal - centre)
    place = 2 * (side - 1 - distance) + (1 if diagonal > centre else 0)
    return 1 << (place + direction_width(n) if is_u else place)
