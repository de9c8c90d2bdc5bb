"""Small changes of a source text, each as a programmer's slip would make it.

No tool that is kept well fits: mutmut leaves decorated functions out, which all kernels are, and cosmic-ray runs
one command for all modules. The choice of tests for each file, processes that are forked instead of started and
bounds of processor time would have to be written around it, and those are most of the work.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from dataclasses import dataclass

OPERATORS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
UNTOUCHED = (ast.Raise, ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom)
"""Messages, and what only says more loudly that something else is wrong."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A change of a file. start: offset in its text. line: from 1."""

    path: str
    line: int
    start: int
    old: str
    new: str

    def applied(self, text: str) -> str:
        """The text with the change."""
        end = self.start + len(self.old)
        assert text[self.start : end] == self.old
        return text[: self.start] + self.new + text[end:]

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.old!r} -> {self.new!r}"


def mutations_of(path: str, text: str) -> list[Mutation]:
    """All changes of a file, in the order of its text."""
    found = {
        Mutation(path, text.count("\n", 0, start) + 1, start, text[start:end], new)
        for start, end, new in _Changes(text).of_tree()
    }
    return sorted(found, key=lambda mutation: (mutation.start, mutation.new))


def drawn(mutations: list[Mutation], number: int, rng: random.Random) -> list[Mutation]:
    """Some of them, at most one of each line."""
    chosen: dict[tuple[str, int], Mutation] = {}
    for mutation in rng.sample(mutations, len(mutations)):
        if len(chosen) < number:
            chosen.setdefault((mutation.path, mutation.line), mutation)
    return list(chosen.values())


class _Changes:
    """Finds the changes of a text: (start, end, what comes there instead)."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def of_tree(self) -> Iterator[tuple[int, int, str]]:
        waiting: list[ast.AST] = [ast.parse(self.text)]
        while waiting:
            node = waiting.pop()
            if not isinstance(node, UNTOUCHED):
                yield from self._of(node)
                waiting += _children(node)

    def _of(self, node: ast.AST) -> Iterator[tuple[int, int, str]]:
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            yield from self._between(node.left, node.ops[0], node.comparators[0])
        elif isinstance(node, ast.BinOp):
            yield from self._between(node.left, node.op, node.right)
        elif isinstance(node, ast.AugAssign):
            yield from self._between(node.target, node.op, node.value)
        elif isinstance(node, ast.BoolOp):
            yield from self._between(node.values[0], node.op, node.values[1])
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield self._start(node), self._start(node.operand), ""
        elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
            new = str(not node.value) if type(node.value) is bool else f"({node.value} + 1)"
            yield self._start(node), self._end(node), new
        elif isinstance(node, (ast.Break, ast.Continue)):
            yield self._start(node), self._end(node), "continue" if isinstance(node, ast.Break) else "break"
        elif isinstance(node, (ast.If, ast.IfExp)):
            start, end = self._start(node.test), self._end(node.test)
            yield start, end, f"not ({self.text[start:end]})"
        elif _can_be_left_out(node):
            yield self._start(node), self._end(node), "pass"

    def _between(self, left: ast.expr, operator: ast.AST, right: ast.expr) -> Iterator[tuple[int, int, str]]:
        if type(operator) in OPERATORS:
            old, new = OPERATORS[type(operator)]
            start = self.text.find(old, self._end(left), self._start(right))
            if start >= 0:
                yield start, start + len(old), new

    def _start(self, node: ast.stmt | ast.expr) -> int:
        return self._offset(node.lineno, node.col_offset)

    def _end(self, node: ast.stmt | ast.expr) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._offset(node.end_lineno, node.end_col_offset)

    def _offset(self, line: int, column: int) -> int:
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())


def _can_be_left_out(node: ast.AST) -> bool:
    """A call for its effect, or a value put into an array or an object."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Subscript, ast.Attribute))


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """What is inside, but for types and decorators."""
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list", "bases"):
            yield from (
                part for part in (value if isinstance(value, list) else [value]) if isinstance(part, ast.AST)
            )
