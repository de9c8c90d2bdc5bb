"""The parts of one constraint: child elements and attributes, each converted to what the constraint needs.

Parts and attributes that a constraint does not use are refused, because they would change its meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rekkyo.errors import in_short
from rekkyo.export.flatzinc.building import Statement
from rekkyo.export.flatzinc.domains import Atom, Unknown
from rekkyo.export.xcsp3.operators import MEMBERSHIPS, RELATIONS
from rekkyo.export.xcsp3.words import PARAMETER, Condition, Node, Words, number_of
from rekkyo.export.xml_files import Element

if TYPE_CHECKING:
    from rekkyo.export.xcsp3.reader import Writer

WITHOUT_EFFECT = frozenset({"id", "class", "note"})


class Given:
    """An element with the arguments of its template. Every method refuses what it cannot convert."""

    def __init__(self, writer: Writer, element: Element, parameters: Sequence[Node] = ()) -> None:
        self.writer = writer
        self.expressions = writer.expressions
        self.building = writer.building
        self._element = element
        self._parameters = parameters
        self._rest = n_parameters(writer, element)
        self._used: set[str] = set()
        self._attributes: dict[int, set[str]] = {}

    def parts(self, *tags: str) -> list[Element]:
        """The children with these tags. A constraint without any children is its own list."""
        self._used.update(tags)
        is_list = "list" in tags and not self._element.children
        return [self._element] if is_list else self._element.all(*tags)

    def has(self, tag: str) -> bool:
        """Whether there is such a child."""
        return bool(self._element.all(tag))

    def part(self, tag: str, at: int | None = None) -> Element:
        """A child that must be there; None for the only one."""
        found = self.parts(tag)
        if (at or 0) >= len(found):
            self.building.refuse(f"it has no <{tag}>")
        if at is None and len(found) > 1:
            self.building.refuse(f"it has more than one <{tag}>")
        return found[at or 0]

    def text(self, tag: str, at: int | None = None) -> str:
        """The text of a child."""
        return self.writer.text_of(self.part(tag, at))

    def words(self, tag: str, at: int | None = None) -> Words:
        """The words of a child."""
        return Words(self.text(tag, at), self.writer, self._parameters, self._rest)

    def atoms(self, tag: str, at: int | None = None) -> list[Atom]:
        """A list of expressions."""
        return self._atoms(self.words(tag, at).items())

    def _atoms(self, nodes: Sequence[Node]) -> list[Atom]:
        return [self.expressions.checked_atom(node) for node in nodes]

    def list_nodes(self) -> list[Node]:
        """The expressions of the only list, which is not empty."""
        if len(self.parts("list")) != 1:
            self.building.refuse("it must have one <list>")
        nodes = self.nodes("list")
        if not nodes:
            self.building.refuse("its list is empty")
        return nodes

    def only_list(self) -> list[Atom]:
        """As `list_nodes`, as atoms."""
        return self._atoms(self.list_nodes())

    def lists(self) -> list[list[Atom]]:
        """All lists."""
        return [self.atoms("list", at) for at in range(len(self.parts("list")))]

    def rows(self, tag: str) -> list[list[Atom]]:
        """A list of tuples of expressions, all of one length."""
        rows = [self._atoms(row) for row in self.words(tag).tuples()]
        if len(set(map(len, rows))) != 1:
            self.building.refuse(f"the tuples of <{tag}> have different lengths, or there are none")
        return rows

    def nodes(self, tag: str) -> list[Node]:
        """A list of expressions and sets, as they are."""
        return self.words(tag).items()

    def numbers(self, tag: str) -> list[int]:
        """A list of whole numbers."""
        return [self._number(node) for node in self.nodes(tag)]

    def number_rows(self, tag: str) -> list[tuple[int, ...]]:
        """A list of tuples of whole numbers."""
        return [tuple(map(self._number, row)) for row in self.words(tag).tuples()]

    def _number(self, node: Node) -> int:
        if not isinstance(node, int):
            self.building.refuse("something stands where a whole number should be")
        return node

    def atom(self, tag: str) -> Atom:
        """One expression."""
        return self.expressions.checked_atom(self.words(tag).expression())

    def unknowns(self) -> list[Unknown]:
        """The list, which has only variables."""
        atoms = self.only_list()
        found = [atom for atom in atoms if isinstance(atom, Unknown)]
        if len(found) < len(atoms):
            self.building.refuse("its list may only have variables")
        return found

    def condition(self, at: int | None = None) -> Condition:
        """A condition."""
        condition = self.words("condition", at).condition()
        is_set = isinstance(condition.right, range | frozenset)
        if condition.operator not in ({*MEMBERSHIPS} if is_set else RELATIONS):
            operator = in_short(condition.operator)
            self.building.refuse(f"({operator},...) is not a condition with this right side")
        return condition

    def attribute(self, name: str, default: str, tag: str | None = None, at: int = 0) -> str:
        """An attribute of the constraint, or of a child."""
        elements = [self._element] if tag is None else self.parts(tag)[at : at + 1]
        for element in elements:
            self._attributes.setdefault(id(element), set()).add(name)
            if name in element.attributes:
                return element.attributes[name].strip()
        return default

    def start(self, tag: str = "list", name: str = "startIndex", at: int = 0) -> int:
        """The first index of a list; 0 if it is not given."""
        return number_of(self.attribute(name, "0", tag, at), self.writer)

    def is_true(self, name: str, default: str, tag: str | None = None) -> bool:
        """An attribute that is true or false."""
        text = self.attribute(name, default, tag)
        if text not in ("true", "false"):
            self.building.refuse(f'{name} is "{in_short(text)}" and must be true or false')
        return text == "true"

    def check_used(self) -> None:
        """Refuse parts and attributes that were not used."""
        for child in self._element.children:
            if child.tag not in self._used:
                self.building.refuse(f"a part <{in_short(child.tag)}> is not read here")
        for element in (self._element, *self._element.children):
            known = WITHOUT_EFFECT | {"as"} | self._attributes.get(id(element), set())
            for name in element.attributes:
                if name not in known:
                    self.building.refuse(f"the attribute {in_short(name)} is not read here")

    def any_of(self, statements: Sequence[Statement]) -> Statement:
        """One of them holds."""
        if True in statements or len(statements) == 1:
            return statements[0] if len(statements) == 1 else True
        return self.building.clause([self.building.truth(statement) for statement in statements])

    def as_many(self, *arrays: Sequence[object]) -> None:
        """Refuse arrays of different lengths."""
        if len(set(map(len, arrays))) > 1:
            self.building.refuse(
                f"its parts have {' and '.join(str(len(array)) for array in arrays)} entries"
            )


def n_parameters(writer: Writer, element: Element) -> int:
    """How many arguments a template names by their numbers."""
    texts = map(writer.text_of, (element, *element.children))
    found = (int(number[:6]) for text in texts if "%" in text for number in PARAMETER.findall(text))
    return max(found, default=-1) + 1
