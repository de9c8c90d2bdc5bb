"""What a reader of XCSP3 refuses, in one line with the place, and in bounded time and memory."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.export.flatzinc import building
from rekkyo.export.xcsp3 import reader
from tests.export.xcsp3.cases import declared, listed
from tests.export.xcsp3.test_xcsp3 import instance, read

BODIES: dict[str, str] = {
    "<smart> x[] </smart>": "<smart>: there is no such constraint in XCSP3-core, or it is not read",
    "<allDiferent> x[] </allDiferent>": '<allDiferent>: did you mean "allDifferent"?',
    "<allDifferent type='soft'> x[] </allDifferent>": "the attribute type is not read here",
    "<allDifferent reifiedBy='b[0]'> x[] </allDifferent>": "the attribute reifiedBy is not read here",
    "<allEqual><list> x[] </list><except> 1 </except></allEqual>": "a part <except> is not read here",
    "<sum><list> x[] </list></sum>": "it has no <condition>",
    "<sum><list> x[] </list><coeffs> 1 </coeffs><condition> (eq,1) </condition></sum>": "4 and 1 entries",
    listed("sum", "<condition> (eq,1..2) </condition>"): "(eq,...) is not a condition with this right side",
    listed(
        "sum", "<condition> (le,1) </condition><condition> (ge,1) </condition>"
    ): "it has more than one <condition>",
    "<intension><list> b[0] </list><list> b[1] </list></intension>": "it has more than one <list>",
    listed("sum", "<condition> (near,1) </condition>"): "(near,...) is not a condition with this right side",
    listed("sum", "<condition> (eq,1) 2 </condition>"): "2 is one word too many",
    listed("extension", "<supports> (1,2) </supports>", "x[0..2]"): "a tuple does not have 3 values",
    listed("extension", "<supports> (1,{2}) </supports>", "x[0..1]"): "{2} stands where a whole number",
    listed("extension", "<supports> (1,2 </supports>", "x[0..1]"): "tuples begin with ( and end with )",
    listed("extension", "<supports> 1 2.. </supports>", "x[0]"): "nothing stands where a whole number",
    listed(
        "lex", "<matrix> (x[0],x[1]) </matrix><operator> lt </operator>"
    ): "a part <list> is not read here",
    listed("lex", "<operator> lt </operator>"): "it must have two <list> or more, or a <matrix>",
    "<lex><operator> lt </operator></lex>": "it must have two <list> or more, or a <matrix>",
    listed("ordered", "<operator> eq </operator>"): "<operator> is eq, and must be one of lt, le, ge, gt",
    listed("mdd", "<transitions> (a,1,b)(c,1,b) </transitions>"): "a diagram has one node without an edge",
    listed(
        "regular", "<transitions> (a,1) </transitions><start>a</start><final>a</final>"
    ): "(a,1) is not a transition",
    listed(
        "regular", "<transitions> (a,1,a)(a,2,a </transitions><start>a</start><final>a</final>"
    ): "tuples begin with ( and end with )",
    listed(
        "regular", "<transitions> (a,1,b) </transitions><start>a b</start><final>a</final>"
    ): "an automaton has one state in <start>",
    listed(
        "regular", "<transitions> (a,1,b) </transitions><start>a</start><final/>"
    ): "an automaton has one state in <start>, and one or more in <final>",
    listed("maximumArg", "<condition> (ne,1) </condition>"): "only rank any and the operator eq are read",
    listed("element", '<index rank="first"> x[0] </index><value> 1 </value>'): "only the rank any is read",
    "<channel><list> x[0..2] </list><list> x[3] </list></channel>": "its first list is longer",
    "<channel/>": "its list is empty",
    "<channel><list/><list> x[0] </list></channel>": "its list is empty",
    "<cumulative><origins> x[] </origins><lengths> 1 1 1 1 </lengths><heights> 1 1 1 1 </heights>"
    "<condition> (eq,1) </condition></cumulative>": "only the operators le and lt are read",
    "<cumulative><origins> x[] </origins><lengths> x[] </lengths><heights> 1 1 1 1 </heights>"
    "<condition> (le,1) </condition></cumulative>": "a length or height may be negative",
    listed(
        "binPacking", "<sizes> 1 1 1 1 </sizes><condition> (le,2) </condition>"
    ): "a negative number of a bin",
    listed(
        "binPacking", "<sizes> 1 1 </sizes><limits> 2 </limits>", "b[]"
    ): "another bin than the 1 that are given",
    "<intension> or(eq(div(x[0],x[1]),1),b[0]) </intension>": "div may divide by 0 below an operator of logic",
    "<intension> eq(b[0],lt(mod(1,x[1]),2)) </intension>": "mod may divide by 0 below an operator of logic",
    "<intension> eq(pow(2,x[0]),2) </intension>": "pow has the exponent -1",
    f"<intension> eq({'sqr(' * 36}x[3]{')' * 36},1) </intension>": "sqr has a value of more than 4096 bits",
    f"<intension> eq({'pow(' * 7}x[3]{',64)' * 7},1) </intension>": "pow has a value of more than 4096 bits",
    f"<intension> eq({'sqr(' * 36}x[3]{')' * 36},x[3]) </intension>": "sqr has a value of more than 4096 bits",
    f"<intension> eq({'sqr(' * 36}3{')' * 36},add(x[0],x[1],x[2],x[3])) </intension>": "sqr has a value of more",
    "<intension> or(x[0],b[0]) </intension>": "or has an argument other than a truth value",
    "<intension> add(x[0],1) </intension>": "the constraint has an argument other than a truth value",
    "<intension> if(b[0],b[1],x[0]) </intension>": "the constraint has an argument other than a truth value",
    "<intension> or(if(b[0],if(b[1],2,0),1),b[1]) </intension>": "or has an argument other than a truth value",
    "<intension> eq(x[0],y) </intension>": "y is not a variable, number or operator here",
    "<intension> eq(x[0],x[]) </intension>": "x[] is not a variable, number or operator here",
    "<intension> eq(x[0],x[4]) </intension>": "[4] is beyond an array of 4",
    "<intension> eq(x[0],x[1][1]) </intension>": "[1][1] are not indices of an array of dimension 1",
    "<intension> eq(x[0],set(x[1])) </intension>": "there is no operator set here",
    "<intension> in(x[0],x[1]) </intension>": "in has no set of numbers",
    "<allDifferent> x[0] {1,2} </allDifferent>": "a set stands where a number should be",
    "<intension> in(div(2,x[0]),set(x[1],1)) </intension>": "div may divide by 0 below an operator of logic",
    "<intension> eq(x[0],1.5) </intension>": "'.5)' does not begin a word",
    "<intension> eq(x[0],1e3) </intension>": "e3 stands where , should be",
    "<intension> eq(x[0]) </intension>": "eq has 1 argument",
    "<intension> eq(x[0],1 </intension>": "the text ends too early",
    "<intension> eq(x[0],set(1)) </intension>": "a set stands where a number should be",
    "<intension> in(x[0],1) </intension>": "in has no set of numbers",
    "<intension> __import__(x[0]) </intension>": "__import__ is not a variable, number or operator here",
    "<intension> eval(x[0]) </intension>": "there is no operator eval here",
    "<intension> eq(x[0],%0) </intension>": "there is no argument %0 of a template here",
    f"<intension> eq(x[0],{'9' * 5000}) </intension>": "stands where a whole number below 10^18 should be",
    "<intension> eq(mul(x[0],99999,99999),x[1]) </intension>": "coefficient",
    "<intension> le(abs(mul(x[0],99999)),add(x[1],x[2],x[3])) </intension>": "values from -99999 to 299997",
    f"<intension> {'not(' * 3000}b[0]{')' * 3000} </intension>": "nested more than 40 deep",
    "<allDifferent><list> x[0..1] </list><list> x[2..3] </list><except> (1) </except></allDifferent>": "a tuple of"
    " <except> does not have 2 values",
    listed("precedence", "<values> 1 1 </values>"): "<values> names a number twice",
    listed("precedence", "<values> x[0] </values>"): "something stands where a whole number should be",
    "<element><matrix> (x[0],x[1])(x[2],x[3]) </matrix><index> b[0] </index><value> 1 </value></element>": "<index>"
    " does not have two entries",
    "<element><matrix> (x[0],x[1])(x[2]) </matrix><index> b[0] b[1] </index><value> 1 </value></element>": "the"
    " tuples of <matrix> have different lengths",
    "<channel><list> x[0] </list><list> x[1] </list><list> x[2] </list></channel>": "it has one or two lists",
    '<channel><list startIndex="1"> x[0] </list><list> x[1] </list></channel>': "its lists must have one startIndex",
    listed("binPacking", "<sizes> 1 1 1 1 </sizes>"): "it must have a condition, limits or loads",
    listed(
        "knapsack", "<weights> 1x4 </weights><profits> 1x4 </profits><condition> (le,3) </condition>"
    ): "it must have two conditions",
    listed(
        "extension", "<supports> 1 </supports><conflicts> 2 </conflicts>", "x[0]"
    ): "it must have <supports> or",
    listed("extension", "<supports> 1 </supports>", "1"): "its list may only have variables",
    '<extension type="smart"><list> x[0] </list><supports> 1 </supports></extension>': "only ordinary and starred",
    "<sum><condition> (eq,1) </condition></sum>": "it must have one <list>",
    "<sum><list> </list><condition> (eq,1) </condition></sum>": "its list is empty",
    '<slide circular="true"><list> x[] </list><list offset="2"> x[] </list><allEqual> %0 %1 </allEqual></slide>': "as"
    " many windows as each other",
    "<group><args> x[0] </args></group>": "a group has one constraint and then <args>",
    "<slide><intension> eq(%0,1) </intension></slide>": "a slide has lists and then one constraint",
    "<slide><list> x[] </list><allEqual> %0 %8 </allEqual></slide>": "a window of 9, moved by 1, does not fit",
    '<slide><list offset="0"> x[] </list><allEqual> %0 %1 </allEqual></slide>': "moved by 0, does not fit",
    '<slide circular="yes"><list> x[] </list><allEqual> %0 %1 </allEqual></slide>': 'circular is "yes" and must be',
    '<slide><list> x[] </list><extension as="x"/></slide>': "a window of 0, moved by 1, does not fit",
    '<extension><list> x[0] </list><supports id="s" as="s"/></extension>': 'as="s" names no element with its own',
    '<extension><list> x[0] </list><supports id="s" as="t"/><conflicts id="t" as="s"/></extension>': 'as="t" names no',
    "<instantiation><list> x[] </list><values> 1x999999999 </values></instantiation>": "more than the 8388608 entries",
}

VARIABLES: dict[str, str] = {
    '<var id="a"> 0..1000000000000 </var>': "a has values from 0 to 1000000000000",
    '<var id="a"> 0 1000000 </var>': "a has values from 0 to 1000000",
    '<var id="a"> -infinity..3 </var>': "a has no bounds",
    '<var id="a"> 3..1 </var>': "a has an empty domain",
    '<var id="a"> 3.. </var>': "nothing stands where a whole number below 10^18 should be",
    f'<var id="a"> {"0..60000 " * 9999} 99999 </var>': "a has values from 0 to 99999",
    '<var id="a"> </var>': "a has an empty domain",
    '<var id="a" type="symbolic"> red green </var>': "a is not a variable of whole numbers",
    '<var id="a"> 1 </var><var id="a"> 2 </var>': '"a" is declared already',
    '<var id="~a"> 1 </var>': '"~a" is not a name',
    '<var id="a" as="b"/><var id="b" as="a"/>': 'as="b" names no element with its own content',
    '<var id="b"> 0 1 </var><var id="a" as="b"> 0 2 </var>': "has no content of its own; leave one of them out",
    '<array id="b" size="[2]"> 0 1 </array><array id="a" size="[2]" as="b"><domain for="others"> 2 </domain>'
    "</array>": "has no content of its own; leave one of them out",
    '<var id="a" as="a"/>': 'as="a" names no element with its own content',
    '<array id="a" size="[99999][99999]"> 1 </array>': "a has 9999800001 entries",
    '<array id="a" size="[0]"> 1 </array>': "there are no variables",
    '<array id="a" size="3"> 1 </array>': 'the size of a is "3"',
    '<array id="a" size="[2 2]"> 0..1 </array>': 'the size of a is "[2 2]"',
    f'<array id="a" size="{"[1]" * 9}"> 0 </array>': "must be like [3][4], with at most 8 dimensions",
    '<var id="a" size="[3]"> 0..1 </var>': "the attribute size is not read here",
    '<var id="a"> 0 1<domain>2</domain>2 </var>': '"0 12" is beside other elements in <var>',
    '<array id="a" size="[2]"> 0 1 <domain for="a[]"> 1 </domain></array>': '"0 1" is beside other elements in <array>',
    '<array id="a" size="[2]"><domain for="others"> 1 </domain><domain for="others"> 2 </domain></array>': "the other"
    " entries of a have two domains",
    '<array id="a" size="[2]" startIndex="1"> 1 </array>': "the attribute startIndex is not read here",
    '<array id="a" size="[2]"><domain for="a[0]"> 1 </domain><domain for="a[]"> 1 </domain></array>': "two domains",
    '<array id="a" size="[2]"><domain for="b[0]"> 1 </domain></array>': "b[0] is not an entry of a",
    '<array id="a" size="[65536]"> 0..65534 </array>': "more than the 4194304 values in domains",
    "": "there are no variables",
}

TEXTS: dict[str, str] = {
    "": "this is not XML: no element found",
    declared("")[:90]: "this is not XML: unclosed token",
    declared("").replace("XCSP3", "XCSP2"): 'this is not XCSP3: its root has no format="XCSP3"',
    declared("").replace('CSP">', 'WCSP">'): "the type is WCSP; CSP and COP are searched",
    '<puzzle version="2"/>': "the root is <puzzle>, where XCSP3 has <instance>; name a puzzle of BurrTools .xmpuzzle",
    '<!DOCTYPE instance [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>' + declared(""): "a document type is not read",
    '<!DOCTYPE instance SYSTEM "file:///etc/passwd">' + declared(""): "a document type is not read",
    declared("<sum> &a; </sum>"): "this is not XML: undefined entity",
    "<instance>" * 40: "nested more than 32 deep",
    '<?xml version="1.0" encoding="utf-99"?>' + declared(""): "this is not XML",
    declared("").replace("<constraints>", "<extra/><constraints>"): "<extra>: there is no such part",
    declared(
        "", "<objectives><minimize> x[0] </minimize><maximize> x[1] </maximize></objectives>"
    ): "several objectives",
    declared(
        "", '<objectives><minimize type="lex"> x[] </minimize></objectives>'
    ): "no objective of type lex",
    declared("", "<objectives><maximum> x[0] </maximum></objectives>"): "an objective is <minimize> or",
    declared(
        "",
        '<objectives><minimize type="sum"><list> x[] </list><condition> (le,3) </condition></minimize>'
        "</objectives>",
    ): "a part <condition> is not read here",
}


def check(folder: Path, text: str, said: str) -> None:
    tracemalloc.start()
    with pytest.raises(rk.BadInput) as refused:
        read(folder, text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert said in str(refused.value)
    assert "case.xml:" in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300
    assert peak < 300 << 20


@pytest.mark.parametrize("body", BODIES)
def test_constraints(body: str, tmp_path: Path) -> None:
    check(tmp_path, declared(body), BODIES[body])


@pytest.mark.parametrize("variables", VARIABLES)
def test_variables(variables: str, tmp_path: Path) -> None:
    check(tmp_path, instance(variables), VARIABLES[variables])


def test_arrays_that_together_have_too_many_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rekkyo.export.xcsp3.variables.MAX_VARIABLES", 5)
    arrays = [f'<array id="{name}" size="[3]"> 0..1 </array>' for name in "ab"]
    check(tmp_path, instance("".join(arrays)), "more than the 5 variables that rekkyo takes on")


def test_entries_without_a_domain(tmp_path: Path) -> None:
    """Readers of XCSP3 disagree: some leave such entries out of lists, others leave their places empty."""
    holes = '<array id="a" size="[3]"><domain for="a[1..2]"> 0..1 </domain></array>'
    said = "a[] names an entry without a domain; name those that have one"
    check(tmp_path, instance(holes, "<allDifferent> a[] </allDifferent>"), said)


@pytest.mark.parametrize("text", TEXTS)
def test_texts(text: str, tmp_path: Path) -> None:
    check(tmp_path, text, TEXTS[text])


def test_templates_that_grow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_ENTRIES", 10_000)
    many = '<array id="x" size="[6000]"> 0 </array>'
    said = "more than the 10000 entries"
    check(tmp_path, instance(many, "<allEqual>" + " x[]" * 1000 + "</allEqual>"), said)
    group = "<group><allEqual> %... %... %... </allEqual><args> x[] </args></group>"
    check(tmp_path, instance(many, group), said)
    doubled = f"add({','.join(['%0'] * 30)})"
    for _ in range(3):
        doubled = f"add({','.join([doubled] * 10)})"
    wide = f"add({','.join(['x[0]'] * 100)})"
    template = f"<group><intension> eq({doubled},0) </intension><args> {wide} </args></group>"
    check(tmp_path, instance(many, template), said)
    stars = f"<extension><list> x[] </list><supports> ({','.join('*' * 20)}) </supports></extension>"
    check(tmp_path, instance('<array id="x" size="[20]"> 0..999 </array>', stars), said)


def test_constraints_of_many_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "MAX_VARIABLES", 500)
    monkeypatch.setattr(building, "MAX_CONSTRAINTS", 500)
    many = '<array id="x" size="[60]"> 0..1 </array>'
    ones = "<lengths> 1x60 </lengths>"
    for body in (
        f"<noOverlap><origins> x[] </origins>{ones}</noOverlap>",
        f"<cumulative><origins> x[] </origins>{ones}<heights> 1x60 </heights>"
        "<condition> (le,1) </condition></cumulative>",
        "<allDifferent> x[] x[0] </allDifferent>",
    ):
        check(tmp_path, instance(many, body), "more than the 500 ")


def test_too_large_a_file(tmp_path: Path) -> None:
    path = tmp_path / "case.xml"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(rk.BadInput, match="has 1073741824 bytes; at most 67108864 are read"):
        rk.puzzle_from_file(path)
