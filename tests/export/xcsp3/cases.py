"""Small constraints in XCSP3, each with its meaning in plain Python. There are four variables x and two truths b."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise
from math import trunc

Values = tuple[int, ...]
Meaning = Callable[[Values, Values], bool]

DOMAIN = range(-1, 4)
N_X, N_B = 4, 2


EVERY = "<sum><list> x[] b[] </list><condition> (ge,-1000) </condition></sum>"
"""Always true. It names all entries, because entries that nothing names are left out."""


def declared(body: str, goal: str = "") -> str:
    """An instance with the variables and a constraint."""
    return f"""<instance format="XCSP3" type="CSP">
  <variables>
    <array id="x" size="[{N_X}]"> {DOMAIN[0]}..{DOMAIN[-1]} </array>
    <array id="b" size="[{N_B}]"> 0 1 </array>
  </variables>
  <constraints> {EVERY} {body} </constraints>{goal}
</instance>"""


def listed(name: str, inner: str, x: str = "x[]") -> str:
    return f"<{name}><list> {x} </list>{inner}</{name}>"


def quotient(a: int, b: int) -> int:
    return trunc(a / b)


def remainder(a: int, b: int) -> int:
    return a - b * quotient(a, b)


def different(values: Values, *excepted: int) -> bool:
    left = [value for value in values if value not in excepted]
    return len(set(left)) == len(left)


def is_cycle(x: Values) -> bool:
    """Whether the entries that are not their own places make one cycle."""
    nodes = [i for i, j in enumerate(x) if i != j]
    if not nodes or any(not 0 <= j < len(x) for j in x):
        return False
    seen, at = [nodes[0]], x[nodes[0]]
    while at not in seen:
        seen.append(at)
        at = x[at]
    return at == seen[0] and sorted(seen) == nodes


def occurs_in_order(word: Values, values: Values) -> bool:
    firsts = [word.index(value) if value in word else len(word) for value in values]
    return all(one < other or other == len(word) for one, other in pairwise(firsts))


def entry(values: Values, at: int) -> int | None:
    return values[at] if 0 <= at < len(values) else None


def accepted(x: Values, moves: set[tuple[str, int, str]], start: str, final: set[str]) -> bool:
    states = {start}
    for letter in x:
        states = {end for a, value, end in moves if a in states and value == letter}
    return bool(states & final)


def never_above(tasks: list[tuple[int, int, int]], most: int) -> bool:
    return all(sum(h for s, d, h in tasks if s <= t < s + d) <= most for t in range(-5, 12))


BINS = "abs(x[0]) b[0] add(x[1],3) max(x[2],b[1])"


def load(x: Values, b: Values, place: int) -> int:
    bins = zip((abs(x[0]), b[0], x[1] + 3, max(x[2], b[1])), (2, 1, 3, 2), strict=True)
    return sum(size for at, size in bins if at == place)


MOVES = "(p,0,q)(p,1,p)(q,1,p)(q,2,q)(q,3,r)(r,-1,r)(p,3,r)(r,0,q)"
MOVE_SET = {
    ("p", 0, "q"),
    ("p", 1, "p"),
    ("q", 1, "p"),
    ("q", 2, "q"),
    ("q", 3, "r"),
    ("r", -1, "r"),
    ("p", 3, "r"),
    ("r", 0, "q"),
}

CASES: dict[str, tuple[str, Meaning]] = {
    "allDifferent": ("<allDifferent> x[] </allDifferent>", lambda x, b: different(x)),
    "allDifferent except": (
        listed("allDifferent", "<except> 0 2 </except>"),
        lambda x, b: different(x, 0, 2),
    ),
    "allDifferent of expressions": (
        "<allDifferent> add(x[0],1) mul(x[1],2) x[2] 3 </allDifferent>",
        lambda x, b: different((x[0] + 1, x[1] * 2, x[2], 3)),
    ),
    "allDifferent, a variable twice": ("<allDifferent> x[0] x[1] x[0] </allDifferent>", lambda x, b: False),
    "allDifferent except, a variable twice": (
        listed("allDifferent", "<except> 1 </except>", "x[0] x[1] x[0]"),
        lambda x, b: x[0] == 1,
    ),
    "allDifferent of lists": (
        "<allDifferent><list> x[0] x[1] </list><list> x[2] x[3] </list></allDifferent>",
        lambda x, b: x[:2] != x[2:],
    ),
    "allDifferent of lists, except": (
        "<allDifferent><list> x[0] x[1] </list><list> x[2] x[3] </list><list> x[1] 3 </list>"
        "<except> (0,0)(1,3) </except></allDifferent>",
        lambda x, b: all(
            one != other or one in ((0, 0), (1, 3))
            for one, other in combinations((x[:2], x[2:], (x[1], 3)), 2)
        ),
    ),
    "allDifferent of a matrix": (
        "<allDifferent><matrix> (x[0],x[1])(x[2],x[3]) </matrix></allDifferent>",
        lambda x, b: different(x[:2]) and different(x[2:]) and different(x[::2]) and different(x[1::2]),
    ),
    "allEqual": ("<allEqual> x[0..1] b[0] </allEqual>", lambda x, b: x[0] == x[1] == b[0]),
    "supports": (
        listed("extension", "<supports> (1,2,3)(0,0,0)(9,1,1)(-1,3,2)(0,0,0) </supports>", "x[0] x[1] x[2]"),
        lambda x, b: x[:3] in ((1, 2, 3), (0, 0, 0), (-1, 3, 2)),
    ),
    "supports with stars": (
        listed("extension", "<supports> (1,*,3)(*,0,0)(1,2,*) </supports>", "x[0] x[1] x[2]"),
        lambda x, b: (x[0] == 1 and x[2] == 3) or x[1] == x[2] == 0 or x[:2] == (1, 2),
    ),
    "conflicts": (
        listed("extension", "<conflicts> (1,2)(0,0)(9,1) </conflicts>", "x[0] x[1]"),
        lambda x, b: x[:2] not in ((1, 2), (0, 0)),
    ),
    "conflicts with stars": (
        listed("extension", "<conflicts> (1,*,3)(*,0,0)(1,2,*)(*,0,0) </conflicts>", "x[0] x[1] x[2]"),
        lambda x, b: not ((x[0] == 1 and x[2] == 3) or x[1] == x[2] == 0 or x[:2] == (1, 2)),
    ),
    "one column": (
        listed("extension", "<supports> -1 1..2 7 </supports>", "x[2]")
        + listed("extension", "<conflicts> 0..1 </conflicts>", "x[1]"),
        lambda x, b: x[2] in (-1, 1, 2) and x[1] not in (0, 1),
    ),
    "one column, parts that overlap": (
        listed("extension", "<supports> 2..99 1 -9..0 -3..1 1 </supports>", "x[2]")
        + listed("extension", "<conflicts> 1..2 0..1 9 </conflicts>", "x[1]"),
        lambda x, b: x[1] in (-1, 3),
    ),
    "no supports": (listed("extension", "<supports> </supports>", "x[2]"), lambda x, b: False),
    "no conflicts": (listed("extension", "<conflicts> </conflicts>", "x[2]"), lambda x, b: True),
    "regular": (
        listed("regular", f"<transitions> {MOVES} </transitions><start> p </start><final> q r </final>"),
        lambda x, b: accepted(x, MOVE_SET, "p", {"q", "r"}),
    ),
    "mdd": (
        listed(
            "mdd",
            "<transitions> (r,0,n1)(r,1,n2)(n1,2,n3)(n2,2,n3)(n2,0,n4)(n3,0,t)(n4,3,t) </transitions>",
            "x[0..2]",
        ),
        lambda x, b: x[:3] in ((0, 2, 0), (1, 2, 0), (1, 0, 3)),
    ),
    "ordered": (
        listed("ordered", "<operator> lt </operator>"),
        lambda x, b: all(p < q for p, q in pairwise(x)),
    ),
    "ordered, falling with lengths": (
        listed("ordered", "<lengths> 1 b[0] 0 </lengths><operator> ge </operator>"),
        lambda x, b: x[0] + 1 >= x[1] and x[1] + b[0] >= x[2] and x[2] >= x[3],
    ),
    "lex": (
        "<lex><list> x[0] x[1] </list><list> x[2] x[3] </list><list> 2 x[0] </list><operator> le </operator></lex>",
        lambda x, b: list(x[:2]) <= list(x[2:]) <= [2, x[0]],
    ),
    "a sum of no less than a number of 18 digits": (
        listed("sum", "<condition> (ge,-123456789012345678) </condition>"),
        lambda x, b: True,
    ),
    "strict lex of empty lists": (
        "<lex><list></list><list></list><operator> lt </operator></lex>",
        lambda x, b: False,
    ),
    "lex of a matrix": (
        "<lex><matrix> (x[0],x[1])(x[2],x[3]) </matrix><operator> gt </operator></lex>",
        lambda x, b: x[:2] > x[2:] and x[::2] > x[1::2],
    ),
    "precedence": (
        listed("precedence", "<values> 2 0 3 </values>"),
        lambda x, b: occurs_in_order(x, (2, 0, 3)),
    ),
    "precedence, covered": (
        listed("precedence", '<values covered="true"> 2 0 3 </values>'),
        lambda x, b: occurs_in_order(x, (2, 0, 3)) and {2, 0, 3} <= set(x),
    ),
    "precedence of all values": (
        "<precedence> x[] </precedence>",
        lambda x, b: occurs_in_order(x, tuple(DOMAIN)),
    ),
    "sum": (
        listed("sum", "<coeffs> 1 -2 0 3 </coeffs><condition> (le,x[2]) </condition>"),
        lambda x, b: x[0] - 2 * x[1] + 3 * x[3] <= x[2],
    ),
    "sum in an interval": (
        listed("sum", "<condition> (in,3..5) </condition>"),
        lambda x, b: 3 <= sum(x) <= 5,
    ),
    "sum not in a set": (
        listed("sum", "<condition> (notin,{3,5,0}) </condition>"),
        lambda x, b: sum(x) not in (3, 5, 0),
    ),
    "sum not in an interval": (
        listed("sum", "<condition> (notin,0..5) </condition>"),
        lambda x, b: not 0 <= sum(x) <= 5,
    ),
    "sum of expressions": (
        listed(
            "sum", "<coeffs> 2 x[1] -1 </coeffs><condition> (gt,1) </condition>", "eq(x[0],1) x[2] abs(x[3])"
        ),
        lambda x, b: 2 * (x[0] == 1) + x[1] * x[2] - abs(x[3]) > 1,
    ),
    "count": (
        listed("count", "<values> 1 3 1 </values><condition> (eq,x[0]) </condition>"),
        lambda x, b: sum(v in (1, 3) for v in x) == x[0],
    ),
    "count, not equal": (
        listed("count", "<values> 0 </values><condition> (ne,1) </condition>"),
        lambda x, b: x.count(0) != 1,
    ),
    "count of variables": (
        listed("count", "<values> b[0] x[3] 2 </values><condition> (ge,2) </condition>", "x[0..2]"),
        lambda x, b: sum(v in (b[0], x[3], 2) for v in x[:3]) >= 2,
    ),
    "nValues": (listed("nValues", "<condition> (eq,x[3]) </condition>"), lambda x, b: len(set(x)) == x[3]),
    "nValues except": (
        listed("nValues", "<except> 0 1 </except><condition> (lt,2) </condition>"),
        lambda x, b: len(set(x) - {0, 1}) < 2,
    ),
    "cardinality": (
        listed("cardinality", "<values> 0 1 2 </values><occurs> 1..2 b[0] 0 </occurs>"),
        lambda x, b: 1 <= x.count(0) <= 2 and x.count(1) == b[0] and x.count(2) == 0,
    ),
    "cardinality, closed": (
        listed("cardinality", '<values closed="true"> 0 3 </values><occurs> 0..3 x[0] </occurs>'),
        lambda x, b: set(x) <= {0, 3} and x.count(0) <= 3 and x.count(3) == x[0],
    ),
    "maximum": (
        listed("maximum", "<condition> (eq,add(x[0],1)) </condition>"),
        lambda x, b: max(x) == x[0] + 1,
    ),
    "minimum": (
        listed("minimum", "<condition> (in,{0,2}) </condition>", "x[0] neg(x[1]) x[2]"),
        lambda x, b: min(x[0], -x[1], x[2]) in (0, 2),
    ),
    "maximumArg": (
        listed("maximumArg", "<condition> (eq,x[3]) </condition>"),
        lambda x, b: entry(x, x[3]) == max(x),
    ),
    "minimumArg": (
        '<minimumArg><list startIndex="1"> x[] </list><condition> (eq,x[3]) </condition></minimumArg>',
        lambda x, b: entry(x, x[3] - 1) == min(x),
    ),
    "element": (
        listed("element", "<index> x[3] </index><value> 2 </value>", "x[0] x[1] 2"),
        lambda x, b: entry((x[0], x[1], 2), x[3]) == 2,
    ),
    "element of numbers": (
        '<element><list startIndex="1"> 3 1 0x2 2 </list><index> x[3] </index><condition> (lt,x[0]) </condition></element>',
        lambda x, b: (found := entry((3, 1, 0, 0, 2), x[3] - 1)) is not None and found < x[0],
    ),
    "element of a matrix": (
        "<element><matrix> (x[0],1)(2,x[1])(0,3) </matrix><index> x[2] x[3] </index><value> b[0] </value></element>",
        lambda x, b: 0 <= x[2] < 3 and 0 <= x[3] < 2 and ((x[0], 1), (2, x[1]), (0, 3))[x[2]][x[3]] == b[0],
    ),
    "channel": (
        "<channel> x[] </channel>",
        lambda x, b: all(entry(x, j) == i for i, j in enumerate(x)),
    ),
    "channel of two lists": (
        "<channel><list> x[0] x[1] </list><list> x[2] x[3] </list></channel>",
        lambda x, b: (
            all(entry(x[2:], j) == i for i, j in enumerate(x[:2]))
            and all(entry(x[:2], j) == i for i, j in enumerate(x[2:]))
        ),
    ),
    "channel of two lists, one longer": (
        '<channel><list startIndex="0"> x[0] </list><list startIndex="0"> x[1..3] </list></channel>',
        lambda x, b: entry(x[1:], x[0]) == 0,
    ),
    "channel and a value": (
        "<channel><list> b[] x[0] </list><value> x[1] </value></channel>",
        lambda x, b: (marks := (*b, x[0])) in ((1, 0, 0), (0, 1, 0), (0, 0, 1)) and x[1] == marks.index(1),
    ),
    "noOverlap": (
        "<noOverlap><origins> x[0..2] </origins><lengths> 2 b[0] 1 </lengths></noOverlap>",
        lambda x, b: all(
            p + v <= q or q + w <= p or 0 in (v, w)
            for (p, v), (q, w) in combinations(zip(x, (2, b[0], 1), strict=False), 2)
        ),
    ),
    "noOverlap, points too": (
        '<noOverlap zeroIgnored="false"><origins> x[0..2] </origins><lengths> 2 b[0] 0 </lengths></noOverlap>',
        lambda x, b: all(
            p + v <= q or q + w <= p for (p, v), (q, w) in combinations(zip(x, (2, b[0], 0), strict=False), 2)
        ),
    ),
    "noOverlap of boxes": (
        "<noOverlap><origins> (x[0],x[1])(x[2],x[3]) </origins><lengths> (2,b[0])(1,2) </lengths></noOverlap>",
        lambda x, b: (
            b[0] == 0 or x[0] + 2 <= x[2] or x[2] + 1 <= x[0] or x[1] + b[0] <= x[3] or x[3] + 2 <= x[1]
        ),
    ),
    "cumulative": (
        "<cumulative><origins> x[0..2] </origins><lengths> 2 b[0] 1 </lengths><heights> 2 1 x[3] </heights>"
        "<condition> (le,3) </condition></cumulative>".replace("x[3]", "b[1]"),
        lambda x, b: never_above([(x[0], 2, 2), (x[1], b[0], 1), (x[2], 1, b[1])], 3),
    ),
    "cumulative with ends": (
        "<cumulative><origins> x[0..2] </origins><lengths> 2 3 1 </lengths><ends> 3 x[3] sub(3,b[0]) </ends>"
        "<heights> 2 1 2 </heights><condition> (lt,add(b[1],3)) </condition></cumulative>",
        lambda x, b: (
            x[0] + 2 == 3
            and x[1] + 3 == x[3]
            and x[2] + 1 == 3 - b[0]
            and never_above([(x[0], 2, 2), (x[1], 3, 1), (x[2], 1, 2)], 2 + b[1])
        ),
    ),
    "binPacking": (
        listed("binPacking", "<sizes> 2 1 3 2 </sizes><condition> (le,4) </condition>", BINS),
        lambda x, b: all(load(x, b, k) <= 4 for k in range(7)),
    ),
    "binPacking with loads": (
        listed("binPacking", "<sizes> 2 1 3 2 </sizes><loads> 0x3 x[3] 4 2 0 </loads>", BINS),
        lambda x, b: all(load(x, b, k) == most for k, most in enumerate((0, 0, 0, x[3], 4, 2, 0))),
    ),
    "binPacking with limits": (
        listed("binPacking", "<sizes> 2 1 3 2 </sizes><limits> 3 5 2 3 5 5 5 </limits>", BINS),
        lambda x, b: all(load(x, b, k) <= most for k, most in enumerate((3, 5, 2, 3, 5, 5, 5))),
    ),
    "knapsack": (
        listed(
            "knapsack",
            "<weights> 2 1 3 2 </weights><condition> (le,4) </condition>"
            "<profits> 1 2 1 1 </profits><condition> (ge,x[0]) </condition>",
        ),
        lambda x, b: 2 * x[0] + x[1] + 3 * x[2] + 2 * x[3] <= 4 and x[0] + 2 * x[1] + x[2] + x[3] >= x[0],
    ),
    "circuit": ("<circuit> x[] </circuit>", lambda x, b: is_cycle(x)),
    "circuit with a size": (
        listed("circuit", "<size> add(b[0],2) </size>"),
        lambda x, b: is_cycle(x) and sum(i != j for i, j in enumerate(x)) == b[0] + 2,
    ),
    "instantiation": (
        listed("instantiation", "<values> 1 0x2 </values>", "x[0] x[2] b[1]"),
        lambda x, b: (x[0], x[2], b[1]) == (1, 0, 0),
    ),
    "clause": ("<clause> b[0] not(b[1]) </clause>", lambda x, b: bool(b[0] or not b[1])),
    "slide": (
        "<slide><list> x[] </list><intension> lt(add(%0,%1),3) </intension></slide>",
        lambda x, b: all(p + q < 3 for p, q in pairwise(x)),
    ),
    "slide in a circle": (
        '<slide circular="true"><list> x[] </list><intension> ne(%0,%1) </intension></slide>',
        lambda x, b: all(x[i] != x[(i + 1) % N_X] for i in range(N_X)),
    ),
    "slide over two lists": (
        '<slide><list offset="2" collect="2"> x[] </list><list> b[] </list>'
        "<intension> eq(lt(%0,%1),%2) </intension></slide>",
        lambda x, b: (x[0] < x[1]) == b[0] and (x[2] < x[3]) == b[1],
    ),
    "group": (
        "<block class='c'><group><sum><list> %0 %... </list><condition> (eq,%1) </condition></sum>"
        "<args> x[0] x[1] x[2] </args><args> b[0] x[3] b[] </args></group></block>",
        lambda x, b: x[0] + x[2] == x[1] and b[0] + sum(b) == x[3],
    ),
    "group with a part that is written elsewhere": (
        '<group><sum><list> x[0] </list><condition id="c"> (ge,%0) </condition></sum><args> -9 </args></group>'
        '<group><sum><list> %... </list><condition as="c"/></sum><args> 3 x[0] x[1] </args></group>',
        lambda x, b: x[0] + x[1] >= 3,
    ),
    "group with sets as arguments": (
        "<group><sum><list> %... </list><condition> (in,%0) </condition></sum>"
        "<args> {0,3} x[0] x[1] </args><args> 2..4 x[2] </args></group>"
        "<group><intension> notin(%0,%1) </intension><args> x[3] {1,2} </args><args> x[1] set(x[0]) </args></group>",
        lambda x, b: x[0] + x[1] in (0, 3) and x[2] >= 2 and x[3] not in (1, 2) and x[0] != x[1],
    ),
    "group of tables": (
        "<group><extension><list> %0 %1 </list><supports> (1,1)(0,2) </supports></extension>"
        "<args> x[0..1] </args><args> b[0] x[3] </args></group>",
        lambda x, b: x[:2] in ((1, 1), (0, 2)) and (b[0], x[3]) in ((1, 1), (0, 2)),
    ),
    "as": (
        '<extension><list> x[0..1] </list><supports id="t"> (1,1)(0,2) </supports></extension>'
        '<extension><list> x[2..3] </list><conflicts as="t"/></extension>',
        lambda x, b: x[:2] in ((1, 1), (0, 2)) and x[2:] not in ((1, 1), (0, 2)),
    ),
}

EXPRESSIONS: dict[str, Meaning] = {
    "gt(mul(add(mul(900,x[0]),x[1],7),sub(mul(100,x[2]),x[3])),add(50,mul(5000,x[1])))": lambda x, b: (
        (900 * x[0] + x[1] + 7) * (100 * x[2] - x[3]) > 50 + 5000 * x[1]
    ),
    "or(b[0],ne(mul(add(mul(90,x[0]),x[1]),add(mul(90,x[0]),x[1]),add(x[2],-3)),-90000))": lambda x, b: (
        b[0] == 1 or (90 * x[0] + x[1]) ** 2 * (x[2] - 3) != -90000
    ),
    "le(mul(9,x[0],add(mul(7000,x[1]),x[0])),100000)": lambda x, b: 9 * x[0] * (7000 * x[1] + x[0]) <= 100000,
    "eq(div(x[0],x[1]),x[2])": lambda x, b: x[1] != 0 and quotient(x[0], x[1]) == x[2],
    "ne(mod(x[0],x[1]),x[2])": lambda x, b: x[1] != 0 and remainder(x[0], x[1]) != x[2],
    "eq(mod(sub(x[0],3),2),sub(x[1],x[2]))": lambda x, b: remainder(x[0] - 3, 2) == x[1] - x[2],
    "and(lt(div(x[0],x[1]),1),gt(x[2],x[3]))": lambda x, b: (
        x[1] != 0 and quotient(x[0], x[1]) < 1 and x[2] > x[3]
    ),
    "eq(dist(x[0],x[1]),x[2])": lambda x, b: abs(x[0] - x[1]) == x[2],
    "gt(abs(sub(x[0],x[1])),add(x[2],b[0]))": lambda x, b: abs(x[0] - x[1]) > x[2] + b[0],
    "eq(if(lt(x[0],x[1]),x[2],neg(x[3])),1)": lambda x, b: (x[2] if x[0] < x[1] else -x[3]) == 1,
    "if(b[0],lt(x[0],x[1]),eq(x[2],3))": lambda x, b: x[0] < x[1] if b[0] else x[2] == 3,
    "eq(sqr(x[0]),pow(x[1],2))": lambda x, b: x[0] ** 2 == x[1] ** 2,
    "le(mul(x[0],x[1],x[2]),x[3])": lambda x, b: x[0] * x[1] * x[2] <= x[3],
    "eq(mul(x[0],x[1]),x[2])": lambda x, b: x[0] * x[1] == x[2],
    "eq(mul(x[0],x[0]),x[0])": lambda x, b: x[0] ** 2 == x[0],
    "ge(mul(2,sub(x[0],x[1]),3),mul(x[2],-1))": lambda x, b: 6 * (x[0] - x[1]) >= -x[2],
    "eq(min(x[0],x[1],2),max(x[2],x[3]))": lambda x, b: min(x[0], x[1], 2) == max(x[2], x[3]),
    "eq(x[0],x[1],x[2])": lambda x, b: x[0] == x[1] == x[2],
    "not(eq(x[0],x[1],x[2]))": lambda x, b: not x[0] == x[1] == x[2],
    "eq(eq(x[0],x[1]),b[0])": lambda x, b: (x[0] == x[1]) == b[0],
    "ne(lt(x[0],x[1]),le(x[2],x[3]))": lambda x, b: (x[0] < x[1]) != (x[2] <= x[3]),
    "iff(b[0],gt(x[0],1),ne(x[1],2))": lambda x, b: b[0] == (x[0] > 1) == (x[1] != 2),
    "imp(or(b[0],eq(x[0],1)),and(b[1],not(in(x[1],set(0,2)))))": lambda x, b: (
        not (b[0] or x[0] == 1) or bool(b[1] and x[1] not in (0, 2))
    ),
    "xor(b[0],lt(x[0],x[1]),b[1],eq(x[2],2))": lambda x, b: (
        (b[0] + (x[0] < x[1]) + b[1] + (x[2] == 2)) % 2 == 1
    ),
    "not(xor(lt(x[0],x[1]),lt(x[2],x[3])))": lambda x, b: (x[0] < x[1]) == (x[2] < x[3]),
    "or(and(b[0],b[1]),not(or(lt(x[0],x[1]),lt(x[2],x[3]))))": lambda x, b: (
        bool(b[0] and b[1]) or not (x[0] < x[1] or x[2] < x[3])
    ),
    "notin(add(x[0],x[1],x[2],x[3]),set(0,3,5))": lambda x, b: sum(x) not in (0, 3, 5),
    "in(x[0],1..2)": lambda x, b: x[0] in (1, 2),
    "not(and(le(x[0],x[1]),ge(x[2],x[3])))": lambda x, b: not (x[0] <= x[1] and x[2] >= x[3]),
    "or(eq(add(x[0],1),x[1]),b[0])": lambda x, b: x[0] + 1 == x[1] or bool(b[0]),
    "gt(add(eq(x[0],1),lt(x[1],x[2]),b[0]),1)": lambda x, b: (x[0] == 1) + (x[1] < x[2]) + b[0] > 1,
    "b[0]": lambda x, b: bool(b[0]),
    "not(b[0])": lambda x, b: not b[0],
    "in(x[0],set())": lambda x, b: False,
    "in(x[0],set(x[1],add(x[2],1)))": lambda x, b: x[0] in (x[1], x[2] + 1),
    "notin(x[0],set(x[1],3,b[0]))": lambda x, b: x[0] not in (x[1], 3, b[0]),
    "iff(in(add(x[0],x[1]),set(x[2])),b[0])": lambda x, b: (x[0] + x[1] == x[2]) == b[0],
    "eq(add(x[0],neg(x[0])),0)": lambda x, b: True,
}
