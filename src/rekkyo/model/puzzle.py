"""A puzzle: a model with a name, its symmetry, symbols for its values, and published counts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Protocol

from rekkyo.errors import BadInput, in_short
from rekkyo.model.checks import check_hashable, check_nested, check_type, refuse, shown
from rekkyo.model.csp.csp import Csp
from rekkyo.model.picture import Clues, Picture
from rekkyo.model.row import AtomPermutation, RowShape

SYMBOLS = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""One character for each value in the compact form, in the order of the values."""


class Model(Protocol):
    """The mathematical form of a puzzle: any frozen, hashable value that says what its rows look like."""

    @property
    def row_shape(self) -> RowShape:
        """Length, values and layout of a solution row."""
        ...

    @property
    def row_meaning(self) -> str:
        """The meaning of a position of the row and of its value, in one line."""
        ...


@dataclass(frozen=True, slots=True)
class Published:
    """Published counts; None for a number that was not given."""

    total: int | None
    unique: int | None
    source: str

    def compared(self, total: int, unique: int | None) -> dict[str, bool]:
        """Whether the numbers are equal, for those of "total" and "unique" that are both given."""
        pairs = {"total": (self.total, total), "unique": (self.unique, unique)}
        return {name: known == found for name, (known, found) in pairs.items() if None not in (known, found)}

    def agrees_with(self, total: int, unique: int | None) -> bool:
        """Whether no count differs from the published one."""
        return all(self.compared(total, unique).values())

    def up_to(self, symmetry: str) -> Published:
        """The counts, without the number of classes unless that is for this symmetry: the puzzle's own."""
        return self if symmetry == "symmetry" else replace(self, unique=None)


@dataclass(frozen=True, slots=True)
class FurtherSymmetry:
    """Symmetries that are used only on request, such as the complement of a magic square.

    word: how `--up-to` names it; several words, joined by commas, where that is more than each adds alone.
    meaning: what it adds to the puzzle's own symmetry, in one line.
    """

    word: str
    meaning: str
    generators: tuple[AtomPermutation, ...]

    def __post_init__(self) -> None:
        _check_symmetry("a further symmetry", self)


@dataclass(frozen=True, slots=True)
class Relation:
    """An equivalence of solutions by permutations of atoms, for which the group need not be listed.

    word, meaning: as in `FurtherSymmetry`. keeps_solutions: whether images of solutions are solutions. If so,
    the group may have any size; else it is listed, and images may be any rows. order: of the group, if it is
    known from how the generators were found.
    """

    word: str
    meaning: str
    generators: tuple[AtomPermutation, ...]
    keeps_solutions: bool = True
    order: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        _check_symmetry("a relation", self)


def _check_symmetry(what: str, named: FurtherSymmetry | Relation) -> None:
    """Raise BadModel unless its parts have their types."""
    check_type(f"{what}: the word is a text", named.word, str)
    check_type(f"{what}: the meaning is a text", named.meaning, str)
    _check_generators(what, named.generators)


def _check_generators(what: str, generators: tuple[AtomPermutation, ...]) -> None:
    """Raise BadModel unless a group can be looked up by them; it checks what they permute."""
    rule = f"{what}: the generators are a tuple of permutations such as (1, 0, 2)"
    check_hashable(rule, generators, (tuple, tuple))


SHIFT = "shift"
"""The name of a motion around a torus."""


@dataclass(frozen=True, slots=True)
class Motion:
    """A symmetry of the board that has a name.

    name: such as half turn; several motions may have the same one. turns: whether it keeps orientation.
    """

    name: str
    turns: bool
    permutation: AtomPermutation

    def __post_init__(self) -> None:
        check_hashable("a motion: the permutation is a tuple such as (1, 0, 2)", self.permutation, (tuple,))


SYNONYMS = {
    "fixed": "none",
    "one-sided": "rotations",
    "free": "symmetry",
    "fundamental": "symmetry",
    "board": "symmetry",
}
"""Words that are usual in the field: polyforms are counted fixed, one-sided or free; queens have fundamental
solutions."""


def plain_words(up_to: str) -> str:
    """The words of `--up-to`, without synonyms. Raises BadInput."""
    if not isinstance(up_to, str):
        raise BadInput(f"up_to is a word such as symmetry or none, not {shown(up_to)}")
    return _plain_words(up_to)


@lru_cache(maxsize=64)
def _plain_words(up_to: str) -> str:
    return ",".join(SYNONYMS.get(word, word) for word in up_to.split(","))


@dataclass(frozen=True, slots=True, repr=False)
class Puzzle:
    """A model with its name, symmetry, symbols and published counts.

    name: how the command line names it, parameters included, such as `queens 8`.
    generators: atom permutations (see `rekkyo.model.row`) that generate the symmetry group.
    symmetry_was_searched: whether all symmetry of the constraints is known, even if there is none: the
        generators, and those that the further word "constraints" adds.
    further: symmetries that `generators_up_to` adds when they are named.
    relations: further words for `--up-to`, known to `count` and `solve`, and to `orbits` if the group is too
        large to list.
    motions: symmetries of the board that have names; those that keep orientation generate all that do.
        None where turning has no meaning.
    picture: positions in a drawing, when the model has none.
    symbols: symbols[v] writes value v in the compact form; all different.
    Raises BadModel.
    """

    name: str
    model: Model
    title: str
    generators: tuple[AtomPermutation, ...] = ()
    symbols: str = SYMBOLS
    published: Published | None = None
    further: tuple[FurtherSymmetry, ...] = ()
    motions: tuple[Motion, ...] | None = None
    symmetry_was_searched: bool = False
    relations: tuple[Relation, ...] = ()
    picture: Picture | None = None

    def __post_init__(self) -> None:
        for what in ("name", "title", "symbols"):
            check_type(f"a puzzle: the {what} is a text", getattr(self, what), str)
        symbols, rule = self.symbols, "different printable characters, no space and no comma"
        if not symbols.isprintable() or len({*symbols, " ", ","}) < len(symbols) + 2:
            refuse(f"a puzzle: the symbols are {rule}", symbols)
        if not hasattr(type(self.model), "row_shape"):  # its value may take long to compute
            refuse("a puzzle: the model is one such as rekkyo.queens(8).model", type(self.model).__name__)
        for rule, values, kind in (
            ("further is a tuple of FurtherSymmetry", self.further, FurtherSymmetry),
            ("relations is a tuple of Relation", self.relations, Relation),
            ("motions is a tuple of Motion", () if self.motions is None else self.motions, Motion),
        ):
            if type(values) is not tuple or values:  # puzzles of a batch mostly have none
                check_nested(f"a puzzle: {rule}", values, (tuple, kind))
        if type(self.generators) is not tuple or self.generators:
            _check_generators("a puzzle", self.generators)
        if not isinstance(self.published, Published | None):
            refuse("a puzzle: published is a Published", self.published)
        if not isinstance(self.picture, Picture | None):
            refuse("a puzzle: the picture is one of rekkyo.model.picture", self.picture)

    def __repr__(self) -> str:
        return f"<Puzzle {in_short(self.name, 60)}: {in_short(self.title, 100)}>"

    @property
    def model_in_words(self) -> Model:
        """The model for messages: its cells have the names that a puzzle file gives them."""
        names = self.picture.names if isinstance(self.picture, Clues) else ()
        if not isinstance(self.model, Csp) or not names or not set(names).isdisjoint(self.model.names):
            return self.model
        return replace(self.model, names=(*names, *self.model.names[len(names) :]))

    @property
    def knows_symmetry(self) -> bool:
        """Whether its symmetry is known, even if it has none; otherwise orbits have no meaning."""
        return bool(self.generators) or self.motions is not None or self.symmetry_was_searched

    def symmetry_in_words(self, up_to: str = "symmetry") -> str | None:
        """The symmetry that `unique` is up to, in words; None if the motions have no names."""
        motions = self.motions or ()
        is_of_board = {motion.permutation for motion in motions}.issuperset(self.generators)
        if plain_words(up_to) == "rotations":
            motions = tuple(motion for motion in motions if motion.turns)
        elif plain_words(up_to) != "symmetry" or not self.generators or not is_of_board:
            return None
        found = {SHIFT if m.name == SHIFT else "rotation" if m.turns else "reflection" for m in motions}
        kinds = [kind for kind in (SHIFT, "rotation", "reflection") if kind in found]
        return " and ".join([", ".join(kinds[:-1]), kinds[-1]] if len(kinds) > 1 else kinds) or None

    def generators_up_to(self, up_to: str) -> tuple[AtomPermutation, ...] | None:
        """The generators for "symmetry", "rotations" or words of `further`; None for "none".

        Words are joined by commas; synonyms are understood. A further symmetry is added to the puzzle's own.
        Raises BadInput.
        """
        up_to = plain_words(up_to)
        if up_to == "none":
            return None
        if up_to == "symmetry":
            return self.generators
        if up_to == "rotations" and self.motions is not None:
            return tuple(motion.permutation for motion in self.motions if motion.turns)
        further = {frozenset(kind.word.split(",")): kind.generators for kind in self.further}
        words = set(up_to.split(","))
        if (together := frozenset(words - {"symmetry"})) in further:
            return self.generators + further[together]
        generators = self.generators
        for word in up_to.split(","):
            if word == "symmetry" or (word == "constraints" and self._has_no_more_constraints):
                continue
            if word in ("none", "rotations") and "," in up_to:
                raise BadInput(f'up to "{word}" stands alone; take the other words away')
            if word in {relation.word for relation in self.relations}:
                raise BadInput(f'up to "{word}" stands alone, and only `count` and `solve` know it')
            if frozenset({word}) not in further:
                known = ", ".join(self.words_up_to)
                raise BadInput(f'up to "{in_short(word)}" is not known for {self.name}; use one of: {known}')
            generators += further[frozenset({word})]
        return generators

    @property
    def words_up_to(self) -> list[str]:
        """The words, one at a time, that say which solutions count as one."""
        rotations = ["rotations"] if self.motions is not None else []
        relations = (relation.word for relation in self.relations)
        single = [kind.word for kind in self.further if "," not in kind.word]
        return ["symmetry", *rotations, "none", *single, *relations]

    @property
    def _has_no_more_constraints(self) -> bool:
        """Whether its own symmetry is known to be all symmetry of the constraints."""
        words = [kind.word for kind in self.further] + [relation.word for relation in self.relations]
        return self.symmetry_was_searched and "constraints" not in words

    def relation(self, up_to: str) -> Relation:
        """The relation that the words name: one of `relations`, or a symmetry as one. Raises BadInput."""
        return self.relation_named(up_to) or Relation(up_to, "", self.generators_up_to(up_to) or ())

    def relation_named(self, up_to: str) -> Relation | None:
        """The one of `relations` that the words name; None if there is none. Raises BadInput.

        "symmetry" may stand beside one that has the puzzle's own symmetry in it.
        """
        words = set(plain_words(up_to).split(","))
        for relation in self.relations:
            if words == {relation.word}:
                return relation
            if words == {"symmetry", relation.word} and {*self.generators} <= {*relation.generators}:
                return relation
        return None


def check_puzzle(puzzle: object) -> None:
    """Raise BadInput unless given a Puzzle; names and models are common mistakes."""
    if not isinstance(puzzle, Puzzle):
        has_one = not isinstance(puzzle, type) and callable(getattr(puzzle, "puzzle", None))
        fix = "; call its method puzzle()" if has_one else ""
        if hasattr(type(puzzle), "row_shape"):
            fix = '; make one of the model: rekkyo.Puzzle("mine", model, "Mine")'
        raise BadInput(
            'a puzzle is expected, such as rekkyo.queens(8) or rekkyo.puzzle("queens 8"), not'
            f" {type(puzzle).__name__}{fix}"
        )
