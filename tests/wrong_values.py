"""Values that nothing takes, for tests of what Python callers may give by mistake."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from rekkyo.errors import BadInput

HUGE = 10**5000
"""Python does not even write it down."""

WRONG: tuple[object, ...] = (
    None,
    True,
    0,
    -1,
    7,
    2.5,
    float("nan"),
    1 + 2j,
    HUGE,
    "",
    "a",
    "\n",
    "\ud800",
    b"ab",
    (),
    [],
    {},
    frozenset(),
    object(),
    len,
    int,
    np.int64(3),
    np.array([1, 2]),
    np.array(3),
    range(3),
)


def nested(value: object) -> tuple[object, ...]:
    """A wrong value where a value in a value is expected."""
    values: tuple[object, ...] = (
        (value,),
        [value],
        ((value,),),
        [(value,)],
        ((value, 0),),
        ((0, value),),
        (((value, 0),),),
        (((0, value),),),
        (((0, 0), (2, value)),),
        ((((0, value),),),),
        {"a": value},
        {"A": value},
        {"A": (value, value)},
        {"A": (0, value)},
    )
    try:
        hash(value)
    except TypeError:
        return values
    return (
        *values,
        frozenset({value}),
        frozenset({(value, 0)}),
        frozenset({(0, value)}),
        frozenset({("D", value)}),
        frozenset({("D", frozenset({value}))}),
        {value: 1},
    )


def assert_taken_or_refused(make: Callable[..., object], values: dict[str, Any]) -> None:
    """In one line, unless it is taken; anything else that is raised is a failure."""
    try:
        make(**values)
    except BadInput as refusal:
        assert "\n" not in str(refusal)
        assert str(refusal)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple) | st.tuples(inner, inner)
    ),
    max_leaves=8,
)
