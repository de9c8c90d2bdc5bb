"""The operators of expressions in XCSP3, and of which kind an expression is."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from rekkyo.export.flatzinc.domains import Unknown
from rekkyo.export.flatzinc.functions import quotient, remainder
from rekkyo.export.xcsp3.words import Call, Node
from rekkyo.model.csp.constraints import AT_MOST, EQUAL, NOT_EQUAL

MAX_EXPONENT = 64

GROWING = frozenset({"mul", "sqr", "pow"})
"""Operators whose value may have many more digits than an argument."""

MAX_BITS = 1 << 12
"""The most bits of a value of these. Nested 36 times, sqr of 2 has 2^36."""

RELATIONS: dict[str, tuple[int, str, int]] = {
    "eq": (1, EQUAL, 0),
    "ne": (1, NOT_EQUAL, 0),
    "le": (1, AT_MOST, 0),
    "lt": (1, AT_MOST, 1),
    "ge": (-1, AT_MOST, 0),
    "gt": (-1, AT_MOST, 1),
}
"""The sign of both sides, the relation, and the least difference of right and left side."""

_PAIRS = (("eq", "ne"), ("le", "gt"), ("lt", "ge"), ("in", "notin"))
OPPOSITES = dict((*_PAIRS, *((other, one) for one, other in _PAIRS)))
MEMBERSHIPS = ("in", "notin")


OPERATORS: dict[str, tuple[int, int | None, Callable[..., int | None]]] = {
    "neg": (1, 1, lambda x: -x),
    "abs": (1, 1, abs),
    "add": (2, None, lambda *x: sum(x)),
    "sub": (2, 2, lambda x, y: x - y),
    "mul": (2, None, lambda *x: prod(x)),
    "div": (2, 2, quotient),
    "mod": (2, 2, remainder),
    "sqr": (1, 1, lambda x: x * x),
    "pow": (2, 2, lambda x, y: int(x**y)),
    "dist": (2, 2, lambda x, y: abs(x - y)),
    "min": (1, None, lambda *x: min(x)),
    "max": (1, None, lambda *x: max(x)),
    "if": (3, 3, lambda c, x, y: x if c else y),
    "lt": (2, 2, lambda x, y: int(x < y)),
    "le": (2, 2, lambda x, y: int(x <= y)),
    "ge": (2, 2, lambda x, y: int(x >= y)),
    "gt": (2, 2, lambda x, y: int(x > y)),
    "ne": (2, 2, lambda x, y: int(x != y)),
    "eq": (2, None, lambda *x: int(len(set(x)) == 1)),
    "in": (2, 2, lambda x, values: int(x in values)),
    "notin": (2, 2, lambda x, values: int(x not in values)),
    "not": (1, 1, lambda x: 1 - x),
    "and": (1, None, lambda *x: int(all(x))),
    "or": (1, None, lambda *x: int(any(x))),
    "xor": (1, None, lambda *x: sum(x) % 2),
    "iff": (2, None, lambda *x: int(len(set(x)) == 1)),
    "imp": (2, 2, lambda x, y: int(not x or y)),
}
"""The least and the greatest number of arguments, and the value, None where it is undefined."""

LOGIC = frozenset({"not", "and", "or", "xor", "iff", "imp"})
"""Operators whose arguments are truth values."""

TRUTHS = LOGIC | RELATIONS.keys() | set(MEMBERSHIPS)
LINEAR = frozenset({"neg", "add", "sub"})


def is_function(node: Call) -> bool:
    """Whether it is neither a sum nor a truth value."""
    if node.name == "mul":
        return sum(not isinstance(part, int) for part in node.arguments) > 1
    return node.name not in TRUTHS | LINEAR


def is_simple(node: Call) -> bool:
    """Whether it is one constraint without a table: a linear one, or a clause."""
    if node.name in LOGIC:
        return not any(isinstance(part, Call) for part in node.arguments)
    return node.name in RELATIONS and len(node.arguments) == 2 and all(map(is_linear, node.arguments))


def is_linear(node: Node) -> bool:
    """Whether it is a weighted sum of variables."""
    if not isinstance(node, Call):
        return True
    return (node.name in LINEAR or (node.name == "mul" and not is_function(node))) and all(
        map(is_linear, node.arguments)
    )


def collect(node: Node, unknowns: dict[int, None]) -> None:
    """Enter the variables of an expression."""
    if isinstance(node, Unknown):
        unknowns[node.number] = None
    elif isinstance(node, Call):
        for part in node.arguments:
            collect(part, unknowns)
